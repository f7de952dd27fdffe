"""Checks of rulebook texts against the rules: each rule has a statement, each statement a rule, each value a number.

The names of forms are categories of the language, or values of the setting; each value that can be printed has a form,
and what a setting prints is in the glossary.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence

from rulelang import workspace
from rulelang.diagnostics import Diagnostic, Sink, did_you_mean
from rulelang.files.folder import GameFiles, shown
from rulelang.fixes import Append, Below, Edit, Fix, Help, ReplaceText
from rulelang.program import Program
from rulelang.source import Span
from rulelang.syntax import tree

from ..glossary import Glossary
from ..languages.locale import CATEGORIES, OTHER, all_categories, category, usual_categories
from . import interpolation
from .merge import fallback_chain, merge_variants, read_merged
from .rulebook_text import RulebookText, Statement, bases_of, changed_ids, ids_of, needed_ids, read_texts, variant_texts

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
        _check_told(text, texts, needed, sink, rules=programs[-1].rules)
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
        interpolation.fill(statement.text, text.language, programs, statement.span, sink)
    choices = interpolation.choices_of(workspace.default().linked(files, variants))
    check_forms(text, interpolation.ValueDomains(files, variants, programs), choices, sink)
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
        order = fallback_chain(texts, text.language, files, sink if text in texts.values() else Sink())
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
            _check_told(text, texts.values(), needed, sink, f", added or changed by `{name}`,")
        if name not in variants:
            merge_variants(read_texts(files, Sink()), files, [name], sink)


def _check_told(
    text: RulebookText, texts: Collection[RulebookText], needed: Mapping[str, Span], sink: Sink, why: str = "",
    rules: Container[str] = (),
) -> None:  # fmt: skip
    """What a text has to tell of. ``why``: why it is needed, after its name; ``rules``: those that findings name."""
    for id_, span in needed.items():
        if id_ not in text.sections:
            sink.error(
                "R0701",
                span,
                f"`{id_}`{why} has no statement in {text.file}.",
                help=add_section(id_, text, texts, list(needed)),
                rule=id_ if id_ in rules else None,
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


# ---------------------------------------------------------------- forms


_FORM_CODE = "R0706"
_TERM_CODE = "R0708"


def check_forms(
    text: RulebookText, reach: interpolation.ValueDomains, choices: interpolation.Choices, sink: Sink
) -> None:
    """Reports forms that cannot be read, are named wrongly, or leave out a value (R0706)."""
    for statement in text.statements:
        for start, end, plural in interpolation.forms_in(statement.text):
            names = choices.get(plural.value)
            values = reach.of(plural.value) if names is None else ()
            for message, help in mistakes(plural, text.language, values, names):
                place = statement.place(start, end)
                sink.add(Diagnostic(_FORM_CODE, message, place, help=help, rule=statement.section))


def check_terms(text: RulebookText, choices: interpolation.Choices, glossary: Glossary | None, sink: Sink) -> None:
    """Reports the values of settings that are printed and that the glossary has no term for (R0708)."""
    found: dict[str, tuple[str, Span, str]] = {}
    for statement in text.statements:
        start = 0
        for position, piece in enumerate(interpolation.pieces_of(statement.text)):
            if position % 2:
                place = statement.place(start, start + len(piece))
                for setting, name in _printed_terms(piece[1:-1], choices):
                    if not interpolation.has_term(name, text.language, glossary):
                        found.setdefault(name, (setting, place, statement.section))
            start += len(piece)
    for name, (setting, place, section) in found.items():
        message = f"The glossary does not say what `{name}`, a value of `{setting}`, is called in {text.language}."
        help = f'Write it in text/glossary.toml: id = "{name}", {text.language} = ["..."].'
        sink.add(Diagnostic(_TERM_CODE, message, place, "warning", help=help, rule=section))


def _printed_terms(inner: str, choices: interpolation.Choices) -> Iterator[tuple[str, str]]:
    """The settings with the values that a pair of braces prints by their terms."""
    plural = interpolation.forms_of(inner)
    setting = inner.strip() if plural is None else plural.value
    for name in choices.get(setting, ()):
        if plural is None or interpolation.VALUE in plural.words(name):
            yield setting, name


def mistakes(
    plural: interpolation.Forms, language: str, values: Collection[int], names: Collection[str] | None = None
) -> Iterator[tuple[str, str]]:
    """What is wrong with one pair of braces: message and remedy. Only the first kind of mistake is told.

    ``values``: those that it can print; ``names``: those of the setting that it depends on, None for a number.
    """
    if names is not None:
        yield from _mistakes_of_choice(plural, names)
        return
    if plural.broken is not None or not plural.forms:
        written = f"`{plural.broken}` is not a plural form" if plural.broken else "There is no plural form"
        yield f"{written} of `{{{plural.value}}}`.", f"Write {_example(plural, language)}."
        return
    count = Counter(name for name, _ in plural.forms)
    wrong = list(_wrong_names(count, language))
    yield from wrong
    if wrong:
        return
    for name in CATEGORIES:
        printed = sorted(value for value in values if category(value, language) == name)
        if name not in count and (printed or name == OTHER):
            why = f", and the value can be {_listed(printed)}" if printed else ""
            message = f"The forms of `{{{plural.value}}}` leave out `{name}` of {language}{why}."
            yield message, f"Add `; {name} ...` before the brace is closed."


def _mistakes_of_choice(plural: interpolation.Forms, names: Collection[str]) -> Iterator[tuple[str, str]]:
    if plural.broken is not None or not plural.forms:
        written = f"`{plural.broken}` is not a form" if plural.broken else "There is no form"
        forms = "; ".join(f"{name} ..." for name in names)
        yield f"{written} of `{{{plural.value}}}`.", f"Write {{{plural.value}: {forms}}}; `#` prints the value."
        return
    count = Counter(name for name, _ in plural.forms)
    wrong = list(_wrong_values(count, plural.value, names))
    yield from wrong
    lost = [name for name in names if name not in count]
    if lost and OTHER not in count and not wrong:
        message = f"The forms of `{{{plural.value}}}` leave out {_all_of(lost)}."
        more = "".join(f"; {name} ..." for name in lost)
        yield message, f"Add `{more}` before the brace is closed, or `; {OTHER} ...` for all values without a form."


def _wrong_values(count: Counter[str], setting: str, names: Collection[str]) -> Iterator[tuple[str, str]]:
    for name, times in count.items():
        if name not in (*names, OTHER):
            help = did_you_mean(name, names) or f"Its values are {_all_of(names)}."
            yield f"`{setting}` has no value `{name}`.", str(help)
        elif times > 1:
            yield f"The form `{name}` of `{{{setting}}}` appears twice.", "Keep one form of each value."


def _all_of(names: Iterable[str]) -> str:
    quoted = [f"`{name}`" for name in names]
    return " and ".join(filter(None, (", ".join(quoted[:-1]), quoted[-1])))


def _wrong_names(names: Counter[str], language: str) -> Iterator[tuple[str, str]]:
    known = all_categories(language)
    usual = ", ".join(usual_categories(language))
    for name, count in names.items():
        if name not in CATEGORIES:
            help = did_you_mean(name, CATEGORIES) or f"The categories of {language} are {usual}."
            yield f"There is no plural category `{name}`.", str(help)
        elif name not in known:
            yield f"The plural category `{name}` does not exist in {language}.", f"Its categories are {usual}."
        elif count > 1:
            yield f"The plural category `{name}` appears twice.", "Keep one form of each category."


def _example(plural: interpolation.Forms, language: str) -> str:
    forms = "; ".join(f"{name} # ..." for name in usual_categories(language))
    return f"{{{plural.value}: {forms}}}"


def _listed(values: list[int]) -> str:
    return " or ".join(map(str, values[:3])) if len(values) <= 3 else f"{', '.join(map(str, values[:3]))} and more"


# ---------------------------------------------------------------- remedies


def add_section(id_: str, text: RulebookText, texts: Collection[RulebookText], order: Sequence[str]) -> Help:
    """Help that adds a section for ``id_`` to ``text``, or to all ``texts`` that have none.

    It goes below the section of what comes before it in ``order``, the ids as the rules have them, else to the end. It
    has no statement yet, which is then reported there.
    """
    here = Fix(f"Add a section for `{id_}` to {text.file}", (_section(id_, text, order),))
    without = [other for other in texts if id_ not in other.sections]
    edits = tuple(_section(id_, other, order) for other in without)
    everywhere = (Fix(f"Add a section for `{id_}` in every language", edits),) if len(without) > 1 else ()
    return Help(f"Add a section: ### `{id_}`.", (*everywhere, here))


def _section(id_: str, text: RulebookText, order: Sequence[str]) -> Edit:
    heading = f"### `{id_}`"
    last = {statement.section: statement for statement in text.statements}
    above = [other for other in order[: order.index(id_)] if other in last and last[other].span.file == text.file]
    if not above:
        return Append(heading, text.file)
    statement = last[above[-1]]
    return Below(f"\n{heading}", [statement.span, *(ignore.span for ignore in statement.ignores)][-1])


def add_language(game: tree.Game, language: str) -> Help:
    line = f"languages {', '.join([*game.languages, language])}"
    before = f"languages {', '.join(game.languages)}"
    edit: Edit = (
        ReplaceText(line, game.span, before) if game.languages else Below(line, game.span, deeper=1, past="block")
    )
    return Help(f"Add it: `{line}`.", (Fix(f"Add `{line}`", (edit,)),))
