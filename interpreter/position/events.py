"""The log of a game: bare facts recorded while rules run, turned into events when somebody reads them.

The facts form a chain of ``(earlier, teller, facts)``, so that copies of a state share their past. ``tell`` turns the
chain into events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import attrs

from rulelang.program import (
    Apply,
    Call,
    ColumnOf,
    Const,
    Expr,
    Fold,
    GroupOf,
    Groups,
    If,
    Local,
    LongestTrail,
    PartOf,
    PiecesOf,
    Read,
)
from rulelang.program.analysis.names import free_slots
from rulelang.program.values import name_of, plain, show
from rulelang.program.wording import expression_text

from ..data import Event, Option
from ..lowered import code
from ..lowered.cells import Cells

if TYPE_CHECKING:
    from .blueprint import Blueprint

Chain: TypeAlias = "tuple[Any, Teller, tuple[Any, ...]] | None"
Teller: TypeAlias = "Callable[..., tuple[Event, ...]]"


def tell(blueprint: Blueprint, chain: Chain, until: Chain) -> list[Event]:
    """The events recorded after ``until``, oldest first."""
    notes = []
    while chain is not None and chain is not until:
        notes.append(chain)
        chain = chain[0]
    return [event for _, teller, facts in reversed(notes) for event in teller(blueprint, *facts)]


# ---------------------------------------------------------------- one teller for each kind of fact


def kept(blueprint: Blueprint, player: int, teller: Teller, facts: tuple[Any, ...]) -> tuple[Event, ...]:
    """Moves of a player who is deciding together with others, as that player sees them."""
    events = teller(blueprint, *facts)
    return tuple(attrs.evolve(e, seats=(player,)) for e in events if e.seats is None or player in e.seats)


def revealed(blueprint: Blueprint, told: tuple[tuple[int, Teller, tuple[Any, ...]], ...]) -> tuple[Event, ...]:
    """Moves of players who decided together, as the others see them once all are done."""
    found = []
    for player, teller, facts in told:
        for event in teller(blueprint, *facts):
            seats = event.seats if event.seats is not None else tuple(range(blueprint.program.players))
            others = tuple(seat for seat in seats if seat != player)
            if others:
                found.append(attrs.evolve(event, seats=others))
    return tuple(found)


def rule_run(blueprint: Blueprint, rule: str) -> tuple[Event, ...]:
    return (Event("rule", rule, rule, {}),)


def chosen(blueprint: Blueprint, rule: str, player: int, option: Option, hidden: bool) -> tuple[Event, ...]:
    """A choice. If its values go to a hidden place, only the player sees them."""
    seat = blueprint.seat(player)
    data = {"player": seat, "option": option.id, "value": option.value}
    told = Event("choice", rule, f"{seat}: {option.text}", data)
    if not hidden:
        return (told,)
    shared = Event("choice", rule, f"{seat} has chosen", {"player": seat}, blueprint.other_seats((player,)))
    return (Event("choice", rule, told.text, data, (player,)), shared)


def rolled(blueprint: Blueprint, node: code.RollChance, values: tuple[Any, ...]) -> tuple[Event, ...]:
    """A roll. If its outcome goes to a hidden place, nobody sees it."""
    if node.hidden:
        return (Event("roll", node.rule, "a hidden roll", {}),)
    binds = node.binds.binds
    text = ", ".join(f"{b.name} is {show(v, b.type)}" for b, v in zip(binds, values, strict=True))
    data = {b.name: plain(v, b.type) for b, v in zip(binds, values, strict=True)}
    return (Event("roll", node.rule, text, data),)


def shuffled(blueprint: Blueprint, node: code.ShuffleStack, cells: Cells, cell: int) -> tuple[Event, ...]:
    place = cells.text(cells.owners(cell)) if node.known.target else cells.variable.name
    return (Event("shuffle", node.rule, f"{place} is shuffled", {"place": place}),)


def stored(
    blueprint: Blueprint, node: code.SetCell | code.ChangeCell, cells: Cells, cell: int, value: Any
) -> tuple[Event, ...]:
    owners = cells.owners(cell)
    place = cells.text(owners)
    type_ = cells.variable.type
    seats = cells.seats(owners)
    data = {"place": place, "value": plain(value, type_)}
    told = Event("set", node.rule, f"{place} is {show(value, type_)}", data, seats)
    if seats is None:
        return (told,)
    which = _place(cells, owners, node.known.target)
    shared = Event("set", node.rule, f"{which} is set", {"place": which}, blueprint.other_seats(seats))
    return (told, shared)


def moved(
    blueprint: Blueprint,
    node: code.MovePieces | code.Pay,
    source: Cells,
    from_cell: int,
    target: Cells,
    to_cell: int,
    pieces: tuple[int, ...],
    at_random: bool,
    laid: tuple[int, int, int] | None = None,
) -> tuple[Event, ...]:
    """A move. Seats that see neither place see only the number of pieces, and that only if everybody may count the
    pieces in one of the places or the rules say how many there are.

    ``laid``: x, y and quarter turns of a piece laid in a grid.
    """
    from_owners, to_owners = source.owners(from_cell), target.owners(to_cell)
    from_seats, to_seats = source.seats(from_owners), target.seats(to_owners)
    seats = _either(from_seats, to_seats)
    element = source.variable.element
    assert element is not None
    listed: dict[str, int] = {}
    for piece in pieces:
        name = name_of(piece, element)
        listed[name] = listed.get(name, 0) + 1
    place = ""
    if laid is not None and pieces:
        x, y, turn = laid
        place = f" at ({x}, {y})" + (f" turned {turn}" if turn else "")

    def told(sees: bool, sees_from: bool, sees_to: bool) -> Event:
        names = {
            "from": _place(source, from_owners, node.known.source or sees_from),
            "to": _place(target, to_owners, node.known.target or sees_to),
        }
        way = f"from {names['from']} to {names['to']}{place if sees else ''}"
        data: dict[str, Any] = {"random": True} if at_random else {}
        if sees:
            what = ", ".join(f"{n} {name}" for name, n in listed.items()) or "nothing"
            data = {"pieces": listed, "number": len(pieces), **names, **data, **_square(laid)}
        elif node.known.number or source.variable.counted or target.variable.counted:
            what = f"{len(pieces)} piece{'' if len(pieces) == 1 else 's'}" if pieces else "nothing"
            data = {"number": len(pieces), **names, **data}
        else:
            what, data = "some pieces, or none,", {**names, **data}
        return Event("move", node.rule, f"{what} {way}", data)

    full = told(True, True, True)
    if seats is None and node.known.source and node.known.target:
        return (full,)
    everybody = range(blueprint.program.players)
    return _alike(full, (told(_sees(p, seats), _sees(p, from_seats), _sees(p, to_seats)) for p in everybody))


def _place(cells: Cells, owners: tuple[int, ...], known: bool) -> str:
    """The name of a cell; for those who cannot know which one it is, the name of the variable."""
    return cells.text(owners) if known or cells.variable.seen_by == "all" else cells.variable.name


def _sees(seat: int, seats: tuple[int, ...] | None) -> bool:
    return seats is None or seat in seats


def _alike(full: Event, told: Iterable[Event]) -> tuple[Event, ...]:
    """One event for each set of seats that are told the same. ``told``: by seat; ``full``: the whole of it, which comes
    first even if nobody may know it."""
    groups: list[tuple[Event, list[int]]] = [(full, [])]
    for seat, event in enumerate(told):
        same = next((seats for known, seats in groups if known == event), None)
        if same is None:
            groups.append((event, [seat]))
        else:
            same.append(seat)
    if len(groups) == 1:
        return (full,)
    return tuple(attrs.evolve(event, seats=tuple(seats)) for event, seats in groups)


def _square(laid: tuple[int, int, int] | None) -> dict[str, Any]:
    return {} if laid is None else dict(zip(("x", "y", "turn"), laid, strict=True))


def _either(a: tuple[int, ...] | None, b: tuple[int, ...] | None) -> tuple[int, ...] | None:
    """The seats that see at least one of two places."""
    return None if a is None or b is None else tuple(sorted({*a, *b}))


def scored(
    blueprint: Blueprint,
    node: code.ScorePoints,
    cells: Cells,
    player: int,
    amount: int,
    total: int,
    before: list[Any],
    local: list[Any],
    knowing: Mapping[int, frozenset[int]],
) -> tuple[Event, ...]:
    """``before`` and ``local`` are the cells and locals the amount was worked out from; ``knowing``: of the locals in
    it that not everybody knows, the seats that do."""
    because = []
    for part in parts(node.amount):
        value, seats = blueprint.evaluate_seen(part, before, local)
        for slot in free_slots(part) & node.secret:
            seats &= knowing[slot]
        because.append(([expression_text(part), show(value, part.type)], seats))
    owners = (player,)
    score_seats = cells.seats(owners)
    name = blueprint.seat(player)
    wanted = node.sign * int(blueprint.evaluate(node.amount, before, local))
    verb = f"loses {-amount}" if node.sign < 0 else f"scores {amount}"
    if wanted != amount:
        verb += f" of {abs(wanted)}"  # the score stops at its lowest number

    def in_full(reasons: list[list[str]]) -> Event:
        data = {"player": name, "amount": amount, "total": total, "because": reasons}
        return Event("score", node.rule, f"{name} {verb}, now {total}", data)

    def told(seat: int) -> Event:
        if _sees(seat, score_seats):
            return in_full([reason for reason, seats in because if seat in seats])
        if node.known.target:
            return Event("score", node.rule, f"{name} scores", {"player": name})
        return Event("score", node.rule, "somebody scores", {})

    return _alike(in_full([reason for reason, _ in because]), map(told, range(blueprint.program.players)))


def ended(blueprint: Blueprint, rule: str, winners: tuple[int, ...], scores: tuple[int, ...]) -> tuple[Event, ...]:
    names = [blueprint.seat(w) for w in winners]
    text = "the game ends: " + (
        f"{' and '.join(names)} win{'s' if len(names) == 1 else ''}" if names else "nobody wins"
    )
    return (Event("end", rule, text, {"winners": names, "scores": list(scores)}),)


def parts(expr: Expr) -> list[Expr]:
    """The parts of an expression worth showing with their values, outermost first.

    Comparisons, logic and sums are taken apart; constants and plain local names speak for themselves.
    """
    found: list[Expr] = []

    def visit(node: Expr) -> None:
        match node:
            case Const() | Local():
                return
            case Apply() if node.op in _TAKEN_APART:
                for argument in node.arguments:
                    visit(argument)
            case If():
                for part in (node.condition, node.then, node.otherwise):
                    visit(part)
            case PiecesOf() if node.binds is None:
                for kind, count in node.entries:
                    visit(kind)
                    visit(count)
            case Apply() if node.op in ("members", "list", "range"):
                return
            case PartOf() if isinstance(node.value, Local):
                if not node.value.name.startswith("(") and node not in found:
                    found.append(node)
            case (
                PartOf()
                | Read()
                | ColumnOf()
                | Call()
                | Apply()
                | Fold()
                | PiecesOf()
                | GroupOf()
                | Groups()
                | LongestTrail()
            ):
                if node not in found:
                    found.append(node)

    visit(expr)
    return found


_ARITHMETIC = ("+", "-", "*", "neg", "div_down", "div_up", "mod", "min", "max")
_TESTS = ("is", "is_not", "<", "<=", ">", ">=", "and", "or", "not", "otherwise", "in", "holds", "covers")
_TAKEN_APART = frozenset((*_ARITHMETIC, *_TESTS))
