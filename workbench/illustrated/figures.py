"""Figures of a rulebook, drawn from the game: its parts, its setup, and the worked examples as they run."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.examples.one import ExampleRun
from interpreter.loading import game_of
from rulelang.examples import ChooseStep, Example, GivenStep, RefuseStep, ThenStep
from rulelang.program import Apply, Call, Const, Program
from rulelang.program.nodes import Variable
from rulelang.program.values import plain
from rulelang.types import Domain, NumberType

from ..pictures.build.facts import PLAYER, facts_of, initials
from ..pictures.draw import Shot, arrange, before_and_after, cropped, parts_of, scene_of, stretched, whole
from ..pictures.layout.page import place
from ..pictures.looks import look_for
from ..pictures.paint import paint
from ..pictures.paint.colours import is_colour
from ..pictures.scene.look import PLAIN, Look
from ..pictures.scene.nodes import Scene, cells
from ..pictures.scene.nodes import place as address
from ..pictures.stock import counted_pieces
from ..rulebook.languages.catalogue import counted, say
from ..rulebook.print.matter import Figure, MatterTable, Picture, TableRow
from ..rulebook.sources import lines_stating
from ..wording import Names, Stories, fullest
from ..wording.sentences import Sentences, sentence
from .components import capital, kind_label
from .course import before_the_loop, below

if TYPE_CHECKING:
    from interpreter.game import State
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
    ``by``: the rule of each step; ``values``: of definitions that it looks at, in words; ``asked``: their names.
    """

    example: Example
    look: Look
    rules: frozenset[str]
    views: tuple[Mapping[str, Any], Mapping[str, Any]]
    story: tuple[str, ...]
    by: tuple[str | None, ...] = ()
    values: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()


def worked(example: Example, lang: str, game: Program) -> Worked | None:
    """How an example runs, told in a language; None for one that fails. ``game``: as whose players its own play."""
    steps = {step.span: step for step in example.steps}
    views: list[Mapping[str, Any]] = []
    between: dict[int, list[_RefusedOption]] = {}
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

    run = ExampleRun(example, game_of(example.program, "reference"), watch)
    result = run.result()
    if result.status != "passed" or not views:
        return None
    refusals = {number: list(_told(here, names)) for number, here in between.items()}
    told = Stories(names).told(fullest(run.state.log), refusals)
    chosen = (s.choice.option for s in example.steps if isinstance(s, ChooseStep) and not isinstance(s, RefuseStep))
    rules = frozenset({*result.rules, *(option for option in chosen if option is not None)})
    before, after = _on_the_table(example.program, views[0], whole(run.state))
    story, by = tuple(step.text for step in told), tuple(step.rule for step in told)
    asked = tuple(dict.fromkeys(values.values()))
    return Worked(example, look, rules, (before, after), story, by, tuple(values), asked)


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
class _RefusedOption:
    """What a player may not choose. ``rule``: that which asks; ``option`` and ``value`` as decisions have them."""

    player: str
    rule: str
    option: str | None
    value: Any


def _refused(step: RefuseStep, state: Any, names: Names) -> _RefusedOption:
    choice = step.choice
    values = [_square(value) for value in choice.values or ()]
    decision, player = state.decision, names.program.seats[step.player]
    if choice.option is not None:
        binds = names.program.rules[choice.option].binds
        keys = [bind.name for bind in binds.binds] if binds is not None else []
        return _RefusedOption(player, decision.rule, choice.option, {"with": dict(zip(keys, values, strict=False))})
    asked: dict[str, Any] = next((option.value for option in decision.options if option.value), {})
    return _RefusedOption(player, decision.rule, None, dict(zip(asked, values, strict=False)) if values else None)


def _square(value: Any) -> Any:
    """A square as options have it."""
    match value:
        case (int(x), int(y)):
            return {"x": x, "y": y}
    return value


def _told(refused: Sequence[_RefusedOption], names: Names) -> Iterator[str]:
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
        found.sort(key=lambda one: (-stated(one.example, rule), not one.example.passages, len(one.rules)))
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


def stated(example: Example, rule: str) -> int:
    """The number of lines that the example is documented by and that state the rule."""
    stating = _lines(example.program, rule)
    return sum(len(stating.get(p.language, set()) & set(range(p.first, p.last + 1))) for p in example.passages)


def _lines(program: Program, rule: str) -> dict[str, set[int]]:
    return {
        language: {n for a, b in _LINES.findall(lines) for n in range(int(a), int(b or a) + 1)}
        for language, lines in lines_stating(program, rule).items()
    }


def after_setup(program: Program, seed: int) -> State:
    """The position that the turns begin with, or that in which somebody has to decide before; as ``seed`` deals it.

    Where the rules do not say what is setup, the position at the first decision.
    """

    before = before_the_loop(program)
    if not before:
        return game_of(program, "reference").start(seed)
    start = attrs.evolve(program.rules[program.start], body=before)
    return game_of(attrs.evolve(program, rules={**program.rules, program.start: start}), "reference").start(seed)


_SEEDS = (1, 2, 3)
"""Games that are looked at: what differs between them is left to chance."""
_NAMED = 6
"""Of more kinds than this only the number of pieces is told."""


def setups(programs: Sequence[Program], looks: Sequence[Look], sections: Collection[str]) -> MatterTable | None:
    """What lies on the table and what each player has, a column for each number of players; no head where there is
    only one number, and nothing where nothing lies anywhere.

    ``looks``: of each Program. ``sections``: the ids that a link can lead to.
    """
    lang = looks[0].lang
    heads = ("", *(counted("players", lang, p.players) for p in programs)) if len(programs) > 1 else ()
    starts = [[after_setup(program, seed).values() for seed in _SEEDS] for program in programs]
    rows: list[TableRow] = []
    for mine, title in ((False, "on_the_table"), (True, "each_player_has")):
        found = list(_rows(programs, looks, starts, sections, mine))
        rows += [TableRow(say(title, lang), ()), *found] if found else []
    return MatterTable(heads, tuple(rows)) if rows else None


def _rows(
    programs: Sequence[Program],
    looks: Sequence[Look],
    starts: Sequence[Sequence[Mapping[str, Any]]],
    sections: Collection[str],
    mine: bool,
) -> Iterator[TableRow]:
    names = dict.fromkeys(name for program in programs for name in program.variables)
    for name in names:
        told, label = [], ""
        for program, look, values in zip(programs, looks, starts, strict=True):
            variable = program.variables.get(name)
            shown = variable is not None and variable in facts_of(program).shown and not look.says(name, "hidden")
            if variable is None or not shown or _is_mine(variable) != mine:
                told.append("")
                continue
            label = say("score", look.lang) if name == program.score and not look.of(name).labels else look.label(name)
            told.append(_content(variable, [start.get(name) for start in values], look))
        if any(told):
            yield TableRow(capital(label), tuple(text or "–" for text in told), name if name in sections else None)


def _is_mine(variable: Variable) -> bool:
    return bool(variable.owners) and variable.owners[0].domain.name == PLAYER


def _content(variable: Variable, games: Sequence[Any], look: Look) -> str:
    """The content of a variable in words, as far as it does not depend on chance; of a player's, what each has."""
    if variable.element is None and not isinstance(variable.type, NumberType):
        return ""
    told = dict.fromkeys(part for value in games for part in _parts(variable, value, look))
    if len(told) > 1:  # chance decides which pieces there are, not how many
        told = dict.fromkeys(str(_total(part)) for value in games for part in _cells_of(variable, value))
    return " / ".join(told) if len(told) <= 2 and set(told) != {"0"} else ""


def _parts(variable: Variable, value: Any, look: Look) -> Iterator[str]:
    for content in _cells_of(variable, value):
        yield _words(variable, content, look)


def _cells_of(variable: Variable, value: Any) -> Iterator[Any]:
    """What each player has in all places of a variable; of others, what there is in all."""
    if not _is_mine(variable):
        yield _together(variable, value, len(variable.owners))
        return
    for inner in value.values():
        yield _together(variable, inner, len(variable.owners) - 1)


def _together(variable: Variable, value: Any, owners: int) -> Counter[str] | int:
    contents = [content for _, content in cells(variable.name, value, owners)]
    if variable.element is None:
        return sum(int(content) for content in contents)
    return sum((counted_pieces(content) for content in contents), Counter())


def _total(content: Counter[str] | int) -> int:
    return content if isinstance(content, int) else content.total()


def _words(variable: Variable, content: Counter[str] | int, look: Look) -> str:
    if isinstance(content, int) or len(content) > _NAMED or not content:
        return str(_total(content))
    kind = variable.element
    of = kind if isinstance(kind, NumberType) else kind.domain if kind is not None else None
    if isinstance(of, Domain) and len(content) == len(of) > 1 and len(set(content.values())) == 1:
        return say("of_each", look.lang, n=next(iter(content.values())))
    if isinstance(of, NumberType):  # pieces with a number on them
        return ", ".join(kind_label(of, kind, look) if number == 1 else f"{number} × {kind_label(of, kind, look)}"
                         for kind, number in content.items())  # fmt: skip
    return ", ".join(f"{number} {kind_label(of, kind, look)}" for kind, number in content.items())


_COLUMN = 672.0
"""Width of the column of text, in pixels."""
_HALF = 330.0
_PHONE = 350.0
_SEED = 1
_CHANGES = 12
"""An example that changes more than this shows nothing in particular."""
_HIGH = 3.0
"""Nor does one whose picture is more than so many times as high as it is wide: a bag that lies open, say."""
_STEPS = 10
"""Nor does one with more steps."""
_STILL = 6
"""Examples of values that a section gets at most."""


def annotated_turn(
    shown: Mapping[str, Worked], stages: Sequence[str], chapters: Mapping[str, str], lang: str
) -> tuple[str, Figure] | None:
    """Of the examples that are shown, the one that begins with most of a turn in its order, by its section: each step
    with the chapter that tells of it. None where none goes through two.

    ``stages``: the sections that the chapters of a turn begin with, in order; ``chapters``: by sections.
    """
    order = [chapters[id_] for id_ in stages]

    def about(one: Worked) -> list[str]:
        return [_chapter(one.example.program, rule, chapters) if rule else "" for rule in one.by]

    def goes(section: str) -> int:
        """How many chapters of a turn it goes through one after another."""
        seen = [order.index(name) for name, _ in groupby(about(shown[section])) if name in order]
        return next((n for n in range(1, len(seen)) if seen[n] <= seen[n - 1]), len(seen))

    best = max(shown, key=goes, default=None)
    figure = _figure("course", shown[best], lang) if best is not None and goes(best) > 1 else None
    if best is None or figure is None:
        return None
    names = about(shown[best])
    told = zip(shown[best].story, names, ["", *names], strict=False)
    steps = tuple(f"{step} (→ {here})" if here and here != last else step for step, here, last in told)
    return best, attrs.evolve(figure, caption="", lead=say("course_example", lang), steps=steps)


def _chapter(program: Program, rule: str, chapters: Mapping[str, str]) -> str:
    """The chapter that tells of a rule, or of the one that it is in; empty where none does."""
    if rule in chapters:
        return chapters[rule]
    parent = program.rules[rule].parent if rule in program.rules else None
    return _chapter(program, parent, chapters) if parent is not None else ""


def shown_with(ran: Sequence[Worked], sections: Sequence[str], lang: str) -> dict[str, Worked]:
    """An example for each section that has one which can be drawn."""
    return by_section(ran, sections, lambda one: _figure("", one, lang) is not None)


def examples_of(
    shown: Mapping[str, Worked], ran: Sequence[Worked], sections: Sequence[str], lang: str
) -> dict[str, tuple[Figure, ...]]:
    """The examples that are shown with sections: the position before and after, and what happens, in words; and those
    of all that ``ran`` in which only a value is told.
    """
    found: dict[str, tuple[Figure, ...]] = {}
    for section, one in shown.items():
        figure = _figure(section, one, lang)
        if figure is not None:
            found[section] = (figure,)
    for section, still in valued(ran, sections).items():
        figures = (_still(f"{section}-{number}", one, lang) for number, one in enumerate(still[:_STILL], 1))
        found[section] = (*found.get(section, ()), *filter(None, figures))
    return _captioned(found, sections)


def _captioned(figures: Mapping[str, tuple[Figure, ...]], sections: Sequence[str]) -> dict[str, tuple[Figure, ...]]:
    """The figures of sections, numbered in the order of the text; the first alone keeps its caption."""
    found: dict[str, tuple[Figure, ...]] = {}
    said, number = False, 0
    for section in sections:
        kept = []
        for figure in figures.get(section, ()):
            number += 1
            figure = attrs.evolve(figure, lead=f"{figure.lead} {number}")
            kept.append(attrs.evolve(figure, caption="") if said else figure)
            said = said or bool(figure.caption)
        if kept:
            found[section] = tuple(kept)
    return found


def _still(name: str, one: Worked, lang: str) -> Figure | None:
    """A position with what it is worth."""
    program, given = one.example.program, [step for step in one.example.steps if isinstance(step, GivenStep)]
    matters = frozenset(_address(program, step) for step in given)
    whole = arrange(program, one.views[0], one.look, matters, say("example_title", lang))
    scene = cropped(stretched([whole], matters)[0], matters)
    if not matters or place(scene, _HALF).height > _HIGH * _HALF:
        return None
    return Figure("", (_picture(name, scene, _HALF),), lead=say("example_title", lang), steps=one.values)


def _address(program: Program, step: GivenStep) -> str:
    owners = program.variables[step.variable].owners
    return address(step.variable, [o.domain.members[i] for o, i in zip(owners, step.indices, strict=True)])


def ends(one: Worked) -> tuple[Shot, Shot] | None:
    """The position before an example and after it; None where something else would be clearer."""
    if not one.story or len(one.story) > _STEPS:
        return None
    found = before_and_after(one.example.program, *one.views, one.look)
    if found is None or len(found[1].marked) > _CHANGES:
        return None
    return None if any(place(shot.scene, _HALF).height > _HIGH * _HALF for shot in found) else found


def _figure(section: str, one: Worked, lang: str) -> Figure | None:
    """The example as a figure; None where something else would be clearer."""
    shots = ends(one)
    if shots is None:
        return None
    names = (f"{section}-before", f"{section}-after")
    pictures = tuple(_picture(n, shot.scene, _HALF, shot.marked) for n, shot in zip(names, shots, strict=True))
    return Figure(say("example_caption", lang), pictures, lead=say("example_title", lang), steps=one.story)


def setups_figure(programs: Sequence[Program], lang: str) -> Figure:
    """The position after the setup, for each number of players."""
    pictures = []
    for program in programs:
        title = counted("players", lang, program.players)
        pictures.append(_picture(f"setup-{program.players}", _start(program, lang, title), _COLUMN, close=True))
    return Figure(say("setup_caption", lang), tuple(pictures), wide=True)


def _start(program: Program, lang: str, title: str) -> Scene:
    return scene_of(after_setup(program, _SEED), None, lang, title=title)


def parts_figure(program: Program, lang: str, sections: Sequence[str]) -> Figure:
    """The setup with a number at each of its parts, and their names."""
    scene, look = _start(program, lang, say("setup", lang)), look_for(program, lang)
    wide, narrow = place(scene, _COLUMN), place(scene, _PHONE)
    parts = parts_of(wide, look)
    spots = {name: (x, y) for name, _, x, y in parts_of(narrow, look)}
    parts = [part for part in parts if part[0] in spots]
    texts = paint(wide, (), [(x, y) for _, _, x, y in parts]), paint(narrow, (), [spots[part[0]] for part in parts])
    picture = Picture("parts", *texts, wide.height / wide.width, scene.alt, narrow.height / narrow.width)
    names = tuple((label, name if name in sections else None) for name, label, _, _ in parts)
    return Figure(say("parts_caption", lang), (picture,), names)


def _picture(
    name: str, scene: Scene, width: float, marked: frozenset[str] = frozenset(), *, close: bool = False
) -> Picture:
    wide, narrow = place(scene, width, close=close), place(scene, min(width, _PHONE), close=close)
    texts = paint(wide, marked), paint(narrow, marked)
    alt = f"{scene.title}: {scene.alt}" if scene.title else scene.alt
    return Picture(name, *texts, wide.height / wide.width, alt, narrow.height / narrow.width)
