"""*Texts* at the desk: sentences saved, merged, refused and kept through a kill, and what its link does not open."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from browsing import faults
from desk_served import PATIENCE, Seen, page, save, served
from paths import ROOT
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ENGLISH = """# Three men's morris

## Play

### `Point`
1. The board has {count(Point)} points.

### `pieces_each`
1. Each player has {pieces_each} pieces.

### `play`
1. The players take turns.

### `turn`
1. A player who has pieces left must lay one on a free point.
2. After that a player moves a piece along a line to a free point.
3. A player who cannot move loses.

### `row_of_three`
1. Three pieces in a row win.
"""
GLOSSARY = """[[concept]]
id = "piece"
en = ["piece", "pieces"]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A short game of the shelf with an English text of this test's."""
    folder = tmp_path / "merels"
    shutil.copytree(ROOT / "workbench" / "shelf" / "merels", folder)
    (folder / "text" / "en.md").write_text(ENGLISH, encoding="utf-8")
    (folder / "text" / "glossary.toml").write_text(GLOSSARY, encoding="utf-8")
    return folder


def about(id_: str, lang: str = "nl", **more: Any) -> dict[str, Any]:
    """A message about a sentence."""
    return {"from": "en", "lang": lang, "variant": "", "key": id_, "who": "a", "by": "Anna", **more}


def write(seen: Seen, id_: str, text: str, base: str = "", **more: Any) -> dict[str, Any]:
    return seen.ask("save", **about(id_, text=text, base=base, **more))


def rows(seen: Seen, lang: str = "nl") -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in seen.ask("texts", **{"from": "en", "lang": lang})["rows"]}


def test_a_language_is_begun_and_a_sentence_written_and_nothing_else(folder: Path) -> None:
    dutch, rules = folder / "text" / "nl.md", (folder / "merels.rules").read_text(encoding="utf-8")
    with served(folder) as (_, _, link), page(link) as seen:
        assert seen.until("begins")["texts"] and seen.until("texts")["written"] == ["en"]
        assert "is not the code" in seen.ask("start", **{"lang": "../x", "from": "en"})["problem"]
        assert "problem" not in seen.ask("start", **{"lang": "nl", "from": "en"})
        assert seen.until("texts", lambda told: "nl" in told["written"])["languages"] == ["en", "nl"]
        assert (folder / "merels.rules").read_text(encoding="utf-8") == rules.replace("s en\n", "s en, nl\n")
        before = dutch.read_text(encoding="utf-8")
        assert {row["state"] for row in rows(seen).values()} == {"new"}

        one = seen.ask("sentence", **about("pieces_each.1"))
        assert "".join(text for text, _ in one["source"]) == "Each player has 3 pieces." and one["before"] == []
        assert one["terms"] == [{"id": "piece", "source": "piece", "targets": [], "note": ""}]
        assert one["values"] == ["{pieces_each}"] and "pieces_each = 3" in one["rule"]
        assert "problem" not in seen.ask("term", **about("pieces_each.1", concept="piece", text="steen"))
        assert seen.ask("sentence", **about("pieces_each.1"))["terms"][0]["targets"] == ["steen"]
        assert "no `x` to name" in seen.ask("term", **about("pieces_each.1", concept="x", text="steen"))["problem"]

        found = seen.ask("check", **about("pieces_each.1", text="Elke speler heeft stenen."))["found"]
        assert found[0][:2] == ["error", "nl"] and "{pieces_each} not at all" in found[0][2]
        assert "{pieces_each}" in write(seen, "pieces_each.1", "Elke speler heeft stenen.")["problem"]
        text = "Elke speler heeft {pieces_each} stenen."
        checked = seen.ask("check", **about("pieces_each.1", text=text))
        assert checked["found"] == [] and checked["filled"] == "Elke speler heeft 3 stenen."
        assert write(seen, "pieces_each.1", text)["saved"] == text
        assert dutch.read_text(encoding="utf-8") == before.replace("each`\n1.", f"each`\n1. {text}")
        assert rows(seen)["pieces_each.1"]["state"] == "translated"
        assert "saved" in write(seen, "pieces_each.1", text, text, done=True)
        assert rows(seen)["pieces_each.1"]["state"] == "reviewed"

        save(folder, "Each player has", "Every player begins with", "text/en.md")
        assert rows(seen)["pieces_each.1"]["state"] == "stale"
        pieces = seen.ask("sentence", **about("pieces_each.1"))["before"]
        assert [text for sign, text in pieces if sign == "-"] == ["Each", "has"]
        assert "saved" in write(seen, "pieces_each.1", text, text, done=True)
        assert rows(seen)["pieces_each.1"]["state"] == "reviewed"


def test_what_was_edited_elsewhere_is_merged_or_both_are_shown(folder: Path) -> None:
    with served(folder) as (_, link, texts), page(link) as anna, page(texts) as ben:
        anna.ask("start", **{"lang": "nl", "from": "en"})
        assert "saved" in write(anna, "play.1", "De spelers zijn om de beurt.")
        save(folder, "De spelers zijn", "Om beurten zijn de spelers", "text/nl.md")
        assert "saved" in write(ben, "row_of_three.1", "Drie stenen op een rij winnen.")
        told = (folder / "text" / "nl.md").read_text(encoding="utf-8")
        assert "Om beurten zijn de spelers" in told and "Drie stenen" in told

        mine = write(anna, "play.1", "De spelers spelen om beurten.", "De spelers zijn om de beurt.")
        assert mine["conflict"] == "Om beurten zijn de spelers om de beurt." and "saved" not in mine
        assert (folder / "text" / "nl.md").read_text(encoding="utf-8") == told
        assert "saved" in write(anna, "play.1", "De spelers spelen om beurten.", mine["conflict"])

        anna.ask("draft", **about("turn.3", text="Wie niet kan"))
        told = ben.until("company", lambda message: any(one["text"] for one in message["here"]))["here"]
        assert ("Anna", ["nl", "", "turn.3"], "Wie niet kan") in [(o["name"], o["place"], o["text"]) for o in told]
        assert ben.ask("sentence", **about("turn.3", who="b", by="Ben"))["drafts"] == ["Wie niet kan"]
        ben.ask("comment", **about("turn.3", text="Verliest?  Altijd?", by="Ben"))
        ben.ask("comment", **about("turn.3", text="Even in the setup?", by="Ben", author=True))
        one = anna.ask("sentence", **about("turn.3"))
        assert one["comments"][0].startswith("Verliest? Altijd? [Ben") and one["draft"] == "Wie niet kan"
        assert one["questions"][0].startswith("Even in the setup? [Ben")
        for settled in (*one["comments"], *one["questions"]):
            anna.ask("settle", **about("turn.3", text=settled))
        one = anna.ask("sentence", **about("turn.3"))
        assert (one["comments"], one["questions"]) == ([], [])


def test_every_keystroke_is_kept_when_the_desk_is_killed(folder: Path) -> None:
    with served(folder) as (process, link, _), page(link) as seen:
        seen.ask("start", **{"lang": "nl", "from": "en"})
        for typed in ("W", "Wi", "Wie niet kan zetten, verl"):
            seen.ask("draft", **about("turn.3", text=typed))
        seen.ask("draft", **about("turn.2", text="weg"))
        seen.ask("draft", **about("turn.2", text=None))
        process.kill()
        process.wait()
    journal = folder / "text" / ".drafts.jsonl"
    journal.write_bytes(journal.read_bytes() + b'{"language": "nl", "id": "turn')
    with served(folder) as (_, _, link), page(link) as seen:
        assert seen.ask("sentence", **about("turn.3"))["draft"] == "Wie niet kan zetten, verl"
        assert seen.ask("sentence", **about("turn.2"))["draft"] is None
        assert "saved" in write(seen, "turn.3", "Wie niet kan zetten, verliest.")
        assert seen.ask("sentence", **about("turn.3"))["draft"] is None


def test_a_link_to_the_texts_opens_nothing_else(folder: Path) -> None:
    seen_by_guests = {"begins", "folder", "texts", "text findings", "company", "told"}
    before = sorted(folder.parent.rglob("*"))
    with served(folder) as (_, _, link), page(link) as seen:
        seen.until("texts")
        for kind in ("book", "fix", "keep", "turn", "go on", "case", "questions", "code", "seek"):
            assert set(seen.ask(kind, lang="en", fix="1.0", name="x", values={"pieces_each": "4"})) <= {
                "kind", "id", "what",
            }  # fmt: skip
        bad: list[dict[str, Any]] = [
            about("play.1", lang="../../x", text="x", base=""),
            about("play.1", lang="en", text="x", base=""),
            {**about("play.1", text="x", base=""), "variant": "../x"},
            {**about("play.1", text="x", base=""), "from": "../en"},
            about("../play.1", text="x", base=""),
            {"lang": ["nl"], "key": {"a": 1}, "text": 7},
            {},
        ]
        for message in bad:
            for kind in ("save", "sentence", "check", "comment", "settle"):
                assert "problem" in seen.ask(kind, **message), (kind, message)
        assert sorted(folder.parent.rglob("*")) == before, "nothing is written"
        seen.ask("start", **{"lang": "nl", "from": "en"})
        assert write(seen, "play.1", "De\nspelers\u0000 \ud800zijn\u2028om de\u00a0beurt. ")["saved"] == (
            "De spelers zijn om de\u00a0beurt."
        )
        assert "needs words" in write(seen, "play.2", " \n ")["problem"]
        seen.ask("look through")
        seen.until("text findings")
        assert set(seen.told) <= seen_by_guests
        outside = folder.parent / "outside"
        outside.mkdir()
        shutil.move(folder / "text" / "nl.md", outside / "nl.md")
        (folder / "text" / "nl.md").symlink_to(outside / "nl.md")
        assert "problem" in write(seen, "turn.1", "Leg een steen.")
        assert "Leg" not in (outside / "nl.md").read_text(encoding="utf-8")
        with connect(f"{link.split('/#')[0].replace('http', 'ws')}/socket") as table, pytest.raises(ConnectionClosed):
            table.send(json.dumps({"kind": "hello", "token": link.split("#")[1]}))
            while True:
                table.recv(PATIENCE)


PORTUGUESE = (
    "Moinho de três", "O jogo", "O tabuleiro tem {count(Point)} pontos.", "Cada jogador tem {pieces_each} peças.",
    "Os jogadores jogam à vez.", "Quem ainda tem peças deve pôr uma num ponto livre.",
    "Depois disso, cada um move uma peça ao longo de uma linha para um ponto livre.", "Quem não pode mover perde.",
    "Três peças em linha ganham.",
)  # fmt: skip


def test_a_game_is_translated_from_nothing_to_print_with_the_keyboard_alone(chrome: Browser, folder: Path) -> None:
    complaints: list[str] = []
    with served(folder) as (_, _, link):
        context = chrome.new_context(viewport={"width": 1200, "height": 900}, locale="en")
        context.set_default_timeout(60_000)
        at = context.new_page()
        at.on("pageerror", lambda error: complaints.append(str(error)))
        at.goto(link)
        at.get_by_role("button", name="Add a language").wait_for()
        assert not at.locator("#to-rules").is_visible() and not at.locator("#playing").is_visible()
        keys = at.keyboard
        while at.evaluate("document.activeElement.textContent") != "Add a language":
            keys.press("Tab")
        keys.press("Enter")
        keys.type("pt")
        keys.press("Enter")
        for number, sentence in enumerate(PORTUGUESE):
            at.wait_for_function("n => document.querySelectorAll('.sign.new').length === n", arg=9 - number)
            at.wait_for_function("() => document.activeElement.id === 'text-input' && !document.activeElement.value")
            keys.type(sentence)
            if number == 3:
                at.wait_for_function("() => document.querySelector('.filled')?.textContent.includes('tem 3 peças')")
                assert not (f := faults(at)), "\n".join(f)
            keys.press("Control+Enter")
        at.get_by_text("Nothing is left to do").wait_for()
        at.set_viewport_size({"width": 390, "height": 844})
        assert faults(at) == [] and at.evaluate("document.documentElement.scrollWidth <= innerWidth")
        context.close()
    assert complaints == []
    command = [sys.executable, "-m", "workbench.entry", "rulebook", str(folder), "--lang", "pt"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "Cada jogador tem 3 peças." in printed and "Três peças em linha ganham." in printed
    assert "English" not in printed and "begin" not in printed
