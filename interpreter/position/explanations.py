"""Explanations of why something can or cannot be chosen: every condition, with the values it depends on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

import attrs

from rulelang import program as ir
from rulelang.program.printer import exchange_text, expression_text, price_text
from rulelang.program.values import from_text, show
from rulelang.program.walk import conjuncts, free_slots, substitute, walk
from rulelang.source import Span
from rulelang.types import FLAG, MemberType, PiecesType, Type

from ..data import Condition, Explanation
from ..evaluation.meter import Undefined
from ..lowered import code
from .events import parts
from .position import ChooseQuestion, MenuQuestion, PayQuestion, Position


def why(position: Position, index: int) -> Explanation:
    """Explain why an offered option is legal."""
    asked = position.asked
    assert asked is not None
    ask, raw = asked.question, asked.raws[index]
    text = asked.decision(position).options[index].text
    local = list(position.frames[-1].local)
    if isinstance(ask, MenuQuestion):
        number, chosen = raw
        rule = ask.node.items[number].rule
        if rule.binds is not None:
            _bind(local, rule.binds, chosen)
        conditions = [_condition(position, local, c, t, rule.id, s) for c, t, s in _needs(rule)]
        return Explanation(rule.id, True, tuple(conditions), _possible(text, conditions))
    if isinstance(ask, PayQuestion):
        paid = _payment(position, ask, raw)
        return Explanation(ask.node.rule, True, (paid,), f"{text} is possible: the price is {paid.values[1][1]}.")
    assert isinstance(ask, ChooseQuestion)
    if raw is None:
        return _may_refuse(ask)
    _bind(local, ask.node.binds, raw)
    found = [_condition(position, local, c, t, ask.node.rule, s) for c, t, s in _tested(ask)]
    return Explanation(ask.node.rule, True, tuple(found), _possible(text, found))


def why_not(position: Position, option: str | None, values: Mapping[str, Any], seat: int | None = None) -> Explanation:
    """Explain whether something can be chosen: an option of a menu by its id, or the values of a plain choice.

    ``values``: by the names that the choice binds, as text or plain data; the pieces of a payment under ``pays``.
    ``seat``: the player who would like to choose, if that matters.
    """
    asked = position.asked
    what = _called(position, option, values)
    if asked is None:
        reason = "the game is over" if position.over else "nothing is being asked"
        return Explanation(option or "", False, (), f"{what} is not possible: {reason}.")
    ask = asked.question
    who = position.blueprint.seat(asked.player)
    if seat is not None and seat != asked.player:
        # How far somebody has come who decides together with others is not to be seen.
        asks = position.secret.rule if position.secret is not None else ask.node.rule
        return Explanation(asks, False, (), f"{what} is not possible: {who} decides now, in rule {asks}.")
    if isinstance(ask, MenuQuestion):
        item = next((i for i in ask.node.items if i.rule.id == option), None)
        if item is None:
            listed = ", ".join(i.rule.id for i in ask.node.items)
            text = f"{what} is not possible: {who} is choosing one of {listed}, in rule {ask.node.rule}."
            return Explanation(option or ask.node.rule, False, (), text)
        rule = item.rule
        return _judge(position, rule.id, what, rule.binds, _needs(rule), values)
    if option is not None:
        asks_for = "a payment" if isinstance(ask, PayQuestion) else "something else"
        return Explanation(
            option, False, (), f"{what} is not possible: {who} is asked for {asks_for} now, in rule {ask.node.rule}."
        )
    if isinstance(ask, PayQuestion):
        return _judge_payment(position, ask, what, values)
    assert isinstance(ask, ChooseQuestion)
    if not values or set(values) == {"no"}:
        if ask.node.may:
            return _may_refuse(ask)
        must = "must choose" if ask.node.some is None else "must choose more"
        return Explanation(ask.node.rule, False, (), f"no is not possible: {who} {must}, in rule {ask.node.rule}.")
    return _judge(position, ask.node.rule, what, ask.node.binds, _tested(ask), values)


def _called(position: Position, option: str | None, values: Mapping[str, Any]) -> str:
    """What is asked about, in words, each value as the rules show one of its type."""
    types: dict[str, Type] = {}
    match position.asked.question if position.asked is not None else None:
        case ChooseQuestion() as ask:
            types = {bind.name: bind.type for bind in ask.node.binds.binds}
        case MenuQuestion() as ask:
            binds = next((i.binds for i in ask.node.items if i.rule.id == option), None)
            types = {} if binds is None else {bind.name: bind.type for bind in binds.binds}
        case PayQuestion() as ask:
            types = {"pays": ask.source.variable.type}
    words = [option] if option else []
    for name, value in values.items():
        try:
            words.append(show(from_text(value, types[name]), types[name]))
        except (KeyError, ValueError):
            words.append(str(value))
    return " ".join(words) or "this"


Needed = tuple[ir.Expr, str, Span]


def _needs(rule: ir.Rule) -> list[Needed]:
    """The conditions of an option: on its values, its guard and its needs."""
    found: list[Needed] = []
    if rule.binds is not None:
        found += [(c, expression_text(c), c.span) for c in _tests(rule.binds)]
    if rule.guard is not None:
        found.append((rule.guard, expression_text(rule.guard), rule.guard.span))
    for need in rule.needs:
        each = conjuncts(need.condition)
        if len(each) == 1:
            found.append((need.condition, need.text, need.span))
        else:  # one by one, so that the explanation points at the one that fails
            found += [(part, expression_text(part), need.span) for part in each]
    return found


def _tested(ask: ChooseQuestion) -> list[Needed]:
    """The conditions on what is chosen."""
    some = ask.node.some is not None
    return [(c, _one_more(c) if some else expression_text(c), c.span) for c in _tests(ask.node.binds)]


def _may_refuse(ask: ChooseQuestion) -> Explanation:
    reason = "the player may choose, but need not" if ask.node.some is None else "that is enough"
    word = "no" if ask.node.some is None else "enough"
    return Explanation(ask.node.rule, True, (), f"{word} is possible: {reason}.")


_ONE_MORE = (
    "it comes after what has been chosen, in the order of the list",
    "not all of it has been chosen",
    "enough can be chosen after it",
)


def _one_more(condition: ir.Expr) -> str:
    """A condition on one of several that are chosen one after another, in plain words: no text says it."""
    later, left, enough = _ONE_MORE
    match condition:
        case ir.Fold("every"):
            return later
        case ir.Apply(">"):
            return left
    return enough


def _tests(binds: ir.Binds) -> list[ir.Expr]:
    return conjuncts(binds.passing) + conjuncts(binds.condition)


def _bind(local: list[Any], binds: ir.Binds, values: tuple[Any, ...]) -> None:
    for bind, value in zip(binds.binds, values, strict=True):
        local[bind.slot] = value


def _condition(position: Position, local: list[Any], condition: ir.Expr, text: str, rule: str, span: Span) -> Condition:
    """One condition with its values; those that the deciding player may not see read "hidden"."""
    blueprint = position.blueprint
    assert position.asked is not None
    try:
        holds = bool(blueprint.evaluate(condition, position.cells, local))
    except Undefined:  # it may be meant only for values that pass the conditions before it
        return Condition(text, False, (), rule, span)
    values = []
    for part in () if text in _ONE_MORE or _is_aim(condition) else _worth_showing(position, condition):
        value, seats = blueprint.evaluate_seen(part, position.cells, local)
        sees = position.asked.player in seats and _knows_locals(position, part)
        values.append((expression_text(part), show(value, part.type) if sees else "hidden"))
    return Condition(text, holds, tuple(values), rule, span)


def _is_aim(condition: ir.Expr) -> bool:
    """Whether a condition is that of a menu with an aim: a definition whose name no text can hold."""
    match condition:
        case ir.After(value=ir.Call(definition=name)):
            return " " in name
    return False


def _knows_locals(position: Position, part: ir.Expr) -> bool:
    """Whether the player who is asked knows the locals in an expression. What the question itself binds is known."""
    assert position.asked is not None
    place = len(position.frames) - 1
    node = position.asked.question.node
    own = {slot for binds in _asked_binds(node) for slot in (bind.slot for bind in binds.binds)}
    knowers, player = position.blueprint.knowers, position.asked.player
    return all(knowers.knows(position.frames, place, slot, player) for slot in free_slots(part) - own)


def _asked_binds(node: code.Ask) -> list[ir.Binds]:
    match node:
        case code.Choose(binds=binds):
            return [binds]
        case code.Menu(items=items):
            return [item.binds for item in items if item.binds is not None]
    return []


def _worth_showing(position: Position, condition: ir.Expr) -> list[ir.Expr]:
    """The calls and reads in a condition. A yes/no definition is opened up: its parts say more."""
    found: list[ir.Expr] = []
    for part in parts(condition):
        inside: list[ir.Expr] = []
        if isinstance(part, ir.Call) and part.type == FLAG:
            definition = position.blueprint.program.definitions[part.definition]
            if definition.deep is None and not _binds_names(definition.body):
                slots = {p.slot: a for p, a in zip(definition.params, part.arguments, strict=True)}
                inside = _worth_showing(position, substitute(definition.body, slots))
        found += inside or [part]
    return list(dict.fromkeys(found))


def _binds_names(expr: ir.Expr) -> bool:
    """Whether an expression binds names of its own, whose slots mean something else outside it."""
    return any(isinstance(node, ir.Binds) for node in walk(expr))


def _possible(what: str, conditions: list[Condition]) -> str:
    if not conditions:
        return f"{what} is possible: nothing more is needed."
    return f"{what} is possible: {'; '.join(_with_values(c) for c in conditions)}."


def _with_values(condition: Condition) -> str:
    """``left[p] > 0 (left[p] is 0)``"""
    shown = [f"{name} is {value}" for name, value in condition.values if name != condition.text]
    return condition.text + (f" ({', '.join(shown)})" if shown else "")


def _judge(
    position: Position,
    rule: str,
    what: str,
    binds: ir.Binds | None,
    needed: list[Needed],
    values: Mapping[str, Any],
) -> Explanation:
    """Test the values against their domains, then every condition that depends on them alone."""
    local = list(position.frames[-1].local)
    each = binds.binds if binds is not None else ()
    unknown = [name for name in values if name not in {b.name for b in each}]
    if unknown:
        names = ", ".join(b.name for b in each) or "nothing"
        text = f"{what} cannot be explained: {unknown[0]} is not part of this choice, which is of {names}."
        return Explanation(rule, False, (), text)
    conditions: list[Condition] = []
    missing: list[ir.Bind] = []
    open_slots: set[int] = set()
    for bind in each:
        if bind.name not in values or free_slots(bind.domain) & open_slots:
            missing.append(bind)
            open_slots.add(bind.slot)
            continue
        domain = _domain(position, local, bind, values[bind.name], rule)
        conditions.append(domain[0])
        if domain[1] is None:
            open_slots.add(bind.slot)
        else:
            local[bind.slot] = domain[1][0]
    for condition, text, span in needed:
        if not free_slots(condition) & open_slots:
            conditions.append(_condition(position, local, condition, text, rule, span))
    failing = [c for c in conditions if not c.holds]
    shown = tuple(conditions)
    if failing:
        return Explanation(rule, False, shown, f"{what} is not possible: {'; '.join(_fails(c) for c in failing)}.")
    if missing:
        return _judge_rest(position, rule, what, local, missing, needed, shown, binds)
    if binds is not None and binds.stop_at_first_failure and not _offered(position, local, binds):
        text = f"{what} is not possible: the choice ends at an earlier value that fails its condition."
        return Explanation(rule, False, shown, text)
    return Explanation(rule, True, shown, _possible(what, [c for c in conditions if c.values]))


def _judge_rest(
    position: Position,
    rule: str,
    what: str,
    local: list[Any],
    missing: list[ir.Bind],
    needed: list[Needed],
    shown: tuple[Condition, ...],
    binds: ir.Binds | None,
) -> Explanation:
    """Look for values of the names left out that make all conditions hold."""
    assert binds is not None
    rest = attrs.evolve(binds, binds=tuple(missing), condition=None, stop_at_first_failure=False, passing=None)
    names = ", ".join(b.name for b in missing)
    combos = position.blueprint.combos(rest, [c for c, _, _ in needed])(position.cells, local)
    if combos:
        each = ["/".join(show(v, b.type) for v, b in zip(c, missing, strict=True)) for c in combos[:12]]
        return Explanation(rule, True, shown, f"{what} is possible with {names} one of {', '.join(each)}.")
    open_slots = {b.slot for b in missing}
    texts = [text for condition, text, _ in needed if free_slots(condition) & open_slots]
    tail = f" satisfies {' and '.join(texts)}" if texts else " can be chosen"
    return Explanation(rule, False, shown, f"{what} is not possible: no {names}{tail}.")


def _offered(position: Position, local: list[Any], binds: ir.Binds) -> bool:
    return tuple(local[b.slot] for b in binds.binds) in position.blueprint.combos(binds)(position.cells, local)


def _fails(condition: Condition) -> str:
    return f"{_with_values(condition)} does not hold"


def _domain(
    position: Position, local: list[Any], bind: ir.Bind, given: Any, rule: str
) -> tuple[Condition, tuple[Any] | None]:
    """Whether the value is in its domain; and the value, unless it makes no sense."""
    text = f"{bind.name} is in {expression_text(bind.domain)}"
    try:
        value = from_text(given, bind.type)
    except ValueError:
        shown = ((bind.name, str(given)),)
        return Condition(text, False, shown, rule, bind.span), None
    several = position.blueprint.combos(ir.Binds((bind,)))(position.cells, local)
    values = ((bind.name, show(value, bind.type)),)
    return Condition(text, (value,) in several, values, rule, bind.span), (value,)


# ---------------------------------------------------------------- payments


def _payment(position: Position, ask: PayQuestion, paid: tuple[int, ...]) -> Condition:
    local = position.frames[-1].local
    type_ = ask.source.variable.type
    cell = ask.source_cell(position.cells, local)
    owners = ask.source.owners(cell)
    assert position.asked is not None
    place, sees = ask.source.text(owners), ask.source.seats(owners)
    held_text = show(position.cells[cell], type_) if sees is None or position.asked.player in sees else "hidden"
    cost = ask.cost(position.cells, local)
    traded = "".join(f", {exchange_text(exchange, type_)}" for exchange in ask.node.exchanges)
    asked = price_text(ask.node.cost, ask.node.less)
    values = ((place, held_text), (asked, show(cost, type_)), ("paid", show(paid, type_)))
    held = all(p <= h for p, h in zip(paid, position.cells[cell], strict=True))
    holds = held and paid in position.asked.raws
    return Condition(f"the payment covers {asked}{traded}", holds, values, ask.node.rule, ask.node.span)


Refusal: TypeAlias = Literal["not there", "too little", "too much"]


def payment_refused(position: Position, ask: PayQuestion, paid: tuple[int, ...]) -> Refusal:
    """Why a payment that is not offered is refused: more than there is, less than is due, or more than is due."""
    local = position.frames[-1].local
    held = position.cells[ask.source_cell(position.cells, local)]
    if any(p > h for p, h in zip(paid, held, strict=True)):
        return "not there"
    return "too much" if ask.payable(paid, position.cells, local) else "too little"


def _judge_payment(position: Position, ask: PayQuestion, what: str, values: Mapping[str, Any]) -> Explanation:
    type_ = ask.source.variable.type
    try:
        paid = from_text(values.get("pays"), type_)
    except ValueError:
        assert isinstance(type_, PiecesType)
        kind = type_.kind
        example = kind.domain.members[0] if isinstance(kind, MemberType) else f"of {kind.low}"
        text = f"{what} is not possible: name the pieces to pay, for example `2 {example}`."
        return Explanation(ask.node.rule, False, (), text)
    condition = _payment(position, ask, paid)
    values_text = ", ".join(f"{name} is {value}" for name, value in condition.values)
    word = "possible" if condition.holds else "not possible"
    return Explanation(ask.node.rule, condition.holds, (condition,), f"{what} is {word}: {values_text}.")
