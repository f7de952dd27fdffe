"""What commands say of games in teams, of games for one player, and of those that all win or lose together."""

from __future__ import annotations

import json

from paths import RULES


def test_a_summary_names_the_teams(rulelang) -> None:
    ran = rulelang("simulate", RULES / "whist", "--games", 5)
    assert ran.status == 0 and "north_south" in ran.out and "share" in ran.out
    data = json.loads(rulelang("simulate", RULES / "whist", "--games", 5, "--format", "json").out)
    assert data["teams"] == ["north_south", "east_west"] * 2
    assert data["wins"][0] == data["wins"][2] and sum(data["wins"]) == 5 and data["shared"] == 0


def test_a_summary_says_how_many_games_were_won(rulelang) -> None:
    ran = rulelang("simulate", RULES / "golf_patience", "--games", 5)
    assert ran.status == 0 and "won 0 of 5 games (0.0 %)" in ran.out and "share" not in ran.out


def test_one_player_is_a_number_of_players(rulelang) -> None:
    assert "golf_patience: 1 player, " in rulelang("check", RULES / "golf_patience").out


def test_the_end_says_that_a_game_alone_is_lost(rulelang) -> None:
    ran = rulelang("play", RULES / "golf_patience", "--players", 1, "--bots", "1=random", "--seed", 1)
    assert ran.status == 0 and ran.out.rstrip().endswith("player_1 loses.")


def test_the_end_names_the_winning_team(rulelang) -> None:
    bots = ",".join(f"{seat}=random" for seat in (1, 2, 3, 4))
    ran = rulelang("play", RULES / "whist", "--players", 4, "--bots", bots, "--seed", 1)
    assert ran.out.rstrip().endswith(("north_south (north and south) wins.", "east_west (east and west) wins."))
