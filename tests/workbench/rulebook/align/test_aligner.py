"""Passages that correspond, in texts that order their chapters differently: cut, pinned, aligned, mapped."""

from __future__ import annotations

import functools
import hashlib
import random
import tomllib
from collections.abc import Callable
from pathlib import Path

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from paths import SEEDS
from tulips import DUTCH, ENGLISH, SAME

from benchmarks.align import measure, measure_lines
from rulelang.diagnostics import Sink
from workbench.rulebook.align import AlignedPiece, Alignment, AlignSettings, Text, align, prepare
from workbench.rulebook.align.aligner import with_neighbours
from workbench.rulebook.align.constraints import HEAD, PinError, constraints, parse_pins, updated
from workbench.rulebook.align.documents import seed_toml
from workbench.rulebook.align.segment import cognates, content_words, cut, learn, sentences
from workbench.rulebook.sources import check_documents, documents_folder, read_documents, text_of
from workbench.rulebook.sources.maps import toml_string


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


# Pins: what people decided stays, what the aligner proposed is written anew.


DECIDED = """\
# Mine.

# The market, I am sure.
[[pin]]
left = "tulpia-en 16"
right = "tulpia-nl 7"
verdict = "same"

[[pin]]
right = "tulpia-en 4"   # the other way round
left = "tulpia-nl 23"
verdict = "different"
note = "a tie is no aim"

[[pin]]
left = "elsewhere 1"
right = "tulpia-nl 1"
verdict = "same"
"""


def test_pins_are_read_for_these_two_documents(english: Text, dutch: Text) -> None:
    decided = constraints(parse_pins(DECIDED, "pins.toml"), english, dutch)
    assert {(english.pieces[p].lines, dutch.pieces[q].lines) for p, q in decided.same} == {("16", "7")}
    assert {(english.pieces[p].lines, dutch.pieces[q].lines) for p, q in decided.different} == {("4-5", "23")}
    assert decided.lost == ()


def test_decided_pins_stay_letter_by_letter(english: Text, dutch: Text) -> None:
    decided = constraints(parse_pins(DECIDED, "pins.toml"), english, dutch)
    alignment = align(english, dutch, same=decided.same, different=decided.different)
    text = updated(DECIDED, alignment)
    assert text.startswith(DECIDED)
    assert 'verdict = "proposed"' in text
    assert updated(text, alignment) == text
    parse_pins(text, "pins.toml")


def test_a_new_file_says_what_it_is(english: Text, dutch: Text) -> None:
    text = updated("", align(english, dutch))
    assert text.startswith(HEAD)
    assert constraints(parse_pins(text, "pins.toml"), english, dutch).same == frozenset()


def test_pins_whose_lines_are_gone_are_told(english: Text, dutch: Text) -> None:
    text = '[[pin]]\nleft = "tulpia-en 4"\nright = "tulpia-nl 400-410"\nverdict = "same"\n'
    decided = constraints(parse_pins(text, "pins.toml"), english, dutch)
    assert [str(pin.right) for pin in decided.lost] == ["tulpia-nl 400-410"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[pin]\n", "this is not TOML"),
        ('pin = [{left = "a 1", right = "b 2", verdict = "same"}]', "below a line [[pin]]"),
        ("pin = 3", "below a line [[pin]]"),
        ("word = 3", "has no `word`"),
        ('[[pin]]\nleft = "a 1"\nright = "b 2"\nverdict = "yes"', "p.toml:1: `verdict` must be one of same"),
        ('[[pin]]\nleft = "a"\nright = "b 2"\nverdict = "same"', "name a document and its lines"),
        ('[[pin]]\nleft = "a 9-3"\nright = "b 2"\nverdict = "same"', "name a document and its lines"),
        ('[[pin]]\nleft = "a 1"\nright = "b 2"\nverdict = "same"\nwhy = 1', "has no `why`"),
        (
            '[[pin]]\nleft = "a 1"\nright = "b 2"\nverdict = "same"\n[[pin]]\nleft = "a 1"\nright = "b 2"\n'
            'verdict = "different"',
            "p.toml:5: line 1 says the opposite",
        ),
    ],
)
def test_mistakes_are_told_with_their_place(text: str, message: str) -> None:
    with pytest.raises(PinError) as told:
        parse_pins(text, "p.toml")
    assert message in str(told.value)


def test_pins_that_overlap_must_not_contradict_each_other(english: Text, dutch: Text) -> None:
    text = (
        '[[pin]]\nleft = "tulpia-en 16-17"\nright = "tulpia-nl 7"\nverdict = "same"\n'
        '[[pin]]\nleft = "tulpia-en 16"\nright = "tulpia-nl 7"\nverdict = "different"\n'
    )
    with pytest.raises(PinError, match="as the same and as different"):
        constraints(parse_pins(text, "p.toml"), english, dutch)


# The map of a new document, written from the map of one in another language.


def mapped(text: Text) -> Text:
    pieces = [attrs.evolve(piece, states=(f"rule.{piece.first}",)) for piece in text.pieces]
    return prepare(text.name, text.language, text.lines, pieces)


def test_the_map_is_complete_and_verified_against_the_document(english: Text, dutch: Text, tmp_path) -> None:
    data = "\n".join(dutch.lines).encode()
    (tmp_path / "tulpia.txt").write_bytes(data)
    text = seed_toml(align(mapped(english), dutch), "tulpia", 'De haven "Tulpia"', tmp_path / "tulpia.txt", data)
    (tmp_path / "tulpia-nl.toml").write_text(text, encoding="utf-8")
    sink = Sink()
    (document,) = read_documents(tmp_path, sink)
    (report,) = check_documents([document], tmp_path, sink)
    assert list(sink) == []
    assert (report.verified, report.covered, report.numbers) == ("yes", document.lines, len(document.passages))
    assert document.title == 'De haven "Tulpia"'
    (market,) = document.stating("rule.17")
    assert (market.lines, market.numbers) == ("8", (5, 12))
    mermaid = document.passages[-1]
    assert mermaid.states == ()
    assert "Nothing like it" in (mermaid.note or "")


def test_strings_are_written_as_toml() -> None:
    for value in ('a "quoted" word', "back\\slash", "tab\tline\nend", "bell\x07", "é ✓"):
        assert tomllib.loads(f"x = {toml_string(value)}")["x"] == value


# Texts as they come: printed lines, bullets, words cut at the end of a line, pages with every line apart.


def said(text: str) -> list[tuple[str, str, int, int]]:
    return [(s.kind, s.text, s.first, s.last) for s in sentences(text.split("\n"))]


def test_lines_of_a_paragraph_are_joined_and_cut_into_sentences() -> None:
    assert said("The miller grinds\nthe corn. Then he sells\nthe flour.") == [
        ("text", "The miller grinds the corn.", 1, 2),
        ("text", "Then he sells the flour.", 2, 3),
    ]


def test_a_word_cut_at_the_end_of_a_line_is_whole_again() -> None:
    assert (
        said("Leg de munten in de voor-\nraad van de molenaar.")[0][1]
        == "Leg de munten in de voorraad van de molenaar."
    )


def test_a_dash_before_a_capital_stays() -> None:
    assert "Noord- Holland" in said("De molen staat in Noord-\nHolland en draait.")[0][1]


def test_bullets_and_headings_stand_apart() -> None:
    assert said("THE MILL\nThe wind turns the sails.\n• Grind: take one sack.\n• Sell: take one coin.") == [
        ("heading", "THE MILL", 1, 1),
        ("text", "The wind turns the sails.", 2, 2),
        ("item", "• Grind: take one sack.", 3, 3),
        ("item", "• Sell: take one coin.", 4, 4),
    ]


def test_abbreviations_end_no_sentence() -> None:
    assert len(said("Op elk veld staan max. 3 molens. Elke molen telt.")) == 2


def test_a_page_with_every_line_apart_is_still_one_paragraph() -> None:
    assert len(said("the miller of the village grinds\n\nall the corn that the farmers\n\nbring to him.")) == 1


@given(st.lists(st.text(alphabet="ab A.•-\n1é", max_size=40), max_size=30))
def test_passages_cover_every_line_once_whatever_the_text(lines: list[str]) -> None:
    lines = [line.replace("\n", " ") for line in lines]
    pieces = cut(sentences(lines), len(lines))
    assert [n for piece in pieces for n in range(piece.first, piece.last + 1)] == list(range(1, len(lines) + 1))


def test_words_are_compared_by_stem_and_without_accents() -> None:
    assert content_words("Les Châteaux du joueur", "fr") == (("chateau", "Châteaux"), ("joueur", "joueur"))


def test_a_text_without_words_can_be_prepared() -> None:
    assert [piece.kind for piece in prepare("empty", "en", ["", "---"]).pieces] == ["noise"]


# ``rulelang sources align`` as people use it, and what they may get wrong.


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Both texts as files, and a map of the English one that gives each line with text a statement."""
    (tmp_path / "tulpia-en.txt").write_text(ENGLISH)
    (tmp_path / "tulpia-nl.txt").write_text(DUTCH)
    lines = ENGLISH.splitlines()
    blocks = [
        f'[document]\ngame = "tulpia"\nlanguage = "en"\ntitle = "Tulpia"\nfile = "tulpia-en.txt"\n'
        f'sha256 = "{hashlib.sha256(ENGLISH.encode()).hexdigest()}"\nlines = {len(lines)}\n'
    ]
    blocks += [
        f'[[passage]]\nlines = "{n}"\nsha256 = "{hashlib.sha256(line.encode()).hexdigest()}"\nkind = "rule"\n'
        f"states = [{chr(34) + 'line.' + str(n) + chr(34) if line else ''}]\n"
        for n, line in enumerate(lines, 1)
    ]
    (tmp_path / "seeds").mkdir()
    (tmp_path / "seeds" / "tulpia.toml").write_text("\n".join(blocks))
    monkeypatch.setenv("RULELANG_SOURCES", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def linked(rulelang, folder: Path):
    return functools.partial(rulelang, "sources", "align")


def test_links_for_people(linked, folder: Path) -> None:
    out = linked("tulpia-en.txt", "tulpia-nl.txt", "--with-text", status=0).out
    assert out.startswith("tulpia-en (en, ")
    assert "tulips = tulpen" in out
    assert "For 5 tulips of one colour" in out
    assert "tulpia-nl, without a counterpart: " in out


def test_links_as_data(linked, folder: Path) -> None:
    data = linked("tulpia-en.txt", "tulpia-nl.txt", "--to", "json", status=0).data
    assert [d["language"] for d in data["documents"]] == ["en", "nl"]
    link = next(x for x in data["links"] if x["left"] == "17")
    assert (link["right"], sorted(link["evidence"]["numbers"])) == ("8", [5, 12])
    assert {"left", "right", "strength"} == set(data["terms"][0])


def test_a_map_for_the_new_text(linked, folder: Path) -> None:
    out = linked("seeds/tulpia.toml", "tulpia-nl.txt", "--to", "toml", status=0).out
    assert 'lines = "8"\n' in out
    assert '"line.17"' in out
    assert "tulpen" not in out


def test_pins_are_written_decided_and_respected(linked, folder: Path) -> None:
    arguments = ("tulpia-en.txt", "tulpia-nl.txt", "--pins", "pins.toml")
    linked(*arguments, status=2)
    linked(*arguments, "--update-pins", status=0)
    pins = folder / "pins.toml"
    decided = pins.read_text().replace('= "proposed"', '= "different"', 2).replace('= "different"', '= "same"', 1)
    pins.write_text(decided)
    data = linked(*arguments, "--to", "json").data
    assert data["pins"] == {"same": 1, "different": 1, "lost": []}
    assert sum(link["evidence"]["pinned"] for link in data["links"]) == 1
    assert pins.read_text() == decided


def test_a_glossary_is_used(linked, folder: Path) -> None:
    (folder / "glossary.toml").write_text('[[concept]]\nid = "ship"\nen = ["ship"]\nnl = ["schip", "schepen"]\n')
    linked("tulpia-en.txt", "tulpia-nl.txt", "--glossary", "glossary.toml", status=0)
    (folder / "glossary.toml").write_text("[[concept]]\nen = 3\n")
    assert "glossary.toml:1:1" in linked("tulpia-en.txt", "tulpia-nl.txt", "--glossary", "glossary.toml", status=2).err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere.txt", "tulpia-nl.txt"), "nowhere.txt cannot be read"),
        ((".", "tulpia-nl.txt"), ". is not a file"),
        (("latin.txt", "tulpia-nl.txt"), "latin.txt:1:4: This file is not UTF-8"),
        (("empty.txt", "tulpia-nl.txt"), "cannot be recognised"),
        (("empty.txt", "tulpia-nl.txt", "--languages", "en,nl"), "has no words to align"),
        (("tulpia-en.txt", "tulpia-nl.txt", "--languages", "en"), "name two"),
        (("tulpia-en.txt", "tulpia-en.txt"), "both called tulpia-en"),
        (("tulpia-en.txt", "tulpia-nl.txt", "--to", "toml"), "A has no map"),
        (("tulpia-en.txt", "tulpia-nl.txt", "--update-pins"), "--pins FILE"),
        (("tulpia-en.txt", "tulpia-nl.txt", "--pins", "broken.toml"), "this is not TOML"),
        (("tulpia-en.txt", "tulpia-nl.txt", "--pins", "latin.txt"), "not UTF-8"),
        (("tulpia-en.txt", "tulpia-nl.txt", "--glossary", "words.toml"), "called glossary.toml"),
        (("tulpia-en.txt", "tulpia-nl.txt", "--glossary", "glossary.toml"), "does not exist"),
        (("broken.toml", "tulpia-nl.txt"), "broken.toml:1"),
    ],
)
def test_mistakes_end_with_one_clear_line(linked, folder: Path, arguments: tuple[str, ...], message: str) -> None:
    (folder / "latin.txt").write_bytes("caf\xe9 au lait".encode("latin-1"))
    (folder / "empty.txt").write_text("\n")
    (folder / "broken.toml").write_text("[[[")
    ran = linked(*arguments, status=2)
    assert ran.out == "" and message in ran.err


def test_a_map_without_its_text_says_what_to_set(linked, folder: Path, monkeypatch) -> None:
    monkeypatch.delenv("RULELANG_SOURCES")
    assert "set RULELANG_SOURCES" in linked("seeds/tulpia.toml", "tulpia-nl.txt", status=2).err


def test_a_document_that_is_another_one_is_refused(linked, folder: Path) -> None:
    (folder / "tulpia-en.txt").write_text("Only one line is left of it.\n")
    assert "it is not the same document" in linked("seeds/tulpia.toml", "tulpia-nl.txt", status=2).err
