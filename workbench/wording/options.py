"""Options as sentences: the label of an action with its values in place of its names, such as "build on {f}"."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rulelang.program import Program
from rulelang.program.nodes import Bind, Choose
from rulelang.program.walk import statements

from ..pictures.build.facts import domain_of
from ..pictures.scene.look import PLACEHOLDER, Word, filled, words

if TYPE_CHECKING:
    from .names import Names


def option_text(names: Names, rule: str, option: str | None, value: Any) -> str:
    """What an option says. ``rule``: the rule that asks; ``option`` and ``value`` as in ``interpreter.data.Option``."""
    if value is None:
        return names.words.say("option.enough" if asks_for_several(names.program, rule) else "option.no")
    if "pays" in value and option is None:
        return names.words.say("option.pay", pieces=names.pieces(value["pays"]))
    told = values_of(names, rule, option, value)
    if option is not None:
        return action_text(names, option, told)
    label = names.look.of(rule).labels.get(names.look.lang or "en", "")
    mentioned = PLACEHOLDER.findall(label)
    return with_values(label, told) if mentioned and set(mentioned) <= set(told) else _listed(told)


def _listed(told: Mapping[str, Word]) -> str:
    return ", ".join(word.text for word in told.values())


def values_of(names: Names, rule: str, option: str | None, value: Mapping[str, Any]) -> dict[str, Word]:
    """The values of an option in words, by their names in the rules; see ``option_text``."""
    given = value["with"] if option is not None else value
    types = _types(names.program, rule, option)
    return {name: _value(names, one, types.get(name)) for name, one in given.items()}


def asks_for_several(program: Program, rule: str) -> bool:
    """Whether a rule asks for one of several after another: choosing nothing then means that it is enough."""
    asked = program.rules[rule].body if rule in program.rules else ()
    return any(isinstance(each, Choose) and each.some is not None for each in statements(program, asked))


def action_label(names: Names, option: str) -> str:
    """What an action is called; its values may stand in it in braces."""
    label = names.look.of(option).labels.get(names.look.lang or "en")
    return label or words(option)


def action_text(names: Names, option: str, told: Mapping[str, Word]) -> str:
    """An action with its values in words; without a label its name, and the values behind it."""
    named = names.look.of(option).labels.get(names.look.lang or "en")
    return with_values(named, told) if named else " ".join([words(option), _listed(told)]).rstrip()


def with_values(label: str, told: Mapping[str, Word]) -> str:
    """A label with its values; those that it does not mention follow it."""
    mentioned = set(PLACEHOLDER.findall(label))
    rest = _listed({name: word for name, word in told.items() if name not in mentioned})
    text = filled(label, told)
    return f"{text}: {rest}" if rest else text


def _value(names: Names, value: Any, bind: Bind | None) -> Word:
    return names.worded(value, None if bind is None else domain_of(bind.type))


def _types(program: Program, rule: str, option: str | None) -> Mapping[str, Bind]:
    if option is not None:
        asked = program.rules.get(option)
        return {} if asked is None or asked.binds is None else {bind.name: bind for bind in asked.binds.binds}
    return _chosen(program, rule)


def _chosen(program: Program, rule: str) -> Mapping[str, Bind]:
    """The names that a rule lets players choose values for."""
    body = program.rules[rule].body if rule in program.rules else ()
    return {
        bind.name: bind
        for statement in statements(program, body)
        if isinstance(statement, Choose)
        for bind in statement.binds.binds
    }
