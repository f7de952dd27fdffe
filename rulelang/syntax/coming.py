"""What could come at a place that the grammar refused, in plain words."""

from __future__ import annotations

_NAMES = {
    "NAME": "a name",
    "INT": "a number",
    "STRING": 'text in "quotes"',
    "_NL": "the end of the line",
    "_INDENT": "an indented block",
    "_DEDENT": "the end of the block",
    "LPAR": "`(`",
    "RPAR": "`)`",
    "LSQB": "`[`",
    "RSQB": "`]`",
    "LBRACE": "`{`",
    "RBRACE": "`}`",
    "COMMA": "`,`",
    "COLON": "`:`",
    "DOT": "`.`",
    "__ANON_0": "`..`",
    "EQUAL": "`=`",
    "SLASH": "`/`",
    "PLUS": "`+`",
    "MINUS": "`-`",
    "TIMES": "`*`",
    "COMPARE": "a comparison",
    "PLACE": "`pool`, `bag`, `stack`, `slot` or `grid`",
    "FOLD": "`count`, `sum`, ...",
    "DIRECTION": "`up` or `down`",
    "$END": "the end",
    "VALUE": "a value",
    "A_STEP": "a step, such as `set ...`, `move ...` or `p chooses ...`",
    "ITEM": "an item, such as `enum`, `define` or `rule`",
    "EXAMPLE": "a step of an example, such as `given`, `run` or `then`",
    "VERB": "`chooses`, `may choose`, `pays`, `scores`, `loses` or `wins`",
}


VERBS = {"CHOOSES", "MAY", "PAYS", "SCORES", "LOSES", "WINS"}


STEPS = {"SET", "LET", "MOVE", "IF", "EACH"}


ITEMS = {"ENUM", "DEFINE", "RULE", "TABLE"}


EXAMPLE = {"GIVEN", "RUN", "FIRED"}


VALUE_START = {"IF", "NAME", "INT", "NONE", "YES", "NO", "LPAR", "LSQB", "LBRACE", "FOLD", "MINUS", "NOT", "PLAYERS"}


# A value can always be followed by these, so they are not worth listing.
_GOES_ON = {
    *("LPAR", "LSQB", "DOT", "__ANON_0", "PLUS", "MINUS", "TIMES", "SLASH", "MOD", "COMPARE"),
    *("IS", "COVERS", "HOLDS", "OTHERWISE", "AND", "OR", "AFTER"),
}


def words(expected: set[str]) -> list[str]:
    return [term.lower() for term in expected if term not in _NAMES and not term.startswith("_")]


def shown(expected: set[str]) -> set[str]:
    """The terms worth listing among all that could come here."""
    for group, name in ((ITEMS, "ITEM"), (STEPS, "A_STEP"), (EXAMPLE, "EXAMPLE"), (VERBS, "VERB")):
        if group <= expected:
            return {name}
    if len(expected & VALUE_START) >= 5:
        return (expected - VALUE_START) | {"VALUE"}
    if {"LSQB", "DOT"} <= expected and expected - _GOES_ON:
        return expected - _GOES_ON
    return expected


def listed(expected: set[str]) -> str:
    """The expected terms in plain words: at most six."""
    names = (_NAMES.get(t, f"`{t.lower().strip('_')}`") for t in shown(expected))
    named = list(dict.fromkeys(sorted(names)))
    if len(named) > 6:
        return ", ".join([*named[:5], "..."])
    return " or ".join([", ".join(named[:-1]), named[-1]] if len(named) > 1 else named)
