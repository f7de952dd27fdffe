"""Hidden information: nobody is offered choices that would reveal what they are not meant to see."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from .. import program as ir
from ..diagnostics import Label, Sink
from ..program.analysis.index import Index
from ..program.substitute import substitute
from ..program.walk import children, statements, walk

_SUMS = ("size",)


def check(index: Index, rule: str, sink: Sink) -> None:
    program = index.program
    for node in index.nodes[rule] if index.hidden else ():
        if isinstance(node, ir.Choose):
            _parts(index, node.who, [node.binds], node, rule, sink)
        elif isinstance(node, ir.Pay):
            source = ir.Read(node.source.variable, node.source.indices, program.variables[node.source.variable].type)
            _parts(index, node.who, [source], node, rule, sink)
        elif isinstance(node, ir.Menu):
            for id_ in node.options:
                option = program.rules[id_]
                parts: list[ir.Node] = [n.condition for n in option.needs]
                if option.binds is not None:
                    parts.append(option.binds)
                _parts(index, node.who, parts, node, id_, sink)


def _parts(index: Index, who: ir.Expr, parts: Sequence[ir.Node], node: ir.Node, rule: str, sink: Sink) -> None:
    program = index.program
    for part in parts:
        for read in _hidden_reads(program, part, index.hidden, 0):
            variable = program.variables[read.variable]
            if variable.seen_by == "owner" and read.indices and read.indices[0] == who:
                continue
            seen = "nobody can see" if variable.seen_by == "nobody" else "only its owner can see"
            sink.error(
                "R0508",
                read.span if read.span.line else node.span,
                f"These options would reveal what is in `{variable.name}`, which {seen}.",
                labels=[Label(variable.span, "declared here")],
                help="Let the owner choose, look only at how many there are, or change who sees it.",
                rule=rule,
            )


def _hidden_reads(program: ir.Program, part: ir.Node, hidden: frozenset[str], depth: int) -> list[ir.Read]:
    """Reads of hidden contents, also inside definitions. Counting a place that is ``counted`` shows nothing new."""
    found: list[ir.Read] = []
    allowed: set[int] = set()
    for node in walk(part):
        if isinstance(node, ir.Apply) and node.op in _SUMS and isinstance(node.arguments[0], ir.Read):
            if program.variables[node.arguments[0].variable].counted:
                allowed.add(id(node.arguments[0]))
        elif isinstance(node, ir.Read) and node.variable in hidden and id(node) not in allowed:
            found.append(node)
        elif isinstance(node, ir.Call) and depth < 12:
            definition = program.definitions[node.definition]
            slots = {p.slot: a for p, a in zip(definition.params, node.arguments, strict=True)}
            found.extend(_hidden_reads(program, substitute(definition.body, slots), hidden, depth + 1))
        elif isinstance(node, (ir.After, ir.Do)) and depth < 12:
            rule = program.rules[node.rule]
            slots = {p.slot: a for p, a in zip(rule.params, node.arguments, strict=True)}
            for step in (*children(attrs.evolve(rule, body=())), *statements(program, rule.body)):
                inside = _hidden_reads(program, substitute(step, slots), hidden, depth + 1)
                found.extend(attrs.evolve(read, span=node.span) for read in inside)
        elif isinstance(node, ir.Place) and node.variable in hidden:
            found.append(ir.Read(node.variable, node.indices, program.variables[node.variable].type, span=node.span))
    return found
