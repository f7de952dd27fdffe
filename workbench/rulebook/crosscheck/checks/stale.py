"""``stale``: the rules changed since the statements were confirmed."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.diagnostics import Diagnostic

from ...corpus import Corpus, standings

CODE = "R0919"


def find(corpus: Corpus) -> Iterator[Diagnostic]:
    """What a section is about has changed since somebody confirmed that its statements say what runs."""
    if corpus.only is not None:
        return
    told: set[tuple[str, str]] = set()
    for (file, _), standing in standings(corpus).items():
        section, language = standing.statement.section, standing.language
        if standing.rule_changed and (file, section) not in told:
            told.add((file, section))
            message = f"`{section}` has changed in the rules since its statements were confirmed in {language}."
            help = f"Read them again, then run `rulelang sources confirm PATH --lang {language} {section}`."
            yield Diagnostic(CODE, message, standing.statement.span, help=help, rule=section)
