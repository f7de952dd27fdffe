"""What players are told in their own language, in stories and in rules told as sentences, without raw names."""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import get_args

import pytest
from every_game import GAMES, files
from paths import RULES, TESTS
from raw_names import raw_names
from small_games import PILE, corpus, load_game, load_program, write_game

import interpreter
import rulelang
from interpreter.data import Event
from rulelang import workspace
from rulelang.diagnostics import Sink
from rulelang.program import Program
from rulelang.program.nodes import Do, Expr, NamedRule, Nothing, Statement
from rulelang.program.operations import OPERATIONS
from rulelang.program.walk import walk
from workbench.cli import run
from workbench.illustrated.figures import worked
from workbench.pictures.looks import look_for
from workbench.pictures.looks.look_checks import check_looks
from workbench.pictures.scene.look import Look
from workbench.rulebook.languages.catalogue import catalogues, lacking, section
from workbench.rulebook.texts import Heading
from workbench.wording import Names, News, Stories, Wording, fullest, prose, words_in
from workbench.wording.prose import rulebook_text

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


# Stories as sentences: what a look says of actions, places and pieces, and what is said without one.


BARTER = corpus("barter")

LOOK = """\
look of barter

Good: pieces en "a bag of {value}" "# bags of {value}"
left: hidden
fetch: told en "fetches {g}"
guard: told en "{value} guards the {Good}"
store: told en "back to the store"
"""


@pytest.fixture
def barter(tmp_path: Path) -> Path:
    return write_game(tmp_path / "barter", BARTER)


def told(folder: Path, *choices: str, lang: str = "en") -> list[str]:
    """What happens when actions are chosen, in words, step by step."""
    state = interpreter.load(folder, players=2).start(seed=1)
    for wanted in choices:
        at = next(i for i, option in enumerate(state.decision.options) if wanted in str(option))
        state.choose(at)
    names = Names(state.position.blueprint.program, look_for(state.position.blueprint.program, lang))
    return [step.text for step in Stories(names).told(fullest(state.log))]


def test_a_look_says_how_things_are_told(barter: Path) -> None:
    (barter / "barter.look").write_text(LOOK)
    steps = told(barter, "cloth", "cloth", "give")
    assert steps[0] == "Ada fetches cloth. Ada gets a bag of cloth. Ada guards the cloth."
    assert steps[2].endswith("A bag of cloth goes back to the store. Ada scores 1 point and now has 1.")


def test_without_a_look_sentences_are_plain_and_whole(barter: Path) -> None:
    (barter / "barter.look").write_text("look of barter\n\nleft: hidden\n")
    first, _, third = told(barter, "cloth", "cloth", "give")
    assert first == "Ada chooses: fetch cloth. Ada gets 1 cloth. Guard (cloth) is now: Ada."
    assert "Ada hands in 1 cloth." in third
    assert "krijgt 1 cloth" in told(barter, "cloth", lang="nl")[0]


def test_words_depend_on_the_value(barter: Path) -> None:
    forms = 'told en "gives {n: one # bag; other # bags} of {g: cloth the finest #; other plain #}"'
    (barter / "barter.look").write_text(f"look of barter\n\nleft: hidden\ngive: {forms}\n")
    steps = told(barter, "cloth", "cloth", "cloth", "'give', 'with': {'g': 'cloth', 'n': 1}")
    assert steps[-1].startswith("Bob gives 1 bag of the finest cloth.")
    steps = told(barter, "salt", "cloth", "salt", "'give', 'with': {'g': 'cloth', 'n': 1}")
    assert steps[2].startswith("Ada chooses: fetch salt.")


def test_pieces_of_one_kind_and_numbers_in_a_place_have_words_of_their_own(tmp_path: Path) -> None:
    text = BARTER.replace("  crate: pool of Good\n", "  crate: pool of Good\n  heap: stack of 1..6 = [4, 4, 2]\n")
    text = text.replace("      do nothing\n", "      move up to 2 from heap to drawn[p]\n")
    text = text.replace("  goods: pool of Good\n", "  goods: pool of Good\n  drawn: pool of 1..6\n")
    folder = write_game(tmp_path / "barter", text)
    pieces = 'pieces en "a level {value} card" "# level {value} cards"'
    salt = 'Good\n  salt: pieces en "a pinch of salt" "# pinches of salt"\n'
    (folder / "barter.look").write_text(f"look of barter\n\n{salt}\nleft: hidden\ndrawn: {pieces}\nheap: {pieces}\n")
    (step,) = told(folder, "salt")
    assert "Ada gets a pinch of salt." in step
    (step,) = told(folder, "rest")
    assert "a level 2 card" in step and "a level 4 card" in step


def test_a_member_that_is_only_numbered_is_told_by_what_it_is(tmp_path: Path) -> None:
    text = BARTER.replace("enum Good: salt, cloth", "enum Good: g1, g2").replace(
        "{salt: 3, cloth: 3}", "{g1: 3, g2: 3}"
    )
    folder = write_game(tmp_path / "barter", text)
    (folder / "barter.look").write_text("look of barter\n\nleft: hidden\n")
    (step,) = told(folder, "g2")
    assert step == "Ada chooses: fetch good 2. Ada gets 1 good 2. Guard (good 2) is now: Ada."


def test_what_passes_a_place_on_its_way_is_told_once(barter: Path) -> None:
    assert not any("crate" in step for step in told(barter, "cloth"))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('fetch: told en "fetches {x}"', "There is no value `{x}` for this label."),
        ('Good\n  salt: told en "salt!"', "Nothing happens to `salt` that could be told."),
        ('guard: told en "a", told en "b"', "How it is told in `en` is given already."),
        ('fetch: pieces en "one" "many"', "There are no pieces of the kind `fetch`."),
        ('fetch: told nl "haalt {g}"', "`fetch` is not told in `en`."),
        ('fetch: told en "fetches {g: salt}"', "The forms of a label in `en` cannot be read."),
        ('fetch: told en "fetches {g: slat the #; other a #}"', "No value takes the form `slat` of a label in `en`."),
    ],
)
def test_what_cannot_be_told_is_reported(barter: Path, line: str, message: str) -> None:
    text = BARTER.replace("  seats ada, bob\n", "  seats ada, bob\n  languages en\n")
    folder = write_game(barter.parent / "again", text)
    (folder / "barter.look").write_text(f"look of barter\n\n{line}\n")
    sink = Sink()
    files = workspace.default().open(folder)[0]
    check_looks(files, workspace.default().programs(files), (), workspace.default(), sink)
    assert message in [finding.message for finding in sink]


# What worked examples tell is words: no name of the rules that means nothing to who reads.


TOLD = [
    path for path in GAMES if files(path).game is not None and workspace.default().programs(files(path))[-1].languages
]


def stories(path: Path, lang: str, first: int, step: int) -> Iterator[tuple[str, str, Program]]:
    """The id of every so many examples of a game, what is told of it, and the program it is about."""
    games = workspace.default()
    program = games.programs(files(path))[-1]
    for example in games.examples(files(path), Sink(), (), None)[first::step]:
        told = worked(example, lang, program)
        if told is not None:
            yield example.id, " ".join([*told.story, *told.values]), program


@pytest.mark.parametrize("every", [18, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("path", TOLD, ids=lambda path: path.name)
def test_no_name_of_the_rules_is_told(path: Path, every: int) -> None:
    """Every example, or every eighteenth, in one language, the languages in turn."""
    languages = workspace.default().programs(files(path))[-1].languages
    seen = 0
    for number, lang in enumerate(languages):
        for name, told, program in stories(path, lang, number * every, len(languages) * every):
            seen += 1
            words = set(re.split(r"[\s:;,()«»„“”\"'’]+", told))
            assert not words & raw_names(program, lang), f"{name} in {lang}: {told}"
    assert seen


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.name)
def test_reasons_for_points_are_words_of_the_table(path: Path) -> None:
    """In a random game nothing is told by a name that only the rules know, nor are the points told twice."""
    if files(path).game is None:
        pytest.skip("not a game of its own")
    players = workspace.default().programs(files(path))[-1].players
    game, dice = interpreter.load(path, players=players), random.Random(1)
    state, program = game.start(seed=1), game.program
    for _ in range(400):
        if state.over:
            break
        state.choose(dice.randrange(state.option_count))
    because = {tuple(map(tuple, event.data.get("because", ()))) for event in state.log if event.kind == "score"}
    for lang in {"en", "nl", *program.languages}:
        wording = Wording(program, look_for(program, lang))
        places = [name for name, place in program.variables.items() if not place.bookkeeping]
        known = {*places, *filter(wording.look.given, (*program.definitions, *program.numbers, *program.settings))}
        called = {wording.look.label(name) for name in known} - {"points", "punten", "Punkte"}
        for told in map(wording.reasons, because):
            assert all(re.sub(r" -?\d+$", "", one) in called for one in told.split(", ") if one), told


@pytest.mark.parametrize(
    ("because", "told"),
    [
        ([("gold[p]", "4")], "goud 4"),
        ([("goal_value(g, p)", "4")], ""),
        ([("scroll_value(k, p)", "4"), ("done(p, group(areas(p), (s, r)))", "no")], ""),
        ([("gold[p]", "4"), ("n", "2")], ""),
        ([("sum(n for n in 1..gold[p])", "10")], ""),
    ],
)
def test_reasons_are_told_whole_or_not_at_all(because: list[tuple[str, str]], told: str) -> None:
    program = workspace.default().programs(files(RULES / "skye"))[-1]
    assert Wording(program, look_for(program, "nl")).reasons(because) == told


# Rules told in sentences made from them: whole, in every language, for every game.


def told_in_prose(program: Program, lang: str) -> list[str]:
    """All that is told of the rules, and a check that it is whole."""
    book = rulebook_text(program, look_for(program, lang))
    texts = [part.text for part in book.parts]
    said = {statement.section for statement in book.statements}
    reached = [rule for id_, rule in program.rules.items() if id_ in said]
    called = {node.rule for node in walk(reached) if isinstance(node, Do)}
    empty = (Nothing, NamedRule)
    silent = {id_ for id_, rule in program.rules.items() if all(isinstance(one, empty) for one in rule.body)}
    nested = {id_ for id_, rule in program.rules.items() if rule.parent in said}
    assert called | nested <= said | silent
    assert set(program.definitions) <= said
    for text in texts:
        assert text.strip() == text
        assert text
        assert not re.search(r"[{}]|\brules_|None(?!:)|\(\)| {2}", text), text
    return texts


def test_every_statement_every_expression_and_every_operation_has_words() -> None:
    assert set(get_args(Statement)) == set(prose._STATEMENTS)
    assert set(get_args(Expr)) == set(prose._EXPRESSIONS)
    for lang in catalogues():
        words = section("rules", lang)
        for operation in OPERATIONS.values():
            assert operation.name in prose._SIGNS or f"op_{operation.name}" in words, operation.name


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.name)
def test_the_rules_of_every_game_are_told_in_every_language(path: Path) -> None:
    header = files(path).game
    assert header is not None
    program = rulelang.load(path, players=header.low)
    assert len({tuple(told_in_prose(program, lang)) for lang in catalogues()}) == len(catalogues())


@pytest.mark.parametrize("seed", range(20))
def test_so_are_those_of_games_that_nobody_knows(tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path, str(TESTS / "interpreter" / "parity")])
    from generated import Maker

    with suppress(rulelang.RulesError):
        program = load_program(tmp_path, Maker(random.Random(seed).randrange).game())
        for lang in catalogues():
            told_in_prose(program, lang)


def test_a_game_reads_like_one(tmp_path: Path) -> None:
    path = write_game(tmp_path, PILE)
    texts = told_in_prose(rulelang.load(path, players=2), "en")
    assert "Nobody has written a rulebook for this game: these sentences were made from its rules." in texts
    assert "On the table there is: left (a number from 0 to 9; at first 7)." in texts


@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_rulebook_of_a_game_without_texts_is_made_from_its_rules(
    tmp_path: Path, lang: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_game(tmp_path, PILE)
    assert run(["rulebook", str(path), "--lang", lang]) == 0
    shown = capsys.readouterr().out
    assert section("rules", lang)["note"] in shown
    assert section("rules", lang)["h_course"] in shown
    assert isinstance(rulebook_text(rulelang.load(path), look_for(rulelang.load(path), lang)).parts[0], Heading)


def test_a_pack_of_all_combinations_is_told_in_a_line(tmp_path: Path) -> None:
    text = "enum Suit: red, blue\nenum Rank: one, two\n\ntable Card: Suit and Rank\n\nrule play\n  end the game\n"
    program = load_program(tmp_path, f"game pack\n  players 1\n\n{text}")
    assert "Card: one for each combination of suit and rank." in told_in_prose(program, "en")
