"""Styles from the tree of a look, by the names of the game it belongs to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs

from rulelang.diagnostics import Sink, did_you_mean, similar
from rulelang.program import Program
from rulelang.program.nodes import Choose
from rulelang.program.walk import statements
from rulelang.source import Span
from rulelang.types import FlagType, NumberType

from ...rulebook.languages.locale import all_categories
from ...rulebook.texts.interpolation import forms_in
from ..paint.colours import NAMED, apart, colour_of, is_colour
from ..paint.svg import SHAPES
from ..scene.look import PLACEHOLDER, Style
from ..scene.look import names as symbol_names
from .syntax import LookEntry, LookFile, LookPhrase

FLAGS = {
    "hidden": "not drawn",
    "across": "players face each other over the members",
    "chequered": "a board of light and dark squares",
    "named": "members by their names, not as tokens",
    "small": "tokens smaller than others",
    "large": "tokens larger than others",
    "upwards": "the pieces of a stack above one another, the lowest at the bottom",
    "wave": "a rare flag of a ring as a wavy line",
}
_LANGUAGE = re.compile(r"[a-z]{2,3}")
_FORMS = [
    "icon NAME",
    "by COLUMN",
    "at X Y",
    'LANGUAGE "label"',
    'told LANGUAGE "..."',
    'pieces LANGUAGE "one" "# of them"',
    '"text"',
    'colour "#rrggbb"',
]


def phrases(before: str, languages: Iterable[str], columns: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The words that can stand behind ``before``, a line without its texts in quotes, and what each of them is."""
    match re.split("[:,]", before)[-1].split():
        case []:
            yield from FLAGS.items()
            yield from ((word, "shape") for word in SHAPES)
            yield from ((word, "colour") for word in NAMED)
            yield from ((word, "label") for word in languages)
            yield from ((form.split()[0], form) for form in _FORMS if form[0].islower())
        case ["icon"]:
            yield from ((word, "symbol") for word in symbol_names())
        case ["by"]:
            yield from ((word, "column") for word in columns)
        case ["told" | "pieces"]:
            yield from ((word, "language") for word in languages)


@attrs.define
class _Made:
    """A style in the making, with what has been said already."""

    values: dict[str, object] = attrs.field(factory=dict)
    labels: dict[str, str] = attrs.field(factory=dict)
    told: dict[str, str] = attrs.field(factory=dict)
    pieces: dict[str, tuple[str, str]] = attrs.field(factory=dict)
    flags: set[str] = attrs.field(factory=set)


def style_of(phrases: Sequence[LookPhrase], columns: Sequence[str], sink: Sink) -> Style:
    """The style that phrases make. ``columns``: those that ``by`` may name."""
    made = _Made()
    for phrase in phrases:
        _read(phrase, made, columns, sink)
    return Style(labels=made.labels, told=made.told, pieces=made.pieces, phrases=frozenset(made.flags), **made.values)  # type: ignore[arg-type]


def _read(phrase: LookPhrase, made: _Made, columns: Sequence[str], sink: Sink) -> None:
    match phrase.words:
        case [str(word)] if word in FLAGS:
            made.flags.add(word)
        case [str(word)] if word.startswith('"'):
            _set(made, "text", word[1:-1], phrase.span, sink)
        case [str(word)] if is_colour(word):
            _set(made, "colour", word, phrase.span, sink)
        case [str(word)] if word in SHAPES:
            _set(made, "shape", word, phrase.span, sink)
        case ["colour", str(value)] if value.startswith('"'):
            _colour(value[1:-1], made, phrase.span, sink)
        case ["icon", str(name)]:
            _icon(name, made, phrase.span, sink)
        case ["by", str(column)]:
            _column(column, made, columns, phrase.span, sink)
        case ["at", x, y] if _is_number(x) and _is_number(y):
            _set(made, "at", (float(x), float(y)), phrase.span, sink)
        case [str(lang), str(label)] if _LANGUAGE.fullmatch(lang) and label.startswith('"'):
            _word(made.labels, lang, label, f"A label in `{lang}`", phrase.span, sink)
        case ["told", str(lang), str(label)] if _LANGUAGE.fullmatch(lang) and label.startswith('"'):
            _word(made.told, lang, label, f"How it is told in `{lang}`", phrase.span, sink)
        case ["pieces", str(lang), str(one), str(more)] if _LANGUAGE.fullmatch(lang) and one[0] == more[0] == '"':
            if lang in made.pieces:
                _twice(f"How pieces are called in `{lang}`", phrase.span, sink)
            made.pieces[lang] = one[1:-1], more[1:-1]
        case _:
            _unknown_phrase(phrase, sink)


def _word(said: dict[str, str], lang: str, word: str, what: str, span: Span, sink: Sink) -> None:
    if lang in said:
        _twice(what, span, sink)
    said[lang] = word[1:-1]


def _is_number(word: str) -> bool:
    return re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", word) is not None


def _set(made: _Made, key: str, value: object, span: Span, sink: Sink) -> None:
    if key in made.values:
        _twice({"at": "A place", "by": "An order"}.get(key, f"A {key}"), span, sink)
    made.values[key] = value


def _twice(what: str, span: Span, sink: Sink) -> None:
    sink.error("R1005", span, f"{what} is given already.", help="Remove one of them.")


def _colour(value: str, made: _Made, span: Span, sink: Sink) -> None:
    if is_colour(value):
        _set(made, "colour", value, span, sink)
    else:
        help_ = did_you_mean(value, NAMED) or 'Write six hexadecimal digits, for example `colour "#9a6b3f"`.'
        sink.error("R1003", span, f"`{value}` is not a colour.", help=help_)


def _icon(name: str, made: _Made, span: Span, sink: Sink) -> None:
    if name in symbol_names():
        _set(made, "icon", name, span, sink)
        return
    near = similar(name, symbol_names())
    help_ = f"Did you mean `{near}`?" if near else "Find one with `rulelang look symbols WORD`."
    sink.error("R1004", span, f"There is no symbol `{name}`.", help=help_)


def _column(column: str, made: _Made, columns: Sequence[str], span: Span, sink: Sink) -> None:
    if column in columns:
        _set(made, "by", column, span, sink)
        return
    known = f"Choose one of {', '.join(columns)}." if columns else "Only the rows of a table have columns."
    help_ = did_you_mean(column, columns) or known
    sink.error("R1002", span, f"There is no column `{column}`.", help=help_)


def _unknown_phrase(phrase: LookPhrase, sink: Sink) -> None:
    words = " ".join(phrase.words)
    near = similar(phrase.words[0], [*FLAGS, *SHAPES, *NAMED, "icon", "colour", "by", "at", "told", "pieces"])
    known = f"a colour, a shape ({', '.join(SHAPES)}), {', '.join(FLAGS)}, or one of: {'; '.join(_FORMS)}"
    help_ = f"Did you mean `{near}`?" if near and near != phrase.words[0] else f"Write {known}."
    sink.error("R1003", phrase.span, f"`{words}` is not a phrase of looks.", help=help_)


_NEAR = 60.0
"""Colours nearer than this are hard to tell apart when nothing else differs."""


@attrs.frozen
class StyledNames:
    """The names that a look may style, gathered over Programs of one game."""

    members: Mapping[str, Sequence[str]]
    columns: Mapping[str, Sequence[str]]
    variables: frozenset[str]
    options: Mapping[str, Sequence[str]]
    """Actions of menus and rules that let players choose values, by their ids, with the names of the values."""
    tellings: Mapping[str, Sequence[str]]
    """What can be told of: by its name, the words in braces that may stand there besides those of ``options``."""
    kinds: frozenset[str]
    """What pieces can be: domains, their members, and places that hold numbers."""
    shown: Mapping[str, tuple[frozenset[str], str]]
    """What a phrase changes the picture of, by its first word, and what such names are."""


def names_of(programs: Iterable[Program]) -> StyledNames:
    """The names of a game, whatever the number of players."""
    members: dict[str, dict[str, None]] = {}
    columns: dict[str, dict[str, None]] = {}
    variables: set[str] = set()
    options: dict[str, Sequence[str]] = {}
    tellings: dict[str, Sequence[str]] = {}
    kinds: set[str] = set()
    sorts: dict[str, set[str]] = {"grid": set(), "stack": set(), "flag": set()}
    for program in programs:
        _sort(program, sorts)
        options |= dict(_asked(program))
        for name, domain in program.domains.items():
            members.setdefault(name, {}).update(dict.fromkeys(domain.members))
            tellings[name] = ["value"]
            kinds |= {name, *(f"{name}~{member}" for member in domain.members)}
        for name, table in program.tables.items():
            columns.setdefault(name, {}).update(dict.fromkeys(table.types))
        for name, variable in program.variables.items():
            owners = [owner.domain.name for owner in variable.owners]
            kinds |= {name} if isinstance(variable.element, NumberType) else set()
            tellings[name] = [*owners, "value"] if variable.kind in ("value", "slot") else owners
        for name, definition in program.definitions.items():
            tellings.setdefault(name, [*(param.name for param in definition.params), "value"])
        variables |= program.variables.keys() | program.definitions.keys()
    seen = _useful(sorts, members)
    return StyledNames({n: list(m) for n, m in members.items()}, {n: list(c) for n, c in columns.items()},
                 frozenset(variables), options, options | tellings, frozenset(kinds), seen)  # fmt: skip


def _sort(program: Program, sorts: Mapping[str, set[str]]) -> None:
    sorts["grid"] |= program.grids.keys()
    sorts["stack"] |= {name for name, variable in program.variables.items() if variable.kind == "stack"}
    columns = {
        f"{name}.{column}": type_ for name, table in program.tables.items() for column, type_ in table.types.items()
    }
    types = {name: variable.type for name, variable in program.variables.items()} | columns
    sorts["flag"] |= {name for name, type_ in types.items() if isinstance(type_, FlagType)}


def _useful(
    sorts: Mapping[str, set[str]], members: Mapping[str, Iterable[str]]
) -> dict[str, tuple[frozenset[str], str]]:
    single = frozenset(f"{name}~{member}" for name, found in members.items() for member in found)
    return {
        "chequered": (frozenset(sorts["grid"]), "boards"),
        "upwards": (frozenset(sorts["stack"]), "stacks"),
        "wave": (frozenset(sorts["flag"]), "flags"),
        **dict.fromkeys(("across", "named"), (frozenset(members), "enums, tables and boards")),
        **dict.fromkeys(("small", "large", "at"), (single, "members")),
    }


def _asked(program: Program) -> Iterator[tuple[str, list[str]]]:
    for rule in program.rules.values():
        if rule.kind == "option":
            yield rule.id, [bind.name for bind in rule.binds.binds] if rule.binds else []
            continue
        asked = [each for each in statements(program, rule.body) if isinstance(each, Choose)]
        if asked:
            yield rule.id, [bind.name for each in asked for bind in each.binds.binds]


def resolve(file: LookFile, names: StyledNames, languages: Sequence[str], sink: Sink) -> dict[str, Style]:
    """The styles of a look by their full names: ``Good``, ``Good~salt``, ``Square.edge``, ``supply``."""
    found: dict[str, Style] = {}
    languages = _begun(file, languages, sink)
    for entry in file.entries:
        for name, span in entry.names:
            if _is_known(name, names):
                style = _style(entry, names.columns.get(name, ()), languages, sink)
                _values_in(style.labels, names.options.get(name, ()), names, span, sink)
                _told(name, style, names, languages, span, sink)
                _shown(name, entry, names, sink)
                _put(found, name, _sayable(style, name, names), span, sink)
            else:
                _unknown(name, span, names, sink)
        _inner(entry, names, languages, found, sink)
    _alike(file, found, sink)
    return found


def _sayable(style: Style, name: str, names: StyledNames) -> Style:
    """The style without what speaks of values that are not there, as with some variants: then the rules' words do."""
    labels = _with_values(style.labels, names.options.get(name, ()))
    told = _with_values(style.told, names.tellings.get(name, ()))
    whole = len(labels) == len(style.labels) and len(told) == len(style.told)
    return style if whole else attrs.evolve(style, labels=labels, told=told)


def _with_values(labels: Mapping[str, str], values: Sequence[str]) -> dict[str, str]:
    return {lang: label for lang, label in labels.items() if set(PLACEHOLDER.findall(label)) <= set(values)}


def _begun(file: LookFile, languages: Sequence[str], sink: Sink) -> Sequence[str]:
    """The languages whose labels somebody has begun to write; one without any is told of once, not for each name."""
    entries = [one for entry in file.entries for one in (entry, *entry.inner)]
    labels = [style.labels for entry in entries if (style := style_of(entry.phrases, (), Sink())).labels]
    without = [lang for lang in languages if lang != "en" and not any(lang in said for said in labels)]
    if len(labels) < 2 or not without:
        return languages
    words = " and ".join(f"`{lang}`" for lang in without)
    message = f"The look has no label in {words} yet, so pictures show the rules' own names there."
    help_ = f'Add {without[0]} "..." to each name that has a label.'
    sink.error("R1006", file.span, message, help=help_, severity="warning")
    return [lang for lang in languages if lang not in without]


def _inner(entry: LookEntry, names: StyledNames, languages: Sequence[str], found: dict[str, Style], sink: Sink) -> None:
    domain = entry.names[0][0]
    for inner in entry.inner:
        for name, span in inner.names:
            members = names.members.get(domain, ())
            if name in members:
                style = _style(inner, (), languages, sink)
                _told(f"{domain}~{name}", style, names, languages, span, sink)
                _shown(f"{domain}~{name}", inner, names, sink)
                _put(found, f"{domain}~{name}", style, span, sink)
            elif domain in names.members:
                listed = ", ".join(list(members)[:8]) + (", ..." if len(members) > 8 else "")
                help_ = did_you_mean(name, members) or f"Choose one of {listed}."
                sink.error("R1002", span, f"`{name}` is not a member of `{domain}`.", help=help_)
            elif _is_known(domain, names):
                sink.error("R1002", span, f"`{domain}` has no members.", help="Remove the indentation of this line.")
        if inner.inner:
            place = inner.inner[0].names[0][1]
            sink.error("R1001", place, "Members have no members.", help="Indent this line less.")
    missing = [name for name in names.members.get(domain, ()) if not getattr(found.get(f"{domain}~{name}"), "at", None)]
    placed = [phrase.span for inner in entry.inner for phrase in inner.phrases if phrase.words[0] == "at"]
    if placed and missing:
        message = f"`at` changes nothing as long as `{missing[0]}` has no place."
        sink.error("R1003", placed[0], message, severity="warning", help=f"Give each member of `{domain}` a place.")


def _shown(name: str, entry: LookEntry, names: StyledNames, sink: Sink) -> None:
    """Warn about phrases that change nothing in the picture of a name."""
    for phrase in entry.phrases:
        fitting, what = names.shown.get(phrase.words[0], (None, ""))
        if fitting is not None and name not in fitting:
            message = f"`{phrase.words[0]}` changes nothing here: it is for {what}."
            sink.error("R1003", phrase.span, message, severity="warning", help="Remove it, or say it of one of those.")


def _style(entry: LookEntry, columns: Sequence[str], languages: Sequence[str], sink: Sink) -> Style:
    style = style_of(entry.phrases, columns, sink)
    missing = [lang for lang in languages if lang not in style.labels and lang != "en"]
    if style.labels and missing:
        place = entry.names[0][1]
        words = " and ".join(f"`{lang}`" for lang in missing)
        help_ = f'Add {", ".join(f"""{lang} "..." """.strip() for lang in missing)}.'
        sink.error("R1006", place, f"`{entry.names[0][0]}` has no label in {words}.", help=help_)
    other = [lang for lang in style.labels if languages and lang not in languages and lang != "en"]
    if other:
        place = entry.names[0][1]
        help_ = f"The languages are {', '.join(languages)}; remove the label, or add the language to the game."
        sink.error("R1003", place, f"The game has no rulebook in `{other[0]}`.", help=help_)
    return style


def _told(name: str, style: Style, names: StyledNames, languages: Sequence[str], span: Span, sink: Sink) -> None:
    """Report what cannot be told, or not in all languages."""
    if style.pieces:
        _everywhere(name, "The pieces of `{}` have no words in {}.", 'pieces {} "..." "# ..."', style.pieces, languages,
                    span, sink)  # fmt: skip
        _values_in({lang: " ".join(both) for lang, both in style.pieces.items()}, ["value"], names, span, sink)
        if name not in names.kinds:
            message = f"There are no pieces of the kind `{name.rpartition('~')[2]}`."
            help_ = "Say `pieces` of an enum or a table, of a member, or of a place whose pieces are numbers."
            sink.error("R1003", span, message, help=help_)
    if not style.told:
        return
    if name not in names.tellings:
        message = f"Nothing happens to `{name.rpartition('~')[2]}` that could be told."
        sink.error("R1003", span, message, help="Say `told` of an action, a place, a variable or an enum.")
        return
    _values_in(style.told, names.tellings[name], names, span, sink)
    _everywhere(name, "`{}` is not told in {}.", 'told {} "..."', style.told, languages, span, sink)


def _everywhere(
    name: str, message: str, phrase: str, said: Mapping[str, object], languages: Sequence[str], span: Span, sink: Sink
) -> None:
    """Report the languages that lack what others have."""
    missing = [lang for lang in languages if lang not in said]
    if missing:
        listed = " and ".join(f"`{lang}`" for lang in missing)
        help_ = f"Add {', '.join(phrase.format(lang) for lang in missing)}."
        sink.error("R1006", span, message.format(name, listed), help=help_)


def _values_in(labels: Mapping[str, str], values: Sequence[str], names: StyledNames, span: Span, sink: Sink) -> None:
    """Report values in labels that the name does not have, such as ``{field}``, and forms that nothing can take."""
    for lang, label in labels.items():
        for _, _, forms in forms_in(label):
            _forms(forms.forms if forms.sound else (), lang, names, span, sink)
        for name in PLACEHOLDER.findall(label):
            if name not in values:
                has = f"Its values are {', '.join(f'`{{{v}}}`' for v in values)}." if values else "It takes no values."
                sink.error("R1002", span, f"There is no value `{{{name}}}` for this label.", help=has)


def _forms(forms: Sequence[tuple[str, str]], lang: str, names: StyledNames, span: Span, sink: Sink) -> None:
    """Report forms that are not named after a member or a category of number in the language."""
    if not forms:
        help_ = "Write `{name: one ...; other ...}`, each form with a name and words."
        sink.error("R1003", span, f"The forms of a label in `{lang}` cannot be read.", help=help_)
    known = [*all_categories(lang), *(member for members in names.members.values() for member in members)]
    for form, _ in forms:
        if form not in known:
            numbers = " or ".join(f"`{name}`" for name in sorted(all_categories(lang)))
            remedy = did_you_mean(form, known) or f"Name it after a member, or {numbers}."
            sink.error("R1002", span, f"No value takes the form `{form}` of a label in `{lang}`.", help=remedy)


def _put(found: dict[str, Style], name: str, style: Style, span: Span, sink: Sink) -> None:
    if name in found:
        sink.error("R1005", span, f"The look of `{name.rpartition('~')[2]}` is given already.", help="Join the two.")
    found[name] = style


def _is_known(name: str, names: StyledNames) -> bool:
    if name in names.options:
        return True
    table, _, column = name.partition(".")
    if column:
        return column in names.columns.get(table, ())
    return name in names.members or name in names.variables


def _unknown(name: str, span: Span, names: StyledNames, sink: Sink) -> None:
    table, _, column = name.partition(".")
    if column and table in names.columns:
        columns = names.columns[table]
        help_ = did_you_mean(column, columns) or f"Its columns are {', '.join(columns)}."
        sink.error("R1002", span, f"`{table}` has no column `{column}`.", help=help_)
        return
    owner = next((domain for domain, members in names.members.items() if name in members), None)
    if owner is not None:
        sink.error("R1002", span, f"`{name}` is a member of `{owner}`.", help=f"Indent it below a line `{owner}`.")
        return
    near = did_you_mean(name, [*names.members, *names.variables, *names.options])
    help_ = near or "Name an enum, a table, a board, an action, or what the game, a player or a field has."
    sink.error("R1002", span, f"The game has nothing called `{name}`.", help=help_)


def _alike(file: LookFile, found: Mapping[str, Style], sink: Sink) -> None:
    """Warn about members of one domain that nobody can tell apart."""
    for entry in file.entries:
        domain = entry.names[0][0]
        named = [(name, span, found[f"{domain}~{name}"]) for inner in entry.inner for name, span in inner.names
                 if f"{domain}~{name}" in found]  # fmt: skip
        for (name, _, style), (other, span, second) in _pairs(named):
            same = (style.icon, style.shape, style.text) == (second.icon, second.shape, second.text)
            if same and style.icon and style.colour and second.colour:
                if apart(colour_of(style.colour).fill, colour_of(second.colour).fill) < _NEAR:
                    message = f"`{name}` and `{other}` have the same symbol in colours that look alike."
                    sink.error(
                        "R1007", span, message, severity="warning", help="Give one of them another colour or symbol."
                    )


def _pairs(items: Sequence[tuple[str, Span, Style]]) -> Iterator[tuple[tuple[str, Span, Style], ...]]:
    for i, one in enumerate(items):
        for other in items[i + 1 :]:
            yield one, other
