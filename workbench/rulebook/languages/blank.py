"""Blank files for a new language: every class and word with its English words as comments, to be filled in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from rulelang.files.contents import content

from .files import path_of, read

_KEY = re.compile(r'^("[^"]+"|[\w]+) = ')
_AROUND = re.compile(r"\(\?<?[!=](?:[^()]|\([^()]*\))*\)|\\b")
_EXAMPLES = 8


def blank_lexicon(language: str) -> str:
    """``lexicons/LANG.toml`` with empty classes. What is left empty is not compared, so it can be filled bit by bit."""
    english = read("lexicons", "en")
    out = [
        f"# {language}: small words whose meaning must survive translation. About half an hour's work.",
        "# Write the words of a class one a line between the quotation marks, in lower case, every form of each.",
        "# (a|b) means a or b, s? an s or none, \\w* any ending; the longer one first. What only looks like one of a",
        "# class goes into skip. A class that stays empty is not compared. Then try: rulelang sources check PATH.",
        "",
        *_tables("meaning", english["meaning"]),
        *_tables("force", english["force"]),
        "",
        "[numbers]",
        "# articles and words for one; then further number words, such as { twice = 2 }",
        'one = ""',
        "values = { }",
        "",
        "[words]",
        "# the commonest words that say nothing about what a sentence is about: a, the, of, and, is ...",
        'function = ""',
        "# how plurals are made: an ending a line (s), or what it takes the place of too (y > ies)",
        'plurals = ""',
    ]
    return "\n".join([*out, ""])


def _tables(name: str, data: Mapping[str, Any]) -> Iterator[str]:
    """A table with its classes, then the tables in it."""
    classes = [line for key, words in data.items() if isinstance(words, str) for line in _class(key, words)]
    if classes:
        yield from ("", f"[{name}]", *classes)
    for key, value in data.items():
        if isinstance(value, dict):
            yield from _tables(f"{name}.{key}", value)


def _class(name: str, words: str) -> Iterator[str]:
    """An empty class, with the English words of it that can be read."""
    plain = [_AROUND.sub("", line).replace("(?:", "(").replace("<gap>", " ... ") for line in words.split("\n") if line]
    told = [line for line in plain if re.fullmatch(r"[\w '’|()?.\[\]-]+", line)]
    if told:
        yield f"# {', '.join(dict.fromkeys(told[:_EXAMPLES]))}"
    yield f"{name if re.fullmatch(r'[A-Za-z]+', name) else chr(34) + name + chr(34)} = '''"
    yield "'''"


def blank_catalogue(language: str) -> str:
    """``catalogue/LANG.toml``: the English one with every line as a comment."""
    path = path_of("catalogue", "en")
    assert path is not None
    out = [f"# {language}: take the # away from each line you translate. Words in braces stay as they are."]
    for line in content(path, None).decode("utf-8").splitlines()[1:]:
        out.append(f"# {line}" if _KEY.match(line) else line)
    return "\n".join([*out, ""])
