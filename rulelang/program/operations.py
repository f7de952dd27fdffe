"""Table of the built-in operations: what each takes, gives and means, and how it is written in rules.

Everything that knows operations by name is checked against this table: both engines implement each of them and
nothing else (``tests/rulelang/test_operations.py``).
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any

import attrs

from ..structural import Structural, frozen
from ..syntax import tree
from .nodes import Apply, Expr

A, B, C, REST, DOMAIN = map(tree.Name, ("a", "b", "c", "rest", "domain"))
"""Holes in the form of an operation: its arguments one by one, all of them, and the domain of its result."""


def _infix(op: str) -> tree.Binary:
    return tree.Binary(op, A, B)


_TOO_BIG = "the number is not one of 32 bits"
_BY_ZERO = "the divisor is 0"
_NO_QUOTIENT = f"{_BY_ZERO}, or {_TOO_BIG}"


def _function(name: str, *arguments: tree.Expr) -> tree.Apply:
    return tree.Apply(tree.Name(name), arguments or (REST,))


def _fold(word: str) -> tree.FoldValues:
    return tree.FoldValues(word, (REST,))


class Members(Enum):
    """What is known of the members of a sequence, whatever its arguments are."""

    SAME = "those of the first argument, each as often"
    SOME = "those at some positions of the first argument, which the others tell"
    PIECES = "the pieces of the first argument, one by one"
    KINDS = "the kinds of pieces of the first argument, each once"
    ALL = "those of all arguments"
    ARGUMENTS = "the arguments themselves"
    DOMAIN = "every member of a domain, each once"
    DIFFERENT = "others, each once"


@frozen
class Operation(Structural):
    """``takes``: the types of the arguments in plain words; with ``many`` the last one can occur any number of times.

    ``form``: how it is written in rules, with holes; a function with its name, where nothing else is said.
    ``faults``: when it stops the game; an operation without it always has a value. None changes anything.
    ``runs``: False for one that occurs only in Programs made for the checks.
    ``members``: of what gives a list or a set; all analyses of lengths, repeats and secrets go by it.
    ``passes``: whether working it out goes through an argument.
    ``value``: of Python values that stand for the arguments, where no domain, place or board is needed for it.
    """

    name: str
    takes: tuple[str, ...]
    gives: str
    meaning: str
    form: tree.Expr = attrs.field(default=attrs.Factory(lambda self: _function(self.name), takes_self=True))
    many: bool = False
    faults: str | None = None
    runs: bool = True
    members: Members | None = None
    passes: bool = False
    value: Callable[..., Any] | None = None

    @property
    def arity(self) -> int | None:
        """How many arguments it takes; None for any number."""
        return None if self.many else len(self.takes)


_ALL = (
    # ---- numbers
    Operation("+", ("number", "number"), "number", "The sum.", _infix("+"), faults=_TOO_BIG, value=lambda a, b: a + b),
    Operation(
        "-", ("number", "number"), "number", "The difference.", _infix("-"), faults=_TOO_BIG, value=lambda a, b: a - b
    ),
    Operation(
        "*", ("number", "number"), "number", "The product.", _infix("*"), faults=_TOO_BIG, value=lambda a, b: a * b
    ),
    Operation(
        "neg",
        ("number",),
        "number",
        "The number with the other sign.",
        tree.Unary("-", A),
        faults=_TOO_BIG,
        value=lambda a: -a,
    ),
    Operation(
        "div_down",
        ("number", "number"),
        "number",
        "The quotient, rounded down.",
        _infix("/ down"),
        faults=_NO_QUOTIENT,
        value=lambda a, b: a // b,
    ),
    Operation(
        "div_up",
        ("number", "number"),
        "number",
        "The quotient, rounded up.",
        _infix("/ up"),
        faults=_NO_QUOTIENT,
        value=lambda a, b: -(-a // b),
    ),
    Operation(
        "mod",
        ("number", "number"),
        "number",
        "The rest of a division rounded down; it has the sign of the divisor.",
        _infix("mod"),
        faults=_BY_ZERO,
        value=lambda a, b: a % b,
    ),
    Operation("min", ("numbers",), "number", "The smallest.", _fold("min"), many=True, value=min),
    Operation("max", ("numbers",), "number", "The largest.", _fold("max"), many=True, value=max),
    # ---- comparison
    Operation(
        "is",
        ("value", "value"),
        "flag",
        "Whether both are the same.",
        _infix("is"),
        passes=True,
        value=lambda a, b: a == b,
    ),
    Operation(
        "is_not",
        ("value", "value"),
        "flag",
        "Whether they differ.",
        _infix("is not"),
        passes=True,
        value=lambda a, b: a != b,
    ),
    Operation(
        "<", ("number", "number"), "flag", "Whether the first is smaller.", _infix("<"), value=lambda a, b: a < b
    ),
    Operation(
        "<=", ("number", "number"), "flag", "Whether the first is not larger.", _infix("<="), value=lambda a, b: a <= b
    ),
    Operation(">", ("number", "number"), "flag", "Whether the first is larger.", _infix(">"), value=lambda a, b: a > b),
    Operation(
        ">=", ("number", "number"), "flag", "Whether the first is not smaller.", _infix(">="), value=lambda a, b: a >= b
    ),
    # ---- logic
    Operation(
        "and",
        ("flag", "flag"),
        "flag",
        "Whether both hold; the second is not looked at when the first fails.",
        _infix("and"),
    ),
    Operation(
        "or",
        ("flag", "flag"),
        "flag",
        "Whether one of them holds; the second is not looked at when the first holds.",
        _infix("or"),
    ),
    Operation("not", ("flag",), "flag", "Whether it does not hold.", tree.Unary("not", A), value=lambda a: not a),
    Operation("present", ("optional",), "value", "The value of an optional that is never none.", A, value=lambda a: a),
    Operation(
        "otherwise",
        ("optional", "value"),
        "value",
        "The value of the optional, or the second value when that is none.",
        _infix("otherwise"),
        value=lambda a, b: b if a is None else a,
    ),
    # ---- sequences: lists (stacks), sets, optionals, pieces
    Operation(
        "in",
        ("value", "sequence"),
        "flag",
        "Whether the value is among those of the sequence; of pieces, whether there is one of the kind.",
        _infix("is in"),
        passes=True,
        value=lambda a, b: a in b,
    ),
    Operation(
        "at",
        ("list", "number"),
        "optional value",
        "What is at a position, counted from 1; none when there is no such position.",
        tree.Index(A, (B,)),
    ),
    Operation("top", ("list",), "optional value", "The last one; of a stack the open end."),
    Operation("bottom", ("list",), "optional value", "The first one."),
    Operation(
        "reversed",
        ("list",),
        "list",
        "The same values, the last first.",
        members=Members.SAME,
        passes=True,
        value=lambda a: a[::-1],
    ),
    Operation(
        "part",
        ("list", "number", "number"),
        "list",
        "What is at the positions from the first to the second, counted from 1, as far as there are any.",
        tree.Index(A, (tree.Binary("..", B, C),)),
        members=Members.SOME,
        passes=True,
    ),
    Operation(
        "joined",
        ("list", "list"),
        "list",
        "The values of the first, then those of the second.",
        _infix("+"),
        members=Members.ALL,
        passes=True,
    ),
    Operation(
        "united", ("set", "set"), "set", "What is in one of them.", _infix("+"), members=Members.ALL, passes=True
    ),
    Operation(
        "without",
        ("set", "set"),
        "set",
        "What is in the first but not in the second.",
        _infix("-"),
        members=Members.DIFFERENT,
        passes=True,
    ),
    Operation(
        "fingerprint",
        ("values",),
        "tuple of two numbers",
        "64 bits that tell the values from others.",
        tree.TupleValue((REST,)),
        many=True,
        passes=True,
    ),
    Operation(
        "occurrences",
        ("list of fingerprints", "fingerprint"),
        "number",
        "How often a history holds the position.",
        _function("occurrences", B),
        passes=True,
    ),
    Operation(
        "range",
        ("number", "number"),
        "list of numbers",
        "The numbers from the first to the second; nothing when the second is smaller.",
        _infix(".."),
        members=Members.DIFFERENT,
        passes=True,
        value=lambda a, b: tuple(range(a, min(b, a + MOST_LISTED) + 1)),
    ),
    Operation(
        "list",
        ("values",),
        "list",
        "The values in this order.",
        tree.Sequence((REST,)),
        many=True,
        members=Members.ARGUMENTS,
        passes=True,
        value=lambda *a: a,
    ),
    Operation("tuple", ("values",), "tuple", "The values as one.", tree.TupleValue((REST,)), many=True),
    Operation("members", (), "list of members", "All members of a domain, in order.", DOMAIN, members=Members.DOMAIN),
    Operation(
        "rotate",
        ("list", "value"),
        "list",
        "The same values from the given one on, going round; unchanged when it is not among them.",
        _function("from"),
        members=Members.SAME,
        passes=True,
    ),
    Operation("size", ("sequence",), "number", "How many values, or pieces, there are.", _fold("count"), value=len),
    # ---- members of domains
    Operation(
        "next",
        ("member",),
        "member of a ring, else optional member",
        "The one behind it; on a ring the first follows the last.",
    ),
    Operation(
        "prev",
        ("member",),
        "member of a ring, else optional member",
        "The one before it; on a ring the last precedes the first.",
    ),
    Operation(
        "ahead",
        ("member",),
        "list of members",
        "The others from it on in order: on a ring going round, else up to the end.",
        members=Members.DIFFERENT,
    ),
    Operation(
        "behind",
        ("member",),
        "list of members",
        "The others from it back: on a ring going round, else down to the first.",
        members=Members.DIFFERENT,
    ),
    Operation("index", ("member",), "number", "Its position in the domain, counted from 0."),
    Operation(
        "distance",
        ("member of a ring", "member of a ring"),
        "number",
        "How many steps forward lead from the first to the second.",
    ),
    Operation(
        "combination",
        ("members",),
        "member of a table made of enums",
        "The row that has these parts.",
        tree.Index(DOMAIN, (REST,)),
        many=True,
    ),
    Operation(
        "opposite",
        ("member of a ring of even size",),
        "member",
        "The one half way round.",
    ),
    Operation(
        "turned",
        ("member of a ring or set of them", "number"),
        "member or set of members",
        "Each moved on by that many steps.",
        passes=True,
    ),
    # ---- boards
    Operation(
        "step",
        ("cell", "direction"),
        "optional cell",
        "The next cell in the direction; none beyond the edge.",
    ),
    Operation(
        "ray",
        ("cell", "direction"),
        "list of cells",
        "The cells in the direction up to the edge, the nearest first.",
        members=Members.DIFFERENT,
    ),
    Operation(
        "hex_distance",
        ("hexagonal cell", "hexagonal cell"),
        "number",
        "How many steps lead from one to the other, on a board without edges.",
        _function("distance"),
    ),
    # ---- grids of laid pieces
    Operation("square", ("spot",), "square", "Where the piece lies.", A),
    Operation(
        "beside",
        ("grid", "square", "side"),
        "optional spot",
        "What lies on the square at that side; none when nothing does.",
    ),
    Operation(
        "openings",
        ("grid",),
        "list of squares",
        "The free squares next to a laid piece; the origin when nothing is laid, nothing when the grid is full.",
        members=Members.DIFFERENT,
        passes=True,
    ),
    # ---- pieces
    Operation("count_of", ("pieces", "kind"), "number", "How many there are of a kind.", tree.Index(A, (B,))),
    Operation("add_pieces", ("pieces", "pieces"), "pieces", "Both together.", _infix("+")),
    Operation(
        "sub_pieces",
        ("pieces", "pieces"),
        "pieces",
        "What is left of the first; no count falls below 0.",
        _infix("-"),
    ),
    Operation(
        "scale_pieces",
        ("number", "pieces"),
        "pieces",
        "Each count times the number; no count falls below 0.",
        _infix("*"),
    ),
    Operation(
        "kinds_in",
        ("pieces",),
        "list of kinds",
        "The kinds of which there is a piece.",
        _function("kinds"),
        members=Members.KINDS,
    ),
    Operation(
        "spread",
        ("pieces",),
        "list of kinds",
        "The pieces one by one, kind after kind.",
        A,
        members=Members.PIECES,
        passes=True,
    ),
    Operation(
        "bundles",
        ("pieces", "number"),
        "list of pieces",
        "All ways to take that many of them, in rising order of the counts.",
        members=Members.DIFFERENT,
    ),
    Operation(
        "holds",
        ("pieces", "pieces"),
        "flag",
        "Whether the first has at least as many of each kind.",
        _infix("holds"),
    ),
    Operation(
        "covers",
        ("pool", "pieces"),
        "flag",
        "Whether the pieces can be paid from the pool, with the exchange that it allows.",
        _infix("covers"),
    ),
    Operation(
        "covers_all_but",
        ("pool", "number", "pieces"),
        "flag",
        "The same when so many of the pieces, whichever one likes, need not be paid.",
        tree.Binary("covers", A, tree.AllBut(B, C)),
    ),
    # ---- for the checks
    Operation(
        "setting",
        (),
        "value of an option or reading",
        "A setting whose value is left open, so that the checks see what every value would run.",
        _function("setting", DOMAIN),
        runs=False,
    ),
)

MOST_LISTED = 10_000
"""The numbers of a range that are listed before the game starts."""

OPERATIONS: dict[str, Operation] = {operation.name: operation for operation in _ALL}
"""By name, as in ``Apply.op``."""


def members_of(expr: Expr) -> Members | None:
    """What is known of the members of a value; None where that is not an operation that gives a list or a set."""
    return OPERATIONS[expr.op].members if isinstance(expr, Apply) else None
