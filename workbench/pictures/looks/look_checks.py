"""Checks of the look files of a game: names, contrast, and what could be suggested."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import attrs

from rulelang.diagnostics import Diagnostic, Sink, did_you_mean
from rulelang.files.folder import GameFiles
from rulelang.program import Program
from rulelang.source import Span
from rulelang.types import Domain
from rulelang.workspace import Workspace

from ..build.facts import PLAYER, domain_of, facts_of
from ..build.piece_parts import Maker
from ..paint.colours import NAMED, VISIONS, colour_of, contrast, difference, seen_by
from ..paint.svg import ground
from ..scene.look import Look, Style
from ..scene.look import names as symbol_names
from .find import files_below, look_for
from .resolve import names_of, resolve
from .syntax import LookFile

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


def check_looks(
    files: GameFiles, programs: Sequence[Program], variants: Sequence[str], games: Workspace, sink: Sink
) -> None:
    """All findings about the look of the game and those of ``variants``, with which ``programs`` were made.

    What a look names and another variant has taken away is no mistake: pictures do without it, and a note says so.
    """
    names = names_of(programs)
    styles: dict[str, Style] = {}
    spans: dict[str, Span] = {}
    for source, file in files_below(files.root, sink, files.texts):
        files.sources.setdefault(source.name, source)
        known = [programs[0].name, *files.variants]
        if file.of is not None and file.of not in known:
            help_ = did_you_mean(file.of, known) or f"Write one of {', '.join(known)}."
            message = f"`{file.of}` is neither this game nor one of its variants."
            sink.error("R1001", file.span, message, help=help_)
        elif file.of in (programs[0].name, *variants):
            own = Sink()
            styles |= resolve(file, names, programs[0].languages, own)
            spans |= dict(_spans(file))
            alone = () if file.of == programs[0].name else (file.of,)
            if own.has_errors and tuple(variants) != alone:
                before = Sink()
                resolve(file, names_of(games.programs(files, alone)), programs[0].languages, before)
                sink.extend(_without_removed(own, before, variants))
            else:
                sink.extend(own)
    if spans and not sink.has_errors:
        check_contrast(programs[-1], Look(styles), spans, sink)


def _without_removed(found: Sink, before: Sink, variants: Sequence[str]) -> Iterator[Diagnostic]:
    """The findings; of what is a mistake with these variants only, a note. ``before``: the findings without them."""
    known = {(d.code, d.span) for d in before}
    named = " and ".join(f"`{name}`" for name in variants)
    for d in found:
        if d.code in _NAMING and (d.code, d.span) not in known:
            help_ = "Pictures do without this line; nothing needs to be done."
            yield attrs.evolve(d, severity="note", message=f"With {named}: {d.message}", help=help_, fixes=())
        else:
            yield d


_NAMING = ("R1002", "R1003")
"""What is said of names that are not there, or that stand for something else."""


def _spans(file: LookFile) -> Iterator[tuple[str, Span]]:
    """Where a look names what, by full names."""
    for entry in file.entries:
        yield from entry.names
        for inner in entry.inner:
            yield from ((f"{entry.names[0][0]}~{name}", span) for name, span in inner.names)


_LONG = 30
"""Members of longer domains are left to the author."""
_HUES = frozenset({"red", "green", "blue", "yellow", "purple", "violet", "orange", "white", "black", "grey", "gray",
                   "brown", "pink", "cyan", "magenta"})  # fmt: skip
"""Words that mean a colour and no thing."""
_NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]


@attrs.frozen
class Suggestion:
    """What might be said of a member: a colour, letters, a symbol of that name; and up to four ``others`` that have it
    in their names."""

    domain: str
    member: str
    colour: str | None = None
    text: str | None = None
    symbol: str | None = None
    others: tuple[str, ...] = ()

    def plain(self) -> dict[str, Any]:
        """The suggestion as JSON holds it."""
        return attrs.asdict(self)

    def phrases(self) -> list[str]:
        """What a look says of the member."""
        symbol = f"icon {self.symbol}" if self.symbol else None
        return [phrase for phrase in (self.colour, f'"{self.text}"' if self.text else None, symbol) if phrase]


def suggestions(programs: Sequence[Program]) -> list[Suggestion]:
    """Suggestions for the members of the enums and short tables of a game; not for boards, and not for numbers."""
    found: dict[tuple[str, str], Suggestion] = {}
    for program in programs:
        known = {PLAYER, *program.grids, *program.settings, *facts_of(program).stages}
        for domain in program.domains.values():
            if domain.name not in known and len(domain) <= _LONG and domain.first is None:
                for one in _suggested(domain):
                    found[domain.name, one.member] = one
    return list(found.values())


def _suggested(domain: Domain) -> Iterator[Suggestion]:
    """What names suggest. Words that several members share tell nothing of any of them."""
    names = [[part for part in member.lower().split("_") if not part.isdigit()] for member in domain.members]
    count = Counter(word for name in names for word in set(name))
    family = _family(domain.members)
    if len(set(map(tuple, names))) == 1 < len(names):
        return
    for member, name in zip(domain.members, names, strict=True):
        own = [word for word in name if count[word] == 1 and word not in _HUES]
        colour = next((word for word in name if word in NAMED and word != member), None)
        if member in _NUMBERS:
            yield Suggestion(domain.name, member, text=str(_NUMBERS.index(member)))
        else:
            symbol, others = _symbols(own) if family is None else (f"{family}{member}", [])
            yield Suggestion(domain.name, member, colour, None, symbol, tuple(others[:4]))


def _family(members: Sequence[str]) -> str | None:
    """What the names of a set of symbols begin with that has one for each member, such as ``chess-``."""
    ends = [{name.removesuffix(one) for name in symbol_names() if f"-{name}".endswith(f"-{one}")} for one in members]
    shared = set.intersection(*ends) if not _HUES & {*members} else set()
    return min(shared, key=lambda name: (len(name), name), default=None)


def _symbols(own: Sequence[str]) -> tuple[str | None, list[str]]:
    """The symbol that is called by these words, if any, and others whose names end or begin with the last of them."""
    if not own or len(own[-1]) < 3:
        return None, []
    forms = {own[-1], own[-1].removesuffix("s"), f"{own[-1]}s"}
    called = [name for form in forms if (name := "-".join((*own[:-1], form))) in symbol_names()]
    fitting = (name for name in symbol_names() if forms & {*name.split("-")[-1:], *name.split("-")[:1]})
    others = sorted(fitting, key=lambda name: (name.split("-")[-1] not in forms, name.count("-"), len(name), name))
    best = min(called, key=lambda name: (name not in own, name), default=None)
    return best, [name for name in others if name != best]


def text_of(program: Program, found: Sequence[Suggestion]) -> str:
    """The look file that the suggestions make, the other symbols as comments."""
    lines = [f"look of {program.name}", ""]
    looks = {lang: look_for(program, lang) for lang in program.languages if lang != "en"}
    for domain in dict.fromkeys(s.domain for s in found):
        mine = [s for s in found if s.domain == domain]
        if not any(s.phrases() or s.others for s in mine) and not looks:
            continue
        lines.append(domain)
        for one in mine:
            phrases = [
                *one.phrases(),
                *(f'{lang} "{look.label(f"{domain}~{one.member}")}"' for lang, look in looks.items()),
            ]
            others = f"  # icon {', '.join(one.others)}?" if one.others else ""
            lines.append(f"  {one.member}: {', '.join(phrases)}{others}" if phrases else f"  {one.member}{others}")
        lines.append("")
    if len(lines) == 2:
        lines.append("# The names of this game suggest nothing that its pictures do not show already.")
    return "\n".join(lines).rstrip("\n") + "\n"
