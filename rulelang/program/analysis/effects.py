"""Effects of statements and rules: write, run others, bind names, ask somebody, end the game.

What rules do through one another is the least solution of equations between sets.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TypeVar, assert_never

from ...structural import Structural, frozen
from .. import nodes as ir
from ..walk import statements


@frozen
class Effect(Structural):
    """What a statement does by itself, without the statements and rules inside it.

    ``writes``: the variables it may change. ``calls``: the rules it runs by name or through an event. ``slots``: the
    slots it binds. ``asks``: somebody may have to decide. ``ends``: the game ends. ``watched``: a rule or an option
    ends, where the watchers are tested.
    """

    writes: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    slots: tuple[int, ...] = ()
    asks: bool = False
    ends: bool = False
    watched: bool = False


_NOTHING = Effect()


def effect(program: ir.Program, s: ir.Statement) -> Effect:
    """The effect of one statement."""
    match s:
        case ir.Nothing() | ir.Branch() | ir.Repeat() | ir.ChooseSome():
            return _NOTHING
        case ir.NamedRule() | ir.Stop():
            return Effect(watched=True)
        case ir.SetValue() | ir.Change():
            return Effect(writes=_shown_too(program, s.target.variable))
        case ir.Move():
            return Effect(writes=_shown_too(program, s.source.variable, s.target.variable))
        case ir.Shuffle():
            return Effect(writes=_shown_too(program, s.place.variable))
        case ir.Show():
            slots = () if s.seats is None else _bound(s.seats)
            return Effect(writes=_shown_too(program, s.place.variable)[1:], slots=slots)
        case ir.Score():
            return Effect(writes=() if program.score is None else _shown_too(program, program.score))
        case ir.Pay():
            return Effect(writes=_shown_too(program, s.source.variable, s.target.variable), asks=True)
        case ir.Menu():
            return Effect(asks=True, watched=True)
        case ir.Choose():
            return Effect(slots=_bound(s.binds), asks=True)
        case ir.Roll() | ir.IfThere() | ir.Each() | ir.Together():
            return Effect(slots=_bound(s.binds))
        case ir.Let() | ir.TakeTurns():
            return Effect(slots=(s.slot,))
        case ir.Do():
            return Effect(calls=(s.rule,))
        case ir.Announce():
            return Effect(calls=program.handlers.get(s.event, ()))
        case ir.EndGame() | ir.Wins():
            return Effect(ends=True)
        case _:
            assert_never(s)


def _shown_too(program: ir.Program, *names: str) -> tuple[str, ...]:
    """These variables, and those that remember what was shown of them."""
    return (*names, *(shown for shown in map(ir.shown_of, names) if shown in program.variables))


def _bound(binds: ir.Binds) -> tuple[int, ...]:
    return tuple(bind.slot for bind in binds.binds)


def is_chance(program: ir.Program, s: ir.Statement) -> bool:
    """Whether a statement leaves something to chance."""
    if isinstance(s, ir.Move):
        return program.variables[s.source.variable].kind == "bag" and s.what == "number"
    return isinstance(s, (ir.Roll, ir.Shuffle))


def effects_of(program: ir.Program, body: Iterable[ir.Statement]) -> list[Effect]:
    """The effects of all statements of a body and inside it, those of its nested rules and options included."""
    return [effect(program, s) for s in statements(program, tuple(body))]


def rule_writes(program: ir.Program, found: Mapping[str, Sequence[Effect]] | None = None) -> dict[str, frozenset[str]]:
    """By rule, the variables that running it may change, the watchers that run at its end included.

    ``found``: the effects of each rule, where they are known.
    """
    if found is None:
        found = {id_: effects_of(program, rule.body) for id_, rule in program.rules.items()}
    own = {id_: frozenset(name for e in effects for name in e.writes) for id_, effects in found.items()}
    writes = spread(own | _WATCHED, _calls(program, found))
    del writes[_WATCHING]
    return writes


_WATCHING = "whenever"
"""Stands for all watchers together among the rules that call one another; no rule can be called this."""

_WATCHED: dict[str, frozenset[str]] = {_WATCHING: frozenset()}


def _calls(program: ir.Program, found: Mapping[str, Sequence[Effect]]) -> dict[str, list[str]]:
    """By rule what it runs; every rule runs the watchers at its end."""
    calls = {id_: [*_called(effects), _WATCHING] for id_, effects in found.items()}
    return calls | {_WATCHING: list(program.watchers)}


def body_writes(
    program: ir.Program, body: Iterable[ir.Statement], writes: Mapping[str, frozenset[str]]
) -> frozenset[str]:
    """The variables that a body may change, by itself and through the rules it runs (whose ``writes`` are known)."""
    effects = effects_of(program, body)
    called = {*_called(effects), *(program.watchers if any(e.watched for e in effects) else ())}
    return frozenset(name for e in effects for name in e.writes).union(*(writes[c] for c in called))


def _called(effects: Iterable[Effect]) -> list[str]:
    return [rule for e in effects for rule in e.calls]


class Effects:
    """``asking`` and ``ending``: the rules and options in whose course somebody may decide, or the game may end.

    ``writes``: the variables that running each of them may change. Watchers count as run by every rule.
    """

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        found = {id_: effects_of(program, rule.body) for id_, rule in program.rules.items()}
        calls = _calls(program, found)
        self.asking = reaching({id_ for id_, effects in found.items() if any(e.asks for e in effects)}, calls)
        self.ending = reaching({id_ for id_, effects in found.items() if any(e.ends for e in effects)}, calls)
        self.writes = rule_writes(program)


# Least solutions of equations between sets, for programs whose parts depend on one another.


K = TypeVar("K")
V = TypeVar("V")


def least(
    start: Mapping[K, frozenset[V]], grow: Callable[[K, Mapping[K, frozenset[V]]], frozenset[V]]
) -> dict[K, frozenset[V]]:
    """The smallest sets that contain ``start`` and, of every key, ``grow(key, sets)``.

    ``grow`` must give more, never less, for larger sets.
    """
    sets = dict(start)
    changed = True
    while changed:
        changed = False
        for key, before in sets.items():
            after = before | grow(key, sets)
            if after != before:
                sets[key] = after
                changed = True
    return sets


def spread(own: Mapping[K, frozenset[V]], calls: Mapping[K, Collection[K]]) -> dict[K, frozenset[V]]:
    """What each key has of its own, with all that the keys it calls have, directly or through others."""
    return least(own, lambda key, sets: frozenset().union(*(sets[called] for called in calls[key])))


def reaching(targets: Collection[K], calls: Mapping[K, Collection[K]]) -> frozenset[K]:
    """The keys that are among ``targets`` or call one of them, directly or through others."""
    own = {key: frozenset((True,)) if key in targets else frozenset() for key in calls}
    return frozenset(key for key, found in spread(own, calls).items() if found)
