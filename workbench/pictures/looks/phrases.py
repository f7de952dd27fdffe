"""The phrases of a look: a closed vocabulary, each said of a kind of thing."""

from __future__ import annotations

import re
from collections.abc import Sequence

import attrs

from rulelang.diagnostics import Sink, did_you_mean, similar
from rulelang.source import Span

from ..paint.colours import NAMED, is_colour
from ..paint.shapes import SHAPES
from ..scene.look import Style
from ..scene.symbols import names as symbol_names
from .parse import Phrase

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


@attrs.define
class _Made:
    """A style in the making, with what has been said already."""

    values: dict[str, object] = attrs.field(factory=dict)
    labels: dict[str, str] = attrs.field(factory=dict)
    told: dict[str, str] = attrs.field(factory=dict)
    pieces: dict[str, tuple[str, str]] = attrs.field(factory=dict)
    flags: set[str] = attrs.field(factory=set)


def style_of(phrases: Sequence[Phrase], columns: Sequence[str], sink: Sink) -> Style:
    """The style that phrases make. ``columns``: those that ``by`` may name."""
    made = _Made()
    for phrase in phrases:
        _read(phrase, made, columns, sink)
    return Style(labels=made.labels, told=made.told, pieces=made.pieces, phrases=frozenset(made.flags), **made.values)  # type: ignore[arg-type]


def _read(phrase: Phrase, made: _Made, columns: Sequence[str], sink: Sink) -> None:
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
            _unknown(phrase, sink)


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


def _unknown(phrase: Phrase, sink: Sink) -> None:
    words = " ".join(phrase.words)
    near = similar(phrase.words[0], [*FLAGS, *SHAPES, *NAMED, "icon", "colour", "by", "at", "told", "pieces"])
    known = f"a colour, a shape ({', '.join(SHAPES)}), {', '.join(FLAGS)}, or one of: {'; '.join(_FORMS)}"
    help_ = f"Did you mean `{near}`?" if near and near != phrase.words[0] else f"Write {known}."
    sink.error("R1003", phrase.span, f"`{words}` is not a phrase of looks.", help=help_)
