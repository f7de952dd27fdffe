"""Secrecy: what players observe follows from what they may know, unless the text discloses it with ``openly``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import attrs

from .. import program as ir
from ..diagnostics import Label, Sink
from ..fixes import Fix, Help, Prefix, ReplaceText
from ..program.analysis.effects import ProgramIndex
from ..program.analysis.flow import Flow, Source, Trail, flow_of
from ..program.printer import expression_text
from ..program.walk import walk
from ..source import Span
from .observed import Leak, LeakFinder, fault_of
from .risks import Risks, root_of

_SEEN = {
    "nobody": "nobody can see",
    "owner": "only its owner can see",
    "others": "its owner cannot see",
    "some": "not everybody can see",
}

_MEANT = "if everybody is meant to learn it"

_TOLD = ("R0512", "R0513")
"""What may be right once a name has been disclosed."""


def check(index: ProgramIndex, sink: Sink) -> None:
    program = index.program
    parts = _parts(index)
    every = [part for found in parts.values() for part in found]
    for id_, found in parts.items():
        for part in found:
            if isinstance(part, ir.Show) and program.variables[part.place.variable].seen_by == "all":
                _report_shown(part, id_, "Everybody", sink)
    if not index.hidden and not any(part.openly for part in every):
        return
    flow = flow_of(program)
    observers = _observers(index, every, flow)
    told: dict[object, list[Leak]] = {}
    for id_, observer in observers.items():
        needless: dict[Span, ir.Action] = {}
        needed: set[Span] = set()
        for part in parts[id_]:
            if isinstance(part, ir.Show) and part.who is not None and observer.sees_already(part):
                _report_shown(part, id_, f"`{expression_text(part.who)}`", sink)
            leaks = list(observer.leaks(part))
            if not part.openly:
                for leak in leaks:
                    _, trail = next(iter(leak.label.items()))
                    told.setdefault(trail.span if trail.via and leak.code in _TOLD else leak.span, []).append(leak)
            elif leaks:
                needed.add(part.span)
            else:
                needless.setdefault(part.span, part)
        for span, part in needless.items():  # one statement of the text may have become several
            if span not in needed:
                _report_needless(part, id_, sink)
    for together in told.values():
        _report_name(program, every, together, sink)
    _check_ranks(program, flow, next(iter(observers.values())).risks, sink)


def told_by_faults_alone(program: ir.Program, flow: Flow) -> frozenset[Span]:
    """The statements and needs that say ``openly`` and disclose nothing unless there is a fault."""
    index = ProgramIndex.of(program)
    parts = _parts(index)
    every = [part for found in parts.values() for part in found]
    if not any(part.openly for part in every):
        return frozenset()
    quiet, telling = set[Span](), set[Span]()
    for id_, observer in _observers(index, every, flow).items():
        for part in parts[id_]:
            if part.openly and part.span not in telling:
                (telling if observer.tells(part) else quiet).add(part.span)
    return frozenset(quiet - telling)


def _parts(index: ProgramIndex) -> dict[str, list[ir.Action]]:
    """By rule its head, its needs and its statements; what asks for one of several is looked at with all of it."""
    found: dict[str, list[ir.Action]] = {}
    for id_, rule in index.program.rules.items():
        own = [rule, *(node for node in index.nodes[id_] if isinstance(node, ir.Action))]
        asks = {id(node) for part in own if isinstance(part, ir.ChooseSome) for node in walk(part.asks)}
        found[id_] = [part for part in own if id(part) not in asks]
    return found


def _observers(index: ProgramIndex, every: Iterable[ir.Action], flow: Flow) -> dict[str, LeakFinder]:
    program, risks = index.program, Risks(index)
    menus = {id_: part for part in every if isinstance(part, ir.Menu) for id_ in part.options}
    return {
        id_: LeakFinder(program, flow, risks, menus, root_of(program, id_), rule) for id_, rule in program.rules.items()
    }


def _check_ranks(program: ir.Program, flow: Flow, risks: Risks, sink: Sink) -> None:
    """Who wins gives nothing away, but that it cannot be worked out would."""
    for rank in program.ranks:
        for risk in risks.of_value(rank.value):
            label = flow.beside_rules(risk.on)
            if label and not risk.safe():
                _report(program, fault_of(risk, "", rank.value, label), sink)
                break


def _report_needless(part: ir.Action, rule: str, sink: Sink) -> None:
    span = part.span
    word = attrs.evolve(span, end_line=span.line, end_column=span.column + len("openly "))
    sink.error(
        "R0514",
        part.span,
        "Nothing is disclosed here: everybody may know what this looks at.",
        help=Help(
            "Remove `openly`.", () if isinstance(part, ir.Rule) else (Fix("Remove `openly`", (ReplaceText("", word),)),)
        ),
        rule=rule,
        severity="warning",
    )


def _report_shown(part: ir.Show, rule: str, who: str, sink: Sink) -> None:
    sink.error(
        "R0514",
        part.span,
        f"{who} can see `{part.place.variable}` anyway.",
        help="Remove this line, or show it to somebody else.",
        rule=rule,
        severity="warning",
    )


def _report_name(program: ir.Program, every: Iterable[ir.Action], leaks: Sequence[Leak], sink: Sink) -> None:
    """What one name gives away in several places is one mistake: it can be disclosed where it gets its name."""
    first, *others = leaks
    _, trail = next(iter(first.label.items()))
    at, named = trail.span, (s for s in every if isinstance(s, (ir.Let, ir.IfThere)))
    here = (s for s in named if s.span.file == at.file and s.span.line <= at.line <= s.span.end_line)
    statement = next(here, None) if trail.via and first.code in _TOLD else None
    if statement is None:
        for leak in leaks:
            _report(program, leak, sink)
        return
    name = statement.name if isinstance(statement, ir.Let) else statement.binds.binds[0].name
    line = f"line {statement.span.line}{_elsewhere(statement.span, first.span)}"
    fix = Fix(f"Disclose `{name}`: begin {line} with `openly`", (Prefix("openly ", span=statement.span),))
    told = attrs.evolve(first, openly=f"begin {line} with `openly`", fixes=(*first.fixes, fix))
    _report(program, told, sink, [Label(leak.span, "told here as well") for leak in others])


def _report(program: ir.Program, leak: Leak, sink: Sink, others: Sequence[Label] = ()) -> None:
    source, trail = next(iter(leak.label.items()))
    direct = not trail.via and trail.span.line and leak.code != "R0515"
    span = trail.span if direct else leak.span
    sink.error(
        leak.code,
        span,
        f"{leak.observation} {_named(program, source, trail, span)}.",
        labels=[*_labels(program, source, trail, span), *others],
        help=Help(_advice(leak), leak.fixes),
        rule=leak.rule or None,
        severity="warning" if leak.promised else "error",
    )


def _advice(leak: Leak) -> str:
    remedy = f"{leak.remedy}, or {leak.openly} {_MEANT}." if leak.rule else f"{leak.remedy}."
    return (
        f"Only a promise says that it cannot happen (`surely`, or an invariant). {remedy}" if leak.promised else remedy
    )


def _named(program: ir.Program, source: Source, trail: Trail, at: Span) -> str:
    """The source with the way it took: "`theirs`, worked out from `hand` on line 12, which only its owner can see"."""
    name = trail.via[0] if trail.via else source.name
    if source.kind != "content":
        told = f"`{name}`, worked out from `{source.name}`" if name != source.name else f"`{name}`"
        return f"{told}, which is {'chosen' if source.kind == 'choice' else 'rolled'} in secret"
    seen = _SEEN[program.variables[source.name].seen_by]
    if not trail.via:
        return f"`{source.name}`, which {seen}"
    line = f"line {trail.span.line}{_elsewhere(trail.span, at)}"
    return f"`{name}`, worked out from `{source.name}` on {line}, which {seen}"


def _elsewhere(span: Span, at: Span) -> str:
    return "" if span.file == at.file else " of " + span.file.replace("\\", "/").rpartition("/")[2]


def _labels(program: ir.Program, source: Source, trail: Trail, at: Span) -> Iterable[Label]:
    if trail.span.line and trail.span != at:
        yield Label(trail.span, {"choice": "chosen here", "roll": "rolled here"}.get(source.kind, "looked at here"))
    if source.kind == "content":
        yield Label(program.variables[source.name].span, "declared here")
