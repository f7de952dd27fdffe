"""Choosing by value: what says the same thing is the same choice; what is not offered is refused with reasons."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from paths import RULES
from small_games import corpus

import interpreter
from interpreter.data import Option
from interpreter.errors import IllegalChoice
from interpreter.game import State
from tests.tools.parity.setups import Setup, games_below, setups

DECISIONS = 80

GAME = corpus("fair_of_choices")


@pytest.fixture(scope="module", params=interpreter.ENGINES)
def game(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("fair")
    (folder / "fair.rules").write_text(GAME)
    return interpreter.load(folder, engine=request.param)


def asked(game: Any, rule: str = "turn") -> State:
    state: State = game.blank(1)
    state.run(rule, ["ann"])
    return state


def same(state: State, choice: Any, index: int) -> bool:
    """Whether a choice is the option of this index."""
    one, other = state.copy(), state.copy()
    one.choose(choice)
    other.choose(index)
    return one.key() == other.key()


# ---------------------------------------------------------------- every shape


@pytest.mark.parametrize(
    ("choice", "text"),
    [
        ({"option": "build", "with": {"g": "wood", "n": 2}}, "build wood, 2"),
        ({"option": "build", "with": {"n": 2, "g": "wood"}}, "build wood, 2"),
        ({"option": "build", "with": ["wood", 2]}, "build wood, 2"),
        ({"option": "build", "with": ("wool", 1)}, "build wool, 1"),
        ({"option": "pass", "with": {}}, "pass"),
        ({"option": "pass", "with": []}, "pass"),
        ({"option": "pass"}, "pass"),
        ("pass", "pass"),
    ],
)
def test_options_of_a_menu(game: Any, choice: Any, text: str) -> None:
    state = asked(game)
    assert same(state, choice, [o.text for o in state.decision.options].index(text))  # type: ignore[union-attr]


def test_values_of_a_plain_choice(game: Any) -> None:
    state = asked(game, "wish")
    for choice in ({"g": "wool"}, ["wool"], ("wool",), "wool", state.decision.options[1]):  # type: ignore[union-attr]
        assert same(state, choice, 1), choice
    assert same(state, None, 3)
    spot = asked(game, "spot")
    assert [o.value for o in spot.decision.options] == [  # type: ignore[union-attr]
        {"s": s, "g": g} for s in ([1, 2], [2, 1]) for g in ("wood", "wool")
    ]
    for spot_choice in ({"s": (2, 1), "g": "wood"}, [[2, 1], "wood"], ((2, 1), "wood")):
        assert same(spot, spot_choice, 2), spot_choice


def test_payments(game: Any) -> None:
    state = asked(game)
    state.choose("trade")
    values = [o.value for o in state.decision.options]  # type: ignore[union-attr]
    assert values == [{"pays": {"wood": 1, "wool": 1}}, {"pays": {"wood": 2}}]
    for choice in ({"pays": {"wood": 2}}, {"pays": {"wood": 2, "wool": 0}}):
        assert same(state, choice, 1), choice


def test_an_integer_is_an_index_whatever_its_type(game: Any) -> None:
    class Whole:
        def __index__(self) -> int:
            return 1

    state = asked(game, "bidding")
    assert same(state, Whole(), 1)
    assert same(state, {"price": 1}, 0)
    assert same(state, [1], 0)
    state.choose(1)
    assert state.get("bid[ann]") == 2


def test_yes_and_no_are_values_and_never_an_index(game: Any) -> None:
    state = asked(game, "yes_or_no")
    assert same(state, True, 0) and same(state, False, 1)
    assert same(state, {"f": False}, 1)
    with pytest.raises(IllegalChoice, match="`g` cannot be read: True"):
        asked(game, "wish").choose(True)
    with pytest.raises(IllegalChoice, match="True does not say which option"):
        asked(game).choose(True)


def test_an_option_of_another_state_is_known_by_its_value(game: Any) -> None:
    option = Option("any text", {"option": "build", "with": {"g": "wool", "n": 1}})
    state = asked(game)
    assert same(state, option, [o.text for o in state.decision.options].index("build wool, 1"))  # type: ignore[union-attr]


# ---------------------------------------------------------------- refused


@pytest.mark.parametrize(
    ("rule", "choice", "parts"),
    [
        # why not, with the values, and what is offered instead
        (
            "turn",
            {"option": "build", "with": {"g": "wool", "n": 2}},
            [
                "build wool 2 is not possible",
                "goods[p][g] >= n (goods[p][g] is 1) does not hold",
                "Offered: build wood, 1",
            ],
        ),
        ("turn", "sell", ["`sell` is not an option of this menu", "build, trade, pass", "Offered: "]),
        ("turn", "pas", ["Did you mean `pass`?"]),
        ("turn", {"option": "build"}, ["`build` is not clear without `g`, `n`", "{'g': 'wood', 'n': 1}"]),
        ("turn", "build", ["`build` is not clear without `g`, `n`"]),
        ("turn", {"option": "build", "with": {"g": "wood"}}, ["`build` is not clear without `n`"]),
        ("turn", {"option": "build", "with": ["wood"]}, ["does not say g, n"]),
        ("turn", {"option": "build", "with": {"good": "wood", "n": 1}}, ["`good` is not chosen with `build`"]),
        ("turn", {"option": "build", "with": {"g": "wol", "n": 1}}, ["`g` cannot be read", "Did you mean `wool`?"]),
        ("turn", {"option": "build", "with": {"g": "wood", "n": 7}}, ["`n` cannot be read: 7 is not"]),
        ("turn", {"option": "pass", "with": {"g": "wood"}}, ["`pass` is chosen without any values"]),
        ("turn", None, ["None does not say which option of the menu"]),
        ("turn", 1.5, ["1.5 does not say which option of the menu"]),
        ("turn", {"g": "wood", "n": 1}, ["does not say which option of the menu"]),
        ("turn", 99, ["99 is not one of the", "numbered from 0"]),
        ("turn", -1, ["-1 is not one of the"]),
        ("bidding", None, ["ann must choose"]),
        ("bidding", {"price": True}, ["`price` cannot be read: True"]),
        ("wish", {"h": "wood"}, ["`h` is not chosen with this choice"]),
        ("wish", "gold", ["'gold' is not Good", "Offered: wood; wool; stone; no."]),
        ("spot", [(1, 1), "wood"], ["s is in [(1, 2), (2, 1)]", "does not hold"]),
    ],
)
def test_what_is_not_offered_is_refused_with_reasons(game: Any, rule: str, choice: Any, parts: list[str]) -> None:
    state = asked(game, rule)
    before = state.key()
    with pytest.raises(IllegalChoice) as refused:
        state.choose(choice)
    for part in parts:
        assert part in str(refused.value)
    assert state.key() == before


def test_a_payment_that_covers_nothing_is_refused(game: Any) -> None:
    state = asked(game)
    state.choose("trade")
    for choice, part in (
        ({"pays": {"wood": 1}}, "1 wood is not possible"),
        ({"pays": {"gold": 1}}, "this payment cannot be read"),
        ({"wood": 2}, "does not say what to pay; write for example {'pays': {'wood': 1}}"),
    ):
        with pytest.raises(IllegalChoice) as refused:
            state.choose(choice)
        assert part in str(refused.value)


def test_nothing_can_be_chosen_where_nothing_is_asked(game: Any) -> None:
    with pytest.raises(IllegalChoice, match="there is nothing to choose: nothing is being asked"):
        game.blank().choose("pass")


def test_long_lists_are_not_printed() -> None:
    state = interpreter.load(RULES / "meduris", players=3).start(7)
    while state.decision is not None and len(state.decision.options) < 40:
        state.choose(0)
    with pytest.raises(IllegalChoice) as refused:
        state.choose("nonsense")
    assert len(str(refused.value)) < 400
    assert "see `decision.options`" in str(refused.value)


def test_reasons_are_given_for_any_option_by_value(game: Any) -> None:
    state = asked(game)
    assert state.why("pass").allowed
    assert state.why({"option": "build", "with": ["wood", 1]}).rule == "build"
    with pytest.raises(IllegalChoice):
        state.why("build")


# ---------------------------------------------------------------- every game

SETUPS = {folder: list(setups(folder)) for folder in games_below(RULES)}
BETWEEN = [s for each in SETUPS.values() for s in each[1:]]
PLAYED = [
    *(("reference", each[0]) for each in SETUPS.values()),
    *(("wasm", each[-1]) for each in SETUPS.values()),
    *(pytest.param("reference", s, marks=pytest.mark.slow) for s in BETWEEN),
]


@pytest.mark.parametrize(("engine", "setup"), PLAYED, ids=str)
def test_the_value_of_every_option_chooses_it(engine: str, setup: Setup) -> None:
    """For every decision of a random game; saying the value more briefly, as JSON, or as the Option is the same."""
    chance = random.Random(str(setup))
    state: Any = interpreter.game_of(setup.load(), engine).start(chance.randrange(2**32))
    for _ in range(DECISIONS):
        decision = state.decision
        if decision is None:
            break
        for index, option in enumerate(decision.options):
            assert state._index(option.value) == index
            assert state._index(option) == index
            for other in brief(option):
                assert state._index(other) == index
        index = chance.randrange(len(decision.options))
        value = json.loads(json.dumps(decision.options[index].value))
        assert same(state, value, index)
        state.choose(value)


def brief(option: Option) -> Iterator[Any]:
    """Other ways to write the value of an option."""
    value = option.value
    if value is None or "pays" in value:
        return
    if option.id is None:
        yield in_order(value)
        if len(value) == 1:
            (single,) = value.values()
            if not isinstance(single, (int, list, dict)):
                yield single
        return
    yield {"option": option.id, "with": in_order(value["with"])}
    if not value["with"]:
        yield option.id


def in_order(values: dict[str, Any]) -> list[Any]:
    """The values without their names; records (all numbers here) too, but not pieces."""
    return [list(v.values()) if isinstance(v, dict) and {"x", "y"} <= set(v) else v for v in values.values()]
