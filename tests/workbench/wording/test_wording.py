"""What players are told in their own language."""

from __future__ import annotations

from pathlib import Path

import pytest
from paths import RULES
from small_games import corpus, load_game

import interpreter
from interpreter.data import Event
from workbench.pictures.looks.find import look_for
from workbench.pictures.scene.look import Look
from workbench.rulebook.languages.catalogue import catalogues, lacking
from workbench.wording import News, Wording, fullest, words_in

TRANSLATED = ["babel", "meduris", "skye"]


@pytest.mark.parametrize("lang", catalogues())
def test_every_language_has_all_words(lang: str) -> None:
    assert lacking(lang) == ()


def test_a_number_chooses_the_form() -> None:
    assert words_in("nl").say("news.pieces", n=1) == "1 stuk"
    assert words_in("nl").say("news.pieces", n=2) == "2 stukken"
    assert words_in("fr").say("news.pieces", n=0) == "0 pièce"


def test_a_language_without_words_speaks_english() -> None:
    assert words_in("xx").say("turn.goodbye") == words_in("en").say("turn.goodbye")


@pytest.mark.parametrize("game", TRANSLATED)
@pytest.mark.parametrize("lang", ["nl", "fr", "de"])
def test_a_game_is_told_without_a_word_of_the_rules(game: str, lang: str) -> None:
    rules = interpreter.load(RULES / game, players=2)
    wording = Wording(rules.program, look_for(rules.program, lang))
    news = News(wording.names)
    actions = {rule.id for rule in rules.program.rules.values() if rule.kind == "option"}
    state = rules.start(3)
    for turn in range(60):
        decision = state.decision
        if decision is None:
            break
        for option in decision.options[:20]:
            told = wording.option(decision, option)
            assert told and "{" not in told and not actions & set(told.split())
        state.choose(turn % len(decision.options))
    for event in state.log:
        told = news.line(event)
        assert (told and "[" not in told) or event.kind == "rule", event


def test_without_a_language_the_rules_speak() -> None:
    rules = interpreter.load(RULES / "babel", players=2)
    wording = Wording(rules.program, look_for(rules.program))
    state = rules.start(3)
    assert state.decision is not None
    assert [wording.option(state.decision, o) for o in state.decision.options] == [
        o.text for o in state.decision.options
    ]
    assert [News(wording.names).line(e) for e in state.log] == [e.text for e in state.log]


def test_places_have_their_owners() -> None:
    rules = interpreter.load(RULES / "meduris", players=2)
    names = Wording(rules.program, look_for(rules.program, "nl")).names
    assert names.place("goods[blue]") == "voorraad (Blauw)"
    assert names.pieces({"wood": 2, "stone": 0, "wool": 1}) == "2 hout, 1 wol"
    assert names.seen({"count": 4}) == "4 verborgen"


SEVERAL = corpus("several")


def test_enough_is_not_no(tmp_path: Path) -> None:
    rules = load_game(tmp_path / "several", SEVERAL)
    wording = Wording(rules.program, Look(lang="nl"))
    state = rules.start(1)
    assert state.decision is not None
    last = state.decision.options[-1]
    assert last.value is None and wording.option(state.decision, last) == "genoeg"


@pytest.mark.parametrize("seats", [((0,), (1,)), ((1,), (0,))])
def test_what_seats_know_differently_is_told_once_and_in_full(seats: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
    owner, other = seats
    scored = {"player": "red", "amount": 4, "total": 4}
    full = Event("score", "final", "", {**scored, "because": [["gold[p]", "23"]]}, owner)
    less = Event("score", "final", "", {**scored, "because": []}, other)
    assert fullest([full, less]) == fullest([less, full]) == [full]
    assert fullest([full, less, full, less]) == [full, full]
