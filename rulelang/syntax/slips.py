"""Slips: what people often write in place of what the language has, and what to write instead, by where it is found."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from ..diagnostics import Diagnostic
from ..fixes import Fix, Help, ReplaceText, leave_out, write
from .forms import ADVICE, DOING, EXAMPLE, INSIDE, ITEMS, STEPS
from .layout import without_comment


@attrs.frozen
class Phrase:
    """``found``: what people write, in the text of a line without comment. ``help``: what to write instead.

    ``starts``: it begins with the first word of the line, which is what is wrong. Where a help can be carried out,
    what it replaces is the group ``wrong``, or else everything that was found. ``mends``: shapes of lines for which it
    is certain what to write in place of the group ``wrong``, the first that fits counts.
    """

    found: re.Pattern[str]
    help: Help
    starts: bool = False
    mends: tuple[tuple[re.Pattern[str], str], ...] = ()


@attrs.frozen
class Found:
    """A phrase in a line, its help, and the columns (from 0) of what the help replaces."""

    phrase: Phrase
    help: Help
    start: int
    end: int


_NAMED = re.compile(r"(?<!\?P)<(\w+)>")
_NOT_FIRST = ("<WHO>", r"^\s*\w+\s+", r"^\s*(?!")
"""How phrases begin that are about a line's later words."""


def _help(entry: Mapping[str, Any]) -> Help:
    """What an entry says, with the fix that carries it out, if there is one."""
    if "write" in entry:
        return write(entry["write"], entry.get("help"))
    return leave_out(entry["leave_out"], entry["help"]) if "leave_out" in entry else Help(entry["help"])


def _mends(entry: Mapping[str, Any]) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(shape, re.IGNORECASE), text) for shape, text in entry.get("mend", ()))


def _phrases(where: str) -> tuple[Phrase, ...]:
    """The phrases of a part of the table, with the pieces and forms that they name in angle brackets."""
    parts = {**ITEMS, **ADVICE["parts"]}

    def whole(text: str) -> str:
        return _NAMED.sub(lambda found: whole(parts[found[1]]) if found[1] in parts else found[0], text)

    phrases = []
    for row in ADVICE["slips"][where]:
        found = row["found"]
        help_ = _help({key: whole(text) for key, text in row.items() if key != "mend"})
        starts = whole(found).startswith("^") and not found.startswith(_NOT_FIRST)
        mends = _mends({"mend": [(whole(shape), text) for shape, text in row.get("mend", ())]})
        phrases.append(Phrase(re.compile(whole(found), re.IGNORECASE), help_, starts, mends))
    return tuple(phrases)


def _kinds(word: str, *kinds: str) -> Help:
    """Help that says of which kind a thing is that is changed or removed."""
    fixes = tuple(Fix(f"Write `{word} {kind}`", (ReplaceText(f"{kind} "),)) for kind in kinds)
    return Help(f"Write {ITEMS[word]}.", fixes)


def _with_fixes(pattern: str, help_: Help) -> Phrase:
    return Phrase(re.compile(pattern, re.IGNORECASE), help_, True)


OLD = _phrases("old")
COMPARING = _phrases("comparing")
IN_RULES = _phrases("rules")
IN_ITEMS = (
    *_phrases("items"),
    _with_fixes(
        r"^change\s+(?P<wrong>)(?!number\b|option\b|reading\b|row\b)(?=\w+\s+to\b)",
        _kinds("change", "number", "option"),
    ),
    _with_fixes(r"^remove\s+(?P<wrong>)(?!rule\b|option\b|row\b)(?=[\w.]+\s*$)", _kinds("remove", "rule", "option")),
)
IN_EXAMPLES = _phrases("examples")
LAST = _phrases("last")

SYMBOLS = {
    sign: Phrase(re.compile(re.escape(sign)), _help(entry), mends=_mends(entry))
    for sign, entry in ADVICE["symbols"].items()
}
"""Signs of other languages."""


_RULES = ("rule", "before", "after", "replace rule", "replace option", "extend rule")


def _tables(text: str, item: str) -> tuple[tuple[Phrase, ...], dict[str, str]]:
    """The phrases and the forms for a line of an item that begins with the line ``item``."""
    if text[:1].isspace() and item.startswith("example"):
        return IN_EXAMPLES, EXAMPLE
    if text[:1].isspace() and item.startswith(_RULES):
        return IN_RULES, STEPS
    return IN_ITEMS, ITEMS


_LONGEST = 300  # characters of a line in which phrases are looked for; people's slips are shorter


def sign(wrong: str, text: str, at: int) -> Found:
    """A sign of other languages, which stands at the place ``at`` (from 0) of a line."""
    match = SYMBOLS[wrong].found.match(text, at)
    assert match is not None
    return _found(SYMBOLS[wrong], match)


def phrase(text: str, at: int, item: str) -> Found | None:
    """The phrase that stands at the place ``at`` (from 0) of a line, or right before it; ``item``: its first line."""
    if len(text) > _LONGEST:
        return None
    own, _ = _tables(text, item)
    for row in (*OLD, *COMPARING, *own, *LAST):
        for match in row.found.finditer(text):
            if match.start() <= at and not text[match.end() : at].strip():
                return _found(row, match)
    return None


def upgraded(line: str) -> str:
    """A line of rules that were written for an earlier version of the language, as it is written now."""
    for shape, text in (mend for row in OLD for mend in row.mends):
        found = shape.search(without_comment(line))
        if found is not None:
            line = line[: found.start("wrong")] + found.expand(text) + line[found.end("wrong") :]
    return line


def in_an_earlier_version(lines: Sequence[str], at: int, mistake: Diagnostic) -> tuple[str, Diagnostic] | None:
    """The line as it is said now, and what is told of it, where its mistake is a word of an earlier version."""
    now = upgraded(lines[at]) if mistake.help in [row.help.text for row in OLD] else None
    if now is None or now == lines[at]:
        return None
    told = "This is how an earlier version of the language said it."
    return now, attrs.evolve(mistake, code="R0204", severity="warning", message=told)


def _found(row: Phrase, match: re.Match[str]) -> Found:
    for shape, text in row.mends:
        fitting = shape.search(match.string)
        if fitting is not None:
            return Found(row, _mended(fitting.expand(text), fitting["wrong"], row.help), *fitting.span("wrong"))
    if match.groupdict().get("wrong") is not None:
        return Found(row, row.help, *match.span("wrong"))
    words = match.group()
    return Found(row, row.help, match.end() - len(words.lstrip()), match.start() + len(words.rstrip()))


def _mended(text: str, wrong: str, help_: Help) -> Help:
    if not text.strip():
        return leave_out(f"`{wrong.strip()}`", help_.text)
    return Help(help_.text, (Fix(f"Write `{' '.join(text.split())}`", (ReplaceText(text),), preferred=True),))


def form(text: str, item: str, whole: bool = False) -> str | None:
    """How the line is written, as its own first word or verb says, or as the item's first line ``item`` does.

    ``whole``: the line as a whole is refused where it stands, so its own first word says nothing.
    """
    words = re.findall(r"[\w.]+", text)
    while len(words) > 1 and words[0] in ("openly", "surely"):
        words = words[1:]
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


def meant(name: str, what: str) -> Help | None:
    """Help for a word that means something elsewhere; ``what`` was looked for (``thing``, ``type``, ...)."""
    tables = ADVICE["meant"]
    known = tables.get(what, tables["thing"])
    entry = known.get(name.lower(), tables["thing"].get(name.lower()) if what == "Player" else None)
    return None if entry is None else _help(entry)
