"""Candidates for a place in the rules: keywords, and names of what fits, with their types."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

import attrs
from lsprotocol import types

from rulelang import types as ty
from rulelang.elaborate import Elaborated
from rulelang.elaborate.scope import Hole
from rulelang.elaborate.typing import fits, without_optional
from rulelang.files.folder import GameFiles
from rulelang.names.rule_mentions import Mention
from rulelang.program import Variable
from rulelang.syntax import tree
from rulelang.words import FUNCTIONS, usage

Kind = types.CompletionItemKind


@attrs.frozen
class Candidate:
    """Something that can be written. ``rank``: 0 fits best; ``more``: what it is, in a few words."""

    label: str
    kind: types.CompletionItemKind
    more: str = ""
    rank: int = 5

    def item(self, number: int) -> types.CompletionItem:
        """The candidate for the editor, which shows them by ``number``."""
        return types.CompletionItem(self.label, kind=self.kind, detail=self.more or None, sort_text=f"{number:04}")


def words(found: Iterable[str], first: Sequence[str] = ()) -> Iterator[Candidate]:
    """Keywords, those that come ``first`` in their order."""
    for word in found:
        yield Candidate(word, Kind.Keyword, rank=first.index(word) - len(first) if word in first else 6)


def players(seats: Iterable[str]) -> Iterator[Candidate]:
    """The players of an example."""
    for seat in seats:
        yield Candidate(seat, Kind.EnumMember, "Player", 1)


# ---------------------------------------------------------------- values


Use = Literal["value", "target", "place", "run", "fact"]
"""What a name is for: a value; a target of `set`; a place for pieces; what is gone through; a fact of an example."""

_PLACES = re.compile(r"(?:\b(?:move|pays)\b.*\b(?:from|to)|\b(?:shuffle|show))\s+$")
_TARGETS = re.compile(r"^\s*(?:openly\s+)?(?:set|increase|decrease)\s+$")
_FACTS = re.compile(r"^\s*(?:given|then)\s+(?:[^(\[{]*,\s*)?$")
_BRACKETS = re.compile(r"\[[^\]]*\]|\([^)]*\)|\{[^}]*\}")
_RUNS = re.compile(r"(?<!is)(?<!not)\s+in\s+$")


def use_of(before: str) -> Use:
    """What a name behind ``before``, the line up to there, is for."""
    if _PLACES.search(before):
        return "place"
    if _TARGETS.search(before):
        return "target"
    if _FACTS.search(_BRACKETS.sub("", before)):
        return "fact"
    return "run" if _RUNS.search(before) else "value"


def values(made: Elaborated, hole: Hole, use: Use = "value") -> Iterator[Candidate]:
    """Names for a place in an expression; those whose type is needed there, or that fit the use, come first."""
    for candidate in _values(made, hole):
        yield candidate if use == "value" else attrs.evolve(candidate, rank=_rank(made, hole, candidate, use))


def _rank(made: Elaborated, hole: Hole, candidate: Candidate, use: Use) -> int:
    """How well a candidate fits a use that is no value."""
    variable = made.program.variables.get(candidate.label)
    if variable is not None and candidate.kind is Kind.Field:
        if use == "run":
            return 2 if variable.kind != "value" or isinstance(variable.type, _GONE_THROUGH) else 8
        if use == "fact":
            return 0
        return 0 if (variable.kind == "value") == (use == "target") else 8
    if use == "run":
        local = hole.names.get(candidate.label)
        if candidate.kind is Kind.Enum or isinstance(local, _GONE_THROUGH):
            return 0
        definition = made.program.definitions.get(candidate.label)
        return 2 if definition is not None and isinstance(definition.type, _GONE_THROUGH) else 8
    return 3 if use == "fact" and candidate.label in made.program.definitions else 9


_GONE_THROUGH = (ty.ListType, ty.SetType, ty.PiecesType, ty.OptionalType)


def _values(made: Elaborated, hole: Hole) -> Iterator[Candidate]:
    wanted = next(
        (without_optional(type_) for type_ in hole.expected if type_ is not None and type_ is not ty.UNKNOWN), None
    )

    def rank(type_: ty.Type, best: int) -> int:
        if wanted is None or type_ is ty.UNKNOWN:
            return best + 2
        plain = without_optional(type_)
        return best if plain is not None and fits(plain, _wide(wanted)) else best + 7

    program = made.program
    for name, type_ in hole.names.items():
        yield Candidate(name, Kind.Variable, ty.describe(type_), rank(type_, 0))
    for member in _members(made, wanted.domain) if isinstance(wanted, ty.MemberType) else ():
        yield Candidate(member, Kind.EnumMember, wanted.domain.name, 1)  # type: ignore[union-attr]
    for variable in program.variables.values():
        if not variable.shows:
            yield Candidate(variable.name, Kind.Field, _kept(variable), rank(variable.type, 2))
    for definition in program.definitions.values():
        taken = ", ".join(f"{param.name}: {ty.describe(param.type)}" for param in definition.params)
        more = f"({taken}): {ty.describe(definition.type)}" if taken else ty.describe(definition.type)
        yield Candidate(definition.name, Kind.Function, more, rank(definition.type, 2))
    for name, value in program.numbers.items():
        yield Candidate(name, Kind.Constant, f"{value}", rank(ty.NumberType(value, value), 2))
    for name, setting in program.settings.items():
        flag = set(setting.domain.members) == {"yes", "no"}
        yield Candidate(
            name, Kind.Property, setting.kind, rank(ty.FlagType() if flag else ty.MemberType(setting.domain), 3)
        )
    for name, domain in program.domains.items():
        yield Candidate(name, Kind.Enum, f"{len(domain)} members", 5 if wanted is None else 9)
    for name in program.graphs:
        yield Candidate(name, Kind.Interface, "graph", 8)
    for function in FUNCTIONS:
        yield Candidate(function, Kind.Function, usage(function), 7)
    if wanted is None:
        for domain in program.domains.values():
            for member in _members(made, domain):
                yield Candidate(member, Kind.EnumMember, domain.name, 9)


def _members(made: Elaborated, domain: ty.Domain) -> tuple[str, ...]:
    """The members of a domain that can be named; players without names of their own cannot."""
    unnamed = domain.name == "Player" and all(seat == f"player_{n}" for n, seat in enumerate(domain.members, 1))
    return () if unnamed else domain.members


def _wide(type_: ty.Type) -> ty.Type:
    """The type with wide bounds: a number out of bounds is told apart by the check, not here."""
    return ty.NumberType(-(2**31), 2**31) if isinstance(type_, ty.NumberType) else type_


def _kept(variable: Variable) -> str:
    owners = ", ".join(owner.domain.name for owner in variable.owners)
    of = f" of {ty.describe(variable.element)}" if variable.element is not None else ""
    what = ty.describe(variable.type) if variable.kind == "value" else f"{variable.kind}{of}"
    return f"[{owners}]: {what}" if owners else what


def columns(made: Elaborated, hole: Hole) -> Iterator[Candidate]:
    """Columns and parts of what is in front of the dot, or members of the domain that is named there."""
    for found in hole.of:
        type_ = without_optional(found)
        if isinstance(type_, ty.RecordType):
            for name, part in type_.fields:
                yield Candidate(name, Kind.Field, ty.describe(part), 0)
        if isinstance(type_, ty.ListType) and isinstance(type_.item, ty.MemberType):
            for member in type_.item.domain.members:
                yield Candidate(member, Kind.EnumMember, type_.item.domain.name, 0)
        table = made.program.tables.get(type_.domain.name) if isinstance(type_, ty.MemberType) else None
        for name, column in table.types.items() if table is not None else ():
            yield Candidate(name, Kind.Field, ty.describe(column), 0)


# ---------------------------------------------------------------- other names


def rules(made: Elaborated, *, top: bool) -> Iterator[Candidate]:
    """Rules, and options with them unless only those that can be run are wanted."""
    for rule in made.program.rules.values():
        if rule.parent is None or not top:
            taken = ", ".join(f"{param.name}: {ty.describe(param.type)}" for param in rule.params)
            more = f"({taken})" if taken else rule.kind
            yield Candidate(rule.id, Kind.Event if rule.kind == "option" else Kind.Function, more, 0)


_THINGS: tuple[tuple[type[tree.Item], tuple[type[tree.Node], ...]], ...] = (
    (tree.ChangeNumber, (tree.Number,)),
    (tree.ChangeSetting, (tree.Setting,)),
    (tree.ExtendEnum, (tree.Enum,)),
    (tree.ExtendTable, (tree.Table,)),
    (tree.ExtendDefine, (tree.Define,)),
    (tree.Adjust, (tree.Define,)),
)
"""What an item of a variant, or `with` in an example, can name."""


def of_role(files: GameFiles, made: Elaborated, item: tree.Item, mention: Mention) -> Iterator[Candidate]:
    """Names that are not values."""
    names = made.env.linked.names
    match mention.role:
        case "type":
            for name in (*made.program.domains, *made.program.ranges, *made.program.graphs):
                yield Candidate(name, Kind.Enum, rank=0)
        case "rule":
            yield from rules(made, top=not isinstance(item, tree.Example | tree.Insert | tree.RemoveRule))
        case "event":
            yield from (Candidate(name, Kind.Event, "event", 0) for name in made.program.events)
        case "history":
            for name, declared in names.items():
                if isinstance(declared, tree.History):
                    yield Candidate(name, Kind.Interface, "history", 0)
        case "variant":
            yield from (Candidate(name, Kind.Module, "variant", 0) for name in files.variants)
            for name, thing in names.items() if isinstance(item, tree.Example) else ():
                if isinstance(thing, tree.Number | tree.Setting):
                    yield Candidate(name, Kind.Constant, type(thing).__name__.lower(), 0)
        case "game" if files.game is not None:
            yield Candidate(files.game.name, Kind.Module, "game", 0)
        case "member" if mention.of is not None:
            domain = made.program.domains.get(mention.of)
            members = domain.members if domain is not None else getattr(names.get(mention.of), "values", ())
            for member in members:
                yield Candidate(member, Kind.EnumMember, mention.of, 0)
        case "thing":
            kinds = next((kinds for cls, kinds in _THINGS if isinstance(item, cls)), ())
            for name, thing in names.items():
                if not kinds or isinstance(thing, kinds):
                    yield Candidate(name, Kind.Constant, type(thing).__name__.lower(), 0)
