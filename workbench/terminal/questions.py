"""Answers about the game: `why`, `why not`, and `look NAME`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from interpreter.errors import GameError
from rulelang.diagnostics import did_you_mean, similar
from rulelang.program import Program
from rulelang.program.values import plain
from rulelang.types import Domain

from ..arguments import known
from ..wording import Wording
from . import choices
from .faces import LARGE, Faces
from .telling import explanation_lines, plain_text

if TYPE_CHECKING:
    from interpreter.data import Decision
    from interpreter.game import Game, State


_WORD = re.compile(r"[^\s,:(]+")
"""The name of an action."""
_VALUE = re.compile(r"\([^()]*\)|[^\s,]+")
"""A word, or a text in brackets."""
_PAYING = re.compile(r"^pays?\b\s*")


def names_in(game: Game) -> frozenset[str]:
    """The names of all things in the game."""
    return frozenset(member for domain in game.program.domains.values() for member in domain.members)


def why(
    game: Game, state: State, decision: Decision, text: str, listed: Sequence[choices.Entry], wording: Wording
) -> list[Text]:
    """Explains why the choice (a number from the list, or its words) is offered."""
    if not text:
        return [Text("Name a choice, for example `why 2`.")]
    answer = choices.read(text, decision, listed, names_in(game), wording)
    if isinstance(answer, choices.Unclear):
        return [Text(f"`{text}` is not offered; `why not {text}` says why.")]
    return _offered(state, decision, answer, wording)


def _offered(
    state: State, decision: Decision, answer: choices.Chosen | choices.Narrowed, wording: Wording
) -> list[Text]:
    """Why an offered option is legal; if several fit, which they are."""
    if isinstance(answer, choices.Narrowed):
        few = ", ".join(wording.option(decision, decision.options[i]) for i in answer.indices[:5])
        return [Text(f"Which one: {few}{', ...' if len(answer.indices) > 5 else ''}?")]
    explanation = state.why(answer.index)
    told = wording.option(decision, decision.options[answer.index])
    return [Text(told, style="bold"), *explanation_lines(explanation, wording)]


def why_not(
    game: Game, state: State, decision: Decision, text: str, listed: Sequence[choices.Entry], wording: Wording
) -> list[Text]:
    """Explains condition by condition why the choice that the text names is not offered; or that it is."""
    if not text:
        return [Text("Name what you would like to do: `why not NAME VALUE ...`")]
    match choices.named(text, decision, listed):
        case choices.Chosen() | choices.Narrowed() as answer:
            return _offered(state, decision, answer, wording)
        case choices.Unclear(message) if decision.kind != "choose" or not _takes_numbers(decision):
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
    if not found:
        names = [member for domain in wording.program.domains.values() for member in domain.members]
        advice = did_you_mean(name, names) or "Use a name that you see on the table."
        yield Text(f"There is nothing called `{name}`. {advice}")
    for domain, member in found:
        yield from _one(wording, domain, member)


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
