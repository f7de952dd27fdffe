"""Program construction, for one number of players and one choice of settings."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterator, Mapping, Sequence

import attrs

from .. import program as ir
from ..diagnostics import Diagnostic, Sink, did_you_mean
from ..files.folder import GameFiles
from ..fixes import Below, Fix, Help
from ..link import Linked
from ..source import SourceFile
from ..syntax import tree
from ..traces import Recall, TraceMemory
from ..types import FLAG, Domain, NumberType
from ..words import WINNERS, WORDS
from . import rule_columns
from .board_functions import add_sides
from .environment import MAX_NUMBER, Environment
from .expressions import Expressions
from .histories import memories
from .primaries import depth
from .scope import RuleSignature, Scope, SlotFrame, params
from .statements import Elaborator, told_openly
from .table_rows import MAX_ROWS, RawRow, elaborate_table, mark_stand_ins, row_names, with_product
from .teams import add_teams, is_out, score_variable


@attrs.define
class Rules:
    """Elaborates all rules of a game; ``made`` collects rules and options by id, in the order of the text."""

    env: Environment
    made: dict[str, ir.Rule] = attrs.field(factory=dict)
    aims: dict[str, ir.Definition] = attrs.field(factory=dict)
    handlers: dict[str, list[str]] = attrs.field(factory=dict)
    watchers: list[str] = attrs.field(factory=list)

    def signatures(self) -> None:
        """What others see of each rule, so that rules may call each other in any order."""
        env = self.env
        for id_, rule in env.linked.rules.items():
            source = (rule.id, rule.params, rule.triggers, rule.head)
            alone = Expressions(env, Scope(SlotFrame()), rule.id)
            make = functools.partial(self._signature, alone, rule)
            env.signatures.values_[id_] = env.remembered("signature of rule", id_, source, make)

    def run(self) -> None:
        env = self.env
        rules = env.linked.rules
        for id_, rule in rules.items():
            made, seen, aims = env.remembered("rule", id_, (rule,), functools.partial(self.top, rule))
            self.made |= made
            self.aims |= aims
            env.rules.values_.update(seen)
        for id_ in rules:
            rule_ = self.made[id_]
            if rule_.event is not None:
                self.handlers.setdefault(rule_.event, []).append(id_)
            if rule_.whenever is not None:
                self.watchers.append(id_)

    def _signature(self, e: Expressions, rule: tree.Rule) -> tuple[ir.Param, ...]:
        made = params(self.env, e, rule.params, rule.id)
        for trigger in rule.triggers:
            if trigger.word == "on":
                made += self._event_params(e, rule, trigger)
        return made

    def _event_params(self, e: Expressions, rule: tree.Rule, trigger: tree.Trigger) -> tuple[ir.Param, ...]:
        event = self.env.events.get(trigger.event or "")
        if event is None:
            self.env.unknown(trigger.event or "", trigger.span, "event", list(self.env.events), rule.id)
            return ()
        if rule.params:
            e.error(
                "R0403",
                rule.head,
                "A rule that waits for an event cannot have parameters.",
                f"Name the values of the event after it: `on {event.name}(...)`.",
            )
        names = trigger.names
        if len(names) not in (0, len(event.types)):
            e.error(
                "R0403",
                trigger.span,
                f"`{event.name}` brings {len(event.types)} values, but {len(names)} are named here.",
                "Name each of them, or none.",
            )
            return ()
        return tuple(
            ir.Param(name, e.declare(name, type_, trigger.span, param=True), type_)
            for name, type_ in zip(names, event.types, strict=bool(names))
        )

    def top(self, rule: tree.Rule) -> tuple[dict[str, ir.Rule], dict[str, RuleSignature], dict[str, ir.Definition]]:
        """A rule with the rules and options inside it, by id; what examples see of them; what their aims come to."""
        scope = Scope(SlotFrame())
        e = Expressions(self.env, scope, rule.id)
        params = self._signature(e, rule)
        made: dict[str, ir.Rule] = {}
        block = Elaborator(made, e, rule.id)
        guard, whenever, event = block.triggers(rule, top=True)
        placeholder = ir.Rule(rule.id, "rule", params, guard, (), (), 0, openly=told_openly(rule), span=rule.head)
        made[rule.id] = placeholder
        needs, body = block.needs_and_body(rule.body)
        made[rule.id] = attrs.evolve(
            placeholder,
            needs=needs,
            body=body,
            frame=scope.frame.size,
            event=event,
            whenever=whenever,
            deep=depth(self.env, rule.deep, rule.id),
        )
        return made, {id_: _seen(rule) for id_, rule in made.items()}, block.aims


def _seen(rule: ir.Rule) -> RuleSignature:
    binds = tuple((bind.name, bind.type) for bind in rule.binds.binds) if rule.binds is not None else ()
    return RuleSignature(rule.kind, rule.params, rule.parent, binds)


@attrs.define
class Elaborated:
    """A Program with the environment it was made in. ``findings``: of its checks, once they were made."""

    program: ir.Program
    env: Environment
    findings: tuple[Diagnostic, ...] | None = None


def elaborate(
    linked: Linked,
    files: GameFiles,
    players: int,
    settings: Mapping[str, str],
    sink: Sink,
    seats: Sequence[str] | None = None,
    every_setting: bool = False,
    memory: TraceMemory | None = None,
) -> Elaborated:
    """The Program for ``players`` players. With findings of severity error in ``sink`` it must not be run.

    ``seats``: other names for the players, in seat order. ``settings``: the values of settings.
    ``every_setting``: make a Program for the checks only, in which settings have no value yet.
    ``memory``: of an earlier version of the same game, for the same players and whether every setting; the items that
    came out the same way then are used again.
    """
    env = Environment(linked, files, players, dict(settings), sink, (), every_setting, Recall(memory))
    _settings(env)
    _seats(env, seats)
    rows = _domains(env)
    for name, declared in linked.names.items():
        if isinstance(declared, tree.Event):
            make = functools.partial(_event, env, declared)
            env.events.values_[name] = env.remembered("event", name, (declared,), make)
    rules = Rules(env)
    rules.signatures()
    _rule_columns(env, rows)
    for name, declared in linked.names.items():
        match declared:
            case tree.Number():
                env.number(name)
            case tree.Variable() | tree.History():
                env.variable(name)
    for name, declared in linked.names.items():
        match declared:
            case tree.Define() | tree.History():
                env.definition(name)
            case tree.Graph():
                env.graph(name)
    for carried in linked.carried.values():
        _carry(env, carried)
    rules.run()
    _start(env, rules)
    program = _program(env, rules, version_of(files, env.tables_read, linked, players, settings))
    for name in program.variables.keys() & env.variables.keys():
        env.kept.values_[name] = env.variable(name)  # type: ignore[assignment]
    return Elaborated(program, env)


def _program(env: Environment, rules: Rules, version: str) -> ir.Program:
    """All that has been elaborated, as one."""
    linked = env.linked
    return ir.Program(
        linked.game.name,
        linked.game.title or linked.game.name,
        env.players,
        linked.game.low,
        linked.game.high,
        env.seats,
        linked.game.languages,
        version,
        linked.variants,
        env.domains.values_,
        env.grids.values_,
        env.tables.values_,
        env.numbers,
        env.settings.values_,
        {n: attrs.evolve(v, carried=n in linked.carried) for n, v in env.variables.items() if v is not None}
        | memories(env.variables, rules.made.values(), env.player),
        {n: d for n, d in env.definitions.items() if d is not None} | rules.aims,
        {n: g for n, g in env.graphs.items() if g is not None},
        env.events.values_,
        rules.made,
        {event: tuple(ids) for event, ids in rules.handlers.items()},
        tuple(rules.watchers),
        _ranks(env),
        _invariants(env),
        score_variable(env),
        ranges=env.ranges.values_,
    )


_NOT_CARRIED: dict[type, str] = {
    tree.Number: "is known before a game begins, and the same in each",
    tree.Setting: "is agreed by the people at the table, and stays as it was agreed",
    tree.History: "remembers positions of one game, which mean nothing in the next",
    tree.Define: "is worked out and kept nowhere",
    tree.Graph: "is worked out and kept nowhere",
}


def _carry(env: Environment, carried: tree.Name) -> None:
    """Reports what cannot be carried to the next game."""
    name, declared = carried.name, env.linked.names.get(carried.name)
    if declared is None and name not in env.domains and name not in env.rule_ids:
        known = [n for n, node in env.linked.names.items() if isinstance(node, tree.Variable)]
        env.unknown(name, carried.span, "place or value", known)
    elif not isinstance(declared, tree.Variable):
        why = _NOT_CARRIED.get(type(declared), "is the same in every game")
        help_ = "Carry places and values: what is kept in `the game has`, or below `each ... has`."
        env.sink.error("R0417", carried.span, f"`{name}` {why}.", help=help_)


def _event(env: Environment, declared: tree.Event) -> ir.Event:
    scope = Expressions(env, Scope(SlotFrame()))
    types = tuple(p.type for p in params(env, scope, declared.params, None))
    return ir.Event(declared.name, types, span=declared.span)


def _settings(env: Environment) -> None:
    for name, declared in env.linked.names.items():
        if not isinstance(declared, tree.Setting):
            continue
        span = declared.span
        if declared.default not in declared.values:
            env.sink.error(
                "R0401",
                span,
                f"`{declared.default}` is not a value of `{name}`.",
                help=did_you_mean(declared.default, declared.values) or f"Choose one of {', '.join(declared.values)}.",
            )
        if len(set(declared.values)) < len(declared.values) or len(declared.values) < 2:
            env.sink.error("R0303", span, f"`{name}` needs at least two different values.", help="Add a value.")
        if declared.kind == "reading" and declared.because is None:
            fix = Fix("Add a reason", (Below('because "..."', deeper=1, past="block"),))
            help_ = Help('Add `because "..."`.', (fix,))
            env.sink.error("R0413", span, f"The reading `{name}` gives no reason.", help=help_)
        value = env.chosen.get(name, declared.default)
        domain = Domain(name, declared.values)
        if set(declared.values) != {"yes", "no"}:
            env.add_members(domain)
        if value not in declared.values:
            value = declared.values[0]
        env.settings.values_[name] = ir.Setting(
            declared.kind, domain, value, declared.default, declared.because, span=span
        )


def _seats(env: Environment, seats: Sequence[str] | None) -> None:
    for name in (*env.linked.game.seats, *(team.name for team in env.linked.game.teams)):
        if name in WINNERS:
            span = env.linked.game.span
            env.sink.error("R0205", span, f"`{name}` is a word of the language.", help="Choose another name.")
    named = tuple(seats) if seats is not None else env.linked.game.seats[: env.players]
    if len(named) < env.players:
        if named:
            env.sink.error(
                "R0307",
                env.linked.game.span,
                f"`seats` names {len(named)} players, but up to {env.players} can play.",
                help="Name a seat for each of them.",
            )
        named = tuple(f"player_{n}" for n in range(1, env.players + 1))
    env.seats = named
    env.add_domain(Domain("Player", named, ring=True))


Rows = dict[str, tuple[tree.Table, tuple[RawRow, ...]]]
"""The tables as declared, products with their columns and rows, and their rows."""


def _domains(env: Environment) -> Rows:
    for name, declared in env.linked.names.items():
        if isinstance(declared, tree.Enum):
            _duplicates(env, declared)
            env.add_domain(Domain(name, tuple(dict.fromkeys(declared.members)), declared.ring))
    add_sides(env)
    add_teams(env)
    for name, declared in env.linked.names.items():
        if isinstance(declared, tree.Range):
            type_ = env.range_type(declared.low, declared.high, declared.span)
            env.ranges.values_[name] = (
                NumberType(type_.low, type_.high, name) if isinstance(type_, NumberType) else NumberType(0, 0, name)
            )
    for declared in env.linked.names.values():
        if isinstance(declared, tree.Grid):
            _track(env, declared) if declared.word == "track" else _grid(env, declared)
    return _tables(env, {name: node for name, node in env.linked.names.items() if isinstance(node, tree.Table)})


def _tables(env: Environment, declared: Mapping[str, tree.Table]) -> Rows:
    """Names of rows first: values, and conditions on them, may be rows of other tables."""
    rows: dict[str, tuple[RawRow, ...]] = {}
    made = dict(declared)
    waiting = [name for name, node in declared.items() if any(part in declared for part in node.parts)]
    for name in [*(name for name in declared if name not in waiting), *waiting]:  # products of tables come last
        node = made[name] = with_product(env, declared[name])
        rows[name] = env.remembered("rows", name, (node,), functools.partial(row_names, env, node))
        env.add_domain(Domain(name, tuple(r.name for r in rows[name]), node.ring))
    declared = made
    tables = env.tables.values_
    for name, node in sorted(declared.items(), key=lambda item: bool(item[1].parts)):  # products look at the others
        make = functools.partial(elaborate_table, env, node, rows[name])
        tables[name] = env.remembered("table", name, (node, rows[name]), make)
    for name in declared:
        tables[name] = tables.pop(name)  # in the order of the text
    for name, node in declared.items():
        make = functools.partial(mark_stand_ins, env, node, tables[name])
        tables[name] = env.remembered("stand-ins", name, (node, tables[name]), make)
    return {name: (node, rows[name]) for name, node in declared.items()}


def _rule_columns(env: Environment, rows: Rows) -> None:
    for name, (node, found) in rows.items():
        made = env.tables.values_[name]
        if made.rules:
            make = functools.partial(rule_columns.check, env, node, found, made)
            env.remembered("rule columns", name, (node, found, made), make)


def _grid(env: Environment, declared: tree.Grid) -> None:
    """A board: its cells are called a1, b1, ...; the directions come with the first board."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    size = NumberType(1, len(letters) if declared.height is not None else len(letters) // 2)
    width = env.constant(declared.width, size) or 1
    shape: ir.Shape = "squares" if declared.word == "grid" else "rhombus"
    if declared.height is not None:
        height = env.constant(declared.height, size) or 1
    else:
        width = height = 2 * width - 1
        shape = "hexagon"
    cells = ir.cells_of(shape, width, height)
    domain = Domain(declared.name, tuple(f"{letters[x]}{y + 1}" for x, y in cells))
    grid = ir.Grid(domain, width, height, shape, span=declared.span)
    if grid.directions.name not in env.domains and grid.directions.name not in env.declared:
        env.add_domain(grid.directions)
    env.add_domain(domain)
    env.grids.values_[declared.name] = grid
    env.tables.values_[declared.name] = ir.Table(
        domain,
        {"column": NumberType(1, width), "row": NumberType(1, height)},
        {"column": tuple(x + 1 for x, _ in cells), "row": tuple(y + 1 for _, y in cells)},
        span=declared.span,
    )


def _track(env: Environment, declared: tree.Grid) -> None:
    """Numbered fields: their names are that of the track in small letters with the number."""
    size, limits = declared.width, NumberType(0, MAX_ROWS)
    first = 1
    if isinstance(size, tree.Binary) and size.op == "..":
        first, size = env.constant(size.left, limits) or 0, size.right
    last = env.constant(size, NumberType(first, MAX_ROWS))
    numbers = range(first, (first if last is None else last) + 1)
    names = tuple(f"{declared.name.lower()}_{number}" for number in numbers)
    domain = Domain(declared.name, names, declared.ring, first)
    env.add_domain(domain)
    env.tables.values_[declared.name] = ir.Table(
        domain, {"number": NumberType(first, numbers[-1])}, {"number": tuple(numbers)}, span=declared.span
    )


def _duplicates(env: Environment, declared: tree.Enum) -> None:
    seen: set[str] = set()
    for member in declared.members:
        if member in WORDS:
            env.sink.error(
                "R0205", declared.span, f"`{member}` is a word of the language.", help="Choose another name."
            )
        if member in seen:
            env.sink.error(
                "R0303", declared.span, f"`{declared.name}` lists `{member}` twice.", help="Remove one of them."
            )
        seen.add(member)


def _ranks(env: Environment) -> tuple[ir.Rank, ...]:
    winner = env.linked.winner
    if winner is None:
        return ()
    return env.remembered("winner", "winner", (winner, env.linked.out), lambda: ranks_of(env, winner))


def ranks_of(env: Environment, winner: tree.Winner) -> tuple[ir.Rank, ...]:
    ranks = [*_in_first(env, winner)]
    for rank in winner.ranks:
        scope = Scope(SlotFrame())
        slot = scope.declare("p", env.player)
        value = Expressions(env, scope).value(rank.value, NumberType(-MAX_NUMBER, MAX_NUMBER))
        ranks.append(ir.Rank(rank.word == "most", slot, value, scope.frame.size, span=rank.span))
    return tuple(ranks)


def _in_first(env: Environment, winner: tree.Winner) -> Iterator[ir.Rank]:
    """Those who are out come behind the others."""
    scope = Scope(SlotFrame())
    slot = scope.declare("p", env.player)
    out = is_out(Expressions(env, scope), ir.Local(slot, "p", env.player, span=winner.span), winner.span)
    if out is not None:
        one, none = (ir.Const(n, NumberType(n, n), span=winner.span) for n in (1, 0))
        value = ir.If(out, one, none, NumberType(0, 1), span=winner.span)
        yield ir.Rank(False, slot, value, scope.frame.size, True, span=winner.span)


def _invariants(env: Environment) -> tuple[ir.Invariant, ...]:
    return tuple(
        env.remembered("invariant", id_, (invariant,), functools.partial(_invariant, env, invariant))
        for id_, invariant in env.linked.invariants.items()
    )


def _invariant(env: Environment, invariant: tree.Invariant) -> ir.Invariant:
    scope = Scope(SlotFrame())
    condition = Expressions(env, scope, invariant.id).value(invariant.condition, FLAG)
    return ir.Invariant(invariant.id, condition, scope.frame.size, span=invariant.span)


def _start(env: Environment, rules: Rules) -> None:
    start = rules.made.get("play")
    if start is None:
        if "play" not in env.linked.words:
            env.sink.error(
                "R0414",
                env.linked.game.span,
                "There is no rule `play`, so the game cannot start.",
                help=Help("Write `rule play`; the game starts and ends with it.", (_PLAY,)),
            )
    elif start.params:
        env.sink.error("R0403", start.span, "`play` cannot have parameters.", help="Write `rule play`.")


_PLAY = Fix("Write the rule `play`", (Below("rule play\n  end the game", past="item"),))


def version_of(
    files: GameFiles,
    tables: Mapping[tuple[str, str], SourceFile],
    linked: Linked,
    players: int,
    settings: Mapping[str, str],
) -> str:
    """A hash of everything that makes the game what it is: its rules files, and ``tables``, the files of rows read."""
    texts = {name: files.sources[name].text for name in files.paths if name in files.sources}
    texts |= {source.name: source.text for source in tables.values()}
    digest = hashlib.sha256()
    for name in sorted(texts):
        digest.update(texts[name].encode())
    digest.update(repr((linked.variants, players, sorted(settings.items()))).encode())
    return digest.hexdigest()[:16]
