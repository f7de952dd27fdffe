"""``rulelang sources progress``: how many statements of each language are new, translated, reviewed and stale."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..arguments import FormatOption, GamePath, Variants
from ..output import Format, console, emit, tell
from .corpora import Languages, check_names, corpora_at

if TYPE_CHECKING:
    from ..rulebook.corpus import Corpus


def command(
    path: GamePath,
    lang: Languages = None,
    list_: Annotated[
        str | None, typer.Option("--list", metavar="STATE", help="Lists the statements in this state.")
    ] = None,
    variant: Variants = None,
    format: FormatOption = Format.text,
) -> None:
    """Shows, for each language, how many statements are new (not translated yet), translated (nobody has confirmed
    them), reviewed (confirmed), and stale (confirmed, but the words or the rules changed since).

    A game without --variant is counted together with its variants. `rulelang sources confirm` and `rulelang texts
    import` make statements reviewed.

    \b
    Example:
      rulelang sources progress rules/mygame --lang nl --list stale
    """
    from ..rulebook.corpus import STATES, progress

    corpora = corpora_at(path, variant)
    check_names("state", [list_] if list_ else None, list(STATES))
    done = progress(corpora)
    check_names("language", lang, list(done))
    shown = {language: counts for language, counts in done.items() if not lang or language in lang}
    listed = list(_listed(corpora, list(shown), list_)) if list_ else []
    if format is Format.json:
        data: dict[str, Any] = {"languages": {language: dict(counts) for language, counts in shown.items()}}
        emit(data | ({"statements": listed} if list_ else {}))
        return
    for entry in listed:
        tell(f"{entry['language']}  {entry['statement']}  {entry['text']}")
    if not list_:
        _table({language: dict(counts) for language, counts in shown.items()}, STATES)
    elif not listed:
        tell(f"no statement is {list_}")


def _listed(corpora: Sequence[Corpus], languages: Sequence[str], state: str) -> Iterator[dict[str, str]]:
    """The statements of the languages that are in a state, with their words in a language that has them."""
    from ..rulebook.corpus import statement_states

    for corpus in corpora:
        for id_, states in statement_states(corpus).items():
            words = corpus.statements[id_]
            for language in languages:
                if states.get(language) == state:
                    here = language if language in words else next(iter(words))
                    text = corpus.filled(words[here].text, here)
                    yield {"language": language, "statement": id_, "text": text}


def _table(done: dict[str, dict[Any, int]], states: Sequence[Any]) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column("")
    for state in (*states, "statements"):
        table.add_column(state, justify="right")
    table.add_column("done", justify="right")
    for language, counts in done.items():
        whole = sum(counts.values())
        share = counts["reviewed"] / whole if whole else 0.0
        # Rounded down: nothing but all of them is 100 %.
        row = [str(counts[state] or "-") for state in states]
        table.add_row(language, *row, str(whole), f"{int(share * 100)} %")
    console().print(table)
