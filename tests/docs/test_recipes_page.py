"""Everything on the page of recipes is run: the game and each variant are checked, tested and played."""

from __future__ import annotations

from pathlib import Path

import page
import pytest
from paths import DOCS

import interpreter
import rulelang
from interpreter.examples import run_examples
from interpreter.simulate.games import play_many
from workbench.checking import check_game

RECIPES = DOCS / "recipes.md"
BLOCKS = page.blocks(RECIPES)
FILES = {block.name: block.text for block in BLOCKS if block.target == "file"}
GAME = FILES["stall/stall.rules"]
GAMES = sorted({name.split("/")[0] for name in FILES})
VARIANTS = [Path(name).stem for name in FILES if "/variants/" in name]


def test_no_block_is_left_unrun() -> None:
    assert page.fences(RECIPES) == 2 * len(BLOCKS)
    assert [str(b) for b in BLOCKS if b.language != "rules" or b.target not in ("file", "edit")] == []
    assert [str(b) for b in BLOCKS if b.target == "edit" and b.name not in FILES] == []


def is_sound(folder: Path, *variants: str) -> None:
    """There are no findings, the examples pass, and games come to their end for every number of players."""
    found = check_game(folder, variants=variants).diagnostics
    assert [d for d in found if d.severity != "note"] == []
    results = run_examples(folder, variants=list(variants)).results if variants else run_examples(folder).results
    assert [(r.name, r.failures) for r in results if r.status != "passed"] == []
    program = rulelang.load(folder, variants=list(variants))
    for players in range(program.min_players, program.max_players + 1):
        game = interpreter.load(folder, players=players, variants=list(variants))
        for result in play_many(game, seed=1, games=3, limit=5_000):
            assert result.finished, result.fault or "no end"


@pytest.mark.parametrize("variant", VARIANTS)
def test_each_recipe_works(variant: str, tmp_path: Path) -> None:
    is_sound(page.write(FILES, tmp_path) / "stall", variant)


@pytest.mark.parametrize("game", GAMES)
def test_each_game_works(game: str, tmp_path: Path) -> None:
    is_sound(page.write(FILES, tmp_path) / game)


def test_the_edited_game_works(tmp_path: Path) -> None:
    (edit,) = [block for block in BLOCKS if block.target == "edit"]
    is_sound(page.write({edit.name: page.edited(GAME, edit.text)}, tmp_path) / "stall")


def test_the_recipes_have_the_canonical_layout(tmp_path: Path) -> None:
    folder = page.write(FILES, tmp_path)
    assert [rulelang.format_path(folder / game, write=False).changed for game in GAMES] == [()] * len(GAMES)
