"""``rulelang explain``: a saved or simulated game, replayed step by step, and where other rules part from it; the
meaning of a code."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import attrs
import typer
from rich.padding import Padding
from rich.text import Text

from interpreter.data import Event
from interpreter.errors import RuleFault, SaveError
from interpreter.game import Game, State
from interpreter.outcomes.keeping import CannotKeep, Course, keep
from interpreter.outcomes.partings import Replay, other_rules, replay_under
from rulelang.codes import CODES
from rulelang.words import several

from .. import arguments
from ..arguments import bots as read_bots
from ..arguments import settings as read_settings
from ..explained import as_html, leaves_of
from ..loading import game_of_save, load_game, load_saved, read_save, saved_game, simulated_game
from ..output import FINDINGS, Format, console, emit, fail, failing, reason, say, tell, write, write_or_print
from ..pictures.looks import look_for
from ..rulebook.languages.catalogue import say as word
from ..savefile import Note, read
from ..terminal.palette import seat_styles
from ..terminal.telling import event_line, passages, step, visible
from ..wording import Names, News, fullest

_CODE = re.compile("[Rr][0-9]{4}")


class PageForm(StrEnum):
    """What the explanation is written as."""

    html = "html"


@attrs.frozen
class AskedPage:
    """The page that is asked for: its file (None: standard output) and its language."""

    out: Path | None
    lang: str | None


@attrs.frozen
class Keeping:
    """An example that is asked for: of the choice in a line, with a name of its own or without."""

    line: int
    name: str


SaveOrPath = Annotated[
    Path,
    typer.Argument(
        metavar="SAVE|PATH|CODE",
        help="A file written by `save` during play, a game's folder, or the code of a message.",
    ),
]
KeepOption = Annotated[
    int | None,
    typer.Option(
        metavar="LINE",
        min=1,
        help="Makes the choice in this line an example of the game, as small as it can be, and adds it to those kept.",
    ),
]
NameOption = Annotated[
    str | None, typer.Option(help="With --keep: the name of the example; by default made from the rule's.")
]


def command(
    path: SaveOrPath,
    game: arguments.GameOrNumber = None,
    players: arguments.Players = None,
    seed: Annotated[int | None, typer.Option(help="The seed of the simulation.")] = None,
    bots: arguments.BotsOption = None,
    streams: arguments.StreamsOption = arguments.StreamsOf.seat,
    seat: Annotated[
        str | None, typer.Option(help="Shows only what this seat (number or name) may see; by default everything.")
    ] = None,
    lang: Annotated[str | None, typer.Option(metavar="LANGUAGE", help="With --to html: its language.")] = None,
    to: Annotated[
        PageForm | None, typer.Option(help="html: a page with pictures, to leaf through from step to step.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Writes the page to this file, not to standard output.")
    ] = None,
    keep: KeepOption = None,
    name: NameOption = None,
    option: arguments.Settings = None,
    variant: arguments.Variants = None,
    sets: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NUMBER=VALUE", help="For a simulated game: another value of a number."),
    ] = None,
    format: arguments.FormatOption = Format.text,
) -> None:
    """Replays a game step by step: every choice, roll and move, and the numbers and the rule behind every point.

    The game is a saved one, or one of a simulation. With other rules than those it was saved with (a variant, an
    option, or after an edit), a saved game is played again with the same luck and choices, up to the first decision at
    which the two part. The code of a message is explained, too, with where to read how it is done right.

    \b
    Example:
      rulelang explain evening.save --seat 1
      rulelang explain evening.save --variant rules/mygame/variants/harder.rules
      rulelang explain rules/mygame --players 3 --seed 7 --game 12
      rulelang explain evening.save --to html --lang nl --out evening.html
      rulelang explain evening.save --keep 57
      rulelang explain R0502
    """
    if _CODE.fullmatch(path.name) and not path.exists():
        _tell_code(path.name.upper(), format)
        return
    wanted = _wanted(to, out, lang, seat, keep, name)
    settings, variants = read_settings(option), list(variant or ())
    if path.is_dir() or path.suffix == ".rules":
        found, state = _simulated(path, players, settings, variants, sets or (), bots, seed, game, streams, format)
        if isinstance(wanted, Keeping):
            _keep(path, variants, state, wanted, format, sets or ())
        else:
            _tell(found, state, seat, format, wanted)
        return
    if players is not None or seed is not None or bots is not None or sets:
        fail("--players, --seed, --bots and --set are for a simulated game: name the game's folder in place of a save")
    if isinstance(wanted, Keeping):
        _keep(*_saved(path, game, settings, variants, format), wanted, format)
    else:
        _explain_save(path, game, settings, variants, seat, format, wanted)


def _tell_code(code: str, format: Format) -> None:
    if code not in CODES:
        fail(f"there is no code {code}; a message has its code in brackets, for example error[R0401]")
    if format is Format.json:
        emit({"code": code, **attrs.asdict(CODES[code])})
    else:
        write(f"{code}: {CODES[code].told}", end="\n")


def _wanted(
    to: PageForm | None, out: Path | None, lang: str | None, seat: str | None, keep: int | None, name: str | None
) -> AskedPage | Keeping | None:
    """The page or the example that is wanted, if any."""
    page = _page_asked(to, out, lang)
    if keep is None:
        if name is not None:
            fail("--name is for --keep LINE; remove it")
        return page
    if page is not None or seat is not None:
        fail("--keep makes an example, which holds all that matters; leave out --to, --out, --lang and --seat")
    return Keeping(keep, name or "")


def _page_asked(to: PageForm | None, out: Path | None, lang: str | None) -> AskedPage | None:
    """The page that is wanted, if it is one."""
    if to is None and out is None:
        if lang is not None:
            fail("--lang: the lines of this command are English; add --to html for a page in another language")
        return None
    if to is None and out is not None and out.suffix.lower() not in (".html", ".htm"):
        fail(f"--out {out}: only a page can be written to a file; add --to html")
    return AskedPage(out, lang)


def _simulated(
    path: Path,
    players: int | None,
    settings: dict[str, str],
    variants: list[str],
    sets: Sequence[str],
    bots: str | None,
    seed: int | None,
    number: str | None,
    streams: arguments.StreamsOf,
    format: Format,
) -> tuple[Game, State]:
    if seed is None or number is None or not (number.isascii() and number.isdigit()):
        fail(f"{path} is a game: say which one to explain, for example --seed 1 --game 0 (of `simulate --seed 1`)")
    loaded = load_game(path, players, settings, variants, numbers=sets, format=format)
    playing = read_bots(bots, loaded.program)
    with failing(RuleFault, status=FINDINGS):
        by_question = path if streams is arguments.StreamsOf.question else None
        return loaded, simulated_game(
            loaded, arguments.seed_in_range(seed), int(number), playing, by_question=by_question
        )[0]


def _explain_save(
    save: Path, game: str | None, settings: dict[str, str], variants: list[str], seat: str | None, format: Format,
    page: AskedPage | None,
) -> None:  # fmt: skip
    loaded, data = saved_game(save, None if game is None else Path(game), settings, variants, format=format)
    with failing(SaveError):
        if other_rules(loaded, data):
            if page is not None:
                fail("--to html: the game was saved with other rules; play it under those it was saved with")
            _tell_replay(loaded, replay_under(loaded, data), format)
            return
        state = loaded.resume(data)
        notes = read(save).notes
    _tell(loaded, state, seat, format, page, notes)


def _saved(
    save: Path, game: str | None, settings: dict[str, str], variants: list[str], format: Format
) -> tuple[Path, list[str], State]:
    """Where the game of a save is, with which variants, and the position."""
    saved = read_save(save)
    path = game_of_save(saved, save, None if game is None else Path(game))
    variants = variants or list(saved.origin.variants if saved.origin is not None else ())
    return path, variants, load_saved(save, path, settings, variants, format=format)[1]


def _keep(
    path: Path, variants: list[str], state: State, wanted: Keeping, format: Format, sets: Sequence[str] = ()
) -> None:
    """Keeps the choice in a line of the game, or the one that led to what is told there."""
    line, events = wanted.line, _seen_by(state.log, None)
    made = sum(event.kind == "choice" for event in events[:line])
    if line > len(events) or made == 0:
        fail(f"--keep {line}: " + (f"there are {len(events)} lines" if made else "nothing was chosen up to there"))
    try:
        kept = keep(path, variants, Course.of(state.position), made - 1, wanted.name, sets)
        file = kept.add()
    except CannotKeep as error:
        fail(f"--keep {line}: {error}", FINDINGS)
    except OSError as problem:
        fail(f"the example cannot be written: {reason(problem)}")
    if format is Format.json:
        emit({"example": kept.name, "rule": kept.rule, "text": kept.text, "file": str(file)})
        return
    write(kept.text + "\n")
    say(f"added to {file}")


def _tell(
    loaded: Game, state: State, seat: str | None, format: Format, page: AskedPage | None, notes: Sequence[Note] = ()
) -> None:
    number = None if seat is None else arguments.named_seat("--seat", seat, loaded.program.seats)
    if page is not None:
        _write_page(loaded, state, number, page, format)
        return
    events = _seen_by(state.log, number)
    if format is Format.json:
        steps = [step(loaded.program, i, e) for i, e in enumerate(events, 1)]
        said = [{"at": note.at, "by": note.by, "text": note.text} for note in notes]
        emit({"game": loaded.name, "steps": steps, **({"notes": said} if said else {})})
    else:
        _show(loaded, events, notes)
        if not events:
            tell("Nothing has happened yet, or the save does not record how its position came about.")
        elif not state.over:
            waits = _waiting(loaded, state, number)
            tell(f"The game is not over: {waits}.")


def _write_page(game: Game, state: State, seat: int | None, page: AskedPage, format: Format) -> None:
    lang = arguments.known_language(page.lang, game.program.languages) or "en"
    leaves = leaves_of(game, state, seat, lang)
    if not leaves:
        fail("--to html: the save does not record how its position came about, so there is nothing to leaf through")
    names = Names(game.program, look_for(game.program, lang))
    end = News(names).outcome(state.winners) if state.over else word("explained_goes_on", lang)
    text = as_html(game.title, leaves, lang, end)
    write_or_print(text, page.out)
    if page.out is None:
        return
    if format is Format.json:
        emit({"game": game.name, "steps": len(leaves), "file": str(page.out)})
    else:
        say(f"written to {page.out}")


def _tell_replay(game: Game, replay: Replay, format: Format) -> None:
    """Where a save parts from what the same luck and choices lead to under these rules."""
    parting, seats = replay.parting, game.program.seats
    if format is Format.json:
        found = None
        if parting is not None:
            seat = None if parting.seat is None else seats[parting.seat]
            found = {
                "decision": parting.decision,
                "seat": seat,
                "asked": parting.asked,
                "value": parting.value,
                "rule": parting.rule,
                "change": parting.change,
            }
        events = parting.events if parting is not None else ()
        steps = [step(game.program, i, e) for i, e in enumerate(events, 1)]
        emit({"game": game.name, "decisions": replay.decisions, "parting": found, "steps": steps})
        return
    tell(
        f"These are not the rules that the game was saved with. Played again with the same luck and choices"
        f" ({several(replay.decisions, 'decision')}):"
    )
    if parting is None:
        tell("nothing that happens is different.")
        return
    if parting.decision == 0:
        tell("it parts from the save before anybody has decided anything.")
    else:
        who = seats[parting.seat] if parting.seat is not None and parting.seat < len(seats) else "somebody"
        said = _said(parting.value)
        tell(f"they part at decision {parting.decision}, where {who} chose {said} ({parting.asked}).")
    rule = game.program.rules.get(parting.rule or "")
    where = f" ({rule.span.file}:{rule.span.line})" if rule is not None and rule.span.file else ""
    makes = (
        "No single rule makes the difference" if rule is None else f"The rule that makes the difference is {rule.id}"
    )
    tell(f"{makes}{where}: {parting.change}")
    if parting.events:
        tell("What follows that decision now:")
        _show(game, list(parting.events))


def _said(value: Any) -> str:
    """The value of an option, briefly."""
    match value:
        case None:
            return "nothing"
        case {"option": option, "with": dict(given)}:
            return " ".join([str(option), *map(str, given.values())])
        case {"pays": dict(paid)}:
            return "to pay " + (", ".join(f"{number} {kind}" for kind, number in paid.items() if number) or "nothing")
        case dict(given):
            return " ".join(map(str, given.values()))
    return str(value)


def _waiting(game: Game, state: State, seat: int | None) -> str:
    """Who is asked, as far as the seat may know."""
    asked = state.decision
    if asked is None:
        return "it has stopped"
    shown = None if seat is None else state.view(seat)["decision"]
    return f"{game.program.seats[asked.player]} has to choose ({shown['rule'] if shown else asked.rule})"


def _seen_by(log: list[Event], seat: int | None) -> list[Event]:
    """The events this seat saw; with no seat given, all events, each in its fullest version.

    An event that is partly hidden is in the log twice: in full for those who may see it, then without the hidden
    part for the others.
    """
    return fullest(log) if seat is None else visible(log, seat)


def _show(game: Game, events: list[Event], notes: Sequence[Note] = ()) -> None:
    """Every event in a line; a note stands before the choice that follows it."""
    out = console()
    styles = dict(zip(game.program.seats, seat_styles(game.program.seats), strict=True))
    out.print(Text(game.title, style="bold"))
    width = len(str(len(events)))
    told: set[str] = set()
    made = 0

    def noted() -> None:
        for note in notes:
            if note.at == made:
                out.print(Padding(Text(f"✎ {note.by}: {note.text}", style="italic"), (0, 0, 0, width + 2)))

    for number, event in enumerate(events, 1):
        if event.kind == "rule":
            continue
        if event.kind == "choice":
            noted()
            made += 1
        rule = game.program.rules.get(event.rule)
        line = Text(f"{number:>{width}}", style="dim").append_text(event_line(event, styles))
        if rule is not None and rule.span.file:
            line.append(f" {rule.span.file}:{rule.span.line}", style="dim")
        out.print(line, soft_wrap=True)
        if event.rule not in told:
            told.add(event.rule)
            for passage in passages(game.program, event.rule):
                out.print(Padding(Text(passage, style="dim"), (0, 0, 0, width + 4)))
    noted()
