"""``rulelang sources withdraw``: takes back a confirmation that was given by mistake."""

from __future__ import annotations

from typing import Annotated

import typer

from ..arguments import FormatOption, GamePath, Variants
from ..loading import count
from ..output import Format, emit, fail, tell
from .corpora import Languages, check_names, corpora_at
from .sources_confirm import login


def command(
    path: GamePath,
    ids: Annotated[list[str], typer.Argument(metavar="ID...", help="Ids of sections or statements.")],
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason, which the journal keeps.")],
    lang: Languages = None,
    by: Annotated[str | None, typer.Option("--by", metavar="NAME", help="Who withdraws (default: your login).")] = None,
    variant: Variants = None,
    format: FormatOption = Format.text,
) -> None:
    """Takes back confirmations that were given by mistake: the statements count as translated and not reviewed again.
    Who took them back, when and why, and whose they were, stays in withdrawn.toml beside the texts, and goes out with
    every export.

    \b
    Example:
      rulelang sources withdraw rules/mygame income.gold --lang nl --why "says three, the rule has four"
    """
    from ..rulebook.corpus import keys_of, withdraw

    reason = " ".join(why.split())
    if not reason:
        fail('the journal needs a reason. Give one: --why "..."')
    corpora = corpora_at(path, variant)
    check_names("language", lang, [name for corpus in corpora for name in corpus.languages])
    check_names("section", ids, [key for corpus in corpora for key in (*corpus.running, *corpus.statements)])
    name = by if by is not None else login()
    taken = [key for corpus in corpora for key in withdraw(corpus, keys_of(corpus, lang, ids), name, reason)]
    if format is Format.json:
        emit({"withdrawn": [{"file": file, "statement": id_} for file, id_ in taken]})
    else:
        tell(f"{count(len(taken), 'confirmation')} withdrawn" if taken else "nothing there was confirmed")
