"""Mentions: the places in one item where a name is written, with the local name it stands for, if it is one.

Only the text of the item is looked at, so the mentions of an item that does not change are worked out once.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import attrs

from ..source import Span
from ..syntax import tree
from ..syntax.walk import children, dotted
from .rule_mentions import LocalMeaning, Mention, Outer, RuleMarks, Scope, domain_of


def mentions(item: tree.Item, lines: Sequence[str], outer: Outer | None = None) -> tuple[Mention, ...]:
    """The mentions in an item, in no order. ``lines``: of the file that it is in."""
    walk = _Items(item.span.file, lines, outer=outer or {})
    walk.item(item)
    return tuple(walk.found)


def parameters(rule: tree.Rule, lines: Sequence[str]) -> Scope:
    """The parameters of a rule, by name."""
    walk = _Items(rule.span.file, lines)
    return walk.params(rule.params, {}) | walk.triggers(rule, {})


@attrs.define
class _Items(RuleMarks):
    outer: Outer = attrs.field(factory=dict)

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
                self.rest(item, {"p": LocalMeaning("p", None)})
            case tree.Carry():
                self.rest(item, {})
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
        columns: dict[str, LocalMeaning | str] = {}
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
        scope: dict[str, LocalMeaning | str] = {}
        after: Span | None = None
        keys = item.keys or (None,) * len(item.owners)
        for owner, key in zip(item.owners, keys, strict=True):
            after = self.note("type", owner.name, owner.span)
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
                    self.visit(item.by, scope)
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

    # ------------------------------------------------------------ examples

    def _example(self, example: tree.Example) -> None:
        self.named("example", example.id, example.span, declares=True)
        scope: dict[str, LocalMeaning | str] = {}
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
                    self.use("value", name, span, scope)
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


def _replacing(mention: Mention) -> Mention:
    """A declaration in what replaces another: it changes what has the name."""
    if mention.declares and mention.local is None and mention.role in ("thing", "rule"):
        return attrs.evolve(mention, declares=False, changes=True)
    return mention
