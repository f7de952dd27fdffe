"""Confirming statements, and which of them have changed since."""

from __future__ import annotations

import shutil
from pathlib import Path

from games import corpus_of
from paths import RULES

from rulelang.diagnostics import Sink
from workbench.rulebook.corpus import confirm, confirmable_sections, confirmation_state
from workbench.rulebook.crosscheck import cross_check
from workbench.rulebook.review import load


def test_confirming_and_what_changes_then(bilingual: Path) -> None:
    corpus = corpus_of(bilingual)
    (key, (_, statements)) = next(item for item in confirmable_sections(corpus).items() if item[0][1] == "most")
    assert confirmation_state(corpus, key, statements) == "unconfirmed"
    assert len(confirm(corpus, languages=["nl"], ids=["most"])) == 1
    assert len(confirm(corpus_of(bilingual))) == 9
    assert confirm(corpus_of(bilingual)) == []
    assert not [d for d in cross_check(corpus_of(bilingual)).findings if d.code == "R0919"]

    rules = bilingual / "game.rules"
    rules.write_text(rules.read_text().replace("number most = 3", "number most = 2"))
    stale = [d for d in cross_check(corpus_of(bilingual)).findings if d.code == "R0919"]
    assert [(Path(d.span.file).name, d.rule) for d in stale] == [("en.md", "most"), ("nl.md", "most")]
    confirm(corpus_of(bilingual), languages=["nl"])
    assert [Path(d.span.file).name for d in cross_check(corpus_of(bilingual)).findings] == ["en.md"]


def test_other_words_for_the_same_rule_are_not_stale(bilingual: Path) -> None:
    confirm(corpus_of(bilingual))
    text = bilingual / "text" / "en.md"
    text.write_text(text.read_text().replace("A player takes at most", "Any player takes at most"))
    corpus = corpus_of(bilingual)
    states = {confirmation_state(corpus, key, found) for key, (_, found) in confirmable_sections(corpus).items()}
    assert states == {"confirmed", "edited"}
    assert not [d for d in cross_check(corpus).findings if d.code == "R0919"]


def test_texts_of_several_variants_in_one_folder_are_confirmed_side_by_side(tmp_path: Path) -> None:
    game = Path(shutil.copytree(RULES / "meduris", tmp_path / "meduris"))
    kept = game / "variants" / "text" / "confirmed.toml"
    kept.unlink(missing_ok=True)
    _, corpora = load(game, (), None, Sink(), {})
    with_variants = [corpus for corpus in corpora if corpus.asked]
    assert len(with_variants) > 1
    first = [key for corpus in with_variants for key in confirm(corpus)]
    assert {Path(file).name.split(".")[0] for file, _ in first} == {corpus.asked[0] for corpus in with_variants}
    written = kept.read_text()
    assert [key for corpus in reversed(with_variants) for key in confirm(corpus)] == []
    assert kept.read_text() == written
