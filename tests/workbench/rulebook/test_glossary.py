"""Terms of the glossary in texts: in all their forms, in compounds, with two meanings."""

from __future__ import annotations

from pathlib import Path

from rulelang.diagnostics import Sink
from workbench.rulebook.glossary import Glossary, read_glossary


def glossary(folder: Path, text: str) -> Glossary:
    (folder / "glossary.toml").write_text(text, encoding="utf-8")
    found = read_glossary(folder, Sink(), {})
    assert found is not None
    return found


def test_terms_by_longest_match_forms_and_compounds(tmp_path: Path) -> None:
    words = glossary(
        tmp_path,
        '[[concept]]\nid = "stone"\nen = ["stone"]\nde = ["Stein", "Steine"]\n'
        '[[concept]]\nid = "rune_stone"\nen = ["rune stone"]\nde = ["Runenstein"]\n'
        '[[concept]]\nid = "temple"\nen = ["temple"]\nde = ["Tempel"]\n',
    )

    def named(text: str, language: str) -> list[str]:
        return [id_ for use in words.uses(text, language) for id_ in sorted(use.concepts)]

    assert named("Two stones and a rune stone by the temples", "en") == ["stone", "rune_stone", "temple"]
    assert named("Runensteine, Tempelsteine, Tempelplatz", "de") == ["rune_stone", "temple", "stone", "temple"]
    assert named("A stone. Rune: stone", "en") == ["stone", "stone"]
    surely, perhaps = words.count("a rune stone", "en")
    assert (surely["stone"], perhaps["stone"]) == (0, 1)


def test_a_word_with_two_meanings_counts_for_either(tmp_path: Path) -> None:
    words = glossary(tmp_path, '[[concept]]\nid = "a"\nnl = ["tempel"]\n[[concept]]\nid = "b"\nnl = ["tempel"]\n')
    surely, perhaps = words.count("de tempel", "nl")
    assert not surely
    assert perhaps == {"a": 1, "b": 1}
