"""Nodes are compared, hashed and shown by their fields, as attrs would do it for each class."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import attrs
import pytest

from rulelang.program import nodes
from rulelang.source import Span
from rulelang.structural import Structural, node
from rulelang.syntax import tree

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
