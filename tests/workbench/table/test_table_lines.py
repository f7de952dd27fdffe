"""Going back, playing on from elsewhere, and playing on under other rules."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from paths import RULES
from small_games import corpus, write_game

from workbench.pictures.build.reuse import Kept
from workbench.table.view.render import position
from workbench.table.view.window import Viewpoint

House = Any
TIC = RULES / "classics" / "tic_tac_toe"

DICE = corpus("dice_and_numbers")


def tab_of_its_own(text: str) -> dict[str, Any]:
    """A message as a page puts it together that holds nothing yet."""
    message = dict(json.loads(text))
    pieces = message.pop("pieces")
    return {**message, "svg": "".join(pieces[name] for name in message["svg"])}


def test_everything_sent_is_what_the_guest_may_see(house: Callable[..., House]) -> None:
    home = house(RULES / "fog_harbour", designer=True)
    tabs: dict[Any, Any] = {role: home.tab(role) for role in (0, 1, "watch", "open")}
    line = home.table.line
    for turn in range(1, 9):
        shown = {role: tab.position(turn) for role, tab in tabs.items()}
        state = line.position(shown[0]["at"])
        for role, found in shown.items():
            eyes = state.player if role == "open" else role if isinstance(role, int) else None
            viewpoint = Viewpoint(eyes, role == "open", found["lang"], 600, found["since"])
            beside = {key: found[key] for key in ("kind", "turn", "at", "line")}
            render = position(line.game, state, viewpoint, beside, Kept())
            assert found.pop("pieces").items() <= render.pieces.items()
            assert tab_of_its_own(render.message()) == found
        assert [bool(shown[seat]["options"]) for seat in (0, 1)] == [state.player == 0, state.player == 1]
        if state.option_count > 1:
            tabs[state.player].send("choose", turn=turn, option=0)
    kinds = {message["kind"] for tab in tabs.values() for message in tab.heard}
    assert kinds == {"people", "position"}


def test_an_undo_needs_everybody_but_in_ones_own_turn_and_stops_at_chance(
    house: Callable[..., House], tmp_path: Path
) -> None:
    home = house(write_game(tmp_path / "dice", DICE))
    red, blue, watch = home.tab(0), home.tab(1), home.tab("watch")
    red.position(1)
    red.send("choose", turn=1, option=2)
    red.position(2)
    red.send("undo")
    found = red.position(3)
    assert (found["at"], found["since"], found["scores"]) == (0, None, [0, 0])
    for turn, option in ((3, 2), (4, 0)):
        red.send("choose", turn=turn, option=option)
        red.position(turn + 1)
    red.send("undo")
    assert blue.next("asked") == {"kind": "asked", "undo by": 0, "of": [1]}
    watch.send("answer undo", agree=True)
    assert "Nobody has asked you" in watch.next("refused")["reason"]
    blue.send("answer undo", agree=False)
    assert red.next("asked")["undo by"] == 0
    assert red.next("asked") == {"kind": "asked", "undo by": None, "refused by": 1}
    red.send("undo")
    blue.next("asked")
    blue.send("answer undo", agree=True)
    assert red.position(6)["at"] == 1
    red.send("choose", turn=6, option=1)  # rolls
    red.position(7)
    red.send("undo")
    assert "something has been rolled" in red.next("refused")["reason"]
    assert [choice.option for choice in home.table.line.choices] == [2, 1]


def test_a_wish_to_take_back_ends_with_the_next_choice(house: Callable[..., House]) -> None:
    home = house(TIC)
    x, o = home.tab(0), home.tab(1)
    x.position(1)
    x.send("choose", turn=1, option=0)
    o.position(2)
    x.send("undo")
    o.next("asked")
    o.send("choose", turn=2, option=0)
    assert x.next("asked")["undo by"] == 0
    assert x.next("asked") == {"kind": "asked", "undo by": None}
    o.send("answer undo", agree=True)
    assert "Nobody" in o.next("refused")["reason"]


def test_earlier_positions_can_be_looked_at(house: Callable[..., House]) -> None:
    home = house(TIC)
    tabs = [home.tab(0), home.tab(1)]
    seen = []
    for turn in range(1, 4):
        seen.append(tabs[0].position(turn)["svg"])
        tabs[1].position(turn)
        tabs[(turn - 1) % 2].send("choose", turn=turn, option=0)
    for at in range(3):
        tabs[0].send("history", at=at)
        past = tabs[0].next("past")
        assert (past["at"], past["svg"]) == (at, seen[at])


def test_designers_branch_and_go_back_to_the_line_they_left(house: Callable[..., House]) -> None:
    home = house(TIC, designer=True)
    tab = home.tab("open")
    for turn in (1, 2, 3):
        tab.position(turn)
        tab.send("choose", turn=turn, option=turn)
    tab.position(4)
    tab.send("branch", at=1)
    found = tab.position(5)
    assert (found["at"], found["line"]) == (1, 2)
    tab.send("choose", turn=5, option=7)
    tab.position(6)
    tab.send("goto", line=1)
    assert (tab.position(7)["at"], home.table.line.number) == (3, 1)
    tab.send("undo")
    assert tab.position(8)["at"] == 2
    tab.send("again")
    assert (tab.position(9)["at"], home.table.line.number) == (0, 3)
    lines = [m for m in tab.heard if m["kind"] == "people"][-1]["table"]["lines"]
    assert [(each["line"], each["from"], each["at"]) for each in lines] == [(1, None, 0), (2, 1, 1), (3, 1, 0)]


def test_a_number_is_changed_in_the_middle_of_a_game(house: Callable[..., House], tmp_path: Path) -> None:
    home = house(write_game(tmp_path / "dice", DICE), designer=True)
    tab = home.tab("open")
    for turn in (1, 2):
        tab.position(turn)
        tab.send("choose", turn=turn, option=0)
    before = tab.position(3)
    tab.send("under", number="most", value=5)
    after = tab.position(4)
    assert (after["scores"], len(before["options"]), len(after["options"])) == (before["scores"], 3, 5)
    tab.send("choose", turn=4, option=4)
    assert tab.position(5)["scores"] == [1, 5]
    for data, reason in (
        ({"number": "mots", "value": 5}, "Did you mean `most`"),
        ({"number": "most", "value": "many"}, "`most` is a number"),
        ({"number": "most+x", "value": 5}, "which value"),
        ({"variant": "nothing"}, "There is no variant `nothing`"),
        ({"variant": "../../x"}, "There is no variant"),
    ):
        tab.send("under", **data)
        assert reason in tab.next("refused")["reason"]
    assert home.table.turn == 5


VARIANT = """\
variant thrice of dice
  "Again and again."

replace rule play
  take turns p from first(Player) until score[p] > 20
    p chooses first_of in 1..2
    p chooses n in 1..most
    p scores n + first_of
"""


def test_a_variant_that_does_not_fit_is_refused_with_a_word(house: Callable[..., House], tmp_path: Path) -> None:
    folder = write_game(tmp_path / "dice", DICE)
    (folder / "variants").mkdir()
    (folder / "variants" / "thrice.rules").write_text(VARIANT)
    (folder / "variants" / "wrong.rules").write_text(VARIANT.replace("thrice", "wrong").replace("1..most", "1..mots"))
    home = house(folder, branches=True)
    tab = home.tab(0)
    tab.position(1)
    tab.send("under", variant="thrice")
    assert "Those rules change play, which is under way" in tab.next("refused")["reason"]
    tab.send("under", variant="wrong")
    assert "wrong.rules" in (reason := tab.next("refused")["reason"]) and "mots" in reason
    assert str(tmp_path) not in reason
    tab.send("choose", turn=1, option=0)
    assert tab.position(2)["scores"] == [1, 0]


def test_rules_that_are_gone_are_told_of_without_a_path(house: Callable[..., House], tmp_path: Path) -> None:
    home = house(write_game(tmp_path / "dice", DICE), branches=True, designer=True)
    tab = home.tab("open")
    tab.position(1)
    tab.send("under", number="most", value=2)
    tab.position(2)
    (tmp_path / "dice").rename(tmp_path / "elsewhere")
    for wish in ({"number": "most", "value": 1}, {"variant": "harder"}):
        tab.send("under", **wish)
        assert str(tmp_path) not in tab.next("refused")["reason"]
    tab.send("choose", turn=2, option=0)
    assert tab.position(3)["scores"] == [1, 0]


FAULTY = DICE.replace(
    "each Player has", "the game has\n  box: pool of Face = {one: 1}\n  heap: pool of Face\n\neach Player has"
).replace("    p scores n\n", "    if n is 3\n      surely move 2 of one from box to heap\n    p scores n\n")


def test_a_fault_is_told_to_all_and_the_game_stays(house: Callable[..., House], tmp_path: Path) -> None:
    home = house(write_game(tmp_path / "dice", FAULTY))
    red, blue = home.tab(0), home.tab(1)
    red.position(1)
    blue.position(1)
    red.send("choose", turn=1, option=2)
    for tab in (red, blue):
        told = tab.next("fault")
        assert told["rule"] == "play" and "(dice.rules:" in told["text"]
    refused = red.next("refused")
    assert refused["to"] == "choose" and str(tmp_path) not in refused["reason"]
    red.send("choose", turn=1, option=0)
    assert blue.position(2)["scores"] == [1, 0]


def test_where_something_is_hidden_nobody_tries_a_second_time(house: Callable[..., House], tmp_path: Path) -> None:
    hidden = FAULTY.replace("  box: pool of Face = {one: 1}", "  box: pool of Face = {one: 1}, seen by nobody")
    home = house(write_game(tmp_path / "dice", hidden), branches=True)
    red, blue = home.tab(0), home.tab(1)
    red.position(1)
    red.send("choose", turn=1, option=2)
    assert blue.next("fault")["text"] and red.next("refused")["to"] == "choose"
    for tab, kind, data in ((red, "choose", {"turn": 1, "option": 0}), (red, "undo", {}), (blue, "undo", {})):
        tab.send(kind, **data)
        while (told := tab.next("refused"))["to"] != kind:
            pass
        assert told["reason"].startswith("A mistake in the rules has ended this game")
    assert home.table.turn == 1


@pytest.mark.parametrize("bots", [{0: "greedy"}, {0: "ismcts:20"}])
def test_bots_that_think_play_at_a_table(house: Callable[..., House], bots: dict[int, str]) -> None:
    home = house(TIC, bots=bots)
    tab = home.tab(1)
    assert tab.position(2)["at"] == 1
