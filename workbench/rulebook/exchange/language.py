"""Language of the sentences in a delivery, beside the language that the file says it is in."""

from __future__ import annotations

from collections.abc import Mapping

from rulelang.diagnostics import RulesError
from rulelang.files.folder import GameFiles

from ..align.words import guess_language
from ..languages.lexicon import lexicons
from ..texts.interpolation import pieces_of, spoken
from .inflected import alike
from .text_files import TextFile, path_of, read_text_file
from .units import ExchangeError

_LONG = 12
"""Characters from which a sentence tells its language; titles and names are often the same in several."""
_FEW = 3
_SENTENCES, _WORDS = 5, 60
"""Sentences and words from which the language can be guessed."""


def check_sentences(
    files: GameFiles, variant: str | None, source: TextFile, language: str, wanted: Mapping[str, str]
) -> None:
    """The sentences that would be written (by unit id) are in the language they are meant for. Raises ExchangeError.

    They are not if most of them stand in the text of another language, or have its small words.
    """
    long = {id_: text for id_, text in wanted.items() if len(text) >= _LONG}
    if len(long) < _FEW:
        return
    for other, parts in _others(files, variant, source, language).items():
        same = sum(id_ in parts and alike(parts[id_], text) for id_, text in long.items())
        if same >= _FEW and 2 * same >= len(long):
            raise ExchangeError(
                f"{same} of {len(long)} sentences are those of the text in `{other}`, but the file says that they are "
                f"in `{language}`. Correct the language in the file, or translate them."
            )
    words = " ".join(piece for text in long.values() for piece in pieces_of(spoken(text))[::2])
    guess = guess_language(words)
    enough = len(long) >= _SENTENCES and len(words.split()) >= _WORDS
    if enough and language in lexicons() and guess is not None and guess != language:
        raise ExchangeError(
            f"The sentences seem to be in `{guess}`, but the file says that they are in `{language}`. Correct the "
            "language in the file, or translate them."
        )


def _others(files: GameFiles, variant: str | None, source: TextFile, language: str) -> dict[str, Mapping[str, str]]:
    """The sentences of the other languages by unit id, as far as their texts can be read."""
    assert files.game is not None
    found: dict[str, Mapping[str, str]] = {}
    for other in files.game.languages:
        if other == language or not path_of(files, variant, other).exists():
            continue
        try:
            text = read_text_file(files, variant, other, like=source)
        except RulesError:
            continue
        if text is not None:
            found[other] = {id_: part.text for id_, part in text.parts.items()}
    return found
