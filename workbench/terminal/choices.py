"""Numbered lists of options, grouped by action when there are many, and the reading of what was typed."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, TypeAlias

import attrs

from rulelang.source import visible

if TYPE_CHECKING:
    from interpreter.data import Decision

    from ..wording import Wording


FLAT = 12
"""Most options of a menu that are listed at once; more are grouped by action first."""


@attrs.frozen
class Entry:
    """A line of a list: the number or word to type, and the options it stands for (one, or all of an action)."""

    label: str
    text: str
    indices: tuple[int, ...]


@attrs.frozen
class Chosen:
    index: int


@attrs.frozen
class Narrowed:
    """Several options fit; they make up the next list."""

    indices: tuple[int, ...]


@attrs.frozen
class Unclear:
    """No option fits; the message says what to do."""

    message: str


Answer: TypeAlias = Chosen | Narrowed | Unclear


def entries(decision: Decision, among: Sequence[int] | None = None, wording: Wording | None = None) -> list[Entry]:
    """The list to show: all options, those of ``among``, or the actions when there are many options.

    ``wording``: how options are told; by default as the rules have them.
    """
    indices = tuple(range(len(decision.options)) if among is None else among)
    actions: dict[str | None, list[int]] = {}
    for index in indices:
        actions.setdefault(decision.options[index].id, []).append(index)
    if len(actions) > 1 and len(indices) > FLAT:
        lines = [(_group_text(decision, wording, members), tuple(members)) for members in actions.values()]
    else:
        one_action = among is not None and len(actions) == 1
        lines = [(_text(decision, wording, index, one_action), (index,)) for index in indices]
    values_are_numbers = all(text.isascii() and text.isdigit() for text, _ in lines)
    return [
        Entry(text if values_are_numbers else str(number), text, members)
        for number, (text, members) in enumerate(lines, 1)
    ]


def _group_text(decision: Decision, wording: Wording | None, members: Sequence[int]) -> str:
    first = decision.options[members[0]]
    if len(members) == 1:
        return first.text if wording is None else wording.option(decision, first)
    if wording is None:
        return f"{first.id} ... ({len(members)} ways)"
    return wording.words.say("turn.ways", action=wording.action(first.id or ""), n=len(members))


def _text(decision: Decision, wording: Wording | None, index: int, without_action: bool) -> str:
    option = decision.options[index]
    text = option.text if wording is None else wording.option(decision, option)
    rest = text.removeprefix(option.id or "").strip() if without_action and option.id else ""
    return rest or text


def read(
    text: str,
    decision: Decision,
    listed: Sequence[Entry],
    names: Collection[str] = (),
    wording: Wording | None = None,
) -> Answer:
    """The meaning of the text typed below the list, in the words of the rules or of the list.

    ``names``: all names of things in the game. A full name means itself, never a longer name that begins with it.
    """
    for entry in listed:
        if entry.label == text:
            return _narrow(entry.indices)
    tokens = _tokens(text)
    if text.isascii() and text.isdigit() and not any(text in _tokens(e.text) for e in listed):
        return Unclear(_no_number(text, listed))
    shown = [index for entry in listed for index in entry.indices]
    for pool in (shown, list(range(len(decision.options)))):
        found = _matching(tokens, decision, pool, names)
        if found:
            return _narrow(found)
    if wording is not None and (found := _worded(tokens, decision, shown, wording)):
        return _narrow(found)
    return Unclear(f"`{text}` is not one of the choices. Type a number from the list, or ask `why not {text}`.")


def named(text: str, decision: Decision, listed: Sequence[Entry]) -> Answer | None:
    """The offered options that the text names in full: a number of the list, or an action with all its values.

    None if it names none: what is only the beginning of an option may also be the name of something else.
    """
    for entry in listed:
        if entry.label == text:
            return _narrow(entry.indices)
    tokens = [token.casefold() for token in _tokens(text)]
    found = [i for i in range(len(decision.options)) if _names(tokens, _id(decision, i), _values(decision, i))]
    if tokens and found:
        return _narrow(found)
    if text.isascii() and text.isdigit() and not any(text in _tokens(option.text) for option in decision.options):
        return Unclear(_no_number(text, listed))
    return None


def _names(tokens: list[str], id_: list[str], values: list[str]) -> bool:
    """Whether the tokens are the option's values, perhaps after its id or the beginning of it."""
    if tokens[len(id_) :] != [value.casefold() for value in values]:
        return bool(values) and tokens == [value.casefold() for value in values]
    return all(_starts(word.casefold(), token) for token, word in zip(tokens, id_, strict=False))


def _no_number(text: str, listed: Sequence[Entry]) -> str:
    return f"The list has no number {text}. Choose one from {listed[0].label} to {listed[-1].label}."


def _narrow(indices: Sequence[int]) -> Answer:
    return Chosen(indices[0]) if len(indices) == 1 else Narrowed(tuple(indices))


def _matching(tokens: list[str], decision: Decision, pool: Sequence[int], names: Collection[str]) -> list[int]:
    """The options that begin with the tokens; whole words win over beginnings, exact case over any case."""
    exact = [i for i in pool if tokens in (_tokens(decision.options[i].text), _values(decision, i))]
    if exact:
        return exact
    for fold in (False, True):
        begun = [i for i in pool if _begins(tokens, _id(decision, i), _values(decision, i), fold, names)]
        begun = begun or [i for i in pool if _begins(tokens, [], _values(decision, i), fold, names)]
        whole = [i for i in begun if _equal_so_far(tokens, decision, i)]
        if begun:
            return whole or begun
    return []


def _worded(tokens: list[str], decision: Decision, pool: Sequence[int], wording: Wording) -> list[int]:
    """The options in whose sentence, as the list tells it, every typed word begins a word."""
    typed = [token.casefold() for token in tokens]
    told = {i: [word.casefold() for word in _tokens(wording.option(decision, decision.options[i]))] for i in pool}
    return [i for i, words in told.items() if all(any(word.startswith(t) for word in words) for t in typed)]


def _begins(tokens: list[str], id_: list[str], values: list[str], fold: bool, names: Collection[str]) -> bool:
    if not tokens or len(tokens) > len(id_) + len(values):
        return False
    for place, (token, word) in enumerate(zip(tokens, id_ + values, strict=False)):
        if token in names and place >= len(id_):
            fits = token == word
        else:
            fits = _starts(word.casefold(), token.casefold()) if fold else _starts(word, token)
        if not fits:
            return False
    return True


def _starts(word: str, token: str) -> bool:
    """Both ``build.d`` and ``d`` are beginnings of ``build.dock``: the last part of an id may stand for all of it."""
    return word.startswith(token) or word.rpartition(".")[2].startswith(token)


def _equal_so_far(tokens: list[str], decision: Decision, index: int) -> bool:
    words = _tokens(decision.options[index].text)
    values = _values(decision, index)
    last = slice(len(tokens) - 1, len(tokens))
    return tokens[-1].casefold() in [word.casefold() for word in words[last] + values[last]]


_APART = str.maketrans(",(){}", "     ")


def _tokens(text: str) -> list[str]:
    """The words of an option or of what was typed: ``build(a1)`` is ``build a1``."""
    return text.translate(_APART).split()


def _id(decision: Decision, index: int) -> list[str]:
    option = decision.options[index]
    return [] if option.id is None else [option.id]


def _values(decision: Decision, index: int) -> list[str]:
    """The words of an option after its id."""
    option = decision.options[index]
    words = _tokens(option.text)
    return words[1:] if option.id is not None else words


def reader() -> Callable[[str], str]:
    """Shows a prompt and reads a line. At a terminal the arrow keys move in the line and through earlier ones."""
    if sys.stdin.isatty():
        with contextlib.suppress(ImportError):  # not on every system
            import readline

            readline.set_history_length(500)
    return lambda prompt: input(visible(prompt))
