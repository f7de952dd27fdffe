"""Completion: what is offered at a place, in the order in which it is offered."""

from __future__ import annotations

import pytest
from editor_client import Editor
from test_navigation import FILES, INN, inn  # noqa: F401

FRUIT = ["apple", "pear"]


def offered(editor: Editor, name: str, text: str) -> list[str]:
    """The labels offered at the mark ``|`` in a text that replaces the file's."""
    (editor.rewrite if name in editor.texts else editor.open)(name, text.replace("|", "", 1))
    before = text[: text.index("|")].split("\n")
    place = {"line": len(before) - 1, "character": len(before[-1])}
    params = {"textDocument": {"uri": editor.uri(name)}, "position": place}
    found = editor.structured("textDocument/completion", editor.ask_raw("textDocument/completion", params))
    return [item.label for item in found.items]


@pytest.mark.parametrize(
    ("line", "first", "never"),
    [
        ("move 1 of |", ["f", "p"], ["do"]),
        ("set |", ["score"], ["chooses"]),
        ("move 1 of apple from |", ["hand", "stall"], ["chooses", "do"]),
        ("each x in |", ["Dish", "Fruit", "Player"], ["chooses"]),
        ("shuffle |", ["hand", "stall"], []),
        ("if hand[|", ["p", "blue", "green", "red"], []),
        ("p |", ["chooses", "loses", "may", "orders", "pays", "scores", "wins"], ["apple"]),
        ("do |", ["play", "turn"], ["gather", "apple"]),
        ("if pace is |", ["fast", "slow"], []),
        ("move 1 of | from stall to hand[p]", ["apple", "f", "pear"], []),
        ("let x = sum(d.| for d in Dish)", ["points", "price"], ["apple"]),
        ("let x = Fruit.|", ["apple", "pear"], ["points"]),
        ("if ri|", ["rich"], ["turn"]),
        ("let |", [], ["apple", "p"]),
        ("needs first(d in Dish where d.poi|", ["points"], ["price"]),
    ],
)
def test_what_fits_comes_first(inn: Editor, line: str, first: list[str], never: list[str]) -> None:  # noqa: F811
    rule = f"rule other(p: Player, f: Fruit)\n  {line}\n"
    found = offered(inn, "inn.rules", f"{INN}\n{rule}")
    assert found[: len(first)] == first or sorted(found[: len(first)]) == sorted(first), found[:12]
    assert not set(never) & set(found[:20])


def test_items_and_types(inn: Editor) -> None:  # noqa: F811
    assert {"rule", "define", "each"} <= set(offered(inn, "inn.rules", f"{INN}\n|"))
    found = offered(inn, "inn.rules", f"{INN}\ndefine f(x: |")
    assert {"Fruit", "Dish", "Player", "flag"} <= set(found[:20])


def test_mistakes_elsewhere_do_not_matter(inn: Editor) -> None:  # noqa: F811
    text = INN.replace("rule play\n", "rule play\n  set set set\n  do turn((\n")
    assert "turn" in offered(inn, "inn.rules", f"{text}\nrule x\n  oh dear me\n  do |\n  set\n")


EXAMPLE = "examples of inn\n\nexample more\n  players Ann, Ben\n  given hand[Ann] is {apple: 2}, stall is {pear: 1}\n"


@pytest.mark.parametrize(
    ("steps", "first"),
    [
        ("  run turn(Ann)\n  Ann chooses |", ["gather(pear)", "rest", "sell(cake)"]),
        ("  run turn(Ann)\n  Ann cannot choose |", ["gather(pear)", "rest", "sell(cake)", "gather", "play", "sell"]),
        ("  run |", ["play", "turn"]),
        ("  |", ["Ann", "Ben"]),
        ("  given score[|", ["Ann", "Ben"]),
        ("  run turn(Ann)\n  fired |", ["gather", "play", "rest", "sell", "turn"]),
        ("  with |", ["goal", "more", "pace"]),
        ("  with pace = |", ["fast", "slow"]),
        ("  given |", ["hand", "score", "stall"]),
        ("  given stall[apple] is 2, ha|", ["hand"]),
        ("  given hand[Ann] is {|", ["apple", "pear"]),
        ("  run turn(Ann)\n  then |", ["hand", "score", "stall"]),
    ],
)
def test_examples_offer_what_is_on_offer_there(inn: Editor, steps: str, first: list[str]) -> None:  # noqa: F811
    found = offered(inn, "examples.rules", EXAMPLE + steps)
    assert found[: len(first)] == first, found[:9]


def test_variants_see_what_they_change(inn: Editor) -> None:  # noqa: F811
    assert offered(inn, "more.rules", "|")[:1] == ["variant"]
    head = "variant more of inn\n\n"
    assert offered(inn, "more.rules", f"{head}|")[:2] == ["change", "extend"]
    assert offered(inn, "more.rules", f"{head}change number |")[:1] == ["goal"]
    assert offered(inn, "more.rules", f"{head}extend rule |")[:2] == ["play", "turn"]
    found = offered(inn, "more.rules", f"{head}extend rule turn\n  option beg\n    needs score[|")
    assert found[:1] == ["p"]


def test_texts_looks_and_tables(inn: Editor) -> None:  # noqa: F811
    text = FILES["text/en.md"]
    assert "hand" in offered(inn, "text/en.md", f"{text}\n### `|")[:9]
    assert offered(inn, "text/en.md", text.replace("Sell a dish.", "Sell {|"))[:2] == ["goal@2", "goal@3"]
    assert offered(inn, "inn.look", "look of inn\n\nFruit\n  |") == FRUIT
    assert {"brown", "hidden", "house", "icon"} <= set(offered(inn, "inn.look", "look of inn\n\nstall: |"))
    assert "house" in offered(inn, "inn.look", 'look of inn\n\nstall: en "a, b: c", icon hous|')
    assert offered(inn, "inn.look", "look of inn\n\nDish: by |") == ["points", "price"]
    assert offered(inn, "dishes.csv", "name,price,points\ncake,2 |") == FRUIT
    assert offered(inn, "dishes.csv", "name,|")[:2] == ["points", "price"]


def test_nonsense_is_answered(inn: Editor) -> None:  # noqa: F811
    for text in ("|", "\n\n   |", "rule (((((|", "é" * 5000 + "|", "rule x\n\t\tset |\n", '"|', "# a |", "example |"):
        assert isinstance(offered(inn, "inn.rules", text), list)
        assert isinstance(offered(inn, "examples.rules", text), list)
