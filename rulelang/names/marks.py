"""Marks of names in the text of an item: where each is written, and the local name that it stands for, if it is one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

import attrs

from ..source import Span
from ..syntax import tree
from ..syntax.layout import without_comment, without_tabs
from ..words import WORDS

Role = Literal["value", "type", "column", "rule", "event", "history", "member", "thing", "variant", "game", "example"]
"""What a name can stand for where it is written: ``value``: whatever an expression can name; ``type``: an enum, a
table, a board, a range, a graph; ``rule``: a rule or an option of a menu; ``thing``: anything declared; ``member``: of
``of``."""


@attrs.frozen
class Local:
    """A name that means something in a part of an item only. ``span``: where it is given; None for one built in."""

    name: str
    span: Span | None


@attrs.frozen
class Mention:
    """A name where it is written. ``declares``: this is where it gets its meaning; ``changes``: it is given a value.

    ``of``: the domain, table or setting that a member or a column belongs to, as far as the text says it.
    """

    role: Role
    name: str
    span: Span
    local: Local | None = None
    declares: bool = False
    changes: bool = False
    of: str | None = None
    applied: bool = False
    """Whether brackets follow, so that it is no member."""


Scope = Mapping[str, Local | str]
"""Names that mean something locally; those that stand for a column, with the name of its table."""

Outer = Mapping[str, Scope]
"""The parameters of rules, by the ids of the rules and options in them: what a variant adds to a rule sees them."""


@attrs.define
class Marks:
    """Finds names in the lines of a file and notes them."""

    file: str
    lines: Sequence[str]
    found: list[Mention] = attrs.field(factory=list)

    def word(self, name: str, within: Span, after: Span | None = None) -> Span | None:
        """The first place of a name in a stretch of code, behind ``after``."""
        line, column = (within.line, within.column) if after is None else (after.end_line, after.end_column)
        before = r"(?<![\w.])" if "." in name else r"(?<!\w)"
        sought = re.compile(rf"{before}{re.escape(name)}(?!\w)")
        while line <= within.end_line:
            code = without_comment(without_tabs(self.lines[line - 1]))
            end = within.end_column - 1 if line == within.end_line else len(code)
            found = sought.search(code, column - 1, end)
            if found is not None:
                return Span(self.file, line, found.start() + 1, line, found.end() + 1)
            line, column = line + 1, 1
        return None

    def words(self, names: Iterable[str], within: Span, after: Span | None = None) -> Iterator[tuple[str, Span]]:
        """The places of names that follow one another."""
        for name in names:
            after = self.word(name, within, after)
            if after is None:
                return
            yield name, after

    def note(
        self, role: Role, name: str, span: Span | None, *, declares: bool = False, changes: bool = False,
        of: str | None = None,
    ) -> Span | None:  # fmt: skip
        if span is not None and name not in WORDS - {"Player"}:
            self.found.append(Mention(role, name, span, None, declares, changes, of))
        return span

    def named(self, role: Role, name: str, within: Span, **how: bool | str | None) -> Span | None:
        """Notes a name that is written somewhere in a stretch: the first word that is it."""
        return self.note(role, name, self.word(name, within), **how)  # type: ignore[arg-type]

    def local(self, name: str, span: Span | None) -> dict[str, Local | str]:
        """Notes that a local name gets its meaning here; the name, for scopes."""
        if not name or span is None:
            return {}
        made = Local(name, span)
        self.found.append(Mention("value", name, span, made, declares=True))
        return {name: made}

    def changed(self, target: tree.Expr) -> None:
        while isinstance(target, tree.Index | tree.Attribute):
            target = target.value
        if isinstance(target, tree.Name):
            self.found.append(Mention("value", target.name, target.span, changes=True, applied=True))

    def use(self, role: Role, name: str, span: Span | None, scope: Scope) -> None:
        if span is None:
            return
        known = scope.get(name)
        if isinstance(known, str):
            self.note("column", name, span, of=known)
        else:
            self.found.append(Mention(role, name, span, known))
