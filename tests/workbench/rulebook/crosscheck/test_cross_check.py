"""All checks together: reasons that silence a finding, and names."""

from __future__ import annotations

from pathlib import Path

from games import corpus_of

from workbench.rulebook.crosscheck import CHECKS, cross_check


def test_a_reason_silences_one_check_at_one_statement(bilingual: Path) -> None:
    text = bilingual / "text" / "nl.md"
    good = text.read_text()
    text.write_text(good.replace("1. Je moet minstens", "1. Je mag hoogstens"))
    assert [d.code for d in cross_check(corpus_of(bilingual)).findings] == ["R0916", "R0917"]
    text.write_text(text.read_text().replace("één steen nemen.\n", "één steen nemen.\n<!-- ignore modality: why -->\n"))
    report = cross_check(corpus_of(bilingual))
    assert [d.code for d in report.findings] == ["R0917"]
    assert [(s.finding.code, s.reason) for s in report.silenced] == [("R0916", "why")]


def test_every_check_says_what_it_finds() -> None:
    assert len({check.name for check in CHECKS}) == len({check.code for check in CHECKS}) == len(CHECKS)
    assert all(check.find.__doc__ for check in CHECKS)
