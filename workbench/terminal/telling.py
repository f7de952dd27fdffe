"""Events, points and explanations as lines for people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ..pictures.scene.nodes import is_empty

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from interpreter.data import Event, Explanation
    from interpreter.errors import GameError
    from rulelang.program import Program

    from ..wording import News, Wording


SHORT = 2


def short_names(names: Iterable[str], width: int = SHORT) -> dict[str, str]:
    """A distinct name of at most ``width`` letters for each, made of its first letter and one that tells it apart.

    Names that are short enough stay as they are. If no short name is free, the name stays whole.
    """
    pool = list(dict.fromkeys(names))
    short = {name: name for name in pool if len(name) <= width}
    for name in pool:
        if name in short:
            continue
        others = [n for n in pool if n != name]
        candidates = [name[:width]] if not any(n.startswith(name[:width]) for n in others) else []
        candidates += [name[: width - 1] + letter for letter in name[width - 1 :]]
        taken = set(short.values())
        clear = [c for c in candidates if c not in taken and not _could_be(c, others)]
        free = clear or [c for c in candidates if c not in taken]
        short[name] = free[0] if free else name
    return short


def _could_be(short: str, others: Iterable[str]) -> bool:
    """Whether another name starts with the short name."""
    return any(other.startswith(short) for other in others)


def plain_text(value: Any) -> str:
    """A value of a view as text: ``2 oak, 1 elm``, ``red, blue``, ``-`` for nothing."""
    if value is None or value == [] or value == {}:
        return "-"
    if value is True:
        return "yes"
    if value is False:
        return "no"
    if isinstance(value, Mapping):
        if set(value) == {"count"}:
            return f"{value['count']} hidden"
        if "shown" in value and set(value) <= {"count", "shown"}:
            hidden = f"{value['count']} hidden" if "count" in value else "?"
            known = value["shown"]
            told = plain_text(["?" if one is None else one for one in known] if isinstance(known, list) else known)
            return f"{hidden}, shown {told}"
        shown = [f"{inner} {name}" if isinstance(inner, int) else f"{name}: {plain_text(inner)}"
                 for name, inner in value.items() if not is_empty(inner)]  # fmt: skip
        return ", ".join(shown) or "-"
    if isinstance(value, (list, tuple)):
        return ", ".join(plain_text(inner) for inner in value)
    return str(value)


def coloured(text: str, styles: Mapping[str, str]) -> Text:
    """The text, with every seat's name in its colour."""
    from rich.text import Text

    out = Text(text)
    for seat, style in styles.items():
        out.highlight_regex(rf"(?<![\w.]){_escaped(seat)}(?![\w.])", style)
    return out


def _escaped(word: str) -> str:
    import re

    return re.escape(word)


def plain_table(*headers: str) -> Table:
    """A table without lines, as narrow as its content."""
    from rich.table import Table

    return Table(*headers, box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")


_SIGNS = {"roll": "⚄", "shuffle": "⚄", "choice": "▸", "score": "★", "end": "■"}


def visible(events: Iterable[Event], seat: int | None) -> list[Event]:
    """The events ``seat`` may see; for None, those that everybody may see."""
    return [e for e in events if e.told_to(seat)]


def event_line(event: Event, styles: Mapping[str, str], news: News | None = None) -> Text:
    """One line: what happened, and the rule it happened in. ``news``: how events are told.

    How points came about is written as in the rules, so it stands with events in the rules' own names only; `why` tells
    it to everybody else.
    """
    from rich.text import Text

    line = Text(f"  {_SIGNS.get(event.kind, '·')} ", style="" if event.kind in _SIGNS else "dim")
    line.append_text(coloured(event.text if news is None else news.line(event), styles))
    reasons = derivation(event)
    if reasons and (news is None or not news.names.look.lang):
        line.append(f"  ({reasons})", style="italic")
    line.append(f"  {event.rule}", style="dim")
    return line


def derivation(event: Event) -> str:
    """``size(f) is 3``: the numbers behind the points of a score event."""
    if event.kind != "score":
        return ""
    return ", ".join(f"{what} is {value}" for what, value in event.data.get("because", ()))


def story(events: Iterable[Event], program: Program) -> list[Event]:
    """The events worth a line during play: not the mere running of a rule, bookkeeping, no points, moves of nothing."""
    variables = program.variables

    def told(event: Event) -> bool:
        variable = variables.get(str(event.data.get("place", "")).partition("[")[0])
        nothing = (
            event.kind == "rule"
            or (event.kind == "move" and event.data.get("number") == 0)
            or (event.kind == "score" and event.data.get("amount") == 0)
        )
        return not nothing and not (event.kind == "set" and variable is not None and variable.bookkeeping)

    return [event for event in events if told(event)]


def explanation_lines(explanation: Explanation, wording: Wording) -> list[Text]:
    """The sentence, each condition with its values, and its place in the rules and in the source texts.

    In a language, what the rulebook says about it instead of the sentence.
    """
    from rich.text import Text

    program, spoken = wording.program, wording.look.lang is not None
    answer = wording.words.say("value.yes" if explanation.allowed else "value.no")
    told = explanation.text
    if spoken:
        told = " ".join(wording.sentences(explanation.rule))
    elif explanation.conditions:
        told = told.partition(": ")[0] + "."  # the reasons follow below, line by line
    head = Text(f"{answer}: " if told else answer, style="bold green" if explanation.allowed else "bold red")
    lines = [head.append(told, style="default not bold")]
    for condition in explanation.conditions:
        sign, style = ("✓", "green") if condition.holds else ("✗", "red")
        line = Text(f"  {sign} ", style=style)
        line.append(condition.text, style="default")
        if condition.values:
            told = ", ".join(f"{what} is {value}" for what, value in condition.values if what != condition.text)
            told = told or ", ".join(value for _, value in condition.values)
            line.append(f"  ({told})", style="default italic")
        place = f"{condition.span.file}:{condition.span.line}" if condition.span.file else ""
        line.append(f"  {condition.rule} {place}".rstrip(), style="dim")
        lines.append(line)
    for passage in passages(program, explanation.rule):
        lines.append(Text(f"    {passage}", style="dim"))
    return lines


def fault_text(error: GameError, program: Program) -> str:
    """Why the rules cannot go on, for those who play. In a game with hidden things only where: the numbers of a fault
    could give them away."""
    from interpreter.errors import RuleFault

    if not isinstance(error, RuleFault) or all(v.seen_by == "all" for v in program.variables.values()):
        return str(error)
    place = f" ({error.span.file}:{error.span.line})" if error.span.file else ""
    remedy = "the details could give away what is hidden, so only `rulelang simulate` and `rulelang test` show them"
    return f"rule {error.rule}{place} cannot go on; {remedy}."


def passages(program: Program, rule: str) -> list[str]:
    """Lines of the source texts that state the rule: ``nl 163-165``."""
    from ..rulebook.sources import lines_stating

    return [f"{language} {lines}" for language, lines in lines_stating(program, rule).items()]


def step(program: Program, number: int, event: Event) -> dict[str, Any]:
    """An event as plain data, with the place of its rule, for ``rulelang explain``."""
    span = program.rules[event.rule].span if event.rule in program.rules else None
    data: dict[str, Any] = {
        "step": number,
        "kind": event.kind,
        "rule": event.rule,
        "text": event.text,
        "file": span.file if span else None,
        "line": span.line if span else None,
        "data": event.data,
        "passages": passages(program, event.rule),
    }
    return data
