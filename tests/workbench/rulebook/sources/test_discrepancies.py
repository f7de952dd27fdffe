"""The differences between the source texts that readers found by hand, and whether the checks find them too."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from paths import SEEDS

from rulelang.diagnostics import Diagnostic, Sink
from workbench.rulebook.corpus import Corpus, Excerpt
from workbench.rulebook.crosscheck import NAMES, cross_check
from workbench.rulebook.sources import read_documents

HERE = Path(__file__).parent
LIST: list[dict[str, Any]] = tomllib.loads((HERE / "discrepancies.toml").read_text(encoding="utf-8"))["discrepancy"]
FOUND = [entry for entry in LIST if "check" in entry]
UNFOUND = [entry for entry in LIST if "no_check" in entry]


@pytest.fixture(scope="module")
def findings(meduris: Corpus) -> list[Diagnostic]:
    report = cross_check(meduris)
    return [*report.findings, *(silenced.finding for silenced in report.silenced)]


def named(entry: dict[str, Any]) -> str:
    return str(entry["id"])


def test_each_discrepancy_is_listed_once_and_has_an_answer() -> None:
    ids = [entry["id"] for entry in LIST]
    assert len(ids) == len(set(ids)) == 130
    assert all(("check" in entry) != ("no_check" in entry) for entry in LIST)
    assert {entry["check"] for entry in FOUND} <= set(NAMES.values())


@pytest.mark.parametrize("entry", FOUND, ids=named)
def test_the_check_finds_it(entry: dict[str, Any], meduris: Corpus, findings: list[Diagnostic]) -> None:
    places = {(e.span.file, e.span.line): e for e in meduris.excerpts}
    document = next(d for d in meduris.documents if d.id == entry["document"])

    def there(found: Diagnostic) -> bool:
        if NAMES.get(found.code) != entry["check"] or entry["words"] not in found.message:
            return False
        if "line" not in entry:
            return found.span.file == document.span.file
        excerpt: Excerpt | None = places.get((found.span.file, found.span.line))
        passage = excerpt.passage if excerpt and excerpt.document.id == document.id else None
        return passage is not None and passage.first <= entry["line"] <= passage.last

    assert any(map(there, findings))


@pytest.mark.parametrize("entry", UNFOUND, ids=named)
def test_what_no_check_finds_is_noted_at_its_passage(entry: dict[str, Any]) -> None:
    documents = {d.id: d for d in read_documents(SEEDS, Sink())}
    passages = documents[entry["document"]].passages
    passage = next(p for p in passages if p.first <= entry["line"] <= p.last)
    assert f"{entry['id']}: " in f"; {passage.note}"
