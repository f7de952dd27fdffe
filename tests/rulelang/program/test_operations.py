"""One table of operations: engines, wording, elaboration and the language page know the same ones."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from paths import DOCS, RULES
from small_games import corpus, load_game

import rulelang
from interpreter.evaluation.operations import IMPLEMENTED
from interpreter.wasm.expr.operations import CODE
from rulelang import program as ir
from rulelang.elaborate.builtins import FUNCTIONS
from rulelang.expression import ExpressionReader
from rulelang.program.analysis.cardinality import Repeats, has_members
from rulelang.program.analysis.sizes import longest
from rulelang.program.operations import DOMAIN, OPERATIONS, REST, A, B, C, Members, Operation
from rulelang.program.printer import expression_text
from rulelang.program.walk import walk
from rulelang.syntax.printer import print_expr
from rulelang.syntax.tree import Apply, FoldValues, Name
from rulelang.syntax.walk import walk as walk_text
from rulelang.types import FLAG, NumberType
from rulelang.words import FOLDS, RESERVED, usage
from rulelang.words import FUNCTIONS as WORDS

PAGE = (DOCS / "language.md").read_text(encoding="utf-8")
GAMES = sorted(path.parent for path in RULES.rglob("*.rules") if re.search("^game ", path.read_text(), re.M))
NAMES = pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS.keys())


def test_the_evaluator_implements_each_operation_and_no_other() -> None:
    assert {name for name, operation in OPERATIONS.items() if operation.runs} == IMPLEMENTED


def test_the_fast_engine_implements_each_operation_and_no_other() -> None:
    assert {name for name, operation in OPERATIONS.items() if operation.runs} == CODE.keys()


BOARD = corpus("board")
SEQUENCES = {
    "reversed": ["reversed(pile)", "reversed([level, 2, 2])"],
    "part": ["pile[2..3]", "pile[3..9]", "pile[level..1]"],
    "joined": ["pile + [fig, fig]", "[level] + [1, 2]"],
    "united": ["set(f in pile) + set(f in Fruit where f is plum)"],
    "without": ["set(f in Fruit) - set(f in pile where f is fig)"],
    "range": ["2..level", "level..2"],
    "list": ["[level, 2, level]"],
    "members": ["Fruit"],
    "rotate": ["Season from autumn"],
    "ahead": ["ahead(plum)", "ahead(fig)", "ahead(summer)"],
    "behind": ["behind(plum)", "behind(apple)", "behind(summer)"],
    "ray": ["ray(a1, east)", "ray(c3, east)"],
    "kinds_in": [],  # only how many there are is ever asked for
    "spread": [],  # only the front end writes it, into what is chosen one by one
    "bundles": ["bundles(bowl, 2)", "bundles(bowl, level + 1)"],
    "openings": ["openings(garden[player_1])"],
}
"""Expressions with each operation that gives a list or a set, the operation outermost."""


def test_what_gives_a_sequence_says_what_its_members_are() -> None:
    sequences = {n for n, o in OPERATIONS.items() if re.match("(list|set)", o.gives) and n != "turned"}
    assert {name for name, o in OPERATIONS.items() if o.members is not None} == sequences == SEQUENCES.keys()


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in SEQUENCES.items() for text in texts])
def test_its_members_are_those_that_the_table_says(name: str, text: str, tmp_path: Path) -> None:
    game = load_game(tmp_path, BOARD)
    state = game.start(seed=1)

    def plain(text: str) -> list[Any]:
        return list(game.evaluate(f"list(x in {text})", state))

    every = walk(ExpressionReader(game.program).read(f"list(x in {text})"))
    node = next(node for node in every if isinstance(node, ir.Apply) and node.op == name)
    given, arguments = Counter(map(repr, plain(text))), [expression_text(argument) for argument in node.arguments]
    first = Counter(map(repr, plain(arguments[0]))) if name in ("reversed", "part", "rotate") else Counter()
    match OPERATIONS[name].members:
        case Members.SAME:
            assert given == first
        case Members.SOME:
            assert given <= first
        case Members.ALL if name == "joined":
            assert given == Counter(map(repr, plain(arguments[0]))) + Counter(map(repr, plain(arguments[1])))
        case Members.ALL:
            assert set(given) == {repr(value) for argument in arguments for value in plain(argument)}
        case Members.ARGUMENTS:
            assert given == Counter(repr(game.evaluate(argument, state)) for argument in arguments)
        case Members.DOMAIN:
            assert list(given.values()) == [1] * len(node.type.item.domain)
        case _:
            assert set(given.values()) <= {1}
    assert given or not has_members(node)
    assert given.total() <= longest(node, game.program.grids)
    assert set(given.values()) <= {1} or Repeats(game.program).may(node)


def holes(operation: Operation) -> list[str]:
    """The holes of a form, in the order in which it has them."""
    names = [hole.name for hole in (A, B, C, REST, DOMAIN)]
    return [node.name for node in walk_text(operation.form) if isinstance(node, Name) and node.name in names]


@NAMES
def test_the_form_has_a_hole_for_each_argument(operation: Operation) -> None:
    found = holes(operation)
    if operation.many or found == ["rest"]:
        assert found in (["rest"], ["domain", "rest"])
    elif operation.name == "occurrences":
        assert found == ["b"]  # the list that is looked through has the name of the fingerprint
    else:
        assert found == (["a", "b", "c"][: len(operation.takes)] or ["domain"])
    assert operation.meaning.endswith(".") and operation.takes is not None and operation.gives


@NAMES
def test_a_form_with_brackets_is_that_of_a_function_or_fold(operation: Operation) -> None:
    form = operation.form
    if isinstance(form, Apply) and operation.runs and operation.name != "rotate":  # a binder: `q in Player from p`
        assert isinstance(form.function, Name) and form.function.name in WORDS
    assert not isinstance(form, FoldValues) or form.word in FOLDS


@NAMES
def test_words_of_operators_are_on_the_language_page(operation: Operation) -> None:
    text = " ".join(word for word in print_expr(operation.form).split() if word not in "abc")
    for word in re.findall(r"[a-z_]+|[-+*/<>=]+|\.\.", re.sub(r"\b(rest|domain)\b|\b[abc]\b", " ", text)):
        assert operation.runs is False or re.search(rf"(?<![a-z]){re.escape(word)}(?![a-z])", PAGE), word


def test_the_functions_an_editor_can_write_are_those_of_the_words() -> None:
    assert FUNCTIONS.keys() == WORDS.keys()
    assert not WORDS.keys() & RESERVED


@pytest.mark.parametrize("function", WORDS)
def test_every_function_is_on_the_language_page(function: str) -> None:
    assert re.search(rf"\b{function}\(", PAGE), f"docs/language.md does not show {usage(function)}"


@pytest.mark.parametrize("word", FOLDS)
def test_every_fold_is_on_the_language_page(word: str) -> None:
    assert re.search(rf"\b{word}\(", PAGE)


@pytest.mark.parametrize("folder", GAMES, ids=lambda folder: folder.name)
def test_games_use_operations_of_the_table_with_as_many_arguments(folder: Path) -> None:
    program = rulelang.load(folder)
    parts = (program.rules, program.definitions, program.graphs, program.variables)
    nodes = walk([*(node for part in parts for node in part.values()), *program.invariants])
    for node in nodes:
        if isinstance(node, ir.Apply):
            assert OPERATIONS[node.op].arity in (None, len(node.arguments)), node.op


def test_brackets_stand_where_an_argument_binds_less_tightly() -> None:
    n = NumberType(0, 9)
    a, b, c = (ir.Local(slot, name, n) for slot, name in enumerate("abc"))

    def apply(op: str, *arguments: ir.Expr) -> ir.Apply:
        return ir.Apply(op, arguments, FLAG if op in ("is", "and", "or", "not", "in") else n)

    assert expression_text(apply("-", a, apply("-", b, c))) == "a - (b - c)"
    assert expression_text(apply("-", apply("-", a, b), c)) == "a - b - c"
    assert expression_text(apply("*", apply("+", a, b), apply("neg", c))) == "(a + b) * -c"
    assert expression_text(apply("div_up", a, apply("div_down", b, c))) == "a / (b / c rounded down) rounded up"
    assert expression_text(apply("not", apply("in", a, b))) == "a is not in b"
    assert expression_text(apply("not", apply("or", apply("is", a, b), apply("is", b, c)))) == "not (a is b or b is c)"
    assert expression_text(apply("max", a, b, c)) == "max(a, b, c)"
