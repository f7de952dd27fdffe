"""``rulelang hunt``: looks for what nobody meant in the rules of a game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from interpreter.examples import run_examples
from interpreter.examples.step_text import chosen
from interpreter.game import Game
from interpreter.loading import game_of
from interpreter.simulate.hunting import Finding, Hunt, hunt
from rulelang.words import several

from .. import savefile
from ..arguments import FormatOption, GamePath, Players, Seed, Settings, Variants, seed_in_range
from ..arguments import settings as read_settings
from ..loading import load_game, loading_errors
from ..output import FINDINGS, INTERRUPTED, Format, answer, fail, say

_LISTED = 12
"""Choices that are shown of a game."""


def command(
    path: GamePath,
    players: Players = None,
    minutes: Annotated[float, typer.Option(min=0.01, help="Time for the hunt.")] = 2,
    games: Annotated[int | None, typer.Option(min=1, help="At most so many random games.")] = None,
    out: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Saves the game of each finding there.")] = None,
    seed: Seed = 0,
    option: Settings = None,
    variant: Variants = None,
    format: FormatOption = Format.text,
) -> None:
    """Looks for what nobody meant: rules that stop, gains without end, games that need not end, rules that never run;
    in small games without chance also seats that win by force, and options that are never the best.

    Each finding comes with a short game that shows it; with --out it is saved, for `explain` and `play --resume`. All
    numbers of players and all settings are tried. The exit status is 1 if there is a finding.

    \b
    Example:
      rulelang hunt rules/mygame
      rulelang hunt rules/mygame --minutes 10 --out found
    """
    if out is not None:
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            fail(f"--out {out}: nothing can be saved there: {problem.strerror}")
    chosen = read_settings(option)
    game = load_game(path, players, chosen, variant or (), engine="wasm", format=format)
    with loading_errors(format):
        every = list(_games(path, game, chosen, variant or (), players))
        covered = run_examples(str(path), chosen, variant or ()).coverage
    found = hunt(every, 60 * minutes, seed_in_range(seed), games)
    unrun = [rule for rule in game.rules if not covered.get(rule) and found.ran.get(rule) != {}]
    saved = _save(found.findings, out, path, variant or ()) if out is not None else []
    answer(format, _as_json(game, found, unrun, saved), _told(game, found, unrun, saved))
    raise typer.Exit(INTERRUPTED if found.stopped else FINDINGS if found.findings or unrun else 0)


def _games(
    path: Path, game: Game, chosen: dict[str, str], variants: Sequence[str], players: int | None
) -> Iterator[tuple[Game, Mapping[str, str]]]:
    """The game as it is asked for, with other numbers of players, and with each other value of each setting."""
    program = game.program
    yield game, {}
    numbers = range(program.min_players, program.max_players + 1) if players is None else ()
    for number in numbers:
        if number != game.players:
            yield load_game(path, number, chosen, variants, engine="wasm"), {}
    for name, setting in program.settings.items():
        for value in setting.domain.members:
            if value != setting.value and name not in chosen:
                other = {name: value}
                yield load_game(path, game.players, {**chosen, **other}, variants, engine="wasm"), other


def _save(findings: Sequence[Finding], out: Path, path: Path, variants: Sequence[str]) -> list[Path]:
    """The game of each finding in a file of its own."""
    files = []
    try:
        for number, finding in enumerate(findings, 1):
            game = game_of(finding.game.program)
            state = game.start(finding.seed)
            for value in finding.choices[:-1] if finding.kind == "fault" else finding.choices:
                state.choose(value)
            file = out / f"{number}-{finding.kind}.save"
            settings = {n: s.value for n, s in game.program.settings.items() if s.value != s.default}
            origin = savefile.SaveOrigin(str(path), settings, list(variants))
            savefile.write(file, game.save(state), origin)
            files.append(file)
    except OSError as problem:
        fail(f"--out {out}: nothing can be saved there: {problem.strerror}")
    return files


# ---------------------------------------------------------------- in words


def _told(game: Game, found: Hunt, unrun: Sequence[str], saved: Sequence[Path]) -> Iterator[str]:
    for number, finding in enumerate(found.findings):
        yield _said(finding)
        yield from _course(finding)
        if saved:
            yield f"  saved as {saved[number]}"
        yield ""
    for rule in unrun:
        yield _never_ran(game, found, rule)
    if unrun:
        yield ""
    yield from _looked(found)
    if found.stopped:
        say("stopped; this is what was found until then")


def _never_ran(game: Game, found: Hunt, rule: str) -> str:
    span, settings = game.program.rules[rule].span, found.ran.get(rule)
    under = f"; with {_setting(settings)} it does" if settings else ""
    return f"{rule} ({Path(span.file).name} line {span.line}) ran in no game and in no example{under}."


def _looked(found: Hunt) -> Iterator[str]:
    """What was looked at, and what was not found."""
    played = ", ".join(
        f"{number:,} with {several(players, 'player')}" for players, number in sorted(found.games.items())
    )
    yield f"Random games: {played or 'none'}."
    searched = found.searched
    if searched is not None and searched.why:
        yield f"The game was not searched whole: {searched.why}."
    elif searched is not None:
        forced = any(one.kind == "forced" for one in found.findings)
        more = "" if forced else "; nobody wins by force"
        yield f"All {searched.positions:,} positions with {several(searched.players, 'player')} were searched{more}."
    missing = [words for kind, words in _NOTHING.items() if not any(one.kind == kind for one in found.findings)]
    if missing:
        yield f"Not found: {', '.join(missing)}."


_NOTHING = {"fault": "a rule that stops the game", "gain": "a gain without end", "loop": "a game that goes in circles"}


def _said(finding: Finding) -> str:
    """A finding in a sentence."""
    seats = [finding.game.program.seats[seat] for seat in finding.seats]
    under = f", with {_setting(finding.settings)}" if finding.settings else ""
    among = f"{several(finding.game.players, 'player')}{under}"
    times = several(finding.repeated, "choice")
    match finding.kind:
        case "fault":
            return f"The rules stop ({among}): {finding.about}"
        case "gain":
            more = ", ".join(f"{amount} more {name}" for name, amount in finding.gains)
            return f"{seats[0]} gains without end ({among}): {times}, and all is as before, but for {more}."
        case "loop" if not seats:
            return f"A game gets stuck ({among}): {times} that nobody can avoid lead back to the same position."
        case "loop" if len(seats) == 1 and finding.game.players > 1:
            return f"{seats[0]} alone can keep a game from ending ({among}): {times} lead back to the same position."
        case "loop":
            who = " and ".join(seats)
            return f"A game need not end ({among}): if {who} want, {times} lead back to the same position."
        case "long":
            return f"A game had not ended after {len(finding.choices):,} choices ({among}, seed {finding.seed})."
        case "forced":
            return f"{seats[0]} wins by force ({among}), whatever the others do; in this game for example."
        case "mistake":
            return (
                f"{finding.about} is never needed ({among}): in {finding.worse} of the {finding.positions} positions"
                " where it is offered something else is better, in the others as good. It is worse here, for example:"
            )


def _setting(settings: Mapping[str, str]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in settings.items())


def _course(finding: Finding) -> Iterator[str]:
    """The last choices of the game that shows a finding."""
    seats = finding.game.program.seats
    lines = [f"{seats[seat]} {chosen(value)}" for seat, _, value in finding.steps()]
    head = len(lines) - finding.repeated
    if not lines:
        yield "  As the game begins."
    elif len(lines) > _LISTED:
        yield f"  After {several(len(lines) - _LISTED, 'choice')} of a game from seed {finding.seed}:"
    else:
        yield f"  From the beginning of a game (seed {finding.seed}):"
    for number, line in list(enumerate(lines))[-_LISTED:]:
        yield f"  {'again' if finding.repeated and number >= head else '':>5}  {line}"


def _as_json(game: Game, found: Hunt, unrun: Sequence[str], saved: Sequence[Path]) -> dict[str, Any]:
    findings = [
        {
            "kind": each.kind,
            "rule": each.about if each.kind == "mistake" else [None, *(rule for _, rule, _ in each.steps())][-1],
            "text": _said(each),
            "seed": each.seed,
            "game": each.game.name,
            "choices": list(each.choices),
            "players": each.game.players,
            "settings": dict(each.settings),
            "repeated": each.repeated,
            "seats": [each.game.program.seats[seat] for seat in each.seats],
            "gains": dict(each.gains),
            **({"save": str(saved[number])} if saved else {}),
        }
        for number, each in enumerate(found.findings)
    ]
    never: list[dict[str, Any]] = [
        {
            "kind": "unrun",
            "rule": rule,
            "text": _never_ran(game, found, rule),
            "seed": None,
            "game": game.name,
            "choices": [],
            "settings": dict(found.ran[rule]) if rule in found.ran else None,
        }
        for rule in unrun
    ]
    searched = found.searched
    return {
        "findings": [*findings, *never],
        "games": {str(players): number for players, number in found.games.items()},
        "searched": None
        if searched is None
        else {"players": searched.players, "positions": searched.positions, "why not": searched.why},
        "stopped": found.stopped,
    }
