"""Names in texts: where each is mentioned, and those that look like others."""

from __future__ import annotations

from pathlib import Path

import pytest
from every_game import GAMES
from small_games import PILE, changed, write_game

import rulelang
from rulelang import program as ir
from rulelang.diagnostics import Sink
from rulelang.fixing import mended
from rulelang.names.lookalikes import check_lookalikes
from rulelang.names.symbols import Meaning, Symbol, Symbols
from rulelang.program import Program
from rulelang.program.walk import walk
from rulelang.source import SourceFile, Span
from rulelang.workspace import Workspace, default
from workbench.checking import check_game


def read(folder: Path, games: Workspace) -> tuple[Symbols, Program]:
    files, _ = games.open(folder, (), Sink())
    linked = games.linked(files)
    assert linked is not None
    made = games.elaborated(files, linked, linked.game.high, Sink(), every_setting=True)
    return Symbols(files, Meaning(made.program)), made.program


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_local_names_are_those_of_the_program(game: Path) -> None:
    """A name is local in the text exactly where it is a slot in the Program."""
    symbols, program = read(game, default())
    by_span: dict[Span, list[bool]] = {}
    for file in symbols.file_names():
        for mention in symbols.mentions(file):
            by_span.setdefault(mention.span, []).append(mention.local is not None)
    compared = 0
    for unit in (*program.rules.values(), *program.definitions.values(), *program.graphs.values()):
        for node in walk(unit):
            if isinstance(node, ir.Local | ir.Read | ir.Call) and node.span in by_span and _is_written(node, symbols):
                compared += 1
                assert isinstance(node, ir.Local) in by_span[node.span], (node, str(node.span))
    assert compared


def _is_written(node: ir.Local | ir.Read | ir.Call, symbols: Symbols) -> bool:
    """Whether the node is the name that is written there: the Program has others at the same places."""
    name = node.name if isinstance(node, ir.Local) else node.variable if isinstance(node, ir.Read) else node.definition
    line = symbols.files.sources[node.span.file].lines[node.span.line - 1]
    return line[node.span.column - 1 : node.span.end_column - 1] == name


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_declaration_is_found_where_it_is(game: Path) -> None:
    symbols, program = read(game, default())
    for group, names in (("thing", symbols.things), ("rule", program.rules)):
        for name in names:
            span = symbols.declaration(Symbol(group, name))  # type: ignore[arg-type]
            assert span is not None, name
            line = symbols.files.sources[span.file].lines[span.line - 1]
            assert line[span.column - 1 : span.end_column - 1] == name


# Names that only look alike are told, with what to write; names in anybody's own script are not.


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
