"""How well whole rulebooks are aligned, against the maps made by hand; the bounds leave room for changes."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable

import pytest
from paths import SEEDS

from benchmarks.align import measure, measure_lines
from rulelang.diagnostics import Sink
from workbench.rulebook.align import Alignment, Piece, Text, align, prepare
from workbench.rulebook.sources import documents_folder, read_documents, text_of

Found = Callable[[str, str], Alignment]


@pytest.fixture(scope="module")
def texts() -> dict[str, Text]:
    found = {}
    for document in read_documents(SEEDS, Sink()):
        lines = text_of(document, documents_folder())
        if document.game == "meduris" and lines is not None:
            pieces = [Piece(p.first, p.last, p.kind, p.states) for p in document.passages]
            found[document.language] = prepare(document.id, document.language, lines, pieces)
    if not {"nl", "en", "fr"} <= found.keys():
        pytest.skip("the source documents are not at hand (RULELANG_SOURCES)")
    return found


@pytest.fixture(scope="module")
def found(texts: dict[str, Text]) -> Found:
    """Aligns two languages; once for all tests."""
    return functools.cache(lambda left, right: align(texts[left], texts[right]))


@pytest.mark.parametrize(
    ("left", "right", "links", "pairs", "statements"),
    [("nl", "fr", 0.80, 0.82, 0.80), ("nl", "en", 0.80, 0.82, 0.76), ("en", "fr", 0.70, 0.58, 0.53)],
)
def test_most_of_what_a_map_states_is_found_again(
    texts: dict[str, Text], found: Found, left: str, right: str, links: float, pairs: float, statements: float
) -> None:
    figures = measure(found(left, right), texts[left], texts[right])
    assert figures.links.precision >= links
    assert figures.pairs.f1 >= pairs
    assert figures.statements.f1 >= statements


def test_a_text_without_a_map_is_mapped(texts: dict[str, Text]) -> None:
    raw = prepare("raw", "en", texts["en"].lines)
    assert measure_lines(align(texts["nl"], raw), texts["en"]).f1 >= 0.70


def test_ten_rejected_and_ten_confirmed_pairs_make_it_better(texts: dict[str, Text], found: Found) -> None:
    left, right = texts["en"], texts["fr"]

    def shared(p: int, q: int) -> float:
        ours, theirs = set(left.pieces[p].states), set(right.pieces[q].states)
        return len(ours & theirs) / max(1, len(ours | theirs))

    before = found("en", "fr")
    wrong = [(x.left, x.right) for x in before.links if left.pieces[x.left].states and not shared(x.left, x.right)]
    unfound = [(p, q) for p in before.alone_left for q in range(len(right.pieces)) if shared(p, q) >= 0.5]
    pick = random.Random(7).sample
    after = align(left, right, same=pick(unfound, min(10, len(unfound))), different=pick(wrong, min(10, len(wrong))))
    assert measure(after, left, right).statements.f1 > measure(before, left, right).statements.f1
