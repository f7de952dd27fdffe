"""Run by the Python of the browser when a page is made: compiles the project, and of Python's library what it needs."""

import ast
import json
import py_compile
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

ALWAYS = ("_sysconfigdata", "_pyodide", "pyodide/", "pyodide_js/", "encodings/", "importlib/", "asyncio/")
"""What Pyodide asks for by itself."""


def imports(tree: ast.AST, name: str, package: str) -> Iterator[str]:
    """The modules that a module imports when it is imported itself."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".")
            above = parts[: len(parts) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield base
            yield from (f"{base}.{each.name}" for each in node.names)
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            yield from imports(node, name, package)


def imported(path: str, source: bytes) -> Iterator[str]:
    name = path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
    return imports(ast.parse(source), name, name if path.endswith("__init__.py") else name.rpartition(".")[0])


def needed(sources: Mapping[str, bytes], wanted: Iterable[str]) -> dict[str, bytes]:
    """Of a library, by paths, what is needed for the modules that are wanted."""
    found = {path: data for path, data in sources.items() if path.startswith(ALWAYS)}
    todo = [*wanted, *(each for path, data in found.items() if path.endswith(".py") for each in imported(path, data))]
    seen = set()
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        place = name.replace(".", "/")
        for path in (f"{place}.py", f"{place}/__init__.py"):
            if path in sources:
                found[path] = sources[path]
                todo += imported(path, sources[path])
                todo += [name.rpartition(".")[0]] if "." in name else []
    return found


def read(file: str) -> dict[str, bytes]:
    with zipfile.ZipFile(file) as archive:
        return {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}


def write(file: str, contents: Mapping[str, bytes]) -> None:
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in sorted(contents.items()):
            if name.endswith(".py"):
                Path("/one.py").write_bytes(data)
                mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
                py_compile.compile("/one.py", "/one.pyc", name, doraise=True, optimize=2, invalidation_mode=mode)
                name, data = name + "c", Path("/one.pyc").read_bytes()
            archive.writestr(zipfile.ZipInfo(name), data)


given = read("/given.zip")
libraries = [each for path, data in given.items() if path.endswith(".py") for each in imported(path, data)]
write("/project.zip", given)
write("/library.zip", needed(read("/standard.zip"), [*json.loads(Path("/wanted.json").read_text()), *libraries]))
