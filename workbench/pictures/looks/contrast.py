"""Contrast: pieces that cannot be told from what they stand on, or from those of another owner, by everybody."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import attrs

from rulelang.diagnostics import Sink
from rulelang.program import Program
from rulelang.source import Span
from rulelang.types import Domain

from ..arrange.facts import PLAYER, domain_of, facts_of
from ..arrange.pieces import Maker
from ..paint.colours import VISIONS, colour_of, contrast, difference, seen_by
from ..paint.style import ground
from ..scene.look import Look

_ALIKE = 0.05
"""Colours that differ less than this in Oklab are hard to tell apart at the size of a piece."""
_FLAT = 1.25
"""A piece with less contrast than this to what it stands on is seen by its outline alone."""
_GREY = 1.1
"""Two colours with less contrast than this are one on paper without colours."""


@attrs.frozen
class _Piece:
    """``name``: of the member or marker in the rules; ``full``: its name in looks; ``letters``: what stands on it."""

    name: str
    full: str
    fill: str
    letters: str


def check_contrast(program: Program, look: Look, spans: Mapping[str, Span], sink: Sink) -> None:
    """Warn about what is hard to see. ``spans``: where a look names what, by full names; only that can be mended."""
    facts = facts_of(program)
    make = Maker(facts, look)
    seats = list(_members(make, facts.domain(PLAYER)))
    if any(name.startswith(f"{PLAYER}~") for name in spans):
        _owners(seats, spans, sink)
    for domain in (*facts.rings, *facts.boards):
        if not look.says(domain.name, "hidden"):
            _board(make, domain, seats, spans, sink)


def _members(make: Maker, domain: Domain) -> Iterator[_Piece]:
    for name in domain.members:
        style = make.look.of(f"{domain.name}~{name}")
        letters = style.icon or make.token(domain, name, "", "disc").look["text"]
        yield _Piece(name, f"{domain.name}~{name}", colour_of(make.hue(domain, name)).fill, letters)


# ---------------------------------------------------------------- two owners


def _owners(seats: Sequence[_Piece], spans: Mapping[str, Span], sink: Sink) -> None:
    for one, other in combinations(seats, 2):
        place = spans.get(other.full) or spans.get(one.full)
        to_whom = _alike(one.fill, other.fill)
        if to_whom is None and one.letters == other.letters and contrast(one.fill, other.fill) < _GREY:
            to_whom = " on paper without colours"
        if place is not None and to_whom is not None:
            message = f"The pieces of `{one.name}` and `{other.name}` have colours that look alike{to_whom}."
            help_ = "Give one of them a colour that is lighter or darker."
            sink.error("R1007", place, message, help=help_, severity="warning")


def _alike(one: str, other: str) -> str | None:
    """To whom two colours look alike, as the end of a sentence; None when everybody can tell them apart."""
    if difference(one, other) < _ALIKE:
        return ""
    found = [vision for vision in VISIONS if difference(seen_by(one, vision), seen_by(other, vision)) < _ALIKE]
    return f" to people who see {' or '.join(found)}" if found else None


# ---------------------------------------------------------------- pieces on a board


def _board(make: Maker, domain: Domain, seats: Sequence[_Piece], spans: Mapping[str, Span], sink: Sink) -> None:
    grounds = dict(_grounds(make, domain))
    for piece in dict.fromkeys(_standing(make, domain, seats)):
        place = spans.get(piece.full) or spans.get(domain.name)
        flat = {when: fill for when, fill in grounds.items()
                if contrast(piece.fill, fill) < _FLAT and _alike(piece.fill, fill) is not None}  # fmt: skip
        if place is None or not flat:
            continue
        ratio = min(contrast(piece.fill, fill) for fill in flat.values())
        where = " and ".join(dict.fromkeys(flat))
        message = (
            f"Pieces of `{piece.name}` can hardly be seen on `{domain.name}`{where}: "
            f"the contrast of the two colours is {ratio:.2f} to 1."
        )
        help_ = "Give the piece or the board a colour that is lighter or darker."
        sink.error("R1008", place, message, help=help_, severity="warning")


def _grounds(make: Maker, domain: Domain) -> Iterator[tuple[str, str]]:
    """The colours of the cells of a board, by when they are seen."""
    style = make.look.of(domain.name)
    if domain in make.facts.rings:
        names: tuple[str, ...] = ("field",)
    elif style.colour:
        yield "", colour_of(style.colour).fill
        return
    else:
        names = ("cq", "cd") if "chequered" in style.phrases else ("sq", "sd")
    for name in names:
        light, dark = ground(name)
        yield "" if name == names[0] else " on dark squares", light
        yield " in dark mode" if name == names[0] else " on dark squares in dark mode", dark


def _standing(make: Maker, domain: Domain, seats: Sequence[_Piece]) -> Iterator[_Piece]:
    """The pieces that may stand on a board: of players where these own any, else of kinds; and markers."""
    kept = [v for v in make.facts.owned(domain.name) if not make.look.says(v.name, "hidden")]
    kinds = [kind for v in kept if (kind := domain_of(v.element or v.type)) is not None]
    if any(kind.name == PLAYER for kind in kinds):
        yield from seats
    for kind in kinds:
        if kind.name != PLAYER and not any(k.name == PLAYER for k in kinds):
            yield from (p for p in _members(make, kind) if make.look.of(p.full).colour)
    for marker in make.facts.markers(domain):
        colour = make.look.of(marker.name).colour
        if colour and not marker.owners and not make.look.says(marker.name, "hidden"):
            yield _Piece(marker.name, marker.name, colour_of(colour).fill, "")
