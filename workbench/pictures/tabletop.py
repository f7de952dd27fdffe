"""Pieces and boards as files: numbered images with a list, and a saved object for Tabletop Simulator."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from math import ceil
from typing import Any, TypeAlias
from urllib.parse import quote
from zlib import crc32

import attrs

from .layout.boxes import Box
from .sheets import Board, Face, Sheets, Sort, as_svg
from .stock import Die, Number

_INCH = 25.4
LARGEST = 10_000
"""Pixels of an image on each side; what is larger takes gigabytes to draw."""


class TooLarge(ValueError):
    """An image would have more pixels than can be drawn."""


# ---------------------------------------------------------------- images


@attrs.frozen
class _Row:
    """A line of the list: a front with its number and its back."""

    number: int
    name: str
    count: int
    front: str
    back: str
    size: tuple[float, float]


def images(sheets: Sheets, dpi: int, bleed: float) -> tuple[str, dict[str, str]]:
    """The list of the pieces as CSV, and the images as SVG by their files, one for each front and each back.

    ``bleed``: in mm, on all sides. Raises TooLarge.
    """
    rows, sizes = _listed(sheets)
    longest = max(map(max, sizes.values())) + 2 * bleed
    if longest / _INCH * dpi > LARGEST:
        raise TooLarge(
            f"{dpi} dpi make {longest / _INCH * dpi:.0f} pixels of {longest:g} mm; at most"
            f" {int(LARGEST * _INCH / longest)} dpi fit"
        )
    files = {row.front: f"{row.number:03}-front.png" for row in rows}
    behind = [row.back for row in rows if row.back not in files]
    files |= {picture: f"back-{n}.png" for n, picture in enumerate(dict.fromkeys(filter(None, behind)), 1)}
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(("number", "name", "count", "front", "back", "size"))
    for row in rows:
        size = f"{row.size[0]:g}x{row.size[1]:g} mm"
        writer.writerow((row.number, row.name, row.count, files[row.front], files.get(row.back, ""), size))
    drawn = {}
    for picture, file in files.items():
        wide, high = (round((side + 2 * bleed) / _INCH * dpi) for side in sizes[picture])
        drawn[file] = as_svg(sheets.pictures[picture], (wide, high), bleed / sizes[picture][0])
    return text.getvalue(), drawn


def _listed(sheets: Sheets) -> tuple[list[_Row], dict[str, tuple[float, float]]]:
    """The rows of the list, and the size of each picture in mm."""
    rows: list[_Row] = []
    sizes = {}
    for sort in sheets.sorts:
        for face in sort.faces:
            name = f"{sort.label}: {face.label}"
            rows.append(_Row(len(rows) + 1, name, face.count, face.front, face.back, sort.size))
            sizes[face.front] = sizes[face.back] = sort.size
    for board in sheets.boards:
        rows.append(_Row(len(rows) + 1, board.label, 1, board.picture, "", board.size))
        sizes[board.picture] = board.size
    return rows, sizes


# ---------------------------------------------------------------- Tabletop Simulator

_COLUMNS, _ROWS = 10, 7
"""Cards on a sheet; the last place is for the card that is shown of a hidden one."""
_TEXTURE = 4096
"""Pixels of a sheet on each side: the largest texture."""
_CARD, _TILE, _PIECE = 400, 384, 192
"""Pixels of the width of what is drawn by itself."""
_UNIT = _INCH
"""A unit of the simulator in mm: a card of 56 mm has the width of its cards, a tile of scale 1 is two units wide."""
_ABOVE = 1.3
"""How high what stands on a board is, which lies at 1."""
_THICK = 0.2
"""How high a tile is, with room above."""
_COUNTERS = 12
"""Counters of one number at most."""
_ROOM = 36.0
"""Units from the left edge of what lies on the table to its right edge."""


_State: TypeAlias = dict[str, Any]
"""An object, or a part of one, as JSON holds it."""


@attrs.frozen
class _Thing:
    """An object that lies on the table, with its width and height in mm."""

    state: _State
    width: float
    height: float


def _lay(things: Sequence[_Thing]) -> None:
    """Puts things in rows, away from each other; the first row is the farthest from the players."""
    rows: list[list[_Thing]] = [[]]
    for thing in things:
        if rows[-1] and sum(map(_across, [*rows[-1], thing])) > _ROOM:
            rows.append([])
        rows[-1].append(thing)
    deep = [max(thing.height for thing in row) / _UNIT + 1 for row in rows]
    for number, row in enumerate(rows):
        x, z = -sum(map(_across, row)) / 2, sum(deep) / 2 - sum(deep[:number]) - deep[number] / 2
        for thing in row:
            thing.state["Transform"] |= {"posX": round(x + _across(thing) / 2, 3), "posZ": round(z, 3)}
            x += _across(thing)


def _across(thing: _Thing) -> float:
    return thing.width / _UNIT + 1


def _sides(die: Die) -> int | None:
    """How many sides the simulator's die has, if it has one like this."""
    sides = die.high - die.low + 1
    return sides if die.low == 1 and sides in (4, 6, 8, 10, 12, 20) else None


@attrs.define
class SavedObject:
    """Makes the objects, and the ``images`` they show, as SVG by their files. ``url``: of the folder of the images."""

    sheets: Sheets
    url: str
    images: dict[str, str] = attrs.field(factory=dict)
    _shown: dict[str, str] = attrs.field(factory=dict)
    _number: int = 0
    _decks: int = 0

    @property
    def no_dice(self) -> list[Die]:
        """The dice that the simulator does not have."""
        return [die for die in self.sheets.dice if _sides(die) is None]

    @property
    def no_counters(self) -> list[Number]:
        """The numbers of which there are too many for counters."""
        return [number for number in self.sheets.numbers if len(number.values) > _COUNTERS]

    def plain(self) -> _State:
        """The saved object: boards behind, and before them decks, bags and single pieces, in rows."""
        things = [self._board(board) for board in self.sheets.boards]
        things += [thing for sort in self.sheets.sorts for thing in self._sort(sort)]
        things += [self._die(die) for die in self.sheets.dice if die not in self.no_dice for _ in range(die.count)]
        for number in self.sheets.numbers:
            things += [self._counter(number, whose) for whose in number.values if number not in self.no_counters]
        _lay(things)
        standing = [piece for sort in self.sheets.sorts for piece in self._standing(sort, things)]
        return {
            "SaveName": self.sheets.title, "GameMode": "", "Date": "", "Table": "", "Sky": "", "Note": "", "Rules": "",
            "LuaScript": "", "LuaScriptState": "", "XmlUI": "", "VersionNumber": "",
            "ObjectStates": [*(thing.state for thing in things), *standing],
        }  # fmt: skip

    def _sort(self, sort: Sort) -> Iterator[_Thing]:
        """Cards as decks; other pieces in bags, those that lie ready together in one, or alone."""
        behind: dict[str, list[Face]] = {}
        placed = Counter(face for _, face in sort.start if self._under(sort))
        left = [attrs.evolve(face, count=face.count - placed[number]) for number, face in enumerate(sort.faces)]
        for face in (face for face in left if face.count):
            key = face.back if sort.mixed or sort.form == "card" else face.front
            behind.setdefault(key, []).append(face)
        for faces in behind.values():
            several = sum(face.count for face in faces)
            if sort.form == "card":
                yield self._deck(sort, faces)
            elif several == 1:
                yield _Thing(self._tile(sort, faces[0]), *sort.size)
            else:
                inside = [self._tile(sort, face) for face in faces for _ in range(face.count)]
                name = sort.label if len(faces) > 1 else f"{sort.label}: {faces[0].label}"
                bag = self._object("Bag", name, {"MaterialIndex": -1, "MeshIndex": -1, "ContainedObjects": inside})
                yield _Thing(bag, 3 * _UNIT, 3 * _UNIT)

    def _under(self, sort: Sort) -> list[int]:
        """The number of the board on which pieces of a sort stand when a game begins, if it is clear which."""
        spots = [board.spots.keys() for board in self.sheets.boards]
        needed = {address for address, _ in sort.start}
        there = [number for number, known in enumerate(spots) if needed and needed <= known]
        return there if len(there) == 1 else []

    def _standing(self, sort: Sort, things: Sequence[_Thing]) -> Iterator[_State]:
        """The pieces that stand on a board when a game begins. ``things``: boards first, where they lie."""
        for number in self._under(sort):
            board, under = self.sheets.boards[number], things[number].state["Transform"]
            there: Counter[str] = Counter()
            for address, face in sort.start:
                x, y = board.spots[address]
                piece = self._tile(sort, sort.faces[face])
                piece["Transform"] |= {
                    "posX": round(under["posX"] + (x - 0.5) * board.size[0] / _UNIT, 3),
                    "posY": round(_ABOVE + there[address] * _THICK, 3),
                    "posZ": round(under["posZ"] + (0.5 - y) * board.size[1] / _UNIT, 3),
                }
                there[address] += 1
                yield piece

    # ------------------------------------------------------------ objects

    def _object(self, kind: str, name: str, more: _State, scale: tuple[float, float] = (1, 1)) -> _State:
        self._number += 1
        guid = (crc32(self.sheets.game.encode()) + self._number) % 0x1000000
        place = {"posX": 0.0, "posY": 1.0, "posZ": 0.0, "rotX": 0.0, "rotY": 180.0, "rotZ": 0.0}
        return {
            "GUID": f"{guid:06x}", "Name": kind,
            "Transform": place | {"scaleX": round(scale[0], 4), "scaleY": 1.0, "scaleZ": round(scale[1], 4)},
            "Nickname": name, "Description": "", "GMNotes": "", "ColorDiffuse": {"r": 1.0, "g": 1.0, "b": 1.0},
            "Locked": False, "Grid": False, "Snap": True, "Autoraise": True, "Sticky": True, "Tooltip": True,
            "GridProjection": False, "HideWhenFaceDown": False, "Hands": False,
            "LuaScript": "", "LuaScriptState": "", "XmlUI": "",
        } | more  # fmt: skip

    def _flat(self, name: str, front: str, back: str, size: tuple[float, float], pixels: int, form: int) -> _State:
        """A tile of two images. ``form``: 0 has sharp corners, 3 round ones."""
        image = {
            "ImageURL": self._image(front, pixels), "ImageSecondaryURL": self._image(back, pixels),
            "ImageScalar": 1.0, "WidthScale": 0.0,
            "CustomTile": {"Type": form, "Thickness": 0.1, "Stackable": form == 3, "Stretch": True},
        }  # fmt: skip
        return self._object("Custom_Tile", name, {"CustomImage": image}, (size[0] / _UNIT / 2, size[1] / _UNIT / 2))

    def _tile(self, sort: Sort, face: Face) -> _State:
        token = sort.form == "token"
        tile = self._flat(face.label, face.front, face.back, sort.size, _PIECE if token else _TILE, 3 if token else 0)
        return tile | {"Description": self._said(face), "HideWhenFaceDown": face.front != face.back}

    def _board(self, board: Board) -> _Thing:
        pixels = int(_TEXTURE / max(1, board.ratio) / 2)
        made = self._flat(board.label, board.picture, board.picture, board.size, pixels, 0) | {"Locked": True}
        return _Thing(made, *board.size)

    def _die(self, die: Die) -> _Thing:
        """A die with numbers on it; what they stand for is in its tooltip."""
        faces = ", ".join(f"{number}: {face}" for number, face in enumerate(die.faces, 1))
        made = self._object(f"Die_{_sides(die)}", die.label, {"Description": faces})
        return _Thing(made, _UNIT, _UNIT)

    def _counter(self, number: Number, whose: str) -> _Thing:
        name = f"{number.label}: {whose}" if whose else number.label
        made = self._object("Counter", name, {"Counter": {"value": number.values[whose]}})
        return _Thing(made, 3 * _UNIT, 2 * _UNIT)

    def _deck(self, sort: Sort, faces: Sequence[Face]) -> _Thing:
        """A deck, its cards face down; a single card by itself."""
        cards = []
        room = _COLUMNS * _ROWS - 1
        for sheet in (faces[at : at + room] for at in range(0, len(faces), room)):
            number, state = self._sheet(sort, sheet)
            for place, face in enumerate(sheet):
                more = {"CardID": 100 * number + place, "CustomDeck": {str(number): state}, "SidewaysCard": False}
                more |= {"HideWhenFaceDown": True, "Hands": True}
                for _ in range(face.count):
                    card = self._object("Card", face.label, more | {"Description": self._said(face)})
                    cards.append(card | {"Transform": card["Transform"] | {"rotZ": 180.0}})
        if len(cards) == 1:
            return _Thing(cards[0], *sort.size)
        decks = {key: state for card in cards for key, state in card["CustomDeck"].items()}
        more = {"DeckIDs": [card["CardID"] for card in cards], "CustomDeck": decks, "SidewaysCard": False}
        deck = self._object("DeckCustom", sort.label, more | {"HideWhenFaceDown": True, "ContainedObjects": cards})
        return _Thing(deck | {"Transform": deck["Transform"] | {"rotZ": 180.0}}, *sort.size)

    def _said(self, face: Face) -> str:
        """What a piece says, in words, for its tooltip."""
        alt = self.sheets.pictures[face.front].alt
        return alt if alt != face.label else ""

    def _sheet(self, sort: Sort, faces: Sequence[Face]) -> tuple[int, _State]:
        """Number and state of a sheet with these fronts, and with their back in its last place."""
        self._decks += 1
        columns = min(_COLUMNS, max(2, len(faces) + 1))
        rows = max(2, ceil((len(faces) + 1) / columns))
        first = self.sheets.pictures[faces[0].front]
        wide, high = first.width, first.height
        shown = [*enumerate(face.front for face in faces), (columns * rows - 1, faces[0].back)]
        inside = []
        for place, picture in shown:
            row, column = divmod(place, columns)
            inside.append((column * wide, row * high, self.sheets.pictures[picture]))
        name = f"{sort.name}-sheet{self._decks}".lower()
        sheet = Box(columns * wide, rows * high, inside=tuple(inside), alt=sort.label)
        scale = min(_CARD / wide, _TEXTURE / sheet.width, _TEXTURE / sheet.height)
        state = {
            "FaceURL": self._drawn(name, sheet, int(scale * sheet.width)), "BackURL": self._image(faces[0].back, _CARD),
            "NumWidth": columns, "NumHeight": rows, "BackIsHidden": True, "UniqueBack": False, "Type": 0,
        }  # fmt: skip
        return self._decks, state

    # ------------------------------------------------------------ images

    def _image(self, picture: str, pixels: int) -> str:
        return self._drawn(picture, self.sheets.pictures[picture], pixels)

    def _drawn(self, name: str, box: Box, pixels: int) -> str:
        """The address of an image, which is drawn once. On a host it changes when the image does: the simulator keeps
        what it has loaded from an address.
        """
        if name not in self._shown:
            file = f"{name}.png"
            self.images[file] = as_svg(box, (pixels, round(pixels * box.height / box.width)))
            mark = "" if self.url.startswith("file:") else f"?v={crc32(self.images[file].encode()):08x}"
            self._shown[name] = f"{self.url.rstrip('/')}/{quote(file)}{mark}"
        return self._shown[name]
