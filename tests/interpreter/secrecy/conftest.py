from __future__ import annotations

from collections.abc import Iterator

import pytest
from traced import watch


@pytest.fixture(scope="module")
def traced() -> Iterator[None]:
    """The reference engine, watched from inside."""
    with pytest.MonkeyPatch.context() as patch:
        watch(patch)
        yield
