"""Partings: where a saved game parts from what the same luck and choices lead to under other rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import attrs

from ..data import Decision, Event
from ..errors import ChanceError, GameError, IllegalChoice, RuleFault, SaveError
from ..position.events import marks, steps_of, total_then
from ..position.position import Laid, Made, laid_first
from ..position.saves import check_format, identity, made

if TYPE_CHECKING:
    from ..game import Game, State

_UNLIKE = "what happens is not the same"


@attrs.frozen
class Parting:
    """The first decision at which two courses part.

    ``decision``: its number from 1; 0 where they part before anybody has chosen. ``seat``, ``asked`` and ``value``: who
    chose, the rule that asked, what was chosen. ``rule``: the id of the rule that causes it, None if it cannot be told;
    ``change``: what happens now, for people; ``sort``: that without names and numbers, which many games may share;
    ``events``: what has happened under the new rules since that decision.
    """

    decision: int
    seat: int | None
    asked: str | None
    value: Any
    rule: str | None
    change: str
    sort: str
    events: tuple[Event, ...] = ()


@attrs.frozen
class Replay:
    """A saved game played again under other rules. ``decisions``: how many were saved; ``parting``: the first, None if
    nothing parts; ``state``: as far as it got; ``made``: what fits of the choices, and of what chance was laid down."""

    decisions: int
    parting: Parting | None
    state: State | None
    made: Sequence[Made] = ()


def other_rules(game: Game, data: dict[str, Any]) -> bool:
    """Whether a save of this game and number of players was played with other rules, variants or settings."""
    own = identity(game.program)
    mine = all(data.get(key) == own[key] for key in ("game", "players"))
    return mine and any(data.get(key) != own[key] for key in ("version", "settings", "variants"))


def replay_under(game: Game, data: dict[str, Any], *, beyond: bool = False) -> Replay:
    """Play a save again under the rules of ``game``, up to the first decision at which the two part, or ``beyond`` it
    as far as the same seats can choose the same.

    Raises SaveError when the save is of another game or number of players, or does not hold its choices by value.
    """
    steps = _steps(game, data)
    state = _begun(game, steps[0], data)
    if isinstance(state, Parting):
        return Replay(len(steps) - 1, state, None)
    seen, first = 0, None
    for number, step in enumerate(steps):
        if number:
            before = state.copy() if beyond else state
            parting, chosen = _followed(number, step, state, beyond)
            first = first or parting
            if not chosen:
                state = before
                break
        events = tuple(state.log[seen:])
        seen = len(state.log)
        first = first or _events_part(number, step, events, state.decision)
        if first is not None and not beyond:
            break
    return Replay(len(steps) - 1, first, state, made(game.save(state)) if beyond else ())


def _followed(number: int, step: dict[str, Any], state: State, beyond: bool) -> tuple[Parting | None, bool]:
    """Makes the choice of a step; where that parts, and whether it was made."""
    parting = _question_parts(number, step, state.decision)
    if parting is not None and not (beyond and state.player == step["by"]):
        return parting, False
    refused = _choose(number, step, state)
    return parting or refused, refused is None


def _begun(game: Game, step: dict[str, Any], data: dict[str, Any]) -> State | Parting:
    try:
        return game.start(data["seed"], step["chance"], laid_first(made(data))[1])
    except RuleFault as fault:
        return _stopped(0, step, fault)
    except ChanceError as error:
        return _parting(0, step, error.rule or None, str(error), _UNLIKE)


def _steps(game: Game, data: dict[str, Any]) -> list[dict[str, Any]]:
    """The steps of a save, each with the chance that was laid down for it: outcomes, ``chance``, and ``luck``."""
    check_format(data)
    if data.get("game") != game.name:
        raise SaveError(f"the save is of the game {data.get('game')}, not of {game.name}")
    if data.get("players") != game.players:
        raise SaveError(f"the save is for {data.get('players')} players; load the game for that number")
    if data.get("course") is None:
        raise SaveError(
            "the rules have changed since this game was saved, and the save does not say in words what was chosen; it"
            " can only be followed with the rules as they were then"
        )
    try:
        steps = steps_of(data["course"])
    except ValueError:
        steps = []
    if not steps or type(data.get("seed")) is not int:
        raise SaveError("the save is damaged: its course cannot be read")
    laid: dict[int, tuple[Any, ...]] = {}
    lucks: dict[int, int] = {}
    number = 0
    for each in made(data):
        if not isinstance(each, Laid):
            number += 1
        elif each.luck is not None:
            lucks[number + 1] = each.luck
        else:
            step = 0 if each.first else number + 1
            laid[step] = (*laid.get(step, ()), *each.outcomes)
    return [{**step, "chance": laid.get(number, ()), "luck": lucks.get(number)} for number, step in enumerate(steps)]


def _question_parts(number: int, step: dict[str, Any], decision: Decision | None) -> Parting | None:
    """Whether somebody else, or something else, is asked now."""
    if decision is None:
        return _parting(number, step, None, "the game is already over")
    if decision.player != step["by"]:
        return _parting(number, step, decision.rule, f"another player is asked, by {decision.rule}")
    if decision.rule != step["rule"]:
        return _parting(number, step, decision.rule, f"{decision.rule} asks instead of {step['rule']}")
    return None


def _choose(number: int, step: dict[str, Any], state: State) -> Parting | None:
    """Makes the choice; what speaks against it where that is no longer possible."""
    value = step["value"]
    try:
        state.fix_chance(step["chance"])
        if step["luck"] is not None:
            state.fix_luck(step["luck"])
        state.choose(value)
    except IllegalChoice as refused:
        option = value.get("option") if isinstance(value, dict) else None
        return _parting(number, step, option or step["rule"], str(refused), "what was chosen there is not possible")
    except RuleFault as fault:
        return _stopped(number, step, fault)
    except GameError as error:
        return _parting(number, step, step["rule"], str(error), _UNLIKE)
    if state.fixed_chance:
        said = f"nothing comes up as {state.fixed_chance[0]} any more"
        return _parting(number, step, step["rule"], said, _UNLIKE)
    return None


def _events_part(
    number: int, step: dict[str, Any], events: Sequence[Event], decision: Decision | None
) -> Parting | None:
    """The first event that differs, and the rule in whose text it happens."""
    told = [event for event in events if event.kind not in ("rule", "choice")]
    then = step["then"]
    for event, mark, old in zip(told, marks(told), then, strict=False):
        if mark != old:
            return _event_parts(number, step, events, event, old[1] if mark[0] == old[0] else "")
    if len(told) > len(then):
        return _event_parts(number, step, events, told[len(then)], "")
    if len(told) < len(then):
        if decision is not None:
            said = f"{decision.rule} asks for a decision first"
            return _parting(number, step, decision.rule, said, events=events)
        rule = then[len(told)][0]
        return _parting(number, step, rule, f"what {rule} did then does not happen", events=events)
    return None


def _event_parts(number: int, step: dict[str, Any], events: Sequence[Event], event: Event, then: str) -> Parting:
    """``then``: the mark of what the same rule did; empty where it did not."""
    total = total_then(event, then) if then else None
    if total is None:
        return _parting(number, step, event.rule, event.text, _sort(event), events)
    text = f"{event.text} instead of {total}"
    return _parting(number, step, None, text, "a score was not the same before that", events)


def _sort(event: Event) -> str:
    """What happens in an event, without names and numbers."""
    places = {name: str(event.data[name]).split("[")[0] for name in ("place", "from", "to") if name in event.data}
    match event.kind:
        case "score":
            return "the points are not the same"
        case "set" if places:
            return f"{places['place']} is not the same"
        case "move" if len(places) == 2:
            return f"what goes from {places['from']} to {places['to']} is not the same"
        case _:
            return _UNLIKE


def _stopped(number: int, step: dict[str, Any], fault: RuleFault) -> Parting:
    return _parting(number, step, fault.rule, f"the rules cannot go on: {fault}", "the rules cannot go on")


def _parting(
    number: int, step: dict[str, Any], rule: str | None, change: str, sort: str = "", events: Sequence[Event] = ()
) -> Parting:
    asked, value = step.get("rule"), step.get("value")
    return Parting(number, step.get("by"), asked, value, rule, change, sort or change, tuple(events))
