"""What the cross-check finds of seeded mistakes, and what it warns of where nothing is wrong.

    python -m benchmarks.crosscheck [FILE ...] [--show missed|false] [--kind NAME,...] [--out docs/cross-check.md]

A list is a TOML file, by default each in benchmarks/slips: ``[meaning]`` and ``[form]`` have mistakes by class,
``[language, statement, words, what they become]``; ``[reworded]`` has sentences that mean the same,
``[language, statement, text]``. They are about the statements of the ``game`` in rules/, or about ``[statements]`` of
their own, a table of languages each; by ids as ``"winner.1"`` they are about its rules. Every entry is tried with all
languages and with two. *found*: mistakes that a check warns of; *false*: rewordings that it warns of.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any

import attrs

from rulelang import workspace
from rulelang.diagnostics import Diagnostic, Sink
from workbench.rulebook.corpus import Corpus, read_corpus
from workbench.rulebook.crosscheck import cross_check
from workbench.rulebook.crosscheck.checks import NAMES
from workbench.rulebook.texts import Statement, parse_text

ROOT = Path(__file__).resolve().parent.parent
LISTS = Path(__file__).with_name("slips")
BEGIN, END = "<!-- figures -->", "<!-- end of figures -->"
PARTS = ("meaning", "form", "reworded")
_WITHOUT_TEXTS = "kalah"


@attrs.frozen
class Entry:
    """One sentence in other words. ``part``: one of PARTS; ``kind``: the class its list puts it in."""

    part: str
    kind: str
    language: str
    id: str
    text: str


@attrs.frozen(slots=False)
class SlipList:
    """A list as it was read from a file, with the texts it is about."""

    name: str
    corpus: Corpus
    data: dict[str, Any]

    @classmethod
    def read(cls, path: Path) -> SlipList:
        """Raises ValueError for a list that cannot be used."""
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        sink = Sink()
        files, _ = workspace.default().open(ROOT / "rules" / data.get("game", _WITHOUT_TEXTS), (), sink)
        corpus = read_corpus(files, (), (), None, sink)
        if corpus is None or sink.has_errors:
            raise ValueError(f"{path}: the rules of {data.get('game')} have mistakes.")
        if own := data.get("statements"):
            languages = dict.fromkeys(language for said in own.values() for language in said)
            texts = []
            for language in languages:
                lines: list[str] = []
                for section, ids in groupby(own, lambda id_: id_.rpartition(".")[0] or "s"):
                    said = {id_.rpartition(".")[2]: own[id_].get(language, "") for id_ in ids}
                    lines += [f"### `{section}`", *(f"{number}. {text}" for number, text in said.items())]
                texts.append(parse_text(language, f"{path.stem}.{language}.md", lines, sink))
            corpus = attrs.evolve(corpus, texts=tuple(texts), glossary=None)
        return cls(path.stem, corpus, data)

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """Those whose statement and words are there: texts are mended, and lists with them."""
        return tuple(self._entries())

    def _entries(self) -> Iterator[Entry]:
        for part in PARTS:
            for kind, rows in self.data.get(part, {}).items():
                for language, id_, *words in rows:
                    id_ = f"s.{id_}" if isinstance(id_, int) else id_
                    statement = self.corpus.statements.get(id_, {}).get(language)
                    if statement is None or (len(words) > 1 and words[0] not in statement.text):
                        print(f"{self.name}: left out: {language} {id_} {words[0]}", file=sys.stderr)
                    else:
                        text = words[0] if len(words) == 1 else statement.text.replace(*words, 1)
                        yield Entry(part, kind, language, id_, text)


@attrs.define
class Trial:
    """A list with all languages, or with two: what is new for an entry."""

    list: SlipList
    two: bool
    known: dict[str, tuple[Corpus, frozenset[tuple[str, object]]]] = attrs.Factory(dict)

    def findings(self, entry: Entry) -> list[Diagnostic]:
        """Warnings and errors that the sentence as it was does not have, nor the text of another language had."""
        corpus, known = self._base(entry.language)
        changed = _with_text(corpus, entry)
        found = cross_check(changed).findings
        fresh = (d for d in found if known.isdisjoint({(d.code, d.message), (d.code, d.span)}))
        return [d for d in fresh if d.severity != "note"]

    def _base(self, language: str) -> tuple[Corpus, frozenset[tuple[str, object]]]:
        key = language if self.two else ""
        if key not in self.known:
            corpus = self.list.corpus
            if self.two:
                pair = {language, "en" if language != "en" else "nl"}
                corpus = attrs.evolve(corpus, texts=tuple(t for t in corpus.texts if t.language in pair))
            found = cross_check(corpus).findings
            places = {(d.code, d.span) for d in found if d.severity != "note"}
            self.known[key] = corpus, places | frozenset((d.code, d.message) for d in found)
        return self.known[key]


def _with_text(corpus: Corpus, entry: Entry) -> Corpus:
    def changed(part: Any) -> Any:
        return attrs.evolve(part, text=entry.text) if isinstance(part, Statement) and part.id == entry.id else part

    texts = (
        attrs.evolve(text, parts=tuple(map(changed, text.parts))) if text.language == entry.language else text
        for text in corpus.texts
    )
    return attrs.evolve(corpus, texts=tuple(texts), only=frozenset({entry.id}))


@attrs.define
class Figures:
    """Counts by ``(two, part, kind)``, and by ``(check, language, part)`` of what each check warned of."""

    tried: Counter[tuple[bool, str, str]] = attrs.Factory(Counter)
    warned: Counter[tuple[bool, str, str]] = attrs.Factory(Counter)
    checks: Counter[tuple[str, str, str]] = attrs.Factory(Counter)

    def add(self, entry: Entry, two: bool, found: Sequence[Diagnostic]) -> None:
        key = (two, entry.part, entry.kind)
        self.tried[key] += 1
        self.warned[key] += bool(found)
        for name in {NAMES.get(d.code, d.code) for d in found}:
            self.checks[name, entry.language, entry.part] += 1

    def summary(self) -> Iterator[str]:
        """Markdown: what was warned of, by part and number of languages, and by class."""
        yield "| | all languages | two | by class, all languages |"
        yield "|---|---|---|---|"
        for part, name in zip(PARTS, ("mistakes of meaning", "mistakes of form", "rewordings"), strict=True):
            kinds = [kind for two, p, kind in self.tried if p == part and not two]
            cells = []
            for two in (False, True):
                tried, warned = (sum(c[two, part, kind] for kind in kinds) for c in (self.tried, self.warned))
                cells.append(f"{warned} of {tried}")
            by = (f"{kind} {self.warned[False, part, kind]}/{self.tried[False, part, kind]}" for kind in kinds)
            if kinds:
                yield f"| {name} | {' | '.join(cells)} | {', '.join(by)} |"

    def table(self) -> Iterator[str]:
        """Markdown: a line for each check and a column for each language, mistakes found and rewordings flagged."""
        languages = sorted({language for _, language, _ in self.checks})
        yield f"| check | {' | '.join(languages)} | right |"
        yield f"|---|{'---|' * (len(languages) + 1)}"
        for check in sorted({name for name, *_ in self.checks}):
            cells, right, wrong = [], 0, 0
            for language in languages:
                hits = self.checks[check, language, "meaning"] + self.checks[check, language, "form"]
                false = self.checks[check, language, "reworded"]
                cells.append(f"{hits} / {false}")
                right, wrong = right + hits, wrong + false
            yield f"| `{check}` | {' | '.join(cells)} | {right / (right + wrong):.0%} |"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        "python -m benchmarks.crosscheck", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="lists; without any, those beside it")
    parser.add_argument("--show", choices=("missed", "false"), help="print what is not found, or wrongly found")
    parser.add_argument("--kind", help="only these classes, with commas")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the tables between its two marks")
    given = parser.parse_args(arguments)
    figures = Figures()
    lists = [SlipList.read(path) for path in given.files or sorted(LISTS.glob("*.toml"))]
    for slips in lists:
        for two in (False, True):
            trial = Trial(slips, two)
            for entry in slips.entries:
                if given.kind and entry.kind not in given.kind.split(",") and entry.part not in given.kind.split(","):
                    continue
                found = trial.findings(entry)
                figures.add(entry, two, found)
                wanted = "false" if entry.part == "reworded" else "missed"
                if given.show == wanted and bool(found) == (wanted == "false"):
                    print(f"[{entry.kind}] {slips.name} {entry.id} {entry.language}{' 2' if two else ''}: {entry.text}")
                    for d in found:
                        print(f"    {d.code} {d.message}")
    lines = [*figures.summary(), "", *figures.table()]
    print("\n".join(lines))
    if given.out:
        before, mark, rest = given.out.read_text(encoding="utf-8").partition(BEGIN)
        if not mark or END not in rest:
            parser.error(f"{given.out} has no lines {BEGIN} and {END} to write between.")
        after = rest.partition(END)[2]
        given.out.write_text("\n".join([before + BEGIN, "", *lines, "", END + after]), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
