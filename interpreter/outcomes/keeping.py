"""What was done at a choice of a game, kept as an example: as the smallest situation that shows it.

The rule in which the choice was made is run by itself in the position as it was, with the same chance and choices. The
position is then made smaller as long as the same happens (delta debugging, as for the partings of two rule sets).
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import attrs

from rulelang import workspace
from rulelang.api import replace_file
from rulelang.diagnostics import Sink
from rulelang.files.contents import content, root_of
from rulelang.syntax import tree

from ..data import Event
from ..errors import GameError
from ..examples.runner import passes
from ..game import Game, State
from ..loading import game_of
from ..position.position import Laid, Position, follow, laid_first
from .as_example import asks_on, laid_out, value_at
from .situations import Situation, running, shrunk, table

FILE = Path("examples") / "kept.rules"
"""Where examples are kept, in the folder of their game."""


class CannotKeep(ValueError):
    """What was done is no example. The message says why, and what to do."""


@attrs.frozen
class Kept:
    """An example of the game in the folder ``root``. ``rule``: the option or the rule that it is about."""

    root: Path
    game: str
    name: str
    rule: str
    text: str

    def add(self) -> Path:
        """Adds it to the examples that were kept; the file. Raises OSError and CannotKeep."""
        file = self.root / FILE
        file.parent.mkdir(exist_ok=True)
        try:
            old = content(file, self.root).decode() if file.exists() else self.head
        except UnicodeDecodeError:
            raise CannotKeep(f"{file} is no text in UTF-8, so nothing can be added to it") from None
        replace_file(file, f"{old.rstrip()}\n\n{self.text}\n")
        return file

    @property
    def head(self) -> str:
        """The first line of a file with it."""
        return f"examples of {self.game}"


@attrs.frozen
class Course:
    """A stretch of a game: the ``states`` before each choice and after the last one, and the choices by value."""

    states: Sequence[State] = ()
    values: Sequence[Any] = ()

    @classmethod
    def of(cls, position: Position) -> Course:
        """All of the game that led to a position; nothing for one that was laid out by hand."""
        if position.edited:
            return cls()
        made = position.choice_list()
        state = game_of(position.blueprint.program, "reference").start(position.seed, *laid_first(made))
        states, values = [state.copy()], []
        for each in made:
            if not isinstance(each, Laid):
                assert state.decision is not None
                values.append(state.decision.options[each].value)
            follow(state, [each])
            if not isinstance(each, Laid):
                states.append(state.copy())
        return cls(states, values)


def keep(
    path: Path,
    variants: Sequence[str],
    course: Course,
    number: int | None = None,
    name: str = "",
    numbers: Sequence[str] = (),
) -> Kept:
    """The choice of this number in a game, from 0, by default the last one.

    ``path``: the game's folder or a variant file; ``variants``: those in force besides; ``numbers`` with other values,
    ``stones=4``. The example has been run, and passes. Raises CannotKeep.
    """
    number = len(course.values) - 1 if number is None else number
    if not 0 <= number < len(course.values):
        raise CannotKeep("nothing has been chosen here that could be kept")
    root = path if path.is_dir() else root_of(path)
    if root is None:
        raise CannotKeep(f"{path} belongs to no game")
    files, _ = workspace.default().open(path, list(variants), Sink(), notes=False)
    every = [*files.parts, *files.examples, *files.variants.values()]
    taken = {item.id for file in every for item in file.items if isinstance(item, tree.Example)}
    if name and (name in taken or not re.fullmatch(r"[^\W\d]\w*(\.\w+)*", name)):
        problem = "the name of another example" if name in taken else "no name for an example"
        raise CannotKeep(f"{name} is {problem}")
    found = done(course, number)
    if found is None:
        raise CannotKeep(
            "no rule that ran here can be run by itself to the same effect; give this stretch of the rules a rule of"
            " its own, or keep another choice"
        )
    name = name or _name(found.about, taken)
    game = found.game.name
    text = "\n  ".join([f"example {name}", *found.lines(files.variants, numbers)])
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "kept.rules"
        file.write_text(f"examples of {game}\n\n{text}\n", encoding="utf-8")
        if passes(path, None, variants, file) != {True}:
            raise CannotKeep("what happened here depends on more than an example can say")
    return Kept(root, game, name, found.about, text)


def _name(about: str, taken: Collection[str]) -> str:
    """A name made from the rule."""
    names = (f"{about}.kept{number}" for number in ("", *(f"_{n}" for n in range(2, len(taken) + 3))))
    return next(name for name in names if name not in taken)


# ---------------------------------------------------------------- what was done in a game

_BACK = 8
"""Earlier choices that may be made again, until a rule is found that can be run by itself."""
_ROLLS = 4
"""Outcomes of chance before the first of them that may be laid down."""
_CLAIMS = 8
"""Values that an example says of what there is afterwards."""
_FEW = 2
"""Kinds of pieces that are told one by one."""


@attrs.frozen
class Done:
    """A choice in a situation of its own: its last ``size`` choices, the first of which the others belong to. ``told``:
    what came of it; ``about``: the option or the rule that it was a choice of."""

    game: Game
    situation: Situation
    size: int
    told: tuple[Any, ...]
    about: str
    before: State = attrs.field(eq=False)
    after: State = attrs.field(eq=False)

    def lines(self, variants: Collection[str] = (), numbers: Sequence[str] = ()) -> list[str]:
        """The lines of the example. ``variants``: those with a file; ``numbers``: those with another value."""
        program = self.game.program
        head, *rest = laid_out(self.game, self.situation)
        using = [name for name in program.variants if name in variants]
        changed = [f"{name} = {each.value}" for name, each in program.settings.items() if each.value != each.default]
        changed += [" = ".join(number.split("=", 1)) for number in numbers]
        rules = [f"with {', '.join(using)}"] if using else []
        return [head, *rules, *(f"with {change}" for change in changed), *rest, *self._claims()]

    def _claims(self) -> Iterator[str]:
        old, new = table(self.before), table(self.after)
        seen = {v.name for v in self.game.program.variables.values() if not v.bookkeeping and v.shows is None}
        names = [name for name in new if new[name] != old[name] and name.partition("[")[0] in seen]
        if names:
            values = (claim for name in names for claim in self._values(name, old[name], new[name]))
            yield f"then {', '.join(islice(values, _CLAIMS))}"
        if self.after.fired.get(self.about, 0) > self.before.fired.get(self.about, 0):
            yield f"fired {self.about}"
        seats = self.game.program.seats
        decision = self.after.decision
        if self.after.over:
            yield f"winners {', '.join(seats[seat] for seat in self.after.winners) or 'nobody'}"
        elif decision is not None and decision.kind != "pay":
            yield f"asked {seats[decision.player]} {decision.rule}"
        elif decision is None:
            yield "finished"

    def _values(self, name: str, old: Any, new: Any) -> Iterator[str]:
        """What a cell holds afterwards; of many pieces only the kinds that are more or fewer."""
        both = {**old, **new} if isinstance(old, dict) and isinstance(new, dict) else {}
        kinds = [kind for kind in both if old.get(kind) != new.get(kind)]
        if len(both) > _FEW >= len(kinds) and all(kind.isidentifier() for kind in kinds):
            yield from (f"{name}[{kind}] is {new.get(kind, 0)}" for kind in kinds)
        else:
            yield f"{name} is {value_at(self.game, self.after, name)}"


def done(course: Course, number: int) -> Done | None:
    """The choice of this number in a game, with what else belongs to it: in as small a situation as a bounded search
    finds. None where no rule that ran then can be run by itself to the same effect."""
    states, values = course.states, tuple(course.values)
    game = game_of(states[0].position.blueprint.program, "reference")
    while number and _belongs(states[number], states[number - 1]):
        number -= 1
    last = number
    while last + 1 < len(values) and _belongs(states[last + 1], states[last]):
        last += 1
    goal = _told(states[number], states[last + 1])
    for first in range(number, max(number - _BACK, 0) - 1, -1):
        earlier = outcomes(states[first], len(states[first - 1].log) if first else 0)
        later = outcomes(states[last + 1], len(states[first].log))
        found = []
        for begun in running(game, states[first]):
            for rolls in range(min(len(earlier), _ROLLS) + 1):
                chance = (*earlier[len(earlier) - rolls :], *later)
                situation = attrs.evolve(begun, choices=values[first : last + 1], chance=chance)
                one = _carried_out(game, situation, last + 1 - number)
                found += [one] if one is not None and one.told == goal[: len(one.told)] else []
        if found:  # the innermost rule, unless all it does is ask
            return shrunk(next((one for one in found if len(one.told) > one.size), found[0]), _smaller)
    return None


def _belongs(state: State, before: State) -> bool:
    """Whether what is asked belongs to the choice before: one more of several, or what its player pays for it."""
    asked, earlier = state.decision, before.decision
    if asked is None or earlier is None or asked.player != earlier.player:
        return False
    return asked.kind == "pay" or asks_on(state)


def _smaller(best: Done, situation: Situation) -> Done | None:
    if situation.weight > best.situation.weight:
        return None
    found = _carried_out(best.game, situation, best.size)
    return found if found is not None and (found.told, found.about) == (best.told, best.about) else None


def _carried_out(game: Game, situation: Situation, size: int) -> Done | None:
    """The situation with what comes of its last choices; None where it cannot be carried out."""
    try:
        broken = situation.laid(game).check_invariants()
        state = attrs.evolve(situation, choices=()).begin(game)
        for value in situation.choices[:-size]:
            state.choose(value)
        before, decision = state.copy(), state.decision
        for value in situation.choices[-size:]:
            state.choose(value)
    except GameError:
        return None
    if decision is None or not set(broken).issuperset(state.check_invariants()):
        return None  # it ended before, or an invariant breaks that held in the given position, which no example may do
    left = len(state.fixed_chance)
    situation = attrs.evolve(situation, chance=situation.chance[: len(situation.chance) - left])
    value = situation.choices[-size]
    about = value["option"] if isinstance(value, dict) and "option" in value else decision.rule
    return Done(game, situation, size, _told(before, state), about, before, state)


def _told(before: State, after: State) -> tuple[Any, ...]:
    """What happened from one state to a later one; totals depend on what happened long ago."""
    events = after.log[len(before.log) :]
    return tuple(
        (event.kind, event.rule, {key: value for key, value in event.data.items() if key != "total"})
        for event in events
        if event.kind != "rule"
    )


def outcomes(state: State, since: int = 0) -> tuple[Any, ...]:
    """What chance brought after so many events."""
    return tuple(_rolled(state.log[since:]))


def _rolled(events: Iterable[Event]) -> Iterator[Any]:
    for event in events:
        if event.kind == "roll":
            yield from event.data.values()
        elif event.kind == "move" and event.data.get("random"):
            yield from (kind for kind, number in event.data.get("pieces", {}).items() for _ in range(number))
