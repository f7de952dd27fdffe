"""Phrasebook for editors: how a line is written, and what to write instead of what people often try.

Nothing here decides whether text is right; the grammar does. Once it has refused a line, this is where its help comes
from: ``forms`` and ``slips`` have the words.
"""

from __future__ import annotations

import re

from ..fixes import Help, write
from .forms import DOING, EXAMPLE, INSIDE, ITEMS, STEPS
from .slips import COMPARING, IN_EXAMPLES, IN_ITEMS, IN_RULES, LAST, Found, Phrase

_RULES = ("rule", "before", "after", "replace rule", "replace option", "extend rule")


def _tables(text: str, item: str) -> tuple[tuple[Phrase, ...], dict[str, str]]:
    """The phrases and the forms for a line of an item that begins with the line ``item``."""
    if text[:1].isspace() and item.startswith("example"):
        return IN_EXAMPLES, EXAMPLE
    if text[:1].isspace() and item.startswith(_RULES):
        return IN_RULES, STEPS
    return IN_ITEMS, ITEMS


_LONGEST = 300  # characters of a line in which phrases are looked for; people's slips are shorter


def phrase(text: str, at: int, item: str) -> Found | None:
    """The phrase that stands at the place ``at`` (from 0) of a line, or right before it; ``item``: its first line."""
    if len(text) > _LONGEST:
        return None
    own, _ = _tables(text, item)
    for row in (*COMPARING, *own, *LAST):
        for match in row.found.finditer(text):
            if match.start() <= at and not text[match.end() : at].strip():
                return _found(row, match)
    return None


def _found(row: Phrase, match: re.Match[str]) -> Found:
    if match.groupdict().get("wrong") is not None:
        return Found(row, *match.span("wrong"))
    words = match.group()
    return Found(row, match.end() - len(words.lstrip()), match.start() + len(words.rstrip()))


def form(text: str, item: str, whole: bool = False) -> str | None:
    """How the line is written, as its own first word or verb says, or as the item's first line ``item`` does.

    ``whole``: the line as a whole is refused where it stands, so its own first word says nothing.
    """
    words = re.findall(r"[\w.]+", text)
    _, forms = _tables(text, item)
    inside = INSIDE.get(item.split(" ", 1)[0]) if text[:1].isspace() else None
    if not words or whole or (words[0] in ("otherwise", "when") and item.startswith(("number", "define"))):
        return inside
    if words[0] in forms:
        return forms[words[0]]
    for verb in words[1:]:
        if verb in DOING and forms is not ITEMS:
            return "`PLAYER pays {KIND: 2}`" if forms is EXAMPLE and verb == "pays" else _chosen(verb, forms is EXAMPLE)
    return inside


def _chosen(verb: str, example: bool) -> str:
    if example and verb == "chooses":
        return "`PLAYER chooses VALUE`, or an option `PLAYER chooses NAME(VALUE)`"
    return DOING[verb]


_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_MEANT: dict[str, str | Help] = {
    "true": write("yes"),
    **dict.fromkeys(("dice", "die", "d6"), "Write the numbers on it, such as `1..6`, or a table of its faces."),
    "false": write("no"),
    **dict.fromkeys(
        ("null", "nil", "nobody", "noone", "nothing", "empty", "unset"),
        write("none", "Write `none`; for a place, `count(...) is 0`."),
    ),
    **{word: write(str(number)) for number, word in enumerate(_NUMBERS)},
}
_COUNTED = ("number", "size", "length", "len", "amount", "total", "how_many")
_CALLED: dict[str, str | Help] = {
    **dict.fromkeys(_COUNTED, write("count", "Write `count(...)`.")),
    "any": write("some", "Write `some(...)`."),
    "all": write("every", "Write `every(...)`."),
    **dict.fromkeys(("random", "dice", "die"), "Chance comes from `roll x in 1..6`, on a line of its own."),
}
_PLAYERS = dict.fromkeys(
    ("everybody", "everyone", "all", "anybody"),
    "Go through them: `each q in Player`. Where all win, write `everybody wins`.",
)
_TYPES: dict[str, str | Help] = {
    **dict.fromkeys(
        ("number", "int", "integer", "numeric", "count", "counter"), "Write its bounds, for example `0..99`."
    ),
    **dict.fromkeys(("bool", "boolean", "yesno"), write("flag")),
    **dict.fromkeys(("string", "str", "text", "name"), "Rules keep no texts; make an enum of the possible values."),
    **dict.fromkeys(
        ("list", "array", "dict", "map"), "Write `pool of`, `bag of` or `stack of` for pieces, `set of` for a set."
    ),
}


def meant(name: str, what: str) -> str | Help | None:
    """Help for a word that means something elsewhere; ``what`` was looked for (``thing``, ``type``, ...)."""
    word = name.lower()
    table = {"type": _TYPES, "definition": _CALLED}.get(what, _MEANT)
    return _PLAYERS.get(word, table.get(word)) if what == "Player" else table.get(word)
