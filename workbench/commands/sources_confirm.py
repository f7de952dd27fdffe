"""``rulelang sources confirm``: writes down that somebody has checked statements against the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..arguments import FormatOption, GamePath, Variants
from ..loading import count
from ..output import FINDINGS, Format, emit, tell
from .corpora import Ids, Languages, check_names, corpora_at

if TYPE_CHECKING:
    from ..rulebook.corpus import Danger


def command(
    path: GamePath,
    ids: Ids = None,
    lang: Languages = None,
    by: Annotated[str | None, typer.Option("--by", metavar="NAME", help="Who confirms (default: your login).")] = None,
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Also where an edit changed what a statement says in one language only.")
    ] = False,
    variant: Variants = None,
    format: FormatOption = Format.text,
) -> None:
    """Records that you have read the statements and that they say what the rules do. If the rules or the words change
    later, `sources check` reports it until somebody confirms them again. The record, with your name and the day, is
    kept in confirmed.toml beside the texts.

    A statement that was confirmed and now says something else, while other languages still say the same, is left out
    (exit status 1) unless you give --anyway.

    \b
    Example:
      rulelang sources confirm rules/mygame income.gold --lang nl
    """
    from ..rulebook.corpus import confirm as confirm_statements

    corpora = corpora_at(path, variant)
    check_names("language", lang, [name for corpus in corpora for name in corpus.languages])
    check_names("section", ids, [key for corpus in corpora for key in (*corpus.running, *corpus.statements)])
    done = [confirm_statements(corpus, lang, ids, by if by is not None else login(), anyway) for corpus in corpora]
    changed = [key for each in done for key in each.changed]
    refused = [danger for each in done for danger in each.refused]
    if format is Format.json:
        told = [{"file": file, "section": id_.rpartition(".")[0], "statement": id_} for file, id_ in changed]
        emit({"confirmed": told, "refused": [_as_data(danger) for danger in refused]})
    else:
        for danger in refused:
            tell(refusal(danger))
        nothing = "nothing confirmed" if refused else "everything was confirmed already"
        tell(f"{count(len(changed), 'statement')} confirmed" if changed else nothing)
    raise typer.Exit(FINDINGS if refused else 0)


def _as_data(danger: Danger) -> dict[str, Any]:
    standing = danger.standing
    lost, gained = standing.turned
    return {
        "file": standing.key[0],
        "statement": standing.statement.id,
        "language": standing.language,
        "said": lost,
        "says": gained,
        "unchanged": list(danger.others),
    }


def refusal(danger: Danger) -> str:
    """Why a statement was not confirmed, with its place."""
    from ..rulebook.crosscheck import describe

    standing = danger.standing
    place = f"{standing.statement.span.file}:{standing.statement.span.line}"
    return (
        f"{place}: `{standing.statement.id}` in {standing.language}: {describe(standing)}; unchanged in "
        f"{', '.join(danger.others)}. Not confirmed; if this is meant, add --anyway."
    )


def login() -> str:
    """The name of whoever is at work; empty where the system does not know."""
    import getpass

    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""
