"""What pages are shown: what can be clicked, how a question is put, why and why not, and no more than a seat sees."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest
from paths import ROOT, RULES
from small_games import load_game, write_game

import interpreter
from interpreter.errors import GameError
from workbench.pictures.looks import look_for
from workbench.rulebook.languages.catalogue import catalogues, lacking, section
from workbench.table import view
from workbench.table.page import assets
from workbench.table.view.window import wording_of

TIC = RULES / "classics" / "tic_tac_toe"


def positions(name: str, players: int, rule: str, **options: Any) -> tuple[Any, Any, list[dict[str, Any]]]:
    """The first position in which a rule asks for one of several things, as each seat is shown it."""
    game = interpreter.load(RULES / name, players=players, **options)
    state = game.start(4)
    chance = random.Random(2)
    while state.decision.rule != rule or state.option_count < 3:
        state.choose(chance.randrange(state.option_count))
    return game, state, [view.position(game, state, view.Viewpoint(seat, False, "en", 800)) for seat in range(players)]


def test_only_the_seat_that_is_asked_is_given_a_question() -> None:
    _, state, each = positions("meduris", 3, "action")
    asked = state.player
    for seat, position in enumerate(each):
        assert (position["question"] is not None) == bool(position["options"]) == (seat == asked)
        assert position["turn of"] == [asked]
        assert bool(position["targets"]) == (seat == asked)


def test_what_can_be_clicked_is_in_the_picture_and_narrows_to_every_option() -> None:
    _, state, each = positions("meduris", 2, "action")
    position = each[state.player]
    for address in position["targets"]:
        assert f'data-at="{address}"' in "".join(position["svg"])
    assert {n for numbers in position["targets"].values() for n in numbers} == set(range(state.option_count))


def test_areas_of_players_are_no_targets_where_something_in_them_says_more() -> None:
    _, state, each = positions("skye", 2, "buy.turn")
    targets = each[state.player]["targets"]
    assert targets and not any(address.startswith(("Player:", "gold")) for address in targets)


def test_a_turned_piece_has_a_ghost_for_every_turn() -> None:
    _, state, each = positions("skye", 2, "build")
    position = each[state.player]
    assert {field["kind"] for field in position["fields"]} == {"member", "square", "turn"}
    for option in position["options"]:
        lay = option["lay"]
        assert lay["at"] in position["targets"]
        assert f"{lay['piece']}/{lay['turn']}" in position["ghosts"]


def test_a_payment_is_counted_from_a_purse() -> None:
    _, state, each = positions("meduris", 2, "build.price")
    position = each[state.player]
    purse = position["purse"]
    assert purse["place"] == f"goods[{state.decision.subject['p']}]"
    assert {name for one in position["options"] for name in one["counts"]} == {kind["name"] for kind in purse["kinds"]}
    assert f"Field:{state.decision.subject['f']}" in position["question"]["where"]


def test_a_strict_policy_has_nothing_to_forbid() -> None:
    for name, rule in (("skye", "build"), ("hex", "play")):
        game = interpreter.load(RULES / name, players=2)
        state = game.start(1)
        position = view.position(game, state, view.Viewpoint(state.player, False, None, 400))
        for svg in ("".join(position["svg"]), *position["faces"].values(), *position["ghosts"].values()):
            assert "style=" not in svg and "<style" not in svg and "<script" not in svg, rule
    page = assets()[""].content.decode()
    assert not re.search(r"<script(?![^>]*src=)|\sstyle=|\son\w+=", page)


def test_nothing_moves_for_who_sees_the_table_for_the_first_time() -> None:
    game = interpreter.load(TIC)
    state = game.start(1)
    state.choose(0)
    first = view.position(game, state, view.Viewpoint(0, False, "en", 400))
    assert first["log"] and not first["moves"] and not first["changed"]
    state.choose(0)
    then = view.position(game, state, view.Viewpoint(0, False, "en", 400, since=first["seen"]))
    assert then["changed"] and 0 < len(then["log"]) < len(first["log"]) + len(then["log"])


READ = """\
game read
  players 2
  seats ann, ben

enum Card: oak, elm, yew, fir

each Player has
  hand: pool of Card, seen by owner, counted
  bid: 0..9
  score: 0..99

winner most score[p], then shared

rule play
  each c in Card
    if index(c) < 2
      surely move 1 of c from stock to hand[first(Player)]
    otherwise
      surely move 1 of c from stock to hand[next(first(Player))]
  each p in Player
    p chooses c in hand[p]
      surely move 1 of c from hand[p] to trick
  move all from trick to heap
{steps}
  first(Player) chooses more in 1..3
  end the game

the game has
  stock: pool of Card = {{c: 1 for c in Card}}
  trick: pool of Card
  heap: pool of Card
"""

ASKED = "first(Player) chooses n in 1..3"


@pytest.mark.parametrize(
    ("steps", "told"),
    [
        ([], [{"at": "trick", "kind": "yew"}]),
        ([ASKED, "first(Player) scores 3"], None),
        ([ASKED, "each p in Player", "  p scores 3"], []),
        ([ASKED, "each p in Player", "  set bid[p] to 3"], None),
        ([ASKED, "each p in Player", "  set bid[p] to 3", "each p in Player", "  set bid[p] to 0"], []),
        ([ASKED, "show hand[first(Player)] to all"], None),
        (
            [ASKED, "show hand[first(Player)] to all", "move all from hand[first(Player)] to heap"],
            [{"at": "hand[ann]", "kind": "elm"}],
        ),
    ],
    ids=["trick", "points of one", "points of several", "values", "values that go", "hand", "hand that goes"],
)
def test_what_came_into_sight_and_is_gone_waits_to_be_read(
    tmp_path: Path, steps: list[str], told: list[Any] | None
) -> None:
    text = READ.format(steps="\n".join(f"  {step}" for step in steps))
    game = interpreter.load(write_game(tmp_path / "read", text))
    state, since = game.start(1), 0
    for _ in range(2 + (ASKED in steps)):
        since = view.position(game, state, view.Viewpoint(1, False, "en", 400))["seen"]
        state.choose(0)
    assert view.position(game, state, view.Viewpoint(1, False, "en", 400, since=since))["rests"] == told


def test_the_end_tells_where_points_came_from() -> None:
    game = interpreter.load(RULES / "meduris", players=2, engine="wasm")
    state = interpreter.simulated(game, seed=1, number=0)
    results = view.position(game, state, view.Viewpoint(None, False, "nl", 800))["results"]
    assert [row["score"] for row in results["ranking"]] == sorted(state.scores, reverse=True)
    for seat, name in enumerate(game.program.seats):
        lines = [line for one in results["points"] for line in one["lines"] if line["player"] == name]
        assert state.scores[seat] in {line["total"] for line in lines}
        assert 1 < max(line["round"] for line in lines) <= results["rounds"]


@pytest.mark.parametrize(
    ("name", "players", "rounds"),
    [("skye", 2, 6), ("classics/tic_tac_toe", 2, 4), ("whist", 4, 3), ("golf_patience", 1, 22)],
)
def test_rounds_are_those_of_the_rules_or_times_round_the_table(name: str, players: int, rounds: int) -> None:
    game, chance = interpreter.load(RULES / name, players=players, engine="wasm"), random.Random(3)
    state = game.start(5)
    while state.option_count:
        state.choose(chance.randrange(state.option_count))
    assert view.position(game, state, view.Viewpoint(0, False, "en", 400))["results"]["rounds"] == rounds


def test_why_not_says_what_fails_and_with_which_values() -> None:
    game = interpreter.load(TIC)
    state = game.start(1)
    address = next(iter(view.position(game, state, view.Viewpoint(state.player, False, "en", 400))["targets"]))
    state.choose(0)
    (told,) = view.why_not(game, state, state.player, address, lang="en")["explanations"]
    assert not told["allowed"] and [c["holds"] for c in told["conditions"]].count(False) == 1
    (offered,) = view.why(game, state, state.player, 0, lang="en")["explanations"]
    assert offered["allowed"] and offered["what"]
    assert view.why_not(game, state, state.player, "nowhere[x]", lang="en") == {"about": None, "explanations": []}


@pytest.mark.parametrize(
    ("lang", "huts", "price"),
    [("en", "You need a hut in front of", "cannot pay the price"), ("nl", "hut", "prijs"), ("de", "Hütte", "Preis")],
)
def test_conditions_are_told_as_the_rulebook_puts_them(lang: str, huts: str, price: str) -> None:
    wording = wording_of(program := interpreter.load(RULES / "meduris").program, look_for(program, lang))
    conditions = ["undeveloped(f)", "huts[p] > 0", "goods[p] covers hut_price(f)", "new is not old"]
    free, hut, paid, unsaid = wording.stating("build.hut", conditions)
    assert huts in str(hut) and price in str(paid) and free not in (None, hut, paid)
    assert unsaid is None
    (limit,) = wording.stating("big.yield", ["count(plain[new]) < plain_limit"])
    assert str(program.numbers["plain_limit"]) in str(limit)


def test_a_condition_that_fails_comes_with_its_sentence_and_its_values() -> None:
    game, state, _ = positions("meduris", 2, "action")
    state.choose(next(n for n, one in enumerate(state.decision.options) if one.id == "build.hut"))
    while state.decision.rule != "action":
        state.choose(0)
    (taken,) = (field for field, owner in state.view(None)["state"]["hut"].items() if owner is not None)
    (failing, *_) = misses(game, state, taken)
    assert "undeveloped field" in failing["sentence"] and failing["values"].startswith("hut: ")


def misses(game: Any, state: Any, field: str) -> list[dict[str, Any]]:
    """The conditions that keep somebody from choosing a field."""
    told = view.why_not(game, state, state.player, f"Field:{field}", lang="en")["explanations"]
    return [
        condition for one in told if not one["allowed"] for condition in one["conditions"] if not condition["holds"]
    ]


def test_every_refusal_has_its_words_and_every_word_its_refusal() -> None:
    folder = ROOT / "workbench" / "table"
    text = "\n".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
    used = set(re.findall(r'\bRefused\(\s*"(\w+)"', text)) | {
        "disk_full",
        "disk_gone",
        "disk_readonly",
        "disk_broken",
        "given_up",
    }
    assert used == section("refused", "en").keys()
    assert not [word for lang in catalogues() for word in lacking(lang) if word.startswith("refused")]


@pytest.mark.parametrize("about", [999, -1, "no such thing", 1.5])
def test_questions_about_nothing_are_refused_in_words(about: Any) -> None:
    game = interpreter.load(TIC)
    state = game.start(1)
    with pytest.raises(GameError, match="not among the choices"):
        view.why(game, state, state.player, about, lang="en")
    with pytest.raises(GameError, match="not your turn"):
        view.why(game, state, 1 - (state.player or 0), 0, lang="en")


def test_everybody_may_ask_what_a_thing_is_and_where_it_counts() -> None:
    game = interpreter.load(RULES / "skye", players=2)
    state = game.start(1)
    for seat in (None, 0, 1):
        told = view.why_not(game, state, seat, "score[red]", lang="en")["about"]
        assert "Points" in told["name"].capitalize() or told["name"]
        assert told["rules"] and all(rule["sentences"] for rule in told["rules"])
    hidden = {view.why_not(game, game.start(seed), 0, "bag", lang="en")["about"]["lines"][0] for seed in range(3)}
    assert len(hidden) == 1  # what is told does not depend on the position


def test_what_lies_in_a_place_is_shown_whole_to_those_who_see_it() -> None:
    game = interpreter.load(RULES / "whist", players=4)
    state = game.start(1)
    for seat, number in ((0, 13), (1, 0), (None, 0)):
        hand = view.why_not(game, state, seat, "hand[north]", lang="en")["about"]["faces"]
        each = [view.why_not(game, state, seat, card["address"], lang="en")["about"]["faces"] for card in hand]
        assert [len(hand), *map(len, each)] == [number, *[1] * number]


def test_a_game_without_texts_answers_from_its_rules() -> None:
    game = interpreter.load(RULES / "kalah")
    for lang in ("en", "de"):
        told = view.why_not(game, game.start(1), None, "Pit:s3", lang=lang)["about"]
        assert told["rules"] and told["lines"]
        assert view.why_not(game, game.start(1), None, "seeds[s3]", lang=lang)["about"]["rules"]


@pytest.mark.parametrize(("lang", "told", "word"), [("en", "round 2 of 6", "gold"), ("de", "Runde 2 von 6", "Gold")])
def test_the_round_is_told_and_words_of_the_question_and_the_log_can_be_asked_about(
    lang: str, told: str, word: str
) -> None:
    game, chance = interpreter.load(RULES / "skye", players=2), random.Random(3)
    state = game.start(4)
    for rule in ("build", "offer.prices"):
        while state.decision.rule != rule:
            state.choose(chance.randrange(state.option_count))
    for seat in (state.player, None):
        shown = view.position(game, state, view.Viewpoint(seat, False, lang, 400))
        assert shown["rounds"] == [told] and word in shown["terms"]
        answers = [view.why_not(game, state, seat, name, lang=lang)["about"] for name in shown["terms"].values()]
        assert sum(about is not None for about in answers) > 0.8 * len(answers)


def test_a_game_without_texts_asks_whom_it_asks() -> None:
    game = interpreter.load(RULES / "kalah")
    state = game.start(1)
    for lang in catalogues():
        shown = view.position(game, state, view.Viewpoint(state.player, False, lang, 400))
        name = shown["players"][state.player]["label"]
        assert shown["question"]["text"].startswith(name) and "(" not in shown["phase"]


SHOWING = """\
game glimpse
  players 2
  seats ann, ben

enum Hill: oak, elm

the game has
  wood: {type}, seen by nobody
  made: 0..9

each Player has
  bid: {type}, seen by owner
  score: 0..9

winner most score[p], then shared

rule play
  take turns p from first(Player) until made > 5
    p chooses one of
      option peek
        show bid[next(p)] to p
        show wood to all
        increase made by 1
      option wait
        increase made by 1
"""


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("3..9", "3"),
        ("flag", None),
        ("Hill", "oak"),
        ("Hill or none", None),
        ("Player", "Ann"),
        ("Player or none", None),
    ],
)
def test_values_that_were_shown_are_drawn_where_they_are(tmp_path: Path, kind: str, told: str | None) -> None:
    game = load_game(tmp_path / "glimpse", SHOWING.replace("{type}", kind))
    state = game.start(1)
    state.choose(0)
    for seat in (0, 1, None):
        position = view.position(game, state, view.Viewpoint(seat, False, "en", 400))
        ben = next(line for line in position["described"] if line.startswith("Ben"))
        if seat == 0 and told is not None:
            assert f"bid {told}" in ben.replace("bid: ", "bid ")


def test_every_game_has_something_to_read() -> None:
    assert view.rulebook(interpreter.load(RULES / "meduris"), "fr")["language"] == "fr"
    assert view.rulebook(interpreter.load(RULES / "meduris"), "es")["parts"]
    (first, *_) = view.rulebook(interpreter.load(TIC), "nl")["parts"]
    assert first["kind"] == "heading"


def test_the_words_of_the_page_are_those_of_the_catalogue() -> None:
    rooms = (ROOT / "workbench" / room / "page" for room in ("desk", "share", "table"))
    scripts = [file for room in rooms for file in room.glob("*.js")]
    text = "\n".join(script.read_text(encoding="utf-8") for script in scripts)
    words = section("page", "en")
    assert set(re.findall(r'\bsay\("(\w+)"', text)) <= words.keys()
    assert [word for word in words if f'"{word}"' not in text] == []
