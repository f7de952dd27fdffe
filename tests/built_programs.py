"""Small programs built by hand, and short names for their parts."""

from __future__ import annotations

from typing import Any

from rulelang import program as ir
from rulelang.types import FLAG, Domain, ListType, MemberType, NumberType, OptionalType, PiecesType, Type

PLAYER = MemberType(Domain("Player", ("red", "blue"), ring=True))
GOOD = MemberType(Domain("Good", ("wood", "wool", "stone")))
RING = MemberType(Domain("Field", ("f0", "f1", "f2", "f3", "f4", "f5"), ring=True))
LINE = MemberType(Domain("Step", ("s0", "s1", "s2", "s3")))
SMALL = NumberType(0, 9)
GOODS = PiecesType(GOOD)


def num(n: int) -> ir.Const:
    return ir.Const(n, NumberType(n, n))


def const(value: Any, type_: Type) -> ir.Const:
    return ir.Const(value, type_)


def local(slot: int, type_: Type, name: str = "") -> ir.Local:
    return ir.Local(slot, name or f"x{slot}", type_)


def ap(op: str, *arguments: ir.Expr, type: Type = SMALL) -> ir.Apply:
    return ir.Apply(op, arguments, type)


def members(of: MemberType) -> ir.Apply:
    return ir.Apply("members", (), ListType(of))


def bind(slot: int, of: MemberType | ir.Expr, name: str = "") -> ir.Bind:
    domain = members(of) if isinstance(of, MemberType) else of
    type_: Any = domain.type
    item = type_.kind if isinstance(type_, PiecesType) else type_.item
    return ir.Bind(slot, name or f"x{slot}", domain, item)


def binds(*each: ir.Bind, where: ir.Expr | None = None, stop: bool = False) -> ir.Binds:
    return ir.Binds(each, where, stop)


def both(a: ir.Expr, b: ir.Expr) -> ir.Apply:
    return ap("and", a, b, type=FLAG)


def equal(a: ir.Expr, b: ir.Expr) -> ir.Apply:
    return ap("is", a, b, type=FLAG)


def needs(condition: ir.Expr, text: str = "the condition") -> ir.Needs:
    return ir.Needs(condition, text)


def value(name: str, type_: Type, *owners: MemberType, **more: Any) -> ir.Variable:
    return ir.Variable(name, owners, "value", type_, **more)


def pool(name: str, of: MemberType, *owners: MemberType, kind: Any = "pool", **more: Any) -> ir.Variable:
    return ir.Variable(name, owners, kind, PiecesType(of), of, **more)


def stack(name: str, of: MemberType | NumberType, *owners: MemberType, **more: Any) -> ir.Variable:
    return ir.Variable(name, owners, "stack", ListType(of), of, **more)


def slot(name: str, of: MemberType, *owners: MemberType, **more: Any) -> ir.Variable:
    return ir.Variable(name, owners, "slot", OptionalType(of), of, **more)


class Builder:
    """Collects declarations and rules into a program for two players."""

    def __init__(self, *variables: ir.Variable, score: str | None = None, **more: Any) -> None:
        self.variables = {v.name: v for v in variables}
        self.rules: dict[str, ir.Rule] = {}
        self.score = score
        self.more = more

    def read(self, name: str, *indices: ir.Expr) -> ir.Read:
        return ir.Read(name, indices, self.variables[name].type)

    def rule(self, id: str, *body: Any, frame: int = 0, **more: Any) -> Builder:
        fields: dict[str, Any] = {"params": (), "guard": None, "needs": (), "kind": "rule"} | more
        self.rules[id] = ir.Rule(id=id, body=body, frame=frame, **fields)
        return self

    def option(self, id: str, parent: str, *body: Any, **more: Any) -> Builder:
        return self.rule(id, *body, kind="option", parent=parent, **more)

    def program(self) -> ir.Program:
        fields: dict[str, Any] = {
            "name": "tiny",
            "title": "Tiny",
            "players": 2,
            "min_players": 2,
            "max_players": 2,
            "seats": ("red", "blue"),
            "languages": (),
            "version": "1",
            "variants": (),
            "domains": {},
            "grids": {},
            "tables": {},
            "numbers": {},
            "settings": {},
            "variables": self.variables,
            "definitions": {},
            "graphs": {},
            "events": {},
            "rules": self.rules,
            "handlers": {},
            "watchers": (),
            "ranks": (),
            "invariants": (),
            "score": self.score,
        }
        return ir.Program(**{**fields, **self.more})


def place(name: str, *indices: ir.Expr) -> ir.Place:
    return ir.Place(name, indices)


def move(amount: ir.Expr | None, source: ir.Place, target: ir.Place, what: str = "number", **more: Any) -> ir.Move:
    fields: dict[str, Any] = {"kind": None, "up_to": False} | more
    return ir.Move(what=what, amount=amount, source=source, target=target, **fields)  # type: ignore[arg-type]


RED = const(0, PLAYER)
BLUE = const(1, PLAYER)
