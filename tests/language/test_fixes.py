"""Fixes do what they say: carried out, each takes its finding away; one that is preferred brings no new error.

The mistakes are those of ``bad/`` and of ``slips/``.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
from test_slips import ALL, GAME, Slip

import rulelang
from rulelang.diagnostics import Diagnostic
from rulelang.fixes import Below, Fix, Wrap
from rulelang.fixing import applied, changes
from rulelang.source import SourceFile, Span
from tests.tools.codes_pages import Case, cases, reported

CASES = cases()
SAMPLE = ALL[::6]
"""Slips that are tried; all of them would take a minute."""


def write(fix: Fix, sources: Mapping[str, SourceFile]) -> None:
    """Carries out a fix in the files themselves."""
    made = changes(fix, sources)
    assert made, f"the fix cannot be carried out: {fix}"
    for name in {change.span.file for change in made}:
        Path(name).write_text(applied(sources[name], made).text, encoding="utf-8")


def errors(diagnostics: list[Diagnostic]) -> set[tuple[str, str]]:
    return {(d.code, d.message) for d in diagnostics if d.severity == "error"}


def alike(finding: Diagnostic, diagnostics: list[Diagnostic]) -> int:
    return sum((d.code, d.message) == (finding.code, finding.message) for d in diagnostics)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.bad.name)
def test_a_fix_takes_its_finding_away(case: Case, tmp_path: Path) -> None:
    offered = [fix for d in reported(case, case.bad)[0] for fix in d.fixes]
    for number, fix in enumerate(offered):
        folder = tmp_path / str(number) / case.bad.name
        shutil.copytree(case.bad, folder)
        before, sources = reported(case, folder)
        finding, here = [(d, f) for d in before for f in d.fixes][number]
        write(here, sources)
        after = reported(case, folder)[0]
        assert alike(finding, after) < alike(finding, before), fix.title
        assert not fix.preferred or errors(after) <= errors(before), fix.title


def test_most_slips_that_can_be_mended_are_mended_by_their_fix(tmp_path: Path) -> None:
    mended = failed = 0
    for param in SAMPLE:
        slip = param.values[0]
        assert isinstance(slip, Slip)
        (tmp_path / "game.rules").write_text(GAME, encoding="utf-8")
        (tmp_path / "slip.rules").write_text(slip.file, encoding="utf-8")
        report = rulelang.check_path(tmp_path)
        preferred = [(d, fix) for d in report.diagnostics for fix in d.fixes if fix.preferred]
        for finding, fix in preferred[:1]:
            write(fix, report.sources)
            left = errors(rulelang.check_path(tmp_path).diagnostics)
            if (finding.code, finding.message) in left or any(code.startswith("R02") for code, _ in left):
                failed += 1
            else:
                mended += 1
    assert mended > 40 and mended > 15 * failed


def test_a_fix_for_a_text_that_has_changed_is_not_offered() -> None:
    case = next(case for case in CASES if case.bad.name == "R0401_unknown_name")
    found, sources = reported(case, case.bad)
    fix = found[0].fixes[0]
    gone = {name: SourceFile(name, source.text.replace("lefft", "left")) for name, source in sources.items()}
    assert changes(fix, sources)
    assert changes(fix, gone) is None
    assert changes(fix, {name: SourceFile(name, "") for name in sources}) is None


def test_words_are_kept_apart(tmp_path: Path) -> None:
    text = "game tiny\n  players 2\n\nnumber limit = 3\n\nrule play\n  if limit==3\n    end the game\n"
    (tmp_path / "game.rules").write_text(text, encoding="utf-8")
    report = rulelang.check_path(tmp_path)
    write(report.diagnostics[0].fixes[0], report.sources)
    assert "if limit is 3" in (tmp_path / "game.rules").read_text(encoding="utf-8")


def test_a_fix_indents_a_whole_block_and_keeps_the_rest() -> None:
    source = SourceFile(
        "x.rules", "rule a\n  each p in Player\n    p scores 1\n\n    p wins\n  stop\n\nrule b\n  stop\n"
    )
    line = Span("x.rules", 2, 3, 2, 19)
    made = changes(Fix("", (Wrap("if yes"),)).at(line), {"x.rules": source})
    assert made is not None
    wrapped = "rule a\n  if yes\n    each p in Player\n      p scores 1\n\n      p wins\n  stop\n"
    assert applied(source, made).text.startswith(wrapped)
    below = changes(Fix("", (Below("number n = 0", past="item"),)).at(line), {"x.rules": source})
    assert below is not None
    assert "  stop\n\nnumber n = 0\n\nrule b" in applied(source, below).text
