"""What can be wrong with teams, with who is out and with who wins; and what a workspace remembers of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_games import changed, corpus, mistakes, write_game

from rulelang.diagnostics import Sink
from rulelang.workspace import Workspace

GAME = corpus("small")

MISTAKES = {
    "an unknown seat": ("along: east, west", "along: east, wets", "R0401", "There is no seat called `wets`."),
    "a seat that is not there": ("along: east, west", "along: 2, 5", "R0404", "There is no seat 5."),
    "two teams": ("along: east, west", "along: east, west, south", "R0303", "`south` is in two teams."),
    "twice": ("along: east, west", "along: east, west, east", "R0303", "`east` is named twice."),
    "no team": ("along: east, west", "along: east", "R0307", "With 4 players, no team has `west`."),
    "the same name": ("team along: east, west", "team along: east\n  team along: west", "R0303",
                      "There are two teams called `along`."),
    "an enum": ("enum Colour: red", "enum Team: red", "R0303", "`Team` is declared twice."),
    "a word": ("team along:", "team nobody:", "R0205", "`nobody` is a word of the language."),
    "no condition": ("life[p] is 0", "life[p]", "R0402",
                     "This is a number from 0 to 3, but yes or no is needed here."),
    "out twice": ("out when", "out when score[p] is 9\nout when", "R0303", "`out when` is declared twice."),
    "no player": ("  north wins", "  red wins", "R0402", "This is Colour, but Player is needed here."),
    "no players": ("  north wins", "  set(c in Colour) wins", "R0402",
                   "This is a set of Colour, but only players win."),
    "not a team's": ("p scores n", "p.team scores n", "R0402", "This is Team, but Player is needed here."),
    "unseen": ("life: 0..3 = 3", "life: 0..3 = 3, seen by owner", "R0512",
               "Everybody sees who has a turn, and would learn something about `out`, worked out from `life` on line "
               "14, which only its owner can see."),
}  # fmt: skip


def test_the_game_is_sound(tmp_path: Path) -> None:
    assert mistakes(tmp_path, GAME) == []


@pytest.mark.parametrize(("old", "new", "code", "message"), MISTAKES.values(), ids=MISTAKES)
def test_mistakes_are_found(old: str, new: str, code: str, message: str, tmp_path: Path) -> None:
    assert (code, message) in mistakes(tmp_path, changed(GAME, old, new))


def test_each_mistake_is_told_once(tmp_path: Path) -> None:
    wrong = changed(GAME, "along: east, west", "along: east")
    assert len(mistakes(tmp_path, wrong)) == 1


def test_a_team_that_is_only_there_for_some_numbers_of_players(tmp_path: Path) -> None:
    split = changed(
        GAME, "along: east, west", "along: east, west when players is not 3\n  team rest: 2 when players is 3"
    )
    assert mistakes(tmp_path, split) == []


def test_teams_may_keep_the_score(tmp_path: Path) -> None:
    theirs = changed(GAME, "  score: 0..99\n", "").replace("score[p]", "score[p.team]")
    theirs = changed(theirs, "each Player has", "each Team has\n  score: 0..99\n\neach Player has")
    theirs = changed(theirs, "    p scores n\n", "    p scores n\n    p.team loses min(1, score[p.team])\n")
    assert mistakes(tmp_path, theirs) == []


def test_a_workspace_notices_what_changes(tmp_path: Path) -> None:
    folder = write_game(tmp_path / "game", GAME)
    (file,) = folder.glob("*.rules")
    workspace = Workspace()
    texts = [
        GAME,
        changed(GAME, "out when life[p] is 0\n", ""),
        GAME,
        changed(GAME, "out when life", "define out(p: Player) = life"),
        changed(GAME, "team across: north, south\n  team along: east, west", "team all: 1, 2, 3, 4"),
        changed(GAME, "  team across: north, south\n  team along: east, west\n", ""),
        changed(GAME, "out when life[p] is 0", "out when life[p] is 1"),
    ]
    for text in texts:
        file.write_text(text)
        programs = []
        for each in (workspace, Workspace()):
            sink = Sink()
            files, names = each.open(folder, (), sink)
            linked = each.linked(files, names, sink)
            assert linked is not None
            programs.append(each.elaborated(files, linked, 4, sink, {}).program)
            assert not sink.has_errors
        assert programs[0] == programs[1]
