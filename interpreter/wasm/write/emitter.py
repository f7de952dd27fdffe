"""The writer of one rule's function, as the code for its nodes sees it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager

from rulelang.types import Type

from ...lowered.code import Block, Code, SetCell, Unit
from ...passes.suppose import How
from ..emit.registry import Where
from ..emit.values import Val
from ..expr.expressions import ExpressionWriter
from ..layout.cell import Cell
from ..wat import ir
from ..wat.builder import Builder
from .context import Context


class RuleEmitter(ExpressionWriter):
    """Writes the function of one unit of lowered code.

    ``slots``: type and locals of each slot of the frame that is in use; ``env``: the values of slots, which may be
    constants. ``suspends``: the function may stop at a site and go on later; then the local ``resume`` holds the number
    of the site to go on from and one, and 0 once it is reached, or when the function begins from its beginning.
    ``supposed``: how the rule is only supposed to run, if it is; then no watcher runs, and nothing is counted or told.
    ``recording``: what is counted of the game, if it is.
    """

    def __init__(
        self, context: Context, builder: Builder, unit: Unit, where: Where, *, supposed: How | None = None
    ) -> None:
        super().__init__(context.registry, builder, where)
        self.context = context
        self.unit = unit
        self.steps = context.steps
        self.supposed = supposed
        self.recording = context.recording if supposed is None else None
        self.suspends = supposed is None and context.suspends(unit.rule)
        self.resume = -1
        self.slots: dict[int, tuple[Type, list[int]]] = {}
        self.env: dict[int, Val] = {}
        self.sites: list[int] = []
        """The sites written so far where this function may be resumed."""
        self.saved_at: set[int] = set()
        """The sites at which this function saves its frame."""
        self.ends: list[str] = []
        """The labels after the loops around the current node, the innermost last."""

    @abstractmethod
    def node(self, node: Code) -> None:
        """Writes a node."""

    @abstractmethod
    def nodes(self, block: Block) -> None:
        """Writes a block."""

    # -- what is only supposed

    def sets(self, node: Code) -> bool:
        """Whether a node sets anything: nobody may look at it where the rule is only supposed to run."""
        return self.supposed is None or not isinstance(node, SetCell) or self.supposed.sets(node)

    def noted(self, cell: Cell) -> bool:
        """Whether the cells of a variable are put back from notes, so that they are noted before they change."""
        return self.supposed is not None and cell.variable.name in self.supposed.noted

    # -- slots of the frame

    def slot(self, slot: int, type_: Type) -> list[int]:
        """The locals of a slot, which may be set many times."""
        if slot not in self.slots:
            self.slots[slot] = (type_, self.locals_for(type_))
        self.env[slot] = self.of_locals(*self.slots[slot])
        return self.slots[slot][1]

    def assign(self, slot: int, value: Val) -> None:
        self.set_all(self.slot(slot, value.type), value)

    # -- resuming

    @property
    def last_site(self) -> int:
        """One more than the last site written: ``resume`` is at most this where what follows has not been reached."""
        return self.sites[-1] + 1 if self.sites else 0

    @contextmanager
    def fresh(self) -> Iterator[None]:
        """Code written inside runs only when the function does not resume."""
        if not self.suspends:
            yield
        else:
            with self.b.if_(ir.not_(self.b.get(self.resume))):
                yield

    @contextmanager
    def skipped(self, *, asks: bool) -> Iterator[None]:
        """Code written inside is skipped while the site to resume at is still to come.

        ``asks``: the site may be inside.
        """
        if not self.suspends:
            yield
            return
        before = len(self.sites)
        with self.b.aside() as inner:
            yield
        if asks and len(self.sites) > before:
            condition = ir.le(self.b.get(self.resume), ir.const(self.last_site))
        else:
            condition = ir.not_(self.b.get(self.resume))
        self.b.either(condition, inner, [])
