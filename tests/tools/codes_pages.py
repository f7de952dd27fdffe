"""Write the pages about codes, docs/codes: ``python -m tests.tools.codes_pages``.

A page comes from the code's entry in ``rulelang.codes`` and from its test cases: the text that fails, the message
it gets, and the text that passes. A case is the folder of a small game in tests/language/bad with a corrected twin in
tests/language/good; in the bad one, ``#! CODE`` marks the lines that must be reported.
"""

from __future__ import annotations

import difflib
import os
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import attrs

from rulelang.codes import CODES, FAMILIES
from rulelang.diagnostics import Diagnostic
from rulelang.files.folder import shown
from rulelang.render import render_text
from rulelang.source import SourceFile
from workbench.checking import check_game
from workbench.output import tell
from workbench.rulebook.crosscheck.review import review

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT / "tests" / "language"
PAGES = ROOT / "docs" / "codes"
MARK = re.compile(r" *#! (R[0-9]{4})\b")
_LONG = 100


@attrs.frozen
class Case:
    """A mistake: ``bad`` and ``good`` are folders of games that differ only a little."""

    code: str
    name: str
    bad: Path
    good: Path

    @property
    def title(self) -> str:
        return self.name.replace("_", " ")


def cases(folder: Path = CASES) -> list[Case]:
    """All cases, by code and name."""
    found = []
    for bad in sorted((folder / "bad").iterdir()):
        code, _, name = bad.name.partition("_")
        found.append(Case(code, name, bad, folder / "good" / bad.name))
    return found


def reported(case: Case, folder: Path) -> tuple[list[Diagnostic], Mapping[str, SourceFile]]:
    """The findings in the bad or the good folder of a case, and the source files they point into.

    Cases about sources and languages are compared with the documents in their folder ``sources``.
    """
    if case.code.startswith("R09"):
        made = review([folder], folder=folder / "sources")
        return list(made.findings), made.sources
    report = check_game(folder)
    return report.diagnostics, report.sources


def message(case: Case) -> str:
    """The message about the bad text, with file names relative to its folder and without the marks."""
    diagnostics, sources = reported(case, case.bad)
    text = render_text(diagnostics, sources)
    return _without_marks(text.replace(f"{shown(case.bad)}/", "")).replace(" \n", "\n").strip("\n")


def _without_marks(text: str) -> str:
    return "\n".join(_cut(MARK.sub("", line)) for line in text.split("\n"))


def _cut(line: str) -> str:
    line = "".join(c if c.isprintable() else "·" for c in line.replace("\t", "→   "))
    return line if len(line) <= _LONG or " = help: " in line or line.startswith(("error", "warning", "note")) else (
        line[:_LONG] + " ..."
    )  # fmt: skip


def _texts(folder: Path) -> dict[str, str]:
    """The files of a game by name, ready to be shown."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_dir() and path.suffix:
            found[name] = "(a folder)\n"
        elif path.is_file() and name != "expected.toml" and not path.parent.suffix:
            found[name] = _without_marks(path.read_text(encoding="utf-8", errors="replace"))
    return found


def _changed(case: Case) -> tuple[dict[str, str], dict[str, str]]:
    """The files of the bad and of the good folder that differ."""
    bad, good = _texts(case.bad), _texts(case.good)
    names = [n for n in dict.fromkeys([*bad, *good]) if bad.get(n) != good.get(n)]
    return {n: bad[n] for n in names if n in bad}, {n: good[n] for n in names if n in good}


def _blocks(texts: dict[str, str]) -> Iterator[str]:
    for name, text in texts.items():
        yield f"`{name}`:\n\n```\n{text.strip(chr(10))}\n```\n" if text.strip() else f"`{name}` is empty.\n"


def _difference(case: Case) -> str:
    bad, good = _changed(case)
    out: list[str] = []
    for name in dict.fromkeys([*bad, *good]):
        old, new = bad.get(name, "").splitlines(), good.get(name, "").splitlines()
        lines = list(difflib.unified_diff(old, new, name, name, lineterm="", n=1))
        out += [line for line in lines if not line.startswith(("---", "+++", "@@"))]
    return "\n".join(out)


def page(code: str, found: list[Case]) -> str:
    """The page of one code; ``found`` are its cases, of which the first is shown in full."""
    entry = CODES[code]
    out = [f"# {code}: {entry.title}\n", f"{entry.text}\n"]
    for position, case in enumerate(found):
        if position == 0:
            bad, good = _changed(case)
            out += ["## This fails\n", *_blocks(bad), f"```text\n{message(case)}\n```\n"]
            out += ["## This passes\n", *_blocks(good)]
            continue
        if position == 1:
            out.append("## More cases\n")
        out += [f"### {case.title.capitalize()}\n", f"```text\n{message(case)}\n```\n", "Corrected:\n"]
        out.append(f"```diff\n{_difference(case)}\n```\n")
    file, _, heading = entry.see.partition(": ")
    address = os.path.relpath(ROOT / file, PAGES)
    return "\n".join([*out, f"## How it is done right\n\n[{heading}]({address}#{anchor(heading)})\n"])


def anchor(heading: str) -> str:
    """The address of a heading in its page, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-")


def index() -> str:
    """The list of all codes."""
    out = [
        "# Codes\n",
        "Every finding has a code, which stays the same when its wording changes. The page of a code says what it",
        "means and what to do, and shows texts with the mistake beside the same texts corrected. The pages are written",
        "by `python -m tests.tools.codes_pages` from `rulelang/codes` and the test cases in `tests/language`.\n",
    ]
    for family, title in FAMILIES.items():
        out.append(f"## {title}\n")
        out += [f"- [{code}]({code}.md) {entry.title}" for code, entry in CODES.items() if code.startswith(family)]
        out.append("")
    return "\n".join(out)


def pages() -> dict[str, str]:
    """All pages by file name."""
    by_code: dict[str, list[Case]] = {}
    for case in cases():
        by_code.setdefault(case.code, []).append(case)
    return {"README.md": index(), **{f"{code}.md": page(code, by_code.get(code, [])) for code in CODES}}


def main() -> int:
    """Writes the pages, and removes those of codes that no longer exist."""
    PAGES.mkdir(parents=True, exist_ok=True)
    made = pages()
    for old in PAGES.glob("*.md"):
        if old.name not in made:
            old.unlink()
    for name, text in made.items():
        (PAGES / name).write_text(text, encoding="utf-8")
    tell(f"{len(made)} pages in {PAGES.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
