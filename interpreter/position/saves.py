"""Saved games: plain JSON data, checked thoroughly when it is read back.

A save holds the whole position, so play resumes from it directly. It also holds the seed and the choices, from which
the log is rebuilt; a position that was set up by hand has none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import attrs

from rulelang.program import Program
from rulelang.program.values import belongs, from_plain, plain, rising, said
from rulelang.version import LANGUAGE, same_language

from ..chance import is_luck
from ..errors import GameError, SaveError
from ..evaluation.meter import Undefined
from ..lowered import code
from ..lowered.cells import misfit
from ..lowered.code import Frame
from .blueprint import Blueprint
from .events import marked
from .position import ChoiceListing, Follower, Laid, Made, Position, Secret, follow, laid_first, listing, put
from .views import key

FORMAT = 5
_READ = (4, FORMAT)
"""Formats that are read; in format 4 no choice had a luck."""

_LUCK = re.compile("[0-9a-f]{17,64}")

_FLAGS = ("whole", "over", "dirty", "watching", "edited")
_FIELDS = ("frames", "chance", "fixed", "winners", "turns", "at_turn", *_FLAGS)


@attrs.frozen
class KeptPosition:
    """What a save keeps of a position, ``cells`` as plain data; see ``Position``."""

    cells: dict[str, list[Any]]
    frames: Sequence[Frame]
    chance: int
    fixed: tuple[Any, ...]
    winners: tuple[int, ...]
    turns: int
    at_turn: int | None
    fired: dict[str, int]
    whole: bool
    over: bool
    dirty: bool
    watching: bool
    edited: bool


def save(position: Position) -> dict[str, Any]:
    """The position as plain data that survives a round trip through ``json``."""
    kept = KeptPosition(
        cells=_plain_cells(position.blueprint, position.cells),
        fired=dict(position.fired),
        **{name: getattr(position, name) for name in _FIELDS},
    )
    data = written(position.blueprint.program, position.seed, lambda: listing(position.choices), kept)
    course = course_of(position)
    if course is not None:
        data["course"] = course
    if position.secret is not None:
        data["state"]["together"] = _together(position, position.secret)
    return data


def course_of(position: Position) -> list[str] | None:
    """The steps of the game so far, see ``course``; None where no log tells them. Only what is new is marked."""
    if position.log is None or position.edited:
        return None
    position.marked = marked(position.blueprint, position.log, position.marked)
    return list(position.marked.steps)


def written(program: Program, seed: int, choices: Callable[[], ChoiceListing], kept: KeptPosition) -> dict[str, Any]:
    """A save; ``choices`` lists those made since the game began, with outcomes of chance that were laid down."""
    data: dict[str, Any] = {"format": FORMAT, "language": LANGUAGE, **identity(program), "seed": seed}
    if not kept.edited:
        data["choices"] = _written(choices())
    data["state"] = {
        "cells": kept.cells,
        "frames": [_frame(frame) for frame in kept.frames],
        # As text: many JSON readers keep only 53 bits of a number.
        "chance": f"{kept.chance:016x}",
        "fixed": list(kept.fixed),
        "winners": list(kept.winners),
        "turns": kept.turns,
        "at_turn": kept.at_turn,
        "fired": kept.fired,
        **{name: getattr(kept, name) for name in _FLAGS},
    }
    return data


def _written(choices: ChoiceListing) -> list[Any]:
    found: list[Any] = list(choices.made)
    for at in choices.laid:
        laid = found[at]
        found[at] = (
            {"first" if laid.first else "chance": list(laid.outcomes)}
            if laid.luck is None
            else {"luck": f"{laid.luck:x}"}
        )
        if laid.carried is not None:
            found[at]["carried"] = dict(laid.carried)
    return found


def _read(data: Any, number: int) -> Made:
    """What was made after ``number`` others."""
    match data:
        case int() if type(data) is int and data >= 0:
            return data
        case {"chance": list(outcomes)} if _named(outcomes):
            return Laid(tuple(outcomes))
        case {"first": list(outcomes), "carried": dict(carried)} if not number and _named(outcomes):
            return Laid(tuple(outcomes), first=True, carried=carried)
        case {"first": list(outcomes)} if not number and _named(outcomes):
            return Laid(tuple(outcomes), first=True)
        case {"luck": str(digits)} if _LUCK.fullmatch(digits) and is_luck(int(digits, 16)):
            return Laid((), luck=int(digits, 16))
    raise _damaged("`choices` must hold numbers of options and what chance was laid down only")


def _named(outcomes: list[Any]) -> bool:
    return all(v is None or isinstance(v, (str, int)) for v in outcomes)


def made(data: dict[str, Any]) -> list[Made]:
    """What a save says was made since the game began. SaveError if that is damaged."""
    return [_read(each, number) for number, each in enumerate(_get(data, "choices", list))]


def _together(position: Position, secret: Secret) -> dict[str, Any]:
    """The secret decisions so far of players who decide together."""
    layout = position.blueprint.layout
    done = []
    for player, changes in secret.done:
        values = []
        for cell, value in changes:
            name, place = next((n, p) for n, p in layout.places.items() if 0 <= cell - p.offset < p.variable.cells)
            values.append([name, cell - place.offset, plain(value, place.variable.type)])
        done.append([player, values])
    before = _plain_cells(position.blueprint, secret.before)
    return {"rule": secret.rule, "player": secret.player, "before": before, "done": done}


def _plain_cells(blueprint: Blueprint, cells: Sequence[Any]) -> dict[str, list[Any]]:
    return {
        name: [plain(v, place.variable.type) for v in cells[place.offset : place.offset + place.variable.cells]]
        for name, place in blueprint.layout.places.items()
    }


def identity(program: Program) -> dict[str, Any]:
    """What a game must have in common with a save, so that the save can be resumed."""
    return {
        "game": program.name,
        "version": program.version,
        "players": program.players,
        "settings": {name: setting.value for name, setting in program.settings.items()},
        "variants": list(program.variants),
    }


def _frame(frame: Frame) -> dict[str, Any]:
    live = frame.live()
    return {
        "rule": frame.unit.rule,
        "at": frame.at,
        "locals": [_bare(v) if slot in live else None for slot, v in enumerate(frame.local)],
    }


def _bare(value: Any) -> Any:
    """A local as JSON data: lists and sets are marked as such, everything else is itself."""
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
    raise SaveError(f"the save is damaged: {said(data)} is not a value")


# ---------------------------------------------------------------- reading


def load(blueprint: Blueprint, data: Any) -> tuple[Position, list[Made] | None]:
    """The position that was saved, and the choices that led to it if the save has them."""
    _checkidentity(blueprint.program, data)
    state = _get(data, "state", dict)
    seed = _get(data, "seed", int)
    flags = {name: _get(state, name, bool) for name in _FLAGS}
    position = Position(blueprint, _cells(blueprint, _get(state, "cells", dict)), _chance(state), seed, **flags)
    position.fixed = tuple(_get(state, "fixed", list))
    if not all(v is None or isinstance(v, (str, int)) for v in position.fixed):
        raise _damaged("`fixed` must hold names only")
    position.winners = tuple(_get(state, "winners", list))
    if not all(type(w) is int and 0 <= w < blueprint.program.players for w in position.winners):
        raise _damaged("`winners` must hold numbers of seats")
    position.winners = blueprint.settled(position.winners)  # earlier versions kept draws in other ways
    position.turns, position.at_turn = _count(_get(state, "turns", int), "turns"), state.get("at_turn")
    if position.at_turn not in (None, *range(blueprint.program.players)) or isinstance(position.at_turn, bool):
        raise _damaged("`at_turn` must be the number of a seat")
    position.fired = {name: _count(n, "fired") for name, n in _get(state, "fired", dict).items()}
    if not set(position.fired) <= set(blueprint.program.rules):
        raise _damaged("`fired` names a rule that does not exist")
    if "together" in state:
        position.secret = _secret(blueprint, _get(state, "together", dict))
    _frames(position, _get(state, "frames", list))
    choices = None
    if "choices" in data:
        choices = made(data)
        for each in choices:
            position.choices = (position.choices, each)
    elif not position.edited:
        raise _damaged("`choices` is missing")
    if position.over and position.frames:
        raise _damaged("the game is over, but rules are still running")
    return position, choices


class Replayed(Follower, Protocol):
    """A game that is played again from its choices."""

    @property
    def position(self) -> Position: ...


def replay(start: Callable[..., Replayed], position: Position, choices: list[Made]) -> None:
    """Rebuild the log of a saved position from its seed and choices. ``start`` begins a game from a seed."""
    try:
        state = start(position.seed, *laid_first(choices))
        follow(state, choices)
    except GameError as error:
        raise _damaged(f"its choices cannot be replayed ({error})") from None
    again = state.position
    if key(again) != key(position):
        raise _damaged("its choices do not lead to its position")
    position.log, position.fired = again.log, again.fired
    position.turns, position.at_turn, position.secret = again.turns, again.at_turn, again.secret


def check_format(data: Any) -> None:
    """SaveError unless data is a save in a form that is read."""
    if not isinstance(data, dict) or "format" not in data or "game" not in data:
        raise SaveError("this is not a saved game")
    if type(data["format"]) is not int or data["format"] not in _READ:
        formats = " and ".join(map(str, _READ))
        raise SaveError(
            f"the save has format {said(data['format'])}, but this program reads formats {formats}; open it with the"
            " version of rulelang that saved it"
        )


def handed_on(program: Program, data: Any) -> dict[str, Any] | None:
    """What the finished game of a campaign's save hands on to the next; None while it runs.

    The rules, variants and settings may be others by now: see ``carrying.beginning``. SaveError says what does not fit.
    """
    _check_players(program, data)
    return _get(data, "carried", dict) if _get(_get(data, "state", dict), "over", bool) else None


def _check_players(program: Program, data: Any) -> dict[str, Any]:
    """SaveError unless a save is of the same game for so many players; else what it must have to be resumed."""
    check_format(data)
    if not same_language(data.get("language")):
        saved = f"version {said(data['language'])}" if "language" in data else "an unknown version"
        raise SaveError(f"the game was saved with {saved} of the rules language; this program plays version {LANGUAGE}")
    own = identity(program)
    if data["game"] != own["game"]:
        raise SaveError(f"the save is of the game {said(data['game'])}, not of {said(own['game'])}")
    if data.get("players") != own["players"]:
        raise SaveError(
            f"the save is for {said(data.get('players'))} players; load the game for that number,"
            f" not for {own['players']}"
        )
    return own


def _checkidentity(program: Program, data: Any) -> None:
    own = _check_players(program, data)
    if data.get("variants") != own["variants"]:
        raise SaveError(
            f"the save was played with the variants {said(data.get('variants'))}, not {said(own['variants'])}"
        )
    if data.get("settings") != own["settings"]:
        raise SaveError(
            f"the save was played with other settings: {_differences(data.get('settings'), own['settings'])}"
        )
    if data.get("version") != own["version"]:
        raise SaveError(
            "the rules have changed since this game was saved; it can only be resumed with the rules as they were then"
        )


def _differences(theirs: Any, ours: dict[str, str]) -> str:
    if not isinstance(theirs, dict):
        return "the save has none"
    names = [name for name in {**theirs, **ours} if theirs.get(name) != ours.get(name)]
    return ", ".join(f"{name} was {theirs.get(name)}, now it is {ours.get(name)}" for name in names)


def _damaged(what: str) -> SaveError:
    return SaveError(f"the save is damaged: {what}")


def _get(data: dict[str, Any], name: str, type_: type) -> Any:
    value = data.get(name)
    if type(value) is not type_:
        raise _damaged(f"`{name}` is missing" if name not in data else f"`{name}` is of the wrong type")
    return value


def _count(value: Any, name: str) -> int:
    if type(value) is not int or value < 0:
        raise _damaged(f"`{name}` must be a number from 0 up")
    return value


def _chance(state: dict[str, Any]) -> int:
    text = _get(state, "chance", str)
    try:
        if len(text) != 16:
            raise ValueError
        return int(text, 16)
    except ValueError:
        raise _damaged("`chance` must be a number of 16 hexadecimal digits") from None


def _cells(blueprint: Blueprint, data: dict[str, Any]) -> list[Any]:
    if set(data) != set(blueprint.layout.places):
        raise _damaged("its variables are not the game's")
    cells: list[Any] = [None] * blueprint.layout.size
    for name, place in blueprint.layout.places.items():
        variable = place.variable
        values = data[name]
        if not isinstance(values, list) or len(values) != variable.cells:
            raise _damaged(f"`{name}` must hold {variable.cells} values")
        for i, value in enumerate(values):
            try:
                parsed = from_plain(value, variable.type)
            except ValueError as error:
                raise _damaged(f"`{name}`: {error}") from None
            wrong = misfit(variable, parsed)
            if wrong is not None:
                raise _damaged(f"`{name}`: {wrong}")
            cells[place.offset + i] = parsed
    return cells


def _secret(blueprint: Blueprint, data: dict[str, Any]) -> Secret:
    players = range(blueprint.program.players)
    rule, player = _get(data, "rule", str), data.get("player")
    if rule not in blueprint.program.rules or type(player) is not int or player not in players:
        raise _damaged("`together` does not say who is deciding")
    done = []
    for entry in _get(data, "done", list):
        if not isinstance(entry, list) or len(entry) != 2 or type(entry[0]) is not int or entry[0] not in players:
            raise _damaged("`together` does not say who has decided")
        done.append((entry[0], tuple(_change(blueprint, change) for change in _listed(entry[1]))))
    return Secret(rule, tuple(_cells(blueprint, _get(data, "before", dict))), tuple(done), player)


def _listed(data: Any) -> list[Any]:
    if not isinstance(data, list):
        raise _damaged("`together` must hold lists")
    return data


def _change(blueprint: Blueprint, data: Any) -> tuple[int, Any]:
    """The index of a cell and its new value."""
    if (
        not isinstance(data, list)
        or len(data) != 3
        or type(data[0]) is not str
        or data[0] not in blueprint.layout.places
    ):
        raise _damaged("`together` changes something that does not exist")
    name, index, value = data
    place = blueprint.layout.places[name]
    if type(index) is not int or not 0 <= index < place.variable.cells:
        raise _damaged(f"`{name}` has no cell {said(index)}")
    try:
        value = from_plain(value, place.variable.type)
    except ValueError as error:
        raise _damaged(f"`{name}`: {error}") from None
    wrong = misfit(place.variable, value)
    if wrong is not None:
        raise _damaged(f"`{name}`: {wrong}")
    return place.offset + index, value


def _frames(position: Position, data: list[Any]) -> None:
    """Rebuild the running rules: each is called by the one before, and the last waits for a decision."""
    units = position.blueprint.units
    called: str | None = None
    for entry in data:
        if not isinstance(entry, dict):
            raise _damaged("`frames` must hold rules only")
        rule, at, local = _get(entry, "rule", str), _get(entry, "at", int), _get(entry, "locals", list)
        unit = units.get(rule)
        if unit is None or not 0 <= at < len(unit.sites) or len(local) != unit.size:
            raise _damaged(f"rule {said(rule)} cannot be waiting where the save says")
        if called is not None and rule != called:
            raise _damaged(f"rule {said(rule)} is not called by the rule before it")
        frame = Frame(unit, at, [_from_bare(v) for v in local])
        live = frame.live()
        for slot, value in enumerate(frame.local):
            if (slot in live or value is not None) and not _fits_slot(unit.slots.get(slot), value):
                raise _damaged(f"a name in rule {said(rule)} has an impossible value")
        position.frames.append(frame)
        called = _called(unit.sites[at])
    if position.frames:
        _ask(position)
    elif position.whole and not position.over:
        raise _damaged("the game is not over, but no rule is waiting for a decision")


def _called(node: code.Suspending) -> str:
    """The unit that runs while a rule waits at a node; empty while it waits for a decision."""
    match node:
        case code.Call():
            return node.unit
        case code.Leave():
            return code.WATCHING
        case code.RunWatcher():
            return node.rule
        case _:  # a decision runs nothing
            return ""


def _ask(position: Position) -> None:
    frame = position.frames[-1]
    if not isinstance(frame.unit.sites[frame.at], code.Ask):
        raise _damaged("it does not end at a decision")
    try:
        position.asked = put(position)
    except (GameError, Undefined, ArithmeticError, LookupError, TypeError, ValueError):
        raise _damaged("its position does not match its decision") from None
    if position.asked is None:
        raise _damaged("its position leaves nothing to decide")


def _fits_slot(type_: Any, value: Any) -> bool:
    """Whether a local fits its slot; the engine's own loops keep combinations and counts there."""
    if type_ is None:
        return type(value) is int
    if isinstance(type_, code.Items):
        width = len(type_.types)
        return isinstance(value, tuple) and all(
            isinstance(combo, tuple)
            and len(combo) == width
            and all(belongs(v, t) for v, t in zip(combo, type_.types, strict=True))
            for combo in value
        )
    return belongs(value, type_)
