"""docs/games.md tells the truth about lines."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from paths import DOCS, RULES

PAGE = (DOCS / "games.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `([\w/]+)` \| ([0-9]+) \| ([0-9]+) \|", PAGE, flags=re.M)


VARIANTS = re.findall(r"^\| `([\w/]+\.rules)` \| ([0-9]+) \|", PAGE, flags=re.M)


def lines(game: Path) -> Counter[str]:
    """Lines that say something, by what they belong to: an example is what stands below the word."""
    found: Counter[str] = Counter()
    for path in game.rglob("*.rules"):
        text = [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        text = [line for line in text if not line.lstrip().startswith("#")]
        kind = "variants" if text[0].startswith("variant ") else "rules"
        of_example = text[0].startswith("examples ")
        for line in text:
            if not line.startswith(" "):
                of_example = line.startswith(("example ", "examples "))
            found["examples" if of_example and kind == "rules" else kind] += 1
    return found


@pytest.mark.parametrize(("game", "rules", "examples"), ROWS, ids=[row[0] for row in ROWS])
def test_lines(game: str, rules: str, examples: str) -> None:
    found = lines(RULES / game)
    assert (found["rules"], found["examples"]) == (int(rules), int(examples))


@pytest.mark.parametrize(("file", "count"), VARIANTS, ids=[row[0] for row in VARIANTS])
def test_lines_of_variants(file: str, count: str) -> None:
    text = (RULES / file).read_text(encoding="utf-8").splitlines()
    assert sum(bool(line.strip()) and not line.lstrip().startswith("#") for line in text) == int(count)


def test_every_game_is_listed() -> None:
    games = {
        path.parent.relative_to(RULES).as_posix()
        for path in RULES.rglob("*.rules")
        if re.search(r"^game ", path.read_text(encoding="utf-8"), flags=re.M)
    }
    assert {row[0] for row in ROWS} == games
