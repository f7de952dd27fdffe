"""Every entry of a game's list of rules is stated by something that exists: statement, part of the rules, example.

A game takes part with a file ``<game>.toml`` beside this one; its rules lie in ``rules/<game>``. The variants that its
``[game]`` table names are loaded as well, and their parts and statements may be named.
"""

from __future__ import annotations

import functools
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from every_game import example_names
from paths import RULES, SEEDS

import rulelang
from rulelang import workspace
from rulelang.diagnostics import Sink
from rulelang.program import Program
from rulelang.types import Domain
from workbench.rulebook.texts import RulebookText, read_merged

HERE = Path(__file__).parent
GAMES = sorted(path.stem for path in HERE.glob("*.toml"))


@functools.cache
def conformance(game: str) -> dict[str, Any]:
    return tomllib.loads((HERE / f"{game}.toml").read_text(encoding="utf-8"))


def entries(game: str) -> dict[str, dict[str, Any]]:
    return {id_: entry for id_, entry in conformance(game).items() if id_ not in ("game", "list")}


def references(game: str) -> Iterator[tuple[str, str]]:
    """(entry, what states it), one by one."""
    for id_, entry in entries(game).items():
        for reference in entry["by"]:
            yield id_, reference


@functools.cache
def book(game: str) -> RulebookText:
    """The English rulebook with the texts of the variants named."""
    sink = Sink()
    files, variants = workspace.default().open(
        RULES / game, conformance(game).get("game", {}).get("variants", []), sink
    )
    (found,) = (book for book in read_merged(files, variants, sink) if book.language == "en")
    assert not sink.has_errors
    return found


@functools.cache
def statements(game: str) -> frozenset[str]:
    return frozenset(statement.id for statement in book(game).statements)


def examples(game: str) -> list[str]:
    """The examples of a game, each of which passes: tests of every game say so."""
    return example_names(RULES / game)


@functools.cache
def program(game: str) -> Program:
    variants = conformance(game).get("game", {}).get("variants", [])
    return rulelang.load(RULES / game, variants=variants)


def enums(program: Program) -> set[str]:
    return {name for name, d in program.domains.items() if isinstance(d, Domain) and name not in program.tables}


KINDS: dict[str, Callable[[Program], Any]] = {
    "table": lambda p: p.tables,
    "enum": enums,
    "number": lambda p: p.numbers,
    "reading": lambda p: [name for name, s in p.settings.items() if s.kind == "reading"],
    "option": lambda p: [name for name, s in p.settings.items() if s.kind == "option"],
    "rule": lambda p: p.rules,
    "invariant": lambda p: [invariant.id for invariant in p.invariants],
    "variable": lambda p: p.variables,
    "define": lambda p: p.definitions,
}


def expected(game: str) -> list[str]:
    """The ids of the list: the game's letter, the chapter, two digits; of an entry put in between, a letter too."""
    ids = []
    listed = conformance(game)["list"]
    for chapter, numbers in listed["chapters"].items():
        for stretch in numbers.split(", "):
            first, _, last = stretch.partition("-")
            numbered = [str(n) for n in range(int(first), int(last) + 1)] if last else [first]
            ids += [f"{listed['letter']}-{chapter}-{n.zfill(2)}" for n in numbered]
    return ids


@pytest.mark.parametrize("game", GAMES)
def test_the_list_is_whole(game: str) -> None:
    assert list(entries(game)) == expected(game)
    assert Counter(entry["tag"] for entry in entries(game).values()) == conformance(game)["list"]["tags"]


@pytest.mark.parametrize("game", GAMES)
def test_every_entry_is_stated_by_something(game: str) -> None:
    assert [id_ for id_, entry in entries(game).items() if not entry["by"]] == []
    assert [id_ for id_, entry in entries(game).items() if len(set(entry["by"])) < len(entry["by"])] == []
    assert {key for entry in entries(game).values() for key in entry} <= {"tag", "by", "note"}


@pytest.mark.parametrize("game", GAMES)
def test_every_statement_named_exists(game: str) -> None:
    found = statements(game)
    assert [(id_, r) for id_, r in references(game) if ":" not in r and r not in found] == []


@pytest.mark.parametrize("game", GAMES)
def test_every_part_of_the_rules_named_exists(game: str) -> None:
    dangling = []
    for id_, reference in references(game):
        kind, colon, name = reference.partition(":")
        if colon and kind != "example":
            assert kind in KINDS, f"{id_}: {reference}: known kinds are {', '.join(KINDS)}, example"
            if name not in KINDS[kind](program(game)):
                dangling.append((id_, reference))
    assert dangling == []


@pytest.mark.parametrize("game", GAMES)
def test_every_example_named_exists(game: str) -> None:
    named = [(id_, r.removeprefix("example:")) for id_, r in references(game) if r.startswith("example:")]
    assert named
    assert [(id_, name) for id_, name in named if name not in examples(game)] == []


@pytest.mark.parametrize("game", GAMES)
def test_every_example_of_the_base_game_shows_an_entry(game: str) -> None:
    """Those of a house rule (their names begin with its name) show that house rule."""
    named = {r.removeprefix("example:") for _, r in references(game)}
    variants = {path.stem for path in (RULES / game / "variants").glob("*.rules")}
    assert [n for n in examples(game) if n not in named and n.partition(".")[0] not in variants] == []


def stated(game: str) -> Iterator[tuple[str, str, str]]:
    """(document, lines, statement), for every statement that a passage of a source document states."""
    for path in sorted(SEEDS.glob("*.toml")):
        map_ = tomllib.loads(path.read_text(encoding="utf-8"))
        for passage in map_["passage"] if map_["document"]["game"] == game else ():
            for statement in passage["states"]:
                yield path.name, passage["lines"], statement


@pytest.mark.parametrize("game", GAMES)
def test_every_statement_that_a_passage_states_exists(game: str) -> None:
    assert [place for place in stated(game) if place[2] not in statements(game)] == []


@pytest.mark.parametrize("game", GAMES)
def test_every_statement_that_a_passage_states_belongs_to_an_entry(
    game: str, record_property: Callable[[str, object], None]
) -> None:
    """The others belong to none: what a reading would be with another value is in no text. ``-rP`` lists them."""
    named = {reference for _, reference in references(game)}
    unnamed = [statement.id for statement in book(game).statements if statement.id not in named]
    record_property(f"{game}_statements_without_entry", len(unnamed))
    print(f"{game}: {len(unnamed)} of {len(statements(game))} statements belong to no entry: {', '.join(unnamed)}")
    assert [place for place in stated(game) if place[2] in unnamed] == []
