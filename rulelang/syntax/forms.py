"""Forms: how each line is written, for editors. They name no game: NAME, KIND and VALUE stand for what the game has."""

from __future__ import annotations

ITEMS = {
    "game": "`game NAME`, and below it, indented, `players 2..4`",
    "part": "`part of GAME`",
    "examples": "`examples of GAME`",
    "variant": '`variant NAME of GAME`, and below it, indented, a line in "quotes" that describes it',
    "enum": "`enum NAME: one, two, three`, all on one line",
    "range": "`range NAME: 0..9`",
    "grid": "`grid NAME: 8 by 8`",
    "track": "`track NAME: 24`, or with other numbers and round: `track NAME, ring: 0..39`",
    "table": "`table NAME`; below it, indented, the columns (`cost: 0..9`), then `rows`, and below that the rows",
    "rows": '`rows` alone on its line with the rows below it (`NAME: VALUE, VALUE`), or `rows from "file.csv"`',
    "number": "`number NAME = 8`, or cases below it: `when players is 2: 8` and `otherwise: 9`",
    "option": "`option NAME: one, two`, and below it, indented, `default one`",
    "reading": '`reading NAME: one, two`, and below it, indented, `default one` and `because "..."`',
    "default": "`default NAME`",
    "because": '`because "..."`, with the reason in quotes',
    "stand_in": '`stand_in because "..."`, or `stand_in where CONDITION because "..."`',
    "event": "`event NAME`, or with values `event NAME(x: TYPE)`",
    "the": "`the game has` alone on its line, and below it, indented, lines like `coins: 0..9`",
    "define": "`define NAME = VALUE`, `define NAME(x: TYPE) = VALUE`, or cases below it (`when ...: VALUE`)",
    "ways": "`ways NAME(a: TYPE), at most 20 steps`, and below it, indented, `from a` and `step w to b for b in ...`",
    "from": "`from VALUE`, and below it `step w to b for b in ...`; `w` is the way so far",
    "step": "`step w to VALUE for x in ...`, or `step w to VALUE where CONDITION`; `w` is the way so far",
    "graph": "`graph NAME`, and below it, indented, `node x in ...` and `edge x to y`",
    "node": "`node x in ...`, perhaps with `where CONDITION`",
    "edge": "`edge x to VALUE`, perhaps with `where CONDITION`; for several, `edge x to y for y in ...`",
    "history": "`history NAME, at most 200: VALUE, VALUE`, or with values `history NAME(p: Player), last 8: VALUE`",
    "rule": "`rule NAME`, `rule NAME(p: Player)` or `rule NAME when CONDITION`; a NAME may contain dots",
    "winner": "`winner most score[p], then shared`; the line always ends in `, then shared`",
    "out": "`out when CONDITION`, a condition about the player `p`",
    "team": "`team NAME: 1, 3`, with the numbers or the names of seats; several teams have a line each",
    "invariant": "`invariant NAME: CONDITION`",
    "change": "`change number NAME to VALUE`, or `change option NAME to VALUE`",
    "replace": "`replace` and then the whole new item, for example `replace rule NAME`",
    "remove": "`remove rule NAME`, `remove option NAME` or `remove row NAME of TABLE`",
    "before": "`before rule NAME` or `before option NAME`, and the steps below it, indented",
    "after": "`after rule NAME` or `after option NAME`, and the steps below it, indented",
    "extend": "`extend enum NAME: one, two`, `extend table NAME`, `extend define NAME` or `extend rule NAME`",
    "adjust": "`adjust NAME(x: TYPE) by VALUE`, perhaps with `, not below 0`",
    "each": "`each Player has` alone on its line, and below it, indented, lines like `coins: 0..9`",
    "example": "`example NAME`, and its steps below it, indented",
}
"""How an item, or a line below one, is written, by its first word."""

STEPS = {
    "option": "`option NAME`, or with a choice `option NAME(x in ...)`, and its steps below it, indented",
    "rule": "`rule NAME` or `rule NAME when CONDITION`, and its steps below it, indented",
    "needs": "`needs CONDITION`",
    "let": "`let NAME = VALUE`",
    "set": "`set NAME to VALUE`",
    "increase": "`increase NAME by VALUE`",
    "decrease": "`decrease NAME by VALUE`",
    "move": "`move 2 of KIND from PLACE to PLACE`, `move 1 from STACK to PLACE` or `move all from PLACE to PLACE`",
    "shuffle": "`shuffle NAME`, where NAME is a stack",
    "show": "`show PLACE to PLAYER`, `show 1 of KIND from PLACE to all` or `show ... to each q in Player where ...`",
    "roll": "`roll x in 1..6`",
    "do": "`do NAME`, with values `do NAME(VALUE)`, or `do nothing`",
    "announce": "`announce NAME`, or with values `announce NAME(VALUE)`",
    "remember": "`remember NAME`, where NAME is a history, or with values `remember NAME(VALUE)`",
    "forget": "`forget NAME`, where NAME is a history",
    "stop": "`stop` alone on its line",
    "end": "`end the game`",
    "if": "`if CONDITION` alone on its line, and what happens then below it, indented",
    "otherwise": "`otherwise` or `otherwise if CONDITION` alone on its line, and what happens then below it, indented",
    "each": "`each x in ...` (perhaps with `where CONDITION`), and the steps below it, indented",
    "together": "`together each p in Player`, and the steps below it, indented",
    "repeat": "`repeat at most 3`, or `repeat falling N` with an N that gets smaller each time; `stop` leaves it",
    "take": "`take turns p from first(Player) until CONDITION`, and the steps of a turn below it, indented",
    "surely": "`surely` in front of `move ...`, `show ...`, `roll ...`, `p chooses ...` or `p pays ...`",
}
"""How a step of a rule is written, by its first word."""

EXAMPLE = {
    "players": "`players PLAYER, PLAYER`: who plays, in order",
    "finished": "`finished`, alone on its line",
    "not": "`not fired NAME, NAME`",
    "using": "`using NAME`, where NAME is a variant",
    "with": "`with NAME = VALUE`",
    "given": "`given NAME is VALUE`; several are separated by commas",
    "run": "`run NAME`, or with values `run NAME(VALUE)`",
    "chance": "`chance VALUE, VALUE`: what is rolled or drawn next, in order",
    "asked": "`asked PLAYER`, or with the rule that asks `asked PLAYER NAME`",
    "offered": "`offered 3 NAME`, where NAME is an option",
    "cases": "`cases NAME, NAME`, and below it, indented, the rows: `NAME: VALUE, VALUE`",
    "then": "`then CONDITION`; several are separated by commas",
    "fired": "`fired NAME, NAME`",
    "winners": "`winners PLAYER`; several are separated by commas",
    "documented": "`documented en 12-14`: a language and the lines of its rulebook",
}
"""How a step of an example is written, by its first word."""

DOING = {
    "chooses": "`p chooses x in ...`, or `p chooses one of` with lines that start with `option` below it",
    "may": "`p may choose x in ...`, and what depends on it below, indented",
    "orders": "`p orders x in ...`; afterwards `x` is the list in that order",
    "pays": "`p pays {KIND: 2} from PLACE to PLACE`",
    "scores": "`p scores VALUE`",
    "loses": "`p loses VALUE`",
    "wins": "`p wins`, alone on its line",
    "cannot": "`PLAYER cannot choose VALUE`",
    "declines": "`PLAYER declines`",
}
"""How a line is written that says what a player does, by the verb."""

_KEPT = "`NAME: TYPE`, for example `coins: 0..9 = 3` or `hand: pool of KIND, seen by owner`"
INSIDE = {
    "the": _KEPT,
    "each": _KEPT,
    "table": "a column as `NAME: TYPE`; the rows come below a line `rows`, each as `NAME: VALUE, VALUE`",
    "number": "a case as `when CONDITION: VALUE`, the last one as `otherwise: VALUE`",
    "define": "a case as `when CONDITION: VALUE`, the last one as `otherwise: VALUE`; after `by x`, `MEMBER: VALUE`",
    "option": ITEMS["default"],
    "reading": '`default NAME` and `because "..."`',
    "ways": "`from VALUE` first, then `step w to b for b in ...`, then perhaps `w may end where CONDITION`",
    "graph": "`node x in ...` first, then `edge x to y`",
    "extend": "an option as `option NAME`, with its steps below it; rows below a line `rows`; cases as `MEMBER: VALUE`",
    "game": '`players 2..4`, `title "..."`, `seats red, blue`, `team NAME: 1, 3` or `languages en, nl`',
}
"""How the lines below an item are written, by the item's first word."""

STARTS = frozenset({*ITEMS, *STEPS, *EXAMPLE})
"""The words that lines start with."""

STEP = "A step starts with a word like `set`, `move`, `if`, `each` or `do`, or with a player: `p chooses ...`."
EXAMPLE_STEP = "A step of an example starts with `given`, `run`, `chance`, `then`, ... or a player: `red chooses ...`."
ITEM = "In the first column stands an item: `enum`, `table`, `define`, `rule`, ... Steps are indented below a rule."
