"""Closed worlds: wherever statements, declarations and operations are listed, none of them is missing.

Matches that end in ``assert_never`` are the type checker's. Here is what it cannot see: pages, slips, generated games
and trees, tables of forms and of the language server. One more of each kind must be missed in every place.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from random import Random
from typing import Any, get_args

import pytest
from paths import ROOT

sys.path += [
    str(ROOT / "tests" / folder) for folder in ("docs", "language", "interpreter/parity", "interpreter/secrecy")
]

import page
import secret_games
import test_slips
from generated import Maker

from interpreter.evaluation.operations import IMPLEMENTED
from interpreter.wasm.expr.operations import CODE
from rulelang import program as ir
from rulelang.diagnostics import Sink
from rulelang.names.mentions import mentions
from rulelang.program.operations import OPERATIONS
from rulelang.source import SourceFile
from rulelang.syntax import forms, tree
from rulelang.syntax.mistakes import keywords
from rulelang.syntax.parse import parse_source
from rulelang.syntax.printer.items import FORMS
from rulelang.syntax.walk import walk
from workbench.language_server.outline import _KINDS as OUTLINE

Place = tuple[str, Callable[[], set[str]]]
"""Where the members of a world have to be, and what finds those that are."""


def members(union: Any) -> Iterator[str]:
    """The names of the classes in a union, and in the unions in it."""
    for part in get_args(union):
        yield from members(part) if get_args(part) else [part.__name__]


def parsed(texts: Iterable[str]) -> Iterator[tree.Node]:
    for number, text in enumerate(texts):
        yield from walk(parse_source(SourceFile(f"{number}.rules", text), Sink()))


IN_A_SENTENCE = "examples of pig\n\nexample told\n  with careful\n  red declines\n"
"""What the language page tells of in a sentence, without a block that could be run."""


@cache
def shown() -> tuple[str, ...]:
    """The rules that the language page shows, each a whole file."""
    files = [text for name, text in page.final_files().items() if name.endswith(".rules")]
    snippets = [
        b for b in page.blocks() if b.target in ("body", "steps", "items", "variant") and "wrong" not in b.words
    ]
    return (*files, *map(page.snippet_file, snippets), IN_A_SENTENCE)


@cache
def first_words() -> dict[str, set[str]]:
    """The words by which an editor knows a line of each class, as the language page shows it."""
    found: dict[str, set[str]] = {}
    for number, text in enumerate(shown()):
        source = SourceFile(f"{number}.rules", text)
        for node in walk(parse_source(source, Sink())):
            line = source.lines[node.span.line - 1][node.span.column - 1 :]
            first, *rest = re.findall(r"[a-z_]+", line.partition("#")[0].removeprefix("surely ")) or [""]
            verbs = {word for word in rest if word in forms.DOING}
            found.setdefault(type(node).__name__, set()).update({first} if first in forms.STARTS else verbs)
    return found


def named_by(words: Iterable[str]) -> set[str]:
    """The classes of which a word is among these."""
    return {name for name, first in first_words().items() if first & set(words)}


def slips(*kinds: str) -> set[str]:
    """The classes that some slip of these kinds is about."""
    written = [slip.values[0] for slip in test_slips.ALL]
    texts = [f"{slip.text} {slip.found}" for slip in written if slip.kind in kinds]
    return named_by(re.findall(r"[a-z_]+", " ".join(texts)))


def strategies() -> set[str]:
    """The classes that Hypothesis makes trees of."""
    text = (ROOT / "tests/rulelang/syntax/strategies.py").read_text(encoding="utf-8")
    return set(re.findall(r"\bt\.(\w+)", text))


@cache
def generated() -> set[str]:
    """The classes in games made by chance, which both engines play, or which are to keep their secrets."""
    found: set[str] = set()
    seeds = (Random(seed) for seed in range(300))
    while not found >= WORLDS["statement"][0] and (chance := next(seeds, None)) is not None:
        texts = (made(chance.randrange).game() for made in (Maker, secret_games.Maker))
        found |= {type(node).__name__ for node in parsed(texts)}
    return found


def on_the_page() -> set[str]:
    return {type(node).__name__ for node in parsed(shown())}


def outlined() -> set[str]:
    """Declarations in the outline of an editor, and those without a name of their own."""
    unnamed = {"Winner", "Out", "Game", "Part", "Examples", "Variant"}
    changes = {"Replace", "RemoveRule", "RemoveRow", "ChangeRow", "ChangeCell"}  # no name begins to mean anything there
    listed = {c.__name__ for classes, _ in OUTLINE for c in (classes if isinstance(classes, tuple) else (classes,))}
    return unnamed | changes | listed


def printed() -> set[str]:
    return {kind.__name__ for kind in FORMS}


WORLDS: Mapping[str, tuple[set[str], Sequence[Place]]] = {
    "statement": (
        set(members(tree.Statement)) - {"Inserted"},  # the linker makes these; nobody writes one
        (
            ("docs/language.md", on_the_page),
            ("rulelang/syntax/advice.toml", lambda: named_by({*forms.STEPS, *forms.DOING})),
            ("rulelang/syntax/printer/items.py", printed),
            ("tests/language/slips", lambda: slips("rule")),
            ("tests/rulelang/syntax/strategies.py", strategies),
            ("generated.py or secret_games.py", generated),
        ),
    ),
    "declaration": (
        set(members(tree.Item)),
        (
            ("docs/language.md", on_the_page),
            ("rulelang/syntax/advice.toml", lambda: named_by(forms.ITEMS)),
            ("rulelang/syntax/printer/items.py", printed),
            ("tests/language/slips", lambda: slips("item", "variant", "file")),
            ("tests/rulelang/syntax/strategies.py", strategies),
            ("workbench/language_server/outline.py", outlined),
        ),
    ),
    "step of an example": (
        set(members(tree.Step)),
        (
            ("docs/language.md", on_the_page),
            ("rulelang/syntax/advice.toml", lambda: named_by({*forms.EXAMPLE, *forms.DOING})),
            ("rulelang/syntax/printer/items.py", printed),
            ("tests/language/slips", lambda: slips("case")),
            ("tests/rulelang/syntax/strategies.py", strategies),
        ),
    ),
    "operation": (
        {name for name, operation in OPERATIONS.items() if operation.runs},
        (
            ("interpreter/evaluation/operations.py", lambda: set(IMPLEMENTED)),
            ("interpreter/wasm/expr/operations.py", lambda: set(CODE)),
        ),
    ),
}
"""What there is of each kind, and where each of them has to be."""


def forgotten(kind: str, more: Iterable[str] = ()) -> list[str]:
    """The places that do not know one of a kind, or one of ``more``."""
    every, places = WORLDS[kind]
    return [f"{where}: {name}" for where, known in places for name in sorted({*every, *more} - known())]


@pytest.mark.parametrize("kind", WORLDS)
def test_none_is_missing(kind: str) -> None:
    assert forgotten(kind) == []


@pytest.mark.parametrize("kind", WORLDS)
def test_one_more_is_missed_everywhere(kind: str) -> None:
    assert forgotten(kind, ["Toggle"]) == [f"{where}: Toggle" for where, _ in WORLDS[kind][1]]


# ---------------------------------------------------------------- names


_NO_NAMES = re.compile(r'"[^"]*"|#.*|^ *(languages|documented) .*')


def unknown_words(text: str) -> set[str]:
    """The words of a file that are neither of the language nor known to an editor as names."""
    source = SourceFile("page.rules", text)
    found = set()
    for item in parse_source(source, Sink()).items:
        noted = [mention.span for mention in mentions(item, source.lines)]
        known = {(span.line, column) for span in noted for column in range(span.column, span.end_column)}
        for number in range(item.span.line, item.span.end_line + 1):
            line = _NO_NAMES.sub(lambda match: " " * len(match[0]), source.lines[number - 1])
            words = re.finditer(r"[^\W\d]\w*", line)
            found |= {word[0] for word in words if (number, word.start() + 1) not in known} - keywords()
    return found


def test_every_name_on_the_language_page_is_one_that_an_editor_knows() -> None:
    """Those in the first cell of a table of cases only name the case."""
    cases = {"because_they_tie", "because_the_rules_say_so", "direct", "by_exchange", "picnic"}
    assert {word for text in shown() for word in unknown_words(text)} <= cases


@pytest.mark.parametrize(
    ("module", "heads"), [(tree, {"Trigger"}), (ir, {"Needs", "Rule", "Vouched"})], ids=["tree", "program"]
)
def test_every_class_of_statements_is_in_the_union(module: Any, heads: set[str]) -> None:
    """Nothing that goes by the union would miss one that is not in it."""
    classes = [one for one in vars(module).values() if isinstance(one, type) and issubclass(one, module.Action)]
    assert {one.__name__ for one in classes} - {"Action"} - set(members(module.Statement)) == heads
