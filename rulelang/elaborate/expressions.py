"""Expressions: names, types, bounds."""

from __future__ import annotations

import attrs

from .. import program as ir
from .. import tree
from ..diagnostics import did_you_mean
from ..source import Span
from ..types import (
    FLAG,
    NOTHING,
    UNKNOWN,
    FlagType,
    ListType,
    MemberType,
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
from . import builtins, laid
from .constants import arithmetic_type, choose_branch, longest, number, simplify
from .environment import MAX_NUMBER, Environment
from .scope import LocalName, Scope

_COMPARE = {"<", "<=", ">", ">="}
_ARITHMETIC = {"+": "+", "-": "-", "*": "*", "mod": "mod", "/ down": "div_down", "/ up": "div_up"}


@attrs.define
class Expressions:
    """Elaborates expressions in one scope. ``rule`` is named in findings."""

    env: Environment
    scope: Scope
    rule: str | None = None
    chosen: bool = False
    """Whether options and readings have their values in force even where the environment leaves them open."""

    def inside(self, scope: Scope) -> Expressions:
        return Expressions(self.env, scope, self.rule, self.chosen)

    # ------------------------------------------------------------ entry points

    def value(self, node: tree.Expr, expected: Type | None = None) -> ir.Expr:
        """The expression; when ``expected`` is given, a value of that type (or UNKNOWN, with a finding)."""
        found = self._expr(node, expected)
        return found if expected is None else self.fit(found, expected, node.span)

    def flag(self, node: tree.Expr) -> ir.Expr:
        return self.value(node, FLAG)

    def fit(self, value: ir.Expr, expected: Type, span: Span) -> ir.Expr:
        """Checks that a value can stand where ``expected`` is needed."""
        type_ = value.type
        if expected == UNKNOWN or type_ == UNKNOWN:
            return value
        if fits(type_, expected):
            return value
        if isinstance(type_, NumberType) and isinstance(_inner(expected), NumberType):
            bounds = _inner(expected)
            assert isinstance(bounds, NumberType)
            what = str(type_.low) if type_.low == type_.high else describe(type_)
            self.error(
                "R0404",
                span,
                f"{what} is out of bounds: {describe(bounds)} is needed here.",
                "Change the number, or the bounds.",
            )
        elif isinstance(type_, OptionalType) and fits(type_.item, expected):
            self.error(
                "R0407",
                span,
                f"This may be none; {describe(expected)} is needed here.",
                help="Write `each x in ...` (runs when there is one) or `... otherwise ...`.",
            )
        else:
            self.error("R0402", span, f"This is {describe(type_)}; {describe(expected)} is needed here.")
        return ir.Const(None, UNKNOWN, span=span)

    def error(self, code: str, span: Span, message: str, help: str | None = None) -> ir.Expr:
        self.env.sink.error(code, span, message, help=help, rule=self.rule)
        return ir.Const(None, UNKNOWN, span=span)

    # ------------------------------------------------------------ dispatch

    def _expr(self, node: tree.Expr, expected: Type | None) -> ir.Expr:
        match node:
            case tree.Name():
                return self._name(node, expected)
            case tree.Integer():
                if node.value > MAX_NUMBER:
                    return self.error("R0404", node.span, f"Numbers go up to {MAX_NUMBER:,}.")
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
            case tree.Attribute():
                return self._attribute(node)
            case tree.Index():
                return self._index(node)
            case tree.Apply():
                return self._apply(node)
            case tree.Unary():
                return self._unary(node)
            case tree.Binary():
                return self._binary(node, expected)
            case tree.Conditional():
                condition = self.flag(node.condition)
                then = self._expr(node.then, expected)
                otherwise = self._expr(node.otherwise, expected or then.type)
                type_ = self.join(then.type, otherwise.type, node.span)
                return choose_branch(ir.If(condition, then, otherwise, type_, span=node.span))
        raise AssertionError(node)

    def join(self, a: Type, b: Type, span: Span) -> Type:
        """The smallest type that holds values of both."""
        if UNKNOWN in (a, b):
            return UNKNOWN
        joined = _join(a, b)
        if joined is None:
            self.error("R0402", span, f"One branch is {describe(a)}, the other {describe(b)}.")
            return UNKNOWN
        return joined

    # ------------------------------------------------------------ names

    def _name(self, node: tree.Name, expected: Type | None) -> ir.Expr:
        env, name, span = self.env, node.name, node.span
        local = self.scope.names.get(name)
        if local is not None:
            return self._local(name, local, span)
        wanted = _inner(expected)
        if isinstance(wanted, MemberType) and name in wanted.domain.members:
            return ir.Const(wanted.domain.members.index(name), wanted, span=span)
        declared = env.linked.names.get(name)
        match declared:
            case tree.Number():
                found = env.number(name)
                if found is None:
                    return ir.Const(None, UNKNOWN, span=span)
                return ir.Const(found, number(found), span=span)
            case tree.Setting():
                if env.every_setting and not self.chosen:
                    return ir.Apply("setting", (), setting_value(env.settings[name], span).type, span=span)
                return setting_value(env.settings[name], span)
            case tree.Variable():
                return self._read(name, (), span)
            case tree.Define():
                return self._call(name, (), span)
        if name in env.domains:
            return env.all_members(env.domains[name], span)
        if name in env.ranges:
            range_ = env.ranges[name]
            ends = (ir.Const(range_.low, number(range_.low)), ir.Const(range_.high, number(range_.high)))
            return ir.Apply("range", ends, ListType(range_), span=span)
        return self._member(name, span, wanted)

    def _local(self, name: str, local: LocalName, span: Span) -> ir.Expr:
        if local.whole is None or local.part is None:
            return ir.Local(local.slot, name, local.type, span=span)
        whole = ir.Local(local.slot, local.called, local.whole.type, span=span)
        return ir.PartOf(whole, local.part, name, local.type, span=span)

    def _member(self, name: str, span: Span, wanted: Type | None) -> ir.Expr:
        env = self.env
        owners = env.members.get(name, [])
        if not owners and name in self.scope.hidden:
            return self.error(
                "R0401",
                span,
                f"A variant does not see `{name}`: it is a local name of the rule it changes.",
                help="It sees the parameters only; work the value out again, or replace the rule around it.",
            )
        if len(owners) == 1 or (owners and isinstance(wanted, MemberType)):
            domain, position = owners[0]
            return ir.Const(position, MemberType(domain), span=span)
        if owners:
            places = " and ".join(d.name for d, _ in owners)
            return self.error("R0406", span, f"`{name}` could be meant in {places}.", help="Rename one of them.")
        if isinstance(wanted, MemberType):
            env.unknown(name, span, wanted.domain.name, [*wanted.domain.members, *self._known()], self.rule)
        else:
            env.unknown(name, span, "thing", self._known(), self.rule)
        return ir.Const(None, UNKNOWN, span=span)

    def _known(self) -> list[str]:
        env = self.env
        return [*self.scope.names, *env.linked.names, *env.domains, *env.members, *builtins.NAMES]

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
                help=f"Write `{name}[...]` and say for which one.",
            )
        owned = tuple(self.value(i, o) for i, o in zip(indices[:needed], variable.owners, strict=True))
        read: ir.Expr = ir.Read(name, owned, variable.type, span=span)
        return self._index_value(read, indices[needed:], span)

    def _index_value(self, value: ir.Expr, indices: tuple[tree.Expr, ...], span: Span) -> ir.Expr:
        if not indices:
            return value
        if len(indices) > 1:
            return self.error("R0403", span, "There are too many values in the brackets.")
        type_ = value.type
        if isinstance(type_, PiecesType):
            kind = self.value(indices[0], type_.kind)
            return ir.Apply("count_of", (value, kind), NumberType(0, MAX_NUMBER), span=span)
        if isinstance(type_, ListType):
            position = self.value(indices[0], NumberType(-MAX_NUMBER, MAX_NUMBER))
            return ir.Apply("at", (value, position), _optional(type_.item), span=span)
        if type_ == UNKNOWN:
            return value
        return self.error("R0402", span, f"{describe(type_)} has no parts that brackets could name.")

    def _index(self, node: tree.Index) -> ir.Expr:
        if isinstance(node.value, tree.Name) and node.value.name not in self.scope.names:
            if isinstance(self.env.linked.names.get(node.value.name), tree.Variable):
                return self._read(node.value.name, node.indices, node.span)
        return self._index_value(self.value(node.value), node.indices, node.span)

    def _attribute(self, node: tree.Attribute) -> ir.Expr:
        value = self.value(node.value)
        type_ = value.type
        if type_ == UNKNOWN:
            return value
        if isinstance(type_, OptionalType):
            return self.error(
                "R0407",
                node.value.span,
                "This may be none.",
                help=f"In a rule: `each x in ...`, then `x.{node.name}`. In a value: `(... otherwise y).{node.name}`.",
            )
        if isinstance(type_, RecordType):
            return laid.part(self, value, type_, node)
        table = self.env.tables.get(type_.domain.name) if isinstance(type_, MemberType) else None
        if table is None:
            return self.error("R0402", node.value.span, f"{describe(type_)} has no columns.")
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

    # ------------------------------------------------------------ calls

    def _apply(self, node: tree.Apply) -> ir.Expr:
        if not isinstance(node.function, tree.Name):
            return self.error("R0402", node.function.span, "Only a defined name can be followed by `(...)`.")
        name = node.function.name
        declared = self.env.linked.names.get(name)
        if isinstance(declared, tree.Define):
            return self._call(name, node.arguments, node.span)
        if isinstance(declared, tree.Variable):
            return self.error(
                "R0402", node.span, f"`{name}` is kept on the table, not computed.", help=f"Write `{name}[...]`."
            )
        if isinstance(declared, tree.Graph):
            return self.error(
                "R0402",
                node.span,
                f"`{name}` is a graph.",
                help=f"Write `group({name}(...), node)` or `groups({name}(...))`.",
            )
        return builtins.call(self, name, node)

    def _call(self, name: str, arguments: tuple[tree.Expr, ...], span: Span) -> ir.Expr:
        definition = self.env.definition(name)
        if definition is None:
            for argument in arguments:
                self.value(argument)
            return ir.Const(None, UNKNOWN, span=span)
        values = self.arguments(name, definition.params, arguments, span)
        if values is None:
            return ir.Const(None, definition.type if False else UNKNOWN, span=span)
        if isinstance(definition.body, ir.Const) and definition.type != UNKNOWN:
            return ir.Const(definition.body.value, definition.type, span=span)
        return ir.Call(name, values, definition.type, span=span)

    def arguments(
        self, name: str, params: tuple[ir.Param, ...], given: tuple[tree.Expr, ...], span: Span
    ) -> tuple[ir.Expr, ...] | None:
        """The values for the parameters, or None with a finding about their number."""
        if len(given) != len(params):
            wanted = ", ".join(p.name for p in params)
            needs = f"({wanted})" if params else "no values"
            self.error(
                "R0403", span, f"`{name}` needs {needs}; here it gets {len(given)}.", f"Write `{name}({wanted})`."
            )
            return None
        return tuple(self.value(g, p.type) for g, p in zip(given, params, strict=True))

    # ------------------------------------------------------------ operators

    def _unary(self, node: tree.Unary) -> ir.Expr:
        if node.op == "not":
            return simplify(ir.Apply("not", (self.flag(node.value),), FLAG, span=node.span))
        value = self.number(node.value)
        if not isinstance(value.type, NumberType):
            return value
        return simplify(ir.Apply("neg", (value,), arithmetic_type("neg", [value.type]), span=node.span))

    def number(self, node: tree.Expr) -> ir.Expr:
        """A number of any size."""
        return self.value(node, NumberType(-MAX_NUMBER * MAX_NUMBER, MAX_NUMBER * MAX_NUMBER))

    def _binary(self, node: tree.Binary, expected: Type | None) -> ir.Expr:
        op, span = node.op, node.span
        if op in ("and", "or"):
            both = (self.flag(node.left), self.flag(node.right))
            if any(b.type == UNKNOWN for b in both):
                return ir.Const(None, UNKNOWN, span=span)
            return simplify(ir.Apply(op, both, FLAG, span=span))
        if op in ("is", "is not"):
            return self._is(node)
        if op in ("is in", "is not in"):
            return self._is_in(node)
        if op in _COMPARE:
            left, right = self.number(node.left), self.number(node.right)
            if UNKNOWN in (left.type, right.type):
                return ir.Const(None, UNKNOWN, span=span)
            return simplify(ir.Apply(op, (left, right), FLAG, span=span))
        if op in ("covers", "holds"):
            return self._covers(node)
        if op == "otherwise":
            return self._otherwise(node, expected)
        if op == "..":
            low, high = self.number(node.left), self.number(node.right)
            if not (isinstance(low.type, NumberType) and isinstance(high.type, NumberType)):
                return ir.Const(None, UNKNOWN, span=span)
            item = NumberType(low.type.low, max(low.type.low, high.type.high))
            return ir.Apply("range", (low, high), ListType(item), span=span)
        return self._arithmetic(node, expected)

    def _arithmetic(self, node: tree.Binary, expected: Type | None) -> ir.Expr:
        op, span = node.op, node.span
        left = self._expr(node.left, expected if isinstance(expected, PiecesType) else None)
        right = self._expr(node.right, left.type if isinstance(left.type, PiecesType) else None)
        if UNKNOWN in (left.type, right.type):
            return ir.Const(None, UNKNOWN, span=span)
        pieces = [t for t in (left.type, right.type) if isinstance(t, PiecesType)]
        if pieces and op in ("+", "-") and left.type == right.type:
            return ir.Apply("add_pieces" if op == "+" else "sub_pieces", (left, right), left.type, span=span)
        if len(pieces) == 1 and op == "*" and isinstance(left.type, NumberType):
            return ir.Apply("scale_pieces", (left, right), right.type, span=span)
        left, right = self._as_number(left), self._as_number(right)
        if not (isinstance(left.type, NumberType) and isinstance(right.type, NumberType)):
            return ir.Const(None, UNKNOWN, span=span)
        name = _ARITHMETIC[op]
        if name in ("div_down", "div_up", "mod") and right.type.low <= 0 <= right.type.high:
            return self.error(
                "R0404",
                node.right.span,
                "This may be 0, and nothing can be divided by 0.",
                help="Write `max(1, ...)`, or divide by something that is never 0.",
            )
        return simplify(ir.Apply(name, (left, right), arithmetic_type(name, [left.type, right.type]), span=span))

    def _as_number(self, value: ir.Expr) -> ir.Expr:
        return self.fit(value, NumberType(-(MAX_NUMBER**2), MAX_NUMBER**2), value.span)

    def _is(self, node: tree.Binary) -> ir.Expr:
        op = "is" if node.op == "is" else "is_not"
        left_node, right_node = node.left, node.right
        if self._only_member(left_node) and not self._only_member(right_node):
            right = self.value(right_node)
            left = self._expr(left_node, right.type)
        else:
            left = self.value(left_node)
            right = self._expr(right_node, left.type)
        if UNKNOWN in (left.type, right.type):
            return ir.Const(None, UNKNOWN, span=node.span)
        joined = _join(left.type, right.type)
        if joined is None:
            return self.error(
                "R0402",
                node.span,
                f"This compares {describe(left.type)} with {describe(right.type)}; they can never be the same.",
            )
        if isinstance(right.type, NothingType) and not isinstance(left.type, (OptionalType, NothingType)):
            return self.error("R0402", node.span, f"{describe(left.type)} is never none.")
        return simplify(ir.Apply(op, (left, right), FLAG, span=node.span))

    def _only_member(self, node: tree.Expr) -> bool:
        """Whether a name can only be a member of a domain (so the other side tells which)."""
        return (
            isinstance(node, tree.Name) and node.name not in self.scope.names and node.name not in self.env.linked.names
        ) or isinstance(node, (tree.NoneValue, tree.Bundle, tree.Sequence))

    def _is_in(self, node: tree.Binary) -> ir.Expr:
        sequence = self.sequence(node.right)
        item = item_type(sequence.type)
        value = self.value(node.left, item) if item is not None else self.value(node.left)
        if item is None or UNKNOWN in (value.type, sequence.type):
            return ir.Const(None, UNKNOWN, span=node.span)
        found: ir.Expr = ir.Apply("in", (value, sequence), FLAG, span=node.span)
        return found if node.op == "is in" else ir.Apply("not", (found,), FLAG, span=node.span)

    def _covers(self, node: tree.Binary) -> ir.Expr:
        pool = self.value(node.left)
        if not isinstance(pool.type, PiecesType):
            if pool.type != UNKNOWN:
                self.error("R0402", node.left.span, f"`{node.op}` needs pieces on its left, for example a pool.")
            return ir.Const(None, UNKNOWN, span=node.span)
        if node.op == "covers" and not isinstance(pool, ir.Read):
            return self.error("R0402", node.left.span, "`covers` needs a pool on its left.", help="Or write `holds`.")
        cost = self.value(node.right, pool.type)
        return ir.Apply(node.op, (pool, cost), FLAG, span=node.span)

    def _otherwise(self, node: tree.Binary, expected: Type | None) -> ir.Expr:
        left = self._expr(node.left, expected)
        inner = left.type.item if isinstance(left.type, OptionalType) else left.type
        right = self._expr(node.right, inner)
        if UNKNOWN in (left.type, right.type):
            return ir.Const(None, UNKNOWN, span=node.span)
        if not isinstance(left.type, (OptionalType, NothingType)):
            return self.error("R0402", node.left.span, "This is never none, so `otherwise` cannot happen.")
        type_ = self.join(inner, right.type, node.span)
        return ir.Apply("otherwise", (left, right), type_, span=node.span)

    # ------------------------------------------------------------ sequences and pieces

    def sequence(self, node: tree.Expr) -> ir.Expr:
        """Something that can be gone through one by one."""
        value = self.value(node)
        if value.type != UNKNOWN and item_type(value.type) is None:
            self.error(
                "R0402",
                node.span,
                f"{describe(value.type)} cannot be gone through one by one.",
                help="Name an enum, a table, a range like 1..3, a list or a place.",
            )
            return ir.Const(None, UNKNOWN, span=node.span)
        return value

    def _sequence(self, node: tree.Sequence, expected: Type | None) -> ir.Expr:
        item = expected.item if isinstance(expected, (ListType, SetType)) else None
        parts = tuple(self._expr(i, item) for i in node.items)
        type_: Type = item or (parts[0].type if parts else NOTHING)
        for part in parts if item is None else ():
            type_ = self.join(type_, part.type, part.span)
        if all(isinstance(p, ir.Const) for p in parts) and type_ != UNKNOWN:
            values = tuple(p.value for p in parts if isinstance(p, ir.Const))
            if isinstance(expected, SetType):
                return ir.Const(frozenset(values), SetType(type_), span=node.span)
            return ir.Const(values, ListType(type_), span=node.span)
        return ir.Apply("list", parts, ListType(type_), span=node.span)

    def _tuple(self, node: tree.TupleValue, expected: Type | None) -> ir.Expr:
        wanted = _inner(expected)
        hints: tuple[Type | None, ...] = (None,) * len(node.items)
        if isinstance(wanted, (TupleType, RecordType)) and len(wanted.items) == len(node.items):
            hints = wanted.items
        parts = tuple(self._expr(i, hint) for i, hint in zip(node.items, hints, strict=True))
        type_: Type = TupleType(tuple(p.type for p in parts))
        if any(p.type == UNKNOWN for p in parts):
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
            return ir.Const((), NOTHING, span=node.span)
        return self._pieces(list(node.entries), None, node.span, expected)

    def _pieces(self, entries: list[tree.Entry], binds: ir.Binds | None, span: Span, expected: Type | None) -> ir.Expr:
        kind = expected.kind if isinstance(expected, PiecesType) else None
        made: list[tuple[ir.Expr, ir.Expr]] = []
        for entry in entries:
            key = self.value(entry.kind, kind)
            if kind is None and isinstance(key.type, MemberType):
                kind = key.type
            if key.type == UNKNOWN or kind is None:
                if key.type != UNKNOWN:
                    self.error("R0402", entry.kind.span, f"{describe(key.type)} is no kind of piece.")
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
                counts[key.value - first] += count.value
            return ir.Const(tuple(counts), type_, span=span)
        return ir.PiecesOf(tuple(made), binds, type_, span=span)

    # ------------------------------------------------------------ binders

    def binds(self, node: tree.Binders) -> ir.Binds:
        """Declares the names in this scope and returns the loops."""
        made: list[ir.Bind] = []
        for binder in node.binders:
            domain = self.sequence(binder.domain)
            item = item_type(domain.type) or UNKNOWN
            if binder.start is not None:
                start = self.value(binder.start, item)
                domain = ir.Apply("rotate", (domain, start), domain.type, span=binder.span)
            made.append(self._apart(binder, domain, item) if binder.parts else self._bind(binder, domain, item))
        condition = None if node.filter is None else self.flag(node.filter)
        if isinstance(condition, ir.Const) and condition.value is True:
            condition = None
        return ir.Binds(tuple(made), condition, node.filter_word == "while", span=node.span)

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
            self.error("R0402", binder.span, "To take something apart, write names: `(a, b) in ...`.")
        elif item != UNKNOWN and len(types) != len(names):
            self.error(
                "R0402",
                binder.span,
                f"{describe(item)} does not come apart into {len(names)} parts.",
                help="Use one name." if not types else f"Write {len(types)} names.",
            )
        whole = LocalName(slot, item)
        for position, name in enumerate(filter(None, names)):
            type_ = types[position] if len(types) == len(names) else UNKNOWN
            self.free_name(name, binder.span)
            self.scope.names[name] = LocalName(slot, type_, position, whole, called)
        return ir.Bind(slot, called, domain, item, span=binder.span)

    def declare(self, name: str, type_: Type, span: Span, *, param: bool = False) -> int:
        """A new local name; it may not hide another name of the game."""
        self.free_name(name, span)
        return self.scope.declare(name, type_, param=param)

    def free_name(self, name: str, span: Span) -> None:
        """Reports a local name that already means something."""
        env = self.env
        taken = name in env.linked.names or name in env.domains or name in builtins.NAMES
        if taken or name in self.scope.names:
            self.error(
                "R0205",
                span,
                f"`{name}` already has a meaning here.",
                help="Choose another name: one name stands for one thing.",
            )
        elif name in builtins.RESERVED:
            self.error("R0205", span, f"`{name}` is a word of the language.", help="Choose another name.")


# ---------------------------------------------------------------- types


def setting_value(setting: ir.Setting, span: Span) -> ir.Const:
    """The value in force. Settings whose values are yes and no are flags."""
    if set(setting.domain.members) == {"yes", "no"}:
        return ir.Const(setting.value == "yes", FLAG, span=span)
    return ir.Const(setting.domain.members.index(setting.value), MemberType(setting.domain), span=span)


def item_type(type_: Type) -> Type | None:
    """What going through a value of this type gives, or None when that is impossible."""
    match type_:
        case ListType(item) | SetType(item) | OptionalType(item):
            return item
        case PiecesType(kind):
            return kind
        case _ if type_ == UNKNOWN:
            return UNKNOWN
    return None


def fits(type_: Type, expected: Type) -> bool:
    """Whether every, or (for numbers) some, value of ``type_`` is one of ``expected``."""
    if UNKNOWN in (type_, expected) or type_ == expected:
        return True
    match type_, expected:
        case NumberType(), NumberType():
            return type_.low <= expected.high and expected.low <= type_.high
        case NothingType(), OptionalType() | PiecesType() | ListType() | SetType():
            return True
        case OptionalType(item), OptionalType(wanted):
            return fits(item, wanted)
        case _, OptionalType(wanted):
            return fits(type_, wanted)
        case ListType(item) | SetType(item), ListType(wanted) | SetType(wanted):
            return isinstance(item, NothingType) or fits(item, wanted)
        case RecordType(), RecordType():
            return type_.name == expected.name and all(map(fits, type_.items, expected.items))
        case TupleType(), TupleType() | RecordType():
            return len(type_.items) == len(expected.items) and all(map(fits, type_.items, expected.items))
    return False


def _join(a: Type, b: Type) -> Type | None:
    if a == b:
        return a
    match a, b:
        case NumberType(), NumberType():
            return NumberType(min(a.low, b.low), max(a.high, b.high))
        case NothingType(), OptionalType() | PiecesType() | ListType() | SetType():
            return b
        case OptionalType() | PiecesType() | ListType() | SetType(), NothingType():
            return a
        case NothingType(), _:
            return OptionalType(b)
        case _, NothingType():
            return OptionalType(a)
        case OptionalType(x), OptionalType(y):
            inner = _join(x, y)
            return None if inner is None else OptionalType(inner)
        case OptionalType(x), _:
            inner = _join(x, b)
            return None if inner is None else OptionalType(inner)
        case _, OptionalType(y):
            inner = _join(a, y)
            return None if inner is None else OptionalType(inner)
        case ListType(x), ListType(y):
            inner = _join(x, y)
            return None if inner is None else ListType(inner)
        case SetType(x), SetType(y):
            inner = _join(x, y)
            return None if inner is None else SetType(inner)
        case TupleType(xs), TupleType(ys) if len(xs) == len(ys):
            parts = [_join(x, y) for x, y in zip(xs, ys, strict=True)]
            return None if None in parts else TupleType(tuple(p for p in parts if p is not None))
        case RecordType(), TupleType() if fits(b, a):
            return a
        case TupleType(), RecordType() if fits(a, b):
            return b
    return None


def _inner(type_: Type | None) -> Type | None:
    while isinstance(type_, OptionalType):
        type_ = type_.item
    return type_


def _optional(type_: Type) -> Type:
    return type_ if isinstance(type_, (OptionalType, NothingType)) else OptionalType(type_)


def total_bound(body: Type, binds: ir.Binds) -> tuple[int, int]:
    """Bounds of a sum of ``body`` over the combinations."""
    combos = 1
    for bind in binds.binds:
        combos *= max(1, longest(bind.domain))
    combos = min(combos, 1_000_000)
    if isinstance(body, NumberType):
        return min(0, body.low * combos), max(0, body.high * combos)
    if isinstance(body, FlagType):
        return 0, combos
    return 0, combos
