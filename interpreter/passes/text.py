"""Text of what the passes made of a program."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from rulelang.program import Call, ColumnOf, Definition, Program
from rulelang.program.analysis.reads import Parts, reached
from rulelang.source import Span

from . import PASSES, off, portions
from .remember import Kept, Plan


def passes_text(
    program: Program, plan: Plan, done: Mapping[str, Sequence[tuple[str, Span]]], within: Parts = None
) -> str:
    """A paragraph for each pass. ``program``: as the passes left it; ``done``: by pass, names and places.

    ``within``: shows only what a part of the program uses.
    """
    used = set(program.definitions)
    if within is not None:
        used = {node.definition for node in reached(program, within) if isinstance(node, Call)}
    lines = {
        "tables": list(_tables(program, used)),
        "portions": [_portion(program.definitions[name]) for name in sorted(used) if portions.is_portion(name)],
        "remember": [_kept(name, how, plan) for name, how in sorted(plan.kept.items()) if name in used],
    }
    for name, places in done.items():
        lines[name] = list(dict.fromkeys(f"{where}, line {span.line}" for where, span in places))
    return "".join(_paragraph(name, lines.get(name, ())) for name in PASSES)


def _paragraph(name: str, lines: Sequence[str]) -> str:
    found = ["switched off"] if name in off() else lines or ["nothing here"]
    return f"{name}: {PASSES[name]}\n" + "".join(f"  {line}\n" for line in found)


def _tables(program: Program, used: Collection[str]) -> Iterator[str]:
    for name, definition in program.definitions.items():
        body = definition.body
        if name in used and isinstance(body, ColumnOf) and body.table == f"values of {name}":
            yield f"{name}, {len(program.tables[body.table].domain)} values"


def _portion(definition: Definition) -> str:
    asked = ", ".join(param.name for param in definition.params)
    return f"{definition.name}, line {definition.span.line}, by {asked}"


def _kept(name: str, how: Kept, plan: Plan) -> str:
    until = "for ever" if how.clock is None else f"until {' or '.join(sorted(plan.clocks[how.clock]))} changes"
    return f"{name}, for {how.entries} combinations of arguments, {until}"
