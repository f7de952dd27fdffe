"""Code lenses: the verdict over an example, what examples and rulebook say over a rule, and what can be run there."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from textwrap import shorten

import attrs
from lsprotocol import types

from interpreter.loading import game_of
from interpreter.simulate.games import at_random, game_seed, play_one
from rulelang.diagnostics import Sink
from rulelang.files.folder import shown
from rulelang.names.symbols import Symbols
from rulelang.program import Program
from rulelang.source import Span
from rulelang.syntax import tree
from rulelang.syntax.walk import walk
from rulelang.words import several

from ..rulebook.texts import read_texts
from . import example_verdicts
from .outline import items_of
from .session import Desk, Document, Done


def lenses(desk: Desk, document: Document, params: types.CodeLensParams) -> list[types.CodeLens]:
    """The lenses of a rules file, above the first lines of its items."""
    root = desk.root(document)
    if root is None or document.suffix != ".rules":
        return []
    by_id: dict[str, list[example_verdicts.Verdict]] = {}
    assert document.path is not None
    desk.of(example_verdicts.Verdicts).want(root, shown(document.path))
    for verdict in example_verdicts.verdicts_of(desk, root):
        by_id.setdefault(verdict.example, []).append(verdict)
    known = _Known(desk, root, by_id)
    items = items_of(document).items
    return [_lens(document, span, command) for item in items for span, command in known.over(item)]


def _lens(document: Document, span: Span, command: types.Command) -> types.CodeLens:
    line = document.lines.position(span.line, 1)
    return types.CodeLens(types.Range(line, document.lines.position(span.line, span.column)), command)


class _Known:
    """What lenses tell of a game."""

    def __init__(self, desk: Desk, root: Path, by_id: dict[str, list[example_verdicts.Verdict]]) -> None:
        self._desk = desk
        self._root = root
        self._verdicts = by_id
        self._statements = desk.kept(("statements", root), lambda: _statements(desk, root))

    def over(self, item: tree.Item) -> Iterator[tuple[Span, types.Command]]:
        match item:
            case tree.Example():
                found = self._verdicts.get(item.id, [])
                failed = any(verdict.state == "failed" for verdict in found)
                yield item.span, self._command(_verdict(found) or "Run", EXAMPLES if failed else RUN, item.id)
            case tree.Rule():
                yield item.span, self._command(self._of_rule(item.id), EXAMPLES, item.id)
                yield item.span, self._command(self._simulated(item.id), SIMULATE)
            case tree.Variant():
                yield item.span, self._command("Test", TERMINAL, "test", item.name)
                yield item.span, self._command("Compare", TERMINAL, "compare", item.name)
                yield item.span, self._command("Smallest case", TERMINAL, "diff", f"--variant={item.name}")
            case tree.Number() | tree.Setting():
                yield item.span, self._command(counted(self._desk, self._root, item.name), EXAMPLES, item.name)
                if not isinstance(item, tree.Setting) or item.kind != "reading":
                    return
                for value in (value for value in item.values if value != item.default):
                    chosen = f"--option={item.name}={value}"
                    yield item.span, self._command(f"Where {value} matters", TERMINAL, "diff", chosen)
            case tree.Game():
                yield item.span, self._command("Play", TERMINAL, "play")
                yield item.span, self._command(self._all(), RUN, "")

    def _command(self, title: str, name: str, *arguments: str) -> types.Command:
        return types.Command(title, name, arguments=[str(self._root), *arguments])

    def _of_rule(self, rule: str) -> str:
        parts = [counted(self._desk, self._root, rule)]
        if self._statements is not None:
            parts.append(several(self._statements[rule], "statement"))
        return ", ".join(parts)

    def _simulated(self, rule: str) -> str:
        found = simulated(self._desk, self._root)
        if found is None:
            return "Simulate"
        if not found.games:
            return "Simulating …"
        often = found.fired[rule] / found.games
        words = f"runs {often:.1f} times a game" if often >= 0.05 or not often else f"runs {often:.3f} times a game"
        return f"{words} ({several(found.games, 'random game')}, {found.players} players)"

    def _all(self) -> str:
        every = [verdict for found in self._verdicts.values() for verdict in found]
        failed = sum(verdict.state == "failed" for verdict in every)
        left, why = example_verdicts.not_run(every)
        if left == len(every) and every:
            return f"{several(left, 'example')} {why}"
        ran = len(every) - left
        told = f"{failed} of {several(ran, 'example')} failed" if failed else f"{several(ran, 'example')} passed"
        return f"{told}, {left} {why}" if left else told


def _verdict(found: list[example_verdicts.Verdict]) -> str:
    """The title of an example's lens; one with cases has several verdicts. Empty without any."""
    failed = [verdict for verdict in found if verdict.state == "failed"]
    if failed:
        first = failed[0].failures[0].message.split("\n")[0] if failed[0].failures else "failed"
        first = first if len(first) <= _SHORT else shorten(first.partition(". ")[0], _SHORT, placeholder=" …")
        cases = f"{len(failed)} of {len(found)} cases: " if len(found) > 1 else ""
        return f"✗ {cases}{first}"
    left, why = example_verdicts.not_run(found)
    if left:
        return f"{left} of {len(found)} cases {why}" if left < len(found) else why
    if not found:
        return ""
    return f"✓ {len(found)} cases passed" if len(found) > 1 else "✓ passed"


_SHORT = 60
"""Letters of a failure over an example; all of it is told in the line that fails."""


_OWNERS = (tree.Rule, tree.MenuOption, tree.Define, tree.Variable, tree.Number, tree.Setting, tree.Table, tree.Graph)


def those_about(desk: Desk, root: Path, name: str) -> list[example_verdicts.Verdict]:
    """The verdicts on an example, on those that run a rule, or on those in which a number or a setting counts."""
    symbols = desk.symbols(root)
    names = {name}
    if symbols is not None and isinstance(symbols.things.get(name), tree.Number | tree.Setting):
        users = desk.kept(("users", root), lambda: _users(symbols))
        todo = [name]
        while todo:
            new = users.get(todo.pop(), set()) - names
            names |= new
            todo += new
    return [v for v in example_verdicts.verdicts_of(desk, root) if v.example in names or not names.isdisjoint(v.rules)]


def _users(symbols: Symbols) -> dict[str, set[str]]:
    """By the name of a thing, what mentions it: other things, rules, options and examples; of a rule, examples only."""
    found: dict[str, set[str]] = {}
    for file in symbols.file_names():
        owners: dict[int, str] = {}
        for item in symbols.items(file):
            for node in (item, *walk(item)):
                if isinstance(node, (*_OWNERS, tree.Example)):
                    name = getattr(node, "id", None) or node.name  # type: ignore[union-attr]
                    owners |= dict.fromkeys(range(node.span.line, node.span.end_line + 1), name)
        for mention in symbols.mentions(file):
            owner = owners.get(mention.span.line)
            of_rule = mention.name in symbols.rules and owner not in symbols.rules
            if owner is not None and (mention.name in symbols.things or of_rule):
                found.setdefault(mention.name, set()).add(owner)
    return found


def counted(desk: Desk, root: Path, name: str) -> str:
    """How many examples there are about something, how many of them fail, and what keeps others from running."""
    about = those_about(desk, root, name)
    failed = len({verdict.example for verdict in about if verdict.state == "failed"})
    told = several(len(about), "example") + (f", {failed} fail" if failed else "")
    left, why = example_verdicts.not_run(example_verdicts.verdicts_of(desk, root))
    if not left:
        return told
    every = example_verdicts.verdicts_of(desk, root)
    return f"{told}, {left} {why}" if about or left < len(every) else f"examples {why}"


def _statements(desk: Desk, root: Path) -> Counter[str] | None:
    """How many statements the rulebook has about each id, in its first language; None without a rulebook."""
    files = desk.files(root)
    texts = [] if files is None else read_texts(files, Sink())
    return Counter(statement.section for statement in texts[0].statements) if texts else None


# Running things from the text: examples again, random games for a rule, and what needs a terminal.


RUN = "rulelang.run"
EXAMPLES = "rulelang.examples"
SIMULATE = "rulelang.simulate"
TERMINAL = "rulelang.terminal"

_GAMES, _SECONDS, _SLICE = 200, 10.0, 0.1
"""Random games of one simulation at most, the seconds they may take, and those of one step."""

_SEED = 1


# ---------------------------------------------------------------- examples


def run(desk: Desk, root: str, example: str = "") -> None:
    """Runs an example again, with all its cases; all examples of the game, if none is named."""
    example_verdicts.forget(desk, Path(root), example)
    desk.look_again(Path(root))


def show_examples(desk: Desk, root: str, name: str) -> None:
    """Leads to the examples about something, those that fail first, each in the line that fails."""
    places = example_verdicts.places_of(desk, Path(root))
    about = those_about(desk, Path(root), name)
    spans = [verdict.failures[0].span for verdict in about if verdict.failures]
    spans += [places[verdict.example] for verdict in about if not verdict.failures]
    found = [place for span in dict.fromkeys(spans) if (place := example_verdicts.location(desk, span)) is not None]
    window = desk.client.capabilities.window
    if found and desk.can("rulelangLocations"):
        desk.client.notify("rulelang/locations", {"title": name, "locations": found})
    elif found and window is not None and window.show_document is not None and window.show_document.support:
        shown_there = types.ShowDocumentParams(found[0].uri, take_focus=True, selection=found[0].range)
        desk.client.request(types.WINDOW_SHOW_DOCUMENT, shown_there)
    else:
        listed = ", ".join(list(dict.fromkeys(verdict.example for verdict in about))[:20])
        desk.say(f"Examples of `{name}`: {listed or 'none'}.")


# ---------------------------------------------------------------- random games


@attrs.define
class Simulation:
    """Random games of one version of a game, as far as they have been played."""

    version: str
    players: int
    games: int = 0
    seconds: float = 0.0
    fired: Counter[str] = attrs.field(factory=Counter)

    @property
    def done(self) -> bool:
        return self.games >= _GAMES or self.seconds >= _SECONDS


class Simulations(dict[Path, Simulation]):
    """The newest simulation of each game."""


def simulate(desk: Desk, root: str) -> None:
    """Plays random games in the background; how often each rule ran is then told over it."""
    program = _program(desk, Path(root))
    if program is None:
        desk.say("The rules have mistakes; games can be played once they are mended.")
        return
    desk.of(Simulations)[Path(root)] = Simulation(program.version, program.players)
    desk.look_again(Path(root))


def simulated(desk: Desk, root: Path) -> Simulation | None:
    """The simulation of the game as it is now."""
    found, program = desk.of(Simulations).get(root), _program(desk, root)
    return found if found is not None and program is not None and found.version == program.version else None


def play_some(desk: Desk) -> Done:
    """Plays random games that were asked for, for a moment."""
    for root in desk.of(Simulations):
        found, program = simulated(desk, root), _program(desk, root)
        if found is None or program is None or found.done:
            continue
        game = desk.kept(("game", root), lambda program=program: game_of(program))  # type: ignore[misc]
        before = time.monotonic()
        while not found.done and time.monotonic() < before + _SLICE:
            result = play_one(game, game_seed(_SEED, found.games), at_random(game))
            found.games += 1
            found.fired += result.fired
            if result.fault is not None:
                found.seconds = _SECONDS
                desk.say(f"Game {found.games - 1} of seed {_SEED} could not go on: {result.fault}")
        found.seconds += time.monotonic() - before
        if found.done:
            example_verdicts.refresh_lenses(desk)
        return Done(True)
    return Done(False)


def _program(desk: Desk, root: Path) -> Program | None:
    """The game for the most players as the texts are now; None with mistakes, and before they are checked."""
    report = desk.present(root)
    return report.programs[-1] if report is not None and report.programs else None


# ---------------------------------------------------------------- terminals


def in_terminal(desk: Desk, root: str, verb: str, variant: str | None = None) -> None:
    """Has the editor open a terminal, or says what to type into one. The commands read the files as they are saved."""
    program = _program(desk, Path(root))
    players = [] if program is None else ["--players", str(program.players)]
    words = {
        "play": ["play", root, *players],
        "test": ["test", root, "--variant", variant or ""],
        "diff": ["diff", root, variant or "", "--play"],
        "compare": ["compare", root, "--variant", variant or "", *players, "--games", "200"],
    }[verb]
    if desk.can("rulelangTerminal"):
        command = [sys.executable, "-m", "workbench.entry", *words]
        params = {"title": f"{verb} {variant or Path(root).name}", "command": command, "folder": str(Path.cwd())}
        desk.client.notify("rulelang/terminal", params)
    else:
        desk.say(f"Type in a terminal: rulelang {' '.join(words)}")
