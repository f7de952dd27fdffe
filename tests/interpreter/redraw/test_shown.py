"""What was shown to a seat is in its view, and every position it imagines agrees with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from small_games import corpus, load_game

from interpreter.bots import Stream
from interpreter.redraw import Redraw, Seen

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
