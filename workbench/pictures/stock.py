"""The pieces of a game, counted from its declarations: what lies ready before anything has happened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from rulelang.program import Program
from rulelang.program.nodes import Variable
from rulelang.types import Domain, NumberType, OptionalType

from .arrange.facts import PLAYER, domain_of, facts_of
from .scene.addresses import cells


@attrs.frozen
class Stock:
    """All pieces of one sort. ``name``: the domain of their kinds; of players' pieces and of numbers the place where
    they lie ready. ``counts``: how many there are of each kind. ``places``: the variables they lie ready in; ``heaps``:
    the one of each kind, where they lie in several heaps of the whole table that share no kind.
    """

    name: str
    of: Domain | NumberType
    counts: Counter[str]
    places: tuple[Variable, ...]
    heaps: Mapping[str, str] = attrs.field(factory=dict)


def stock_of(program: Program) -> list[Stock]:
    """The sorts of pieces, in the order in which the rules name the places where they lie; then what can be owned."""
    from interpreter.loading import game_of

    values = game_of(program, "reference").blank().values()
    found: dict[str, Stock] = {}
    lying: dict[str, list[tuple[Variable, Counter[str]]]] = {}
    for variable in program.variables.values():
        kind, inside = variable.element, pieces_in(variable, values)
        if kind is None or variable.bookkeeping or not inside:
            continue
        of = kind if isinstance(kind, NumberType) else kind.domain
        name = variable.name if isinstance(of, NumberType) or of.name == PLAYER else of.name
        before = found.get(name, Stock(name, of, Counter(), ()))
        found[name] = Stock(name, of, before.counts + inside, (*before.places, variable))
        lying.setdefault(name, []).append((variable, inside))
    for variable in belongings(program):
        domain = variable.owners[0].domain
        found.setdefault(domain.name, Stock(domain.name, domain, Counter(domain.members), (variable,)))
    return [attrs.evolve(stock, heaps=_heaps(lying.get(stock.name, ()))) for stock in found.values()]


def _heaps(lying: Sequence[tuple[Variable, Counter[str]]]) -> Mapping[str, str]:
    """The place of each kind; nothing where one heap holds all, a kind lies in two, or players have some."""
    apart = {kind: variable.name for variable, inside in lying for kind in inside}
    shared = len(apart) < sum(len(inside) for _, inside in lying)
    return {} if len(lying) < 2 or shared or any(variable.owners for variable, _ in lying) else apart


def belongings(program: Program) -> list[Variable]:
    """What says whose each member of a domain is, or that it is nobody's: these members are things to be owned."""
    facts = facts_of(program)
    found = []
    for variable in facts.shown:
        owners = [owner.domain.name for owner in variable.owners]
        owned = variable.kind == "value" and isinstance(variable.type, OptionalType)
        if owned and domain_of(variable.type) == program.domains[PLAYER] and len(owners) == 1:
            if owners[0] not in {PLAYER, *facts.stages}:
                found.append(variable)
    return found


def most(stocks: Sequence[Sequence[Stock]]) -> list[Stock]:
    """Of each sort and kind the most that there are in any of several stocks."""
    found: dict[str, Stock] = {}
    for stock in (stock for listed in stocks for stock in listed):
        before = found.get(stock.name, stock)
        heaps = {**before.heaps, **stock.heaps}
        found[stock.name] = attrs.evolve(stock, counts=before.counts | stock.counts, heaps=heaps)
    return list(found.values())


def added(stocks: Sequence[Stock], base: Sequence[Stock]) -> list[Stock]:
    """What there is beyond a base."""
    known = {stock.name: stock.counts for stock in base}
    left = (attrs.evolve(stock, counts=stock.counts - known.get(stock.name, Counter())) for stock in stocks)
    return [stock for stock in left if stock.counts]


def pieces_in(variable: Variable, values: Mapping[str, Any]) -> Counter[str]:
    """How many pieces of each kind lie in all places of a variable. ``values``: as ``State.values`` gives them."""
    found: Counter[str] = Counter()
    for _, content in cells(variable.name, values.get(variable.name), len(variable.owners)):
        found.update(counted_pieces(content))
    return found


def counted_pieces(content: Any) -> Counter[str]:
    """The pieces in a place of any kind, by kind."""
    if content is None:
        return Counter()
    if isinstance(content, Mapping):
        return Counter({str(kind): number for kind, number in content.items() if number})
    if isinstance(content, list):
        return Counter(str(one["piece"]) if isinstance(one, Mapping) else str(one) for one in content)
    return Counter([str(content)])
