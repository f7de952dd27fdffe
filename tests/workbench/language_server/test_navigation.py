"""Names in the editor: what they mean, where they are used, and other names for them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from editor_client import Editor, Refused
from lsprotocol import types
from small_games import write_game

INN = """\
game inn
  players 2..3
  seats red, blue, green
  languages en

enum Fruit: apple, pear

table Dish
  price: pieces of Fruit
  points: 1..9
  rows from "dishes.csv"

number goal
  when players is 2: 9
  otherwise: 7

option pace: slow, fast
  default slow

the game has
  stall: pool of Fruit = {f: 9 for f in Fruit}

each Player has
  hand: pool of Fruit, seen by owner, counted
  score: 0..50

winner most score[p], then shared

define rich(p: Player) = count(hand[p]) > 5

rule play
  take turns p from first(Player) until score[p] >= goal
    do turn(p)

rule turn(p: Player)
  surely p chooses one of
    option gather(f in Fruit)
      needs stall[f] > 0 and not rich(p)
      move 1 of f from stall to hand[p]
    option sell(d in Dish)
      needs hand[p] covers d.price
      p pays d.price from hand[p] to stall
      p scores d.points
    option rest
      if pace is fast
        p loses 1
"""
FILES = {
    "dishes.csv": "name,price,points\ncake,2 apple,2\npie,apple pear,3\n",
    "text/en.md": "# Inn\n\n### `goal`\n1. Play to {goal@2} or {goal@3}.\n\n### `sell`\n1. Sell a dish.\n"
    + "".join(f"\n### `{id_}`\n1. Thus.\n" for id_ in ("Fruit", "Dish", "pace", "play", "turn", "gather", "rest")),
    "inn.look": "look of inn\n\nFruit\n  apple: red\nstall: brown\n",
    "examples.rules": (
        "examples of inn\n\nexample sell.cake\n  documented en 4-6\n  players Ann, Ben\n"
        "  given hand[Ann] is {apple: 2}, stall is {apple: 7, pear: 9}\n  run turn(Ann)\n  Ann chooses sell(cake)\n"
        "  finished\n  then score[Ann] is 2, stall[apple] is 9\n"
    ),
    "more.rules": "variant more of inn\n\nextend rule turn\n  option beg\n    needs stall[apple] > 0\n"
    "    surely move 1 of apple from stall to hand[p]\n",
}


@pytest.fixture
def inn(tmp_path: Path):
    folder = write_game(tmp_path / "inn", INN)
    for name, text in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    with Editor(folder) as editor:
        editor.open("inn.rules")
        yield editor


def messages(editor: Editor) -> list[str]:
    return [finding.message for found in editor.settled().values() for finding in found]


def hover(editor: Editor, words: str, name: str = "inn.rules") -> str:
    found = editor.ask("textDocument/hover", name, words)
    return "" if found is None else found.contents.value


def places(editor: Editor, words: str, name: str = "inn.rules") -> dict[str, int]:
    found = editor.ask("textDocument/references", name, words, context={"includeDeclaration": True})
    counted: dict[str, int] = {}
    for location in found:
        file = location.uri.rpartition("/")[2]
        counted[file] = counted.get(file, 0) + 1
    return counted


def renamed(editor: Editor, words: str, new: str, name: str = "inn.rules") -> dict[str, str]:
    """Renames, writes the files to disk, and gives their texts."""
    edit = editor.ask("textDocument/rename", name, words, newName=new)
    texts = {}
    for uri, edits in edit.changes.items():
        file = uri.removeprefix(f"{editor.folder.as_uri()}/")
        texts[file] = applied(editor.texts.get(file) or (editor.folder / file).read_text(encoding="utf-8"), edits)
        (editor.folder / file).write_text(texts[file], encoding="utf-8")
        if file in editor.texts:
            editor.rewrite(file, texts[file])
    editor.tell("workspace/didChangeWatchedFiles", {"changes": []})
    return texts


def applied(text: str, edits: list[types.TextEdit]) -> str:
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda e: (e.range.start.line, e.range.start.character), reverse=True):
        line = lines[edit.range.start.line]
        lines[edit.range.start.line] = (
            line[: edit.range.start.character] + edit.new_text + line[edit.range.end.character :]
        )
    return "\n".join(lines)


# ---------------------------------------------------------------- going places


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("until score[p] >= go|al", "number goal"),
        ("do tur|n(p)", "rule turn(p: Player)"),
        ("not ric|h(p)", "define rich(p: Player) = count(hand[p]) > 5"),
        ("d|.points", "    option sell(d in Dish)"),
        ("covers d.pri|ce", "  price: pieces of Fruit"),
        ("(f in Frui|t)", "enum Fruit: apple, pear"),
        ("score|s d", None),
    ],
)
def test_a_name_leads_to_where_it_is_declared(inn: Editor, words: str, line: str | None) -> None:
    found = inn.ask("textDocument/definition", "inn.rules", words)
    shown = None if found is None else inn.texts["inn.rules"].split("\n")[found.range.start.line]
    assert shown == line


def test_uses_are_found_in_every_kind_of_file(inn: Editor) -> None:
    assert places(inn, "number go|al") == {"inn.rules": 2, "en.md": 3}
    assert places(inn, "option sel|l(") == {"inn.rules": 1, "examples.rules": 1, "en.md": 1}
    assert places(inn, "enum Fruit: ap|ple") == {
        "inn.rules": 1, "dishes.csv": 2, "inn.look": 1, "examples.rules": 3, "more.rules": 2,
    }  # fmt: skip
    assert places(inn, "poi|nts: 1..9") == {"inn.rules": 2, "dishes.csv": 1}


def test_a_local_name_is_known_in_its_block_only(inn: Editor) -> None:
    assert places(inn, "option gather(|f in") == {"inn.rules": 3}


# ---------------------------------------------------------------- hover


def test_hover_tells_what_there_is_to_know(inn: Editor) -> None:
    assert "9 for 2 players, 7 for 3 players" in hover(inn, "number go|al")
    assert "> Play to 9 or 7." in hover(inn, "number go|al")
    hand = hover(inn, "covers d.price".replace("covers", "hand[p] covers").replace("hand", "ha|nd"))
    assert "a pool of Fruit".capitalize() in hand or "A pool of Fruit" in hand
    assert "Only its owner sees it. Everybody sees how many pieces there are." in hand
    assert "Changed in `gather`, `sell`" in hand
    sell = hover(inn, "option sel|l(")
    assert "> Sell a dish." in sell and "One example names it, about lines en 4-6 of the sources." in sell
    assert "A number from 1 to 9." in hover(inn, "d.poin|ts") or "number from 1 to 9" in hover(inn, "d.poin|ts")
    assert "option" in hover(inn, "option pac|e").lower()


def test_hover_tells_what_a_keyword_means_where_it_stands(inn: Editor) -> None:
    assert "take turns p from PLAYER" in hover(inn, "take turns p fr|om") and "round the table" in hover(
        inn, "ta|ke turns"
    )
    assert "Something to choose in a menu" in hover(inn, "opti|on rest")
    assert "agree on before they play" in hover(inn, "opti|on pace")
    assert "move N of KIND from PLACE to PLACE" in hover(inn, "move 1 o|f f")
    assert "The first of these" in hover(inn, "from firs|t(Player)")


# ---------------------------------------------------------------- rename


def test_a_rename_reaches_all_files_and_breaks_nothing(inn: Editor) -> None:
    assert not messages(inn)
    for words, new in (("number go|al", "target"), ("enum Fruit: ap|ple", "plum"), ("option sel|l(", "trade.sell")):
        assert renamed(inn, words, new)
        assert not messages(inn)
    text = inn.texts["inn.rules"]
    assert "number target" in text and "until score[p] >= target" in text and "enum Fruit: plum, pear" in text
    assert "2 plum" in (inn.folder / "dishes.csv").read_text()
    assert "### `trade.sell`" in (inn.folder / "text/en.md").read_text()


def test_a_member_behind_its_domain_is_renamed_with_it(inn: Editor) -> None:
    added = "\nenum Pip, ring: pear, grape\n\ndefine best = Fruit.pear\ndefine pip: Pip = pear\n"
    inn.rewrite("inn.rules", INN + added)
    before = messages(inn)
    assert "Fruit" in hover(inn, "define best = Fruit.pe|ar") and "Pip" in hover(inn, "define pip: Pip = pe|ar")
    assert renamed(inn, "define best = Fruit.pe|ar", "plum")
    assert messages(inn) == before
    assert "enum Fruit: apple, plum" in inn.texts["inn.rules"]
    assert inn.texts["inn.rules"].endswith(
        "Pip, ring: pear, grape\n\ndefine best = Fruit.plum\ndefine pip: Pip = pear\n"
    )


def test_what_is_carried_is_known_by_its_name(inn: Editor) -> None:
    inn.rewrite("inn.rules", f"{INN}\ncarry stall, hand\n")
    assert "with which the next game" in hover(inn, "car|ry stall")
    assert "The next game begins with it." in hover(inn, "carry stall, ha|nd")
    found = inn.ask("textDocument/definition", "inn.rules", "carry stall, ha|nd")
    assert found.range.start.line == INN[: INN.index("hand: pool")].count("\n")
    assert renamed(inn, "carry stal|l, hand", "shelf")
    assert not messages(inn) and "carry shelf, hand" in inn.texts["inn.rules"]


@pytest.mark.parametrize(
    ("words", "new", "why"),
    [
        ("number go|al", "stall", "already"),
        ("number go|al", "2nd", "not a name"),
        ("number go|al", "players", "word of the language"),
        ("rule pl|ay", "begin", "starts with"),
        ("each Player has\n  hand: pool of Fruit, seen by owner, counted\n  sco|re", "points_won", "scores"),
        ("option gather(|f in", "p", "already means"),
        ("winner most score[|p]", "q", "nothing here"),
    ],
)
def test_a_rename_that_would_break_the_game_is_refused(inn: Editor, words: str, new: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        inn.ask("textDocument/rename", "inn.rules", words, newName=new)
    assert not messages(inn)


# ---------------------------------------------------------------- the shape of a file


def test_the_outline_names_what_is_declared(inn: Editor) -> None:
    found = inn.ask("textDocument/documentSymbol", "inn.rules")
    assert [symbol.name for symbol in found][:4] == ["Fruit", "Dish", "goal", "pace"]
    (turn,) = [symbol for symbol in found if symbol.name == "turn"]
    assert [child.name for child in turn.children] == ["gather", "sell", "rest"]
    answer = inn.ask_raw("workspace/symbol", {"query": "sl"})
    names = [symbol.name for symbol in inn.structured("workspace/symbol", answer)]
    assert "sell" in names and "goal" not in names


def test_selections_grow(inn: Editor) -> None:
    place = inn.at("inn.rules", "covers d.pri|ce")
    params: dict[str, Any] = {"positions": [{"line": place.line, "character": place.character}]}
    (found,) = inn.ask("textDocument/selectionRange", "inn.rules", **params)
    widths = []
    while found is not None:
        widths.append(inn.texts["inn.rules"].split("\n")[found.range.start.line][found.range.start.character :][:8])
        found = found.parent
    assert widths[:3] == ["price", "d.price", "hand[p] "]


# ---------------------------------------------------------------- colours and signatures


def test_names_are_coloured_by_what_they_stand_for(inn: Editor) -> None:
    legend = inn.about["capabilities"]["semanticTokensProvider"]["legend"]["tokenTypes"]
    data = inn.ask("textDocument/semanticTokens/full", "inn.rules").data
    lines = inn.texts["inn.rules"].split("\n")
    line = column = 0
    seen: dict[str, set[str]] = {}
    for position in range(0, len(data), 5):
        down, right, length, kind, _ = data[position : position + 5]
        line, column = line + down, right if down else column + right
        seen.setdefault(lines[line][column : column + length], set()).add(legend[kind])
    assert seen["apple"] == {"enumMember"} and seen["Fruit"] == {"enum"} and seen["goal"] == {"number"}
    assert seen["turn"] == {"function"} and seen["sell"] == {"event"} and seen["hand"] == {"property"}
    assert seen["d"] == {"parameter"} and seen["rich"] == {"method"}


@pytest.mark.parametrize(
    ("words", "label", "active"),
    [
        ("do turn(|p)", "turn(p: Player)", 0),
        ("not rich(|p)", "rich(p: Player)", 0),
        ("needs hand[|p] covers", "hand[Player]", 0),
        ("first(|Player)", None, 0),
    ],
)
def test_brackets_say_what_goes_into_them(inn: Editor, words: str, label: str | None, active: int) -> None:
    found = inn.ask("textDocument/signatureHelp", "inn.rules", words)
    assert (None if found is None else (found.signatures[0].label, found.active_parameter)) == (
        None if label is None else (label, active)
    )


def test_a_name_of_several_things_is_told_apart(inn: Editor) -> None:
    """`stew` is a number as well as a dish; in an example the type says which one is meant."""
    inn.open("dishes.csv", FILES["dishes.csv"] + "stew,pear,1\n")
    text = INN.replace("number goal", "number stew = 3\n\nnumber goal").replace("p loses 1", "p loses stew")
    inn.rewrite("inn.rules", text)
    inn.open("examples.rules", FILES["examples.rules"].replace("score[Ann] is 2", "score[Ann] is stew - 1"))
    assert places(inn, "number st|ew") == {"inn.rules": 2, "examples.rules": 1}
    assert places(inn, "st|ew,pear,1", "dishes.csv") == {"dishes.csv": 1}
