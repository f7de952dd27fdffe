"""Expressions: their names, types and bounds."""

from __future__ import annotations

from typing import assert_never

import attrs

from .. import program as ir
from ..diagnostics import did_you_mean
from ..fixes import Help
from ..program.analysis.faults import may_fault, may_leave
from ..program.values import name_of
from ..source import Span
from ..syntax import tree
from ..syntax.printer import print_expr
from ..types import (
    FLAG,
    NEVER,
    NO_PIECES,
    NOTHING,
    UNKNOWN,
    ListType,
    MemberType,
    NeverType,
    NothingType,
    NumberType,
    OptionalType,
    PiecesType,
    RecordType,
    SetType,
    TupleType,
    Type,
    describe,
    kinds,
)
from ..words import FUNCTIONS, RESERVED
from . import builtins, histories, laid, operators, rule_columns
from .calls import called
from .compatible import certainly, fits, item_type, join_types, optional, present, setting_value, without_optional
from .constants import choose_branch, number
from .environment import MAX_NUMBER, Environment, Hole
from .scope import LocalName, Scope


@attrs.define
class Expressions:
    """Elaborates expressions in one scope. ``rule`` is named in findings."""

    env: Environment
    scope: Scope
    rule: str | None = None
    chosen: bool = False
    """Whether settings have their current values even where the environment leaves them open."""

    def inside(self, scope: Scope) -> Expressions:
        return Expressions(self.env, scope, self.rule, self.chosen)

    # ------------------------------------------------------------ entry points

    def value(self, node: tree.Expr, expected: Type | None = None) -> ir.Expr:
        """The expression; when ``expected`` is given, a value of that type (or UNKNOWN, with a finding)."""
        if isinstance(node, tree.Sequence) and isinstance(expected, (ListType, SetType)):
            return self.fit(self._sequence(node, expected, all_fit=True), expected, node.span)
        found = self.any_type(node, expected)
        return found if expected is None else self.fit(found, expected, node.span)

    def flag(self, node: tree.Expr) -> ir.Expr:
        return self.value(node, FLAG)

    def fit(self, value: ir.Expr, expected: Type, span: Span) -> ir.Expr:
        """Checks that a value can be used where ``expected`` is needed."""
        type_ = value.type
        if expected is UNKNOWN or type_ is UNKNOWN:
            return value
        if fits(type_, expected):
            return value
        sure = present(value)
        if sure is not value:
            return self.fit(sure, expected, span)
        if isinstance(type_, NumberType) and isinstance(without_optional(expected), NumberType):
            bounds = without_optional(expected)
            assert isinstance(bounds, NumberType)
            what = f"{type_.low} is out of bounds" if type_.low == type_.high else f"This is {describe(type_)}"
            self.error(
                "R0404",
                span,
                f"{what}; {describe(bounds)} is needed here.",
                "Change the number, or widen the range where it is declared.",
            )
        elif isinstance(type_, OptionalType) and fits(type_.item, expected):
            self.error(
                "R0407",
                span,
                f"This may be none; {describe(expected)} is needed here.",
                help="Write `if there is x in ...`, which runs only when there is one, or `... otherwise ...`.",
            )
        else:
            self.error(
                "R0402",
                span,
                f"This is {describe(type_)}, but {describe(expected)} is needed here.",
                _instead(type_, expected),
            )
        return ir.Const(None, UNKNOWN, span=span)

    def error(self, code: str, span: Span, message: str, help: str | Help | None = None) -> ir.Expr:
        self.env.sink.error(code, span, message, help=help, rule=self.rule)
        return ir.Const(None, UNKNOWN, span=span)

    # ------------------------------------------------------------ dispatch

    def any_type(self, node: tree.Expr, expected: Type | None) -> ir.Expr:
        """The expression with the type it has; ``expected`` only helps to find out which name is meant."""
        match node:
            case tree.Name():
                return self._name(node, expected)
            case tree.Integer():
                if node.value > MAX_NUMBER:
                    return self.error(
                        "R0404", node.span, f"{node.value:,} is too large.", f"Numbers go up to {MAX_NUMBER:,}."
                    )
                return ir.Const(node.value, number(node.value), span=node.span)
            case tree.NoneValue():
                return ir.Const(None, NOTHING, span=node.span)
            case tree.Flag():
                return ir.Const(node.value, FLAG, span=node.span)
            case tree.PlayerCount():
                return ir.Const(self.env.players, number(self.env.players), span=node.span)
            case tree.Sequence():
                return self._sequence(node, expected)
            case tree.TupleValue():
                return self._tuple(node, expected)
            case tree.Bundle():
                return self._bundle(node, expected)
            case tree.BundleFor():
                inner = self.inside(self.scope.inner())
                binds = inner.binds(node.binders)
                return inner._pieces([node.entry], binds, node.span, expected)
            case tree.FoldValues():
                return builtins.fold_values(self, node)
            case tree.FoldOf():
                inner = self.inside(self.scope.inner())
                binds = inner.binds(node.binders)
                return builtins.fold(inner, node.word, node.body, binds, node.span)
            case tree.FoldMembers():
                inner = self.inside(self.scope.inner())
                binds = inner.binds(node.binders)
                return builtins.fold(inner, node.word, None, binds, node.span)
            case tree.FoldRanked():
                inner = self.inside(self.scope.inner())
                binds = inner.binds(node.binders)
                return builtins.ranked(inner, node, binds)
            case tree.Attribute():
                return self._attribute(node)
            case tree.Index():
                return self._index(node)
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

    def _after(self, node: tree.After, expected: Type | None) -> ir.Expr:
        named = rule_columns.named_by(self, node.rule, node.span)
        if named is not None:
            return self._after_named(node, named, expected)
        values = called(self, node.rule, node.arguments, node.span)
        value = self.any_type(node.value, expected)
        if values is None or value.type is UNKNOWN:
            return ir.Const(None, UNKNOWN, span=node.span)
        return ir.After(value, node.rule, values, value.type, span=node.span)

    def _after_named(self, node: tree.After, named: ir.Expr, expected: Type | None) -> ir.Expr:
        """A value as it would be after the rule that another value names; none: as it is."""
        found = rule_columns.rules_of(self, named, node.rule, node.span)
        given = None if found is None else rule_columns.arguments(self, node.rule, found[1], node.arguments, node.span)
        value = self.any_type(node.value, expected)
        if found is None or given is None or value.type is UNKNOWN:
            return ir.Const(None, UNKNOWN, span=node.span)
        values = given

        def run(rule: str) -> ir.Expr:
            return ir.After(value, rule, values, value.type, span=node.span)

        text = f"{node.rule}({', '.join(map(print_expr, node.arguments))})" if node.arguments else node.rule

        def branch(test: ir.Expr, then: ir.Expr, otherwise: ir.Expr) -> ir.Expr:
            return ir.If(test, then, otherwise, value.type, by_column=text, span=node.span)

        return rule_columns.dispatch(named, found[0], run, branch, value, node.span)

    def join(self, a: Type, b: Type, span: Span) -> Type:
        """The smallest type that holds values of both."""
        if UNKNOWN in (a, b):
            return UNKNOWN
        joined = join_types(a, b)
        if joined is None:
            self.error(
                "R0402",
                span,
                f"One branch is {describe(a)}, the other is {describe(b)}.",
                "Give both the same kind of value.",
            )
            return UNKNOWN
        return joined

    def _join_members(self, type_: Type, part: ir.Expr) -> Type:
        """The type of the members of a list, of those before ``part`` and of that."""
        if UNKNOWN in (type_, part.type):
            return UNKNOWN
        joined = join_types(type_, part.type)
        if joined is None:
            self.error(
                "R0402",
                part.span,
                f"This is {describe(part.type)}, but what stands before it in the list is {describe(type_)}.",
                "Give all members of a list the same kind of value.",
            )
            return UNKNOWN
        return joined

    # ------------------------------------------------------------ names

    def _name(self, node: tree.Name, expected: Type | None) -> ir.Expr:
        env, name, span = self.env, node.name, node.span
        if env.hole is not None and name == env.hole.word:
            return self._missing(env.hole, expected, span)
        local = self.scope.names.get(name)
        if local is not None:
            return self._local(name, local, span)
        wanted = without_optional(expected)
        if isinstance(wanted, MemberType) and name in wanted.domain.members:
            return ir.Const(wanted.domain.members.index(name), wanted, span=span)
        match env.declared.get(name):
            case tree.Number:
                found = env.number(name)
                if found is None:
                    return ir.Const(None, UNKNOWN, span=span)
                return ir.Const(found, number(found), span=span)
            case tree.Setting:
                if env.every_setting and not self.chosen:
                    return ir.Apply("setting", (), setting_value(env.settings[name], span).type, span=span)
                return setting_value(env.settings[name], span)
            case tree.Variable:
                return self._read(name, (), span)
            case tree.Define:
                return self._call(name, (), span)
            case tree.History:
                return histories.as_value(self, name, span)
        if name in env.domains:
            return env.all_members(env.domains[name], span)
        if name in env.ranges:
            range_ = env.ranges[name]
            ends = (ir.Const(range_.low, number(range_.low)), ir.Const(range_.high, number(range_.high)))
            return ir.Apply("range", ends, ListType(range_), span=span)
        return self._member(name, span, wanted)

    def _missing(self, hole: Hole, expected: Type | None, span: Span) -> ir.Expr:
        """Notes what could stand here."""
        hole.expected.append(expected)
        hole.names.update((name, local.type) for name, local in self.scope.names.items())
        return ir.Const(None, UNKNOWN, span=span)

    def _local(self, name: str, local: LocalName, span: Span) -> ir.Expr:
        if local.whole is None or local.part is None:
            return ir.Local(local.slot, name, local.type, span=span)
        whole = ir.Local(local.slot, local.called, local.whole.type, span=span)
        return ir.PartOf(whole, local.part, name, local.type, span=span)

    def _member(self, name: str, span: Span, wanted: Type | None) -> ir.Expr:
        env = self.env
        owners = env.members.get(name, ())
        if len(owners) == 1 or (owners and isinstance(wanted, MemberType)):
            domain, position = owners[0]
            return ir.Const(position, MemberType(domain), span=span)
        if owners:
            places = " and ".join(d.name for d, _ in owners)
            return self.error(
                "R0406",
                span,
                f"`{name}` is a member of {places}; it is unclear which one is meant.",
                help="Rename one of them.",
            )
        if isinstance(wanted, MemberType):
            env.unknown(name, span, wanted.domain.name, [*wanted.domain.members, *self._known()], self.rule)
        else:
            env.unknown(name, span, "thing", self._known(), self.rule)
        return ir.Const(None, UNKNOWN, span=span)

    def _known(self) -> list[str]:
        env = self.env
        return [*self.scope.names, *env.declared, *env.domains, *env.members, *FUNCTIONS]

    def _read(self, name: str, indices: tuple[tree.Expr, ...], span: Span) -> ir.Expr:
        """A variable with the indices its owners need; what is left over indexes the value."""
        variable = self.env.variable(name)
        if variable is None:
            return ir.Const(None, UNKNOWN, span=span)
        needed = len(variable.owners)
        if len(indices) < needed:
            owners = ", ".join(o.domain.name for o in variable.owners)
            return self.error(
                "R0403",
                span,
                f"`{name}` is kept for each {owners}.",
                help=f"Say which one: `{name}[...]`.",
            )
        owned = tuple(self.value(i, o) for i, o in zip(indices[:needed], variable.owners, strict=True))
        if any(index.type is UNKNOWN for index in owned):
            return ir.Const(None, UNKNOWN, span=span)
        read: ir.Expr = ir.Read(name, owned, variable.type, span=span)
        return self._index_value(read, indices[needed:], span)

    def _index_value(self, value: ir.Expr, indices: tuple[tree.Expr, ...], span: Span) -> ir.Expr:
        if not indices:
            return value
        if len(indices) > 1:
            return self.error("R0403", span, "There are too many values in the brackets.", "Leave out the last one.")
        type_ = value.type
        if isinstance(type_, PiecesType):
            kind = self.value(indices[0], type_.kind)
            return ir.Apply("count_of", (value, kind), NumberType(0, MAX_NUMBER), span=span)
        if isinstance(type_, ListType) and isinstance(indices[0], tree.Binary) and indices[0].op == "..":
            ends = (self.number(indices[0].left), self.number(indices[0].right))
            if any(end.type is UNKNOWN for end in ends):
                return ir.Const(None, UNKNOWN, span=span)
            return ir.Apply("part", (value, *ends), ListType(type_.item), span=span)
        if isinstance(type_, ListType):
            position = self.value(indices[0], NumberType(-MAX_NUMBER, MAX_NUMBER))
            found = ir.Apply("at", (value, position), optional(type_.item), span=span)
            first = isinstance(position, ir.Const) and position.value == 1
            return certainly(found) if first and type_.filled else found
        if type_ is UNKNOWN:
            return value
        return self.error(
            "R0402",
            span,
            f"This is {describe(type_)}, which has no parts to select with brackets.",
            "Leave out the brackets.",
        )

    def _index(self, node: tree.Index) -> ir.Expr:
        if isinstance(node.value, tree.Name) and node.value.name not in self.scope.names:
            if self.env.declared.get(node.value.name) is tree.Variable:
                return self._read(node.value.name, node.indices, node.span)
            table = self.env.tables.get(node.value.name)
            if table is not None and table.parts:
                return self._combination(table, node)
        return self._index_value(self.value(node.value), node.indices, node.span)

    def _combination(self, table: ir.Table, node: tree.Index) -> ir.Expr:
        """``Card[hearts, ace]``: the row of these parts."""
        types = list(table.types.values())[: table.parts]
        if len(types) < table.parts:  # what it is made of is reported where it is declared
            return ir.Const(None, UNKNOWN, span=node.span)
        if len(node.indices) != len(types):
            wanted = ", ".join(list(table.types)[: table.parts])
            return self.error(
                "R0403", node.span, f"`{table.domain.name}` is made of {len(types)} parts.", f"Write `[{wanted}]`."
            )
        parts = tuple(self.value(index, type_) for index, type_ in zip(node.indices, types, strict=True))
        if any(part.type is UNKNOWN for part in parts):
            return ir.Const(None, UNKNOWN, span=node.span)
        type_ = MemberType(table.domain)
        if all(isinstance(part, ir.Const) for part in parts):
            position = 0
            for part in parts:
                assert isinstance(part, ir.Const) and isinstance(part.type, MemberType)
                position = position * len(part.type.domain) + part.value
            return ir.Const(position, type_, span=node.span)
        return ir.Apply("combination", parts, type_, span=node.span)

    def _attribute(self, node: tree.Attribute) -> ir.Expr:
        value = present(self.value(node.value))
        type_ = value.type
        if self.env.hole is not None and node.name == self.env.hole.word:
            self.env.hole.of.append(type_)
            return ir.Const(None, UNKNOWN, span=node.span)
        if type_ is UNKNOWN:
            return value
        if isinstance(type_, OptionalType):
            return self.error(
                "R0407",
                node.value.span,
                "This may be none.",
                help=f"Write `if there is x in ...`, then `x.{node.name}`; or, in a value, "
                f"`(... otherwise y).{node.name}`.",
            )
        if isinstance(type_, RecordType):
            return laid.part(self, value, type_, node)
        table = self.env.tables.get(type_.domain.name) if isinstance(type_, MemberType) else None
        if table is None:
            return self.error(
                "R0402",
                node.value.span,
                f"This is {describe(type_)}, which has no columns.",
                self._instead_of_column(node, type_),
            )
        if node.name not in table.types:
            return self.error(
                "R0408",
                node.span,
                f"`{table.domain.name}` has no column `{node.name}`.",
                help=did_you_mean(node.name, table.types) or f"Its columns are {', '.join(table.types)}.",
            )
        column = table.types[node.name]
        if isinstance(value, ir.Const):
            return ir.Const(table.cells[node.name][value.value], column, span=node.span)
        return ir.ColumnOf(table.domain.name, node.name, value, column, span=node.span)

    def _instead_of_column(self, node: tree.Attribute, type_: Type) -> str:
        if self.env.declared.get(node.name) is tree.Variable:
            return f"Write `{node.name}[{print_expr(node.value)}]`."
        item = item_type(type_)
        if isinstance(item, MemberType) and item.domain.name in self.env.tables:
            return f"Name a single row, or go through them: `x.{node.name} for x in {item.domain.name}`."
        return "Only the rows of a table have columns."

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
            return self._call(name, node.arguments, node.span)
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

    def _call(self, name: str, arguments: tuple[tree.Expr, ...], span: Span) -> ir.Expr:
        definition = self.env.signature(name)
        if definition is None:
            for argument in arguments:
                self.value(argument)
            return ir.Const(None, UNKNOWN, span=span)
        values = self.arguments(name, definition.params, arguments, span)
        if values is None:
            return ir.Const(None, UNKNOWN, span=span)
        # What it is given is worked out even where it does not matter, and may stop the game.
        harmless = not may_fault(values) and not any(
            may_leave(p.type, v.type) for p, v in zip(definition.params, values, strict=True)
        )
        if definition.value is not None and definition.type is not UNKNOWN and harmless:
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
        return self.value(node, NumberType(-MAX_NUMBER * MAX_NUMBER, MAX_NUMBER * MAX_NUMBER))

    # ------------------------------------------------------------ sequences and pieces

    def sequence(self, node: tree.Expr) -> ir.Expr:
        """A value with members to go through one by one."""
        value = self.value(node)
        if isinstance(value, ir.Apply) and value.op == "present":
            value = value.arguments[0]  # going through it once is the same
        if value.type is not UNKNOWN and item_type(value.type) is None:
            self.error(
                "R0402",
                node.span,
                f"This is {describe(value.type)}, which has no members to go through.",
                help=(
                    "For several numbers, write a range such as `1..6`; to repeat something, write `repeat at most`."
                    if isinstance(value.type, NumberType)
                    else "Name an enum, a table, a range like 1..3, a list or a place."
                ),
            )
            return ir.Const(None, UNKNOWN, span=node.span)
        return value

    def _sequence(self, node: tree.Sequence, expected: Type | None, *, all_fit: bool = False) -> ir.Expr:
        """``all_fit``: each member must be one of the expected list or set, and is reported at its own place."""
        item = expected.item if isinstance(expected, (ListType, SetType)) else None
        parts = tuple(self.value(i, item) if all_fit else self.any_type(i, item) for i in node.items)
        type_: Type = NEVER
        for part in parts:
            type_ = self._join_members(type_, part)
        if all(isinstance(p, ir.Const) for p in parts) and type_ is not UNKNOWN:
            values = tuple(p.value for p in parts if isinstance(p, ir.Const))
            if isinstance(expected, SetType):
                return ir.Const(frozenset(values), SetType(type_), span=node.span)
            return ir.Const(values, ListType(type_), span=node.span)
        return ir.Apply("list", parts, ListType(type_), span=node.span)

    def _tuple(self, node: tree.TupleValue, expected: Type | None) -> ir.Expr:
        wanted = without_optional(expected)
        hints: tuple[Type | None, ...] = (None,) * len(node.items)
        if isinstance(wanted, (TupleType, RecordType)) and len(wanted.items) == len(node.items):
            hints = wanted.items
        parts = tuple(self.any_type(i, hint) for i, hint in zip(node.items, hints, strict=True))
        type_: Type = TupleType(tuple(p.type for p in parts))
        if any(p.type is UNKNOWN for p in parts):
            return ir.Const(None, UNKNOWN, span=node.span)
        if isinstance(wanted, RecordType) and fits(type_, wanted):
            type_ = wanted
        if all(isinstance(p, ir.Const) for p in parts):
            return ir.Const(tuple(p.value for p in parts if isinstance(p, ir.Const)), type_, span=node.span)
        return ir.Apply("tuple", parts, type_, span=node.span)

    def _bundle(self, node: tree.Bundle, expected: Type | None) -> ir.Expr:
        if not node.entries:
            if isinstance(expected, PiecesType):
                return ir.Const((0,) * len(kinds(expected.kind)), expected, span=node.span)
            return ir.Const((), NO_PIECES, span=node.span)
        return self._pieces(list(node.entries), None, node.span, expected)

    def _pieces(self, entries: list[tree.Entry], binds: ir.Binds | None, span: Span, expected: Type | None) -> ir.Expr:
        kind = expected.kind if isinstance(expected, PiecesType) and expected != NO_PIECES else None
        made: list[tuple[ir.Expr, ir.Expr]] = []
        for entry in entries:
            key = self.value(entry.kind, kind)
            if kind is None and isinstance(key.type, MemberType):
                kind = key.type
            if key.type is UNKNOWN or kind is None:
                if key.type is not UNKNOWN:
                    self.error(
                        "R0402",
                        entry.kind.span,
                        f"This is {describe(key.type)}, which is not a kind of piece.",
                        "Name a member of an enum or a table.",
                    )
                return ir.Const(None, UNKNOWN, span=span)
            count = self.value(entry.count, NumberType(0, MAX_NUMBER))
            made.append((key, count))
        assert kind is not None
        type_ = PiecesType(kind)
        if binds is None and all(isinstance(k, ir.Const) and isinstance(c, ir.Const) for k, c in made):
            counts = [0] * len(kinds(kind))
            first = kinds(kind)[0]
            for key, count in made:
                assert isinstance(key, ir.Const) and isinstance(count, ir.Const)
                if UNKNOWN in (key.type, count.type):
                    return ir.Const(None, UNKNOWN, span=span)
                counts[key.value - first] += max(0, count.value)
            return ir.Const(tuple(counts), type_, span=span)
        return ir.PiecesOf(tuple(made), binds, type_, span=span)

    # ------------------------------------------------------------ binders

    def binds(self, node: tree.Binders) -> ir.Binds:
        """Declares the names in this scope and returns the loops."""
        made: list[ir.Bind] = []
        filters: list[tuple[str, ir.Expr]] = []
        for position, binder in enumerate(node.binders, 1):
            domain = self.sequence(binder.domain)
            item = item_type(domain.type) or UNKNOWN
            if isinstance(item, NeverType) or domain.type == NO_PIECES:
                self.error(
                    "R0402",
                    binder.domain.span,
                    f"This is {describe(domain.type)}, so there is nothing to go through.",
                    "Put something in it, or leave out what goes through it.",
                )
                item = UNKNOWN
            if binder.start is not None:
                start = self.value(binder.start, item)
                domain = ir.Apply("rotate", (domain, start), domain.type, span=binder.span)
            made.append(self._apart(binder, domain, item) if binder.parts else self._bind(binder, domain, item))
            for filter_ in binder.filters:
                if filter_.word == "while" and position < len(node.binders):
                    self.error(
                        "R0402",
                        filter_.span,
                        "`while` ends everything, so it comes after the last name.",
                        "Write `where ...` here; or go through a list: `x in list(y in ... while ...), z in ...`.",
                    )
                filters.append((filter_.word, self.flag(filter_.condition)))
        return _filtered(tuple(made), filters, node.span)

    def _bind(self, binder: tree.Binder, domain: ir.Expr, item: Type) -> ir.Bind:
        slot = self.declare(binder.name, item, binder.span)
        return ir.Bind(slot, binder.name, domain, item, span=binder.span)

    def _apart(self, binder: tree.Binder, domain: ir.Expr, item: Type) -> ir.Bind:
        """``(a, b) in ...``: one slot holds the tuple, and the names stand for its parts."""
        names = [part.name if isinstance(part, tree.Name) else "" for part in binder.parts]
        called = f"({', '.join(names)})"
        types = item.items if isinstance(item, (TupleType, RecordType)) else ()
        slot = self.scope.frame.slot()
        if not all(names):
            self.error("R0402", binder.span, "Only names can be written here.", "Name each part: `(a, b) in ...`.")
        elif item is not UNKNOWN and len(types) != len(names):
            self.error(
                "R0402",
                binder.span,
                f"This is {describe(item)}, which does not have {len(names)} parts.",
                help="Use a single name." if not types else f"Write {len(types)} names.",
            )
        whole = LocalName(slot, item)
        for position, name in enumerate(filter(None, names)):
            type_ = types[position] if len(types) == len(names) else UNKNOWN
            self.free_name(name, binder.span)
            self.scope.names[name] = LocalName(slot, type_, position, whole, called)
            self.scope.loose -= {name}
        return ir.Bind(slot, called, domain, item, span=binder.span)

    def declare(self, name: str, type_: Type, span: Span, *, param: bool = False) -> int:
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


def _filtered(made: tuple[ir.Bind, ...], filters: list[tuple[str, ir.Expr]], span: Span) -> ir.Binds:
    """The loops with their filters as one condition to be passed over by, and one to end by: see ``ir.Binds``."""
    filters = [(word, c) for word, c in filters if not (isinstance(c, ir.Const) and c.value is True)]
    going = [condition for word, condition in filters if word == "while"]
    if not going:
        return ir.Binds(made, _all([condition for _, condition in filters]), span=span)
    passing: ir.Expr | None = None
    for word, condition in reversed(filters):
        if word == "where":
            passing = _all([condition] if passing is None else [condition, passing])
        elif passing is not None:  # what ends the run is not passed over
            ends = ir.Apply("not", (condition,), FLAG, span=condition.span)
            passing = ir.Apply("or", (ends, passing), FLAG, span=passing.span)
    return ir.Binds(made, _all(going), True, passing, span=span)


def _all(conditions: list[ir.Expr]) -> ir.Expr | None:
    """The conditions joined by ``and``; None for none."""
    if not conditions:
        return None
    joined = conditions[0]
    for condition in conditions[1:]:
        joined = ir.Apply("and", (joined, condition), FLAG, span=joined.span)
    return joined


def _instead(type_: Type, expected: Type) -> str:
    """What to write where ``type_`` was found and ``expected`` is needed."""
    wanted = without_optional(expected)
    if wanted == FLAG:
        return "Write a whole test: `x is a`, `x > 0`, `x is a or x is b`, or for several values `x is in [a, b]`."
    if isinstance(type_, NothingType):
        return f"If none is meant to be possible, declare it as `{describe(expected)} or none`."
    if isinstance(wanted, NumberType) and item_type(type_) is not None:
        return "To count, write `count(...)`."
    if isinstance(wanted, MemberType):
        if item_type(type_) is not None:
            return f"Name a single one, or go through them with `each x in ...`, where each is {describe(wanted)}."
        if len(wanted.domain) <= 8:
            return f"Choose one of {', '.join(wanted.domain.members)}, or something that holds one."
    if isinstance(wanted, PiecesType):
        return f"Write pieces in braces, such as `{{{name_of(kinds(wanted.kind)[0], wanted.kind)}: 1}}`."
    if isinstance(wanted, (ListType, SetType)):
        return "Write a list in square brackets, such as `[a, b]`."
    return f"Write {describe(wanted)} here, or the name of something that holds one." if wanted else ""
