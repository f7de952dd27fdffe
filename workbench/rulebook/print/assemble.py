"""Assemble a Rulebook from a game's texts and values, marking what variants and settings change."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

import attrs

from rulelang import workspace
from rulelang.diagnostics import RulesError, Sink, UnusablePath
from rulelang.files.folder import GameFiles
from rulelang.program import Program

from ..glossary import Glossary, read_glossary
from ..languages.catalogue import say
from ..languages.catalogue import section as words_of
from ..texts import Heading, RulebookText, bases_of, changed_ids, read_completed, read_texts, variant_texts
from ..texts.interpolation import has_term, term_of
from .doubtful import in_doubt, reached, source_of, told_by
from .holding import Holding
from .model import Change, HeadingPart, Mark, Part, Rulebook, Sentence, StatementPart, VariantPart, plain
from .pairing import Pair, pairs
from .values import Values


def make_rulebook(
    files: GameFiles,
    language: str,
    variants: Sequence[str] = (),
    settings: Mapping[str, str] | None = None,
    players: int | None = None,
) -> Rulebook:
    """The rulebook of a game in one language.

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
    text = _in(language, variants, new[0], files, sink)
    base = read_completed(files, (), language, sink) if old is not new else text
    glossary = read_glossary(files.root / "text", Sink(), {})
    before = Values(language, old, players, sink, glossary) if old is not new else None
    chosen = [program for program in new if players in (None, program.players)]
    doubt = in_doubt(files, text, new[-1], new[0].variants)
    titles = {name: _variant(files, name, language).title for name in new[0].variants}
    named = {section: tuple(titles[name] for name in names) for section, names in doubt.items()}
    numbering = _Numbering(Holding.of(text, chosen), say("aside", language), named)
    values = Values(language, new, players, sink, glossary)
    parts = tuple(_signed([numbering.part(pair, values, before) for pair in pairs(base or text, text)]))
    if sink.has_errors:
        raise RulesError(sink, files.sources)
    headings = [p.text for p in parts if isinstance(p, HeadingPart) and p.level == 1]
    return Rulebook(
        game=new[0].name,
        title=headings[0] if headings else new[0].title,
        language=language,
        players=(counts[0], counts[-1]) if players is None else (players,),
        variants=tuple(_variant(files, name, language) for name in new[0].variants),
        parts=parts,
        changes=tuple(_changes(parts, old[-1], new[-1], partial(_term, language, glossary))),
        unworded=_unworded(files, text, new[0].variants),
    )


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


def _in(language: str, variants: Sequence[str], program: Program, files: GameFiles, sink: Sink) -> RulebookText:
    """The text in one language."""
    found = read_completed(files, variants, language, sink)
    if found is not None:
        return found
    texts = read_texts(files, sink)
    if sink.has_errors:  # it may be there and unreadable
        raise RulesError(sink, files.sources)
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


def _changes(parts: Sequence[Part], old: Program, new: Program, term: Callable[[str], str | None]) -> Iterator[Change]:
    """The list of changes: settings, then values, then sentences in reading order. ``term``: what a name is called."""
    statements = [part for part in parts if isinstance(part, StatementPart)]
    sections = {part.section: part.id for part in reversed(statements)}
    number = itertools.count(1)
    for name, setting in new.settings.items():
        was = old.settings.get(name)
        if was is not None and was.value != setting.value:
            where = (sections[name],) if name in sections else ()
            before, now = (term(value) or value.replace("_", " ") for value in (was.value, setting.value))
            yield Change(next(number), "setting", name, before, now, where, term(name))
    told: dict[tuple[str, str, str], dict[str, None]] = {}
    for part in statements:
        for piece in part.sentence if part.mark == "value" else ():
            if piece.placeholder is not None and piece.old is not None:
                told.setdefault((piece.placeholder[1:-1], piece.old, piece.text), {})[part.id] = None
    for (name, before, now), ids in told.items():
        yield Change(next(number), "value", name, before, now, tuple(ids), term(name))
    for (mark, section), group in itertools.groupby(statements, lambda p: (p.mark, p.section)):
        entry = list(group)
        text = " ".join(part.text for part in entry)
        match mark:
            case "added":
                yield Change(next(number), mark, section, None, text, tuple(part.id for part in entry))
            case "removed":
                yield Change(next(number), mark, section, text, None)
            case "changed":
                for part in entry:
                    yield Change(next(number), mark, part.id, plain(part.old or ()), part.text, (part.id,))


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
