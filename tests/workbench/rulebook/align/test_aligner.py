"""Passages that correspond, in texts that order their chapters differently; and how well whole rulebooks are aligned,
against the maps made by hand. The bounds leave room for changes.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable

import pytest
from paths import SEEDS
from tulips import SAME

from benchmarks.align import measure, measure_lines
from rulelang.diagnostics import Sink
from workbench.rulebook.align import AlignedPiece, Alignment, AlignSettings, Text, align, prepare
from workbench.rulebook.align.aligner import with_neighbours
from workbench.rulebook.align.segment import cognates, learn
from workbench.rulebook.sources import documents_folder, read_documents, text_of


def found(alignment: Alignment) -> set[tuple[int, int]]:
    left, right = alignment.left.pieces, alignment.right.pieces
    return {(left[link.left].first, right[link.right].first) for link in alignment.links}


def passage(text: Text, line: int) -> int:
    return next(i for i, piece in enumerate(text.pieces) if piece.first <= line <= piece.last)


def test_what_says_the_same_is_found_although_chapters_moved(english: Text, dutch: Text) -> None:
    pairs = found(align(english, dutch))
    assert len(pairs & SAME) >= 0.8 * len(SAME)
    assert len(pairs & SAME) >= 0.8 * len(pairs)


def test_the_same_input_gives_the_same_links(english: Text, dutch: Text) -> None:
    assert align(english, dutch) == align(english, dutch)


def test_what_one_text_alone_says_stays_alone(english: Text, dutch: Text) -> None:
    alignment = align(english, dutch)
    assert passage(dutch, 24) in alignment.alone_right


def test_links_say_why(english: Text, dutch: Text) -> None:
    alignment = align(english, dutch)
    (link,) = alignment.of_left(passage(english, 17))
    assert set(link.evidence.numbers) == {5, 12}
    assert ("tulips", "tulpen") in link.evidence.words
    assert 0.5 < link.confidence <= 1


def test_the_lexicon_is_learnt_from_the_texts(english: Text, dutch: Text) -> None:
    terms = {a: b for a, b, _ in reversed(align(english, dutch).terms(0.3))}
    assert terms["coins"] == "munten"
    assert terms["player"] == "speler"


def test_one_passage_may_answer_to_several(english: Text) -> None:
    whole = "Een speler verkoopt op de markt tulpen voor gouden munten. Voor 5 tulpen ontvangt hij 12 gouden munten."
    other = prepare("other", "nl", ["De haven", "", whole, "", "Een schip verliest 4 tulpen in de storm."])
    lines = {first for first, second in found(align(english, other)) if second == 3}
    assert {16, 17} <= lines


def test_a_confirmed_pair_is_kept_and_a_rejected_one_is_not(english: Text, dutch: Text) -> None:
    wrong = (passage(english, 4), passage(dutch, 23))
    right = (passage(english, 4), passage(dutch, 4))
    alignment = align(english, dutch, same=[wrong], different=[right])
    links = {(link.left, link.right): link for link in alignment.links}
    assert links[wrong].confidence == 1.0
    assert links[wrong].evidence.pinned
    assert right not in links


FOREIGN = (
    prepare("left", "en", ["Owls hunt.", "", "Bees sting.", "", "Wind blows."]),
    prepare("right", "fr", ["Hiboux chassent.", "", "Frelons piquent.", "", "Mistral souffle."]),
)


def test_a_confirmed_pair_supports_its_neighbours() -> None:
    assert found(align(*FOREIGN)) == set()
    assert {(1, 1), (3, 3), (5, 5)} <= found(align(*FOREIGN, same=[(1, 1)]))


def test_known_terms_help_where_nothing_else_does() -> None:
    terms = [(("owl",), ("hibou",)), (("bee",), ("frelon",))]
    assert {(1, 1), (3, 3)} <= found(align(*FOREIGN, terms=terms))


def test_a_rejected_pair_is_not_replaced_by_the_next_worse_one(english: Text, dutch: Text) -> None:
    line = passage(english, 17)
    (best,) = align(english, dutch).of_left(line)
    assert align(english, dutch, different=[(best.left, best.right)]).of_left(line) == ()


def test_texts_without_anything_in_common_have_no_links() -> None:
    left = prepare("left", "en", ["Owls hunt mice."])
    right = prepare("right", "fr", ["Demain nous partirons."])
    assert align(left, right).links == ()
    empty = prepare("empty", "fr", [""])
    assert align(left, empty).links == ()
    assert align(empty, left).links == ()


@pytest.mark.parametrize(
    "settings",
    [AlignSettings(order=0), AlignSettings(learn=False), AlignSettings(cognates=False), AlignSettings(numbers=0)],
)
def test_every_weight_can_be_left_out(english: Text, dutch: Text, settings: AlignSettings) -> None:
    assert len(found(align(english, dutch, settings=settings)) & SAME) >= 8


def test_neighbours_support_each_other_across_a_gap() -> None:
    alone = [[0.9, 0.0, 0.0, 0.0], [0.0, 0.3, 0.0, 0.3], [0.0, 0.0, 0.9, 0.0]]
    together = with_neighbours(alone, order=0.6, reach=0.8, skip=0.8)
    assert together[1][1] > together[1][3]


def test_cognates_are_spelt_alike() -> None:
    pairs = cognates(["templ", "kaart", "ob"], ["temple", "cart", "ob"])
    assert set(pairs) == {("templ", "temple"), ("ob", "ob")}


def test_model_1_finds_the_translation_by_elimination() -> None:
    corpus = [(["red", "mill"], ["rouge", "moulin"], 1.0), (["mill"], ["moulin"], 1.0), (["red"], ["rouge"], 1.0)]
    lexicon = learn(corpus, {})
    assert lexicon.there["mill"]["moulin"] > 0.7
    assert lexicon.there["mill"].get("rouge", 0) < 0.3


# ---------------------------------------------------------------- whole rulebooks


Aligned = Callable[[str, str], Alignment]


@pytest.fixture(scope="module")
def texts() -> dict[str, Text]:
    aligned = {}
    for document in read_documents(SEEDS, Sink()):
        lines = text_of(document, documents_folder())
        if document.game == "meduris" and lines is not None:
            pieces = [AlignedPiece(p.first, p.last, p.kind, p.states) for p in document.passages]
            aligned[document.language] = prepare(document.id, document.language, lines, pieces)
    if not {"nl", "en", "fr"} <= aligned.keys():
        pytest.skip("the source documents are not at hand (RULELANG_SOURCES)")
    return aligned


@pytest.fixture(scope="module")
def aligned(texts: dict[str, Text]) -> Aligned:
    """Aligns two languages; once for all tests."""
    return functools.cache(lambda left, right: align(texts[left], texts[right]))


@pytest.mark.parametrize(
    ("left", "right", "links", "pairs", "statements"),
    [("nl", "fr", 0.80, 0.82, 0.80), ("nl", "en", 0.80, 0.82, 0.76), ("en", "fr", 0.70, 0.58, 0.53)],
)
def test_most_of_what_a_map_states_is_found_again(
    texts: dict[str, Text], aligned: Aligned, left: str, right: str, links: float, pairs: float, statements: float
) -> None:
    figures = measure(aligned(left, right), texts[left], texts[right])
    assert figures.links.precision >= links
    assert figures.pairs.f1 >= pairs
    assert figures.statements.f1 >= statements


def test_a_text_without_a_map_is_mapped(texts: dict[str, Text]) -> None:
    raw = prepare("raw", "en", texts["en"].lines)
    assert measure_lines(align(texts["nl"], raw), texts["en"]).f1 >= 0.70


def test_ten_rejected_and_ten_confirmed_pairs_make_it_better(texts: dict[str, Text], aligned: Aligned) -> None:
    left, right = texts["en"], texts["fr"]

    def shared(p: int, q: int) -> float:
        ours, theirs = set(left.pieces[p].states), set(right.pieces[q].states)
        return len(ours & theirs) / max(1, len(ours | theirs))

    before = aligned("en", "fr")
    wrong = [(x.left, x.right) for x in before.links if left.pieces[x.left].states and not shared(x.left, x.right)]
    unfound = [(p, q) for p in before.alone_left for q in range(len(right.pieces)) if shared(p, q) >= 0.5]
    pick = random.Random(7).sample
    after = align(left, right, same=pick(unfound, min(10, len(unfound))), different=pick(wrong, min(10, len(wrong))))
    assert measure(after, left, right).statements.f1 > measure(before, left, right).statements.f1
