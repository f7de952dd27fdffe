"""Texts of variants: what they add, replace and lose in the merged rulebook, and what is found in them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from pile import RULES, write

from rulelang import workspace
from rulelang.diagnostics import Sink
from workbench.checking import check_game
from workbench.rulebook.texts import Heading, RulebookText, read_merged

BASE = """# The Pile

## Components

### `Colour`
1. There are {count(Colour)} colours.

### `size`
1. There are {size} pieces.

### `share`
1. Three or two.

## How to play

### `play`
1. Take turns until the pile is gone.

### `turn`
1. On your turn you do one thing.

### `take`
1. You may take pieces.
2. Take as many as you like, up to three.

### `pass`
1. You may rest.

### `take_them`
1. Each piece is a point.

### `last_piece`
1. The last piece counts.
2. Variant: The last piece does not count.

## Winner

### `winner`
1. Most points win.
"""

BIG = """variant big of pile
  "A bigger pile, with thieves and no rest."

change number size to 9

enum Mood: good, bad

remove option pass

extend rule turn
  option steal(q in Player)
    needs q is not p and score[q] > 0
    do robbery(p, q)

rule robbery(p: Player, q: Player)
  decrease score[q] by 1
  p scores 1
"""

BIG_TEXT = """# Thieves

## How to play

### `take`
3. Thieves take pieces too.

### `steal`
1. You may steal a point.

### `robbery`
1. The other player loses it.

## Thieves and moods

### `Mood`
1. There are {count(Mood)} moods.

### `size`
1. There are as many as {size} pieces.
"""

BIGGER = """variant bigger of pile, big
  "An even bigger pile."

change reading last_piece to counts_nothing

number loot = 2
"""

BIGGER_TEXT = """# Loot

## How to play

### `take`
4. Loot is not taken like this.

### `last_piece`
1. The last piece brings nothing.

## Winner

## Loot

### `loot`
1. Loot is worth {loot}.
"""


@pytest.fixture
def game(small_game) -> Path:
    return small_game(
        {
            "text/en.md": BASE,
            "variants/big.rules": BIG,
            "variants/text/big.en.md": BIG_TEXT,
            "variants/bigger.rules": BIGGER,
            "variants/text/bigger.en.md": BIGGER_TEXT,
        }
    )


def merged(game: Path, *variants: str) -> RulebookText:
    sink = Sink()
    files, names = workspace.default().open(game, variants, sink)
    (text,) = read_merged(files, names, sink)
    assert list(sink) == []
    return text


def outline(text: RulebookText) -> list[str]:
    return [p.text if isinstance(p, Heading) else p.id for p in text.parts]


def found(game: Path, *variants: str | Path) -> list[tuple[str, str, str]]:
    """Findings, but for the languages of the game that have no text here."""
    diagnostics = check_game(game, variants=variants).diagnostics
    return [(d.code, Path(d.span.file).name, d.message) for d in diagnostics if d.code != "R0707"]


def test_without_a_variant_the_text_is_the_games_own(game: Path) -> None:
    text = merged(game)
    assert {p.origin for p in text.parts} == {None}
    assert len(text.sections) == 10


def test_what_a_variant_adds_replaces_and_removes(game: Path) -> None:
    text = merged(game, "big")
    assert outline(text) == [
        "The Pile + Thieves",
        *("Components", "Colour.1", "size.1", "share.1"),
        *("How to play", "play.1", "turn.1", "take.1", "take.2", "take.3", "take_them.1"),
        *("last_piece.1", "last_piece.2", "steal.1", "robbery.1"),
        *("Thieves and moods", "Mood.1"),
        *("Winner", "winner.1"),
    ]
    origins = {s.id: s.origin for s in text.statements}
    assert {id_ for id_, origin in origins.items() if origin == "big"} == {
        *("size.1", "take.3", "steal.1", "robbery.1", "Mood.1")
    }
    assert [p.text for p in text.parts if isinstance(p, Heading) and p.origin == "big"] == ["Thieves and moods"]
    assert [s.text for s in text.about("size")] == ["There are as many as {size} pieces."]
    assert "pass" not in text.sections
    assert text.sections["size"].file.endswith("big.en.md")


def test_a_variant_of_a_variant_brings_that_ones_text(game: Path) -> None:
    text = merged(game, "bigger")
    assert text == merged(game, "bigger", "big")
    assert [s.origin for s in text.about("take")] == [None, None, "big", "bigger"]
    assert [s.id for s in text.about("last_piece")] == ["last_piece.1"]
    assert outline(text)[-4:] == ["Winner", "winner.1", "Loot", "loot.1"]
    assert outline(text)[0] == "The Pile + Thieves + Loot"


def test_two_variants_that_add_to_one_section_are_numbered_on(game: Path) -> None:
    write(game, "variants/polite.rules", 'variant polite of pile\n  "Say please."\n\nnumber please = 1\n')
    write(
        game,
        "variants/text/polite.en.md",
        "# Please\n\n## How to play\n\n### `take`\n3. Say please.\n\n### `please`\n1. Once.\n",
    )
    assert found(game) == []
    text = merged(game, "big", "polite")
    assert [(s.id, s.origin) for s in text.about("take")] == [
        *(("take.1", None), ("take.2", None), ("take.3", "big"), ("take.4", "polite"))
    ]


def test_a_removed_rule_that_still_stands_empty_has_no_section(game: Path) -> None:
    write(game, "variants/free.rules", 'variant free of pile\n  "No points."\n\nremove rule take_them\n')
    assert "take_them" not in merged(game, "free").sections


def test_a_chapter_that_loses_all_its_sections_goes(game: Path) -> None:
    write(
        game,
        "text/en.md",
        BASE.replace("### `pass`", "## Passing\n\n### `pass`").replace("### `take_them`", "## On\n\n### `take_them`"),
    )
    assert "Passing" not in outline(merged(game, "big"))
    assert "Passing" in outline(merged(game))


def test_the_variant_as_the_path(game: Path) -> None:
    assert found(game / "variants" / "bigger.rules") == []


@pytest.mark.parametrize("variants", [(), ("big",)])
def test_what_a_variant_adds_needs_a_section(game: Path, variants: Sequence[str]) -> None:
    text = BIG_TEXT.replace("### `robbery`\n1. The other player loses it.\n", "")
    write(game, "variants/text/big.en.md", text)
    ((code, file, message),) = found(game, *variants)
    assert (code, file) == ("R0701", "big.rules")
    assert message.startswith("`robbery`, added or changed by `big`, has no statement in ")


def test_a_changed_default_needs_a_section_and_a_changed_number_does_not(game: Path) -> None:
    text = BIGGER_TEXT.replace("### `last_piece`\n1. The last piece brings nothing.\n", "")
    write(game, "variants/text/bigger.en.md", text)
    assert [(code, file) for code, file, _ in found(game)] == [("R0701", "bigger.rules")]


def test_of_a_replaced_rule_only_what_differs_needs_a_section(game: Path) -> None:
    same = RULES[RULES.index("rule turn") : RULES.index("rule take_them")]
    write(
        game,
        "variants/strict.rules",
        'variant strict of pile\n  "Rests cost."\n\nreplace '
        + same.replace("      do nothing", "      decrease score[p] by min(1, score[p])"),
    )
    write(game, "variants/text/strict.en.md", "# Strict\n\n## How to play\n\n### `turn`\n1. You do one thing.\n")
    assert [message.split(",")[0] for _, _, message in found(game)] == ["`pass`"]


def test_each_language_of_the_variant_needs_every_section(game: Path) -> None:
    write(game, "text/nl.md", BASE)
    write(game, "variants/text/big.nl.md", "# Dieven\n\n## How to play\n\n### `steal`\n1. Je mag stelen.\n")
    assert sorted(message.split(",")[0] for _, _, message in found(game)) == ["`Mood`", "`robbery`"]


def test_a_section_for_what_the_variant_does_not_have(game: Path) -> None:
    write(game, "variants/text/big.en.md", BIG_TEXT + "\n### `pass`\n1. No rest.\n\n### `loot`\n1. No loot.\n")
    assert found(game) == [("R0702", "big.en.md", f"Nothing has the id `{id_}`.") for id_ in ("pass", "loot")]


@pytest.mark.parametrize(
    "number, message",
    [
        (2, "`take` has 2 statements so far, but this one is numbered 2."),
        (4, "`take` has 2 statements so far, but this one is numbered 4."),
        (0, "`take` has 2 statements so far, but this one is numbered 0."),
    ],
)
def test_a_section_is_replaced_or_added_to_and_nothing_between(game: Path, number: int, message: str) -> None:
    text = BIG_TEXT.replace("3. Thieves take", f"{number}. Thieves take")
    write(game, "variants/text/big.en.md", text)
    (game / "variants/bigger.rules").unlink()
    (game / "variants/text/bigger.en.md").unlink()
    assert found(game, "big") == [("R0705", "big.en.md", message)]


def test_a_new_section_begins_at_one(game: Path) -> None:
    write(game, "variants/text/big.en.md", BIG_TEXT.replace("1. You may steal", "2. You may steal"))
    assert found(game) == [("R0705", "big.en.md", "`steal` is a new section, but this one is numbered 2.")]


def test_values_are_those_of_the_variant(game: Path) -> None:
    write(game, "variants/text/big.en.md", BIG_TEXT.replace("{count(Mood)}", "{count(Mud)}"))
    assert found(game, "big") == [("R0703", "big.en.md", "There is no enum or table `Mud`.")]


@pytest.mark.parametrize(
    "name, message",
    [
        ("variants/text/bog.en.md", "There is no variant bog.rules beside the folder of this text."),
        ("text/big.en.md", "There is no variant big.rules beside the folder of this text."),
        (
            "variants/text/big.md",
            "The name of this file does not say which variant and language it is for.",
        ),
        ("variants/text/big.pl.md", "`pl` is not among the languages of the game."),
        ("variants/text/big.nl.md", "The game itself has no text in `nl`."),
    ],
)
def test_a_text_that_belongs_nowhere(game: Path, name: str, message: str) -> None:
    write(game, name, BIG_TEXT)
    assert ("R0705", Path(name).name, message) in found(game)
    assert ("R0705", Path(name).name, message) in found(game, "big")


def test_a_broken_text_of_a_variant_is_reported_once(game: Path) -> None:
    write(game, "variants/text/big.en.md", BIG_TEXT + "\nThis is no statement.\n")
    assert [code for code, _, _ in found(game, "big")] == ["R0705"]
    (game / "variants/text/big.en.md").write_bytes(b"# Caf\xe9\n")
    assert ("R0102", "big.en.md") in [(code, file) for code, file, _ in found(game, "big")]


def test_a_variant_from_elsewhere_brings_the_text_beside_it(
    game: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    write(elsewhere, "house.rules", 'variant house of pile\n  "House rule."\n\nnumber tea = 3\n')
    write(elsewhere, "text/notes.md", "# Nothing of ours\n")
    write(elsewhere, "text/house.en.md", "# House\n\n### `tea`\n1. There are {tea} cups of tea.\n")
    assert found(game, elsewhere / "house.rules") == []
    assert outline(merged(game, str(elsewhere / "house.rules")))[-2:] == ["winner.1", "tea.1"]
