"""``rulelang check --fix``: what is certain is mended in the files, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

from small_games import PILE, write_game


def test_what_is_certain_is_mended_and_the_rest_is_left(rulelang, tmp_path: Path) -> None:
    text = PILE.replace("n <= left", "n <= lefft").replace("until left is 0", "until left==0").replace("\n", "\r\n")
    folder = write_game(tmp_path / "pile", PILE)
    file = folder / "pile.rules"
    file.write_bytes(b"\xef\xbb\xbf" + text.encode())
    data = json.loads(rulelang("check", str(folder), "--fix", "--format", "json").out)
    assert [one["title"] for one in data["fixed"]] == ["Write `is`", "Change `lefft` to `left`"]
    assert data["diagnostics"] == []
    assert file.read_bytes() == b"\xef\xbb\xbf" + PILE.replace("\n", "\r\n").encode()


def test_a_fix_that_leaves_as_many_errors_is_not_carried_out(rulelang, tmp_path: Path) -> None:
    text = PILE.replace("rule play\n", "every player scores 1\n\nrule play\n")
    folder = write_game(tmp_path / "pile", text)
    data = json.loads(rulelang("check", str(folder), "--fix", "--format", "json").out)
    assert data["fixed"] == [] and data["diagnostics"]
    assert (folder / "pile.rules").read_text(encoding="utf-8") == text
