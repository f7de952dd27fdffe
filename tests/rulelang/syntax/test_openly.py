"""The place of ``openly`` in a line, and what is said when it is put elsewhere."""

from __future__ import annotations

import pytest

from rulelang.syntax.parse import parse_text
from rulelang.syntax.printer import print_file


@pytest.mark.parametrize(
    ("line", "remedy"),
    [
        ("surely openly move 1 from deck to hand[p]", "`openly surely ...`"),
        ("surely openly p chooses n in 1..3", "`openly surely ...`"),
        ("p openly chooses n in 1..3", "at the beginning of the line"),
        ("openly openly if storm", "`openly` once"),
        ("openly rule bonus when storm", "`rule bonus openly when ...`"),
        ("openly option bonus", "`openly needs ...`"),
        ("openly otherwise if storm", "`otherwise openly if ...`"),
    ],
)
def test_a_misplaced_word_is_put_in_its_place(line: str, remedy: str) -> None:
    _, found = parse_text("x.rules", f"rule r(p: Player)\n  {line}\n    stop\n")
    assert remedy in "".join(d.help or "" for d in found)


def test_every_place_of_the_word_is_kept_by_the_printer() -> None:
    text = """\
rule r(p: Player) on storm(n) openly unless n > 3
  openly needs n > 1
  openly surely p chooses one of
    option a
      openly needs n > 2
      openly increase openly by 3
  openly if n is 2
    openly let m = n
  otherwise openly if n is 3
    stop
  rule nested openly when n is 4
    openly p scores 1
rule w openly whenever storm
  stop
"""
    file, found = parse_text("x.rules", text)
    assert found == []
    assert print_file(file).replace("\n\n", "\n") == text


def test_it_is_a_name_like_others_elsewhere() -> None:
    """A game that has the word as a name keeps it, but for the first word of a statement."""
    text = "rule r(openly: Player)\n  (openly) scores 1\n  let m = openly\n"
    file, found = parse_text("x.rules", text)
    assert found == [] and print_file(file) == text
