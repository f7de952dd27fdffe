"""Printing a tree and reading it again gives the same tree; laying out a text changes nothing but its layout."""

from __future__ import annotations

from pathlib import Path

import pytest
import strategies
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from paths import RULES

from rulelang.source import SourceFile
from rulelang.syntax import tree as t
from rulelang.syntax.formatter import format_text
from rulelang.syntax.parse import parse_text
from rulelang.syntax.printer import WIDTH, CanonicalLine, fold, lines, print_expr, print_file, print_type

LAYOUTS = Path(__file__).parent / "layouts"
FILES = sorted(RULES.rglob("*.rules"))
thorough = settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


def parse(text: str) -> t.File:
    file, findings = parse_text("x.rules", text)
    assert findings == [], f"{findings}\n{text}"
    return file


def layout(text: str) -> str:
    return format_text(SourceFile("x.rules", text), parse(text))


# ---------------------------------------------------------------- print, then parse


@given(strategies.exprs)
@thorough
def test_an_expression_is_read_back_as_it_was(expr: t.Expr) -> None:
    file = parse(f"define x = {print_expr(expr)}\n")
    assert file.items == (t.Define("x", (), expr),)


@given(strategies.types)
@thorough
def test_a_type_is_read_back_as_it_was(type_: t.TypeExpr) -> None:
    file = parse(f"event e(p: {print_type(type_)})\n")
    assert file.items == (t.Event("e", (t.Param("p", type_),)),)


@given(strategies.items)
@thorough
def test_an_item_is_read_back_as_it_was(item: t.Item) -> None:
    assert parse(print_file(t.File((item,)))).items == (item,)


@given(strategies.files)
@thorough
def test_a_printed_file_is_already_laid_out(file: t.File) -> None:
    text = print_file(file)
    assert parse(text) == file
    assert layout(text) == text


@given(strategies.exprs)
@thorough
def test_no_pair_of_brackets_is_without_need(expr: t.Expr) -> None:
    """Taking away any pair of round brackets of the text gives no text, or a text that means something else."""
    text = print_expr(expr)
    opened: list[int] = []
    for at, char in enumerate(text):
        if char == "(":
            opened.append(at)
        elif char == ")":
            start = opened.pop()
            without = f"{text[:start]} {text[start + 1 : at]} {text[at + 1 :]}"
            assert parse_text("x.rules", f"define x = {without}\n")[0].items != (t.Define("x", (), expr),)


@pytest.mark.parametrize(
    "text",
    [
        "a - (b - c)",
        "a - b - c",
        "(a or b) and not (c and d)",
        "-a.b[1] * 2",
        "(a + b) * c / 2 rounded up",
        "0..n - 1",
        "a is (not b)",
        "a is not none and b is in [1, 2]",
        "(if a then b else c) + 1",
        "if a then b else if c then d else e",
        "{m: 1 for m in A where b or c}",
        "(count)(a)",
        "count(a)",
        "a otherwise b otherwise c",
        "sum(x for x in 1..3, y in A from b while y)",
    ],
)
def test_expressions_already_in_canonical_form(text: str) -> None:
    item = parse(f"define x = {text}\n").items[0]
    assert isinstance(item, t.Define)
    assert item.value is not None
    assert print_expr(item.value) == text


@pytest.mark.parametrize(
    ("untidy", "tidy"),
    [
        ("((a))", "a"),
        ("(a*b)+c", "a * b + c"),
        ("not (a is b)", "not a is b"),
        ("a..(b+1)", "a..b + 1"),
        ("f( a ,b )[ 0 ]", "f(a, b)[0]"),
        ("(a and b) or c", "a and b or c"),
    ],
)
def test_needless_brackets_and_spaces_go(untidy: str, tidy: str) -> None:
    assert layout(f"define x = {untidy}\n") == f"define x = {tidy}\n"


def test_a_name_that_is_a_word_of_the_language_keeps_its_brackets() -> None:
    text = "rule r\n  (stop) scores 1\n  move (all) from a to b\n  needs a is (in)\n"
    assert layout(text) == text


def test_lines_tell_the_source_lines_they_stand_for() -> None:
    item = parse("rule r(\n    a: A)\n\n  if f(\n    a)\n    # note\n    stop\n  otherwise\n    do x\n").items[0]
    assert lines(item) == [
        CanonicalLine(0, "rule r(a: A)", 1, 2),
        CanonicalLine(1, "if f(a)", 4, 5),
        CanonicalLine(2, "stop", 7, 7),
        CanonicalLine(1, "otherwise", 0, 0),
        CanonicalLine(2, "do x", 9, 9),
    ]


# ---------------------------------------------------------------- folding


def test_a_long_line_is_folded_at_the_outermost_brackets() -> None:
    call = "f(" + ", ".join(f"g(argument_{n}, other)" for n in range(8)) + ")"
    folded = fold(CanonicalLine(1, f"let x = {call}", 1, 1))
    assert all(len(line) <= WIDTH for line in folded)
    assert all(line.startswith("      g(") for line in folded[1:])
    assert all(line.endswith(("),", "))")) for line in folded)


def test_a_line_is_folded_before_and_or_for_where_while() -> None:
    condition = "is_a_rather_long_name and is_another_rather_long_name"
    folded = fold(
        CanonicalLine(0, f"needs some({condition} for x in Somewhere where {condition} or {condition})", 1, 1)
    )
    assert len(folded) > 1
    assert all(line.split()[0] in ("and", "or", "for", "where", "while") for line in folded[1:])


def test_a_line_without_brackets_is_folded_behind_and_or_and_commas() -> None:
    name = "a_rather_long_name"
    assert fold(CanonicalLine(1, "needs " + " and ".join([name] * 8), 1, 1)) == [
        "  needs " + " and ".join([name] * 4) + " and",
        "      " + " and ".join([name] * 4),
    ]
    given = fold(CanonicalLine(1, "given " + ", ".join([f"{name} is 1"] * 8), 1, 1))
    assert len(given) == 2 and given[0].endswith(",")
    assert fold(CanonicalLine(0, "needs " + " + ".join([name] * 8), 1, 1)) == ["needs " + " + ".join([name] * 8)]


def test_a_line_goes_on_in_a_deeper_one() -> None:
    text = """\
rule play
  if a and  # the first
      # the second

      b or
      c
    stop
"""
    assert print_file(parse(text)) == "rule play\n  if a and b or c\n    stop\n"
    assert layout(text) == "rule play\n  # the first\n  # the second\n  if a and b or c\n    stop\n"


@pytest.mark.parametrize("text", ["rule play\n  if a and\n  stop\n", "enum X: a,\nenum Y: b\n"])
def test_what_is_not_deeper_does_not_go_on(text: str) -> None:
    _, found = parse_text("game.rules", text)
    assert [d.code for d in found] == ["R0202"]
    assert "breaks off" in found[0].message


def test_nothing_is_folded_inside_a_string() -> None:
    text = f'stand_in where f(a) because "{"so, and so for (one) " * 6}"'
    assert fold(CanonicalLine(1, text, 1, 1)) == ["  " + text]


def test_a_long_reason_is_cut_into_lines() -> None:
    item = t.Setting("reading", "r", ("a", "b"), "a", "because it is so " * 20)
    text = print_file(t.File((item,)))
    assert max(map(len, text.splitlines())) <= WIDTH
    assert parse(text).items == (item,)


# ---------------------------------------------------------------- the formatter


@given(st.data())
@thorough
def test_layout_keeps_the_tree_and_every_comment_and_is_final(data: st.DataObject) -> None:
    file = data.draw(strategies.files)
    text, comments = data.draw(strategies.untidy(print_file(file)))
    before = parse(text)
    done = layout(text)
    assert before == file
    assert parse(done) == file
    assert layout(done) == done
    assert sorted(line[line.index("#~") :] for line in done.splitlines() if "#~" in line) == sorted(comments)
    assert "\n\n\n" not in done


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_games_survive_layout(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert layout(text) == text, f"run rulelang fmt {path.parent}"
    untidy = "\n".join(line.rstrip() + " " * (number % 3) for number, line in enumerate(text.split("\n")))
    assert layout(untidy) == text


def check(text: str, done: str) -> None:
    assert layout(text) == done
    assert layout(done) == done


@pytest.mark.parametrize("case", sorted(LAYOUTS.glob("*.txt")), ids=lambda case: case.stem)
def test_before_and_after(case: Path) -> None:
    """A text, a line ``=====``, and the text as it is laid out."""
    before, after = case.read_text(encoding="utf-8").split("=====\n")
    check(before, after)


def test_a_number_sign_in_a_string_is_no_comment() -> None:
    text = 'variant v of g\n  "number # 1"  # so\n'
    check(text, text)


def test_a_tree_that_lacks_an_item_is_refused() -> None:
    text = "part of g\nrule r\n  stop stop\n"
    with pytest.raises(ValueError, match=r"x\.rules"):
        format_text(SourceFile("x.rules", text), parse_text("x.rules", text)[0])


# The place of ``openly`` in a line, and what is said when it is put elsewhere.


@pytest.mark.parametrize(
    ("line", "remedy"),
    [
        ("surely openly move 1 from deck to hand[p]", "`openly surely ...`"),
        ("surely openly p chooses n in 1..3", "`openly surely ...`"),
        ("p openly chooses n in 1..3", "at the beginning of the line"),
        ("openly openly if storm", "`openly` once"),
        ("openly rule bonus when storm", "`rule bonus openly when ...`"),
        ("openly option bonus", "`openly needs ...`"),
        ("openly otherwise if storm", "`otherwise openly if ...`"),
    ],
)
def test_a_misplaced_word_is_put_in_its_place(line: str, remedy: str) -> None:
    _, found = parse_text("x.rules", f"rule r(p: Player)\n  {line}\n    stop\n")
    assert remedy in "".join(d.help or "" for d in found)


def test_every_place_of_the_word_is_kept_by_the_printer() -> None:
    text = """\
rule r(p: Player) on storm(n) openly when n > 3
  openly needs n > 1
  openly surely p chooses one of
    option a
      openly needs n > 2
      openly increase openly by 3
  openly if n is 2
    openly let m = n
  otherwise openly if n is 3
    stop
  rule nested openly when n is 4
    openly p scores 1
rule w openly whenever storm
  stop
"""
    file, found = parse_text("x.rules", text)
    assert found == []
    assert print_file(file).replace("\n\n", "\n") == text


def test_it_is_a_name_like_others_elsewhere() -> None:
    """A game that has the word as a name keeps it, but for the first word of a statement."""
    text = "rule r(openly: Player)\n  (openly) scores 1\n  let m = openly\n"
    file, found = parse_text("x.rules", text)
    assert found == [] and print_file(file) == text
