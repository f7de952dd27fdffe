"""A position of a game: everything that changes, as plain data from which either engine can continue."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, NamedTuple, Protocol, TypeAlias

import attrs

from rulelang import program as ir
from rulelang.program.values import belongs, plain, show
from rulelang.program.walk import conjuncts, free_slots
from rulelang.structural import Structural, frozen
from rulelang.types import FLAG

from ..data import Decision, DecisionKind, Option
from ..errors import RuleFault
from ..evaluation import payments
from ..evaluation.compiler import Combos, Function
from ..evaluation.meter import METER, Undefined, distinct, patiently
from ..lowered import code
from ..lowered.cells import Cells
from ..lowered.code import Frame
from . import faults
from .blueprint import Blueprint
from .carrying import beginning
from .events import Chain, Marked


@frozen
class Laid(Structural):
    """Outcomes of chance that were laid down by name in a game that runs; ``first``: before it began.

    ``luck``: where the chance of the next choice came from instead; see ``chance``. ``carried``: what the game began
    with that an earlier one handed on.
    """

    outcomes: tuple[Any, ...]
    first: bool = False
    luck: int | None = None
    carried: Mapping[str, Any] | None = None


Made: TypeAlias = "int | Laid"
"""What leads from one position to the next: the index of the option chosen, or chance laid down for it."""

Choices: TypeAlias = "tuple[Any, Made] | None"
"""What was made so far as a chain of (earlier, made), so that copies share their past."""


@attrs.define(eq=False)
class Position:
    """``cells``: see ``lowered.cells``. ``frames``: the running rules, the innermost last. ``chance``: the
    generator's state.

    ``fixed``: outcomes of chance set in advance. ``whole``: the whole game is running, so that the end of its first
    rule is the end of the game. ``dirty``: a cell has changed since the watchers were last tested. ``watching``: the
    watchers are running. ``turns``: turns of players so far (see ``record.rounds``); ``at_turn``: whose turn has begun,
    until they are asked. ``fired``: how often each rule ran. ``edited``: the choices do not lead from the seed to
    this position. ``secret``: players are deciding together. ``asked``: the open decision. ``marked``: what the last
    save told of the log.
    """

    blueprint: Blueprint
    cells: list[Any]
    chance: int
    seed: int
    frames: list[Frame] = attrs.field(factory=list)
    fixed: tuple[Any, ...] = ()
    whole: bool = False
    over: bool = False
    winners: tuple[int, ...] = ()
    dirty: bool = False
    watching: bool = False
    turns: int = 0
    at_turn: int | None = None
    fired: dict[str, int] = attrs.field(factory=dict)
    asked: OpenQuestion | None = None
    log: Chain = None
    choices: Choices = None
    edited: bool = False
    secret: Secret | None = None
    marked: Marked | None = None

    def scores(self, seat: int | None = None) -> tuple[int, ...]:
        """The points of each seat, as far as ``seat`` knows if one is given.

        Without a score: the first criterion of winning, if everybody may see it; else 1 for a winner and 0 for others.
        """
        players = range(self.blueprint.program.players)
        cells = self.blueprint.score
        known = self.cells if seat is None else self.known_to(seat)
        if cells is None and self.blueprint.first_rank_is_open():
            return tuple(self.blueprint.measure(self.blueprint.first_rank, p, known) for p in players)
        if cells is None:
            return tuple(int(p in self.winners) for p in players)
        return tuple(known[cells.index((owner,))] for owner in self.blueprint.score_owners)

    def known_to(self, seat: int) -> list[Any]:
        """The cells as far as a seat knows: without the secret decisions of others."""
        return self.cells if self.secret is None else self.secret.cells(self.cells, seat)

    def choice_list(self) -> list[Made]:
        """The choices made so far, oldest first, with the outcomes of chance laid down between them."""
        return list(listing(self.choices).made)


@frozen
class ChoiceListing(Structural):
    """The choices of a chain, oldest first, so that those that follow can be added.

    ``laid``: at which places among them outcomes of chance were laid down.
    """

    chain: Choices
    made: tuple[Made, ...]
    laid: tuple[int, ...]


def listing(chain: Choices, known: ChoiceListing | None = None) -> ChoiceListing:
    """The choices of a chain. ``known``: those of one that this may go on from; then only new ones are gone through."""
    last, new = chain, list[Made]()
    while chain is not None and not (known is not None and chain is known.chain):
        chain, made = chain
        new.append(made)
    if known is None or chain is not known.chain:
        known = ChoiceListing(None, (), ())
    new.reverse()
    laid = [number for number, made in enumerate(new, len(known.made)) if isinstance(made, Laid)]
    return ChoiceListing(last, (*known.made, *new), (*known.laid, *laid))


class Follower(Protocol):
    """A game that is played again."""

    def choose(self, choice: int, /) -> None: ...

    def fix_chance(self, values: Sequence[Any], /) -> None: ...

    def fix_luck(self, luck: int, /) -> None: ...


def follow(state: Follower, made: Iterable[Made]) -> None:
    """Do again what was made in a game after it had begun. Raises GameError where that is not possible."""
    for each in made:
        if not isinstance(each, Laid):
            state.choose(each)
        elif each.luck is not None:
            state.fix_luck(each.luck)
        elif not each.first:
            state.fix_chance(each.outcomes)


def laid_first(made: Sequence[Made]) -> tuple[tuple[Any, ...], Mapping[str, Any] | None]:
    """What a game begins with besides its seed: outcomes laid down before, and what was handed on to it."""
    first = made[0] if made else None
    return (first.outcomes, first.carried) if isinstance(first, Laid) and first.first else ((), None)


def blank(blueprint: Blueprint, seed: int, carried: Mapping[str, Any] | None = None) -> Position:
    """A position with the initial values, or what was ``carried``, and no rule running."""
    from .. import chance

    return Position(blueprint, beginning(blueprint, carried or {}), chance.seeded(seed), seed, edited=True)


# Secrets of players who decide together: each acts on the position before, unseen, then all is revealed at once.
#
# Meanwhile the cells of the position are those before plus the changes of the player being asked; the changes of the
# others are set aside. So nobody's choices can depend on another's, and a view needs no exceptions.


Changes: TypeAlias = tuple[tuple[int, Any], ...]
"""Cells by their index, with their new values."""


@frozen
class Secret(Structural):
    """``rule``: the rule that lets them decide. ``before``: the cells at the start. ``done``: (player, changes) pairs.

    ``player``: who is deciding, None between two players. ``told``: the events so far, as a chain of (earlier, player,
    teller, facts); it is history, not part of the position.
    """

    rule: str
    before: tuple[Any, ...]
    done: tuple[tuple[int, Changes], ...] = ()
    player: int | None = None
    told: Any = attrs.field(default=None, eq=False, repr=False)

    def cells(self, now: list[Any], seat: int) -> list[Any]:
        """The cells as far as a seat knows: those before, with its own changes. ``now``: all cells."""
        if seat == self.player:
            return now
        cells = list(self.before)
        for player, changes in self.done:
            if player == seat:
                for cell, value in changes:
                    cells[cell] = value
        return cells


# Questions: the options a statement offers in a position, and the decision that people see.
#
# ``offers`` lists what may be chosen, as bare values; the options in words are made of them when somebody looks.


Offers: TypeAlias = Callable[[Sequence[Any], list[Any], list[Any]], bool]
"""Tells of values for the names of a choice whether they may be chosen, in these cells and with these locals."""

MEMORY = 20_000
"""Options remembered by a question; most come back again and again."""


@attrs.define(eq=False)
class Question:
    """A statement that asks, compiled. ``binds`` are the names that a choice gives values to."""

    kind: ClassVar[DecisionKind]
    node: code.Ask
    who: Function
    _known: dict[Any, Option] = attrs.field(factory=dict, init=False)

    def offers(self, cells: list[Any], local: list[Any]) -> tuple[Any, ...] | None:
        """The bare values that may be chosen, each once, in canonical order; None when nothing needs to be asked."""
        raise NotImplementedError

    def asks(self, cells: list[Any], local: list[Any]) -> bool | None:
        """Whether anything may be chosen, without listing all of it; None when nothing needs to be asked."""
        raise NotImplementedError

    def may_take(self, raw: Any, cells: list[Any], local: list[Any]) -> bool:
        """Whether a bare value is one of those that may be chosen, as far as that can be told without the others."""
        return False

    def nothing(self) -> RuleFault:
        """The fault of having nothing to choose from."""
        return self.fault(faults.NOTHING_TO_CHOOSE)

    def option(self, raw: Any) -> Option:
        """An option in words."""
        option = self._known.get(raw)
        if option is None:
            if len(self._known) >= MEMORY:
                self._known.clear()
            option = self._known[raw] = self.describe(raw)
        return option

    def describe(self, raw: Any) -> Option:
        raise NotImplementedError

    def fault(self, message: str) -> RuleFault:
        return RuleFault(message, self.node.rule, self.node.span)


@attrs.define(eq=False)
class ChooseQuestion(Question):
    kind: ClassVar[DecisionKind] = "choose"
    node: code.Choose
    blueprint: Blueprint
    combos: Combos

    def offers(self, cells: list[Any], local: list[Any]) -> tuple[Any, ...]:
        found = tuple(self.combos(cells, local))
        return (*found, None) if self.node.may and (found or self.node.some is not None) else found

    @functools.cached_property
    def _any(self) -> Combos:
        return self.blueprint.combos(self.node.binds, (), "any_one")

    def asks(self, cells: list[Any], local: list[Any]) -> bool:
        return (self.node.may and self.node.some is not None) or bool(self._any(cells, local))

    @functools.cached_property
    def _takes(self) -> Offers:
        return _takes(self.blueprint, self.node.binds, ())

    def may_take(self, raw: Any, cells: list[Any], local: list[Any]) -> bool:
        return raw is not None and self._takes(raw, cells, local)

    def describe(self, raw: Any) -> Option:
        return (
            Option("no" if self.node.some is None else "enough", None)
            if raw is None
            else Option(*_named(self.node.binds, raw))
        )


@attrs.define(eq=False)
class MenuQuestion(Question):
    """A bare value is the number of an item with the values chosen for its names."""

    kind: ClassVar[DecisionKind] = "menu"
    node: code.Menu
    blueprint: Blueprint
    combos: tuple[Combos, ...]

    def offers(self, cells: list[Any], local: list[Any]) -> tuple[Any, ...]:
        return distinct((i, values) for i, combos in enumerate(self.combos) for values in combos(cells, local))

    @functools.cached_property
    def _any(self) -> tuple[Combos, ...]:
        return tuple(self.blueprint.combos(item.binds, item.conditions, "any_one") for item in self.node.items)

    def asks(self, cells: list[Any], local: list[Any]) -> bool:
        return any(combos(cells, local) for combos in self._any)

    @functools.cached_property
    def _takes(self) -> tuple[Offers, ...]:
        return tuple(_takes(self.blueprint, item.binds, item.conditions) for item in self.node.items)

    def may_take(self, raw: Any, cells: list[Any], local: list[Any]) -> bool:
        number, values = raw
        takes: Offers = self._takes[number]
        return takes(values, cells, local)

    def nothing(self) -> RuleFault:
        return self.fault(faults.no_option([item.rule.id for item in self.node.items]))

    def describe(self, raw: Any) -> Option:
        number, values = raw
        item = self.node.items[number]
        text, data = _named(item.binds, values)
        return Option(f"{item.rule.id} {text}".rstrip(), {"option": item.rule.id, "with": data}, item.rule.id)


@attrs.define(eq=False)
class PayQuestion(Question):
    """A bare value is the pieces paid, a count for each kind."""

    kind: ClassVar[DecisionKind] = "pay"
    node: code.Pay
    cost: Function
    less: Function | None
    source: Cells
    source_cell: Function

    def offers(self, cells: list[Any], local: list[Any]) -> tuple[Any, ...] | None:
        cost = self.cost(cells, local)
        less = 0 if self.less is None else self.less(cells, local)
        if sum(cost) <= max(less, 0):
            return None
        cell = self.source_cell(cells, local)
        found = self._plans(cells[cell], cost, less)
        if not found:
            type_ = self.source.variable.type
            place = self.source.text(self.source.owners(cell))
            raise self.fault(faults.cannot_pay(show(cost, type_), place, show(cells[cell], type_)))
        return found

    def asks(self, cells: list[Any], local: list[Any]) -> bool | None:
        less = 0 if self.less is None else self.less(cells, local)
        return True if sum(self.cost(cells, local)) > max(less, 0) else None

    def payable(self, held: Any, cells: list[Any], local: list[Any]) -> bool:
        """Whether the cost can be paid from these pieces."""
        less = 0 if self.less is None else self.less(cells, local)
        return bool(self._plans(held, self.cost(cells, local), less))

    def _plans(self, held: Any, cost: Any, less: int) -> tuple[Any, ...]:
        rate = payments.rate_of(self.node.exchanges)
        if rate is not None and less <= 0:
            return payments.plans(held, cost, rate)
        element = self.source.variable.element
        assert element is not None
        return payments.plans_by(held, cost, payments.marked(self.node.exchanges, element), less)

    def describe(self, raw: Any) -> Option:
        type_ = self.source.variable.type
        return Option(f"pay {show(raw, type_)}", {"pays": plain(raw, type_)})


def question_of(blueprint: Blueprint, node: code.Ask) -> Question:
    """The question of a statement that asks; each is made once."""
    found: Question | None = blueprint.questions.get(node)
    if found is None:
        found = blueprint.questions[node] = _question_of(blueprint, node)
    return found


def _question_of(blueprint: Blueprint, node: code.Ask) -> Question:
    who = blueprint.function(node.who)
    match node:
        case code.Choose():
            return ChooseQuestion(
                node=node, who=who, blueprint=blueprint, combos=blueprint.combos(node.binds, (), "distinct")
            )
        case code.Menu():
            every = tuple(blueprint.combos(item.binds, item.conditions, "distinct") for item in node.items)
            return MenuQuestion(node=node, who=who, blueprint=blueprint, combos=every)
        case code.Pay():
            source, cell = blueprint.place(node.source)
            cost = blueprint.function(node.cost, source.variable.type)
            less = None if node.less is None else blueprint.function(node.less)
            return PayQuestion(node=node, who=who, cost=cost, less=less, source=source, source_cell=cell)
        case _:
            raise AssertionError(f"{type(node).__name__} asks nothing")


def _takes(blueprint: Blueprint, binds: ir.Binds | None, conditions: Sequence[ir.Expr]) -> Offers:
    """What tells of values whether they are in their domains and pass the conditions, in the order of ``combos``.

    Where a run ends at the first that fails, this depends on the others: nothing is then told to be offered.
    """
    if binds is not None and binds.stop_at_first_failure:
        return lambda values, cells, local: False
    each = () if binds is None else binds.binds
    waiting = [
        *(conjuncts(binds.condition) if binds is not None else ()),
        *(p for c in conditions for p in conjuncts(c)),
    ]
    unbound = {bind.slot for bind in each}
    tests: list[ir.Expr] = []
    for bind in each:
        tests.append(ir.Apply("in", (ir.Local(bind.slot, bind.name, bind.type), bind.domain), FLAG, span=bind.span))
        unbound.discard(bind.slot)
        tests += [test for test in waiting if not free_slots(test) & unbound]
        waiting = [test for test in waiting if free_slots(test) & unbound]
    passing = blueprint.combos(None, (*tests, *waiting))
    slots = [bind.slot for bind in each]

    def takes(values: Sequence[Any], cells: list[Any], local: list[Any]) -> bool:
        local = local[:]
        for slot, value in zip(slots, values, strict=True):
            local[slot] = value
        return bool(passing(cells, local))

    return takes


def _named(binds: ir.Binds | None, values: tuple[Any, ...]) -> tuple[str, dict[str, Any]]:
    """The chosen values in words, and as plain data by name."""
    each = [] if binds is None else list(zip(binds.binds, values, strict=True))
    return ", ".join(show(v, b.type) for b, v in each), {b.name: plain(v, b.type) for b, v in each}


class Coming(NamedTuple):
    """What is asked next in a game that is known already: the statement, and the bare value of one of its options.

    ``node`` is None where the game ends before anybody is asked.
    """

    node: code.Ask | None
    raw: Any


@attrs.define(eq=False)
class OpenQuestion:
    """An open decision. Shared by copies of a state. ``raws``: the options as bare values."""

    question: Question
    player: int
    raws: tuple[Any, ...]
    _decision: Decision | None = None

    def decision(self, position: Position) -> Decision:
        """The decision as people see it, in the position it is open in."""
        if self._decision is None:
            # The position may go on before somebody asks what the question was about.
            frames = [frame.waiting() for frame in position.frames]
            self.decision_of(position.blueprint, lambda: frames)
        assert self._decision is not None
        return self._decision

    def decision_of(self, blueprint: Blueprint, frames: Callable[[], Sequence[Frame]]) -> Decision:
        """The same, from what gives the running rules when they are needed.

        The decision does not refer back to this object: a circle would be left to the garbage collector, thousands of
        them in a game.
        """
        if self._decision is None:
            question = self.question
            options = tuple(map(question.option, self.raws))
            about = partial(subject, blueprint, frames, question.node.names, self.player)
            self._decision = Decision(self.player, question.node.rule, question.kind, options, about)
        return self._decision


def put(position: Position) -> OpenQuestion | None:
    """The decision that the innermost rule of a position waits for; None when nothing needs to be asked.

    Raises RuleFault when there is nothing to choose from.
    """
    frame = position.frames[-1]
    ask = frame.unit.sites[frame.at]
    assert isinstance(ask, code.Ask)
    question = question_of(position.blueprint, ask)
    try:
        limits = position.blueprint.limits
        with METER.counting(limits, more=patiently(limits)):
            raws = question.offers(position.cells, frame.local)
            if raws is None:
                return None
            if not raws:
                raise question.nothing()
            return OpenQuestion(question, question.who(position.cells, frame.local), raws)
    except Undefined as error:
        raise question.fault(str(error)) from None


def subject(
    blueprint: Blueprint, running: Callable[[], Sequence[Frame]], names: Sequence[code.Name], player: int
) -> dict[str, Any]:
    """The names in force where the question is asked, with their values as plain data.

    Those that everybody knows, and those that the seat that is asked knows and that the rules still need: what is not
    needed any more and not public is no part of a position, so that two that differ in nothing else are the same.
    """
    frames = running()
    if not frames:
        return {}
    place = len(frames) - 1
    frame = frames[place]
    live = frame.live()
    found: dict[str, Any] = {}
    for name in names:
        if not name.public and name.slot not in live:
            continue
        value = frame.local[name.slot]
        if belongs(value, name.type) and blueprint.knowers.knows(frames, place, name.slot, player):
            found[name.name] = plain(value, name.type)
    return found
