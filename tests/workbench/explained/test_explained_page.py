"""``rulelang explain --to html``: a game as a page to leaf through, with pictures, reasons and rules."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from small_games import corpus

from interpreter.data import Event
from workbench.cli import run
from workbench.wording import fullest

RULES = corpus("vault")

TEXT = """\
# Vault

## Rules

### `dig`
1. Dig for {worth} points.
"""


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    (folder / "text").mkdir(parents=True)
    (folder / "vault.rules").write_text(RULES, encoding="utf-8")
    for lang in ("en", "nl"):
        (folder / "text" / f"{lang}.md").write_text(TEXT, encoding="utf-8")
    return folder


def page(vault: Path, *more: str) -> str:
    out = vault.parent / "vault.html"
    asked = ["explain", str(vault), "--seed", "3", "--game", "0", "--to", "html", "--out", str(out), *more]
    assert run(asked) == 0
    return unescape(out.read_text(encoding="utf-8"))


def test_one_leafs_through_without_a_script(vault: Path) -> None:
    text = page(vault)
    steps = re.findall(r'<section class="leaf" id="step-(\d+)">', text)
    assert [int(step) for step in steps] == list(range(1, len(steps) + 1)) and len(steps) > 4
    links = set(re.findall(r'href="#(step-\d+)"', text))
    assert links == {f"step-{step}" for step in steps}
    assert "<script" not in text and "http-equiv" not in text
    assert not re.search(r'(?:src|href)="(?!#)', text)  # no other file


def test_points_have_their_reasons_and_rules(vault: Path) -> None:
    text = page(vault)
    leaf = next(part for part in text.split('<section class="leaf"') if '<ul class="points">' in part)
    assert re.search(r"2 points, now \d+", leaf)
    assert "Dig for 2 points." in leaf and "vault.rules:" in leaf
    assert "<svg" in leaf and "rl-ring" in leaf  # what changed has a ring round it
    assert text.count("<style>") == 1


def test_a_seat_is_shown_what_it_may_see(vault: Path) -> None:
    whole, mine = page(vault), page(vault, "--seat", "1")
    known = re.compile(r"player 2 gets \d (?:ruby|opal)", re.IGNORECASE)
    assert known.search(whole) and not known.search(mine)
    assert "Player 2 gets 1 piece." in mine


def test_another_language(vault: Path) -> None:
    text = page(vault, "--lang", "nl")
    assert '<html lang="nl">' in text and "Stap 1 van" in text and "2 punten, nu" in text


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--lang", "nl"], "add --to html"),
        (["--out", "x.txt"], "add --to html"),
        (["--to", "html", "--lang", "xx"], "choose one of en, nl"),
        (["--to", "html", "--seat", "9"], "no such seat"),
    ],
)
def test_what_cannot_be_written(vault: Path, more: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", str(vault), "--seed", "3", "--game", "0", *more]) == 2
    assert message in capsys.readouterr().err


def test_a_position_laid_out_by_hand_has_no_steps(vault: Path) -> None:
    from interpreter.loading import load
    from workbench.explained import leaves_of

    game = load(str(vault), players=2)
    state = game.blank()
    state.set("score[" + game.program.seats[0] + "]", 3)
    assert leaves_of(game, state, None, None) == []


# Events that are partly hidden are in a log more than once; a story tells each once, as fully as may be.


def chosen(player: str, value: int, seats: tuple[int, ...]) -> Event:
    data = {"player": player, "option": None, "value": {"n": value}}
    return Event("choice", "bid", f"{player}: {value}", data, seats)


def hidden(player: str, seats: tuple[int, ...]) -> Event:
    return Event("choice", "bid", f"{player} has chosen", {"player": player}, seats)


def test_the_others_are_told_at_once() -> None:
    log = [chosen("Ann", 3, (0,)), hidden("Ann", (1,)), chosen("Ann", 5, (0,)), hidden("Ann", (1,))]
    assert fullest(log) == [log[0], log[2]]


def test_the_others_are_told_when_all_have_decided() -> None:
    log = [chosen("Ann", 3, (0,)), chosen("Ben", 4, (1,)), hidden("Ann", (1,)), hidden("Ben", (0,))]
    assert fullest(log) == log[:2]


def test_what_everybody_knows_is_never_less() -> None:
    told = Event("move", "deal", "one", {"from": "deck", "to": "row"}, None)
    assert fullest([told, told]) == [told, told]
