"""Pairs of worlds that differ only in what one seat may not see, played side by side.

The second world is the first one redrawn from what the seat sees. Both take the same choices, as far as the seat can
tell: its own are the same; in place of somebody else's secret choice another one may be made. Whatever the seat can
observe must stay the same, until the rules say ``openly``, or a piece comes into the seat's sight.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import attrs
from kept import kept_slots
from traced import Trace, tracing

from interpreter.bots import Stream, mix
from interpreter.data import Event
from interpreter.errors import GameError, IllegalChoice, RuleFault
from interpreter.learning.actions import Actions
from interpreter.learning.observations import Observations
from interpreter.loading import game_of
from interpreter.lowered import code
from interpreter.lowered.lower import root_of
from interpreter.position import events
from interpreter.position.events import Chain
from interpreter.position.position import ChooseQuestion, MenuQuestion, Position, put
from interpreter.redraw import CannotRedraw, Redraw, Seen
from interpreter.reference.engine import ReferenceState
from rulelang.program import Program
from rulelang.program.analysis.effects import variables_read
from rulelang.program.analysis.flow import flow_of
from rulelang.program.nodes import Action
from rulelang.program.walk import free_slots, walk
from rulelang.types import FlagType, MemberType, NumberType, values

LOOKS = 3
"""So many options are explained at a decision, and as many things that may not be offered."""


@attrs.frozen
class Difference:
    """What tells the seat the two worlds apart after ``choices`` from ``seed``; ``step``: the choice that showed it."""

    what: str
    seat: str
    seed: int
    choices: tuple[int, ...]
    step: str
    first: str
    second: str
    hidden: str

    def __str__(self) -> str:
        return "\n".join(
            (
                f"{self.seat} is told of what it may not see: the two worlds differ in {self.what}",
                f"  after {len(self.choices)} choices from seed {self.seed} ({list(self.choices)}), then {self.step}",
                f"  in one world:    {self.first}",
                f"  in the other:    {self.second}",
                f"  hidden from {self.seat}: {self.hidden}",
            )
        )


class Told(Exception):
    """The seat can tell the worlds apart. ``what``, and how it is in each world."""

    def __init__(self, what: str, first: Any, second: Any) -> None:
        super().__init__(what)
        self.what, self.first, self.second = what, first, second


class Disclosed(Exception):
    """From here on the worlds may differ in what the seat sees, and the rules mean it."""


class Anew(Redraw):
    """A redraw that does not mind whether the seat is asked the same: that is to be seen."""

    def _ask(self, position: Position) -> bool:
        position.asked = put(position)
        return position.asked is not None and position.asked.player == self.seen.seat


@attrs.define
class Tried:
    """What was tried: steps in both worlds, pairs, and how pairs ended."""

    steps: int = 0
    pairs: int = 0
    ended: dict[str, int] = attrs.field(factory=dict)

    def end(self, why: str) -> None:
        self.ended[why] = self.ended.get(why, 0) + 1


@attrs.define
class Secrecy:
    """Games of one program, watched by one seat after another. ``fast``: look at the fast engine's states as well."""

    program: Program
    fast: bool = False
    tried: Tried = attrs.field(factory=Tried)
    _inside: bool = False

    @cached_property
    def game(self) -> Any:
        return game_of(self.program, engine="reference")

    @cached_property
    def fast_game(self) -> Any:
        return game_of(self.program, engine="wasm")

    @cached_property
    def observations(self) -> Observations:
        return Observations.of(self.program, self.game.blueprint.initial_cells())

    @cached_property
    def kept(self) -> dict[str, frozenset[int]]:
        return kept_slots(self.program)

    @cached_property
    def unseen_rolls(self) -> frozenset[code.Code]:
        """The rolls whose outcomes are used for nothing that anybody could see."""
        return frozenset(
            node
            for unit in self.game.blueprint.units.values()
            for node in unit.nodes()
            if isinstance(node, code.RollChance) and node.hidden
            if {b.slot for b in node.binds.binds} <= self.kept[root_of(self.program, self.program.rules[node.rule]).id]
        )

    @cached_property
    def actions(self) -> Actions:
        return Actions.of(self.game.blueprint, 64)

    def watch(self, seat: int, seed: int, limit: int = 60) -> Difference | None:
        """One game at random, of at most ``limit`` decisions, in which a seat watches pairs of worlds."""
        stream = Stream(mix(seed, seat))
        try:
            one = self.game.start(seed)
        except RuleFault:
            return None
        other: ReferenceState | None = None
        choices: list[int] = []
        for _ in range(limit):
            decision = one.decision
            if decision is None:
                break
            if other is None and decision.player == seat:
                other = self._imagined(one, seat, stream)
            index = stream.below(len(decision.options))
            before = other
            try:
                other = self._step(one, other, seat, index, stream)
            except RuleFault:
                break
            except Told as told:
                assert before is not None
                return Difference(
                    told.what,
                    self.program.seats[seat],
                    seed,
                    tuple(choices),
                    f"{self.program.seats[decision.player]}: {decision.options[index].text} ({decision.rule})",
                    str(told.first),
                    str(told.second),
                    _unlike(one, before),
                )
            choices.append(index)
        return None

    # -- worlds

    def _imagined(self, one: ReferenceState, seat: int, stream: Stream) -> ReferenceState | None:
        """Another world that looks the same to the seat."""
        try:
            kind = Redraw if code.discloses(_asked(one).node) else Anew
            redraw = kind(self.game.blueprint, Seen.of(one, seat))
            other: ReferenceState = self.game.state_of(redraw.draw(stream))
        except CannotRedraw:
            self.tried.end("cannot be redrawn")
            return None
        self.tried.pairs += 1
        secret = one.position.secret
        self._inside = secret is not None and bool(secret.done)
        return other

    def _step(
        self, one: ReferenceState, other: ReferenceState | None, seat: int, index: int, stream: Stream
    ) -> ReferenceState | None:
        """Take the choice in both worlds. Returns the second one, None when the pair has ended."""
        since = one.machine.log
        if other is None:
            with tracing(Trace()):
                one.choose(index)
            return None
        self.tried.steps += 1
        try:
            self._look(one, other, seat, stream)
            same = self._alike(one, other, seat, index, stream)
        except Disclosed as why:
            self.tried.end(str(why))
            one.choose(index)
            return None
        fast = self._fast_step(one, other, (index, same)) if self.fast else None
        with tracing(Trace(inside=self._inside)) as first:
            fault = _fault(one, index, seat)
        past = other.machine.log
        try:
            with tracing(Trace(first.outcomes, self._inside, self.unseen_rolls)) as second:
                other_fault = _fault(other, same, seat)
            if not (first.has_opened or second.has_opened):
                self._same_fault(fault, other_fault)
            if (either := fault or other_fault) is not None:
                raise either
            self._settle(one, other, seat, (first, second), stream)
            self._compare(one, other, seat, (since, past), (first, second))
            if fast is not None and not first.outcomes and not second.outcomes and _asked(one) is _asked(other):
                _same("what the fast engine shows", *(state.view(seat) for state in fast))
        except RuleFault:
            self.tried.end("the rules cannot go on")
            if fault is not None:
                raise  # this world, too, stays where it is
            return None
        except Disclosed as why:
            self.tried.end(str(why))
            return None
        return other

    def _same_fault(self, first: RuleFault | None, second: RuleFault | None) -> None:
        """That the rules cannot go on everybody sees, and where."""
        where = [None if fault is None else (fault.rule, fault.span) for fault in (first, second)]
        if where[0] != where[1] and not any(at is not None and at[1] in self._said_openly for at in where):
            raise Told("whether the rules can go on", *where)

    @cached_property
    def _said_openly(self) -> frozenset[Any]:
        parts = (part for part in walk(list(self.program.rules.values())) if isinstance(part, Action))
        return frozenset(part.span for part in parts if part.openly)

    def _settle(
        self, one: ReferenceState, other: ReferenceState, seat: int, traces: tuple[Trace, Trace], stream: Stream
    ) -> None:
        """Nobody sees before the end what another player does who decides together with the rest: nor in how many
        choices. Where the two worlds part, each goes on until that player is done."""
        if _asked(one) is _asked(other) and one.player == other.player:
            return
        for state, trace in zip((one, other), traces, strict=True):
            while (secret := state.position.secret) is not None and secret.player not in (None, seat):
                with tracing(trace):
                    _choose(state, stream.below(state.option_count), seat)

    # -- what the seat observes

    def _look(self, one: ReferenceState, other: ReferenceState, seat: int, stream: Stream) -> None:
        """Everything to be seen at a decision without anything being done."""
        for who, what in ((seat, "the view"), (None, "what a spectator sees")):
            _same(what, one.view(who), other.view(who))
        _same("the number of turns", one.turns, other.turns)
        views = one.view(seat), other.view(seat)
        _same("the observation of a learning agent", *map(self.observations.encode, views))
        first, second = one.decision, other.decision
        assert first is not None and second is not None
        _same("who is asked", first.player, second.player)
        if first.player != seat:
            asking = [state.why_not("x", {}, seat) for state in (one, other)]
            _same("why the seat cannot choose", *asking)
            return
        _same("the question", (first.rule, first.kind), (second.rule, second.kind))
        _same("the options", first.options, second.options)
        _same("what the question is about", first.subject, second.subject)
        _same("the actions of a learning agent", *(self.actions.offer(d).options for d in (first, second)))
        for _ in range(LOOKS):
            index = stream.below(len(first.options))
            _same(f"why {first.options[index].text}", one.why(index), other.why(index))
            name, given = _anything(one, stream)
            _same(f"why not {name or ''} {given}", *(_answer(state, name, given) for state in (one, other)))
            _same(f"the refusal of {name or ''} {given}", *(_refusal(state, name, given) for state in (one, other)))

    def _compare(
        self,
        one: ReferenceState,
        other: ReferenceState,
        seat: int,
        past: tuple[Any, Any],
        traces: tuple[Trace, Trace],
    ) -> None:
        """What the seat was told of a step, up to the moment when something was disclosed."""
        opened = any(trace.has_opened for trace in traces)
        logs = []
        for state, since, trace in zip((one, other), past, traces, strict=True):
            logs.append(_told(self.game.blueprint, trace.opened if trace.has_opened else state.machine.log, since))
        for who, words in ((seat, "the log"), (None, "the log of a spectator")):
            first, second = ([pair for pair in log if pair[0].told_to(who)] for log in logs)
            self._events(words, first, second, who, cut=opened)
        if opened:
            raise Disclosed("openly")
        _same("whether the game is over", one.over, other.over)
        if one.over:
            raise Disclosed("the end of the game")

    @cached_property
    def seen_by(self) -> dict[str, tuple[int, ...] | None]:
        """Who sees each cell, by its name in events; None for everybody."""
        layout = self.game.blueprint.layout
        return {place.text(place.owners(cell)): layout.seen_by[cell] for cell, place in layout.of_cell.items()}

    def _in_sight(self, event: Event, who: int | None) -> bool:
        """Whether somebody may see the pieces of an event: in a place, or because they are shown to them."""
        if event.kind == "show" and event.data["to"] in ("all", None if who is None else self.program.seats[who]):
            return True
        seen_by = [
            self.seen_by[event.data[name]] for name in ("from", "to", "place") if event.data.get(name) in self.seen_by
        ]
        return any(seats is None or who in seats for seats in seen_by)

    def _events(
        self, what: str, first: list[tuple[Event, Any]], second: list[tuple[Event, Any]], who: int | None, *, cut: bool
    ) -> None:
        for (a, node), (b, other) in zip(first, second, strict=False):
            if a == b:
                continue
            if a.kind == b.kind == "end" and a.rule == b.rule:
                raise Disclosed("the end of the game")
            if node is other and self._in_sight(a, who) and _shown(self.program, a, b, node):
                raise Disclosed("pieces shown")
            raise Told(what, a.text, b.text)
        if len(first) != len(second) and not cut:
            shorter = min(len(first), len(second))
            texts = [log[shorter][0].text if len(log) > shorter else "nothing" for log in (first, second)]
            raise Told(what, *texts)

    # -- choices that look the same

    def _alike(self, one: ReferenceState, other: ReferenceState, seat: int, index: int, stream: Stream) -> int:
        """An option of the second world that the seat cannot tell from the one taken in the first."""
        first, second = one.decision, other.decision
        assert first is not None and second is not None
        asked, asked_other = one.position.asked, other.position.asked
        assert asked is not None and asked_other is not None
        raw = asked.raws[index]
        if asked.question is not asked_other.question:
            raise Told("the question", first.rule, second.rule)
        if one.position.secret is not None and first.player != seat and stream.below(2):
            self._inside = True  # unseen for now, and disclosed when all have decided
            return stream.below(len(asked_other.raws))
        if first.player == seat or not asked.question.node.hidden:
            if raw not in asked_other.raws:
                raise Disclosed("a choice that is possible in one world only")
            return asked_other.raws.index(raw)
        look = self._public_part(asked.question)
        alike = [i for i, found in enumerate(asked_other.raws) if look(found) == look(raw)]
        if not alike:
            raise Disclosed("a choice that is possible in one world only")
        return alike[stream.below(len(alike))]

    def _public_part(self, question: Any) -> Callable[[Any], Any]:
        """What others learn of a secret choice from what follows: which option it was, and what is used in the open."""
        root = root_of(self.program, self.program.rules[question.node.rule])
        private = self.kept[root.id]

        def public(binds: Any, raw: Any) -> tuple[Any, ...]:
            each = () if binds is None else binds.binds
            return tuple(value for bind, value in zip(each, raw, strict=True) if bind.slot not in private)

        match question:
            case ChooseQuestion():
                return lambda raw: None if raw is None else public(question.node.binds, raw)
            case MenuQuestion():
                return lambda raw: (raw[0], public(question.node.items[raw[0]].binds, raw[1]))
        places = [self.program.variables[place.variable] for place in (question.node.source, question.node.target)]
        return sum if any(place.counted for place in places) else lambda raw: None

    # -- the fast engine

    def _fast_step(self, one: ReferenceState, other: ReferenceState, choices: tuple[int, int]) -> list[Any] | None:
        """The states of the fast engine after the step; None when it cannot be made."""
        fast = [self.fast_game.state_of(state.position) for state in (one, other)]
        try:
            for state, choice in zip(fast, choices, strict=True):
                state.choose(choice)
        except RuleFault:
            return None
        return fast


def _choose(state: ReferenceState, index: int, seat: int) -> None:
    """Take an option. As long as another player goes on deciding together with others, the seat sees nothing of it."""
    before, view = state.position.secret, state.view(seat)
    state.choose(index)
    after = state.position.secret
    if before is not None and after is not None and before.player == after.player != seat:
        _same("the view while another decides unseen", view, state.view(seat))


def _fault(state: ReferenceState, index: int, seat: int) -> RuleFault | None:
    """Take an option; what keeps the rules from going on, if anything does."""
    try:
        _choose(state, index, seat)
    except RuleFault as fault:
        return fault
    return None


def _asked(state: ReferenceState) -> Any:
    return None if state.position.asked is None else state.position.asked.question


def _same(what: str, first: Any, second: Any) -> None:
    if first != second:
        raise Told(what, first, second)


def _told(blueprint: Any, until: Chain, since: Chain) -> list[tuple[Event, Any]]:
    """The events after ``since``, each with the statement that brought it about, if it was one."""
    notes = []
    while until is not None and until is not since:
        until, *note = until
        notes.append(note)
    return [pair for teller, facts in reversed(notes) for pair in _by_node(blueprint, teller, facts)]


def _by_node(blueprint: Any, teller: Any, facts: Any) -> list[tuple[Event, Any]]:
    if teller is events.revealed:
        return [(event, note[2][0]) for note in facts[0] for event in teller(blueprint, (note,))]
    node = facts[2][0] if teller is events.kept else facts[0]
    return [(event, node) for event in teller(blueprint, *facts)]


def _shown(program: Program, a: Event, b: Event, node: Any) -> bool:
    """Whether two events are one move of pieces out of hiding into sight, no different but for what was there."""
    if isinstance(node, code.ShowPieces):
        return all("pieces" in event.data or "value" in event.data for event in (a, b))
    if not isinstance(node, code.MovePieces | code.Pay) or "pieces" not in a.data or "pieces" not in b.data:
        return False
    if program.variables[node.source.variable].seen_by == "all":
        return False
    # Then the amount is what those know who see the place.
    own = program.variables[node.target.variable].seen_by not in ("all", "nobody")
    less = ["pieces", "number"] if own or _depends_on_the_source_alone(program, node) else ["pieces"]
    return _without(a, less) == _without(b, less)


def _without(event: Event, keys: list[str]) -> dict[str, Any]:
    return {key: value for key, value in event.data.items() if key not in keys}


def _depends_on_the_source_alone(program: Program, node: code.MovePieces | code.Pay) -> bool:
    """Whether more or fewer pieces move only because of what the place holds."""
    amount = node.amount if isinstance(node, code.MovePieces) else node.cost
    root = root_of(program, program.rules[node.rule])
    hidden = {name for name in variables_read(program, amount) if program.variables[name].seen_by != "all"}
    labels = flow_of(program).frames[root.id].slots
    return hidden <= {node.source.variable} and not any(labels.get(slot) for slot in free_slots(amount))


def _unlike(one: ReferenceState, other: ReferenceState) -> str:
    """What the two worlds differed in before the step, as far as it can still be told."""
    layout = one.position.blueprint.layout
    found = []
    for place in layout.places.values():
        for cell in range(place.offset, place.offset + place.variable.cells):
            now = one.position.cells[cell], other.position.cells[cell]
            if now[0] != now[1]:
                found.append(f"{place.text(place.owners(cell))}: {now[0]} or {now[1]}")
    return "; ".join(found) or "what was chosen in secret"


# ---------------------------------------------------------------- questions anybody may ask


def _anything(state: ReferenceState, stream: Stream) -> tuple[str | None, dict[str, Any]]:
    """Something to ask ``why not`` about: an option with values of the right types, offered or not."""
    asked = state.position.asked
    assert asked is not None
    match asked.question:
        case ChooseQuestion() as question:
            return None, _values(question.node.binds, stream)
        case MenuQuestion() as question:
            item = question.node.items[stream.below(len(question.node.items))]
            return item.rule.id, _values(item.binds, stream)
    option = asked.decision(state.position).options[0]
    assert option.value is not None
    paid = {kind: number + stream.below(2) for kind, number in option.value["pays"].items()}
    return None, {"pays": paid}


def _values(binds: Any, stream: Stream) -> dict[str, Any]:
    found = {}
    for bind in () if binds is None else binds.binds:
        if isinstance(bind.type, (MemberType, NumberType, FlagType)):
            every = values(bind.type)
            value = every[stream.below(len(every))]
            found[bind.name] = bind.type.domain.members[value] if isinstance(bind.type, MemberType) else value
    return found


def _answer(state: ReferenceState, name: str | None, given: dict[str, Any]) -> Any:
    try:
        return state.why_not(name, given)
    except GameError as error:
        return str(error)


def _refusal(state: ReferenceState, name: str | None, given: dict[str, Any]) -> str | None:
    choice = given if name is None else {"option": name, "with": given}
    try:
        state._index(choice)
    except IllegalChoice as error:
        return str(error)
    return None
