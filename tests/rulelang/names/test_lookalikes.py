"""Names that only look alike are told, with what to write; names in anybody's own script are not."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_games import PILE, changed, write_game

import rulelang
from rulelang.diagnostics import Sink
from rulelang.fixing import mended
from rulelang.names.lookalikes import check_lookalikes
from rulelang.source import SourceFile
from workbench.checking import check_game


def told(*words: str) -> list[tuple[str, str]]:
    """The words in rules that are told of, each with its remedy."""
    sink = Sink()
    check_lookalikes([SourceFile("a.rules", "\n".join(words))], sink)
    assert {(d.code, d.severity) for d in sink} <= {("R0416", "warning")}
    return [(words[d.span.line - 1][d.span.column - 1 : d.span.end_column - 1], str(d.help)) for d in sink]


@pytest.mark.parametrize(
    ("word", "plain"),
    [
        ("sсore", "score"),  # Cyrillic с
        ("scοre", "score"),  # Greek ο
        ("pаss_рlay", "pass_play"),
        ("очкu", "очки"),
        ("ﬁeld", "field"),
        ("oﬀer", "offer"),
        ("ｆｉｅｌｄ", "field"),
        ("𝐟𝐢𝐞𝐥𝐝", "field"),
        ("ĳs", "ijs"),
        ("ſet", "set"),
        ("Ⅳ_side", "IV_side"),
        ("cafe\u0301", "café"),
        ("ｶﾞ", "ガ"),
        ("գame", "qame"),
        ("ꭰie", None),
    ],
)
def test_letters_that_are_others(word: str, plain: str | None) -> None:
    source = SourceFile("a.csv" if "\u0301" in word else "a.rules", f"{word}, other\n{word}")
    sink = Sink()
    check_lookalikes([source], sink)
    (found,) = sink
    assert found.severity == "warning" and (found.span.line, found.span.column) == (1, 1)
    if plain == "очки":  # nothing in Cyrillic looks like a Latin u
        plain = None
    if plain is not None:
        assert f"`{plain}`" in str(found.help)
        _, (after,) = mended([found], {source.name: source})
        assert after.text == f"{plain}, other\n{plain}"


def test_names_of_one_script_that_look_like_others() -> None:
    assert [word for word, _ in told("cop", "сор")] == ["сор"]
    assert [word for word, _ in told("сор", "cop")] == ["сор"]
    assert [word for word, _ in told("AEH", "ΑΕΗ", "АЕН")] == ["ΑΕΗ", "АЕН"]
    assert [word for word, _ in told("card_A", "card_А")] == ["card_А"]
    assert told("сор", "поле", "cap") == []


def test_the_word_that_the_game_has_is_proposed() -> None:
    assert ("sсоrе", "Write `score`, in plain letters of one script.") in told("score", "sсоrе")


@pytest.mark.parametrize(
    "words",
    [
        "één geërfd reünie ijs knikkers zoëven",
        "île Noël garçon où cœur façade l_été",
        "größe Übung straße weiß süß",
        "número año acción pingüino mª 1º",
        "очки поле игрок ход_2 ёж й карта_A",
        "βάρος πόντοι σκορ ταμπλό γύρος",
        "得点 プレイヤー カード_a 手札 ゲーム2 々 サイコロ 一枚 Aカード",
        "점수 카드 주사위 漢字",
        "ניקוד לוח",
        "نقاط لعبة",
        "điểm người_chơi",
        "x² m³ H₂ a",
        "sıra ışık çalı",
    ],
)
def test_anybodys_own_script_passes(words: str) -> None:
    assert told(*words.split()) == []


def test_comments_and_strings_may_hold_anything() -> None:
    assert told("number one = 1 # sсore ﬁeld", 'title "sсore ﬁeld"') == []


def test_tables_and_variants_are_looked_at(tmp_path: Path) -> None:
    text = changed(PILE, "number size", 'table Field\n  worth: 0..5\n  rows from "fields.csv"\n\nnumber size')
    game = write_game(tmp_path / "pile", text, small="variant small of pile\n\nadd to enum Colour: сору\n")
    (game / "fields.csv").write_text("name,worth\nfiеld,1\nother,2\n", encoding="utf-8")
    found = {(Path(d.span.file).name, d.span.line) for d in check_game(game).diagnostics if d.code == "R0416"}
    assert ("fields.csv", 2) in found


def test_loose_accents_in_rules_are_mended(tmp_path: Path) -> None:
    loose = changed(PILE.replace("left", "légers"), "until légers", "until le\u0301gers")
    report = rulelang.check_path(write_game(tmp_path / "pile", loose))
    (found,) = report.diagnostics
    assert (found.code, found.severity) == ("R0416", "error")
    _, (after,) = mended([found], report.sources)
    assert after.text == PILE.replace("left", "légers")
    quoted = changed(PILE, "The Pile", "Le Pie\u0301")
    assert rulelang.check_path(write_game(tmp_path / "other", quoted)).diagnostics == []


@pytest.mark.parametrize("char", ["\u200b", "\u2060", "\u3164", "\uffa0", "\u115f", "\u00ad", "\u202e"])
def test_what_is_not_seen_in_a_name(tmp_path: Path, char: str) -> None:
    hidden = changed(PILE, "number size", f"number si{char}ze")
    found = rulelang.check_path(write_game(tmp_path / "pile", hidden)).diagnostics
    assert found[0].code == "R0105" and found[0].span.column == 10 and found[0].help
