"""Runner of a game's worked examples."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import attrs

import rulelang
from rulelang import examples as ex
from rulelang import program as ir
from rulelang import workspace
from rulelang.diagnostics import Diagnostic, Sink
from rulelang.files.folder import shown
from rulelang.files.opening import check_settings
from rulelang.program.values import name_of, plain, show, written
from rulelang.source import SourceFile, Span
from rulelang.syntax import tree
from rulelang.syntax.printer import print_expr
from rulelang.types import PiecesType, kinds

from .data import Decision, Event
from .errors import GameError
from .game import Game, State
from .loading import game_of
from .position import choices


@attrs.frozen
class Failure:
    """A step that turned out differently. ``expected`` and ``actual`` are for people to read, None when nothing is
    compared."""

    line: int
    message: str
    expected: str | None = None
    actual: str | None = None
    mend: Mend | None = None


@attrs.frozen
class Mend:
    """The text that would make the example say what the rules do."""

    span: Span
    text: str


@attrs.frozen
class ExampleResult:
    """``documented``: language to lines of the source text. ``rules``: ids that ran, in the order of the rules.

    ``outcome``: changes on the table, who decided what, each point with its derivation; plain data.
    """

    name: str
    file: str
    line: int
    status: Literal["passed", "failed", "error"]
    documented: dict[str, str]
    rules: tuple[str, ...]
    failures: tuple[Failure, ...]
    outcome: dict[str, Any]


@attrs.frozen
class ExampleReport:
    """``coverage``: for each rule and option of the game, how many examples ran it. ``diagnostics`` has no errors."""

    results: tuple[ExampleResult, ...]
    coverage: dict[str, int]
    diagnostics: tuple[Diagnostic, ...]
    sources: dict[str, SourceFile] = attrs.field(repr=False)
    paths: dict[str, Path] = attrs.field(repr=False)

    @property
    def passed(self) -> bool:
        return all(r.status == "passed" for r in self.results)


def run_examples(
    path: str | Path,
    settings: Mapping[str, str] | None = None,
    variants: Sequence[str | Path] = (),
    files: Iterable[str | Path] = (),
    engine: str = "reference",
) -> ExampleReport:
    """Run the examples of the game at ``path``, or only those in ``files``.

    The fast engine cannot fix chance, so examples that do so end in an error there; its outcomes have no points.
    Raises RulesError when the rules or an example have mistakes, UnusablePath when there is nothing to read.
    """
    sink = Sink()
    found, only, names = _open(path, variants, list(files), sink)
    if sink.has_errors:
        raise rulelang.RulesError(sink, found.sources)
    resolved = workspace.default().examples(found, sink, names, settings, only)
    if sink.has_errors:
        raise rulelang.RulesError(sink, found.sources)
    check_settings(found, settings or {})
    base = workspace.default().program(found, None, settings, names)
    results = run_resolved(resolved, engine)
    coverage = {id_: sum(id_ in result.rules for result in results) for id_ in base.rules}
    return ExampleReport(tuple(results), coverage, tuple(sink), found.sources, found.paths)


def run_resolved(resolved: Iterable[ex.Example], engine: str = "reference") -> list[ExampleResult]:
    """Run examples that are already resolved; those of one Program share its game. ``engine``: as in run_examples."""
    games: dict[int, Game] = {}
    results = []
    for example in resolved:
        game = games.get(id(example.program)) or game_of(example.program, engine)
        games[id(example.program)] = game
        results.append(_Run(example, game).result())
    return results


def _open(
    path: str | Path, variants: Sequence[str | Path], files: list[str | Path], sink: Sink
) -> tuple[Any, frozenset[str] | None, tuple[str, ...]]:
    from rulelang.syntax.parse import parse_source

    found, names = workspace.default().open(path, variants, sink)
    if not files:
        return found, None, names
    only = set()
    for file in map(Path, files):
        if not os.path.isfile(file):
            raise rulelang.UnusablePath(f"There is no file {file}.")
        name = shown(file)
        only.add(name)
        if name in found.sources:
            continue
        source = found.texts.read(file, name, sink)
        if source is not None:
            parsed = parse_source(source, sink)
            header = parsed.items[0] if parsed.items else None
            of = header.game if isinstance(header, tree.Examples) else None
            if not sink.has_errors and (found.game is None or of != found.game.name):
                game = found.game.name if found.game else "the game"
                raise rulelang.UnusablePath(f"{file} must start with `examples of {game}`.")
            found.sources[name] = source
            found.paths[name] = file
            found = attrs.evolve(found, examples=(*found.examples, parsed))
    return found, frozenset(only), names


def accept(report: ExampleReport) -> list[tuple[str, int, str, str]]:
    """Rewrite expectations to match what came out, where a ``then X is VALUE`` failed.

    Returns (file, line, old text, new text) for each change. Each file is replaced as a whole.
    """
    from rulelang.api import replace_file

    mends: dict[str, list[Mend]] = {}
    for result in report.results:
        for failure in result.failures:
            if failure.mend is not None:
                mends.setdefault(failure.mend.span.file, []).append(failure.mend)
    changes = []
    for file, found in mends.items():
        source = report.sources[file]
        lines = source.lines
        for mend in sorted(found, key=lambda m: m.span, reverse=True):
            line = lines[mend.span.line - 1]
            before, old, after = (
                line[: mend.span.column - 1],
                line[mend.span.column - 1 : mend.span.end_column - 1],
                line[mend.span.end_column - 1 :],
            )
            lines[mend.span.line - 1] = before + mend.text + after
            changes.append((file, mend.span.line, old, mend.text))
        text = ("\ufeff" if source.bom else "") + source.newline.join(lines)
        replace_file(report.paths[file], text)
    return sorted(changes)


# ---------------------------------------------------------------- one example


class _Stop(Exception):
    """The example cannot go on after a failure."""


class _Run:
    """One run of an example, with what came of it."""

    def __init__(self, example: ex.Example, game: Game) -> None:
        self.example = example
        self.program = example.program
        self.state: State = game.blank()
        self.failures: list[Failure] = []
        self.before: dict[str, Any] = {}
        self.decisions: list[str] = []
        self.broken: frozenset[str] = frozenset()

    def result(self) -> ExampleResult:
        status: Literal["passed", "failed", "error"] = "passed"
        example = self.example
        try:
            self.before = self._table()
            self._steps()
        except _Stop:
            pass
        except GameError as problem:
            status = "error"
            self.failures.append(Failure(self.line, str(problem)))
        if status == "passed" and self.failures:
            status = "failed"
        fired = self.state.fired
        rules = tuple(id_ for id_ in self.program.rules if fired.get(id_))
        return ExampleResult(
            example.id,
            example.span.file,
            example.span.line,
            status,
            _passages(example.passages),
            rules,
            tuple(self.failures),
            self._outcome(),
        )

    def _steps(self) -> None:
        steps = self.example.steps
        started = False
        for position, step in enumerate(steps):
            self.line = step.span.line
            if not isinstance(step, (ex.GivenStep, ex.ChanceStep)):
                if not started:
                    self.before, started = self._table(), True
                    self.broken = frozenset(self.state.check_invariants())
                self._settle(steps[position:])
            self._step(step)
            if started:
                self._invariants()
        self._settle(())
        self._invariants()
        if self.state.fixed_chance:
            left = ", ".join(str(value) for value in self.state.fixed_chance)
            self._fail(f"Not used: {left}. (Write `chance` before the step that rolls.)")

    def _invariants(self) -> None:
        """Check that no invariant broke since the given position. (A partial position may start out breaking some.)"""
        if self.state.decision is not None and self.state.decision.kind == "pay":
            return
        now = frozenset(self.state.check_invariants())
        for id_ in sorted(now - self.broken):
            self._fail(f"The invariant `{id_}` held before this step, but no longer does.")
        self.broken |= now

    # ------------------------------------------------------------ steps

    def _step(self, step: ex.Step) -> None:
        state = self.state
        match step:
            case ex.GivenStep():
                self._given(step)
            case ex.RunStep():
                params = self.program.rules[step.rule].params
                given = zip(step.arguments, params, strict=True)
                state.run(step.rule, [plain(state.value_of(a), p.type) for a, p in given])
            case ex.ChanceStep():
                state.fix_chance(step.values)
            case ex.RefuseStep():
                self._refuse(step)
            case ex.ChooseStep():
                self._choose(step)
            case ex.DeclineStep():
                decision = self._asked(step.player, "declines")
                self._take(decision, [i for i, o in enumerate(decision.options) if o.value is None], "to decline")
            case ex.PayStep():
                self._pay(step)
            case ex.AskedStep():
                decision = self._asked(step.player, "is asked")
                if step.rule is not None and decision.rule != step.rule:
                    self._fail("A different rule asks.", step.rule, decision.rule)
            case ex.OfferedStep():
                offered = state.decision.options if state.decision else ()
                count = sum(o.id == step.option for o in offered)
                if count != step.count:
                    self._fail(
                        f"`{step.option}` is not offered the expected number of times.", str(step.count), str(count)
                    )
            case ex.ThenStep():
                self._then(step)
            case ex.FiredStep():
                for id_ in step.ids:
                    if bool(state.fired.get(id_)) == step.negated:
                        self._fail(f"`{id_}` ran." if step.negated else f"`{id_}` did not run.")
            case ex.WinnersStep():
                self._winners(step)
            case ex.FinishedStep():
                if state.decision is not None:
                    who = self.program.seats[state.decision.player]
                    self._fail("It has not finished.", "nobody is asked", f"{who} is asked by {state.decision.rule}")

    def _given(self, step: ex.GivenStep) -> None:
        variable = self.program.variables[step.variable]
        names = [name_of(i, o) for i, o in zip(step.indices, variable.owners, strict=True)]
        value = self.state.value_of(step.value)
        if step.kind is None:
            value = plain(value, variable.type)
        else:
            assert isinstance(variable.type, PiecesType)
            names.append(name_of(kinds(variable.type.kind)[step.kind], variable.type.kind))
        self.state.set(f"{step.variable}[{', '.join(names)}]" if names else step.variable, value)

    def _winners(self, step: ex.WinnersStep) -> None:
        if self.state.decision is not None:
            self._fail("The game is not over.")
            return
        found = frozenset(self.state.winners)
        if found != step.players:
            seats = self.program.seats
            self._fail("The winners are different.", _names(step.players, seats), _names(found, seats))

    def _asked(self, player: int, what: str) -> Decision:
        decision = self.state.decision
        seats = self.program.seats
        if decision is None:
            self._fail(f"{seats[player]} {what}, but nobody is asked.")
            raise _Stop
        if decision.player != player:
            self._fail(
                f"{seats[player]} {what}, but it is someone else's decision.",
                seats[player],
                f"{seats[decision.player]} by {decision.rule}",
            )
            raise _Stop
        return decision

    def _choose(self, step: ex.ChooseStep) -> None:
        decision = self._asked(step.player, f"chooses {step.text}")
        found = self._matching(step)
        if not found:
            refusal = self._why_not(step)
            self._fail(f"`{step.text}` is not offered. {refusal}", step.text, _offer(decision))
            raise _Stop
        self._take(decision, found, f"to choose {step.text}")

    def _refuse(self, step: ex.RefuseStep) -> None:
        self._asked(step.player, f"cannot choose {step.text}")
        if self._matching(step):
            self._fail(f"`{step.text}` is offered.", "refused", "offered")
            return
        if step.because is not None:
            values = self._values(step)
            told = self.state.why_not(step.option, values, step.player)
            failing = {c.rule for c in told.conditions if not c.holds} | {told.rule}
            if step.because not in failing:
                self._fail("It is refused for a different reason.", step.because, told.text)

    def _values(self, step: ex.ChooseStep) -> dict[str, Any]:
        if step.option is None:
            return {str(n): plain_of(v) for n, v in enumerate(step.values)}
        binds = self.program.rules[step.option].binds
        names = [b.name for b in binds.binds] if binds else []
        return dict(zip(names, map(plain_of, step.values), strict=True))

    def _why_not(self, step: ex.ChooseStep) -> str:
        if step.option is None:
            return ""
        return self.state.why_not(step.option, self._values(step), step.player).text

    def _matching(self, step: ex.ChooseStep) -> list[int]:
        if step.option is not None:
            return self._meant({"option": step.option, "with": self._values(step)})
        assert self.state.decision is not None
        # The values of a plain choice; a payment is never one of them.
        return self._meant([plain_of(v) for v in step.values]) if self.state.decision.kind == "choose" else []

    def _meant(self, value: Any) -> list[int]:
        """The index of the option with this value, if it is offered."""
        index = choices.matching(self.state.position, value)
        return [] if index is None else [index]

    def _pay(self, step: ex.PayStep) -> None:
        decision = self._asked(step.player, "pays")
        pieces = plain_of(step.pieces)
        found = self._meant({"pays": pieces})
        if decision.kind != "pay" or not found:
            self._fail("This payment is not possible.", print_expr(step.pieces), _offer(decision))
            raise _Stop
        self._take(decision, found, "to make this payment")

    def _take(self, decision: Decision, found: list[int], what: str) -> None:
        if len(found) != 1:
            number = f"are {len(found)} ways" if found else "is no way"
            self._fail(f"There {number} {what}.", None, _offer(decision))
            raise _Stop
        seat = self.program.seats[decision.player]
        self.decisions.append(f"{seat}: {decision.options[found[0]].text}")
        self.state.choose(found[0])

    def _settle(self, coming: Sequence[ex.Step]) -> None:
        """Make payments the example does not mention, with the fewest pieces, when there is only one such plan."""
        while self.state.decision is not None and self.state.decision.kind == "pay":
            acting = (ex.PayStep, ex.ChooseStep, ex.DeclineStep, ex.RunStep)
            next_step = next((s for s in coming if isinstance(s, acting)), None)
            if isinstance(next_step, ex.PayStep) and next_step.player == self.state.decision.player:
                return
            decision = self.state.decision
            sizes = [sum(o.value["pays"].values()) for o in decision.options if o.value is not None]
            fewest = [i for i, size in enumerate(sizes) if size == min(sizes)]
            if len(fewest) != 1:
                self._fail("There are several ways to pay; say which with `... pays {...}`.", None, _offer(decision))
                raise _Stop
            self._take(decision, fewest, "to pay")

    def _then(self, step: ex.ThenStep) -> None:
        condition = step.condition
        if self.state.value_of(condition):
            return
        if isinstance(condition, ir.Apply) and len(condition.arguments) == 2 and condition.op in _COMPARISONS:
            left, right = condition.arguments
            expected = f"{_COMPARISONS[condition.op]}{self._show(right)}"
            mend = None
            if condition.op == "is" and right.span.line == right.span.end_line != 0:
                mend = Mend(right.span, written(self.state.value_of(left), left.type))
            self._fail(f"`{step.text}` does not hold.", expected, self._show(left), mend)
        else:
            self._fail(f"`{step.text}` does not hold.", "yes", "no")

    def _show(self, expr: ir.Expr) -> str:
        return show(self.state.value_of(expr), expr.type)

    def _fail(
        self, message: str, expected: str | None = None, actual: str | None = None, mend: Mend | None = None
    ) -> None:
        self.failures.append(Failure(self.line, message.strip(), expected, actual, mend))

    # ------------------------------------------------------------ outcome

    def _table(self) -> dict[str, Any]:
        """Every cell as plain data, by its name."""
        position = self.state.position
        return {
            place.text(place.owners(cell)): plain(position.cells[cell], place.variable.type)
            for place in position.blueprint.layout.places.values()
            for cell in range(place.offset, place.offset + place.variable.cells)
        }

    def _log(self) -> list[Event]:
        """The log; empty where an engine keeps none for a position that was set up by hand."""
        try:
            return self.state.log
        except GameError:
            return []

    def _outcome(self) -> dict[str, Any]:
        after = self._table()
        changed = {
            name: {"from": self.before.get(name), "to": value}
            for name, value in after.items()
            if value != self.before.get(name)
        }
        points = [e.data | {"rule": e.rule} for e in self._log() if e.kind == "score"]
        fired = {id_: n for id_ in self.program.rules if (n := self.state.fired.get(id_, 0))}
        return {"changed": changed, "decisions": self.decisions, "points": points, "fired": fired}


_COMPARISONS = {"is": "", "is_not": "not ", "<": "less than ", "<=": "at most ", ">": "more than ", ">=": "at least "}


def plain_of(node: tree.Expr) -> Any:
    """A written value as plain data: members by name."""
    match node:
        case tree.Name(name):
            return name
        case tree.Integer(value) | tree.Flag(value):
            return value
        case tree.Unary("-", tree.Integer(value)):
            return -value
        case tree.Bundle(entries):
            counts: dict[str, int] = {}
            for entry in entries:
                kind = str(plain_of(entry.kind))
                counts[kind] = counts.get(kind, 0) + int(plain_of(entry.count))
            return {k: n for k, n in counts.items() if n}
        case tree.Sequence(items) | tree.TupleValue(items):
            return [plain_of(i) for i in items]
    return None


def _passages(passages: Iterable[tree.Passage]) -> dict[str, str]:
    found: dict[str, list[str]] = {}
    for p in passages:
        found.setdefault(p.language, []).append(str(p.first) if p.first == p.last else f"{p.first}-{p.last}")
    return {language: ", ".join(lines) for language, lines in found.items()}


def _names(players: Iterable[int], seats: Sequence[str]) -> str:
    return ", ".join(seats[p] for p in sorted(players)) or "nobody"


def _offer(decision: Decision) -> str:
    texts = [o.text for o in decision.options]
    more = f" ... ({len(texts)} in all)" if len(texts) > 12 else ""
    return "; ".join(texts[:12]) + more


__all__ = ["ExampleReport", "ExampleResult", "Failure", "run_examples", "run_resolved"]
