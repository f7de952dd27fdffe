"""``interpreter.compare``: a comparison as one call."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

import attrs

import rulelang
from rulelang import workspace

from .causes import MOST_GAMES, Causes, CausesRun
from .playing import ComparisonQuestion, ComparisonRun, Guard
from .results import Comparison, results
from .surprises import assess, confirm


def compare(
    path: str | Path,
    variants: Sequence[str] = (),
    players: int | Sequence[int] | None = None,
    games: int | None = 1000,
    bots: str | Sequence[str] = "random",
    *,
    options: Sequence[str] = (),
    sets: Sequence[str] = (),
    matters: str = "",
    causes: bool = False,
    minutes: float | None = None,
    seed: int = 0,
    threads: int | None = None,
    keep: str | Path | None = None,
    scheduler: str | None = None,
) -> Comparison:
    """Plays a game beside house rules and says what they change.

    ``variants``: each a column; ``+`` joins (``"two_for_one+stones=4"``). ``options``: ``"river_scores=once_a_turn"``,
    each a column too. ``sets``: numbers to sweep, ``"stones=2..4"``. ``players``: one number or several (default: the
    fewest). ``games``: pairs for each, None until everything is settled. ``bots``: names of those who play, each in
    all seats of games of its own. ``matters``: least important differences, ``"length=3,score=5%"``. ``causes``: which
    item of a joined column does what. ``minutes``: the most time; what is there by then is the result. ``keep``: a
    folder where all games are kept, so that the same call goes on where it was stopped; ``scheduler``: the address of a
    Dask scheduler whose workers play them.

    Raises ``rulelang.UnusablePath`` for names that do not exist, ``rulelang.RulesError`` for house rules with mistakes,
    ``interpreter.studies.StudyError`` for a folder or a scheduler that cannot be used.
    """
    question = question_of(path, variants, players, games, bots, options, sets, matters, minutes, seed, threads)
    question = attrs.evolve(question, causes=causes, keep=None if keep is None else Path(keep), scheduler=scheduler)
    run = ComparisonRun.of(question)
    try:
        for _ in run.go():
            pass
        return concluded(run)
    finally:
        run.source.close()


def question_of(
    path: str | Path,
    variants: Sequence[str],
    players: int | Sequence[int] | None,
    games: int | None,
    bots: str | Sequence[str],
    options: Sequence[str] = (),
    sets: Sequence[str] = (),
    matters: str = "",
    minutes: float | None = None,
    seed: int = 0,
    threads: int | None = None,
) -> ComparisonQuestion:
    """The question that these words ask; see ``compare``. The path of a variant's file asks for that variant.

    Raises UnusablePath.
    """
    from .alternatives import MOST, Choices

    path, variants = _of_game(path, variants)
    many = (players,) if isinstance(players, int) else tuple(players or ())
    choices = Choices.of(path, players=many[0] if many else None)
    asked = [choices.alternative(text) for text in (*variants, *options)]
    asked += [each for text in sets for each in choices.sweep(text)]
    asked = list(dict.fromkeys(asked))
    names = [alternative.name for alternative in asked]
    asked = [each.spelt_out() if names.count(each.name) > 1 else each for each in asked]
    if not asked:
        known = ", ".join(choices.variants) or "none yet; `change number ... to ...` in a file is one"
        raise rulelang.UnusablePath(
            f"Say what to put beside the game: --variant NAME, --option NAME=VALUE or --set NUMBER=FROM..TO. Its"
            f" variants: {known}."
        )
    if len(asked) > MOST:
        raise rulelang.UnusablePath(f"{len(asked)} columns are too many; at most {MOST} fit on a page.")
    return ComparisonQuestion(
        path=str(path),
        alternatives=tuple(asked),
        players=many or (rulelang.load(path).players,),
        bots=(bots,) if isinstance(bots, str) else tuple(bots),
        games=games,
        minutes=minutes,
        matters=matters,
        seed=seed,
        threads=threads,
    )


def _of_game(path: str | Path, variants: Sequence[str]) -> tuple[Path, list[str]]:
    """The game's folder, and the variants with the one that the path names."""
    files, names = workspace.default().open(path, examples=False, notes=False)
    return (files.root, [*names, *variants]) if names else (Path(path), list(variants))


def concluded(run: ComparisonRun, *, guard: Guard = nullcontext) -> Comparison:
    """What a run has found: surprises are confirmed first, and causes looked for if they are wanted."""
    found = assess(run)
    for _ in confirm(run, found, guard):
        pass
    return results(run, found, causes_of(run, guard) if run.question.causes else ())


def causes_of(run: ComparisonRun, guard: Guard = nullcontext) -> tuple[Causes, ...]:
    """For each alternative of several items, which of them does what, at the first table."""
    table = run.tables[0]
    found = []
    for alternative in run.question.alternatives:
        if len(alternative.items) > 1:
            parts = CausesRun.of(run, table, alternative)
            for _ in parts.go(min(table.games, MOST_GAMES), guard, run.until("causes")):
                pass
            found.append(parts.causes())
    return tuple(found)
