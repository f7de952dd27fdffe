"""Other ways on than a choice: taking back, entering chance by hand, other lines of play.

What was seen cannot be unseen. So nobody goes back over chance, over anything by which somebody may have learned what
is hidden, or over the choice of one who knows what others do not, where that may show what it is. All of that is
decided from what everybody knows: whether something may be taken back tells nothing, and everybody is told.

No line has the luck of another. Where the rules hide something, a line that people at seats begin has none of the
hidden things of the one they leave either: these are drawn anew from what everybody knows. Else they could look them up
in a line that is soon over, and go back. Only the designer's lines go on with what is there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import attrs

from . import sights
from . import store as rows
from .access import Refused
from .line import Choice, Line, opening, restored
from .referee import at_first, impossible
from .starts import ANEW, anew, carried
from .table import Request

if TYPE_CHECKING:
    from interpreter.game import Game, State

    from .access import Guest, Page
    from .line import RuleSet
    from .table import Table


# ---------------------------------------------------------------- taking back


async def wish_undo(table: Table, guest: Guest, page: Page) -> None:
    """A guest would like to take back the last decision; it is done when everybody else who plays agrees, or at once
    while nobody else has been asked since. Whoever learns the game against bots alone may always try again.

    Raises Refused; where that follows from the course of the game, all other pages are told as well.
    """
    async with table.change():
        if guest.role == "open" or (table.teach and table.people == {guest.seat}):
            await _back(table, await table.work.quick(last_decision, table.line, table.people))
            return
        if guest.seat is None:
            raise Refused("watching")
        try:
            at = await table.work.quick(target, table.line, guest.seat, frozenset(table.bots), table.seats)
        except Refused as refused:
            why = refused
            if why.word != "nothing_of_yours":
                table.tell(lambda each: sights.refused(why, "undo", each.lang, table.line), but=page)
            raise
        others = set() if table.one_screen or _is_own(table.line, at, guest.seat) else table.people - {guest.seat}
        if others:
            table.request = Request(guest.seat, at, others)
            await _settle(table, table.request)
        else:
            await _back(table, at)


def _is_own(line: Line, at: int, seat: int) -> bool:
    """Whether it is still the turn of a seat that alone has chosen since there were ``at`` choices."""
    return line.state.player == seat and all(choice.seat == seat for choice in line.choices[at:])


async def answer_undo(table: Table, guest: Guest, agrees: bool) -> None:
    """A guest's answer to the wish to take something back."""
    async with table.change():
        request = table.request
        if request is None or guest.seat not in request.asked:
            raise Refused("not_asked_undo")
        if not agrees:
            table.request = None
            table.tell(lambda each: sights.asked_to_undo(None, guest.seat))
            return
        request.asked.discard(guest.seat)
        await _settle(table, request)


async def _settle(table: Table, request: Request) -> None:
    if request.asked:
        table.tell(lambda each: sights.asked_to_undo(request))
    else:
        await _back(table, request.at)


async def _back(table: Table, at: int) -> None:
    line = table.line
    table.stop_skipping()
    begun = line.choices[line.together : at]  # as the rules ask, which need not be the order they were made in
    await table.keep(*rows.undo(line.number, at), *(rows.again(line.number, line.together, begun) if begun else ()))
    await table.work.quick(line.back, at)
    table.advance()


def target(line: Line, seat: int, bots: frozenset[int], seats: tuple[str, ...]) -> int:
    """The number of choices that are left when a seat takes back its last decision.

    Raises Refused when it made none; when a fault has ended the line; while players decide together; and when something
    may have come out since.
    """
    from interpreter.position.events import uncovered

    if line.broken:
        raise Refused("broken")
    if line.state.position.secret is not None:
        raise Refused("undo_together")
    at = next((n for n in reversed(range(len(line.choices))) if _decided(line, n, seat)), None)
    if at is None:
        raise Refused("nothing_of_yours")
    shown = uncovered(line.game.blueprint, line.state.position.log, line.position(at).position.log)
    if shown is not None or any(_tells(line, n, seat, bots) for n in range(at + 1, len(line.choices))):
        raise Refused("uncovered", player=seats[seat])
    return at


def _tells(line: Line, number: int, seat: int, bots: frozenset[int]) -> bool:
    """Whether a choice of another may show what only that one knows: a bot's always, a person's where the options show
    it. A person can be asked to agree, a bot cannot."""
    by = line.choices[number].seat
    if by == seat or line.game.blueprint.knowers.all_in_the_open:
        return False
    return by in bots or not _known_to_all(line, number)


def _known_to_all(line: Line, number: int) -> bool:
    """Whether everybody knows which options there were for a choice."""
    from interpreter.position.views import SPECTATOR

    frames = line.position(number).position.frames
    return line.game.blueprint.knowers.knows_options(frames, SPECTATOR)


def last_decision(line: Line, people: set[int]) -> int:
    """The number of choices before the last decision of one of these seats; Refused if there is none."""
    for number in reversed(range(len(line.choices))):
        if line.choices[number].seat in people and not line.position(number).forced:
            return number
    raise Refused("nothing_to_undo")


def _decided(line: Line, number: int, seat: int) -> bool:
    """Whether the seat made a choice itself; it is made for it where everybody knows that there is no other."""
    return line.choices[number].seat == seat and not line.position(number).forced


# ---------------------------------------------------------------- other lines of play


async def branch(table: Table, guest: Guest, at: int) -> None:
    """Plays on from the position after ``at`` choices, in a line of its own; what was played stays as it is."""
    async with table.change():
        line = table.line
        _check(line, at)
        if _hides(line, guest):
            seed = table.next_luck()
            save = await table.work.quick(lambda: anew(line.game, line.position(at), seed))
            await begin(table, line.rules, {"save": save, ANEW: True}, line.game, at)
            return
        kept = table.store.new_line(table.number, line.rules, line.game, line.start, line.number, at)

        def make() -> Line:
            first = line.choices[:at]
            return restored(kept.number, line.rules, line.game, line.start, first, line.number, at)

        await table.put(await table.work.quick(make), kept)


async def chance(table: Table, guest: Guest, turn: int, outcome: tuple[str, ...] | None) -> None:
    """Enters what came up; a game whose beginning is complete with it begins anew."""
    start = await _enter(table, guest, turn, outcome)
    if start is not None:
        async with table.change(turn):
            await begin(table, table.line.rules, start)


async def _enter(table: Table, guest: Guest, turn: int, outcome: tuple[str, ...] | None) -> Mapping[str, Any] | None:
    """Enters what came up next for the choice that waits; None: that choice is to be forgotten.

    Gives how a line begins whose beginning is complete with it.
    """
    async with table.change(turn):
        pending, line = table.pending, table.line
        if pending is None or not guest.plays or not pending.wanted.concerns(guest):
            raise Refused("nothing_to_enter")
        if outcome is None:
            table.wait(None)
            return None
        wanted = pending.wanted
        if len(outcome) != len(wanted.possible[0]):  # what comes next may be for others to enter
            raise impossible(outcome, wanted.possible)
        entered = (*pending.entered, (wanted, outcome))
        after = attrs.evolve(pending, entered=entered)
        if pending.option is not None:
            await table.make(Choice(pending.option, pending.seat, after.outcomes, pending.luck), entered)
            return None
        more = await table.work.quick(at_first, line.game, line.start, after.outcomes)
        if more is None:
            return {**line.start, "chance": after.outcomes}
        table.wait(attrs.evolve(after, wanted=more))
        return None


async def under(table: Table, guest: Guest, at: int, changes: Sequence[str]) -> None:
    """Plays on from the position after ``at`` choices under other rules: ``changes`` as ``rulelang compare`` has them.

    Raises Refused with the reason where there are no such rules, or the position does not fit them. What is hidden from
    the guest has no part in that.
    """
    from rulelang.diagnostics import RulesError, UnusablePath

    async with table.change():
        line = table.line
        _check(line, at)
        rules = attrs.evolve(line.rules, changes=tuple(dict.fromkeys((*line.rules.changes, *changes))))
        try:
            game = await table.work.quick(rules.load)
        except UnusablePath as error:
            raise Refused("because", reason=error) from None
        except RulesError as error:
            raise Refused("mistaken_rules", reason=_faults(error)) from None
        seed, hides = table.next_luck(), _hides(line, guest)
        save = await table.work.quick(lambda: _carried(line, line.position(at), game, seed, hides))
        await begin(table, rules, {"save": save, ANEW: hides}, game, at)


async def follow(
    table: Table, rules: RuleSet | None = None, at: int | None = None, *, anew: bool = True
) -> Refused | None:  # fmt: skip
    """Goes on under the rules as their texts are now: from the position where it fits them, else from the start of a
    new game; then why is returned. For whoever writes the rules, so that nothing is drawn anew.

    ``rules``: others than those of the table; ``at``: after so many choices, by default all; not ``anew``: the table
    stays as it is where its position does not fit. Raises what loading the rules raises, and RuleFault where they
    cannot begin.
    """
    async with table.change():
        line, rules = table.line, rules or table.line.rules
        if at is not None:
            _check(line, at)
        game = await table.work.quick(rules.load)
        if at is None and game.program.version == line.game.program.version:
            return None
        at = len(line.choices) if at is None else at
        seed, problem = table.next_luck(), None
        start: dict[str, Any] = {"seed": seed}
        try:
            save = await table.work.quick(lambda: carried(line.game, line.game.save(line.position(at)), game, seed))
            start = {"save": save}
        except Refused as refused:
            if not anew:
                return refused
            problem = refused
        await begin(table, rules, start, game, at)
        return problem


def last_fitting(line: Line, game: Game) -> int | None:
    """The number of choices after which a line last had a position that fits other rules; None where none does."""
    for at in reversed(range(len(line.choices) + 1)):
        try:
            carried(line.game, line.game.save(line.position(at)), game, 0)
        except Refused:
            continue
        return at
    return None


_TRIES = 20
"""Positions drawn until one fits other rules."""


def _hides(line: Line, guest: Guest) -> bool:
    """Whether something may be hidden in a line from a guest."""
    return guest.role != "open" and not line.game.blueprint.knowers.all_in_the_open


def _carried(line: Line, state: State, game: Game, seed: int, hides: bool) -> dict[str, Any]:
    """The save of a state carried to other rules, with what is hidden drawn anew."""
    from interpreter.chance import luck

    if not hides:
        return carried(line.game, line.game.save(state), game, seed)
    problems: dict[str, Refused] = {}
    for own in (luck(seed, number) for number in range(_TRIES)):
        try:
            return carried(line.game, anew(line.game, state, own), game, own)
        except Refused as refused:
            problems.setdefault(str(refused), refused)
    if len(problems) > 1:  # each is about what was only imagined
        raise Refused("cannot_redraw")
    raise next(iter(problems.values()))


async def begin(
    table: Table,
    rules: RuleSet,
    start: Mapping[str, Any],
    game: Any = None,
    at: int = 0,
    moved: Mapping[int | None, int] = MappingProxyType({}),
) -> None:
    """Begins another line of play; ``moved``: who moves from which seat to which."""
    parent, game = table.line, game or table.line.game
    kept = table.store.new_line(table.number, rules, game, start, parent.number, at)

    def make() -> Line:
        return Line(kept.number, rules, game, start, opening(game, start), parent.number, at)

    await table.put(await table.work.quick(make), kept, moved)


def variants(table: Table) -> tuple[str, ...]:
    """The names of the variants in the game's folder."""
    from interpreter.comparing.alternatives import Choices

    return tuple(Choices.of(table.line.rules.path, table.line.rules.variants, table.line.rules.players).variants)


def _check(line: Line, at: int) -> None:
    if at > len(line.choices):
        raise Refused("stale")


def _faults(error: Any) -> str:
    """The first mistake of rules that cannot be played, and how many more there are."""
    found = [d for d in error.diagnostics if d.severity == "error"]
    first = found[0]
    more = f" (and {len(found) - 1} more; `rulelang check` shows them)" if len(found) > 1 else ""
    return f"{first.span.file}:{first.span.line}: {first.message}{more}"
