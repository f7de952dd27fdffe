"""The pieces of a game in their numbers: what lies ready, what can be owned, and what stands on boards."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from math import ceil
from typing import Any

import attrs

from rulelang.program import Program
from rulelang.program.nodes import Apply, Bind, Const, Roll, Variable
from rulelang.program.walk import walk
from rulelang.types import Domain, FlagType, MemberType, NumberType, OptionalType

from .build.facts import PLAYER, Facts, domain_of, facts_of
from .build.piece_parts import Contents, Maker
from .build.reuse import Reader
from .build.zones import Boards
from .scene.look import Look
from .scene.nodes import Node, cells
from .scene.nodes import member as address_of


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


# ---------------------------------------------------------------- what stands on boards


@attrs.frozen
class Standing:
    """Pieces that stand on boards and lie nowhere else: ``nodes`` and ``counts`` by what they are called. ``start``:
    each that stands there when a game begins, with its member's address, as far as chance has no part in it."""

    name: str
    label: str
    nodes: Mapping[str, Node]
    counts: Counter[str]
    start: Sequence[tuple[str, str]] = ()


_GAMES, _CHOICES = 3, 200
"""Random games from which the numbers of pieces are taken, and choices in each."""


def standing(program: Program, make: Maker) -> Iterator[Standing]:
    """The pieces that are values of a board's members, and the markers of the game and of its players.

    There are as many of a piece as stand there at the start or at any time in a few random games. If more and more come
    into play, they fill the board. Numbers are pieces where there are always as many in all.
    """
    facts = facts_of(program)
    positions: list[tuple[int, Mapping[str, Any]]] = []
    for domain in map(facts.domain, sorted(facts.stages)):
        variables = [v for v in facts.owned(domain.name) if v.kind == "value" and v.name in facts.changed]
        variables = [v for v in variables if not make.look.says(v.name, "hidden")]
        positions = positions or (list(_positions(program)) if variables else [])
        kinds = [v for v in variables if not isinstance(v.type, NumberType)]
        if kinds:
            yield _on_members(make, domain, kinds, positions)
        for variable in variables:
            if isinstance(variable.type, NumberType):
                yield from _heaped(make, domain, variable, positions)
    for variable in markers_of(facts, make.look):
        boards = Boards(Contents(make, Reader({})))
        owners = variable.owners[0].domain.members[: program.players] if variable.owners else ("",)
        nodes = {node.alt: node for node in (boards.marker(variable, owner) for owner in owners)}
        yield Standing(variable.name, make.look.label(variable.name), nodes, Counter(nodes.keys()))


def markers_of(facts: Facts, look: Look) -> Iterator[Variable]:
    """What says where something of the game or of a player stands, if anywhere."""
    places = {owner.domain.name for v in facts.shown for owner in v.owners if v.element is not None} - {PLAYER}
    for variable in facts.shown:
        domain = domain_of(variable.type)
        if variable.kind != "value" or domain is None or look.says(variable.name, "hidden"):
            continue
        owners = [owner.domain.name for owner in variable.owners]
        figure = domain.name in places | facts.stages and owners in ([], [PLAYER])
        if figure and isinstance(variable.type, OptionalType):
            yield variable


def _heaped(
    make: Maker, domain: Domain, variable: Variable, positions: Sequence[tuple[int, Mapping[str, Any]]]
) -> Iterator[Standing]:
    """Pieces that are numbers, if they are pieces."""
    totals = {sum(values[variable.name].values()) for _, values in positions}
    if len(totals) == 1 and totals != {0}:
        label = make.look.label(variable.name)
        node = Node("token", "", "", label, look={"hue": "plain", "shape": "disc"})
        starts = [values[variable.name] for number, values in positions if number == 0]
        alike = starts[0].items() if all(each == starts[0] for each in starts) else ()
        start = [(address_of(domain.name, member), label) for member, number in alike for _ in range(number)]
        yield Standing(variable.name, label, {label: node}, Counter({label: totals.pop()}), start)


def _on_members(
    make: Maker,
    domain: Domain,
    variables: Sequence[Variable],
    positions: Sequence[tuple[int, Mapping[str, Any]]],
) -> Standing:
    squares = _Squares(make, domain, variables)
    starts: list[Mapping[str, str]] = []
    most_at_once, most_of_all = Counter[str](), 0
    for number, values in positions:
        pieces = squares.pieces(values)
        starts += [pieces] if number == 0 else []
        most_at_once |= Counter(pieces.values())
        most_of_all = max(most_of_all, len(pieces))
    first = Counter(starts[0].values())
    grown = [name for name in most_at_once if most_at_once[name] > first[name]]
    if most_of_all > first.total():
        most_at_once |= Counter(dict.fromkeys(grown, ceil(len(domain) / len(grown))))
    start = tuple(starts[0].items()) if all(each == starts[0] for each in starts) else ()
    return Standing(variables[0].name, make.look.label(domain.name), squares.nodes, most_at_once, start)


@attrs.define
class _Squares:
    """Finds the pieces that the values of members stand for. ``nodes``: by what they are called."""

    make: Maker
    domain: Domain
    variables: Sequence[Variable]
    nodes: dict[str, Node] = attrs.field(factory=dict)
    _known: dict[tuple[Any, ...], Node | None] = attrs.field(factory=dict)

    def pieces(self, values: Mapping[str, Any]) -> dict[str, str]:
        """What stands there, by the addresses of the members."""
        found: dict[str, str] = {}
        for member in self.domain.members:
            key = tuple(values[v.name][member] for v in self.variables)
            if key not in self._known:
                self._known[key] = self._piece(member, dict(zip(self.variables, key, strict=True)))
            node = self._known[key]
            if node is not None:
                self.nodes.setdefault(node.alt, node)
                found[address_of(self.domain.name, member)] = node.alt
        return found

    def _piece(self, member: str, values: dict[Variable, Any]) -> Node | None:
        """What stands there; a flag only where nothing else does, since it says how a piece lies."""
        owners = [value for v, value in values.items() if domain_of(v.type) == self.make.facts.domain(PLAYER)]
        if owners and all(value is None for value in owners):  # what must have a value says nothing there
            values = {v: value for v, value in values.items() if not isinstance(v.type, MemberType)}
        bare = {v: value for v, value in values.items() if not isinstance(v.type, FlagType)}
        for some in (bare, values):
            boards = Boards(Contents(self.make, Reader({v.name: {member: value} for v, value in some.items()})))
            for node in boards.pieces(self.domain, member):
                if node.kind == "token" and node.count == 1:
                    return node
        return None


def _positions(program: Program) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The values after so many choices, in a few random games."""
    from interpreter.loading import game_of

    game = game_of(program, "reference")
    for seed in range(1, _GAMES + 1):
        state, chance = game.start(seed), random.Random(seed)
        for number in range(_CHOICES):
            yield number, state.values()
            if state.over:
                break
            state.choose(chance.randrange(state.option_count))


# ---------------------------------------------------------------- what is no piece


@attrs.frozen
class Die:
    """A die of which there are ``count``. ``faces``: what people call them, nothing where they are numbers."""

    name: str
    label: str
    faces: tuple[str, ...]
    low: int
    high: int
    count: int = 0

    @property
    def detail(self) -> str:
        """Its faces in words."""
        return ", ".join(self.faces) or self.label


def dice_of(facts: Facts, look: Look) -> Iterator[Die]:
    """What is rolled among all members of an enum that are neither players nor pieces nor places, or among numbers."""
    program = facts.program
    other = {PLAYER, *facts.stages, *(d.name for v in facts.shown if (d := domain_of(v.element)) is not None)}
    found: dict[str, Die] = {}
    for node in walk(list(program.rules.values())):
        if not isinstance(node, Roll) or node.binds.condition is not None:
            continue
        rolled = Counter(die for bind in node.binds.binds if (die := _die(bind, other, look)) is not None)
        for die, number in rolled.items():
            before = found.get(die.name, die)
            found[die.name] = attrs.evolve(before, count=max(number, before.count))
    yield from found.values()


def _die(bind: Bind, other: Collection[str], look: Look) -> Die | None:
    match bind.domain:
        case Apply(op="members"):
            domain = domain_of(bind.type)
            if domain is None or domain.name in other:
                return None
            faces = tuple(look.label(f"{domain.name}~{member}") for member in domain.members)
            return Die(domain.name, look.label(domain.name), faces, 1, len(faces))
        case Apply(op="range", arguments=(Const(value=low), Const(value=high))):
            return Die(f"{low}..{high}", f"{low}–{high}", (), low, high)
    return None


_TRACK = 100
"""Fields of a track at most; who comes to its end goes round again."""


@attrs.frozen
class Number:
    """A number to keep count of, ``values`` at the start by whose it is; ``""`` where it is the game's.

    ``track``: what it can be, a hundred values at most; empty where not everybody sees it, or places have it.
    ``coins``: whether players keep it secret.
    """

    label: str
    values: Mapping[str, int]
    track: range = range(0)
    coins: bool = False


def kept_numbers(program: Program, look: Look, pieces: Collection[str]) -> Iterator[Number]:
    """The numbers that change and that are not ``pieces``."""
    from interpreter.loading import game_of

    facts = facts_of(program)
    start: Mapping[str, Any] = {}
    for variable in facts.shown:
        number = variable.kind == "value" and isinstance(variable.type, NumberType) and variable.name not in pieces
        changes = variable.name in facts.changed or variable.name == program.score
        if number and changes and not look.says(variable.name, "hidden"):
            start = start or game_of(program, "reference").start(1).values()
            told = cells(variable.name, start[variable.name], len(variable.owners))
            values = {_owned(variable, address, look): int(value) for address, value in told}
            coins = variable.seen_by == "owner" and [owner.domain.name for owner in variable.owners] == [PLAYER]
            yield Number(look.label(variable.name), values, _track(variable), coins)


def _track(variable: Variable) -> range:
    is_open = variable.seen_by == "all" and [owner.domain.name for owner in variable.owners] in ([], [PLAYER])
    if not is_open or not isinstance(variable.type, NumberType):
        return range(0)
    low = max(variable.type.low, -10)
    return range(low, min(variable.type.high, low + _TRACK - 1) + 1)


def _owned(variable: Variable, address: str, look: Look) -> str:
    """Whose a cell is, in words; nothing where it is the game's."""
    names = address.partition("[")[2].rstrip("]").split(", ")
    return ", ".join(look.label(f"{o.domain.name}~{name}") for o, name in zip(variable.owners, names, strict=False))
