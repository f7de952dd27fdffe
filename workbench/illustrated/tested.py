"""The rule that a worked example is about, and the examples of each rule."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence

from interpreter.examples.one import Run
from interpreter.loading import game_of
from rulelang.examples import ChooseStep, Example, RefuseStep
from rulelang.program import Program

from ..rulebook.sources.stating import lines_stating

_LINES = re.compile(r"(\d+)(?:-(\d+))?")


def examples_for(examples: Sequence[Example], sections: Collection[str]) -> dict[str, list[Example]]:
    """The examples of each section of a rulebook that has any, the best first; no example serves two sections.

    An example is about one of the rules that ran in it: that which the lines it is documented by state most often, or
    else that which runs in the fewest other examples. Documented examples come before others.
    """
    ran = [_ran(example) & set(sections) for example in examples]
    often = Counter(rule for rules in ran for rule in rules)
    found: dict[str, list[Example]] = {}
    both = sorted(zip(examples, ran, strict=True), key=lambda pair: not pair[0].passages)
    for example, rules in both:
        for rule in sorted(rules, key=lambda r: (-_stated(example, r), often[r], r))[:1]:
            found.setdefault(rule, []).append(example)
    return found


def _ran(example: Example) -> set[str]:
    """The rules and options of an example that passes."""
    result = Run(example, game_of(example.program, "reference")).result()
    if result.status != "passed":
        return set()
    chosen = (s.choice.option for s in example.steps if isinstance(s, ChooseStep) and not isinstance(s, RefuseStep))
    return {*result.rules, *(option for option in chosen if option is not None)}


def _stated(example: Example, rule: str) -> int:
    """The number of lines that the example is documented by and that state the rule."""
    stating = _lines(example.program, rule)
    return sum(len(stating.get(p.language, set()) & set(range(p.first, p.last + 1))) for p in example.passages)


def _lines(program: Program, rule: str) -> dict[str, set[int]]:
    return {
        language: {n for a, b in _LINES.findall(lines) for n in range(int(a), int(b or a) + 1)}
        for language, lines in lines_stating(program, rule).items()
    }
