"""The stages of a game as text, whole or for one rule."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from rulelang.program import Rule
from rulelang.program.listing import Listing, program_text, rule_text
from rulelang.words import several

from .planned import plan_of, plan_text

if TYPE_CHECKING:
    from interpreter.lowered.code import Unit
    from interpreter.wasm.write.module import Module
    from rulelang.syntax.tree import File, Node


_FUNCTION = re.compile(r"^\(func \$([^\s()]+)", re.MULTILINE)


def indented(text: str) -> str:
    """The text with every line indented by how many brackets are open before it."""
    return "".join(f"{line}\n" for line in _statements(text))


def _statements(text: str) -> Iterator[str]:
    depth = 0
    for line in text.splitlines():
        bare = line.strip()
        if not bare:
            continue
        code = re.sub(r'"[^"]*"', '""', bare).partition(";;")[0]
        closes = len(code) - len(code.lstrip(")"))
        yield "  " * max(0, depth - closes) + bare
        depth += code.count("(") - code.count(")")


def function_of(text: str, name: str) -> str | None:
    """The text of one function of a module; None when there is no such function."""
    starts = [match.start() for match in _FUNCTION.finditer(text) if match[1] == name]
    if not starts:
        return None
    start = starts[0]
    depth = 0
    for place in range(start, len(text)):
        if text[place] == "(":
            depth += 1
        elif text[place] == ")":
            depth -= 1
            if depth == 0:
                return text[start : place + 1]
    return None


_TREE = Listing(places=True)
_CODE = Listing(hidden=frozenset({"rule", "sites", "labels"}))


class UnknownRule(Exception):
    """There is no such rule or option. The message suggests another."""


@attrs.frozen
class StageRequest:
    """A game as it is asked for; see ``rulelang.load``. ``rule``: the id of one rule or option, None for all.

    ``playouts``: of the WebAssembly, the module that plays whole games instead of the one that stops at decisions.
    """

    path: Path
    players: int | None
    settings: Mapping[str, str]
    variants: Sequence[str]
    rule: str | None
    playouts: bool = False


def stage_text(stage: str, request: StageRequest) -> str:
    """The text of a stage, ending with a line break.

    Raises UnknownRule, and what ``rulelang.load`` raises.
    """
    return {
        "tree": _tree,
        "program": _program,
        "code": _code,
        "passes": _plan,  # what passes do is told by the plan that they lead to
        "plan": _plan,
        "wat": _wat,
    }[stage](request)


def _tree(request: StageRequest) -> str:
    """The items of the game's files as written, variants beside them: trees are what there is before linking."""
    from rulelang import workspace
    from rulelang.diagnostics import RulesError, Sink
    from rulelang.syntax.walk import rules_in

    sink = Sink()
    files, names = workspace.default().open(request.path, request.variants, sink, examples=False)
    if sink.has_errors:
        raise RulesError(sink, files.sources)
    chosen = [*files.parts, *(files.variants[name] for name in names)]
    if request.rule is None:
        return "".join(f"-- {file.span.file}\n" + "".join(map(_TREE.text, file.items)) for file in chosen)
    ids: list[str] = []
    for file in chosen:
        for node in rules_in(tuple(_bodies(file))):
            ids.append(node.id)
            if node.id == request.rule:
                return _TREE.text(node)
    raise unknown(request.rule, ids)


def _bodies(file: File) -> list[Node]:
    """The rules of a file, also those that a variant puts in the place of others or between statements."""
    from rulelang.syntax import tree

    found: list[Node] = []
    for item in file.items:
        match item:
            case tree.Rule():
                found.append(item)
            case tree.Replace(inner) if isinstance(inner, (tree.Rule, tree.MenuOption)):
                found.append(inner)
            case tree.Insert(body=body):
                found.extend(body)
            case tree.ExtendRule(options=options):
                found.extend(options)
    return found


def _program(request: StageRequest) -> str:
    import rulelang

    program = rulelang.load(request.path, request.players, request.settings, request.variants)
    if request.rule is None:
        return program_text(program)
    if request.rule not in program.rules:
        raise unknown(request.rule, program.rules)
    return rule_text(program, program.rules[request.rule])


def _code(request: StageRequest) -> str:
    import rulelang
    from interpreter.lowered.lower import lower_program

    program = rulelang.load(request.path, request.players, request.settings, request.variants)
    units = lower_program(program)
    if request.rule is None:
        return "".join(_unit_text(unit) for unit in units.values() if _is_root(program.rules, unit.rule))
    if request.rule not in program.rules:
        raise unknown(request.rule, program.rules)
    return _unit_text(units[_unit(program.rules, request.rule)])


def _unit_text(unit: Unit) -> str:
    return f"unit {unit.rule}, {several(len(unit.sites), 'site')}\n" + _CODE.text(unit)


def written(request: StageRequest) -> Module:
    """The writer of a module that has been written."""
    import rulelang
    from interpreter.position.blueprint import Blueprint
    from interpreter.wasm.write.module import Module

    program = rulelang.load(request.path, request.players, request.settings, request.variants)
    if request.rule is not None and request.rule not in program.rules:
        raise unknown(request.rule, program.rules)
    module = Module(Blueprint(program), steps=not request.playouts)
    module.text()
    return module


def plan(request: StageRequest) -> dict[str, list[dict[str, Any]]]:
    """The plan as plain data. Raises as ``stage_text``."""
    return plan_of(written(request), request.rule)


def _plan(request: StageRequest) -> str:
    return plan_text(plan(request))


def _wat(request: StageRequest) -> str:
    module = written(request)
    text, rules = module.text(), module.program.rules
    if request.rule is None:
        return indented(text)
    root = _root(rules, request.rule)
    found = function_of(text, f"r{list(rules).index(root)}")
    if found is None:
        raise UnknownRule(f"Nothing runs the rule `{root}` in a whole game, so no function is written for it.")
    return f";; {root}\n{indented(found)}"


def _is_root(rules: Mapping[str, Rule], unit: str) -> bool:
    return unit not in rules or _root(rules, unit) == unit


def _root(rules: Mapping[str, Rule], rule: str) -> str:
    """The rule at the top level that a rule or an option stands in."""
    parent = rules[rule].parent
    return rule if parent is None else _root(rules, parent)


def _unit(rules: Mapping[str, Rule], rule: str) -> str:
    """The unit that holds the code of a rule; an option is part of the rule that asks for it."""
    return rule if rules[rule].kind == "rule" else _root(rules, rule)


def unknown(rule: str, known: Iterable[str]) -> UnknownRule:
    from rulelang.diagnostics import did_you_mean

    near = did_you_mean(rule, known)
    return UnknownRule(f"There is no rule or option `{rule}`." + (f" {near}" if near else ""))
