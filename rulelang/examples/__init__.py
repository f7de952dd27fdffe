"""Worked examples of a rulebook: written with cases, resolved against the game, and checked to say something."""

from .cases import Written
from .resolution import examples_in, resolve_examples
from .steps import (
    AskedStep,
    CannotPayStep,
    ChanceStep,
    Choice,
    ChooseStep,
    DeclineStep,
    Example,
    FinishedStep,
    FiredStep,
    GivenStep,
    OfferedOnlyStep,
    OfferedStep,
    PayStep,
    RefuseStep,
    RunStep,
    Step,
    ThenStep,
    WinnersStep,
)

__all__ = [
    "AskedStep",
    "CannotPayStep",
    "ChanceStep",
    "Choice",
    "ChooseStep",
    "DeclineStep",
    "Example",
    "FinishedStep",
    "FiredStep",
    "GivenStep",
    "OfferedOnlyStep",
    "OfferedStep",
    "PayStep",
    "RefuseStep",
    "RunStep",
    "Step",
    "ThenStep",
    "WinnersStep",
    "Written",
    "examples_in",
    "resolve_examples",
]
