"""Run by the Python of the browser when a page is made: compiles the project, and of Python's library what it needs.

What is compiled has no documentation, and neither types of functions nor columns: nobody reads them there. Of each game
the checked rules are made, too, so that no page needs to read them first.
"""

import ast
import importlib.util
import json
import marshal
import pickle
import sys
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

LATER = ("lzma", "shutil", "tarfile", "tempfile")
"""What a page asks for before it has unpacked the project, beside what Pyodide does."""

NEVER = {"_pyrepl", "doctest", "email", "http", "multiprocessing", "pdb", "pydoc", "unittest", "xmlrpc"}
"""Packages for what a table in a page does not do."""

UNNAMED = ("_sysconfigdata", "encodings/ascii", "encodings/cp437", "encodings/latin_1", "encodings/utf")
"""What no import names."""


def imports(tree: ast.AST, name: str, package: str) -> Iterator[str]:
    """The modules that a module imports, wherever it does."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".")
            above = parts[: len(parts) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield base
            yield from (f"{base}.{each.name}" for each in node.names)
        elif isinstance(node, ast.If) and elsewhere(node.test):
            for each in node.orelse:
                yield from imports(ast.Module([each], []), name, package)
        else:
            yield from imports(node, name, package)


def elsewhere(test: ast.AST) -> bool:
    """Whether a condition is that of a program of its own, of a type checker or of Windows."""
    return ast.unparse(test) in ("__name__ == '__main__'", "TYPE_CHECKING", "sys.platform == 'win32'")


def imported(path: str, source: bytes) -> Iterator[str]:
    name = path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
    return imports(ast.parse(source), name, name if path.endswith("__init__.py") else name.rpartition(".")[0])


def needed(sources: Mapping[str, bytes], wanted: Iterable[str]) -> dict[str, bytes]:
    """Of a library, by paths, what is needed for the modules that are wanted."""
    found: dict[str, bytes] = {}
    todo = list(wanted)
    seen = set()
    while todo:
        name = todo.pop()
        if name in seen or name.partition(".")[0] in NEVER:
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


def told(file: str) -> list[str]:
    with open(file, encoding="utf-8") as opened:
        names: list[str] = json.load(opened)
    return names


class Bare(ast.NodeTransformer):
    """Takes the types away from functions, but for those that something may read, and the columns from all."""

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, (ast.expr, ast.stmt)):
            node.col_offset, node.end_lineno, node.end_col_offset = 0, node.lineno, 0
        return super().visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        self.generic_visit(node)
        if not any("register" in ast.unparse(each) for each in node.decorator_list):
            node.returns = None
            for each in ast.walk(node.args):
                if isinstance(each, ast.arg):
                    each.annotation = None
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self.visit_FunctionDef(node)


def write(file: str, contents: Mapping[str, bytes]) -> None:
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in sorted(contents.items()):
            if name.endswith(".py"):
                bare: ast.Module = Bare().visit(ast.parse(data))
                code = compile(bare, name, "exec", dont_inherit=True, optimize=2)
                head = (
                    importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8)
                )  # by hash, which is not looked at
                name, data = name + "c", head + marshal.dumps(code)
            archive.writestr(zipfile.ZipInfo(name), data)


given, standard = read("/given.zip"), read("/standard.zip")
libraries = [each for path, data in given.items() if path.endswith(".py") for each in imported(path, data)]
unnamed = [path.removesuffix(".py").replace("/", ".") for path in standard if path.startswith(UNNAMED)]
begun = needed(standard, [*told("/begun.json"), *LATER, *unnamed])
rest = needed(standard, [*told("/wanted.json"), *libraries])
packages = {path.partition("/")[0] for path in begun}
begun |= {path: data for path, data in rest.items() if path.partition("/")[0] in packages}  # found in one place only
write("/library.zip", begun)
write("/project.zip", {**given, **{path: data for path, data in rest.items() if path not in begun}})


def programs() -> None:
    """Writes the checked rules of each game, ``0.program`` and so on; of rules that cannot be played, none."""
    with zipfile.ZipFile("/given.zip") as archive:
        archive.extractall("/home/lib")
    sys.path.insert(0, "/home/lib")
    from workbench.table.line import RuleSet

    with open("/plans.json", encoding="utf-8") as opened:
        plans = json.load(opened)
    for number, rules in enumerate(plans):
        with zipfile.ZipFile(f"/game-{number}.zip") as game:
            game.extractall("/home/game")
        try:
            made = RuleSet.of(rules).load().program
        except Exception:  # the page says what is wrong with them
            continue
        with open(f"/{number}.program", "wb") as written:
            pickle.dump(made, written, 5)


programs()
