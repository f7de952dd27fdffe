"""Runner of a game's worked examples."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import attrs

import rulelang
from rulelang import examples as ex
from rulelang import workspace
from rulelang.diagnostics import Sink
from rulelang.files.contents import home_of
from rulelang.files.folder import GameFiles, shown
from rulelang.files.opening import check_settings
from rulelang.syntax import tree

from ..game import Game
from ..loading import game_of
from .one import Run
from .results import ExampleReport, ExampleResult


def run_examples(
    path: str | Path,
    settings: Mapping[str, str] | None = None,
    variants: Sequence[str | Path] = (),
    files: Iterable[str | Path] = (),
    engine: str = "reference",
) -> ExampleReport:
    """Run the examples of the game at ``path``, or only those in ``files``.

    The verdicts are the same on the engine ``wasm``, but for a position laid out by hand it keeps no log, so outcomes
    have no points there.
    Raises RulesError when the rules or an example have mistakes, UnusablePath when there is nothing to read.
    """
    sink = Sink()
    found, only, names = _open(path, variants, list(files), sink)
    if sink.has_errors:
        raise rulelang.RulesError(sink, found.sources)
    resolved = workspace.default().examples(found, sink, names, settings, only)
    if sink.has_errors:
        raise rulelang.RulesError(sink, found.sources)
    check_settings(found, settings or {})
    base = workspace.default().program(found, None, settings, names)
    results = run_resolved(resolved, engine)
    coverage = {id_: sum(id_ in result.rules for result in results) for id_ in base.rules}
    return ExampleReport(tuple(results), coverage, tuple(sink), found.sources, found.paths)


def run_resolved(resolved: Iterable[ex.Example], engine: str = "reference") -> list[ExampleResult]:
    """Run examples that are already resolved; those of one Program share its game. ``engine``: as in run_examples."""
    games: dict[int, Game] = {}
    results = []
    for example in resolved:
        game = games.get(id(example.program)) or game_of(example.program, engine)
        games[id(example.program)] = game
        results.append(Run(example, game).result())
    return results


def _open(
    path: str | Path, variants: Sequence[str | Path], files: list[str | Path], sink: Sink
) -> tuple[GameFiles, frozenset[str] | None, tuple[str, ...]]:
    from rulelang.syntax.parse import parse_source

    found, names = workspace.default().open(path, variants, sink)
    if not files:
        return found, None, names
    only = set()
    for file in map(Path, files):
        if not os.path.isfile(file):
            raise rulelang.UnusablePath(f"There is no file {file}.")
        name = shown(file)
        only.add(name)
        if name in found.sources:
            continue
        source = found.texts.read(file, name, sink, home_of(file))
        if source is not None:
            parsed = parse_source(source, sink)
            header = parsed.items[0] if parsed.items else None
            of = header.game if isinstance(header, tree.Examples) else None
            if not sink.has_errors and (found.game is None or of != found.game.name):
                game = found.game.name if found.game else "the game"
                raise rulelang.UnusablePath(f"{file} must start with `examples of {game}`.")
            found.sources[name] = source
            found.paths[name] = file
            found = attrs.evolve(found, examples=(*found.examples, parsed))
    return found, frozenset(only), names


__all__ = ["run_examples", "run_resolved"]
