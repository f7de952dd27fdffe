"""Positions redrawn from what a seat knows: nothing visible changes, nothing hidden is read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from paths import RULES
from small_games import CARDS, PLEDGES, corpus, load_game

import interpreter
from interpreter.bots import Stream
from interpreter.redraw import CannotRedraw, Redraw, Seen


def played(game: Any, seed: int, moves: int) -> Any:
    """A game after so many choices at random, or at its last decision."""
    state, stream = game.start(seed), Stream(seed)
    for _ in range(moves):
        after = state.copy()
        after.choose(stream.below(len(state.decision.options)))
        if after.over:
            break
        state = after
    return state


def redrawn(game: Any, state: Any, seed: int) -> Any:
    seen = Seen.of(state, state.decision.player)
    return game.state_of(Redraw(game.blueprint, seen).draw(Stream(seed)))


def with_other_secrets(state: Any, other: Any) -> Any:
    """The state with its past, and with what is hidden (and the chance to come) of another one."""
    mixed = state.copy()
    mixed.position.cells = list(other.position.cells)
    mixed.position.chance = other.position.chance
    mixed.position.secret = other.position.secret
    for frame, source in zip(mixed.position.frames, other.position.frames, strict=True):
        frame.local[:] = source.local
    return mixed


def assert_honest(game: Any, state: Any, seed: int) -> None:
    """A redraw looks the same to the seat; and one that is given other secrets makes the same redraws."""
    seat = state.decision.player
    other = redrawn(game, state, seed)
    assert other.view(seat) == state.view(seat)
    assert other.decision == state.decision
    assert other.check_invariants() == ()
    mixed = with_other_secrets(state, other)
    assert Seen.of(mixed, seat) == Seen.of(state, seat)
    assert redrawn(game, mixed, seed + 1).key() == redrawn(game, state, seed + 1).key()


@given(seed=st.integers(0, 10**6), moves=st.integers(0, 16))
@settings(max_examples=35)
def test_a_redraw_looks_the_same_and_reads_nothing_hidden(cards: Any, seed: int, moves: int) -> None:
    assert_honest(cards, played(cards, seed, moves), seed)


@pytest.fixture(scope="module")
def cards(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return load_game(tmp_path_factory.mktemp("cards"), CARDS)


@pytest.mark.parametrize(
    ("path", "players", "more"),
    [
        ("babel", 2, {}),
        ("meduris", 3, {}),
        ("skye", 2, {}),
        (
            "skye",
            3,
            {"variants": [RULES / "skye/expansions/druids.rules"], "options": {"drawn_tiles": "private"}},
        ),
    ],
)
def test_the_games_can_be_redrawn_at_every_decision(path: str, players: int, more: Any) -> None:
    game = interpreter.load(RULES / path, players=players, **more)
    state, stream = game.start(3), Stream(3)
    for number in range(400):
        if state.decision is None:
            break
        if number % 9 == 0:
            assert_honest(game, state, number)
        state.choose(stream.below(len(state.decision.options)))


def test_nothing_that_was_dealt_unseen_makes_a_difference(tmp_path: Path) -> None:
    """With no card turned up, all that the first player knows is her own hand."""
    game = load_game(tmp_path, CARDS.replace("number turned_up = 2", "number turned_up = 0"))
    by_hand: dict[str, list[Any]] = {}
    for seed in range(40):
        state = game.start(seed)
        by_hand.setdefault(json.dumps(state.view(0)), []).append(state)
    alike = max(by_hand.values(), key=len)
    assert len({state.key() for state in alike}) == len(alike) > 2, "different games that look the same"
    assert len({redrawn(game, state, 5).key() for state in alike}) == 1


def test_only_the_seat_that_is_asked_has_something_to_imagine(cards: Any) -> None:
    with pytest.raises(ValueError, match="seat 1 is not the one to decide"):
        Seen.of(cards.start(1), 1)


# ---------------------------------------------------------------- what is known


def choose(state: Any, *texts: str) -> Any:
    for text in texts:
        state.choose([option.text for option in state.decision.options].index(text))
    return state


def cell(game: Any, state: Any, name: str, *owners: int) -> Any:
    return state.position.cells[game.blueprint.layout.places[name].index(owners)]


def samples(game: Any, state: Any, number: int = 30) -> list[Any]:
    redraw, stream = Redraw(game.blueprint, Seen.of(state, state.decision.player)), Stream(1)
    return [game.state_of(redraw.draw(stream)) for _ in range(number)]


def test_how_many_cards_lie_hidden_is_known_although_nothing_counts_them(cards: Any) -> None:
    state = cards.start(4)
    choose(state, state.decision.options[0].text, "hide")
    for other in samples(cards, state):
        assert sum(cell(cards, other, "hand", 0)) == sum(cell(cards, other, "hand", 2)) == 2
        assert sum(cell(cards, other, "vault")) == 1
        assert cell(cards, other, "trump") is not None and len(cell(cards, other, "yard")) == 1


def test_hidden_cards_come_out_as_often_as_they_are_left(cards: Any) -> None:
    """The trump is one of the cards not in sight, each as likely as another."""
    state = cards.start(4)
    sight = [cell(cards, state, "hand", 0)[kind] + cell(cards, state, "table")[kind] for kind in range(4)]
    number = 240
    found = [0] * 4
    for other in samples(cards, state, number):
        found[cell(cards, other, "trump")] += 1
    for kind in range(4):
        assert found[kind] / number == pytest.approx((3 - sight[kind]) / (12 - sum(sight)), abs=0.085)


def test_what_was_seen_to_go_into_hiding_is_still_there(tmp_path: Path) -> None:
    game = load_game(
        tmp_path, CARDS.replace("move 1 of c from hand[p] to vault", "move up to 1 of oak from table to hand[p]")
    )
    for seed in range(30):
        state = game.start(seed)
        if cell(game, state, "table")[0]:
            break
    choose(state, state.decision.options[0].text, "hide")
    assert all(cell(game, other, "hand", 0)[0] >= 1 for other in samples(game, state))


def test_a_hidden_value_that_nobody_set_is_as_it_was_at_first(cards: Any) -> None:
    state = cards.start(4)
    text = state.decision.options[0].text
    choose(state, text, "favourite ash")
    secrets = {cell(cards, other, "secret", 0) for other in samples(cards, state)}
    assert secrets == {None, 0, 1, 2, 3}, "set once, to nobody else knows what"
    assert {cell(cards, other, "secret", 2) for other in samples(cards, state)} == {None}


def test_invariants_say_what_a_hidden_number_must_be(cards: Any) -> None:
    state = cards.start(4)
    text = state.decision.options[0].text
    choose(state, text, "pledge.some 4")
    assert {cell(cards, other, "bid", 0) for other in samples(cards, state, 20)} == {96}


def test_a_resumed_game_is_remembered_too(cards: Any) -> None:
    state = played(cards, 8, 9)
    again = cards.resume(json.loads(json.dumps(cards.save(state))))
    assert Seen.of(again, state.decision.player) == Seen.of(state, state.decision.player)


def test_of_a_position_laid_out_by_hand_the_pieces_in_sight_are_missing(cards: Any) -> None:
    state = cards.blank()
    state.set("deck", ["oak", "oak", "elm"])
    state.set("hand[ann]", {"elm": 1, "ash": 2, "fir": 3})
    state.set("hand[ben]", {"oak": 1, "ash": 1})
    state.set("table", {"elm": 1})
    state.run("turn", ["ann"])
    other = redrawn(cards, state, 2)
    assert other.view(0) == state.view(0)
    assert other.check_invariants() == ()


def test_chance_comes_out_anew_and_what_was_laid_down_is_forgotten(tmp_path: Path) -> None:
    game = load_game(
        tmp_path,
        """
game dice
  players 2
  seats ann, ben

each Player has
  score: 0..99

winner most score[p], then shared

rule play
  take turns p from first(Player) until score[p] > 50
    p chooses n in 1..2
    roll die in 1..6
    p scores n * die
  end the game
""",
    )
    state = game.start(1)
    state.fix_chance([6])
    rolled = set()
    for other in samples(game, state):
        assert other.fixed_chance == ()
        other.choose(0)
        rolled.add(other.scores[0])
    assert rolled == {1, 2, 3, 4, 5, 6}


# ---------------------------------------------------------------- what only a rule remembers

MEMORY = corpus("envelopes")


def remembered(game: Any, state: Any, seat: int) -> dict[str, Any]:
    """What the seat knows of the locals of each running rule, with None where it does not know."""
    seen = Seen.of(state, seat)
    return {r.rule: dict(sorted([*r.known, *((slot, None) for slot in r.unknown)])) for r in seen.running}


def test_what_a_running_rule_remembers_is_drawn_anew_unless_the_seat_knows_it(tmp_path: Path) -> None:
    game = load_game(tmp_path, MEMORY)
    state = choose(game.start(3), "2", "elm")
    locals_ = remembered(game, state, 1)
    # lowest, n, c, worth, and the passes left
    assert list(locals_["play"].values()) == [None, None, None, None, 5]
    # p, c, n, guess
    assert list(locals_["question"].values()) == [1, None, None, 1]
    drawn = set()
    for other in samples(game, state):
        outer, inner = other.position.frames
        lowest, n, c, worth = outer.local[:4]
        deck = cell(game, other, "deck")
        assert worth == 2 * cell(game, other, "bid", 0)
        assert (lowest, c, inner.local[1]) == (deck[0], deck[-1], deck[-1])
        assert n == inner.local[2], "an argument is what it was given"
        drawn.add((lowest, n, worth))
    assert len(drawn) > 10
    assert_honest(game, state, 1)


def test_a_seat_knows_what_it_chose_itself(tmp_path: Path) -> None:
    game = load_game(tmp_path, MEMORY.replace("do question(last(Player), c, n)", "do question(first(Player), c, n)"))
    state = choose(game.start(3), "3", "elm")
    locals_ = remembered(game, state, 0)
    assert list(locals_["play"].values()) == [None, 3, None, 6, 5]
    assert list(locals_["question"].values()) == [0, None, 3, 1]
    assert_honest(game, state, 1)


# ---------------------------------------------------------------- deciding together


@given(seed=st.integers(0, 1000), moves=st.integers(0, 12))
@settings(max_examples=40)
def test_what_others_decide_at_the_same_time_is_decided_anew(bids: Any, seed: int, moves: int) -> None:
    assert_honest(bids, played(bids, seed, moves), seed)


@pytest.fixture(scope="module")
def bids(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return load_game(tmp_path_factory.mktemp("bids"), PLEDGES)


def test_what_has_been_decided_unseen_gives_nothing_away(bids: Any) -> None:
    low, high = (choose(bids.start(1), number, "vase", "2") for number in ("0", "9"))
    assert Seen.of(low, 1) == Seen.of(high, 1)
    decided = set()
    for other in samples(bids, low):
        choose(other, "lamp", "0", "lamp")
        assert sum(cell(bids, other, "given", p)[1] for p in (1, 2)) == 2
        assert cell(bids, other, "bid", 1) == 2, "what the seat has decided itself stays"
        decided.add(cell(bids, other, "bid", 0))
    assert len(decided) > 5


def test_no_position_fits_what_cannot_be(cards: Any) -> None:
    """A position laid out against the invariants stays as it is for everybody: nothing can be imagined."""
    state = cards.blank()
    state.set("table", {"oak": 3, "elm": 3, "ash": 3, "fir": 3})
    state.set("hand[ann]", {"oak": 1})
    state.run("turn", ["ann"])
    with pytest.raises(CannotRedraw, match="seat 0"):
        redrawn(cards, state, 1)


@pytest.mark.parametrize("engine", ["reference", "wasm"])
def test_a_seat_that_looked_before_knows_what_one_that_looks_first_knows(engine: str) -> None:
    """On the way of a game, on ways beside it that were taken back, and where the game is played again."""
    game = interpreter.load(RULES / "meduris", players=2, engine=engine)
    state, stream, choices = game.start(5), Stream(5), []
    for number in range(40):
        seat, beside = state.decision.player, state.copy()
        beside.choose(stream.below(beside.option_count))
        if beside.decision is not None:
            Seen.of(beside, beside.decision.player)
        seen = Seen.of(state, seat)
        if number % 10 == 9:
            again = game.start(5)
            for index in choices:
                again.choose(index)
            assert Seen.of(again, seat) == seen
        choices.append(stream.below(state.option_count))
        state.choose(choices[-1])


@pytest.mark.parametrize(("name", "players"), [("whist", 4), ("skye", 2), ("meduris", 3), ("fog_harbour", 2)])
def test_what_everybody_knows_can_be_redrawn(name: str, players: int) -> None:
    """Those who watch see the same, and whatever is hidden has no part in it."""
    game = interpreter.load(RULES / name, players=players)
    for moves in (0, 3, 9, 20):
        state = played(game, 5, moves)
        if state.position.secret is not None:
            continue
        drawn = [
            game.state_of(Redraw(game.blueprint, Seen.of(each, None)).draw(Stream(moves)))
            for each in (state, with_other_secrets(state, redrawn(game, state, moves)))
        ]
        assert drawn[0].key() == drawn[1].key()
        assert drawn[0].view(None) == state.view(None) and drawn[0].player == state.player


# What was shown to a seat is in its view, and every position it imagines agrees with it.


GAME = corpus("booth")


def imagined(game: Any, state: Any, seat: int, number: int = 40) -> list[Any]:
    redraw = Redraw(game.blueprint, Seen.of(state, seat))
    return [redraw.draw(Stream(n)) for n in range(number)]


def test_the_view_tells_what_was_shown_and_to_nobody_else(tmp_path: Path) -> None:
    game = load_game(tmp_path, GAME)
    state = game.start(5)
    cells, places = state.position.cells, game.blueprint.layout.places
    ben = state.view(1)["state"]
    assert ben["fate.shown"]["ben"] == [cells[places["fate"].offset]]
    assert ben["bid.shown"]["ben"]["cas"] == [6]
    top = cells[places["deck"].offset][-2:]
    assert ben["deck.shown"]["ben"] == [("oak", "elm", "ash")[card] for card in reversed(top)]
    for other in (state.view(0), state.view(2), state.view(None)):
        assert "ben" not in other["state"].get("deck.shown", {})
    assert state.view(0)["state"]["bid.shown"]["ann"]["cas"] == [6]
    assert state.view(2)["state"]["bid.shown"]["cas"]["cas"] == []


def test_what_was_shown_is_imagined_as_it_was(tmp_path: Path) -> None:
    game = load_game(tmp_path, GAME)
    state = game.start(5)
    cells, places = state.position.cells, game.blueprint.layout.places
    shown_kinds = [n > 0 for n in cells[places["hand"].offset]]
    hands, decks = set(), set()
    for position in imagined(game, state, 1):
        for name in ("fate", "brow"):
            at = places[name].offset + (1 if name == "brow" else 0)
            assert position.cells[at] == cells[at]
        assert position.cells[places["bid"].offset + 2] == 6
        assert position.cells[places["deck"].offset][-2:] == cells[places["deck"].offset][-2:]
        hand = position.cells[places["hand"].offset]
        assert all(n > 0 for n, shown in zip(hand, shown_kinds, strict=True) if shown)
        hands.add(hand)
        decks.add(position.cells[places["deck"].offset])
    assert len(decks) > 5, "the rest may lie in any order"


def test_what_others_hold_up_is_seen_and_the_own_is_imagined(tmp_path: Path) -> None:
    game = load_game(tmp_path, GAME.replace("  show brow[ben] to ben\n", ""))
    state = game.start(5)
    cells, brow = state.position.cells, game.blueprint.layout.places["brow"].offset
    assert state.view(1)["state"]["brow"]["ben"] == {"count": 1}
    own = set()
    for position in imagined(game, state, 1):
        assert [position.cells[brow], position.cells[brow + 2]] == [cells[brow], cells[brow + 2]]
        own.add(position.cells[brow + 1])
    assert len(own) > 1


def test_what_is_laid_out_by_hand_has_not_been_shown(tmp_path: Path) -> None:
    game = load_game(tmp_path, GAME + "\nrule tell\n  show bid[cas] to ben\n")
    state = game.blank()
    state.run("tell")
    assert state.view(1)["state"]["bid.shown"]["ben"]["cas"] == [0]
    state.set("bid[cas]", 5)
    assert state.view(1)["state"]["bid.shown"]["ben"]["cas"] == []
