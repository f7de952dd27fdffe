"""A rulebook ready to be printed: headings and statements in reading order, their values filled in, and what variants
and settings change in it marked.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Literal, TypeAlias

import attrs

from rulelang import workspace
from rulelang.diagnostics import RulesError, Sink, UnusablePath
from rulelang.files.folder import GameFiles
from rulelang.program import Program

from ..glossary import Glossary, read_glossary
from ..languages.catalogue import say
from ..languages.catalogue import section as words_of
from ..texts import (
    Heading,
    RulebookText,
    Statement,
    bases_of,
    changed_ids,
    fill,
    read_completed,
    read_texts,
    variant_texts,
)
from ..texts.interpolation import VALUE, form_for, forms_of, has_term, pieces_of, settings_in_force, term_of, value_of
from .stamp import Stamp, stamp_of
from .variants import Holding, Pair, in_doubt, pairs, reached, source_of, told_by

Mark: TypeAlias = Literal["same", "value", "changed", "added", "removed"]
"""What a variant did to a part: nothing, another value in the same words, other words, new, gone."""


@attrs.frozen
class Piece:
    """A stretch of a sentence. A value carries its ``placeholder``, and ``old`` when a variant changed it.

    ``symbol``: the name of one that stands before it, of those that are printed with the rulebook.
    """

    text: str
    placeholder: str | None = None
    old: str | None = None
    symbol: str | None = None


Sentence: TypeAlias = tuple[Piece, ...]


@attrs.frozen
class HeadingPart:
    """``anchor`` is unique in the rulebook; level 1 is the title."""

    level: int
    text: str
    anchor: str
    mark: Mark = "same"
    origin: str | None = None
    borrowed: str | None = None


@attrs.frozen
class StatementPart:
    """``old``: the base game's sentence where the words changed. ``origin``: the variant whose text it is.

    ``aside``: it tells of another value of an option or a reading than that in force, so it is set apart.
    ``borrowed``: the language of its words, where it is not that of the rulebook, which does not have it yet;
    ``sign``: the same where the language changes, so that a sign is due. ``doubt``: the titles of variants that change
    what it tells of without saying how, so that it may no longer be true.
    """

    id: str
    section: str
    sentence: Sentence
    mark: Mark = "same"
    old: Sentence | None = None
    origin: str | None = None
    aside: bool = False
    borrowed: str | None = None
    sign: str | None = None
    doubt: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return plain(self.sentence)


Part: TypeAlias = HeadingPart | StatementPart


@attrs.frozen
class ListedChange:
    """One entry of the list of changes.

    ``kind`` and what ``name`` then is: ``value`` (its placeholder), ``setting`` (the option or reading), ``changed``
    (the id of a statement), ``added`` and ``removed`` (the id of a section; sentences of it that follow each other are
    one entry). ``where``: ids of the statements that show it. ``called``: what the glossary calls a value or setting in
    the language of the rulebook; None where it has no term.
    """

    number: int
    kind: Literal["value", "setting", "changed", "added", "removed"]
    name: str
    old: str | None
    new: str | None
    where: tuple[str, ...] = ()
    called: str | None = None


@attrs.frozen
class VariantPart:
    """``title``: what its text calls it in the language of the rulebook; without a text its name in the rules."""

    name: str
    title: str
    summary: str | None


@attrs.frozen
class Rulebook:
    """``players``: the one number of players it is printed for, or the fewest and the most.

    ``unworded``: ids of rules that a variant changes without a text about it.
    """

    game: str
    title: str
    language: str
    players: tuple[int, ...]
    variants: tuple[VariantPart, ...]
    parts: tuple[Part, ...]
    changes: tuple[ListedChange, ...]
    unworded: tuple[str, ...]
    stamp: Stamp


def plain(sentence: Sentence) -> str:
    """The words of a sentence with its values."""
    return "".join(piece.text for piece in sentence)


def borrowed(rulebook: Rulebook) -> list[Part]:
    """The parts whose words are those of another language."""
    return [part for part in rulebook.parts if part.borrowed is not None and part.mark != "removed"]


# ---------------------------------------------------------------- values in sentences


@attrs.frozen
class Values:
    """Where values come from, for texts in a ``language``.

    ``players``: whose values are taken where they depend on the number of players; ``glossary``: what the values of
    settings are called.
    """

    language: str
    programs: Sequence[Program]
    players: int | None
    sink: Sink
    glossary: Glossary | None = None

    def sentence(self, statement: Statement, before: Values | None = None) -> Sentence:
        """The statement with its values. ``before``: the values of the base game; those that differ are kept as old."""
        pieces: list[Piece] = []
        language = statement.borrowed or self.language
        for number, text in enumerate(pieces_of(statement.text)):
            if number % 2:
                pieces += self._placeholder(text, language, statement, before)
            elif text:
                pieces.append(Piece(self._filled(text, language, statement, self.sink)))
        return tuple(pieces)

    def _placeholder(self, text: str, language: str, statement: Statement, before: Values | None) -> Iterator[Piece]:
        """The value of a placeholder, with the words beside it in a plural form."""
        value = value_of(text)
        # Any word of a setting's forms can change with it, so that they are a value as a whole.
        name = text if value in settings_in_force(self.programs) else f"{{{value}}}"
        new = self._filled(name, language, statement, self.sink)
        old = None
        if before is not None:
            scratch = Sink()  # a value that the base game does not have is not a mistake here
            was = attrs.evolve(before, players=self.players)._filled(name, language, statement, scratch)
            old = was if was != new and not scratch.has_errors else None
        plural = forms_of(text[1:-1]) if name != text else None
        form = VALUE if plural is None else form_for(plural, new, language)
        for position, words in enumerate(form.split(VALUE)):
            if position:
                yield Piece(new, f"{{{value}}}", old)
            if words:
                yield Piece(words)

    def _filled(self, text: str, language: str, statement: Statement, sink: Sink) -> str:
        return fill(text, language, self.programs, statement.span, sink, self.players, self.glossary)


# ---------------------------------------------------------------- assembly


def make_rulebook(
    files: GameFiles,
    language: str,
    variants: Sequence[str] = (),
    settings: Mapping[str, str] | None = None,
    players: int | None = None,
    made: Callable[[Program, str], RulebookText] | None = None,
) -> Rulebook:
    """The rulebook of a game in one language.

    ``made``: makes the text from the rules, for a game that has none.
    ``variants``: their names; ``players``: for how many it is printed (None: for all; values that depend on it are
    then those the texts ask for).
    Raises UnusablePath (no text in that language, a number of players the game is not for) and RulesError (mistakes in
    rules or texts).
    """
    games = workspace.default()
    new = games.programs(files, variants, settings)
    old = games.programs(files) if variants or settings else new
    counts = [program.players for program in new]
    if players is not None and players not in counts:
        raise UnusablePath(f"{new[0].name} is for {counts[0]} to {counts[-1]} players, not {players}.")
    sink = Sink()
    text = _text_in(language, variants, new[-1], files, sink, made)
    base = read_completed(files, (), language, sink) if old is not new else text
    glossary = read_glossary(files.root / "text", Sink(), {})
    before = Values(language, old, players, sink, glossary) if old is not new else None
    chosen = [program for program in new if players in (None, program.players)]
    told = tuple(_variant(files, name, language) for name in new[0].variants)
    doubt = _doubt(files, text, new[-1], told)
    numbering = _Numbering(Holding.of(text, chosen), say("aside", language), doubt)
    values = Values(language, new, players, sink, glossary)
    parts = tuple(_signed([numbering.part(pair, values, before) for pair in pairs(base or text, text)]))
    if sink.has_errors:
        raise RulesError(sink, files.sources)
    headings = [p.text for p in parts if isinstance(p, HeadingPart) and p.level == 1]
    printed = ((p.id, p.text) for p in parts if isinstance(p, StatementPart) and p.mark != "removed")
    return Rulebook(
        game=new[0].name,
        title=headings[0] if headings else new[0].title,
        language=language,
        players=(counts[0], counts[-1]) if players is None else (players,),
        variants=told,
        parts=parts,
        changes=tuple(_changes(parts, old[-1], new[-1], partial(_term, language, glossary))),
        unworded=_unworded(files, text, new[0].variants),
        stamp=stamp_of(files, variants, settings or {}, language, players, printed),
    )


def _doubt(
    files: GameFiles, text: RulebookText, program: Program, variants: Sequence[VariantPart]
) -> Mapping[str, tuple[str, ...]]:
    """The titles of the variants by the sections that they leave in doubt."""
    titles = {variant.name: variant.title for variant in variants}
    found = in_doubt(files, text, program, [*titles])
    return {section: tuple(titles[name] for name in names) for section, names in found.items()}


def _signed(parts: Sequence[Part]) -> Iterator[Part]:
    """The parts with a sign where the words of another language begin."""
    before: Part | None = None
    for part in parts:
        if isinstance(part, StatementPart) and part.borrowed is not None:
            goes_on = isinstance(before, StatementPart) and (before.section, before.borrowed, before.aside) == (
                part.section,
                part.borrowed,
                part.aside,
            )
            yield part if goes_on else attrs.evolve(part, sign=part.borrowed)
        else:
            yield part
        before = part


def _variant(files: GameFiles, name: str, language: str) -> VariantPart:
    text = variant_texts(files, name, Sink()).get(language)
    titles = [p.text for p in text.parts if isinstance(p, Heading) and p.level == 1] if text is not None else []
    return VariantPart(name, titles[0] if titles else name.replace("_", " "), files.header(name).summary)


def _text_in(
    language: str,
    variants: Sequence[str],
    program: Program,
    files: GameFiles,
    sink: Sink,
    made: Callable[[Program, str], RulebookText] | None,
) -> RulebookText:
    """The text in one language."""
    found = read_completed(files, variants, language, sink)
    if found is not None:
        return found
    texts = read_texts(files, sink)
    if sink.has_errors:  # it may be there and unreadable
        raise RulesError(sink, files.sources)
    if not texts and made is not None:
        return made(program, language)
    if not texts:
        raise UnusablePath(f"{program.name} has no rulebook text; write one as text/{language}.md in its folder.")
    there = ", ".join(text.language for text in texts)
    begin = f"`rulelang texts start {language} PATH` begins one."
    raise UnusablePath(f"{program.name} has no rulebook text in `{language}`; there is {there}. {begin}")


@attrs.define
class _Numbering:
    """Makes parts, and gives headings their anchors. ``variant``: what a statement begins with that does not hold;
    ``doubt``: the titles of variants by the sections that they leave in doubt.
    """

    holding: Holding
    variant: str
    doubt: Mapping[str, tuple[str, ...]]
    headings: int = 0

    def part(self, pair: Pair, values: Values, before: Values | None) -> Part:
        was, now = pair
        part = now or was
        assert part is not None
        mark: Mark = "removed" if now is None else "added" if was is None else "same"
        if isinstance(part, Heading):
            self.headings += 1
            return HeadingPart(part.level, part.text, f"part-{self.headings}", mark, part.origin, part.borrowed)
        if now is None:
            return StatementPart(part.id, part.section, (before or values).sentence(part), mark, borrowed=part.borrowed)
        old: Sentence | None = None
        aside = self.holding.aside(part)
        sentence = values.sentence(self.holding.worded(part, self.variant), before if was is not None else None)
        if was is not None and not isinstance(was, Heading) and was.text != part.text:
            mark, old = "changed", (before or values).sentence(was)
        elif any(piece.old is not None for piece in sentence):
            mark = "value"
        doubt = () if aside or part.origin is not None else self.doubt.get(part.section, ())
        return StatementPart(part.id, part.section, sentence, mark, old, part.origin, aside, part.borrowed, doubt=doubt)


def _term(language: str, glossary: Glossary | None, name: str) -> str | None:
    """What a setting, a value or one of its values is called: in the glossary, or in the catalogue, which has "yes" and
    the like; None where neither says."""
    if has_term(name, language, glossary):
        return term_of(name, language, glossary)
    return words_of("value", language).get(name)


Term: TypeAlias = Callable[[str], str | None]
"""What a setting, a value or one of its values is called; None where nobody says."""


def _changes(parts: Sequence[Part], old: Program, new: Program, term: Term) -> Iterator[ListedChange]:
    """The list of changes: settings, then values, then sentences in reading order."""
    statements = [part for part in parts if isinstance(part, StatementPart)]
    found = (
        *_changed_settings(statements, old, new, term),
        *_changed_values(statements, term),
        *_changed_sentences(statements),
    )
    return (attrs.evolve(change, number=number) for number, change in enumerate(found, 1))


def _changed_settings(
    statements: Sequence[StatementPart], old: Program, new: Program, term: Term
) -> Iterator[ListedChange]:
    sections = {part.section: part.id for part in reversed(statements)}
    for name, setting in new.settings.items():
        was = old.settings.get(name)
        if was is not None and was.value != setting.value:
            where = (sections[name],) if name in sections else ()
            before, now = (term(value) or value.replace("_", " ") for value in (was.value, setting.value))
            yield ListedChange(0, "setting", name, before, now, where, term(name))


def _changed_values(statements: Sequence[StatementPart], term: Term) -> Iterator[ListedChange]:
    told: dict[tuple[str, str, str], dict[str, None]] = {}
    for part in statements:
        for piece in part.sentence if part.mark == "value" else ():
            if piece.placeholder is not None and piece.old is not None:
                told.setdefault((piece.placeholder[1:-1], piece.old, piece.text), {})[part.id] = None
    for (name, before, now), ids in told.items():
        yield ListedChange(0, "value", name, before, now, tuple(ids), term(name))


def _changed_sentences(statements: Sequence[StatementPart]) -> Iterator[ListedChange]:
    for (mark, section), group in itertools.groupby(statements, lambda p: (p.mark, p.section)):
        entry = list(group)
        text = " ".join(part.text for part in entry)
        match mark:
            case "added":
                yield ListedChange(0, mark, section, None, text, tuple(part.id for part in entry))
            case "removed":
                yield ListedChange(0, mark, section, text, None)
            case "changed":
                for part in entry:
                    yield ListedChange(0, mark, part.id, plain(part.old or ()), part.text, (part.id,))


def _unworded(files: GameFiles, text: RulebookText, variants: Sequence[str]) -> tuple[str, ...]:
    """What the variants add or change without a statement of theirs about it."""
    told = {(s.section, s.origin) for s in text.statements if s.origin is not None}
    found: dict[str, None] = {}
    for name in variants:
        before = workspace.default().linked(files, bases_of(files, name))
        if before is not None:
            found |= dict.fromkeys(i for i in changed_ids(files.variants[name], before) if (i, name) not in told)
            found |= dict.fromkeys(reached(files.variants[name], source_of(files, name), told_by(text, name)))
    return tuple(found)


# ---------------------------------------------------------------- plain data


def as_data(rulebook: Rulebook) -> dict[str, Any]:
    """Keys: ``game title language players variants[] parts[] changes[] unworded[]``."""
    return {
        "game": rulebook.game,
        "title": rulebook.title,
        "language": rulebook.language,
        "players": list(rulebook.players),
        "variants": [attrs.asdict(variant) for variant in rulebook.variants],
        "parts": [_part(part) for part in rulebook.parts],
        "changes": [attrs.asdict(change) for change in rulebook.changes],
        "unworded": list(rulebook.unworded),
    }


def _part(part: Part) -> dict[str, Any]:
    """``kind`` heading: ``level text anchor``; ``kind`` statement: ``id section text old values[] doubt[]``.

    ``borrowed``: the language whose words stand in, where the text does not have its own yet.
    """
    common = {"mark": part.mark, "origin": part.origin, "borrowed": part.borrowed}
    if isinstance(part, HeadingPart):
        return {"kind": "heading", "level": part.level, "text": part.text, "anchor": part.anchor, **common}
    values = [
        {"placeholder": p.placeholder[1:-1], "value": p.text, "old": p.old}
        for p in part.sentence
        if p.placeholder is not None
    ]
    old = plain(part.old) if part.old is not None else None
    return {"kind": "statement", "id": part.id, "section": part.section, "text": part.text, "old": old,
            "values": values, "doubt": list(part.doubt), **common}  # fmt: skip
