"""Measure the aligner against maps made by hand, leaving out one idea at a time.

    RULELANG_SOURCES=FOLDER python benchmarks/align.py [--seeds seeds] [--pairs nl-fr,nl-en,en-fr,fr-nl]

The maps say which statements a passage states; two passages correspond if they share a statement. For each pair of
languages, with precision P, recall R and their harmonic mean F1:
links       passages linked directly (recall is low by nature: a passage need not be linked to every restatement)
pairs       passages that state the same thing once the statements have been carried over through the links
statements  statements carried over to the passages of the second document
lines       the same per line, where the second document comes without a map and is cut by the aligner
The weights were tuned on nl-fr; the other pairs show how well they do elsewhere.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Collection, Iterable, Mapping
from itertools import groupby
from pathlib import Path

import attrs

from rulelang.diagnostics import Sink
from workbench.rulebook.align import AlignedPiece, Alignment, AlignSettings, Text, align, prepare
from workbench.rulebook.align.documents import terms_of
from workbench.rulebook.glossary import Glossary, read_glossary
from workbench.rulebook.sources import documents_folder, read_documents, text_of

BASE = AlignSettings()
VARIANTS: tuple[tuple[str, AlignSettings], ...] = (
    ("everything", BASE),
    ("without order", attrs.evolve(BASE, order=0.0)),
    ("order of neighbours only", attrs.evolve(BASE, reach=0.0)),
    ("without learnt lexicon", attrs.evolve(BASE, learn=False)),
    ("one round of learning", attrs.evolve(BASE, rounds=2)),
    ("without cognates", attrs.evolve(BASE, cognates=False)),
    ("without numbers", attrs.evolve(BASE, numbers=0.0)),
    ("without cognates and numbers", attrs.evolve(BASE, cognates=False, numbers=0.0)),
    ("without length", attrs.evolve(BASE, length=0.0)),
    ("without headings", attrs.evolve(BASE, heading=1.0)),
    ("trust in few words", attrs.evolve(BASE, information=0.0)),
    ("looser choice", attrs.evolve(BASE, near_both=0.6)),
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seeds", type=Path, default=Path("seeds"))
    parser.add_argument("--pairs", default="nl-fr,nl-en,en-fr,fr-nl")
    arguments = parser.parse_args()
    games = texts(arguments.seeds)
    if not games:
        print("No mapped document was found; set RULELANG_SOURCES to the folder of the documents.", file=sys.stderr)
        return 2
    pairs = [tuple(pair.split("-")) for pair in arguments.pairs.split(",")]
    for game, languages in games.items():
        glossary = read_glossary(Path("rules") / game / "text", Sink(), {})
        for left, right in pairs:
            if left in languages and right in languages:
                one_pair(game, languages[left], languages[right], glossary)
    return 0


def texts(seeds: Path) -> Mapping[str, Mapping[str, Text]]:
    """The documents that are available, by game and language."""
    found: dict[str, dict[str, Text]] = {}
    for game, documents in groupby(read_documents(seeds, Sink()), key=lambda d: d.game):
        for document in documents:
            lines = text_of(document, documents_folder())
            if lines is not None:
                pieces = [AlignedPiece(p.first, p.last, p.kind, p.states) for p in document.passages]
                found.setdefault(game, {})[document.language] = prepare(document.id, document.language, lines, pieces)
    return found


def one_pair(game: str, left: Text, right: Text, glossary: Glossary | None) -> None:
    print(f"\n{game} {left.language}-{right.language}: {len(left.pieces)} and {len(right.pieces)} passages")
    heads = [f"{name + ' P':>{width}}     R    F1" for name, width in (("links", 8), ("pairs", 9), ("statem.", 10))]
    print(f"{'':<30} {' '.join(heads)}")
    for name, settings in VARIANTS:
        row(name, left, right, settings)
    if glossary is not None:
        row("with the glossary", left, right, BASE, glossary)
    raw = prepare(right.name, right.language, right.lines)
    print(f"{'no map of the second: lines':<30} {measure_lines(align(left, raw), right)}")


def row(name: str, left: Text, right: Text, settings: AlignSettings, glossary: Glossary | None = None) -> None:
    terms = terms_of(glossary, left.language, right.language) if glossary else ()
    started = time.perf_counter()
    figures = measure(align(left, right, settings=settings, terms=terms), left, right)
    cells = [
        f"{score.precision:>{width}.3f} {score.recall:5.3f} {score.f1:5.3f}"
        for score, width in ((figures.links, 8), (figures.pairs, 9), (figures.statements, 10))
    ]
    print(f"{name:<30} {' '.join(cells)} {time.perf_counter() - started:6.1f} s", flush=True)


# ---------------------------------------------------------------- quality


@attrs.frozen
class Score:
    """Precision, recall and their harmonic mean, 0 to 1."""

    right: int
    proposed: int
    wanted: int

    @property
    def precision(self) -> float:
        return self.right / self.proposed if self.proposed else 0.0

    @property
    def recall(self) -> float:
        return self.right / self.wanted if self.wanted else 0.0

    @property
    def f1(self) -> float:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0

    def __str__(self) -> str:
        return f"P {self.precision:.3f}  R {self.recall:.3f}  F1 {self.f1:.3f}"


@attrs.frozen
class Figures:
    """``links``: passages linked directly; ``pairs``: passages that state the same once the statements are carried
    over; ``statements``: statements carried over to each passage of the second text.

    Two passages correspond when they share a statement. Pairs of two passages that state nothing are not judged.
    """

    links: Score
    pairs: Score
    statements: Score


def measure(alignment: Alignment, left: Text, right: Text) -> Figures:
    """``left`` and ``right`` have the passages of ``alignment`` with the statements of the maps made by hand."""
    ours = [set(piece.states) for piece in left.pieces]
    theirs = [set(piece.states) for piece in right.pieces]
    gold = {(p, q) for p, a in enumerate(ours) for q, b in enumerate(theirs) if a & b}
    proposed = {(link.left, link.right) for link in alignment.links}
    judged = {(p, q) for p, q in proposed if ours[p] or theirs[q]}
    carried = carry(alignment, left)
    pairs = {(p, q) for q, states in enumerate(carried) for p, a in enumerate(ours) if a & states}
    known: set[str] = set().union(*ours) if ours else set()
    return Figures(
        _score(judged, gold),
        _score(pairs | judged, gold),
        _score(
            {(q, s) for q, states in enumerate(carried) for s in states},
            {(q, s) for q, states in enumerate(theirs) for s in states & known},
        ),
    )


def measure_lines(alignment: Alignment, right: Text) -> Score:
    """Statements carried over to each line, where the second text was cut by the aligner itself.

    ``right`` has the passages made by hand. Empty lines are not judged.
    """
    known = {state for piece in alignment.left.pieces for state in piece.states}
    full = {number for number, line in enumerate(right.lines, 1) if line.strip()}
    carried = zip(alignment.right.pieces, carry(alignment, alignment.left), strict=True)
    return _score(
        {(line, state) for piece, states in carried for line in full & _range(piece) for state in states},
        {
            (line, state)
            for piece in right.pieces
            for line in full & _range(piece)
            for state in known.intersection(piece.states)
        },
    )


def _range(piece: AlignedPiece) -> set[int]:
    return set(range(piece.first, piece.last + 1))


def carry(alignment: Alignment, left: Text) -> list[set[str]]:
    """The statements that each passage of the second text receives from its counterparts."""
    out: list[set[str]] = [set() for _ in alignment.right.pieces]
    for link in alignment.links:
        out[link.right].update(left.pieces[link.left].states)
    return out


def _score(found: Collection[object], gold: Iterable[object]) -> Score:
    wanted = set(gold)
    return Score(len(wanted.intersection(found)), len(found), len(wanted))


if __name__ == "__main__":
    sys.exit(main())
