"""States put into the memory of a compiled game, run on, and taken out again."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from .host import Instance, Trap
from .layout import addresses as mem

if TYPE_CHECKING:
    from .compiled import Compiled
    from .state import WasmState

Ask = tuple[int, int, int, int, int]
"""The seat asked, the unit and the site in it, the number of options, the words of each."""

After: TypeAlias = "tuple[bytes, Ask | None, bytes, bytes]"
"""The state after a call: its bytes, what is asked, the options, and the rules that ran."""


def put(compiled: Compiled, instance: Instance, state: WasmState) -> None:
    """Writes a state to the memory."""
    instance.holds = None
    addresses, data = compiled.addresses, state._data
    fixed = addresses.fixed_size if state._word(mem.SECRET) else addresses.open_size
    instance.write(mem.STATE, data[:fixed])
    if len(data) > fixed:
        instance.write(mem.STATE + addresses.fixed_size, data[fixed:])


def after(compiled: Compiled, instance: Instance, status: int) -> After:
    """What a call has left in the memory."""
    addresses, words = compiled.addresses, instance.words
    saved = words[(mem.STATE + mem.SAVED) >> 2]
    fixed = addresses.fixed_size if words[(mem.STATE + mem.SECRET) >> 2] else addresses.open_size
    data = instance.read(mem.STATE, fixed)
    if saved:
        data += instance.read(mem.STATE + addresses.fixed_size, saved)
    # The memory still holds this state when the next choice is made in it, as it mostly is.
    instance.holds = data
    at = addresses.scratch >> 2
    traced = words[at + (mem.TRACE_LENGTH >> 2)]
    trace = instance.read(addresses.scratch + mem.TRACE, 2 * min(traced, mem.TRACE_ROOM)) if traced else b""
    if status != mem.ASKED:
        return data, None, b"", trace
    player, unit, site, count, width = words[at + (mem.ASK_PLAYER >> 2) : at + (mem.ASK_WORDS >> 2) + 1]
    ask = (player, unit, site, count, width)
    return data, ask, instance.read(addresses.options, mem.WORD * count * width), trace


def begin(compiled: Compiled, seed: int) -> After:
    """A new game, run to its first decision. Raises RuleFault, as all that runs."""
    data = bytearray(compiled.initial)
    data += bytes(compiled.addresses.open_size - len(data))
    data[mem.CHANCE : mem.CHANCE + 8] = (seed % 2**64).to_bytes(8, "little")
    instance = compiled.ready()
    instance.write(mem.STATE, bytes(data))
    return _called(compiled, instance, "begin", 0)


def step(compiled: Compiled, state: WasmState, index: int) -> After:
    """What follows when an option of a state is taken. The state stays as it is."""
    instance = compiled.ready()
    if instance.holds is not state._data:
        _put_asked(compiled, instance, state, index)
    return _called(compiled, instance, "step", index)


def step_fixed(compiled: Compiled, state: WasmState, index: int) -> tuple[After, tuple[Any, ...]]:
    """As ``step``, with the outcomes that are fixed in the state; those left come second."""
    return _called_fixed(compiled, "step", index, lambda i: _put_asked(compiled, i, state, index), state._fixed)


def run(compiled: Compiled, state: WasmState, rule: str, values: Sequence[Any]) -> tuple[After, tuple[Any, ...]]:
    """What follows when a rule is run by itself, and the fixed outcomes left. The state stays as it is."""
    from .layout.memory import encode_row

    params = compiled.program.rules[rule].params
    row = [word for value, param in zip(values, params, strict=True) for word in encode_row(value, param.type)]

    def laid_out(instance: Instance) -> None:
        put(compiled, instance, state)
        instance.write(compiled.addresses.results, struct.pack(f"<{len(row)}i", *row))

    return _called_fixed(compiled, "run", compiled.units.index(rule), laid_out, state._fixed)


def playout(
    compiled: Compiled, state: WasmState, seed: int, limit: int
) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Random choices to the end of the game: scores and winners; None when ``limit`` decisions do not get there."""
    if state._ask is None:
        return state.scores, state.winners
    instance, addresses = compiled.ready(), compiled.addresses
    put(compiled, instance, state)
    instance.write(addresses.options, state._rows)
    instance.put_word(addresses.scratch + mem.ASK_COUNT, state._ask[3])
    instance.write(addresses.scratch + mem.STREAMS, (seed % 2**64).to_bytes(8, "little"))
    try:
        instance.call("rollout", limit)
        words = instance.words
        if not words[(mem.STATE + mem.OVER) >> 2]:
            return None
        instance.call("scores")
    except Trap as trap:
        raise compiled.fault(instance, trap) from None
    mask = words[(mem.STATE + mem.WINNERS) >> 2]
    players = compiled.facts.players
    return _scores_in(compiled, instance), tuple(p for p in range(players) if mask >> p & 1)


def scores_of(compiled: Compiled, state: WasmState) -> tuple[int, ...]:
    """The points of a state where no variable keeps them."""
    instance = compiled.searching
    put(compiled, instance, state)
    try:
        instance.call("scores")
    except Trap:  # told by the code that all engines share
        return state.position.scores()
    return _scores_in(compiled, instance)


def _scores_in(compiled: Compiled, instance: Instance) -> tuple[int, ...]:
    """What a call of ``scores`` has left among the options."""
    first = compiled.addresses.options >> 2
    return tuple(instance.words[first : first + compiled.facts.players])


def _put_asked(compiled: Compiled, instance: Instance, state: WasmState, index: int) -> None:
    """Writes a state to the memory, and the one option of it that will be taken."""
    addresses = compiled.addresses
    assert state._ask is not None
    put(compiled, instance, state)
    width = mem.WORD * state._ask[4]
    at = index * width
    instance.write(addresses.options + at, state._rows[at : at + width])
    instance.put_word(addresses.scratch + mem.ASK_COUNT, state._ask[3])


def _called(compiled: Compiled, instance: Instance, name: str, argument: int) -> After:
    instance.holds = None  # whatever the call leaves behind if it stops half way
    try:
        status = instance.call(name, argument)
    except Trap as trap:
        raise compiled.fault(instance, trap) from None
    return after(compiled, instance, status)


def _called_fixed(
    compiled: Compiled, name: str, argument: int, laid_out: Callable[[Instance], None], fixed: tuple[Any, ...]
) -> tuple[After, tuple[Any, ...]]:
    """As ``_called``, with outcomes of chance that are fixed; those left come second."""
    from . import codec

    try:
        instance, status, left = codec.call(compiled, name, argument, laid_out, fixed)
    except Trap as trap:
        raise compiled.fault(compiled.instance, trap) from None
    return after(compiled, instance, status), left
