"""The desk as its page meets it: saves, fixes, numbers that are turned, and what is kept and forgotten."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from desk_served import PATIENCE, desk, page, save
from paths import RULES
from small_games import corpus, write_game
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from interpreter import load
from interpreter.bots.people import FILE, written
from interpreter.comparing.playtests import watched
from workbench.checking import check_game
from workbench.desk.turning import Turned

TIC = RULES / "classics" / "tic_tac_toe"
TEXT = """# Tic-tac-toe

## Play

### `play`
1. {one}

### `in_a_row`
1. {{in_a_row}} {two}

### `line`
1. {three}
"""
OTHERS = {
    "en": ("Mark a cell.", "in a row win.", "A row wins."),
    "nl": ("Kies een vak.", "op een rij wint.", "Een rij wint."),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A game with a rulebook in two languages."""
    shutil.copytree(TIC, tmp_path / "tic")
    (tmp_path / "tic" / "text").mkdir()
    for lang, (one, two, three) in OTHERS.items():
        text = TEXT.format(one=one, two=two, three=three)
        (tmp_path / "tic" / "text" / f"{lang}.md").write_text(text, encoding="utf-8")
    save(tmp_path / "tic", "  players 2\n", "  players 2\n  languages en, nl\n")
    return tmp_path / "tic"


def mendable(message: dict[str, Any]) -> bool:
    """Whether all findings are there, and with them what can be done about them."""
    return any(one["fixes"] for own in message["found"].values() for one in own)


def marked(message: dict[str, Any]) -> list[str]:
    """The statements of a rulebook that are marked, as they read now."""
    return [part["text"] for part in message["parts"] if "pieces" in part]


def test_a_save_is_looked_at_and_the_table_follows_in_its_position(folder: Path) -> None:
    with desk(folder) as link, page(link, lang="nl") as seen:
        begun = seen.until("begins")
        assert begun["lang"] == "nl" and begun["words"]["desk_keep"] == "Bewaren als variant"
        seen.ready()
        assert seen.told["findings"]["found"] == {} and seen.told["table"] == {"kind": "table", "there": True}
        assert {one["state"] for one in seen.told["examples"]["found"]} == {"passed"}
        assert seen.told["controls"]["found"][0]["name"] == "in_a_row" and "save" not in seen.told["changed"]

        save(folder, "in_a_row = 3", "in_a_row = 2")
        changed = seen.until("changed", lambda message: "save" in message)
        assert "<del>3</del> → <ins>2</ins>" in changed["save"] and "op een rij wint" in changed["save"]
        assert seen.told["table"] == {"kind": "table", "there": True}
        assert marked(seen.ask("book", lang="en")) == ["2 in a row win."]
        save(folder, "Kies een vak.", "Kies een leeg vak.", "text/nl.md")
        seen.until("changed", lambda message: "leeg" in message.get("save", ""))
        assert marked(seen.ask("book", lang="nl")) == ["Kies een leeg vak.", "2 op een rij wint."]


def test_the_smallest_case_in_which_a_change_matters(folder: Path) -> None:
    with desk(folder) as link, page(link) as seen:
        seen.ready()
        save(folder, "in_a_row = 3", "in_a_row = 2")
        seen.until("changed", lambda message: "save" in message)
        html = [seen.ask("case", since=since, lang="nl")["html"] for since in ("save", "all")]
        assert html[0] == html[1] and "eerst" in html[0] and "<pre>example" in html[0]
        number = seen.told["controls"]["found"][0]
        assert (number["name"], number["value"]) == ("in_a_row", "2")
        seen.ask("turn", values={"in_a_row": "3"})
        seen.until("turned", lambda message: "changes" in message)
        assert "<pre>example" in seen.ask("case", since="turned", lang="en")["html"]


def test_the_questions_that_rules_leave_open_are_listed(folder: Path) -> None:
    reading = 'reading begins: first, second\n  default first\n  because "nothing is said"\n\nnumber in_a_row = 3'
    save(folder, "number in_a_row = 3", reading)
    save(folder, "from first(Player)", "from if begins is first then first(Player) else next(first(Player))")
    with desk(folder) as link, page(link) as seen:
        seen.ready()
        seen.ask("questions", lang="nl")
        told = seen.until("questions", lambda message: not message["more"])
        assert told["lang"] == "nl" and told["version"] == seen.told["changed"]["version"]
        assert "nothing is said" in told["html"] and "<pre>example" in told["html"]


def test_with_mistakes_the_last_good_rules_stay_and_a_fix_is_carried_out(folder: Path) -> None:
    with desk(folder) as link, page(link) as seen:
        seen.ready()
        save(folder, "players 2", "playrs 2")
        found = seen.until("findings", mendable)["found"]
        (finding,) = found["tic_tac_toe.rules"]
        assert finding["code"] == "R0201" and str(folder) not in json.dumps(found)
        (fix,) = finding["fixes"]
        assert "edits" not in fix, "what is written is the desk's own, not what a page says"
        with page(link, "socket") as table:
            assert table.until("position")["title"] == "Tic-tac-toe", "who comes later plays by the last good rules"
        assert "id" in fix and seen.ask("fix", fix="7.7") == {**seen.told["told"], "done": False}
        assert seen.ask("fix", fix=fix["id"])["done"]
        seen.until("findings", lambda message: not message["found"])
        assert "players 2" in (folder / "tic_tac_toe.rules").read_text(encoding="utf-8")


def test_a_game_that_never_checked_gets_its_table_when_it_does(folder: Path) -> None:
    save(folder, "players 2", "playrs 2")
    with desk(folder) as link, page(link) as seen:
        seen.until("findings", lambda message: message["found"])
        assert not seen.until("table")["there"]
        save(folder, "playrs 2", "players 2")
        seen.until("table", lambda message: message["there"])
        with page(link, "socket") as table:
            assert table.until("position")["players"]


COUNTING = corpus("counting")


def test_a_position_that_does_not_fit_says_from_where_it_would(tmp_path: Path) -> None:
    folder = write_game(tmp_path / "counting", COUNTING)
    with desk(folder) as link, page(link) as seen:
        seen.ready()
        with page(link, "socket", width=400) as table:
            turn = table.until("position")["turn"]
            for _ in range(3):
                table.socket.send(json.dumps({"kind": "choose", "turn": turn, "option": 0}))
                turn = table.until("position", lambda message, before=turn: message["turn"] > before)["turn"]
            save(folder, "limit = 9", "limit = 1", "counting.rules")
            told = seen.until("table", lambda message: "cannot" in message)
            assert "paces" in told["cannot"] and told["earlier"] == 2
            seen.ask("go on", at=2)
            assert table.until("position", lambda message: message["turn"] > turn)["turn of"] == [0]
            save(folder, "limit = 1", "limit = 0", "counting.rules")
            assert seen.until("table", lambda message: "cannot" in message)["earlier"] is None
            seen.ask("go on", at=None)
            assert "cannot" not in seen.until("table")


def test_what_is_turned_is_answered_kept_and_forgotten_without_a_trace(folder: Path) -> None:
    before = sorted(folder.rglob("*"))
    with desk(folder) as link, page(link) as seen:
        seen.ready()
        seen.ask("turn", values={"in_a_row": "2", "nothing": "1", "per": "x"})
        turned = seen.until("turned", lambda message: "changes" in message)
        assert turned["values"] == {"in_a_row": "2"} and "<ins>2</ins> in a row win" in turned["changes"]
        answer = seen.told.get("answer") or seen.until("answer")
        answer = answer if answer.get("done") else seen.until("answer", lambda message: message.get("done"))
        length = next(row for row in answer["rows"] if row["name"] == "Decisions")
        assert float(length["now"]) < float(length["printed"]) and length["verdict"] == "changed"
        assert [seat["name"] for seat in answer["seats"]] == ["x", "o"] and answer["short"]
        assert marked(seen.ask("book", lang="nl")) == ["2 op een rij wint."]

        assert sorted(folder.rglob("*")) == before, "turning writes nothing"
        seen.ask("forget")
        seen.until("turned", lambda message: not message["values"])
        assert marked(seen.ask("book", lang="nl")) == [] and sorted(folder.rglob("*")) == before
        assert "Nothing is turned" in seen.ask("keep", name="two")["problem"]

        seen.ask("turn", values={"in_a_row": "2"})
        for name in ("../two", "Two", "", "a" * 80):
            assert "is not a name" in seen.ask("keep", name=name)["problem"]
        assert seen.ask("keep", name="two")["file"] == "variants/two.rules"
        assert "already" in seen.ask("keep", name="two")["problem"]
    text = (folder / "variants" / "text" / "two.nl.md").read_text(encoding="utf-8")
    assert "### `in_a_row`\n2. Huisregel: {in_a_row} in plaats van 3." in text
    done = subprocess.run(
        [sys.executable, "-m", "workbench.entry", "rulebook", str(folder), "--variant", "two", "--lang", "nl"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "Huisregel: 2 in plaats van 3" in done.stdout.replace("*", "")


def test_a_number_past_what_can_be_played_says_how_far_it_goes(tmp_path: Path) -> None:
    folder = tmp_path / "kalah"
    shutil.copytree(RULES / "kalah", folder)
    with desk(folder) as link, page(link) as seen:
        seen.ready()
        seen.ask("turn", values={"per_pit": "-3"})
        told = seen.until("turned", lambda message: "nearest" in message)
        assert told["nearest"] == ["per_pit", 1] and told["cannot"]


def test_settings_that_give_the_game_one_wants_are_found_and_turned_to(tmp_path: Path) -> None:
    folder = tmp_path / "kalah"
    shutil.copytree(RULES / "kalah", folder)
    with desk(folder) as link, page(link) as seen:
        seen.ready()
        known = seen.told["controls"]
        assert {"name": "length", "label": "Length", "unit": "turns"} in known["goals"] and known["players"] == 2
        for vary, goals, why in (
            ({}, ["length -20%..-5%"], "may be varied"),
            ({str(folder / "kalah.rules"): ""}, ["length -20%..-5%"], "nothing called"),
            ({"per_pit": "1..9"}, ["lenght -20%..-5%"], "lenght"),
            ({"per_pit": "3..5"}, [], "goal"),
            ({"per_pit": "x" * 300}, ["length -20%..-5%"], "200 letters"),
        ):
            assert why in seen.ask("seek", vary=vary, goals=goals, minutes=1)["problem"]
        seen.ask("seek", vary={"per_pit": "3..5"}, goals=["length -40%..-5%"], minutes=1)
        found = seen.until("sought", lambda message: "doing" not in message)
        best = found["settings"][0]
        assert found["told"][0].startswith("Meets all goals: per_pit=3") and best["values"] == {"per_pit": "3"}
        assert len(best["cells"]) == len(found["goals"]) == 1
        seen.ask("turn", values=best["values"])
        assert seen.until("answer")["short"]
        seen.ask("seek", vary={"per_pit": "1..9"}, goals=["margin same"], minutes=10)
        seen.until("sought", lambda message: message.get("doing"))
        assert "lenght" in seen.ask("seek", vary={"per_pit": "1..9"}, goals=["lenght same"], minutes=1)["problem"]
        seen.until("sought", lambda message: message.get("doing"))  # the search under way goes on
        save(folder, "number per_pit = 4", "number per_pit = 5", "kalah.rules")
        assert seen.until("sought", lambda message: message.get("old"))


def test_a_folder_that_vanishes_comes_back_and_two_desks_see_the_same(folder: Path) -> None:
    with desk(folder) as link, desk(folder) as other, page(link) as seen, page(other) as second:
        seen.ready()
        second.ready()
        elsewhere = folder.with_name("elsewhere")
        os.rename(folder, elsewhere)
        for each in (seen, second):
            each.until("folder", lambda message: message["gone"])
        os.rename(elsewhere, folder)
        for each in (seen, second):
            each.until("folder", lambda message: not message["gone"])
        save(folder, "players 2", "playrs 2")
        fixes = [each.until("findings", mendable)["found"] for each in (seen, second)]
        ids = [found["tic_tac_toe.rules"][0]["fixes"][0]["id"] for found in fixes]
        assert seen.ask("fix", fix=ids[0])["done"]
        second.until("findings", lambda message: not message["found"])
        assert not second.ask("fix", fix=ids[1])["done"]


def test_a_page_that_slept_is_told_what_it_missed(folder: Path) -> None:
    with desk(folder) as link:
        with page(link) as seen:
            seen.ready()
        save(folder, "in_a_row = 3", "in_a_row = 2")
        with page(link) as again:
            assert "<ins>2</ins>" in again.until("changed", lambda message: "save" in message)["save"]
            again.socket.send("no JSON at all")
            again.socket.send("[1, 2]")
            assert again.ask("no such thing") == {"kind": "told", "id": "1", "what": "no such thing"}


def test_strangers_stay_outside(folder: Path) -> None:
    with desk(folder) as link:
        base, token = link.split("/#")
        for hello in ({"kind": "hello", "token": "x"}, {"kind": "hello"}, {"kind": "turn", "token": token}):
            with connect(f"{base.replace('http', 'ws')}/desk") as socket, pytest.raises(ConnectionClosed):
                socket.send(json.dumps(hello))
                socket.recv(PATIENCE)
        with pytest.raises(InvalidStatus):
            connect(f"{base.replace('http', 'ws')}/desk", origin="http://elsewhere.example")
        with urlopen(base) as answer:
            assert (
                "script-src 'self'" in answer.headers["Content-Security-Policy"] and token not in answer.read().decode()
            )
        for path, host in (("/page/../../tic_tac_toe.rules", None), ("/", "elsewhere.example")):
            with pytest.raises(HTTPError):
                urlopen(Request(f"{base}{path}", headers={"Host": host} if host else {}))


def test_a_game_without_texts_has_a_rulebook_made_from_its_rules(folder: Path) -> None:
    shutil.rmtree(folder / "text")
    save(folder, "  players 2\n  languages en, nl\n", "  players 2\n")
    with desk(folder) as link, page(link) as seen:
        seen.ready()
        assert {"en", "nl"} <= set(seen.told["changed"]["languages"])
        told = [" ".join(part["text"] for part in seen.ask("book", lang=lang)["parts"]) for lang in ("en", "nl")]
        assert "take turns" in told[0] and "om de beurt" in told[1]


def test_people_s_games_stand_beside_those_of_bots_and_can_be_played_by(tmp_path: Path) -> None:
    game, testers = RULES / "fog_harbour", tmp_path / "testers"
    testers.mkdir()
    with desk(game, "--people", str(testers)) as link, page(link) as seen:
        seen.ready()
        assert "no evenings" in (seen.told.get("people") or seen.until("people"))["problem"]
        people = watched(load(game, players=2), "random", 12)
        (testers / FILE).write_text(written(people.game, people.seen, list(people.evenings)), encoding="utf-8")
        told = seen.until("people", lambda message: len(message.get("beside", ())) == 2)
        assert told["games"] == 12 and told["chosen"] == sum(people.counts.values())
        assert {one["name"] for one in told["beside"][0]["means"]} >= {"turns", "decisions"}
        (number,) = [one for one in seen.told["controls"]["found"] if one["kind"] == "number"][:1]
        assert told["plays"] == [f"people:{testers}"]
        seen.ask("turn", values={number["name"]: str(int(number["value"]) + 1)}, bots=told["plays"][0])
        assert seen.until("answer")["pairs"] > 0
        (testers / FILE).write_text(written("another", people.seen, []), encoding="utf-8")
        assert "are of another" in seen.until("people")["problem"]


def test_a_number_that_depends_on_how_many_play_is_kept_for_as_many(tmp_path: Path) -> None:
    game = shutil.copytree(RULES / "meduris", tmp_path / "meduris")
    rules = game / "variants" / "fewer.rules"
    assert Turned(game, 2, {"huts_each": "11"}).keep("fewer") == "variants/fewer.rules"
    assert rules.read_text(encoding="utf-8").endswith("huts_each to if players is 2 then 11 else 8\n")
    assert "for 2 players: {huts_each@2} instead of 12" in (game / "variants/text/fewer.en.md").read_text("utf-8")
    assert not check_game(game, variants=("fewer",)).has_errors
