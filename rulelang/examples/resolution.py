"""Examples: worked cases of a rulebook, resolved against the game they belong to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, assert_never

import attrs

from .. import program as ir
from ..diagnostics import Diagnostic, Label, Sink, did_you_mean
from ..elaborate.environment import Environment
from ..elaborate.expressions import Expressions
from ..elaborate.scope import Scope, SlotFrame
from ..elaborate.teams import winners
from ..elaborate.variables import stack_content
from ..files.folder import GameFiles
from ..files.opening import left_out
from ..fixes import Help
from ..program.values import plain
from ..source import Span
from ..syntax import tree
from ..syntax.printer import print_expr
from ..syntax.walk import dotted
from ..types import UNKNOWN, PiecesType, Type, kinds
from .cases import Written, cases_of, setup_of
from .programs import Games, Programs
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
    check_node,
    check_steps,
)


def examples_in(files: GameFiles, variants: tuple[str, ...] = (), sink: Sink | None = None) -> Iterator[Written]:
    """Every example of the game, a case at a time, and those of variants.

    With ``variants`` theirs only, otherwise those of every variant by itself. ``sink``: for mistakes in tables.
    """
    for file in [*files.parts, *files.examples]:
        yield from _in_file(file, (), sink)
    for name, file in files.variants.items():
        if not variants or name in variants:
            yield from _in_file(file, () if name in variants else (name,), sink)


def _in_file(file: tree.File, own: tuple[str, ...], sink: Sink | None) -> Iterator[Written]:
    for item in file.items:
        if isinstance(item, tree.Example):
            yield from cases_of(item, own, sink)


def resolve_examples(
    games: Games,
    files: GameFiles,
    sink: Sink,
    variants: tuple[str, ...],
    settings: Mapping[str, str] | None,
    only: frozenset[str] | None,
    to_run: bool,
) -> list[Example]:
    """All examples of a game, resolved; see ``Workspace.examples``.

    Those of the game itself need not fit ``variants``: such a mistake is a note.
    """
    resolving = _Resolving(Programs(games, files, variants, settings or {}, sink, to_run))
    made: list[Example] = []
    for file in [*files.parts, *files.examples]:
        if only is None or file.span.file in only:
            own = Sink()
            made += resolving.file(file, (), own)
            told = (attrs.evolve(d, severity="note") if d.severity == "error" else d for d in own)
            sink.extend(told if variants else own)
        else:
            resolving.seen.update(written.id for written in _in_file(file, (), None))
    for name, file in files.variants.items():
        if (variants and name not in variants) or (only is not None and file.span.file not in only):
            continue
        own = Sink()
        found = resolving.file(file, () if name in variants else (name,), own)
        if variants or not to_run or not own.has_errors:
            sink.extend(own)
            made += found
        elif file.span.file not in files.unsound:  # otherwise there is a note about it already
            sink.add(left_out(tuple(own), name))
    return made


@attrs.define
class _Resolving:
    """Resolves the examples of one file after another; no two may have the same id."""

    programs: Programs
    seen: set[str] = attrs.field(factory=set)

    def file(self, file: tree.File, own: tuple[str, ...], sink: Sink) -> list[Example]:
        self.programs.sink = sink
        made = []
        for written in _in_file(file, own, sink):
            if written.id in self.seen:
                message = f"There are two examples called `{written.id}`."
                sink.error("R0303", written.row or written.head, message, help="Rename one of them.")
            self.seen.add(written.id)
            example = _resolve(written, self.programs, sink)
            if example is not None:
                made.append(example)
        return made


def _resolve(written: Written, programs: Programs, sink: Sink) -> Example | None:
    node, head = written.node, written.head
    seats, using, changes = setup_of(node)
    variants = tuple(dict.fromkeys((*written.variants, *using)))
    passages = [p for step in node.steps if isinstance(step, tree.Documented) for p in step.passages]
    own_sink = Sink()
    check_node(node, head, own_sink)
    if seats is not None and len(set(seats)) < len(seats):
        own_sink.error("R0601", head, "Two players have the same name.", help="Rename one of them.")
    for name in variants:
        if name not in programs.files.variants:
            near = did_you_mean(name, programs.files.variants) or Help("Correct the name, or write the variant.")
            own_sink.error(
                "R0304",
                head,
                f"There is no variant called `{name}`.",
                help=near.at(using[name]) if name in using else near,
            )
    sink.extend(own_sink)
    if own_sink.has_errors:
        return None
    made = programs.get(seats, variants, changes, head)
    if made is None:
        return None
    env = made.env.reporting_to(own_sink)
    _columns_are_free(written, env, own_sink)
    steps = env.remembered("example", node.id, (written.source,), lambda: _Steps(env, own_sink).all(node.steps))
    if not own_sink.has_errors:
        check_steps(steps, made.program, own_sink)
    sink.extend(_in_case(diagnostic, written.row) for diagnostic in own_sink)
    if own_sink.has_errors:
        return None
    return Example(
        node.id,
        head,
        tuple(passages),
        made.program,
        steps,
        variants,
        written.source.id,
        written.case,
        written.cases,
        written.row,
        env,
    )


def steps_of(env: Environment, sink: Sink, steps: Iterable[tree.Step]) -> tuple[Step, ...]:
    """Steps resolved by themselves, in the game of ``env``; mistakes go to ``sink``."""
    return _Steps(env, sink).all(steps)


def _in_case(found: Diagnostic, row: Span | None) -> Diagnostic:
    """The finding, with the row of the case that it is about if it is not in the row itself."""
    if row is None or row.line <= found.span.line <= row.end_line:
        return found
    return attrs.evolve(found, labels=(*found.labels, Label(row, "with the values of this case")))


def _columns_are_free(written: Written, env: Environment, sink: Sink) -> None:
    """A column may not have the name of anything in the game, which the steps could then not speak of."""
    for name in written.columns:
        if name in env.linked.names or name in env.members.values_ or name in env.linked.rules:
            sink.error(
                "R0606",
                written.head_of_cases or written.head,
                f"The column `{name}` has the name of something in the game.",
                help="Rename the column.",
            )


@attrs.define
class _Steps:
    """Resolves the steps of one example. What they depend on is asked of ``env`` only (see traces.py)."""

    env: Environment
    sink: Sink

    def all(self, steps: Iterable[tree.Step]) -> tuple[Step, ...]:
        return tuple(made for step in steps for made in self.step(step))

    @property
    def e(self) -> Expressions:
        return Expressions(self.env, Scope(SlotFrame()))

    def step(self, s: tree.Step) -> list[Step]:
        match s:
            case tree.Given():
                return [g for fact in s.facts for g in self._given(fact)]
            case tree.Run():
                return self._run(s)
            case tree.Chance():
                return [ChanceStep(s.span, s.values)]
            case tree.ExChooses():
                choice = self._choice(s.values, s.span)
                return [ChooseStep(s.span, p, choice) for p in self._player(s.who) if choice is not None]
            case tree.ExRefused():
                return self._refused(s)
            case tree.ExDeclines():
                return [DeclineStep(s.span, p) for p in self._player(s.who)]
            case tree.ExPays():
                paid = self._pieces(s.pieces)
                return [PayStep(s.span, p, paid, print_expr(s.pieces)) for p in self._player(s.who)]
            case tree.ExCannotPay():
                paid = self._pieces(s.pieces)
                return [CannotPayStep(s.span, p, paid, print_expr(s.pieces), s.because) for p in self._player(s.who)]
            case tree.Asked():
                if s.rule is not None and s.rule not in self.env.rules:
                    self._unknown_rule(s.rule, s.span)
                return [AskedStep(s.span, p, s.rule) for p in self._player(s.who)]
            case tree.Offered():
                return self._offered(s)
            case tree.OfferedOnly():
                choices = [self._choice((value,), s.span, whole=False) for value in s.values]
                found = tuple(choice for choice in choices if choice is not None)
                return [OfferedOnlyStep(s.span, found)] if len(found) == len(choices) else []
            case tree.Then():
                return [ThenStep(c.span, self.e.flag(c), print_expr(c)) for c in s.conditions]
            case tree.Fired():
                for id_ in s.ids:
                    if id_ not in self.env.rules:
                        self._unknown_rule(id_, s.span)
                return [FiredStep(s.span, s.ids, s.negated)]
            case tree.Winners():
                who = [winners(self.e, tree.Name(n, span=s.span)) for n in s.names]
                values = [f.value for f in who if isinstance(f, ir.Const) and f.type is not UNKNOWN]
                seats = [frozenset((v,)) if isinstance(v, int) else v for v in values]
                return [WinnersStep(s.span, frozenset().union(*seats))]
            case tree.Finished():
                return [FinishedStep(s.span)]
            case tree.Documented() | tree.ExPlayers() | tree.Using() | tree.WithValue() | tree.ExampleCases():
                return []  # about the example as a whole
        assert_never(s)

    def _unknown_rule(self, id_: str, span: Span, known: Iterable[str] | None = None) -> None:
        remedy = did_you_mean(id_, self.env.rules if known is None else known) or "Correct the id."
        self.sink.error("R0603", span, f"There is no rule or option called `{id_}`.", help=remedy)

    def _player(self, node: tree.Expr) -> list[int]:
        found = self.e.value(node, self.env.player)
        return [found.value] if isinstance(found, ir.Const) and found.value is not None else []

    def _run(self, s: tree.Run) -> list[Step]:
        rule = self.env.rules.get(s.rule)
        if rule is None:
            alone = (id_ for id_, known in self.env.rules.items() if known.parent is None)
            self._unknown_rule(s.rule, s.span, alone)
            return []
        if rule.parent is not None:
            around = rule.parent
            while (outer := self.env.rules[around].parent) is not None:
                around = outer
            self.sink.error(
                "R0603",
                s.span,
                f"`{s.rule}` is written inside `{rule.parent}`, so it cannot run on its own.",
                help=f"Run `{around}` instead.",
            )
            return []
        values = self.e.arguments(s.rule, rule.params, s.arguments, s.span)
        return [] if values is None else [RunStep(s.span, s.rule, values)]

    def _given(self, fact: tree.Expr) -> list[Step]:
        target: tree.Expr = fact
        value_node: tree.Expr = tree.Flag(True, span=fact.span)
        match fact:
            case tree.Binary("is", left, right):
                target, value_node = left, right
            case tree.Unary("not", inner):
                target, value_node = inner, tree.Flag(False, span=fact.span)
        name = ""
        indices: tuple[tree.Expr, ...] = ()
        while isinstance(target, tree.Index):
            indices = (*target.indices, *indices)
            target = target.value
        if isinstance(target, tree.Name):
            name = target.name
        variable = self.env.kept.get(name)
        if variable is None:
            self.sink.error(
                "R0604",
                fact.span,
                "`given` can only set what the game keeps.",
                help=(did_you_mean(name, self.env.kept) if name else None)
                or "Write `given X is VALUE` with X declared under `... has`, or use `with` for numbers and settings.",
            )
            return []
        e = self.e
        owners = len(variable.owners)
        if not owners <= len(indices) <= owners + (1 if isinstance(variable.type, PiecesType) else 0):
            names = ", ".join(o.domain.name for o in variable.owners)
            usage = f"`{name}[...]` for one {names}" if names else f"`{name}`"
            e.error("R0403", fact.span, f"This does not say which `{name}` it is about.", f"Write {usage}.")
            return []
        cells = [e.value(i, o) for i, o in zip(indices[:owners], variable.owners, strict=True)]
        if not all(isinstance(c, ir.Const) and c.value is not None for c in cells):
            return []
        where = tuple(c.value for c in cells if isinstance(c, ir.Const))
        if len(indices) > owners:
            assert isinstance(variable.type, PiecesType)
            kind = e.value(indices[-1], variable.type.kind)
            count = e.number(value_node)
            if not isinstance(kind, ir.Const) or kind.value is None:
                return []
            return [GivenStep(fact.span, name, where, count, kind.value - kinds(variable.type.kind)[0])]
        if variable.kind == "stack" and variable.element is not None:
            return [GivenStep(fact.span, name, where, stack_content(e, value_node, variable.type, variable.element))]
        return [GivenStep(fact.span, name, where, e.value(value_node, variable.type))]

    def _refused(self, s: tree.ExRefused) -> list[Step]:
        choice = self._choice(s.values, s.span)
        if s.because is not None and s.because not in self.env.rules:
            self._unknown_rule(s.because, s.span)
        needs = None if s.needs is None else print_expr(s.needs)
        made = [RefuseStep(s.span, p, choice, s.because, needs) for p in self._player(s.who) if choice is not None]
        return list(made)

    def _offered(self, s: tree.Offered) -> list[Step]:
        if isinstance(s.count, tree.Name):
            problem = f"`{s.count.name}` is not a number."
            remedy = "Write how many choices are offered, or add a column of this name below `cases`."
            self.sink.error("R0606", s.span, problem, help=remedy)
            return []
        rule = self.env.rules.get(s.id)
        if rule is None:
            self._unknown_rule(s.id, s.span)
        elif rule.kind != "option":
            inside = [i for i, r in self.env.rules.items() if r.kind == "option" and r.parent == s.id]
            remedy = f"Name one of its options: {', '.join(inside)}." if inside else "Name an option of a menu."
            message = f"`{s.id}` is a rule; only options of a menu are offered."
            self.sink.error("R0603", s.span, message, help=remedy)
        return [OfferedStep(s.span, s.count.value, s.id)]

    def _choice(self, values: tuple[tree.Expr, ...], span: Span, *, whole: bool = True) -> Choice | None:
        """What is chosen. ``whole``: False where an option may be named without its values."""
        text = ", ".join(map(print_expr, values))
        option, arguments = self._option(values)
        if option is None:
            return Choice(None, tuple(self._literal(value) for value in arguments), text)
        binds = self.env.rules[option].binds
        if not whole and binds and not isinstance(values[0], tree.Apply):
            return Choice(option, None, text)
        if len(arguments) != len(binds):
            wanted = ", ".join(name for name, _ in binds)
            problem = f"`{option}` is chosen with ({wanted}), but this gives {len(arguments)} values."
            usage = f"{option}({wanted})" if wanted else option
            self.e.error("R0403", span, problem, f"Write `{usage}`.")
            return None
        known = [self._constant(argument, type_) for argument, (_, type_) in zip(arguments, binds, strict=True)]
        return Choice(option, tuple(known), text)

    def _constant(self, node: tree.Expr, type_: Type) -> Any:
        """A value of a type, known before the game starts, as plain data."""
        before = self.sink.added
        found = self.e.value(node, type_)
        if self.sink.added > before:
            return None
        return plain(found.value, type_) if isinstance(found, ir.Const) else self._not_literal(node)

    def _pieces(self, node: tree.Expr) -> dict[str, int]:
        if isinstance(node, tree.Bundle):
            found: dict[str, int] = self._literal(node)
            return found
        message = f"`{print_expr(node)}` does not say which pieces are paid."
        self.sink.error("R0607", node.span, message, help="Write the pieces by kind, for example `{KIND: 2}`.")
        return {}

    def _literal(self, node: tree.Expr) -> Any:
        """A written value as plain data, members by name: its type is known when it is asked for."""
        match node:
            case tree.Name(name):
                self._known(node)
                return name
            case tree.Integer(value) | tree.Flag(value):
                return value
            case tree.NoneValue():
                return None
            case tree.Unary("-", tree.Integer(value)):
                return -value
            case tree.Bundle(entries):
                counts: dict[str, int] = {}
                for entry in entries:
                    kind, number = str(self._literal(entry.kind)), self._literal(entry.count)
                    counts[kind] = counts.get(kind, 0) + (number if isinstance(number, int) else 0)
                return {kind: number for kind, number in counts.items() if number}
            case tree.Sequence(items) | tree.TupleValue(items):
                return [self._literal(item) for item in items]
        return self._not_literal(node)

    def _not_literal(self, node: tree.Expr) -> None:
        message = f"`{print_expr(node)}` has to be worked out; a choice is named by its value."
        self.sink.error("R0607", node.span, message, help="Write the value itself.")

    def _option(self, values: tuple[tree.Expr, ...]) -> tuple[str | None, tuple[tree.Expr, ...]]:
        if len(values) != 1:
            return None, values
        node = values[0]
        arguments: tuple[tree.Expr, ...] = ()
        if isinstance(node, tree.Apply):
            arguments = node.arguments
            node = node.function
        name = dotted(node)
        if name is None:
            return None, values
        rule = self.env.rules.get(name)
        if rule is not None and rule.kind == "option":
            return name, arguments
        if isinstance(values[0], tree.Apply) or "." in name:
            self._unknown_option(name, node.span)
            return None, ()
        return None, values

    def _unknown_option(self, name: str, span: Span) -> None:
        known = [i for i, r in self.env.rules.items() if r.kind == "option"]
        remedy = did_you_mean(name, known) or "Correct the id."
        self.sink.error("R0603", span, f"There is no option called `{name}`.", help=remedy)

    def _known(self, value: tree.Name) -> None:
        """A name must at least exist."""
        if value.name not in self.env.members:
            known = [*self.env.members, *(i for i, r in self.env.rules.items() if r.kind == "option")]
            refuses = value.name in ("nothing", "nobody", "no", "nowhere", "refuse", "skip", "stop")
            self.sink.error(
                "R0603",
                value.span,
                f"There is nothing called `{value.name}` to choose.",
                help="Whoever does not want to choose `declines`: write `Ann declines`."
                if refuses
                else did_you_mean(value.name, known) or "Name a value or an option of the game.",
            )
