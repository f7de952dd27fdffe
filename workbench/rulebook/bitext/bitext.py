"""Bitexts: two or more documents in different languages, opened, aligned with what people decided, and compared.

Linked passages are put together in blocks. Two documents may cut and phrase their texts freely, so of the
contradictions between them (numbers, negation, order, direction, comparison, bounds, duty, conditions, persons, only
and exactly) only what one says and the other does not say at all, or says the other way round, is flagged; what a
language has no words for is not compared. Terms are words, and pairs of words, that come together again and again in
linked passages.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, Literal, TypeAlias

import attrs

from ...web import asset, page
from ..align import Alignment, Text, align
from ..align.constraints import Constraints, Pin, constraints
from ..align.documents import Input, UnusableInput, open_input
from ..align.segment import fold
from ..exchange.formats.tmx import tmx_head
from ..exchange.formats.xml import attributes, escape
from ..languages.lexicon import PoleWord, covered_classes, knows_force, lexicon, modality, pole_words
from ..languages.locale import stem
from ..languages.numbers import lacking, numbers

MOST_PAIRS = 500_000
_FEWEST = 2


@attrs.frozen
class Disagreement:
    """A contradiction between two documents (indices) of a block."""

    left: int
    right: int
    found: Contradiction


@attrs.frozen
class Bitext:
    """``alignments``: of the first document with each of the others; ``flags``: by block (index); ``lost``: decisions
    about lines that the documents do not have."""

    inputs: tuple[Input, ...]
    alignments: tuple[Alignment, ...]
    decided: tuple[Constraints, ...]
    blocks: tuple[BitextBlock, ...]
    flags: dict[int, tuple[Disagreement, ...]]
    terms: tuple[TermPair, ...]
    lost: tuple[Pin, ...]

    @property
    def texts(self) -> tuple[Text, ...]:
        return tuple(each.text for each in self.inputs)


def open_all(paths: Sequence[Path], languages: Sequence[str] | None) -> tuple[Input, ...]:
    """The documents. ``languages``: one for each; None: guessed. Raises UnusableInput."""
    if len(paths) < _FEWEST:
        raise UnusableInput("name two documents or more that say the same in different languages")
    if languages is not None and len(languages) != len(paths):
        raise UnusableInput(f"--languages names {len(languages)} for {len(paths)} documents; name one for each")
    inputs = tuple(open_input(path, languages[n] if languages else None) for n, path in enumerate(paths))
    for a, b in combinations(inputs, 2):
        _check_pair(a, b, given=languages is not None)
    return inputs


def _check_pair(a: Input, b: Input, *, given: bool) -> None:
    if a.text.name == b.text.name:
        raise UnusableInput(f"{a.path} and {b.path} are both called {a.text.name}; rename one of them")
    if a.text.lines == b.text.lines:
        raise UnusableInput(f"{a.path} and {b.path} hold the same text; give its translation")
    if a.text.language == b.text.language and not given:
        raise UnusableInput(
            f"{a.path} and {b.path} both seem to be in `{a.text.language}`; if that is wrong, name the languages with "
            "--languages"
        )
    if a.text.language == b.text.language:
        raise UnusableInput(f"{a.path} and {b.path} are both in `{a.text.language}`; their languages must differ")
    pairs = len(a.text.sentences) * len(b.text.sentences)
    if pairs > MOST_PAIRS:
        raise UnusableInput(
            f"{len(a.text.sentences):,} sentences by {len(b.text.sentences):,} are too many to compare at once; give "
            "the chapters one by one"
        )


def read_bitext(
    inputs: Sequence[Input], pins: Sequence[Pin], progress: Callable[[int], None] = lambda done: None
) -> Bitext:
    """Everything about the documents. Raises PinError where decisions contradict one another."""
    first, *others = [each.text for each in inputs]
    decided = tuple(constraints(pins, first, other) for other in others)
    alignments = tuple(
        align(first, other, same=known.same, different=known.different, progress=progress)
        for other, known in zip(others, decided, strict=True)
    )
    made = blocks((first, *others), alignments)
    flags = {n: found for n, block in enumerate(made) if (found := _flags(block, (first, *others)))}
    lost = tuple(pin for known in decided for pin in known.lost)
    return Bitext(tuple(inputs), alignments, decided, made, flags, terms((first, *others), made), lost)


def _flags(block: BitextBlock, texts: Sequence[Text]) -> tuple[Disagreement, ...]:
    return tuple(
        Disagreement(a, b, found)
        for (a, one), (b, other) in combinations(said(block, texts), 2)
        for found in contradictions(one, texts[a].language, other, texts[b].language)
    )


# ---------------------------------------------------------------- blocks


Verdict: TypeAlias = Literal["same", "proposed"]


@attrs.frozen
class BitextBlock:
    """``passages``: for each document (index), the passages (indices) in order; none where it says nothing of it.

    ``confidence``: of its weakest link, 0 to 1; ``verdict``: ``same`` if a person confirmed every link.
    """

    passages: tuple[tuple[int, ...], ...]
    confidence: float
    verdict: Verdict


def blocks(texts: Sequence[Text], alignments: Sequence[Alignment]) -> tuple[BitextBlock, ...]:
    """The blocks in the order of the first text. ``alignments``: of the first text with each of the others."""
    roots: dict[tuple[int, int], tuple[int, int]] = {}

    def root(node: tuple[int, int]) -> tuple[int, int]:
        while roots.setdefault(node, node) != node:
            roots[node] = roots[roots[node]]
            node = roots[node]
        return node

    sure: list[tuple[tuple[int, int], float, bool]] = []
    for other, alignment in enumerate(alignments, 1):
        for link in alignment.links:
            roots[root((other, link.right))] = root((0, link.left))
            sure.append(((0, link.left), link.confidence, link.evidence.pinned))
    groups: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for node in sorted(roots):
        groups.setdefault(root(node), []).append(node)
    found = []
    for top, nodes in groups.items():
        links = [(confidence, pinned) for node, confidence, pinned in sure if root(node) == top]
        passages = tuple(tuple(p for document, p in nodes if document == number) for number in range(len(texts)))
        verdict: Verdict = "same" if all(pinned for _, pinned in links) else "proposed"
        found.append(BitextBlock(passages, min((c for c, _ in links), default=0.0), verdict))
    return tuple(sorted(found, key=lambda block: block.passages))


def said(block: BitextBlock, texts: Sequence[Text]) -> Iterator[tuple[int, str]]:
    """What a block says in each document that has it."""
    for number, (text, passages) in enumerate(zip(texts, block.passages, strict=True)):
        if passages:
            yield number, " ".join(text.said(text.pieces[p]) for p in passages)


# ---------------------------------------------------------------- contradictions


_OPPOSED = (
    ("side", "left", "right"),
    ("turning", "clockwise", "counter"),
    ("order", "first", "last"),
    ("time", "before", "after"),
    ("face", "up", "down"),
    ("height", "top", "bottom"),
    ("place", "front", "behind"),
    ("amount", "more", "fewer"),
    ("rank", "highest", "lowest"),
    ("size", "higher", "lower"),
    ("most", "most", "fewest"),
    ("bound", "at least", "at most"),
    ("change", "gain", "loss"),
)
"""Axes with two poles: where one language has more of the one, the other language has more of the other."""

_CONDITIONS = ("unless", "even if", "as long as")
"""Conditions that languages say by few means; *if* is said by too many."""
_ACTORS = ("rival", "owner")
"""Persons that are named; *you* is often left to the verb."""
_LIMITS = ("only", "exactly")
_DUTIES = ("must", "may")
_SHORT = 160
"""Characters up to which two languages say no equally often; longer passages are phrased too freely."""


@attrs.frozen
class Contradiction:
    """``kind``: ``number``, ``negation``, ``duty`` or an axis. ``one``, ``other``: what either side says."""

    kind: str
    one: str
    other: str


def contradictions(one: str, language: str, other: str, other_language: str) -> tuple[Contradiction, ...]:
    """What two texts that should say the same say otherwise, the gravest first."""
    sides = (one, language, other, other_language)
    return (*_lacking_numbers(*sides), *_poles(*sides), *_negations(*sides), *_duty(*sides), *_named(*sides))


def _lacking_numbers(one: str, language: str, other: str, other_language: str) -> Iterator[Contradiction]:
    ours = [one[n.start : n.end] for n in lacking(one, other, language, other_language)]
    theirs = [other[n.start : n.end] for n in lacking(other, one, other_language, language)]
    if ours or theirs:
        yield Contradiction("number", ", ".join(dict.fromkeys(ours)), ", ".join(dict.fromkeys(theirs)))


def _poles(one: str, language: str, other: str, other_language: str) -> Iterator[Contradiction]:
    ours, theirs = _by_name(one, language), _by_name(other, other_language)
    known = covered_classes(language) & covered_classes(other_language)
    for axis, first, second in _OPPOSED:
        if axis not in known:
            continue
        poles = (first, second)
        here, there = (Counter({name: len(said.get(name, ())) for name in poles}) for said in (ours, theirs))
        if len(gone := +(here - there)) == len(extra := +(there - here)) == 1 and gone.keys() != extra.keys():
            yield Contradiction(axis, _quoted(one, ours[min(gone)]), _quoted(other, theirs[min(extra)]))


def _negations(one: str, language: str, other: str, other_language: str) -> Iterator[Contradiction]:
    if not {"not"} <= covered_classes(language) & covered_classes(other_language):
        return
    ours, theirs = (_by_name(text, code).get("not", []) for text, code in ((one, language), (other, other_language)))
    count = len if max(len(one), len(other)) <= _SHORT else bool
    if count(ours) != count(theirs):
        yield Contradiction("negation", _quoted(one, ours), _quoted(other, theirs))


def _duty(one: str, language: str, other: str, other_language: str) -> Iterator[Contradiction]:
    if not (knows_force(language, "modality") and knows_force(other_language, "modality")):
        return
    sides = ((one, language), (other, other_language))
    ours, theirs = ({name for name in modality(text, code) if name in _DUTIES} for text, code in sides)
    if len(ours) == len(theirs) == 1 and ours != theirs:
        yield Contradiction("duty", ours.pop(), theirs.pop())


def _named(one: str, language: str, other: str, other_language: str) -> Iterator[Contradiction]:
    """A condition, a person or a limit that one text names and the other does not; short passages only."""
    if max(len(one), len(other)) > _SHORT:
        return
    ours, theirs = _by_name(one, language), _by_name(other, other_language)
    known = covered_classes(language) & covered_classes(other_language)
    for kind, names in (("condition", _CONDITIONS), ("actor", _ACTORS), ("limit", _LIMITS)):
        here, there = ({name for name in names if name in said and name in known} for said in (ours, theirs))
        if here != there:
            gone, new = (
                [word for name in names if name in more for word in said[name]]
                for more, said in ((here - there, ours), (there - here, theirs))
            )
            yield Contradiction(kind, _quoted(one, gone), _quoted(other, new))


def _by_name(text: str, language: str) -> Mapping[str, list[PoleWord]]:
    found: dict[str, list[PoleWord]] = {}
    for word in pole_words(text, language):
        found.setdefault(word.name, []).append(word)
    return found


def _quoted(text: str, said: list[PoleWord]) -> str:
    return ", ".join(dict.fromkeys(text[word.start : word.end] for word in said))


# ---------------------------------------------------------------- terms


_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_OFTEN = 2
"""Blocks in which both must come together, at least."""
_ALIKE = 0.6
"""Dice's coefficient of the blocks in which the two come."""
_LONGER = 0.001
"""Of two phrases that come in the same blocks the longer one is the term."""

Phrase = tuple[str, ...]


@attrs.frozen
class TermPair:
    """A proposed pair of terms of the first document and another one (index ``other``), as they are written.

    ``together``: blocks that have both; ``left_in``, ``right_in``: blocks that have either.
    """

    other: int
    left: str
    right: str
    together: int
    left_in: int
    right_in: int


def terms(texts: Sequence[Text], blocks: Iterable[BitextBlock]) -> tuple[TermPair, ...]:
    """The proposed terms, the commonest first: pairs that are each other's best."""
    found: list[TermPair] = []
    told = [dict(said(block, texts)) for block in blocks]
    for other in range(1, len(texts)):
        both = [(block[0], block[other]) for block in told if 0 in block and other in block]
        found += _term_pairs(other, both, texts[0].language, texts[other].language)
    return tuple(sorted(found, key=lambda t: (t.other, -t.together, t.left)))


def _term_pairs(other: int, both: Sequence[tuple[str, str]], language: str, other_language: str) -> list[TermPair]:
    left_words, right_words = _PhraseIndex(language), _PhraseIndex(other_language)
    for number, (one, two) in enumerate(both):
        left_words.add(number, one)
        right_words.add(number, two)
    together: dict[tuple[Phrase, Phrase], int] = Counter(
        (a, b) for number in range(len(both)) for a in left_words.often_in(number) for b in right_words.often_in(number)
    )
    scores: dict[tuple[Phrase, Phrase], float] = {}
    for (a, b), number in together.items():
        score = 2 * number / (len(left_words.where[a]) + len(right_words.where[b]))
        if number >= _OFTEN and score >= _ALIKE:
            scores[a, b] = score + _LONGER * (len(a) + len(b))
    best_left, best_right = _best(scores, 0), _best(scores, 1)
    chosen = [pair for pair in scores if best_left[pair[0]] == pair[1] and best_right[pair[1]] == pair[0]]
    chosen = [pair for pair in chosen if not any(_is_part(pair, whole, together) for whole in chosen)]
    return [
        TermPair(other, left_words.written(a), right_words.written(b), together[a, b], len(left_words.where[a]),
             len(right_words.where[b]))
        for a, b in chosen
    ]  # fmt: skip


def _best(scores: Mapping[tuple[Phrase, Phrase], float], side: int) -> dict[Phrase, Phrase]:
    found: dict[Phrase, tuple[float, Phrase]] = {}
    for pair, score in sorted(scores.items()):
        mine, other = pair[side], pair[1 - side]
        if mine not in found or score > found[mine][0]:
            found[mine] = (score, other)
    return {mine: other for mine, (_, other) in found.items()}


def _is_part(
    pair: tuple[Phrase, Phrase], whole: tuple[Phrase, Phrase], together: Mapping[tuple[Phrase, Phrase], int]
) -> bool:
    """Whether a pair only comes as a part of a longer one."""
    inside = set(pair[0]) <= set(whole[0]) and set(pair[1]) <= set(whole[1])
    return pair != whole and inside and together[pair] <= together[whole]


class _PhraseIndex:
    """The phrases of one language: in which blocks they come, and how they are written."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.where: dict[Phrase, set[int]] = defaultdict(set)
        self.surface: dict[Phrase, Counter[str]] = defaultdict(Counter)
        self.inside: dict[int, set[Phrase]] = defaultdict(set)

    def add(self, number: int, text: str) -> None:
        function = lexicon(self.language).function
        counted = [(n.start, n.end) for n in numbers(text, self.language)]
        tokens = [m for m in _WORD.finditer(text) if not any(a <= m.start() < b for a, b in counted)]
        turning = pole_words(text, self.language)  # "most" and "left" are no terms of a game
        for position, token in enumerate(tokens):
            if len(token[0]) < 2 or token[0].lower() in function:
                continue
            if not any(word.start <= token.start() < word.end for word in turning):
                self._put(number, (self._stem(token[0]),), token[0])
            following = tokens[position + 1] if position + 1 < len(tokens) else None
            if following is None or following[0].lower() in function or text[token.end() : following.start()] != " ":
                continue
            phrase = (self._stem(token[0]), self._stem(following[0]))
            self._put(number, phrase, f"{token[0]} {following[0]}")

    def _stem(self, word: str) -> str:
        return fold(stem(word, self.language))

    def _put(self, number: int, phrase: Phrase, text: str) -> None:
        self.where[phrase].add(number)
        self.surface[phrase][text] += 1
        self.inside[number].add(phrase)

    def often_in(self, number: int) -> list[Phrase]:
        return [phrase for phrase in self.inside[number] if len(self.where[phrase]) >= _OFTEN]

    def written(self, phrase: Phrase) -> str:
        """As it is written most often, rather without capitals."""
        counts = self.surface[phrase]
        return min(counts, key=lambda text: (-counts[text], not text.islower(), text))


# Writers of a bitext: a page to decide on, a translation memory (TMX 1.4b), and XLIFF 2.0 of two documents.
#
# On the page links are confirmed or cut with a click. It is one file that needs no server and no network; what is
# decided is kept by the browser as one goes, and leaves the page as a file of pins, which ``--pins`` reads.


_ASSETS = Path(__file__).parent / "assets"

# ---------------------------------------------------------------- HTML


def as_page(bitext: Bitext) -> str:
    """The whole page, with the decisions that the documents were read with."""
    names = ", ".join(text.name for text in bitext.texts)
    data = json.dumps(_page_data(bitext), ensure_ascii=False).replace("<", "\\u003c").replace("\u2028", "\\u2028")
    body, style, script = (asset(_ASSETS / f"page.{ending}") for ending in ("html", "css", "js"))
    body = body.replace("{{title}}", escape(names)).replace("{{data}}", data).replace("{{script}}", script)
    return page(f"{names}: links", "en", body, style)


def _page_data(bitext: Bitext) -> dict[str, Any]:
    return {
        "documents": [
            {
                "name": text.name,
                "language": text.language,
                "passages": [
                    {"lines": piece.lines, "text": text.said(piece), "kind": piece.kind or "rule"}
                    for piece in text.pieces
                    if any(c.isalnum() for c in text.said(piece))
                ],
            }
            for text in bitext.texts
        ],
        "links": list(_links(bitext)),
        "cut": _cut(bitext),
        "flags": _flags_by_passage(bitext),
        "terms": [
            {
                "other": t.other,
                "left": t.left,
                "right": t.right,
                "together": t.together,
                "of": max(t.left_in, t.right_in),
            }
            for t in bitext.terms
        ],
    }


def _links(bitext: Bitext) -> list[dict[str, Any]]:
    """Links by document and lines: the page knows nothing of indices, so that decisions outlive a new reading."""
    return [
        {
            "other": other,
            "left": alignment.left.pieces[link.left].lines,
            "right": alignment.right.pieces[link.right].lines,
            "confidence": round(link.confidence, 2),
            "verdict": "same" if link.evidence.pinned else "proposed",
            "why": [*(f"{a} = {b}" for a, b in link.evidence.words[:4]), *map(str, link.evidence.numbers)],
        }
        for other, alignment in enumerate(bitext.alignments, 1)
        for link in alignment.links
    ]


def _cut(bitext: Bitext) -> list[dict[str, Any]]:
    return [
        {"other": other, "left": alignment.left.pieces[p].lines, "right": alignment.right.pieces[q].lines}
        for other, (alignment, decided) in enumerate(zip(bitext.alignments, bitext.decided, strict=True), 1)
        for p, q in sorted(decided.different)
    ]


def _flags_by_passage(bitext: Bitext) -> list[dict[str, Any]]:
    """Contradictions, each at the first passage of its block in the first document that it is about."""
    found = []
    for number, flags in bitext.flags.items():
        for flag in flags:
            text, passages = bitext.texts[flag.left], bitext.blocks[number].passages[flag.left]
            found.append(
                {
                    "document": flag.left,
                    "lines": [text.pieces[p].lines for p in passages],
                    "other": flag.right,
                    "kind": flag.found.kind,
                    "one": flag.found.one,
                    "two": flag.found.other,
                }
            )
    return found


# ---------------------------------------------------------------- TMX and XLIFF


NOTHING = "nothing of it"


def as_tmx(bitext: Bitext) -> str:
    """Every block that at least two documents have; ``x-verdict`` says whether a person confirmed it."""
    out = [*tmx_head("block", bitext.texts[0].language), "</header>", "<body>"]
    for number, block, told in _linked(bitext):
        out.append(f"<tu{attributes(tuid=_block_id(number))}>")
        out.append(f'<prop type="x-verdict">{block.verdict}</prop>')
        out.append(f'<prop type="x-confidence">{block.confidence:.2f}</prop>')
        for document, text in told.items():
            language = attributes({"xml:lang": bitext.texts[document].language})
            out.append(f"<tuv{language}><seg>{escape(_printable(text))}</seg></tuv>")
        out.append("</tu>")
    return "\n".join([*out, "</body>", "</tmx>\n"])


def as_xliff(bitext: Bitext, other: int = 1) -> str:
    """The first document beside the one with index ``other``; confirmed links are ``reviewed``."""
    source, target = bitext.texts[0], bitext.texts[other]
    head = attributes(
        xmlns="urn:oasis:names:tc:xliff:document:2.0", version="2.0", srcLang=source.language, trgLang=target.language
    )
    units = []
    for number, block, told in _linked(bitext):
        if 0 not in told or other not in told:
            continue
        notes = "".join(
            f"<note{attributes(id=f'n{n}', category='contradiction')}>"
            f"{escape(_printable(f'{flag.found.kind}: {flag.found.one or NOTHING} / {flag.found.other or NOTHING}'))}"
            "</note>"
            for n, flag in enumerate(bitext.flags.get(number, ()), 1)
            if (flag.left, flag.right) == (0, other)
        )
        state = attributes(id="s1", canResegment="no", state="reviewed" if block.verdict == "same" else "translated")
        units.append(
            f"<unit{attributes(id=_block_id(number))}>\n{f'<notes>{notes}</notes>' if notes else ''}<segment{state}>\n"
            f"<source>{escape(_printable(told[0]))}</source>\n<target>{escape(_printable(told[other]))}</target>\n"
            "</segment>\n</unit>\n"
        )
    file = attributes({"id": "links", "original": f"{source.name}:{target.name}", "xml:space": "preserve"})
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<xliff{head}>\n<file{file}>\n{"".join(units)}</file>\n</xliff>\n'


def _linked(bitext: Bitext) -> Iterator[tuple[int, BitextBlock, dict[int, str]]]:
    for number, block in enumerate(bitext.blocks):
        told = dict(said(block, bitext.texts))
        if len(told) > 1:
            yield number, block, told


def _block_id(number: int) -> str:
    return f"b{number + 1}"


def _printable(text: str) -> str:
    """Without control characters, which XML cannot carry."""
    return "".join(c for c in text if c >= " " and c not in "\ufffe\uffff" and not "\ud800" <= c <= "\udfff")
