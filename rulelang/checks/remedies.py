"""Remedies for shortages: take less, do it only if there is enough, skip what depends on it, or vouch for it."""

from __future__ import annotations

from .. import program as ir
from ..fixes import Below, Fix, Help, Prefix, ReplaceText, Wrap
from ..program.printer import expression_text

_SURELY = "begin with `surely` if this can never happen."
_VOUCH = Fix("Begin with `surely`: it can never happen", (Prefix("surely ", past="openly"),))
_OTHERWISE = Fix("Add `otherwise`", (Below("otherwise\n  do nothing", past="block"),))
_PASS = Fix("Add an option that is always possible", (Below("option pass\n  do nothing", deeper=1, past="block"),))
_INDENT = Fix("Indent the rest of the block below this line: skip it then", (Wrap(rest=True),))

MENU = Help(
    "Add `otherwise`, or an option with neither `needs` nor `for`, such as passing, or begin with `surely`.",
    (_OTHERWISE, _PASS, _VOUCH),
)
CHOICE = Help(
    "Say what happens then: indent what depends on the choice below it (it is then skipped), add `otherwise`, or "
    f"{_SURELY}",
    (_INDENT, _VOUCH),
)
ROLL = Help(f"Say what happens then: put it inside an `if`, or {_SURELY}", (_VOUCH,))
SQUARE = Help(f"Choose the square from `openings(...)`, or {_SURELY}", (_VOUCH,))


def of_choosing_some(s: ir.ChooseSome) -> Help:
    first = ""
    if isinstance(s.domain, ir.Read) and not s.filtered:
        first = f"check `count({expression_text(s.domain)}) >= {expression_text(s.low)}` first, "
    words = (
        f"Write `up to ...`, {first}indent what depends on the choice below it (it is then skipped), add `otherwise`, "
        f"or {_SURELY}"
    )
    up_to = Fix("Choose as many as there are: `up to`", (ReplaceText("chooses up to", word="chooses"),))
    return Help(words, (up_to, _INDENT, _VOUCH))


def of_moving(s: ir.Move, source: ir.Read, variable: ir.Variable) -> Help:
    """``source``: the place that may hold too little, declared as ``variable``."""
    up_to = Fix("Take what is there: `up to`", (ReplaceText("move up to", word="move"),))
    fixes = (up_to,) if s.what in ("number", "number of") else ()
    words = f"Write `up to ...` to take what is there, {_guard(s, source)}or {_SURELY}"
    return Help(words, (*fixes, *_only_if(_is_there(s, source, variable)), _VOUCH))


def of_showing(s: ir.Move, source: ir.Read, variable: ir.Variable) -> Help:
    """``s``: the move of what is to be shown, as if it were moved."""
    fixes = (*_only_if(_is_there(s, source, variable)), _VOUCH)
    if s.what not in ("number", "number of"):
        return Help(_SURELY.capitalize(), fixes)
    up_to = Fix("Show what is there: `up to`", (ReplaceText("show up to", word="show"),))
    return Help(f"Write `up to ...` to show what is there, {_guard(s, source)}or {_SURELY}", (up_to, *fixes))


def of_filling(s: ir.Move, target: ir.Read, variable: ir.Variable) -> Help:
    """``target``: the place that may be full, declared as ``variable``."""
    room = f"it `{_NONE}`" if variable.kind == "slot" else f"`count({variable.name}...) {_left(variable, s)}`"
    return Help(f"Check first that {room}, or {_SURELY}", (*_only_if(_has_room(s, target, variable)), _VOUCH))


def of_paying(s: ir.Pay, source: ir.Read) -> Help:
    payable = None if s.less is not None else f"{expression_text(source)} covers {expression_text(s.cost)}"
    return Help(f"Add `needs ... covers ...` with the same cost, or {_SURELY}", (*_only_if(payable), _VOUCH))


# ---------------------------------------------------------------- conditions

_NONE = "is none"


def _only_if(condition: str | None) -> tuple[Fix, ...]:
    return () if condition is None else (Fix(f"Do it only if `{condition}`", (Wrap(f"if {condition}"),)),)


def _guard(s: ir.Move, source: ir.Read) -> str:
    if s.what == "number of" and isinstance(s.amount, ir.Const):
        brackets = "[...]" if source.indices else ""
        return f"check `{source.variable}{brackets}[...] >= {s.amount.value}` first, "
    return ""


def _is_there(s: ir.Move, source: ir.Read, variable: ir.Variable) -> str | None:
    """The condition that there is enough for a move; None where a line cannot say it."""
    if variable.kind in ("slot", "grid") or s.amount is None:
        return None
    place, amount = expression_text(source), expression_text(s.amount)
    match s.what:
        case "number of" if s.kind is not None:
            return f"{place}[{expression_text(s.kind)}] >= {amount}"
        case "number":
            return f"count({place}) >= {amount}"
        case "pieces":
            return f"{place} holds {amount}"
    return None


def _has_room(s: ir.Move, target: ir.Read, variable: ir.Variable) -> str | None:
    """The condition that a place has room for what is moved there; None where a line cannot say it."""
    place = expression_text(target)
    if variable.kind == "slot":
        return f"{place} {_NONE}"
    counted = s.what == "at" or (s.what in ("number", "number of") and isinstance(s.amount, ir.Const))
    return f"count({place}) {_left(variable, s)}" if counted else None


def _left(variable: ir.Variable, s: ir.Move) -> str:
    """How few pieces there may be, so that those that are moved have room."""
    capacity = variable.capacity or 0
    number = s.amount.value if isinstance(s.amount, ir.Const) and s.what in ("number", "number of") else 1
    return f"< {capacity}" if number <= 1 else f"<= {capacity - number}"
