"""What people read is in the words of the rules, never in those of Python."""

from __future__ import annotations

import json
from pathlib import Path

from small_games import corpus, write_game

SHOP = corpus("shop")


def test_a_payment_that_is_not_possible(rulelang, tmp_path: Path) -> None:
    ran = rulelang("test", write_game(tmp_path / "shop", SHOP))
    assert ran.status == 1
    assert "expected  {brick: 1}" in ran.out and "actual    pay 1 wood" in ran.out
    assert "'" not in ran.out


def test_a_save_of_other_variants(rulelang, tmp_path: Path) -> None:
    folder = write_game(tmp_path / "shop", SHOP)
    save = tmp_path / "game.save"
    rulelang("play", folder, typed=[f"save {save}", "quit"])
    data = json.loads(save.read_text(encoding="utf-8"))
    data["variants"] = ["quick", "rich"]
    save.write_text(json.dumps(data), encoding="utf-8")
    ran = rulelang("play", folder, "--resume", save, typed=["quit"])
    assert "the variants [quick, rich], not []" in ran.out + ran.err


def test_a_save_that_cannot_begin_under_the_rules_as_they_are_now(rulelang, tmp_path: Path) -> None:
    folder = write_game(tmp_path / "shop", SHOP)
    save = tmp_path / "game.save"
    rulelang("play", folder, typed=[f"save {save}", "quit"])
    rules = folder / "shop.rules"
    text = rules.read_text(encoding="utf-8")
    stops = "  surely move 1 of wood from bank to goods[first(Player)]\n"
    rules.write_text(text.replace("rule play\n", f"rule play\n{stops}", 1), encoding="utf-8")
    ran = rulelang("play", folder, "--resume", save, typed=["quit"])
    assert ran.status == 2
    assert "the rules have changed since this game was saved: the rules cannot go on: " in ran.err
