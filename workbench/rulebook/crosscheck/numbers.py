"""Numbers: the same value in every language, the same sign, and no number typed where the rules keep a value."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile

import attrs

from rulelang.diagnostics import Diagnostic

from ..corpus import Corpus, Counterpart, Excerpt
from ..languages.numbers import Number, knows_words, lacking, numbers
from ..texts import Statement
from ..texts.interpolation import bindings, pieces_of, placeholders
from .finding import Check, Counts, about, between, differs, exact, in_words, outliers

# ---------------------------------------------------------------- number


def _find_number(corpus: Corpus) -> Iterator[Diagnostic]:
    """A number differs by value: between the languages of a statement, between two passages, or between a passage and
    the statements it states. Digits, number words, ordinals and values of the rules count alike."""
    for _, group in corpus.groups():
        yield from _between_languages(corpus, group)
    if corpus.only is None:
        for pair in corpus.counterparts:
            yield from _between_documents(pair)
        for excerpt in corpus.excerpts:
            yield from _unstated(corpus, excerpt)


NUMBER = Check("number", "R0910", "error", _find_number)


def _between_languages(corpus: Corpus, group: Mapping[str, Statement]) -> Iterator[Diagnostic]:
    counts: dict[str, Counts] = {}
    for language, statement in group.items():
        if not knows_words(language):
            continue  # what it says in words would seem to be missing
        found = numbers(corpus.filled(statement.text, language), language)
        counts[language] = (Counter(str(n.value) for n in found if not n.weak), Counter(str(n.value) for n in found))
    for odd in outliers(counts):
        others = [may for language, (_, may) in counts.items() if language != odd.language]
        new = [value for value in odd.extra if not any(may[value] for may in others)]
        gone = [value for value in odd.missing if not counts[odd.language][1][value]]
        if new or gone or (odd.missing and odd.extra):
            yield differs(NUMBER.code, group, odd, "Give every language the same numbers.", "{}".format)


def _between_documents(pair: Counterpart) -> Iterator[Diagnostic]:
    one, other = pair.one, pair.other
    gone = lacking(one.text or "", pair.text, one.language, other.language)
    if gone:
        values = in_words(sorted({n.value for n in gone}))
        yield between(NUMBER.code, pair, f"{other.document.id} does not have the {values} of {one.name}.")


def _unstated(corpus: Corpus, excerpt: Excerpt) -> Iterator[Diagnostic]:
    passage = excerpt.passage
    if not passage.states or not passage.numbers or passage.kind == "example":
        return
    known: set[int] = set()
    for state in passage.states:
        for language, statement in corpus.statements.get(state, {}).items():
            known |= {n.value for n in numbers(corpus.filled(statement.text, language), language)}
        known |= corpus.literals.get(state.rpartition(".")[0], frozenset())
    extra = sorted(set(passage.numbers) - known)
    if extra and known:
        rule = passage.states[0].rpartition(".")[0]
        message = f"{excerpt.name} has {in_words(extra)}, but none of the statements it states does."
        help = "Correct `states`, or give the statement its number; if neither is wrong, give the reason with `ignore`."
        yield Diagnostic(NUMBER.code, message, passage.span, "note", (), help, rule)


# ---------------------------------------------------------------- sign


def _find_sign(corpus: Corpus) -> Iterator[Diagnostic]:
    """A number has a plus or minus in one passage and none in another, or its minus can be taken for a bullet."""
    if corpus.only is None:
        for pair in corpus.counterparts:
            yield from _signs(pair)


SIGN = Check("sign", "R0911", "note", _find_sign)


def _signs(pair: Counterpart) -> Iterator[Diagnostic]:
    one, other = pair.one, pair.other
    theirs = _by_value(pair.text, other.language)
    for value, signs in _by_value(one.text or "", one.language).items():
        here = theirs.get(value, {"+", "-"})
        if signs & {"+", "-"} and not here & {"+", "-"}:
            sign = "minus" if "-" in signs else "plus"
            if "?" in here:
                message = f"The minus before {value} in {other.name} may be a bullet; {one.name} has a {sign}."
            else:
                message = f"The {value} in {other.name} has no sign; in {one.name} it has a {sign}."
            yield between(SIGN.code, pair, message)


def _by_value(text: str, language: str) -> dict[int, set[str]]:
    found: dict[int, set[str]] = {}
    for number in numbers(text, language):
        if not number.weak:
            found.setdefault(number.value, set()).add(number.sign)
    return found


# ---------------------------------------------------------------- loose numbers


def _find_loose_number(corpus: Corpus) -> Iterator[Diagnostic]:
    """A statement types a number that the rules keep as a value, or that neither its rule nor the number of players
    has: it would not follow when the rules change."""
    for language, statement in corpus.each():
        # A placeholder is as long as before, so that places stay right, and no word.
        bare = "".join(piece if i % 2 == 0 else "_" * len(piece) for i, piece in enumerate(pieces_of(statement.spoken)))
        terms = corpus.glossary.uses(statement.spoken, language) if corpus.glossary else ()
        for number in numbers(bare, language):
            named = any(use.start <= number.start and number.end <= use.end for use in terms)
            if not number.weak and number.value > 1 and not named:
                yield from _loose(corpus, statement, number)


LOOSE_NUMBER = Check("loose-number", "R0912", "warning", _find_loose_number)


def _loose(corpus: Corpus, statement: Statement, number: Number) -> Iterator[Diagnostic]:
    name = None if number.ordinal else _value_of_section(corpus, statement, number.value)
    typed = statement.spoken[number.start : number.end]
    game = corpus.linked.game
    if name is not None and f"{{{name}" not in statement.spoken:
        message = f"`{typed}` is the value of `{name}`, but it is typed out."
        help = f"Write {{{name}}}, or {{{name}@{game.low}}} where it depends on the number of players."
    elif _has(corpus, statement, number.value):
        return
    else:
        message = f"`{typed}` is in the text, but not in `{statement.section}`."
        names = _names_of(corpus, number.value)
        help = f"Write {' or '.join(names)}." if names else "Take the value from the rules, in braces."
    found = about(LOOSE_NUMBER.code, statement, message, help)
    span = statement.place(number.start, number.end)
    yield attrs.evolve(found, span=span)


def _has(corpus: Corpus, statement: Statement, value: int) -> bool:
    """Whether the rule has a number, or it may be a number of players; of a case told by itself only what that has."""
    case = case_of(corpus, statement)
    if case is not None:
        return value in case
    game = corpus.linked.game
    return game.low <= value <= game.high or value in corpus.literals.get(statement.section, ())


def _value_of_section(corpus: Corpus, statement: Statement, value: int) -> str | None:
    """The section's own id, when it is a number with this value for some number of players."""
    values = {program.numbers.get(statement.section) for program in corpus.programs}
    return statement.section if value in values else None


def _names_of(corpus: Corpus, value: int) -> list[str]:
    program = corpus.programs[-1]
    found = [f"{{{name}}}" for name, known in program.numbers.items() if known == value]
    found += [f"{{count({name})}}" for name, domain in program.domains.items() if len(domain) == value]
    return found[:3]


# ---------------------------------------------------------------- cases of a definition, told one by one


_CASE = re.compile(r"  [^\W\d][\w.]*: ")
_DIGITS = re.compile(r"\b[0-9]+\b")
_NAME = re.compile(r"[^\W\d]\w*")
_FEWEST = 3
"""Statements with numbers from which it can be told that a section tells the cases in their order."""
_FITTING = 0.8
"""The share of them whose numbers must be in their own case."""


def case_of(corpus: Corpus, statement: Statement) -> frozenset[int] | None:
    """The numbers of a statement's own case, where the section tells the cases of a definition in their order, each in
    a statement of its own; None for any other statement."""
    cases = _cases_of_section(corpus, statement.section)
    place = _place_in_section(statement)
    return cases[place] if place < len(cases) and _one_by_one(corpus, statement.section, cases) else None


def _cases_of_section(corpus: Corpus, section: str) -> Sequence[frozenset[int]]:
    head, *rest = corpus.running.get(section, "").split("\n")
    if not re.search(r" by \w+$", head):
        return ()
    return [_literals(corpus, line) for line in takewhile(_CASE.match, rest)]


def _literals(corpus: Corpus, line: str) -> frozenset[int]:
    """The numbers of a line, and of what it names."""
    named = [corpus.literals.get(name, frozenset()) for name in _NAME.findall(line)]
    return frozenset({int(number) for number in _DIGITS.findall(line)}.union(*named))


def _one_by_one(corpus: Corpus, section: str, cases: Sequence[frozenset[int]]) -> bool:
    fitting = []
    for id_, group in corpus.statements.items():
        if id_.rpartition(".")[0] == section:
            for language, statement in group.items():
                typed, place = _typed(statement, language), _place_in_section(statement)
                if typed and place < len(cases):
                    fitting.append(typed <= cases[place])
    return len(fitting) >= _FEWEST * len(corpus.languages) and sum(fitting) >= _FITTING * len(fitting)


def _typed(statement: Statement, language: str) -> set[int]:
    plain = " ".join(pieces_of(statement.spoken)[::2])
    return {n.value for n in numbers(plain, language) if not n.weak and not n.ordinal and n.value > 1}


def _place_in_section(statement: Statement) -> int:
    return int(statement.id.rpartition(".")[2]) - 1


# ---------------------------------------------------------------- placeholders


_FOR_PLAYERS = re.compile(r"@([0-9]+)\}")
_SENTENCE_PART = re.compile(r"[;:.]")


def _find_placeholder(corpus: Corpus) -> Iterator[Diagnostic]:
    """The values in braces differ between the languages of a statement, by name, by how often they occur or by their
    order; or a value for one number of players stands where the text speaks of another number."""
    counts = frozenset(program.players for program in corpus.programs)
    for _, group in corpus.groups():
        names = {language: bindings(statement.text) for language, statement in group.items()}
        if len({frozenset(counter.items()) for counter in names.values()}) < 2:
            yield from _out_of_order(group)
        else:
            for odd in outliers({language: exact(counter) for language, counter in names.items()}):
                yield differs(
                    PLACEHOLDER.code, group, odd, "Use the same values in braces in every language.", "`{}`".format
                )
        for language, statement in group.items():
            yield from _other_players(statement, language, counts)


PLACEHOLDER = Check("placeholder", "R0913", "error", _find_placeholder)


def _out_of_order(group: Mapping[str, Statement]) -> Iterator[Diagnostic]:
    """The one language whose values stand in another order than in the others, which agree."""
    orders = {language: tuple(placeholders(statement.text)) for language, statement in group.items()}
    for language, order in orders.items():
        others = {theirs for name, theirs in orders.items() if name != language}
        if len(orders) > 2 and len(others) == 1 and order not in others:
            here = group[language]
            rest = [statement for name, statement in group.items() if name != language]
            listed = in_words([f"`{value}`" for value in order])
            message = f"`{here.id}` has {listed} in this order in {language}; the other languages have another order."
            yield about(
                PLACEHOLDER.code, here, message, "Check that each value stands beside the words it belongs to.", rest
            )


def _other_players(statement: Statement, language: str, counts: frozenset[int]) -> Iterator[Diagnostic]:
    """A part of a sentence that has values for one number of players and names another number of players."""
    for part in _SENTENCE_PART.split(statement.spoken):
        meant = {int(number) for number in _FOR_PLAYERS.findall(part)}
        words = " ".join(pieces_of(part)[::2])
        named = {n.value for n in numbers(words, language) if not n.weak and not n.ordinal} & counts
        if len(meant) == 1 and named and meant.isdisjoint(named):
            (number,) = meant
            message = f"`{statement.id}` has the value for {number} players in {language} where it speaks of "
            message += f"{in_words(sorted(named), 'or')}."
            yield about(
                PLACEHOLDER.code, statement, message, f"Correct the number after `@`, or the words beside `@{number}`."
            )


CHECKS = (NUMBER, SIGN, LOOSE_NUMBER, PLACEHOLDER)
