"""Examples as they run: what changes, what is told of it, and the rule of the rulebook that each is about."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.examples.one import Run
from interpreter.loading import game_of
from rulelang.examples import ChooseStep, Example, RefuseStep, ThenStep
from rulelang.program import Apply, Call, Const, Program
from rulelang.program.values import plain

from ..pictures.build.facts import PLAYER, initials
from ..pictures.draw import whole
from ..pictures.looks import look_for
from ..pictures.paint.colours import is_colour
from ..pictures.scene.look import PLAIN, Look
from ..pictures.sheets import counted_pieces
from ..rulebook.sources import lines_stating
from ..wording import Names, Stories, fullest
from ..wording.sentences import Sentences, sentence
from .course import below

if TYPE_CHECKING:
    from rulelang.source import Span


def cast_look(program: Program, game: Program, lang: str) -> Look:
    """The look of an example's Program, in which its players look like those of the game.

    ``game``: with all seats. A player whose name begins like that of one seat alone plays as that seat; where that does
    not settle it, they play as the seats in their order. Names that the game itself knows stay as they are.
    """
    look, theirs = look_for(program, lang), look_for(game, lang)
    if set(program.seats) <= set(game.seats) or len(program.seats) > len(game.seats):
        return look
    if not any(is_colour(seat) or theirs.of(f"{PLAYER}~{seat}") != PLAIN for seat in game.seats):
        return look  # nobody has said what players look like
    labels = {seat: theirs.label(f"{PLAYER}~{seat}") for seat in game.seats}
    letters = initials(list(labels.values()))
    styles = dict(look.styles)
    for name, seat in _roles(program.seats, game.seats).items():
        role = theirs.of(f"{PLAYER}~{seat}")
        styles[f"{PLAYER}~{name}"] = attrs.evolve(
            role,
            colour=role.colour or (seat if is_colour(seat) else None),
            labels={**role.labels, lang: labels[seat]},
            text=role.text or letters[labels[seat]],
        )
    return attrs.evolve(look, styles=styles)


def _roles(names: Sequence[str], seats: Sequence[str]) -> Mapping[str, str]:
    """The seat that each player of an example plays as."""
    alike = {name: [seat for seat in seats if seat[:1].casefold() == name[:1].casefold()] for name in names}
    if all(len(found) == 1 for found in alike.values()) and len({found[0] for found in alike.values()}) == len(names):
        return {name: found[0] for name, found in alike.items()}
    return dict(zip(names, seats, strict=False))


_OPEN = 6
"""Pieces that nobody looks at, at most, that an example lays open."""
_LINES = re.compile(r"(\d+)(?:-(\d+))?")


@attrs.frozen
class Worked:
    """An example that passes. ``look``: with its players as those of the game. ``rules``: the rules and options that
    ran; ``views``: of the position that is given and of the last one, everything seen; ``story``: its steps in words.
    ``values``: of definitions that it looks at, in words; ``asked``: the names of these definitions.
    """

    example: Example
    look: Look
    rules: frozenset[str]
    views: tuple[Mapping[str, Any], Mapping[str, Any]]
    story: tuple[str, ...]
    values: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()


def worked(example: Example, lang: str, game: Program) -> Worked | None:
    """How an example runs, told in a language; None for one that fails. ``game``: as whose players its own play."""
    steps = {step.span: step for step in example.steps}
    views: list[Mapping[str, Any]] = []
    between: dict[int, list[_Refused]] = {}
    look = cast_look(example.program, game, lang)
    names = Names(example.program, look)
    values: dict[str, str] = {}

    def watch(span: Span, state: Any) -> None:
        if not views:
            views.append(whole(state))
        step = steps.get(span)
        if isinstance(step, ThenStep):
            values.update(_value(step, state, names))
        if isinstance(step, RefuseStep):
            between.setdefault(len(fullest(state.log)), []).append(_refused(step, state, names))

    run = Run(example, game_of(example.program, "reference"), watch)
    result = run.result()
    if result.status != "passed" or not views:
        return None
    refusals = {number: list(_told(here, names)) for number, here in between.items()}
    told = Stories(names).told(fullest(run.state.log), refusals)
    chosen = (s.choice.option for s in example.steps if isinstance(s, ChooseStep) and not isinstance(s, RefuseStep))
    rules = frozenset({*result.rules, *(option for option in chosen if option is not None)})
    before, after = _on_the_table(example.program, views[0], whole(run.state))
    return Worked(example, look, rules, (before, after), tuple(step.text for step in told),
                  tuple(values), tuple(dict.fromkeys(values.values())))  # fmt: skip


def _on_the_table(program: Program, *views: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    """Views of everything, without what is in a large place that nobody looks into: a full bag, say."""
    hidden = [v.name for v in program.variables.values() if v.seen_by == "nobody" and v.counted and not v.owners]
    states = [dict(view["state"]) for view in views]
    for name in hidden:
        counts = [counted_pieces(state[name]).total() for state in states]
        if max(counts) > _OPEN:
            for state, count in zip(states, counts, strict=True):
                state[name] = {"count": count}
    return tuple({**view, "state": state} for view, state in zip(views, states, strict=True))


def _value(step: ThenStep, state: Any, names: Names) -> Iterator[tuple[str, str]]:
    """What a step says that a definition gives, in words, and the definition; nothing where it has no label."""
    match step.condition:
        case Apply(op="is", arguments=(Call(definition=name, arguments=given), Const() as found)):
            look = names.look
            values = [(plain(state.value_of(one), one.type), one.type) for one in given]
            if look.told(name) is not None:
                keys = [param.name for param in names.program.definitions[name].params]
                worth = plain(found.value, found.type)
                yield Sentences(names).worth(name, dict(zip(keys, values, strict=True)), (worth, found.type)), name
                return
            if look.lang not in look.of(name).labels and name not in look.terms and look.lang != "en":
                return
            told = [names.of_type(*one) for one in values]
            value = names.of_type(plain(found.value, found.type), found.type)
            yield f"{look.label(name)} ({', '.join(told)}): {value}" if told else f"{look.label(name)}: {value}", name


@attrs.frozen
class _Refused:
    """What a player may not choose. ``rule``: that which asks; ``option`` and ``value`` as decisions have them."""

    player: str
    rule: str
    option: str | None
    value: Any


def _refused(step: RefuseStep, state: Any, names: Names) -> _Refused:
    choice = step.choice
    values = [_square(value) for value in choice.values or ()]
    decision, player = state.decision, names.program.seats[step.player]
    if choice.option is not None:
        binds = names.program.rules[choice.option].binds
        keys = [bind.name for bind in binds.binds] if binds is not None else []
        return _Refused(player, decision.rule, choice.option, {"with": dict(zip(keys, values, strict=False))})
    asked: dict[str, Any] = next((option.value for option in decision.options if option.value), {})
    return _Refused(player, decision.rule, None, dict(zip(asked, values, strict=False)) if values else None)


def _square(value: Any) -> Any:
    """A square as options have it."""
    match value:
        case (int(x), int(y)):
            return {"x": x, "y": y}
    return value


def _told(refused: Sequence[_Refused], names: Names) -> Iterator[str]:
    """What is refused, as sentences: what one player tries at one decision in one."""
    for (player, rule), tried in groupby(refused, lambda one: (one.player, one.rule)):
        told = Sentences(names).refused(player, rule, [(one.option, one.value) for one in tried])
        yield " ".join(map(sentence, told))


def by_section(
    examples: Sequence[Worked], sections: Collection[str], fits: Callable[[Worked], bool]
) -> dict[str, Worked]:
    """An example for as many sections of a rulebook as can have one of their own; none serves two sections.

    A section has examples in which its rule runs. Those come first whose documented lines state the rule, then
    documented ones, then those in which the fewest other rules run. ``fits``: whether an example can be shown.
    """
    wanted = set(sections)
    about: dict[str, list[Worked]] = {}
    for one in examples:
        for rule in one.rules & wanted - {one.example.program.start}:
            about.setdefault(rule, []).append(one)
    inner = {rule: _runs(found[0].example.program, rule) for rule, found in about.items()}
    places = {rule: number for number, rule in enumerate(sections)}
    for rule, found in about.items():
        found.sort(key=lambda one: (-_stated(one.example, rule), not one.example.passages, len(one.rules)))
    known: dict[str, bool] = {}
    chosen: dict[str, str] = {}  # the section by the example that serves it
    by_id = {one.example.id: one for one in examples}

    def serve(rule: str, tried: set[str]) -> bool:
        """Find an example for a section; another may have to make room, if it has a second choice."""
        for one in about[rule]:
            id_ = one.example.id
            if id_ in tried:
                continue
            tried.add(id_)
            if id_ not in known:
                known[id_] = fits(one)
            if known[id_] and (id_ not in chosen or serve(chosen[id_], tried)):
                chosen[id_] = rule
                return True
        return False

    for rule in sorted(about, key=lambda rule: (len(about[rule]), inner[rule], places[rule])):
        serve(rule, set())
    return {rule: by_id[id_] for id_, rule in chosen.items()}


def _runs(program: Program, rule: str) -> int:
    """How many rules and options a rule leads to: the fewer, the more an example of it is about it alone."""
    return len(below(program, *program.rules[rule].body)) if rule in program.rules else 0


def valued(examples: Sequence[Worked], sections: Collection[str]) -> dict[str, list[Worked]]:
    """The examples in which nothing happens but a value is told, by the section about the first of the definitions."""
    found: dict[str, list[Worked]] = {}
    for one in examples:
        section = next((name for name in one.asked if name in sections), None)
        if section is not None and not one.story:
            found.setdefault(section, []).append(one)
    return found


def _stated(example: Example, rule: str) -> int:
    """The number of lines that the example is documented by and that state the rule."""
    stating = _lines(example.program, rule)
    return sum(len(stating.get(p.language, set()) & set(range(p.first, p.last + 1))) for p in example.passages)


def _lines(program: Program, rule: str) -> dict[str, set[int]]:
    return {
        language: {n for a, b in _LINES.findall(lines) for n in range(int(a), int(b or a) + 1)}
        for language, lines in lines_stating(program, rule).items()
    }
