"""A game at the terminal: shows what the seat to move may see, reads choices and commands, and plays the bots."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
from rich.columns import Columns
from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from interpreter.bots import Bot, Stream, mix, uncovers
from interpreter.errors import GameError, InvariantBroken, RuleFault
from rulelang.program.sides import only_counts, outcome

from .. import savefile
from ..pictures.looks.find import look_for
from . import choices, table
from .asking import Wording
from .hints import Hints
from .looking import looked_at
from .palette import seat_styles
from .questions import chosen_so_far, names_in, why, why_not
from .telling import event_line, fault_text, story, visible
from .words import coloured

if TYPE_CHECKING:
    from interpreter.data import Decision
    from interpreter.game import Game, State

    from ..pictures.scene.look import Look

HELP = (
    ("NUMBER", "choose that line of the list; the words of a choice will do too, or how they begin (`build a1`)"),
    ("back", "return from the values of an action to the list of actions"),
    ("why NUMBER", "see what makes that choice legal, and how good it looks"),
    ("why not CHOICE", "see which condition keeps it from being offered"),
    ("hint", "see what a player who thinks ahead would choose, and how good each choice looks"),
    ("undo", "take back your last decision, unless something has been rolled, drawn or revealed since"),
    ("table", "show the table again"),
    ("look NAME", "see one piece large, such as a tile or a card, with all that the rules say about it"),
    ("log", "show everything that has happened, as far as you may see it"),
    ("save FILE", "save the game to a file; `rulelang play --resume FILE` continues it"),
    ("quit", "leave the game"),
)
_NEWS = 12
_FORGET = "\x1b[3J"
"""Clears the scrollback (a control sequence of xterm that most terminals know)."""
_LONG = 16


@attrs.define
class Past:
    """A decision that can be taken back: ``state`` is the position before it."""

    seat: int
    state: State


class _Quit(Exception):
    pass


@attrs.define
class Session:
    """One sitting. ``bots`` by seat; people play the other seats. ``ask`` reads a line; EOFError ends the sitting.
    ``hinting``: a hint is shown at each decision of people. ``lang``: of labels and of the rulebook's sentences."""

    game: Game
    state: State
    console: Console
    bots: Mapping[int, Bot]
    seed: int
    origin: savefile.Origin
    ask: Callable[[str], str]
    past: list[Past] = attrs.field(factory=list)
    told: dict[int, int] = attrs.field(factory=dict)
    at_screen: int | None = None
    hinting: bool = False
    lang: str | None = None
    asked: set[str] = attrs.field(factory=set)
    hints: Hints = attrs.field(init=False)
    streams: dict[int, Stream] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.hints = Hints(self.game, self.console, self.seed)
        self.streams = {seat: Stream(mix(self.seed, seat)) for seat in range(self.game.players)}

    @property
    def seats(self) -> tuple[str, ...]:
        return self.game.program.seats

    @property
    def look(self) -> Look:
        """How things are called and drawn."""
        return look_for(self.game.program, self.lang)

    @functools.cached_property
    def wording(self) -> Wording:
        """Puts questions into words."""
        return Wording(self.game.program, self.look)

    @property
    def humans(self) -> list[int]:
        return [seat for seat in range(self.game.players) if seat not in self.bots]

    @property
    def styles(self) -> dict[str, str]:
        return dict(zip(self.seats, seat_styles(self.seats), strict=True))

    def run(self) -> int:
        """Plays until the game is over or the people leave. Returns the exit status of the command."""
        self.console.print(Rule(Text(self.game.title, style="bold")))
        if self.humans:
            self.say("Type a number or a name; `help` lists the commands.")
        try:
            self._play()
        except _Quit:
            self.say("Goodbye.")
        except (EOFError, KeyboardInterrupt):
            self.console.print()
            self.say("Goodbye.")
        except (RuleFault, InvariantBroken) as error:
            self.say(f"The game cannot continue: {fault_text(error, self.game.program)}")
            return 1
        return 0

    def _play(self) -> None:
        while (decision := self.state.decision) is not None:
            seat = decision.player
            if seat in self.bots:
                self._bot_plays(seat, decision)
            elif len(decision.options) == 1:
                self.state.choose(0)
            else:
                self._hand_over(seat)
                self._table(seat)
                self._news(seat, self.told.get(seat, 0))
                self._decide(seat, decision)
        self._end()

    # ------------------------------------------------------------ a person's decision

    def _decide(self, seat: int, decision: Decision) -> None:
        among: tuple[int, ...] | None = None
        hinting = self.hinting
        while True:
            listed = choices.entries(decision, among)
            self._question(seat, decision, listed)
            if hinting:
                self.hints.show(self.state, decision)
                hinting = False
            answer = self._answer(seat, decision, listed)
            match answer:
                case choices.Chosen(index):
                    if self._choose(seat, index):
                        return
                case choices.Narrowed(indices):
                    among = indices
                case "back":
                    among = None
                case "moved":
                    return

    def _answer(self, seat: int, decision: Decision, listed: list[choices.Entry]) -> choices.Answer | str:
        """Reads lines until one is a choice, is ``back``, or has changed the position (``moved``)."""
        while True:
            line = self._line(f"{self.seats[seat]}> ")
            word, _, rest = line.partition(" ")
            match word:
                case "":
                    continue
                case "quit" | "exit":
                    raise _Quit
                case "back":
                    return "back"
                case "help" | "?":
                    self._help()
                case "table":
                    self._table(seat)
                    return "back"
                case "log":
                    self._log(seat)
                case "hint":
                    self.hints.show(self.state, decision)
                case "look":
                    self._look(rest)
                case "save":
                    self._save(rest)
                case "undo":
                    if self._undo(seat):
                        return "moved"
                case "why":
                    self._why(decision, rest, listed)
                case _:
                    answer = choices.read(line, decision, listed, names_in(self.game))
                    if not isinstance(answer, choices.Unclear):
                        return answer
                    self.say(answer.message)

    def _line(self, prompt: str) -> str:
        """What is typed next, in single spaces. Ctrl-C asks before it leaves; pressed again, it leaves."""
        try:
            return " ".join(self.ask(prompt).split())
        except KeyboardInterrupt:
            self.console.print()
            return self._interrupted()

    def _interrupted(self) -> str:
        self.say("Enter goes on with the game, `save FILE` saves it, `quit` (or Ctrl-C again) leaves it.")
        try:
            return " ".join(self.ask("> ").split())
        except KeyboardInterrupt:
            raise _Quit from None

    def _bot_plays(self, seat: int, decision: Decision) -> None:
        """Ctrl-C while a bot thinks asks as well; afterwards it thinks anew."""
        before = self.state.copy()
        try:
            self.state.choose(self.bots[seat].choose(self.state, decision, self.streams[seat]))
        except KeyboardInterrupt:
            self.state = before
            if not self.humans:
                raise
            self.console.print()
            self._between(self._interrupted())

    def _between(self, line: str) -> None:
        """A command that is given while nobody at the screen decides."""
        word, _, rest = line.partition(" ")
        if word in ("quit", "exit"):
            raise _Quit
        if word == "save":
            self._save(rest)
        elif word:
            self.say("Here only `save FILE` and `quit` can be used.")

    def _choose(self, seat: int, index: int) -> bool:
        before = self.state.copy()
        try:
            self.state.choose(index)
        except (RuleFault, InvariantBroken) as error:
            self.state = before
            told = fault_text(error, self.game.program)
            self.say(f"This choice cannot be carried out because of a mistake in the rules: {told}")
            return False
        self.past.append(Past(seat, before))
        return True

    def _undo(self, seat: int) -> bool:
        if not self.past:
            self.say("You have no decision to take back.")
            return False
        last = self.past[-1]
        if last.seat != seat:
            self.say(f"The last decision was {self.seats[last.seat]}'s; only your own can be taken back.")
            return False
        since = self.state.log[len(last.state.log) :]
        shown = next((event for event in visible(since, seat) if uncovers(event, self.game.program)), None)
        if shown is not None:
            self.say(
                "You cannot take back your last decision: something has been rolled, drawn or revealed since"
                f" ({shown.rule})."
            )
            return False
        self.past.pop()
        self.state = last.state
        self.told = {s: min(n, len(self.state.log)) for s, n in self.told.items()}
        self.say("Taken back.")
        return True

    # ------------------------------------------------------------ commands

    def _help(self) -> None:
        for command, text in HELP:
            self.console.print(Text(f"  {command:<16}", style="bold"), Text(text), sep="")

    def _why(self, decision: Decision, rest: str, listed: list[choices.Entry]) -> None:
        if rest == "not" or rest.startswith("not "):
            lines = why_not(self.game, self.state, decision, rest[3:].strip(), listed)
        else:
            lines = why(self.game, self.state, decision, rest, listed)
        for line in lines:
            self.console.print(line)
        answer = choices.read(rest, decision, listed, names_in(self.game)) if rest else None
        if isinstance(answer, choices.Chosen):
            self.hints.show_one(self.state, decision, answer.index)

    def _log(self, seat: int | None) -> None:
        for event in story(visible(self.state.log, seat), self.game.program):
            self.console.print(event_line(event, self.styles))

    def _look(self, name: str) -> None:
        for part in looked_at(self.wording, name):
            self.console.print(part)

    def _save(self, name: str) -> None:
        if not name:
            self.say("Name the file: `save FILE`")
            return
        file = Path(name).expanduser()
        try:
            savefile.write(file, self.game.save(self.state), self.origin)
        except OSError as error:
            self.say(f"{file} could not be written: {error.strerror or error}.")
            return
        except GameError as error:
            self.say(f"Not saved: {error}")
            return
        if self.state.decision is None:
            self.say(f"Saved. `rulelang explain {file}` explains every point of it.")
        else:
            self.say(f"Saved. To continue: `rulelang play --resume {file}`")

    # ------------------------------------------------------------ what is shown

    def say(self, text: str) -> None:
        self.console.print(Text(text))

    def _hand_over(self, seat: int) -> None:
        """Clears the screen between people who share it, so that nobody sees what the next player may see."""
        if len(self.humans) > 1 and self.at_screen not in (None, seat):
            self.console.clear()
            if self.console.is_terminal:
                self.console.file.write(_FORGET)
            name = Text(self.seats[seat], style=self.styles[self.seats[seat]])
            self.console.print(Text("Pass the screen to ").append_text(name).append("."))
            self.ask("Press Enter to continue. ")
        self.at_screen = seat

    def _news(self, seat: int | None, since: int) -> None:
        """Shows what has happened after the first ``since`` events, as far as the seat may see it."""
        log = self.state.log
        events = story(visible(log[since:], seat), self.game.program)
        if seat is not None:
            self.told[seat] = len(log)
        if not events:
            return
        self.console.print()
        if len(events) > _NEWS:
            self.say(f"  ... {len(events) - _NEWS} earlier lines; `log` shows them all")
        for event in events[-_NEWS:]:
            self.console.print(event_line(event, self.styles))

    def _table(self, seat: int) -> None:
        self.console.print()
        scene = table.Scene(self.game.program, self.state.view(seat), self.look)
        self.console.print(table.draw(scene, self.console))

    def _question(self, seat: int, decision: Decision, listed: list[choices.Entry]) -> None:
        asked = Text(self.seats[seat], style=self.styles[self.seats[seat]])
        verb = "pays" if decision.kind == "pay" else "chooses"
        already = chosen_so_far(decision)
        said = f" {verb}" + (f" (so far {already})" if already else "")
        self.console.print(Rule(asked.append(said, style="default not bold").append(f"  {decision.rule}", style="dim")))
        self._told_about(decision)
        width = max(len(entry.label) for entry in listed)
        single = {entry.indices[0]: entry for entry in listed if len(entry.indices) == 1}
        few = decision.kind == "menu" and len(listed) <= choices.FLAT
        beside = self.wording.beside(self.state, decision, single) if few else {}
        lines = []
        for entry in listed:
            numbers_only = entry.label == entry.text
            line = Text(f"{entry.label:>{width}}", style="bold cyan")
            if not numbers_only:
                line.append(" ").append_text(_plain(self.wording.choice(decision, entry), self.styles))
            if entry.indices[0] in beside and len(entry.indices) == 1:
                line.append(f"  ({beside[entry.indices[0]]})", style="italic default not bold")
            lines.append(line)
        if len(lines) <= _LONG:
            for line in lines:
                self.console.print(Text("  ").append_text(line))
        else:
            self.console.print(Columns(lines, padding=(0, 3), column_first=True))

    def _told_about(self, decision: Decision) -> None:
        """What the question is about, and the rulebook's sentences the first time it is asked."""
        about = self.wording.about(self.state, decision)
        if about:
            self.console.print(Text(f"  {about}", style="bold"))
        if decision.rule not in self.asked:
            self.asked.add(decision.rule)
            for sentence in self.wording.sentences(decision.rule):
                self.console.print(Text(f"  {sentence}", style="italic dim"))

    def _end(self) -> None:
        # With several people at the screen, only what everybody may see is shown.
        seat = self.humans[0] if len(self.humans) == 1 else None
        if seat is not None:
            self._table(seat)
        self._news(seat, max(self.told.values(), default=0))
        self.console.print(Rule(Text("the game is over", style="bold")))
        order = sorted(range(self.game.players), key=lambda s: (s not in self.state.winners, -self._score(s)))
        starred = () if only_counts(self.game.program) else self.state.winners
        for seat in order:
            line = Text("  ★ " if seat in starred else "    ").append(
                self.seats[seat], style=self.styles[self.seats[seat]]
            )
            if self.state.scores:
                line.append(f"  {self.state.scores[seat]}")
            self.console.print(line)
        told = outcome(self.game.program, self.state.winners)
        if told.startswith(("everybody", "nobody")):
            told = told.capitalize()
        self.console.print(coloured(f"{told}.", self.styles))
        if self.humans:
            self._afterwards(seat)

    def _afterwards(self, seat: int | None) -> None:
        """Until Enter: the finished game can be saved, and looked back on."""
        self.say("`save FILE` saves the game, `log` shows all of it; Enter leaves.")
        while line := self._line("> "):
            word, _, rest = line.partition(" ")
            match word:
                case "quit" | "exit":
                    return
                case "save":
                    self._save(rest)
                case "log":
                    self._log(seat)
                case "look":
                    self._look(rest)
                case "table" if seat is not None:
                    self._table(seat)
                case _:
                    self.say("The game is over: `save FILE`, `log`, `look NAME`, or Enter to leave.")

    def _score(self, seat: int) -> int:
        return self.state.scores[seat] if self.state.scores else 0


def _plain(text: str, styles: Mapping[str, str]) -> Text:
    return Text("", style="default not bold").append_text(coloured(text, styles))
