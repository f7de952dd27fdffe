"""Seeded lists of the cross-check: that they can be read, and that the figures are those of their entries."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import crosscheck

LIST = """
[statements]
1 = { en = "You may draw two cards.", nl = "Je mag twee kaarten trekken.", de = "Du darfst zwei Karten ziehen." }

[meaning]
number = [["en", 1, "two", "three"]]

[reworded]
turned = [["en", 1, "You are allowed to draw two cards."]]
"""


@pytest.mark.parametrize("path", sorted(crosscheck.LISTS.glob("*.toml")), ids=lambda path: path.stem)
def test_every_entry_of_a_list_has_its_words(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert crosscheck.SlipList.read(path).entries
    assert capsys.readouterr().err == ""


def test_figures_are_written_between_their_marks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.toml").write_text(LIST, encoding="utf-8")
    page = tmp_path / "page.md"
    page.write_text(f"before\n{crosscheck.BEGIN}\nold\n{crosscheck.END}\nafter\n", encoding="utf-8")
    assert crosscheck.main([str(tmp_path / "mine.toml"), "--out", str(page)]) == 0
    written = page.read_text(encoding="utf-8")
    assert written.startswith("before\n") and written.endswith("\nafter\n") and "old" not in written
    assert "| mistakes of meaning | 1 of 1 | 1 of 1 | number 1/1 |" in written
    assert "| rewordings | 0 of 1 | 0 of 1 | turned 0/1 |" in written
    assert "| mistakes of meaning | 1 of 1" in capsys.readouterr().out
