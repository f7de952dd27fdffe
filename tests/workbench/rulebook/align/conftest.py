"""The small rulebook of ``tulips`` ready for alignment."""

from __future__ import annotations

import pytest
from tulips import DUTCH, ENGLISH

from workbench.rulebook.align import Text, prepare


@pytest.fixture
def english() -> Text:
    return prepare("tulpia-en", "en", ENGLISH.splitlines())


@pytest.fixture
def dutch() -> Text:
    return prepare("tulpia-nl", "nl", DUTCH.splitlines())
