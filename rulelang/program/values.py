"""Values of the language as text, as plain data (JSON), and back.

How a value is represented at run time is said in ``types.py``; plain data has members by name, pieces as
``{name: number}`` without zeros, sets and lists as lists, records as ``{part: value}``, and ``None`` for none.
"""

from __future__ import annotations

from typing import Any

from .. import types as ty


def name_of(value: int, kind: ty.MemberType | ty.NumberType) -> str:
    """The name of a member, or a number in digits."""
    return kind.domain.members[value] if isinstance(kind, ty.MemberType) else str(value)


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


def _members(value: Any, type_: ty.Type) -> list[tuple[Any, ty.Type]] | None:
    """The members of a list, set, tuple or record in order, each with its type; None for any other value."""
    match type_:
        case ty.ListType(item):
            return [(member, item) for member in value]
        case ty.SetType(item):
            return [(member, item) for member in rising(value)]
        case ty.TupleType() | ty.RecordType():
            return list(zip(value, type_.items, strict=True))
    return None


def _counted(value: Any, kind: ty.MemberType | ty.NumberType) -> list[tuple[int, int]]:
    """The kinds of which there are pieces, with their numbers."""
    return [(each, count) for each, count in zip(ty.kinds(kind), value, strict=True) if count]


def show(value: Any, type_: ty.Type) -> str:
    """The value as text: ``f7``, ``2 gold, 1 iron``, ``none``, ``yes``, ``[red, blue]``."""
    if (members := _members(value, type_)) is not None:
        left, right = "[]" if isinstance(type_, ty.ListType) else "{}" if isinstance(type_, ty.SetType) else "()"
        return f"{left}{', '.join(show(*member) for member in members)}{right}"
    match type_:
        case ty.MemberType() | ty.NumberType():
            return name_of(value, type_)
        case ty.FlagType():
            return "yes" if value else "no"
        case ty.OptionalType(item):
            return "none" if value is None else show(value, item)
        case ty.PiecesType(kind):
            of = " of " if isinstance(kind, ty.NumberType) else " "
            return ", ".join(f"{count}{of}{name_of(k, kind)}" for k, count in _counted(value, kind)) or "nothing"
        case ty.NothingType():
            return "none"
    return str(value)


def written(value: Any, type_: ty.Type) -> str:
    """The value as a rules text writes it: ``f7``, ``{gold: 2, iron: 1}``, ``[red, blue]``, ``none``, ``yes``."""
    if (members := _members(value, type_)) is not None:
        left, right = "[]" if isinstance(type_, (ty.ListType, ty.SetType)) else "()"
        return f"{left}{', '.join(written(*member) for member in members)}{right}"
    match type_:
        case ty.OptionalType(item) if value is not None:
            return written(value, item)
        case ty.PiecesType(kind):
            return "{" + ", ".join(f"{name_of(k, kind)}: {count}" for k, count in _counted(value, kind)) + "}"
    return show(value, type_)


def plain(value: Any, type_: ty.Type) -> Any:
    """The value as plain data that JSON can hold."""
    if (members := _members(value, type_)) is not None:
        parts = [plain(*member) for member in members]
        return (
            {n: part for (n, _), part in zip(type_.fields, parts, strict=True)}
            if isinstance(type_, ty.RecordType)
            else parts
        )
    match type_:
        case ty.MemberType():
            return name_of(value, type_)
        case ty.OptionalType(item):
            return None if value is None else plain(value, item)
        case ty.PiecesType(kind):
            return {name_of(k, kind): count for k, count in _counted(value, kind)}
        case ty.NothingType():
            return None
    return value


def sample(type_: ty.Type) -> Any:
    """Plain data of the type, to show people what it looks like."""
    match type_:
        case ty.MemberType(domain):
            return domain.members[0] if len(domain) else "..."
        case ty.NumberType(low, high):
            return min(max(1, low), high)
        case ty.FlagType():
            return True
        case ty.OptionalType(item):
            return sample(item)
        case ty.PiecesType(kind):
            return {name_of(ty.kinds(kind)[0], kind): 1} if len(ty.kinds(kind)) else {}
        case ty.ListType(item) | ty.SetType(item):
            return [sample(item)]
        case ty.TupleType(items):
            return [sample(item) for item in items]
        case ty.RecordType(_, fields):
            return {name: sample(item) for name, item in fields}
    return None


def from_plain(data: Any, type_: ty.Type) -> Any:
    """The value that ``plain`` made ``data`` of. ValueError says what is wrong."""
    match type_:
        case ty.MemberType(domain):
            if isinstance(data, str) and data in domain.members:
                return domain.members.index(data)
        case ty.NumberType(low, high):
            if isinstance(data, int) and not isinstance(data, bool) and low <= data <= high:
                return data
        case ty.FlagType():
            if isinstance(data, bool):
                return data
        case ty.OptionalType(item):
            return None if data is None else from_plain(data, item)
        case ty.PiecesType(kind):
            if isinstance(data, dict):
                return _pieces(data, kind, type_)
        case ty.ListType(item):
            if isinstance(data, (list, tuple)):
                return tuple(from_plain(v, item) for v in data)
        case ty.SetType(item):
            if isinstance(data, (list, tuple, set, frozenset)):
                return frozenset(from_plain(v, item) for v in data)
        case ty.TupleType(items):
            if isinstance(data, (list, tuple)) and len(data) == len(items):
                return tuple(from_plain(v, t) for v, t in zip(data, items, strict=True))
        case ty.RecordType(_, fields):
            if isinstance(data, dict) and set(data) == {name for name, _ in fields}:
                return tuple(from_plain(data[name], t) for name, t in fields)
            if isinstance(data, (list, tuple)) and len(data) == len(fields):
                return tuple(from_plain(v, t) for v, (_, t) in zip(data, fields, strict=True))
        case ty.NothingType():
            if data is None:
                return None
    raise ValueError(f"{data!r} is not {ty.describe(type_)}")


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


def _pieces(data: dict[Any, Any], kind: ty.MemberType | ty.NumberType, type_: ty.Type) -> tuple[int, ...]:
    names = [name_of(k, kind) for k in ty.kinds(kind)]
    counts = [0] * len(names)
    for name, number in data.items():
        fits = isinstance(number, int) and not isinstance(number, bool) and number >= 0
        if str(name) not in names or not fits:
            raise ValueError(f"{name!r}: {number!r} does not belong to {ty.describe(type_)}")
        counts[names.index(str(name))] += number
    return tuple(counts)


def from_text(text: Any, type_: ty.Type) -> Any:
    """The value a person typed (``f7``, ``3``, ``yes``, ``none``), or plain data. ValueError says what is wrong."""
    if not isinstance(text, str):
        return from_plain(text, type_)
    word = text.strip()
    match type_:
        case ty.OptionalType(item):
            return None if word == "none" else from_text(word, item)
        case ty.NumberType() if word.lstrip("-").isascii() and word.lstrip("-").isdigit():
            return from_plain(int(word), type_)
        case ty.FlagType() if word in ("yes", "no"):
            return word == "yes"
        case ty.PiecesType():
            return from_plain(_pieces_in(word), type_)
        case ty.NothingType() if word == "none":
            return None
        case ty.TupleType() | ty.RecordType():
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


def belongs(value: Any, type_: ty.Type) -> bool:
    """Whether a run-time value is one of the type."""
    match type_:
        case ty.MemberType(domain):
            return type(value) is int and 0 <= value < len(domain)
        case ty.NumberType(low, high):
            return type(value) is int and low <= value <= high
        case ty.FlagType():
            return type(value) is bool
        case ty.OptionalType(item):
            return value is None or belongs(value, item)
        case ty.PiecesType(kind):
            counts = isinstance(value, tuple) and len(value) == len(ty.kinds(kind))
            return counts and all(type(n) is int and n >= 0 for n in value)
        case ty.ListType() | ty.SetType():
            sort = tuple if isinstance(type_, ty.ListType) else frozenset
            return isinstance(value, sort) and all(belongs(v, type_.item) for v in value)
        case ty.TupleType() | ty.RecordType():
            return isinstance(value, tuple) and len(value) == len(type_.items) and all(map(belongs, value, type_.items))
        case ty.NothingType():
            return value is None
    return True
