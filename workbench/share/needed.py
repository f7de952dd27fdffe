"""What a program needs to run elsewhere: its modules, those of libraries and of Python, and the data beside them."""

from __future__ import annotations

import ast
import importlib.util
from collections.abc import Container, Iterator, Mapping
from pathlib import Path

LIBRARIES = ("attr", "attrs", "babel", "lark", "qrcodegen")
"""Libraries that come along. Others are only asked for by what a table in a browser does not do."""

EDITORS = ("lsprotocol", "pygls")
"""Libraries that come along where rules can be edited."""

_OWN = ("interpreter", "rulelang", "workbench")
_NO_DATA = (".py", ".pyc", ".typed")
_LEFT_OUT = ("starter", "shelf", "page", "assets", "locale-data")
"""Folders of data that a table does not read, or of which only some is needed."""


def modules_of(*names: str) -> dict[str, Path]:
    """The files of this project's modules that others import, directly or not, by name; what is imported for type
    checkers alone is not counted."""
    found: dict[str, Path] = {}
    todo = list(names)
    while todo:
        name = todo.pop()
        if name in found or name.partition(".")[0] not in _OWN:
            continue
        file = _file(name)
        if file is None:  # a name inside of a module
            continue
        found[name] = file
        todo += [name.rpartition(".")[0]] if "." in name else []
        todo += _imports(ast.parse(file.read_text("utf-8")), name, file.name == "__init__.py")
    return found


def _file(name: str) -> Path | None:
    top, *rest = name.split(".")
    spec = importlib.util.find_spec(top)
    if spec is None or spec.origin is None:
        return None
    place = Path(spec.origin).parent.joinpath(*rest)
    package = place / "__init__.py"
    if package.is_file():
        return package
    return place.with_suffix(".py") if rest and place.with_suffix(".py").is_file() else None


def _imports(tree: ast.AST, name: str, is_package: bool) -> Iterator[str]:
    """The modules that a module imports, wherever it does."""
    package = name if is_package else name.rpartition(".")[0]
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield base
            yield from (f"{base}.{each.name}" for each in node.names)
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            for each in node.orelse:
                yield from _imports(ast.Module([each], []), name, is_package)
        else:
            yield from _imports(node, name, is_package)


def files_of(modules: Mapping[str, Path], languages: frozenset[str], *, editor: bool = False) -> dict[str, bytes]:
    """The contents of modules, of the data in their packages, and of the libraries, by paths below one folder.
    ``languages``: those whose words and numbers are needed; ``editor``: whether rules can be edited there."""
    left_out = _LEFT_OUT if editor else (*_LEFT_OUT, "lexicons")
    found: dict[str, bytes] = {}
    for name, file in modules.items():
        root = file.parents[name.count(".") + (file.name == "__init__.py")]
        found[file.relative_to(root).as_posix()] = file.read_bytes()
        if file.name == "__init__.py":
            for data in _data(file.parent, left_out):
                found[data.relative_to(root).as_posix()] = data.read_bytes()
    for library in (*LIBRARIES, *(EDITORS if editor else ())):
        found.update(_library(library, languages))
    return found


def _data(package: Path, left_out: Container[str]) -> Iterator[Path]:
    for each in sorted(package.iterdir()):
        if each.is_file() and each.suffix not in _NO_DATA:
            yield each
        elif each.is_dir() and not (each / "__init__.py").is_file() and each.name not in left_out:
            yield from (inner for inner in sorted(each.rglob("*")) if inner.is_file() and inner.suffix not in _NO_DATA)


def _library(name: str, languages: frozenset[str]) -> Iterator[tuple[str, bytes]]:
    spec = importlib.util.find_spec(name)
    assert spec is not None and spec.origin is not None
    folder = Path(spec.origin).parent
    if spec.submodule_search_locations is None:
        yield f"{name}.py", Path(spec.origin).read_bytes()
        return
    for file in sorted(folder.rglob("*")):
        path = file.relative_to(folder.parent).as_posix()
        if file.suffix in (".py", ".dat", ".lark") and not {"tests", "messages", "tools"} & set(file.parts):
            if "locale-data" not in file.parts or file.stem in languages or file.stem == "root":
                yield path, file.read_bytes()


def outside(modules: Mapping[str, Path]) -> set[str]:
    """All that modules import which is none of them: of Python's library, mostly."""
    found: set[str] = set()
    for name, file in modules.items():
        found.update(_imports(ast.parse(file.read_text("utf-8")), name, file.name == "__init__.py"))
    return {name for name in found if name not in modules}
