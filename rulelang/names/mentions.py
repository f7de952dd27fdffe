"""Mentions: the places in one item where a name is written, with the local name it stands for, if it is one.

Only the text of the item is looked at, so the mentions of an item that does not change are worked out once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

import attrs

from ..source import Span
from ..syntax import tree
from ..syntax.layout import without_comment, without_tabs
from ..syntax.walk import children
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


def mentions(item: tree.Item, lines: Sequence[str], outer: Outer | None = None) -> tuple[Mention, ...]:
    """The mentions in an item, in no order. ``lines``: of the file that it is in."""
    walk = _Walk(item.span.file, lines, outer or {})
    walk.item(item)
    return tuple(walk.found)


def parameters(rule: tree.Rule, lines: Sequence[str]) -> Scope:
    """The parameters of a rule, by name."""
    walk = _Walk(rule.span.file, lines, {})
    return walk.params(rule.params, {}) | walk.triggers(rule, {})


@attrs.define
class _Walk:
    file: str
    lines: Sequence[str]
    outer: Outer
    found: list[Mention] = attrs.field(factory=list)

    # ------------------------------------------------------------ finding words

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

    # ------------------------------------------------------------ items

    def item(self, item: tree.Item) -> None:
        s = item.span
        match item:
            case tree.Game():
                after = self.named("game", item.name, s, declares=True)
                for name, span in self.words(item.seats, s, after and self.word("seats", s, after)):
                    self.note("member", name, span, declares=True, of="Player")
                for team in item.teams:
                    self.named("thing", team.name, team.span, declares=True)
                    self.rest(team, {})
            case tree.Part() | tree.Examples():
                self.note("game", item.game, self.word(item.game, s, self.word("of", s)))
            case tree.Variant():
                self._variant(item)
            case tree.Enum() | tree.ExtendEnum():
                after = self.named("thing", item.name, s, declares=isinstance(item, tree.Enum))
                for name, span in self.words(item.members, s, after):
                    self.note("member", name, span, declares=True, of=item.name)
            case tree.Table() | tree.ExtendTable():
                self._table(item)
            case tree.Setting():
                after = self.named("thing", item.name, s, declares=True)
                for name, span in self.words(item.values, s, after):
                    after = self.note("member", name, span, declares=True, of=item.name)
                self.note("member", item.default, self.word(item.default, s, after), of=item.name)
            case tree.Variables():
                self._variables(item)
            case tree.Define() | tree.Graph() | tree.History() | tree.Event():
                self.named("thing", item.name, s, declares=True)
                self._computed(item)
            case tree.Winner() | tree.Out():
                self.rest(item, {"p": Local("p", None)})
            case tree.Invariant():
                self.named("thing", item.id, s, declares=True)
                self.rest(item, {})
            case tree.Rule():
                self.rule(item, {})
            case tree.Example():
                self._example(item)
            case tree.Range() | tree.Grid() | tree.Number():
                self.named("thing", item.name, s, declares=True)
                self.rest(item, {})
            case _:
                self._change(item)

    def _variant(self, item: tree.Variant) -> None:
        after = self.named("variant", item.name, item.span, declares=True)
        for position, (name, span) in enumerate(self.words((*item.of, *item.after), item.span, after)):
            self.note("game" if position == 0 else "variant", name, span)

    def _table(self, item: tree.Table | tree.ExtendTable) -> None:
        after = self.named("thing", item.name, item.span, declares=isinstance(item, tree.Table))
        for name, span in self.words(getattr(item, "parts", ()), item.span, after):
            self.note("type", name, span)
        columns: dict[str, Local | str] = {}
        for column in item.columns:
            self.named("column", column.name, column.span, declares=True, of=item.name)
            self.rest(column, columns)
            columns[column.name] = item.name
        for rows in item.rows:
            if isinstance(rows, tree.RowsInline):
                for row in rows.rows:
                    self.named("member", row.name, row.span, declares=True, of=item.name)
                    self._row(row, item.columns)
            if rows.when is not None:
                self.visit(rows.when, {})
        if item.stand_in is not None:
            self.rest(item.stand_in, columns)

    def _row(self, row: tree.Row, columns: Sequence[tree.Column]) -> None:
        for position, value in enumerate(row.values):
            domain = domain_of(columns[position].type) if position < len(columns) else None
            if isinstance(value, tree.Name) and domain is not None:
                self.note("member", value.name, value.span, of=domain)
            else:
                self.visit(value, {})

    def _variables(self, item: tree.Variables) -> None:
        scope: dict[str, Local | str] = {}
        after: Span | None = None
        keys = item.keys or (None,) * len(item.owners)
        for owner, key in zip(item.owners, keys, strict=True):
            after = self.note("type", owner, self.word(owner, item.span, after))
            if key is not None:
                after = self.word(key, item.span, after)
                scope |= self.local(key, after)
        for variable in item.variables:
            self.named("thing", variable.name, variable.span, declares=True)
            self.rest(variable, scope)

    def _computed(self, item: tree.Define | tree.Graph | tree.History | tree.Event) -> None:
        scope = self.params(item.params, {})
        match item:
            case tree.Define():
                if item.by is not None:
                    self._use("value", item.by, self.word(item.by, item.span, self.word("by", item.span)), scope)
                for match in item.matches:
                    for name, span in self.words(match.members, match.span):
                        self.note("value", name, span)
                    self.visit(match.value, scope)
                for part in filter(None, (item.value, *item.cases, item.result, item.deep, item.ways)):
                    self.visit(part, scope)
            case tree.Graph():
                inner = self.binders(item.node, scope)
                for edge in item.edges:
                    self.visit(edge, inner)
            case tree.History():
                self.rest(item, scope, but=tree.Param)

    def _change(self, item: tree.VariantItem | tree.Item) -> None:
        """What a variant does to its game."""
        s = item.span
        match item:
            case tree.ChangeNumber() | tree.Adjust() | tree.ExtendDefine():
                self.named("thing", item.name, s, changes=True)
                scope = self.params(item.params, {}) if isinstance(item, tree.Adjust) else {}
                for match in item.matches if isinstance(item, tree.ExtendDefine) else ():
                    for name, span in self.words(match.members, match.span):
                        self.note("value", name, span)
                self.rest(item, scope, but=tree.Param)
            case tree.ChangeSetting():
                after = self.named("thing", item.name, s, changes=True)
                self.note("member", item.value, self.word(item.value, s, after), of=item.name)
            case tree.ChangeRow() | tree.RemoveRow() | tree.ChangeCell():
                after = self.named("member", item.row, s, changes=True, of=item.table)
                if isinstance(item, tree.ChangeCell):
                    after = self.note("column", item.column, self.word(item.column, s, after), of=item.table)
                self.note("type", item.table, self.word(item.table, s, after))
                self.rest(item, {})
            case tree.Replace():
                inner = item.item
                if isinstance(inner, tree.MenuOption):
                    self.option(inner, dict(self.outer.get(inner.id, {})), declares=False)
                elif isinstance(inner, tree.Rule) and inner.id in self.outer and not inner.params:
                    self.rule(inner, dict(self.outer[inner.id]), declares=False)
                else:
                    start = len(self.found)
                    self.item(inner)
                    self.found[start:] = [_replacing(mention) for mention in self.found[start:]]
            case tree.RemoveRule() | tree.ExtendRule() | tree.Insert():
                self.named("rule", item.id, s, changes=True)
                scope = dict(self.outer.get(item.id, {}))
                if isinstance(item, tree.ExtendRule):
                    for option in item.options:
                        self.option(option, scope)
                elif isinstance(item, tree.Insert):
                    self.block(item.body, scope)

    # ------------------------------------------------------------ rules

    def params(self, params: Sequence[tree.Param], scope: Scope) -> dict[str, Local | str]:
        """The scope of ``params``: what is around them, and they."""
        inner = dict(scope)
        for param in params:
            self.visit(param.type, inner)
            inner |= self.local(param.name, self.word(param.name, param.span))
        return inner

    def triggers(self, rule: tree.Rule, scope: Scope) -> dict[str, Local | str]:
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

    def _statement(self, s: tree.Statement, scope: dict[str, Local | str]) -> Scope:
        """Notes what is in a statement; the names that it gives to those behind it."""
        match s:
            case tree.Rule():
                self.rule(s, scope)
            case tree.Let():
                self.visit(s.value, scope)
                return self.local(s.name, self.word(s.name, s.span, self.word("let", s.span)))
            case tree.Roll():
                return self.binders(s.binders, scope)
            case tree.Choose() | tree.ChooseSome():
                self.visit(s.who, scope)
                if isinstance(s, tree.ChooseSome):
                    self.visit(s.some, scope)
                    inner = self.binder(s.binder, scope)
                else:
                    inner = self.binders(s.binders, scope)
                self.block(s.body or (), inner)
                self.block(s.otherwise or (), scope)
                return inner if s.body is None else {}
            case tree.Each() | tree.Together():
                self.block(s.body, self.binders(s.binders, scope))
            case tree.IfThere():
                self.block(s.then, self.binders(s.binders, scope))
                self.block(s.otherwise or (), scope)
            case tree.If():
                self.visit(s.condition, scope)
                self.block(s.then, scope)
                self.block(s.otherwise or (), scope)
            case tree.Repeat():
                self.visit(s.value, scope)
                self.block(s.body, scope)
            case tree.TakeTurns():
                self.visit(s.start, scope)
                inner = scope | self.local(s.name, self.word(s.name, s.span))
                if s.until is not None:
                    self.visit(s.until, inner)
                self.block(s.body, inner)
            case tree.Menu():
                self.visit(s.who, scope)
                for option in s.options:
                    self.option(option, scope)
                self.block(s.otherwise or (), scope)
            case _:
                self.visit(s, scope)
        return {}

    # ------------------------------------------------------------ expressions

    def binders(self, binders: tree.Binders, scope: Scope) -> dict[str, Local | str]:
        inner = dict(scope)
        for binder in binders.binders:
            inner = self.binder(binder, inner)
        return inner

    def binder(self, binder: tree.Binder, scope: Scope) -> dict[str, Local | str]:
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

    def _apart(self, part: tree.Expr) -> dict[str, Local | str]:
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
                self._use("value", node.name, node.span, scope)
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
                self.note("column", node.name, Span(end.file, end.end_line, start, end.end_line, end.end_column))
            case tree.FoldOf():
                self.visit(node.body, self.binders(node.binders, scope))
            case tree.BundleFor():
                self.rest(node.entry, self.binders(node.binders, scope))
            case tree.FoldMembers() | tree.FoldRanked():
                inner = self.binders(node.binders, scope)
                for rank in getattr(node, "ranks", ()):
                    self.visit(rank, inner)
            case tree.Binders():
                self.binders(node, scope)
            case tree.Rule() | tree.Let() | tree.Roll() | tree.Choose() | tree.Each() | tree.Menu():
                self._statement(node, dict(scope))
            case tree.Ways():
                self.visit(node.start, scope)
                for step in (*node.steps, *filter(None, (node.end,))):
                    self.visit(step, scope)
                if node.most is not None:
                    self.visit(node.most, scope)
            case tree.WaysStep() | tree.WaysEnd():
                inner = dict(scope) | self.local(node.way, self.word(node.way, node.span))
                if isinstance(node, tree.WaysStep):
                    inner = self.binders(node.binders, inner) if node.binders is not None else inner
                    self.visit(node.target, inner)
                if node.condition is not None:
                    self.visit(node.condition, inner)
            case tree.GraphEdge():
                self.visit(node.source, scope)
                inner = self.binders(node.binders, scope) if node.binders is not None else dict(scope)
                for inside in filter(None, (node.target, node.length, node.condition)):
                    self.visit(inside, inner)
            case tree.VariableAttribute():
                inner = dict(scope)
                if node.name is not None:
                    inner |= self.local(node.name, self.word(node.name, node.span, self.word("by", node.span)))
                self.rest(node, inner)
            case _:
                self._named_in(node, scope)
                self.rest(node, scope)

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
                self._changed(node.target)
            case tree.Move():
                self._changed(node.source)
                self._changed(node.target)
            case tree.Pay():
                self._changed(node.source)
                self._changed(node.target)
            case tree.Shuffle():
                self._changed(node.place)

    def _rule(self, name: str, within: Span, after: Span | None, scope: Scope) -> None:
        """A rule that is run, or the column that names it, as in `do c.effect(p)`."""
        place = self.word(name, within, after)
        value, _, column = name.partition(".")
        if place is None or value not in scope or not column:
            self.note("rule", name, place)
            return
        self._use("value", value, attrs.evolve(place, end_column=place.column + len(value)), scope)
        self.note("column", column, attrs.evolve(place, column=place.end_column - len(column)))

    def _changed(self, target: tree.Expr) -> None:
        while isinstance(target, tree.Index | tree.Attribute):
            target = target.value
        if isinstance(target, tree.Name):
            self.found.append(Mention("value", target.name, target.span, changes=True, applied=True))

    def _use(self, role: Role, name: str, span: Span | None, scope: Scope) -> None:
        if span is None:
            return
        known = scope.get(name)
        if isinstance(known, str):
            self.note("column", name, span, of=known)
        else:
            self.found.append(Mention(role, name, span, known))

    # ------------------------------------------------------------ examples

    def _example(self, example: tree.Example) -> None:
        self.named("example", example.id, example.span, declares=True)
        scope: dict[str, Local | str] = {}
        for step in example.steps:
            names = step.names if isinstance(step, tree.ExPlayers) else ()
            names = step.columns if isinstance(step, tree.ExampleCases) else names
            for name, span in self.words(names, step.span, self._behind_word(step)):
                scope |= self.local(name, span)
        for step in example.steps:
            self._step(step, scope)

    def _behind_word(self, step: tree.Step) -> Span:
        """The first word of a step."""
        s = step.span
        found = re.compile(r"\w+").match(self.lines[s.line - 1], s.column - 1)
        return Span(s.file, s.line, s.column, s.line, found.end() + 1 if found else s.column)

    def _step(self, step: tree.Step, scope: Scope) -> None:
        s = step.span
        first = self._behind_word(step)
        match step:
            case tree.ExPlayers() | tree.Documented():
                return
            case tree.Using():
                for name, span in self.words(step.variants, s, first):
                    self.note("variant", name, span)
                return
            case tree.WithValue():
                self.note("thing", step.name, self.word(step.name, s, first))
                if isinstance(step.value, tree.Name):  # a setting's; numbers are not set to names
                    self.note("member", step.value.name, step.value.span, of=step.name)
                    return
            case tree.Winners():
                for name, span in self.words(step.names, s, first):
                    self._use("value", name, span, scope)
            case tree.Fired():
                for name, span in self.words(step.ids, s, first):
                    self.note("rule", name, span)
            case tree.Offered():
                self.note("rule", step.id, self.word(step.id, s, step.count.span))
            case tree.Asked() if step.rule is not None:
                self.note("rule", step.rule, self.word(step.rule, s, step.who.span))
            case tree.ExRefused() if step.because is not None:
                self.note("rule", step.because, self.word(step.because, s, self.word("because", s, step.who.span)))
            case tree.ExampleCases():
                for row in step.rows:
                    self.rest(row, scope)
                return
            case _:
                pass
        if isinstance(step, tree.ExChooses | tree.ExRefused | tree.OfferedOnly):
            for value in step.values:
                self._chosen(value, scope)
            others = [part for part in children(step) if part not in step.values]
            for part in others:
                self.visit(part, scope)
        else:
            self.visit(step, scope)

    def _chosen(self, value: tree.Expr, scope: Scope) -> None:
        """What somebody chooses: often an option of a menu, by its id, with what is chosen along with it."""
        head = value.function if isinstance(value, tree.Apply) else value
        id_ = dotted(head)
        if id_ is None or (isinstance(head, tree.Name) and head.name in scope):
            self.visit(value, scope)
            return
        end = head.span
        self.found.append(Mention("rule" if "." in id_ else "value", id_, end, of="option"))
        if isinstance(value, tree.Apply):
            for argument in value.arguments:
                self.visit(argument, scope)


def domain_of(type_: tree.TypeExpr) -> str | None:
    """The domain that the members in a value of this type belong to, as far as the text says it."""
    while isinstance(type_, tree.TypeOptional | tree.TypeSet | tree.TypePieces):
        type_ = type_.item
    return type_.name if isinstance(type_, tree.TypeName) else None


def dotted(node: tree.Expr) -> str | None:
    """An expression that reads like an id, as the id."""
    if isinstance(node, tree.Name):
        return node.name
    if isinstance(node, tree.Attribute):
        before = dotted(node.value)
        return None if before is None else f"{before}.{node.name}"
    return None


def _replacing(mention: Mention) -> Mention:
    """A declaration in what replaces another: it changes what has the name."""
    if mention.declares and mention.local is None and mention.role in ("thing", "rule"):
        return attrs.evolve(mention, declares=False, changes=True)
    return mention
