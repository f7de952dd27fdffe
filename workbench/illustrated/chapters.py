"""Matter of a rulebook: in and around the chapters of its text, and a worked example after each rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import attrs

from rulelang import workspace
from rulelang.diagnostics import RulesError, Sink
from rulelang.examples import Example
from rulelang.files.folder import GameFiles
from rulelang.program import Program

from ..pictures.looks import look_for
from ..pictures.paint.svg import CREDIT
from ..rulebook.glossary import Glossary, read_glossary
from ..rulebook.languages.catalogue import say
from ..rulebook.print import Matter, Rulebook, StatementPart
from ..rulebook.print.document import HeadingPart, Part
from ..rulebook.print.matter import Block, Chapter, Figure, ListEntry, MatterTable
from ..rulebook.texts import variant_texts
from .components import components
from .course import Book, before_the_loop, below, doubts, in_turns, main_loop, other_ways, turn_list
from .figures import Worked, annotated_turn, examples_of, parts_figure, setups, setups_figure, shown_with, worked
from .summary import index_of, summary, with_symbols

_SHARE = 0.5
"""Of what is told, so much at least is told in its chapter."""


def home_of_components(parts: MatterTable, book: Book) -> str | None:
    """The anchor of the chapter that tells of most components; None where they are told of here and there."""
    return _most((row.link for row in parts.rows if row.link), book)


def home_of_setup(program: Program, book: Book) -> str | None:
    """The anchor of the chapter about the rules that run before the first turn; None where there is no such chapter."""
    return _most(below(program, *before_the_loop(program)), book)


def home_of_turns(program: Program, book: Book, other: Collection[str | None]) -> str | None:
    """The anchor of the first chapter about what happens in turns or rounds. ``other``: chapters about something
    else.
    """
    loop = main_loop(program)
    running = below(program, loop) if loop is not None else frozenset()
    anchors = (book.anchors[id_] for id_ in book.sections if id_ in running)
    return next((anchor for anchor in anchors if anchor and anchor not in other), None)


def _most(ids: Iterable[str], book: Book) -> str | None:
    found = Counter(book.anchors[id_] for id_ in ids if book.anchors.get(id_))
    if not found:
        return None
    anchor, number = found.most_common(1)[0]
    return anchor if number >= _SHARE * found.total() else None


def matter_of(
    files: GameFiles,
    rulebook: Rulebook,
    variants: Sequence[str] = (),
    settings: Mapping[str, str] | None = None,
    *,
    teach: bool = False,
) -> tuple[Rulebook, Matter]:
    """The pictures of a rulebook, in its language, and the rulebook with symbols in its sentences.

    ``teach``: all that helps to learn and to look things up.

    ``variants`` and ``settings``: those that the rulebook is printed for. Raises RulesError for mistakes in examples.
    """
    sink = Sink()
    games = workspace.default()
    low, high = rulebook.players[0], rulebook.players[-1]
    programs = [p for p in games.programs(files, variants, settings) if low <= p.players <= high]
    examples = games.examples(files, sink, tuple(variants), settings)
    if sink.has_errors:
        raise RulesError(sink, files.sources)
    sections = list(dict.fromkeys(p.section for p in rulebook.parts if isinstance(p, StatementPart) and not p.aside))
    lang = rulebook.language
    ran = list(filter(None, (worked(one, lang, programs[-1]) for one in examples if applies(one, programs[-1], files))))
    chosen = shown_with(ran, sections, lang)
    pictures = parts_figure(programs[0], lang, sections), setups_figure(programs, lang)
    glossary = _glossary(files)
    marked, symbols = with_symbols(rulebook, programs[-1], look_for(programs[-1], lang), glossary)
    if not teach:
        front: tuple[Chapter, ...] = (Chapter(say("at_a_glance", lang), "figures", pictures),)
        return marked, Matter(front, examples_of(chosen, ran, sections, lang), symbols=symbols, credit=CREDIT)
    book = Book.of(rulebook)
    around = _around(programs, book, sections, pictures, chosen)
    parts = [*around.front, *(chapter for some in around.before.values() for chapter in some)]
    told = [block for chapter in parts for block in chapter.blocks]
    told += [block for some in (around.opening, around.closing) for blocks in some.values() for block in blocks]
    back = tuple(_back(glossary, programs, book, [block for block in told if isinstance(block, MatterTable)]))
    figures = examples_of(chosen, ran, sections, lang)
    whole = attrs.evolve(around, sections=figures, back=back, symbols=symbols, credit=CREDIT)
    return _as_it_is(marked), whole


def _as_it_is(rulebook: Rulebook) -> Rulebook:
    """The rulebook for those who learn the game: without what does not hold, of which a chapter behind tells, and
    without marks and lists of what variants changed.
    """
    parts: list[Part] = []
    for part in rulebook.parts:
        if part.mark == "removed":
            continue
        if isinstance(part, HeadingPart):
            parts.append(attrs.evolve(part, mark="same"))
        elif not part.aside:
            sentence = tuple(attrs.evolve(piece, old=None) for piece in part.sentence)
            parts.append(attrs.evolve(part, sentence=sentence, mark="same", old=None))
    return attrs.evolve(rulebook, parts=tuple(parts), changes=())


def applies(example: Example, program: Program, files: GameFiles) -> bool:
    """Whether an example is about the game as it is printed: with its settings, and without other variants that have
    a text of their own. (One without a text lends an example a smaller board, for instance.)
    """
    other = set(example.program.variants) - set(program.variants)
    if any(variant_texts(files, name, Sink()) for name in other):
        return False
    theirs = example.program.settings
    return all(name not in theirs or theirs[name].value == one.value for name, one in program.settings.items())


def _glossary(files: GameFiles) -> Glossary | None:
    folder = files.root / "text"
    return read_glossary(folder, Sink(), {}) if folder.is_dir() else None


def _around(
    programs: Sequence[Program],
    book: Book,
    sections: Sequence[str],
    pictures: Sequence[Figure],
    shown: dict[str, Worked],
) -> Matter:
    """Components, the setup, a turn: in the chapters of the text about them, or else in front of it.

    ``shown``: the examples by section; the one that shows a turn is taken out of them.
    """
    lang = book.rulebook.language
    looks = [look_for(program, lang) for program in programs]
    front: list[Chapter] = []
    opening: dict[str, tuple[Block, ...]] = {}
    closing: dict[str, tuple[Block, ...]] = {}
    before: dict[str, tuple[Chapter, ...]] = {}
    parts = components(programs, looks, sections)
    listed = (pictures[0], parts)
    home = home_of_components(parts, book)
    if home is None:
        front.append(Chapter(say("components_title", lang), "components", listed))
    else:
        opening[home] = listed
    lying = setups(programs, looks, sections)
    starts: tuple[Block, ...] = (lying,) if lying is not None else ()
    drawn = tuple(pictures[1:]) if len(programs) > 1 else ()  # one number of players is drawn with the components
    place = home_of_setup(programs[-1], book)
    if place is not None:
        opening[place] = (*opening.get(place, ()), *drawn)
        closing[place] = starts
    elif starts or drawn:
        front.append(Chapter(say("setups_title", lang), "setups", (*starts, *drawn)))
    turn = turn_list(programs[-1], book)
    if turn is not None:
        title = say("turn_title" if in_turns(programs[-1]) else "round_title", lang)
        example = annotated_turn(shown, list(_stages(turn.entries)), book.chapters, lang)
        if example is not None:
            del shown[example[0]]
        chapter = Chapter(title, "course", (turn, example[1]) if example is not None else (turn,))
        first = home_of_turns(programs[-1], book, (home, place))
        if first is None:
            front.append(chapter)
        else:
            before[first] = (chapter,)
    return Matter(tuple(front), before=before, opening=opening, closing=closing)


def _stages(entries: Sequence[ListEntry]) -> Iterator[str]:
    """The sections of a list of a turn that begin a chapter."""
    for entry in entries:
        yield from (entry.link,) if entry.link and entry.lead else ()
        yield from _stages(entry.inner)


def _back(
    glossary: Glossary | None, programs: Sequence[Program], book: Book, told: Sequence[MatterTable]
) -> Iterator[Chapter]:
    """Points of doubt, the index, and on the last page a summary."""
    lang = book.rulebook.language
    open_points = doubts(programs[-1], book)
    if open_points is not None:
        yield Chapter(say("doubts_title", lang), "doubts", (open_points,), say("doubts_intro", lang))
    other = other_ways(programs[-1], book)
    if other is not None:
        yield Chapter(say("other_title", lang), "other-ways", (other,), say("other_intro", lang))
    if glossary is not None:
        index = index_of(programs[-1], glossary, book, [row.label for grid in told for row in grid.rows if row.cells])
        if index.terms:
            yield Chapter(say("index_title", lang), "index", (index,))
    chapters = {book.chapters[row.link] for grid in told for row in grid.rows if row.link}
    look = look_for(programs[-1], lang)
    lists = summary(
        programs[-1], book, look, glossary, [id_ for id_, chapter in book.chapters.items() if chapter in chapters]
    )
    if lists:
        yield Chapter(say("summary_title", lang), "summary", lists, whole=True)
