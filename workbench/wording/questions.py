"""Words of a question: the rulebook's sentence, what it is about, and the choices as people call them."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import attrs

from rulelang import workspace
from rulelang.diagnostics import RulesError, Sink, UnusablePath
from rulelang.files.contents import root_of
from rulelang.program import Program
from rulelang.program.nodes import Change, Choose, ChooseSome, Local, Menu, Pay, Place, Repeat, SetValue
from rulelang.program.walk import statements, walk

from ..pictures.build.facts import PLAYER, domain_of
from ..pictures.scene.look import PLACEHOLDER, Look
from ..pictures.scene.nodes import place
from ..rulebook.glossary import Glossary, read_glossary
from ..rulebook.texts import Heading, RulebookText, Statement, fill, read_merged
from .names import Names, Words, action_label, option_text
from .prose import DEEPER, Prose, rulebook_text
from .sentences import sentence

if TYPE_CHECKING:
    from interpreter.data import Decision, Explanation, Option, View


_NAME = re.compile(r"[a-z][a-z_0-9]+", re.IGNORECASE)
_COUNTED = re.compile(r"(\w+)(?:\[[^\[\]]*\]|\([^()]*\))?")
"""A definition or a place, with nothing worked out from it."""
_OWN = 1.5
"""What it counts that a statement is the one of a number or a setting in the condition."""
_WHICH = 0.4
_LEAST = 0.5
"""A statement that fits less is none: half a term of its own, so to speak."""


@attrs.frozen
class Stating:
    """Finds the statements of conditions. ``book``: in the ``language`` in which the rules are written."""

    program: Program
    book: RulebookText
    glossary: Glossary
    language: str

    def of(self, rule: str, conditions: Sequence[str]) -> list[Statement | None]:
        """For each condition of a rule, as the rules have it, the statement that belongs to it."""
        section = self._plain(rule)
        terms = {statement.id: self._terms(statement.text) for statement in section}
        weights = Counter(term for found in terms.values() for term in found)
        return [self._best(condition, section, terms, weights) for condition in conditions]

    def _best(
        self, condition: str, section: Sequence[Statement], terms: Mapping[str, frozenset[str]], weights: Counter[str]
    ) -> Statement | None:
        names = [name for name in dict.fromkeys(_NAME.findall(condition)) if len(name) > 1]
        about: dict[str, float] = {}
        for term, count in (pair for name in names for pair in self._meant(name)):
            about[term] = max(count, about.get(term, 0))
        found: list[tuple[float, Statement]] = [(_OWN, statement) for statement in self._own(names)]
        found += [(sum(about[term] / weights[term] for term in about.keys() & terms[s.id]), s) for s in section]
        best = max((score for score, _ in found), default=0.0)
        fitting = [statement for score, statement in found if score == best]
        return fitting[0] if best >= _LEAST else None

    def _own(self, names: Sequence[str]) -> Iterator[Statement]:
        """The first statements about numbers and settings."""
        for name in names:
            if name in self.program.numbers or name in self.program.settings:
                yield from self._plain(name)[:1]

    def _plain(self, section: str) -> list[Statement]:
        """The statements of a section, without those of other readings."""
        return [s for s in self.book.about(section) if s.id.rpartition(".")[2].isdigit()]

    def _terms(self, text: str) -> frozenset[str]:
        uses = self.glossary.uses(text, self.language)
        return frozenset(term for use in uses for term in use.concepts | use.inside)

    def _meant(self, name: str) -> Iterator[tuple[str, float]]:
        """The terms in a name, and what they count: its last word says what it is, those before only which."""
        if name in self.glossary.concepts:
            yield name, 1.0
        *before, last = name.split("_")
        yield from ((term, 1.0) for term in self._terms(last))
        yield from ((term, _WHICH) for term in self._terms(" ".join(before)))


_WORD = re.compile(r"[^\W\d]\w*")


class Looked(Protocol):
    """A state as it is looked at to put its question into words."""

    def view(self, seat: int | None, /) -> View: ...

    def why(self, option: int, /) -> Explanation: ...


@attrs.define
class Wording:
    """Puts the questions of one game into words, in the language of ``look``; rule names where it has no labels."""

    program: Program
    look: Look

    @property
    def names(self) -> Names:
        """What things are called."""
        return Names(self.program, self.look)

    @property
    def words(self) -> Words:
        """The words around the game."""
        return self.names.words

    # ------------------------------------------------------------ the rulebook

    @functools.cached_property
    def _books(self) -> dict[str, RulebookText]:
        """The rulebooks that somebody has written, by language."""
        return {book.language: book for book in _books(self.program)}

    @functools.cached_property
    def book(self) -> RulebookText | None:
        """The rulebook in the language, or else in English; where nobody has written one, what is made from the
        rules."""
        if self.is_made:
            return rulebook_text(self.program, self.look)
        return self._books.get(self.look.lang or "en") or self._books.get("en")

    @property
    def is_made(self) -> bool:
        """Whether nobody has written a rulebook, so that it is made from the rules."""
        return not self._books and self.look.lang is not None

    def sentences(self, *names: str) -> list[str]:
        """What the rulebook says about the first of these ids that it has a section for, without other readings."""
        if self.book is None:
            return []
        for name in names:
            told = [
                self.filled(statement)
                for statement in self.book.about(name)
                if statement.id.rpartition(".")[2].isdigit()
            ]
            if told:
                first = told[0][: len(told[0]) - len(told[0].lstrip(DEEPER))]
                return [text.removeprefix(first) for text in told]
        return []

    def stating(self, rule: str, conditions: Sequence[str]) -> list[str | None]:
        """For each condition of a rule, as the rules have it, the rulebook's sentence; None where it has none."""
        stating, book = self._stating, self.book
        if stating is None or book is None:
            return [None] * len(conditions)
        here = {statement.id: statement for statement in book.statements}
        found = [s and here.get(s.id) for s in stating.of(rule, conditions)]
        return [None if s is None else self.filled(s) for s in found]

    @functools.cached_property
    def _stating(self) -> Stating | None:
        """Conditions are compared with the English rulebook, since names in rules are English; else with this one."""
        book = self._books.get("en") or self.book
        glossary = self.glossary
        return (
            Stating(self.program, book, glossary, book.language) if book is not None and glossary is not None else None
        )

    def filled(self, statement: Statement) -> str:
        """A statement of the rulebook with its values."""
        players, language = self.program.players, self.book.language if self.book is not None else "en"
        programs = self._programs if "@" in statement.text else [self.program]
        return fill(statement.text, language, programs, statement.span, Sink(), players, self.glossary)

    @functools.cached_property
    def _programs(self) -> list[Program]:
        """Those of all numbers of players, which a sentence may tell of."""
        program, games = self.program, workspace.default()
        settings = {name: setting.value for name, setting in program.settings.items()}
        try:
            files, names = games.open(folder_of(program) or "", program.variants)
            return games.programs(files, names, settings)
        except (OSError, RulesError, UnusablePath):
            return [program]

    @functools.cached_property
    def glossary(self) -> Glossary | None:
        """The terms of the game; None where nobody has written any."""
        root = folder_of(self.program)
        return read_glossary(root / "text", Sink(), {}) if root is not None else None

    def heading(self, name: str) -> str | None:
        """The heading of the rulebook below which a rule's section begins; what the rule is called where nobody has
        written a rulebook."""
        book, last = self.book, None
        if self.is_made and name in self.program.rules and name != self.program.start:
            title = Prose(self.names).action(name)
            return title[:1].upper() + title[1:]
        for part in book.parts if book is not None else ():
            if isinstance(part, Heading):
                last = part.text
            elif part.section == name:
                return last
        return None

    @functools.cached_property
    def counted_rounds(self) -> list[str]:
        """The numbers of the game that go up by one in a loop that is repeated, and by nothing else."""
        program = self.program
        writes = [node for node in walk(list(program.rules.values())) if isinstance(node, (Change, SetValue))]
        loops = [node for node in walk(list(program.rules.values())) if isinstance(node, Repeat)]
        found = []
        for node in {id(each): each for loop in loops for each in loop.body if isinstance(each, Change)}.values():
            variable = program.variables[node.target.variable]
            alone = [each for each in writes if each.target.variable == variable.name] == [node]
            if alone and node.sign > 0 and not variable.owners and not variable.bookkeeping:
                found.append(variable.name)
        return found

    # ------------------------------------------------------------ what is asked

    def question(self, decision: Decision) -> list[str]:
        """What the rulebook says about the rule that asks. Where nobody has written one, the sentence with which the
        rule asks, told of those whom it is about now."""
        told = self.sentences(decision.rule)
        asking = self._asking(decision) if self.is_made else None
        if asking is None:
            return told
        known = {name: self.names.anything(value) for name, value in decision.subject.items() if isinstance(value, str)}
        if isinstance(asking.who, Local):
            known[asking.who.name] = self.member(PLAYER, self.program.seats[decision.player])
        return [sentence(Prose(self.names, known).asks(asking).rstrip(":."))]

    def _asking(self, decision: Decision) -> Menu | Choose | ChooseSome | Pay | None:
        """The statement that asks."""
        rule, names = self.program.rules.get(decision.rule), _values_of(decision)
        found = list(statements(self.program, rule.body)) if rule is not None else []
        if decision.kind != "choose":
            kind = Menu if decision.kind == "menu" else Pay
            asks: list[Menu | Pay] = [one for one in found if isinstance(one, (Menu, Pay)) and type(one) is kind]
            return asks[0] if asks else None
        fitting = [one for one in found if isinstance(one, Choose) and [b.name for b in one.binds.binds] == names]
        several = [one for one in found if isinstance(one, ChooseSome) and fitting and fitting[0] in walk(one.asks)]
        asking: list[Choose | ChooseSome] = [*several, *fitting]
        return asking[0] if asking else None

    def about(self, state: Looked, decision: Decision) -> str:
        """What the values to choose are for, such as ``price · middle (t12)``; empty where the rule does not say."""
        names = _values_of(decision)
        for target in self._targets(decision, names):
            known = decision.subject
            owners = [str(known[i.name]) if isinstance(i, Local) and i.name in known else "" for i in target.indices]
            if not all(owners):
                continue
            variable = self.program.variables[target.variable]
            pairs = list(zip((owner.domain.name for owner in variable.owners), owners, strict=True))
            where = [self.member(d, m) for d, m in pairs if (d, m) != (PLAYER, self.program.seats[decision.player])]
            pieces = list(self._beside(state, decision.player, target.variable, owners))
            told = " · ".join([self.look.label(target.variable), *where])
            return f"{told} ({', '.join(pieces)})" if pieces else told
        return ""

    def so_far(self, decision: Decision) -> str:
        """What has been chosen, when several are chosen one after another: its name has a value already."""
        value = decision.options[0].value
        subject = decision.subject if decision.kind == "choose" and isinstance(value, dict) else {}
        found = [subject[name] for name in value if name in subject] if isinstance(value, dict) else []
        return self.names.value(found[0]) if len(found) == 1 and found[0] and isinstance(found[0], (dict, list)) else ""

    def places(self, decision: Decision) -> Iterator[str]:
        """The addresses of all places with the same owners as that which the chosen values are for."""
        for target in self._targets(decision, _values_of(decision)):
            owners = [decision.subject.get(i.name) if isinstance(i, Local) else None for i in target.indices]
            domains = [owner.domain for owner in self.program.variables[target.variable].owners]
            if len(owners) > 1 and None not in owners:
                for other in self.program.variables.values():
                    if [owner.domain for owner in other.owners] == domains:
                        yield place(other.name, [str(owner) for owner in owners])

    def _targets(self, decision: Decision, names: Sequence[str]) -> Iterator[Place]:
        """The places that a chosen value is put into, in the rule that asks."""
        rule = self.program.rules.get(decision.rule)
        if rule is None or decision.kind != "choose":
            return
        after = False
        for statement in statements(self.program, rule.body):
            if isinstance(statement, Choose):
                after = [bind.name for bind in statement.binds.binds] == list(names)
            elif after and isinstance(statement, SetValue) and isinstance(statement.value, Local):
                if statement.value.name in names:
                    yield statement.target

    def _beside(self, state: Looked, seat: int, variable: str, owners: Sequence[str]) -> Iterator[str]:
        """The pieces that lie in places with the same owners, as far as the seat sees them."""
        domains = [owner.domain for owner in self.program.variables[variable].owners]
        shown = state.view(seat)["state"]
        for other in self.program.variables.values():
            kind = domain_of(other.element)
            if kind is None or not domains or [owner.domain for owner in other.owners] != domains:
                continue
            value: Any = shown.get(other.name)
            for owner in owners:
                value = value.get(owner) if isinstance(value, Mapping) else None
            if isinstance(value, str):
                yield self.member(kind.name, value)

    # ------------------------------------------------------------ choices

    def member(self, domain: str, name: str) -> str:
        """What people call a member."""
        return self.names.member(domain, name)

    def option(self, decision: Decision, option: Option) -> str:
        """What an option says; as the rules have it where the look has no language."""
        if not self.look.lang:
            return option.text
        return option_text(self.names, decision.rule, option.id, option.value)

    def action(self, option: str) -> str:
        """What an action of a menu is called, without its values."""
        return PLACEHOLDER.sub("...", action_label(self.names, option)) if self.look.lang else option

    def beside(self, state: Looked, decision: Decision, indices: Iterable[int]) -> dict[int, str]:
        """What tells the choices apart in the conditions that make them legal, such as ``price for 3``, by option."""
        explained = {index: dict(_numbers(state.why(index))) for index in indices}
        found: dict[int, str] = {}
        for index, numbers in explained.items():
            told = []
            for what, value in numbers.items():
                everywhere = [other.get(what) for other in explained.values()]
                if len(set(everywhere)) > 1:
                    told.append(f"{self.called(what)} {value}")
            if told:
                found[index] = ", ".join(told)
        return found

    def plain(self, value: str) -> str:
        """A value as the rules show it, with what people call the members of domains in it."""
        return _WORD.sub(lambda found: self._member_called(found[0]), value) if self.look.lang else value

    def _member_called(self, name: str) -> str:
        word = {"none": "nothing", "yes": "yes", "no": "no"}.get(name)
        return self.names.anything(name) if word is None else self.words.say(f"value.{word}")

    def called(self, expression: str) -> str:
        """What people call the definition or the place that an expression begins with."""
        name = expression.partition("(")[0].partition("[")[0]
        program = self.program
        known = (program.variables, program.definitions, program.numbers, program.settings)
        return self.look.label(name) if name == expression or any(name in each for each in known) else expression

    def reasons(self, because: Iterable[tuple[str, str]]) -> str:
        """The numbers behind points, ``length of the road 3, gold 4``; empty where one has no name for people."""
        numbers = [(what, value) for what, value in because if value.lstrip("-").isdigit()]
        names = [self._counted(what) for what, _ in numbers]
        if None in names:
            return ""
        points = self.words.say("story.scores", player="", n=2, total="").split()  # their number is told already
        return ", ".join(f"{name} {n}" for name, (_, n) in zip(names, numbers, strict=True) if name not in points)

    def _counted(self, expression: str) -> str | None:
        """What a look or a glossary calls what is counted, or the name that its place has on the table."""
        found = _COUNTED.fullmatch(expression)
        if found is None:
            return None
        place = self.program.variables.get(found[1])
        on_table = place is not None and not place.bookkeeping and found[1].isalpha()
        return self.look.label(found[1]) if on_table or self.look.given(found[1]) else None


def bounds(decision: Decision) -> str:
    """``1-4``: the least and the most, where a number is chosen and nothing else."""
    if decision.kind != "choose":
        return ""
    values = [list(option.value.values()) if option.value else [] for option in decision.options]
    numbers = [each[0] for each in values if len(each) == 1 and type(each[0]) is int]
    return f"{min(numbers)}-{max(numbers)}" if len(numbers) == len(values) else ""


def _numbers(explanation: Explanation) -> Iterator[tuple[str, str]]:
    """The definitions that a condition compares, each by its text, with its number."""
    for condition in explanation.conditions:
        for what, value in condition.values:
            if "(" in what and value.lstrip("-").isdigit():
                yield what.partition("(")[0], value


def _values_of(decision: Decision) -> list[str]:
    value = decision.options[0].value
    return list(value) if isinstance(value, dict) else []


def folder_of(program: Program) -> Path | None:
    """The folder of a game."""
    rule = program.rules.get(program.start)
    return root_of(Path(rule.span.file)) if rule is not None and rule.span.file else None


def _books(program: Program) -> list[RulebookText]:
    """The rulebooks of the game, with what its variants change; none where they cannot be read."""
    root = folder_of(program)
    if root is None or not (root / "text").is_dir():
        return []
    try:
        files, _ = workspace.default().open(root)
        return read_merged(files, program.variants, Sink())
    except (OSError, RulesError, UnusablePath):
        return []
