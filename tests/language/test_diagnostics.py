"""Each mistake gets its code, at its place, with a remedy, and nothing else; its mended twin has no mistake.

``bad/CODE_name`` is a small game's folder; ``#! CODE`` at the end of a line says what must be reported there, and
``expected.toml`` says it for files that cannot carry comments. ``good/CODE_name`` is the same game, mended.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

import rulelang
from rulelang.codes import CODES, FAMILIES
from rulelang.diagnostics import Diagnostic
from tests.tools.codes_pages import MARK, PAGES, ROOT, Case, cases, message, pages
from tests.tools.codes_pages import reported as found_in

CASES = cases()
_USED = re.compile(r'"(R[01][0-9]{3})"')


def marked(case: Case) -> list[tuple[str, int, str]]:
    """What the case says must be found: file, line, code."""
    found = []
    for path in sorted([*case.bad.rglob("*.rules"), *case.bad.rglob("*.look")]):
        if path.is_file():
            for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").split("\n"), 1):
                found += [(path.relative_to(case.bad).as_posix(), number, code) for code in MARK.findall(line)]
    extra = case.bad / "expected.toml"
    if extra.exists():
        told = tomllib.loads(extra.read_text(encoding="utf-8"))["finding"]
        found += [(f["file"], f["line"], f["code"]) for f in told]
    return sorted(found)


def reported(case: Case) -> list[Diagnostic]:
    return found_in(case, case.bad)[0]


def place(case: Case, diagnostic: Diagnostic) -> tuple[str, int, str]:
    file = Path(diagnostic.span.file).resolve().relative_to(case.bad.resolve()).as_posix()
    return file, diagnostic.span.line, diagnostic.code


each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.bad.name)


@each_case
def test_exactly_the_marked_mistakes_are_found(case: Case) -> None:
    assert marked(case), "the case does not say what must be found"
    assert {code for _, _, code in marked(case)} == {case.code}
    assert sorted(place(case, d) for d in reported(case)) == marked(case)


@each_case
def test_every_mistake_has_a_remedy(case: Case) -> None:
    helpless = [d.message for d in reported(case) if d.help is None]
    assert helpless == []


@each_case
def test_message(case: Case, snapshot: SnapshotAssertion) -> None:
    assert message(case) == snapshot


@each_case
def test_the_mended_twin_has_no_mistake(case: Case) -> None:
    assert found_in(case, case.good)[0] == []
    assert rulelang.load(case.good).rules


@each_case
def test_the_mended_twin_has_the_canonical_layout(case: Case) -> None:
    result = rulelang.format_path(case.good, write=False)
    assert (result.changed, result.diagnostics) == ((), ())


# ---------------------------------------------------------------- the table of codes and its pages


def test_every_code_in_use_is_explained_and_every_explained_code_is_in_use() -> None:
    folders = (ROOT / "rulelang", ROOT / "workbench")
    sources = [p for folder in folders for p in folder.rglob("*.py") if p.parent.name != "codes"]
    used = {code for path in sources for code in _USED.findall(path.read_text(encoding="utf-8"))}
    assert used == set(CODES)


def test_codes_are_in_order_and_belong_to_a_family() -> None:
    assert list(CODES) == sorted(CODES)
    assert {code[:3] for code in CODES} == set(FAMILIES)


def test_every_code_has_a_case() -> None:
    assert {case.code for case in CASES} == set(CODES)


def test_the_pages_are_up_to_date() -> None:
    written = {path.name: path.read_text(encoding="utf-8") for path in PAGES.glob("*.md")}
    assert written == pages(), "run: python -m tests.tools.codes_pages"


def test_no_finding_is_reported_without_a_help() -> None:
    sources = [path for folder in ("rulelang", "workbench") for path in (ROOT / folder).rglob("*.py")]
    helpless = [place for path in sources for place in _without_help(path)]
    assert helpless == []


def _without_help(path: Path) -> Iterator[str]:
    """Where a finding is made without a help: ``sink.error(code, ...)`` and ``Diagnostic(code, ...)``."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call) or not node.args or not isinstance(node.args[0], ast.Constant):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name not in ("error", "Diagnostic", "finding") or not re.match(r"R[01]", str(node.args[0].value)):
            continue
        helps = [keyword.value for keyword in node.keywords if keyword.arg == "help"] or node.args[3:]
        starred = any(isinstance(argument, ast.Starred) for argument in node.args)
        # `did_you_mean(...)` alone may be none; with `or ...` behind it, it is not a call any more.
        none = not helps or (isinstance(helps[0], (ast.Call, ast.Constant)) and _may_be_none(helps[0]))
        if none and not starred:
            yield f"{path.name}:{node.lineno}"


def _may_be_none(help_: ast.expr) -> bool:
    return ast.unparse(help_).startswith(("None", "did_you_mean("))


# ---------------------------------------------------------------- too big or too odd to keep as files

GAME = "game pile\n  players 2\n\nrule play\n  end the game\n"


def codes_of(folder: Path, *files: tuple[str, str | bytes]) -> list[tuple[str, int]]:
    """Writes the files and checks the folder: code and line of each finding."""
    for name, text in files:
        (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return [(d.code, d.span.line) for d in rulelang.check_path(folder).diagnostics]


def _nested_blocks(depth: int) -> str:
    lines = ["  " * (level + 1) + "if players > 1" for level in range(depth)]
    return "game pile\n  players 2\n\nrule play\n" + "\n".join(lines) + "\n" + "  " * (depth + 1) + "end the game\n"


def _else_ifs(number: int) -> str:
    chain = "  if players > 9\n    do nothing\n" + "  otherwise if players > 9\n    do nothing\n" * number
    return GAME.replace("  end the game\n", chain + "  end the game\n")


ODD: dict[str, tuple[str | bytes, str, int]] = {
    "utf_16": (GAME.encode("utf-16"), "R0102", 1),
    "binary": (bytes(range(256)) * 40, "R0102", 2),
    "png": (b"\x89PNG\r\n\x1a\n" + bytes(200), "R0102", 1),
    "two_megabytes": (GAME + "# " + "x" * 2_000_000, "R0104", 1),
    "line_of_half_a_megabyte": (GAME + "number size = " + "1 + " * 120_000 + "1\n", "R0104", 6),
    "blocks_25_deep": (_nested_blocks(25), "R0107", 29),
    "brackets_10000_deep": (GAME + "number size = " + " (\n" * 10_000 + " 1" + " )\n" * 10_000, "R0107", 46),
    "not_10000_times": (GAME + "define d = (" + "not\n " * 10_000 + "yes)\n", "R0107", 6),
    "minus_10000_times": (GAME + "number size = (" + "-\n " * 10_000 + "1)\n", "R0107", 6),
    "a_sum_of_10000": (GAME + "number size = (" + "1 +\n " * 10_000 + "1)\n", "R0107", 6),
    "if_in_if_1000_times": (
        GAME + "number n = (" + "if yes then\n " * 1_000 + "1" + " else 1\n" * 1_000 + " )\n",
        "R0107",
        6,
    ),
    "else_if_10000_times": (_else_ifs(10_000), "R0107", 5),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_files_are_refused_in_time(name: str, tmp_path: Path) -> None:
    text, code, first_line = ODD[name]
    ((found, line),) = codes_of(tmp_path, ("game.rules", text))
    assert found == code
    assert first_line <= line <= (text if isinstance(text, bytes) else text.encode()).count(b"\n") + 1


def test_byte_order_mark_and_windows_line_ends_are_fine(tmp_path: Path) -> None:
    table = 'table Field\n  worth: 0..5\n  rows from "fields.csv"\n\n'
    text = "\ufeff" + GAME.replace("rule play", table + "rule play").replace("\n", "\r\n")
    assert codes_of(tmp_path, ("game.rules", text), ("fields.csv", "\ufeffname,worth\r\nf1,1\r\nf2,3\r\n")) == []


def test_places_are_right_after_a_byte_order_mark_and_windows_line_ends(tmp_path: Path) -> None:
    text = "\ufeff" + GAME.replace("end the game", "end teh game").replace("\n", "\r\n")
    (tmp_path / "game.rules").write_bytes(text.encode())
    (found,) = rulelang.check_path(tmp_path).diagnostics
    assert (found.code, found.span.line, found.span.column, found.span.end_column) == ("R0201", 5, 7, 10)


def test_many_mistakes_of_one_kind_are_not_all_told(tmp_path: Path) -> None:
    text = GAME + "".join(f"number n{i} = 1\t\n" for i in range(500))
    assert len(codes_of(tmp_path, ("game.rules", text))) == 20


def test_all_mistakes_of_a_file_are_found_in_one_run(tmp_path: Path) -> None:
    text = GAME + "number a = = 1\n\nnumber b = (2\n\nnumbr c = 3\n\nrule r\n  do nothing nothing\n  mve all\n"
    found = codes_of(tmp_path, ("game.rules", text))
    assert found == [("R0203", 6), ("R0202", 8), ("R0201", 10), ("R0201", 13), ("R0201", 14)]
