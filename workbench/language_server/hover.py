"""Hovering: what is known about the name under the cursor, in a few lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

import attrs
from lsprotocol import types

from interpreter.examples.one import table_of
from interpreter.examples.runner import run_one
from interpreter.examples.step_text import as_written
from interpreter.game import State
from rulelang import program as ir
from rulelang.diagnostics import Sink
from rulelang.elaborate import Elaborated
from rulelang.names.symbols import Use
from rulelang.program import Param, Program
from rulelang.source import Span
from rulelang.syntax import tree
from rulelang.syntax.forms import forms_at
from rulelang.syntax.layout import without_comment
from rulelang.syntax.walk import rules_in, walk
from rulelang.types import Type, describe
from rulelang.words import FUNCTIONS, usage

from ..rulebook.glossary import read_glossary
from ..rulebook.texts import RulebookText, fill, read_texts
from . import example_verdicts
from .lenses import counted
from .outline import items_of
from .renaming import Named, name_at
from .session import Desk, Document

_MOST = 8
"""Names listed in one line."""

_STATEMENTS = 6
"""Statements of the rulebook that are shown."""


def hover(desk: Desk, document: Document, params: types.HoverParams) -> types.Hover | None:
    """What is known about the name under the cursor."""
    named = name_at(desk, document, params.position)
    if named is None:
        return _of_word(document, params.position)
    parts = [part for part in _parts(desk, named) if part]
    if not parts:
        return None
    return types.Hover(_markdown("\n\n".join(parts)), document.lines.range(named.use.span))


def _of_word(document: Document, position: types.Position) -> types.Hover | None:
    """How a built-in function is used, or what a keyword means where it stands."""
    word, span = document.word(position)
    if document.suffix != ".rules":
        return None
    lines, number = document.lines, span.start.line
    line = lines.line(number)
    start, end = (lines.offset(place) - lines.starts[number] for place in (span.start, span.end))
    if word in FUNCTIONS and line[end : end + 1] == "(":
        return types.Hover(_markdown(f"```rulelang\n{usage(word)}\n```\n\nBuilt in."), span)
    told = [f"```rulelang\n{form.text}\n```\n\n{form.meaning}" for form in forms_at(line, start, end)]
    return types.Hover(_markdown("\n\n".join(told)), span) if told else None


def _markdown(text: str) -> types.MarkupContent:
    return types.MarkupContent(types.MarkupKind.Markdown, text)


def _parts(desk: Desk, named: Named) -> Iterator[str]:
    symbol = named.use.symbol
    program = named.symbols.meaning.program
    yield _written(named)
    if program is not None:
        yield _about(desk, named, program)
    if symbol.group in ("thing", "rule"):
        yield from _said(desk, named)
    if symbol.group in ("thing", "rule", "column", "member"):
        yield _used(named)
    if symbol.group == "rule":
        yield f"{_runs(desk, named)}{_examples(named)}"


def _written(named: Named) -> str:
    """The line in which something is declared, as it is written."""
    symbol = named.use.symbol
    span = named.symbols.declaration(symbol)
    source = None if span is None else named.symbols.files.sources.get(span.file)
    if span is None or source is None or span.line > len(source.lines):
        return f"```rulelang\n{symbol.name}\n```"
    return f"```rulelang\n{_owner(named, span)}{source.lines[span.line - 1].strip()}\n```"


def _owner(named: Named, span: Span) -> str:
    """The line above a variable or a member that says whose it is."""
    for item in named.symbols.items(span.file):
        if item.span.line < span.line <= item.span.end_line and isinstance(item, tree.Variables):
            return f"{named.symbols.files.sources[span.file].lines[item.span.line - 1].strip()}\n  "
    return ""


# ---------------------------------------------------------------- type, bounds, value, who may see it


def _about(desk: Desk, named: Named, program: Program) -> str:
    symbol = named.use.symbol
    name = symbol.name
    match symbol.group:
        case "local":
            found = named.symbols.meaning.type_of(named.use.span) or _parameter(named)
            return "" if found is None else f"{describe(found).capitalize()}."
        case "column":
            table = program.tables.get(symbol.of or "")
            found = None if table is None else table.types.get(name)
            return f"A column of `{symbol.of}`." if found is None else f"A column of `{symbol.of}`: {describe(found)}."
        case "member" if symbol.of in program.domains:
            return f"One of the {len(program.domains[symbol.of])} in `{symbol.of}`."
        case "thing" if name in program.numbers:
            return _number(name, desk.programs(named.root))
        case "thing" if name in program.variables:
            return _variable(program.variables[name])
        case "thing" if name in program.definitions:
            return f"Gives {describe(program.definitions[name].type)}."
        case "thing" if name in program.settings:
            return _setting(program.settings[name])
        case "thing" if name in program.ranges:
            found_range = program.ranges[name]
            return f"A number from {found_range.low} to {found_range.high}."
        case "thing" if name in program.domains:
            members = program.domains[name].members
            return f"{len(members)}: {_list(members)}."
    return ""


def _parameter(named: Named) -> Type | None:
    """The type of a parameter, seen where it is named."""
    for use in named.symbols.of(named.use.symbol):
        found = named.symbols.meaning.type_of(use.span)
        if found is not None:
            return found
    return None


def _number(name: str, programs: Sequence[Program]) -> str:
    values = {program.players: program.numbers[name] for program in programs if name in program.numbers}
    if not values:
        return ""
    if len(set(values.values())) == 1:
        return f"Always {next(iter(values.values()))}." if len(values) > 1 else f"{next(iter(values.values()))}."
    shown = [f"{value} for {players} player{'' if players == 1 else 's'}" for players, value in values.items()]
    return f"{', '.join(shown)}."


_SEEN = {
    "all": "Everybody sees it.",
    "owner": "Only its owner sees it.",
    "nobody": "Nobody sees it.",
    "others": "Everybody but its owner sees it.",
    "some": "Only some see it; the declaration says who.",
}


def _variable(variable: ir.Variable) -> str:
    kind = describe(variable.type) if variable.kind == "value" else f"a {variable.kind}"
    if variable.element is not None:
        kind += f" of {describe(variable.element)}"
    capacity = "" if variable.capacity is None else f", at most {variable.capacity}"
    seen = _SEEN[variable.seen_by]
    if variable.counted:
        seen += " Everybody sees how many pieces there are."
    seen += " The next game begins with it." if variable.carried else ""
    return f"{kind[:1].upper()}{kind[1:]}{capacity}. {seen}"


def _setting(setting: ir.Setting) -> str:
    why = f" Because: {setting.because}" if setting.because else ""
    return f"{setting.kind.capitalize()}: {_list(setting.domain.members)}; by default {setting.default}.{why}"


# ---------------------------------------------------------------- what the rulebook says


def _said(desk: Desk, named: Named) -> Iterator[str]:
    """The statements of the rulebook in the reader's language, or in the game's first."""
    text = text_for(desk, read_texts(named.symbols.files, Sink()))
    if text is None:
        return
    programs = desk.programs(named.root)
    said = text.about(named.use.symbol.name)
    glossary = read_glossary(named.symbols.files.root / "text", Sink(), {}) if programs and said else None
    for statement in said[:_STATEMENTS]:
        words = statement.text
        if programs:
            words = fill(words, text.language, programs, statement.span, Sink(), programs[-1].players, glossary)
        yield f"> {words}"
    if len(said) > _STATEMENTS:
        yield f"> ... ({len(said) - _STATEMENTS} more)"


def text_for(desk: Desk, texts: Sequence[RulebookText]) -> RulebookText | None:
    """The rulebook text for the person at the editor."""
    wanted = (desk.language or "en").lower().replace("_", "-").split("-")[0]
    by_language = {text.language: text for text in texts}
    return by_language.get(wanted) or by_language.get("en") or next(iter(texts), None)


# ---------------------------------------------------------------- where it is used


def _used(named: Named) -> str:
    """Where something is read and changed."""
    changed: dict[str, None] = {}
    read: dict[str, None] = {}
    for use in named.symbols.of(named.use.symbol):
        place = None if use.mention.declares else place_of(named, use)
        if place is not None:
            (changed if use.mention.changes else read)[place] = None
    lines = []
    if changed:
        lines.append(f"Changed in {_list([f'`{name}`' for name in changed])}.")
    if read.keys() - changed.keys():
        what = "Run or named" if named.use.symbol.group == "rule" else "Read"
        lines.append(f"{what} in {_list([f'`{name}`' for name in read if name not in changed])}.")
    return " ".join(lines)


_DECLARED = tuple(kind for kind in get_args(tree.Item) if kind not in (tree.Example, tree.Game))


def place_of(named: Named, use: Use) -> str | None:
    """The rule, definition ... that a mention is in; None for an example."""
    for item in named.symbols.items(use.span.file):
        if item.span.line <= use.span.line <= item.span.end_line:
            if isinstance(item, tree.Rule):
                inner = [r for r in _rules(item) if r.span.line <= use.span.line <= r.span.end_line]
                return inner[-1].id if inner else item.id
            return getattr(item, "name", None) if isinstance(item, _DECLARED) else None
    return None


def _rules(rule: tree.Rule) -> list[tree.Rule | tree.MenuOption]:
    return sorted(rules_in((rule,)), key=lambda r: (r.span.line, -r.span.end_line))


def _runs(desk: Desk, named: Named) -> str:
    """How many examples run a rule, and what keeps others from running."""
    if not example_verdicts.verdicts_of(desk, named.root):
        return ""
    return f"Run by {counted(desk, named.root, named.use.symbol.name)}. "


def _examples(named: Named) -> str:
    """The examples that name a rule, and the lines of sources that they document."""
    examples = [
        item
        for file in named.symbols.file_names()
        for item in named.symbols.items(file)
        if isinstance(item, tree.Example)
    ]
    lines = {use.span.file: set[int]() for use in named.symbols.of(named.use.symbol)}
    for use in named.symbols.of(named.use.symbol):
        lines[use.span.file].add(use.span.line)
    naming = [
        example
        for example in examples
        if any(example.span.line <= line <= example.span.end_line for line in lines.get(example.span.file, ()))
    ]
    if not naming:
        return "No example names it."
    passages: dict[str, None] = {}
    for example in naming:
        for step in example.steps:
            for passage in step.passages if isinstance(step, tree.Documented) else ():
                last = "" if passage.first == passage.last else f"-{passage.last}"
                passages[f"{passage.language} {passage.first}{last}"] = None
    sources = f", about lines {_list(list(passages))} of the sources" if passages else ""
    count = f"{len(naming)} examples name it" if len(naming) > 1 else "One example names it"
    return f"{count}{sources}."


def _list(names: Sequence[str]) -> str:
    shown = list(names[:_MOST])
    more = len(names) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


# Signatures: what goes into the brackets that the cursor is in.


_NAME = re.compile(r"([^\W\d]\w*(?:\.[^\W\d]\w*)*)\s*$")

_LINES = 20
"""Lines above the cursor in which the brackets may be opened."""


@attrs.frozen
class OpenCall:
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


def call_around(code: str) -> OpenCall | None:
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
            return OpenCall(name[1], char, commas) if name is not None and char != "{" else None
        elif char == "," and not depth:
            commas += 1
    return None


def _parameters(made: Elaborated, call: OpenCall) -> list[str] | None:
    program, name = made.program, call.name
    if call.bracket == "[":
        variable = program.variables.get(name)
        return None if variable is None else [owner.domain.name for owner in variable.owners] or None
    if name in program.definitions:
        return _parameter_texts(program.definitions[name].params)
    if name in program.graphs:
        return _parameter_texts(program.graphs[name].params)
    if name in program.rules:
        rule = program.rules[name]
        if rule.binds is not None:
            return [f"{bind.name}: {describe(bind.type)}" for bind in rule.binds.binds]
        return _parameter_texts(rule.params)
    if name in program.events:
        return [describe(type_) for type_ in program.events[name].types]
    return list(FUNCTIONS[name]) if name in FUNCTIONS else None


def _parameter_texts(params: tuple[Param, ...]) -> list[str]:
    return [f"{param.name}: {describe(param.type)}" for param in params]


# Inlay hints: what numbers are worked out to, which parameters the values of a call are for, and what a step of an
# example changes.


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
    for example in (item for item in items if isinstance(item, tree.Example)):
        steps = desk.kept(("steps", root, example.id), lambda e=example: _steps_of(desk, root, e.id))  # type: ignore[misc]
        found += [_beside(document, line, told) for line, told in steps.items()]
    return [hint for hint in found if first <= hint.position.line + 1 <= last]


def _beside(document: Document, line: int, told: str) -> types.InlayHint:
    """A hint behind what a line says."""
    place = document.lines.position(line, len(document.lines.line(line - 1).split("#")[0].rstrip()) + 1)
    return types.InlayHint(place, told, kind=types.InlayHintKind.Type, padding_left=True)


def _of_item(
    document: Document, item: tree.Item, program: Program, values: Sequence[Program]
) -> Iterator[types.InlayHint]:
    """``program``: as far as it is understood; ``values``: those without mistakes, which alone tell values."""
    if isinstance(item, tree.Number):
        yield from _value(document, item, values)
    for node in walk(item):
        match node:
            case tree.Do(rule=name, arguments=arguments) | tree.Run(rule=name, arguments=arguments):
                yield from _parameter_hints(document, arguments, _names(program.rules, name))
            case tree.Apply(function=tree.Name(name=name), arguments=arguments):
                yield from _parameter_hints(document, arguments, _names(program.definitions, name))


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
    yield _beside(document, item.span.line, f"= {text}")


def _names(things: Mapping[str, object], name: str) -> tuple[str, ...]:
    """The names of the parameters of a rule or a definition."""
    params = getattr(things.get(name), "params", ())
    return tuple(param.name for param in params)


def _parameter_hints(document: Document, given: Sequence[tree.Expr], names: Sequence[str]) -> Iterator[types.InlayHint]:
    """The name of a parameter before each value that does not say the same."""
    for value, name in zip(given, names, strict=False):
        if not (isinstance(value, tree.Name) and value.name == name):
            place = document.lines.position(value.span.line, value.span.column)
            yield types.InlayHint(place, f"{name}:", kind=types.InlayHintKind.Parameter, padding_right=True)


_LETTERS = 100
"""What is told of a step, about at most."""


def _steps_of(desk: Desk, root: Path, written: str) -> dict[int, str]:
    """What each step of an example changes, by the step's last line; of its first case, if it has several."""
    queue = desk.of(example_verdicts.Verdicts).queue(desk, root)
    example = next((one for one in queue.examples if one.written == written), None) if queue is not None else None
    found: dict[int, str] = {}
    before: dict[str, Any] = {}

    def watch(span: Span, state: State) -> None:
        now = table_of(state)
        other = [told for name in before if (told := _change(name, before[name], now[name]))]
        while len(", ".join(other)) > _LETTERS and len(other) > 1:
            other[-2:] = ["…"]
        if other:
            found[span.end_line] = ", ".join(other)
        before.update(now)

    if queue is not None and example is not None:
        run_one(example, queue.games, watch=watch)
    return found


def _change(name: str, old: Any, new: Any) -> str:
    """How a cell changes; of counts, only those that do. Empty where it stays as it is."""
    if isinstance(old, dict) and isinstance(new, dict):
        kinds = [kind for kind in {**old, **new} if old.get(kind, 0) != new.get(kind, 0)]
        counts = ", ".join(f"{kind} {old.get(kind, 0)} → {new.get(kind, 0)}" for kind in kinds)
        return f"{name} {counts}" if kinds else ""
    return "" if old == new else f"{name} {as_written(old)} → {as_written(new)}"
