"""Checks of rulebook texts against the rules: each rule has a statement, each statement a rule, each value a number."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from rulelang import workspace
from rulelang.diagnostics import Sink, did_you_mean
from rulelang.files.folder import GameFiles, shown
from rulelang.program import Program
from rulelang.source import Span
from rulelang.syntax import tree

from .choices import choices_of
from .fallback import chain
from .files import read_texts, variant_texts
from .inflection import check_forms, check_terms
from .merge import merge_variants, read_merged
from .model import RulebookText, Statement
from .reach import Reach
from .remedies import add_language, add_section
from .subjects import bases_of, changed_ids, ids_of, needed_ids
from .values import fill

if TYPE_CHECKING:
    from ..glossary import Glossary

_NAMED = 5
"""How many ids a message names."""


def check_texts(
    files: GameFiles, programs: Sequence[Program], variants: Sequence[str], glossary: Glossary | None, sink: Sink
) -> None:
    """Each id that runs has a statement, each statement an id, each placeholder a value.

    ``programs``: one for each number of players, without errors, with ``variants``; ``glossary``: of the game.
    """
    _check_variants(files, variants, sink)
    linked = workspace.default().linked(files, variants)
    assert linked is not None and files.game is not None
    known = ids_of(linked)
    needed = {} if variants else needed_ids(linked)
    _check_translated(files, variants, sink)
    texts = read_merged(files, variants, sink)
    for text in texts:
        _check_language(text, files.game, sink)
        _check_sections(text, known, sink)
        for id_, span in needed.items():
            if id_ not in text.sections:
                sink.error(
                    "R0701",
                    span,
                    f"`{id_}` has no statement in {text.file}.",
                    help=add_section(id_, text, texts, list(needed)),
                    rule=id_ if id_ in programs[-1].rules else None,
                )
        check_values(text, files, variants, programs, glossary, sink)


def check_values(
    text: RulebookText,
    files: GameFiles,
    variants: Sequence[str],
    programs: Sequence[Program],
    glossary: Glossary | None,
    sink: Sink,
) -> None:
    """Each placeholder has a value, and forms are there for whatever it can be. ``programs``: with ``variants``."""
    for statement in text.statements:
        fill(statement.text, text.language, programs, statement.span, sink)
    choices = choices_of(workspace.default().linked(files, variants))
    check_forms(text, Reach(files, variants, programs), choices, sink)
    check_terms(text, choices, glossary, sink)


def _check_language(text: RulebookText, game: tree.Game, sink: Sink) -> None:
    """The game declares the language of this text."""
    if text.language not in game.languages:
        sink.error(
            "R0705",
            Span(text.file, 1, 1, 1, 2),
            f"`{text.language}` is not among the languages of the game.",
            help=add_language(game, text.language),
        )


def _check_translated(files: GameFiles, variants: Sequence[str], sink: Sink) -> None:
    """Each language that the game names has a text, each text has words everywhere, or a language to fall back on."""
    assert files.game is not None
    texts = {text.language: text for text in read_texts(files, Sink())}
    for language in files.game.languages if texts and not variants else ():
        if language not in texts:
            help = f"Run `rulelang texts start {language} {shown(files.root)}`, or take it out of `languages`."
            message = f"The game names the language `{language}` and has no text in it."
            sink.error("R0707", files.game.span, message, help=help, severity="warning")
    own = list(texts.values()) if not variants else []
    for name in variants or files.sound_variants:
        own += variant_texts(files, name, Sink()).values()
    for text in own:
        order = chain(texts, text.language, files, sink if text in texts.values() else Sink())
        _check_words(text, order, sink)


def _check_words(text: RulebookText, order: Sequence[str], sink: Sink) -> None:
    if not text.untranslated:
        return
    ids = [part.id if isinstance(part, Statement) else "a heading" for part in text.untranslated]
    told = ", ".join(f"`{id_}`" if "." in id_ else id_ for id_ in ids[:_NAMED])
    more = f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
    stand_in = f"The rulebook prints them in `{order[0]}`, if that one has them." if order else "No language has them."
    sink.error(
        "R0707",
        text.untranslated[0].span,
        f"{len(ids)} of {len(text.parts)} sentences are not translated yet: {told}{more}.",
        help=f"{stand_in} Write them here, or through `rulelang texts export --lang {text.language}`.",
        severity="warning",
    )


def _check_sections(text: RulebookText, known: Collection[str], sink: Sink) -> None:
    """Each section has the id of something, and a statement."""
    spoken_of = {part.section for part in text.parts if isinstance(part, Statement)}
    for id_, span in text.sections.items():
        if id_ not in known:
            sink.error(
                "R0702",
                span,
                f"Nothing has the id `{id_}`.",
                help=did_you_mean(id_, known) or "Remove the section, or correct its id.",
            )
        elif id_ not in spoken_of:
            sink.error("R0701", span, f"The section `{id_}` has no statement.", help="Write `1. ...` below it.")


# ---------------------------------------------------------------- texts of variants


def _check_variants(files: GameFiles, variants: Sequence[str], sink: Sink) -> None:
    """Each text belongs to a variant, mentions all that the variant adds or changes, and fits into the game's own.

    Without ``variants``, each of the game is tried by itself; only the values in their texts are not checked. Variants
    with mistakes in their rules are left out.
    """
    _check_orphans(files, sink)
    for name in variants or files.sound_variants:
        own = Sink()
        workspace.default().linked(files, [name], own)
        if own.has_errors:
            continue
        texts = variant_texts(files, name, sink)
        linked = workspace.default().linked(files, [name])
        before = workspace.default().linked(files, bases_of(files, name))
        if not texts or linked is None or before is None:
            continue
        known = ids_of(linked)
        needed = {id_: span for id_, span in changed_ids(files.variants[name], before).items() if id_ in known}
        for text in texts.values():
            _check_language(text, linked.game, sink)
            _check_sections(text, known, sink)
            _check_changes(name, text, texts.values(), needed, sink)
        if name not in variants:
            merge_variants(read_texts(files, Sink()), files, [name], sink)


def _check_changes(
    variant: str, text: RulebookText, texts: Collection[RulebookText], needed: Mapping[str, Span], sink: Sink
) -> None:
    for id_, span in needed.items():
        if id_ not in text.sections:
            sink.error(
                "R0701",
                span,
                f"`{id_}`, added or changed by `{variant}`, has no statement in {text.file}.",
                help=add_section(id_, text, texts, list(needed)),
            )


def _check_orphans(files: GameFiles, sink: Sink) -> None:
    """Nobody would read a text without a variant's file beside its folder."""
    known = {*(file.span.file for file in files.variants.values()), *files.unsound}
    stems = {files.paths[name].with_suffix("") for name in known}
    folders = {path.parent for path in files.paths.values() if files.root in path.parents}
    for folder in sorted(folders):
        for path in sorted((folder / "text").glob("*.md")):
            name, dot, _ = path.stem.rpartition(".")
            if dot and folder / name not in stems:
                message = f"There is no variant {name}.rules beside the folder of this text."
            elif not dot and folder != files.root:
                message = "The name of this file does not say which variant and language it is for."
            else:
                continue
            span = Span(shown(path), 1, 1, 1, 2)
            sink.error("R0705", span, message, help="Name it after the variant: NAME.rules has text/NAME.en.md.")
