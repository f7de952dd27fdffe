"""Mentions in rules and examples: where each name is written, and the local names that statements give."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

import attrs

from ..source import Span
from ..syntax import tree
from ..syntax.layout import without_comment, without_tabs
from ..syntax.walk import children, fields
from ..words import WORDS

Role = Literal["value", "type", "column", "rule", "event", "history", "member", "thing", "variant", "game", "example"]
"""What a name can stand for where it is written: ``value``: whatever an expression can name; ``type``: an enum, a
table, a board, a range, a graph; ``rule``: a rule or an option of a menu; ``thing``: anything declared; ``member``: of
``of``."""


@attrs.frozen
class LocalMeaning:
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
    local: LocalMeaning | None = None
    declares: bool = False
    changes: bool = False
    of: str | None = None
    applied: bool = False
    """Whether brackets follow, so that it is no member."""


Scope = Mapping[str, LocalMeaning | str]
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

    def local(self, name: str, span: Span | None) -> dict[str, LocalMeaning | str]:
        """Notes that a local name gets its meaning here; the name, for scopes."""
        if not name or span is None:
            return {}
        made = LocalMeaning(name, span)
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


@attrs.define
class RuleMarks(Marks):
    """Notes the names in rules, and in whatever is written as in rules."""

    def params(self, params: Sequence[tree.Param], scope: Scope) -> dict[str, LocalMeaning | str]:
        """The scope of ``params``: what is around them, and they."""
        inner = dict(scope)
        for param in params:
            self.visit(param.type, inner)
            inner |= self.local(param.name, self.word(param.name, param.span))
        return inner

    def triggers(self, rule: tree.Rule, scope: Scope) -> dict[str, LocalMeaning | str]:
        """The scope of a rule that waits for events: the names it gives their values."""
        inner = dict(scope)
        for trigger in rule.triggers:
            if trigger.event is not None:
                after = self.note("event", trigger.event, self.word(trigger.event, trigger.span))
                for name, span in self.words(trigger.names, trigger.span, after):
                    inner |= self.local(name, span)
        return inner

    def rule(self, rule: tree.Rule, scope: Scope, *, declares: bool = True) -> None:
        self.named("rule", rule.id, rule.span, declares=declares)
        inner = self.triggers(rule, self.params(rule.params, scope))
        for trigger in rule.triggers:
            if trigger.condition is not None:
                self.visit(trigger.condition, inner)
        if rule.deep is not None:
            self.visit(rule.deep, inner)
        self.block(rule.body, inner)

    def option(self, option: tree.MenuOption, scope: Scope, *, declares: bool = True) -> None:
        self.named("rule", option.id, option.span, declares=declares)
        inner = dict(scope) if option.binders is None else self.binders(option.binders, scope)
        self.block(option.body, inner)

    def block(self, body: Sequence[tree.Statement], scope: Scope) -> None:
        """Statements in a row: a name that one of them gives is known to those behind it."""
        inner = dict(scope)
        for statement in body:
            inner |= self._statement(statement, inner)

    def _statement(self, s: tree.Statement, scope: dict[str, LocalMeaning | str]) -> Scope:
        """Notes what is in a statement; the names that it gives to those behind it."""
        match s:
            case tree.Rule():
                self.rule(s, scope)
            case tree.Let():
                self.visit(s.value, scope)
                return self.local(s.name, self.word(s.name, s.span, self.word("let", s.span)))
            case tree.Roll():
                return self.binders(s.binders, scope)
            case tree.If() | tree.IfThere() | tree.Each() | tree.Together() | tree.Repeat() | tree.TakeTurns():
                self._with_blocks(s, scope)
            case tree.Choose() | tree.ChooseSome() | tree.Menu():
                inner = self._with_blocks(s, scope)
                return inner if not isinstance(s, tree.Menu) and s.body is None else {}
            case _:
                self.visit(s, scope)
        return {}

    def _with_blocks(self, s: tree.Action, scope: dict[str, LocalMeaning | str]) -> Scope:
        """Notes what a statement looks at, then the names it gives, and what is in its blocks; the names."""
        parts = {name: found for name in fields(type(s)) if (found := getattr(s, name)) is not None}
        for name in ("who", "some", "value", "condition", "start", "aim"):
            if name in parts:
                self.visit(parts[name], scope)
        inner = scope
        for binder in parts["binders"].binders if "binders" in parts else filter(None, [parts.get("binder")]):
            inner = self.binder(binder, inner)
        if isinstance(s, tree.TakeTurns):
            inner = scope | self.local(s.name, self.word(s.name, s.span))
        for name in ("following", "until"):
            if name in parts:
                self.visit(parts[name], inner)
        for option in parts.get("options", ()):
            self.option(option, scope)
        self.block(parts.get("then", parts.get("body", ())), inner)
        self.block(parts.get("otherwise", ()), scope)
        return inner

    # ------------------------------------------------------------ expressions

    def binders(self, binders: tree.Binders, scope: Scope) -> dict[str, LocalMeaning | str]:
        inner = dict(scope)
        for binder in binders.binders:
            inner = self.binder(binder, inner)
        return inner

    def binder(self, binder: tree.Binder, scope: Scope) -> dict[str, LocalMeaning | str]:
        """The scope behind a binder, which its own filters see too."""
        self.visit(binder.domain, scope)
        if binder.start is not None:
            self.visit(binder.start, scope)
        inner = dict(scope)
        if binder.name:
            inner |= self.local(binder.name, self.word(binder.name, binder.span))
        for part in binder.parts:
            inner |= self._apart(part)
        for filter_ in binder.filters:
            self.visit(filter_.condition, inner)
        return inner

    def _apart(self, part: tree.Expr) -> dict[str, LocalMeaning | str]:
        if isinstance(part, tree.Name):
            return self.local(part.name, part.span)
        return {name: local for inner in children(part) for name, local in self._apart(inner).items()}  # type: ignore[arg-type]

    def rest(self, node: tree.Node, scope: Scope, but: type[tree.Node] | tuple[type[tree.Node], ...] = ()) -> None:
        """Notes what is in the parts of a node."""
        for part in children(node):
            if not isinstance(part, but):
                self.visit(part, scope)

    def visit(self, node: tree.Node, scope: Scope) -> None:
        match node:
            case tree.Name():
                self.use("value", node.name, node.span, scope)
            case tree.Apply() | tree.Index():
                head = node.function if isinstance(node, tree.Apply) else node.value
                if isinstance(head, tree.Name) and head.name not in scope:
                    self.found.append(Mention("value", head.name, head.span, applied=True))
                else:
                    self.visit(head, scope)
                for part in node.arguments if isinstance(node, tree.Apply) else node.indices:
                    self.visit(part, scope)
            case tree.TypeName():
                self.note("type", node.name, node.span)
            case tree.TypeRule():
                self.params(node.params, scope)
            case tree.Attribute():
                self.visit(node.value, scope)
                end = node.span
                start = end.end_column - len(node.name)
                of = node.value.name if isinstance(node.value, tree.Name) and node.value.name not in scope else None
                self.note("column", node.name, Span(end.file, end.end_line, start, end.end_line, end.end_column), of=of)
            case tree.Binders():
                self.binders(node, scope)
            case tree.Rule() | tree.Let() | tree.Roll() | tree.Choose() | tree.Each() | tree.Menu():
                self._statement(node, dict(scope))
            case tree.FoldOf() | tree.BundleFor() | tree.FoldMembers() | tree.FoldRanked() | tree.GraphEdge():
                self._with_names(node, scope)
            case tree.WaysStep() | tree.WaysEnd() | tree.VariableAttribute():
                self._with_names(node, scope)
            case _:
                self._named_in(node, scope)
                self.rest(node, scope)

    def _with_names(self, node: tree.Node, scope: Scope) -> None:
        """Notes what is in a node that gives names to its parts; an edge starts where they mean nothing yet."""
        inner, outer = dict(scope), node.source if isinstance(node, tree.GraphEdge) else None
        if outer is not None:
            self.visit(outer, scope)
        match node:
            case tree.WaysStep(name) | tree.WaysEnd(name):
                inner |= self.local(name, self.word(name, node.span))
            case tree.VariableAttribute(name=str() as name):
                inner |= self.local(name, self.word(name, node.span, self.word("by", node.span)))
        binders = getattr(node, "binders", None)
        inner = inner if binders is None else self.binders(binders, inner)
        for part in children(node):
            if part is not outer and part is not binders:
                self.visit(part, inner)

    def _named_in(self, node: tree.Node, scope: Scope) -> None:
        """Names that are part of a statement or step and not of an expression in it."""
        s = node.span
        match node:
            case tree.Do() | tree.Run():
                self._rule(node.rule, s, self.word("do" if isinstance(node, tree.Do) else "run", s), scope)
            case tree.After():
                self._rule(node.rule, s, self.word("do", s, node.value.span), scope)
            case tree.Announce():
                self.named("event", node.event, s)
            case tree.Remember() | tree.Forget():
                self.named("history", node.history, s)
            case tree.Set() | tree.Change():
                self.changed(node.target)
            case tree.Move():
                self.changed(node.source)
                self.changed(node.target)
            case tree.Pay():
                self.changed(node.source)
                self.changed(node.target)
            case tree.Shuffle():
                self.changed(node.place)
            case _:  # all other names stand in expressions
                return

    def _rule(self, name: str, within: Span, after: Span | None, scope: Scope) -> None:
        """A rule that is run, or the column that names it, as in `do c.effect(p)`."""
        place = self.word(name, within, after)
        value, _, column = name.partition(".")
        if place is None or value not in scope or not column:
            self.note("rule", name, place)
            return
        self.use("value", value, attrs.evolve(place, end_column=place.column + len(value)), scope)
        self.note("column", column, attrs.evolve(place, column=place.end_column - len(column)))


def domain_of(type_: tree.TypeExpr) -> str | None:
    """The domain that the members in a value of this type belong to, as far as the text says it."""
    while isinstance(type_, tree.TypeOptional | tree.TypeSet | tree.TypePieces):
        type_ = type_.item
    return type_.name if isinstance(type_, tree.TypeName) else None
