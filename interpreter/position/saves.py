"""Saved games: plain JSON data, read back with suspicion.

A save holds the whole position, so play goes on from it directly. It also holds the seed and the choices, from which
the log is told again; a position that was laid out by hand has none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from rulelang.program import Program
from rulelang.program.values import belongs, from_plain, plain, rising
from rulelang.version import LANGUAGE, same_language

from ..game import GameError, SaveError

if TYPE_CHECKING:
    from ..reference.book import Book
    from ..reference.engine import ReferenceState
    from ..reference.machine import Frame, Machine
    from .secrets import Secret

FORMAT = 1
_FLAGS = ("whole", "over", "dirty", "watching", "edited")


def save(machine: Machine) -> dict[str, Any]:
    """The position as plain data that ``json`` writes and reads without loss."""
    program = machine.book.program
    data: dict[str, Any] = {"format": FORMAT, "language": LANGUAGE, **_identity(program), "seed": machine.seed}
    if not machine.edited:
        data["choices"] = choices_of(machine.choices)
    data["state"] = {
        "cells": _plain_cells(machine.book, machine.cells),
        "frames": [_frame(machine, frame) for frame in machine.frames],
        # As text: many JSON readers keep only 53 bits of a number.
        "chance": f"{machine.chance:016x}",
        "fixed": list(machine.fixed),
        "winners": list(machine.winners),
        "turns": machine.turns,
        "fired": dict(machine.fired),
        **{name: getattr(machine, name) for name in _FLAGS},
    }
    if machine.secret is not None:
        data["state"]["together"] = _together(machine, machine.secret)
    return data


def _together(machine: Machine, secret: Secret) -> dict[str, Any]:
    """What players have decided so far without telling each other."""
    layout = machine.book.layout
    done = []
    for player, changes in secret.done:
        values = []
        for cell, value in changes:
            name, place = next((n, p) for n, p in layout.places.items() if 0 <= cell - p.offset < p.variable.cells)
            values.append([name, cell - place.offset, plain(value, place.variable.type)])
        done.append([player, values])
    before = _plain_cells(machine.book, secret.before)
    return {"rule": secret.rule, "player": secret.player, "before": before, "done": done}


def _plain_cells(book: Book, cells: Sequence[Any]) -> dict[str, list[Any]]:
    return {
        name: [plain(v, place.variable.type) for v in cells[place.offset : place.offset + place.variable.cells]]
        for name, place in book.layout.places.items()
    }


def _identity(program: Program) -> dict[str, Any]:
    return {
        "game": program.name,
        "version": program.version,
        "players": program.players,
        "settings": {name: setting.value for name, setting in program.settings.items()},
        "variants": list(program.variants),
    }


def choices_of(chain: Any) -> list[int]:
    """The choices of a chain, the first one first."""
    found = []
    while chain is not None:
        chain, index = chain
        found.append(index)
    return found[::-1]


def _frame(machine: Machine, frame: Frame) -> dict[str, Any]:
    live = machine.book.units[frame.unit].live[frame.pc]
    return {
        "rule": frame.unit,
        "at": frame.pc,
        "locals": [_bare(v) if slot in live else None for slot, v in enumerate(frame.local)],
    }


def _bare(value: Any) -> Any:
    """A local as JSON data: lists and sets are told apart, everything else is itself."""
    if isinstance(value, tuple):
        return {"list": [_bare(v) for v in value]}
    if isinstance(value, frozenset):
        return {"set": [_bare(v) for v in rising(value)]}
    return value


def _from_bare(data: Any) -> Any:
    if data is None or type(data) in (bool, int):
        return data
    if isinstance(data, dict) and len(data) == 1:
        ((word, items),) = data.items()
        if word in ("list", "set") and isinstance(items, list):
            values = [_from_bare(item) for item in items]
            return tuple(values) if word == "list" else frozenset(values)
    raise SaveError(f"the save is damaged: {str(data)[:60]!r} is no value")


# ---------------------------------------------------------------- reading


def load(book: Book, data: Any) -> tuple[Machine, list[int] | None]:
    """The machine that was saved, and the choices that led to it if the save has them."""
    from ..reference.machine import Machine

    _check_identity(book.program, data)
    state = _get(data, "state", dict)
    seed = _get(data, "seed", int)
    flags = {name: _get(state, name, bool) for name in _FLAGS}
    machine = Machine(book, _cells(book, _get(state, "cells", dict)), _chance(state), seed, **flags)
    machine.fixed = tuple(_get(state, "fixed", list))
    if not all(v is None or isinstance(v, (str, int)) for v in machine.fixed):
        raise _damaged("`fixed` holds something that is no name")
    machine.winners = tuple(_get(state, "winners", list))
    if not all(type(w) is int and 0 <= w < book.program.players for w in machine.winners):
        raise _damaged("`winners` does not name seats")
    machine.turns = _count(_get(state, "turns", int), "turns")
    machine.fired = {name: _count(n, "fired") for name, n in _get(state, "fired", dict).items()}
    if not set(machine.fired) <= set(book.program.rules):
        raise _damaged("`fired` names a rule that does not exist")
    if "together" in state:
        machine.secret = _secret(book, _get(state, "together", dict))
    _frames(machine, _get(state, "frames", list))
    choices = None
    if "choices" in data:
        choices = _get(data, "choices", list)
        if not all(type(c) is int and c >= 0 for c in choices):
            raise _damaged("`choices` holds something that is no number of an option")
        for index in choices:
            machine.choices = (machine.choices, index)
    elif not machine.edited:
        raise _damaged("`choices` is missing")
    if machine.over and machine.frames:
        raise _damaged("the game is over, yet rules are running")
    return machine, choices


def replay(start: Callable[[int], ReferenceState], state: ReferenceState, choices: list[int]) -> None:
    """Tells the log of a resumed state again, from its seed and choices."""
    try:
        again = start(state.machine.seed)
        for index in choices:
            again.choose(index)
    except GameError as error:
        raise _damaged(f"its choices cannot be played ({error})") from None
    if again.key() != state.key():
        raise _damaged("its choices do not lead to its position")
    state.machine.log = again.machine.log
    state.machine.fired = again.machine.fired
    state.machine.turns = again.machine.turns
    state.machine.secret = again.machine.secret


def _check_identity(program: Program, data: Any) -> None:
    if not isinstance(data, dict) or "format" not in data or "game" not in data:
        raise SaveError("this is not a saved game")
    if data["format"] != FORMAT:
        raise SaveError(f"the save has format {data['format']!r}; this program reads format {FORMAT}")
    if not same_language(data.get("language")):
        made = f"in version {data['language']!r} of" if "language" in data else "without a version of"
        raise SaveError(f"the game was saved {made} the rules language; this program plays version {LANGUAGE}")
    own = _identity(program)
    if data["game"] != own["game"]:
        raise SaveError(f"the save is of the game {data['game']!r}, not of {own['game']!r}")
    if data.get("players") != own["players"]:
        raise SaveError(
            f"the save is for {data.get('players')!r} players; load the game for as many, not {own['players']}"
        )
    if data.get("variants") != own["variants"]:
        raise SaveError(f"the save was played with the variants {data.get('variants')!r}, not {own['variants']!r}")
    if data.get("settings") != own["settings"]:
        raise SaveError(
            f"the save was played with other settings: {_differences(data.get('settings'), own['settings'])}"
        )
    if data.get("version") != own["version"]:
        raise SaveError(
            "the rules have changed since this game was saved; it can be taken up only with the rules of then"
        )


def _differences(theirs: Any, ours: dict[str, str]) -> str:
    if not isinstance(theirs, dict):
        return "they are missing"
    names = [name for name in {**theirs, **ours} if theirs.get(name) != ours.get(name)]
    return ", ".join(f"{name} was {theirs.get(name)} and is {ours.get(name)}" for name in names)


def _damaged(what: str) -> SaveError:
    return SaveError(f"the save is damaged: {what}")


def _get(data: dict[str, Any], name: str, type_: type) -> Any:
    value = data.get(name)
    if type(value) is not type_:
        raise _damaged(f"`{name}` is missing" if name not in data else f"`{name}` is not what it should be")
    return value


def _count(value: Any, name: str) -> int:
    if type(value) is not int or value < 0:
        raise _damaged(f"`{name}` is no count")
    return value


def _chance(state: dict[str, Any]) -> int:
    text = _get(state, "chance", str)
    try:
        if len(text) != 16:
            raise ValueError
        return int(text, 16)
    except ValueError:
        raise _damaged("`chance` is no number of 16 hexadecimal digits") from None


def _cells(book: Book, data: dict[str, Any]) -> list[Any]:
    from .cells import misfit

    if set(data) != set(book.layout.places):
        raise _damaged("its variables are not those of the game")
    cells: list[Any] = [None] * book.layout.size
    for name, place in book.layout.places.items():
        variable = place.variable
        values = data[name]
        if not isinstance(values, list) or len(values) != variable.cells:
            raise _damaged(f"`{name}` needs {variable.cells} values")
        for i, value in enumerate(values):
            try:
                made = from_plain(value, variable.type)
            except ValueError as error:
                raise _damaged(f"`{name}`: {error}") from None
            wrong = misfit(variable, made)
            if wrong is not None:
                raise _damaged(f"`{name}`: {wrong}")
            cells[place.offset + i] = made
    return cells


def _secret(book: Book, data: dict[str, Any]) -> Secret:
    from .secrets import Secret

    players = range(book.program.players)
    rule, player = _get(data, "rule", str), data.get("player")
    if rule not in book.program.rules or type(player) is not int or player not in players:
        raise _damaged("`together` does not say who is deciding")
    done = []
    for entry in _get(data, "done", list):
        if not isinstance(entry, list) or len(entry) != 2 or type(entry[0]) is not int or entry[0] not in players:
            raise _damaged("`together` does not say who has decided")
        done.append((entry[0], tuple(_change(book, change) for change in _listed(entry[1]))))
    return Secret(rule, tuple(_cells(book, _get(data, "before", dict))), tuple(done), player)


def _listed(data: Any) -> list[Any]:
    if not isinstance(data, list):
        raise _damaged("`together` holds something that is no list")
    return data


def _change(book: Book, data: Any) -> tuple[int, Any]:
    """The place of a cell and its new value."""
    from .cells import misfit

    if not isinstance(data, list) or len(data) != 3 or type(data[0]) is not str or data[0] not in book.layout.places:
        raise _damaged("`together` changes something that does not exist")
    name, index, value = data
    place = book.layout.places[name]
    if type(index) is not int or not 0 <= index < place.variable.cells:
        raise _damaged(f"`{name}` has no place {index!r}")
    try:
        made = from_plain(value, place.variable.type)
    except ValueError as error:
        raise _damaged(f"`{name}`: {error}") from None
    wrong = misfit(place.variable, made)
    if wrong is not None:
        raise _damaged(f"`{name}`: {wrong}")
    return place.offset + index, made


def _frames(machine: Machine, data: list[Any]) -> None:
    """Rebuilds the running rules, each called by the one before, the last stopped at a statement that asks."""
    from ..reference.asks import Ask
    from ..reference.machine import Frame

    book = machine.book
    called: tuple[str, ...] | None = None
    for entry in data:
        if not isinstance(entry, dict):
            raise _damaged("`frames` holds something that is no rule")
        rule, at, local = _get(entry, "rule", str), _get(entry, "at", int), _get(entry, "locals", list)
        unit = book.units.get(rule)
        if unit is None or not 0 <= at < len(unit.code) or len(local) != unit.frame:
            raise _damaged(f"rule {rule!r} cannot be where the save says")
        if called is not None and rule not in called:
            raise _damaged(f"rule {rule!r} is not called by the rule before it")
        values = [_from_bare(v) for v in local]
        for slot, value in enumerate(values):
            needed = slot in unit.live[at]
            if (needed or value is not None) and not _fits_slot(unit.slots.get(slot), value):
                raise _damaged(f"a name in rule {rule!r} has an impossible value")
        machine.frames.append(Frame(rule, unit.code, at, values))
        called = unit.code[at - 1].calls() if at else ()
    if machine.frames:
        _ask(machine, machine.frames[-1], Ask)
    elif machine.whole and not machine.over:
        raise _damaged("a game that is not over stops at a decision")


def _ask(machine: Machine, frame: Frame, ask: Any) -> None:
    instruction = frame.code[frame.pc]
    if not isinstance(instruction, ask):
        raise _damaged("it does not stop at a decision")
    frame.pc += 1
    try:
        instruction.run(machine, frame)
    except (GameError, ArithmeticError, LookupError, TypeError, ValueError):
        raise _damaged("its position does not fit its decision") from None
    if machine.pending is None:
        raise _damaged("there is nothing to decide in its position")


def _fits_slot(type_: Any, value: Any) -> bool:
    """Whether a local is what its slot holds; loops of the engine keep combinations and counts."""
    from ..reference.code import Items

    if type_ is None:
        return type(value) is int
    if isinstance(type_, Items):
        width = len(type_.types)
        return isinstance(value, tuple) and all(
            isinstance(combo, tuple)
            and len(combo) == width
            and all(belongs(v, t) for v, t in zip(combo, type_.types, strict=True))
            for combo in value
        )
    return belongs(value, type_)
