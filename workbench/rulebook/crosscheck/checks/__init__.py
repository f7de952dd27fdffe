"""The checks: one module each, with the code of its findings and one function that yields them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import attrs

from rulelang.diagnostics import Diagnostic, Severity

from ...corpus import Corpus
from . import (
    agreement,
    clause,
    copied,
    damage,
    dangling,
    edited,
    forbidden_term,
    form,
    loose_number,
    meaning,
    missing,
    modality,
    number,
    placeholder,
    quantifier,
    quotes,
    repeated_word,
    sign,
    stale,
    term,
    witness,
)


@attrs.frozen
class Check:
    """``name`` is what people silence it by, ``code`` what its findings carry.

    ``severity``: of findings in rulebook texts and maps; how source documents differ from one another is always a note.
    ``guards``: it watches over what people have confirmed, so no reason silences it.
    """

    name: str
    code: str
    severity: Severity
    find: Callable[[Corpus], Iterator[Diagnostic]]
    guards: bool = False


CHECKS = (
    Check("number", number.CODE, "error", number.find),
    Check("sign", sign.CODE, "note", sign.find),
    Check("loose-number", loose_number.CODE, "warning", loose_number.find),
    Check("placeholder", placeholder.CODE, "error", placeholder.find),
    Check("term", term.CODE, "warning", term.find),
    Check("forbidden-term", forbidden_term.CODE, "warning", forbidden_term.find),
    Check("modality", modality.CODE, "warning", modality.find),
    Check("quantifier", quantifier.CODE, "warning", quantifier.find),
    Check("meaning", meaning.CODE, "warning", meaning.find),
    Check("witness", witness.CODE, "warning", witness.find),
    Check("form", form.CODE, "warning", form.find),
    Check("agreement", agreement.CODE, "warning", agreement.find),
    Check("clause", clause.CODE, "warning", clause.find),
    Check("missing", missing.CODE, "error", missing.find),
    Check("stale", stale.CODE, "warning", stale.find, guards=True),
    Check("edited", edited.CODE, "warning", edited.find, guards=True),
    Check("copy", copied.CODE, "warning", copied.find),
    Check("dangling", dangling.CODE, "error", dangling.find),
    Check("repeated-word", repeated_word.CODE, "warning", repeated_word.find),
    Check("quotes", quotes.CODE, "warning", quotes.find),
    Check("damage", damage.CODE, "warning", damage.find),
)

GUARDS = frozenset(check.name for check in CHECKS if check.guards)
"""Names of the checks that no reason silences."""

NAMES = {check.code: check.name for check in CHECKS}
"""Code to name."""

__all__ = ["CHECKS", "GUARDS", "NAMES", "Check"]
