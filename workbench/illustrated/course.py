"""A turn at a glance, points of doubt, and other ways to play."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile

import attrs

from rulelang.program import Program
from rulelang.program import nodes as ir
from rulelang.program.walk import children, walk

from ..rulebook.print.document import HeadingPart, Rulebook, StatementPart
from ..rulebook.print.matter import ListEntry, Listing
from ..rulebook.print.variants import without_sign

_LOOPS = (ir.TakeTurns, ir.Each, ir.Repeat)


@attrs.frozen
class CourseStage:
    """A rule or an option of a menu by its id, with what runs in it."""

    id: str
    inner: tuple[CourseStage, ...] = ()


def course_of(program: Program, told: Callable[[str], bool], depth: int) -> tuple[CourseStage, ...]:
    """What makes up a turn, or a round where no rule says ``take turns``. ``told``: whether an id is worth a line; what
    runs in one that is not takes its place. ``depth``: of the deepest stage.
    """
    loop = main_loop(program)
    if loop is None:
        return ()
    return tuple(_Course(program, told).stages(loop, depth, frozenset()))


def main_loop(program: Program) -> ir.Node | None:
    """The loop that most of the game runs in: of the outermost ones that with most rules below it."""
    found = list(_outermost(program, program.start, set()))
    return max(found, key=lambda loop: len(below(program, loop)), default=None)


def _outermost(program: Program, rule: str, seen: set[str]) -> Iterator[ir.Node]:
    if rule in seen or rule not in program.rules:
        return
    seen.add(rule)

    def visit(node: ir.Node) -> Iterator[ir.Node]:
        if isinstance(node, _LOOPS):
            yield node
            return
        for id_ in runs(program, node):
            yield from _outermost(program, id_, seen)
        for child in children(node):
            yield from visit(child)

    for statement in program.rules[rule].body:
        yield from visit(statement)


def runs(program: Program, node: ir.Node) -> Sequence[str]:
    """The rules and options that a statement runs by itself, without those of the statements inside it."""
    match node:
        case ir.Do() | ir.NamedRule():
            return (node.rule,)
        case ir.Menu():
            return node.options
        case ir.Announce():
            return program.handlers.get(node.event, ())
        case _:  # what others run stands inside them
            return ()


def below(program: Program, *roots: ir.Node) -> frozenset[str]:
    """The ids of all rules and options that may run in statements."""
    found: set[str] = set()
    waiting: list[ir.Node] = list(roots)
    while waiting:
        for node in walk(waiting.pop()):
            for id_ in runs(program, node):
                if id_ in program.rules and id_ not in found:
                    found.add(id_)
                    waiting += program.rules[id_].body
    return frozenset(found)


def before_the_loop(program: Program) -> tuple[ir.Statement, ...]:
    """The statements of the start before the one with the loop that is the game; none where there is no such loop."""
    loop, body = main_loop(program), program.rules[program.start].body
    if loop is None:
        return ()
    return tuple(takewhile(lambda statement: not _holds(program, statement, loop), body))


def _holds(program: Program, statement: ir.Node, loop: ir.Node) -> bool:
    bodies = (node for id_ in below(program, statement) for node in program.rules[id_].body)
    return any(node is loop for node in walk([statement, *bodies]))


@attrs.define
class _Course:
    """Gathers stages; every id once, where it first runs."""

    program: Program
    told: Callable[[str], bool]
    met: set[str] = attrs.field(factory=set)

    def stages(self, node: ir.Node, depth: int, above: frozenset[str]) -> Iterator[CourseStage]:
        for id_ in runs(self.program, node):
            yield from self._stage(id_, depth, above)
        for child in children(node):
            yield from self.stages(child, depth, above)

    def _stage(self, id_: str, depth: int, above: frozenset[str]) -> Iterable[CourseStage]:
        rule = self.program.rules.get(id_)
        if rule is None or id_ in above or id_ in self.met:
            return ()
        if not self.told(id_):
            return self._inside(rule, depth, above)
        if depth == 0:
            return ()
        self.met.add(id_)
        return (CourseStage(id_, tuple(self._inside(rule, depth - 1, above))),)

    def _inside(self, rule: ir.Rule, depth: int, above: frozenset[str]) -> list[CourseStage]:
        inner = above | {rule.id}
        return [stage for statement in rule.body for stage in self.stages(statement, depth, inner)]


_DEPTH = 3
"""Of the list of a turn."""


@attrs.frozen
class Book:
    """What the text of a rulebook says, by section; ``chapters``: the heading that each section stands below;
    ``anchors``: that of the chapter, a heading of the second level.
    """

    rulebook: Rulebook
    sections: Mapping[str, tuple[StatementPart, ...]]
    chapters: Mapping[str, str]
    first: Mapping[str, str]
    """The headings of chapters by the section that they begin with."""
    anchors: Mapping[str, str]

    @classmethod
    def of(cls, rulebook: Rulebook) -> Book:
        sections: dict[str, list[StatementPart]] = {}
        chapters: dict[str, str] = {}
        first: dict[str, str] = {}
        anchors: dict[str, str] = {}
        heading, anchor, fresh = "", "", False
        for part in rulebook.parts:
            if isinstance(part, HeadingPart):
                heading, fresh = part.text, part.level > 1
                anchor = part.anchor if part.level == 2 else anchor
            elif part.mark != "removed":
                sections.setdefault(part.section, []).append(part)
                chapters.setdefault(part.section, heading)
                anchors.setdefault(part.section, anchor)
                if fresh:
                    first.setdefault(part.section, heading)
                fresh = False
        return cls(rulebook, {id_: tuple(parts) for id_, parts in sections.items()}, chapters, first, anchors)

    def says(self, section: str) -> list[str]:
        """The sentences of a section that hold."""
        return [part.text for part in self.sections.get(section, ()) if not part.aside]

    def opening(self, section: str) -> str:
        """The first of them."""
        return next(iter(self.says(section)), "")

    def valued(self, section: str) -> str:
        """The first with a value of the rules in it, or else the first."""
        parts = [part for part in self.sections.get(section, ()) if not part.aside]
        with_value = (part for part in parts if any(piece.placeholder for piece in part.sentence))
        return next((part.text for part in with_value), self.opening(section))


# ---------------------------------------------------------------- a turn


def turn_list(program: Program, book: Book) -> Listing | None:
    """What happens in a turn, in order, each with the first sentence that the rulebook says of it."""
    stages = course_of(program, lambda id_: bool(book.opening(id_)), _DEPTH)
    if len(stages) == 1:
        stages = stages[0].inner or stages
    return Listing(tuple(_entry(stage, book) for stage in stages), numbered=True) if stages else None


def led(heading: str) -> str:
    """A heading as the words that an entry begins with."""
    return heading if not heading or heading.endswith((".", "!", "?", ":")) else f"{heading}."


def in_turns(program: Program) -> bool:
    """Whether the players take turns; else the game goes by rounds."""
    return any(isinstance(node, ir.TakeTurns) for node in walk(list(program.rules.values())))


def _entry(stage: CourseStage, book: Book) -> ListEntry:
    lead = led(book.first.get(stage.id, ""))
    inner = tuple(_entry(one, book) for one in stage.inner)
    return ListEntry(book.opening(stage.id), lead, stage.id, inner)


# ---------------------------------------------------------------- points of doubt


def doubts(program: Program, book: Book) -> Listing | None:
    """Each reading: how this rulebook has it, how one may also read it, and, in English, why."""
    entries = []
    for name, setting in program.settings.items():
        parts = book.sections.get(name, ())
        if setting.kind != "reading" or not parts:
            continue
        held = " ".join(part.text for part in parts if not part.aside)
        because = setting.because if book.rulebook.language == "en" else None
        text = f"{held} ({because[:1].upper()}{because[1:]}.)" if because else held
        other = tuple(part.text for part in parts if part.aside)
        entries.append(ListEntry(text, led(book.chapters.get(name, "")), name, other=other))
    return Listing(tuple(entries)) if entries else None


def other_ways(program: Program, book: Book) -> Listing | None:
    """What the text says of options and readings that are not in force, without what ``doubts`` tells."""
    told = {name for name, setting in program.settings.items() if setting.kind == "reading"}
    entries: dict[str, list[ListEntry]] = {}
    for section, parts in book.sections.items():
        aside = tuple(part.text for part in parts if part.aside)
        if aside and section not in told:
            held = next((part.text for part in parts if not part.aside), "")
            listed = [ListEntry(held, link=section, other=aside)] if held else [
                ListEntry(without_sign(text), link=section) for text in aside]  # fmt: skip
            entries.setdefault(book.chapters.get(section, ""), []).extend(listed)
    chapters = (_gathered(heading, some) for heading, some in entries.items())
    return Listing(tuple(chapters)) if entries else None


def _gathered(heading: str, entries: list[ListEntry]) -> ListEntry:
    """The entries of a chapter as one."""
    if len(entries) == 1:
        return attrs.evolve(entries[0], lead=led(heading))
    return ListEntry("", led(heading), entries[0].link, tuple(entries))
