"""What variants and settings do to a printed rulebook: statements in doubt, and rules that cannot run."""

from __future__ import annotations

from pathlib import Path

import pytest
from games import GAMES
from pile import write

from rulelang import workspace
from rulelang.diagnostics import Sink
from rulelang.program.analysis.static_values import in_force
from workbench.rulebook.print import make_rulebook
from workbench.rulebook.print.document import StatementPart

EN = """\
# The Pile

## Play

### `play`
1. Take turns.

### `turn`
1. Choose one of two things.

### `take`
1. Take pieces; each is a point.

### `pass`
1. Do nothing.

### `winner`
1. Most points win.
"""


@pytest.fixture
def pile(small_game) -> Path:
    game = small_game({"text/en.md": EN})
    rules = game / "pile.rules"
    text = rules.read_text(encoding="utf-8").replace("p scores n\n", "p scores worth(n)\n")
    text += "\ndefine worth(n: 1..3) = n\n"
    rules.write_text(text, encoding="utf-8")
    return game


def doubts(rulelang, pile: Path, change: str, text: str | None = None) -> dict[str, list[str]]:
    """The statements in doubt, with the variants that make them so."""
    write(pile, "odd.rules", f'variant odd of pile\n  "An odd rule."\n\n{change}\n')
    if text is not None:
        write(pile, "text/odd.en.md", text)
    printed = rulelang("rulebook", pile / "odd.rules", "--lang", "en", "--format", "json", status=0).data
    return {part["id"]: part["doubt"] for part in printed["parts"] if part.get("doubt")}


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ("before rule turn\n  first(Player) scores 1", "turn.1"),
        ("after rule take_them\n  p scores 1", "take.1"),  # no section of its own: that of what runs it
        ("adjust worth(n: 1..3) by 1", "take.1"),
        ("replace define worth(n: 1..3) = 2 * n", "take.1"),
        ("replace winner fewest score[p], then shared", "winner.1"),
        ("change number size to 8", None),  # numbers are in braces
        ("the game has\n  seen: flag\n\nbefore rule turn\n  set seen to yes", None),  # nobody else knows of it
    ],
)
def test_what_is_changed_in_silence(rulelang, pile: Path, change: str, found: str | None) -> None:
    assert doubts(rulelang, pile, change) == ({} if found is None else {found: ["odd"]})


def test_what_the_variant_speaks_of(rulelang, pile: Path) -> None:
    text = "# Odd\n\n## Play\n\n### `take`\n1. Take pieces; each is two points.\n"
    assert doubts(rulelang, pile, "replace define worth(n: 1..3) = 2 * n", text) == {}
    change = "before rule turn\n  do odd.gift\n\nrule odd.gift\n  first(Player) scores 1"
    text = "# Odd\n\n## Play\n\n### `odd.gift`\n1. First of all, the first player scores a point.\n"
    assert doubts(rulelang, pile, change, text) == {}


def test_how_it_is_printed(rulelang, pile: Path) -> None:
    write(pile, "odd.rules", 'variant odd of pile\n  "An odd rule."\n\nadjust worth(n: 1..3) by 1\n')
    for form, sign in (("html", '<span class="doubt">'), ("md", "> ⚠ The variant odd changes this")):
        printed = rulelang("rulebook", pile / "odd.rules", "--lang", "en", "--to", form, status=0).out
        assert sign in printed and "may no longer be true" in printed and "worth" in printed


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
