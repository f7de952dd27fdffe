"""A Workspace after any edits says the same as one that has never seen anything else."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import pytest
from paths import RULES

from rulelang.checking import check
from rulelang.diagnostics import RulesError, Sink, UnusablePath
from rulelang.workspace import Workspace

MAIN = """\
game pile
  title "The Pile"
  players 2..3

enum Colour: red, green, blue

table Field, ring
  worth: 0..5
  near: Colour
  rows from "fields.csv"
  rows from "more.csv" when players is 3

number size
  when players is 2: 7
  otherwise: 9
number worth_more = 2
reading mild: yes, no
  default yes
  because "nobody says"

the game has
  left: 0..9 = size
  sack: bag of Colour = {c: 2 for c in Colour}, counted
  here: Field or none

each Player has
  hand: pool of Colour, seen by owner
  score: 0..50 = 0, not below 0

winner most score[p], then most count(hand[p]), then shared
invariant all_there: count(sack) + sum(count(hand[p]) for p in Player) is 6
"""

TURN = """\
part of pile

define worth(c: Colour) by c
  red: 1
  green, blue: worth_more
define best = max(worth(c) for c in Colour) otherwise 0
define twice(n: 0..20) = n * 2
graph path
  node f in Field where f.worth > 0
  edge f to next(f)

rule play
  do deal
  take turns p from first(Player) until left is 0
    rule turn
      p chooses one of
        option turn.draw
          needs count(sack) > 0
          move 1 from sack to hand[p]
        option turn.score
          p scores best + twice(worth_more)
        option turn.rest
          do nothing
    decrease left by 1
  announce over(left)
  end the game

rule deal
  each p in Player
    if mild is yes
      increase score[p] by 1
    otherwise
      increase score[p] by size / size rounded down

event over(n: 0..9)
rule counting on over(n)
  each p in Player, f in Field where f.worth > n
    p scores count(group(path, f))
"""

EXAMPLES = """\
examples of pile

example scoring
  players A, B
  given score[A] is 3
  run counting(1)
  then score[A] is 4

example opening
  players A, B, C
  given left is size
  run deal
  then score[B] is 1, left is 9

example varied
  players A, B
  using long
  given score[A] is 3, here is f1
  run deal
  then score[A] is 4
"""

LONG = """\
variant long of pile
  "A longer game."

change number worth_more to 3
extend enum Colour: white
extend define worth
  white: 3

after rule deal
  rule deal.more
    set here to f1

replace option turn.rest
  needs left > 1
  do nothing
"""


def plain(value: Any) -> Any:
    """Everything in a value, what ``==`` leaves out as well, and the order of what has one."""
    if attrs.has(type(value)):
        fields = [(f.name, plain(getattr(value, f.name))) for f in attrs.fields(type(value)) if f.name != "_env"]
        return (type(value).__name__, *fields)
    if isinstance(value, dict):
        return [(key, plain(found)) for key, found in value.items()]
    if isinstance(value, (tuple, list)):
        return [plain(found) for found in value]
    if isinstance(value, frozenset):
        return sorted(value, key=repr)
    return type(value).__name__, value


def outcome(ask: Callable[[], Any]) -> Any:
    """What comes out, or why nothing does."""
    try:
        return ask()
    except RulesError as error:
        return [plain(d) for d in error.diagnostics]
    except UnusablePath as error:
        return str(error)


def checked(workspace: Workspace, root: Path) -> Any:
    report = check(workspace, root)
    programs = [plain(program) for program in report.programs]
    return [plain(d) for d in report.diagnostics], report.games, programs, report.sources


def loaded(workspace: Workspace, root: Path) -> Any:
    """Its Programs, with and without its variants."""
    variants = list(workspace.open(root)[0].variants)
    chosen = [(players, names) for players in (2, 3) for names in ((), *((name,) for name in variants))]
    return [outcome(lambda p=p, v=v: plain(workspace.load(root, p, variants=v))) for p, v in chosen]


def resolved(workspace: Workspace, root: Path) -> Any:
    """Its examples, to be run."""
    sink = Sink()
    files, names = workspace.open(root, (), sink)
    if files.game is None or sink.has_errors:
        return None
    return plain(workspace.examples(files, sink, names)), [plain(d) for d in sink]


def everything(workspace: Workspace, root: Path) -> list[Any]:
    return [outcome(lambda ask=ask: ask(workspace, root)) for ask in (checked, loaded, resolved)]


@attrs.define
class Texts:
    """The texts of a game while they are edited, and the last ones without errors."""

    now: dict[Path, str]
    chance: random.Random
    sound: dict[Path, str] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.sound = dict(self.now)

    def edit(self) -> None:
        path = self.chance.choice(sorted(self.now))
        change = self.chance.choice(CHANGES)
        self.now[path] = change(self.now[path], self.chance)

    def done(self, sound: bool) -> None:
        """Mistakes are often mended, by going back, and sometimes others are made on top."""
        if sound:
            self.sound = dict(self.now)
        elif self.chance.random() < 0.6:
            self.now = dict(self.sound)


def _number(text: str, chance: random.Random) -> str:
    places = list(re.finditer(r"\b[0-9]+\b", text))
    return _put(text, chance.choice(places), str(chance.randint(0, 12))) if places else text


def _word(text: str, chance: random.Random) -> str:
    words = list(re.finditer(r"\b[a-z]\w*\b", text))
    return _put(text, chance.choice(words), chance.choice(words)[0]) if words else text


def _rename(text: str, chance: random.Random) -> str:
    word = chance.choice(re.findall(r"\b[A-Za-z]\w*\b", text) or ["x"])
    return re.sub(rf"\b{word}\b", word + "x", text)


def _lines(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    lines.insert(chance.randrange(len(lines)), chance.choice(["", "# a remark"]))
    return "\n".join(lines)


def _cut(text: str, chance: random.Random) -> str:
    at = chance.randrange(len(text) + 1)
    return text[:at] + text[at + 1 :]


def _blank(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    del lines[chance.randrange(len(lines))]
    return "\n".join(lines)


def _delete(text: str, chance: random.Random) -> str:
    items = _items(text)
    if len(items) > 1:
        del items[chance.randrange(1, len(items))]
    return "".join(items)


def _double(text: str, chance: random.Random) -> str:
    items = _items(text)
    items.append(chance.choice(items))
    return "".join(items)


def _swap(text: str, chance: random.Random) -> str:
    items = _items(text)
    one, other = chance.randrange(len(items)), chance.randrange(len(items))
    items[one], items[other] = items[other], items[one]
    return "".join(items)


def _items(text: str) -> list[str]:
    return re.findall(r"(?:^|(?<=\n))\S.*\n(?:(?:\s.*)?\n)*", text) or [text]


def _put(text: str, place: re.Match[str], new: str) -> str:
    return text[: place.start()] + new + text[place.end() :]


CHANGES = (_number, _number, _word, _word, _rename, _lines, _cut, _blank, _delete, _double, _swap, _swap)


@pytest.fixture
def pile(tmp_path: Path) -> Path:
    root = tmp_path / "pile"
    (root / "examples").mkdir(parents=True)
    (root / "variants").mkdir()
    (root / "pile.rules").write_text(MAIN)
    (root / "turn.rules").write_text(TURN)
    (root / "examples" / "cases.rules").write_text(EXAMPLES)
    (root / "variants" / "long.rules").write_text(LONG)
    (root / "fields.csv").write_text("name,worth,near\nf1,1,red\nf2,0,blue\n")
    (root / "more.csv").write_text("name,worth,near\nf3,2,red\n")
    return root


def texts_of(root: Path) -> dict[Path, str]:
    return {p: p.read_text() for kind in ("*.rules", "*.csv") for p in sorted(root.rglob(kind))}


def same_after_edits(root: Path, seed: int, edits: int) -> None:
    """A Workspace that has seen every version so far says the same as a fresh one, after each of many edits."""
    texts = Texts(texts_of(root), random.Random(seed))
    old = Workspace(edits=seed % 2 == 0)
    for _ in range(edits):
        texts.edit()
        fresh = Workspace()
        for path, text in texts.now.items():
            old.set_text(path, text)
            fresh.set_text(path, text)
        assert everything(old, root) == everything(fresh, root)
        texts.done(_is_sound(fresh, root))


def _is_sound(workspace: Workspace, root: Path) -> bool:
    try:
        return not check(workspace, root).has_errors
    except UnusablePath:
        return False


@pytest.mark.parametrize("seed", range(4))
def test_after_any_edits_everything_is_as_if_read_for_the_first_time(pile: Path, seed: int) -> None:
    same_after_edits(pile, seed, 30)


@pytest.mark.slow
@pytest.mark.timeout(3_000)
@pytest.mark.parametrize("game", ["meduris", "babel", "skye", "classics/reversi"])
def test_the_same_in_the_games(game: str, tmp_path: Path) -> None:
    root = tmp_path / "game"
    shutil.copytree(RULES / game, root)
    same_after_edits(root, 7, 40)
