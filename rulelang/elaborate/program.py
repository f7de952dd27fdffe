"""The stage that makes a Program: one number of players, one choice of settings."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from .. import program as ir
from ..diagnostics import Sink, did_you_mean
from ..files.folder import GameFiles
from ..link import Linked
from ..syntax import tree
from ..types import FLAG, Domain, NumberType
from ..words import WORDS
from .declarations import params
from .environment import MAX_NUMBER, Environment
from .expressions import Expressions
from .laid import add_sides
from .scope import Frame, Scope
from .statements import Rules, score_variable
from .tables import elaborate_table, mark_stand_ins, row_names


def elaborate(
    linked: Linked,
    files: GameFiles,
    players: int,
    settings: Mapping[str, str],
    sink: Sink,
    seats: Sequence[str] | None = None,
    every_setting: bool = False,
) -> tuple[ir.Program, Environment]:
    """The Program for ``players`` players. With findings of severity error in ``sink`` it must not be run.

    ``seats``: other names for the players, in seat order. ``settings``: values of options and readings.
    ``every_setting``: make a Program for the checks only, in which options and readings have no value yet.
    """
    env = Environment(linked, files, players, dict(settings), sink, every_setting=every_setting)
    _settings(env)
    _seats(env, seats)
    _domains(env)
    for name, declared in linked.names.items():
        match declared:
            case tree.Number():
                env.number(name)
            case tree.Variable():
                env.variable(name)
            case tree.Event():
                scope = Expressions(env, Scope(Frame()))
                types = tuple(p.type for p in params(env, scope, declared.params, None))
                env.events[name] = ir.Event(name, types, span=declared.span)
    for name, declared in linked.names.items():
        match declared:
            case tree.Define():
                env.definition(name)
            case tree.Graph():
                env.graph(name)
    rules = Rules(env)
    rules.run()
    _start(env, rules)
    program = ir.Program(
        linked.game.name,
        linked.game.title or linked.game.name,
        players,
        linked.game.low,
        linked.game.high,
        env.seats,
        linked.game.languages,
        _version(linked, files, players, settings),
        linked.variants,
        env.domains,
        env.grids,
        env.tables,
        env.numbers,
        env.settings,
        {n: v for n, v in env.variables.items() if v is not None},
        {n: d for n, d in env.definitions.items() if d is not None},
        {n: g for n, g in env.graphs.items() if g is not None},
        env.events,
        rules.made,
        {event: tuple(ids) for event, ids in rules.handlers.items()},
        tuple(rules.watchers),
        _ranks(env),
        _invariants(env),
        score_variable(env),
        ranges=env.ranges,
    )
    return program, env


def _settings(env: Environment) -> None:
    for name, declared in env.linked.names.items():
        if not isinstance(declared, tree.Setting):
            continue
        span = declared.span
        if declared.default not in declared.values:
            env.sink.error(
                "R0401",
                span,
                f"`{declared.default}` is no value of `{name}`.",
                help=did_you_mean(declared.default, declared.values) or f"Its values are {', '.join(declared.values)}.",
            )
        if len(set(declared.values)) < len(declared.values) or len(declared.values) < 2:
            env.sink.error("R0303", span, f"`{name}` needs two or more different values.")
        if declared.kind == "reading" and declared.because is None:
            env.sink.error("R0413", span, f"The reading `{name}` does not say why.", help='Add `because "..."`.')
        value = env.chosen.get(name, declared.default)
        domain = Domain(name, declared.values)
        if set(declared.values) != {"yes", "no"}:
            for position, member in enumerate(declared.values):
                env.members.setdefault(member, []).append((domain, position))
        if value not in declared.values:
            value = declared.values[0]
        env.settings[name] = ir.Setting(declared.kind, domain, value, declared.default, declared.because, span=span)


def _seats(env: Environment, seats: Sequence[str] | None) -> None:
    named = tuple(seats) if seats is not None else env.linked.game.seats[: env.players]
    if len(named) < env.players:
        if named:
            env.sink.error(
                "R0307",
                env.linked.game.span,
                f"`seats` names {len(named)} players, but {env.players} can play.",
                help="Name as many seats as players can play.",
            )
        named = tuple(f"player_{n}" for n in range(1, env.players + 1))
    env.seats = named
    env.add_domain(Domain("Player", named, ring=True))


def _domains(env: Environment) -> None:
    for name, declared in env.linked.names.items():
        if isinstance(declared, tree.Enum):
            _duplicates(env, declared)
            env.add_domain(Domain(name, tuple(dict.fromkeys(declared.members)), declared.ring))
    add_sides(env)
    for name, declared in env.linked.names.items():
        if isinstance(declared, tree.Range):
            type_ = env.range_type(declared.low, declared.high, declared.span)
            env.ranges[name] = (
                NumberType(type_.low, type_.high, name) if isinstance(type_, NumberType) else NumberType(0, 0, name)
            )
    for declared in env.linked.names.values():
        if isinstance(declared, tree.Grid):
            _grid(env, declared)
    rows = {}
    for name, declared in env.linked.names.items():
        if isinstance(declared, tree.Table):
            rows[name] = row_names(env, declared)
            env.add_domain(Domain(name, tuple(r.name for r in rows[name]), declared.ring))
    for name, declared in env.linked.names.items():
        if isinstance(declared, tree.Table):
            env.tables[name] = elaborate_table(env, declared, rows[name])
    for name, declared in env.linked.names.items():
        if isinstance(declared, tree.Table):
            env.tables[name] = mark_stand_ins(env, declared, env.tables[name])


def _grid(env: Environment, declared: tree.Grid) -> None:
    """A board: its cells are called a1, b1, ...; the directions come with the first board."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    size = NumberType(1, len(letters))
    width, height = env.constant(declared.width, size), env.constant(declared.height, size)
    if width is None or height is None:
        width = height = 1
    if ir.DIRECTIONS.name not in env.domains and ir.DIRECTIONS.name not in env.linked.names:
        env.add_domain(ir.DIRECTIONS)
    cells = [(x, y) for y in range(1, height + 1) for x in range(1, width + 1)]
    domain = Domain(declared.name, tuple(f"{letters[x - 1]}{y}" for x, y in cells))
    env.add_domain(domain)
    env.grids[declared.name] = ir.Grid(domain, width, height, span=declared.span)
    env.tables[declared.name] = ir.Table(
        domain,
        {"column": NumberType(1, width), "row": NumberType(1, height)},
        {"column": tuple(x for x, _ in cells), "row": tuple(y for _, y in cells)},
        span=declared.span,
    )


def _duplicates(env: Environment, declared: tree.Enum) -> None:
    seen: set[str] = set()
    for member in declared.members:
        if member in WORDS:
            env.sink.error(
                "R0205", declared.span, f"`{member}` is a word of the language.", help="Choose another name."
            )
        if member in seen:
            env.sink.error("R0303", declared.span, f"`{declared.name}` lists `{member}` twice.", help="Leave one out.")
        seen.add(member)


def _ranks(env: Environment) -> tuple[ir.Rank, ...]:
    winner = env.linked.winner
    if winner is None:
        return ()
    ranks = []
    for rank in winner.ranks:
        scope = Scope(Frame())
        slot = scope.declare("p", env.player)
        value = Expressions(env, scope).value(rank.value, NumberType(-MAX_NUMBER, MAX_NUMBER))
        ranks.append(ir.Rank(rank.word == "most", slot, value, scope.frame.size, span=rank.span))
    return tuple(ranks)


def _invariants(env: Environment) -> tuple[ir.Invariant, ...]:
    made = []
    for invariant in env.linked.invariants.values():
        scope = Scope(Frame())
        condition = Expressions(env, scope, invariant.id).value(invariant.condition, FLAG)
        made.append(ir.Invariant(invariant.id, condition, scope.frame.size, span=invariant.span))
    return tuple(made)


def _start(env: Environment, rules: Rules) -> None:
    start = rules.made.get("play")
    if start is None:
        if "play" not in env.linked.words:
            env.sink.error(
                "R0414",
                env.linked.game.span,
                "Nothing says how the game is played.",
                help="Write a rule called `play`; the game begins and ends with it.",
            )
    elif start.params:
        env.sink.error("R0403", start.span, "`play` has no parameters.")


def _version(linked: Linked, files: GameFiles, players: int, settings: Mapping[str, str]) -> str:
    """A hash of everything that makes the game what it is."""
    digest = hashlib.sha256()
    for name in sorted(files.sources):
        if name.endswith(".md"):  # rulebook texts; rows of tables may be in files of any name
            continue
        digest.update(files.sources[name].text.encode())
    digest.update(repr((linked.variants, players, sorted(settings.items()))).encode())
    return digest.hexdigest()[:16]
