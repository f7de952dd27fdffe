"""Boards made by chance, some of hundreds of cells, and what is asked of all their cells; see ``generated``."""

from __future__ import annotations

from collections.abc import Callable

from generated_values import NUMBER, PLAYER, PLOT, Values

BIG = 60
"""Cells from which on a board is big: too big for the longest trail."""


def size(maker: Values) -> tuple[int, int]:
    """Columns and rows: mostly a few, sometimes as many as take several words of bits."""
    if maker.chance(8):
        return 9 + maker.pick(9), 7 + maker.pick(10)
    return 2 + maker.pick(2), 1 + maker.pick(3)


def aslant(maker: Values) -> list[str]:
    """Directions whose names nothing else has."""
    return [way for way in maker.ways if "_" in way]


def graph(maker: Values) -> str:
    """A graph over the board, whose nodes and edges never change, or do."""
    nodes = maker.of((" where piece[c] is none", f" where piece[c] is {maker.of(('guest', 'first(Player)'))}", "",
                      " where c.row mod 3 < 2", " where storm or piece[c] is not none"))  # fmt: skip
    length = maker.of(("", "", ", length c.row", ", length 1 + n"))
    ways = maker.of(("Direction" if maker.board == "squares" else "Heading", f"[{', '.join(aslant(maker)[:2])}]"))
    where = maker.of(("", "", " where c.column mod 4 > 0", " where storm", " where piece[c] is not guest"))
    return f"graph plots\n  node c in Plot{nodes}\n  edge c to step(c, d){length} for d in {ways}{where}"


def numbers(maker: Values) -> list[Callable[[], str]]:
    """Numbers of cells."""
    a, b, d, e = (maker.fresh() for _ in range(4))
    of, v = maker.of, maker.value
    ways = f"[{', '.join(aslant(maker))}]"
    holds = of((f"piece[{a}]", f"piece[{a}]", f"piece[{b}]"))
    test = f"{holds} {of(('is', 'is not'))} {of(('none', 'guest', 'first(Player)'))}"
    around = f"{a} in Plot, {d} in {ways}, {b} in step({a}, {d})"
    further = f"{around}, {e} in step({b}, {d})"
    beside = f"count({b} in Plot where {a} is {b})"
    ray = f"ray({v(PLOT)}, {of(maker.ways)})"
    found: list[Callable[[], str]] = [
        lambda: f"count({around} where {test})",
        lambda: f"count({further} where {test} and piece[{e}] is not piece[{a}])",
        lambda: f"count({a} in Plot where {test.replace(b, a)} and {a} is {maker.optional(PLOT)})",
        lambda: f"count({a} in Plot where count({d} in {ways}, {b} in step({a}, {d}) where {test}) >= {maker.pick(4)})",
        lambda: f"count({a} in Plot where {a}.row is in {maker.pick(3)}..{2 + maker.pick(9)} and {beside} is 1)",
        lambda: f"count({a} in Plot where every(piece[{b}] is none for {d} in {ways}, {b} in step({a}, {d})))",
        lambda: f"count({a} in {ray} while {test.replace(b, a)})",
        lambda: f"count({a} in Plot, {b} in Player where mine[{b}, {a}] and piece[{a}] is not {b})",
        lambda: f"(if some({further} where {test} and piece[{e}] is {v(PLAYER)}) then 1 else 0)",
        lambda: f"(first({a}.column for {a} in {ray} where {test.replace(b, a)}) otherwise 7)",
    ]
    if "plots" in maker.graphs:
        found += [
            lambda: f"count({a} in group(plots, {v(PLOT)}) where {test.replace(b, a)} or {a}.row is 1)",
            lambda: f"count({a} in Plot where {a} is in group(plots, {v(PLOT)}) and {test.replace(b, a)})",
            lambda: f"count(groups(plots))",  # noqa: F541
            lambda: f"(shortest(plots, {v(PLOT)}, {v(PLOT)}) otherwise {v(NUMBER)})",
        ]
    return found


def cells(maker: Values) -> list[str]:
    """A statement that changes many cells."""
    a = maker.fresh()
    where = maker.of((f"{a}.row mod 2 is 0", f"{a}.column < {2 + maker.pick(9)}", f"piece[{a}] is none",
                      f"piece[{a}] is guest", f"{a}.row is {a}.column"))  # fmt: skip
    if maker.chance(3):
        return [
            f"each {a} in Plot where {where}",
            f"  set mine[{maker.value(PLAYER)}, {a}] to {maker.of(('yes', 'no'))}",
        ]
    return [f"each {a} in Plot where {where}", f"  set piece[{a}] to {maker.optional(PLAYER)}"]


def chosen(maker: Values) -> tuple[str, str]:
    """Binders of a choice among cells and what lies beside them, with a condition; and the cell's name."""
    a, b, d = (maker.fresh() for _ in range(3))
    ways = maker.of(("Direction" if maker.board == "squares" else "Heading", f"[{', '.join(aslant(maker)[:3])}]"))
    mover = maker.of((f"piece[{a}] is not none", f"piece[{a}] is guest", f"mine[first(Player), {a}]"))
    target = maker.of((f"piece[{b}] is none", f"piece[{b}] is not piece[{a}]", f"{b} is not {maker.optional(PLOT)}"))
    return f"{a} in Plot, {d} in {ways}, {b} in step({a}, {d}) where {mover} and {target}", b
