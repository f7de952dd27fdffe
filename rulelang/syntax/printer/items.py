"""Items as lines of text, with the statements and the steps of examples in them, and whole files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, get_args

import attrs

from .. import tree as t
from ..walk import children, fields
from .expressions import (
    CONDITIONAL,
    INDENT,
    POSTFIX,
    RANGE,
    STATEMENT_WORDS,
    STEP_WORDS,
    SUM,
    WIDTH,
    CanonicalLine,
    aim_text,
    amount_text,
    attribute_text,
    binders_text,
    expr_text,
    fold,
    names_text,
    openly_text,
    price_text,
    print_type,
    ranks_text,
    trigger_text,
)

_PLACES: dict[str, tuple[int, frozenset[str]]] = {
    "tight": (POSTFIX, frozenset()),
    "sum": (SUM, frozenset()),
    "range": (RANGE, frozenset()),
    "first": (POSTFIX, STATEMENT_WORDS),
    "actor": (POSTFIX, STEP_WORDS),
    "tested": (0, frozenset({"there"})),
    "price": (CONDITIONAL, frozenset({"all"})),
}
"""Where an expression stands in a form: how tightly it has to bind, and the words it must not begin with."""


@attrs.frozen
class _Part:
    """A field in a form. ``least``, ``words``: as for ``expr_text``."""

    value: Any
    least: int = 0
    words: frozenset[str] = frozenset()

    def __getattr__(self, place: str) -> _Part:
        return _Part(self.value, *_PLACES[place])

    def __format__(self, form: str) -> str:
        if self.value is None or self.value is False or self.value == ():
            return ""
        return form.replace("_", self._text(self.value)) if form else self._text(self.value)

    def _text(self, value: Any) -> str:
        match value:
            case str() | int():
                return str(value)
            case (t.Rank(), *_):
                return ranks_text(value)
            case tuple():
                return ", ".join(map(self._text, value))
            case _ if type(value) in FORMS:
                return text_of(value)
        return expr_text(value, self.least, self.words)


def filled(form: str, node: t.Node) -> str:
    """A form with the fields of a node."""
    return form.format(**{field.name: _Part(getattr(node, field.name)) for field in attrs.fields(type(node))})


def text_of(node: t.Node) -> str:
    """The text of a step, of a statement of one line, or of the first line of any other."""
    form = FORMS[type(node)]
    openly = openly_text(node) if isinstance(node, t.Action) else ""
    return openly + (filled(form, node) if isinstance(form, str) else form(node))


def _grid(grid: t.Grid) -> str:
    if grid.word == "track":
        return filled("track {name}{ring:, ring}: {width.range}", grid)
    return filled("{word} {name}: {width.sum}{height.sum: by _}", grid)


def _each(variables: t.Variables) -> str:
    keys = variables.keys or [None] * len(variables.owners)
    named = [f"{o.name} {key}" if key else o.name for o, key in zip(variables.owners, keys, strict=True)]
    return f"each {' and '.join(named)} has" if named else "the game has"


def _define(define: t.Define) -> str:
    if define.ways is not None:
        return filled("ways {name}{params:(_)}{ways}", define)
    value = " =" if define.value is not None else ""
    return filled("define {name}{params:(_)}{result:: _}{deep.sum:, at most _ deep}{by.tight: by _}", define) + value


def _rule(rule: t.Rule) -> str:
    head = filled("rule {id}{params:(_)}{deep.sum:, at most _ deep}", rule)
    return head + "".join(map(trigger_text, rule.triggers))


def _show(show: t.Show) -> str:
    to = "each {seats}" if show.seats is not None else "all" if show.who is None else "{who.tight}"
    return filled("{surely:surely }show {amount:_ from }{place.tight} to " + to, show)


def _choose(choose: t.Choose) -> str:
    verb = "may choose" if choose.may else "chooses"
    return filled("{surely:surely }{who.first} " + verb + " {binders}", choose)


def _some(some: t.Some) -> str:
    if some.word == "orders":
        return "orders"
    word = f"{some.word} " if some.word else ""
    number = "" if some.number is None else f"{expr_text(some.number, words=frozenset({'one', 'any', 'up'}))} "
    return f"chooses {word}{number}of"


FORMS: dict[type[t.Node], str | Callable[[Any], str]] = {
    # headers
    t.Game: "game {name}",
    t.Part: "part of {game}",
    t.Examples: "examples of {game}",
    t.Variant: "variant {name} of {of}{after: after _}",
    t.Team: "team {name}: {seats}{when: when _}",
    # things and numbers
    t.Enum: "enum {name}{ring:, ring}: {members}",
    t.Range: "range {name}: {low.sum}..{high.sum}",
    t.Grid: _grid,
    t.Table: lambda table: (
        filled("table {name}{ring:, ring}", table) + ": " * bool(table.parts) + " and ".join(table.parts)
    ),
    t.Column: "{name}: {type}{default: = _}",
    t.RowsFile: 'rows from "{file}"{when: when _}',
    t.RowsInline: "rows{when: when _}",
    t.Row: "{name}{values:: _}",
    t.StandIn: 'stand_in{where: where _} because "{because}"',
    t.Number: lambda number: (
        f"number {number.name}" + (f" = {expr_text(number.cases[0].value)}" if number.plain else "")
    ),
    t.Case: lambda case: (
        filled("{when:when _}" if case.when is not None else "otherwise", case) + filled(": {value}", case)
    ),
    t.Match: "{members}: {value}",
    t.Setting: "{kind} {name}: {values}",
    # state
    t.Variables: _each,
    t.Variable: "{name}: {type}{initial: = _}{attributes:, _}",
    t.Carry: "carry {names}",
    # what is computed
    t.Define: _define,
    t.Ways: "{most.sum:, at most _ deep}",
    t.WaysStep: "step {way} to {target}{binders: for _}{condition: where _}",
    t.WaysEnd: "{way} may end{condition: where _}",
    t.Graph: "graph {name}{params:(_)}",
    t.GraphEdge: "edge {source} to {target}{one_way:, one way}{length:, length _}{binders: for _}{condition: where _}",
    t.History: "history {name}{params:(_)}{attributes:, _}: {parts}",
    t.Event: "event {name}{params:(_)}",
    t.Winner: "winner {ranks}, then shared",
    t.Out: "out when {condition}",
    t.Invariant: "invariant {id}:",
    # changes of a variant
    t.ChangeNumber: "change number {name} to {value}",
    t.ChangeSetting: "change {kind} {name} to {value}",
    t.ChangeRow: "change row {row} of {table} to {values}{when: when _}",
    t.ChangeCell: "change row {row}.{column} of {table} to {value}{when: when _}",
    t.RemoveRow: "remove row {row} of {table}{when: when _}",
    t.RemoveRule: "remove {kind} {id}",
    t.Replace: lambda replace: f"replace {text_of(replace.item)}",
    t.Insert: "{where} {kind} {id}",
    t.ExtendEnum: "extend enum {name}: {members}",
    t.ExtendTable: "extend table {name}",
    t.ExtendDefine: "extend define {name}",
    t.ExtendRule: "extend rule {id}",
    t.Adjust: "adjust {name}{params:(_)} by {value}{least.sum:, not below _}{when: when _}",
    # rules and statements
    t.Rule: _rule,
    t.Needs: "needs {condition}",
    t.Let: "let {name} = {value}",
    t.Set: "set {target.tight} to {value}",
    t.Change: "{word} {target.tight} by {value}",
    t.Move: "{surely:surely }move {amount} from {source.tight} to {target.tight}{square: at _}{turn: turned _}",
    t.Shuffle: "shuffle {place.tight}",
    t.Show: _show,
    t.Roll: "{surely:surely }roll {binders}",
    t.DoNothing: "do nothing",
    t.Do: "do {rule}{arguments:(_)}",
    t.Announce: "announce {event}{arguments:(_)}",
    t.Remember: "remember {history}{arguments:(_)}",
    t.Forget: "forget {history}",
    t.Stop: "stop",
    t.EndGame: "end the game",
    t.If: "if {condition.tested}",
    t.IfThere: "if there is {binders}",
    t.Each: "each {binders}",
    t.Together: "together each {binders}",
    t.Repeat: "repeat {word} {value}",
    t.TakeTurns: "take turns {name} from {start}{following:, then _}{until: until _}",
    t.Choose: _choose,
    t.ChooseSome: "{surely:surely }{who.first} {some} {binder}",
    t.Menu: "{surely:surely }{who.first} chooses one of{aim}",
    t.MenuOption: "option {id}{binders:(_)}",
    t.Pay: "{surely:surely }{who.first} pays {cost.price} from {source.tight} to {target.tight}",
    t.Score: "{who.first} {word} {value}",
    t.Wins: "{who.first} wins",
    # examples
    t.Example: "example {id}",
    t.Documented: "documented {passages}",
    t.Passage: lambda p: f"{p.language} {p.first}" + ("" if p.first == p.last else f"-{p.last}"),
    t.ExPlayers: "players {names}",
    t.Using: "with {variants}",
    t.WithValue: "with {name} = {value}",
    t.Given: "given {facts}",
    t.Run: "run {rule}{arguments:(_)}",
    t.Chance: "chance {values}",
    t.ExChooses: "{who.actor} chooses {values}",
    t.ExDeclines: "{who.actor} declines",
    t.ExPays: "{who.actor} pays {pieces}",
    t.ExRefused: "{who.actor} cannot choose {values}{because: because _}{needs: needs _}",
    t.ExCannotPay: "{who.actor} cannot pay {pieces}{because: because it is _}",
    t.Asked: "asked {who.tight}{rule: _}",
    t.Offered: "offered {count} {id}",
    t.OfferedOnly: "offered only {values}",
    t.Then: "then {conditions}",
    t.Fired: lambda fired: "not " * fired.negated + filled("fired {ids}", fired),
    t.Winners: "winners {names}",
    t.Finished: "finished",
    t.ExampleCases: "cases {columns}",
    # parts of these
    t.Param: "{name}: {type}",
    t.Binders: binders_text,
    t.Binder: lambda binder: binders_text(t.Binders((binder,))),
    t.Amount: amount_text,
    t.Some: _some,
    t.Aim: aim_text,
    t.VariableAttribute: attribute_text,
    t.Exchange: attribute_text,
    t.AllBut: price_text,
    t.PlayerCount: "players",
    **dict.fromkeys(get_args(t.TypeExpr), print_type),
}
"""How everything is written that is not an expression. A field stands in braces, with its place behind a dot; what
stands behind a colon is written only where the field holds something, with ``_`` for its text."""

_BELOW = ("variables", "steps", "columns", "rows", "stand_in", "cases", "matches", "edges", "options", "then", "body")
"""The fields that hold what has lines of its own, one level deeper."""

_PARTS = (
    *(*get_args(t.Expr), *get_args(t.TypeExpr)),
    *(t.Binders, t.Amount, t.Param, t.Trigger, t.VariableAttribute, t.Exchange, t.Rank),
)


def line_of(level: int, text: str, node: t.Node, parts: Iterable[object] | None = None) -> CanonicalLine:
    """The line of a statement or of a block's head. Nodes that end with a line break reach past their own text, so
    the last source line is taken from the ``parts`` on the line (by default: all expressions ``node`` is made of)."""
    if parts is None:
        parts = children(node)
    last = max((part.span.end_line for part in parts if isinstance(part, _PARTS)), default=0)
    return CanonicalLine(level, text, node.span.line, max(node.span.line, last))


def lines(item: t.Item) -> list[CanonicalLine]:
    """The lines of an item, in order and not yet folded."""
    return list(_lines(item, 0))


def _block(nodes: Iterable[t.Node], level: int) -> Iterator[CanonicalLine]:
    for node in nodes:
        yield from _lines(node, level)


def _after_word(word: str, node: t.Node, level: int) -> Iterator[CanonicalLine]:
    """The lines of a node, the first with a word before it."""
    head, *rest = _lines(node, level)
    yield attrs.evolve(head, text=f"{word} {head.text}")
    yield from rest


def _lines(node: t.Node, level: int) -> Iterator[CanonicalLine]:
    """The lines of an item or a part of one that has lines of its own."""
    match node:
        case t.Inserted(_, body):  # made by the linker: what a reader would see is its statements
            yield from _block(body, level)
        case t.Replace(replaced):
            head, *rest = _after_word("replace", replaced, level)
            yield from (attrs.evolve(head, first=node.span.line), *rest)
        case t.Number(_, (case,), True):
            yield line_of(level, text_of(node), node, [case.value])
        case _:
            yield from _first_lines(node, level)
            for name in fields(type(node)):
                if name in _BELOW:
                    below = getattr(node, name)
                    yield from _block(below if isinstance(below, tuple) else filter(None, [below]), level + 1)
            yield from _otherwise(node, level)


def _otherwise(node: t.Node, level: int) -> Iterator[CanonicalLine]:
    match node, getattr(node, "otherwise", None):
        case _, None:
            return
        case t.If() | t.IfThere(), ((t.If() | t.IfThere()) as chained,):
            yield from _after_word("otherwise", chained, level)
        case _, body:
            yield CanonicalLine(level, "otherwise")
            yield from _block(body, level + 1)


def _first_lines(node: t.Node, level: int) -> Iterator[CanonicalLine]:
    """The first line of a node, and what belongs to it."""
    match node:
        case t.Define(value=t.Node() as value) | t.Invariant(_, value):
            yield from _with_value(text_of(node), value, node, level)
        case t.Define(params=params, ways=t.Ways() as ways):
            yield line_of(level, text_of(node), node, (*params, ways.most))
            yield line_of(level + 1, f"from {expr_text(ways.start)}", ways.start)
            yield from _block((*ways.steps, *filter(None, [ways.end])), level + 1)
        case t.Graph(_, params, nodes):
            yield line_of(level, text_of(node), node, params)
            yield line_of(level + 1, f"node {binders_text(nodes)}", nodes)
        case t.Variant(summary=str() as summary):
            yield line_of(level, text_of(node), node)
            yield CanonicalLine(level + 1, f'"{summary}"')
        case t.Game():
            yield line_of(level, text_of(node), node)
            yield from _game(node, level + 1)
        case t.Setting():
            yield line_of(level, text_of(node), node)
            yield from _setting(node, level + 1)
        case _:
            yield line_of(level, text_of(node), node)


def _with_value(head: str, value: t.Expr, item: t.Define | t.Invariant, level: int) -> Iterator[CanonicalLine]:
    """A head and its value: on one line, or on two when one would be too long."""
    text, params = expr_text(value), item.params if isinstance(item, t.Define) else ()
    if len(INDENT) * level + len(head) + 1 + len(text) <= WIDTH:
        yield line_of(level, f"{head} {text}", item, (*params, value))
        return
    yield line_of(level, head, item, params)
    below = line_of(level + 1, text, value)
    yield below if below.first > item.span.line else CanonicalLine(level + 1, text)


def _game(game: t.Game, level: int) -> Iterator[CanonicalLine]:
    if game.title is not None:
        yield CanonicalLine(level, f'title "{game.title}"')
    if (game.low, game.high) != (0, 0):
        yield CanonicalLine(level, f"players {game.low}" + ("" if game.low == game.high else f"..{game.high}"))
    if game.seats:
        yield CanonicalLine(level, f"seats {names_text(game.seats)}")
    yield from _block(game.teams, level)
    if game.languages:
        yield CanonicalLine(level, f"languages {names_text(game.languages)}")


def _setting(setting: t.Setting, level: int) -> Iterator[CanonicalLine]:
    yield CanonicalLine(level, f"default {setting.default}")
    # A long reason is cut at spaces: the lines of a reason are joined by one space when they are read.
    rest = setting.because or ""
    room = WIDTH - len(INDENT) * level - len('because ""')
    while rest:
        cut = rest.rfind(" ", 1, room + 1) if len(rest) > room else -1
        if len(rest) > room and cut < 0:
            cut = rest.find(" ", 1)
        if cut < 0 or cut == len(rest) - 1:
            yield CanonicalLine(level, f'because "{rest}"')
            return
        yield CanonicalLine(level, f'because "{rest[:cut]}"')
        rest = rest[cut + 1 :]


def print_file(file: t.File) -> str:
    """The whole file, without comments; short items of one sort stand together where the source had nothing between."""
    out: list[str] = []
    before: tuple[t.Item, int] | None = None
    for item in file.items:
        printed = lines(item)
        if before is not None and not (keep_together(before[0], item) and printed[0].first <= before[1] + 1):
            out.append("")
        for line in printed:
            out.extend(fold(line))
        reached = 0
        for line in printed:
            reached = line.last or reached + 1
        before = item, reached
    return "".join(f"{line}\n" for line in out)


def keep_together(before: t.Item, item: t.Item) -> bool:
    """Whether two items that follow one another may do so without a blank line between them."""
    sort = _sort(item)
    return sort is not None and sort == _sort(before)


def _sort(item: t.Item | t.MenuOption) -> str | None:
    """The name shared by short items that are often written as a list, or None."""
    match item:
        case t.Define(value=None):
            return None
        case t.Setting(kind=kind):
            return kind
        case t.Replace(replaced):
            sort = _sort(replaced)
            return None if sort is None else f"replace {sort}"
        case t.ChangeNumber() | t.ChangeSetting() | t.ChangeRow() | t.ChangeCell():
            return "change"
        case t.Enum() | t.Range() | t.Grid() | t.Number() | t.Define() | t.Event() | t.Invariant():
            return type(item).__name__
        case t.RemoveRule() | t.RemoveRow() | t.ExtendEnum() | t.Adjust():
            return type(item).__name__
        case _:
            return None
