"""``together each p in Player``: players decide unseen, and all of it takes effect when the last is done."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from small_games import BIDS, changed, load_game, mistakes

from interpreter.errors import SaveError


def play(state: Any, *wanted: str) -> Any:
    for text in wanted:
        options = [option.text for option in state.decision.options]
        state.choose(options.index(text))
    return state


def seen(state: Any, seat: int) -> tuple[Any, list[Any]]:
    """All that a seat is shown: its view, with its options, and its log."""
    return state.view(seat), [e for e in state.log if e.seats is None or seat in e.seats]


def test_nobody_sees_what_another_decides(tmp_path: Path) -> None:
    game = load_game(tmp_path, BIDS)
    low, high = play(game.start(1), "0"), play(game.start(1), "7", "shout")
    assert low.decision.player == high.decision.player == 1
    for seat in (1, 2):
        assert seen(low, seat) == seen(high, seat)
    assert [o.text for o in low.decision.options] == [o.text for o in high.decision.options]
    assert low.view(0) != high.view(0)
    assert low.key() != high.key()


def test_how_far_another_has_come_is_not_shown(tmp_path: Path) -> None:
    game = load_game(tmp_path, BIDS)
    asked, further = game.start(1), play(game.start(1), "5")
    assert further.decision.rule == "bidding.more"
    assert further.view(0)["decision"]["options"] == ["shout", "whisper"]
    assert seen(asked, 2) == seen(further, 2)
    assert further.view(2)["decision"] == {"player": 0, "rule": "auction.bids"}


def test_a_player_sees_the_own_decision_while_the_others_decide(tmp_path: Path) -> None:
    state = play(load_game(tmp_path, BIDS).start(1), "3", "shout", "2")
    view = state.view(0)
    assert (view["state"]["bid"], view["state"]["gold"], view["scores"]) == (
        {"ann": 3, "ben": 0, "cas": 0},
        {"ann": 6},
        [1, 0, 0],
    )
    assert state.view(1)["state"]["bid"] == {"ann": 0, "ben": 2, "cas": 0}
    assert state.view(2)["state"]["bid"] == {"ann": 0, "ben": 0, "cas": 0}
    assert [e.text for e in state.log if e.kind == "choice" and 0 in (e.seats or (0,))] == ["ann: 3", "ann: shout"]


def test_choices_do_not_depend_on_what_the_others_chose(tmp_path: Path) -> None:
    """The numbers offered look at the others' bids, which are still those of the position before."""
    state = play(load_game(tmp_path, BIDS).start(1), "9", "shout")
    assert [o.text for o in state.decision.options] == [str(n) for n in range(10)]


def test_in_the_end_all_of_it_takes_effect_and_everybody_is_told(tmp_path: Path) -> None:
    state = play(load_game(tmp_path, BIDS).start(1), "3", "whisper", "6", "shout", "0")
    assert state.scores == (0, 2, 0)  # one for the shout, one for the best bid
    assert state.view(2)["state"]["bids"] == {"ann": 1, "ben": 0, "cas": 0}
    for seat in range(3):
        told = [e for e in state.log if e.seats is None or seat in e.seats]
        texts = [e.text for e in told]
        assert texts.count("bid[ann] is 3") == texts.count("bid[ben] is 6") == 1
        points = [e for e in told if e.kind == "score"]
        assert len(points) == 2
        golds = [t for t in texts if t.startswith("gold[ann] is")]
        assert golds == (["gold[ann] is 6"] if seat == 0 else ["gold[ann] is set"])


def test_rules_that_watch_run_when_all_are_done(tmp_path: Path) -> None:
    state = play(load_game(tmp_path, BIDS).start(1), "6", "shout")
    assert not any(state.view(seat)["state"]["alarm"] for seat in range(3))
    assert state.fired["alarm.rings"] == 0
    play(state, "0", "0")
    assert state.fired["alarm.rings"] == 1
    assert state.view(2)["state"]["alarm"]


def test_the_order_in_which_they_are_asked_does_not_matter(tmp_path: Path) -> None:
    turned = load_game(tmp_path, BIDS.replace("from first(Player) until", "from last(Player) until"))
    one = play(turned.start(1), "0", "3", "whisper", "6", "shout")
    (tmp_path / "other").mkdir()
    other = play(load_game(tmp_path / "other", BIDS).start(1), "3", "whisper", "6", "shout", "0")
    assert one.scores == other.scores
    assert one.view(0)["state"] == other.view(0)["state"]


def test_it_can_be_copied_and_saved_between_two_players(tmp_path: Path) -> None:
    game = load_game(tmp_path, BIDS)
    state = play(game.start(1), "7", "shout", "2")
    again = game.resume(json.loads(json.dumps(game.save(state))))
    copy = state.copy()
    assert again.key() == copy.key() == state.key()
    assert [seen(again, seat) for seat in range(3)] == [seen(state, seat) for seat in range(3)]
    ends = [play(s, "4", "shout") for s in (state, again, copy)]
    assert len({s.key() for s in ends}) == 1
    assert [seen(again, seat) for seat in range(3)] == [seen(state, seat) for seat in range(3)]


@pytest.mark.parametrize(
    "change",
    [
        lambda together: together.pop("before"),
        lambda together: together.update(player=7),
        lambda together: together.update(rule="nowhere"),
        lambda together: together.update(done=[[0, [["bid", 0, 99]]]]),
        lambda together: together.update(done=[[0, [["bid", 4, 1]]]]),
        lambda together: together.update(done=[[9, []]]),
        lambda together: together.update(done=[[0, 3]]),
        lambda together: together["before"].update(bid=[0]),
    ],
)
def test_a_damaged_save_is_refused(tmp_path: Path, change: Any) -> None:
    game = load_game(tmp_path, BIDS)
    data = game.save(play(game.start(1), "7", "shout"))
    change(data["state"]["together"])
    with pytest.raises(SaveError):
        game.resume(data)


# ---------------------------------------------------------------- mistakes


def test_the_game_itself_has_no_mistakes(tmp_path: Path) -> None:
    assert mistakes(tmp_path, BIDS) == []


@pytest.mark.parametrize(
    ("old", "new", "code", "message"),
    [
        ("set bid[p] to n", "set bid[next(p)] to n", "R0511", "`bid` cannot change here, only what belongs to `p`"),
        ("set bid[p] to n", "increase rounds by 1", "R0511", "`rounds` cannot change"),
        ("set bid[p] to n", "surely move 1 of vase from prize to won[p]", "R0511", "`prize` cannot change"),
        ("set bid[p] to n", "roll m in 1..6", "R0511", "chance"),
        ("set bid[p] to n", "surely move 1 from purse[p] to won[p]", "R0511", "drawn from a bag"),
        ("            p scores 1\n          option whisper", "            next(p) scores 1\n          option whisper",
         "R0511", "score"),
        ("set bid[p] to n", "p wins", "R0511", "cannot end"),
        ("  openly p chooses n in 0..min", "  openly next(p) chooses n in 0..min", "R0511", "Only `p` can decide"),
        ("      do bidding(p)", "      do bidding(next(p))", "R0511", "Only `p` can decide"),
        ("      do bidding(p)", "      do bidding(p)\n      stop", "R0506", "stop"),
        ("p in Player from first_asked", "p in Player, l in Lot", "R0402", "Only players can decide together"),
        ("p in Player from first_asked\n      do bidding(p)", "l in Lot\n      do nothing", "R0402", "decide together"),
        ("      do bidding(p)", "      together each q in Player\n        do bidding(q)", "R0511", "another"),
    ],
)  # fmt: skip
def test_mistakes_are_named(tmp_path: Path, old: str, new: str, code: str, message: str) -> None:
    found = mistakes(tmp_path, changed(BIDS, old, new))
    assert any(c == code and message in m for c, m in found), found
