"""Listing of a Program: names resolved, types and bounds filled in, events not yet turned into calls.

For people who work on the compiler; ``rulelang inspect --stage program`` prints it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol, assert_never

from ..types import describe
from . import nodes as ir
from .wording import binds_text, exchange_text, expression_text, price_text


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
    yield head + (f"  -- {counted(rule.frame, 'slot')}" if rule.parent is None else "")
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
            until = "" if s.until is None else f" until {text(s.until)}"
            out = "" if s.out is None else f" unless {text(s.out)}"
            yield f"{pad}take turns {s.name} from {text(s.start)}{until}{out}"
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


def counted(number: int, thing: str) -> str:
    """``1 slot``, ``2 slots``."""
    return f"{number} {thing}{'' if number == 1 else 's'}"
