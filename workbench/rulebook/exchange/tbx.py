"""TBX-Basic (ISO 30042:2019, style DCA): the glossary for translators' tools."""

from __future__ import annotations

import re

from ..glossary import Concept, Glossary
from .units import ExchangeError, unprintable
from .xml import attributes, escape

_PREFERRED = "preferredTerm-admn-sts"
_DEPRECATED = "deprecatedTerm-admn-sts"


def write_tbx(glossary: Glossary, name: str, language: str) -> str:
    """The glossary as a term base whose notes are in ``language``. Raises ExchangeError."""
    head = attributes(style="dca", type="TBX-Basic", xml_lang=language, xmlns="urn:iso:std:iso:30042:ed-2")
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
        out.append(f"<langSec{attributes(xml_lang=language)}>")
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
