"""Definitions, with what variants add to them."""

from __future__ import annotations

from collections.abc import Sequence

from .. import program as ir
from .. import types as ty
from ..diagnostics import Label, did_you_mean
from ..fixes import Below, Fix, Help
from ..program.analysis.faults import may_leave
from ..program.analysis.sizes import arithmetic_type
from ..syntax import tree
from ..syntax.printer.expressions import params_text, print_expr
from .environment import Environment
from .expressions import Expressions
from .graphs_and_ways import elaborate_ways
from .primaries import depth
from .scope import Scope, SlotFrame, params
from .typing import choose_branch, simplify


def elaborate_definition(
    env: Environment, node: tree.Define, adjustments: tuple[tree.Adjust, ...]
) -> ir.Definition | None:
    """A pure function with what variants add to it; its cases must be complete."""
    scope = Scope(SlotFrame())
    expressions = Expressions(env, scope)
    parameters = params(env, expressions, node.params, None)
    promised = None if node.result is None else env.type(node.result)
    if node.value is not None:
        saying = ty.FLAG if node.name == "out" and "out" in env.sayings else None
        body = expressions.value(node.value, promised or saying)
    elif node.ways is not None:
        body = elaborate_ways(expressions, node, node.ways)
    elif node.cases:
        body = _cases(expressions, node, promised)
    else:
        assert node.by is not None
        body = _matches(env, expressions, node, expressions.any_type(node.by, None), promised)
    for adjustment in adjustments:
        body = _adjust(env, expressions, node, adjustment, body)
    if promised is not None:
        body = expressions.fit(body, promised, node.span)
        if node.deep is None and may_leave(promised, body.type):  # one that uses itself is watched while it runs
            expressions.error(
                "R0404",
                body.span,
                f"This is {ty.describe(body.type)}; `{node.name}` is to give {ty.describe(promised)}.",
                "Keep it within the bounds with `min` or `max`, or widen them behind the colon.",
            )
        deep = depth(env, node.deep)
        return ir.Definition(node.name, parameters, body, promised, scope.frame.size, deep, span=node.span)
    return ir.Definition(node.name, parameters, body, body.type, scope.frame.size, span=node.span)


def _cases(expressions: Expressions, node: tree.Define, promised: ty.Type | None) -> ir.Expr:
    if node.cases[-1].when is not None:
        expressions.error(
            "R0501",
            node.span,
            f"`{node.name}` has no value when none of its cases applies.",
            help=Help("Add `otherwise: ...` at the end.", (_like_the_last(("otherwise",), node.cases[-1].value),)),
        )
        return ir.Const(None, ty.UNKNOWN, span=node.span)
    for case in node.cases[:-1]:
        if case.when is None:
            expressions.error(
                "R0501",
                case.span,
                "The cases below `otherwise` can never be reached.",
                help="Move `otherwise` to the end.",
            )
            return ir.Const(None, ty.UNKNOWN, span=node.span)
    hint = promised
    made: list[tuple[ir.Expr | None, ir.Expr]] = []
    for case in sorted(node.cases, key=lambda c: _is_empty(c.value)):  # an empty value learns its type from the others
        value = expressions.any_type(case.value, hint) if promised is None else expressions.value(case.value, promised)
        hint = hint or (value.type if value.type is not ty.UNKNOWN else None)
        made.append((None if case.when is None else expressions.flag(case.when), value))
    order = sorted(node.cases, key=lambda c: _is_empty(c.value))
    in_text = [made[order.index(case)] for case in node.cases]
    result = in_text[-1][1]
    for condition, value in reversed(in_text[:-1]):
        assert condition is not None
        type_ = expressions.join(_taken(value.type, promised), _taken(result.type, promised), value.span)
        result = choose_branch(ir.If(condition, value, result, type_, span=node.span))
    return result


def _taken(type_: ty.Type, promised: ty.Type | None) -> ty.Type:
    """The type of a case where a set is promised: lists are taken as sets."""
    return ty.SetType(type_.item) if isinstance(promised, ty.SetType) and isinstance(type_, ty.ListType) else type_


def _is_empty(value: tree.Expr) -> bool:
    match value:
        case tree.NoneValue():
            return True
        case tree.Bundle(entries=parts) | tree.Sequence(items=parts):
            return not parts
    return False


def _like_the_last(missing: Sequence[str], value: tree.Expr) -> Fix:
    """Adds a line for each missing case, with the value of the last one there is."""
    text = print_expr(value)
    title = f"Add `{missing[0]}: {text}`" if len(missing) == 1 else f"Add {len(missing)} cases with `{text}`"
    return Fix(title, (Below("\n".join(f"{case}: {text}" for case in missing), deeper=1, past="block"),))


def _matches(
    env: Environment,
    expressions: Expressions,
    node: tree.Define,
    by: ir.Expr,
    promised: ty.Type | None,
) -> ir.Expr:
    if not isinstance(by.type, ty.MemberType):
        if by.type is ty.UNKNOWN:
            return by
        message = f"Cases by name need an enum or a table; `by` stands before {ty.describe(by.type)}."
        return expressions.error("R0402", by.span, message, "Write cases with `when`.")
    domain = by.type.domain
    values = _cases_by_name(env, expressions, node, domain, promised)
    missing = [m for m in domain.members if m not in values]
    if missing:
        named = ", ".join(f"`{m}`" for m in missing[:8]) + (" ..." if len(missing) > 8 else "")
        return expressions.error(
            "R0501",
            node.span,
            f"`{node.name}` has no case for {named}.",
            help=Help(f"Add `{missing[0]}: ...`.", (_like_the_last(missing, node.matches[-1].value),)),
        )
    result = values[domain.members[-1]][1]
    for position, member in reversed(list(enumerate(domain.members))[:-1]):
        value = values[member][1]
        test = ir.Apply("is", (by, ir.Const(position, by.type)), ty.FLAG, span=node.span)
        type_ = expressions.join(_taken(value.type, promised), _taken(result.type, promised), value.span)
        if type_ is ty.UNKNOWN:
            return ir.Const(None, ty.UNKNOWN, span=node.span)
        result = ir.If(test, value, result, type_, span=values[member][0].span)
    return result


def _cases_by_name(
    env: Environment, expressions: Expressions, node: tree.Define, domain: ty.Domain, promised: ty.Type | None
) -> dict[str, tuple[tree.Match, ir.Expr]]:
    """The case of each member, with its value; findings for those that name another, or one twice."""
    values: dict[str, tuple[tree.Match, ir.Expr]] = {}
    for match in node.matches:
        value = expressions.value(match.value, promised)
        for member in match.members:
            if member not in domain.members:
                env.sink.error(
                    "R0401",
                    match.span,
                    f"`{domain.name}` has no member `{member}`.",
                    help=did_you_mean(member, domain.members) or f"Choose one of {', '.join(domain.members[:8])}.",
                )
            elif member in values:
                env.sink.error(
                    "R0303",
                    match.span,
                    f"`{member}` has two cases.",
                    labels=[Label(values[member][0].span, "first declared here")],
                    help="Remove one of them.",
                )
            else:
                values[member] = (match, value)
    return values


def _adjust(
    env: Environment, expressions: Expressions, node: tree.Define, adjustment: tree.Adjust, body: ir.Expr
) -> ir.Expr:
    """The value plus what a variant adds to it. The variant may name the parameters as it likes."""
    if len(adjustment.params) != len(node.params):
        return expressions.error(
            "R0403",
            adjustment.span,
            f"`{node.name}` has {len(node.params)} parameters, but {len(adjustment.params)} are named here.",
            f"Name each of them: `adjust {node.name}{params_text(node.params)} by ...`.",
        )
    scope = Scope(expressions.scope.frame)
    for own, theirs in zip(adjustment.params, node.params, strict=True):
        scope.names[own.name] = expressions.scope.names[theirs.name]
    inner = expressions.inside(scope)
    changed = _changed(expressions, inner, node, adjustment, body)
    if adjustment.when is None:
        return changed
    condition = inner.flag(adjustment.when)
    type_ = expressions.join(changed.type, body.type, adjustment.span)
    return choose_branch(ir.If(condition, changed, body, type_, span=adjustment.span))


def _changed(
    expressions: Expressions, inner: Expressions, node: tree.Define, adjustment: tree.Adjust, body: ir.Expr
) -> ir.Expr:
    if isinstance(body.type, ty.PiecesType):
        less = _taken_away(adjustment.value)
        extra = inner.value(adjustment.value if less is None else less, body.type)
        if isinstance(adjustment.value, tree.Binary) and adjustment.value.op == "-":
            expressions.error(
                "R0402",
                adjustment.value.span,
                "There are never fewer than no pieces, so this difference takes nothing away.",
                "Write a line for what is added, `by {KIND: 1}`, and one for what is taken away, `by -{KIND: 1}`.",
            )
        if adjustment.least is not None:
            expressions.error(
                "R0402", adjustment.least.span, "There are never fewer than no pieces.", "Remove `not below ...`."
            )
        return ir.Apply("add_pieces" if less is None else "sub_pieces", (body, extra), body.type, span=adjustment.span)
    if isinstance(body.type, ty.NumberType):
        extra = inner.number(adjustment.value)
        if not isinstance(extra.type, ty.NumberType):
            return extra
        type_ = arithmetic_type("+", [body.type, extra.type])
        changed = simplify(ir.Apply("+", (body, extra), type_, span=adjustment.span))
        return changed if adjustment.least is None else _not_below(inner, adjustment.least, changed)
    if body.type is not ty.UNKNOWN:
        expressions.error(
            "R0402",
            adjustment.span,
            "Only numbers and pieces can be adjusted.",
            f"Write `replace {'define' if node.ways is None else 'ways'} {node.name} ...`.",
        )
    return body


def _taken_away(value: tree.Expr) -> tree.Expr | None:
    """The pieces behind a minus: of ``-{apple: 1}`` and ``-2 * {apple: 1}``; None without one."""
    match value:
        case tree.Unary("-", pieces):
            return pieces
        case tree.Binary("*", tree.Unary("-", number), pieces):
            return tree.Binary("*", number, pieces, span=value.span)
    return None


def _not_below(inner: Expressions, bound: tree.Expr, value: ir.Expr) -> ir.Expr:
    least = inner.number(bound)
    if not isinstance(least.type, ty.NumberType) or not isinstance(value.type, ty.NumberType):
        return least
    type_ = arithmetic_type("max", [value.type, least.type])
    return simplify(ir.Apply("max", (value, least), type_, span=bound.span))
