"""Rules told in sentences made from them: whole, in every language, for every game."""

from __future__ import annotations

import random
import re
import sys
from contextlib import suppress
from pathlib import Path
from typing import get_args

import pytest
from every_game import GAMES, files
from paths import TESTS
from small_games import PILE, load_program, write_game

import rulelang
from rulelang.program import Program
from rulelang.program.nodes import Do, Expr, NamedRule, Nothing, Statement
from rulelang.program.operations import OPERATIONS
from rulelang.program.walk import walk
from workbench.cli import run
from workbench.pictures.looks import look_for
from workbench.rulebook.languages.catalogue import catalogues, section
from workbench.rulebook.texts import Heading
from workbench.wording import prose
from workbench.wording.prose import rulebook_text


def told(program: Program, lang: str) -> list[str]:
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
    assert len({tuple(told(program, lang)) for lang in catalogues()}) == len(catalogues())


@pytest.mark.parametrize("seed", range(20))
def test_so_are_those_of_games_that_nobody_knows(tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path, str(TESTS / "interpreter" / "parity")])
    from generated import Maker

    with suppress(rulelang.RulesError):
        program = load_program(tmp_path, Maker(random.Random(seed).randrange).game())
        for lang in catalogues():
            told(program, lang)


def test_a_game_reads_like_one(tmp_path: Path) -> None:
    path = write_game(tmp_path, PILE)
    texts = told(rulelang.load(path, players=2), "en")
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
    assert "Card: one for each combination of suit and rank." in told(program, "en")
