"""The plan of the fast engine, as EXPLAIN shows one: how comprehensions are gone through, and what was not chosen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.passes import PASSES
from interpreter.passes.remember import KeptDefinition, MemoryPlan
from interpreter.wasm.emit.registry import OPERATORS, PlanStep, Registry
from interpreter.wasm.wat.ir import all_weight
from rulelang.files.contents import content
from rulelang.program import Bind, Call, ColumnOf, Expr, Fold, Program
from rulelang.program.analysis.cost_model import Work, members
from rulelang.program.analysis.effects import reached
from rulelang.words import several

if TYPE_CHECKING:
    from interpreter.wasm.write.module import Module
    from rulelang.source import Span

_PASSES_ONE_IN = 4
"""One in so many values is taken to pass the tests that a mask or an index answers."""


def plan_of(module: Module, rule: str | None) -> dict[str, list[dict[str, Any]]]:
    """What is ``derived`` and held, the ``comprehensions`` in the order of the text, and what the ``passes`` did.

    ``module``: one that has been written; ``rule``: the only one to tell of.
    """
    registry, done = module.registry, module.registry.done
    program = registry.program
    part = None if rule is None else program.rules[rule]
    within = list(reached(program, part))
    used = set(program.definitions) if part is None else {n.definition for n in within if isinstance(n, Call)}
    plan = _Plan(program, {name: [span for _, span in found] for name, found in done.items()})
    every: list[dict[str, Any]] = []
    for step in map(plan.of, _shown(registry, None if part is None else {node.span for node in within})):
        if step not in every:
            every.append(step)
    kept = registry.plan.kept.items()
    derived = [*_tables(program, used), *(_kept(name, how, registry.plan) for name, how in kept if name in used)]
    return {"derived": derived, "comprehensions": every, "passes": list(_rewritten(done, rule))}


def _shown(registry: Registry, places: set[Span] | None) -> list[PlanStep]:
    """The steps at some places, or all, in the order of the text.

    In whole games what is counted is not listed as well.
    """
    ranked = {step.node.span for step in registry.planned if step.operator == "unranking" and not registry.steps}
    shown = (step for step in registry.planned if step.node.span not in ranked or step.operator == "unranking")
    found = (step for step in shown if places is None or step.node.span in places)
    return sorted(found, key=lambda step: (step.node.span.file, step.node.span.line, step.node.span.column))


def _rewritten(done: Mapping[str, Sequence[tuple[str, Span]]], rule: str | None) -> Iterator[dict[str, Any]]:
    """What each pass did in a rule, or anywhere."""
    for name, what in PASSES.items():
        # Some say behind the rule what they did.
        lines = {span.line for where, span in done.get(name, ()) if rule is None or where.partition(":")[0] == rule}
        if lines:
            yield {"name": name, "what": what, "lines": sorted(lines)}


def plan_text(plan: dict[str, list[dict[str, Any]]]) -> str:
    """A plan for people to read."""
    named = {step["operator"] for step in plan["comprehensions"]}
    passes = (f"{p['name']}, line {', '.join(map(str, p['lines']))}: {p['what']}" for p in plan["passes"])
    parts = [
        _paragraph("Derived values", [f"{one['name']}: {one['how']}" for one in plan["derived"]]),
        "".join(map(_step_text, plan["comprehensions"])),
        _paragraph("Operators", [f"{name}: {what}" for name, what in OPERATORS.items() if name in named]),
        _paragraph("Passes", list(passes)),
    ]
    return "\n".join(filter(None, parts)) or "Nothing is gone through here.\n"


def _paragraph(title: str, lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in [title, *(f"  {line}" for line in lines)]) if lines else ""


def _step_text(step: dict[str, Any]) -> str:
    cost = "" if step["cost"] is None else f", about {several(step['cost'], 'step')}"
    lines = [f"{step['operator']}{cost}", *(f"each is tested: {test}" for test in step["left"])]
    lines += [f"helped by {name}" for name in step["passes"]]
    lines += [f"not {other['operator']}: {other['reason']}" for other in step["others"]]
    return f"{step['file']}:{step['line']}  {step['text']}\n" + "".join(f"    {line}\n" for line in lines)


def _tables(program: Program, used: set[str]) -> Iterator[dict[str, Any]]:
    for name, definition in program.definitions.items():
        body = definition.body
        if name in used and isinstance(body, ColumnOf) and body.table == f"values of {name}":
            number = len(program.tables[body.table].domain)
            yield {"name": name, "how": f"{several(number, 'value')} worked out beforehand"}


def _kept(name: str, how: KeptDefinition, plan: MemoryPlan) -> dict[str, Any]:
    until = "for ever" if how.clock is None else f"until {' or '.join(sorted(plan.clocks[how.clock]))} changes"
    return {"name": name, "how": f"kept for {several(how.entries, 'combination')} of arguments {until}"}


@attrs.frozen
class _Plan:
    """What steps come to. ``done``: by pass, the places at which it did something."""

    program: Program
    done: dict[str, list[Span]]
    work: Work = attrs.field(init=False)
    files: dict[str, list[str]] = attrs.field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "work", Work(self.program))

    def of(self, step: PlanStep) -> dict[str, Any]:
        """A step as plain data."""
        node = step.node
        others = [
            {"operator": name, "reason": why + (f": {self._all(about)}" if about else "")}
            for name, why, about in step.others
        ]
        if step.operator != "loop":
            through = several(self._through(node, step.tests), "step")
            others.append({"operator": "loop", "reason": f"about {through}"})
        around = [node.span, *(test.span for test in step.tests)]
        helped = [name for name, spans in self.done.items() if any(_holds(a, span) for a in around for span in spans)]
        text = self._text(node.span) if isinstance(node, Fold) else f"{node.name} in {self._text(node.domain.span)}"
        tests = f" where {self._all(step.tests)}" if step.tests else ""
        return {
            "file": node.span.file,
            "line": node.span.line,
            "text": text + tests,
            "operator": step.operator,
            "cost": self._cost(step),
            "left": [self._text(test.span) for test in step.left] if step.operator in ("mask", "semi-join") else [],
            "passes": [name for name in PASSES if name in helped],
            "others": others,
        }

    def _cost(self, step: PlanStep) -> int | None:
        """The steps it is likely to take; None for what is counted together with other names."""
        match step.operator:
            case "loop":
                return self._through(step.node, step.tests)
            case "index":
                return 1 + self._through(step.node, step.tests) // _PASSES_ONE_IN
            case "mask" | "semi-join":
                return all_weight(step.code) + self._through(step.node, step.left) // _PASSES_ONE_IN
            case "unranking":
                return None
        return 1 + all_weight(step.code)

    def _through(self, node: Bind | Fold, tests: Sequence[Expr]) -> int:
        if isinstance(node, Fold):
            return self.work.of(node)
        return members(node.domain) * (1 + sum(map(self.work.of, tests)))

    def _all(self, tests: Sequence[Expr]) -> str:
        return " and ".join(self._text(test.span) for test in tests)

    def _text(self, span: Span) -> str:
        """What stands at a place, on one line."""
        if span.file not in self.files:
            self.files[span.file] = content(Path(span.file), None).decode().splitlines()
        lines = self.files[span.file][span.line - 1 : span.end_line]
        if lines:
            lines[-1] = lines[-1][: span.end_column - 1]
            lines[0] = lines[0][span.column - 1 :]
        return " ".join(line.strip() for line in lines)


def _holds(around: Span, span: Span) -> bool:
    """Whether a stretch of text lies in another."""
    first, last = (around.line, around.column), (around.end_line, around.end_column)
    inside = first <= (span.line, span.column) and (span.end_line, span.end_column) <= last
    return span.file == around.file and inside
