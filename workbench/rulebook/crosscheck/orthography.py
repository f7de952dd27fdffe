"""Spelling and punctuation of one language: what is never right, and what the rest of the text writes otherwise."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TypeAlias

import attrs

from rulelang.diagnostics import Diagnostic, finding
from rulelang.fixes import Help, write

from ..corpus import Corpus
from ..languages.dictionary import in_dictionary, is_noun, nearest
from ..languages.lexicon import lexicon
from ..languages.locale import spaces_high_marks, stem
from ..languages.numbers import numbers
from ..texts import Statement
from ..texts.interpolation import pieces_of
from .finding import Check, about

# ---------------------------------------------------------------- repeated word


_TWICE = re.compile(r"\b([^\W\d_]+)[ \u00a0]+\1\b", re.IGNORECASE)


def _find_repeated_word(corpus: Corpus) -> Iterator[Diagnostic]:
    """A word appears twice in a row."""
    for language, statement in corpus.each():
        for match in _TWICE.finditer(statement.spoken):
            if match[1].lower() not in lexicon(language).twice:
                found = about(
                    REPEATED_WORD.code, statement, f"`{match[1]}` appears twice in a row.", "Remove one of them."
                )
                yield attrs.evolve(found, span=statement.place(match.start(), match.end()))


REPEATED_WORD = Check("repeated-word", "R0922", "warning", _find_repeated_word)


# ---------------------------------------------------------------- punctuation


_FIXED = "\u00a0"
_BLANKS = f" {_FIXED}\u202f"
_LETTER = r"[^\W\d_]"
_USUALLY = 0.8
"""The share of a text's statements from which on something is the custom of that text."""
_FEWEST = 4
"""Marks from which it can be told whether a text has blanks before them."""


@attrs.frozen
class _Slip:
    """What is never right: where it is ``found``, what is wrong, and the words to write instead, as ``re`` fills in."""

    found: re.Pattern[str]
    message: str
    instead: str


_SLIPS = (
    _Slip(re.compile(rf"(?<=\S)[{_BLANKS}]{{2,}}(?=\S)"), "There is a blank too many.", " "),
    _Slip(re.compile(rf"(?<=[^\s,;.:])[{_BLANKS}]+([,.])(?=[\s)»”]|\Z)"), "There is a blank before `{}`.", r"\1"),
    _Slip(re.compile(rf"(?<={_LETTER})[{_BLANKS}]+([,;])({_LETTER})"), "The blank must follow `{}`.", r"\1 \2"),
    _Slip(re.compile(rf"(?<={_LETTER}{{2}})([,;!?])({_LETTER})"), "There is no blank after `{}`.", r"\1 \2"),
    _Slip(re.compile(r"(?<=[a-zß-ÿ]{3})([.:])([A-ZÀ-Þ])"), "There is no blank after `{}`.", r"\1 \2"),
    _Slip(re.compile(r"([,;:])\1+|(?<!\.)(\.)\.(?!\.)"), "`{}` stands twice.", r"\1\2"),
    _Slip(re.compile(r"(?<=[a-zß-ÿ]{5})(\.)[,;:](?=\s|\Z)|[,;:](\.)(?=\s|\Z)"), "There is a mark too many.", r"\1\2"),
    _Slip(re.compile(r"[(\[]\s|\s[)\]]"), "There is a blank inside the bracket.", ""),
)
_CAPITALS = re.compile(r"\b(?!IJ)[A-ZÀ-Þ]{2}(?:[a-zß-ÿ]{2,}|[a-rt-zß-ÿ]\b)")
_NEW_SENTENCE = re.compile(rf"{_LETTER}{{5}}[.!?] +(?=([a-zß-ÿ]{{2,}}))")
_ENDS = re.compile(r"[.!?:…。！？؟۔।][\s)\]»”\"'’“›]*\Z")
_MARK = re.compile(rf"(?<=[\w)\]”])([{_BLANKS}]?)([;:!?»])(?=[\s)»”,.;]|\Z)")


def _find_punctuation(corpus: Corpus) -> Iterator[Diagnostic]:
    """A blank, stop or bracket too many or too few, a bracket or quotation mark without its partner, a small letter at
    the beginning of a sentence: what is never right, or is not the custom of the text."""
    for language, statement in corpus.each():
        for (start, end), message, help in (*_slips(statement), *_against_custom(corpus, statement, language)):
            place = statement.place(start, end)
            yield attrs.evolve(finding(PUNCTUATION.code, message, place, help), rule=statement.section)


PUNCTUATION = Check("punctuation", "R0923", "warning", _find_punctuation, as_written=True)

_Found: TypeAlias = tuple[tuple[int, int], str, Help | str]


def _slips(statement: Statement) -> Iterator[_Found]:
    """What is never right, with its place and a remedy."""
    text = _masked(statement.text)
    for slip in _SLIPS:
        for match in slip.found.finditer(text):
            instead = match.expand(slip.instead) if slip.instead else match[0].strip()
            yield match.span(), slip.message.format(match[0].strip()[:1]), write(instead, "Correct it.")
    for match in _CAPITALS.finditer(text):
        yield match.span(), f"`{match[0]}` begins with two capitals.", write(match[0].capitalize())
    lone = _lone(statement.spoken)
    if lone is not None:
        mark = statement.spoken[lone]
        yield (lone, lone + 1), f"`{mark}` has no partner.", "Add the partner, or remove this mark."


def _masked(text: str) -> str:
    """The text with digits in place of what stands in braces, as long as before."""
    return "".join("0" * len(piece) if position % 2 else piece for position, piece in enumerate(pieces_of(text)))


def _against_custom(corpus: Corpus, statement: Statement, language: str) -> Iterator[_Found]:
    """What most statements of the text have otherwise."""
    custom = _custom(corpus, language)
    text = _masked(statement.text)
    if custom.stop and not _ENDS.search(text):
        last = text[-1]
        help = "Write a stop." if last == "0" else write("." if last in ",;" else f"{last}.", "Write a stop.")
        yield (len(text) - 1, len(text)), "There is no stop at the end.", help
    small = [(match.start(1), match[1][0]) for match in _NEW_SENTENCE.finditer(text)]
    if custom.capital:
        small.append((0, text[:1]))
    for place, letter in small:
        if letter != letter.upper():
            yield (place, place + 1), "A sentence begins with a small letter.", write(letter.upper())
    for match in _MARK.finditer(text):
        if custom.spaced is not None and bool(match[1]) != custom.spaced:
            none = "no" if custom.spaced else "a"
            message = f"There is {none} blank before `{match[2]}`, unlike elsewhere in this text."
            yield match.span(), message, write(f"{_FIXED if custom.spaced else ''}{match[2]}", "Write it as elsewhere.")


@attrs.frozen
class _Custom:
    """How a text is written: with a stop at the end of each statement, a capital at its beginning, a blank before high
    marks (None: now so, now so)."""

    stop: bool
    capital: bool
    spaced: bool | None


def _custom(corpus: Corpus, language: str) -> _Custom:
    texts = tuple(statement.text for statement in corpus.text_in(language).statements)
    return corpus.memo.once(("custom", language, texts), lambda: _custom_of(texts, language))


def _custom_of(texts: Sequence[str], language: str) -> _Custom:
    stops, capitals, marks, spaced = (sum(column) for column in zip(*map(_written, texts), strict=True))
    usual = spaced >= _USUALLY * marks if marks >= _FEWEST else spaces_high_marks(language)
    if marks >= _FEWEST and usual is False and spaced > (1 - _USUALLY) * marks:
        usual = None
    return _Custom(stops >= _USUALLY * len(texts), capitals >= _USUALLY * len(texts), usual)


@functools.lru_cache(maxsize=20_000)
def _written(text: str) -> tuple[int, int, int, int]:
    """Whether a text ends with a stop and does not begin with a small letter; how many high marks it has, and how many
    of them with a blank before."""
    text = _masked(text)
    blanks = [bool(match[1]) for match in _MARK.finditer(text)]
    return bool(_ENDS.search(text)), text[:1] == text[:1].upper(), len(blanks), sum(blanks)


_PARTNERS = {"(": ")", "[": "]", "«": "»", "„": "“", "‚": "‘"}
_ENGLISH = {"(": ")", "[": "]", "«": "»", "“": "”"}


def _lone(text: str) -> int | None:
    """The place of the first mark without a partner."""
    partners = _PARTNERS if "„" in text else _ENGLISH
    closing = {shut: open_ for open_, shut in partners.items()}
    stack: list[tuple[str, int]] = []
    straight: int | None = None
    for place, character in enumerate(text):
        if character == '"':
            straight = place if straight is None else None
        elif character in partners:
            stack.append((character, place))
        elif character in closing:
            if not stack or stack[-1][0] != closing[character]:
                return place
            stack.pop()
    return stack[-1][1] if stack else straight


# ---------------------------------------------------------------- spelling


_WORD = re.compile(rf"{_LETTER}+")
_OFTEN = 3
"""How often a text says a word that is believed to be spelt right."""
_COMMONEST = 15
"""Words of a language that are as common as articles."""
_SHORTEST = 5
"""Letters of a word that is compared with others."""


@attrs.frozen
class _Vocabulary:
    """The words of one language's text in lower case: in how many statements each is, and how often it stands within a
    sentence with a capital, and without."""

    language: str
    statements: Counter[str]
    capitals: Counter[str]
    small: Counter[str]
    letters: frozenset[str]
    commonest: frozenset[str]

    def knows(self, word: str) -> bool:
        """Whether some other statement has the word too, or the lexicon."""
        return self.statements[word] > 1 or word in lexicon(self.language).function

    def near(self, word: str) -> Iterator[str]:
        """The words of several statements that differ in one letter, or in two that have changed places."""
        cuts = [(word[:place], word[place:]) for place in range(len(word) + 1)]
        tried = {a + b[1:] for a, b in cuts} | {a + b[1::-1] + b[2:] for a, b in cuts}
        tried |= {a + letter + rest for a, b in cuts[1:] for letter in self.letters for rest in (b, b[1:])}
        yield from (other for other in tried - {word} if self.statements[other] > 1)


def _find_spelling(corpus: Corpus) -> Iterator[Diagnostic]:
    """A word that no other statement has is, but for a slip of the pen, one that many have; or it is a word of another
    language of the game; or it has a small letter where it has a capital everywhere else."""
    known = {language: _vocabulary(corpus, language) for language in corpus.languages}
    title = corpus.linked.game.title or ""
    for _, group in corpus.groups():
        for language, statement in group.items():
            others = [
                known[name] for name, other in group.items() if name != language and not _copied(statement, other)
            ]
            text = _masked(statement.text).replace(title, " " * len(title))  # a title is the same in every language
            if len(others) == len(group) - 1:  # a copy is told as such
                yield from _misspelt(statement, text, known[language], others)


def _misspelt(
    statement: Statement, text: str, ours: _Vocabulary, others: Sequence[_Vocabulary]
) -> Iterator[Diagnostic]:
    """The words of a statement that are not as they should be; of several of another language the first."""
    for match in _WORD.finditer(text):
        word = match[0].lower()
        found = _lost_capital(match, ours)
        if found is None and not ours.knows(word):
            found = _foreign(match, ours, others)
            others = () if found else others
            found = found or _slip(match, ours)
        if found is not None:
            message, help = found
            place = statement.place(*match.span())
            yield attrs.evolve(finding(SPELLING.code, message, place, help), rule=statement.section)


def _copied(statement: Statement, other: Statement) -> bool:
    """Whether a statement was copied from another language: that is told as such."""
    ours, theirs = _words(statement.text)[0], _words(other.text)[0]
    return len(ours & theirs) > 0.7 * len(ours)


SPELLING = Check("spelling", "R0932", "warning", _find_spelling)


def _vocabulary(corpus: Corpus, language: str) -> _Vocabulary:
    texts = tuple(statement.text for statement in corpus.text_in(language).statements)
    return corpus.memo.once(("vocabulary", language, texts), lambda: _vocabulary_of(language, texts))


def _vocabulary_of(language: str, texts: Sequence[str]) -> _Vocabulary:
    statements, capitals, small = Counter[str](), Counter[str](), Counter[str]()
    for text in texts:
        every, within = _words(text)
        statements.update(every)
        for word in within:
            (small if word == word.lower() else capitals)[word.lower()] += 1
    common = frozenset(word for word, _ in statements.most_common(_COMMONEST))
    return _Vocabulary(language, statements, capitals, small, frozenset().union(*statements), common)


@functools.lru_cache(maxsize=20_000)
def _words(text: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """The words of a text in lower case, those between its plural forms' braces included; and as they are written
    those that do not begin a sentence."""
    masked = _masked(text)
    within = tuple(m[0] for m in _WORD.finditer(masked) if _BEFORE_WORD.search(masked, 0, m.start()))
    return frozenset(word.lower() for word in _WORD.findall(text)), within


_ELIDED = re.compile("['’]")
_BEFORE_WORD = re.compile(rf"(?:{_LETTER}|[,;])[ {_FIXED}]\Z")
_Remark: TypeAlias = tuple[str, Help | str]


def _lost_capital(match: re.Match[str], ours: _Vocabulary) -> _Remark | None:
    """A word that within sentences has a capital everywhere else."""
    word = match[0]
    if word != word.lower() or len(word) == 1 or ours.small[word] > 1:
        return None
    asks = match.string[: match.start()].endswith(", ") and not is_noun(word, ours.language)
    if ours.capitals[word] >= _OFTEN and not asks:  # a verb that is spelt as a noun is: draw one, lay it down
        return f"`{word}` has a capital everywhere else in this text.", write(word.capitalize())
    if lexicon(ours.language).capitals and word not in lexicon(ours.language).function and _is_noun(match, ours):
        return f"`{word}` is a noun and needs a capital.", write(word.capitalize())
    return None


def _is_noun(match: re.Match[str], ours: _Vocabulary) -> bool:
    """Whether a word without a capital is a noun all the same: the text has it with one, or a dictionary has it only
    so, or it is counted."""
    word = match[0]
    if is_noun(word, ours.language) or len(word) < _SHORTEST:
        return is_noun(word, ours.language) and max(ours.capitals[word], len(word) - _SHORTEST + 1) > 0
    before = numbers(match.string[: match.start()], ours.language)
    counted = any(number.end == match.start() - 1 and number.value > 1 for number in before)
    return counted and is_noun(word.capitalize(), ours.language)


def _foreign(match: re.Match[str], ours: _Vocabulary, others: Sequence[_Vocabulary]) -> _Remark | None:
    """A little word of another language of the game, which this one does not have: one of its commonest, or one that
    no dictionary of this language has."""
    word = match[0].lower()
    if len(word) == 1 or (match[0] != word and len(word) < _SHORTEST):
        return None
    known = [in_dictionary(form, ours.language) for form in {match[0], word}]
    found = _unknown_here(word, others) if set(known) == {False} else ()
    if not found and match[0] == word:
        theirs = [v for v in others if word in lexicon(v.language).function and v.statements[word] > 1]
        found = theirs if any(word in v.commonest for v in theirs) else ()
    if not found:
        return None
    help = f"Translate it. If it is right in {ours.language}, give the reason with `ignore`."
    return f"`{word}` is a word of another language ({found[0].language}).", help


def _unknown_here(word: str, others: Sequence[_Vocabulary]) -> Sequence[_Vocabulary]:
    """The languages that a word which no dictionary of this language has is from: as a little word, or as a word that
    only one of their texts has."""
    found = [vocabulary for vocabulary in others if word in lexicon(vocabulary.language).function]
    having = [vocabulary for vocabulary in others if vocabulary.statements[word]]
    return found or (having if len(word) >= _SHORTEST and len(having) == 1 else ())


def _slip(match: re.Match[str], ours: _Vocabulary) -> _Remark | None:
    """A word that no dictionary has, and that is one slip of the pen away from a word that the text has more often, or
    that a dictionary has."""
    word, language = match[0].lower(), ours.language
    is_name = not lexicon(language).capitals and ours.capitals[word] > ours.small[word]
    if len(word) < _SHORTEST - 1 or is_name or _ELIDED.match(match.string, match.end()):
        return None
    if in_dictionary(word, language) is not False or match.string[match.end() :].startswith("-"):
        return None
    near = nearest(word, language)
    if near is None and len(word) >= _SHORTEST:
        near = max(ours.near(word), key=lambda other: ours.statements[other], default=None)
        if near is None or (lexicon(language).joints and stem(near, language) == stem(word, language)):
            return None  # dictionaries do not have every compound
    if near is None:
        return None
    right = near.capitalize() if match[0] != word else near
    return f"`{match[0]}` may be a slip of the pen for `{right}`.", write(right)


CHECKS = (REPEATED_WORD, PUNCTUATION, SPELLING)
