"""Sheets to print of a game: its pieces in their numbers, front and back, and its boards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import attrs

from rulelang.program import Program

from ..arrange.boards import Boards
from ..arrange.contents import Contents
from ..arrange.facts import PLAYER, facts_of
from ..arrange.kept import Reader
from ..arrange.pieces import Maker
from ..looks import look_for
from ..paint import paint
from ..place.boxes import Box
from ..place.fit import fit
from ..scene.nodes import Node
from ..stock import Stock, added, most, stock_of
from .faces import SIZES, Form, back, form_of, front

_BOARD = 720.0
"""The width of a board while it is drawn, in pixels."""


class NothingToPrint(ValueError):
    """The game has no piece and no board."""


@attrs.frozen
class Sort:
    """Pieces of one sort: ``fronts`` in their numbers and ``back``, by the names of pictures. ``size`` in mm."""

    name: str
    label: str
    form: Form
    size: tuple[float, float]
    fronts: tuple[str, ...]
    backs: tuple[str, ...]


@attrs.frozen
class Sheets:
    """``pictures``: SVG by name; ``boards``: names of pictures with the ratio of height to width."""

    game: str
    title: str
    sorts: tuple[Sort, ...]
    boards: tuple[tuple[str, str, float], ...]
    pictures: dict[str, str]

    def plain(self) -> dict[str, Any]:
        """What is printed, as JSON holds it."""
        sorts = [
            {"name": s.name, "label": s.label, "form": s.form, "size": list(s.size), "pieces": len(s.fronts)}
            for s in self.sorts
        ]
        return {"game": self.game, "sorts": sorts, "boards": [label for _, label, _ in self.boards]}


def sheets_of(programs: Sequence[Program], base: Sequence[Program] = (), lang: str | None = None) -> Sheets:
    """The sheets of a game: enough for each of the numbers of players that ``programs`` are for.

    ``base``: of the game that an expansion is for; what is in it already is left out. Raises NothingToPrint.
    """
    last = programs[-1]
    make = Maker(facts_of(last), look_for(last, lang))
    stocks = added(most([stock_of(p) for p in programs]), most([stock_of(p) for p in base]))
    pictures: dict[str, str] = {}
    sorts = tuple(_sort(stock, make, pictures) for stock in stocks)
    boards = tuple(_boards(programs, base, lang, pictures))
    if not sorts and not boards:
        raise NothingToPrint("it adds no pieces and no board" if base else "it has no pieces and no board")
    return Sheets(last.name, last.title, sorts, boards, pictures)


def _sort(stock: Stock, make: Maker, pictures: dict[str, str]) -> Sort:
    form = form_of(stock, make)
    fronts: list[str] = []
    for number, (kind, count) in enumerate(stock.counts.items()):
        name = f"{stock.name}-{number}".lower()
        pictures[name] = front(stock, kind, form, make)
        fronts += [name] * count
    if getattr(stock.of, "name", None) == PLAYER:  # players' pieces look the same from both sides
        backs = fronts
    else:
        heaps = list(dict.fromkeys(stock.heaps.get(kind, "") for kind in stock.counts))
        pictures |= {f"{stock.name}-back{n}".lower(): back(stock, form, make, heap) for n, heap in enumerate(heaps)}
        numbers = [heaps.index(stock.heaps.get(kind, "")) for kind in stock.counts.elements()]
        backs = [f"{stock.name}-back{n}".lower() for n in numbers]
    return Sort(stock.name, make.look.label(stock.name), form, SIZES[form], tuple(fronts), tuple(backs))


def _boards(
    programs: Sequence[Program], base: Sequence[Program], lang: str | None, pictures: dict[str, str]
) -> Iterator[tuple[str, str, float]]:
    """The boards, each of those that differ once."""
    seen = {repr(node) for program in base for node in _empty(program, lang)}
    for program in programs:
        for node in _empty(program, lang):
            if repr(node) in seen:
                continue
            seen.add(repr(node))
            box = fit(node, _BOARD)
            name = f"board-{len(pictures)}"
            data = {"title": node.label, "alt": node.alt}
            pictures[name] = paint(Box(box.width, box.height, "page", data, ((0, 0, box),)))
            yield name, node.label, box.height / box.width


def _empty(program: Program, lang: str | None) -> list[Node]:
    """The boards with nothing on them."""
    from interpreter.loading import game_of

    values = game_of(program, "reference").blank().values()
    state = {name: values[name] for name, variable in program.variables.items() if variable.owners and name in values}
    return list(Boards(Contents(Maker(facts_of(program), look_for(program, lang)), Reader(state))).all())
