"""Chain from a passage of a source document to a statement to what runs, for one statement or one id."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from rulelang.diagnostics import UnusablePath, did_you_mean

from .corpus import Corpus, Excerpt, State, section_states, statement_states
from .texts import Statement, ids_of


@attrs.frozen
class Link:
    """A statement in every language, with the passages that state it. ``states``: by language."""

    id: str
    words: Mapping[str, Statement]
    passages: tuple[Excerpt, ...]
    states: Mapping[str, State]


@attrs.frozen
class Chain:
    """What runs under ``section`` and what is said about it.

    ``runs``: its canonical text; ``states``: of all statements together, by language.
    """

    section: str
    runs: str
    file: str
    line: int
    links: tuple[Link, ...]
    states: Mapping[str, State]
    variants: tuple[str, ...]

    def as_data(self, corpus: Corpus) -> dict[str, Any]:
        """Plain data, as ``rulelang sources show --format json`` gives it."""
        return {
            "section": self.section,
            "rule": {"text": self.runs, "file": self.file, "line": self.line},
            "variants": list(self.variants),
            "states": dict(self.states),
            "statements": [
                {
                    "id": link.id,
                    "words": {
                        language: {
                            "text": corpus.filled(s.text, language),
                            "source": s.text,
                            "state": link.states.get(language),
                            "comments": [attrs.asdict(c) for c in corpus.comments.get((s.span.file, s.id), ())],
                            "file": s.span.file,
                            "line": s.span.line,
                        }
                        for language, s in link.words.items()
                    },
                    "passages": [
                        {
                            "document": e.document.id,
                            "language": e.language,
                            "lines": e.passage.lines,
                            "kind": e.passage.kind,
                            "damage": e.passage.damage,
                            "note": e.passage.note,
                            "text": e.text,
                        }
                        for e in link.passages
                    ],
                }
                for link in self.links
            ],
        }


def find_chain(corpora: Sequence[Corpus], wanted: str) -> tuple[Corpus, Chain]:
    """The chain of a statement (``income.gold.2``: that one only) or of what runs (``income.gold``).

    The first of ``corpora`` that knows the id is used. Raises UnusablePath when none does.
    """
    for corpus in corpora:
        every = (*corpus.statements, *sorted(corpus.wordless))
        ids = [id_ for id_ in every if wanted in (id_, id_.rpartition(".")[0])]
        section = ids[0].rpartition(".")[0] if ids else wanted
        if ids or wanted in corpus.running:
            return corpus, _chain(corpus, section, ids)
    known = [name for corpus in corpora for name in (*corpus.running, *corpus.statements)]
    help = did_you_mean(wanted, known) or "`rulelang rulebook` shows the ids of all statements."
    raise UnusablePath(f"Nothing has the id `{wanted}`, and no statement has it. {help}")


def _chain(corpus: Corpus, section: str, ids: Sequence[str]) -> Chain:
    span = ids_of(corpus.linked).get(section)
    links = []
    states = statement_states(corpus)
    for id_ in ids:
        stating = tuple(e for e in corpus.excerpts if id_ in e.passage.states)
        links.append(Link(id_, corpus.statements.get(id_, {}), stating, states.get(id_, {})))
    return Chain(
        section,
        corpus.running.get(section, ""),
        span.file if span else "",
        span.line if span else 0,
        tuple(links),
        section_states(corpus).get(section, {}),
        corpus.variants,
    )
