"""Context of a module's rules: their numbers, the names of their functions, and facts about them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.program import Expr, Program, Rule

from ...lowered import code
from ...lowered.effects import NodeEffects
from ...passes import on
from ...passes.again import Again
from ...passes.suppose import AS_IT_IS, How, Supposition, Suppositions
from ...position.blueprint import Blueprint
from ...record.rounds import Turns
from ..emit.registry import Registry
from ..layout.shapes import holds_addresses

if TYPE_CHECKING:
    from .recording import Recording

SHARE_OF_PLAYOUTS = 16
"""The part of a budget that playouts have is one in so many, since other code may take more for the same."""

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
        self.turns = Turns.of(blueprint)
        self.numbers = {rule: i for i, rule in enumerate(self.program.rules)}
        self.units = [code.WATCHING, *self.program.rules]
        self.named: dict[tuple[str, How | None], str] = {}
        """The names of the functions of rules, as far as they are called, by id and how it is only supposed to run."""
        self._waiting: list[tuple[Rule, How | None]] = []
        self._suppositions = Suppositions(
            registry.program, blueprint.units, registry.bounds, self._plain_bytes, registry.faults.may
        )
        self.again = Again(registry.program, self.effects, self._can_be_held)
        self._supposed: dict[tuple[str, int], tuple[Expr, Supposition]] = {}
        registry.supposed = self.supposed

    def _plain_bytes(self, variable: str) -> int | None:
        return self.registry.memory.cells[variable].plain_bytes

    def _can_be_held(self, definition: str) -> bool:
        type_ = self.registry.program.definitions[definition].type
        return not holds_addresses(type_) and definition not in self.registry.plan.kept

    # -- functions

    def function(self, rule: Rule, *, supposed: How | None = None) -> str:
        """The name of a rule's function, which will be written if it has not been yet.

        ``supposed``: how the function does it for when the rule is only supposed to run.
        """
        key = rule.id, supposed
        if key not in self.named:
            like = sum(id_ == rule.id and how is not None for id_, how in self.named)
            name = f"{'r' if supposed is None else 's'}{self.numbers[rule.id]}"
            self.named[key] = name if supposed is None or not like else f"{name}v{like}"
            self.registry.keeps_no_room(self.named[key])
            self._waiting.append((rule, supposed))
        return self.named[key]

    def supposed(self, rule: Rule, value: Expr) -> tuple[str, Supposition]:
        """The function of a rule that is only supposed to run for a value, and what it does."""
        key = rule.id, id(value)
        if key not in self._supposed:
            # The value is kept, so that no other one can get its number.
            found = self._suppositions.of(rule.id, value) if on("suppose") else AS_IT_IS
            self._supposed[key] = value, found
        found = self._supposed[key][1]
        return self.function(rule, supposed=found.function), found

    def next_rule(self) -> tuple[Rule, How | None] | None:
        """A rule whose function is called and has still to be written, and how it is only supposed to run, if it is.

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
    def budget(self) -> int:
        """The work that may be done between two decisions.

        Whole games have less: one that goes beyond it is played again step by step, and what happens then counts.
        """
        work = self.blueprint.limits.work
        return work if self.steps else max(1, work // SHARE_OF_PLAYOUTS)

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
