"""The legend: the tokens with letters or symbols whose meaning stands nowhere else in the picture."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from ..scene.nodes import Node


def with_legend(root: Node) -> Node:
    """The picture with a legend of what is in it now."""
    bare = tuple(node for node in root.children if node.kind != "legend")
    told = _legend(root)
    return attrs.evolve(root, children=bare if told is None else (*bare, told))


def _legend(root: Node) -> Node | None:
    """A row of tokens, each with its name; None when every token explains itself."""
    told = {(n.look.get("hue"), n.look.get("text")) for n in _explained(root)}
    found: dict[tuple[str, str], Node] = {}
    for node in root.walk():
        look = node.look
        if node.kind == "token" and str(look.get("hue", "")).startswith("kind:") and look.get("shape") != "chip":
            key = str(look["hue"]), str(look.get("text"))
            if key not in told and node.alt:
                name = _named(node)
                found.setdefault(key, Node("token", "", name, name, look={**look, "small": True}))
    named = [attrs.evolve(node, count=1) for node in found.values() if node.label]
    return Node("legend", "", "", "", children=tuple(named)) if named else None


def _named(node: Node) -> str:
    """The name of the member, without how many there are of it."""
    text = str(node.look.get("called", node.alt))
    return text.removeprefix(f"{node.count} × ")


def _explained(root: Node) -> Iterator[Node]:
    """Tokens at the head of a zone with their name beside them."""
    for node in root.walk():
        if node.kind == "zone" and node.look.get("head") and node.label:
            yield node.children[0]
