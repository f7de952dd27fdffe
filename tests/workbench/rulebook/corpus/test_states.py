"""Confirming statements, their states since, and what nobody may confirm unseen."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

import pytest
from games import corpus_of
from paths import RULES
from pile import edit

from rulelang.diagnostics import Diagnostic, Sink
from workbench.rulebook.corpus import confirm, progress, statement_states
from workbench.rulebook.crosscheck import cross_check
from workbench.rulebook.crosscheck.review import load


def findings(game: Path, code: str) -> list[Diagnostic]:
    return [d for d in cross_check(corpus_of(game)).findings if d.code == code]


def states(game: Path, id_: str) -> dict[str, str]:
    return dict(statement_states(corpus_of(game))[id_])


def test_confirming_and_what_changes_then(bilingual: Path) -> None:
    assert states(bilingual, "most.1") == {"en": "translated", "nl": "translated"}
    assert len(confirm(corpus_of(bilingual), languages=["nl"], ids=["most"]).changed) == 1
    assert states(bilingual, "most.1") == {"en": "translated", "nl": "reviewed"}
    whole = len(corpus_of(bilingual).statements) * 2
    assert len(confirm(corpus_of(bilingual)).changed) == whole - 1
    assert confirm(corpus_of(bilingual)).changed == ()
    assert not findings(bilingual, "R0919")

    edit(bilingual / "game.rules", "number most = 3", "number most = 2")
    stale = findings(bilingual, "R0919")
    assert [(Path(d.span.file).name, d.rule) for d in stale] == [("en.md", "most"), ("nl.md", "most")]
    assert states(bilingual, "most.1") == {"en": "stale", "nl": "stale"}
    confirm(corpus_of(bilingual), languages=["nl"])
    assert [Path(d.span.file).name for d in findings(bilingual, "R0919")] == ["en.md"]


def test_a_confirmation_is_withdrawn_and_the_journal_keeps_it(rulelang, bilingual: Path) -> None:
    journal = bilingual / "text" / "withdrawn.toml"
    assert (
        "nothing there was confirmed"
        in rulelang("sources", "withdraw", bilingual, "most", "--why", "read too fast", status=0).out
        and not journal.exists()
    )
    confirm(corpus_of(bilingual), by="Ada")
    for language, why in (("nl", "read too fast"), ("en", 'says "three"\nnot four')):
        arguments = ["sources", "withdraw", bilingual, "most", "--lang", language, "--by", "Bo", "--why", why]
        assert "1 confirmation withdrawn" in rulelang(*arguments, status=0).out
    assert states(bilingual, "most.1") == {"en": "translated", "nl": "translated"}
    rows = tomllib.loads(journal.read_text())
    assert [(row["why"], row["by"]) for row in rows["nl"]["most.1"]] == [("read too fast", "Bo")]
    assert rows["en"]["most.1"][0]["why"] == 'says "three" not four'
    assert rows["en"]["most.1"][0]["was"].startswith("by Ada on 20")
    confirm(corpus_of(bilingual))
    assert states(bilingual, "most.1") == {"en": "reviewed", "nl": "reviewed"}
    assert len(tomllib.loads(journal.read_text())["nl"]["most.1"]) == 1
    rulelang("sources", "withdraw", bilingual, "most", "--why", " ", status=2)
    rulelang("sources", "withdraw", bilingual, "mots", "--why", "x", status=2)


def test_a_journal_that_cannot_be_read_is_not_replaced(rulelang, bilingual: Path) -> None:
    confirm(corpus_of(bilingual))
    journal = bilingual / "text" / "withdrawn.toml"
    journal.write_text('[nl]\n"most.1" = [ { why = "too fast" }\n')
    assert (
        f"{journal}:" in rulelang("sources", "withdraw", bilingual, "most", "--why", "read too fast", status=1).err
        and "too fast" in journal.read_text()
    )
    assert states(bilingual, "most.1") == {"en": "reviewed", "nl": "reviewed"}


def test_other_words_for_the_same_rule_are_stale_but_not_dangerous(bilingual: Path) -> None:
    confirm(corpus_of(bilingual))
    edit(bilingual / "text" / "en.md", "A player takes at most", "A player picks up at most")
    assert states(bilingual, "most.1") == {"en": "stale", "nl": "reviewed"}
    assert not findings(bilingual, "R0919")
    assert [d.rule for d in findings(bilingual, "R0927")] == ["most"]
    assert len(confirm(corpus_of(bilingual)).changed) == 1
    assert not findings(bilingual, "R0927")


def test_a_change_of_meaning_in_one_language_is_confirmed_only_anyway(rulelang, bilingual: Path) -> None:
    confirm(corpus_of(bilingual), by="Ada")
    edit(bilingual / "text" / "nl.md", "minstens één", "hoogstens één")
    (found,) = findings(bilingual, "R0927")
    assert 'it said "at least" and it now says "at most", while en still says the same.' in found.message
    assert "confirmed by Ada on" in found.message and found.help is not None and "--anyway" in found.help
    said = rulelang("sources", "confirm", bilingual, status=1).out
    assert "nl.md" in said and "add --anyway" in said and "nothing confirmed" in said
    assert len(findings(bilingual, "R0927")) == 1
    data = rulelang("sources", "confirm", bilingual, "--anyway", "--format", "json", status=0).data
    assert [entry["statement"] for entry in data["confirmed"]] == ["take.1"] and data["refused"] == []
    assert not findings(bilingual, "R0927")


def test_the_same_change_in_every_language_is_no_danger(bilingual: Path) -> None:
    confirm(corpus_of(bilingual))
    edit(bilingual / "text" / "nl.md", "minstens één", "hoogstens één")
    edit(bilingual / "text" / "en.md", "at least one", "at most one")
    assert {Path(d.span.file).name for d in findings(bilingual, "R0927")} == {"en.md", "nl.md"}
    assert confirm(corpus_of(bilingual)).refused == ()


def test_a_statement_added_taken_away_or_a_section_gone_is_told(bilingual: Path) -> None:
    confirm(corpus_of(bilingual))
    en = bilingual / "text" / "en.md"
    before = en.read_text()
    second = next(line for line in before.splitlines() if line.startswith("2. "))
    edit(en, second, f"{second}\n3. One thing more.")
    assert findings(bilingual, "R0927")[0].message.startswith("`take` had 2 statements when it was confirmed in en")
    en.write_text(before.replace(f"{second}\n", ""))
    assert f"`take.2` was confirmed in en on {_today()}, and is no longer in" in findings(bilingual, "R0927")[0].message
    lines = before.splitlines()
    start = lines.index("### `most`")
    en.write_text("\n".join(lines[:start] + lines[start + 3 :]))
    assert [d.message for d in findings(bilingual, "R0927")] == [
        f"`most.1` was confirmed in en on {_today()}, and is no longer in {en}."
    ]
    confirm(corpus_of(bilingual))
    assert not findings(bilingual, "R0927")


def test_a_language_that_is_begun_is_confirmed_sentence_by_sentence(bilingual: Path) -> None:
    """Somebody signs off the first statement of a section; the second one, translated later, is no edit."""
    nl = bilingual / "text" / "nl.md"
    second = next(line for line in nl.read_text().splitlines() if line.startswith("2. "))
    edit(nl, f"{second}\n", "")
    assert [id_ for _, id_ in confirm(corpus_of(bilingual), ["nl"], ["take.1"]).changed] == ["take.1"]
    edit(nl, "1. Je moet minstens één steen nemen.\n", f"1. Je moet minstens één steen nemen.\n{second}\n")
    assert states(bilingual, "take.2")["nl"] == "translated"
    assert not findings(bilingual, "R0927")


def _today() -> str:
    from datetime import date

    return date.today().isoformat()


@pytest.mark.parametrize("name", ["edited", "stale"])
def test_no_reason_silences_the_guard(bilingual: Path, name: str) -> None:
    nl = bilingual / "text" / "nl.md"
    edit(nl, "minstens één steen nemen.", f"minstens één steen nemen.\n<!-- ignore {name}: I like it so -->")
    confirm(corpus_of(bilingual))
    edit(nl, "minstens één", "hoogstens één")
    assert len(findings(bilingual, "R0927")) == 1
    assert [d.message for d in findings(bilingual, "R0907")] == [
        f"`{name}` cannot be silenced: it watches over what people have confirmed."
    ]


def test_progress_counts_what_is_new_too(rulelang, bilingual: Path) -> None:
    edit(bilingual / "game.rules", "languages en, nl", "languages en, nl, es")
    whole = len(corpus_of(bilingual).statements)
    confirm(corpus_of(bilingual), languages=["en"])
    counts = progress([corpus_of(bilingual)])
    assert counts["es"] == {"new": whole, "translated": 0, "reviewed": 0, "stale": 0}
    assert counts["en"]["reviewed"] == counts["nl"]["translated"] == whole
    data = rulelang("sources", "progress", bilingual, "--format", "json", status=0).data
    assert data["languages"]["es"]["new"] == whole
    assert "100 %" in rulelang("sources", "progress", bilingual, status=0).out
    new = rulelang("sources", "progress", bilingual, "--lang", "es", "--list", "new", status=0).out
    assert len(new.splitlines()) == whole
    told = rulelang("sources", "progress", bilingual, "--list", "knew", status=2).err
    assert "there is no state `knew`. Did you mean `new`?" in told


def test_texts_of_several_variants_in_one_folder_are_confirmed_side_by_side(tmp_path: Path) -> None:
    others = shutil.ignore_patterns("fr.md", "de.md", "es.md", "*.fr.md", "*.de.md", "*.es.md", "examples")
    game = Path(shutil.copytree(RULES / "meduris", tmp_path / "meduris", ignore=others))
    kept = game / "variants" / "text" / "confirmed.toml"
    kept.unlink(missing_ok=True)
    _, corpora = load(game, (), None, Sink(), {})
    with_variants = [corpus for corpus in corpora if corpus.asked]
    assert len(with_variants) > 1
    first = [key for corpus in with_variants for key in confirm(corpus).changed]
    assert {Path(file).name.split(".")[0] for file, _ in first} == {corpus.asked[0] for corpus in with_variants}
    written = kept.read_text()
    _, corpora = load(game, (), None, Sink(), {})
    assert [key for corpus in reversed(corpora) for key in confirm(corpus).changed] == []
    assert kept.read_text() == written
