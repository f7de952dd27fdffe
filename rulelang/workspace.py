"""Workspace: the single way from files to Programs, examples and findings, cached by the contents of the texts.

A Workspace serves one process that looks at games again and again while their texts change: an editor's service, a
test run, a rulebook printed in four languages. What is asked for is worked out from the texts as they are now; what
only depends on texts that are as they were is not worked out again. Nothing is ever out of date, since contents and
not times of change decide, and results do not depend on what was asked before.

The stages between are imported where they are needed: a process that has its Program from elsewhere needs none.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import attrs

from .collection import no_collection
from .diagnostics import Diagnostic, RulesError, Sink, UnusablePath
from .recent import Recent
from .words import from_to

if TYPE_CHECKING:
    from .elaborate import Elaborated
    from .elaborate.environment import Environment
    from .examples import Example
    from .files.folder import GameFiles, Texts
    from .link import Linked
    from .program import Program
    from .syntax.parse import ParsedItems
    from .traces import TraceMemory

T = TypeVar("T")

_MEMORIES = 200
"""Choices of a game, players, variants and settings whose items are remembered."""

_PROGRAMS = 200
_THINGS = 1_000


@attrs.define
class Workspace:
    """Games as their texts are now. Safe to use from several threads; they wait for each other.

    ``edits``: whether edits are to be expected. Then the items of a game are remembered one by one from the first time
    on, so that an edit costs little; otherwise only once a game is seen for the second time with other texts, since
    most processes look at one version only.
    What comes out belongs to everybody who asked for the same: do not change it.
    """

    edits: bool = False
    before_work: Callable[[], None] | None = None
    """Called before each larger piece of work. What it raises breaks the work off and is passed on; whoever asks again
    goes on from there."""

    _unsaved: dict[Path, str] = attrs.field(factory=dict, init=False)
    _items: ParsedItems | None = attrs.field(default=None, init=False)
    _memories: Recent[TraceMemory | None] = attrs.field(factory=lambda: Recent(_MEMORIES), init=False)
    _elaborated: Recent[Elaborated] = attrs.field(factory=lambda: Recent(_PROGRAMS), init=False)
    _linked: Recent[tuple[Linked | None, tuple[Diagnostic, ...]]] = attrs.field(
        factory=lambda: Recent(_PROGRAMS), init=False
    )
    _things: Recent[Any] = attrs.field(factory=lambda: Recent(_THINGS), init=False)
    _lock: threading.RLock = attrs.field(factory=threading.RLock, init=False)

    # ------------------------------------------------------------ texts

    def set_text(self, path: str | Path, text: str) -> None:
        """From now on ``text`` counts instead of what is on disk; the file need not be there."""
        with self._lock:
            self._unsaved = {**self._unsaved, Path(path).resolve(): text}

    def forget(self, path: str | Path) -> None:
        """Drops an unsaved text: the file on disk counts again."""
        with self._lock:
            here = Path(path).resolve()
            self._unsaved = {path: text for path, text in self._unsaved.items() if path != here}

    @property
    def texts(self) -> Texts:
        """The texts as they are now."""
        from .files.folder import Texts

        return Texts(self._unsaved)

    def open(
        self,
        path: str | Path,
        variants: Sequence[str | Path] = (),
        sink: Sink | None = None,
        *,
        examples: bool = True,
        notes: bool = True,
    ) -> tuple[GameFiles, tuple[str, ...]]:
        """The files of the game at ``path`` and the names of the variants asked for, the path's own included.

        ``path``: its folder, its main file or a variant's file. ``variants``: names, or files, which may lie outside
        the game's folder. ``examples``: with those that are files of their own. ``notes``: with a note about each
        variant that nobody asked for and whose text has mistakes (see ``GameFiles.unsound``). Raises UnusablePath, and
        RulesError for a variant's file that cannot be read.
        """
        from .files import opening
        from .syntax.parse import ParsedItems

        with self._lock:
            sink = Sink() if sink is None else sink
            if self._items is None:
                self._items = ParsedItems()
            return opening.open_game(path, variants, sink, self.texts, self._items, examples=examples, notes=notes)

    # ------------------------------------------------------------ declarations and Programs

    def linked(self, files: GameFiles, variants: Sequence[str] = (), sink: Sink | None = None) -> Linked | None:
        """The declarations of a game with ``variants``, in any order. None when there is no game header."""
        from . import link

        with self._lock:
            key = contents(files), tuple(variants)
            known = self._linked.get(key)
            if known is None:
                self.pause()
                own = Sink()
                known = self._linked.put(key, (link.link(files, variants, own), tuple(own)))
            if sink is not None:
                sink.extend(known[1])
            return known[0]

    def elaborated(
        self,
        files: GameFiles,
        linked: Linked,
        players: int,
        sink: Sink,
        settings: Mapping[str, str] | None = None,
        *,
        seats: Sequence[str] | None = None,
        changes: tuple[Hashable, ...] = (),
        every_setting: bool = False,
    ) -> Elaborated:
        """The Program of declarations that ``linked`` gave, as ``elaborate`` makes it.

        ``changes``: says what was changed in the declarations since then.
        """
        from .elaborate import elaborate, version_of
        from .syntax import tree

        with self._lock:
            given = settings or {}
            every_setting = every_setting and any(True for _ in linked.all(tree.Setting))
            chosen = tuple(sorted(given.items()))
            choice = players, linked.variants, chosen, None if seats is None else tuple(seats), changes, every_setting
            key = contents(files), choice
            version = None
            known = self._elaborated.get(key)
            if known is not None and _same_tables(known.env, files):
                version = version_of(files, known.env.tables_read, linked, players, given)
                if known.program.version == version:
                    return known
                known = attrs.evolve(known, program=attrs.evolve(known.program, version=version))
                return self._elaborated.put(key, known)
            self.pause()
            before = sink.added
            found = elaborate(
                linked, files, players, given, sink, seats, every_setting, self._memory((str(files.root), choice))
            )
            if sink.added == before and not found.env.recall.log.whole:
                self._elaborated.put(key, found)
            return found

    def pause(self) -> None:
        """Lets whoever waits have a turn; see ``before_work``."""
        if self.before_work is not None:
            self.before_work()

    def _memory(self, choice: Hashable) -> TraceMemory | None:
        from .traces import TraceMemory

        known = self._memories.get(choice)
        if known is None:
            expected = self.edits or choice in self._memories
            known = self._memories.put(choice, TraceMemory() if expected else None)
        return known

    def program(
        self,
        files: GameFiles,
        players: int | None = None,
        settings: Mapping[str, str] | None = None,
        variants: Sequence[str] = (),
        sink: Sink | None = None,
    ) -> Program:
        """The checked Program for ``players`` players, by default the fewest.

        ``sink``: with what was found before. Raises RulesError when there are errors, and UnusablePath for a number of
        players that the game is not for.
        """
        with self._lock, no_collection():
            sink = Sink() if sink is None else sink
            game = files.game
            if game is None:
                raise RulesError(sink, files.sources)
            linked = self.linked(files, variants, sink)
            if linked is None:
                raise RulesError(sink, files.sources)
            count = game.low if players is None else players
            if not game.low <= count <= game.high:
                raise UnusablePath(f"{game.name} is for {from_to(game.low, game.high, 'player')}, not {count}.")
            if sink.has_errors:
                raise RulesError(sink, files.sources)
            made = self.elaborated(files, linked, count, sink, settings)
            if not sink.has_errors:
                self.check_program(made, sink)
            if sink.has_errors:
                raise RulesError(sink, files.sources)
            return made.program

    def programs(
        self, files: GameFiles, variants: Sequence[str] = (), settings: Mapping[str, str] | None = None
    ) -> list[Program]:
        """One Program for each number of players, the fewest first. Raises RulesError when the rules have mistakes."""
        with self._lock, no_collection():
            sink = Sink()
            found: list[Program] = []
            linked = self.linked(files, variants, sink)
            if linked is not None and not sink.has_errors:
                for players in range(linked.game.low, linked.game.high + 1):
                    found.append(self.elaborated(files, linked, players, sink, settings).program)
            if sink.has_errors or not found:
                raise RulesError(sink, files.sources)
            return found

    def check_program(self, made: Elaborated, sink: Sink) -> None:
        """The findings of all checks of a Program without errors."""
        from .checks import check_program

        with self._lock:
            if made.findings is None:
                self.pause()
                own = Sink()
                check_program(made.program, own, made.env.recall.memory)
                made.findings = tuple(own)
            sink.extend(made.findings)

    # ------------------------------------------------------------ examples

    def examples(
        self,
        files: GameFiles,
        sink: Sink,
        variants: tuple[str, ...] = (),
        settings: Mapping[str, str] | None = None,
        only: frozenset[str] | None = None,
        *,
        to_run: bool = True,
    ) -> list[Example]:
        """All examples of a game, or those of the files ``only``; mistakes go to ``sink`` and leave theirs out.

        With ``variants``, those of the game itself need not fit: what does not is left out with a note.

        ``to_run``: False only looks for mistakes, which needs fewer Programs; the examples must not be run then.
        """
        from .examples import resolve_examples

        with self._lock, no_collection():
            return resolve_examples(self, files, sink, variants, settings, only, to_run)

    # ------------------------------------------------------------ a game as a whole

    def load(
        self,
        path: str | Path,
        players: int | None = None,
        settings: Mapping[str, str] | None = None,
        variants: Sequence[str | Path] = (),
    ) -> Program:
        """The checked Program of a game; see ``rulelang.load``."""
        from .files import opening

        with self._lock, no_collection():
            sink = Sink()
            files, names = self.open(path, variants, sink, examples=False)
            opening.check_settings(files, settings or {})
            return self.program(files, players, settings, names, sink)

    # ------------------------------------------------------------ anything else

    def remember(self, key: Hashable, make: Callable[[], T]) -> T:
        """What ``make`` gives for this key, made before or now.

        ``key`` says what it is and holds the contents of everything it is made from.
        """
        with self._lock:
            known = self._things.get(key)
            if known is None:
                self.pause()
                known = self._things.put(key, (make(),))
            return cast("tuple[T]", known)[0]


def contents(files: GameFiles) -> Hashable:
    """The texts that declare a game and its variants: equal exactly when the declarations are."""
    game = tuple((file.span.file, files.sources[file.span.file].text) for file in files.parts)
    variants = tuple(
        (name, file.span.file, files.sources[file.span.file].text) for name, file in files.variants.items()
    )
    return files.game is None, game, variants


def _same_tables(env: Environment, files: GameFiles) -> bool:
    """Whether the files of rows that were read are as they were; then they count as read for ``files`` too."""
    for (file, name), source in env.tables_read.items():
        now = files.table(file, name)
        if now != source:
            return False
    for source in env.tables_read.values():
        files.sources.setdefault(source.name, source)
    return True


_default: Workspace | None = None
_making = threading.Lock()


def share(games: Workspace) -> None:
    """Makes a Workspace that of this process, so that everything done here sees its unsaved texts."""
    global _default
    with _making:
        _default = games


def default() -> Workspace:
    """The Workspace of this process."""
    global _default
    with _making:
        if _default is None:
            _default = Workspace()
        return _default
