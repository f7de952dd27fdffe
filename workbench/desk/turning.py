"""What *Numbers* shows: numbers, options and readings that are turned, before a file is written, and kept as one; and
people's games beside those of bots."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.comparing.alternatives import Alternative, Choices
from interpreter.errors import GameError
from rulelang import workspace
from rulelang.diagnostics import RulesError, Sink, UnusablePath
from rulelang.files.contents import inside
from rulelang.program import Program

from ..bench.diff import changes_between, variant_side
from ..bench.diff.shown import as_html
from ..rulebook.languages.catalogue import say
from ..rulebook.texts import read_completed
from .watching import smallest_case

if TYPE_CHECKING:
    from interpreter.comparing.playing import ComparisonRun

BOTS = ("random", "greedy")
"""Who may play for a first answer: those who are quick."""

_PAUSE = 0.3
"""Seconds between two looks at a comparison."""

_NAME = re.compile(r"[a-z][a-z0-9_]{0,60}")


class CannotKeep(Exception):
    """No variant was written; the message says why, and what would help."""


@attrs.frozen
class Turned:
    """What is turned, and to what. ``players``: how many, at the table."""

    root: Path
    players: int
    values: Mapping[str, str] = attrs.field(factory=dict)

    @property
    def items(self) -> tuple[str, ...]:
        """As ``rulelang compare`` takes them."""
        return tuple(f"{name}={value}" for name, value in self.values.items())

    @contextmanager
    def arguments(self) -> Iterator[tuple[Sequence[str], Mapping[str, str]]]:
        """Variants and settings that make it, within the block. Raises UnusablePath and RulesError."""
        if not self.values:
            yield (), {}
            return
        choices, alternative = self._found()
        with choices.arguments(alternative) as found:
            yield found

    def _found(self) -> tuple[Choices, Alternative]:
        choices = Choices.of(self.root, players=self.players)
        return choices, choices.alternative("+".join(self.items))

    def within(self, found: Sequence[Mapping[str, Any]]) -> Turned:
        """What of it can be turned, by ``controls``, and is another value than the game has."""
        known = {each["name"]: each for each in found}
        values = {
            name: value
            for name, value in self.values.items()
            if name in known and value != known[name]["value"] and value in known[name].get("values", [value])
        }
        return attrs.evolve(self, values=values)

    def check(self) -> None:
        """Deals a game. Raises UnusablePath, RulesError and GameError where that cannot be done."""
        choices, alternative = self._found()
        choices.load(alternative, self.players, engine="reference").start(1)

    def nearest(self, name: str, good: int) -> int | None:
        """Of a number that is turned too far from a ``good`` value, the last value that can be dealt; None where what
        else is turned leaves none."""
        bad = int(self.values[name])
        if not self._deals(name, good):
            return None
        while abs(bad - good) > 1:
            middle = (bad + good) // 2
            good, bad = (middle, bad) if self._deals(name, middle) else (good, middle)
        return good

    def _deals(self, name: str, value: int) -> bool:
        """Whether a game can be dealt with another value of a number."""
        try:
            attrs.evolve(self, values={**self.values, name: str(value)}).check()
        except (UnusablePath, RulesError, GameError):
            return False
        return True

    def sentences(self) -> str:
        """What changes in the rules and in every rulebook, as HTML. Raises UnusablePath and RulesError."""
        with self.arguments() as (variants, settings):
            now = variant_side(self.root, variants, settings)
        return as_html(changes_between(variant_side(self.root, ()), now), "")

    def case(self, lang: str) -> str:
        """The smallest case in which it matters, as HTML. Raises UnusablePath and RulesError."""
        with self.arguments() as (variants, settings):
            now = variant_side(self.root, variants, settings)
            return smallest_case(variant_side(self.root, ()), self.root, now, self.root, lang, variants, settings)

    def answers(self, bots: str, wanted: Callable[[], bool]) -> Iterator[dict[str, Any]]:
        """What it does to a game, ever firmer, as long as it is ``wanted``: each holds however often one looks.

        Raises UnusablePath, RulesError and GameError.
        """
        from interpreter.comparing.playing import ComparisonQuestion, ComparisonRun

        _, alternative = self._found()
        question = ComparisonQuestion(str(self.root), (alternative,), (self.players,), (bots,), games=None, threads=1)
        run = ComparisonRun.of(question)
        looked = 0.0
        for table in run.go():
            if not wanted():
                return
            if time.monotonic() - looked > _PAUSE and table.games >= _FIRST:
                yield _answer(run)
                looked = time.monotonic()
        yield {**_answer(run), "done": True}

    def keep(self, name: str) -> str:
        """Writes it as a variant, with a sentence on each change in every language of the rulebook; gives its file.

        Raises CannotKeep, UnusablePath, RulesError and OSError.
        """
        if not _NAME.fullmatch(name):
            raise CannotKeep(
                f"`{name}` is not a name for a variant: write small letters, digits and _, a letter first."
            )
        choices, alternative = self._found()
        program = choices.program(Alternative(), self.players)
        if name in choices.variants:
            raise CannotKeep(f"There is a variant called {name} already; choose another name.")
        kept = {item.name: self._kept(choices, program, item.name, item.value) for item in alternative.items}
        changes = [f"change {_kind(program, item)} {item} to {value}\n" for item, value in kept.items()]
        said = " and ".join(self.items)
        texts = {f"variants/{name}.rules": f'variant {name} of {choices.game}\n  "With {said}."\n\n{"".join(changes)}'}
        texts |= {f"variants/text/{name}.{lang}.md": text for lang, text in self._texts(name, program, kept)}
        files = {inside(self.root / place, self.root): text for place, text in texts.items()}
        there = next((place for place, file in zip(texts, files, strict=True) if file.exists()), None)
        if there is not None:
            raise CannotKeep(f"{there} is there already; choose another name.")
        for file, text in files.items():
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("x", encoding="utf-8") as out:
                out.write(text)
        return f"variants/{name}.rules"

    def _kept(self, choices: Choices, program: Program, name: str, value: str) -> str:
        """What it is changed to: where a number depends on how many play, only for as many as it was turned for."""
        every = range(program.min_players, program.max_players + 1)
        before = {n: choices.program(Alternative(), n).numbers.get(name) for n in every}
        if len(set(before.values())) == 1:
            return value
        now = {self.players: value, **{n: str(old) for n, old in before.items() if n != self.players}}
        *cases, (_, last) = now.items()
        return "".join(f"if players is {n} then {then} else " for n, then in cases if then != last) + last

    def _texts(self, name: str, program: Program, kept: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """By language, what the rulebook says of the variant: a further statement in the section of each number, and of
        each setting of which it does not tell by itself."""
        files, _ = workspace.default().open(self.root)
        settings = {item: value for item, value in self.values.items() if item in program.settings}
        now, before = variant_side(self.root, (), settings).books, variant_side(self.root, ()).books
        for lang in before:
            text = read_completed(files, (), lang, Sink())
            parts = [f"# {name.replace('_', ' ').capitalize()}\n"]
            for item, value in self.values.items():
                there = () if text is None else text.about(item)
                if there and item in program.numbers:
                    n, was = self.players, program.numbers[item]
                    sentence = (
                        say("house_rule_number", lang, value=f"{{{item}}}", before=was)
                        if kept[item] == value
                        else say("house_rule_for_players", lang, players=n, value=f"{{{item}@{n}}}", before=was)
                    )
                elif there and now[lang] == before[lang]:
                    plain, printed = item.replace("_", " "), program.settings[item].value
                    sentence = say("house_rule_setting", lang, name=plain, value=value, before=printed)
                else:
                    continue
                parts.append(f"\n### `{item}`\n{len(there) + 1}. {sentence}\n")
            if len(parts) > 1:
                yield lang, "".join(parts)


_FIRST = 32
"""Pairs of games before anything is told."""


def _kind(program: Program, name: str) -> str:
    return "number" if name in program.numbers else program.settings[name].kind


def controls(root: Path, players: int) -> dict[str, Any]:
    """What can be turned, as ``found``: ``kind name value``, of a setting ``values`` and ``because``, of a number its
    bounds ``low`` and ``high``; what ``goals`` can be about: ``name label unit``; for how many ``players``, and the
    version of the ``rules``. Raises UnusablePath, RulesError and GameError."""
    import interpreter
    from interpreter.comparing.goals import goals_about

    game = interpreter.load(root, players=players)
    program = game.program
    found: list[dict[str, Any]] = []
    for name, value in program.numbers.items():
        low, high = (0, max(2 * value, value + 5)) if value >= 0 else (2 * value - 5, 0)
        found.append({"kind": "number", "name": name, "value": str(value), "low": low, "high": high})
    for name, setting in program.settings.items():
        values = list(setting.domain.members)
        found.append(
            {"kind": setting.kind, "name": name, "value": setting.value, "values": values, "because": setting.because}
        )
    goals = [{"name": name, "label": label, "unit": unit} for name, label, unit in goals_about(game)]
    return {"found": found, "goals": goals, "players": players, "rules": program.version}


def warm(turned: Turned, found: Sequence[Mapping[str, Any]]) -> None:
    """Gets ready what every answer needs, by playing a few games that nobody is told of."""
    number = next((each for each in found if each["kind"] == "number"), None)
    if number is not None:
        trial = attrs.evolve(turned, values={number["name"]: str(int(number["value"]) + 1)})
        next(trial.answers(BOTS[0], lambda: True), None)


def evenings_written(folder: Path) -> int | None:
    """When people's games were written there last; None where there are none."""
    from interpreter.bots.people import FILE

    with suppress(OSError):
        return (folder / FILE).stat().st_mtime_ns
    return None


def evenings_beside(folder: Path, root: Path, players: int) -> Iterator[dict[str, Any]]:
    """People's games beside those of ever more bots: ``means`` and ``kinds``, by the ``bots``; ``plays``: who plays as
    these people do, if enough is known of them. Raises UnusablePath, RulesError and GameError."""
    from interpreter import load
    from interpreter.bots import PEOPLE
    from interpreter.bots.people import read
    from interpreter.comparing.playtests import beside, watched

    name = f"{PEOPLE}:{folder}"
    people, game = read(name), load(root, players=players, engine="wasm")
    if people.game != game.name:
        raise UnusablePath(f"the evenings in {folder} are of {people.game}, not of {game.name}")
    told: dict[str, Any] = {
        "plays": [name] if people.known else [], "players": players, "chosen": sum(people.counts.values()),
        "games": sum(game["players"] == players for game in people.evenings), "beside": [],
    }  # fmt: skip
    yield told
    for bots in BOTS:
        found = beside(people, watched(game, bots), players)
        told = {**told, "beside": [*told["beside"], {"bots": bots, **attrs.asdict(found)}]}
        yield told


def _answer(run: ComparisonRun) -> dict[str, Any]:
    """What is known so far, in the words of ``rulelang compare``."""
    from interpreter.comparing.results import results
    from interpreter.comparing.surprises import assess
    from interpreter.comparing.tuned import finite

    from ..bench import words

    comparison = results(run, assess(run))
    column = comparison.columns[0]
    rows = [
        {
            "name": quantity.label, "unit": quantity.unit, "printed": words.number(quantity, one.base),
            "now": words.number(quantity, one.base + one.difference), "verdict": one.verdict,
            "change": words.difference(quantity, one, column),
        }
        for quantity, one in words.rows(comparison, column)
    ]  # fmt: skip
    seats = [
        {
            "name": seat.seat, "printed": seat.printed, "share": seat.share, "half": finite(seat.half_width),
            "printed_half": finite(seat.printed_half_width), "equal": seat.equal,
        }
        for seat in column.seats
    ]  # fmt: skip
    return {
        "pairs": column.pairs, "problem": column.problem, "short": words.summary(comparison, column), "rows": rows,
        "seats": seats, "options": words.worth_changes(column), "left_out": words.left_out(column),
    }  # fmt: skip
