"""Whatever a seat may see is in its picture and in words: of every game, and of declarations that nobody drew."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from every_game import GAMES, files
from paths import TESTS
from small_games import load_program

import interpreter
import rulelang
from interpreter.errors import RuleFault
from interpreter.game import Game, State
from interpreter.loading import game_of
from rulelang.program import Variable
from rulelang.types import FlagType, MemberType, NumberType, OptionalType
from workbench.pictures import scene_of
from workbench.pictures.build.facts import PLAYER, Facts, domain_of, facts_of, has_to_be
from workbench.pictures.looks import look_for
from workbench.pictures.scene import nodes
from workbench.pictures.scene.look import Look
from workbench.pictures.scene.nodes import Node

DECISIONS = 40
DRAWN = 3


def positions(game: Game, seed: int) -> Iterator[State]:
    """Positions of a random game, the first among them."""
    state, dice = game.start(seed), random.Random(seed)
    for number in range(DECISIONS):
        if number % (DECISIONS // DRAWN) == 0:
            yield state
        if state.decision is None:
            return
        state.choose(dice.randrange(state.option_count))


def cells(value: Any, owners: Sequence[Any]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """The cells of a variable in a view, as far as the view has them."""
    if not owners:
        yield (), value
    elif isinstance(value, Mapping):
        for member in owners[0].domain.members:
            if member in value:
                yield from (((member, *rest), inner) for rest, inner in cells(value[member], owners[1:]))


def said(value: Any, variable: Variable, look: Look) -> Iterator[str]:
    """The words that tell plain data; nothing for none, no, nought and empty."""
    domain = domain_of(variable.element or variable.type)
    match value:
        case bool() | None:
            if value:
                yield look.label(variable.name)
        case int():
            if value:
                yield str(value)
        case str():
            yield look.label(f"{domain.name}~{value}") if domain is not None and value in domain.members else value
        case {"piece": piece}:
            yield from said(piece, variable, look)
        case Mapping():
            for name, number in value.items():
                if name in ("count", "shown") or not number:
                    continue
                yield from said(int(name) if str(name).lstrip("-").isdigit() else name, variable, look)
                if isinstance(number, int) and not isinstance(number, bool) and number > 1:
                    yield str(number)
            yield from (f"{number}" for key, number in value.items() if key == "count" and number)
        case list() | tuple():
            if len(value) <= 8:  # of more, a stack shows the top
                for one in value:
                    yield from said(one, variable, look)


def told(root: Node) -> dict[str, str]:
    """All alternative texts at an address, and below it."""
    found: dict[str, str] = {}

    def visit(node: Node, around: tuple[str, ...], name: str = "") -> None:
        here = (*around, node.address) if node.address else around
        found[node.address] = f"{found.get(node.address, '')} | {name}"
        for address in here:
            found[address] = f"{found.get(address, '')} | {node.label} {node.alt}"
            place = address.partition("#")[0].partition("@")[0]
            for coarse in {place, place.rpartition(":")[0] if "]" in place or "[" not in place else place} - {
                address,
                "",
            }:
                found[coarse] = f"{found.get(coarse, '')} | {node.label} {node.alt}"
        for child in node.children:
            visit(child, here, f"{node.label} {node.address} {node.alt.partition(':')[0]}")

    visit(root, ())
    return found


def is_shown(variable: Variable, look: Look, facts: Facts) -> bool:
    if look.says(variable.name, "hidden") or variable.name == facts.program.score:
        return False
    return not any(look.says(owner.domain.name, "hidden") for owner in variable.owners)


def missing(state: State, seat: int | None, lang: str | None, picture: Node) -> list[str]:
    """What a view holds, and the seat's picture does not tell."""
    program = state.game.program
    look, facts = look_for(program, lang), facts_of(program)
    view, there = state.view(seat), told(picture)
    wrong = []
    for variable in facts.shown:
        if variable.name not in view["state"] or not is_shown(variable, look, facts):
            continue
        for owners, value in cells(view["state"][variable.name], variable.owners):
            if means_nothing(facts, variable, owners, value, view["state"]):
                continue
            places = [nodes.place(variable.name, owners)]
            places += [nodes.member(o.domain.name, m) for o, m in zip(variable.owners, owners, strict=True)]
            words = " ".join(there.get(place, "") for place in places).casefold()
            lost = [word for word in said(value, variable, look) if word.casefold() not in words]
            if lost:
                wrong.append(f"{places[0]} is {value}: {lost} is not in {words[:300]!r}")
    return wrong


def unsaid(state: State, lang: str | None, picture: Node) -> list[str]:
    """Columns that rules look at, and of which nothing is said where a member with them is drawn."""
    program = state.game.program
    look, facts = look_for(program, lang), facts_of(program)
    wrong = []
    for node in picture.walk():
        name = node.address.rpartition(":")[2].rpartition("~")[2]
        for domain in program.domains.values() if node.kind in ("card", "field", "route") else ():
            own = node.kind == "card" or node.address == nodes.member(domain.name, name)
            if name not in domain.members or not own or (node.kind == "card" and not facts.is_card(domain)):
                continue
            for column, type_ in facts.columns(domain):
                key, kind = f"{domain.name}.{column}", domain_of(type_)
                value = facts.cell(domain, column, domain.members.index(name))
                if look.says(key, "hidden") or value is None or value is False or column in facts.bands(domain):
                    continue
                words = [value or ""] if isinstance(type_, NumberType) else [look.label(key)]
                if kind is not None and isinstance(type_, (MemberType, OptionalType)):
                    hidden = look.says(f"{kind.name}~{kind.members[value]}", "hidden")
                    words = [] if hidden else [look.label(f"{kind.name}~{kind.members[value]}")]
                wrong += [f"{key} of {name}: {word} not in {node.alt!r}" for word in words
                          if isinstance(type_, (NumberType, FlagType, MemberType, OptionalType))
                          and str(word).casefold() not in node.alt.casefold()]  # fmt: skip
    return wrong


def means_nothing(
    facts: Facts, variable: Variable, owners: Sequence[str], value: Any, state: Mapping[str, Any]
) -> bool:
    """Whether a value says nothing where it stands, by what the rules read."""
    if len(owners) != 1 or owners[0] not in variable.owners[0].domain.members:
        return False
    for other in facts.owned(variable.owners[0].domain.name):
        domain = domain_of(other.type)
        if other.kind == "value" and domain is not None and domain.name == PLAYER and other is not variable:
            nobody = state.get(other.name, {}).get(owners[0], "") is None
            if nobody and (facts.is_stale(variable, other) or has_to_be(variable, value)):
                return True
    return False


def nothing_is_lost(state: State, seat: int | None, lang: str | None) -> None:
    picture = scene_of(state, seat, lang).root
    assert not missing(state, seat, lang, picture)
    assert not unsaid(state, lang, picture)


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.name)
def test_every_value_that_a_seat_may_see_is_in_its_picture(path: Path) -> None:
    header = files(path).game
    assert header is not None
    game = interpreter.load(path, players=header.low)
    for lang in (None, "en"):
        for state in positions(game, seed=header.low):
            for seat in (None, *range(header.low)):
                nothing_is_lost(state, seat, lang)


@pytest.mark.parametrize("seed", range(12))
def test_so_it_is_in_games_that_nobody_drew(tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path, str(TESTS / "interpreter" / "parity")])
    from generated import Maker

    with suppress(RuleFault, rulelang.RulesError):
        game = game_of(load_program(tmp_path, Maker(random.Random(seed).randrange).game()), "reference")
        for state in positions(game, seed):
            for seat in (None, *range(game.program.players)):
                nothing_is_lost(state, seat, None)
