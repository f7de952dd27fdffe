"""Candidates for a place in the rules: keywords, and names of what fits, with their types."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs
from lsprotocol import types

from rulelang.elaborate import Elaborated
from rulelang.elaborate.compatible import fits, without_optional
from rulelang.elaborate.environment import Hole
from rulelang.files.folder import GameFiles
from rulelang.names.mentions import Mention
from rulelang.program import Variable
from rulelang.syntax import tree
from rulelang.types import UNKNOWN, FlagType, MemberType, NumberType, RecordType, Type, describe
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


def words(found: Iterable[str]) -> Iterator[Candidate]:
    """Keywords."""
    for word in found:
        yield Candidate(word, Kind.Keyword, rank=6)


def players(seats: Iterable[str]) -> Iterator[Candidate]:
    """The players of an example."""
    for seat in seats:
        yield Candidate(seat, Kind.EnumMember, "Player", 1)


# ---------------------------------------------------------------- values


def values(made: Elaborated, hole: Hole, *, changed: bool = False) -> Iterator[Candidate]:
    """Names for a place in an expression; those whose type is needed there come first.

    ``changed``: what is named there is given a value, or pieces are moved to it.
    """
    wanted = next((without_optional(type_) for type_ in hole.expected if type_ is not None and type_ != UNKNOWN), None)

    def rank(type_: Type, best: int) -> int:
        if wanted is None or type_ == UNKNOWN:
            return best + 2
        plain = without_optional(type_)
        return best if plain is not None and fits(plain, _wide(wanted)) else best + 7

    program = made.program
    for name, type_ in hole.names.items():
        yield Candidate(name, Kind.Variable, describe(type_), rank(type_, 0))
    for member in wanted.domain.members if isinstance(wanted, MemberType) else ():
        yield Candidate(member, Kind.EnumMember, wanted.domain.name, 1)  # type: ignore[union-attr]
    for variable in program.variables.values():
        if not variable.shows:
            yield Candidate(variable.name, Kind.Field, _kept(variable), 0 if changed else rank(variable.type, 2))
    for definition in program.definitions.values():
        taken = ", ".join(f"{param.name}: {describe(param.type)}" for param in definition.params)
        more = f"({taken}): {describe(definition.type)}" if taken else describe(definition.type)
        yield Candidate(definition.name, Kind.Function, more, rank(definition.type, 2))
    for name, value in program.numbers.items():
        yield Candidate(name, Kind.Constant, f"{value}", rank(NumberType(value, value), 2))
    for name, setting in program.settings.items():
        flag = set(setting.domain.members) == {"yes", "no"}
        yield Candidate(name, Kind.Property, setting.kind, rank(FlagType() if flag else MemberType(setting.domain), 3))
    for name, domain in program.domains.items():
        yield Candidate(name, Kind.Enum, f"{len(domain)} members", 5 if wanted is None else 9)
    for name in program.graphs:
        yield Candidate(name, Kind.Interface, "graph", 8)
    for function in FUNCTIONS:
        yield Candidate(function, Kind.Function, usage(function), 7)
    if wanted is None:
        for domain in program.domains.values():
            for member in domain.members:
                yield Candidate(member, Kind.EnumMember, domain.name, 9)


def _wide(type_: Type) -> Type:
    """The type with wide bounds: a number out of bounds is told apart by the check, not here."""
    return NumberType(-(2**31), 2**31) if isinstance(type_, NumberType) else type_


def _kept(variable: Variable) -> str:
    owners = ", ".join(owner.domain.name for owner in variable.owners)
    of = f" of {describe(variable.element)}" if variable.element is not None else ""
    what = describe(variable.type) if variable.kind == "value" else f"{variable.kind}{of}"
    return f"[{owners}]: {what}" if owners else what


def columns(made: Elaborated, hole: Hole) -> Iterator[Candidate]:
    """Columns and parts of what is in front of the dot."""
    for found in hole.of:
        type_ = without_optional(found)
        if isinstance(type_, RecordType):
            for name, part in type_.fields:
                yield Candidate(name, Kind.Field, describe(part), 0)
        table = made.program.tables.get(type_.domain.name) if isinstance(type_, MemberType) else None
        for name, column in table.types.items() if table is not None else ():
            yield Candidate(name, Kind.Field, describe(column), 0)


# ---------------------------------------------------------------- other names


def rules(made: Elaborated, *, top: bool) -> Iterator[Candidate]:
    """Rules, and options with them unless only those that can be run are wanted."""
    for rule in made.program.rules.values():
        if rule.parent is None or not top:
            taken = ", ".join(f"{param.name}: {describe(param.type)}" for param in rule.params)
            more = f"({taken})" if taken else rule.kind
            yield Candidate(rule.id, Kind.Event if rule.kind == "option" else Kind.Function, more, 0)


_THINGS: tuple[tuple[type[tree.Item], tuple[type[tree.Node], ...]], ...] = (
    (tree.ChangeNumber, (tree.Number,)),
    (tree.ChangeSetting, (tree.Setting,)),
    (tree.ExtendEnum, (tree.Enum,)),
    (tree.ExtendTable, (tree.Table,)),
    (tree.ExtendDefine, (tree.Define,)),
    (tree.Adjust, (tree.Define,)),
    (tree.Example, (tree.Number, tree.Setting)),
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
            for name in made.program.events:
                yield Candidate(name, Kind.Event, "event", 0)
        case "history":
            for name, declared in names.items():
                if isinstance(declared, tree.History):
                    yield Candidate(name, Kind.Interface, "history", 0)
        case "variant":
            for name in files.variants:
                yield Candidate(name, Kind.Module, "variant", 0)
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
