"""What a seat may see: views, the log and explanations leak nothing, nor do players who decide together."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from built_programs import (
    BLUE,
    GOOD,
    GOODS,
    PLAYER,
    RED,
    SMALL,
    Builder,
    ap,
    bind,
    binds,
    const,
    local,
    move,
    needs,
    num,
    place,
    pool,
    stack,
    value,
)
from small_games import BIDS, changed, load_game, mistakes

from interpreter.errors import SaveError
from interpreter.reference.engine import ReferenceGame, ReferenceState
from rulelang import program as ir
from rulelang.types import FLAG, ListType

HAND = const((2, 3, 0), GOODS)


def hidden_game(*body: Any, **more: Any) -> Builder:
    b = Builder(
        pool("hand", GOOD, PLAYER, seen_by="owner", counted=True, initial=HAND),
        value("bid", SMALL, PLAYER, seen_by="owner"),
        stack("deck", GOOD, seen_by="nobody", counted=True, initial=const((0, 1, 2), ListType(GOOD))),
        stack("secret", GOOD, seen_by="nobody", initial=const((2,), ListType(GOOD))),
        pool("table", GOOD),
        value("score", SMALL, PLAYER),
        score="score",
    )
    return b.rule("play", *body, frame=3, **more)


def run(*body: Any) -> ReferenceState:
    state = ReferenceGame(hidden_game(*body).program()).blank()
    state.run("play")
    return state


def told(state: ReferenceState, seat: int) -> list[str]:
    return [e.text for e in state.log if e.kind != "rule" and (e.seats is None or seat in e.seats)]


def test_a_view_shows_what_the_seat_may_see() -> None:
    state = run(ir.Choose(BLUE, binds(bind(0, GOOD, "g")), False, None, ()))
    red, blue = state.view(0), state.view(1)
    assert red["state"]["hand"] == {"red": {"wood": 2, "wool": 3}, "blue": {"count": 5}}
    assert blue["state"]["hand"] == {"red": {"count": 5}, "blue": {"wood": 2, "wool": 3}}
    assert red["state"]["bid"] == {"red": 0}
    assert red["state"]["deck"] == {"count": 3}
    assert "secret" not in red["state"]
    assert red["state"]["table"] == {}
    assert red["decision"] == {"player": 1, "rule": "play"}
    assert blue["decision"] == {"player": 1, "rule": "play", "options": ["wood", "wool", "stone"], "subject": {}}


def test_moves_between_hidden_places_show_the_number() -> None:
    state = run(move(num(2), place("deck"), place("hand", RED)), move(num(1), place("deck"), place("secret")))
    assert told(state, 0) == ["1 wool, 1 stone from deck to hand[red]", "1 piece from deck to secret"]
    assert told(state, 1) == ["2 pieces from deck to hand[red]", "1 piece from deck to secret"]


def test_how_many_pieces_move_unseen_is_told_only_where_it_can_be_known() -> None:
    def to_others(*moves: Any) -> list[str]:
        b = Builder(
            pool("hand", GOOD, PLAYER, seen_by="owner", initial=HAND),
            pool("chest", GOOD, PLAYER, seen_by="owner"),
            pool("vault", GOOD, seen_by="nobody", counted=True),
            value("bid", SMALL, PLAYER, seen_by="owner"),
        )
        state = ReferenceGame(b.rule("play", *moves, frame=3).program()).blank()
        state.run("play")
        assert {event.kind for event in state.log if event.told_to(1)} == {"rule", "move"}
        return told(state, 1)

    wool, hand, chest = const(1, GOOD), place("hand", RED), place("chest", RED)
    bid = ir.Read("bid", (RED,), SMALL)
    unseen = ["some pieces, or none, from hand[red] to chest[red]"]
    assert to_others(move(num(2), hand, chest, "number of", kind=wool)) == ["2 pieces from hand[red] to chest[red]"]
    assert to_others(move(num(2), hand, chest, "number of", kind=wool, up_to=True)) == unseen
    assert to_others(move(bid, hand, chest, "number of", kind=wool)) == unseen
    assert to_others(move(None, hand, chest, "all of", kind=const(2, GOOD))) == unseen
    assert to_others(move(None, hand, chest, "all")) == unseen
    assert to_others(move(None, hand, place("vault"), "all")) == ["5 pieces from hand[red] to vault"]


def test_that_a_hidden_value_is_set_is_told_even_if_it_stays_the_same() -> None:
    state = run(ir.SetValue(place("bid", RED), num(0)), ir.SetValue(place("bid", RED), num(4)))
    assert told(state, 0) == ["bid[red] is 0", "bid[red] is 4"]
    assert told(state, 1) == ["bid[red] is set", "bid[red] is set"]


def test_points_tell_nothing_worked_out_from_names_that_the_seat_does_not_know() -> None:
    b = hidden_game()
    wool = ap("count_of", local(1, GOODS), const(1, GOOD))
    state = run(ir.Let(1, "held", b.read("hand", RED)), ir.Score(RED, 1, wool))
    reasons = {e.seats: e.data["because"] for e in state.log if e.kind == "score"}
    assert reasons == {(0,): [["x1[wool]", "3"]], (1,): []}


def test_a_secret_choice_is_told_to_its_player() -> None:
    choose = ir.Choose(RED, binds(bind(0, ap("range", num(1), num(3), type=ListType(SMALL)), "price")), False, None, ())
    state = run(
        choose, ir.Let(1, "twice", ap("*", local(0, SMALL), num(2))), ir.SetValue(place("bid", RED), local(1, SMALL))
    )
    state.choose(2)
    assert told(state, 0) == ["red: 3", "bid[red] is 6"]
    assert told(state, 1) == ["red has chosen", "bid[red] is set"]


def test_a_choice_that_becomes_public_is_told_to_all() -> None:
    choose = ir.Choose(RED, binds(bind(0, GOOD, "g")), False, None, ())
    discard = move(num(1), place("hand", RED), place("table"), "number of", kind=local(0, GOOD))
    state = run(choose, discard)
    state.choose(1)
    assert told(state, 1) == ["red: wool", "1 wool from hand[red] to table"]


def test_points_tell_only_what_the_seat_may_see() -> None:
    b = hidden_game()
    wool = ap("count_of", b.read("hand", RED), const(1, GOOD))
    shared = ap("count_of", b.read("table"), const(1, GOOD))
    state = run(ir.Score(RED, 1, ap("+", wool, shared)))
    (own,) = [e for e in state.log if e.kind == "score" and e.seats == (0,)]
    (other,) = [e for e in state.log if e.kind == "score" and e.seats == (1,)]
    assert own.data["because"] == [["hand[red][wool]", "3"], ["table[wool]", "0"]]
    assert other.data["because"] == [["table[wool]", "0"]]
    assert other.data["amount"] == 3


def test_explanations_hide_what_the_player_may_not_see() -> None:
    b = hidden_game(ir.Menu(RED, ("steal", "rest")))
    theirs = ap("count_of", b.read("hand", BLUE), const(1, GOOD))
    b.option("steal", "play", ir.Nothing(), needs=(needs(ap(">", theirs, num(5), type=FLAG), "hand[blue][wool] > 5"),))
    b.option("rest", "play", ir.Nothing())
    state = ReferenceGame(b.program()).blank()
    state.run("play")
    (condition,) = state.why_not("steal", {}).conditions
    assert (condition.holds, condition.values) == (False, (("hand[blue][wool]", "hidden"),))


def test_explanations_hide_names_that_the_player_does_not_know() -> None:
    theirs = ap("count_of", local(1, GOODS), const(1, GOOD))
    b = hidden_game(ir.Let(1, "theirs", hidden_game().read("hand", BLUE)), ir.Menu(RED, ("steal", "rest")))
    b.option("steal", "play", ir.Nothing(), needs=(needs(ap(">", theirs, num(5), type=FLAG), "theirs[wool] > 5"),))
    b.option("rest", "play", ir.Nothing())
    state = ReferenceGame(b.program()).blank()
    state.run("play")
    (condition,) = state.why_not("steal", {}).conditions
    assert condition.values == (("x1[wool]", "hidden"),)


# ``together each p in Player``: players decide unseen, and all of it takes effect when the last is done.


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
