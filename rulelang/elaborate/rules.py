"""Elaboration of all rules of a game: what others see of them, and their statements."""

from __future__ import annotations

import functools

import attrs

from .. import program as ir
from ..syntax import tree
from .calls import depth
from .environment import Environment
from .expressions import Expressions
from .parameters import params
from .scope import Frame, Scope
from .signatures import RuleSignature
from .statements import Block, told_openly


@attrs.define
class Rules:
    """Elaborates all rules of a game; ``made`` collects rules and options by id, in the order of the text."""

    env: Environment
    made: dict[str, ir.Rule] = attrs.field(factory=dict)
    handlers: dict[str, list[str]] = attrs.field(factory=dict)
    watchers: list[str] = attrs.field(factory=list)

    def signatures(self) -> None:
        """What others see of each rule, so that rules may call each other in any order."""
        env = self.env
        for id_, rule in env.linked.rules.items():
            source = (rule.id, rule.params, rule.triggers, rule.head)
            make = functools.partial(self._signature_alone, rule)
            env.signatures.values_[id_] = env.remembered("signature of rule", id_, source, make)

    def run(self) -> None:
        env = self.env
        rules = env.linked.rules
        for id_, rule in rules.items():
            made, seen = env.remembered("rule", id_, (rule,), functools.partial(self.top, rule))
            self.made |= made
            env.rules.values_.update(seen)
        for id_ in rules:
            rule_ = self.made[id_]
            if rule_.event is not None:
                self.handlers.setdefault(rule_.event, []).append(id_)
            if rule_.whenever is not None:
                self.watchers.append(id_)

    def _signature_alone(self, rule: tree.Rule) -> tuple[ir.Param, ...]:
        return self._signature(Expressions(self.env, Scope(Frame()), rule.id), rule)

    def _signature(self, e: Expressions, rule: tree.Rule) -> tuple[ir.Param, ...]:
        made = params(self.env, e, rule.params, rule.id)
        for trigger in rule.triggers:
            if trigger.word == "on":
                made += self._event_params(e, rule, trigger)
        return made

    def _event_params(self, e: Expressions, rule: tree.Rule, trigger: tree.Trigger) -> tuple[ir.Param, ...]:
        event = self.env.events.get(trigger.event or "")
        if event is None:
            self.env.unknown(trigger.event or "", trigger.span, "event", list(self.env.events), rule.id)
            return ()
        if rule.params:
            e.error(
                "R0403",
                rule.head,
                "A rule that waits for an event cannot have parameters.",
                f"Name the values of the event after it: `on {event.name}(...)`.",
            )
        names = trigger.names
        if len(names) not in (0, len(event.types)):
            e.error(
                "R0403",
                trigger.span,
                f"`{event.name}` brings {len(event.types)} values, but {len(names)} are named here.",
                "Name each of them, or none.",
            )
            return ()
        return tuple(
            ir.Param(name, e.declare(name, type_, trigger.span, param=True), type_)
            for name, type_ in zip(names, event.types, strict=bool(names))
        )

    def top(self, rule: tree.Rule) -> tuple[dict[str, ir.Rule], dict[str, RuleSignature]]:
        """A rule with the rules and options inside it, by id; and what examples see of them."""
        scope = Scope(Frame())
        e = Expressions(self.env, scope, rule.id)
        params = self._signature(e, rule)
        made: dict[str, ir.Rule] = {}
        block = Block(made, e, rule.id)
        guard, whenever, event = block.triggers(rule, top=True)
        placeholder = ir.Rule(rule.id, "rule", params, guard, (), (), 0, openly=told_openly(rule), span=rule.head)
        made[rule.id] = placeholder
        needs, body = block.needs_and_body(rule.body)
        made[rule.id] = attrs.evolve(
            placeholder,
            needs=needs,
            body=body,
            frame=scope.frame.size,
            event=event,
            whenever=whenever,
            deep=depth(self.env, rule.deep, rule.id),
        )
        return made, {id_: _seen(rule) for id_, rule in made.items()}


def _seen(rule: ir.Rule) -> RuleSignature:
    binds = tuple((bind.name, bind.type) for bind in rule.binds.binds) if rule.binds is not None else ()
    return RuleSignature(rule.kind, rule.params, rule.parent, binds)
