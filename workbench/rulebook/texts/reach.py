"""Values that a placeholder can reach: for every number of players, under every variant and setting that changes it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import attrs

from rulelang import workspace
from rulelang.diagnostics import RulesError, Sink
from rulelang.files.folder import GameFiles
from rulelang.link import Linked
from rulelang.program import Program
from rulelang.syntax import tree
from rulelang.syntax.walk import walk

from .values import PLACEHOLDER


@attrs.define
class Reach:
    """The values of one game. ``variants``: those that are in force; others are tried one by one beside them."""

    files: GameFiles
    variants: Sequence[str]
    programs: Sequence[Program]
    _known: dict[str, frozenset[int]] = attrs.field(factory=dict)

    def of(self, value: str) -> frozenset[int]:
        """The values of what stands between braces, ``temples_each@2``; none for what is not a value."""
        if value not in self._known:
            self._known[value] = frozenset(self._found(value))
        return self._known[value]

    def _found(self, value: str) -> Iterator[int]:
        parts = PLACEHOLDER.fullmatch(value)
        linked = workspace.default().linked(self.files, self.variants)
        if parts is None or linked is None:
            return
        name = parts["name"] or parts["counted"]
        players = int(parts["players"]) if parts["players"] else None
        for programs in (self.programs, *self._changed(linked, name)):
            for program in programs:
                number = program.numbers.get(name) if parts["name"] else _size(program, name)
                if number is not None and players in (None, program.players):
                    yield number

    def _changed(self, linked: Linked, name: str) -> Iterator[Sequence[Program]]:
        """The Programs under each setting and each further variant that ``name`` depends on."""
        here = _declarations(linked, name)
        for setting in (item for item in here.values() if isinstance(item, tree.Setting)):
            for value in setting.values:
                yield from self._programs(self.variants, {setting.name: value})
        for variant in self.files.sound_variants:
            if variant not in linked.variants:
                there = workspace.default().linked(self.files, [*self.variants, variant], Sink())
                if there is not None and _declarations(there, name) != here:
                    yield from self._programs([*self.variants, variant], {})

    def _programs(self, variants: Sequence[str], settings: Mapping[str, str]) -> Iterator[Sequence[Program]]:
        try:
            yield workspace.default().programs(self.files, variants, settings)
        except RulesError:  # they do not go together, or have mistakes that are reported where they are
            return


def _size(program: Program, name: str) -> int | None:
    return len(program.domains[name]) if name in program.domains else None


def _declarations(linked: Linked, name: str) -> Mapping[str, tree.Node]:
    """What ``name`` is worked out from: its declaration, and those that this one names."""
    found: dict[str, tree.Node] = {}
    todo = [name]
    while todo:
        item = linked.names.get(wanted := todo.pop())
        if item is not None and wanted not in found:
            found[wanted] = item
            todo += [node.name for node in walk(item) if isinstance(node, tree.Name)]
    return found
