"""A map of the project's own code: which module knows a word, by its name, its docstrings and its definitions."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

import attrs

PACKAGES = ("rulelang", "interpreter", "workbench")
_COMMENTED = {".lark": "//", ".wat": ";;", ".js": "//"}
"""Sources that are not Python, and what the comment at their top begins with."""

_NAME, _SUMMARY, _DEFINITION, _DOCSTRING = 24, 8, 3, 1
"""What a mention is worth, by where it stands."""


@attrs.frozen
class MapEntry:
    """A file of the project: its path from the top, the first sentence about it, and what it defines that the words
    were found in. ``weight``: how much of it is about them."""

    file: str
    summary: str
    names: tuple[str, ...] = ()
    weight: int = 0


@attrs.frozen
class _MappedFile:
    """A file with all that tells what it is about. ``definitions``: name and docstring, public ones only."""

    file: str
    text: str
    definitions: tuple[tuple[str, str], ...]

    @property
    def summary(self) -> str:
        """The first sentence of its docstring."""
        first = " ".join(self.text.partition("\n\n")[0].split())
        return re.split(r"(?<=\.)\s", first, maxsplit=1)[0]


def find(words: Sequence[str]) -> tuple[MapEntry, ...]:
    """The files that know all of the words, in any form, those that are most about them first."""
    wanted = [_stem(word) for text in words for word in _words(text)]
    found = (_entry(source, wanted) for source in _sources()) if wanted else ()
    return tuple(sorted((one for one in found if one is not None), key=lambda one: (-one.weight, one.file)))


def near(word: str) -> str | None:
    """A word that the code knows and that was probably meant."""
    from rulelang.diagnostics import similar

    known = {one for source in _sources() for one in _words(f"{source.text} {source.file}") if len(one) > 2}
    return similar(word.lower(), sorted(known))


def _entry(source: _MappedFile, wanted: Iterable[str]) -> MapEntry | None:
    weights, names = [], set()
    for stem in wanted:
        here = _NAME * _knows(Path(source.file).stem, stem) + _SUMMARY * _knows(source.summary, stem)
        here += _DOCSTRING * _knows(source.text, stem) + _DEFINITION * _knows(Path(source.file).parent.as_posix(), stem)
        for name, doc in source.definitions:
            if _knows(name, stem):
                names.add(name)
                here += _DEFINITION
            here += _DOCSTRING * _knows(doc, stem)
        if not here:
            return None
        weights.append(here)
    return MapEntry(source.file, source.summary, tuple(sorted(names)), min(weights))


@functools.cache
def _sources() -> tuple[_MappedFile, ...]:
    return tuple(_read())


def _read() -> Iterator[_MappedFile]:
    for package in PACKAGES:
        spec = find_spec(package)
        assert spec is not None and spec.origin is not None
        top = Path(spec.origin).parent
        for file in sorted(top.rglob("*")):
            place = file.relative_to(top.parent).as_posix()
            if file.suffix == ".py":
                yield _python(place, file.read_text(encoding="utf-8"))
            elif file.suffix in _COMMENTED:
                mark = _COMMENTED[file.suffix]
                lines = [*file.read_text(encoding="utf-8").splitlines(), ""]
                head = lines[: next(i for i, line in enumerate(lines) if not line.startswith(mark))]
                yield _MappedFile(place, "\n".join(line.removeprefix(mark).strip() for line in head), ())


def _python(place: str, text: str) -> _MappedFile:
    tree = ast.parse(text)
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    found = [node for node in tree.body if isinstance(node, kinds) and not node.name.startswith("_")]
    definitions = tuple((node.name, ast.get_docstring(node) or "") for node in found)
    return _MappedFile(place, ast.get_docstring(tree) or "", definitions)


def _words(text: str) -> list[str]:
    """The words of a text or a name, in small letters: ``BlockOf_rows`` has block, of, rows."""
    return re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text).lower())


@functools.cache
def _stem(word: str) -> str:
    import snowballstemmer  # type: ignore[import-untyped]

    return str(snowballstemmer.stemmer("english").stemWord(word))


def _knows(text: str, stem: str) -> bool:
    if stem[:3] not in text.lower():
        return False
    return any(word.startswith(stem[:3]) and _stem(word) == stem for word in _words(text))
