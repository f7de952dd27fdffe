"""Examples as they run: what changes, what is told of it, and the rule of the rulebook that each is about."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.examples.one import Run
from interpreter.loading import game_of
from rulelang.examples import ChooseStep, Example, RefuseStep, ThenStep
from rulelang.program import Apply, Call, Const, Program
from rulelang.program.values import plain

from ..pictures.draw import whole
from ..pictures.looks import look_for
from ..rulebook.languages.catalogue import say
from ..rulebook.sources.stating import lines_stating
from ..wording import Names, Stories, fullest
from ..wording.options import option_text

if TYPE_CHECKING:
    from rulelang.source import Span

_LINES = re.compile(r"(\d+)(?:-(\d+))?")


@attrs.frozen
class Worked:
    """An example that passes. ``rules``: the rules and options that ran; ``views``: of the position that is given and
    of the last one, everything seen; ``story``: its steps in words. ``values``: of definitions that it looks at, in
    words; ``asked``: the names of these definitions.
    """

    example: Example
    rules: frozenset[str]
    views: tuple[Mapping[str, Any], Mapping[str, Any]]
    story: tuple[str, ...]
    values: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()


def worked(example: Example, lang: str) -> Worked | None:
    """How an example runs, told in a language; None for one that fails."""
    steps = {step.span: step for step in example.steps}
    views: list[Mapping[str, Any]] = []
    between: dict[int, dict[str, list[str]]] = {}
    names = Names(example.program, look_for(example.program, lang))
    values: dict[str, str] = {}

    def watch(span: Span, state: Any) -> None:
        if not views:
            views.append(whole(state))
        step = steps.get(span)
        if isinstance(step, ThenStep):
            values.update(_value(step, state, names))
        if isinstance(step, RefuseStep):
            here = between.setdefault(len(fullest(state.log)), {})
            here.setdefault(names.program.seats[step.player], []).append(_refused(step, state, names))

    run = Run(example, game_of(example.program, "reference"), watch)
    result = run.result()
    if result.status != "passed" or not views:
        return None
    refusals = {
        number: [say("may_not", lang, player=player, action="; ".join(actions)) for player, actions in here.items()]
        for number, here in between.items()
    }
    told = Stories(names).told(fullest(run.state.log), refusals)
    chosen = (s.choice.option for s in example.steps if isinstance(s, ChooseStep) and not isinstance(s, RefuseStep))
    rules = frozenset({*result.rules, *(option for option in chosen if option is not None)})
    return Worked(example, rules, (views[0], whole(run.state)), tuple(step.text for step in told),
                  tuple(values), tuple(dict.fromkeys(values.values())))  # fmt: skip


def _value(step: ThenStep, state: Any, names: Names) -> Iterator[tuple[str, str]]:
    """What a step says that a definition gives, in words, and the definition; nothing where it has no label."""
    match step.condition:
        case Apply(op="is", arguments=(Call(definition=name, arguments=given), Const() as found)):
            look = names.look
            if look.lang not in look.of(name).labels and name not in look.terms and look.lang != "en":
                return
            told = [names.of_type(plain(state.value_of(one), one.type), one.type) for one in given]
            value = names.of_type(plain(found.value, found.type), found.type)
            yield f"{look.label(name)} ({', '.join(told)}): {value}" if told else f"{look.label(name)}: {value}", name


def _refused(step: RefuseStep, state: Any, names: Names) -> str:
    """What a player may not choose."""
    choice, values = step.choice, step.choice.values or ()
    decision = state.decision
    if choice.option is not None:
        binds = names.program.rules[choice.option].binds
        keys = [bind.name for bind in binds.binds] if binds is not None else []
        return option_text(names, decision.rule, choice.option, {"with": dict(zip(keys, values, strict=False))})
    asked: dict[str, Any] = next((option.value for option in decision.options if option.value), {})
    return option_text(names, decision.rule, None, dict(zip(asked, values, strict=False)) if values else None)


def by_section(examples: Sequence[Worked], sections: Collection[str]) -> dict[str, list[Worked]]:
    """The examples of each section of a rulebook that has any, the best first; no example serves two sections.

    An example is about one of the rules that ran in it: that which the lines it is documented by state most often, or
    else that which runs in the fewest other examples. Documented examples come before others.
    """
    often = Counter(rule for example in examples for rule in example.rules & set(sections))
    found: dict[str, list[Worked]] = {}
    for one in sorted(examples, key=lambda worked: not worked.example.passages):
        rules = one.rules & set(sections) - {one.example.program.start}
        for rule in sorted(rules, key=lambda r: (-_stated(one.example, r), often[r], r))[:1]:
            found.setdefault(rule, []).append(one)
    return found


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
