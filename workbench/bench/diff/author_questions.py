"""Questions to the author: each reading of unclear rules, with what was chosen, the passages behind it, and the
smallest case in which it matters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from html import escape
from pathlib import Path
from typing import Any

import attrs

from rulelang.diagnostics import UnusablePath

from ... import web
from ...pictures.looks import look_for
from ...rulebook.corpus import Corpus
from ...rulebook.crosscheck.review import find_trace
from ...rulebook.languages.catalogue import counted, say
from .. import STYLE
from .case_words import ToldCase, told_in
from .rule_changes import RuleChange, RuleSide, changes_between, variant_side
from .smallest_case import RulesSide, SmallestCases, find

_GAMES = 32
_SHOWN = 6
"""Choices that are told of a case, the last ones."""


@attrs.frozen
class AskedReading:
    """A reading and one of its values that was not chosen. ``label``: what the reading is called; ``sentences``: of the
    rulebook, as chosen and under the other value; ``because``: why the first was chosen; ``passages``: document, lines,
    and the text where it is at hand; ``found``: with what it was looked for a case."""

    reading: str
    chosen: str
    other: str
    label: str
    sentences: tuple[tuple[str | None, str | None], ...]
    because: str
    passages: tuple[tuple[str, str | None], ...]
    case: ToldCase | None
    example: str | None
    found: SmallestCases

    @property
    def games(self) -> tuple[int, int]:
        """The random games in which the two part, of how many."""
        return sum(len(one.lengths) for one in self.found.searches), sum(one.games for one in self.found.searches)


def readings(side: RuleSide) -> list[tuple[str, str]]:
    """Each reading with each of its values that was not chosen."""
    return [
        (name, value)
        for name, setting in side.programs[0].settings.items()
        if setting.kind == "reading"
        for value in setting.domain.members
        if value != setting.value
    ]


def asked(path: Path, corpora: Sequence[Corpus], lang: str, seconds: float) -> Iterator[AskedReading]:
    """The questions of a game, in a language. ``corpora``: its texts and documents, if there are any; ``seconds``: for
    all cases together. Raises UnusablePath and RulesError."""
    base = variant_side(path, ())
    every = readings(base)
    for reading, value in every:
        side = variant_side(path, (), {reading: value})
        before, after = RulesSide(base, path), RulesSide(side, path, (), {reading: value})
        found = find(before, after, _GAMES, seconds / len(every))
        changes = changes_between(base, side)
        case = found.cases[0] if found.cases else None
        setting = base.programs[0].settings[reading]
        passages = {}
        with suppress(UnusablePath):  # where no text says anything of it
            statements = find_trace(corpora, reading)[1].statements
            passages = {passage.name: passage.text for one in statements for passage in one.passages}
        yield AskedReading(
            reading,
            setting.value,
            value,
            look_for(base.programs[0], lang).label(reading),
            tuple(_sentences(changes, lang)),
            setting.because or "",
            tuple(passages.items()),
            None if case is None else told_in(case, before, after, lang),
            None if case is None else case.example,
            found,
        )


def _sentences(changes: Sequence[RuleChange], lang: str) -> Iterator[tuple[str | None, str | None]]:
    """What holds as chosen, and under the other value. What a rulebook says of both, once as a variant, is one."""
    for one in (one for change in changes for one in change.statements.get(lang, ())):
        before, after = one.before, one.after
        if before and after and after.lower().endswith(before.lower()):
            after = None
        elif before and after and before.lower().endswith(after.lower()):
            before = None
        yield before, after


# ---------------------------------------------------------------- as a sheet


def lines(question: AskedReading, number: int, lang: str, *, quote: bool) -> Iterator[tuple[str, str]]:
    """A question line by line, each with what sort of line it is: ``head``, ``line``, ``item`` or ``quote``."""
    yield "head", f"{number}. {question.label}"
    for before, _ in question.sentences:
        if before:
            yield "item", say("question_chosen", lang, what=before)
    for _, after in question.sentences:
        if after:
            yield "item", say("question_or", lang, what=after)
    if not question.sentences:
        yield "item", say("question_chosen", lang, what=question.chosen)
        yield "item", say("question_or", lang, what=question.other)
    if question.because:
        yield "line", say("question_because", lang, why=question.because)
    if question.passages:
        yield "line", say("question_passages", lang, where="; ".join(name for name, _ in question.passages))
    if quote:
        yield from (("quote", f"{name}: {' '.join(text.split())}") for name, text in question.passages if text)
    if question.case is None:
        yield "line", say("question_no_case", lang, n=question.games[1])
    else:
        yield from _case(question, question.case, lang)


def _case(question: AskedReading, case: ToldCase, lang: str) -> Iterator[tuple[str, str]]:
    yield "line", say("question_case", lang)
    course = case.course
    cut = [f"… ({len(course) - _SHOWN})"] if len(course) > _SHOWN else []
    yield from (("item", text) for text in (*case.position, *cut, *course[-_SHOWN:]))
    for (_, said, _), value in zip(case.sides, (question.chosen, question.other), strict=True):
        yield from (("item", f"{value}: {text}") for text in said)
    parted, games = question.games
    yield "line", say("case_parts", lang, n=parted, all=games)


def as_text(questions: Sequence[AskedReading], title: str, lang: str, *, quote: bool) -> str:
    """The sheet as Markdown."""
    marks = {"head": "\n## ", "line": "\n", "item": "- ", "quote": "> "}
    told = [f"# {title}: {counted('questions', lang, len(questions))}"]
    for number, question in enumerate(questions, 1):
        before = ""
        for sort, text in lines(question, number, lang, quote=quote):
            gap = "\n" if sort in ("item", "quote") and before != sort else ""
            told.append(f"{gap}{marks[sort]}{text}")
            before = sort
    return "\n".join(told) + "\n"


def as_page(questions: Sequence[AskedReading], title: str, lang: str, *, quote: bool) -> str:
    """The sheet as a page without script."""
    whole = f"<h1>{escape(title)}: {escape(counted('questions', lang, len(questions)))}</h1>\n"
    return web.page(title, lang, whole + as_part(questions, lang, quote=quote), STYLE)


def as_part(questions: Sequence[AskedReading], lang: str, *, quote: bool) -> str:
    """The questions as a part of a page."""
    tags, body = {"head": "h2", "line": "p", "item": "li", "quote": "blockquote"}, []
    for number, question in enumerate(questions, 1):
        told = list(lines(question, number, lang, quote=quote))
        for at, (sort, text) in enumerate(told):
            around = [told[other][0] if 0 <= other < len(told) else "" for other in (at - 1, at + 1)]
            opens = "<ul>" if sort == "item" and around[0] != "item" else ""
            closes = "</ul>" if sort == "item" and around[1] != "item" else ""
            body.append(f"{opens}<{tags[sort]}>{escape(text)}</{tags[sort]}>{closes}")
        if question.example:
            summary = escape(say("case_example", lang))
            body.append(f"<details><summary>{summary}</summary><pre>{escape(question.example)}</pre></details>")
    return "\n".join(body)


def as_json(questions: Sequence[AskedReading], lang: str) -> dict[str, Any]:
    return {
        "questions": [
            {
                "reading": one.reading,
                "lang": lang,
                "label": one.label,
                "chosen": one.chosen,
                "other": one.other,
                "because": one.because,
                "sentences": [{"chosen": before, "other": after} for before, after in one.sentences],
                "passages": [name for name, _ in one.passages],
                "case": None if one.case is None else attrs.asdict(one.case),
                "example": one.example,
                "seen_in": {"games": one.games[0], "of": one.games[1]},
            }
            for one in questions
        ]
    }
