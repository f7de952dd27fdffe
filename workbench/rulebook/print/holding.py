"""Which statements hold under the settings in force, and which tell of another value of an option or a reading.

The section of a setting has a statement for each of its values: the default first, then the others in the order of the
rules. All but that of the value in force tell of a variant; so does every statement about a rule that cannot run.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence

import attrs

from rulelang.program import Program
from rulelang.program.analysis.in_force import in_force

from ..languages.catalogue import catalogues, say
from ..texts import RulebookText, Statement


@functools.cache
def _prefix() -> re.Pattern[str]:
    """What a statement begins with that tells of a variant, in any language that has a word for it."""
    words = "|".join(sorted({re.escape(say("aside", language).strip(" :\u00a0\u202f")) for language in catalogues()}))
    return re.compile(rf"(?:{words})[ \u00a0\u202f]?:[ \u00a0\u202f]*")


def without_sign(text: str) -> str:
    """A statement without the word that says that it tells of a variant."""
    plain = _prefix().sub("", text, count=1)
    return plain[:1].upper() + plain[1:]


@attrs.frozen
class Holding:
    """``settings``: ids of the statements of a setting, with whether they tell of the value in force.

    ``idle``: rules and options that cannot run.
    """

    settings: Mapping[str, bool]
    idle: frozenset[str]

    @classmethod
    def of(cls, text: RulebookText, programs: Sequence[Program]) -> Holding:
        """``programs``: those of all numbers of players that are printed."""
        found: dict[str, bool] = {}
        for name, setting in programs[0].settings.items():
            told = text.about(name)
            values = [setting.default, *(value for value in setting.domain.members if value != setting.default)]
            if len(told) == len(values):
                found |= {s.id: value == setting.value for s, value in zip(told, values, strict=True)}
        running = frozenset().union(*map(in_force, programs))
        return cls(found, frozenset(id_ for p in programs for id_ in p.rules) - running)

    def aside(self, statement: Statement) -> bool:
        """Whether it tells of something that does not hold."""
        known = self.settings.get(statement.id)
        return statement.section in self.idle if known is None else not known

    def worded(self, statement: Statement, variant: str) -> Statement:
        """The statement as it is printed: a variant begins with ``variant``, the word of the language; what holds does
        not."""
        plain = _prefix().sub("", statement.text, count=1)
        if self.aside(statement):
            text = statement.text if plain != statement.text else f"{variant}{statement.text}"
        else:
            text = without_sign(statement.text) if statement.id in self.settings else statement.text
        return attrs.evolve(statement, text=text)
