"""``why`` and ``why not``: what makes a choice legal, and which condition keeps it from being offered."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from interpreter.errors import GameError

from ..arguments import known
from . import choices
from .telling import explanation_lines

if TYPE_CHECKING:
    from interpreter.data import Decision
    from interpreter.game import Game, State

_VALUE = re.compile(r"\([^)]*\)|[^\s,]+")
"""A word, or a text in brackets."""


def names_in(game: Game) -> frozenset[str]:
    """The names of all things in the game."""
    return frozenset(member for domain in game.program.domains.values() for member in domain.members)


def why(game: Game, state: State, decision: Decision, text: str, listed: Sequence[choices.Entry]) -> list[Text]:
    """Explains why the choice (a number from the list, or its words) is offered."""
    if not text:
        return [Text("Name a choice, for example `why 2`.")]
    answer = choices.read(text, decision, listed, names_in(game))
    match answer:
        case choices.Chosen(index):
            return [
                Text(decision.options[index].text, style="bold"),
                *explanation_lines(state.why(index), game.program),
            ]
        case choices.Narrowed(indices):
            few = ", ".join(decision.options[i].text for i in indices[:5])
            return [Text(f"Which one: {few}{', ...' if len(indices) > 5 else ''}?")]
    return [Text(f"`{text}` is not offered; `why not {text}` says why.")]


def why_not(game: Game, state: State, decision: Decision, text: str) -> list[Text]:
    """Explains condition by condition why the choice that the text names is not offered."""
    words = _VALUE.findall(text)
    if not words:
        return [Text("Name what you would like to do: `why not NAME VALUE ...`")]
    option = _option(game, decision, words[0])
    if option is None and decision.kind == "menu":
        ids = [rule.id for rule in game.program.rules.values() if rule.kind == "option"]
        return [Text(f"There is no action `{words[0]}`; {known(words[0], ids)}.")]
    binders = _binders(game, decision, option)
    given = words[1:] if option is not None else words
    if option is None and decision.kind == "pay":
        values = {"pays": text}
    else:
        values = dict(zip(binders, (word.partition("=")[2] or word for word in given), strict=False))
        if len(given) != len(binders) and option not in _asked_elsewhere(game, decision):
            form = " ".join([option or "", *(name.upper() for name in binders)]).strip()
            return [Text(f"{'Give these values' if binders else 'It takes no values'}: `why not {form}`")]
    try:
        explanation = state.why_not(option, values)
    except GameError as error:
        return [Text(str(error))]
    return explanation_lines(explanation, game.program)


def _option(game: Game, decision: Decision, word: str) -> str | None:
    """The option that the word names: first in this menu, then in the whole game. Its last part or beginning will do.

    If the decision is not a menu, only a whole name counts, since the word may be a value.
    """
    rules = [rule for rule in game.program.rules.values() if rule.kind == "option"]
    everywhere = [rule.id for rule in rules]
    if decision.kind != "menu":
        return word if word in everywhere else None
    offered = dict.fromkeys(option.id for option in decision.options)
    here = [rule.id for rule in rules if rule.id in offered or rule.parent == decision.rule]
    for pool in (here, everywhere):
        for fits in (str.__eq__, str.startswith, _last_part):
            found = [id_ for id_ in pool if fits(id_, word)]
            if found:
                return found[0]
    return None


def _last_part(id_: str, word: str) -> bool:
    return id_.rpartition(".")[2].startswith(word)


def _asked_elsewhere(game: Game, decision: Decision) -> set[str]:
    """Options of other menus; all there is to say about them is that they are not asked for now."""
    rules = game.program.rules.values()
    offered = {option.id for option in decision.options}
    return {r.id for r in rules if r.kind == "option" and r.parent != decision.rule and r.id not in offered}


def _binders(game: Game, decision: Decision, option: str | None) -> list[str]:
    """The names of the values to choose, in order."""
    if option is not None:
        binds = game.program.rules[option].binds
        return [bind.name for bind in binds.binds] if binds else []
    for offered in decision.options:
        if isinstance(offered.value, dict):
            return list(offered.value)
    return []
