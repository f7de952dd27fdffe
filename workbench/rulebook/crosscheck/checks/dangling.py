"""``dangling``: a passage states a statement that does not exist."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.diagnostics import Diagnostic, did_you_mean, finding
from rulelang.fixes import Help

from ...corpus import Corpus

CODE = "R0921"


def find(corpus: Corpus) -> Iterator[Diagnostic]:
    """A passage names a statement that no rulebook text has: its section was renamed or it has fewer statements now."""
    if corpus.only is not None or not corpus.texts:
        return
    known = corpus.statements.keys() | corpus.added_by_variants | corpus.wordless
    sections = {id_.rpartition(".")[0] for id_ in known}
    for excerpt in corpus.excerpts:
        for state in excerpt.passage.states:
            if state in known:
                continue
            section = state.rpartition(".")[0]
            if section in sections:
                count = sum(id_.rpartition(".")[0] == section for id_ in known)
                has = "1 statement; name that one" if count == 1 else f"{count} statements; name one of them"
                help = Help(f"`{section}` has {has}.")
            else:
                help = did_you_mean(state, known) or Help("Correct the id, or remove it from `states`.")
            yield finding(CODE, f"There is no statement `{state}`.", excerpt.span, help)
