"""Slips and rewordings written by hand, before anybody looked whether they are found."""

from __future__ import annotations

import tomllib
from pathlib import Path

from games import GAMES, base_of
from test_mutations import is_found, new_findings, with_text

HERE = Path(__file__).parent
SLIPS = tomllib.loads((HERE / "slips_by_hand.toml").read_text(encoding="utf-8"))
REWORDED = tomllib.loads((HERE / "rewordings_by_hand.toml").read_text(encoding="utf-8"))["reworded"]
CORPORA = {game.name: game for game in GAMES}


def test_slips_are_found() -> None:
    missed: dict[str, list[str]] = {}
    tried: dict[str, int] = {}
    for kind, slips in SLIPS.items():
        for game, language, id_, words, wrong in slips:
            corpus = base_of(CORPORA[game])
            statement = corpus.statements[id_].get(language) if id_ in corpus.statements else None
            if statement is None or words not in statement.text:
                continue  # the text says it in other words by now
            tried[kind] = tried.get(kind, 0) + 1
            mutant = with_text(corpus, statement, language, statement.text.replace(words, wrong, 1))
            if not is_found(corpus, mutant):
                missed.setdefault(kind, []).append(f"{game} {id_} in {language}: {words} -> {wrong}")
    number = sum(tried.values())
    assert number > 0.8 * sum(map(len, SLIPS.values())), "too many texts have changed: write new slips"
    assert sum(map(len, missed.values())) <= 0.05 * number, missed
    assert all(len(list_) <= max(1, 0.15 * tried[kind]) for kind, list_ in missed.items()), missed


def test_hardly_any_rewording_is_flagged() -> None:
    flagged: list[str] = []
    for game, language, id_, text in REWORDED:
        corpus = base_of(CORPORA[game])
        found = new_findings(corpus, with_text(corpus, corpus.statements[id_][language], language, text))
        assert all(d.severity != "error" for d in found), found
        flagged += [d.message for d in found if d.severity != "note"][:1]
    assert len(flagged) <= 0.15 * len(REWORDED), "\n".join(flagged)
