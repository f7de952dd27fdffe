"""``if there is``: a block for the first that there is, on both engines."""

from __future__ import annotations

from pathlib import Path

from small_games import corpus, load_game, mistakes

from interpreter.loading import ENGINES

GAME = corpus("if_there")


def test_the_first_is_taken_and_its_parts_have_names(tmp_path: Path) -> None:
    for engine in ENGINES:
        state = load_game(tmp_path, GAME, engine=engine).start(0)
        assert state.get("keep[elm]") == "wood" and state.scores == (3, 0)
        state.choose(0)  # player_2 finds the wood, and leaves a stone
        assert state.get("stone[oak]") == "player_2" and state.scores == (3, 4)
        state.choose(0)  # player_1 finds the stone, and then the first free hill with the first fitting number
        assert [option.text for option in state.decision.options] == ["1", "2"]
        assert state.get("stone[elm]") == "player_1"


def test_what_is_there_can_be_moved_and_where_nothing_is_there_is_room(tmp_path: Path) -> None:
    assert mistakes(tmp_path / "sound", GAME) == []
    unsure = GAME.replace("  otherwise if (there) > 2\n    p scores 1\n  otherwise\n", "  if (there) > 2\n")
    assert {code for code, _ in mistakes(tmp_path / "unsure", unsure)} == {"R0503"}  # perhaps something lies there
