"""Inlay hints: what numbers are worked out to, and which parameters the values of a call are for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from lsprotocol import types

from rulelang.program import Program
from rulelang.syntax import tree
from rulelang.syntax.walk import walk

from .outline import items_of
from .session import Desk, Document


def hints(desk: Desk, document: Document, params: types.InlayHintParams) -> list[types.InlayHint]:
    """The hints in a stretch of a rules file."""
    root = desk.root(document)
    if root is None or document.suffix != ".rules":
        return []
    made, report = desk.made(root), desk.present(root)
    if made is None:
        return []
    values = () if report is None else report.programs
    first, last = params.range.start.line + 1, params.range.end.line + 1
    items = [item for item in items_of(document).items if item.span.line <= last and item.span.end_line >= first]
    found = [hint for item in items for hint in _of_item(document, item, made.program, values)]
    return [hint for hint in found if first <= hint.position.line + 1 <= last]


def _of_item(
    document: Document, item: tree.Item, program: Program, values: Sequence[Program]
) -> Iterator[types.InlayHint]:
    """``program``: as far as it is understood; ``values``: those without mistakes, which alone tell values."""
    if isinstance(item, tree.Number):
        yield from _value(document, item, values)
    for node in walk(item):
        match node:
            case tree.Do(rule=name, arguments=arguments) | tree.Run(rule=name, arguments=arguments):
                yield from _parameters(document, arguments, _names(program.rules, name))
            case tree.Apply(function=tree.Name(name=name), arguments=arguments):
                yield from _parameters(document, arguments, _names(program.definitions, name))


def _value(document: Document, item: tree.Number, programs: Sequence[Program]) -> Iterator[types.InlayHint]:
    """The value of a number that is worked out, or that differs with the number of players."""
    if item.plain and isinstance(item.cases[0].value, tree.Integer):
        return
    values = {program.players: program.numbers[item.name] for program in programs if item.name in program.numbers}
    if not values:
        return
    different = len(set(values.values())) > 1
    told = ", ".join(f"{value} with {players}" for players, value in values.items())
    text = told if different else str(next(iter(values.values())))
    line = document.lines.line(item.span.line - 1).split("#")[0].rstrip()
    place = document.lines.position(item.span.line, len(line) + 1)
    yield types.InlayHint(place, f"= {text}", kind=types.InlayHintKind.Type, padding_left=True)


def _names(things: Mapping[str, object], name: str) -> tuple[str, ...]:
    """The names of the parameters of a rule or a definition."""
    params = getattr(things.get(name), "params", ())
    return tuple(param.name for param in params)


def _parameters(document: Document, given: Sequence[tree.Expr], names: Sequence[str]) -> Iterator[types.InlayHint]:
    """The name of a parameter before each value that does not say the same."""
    for value, name in zip(given, names, strict=False):
        if not (isinstance(value, tree.Name) and value.name == name):
            place = document.lines.position(value.span.line, value.span.column)
            yield types.InlayHint(place, f"{name}:", kind=types.InlayHintKind.Parameter, padding_right=True)
