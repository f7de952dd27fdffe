"""Expressions: their names, types and bounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, assert_never

import attrs

from .. import program as ir
from .. import types as ty
from ..fixes import Help
from ..program.analysis.faults import may_fault, may_leave
from ..program.values import name_of
from ..source import Span
from ..syntax import tree
from ..syntax.printer import print_expr
from ..words import FUNCTIONS, RESERVED
from . import builtins, comprehensions, histories, operators, primaries, rule_columns
from .environment import MAX_NUMBER, Environment
from .primaries import called
from .scope import Scope
from .typing import choose_branch, fits, item_type, join_types, number, present, without_optional


@attrs.define
class Expressions:
    """Elaborates expressions in one scope. ``rule`` is named in findings."""

    env: Environment
    scope: Scope
    rule: str | None = None
    chosen: bool = False
    """Whether settings have their current values even where the environment leaves them open."""
    columns: Mapping[str, tuple[ty.Type, Any]] = attrs.field(factory=dict)
    """Types and values of the row of a table that is being looked at, by the names of its columns."""

    def inside(self, scope: Scope) -> Expressions:
        return Expressions(self.env, scope, self.rule, self.chosen)

    # ------------------------------------------------------------ entry points

    def value(self, node: tree.Expr, expected: ty.Type | None = None) -> ir.Expr:
        """The expression; when ``expected`` is given, a value of that type (or UNKNOWN, with a finding)."""
        if isinstance(node, tree.Sequence) and isinstance(expected, (ty.ListType, ty.SetType)):
            return self.fit(primaries.sequence(self, node, expected, all_fit=True), expected, node.span)
        found = self.any_type(node, expected)
        return found if expected is None else self.fit(found, expected, node.span)

    def flag(self, node: tree.Expr) -> ir.Expr:
        return self.value(node, ty.FLAG)

    def fit(self, value: ir.Expr, expected: ty.Type, span: Span) -> ir.Expr:
        """Checks that a value can be used where ``expected`` is needed."""
        type_ = value.type
        if expected is ty.UNKNOWN or type_ is ty.UNKNOWN:
            return value
        if fits(type_, expected):
            return value
        sure = present(value)
        if sure is not value:
            return self.fit(sure, expected, span)
        if isinstance(type_, ty.NumberType) and isinstance(without_optional(expected), ty.NumberType):
            bounds = without_optional(expected)
            assert isinstance(bounds, ty.NumberType)
            found, needed = ty.describe(type_), ty.describe(bounds)
            if found == needed:  # both so wide that their bounds go without saying
                found, needed = (f"a number from {each.low} to {each.high}" for each in (type_, bounds))
            what = f"{type_.low} is out of bounds" if type_.low == type_.high else f"This is {found}"
            self.error(
                "R0404",
                span,
                f"{what}; {needed} is needed here.",
                "Change the number, or widen the range where it is declared.",
            )
        elif isinstance(type_, ty.OptionalType) and fits(type_.item, expected):
            self.error(
                "R0407",
                span,
                f"This may be none; {ty.describe(expected)} is needed here.",
                help="Write `if there is x in ...`, which runs only when there is one, or `... otherwise ...`.",
            )
        else:
            self.error(
                "R0402",
                span,
                f"This is {ty.describe(type_)}, but {ty.describe(expected)} is needed here.",
                _instead(type_, expected),
            )
        return ir.Const(None, ty.UNKNOWN, span=span)

    def error(self, code: str, span: Span, message: str, help: str | Help | None = None) -> ir.Expr:
        self.env.sink.error(code, span, message, help=help, rule=self.rule)
        return ir.Const(None, ty.UNKNOWN, span=span)

    # ------------------------------------------------------------ dispatch

    def any_type(self, node: tree.Expr, expected: ty.Type | None) -> ir.Expr:
        """The expression with the type it has; ``expected`` only helps to find out which name is meant."""
        match node:
            case tree.Name():
                return primaries.name(self, node, expected)
            case tree.Integer():
                if node.value > MAX_NUMBER:
                    return self.error(
                        "R0404", node.span, f"{node.value:,} is too large.", f"Numbers go up to {MAX_NUMBER:,}."
                    )
                return ir.Const(node.value, number(node.value), span=node.span)
            case tree.NoneValue():
                return ir.Const(None, ty.NOTHING, span=node.span)
            case tree.Flag():
                return ir.Const(node.value, ty.FLAG, span=node.span)
            case tree.PlayerCount():
                return ir.Const(self.env.players, number(self.env.players), span=node.span)
            case tree.Sequence():
                return primaries.sequence(self, node, expected)
            case tree.TupleValue():
                return primaries.several(self, node, expected)
            case tree.Bundle():
                return primaries.bundle(self, node, expected)
            case tree.FoldValues():
                return comprehensions.fold_values(self, node)
            case tree.BundleFor() | tree.FoldOf() | tree.FoldMembers() | tree.FoldRanked():
                return self._comprehension(node, expected)
            case tree.Attribute():
                return primaries.column(self, node)
            case tree.Index():
                return primaries.index(self, node)
            case tree.Apply():
                return self._apply(node)
            case tree.Unary():
                return operators.unary(self, node)
            case tree.Binary():
                return operators.binary(self, node, expected)
            case tree.AllBut():
                raise ValueError("the grammar allows `all but` only in a price")
            case tree.Conditional():
                condition = self.flag(node.condition)
                then = self.any_type(node.then, expected)
                otherwise = self.any_type(node.otherwise, expected or then.type)
                type_ = self.join(then.type, otherwise.type, node.span)
                return choose_branch(ir.If(condition, then, otherwise, type_, span=node.span))
            case tree.After():
                return self._after(node, expected)
        assert_never(node)

    def _comprehension(
        self, node: tree.BundleFor | tree.FoldOf | tree.FoldMembers | tree.FoldRanked, expected: ty.Type | None
    ) -> ir.Expr:
        inner = self.inside(self.scope.inner())
        binds = inner.binds(node.binders)
        match node:
            case tree.BundleFor():
                return primaries.pieces(inner, [node.entry], binds, node.span, expected)
            case tree.FoldOf():
                return comprehensions.fold(inner, node.word, node.body, binds, node.span)
            case tree.FoldMembers():
                return comprehensions.fold(inner, node.word, None, binds, node.span)
            case tree.FoldRanked():
                return comprehensions.ranked(inner, node, binds)
        assert_never(node)

    def _after(self, node: tree.After, expected: ty.Type | None) -> ir.Expr:
        named = rule_columns.named_by(self, node.rule, node.span)
        if named is not None:
            return self._after_named(node, named, expected)
        values = called(self, node.rule, node.arguments, node.span)
        value = self.any_type(node.value, expected)
        if values is None or value.type is ty.UNKNOWN:
            return ir.Const(None, ty.UNKNOWN, span=node.span)
        return ir.After(value, node.rule, values, value.type, span=node.span)

    def _after_named(self, node: tree.After, named: ir.Expr, expected: ty.Type | None) -> ir.Expr:
        """A value as it would be after the rule that another value names; none: as it is."""
        found = rule_columns.rules_of(self, named, node.rule, node.span)
        given = None if found is None else rule_columns.arguments(self, node.rule, found[1], node.arguments, node.span)
        value = self.any_type(node.value, expected)
        if found is None or given is None or value.type is ty.UNKNOWN:
            return ir.Const(None, ty.UNKNOWN, span=node.span)
        values = given

        def run(rule: str) -> ir.Expr:
            return ir.After(value, rule, values, value.type, span=node.span)

        text = f"{node.rule}({', '.join(map(print_expr, node.arguments))})" if node.arguments else node.rule

        def branch(test: ir.Expr, then: ir.Expr, otherwise: ir.Expr) -> ir.Expr:
            return ir.If(test, then, otherwise, value.type, by_column=text, span=node.span)

        return rule_columns.dispatch(named, found[0], run, branch, value, node.span)

    def join(self, a: ty.Type, b: ty.Type, span: Span) -> ty.Type:
        """The smallest type that holds values of both."""
        if ty.UNKNOWN in (a, b):
            return ty.UNKNOWN
        joined = join_types(a, b)
        if joined is None:
            self.error(
                "R0402",
                span,
                f"One branch is {ty.describe(a)}, the other is {ty.describe(b)}.",
                "Give both the same kind of value.",
            )
            return ty.UNKNOWN
        return joined

    # ------------------------------------------------------------ calls

    def _apply(self, node: tree.Apply) -> ir.Expr:
        if not isinstance(node.function, tree.Name):
            return self.error(
                "R0402",
                node.function.span,
                "Only the name of a definition can be followed by `(...)`.",
                "Leave out the brackets.",
            )
        name = node.function.name
        declared = self.env.declared.get(name)
        if declared is tree.Define:
            return self.call(name, node.arguments, node.span)
        if declared is tree.Variable:
            return self.error(
                "R0402", node.span, f"`{name}` is kept by the game, not computed.", help=f"Write `{name}[...]`."
            )
        if declared is tree.History:
            return histories.as_value(self, name, node.span)
        if declared is tree.Graph:
            return self.error(
                "R0402",
                node.span,
                f"`{name}` is a graph.",
                help=f"Write `group({name}(...), node)` or `groups({name}(...))`.",
            )
        return builtins.call(self, name, node)

    def call(self, name: str, arguments: tuple[tree.Expr, ...], span: Span) -> ir.Expr:
        """The value of a definition for these arguments."""
        definition = self.env.signature(name)
        if definition is None:
            for argument in arguments:
                self.value(argument)
            return ir.Const(None, ty.UNKNOWN, span=span)
        values = self.arguments(name, definition.params, arguments, span)
        if values is None:
            return ir.Const(None, ty.UNKNOWN, span=span)
        # What it is given is worked out even where it does not matter, and may stop the game.
        harmless = not may_fault(values) and not any(
            may_leave(p.type, v.type) for p, v in zip(definition.params, values, strict=True)
        )
        if definition.value is not None and definition.type is not ty.UNKNOWN and harmless:
            return ir.Const(definition.value.value, definition.type, span=span)
        return ir.Call(name, values, definition.type, span=span)

    def arguments(
        self, name: str, params: tuple[ir.Param, ...], given: tuple[tree.Expr, ...], span: Span
    ) -> tuple[ir.Expr, ...] | None:
        """The values for the parameters, or None with a finding about their number."""
        if len(given) != len(params):
            wanted = ", ".join(p.name for p in params)
            needs = f"needs ({wanted})" if params else "takes no values"
            usage = f"{name}({wanted})" if params else name
            self.error("R0403", span, f"`{name}` {needs}; here it gets {len(given)}.", f"Write `{usage}`.")
            return None
        return tuple(self.value(g, p.type) for g, p in zip(given, params, strict=True))

    # ------------------------------------------------------------ numbers

    def number(self, node: tree.Expr) -> ir.Expr:
        """A number of any size."""
        return self.value(node, ty.NumberType(-MAX_NUMBER * MAX_NUMBER, MAX_NUMBER * MAX_NUMBER))

    # ------------------------------------------------------------ sequences

    def sequence(self, node: tree.Expr) -> ir.Expr:
        """A value with members to go through one by one."""
        value = self.value(node)
        if isinstance(value, ir.Apply) and value.op == "present":
            value = value.arguments[0]  # going through it once is the same
        if value.type is not ty.UNKNOWN and item_type(value.type) is None:
            self.error(
                "R0402",
                node.span,
                f"This is {ty.describe(value.type)}, which has no members to go through.",
                help=(
                    "For several numbers, write a range such as `1..6`; to repeat something, write `repeat at most`."
                    if isinstance(value.type, ty.NumberType)
                    else "Name an enum, a table, a range like 1..3, a list or a place."
                ),
            )
            return ir.Const(None, ty.UNKNOWN, span=node.span)
        return value

    # ------------------------------------------------------------ local names

    def binds(self, node: tree.Binders) -> ir.Binds:
        """Declares the names in this scope and returns the loops."""
        return comprehensions.binds(self, node)

    def declare(self, name: str, type_: ty.Type, span: Span, *, param: bool = False) -> int:
        """A new local name; it must not hide another name of the game."""
        self.free_name(name, span)
        return self.scope.declare(name, type_, param=param)

    def free_name(self, name: str, span: Span) -> None:
        """Reports a local name that already means something."""
        env = self.env
        taken = name in env.declared or name in env.domains or name in FUNCTIONS
        if taken or (name in self.scope.names and name not in self.scope.loose):
            self.error(
                "R0205",
                span,
                f"`{name}` already means something else here.",
                help="Choose another name; each name has one meaning.",
            )
        elif name in RESERVED:
            self.error("R0205", span, f"`{name}` is a word of the language.", help="Choose another name.")


def _instead(type_: ty.Type, expected: ty.Type) -> str:
    """What to write where ``type_`` was found and ``expected`` is needed."""
    wanted = without_optional(expected)
    if wanted == ty.FLAG:
        return "Write a whole test: `x is a`, `x > 0`, `x is a or x is b`, or for several values `x is in [a, b]`."
    if isinstance(type_, ty.NothingType):
        return f"If none is meant to be possible, declare it as `{ty.describe(expected)} or none`."
    if ty.on_track(type_) and isinstance(wanted, ty.NumberType):
        said = "Write `x.number` for the number of a field, `distance(x, y)` for the steps between two"
        return f"{said}; go on from a field in one go, `x + (a + b)`."
    if isinstance(wanted, ty.NumberType) and item_type(type_) is not None:
        return "To count, write `count(...)`."
    if isinstance(wanted, ty.MemberType):
        if item_type(type_) is not None:
            return f"Name a single one, or go through them with `each x in ...`, where each is {ty.describe(wanted)}."
        if wanted.domain.first is not None and isinstance(type_, ty.NumberType):
            track = wanted.domain
            return f"Write a field as `{track.members[-1]}`; or `{track.name}[n]`, which may be none."
        if len(wanted.domain) <= 8:
            return f"Choose one of {', '.join(wanted.domain.members)}, or something that holds one."
    if isinstance(wanted, ty.PiecesType):
        return f"Write pieces in braces, such as `{{{name_of(ty.kinds(wanted.kind)[0], wanted.kind)}: 1}}`."
    if isinstance(wanted, (ty.ListType, ty.SetType)):
        return "Write a list in square brackets, such as `[a, b]`."
    return f"Write {ty.describe(wanted)} here, or the name of something that holds one." if wanted else ""
