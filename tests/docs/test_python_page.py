"""Everything that the page on Python shows is run: block after block, in one go, with what comes out.

A value stands in a comment behind an expression, or in the lines below it; ``...`` stands for anything. An exception
stands there by its name.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from paths import DOCS, ROOT

import interpreter

PAGE = DOCS / "python.md"
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
_RAISED = re.compile(r"[A-Z]\w+: ")


def blocks() -> list[tuple[int, str, str]]:
    """Line, language and text of each fenced block."""
    page = PAGE.read_text(encoding="utf-8")
    return [(page.count("\n", 0, m.start()) + 1, m[1], m[2]) for m in _FENCE.finditer(page)]


def statements(text: str) -> Iterator[tuple[ast.stmt, str]]:
    """The statements of a block, each with the comment that says what comes out ("" for none)."""
    lines = text.split("\n")
    for node in ast.parse(text).body:
        assert node.end_lineno is not None and node.end_col_offset is not None
        behind = lines[node.end_lineno - 1].encode()[node.end_col_offset :].decode().strip()
        told = [behind] if behind else []
        for line in lines[node.end_lineno :]:
            if not line.startswith("#"):
                break
            told.append(line)
        yield node, " ".join(line.removeprefix("#").strip() for line in told)


def is_told(value: str, told: str) -> bool:
    """Whether a comment says what came out, however it is broken into lines."""
    pattern = "[\\s\\S]*".join(re.escape("".join(piece.split())) for piece in told.split("..."))
    return re.fullmatch(pattern, "".join(value.split())) is not None


def run(node: ast.stmt, told: str, names: dict[str, Any]) -> str | None:
    """What is wrong with a statement, None when it does what is told of it."""
    try:
        if not isinstance(node, ast.Expr):
            exec(compile(ast.Module([node], []), str(PAGE), "exec"), names)
            return None
        value = eval(compile(ast.Expression(node.value), str(PAGE), "eval"), names)
    except Exception as error:
        out = f"{type(error).__name__}: {error}"
        return None if _RAISED.match(told) and is_told(out, told) else f"raised {out}"
    out = repr(value)
    if not told or (is_told(out, told) and not _RAISED.match(told)):
        return None
    return f"gave {out}"


def test_the_page_does_what_it_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules").symlink_to(ROOT / "rules")
    names: dict[str, Any] = {"__name__": "page"}
    wrong = []
    for line, language, text in blocks():
        if language != "python":
            continue
        for node, told in statements(text):
            problem = run(node, told, names)
            if problem is not None:
                wrong.append(f"line {line + node.lineno}: {ast.unparse(node)}\n  {problem}")
    assert not wrong, "\n".join(wrong)


def test_every_block_is_run() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert sum(line.startswith("```") for line in text.split("\n")) == 2 * len(blocks())
    assert {language for _, language, _ in blocks()} <= {"python", "console"}


def test_the_page_names_everything_that_is_public() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert [name for name in interpreter.__all__ if not re.search(rf"\b{name}\b", text)] == []
