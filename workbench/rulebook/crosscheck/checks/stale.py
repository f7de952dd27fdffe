"""``stale``: the rules changed since the statements were confirmed."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.diagnostics import Diagnostic

from ...corpus import Corpus, confirmable_sections, confirmation_state

CODE = "R0919"


def find(corpus: Corpus) -> Iterator[Diagnostic]:
    """What a section is about has changed since somebody confirmed that its statements say what runs."""
    if corpus.only is not None:
        return
    for key, (language, statements) in confirmable_sections(corpus).items():
        if confirmation_state(corpus, key, statements) == "stale":
            section = key[1]
            message = f"`{section}` has changed in the rules since its statements were confirmed in {language}."
            help = f"Read them again, then run `rulelang sources confirm PATH --lang {language} {section}`."
            yield Diagnostic(CODE, message, statements[0].span, help=help, rule=section)
