"""Runner of a game's worked examples."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import attrs

import rulelang
from rulelang import examples as ex
from rulelang import workspace
from rulelang.api import replace_file
from rulelang.diagnostics import Diagnostic, Sink, UnusablePath
from rulelang.files.contents import home_of
from rulelang.files.folder import GameFiles, shown
from rulelang.files.opening import check_settings
from rulelang.source import SourceFile, Span
from rulelang.syntax import tree
from rulelang.syntax.layout import read

from ..errors import GameError
from ..game import Game, State
from ..loading import game_of
from .example_results import ExampleReport, ExampleResult, Mend, NotRun
from .one import ExampleRun


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
    results, stopped = run_until_stopped(resolved, engine)
    coverage = {id_: sum(id_ in result.rules for result in results) for id_ in base.rules}
    left = resolved[len(results) :]
    not_run = [NotRun(e.id, e.span.file, e.span.line, "stopped before its turn") for e in left]
    not_run += left_out(found, tuple(sink), {example.written for example in resolved}, only, names)
    return ExampleReport(
        tuple(results), coverage, tuple(sink), found.sources, found.paths, tuple(not_run), stopped=stopped
    )


_SHUFFLES = 3
"""Orders of shuffled pieces with which an example is run that was found and is not a person's."""


def passes(
    path: str | Path, settings: Mapping[str, str] | None, variants: Sequence[str | Path], file: str | Path
) -> set[bool]:
    """Whether the examples of a file pass under these rules, in several orders of what is shuffled."""
    sink = Sink()
    with suppress(rulelang.RulesError, rulelang.UnusablePath, GameError):
        found, only, names = _open(path, variants, [file], sink)
        resolved = workspace.default().examples(found, sink, names, settings, only)
        games = [(one, game_of(one.program)) for one in resolved if not sink.has_errors]
        runs = (ExampleRun(one, game, seed=seed) for one, game in games for seed in range(_SHUFFLES))
        return {run.result().status == "passed" for run in runs} or {False}
    return {False}


def left_out(
    files: GameFiles,
    findings: Sequence[Diagnostic],
    there: Collection[str] = (),
    only: Collection[str] | None = None,
    variants: Collection[str] = (),
) -> list[NotRun]:
    """The examples as written that are not ``there``, each with the mistake that stands in its way.

    ``findings``: of the game, in whose errors, or else notes, it is looked for. ``only``: files; None for those of the
    game and of ``variants``, or of each variant by itself where none is asked for.
    """
    made = []
    theirs = [file for name, file in files.variants.items() if not variants or name in variants]
    for file in (*files.parts, *files.examples, *theirs):
        if only is not None and file.span.file not in only:
            continue
        written = [(item.id, item.span) for item in file.items if isinstance(item, tree.Example)]
        written += [(item.name, item.span) for item in file.unread if item.word == "example"]
        for name, span in sorted(written, key=lambda one: one[1].line):
            if name not in there:
                made.append(NotRun(name, span.file, span.line, in_the_way(span, findings)))
    return made


def in_the_way(example: Span, findings: Sequence[Diagnostic], named: Callable[[str], str] = str) -> str:
    """The mistake that keeps an example from running: one in its lines, else in its file, else the first of all.

    ``named``: how its file is called."""
    errors = [d for d in findings if d.severity == "error"] or list(findings)
    own = [d for d in errors if d.span.file == example.file]
    inside = [d for d in own if example.line <= d.span.line <= example.end_line]
    nearest = (inside or own or errors)[:1]
    return (
        "".join(f"the mistake in {named(d.span.file)} line {d.span.line}" for d in nearest) or "its game cannot be made"
    )


def run_until_stopped(resolved: Sequence[ex.Example], engine: str) -> tuple[list[ExampleResult], bool]:
    """The results of examples in order, and whether an interrupt came before the last."""
    results: list[ExampleResult] = []
    try:
        for result in _each(resolved, engine):
            results.append(result)
    except KeyboardInterrupt:
        return results, True
    return results, False


def run_resolved(resolved: Iterable[ex.Example], engine: str = "reference") -> list[ExampleResult]:
    """Run examples that are already resolved; those of one Program share its game. ``engine``: as in run_examples."""
    return list(_each(resolved, engine))


def _each(resolved: Iterable[ex.Example], engine: str) -> Iterator[ExampleResult]:
    games: dict[int, Game] = {}
    for example in resolved:
        yield run_one(example, games, engine)


def run_one(
    example: ex.Example,
    games: dict[int, Game],
    engine: str = "reference",
    watch: Callable[[Span, State], None] | None = None,
) -> ExampleResult:
    """Run an example that is already resolved. ``games``: those of Programs at hand, by identity; it grows.
    ``watch``: see ``ExampleRun``."""
    program = example.program
    if id(program) not in games:
        games[id(program)] = game_of(program, engine)
    return ExampleRun(example, games[id(program)], watch).result()


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


# Acceptance of what came out: the values that examples expect are rewritten to the actual ones.


@attrs.frozen
class Rewritten:
    """A value that was rewritten. ``file`` and ``line``: where it is."""

    file: str
    line: int
    old: str
    new: str


def accept(report: ExampleReport, untouched: frozenset[str] = frozenset()) -> list[Rewritten]:
    """Rewrite expectations to match what came out, where a ``then X is VALUE`` failed.

    ``untouched``: files, by their shown names, that stay as they are. A value that several cases share is rewritten
    only if all of them agree. Each file is replaced as a whole. Raises UnusablePath, and rewrites nothing, where one
    was edited since the report was made.
    """
    mends: dict[str, list[Mend]] = defaultdict(list)
    for mend in agreed(f.mend for result in report.results for f in result.failures if f.mend is not None):
        if mend.span.file not in untouched:
            mends[mend.span.file].append(mend)
    for file in mends:
        if read(report.paths[file], file, Sink(), None) != report.sources[file]:
            raise UnusablePath(f"{file} was edited while its examples ran, so nothing was rewritten. Run this again.")
    changes = []
    for file, found in mends.items():
        source = report.sources[file]
        changes += list(_rewritten(source, found))
        text = ("\ufeff" if source.bom else "") + source.newline.join(_lines(source, found))
        replace_file(report.paths[file], text)
    return sorted(changes, key=lambda c: (c.file, c.line))


def agreed(mends: Iterable[Mend]) -> Iterator[Mend]:
    """One mend for each place, where all that is said about it agrees."""
    by_place: dict[Span, list[Mend]] = defaultdict(list)
    for mend in mends:
        by_place[mend.span].append(mend)
    for found in by_place.values():
        if len(found) == found[0].cases and len({mend.text for mend in found}) == 1:
            yield found[0]


def _lines(source: SourceFile, mends: list[Mend]) -> list[str]:
    lines = source.lines
    for mend in sorted(mends, key=lambda m: m.span, reverse=True):
        at = mend.span.line - 1
        before, after = lines[at][: mend.span.column - 1], lines[at][mend.span.end_column - 1 :]
        lines[at] = before + mend.text + after
    return lines


def _rewritten(source: SourceFile, mends: list[Mend]) -> Iterator[Rewritten]:
    for mend in mends:
        old = source.lines[mend.span.line - 1][mend.span.column - 1 : mend.span.end_column - 1]
        yield Rewritten(source.name, mend.span.line, old, mend.text)
