"""Names, and the parts of values that brackets and dots pick out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import program as ir
from ..diagnostics import did_you_mean
from ..source import Span
from ..syntax import tree
from ..syntax.printer import print_expr
from ..types import (
    UNKNOWN,
    ListType,
    MemberType,
    NumberType,
    OptionalType,
    PiecesType,
    RecordType,
    Type,
    describe,
)
from ..words import FUNCTIONS
from . import histories, laid
from .compatible import certainly, item_type, optional, present, setting_value, without_optional
from .constants import number
from .environment import MAX_NUMBER
from .scope import LocalName
from .signatures import Hole

if TYPE_CHECKING:
    from .expressions import Expressions


def name(e: Expressions, node: tree.Name, expected: Type | None) -> ir.Expr:
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
    if isinstance(wanted, MemberType) and name in wanted.domain.members:
        return ir.Const(wanted.domain.members.index(name), wanted, span=span)
    match env.declared.get(name):
        case tree.Number:
            found = env.number(name)
            if found is None:
                return ir.Const(None, UNKNOWN, span=span)
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
        return ir.Apply("range", ends, ListType(range_), span=span)
    return _member(e, name, span, wanted)


def _missing(e: Expressions, hole: Hole, expected: Type | None, span: Span) -> ir.Expr:
    """Notes what could stand here."""
    hole.expected.append(expected)
    hole.names.update((name, local.type) for name, local in e.scope.names.items())
    return ir.Const(None, UNKNOWN, span=span)


def _local(e: Expressions, name: str, local: LocalName, span: Span) -> ir.Expr:
    if local.whole is None or local.part is None:
        return ir.Local(local.slot, name, local.type, span=span)
    whole = ir.Local(local.slot, local.called, local.whole.type, span=span)
    return ir.PartOf(whole, local.part, name, local.type, span=span)


def _member(e: Expressions, name: str, span: Span, wanted: Type | None) -> ir.Expr:
    env = e.env
    owners = env.members.get(name, ())
    if len(owners) == 1 or (owners and isinstance(wanted, MemberType)):
        domain, position = owners[0]
        return ir.Const(position, MemberType(domain), span=span)
    if owners:
        places = " and ".join(d.name for d, _ in owners)
        return e.error(
            "R0406",
            span,
            f"`{name}` is a member of {places}; it is unclear which one is meant.",
            help="Rename one of them.",
        )
    if isinstance(wanted, MemberType):
        env.unknown(name, span, wanted.domain.name, [*wanted.domain.members, *_known(e)], e.rule)
    else:
        env.unknown(name, span, "thing", _known(e), e.rule)
    return ir.Const(None, UNKNOWN, span=span)


def _known(e: Expressions) -> list[str]:
    env = e.env
    return [*e.scope.names, *env.declared, *env.domains, *env.members, *FUNCTIONS]


def read(e: Expressions, name: str, indices: tuple[tree.Expr, ...], span: Span) -> ir.Expr:
    """A variable with the indices its owners need; what is left over indexes the value."""
    variable = e.env.variable(name)
    if variable is None:
        return ir.Const(None, UNKNOWN, span=span)
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
    if any(index.type is UNKNOWN for index in owned):
        return ir.Const(None, UNKNOWN, span=span)
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
    return _index_value(e, e.value(node.value), node.indices, node.span)


def _index_value(e: Expressions, value: ir.Expr, indices: tuple[tree.Expr, ...], span: Span) -> ir.Expr:
    if not indices:
        return value
    if len(indices) > 1:
        return e.error("R0403", span, "There are too many values in the brackets.", "Leave out the last one.")
    type_ = value.type
    if isinstance(type_, PiecesType):
        kind = e.value(indices[0], type_.kind)
        return ir.Apply("count_of", (value, kind), NumberType(0, MAX_NUMBER), span=span)
    if isinstance(type_, ListType) and isinstance(indices[0], tree.Binary) and indices[0].op == "..":
        ends = (e.number(indices[0].left), e.number(indices[0].right))
        if any(end.type is UNKNOWN for end in ends):
            return ir.Const(None, UNKNOWN, span=span)
        return ir.Apply("part", (value, *ends), ListType(type_.item), span=span)
    if isinstance(type_, ListType):
        position = e.value(indices[0], NumberType(-MAX_NUMBER, MAX_NUMBER))
        found = ir.Apply("at", (value, position), optional(type_.item), span=span)
        first = isinstance(position, ir.Const) and position.value == 1
        return certainly(found) if first and type_.filled else found
    if type_ is UNKNOWN:
        return value
    return e.error(
        "R0402",
        span,
        f"This is {describe(type_)}, which has no parts to select with brackets.",
        "Leave out the brackets.",
    )


def _combination(e: Expressions, table: ir.Table, node: tree.Index) -> ir.Expr:
    """``Card[hearts, ace]``: the row of these parts."""
    types = list(table.types.values())[: table.parts]
    if len(types) < table.parts:  # what it is made of is reported where it is declared
        return ir.Const(None, UNKNOWN, span=node.span)
    if len(node.indices) != len(types):
        wanted = ", ".join(list(table.types)[: table.parts])
        return e.error(
            "R0403", node.span, f"`{table.domain.name}` is made of {len(types)} parts.", f"Write `[{wanted}]`."
        )
    parts = tuple(e.value(index, type_) for index, type_ in zip(node.indices, types, strict=True))
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


def column(e: Expressions, node: tree.Attribute) -> ir.Expr:
    """The part of a row or a record behind a dot."""
    value = present(e.value(node.value))
    type_ = value.type
    if e.env.hole is not None and node.name == e.env.hole.word:
        e.env.hole.of.append(type_)
        return ir.Const(None, UNKNOWN, span=node.span)
    if type_ is UNKNOWN:
        return value
    if isinstance(type_, OptionalType):
        return e.error(
            "R0407",
            node.value.span,
            "This may be none.",
            help=f"Write `if there is x in ...`, then `x.{node.name}`; or, in a value, "
            f"`(... otherwise y).{node.name}`.",
        )
    if isinstance(type_, RecordType):
        return laid.part(e, value, type_, node)
    table = e.env.tables.get(type_.domain.name) if isinstance(type_, MemberType) else None
    if table is None:
        return e.error(
            "R0402",
            node.value.span,
            f"This is {describe(type_)}, which has no columns.",
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


def _instead_of_column(e: Expressions, node: tree.Attribute, type_: Type) -> str:
    if e.env.declared.get(node.name) is tree.Variable:
        return f"Write `{node.name}[{print_expr(node.value)}]`."
    item = item_type(type_)
    if isinstance(item, MemberType) and item.domain.name in e.env.tables:
        return f"Name a single row, or go through them: `x.{node.name} for x in {item.domain.name}`."
    return "Only the rows of a table have columns."
