"""From Lark's parse tree to the syntax tree of tree.py. One method per production, named like it."""

from __future__ import annotations

from typing import Any

from lark import Token, Tree

from ..source import Span
from . import tree as t
from .layout import without_comment

MAX_DEPTH = 120


class Builder:
    """Builds the nodes of one item from its ``text``; ``offset`` is added to line numbers."""

    def __init__(self, file: str, offset: int, text: str) -> None:
        self.file = file
        self.offset = offset
        self.code = [without_comment(line).rstrip() for line in text.split("\n")]

    def build(self, node: Any) -> Any:
        if isinstance(node, Token):
            return node
        if node is None:
            return None
        method = getattr(self, node.data, None)
        children = [self.build(child) for child in node.children]
        if method is None:
            raise AssertionError(f"no builder for {node.data}")
        return method(self.span(node), children)

    def span(self, node: Tree[Token]) -> Span:
        m = node.meta
        if m.empty:
            return Span(self.file, self.offset + 1, 1, self.offset + 1, 1)
        end_line, end_column = m.end_line, m.end_column
        while end_line > m.line and not self.code[end_line - 1][: end_column - 1].strip():  # ends with a line break
            end_line -= 1
            end_column = len(self.code[end_line - 1]) + 1
        return Span(self.file, m.line + self.offset, m.column, end_line + self.offset, end_column)

    def token_span(self, token: Token) -> Span:
        line = (token.line or 1) + self.offset
        return Span(self.file, line, token.column or 1, line, token.end_column or 1)

    # -- headers

    def start(self, span: Span, c: list[Any]) -> Any:
        return c[0]

    def game(self, span: Span, c: list[Any]) -> t.Game:
        head: dict[str, Any] = {"title": None, "players": (0, 0), "seats": (), "languages": ()}
        for key, value in c[1:]:
            head[key] = value
        low, high = head["players"]
        return t.Game(str(c[0]), head["title"], low, high, head["seats"], head["languages"], span=span)

    def head_title(self, span: Span, c: list[Any]) -> tuple[str, Any]:
        return "title", _text(c[0])

    def head_players(self, span: Span, c: list[Any]) -> tuple[str, Any]:
        return "players", (int(c[0]), int(c[1] if c[1] is not None else c[0]))

    def head_seats(self, span: Span, c: list[Any]) -> tuple[str, Any]:
        return "seats", c[0]

    def head_languages(self, span: Span, c: list[Any]) -> tuple[str, Any]:
        return "languages", c[0]

    def part(self, span: Span, c: list[Any]) -> t.Part:
        return t.Part(str(c[0]), span=span)

    def examples(self, span: Span, c: list[Any]) -> t.Examples:
        return t.Examples(str(c[0]), span=span)

    def variant(self, span: Span, c: list[Any]) -> t.Variant:
        return t.Variant(str(c[0]), c[1], c[2] or (), _text(c[3]) if c[3] is not None else None, span=span)

    # -- things and numbers

    def enum(self, span: Span, c: list[Any]) -> t.Enum:
        return t.Enum(str(c[0]), c[2], c[1] is not None, span=span)

    def ring(self, span: Span, c: list[Any]) -> str:
        return "ring"

    def range(self, span: Span, c: list[Any]) -> t.Range:
        return t.Range(str(c[0]), c[1], c[2], span=span)

    def grid(self, span: Span, c: list[Any]) -> t.Grid:
        return t.Grid(str(c[0]), c[1], c[2], span=span)

    def table(self, span: Span, c: list[Any]) -> t.Table:
        columns, rows, stand_in = _table_parts(c[2:])
        return t.Table(str(c[0]), c[1] is not None, columns, rows, stand_in, span=span)

    def column(self, span: Span, c: list[Any]) -> t.Column:
        return t.Column(str(c[0]), c[1], c[2], span=span)

    def rows_file(self, span: Span, c: list[Any]) -> t.RowsFile:
        return t.RowsFile(_text(c[0]), c[1], span=span)

    def rows_inline(self, span: Span, c: list[Any]) -> t.RowsInline:
        return t.RowsInline(tuple(c[1:]), c[0], span=span)

    def row(self, span: Span, c: list[Any]) -> t.Row:
        return t.Row(str(c[0]), c[1] or (), span=span)

    def stand_in(self, span: Span, c: list[Any]) -> t.StandIn:
        return t.StandIn(c[0], _text(c[1]), span=span)

    def number_plain(self, span: Span, c: list[Any]) -> t.Number:
        return t.Number(str(c[0]), (t.Case(None, c[1], span=span),), True, span=span)

    def number_cases(self, span: Span, c: list[Any]) -> t.Number:
        return t.Number(str(c[0]), tuple(c[1:]), False, span=span)

    def option(self, span: Span, c: list[Any]) -> t.Setting:
        return self._setting("option", span, c)

    def reading(self, span: Span, c: list[Any]) -> t.Setting:
        return self._setting("reading", span, c)

    def _setting(self, kind: Any, span: Span, c: list[Any]) -> t.Setting:
        because = " ".join(c[3:]) or None
        return t.Setting(kind, str(c[0]), c[1], c[2], because, span=span)

    def default(self, span: Span, c: list[Any]) -> str:
        return str(c[0])

    def because(self, span: Span, c: list[Any]) -> str:
        return _text(c[0])

    # -- state

    def variables_game(self, span: Span, c: list[Any]) -> t.Variables:
        return t.Variables((), tuple(c), span=span)

    def variables_each(self, span: Span, c: list[Any]) -> t.Variables:
        owners = tuple(str(x) for x in c if isinstance(x, Token))
        return t.Variables(owners, tuple(x for x in c if isinstance(x, t.Variable)), span=span)

    def variable(self, span: Span, c: list[Any]) -> t.Variable:
        return t.Variable(str(c[0]), c[1], c[2], tuple(c[3:]), span=span)

    def place(self, span: Span, c: list[Any]) -> t.TypePlace:
        return t.TypePlace(str(c[0]), c[1], span=span)

    def at_most(self, span: Span, c: list[Any]) -> t.VariableAttribute:
        return t.VariableAttribute("at most", c[0], span=span)

    def seen_by_owner(self, span: Span, c: list[Any]) -> t.VariableAttribute:
        return t.VariableAttribute("seen by owner", span=span)

    def seen_by_nobody(self, span: Span, c: list[Any]) -> t.VariableAttribute:
        return t.VariableAttribute("seen by nobody", span=span)

    def counted(self, span: Span, c: list[Any]) -> t.VariableAttribute:
        return t.VariableAttribute("counted", span=span)

    def exchange(self, span: Span, c: list[Any]) -> t.VariableAttribute:
        return t.VariableAttribute(f"any others for {int(c[1])}", c[0], span=span)

    def not_below(self, span: Span, c: list[Any]) -> t.VariableAttribute:
        return t.VariableAttribute("not below", c[0], span=span)

    def type_range(self, span: Span, c: list[Any]) -> t.TypeRange:
        return t.TypeRange(c[0], c[1], span=span)

    def type_name(self, span: Span, c: list[Any]) -> t.TypeName:
        return t.TypeName(str(c[0]), span=span)

    def type_flag(self, span: Span, c: list[Any]) -> t.TypeFlag:
        return t.TypeFlag(span=span)

    def type_optional(self, span: Span, c: list[Any]) -> t.TypeOptional:
        return t.TypeOptional(c[0], span=span)

    def type_set(self, span: Span, c: list[Any]) -> t.TypeSet:
        return t.TypeSet(c[0], span=span)

    def type_bundle(self, span: Span, c: list[Any]) -> t.TypePieces:
        return t.TypePieces(c[0], span=span)

    def type_spot(self, span: Span, c: list[Any]) -> t.TypeSpot:
        return t.TypeSpot(c[0], span=span)

    def type_square(self, span: Span, c: list[Any]) -> t.TypeSquare:
        return t.TypeSquare(span=span)

    # -- computed

    def define_plain(self, span: Span, c: list[Any]) -> t.Define:
        return t.Define(str(c[0]), c[1] or (), value=c[2], span=span)

    def define_cases(self, span: Span, c: list[Any]) -> t.Define:
        return t.Define(str(c[0]), c[1] or (), cases=tuple(c[2:]), span=span)

    def define_by(self, span: Span, c: list[Any]) -> t.Define:
        return t.Define(str(c[0]), c[1], by=str(c[2]), matches=tuple(c[3:]), span=span)

    def case_when(self, span: Span, c: list[Any]) -> t.Case:
        return t.Case(c[0], c[1], span=span)

    def case_otherwise(self, span: Span, c: list[Any]) -> t.Case:
        return t.Case(None, c[0], span=span)

    def match(self, span: Span, c: list[Any]) -> t.Match:
        return t.Match(c[0], c[1], span=span)

    def params(self, span: Span, c: list[Any]) -> tuple[t.Param, ...]:
        return tuple(c)

    def param(self, span: Span, c: list[Any]) -> t.Param:
        return t.Param(str(c[0]), c[1], span=span)

    def graph(self, span: Span, c: list[Any]) -> t.Graph:
        return t.Graph(str(c[0]), c[1] or (), c[2], tuple(c[3:]), span=span)

    def node(self, span: Span, c: list[Any]) -> t.Binders:
        return c[0]  # type: ignore[no-any-return]

    def edge(self, span: Span, c: list[Any]) -> t.GraphEdge:
        return t.GraphEdge(c[0], c[1], c[2], span=span)

    # -- rules

    def event(self, span: Span, c: list[Any]) -> t.Event:
        return t.Event(str(c[0]), c[1] or (), span=span)

    def winner(self, span: Span, c: list[Any]) -> t.Winner:
        return t.Winner(tuple(c), span=span)

    def rank(self, span: Span, c: list[Any]) -> t.Rank:
        return t.Rank(str(c[0]), c[1], span=span)  # type: ignore[arg-type]

    def invariant(self, span: Span, c: list[Any]) -> t.Invariant:
        return t.Invariant(c[0], c[1], span=span)

    def rule(self, span: Span, c: list[Any]) -> t.Rule:
        head = Span(span.file, span.line, span.column, span.line, span.column + 5 + len(c[0]))
        return t.Rule(c[0], c[1] or (), tuple(c[2:-1]), c[-1], span=span, head=head)

    def trigger_when(self, span: Span, c: list[Any]) -> t.Trigger:
        return t.Trigger("when", c[0], span=span)

    def trigger_unless(self, span: Span, c: list[Any]) -> t.Trigger:
        return t.Trigger("unless", c[0], span=span)

    def trigger_on(self, span: Span, c: list[Any]) -> t.Trigger:
        return t.Trigger("on", event=str(c[0]), names=c[1] or (), span=span)

    def trigger_whenever(self, span: Span, c: list[Any]) -> t.Trigger:
        return t.Trigger("whenever", c[0], span=span)

    def block(self, span: Span, c: list[Any]) -> tuple[t.Statement, ...]:
        return tuple(c)

    def needs(self, span: Span, c: list[Any]) -> t.Needs:
        return t.Needs(c[0], span=span)

    def let(self, span: Span, c: list[Any]) -> t.Let:
        return t.Let(str(c[0]), c[1], span=span)

    def set(self, span: Span, c: list[Any]) -> t.Set:
        return t.Set(c[0], c[1], span=span)

    def increase(self, span: Span, c: list[Any]) -> t.Change:
        return t.Change("increase", c[0], c[1], span=span)

    def decrease(self, span: Span, c: list[Any]) -> t.Change:
        return t.Change("decrease", c[0], c[1], span=span)

    def move(self, span: Span, c: list[Any]) -> t.Move:
        return t.Move(c[0] is not None, *c[1:], span=span)

    def shuffle(self, span: Span, c: list[Any]) -> t.Shuffle:
        return t.Shuffle(c[0], span=span)

    def roll(self, span: Span, c: list[Any]) -> t.Roll:
        return t.Roll(c[0] is not None, c[1], span=span)

    def do_nothing(self, span: Span, c: list[Any]) -> t.DoNothing:
        return t.DoNothing(span=span)

    def do(self, span: Span, c: list[Any]) -> t.Do:
        return t.Do(c[0], c[1] or (), span=span)

    def announce(self, span: Span, c: list[Any]) -> t.Announce:
        return t.Announce(str(c[0]), c[1] or (), span=span)

    def stop(self, span: Span, c: list[Any]) -> t.Stop:
        return t.Stop(span=span)

    def end_game(self, span: Span, c: list[Any]) -> t.EndGame:
        return t.EndGame(span=span)

    def if_(self, span: Span, c: list[Any]) -> t.If:
        return t.If(c[0], c[1], c[2], span=span)

    def otherwise(self, span: Span, c: list[Any]) -> tuple[t.Statement, ...]:
        return c[0]  # type: ignore[no-any-return]

    def otherwise_if(self, span: Span, c: list[Any]) -> tuple[t.Statement, ...]:
        return (t.If(c[0], c[1], c[2], span=span),)

    def otherwise_block(self, span: Span, c: list[Any]) -> tuple[t.Statement, ...]:
        return c[0]  # type: ignore[no-any-return]

    def each(self, span: Span, c: list[Any]) -> t.Each:
        return t.Each(c[0], c[1], span=span)

    def together(self, span: Span, c: list[Any]) -> t.Together:
        return t.Together(c[0], c[1], span=span)

    def repeat_at_most(self, span: Span, c: list[Any]) -> t.Repeat:
        return t.Repeat("at most", c[0], c[1], span=span)

    def repeat_falling(self, span: Span, c: list[Any]) -> t.Repeat:
        return t.Repeat("falling", c[0], c[1], span=span)

    def take_turns(self, span: Span, c: list[Any]) -> t.TakeTurns:
        return t.TakeTurns(str(c[0]), c[1], c[2], c[3], span=span)

    def chooses(self, span: Span, c: list[Any]) -> t.Choose:
        body = c[3] if len(c) > 3 else None
        return t.Choose(c[0] is not None, False, c[1], c[2], body, c[4] if len(c) > 4 else None, span=span)

    def may_choose(self, span: Span, c: list[Any]) -> t.Choose:
        return t.Choose(False, True, c[0], c[1], c[2], c[3], span=span)

    def menu(self, span: Span, c: list[Any]) -> t.Menu:
        return t.Menu(c[0] is not None, c[1], tuple(c[2:]), span=span)

    def choice(self, span: Span, c: list[Any]) -> t.MenuOption:
        head = Span(span.file, span.line, span.column, span.line, span.column + 7 + len(c[0]))
        return t.MenuOption(c[0], c[1], c[2], span=span, head=head)

    def pays(self, span: Span, c: list[Any]) -> t.Pay:
        return t.Pay(c[0] is not None, *c[1:], span=span)

    def scores(self, span: Span, c: list[Any]) -> t.Score:
        return t.Score("scores", c[0], c[1], span=span)

    def loses(self, span: Span, c: list[Any]) -> t.Score:
        return t.Score("loses", c[0], c[1], span=span)

    def wins(self, span: Span, c: list[Any]) -> t.Wins:
        return t.Wins(c[0], span=span)

    def amount_all(self, span: Span, c: list[Any]) -> t.Amount:
        return t.Amount("all", span=span)

    def amount_all_of(self, span: Span, c: list[Any]) -> t.Amount:
        return t.Amount("all", of=c[0], span=span)

    def amount_up_to(self, span: Span, c: list[Any]) -> t.Amount:
        return t.Amount("up to", c[0], span=span)

    def amount_up_to_of(self, span: Span, c: list[Any]) -> t.Amount:
        return t.Amount("up to", c[0], c[1], span=span)

    def amount_at(self, span: Span, c: list[Any]) -> t.Amount:
        return t.Amount("at", c[0], span=span)

    def amount_plain(self, span: Span, c: list[Any]) -> t.Amount:
        return t.Amount("", c[0], span=span)

    def amount_of(self, span: Span, c: list[Any]) -> t.Amount:
        return t.Amount("", c[0], c[1], span=span)

    # -- variants

    def change_number(self, span: Span, c: list[Any]) -> t.ChangeNumber:
        return t.ChangeNumber(str(c[0]), c[1], span=span)

    def change_option(self, span: Span, c: list[Any]) -> t.ChangeSetting:
        return t.ChangeSetting("option", str(c[0]), str(c[1]), span=span)

    def change_reading(self, span: Span, c: list[Any]) -> t.ChangeSetting:
        return t.ChangeSetting("reading", str(c[0]), str(c[1]), span=span)

    def replace(self, span: Span, c: list[Any]) -> t.Replace:
        return t.Replace(c[0], span=span)

    def remove_rule(self, span: Span, c: list[Any]) -> t.RemoveRule:
        return t.RemoveRule("rule", c[0], span=span)

    def remove_option(self, span: Span, c: list[Any]) -> t.RemoveRule:
        return t.RemoveRule("option", c[0], span=span)

    def insert_before(self, span: Span, c: list[Any]) -> t.Insert:
        return t.Insert("before", c[0], c[1], span=span)

    def insert_after(self, span: Span, c: list[Any]) -> t.Insert:
        return t.Insert("after", c[0], c[1], span=span)

    def extend_enum(self, span: Span, c: list[Any]) -> t.ExtendEnum:
        return t.ExtendEnum(str(c[0]), c[1], span=span)

    def extend_table(self, span: Span, c: list[Any]) -> t.ExtendTable:
        columns, rows, stand_in = _table_parts(c[1:])
        return t.ExtendTable(str(c[0]), columns, rows, stand_in, span=span)

    def extend_define(self, span: Span, c: list[Any]) -> t.ExtendDefine:
        return t.ExtendDefine(str(c[0]), tuple(c[1:]), span=span)

    def extend_rule(self, span: Span, c: list[Any]) -> t.ExtendRule:
        return t.ExtendRule(c[0], tuple(c[1:]), span=span)

    def adjust(self, span: Span, c: list[Any]) -> t.Adjust:
        return t.Adjust(str(c[0]), c[1], c[2], span=span)

    # -- examples

    def example(self, span: Span, c: list[Any]) -> t.Example:
        return t.Example(c[0], tuple(c[1:]), span=span)

    def documented(self, span: Span, c: list[Any]) -> t.Documented:
        return t.Documented(tuple(c), span=span)

    def source(self, span: Span, c: list[Any]) -> t.Passage:
        first = int(c[1])
        return t.Passage(str(c[0]), first, int(c[2]) if c[2] is not None else first, span=span)

    def ex_players(self, span: Span, c: list[Any]) -> t.ExPlayers:
        return t.ExPlayers(c[0], span=span)

    def using(self, span: Span, c: list[Any]) -> t.Using:
        return t.Using(c[0], span=span)

    def with_value(self, span: Span, c: list[Any]) -> t.WithValue:
        return t.WithValue(str(c[0]), c[1], span=span)

    def given(self, span: Span, c: list[Any]) -> t.Given:
        return t.Given(c[0], span=span)

    def run(self, span: Span, c: list[Any]) -> t.Run:
        return t.Run(c[0], c[1] or (), span=span)

    def chance(self, span: Span, c: list[Any]) -> t.Chance:
        return t.Chance(c[0], span=span)

    def ex_chooses(self, span: Span, c: list[Any]) -> t.ExChooses:
        return t.ExChooses(c[0], c[1], span=span)

    def ex_declines(self, span: Span, c: list[Any]) -> t.ExDeclines:
        return t.ExDeclines(c[0], span=span)

    def ex_pays(self, span: Span, c: list[Any]) -> t.ExPays:
        return t.ExPays(c[0], c[1], span=span)

    def ex_refused(self, span: Span, c: list[Any]) -> t.ExRefused:
        return t.ExRefused(c[0], c[1], c[2], span=span)

    def asked(self, span: Span, c: list[Any]) -> t.Asked:
        return t.Asked(c[0], c[1], span=span)

    def offered(self, span: Span, c: list[Any]) -> t.Offered:
        return t.Offered(int(c[0]), c[1], span=span)

    def then(self, span: Span, c: list[Any]) -> t.Then:
        return t.Then(c[0], span=span)

    def fired(self, span: Span, c: list[Any]) -> t.Fired:
        return t.Fired(c[0], span=span)

    def not_fired(self, span: Span, c: list[Any]) -> t.Fired:
        return t.Fired(c[0], True, span=span)

    def winners(self, span: Span, c: list[Any]) -> t.Winners:
        return t.Winners(c[0], span=span)

    def finished(self, span: Span, c: list[Any]) -> t.Finished:
        return t.Finished(span=span)

    # -- expressions

    def if_expr(self, span: Span, c: list[Any]) -> t.Conditional:
        return t.Conditional(*c, span=span)

    def _binary(self, op: str, span: Span, c: list[Any]) -> t.Binary:
        return t.Binary(op, c[0], c[1], span=span)

    def or_op(self, span: Span, c: list[Any]) -> t.Binary:
        return self._binary("or", span, c)

    def and_op(self, span: Span, c: list[Any]) -> t.Binary:
        return self._binary("and", span, c)

    def not_op(self, span: Span, c: list[Any]) -> t.Unary:
        return t.Unary("not", c[0], span=span)

    def compare(self, span: Span, c: list[Any]) -> t.Binary:
        return t.Binary(str(c[1]), c[0], c[2], span=span)

    def is_(self, span: Span, c: list[Any]) -> t.Binary:
        return self._binary("is", span, c)

    def is_not(self, span: Span, c: list[Any]) -> t.Binary:
        return self._binary("is not", span, c)

    def is_in(self, span: Span, c: list[Any]) -> t.Binary:
        return self._binary("is in", span, c)

    def is_not_in(self, span: Span, c: list[Any]) -> t.Binary:
        return self._binary("is not in", span, c)

    def covers(self, span: Span, c: list[Any]) -> t.Binary:
        return self._binary("covers", span, c)

    def holds(self, span: Span, c: list[Any]) -> t.Binary:
        return self._binary("holds", span, c)

    def coalesce(self, span: Span, c: list[Any]) -> t.Binary:
        return self._binary("otherwise", span, c)

    def range_of(self, span: Span, c: list[Any]) -> t.Binary:
        return self._binary("..", span, c)

    def binary(self, span: Span, c: list[Any]) -> t.Binary:
        return t.Binary(str(c[1]), c[0], c[2], span=span)

    def modulo(self, span: Span, c: list[Any]) -> t.Binary:
        return self._binary("mod", span, c)

    def divide(self, span: Span, c: list[Any]) -> t.Binary:
        return t.Binary(f"/ {c[2]}", c[0], c[1], span=span)

    def negative(self, span: Span, c: list[Any]) -> t.Unary:
        return t.Unary("-", c[1], span=span)

    def attribute_of(self, span: Span, c: list[Any]) -> t.Attribute:
        return t.Attribute(c[0], str(c[1]), span=span)

    def index(self, span: Span, c: list[Any]) -> t.Index:
        return t.Index(c[0], c[1], span=span)

    def apply(self, span: Span, c: list[Any]) -> t.Apply:
        return t.Apply(c[0], c[1], span=span)

    def arguments(self, span: Span, c: list[Any]) -> tuple[t.Expr, ...]:
        return c[0] or ()

    def name(self, span: Span, c: list[Any]) -> t.Name:
        return t.Name(str(c[0]), span=span)

    def integer(self, span: Span, c: list[Any]) -> t.Integer:
        return t.Integer(int(c[0][:18]), span=span)

    def none(self, span: Span, c: list[Any]) -> t.NoneValue:
        return t.NoneValue(span=span)

    def yes(self, span: Span, c: list[Any]) -> t.Flag:
        return t.Flag(True, span=span)

    def no(self, span: Span, c: list[Any]) -> t.Flag:
        return t.Flag(False, span=span)

    def player_count(self, span: Span, c: list[Any]) -> t.PlayerCount:
        return t.PlayerCount(span=span)

    def tuple_(self, span: Span, c: list[Any]) -> t.TupleValue:
        return t.TupleValue((c[0], *c[1]), span=span)

    def sequence(self, span: Span, c: list[Any]) -> t.Sequence:
        return t.Sequence(c[0] or (), span=span)

    def bundle(self, span: Span, c: list[Any]) -> t.Bundle:
        return t.Bundle(tuple(e for e in c if e is not None), span=span)

    def bundle_for(self, span: Span, c: list[Any]) -> t.BundleFor:
        return t.BundleFor(c[0], c[1], span=span)

    def entry(self, span: Span, c: list[Any]) -> t.Entry:
        return t.Entry(c[0], c[1], span=span)

    def fold(self, span: Span, c: list[Any]) -> t.Expr:
        word, (form, value) = str(c[0]), c[1]
        if form == "values":
            return t.FoldValues(word, value, span=span)
        if form == "of":
            return t.FoldOf(word, value[0], value[1], span=span)
        return t.FoldMembers(word, value, span=span)

    def fold_values(self, span: Span, c: list[Any]) -> tuple[str, Any]:
        return "values", c[0]

    def fold_of(self, span: Span, c: list[Any]) -> tuple[str, Any]:
        return "of", (c[0], c[1])

    def fold_members(self, span: Span, c: list[Any]) -> tuple[str, Any]:
        return "members", c[0]

    def binders(self, span: Span, c: list[Any]) -> t.Binders:
        found = tuple(x for x in c if isinstance(x, t.Binder))
        word = next((str(x) for x in c if isinstance(x, Token)), "where")
        filter_ = next((x for x in c if x is not None and not isinstance(x, (t.Binder, Token))), None)
        return t.Binders(found, filter_, word, span=span)  # type: ignore[arg-type]

    def binder(self, span: Span, c: list[Any]) -> t.Binder:
        return t.Binder(str(c[0]), c[1], c[2], span=span)

    def binder_apart(self, span: Span, c: list[Any]) -> t.Binder:
        return t.Binder("", c[1], c[2], c[0].items, span=span)

    def exprs(self, span: Span, c: list[Any]) -> tuple[t.Expr, ...]:
        return tuple(c)

    def names(self, span: Span, c: list[Any]) -> tuple[str, ...]:
        return tuple(str(x) for x in c if x is not None)

    def ids(self, span: Span, c: list[Any]) -> tuple[str, ...]:
        return tuple(c)

    def id(self, span: Span, c: list[Any]) -> str:
        return ".".join(str(x) for x in c)


def _text(token: Token) -> str:
    return str(token)[1:-1]


def _table_parts(
    c: list[Any],
) -> tuple[tuple[t.Column, ...], tuple[t.RowsFile | t.RowsInline, ...], t.StandIn | None]:
    columns = tuple(x for x in c if isinstance(x, t.Column))
    rows = tuple(x for x in c if isinstance(x, (t.RowsFile, t.RowsInline)))
    stand_in = next((x for x in c if isinstance(x, t.StandIn)), None)
    return columns, rows, stand_in


def too_deep(node: Tree[Token], limit: int = MAX_DEPTH) -> Tree[Token] | None:
    """The first part of a parse tree that is nested deeper than ``limit``, or None."""
    stack: list[tuple[Tree[Token], int]] = [(node, 1)]
    while stack:
        current, depth = stack.pop()
        if depth > limit:
            return current
        stack.extend((child, depth + 1) for child in current.children if isinstance(child, Tree))
    return None
