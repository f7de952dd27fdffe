"""Names that look like others and are not: letters of another script, ligatures, wide letters, loose accents.

After Unicode's UTS 39 (security mechanisms), as far as names of rules need it: a word is of one script, or of those
that are written together; it has no compatibility characters; and no two words of a game look the same.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping

import attrs

from ..diagnostics import Label, Sink
from ..fixes import Fix, Help, ReplaceText
from ..source import SourceFile, Span
from ..syntax.layout import BLANK_LETTERS, without_comment

_WORD = re.compile(r"[^\W\d][\w\u0300-\u036f\u3099\u309a]*")
"""A name, with accents that have come loose."""
_PIECE = re.compile(r"[^\W_]+")
"""Part of a name between underscores, which may be of another script."""

_EASTERN = frozenset({"CJK", "IDEOGRAPHIC", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HANGUL", "BOPOMOFO"})
"""Scripts that are written together, also with Latin letters."""

_ALIKE: Mapping[str, tuple[str, str]] = {
    "CYRILLIC": ("аеіјорсухѕԁԛԝһѵгӏАВЕЅІЈКМНОРСТУХԚԜҮѴ", "aeijopcyxsdqwhvrlABESIJKMHOPCTYXQWYV"),
    "GREEK": ("αγικνορυχϲϳΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ayikvopuxcjABEZHIKMNOPTYX"),
    "ARMENIAN": ("օսոհցգզյՏՕԼՍ", "ounhgqqjSOLU"),
    "CHEROKEE": ("ᎪᏴᏟᎠᎬᏀᎻᎫᏦᏞᎷᏢᏒᏚᎢᏙᎳᏃ", "ABCDEGHJKLMPRSTVWZ"),
    "LISU": ("ꓮꓐꓚꓓꓰꓝꓖꓧꓲꓙꓗꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪꓫꓬꓜ", "ABCDEFGHIJKLMNOPRSTUVWXYZ"),
    "LATIN": ("ıɑɡ", "iag"),
    "KATAKANA": ("カロニタトエハチミオ", "力口二夕卜工八千三才"),
}
"""Letters by script, and those of Latin (or Chinese characters) that they look like."""
_LOOKS = str.maketrans({a: b for letters, like in _ALIKE.values() for a, b in zip(letters, like, strict=True)})


@attrs.frozen
class _Word:
    """A word with all places where it is written."""

    text: str
    spans: list[Span] = attrs.field(factory=list)


def check_lookalikes(sources: Iterable[SourceFile], sink: Sink) -> None:
    """Warns of words in rules and tables that can be taken for others (R0416)."""
    texts = list(sources)
    if all(word.isascii() for source in texts if not source.text.isascii() for word, _ in _words(source)):
        return
    words: dict[str, _Word] = {}
    for source in texts:
        for text, span in _words(source):
            words.setdefault(text, _Word(text)).spans.append(span)
    seen: dict[str, _Word] = {}
    strange = [word for word in words.values() if not word.text.isascii()]
    told = {word.text for word in strange if _compatible(word, sink) or _mixed(word, words, sink)}
    for word in sorted(words.values(), key=lambda word: (not word.text.isascii(), word.spans[0])):
        if word.text not in told:
            looks = unicodedata.normalize("NFC", unicodedata.normalize("NFD", word.text).translate(_LOOKS))
            other = seen.setdefault(looks, word)
            if other is not word:
                _same(word, other, sink)


def _words(source: SourceFile) -> Iterator[tuple[str, Span]]:
    rules = source.name.endswith(".rules")
    for number, line in enumerate(source.lines, 1):
        # Loose accents and what is not seen are reported where the lines of rules are read.
        for found in _WORD.finditer(unicodedata.normalize("NFC", without_comment(line)) if rules else line):
            if not (rules and _without_blanks(found[0]) != found[0]):
                yield found[0], Span(source.name, number, found.start() + 1, number, found.end() + 1)


def _without_blanks(word: str) -> str:
    return word if word.isascii() else word.translate(dict.fromkeys(map(ord, BLANK_LETTERS)))


def _compatible(word: _Word, sink: Sink) -> bool:
    """Reports ligatures, wide and narrow letters, letters of mathematics, loose accents, letters without shape."""
    parts = ((c, unicodedata.decomposition(c)) for c in _without_blanks(word.text))
    raised = ("<super>", "<sub>")  # nobody takes these for others
    wanted = "".join(c if part.startswith(raised) else unicodedata.normalize("NFKC", c) for c, part in parts)
    wanted = unicodedata.normalize("NFC", wanted)
    if wanted == word.text:
        return False
    message = f"`{word.text}` looks like `{wanted}` and is not: some of its letters are special forms."
    _tell(word, message, wanted, sink)
    return True


def _mixed(word: _Word, words: Mapping[str, _Word], sink: Sink) -> bool:
    """Reports letters of different scripts in one word."""
    for piece in _PIECE.findall(word.text):
        scripts = {script: c for c in reversed(piece) if (script := _script(c)) is not None}
        western = scripts.keys() - {"EASTERN"}
        if len(western) < 2 and not ("EASTERN" in scripts and western - {"LATIN"}):
            continue
        made = [text for script in _by_number(piece) if (text := _in_script(word.text, script)) is not None]
        wanted = next((text for text in made if text in words), made[0] if made else None)
        letters = ", ".join(f"`{c}` is {script.capitalize()}" for script, c in sorted(scripts.items()))
        _tell(word, f"`{word.text}` mixes scripts, whose letters can look the same: {letters}.", wanted, sink)
        return True
    return False


def _script(char: str) -> str | None:
    """The script of a letter; None for what belongs to none, or to several."""
    if not char.isalpha() or unicodedata.category(char) == "Lm":
        return None
    script = unicodedata.name(char, "").partition(" ")[0]
    if script in _EASTERN:
        return "EASTERN"
    return None if script in ("", "MICRO", "MASCULINE", "FEMININE", "MODIFIER") else script


def _by_number(piece: str) -> list[str]:
    """The scripts of a word, the one with most letters first."""
    scripts = [script for c in piece if (script := _script(c)) is not None]
    return sorted(set(scripts), key=lambda script: (-scripts.count(script), script))


def _in_script(word: str, script: str) -> str | None:
    """The word with letters of one script that look the same; None where there are none."""
    letters, like = _ALIKE.get(script, ("", ""))
    back = dict(zip(like, letters, strict=True)) if script != "LATIN" else {}
    out = []
    for char in word:
        if _script(char) not in (None, script):
            latin = char.translate(_LOOKS)
            char = latin if script == "LATIN" else back.get(latin, "")
            if _script(char or " ") != script:
                return None
        out.append(char)
    return "".join(out)


def _same(word: _Word, other: _Word, sink: Sink) -> None:
    """Reports two words that look the same."""
    usual = next(filter(None, map(_script, other.text)), None)
    script = next((script for c in word.text if (script := _script(c)) not in (None, usual)), None)
    why = f"its letters are {script.capitalize()}" if script else "some of its letters are others"
    sink.error(
        "R0416",
        word.spans[0],
        f"`{word.text}` looks like `{other.text}`, but is another name: {why}.",
        labels=[Label(other.spans[0], "the other name")],
        help=Help("If one is meant, write it the same way everywhere; otherwise rename one of them.", ()),
        severity="warning",
    )


def _tell(word: _Word, message: str, wanted: str | None, sink: Sink) -> None:
    help_ = Help("Write the word in letters of one script.")
    if wanted is not None:
        edits = tuple(ReplaceText(wanted, span) for span in word.spans)
        fix = Fix(f"Write `{wanted}` in plain letters", edits, preferred=True)
        help_ = Help(f"Write `{wanted}`, in plain letters of one script.", (fix,))
    sink.error("R0416", word.spans[0], message, help=help_, severity="warning")
