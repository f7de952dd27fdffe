"""Facts that declarations tell of how a game could be drawn, worked out once for each Program."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import pairwise
from typing import Any

import attrs

from rulelang.program import Binds, Edge, Graph, Program, Table, Variable
from rulelang.program.analysis.effects import reads_state
from rulelang.program.analysis.static_values import changed_in_force
from rulelang.program.nodes import SIDES, Apply, Call, ColumnOf, Const, Do, Expr, Grid, Local, Node, Read
from rulelang.program.walk import conjuncts, free_slots, walk
from rulelang.types import Domain, FlagType, MemberType, OptionalType, PiecesType, SetType, Type

Pairs = tuple[tuple[int, int], ...]

_PASSES = 200_000
"""Passes of loops that may be made for the links of one graph."""
_MOST = 8
"""Links for each member that can still be seen."""


def links_of(program: Program, domain: Domain) -> Pairs:
    """The pairs of members that an edge of some graph may ever join, each once, the smaller number first.

    What depends on the position is taken to hold; an edge that leads here in one position and there in another is left
    out. Nothing for graphs that take too long to work out, or whose links are too many to be seen.
    """
    from interpreter.evaluation.meter import METER, Undefined
    from rulelang.limits import standard

    found: set[tuple[int, int]] = set()
    for graph in program.graphs.values():
        if isinstance(graph.node_type, MemberType) and graph.node_type.domain == domain:
            try:
                with METER.counting(standard(), _PASSES):
                    found.update(_pairs(program, graph))
            except Undefined:
                return ()
    return tuple(sorted(found)) if len(found) <= _MOST * len(domain) else ()


def _pairs(program: Program, graph: Graph) -> Iterator[tuple[int, int]]:
    from interpreter.evaluation.compiler import Compiler
    from interpreter.evaluation.graph_source import is_fixed
    from interpreter.lowered.cells import Layout

    fixed = _without_positions(program, graph)
    if not fixed.edges or not is_fixed(program, fixed):
        return
    compiler = Compiler(program, Layout.of(program), _never)
    for edge in fixed.edges:
        inner = edge.binds or Binds(())
        both = [*conjuncts(fixed.nodes.condition), *conjuncts(inner.condition)]
        binds = (*fixed.nodes.binds, *inner.binds)
        combinations, target = compiler.combos(Binds(binds), both), compiler.expr(edge.target)
        frame = [None] * graph.frame
        for values in combinations([], frame):
            for bind, value in zip(binds, values, strict=True):
                frame[bind.slot] = value
            other = target([], frame)
            if other is not None and other != values[0]:
                yield min(values[0], other), max(values[0], other)


def _never(*given: object) -> list[object]:
    raise AssertionError("nothing is supposed in an edge that reads no position")


def _both(a: Expr, b: Expr) -> Expr:
    return Apply("and", (a, b), FlagType(), span=a.span)


def _without_positions(program: Program, graph: Graph) -> Graph:
    """The graph as it would be if all conditions held that read a position or a parameter."""
    given = {param.slot for param in graph.params}

    def changes(*parts: Expr | Binds) -> bool:
        return bool(free_slots(parts) & given) or reads_state(program, parts)

    def stays(binds: Binds) -> Binds:
        kept = [part for part in conjuncts(binds.condition) if not changes(part)]
        return attrs.evolve(binds, condition=reduce(_both, kept) if kept else None)

    edges: list[Edge] = []
    for edge in graph.edges:
        binds = stays(edge.binds) if edge.binds is not None else None
        if not changes(edge.target, *(bind.domain for bind in binds.binds) if binds is not None else ()):
            edges.append(attrs.evolve(edge, binds=binds, length=None))
    return attrs.evolve(graph, nodes=stays(graph.nodes), edges=tuple(edges))


PLAYER = "Player"
_MAPPED = 150
"""Members of a graph that nobody has given places are drawn as a map up to so many."""
_RARE = 4
"""A value is rare when at most one in so many rows has it."""
_SQUARE = re.compile(r"([a-z])([1-9][0-9]?)")


def domain_of(type_: Type | None) -> Domain | None:
    """The domain whose members a type holds, wrapped or not."""
    match type_:
        case MemberType(domain):
            return domain
        case OptionalType(item) | SetType(item):
            return domain_of(item)
        case PiecesType(kind):
            return domain_of(kind)
    return None


def has_to_be(variable: Variable, value: Any) -> bool:
    """Whether a value of plain data only stands there because the variable must have one: the member it begins with.

    Where nobody's piece lies, this says nothing of what kind of piece it is.
    """
    if not isinstance(variable.type, MemberType) or variable.initial is not None:
        return False
    return bool(value == variable.type.domain.members[0])


_KEPT = 32
_known: dict[int, Facts] = {}


def facts_of(program: Program) -> Facts:
    """The facts of a Program, remembered for those used last."""
    found = _known.pop(id(program), None)
    if found is None or found.program is not program:
        found = Facts(program)
    _known[id(program)] = found  # the last used comes last; the facts keep the Program, and so its number
    while len(_known) > _KEPT:
        del _known[next(iter(_known))]
    return found


@attrs.frozen
class TilePart:
    """A part of a tile: a region of terrain, or a road (``terrain`` None).

    ``sides``: those it reaches, from 0 for north, clockwise. ``things``: domain, member and number of what is on it.
    """

    terrain: tuple[str, str] | None
    sides: tuple[int, ...]
    things: tuple[tuple[str, str, int], ...] = ()


@attrs.define(eq=False)
class Facts:
    """What follows from the declarations alone."""

    program: Program
    texts: dict[tuple[str | None, str, tuple[str, ...]], tuple[Node, ...]] = attrs.field(factory=dict, init=False)
    """The nodes of the texts that ask for options, see ``aim.text_of``."""
    _stale: dict[tuple[str, str], bool] = attrs.field(factory=dict, init=False)

    # ------------------------------------------------------------ columns

    @functools.cached_property
    def columns_read(self) -> frozenset[tuple[str, str]]:
        """Table and column of each column that a rule, a definition, a graph, a rank or an invariant looks at."""
        found: set[tuple[str, str]] = set()
        p = self.program
        roots: list[Node] = [*p.rules.values(), *p.definitions.values(), *p.graphs.values(), *p.ranks]
        roots += p.invariants
        for node in walk(roots):
            if isinstance(node, ColumnOf):
                found.add((node.table, node.column))
        return frozenset(found)

    def columns(self, domain: Domain) -> list[tuple[str, Type]]:
        """The columns of a domain's table that are worth drawing, in the order of the table."""
        return self._columns[domain.name]

    @functools.cached_property
    def _columns(self) -> dict[str, list[tuple[str, Type]]]:
        return {domain.name: self._columns_of(domain) for domain in self.program.domains.values()}

    def _columns_of(self, domain: Domain) -> list[tuple[str, Type]]:
        table = self.program.tables.get(domain.name)
        if table is None or domain.name in self.program.grids or domain.first is not None:
            return []
        return [
            (name, type_)
            for i, (name, type_) in enumerate(table.types.items())
            if (i < table.parts or (domain.name, name) in self.columns_read) and name not in table.rules
        ]

    def cell(self, domain: Domain, column: str, member: int) -> Any:
        """The value of a column in the row of a member."""
        return self.program.tables[domain.name].cells[column][member]

    def is_rare(self, table: Table, column: str, value: object) -> bool:
        """Whether few rows have this value."""
        counts = self._frequencies[table.domain.name, column]
        return _RARE * counts[_hashable(value)] <= len(table.domain)

    def is_usual(self, table: Table, column: str, value: object) -> bool:
        """Whether no other value of the column is more frequent; of yes and no, whether it is the more frequent one."""
        counts = self._frequencies[table.domain.name, column]
        if isinstance(value, bool):
            return counts[value] > counts[not value]
        return counts[_hashable(value)] == max(counts.values())

    @functools.cached_property
    def _frequencies(self) -> dict[tuple[str, str], Counter[object]]:
        return {
            (name, column): Counter(map(_hashable, cells))
            for name, table in self.program.tables.items()
            for column, cells in table.cells.items()
        }

    # ------------------------------------------------------------ variables

    @functools.cached_property
    def shown(self) -> tuple[Variable, ...]:
        """The variables that people look at."""
        variables = self.program.variables.values()
        return tuple(v for v in variables if not (v.bookkeeping or v.history or v.shows is not None))

    @functools.cached_property
    def changed(self) -> frozenset[str]:
        """The names of variables that can ever change under the settings in force."""
        return changed_in_force(self.program)

    def owned(self, *domains: str) -> list[Variable]:
        """The variables with exactly these owners, in this order."""
        return [v for v in self.shown if tuple(o.domain.name for o in v.owners) == domains]

    def domain(self, name: str) -> Domain:
        """A domain by its name."""
        return self.program.domains[name]

    # ------------------------------------------------------------ boards

    @functools.cached_property
    def rings(self) -> tuple[Domain, ...]:
        """Rings and tracks that keep something, or on which something stands: paths of fields."""
        return tuple(
            d
            for d in self.program.domains.values()
            if ((d.ring and len(d) > 4) or d.first is not None) and d.name != PLAYER and self._is_place(d)
        )

    @functools.cached_property
    def boards(self) -> tuple[Domain, ...]:
        """Boards of squares or hexagonal cells, and domains whose members are named like squares."""
        return tuple(
            d
            for d in self.program.domains.values()
            if d not in self.rings
            and (d.name in self.program.grids or _named_like_squares(d.members))
            and self._is_place(d)
        )

    @functools.cached_property
    def networks(self) -> dict[str, tuple[tuple[int, int], ...]]:
        """Domains that are the nodes of a map, with the links between them.

        Links are the rows of a table with two columns of one other domain where that keeps something, or where the
        table does and a graph goes along it; so are those of a table of nothing but lines of members, and the edges of
        graphs. Points that are named like squares are a map without any.
        """
        drawn = {domain.name for domain in (*self.rings, *self.boards)} | {PLAYER}
        found: dict[str, tuple[tuple[int, int], ...]] = {}
        for table, columns, domain in self._lines:
            if table.domain.name not in drawn and domain.name not in drawn and len(domain) > 2:
                lines = zip(*(table.cells[column] for column in columns), strict=True)
                pairs = tuple((a, b) for line in lines for a, b in pairwise(line) if a != b)
                found[domain.name] = (*found.get(domain.name, ()), *pairs)
        for domain in self.program.domains.values():
            spots = spots_of(domain.members) is not None
            if domain.name in (*drawn, *found) or len(domain) <= 2 or not self._is_place(domain):
                continue
            links = links_of(self.program, domain) if len(domain) <= _MAPPED or spots else ()
            if links or spots:
                found[domain.name] = links
        return found

    @functools.cached_property
    def _lines(self) -> list[tuple[Table, list[str], Domain]]:
        """Tables that join members of another domain, with the columns that name them."""
        found = []
        for table in self.program.tables.values():
            ends: dict[str, list[str]] = {}
            for column, type_ in table.types.items():
                if isinstance(type_, MemberType) and type_.domain.name != table.domain.name:
                    ends.setdefault(type_.domain.name, []).append(column)
            for name, columns in ends.items():
                domain = self.program.domains.get(name)
                bare = len(columns) > 2 and len(columns) == len(table.types)
                if domain is not None and (bare or len(columns) == 2):
                    if self._is_place(domain) or (len(columns) == 2 and self._is_walked(table, columns)):
                        found.append((table, columns, domain))
        return found

    def _is_walked(self, table: Table, columns: Sequence[str]) -> bool:
        """Whether a table keeps something, and the edges of a graph lead from one of two columns to the other."""
        reads = ((n.table, n.column) for graph in self.program.graphs.values() for n in walk(graph)
                 if isinstance(n, ColumnOf))  # fmt: skip
        return self._is_place(table.domain) and {(table.domain.name, column) for column in columns} <= set(reads)

    @functools.cached_property
    def routes(self) -> dict[str, tuple[Table, tuple[str, str]]]:
        """By the nodes of a map, the table whose rows are its links and keep something, and the columns of the ends."""
        return {
            domain.name: (table, (columns[0], columns[1]))
            for table, columns, domain in self._lines
            if len(columns) == 2 and domain.name in self.networks and self._is_place(table.domain)
        }

    def leans(self, domain: Domain) -> int:
        """1 or -1 where squares have six neighbours, as hexagonal cells that lean to the right or the left; else 0."""
        grid = self.grid(domain)
        if grid is not None and grid.shape != "squares":
            return grid.lean
        return self._leaning.get(domain.name, 0)

    @functools.cached_property
    def _leaning(self) -> dict[str, int]:
        found = {}
        for domain in self.boards:
            grid = self.grid(domain)
            cells = grid.cells if grid is not None else spots_of(domain.members) or ()
            steps = {(cells[b][0] - cells[a][0], cells[b][1] - cells[a][1]) for a, b in links_of(self.program, domain)}
            ways = {max(step, (-step[0], -step[1])) for step in steps}
            if ways in ({(1, 0), (0, 1), (1, -1)}, {(1, 0), (0, 1), (1, 1)}):
                found[domain.name] = 1 if (1, -1) in ways else -1
        return found

    def is_stale(self, variable: Variable, owner: Variable) -> bool:
        """Whether a value means nothing where its ``owner`` is none: rules look at the one only where they ask whether
        somebody is the other."""
        return self._stale.setdefault((variable.name, owner.name), _always_together(self.program, variable, owner))

    def _is_place(self, domain: Domain) -> bool:
        return bool(self.owned(domain.name)) or bool(self.markers(domain))

    def markers(self, domain: Domain) -> list[Variable]:
        """Variables of the game or of a player whose value is a member of the domain."""
        return [
            v
            for v in self.shown
            if v.kind == "value"
            and domain_of(v.type) == domain
            and len(v.owners) <= 1
            and not any(owner.domain == domain for owner in v.owners)
        ]

    @functools.cached_property
    def stages(self) -> frozenset[str]:
        """The names of all domains that are drawn as boards of some kind."""
        routes = {table.domain.name for table, _ in self.routes.values()}
        return frozenset({d.name for d in (*self.rings, *self.boards)} | self.networks.keys() | routes)

    def grid(self, domain: Domain) -> Grid | None:
        """The grid of a domain that was declared as one."""
        return self.program.grids.get(domain.name)

    def bands(self, ring: Domain) -> dict[str, Domain]:
        """Columns of a ring's table whose equal values lie side by side, with the domain of each."""
        return self._bands[ring.name]

    @functools.cached_property
    def _bands(self) -> dict[str, dict[str, Domain]]:
        return {domain.name: self._bands_of(domain) for domain in self.program.domains.values()}

    def _bands_of(self, ring: Domain) -> dict[str, Domain]:
        found: dict[str, Domain] = {}
        table = self.program.tables.get(ring.name)
        for column, type_ in self.columns(ring):
            domain = domain_of(type_)
            if table is not None and isinstance(type_, MemberType) and domain is not None and len(domain) > 1:
                cells = table.cells[column]
                starts = sum(cells[i] != cells[i - 1] for i in range(len(cells)))
                if starts == len(set(cells)) and starts < len(cells):
                    found[column] = domain
        return found

    # ------------------------------------------------------------ tiles and cards

    @functools.cached_property
    def tiles(self) -> dict[str, tuple[tuple[TilePart, ...], ...]]:
        """Domains whose members are tiles, with the parts of each, from the tables that point at them."""
        found: dict[str, list[list[TilePart]]] = {}
        for table in self.program.tables.values():
            for domain, parts in self._parts_in(table):
                of = found.setdefault(domain.name, [[] for _ in domain.members])
                for row, part in parts:
                    of[row].append(part)
        return {name: tuple(map(tuple, parts)) for name, parts in found.items()}

    def _parts_in(self, table: Table) -> Iterator[tuple[Domain, list[tuple[int, TilePart]]]]:
        """The tiles a table points at, and its rows as parts of them."""
        of = next((c for c, t in table.types.items() if isinstance(t, MemberType) and t.domain != table.domain), None)
        reach = next((c for c, t in table.types.items() if isinstance(t, SetType) and domain_of(t) == SIDES), None)
        if reach is None or of is None:
            return
        pointed = table.types[of]
        assert isinstance(pointed, MemberType)
        rest = [(c, t) for c, t in table.types.items() if c not in (of, reach)]
        terrain = next((c for c, t in rest if isinstance(t, MemberType)), None)
        rows = []
        for row in range(len(table.domain)):
            land = None
            if terrain is not None:
                type_ = table.types[terrain]
                assert isinstance(type_, MemberType)
                land = (type_.domain.name, type_.domain.members[table.cells[terrain][row]])
            things = tuple(self._things(table, [(c, t) for c, t in rest if c != terrain], row))
            rows.append((table.cells[of][row], TilePart(land, tuple(sorted(table.cells[reach][row])), things)))
        yield pointed.domain, rows

    def _things(self, table: Table, columns: Sequence[tuple[str, Type]], row: int) -> Iterator[tuple[str, str, int]]:
        for column, type_ in columns:
            domain, value = domain_of(type_), table.cells[column][row]
            if domain is None or value is None:
                continue
            if isinstance(type_, PiecesType):
                yield from ((domain.name, domain.members[k], n) for k, n in enumerate(value) if n)
            elif isinstance(type_, (MemberType, OptionalType)):
                yield domain.name, domain.members[value], 1

    def is_card(self, domain: Domain) -> bool:
        """Whether the members of a domain have a face to draw: columns worth drawing, and no board made of them."""
        return bool(self.columns(domain)) and domain.name not in self.stages

    def place_of(self, domain: Domain) -> int:
        """The place of a domain among those of the game, so that not all begin with the same colour."""
        return self._places.get(domain.name, 0)

    @functools.cached_property
    def _places(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.program.domains)}

    # ------------------------------------------------------------ short names

    @functools.cached_property
    def initials(self) -> dict[str, dict[str, str]]:
        """For each small domain the shortest letters that tell its members apart."""
        return {d.name: initials(d.members) for d in self.program.domains.values() if len(d) <= 40}


def _hashable(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


@attrs.define
class _Looks:
    """A rule or definition, with those nested in it: the slots of whose members it reads the one variable, those of
    whose members it asks whether somebody is the other, the parameters, and the calls, with the slots handed over."""

    reads: set[int | None] = attrs.field(factory=set)
    asks: set[int | None] = attrs.field(factory=set)
    params: list[int] = attrs.field(factory=list)
    calls: list[tuple[str, dict[int, int | None]]] = attrs.field(factory=list)

    def see(self, node: Node, variable: Variable, owner: Variable) -> None:
        match node:
            case Read(name, (index,)) if name == variable.name:
                self.reads.add(_slot(index))
            case Apply("is" | "is_not" as op, (Read(name, (index,)), other)) if name == owner.name:
                if (op == "is_not") == (isinstance(other, Const) and other.value is None):
                    self.asks.add(_slot(index))
            case Call(name, arguments) | Do(name, arguments):
                self.calls.append((name, dict(enumerate(map(_slot, arguments)))))


def _slot(node: Node) -> int | None:
    return node.slot if isinstance(node, Local) else None


def _always_together(program: Program, variable: Variable, owner: Variable) -> bool:
    """See ``Facts.is_stale``; every read is of the member of a name, which is asked for its owner as well, there or in
    what it is handed to or comes from."""
    units: dict[str, _Looks] = {}
    rules = ((_outermost(program, name), rule) for name, rule in program.rules.items())
    for name, text in (*rules, *program.definitions.items(), *program.graphs.items()):
        looks = units.setdefault(name, _Looks())
        looks.params += [param.slot for param in getattr(text, "params", ())]
        for node in walk(text):
            looks.see(node, variable, owner)
    calls = [(unit, units[name], handed) for unit in units.values() for name, handed in unit.calls]
    for _ in units:  # what a definition asks, it asks of what it is handed
        for unit, called, handed in calls:
            unit.asks |= {handed.get(number) for number, one in enumerate(called.params) if one in called.asks}
    alone = [(unit, one) for unit in units.values() for one in unit.reads]
    return bool(alone) and _are_asked(alone, calls)


def _are_asked(
    alone: list[tuple[_Looks, int | None]], calls: Sequence[tuple[_Looks, _Looks, dict[int, int | None]]]
) -> bool:
    """Whether all that is read is asked for its owner, where it is read or by whoever hands it over."""
    for unit, one in alone:
        if one is not None and one in unit.asks:
            continue
        if one is None or one not in unit.params:
            return False
        froms = [(caller, handed.get(unit.params.index(one))) for caller, called, handed in calls if called is unit]
        alone += [each for each in froms if each not in alone]
    return True


def _outermost(program: Program, rule: str) -> str:
    parent = program.rules[rule].parent
    return rule if parent is None else _outermost(program, parent)


def _named_like_squares(members: Sequence[str]) -> bool:
    """Whether all names are a letter and a number, and fill at least half of a board."""
    spots = spots_of(members)
    if spots is None:
        return False
    files, ranks = {x for x, _ in spots}, {y for _, y in spots}
    return 2 * len(spots) >= len(files) * len(ranks)


def spots_of(members: Sequence[str]) -> list[tuple[int, int]] | None:
    """Column and row, from 0, of members named like squares, in at least two columns and two rows; None for others."""
    if len(members) < 4 or not all(map(_SQUARE.fullmatch, members)):
        return None
    spots = [file_and_rank(name) for name in members]
    return spots if min(len({x for x, _ in spots}), len({y for _, y in spots})) >= 2 else None


def file_and_rank(name: str) -> tuple[int, int]:
    """Column and row, from 0, of a member that is named like a square."""
    match = _SQUARE.fullmatch(name)
    assert match is not None
    return ord(match[1]) - ord("a"), int(match[2]) - 1


def initials(names: Sequence[str]) -> dict[str, str]:
    """The fewest letters, from the first on, that tell each name from the others; what all share in front is dropped.

    Names that only a number at their end tells apart are called by that.
    """
    common = names[0] if names else ""
    for name in names:
        while not name.startswith(common):
            common = common[:-1]
    cut = common.rfind("_") + 1 if len(names) > 1 else 0
    short: dict[str, str] = {}
    for name in names:
        rest = name[cut:] or name
        others = [other[cut:] or other for other in names if other != name]
        length = next((n for n in range(1, 4) if not any(o.startswith(rest[:n]) for o in others)), 0)
        short[name] = rest if rest.isdigit() else (rest[:length] or _letters(rest, others)).capitalize()
    taken = Counter(short.values())
    return {name: text if taken[text] == 1 else name.replace("_", " ") for name, text in short.items()}


def _letters(name: str, others: Sequence[str]) -> str:
    """Two signs for a name that begins like another: its first letter, and its number or where it first differs."""
    number = name[len(name.rstrip("0123456789")) :]
    alike = max((_shared(name, other) for other in others), default=0)
    return name[:1] + (number or name[alike : alike + 1])


def _shared(one: str, other: str) -> int:
    """How many letters two names have in common at their beginning."""
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
