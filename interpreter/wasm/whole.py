"""Whole games inside the module that stops at decisions, by bots that decide there: how one begins, which streams of
chance its seats have, and what is left of it."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import TYPE_CHECKING

import attrs

from ..chance import salt_of
from .layout import addresses as mem

if TYPE_CHECKING:
    from .engine import WasmGame
    from .host import Instance
    from .state import WasmState


@attrs.frozen(eq=False)
class Whole:
    """What whole games need in the room of a search: the choices made (``longest`` at most), and the streams of each
    rule that asks. ``at``: where that lies, from the beginning of the room."""

    game: WasmGame
    instance: Instance
    at: int
    longest: int
    _questions: tuple[bytes, bytes]

    @classmethod
    def of(cls, game: WasmGame, instance: Instance, at: int, longest: int) -> Whole:
        return cls(game, instance, -(-at // 8) * 8, longest, _questions(game))

    @property
    def end(self) -> int:
        """Where its part of the room ends."""
        units, salts = self._questions
        return self.at + len(salts) + self._streams + -(-len(units) // 8) * 8 + mem.WORD * self.longest

    @property
    def _streams(self) -> int:
        return 8 * self.game.players * len(self.game.rules)

    def lay_out(self) -> None:
        """Fills it in, once there is room."""
        base = self.game.steps.addresses.search
        units, salts = self._questions
        questions = base + self.at
        numbers = questions + len(salts) + self._streams
        self.instance.write(questions, salts)
        self.instance.write(numbers, units)
        for field, value in {
            mem.LEARN_QUESTIONS: questions,
            mem.LEARN_UNITS: numbers,
            mem.LEARN_CHOICES: numbers + -(-len(units) // 8) * 8,
        }.items():
            self.instance.put_word(base + field, value)

    def begin(self, seed: int, streams: Sequence[int], *, by_question: bool) -> int:
        """Begins the game of a seed; the status at its first decision. ``streams``: the state of each stream of chance,
        by seat; ``by_question``: from which each rule that asks has its own. Raises Trap."""
        instance, addresses = self.instance, self.game.steps.addresses
        data = bytearray(self.game.steps.initial)
        data += bytes(addresses.open_size - len(data))
        data[mem.CHANCE : mem.CHANCE + 8] = (seed % 2**64).to_bytes(8, "little")
        instance.write(mem.STATE, bytes(data))
        instance.put_word(addresses.scratch + mem.DECISIONS, 0)
        status = instance.call("begin", 0)
        instance.write(addresses.scratch + mem.STREAMS, struct.pack(f"<{len(streams)}Q", *streams))
        at = addresses.search + self.at + len(self._questions[1])
        instance.put_word(addresses.search + mem.LEARN_STREAMS, at if by_question else 0)
        if by_question:
            instance.write(at, bytes(self._streams))
        return status

    def state(self, seed: int, status: int, decisions: int) -> WasmState:
        """How the game of a seed stands that was played last."""
        at = self.instance.word(self.game.steps.addresses.search + mem.LEARN_CHOICES)
        choices = struct.unpack(f"<{decisions}i", self.instance.read(at, mem.WORD * decisions))
        return self.game.state_after(self.instance, status, seed, choices)


def _questions(game: WasmGame) -> tuple[bytes, bytes]:
    """Which site is the first of each unit, and for every site the salt of the rule that asks there, and where the
    streams of the rule begin."""
    rules = {rule: number for number, rule in enumerate(game.rules)}
    units, salts = b"", b""
    for name in game.steps.units:
        unit = game.blueprint.units.get(name)
        units += struct.pack("<i", len(salts) // 16)
        for site in unit.sites if unit is not None else ():
            salts += struct.pack("<Qq", salt_of(site.rule), 8 * game.players * rules.get(site.rule, 0))
    return units, salts
