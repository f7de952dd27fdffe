"""Remedies for rulebook texts: a section for what is not spoken of, a language for a text."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rulelang.fixes import Append, Below, Edit, Fix, Help, Replace
from rulelang.syntax import tree

from .model import RulebookText


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
    edit: Edit = Replace(line, game.span, before) if game.languages else Below(line, game.span, deeper=1, past="block")
    return Help(f"Add it: `{line}`.", (Fix(f"Add `{line}`", (edit,)),))
