"""Secret choices: those whose values go to hidden places, followed back from there to what is chosen or rolled.

A player who bids from a hidden purse chooses an amount that leaves a hidden place and is put where all can see it. Such
a choice is shown at once: nothing is given away by what follows from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, assert_never

from ... import nodes as ir
from ...walk import statements
from ..effects import effect
from ..fixed_point import least
from ..names import free_slots

Slots = Mapping[str, frozenset[int]]
"""By the id of each top-level rule, some slots of its frame."""

_NONE: frozenset[int] = frozenset()


def private_slots(program: ir.Program) -> Slots:
    """Slots whose values are stored in a hidden variable, or name what moves between two hidden places, directly,
    through ``let``, or as an argument of a rule that does so."""
    bodies = {rule.id: tuple(statements(program, rule.body)) for rule in program.rules.values() if rule.parent is None}
    if all(variable.seen_by == "all" for variable in program.variables.values()):
        return dict.fromkeys(bodies, _NONE)

    def grow(root: str, known: Slots) -> frozenset[int]:
        return _NONE.union(*(_hides(program, s, known[root], known) for s in bodies[root]))

    return least(dict.fromkeys(bodies, _NONE), grow)


def shown_slots(program: ir.Program) -> Slots:
    """Slots whose values come to a public place wherever they are bound."""
    roots = [rule.id for rule in program.rules.values() if rule.parent is None]
    bodies = {root: list(_bodies(program, root)) for root in roots}

    def grow(root: str, known: Slots) -> frozenset[int]:
        return _NONE.union(*(_shown(program, body, known) for body in bodies[root]))

    return least(dict.fromkeys(roots, _NONE), grow)


# ---------------------------------------------------------------- to hidden places


def _hides(program: ir.Program, s: ir.Statement, private: frozenset[int], known: Slots) -> frozenset[int]:
    """The slots a statement makes private, when those of ``private`` are in its frame."""

    def hidden(*places: ir.Place) -> bool:
        return not any(_public(program, place) for place in places)

    match s:
        case ir.SetValue():
            return free_slots(s.value) if hidden(s.target) else _NONE
        case ir.Change():
            return free_slots(s.amount) if hidden(s.target) else _NONE
        case ir.Move():
            return free_slots((s.amount, s.kind, s.square, s.turn)) if hidden(s.source, s.target) else _NONE
        case ir.Show():
            to_all = s.who is None and s.seats is None
            return free_slots((s.amount, s.kind)) if hidden(s.place) and not to_all else _NONE
        case ir.Let():
            return free_slots(s.value) if s.slot in private else _NONE
        case ir.IfThere() | ir.Each() | ir.Together() | ir.Choose():
            return _NONE.union(*(_given_to(b.domain) for b in s.binds.binds if b.slot in private))
        case ir.Do() | ir.Announce():
            called = [program.rules[id_] for id_ in effect(program, s).calls]
            given = (pair for rule in called for pair in _given(rule, s.arguments, known))
            return _NONE.union(*map(free_slots, given))
        case ir.Branch() | ir.Repeat() | ir.TakeTurns() | ir.NamedRule() | ir.Menu() | ir.ChooseSome():
            return _NONE  # what is inside them is looked at by itself
        case ir.Pay() | ir.Score() | ir.Shuffle() | ir.Roll() | ir.Nothing() | ir.Stop() | ir.EndGame() | ir.Wins():
            return _NONE
    assert_never(s)


def _given_to(domain: ir.Expr) -> frozenset[int]:
    """The slots whose values those of a domain are made of: whose place it is does not matter."""
    match domain:
        case ir.Read() if all(isinstance(index, ir.Local) for index in domain.indices):
            return _NONE
    return free_slots(domain)


# ---------------------------------------------------------------- to public places


def _bodies(program: ir.Program, root: str) -> Iterator[Sequence[ir.Statement]]:
    """The bodies that begin with names of their own: whatever these show is shown wherever they are bound."""
    yield program.rules[root].body
    for s in statements(program, program.rules[root].body):
        match s:
            case ir.Each(_, body) | ir.Together(_, body) | ir.TakeTurns(body=body) | ir.Choose(body=tuple(body)):
                yield body
            case ir.ChooseSome(body=tuple(body)):
                yield body
            case ir.IfThere(then=body):
                yield body
            case ir.Menu():
                yield from (program.rules[option].body for option in s.options)
            case _:
                pass  # the names of what surrounds it go on


def _shown(program: ir.Program, body: Sequence[ir.Statement], known: Slots) -> frozenset[int]:
    """The slots that statements show whenever they are carried out."""
    return _NONE.union(*(_shows(program, s, known) for s in body))


def _shows(program: ir.Program, s: ir.Statement, known: Slots) -> frozenset[int]:
    match s:
        case ir.SetValue(target, value) | ir.Change(target, _, value):
            return _alone(value) if _public(program, target) else _NONE
        case ir.Score():
            public = program.score is not None and program.variables[program.score].seen_by == "all"
            return _alone(s.amount) if public else _NONE
        case ir.Move():
            public = _public(program, s.source) or _public(program, s.target)
            return _alone(s.amount, s.kind, s.square, s.turn) if public else _NONE
        case ir.Show(who=None, seats=None):
            return _alone(s.amount, s.kind)
        case ir.Branch() | ir.IfThere():
            return _shown(program, s.then, known) & _shown(program, s.otherwise, known)
        case ir.ChooseSome():
            return _shown(program, s.body or (), known) & _shown(program, s.otherwise, known)
        case ir.NamedRule():
            rule = program.rules[s.rule]
            return _shown(program, rule.body, known) if rule.guard is None else _NONE
        case ir.Do() | ir.Announce():
            called = [program.rules[id_] for id_ in effect(program, s).calls]
            unguarded = (rule for rule in called if rule.guard is None)
            return _alone(*(argument for rule in unguarded for argument in _given(rule, s.arguments, known)))
        case ir.Menu():
            bodies = [program.rules[option].body for option in s.options]
            bodies += [s.otherwise] if s.otherwise is not None else []
            return frozenset.intersection(*(_shown(program, b, known) for b in bodies)) if bodies else _NONE
        case ir.Choose() | ir.Each() | ir.Together() | ir.Repeat() | ir.TakeTurns() | ir.Let() | ir.Roll():
            return _NONE
        case ir.Pay() | ir.Shuffle() | ir.Show() | ir.Nothing() | ir.Stop() | ir.EndGame() | ir.Wins():
            return _NONE
    assert_never(s)


def _alone(*values: Any) -> frozenset[int]:
    """The slots that are given as they are, not as a part of something worked out."""
    return _NONE.union(*(free_slots(value) for value in values if isinstance(value, (ir.Local, ir.PartOf))))


# ---------------------------------------------------------------- both


def _public(program: ir.Program, place: ir.Place) -> bool:
    return program.variables[place.variable].seen_by == "all"


def _given(rule: ir.Rule, arguments: Sequence[ir.Expr], known: Slots) -> Iterator[ir.Expr]:
    """The arguments for those parameters of a rule that are ``known``."""
    given = zip(rule.params, arguments, strict=False)  # a rule may take fewer values than its event brings
    return (argument for param, argument in given if param.slot in known.get(rule.id, _NONE))
