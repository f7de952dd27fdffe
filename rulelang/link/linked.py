"""The declarations of a game, and adding one more to them."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from ..diagnostics import Label, Sink
from ..fixes import Fix, Help, Prefix, ReplaceText
from ..source import Span
from ..syntax import tree
from ..words import FUNCTIONS, RESERVED, WORDS

Named = (
    tree.Enum
    | tree.Range
    | tree.Grid
    | tree.Table
    | tree.Number
    | tree.Setting
    | tree.Variable
    | tree.Define
    | tree.Graph
    | tree.History
    | tree.Event
)


@attrs.define
class Linked:
    """All declarations of a game with its variants. ``names`` holds everything that shares the one space of names."""

    game: tree.Game
    names: dict[str, Named] = attrs.field(factory=dict)
    owners: dict[str, tuple[tree.Name, ...]] = attrs.field(factory=dict)
    keys: dict[str, tuple[str | None, ...]] = attrs.field(factory=dict)
    """Names of the owners for what a variable starts with."""
    carried: dict[str, tree.Name] = attrs.field(factory=dict)
    """What the next game begins with, by name."""
    rules: dict[str, tree.Rule] = attrs.field(factory=dict)
    winner: tree.Winner | None = None
    out: tree.Out | None = None
    invariants: dict[str, tree.Invariant] = attrs.field(factory=dict)
    adjustments: dict[str, list[tree.Adjust]] = attrs.field(factory=dict)
    variants: tuple[str, ...] = ()
    words: frozenset[str] = frozenset()
    """Words of items that could not be parsed: names among them are not reported as unknown."""

    def all(self, kind: type) -> Iterator[Named]:
        return (d for d in self.names.values() if isinstance(d, kind))


def declare(linked: Linked, item: tree.Item, sink: Sink) -> None:
    """Adds what an item declares to a game."""
    match item:
        case tree.Variables():
            for variable in item.variables:
                if _new_name(linked, variable.name, variable.span, sink):
                    linked.names[variable.name] = variable
                    linked.owners[variable.name] = item.owners
                    linked.keys[variable.name] = item.keys
        case _ if isinstance(item, Named):
            if _new_name(linked, item.name, item.span, sink):
                linked.names[item.name] = item
        case tree.Rule():
            if item.id in linked.rules:
                twice(f"rule `{item.id}`", item.head, linked.rules[item.id].head, sink)
            else:
                linked.rules[item.id] = item
        case tree.Carry():
            for name in item.names:
                first = linked.carried.setdefault(name.name, name)
                if first is not name and first.span.file == name.span.file:
                    labels = [Label(first.span, "first carried here")]
                    sink.error(
                        "R0303", name.span, f"`{name.name}` is carried twice.", labels=labels, help="Name it once."
                    )
        case tree.Winner():
            if linked.winner is not None:
                twice("`winner`", item.span, linked.winner.span, sink)
            linked.winner = item
        case tree.Out():
            if linked.out is not None:
                twice("`out when`", item.span, linked.out.span, sink)
            elif _new_name(linked, "out", item.span, sink):
                linked.out = item
                linked.names["out"] = condition_of(item)
        case tree.Invariant():
            if item.id in linked.invariants:
                twice(f"invariant `{item.id}`", item.span, linked.invariants[item.id].span, sink)
            linked.invariants[item.id] = item
        case tree.Example() | tree.Game() | tree.Part() | tree.Examples() | tree.Variant():
            pass
        case _:
            sink.error(
                "R0301",
                item.span,
                "Only a variant can change what another file declares.",
                help="Change the declaration itself, or move this to a file that starts with `variant NAME of GAME`.",
            )


def condition_of(item: tree.Out) -> tree.Define:
    """The definition ``out(p)``, with which rules ask whether a player is out."""
    param = tree.Param("p", tree.TypeName("Player", span=item.span), span=item.span)
    return tree.Define("out", (param,), item.condition, (), None, (), span=item.span)


def _new_name(linked: Linked, name: str, span: Span, sink: Sink) -> bool:
    if name in WORDS or name in FUNCTIONS or name in RESERVED:
        sink.error("R0205", span, f"`{name}` is a word of the language.", help="Choose another name.")
    if name in linked.names:
        first = linked.names[name]
        changed = isinstance(first, tree.Number) and first.span.file != span.file
        advice = Help(
            f"A variant writes `change number {name} to VALUE`; elsewhere, rename or remove one of them.",
            (Fix(f"Write `change number {name} to`", (Prefix("change "), ReplaceText("to", word="="))),),
        )
        twice(f"`{name}`", span, first.span, sink, advice if changed else _RENAME)
        return False
    return True


_RENAME = "Rename or remove one of them."


def twice(what: str, span: Span, first: Span, sink: Sink, advice: str | Help = _RENAME) -> None:
    """Reports a name given to two things."""
    sink.error(
        "R0303",
        span,
        f"{what[0].upper()}{what[1:]} is declared twice.",
        labels=[Label(first, "first declared here")],
        help=advice,
    )
