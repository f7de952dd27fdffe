"""Pictures of every game and seat: each draws, readable, the same for the same view, without raw names."""

from __future__ import annotations

import random
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Sequence
from importlib import metadata
from pathlib import Path

import pytest
from every_game import GAMES, files
from raw_names import raw_names
from small_games import GAMES as SMALL_GAMES
from small_games import PILE, corpus, write_game

import interpreter
from interpreter.game import Game, State
from interpreter.position import state as states
from rulelang import workspace
from rulelang.program import Program
from workbench.pictures import draw, scene_of
from workbench.pictures.layout.boxes import Box
from workbench.pictures.layout.page import place
from workbench.pictures.sheets import NothingToPrint, as_svg, sheets_of

WIDTHS = (1200, 390)
DECISIONS = 60
DRAWN = 4
"""Positions of a game that are drawn, evenly spread."""


def positions(game: Game, seed: int) -> Iterator[State]:
    """Positions of a random game, its first and its last among them."""
    state, dice = game.start(seed), random.Random(seed)
    for number in range(DECISIONS):
        if number % (DECISIONS // DRAWN) == 0:
            yield state
        if state.decision is None:
            return
        state.choose(dice.randrange(state.option_count))
    yield state


def texts(page: Box) -> list[tuple[float, float, float, float, str]]:
    """The rectangle of each text, without the little room above and below its letters."""
    found = []
    for x, y, box in page.walk():
        if box.form == "text" and not box.data["angle"]:
            found.append((x, y + 0.2 * box.height, x + box.width, y + 0.8 * box.height, str(box.data["text"])))
    return found


def overlapping(page: Box) -> list[tuple[str, str]]:
    """Texts that lie on one another, by more than a pixel."""
    found = sorted(texts(page))
    wrong = []
    for i, (_, top, right, low, words) in enumerate(found):
        for left, other_top, _, other_low, other in found[i + 1 :]:
            if left > right - 1:
                break
            if top < other_low - 1 and other_top < low - 1:
                wrong.append((words, other))
    return wrong


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.name)
def test_every_seat_sees_a_picture_without_overlapping_words(path: Path) -> None:
    header = files(path).game
    assert header is not None
    for players in {header.low, header.high}:
        for state in positions(interpreter.load(path, players=players), seed=players):
            for seat in (None, *range(players)):
                scene = scene_of(state, seat)
                for width in WIDTHS:
                    page = place(scene, width)
                    assert not overlapping(page), f"{scene.title}, {width} px"
                    assert all(x >= -1 and x + box.width <= width + 1 for x, _, box in page.walk() if box.width), width


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.name)
def test_svg_is_whole_small_and_the_same_for_equal_views(path: Path) -> None:
    header = files(path).game
    assert header is not None
    game = interpreter.load(path, players=header.high)
    for state in positions(game, seed=7):
        seat = state.player or 0
        svg = draw(state, seat)
        assert ElementTree.fromstring(svg).tag.endswith("svg")
        assert len(svg.encode()) < 150_000
        assert svg == draw(game.resume(game.save(state)), seat)


@pytest.mark.slow
@pytest.mark.timeout(0)
@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.name)
def test_every_decision_of_many_games_is_drawn(path: Path) -> None:
    """Twenty random games, each decision for each seat at both widths."""
    header = files(path).game
    assert header is not None
    for seed in range(20):
        players = header.low + seed % (header.high - header.low + 1)
        state, dice = interpreter.load(path, players=players).start(seed), random.Random(seed)
        for _ in range(500):
            for seat in range(players):
                scene = scene_of(state, seat)
                for width in WIDTHS:
                    assert not overlapping(place(scene, width)), f"{scene.title}, seed {seed}, {width} px"
            if state.decision is None:
                break
            state.choose(dice.randrange(state.option_count))


@pytest.mark.parametrize("text", SMALL_GAMES, ids=lambda text: text.split()[1])
def test_other_games_draw_as_well(text: str, tmp_path: Path) -> None:
    game = interpreter.load(write_game(tmp_path / "game", text))
    for state in positions(game, seed=3):
        page = place(scene_of(state, 0), 700)
        assert not overlapping(page)


CAMP = corpus("camp")


def test_players_with_little_stand_beside_each_other_in_pictures_that_never_change(tmp_path: Path) -> None:
    scene = scene_of(interpreter.load(write_game(tmp_path / "camp", CAMP)).start(1), None)

    def panels(*, close: bool) -> list[tuple[float, float]]:
        walked = place(scene, 600, close=close).walk()
        return [(round(x), round(y)) for x, y, box in walked if box.form == "panel"]

    (left, top), *others = panels(close=True)
    assert all(x > left and y == top for x, y in others)
    assert {x for x, _ in panels(close=False)} == {left}


def test_a_place_to_which_nothing_goes_under_the_settings_is_not_drawn(tmp_path: Path) -> None:
    folder = write_game(tmp_path / "camp", CAMP)
    for setting, drawn, other in [("no", "kept", "taken"), ("yes", "taken", "kept")]:
        svg = draw(interpreter.load(folder, options={"unseen": setting}).start(1), None)
        assert f">{drawn}<" in svg and f">{other}<" not in svg


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.name)
def test_players_beside_each_other_have_room(path: Path) -> None:
    header = files(path).game
    assert header is not None
    state = interpreter.load(path, players=header.high).start(seed=1)
    for lang in state.position.blueprint.program.languages or (None,):
        for width in (270, 330):
            page = place(scene_of(state, None, lang), width, close=True)
            panels = [(x, y, x + box.width, y + box.height) for x, y, box in page.walk() if box.form == "panel"]
            assert all(right <= width for _, _, right, _ in panels)
            for number, (left, top, right, low) in enumerate(panels):
                assert not any(a < right and left < c and b < low and top < d for a, b, c, d in panels[:number])


# What pictures and sheets write is words: no name of the rules that means nothing to who plays.


VILLAGE = corpus("village")


def written(svg: str) -> list[str]:
    """The texts of a picture."""
    return [element.text or "" for element in ElementTree.fromstring(svg).iter() if element.tag.endswith("text")]


def raw(texts: Sequence[str], program: Program, lang: str | None) -> set[str]:
    """The words in texts that are names from the files."""
    codes = raw_names(program, lang)
    return {word for text in texts for word in re.split(r"[\s:,()]+", text) if word in codes}


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.name)
def test_no_name_of_the_rules_is_printed(path: Path) -> None:
    games = workspace.default()
    programs = games.programs(files(path))
    lang = "en" if programs[-1].languages else None  # ``check`` wants the labels of one language in all others
    state = interpreter.load(path, players=programs[-1].players).start(seed=1)
    texts = written(draw(state, None, lang))
    try:
        for box in sheets_of(programs, (), lang).pictures.values():
            texts += written(as_svg(box))
    except NothingToPrint:
        pass
    assert not raw(texts, programs[-1], lang)


def test_fields_are_called_by_their_labels_or_numbers_or_not_at_all(tmp_path: Path) -> None:
    folder = write_game(tmp_path / "village", VILLAGE)
    state = interpreter.load(folder).start(seed=1)
    texts = written(draw(state, None))
    assert {"1", "2", "3", "4", "5"} <= set(texts)  # of the lane; `left1` and `right1` would have the same number
    assert not raw(texts, state.position.blueprint.program, None)
    (folder / "village.look").write_text('look of village\n\nField\n  left1: en "mill"\n', encoding="utf-8")
    assert "mill" in written(draw(state, None, "en"))
    assert raw(["left2"], state.position.blueprint.program, None) == {"left2"}


# A state in a notebook: drawn by whatever package offers to, for the player who decides.


@pytest.fixture
def drawers(monkeypatch: pytest.MonkeyPatch):
    """Sets the entry points that offer pictures."""

    def offer(*values: str) -> None:
        points = [metadata.EntryPoint("svg", value, "rulelang.pictures") for value in values]
        monkeypatch.setattr(metadata, "entry_points", lambda group: points)
        states._drawer.cache_clear()

    yield offer
    states._drawer.cache_clear()


def test_a_state_shows_what_the_player_who_decides_sees(drawers, tmp_path: Path) -> None:
    drawers("workbench.pictures:draw")
    state = interpreter.load(write_game(tmp_path / "pile", PILE)).start(seed=1)
    assert state._repr_svg_() == draw(state, state.player)


def test_without_a_package_that_draws_there_is_no_picture(drawers, tmp_path: Path) -> None:
    drawers()
    state = interpreter.load(write_game(tmp_path / "pile", PILE)).start(seed=1)
    assert state._repr_svg_() is None
