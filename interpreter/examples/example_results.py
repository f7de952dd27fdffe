"""Results of examples, as data."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import attrs

from rulelang.diagnostics import Diagnostic
from rulelang.source import SourceFile, Span

from ..data import Event


@attrs.frozen
class Failure:
    """A step that turned out differently. ``expected`` and ``actual`` are for people to read, None when nothing is
    compared. ``rule``: the rule or option that the step is about, or that was asking. ``asked``: who is still
    asked, where what is expected may come only after that."""

    line: int
    message: str
    expected: str | None = None
    actual: str | None = None
    mend: Mend | None = None
    rule: str | None = None
    asked: str | None = None


@attrs.frozen
class Mend:
    """The text that would make the example say what the rules do.

    ``cases``: how many cases of the example share the text; 1 when it belongs to this one alone. ``whole``: what the
    step then says.
    """

    span: Span
    text: str
    cases: int = 1
    whole: str = ""


@attrs.frozen
class ExampleResult:
    """``documented``: language to lines of the source text. ``rules``: ids that ran, in the order of the rules.

    ``outcome``: changes on the table, who decided what, each point with its derivation; plain data. ``example``: the id
    as written; ``name`` adds the ``case``, if the example has cases. ``start``: every cell of the position given, by
    name. ``log``: what happened, rule by rule.
    """

    name: str
    file: str
    line: int
    status: Literal["passed", "failed", "error"]
    documented: dict[str, str]
    rules: tuple[str, ...]
    failures: tuple[Failure, ...]
    outcome: dict[str, Any]
    example: str
    case: str | None = None
    start: dict[str, Any] = attrs.field(factory=dict, eq=False, repr=False)
    log: tuple[Event, ...] = attrs.field(default=(), eq=False, repr=False)


@attrs.frozen
class NotRun:
    """An example without an outcome under the present rules. ``why``: what stands in its way."""

    name: str
    file: str
    line: int
    why: str


@attrs.frozen
class ExampleReport:
    """``coverage``: for each rule and option of the game, how many examples ran it. ``diagnostics``: errors only about
    examples that were ``not_run``. ``stopped``: whether somebody stopped it before it had run them all."""

    results: tuple[ExampleResult, ...]
    coverage: dict[str, int]
    diagnostics: tuple[Diagnostic, ...]
    sources: dict[str, SourceFile] = attrs.field(repr=False)
    paths: dict[str, Path] = attrs.field(repr=False)
    not_run: tuple[NotRun, ...] = ()
    stopped: bool = False

    @property
    def passed(self) -> bool:
        return not self.stopped and all(r.status == "passed" for r in self.results)
