"""Components of a game, counted from its declarations: what lies ready before anything has happened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

import attrs

from rulelang.program import Program
from rulelang.types import Domain, NumberType, OptionalType

from ..pictures.build.facts import PLAYER, Facts, domain_of, facts_of
from ..pictures.scene.look import Look
from ..pictures.sheets import for_players
from ..pictures.stock import belongings, dice_of, markers_of, most, stock_of
from ..rulebook.languages.catalogue import say
from ..rulebook.print.matter import MatterTable, TableRow

_FEW = 12
"""Of so many kinds at most each is named."""
_GROUPS = 6
"""A column that divides the kinds into at most so many groups tells how many there are of each."""


@attrs.frozen
class _Component:
    """``key``: what it is, the same for every number of players; ``name``: in the rules, for a link."""

    key: str
    name: str
    label: str
    detail: str
    count: int


def components(programs: Sequence[Program], looks: Sequence[Look], sections: Collection[str]) -> MatterTable:
    """All components that the game needs with any of its numbers of players, each kind of piece as often as the most
    need it.

    ``looks``: of each Program. ``sections``: the ids that a link can lead to.
    """
    lang = looks[0].lang
    numbers = [program.players for program in programs]
    listed = [list(_boards(facts_of(p), look)) for p, look in zip(programs, looks, strict=True)]
    found = [*_merged(listed, numbers, lang), *_pieces(programs, looks)]
    listed = [
        [*_markers(facts_of(p), look), *_dice(facts_of(p), look)] for p, look in zip(programs, looks, strict=True)
    ]
    found += _merged(listed, numbers, lang)
    rows = []
    for thing in found:
        link = next((name for name in (thing.name, thing.key) if name in sections), None)
        rows.append(TableRow(capital(thing.label), (str(thing.count), thing.detail), link))
    return MatterTable((say("component", lang), say("count", lang), say("of_these", lang)), tuple(rows))


def _merged(listed: Sequence[Sequence[_Component]], numbers: Sequence[int], lang: str | None) -> Iterator[_Component]:
    """Things that are there with several numbers of players, once; a detail that is not always so says when it is."""
    for key in dict.fromkeys(thing.key for things in listed for thing in things):
        same = {number: thing for number, things in zip(numbers, listed, strict=True) for thing in things
                if thing.key == key}  # fmt: skip
        details: dict[str, list[int]] = {}
        for number, thing in same.items():
            details.setdefault(thing.detail, []).append(number)
        several = "; ".join(f"{for_players(some, lang)}: {detail}" for detail, some in details.items() if detail)
        detail = next(iter(details)) if len(details) == 1 else several
        count = max(thing.count for thing in same.values())
        yield attrs.evolve(next(iter(same.values())), detail=detail, count=count)


def capital(text: str) -> str:
    """The text with a capital letter in front."""
    return text[:1].upper() + text[1:]


def _boards(facts: Facts, look: Look) -> Iterator[_Component]:
    for domain in facts.program.domains.values():
        if domain.name in facts.stages:
            detail = _times(len(domain), look.label(domain.name))
            yield _Component(f"board {domain.name}", domain.name, say("board", look.lang), detail, 1)


# ---------------------------------------------------------------- pieces


def _pieces(programs: Sequence[Program], looks: Sequence[Look]) -> Iterator[_Component]:
    """Players' pieces by the place they lie ready in, all others by their kind."""
    stocks = [stock_of(program) for program in programs]
    needs = [{stock.name for stock in some} for some in stocks]
    for stock in most(stocks):
        at = max(number for number, names in enumerate(needs) if stock.name in names)
        program, look = programs[at], looks[at]
        owned = {variable.owners[0].domain.name: variable.name for variable in belongings(program)}
        detail = _detail(program, stock.of, stock.counts, look)
        name = owned[stock.name] if [v.name for v in stock.places] == [owned.get(stock.name)] else stock.name
        yield _Component(stock.name, stock.name, look.label(name), detail, stock.counts.total())


def _times(number: int, what: str) -> str:
    return f"{number}\u00a0×\u00a0{what}"


def _detail(program: Program, of: Domain | NumberType, inside: Counter[str], look: Look) -> str:
    """How many of which kind: of each kind, of each group of kinds, or nothing where that would be too much."""
    if isinstance(of, Domain) and len(inside) > _FEW:
        grouped = _groups(program, of, inside, look)
    else:
        grouped = {kind_label(of, kind, look): number for kind, number in inside.items()}
    if len(grouped) < 2:
        return ""
    if isinstance(of, Domain) and of.name == PLAYER and len(set(inside.values())) == 1:
        return say("per_player", look.lang, n=next(iter(inside.values())))
    if set(grouped.values()) == {1}:
        return ", ".join(grouped)
    if len(set(grouped.values())) == 1:
        return say("each_of", look.lang, n=next(iter(grouped.values())), names=", ".join(grouped))
    return ", ".join(_times(number, label) for label, number in grouped.items())


def kind_label(of: Domain | NumberType | None, kind: str, look: Look) -> str:
    """What people call a kind of piece."""
    return look.label(f"{of.name}~{kind}") if isinstance(of, Domain) else f'"{kind}"'


def _groups(program: Program, of: Domain, inside: Counter[str], look: Look) -> dict[str, int]:
    """The numbers by the first column of the table that divides it into few groups."""
    table = program.tables.get(of.name)
    for column, type_ in table.types.items() if table is not None else ():
        domain = domain_of(type_)
        if table is None or domain is None or isinstance(type_, OptionalType) or len(domain) > _GROUPS:
            continue
        values = table.cells[column]
        if all(isinstance(value, int) for value in values):
            groups: Counter[str] = Counter()
            for member, value in zip(of.members, values, strict=True):
                groups[look.label(f"{domain.name}~{domain.members[value]}")] += inside[member]
            return {label: number for label, number in groups.items() if number}
    return {}


# ---------------------------------------------------------------- markers and dice


def _markers(facts: Facts, look: Look) -> Iterator[_Component]:
    """What stands on a member of a board."""
    for variable in markers_of(facts, look):
        yield _Component(variable.name, variable.name, look.label(variable.name), "", variable.cells)


def _dice(facts: Facts, look: Look) -> Iterator[_Component]:
    for die in dice_of(facts, look):
        yield _Component(f"die {die.name}", die.name, say("die", look.lang), die.detail, die.count)
