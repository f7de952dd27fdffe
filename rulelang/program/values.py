"""Values of the language as text, as plain data (JSON), and back.

How a value is represented at run time is said in ``types.py``; plain data has members by name, pieces as
``{name: number}`` without zeros, sets and lists as lists, records as ``{part: value}``, and ``None`` for none.
"""

from __future__ import annotations

from typing import Any

from ..types import (
    FlagType,
    ListType,
    MemberType,
    NothingType,
    NumberType,
    OptionalType,
    PiecesType,
    RecordType,
    SetType,
    TupleType,
    Type,
    describe,
    kinds,
)


def name_of(value: int, kind: MemberType | NumberType) -> str:
    """The name of a member, or a number in digits."""
    return kind.domain.members[value] if isinstance(kind, MemberType) else str(value)


def rising(values: Any) -> list[Any]:
    """The values of a set in rising order; none comes before everything else."""
    return sorted(values, key=_order)


def _order(value: Any) -> Any:
    if value is None:
        return (0,)
    if isinstance(value, (tuple, list)):
        return (1, tuple(_order(item) for item in value))
    if isinstance(value, frozenset):
        return (1, tuple(_order(item) for item in rising(value)))
    return (1, value)


def show(value: Any, type_: Type) -> str:
    """The value as text: ``f7``, ``2 gold, 1 iron``, ``none``, ``yes``, ``[red, blue]``."""
    match type_:
        case MemberType() | NumberType():
            return name_of(value, type_)
        case FlagType():
            return "yes" if value else "no"
        case OptionalType(item):
            return "none" if value is None else show(value, item)
        case PiecesType(kind):
            parts = [
                f"{count} of {k}" if isinstance(kind, NumberType) else f"{count} {name_of(k, kind)}"
                for k, count in zip(kinds(kind), value, strict=True)
                if count
            ]
            return ", ".join(parts) or "nothing"
        case ListType(item):
            return "[" + ", ".join(show(v, item) for v in value) + "]"
        case SetType(item):
            return "{" + ", ".join(show(v, item) for v in rising(value)) + "}"
        case TupleType() | RecordType():
            return "(" + ", ".join(show(v, t) for v, t in zip(value, type_.items, strict=True)) + ")"
        case NothingType():
            return "none"
        case _:
            return str(value)


def written(value: Any, type_: Type) -> str:
    """The value as a rules text writes it: ``f7``, ``{gold: 2, iron: 1}``, ``[red, blue]``, ``none``, ``yes``."""
    match type_:
        case OptionalType(item) if value is not None:
            return written(value, item)
        case PiecesType(kind):
            return (
                "{" + ", ".join(f"{name_of(k, kind)}: {n}" for k, n in zip(kinds(kind), value, strict=True) if n) + "}"
            )
        case ListType(item):
            return "[" + ", ".join(written(v, item) for v in value) + "]"
        case SetType(item):
            return "[" + ", ".join(written(v, item) for v in rising(value)) + "]"
        case TupleType() | RecordType():
            return "(" + ", ".join(written(v, t) for v, t in zip(value, type_.items, strict=True)) + ")"
        case _:
            return show(value, type_)


def plain(value: Any, type_: Type) -> Any:
    """The value as plain data that JSON can hold."""
    match type_:
        case MemberType():
            return name_of(value, type_)
        case OptionalType(item):
            return None if value is None else plain(value, item)
        case PiecesType(kind):
            return {name_of(k, kind): n for k, n in zip(kinds(kind), value, strict=True) if n}
        case ListType(item):
            return [plain(v, item) for v in value]
        case SetType(item):
            return [plain(v, item) for v in rising(value)]
        case TupleType(items):
            return [plain(v, t) for v, t in zip(value, items, strict=True)]
        case RecordType(_, fields):
            return {name: plain(v, t) for v, (name, t) in zip(value, fields, strict=True)}
        case NothingType():
            return None
        case _:
            return value


def sample(type_: Type) -> Any:
    """Plain data of the type, to show people what it looks like."""
    match type_:
        case MemberType(domain):
            return domain.members[0] if len(domain) else "..."
        case NumberType(low, high):
            return min(max(1, low), high)
        case FlagType():
            return True
        case OptionalType(item):
            return sample(item)
        case PiecesType(kind):
            return {name_of(kinds(kind)[0], kind): 1} if len(kinds(kind)) else {}
        case ListType(item) | SetType(item):
            return [sample(item)]
        case TupleType(items):
            return [sample(item) for item in items]
        case RecordType(_, fields):
            return {name: sample(item) for name, item in fields}
    return None


def from_plain(data: Any, type_: Type) -> Any:
    """The value that ``plain`` made ``data`` of. ValueError says what is wrong."""
    match type_:
        case MemberType(domain):
            if isinstance(data, str) and data in domain.members:
                return domain.members.index(data)
        case NumberType(low, high):
            if isinstance(data, int) and not isinstance(data, bool) and low <= data <= high:
                return data
        case FlagType():
            if isinstance(data, bool):
                return data
        case OptionalType(item):
            return None if data is None else from_plain(data, item)
        case PiecesType(kind):
            if isinstance(data, dict):
                return _pieces(data, kind, type_)
        case ListType(item):
            if isinstance(data, (list, tuple)):
                return tuple(from_plain(v, item) for v in data)
        case SetType(item):
            if isinstance(data, (list, tuple, set, frozenset)):
                return frozenset(from_plain(v, item) for v in data)
        case TupleType(items):
            if isinstance(data, (list, tuple)) and len(data) == len(items):
                return tuple(from_plain(v, t) for v, t in zip(data, items, strict=True))
        case RecordType(_, fields):
            if isinstance(data, dict) and set(data) == {name for name, _ in fields}:
                return tuple(from_plain(data[name], t) for name, t in fields)
            if isinstance(data, (list, tuple)) and len(data) == len(fields):
                return tuple(from_plain(v, t) for v, (_, t) in zip(data, fields, strict=True))
        case NothingType():
            if data is None:
                return None
    raise ValueError(f"{data!r} is not {describe(type_)}")


def said(data: Any) -> str:
    """Plain data of any kind in words, for messages: ```red```, ``{gold: 2}``, ``[red, blue]``, ``none``, ``yes``."""
    text = f"`{data}`" if isinstance(data, str) and data else _said(data)
    return text if len(text) <= 80 else f"{text[:77]}..."


def _said(data: Any) -> str:
    match data:
        case None:
            return "none"
        case bool():
            return "yes" if data else "no"
        case "":
            return "an empty text"
        case dict():
            return "{" + ", ".join(f"{key}: {_said(value)}" for key, value in data.items()) + "}"
        case list() | tuple() | set() | frozenset():
            return "[" + ", ".join(map(_said, data)) + "]"
    return str(data)


def _pieces(data: dict[Any, Any], kind: MemberType | NumberType, type_: Type) -> tuple[int, ...]:
    names = [name_of(k, kind) for k in kinds(kind)]
    counts = [0] * len(names)
    for name, number in data.items():
        fits = isinstance(number, int) and not isinstance(number, bool) and number >= 0
        if str(name) not in names or not fits:
            raise ValueError(f"{name!r}: {number!r} does not belong to {describe(type_)}")
        counts[names.index(str(name))] += number
    return tuple(counts)


def from_text(text: Any, type_: Type) -> Any:
    """The value a person typed (``f7``, ``3``, ``yes``, ``none``), or plain data. ValueError says what is wrong."""
    if not isinstance(text, str):
        return from_plain(text, type_)
    word = text.strip()
    match type_:
        case OptionalType(item):
            return None if word == "none" else from_text(word, item)
        case NumberType() if word.lstrip("-").isascii() and word.lstrip("-").isdigit():
            return from_plain(int(word), type_)
        case FlagType() if word in ("yes", "no"):
            return word == "yes"
        case PiecesType():
            return from_plain(_pieces_in(word), type_)
        case NothingType() if word == "none":
            return None
        case TupleType() | RecordType():
            parts = word.removeprefix("(").removesuffix(")").split(",")
            if len(parts) == len(type_.items):
                return tuple(from_text(part, t) for part, t in zip(parts, type_.items, strict=True))
    return from_plain(word, type_)


def _pieces_in(text: str) -> dict[str, int]:
    """``2 gold, 1 iron`` or ``{gold: 2, iron: 1}`` as ``{name: number}``."""
    found: dict[str, int] = {}
    inner = text.strip("{} ")
    if inner in ("", "nothing"):
        return found
    for part in inner.split(","):
        words = part.replace(":", " ").replace(" of ", " ").split()
        if len(words) != 2:
            raise ValueError(f"`{part.strip()}` is not a number of pieces; write 2 gold, or gold: 2")
        name, number = (words[0], words[1]) if ":" in part else (words[1], words[0])
        if not (number.isascii() and number.isdigit()):
            raise ValueError(f"`{number}` in `{part.strip()}` is not a number")
        found[name] = found.get(name, 0) + int(number)
    return found


def belongs(value: Any, type_: Type) -> bool:
    """Whether a run-time value is one of the type."""
    match type_:
        case MemberType(domain):
            return type(value) is int and 0 <= value < len(domain)
        case NumberType(low, high):
            return type(value) is int and low <= value <= high
        case FlagType():
            return type(value) is bool
        case OptionalType(item):
            return value is None or belongs(value, item)
        case PiecesType(kind):
            return (
                isinstance(value, tuple)
                and len(value) == len(kinds(kind))
                and all(type(n) is int and n >= 0 for n in value)
            )
        case ListType(item):
            return isinstance(value, tuple) and all(belongs(v, item) for v in value)
        case SetType(item):
            return isinstance(value, frozenset) and all(belongs(v, item) for v in value)
        case TupleType() | RecordType():
            return (
                isinstance(value, tuple)
                and len(value) == len(type_.items)
                and all(belongs(v, t) for v, t in zip(value, type_.items, strict=True))
            )
        case NothingType():
            return value is None
        case _:
            return True
