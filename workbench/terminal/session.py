"""A game at the terminal: shows what the seat to move may see, reads choices and commands, and plays the bots."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
from rich.columns import Columns
from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from interpreter.bots import Bot, Stream, mix
from interpreter.chance import is_luck, luck
from interpreter.errors import GameError, InvariantBroken, RuleFault
from interpreter.position.events import uncovered
from rulelang.program.sides import only_counts

from .. import savefile
from ..pictures.build.facts import PLAYER
from ..pictures.looks.find import look_for
from ..wording import News, Wording, Words, words_in
from ..wording.questions import bounds
from . import prompting, table_drawing
from .boards import TerminalScene
from .hints import Hints
from .palette import seat_styles
from .prompting import looked_at, names_in, why, why_not
from .telling import coloured, event_line, fault_text, story, visible

if TYPE_CHECKING:
    from interpreter.data import Decision
    from interpreter.game import Game, State

    from ..pictures.scene.look import Look

COMMANDS = {
    "NUMBER": "number",
    "back": "back",
    "why NUMBER": "why",
    "why not CHOICE": "why_not",
    "hint": "hint",
    "undo": "undo",
    "table": "table",
    "look NAME": "look",
    "log": "log",
    "save FILE": "save",
    "keep": "keep",
    "quit": "quit",
}
"""What can be typed, with the name of its explanation among the words."""
_NEWS = 12
_FORGET = "\x1b[3J"
"""Clears the scrollback (a control sequence of xterm that most terminals know)."""
_LONG = 16


@attrs.define
class Past:
    """A decision that can be taken back: ``state`` is the position before it. ``answered``: the rule that has asked a
    bot since, which knows what others do not."""

    seat: int
    state: State
    answered: str | None = None


class _Quit(Exception):
    pass


@attrs.define
class Session:
    """One sitting. ``bots`` by seat; people play the other seats. ``seed``: what the game began with; if it is a luck,
    nobody can foresee what follows. ``ask`` reads a line; EOFError ends the sitting.
    ``hinting``: a hint is shown at each decision of people. ``lang``: of labels and of the rulebook's sentences."""

    game: Game
    state: State
    console: Console
    bots: Mapping[int, Bot]
    seed: int
    origin: savefile.SaveOrigin
    ask: Callable[[str], str]
    past: list[Past] = attrs.field(factory=list)
    told: dict[int, int] = attrs.field(factory=dict)
    at_screen: int | None = None
    hinting: bool = False
    lang: str | None = None
    campaign: Path | None = None
    """Keeps a campaign: the game, and who won those ``before`` it."""
    before: list[dict[str, Any]] = attrs.field(factory=list)
    asked: set[str] = attrs.field(factory=set)
    hints: Hints = attrs.field(init=False)
    streams: dict[int, Stream] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.hints = Hints(self.game, self.console, self.seed, self.wording)
        self.streams = {seat: Stream(mix(self.seed, seat)) for seat in range(self.game.players)}

    @property
    def _unforeseen(self) -> bool:
        """Whether nobody is to foresee chance: no game that is to be repeated."""
        return is_luck(self.seed)

    def _go_on(self, index: int) -> None:
        """Takes an option of the position."""
        if self._unforeseen:
            self.state.fix_luck(luck())
        self.state.choose(index)

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
        """Colours by the names of the seats, in the rules and as people call them."""
        named = dict(zip(self.seats, seat_styles(self.seats), strict=True))
        return {self.called(seat): named[name] for seat, name in enumerate(self.seats)} | named

    @functools.cached_property
    def words(self) -> Words:
        """The words around the game."""
        return words_in(self.lang)

    @functools.cached_property
    def news(self) -> News:
        """Tells what happens."""
        return News(self.wording.names)

    def called(self, seat: int) -> str:
        """What people call a player."""
        return self.wording.member(PLAYER, self.seats[seat])

    def run(self) -> int:
        """Plays until the game is over or the people leave. Returns the exit status of the command."""
        self.console.print(Rule(Text(self.game.title, style="bold")))
        if self.campaign is not None:
            self.tell_campaign(self.campaign)
        if self.humans:
            self.tell("type")
        try:
            self._play()
        except _Quit:
            self.tell("goodbye")
        except (EOFError, KeyboardInterrupt):
            self.console.print()
            self.tell("goodbye")
        except (RuleFault, InvariantBroken) as error:
            self.tell("cannot_continue", fault=fault_text(error, self.game.program))
            return 1
        return 0

    def _play(self) -> None:
        self._keep_campaign()
        while self._play_one() and self.campaign is not None:
            self._next_game(self.campaign)

    def _keep_campaign(self) -> None:
        if self.campaign is not None:
            handed_on = {"carried": self.state.carried} if self.state.over else {}
            self._write(self.campaign, {"campaign": self.before, **handed_on, **self.game.save(self.state)})

    def _next_game(self, file: Path) -> None:
        """Begins the next game of a campaign with what this one carried."""
        self.before.append({"winners": list(self.state.winners)})
        seed = luck() if self._unforeseen else mix(self.seed, len(self.before))
        self.state = self.game.start(seed, carried=self.state.carried)
        self.past, self.told, self.streams = [], {}, {s: Stream(mix(seed, s)) for s in range(self.game.players)}
        self._keep_campaign()
        self.tell_campaign(file)

    def tell_campaign(self, file: Path) -> None:
        """The number of the game, and the games that each player has won before."""
        self.console.print(Rule(Text(self.words.say("turn.campaign", n=len(self.before) + 1, file=file))))
        won = [
            f"{self.called(s)} {'★' * sum(s in each['winners'] for each in self.before)}"
            for s in range(self.game.players)
        ]
        self.console.print(coloured("   ".join(won), self.styles))

    def _play_one(self) -> bool:
        """Whether to go on with the next game."""
        while (decision := self.state.decision) is not None:
            seat = decision.player
            if seat in self.bots:
                self._bot_plays(seat, decision)
            elif self.state.forced or (len(decision.options) == 1 == len(self.humans)):
                self._go_on(0)
            else:
                self._hand_over(seat)
                self._table(seat)
                self._news(seat, self.told.get(seat, 0))
                self._decide(seat, decision)
        return self._end()

    # ------------------------------------------------------------ a person's decision

    def _decide(self, seat: int, decision: Decision) -> None:
        among: tuple[int, ...] | None = None
        hinting = self.hinting
        while True:
            listed = prompting.entries(decision, among, self.wording)
            self._question(seat, decision, listed)
            if hinting:
                self.hints.show(self.state, decision)
                hinting = False
            answer = self._answer(seat, decision, listed)
            match answer:
                case prompting.Chosen(index):
                    if self._choose(seat, index):
                        return
                case prompting.Narrowed(indices):
                    among = indices
                case "back":
                    among = None
                case "moved":
                    return

    def _answer(self, seat: int, decision: Decision, listed: list[prompting.MenuEntry]) -> prompting.Answer | str:
        """Reads lines until one is a choice, is ``back``, or has changed the position (``moved``)."""
        while True:
            line = self._line(f"{self.called(seat)}> ")
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
                case "keep":
                    self._keep(rest)
                case "undo":
                    if self._undo(seat):
                        return "moved"
                case "why":
                    self._why(decision, rest, listed)
                case _:
                    answer = prompting.read(line, decision, listed, names_in(self.game), self.wording)
                    if not isinstance(answer, prompting.Unclear):
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
        self.tell("interrupted")
        try:
            return " ".join(self.ask("> ").split())
        except KeyboardInterrupt:
            raise _Quit from None

    def _bot_plays(self, seat: int, decision: Decision) -> None:
        """Ctrl-C while a bot thinks asks as well; afterwards it thinks anew."""
        before = self.state.copy()
        try:
            stream = Stream(mix(luck())) if self._unforeseen else self.streams[seat]
            self._go_on(self.bots[seat].choose(self.state, decision, stream))
        except KeyboardInterrupt:
            self.state = before
            if not self.humans:
                raise
            self.console.print()
            self._between(self._interrupted())
            return
        if self.past and not self.game.blueprint.knowers.all_in_the_open:
            self.past[-1].answered = decision.rule

    def _between(self, line: str) -> None:
        """A command that is given while nobody at the screen decides."""
        word, _, rest = line.partition(" ")
        if word in ("quit", "exit"):
            raise _Quit
        if word == "save":
            self._save(rest)
        elif word:
            self.tell("only_save")

    def _choose(self, seat: int, index: int) -> bool:
        before = self.state.copy()
        try:
            self._go_on(index)
        except (RuleFault, InvariantBroken) as error:
            self.state = before
            told = fault_text(error, self.game.program)
            self.tell("mistake", fault=told)
            return False
        self.past.append(Past(seat, before))
        self._keep_campaign()
        return True

    def _undo(self, seat: int) -> bool:
        if not self.past:
            self.tell("nothing_to_undo")
            return False
        last = self.past[-1]
        if last.seat != seat:
            self.tell("not_yours", player=self.called(last.seat))
            return False
        shown = last.answered or uncovered(self.game.blueprint, self.state.position.log, last.state.position.log)
        if shown is not None:
            self.tell("uncovered", rule=shown)
            return False
        self.past.pop()
        self.state = last.state
        self.told = {s: min(n, len(self.state.log)) for s, n in self.told.items()}
        self.tell("taken_back")
        return True

    # ------------------------------------------------------------ commands

    def _help(self) -> None:
        for command, name in COMMANDS.items():
            said = self.words.say(f"commands.{name}")
            self.console.print(Text(f"  {command:<16}", style="bold"), Text(said), sep="")

    def _why(self, decision: Decision, rest: str, listed: list[prompting.MenuEntry]) -> None:
        if rest == "not" or rest.startswith("not "):
            lines = why_not(self.game, self.state, decision, rest[3:].strip(), listed, self.wording)
        else:
            lines = why(self.game, self.state, decision, rest, listed, self.wording)
        for line in lines:
            self.console.print(line)
        answer = prompting.read(rest, decision, listed, names_in(self.game), self.wording) if rest else None
        if isinstance(answer, prompting.Chosen):
            self.hints.show_one(self.state, decision, answer.index)

    def _log(self, seat: int | None) -> None:
        for event in story(visible(self.state.log, seat), self.game.program):
            self.console.print(event_line(event, self.styles, self.news))

    def _look(self, name: str) -> None:
        for part in looked_at(self.wording, name):
            self.console.print(part)

    def _save(self, name: str) -> None:
        if not name:
            self.tell("name_file")
            return
        file = Path(name).expanduser()
        try:
            if not self._write(file, self.game.save(self.state)):
                return
        except GameError as error:
            self.tell("not_saved", reason=error)
            return
        if self.state.decision is None:
            self.tell("saved_over", file=file)
        else:
            self.tell("saved", file=file)

    def _write(self, file: Path, saved: Mapping[str, Any]) -> bool:
        try:
            savefile.write(file, saved, self.origin)
        except OSError as error:
            self.tell("not_written", file=file, reason=error.strerror or error)
            return False
        return True

    def _keep(self, name: str) -> None:
        """Makes what was chosen last an example of the game."""
        from interpreter.outcomes.keeping import CannotKeep, Course, keep

        try:
            kept = keep(Path(self.origin.path), self.origin.variants, Course.of(self.state.position), name=name)
            self.tell("kept", example=kept.name, file=kept.add())
        except CannotKeep as error:
            self.tell("not_kept", reason=error)
        except OSError as error:
            self.tell("not_kept", reason=error.strerror or error)

    # ------------------------------------------------------------ what is shown

    def say(self, text: str) -> None:
        self.console.print(Text(text))

    def tell(self, name: str, **values: object) -> None:
        """Says something in the players' language, by its name among the words of a turn."""
        self.say(self.words.say(f"turn.{name}", **values))

    def _hand_over(self, seat: int) -> None:
        """Clears the screen between people who share it, so that nobody sees what the next player may see."""
        if len(self.humans) > 1 and self.at_screen not in (None, seat):
            self.console.clear()
            if self.console.is_terminal:
                self.console.file.write(_FORGET)
            said = self.words.say("turn.pass_screen", player=self.called(seat))
            self.console.print(coloured(said, self.styles))
            self.ask(self.words.say("turn.press_enter"))
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
            self.tell("earlier", n=len(events) - _NEWS)
        for event in events[-_NEWS:]:
            self.console.print(event_line(event, self.styles, self.news))

    def _table(self, seat: int) -> None:
        self.console.print()
        scene = TerminalScene(self.game.program, self.state.view(seat), self.look)
        self.console.print(table_drawing.draw(scene, self.console))

    def _question(self, seat: int, decision: Decision, listed: list[prompting.MenuEntry]) -> None:
        verb = "pays" if decision.kind == "pay" else "chooses"
        said = self.words.say(f"turn.{verb}", player=self.called(seat))
        already = self.wording.so_far(decision)
        said += f" ({self.words.say('turn.so_far', pieces=already)})" if already else ""
        self.console.print(Rule(coloured(said, self.styles).append(f"  {decision.rule}", style="dim")))
        self._told_about(decision)
        many = prompting.stretch(listed)
        if many is not None:
            self.console.print(Text(f"  {many[0]}", style="bold cyan"))
            listed = list(many[1])
        width = max((len(entry.label) for entry in listed), default=0)
        single = {entry.indices[0]: entry for entry in listed if len(entry.indices) == 1}
        few = decision.kind == "menu" and len(listed) <= prompting.FLAT
        beside = self.wording.beside(self.state, decision, single) if few else {}
        lines = []
        for entry in listed:
            numbers_only = entry.label == entry.text
            line = Text(f"{entry.label:>{width}}", style="bold cyan")
            if not numbers_only:
                line.append(" ").append_text(_plain(entry.text, self.styles))
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
            between = bounds(decision)
            self.console.print(Text(f"  {about}{f': {between}' if between else ''}", style="bold"))
        if decision.rule not in self.asked:
            self.asked.add(decision.rule)
            for sentence in self.wording.question(decision):
                self.console.print(Text(f"  {sentence}", style="italic dim"))

    def _end(self) -> bool:
        self._keep_campaign()
        # With several people at the screen, only what everybody may see is shown.
        seat = self.humans[0] if len(self.humans) == 1 else None
        if seat is not None:
            self._table(seat)
        self._news(seat, max(self.told.values(), default=0))
        self.console.print(Rule(Text(self.words.say("turn.over"), style="bold")))
        order = sorted(range(self.game.players), key=lambda s: (s not in self.state.winners, -self._score(s)))
        starred = () if only_counts(self.game.program) else self.state.winners
        for seat in order:
            name = self.called(seat)
            line = Text("  ★ " if seat in starred else "    ").append(name, style=self.styles[name])
            if self.state.scores:
                line.append(f"  {self.state.scores[seat]}")
            self.console.print(line)
        self.console.print(coloured(self.news.outcome(self.state.winners), self.styles))
        return bool(self.humans) and self._afterwards(seat)

    def _afterwards(self, seat: int | None) -> bool:
        """Until Enter: the finished game can be saved, and looked back on. Returns whether to go on."""
        self.tell("afterwards" if self.campaign is None else "next_game")
        while line := self._line("> "):
            word, _, rest = line.partition(" ")
            match word:
                case "quit" | "exit":
                    return False
                case "save":
                    self._save(rest)
                case "keep":
                    self._keep(rest)
                case "log":
                    self._log(seat)
                case "look":
                    self._look(rest)
                case "table" if seat is not None:
                    self._table(seat)
                case _:
                    self.tell("over_commands" if self.campaign is None else "next_game")
        return True

    def _score(self, seat: int) -> int:
        return self.state.scores[seat] if self.state.scores else 0


def _plain(text: str, styles: Mapping[str, str]) -> Text:
    return Text("", style="default not bold").append_text(coloured(text, styles))
