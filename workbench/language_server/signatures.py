"""Signatures: what goes into the brackets that the cursor is in."""

from __future__ import annotations

import re

import attrs
from lsprotocol import types

from rulelang.elaborate import Elaborated
from rulelang.program import Param
from rulelang.syntax.layout import without_comment
from rulelang.types import describe
from rulelang.words import FUNCTIONS

from .session import Desk, Document

_NAME = re.compile(r"([^\W\d]\w*(?:\.[^\W\d]\w*)*)\s*$")

_LINES = 20
"""Lines above the cursor in which the brackets may be opened."""


@attrs.frozen
class Call:
    """Brackets around the cursor. ``position``: of the value that the cursor is in, from 0."""

    name: str
    bracket: str
    position: int


def signature_help(desk: Desk, document: Document, params: types.SignatureHelpParams) -> types.SignatureHelp | None:
    """The parameters of what is called around the cursor, or the owners of a variable."""
    call = call_around(_before(document, params.position)) if document.suffix == ".rules" else None
    root = desk.root(document)
    made = None if root is None else desk.made(root)
    if call is None or made is None:
        return None
    parts = _parameters(made, call)
    if parts is None:
        return None
    closing = ")" if call.bracket == "(" else "]"
    label = f"{call.name}{call.bracket}{', '.join(parts)}{closing}"
    shown = types.SignatureInformation(label, parameters=[types.ParameterInformation(part) for part in parts])
    return types.SignatureHelp([shown], active_signature=0, active_parameter=min(call.position, len(parts)))


def _before(document: Document, position: types.Position) -> str:
    """The code before the cursor, without comments and the contents of texts."""
    line, column = document.lines.place(position)
    lines = [without_comment(document.lines.line(n)) for n in range(max(0, line - 1 - _LINES), line - 1)]
    return "\n".join([*lines, without_comment(document.lines.line(line - 1)[: column - 1])])


def call_around(code: str) -> Call | None:
    """The innermost brackets that are open at the end of ``code``, with the name in front of them."""
    depth = commas = 0
    for offset in range(len(code) - 1, -1, -1):
        char = code[offset]
        if char in ")]}":
            depth += 1
        elif char in "([{" and depth:
            depth -= 1
        elif char in "([{":
            name = _NAME.search(code[:offset])
            return Call(name[1], char, commas) if name is not None and char != "{" else None
        elif char == "," and not depth:
            commas += 1
    return None


def _parameters(made: Elaborated, call: Call) -> list[str] | None:
    program, name = made.program, call.name
    if call.bracket == "[":
        variable = program.variables.get(name)
        return None if variable is None else [owner.domain.name for owner in variable.owners] or None
    if name in program.definitions:
        return _written(program.definitions[name].params)
    if name in program.graphs:
        return _written(program.graphs[name].params)
    if name in program.rules:
        rule = program.rules[name]
        if rule.binds is not None:
            return [f"{bind.name}: {describe(bind.type)}" for bind in rule.binds.binds]
        return _written(rule.params)
    if name in program.events:
        return [describe(type_) for type_ in program.events[name].types]
    return list(FUNCTIONS[name]) if name in FUNCTIONS else None


def _written(params: tuple[Param, ...]) -> list[str]:
    return [f"{param.name}: {describe(param.type)}" for param in params]
