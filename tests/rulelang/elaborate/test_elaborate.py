"""Elaboration: bounds, exchanges, teams, ways, and what is known before the game starts."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_games import changed, corpus, load_program, mistakes, write_game

import interpreter
import rulelang
from rulelang.diagnostics import RulesError, Sink
from rulelang.program.analysis.sizes import arithmetic_type
from rulelang.types import NumberType, describe
from rulelang.workspace import Workspace

# The bounds of arithmetic hold for every pair of operands.


OPERATIONS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "mod": lambda a, b: a % b,
    "div_down": lambda a, b: a // b,
    "div_up": lambda a, b: -(-a // b),
    "min": min,
    "max": max,
}


def ranges() -> st.SearchStrategy[NumberType]:
    ends = st.integers(-12, 12)
    return st.tuples(ends, ends).map(lambda pair: NumberType(min(pair), max(pair)))


@pytest.mark.parametrize("op", OPERATIONS)
@given(st.data(), ranges(), ranges())
def test_results_lie_within_their_bounds(op: str, data: st.DataObject, a: NumberType, b: NumberType) -> None:
    divides = op in ("mod", "div_down", "div_up")
    divisors = [n for n in range(b.low, b.high + 1) if n or not divides]
    if not divisors:
        return
    x = data.draw(st.integers(a.low, a.high))
    y = data.draw(st.sampled_from(divisors))
    bounds = arithmetic_type(op, [a, b])
    assert bounds.low <= OPERATIONS[op](x, y) <= bounds.high


# Exchanges and discounts in the text: what each means, and what is said when it means nothing.


EXCHANGES = """\
game stall
  players 2

enum Gem: ruby, opal, pearl, gold

the game has
  bank: pool of Gem
  pile: stack of Gem

each Player has
  gems: pool of Gem = {ruby: 1, opal: 1, gold: 2}<exchange>
  score: 0..9

winner most score[p], then shared

rule play
  take turns p from first(Player) until score[p] > 0
    p scores 1
    if gems[p] covers <price>
      p pays <price> from gems[p] to bank
"""


def stall(folder: Path, exchange: str = "", price: str = "{pearl: 1}") -> Path:
    file = folder / "stall.rules"
    file.write_text(EXCHANGES.replace("<exchange>", exchange).replace("<price>", price), encoding="utf-8")
    return file


def ways(folder: Path, exchange: str, price: str) -> list[str]:
    """The payments offered, on both engines."""
    path = stall(folder, exchange, price)
    both = []
    for engine in ("reference", "wasm"):
        decision = interpreter.load(path, engine=engine).start(seed=1).decision
        both.append([] if decision is None else [option.text for option in decision.options])
    assert both[0] == both[1]
    return both[0]


@pytest.mark.parametrize(
    ("exchange", "price", "expected"),
    [
        ("", "{pearl: 1}", []),
        (", 1 of gold for 1", "{pearl: 1, ruby: 1}", ["pay 1 ruby, 1 gold", "pay 2 gold"]),
        (", 2 of [ruby, opal] for 1 of pearl", "{pearl: 1}", ["pay 1 ruby, 1 opal"]),
        (", 2 of [ruby, opal] for 1 of pearl", "{opal: 2}", []),
        (", 2 of any for 1 of [pearl, opal]", "{ruby: 2}", []),
        (", 1 of gold for 1 of pearl, 2 of gold for 1 of ruby", "{pearl: 1}", ["pay 1 gold"]),
        ("", "all but 1 of {ruby: 1, opal: 1}", ["pay 1 opal", "pay 1 ruby"]),
        ("", "all but 5 of {pearl: 3}", []),
        ("", "all but 0 of {ruby: 1}", ["pay 1 ruby"]),
        (", 1 of gold for 1", "all but 1 of {pearl: 2}", ["pay 1 gold"]),
    ],
)
def test_what_can_be_paid(exchange: str, price: str, expected: list[str], tmp_path: Path) -> None:
    assert ways(tmp_path, exchange, price) == expected


@pytest.mark.parametrize(
    ("exchange", "message"),
    [
        (", 2 of any for 3", "An exchange replaces 1 piece that is due, not 3."),
        (", 2 of gold for 1 of gold", "A piece cannot stand for another of the same kind."),
        (", 2 of golden for 1", "There is no Gem called `golden`."),
        (", 2 of [] for 1", "An exchange needs a kind of pieces."),
        (", 0 of gold for 1", "0 is out of bounds; a number from 1 to 100 is needed here."),
    ],
)
def test_exchanges_that_mean_nothing(exchange: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(RulesError) as error:
        rulelang.load(stall(tmp_path, exchange))
    (found,) = [d for d in error.value.diagnostics if d.severity == "error"]
    assert found.message == message and found.help


def test_only_pools_have_exchanges(tmp_path: Path) -> None:
    path = stall(tmp_path)
    path.write_text(path.read_text().replace("pile: stack of Gem", "pile: stack of Gem, 1 of gold for 1"))
    with pytest.raises(RulesError, match="Only a pool can have an exchange, but `pile` is a stack"):
        rulelang.load(path)


def test_a_discount_that_was_not_checked(tmp_path: Path) -> None:
    path = stall(tmp_path)
    text = path.read_text().replace("p pays {pearl: 1}", "p pays all but 1 of {pearl: 1}")
    path.write_text(text)
    with pytest.raises(RulesError, match="may not hold enough for this payment"):
        rulelang.load(path)


# Numbers are worked out before the game starts from all that does not depend on how it goes.


KNOWN = """\
game jar
  players 2..4

enum Fruit, ring: apple, plum, fig

table Basket
  price: 1..9
  rows
    small: 2
    large: 5

number size
{cases}

the game has
  level: 0..99
  pile: stack of Fruit = [apple]

rule play
  surely first(Player) chooses n in 1..size
  set level to size
"""


@pytest.mark.parametrize(
    ("cases", "value"),
    [
        ("  when players is in 2..3: 5\n  otherwise: 7", 5),
        ("  when players is in 3..4: 5\n  otherwise: 7", 7),
        ("  when players is not in [2, 4]: 5\n  otherwise: 7", 7),
        ("  otherwise: index(fig) + 1", 3),
        ("  otherwise: large.price", 5),
        ("  otherwise: distance(plum, apple) + count(Basket)", 4),
        ("  otherwise: max(small.price, index(prev(apple)))", 2),
    ],
)
def test_it_is_known(cases: str, value: int, tmp_path: Path) -> None:
    program = load_program(tmp_path, KNOWN.format(cases=cases))
    (choice,) = [s for s in program.rules["play"].body if type(s).__name__ == "Choose"]
    assert choice.binds.binds[0].domain.type.item.high == value  # type: ignore[attr-defined]


@pytest.mark.parametrize("value", ["count(pile)", "level + 1", "index(top(pile) otherwise fig) + 1"])
def test_what_depends_on_the_game_is_not(value: str, tmp_path: Path) -> None:
    assert "R0409" in {code for code, _ in mistakes(tmp_path, KNOWN.format(cases=f"  otherwise: {value}"))}


def test_whether_a_number_lies_in_a_range_can_be_asked_of_any(tmp_path: Path) -> None:
    body = "  if 12 is in 1..3 or level is in 50..60\n    set level to 1\n"
    assert not mistakes(tmp_path, KNOWN.format(cases="  otherwise: 3") + body)
    wrong = "  if apple is in 1..3\n    set level to 1\n"
    assert [code for code, _ in mistakes(tmp_path / "b", KNOWN.format(cases="  otherwise: 3") + wrong)] == ["R0402"]


# What can be wrong with teams, with who is out and with who wins; and what a workspace remembers of them.


SIDES = corpus("small")

MISTAKES = {
    "an unknown seat": ("along: east, west", "along: east, wets", "R0401", "There is no seat called `wets`."),
    "a seat that is not there": ("along: east, west", "along: 2, 5", "R0404", "There is no seat 5."),
    "two teams": ("along: east, west", "along: east, west, south", "R0303", "`south` is in two teams."),
    "twice": ("along: east, west", "along: east, west, east", "R0303", "`east` is named twice."),
    "no team": ("along: east, west", "along: east", "R0307", "With 4 players, no team has `west`."),
    "the same name": ("team along: east, west", "team along: east\n  team along: west", "R0303",
                      "There are two teams called `along`."),
    "an enum": ("enum Colour: red", "enum Team: red", "R0303", "`Team` is declared twice."),
    "a word": ("team along:", "team nobody:", "R0205", "`nobody` is a word of the language."),
    "no condition": ("life[p] is 0", "life[p]", "R0402",
                     "This is a number from 0 to 3, but yes or no is needed here."),
    "out twice": ("out when", "out when score[p] is 9\nout when", "R0303", "`out when` is declared twice."),
    "no player": ("  north wins", "  red wins", "R0402", "This is Colour, but Player is needed here."),
    "no players": ("  north wins", "  set(c in Colour) wins", "R0402",
                   "This is a set of Colour, but only players win."),
    "not a team's": ("p scores n", "p.team scores n", "R0402", "This is Team, but Player is needed here."),
    "unseen": ("life: 0..3 = 3", "life: 0..3 = 3, seen by owner", "R0512",
               "Everybody sees who has a turn, and would learn something about `out`, worked out from `life` on line "
               "14, which only its owner can see."),
}  # fmt: skip


def test_the_game_is_sound(tmp_path: Path) -> None:
    assert mistakes(tmp_path, SIDES) == []


@pytest.mark.parametrize(("old", "new", "code", "message"), MISTAKES.values(), ids=MISTAKES)
def test_mistakes_are_found(old: str, new: str, code: str, message: str, tmp_path: Path) -> None:
    assert (code, message) in mistakes(tmp_path, changed(SIDES, old, new))


def test_each_mistake_is_told_once(tmp_path: Path) -> None:
    wrong = changed(SIDES, "along: east, west", "along: east")
    assert len(mistakes(tmp_path, wrong)) == 1


def test_a_team_that_is_only_there_for_some_numbers_of_players(tmp_path: Path) -> None:
    split = changed(
        SIDES, "along: east, west", "along: east, west when players is not 3\n  team rest: 2 when players is 3"
    )
    assert mistakes(tmp_path, split) == []


def test_teams_may_keep_the_score(tmp_path: Path) -> None:
    theirs = changed(SIDES, "  score: 0..99\n", "").replace("score[p]", "score[p.team]")
    theirs = changed(theirs, "each Player has", "each Team has\n  score: 0..99\n\neach Player has")
    theirs = changed(theirs, "    p scores n\n", "    p scores n\n    p.team loses min(1, score[p.team])\n")
    assert mistakes(tmp_path, theirs) == []


def test_a_workspace_notices_what_changes(tmp_path: Path) -> None:
    folder = write_game(tmp_path / "game", SIDES)
    (file,) = folder.glob("*.rules")
    workspace = Workspace()
    texts = [
        SIDES,
        changed(SIDES, "out when life[p] is 0\n", ""),
        SIDES,
        changed(SIDES, "out when life", "define out(p: Player) = life"),
        changed(SIDES, "team across: north, south\n  team along: east, west", "team all: 1, 2, 3, 4"),
        changed(SIDES, "  team across: north, south\n  team along: east, west\n", ""),
        changed(SIDES, "out when life[p] is 0", "out when life[p] is 1"),
    ]
    for text in texts:
        file.write_text(text)
        programs = []
        for each in (workspace, Workspace()):
            sink = Sink()
            files, names = each.open(folder, (), sink)
            linked = each.linked(files, names, sink)
            assert linked is not None
            programs.append(each.elaborated(files, linked, 4, sink, {}).program)
            assert not sink.has_errors
        assert programs[0] == programs[1]


# Ways looked at again and again: mistakes of what they use are told each time, and once.


WAYS = """game inc
  players 2

grid Cell: 4 by 4

ways walks(a: Cell), at most 9 deep
  from (a, none)
  step w to (b, a) for (here, o) in last(w), b in step(here, north) where good(b)

define good(c: Cell) = c.row < 3 and other(c)
define other(c: Cell) = c.wrong is 3

rule play
  roll p in Player
  surely p chooses w in walks(a1)
  p wins
"""


def found(folder: Path, text: str) -> list[tuple[str, int]]:
    (folder / "inc.rules").write_text(text, encoding="utf-8")
    return [(d.code, d.span.line) for d in rulelang.check_path(folder).diagnostics]


def test_mistakes_are_told_each_time(tmp_path: Path) -> None:
    wrong = [("R0408", 11)]
    assert found(tmp_path, WAYS) == wrong
    assert found(tmp_path, WAYS) == wrong
    assert found(tmp_path, WAYS.replace("good(b)", "good(b) and count(w) < 4")) == wrong
    right = WAYS.replace("c.wrong is 3", "c.row > 0")
    assert found(tmp_path, right) == []
    assert found(tmp_path, right.replace("good(b)", "god(b)")) == [("R0401", 8)]
    assert found(tmp_path, right.replace("(b, a)", "b")) == [("R0402", 8)]
    assert found(tmp_path, right) == []


def test_what_ways_lead_past_is_found_from_the_steps(tmp_path: Path) -> None:
    text = WAYS.replace("where good(b)", "").replace("c.wrong is 3", "c.row > 0")
    (tmp_path / "inc.rules").write_text(text, encoding="utf-8")
    type_ = rulelang.load(tmp_path).definitions["walks"].type
    assert describe(type_) == "a list of a list of (Cell, Cell or none)"


def test_numbers_that_grow_have_no_bounds(tmp_path: Path) -> None:
    text = WAYS.replace("from (a, none)", "from 1").replace("c.wrong is 3", "c.row > 0")
    text = text.replace("(b, a) for (here, o) in last(w), b in step(here, north) where good(b)", "last(w) * 2")
    (tmp_path / "inc.rules").write_text(text, encoding="utf-8")
    type_ = rulelang.load(tmp_path).definitions["walks"].type
    assert describe(type_) == "a list of a list of a number"
