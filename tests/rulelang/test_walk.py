"""Nodes of both trees: walked, rewritten, compared and shown by their fields."""

from __future__ import annotations

import copy
import inspect
import pickle
from pathlib import Path
from types import ModuleType
from typing import Any

import attrs
import pytest
from paths import RULES

import rulelang
from rulelang import program as ir
from rulelang.program import nodes
from rulelang.program import nodes as program_nodes
from rulelang.program import walk as program_walk
from rulelang.program.walk import substitute
from rulelang.source import Span
from rulelang.structural import Structural, node
from rulelang.syntax import tree
from rulelang.syntax import walk as syntax_walk
from rulelang.syntax.parse import parse_text
from rulelang.syntax.printer import print_file
from rulelang.traversal import Traversal
from rulelang.types import NumberType

FILES = sorted(RULES.rglob("*.rules"))
TEXT = """game g
  players 2

rule play
  if players > 1
    rule inner
      R chooses one of
        option first(k in 1..3)
          let x = k + 1
        option second
          do nothing
  otherwise
    do other(1, 2)

rule other(a: 1..2, b: 1..2)
  do nothing
"""


def reached(value: Any, base: type) -> list[Any]:
    """All nodes anywhere in a value, looked for in every field whatever its annotation says."""
    if isinstance(value, (tuple, list, frozenset)):
        return [node for part in value for node in reached(part, base)]
    if isinstance(value, dict):
        return [node for part in value.values() for node in reached(part, base)]
    if not attrs.has(type(value)):
        return []
    below = [node for field in attrs.fields(type(value)) for node in reached(getattr(value, field.name), base)]
    return [value, *below] if isinstance(value, base) else below


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_walk_of_a_file_reaches_every_node(path: Path) -> None:
    file, _ = parse_text(path.name, path.read_text(encoding="utf-8"))
    assert list(map(id, syntax_walk.walk(file))) == list(map(id, reached(file, tree.Node)))


@pytest.mark.parametrize("game", ["meduris", "skye", "babel", "classics/reversi"])
def test_a_walk_of_a_program_reaches_every_node(game: str) -> None:
    program = rulelang.load(RULES / game)
    roots = [*program.rules.values(), *program.definitions.values(), *program.graphs.values()]
    assert list(map(id, program_walk.walk(roots))) == list(map(id, reached(roots, ir.Node)))


@pytest.mark.parametrize(("module", "base"), [(tree, tree.Node), (program_nodes, ir.Node)])
def test_every_class_has_fields_that_can_be_walked(module: ModuleType, base: type) -> None:
    traversal = Traversal(base)
    for _, cls in inspect.getmembers(module, inspect.isclass):
        if issubclass(cls, base):
            assert {*traversal.fields(cls)} <= {field.name for field in attrs.fields(cls)}


def test_nodes_in_anything_but_tuples_are_refused() -> None:
    @attrs.frozen
    class Odd(tree.Node):
        named: dict[str, tree.Name]

    with pytest.raises(TypeError, match="in tuples"):
        Traversal(tree.Node).fields(Odd)


def item(name: str) -> tree.Rule:
    file, found = parse_text("g.rules", TEXT)
    assert not found
    return next(item for item in file.items if isinstance(item, tree.Rule) and item.id == name)


def test_ids_come_in_the_order_of_the_text() -> None:
    assert [id_ for id_, _ in syntax_walk.ids_in(item("play"))] == ["play", "inner", "first", "second"]
    kinds = [type(s).__name__ for s in syntax_walk.statements(item("play").body)]
    assert kinds == ["If", "Rule", "Menu", "MenuOption", "Let", "MenuOption", "DoNothing", "Do"]
    assert [type(s).__name__ for s in syntax_walk.own_statements(item("play").body)] == ["If", "Do"]


def test_a_rewrite_keeps_what_does_not_change() -> None:
    rule = item("play")
    assert syntax_walk.rewrite(rule, lambda node: node) is rule
    renamed = syntax_walk.rewrite(rule, lambda n: attrs.evolve(n, value=7) if n == tree.Integer(2) else n)
    before, after = rule.body[0], renamed.body[0]
    assert isinstance(before, tree.If) and isinstance(after, tree.If)
    assert after.then is before.then and after.span == before.span
    assert "do other(1, 7)" in print_file(tree.File((renamed,)))


def test_a_node_in_a_sequence_can_become_none_or_several() -> None:
    rule = item("play")
    menu = next(s for s in syntax_walk.statements(rule) if isinstance(s, tree.Menu))
    gone = syntax_walk.replace(rule, menu.options[0], ())
    assert [id_ for id_, _ in syntax_walk.ids_in(gone)] == ["play", "inner", "second"]
    twice = syntax_walk.replace(rule, menu, (tree.DoNothing(), menu))
    assert [type(s).__name__ for s in syntax_walk.statements(twice)][2:5] == ["Rule", "DoNothing", "Menu"]
    with pytest.raises(TypeError, match="one node is needed"):
        syntax_walk.replace(rule, menu.who, ())


def test_substitution_puts_values_in_the_place_of_parameters() -> None:
    n = NumberType(0, 9)
    here = Span("g.rules", 3, 1, 3, 5)
    a, b = ir.Local(0, "a", n), ir.Local(1, "b", n)
    expr = ir.Apply("+", (a, ir.Apply("+", (b, b), n, span=here)), n, span=here)
    seven = ir.Const(7, n)
    found = substitute(expr, {0: seven})
    assert found == ir.Apply("+", (seven, expr.arguments[1]), n)
    assert isinstance(found, ir.Apply) and found.span == here and found.arguments[1] is expr.arguments[1]


# Nodes are compared, hashed and shown by their fields, as attrs would do it for each class.


HERE, THERE = Span("a", 1, 1, 1, 2), Span("b", 7, 1, 7, 2)


@node
class Base(Structural):
    span: Span = attrs.field(default=HERE, eq=False, repr=False, kw_only=True)


@node
class Nothing(Base):
    pass


@node
class One(Base):
    value: Any


@node
class Two(Base):
    value: Any
    other: Any = None


@attrs.frozen
class ByAttrs:
    value: Any
    other: Any = None


ALIKE = [
    (Nothing(), Nothing(span=THERE)),
    (One(1), One(1, span=THERE)),
    (One(None), One(None)),
    (One((1, 2)), One((1, 2))),
    (Two(One(1), (Two(2),)), Two(One(1, span=THERE), (Two(2),))),
]
DIFFERENT = [Nothing(), One(1), One(2), One((1, None)), Two(1), Two(1, 1), Two((1, None)), Two(One(1)), Base(), 1, None]


@pytest.mark.parametrize("left, right", ALIKE)
def test_equal_fields_make_equal_nodes_wherever_they_are(left: Base, right: Base) -> None:
    assert left == right and hash(left) == hash(right) and len({left, right}) == 1


def test_another_class_or_another_field_is_another_node() -> None:
    for i, left in enumerate(DIFFERENT):
        assert [left == right for right in DIFFERENT] == [i == j for j in range(len(DIFFERENT))]
    assert len(set(DIFFERENT)) == len(DIFFERENT)


@pytest.mark.parametrize("made", [One("a"), Two(One((1, "b")), None), Nothing()])
def test_nodes_travel_whole(made: Base) -> None:
    for again in (copy.deepcopy(made), pickle.loads(pickle.dumps(made)), attrs.evolve(made)):
        assert again == made and again.span == made.span
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        made.span = THERE  # type: ignore[misc]


def test_a_node_is_shown_as_attrs_shows_it() -> None:
    for values in ((1, "b"), (None, (1,)), (Nothing(), [])):
        assert repr(Two(*values)) == repr(ByAttrs(*values)).replace("ByAttrs", "Two")
    assert repr(Nothing()) == "Nothing()"


def test_all_nodes_of_both_trees_are_such() -> None:
    for module in (tree, nodes):
        classes = [c for c in vars(module).values() if isinstance(c, type) and issubclass(c, module.Node)]
        assert len(classes) > 40
        assert all(issubclass(c, Structural) and "__eq__" not in vars(c) for c in classes)
