"""Typed expressions as text, as the rules would write them.

``to_tree`` turns an expression back into the syntax tree that an author would have written; the printer of the
language writes that. So brackets and words are settled in one place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, assert_never

import attrs

from ..syntax import tree as t
from ..syntax.printer import expressions as printer
from ..syntax.printer import print_expr
from ..syntax.walk import rewrite
from ..types import ListType, MemberType, NumberType, PiecesType, Type, describe, kinds
from ..words import several
from . import nodes as ir
from .nodes import SHOWN
from .operations import DOMAIN, OPERATIONS, REST, A, B, C
from .values import name_of, show


def expression_text(expr: ir.Expr) -> str:
    """The expression in the language of the rules, on one line."""
    return print_expr(to_tree(expr))


def binds_text(binds: ir.Binds) -> str:
    """``t in Tile, c in Color where ...``"""
    return printer.binders_text(_binders(binds))


def exchange_text(exchange: ir.Exchange, type_: Type) -> str:
    """``any 3 others for 1``, ``2 of [ruby, opal] for 1 of pearl``; ``type_`` is that of the pieces."""
    assert isinstance(type_, PiecesType)
    given, due = (_kinds(chosen, type_) for chosen in (exchange.given, exchange.due))
    return printer.attribute_text(t.Exchange(t.Integer(exchange.number), given, 1, due))


def price_text(cost: ir.Expr, less: ir.Expr | None) -> str:
    """What is to be paid: ``{gold: 3}``, ``all but 1 of {gold: 3}``."""
    price = to_tree(cost)
    return printer.price_text(price if less is None else t.AllBut(to_tree(less), price))


def to_tree(expr: ir.Expr) -> t.Expr:
    """What an author would write for the expression. A value that has no words of its own stands as a name."""
    match expr:
        case ir.Const():
            return _constant(expr.value, expr.type)
        case ir.Local():
            return t.Name(expr.name)
        case ir.Read() if expr.variable.endswith(SHOWN):
            who, *indices = expr.indices
            place = _indexed(t.Name(expr.variable.removesuffix(SHOWN)), indices)
            return t.Apply(t.Name("remembered"), (place, to_tree(who)))
        case ir.Read():
            return _indexed(t.Name(expr.variable), expr.indices)
        case ir.ColumnOf():
            return t.Attribute(to_tree(expr.row), expr.column)
        case ir.PartOf(ir.Local() as whole) if whole.name.startswith("("):
            return t.Name(expr.name)  # of a tuple that the rules took apart: no name stands for the whole
        case ir.PartOf():
            return t.Attribute(to_tree(expr.value), expr.name)
        case ir.Call():
            return _called(expr.definition, expr.arguments)
        case ir.If() if expr.by_column is not None:
            return t.After(to_tree(value_of(expr)), expr.by_column)
        case ir.If():
            return t.Conditional(to_tree(expr.condition), to_tree(expr.then), to_tree(expr.otherwise))
        case ir.After():
            return t.After(to_tree(expr.value), expr.rule, _trees(expr.arguments))
        case ir.Apply():
            return _operation(expr)
        case ir.Fold() | ir.PiecesOf() | ir.Ways():
            return _gone_through(expr)
        case ir.GroupOf():
            return _function("group", _called(expr.graph, expr.arguments), to_tree(expr.node))
        case ir.Groups():
            return _function("groups", _called(expr.graph, expr.arguments))
        case ir.LongestTrail():
            return _function("longest_trail", _called(expr.graph, expr.arguments), to_tree(expr.measure))
        case ir.ByLength():
            return _function(expr.word, _called(expr.graph, expr.arguments), *map(to_tree, expr.ends))
    assert_never(expr)


def _gone_through(expr: ir.Fold | ir.PiecesOf | ir.Ways) -> t.Expr:
    match expr:
        case ir.Fold() if expr.ranks:
            ranks = tuple(t.Rank("most" if rank.most else "fewest", to_tree(rank.value)) for rank in expr.ranks)
            return t.FoldRanked(expr.word, _binders(expr.binds), ranks)
        case ir.Fold() if expr.body is not None:
            return t.FoldOf(expr.word, to_tree(expr.body), _binders(expr.binds))
        case ir.Fold():
            return t.FoldMembers(expr.word, _binders(expr.binds))
        case ir.PiecesOf() if expr.binds is not None:
            ((kind, count),) = expr.entries
            return t.BundleFor(t.Entry(to_tree(kind), to_tree(count)), _binders(expr.binds))
        case ir.PiecesOf():
            return t.Bundle(tuple(t.Entry(to_tree(kind), to_tree(count)) for kind, count in expr.entries))
        case ir.Ways():  # a definition of its own in rules; here its lines follow one another
            end = "" if expr.end is None else f", {expr.way} may end where {expression_text(expr.end)}"
            steps = f"step {expr.way} to {expression_text(expr.steps)}"
            return t.Name(f"ways from {expression_text(expr.start)}, {steps}{end}")
    assert_never(expr)


def _operation(expr: ir.Apply) -> t.Expr:
    op, arguments = expr.op, _trees(expr.arguments)
    operation = OPERATIONS[op]
    match op, arguments:
        case "not", (t.Binary("is in", left, right),):
            return t.Binary("is not in", left, right)
        case _ if operation.arity not in (None, len(arguments)):  # a chain of an operator of two
            return _function(op, *arguments)
    holes = {id(hole): argument for hole, argument in zip((A, B, C), arguments, strict=False)}
    holes[id(DOMAIN)] = t.Name(_domain(expr.type))
    return rewrite(operation.form, lambda node: arguments if node is REST else holes.get(id(node), node))


def _domain(type_: Type) -> str:
    item = type_.item if isinstance(type_, ListType) else type_
    if isinstance(item, MemberType):
        return item.domain.name
    if isinstance(item, NumberType):
        return item.name or f"{item.low}..{item.high}"
    return "members"


def _constant(value: object, type_: Type) -> t.Expr:
    if isinstance(type_, PiecesType) and isinstance(value, tuple):
        counted = zip(kinds(type_.kind), value, strict=True)
        entries = ((t.Name(name_of(kind, type_.kind)), t.Integer(number)) for kind, number in counted if number)
        return t.Bundle(tuple(t.Entry(*entry) for entry in entries))
    return t.Name(show(value, type_))


def _binders(binds: ir.Binds) -> t.Binders:
    filters: list[t.Filter] = []
    if binds.passing is not None:
        filters.append(t.Filter("where", to_tree(binds.passing)))
    if binds.condition is not None:
        filters.append(t.Filter("while" if binds.stop_at_first_failure else "where", to_tree(binds.condition)))
    binders = [_binder(bind.name, bind.domain) for bind in binds.binds]
    if binders:
        binders[-1] = attrs.evolve(binders[-1], filters=tuple(filters))
    return t.Binders(tuple(binders))


def _binder(name: str, domain: ir.Expr) -> t.Binder:
    if isinstance(domain, ir.Apply) and domain.op == "rotate":
        whole, start = domain.arguments
        return t.Binder(name, to_tree(whole), to_tree(start))
    return t.Binder(name, to_tree(domain))


def _kinds(chosen: Sequence[int] | None, type_: PiecesType) -> t.Expr | None:
    if chosen is None:
        return None
    names = tuple(t.Name(name_of(kind, type_.kind)) for kind in chosen)
    return names[0] if len(names) == 1 else t.Sequence(names)


def _trees(exprs: Iterable[ir.Expr]) -> tuple[t.Expr, ...]:
    return tuple(map(to_tree, exprs))


def _function(name: str, *arguments: t.Expr) -> t.Expr:
    return t.Apply(t.Name(name), arguments)


def _called(name: str, arguments: Sequence[ir.Expr]) -> t.Expr:
    return _function(name, *_trees(arguments)) if arguments else t.Name(name)


def _indexed(place: t.Expr, indices: Sequence[ir.Expr]) -> t.Expr:
    return t.Index(place, _trees(indices)) if indices else place


# ---------------------------------------------------------------- rules that a column of a table names


def value_of(expr: ir.If) -> ir.Expr:
    """What is worked out after the rule, in an ``If`` for the rules that it may be."""
    found: ir.Expr = expr
    while isinstance(found, ir.If) and found.by_column is not None:
        found = found.then
    return found.value if isinstance(found, ir.After) else found


def with_value(expr: ir.Expr, value: ir.Expr) -> ir.Expr:
    """The same supposition with another value worked out after the rule."""
    match expr:
        case ir.If() if expr.by_column is not None:
            then, otherwise = with_value(expr.then, value), with_value(expr.otherwise, value)
            return attrs.evolve(expr, then=then, otherwise=otherwise, type=value.type)
        case ir.After():
            return attrs.evolve(expr, value=value, type=value.type)
    return value


def program_text(program: ir.Program) -> str:
    """The whole Program, ending with a line break."""
    return "".join(f"{line}\n" for line in _program(program))


def rule_text(program: ir.Program, rule: ir.Rule) -> str:
    """One rule or option with what is nested in it, ending with a line break."""
    return "".join(f"{line}\n" for line in _rule(program, rule, 0))


def _program(program: ir.Program) -> Iterator[str]:
    yield f"program {program.name} for {program.players} players, version {program.version[:12]}"
    for setting, value in program.settings.items():
        yield f"{value.kind} {setting} = {value.value}"
    for name, number in program.numbers.items():
        yield f"number {name} = {number}"
    for name, domain in program.domains.items():
        ring = "ring" if domain.ring else "enum"
        yield f"{ring} {name}: {', '.join(domain.members[:12])}{', ...' if len(domain) > 12 else ''}"
    for variable in program.variables.values():
        yield _variable(variable)
    if program.score is not None:
        yield f"points in {program.score}"
    for definition in program.definitions.values():
        params = ", ".join(f"{p.name}: {describe(p.type)}" for p in definition.params)
        head = f"define {definition.name}({params}): {describe(definition.type)}{_deep(definition.deep)}"
        yield f"{head} = {expression_text(definition.body)}"
    for graph in program.graphs.values():
        edges = "; ".join(map(_edge, graph.edges)) or "nothing"
        yield f"graph {graph.name}: nodes {binds_text(graph.nodes)}; edges to {edges}"
    for rank in program.ranks:
        yield f"winner {'most' if rank.most else 'fewest'} {expression_text(rank.value)}"
    for invariant in program.invariants:
        yield f"invariant {invariant.id}: {expression_text(invariant.condition)}"
    for event in program.events.values():
        handlers = ", ".join(program.handlers.get(event.name, ())) or "nothing"
        yield f"event {event.name}({', '.join(map(describe, event.types))}) runs {handlers}"
    for rule in program.rules.values():
        if rule.parent is None:
            yield from _rule(program, rule, 0)


def _edge(edge: ir.Edge) -> str:
    length = "" if edge.length is None else f", length {expression_text(edge.length)}"
    return f"{expression_text(edge.target)}{', one way' if edge.one_way else ''}{length}"


def _variable(variable: ir.Variable) -> str:
    owners = f"[{', '.join(o.domain.name for o in variable.owners)}]" if variable.owners else ""
    parts = [f"{variable.kind} {variable.name}{owners}: {describe(variable.type)}"]
    if variable.initial is not None:
        parts.append(f"at first {expression_text(variable.initial)}")
    if variable.capacity is not None:
        parts.append(f"{'last' if variable.rolling else 'at most'} {variable.capacity}")
    if variable.seen_by != "all":
        seen_by = {"others": "all but owner", "some": "some"}.get(variable.seen_by, variable.seen_by)
        parts.append(f"seen by {seen_by}{', counted' if variable.counted else ''}")
    parts += [exchange_text(exchange, variable.type) for exchange in variable.exchanges]
    if variable.not_below is not None:
        parts.append(f"not below {variable.not_below}")
    if variable.not_above is not None:
        parts.append(f"not above {variable.not_above}")
    if variable.bookkeeping:
        parts.append("bookkeeping")
    return ", ".join(parts)


def _deep(deep: int | None) -> str:
    return "" if deep is None else f", at most {deep} deep"


def _rule(program: ir.Program, rule: ir.Rule, depth: int) -> Iterator[str]:
    pad = "  " * depth
    params = ", ".join(f"{p.name}: {describe(p.type)}" for p in rule.params)
    head = f"{pad}{rule.kind} {rule.id}" + (f"({params})" if params else "")
    if rule.binds is not None:
        head += f"({binds_text(rule.binds)})"
    head += _deep(rule.deep)
    if rule.event is not None:
        head += f" on {rule.event}"
    openly = _openly(rule)
    if rule.whenever is not None:
        head += f" {openly}whenever {expression_text(rule.whenever)}"
    if rule.guard is not None:
        head += f" {openly}when {expression_text(rule.guard)}"
    yield head + (f"  -- {several(rule.frame, 'slot')}" if rule.parent is None else "")
    for need in rule.needs:
        yield f"{pad}  {_openly(need)}needs {expression_text(need.condition)}"
    yield from _block(program, rule.body, depth + 1)


def _block(program: ir.Program, body: Sequence[ir.Statement], depth: int) -> Iterator[str]:
    for statement in body:
        yield from _statement(program, statement, depth)


def _statement(program: ir.Program, s: ir.Statement, depth: int) -> Iterator[str]:
    pad, text = "  " * depth + _openly(s), expression_text
    match s:
        case ir.Let():
            yield f"{pad}let {s.name} = {text(s.value)}  -- slot {s.slot}, {describe(s.value.type)}"
        case ir.SetValue():
            yield f"{pad}set {place_text(s.target)} to {text(s.value)}"
        case ir.Change():
            verb = "decrease" if s.sign < 0 else "increase"
            yield f"{pad}{verb} {place_text(s.target)} by {text(s.amount)}"
        case ir.Move():
            yield f"{pad}{move_text(s)}"
        case ir.Show():
            yield f"{pad}{show_text(s)}"
        case ir.Shuffle():
            yield f"{pad}shuffle {place_text(s.place)}"
        case ir.Roll():
            yield f"{pad}roll {binds_text(s.binds)}"
        case ir.Nothing():
            yield f"{pad}do nothing"
        case ir.Do():
            yield f"{pad}do {s.rule}({', '.join(map(text, s.arguments))})"
        case ir.Announce():
            yield f"{pad}announce {s.event}({', '.join(map(text, s.arguments))})"
        case ir.Stop():
            yield f"{pad}stop"
        case ir.EndGame():
            yield f"{pad}end the game"
        case ir.Wins():
            yield f"{pad}{text(s.who)} wins"
        case ir.Score():
            yield f"{pad}{text(s.who)} {'loses' if s.sign < 0 else 'scores'} {text(s.amount)}"
        case ir.Pay():
            ends = f"from {place_text(s.source)} to {place_text(s.target)}"
            yield f"{pad}{text(s.who)} pays {price_text(s.cost, s.less)} {ends}"
        case ir.NamedRule():
            yield from _rule(program, program.rules[s.rule], depth)
        case ir.ChooseSome():
            yield f"{pad}{text(s.who)} {s.text}"
            yield from _block(program, s.asks, depth + 1)
            if s.body is not None:
                yield f"{'  ' * depth}then"
                yield from _block(program, s.body, depth + 1)
            if s.otherwise:
                yield f"{'  ' * depth}otherwise"
                yield from _block(program, s.otherwise, depth + 1)
        case ir.Menu():
            yield f"{pad}{text(s.who)} chooses one of"
            for option in s.options:
                yield from _rule(program, program.rules[option], depth + 1)
            if s.otherwise is not None:
                yield f"{pad}otherwise"
                yield from _block(program, s.otherwise, depth + 1)
        case ir.Branch() | ir.IfThere() | ir.Each() | ir.Together() | ir.Repeat() | ir.TakeTurns() | ir.Choose():
            yield from _with_blocks(program, s, depth)
        case _:
            assert_never(s)


def _with_blocks(
    program: ir.Program,
    s: ir.Branch | ir.IfThere | ir.Each | ir.Together | ir.Repeat | ir.TakeTurns | ir.Choose,
    depth: int,
) -> Iterator[str]:
    pad, text = "  " * depth + _openly(s), expression_text
    otherwise: Sequence[ir.Statement] = ()
    match s:
        case ir.Branch(then=body, otherwise=otherwise):
            yield f"{pad}if {text(s.condition)}"
        case ir.IfThere(then=body, otherwise=otherwise):
            yield f"{pad}if there is {binds_text(s.binds)}"
        case ir.Each(body=body):
            yield f"{pad}each {binds_text(s.binds)}"
        case ir.Together(body=body):
            yield f"{pad}together {binds_text(s.binds)}"
        case ir.Repeat(body=body):
            yield f"{pad}repeat {s.word} {text(s.value)}"
        case ir.TakeTurns(body=body):
            then = None if s.following == s.clockwise else s.following
            yield f"{pad}take turns {s.name}{turns_text(s.start, then, s.until, s.out)}"
        case ir.Choose(otherwise=otherwise):
            body = s.body or ()
            yield f"{pad}{text(s.who)} {'may choose' if s.may else 'chooses'} {binds_text(s.binds)}"
        case _:
            assert_never(s)
    yield from _block(program, body, depth + 1)
    if otherwise:
        yield f"{'  ' * depth}otherwise"
        yield from _block(program, otherwise, depth + 1)


def _openly(part: ir.Node) -> str:
    return "openly " if isinstance(part, ir.Action) and part.openly else ""


def turns_text(start: ir.Expr, then: ir.Expr | None, until: ir.Expr | None, out: ir.Expr | None) -> str:
    """In which order players take turns, and for how long."""
    parts = (" from ", start), (", then ", then), (" until ", until), (" unless ", out)
    return "".join(word + expression_text(part) for word, part in parts if part is not None)


def place_text(place: ir.Place) -> str:
    """A place as rules write it."""
    indices = ", ".join(map(expression_text, place.indices))
    return f"{place.variable}[{indices}]" if indices else place.variable


class AnyAmount(Protocol):
    """Pieces that are moved or shown, in a Program or in lowered code."""

    @property
    def what(self) -> str | None: ...
    @property
    def amount(self) -> ir.Expr | None: ...
    @property
    def kind(self) -> ir.Expr | None: ...
    @property
    def up_to(self) -> bool: ...


class AnyMove(AnyAmount, Protocol):
    """A move of pieces, in a Program or in lowered code; see :class:`rulelang.program.Move`."""

    @property
    def source(self) -> ir.Place: ...
    @property
    def target(self) -> ir.Place: ...
    @property
    def square(self) -> ir.Expr | None: ...
    @property
    def turn(self) -> ir.Expr | None: ...


def show_text(s: ir.Show) -> str:
    """What is shown and to whom, as rules write it."""
    pieces = "" if s.what is None else f"{amount_text(s)} from "
    to = f"each {binds_text(s.seats)}" if s.seats is not None else "all" if s.who is None else expression_text(s.who)
    return f"show {pieces}{place_text(s.place)} to {to}"


def move_text(s: AnyMove) -> str:
    """A move as rules write it."""
    laid = ""
    if s.square is not None and s.turn is not None:
        laid = f" at {expression_text(s.square)} turned {expression_text(s.turn)}"
    return f"move {amount_text(s)} from {place_text(s.source)} to {place_text(s.target)}{laid}"


def amount_text(s: AnyAmount) -> str:
    """The pieces that are moved or shown."""
    number, of = s.amount, s.kind
    amount = "" if number is None else expression_text(number)
    kind = "" if of is None else expression_text(of)
    up_to = "up to " if s.up_to else ""
    words = {
        "all": "all",
        "all of": f"all of {kind}",
        "number": amount,
        "number of": f"{amount} of {kind}",
        "at": f"at {amount}",
        "pieces": amount,
    }
    return up_to + words[s.what or "all"]
