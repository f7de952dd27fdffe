"""Stamp of what is printed: of which game, variants and language, from which state of rules and texts.

People read its line; the same, with a hash of every sentence, stands where no reader sees it, in letters that every
form of file keeps. So a file tells what has changed since.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence

import attrs

from rulelang.files.contents import content
from rulelang.files.folder import GameFiles

_MARK = "rulelang-stamp:"
_PACKED = re.compile(rb"rulelang-stamp:([A-Za-z0-9_-]{16,200000}=*)")
_MAX_BYTES = 4_000_000
"""Of what a stamp unpacks to; that of a long rulebook has some 10,000."""


@attrs.frozen
class Stamp:
    """``rules``, ``texts``: signs of the state of the rules and of the texts in all languages; ``sentences``: the
    printed statements' ids to signs of their words."""

    game: str
    variants: tuple[str, ...]
    settings: Mapping[str, str]
    language: str
    players: int | None
    rules: str
    texts: str
    sentences: Mapping[str, str] = attrs.field(factory=dict, repr=False)

    @property
    def state(self) -> str:
        return f"{self.rules}-{self.texts}"

    @property
    def line(self) -> str:
        """What people read."""
        chosen = (f"{name}={value}" for name, value in self.settings.items())
        return " · ".join([self.game, *self.variants, *chosen, self.language, self.state])

    @property
    def packed(self) -> str:
        """All of it, as letters without any that a form of file would write otherwise."""
        data = json.dumps(attrs.asdict(self), sort_keys=True, separators=(",", ":"))
        return _MARK + base64.urlsafe_b64encode(zlib.compress(data.encode(), 9)).decode()


def stamp_of(
    files: GameFiles,
    variants: Sequence[str],
    settings: Mapping[str, str],
    language: str,
    players: int | None,
    sentences: Iterable[tuple[str, str]],
) -> Stamp:
    """``sentences``: ids and printed words of the statements."""
    written = [*files.parts, *(files.variants[name] for name in variants)]
    rules = [files.sources[file.span.file].text.encode() for file in written]
    tables = [content(path, files.root) for path in sorted(files.root.glob("*.csv"))]
    texts = [content(path, files.root) for path in sorted(files.root.rglob("text/*.md"))]
    signs = {id_: _sign([words.encode()], 4) for id_, words in sentences}
    game = files.game.name if files.game is not None else files.root.name
    kept = dict(settings)
    return Stamp(game, tuple(variants), kept, language, players, _sign(rules + tables, 6), _sign(texts, 6), signs)


def read_stamp(printed: bytes) -> Stamp | None:
    """The stamp in a file; None if it bears none, or one that cannot be read."""
    found = _PACKED.search(printed)
    try:
        unpacked = zlib.decompressobj().decompress(base64.urlsafe_b64decode(found[1]), _MAX_BYTES) if found else b""
        data = json.loads(unpacked)
        game, language, rules, texts = (str(data[key]) for key in ("game", "language", "rules", "texts"))
        settings, signs = ({str(k): str(v) for k, v in data[key].items()} for key in ("settings", "sentences"))
        players = None if data["players"] is None else int(data["players"])
        return Stamp(game, tuple(map(str, data["variants"])), settings, language, players, rules, texts, signs)
    except (binascii.Error, zlib.error, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def changed_since(old: Stamp, new: Stamp) -> dict[str, str]:
    """The statements whose words are no longer those that were printed, in the order of the new text, each with
    ``changed``, ``added`` or ``removed``."""
    signs = ((id_, old.sentences.get(id_), sign) for id_, sign in new.sentences.items())
    found = {id_: "added" if before is None else "changed" for id_, before, sign in signs if before != sign}
    return found | dict.fromkeys((id_ for id_ in old.sentences if id_ not in new.sentences), "removed")


def _sign(contents: Iterable[bytes], length: int) -> str:
    found = hashlib.sha256()
    for each in contents:
        found.update(hashlib.sha256(each).digest())
    return found.hexdigest()[:length]
