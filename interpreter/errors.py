"""Errors that a person can cause and mend. Their messages are meant for people."""

from __future__ import annotations

from typing import Any

from rulelang.source import NOWHERE, Span, visible


class GameError(Exception):
    """Something a person can cause and mend; the message is meant for people. The base of all errors below."""

    def __init__(self, message: str = "") -> None:
        super().__init__(visible(message, lines=True))


class IllegalChoice(GameError):
    """A choice that is not offered. The message tells why not, and what is offered when that is short."""


class ChanceError(GameError):
    """A fixed outcome of chance that cannot come up; the message lists what could.

    ``given``: the outcome, a name for each die or piece. ``possible``: those that could come up, the first of them at
    least; ``rule``: the id of the rule in which. All empty for what is no outcome at all. ``seats``: those that see
    what could come up, and what does; None for everybody.
    """

    seats: tuple[int, ...] | None = None

    def __init__(
        self, message: str, given: tuple[Any, ...] = (), possible: tuple[tuple[str, ...], ...] = (), rule: str = ""
    ) -> None:
        super().__init__(message)
        self.given = given
        self.possible = possible
        self.rule = rule


class SaveError(GameError):
    """A saved game that cannot be taken up again: damaged, or of another game, version or setting."""


class RuleFault(GameError):
    """A rule that cannot be carried out: a fault in the rules.

    ``reason``: what is wrong; ``rule`` and ``span``: where. The message has all three.
    """

    def __init__(self, message: str, rule: str, span: Span = NOWHERE) -> None:
        place = f" ({span.file}:{span.line})" if span.file else ""
        super().__init__(f"rule {rule}{place}: {message}")
        self.reason = message
        self.rule = rule
        self.span = span


class InvariantBroken(GameError):
    """An invariant of the rules does not hold. ``ids``: which; ``span``: of the first. Only when they are checked."""

    def __init__(self, ids: tuple[str, ...], span: Span = NOWHERE) -> None:
        place = f" ({span.file}:{span.line})" if span.file else ""
        words = ("invariants", "do") if len(ids) > 1 else ("invariant", "does")
        super().__init__(f"the {words[0]} {', '.join(ids)} {words[1]} not hold{place}")
        self.ids = ids
        self.span = span
