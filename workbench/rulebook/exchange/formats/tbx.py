"""TBX-Basic (ISO 30042:2019, style DCA): the glossary for translators' tools; read also in the older martif form.

Terms read back are added, put in order and forbidden; a term that the file does not have stays, so that a tool that
knows only preferred terms loses nothing. The file of the glossary keeps its layout and its comments.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from rulelang.diagnostics import RulesError, Sink
from rulelang.files.contents import content
from rulelang.files.folder import GameFiles

from ...glossary import Concept, Glossary, read_glossary
from ..units import ExchangeError, primary, unprintable
from .xml import LANG, attributes, escape, local, parse

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element


_PREFERRED = "preferredTerm-admn-sts"
_DEPRECATED = "deprecatedTerm-admn-sts"


def write_tbx(glossary: Glossary, name: str, language: str) -> str:
    """The glossary as a term base whose notes are in ``language``. Raises ExchangeError."""
    head = attributes(
        {"style": "dca", "type": "TBX-Basic", "xml:lang": language, "xmlns": "urn:iso:std:iso:30042:ed-2"}
    )
    title = f"<titleStmt><title>{escape(name)}</title></titleStmt>"
    source = f"<sourceDesc><p>{escape(f'glossary of {name}')}</p></sourceDesc>"
    entries = "\n".join(_concept(concept, number) for number, concept in enumerate(glossary.concepts.values(), 1))
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f"<tbx{head}>\n<tbxHeader><fileDesc>{title}{source}</fileDesc></tbxHeader>\n"
        f"<text><body>\n{entries}\n</body></text>\n</tbx>\n"
    )


def _concept(concept: Concept, number: int) -> str:
    id_ = concept.id if re.fullmatch(r"[A-Za-z_][\w.\-]*", concept.id) else f"concept-{number}"
    out = [f"<conceptEntry{attributes(id=id_)}>"]
    if concept.note:
        out.append(f"<note>{_words(concept.note, concept)}</note>")
    for language in sorted(concept.terms.keys() | concept.forbidden.keys()):
        out.append(f"<langSec{attributes({'xml:lang': language})}>")
        terms = concept.terms.get(language, ())
        for position, term in enumerate(terms):
            kind = "fullForm" if position == 0 else "variant"
            out.append(_term(term, concept, kind, _PREFERRED if position == 0 else "admittedTerm-admn-sts"))
        out += [_term(term, concept, "fullForm", _DEPRECATED) for term in concept.forbidden.get(language, ())]
        out.append("</langSec>")
    return "\n".join([*out, "</conceptEntry>"])


def _term(term: str, concept: Concept, kind: str, status: str) -> str:
    notes = f'<termNote type="termType">{kind}</termNote><termNote type="administrativeStatus">{status}</termNote>'
    return f"<termSec><term>{_words(term, concept)}</term>{notes}</termSec>"


def _words(text: str, concept: Concept) -> str:
    """Notes may be written over several lines."""
    text = " ".join(text.split())
    bad = unprintable(text)
    if bad is not None:
        raise ExchangeError(f"{concept.span}: `{concept.id}` holds the character {bad}; delete it.")
    return escape(text)


# ---------------------------------------------------------------- reading


_FORBIDDEN = ("deprecatedTerm-admn-sts", "supersededTerm-admn-sts", "deprecated", "superseded", "notRecommended")
_PREFERRED_STATUS = ("preferredTerm-admn-sts", "preferred")
_UNNAMED = re.compile(r"concept-([0-9]+)")


@attrs.frozen
class Terms:
    """One concept of a file: by language its terms, the preferred one first, and those that must not be used."""

    id: str
    terms: Mapping[str, tuple[str, ...]]
    forbidden: Mapping[str, tuple[str, ...]]
    note: str | None


@attrs.frozen
class TermChange:
    """``key``: a language or ``not_`` with a language; ``old`` None where the glossary had nothing there."""

    concept: str
    key: str
    old: tuple[str, ...] | None
    new: tuple[str, ...]


@attrs.frozen
class TermsPlan:
    """``content``: the whole glossary as it will be; ``notes``: what to know besides."""

    path: Path
    content: str
    changes: tuple[TermChange, ...]
    notes: tuple[str, ...]


def read_tbx(text: str) -> tuple[Terms, ...]:
    """The concepts of a TBX file. Raises ExchangeError."""
    root = parse(text, "TBX")
    if local(root) not in ("tbx", "martif"):
        raise ExchangeError(f"This is not a TBX file: its outermost element is <{local(root)}>.")
    entries = [e for e in root.iter() if local(e) in ("conceptEntry", "termEntry")]
    if not entries:
        raise ExchangeError("The file has no concept.")
    found = tuple(_read_concept(entry, number) for number, entry in enumerate(entries, 1))
    twice = [id_ for id_, count in Counter(terms.id for terms in found).items() if count > 1]
    if twice:
        raise ExchangeError(f"The file has concepts twice: {', '.join(f'`{id_}`' for id_ in twice)}.")
    return found


def _read_concept(entry: Element, number: int) -> Terms:
    id_ = entry.get("id") or f"concept-{number}"
    terms: dict[str, tuple[str, ...]] = {}
    forbidden: dict[str, tuple[str, ...]] = {}
    for section in (e for e in entry if local(e) in ("langSec", "langSet")):
        language = primary(section.get(LANG) or section.get("lang"))
        if not language:
            raise ExchangeError(f"`{id_}` has terms in no language.")
        rows = [_read_term(e, id_) for e in section.iter() if local(e) in ("termSec", "tig", "ntig")]
        good = sorted(
            (row for row in rows if row[1] not in _FORBIDDEN), key=lambda row: row[1] not in _PREFERRED_STATUS
        )
        bad = [term for term, status in rows if status in _FORBIDDEN]
        both = sorted({term for term, _ in good} & set(bad))
        if both:
            raise ExchangeError(f"`{id_}` has {both[0]!r} in `{language}` as a term and as a word not to be used.")
        terms[language] = tuple(dict.fromkeys([*terms.get(language, ()), *(term for term, _ in good)]))
        forbidden[language] = tuple(dict.fromkeys([*forbidden.get(language, ()), *bad]))
    notes = [" ".join("".join(e.itertext()).split()) for e in entry if local(e) == "note"]
    return Terms(id_, terms, forbidden, notes[0] if notes else None)


def _read_term(section: Element, id_: str) -> tuple[str, str]:
    """A term and its status."""
    words = next((" ".join("".join(e.itertext()).split()) for e in section.iter() if local(e) == "term"), "")
    if not words:
        raise ExchangeError(f"`{id_}` has an empty term.")
    bad = unprintable(words)
    if bad is not None:
        raise ExchangeError(f"`{id_}` holds the character {bad}; delete it.")
    status = ""
    for note in section.iter():
        if local(note) == "administrativeStatus" or note.get("type") == "administrativeStatus":
            status = "".join(note.itertext()).strip()
    return words, status


# ---------------------------------------------------------------- what they change


def plan_terms(files: GameFiles, concepts: Sequence[Terms], language: str | None = None) -> TermsPlan:
    """What a file's terms change in the glossary of a game; ``language``: only that one.

    Raises ExchangeError (nothing in that language) and RulesError (mistakes in the glossary).
    """
    import tomlkit

    assert files.game is not None
    path = files.root / "text" / "glossary.toml"
    sink = Sink()
    glossary = read_glossary(path.parent, sink, files.sources)
    if sink.has_errors:
        raise RulesError(sink, files.sources)
    known = {} if glossary is None else dict(glossary.concepts)
    spoken = {code for terms in concepts for code in (*terms.terms, *terms.forbidden)}
    wanted = [code for code in files.game.languages if code in spoken and language in (None, code)]
    if not wanted:
        what = f"in `{language}`" if language else f"in a language of {files.game.name}"
        raise ExchangeError(f"The file has no term {what}, but in {', '.join(sorted(spoken)) or 'none'}.")
    text = content(path, files.root).decode("utf-8") if glossary is not None else ""
    document = tomlkit.parse(text)
    changes: list[TermChange] = []
    for terms in concepts:
        concept = _known_concept(terms, known)
        table = None if concept is None else document["concept"][list(known).index(concept.id)]
        found = list(_changes(terms, concept, wanted))
        if found and table is None:
            table = _new_concept(document, terms)
        for change in found:
            table[change.key] = _array(change.new, table.get(change.key))  # type: ignore[index,union-attr]
        changes += found
    left = ", ".join(f"`{code}`" for code in sorted(spoken - set(files.game.languages)))
    notes = [f"Terms in {left} are left out: the game does not name these languages."] if left else []
    return TermsPlan(path, tomlkit.dumps(document), tuple(changes), tuple(notes))


def _known_concept(terms: Terms, known: Mapping[str, Concept]) -> Concept | None:
    """The concept that is meant; one whose id no file can carry went out by its number."""
    number = _UNNAMED.fullmatch(terms.id)
    if terms.id not in known and number is not None and 0 < int(number[1]) <= len(known):
        return list(known.values())[int(number[1]) - 1]
    return known.get(terms.id)


def _changes(terms: Terms, concept: Concept | None, wanted: Sequence[str]) -> Iterator[TermChange]:
    for code in wanted:
        old = concept.terms.get(code) if concept is not None else None
        old_bad = concept.forbidden.get(code) if concept is not None else None
        new, bad = terms.terms.get(code, ()), terms.forbidden.get(code, ())
        kept = [term for term in old or () if term not in bad]
        whole = tuple(dict.fromkeys([*new, *kept]))
        whole_bad = tuple(term for term in dict.fromkeys([*(old_bad or ()), *bad]) if term not in new)
        id_ = terms.id if concept is None else concept.id
        if whole and whole != (old or ()):
            yield TermChange(id_, code, old, whole)
        if whole_bad and whole_bad != (old_bad or ()):
            yield TermChange(id_, f"not_{code}", old_bad, whole_bad)


def _new_concept(document: Any, terms: Terms) -> Any:
    """A new concept at the end of the glossary."""
    import tomlkit

    if "concept" not in document:
        document["concept"] = tomlkit.aot()
    table = tomlkit.table()
    table["id"] = terms.id
    if terms.note:
        table["note"] = terms.note
    document["concept"].append(table)
    return document["concept"][-1]


def _array(words: Sequence[str], before: Any) -> Any:
    """A list of words, with the comment that stands behind the list it takes the place of."""
    import tomlkit

    array = tomlkit.array()
    array.extend(words)
    if before is not None:
        array.trivia.comment_ws, array.trivia.comment = before.trivia.comment_ws, before.trivia.comment
    return array
