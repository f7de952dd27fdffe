"""The games of an evening as files: a save of each line of play, and tables of games and of choices."""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.bots.people import FILE, choice_of, evening, written
from interpreter.columns import Csv, ListColumn, Parquet
from rulelang.source import visible

from .. import savefile
from .line import Line, RuleSet, opening, played
from .moving import own_rules
from .store import KeptLine, KeptTable, Store, UnusableFile

if TYPE_CHECKING:
    from interpreter.game import Game

GAMES = (
    "table", "line", "branch_of", "branched_at", "game", "players", "variants", "settings", "changes", "begun", "ended",
    "choices", "finished", "scores", "winners", "bots", "notes", "save",
)  # fmt: skip
CHOICES = (
    "table", "line", "number", "made", "seat", "bot", "rule", "option", "text", "value", "offered", "chance",
)  # fmt: skip


@attrs.frozen
class Exported:
    """What was written: how many games and choices, and the files. ``unread``: lines whose rules have changed."""

    games: int
    choices: int
    files: tuple[Path, ...]
    unread: tuple[str, ...]


def export(store: Store, folder: Path) -> Exported:
    """Writes all games of a store into a folder, which is made: ``t1-l1.save`` and so on, ``games.csv`` and
    ``choices.csv``, both as Parquet where pyarrow is installed, and ``people.json`` for bots that play as people did.
    Raises OSError, and UnusableFile.
    """
    folder.mkdir(parents=True, exist_ok=True)
    loaded: dict[str, Game] = {}
    games: list[dict[str, Any]] = []
    choices: list[dict[str, Any]] = []
    people = _People()
    files: list[Path] = []
    unread: list[str] = []
    for table in store.tables():
        for kept in store.lines(table.number):
            name = f"t{table.number}-l{kept.number}"
            try:
                line = _line(store, kept, loaded)
            except UnusableFile as problem:
                unread.append(f"{name}: {problem}")
                continue
            save = folder / f"{name}.save"
            notes = store.notes(kept.number)
            savefile.write(save, line.game.save(line.state), _origin(kept.rules, line.game, folder), notes)
            files.append(save)
            made = store.times(kept.number)
            choices += _choices(table, line, made)
            people.add(table, kept, line)
            games.append(_game(table, kept, line, made, len(notes), save.name))
    files += _write(folder / "games", GAMES, games)
    files += _write(folder / "choices", CHOICES, choices)
    files += people.write(folder)
    return Exported(len(games), len(choices), tuple(files), tuple(unread))


def _line(store: Store, kept: KeptLine, loaded: dict[str, Game]) -> Line:
    """A line played again. Raises UnusableFile where its rules cannot be loaded, or are not what they were."""
    from interpreter.errors import GameError
    from interpreter.position.saves import identity
    from rulelang.diagnostics import RulesError, UnusablePath

    try:
        game = loaded.get(repr(kept.rules)) or kept.rules.load()
        loaded[repr(kept.rules)] = game
        if identity(game.program) != kept.identity:
            kept = attrs.evolve(kept, rules=own_rules(store, kept))
            game = kept.rules.load()
        return store.restored(kept, game)
    except (GameError, RulesError, UnusablePath) as error:
        raise UnusableFile(str(error)) from None


def _origin(rules: RuleSet, game: Game, folder: Path) -> savefile.SaveOrigin:
    """How the save's game is loaded again; numbers that were changed are a variant beside it."""
    variants, settings, numbers = rules.parts()
    if numbers:
        from interpreter.comparing.alternatives import Choices

        name, text = Choices.of(rules.path, variants, rules.players).variant_of(numbers, variants)
        file = folder / f"{name}.rules"
        file.write_text(text, encoding="utf-8")
        variants = [*variants, str(file)]
    return savefile.SaveOrigin(rules.path, settings, variants)


def _game(
    table: KeptTable, kept: KeptLine, line: Line, made: Sequence[str], notes: int, save: str
) -> dict[str, Any]:  # fmt: skip
    state, seats = line.state, line.game.program.seats
    return {
        "table": table.number,
        "line": kept.number,
        "branch_of": kept.parent,
        "branched_at": kept.at,
        "game": line.game.name,
        "players": line.game.players,
        "variants": " ".join(kept.rules.variants),
        "settings": " ".join(f"{name}={value}" for name, value in kept.rules.settings.items()),
        "changes": " ".join(kept.rules.changes),
        "begun": kept.made,
        "ended": made[-1] if made else kept.made,
        "choices": len(line.choices),
        "finished": state.over,
        "scores": json.dumps(dict(zip(seats, state.scores, strict=False))),
        "winners": " ".join(seats[seat] for seat in state.winners) if state.over else "",
        "bots": " ".join(f"{seats[seat]}={bot}" for seat, bot in sorted(table.bots.items())),
        "notes": notes,
        "save": save,
    }


def _choices(table: KeptTable, line: Line, made: Sequence[str]) -> Iterator[dict[str, Any]]:
    state, seats = opening(line.game, line.start), line.game.program.seats
    for number, (choice, when) in enumerate(zip(line.choices, made, strict=False)):
        decision = state.decision
        assert decision is not None
        option = decision.options[choice.option]
        yield {
            "table": table.number,
            "line": line.number,
            "number": number,
            "made": when,
            "seat": seats[decision.player],
            "bot": table.bots.get(decision.player),
            "rule": decision.rule,
            "option": choice.option,
            "text": option.text,
            "value": json.dumps(option.value, ensure_ascii=False),
            "offered": len(decision.options),
            "chance": json.dumps(list(choice.chance), ensure_ascii=False) if choice.chance else None,
        }
        state = played(state, choice)


@attrs.define
class _People:
    """What people chose, and the games that they finished among themselves under the rules as printed, by game."""

    seen: dict[str, dict[str, Counter[Any]]] = attrs.field(factory=dict)
    evenings: dict[str, list[dict[str, Any]]] = attrs.field(factory=dict)

    def add(self, table: KeptTable, kept: KeptLine, line: Line) -> None:
        """Adds a line; what it has in common with the one it branched from counts there."""
        state, name = opening(line.game, line.start), line.game.name
        seen = self.seen.setdefault(name, {})
        for number, choice in enumerate(line.choices):
            decision = state.decision
            assert decision is not None
            found = choice_of(decision, choice.option)
            if found is not None and decision.player not in table.bots and (kept.parent is None or number >= kept.at):
                asked, chosen = found
                seen.setdefault(asked, Counter())[chosen] += 1
            state = played(state, choice)
        rules = kept.rules
        settings = line.game.program.settings.values()
        printed = not (rules.variants or rules.changes) and all(one.value == one.default for one in settings)
        if printed and state.over and not table.bots and kept.parent is None and "save" not in line.start:
            told = evening(line.game.players, state.turns, len(line.choices), state.scores)
            self.evenings.setdefault(name, []).append(told)

    def write(self, folder: Path) -> Iterator[Path]:
        """The file that ``--bots people:FOLDER`` reads, of the game with most choices."""
        if self.seen:
            game = max(self.seen, key=lambda name: sum(sum(each.values()) for each in self.seen[name].values()))
            file = folder / FILE
            file.write_text(written(game, self.seen[game], self.evenings.get(game, [])), encoding="utf-8")
            yield file


def _write(file: Path, names: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> Iterator[Path]:
    """A table as CSV, and beside it as Parquet where the library for that is installed."""
    columns = {name: [row[name] for row in rows] for name in names}
    text = Csv(file.with_suffix(".csv"))
    text.write({n: [visible(v) if isinstance(v, str) else v for v in column] for n, column in columns.items()})
    text.close()
    yield file.with_suffix(".csv")
    with contextlib.suppress(ImportError):
        data = Parquet(file.with_suffix(".parquet"))
        data.write({name: ListColumn(column) for name, column in columns.items()})
        data.close()
        yield file.with_suffix(".parquet")
