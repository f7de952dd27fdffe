"""Import contract of the packages: arrows between their rooms point down, and there are no circles.

Every import statement counts, inside functions and under ``TYPE_CHECKING`` too. ``KNOWN`` lists the arrows that do not
hold yet, ``KNOWN_CIRCLES`` the packages that import one another; both can only shrink.
"""

from __future__ import annotations

import ast
import functools
import importlib
import re
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import attrs
from paths import ROOT

PACKAGES = ("rulelang", "interpreter", "workbench")
"""The lowest first; each may import those before it."""

TIERS = {
    "rulelang": (
        "source codes types words version collection recent structural limits files.unfinished",
        "traversal files.cache files.contents fixes",
        "diagnostics",
        "syntax traces",
        "program",
        "fixing",
        "files render",
        "link names",
        "elaborate",
        "checks",
        "examples expression",
        "workspace",
        "whole_game",
        "api",
        "rulelang",
    ),
    "interpreter": (
        "data errors chance cores columns",
        "lowered",
        "passes",
        "evaluation",
        "position",
        "record",
        "learning",
        "game",
        "reference wasm",
        "loading numbered",
        "redraw examples",
        "bots outcomes",
        "simulate",
        "studies",
        "comparing",
        "adapters",
        "interpreter",
    ),
}
"""Rooms of a package, the lowest tier first; a room may import lower tiers and itself, not its neighbours.

A dotted name lies elsewhere than the room it belongs to; the package's own name is its ``__init__``.
"""

DOORS = {
    "arguments": "output rulebook",
    "bench": "explained output pictures rulebook web wording",
    "checking": "pictures rulebook",
    "cli": "commands output",
    "commands": "arguments bench checking desk explained illustrated inspect interrupts language_server loading"
    " output pictures rulebook savefile share table terminal wording",
    "desk": "bench illustrated language_server pictures rulebook table wording",
    "entry": "cli interrupts",
    "explained": "pictures rulebook web wording",
    "illustrated": "pictures rulebook wording",
    "language_server": "checking loading pictures rulebook",
    "loading": "output savefile",
    "pictures": "rulebook",
    "rulebook": "web",
    "share": "rulebook savefile table",
    "table": "illustrated pictures rulebook savefile terminal wording",
    "terminal": "arguments output pictures rulebook savefile wording",
    "wording": "pictures rulebook",
}
"""Rooms of the workbench, and the others that each may import."""

GUARDED = ("workbench.rulebook",)
"""Rooms with a list ``OPEN`` in their ``__init__``: other rooms import from the modules in it, and from its packages
the names in their ``__all__``. A room joins with its list, and a line here."""

KNOWN: set[str] = set()
"""Arrows that do not hold yet, from room to room."""

KNOWN_CIRCLES = {
    "rulelang.files rulelang.syntax rulelang.syntax.printer",
}
"""Packages that import one another, in alphabetical order. To take a circle apart, move what both need below both."""


@attrs.frozen
class Arrow:
    """An import of ``name`` from ``target`` by ``source``, dotted modules both; empty: of the module itself.

    ``when`` is module, function or types.
    """

    source: str
    target: str
    name: str
    place: str
    when: str


@functools.cache
def arrows() -> tuple[Arrow, ...]:
    """Every import of one module of the packages by another."""
    files = [file for package in PACKAGES for file in sorted((ROOT / package).rglob("*.py"))]
    dotted = {file: ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for file in files}
    modules = set(dotted.values())
    found = []
    for file, name in dotted.items():
        package = name.split(".") if file.name == "__init__.py" else name.split(".")[:-1]
        for node, when in imports(ast.parse(file.read_text(encoding="utf-8")), "module"):
            for target in targets(node, package):
                module = target if target in modules else target.rpartition(".")[0]
                if module in modules and module != name:
                    what = target.removeprefix(module).removeprefix(".")
                    found.append(Arrow(name, module, what, f"{file.relative_to(ROOT).as_posix()}:{node.lineno}", when))
    return tuple(found)


def imports(tree: ast.AST, when: str) -> Iterator[tuple[ast.Import | ast.ImportFrom, str]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node, when
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            yield from imports(node, "types")
        else:
            yield from imports(node, "function" if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else when)


def targets(node: ast.Import | ast.ImportFrom, package: list[str]) -> Iterator[str]:
    """Each name that a statement imports, dotted from the top."""
    above = package[: len(package) + 1 - node.level] if isinstance(node, ast.ImportFrom) and node.level else []
    module = [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
    for alias in node.names:
        yield ".".join([*above, *module, alias.name])


# ---------------------------------------------------------------- arrows point down


@functools.cache
def tier_of(package: str) -> dict[str, int]:
    """Room to tier, dotted from the top."""
    return {
        name if name == package else f"{package}.{name}": level
        for level, names in enumerate(TIERS.get(package, ()))
        for name in names.split()
    }


def room(module: str) -> str:
    """What a module belongs to in the contract: the longest name listed for it, or else its first two parts."""
    listed = tier_of(module.partition(".")[0])
    names = module.split(".")
    longer = [".".join(names[:end]) for end in range(len(names), 1, -1)]
    return next((name for name in longer if name in listed), ".".join(names[:2]))


def fault(source: str, target: str) -> str | None:
    """Why a room may not import another; None when it may."""
    package, other = source.partition(".")[0], target.partition(".")[0]
    if package != other:
        lower = PACKAGES.index(other) < PACKAGES.index(package)
        return None if lower else f"{package} lies below {other}"
    if package in TIERS:
        tiers = tier_of(package)
        unlisted = [name for name in (source, target) if name not in tiers]
        if unlisted:
            return f"give {unlisted[0]} a tier in TIERS"
        return None if tiers[target] < tiers[source] else f"{target} does not lie below {source} in TIERS"
    here, there = source.partition(".")[2], target.partition(".")[2]
    return None if there in DOORS.get(here, "").split() else f"no line of DOORS lets {here} know {there}"


def test_arrows_point_down() -> None:
    wrong: dict[str, set[str]] = defaultdict(set)
    for arrow in arrows():
        source, target = room(arrow.source), room(arrow.target)
        why = fault(source, target) if source != target else None
        if why is not None:
            wrong[f"{source} -> {target}"].add(f"{arrow.place} imports {arrow.target}: {why}")
    new = [line for name in wrong.keys() - KNOWN for line in wrong[name]]
    assert not new, told(new, "Move what is needed to a lower room, or hand it over as an argument.")
    gone = KNOWN - wrong.keys()
    assert not gone, told(gone, "These arrows are gone: remove them from KNOWN.")


def told(lines: Iterable[str], remedy: str) -> str:
    return "\n".join(["", *sorted(lines), remedy])


# ---------------------------------------------------------------- doors


def test_rooms_are_entered_by_their_doors() -> None:
    wrong, unused = [], []
    for room_ in GUARDED:
        listed = [f"{room_}.{name}" for line in importlib.import_module(room_).OPEN for name in line.split()]
        met = set()
        for arrow in arrows():
            if f"{arrow.target}.".startswith(f"{room_}.") and not f"{arrow.source}.".startswith(f"{room_}."):
                names = getattr(importlib.import_module(arrow.target), "__all__", None) or [arrow.name]
                met.add(arrow.target)
                if arrow.target not in listed or arrow.name not in names:
                    wrong.append(f"{arrow.place} imports {arrow.name or 'all'} of {arrow.target}, inside {room_}")
        unused += [f"{name} is open, and nobody comes in by it" for name in listed if name not in met]
    assert not wrong, told(wrong, "Import it from where OPEN lets you in, or open another door.")
    assert not unused, told(unused, "Take it from OPEN.")


# ---------------------------------------------------------------- no circles


def circles(edges: Iterable[tuple[str, str]]) -> set[str]:
    """Groups of nodes that reach one another, each written as its sorted names."""
    after = defaultdict(set)
    for source, target in edges:
        if source != target:
            after[source].add(target)

    def reached(start: str) -> set[str]:
        found: set[str] = set()
        front = {start}
        while front:
            front = {target for node in front for target in after[node]} - found
            found |= front
        return found

    reach = {node: reached(node) for node in list(after)}
    return {" ".join(sorted(n for n in reach if n in reach[node] and node in reach[n])) for node in reach} - {""}


def package_of(module: str) -> str:
    """The folder that a module lies in; a module right below the top stands for itself."""
    names = module.split(".")
    package = (ROOT / "/".join(names) / "__init__.py").is_file()
    return module if len(names) <= 2 or package else ".".join(names[:-1])


def test_no_circles_among_modules() -> None:
    found = circles((arrow.source, arrow.target) for arrow in arrows() if arrow.when == "module")
    assert not found, told(found, "These modules import one another when they are loaded: take the circle apart.")


def test_no_circles_among_packages() -> None:
    edges = [(package_of(a.source), package_of(a.target)) for a in arrows() if a.when != "types"]
    found = circles(edges)
    new = found - KNOWN_CIRCLES
    assert not new, told(new, "These packages import one another: move what both need below both.")
    gone = KNOWN_CIRCLES - found
    assert not gone, told(gone, "These circles are gone: remove them from KNOWN_CIRCLES.")


# ---------------------------------------------------------------- one door for files, one for words


READERS = {
    "rulelang.codes": "our own table of codes",
    "rulelang.files.contents": "the one function that reads what others may have made",
    "rulelang.files.cache": "the cache, which trusts nothing in it",
    "rulelang.syntax.forms": "our table of advice",
    "rulelang.syntax.mistakes": "our grammar",
    "rulelang.syntax.parsers": "our grammars and their tables",
    "rulelang.syntax.parse_tables": "our grammar and its tables",
    "interpreter.studies.plan": "our code, to know it again",
    "interpreter.wasm.write.module": "our own code in WebAssembly",
    "interpreter.simulate.recorders": "a file that this process has just written",
    "workbench.commands.new": "our own starter",
    "workbench.inspect.code_map": "our own code, to tell where things are",
    "workbench.pictures.layout.boxes": "our own widths of letters",
    "workbench.share.bundle": "our own scripts, and what Pyodide has just made of them",
    "workbench.share.home": "the table's own file, in a browser",
    "workbench.share.needed": "our own modules, and libraries'",
    "workbench.share.page.compile": "our own modules, in a browser",
    "workbench.share.third_party": "Pyodide, by its hashes",
    "workbench.table.page": "our own page",
    "workbench.web": "our own pages, style sheets and typesetting",
}
"""Modules that read files by themselves, and which. Everything else is read by ``rulelang.files.contents.content``."""


def calls(file: Path) -> Iterator[tuple[ast.Call, str, str]]:
    """Each call in a module, with the name that is called and what it is called on."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name):
                yield node, node.func.id, ""
            elif isinstance(node.func, ast.Attribute):
                yield node, node.func.attr, ast.unparse(node.func.value)


def reads(node: ast.Call, name: str, of: str) -> bool:
    """Whether a call opens a file to be read."""
    if name in ("read_text", "read_bytes"):
        return bool(of)  # functions of this name have other ways
    if name != "open" or "os.devnull" in ast.unparse(node):
        return False
    if of == "os":
        return not any(flag in ast.unparse(node) for flag in ("O_WRONLY", "O_CREAT"))
    given = [arg for arg in (*node.args, *(k.value for k in node.keywords)) if isinstance(arg, ast.Constant)]
    modes = [str(arg.value) for arg in given if set(str(arg.value)) <= set("rwxabt+")]
    if of not in ("", "io") and not modes and (node.args or node.keywords):
        return False  # a method of this name
    return not any(set("wxa") & set(mode) for mode in modes)


def test_files_are_read_by_one_function() -> None:
    found: dict[str, str] = {}
    for package in PACKAGES:
        for file in sorted((ROOT / package).rglob("*.py")):
            place = file.relative_to(ROOT)
            name = ".".join(place.with_suffix("").parts).removesuffix(".__init__")
            for node, called, of in calls(file):
                if reads(node, called, of):
                    found.setdefault(name, f"{place.as_posix()}:{node.lineno} reads with `{called}`")
    new = [where for name, where in found.items() if name not in READERS]
    assert not new, told(new, "Read it with `rulelang.files.contents.content`, which knows the bounds of a game.")
    assert not READERS.keys() - found.keys(), "these read no files any more: remove them from READERS"


WRITERS = {
    "workbench.output": "the one exit",
    "workbench.cli": "lets go of a stream that was closed",
    "workbench.entry": "the streams themselves, and what the system says of them",
    "workbench.language_server.lsp_server": "the protocol, on the streams that are then its own",
    "workbench.terminal.prompting": "the prompt, shown as text may be shown",
}
"""Modules of the workbench that write to a terminal or read from one, and what."""

_SPEAKING = {
    ("", "print"), ("", "input"), ("typer", "echo"), ("click", "echo"), ("typer", "secho"), ("typer", "prompt"),
    ("typer", "confirm"), ("", "Console"), ("rich", "print"), ("Text", "from_markup"), ("Text", "from_ansi"),
    ("warnings", "warn"), ("traceback", "print_exc"),
}  # fmt: skip
_STREAMS = re.compile(r"sys\.(std(out|err|in)|__std\w+)(?!\.isatty\(\))\b")


def test_what_is_said_goes_through_one_exit() -> None:
    """Only there is it certain that no text of a stranger steers a terminal."""
    new: list[str] = []
    seen: set[str] = set()
    for file in sorted((ROOT / "workbench").rglob("*.py")):
        place = file.relative_to(ROOT)
        name = ".".join(place.with_suffix("").parts).removesuffix(".__init__")
        text = file.read_text(encoding="utf-8")
        lines = [node.lineno for node, called, of in calls(file) if (of, called) in _SPEAKING]
        lines += [number for number, line in enumerate(text.split("\n"), 1) if _STREAMS.search(line)]
        if lines and name in WRITERS:
            seen.add(name)
        elif lines:
            new += [f"{place.as_posix()}:{line} speaks for itself" for line in lines]
    assert not new, told(
        new, "Say it with `tell`, `write`, `say`, `findings`, `emit` or `console` of workbench.output."
    )
    assert seen == WRITERS.keys(), "these say nothing any more: remove them from WRITERS"


EXTRAS = {
    "interpreter.adapters": "rl",
    "interpreter.studies": "parquet",
    "workbench.desk": "serve",
    "workbench.language_server": "editor",
    "workbench.table": "serve",
}
"""Rooms that need an extra of the package; whoever lets people in there says so where it is missing."""

_COMES_WITH = {"lsprotocol": "pygls"}


def test_what_modules_need_is_installed_with_them() -> None:
    """All but the rooms of EXTRAS work after the first command of the README."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    def names(wanted: Iterable[str]) -> set[str]:
        return {re.split(r"[<>=\[]", one)[0] for one in wanted}

    missing: list[str] = []
    for package in PACKAGES:
        for file in sorted((ROOT / package).rglob("*.py")):
            place = file.relative_to(ROOT)
            extra = EXTRAS.get(".".join(place.parts[:2]))
            there = names(project["dependencies"]) | names(project["optional-dependencies"].get(extra, ()))
            for node in ast.parse(file.read_text(encoding="utf-8")).body:
                found = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                if isinstance(node, ast.ImportFrom) and not node.level and node.module:
                    found = [node.module]
                for library in {name.partition(".")[0] for name in found} - set(sys.stdlib_module_names):
                    if library not in PACKAGES and _COMES_WITH.get(library, library) not in there:
                        missing.append(f"{place.as_posix()} imports {library}")
    assert not missing, told(
        missing, "Name it in the dependencies, or import it where it is used and say what is missing."
    )


# ---------------------------------------------------------------- matches know every statement


UNIONS = {
    "rulelang/program/nodes/program.py": "Statement",
    "rulelang/syntax/tree/statements.py": "Statement",
    "interpreter/lowered/code.py": "Code",
}
"""Where the statements of each stage are listed."""

OPEN_MATCHES = frozenset(
    {
        "interpreter/record/rounds.py: _block",
        "interpreter/wasm/layout/memory.py: _options_room",
        "rulelang/checks/observed.py: _steering",
        "rulelang/program/analysis/flow/labels.py: _statement",
    }
)
"""Matches that a new statement passes by without a word. No more of them: this list only gets shorter."""


def members(file: str, name: str) -> frozenset[str]:
    """The names in a union of classes."""
    for node in ast.parse((ROOT / file).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == name and node.value is not None:
            return frozenset(one.id for one in ast.walk(node.value) if isinstance(one, ast.Name)) - {"Union"}
    raise AssertionError(f"{file} has no union {name}")


def is_closed(match: ast.Match, after: ast.stmt | None) -> bool:
    """Whether a match says what happens to all others, or hands them on to what does."""
    last = match.cases[-1]
    if isinstance(last.pattern, ast.MatchAs) and last.pattern.pattern is None and last.guard is None:
        return True
    subject = ast.unparse(match.subject)
    ends = after.value if isinstance(after, (ast.Expr, ast.Return)) else None
    return isinstance(ends, ast.Call) and [ast.unparse(arg) for arg in ends.args] == [subject]


def open_matches(file: Path, known: Iterable[frozenset[str]]) -> Iterator[str]:
    """The functions of a module with a match over three statements or more that is not closed."""
    text = file.read_text(encoding="utf-8")
    if " match " not in text:
        return
    nodes = list(ast.walk(ast.parse(text)))
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    bodies = [value for node in nodes for _, value in ast.iter_fields(node) if isinstance(value, list)]
    for node, after in (pair for body in bodies for pair in zip(body, (*body[1:], None), strict=False)):
        if isinstance(node, ast.Match):
            parts = [part for case in node.cases for part in ast.walk(case.pattern)]
            named = {ast.unparse(part.cls).rpartition(".")[2] for part in parts if isinstance(part, ast.MatchClass)}
            if any(len(named & union) >= 3 for union in known) and not is_closed(node, after):
                around = [one.name for one in functions if one.lineno < node.lineno <= (one.end_lineno or 0)]
                yield f"{file.relative_to(ROOT).as_posix()}: {around[-1]}"


def test_matches_over_statements_know_all_of_them() -> None:
    known = [members(file, name) for file, name in UNIONS.items()]
    files = [file for package in PACKAGES for file in sorted((ROOT / package).rglob("*.py"))]
    found = {where for file in files for where in open_matches(file, known)}
    new = sorted(found - OPEN_MATCHES)
    assert not new, told(new, "End the match in `assert_never`, or in `case _:` with a comment that says why.")
    assert not OPEN_MATCHES - found, "these are closed: remove them from OPEN_MATCHES"
