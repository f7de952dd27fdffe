"""Items that are being written: what could stand at the place where the next name is missing.

The item is elaborated for what is learnt on the way; its findings go nowhere, and nothing of it is kept.
"""

from __future__ import annotations

from ..diagnostics import Sink
from ..syntax import tree
from ..syntax.walk import rewrite, rules_in, walk
from .construction import Rules, ranks_of
from .definitions import elaborate_definition
from .environment import Environment
from .expressions import Expressions
from .graphs_and_ways import elaborate_graph
from .histories import history_definition
from .scope import Hole, Scope, SlotFrame
from .variables import elaborate_variable


def missing_in(env: Environment, item: tree.Item, word: str) -> Hole:
    """What is known of the place of ``word`` in an item. ``env``: of the game as it is without the item."""
    hole = Hole(word)
    own = env.reporting_to(Sink())
    own.hole = hole
    _elaborate(own, item)
    if not hole.expected and not hole.of:  # something before it in its statement is missing, too
        _elaborate(own, _simplified(item, word))
    return hole


def _simplified(item: tree.Item, word: str) -> tree.Item:
    """The item with a statement of its own for the innermost value around the missing name."""

    def simpler(node: tree.Node) -> tree.Node:
        found = _around(node, word) if isinstance(node, tree.Action) and not isinstance(node, _BLOCKS) else None
        return node if found is None else tree.Let(word + "value", found, span=node.span)

    return rewrite(item, simpler)


_BLOCKS = (tree.If, tree.IfThere, tree.Each, tree.Together, tree.Repeat, tree.TakeTurns, tree.Menu, tree.Trigger)


def _around(node: tree.Node, word: str) -> tree.Expr | None:
    """The missing name in a statement, with what is in front of its dot."""
    for inner in walk(node):
        if isinstance(inner, tree.Attribute | tree.Name) and inner.name == word:
            return inner
    return None


def missing_in_value(env: Environment, values: tuple[tree.Expr, ...], word: str, *, conditions: bool = False) -> Hole:
    """As ``missing_in``, for expressions that see no local names. ``conditions``: they should be yes or no."""
    hole = Hole(word)
    own = env.reporting_to(Sink())
    own.hole = hole
    for value in values:
        e = Expressions(own, Scope(SlotFrame()))
        e.flag(value) if conditions else e.value(value)
    return hole


def _elaborate(env: Environment, item: tree.Item) -> None:
    match item:
        case tree.Rule():
            Rules(env).top(item)
        case tree.Define():
            elaborate_definition(env, item, ())
        case tree.Graph():
            elaborate_graph(env, item)
        case tree.History():
            history_definition(env, item)
        case tree.Variables():
            for variable in item.variables:
                elaborate_variable(env, variable, item.owners, item.keys)
        case tree.Number():
            for case in item.cases:
                if case.when is not None:
                    Expressions(env, Scope(SlotFrame())).flag(case.when)
                Expressions(env, Scope(SlotFrame())).value(case.value)
        case tree.Winner():
            ranks_of(env, item)
        case tree.Invariant() | tree.Out():
            scope = Scope(SlotFrame())
            if isinstance(item, tree.Out):
                scope.declare("p", env.player)
            Expressions(env, scope).flag(item.condition)
        case tree.ChangeNumber():
            Expressions(env, Scope(SlotFrame())).value(item.value)
        case tree.Replace():
            inner = item.item
            if isinstance(inner, tree.MenuOption):
                _elaborate_in(env, inner.id, (tree.Menu(False, _nobody(), (inner,)),))
            else:
                _elaborate(env, inner)
        case tree.ExtendRule():
            _elaborate_in(env, item.id, (tree.Menu(False, _nobody(), item.options),))
        case tree.Insert():
            _elaborate_in(env, item.id, item.body)


def _nobody() -> tree.Expr:
    return tree.NoneValue()


def _elaborate_in(env: Environment, id_: str, body: tuple[tree.Statement, ...]) -> None:
    """Statements that a variant puts into a rule: they see its parameters."""
    for rule in env.linked.rules.values():
        if any(inner.id == id_ for inner in rules_in((rule,))):
            Rules(env).top(tree.Rule(rule.id, rule.params, rule.triggers, body, head=rule.head, span=rule.span))
            return
