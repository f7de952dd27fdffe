"""The language that commands speak when nobody asked for one."""

from __future__ import annotations

import pytest

from workbench.rulebook.languages.locale import language_for_reader

GAME = ("nl", "en", "fr")


@pytest.mark.parametrize(
    ("surroundings", "languages", "expected"),
    [
        ({"LANG": "fr_FR.UTF-8"}, GAME, "fr"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "nl"}, GAME, "nl"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "C"}, GAME, "fr"),
        ({"LANGUAGE": "nl:en", "LANG": "fr_BE@euro"}, GAME, "nl"),
        ({"LANG": "pt_BR.UTF-8"}, GAME, "en"),
        ({"LANG": "C.UTF-8"}, ("nl", "de"), "nl"),
        ({"LANG": "POSIX"}, GAME, "en"),
        ({"LANG": "../nl"}, GAME, "en"),
        ({"LANG": "nl_NL"}, (), None),
        ({}, GAME, "en"),
    ],
)
def test_the_readers_own_language_comes_first(
    surroundings: dict[str, str], languages: tuple[str, ...], expected: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LANG")
    for name, value in surroundings.items():
        monkeypatch.setenv(name, value)
    assert language_for_reader(languages) == expected
