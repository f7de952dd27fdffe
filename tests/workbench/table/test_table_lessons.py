"""A first game: each rule is introduced when it first applies, with an example of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from browsing import faults, links
from paths import RULES

House = Any
MEDURIS = RULES / "meduris"
DYERS = RULES / "dyers_row"


def titles(position: Any) -> list[str]:
    return [lesson["id"] for lesson in position["lessons"]]


def test_rules_are_introduced_in_the_order_of_play(house: Callable[..., House]) -> None:
    home = house(MEDURIS, teach=True, bots={1: "random"})
    tab = home.tab(0)
    shown, known = tab.position(1), []
    assert shown["lessons"][0]["lines"][-1] == "Whoever has the most victory points at the end wins."
    assert home.tab(0, learn=False).position(1)["lessons"] is None
    while shown["question"] is None or shown["question"]["rule"] != "action":
        known += [rule for rule in titles(shown) if rule not in known]
        if shown["question"] is not None:
            tab.send("choose", turn=shown["turn"], option=0)
        shown = tab.next("position")
    known += titles(shown)
    firsts = ["play", "setup.workers", "turn", "small_yield", "action", "big.yield"]
    assert [rule for rule in dict.fromkeys(known) if rule in firsts] == firsts
    assert not {"setup.goods", "setup.chips", "final"} & set(known), "what was done before, and what is yet to come"


@pytest.mark.parametrize("lang", ["en", "nl", "de", "fr", "es"])
def test_a_game_without_texts_is_taught_from_its_rules(lang: str, house: Callable[..., House]) -> None:
    shown = house(DYERS, teach=True).tab(0, lang=lang).position(1)
    assert titles(shown) == ["winner", "play", "lay_out", "turn", "gather", "gather_two", "order"]
    assert all(lesson["title"] and lesson["lines"] for lesson in shown["lessons"])


def test_an_example_shows_a_rule(house: Callable[..., House]) -> None:
    tab = house(DYERS).tab(0)
    tab.send("lesson", rule="gather_two")
    answer = tab.next("answer")
    assert [picture["svg"][:4] for picture in answer["pictures"]] == ["<svg", "<svg"]
    assert answer["steps"] == ["Ann chooses: gather two weld. Ann gets 2 × weld."]
    tab.send("lesson", rule="nothing of the kind")
    assert tab.next("answer")["pictures"] == []


def test_what_is_known_is_skipped(house: Callable[..., House]) -> None:
    home = house(DYERS, teach=True, bots={1: "random"})
    tab = home.tab(0)
    known = titles(tab.position(1))
    tab.send("ahead", known=known)
    new: list[str] = []
    while not new:
        shown = tab.next("position")
        new = [rule for rule in titles(shown) if rule not in known] if shown["question"] else []
    assert {"dye", "dye_ordered", "give_back"} & {*new} and home.table.line.choices and not home.table.skips
    alone = house(DYERS, teach=True).tab(0)
    alone.send("ahead", known=[])
    assert "alone" in alone.next("refused")["reason"]


@pytest.mark.parametrize("teach", [True, False])
def test_who_learns_may_try_again_whatever_came_up(teach: bool, house: Callable[..., House]) -> None:
    home = house(MEDURIS, teach=teach, bots={1: "random"})
    tab = home.tab(0)
    while (shown := tab.next("position"))["question"] is None or shown["question"]["rule"] != "action":
        if shown["question"] is not None:
            tab.send("choose", turn=shown["turn"], option=0)
    made = len(home.table.line.choices)
    tab.send("undo")
    if teach:
        assert tab.next("position")["question"] and len(home.table.line.choices) < made
    else:
        assert "has been rolled" in tab.next("refused")["reason"]


WINDOWS = [
    pytest.param({"width": 1200, "height": 800}, id="desk", marks=pytest.mark.slow),
    pytest.param({"width": 390, "height": 844}, id="phone"),
]


@pytest.mark.parametrize("size", WINDOWS)
def test_a_newcomer_reads_plays_and_comes_back(size: Any, house: Callable[..., House], people: Any) -> None:
    home = house(DYERS, teach=True, bots={1: "random"})
    (one,) = people(*links(home, 0), viewport=size)
    page = one.page
    go_on = page.get_by_role("button", name="Go on")
    page.get_by_role("heading", name="Who wins").wait_for()
    assert page.locator("#picture .lit").count() == 0, "one thing at a time"
    for heading in ("How it is played", "Lay out"):
        go_on.click()
        page.get_by_role("heading", name=heading).wait_for()
    page.reload()
    page.get_by_role("heading", name="Lay out 1/5").wait_for()
    page.get_by_label("Language").select_option("es")
    page.get_by_role("button", name="Continuar").wait_for()
    page.get_by_label("Idioma").select_option("en")
    page.locator(".example button").click()
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    assert faults(page) == []
    for _ in range(5):
        go_on.click()
    page.get_by_role("heading", name="Your turn").wait_for()
    page.locator('#picture [data-at="stock:alum"]').click()
    page.get_by_role("dialog").get_by_text("What you can do now").wait_for()
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Skip to the next new rule").click()
    page.get_by_role("heading", name=re.compile("^Dye|^Give")).wait_for()
