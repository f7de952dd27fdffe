"""Primary expressions: names, values that are written out, and calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import program as ir
from .. import types as ty
from ..diagnostics import did_you_mean
from ..fixes import Fix, Help, ReplaceText, write
from ..source import Span
from ..syntax import tree
from ..syntax.printer import print_expr
from ..syntax.walk import ids_in
from ..words import FUNCTIONS
from . import board_functions, histories, operators, rule_columns, scope
from .environment import MAX_NUMBER, Environment
from .scope import Hole, LocalName
from .typing import certainly, fits, item_type, join_types, number, optional, present, setting_value, without_optional

if TYPE_CHECKING:
    from .expressions import Expressions


def name(e: Expressions, node: tree.Name, expected: ty.Type | None) -> ir.Expr:
    """What a name stands for; where it could be several things, ``expected`` tells which."""
    env, name, span = e.env, node.name, node.span
    if name in e.columns:
        type_, value = e.columns[name]
        return ir.Const(value, type_, span=span)
    if env.hole is not None and name == env.hole.word:
        return _missing(e, env.hole, expected, span)
    local = e.scope.names.get(name)
    if local is not None:
        return _local(e, name, local, span)
    wanted = without_optional(expected)
    if isinstance(wanted, ty.MemberType) and name in wanted.domain.members:
        return ir.Const(wanted.domain.members.index(name), wanted, span=span)
    match env.declared.get(name):
        case tree.Number:
            found = env.number(name)
            if found is None:
                return ir.Const(None, ty.UNKNOWN, span=span)
            return ir.Const(found, number(found), span=span)
        case tree.Setting:
            if env.every_setting and not e.chosen:
                return ir.Apply("setting", (), setting_value(env.settings[name], span).type, span=span)
            return setting_value(env.settings[name], span)
        case tree.Variable:
            return read(e, name, (), span)
        case tree.Define:
            return e.call(name, (), span)
        case tree.History:
            return histories.as_value(e, name, span)
    if name in env.domains:
        return env.all_members(env.domains[name], span)
    if name in env.ranges:
        range_ = env.ranges[name]
        ends = (ir.Const(range_.low, number(range_.low)), ir.Const(range_.high, number(range_.high)))
        return ir.Apply("range", ends, ty.ListType(range_), span=span)
    return _member(e, name, span, wanted)


def _missing(e: Expressions, hole: Hole, expected: ty.Type | None, span: Span) -> ir.Expr:
    """Notes what could stand here."""
    hole.expected.append(expected)
    hole.names.update((name, local.type) for name, local in e.scope.names.items())
    return ir.Const(None, ty.UNKNOWN, span=span)


def _local(e: Expressions, name: str, local: LocalName, span: Span) -> ir.Expr:
    if local.whole is None or local.part is None:
        return ir.Local(local.slot, name, local.type, span=span)
    whole = ir.Local(local.slot, local.called, local.whole.type, span=span)
    return ir.PartOf(whole, local.part, name, local.type, span=span)


def _member(e: Expressions, name: str, span: Span, wanted: ty.Type | None) -> ir.Expr:
    env = e.env
    owners = env.members.get(name, ())
    if len(owners) == 1 or (owners and isinstance(wanted, ty.MemberType)):
        domain, position = owners[0]
        return ir.Const(position, ty.MemberType(domain), span=span)
    if owners:
        places = " and ".join(d.name for d, _ in owners)
        return e.error(
            "R0406",
            span,
            f"`{name}` is a member of {places}; it is unclear which one is meant.",
            help=Help(
                f"Write {' or '.join(f'`{d.name}.{name}`' for d, _ in owners)}.",
                tuple(Fix(f"The one of {d.name}", (ReplaceText(f"{d.name}.{name}", span=span),)) for d, _ in owners),
            ),
        )
    if isinstance(wanted, ty.MemberType):
        env.unknown(name, span, wanted.domain.name, [*wanted.domain.members, *_known(e)], e.rule)
    else:
        env.unknown(name, span, "thing", _known(e), e.rule)
    return ir.Const(None, ty.UNKNOWN, span=span)


def _domain_named(e: Expressions, name: str) -> ty.Domain | None:
    """The domain of this name, if it means nothing else here."""
    taken = name in e.scope.names or name in e.columns or name in e.env.numbers
    return None if taken else e.env.domains.get(name)


def _member_of(e: Expressions, domain: ty.Domain, node: tree.Attribute) -> ir.Expr:
    """``Fruit.apple``: the member of this name, whatever else has it."""
    type_ = ty.MemberType(domain)
    if e.env.hole is not None and node.name == e.env.hole.word:
        e.env.hole.of.append(ty.ListType(type_))
    elif node.name in domain.members:
        return ir.Const(domain.members.index(node.name), type_, span=node.span)
    else:
        e.env.unknown(node.name, node.span, domain.name, domain.members, e.rule)
    return ir.Const(None, ty.UNKNOWN, span=node.span)


def _known(e: Expressions) -> list[str]:
    env = e.env
    return [*e.scope.names, *env.declared, *env.domains, *env.members, *FUNCTIONS]


def read(e: Expressions, name: str, indices: tuple[tree.Expr, ...], span: Span) -> ir.Expr:
    """A variable with the indices its owners need; what is left over indexes the value."""
    variable = e.env.variable(name)
    if variable is None:
        return ir.Const(None, ty.UNKNOWN, span=span)
    needed = len(variable.owners)
    if len(indices) < needed:
        owners = ", ".join(o.domain.name for o in variable.owners)
        return e.error(
            "R0403",
            span,
            f"`{name}` is kept for each {owners}.",
            help=f"Say which one: `{name}[...]`.",
        )
    owned = tuple(e.value(i, o) for i, o in zip(indices[:needed], variable.owners, strict=True))
    if any(index.type is ty.UNKNOWN for index in owned):
        return ir.Const(None, ty.UNKNOWN, span=span)
    read: ir.Expr = ir.Read(name, owned, variable.type, span=span)
    return _index_value(e, read, indices[needed:], span)


def index(e: Expressions, node: tree.Index) -> ir.Expr:
    """What brackets pick out: the cell of an owner, a member of a list, a kind of pieces, a row by its parts."""
    if isinstance(node.value, tree.Name) and node.value.name not in e.scope.names:
        if e.env.declared.get(node.value.name) is tree.Variable:
            return read(e, node.value.name, node.indices, node.span)
        table = e.env.tables.get(node.value.name)
        if table is not None and table.parts:
            return _combination(e, table, node)
        if table is not None and table.domain.first is not None and len(node.indices) == 1:
            return _numbered(e, table.domain, table.domain.first, node)
    return _index_value(e, e.value(node.value), node.indices, node.span)


def _index_value(e: Expressions, value: ir.Expr, indices: tuple[tree.Expr, ...], span: Span) -> ir.Expr:
    if not indices:
        return value
    if len(indices) > 1:
        return e.error("R0403", span, "There are too many values in the brackets.", "Leave out the last one.")
    type_ = value.type
    if isinstance(type_, ty.PiecesType):
        kind = e.value(indices[0], type_.kind)
        return ir.Apply("count_of", (value, kind), ty.NumberType(0, MAX_NUMBER), span=span)
    if isinstance(type_, ty.ListType) and isinstance(indices[0], tree.Binary) and indices[0].op == "..":
        ends = (e.number(indices[0].left), e.number(indices[0].right))
        if any(end.type is ty.UNKNOWN for end in ends):
            return ir.Const(None, ty.UNKNOWN, span=span)
        return ir.Apply("part", (value, *ends), ty.ListType(type_.item), span=span)
    if isinstance(type_, ty.ListType):
        position = e.value(indices[0], ty.NumberType(-MAX_NUMBER, MAX_NUMBER))
        found = ir.Apply("at", (value, position), optional(type_.item), span=span)
        first = isinstance(position, ir.Const) and position.value == 1
        return certainly(found) if first and type_.filled else found
    if type_ is ty.UNKNOWN:
        return value
    return e.error(
        "R0402",
        span,
        f"This is {ty.describe(type_)}, which has no parts to select with brackets.",
        "Leave out the brackets.",
    )


def _combination(e: Expressions, table: ir.Table, node: tree.Index) -> ir.Expr:
    """``Card[hearts, ace]``: the row of these parts."""
    types = list(table.types.values())[: table.parts]
    if len(types) < table.parts:  # what it is made of is reported where it is declared
        return ir.Const(None, ty.UNKNOWN, span=node.span)
    if len(node.indices) != len(types):
        wanted = ", ".join(list(table.types)[: table.parts])
        return e.error(
            "R0403", node.span, f"`{table.domain.name}` is made of {len(types)} parts.", f"Write `[{wanted}]`."
        )
    parts = tuple(e.value(index, type_) for index, type_ in zip(node.indices, types, strict=True))
    if any(part.type is ty.UNKNOWN for part in parts):
        return ir.Const(None, ty.UNKNOWN, span=node.span)
    type_ = ty.MemberType(table.domain)
    if all(isinstance(part, ir.Const) for part in parts):
        position = 0
        for part in parts:
            assert isinstance(part, ir.Const) and isinstance(part.type, ty.MemberType)
            position = position * len(part.type.domain) + part.value
        return ir.Const(position, type_, span=node.span)
    return ir.Apply("combination", parts, type_, span=node.span)


def _numbered(e: Expressions, domain: ty.Domain, first: int, node: tree.Index) -> ir.Expr:
    """``Point[n]``: the field of a track with this number, or none."""
    number = e.number(node.indices[0])
    if not isinstance(number.type, ty.NumberType):
        return ir.Const(None, ty.UNKNOWN, span=node.span)
    type_ = ty.MemberType(domain)
    if not isinstance(number, ir.Const):
        return operators.field_at(type_, operators.counted("-", number, first - 1), node.span)
    if first <= number.value < first + len(domain):
        return ir.Const(number.value - first, type_, span=node.span)
    return e.error(
        "R0404",
        node.indices[0].span,
        f"`{domain.name}` has no field {number.value}.",
        f"Its fields are numbered from {first} to {first + len(domain) - 1}.",
    )


def column(e: Expressions, node: tree.Attribute) -> ir.Expr:
    """The part of a row or a record behind a dot, or a member of the domain whose name stands before it."""
    domain = _domain_named(e, node.value.name) if isinstance(node.value, tree.Name) else None
    if domain is not None and node.name not in getattr(e.env.tables.get(domain.name), "types", ()):
        return _member_of(e, domain, node)
    value = present(e.value(node.value))
    type_ = value.type
    if e.env.hole is not None and node.name == e.env.hole.word:
        e.env.hole.of.append(type_)
        return ir.Const(None, ty.UNKNOWN, span=node.span)
    if type_ is ty.UNKNOWN:
        return value
    if isinstance(type_, ty.OptionalType):
        return e.error(
            "R0407",
            node.value.span,
            "This may be none.",
            help=f"Write `if there is x in ...`, then `x.{node.name}`; or, in a value, "
            f"`(... otherwise y).{node.name}`.",
        )
    if isinstance(type_, ty.RecordType):
        return board_functions.part(e, value, type_, node)
    table = e.env.tables.get(type_.domain.name) if isinstance(type_, ty.MemberType) else None
    if table is None:
        return e.error(
            "R0402",
            node.value.span,
            f"This is {ty.describe(type_)}, which has no columns.",
            _instead_of_column(e, node, type_),
        )
    if node.name not in table.types:
        return e.error(
            "R0408",
            node.span,
            f"`{table.domain.name}` has no column `{node.name}`.",
            help=did_you_mean(node.name, table.types) or f"Its columns are {', '.join(table.types)}.",
        )
    column = table.types[node.name]
    if isinstance(value, ir.Const):
        return ir.Const(table.cells[node.name][value.value], column, span=node.span)
    return ir.ColumnOf(table.domain.name, node.name, value, column, span=node.span)


def in_brackets(e: Expressions, node: tree.Attribute) -> Help | None:
    """Help for ``p.score``, where `score` is kept for each player."""
    kept = e.env.declared.get(node.name) is tree.Variable
    return write(f"{node.name}[{print_expr(node.value)}]").at(node.span) if kept else None


def _instead_of_column(e: Expressions, node: tree.Attribute, type_: ty.Type) -> str | Help:
    brackets = in_brackets(e, node)
    if brackets is not None:
        return brackets
    item = item_type(type_)
    if isinstance(item, ty.MemberType) and item.domain.name in e.env.tables:
        return f"Name a single row, or go through them: `x.{node.name} for x in {item.domain.name}`."
    return "Only the rows of a table have columns."


def sequence(e: Expressions, node: tree.Sequence, expected: ty.Type | None, *, all_fit: bool = False) -> ir.Expr:
    """``all_fit``: each member must be one of the expected list or set, and is reported at its own place."""
    item = expected.item if isinstance(expected, (ty.ListType, ty.SetType)) else None
    parts = tuple(e.value(i, item) if all_fit else e.any_type(i, item) for i in node.items)
    type_: ty.Type = ty.NEVER
    for part in parts:
        type_ = _join_members(e, type_, part)
    if all(isinstance(p, ir.Const) for p in parts) and type_ is not ty.UNKNOWN:
        values = tuple(p.value for p in parts if isinstance(p, ir.Const))
        if isinstance(expected, ty.SetType):
            return ir.Const(frozenset(values), ty.SetType(type_), span=node.span)
        return ir.Const(values, ty.ListType(type_), span=node.span)
    return ir.Apply("list", parts, ty.ListType(type_), span=node.span)


def _join_members(e: Expressions, type_: ty.Type, part: ir.Expr) -> ty.Type:
    """The type of the members of a list, of those before ``part`` and of that."""
    if ty.UNKNOWN in (type_, part.type):
        return ty.UNKNOWN
    joined = join_types(type_, part.type)
    if joined is None:
        e.error(
            "R0402",
            part.span,
            f"This is {ty.describe(part.type)}, but what stands before it in the list is {ty.describe(type_)}.",
            "Give all members of a list the same kind of value.",
        )
        return ty.UNKNOWN
    return joined


def several(e: Expressions, node: tree.TupleValue, expected: ty.Type | None) -> ir.Expr:
    """Values in round brackets: a tuple, or a record where one is expected."""
    wanted = without_optional(expected)
    hints: tuple[ty.Type | None, ...] = (None,) * len(node.items)
    if isinstance(wanted, (ty.TupleType, ty.RecordType)) and len(wanted.items) == len(node.items):
        hints = wanted.items
    parts = tuple(e.any_type(i, hint) for i, hint in zip(node.items, hints, strict=True))
    type_: ty.Type = ty.TupleType(tuple(p.type for p in parts))
    if any(p.type is ty.UNKNOWN for p in parts):
        return ir.Const(None, ty.UNKNOWN, span=node.span)
    if isinstance(wanted, ty.RecordType) and fits(type_, wanted):
        type_ = wanted
    if all(isinstance(p, ir.Const) for p in parts):
        return ir.Const(tuple(p.value for p in parts if isinstance(p, ir.Const)), type_, span=node.span)
    return ir.Apply("tuple", parts, type_, span=node.span)


def bundle(e: Expressions, node: tree.Bundle, expected: ty.Type | None) -> ir.Expr:
    """Pieces in braces, one entry after another."""
    if not node.entries:
        if isinstance(expected, ty.PiecesType):
            return ir.Const((0,) * len(ty.kinds(expected.kind)), expected, span=node.span)
        return ir.Const((), ty.NO_PIECES, span=node.span)
    return pieces(e, list(node.entries), None, node.span, expected)


def pieces(
    e: Expressions, entries: list[tree.Entry], binds: ir.Binds | None, span: Span, expected: ty.Type | None
) -> ir.Expr:
    """Pieces by their kinds and numbers; with ``binds`` an entry for each thing that is gone through."""
    kind = expected.kind if isinstance(expected, ty.PiecesType) and expected != ty.NO_PIECES else None
    made: list[tuple[ir.Expr, ir.Expr]] = []
    for entry in entries:
        key = e.value(entry.kind, kind)
        if kind is None and isinstance(key.type, ty.MemberType):
            kind = key.type
        if key.type is ty.UNKNOWN or kind is None:
            if key.type is not ty.UNKNOWN:
                e.error(
                    "R0402",
                    entry.kind.span,
                    f"This is {ty.describe(key.type)}, which is not a kind of piece.",
                    "Name a member of an enum or a table.",
                )
            return ir.Const(None, ty.UNKNOWN, span=span)
        count = e.value(entry.count, ty.NumberType(0, MAX_NUMBER))
        made.append((key, count))
    assert kind is not None
    type_ = ty.PiecesType(kind)
    if binds is None and all(isinstance(k, ir.Const) and isinstance(c, ir.Const) for k, c in made):
        counts = [0] * len(ty.kinds(kind))
        first = ty.kinds(kind)[0]
        for key, count in made:
            assert isinstance(key, ir.Const) and isinstance(count, ir.Const)
            if ty.UNKNOWN in (key.type, count.type):
                return ir.Const(None, ty.UNKNOWN, span=span)
            counts[key.value - first] += max(0, count.value)
        return ir.Const(tuple(counts), type_, span=span)
    return ir.PiecesOf(tuple(made), binds, type_, span=span)


MAX_DEPTH = 100
"""How deep a rule may run itself. More is a loop, and is written as one."""


def called(e: Expressions, rule: str, given: tuple[tree.Expr, ...], span: Span) -> tuple[ir.Expr, ...] | None:
    """The values for the parameters of a rule; None with a finding, if there is none that can be called so."""
    env = e.env
    signature = env.signatures.get(rule)
    if signature is not None:
        return e.arguments(rule, signature, given, span)
    if rule in _all_ids(env):
        e.error(
            "R0405",
            span,
            f"`{rule}` is written inside another rule, so it runs there and cannot be called.",
            "Run the rule around it, or move this one out to the first column.",
        )
    values = [e.value(argument) for argument in given]
    if not (rule in env.words or rule in env.signatures or rule in _all_ids(env)):
        near = did_you_mean(rule, env.signatures) or rule_columns.instead_of(env, rule)
        help_ = near if isinstance(near, Help) else Help(near or "Correct the id, or write the rule.")
        declared = scope.declared(env, rule, "rule", span, values)
        e.error("R0405", span, f"There is no rule called `{rule}`.", help_.also(*declared))
    return None


def depth(env: Environment, deep: tree.Expr | None, rule: str | None = None) -> int | None:
    """How often something may be running at the same time, which must be known before the game starts."""
    if deep is None:
        return None
    found = env.constant(deep, ty.NumberType(-MAX_NUMBER, MAX_NUMBER), rule)
    if found is None:
        return 1
    if not 1 <= found <= MAX_DEPTH:
        env.sink.error(
            "R0404",
            deep.span,
            f"This may go from 1 to {MAX_DEPTH} deep, not {found:,}.",
            help="Write a number that the game never exceeds. To do something many times, write `repeat`.",
            rule=rule,
        )
        return 1
    return int(found)


def _all_ids(env: Environment) -> list[str]:
    env.recall.log.all()
    return [id_ for rule in env.linked.rules.values() for id_, _ in ids_in(rule)]
