"""Listing of lowered code, one line per node, with its slots, its site and the slots live there.

For people who work on the engines; ``rulelang inspect --stage code`` prints it. ``#7`` is an internal slot, ``p#0`` a
named one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

import attrs

from rulelang import program as ir
from rulelang.program.printer import (
    amount_text,
    binds_text,
    exchange_text,
    expression_text,
    move_text,
    place_text,
    price_text,
    turns_text,
)
from rulelang.program.walk import walk
from rulelang.types import describe
from rulelang.words import several

from . import code
from .code import Block, Code, Unit


def units_text(units: Sequence[Unit]) -> str:
    """The listings of these units, ending with a line break."""
    return "".join(f"{line}\n" for unit in units for line in _Listing(unit).lines())


class _Listing:
    """The listing of one unit. ``names``: the names that the text gives to its slots."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.names: dict[int, str] = {}
        for node in unit.nodes():
            if isinstance(node, code.Ask):
                self.names |= {name.slot: name.name for name in node.names}
            for part in walk(_expressions(node)):
                if isinstance(part, (ir.Local, ir.Bind)) and part.name.isidentifier():
                    self.names.setdefault(part.slot, part.name)

    def lines(self) -> Iterator[str]:
        unit = self.unit
        yield f"unit {unit.rule}: {several(unit.size, 'slot')}, {several(len(unit.sites), 'site')}"
        for slot, holds in sorted(unit.slots.items()):
            yield f"  slot {self.slot(slot)}: {_holds(holds)}"
        yield from self.block(unit.body, 1)

    def slot(self, slot: int) -> str:
        name = self.names.get(slot)
        return f"#{slot}" if name is None else f"{name}#{slot}"

    def arguments(self, node: code.Call) -> str:
        """The arguments of a call, with the range of those that are checked. Internal slots are shown as such."""
        texts = []
        for argument, bounds in zip(node.arguments, node.bounds, strict=True):
            text = expression_text(argument)
            if isinstance(argument, ir.Local) and argument.slot not in self.names:
                text = self.slot(argument.slot)
            texts.append(text if bounds is None else f"{text} within {bounds.low}..{bounds.high}")
        return ", ".join(texts)

    def site(self, site: code.Site) -> str:
        live = " ".join(map(self.slot, site.live)) or "nothing"
        return f"  -- site {site.number}, live {live}"

    def block(self, block: Block, depth: int) -> Iterator[str]:
        for node in block:
            for number, line in enumerate(self.node(node, depth)):
                pad = "  " * depth
                yield f"{pad}openly {line.removeprefix(pad)}" if node.openly and number == 0 else line

    def node(self, node: Code, depth: int) -> Iterator[str]:
        pad = "  " * depth
        match node:
            case code.Inline() | code.Branch() | code.Each() | code.Repeat() | code.RepeatFalling() | code.TakeTurns():
                yield from self.nested(node, depth)
            case code.Choose() | code.Menu() | code.Pay():
                yield from self.ask(node, depth)
            case code.Need():
                yield f"{pad}need {node.text}"
            case code.Leave():
                yield f"{pad}leave {node.rule}{self.site(node.site)}"
            case code.Assign():
                yield f"{pad}{self.slot(node.slot)} = {expression_text(node.value)}"
            case code.Break():
                yield f"{pad}break"
            case code.Return():
                yield f"{pad}return"
            case code.Call():
                yield f"{pad}call {node.unit}({self.arguments(node)}){self.site(node.site)}"
            case code.RunWatcher():
                yield f"{pad}watch {node.rule} when {expression_text(node.condition)}{self.site(node.site)}"
            case code.Finish():
                yield f"{pad}finish {'by the ranks' if node.who is None else f'for {expression_text(node.who)}'}"
            case code.SetCell():
                checked = (", checked" if node.checked else "") + (", quiet" if node.quiet else "")
                yield f"{pad}set {place_text(node.target)} to {expression_text(node.value)}{checked}"
            case code.ChangeCell():
                verb = "decrease" if node.sign < 0 else "increase"
                yield f"{pad}{verb} {place_text(node.target)} by {expression_text(node.amount)}"
            case code.ScorePoints():
                verb = "loses" if node.sign < 0 else "scores"
                yield f"{pad}{expression_text(node.who)} {verb} {expression_text(node.amount)} in {node.variable}"
            case code.ShuffleStack():
                yield f"{pad}shuffle {place_text(node.place)}"
            case code.ShowPieces():
                who = "all" if node.who is None else expression_text(node.who)
                what = "" if node.what is None else f"{amount_text(node)} from "
                yield f"{pad}show {what}{place_text(node.source)} to {who}"
            case code.RollChance():
                yield f"{pad}roll {binds_text(node.binds)}{', hidden' if node.hidden else ''}"
            case code.MovePieces():
                yield f"{pad}{move_text(node)}"
            case _:
                assert_never(node)

    def nested(
        self,
        node: code.Inline | code.Branch | code.Each | code.Repeat | code.RepeatFalling | code.TakeTurns,
        depth: int,
    ) -> Iterator[str]:
        pad = "  " * depth
        body: Block
        otherwise: Block = ()
        match node:
            case code.Inline():
                guard = "" if node.guard is None else f" when {expression_text(node.guard)}"
                yield f"{pad}inline {node.id}{guard}{'' if node.noted else ', not noted'}"
                body = (*node.needs, *node.body)
            case code.Branch():
                yield f"{pad}if {expression_text(node.condition)}"
                body, otherwise = node.then, node.otherwise
            case code.Each():
                word = "together" if isinstance(node, code.Together) else "each"
                site = self.site(node.site) if isinstance(node, code.Together) else ""
                slots = f"items {self.slot(node.items)}, position {self.slot(node.position)}"
                yield f"{pad}{word} {binds_text(node.binds)}; {slots}{site}"
                body = node.body
            case code.Repeat():
                yield f"{pad}repeat at most {expression_text(node.value)}; left {self.slot(node.left)}"
                body = node.body
            case code.RepeatFalling():
                yield f"{pad}repeat falling {node.text}; last {self.slot(node.last)}"
                body = node.body
            case code.TakeTurns():
                then = None if node.following == node.clockwise else node.following
                yield f"{pad}take turns {self.slot(node.slot)}{turns_text(node.start, then, node.until, node.out)}"
                body = node.body
            case _:
                assert_never(node)
        yield from self.block(body, depth + 1)
        if otherwise:
            yield f"{pad}otherwise"
            yield from self.block(otherwise, depth + 1)

    def ask(self, node: code.Choose | code.Menu | code.Pay, depth: int) -> Iterator[str]:
        pad, who = "  " * depth, expression_text(node.who)
        tail = f"{', hidden' if node.hidden else ''}{self.site(node.site)}"
        match node:
            case code.Choose():
                verb = "may choose" if node.may else "chooses"
                must = ", or a fault" if node.body is None and not node.may else ""
                yield f"{pad}{who} {verb} {binds_text(node.binds)}{must}{tail}"
                yield from self.block(node.body or (), depth + 1)
                if node.otherwise:
                    yield f"{pad}otherwise"
                    yield from self.block(node.otherwise, depth + 1)
            case code.Menu():
                yield f"{pad}{who} chooses one of{tail}"
                for item in node.items:
                    offered = "" if item.binds is None else f"({binds_text(item.binds)})"
                    needs = " and ".join(map(expression_text, item.conditions))
                    yield f"{pad}  option {item.rule.id}{offered}{f' if {needs}' if needs else ''}"
                    yield from self.block(item.body.body, depth + 2)
                if node.otherwise is not None:
                    yield f"{pad}otherwise"
                    yield from self.block(node.otherwise, depth + 1)
            case code.Pay():
                ends = f"from {place_text(node.source)} to {place_text(node.target)}"
                traded = "".join(f", {exchange_text(e, node.cost.type)}" for e in node.exchanges)
                yield f"{pad}{who} pays {price_text(node.cost, node.less)} {ends}{traded}{tail}"
            case _:
                assert_never(node)


def _holds(holds: code.Holds) -> str:
    if holds is None:
        return "an internal counter"
    if isinstance(holds, code.Items):
        return f"combinations of {', '.join(map(describe, holds.types))}"
    return describe(holds)


def _expressions(node: Code) -> list[ir.Node]:
    """The parts of a Program that a node holds."""
    values: list[object] = [getattr(node, field.name) for field in attrs.fields(type(node))]
    if isinstance(node, code.Menu):
        values += [part for item in node.items for part in (item.binds, item.conditions)]
    parts = (part for value in values for part in (value if isinstance(value, tuple) else (value,)))
    return [part for part in parts if isinstance(part, ir.Node)]
