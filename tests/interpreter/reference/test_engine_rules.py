"""Statements: what each does to the state, what it asks, and when it is a fault."""

from __future__ import annotations

import json
from typing import Any

import pytest
from built_programs import (
    BLUE,
    GOOD,
    GOODS,
    PLAYER,
    RED,
    RING,
    SMALL,
    Builder,
    ap,
    bind,
    binds,
    both,
    const,
    equal,
    local,
    move,
    needs,
    num,
    place,
    pool,
    slot,
    stack,
    value,
)

from interpreter.errors import ChanceError, GameError, IllegalChoice, RuleFault
from interpreter.reference.engine import ReferenceGame, ReferenceState
from rulelang import program as ir
from rulelang.limits import Limits
from rulelang.source import Span
from rulelang.types import FLAG, ListType, NumberType, OptionalType


def running(b: Builder, rule: str = "play", *arguments: Any, **more: Any) -> ReferenceState:
    state = ReferenceGame(b.program(), **more).blank()
    state.run(rule, arguments)
    return state


def cell(state: ReferenceState, name: str, *owners: int) -> Any:
    return state.position.cells[state.game.blueprint.layout.places[name].index(owners)]


def texts(state: ReferenceState) -> list[str]:
    assert state.decision is not None
    return [option.text for option in state.decision.options]


def increase(name: str, by: int = 1, *owners: ir.Expr) -> ir.Change:
    return ir.Change(place(name, *owners), 1, num(by))


# ---------------------------------------------------------------- decisions


NEXT = ap("next", local(0, PLAYER), type=PLAYER)


def menu_game() -> Builder:
    b = Builder(value("n", SMALL), value("coins", SMALL, PLAYER), score="coins")
    b.rule(
        "play",
        ir.TakeTurns(0, "p", BLUE, NEXT, equal(b.read("n"), num(3)), (ir.Do("turn", (local(0, PLAYER),)),)),
        frame=1,
    )
    b.rule("turn", ir.Menu(local(0, PLAYER), ("gain", "rest")), frame=3, params=(ir.Param("p", 0, PLAYER),))
    wanted = needs(ap("<", ap("+", b.read("n"), local(1, SMALL, "k")), num(4), type=FLAG), "n + k < 4")
    b.option(
        "gain",
        "turn",
        ir.Score(local(0, PLAYER, "p"), 1, ap("+", local(1, SMALL, "k"), b.read("n"))),
        ir.Change(place("n"), 1, local(1, SMALL)),
        binds=binds(bind(1, const((1, 2, 2), ListType(SMALL)), "k")),
        needs=(wanted,),
    )
    b.option("rest", "turn", ir.Nothing(), needs=(needs(ap("<", b.read("n"), num(3), type=FLAG), "n < 3"),))
    b.more["ranks"] = (ir.Rank(True, 0, b.read("coins", local(0, PLAYER)), 1),)
    return b


def test_menu_offers_each_choice_once_and_in_order() -> None:
    state = ReferenceGame(menu_game().program()).start(1)
    assert state.decision is not None
    assert (state.decision.player, state.decision.rule, state.decision.kind) == (1, "turn", "menu")
    assert texts(state) == ["gain 1", "gain 2", "rest"]
    assert state.decision.options[1].value == {"option": "gain", "with": {"k": 2}}
    assert state.decision.options[1].id == "gain"


def test_a_game_runs_to_its_end() -> None:
    state = ReferenceGame(menu_game().program()).start(1)
    state.choose(1)
    assert (state.turns, state.decision and state.decision.player) == (2, 0)
    assert texts(state) == ["gain 1", "rest"]
    state.choose(1)
    state.choose(0)
    assert state.over and state.decision is None
    assert state.scores == (0, 5)
    assert state.winners == (1,)
    assert state.fired == {"play": 1, "turn": 3, "gain": 2, "rest": 1}
    assert [e.kind for e in state.log].count("score") == 2
    points = [e for e in state.log if e.kind == "score"][1]
    assert points.data == {"player": "blue", "amount": 3, "total": 5, "because": [["n", "2"]]}
    assert state.log[-1].data == {"winners": ["blue"], "scores": [0, 5]}
    with pytest.raises(IllegalChoice, match="the game is over"):
        state.choose(0)


def test_illegal_choices_are_refused_and_change_nothing() -> None:
    state = ReferenceGame(menu_game().program()).start(1)
    before = state.key()
    for index in (-1, 3):
        with pytest.raises(IllegalChoice, match="3 options"):
            state.choose(index)
    for other in (True, "0"):
        with pytest.raises(IllegalChoice, match="menu"):
            state.choose(other)
    assert state.key() == before


def test_copies_are_independent() -> None:
    state = ReferenceGame(menu_game().program()).start(1)
    other = state.copy()
    assert other.key() == state.key()
    other.choose(0)
    assert other.key() != state.key()
    assert len(other.log) > len(state.log) == 2
    assert other.log[: len(state.log)] == state.log


def test_choose_with_nothing_to_choose() -> None:
    b = Builder(value("n", SMALL))
    none_fits = binds(bind(0, PLAYER), where=const(False, FLAG))
    choose = ir.Choose(RED, none_fits, False, (increase("n", 1),), (increase("n", 5),))
    b.rule("play", choose, frame=1)
    b.rule("strict", ir.Choose(RED, none_fits, False, None, ()), frame=1, span=Span("t.rules", 7, 1, 7, 5))
    assert cell(running(b), "n") == 5
    with pytest.raises(RuleFault, match=r"rule strict \(t.rules:7\): there is nothing to choose"):
        running(b, "strict")


def test_may_choose() -> None:
    b = Builder(value("n", SMALL))
    choose = ir.Choose(
        RED, binds(bind(0, PLAYER, "q")), True, (ir.Change(place("n"), 1, local(0, PLAYER)),), (increase("n", 5),)
    )
    b.rule("play", choose, increase("n", 1), frame=1)
    state = running(b)
    assert texts(state) == ["red", "blue", "no"]
    assert [o.value for o in state.decision.options] == [{"q": "red"}, {"q": "blue"}, None]  # type: ignore[union-attr]
    refused = state.copy()
    refused.choose(2)
    state.choose(1)
    assert (cell(state, "n"), cell(refused, "n")) == (2, 6)


def test_a_menu_without_a_possible_option_is_a_fault() -> None:
    b = menu_game()
    state = ReferenceGame(b.program()).blank()
    state.set("n", 9)
    with pytest.raises(RuleFault, match="none of the options gain, rest is possible"):
        state.run("turn", ["red"])
    assert state.decision is None and not state.position.frames


# ---------------------------------------------------------------- payments


def test_paying() -> None:
    goods = pool("goods", GOOD, PLAYER, exchanges=(ir.Exchange(3),), initial=const((1, 3, 0), GOODS))
    b = Builder(goods, pool("supply", GOOD))
    pay = ir.Pay(RED, const((1, 0, 0), GOODS), place("goods", RED), place("supply"))
    b.rule("play", ir.Pay(RED, const((0, 0, 0), GOODS), place("goods", RED), place("supply")), pay)
    b.rule("dear", ir.Pay(RED, const((3, 0, 0), GOODS), place("goods", RED), place("supply")))
    state = running(b)
    assert texts(state) == ["pay 1 wood", "pay 3 wool"]
    assert state.decision.options[1].value == {"pays": {"wool": 3}}  # type: ignore[union-attr]
    assert state.why(1).allowed
    refused = state.why_not(None, {"pays": "2 wood"})
    assert not refused.allowed and "goods[red] is 1 wood, 3 wool" in refused.text
    assert state.why_not(None, {"pays": {"wool": 3}}).allowed
    assert "name the pieces" in state.why_not(None, {"pays": "x"}).text
    state.choose(1)
    assert (cell(state, "goods", 0), cell(state, "supply")) == ((1, 0, 0), (0, 3, 0))
    with pytest.raises(RuleFault, match=r"3 wood cannot be paid: goods\[red\] holds 1 wood, 3 wool"):
        running(b, "dear")


# ---------------------------------------------------------------- moves


def table_of_places() -> Builder:
    return Builder(
        pool("pool", GOOD, initial=const((2, 1, 0), GOODS)),
        pool("bag", GOOD, kind="bag", initial=const((2, 1, 0), GOODS)),
        stack("stack", GOOD, capacity=4, initial=const((2, 0, 1), ListType(GOOD))),
        slot("slot", GOOD, initial=const(1, OptionalType(GOOD))),
    )


@pytest.mark.parametrize(
    ("what", "amount", "kind", "up_to", "source", "target", "left", "there"),
    [
        ("number of", num(1), const(0, GOOD), False, "pool", "stack", (1, 1, 0), (2, 0, 1, 0)),
        ("number of", num(5), const(0, GOOD), True, "pool", "bag", (0, 1, 0), (4, 1, 0)),
        ("all", None, None, False, "stack", "pool", (), (3, 2, 1)),
        ("all of", None, const(0, GOOD), False, "stack", "pool", (2, 1), (3, 1, 0)),
        ("number", num(2), None, False, "stack", "pool", (2,), (3, 2, 0)),
        ("number", num(0), None, False, "stack", "pool", (2, 0, 1), (2, 1, 0)),
        ("number", num(1), None, False, "slot", "stack", None, (2, 0, 1, 1)),
        ("at", num(1), None, False, "stack", "pool", (0, 1), (2, 1, 1)),
        ("at", num(9), None, True, "stack", "pool", (2, 0, 1), (2, 1, 0)),
        ("at", num(1), None, False, "stack", "stack", (0, 1, 2), (0, 1, 2)),
        ("pieces", const((1, 1, 0), GOODS), None, False, "pool", "bag", (1, 0, 0), (3, 2, 0)),
        ("pieces", const((1, 0, 1), GOODS), None, False, "stack", "bag", (1,), (3, 1, 1)),
        ("all", None, None, False, "slot", "pool", None, (2, 2, 0)),
    ],
)
def test_moves(what: str, amount: Any, kind: Any, up_to: bool, source: str, target: str, left: Any, there: Any) -> None:
    b = table_of_places()
    b.rule("play", move(amount, place(source), place(target), what, kind=kind, up_to=up_to))
    state = running(b)
    assert (cell(state, source), cell(state, target)) == (left, there)


@pytest.mark.parametrize(
    ("what", "amount", "kind", "source", "target", "message"),
    [
        ("number of", num(3), const(0, GOOD), "pool", "bag", "pool holds 2 wood, but 3 are needed"),
        ("number", num(4), None, "stack", "pool", "stack holds 3, but 4 are needed"),
        ("at", num(4), None, "stack", "pool", "none at position 4"),
        ("all", None, None, "pool", "stack", "stack has no room for 3 more pieces: it holds at most 4"),
        ("number", num(1), None, "stack", "slot", "slot has no room for 1 more piece: it holds at most 1"),
        ("number", ap("-", num(0), num(1)), None, "stack", "pool", "-1 pieces cannot be moved"),
        ("pieces", const((0, 0, 1), GOODS), None, "pool", "bag", "pool holds 0 stone, but 1 is needed"),
        ("number", num(1), None, "pool", "bag", "several kinds"),
    ],
)
def test_moves_that_cannot_be_made(what: str, amount: Any, kind: Any, source: str, target: str, message: str) -> None:
    b = table_of_places()
    b.rule("play", move(amount, place(source), place(target), what, kind=kind), span=Span("t.rules", 3, 1, 3, 9))
    state = ReferenceGame(b.program()).blank()
    before = state.key()
    with pytest.raises(RuleFault, match=message) as caught:
        state.run("play")
    assert "rule play (t.rules:3)" in str(caught.value)
    assert state.key() == before


# ---------------------------------------------------------------- numbers


def test_bounds_and_not_below() -> None:
    b = Builder(value("n", SMALL), value("purse", SMALL, PLAYER, not_below=0, initial=num(2)), score="purse")
    b.rule("play", ir.Score(RED, -1, num(5)), ir.Change(place("purse", BLUE), -1, num(5)))
    b.rule("over", ir.Score(RED, 1, num(8)))
    b.rule("under", ir.Change(place("n"), -1, num(1)))
    b.rule("store", ir.SetValue(place("n"), ap("*", num(5), num(2), type=NumberType(0, 20))))
    state = running(b)
    assert (cell(state, "purse", 0), cell(state, "purse", 1)) == (0, 0)
    assert [e.data["amount"] for e in state.log if e.kind == "score"] == [-2]
    for rule, message in (("over", "10 is outside 0..9"), ("under", "-1 is outside"), ("store", "n: 10 is outside")):
        with pytest.raises(RuleFault, match=message):
            running(b, rule)


# ---------------------------------------------------------------- loops, rules inside rules


def test_loops() -> None:
    b = Builder(value("n", SMALL), value("m", SMALL))
    one_of = binds(bind(0, const((1, 2, 3), ListType(SMALL))))
    b.rule("each", ir.Each(one_of, (ir.Change(place("n"), 1, local(0, SMALL)),)), frame=1)
    b.rule("at_most", ir.Repeat("at most", num(4), (increase("n"),)))
    stop_at_two = ir.Branch(equal(b.read("n"), num(2)), (ir.Stop(),), (increase("m"),))
    b.rule("stopping", ir.Repeat("at most", num(9), (increase("n"), ir.NamedRule("stopping.inner"), increase("m", 2))))
    b.rule("stopping.inner", stop_at_two, parent="stopping")
    falling = ap("-", num(9), b.read("n"))
    b.rule("falling", ir.Repeat("falling", falling, (increase("n"), ir.NamedRule("stopping.inner"))))
    b.rule("not_falling", ir.Repeat("falling", falling, (ir.Nothing(),)))
    b.rule("for_ever", ir.TakeTurns(0, "p", RED, NEXT, None, (ir.Nothing(),)), frame=1)
    assert cell(running(b, "each"), "n") == 6
    assert cell(running(b, "at_most"), "n") == 4
    stopped = running(b, "stopping")
    assert (cell(stopped, "n"), cell(stopped, "m")) == (2, 3)
    assert stopped.fired == {"stopping": 1, "stopping.inner": 2}
    assert cell(running(b, "falling"), "n") == 2
    with pytest.raises(RuleFault, match="9 - n must fall with each pass, but it went from 9 to 9"):
        running(b, "not_falling")
    with pytest.raises(RuleFault, match="it ran too long without a decision"):
        running(b, "for_ever", limits=Limits(work=1_000_000_000))


def test_guards_needs_and_events() -> None:
    b = Builder(value("n", SMALL), value("m", SMALL), handlers={"bell": ("first", "second")})
    b.rule("play", ir.Announce("bell", (b.read("n"),)), ir.Announce("silence", ()))
    is_zero = equal(b.read("n"), num(0))
    b.rule(
        "first",
        increase("n"),
        ir.Change(place("m"), 1, local(0, SMALL)),
        params=(ir.Param("k", 0, SMALL),),
        frame=1,
        guard=is_zero,
    )
    b.rule("second", increase("m", 5), params=(ir.Param("k", 0, SMALL),), frame=1, guard=is_zero)
    b.rule("strict", increase("n"), needs=(needs(ap(">", b.read("n"), num(3), type=FLAG), "n > 3"),))
    state = running(b)
    assert (cell(state, "n"), cell(state, "m")) == (1, 0)
    assert state.fired == {"play": 1, "first": 1}
    with pytest.raises(RuleFault, match="it needs n > 3"):
        running(b, "strict")
    with pytest.raises(GameError, match="rule nothing does not exist"):
        running(b, "nothing")
    with pytest.raises(GameError, match="k must be a number from 0 to 9, not 12"):
        running(b, "first", 12)


def test_watchers_run_once_after_each_rule_that_changed_something() -> None:
    b = Builder(value("n", SMALL), value("m", SMALL), watchers=("watch",))
    b.rule("play", ir.Do("quiet", ()), increase("n"), ir.NamedRule("play.part"), ir.NamedRule("play.idle"))
    b.rule("play.part", increase("n"), parent="play")
    b.rule("play.idle", ir.Nothing(), parent="play")
    b.rule("quiet", ir.Nothing())
    b.rule("watch", increase("m"), ir.Do("quiet", ()), whenever=ap(">", b.read("n"), num(1), type=FLAG))
    state = running(b)
    # After play.part; then once more, as watch itself changed m, after play.idle; and after play for the same reason.
    assert (cell(state, "n"), cell(state, "m")) == (2, 3)
    b.rules["watch"] = ir.Rule("watch", "rule", (), None, (), (ir.Wins(BLUE),), 0, whenever=b.rules["watch"].whenever)
    won = running(b)
    assert won.over and won.winners == (1,) and won.decision is None
    assert won.scores == (0, 1)


def test_wins_and_ranks() -> None:
    b = Builder(value("a", SMALL, PLAYER), value("b", SMALL, PLAYER))
    b.more["ranks"] = (
        ir.Rank(True, 0, b.read("a", local(0, PLAYER)), 1),
        ir.Rank(False, 0, b.read("b", local(0, PLAYER)), 1),
    )
    b.rule("play", ir.EndGame(), increase("a", 1, RED))
    state = ReferenceGame(b.program()).blank()
    assert state.winners == ()  # they tie
    state.set("b[red]", 1)
    assert state.winners == (1,)
    state.set("a[red]", 1)
    assert state.winners == (0,)
    state.run("play")
    assert state.over and state.winners == (0,)
    with pytest.raises(GameError, match="the game is over"):
        state.set("a[red]", 2)


# ---------------------------------------------------------------- chance


def chance_game() -> Builder:
    b = Builder(
        value("n", SMALL),
        pool("bag", GOOD, kind="bag", initial=const((5, 5, 5), GOODS)),
        stack("drawn", GOOD),
        stack("deck", SMALL, initial=const(tuple(range(10)), ListType(SMALL))),
    )
    odd = equal(ap("mod", local(0, RING), num(2)), num(1))
    rolls = (ir.Roll(binds(bind(0, RING, "f"), where=odd)), ir.SetValue(place("n"), ap("index", local(0, RING))))
    b.rule("play", *rolls, move(num(4), place("bag"), place("drawn")), ir.Shuffle(place("deck")), frame=1)
    b.rule("never", ir.Roll(binds(bind(0, RING), where=const(False, FLAG))), frame=1)
    return b


def test_chance_is_seeded_and_fair_enough() -> None:
    game = ReferenceGame(chance_game().program())
    seen: dict[int, int] = {}
    for seed in range(300):
        first, again = game.start(seed), game.start(seed)
        assert first.key() == again.key()
        n = cell(first, "n")
        seen[n] = seen.get(n, 0) + 1
        assert sorted(cell(first, "deck")) == list(range(10))
        assert sum(cell(first, "bag")) == 11 and len(cell(first, "drawn")) == 4
    assert set(seen) == {1, 3, 5} and min(seen.values()) > 60
    with pytest.raises(RuleFault, match="there is nothing to roll for"):
        game.blank().run("never")


def test_chance_can_be_fixed() -> None:
    from rulelang.syntax import tree

    state = ReferenceGame(chance_game().program()).blank()
    state.fix_chance([tree.Name("f3"), "stone", "stone"])
    state.run("play")
    assert cell(state, "n") == 3
    assert cell(state, "drawn")[:2] == (2, 2)
    for names, message in (
        (["f2"], "f2 cannot come up in rule play; possible: f1, f3, f5"),
        (["f1", "gold"], "possible: wood"),
    ):
        wrong = ReferenceGame(chance_game().program()).blank()
        wrong.fix_chance(names)
        with pytest.raises(ChanceError, match=message):
            wrong.run("play")


def test_the_generator_gives_the_published_numbers() -> None:
    """The first outputs for seed 1234567, as given with the reference implementation of SplitMix64."""
    from interpreter.chance import step

    state, found = 1234567, []
    for _ in range(5):
        state, output = step(state)
        found.append(output)
    assert found == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


# ---------------------------------------------------------------- saves


def test_saves_are_json_and_resume_exactly() -> None:
    game = ReferenceGame(menu_game().program())
    state = game.start(7)
    state.choose(0)
    data = json.loads(json.dumps(game.save(state)))
    again = game.resume(data)
    assert again.key() == state.key()
    assert again.log == state.log and again.fired == state.fired and again.turns == state.turns
    again.choose(0)
    state.choose(0)
    assert again.key() == state.key()
    assert game.save(again) == game.save(state)


def test_a_position_laid_out_by_hand_is_saved_without_choices() -> None:
    game = ReferenceGame(menu_game().program())
    state = game.blank()
    state.set("n", 2)
    state.run("turn", ["red"])
    data = json.loads(json.dumps(game.save(state)))
    assert "choices" not in data
    again = game.resume(data)
    assert again.key() == state.key() and texts(again) == texts(state)


# ---------------------------------------------------------------- explanations


def test_why_and_why_not() -> None:
    game = ReferenceGame(menu_game().program())
    state = game.start(1)
    state.choose(1)
    why = state.why(0)
    assert why.allowed and why.rule == "gain"
    assert [(c.text, c.holds, c.values) for c in why.conditions] == [("n + k < 4", True, (("n", "2"),))]
    refused = state.why_not("gain", {"k": "2"})
    assert not refused.allowed
    assert refused.text == "gain 2 is not possible: n + k < 4 (n is 2) does not hold."
    assert "k is in [1, 2, 2] (k is 5) does not hold" in state.why_not("gain", {"k": 5}).text
    assert "k is x" in state.why_not("gain", {"k": "x"}).text
    assert state.why_not("gain", {}).text == "gain is possible with k one of 1."
    assert "red is choosing one of gain, rest" in state.why_not("build", {"k": 1}).text
    assert "red decides now" in state.why_not("gain", {"k": 1}, seat=1).text
    assert "z is not part of this choice, which is of k" in state.why_not("gain", {"z": 1}).text


def test_why_not_of_a_plain_choice() -> None:
    b = Builder(value("n", SMALL))
    where = both(
        ap(">", ap("index", local(0, RING, "f")), b.read("n"), type=FLAG),
        ap("<", ap("index", local(0, RING, "f")), num(5), type=FLAG),
    )
    b.rule("play", ir.Choose(RED, binds(bind(0, RING, "f"), where=where), False, None, ()), frame=1)
    state = running(b)
    assert texts(state) == ["f1", "f2", "f3", "f4"]
    assert state.why_not(None, {"f": "f5"}).text == "f5 is not possible: index(f) < 5 (index(f) is 5) does not hold."
    assert "index(f) > n (index(f) is 0, n is 0) does not hold" in state.why_not(None, {"f": "f0"}).text
    assert state.why_not(None, {}).text == "no is not possible: red must choose, in rule play."
    assert state.why(2).text == "f3 is possible: index(f) > n (index(f) is 3, n is 0); index(f) < 5 (index(f) is 3)."
