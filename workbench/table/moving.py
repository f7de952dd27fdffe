"""Kept games whose rules have changed: they move to the new ones, or keep their own, whose texts the file has."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.errors import SaveError
from interpreter.outcomes.partings import replay_under
from rulelang.diagnostics import RulesError, UnusablePath
from rulelang.files.contents import KINDS, content

from ..savefile import Note
from . import store as rows
from .line import Choice, Line, RuleSet, opening
from .store import KeptLine, Store, UnusableFile

if TYPE_CHECKING:
    from interpreter.game import Game


def packed(rules: RuleSet, root: str) -> tuple[dict[str, bytes], RuleSet]:
    """The files of a game, and the rules as they are found when those lie in ``root``."""
    path, folder = Path(rules.path), rules.folder
    found: dict[str, bytes] = {}
    for file in sorted(folder.rglob("*")) if path.is_dir() else [path]:
        if file.suffix in KINDS and file.is_file():
            with suppress(OSError):  # a link to elsewhere, say, which is not followed there either
                found[_place(file, folder)] = content(file, folder)
    variants = []
    for variant in rules.variants:
        file = Path(variant)
        if file.is_file():
            place = _place(file.resolve(), folder.resolve())
            found[place] = content(file, None)
            variant = f"{root}/{place}"
        variants.append(variant)
    place = folder.name if path.is_dir() else _place(path, folder)
    return found, attrs.evolve(rules, path=f"{root}/{place}", variants=tuple(variants))


def _place(file: Path, folder: Path) -> str:
    """Where a file of a game, or one from elsewhere, lies."""
    if not file.is_relative_to(folder):
        return f"variants-of-others/{file.name}"
    return f"{folder.name}/{file.relative_to(folder).as_posix()}"


_ROOT = "<here>"
"""Stands for the folder in which kept texts are laid out."""


def texts_of(rules: RuleSet) -> bytes:
    """The texts of a game, to be kept."""
    files, there = packed(rules, _ROOT)
    texts = {name: data.decode("utf-8", "surrogateescape") for name, data in files.items()}
    return zlib.compress(json.dumps({"rules": there.plain(), "files": texts}).encode())


def own_rules(store: Store, kept: KeptLine) -> RuleSet:
    """The rules that a line was played by, laid out beside the file; its lines find them there from now on.

    Raises UnusableFile where it has no texts of them.
    """
    data = store.texts(kept.identity)
    if data is None:
        raise UnusableFile(
            f"the rules of {kept.identity['game']} have changed since the games in {store.file} were played, and it"
            " does not have their texts yet; put the rules back as they were, or begin with another file"
        )
    root = store.file.resolve().with_name(f"{store.file.stem}-rules") / Path(kept.identity["version"]).name
    try:
        held = json.loads(zlib.decompress(data))
        there = RuleSet.of(held["rules"])
        for name, text in held["files"].items():
            file = root / name
            if ".." in file.parts or not file.is_relative_to(root):
                raise ValueError
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text.encode("utf-8", "surrogateescape"))
    except OSError as problem:
        raise UnusableFile(f"the rules cannot be laid out in {root}: {problem.strerror}") from None
    except (zlib.error, ValueError, KeyError, TypeError, AttributeError):
        raise UnusableFile(f"the texts of rules in {store.file} are damaged") from None
    path, *variants = (place.replace(_ROOT, str(root)) for place in (there.path, *there.variants))
    rules = attrs.evolve(there, path=path, variants=tuple(variants))
    store.written([rows.ruled(kept.identity, kept.rules, rules)]).result()
    return rules


def taken_up(
    store: Store, kept: KeptLine, turn: int, games: dict[str, Game | str], path: str | None, move: bool
) -> tuple[KeptLine, Line, str]:
    """A line of play as it stands, and what people are told. Where its rules have changed it goes on under the new ones
    if nothing parts, or with ``move`` as far as its choices fit; else under its own. ``turn``: of its table when it
    moves; ``path``: where the new rules are, if not where they were; ``games``: those that have been loaded.

    Raises UnusableFile where it cannot be taken up at all.
    """
    from interpreter.errors import GameError
    from interpreter.position.saves import identity

    rules = attrs.evolve(kept.rules, path=path or kept.rules.path)
    game = games[repr(rules)] = games.get(repr(rules)) or _loaded(rules)
    try:
        if isinstance(game, str) or identity(game.program) != kept.identity:
            return _under_others(store, kept, turn, rules, game, move)
        store.written(store.worded(kept)).result()
        return kept, store.restored(kept, game), ""
    except (GameError, RulesError, UnusablePath) as error:
        raise UnusableFile(f"a game in {store.file} cannot be taken up again: {error}") from None


def _loaded(rules: RuleSet) -> Game | str:
    """The game, or what is wrong with its rules."""
    try:
        return rules.load()
    except (RulesError, UnusablePath) as problem:
        return str(problem).splitlines()[0]


def _under_others(
    store: Store, kept: KeptLine, turn: int, rules: RuleSet, game: Game | str, move: bool
) -> tuple[KeptLine, Line, str]:
    """``taken_up`` where the rules have changed."""
    own = own_rules(store, kept)
    stays = attrs.evolve(kept, rules=own)
    line = store.restored(stays, own.load())
    said = f"table {kept.table}: the rules of {kept.identity['game']} have changed since it was played"
    keeps = f"it goes on under its own, which are in {own.folder}"
    try:
        if isinstance(game, str):
            raise SaveError(f"cannot be played now: {game}")
        replay = replay_under(game, line.game.save(line.state), beyond=True)
    except SaveError as problem:
        return stays, line, f"{said}, and {problem}; {keeps}"
    parting, total = replay.parting, len(line.choices)
    if parting is not None:
        said += f"; choice {parting.decision} of {total} is the first that leads elsewhere, by {parting.rule}"
        said += f": {parting.change}" if game.blueprint.knowers.all_in_the_open else ""
        if replay.state is None or not move:
            return stays, line, f"{said}; {keeps}. With --move it goes on under the new ones as far as its choices fit"
    moved = store.new_line(kept.table, rules, game, kept.start, kept.number)
    new = Line(moved.number, rules, game, kept.start, opening(game, kept.start), kept.number)
    for choice in _choices(replay.made):
        new.take(*new.course(attrs.evolve(choice, seat=new.state.player or 0))[0])
    new.at = len(new.choices)
    moved = attrs.evolve(moved, at=new.at)
    fit = f"{'all ' if new.at == total else ''}{new.at} of {total} choices"
    note = Note(new.at, "rulelang", f"The rules have changed. {fit.capitalize()} fit the new ones.")
    made = [rows.choice(new.number, number, one) for number, one in enumerate(new.choices)]
    turned = rows.turn(kept.table, new.number, turn)
    store.written([*store.made(moved), *made, turned, rows.note(new.number, note)]).result()
    return moved, new, f"{said}; it goes on under the new ones, which {fit} fit"


def _choices(made: Any) -> Iterator[Choice]:
    """Choices, by no seat yet, from what was made in a game."""
    from interpreter.position.position import Laid

    chance: tuple[Any, ...] = ()
    luck = None
    for each in made:
        if not isinstance(each, Laid):
            yield Choice(each, 0, chance, luck)
            chance, luck = (), None
        elif not each.first:
            chance, luck = (*chance, *each.outcomes), each.luck if each.luck is not None else luck
