"""Examples: worked cases of a rulebook, resolved against the game they belong to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol, assert_never

import attrs

from . import program as ir
from .diagnostics import Sink, did_you_mean
from .elaborate import Elaborated
from .elaborate.declarations import stack_content
from .elaborate.environment import Environment
from .elaborate.expressions import Expressions
from .elaborate.scope import Frame, Scope
from .files.folder import GameFiles
from .link import Linked
from .source import Span
from .syntax import tree
from .syntax.printer import print_expr
from .types import PiecesType, Type, kinds

# ---------------------------------------------------------------- steps


@attrs.frozen
class Step:
    span: Span


@attrs.frozen
class GivenStep(Step):
    """Sets a cell. ``kind``: only the count of this kind in a pool."""

    variable: str
    indices: tuple[int, ...]
    value: ir.Expr
    kind: int | None = None


@attrs.frozen
class RunStep(Step):
    rule: str
    arguments: tuple[ir.Expr, ...]


@attrs.frozen
class ChanceStep(Step):
    values: tuple[tree.Expr, ...]


@attrs.frozen
class ChooseStep(Step):
    """``option`` with the values of its binders, or (None) the values of a plain choice, still as written."""

    player: int
    option: str | None
    values: tuple[tree.Expr, ...]
    text: str


@attrs.frozen
class RefuseStep(ChooseStep):
    because: str | None


@attrs.frozen
class DeclineStep(Step):
    player: int


@attrs.frozen
class PayStep(Step):
    player: int
    pieces: tree.Expr


@attrs.frozen
class AskedStep(Step):
    player: int
    rule: str | None


@attrs.frozen
class OfferedStep(Step):
    count: int
    option: str


@attrs.frozen
class ThenStep(Step):
    condition: ir.Expr
    text: str


@attrs.frozen
class FiredStep(Step):
    ids: tuple[str, ...]
    negated: bool


@attrs.frozen
class WinnersStep(Step):
    players: frozenset[int]


@attrs.frozen
class FinishedStep(Step):
    pass


@attrs.frozen
class Example:
    """An example with the Program it runs with and its steps in order."""

    id: str
    span: Span
    passages: tuple[tree.Passage, ...]
    program: ir.Program
    steps: tuple[Step, ...]
    variants: tuple[str, ...]
    _env: Environment = attrs.field(repr=False, eq=False)

    def value(self, node: tree.Expr, type_: Type) -> Any:
        """The written value, as a value of a type. Raises ValueError with the reason."""
        scratch = Sink()
        env = self._env.reporting_to(scratch)
        found = Expressions(env, Scope(Frame())).value(node, type_)
        problems = [d.message for d in scratch]
        if problems or not isinstance(found, ir.Const):
            raise ValueError(problems[0] if problems else f"`{print_expr(node)}` is not known before the game starts.")
        return found.value


# ---------------------------------------------------------------- resolving


class Games(Protocol):
    """Source of declarations and Programs: a Workspace."""

    def linked(self, files: GameFiles, variants: Sequence[str], sink: Sink, /) -> Linked | None: ...

    def elaborated(
        self,
        files: GameFiles,
        linked: Linked,
        players: int,
        sink: Sink,
        settings: Mapping[str, str],
        /,
        *,
        seats: Sequence[str] | None,
        changes: tuple[tree.WithValue, ...],
    ) -> Elaborated: ...


@attrs.define
class _Programs:
    """Makes the Program of each combination of players, variants and settings that examples need."""

    games: Games
    files: GameFiles
    variants: tuple[str, ...]
    settings: Mapping[str, str]
    sink: Sink
    to_run: bool
    _made: dict[Any, Elaborated | None] = attrs.field(factory=dict)

    def get(
        self,
        seats: tuple[str, ...] | None,
        variants: tuple[str, ...],
        changes: tuple[tree.WithValue, ...],
        span: Span,
    ) -> Elaborated | None:
        if not self.to_run:
            changes = self._without_settings(changes)
        key = (seats, variants, changes)
        if key not in self._made:
            self._made[key] = self._link(seats, variants, changes, span)
        return self._made[key]

    def _without_settings(self, changes: tuple[tree.WithValue, ...]) -> tuple[tree.WithValue, ...]:
        """Names mean the same whatever a setting is set to, so for resolving them its value is enough."""
        declared = {
            item.name: item
            for file in [*self.files.parts, *self.files.variants.values()]
            for item in file.items
            if isinstance(item, tree.Setting)
        }
        kept = []
        for change in changes:
            if change.name in declared:
                _setting_value(declared[change.name], change, self.sink)
            else:
                kept.append(change)
        return tuple(kept)

    def _link(
        self, seats: tuple[str, ...] | None, variants: tuple[str, ...], changes: tuple[tree.WithValue, ...], span: Span
    ) -> Elaborated | None:
        scratch = Sink()
        linked = self.games.linked(self.files, [*self.variants, *variants], scratch)
        if linked is None:
            return None
        if changes:
            linked = attrs.evolve(linked, names=dict(linked.names))
        settings = dict(self.settings)
        for change in changes:
            _change(linked, change, settings, self.sink)
        players = len(seats) if seats is not None else linked.game.low
        if not linked.game.low <= players <= linked.game.high:
            self.sink.error(
                "R0601",
                span,
                f"`{linked.game.name}` is for {_many(linked.game.low, linked.game.high)}, not {players}.",
                help="Name a number of players that the game allows.",
            )
            return None
        made = self.games.elaborated(self.files, linked, players, scratch, settings, seats=seats, changes=changes)
        self.sink.extend(scratch)
        return None if scratch.has_errors else made


def _change(linked: Linked, change: tree.WithValue, settings: dict[str, str], sink: Sink) -> None:
    declared = linked.names.get(change.name)
    if isinstance(declared, tree.Number):
        case = tree.Case(None, change.value, span=change.span)
        linked.names[change.name] = tree.Number(change.name, (case,), span=change.span)
    elif isinstance(declared, tree.Setting):
        settings[change.name] = _setting_value(declared, change, sink)
    else:
        known = [n for n, d in linked.names.items() if isinstance(d, (tree.Number, tree.Setting))]
        sink.error(
            "R0602",
            change.span,
            f"There is no number or setting called `{change.name}`.",
            help=did_you_mean(change.name, known) or "Use `with` only for numbers, options and readings.",
        )


def _many(low: int, high: int) -> str:
    return f"{low} players" if low == high else f"{low} to {high} players"


def _setting_value(declared: tree.Setting, change: tree.WithValue, sink: Sink) -> str:
    value = print_expr(change.value)
    if value not in declared.values:
        near = did_you_mean(value, declared.values) or f"Choose one of {', '.join(declared.values)}."
        sink.error("R0602", change.span, f"`{value}` is not a value of `{change.name}`.", help=near)
    return value


def examples_in(files: GameFiles, variants: tuple[str, ...] = ()) -> Iterator[tuple[tree.Example, tuple[str, ...]]]:
    """Every example of the game and of each variant file, with the variants its file belongs to."""
    for file in [*files.parts, *files.examples]:
        for item in file.items:
            if isinstance(item, tree.Example):
                yield item, ()
    for name, file in files.variants.items():
        own = () if name in variants else (name,)
        for item in file.items:
            if isinstance(item, tree.Example):
                yield item, own


def resolve_examples(
    games: Games,
    files: GameFiles,
    sink: Sink,
    variants: tuple[str, ...],
    settings: Mapping[str, str] | None,
    only: frozenset[str] | None,
    to_run: bool,
) -> list[Example]:
    """All examples of a game, resolved; see ``Workspace.examples``."""
    programs = _Programs(games, files, variants, settings or {}, sink, to_run)
    seen: dict[str, Span] = {}
    made: list[Example] = []
    for node, own in examples_in(files, variants):
        if only is not None and node.span.file not in only:
            continue
        if node.id in seen:
            sink.error("R0303", _head(node), f"There are two examples called `{node.id}`.", help="Rename one of them.")
        seen[node.id] = node.span
        example = _resolve(node, own, programs, sink)
        if example is not None:
            made.append(example)
    return made


def _head(node: tree.Example) -> Span:
    span = node.span
    return Span(span.file, span.line, span.column, span.line, span.column + 8 + len(node.id))


def _resolve(node: tree.Example, own: tuple[str, ...], programs: _Programs, sink: Sink) -> Example | None:
    seats: tuple[str, ...] | None = None
    variants = list(own)
    changes: list[tree.WithValue] = []
    passages: list[tree.Passage] = []
    for step in node.steps:
        match step:
            case tree.ExPlayers():
                seats = step.names
            case tree.Using():
                variants.extend(v for v in step.variants if v not in variants)
            case tree.WithValue():
                changes.append(step)
            case tree.Documented():
                passages.extend(step.passages)
    if seats is not None and len(set(seats)) < len(seats):
        sink.error("R0601", _head(node), "Two players have the same name.", help="Rename one of them.")
        return None
    unknown = [v for v in variants if v not in programs.files.variants]
    for name in unknown:
        sink.error(
            "R0304",
            _head(node),
            f"There is no variant called `{name}`.",
            help=did_you_mean(name, programs.files.variants) or "Correct the name, or write the variant.",
        )
    if unknown:
        return None
    made = programs.get(seats, tuple(variants), tuple(changes), _head(node))
    if made is None:
        return None
    own_sink = Sink()
    env = made.env.reporting_to(own_sink)
    steps = env.remembered("example", node.id, (node,), lambda: _Steps(env, own_sink).all(node.steps))
    sink.extend(own_sink)
    if own_sink.has_errors:
        return None
    return Example(node.id, _head(node), tuple(passages), made.program, steps, tuple(variants), env)


@attrs.define
class _Steps:
    """Resolves the steps of one example. What they depend on is asked of ``env`` only (see memory.py)."""

    env: Environment
    sink: Sink

    def all(self, steps: Iterable[tree.Step]) -> tuple[Step, ...]:
        return tuple(made for step in steps for made in self.step(step))

    @property
    def e(self) -> Expressions:
        return Expressions(self.env, Scope(Frame()))

    def step(self, s: tree.Step) -> list[Step]:
        match s:
            case tree.Given():
                return [g for fact in s.facts for g in self._given(fact)]
            case tree.Run():
                return self._run(s)
            case tree.Chance():
                return [ChanceStep(s.span, s.values)]
            case tree.ExChooses():
                return self._choice(s, s.who, s.values)
            case tree.ExRefused():
                return self._choice(s, s.who, s.values)
            case tree.ExDeclines():
                return [DeclineStep(s.span, p) for p in self._player(s.who)]
            case tree.ExPays():
                return [PayStep(s.span, p, s.pieces) for p in self._player(s.who)]
            case tree.Asked():
                if s.rule is not None and s.rule not in self.env.rules:
                    self._unknown_rule(s.rule, s.span)
                return [AskedStep(s.span, p, s.rule) for p in self._player(s.who)]
            case tree.Offered():
                if s.id not in self.env.rules:
                    self._unknown_rule(s.id, s.span)
                return [OfferedStep(s.span, s.count, s.id)]
            case tree.Then():
                return [ThenStep(c.span, self.e.flag(c), print_expr(c)) for c in s.conditions]
            case tree.Fired():
                for id_ in s.ids:
                    if id_ not in self.env.rules:
                        self._unknown_rule(id_, s.span)
                return [FiredStep(s.span, s.ids, s.negated)]
            case tree.Winners():
                found = [self.e.value(tree.Name(n, span=s.span), self.env.player) for n in s.names]
                return [WinnersStep(s.span, frozenset(f.value for f in found if isinstance(f, ir.Const)))]
            case tree.Finished():
                return [FinishedStep(s.span)]
            case tree.Documented() | tree.ExPlayers() | tree.Using() | tree.WithValue():
                return []  # about the example as a whole
        assert_never(s)

    def _unknown_rule(self, id_: str, span: Span) -> None:
        remedy = did_you_mean(id_, self.env.rules) or "Correct the id."
        self.sink.error("R0603", span, f"There is no rule or option called `{id_}`.", help=remedy)

    def _player(self, node: tree.Expr) -> list[int]:
        found = self.e.value(node, self.env.player)
        return [found.value] if isinstance(found, ir.Const) and found.value is not None else []

    def _run(self, s: tree.Run) -> list[Step]:
        rule = self.env.rules.get(s.rule)
        if rule is None:
            self._unknown_rule(s.rule, s.span)
            return []
        if rule.parent is not None:
            self.sink.error(
                "R0603",
                s.span,
                f"`{s.rule}` is written inside `{rule.parent}`, so it cannot run on its own.",
                help=f"Run `{rule.parent}` instead.",
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

    def _choice(self, s: tree.ExChooses | tree.ExRefused, who: tree.Expr, values: tuple[tree.Expr, ...]) -> list[Step]:
        text = ", ".join(map(print_expr, values))
        option, arguments = self._option(values)
        if option is not None:
            rule = self.env.rules[option]
            binds = rule.binds
            if len(arguments) != len(binds):
                wanted = ", ".join(name for name, _ in binds)
                problem = f"`{option}` is chosen with ({wanted}), but this gives {len(arguments)} values."
                usage = f"{option}({wanted})" if wanted else option
                self.e.error("R0403", s.span, problem, f"Write `{usage}`.")
                return []
            for argument, (_, type_) in zip(arguments, binds, strict=True):
                self.e.value(argument, type_)
        else:
            for value in values:
                self._known(value)
        because = s.because if isinstance(s, tree.ExRefused) else None
        if because is not None and because not in self.env.rules:
            self._unknown_rule(because, s.span)
        made: list[Step] = []
        for player in self._player(who):
            if isinstance(s, tree.ExRefused):
                made.append(RefuseStep(s.span, player, option, arguments, text, because))
            else:
                made.append(ChooseStep(s.span, player, option, arguments, text))
        return made

    def _option(self, values: tuple[tree.Expr, ...]) -> tuple[str | None, tuple[tree.Expr, ...]]:
        if len(values) != 1:
            return None, values
        node = values[0]
        arguments: tuple[tree.Expr, ...] = ()
        if isinstance(node, tree.Apply):
            arguments = node.arguments
            node = node.function
        name = _dotted(node)
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

    def _known(self, value: tree.Expr) -> None:
        """A value of a plain choice: its type is known when it is asked for; a name must at least exist."""
        if isinstance(value, tree.Name) and value.name not in self.env.members:
            known = [*self.env.members, *(i for i, r in self.env.rules.items() if r.kind == "option")]
            self.sink.error(
                "R0603",
                value.span,
                f"There is nothing called `{value.name}` to choose.",
                help=did_you_mean(value.name, known) or "Name a value or an option of the game.",
            )


def _dotted(node: tree.Expr) -> str | None:
    if isinstance(node, tree.Name):
        return node.name
    if isinstance(node, tree.Attribute):
        inner = _dotted(node.value)
        return None if inner is None else f"{inner}.{node.name}"
    return None
