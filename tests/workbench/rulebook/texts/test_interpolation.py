"""What braces print in the sentences of a rulebook: which values, for how many players, and in which plural form."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang import Program, load
from rulelang.diagnostics import Sink
from rulelang.source import Span
from workbench.rulebook.corpus import fingerprint
from workbench.rulebook.crosscheck.review import review
from workbench.rulebook.languages.locale import usual_categories
from workbench.rulebook.texts import fill
from workbench.rulebook.texts.interpolation import bindings, spoken

HEAP = """variant heap of pile
  "Pieces lie on a heap."

table Heap
  worth: 0..9
  rows when players is 2
    a: 1
  rows when players is 3
    a: 1
    b: 2
"""


@pytest.fixture
def programs(small_game) -> list[Program]:
    game = small_game({"heap.rules": HEAP})
    return [load(game, players, variants=["heap"]) for players in (2, 3)]


@pytest.mark.parametrize(
    "text, players, filled",
    [
        ("{size} pieces", None, "7 pieces"),
        ("{share@2} or {share@3}", None, "3 or 2"),
        ("{share}", 2, "3"),
        ("{count(Colour)} colours", None, "3 colours"),
        ("{count(Heap)@2} or {count(Heap)@3}", None, "1 or 2"),
        ("{count(Heap)}", 3, "2"),
    ],
)
def test_values(programs: list[Program], text: str, players: int | None, filled: str) -> None:
    sink = Sink()
    assert fill(text, "en", programs, Span("en.md", 1, 1, 1, 9), sink, players) == filled
    assert list(sink) == []


@pytest.mark.parametrize(
    "text, code, message, help",
    [
        ("{sice}", "R0703", "There is no number `sice`.", "Did you mean `size`?"),
        ("{count(Colours)}", "R0703", "There is no enum or table `Colours`.", "Did you mean `Colour`?"),
        ("{share}", "R0704", "`share` depends on the number of players.", "Write {share@2} for 2 players."),
        (
            "{count(Heap)}",
            "R0704",
            "`Heap` depends on the number of players.",
            "Write {count(Heap)@2} for 2 players.",
        ),
        ("{count(Heap)@4}", "R0703", "The game is not for 4 players.", "Correct the number after `@`."),
    ],
)
def test_no_value(programs: list[Program], text: str, code: str, message: str, help: str | None) -> None:
    sink = Sink()
    fill(text, "en", programs, Span("en.md", 1, 1, 1, 9), sink)
    ((found),) = sink
    assert (found.code, found.message, found.help) == (code, message, help)


NUMBERS = """part of pile

number lives = 1
number nil = 0
number traps
  when mood is mild: 1
  otherwise: 4

option mood: mild, wild
  default wild
"""

FEW = 'variant few of pile\n  "Fewer pieces."\n\nchange number size to 1\n'


@pytest.fixture
def game(small_game):
    """Writes the game with one statement about ``size``, in English and Dutch."""

    def make(text: str, nl: str = "De stapel heeft {size} stukken.", files: dict[str, str] | None = None) -> Path:
        texts = {"text/en.md": f"# P\n\n### `size`\n1. {text}\n", "text/nl.md": f"# P\n\n### `size`\n1. {nl}\n"}
        return small_game({**texts, **(files or {})})

    return make


@pytest.mark.parametrize(
    "language, value, printed",
    [
        ("en", "lives", "There is 1 life left."),
        ("en", "size", "There are 7 lives left."),
        ("fr", "nil", "Il reste 0 vie."),
        ("nl", "nil", "Er zijn 0 levens."),
        ("pl", "share@2", "3 karty"),
        ("pl", "size", "7 kart"),
        ("xx", "lives", "1 xs"),
    ],
)
def test_the_value_chooses_the_form(small_game, language: str, value: str, printed: str) -> None:
    (game := small_game({})).joinpath("more.rules").write_text(NUMBERS)
    programs = [load(game, players) for players in (2, 3)]
    texts = {
        "en": "There {V: one is # life; other are # lives} left.",
        "fr": "Il reste {V: one # vie; other # vies}.",
        "nl": "Er {V: one is # leven; other zijn # levens}.",
        "pl": "{V: one # karta; few # karty; many # kart; other # karty}",
        "xx": "{V: other # xs}",
    }
    sink = Sink()
    text = texts[language].replace("V", value)
    assert fill(text, language, programs, Span("t.md", 1, 1, 1, 9), sink) == printed
    assert not list(sink)


@pytest.mark.parametrize(
    "text, told",
    [
        ("It has {size: one # piece; other # pieces}.", None),
        ("It has {size: other # pieces}.", None),
        ("It has {lives: other # lives}.", "leave out `one` of en, and the value can be 1."),
        ("It has {traps: other # traps}.", "leave out `one` of en, and the value can be 1."),
        ("It has {share@2: one # piece}.", "leave out `other` of en, and the value can be 3."),
        ("It has {size: sing # piece; other # pieces}.", "There is no plural category `sing`."),
        ("It has {size: few # piece; other # pieces}.", "The plural category `few` does not exist in en."),
        ("It has {size: one # piece; one # pieces; other #}.", "The plural category `one` appears twice."),
        ("It has {size: one; other # pieces}.", "`one` is not a plural form of `{size}`."),
        ("It has {size:}.", "There is no plural form of `{size}`."),
        ("It has {sice: one # piece; other # pieces}.", "There is no number `sice`."),
    ],
)
def test_forms_are_checked(rulelang, game, text: str, told: str | None) -> None:
    folder = game(text, files={"more.rules": NUMBERS})
    ran = rulelang("check", folder)
    found = ran.out + ran.err
    assert ("R0706" in found or "R0703" in found) == (told is not None)
    assert told is None or told in found


def test_a_variant_brings_a_value_that_needs_a_form(game) -> None:
    folder = game("It has {size: other # pieces}.", files={"variants/few.rules": FEW})
    assert [d.message for d in review([folder]).findings if d.code == "R0706"] == [
        "The forms of `{size}` leave out `one` of en, and the value can be 1."
    ]


def test_checks_read_one_form_only(game) -> None:
    """The forms of a language are no word twice, no further number, and no other value than a plain one."""
    folder = game("The pile has {size: one # piece; other # pieces}.")
    codes = {d.code for d in review([folder]).findings}
    assert not codes & {"R0910", "R0912", "R0913", "R0922", "R0926"}


def test_a_place_after_a_plural_form_is_right(game) -> None:
    folder = game("The {size: one # piece; other # pieces} are are here.")
    (found,) = [d for d in review([folder]).findings if d.code == "R0922"]
    line = (folder / "text" / "en.md").read_text().splitlines()[found.span.line - 1]
    assert line[found.span.column - 1 : found.span.end_column - 1] == "are are"


def test_what_a_translation_must_keep() -> None:
    assert bindings("{a: one # cat; other # cats} {a: one is; other are}") == bindings("{a} katten")
    assert bindings("{a: one a cat; other # cats}") == bindings("{a}") != bindings("{a: one a cat; other cats}")
    text = "{a@2: one is # cat; other are # cats} {b}"
    assert len(spoken(text)) == len(text)
    assert fingerprint("are {a@2} cats {b}", "en") == fingerprint(text, "en")


def test_many_is_not_usual_in_french() -> None:
    assert usual_categories("fr") == usual_categories("it") == usual_categories("es") == ("one", "other")
    assert usual_categories("pl") == ("one", "few", "many", "other")
    assert usual_categories("tlh") == ("one", "other")  # as in English, where nobody knows
