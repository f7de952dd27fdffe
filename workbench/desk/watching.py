"""The folder of a game: when it was saved, what is found in it, what its last save changed, and its rulebook."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import attrs

from rulelang.diagnostics import RulesError, Sink, UnusablePath
from rulelang.files.contents import KINDS, content

from ..bench.diff import RuleSide, changes_between, folder_side
from ..bench.diff.rule_changes import StatementChange
from ..bench.diff.shown import as_html, words
from ..pictures.looks import look_for
from ..rulebook.languages.catalogue import catalogues, say
from ..rulebook.print import as_data, make_rulebook
from ..wording.prose import rulebook_text

if TYPE_CHECKING:
    from ..language_server.in_page import Editing
    from ..rulebook.corpus import Corpus

_MOST = 10_000
"""Files of a folder that are looked at."""
_GAMES, _SECONDS = 64, 10.0
"""Random games, and time, in which the smallest case is looked for."""


def snapshot(root: Path) -> tuple[tuple[str, int, int], ...] | None:
    """Equal as long as no file of a game's folder was saved; None where there is no folder."""
    if not root.is_dir():
        return None
    found = []
    for file in _below(root):
        with suppress(OSError):  # it has gone just now
            about = file.stat(follow_symlinks=False)
            found.append((file.path, about.st_mtime_ns, about.st_size))
        if len(found) >= _MOST:
            break
    return tuple(sorted(found))


def _below(folder: str | Path) -> Iterator[os.DirEntry[str]]:
    with suppress(OSError), os.scandir(folder) as inside:
        for entry in inside:
            if entry.is_dir(follow_symlinks=False):
                yield from _below(entry.path)
            elif entry.name.endswith(KINDS) and not entry.name.startswith("."):
                yield entry


def smallest_case(
    old: RuleSide, before: Path, new: RuleSide, after: Path, lang: str, variants: Sequence[str] = (),
    settings: Mapping[str, str] | None = None,
) -> str:  # fmt: skip
    """The smallest case in which rules before and after a change part, as HTML. ``variants`` and ``settings`` are those
    of the rules after it."""
    from ..bench.diff.case_words import in_short
    from ..bench.diff.smallest_case import RulesSide, find

    sides = (
        RulesSide(attrs.evolve(old, name=say("case_before", lang)), before),
        RulesSide(attrs.evolve(new, name=say("case_after", lang)), after, tuple(variants), settings or {}),
    )
    return in_short(find(*sides, _GAMES, _SECONDS), *sides, lang)


@attrs.define
class Watched:
    """A folder as it was last saved. ``first``: the rules when the desk was opened, or as soon as they could be played;
    ``last``, ``before``: those of the last save that could be played and changed something, and before it."""

    root: Path
    editing: Editing = attrs.field(init=False)
    first: RuleSide | None = None
    before: RuleSide | None = None
    last: RuleSide | None = None
    version: int = 0
    _texts: TemporaryDirectory[str] = attrs.field(factory=lambda: TemporaryDirectory(prefix="desk-"))
    """The texts of ``first``, ``before`` and ``last``, in folders below."""
    _fixes: dict[str, Any] = attrs.field(factory=dict)

    def __attrs_post_init__(self) -> None:
        from ..language_server.in_page import Editing

        self.editing = Editing(str(self.root))

    def reread(self) -> None:
        """The folder was saved."""
        self.editing.reread()
        self.version += 1

    def step(self) -> dict[str, Any]:
        """The next thing to do, as of ``Editing.step``; fixes have an ``id`` in place of their edits."""
        told: dict[str, Any] = json.loads(self._placed(self.editing.step()))
        if "findings" in told:
            self._fixes.clear()
            for finding in (one for own in told["findings"].values() for one in own):
                for fix in finding["fixes"]:
                    fix["id"] = f"{self.version}.{len(self._fixes)}"
                    self._fixes[fix["id"]] = fix.pop("edits")
        return told

    def mend(self, fix: str) -> bool:
        """Carries out a fix; False where the texts are others by now. Raises OSError."""
        edits = self._fixes.get(fix)
        return edits is not None and self.editing.mend(edits)

    def changed(self) -> dict[str, Any]:
        """What the last save changed in the rules that can be played, as HTML, and what all since the desk was opened.

        Raises RulesError and UnusablePath."""
        now = folder_side(self.root)
        if self.first is None or self.last is None:
            self.first = self.last = now
            self._keep("first")
            self._keep("last")
        elif changes_between(self.last, now):
            self.before, self.last = self.last, now
            rmtree(self._kept("before"), ignore_errors=True)
            self._kept("last").rename(self._kept("before"))
            self._keep("last")
        written = [lang for lang in catalogues() if lang in now.books]
        told = {"version": self.version, "languages": written or list(catalogues())}
        if self.before is not None:
            told["save"] = as_html(changes_between(self.before, self.last), "")
            told["all"] = as_html(changes_between(self.first, self.last), "")
        return told

    def _kept(self, which: str) -> Path:
        return Path(self._texts.name) / which

    def _keep(self, which: str) -> None:
        for file in (Path(entry.path) for entry in _below(self.root)):
            copy = self._kept(which) / file.relative_to(self.root)
            copy.parent.mkdir(parents=True, exist_ok=True)
            with suppress(OSError):  # it has gone just now
                copy.write_bytes(content(file, self.root))

    def case(self, since: str, lang: str) -> str:
        """The smallest case in which the last save matters, or all since the desk was opened, as HTML.

        Raises RulesError and UnusablePath."""
        old, new = self._kept("before" if since == "save" else "first"), self._kept("last")
        return smallest_case(folder_side(old), old, folder_side(new), new, lang)

    def book(self, lang: str, variants: Sequence[str] = (), settings: Any = None) -> list[dict[str, Any]]:
        """The rulebook, as of ``as_data``, made from the rules where nobody has written one; a statement that is
        another than when the desk was opened has ``pieces``, word by word. Raises RulesError and UnusablePath."""
        from rulelang import workspace

        files, names = workspace.default().open(self.root, list(variants))
        book = make_rulebook(files, lang, names, settings, made=lambda p, lang: rulebook_text(p, look_for(p, lang)))
        parts: list[dict[str, Any]] = as_data(book)["parts"]
        known = {} if self.first is None else self.first.books.get(lang, {})
        for part in parts:
            if part["kind"] == "statement" and known and part["text"] != known.get(part["id"]):
                change = StatementChange(part["id"], known.get(part["id"]), part["text"])
                part["pieces"] = words(change)
        return parts

    def questions(self, lang: str) -> Iterator[str]:
        """The questions that the rules leave open, as HTML, each time with one more. Raises RulesError and
        UnusablePath."""
        from ..bench.diff.author_questions import as_part, asked
        from ..rulebook.crosscheck.review import folder_at_hand, load

        corpora: Sequence[Corpus] = ()
        with suppress(UnusablePath):  # where nobody has written a text
            corpora = load(self.root, [], folder_at_hand(), Sink(), {})[1]
        found = []
        for question in asked(self.root, corpora, lang, 3 * _SECONDS):
            found.append(question)
            yield as_part(found, lang, quote=False)

    def explained(self, code: str) -> str:
        """What a code means."""
        return self.editing.explained(code)

    def told(self, problem: Exception) -> str:
        """A problem, in places as the page names them."""
        found = problem.diagnostics if isinstance(problem, RulesError) else ()
        first = next((one for one in found if one.severity == "error"), None)
        return self._placed(str(problem) if first is None else f"{first.span.file}:{first.span.line}: {first.message}")

    def _placed(self, text: str) -> str:
        return text.replace(f"{self.root}{os.sep}", "").replace(f"{self.root.parent}{os.sep}", "")


__all__ = ["RulesError", "UnusablePath", "Watched", "snapshot"]
