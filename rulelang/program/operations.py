"""Table of the built-in operations: what each takes, gives and means, and how it is written in rules.

Everything that knows operations by name is checked against this table: both engines implement each of them and
nothing else (``tests/rulelang/test_operations.py``).
"""

from __future__ import annotations

from ..structural import Structural, frozen

AFTER, CONDITIONAL, OR, AND, NOT, COMPARISON, FALLBACK, RANGE, SUM, TERM, SIGN, ATOM = range(-1, 11)
"""Precedence of the forms, the loosest first."""

_TOO_BIG = "the number is not one of 32 bits"
_BY_ZERO = "the divisor is 0"
_NO_QUOTIENT = f"{_BY_ZERO}, or {_TOO_BIG}"


@frozen
class Operation(Structural):
    """``takes``: the types of the arguments in plain words; with ``many`` the last one can occur any number of times.

    ``form``: how it is written in rules, a hole for each argument with how tightly that must bind (``{all}``: the
    arguments one by one, ``{domain}``: the domain of the result). ``level``: how tightly the whole binds.
    ``faults``: when it stops the game; an operation without it always has a value. None changes anything.
    ``runs``: False for one that occurs only in Programs made for the checks.
    """

    name: str
    takes: tuple[str, ...]
    gives: str
    meaning: str
    form: str
    level: int = ATOM
    many: bool = False
    faults: str | None = None
    runs: bool = True

    @property
    def arity(self) -> int | None:
        """How many arguments it takes; None for any number."""
        return None if self.many else len(self.takes)


_ALL = (
    # ---- numbers
    Operation("+", ("number", "number"), "number", "The sum.", "{0:7} + {1:8}", SUM, faults=_TOO_BIG),
    Operation("-", ("number", "number"), "number", "The difference.", "{0:7} - {1:8}", SUM, faults=_TOO_BIG),
    Operation("*", ("number", "number"), "number", "The product.", "{0:8} * {1:9}", TERM, faults=_TOO_BIG),
    Operation("neg", ("number",), "number", "The number with the other sign.", "-{0:9}", SIGN, faults=_TOO_BIG),
    Operation(
        "div_down",
        ("number", "number"),
        "number",
        "The quotient, rounded down.",
        "{0:8} / {1:9} rounded down",
        TERM,
        faults=_NO_QUOTIENT,
    ),
    Operation(
        "div_up",
        ("number", "number"),
        "number",
        "The quotient, rounded up.",
        "{0:8} / {1:9} rounded up",
        TERM,
        faults=_NO_QUOTIENT,
    ),
    Operation(
        "mod",
        ("number", "number"),
        "number",
        "The rest of a division rounded down; it has the sign of the divisor.",
        "{0:8} mod {1:9}",
        TERM,
        faults=_BY_ZERO,
    ),
    Operation("min", ("numbers",), "number", "The smallest.", "min({all})", many=True),
    Operation("max", ("numbers",), "number", "The largest.", "max({all})", many=True),
    # ---- comparison
    Operation("is", ("value", "value"), "flag", "Whether both are the same.", "{0:5} is {1:5}", COMPARISON),
    Operation("is_not", ("value", "value"), "flag", "Whether they differ.", "{0:5} is not {1:5}", COMPARISON),
    Operation("<", ("number", "number"), "flag", "Whether the first is smaller.", "{0:5} < {1:5}", COMPARISON),
    Operation("<=", ("number", "number"), "flag", "Whether the first is not larger.", "{0:5} <= {1:5}", COMPARISON),
    Operation(">", ("number", "number"), "flag", "Whether the first is larger.", "{0:5} > {1:5}", COMPARISON),
    Operation(">=", ("number", "number"), "flag", "Whether the first is not smaller.", "{0:5} >= {1:5}", COMPARISON),
    # ---- logic
    Operation(
        "and",
        ("flag", "flag"),
        "flag",
        "Whether both hold; the second is not looked at when the first fails.",
        "{0:2} and {1:3}",
        AND,
    ),
    Operation(
        "or",
        ("flag", "flag"),
        "flag",
        "Whether one of them holds; the second is not looked at when the first holds.",
        "{0:1} or {1:2}",
        OR,
    ),
    Operation("not", ("flag",), "flag", "Whether it does not hold.", "not {0:3}", NOT),
    Operation("present", ("optional",), "value", "The value of an optional that is never none.", "{0:10}"),
    Operation(
        "otherwise",
        ("optional", "value"),
        "value",
        "The value of the optional, or the second value when that is none.",
        "{0:6} otherwise {1:6}",
        FALLBACK,
    ),
    # ---- sequences: lists (stacks), sets, optionals, pieces
    Operation(
        "in",
        ("value", "sequence"),
        "flag",
        "Whether the value is among those of the sequence; of pieces, whether there is one of the kind.",
        "{0:5} is in {1:5}",
        COMPARISON,
    ),
    Operation(
        "at",
        ("list", "number"),
        "optional value",
        "What is at a position, counted from 1; none when there is no such position.",
        "{0:10}[{1:0}]",
    ),
    Operation("top", ("list",), "optional value", "The last one; of a stack the open end.", "top({all})"),
    Operation("bottom", ("list",), "optional value", "The first one.", "bottom({all})"),
    Operation("reversed", ("list",), "list", "The same values, the last first.", "reversed({all})"),
    Operation(
        "part",
        ("list", "number", "number"),
        "list",
        "What is at the positions from the first to the second, counted from 1, as far as there are any.",
        "{0:10}[{1:7}..{2:7}]",
    ),
    Operation(
        "joined", ("list", "list"), "list", "The values of the first, then those of the second.", "{0:7} + {1:8}", SUM
    ),
    Operation("united", ("set", "set"), "set", "What is in one of them.", "{0:7} + {1:8}", SUM),
    Operation("without", ("set", "set"), "set", "What is in the first but not in the second.", "{0:7} - {1:8}", SUM),
    Operation(
        "fingerprint",
        ("values",),
        "tuple of two numbers",
        "64 bits that tell the values from others.",
        "({all})",
        many=True,
    ),
    Operation(
        "occurrences",
        ("list of fingerprints", "fingerprint"),
        "number",
        "How often a history holds the position.",
        "occurrences({1:0})",
    ),
    Operation(
        "range",
        ("number", "number"),
        "list of numbers",
        "The numbers from the first to the second; nothing when the second is smaller.",
        "{0:7}..{1:7}",
        RANGE,
    ),
    Operation("list", ("values",), "list", "The values in this order.", "[{all}]", many=True),
    Operation("tuple", ("values",), "tuple", "The values as one.", "({all})", many=True),
    Operation("members", (), "list of members", "All members of a domain, in order.", "{domain}"),
    Operation(
        "rotate",
        ("list", "value"),
        "list",
        "The same values from the given one on, going round; unchanged when it is not among them.",
        "{0:10} from {1:10}",
        CONDITIONAL,
    ),
    Operation("size", ("sequence",), "number", "How many values, or pieces, there are.", "count({all})"),
    # ---- members of domains
    Operation(
        "next",
        ("member",),
        "member of a ring, else optional member",
        "The one behind it; on a ring the first follows the last.",
        "next({all})",
    ),
    Operation(
        "prev",
        ("member",),
        "member of a ring, else optional member",
        "The one before it; on a ring the last precedes the first.",
        "prev({all})",
    ),
    Operation(
        "ahead",
        ("member",),
        "list of members",
        "The others from it on in order: on a ring going round, else up to the end.",
        "ahead({all})",
    ),
    Operation(
        "behind",
        ("member",),
        "list of members",
        "The others from it back: on a ring going round, else down to the first.",
        "behind({all})",
    ),
    Operation("index", ("member",), "number", "Its position in the domain, counted from 0.", "index({all})"),
    Operation(
        "distance",
        ("member of a ring", "member of a ring"),
        "number",
        "How many steps forward lead from the first to the second.",
        "distance({all})",
    ),
    Operation(
        "combination",
        ("members",),
        "member of a table made of enums",
        "The row that has these parts.",
        "{domain}[{all}]",
        many=True,
    ),
    Operation(
        "opposite",
        ("member of a ring of even size",),
        "member",
        "The one half way round.",
        "opposite({all})",
    ),
    Operation(
        "turned",
        ("member of a ring or set of them", "number"),
        "member or set of members",
        "Each moved on by that many steps.",
        "turned({all})",
    ),
    # ---- boards
    Operation(
        "step",
        ("cell", "direction"),
        "optional cell",
        "The next cell in the direction; none beyond the edge.",
        "step({all})",
    ),
    Operation(
        "ray",
        ("cell", "direction"),
        "list of cells",
        "The cells in the direction up to the edge, the nearest first.",
        "ray({all})",
    ),
    Operation(
        "hex_distance",
        ("hexagonal cell", "hexagonal cell"),
        "number",
        "How many steps lead from one to the other, on a board without edges.",
        "distance({all})",
    ),
    # ---- grids of laid pieces
    Operation("square", ("spot",), "square", "Where the piece lies.", "{0:10}"),
    Operation(
        "beside",
        ("grid", "square", "side"),
        "optional spot",
        "What lies on the square at that side; none when nothing does.",
        "beside({all})",
    ),
    Operation(
        "openings",
        ("grid",),
        "list of squares",
        "The free squares next to a laid piece; the origin when nothing is laid, nothing when the grid is full.",
        "openings({all})",
    ),
    # ---- pieces
    Operation("count_of", ("pieces", "kind"), "number", "How many there are of a kind.", "{0:10}[{1:0}]"),
    Operation("add_pieces", ("pieces", "pieces"), "pieces", "Both together.", "{0:7} + {1:8}", SUM),
    Operation(
        "sub_pieces",
        ("pieces", "pieces"),
        "pieces",
        "What is left of the first; no count falls below 0.",
        "{0:7} - {1:8}",
        SUM,
    ),
    Operation(
        "scale_pieces",
        ("number", "pieces"),
        "pieces",
        "Each count times the number; no count falls below 0.",
        "{0:8} * {1:9}",
        TERM,
    ),
    Operation("kinds_in", ("pieces",), "list of kinds", "The kinds of which there is a piece.", "kinds({all})"),
    Operation("spread", ("pieces",), "list of kinds", "The pieces one by one, kind after kind.", "{0:0}"),
    Operation(
        "bundles",
        ("pieces", "number"),
        "list of pieces",
        "All ways to take that many of them, in rising order of the counts.",
        "bundles({all})",
    ),
    Operation(
        "holds",
        ("pieces", "pieces"),
        "flag",
        "Whether the first has at least as many of each kind.",
        "{0:5} holds {1:5}",
        COMPARISON,
    ),
    Operation(
        "covers",
        ("pool", "pieces"),
        "flag",
        "Whether the pieces can be paid from the pool, with the exchange that it allows.",
        "{0:5} covers {1:5}",
        COMPARISON,
    ),
    Operation(
        "covers_all_but",
        ("pool", "number", "pieces"),
        "flag",
        "The same when so many of the pieces, whichever one likes, need not be paid.",
        "{0:5} covers all but {1:7} of {2:5}",
        COMPARISON,
    ),
    # ---- for the checks
    Operation(
        "setting",
        (),
        "value of an option or reading",
        "A setting whose value is left open, so that the checks see what every value would run.",
        "setting({domain})",
        runs=False,
    ),
)

OPERATIONS: dict[str, Operation] = {operation.name: operation for operation in _ALL}
"""By name, as in ``Apply.op``."""
