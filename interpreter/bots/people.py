"""A bot that takes each kind of option as often as people did, as far as enough of their choices are known.

``rulelang evening`` writes what people chose into ``people.json``. How much they like each kind of option is worked out
from what else was offered (Luce, "Individual choice behavior", 1959), by the algorithm of Hunter, "MM algorithms for
generalized Bradley-Terry models" (2004). Players of a comparison have it drawn anew for each of their trainings, from
what it may well be (Caron and Doucet, "Efficient Bayesian inference for generalized Bradley-Terry models", 2012), so
that intervals tell how little a few evenings say.
"""

from __future__ import annotations

import functools
import hashlib
import json
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import attrs

from rulelang.diagnostics import UnusablePath
from rulelang.files.contents import content
from rulelang.words import several

from ..chance import mix

if TYPE_CHECKING:
    from ..chance import Stream
    from ..data import Decision
    from ..game import Game, State
    from .experience import Experience

FILE = "people.json"
FORMAT = 1

ENOUGH = 30
"""Choices from which on it is known how people choose where something is asked."""

MOST_KINDS = 20
"""Kinds of options of a question; where there are more, a few evenings say nothing of any."""

_PRIOR = 0.5
"""Choices of each kind that are added to those that were made, since what nobody took is not impossible."""

Seen: TypeAlias = "Counter[tuple[tuple[str, ...], str]]"
"""How often a kind of option was taken, of the kinds that were offered with it."""


def kinds_of(decision: Decision) -> tuple[str, list[str]] | None:
    """What is asked, and of each option what kind it is: which option of a menu, or where all are the same one, with
    what values. None where there are no kinds to choose between."""
    if decision.kind == "pay" or len(decision.options) < 2:
        return None
    names = [option.id for option in decision.options]
    if len(set(names)) > 1:
        return decision.rule, [name or "nothing" for name in names]
    asked = decision.rule if names[0] is None else f"{decision.rule}: {names[0]}"
    return asked, [json.dumps(option.value, ensure_ascii=False, sort_keys=True) for option in decision.options]


def choice_of(decision: Decision, option: int) -> tuple[str, tuple[tuple[str, ...], str]] | None:
    """What is asked, the kinds that are offered and the one that is taken; None where there is nothing to choose."""
    found = kinds_of(decision)
    if found is None:
        return None
    asked, kinds = found
    return asked, (tuple(sorted(set(kinds))), kinds[option])


@attrs.frozen(eq=False, slots=False)
class PeoplesChoices:
    """What people chose in a game. ``seen``: by what is asked; ``evenings``: finished games of people alone, with
    ``players``, ``turns``, ``decisions`` and ``scores``; ``digest``: of all that."""

    game: str
    seen: Mapping[str, Seen]
    evenings: tuple[Mapping[str, Any], ...]
    digest: str

    @property
    def counts(self) -> dict[str, int]:
        """Choices by what is asked, those with most first."""
        return dict(Counter({rule: sum(seen.values()) for rule, seen in self.seen.items()}).most_common())

    @functools.cached_property
    def known(self) -> dict[str, int]:
        """The same where there are enough."""
        return {rule: many for rule, many in self.counts.items() if many >= ENOUGH and not self._too_many(rule)}

    def _too_many(self, rule: str) -> bool:
        return len({kind for offered, _ in self.seen[rule] for kind in offered}) > MOST_KINDS

    def missing(self) -> dict[str, int]:
        """How many more choices are wanted, by what is asked."""
        return {rule: ENOUGH - many for rule, many in self.counts.items() if many < ENOUGH}

    def told(self) -> str:
        """What these players do as people did, and what at random, in sentences."""
        known = ", ".join(f"{rule} ({several(many, 'choice')})" for rule, many in self.known.items())
        said = f"They choose kinds of options as often as people did in {known}, and at random in everything else."
        missing = [f"{rule} ({more} more)" for rule, more in self.missing().items()]
        vast = [rule for rule in self.counts if self._too_many(rule)]
        said += f" Too few choices are known in {', '.join(missing)}." if missing else ""
        return said + (f" Too many kinds to tell are offered in {', '.join(vast)}." if vast else "")

    def beside(self, players: int) -> str:
        """What people's own games were like, with so many players; empty where there are none."""
        games = [game for game in self.evenings if game["players"] == players]
        if not games:
            return f"People have finished no games of {players} players under the printed rules."
        parts = [_range("turns", [game["turns"] for game in games])]
        parts.append(_range("decisions", [game["decisions"] for game in games]))
        scores = [sum(game["scores"]) / len(game["scores"]) for game in games if game["scores"]]
        parts += [_range("points a player", scores)] * bool(scores)
        return f"People’s own {several(len(games), 'game')} of {players} players: {', '.join(parts)}."


def _range(unit: str, numbers: list[float]) -> str:
    mean = sum(numbers) / len(numbers)
    spread = f" ({min(numbers):g} to {max(numbers):g})" if min(numbers) < max(numbers) else ""
    return f"{mean:.1f} {unit}{spread}"


def read(name: str) -> PeoplesChoices:
    """What ``people:FOLDER`` knows, a folder that ``rulelang evening`` wrote or its file. Raises UnusablePath."""
    _, _, where = name.partition(":")
    if not where:
        raise UnusablePath(
            "people play as in your evenings: write people:FOLDER, with the folder that `rulelang evening FILE` wrote"
        )
    file = Path(where)
    file = file / FILE if file.is_dir() else file
    try:
        return _read(file, file.stat().st_mtime_ns)
    except OSError:
        raise UnusablePath(
            f"there are no evenings in {where}: `rulelang evening FILE --out {where}` writes them there"
        ) from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UnusablePath(f"{file} is damaged; write it again with `rulelang evening`") from None


@functools.lru_cache(maxsize=16)
def _read(file: Path, changed: int) -> PeoplesChoices:
    found = content(file, None)
    data = json.loads(found)
    if data["format"] != FORMAT:
        raise ValueError
    seen: dict[str, Seen] = {}
    for rule, every in data["choices"].items():
        seen[rule] = Counter({(tuple(map(str, offered)), str(taken)): int(many) for offered, taken, many in every})
    return PeoplesChoices(str(data["game"]), seen, tuple(data["evenings"]), hashlib.sha256(found).hexdigest()[:16])


def evening(players: int, turns: int, decisions: int, scores: Sequence[int]) -> dict[str, Any]:
    """A finished game, as ``PeoplesChoices.evenings`` has it."""
    return {"players": players, "turns": turns, "decisions": decisions, "scores": list(scores)}


def written(game: str, seen: Mapping[str, Seen], evenings: list[dict[str, Any]]) -> str:
    """The text of the file."""
    choices = {rule: [[list(o), t, n] for (o, t), n in sorted(every.items())] for rule, every in sorted(seen.items())}
    return json.dumps({"format": FORMAT, "game": game, "choices": choices, "evenings": evenings}, ensure_ascii=False)


@attrs.frozen
class PeopleBot:
    """Takes a kind of option as often as people did, and one of that kind at random. Of the position it knows what is
    offered. ``experience``: the training of players of comparisons."""

    game: Game
    choices: PeoplesChoices
    experience: Experience | None = None

    @classmethod
    def named(cls, name: str, game: Game) -> PeopleBot:
        """Raises UnusablePath where too little is known, or of another game only."""
        found = read(name)
        if found.game != game.name:
            raise UnusablePath(f"--bots {name}: these evenings are of {found.game}, not of {game.name}.")
        if not found.known:
            missing = [f"{rule} {several(more, 'more choice')}" for rule, more in found.missing().items()][:8]
            told = f"wanted in {', in '.join(missing)}" if missing else "there are none between kinds of options"
            raise UnusablePath(f"--bots {name}: people chose less than {ENOUGH} times everywhere; {told}.")
        return cls(game, found)

    def choose(self, state: State, decision: Decision, stream: Stream) -> int:
        found = kinds_of(decision)
        if found is None or found[0] not in self.choices.known:
            return stream.below(len(decision.options))
        asked, kinds = found
        training = None if self.experience is None else self.experience.training
        weights = weights_of(self.choices, asked, training)
        share = [weights.get(kind, 0.0) or min(weights.values()) for kind in kinds]
        each = [one / kinds.count(kind) for one, kind in zip(share, kinds, strict=True)]
        at = stream.below(1 << 30) / (1 << 30) * sum(each)
        for place, one in enumerate(each):
            at -= one
            if at < 0:
                return place
        return len(each) - 1


@functools.lru_cache(maxsize=4096)
def weights_of(choices: PeoplesChoices, rule: str, training: int | None) -> Mapping[str, float]:
    """How much people like each kind of option, beside the others; they add up to 1. ``training``: None for
    what is most likely; otherwise drawn from what it may well be."""
    seen = choices.seen[rule]
    taken: Counter[str] = Counter()
    for (offered, kind), many in seen.items():
        taken.update(dict.fromkeys(offered, 0))
        taken[kind] += many
    found = dict.fromkeys(sorted(taken), 1 / len(taken))
    for _ in range(200):
        found = {kind: (taken[kind] + _PRIOR) / rate for kind, rate in _rates(seen, found).items()}
        whole = sum(found.values())
        found = {kind: one / whole for kind, one in found.items()}
    if training is not None:
        chance = random.Random(f"{mix(1, training)} {rule}")
        rates = _rates(seen, found)
        found = {kind: chance.gammavariate(taken[kind] + _PRIOR, 1) / rates[kind] for kind in found}
    whole = sum(found.values())
    return {kind: one / whole for kind, one in found.items()}


def _rates(seen: Seen, weights: Mapping[str, float]) -> dict[str, float]:
    """By kind, how often it was up for choice, each time the more the less its rivals weigh."""
    rates = dict.fromkeys(weights, _PRIOR * len(weights) / sum(weights.values()))
    for (offered, _), many in seen.items():
        share = many / sum(weights[kind] for kind in offered)
        for kind in offered:
            rates[kind] += share
    return rates
