"""Context of a module's rules: their numbers, the names of their functions, and facts about them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.program import Program, Rule

from ...lowered import code
from ...lowered.effects import NodeEffects
from ...position.blueprint import Blueprint
from ..emit.registry import Registry

if TYPE_CHECKING:
    from .recording import Recording

SHORT = 24
"""Statements of a turn, times the players, up to which the turn is written once for each player."""


class Context:
    """The rules of one module.

    ``numbers``: of each rule, as the state counts how often it ran; ``units``: what a saved frame can belong to, by
    number; ``recording``: what the module counts, in one that does.
    """

    def __init__(self, blueprint: Blueprint, registry: Registry, recording: Recording | None = None) -> None:
        self.blueprint = blueprint
        self.registry = registry
        self.program: Program = blueprint.program
        self.steps = registry.steps
        self.recording = recording
        self.effects = NodeEffects.of(self.program)
        self.numbers = {rule: i for i, rule in enumerate(self.program.rules)}
        self.units = [code.WATCHING, *self.program.rules]
        self.named: dict[tuple[str, bool], str] = {}
        """The names of the functions of rules, as far as they are called, by id and whether it is only supposed."""
        self._waiting: list[tuple[Rule, bool]] = []
        registry.supposed = lambda rule: self.function(rule, supposed=True)

    # -- functions

    def function(self, rule: Rule, *, supposed: bool = False) -> str:
        """The name of a rule's function, which will be written if it has not been yet.

        ``supposed``: the function for when the rule is only supposed to run.
        """
        key = rule.id, supposed
        if key not in self.named:
            self.named[key] = f"{'s' if supposed else 'r'}{self.numbers[rule.id]}"
            self.registry.keeps_no_room(self.named[key])
            self._waiting.append((rule, supposed))
        return self.named[key]

    def next_rule(self) -> tuple[Rule, bool] | None:
        """A rule whose function is called and has still to be written, and whether it is only supposed to run.

        None when all are written.
        """
        return self._waiting.pop() if self._waiting else None

    def unit_number(self, rule: str) -> int:
        return self.units.index(rule)

    # -- what is known of rules and their nodes

    def may_ask(self, rule: Rule) -> bool:
        return rule.id in self.effects.rules.asking

    def suspends(self, unit: str) -> bool:
        """Whether the function of a unit may stop and go on later."""
        if not self.steps:
            return False
        return self.watchers_ask if unit == code.WATCHING else unit in self.effects.rules.asking

    def may_end(self, rule: Rule) -> bool:
        """Whether a rule's function may say that the game is over, or that no more decisions may be made."""
        return rule.id in self.effects.rules.ending or (not self.steps and self.may_ask(rule))

    @property
    def watchers_ask(self) -> bool:
        return self.effects.watchers_ask

    @property
    def watchers_end(self) -> bool:
        return any(self.may_end(self.program.rules[name]) for name in self.program.watchers)

    def asks(self, node: code.Code) -> bool:
        """Whether somebody may have to decide while the node runs."""
        return self.effects.asks(node)

    def undisturbed(self, s: code.Each) -> bool:
        """Whether the body of a loop changes nothing that its combinations depend on."""
        return self.effects.undisturbed(s)

    def is_short(self, s: code.TakeTurns) -> bool:
        """Whether a turn takes so little code that it may be written once for each player."""
        inside = sum(not isinstance(node, (code.Leave, code.Need)) for node in code.walk(s.body))
        return inside * self.program.players <= SHORT
