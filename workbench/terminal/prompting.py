"""Options in numbered lists, the reading of what was typed, and answers: `why`, `why not`, and `look NAME`."""

from __future__ import annotations

import contextlib
import re
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

import attrs
from rich.console import RenderableType
from rich.text import Text

from interpreter.errors import GameError
from rulelang.diagnostics import did_you_mean, similar
from rulelang.program import Program
from rulelang.program.values import plain
from rulelang.source import visible
from rulelang.types import Domain

from ..arguments import known
from ..wording import Wording
from ..wording.topics import topic
from . import prompting
from .boards import LARGE, Faces
from .telling import explanation_lines, plain_text

if TYPE_CHECKING:
    from interpreter.data import Decision
    from interpreter.game import Game, State


FLAT = 12
"""Most options of a menu that are listed at once; more are grouped by action first."""


@attrs.frozen
class MenuEntry:
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


def entries(decision: Decision, among: Sequence[int] | None = None, wording: Wording | None = None) -> list[MenuEntry]:
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
    refused = [members for _, members in lines if decision.options[members[0]].value is None]
    numbers = [text for text, _ in lines if _is_number(text)]
    as_typed = len(numbers) > 1 and len(numbers) + len(refused) == len(lines)  # a number means itself, not a line
    return [
        MenuEntry(text if as_typed else str(number), text, members) for number, (text, members) in enumerate(lines, 1)
    ]


def stretch(listed: Sequence[MenuEntry]) -> tuple[str, Sequence[MenuEntry]] | None:
    """Many numbers that may be typed, as "26–200", and the entries beside them; None where that says too little."""
    numbers = [int(entry.label) for entry in listed if entry.label == entry.text and _is_number(entry.text)]
    if len(numbers) <= FLAT or numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        return None
    return f"{numbers[0]}–{numbers[-1]}", [entry for entry in listed if not _is_number(entry.text)]


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


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
    listed: Sequence[MenuEntry],
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


def named(text: str, decision: Decision, listed: Sequence[MenuEntry]) -> Answer | None:
    """The offered options that the text names in full: a number of the list, or an action with all its values.

    None if it names none: what is only the beginning of an option may also be the name of something else.
    """
    for entry in listed:
        if entry.label == text:
            return _narrow(entry.indices)
    tokens = [token.casefold() for token in _tokens(text)]
    found = [i for i in range(len(decision.options)) if _names(tokens, _id(decision, i), _typed_values(decision, i))]
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


def _no_number(text: str, listed: Sequence[MenuEntry]) -> str:
    numbers = [entry.label for entry in listed if _is_number(entry.label)]
    return f"The list has no number {text}. Choose one from {numbers[0]} to {numbers[-1]}."


def _narrow(indices: Sequence[int]) -> Answer:
    return Chosen(indices[0]) if len(indices) == 1 else Narrowed(tuple(indices))


def _matching(tokens: list[str], decision: Decision, pool: Sequence[int], names: Collection[str]) -> list[int]:
    """The options that begin with the tokens; whole words win over beginnings, exact case over any case."""
    exact = [i for i in pool if tokens in (_tokens(decision.options[i].text), _typed_values(decision, i))]
    if exact:
        return exact
    for fold in (False, True):
        begun = [i for i in pool if _begins(tokens, _id(decision, i), _typed_values(decision, i), fold, names)]
        begun = begun or [i for i in pool if _begins(tokens, [], _typed_values(decision, i), fold, names)]
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
    values = _typed_values(decision, index)
    last = slice(len(tokens) - 1, len(tokens))
    return tokens[-1].casefold() in [word.casefold() for word in words[last] + values[last]]


_APART = str.maketrans(",(){}", "     ")


def _tokens(text: str) -> list[str]:
    """The words of an option or of what was typed: ``build(a1)`` is ``build a1``."""
    return text.translate(_APART).split()


def _id(decision: Decision, index: int) -> list[str]:
    option = decision.options[index]
    return [] if option.id is None else [option.id]


def _typed_values(decision: Decision, index: int) -> list[str]:
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


_WORD = re.compile(r"[^\s,:(]+")
"""The name of an action."""
_VALUE = re.compile(r"\([^()]*\)|[^\s,]+")
"""A word, or a text in brackets."""
_PAYING = re.compile(r"^pays?\b\s*")


def names_in(game: Game) -> frozenset[str]:
    """The names of all things in the game."""
    return frozenset(member for domain in game.program.domains.values() for member in domain.members)


def why(
    game: Game, state: State, decision: Decision, text: str, listed: Sequence[prompting.MenuEntry], wording: Wording
) -> list[Text]:
    """Explains why the choice (a number from the list, or its words) is offered."""
    if not text:
        return [Text("Name a choice, for example `why 2`.")]
    answer = prompting.read(text, decision, listed, names_in(game), wording)
    if isinstance(answer, prompting.Unclear):
        return [Text(f"`{text}` is not offered; `why not {text}` says why.")]
    return _offered(state, decision, answer, wording)


def _offered(
    state: State, decision: Decision, answer: prompting.Chosen | prompting.Narrowed, wording: Wording
) -> list[Text]:
    """Why an offered option is legal; if several fit, which they are."""
    if isinstance(answer, prompting.Narrowed):
        few = ", ".join(wording.option(decision, decision.options[i]) for i in answer.indices[:5])
        return [Text(f"Which one: {few}{', ...' if len(answer.indices) > 5 else ''}?")]
    explanation = state.why(answer.index)
    told = wording.option(decision, decision.options[answer.index])
    return [Text(told, style="bold"), *explanation_lines(explanation, wording)]


def why_not(
    game: Game, state: State, decision: Decision, text: str, listed: Sequence[prompting.MenuEntry], wording: Wording
) -> list[Text]:
    """Explains condition by condition why the choice that the text names is not offered; or that it is."""
    if not text:
        return [Text("Name what you would like to do: `why not NAME VALUE ...`")]
    match prompting.named(text, decision, listed):
        case prompting.Chosen() | prompting.Narrowed() as answer:
            return _offered(state, decision, answer, wording)
        case prompting.Unclear(message) if decision.kind != "choose" or not _takes_numbers(decision):
            return [Text(message)]
    first = _WORD.match(text)
    option = None if first is None else _option(game, decision, first.group())
    if option is None and decision.kind == "menu":
        word = text.split()[0] if first is None else first.group()
        ids = [rule.id for rule in game.program.rules.values() if rule.kind == "option"]
        here = [id_ for id_ in ids if game.program.rules[id_].parent == decision.rule]
        advice = known(word, ids if similar(word, ids) else here or ids)
        return [Text(f"There is no action `{word}`; {advice}" + ("" if advice.endswith("?") else "."))]
    if option is None and decision.kind == "pay":
        return _explained(wording, state, None, {"pays": _PAYING.sub("", text)})
    binders = _binders(game, decision, option)
    given = _values(text[first.end() :] if first is not None and option is not None else text, len(binders))
    values = {name: _spelt(game, value) for name, value in zip(binders, given, strict=False)}
    if len(given) != len(binders) and option not in _asked_elsewhere(game, decision):
        form = " ".join([option or "", *(name.upper() for name in binders)]).strip()
        return [Text(f"{'Give these values' if binders else 'It takes no values'}: `why not {form}`")]
    return _explained(wording, state, option, values)


def _explained(wording: Wording, state: State, option: str | None, values: dict[str, str]) -> list[Text]:
    try:
        explanation = state.why_not(option, values)
    except GameError as error:
        return [Text(str(error))]
    return explanation_lines(explanation, wording)


def _values(text: str, wanted: int) -> list[str]:
    """The values after an action's name, which may stand in brackets: ``f1``, ``(f1)``, ``(t4, (0, 1))``."""
    text = text.lstrip(": ").rstrip()
    found = _VALUE.findall(text)
    if len(found) != wanted and text.startswith("(") and text.endswith(")"):
        found = _VALUE.findall(text[1:-1])
    return [value for value in map(_bare, found) if value]


def _bare(value: str) -> str:
    """A value without its name (``f=f1``), and without brackets that hold nothing but a single word."""
    value = value.partition("=")[2] or value
    return value if "," in value else value.strip("()")


def _spelt(game: Game, value: str) -> str:
    """The name of a thing as the rules spell it, if only capital letters differ."""
    names = names_in(game)
    if value in names:
        return value
    alike = [name for name in names if name.casefold() == value.casefold()]
    return alike[0] if len(alike) == 1 else value


def _takes_numbers(decision: Decision) -> bool:
    """Whether the values to choose can be numbers."""
    values = [option.value for option in decision.options]
    return any(type(value) is int for each in values if each is not None for value in each.values())


def _option(game: Game, decision: Decision, word: str) -> str | None:
    """The option that the word names: first in this menu, then in the whole game. Its last part or beginning will do.

    If the decision is not a menu, the word may be a value: the name of a thing means that thing.
    """
    rules = [rule for rule in game.program.rules.values() if rule.kind == "option"]
    everywhere = [rule.id for rule in rules]
    if decision.kind != "menu" and word not in everywhere and (word in names_in(game) or word.isdecimal()):
        return None
    offered = dict.fromkeys(option.id for option in decision.options)
    here = [rule.id for rule in rules if rule.id in offered or rule.parent == decision.rule]
    word = word.casefold()
    for pool in (here, everywhere):
        for fits in (str.__eq__, str.startswith, _last_part):
            found = [id_ for id_ in pool if fits(id_.casefold(), word)]
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


def looked_at(wording: Wording, name: str) -> Iterator[RenderableType]:
    """All there is to see of what has this name, in the rules or in the language of the labels."""
    if not name:
        yield Text("Name a piece, for example a tile, a card or a field: `look NAME`")
        return
    found = list(_named(wording, name))
    about = topic(wording, name)
    if not found and about is None:
        names = [member for domain in wording.program.domains.values() for member in domain.members]
        advice = did_you_mean(name, names) or "Use a name that you see on the table."
        yield Text(f"There is nothing called `{name}`. {advice}")
    for domain, member in found:
        yield from _one(wording, domain, member)
    if about is not None:
        if not found:
            yield Text(about["name"], style="bold")
            yield from (Text(f"  {line}", style="italic") for line in about["lines"])
        for rule in about["rules"]:
            yield Text(f"  {rule['title']}: ", style="dim").append(" ".join(rule["sentences"]), style="not dim")


def _named(wording: Wording, name: str) -> Iterator[tuple[Domain, str]]:
    wanted = name.casefold()
    for domain in wording.program.domains.values():
        for member in domain.members:
            if wanted in (member.casefold(), wording.look.label(f"{domain.name}~{member}").casefold()):
                yield domain, member


def _one(wording: Wording, domain: Domain, member: str) -> Iterator[RenderableType]:
    label = wording.member(domain.name, member)
    head = Text(label, style="bold").append(f"  {wording.look.label(domain.name)}", style="not bold dim")
    yield head.append(f" `{member}`" if label != member else "", style="not bold dim")
    faces = Faces(wording.program, wording.look)
    if faces.has(domain):
        yield faces.face(domain, member, size=LARGE)
        yield faces.legend()
        yield Text(faces.maker.tile(domain, member).alt)
    for column, told in _columns(wording.program, domain, member):
        yield Text(f"  {wording.look.label(f'{domain.name}.{column}')}: ", style="dim").append(told, style="not dim")
    for sentence in wording.sentences(member, f"{domain.name}.{member}"):
        yield Text(f"  {sentence}", style="italic")


def _columns(program: Program, domain: Domain, member: str) -> Iterator[tuple[str, str]]:
    """The columns of the row of a member, in words."""
    table = program.tables.get(domain.name)
    if table is None or domain.name in program.grids:
        return
    row = domain.members.index(member)
    for column, type_ in table.types.items():
        if column not in table.rules:
            yield column, plain_text(plain(table.cells[column][row], type_))
