"""Elaborate an expression that comes as text by itself, with the names of a game."""

from __future__ import annotations

from pathlib import Path

import attrs

from . import program as ir
from .diagnostics import Diagnostic, RulesError, Sink
from .elaborate.environment import Environment
from .files.folder import GameFiles
from .link import Linked
from .source import SourceFile, Span
from .syntax import tree
from .syntax.parse import parse_source

NAME = "expression"
"""What messages call the file."""

MOST = 1_500
"""Characters of an expression."""

_BEFORE = "define value = "
"""An expression is parsed as the value of a definition; findings count their columns without this."""


class ExpressionReader:
    """Reads expressions that use the names of one Program: its numbers, settings, tables, variables, definitions.

    There are no local names but those an expression gives itself (``sum(score[p] for p in Player)``).
    """

    def __init__(self, program: ir.Program) -> None:
        self._env = _environment(program)

    def read(self, text: str) -> ir.Expr:
        """The typed expression. Raises RulesError with the findings; their ``file`` is ``expression``, line 1."""
        line = "".join(" " if character.isspace() else character for character in text)
        sink = Sink()
        parsed = _parsed(line, sink)
        if parsed is not None:
            expr = self._env.reporting_to(sink).expressions().value(parsed)
            if not len(sink):
                return expr
        raise RulesError([_moved(d) for d in sink], {NAME: SourceFile(NAME, line)})


def _parsed(line: str, sink: Sink) -> tree.Expr | None:
    if not line.partition("#")[0].strip():
        sink.error("R0202", _here(), "There is no expression here.", help="For example `count(Player) + 2`.")
        return None
    if len(line) > MOST:
        message = f"This expression has {len(line):,} characters; it may have at most {MOST:,}."
        sink.error("R0104", _here(), message, help="Split it, and join the values yourself.")
        return None
    file = parse_source(SourceFile(NAME, _BEFORE + line), sink)
    match file.items:
        case (tree.Define(value=tree.Node() as value),) if not len(sink):
            return value
    if not len(sink):
        sink.error("R0202", _here(), "This is more than an expression.", help="Leave out what is not part of a value.")
    return None


def _here() -> Span:
    column = len(_BEFORE) + 1
    return Span(NAME, 1, column, 1, column + 1)


def _moved(diagnostic: Diagnostic) -> Diagnostic:
    """The finding with columns counted in the expression alone."""
    labels = tuple(attrs.evolve(label, span=_moved_span(label.span)) for label in diagnostic.labels)
    return attrs.evolve(diagnostic, span=_moved_span(diagnostic.span), labels=labels)


def _moved_span(span: Span) -> Span:
    if span.file != NAME:
        return span
    column = max(1, span.column - len(_BEFORE))
    end = max(column + 1, span.end_column - len(_BEFORE)) if span.end_line == 1 else column + 1
    return Span(NAME, 1, column, 1, end)


def _environment(program: ir.Program) -> Environment:
    """The environment in which the declarations of a Program are worked out."""
    files = GameFiles(Path(), None, (), (), {}, {}, {})
    settings = {name: setting.value for name, setting in program.settings.items()}
    env = Environment(_declared(program), files, program.players, settings, Sink(), program.seats)
    for setting in program.settings.values():
        if set(setting.domain.members) != {"yes", "no"}:
            env.add_members(setting.domain)
    for domain in program.domains.values():
        env.add_domain(domain)
    env.settings.values_.update(program.settings)
    env.grids.values_.update(program.grids)
    env.ranges.values_.update(program.ranges)
    env.tables.values_.update(program.tables)
    env.events.values_.update(program.events)
    env.numbers.update(program.numbers)
    env.take(program)
    env.signatures.values_.update({r.id: r.params for r in program.rules.values() if r.kind == "rule" and not r.parent})
    return env


def _declared(program: ir.Program) -> Linked:
    """What sort of thing each name is. The declarations hold nothing else: nobody asks them for more."""
    linked = Linked(tree.Game(program.name, program.title, program.min_players, program.max_players, (), ()))
    names = linked.names
    for name in program.numbers:
        names[name] = tree.Number(name, ())
    for name, setting in program.settings.items():
        names[name] = tree.Setting(setting.kind, name, setting.domain.members, setting.default)
    for name in program.variables:  # what was shown is asked for by the name of the place
        names[name] = tree.Variable(name, tree.TypeFlag(), None)
        linked.owners[name] = ()
    for name in program.definitions:
        names[name] = tree.Define(name, ())
    for name in program.graphs:
        names[name] = tree.Graph(name, (), tree.Binders(()), ())
    for name, variable in program.variables.items():
        if variable.history:
            names[name] = tree.History(name, (), (), ())
    return linked
