"""Simultaneous decisions: in ``together each p in Player``, each player changes only what is theirs.

Then nothing depends on the order in which they are asked, and nothing has to be shown before all have decided.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

import attrs

from .. import program as ir
from ..diagnostics import Sink
from ..program.analysis.effects import ProgramIndex, effect, is_chance


def check(index: ProgramIndex, sink: Sink) -> None:
    for rule, nodes in index.nodes.items():
        for node in nodes:
            if isinstance(node, ir.Together):
                bind = node.binds.binds[0]
                _Body(index.program, sink, bind.name).block(node.body, frozenset((bind.slot,)), rule)


@attrs.define
class _Body:
    """Goes through what a player may run there. ``own``: the slots that hold this player, in the frame looked at."""

    program: ir.Program
    sink: Sink
    player: str
    _seen: set[tuple[str, frozenset[int]]] = attrs.field(factory=set)

    def block(self, body: Sequence[ir.Statement], own: frozenset[int], rule: str) -> None:
        for statement in body:
            self._statement(statement, own, rule)

    def _statement(self, s: ir.Statement, own: frozenset[int], rule: str) -> None:
        match s:
            case ir.SetValue(target) | ir.Change(target):
                self._place(target, s, own, rule)
            case ir.Move():
                if is_chance(self.program, s):
                    self._report(s, rule, "Nothing can be drawn from a bag here.")
                self._place(s.source, s, own, rule)
                self._place(s.target, s, own, rule)
            case ir.Pay():
                self._decides(s.who, s, own, rule)
                self._place(s.source, s, own, rule)
                self._place(s.target, s, own, rule)
            case ir.Score():
                if not _is_own(s.who, own):
                    self._report(s, rule, f"Only `{self.player}` can score here.")
            case ir.Roll() | ir.Shuffle():
                self._report(s, rule, "Nothing can be left to chance here.")
            case ir.Show():
                self._report(s, rule, "Nothing can be shown here.")
            case ir.EndGame() | ir.Wins():
                self._report(s, rule, "The game cannot end here: the others are still deciding.")
            case ir.Together():
                self._report(s, rule, "A `together` cannot be inside another one.")
            case ir.Branch() | ir.IfThere():
                self.block((*s.then, *s.otherwise), own, rule)
            case ir.Each() | ir.Repeat() | ir.TakeTurns():
                self.block(s.body, own, rule)
            case ir.Choose():
                self._decides(s.who, s, own, rule)
                self.block((*(s.body or ()), *s.otherwise), own, rule)
            case ir.ChooseSome():
                self.block((*s.asks, *(s.body or ()), *s.otherwise), own, rule)
            case ir.Menu():
                self._decides(s.who, s, own, rule)
                for option in s.options:
                    self.block(self.program.rules[option].body, own, option)
                self.block(s.otherwise or (), own, rule)
            case ir.NamedRule():
                self.block(self.program.rules[s.rule].body, own, s.rule)
            case ir.Do() | ir.Announce():
                for rule_id in effect(self.program, s).calls:
                    self._call(self.program.rules[rule_id], s.arguments, own)
            case ir.Let() | ir.Nothing() | ir.Stop():
                pass
            case _:
                assert_never(s)

    def _call(self, rule: ir.Rule, arguments: Sequence[ir.Expr], own: frozenset[int]) -> None:
        given = zip(rule.params, arguments, strict=False)  # a rule may take fewer values than its event brings
        theirs = frozenset(param.slot for param, argument in given if _is_own(argument, own))
        if (rule.id, theirs) not in self._seen:
            self._seen.add((rule.id, theirs))
            self.block(rule.body, theirs, rule.id)

    def _place(self, place: ir.Place, s: ir.Statement, own: frozenset[int], rule: str) -> None:
        owners = self.program.variables[place.variable].owners
        if owners and owners[0].domain.name == "Player" and _is_own(place.indices[0], own):
            return
        self._report(s, rule, f"`{place.variable}` cannot change here, only what belongs to `{self.player}`.")

    def _decides(self, who: ir.Expr, s: ir.Statement, own: frozenset[int], rule: str) -> None:
        if not _is_own(who, own):
            self._report(s, rule, f"Only `{self.player}` can decide here.")

    def _report(self, s: ir.Statement, rule: str, message: str) -> None:
        self.sink.error(
            "R0511",
            s.span,
            f"{message} All players are deciding at the same time.",
            help="Store each decision in something kept for each player, and act on it below the block.",
            rule=rule,
        )


def _is_own(expr: ir.Expr, own: frozenset[int]) -> bool:
    return isinstance(expr, ir.Local) and expr.slot in own
