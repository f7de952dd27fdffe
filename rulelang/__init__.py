"""The rules language: text to a checked Program.

The stages, each a module or folder with one public function: ``folder`` (which files), ``layout`` and ``parse`` (text
to syntax tree), ``link`` (parts and variants), ``elaborate`` (names, types, bounds), ``checks``, ``examples``.
Everything is imported on first use, so that importing the package is quick.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .api import CheckReport, FormatResult, check_path, format_path, load
    from .diagnostics import Diagnostic, RulesError, UnusablePath
    from .program import Program

IMPORTED = time.time()
"""The time at which this process began to import the package."""

_HOMES = {
    "Diagnostic": "diagnostics",
    "RulesError": "diagnostics",
    "UnusablePath": "diagnostics",
    "CheckReport": "api",
    "check_path": "api",
    "load": "api",
    "FormatResult": "api",
    "format_path": "api",
    "Program": "program",
}

__all__ = [
    "CheckReport",
    "Diagnostic",
    "FormatResult",
    "Program",
    "RulesError",
    "UnusablePath",
    "check_path",
    "format_path",
    "load",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        import importlib

        return getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
