"""The pairs find what gives something away: each leak here is planted, and found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
import pytest
from pairs import Secrecy
from small_games import corpus, load_program

from interpreter.lowered import code
from interpreter.position import events, views
from interpreter.reference.from_lowered import RUN
from interpreter.reference.machine import Machine, Step

DEN = corpus("den")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return load_program(tmp_path_factory.mktemp("den"), DEN)


def watched(program: Any, games: int = 6) -> str | None:
    """The first difference in a few games, for people to read."""
    secrecy = Secrecy(program)
    for seed in range(games):
        difference = secrecy.watch(seed % program.players, seed, limit=40)
        if difference is not None:
            return str(difference)
    return None


@pytest.mark.usefixtures("traced")
def test_as_it_stands_nothing_is_given_away(program: Any) -> None:
    assert watched(program) is None


# ---------------------------------------------------------------- the leaks

Plant = Callable[[pytest.MonkeyPatch], None]


def told_only_when_changed(patch: pytest.MonkeyPatch) -> None:
    def run(machine: Machine, frame: Any, step: Step) -> None:
        cells, index = step.made.target
        cell, value = index(machine.cells, frame.local), step.made.value(machine.cells, frame.local)
        if machine.cells[cell] != value:
            machine.store(cell, value)
            machine.note(events.stored, step.node, cells, cell, value)

    patch.setitem(RUN, code.SetCell, run)


def watchers_only_when_changed(patch: pytest.MonkeyPatch) -> None:
    def store(self: Machine, cell: int, value: Any) -> None:
        if self.cells[cell] != value:
            self.cells[cell] = value
            self.dirty = True

    patch.setattr(Machine, "store", store)


def how_many_pieces_move(patch: pytest.MonkeyPatch) -> None:
    real = events.moved

    def moved(blueprint: Any, node: Any, *facts: Any) -> Any:
        return real(blueprint, attrs.evolve(node, known=True), *facts)

    patch.setattr(events, "moved", moved)


def secret_choices(patch: pytest.MonkeyPatch) -> None:
    real = events.chosen
    patch.setattr(events, "chosen", lambda b, rule, player, option, hidden: real(b, rule, player, option, False))


def hidden_rolls(patch: pytest.MonkeyPatch) -> None:
    real = events.rolled
    patch.setattr(events, "rolled", lambda b, node, values: real(b, attrs.evolve(node, hidden=False), values))


def hidden_values(patch: pytest.MonkeyPatch) -> None:
    def stored(blueprint: Any, node: Any, cells: Any, cell: int, value: Any, before: Any = None) -> Any:
        place = cells.text(cells.owners(cell))
        return (events.Event("set", node.rule, f"{place} is {value}", {"place": place}),)

    patch.setattr(events, "stored", stored)


def points_in_views(patch: pytest.MonkeyPatch) -> None:
    real = views.view

    def view(position: Any, decision: Any, seat: int) -> Any:
        shown = real(position, decision, seat)
        return {**shown, "scores": list(position.scores())}

    patch.setattr(views, "view", view)


def decisions_of_others_meanwhile(patch: pytest.MonkeyPatch) -> None:
    real = views.view

    def view(position: Any, decision: Any, seat: int) -> Any:
        shown = real(position, decision, seat)
        return {**shown, "decision": None if decision is None else {**shown["decision"], "rule": decision.rule}}

    patch.setattr(views, "view", view)


def faults(patch: pytest.MonkeyPatch) -> None:
    real = RUN[code.ScorePoints]

    def run(machine: Machine, frame: Any, step: Step) -> None:
        if step.made.amount(machine.cells, frame.local) % 3 == 2:
            raise step.fault("it will not do")
        real(machine, frame, step)

    patch.setitem(RUN, code.ScorePoints, run)


LEAKS: dict[Plant, str] = {
    told_only_when_changed: "the log",
    watchers_only_when_changed: "the log",
    how_many_pieces_move: "the log",
    secret_choices: "the log",
    hidden_rolls: "the log",
    hidden_values: "the log",
    points_in_views: "the view",
    decisions_of_others_meanwhile: "the view while another decides unseen",
    faults: "whether the rules can go on",
}


@pytest.mark.usefixtures("traced")
@pytest.mark.parametrize("plant", LEAKS, ids=lambda plant: plant.__name__)
def test_a_planted_leak_is_found(program: Any, plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    found = watched(program, games=12)
    assert found is not None
    assert f"the two worlds differ in {LEAKS[plant]}" in found
