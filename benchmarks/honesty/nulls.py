"""Null rules: changes to the text of any game that change nothing in it, made without knowing the game.

Some lie in a variant beside it: idle rolls, a place that nobody uses, an option that nobody is ever offered. Others are
copies of the game: with a rule and an option under other names, and with declarations and rules in another order. They
shift what chance says, how things are numbered and where they lie, and so anything that hangs on these by mistake.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import attrs

import interpreter
from interpreter.comparing.alternatives import BASE, Alternative, AlternativeItem, Choices
from interpreter.comparing.playing import Beside, ComparedTable, ComparisonQuestion, ComparisonRun, Here, RuleSet
from interpreter.cores import cores
from interpreter.game import Game
from interpreter.lowered import code
from interpreter.lowered.counterparts import questions
from rulelang import RulesError, UnusablePath

from .pools import World

SHIFTING = ("idle rolls", "other names")
"""Those that change what chance says. Each page has one of them, and one of the others."""

_DECLARED = re.compile(r"(enum|number|define|the game has|each \w+.* has|rule [\w.]+(\([^)]*\))?$)")
"""First lines of items whose order says nothing."""


@attrs.frozen(eq=False)
class Null:
    """A game under a null rule."""

    name: str
    game: Game


def nulls(path: Path, players: int, folder: Path) -> list[Null]:
    """Every kind of null rule that the game at ``path`` can have, for so many players; ``folder``: room for them."""
    base = interpreter.load(path, players=players, engine="wasm")
    found = []
    for name, make in _KINDS.items():
        for number, (root, variants) in enumerate(make(path, base, folder / name)):
            try:
                game = interpreter.load(root, players=players, variants=variants, engine="wasm")
                game.steps  # type: ignore[attr-defined] # noqa: B018 # compiled, if it can be
            except (RulesError, UnusablePath, interpreter.GameError):
                if number < _TRIES:
                    continue
                break
            found.append(Null(name, game))
            break
    return found


_TRIES = 40
"""Places that are tried out for a null rule, until one has room for it."""

Made = Iterator[tuple[Path, list[str]]]
"""Where a game lies, and its variants, in every way that may do."""


def _idle(path: Path, base: Game, folder: Path) -> Made:
    """Rolls that nobody looks at, before the game and, where that is allowed, before a rule that runs in it."""
    body = "  repeat at most 3\n    roll idle in 1..6\n    do nothing\n"
    before = f"before rule {base.program.start}\n{body}"
    rules = [rule for rule in base.rules if rule != base.program.start]
    for number, more in enumerate([*(f"\nbefore rule {rule}\n{body}" for rule in reversed(rules)), ""]):
        yield path, [_variant(folder, number, base, before + more)]


def _unused(path: Path, base: Game, folder: Path) -> Made:
    """Places that nobody uses."""
    places = (
        "the game has\n  null_mark: 0..9\n  null_box: pool of NullPiece\n\nenum NullPiece: null_piece, null_other\n"
    )
    yield path, [_variant(folder, 0, base, places)]


def _never(path: Path, base: Game, folder: Path) -> Made:
    """An option that nobody is ever offered."""
    menus = dict.fromkeys(ask.rule for ask in questions(base.blueprint.units) if isinstance(ask, code.Menu))
    for number, rule in enumerate(menus):
        gate = "the game has\n  null_gate: 0..9\n"
        option = f"\nextend rule {rule}\n  option null_offer\n    needs null_gate > 0\n    set null_gate to 0\n"
        yield path, [_variant(folder, number, base, gate + option)]


def _renamed(path: Path, base: Game, folder: Path) -> Made:
    """A rule that asks, and an option, under other names."""
    asking = list(dict.fromkeys(ask.rule for ask in questions(base.blueprint.units)))
    options = [o for a in questions(base.blueprint.units) if isinstance(a, code.Menu) for o in [a.items[0].rule.id]]
    every = [[rule, *options[:1]] for rule in asking] + [[rule] for rule in asking] + [[option] for option in options]
    for number, names in enumerate(every):
        wanted = re.compile(rf"(?<![\w.\[])(?:{'|'.join(map(re.escape, names))})(?![\w.\]:])")
        yield _copy(path, folder / str(number), lambda text, w=wanted: w.sub(r"null_\g<0>", text)), []  # type: ignore[misc]


def _ordered(path: Path, base: Game, folder: Path) -> Made:
    """Declarations, and rules that run only where others say so, in the opposite order."""
    yield _copy(path, folder, _turned_round), []


_KINDS: dict[str, Callable[[Path, Game, Path], Made]] = {
    "idle rolls": _idle,
    "other names": _renamed,
    "unused places": _unused,
    "an option never offered": _never,
    "another order": _ordered,
}


def _variant(folder: Path, number: int, base: Game, text: str) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"null_{number}.rules"
    file.write_text(f'variant null_{number} of {base.name}\n  "Nothing changes."\n\n{text}')
    return str(file)


def _copy(path: Path, folder: Path, change: Callable[[str], str]) -> Path:
    """The rules of a game, without its variants and examples, each file changed."""
    shutil.copytree(
        path, folder, ignore=shutil.ignore_patterns("variants", "examples*", "text", "*.look", "*.expected")
    )
    for file in folder.rglob("*.rules"):
        text = file.read_text(encoding="utf-8")
        if re.match(r"\s*(#.*\n|\s*\n)*(variant|examples) ", text):
            file.unlink()
        else:
            file.write_text(change(text), encoding="utf-8")
    return folder


def _turned_round(text: str) -> str:
    items = re.split(r"(?m)^(?=[^\s#])", text)
    places = [place for place, item in enumerate(items) if _DECLARED.match(item.split("\n", 1)[0])]
    turned = list(items)
    for place, other in zip(places, reversed(places), strict=True):
        turned[place] = items[other].rstrip("\n") + "\n\n"
    return "".join(turned)


class NullWorld(World):
    """Comparisons of a game with null rules, whose games are really played."""

    @classmethod
    def beside(cls, path: Path, players: int, bots: str, games: int, folder: Path) -> NullWorld:
        """``games``: pairs of a comparison."""
        base = interpreter.load(path, players=players, engine="wasm")
        source = Here()
        rules = RuleSet.of(BASE, base, bots, cores(), source)
        found = [
            Beside.of(Alternative((AlternativeItem("setting", null.name, called=null.name),)), null.game, None, rules)
            for null in nulls(path, players, folder)
        ]
        table = ComparedTable.of(rules, found, 0)
        question = ComparisonQuestion(str(path), tuple(each.alternative for each in found), (players,), (bots,), games)
        return cls(ComparisonRun(question, Choices.of(path, players=players), [table], {}, False, source), None, None)

    def begin(self, seed: int) -> ComparisonRun:
        """A page shows two of the null rules, each page the next ones."""
        run = super().begin(seed)
        (table,) = run.tables
        shifting = [each for each in table.beside if each.alternative.name in SHIFTING]
        others = [each for each in table.beside if each.alternative.name not in SHIFTING]
        shown = [kind[seed % len(kind)] for kind in (shifting, others) if kind]
        for beside in table.beside:
            beside.problem = None if beside in shown else "on another page"
        return run


__all__ = ["SHIFTING", "Null", "NullWorld", "nulls"]
