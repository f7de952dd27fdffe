"""What a rulebook says of readings and of rules that cannot run under the settings in force."""

from __future__ import annotations

from games import GAMES

from rulelang import workspace
from rulelang.diagnostics import Sink
from rulelang.program.analysis.in_force import in_force
from workbench.rulebook.print import make_rulebook
from workbench.rulebook.print.document import StatementPart

MEDURIS = next(game for game in GAMES if game.name == "meduris")


def statements(**settings: str) -> dict[str, StatementPart]:
    files, _ = workspace.default().open(MEDURIS, [], _sink())
    made = make_rulebook(files, "en", settings=settings)
    return {part.id: part for part in made.parts if isinstance(part, StatementPart)}


def _sink() -> Sink:
    return Sink()


def test_rules_behind_a_reading_that_is_not_chosen_stand_apart() -> None:
    printed = statements()
    asides = {id_.rpartition(".")[0] for id_, part in printed.items() if part.aside}
    assert {"yield.accept", "yield.decline", "chip.score", "chip.pay", "bonus.two_late"} <= asides
    assert not asides & {"yield.plain", "build.hut", "walk"}
    assert all(part.text.startswith("Variant: ") for part in printed.values() if part.aside)


def test_what_is_chosen_is_printed_as_the_rule() -> None:
    printed = statements(plain_may_be_refused="yes")
    assert printed["plain_may_be_refused.2"].text.startswith("Each player decides")
    assert printed["plain_may_be_refused.1"].aside
    assert printed["plain_may_be_refused.1"].text.startswith("Variant: ")
    assert not printed["yield.accept.1"].aside


def test_conditions_that_never_hold() -> None:
    files, _ = workspace.default().open(MEDURIS, [], _sink())
    for settings, runs in (({}, False), ({"chips_are_used": "by_choice"}, True)):
        programs = workspace.default().programs(files, (), settings)
        assert all(("chip.score" in in_force(program)) is runs for program in programs)
        assert all("build.hut" in in_force(program) for program in programs)
