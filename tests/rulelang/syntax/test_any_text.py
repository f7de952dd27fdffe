"""Whatever stands in a file, reading it ends in a Program or in findings that point into the file: never in a crash."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from paths import RULES

import rulelang
from rulelang.diagnostics import Diagnostic, Sink
from rulelang.render import as_json, render_text
from rulelang.source import SourceFile, Span
from rulelang.syntax.layout import decode, without_tabs
from rulelang.syntax.mistakes import keywords
from rulelang.syntax.parse import parse_source, parse_text
from workbench.checking import check_game

GAME = RULES / "meduris"
FILES = {p.relative_to(GAME): p.read_text(encoding="utf-8") for p in sorted(GAME.rglob("*.rules"))}
CSV = {p.relative_to(GAME): p.read_text(encoding="utf-8") for p in sorted(GAME.rglob("*.csv"))}
TEXTS = {p.relative_to(GAME): p.read_text(encoding="utf-8") for p in sorted(GAME.rglob("*.md"))}
SECONDS = 5.0  # for one file; a hundred times what an ordinary file needs

SMALL = """\
game pile
  title "The Pile"
  players 2..3

enum Colour: red, green, blue

table Field, ring
  worth: 0..5
  rows from "fields.csv"

number size
  when players is 2: 7
  otherwise: 9

the game has
  left: 0..9 = size
  sack: bag of Colour = {c: 2 for c in Colour}, counted
  here: Field or none

each Player has
  hand: pool of Colour, seen by owner
  score: 0..50 = 0, not below 0

winner most score[p], then most count(hand[p]), then shared

define worth(c: Colour) by c
  red: 1
  green, blue: 2
define best = max(worth(c) for c in Colour) otherwise 0
graph path
  node f in Field where f.worth > 0
  edge f to next(f)

invariant not_lost: left <= size

event taken(who: Player)

rule play
  take turns p from first(Player) until left is 0
    do turn(p)
  end the game

rule turn(p: Player)
  surely p chooses one of
    option take(n in 1..3)
      needs n <= left
      decrease left by n
      announce taken(p)
      p scores if n > 1 then n else 0
    option draw
      needs count(sack) > 0
      move 1 from sack to hand[p]
  each f in here
    set here to next(f)
  if here is none
    set here to first(Field)
  otherwise if count(groups(path)) > 1
    do nothing

rule bonus on taken(p)
  p scores best mod 3

example two
  players A, B
  given left is 5
  run turn(A)
  A chooses take(2)
  then left is 3
"""
FIELDS = "name,worth\nf1,1\nf2,0\nf3,5\n"
BOOK = "# The Pile\n\n### `size`\n1. There are {size@2} pieces.\n\n### `take`\n1. Take {count(Colour)} or less.\n"

_WORDS = sorted(
    keywords() | {"left", "size", "p", "Player", "Colour", "Field", "score", "red", "7", "0", "99999999999"}
)
_ODD = ["..", "\n  ", "\n    ", "\ufeff", "\x00", "\u2028", "é", "²", "٣", "\r", "\r\n"]
_SIGNS = [*"()[]{}.,:=+-*/<>#\"' \n\t", *_ODD]
snippets = st.lists(st.sampled_from(_WORDS) | st.sampled_from(_SIGNS) | st.text(max_size=3), max_size=40).map(" ".join)
anything = st.text(max_size=200) | snippets | st.lists(snippets, max_size=5).map("\n".join)


def sane(span: Span, sources: dict[str, str]) -> None:
    """The place exists: its file is known, its lines are in the file, it does not end before it starts."""
    lines = [without_tabs(line) for line in sources[span.file].split("\n")]  # columns are counted like this
    assert 1 <= span.line <= span.end_line <= len(lines), span
    assert 1 <= span.column <= len(lines[span.line - 1]) + 1, span
    assert 1 <= span.end_column <= len(lines[span.end_line - 1]) + 2, span
    assert (span.line, span.column) <= (span.end_line, span.end_column), span


def told(diagnostics: list[Diagnostic], sources: dict[str, str]) -> None:
    """Every finding has a code, words and a place, and every renderer can show it."""
    files = {name: SourceFile(name, text) for name, text in sources.items()}
    for diagnostic in diagnostics:
        assert diagnostic.code.startswith("R0")
        assert diagnostic.message.strip()
        sane(diagnostic.span, sources)
        for label in diagnostic.labels:
            sane(label.span, sources)
        assert as_json(diagnostic)["line"] == diagnostic.span.line
    assert len(render_text(diagnostics, files)) < 2_000 * (len(diagnostics) + 1)


def parsed(text: str) -> None:
    began = time.process_time()
    file, diagnostics = parse_text("any.rules", text)
    assert time.process_time() - began < SECONDS
    normal = text.replace("\r\n", "\n").replace("\r", "\n")
    told(diagnostics, {"any.rules": normal})
    assert (
        diagnostics or file.items or not [s for s in normal.split("\n") if s.strip() and not s.strip().startswith("#")]
    )


def checked(folder: Path, files: dict[str, str | bytes]) -> None:
    """Writes a game and checks it."""
    folder = folder.resolve()
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
    began = time.process_time()
    try:
        report = check_game(folder)
    except rulelang.UnusablePath as problem:
        assert str(problem)
        return
    assert time.process_time() - began < 4 * SECONDS
    sources = {name: source.text for name, source in report.sources.items()}
    for diagnostic in report.diagnostics:
        sources.setdefault(diagnostic.span.file, "")  # a file that cannot be read has findings, but no text
        if not sources[diagnostic.span.file]:
            sources[diagnostic.span.file] = "\n".join([" " * 500] * diagnostic.span.line)
    told(report.diagnostics, sources)
    if not report.has_errors:
        assert report.games and rulelang.load(folder).rules


# ---------------------------------------------------------------- any text, any bytes


@given(anything)
@example("\ufeffgame x")
@example("rule a\n  p scores (((")
@example('game x\n  title "')
@example("example a.b.\n  then")
@example("if " * 50)
def test_any_text_is_parsed_or_refused(text: str) -> None:
    parsed(text)


@given(st.binary(max_size=300))
@example(b"\xff\xfeg\x00a\x00")
@example(b"\xef\xbb\xbfgame x\r\n  players 2\r\n")
@example(b"game x\n  players 2\n\x80")
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    sink = Sink()
    source = decode(data, "any.rules", sink)
    if source is None:
        (finding,) = sink
        assert finding.code == "R0102" and finding.help
        assert 1 <= finding.span.line <= data.count(b"\n") + 1
    else:
        parse_source(source, sink)
        told(list(sink), {"any.rules": source.text})


@given(st.lists(st.tuples(st.integers(0, 8), snippets), max_size=12))
def test_any_block_structure_is_parsed_or_refused(lines: list[tuple[int, str]]) -> None:
    parsed("rule play\n" + "\n".join("  " * depth + text.replace("\n", " ") for depth, text in lines))


# ---------------------------------------------------------------- real files, spoilt


def spoil(text: str, chance: random.Random) -> str:
    """One small accident: lines lost, doubled, swapped or moved in, characters flipped, pieces cut out or spliced."""
    lines = text.split("\n")
    here, there = chance.randrange(len(lines)), chance.randrange(len(lines))
    kind = chance.randrange(9)
    if kind == 0:
        del lines[here]
    elif kind == 1:
        lines.insert(here, lines[there])
    elif kind == 2:
        lines[here], lines[there] = lines[there], lines[here]
    elif kind == 3:
        lines[here] = " " * chance.randrange(9) + lines[here].strip()
    elif kind == 4:
        words = lines[here].split(" ")
        words[chance.randrange(len(words))] = chance.choice(_WORDS)
        lines[here] = " ".join(words)
    elif kind == 5:
        words = lines[here].split(" ")
        del words[chance.randrange(len(words))]
        lines[here] = " ".join(words)
    else:
        at, other = chance.randrange(len(text) + 1), chance.randrange(len(text) + 1)
        size = chance.randrange(1, 30)
        if kind == 6:
            return text[:at] + chance.choice(_SIGNS) + text[at + 1 :]
        if kind == 7:
            return text[:at] + text[at + size :]
        return text[:at] + text[other : other + size] + text[at:]
    return "\n".join(lines)


seeds = st.randoms(use_true_random=False)


@given(st.sampled_from(sorted(FILES)), seeds, st.integers(1, 3))
def test_spoilt_files_are_parsed_or_refused(path: Path, chance: random.Random, accidents: int) -> None:
    text = FILES[path]
    for _ in range(accidents):
        text = spoil(text, chance)
    parsed(text)


@given(seeds, st.integers(1, 3))
def test_a_spoilt_small_game_is_checked_or_refused(
    tmp_path_factory: pytest.TempPathFactory, chance: random.Random, accidents: int
) -> None:
    files: dict[str, str | bytes] = {"pile.rules": SMALL, "fields.csv": FIELDS, "text/en.md": BOOK}
    for _ in range(accidents):
        name = chance.choice(["pile.rules"] * 6 + ["fields.csv", "text/en.md"])
        text = files[name]
        assert isinstance(text, str)
        files[name] = spoil(text, chance)
    checked(tmp_path_factory.mktemp("pile"), files)


@settings(max_examples=4)
@given(seeds)
def test_a_spoilt_real_game_is_checked_or_refused(
    tmp_path_factory: pytest.TempPathFactory, chance: random.Random
) -> None:
    files: dict[str, str | bytes] = {str(p): t for p, t in (FILES | CSV | TEXTS).items() if "examples" not in p.parts}
    name = chance.choice(sorted(files))
    text = files[name]
    assert isinstance(text, str)
    files[name] = spoil(text, chance)
    checked(tmp_path_factory.mktemp("game"), files)
