"""Folders of the project that tests read from."""

from __future__ import annotations

from pathlib import Path

TESTS = Path(__file__).parent
ROOT = TESTS.parent
RULES = ROOT / "rules"
SEEDS = ROOT / "seeds"
DOCS = ROOT / "docs"
CORPUS = TESTS / "corpus"
