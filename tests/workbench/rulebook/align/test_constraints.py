"""Pins: what people decided stays, what the aligner proposed is written anew."""

from __future__ import annotations

import pytest

from workbench.rulebook.align import Text, align
from workbench.rulebook.align.constraints import HEAD, PinError, constraints, parse_pins, updated

DECIDED = """\
# Mine.

# The market, I am sure.
[[pin]]
left = "tulpia-en 16"
right = "tulpia-nl 7"
verdict = "same"

[[pin]]
right = "tulpia-en 4"   # the other way round
left = "tulpia-nl 23"
verdict = "different"
note = "a tie is no aim"

[[pin]]
left = "elsewhere 1"
right = "tulpia-nl 1"
verdict = "same"
"""


def test_pins_are_read_for_these_two_documents(english: Text, dutch: Text) -> None:
    decided = constraints(parse_pins(DECIDED, "pins.toml"), english, dutch)
    assert {(english.pieces[p].lines, dutch.pieces[q].lines) for p, q in decided.same} == {("16", "7")}
    assert {(english.pieces[p].lines, dutch.pieces[q].lines) for p, q in decided.different} == {("4-5", "23")}
    assert decided.lost == ()


def test_decided_pins_stay_letter_by_letter(english: Text, dutch: Text) -> None:
    decided = constraints(parse_pins(DECIDED, "pins.toml"), english, dutch)
    alignment = align(english, dutch, same=decided.same, different=decided.different)
    text = updated(DECIDED, alignment)
    assert text.startswith(DECIDED)
    assert 'verdict = "proposed"' in text
    assert updated(text, alignment) == text
    parse_pins(text, "pins.toml")


def test_a_new_file_says_what_it_is(english: Text, dutch: Text) -> None:
    text = updated("", align(english, dutch))
    assert text.startswith(HEAD)
    assert constraints(parse_pins(text, "pins.toml"), english, dutch).same == frozenset()


def test_pins_whose_lines_are_gone_are_told(english: Text, dutch: Text) -> None:
    text = '[[pin]]\nleft = "tulpia-en 4"\nright = "tulpia-nl 400-410"\nverdict = "same"\n'
    decided = constraints(parse_pins(text, "pins.toml"), english, dutch)
    assert [str(pin.right) for pin in decided.lost] == ["tulpia-nl 400-410"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[pin]\n", "this is not TOML"),
        ('pin = [{left = "a 1", right = "b 2", verdict = "same"}]', "below a line [[pin]]"),
        ("pin = 3", "below a line [[pin]]"),
        ("word = 3", "has no `word`"),
        ('[[pin]]\nleft = "a 1"\nright = "b 2"\nverdict = "yes"', "p.toml:1: `verdict` must be one of same"),
        ('[[pin]]\nleft = "a"\nright = "b 2"\nverdict = "same"', "name a document and its lines"),
        ('[[pin]]\nleft = "a 9-3"\nright = "b 2"\nverdict = "same"', "name a document and its lines"),
        ('[[pin]]\nleft = "a 1"\nright = "b 2"\nverdict = "same"\nwhy = 1', "has no `why`"),
        (
            '[[pin]]\nleft = "a 1"\nright = "b 2"\nverdict = "same"\n[[pin]]\nleft = "a 1"\nright = "b 2"\n'
            'verdict = "different"',
            "p.toml:5: line 1 says the opposite",
        ),
    ],
)
def test_mistakes_are_told_with_their_place(text: str, message: str) -> None:
    with pytest.raises(PinError) as told:
        parse_pins(text, "p.toml")
    assert message in str(told.value)


def test_pins_that_overlap_must_not_contradict_each_other(english: Text, dutch: Text) -> None:
    text = (
        '[[pin]]\nleft = "tulpia-en 16-17"\nright = "tulpia-nl 7"\nverdict = "same"\n'
        '[[pin]]\nleft = "tulpia-en 16"\nright = "tulpia-nl 7"\nverdict = "different"\n'
    )
    with pytest.raises(PinError, match="as the same and as different"):
        constraints(parse_pins(text, "p.toml"), english, dutch)
