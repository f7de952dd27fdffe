"""What a seat may see: views, the log and explanations leak nothing."""

from __future__ import annotations

from typing import Any

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
