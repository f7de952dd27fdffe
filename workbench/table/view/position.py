"""A position as a page shows it: the picture, what can be clicked, news, and how it ended."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.bots import BOTS
from interpreter.bots.ladder import kept
from interpreter.position.carrying import carries
from interpreter.record.rounds import rounds_told
from rulelang import workspace
from rulelang.diagnostics import RulesError, UnusablePath
from rulelang.program.sides import only_counts, scorers

from ...pictures.build.facts import PLAYER, domain_of, facts_of
from ...pictures.build.piece_parts import Maker
from ...pictures.draw import arrange, described, whole
from ...pictures.layout.page import place
from ...pictures.looks import look_for
from ...pictures.paint import painted
from ...pictures.paint.colours import colour_of
from ...pictures.scene import nodes
from ...pictures.scene.look import words
from ...pictures.scene.nodes import Node
from ...rulebook.languages.catalogue import section
from ...terminal.telling import story
from ...wording import News, Sentences, fullest, sentence
from ...wording.topics import mentioned
from .book import languages, root
from .lessons import lessons, syllabus
from .prompt import NOTHING_ASKED, asked
from .window import Viewpoint, Window, wording_of

if TYPE_CHECKING:
    from interpreter.data import Event
    from interpreter.game import Game, State
    from rulelang.program import Program

    from ...pictures.build.reuse import Kept
    from ...pictures.layout.room import Rooms
    from ...pictures.scene.look import Look
    from ...wording import Wording
    from .prompt import Prompt


def position(
    game: Game, state: State, viewpoint: Viewpoint, kept: Kept | None = None, rooms: Rooms | None = None
) -> dict[str, Any]:
    """What is shown of a state from a viewpoint, as plain data. ``kept``: parts of earlier pictures of the game in its
    language; ``rooms``: what room places are given. Without ``since`` a page knows nothing yet, so that nothing moves.

    - ``game title seat over scores lang``; ``languages[]`` and ``words``: those of the page itself;
    - ``players[]``: ``name label colour ink score asked won``; ``rounds[]`` and ``phase``: what part of the game it is;
      ``turn of``: the seats that are asked; ``forced``: whether all know that there is one option, taken at once;
    - ``svg``: the picture, in pieces; ``described[]``: the same in sentences;
      ``targets``: the options that each address in it may mean;
    - ``question``, ``options[]``, ``fields[]``, ``actions[]``, ``faces``, ``ghosts``, ``purse``: see ``asked``;
    - ``terms``: words of all of it that can be asked about, as written, with the name to ask for;
    - ``moves[] rests changed[] log[] seen earlier``: see ``news``; ``results``: None until the game is over;
    - ``lessons[]``: None for those who do not learn; ``syllabus[]``: those of all rules, when the game is over;
    - ``design``: what a designer may change, None for all others.
    """
    program, seat, since, everything = game.program, viewpoint.eyes, viewpoint.since, viewpoint.everything
    look, window = look_for(program, viewpoint.lang), Window.of(state, seat)
    view = window.view(seat)
    wording = wording_of(program, look)
    choice = None if window.decision is None else asked(wording, window, window.decision, kept)
    scene = arrange(program, whole(state) if everything else view, look, _squares(choice), kept=kept)
    news, events = SeatNews(wording, everything), tuple(state.log) if everything else window.log
    introduced = _introduced(wording, window, events, since) if viewpoint.learn else None
    return {
        "game": game.name,
        "title": game.title,
        "seat": seat,
        "lang": viewpoint.lang,
        "languages": languages(game),
        "words": section("page", viewpoint.lang),
        **{part: view[part] for part in ("over", "scores")},
        "players": _players(game, window, look, view["scores"]),
        "rounds": [] if view["over"] else list(_rounds(wording, window, view["state"])),
        "phase": "" if view["decision"] is None else wording.heading(view["decision"]["rule"]) or "",
        "turn of": [] if window.player is None else [window.player],
        "forced": window.forced,
        "svg": painted(place(scene, viewpoint.width, titled=False, rooms=rooms), styled=False),
        "described": described(scene.root),
        "targets": {} if choice is None else _targets(scene.root, choice.meant),
        **(NOTHING_ASKED if choice is None else choice.shown()),
        **(told := news.told(events, since)),
        "terms": _terms(wording, choice, told["log"], introduced or ()),
        "results": results(game, wording, window.winners, view["scores"], news.each(events)) if view["over"] else None,
        "lessons": introduced,
        "syllabus": syllabus(wording) if viewpoint.learn and view["over"] else [],
        "design": design(program) if everything else None,
    }


def _introduced(
    wording: Wording, window: Window, events: Sequence[Event], since: int | None
) -> list[dict[str, Any]]:  # fmt: skip
    """The lessons of a position for a page that has been told so many of the events. One that is opened anew has been
    told of those before the last choice of its seat."""
    if since is not None:
        return lessons(wording, window, events[since:])
    seat = None if window.seat is None else wording.program.seats[window.seat]
    own = (n for n, event in enumerate(events, 1) if event.kind == "choice" and event.data.get("player") == seat)
    return lessons(wording, window, events[max(own, default=0) :])


def _terms(
    wording: Wording, choice: Prompt | None, log: Iterable[Mapping[str, Any]], introduced: Sequence[Mapping[str, Any]]
) -> dict[str, str]:
    question = {} if choice is None else choice.question
    asked = [*question["sentences"], question["text"], question["about"], question["what"]] if question else []
    taught = (line for lesson in introduced for line in (*lesson["lines"], *lesson["more"]))
    return mentioned(wording, [*asked, *(line["text"] for line in log), *taught])


def _rounds(wording: Wording, window: Window, shown: Mapping[str, Any]) -> Iterator[str]:
    """Rounds in words: those of a given number, and what the rules count for themselves."""
    for bind, number, total in window.rounds:
        domain = domain_of(bind.type)
        if domain is not None or len(bind.name) > 2:
            what = words(bind.name) if domain is None else wording.look.label(domain.name)
            yield wording.words.say("turn.round", what=what, n=number, total=total)
    for name in wording.counted_rounds:
        if name in shown and not wording.look.says(name, "hidden"):
            yield f"{wording.look.label(name)} {shown[name]}"


def _players(game: Game, window: Window, look: Look, scores: list[int | None]) -> list[dict[str, Any]]:
    program = game.program
    maker, domain = Maker(facts_of(program), look), program.domains[PLAYER]
    found = []
    for number, name in enumerate(program.seats):
        colour = colour_of(maker.hue(domain, name))
        found.append(
            {
                "name": name,
                "label": maker.name(domain, name),
                "colour": colour.fill,
                "ink": colour.ink,
                "score": scores[number] if program.score is not None else None,
                "asked": window.player == number,
                "won": number in window.winners,
            }
        )
    return found


_COARSE = frozenset({"panel", "zone", "row"})
"""Kinds of nodes that need not be clicked where something inside them, or beside them, says more."""


def _squares(choice: Prompt | None) -> list[str]:
    """The empty squares that may be filled, which are drawn."""
    return [address for address in choice.meant if "@" in address] if choice is not None else []


def _targets(root: Node, meant: Mapping[str, frozenset[int]]) -> dict[str, list[int]]:
    """What can be clicked: addresses in the picture, without the coarse ones whose options finer ones mean as well."""
    coarse = {node.address: node.kind in _COARSE for node in root.walk() if node.address}
    seen = {address: options for address, options in meant.items() if address in coarse}

    def is_needed(address: str) -> bool:
        if not coarse[address]:
            return True
        own = seen[address]
        finer = [o for a, o in seen.items() if a != address and (o < own or (o == own and not coarse[a]))]
        return not own <= frozenset().union(*finer)

    return {address: sorted(options) for address, options in sorted(seen.items()) if is_needed(address)}


_LINES = 400
"""Lines of the log that are sent at most; the latest."""
_MOVES = 40


@attrs.frozen
class SeatNews:
    """Tells the events of a game to those who were told them. ``everything``: to somebody who sees all."""

    wording: Wording
    everything: bool = False

    @property
    def program(self) -> Program:
        return self.wording.program

    def each(self, events: Sequence[Event]) -> Sequence[Event]:
        """The events, each told in one way."""
        return fullest(events) if self.everything else events

    def told(self, events: Sequence[Event], since: int | None) -> dict[str, Any]:
        """``moves[]``: ``from to pieces``, of what was not told yet; ``rests``: see there; ``changed[]``: addresses;
        ``log[]``: ``kind text reasons rule player``; ``seen``: the number of events; ``earlier``: lines that are left
        out. ``since``: how many of the events had been told, None where there are fewer now, or nothing had been."""
        since = None if since is None or since > len(events) else since
        new = self.each(events[since or 0 :])
        moves = [event for event in new if event.kind == "move"] if since is not None else []
        lines = story(new, self.program)
        return {
            "moves": [_move(event) for event in moves[-_MOVES:] if event.data.get("number", 1)],
            "rests": rests(new, self.program.seats) if since is not None else None,
            "changed": sorted(set(self._changed(new))) if since is not None else [],
            "log": [line for event in lines[-_LINES:] if (line := self._line(event))["text"]],
            "earlier": max(0, len(lines) - _LINES),
            "seen": len(events),
            "since": since,
        }

    def _line(self, event: Event) -> dict[str, Any]:
        who = event.data.get("player")
        seats = self.program.seats
        return {
            "kind": event.kind,
            "text": self._sentence(event),
            "reasons": self.wording.reasons(event.data.get("because", ())),
            "rule": event.rule,
            "player": seats.index(who) if who in seats else None,
        }

    def _sentence(self, event: Event) -> str:
        """An event as one would tell it: a choice, or what came of it."""
        names, data = self.wording.names, event.data
        if not names.look.lang:
            return News(names).line(event)
        told = Sentences(names)
        if event.kind == "choice" and "value" in data:
            return sentence(told.choice(data["player"], event.rule, data["option"], data["value"]))
        hidden = names.look.says(str(data.get("place", "")).partition("[")[0], "hidden")
        return "" if hidden else sentence(told.event(event))

    def _changed(self, events: Iterable[Event]) -> Iterator[str]:
        """Addresses of what is not as it was."""
        for event in events:
            data = event.data
            if event.kind == "move" and data.get("number", 1):
                yield _target(data)
            elif event.kind == "set":
                yield data["place"]
            elif event.kind == "score" and data.get("amount", 1) and scorers(self.program) == self.program.seats:
                yield nodes.member(PLAYER, data["player"])


def rests(events: Sequence[Event], seats: Sequence[str]) -> list[dict[str, str]] | None:
    """Pieces that came into sight by these events and are gone again, taken away with others: ``at kind``.

    None where the position tells as much as its events: there are no such pieces, nor values of several players that
    came and went, nor points that several were given.
    """
    scored = {event.data.get("player") for event in events if event.kind == "score" and event.data.get("amount")}
    gone = list(_gone(events))
    moves = [event for event in events if event.kind == "move"]
    found = {
        number: {"at": at, "kind": kind}
        for number, at, came, taken in gone
        for kind in reversed(_pieces(came))
        if taken.kind == "move" and kind in _pieces(taken) and _with_others(came, taken, moves)
    }
    values = {at for _, at, came, taken in gone if taken.kind == "set" and any(f"[{seat}" in at for seat in seats)}
    return [found[n] for n in sorted(found)] if found or len(values) > 1 or len(scored) > 1 else None


def _gone(events: Sequence[Event]) -> Iterator[tuple[int, str, Event, Event]]:
    """What may have come into sight and be gone: the number of an event, its place, itself, and a later loss there."""
    lost: dict[str, list[Event]] = {}
    for number in reversed(range(len(events))):
        event = events[number]
        data = event.data
        at = _target(data) if event.kind == "move" else data.get("place", "")
        if event.kind == "move" or data.get("value") or "pieces" in data:
            yield from ((number, at, event, later) for later in lost.get(at, ()))
        if event.kind == "move":
            lost.setdefault(data["from"], []).append(event)
        elif event.kind == "set" and not data.get("value"):
            lost.setdefault(at, []).append(event)


def _pieces(event: Event) -> list[str]:
    pieces = event.data.get("pieces", event.data.get("value"))
    return list(pieces) if isinstance(pieces, dict | list) else []


def _with_others(event: Event, taken: Event, moves: Iterable[Event]) -> bool:
    """Whether what came into sight is taken away with what lay in places like its own, or with the rest of a place that
    players share."""
    if event.kind == "show":
        return True
    at, to = taken.data["from"], taken.data["to"]
    if "[" not in at and "[" in event.data["from"]:
        return len(taken.data["pieces"]) > 1 or max(taken.data["pieces"].values()) > 1
    sort = at.partition("[")[0]
    others = (move.data for move in moves if move.data["to"] == to)
    return any(one["from"] != at and one["from"].partition("[")[0] == sort for one in others)


def _target(data: dict[str, Any]) -> str:
    to: str = data["to"]
    return nodes.square(to, data["x"], data["y"]) if "x" in data else to


def _move(event: Event) -> dict[str, Any]:
    data = event.data
    return {"from": data["from"], "to": _target(data), "pieces": data.get("pieces", {})}


def results(
    game: Game, wording: Wording, winners: Sequence[int], scores: Sequence[int | None], events: Sequence[Event]
) -> dict[str, Any]:
    """``outcome``: a sentence; ``ranking[]``: ``player seat score won``, winners first; ``points[]``: for each heading
    of the rulebook that points come from ``title lines[]``, a line being ``player amount total reasons round``;
    ``began``: what each had before; ``rounds``: their number; ``carries``: the next game begins with something of this.
    ``scores``: by seat, as far as they can be seen.
    """
    program = wording.program
    sections: dict[str, list[dict[str, Any]]] = {}
    began: dict[str, int] = {}
    rounds = rounds_told(game.blueprint, events)
    for event, number in zip(events, rounds, strict=True):
        if event.kind == "score" and event.data.get("amount"):
            data = event.data
            line = {
                "player": data.get("player", data.get("team")),
                "amount": data["amount"],
                "total": data.get("total"),
                "reasons": wording.reasons(data.get("because", ())),
                "round": max(1, number),
            }
            title = wording.heading(event.rule) or words(event.rule).capitalize()
            sections.setdefault(title, []).append(line)
            began.setdefault(line["player"], data["total"] - data["amount"])
    seats = range(program.players)
    scores = scores if program.score is not None else (None,) * program.players
    order = sorted(seats, key=lambda seat: (seat not in winners, -(scores[seat] or 0), seat))
    starred = () if only_counts(program) else winners
    return {
        "outcome": News(wording.names).outcome(winners),
        "ranking": [{"player": program.seats[s], "seat": s, "score": scores[s], "won": s in starred} for s in order],
        "points": [{"title": title, "lines": lines} for title, lines in sections.items()],
        "began": began,
        "rounds": max(rounds, default=0),
        "carries": carries(program),
    }


def design(program: Program) -> dict[str, Any]:
    """``numbers``: the value of each; ``variants``: those in the game's folder that are not in force; ``bots``; and
    ``levels``, those of them that are a beginner, good, or the strongest, where that was measured."""
    ladder = kept(program.version, program.players)
    levels = {} if ladder is None else ladder.levels
    return {
        "numbers": dict(program.numbers), "variants": _variants(program), "bots": sorted(BOTS), "levels": levels,
    }  # fmt: skip


def _variants(program: Program) -> list[str]:
    folder = root(program)
    if folder is None:
        return []
    try:
        files, _ = workspace.default().open(folder)
    except (OSError, RulesError, UnusablePath):
        return []
    return [name for name in files.variants if name not in program.variants]
