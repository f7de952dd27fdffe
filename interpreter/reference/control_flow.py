"""Which step comes next: rules, loops, branches and the end of the game.

Each function runs one kind of node of the lowered code, in a frame of a machine. It finds ``frame.next`` at what
follows the node, and sets it where something else does.
"""

from __future__ import annotations

from typing import cast

import attrs

from ..errors import RuleFault
from ..evaluation.meter import Undefined
from ..lowered import code
from ..position import events, faults
from ..position.blueprint import Watcher
from ..position.position import Secret
from .machine import Frame, Machine, Run, Step


def disclosing(run: Run) -> Run:
    """Runs a node that looks at something openly."""

    def openly(machine: Machine, frame: Frame, step: Step) -> None:
        machine.note(events.disclosed, step.node.rule)
        run(machine, frame, step)

    return openly


def go_on(machine: Machine, frame: Frame, step: Step) -> None:
    """What follows comes next."""


def need(machine: Machine, frame: Frame, step: Step) -> None:
    if not step.made.condition(machine.cells, frame.local):
        raise step.fault(faults.need(step.node.text))


def assign(machine: Machine, frame: Frame, step: Step) -> None:
    frame.local[step.node.slot] = step.made.value(machine.cells, frame.local)


def branch(machine: Machine, frame: Frame, step: Step) -> None:
    frame.next = step.inner[not step.made.condition(machine.cells, frame.local)]


def finish(machine: Machine, frame: Frame, step: Step) -> None:
    """The game ends; ``who``, one or several players, wins, or without it the players ranked best."""
    cells, who = machine.cells, step.made.who
    found = machine.blueprint.best(cells) if who is None else who(cells, frame.local)
    machine.finish((found,) if isinstance(found, int) else found, step.node.rule)


# ---------------------------------------------------------------- rules


def inline(machine: Machine, frame: Frame, step: Step) -> None:
    if step.made.guard is None or step.made.guard(machine.cells, frame.local):
        frame.next = step.inner[0]


def enter(machine: Machine, frame: Frame, step: Step) -> None:
    """A rule or an option begins, whose needs are met."""
    name = step.node.id
    frame.next = step.inner[1]
    machine.fired[name] = machine.fired.get(name, 0) + 1
    if machine.observer is not None:
        machine.observer.entered(step.node, frame)
    if step.node.noted:
        machine.note(events.rule_run, name)


def call(machine: Machine, frame: Frame, step: Step) -> None:
    """``bounds``: for each argument, the range of its parameter if the argument may lie outside it."""
    node = step.node
    values = [f(machine.cells, frame.local) for f in step.made.arguments]
    for value, bound in zip(values, node.bounds, strict=True):
        if bound is not None and value is not None and not bound.low <= value <= bound.high:
            raise step.fault(faults.argument(value, bound.low, bound.high, node.unit))
    frame.at = node.site.number
    machine.open(node.unit, values, step)


def end_rule(machine: Machine, frame: Frame, step: Step) -> None:
    machine.frames.pop()


def _holds(machine: Machine, watcher: Watcher) -> bool:
    """Whether a watcher must run. A fault in its condition is its own, not that of the rule that has just ended."""
    try:
        return watcher.holds(machine.cells)
    except Undefined as error:
        span = machine.blueprint.program.rules[watcher.rule].span
        raise RuleFault(str(error), watcher.rule, span) from None


def leave(machine: Machine, frame: Frame, step: Step) -> None:
    """End of a rule or an option: the watchers are tested if a cell has changed since the last test."""
    # What players do together takes effect, and is tested, once all of them are done.
    if not machine.dirty or machine.watching or machine.secret is not None:
        return
    machine.dirty = False
    if machine.blueprint.watched_openly:
        machine.note(events.disclosed, step.node.rule)
    for number, watcher in enumerate(machine.blueprint.watchers):
        if _holds(machine, watcher):
            machine.watching = True
            frame.at = step.node.site.number
            machine.open(code.WATCHING, (), step)
            first = cast(Frame, machine.frames[-1])
            for _ in range(number):
                first.next = first.next[1].then
            return


def run_watcher(machine: Machine, frame: Frame, step: Step) -> None:
    watcher = machine.blueprint.watchers[step.node.number]
    if _holds(machine, watcher):
        frame.at = step.node.site.number
        machine.open(watcher.rule, (), step)


def end_watching(machine: Machine, frame: Frame, step: Step) -> None:
    machine.watching = False
    machine.frames.pop()


# ---------------------------------------------------------------- loops


def _pass_begins(machine: Machine, frame: Frame, step: Step) -> None:
    """The next pass of a loop begins, which may be a turn of a player: once they are asked something, if any are."""
    frame.next = step.inner[0]
    if machine.observer is not None:
        machine.observer.loop_begun(machine, step.node)


def _turn_begins(machine: Machine, frame: Frame, step: Step) -> None:
    if step.made.turn_of is None:
        return
    if step.made.asking:
        machine.at_turn = frame.local[step.made.turn_of]
    else:
        machine.turns += 1


def each(machine: Machine, frame: Frame, step: Step) -> None:
    """The combinations are listed once; ``items`` and ``position`` are internal slots."""
    _list(machine, frame, step)
    next_member(machine, frame, step)


def _list(machine: Machine, frame: Frame, step: Step) -> None:
    frame.local[step.node.items] = tuple(step.made.combos(machine.cells, frame.local))
    frame.local[step.node.position] = 0


def next_member(machine: Machine, frame: Frame, step: Step) -> None:
    node, local = step.node, frame.local
    position = local[node.position]
    items = local[node.items]
    is_together = type(node) is code.Together
    if position >= len(items):
        if is_together:
            end_together(machine, step)
        return
    local[node.position] = position + 1
    for slot, value in zip(step.made.slots, items[position], strict=True):
        local[slot] = value
    _pass_begins(machine, frame, step)
    _turn_begins(machine, frame, step)
    if is_together:  # the player begins to decide
        machine.secret = attrs.evolve(_open(machine, step), player=local[step.made.slots[0]])


def repeat(machine: Machine, frame: Frame, step: Step) -> None:
    """``repeat at most``: slot ``left`` has the number of passes left."""
    frame.local[step.node.left] = step.made.value(machine.cells, frame.local)
    next_pass(machine, frame, step)


def next_pass(machine: Machine, frame: Frame, step: Step) -> None:
    if frame.local[step.node.left] > 0:
        frame.local[step.node.left] -= 1
        _pass_begins(machine, frame, step)


def repeat_falling(machine: Machine, frame: Frame, step: Step) -> None:
    """``repeat falling``: the measure must be smaller than at the start of the pass before."""
    frame.local[step.node.last] = None
    next_falling(machine, frame, step)


def next_falling(machine: Machine, frame: Frame, step: Step) -> None:
    slot = step.node.last
    value = step.made.measure(machine.cells, frame.local)
    before = frame.local[slot]
    if before is not None and value >= before:
        raise step.fault(faults.not_falling(step.node.text, before, value))
    frame.local[slot] = value
    _pass_begins(machine, frame, step)


def take_turns(machine: Machine, frame: Frame, step: Step) -> None:
    frame.local[step.node.slot] = step.made.start(machine.cells, frame.local)
    _turn(machine, frame, step)


def next_turn(machine: Machine, frame: Frame, step: Step) -> None:
    made, cells, local = step.made, machine.cells, frame.local
    if made.until is None or not made.until(cells, local):
        local[step.node.slot] = made.following(cells, local)
        _turn(machine, frame, step)


def _turn(machine: Machine, frame: Frame, step: Step) -> None:
    """On to the first player with a turn who is not ``out``; past the loop if ``nobody`` is in. Where those who follow
    lead round in a circle, the turn goes on along the table."""
    made, cells, local, slot, tries = step.made, machine.cells, frame.local, step.node.slot, 0
    while made.out is not None and made.out(cells, local):
        if made.nobody(cells, local):
            return
        tries += 1
        on = made.following if tries <= machine.blueprint.program.players else made.clockwise
        local[slot] = on(cells, local)
    frame.next = step.inner[0]
    _turn_begins(machine, frame, step)
    if machine.observer is not None:
        machine.observer.turn_begun(machine, step.node, local[slot])


# ---------------------------------------------------------------- players who decide together; see ``position``


def together(machine: Machine, frame: Frame, step: Step) -> None:
    _list(machine, frame, step)
    if machine.secret is not None:
        raise step.fault(faults.NESTED_TOGETHER)
    machine.secret = Secret(step.node.rule, tuple(machine.cells))
    next_member(machine, frame, step)


def next_part(machine: Machine, frame: Frame, step: Step) -> None:
    """One player has decided: the changes are set aside."""
    secret = _open(machine, step)
    if secret.player is None:
        raise step.fault(faults.NOBODY_DECIDES)
    both = enumerate(zip(machine.cells, secret.before, strict=True))
    changes = tuple((cell, now) for cell, (now, before) in both if now != before)
    machine.cells[:] = secret.before
    machine.secret = attrs.evolve(secret, player=None, done=(*secret.done, (secret.player, changes)))
    next_member(machine, frame, step)


def end_together(machine: Machine, step: Step) -> None:
    """All have decided: their changes take effect, and everybody learns of them."""
    secret = _open(machine, step)
    machine.secret = None
    for _, changes in secret.done:
        for cell, value in changes:
            machine.store(cell, value)
    notes = []
    chain = secret.told
    while chain is not None:
        chain, *note = chain
        notes.append(tuple(note))
    machine.note(events.revealed, tuple(reversed(notes)), step.node.rule)


def _open(machine: Machine, step: Step) -> Secret:
    if machine.secret is None:
        raise step.fault(faults.NOBODY_TOGETHER)
    return machine.secret
