"""WebAssembly text from the intermediate form."""

from __future__ import annotations

from collections.abc import Sequence, Set

from .builder import Function
from .ir import E, Statement


def function_text(function: Function, without: Set[str] = frozenset()) -> str:
    """A function in the folded text format. ``without``: globals that nobody reads, so that none is set."""
    parts = [f"(func ${function.name}"]
    if function.export is not None:
        parts.append(f' (export "{function.export}")')
    if function.params:
        parts.append(f" (param {' '.join(function.params)})")
    if function.results:
        parts.append(f" (result {' '.join(function.results)})")
    further = function.locals[len(function.params) :]
    if further:
        parts.append(f" (local {' '.join(further)})")
    parts.append("\n")
    _Text(parts, without).body(function.body)
    if function.results and not _returns(function.body):
        parts.append("unreachable")
    parts.append(")\n")
    return "".join(parts)


def _returns(body: Sequence[Statement]) -> bool:
    return bool(body) and body[-1][0] == "return"


class _Text:
    """Text of statements, which is added to ``out``."""

    def __init__(self, out: list[str], without: Set[str]) -> None:
        self._out = out
        self._without = without

    def body(self, body: Sequence[Statement]) -> None:
        for statement in body:
            self._statement(statement)

    def _statement(self, s: Statement) -> None:
        out = self._out
        match s[0]:
            case "set" if s[2].op == "global" and s[2].imm in self._without:
                pass
            case "set":
                out.append(f"(local.set {s[1]} {_expr(s[2])})\n")
            case "store":
                out.append(f"({s[1]} offset={s[4]} {_expr(s[2])} {_expr(s[3])})\n")
            case "global" if s[1] in self._without:
                pass
            case "global":
                out.append(f"(global.set ${s[1]} {_expr(s[2])})\n")
            case "call":
                out.append(f"(call ${s[1]} {_all(s[2])})\n")
                for local in reversed(s[3]):
                    out.append(f"local.set {local}\n")
            case "copy":
                out.append(f"(memory.copy {_all(s[1:])})\n")
            case "fill":
                out.append(f"(memory.fill {_expr(s[1])} (i32.const 0) {_expr(s[2])})\n")
            case "br":
                out.append(f"(br ${s[1]})\n")
            case "br_if":
                out.append(f"(br_if ${s[1]} {_expr(s[2])})\n")
            case "return":
                out.append(f"(return {_all(s[1])})\n")
            case "unreachable":
                out.append("unreachable\n")
            case "block" | "loop":
                out.append(f"({s[0]} ${s[1]}\n")
                self.body(s[2])
                out.append(")\n")
            case "if" if s[2] or s[3]:
                out.append(f"(if {_expr(s[1])} (then\n")
                self.body(s[2])
                out.append(")")
                if s[3]:
                    out.append("(else\n")
                    self.body(s[3])
                    out.append(")")
                out.append(")\n")
            case "if":
                pass  # conditions have no effects
            case other:
                raise ValueError(f"{other} is no statement of the intermediate form")


def _all(args: Sequence[E]) -> str:
    return " ".join(map(_expr, args))


def _expr(e: E) -> str:
    match e.op:
        case "const":
            return f"({e.ty}.const {e.imm})"
        case "get":
            return f"(local.get {e.imm})"
        case "global":
            return f"(global.get ${e.imm})"
        case "call":
            return f"(call ${e.imm} {_all(e.args)})"
        case "ifelse":
            condition, a, b = e.args
            return f"(if (result {e.ty}) {_expr(condition)} (then {_expr(a)}) (else {_expr(b)}))"
    if e.imm is not None:
        return f"({e.op} offset={e.imm} {_all(e.args)})"
    return f"({e.op} {_all(e.args)})"
