"""Find the option that somebody means: by its number, or by its value as plain data.

Values are read by the types of what is chosen, so everything that says the same thing is the same choice: a record by
its parts' names or in their order, pieces with or without zeros, a sequence of values in place of a dict of names.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any

import attrs

from rulelang import program as ir
from rulelang.diagnostics import did_you_mean
from rulelang.program.values import from_plain, sample
from rulelang.types import MemberType, OptionalType, Type

from ..data import Option
from ..errors import IllegalChoice
from .position import ChooseQuestion, MenuQuestion, OpenQuestion, PayQuestion, Position

LISTED = 12
"""So many options at most are listed in a message."""


class Unfit(Exception):
    """What was given cannot mean any option of the decision; the message says what would."""


@attrs.frozen
class Meant:
    """What was given, read as one possible choice. ``raw``: its bare value.

    ``option`` and ``values``: the same as ``why_not`` takes them.
    """

    raw: Any
    option: str | None
    values: dict[str, Any]


def index_of(position: Position, choice: Any) -> int:
    """The index of the option meant. IllegalChoice says why there is none.

    ``choice``: an index (any integer but a bool), an Option, or the value of an option as plain data.
    """
    asked = position.asked
    if asked is None:
        why = "the game is over" if position.over else "nothing is being asked"
        raise IllegalChoice(f"there is nothing to choose: {why}")
    number = None if isinstance(choice, bool) else _integer(choice)
    if number is not None:
        count = len(asked.raws)
        if 0 <= number < count:
            return number
        raise IllegalChoice(f"{number} is not one of the {count} options, which are numbered from 0 to {count - 1}")
    try:
        meant = read(asked, choice.value if isinstance(choice, Option) else choice)
    except Unfit as error:
        end = "" if str(error).endswith("?") else "."
        raise IllegalChoice(f"{error}{end} {_offered(position, asked, None)}") from None
    found = find(asked, meant)
    if found is None:
        raise IllegalChoice(f"{_why_not(position, meant)} {_offered(position, asked, meant.option)}")
    return found


def find(asked: OpenQuestion, meant: Meant) -> int | None:
    """The index of a choice, None when it is not offered. No two options have the same value."""
    return asked.raws.index(meant.raw) if meant.raw in asked.raws else None


def matching(position: Position, value: Any) -> int | None:
    """The index of the option with this value; None when it is not offered, or can mean nothing here."""
    assert position.asked is not None
    try:
        return find(position.asked, read(position.asked, value))
    except Unfit:
        return None


def read(asked: OpenQuestion, value: Any) -> Meant:
    """What plain data means in the open decision. Raises Unfit when it can mean nothing."""
    question = asked.question
    match question:
        case ChooseQuestion():
            if value is None:
                return Meant(None, None, {"no": None})
            return _chosen(question.node.binds, value)
        case MenuQuestion():
            return _from_menu(question, value)
        case PayQuestion():
            type_ = question.source.variable.type
            if isinstance(value, Mapping) and set(value) == {"pays"}:
                try:
                    return Meant(from_plain(value["pays"], type_), None, dict(value))
                except ValueError as error:
                    raise Unfit(f"this payment cannot be read: {error}") from None
            example = {"pays": sample(type_)}
            raise Unfit(f"{_shown(value)} does not say what to pay; write for example {example!r}")
    raise AssertionError(f"{type(question).__name__} has no options")


def _chosen(binds: ir.Binds, value: Any) -> Meant:
    names = [bind.name for bind in binds.binds]
    if not isinstance(value, (Mapping, list, tuple)) and len(names) == 1:
        value = {names[0]: value}
    given = _by_name(binds, value, "this choice")
    return Meant(_raws(binds, given), None, given)


def _from_menu(question: MenuQuestion, value: Any) -> Meant:
    items = {item.rule.id: number for number, item in enumerate(question.node.items)}
    id_, given = (value, {}) if isinstance(value, str) else _parts(question, value)
    if id_ not in items:
        near = did_you_mean(id_, items) or f"It is one of {', '.join(items)}."
        raise Unfit(f"`{id_}` is not an option of this menu. {near}".removesuffix("."))
    item = question.node.items[items[id_]]
    if item.binds is None:
        if given:
            raise Unfit(f"`{id_}` is chosen without any values")
        return Meant((items[id_], ()), id_, {})
    values = _by_name(item.binds, given, f"`{id_}`")
    return Meant((items[id_], _raws(item.binds, values)), id_, values)


def _parts(question: MenuQuestion, value: Any) -> tuple[str, Any]:
    """The id of an option and the values given with it."""
    if isinstance(value, Mapping) and isinstance(value.get("option"), str) and set(value) <= {"option", "with"}:
        return value["option"], value.get("with") or {}
    item = question.node.items[0]
    example = {"option": item.rule.id, "with": _sample(item.binds)}
    raise Unfit(f"{_shown(value)} does not say which option of the menu; write for example {example!r}")


def _by_name(binds: ir.Binds, value: Any, what: str) -> dict[str, Any]:
    """The values by the names of what is chosen; a sequence has them in order. All must be there."""
    names = [bind.name for bind in binds.binds]
    if isinstance(value, (list, tuple)) and len(value) == len(names):
        return dict(zip(names, value, strict=True))
    if isinstance(value, Mapping) and set(value) == set(names):
        return {name: value[name] for name in names}
    if isinstance(value, Mapping):
        unknown = [name for name in value if name not in names]
        if unknown:
            near = did_you_mean(str(unknown[0]), names) or f"its names are {', '.join(names)}"
            raise Unfit(f"`{unknown[0]}` is not chosen with {what}; {near}".removesuffix("."))
        missing = ", ".join(f"`{name}`" for name in names if name not in value)
        raise Unfit(f"{what} is not clear without {missing}; write for example {_sample(binds)!r}")
    raise Unfit(f"{_shown(value)} does not say {', '.join(names)}; write for example {_sample(binds)!r}")


def _raws(binds: ir.Binds, values: Mapping[str, Any]) -> tuple[Any, ...]:
    found = []
    for bind in binds.binds:
        try:
            found.append(from_plain(values[bind.name], bind.type))
        except ValueError as error:
            near = _near(values[bind.name], bind.type)
            raise Unfit(f"`{bind.name}` cannot be read: {error}{near}") from None
    return tuple(found)


def _near(value: Any, type_: Type) -> str:
    if isinstance(type_, OptionalType):
        type_ = type_.item
    if not isinstance(type_, MemberType) or not isinstance(value, str):
        return ""
    near = did_you_mean(value, type_.domain.members)
    return f". {near}" if near else ""


def _sample(binds: ir.Binds | None) -> dict[str, Any]:
    return {} if binds is None else {bind.name: sample(bind.type) for bind in binds.binds}


def _integer(choice: Any) -> int | None:
    try:
        return operator.index(choice)
    except TypeError:
        return None


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


# ---------------------------------------------------------------- saying why not


def _why_not(position: Position, meant: Meant) -> str:
    from . import explanations

    told = explanations.why_not(position, meant.option, meant.values)
    return told.text if not told.allowed else "This is not offered."


def _offered(position: Position, asked: OpenQuestion, id_: str | None) -> str:
    """What may be chosen instead: all of it when it is short, else of the option that was meant, else how many."""
    options = asked.decision(position).options
    own = [option for option in options if id_ is not None and option.id == id_]
    for listed in (options, own):
        if 0 < len(listed) <= LISTED:
            return f"Offered: {'; '.join(option.text for option in listed)}."
    ids = list(dict.fromkeys(option.id for option in options if option.id is not None))
    among = f", of {', '.join(ids)}" if 0 < len(ids) <= LISTED else ""
    return f"There are {len(options)} options{among}: see `decision.options`."
