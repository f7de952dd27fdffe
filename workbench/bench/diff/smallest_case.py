"""The smallest case in which two rule sets differ: in words of the rules, and as an example that tells them apart."""

from __future__ import annotations

import re
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

import attrs
from rich.console import Console
from rich.text import Text

from interpreter.errors import GameError
from interpreter.examples.runner import passes
from interpreter.examples.step_text import as_written, chosen
from interpreter.game import Game, State
from interpreter.loading import game_of
from interpreter.outcomes.as_example import laid_out, value_at
from interpreter.outcomes.keeping import outcomes
from interpreter.outcomes.shortest import Parted, SearchResult, SeenDifference, search, situations_of
from interpreter.outcomes.situations import AS_IT_LIES, Situation
from rulelang import workspace
from rulelang.diagnostics import Sink
from rulelang.examples import Example
from rulelang.program import Program
from rulelang.words import from_to, several

from .rule_changes import RuleChange, RuleSide, changes_between


@attrs.frozen
class RulesSide:
    """One of the rule sets: how it is called, and where its rules are read."""

    rules: RuleSide
    path: Path
    variants: tuple[str, ...] = ()
    settings: Mapping[str, str] = attrs.field(factory=dict)
    _games: dict[int, Game] = attrs.field(factory=dict, init=False, eq=False, repr=False)
    _situations: dict[Any, list[Situation]] = attrs.field(factory=dict, init=False, eq=False, repr=False)

    def passes(self, file: Path) -> set[bool]:
        """Whether the example of a file passes under these rules, in several orders of what is shuffled."""
        return passes(self.path, dict(self.settings), self.variants, file)

    @cached_property
    def examples(self) -> tuple[Example, ...]:
        """The game's own worked examples, as far as they can be read."""
        games, sink = workspace.default(), Sink()
        files, names = games.open(self.path, list(self.variants), sink, notes=False)
        base = frozenset(file.span.file for file in (*files.parts, *files.examples))
        return tuple(games.examples(files, sink, names, dict(self.settings), base))

    def game(self, program: Program) -> Game:
        """The game for a number of players, made once."""
        if program.players not in self._games:
            self._games[program.players] = game_of(program)
        return self._games[program.players]

    def situations(
        self, game: Game, settings: Mapping[str, str], variants: Sequence[str]
    ) -> Iterator[tuple[str, Situation]]:
        """Those of the worked examples for as many players as one of the games, by id, each made once: with its own
        variants, or with these ``variants``. Those come first that are written for these ``settings``."""
        program = game.program

        def others(example: Example) -> tuple[bool, int]:
            values = {name: setting.value for name, setting in example.program.settings.items()}
            differ = sum(values.get(name) != setting.value for name, setting in program.settings.items())
            return any(values.get(name) != value for name, value in settings.items()), differ

        of = program.players, program.variants
        for one in sorted(
            (one for one in self.examples if (one.program.players, one.program.variants) == of), key=others
        ):
            key = one.id, one.case, program.players
            if key not in self._situations:
                own = self._games.get(id(one.program)) or self._games.setdefault(id(one.program), game_of(one.program))
                self._situations[key] = situations_of(one, own, game)
            yield from ((one.id, each) for each in self._situations[key])


@attrs.frozen
class PartingCase:
    """A parting, with the games it is of. ``example``: its text, None where none tells the rule sets apart."""

    parted: Parted
    before: Game
    after: Game
    example: str | None


@attrs.frozen
class SmallestCases:
    """``cases``: the smallest one first. ``searches``: what was looked at, by number of players. ``stopped``: it was
    interrupted, and this is what there was."""

    cases: tuple[PartingCase, ...]
    searches: tuple[SearchResult, ...]
    stopped: bool = False


def find(before: RulesSide, after: RulesSide, games: int, seconds: float, players: int | None = None) -> SmallestCases:
    """The partings for every number of players that both are for, or for ``players``."""
    searches: list[SearchResult] = []
    cases: list[PartingCase] = []
    theirs = {program.players: program for program in after.rules.programs if players in (None, program.players)}
    pairs = [(program, theirs[program.players]) for program in before.rules.programs if program.players in theirs]
    examples = Counter(example.program.players for example in before.examples)
    pairs.sort(key=lambda pair: -examples[pair[0].players])
    until = time.monotonic() + seconds
    for left, (old, new) in zip(range(len(pairs), 0, -1), pairs, strict=True):
        games_of = before.game(old), after.game(new)
        situations = before.situations(games_of[0], after.settings, after.variants)
        share = (until - time.monotonic()) * (1 / left if searches else max(0.6, 1 / left))
        if any(case.parted.situation.small for case in cases):
            share = min(share, _BRIEFLY * seconds)
        found = search(*games_of, situations, games, share)
        searches.append(found)
        cases += [PartingCase(parted, *games_of, None) for parted in found.parted]
        if found.stopped:
            break
    searches.sort(key=lambda found: found.players)
    cases.sort(key=lambda case: case.parted.situation.weight)
    told: dict[tuple[Any, ...], PartingCase] = {}
    for case in cases:
        told.setdefault(case.parted.sort, case)
    every = list(told.values())
    stopped = not _give_examples(every, before, after) or any(found.stopped for found in searches)
    return SmallestCases(tuple(every), tuple(searches), stopped)


def _give_examples(cases: list[PartingCase], before: RulesSide, after: RulesSide) -> bool:
    """Gives each case its example; whether it came to the end."""
    name = re.sub(r"[^\w.]", "_", Path(after.rules.name).name) or "case"
    try:
        for n, case in enumerate(cases):
            cases[n] = attrs.evolve(case, example=_example(case, f"{name}_{n + 1}", before, after))
    except KeyboardInterrupt:
        return False
    return True


_BRIEFLY = 0.1
"""The part of the time for each other number of players once a small case is found."""

# ---------------------------------------------------------------- as an example


def _example(case: PartingCase, name: str, before: RulesSide, after: RulesSide) -> str | None:
    """The case as an example that passes under the rules before and fails under those after; both are run."""
    situation = case.parted.situation
    state = situation.end(case.before)
    if situation.run is None or state is None:
        return None
    used = situation.chance[: len(situation.chance) - len(state.fixed_chance)]
    situation = attrs.evolve(situation, chance=used or outcomes(state))
    for claims in islice(_claims(case, state), _CLAIMS):
        try:
            lines = [*laid_out(case.before, situation), *claims]
        except GameError:
            return None
        text = "\n  ".join([f"example {name}", *lines])
        if tells_apart(text, before, after):
            return text
    return None


def tells_apart(text: str, before: RulesSide, after: RulesSide) -> bool:
    """Whether an example passes under the rules before and fails under those after; both are run."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "case.rules"
        file.write_text(f"examples of {before.rules.linked.game.name}\n\n{text}\n", encoding="utf-8")
        return (before.passes(file), after.passes(file)) == ({True}, {False})


def _claims(case: PartingCase, state: State) -> Iterator[list[str]]:
    """What an example may claim that holds under the rules before and not under those after."""
    seats = case.before.program.seats
    decision = state.decision
    asks = [f"asked {seats[decision.player]} {decision.rule}"] if decision is not None else ["finished"]
    for difference in case.parted.differences:
        old, new = difference.before, difference.after
        match difference.kind:
            case "cell":
                yield [f"then {_claimed(difference.name, old, value_at(case.before, state, difference.name))}"]
            case "options" if decision is not None:
                who = seats[decision.player]
                yield from ([line] for line in _offers(who, old, new))
                if decision.kind == "menu" and len(old) <= _LISTED:
                    yield [f"offered only {', '.join(chosen(value).removeprefix('chooses ') for value in old)}"]
            case "end" | "leads" if old is not None:
                yield [f"winners {', '.join(old)}" if old or difference.kind == "leads" else "finished"]
            case "end" | "asked" | "fault":
                yield asks
                if decision is not None:
                    who = seats[decision.player]
                    yield from ([f"{who} {chosen(option.value)}"] for option in decision.options[:_LISTED])


def _offers(who: str, old: Sequence[Any], new: Sequence[Any]) -> Iterator[str]:
    more, less = ([v for v in one if v not in other][:_FEW] for one, other in ((new, old), (old, new)))
    yield from (f"{who} cannot {chosen(value).replace('chooses', 'choose', 1)}" for value in more)
    yield from (f"{who} {chosen(value)}" for value in less)


# ---------------------------------------------------------------- in words


def show(
    out: Console,
    found: SmallestCases,
    before: RulesSide,
    after: RulesSide,
    every: bool,
    example: bool,
    languages: Sequence[str],
    worded: Callable[[PartingCase], Iterable[str]],
) -> None:
    """Prints the smallest case, or ``every`` kind of case; ``example``: only as examples; ``worded``: a case in the
    words of each language."""
    cases = found.cases if every else found.cases[:1]
    for case in cases:
        if example:
            out.print(
                case.example or "# No example tells the two apart here.", highlight=False, markup=False, soft_wrap=True
            )
            out.print()
            continue
        for line in told(case, before, after):
            out.print(Text(line), soft_wrap=True)
        for line in worded(case):
            out.print(Text(line), soft_wrap=True)
        if case.example is not None:
            out.print(Text(f"\n{case.example}\n", style="dim"), soft_wrap=True)
    if not example:
        for line in looked(found):
            out.print(Text(line), soft_wrap=True)
        for language in languages:
            for change in changes_between(before.rules, after.rules):
                for one in change.statements.get(language, ()):
                    out.print(Text(f"{language} {one.id}: {one.after or '(gone)'}", style="italic"), soft_wrap=True)


def told(case: PartingCase, before: RulesSide, after: RulesSide) -> Iterator[str]:
    """A case, line by line."""
    situation, seats = case.parted.situation, case.before.program.seats
    if situation.run is None:
        yield f"{'From the beginning of' if situation.choices else 'As the setup has dealt'} a game of {len(seats)}:"
    else:
        rule, arguments = situation.run
        called = f"{rule}({', '.join(map(as_written, arguments))})" if arguments else rule
        cells = ", ".join(f"{name} is {as_written(value)}" for name, value in situation.given)
        runs = f" {called} runs." if rule else ""
        yield f"{cells or 'Nothing lies on the table'}, all else as at the beginning; {len(seats)} play.{runs}"
    course = list(_course(case))
    if len(course) > _LISTED:
        yield f"  After {len(course) - _LISTED} choices:"
    for line in course[-_LISTED:]:
        yield f"  {line}"
    names = [before.rules.name, after.rules.name]
    width = max(map(len, names))
    for difference in case.parted.differences[:3]:
        sides = zip(names, (case.before, case.after), case.parted.rules, _both(difference), strict=True)
        for name, game, source, text in sides:
            yield f"  {name:<{width}}  {text}{where(game.program, source)}"


def _course(case: PartingCase) -> Iterator[str]:
    situation, seats = case.parted.situation, case.before.program.seats
    for state, value in zip(situation.course(case.before), situation.choices, strict=False):
        if state.decision is not None:
            yield f"{seats[state.decision.player]} {chosen(value)}."


def where(program: Program, rule: str | None) -> str:
    """A rule and its line, in brackets; nothing where no rule is known."""
    known = program.rules.get(rule or "")
    return "" if known is None else f"  ({rule}, {Path(known.span.file).name} line {known.span.line})"


_LISTED, _CLAIMS, _FEW = 8, 12, 3
_WIDE = 160


def _claimed(name: str, value: Any, text: str) -> str:
    """What a cell holds, as an example says it; of what a seat was shown, what it remembers."""
    hidden, shown, owners = name.partition(".shown[")
    if not shown or not isinstance(value, list) or len(value) > 1:
        return f"{name} is {text}"
    who, *rest = owners.removesuffix("]").split(", ")
    place = f"{hidden}[{', '.join(rest)}]" if rest else hidden
    return f"remembered({place}, {who}) is {as_written(value[0]) if value else 'none'}"


def _both(difference: SeenDifference) -> tuple[str, ...]:
    """What differs, as each side has it."""
    old, new = difference.before, difference.after
    match difference.kind:
        case "cell":
            return tuple(_short(_claimed(difference.name, one, as_written(one))) for one in (old, new))
        case "options":
            return _offer(old, new), _offer(new, old)
        case "asked":
            return _question(old), _question(new)
        case "end":
            return _ending(old), _ending(new)
        case "leads":
            return tuple(f"{' and '.join(one) or 'nobody'} would win" for one in (old, new))
    return (f"stops: {old}" if old else "goes on"), (f"stops: {new}" if new else "goes on")


def _offer(mine: Sequence[Any], others: Sequence[Any]) -> str:
    own = [chosen(value).removeprefix("chooses ") for value in mine if value not in others]
    more = f" and {len(own) - _LISTED} more" if len(own) > _LISTED else ""
    return several(len(mine), "choice") + (f", only here: {', '.join(own[:_LISTED])}{more}" if own else "")


def _short(text: str) -> str:
    return text if len(text) <= _WIDE else f"{text[:_WIDE]}…"


def _question(asked: tuple[str, str] | None) -> str:
    return "nobody is asked" if asked is None else f"{asked[0]} is asked"


def _ending(winners: list[str] | None) -> str:
    if winners is None:
        return "the game goes on"
    return f"the game is over, {' and '.join(winners)} won" if winners else "the game is over, nobody won"


def looked(found: SmallestCases) -> Iterator[str]:
    """With what was looked, and how many games part."""
    for one in found.searches:
        looked = f"{several(one.examples, 'example')} and {several(one.games, 'random game')}"
        begun = " (already as the game begins)" if one.beginnings else ""
        if not one.parted:
            yield f"No difference found in {looked} of {one.players} players."
        elif one.lengths:
            low, high = min(one.lengths), max(one.lengths)
            after = from_to(low, high, "choice")
            number = several(len(one.lengths), "game") + (" parts" if len(one.lengths) == 1 else " part")
            yield f"{looked} of {one.players} players: {number}, after {after}{begun}."
        else:
            yield f"{looked} of {one.players} players: no game parts."


_KINDS = {"fault": "fault", "end": "winner", "leads": "winner", "options": "options", "asked": "asked", "cell": "cells"}
"""What is said of each kind of difference."""


def as_json(found: SmallestCases, before: RulesSide, after: RulesSide) -> dict[str, Any]:
    """The partings, the smallest first, as plain data; ``none`` says with what it looked where there is none."""
    changes = changes_between(before.rules, after.rules)
    searches = {one.players: one for one in found.searches}
    told = {"before": before.rules.name, "after": after.rules.name, "stopped": found.stopped}
    partings = [_plain(case, changes, searches[case.before.players]) for case in found.cases]
    if partings:
        return {**told, "partings": partings}
    looked = {
        "examples": sum(one.examples for one in found.searches),
        "games": sum(one.games for one in found.searches),
        "settings": dict(after.settings),
    }
    return {**told, "partings": [], "none": looked}


def _plain(case: PartingCase, changes: Sequence[RuleChange], looked: SearchResult) -> dict[str, Any]:
    situation, first = case.parted.situation, case.parted.differences[0]
    rules = [rule for rule in case.parted.rules if rule is not None]
    return {
        "item": _item(case, changes),
        "kind": _KINDS[first.kind],
        "players": case.before.players,
        "cells": dict(situation.given),
        "run": list(situation.run) if situation.run and situation.run != AS_IT_LIES else None,
        "choices": list(situation.choices),
        "rule": next(iter(rules), None),
        "before": first.before,
        "after": first.after,
        "differences": [attrs.asdict(one) | {"kind": _KINDS[one.kind]} for one in case.parted.differences],
        "example": case.example,
        "found in": case.parted.source,
        "seen_in": {"examples": looked.in_examples, "games": len(looked.lengths)},
    }


def _item(case: PartingCase, changes: Sequence[RuleChange]) -> str | None:
    """The changed item in which the two part: the rule, or one that stands in it or around it; else the first."""
    for rule in filter(None, case.parted.rules):
        for change in changes:
            if f"{rule}.".startswith(f"{change.name}.") or f"{change.name}.".startswith(f"{rule}."):
                return change.name
    return changes[0].name if changes else None
