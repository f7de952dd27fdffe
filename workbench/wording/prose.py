"""Rules in plain sentences, made from the rules themselves: a rulebook for games that nobody has written one for."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, assert_never

import attrs

from rulelang.program import Program, Variable
from rulelang.program import nodes as ir
from rulelang.program.walk import walk
from rulelang.types import (
    Domain,
    FlagType,
    ListType,
    MemberType,
    NumberType,
    OptionalType,
    PiecesType,
    RecordType,
    SetType,
    TupleType,
    Type,
)

from ..pictures.build.facts import PLAYER, domain_of
from ..pictures.scene.look import PLACEHOLDER, Look, words
from ..rulebook.texts import Heading, RulebookText, Statement
from .names import Names, action_label
from .sentences import sentence

if TYPE_CHECKING:
    from rulelang.source import Span

_SIGNS = {
    "+": "{a} + {b}", "-": "{a} - {b}", "*": "{a} × {b}", "neg": "-{a}", "<": "{a} < {b}", "<=": "{a} ≤ {b}",
    ">": "{a} > {b}", ">=": "{a} ≥ {b}", "add_pieces": "{a} + {b}", "sub_pieces": "{a} - {b}",
    "scale_pieces": "{a} × {b}", "joined": "{a} + {b}", "united": "{a} + {b}", "without": "{a} - {b}",
    "range": "{a}–{b}", "present": "{a}", "square": "{a}", "spread": "{a}", "kinds_in": "{a}", "members": "{kind}",
    "list": "{all}", "tuple": "({all})", "fingerprint": "({all})", "setting": "{kind}",
}  # fmt: skip
"""How operations are told that are the same in every language."""
_STRONG = frozenset(
    {"+", "-", "*", "and", "or", "otherwise", "joined", "united", "without", "add_pieces", "sub_pieces"}
)
"""Operations that stand in brackets inside another one."""
DEEPER = "› "
"""What stands before a sentence about what a sentence before it leads to, once for each level."""


@attrs.frozen
class Line:
    """A sentence of what has the id ``section``, so many levels ``deep``."""

    section: str
    deep: int
    text: str


@attrs.frozen
class Prose:
    """Tells the rules of a game in the language of ``names``; ``known``: what names stand for now."""

    names: Names
    known: Mapping[str, str] = attrs.field(factory=dict)

    @property
    def program(self) -> Program:
        return self.names.program

    @property
    def look(self) -> Look:
        return self.names.look

    def _say(self, word: str, /, **values: object) -> str:
        return self.names.words.say(f"rules.{word}", **values)

    def _list(self, items: Sequence[str]) -> str:
        from babel.lists import format_list

        return format_list(list(items), locale=self.names.words.lang) if items else self._nothing

    @property
    def _nothing(self) -> str:
        return self.names.words.say("value.nothing")

    # ------------------------------------------------------------ names

    def kind(self, domain: Domain) -> str:
        """What a member of a domain is."""
        label = self.look.label(domain.name)
        if domain.name == PLAYER and self.look.given(PLAYER) is None:
            label = self._say("player")
        return label if self.names.words.lang == "de" else label[:1].lower() + label[1:]

    def local(self, name: str, type_: Type) -> str:
        """A name that a rule gives to something; one of a letter or two with what it stands for."""
        domain = domain_of(type_)
        return f"{self.kind(domain)} {name}".rstrip() if domain is not None and len(name) <= 2 else words(name)

    def action(self, rule: str) -> str:
        """What a rule or option is called."""
        label = self.look.of(rule).labels.get(self.names.words.lang)
        named = action_label(self.names, rule) if label else words(rule.rpartition(".")[2])
        return PLACEHOLDER.sub("…", named)

    def title(self, rule: str, params: Sequence[ir.Param] = ()) -> str:
        """The same, with what it is about."""
        about = ", ".join(self.local(one.name, one.type) for one in params)
        return f"{self.action(rule)} ({about})" if about else self.action(rule)

    def _of(self, name: str, arguments: Sequence[ir.Expr]) -> str:
        label = self.look.label(name)
        told = self._list([self.expr(one) for one in arguments]) if arguments else ""
        return self._say("of", what=label, whose=told) if told else label

    def _value(self, name: str, arguments: Sequence[ir.Expr], type_: Type) -> str:
        return self._holds("holds", name, arguments) if isinstance(type_, FlagType) else self._of(name, arguments)

    def _holds(self, word: str, name: str, arguments: Sequence[ir.Expr], **values: str) -> str:
        """What is said of a flag. ``word``: that it holds, or not, or from now on."""
        whose = self._list([self.expr(one) for one in arguments]) if arguments else ""
        return self._say(f"{word}_for" if whose else word, what=self.look.label(name), whose=whose, **values)

    # ------------------------------------------------------------ expressions

    def expr(self, node: ir.Expr, *, inner: bool = False) -> str:
        """An expression in words; ``inner``: as a part of another one."""
        teller = _EXPRESSIONS.get(type(node))
        told = teller(self, node) if teller is not None else words(type(node).__name__)
        strong = isinstance(node, ir.If) or (isinstance(node, ir.Apply) and node.op in _STRONG)
        return f"({told})" if inner and strong else told

    def plain(self, type_: Type, value: Any) -> str:
        """A value that is written in the rules or in a table."""
        match type_:
            case OptionalType(item) if value is not None:
                return self.plain(item, value)
            case MemberType(domain):
                return self.look.label(f"{domain.name}~{domain.members[value]}")
            case PiecesType(MemberType(domain)):
                return self.names.pieces({domain.members[kind]: n for kind, n in enumerate(value) if n}, domain)
            case PiecesType(NumberType(low)):
                told = [f"{n} × {low + kind}" for kind, n in enumerate(value) if n]
                return ", ".join(told) or self._nothing
            case ListType(item) | SetType(item):
                values = value if isinstance(type_, ListType) else sorted(value)
                return self._list([self.plain(item, one) for one in values])
            case TupleType() | RecordType():
                parts = zip(type_.items, value, strict=True)
                return f"({', '.join(self.plain(item, one) for item, one in parts)})"
        return self.names.value(value)

    def _apply(self, node: ir.Apply) -> str:
        flag = node.arguments[0] if node.op == "not" else None
        if isinstance(flag, ir.Apply) and flag.op in ("is", "is_not"):
            return self._apply(attrs.evolve(flag, op="is_not" if flag.op == "is" else "is"))
        if isinstance(flag, ir.Read):
            return self._holds("holds_not", flag.variable, flag.indices)
        if isinstance(flag, ir.Call):
            return self._holds("holds_not", flag.definition, flag.arguments)
        domain = domain_of(node.type) or domain_of(getattr(node.type, "item", None))
        told = [self.expr(one, inner=not _goes_on(node, one)) for one in node.arguments]
        values = dict(zip("abc", told, strict=False)) | {"all": ", ".join(told)}
        values["kind"] = self.kind(domain) if domain is not None else ""
        if node.op in _SIGNS:
            return _SIGNS[node.op].format(**values)
        return self._say(_operation(node, domain), **values)

    def _fold(self, node: ir.Fold) -> str:
        told, condition = self.binds(node.binds), node.binds.condition
        if isinstance(condition, ir.Const) and condition.value is False:
            return self._nothing
        word, named = node.word, node.word in ("count", "some", "list", "set", "first")
        own = named and isinstance(node.body, ir.Local) and node.body.slot in (bind.slot for bind in node.binds.binds)
        body = self.expr(node.body) if node.body is not None and not own else ""
        if node.ranks:
            keys = [self._say("most" if key.most else "fewest", value=self.expr(key.value)) for key in node.ranks]
            return self._say(f"fold.{node.word}", binds=told, keys=", ".join(keys))
        return self._say(f"fold.{word}_of" if body and named else f"fold.{word}", binds=told, body=body)

    def _pieces(self, node: ir.PiecesOf) -> str:
        told = ", ".join(f"{self.expr(number, inner=True)} × {self.expr(kind)}" for kind, number in node.entries)
        return told if node.binds is None else self._say("for_each", what=told, binds=self.binds(node.binds))

    def _length(self, node: ir.ByLength) -> str:
        ends = dict(zip("ab", (self.expr(one) for one in node.ends), strict=False))
        return self._say(f"length.{node.word}", graph=self._of(node.graph, node.arguments), **ends)

    def _ways(self, node: ir.Ways) -> str:
        return self._say("ways", start=self.expr(node.start), steps=self.expr(node.steps))

    def binds(self, binds: ir.Binds) -> str:
        """Names with what they stand for, and under which condition."""
        told = []
        for bind in binds.binds:
            name, domain = self.local(bind.name, bind.type), domain_of(bind.type)
            whole = isinstance(bind.domain, ir.Apply) and bind.domain.op == "members"
            if domain is not None and len(bind.name) > 2:
                name = f"{name} ({self.kind(domain)})"
            told.append(name if whole else self._say("among", what=name, where=self.expr(bind.domain)))
        text = ", ".join(told)
        if binds.condition is not None:
            word = "while" if binds.stop_at_first_failure else "where"
            text = self._say(word, what=text, condition=self.expr(binds.condition))
        return text

    # ------------------------------------------------------------ statements

    def place(self, node: ir.Place) -> str:
        """A place or value, with whose it is."""
        return self._of(node.variable, node.indices)

    def body(self, section: str, statements: Sequence[ir.Statement], deep: int = 0) -> Iterator[Line]:
        """The sentences of statements, each with those of what it leads to."""
        for statement in statements:
            teller = _STATEMENTS.get(type(statement))
            yield from teller(self, section, statement, deep) if teller is not None else ()

    def _line(self, section: str, deep: int, word: str, **values: object) -> Line:
        text = self._say(word, **values)
        return Line(section, deep, text[:1].upper() + text[1:])

    def _plain(self, section: str, node: Any, deep: int) -> Iterator[Line]:
        word, values = _PLAIN[type(node)](self, node)
        yield self._line(section, deep, word, **values)

    def _set(self, section: str, node: ir.SetValue, deep: int) -> Iterator[Line]:
        if isinstance(node.value, ir.Const) and isinstance(node.value.type, FlagType):
            word = "begins" if node.value.value else "ceases"
            text = self._holds(word, node.target.variable, node.target.indices)
        else:
            text = self._say("set", place=self.place(node.target), value=self.expr(node.value))
        yield Line(section, deep, text[:1].upper() + text[1:])

    def _move(self, node: ir.Move) -> tuple[str, dict[str, object]]:
        amount = self.expr(node.amount, inner=True) if node.amount is not None else ""
        kind = self.expr(node.kind, inner=True) if node.kind is not None else ""
        word = f"move.{node.what.replace(' ', '_')}"
        what = self._say(word, n=amount or kind, kind=kind)
        if node.up_to:
            what = self._say("up_to", what=what)
        values: dict[str, object] = {"what": what, "source": self.place(node.source), "target": self.place(node.target)}
        if node.square is None:
            return "move", values
        turn = self._say("turned", turn=self.expr(node.turn)) if node.turn is not None else ""
        return "lay", {**values, "square": self.expr(node.square) + turn}

    def _under(self, section: str, deep: int, head: str, bodies: Sequence[tuple[str, Any]]) -> Iterator[Line]:
        """A sentence with a colon and what follows; a single plain sentence stands in the same line. ``bodies``: of
        further ones, each with what is said in front of it."""
        for word, statements in (("", bodies[0][1]), *bodies[1:]):
            if word and all(isinstance(one, ir.Nothing) for one in statements):
                continue
            front = self._say(word) if word else head
            below = list(self.body(section, statements, deep + 1))
            if not below:
                continue
            if len(below) == 1 and below[0].section == section and not below[0].text.endswith(":"):
                text, first = below[0].text, below[0].text[:1]
                first = first if self.names.words.lang == "de" else first.lower()
                yield Line(section, deep, f"{front[:1].upper()}{front[1:]}: {first}{text[1:]}")
            else:
                yield Line(section, deep, f"{front[:1].upper()}{front[1:]}:")
                yield from below

    def _branch(self, section: str, node: ir.Branch, deep: int) -> Iterator[Line]:
        head = self._say("if", condition=self.expr(node.condition))
        yield from self._under(section, deep, head, [("", node.then), ("otherwise", node.otherwise)])

    def _if_there(self, section: str, node: ir.IfThere, deep: int) -> Iterator[Line]:
        head = self._say("if_there", binds=self.binds(node.binds))
        yield from self._under(section, deep, head, [("", node.then), ("otherwise", node.otherwise)])

    def _loop(self, section: str, node: Any, deep: int) -> Iterator[Line]:
        match node:
            case ir.TakeTurns():
                head = self._say("turns", start=self.expr(node.start), who=self.local(node.name, node.start.type))
                if node.until is not None:
                    head = self._say("until", what=head, condition=self.expr(node.until))
            case ir.Repeat("at most"):
                head = self._say("repeat", n=self.expr(node.value))
            case ir.Repeat():
                head = self._say("again")
            case _:
                word = "together" if isinstance(node, ir.Together) else "each"
                head = self._say(word, binds=self.binds(node.binds))
        yield from self._under(section, deep, head, [("", node.body)])

    def asks(self, node: ir.Menu | ir.Choose | ir.ChooseSome | ir.Pay) -> str:
        """The sentence with which a statement asks, without what follows from the answer."""
        who = self.expr(node.who)
        match node:
            case ir.ChooseSome():
                bounds = [self.expr(node.low), self.expr(node.high) if node.high is not None else "…"]
                values = {
                    "what": self.expr(node.domain),
                    "n": "–".join(dict.fromkeys(bounds)),
                    "name": words(node.name),
                }
                text = self._say("chooses_some", who=who, **values)
            case ir.Choose():
                text = self._say("may_choose" if node.may else "chooses", who=who, binds=self.binds(node.binds))
            case ir.Menu():
                text = self._say("menu", who=who)
            case ir.Pay():
                source, target = self.place(node.source), self.place(node.target)
                text = self._say("pay", who=who, cost=self.expr(node.cost), source=source, target=target)
            case _:
                assert_never(node)
        return text[:1].upper() + text[1:]

    def _choose(self, section: str, node: ir.Choose | ir.ChooseSome, deep: int) -> Iterator[Line]:
        head = self.asks(node)
        if not node.body:
            yield Line(section, deep, f"{head}.")
        yield from self._under(section, deep, head, [("", node.body or ()), ("if_not", node.otherwise)])

    def _pay(self, section: str, node: ir.Pay, deep: int) -> Iterator[Line]:
        yield Line(section, deep, self.asks(node))

    def _menu(self, section: str, node: ir.Menu, deep: int) -> Iterator[Line]:
        yield Line(section, deep, self.asks(node))
        for id_ in node.options:
            option = self.program.rules[id_]
            head = self.action(id_)
            if option.binds is not None:
                head += f" ({self.binds(option.binds)})"
            if option.needs:
                needs = self._list([self.expr(one.condition) for one in option.needs])
                head = self._say("only_if", what=head, condition=needs)
            yield Line(id_, deep + 1, f"{head[:1].upper()}{head[1:]}:")
            yield from self.body(id_, option.body, deep + 2)
        yield from self._under(section, deep, "", [("", ()), ("impossible", node.otherwise or ())])

    def _named(self, section: str, node: ir.NamedRule, deep: int) -> Iterator[Line]:
        rule = self.program.rules[node.rule]
        head = self.title(rule.id)
        if rule.guard is not None:
            head = self._say("only_if", what=head, condition=self.expr(rule.guard))
        yield from self._under(rule.id, deep, head, [("", rule.body)])

    def rule(self, id_: str) -> list[Line]:
        """A rule with all that is written in it."""
        rule = self.program.rules[id_]
        needs = [self._line(id_, 0, "needs", condition=self.expr(one.condition)) for one in rule.needs]
        head = rule.whenever or rule.guard
        if head is None:
            return [*needs, *self.body(id_, rule.body)]
        word = "whenever" if rule.whenever is not None else "if"
        return [*needs, *self._under(id_, 0, self._say(word, condition=self.expr(head)), [("", rule.body)])]

    # ------------------------------------------------------------ what there is

    def type(self, type_: Type | None) -> str:
        """What values of a type are."""
        domain = domain_of(type_)
        match type_:
            case NumberType(low, high):
                return self._say("number", low=low, high=high)
            case FlagType():
                return self._say("flag")
            case OptionalType(item):
                return self._say("or_nothing", what=self.type(item))
            case SetType() | ListType() | PiecesType() if domain is not None:
                return self._say("several", kind=self.kind(domain))
        return self._say("one", kind=self.kind(domain)) if domain is not None else "…"

    def variable(self, variable: Variable) -> str:
        """A place or value: what it holds, who sees it, what it begins with, and whether it lasts."""
        held = domain_of(variable.element)
        kind = self.kind(held) if held is not None else self._say("numbers")
        what = self.type(variable.type) if variable.kind == "value" else self._say(f"place.{variable.kind}", kind=kind)
        if variable.capacity is not None:
            what = self._say("at_most", what=what, n=variable.capacity)
        sight = [self._say(f"seen.{variable.seen_by}")] if variable.seen_by != "all" else []
        sight += [self._say("counted")] if variable.counted else []
        first = [self._say("at_first", value=self.expr(variable.initial))] if variable.initial is not None else []
        kept = [self._say("carried")] if variable.carried else []
        return f"{self.look.label(variable.name)} ({'; '.join([what, *sight, *first, *kept])})"

    def domain(self, domain: Domain, most: int | None = None) -> Line:
        """The members of a domain, at ``most`` so many; of a table, what each row says."""
        grid, table = self.program.grids.get(domain.name), self.program.tables.get(domain.name)
        if grid is not None:
            shape = "squares" if grid.shape == "squares" else "cells"
            text = self._say(shape, what=self.look.label(domain.name), width=grid.width, height=grid.height)
            return Line(domain.name, 0, text)
        if table is not None and _has_all_combinations(table):
            columns = self._list([self.look.label(f"{domain.name}.{column}") for column in table.types])
            return self._line(domain.name, 0, "combinations", what=self.look.label(domain.name), columns=columns)
        told = [self.row(domain, number) for number in range(len(domain))[:most]]
        told += ["…"] if len(told) < len(domain) else []
        between = "; " if table is not None and table.types else ", "
        return Line(domain.name, 0, sentence(f"{self.look.label(domain.name)}: {between.join(told)}"))

    def row(self, domain: Domain, number: int) -> str:
        """A member of a domain, with what its row of a table says."""
        label, table = self.look.label(f"{domain.name}~{domain.members[number]}"), self.program.tables.get(domain.name)
        if table is None or domain.name in self.program.grids:
            return label
        row = [(c, t, table.cells[c][number]) for c, t in table.types.items() if c not in table.rules]
        values = [f"{self.look.label(f'{domain.name}.{c}')} {self.plain(t, value)}"
                  for c, t, value in row if value is not None and value is not False]  # fmt: skip
        return f"{label} ({', '.join(values)})" if values else label

    def places(self) -> Iterator[Line]:
        """What the game, each player and each member of something has."""
        groups: dict[tuple[str, ...], list[Variable]] = {}
        for variable in self.program.variables.values():
            if not (variable.bookkeeping or variable.history or variable.shows is not None):
                groups.setdefault(tuple(o.domain.name for o in variable.owners), []).append(variable)
        for owners, variables in groups.items():
            told = "; ".join(map(self.variable, variables))
            whose = self._list([self.kind(self.program.domains[name]) for name in owners]) if owners else ""
            yield self._line(variables[0].name, 0, "has" if owners else "game_has", whose=whose, what=told)

    def aim(self) -> Iterator[Line]:
        """Who wins."""
        ranks = [rank for rank in self.program.ranks if not rank.implied]
        keys = [self._say("most" if rank.most else "fewest", value=self.expr(rank.value)) for rank in ranks]
        if keys:
            yield self._line("winner", 0, "winner", keys=f", {self._say('then')} ".join(keys))
        else:
            yield self._line("winner", 0, "no_winner")

    def definition(self, name: str) -> Line:
        """What a word of the rules means."""
        definition = self.program.definitions[name]
        about = [self.local(one.name, one.type) for one in definition.params]
        label, value = self.look.label(name), self.expr(definition.body)
        if isinstance(definition.type, FlagType):
            word = "holds_for" if about else "holds"
            what = self._say(word, what=label, whose=self._list(about) if about else "")
            return self._line(name, 0, "means_if", what=what, value=value)
        what = self._say("of", what=label, whose=self._list(about)) if about else label
        return self._line(name, 0, "means", what=what, value=value)

    def graph(self, name: str) -> Line:
        """What is connected with what."""
        graph = self.program.graphs[name]
        edges = []
        for edge in graph.edges:
            target = self.expr(edge.target)
            if edge.binds is not None:
                target = self._say("for_each", what=target, binds=self.binds(edge.binds))
            edges.append(target)
        what, nodes = self.title(name, graph.params), self.binds(graph.nodes)
        return Line(name, 0, self._say("graph", what=what, nodes=nodes, edges="; ".join(edges)))

    # ------------------------------------------------------------ all of it

    def chapters(self) -> Iterator[tuple[str, list[Line]]]:
        """Headings with their sentences, in the order in which one learns a game."""
        program = self.program
        low, high = program.min_players, program.max_players
        count = self._say("for_players", n=high) if low == high else self._say("for_range", low=low, high=high)
        own = [d for d in program.domains.values() if d.name != PLAYER and d.name not in program.settings]
        used = {n.type.domain.name for n in walk(list(program.rules.values())) if isinstance(n, ir.Local)
                and isinstance(n.type, MemberType)}  # fmt: skip
        domains = [self.domain(d) for d in own if not d.ring or d.name in used or d.name in program.tables]
        yield self._say("h_parts"), [Line("players", 0, count), *domains, *self.places()]
        yield self._say("h_aim"), list(self.aim())
        for id_ in self._order():
            title = self._say("h_course") if id_ == program.start else self.title(id_, program.rules[id_].params)
            yield title[:1].upper() + title[1:], self.rule(id_)
        meant = [self.definition(name) for name in program.definitions]
        yield self._say("h_words"), [*meant, *map(self.graph, program.graphs)]

    def _order(self) -> list[str]:
        """The rules that stand by themselves, each after the first that leads to it."""
        rules, order = self.program.rules, [self.program.start]
        for id_ in order:
            inner = [rules[id_]]
            for parent in inner:
                inner += [rule for rule in rules.values() if rule.parent == parent.id]
            called = [node.rule for node in walk(inner) if isinstance(node, (ir.Do, ir.After))]
            called += [one for node in walk(inner) if isinstance(node, ir.Announce)
                       for one in self.program.handlers.get(node.event, ())]  # fmt: skip
            order += [one for one in dict.fromkeys(called) if one not in order and rules[one].parent is None]
        return [*order, *(id_ for id_ in self.program.watchers if id_ not in order and rules[id_].parent is None)]


def _has_all_combinations(table: ir.Table) -> bool:
    """Whether a table says nothing but that there is a row for each way to combine members, as a pack of cards does."""
    types = table.types.values()
    number = math.prod(len(type_.domain) for type_ in types if isinstance(type_, MemberType))
    return table.parts == len(types) and len(table.domain) == number


def _goes_on(node: ir.Apply, part: ir.Expr) -> bool:
    """Whether a part needs no brackets: parts of a chain with ``and``, unless it is an ``or``."""
    return node.op == "and" and not (isinstance(part, ir.Apply) and part.op == "or")


def _operation(node: ir.Apply, domain: Domain | None) -> str:
    """The word of the catalogue for an operation."""
    if node.op in ("is", "is_not") and isinstance(node.arguments[1], ir.Const) and node.arguments[1].value is None:
        return "free" if node.op == "is" else "taken"
    if node.op in ("next", "prev") and domain is not None and domain.name == PLAYER:
        return f"{node.op}_player"
    return f"op.{node.op}"


def rulebook_text(program: Program, look: Look) -> RulebookText:
    """A rulebook in the language of the look, made from the rules; it says so itself."""
    prose = Prose(Names(program, look))
    start = program.rules[program.start].span
    note = Statement("note.1", "note", prose.names.words.say("rules.note"), start)
    parts: list[Heading | Statement] = [Heading(1, _bare(program.title), start), note]
    counts: dict[str, int] = {}
    for title, lines in prose.chapters():
        if lines:
            parts.append(Heading(2, _bare(title), start))
        for line in lines:
            counts[line.section] = counts.get(line.section, 0) + 1
            text = _bare(DEEPER * line.deep + line.text)
            parts.append(Statement(f"{line.section}.{counts[line.section]}", line.section, text, _span(program, line)))
    sections = {part.section: part.span for part in reversed(parts) if isinstance(part, Statement)}
    return RulebookText(prose.names.words.lang, start.file, tuple(parts), sections)


def _span(program: Program, line: Line) -> Span:
    known = program.rules.get(line.section) or program.definitions.get(line.section)
    return (known or program.rules[program.start]).span


def _bare(text: str) -> str:
    """A text without the braces that would stand for a value."""
    return text.replace("{", "(").replace("}", ")")


_EXPRESSIONS: dict[type, Callable[[Prose, Any], str]] = {
    ir.Const: lambda prose, node: prose.plain(node.type, node.value),
    ir.Local: lambda prose, node: prose.known.get(node.name) or prose.local(node.name, node.type),
    ir.Read: lambda prose, node: prose._value(node.variable, node.indices, node.type),
    ir.ColumnOf: lambda prose, node: prose._value(f"{node.table}.{node.column}", [node.row], node.type),
    ir.PartOf: lambda prose, node: prose._say("of", what=words(node.name), whose=prose.expr(node.value, inner=True)),
    ir.Call: lambda prose, node: prose._value(node.definition, node.arguments, node.type),
    ir.Apply: Prose._apply,
    ir.If: lambda prose, node: prose._say(
        "either", condition=prose.expr(node.condition), then=prose.expr(node.then, inner=True),
        otherwise=prose.expr(node.otherwise),
    ),
    ir.Fold: Prose._fold,
    ir.PiecesOf: Prose._pieces,
    ir.GroupOf: lambda prose, node: prose._say(
        "group", node=prose.expr(node.node), graph=prose._of(node.graph, node.arguments)
    ),
    ir.Groups: lambda prose, node: prose._say("groups", graph=prose._of(node.graph, node.arguments)),
    ir.LongestTrail: lambda prose, node: prose._say(
        "length.longest_trail", graph=prose._of(node.graph, node.arguments)
    ),
    ir.ByLength: Prose._length,
    ir.Ways: Prose._ways,
    ir.After: lambda prose, node: prose._say(
        "after", value=prose.expr(node.value), rule=prose._of(node.rule, node.arguments)
    ),
}  # fmt: skip

_PLAIN: dict[type, Callable[[Prose, Any], tuple[str, dict[str, object]]]] = {
    ir.Let: lambda prose, node: ("let", {"name": words(node.name), "value": prose.expr(node.value)}),
    ir.Change: lambda prose, node: (
        "rises" if node.sign > 0 else "falls", {"place": prose.place(node.target), "amount": prose.expr(node.amount)}
    ),
    ir.Move: Prose._move,
    ir.Shuffle: lambda prose, node: ("shuffle", {"place": prose.place(node.place)}),
    ir.Show: lambda prose, node: ("show", {
        "place": prose.place(node.place),
        "who": prose.expr(node.who) if node.who is not None
        else prose.binds(node.seats) if node.seats is not None else prose.names.words.say("news.everybody"),
    }),
    ir.Roll: lambda prose, node: ("roll", {"binds": prose.binds(node.binds)}),
    ir.Nothing: lambda prose, node: ("nothing", {}),
    ir.Do: lambda prose, node: ("do", {
        "rule": prose.action(node.rule) + (f" ({', '.join(map(prose.expr, node.arguments))})" if node.arguments else "")
    }),
    ir.Announce: lambda prose, node: ("announce", {"event": words(node.event)}),
    ir.Stop: lambda prose, node: ("stop", {}),
    ir.EndGame: lambda prose, node: ("end", {}),
    ir.Score: lambda prose, node: (
        "scores" if node.sign > 0 else "loses", {"who": prose.expr(node.who), "amount": prose.expr(node.amount)}
    ),
    ir.Wins: lambda prose, node: ("wins", {"who": prose.expr(node.who)}),
}  # fmt: skip
"""The word of the catalogue for a statement without others in it, and its values."""

_STATEMENTS: dict[type, Callable[[Prose, str, Any, int], Iterator[Line]]] = {
    **dict.fromkeys(_PLAIN, Prose._plain),
    ir.SetValue: Prose._set,
    ir.Branch: Prose._branch,
    ir.IfThere: Prose._if_there,
    **dict.fromkeys((ir.Each, ir.Together, ir.Repeat, ir.TakeTurns), Prose._loop),
    **dict.fromkeys((ir.Choose, ir.ChooseSome), Prose._choose),
    ir.Menu: Prose._menu,
    ir.Pay: Prose._pay,
    ir.NamedRule: Prose._named,
}
