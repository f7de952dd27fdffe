"""A Workspace after any edits says the same as one that has never seen anything else."""

from __future__ import annotations

import random
import re
import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import pytest
from paths import RULES

from rulelang.diagnostics import RulesError, Sink, UnusablePath
from rulelang.program import Const, Program
from rulelang.recent import Recent
from rulelang.whole_game import check
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

example cased
  players A, B
  given score[A] is before
  run counting(1)
  then score[A] is after
  cases before, after
    low: 3, 4
    high: 5, 6

example varied
  players A, B
  with long
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


@pytest.mark.parametrize("seed", range(2))
def test_after_any_edits_everything_is_as_if_read_for_the_first_time(pile: Path, seed: int) -> None:
    same_after_edits(pile, seed, 15)


@pytest.mark.slow
@pytest.mark.timeout(3_000)
@pytest.mark.parametrize("game", ["meduris", "babel", "skye", "classics/reversi"])
def test_the_same_in_the_games(game: str, tmp_path: Path) -> None:
    root = tmp_path / "game"
    shutil.copytree(RULES / game, root)
    same_after_edits(root, 7, 15)


# ---------------------------------------------------------------- texts


def start_score(program: Program) -> Any:
    initial = program.variables["left"].initial
    return initial.value if isinstance(initial, Const) else None


def test_unsaved_texts_count_until_they_are_forgotten(pile: Path) -> None:
    games = Workspace()
    assert start_score(games.load(pile)) == 7
    games.set_text(pile / "pile.rules", MAIN.replace("is 2: 7", "is 2: 6"))
    assert start_score(games.load(pile)) == 6
    games.forget(pile / "pile.rules")
    assert start_score(games.load(pile)) == 7


def test_an_unsaved_file_need_not_be_there(pile: Path) -> None:
    games = Workspace()
    games.set_text(pile / "more.rules", "part of pile\n\nnumber further = 4\n")
    games.set_text(pile / "third.csv", "name,worth,near\ng1,5,blue\n")
    games.set_text(pile / "pile.rules", MAIN.replace("fields.csv", "third.csv"))
    program = games.load(pile)
    assert program.numbers["further"] == 4
    assert program.domains["Field"].members == ("g1",)
    games.forget(pile / "more.rules")
    assert "further" not in games.load(pile).numbers


def test_a_game_may_be_unsaved_as_a_whole(tmp_path: Path) -> None:
    games = Workspace()
    games.set_text(tmp_path / "small.rules", "game small\n  players 2..2\n\nrule play\n  end the game\n")
    assert list(games.load(tmp_path).rules) == ["play"]
    assert list(games.load(tmp_path / "small.rules").rules) == ["play"]


def test_files_on_disk_are_looked_at_each_time(pile: Path) -> None:
    games = Workspace()
    games.load(pile)
    (pile / "fields.csv").write_text("name,worth,near\nf1,3,red\n")
    assert games.load(pile).tables["Field"].cells["worth"] == (3,)
    (pile / "pile.rules").write_text(MAIN.replace("is 2: 7", "is 2: 5"))
    assert start_score(games.load(pile)) == 5


# ---------------------------------------------------------------- what is remembered


def test_the_same_texts_give_the_same_program(pile: Path) -> None:
    games = Workspace()
    first = games.load(pile)
    games.set_text(pile / "turn.rules", TURN.replace("score[p] by 1", "score[p] by 2"))
    second = games.load(pile)
    assert second.rules["deal"] is not first.rules["deal"]
    games.forget(pile / "turn.rules")
    assert games.load(pile) is first


def test_an_edit_leaves_the_other_items_as_they_are(pile: Path) -> None:
    games = Workspace(edits=True)
    first = games.load(pile)
    games.set_text(pile / "turn.rules", TURN.replace("score[p] by 1", "score[p] by 2"))
    second = games.load(pile)
    other = {id_ for id_ in first.rules if second.rules[id_] is not first.rules[id_]}
    assert other == {"deal"}
    assert all(second.definitions[name] is first.definitions[name] for name in first.definitions)


def test_what_an_edit_changes_is_worked_out_anew(pile: Path) -> None:
    games = Workspace(edits=True)
    before = games.load(pile)
    games.set_text(pile / "pile.rules", MAIN.replace("worth_more = 2", "worth_more = 4"))
    after = games.load(pile)
    assert after.definitions["worth"] != before.definitions["worth"]
    assert after.rules["turn.score"] != before.rules["turn.score"]
    assert after.rules["deal"] is before.rules["deal"]


def test_a_thing_is_made_once_for_its_key() -> None:
    games = Workspace()
    made: list[str] = []

    def make() -> None:
        made.append("made")

    for key in ("one", "one", "two", "one"):
        games.remember(("thing", key), make)
    assert made == ["made", "made"]


def test_threads_wait_for_each_other(pile: Path) -> None:
    games = Workspace(edits=True)
    versions = [TURN.replace("score[p] by 1", f"score[p] by {n}") for n in range(1, 5)]
    found: list[Any] = []

    def work(seed: int) -> None:
        chance = random.Random(seed)
        for _ in range(8):
            games.set_text(pile / "turn.rules", chance.choice(versions))
            check(games, pile)
            found.append(repr(games.load(pile).rules["deal"]))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected = set()
    for version in versions:
        fresh = Workspace()
        fresh.set_text(pile / "turn.rules", version)
        expected.add(repr(fresh.load(pile).rules["deal"]))
    assert len(found) == 32 and set(found) <= expected


def test_what_was_not_used_for_longest_goes_first() -> None:
    kept: Recent[str] = Recent(5, len)
    for word in ("a", "bb", "cc"):
        kept.put(word, word)
    assert kept.get("a") == "a"
    kept.put("dd", "dd")
    assert ("bb" in kept, "a" in kept, "cc" in kept, "dd" in kept) == (False, True, True, True)
    kept.put("long", "too long by itself")
    assert len(kept) == 1 and kept.get("long") == "too long by itself"
