"""The page: static files without a build, and beside them what is made of other rooms: styles and first words."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from importlib.resources import files
from types import MappingProxyType

import attrs

_TYPES = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "svg": "image/svg+xml",
}

_FIRST = ("no_link", "offline", "reconnecting")
"""Words that a page may need before it has heard from the table."""


@attrs.frozen
class Asset:
    """A file of the page with its media type."""

    content: bytes
    type: str


@functools.cache
def assets() -> Mapping[str, Asset]:
    """Every file of the page by its path on the server: ``""`` is the page itself, all others begin with ``page/``."""
    from ...pictures.paint.svg import sheet
    from ...rulebook.languages.catalogue import catalogues, say

    first = {lang: {word: say(f"page_{word}", lang) for word in _FIRST} for lang in catalogues()}
    found = {
        "page/picture.css": Asset(sheet().encode(), _TYPES["css"]),
        "page/first.json": Asset(json.dumps(first).encode(), _TYPES["json"]),
    }
    return MappingProxyType({**found, **files_in(__name__)})


def files_in(package: str) -> dict[str, Asset]:
    """The files of a page that lie in a package."""
    found = {}
    for file in sorted(files(package).iterdir(), key=lambda file: file.name):
        ending = file.name.rpartition(".")[2]
        if ending in _TYPES:
            path = "" if file.name == "index.html" else f"page/{file.name}"
            found[path] = Asset(file.read_bytes(), _TYPES[ending])
    return found
