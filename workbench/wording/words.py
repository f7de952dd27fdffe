"""The words around a game in each language: a TOML file each, by a name such as ``news.shuffled``."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs

_FOLDER = Path(__file__).parent / "words"
_FIRST = "en"


@attrs.frozen
class Words:
    """Words of one language by name. A text may have forms for numbers: ``one = "{n} point"``, ``other = "..."``."""

    lang: str
    texts: Mapping[str, Any]

    def say(self, name: str, **values: object) -> str:
        """The text of a name with its values filled in; its form follows the value ``n``."""
        text = self.texts[name]
        if isinstance(text, Mapping):
            text = text.get(_category(self.lang, values["n"])) or text["other"]
        return str(text).format(**values)


def words_in(lang: str | None) -> Words:
    """The words of a language; English where there is no list for it."""
    return _read(lang if lang is not None and (_FOLDER / f"{lang}.toml").is_file() else _FIRST)


def languages() -> list[str]:
    """The languages that have a list of words."""
    return sorted(path.stem for path in _FOLDER.glob("*.toml"))


@functools.cache
def _read(lang: str) -> Words:
    tables = tomllib.loads((_FOLDER / f"{lang}.toml").read_text(encoding="utf-8"))
    return Words(lang, {f"{part}.{name}": text for part, texts in tables.items() for name, text in texts.items()})


def _category(lang: str, number: object) -> str:
    """The plural category of a number (CLDR)."""
    from babel import Locale

    return str(Locale.parse(lang).plural_form(number)) if isinstance(number, int) else "other"
