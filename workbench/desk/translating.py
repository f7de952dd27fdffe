"""What *Texts* shows and writes: the sentences of a game's rulebook in one language beside another, one by one.

Whatever is written goes through the intake of translators' files, so a sentence changes and nothing else. What somebody
types and has not saved is kept in ``text/.drafts.jsonl``, a line for each keystroke; the last about a sentence counts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any, TypeAlias

import attrs

from rulelang import workspace
from rulelang.api import replace_file
from rulelang.diagnostics import Diagnostic, RulesError, Sink, UnusablePath
from rulelang.files.contents import MAX_BYTES, MAX_LINE, content, inside
from rulelang.files.folder import GameFiles, shown
from rulelang.source import Span

from ..bench.diff.rule_changes import StatementChange
from ..bench.diff.shown import words
from ..pictures.looks import look_for
from ..rulebook.corpus import Comment, Corpus, Origin, read_corpus
from ..rulebook.crosscheck import cross_check, likeliest
from ..rulebook.exchange.formats.tbx import Terms, plan_terms
from ..rulebook.exchange.intake import (
    broken,
    carry_out,
    comments_on,
    note_origins,
    plan_import,
    settle,
    sign_off,
    with_comments,
)  # fmt: skip
from ..rulebook.exchange.jobs import make_job
from ..rulebook.exchange.units import (
    STALE,
    DeliveredUnit,
    Delivery,
    ExchangeError,
    SentenceUnit,
    name_of,
    path_of,
)  # fmt: skip
from ..rulebook.glossary import read_glossary
from ..rulebook.texts import RulebookText, Statement, parse_text
from ..rulebook.texts.interpolation import choices_of, pieces_of
from ..rulebook.texts.new_language import begin
from ..wording.prose import rulebook_text
from .watching import snapshot

Place: TypeAlias = tuple[str, str, str]
"""A sentence in a language: the language, the variant (empty: none), and the unit's id."""

LONGEST = 2 * MAX_LINE
"""Characters of a sentence at most."""

_ALIKE = 60
_SUGGESTED = 3
"""How much alike (of 100) sentences are that the memory suggests, and how many it does."""

WRONG = (RulesError, UnusablePath, ExchangeError, OSError)
"""Why nothing can be shown or written, for a reason that people can read."""


@attrs.define
class Drafts:
    """What was typed and not saved, by place and by who types it; ``file``: kept there, before anybody is told."""

    file: Path
    kept: dict[tuple[Place, str], str] = attrs.field(factory=dict)

    def __attrs_post_init__(self) -> None:
        with suppress(OSError):
            for line in content(self.file, self.file.parent.parent).decode("utf-8", "replace").splitlines():
                with suppress(ValueError, TypeError, AttributeError):  # the last line may be a part of one
                    row = json.loads(line)
                    self._put(((row["language"], row["variant"], row["id"]), row["who"]), row["text"])

    def _put(self, key: tuple[Place, str], text: str | None) -> None:
        self.kept.pop(key, None)
        if text is not None:
            self.kept[key] = text

    def keep(self, place: Place, who: str, text: str | None) -> None:
        """Notes what somebody has typed; None: it is saved, or given up. Raises OSError."""
        if self.kept.get((place, who)) == text:
            return
        self._put((place, who), text)
        inside(self.file, self.file.parent.parent)
        self.file.parent.mkdir(exist_ok=True)
        if self.file.exists() and self.file.stat().st_size > MAX_BYTES // 2:
            others = Drafts(self.file).kept  # another desk may have written meanwhile
            self.kept = {**others, **self.kept}
            self._put((place, who), text)
            replace_file(self.file, "".join(_line(*key, text) for key, text in self.kept.items()))
            return
        with self.file.open("a", encoding="utf-8") as out:
            out.write(_line(place, who, text))

    def of(self, place: Place) -> dict[str, str]:
        """What is typed of a sentence, by who types it."""
        return {who: text for (there, who), text in self.kept.items() if there == place}


def _line(place: Place, who: str, text: str | None) -> str:
    language, variant, id_ = place
    row = {"language": language, "variant": variant, "id": id_, "who": who, "text": text}
    return json.dumps(row, ensure_ascii=False) + "\n"


@attrs.frozen
class Asked:
    """A sentence that somebody looks at: a unit of the text of a ``variant`` or the game itself, in one language.
    ``source``: the language it is translated from."""

    language: str
    variant: str | None
    id: str
    source: str

    @property
    def place(self) -> Place:
        return self.language, self.variant or "", self.id


@attrs.define
class Translating:
    """The texts of the game in a folder, as they are now."""

    root: Path
    drafts: Drafts = attrs.field(init=False)
    _found: dict[str, tuple[Corpus, dict[str, list[tuple[str, str]]]]] = attrs.field(factory=dict)
    """By variant: the corpus that was looked through last, and what was found, by statement: language and message."""
    _memo: dict[Any, Any] = attrs.field(factory=dict)
    """What takes long and holds while rules and files are the same."""

    def __attrs_post_init__(self) -> None:
        self.drafts = Drafts(self.root / "text" / ".drafts.jsonl")

    def _open(self) -> GameFiles:
        sink = Sink()
        files, _ = workspace.default().open(self.root, (), sink)
        if sink.has_errors or files.game is None:
            raise RulesError(sink, files.sources)
        return files

    def _corpus(self, files: GameFiles, variant: str | None) -> Corpus:
        sink = Sink()
        corpus = read_corpus(files, [] if variant is None else [variant], (), None, sink)
        if corpus is None:
            raise RulesError(sink, files.sources)
        known = self._once(("corpus", variant), lambda: corpus, "text/glossary.toml")
        return attrs.evolve(corpus, memo=known.memo)

    # ------------------------------------------------------------ all sentences

    def languages(self) -> dict[str, Any]:
        """``languages``: those the game names, ``written``: those with a text, both in its order; the first is what
        others follow. Raises RulesError and UnusablePath."""
        files = self._open()
        assert files.game is not None
        there = [path.stem for path in sorted((self.root / "text").glob("*.md")) if "." not in path.stem]
        named = list(files.game.languages)
        return {"languages": named, "written": [code for code in named if code in there]}

    def rows(self, source: str, language: str) -> list[dict[str, Any]]:
        """Every sentence with its state. Raises those of ``WRONG``."""
        files = self._open()
        found = []
        for variant in self._variants(files, source):
            corpus, chapter = self._corpus(files, variant), ""
            for unit in make_job(files, variant, source, language).units:
                chapter = chapter if unit.section else unit.source
                found.append(
                    {
                        "variant": variant or "", "id": unit.id, "chapter": chapter, "state": _state(unit),
                        "source": corpus.filled(unit.source, source), "target": unit.target or "",
                        "comments": len(unit.comments),
                    }
                )  # fmt: skip
        return found

    def _variants(self, files: GameFiles, source: str = "*") -> Iterator[str | None]:
        """None, for the game itself, and the variants that have a text (in a language)."""
        yield None
        for variant in files.sound_variants:
            path = path_of(files, variant, source)
            if any(path.parent.glob(path.name)):
                yield variant

    def look_through(self) -> dict[str, dict[str, list[tuple[str, str]]]]:
        """What the cross-checks find, by variant and statement: language and message. Only what was edited since is
        looked at again. Raises RulesError and UnusablePath."""
        files = self._open()
        for variant in self._variants(files):
            corpus, before = self._corpus(files, variant), self._found.get(variant or "")
            ids = {s.id for text in corpus.texts for s in text.statements if s.origin == variant}
            found: dict[str, list[tuple[str, str]]] = {}
            if before is not None and before[0].memo is corpus.memo:
                old = before[0].statements
                same = {id_ for id_ in ids if _said(corpus.statements[id_]) == _said(old.get(id_, {}))}
                found = {id_: told for id_, told in before[1].items() if id_ in same}
                ids -= same
            now = attrs.evolve(corpus, only=frozenset(ids))
            for one, id_, language in _placed(now, cross_check(now).findings if ids else ()):
                if id_ and one.severity != "note":
                    found.setdefault(id_, []).append((language, str(one.message)))
            self._found[variant or ""] = corpus, found
        return {name: found for name, (_, found) in self._found.items()}

    # ------------------------------------------------------------ one sentence

    def _unit(self, files: GameFiles, asked: Asked) -> SentenceUnit:
        if asked.variant is not None and asked.variant not in files.sound_variants:
            raise UnusablePath(f"The game has no variant `{asked.variant}`.")
        job = make_job(files, asked.variant, asked.source, asked.language)
        unit = next((unit for unit in job.units if unit.id == asked.id), None)
        if unit is None:
            raise UnusablePath(f"The text in `{asked.source}` has no sentence `{asked.id}` any more.")
        return unit

    def sentence(self, asked: Asked, who: str) -> dict[str, Any]:
        """All that helps to translate a sentence. Raises those of ``WRONG``."""
        files = self._open()
        corpus = self._corpus(files, asked.variant)
        unit = self._unit(files, asked)
        notes = {note.category: note.text for note in unit.notes}
        drafts = self.drafts.of(asked.place)
        change = StatementChange(unit.id, unit.before, unit.source)
        return {
            "key": unit.id, "raw": unit.source, "source": list(self._marked(corpus, unit.source, asked.source)),
            "target": unit.target or "", "state": _state(unit), "basis": unit.basis, "reviewer": unit.reviewer,
            "others": {name: corpus.filled(text, name) for name, text in unit.others.items()},
            "before": words(change) if unit.before else [],
            "values": sorted({piece for piece in pieces_of(unit.source)[1::2] if ":" not in piece}),
            "printed": notes.get("values", ""), "sources": notes.get("sources", ""), "review": notes.get("review", ""),
            "terms": self._terms(corpus, unit, asked), "memory": self._remembered(unit.source, asked),
            "rule": corpus.running.get(unit.section, ""), "told": self._told(corpus, unit.section, asked.source),
            "comments": [str(one) for one in unit.comments],
            "questions": [str(one) for one in comments_on(path_of(files, asked.variant, asked.source), asked.id)],
            "draft": drafts.pop(who, None), "drafts": list(drafts.values()),
        }  # fmt: skip

    def _marked(self, corpus: Corpus, text: str, language: str) -> Iterator[tuple[str, str]]:
        """A sentence with its values filled in, cut where a term of the glossary begins or ends: the words, and the
        term's note (a blank: it has none; empty: no term)."""
        filled, end = corpus.filled(text, language), 0
        for use in corpus.glossary.uses(filled, language) if corpus.glossary is not None else ():
            concept = corpus.glossary.concepts[min(use.concepts)] if corpus.glossary is not None else None
            yield filled[end : use.start], ""
            yield filled[use.start : use.end], (concept.note if concept is not None else None) or " "
            end = use.end
        yield filled[end:], ""

    def _terms(self, corpus: Corpus, unit: SentenceUnit, asked: Asked) -> list[dict[str, Any]]:
        """The terms of the source, also those that have no word in the language yet."""
        if corpus.glossary is None:
            return []
        uses = corpus.glossary.uses(corpus.filled(unit.source, asked.source), asked.source)
        ids = dict.fromkeys(id_ for use in uses for id_ in sorted(use.concepts))
        concepts = [corpus.glossary.concepts[id_] for id_ in ids]
        return [
            {"id": one.id, "source": one.term(asked.source), "targets": one.terms.get(asked.language, ()),
             "note": one.note or ""}
            for one in concepts
        ]  # fmt: skip

    def _told(self, corpus: Corpus, section: str, language: str) -> list[str]:
        """What runs, in words made from the rules."""
        program = corpus.programs[-1]
        known = self._once(
            ("told", corpus.asked, language), lambda: rulebook_text(program, look_for(program, language))
        )
        return [one.text for one in known.about(section)]

    def _once(self, key: Any, make: Callable[[], Any], *also: str) -> Any:
        """What ``make`` gives, as long as the files of the rules (and those named besides) are the same."""
        beside = tuple(str(self.root / name) for name in also)
        age = [one for one in snapshot(self.root) or () if not one[0].endswith((".md", ".toml")) or one[0] in beside]
        if key not in self._memo or self._memo[key][0] != age:
            self._memo[key] = age, make()
        return self._memo[key][1]

    def figures(self, asked: Asked) -> list[dict[str, Any]]:
        """The worked example of a sentence's section, as the rulebook draws it: ``lead``, ``steps`` and ``pictures``
        (SVG and what it shows). The first of a game takes as long as all its examples. Raises those of ``WRONG``."""
        from ..illustrated import matter_of
        from ..rulebook.print import make_rulebook

        files = self._open()
        variants = [] if asked.variant is None else [asked.variant]
        self._unit(files, asked)

        def drawn() -> Mapping[str, Sequence[Any]]:
            return matter_of(files, make_rulebook(files, asked.source, variants), variants)[1].sections

        known = self._once(("figures", *variants, asked.source), drawn)
        return [
            {"lead": one.lead, "steps": one.steps, "pictures": [(each.narrow, each.alt) for each in one.pictures]}
            for one in known.get(asked.id.rpartition(".")[0], ())
        ]

    # ------------------------------------------------------------ while somebody types

    def check(self, asked: Asked, text: str) -> dict[str, Any]:
        """``found``: what the checks find if a sentence reads so, severity, language and message; ``filled``: it with
        its values. Raises those of ``WRONG``."""
        files = self._open()
        corpus = self._corpus(files, asked.variant)
        unit = self._unit(files, asked)
        wrong = list(broken(unit.id, unit.source, text, asked.language, choices_of(corpus.linked))) if text else []
        if wrong:
            return {"found": [("error", asked.language, one) for one in wrong]}
        filled = corpus.filled(text, asked.language)
        if not unit.section or not text:
            return {"found": [], "filled": filled}
        texts = {one.language: one for one in corpus.texts}
        path = path_of(files, asked.variant, asked.language)
        known = texts.get(asked.language) or RulebookText(asked.language, shown(path), (), {})
        texts[asked.language] = _with(known, unit, text)
        now = attrs.evolve(corpus, texts=tuple(texts.values()), only=frozenset([unit.id]))
        found = _placed(now, likeliest(cross_check(now).findings, 1))
        return {"found": [(one.severity, lang, str(one.message)) for one, _, lang in found], "filled": filled}

    # ------------------------------------------------------------ writing

    def save(self, asked: Asked, text: str, base: str, by: str, *, done: bool = False) -> dict[str, Any]:
        """Writes a sentence that somebody began to edit when it was ``base``, and confirms it if it is ``done``; what
        it is by now, if that is something else, and nothing is written. Raises those of ``WRONG``."""
        files = self._open()
        if not text:
            raise UnusablePath("A sentence needs words; nothing was written.")
        unit = self._unit(files, asked)
        now = unit.target or ""
        if now not in (base, text):
            return {"conflict": now}
        entry = DeliveredUnit(unit.id, unit.source, text)
        delivery = Delivery(name_of(files, asked.variant), asked.source, asked.language, (entry,))
        plan = plan_import(files, asked.variant, delivery, asked.language)
        path = inside(plan.path, self.root)
        if now != text and unit.id not in {change.id for change in plan.changes}:
            raise ExchangeError(*plan.notes)
        path.parent.mkdir(exist_ok=True)
        carry_out(files, asked.variant, plan, by)
        return {"saved": text, **(self._confirm(asked, unit, path, by) if done else {})}

    def _confirm(self, asked: Asked, unit: SentenceUnit, path: Path, by: str) -> dict[str, Any]:
        """Confirms a sentence; ``refused``: the languages that still say what it no longer says."""
        note_origins(path, {unit.id: Origin(asked.source, unit.source)})
        refused = sign_off(self._open(), asked.variant, path, {unit.id: by}, by)[1] if unit.section else []
        return {"refused": [name for danger in refused for name in danger.others]} if refused else {}

    def comment(self, asked: Asked, text: str, by: str, *, to_author: bool) -> None:
        """Keeps a comment beside the sentence, or beside that of the source, whose author reads it. Raises those of
        ``WRONG``."""
        files = self._open()
        self._unit(files, asked)
        path = inside(path_of(files, asked.variant, asked.source if to_author else asked.language), self.root)
        comment = Comment(text)
        if comment.text and comment not in comments_on(path, asked.id):
            replace_file(*with_comments(path, {asked.id: (comment,)}, by, date.today().isoformat()))

    def settle(self, asked: Asked, told: str) -> None:
        """Takes away a comment, or a question to the author, that is settled. Raises those of ``WRONG``."""
        files = self._open()
        self._unit(files, asked)
        for language in (asked.language, asked.source):
            settle(inside(path_of(files, asked.variant, language), self.root), asked.id, told)

    def name_term(self, concept: str, language: str, term: str) -> None:
        """Adds what a concept is called in a language. Raises those of ``WRONG``."""
        files = self._open()
        glossary = read_glossary(self.root / "text", Sink(), {})
        if not term or glossary is None or concept not in glossary.concepts:
            raise UnusablePath(f"The glossary has no `{concept}` to name.")
        known = glossary.concepts[concept].terms.get(language, ())
        plan = plan_terms(files, [Terms(concept, {language: (*known, term)}, {}, None)], language)
        replace_file(inside(plan.path, self.root), plan.content)

    def start(self, language: str, source: str | None) -> None:
        """Begins a language. Raises those of ``WRONG``."""
        made = begin(self._open(), language, source)
        for file, text in {**made.made, **made.changed}.items():
            target = inside(file, self.root)
            target.parent.mkdir(exist_ok=True)
            replace_file(target, text)

    # ------------------------------------------------------------ memory

    def _remembered(self, text: str, asked: Asked) -> list[dict[str, str]]:
        """Sentences much like this one in this game, and in the games beside it, with what they became."""
        from rapidfuzz import fuzz, process

        pairs = list(self._memory(asked.source, asked.language))
        near = process.extract(
            text, [pair[0] for pair in pairs], scorer=fuzz.ratio, score_cutoff=_ALIKE, limit=3 * _SUGGESTED
        )
        found: dict[str, dict[str, str]] = {}
        for _, share, place in near:
            source, target, game, id_ = pairs[place]
            if (game, id_) != (self.root.name, asked.id):
                found.setdefault(target, {"source": source, "target": target, "game": game, "share": f"{share:.0f}"})
        return list(found.values())[:_SUGGESTED]

    def _memory(self, source: str, language: str) -> Iterator[tuple[str, str, str, str]]:
        """Sentences in two languages, with game and id: of this game, of those in folders beside it, and of all in
        a folder ``rules`` around it."""
        rules = next((folder for folder in self.root.parents if folder.name == "rules"), None)
        found = {*self.root.parent.glob(f"*/text/{language}.md"), self.root / "text" / f"{language}.md"}
        found |= set(rules.rglob(f"text/{language}.md")) if rules is not None else set()
        for file in sorted(found, key=lambda file: (file.parent.parent != self.root, file)):
            ours, theirs = self._sentences(file), self._sentences(file.with_name(f"{source}.md"))
            for id_, text in ours.items():
                if text and theirs.get(id_):
                    yield theirs[id_], text, file.parent.parent.name, id_

    def _sentences(self, file: Path) -> Mapping[str, str]:
        """The statements of a text by id; none where it cannot be read."""
        with suppress(OSError):
            key, age = ("memory", file), file.stat().st_mtime_ns
            if self._memo.get(key, (None,))[0] != age:
                lines = content(file, file.parent.parent).decode("utf-8", "replace").splitlines()
                parts = parse_text(file.stem, str(file), lines, Sink()).parts
                self._memo[key] = age, {part.id: part.text for part in parts if isinstance(part, Statement)}
            known: Mapping[str, str] = self._memo[key][1]
            return known
        return {}


def _state(unit: SentenceUnit) -> str:
    """``new``, ``translated``, ``reviewed``; or ``stale``: its source, its words or its rule changed since."""
    return STALE if unit.before else unit.state


def _placed(corpus: Corpus, found: Iterable[Diagnostic]) -> Iterator[tuple[Diagnostic, str, str]]:
    """Findings, each with the statement and the language that it is about; empty where it is about none."""
    spots = {(s.span.file, s.span.line): (s.id, language) for language, s in corpus.each()}
    return ((one, *spots.get((one.span.file, one.span.line), ("", ""))) for one in found)


def _said(group: Mapping[str, Statement]) -> dict[str, tuple[str, int]]:
    return {language: (statement.text, len(statement.ignores)) for language, statement in group.items()}


def _with(text: RulebookText, unit: SentenceUnit, words: str) -> RulebookText:
    """The text with other words for a sentence, which may not have a place in it yet."""
    span = Span(text.file, 1_000_000, 1, 1_000_000, len(words) + 1)
    new = Statement(unit.id, unit.section, words, span)
    parts = list(text.parts)
    for place, old in enumerate(parts):
        if isinstance(old, Statement) and old.id == unit.id:
            at = old.span
            span = Span(at.file, at.line, at.column, at.line, at.column + len(words))
            parts[place] = attrs.evolve(old, text=words, span=span)
            return attrs.evolve(text, parts=tuple(parts))
    parts.append(new)
    return attrs.evolve(text, parts=tuple(parts))
