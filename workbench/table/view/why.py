"""Reasons why something may be chosen, and why something that was clicked may not."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.data import Decision, Option
from interpreter.errors import GameError
from rulelang.program import Program
from rulelang.program.nodes import Bind, Choose
from rulelang.program.walk import statements
from rulelang.types import SQUARE, FlagType, MemberType, NumberType

from ...pictures.draw import arrange
from ...pictures.option_addresses import aim, alone
from ...terminal.telling import passages
from ...wording.topics import topic
from .window import Window, worded

if TYPE_CHECKING:
    from interpreter.data import Condition, Decision, Explanation, Option
    from interpreter.game import Game, State

    from ...wording import Wording


_MOST = 3
"""Explanations for one click."""


def why(game: Game, state: State, seat: int | None, about: int | str, *, lang: str | None) -> dict[str, Any]:
    """Why an option is offered; ``about``: its index or its text. See ``why_not`` for what comes back.

    Raises GameError for a seat that is not asked, and for what is not offered.
    """
    window = Window.of(state, seat)
    decision = _asked(window)
    texts = [option.text for option in decision.options]
    number = texts.index(about) if about in texts else about
    if type(number) is not int or not 0 <= number < len(texts):
        raise GameError(f"{about!r} is not among the choices.")
    wording = worded(game.program, lang)
    return {"explanations": [_told(wording, wording.option(decision, decision.options[number]), window.why(number))]}


def why_not(game: Game, state: State, seat: int | None, address: str, *, lang: str | None) -> dict[str, Any]:
    """What stands at an address or has a name and, for the seat that is asked, why it can be chosen or cannot.

    ``about``: see ``wording.topics.topic``; with ``faces[]``: ``address svg``, the cards and tiles that the seat sees
    there, whole. ``explanations[]``: ``what allowed text conditions[] rule sentences[]
    passages[]``, the nearest misses first, and of a condition ``text holds values sentence``: as the rules have it, and
    as the rulebook puts it, None where it does not. Empty where nothing that is asked now could be meant.
    """
    window, wording = Window.of(state, seat), worded(game.program, lang)
    decision, about = window.decision, topic(wording, address)
    if about is not None:
        about["faces"] = [{"address": at, "svg": svg} for at, svg in _faces(wording, window, address).items()]
    if decision is None:
        return {"about": about, "explanations": []}
    offered = aim(game.program, decision).at.get(address, frozenset())
    found = [(decision.options[n], window.why(n)) for n in sorted(offered)[:_MOST]]
    if not found:
        found = _misses(game, window, decision, address)
    told = [_told(wording, wording.option(decision, what), told) for what, told in found]
    return {"about": about, "explanations": told}


def _faces(wording: Wording, window: Window, address: str) -> dict[str, str]:
    root = arrange(wording.program, window.view(window.seat), wording.look).root
    there = (inner for node in root.walk() if node.address == address for inner in node.walk())
    return {n.address: alone(attrs.evolve(n, count=1)) for n in there if n.kind in ("card", "tile")}


def _misses(game: Game, window: Window, decision: Decision, address: str) -> list[tuple[Option, Explanation]]:
    """What might have been chosen at the address, with the fewest failing conditions first, each reason once."""
    found: dict[tuple[str, ...], tuple[Option, Explanation]] = {}
    for option in wanted(game.program, decision, address):
        values = option.value["with"] if option.id is not None and option.value else option.value
        try:
            explanation = window.why_not(option.id, values or {})
        except GameError:
            continue
        reasons = tuple(c.text for c in explanation.conditions if not c.holds)
        if not explanation.allowed:
            found.setdefault((str(option.id), *reasons), (option, explanation))
    return sorted(found.values(), key=lambda pair: sum(not c.holds for c in pair[1].conditions))[:_MOST]


def _asked(window: Window) -> Decision:
    if window.player is None:
        raise GameError("The game is over; nothing can be chosen any more.")
    if window.decision is None:
        raise GameError("It is not your turn to choose.")
    return window.decision


def _told(wording: Wording, what: str, explanation: Explanation) -> dict[str, Any]:
    conditions = [one for one in explanation.conditions if not (one.holds and _goes_without_saying(wording, one))]
    said = wording.stating(explanation.rule, [condition.text for condition in conditions])
    return {
        "what": what,
        "allowed": explanation.allowed,
        "text": explanation.text if wording.look.lang in (None, "en") else "",
        "conditions": list(_conditions(wording, conditions, said)),
        "rule": explanation.rule,
        "sentences": [sentence for sentence in wording.sentences(explanation.rule) if sentence not in said],
        "passages": passages(wording.program, explanation.rule),
    }


def _goes_without_saying(wording: Wording, condition: Condition) -> bool:
    """Whether a condition only says what kind of thing is chosen: ``f is in Field``."""
    name, between, domain = condition.text.partition(" is in ")
    return bool(between) and name.isidentifier() and domain in wording.program.domains


def _conditions(
    wording: Wording, conditions: Sequence[Condition], said: Sequence[str | None]
) -> Iterator[dict[str, Any]]:
    """Those that one sentence states are told as one."""
    together: dict[str, list[Condition]] = {}
    for condition, sentence in zip(conditions, said, strict=True):
        together.setdefault(sentence or condition.text, []).append(condition)
    for sentence, alike in together.items():
        values = {
            f"{wording.called(what)}: {wording.plain(value)}": None
            for condition in alike
            for what, value in condition.values
            if what != condition.text
        }
        yield {
            "text": " and ".join(condition.text for condition in alike),
            "holds": all(condition.holds for condition in alike),
            "values": "; ".join(values),
            "sentence": sentence if sentence in said else None,
        }


_WORD = re.compile(r"[^\s\[\],:#@~]+")
_SQUARE = re.compile(r"@(-?\d+),(-?\d+)$")
_EACH = 12
"""Values of a name that are tried, if the address does not say which."""
_TRIED = 240


def wanted(program: Program, decision: Decision, address: str) -> list[Option]:
    """Options that are not offered and that the address may mean, if they were."""
    offered = [option.value for option in decision.options]
    tried = [o for o in itertools.islice(_imagined(program, decision, address), _TRIED) if o.value not in offered]
    if not tried:
        return []
    meant = aim(program, attrs.evolve(decision, options=tuple(tried))).at.get(address, frozenset())
    return [tried[number] for number in sorted(meant)]


def _imagined(program: Program, decision: Decision, address: str) -> Iterator[Option]:
    """Every option that the question knows, with the values that the address names."""
    if decision.kind == "menu":
        for rule in program.rules.values():
            if rule.kind == "option" and rule.parent == decision.rule:
                for values in _values(rule.binds.binds if rule.binds is not None else (), address):
                    text = " ".join([rule.id, *map(_text, values.values())])
                    yield Option(text, {"option": rule.id, "with": values}, rule.id)
        return
    asking = program.rules.get(decision.rule)
    for statement in statements(program, asking.body) if asking is not None and decision.kind == "choose" else ():
        if isinstance(statement, Choose):
            for values in _values(statement.binds.binds, address):
                yield Option(", ".join(map(_text, values.values())), values)


def _values(binds: Sequence[Bind], address: str) -> Iterator[dict[str, Any]]:
    names = [bind.name for bind in binds]
    for values in itertools.product(*(_candidates(bind, address) for bind in binds)):
        yield dict(zip(names, values, strict=True))


def _candidates(bind: Bind, address: str) -> list[Any]:
    """Values of a name: those that the address names, or else the first few."""
    said = set(_WORD.findall(address))
    match bind.type:
        case MemberType(domain):
            return [name for name in domain.members if name in said] or list(domain.members[:_EACH])
        case NumberType(low, high):
            numbers = range(low, high + 1)
            return [number for number in numbers if str(number) in said] or list(numbers[:_EACH])
        case FlagType():
            return [False, True]
    square = _SQUARE.search(address) if bind.type == SQUARE else None
    return [{"x": int(square[1]), "y": int(square[2])}] if square is not None else []


def _text(value: Any) -> str:
    return f"({value['x']}, {value['y']})" if isinstance(value, dict) else str(value)
