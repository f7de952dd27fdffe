"""Slips: what people often write in place of what the language has, and what to write instead, by where it is found."""

from __future__ import annotations

import re

import attrs

from ..fixes import AtEnd, Fix, Help, ReplaceText, leave_out, write
from .forms import DOING, EXAMPLE, INSIDE, ITEMS, STEPS


@attrs.frozen
class Phrase:
    """``found``: what people write, in the text of a line without comment. ``help``: what to write instead.

    ``starts``: it begins with the first word of the line, which is what is wrong. Where a help can be carried out,
    what it replaces is the group ``wrong``, or else everything that was found.
    """

    found: re.Pattern[str]
    help: str | Help
    starts: bool = False


@attrs.frozen
class Found:
    """A phrase in a line, and the columns (from 0) of what its help replaces."""

    phrase: Phrase
    start: int
    end: int


_WHO = r"^\s*[\w\[\]().]+\s+"
_PLAYER = r"^\s*\w+\s+"
_OTHER = r"^\s*(?!"


def _phrases(*rows: tuple[str, str | Help]) -> tuple[Phrase, ...]:
    return tuple(
        Phrase(re.compile(p, re.IGNORECASE), help_, p[0] == "^" and not p.startswith((_WHO, _PLAYER, _OTHER)))
        for p, help_ in rows
    )


_MOVE = "Write `move 2 of KIND from PLACE to PLACE`, or from a stack or a bag `move 1 from PLACE to PLACE`."
_SHOW = (
    "Write `show PLACE to PLAYER`, `show PLACE to all`, or for some of the pieces `show 1 of KIND from PLACE to ...`."
)
_SHOW_SOME = "Write `to each q in Player where ...`, or `to all`."
_DRAWN = r"(?:(?:it|the\s+game|game)\s+(?:is|ends)\s+)?(?:in\s+)?(?:a\s+)?(?:draws?|drawn|ties?|tied)"
_FIRST = r"^\s*(?:surely\s+)?"

COMPARING = _phrases(
    (r"\bis\s+(?:at\s+least|no\s+(?:less|fewer)\s+than|not\s+less\s+than|greater\s+than\s+or)\b", write(">=")),
    (r"\bis\s+(?:at\s+most|no\s+more\s+than|not\s+more\s+than|less\s+than\s+or)\b", write("<=")),
    (r"\b(?:is\s+)?(?:greater|more|larger|bigger|higher|over|above)\s+than\b", write(">")),
    (r"\b(?:is\s+)?(?:less|fewer|smaller|lower|under|below)\s+than\b", write("<")),
    (r"\bis\s+between\b", "Write `is in 1..3` for anything from 1 to 3."),
    (r"\bis\s+(?:equal\s+to|the\s+same\s+as|exactly)\b|\bequals?(?:\s+to)?\b", write("is")),
    (
        r"\bis\s+different\s+from\b|\b(?:is|are|does|do|was|has)n['’]?t\b",
        "Write `is not`, or `not` before a condition.",
    ),
    (r"\bis\s+(?:one|any|either)\s+of\b", "Write `is in [...]`."),
    (r"\bis\s+a\s+|\bis\s+an\s+", "Leave out the article, or test a list or a set with `is in`."),
    (r"\bnot\s+in\b", "Write `x is not in ...`."),
    (
        r"\bhas\s+(?:no|at|more|less|\d)",
        "Compare what is kept: `count(NAME) > 0`, `score[p] >= 3`, `NAME[p][KIND] is 2`.",
    ),
    (r"\bcontains\b|\bincludes\b", "Write `x is in ...`; for pieces, `... holds {KIND: 2}`."),
    (
        r"\bif\s+there\s+(?:are|were|be)\b|\bif\s+there\s+is\s+(?:not?\b|(?!.*\bin\b)[\w ]*)|\bif\s+there['’]s\b",
        "Write `if there is x in ...`; what happens when there is none goes below a line `otherwise`.",
    ),
    (
        r"(?:=|\(|,|:|\bto|\bby|\bis|\bin)\s*surely\b",
        "`surely` is for steps. Where a value may be none, say what to take then: `VALUE otherwise OTHER`.",
    ),
    (r"\bafter\s+(?!do\s)\w", "Write `VALUE after do NAME`, or with values `VALUE after do NAME(VALUE)`."),
    (r"\boccurrences\s+of\b|\bhow\s+often\b", "Write `occurrences(NAME)`, where NAME is a history."),
    (r"(?<!to all )\bbut\b", write("and")),
    (r"\bor\s+else\b", "Write `or`; what happens otherwise goes below a line `otherwise`."),
    (r"\b(?:and|or)\s+(?:[<>]=?|is\b)", "Name both sides of each test: `x > 3 and x < 5`."),
    (r"[<>]=?[^<>]*[<>]", "Write two tests, joined with `and`."),
    (r"\bis\s+(?:not\s+)?\"", "Leave out the quotes: a name is written as it is."),
    (r"(?<=[\w(,<>=*+-] )(?:count|sum|max|min|some|every|first)\s+[A-Za-z_]", "Put it in brackets: `count(...)`."),
)
"""In conditions and values, wherever they stand."""

IN_RULES = _phrases(
    (
        r"\bas\s+(?:many|much)\b|\bmust\s+(?:use|play|spend)\b|\bchooses\s+one\s+of,?\s+(?:for|by|with|to|so|using|leaving)\b.*",
        "For as much as possible, write `p chooses one of for fewest VALUE, at most 4 deep`.",
    ),
    (r"(?<=\S )for\s+(?:each|every)\b|\bper\b", "Multiply with a count: `2 * count(x in ... where ...)`."),
    (r"^\s*choose\b", "Say who chooses: `p chooses x in ...`, or `p chooses one of`."),
    (r"^\s*(?:else\s*if|elif|elsif|elseif|otherwise\s+when)\b", "Write `otherwise if CONDITION`."),
    (r"^\s*else\b", write("otherwise")),
    (
        r"^\s*(?:when|unless)\b",
        "Write `if CONDITION` (or `if not (...)`). `when` follows the name of a rule: `rule NAME when ...`.",
    ),
    (
        r"^\s*(?:while|until|loop|repeat\s+until)\b",
        "Write `repeat at most 9`, and in it `if CONDITION` with `stop` below.",
    ),
    (r"^\s*repeat\s+(\d+|\w+\s+times)", "Write `repeat at most 3`."),
    (r"^\s*(?:everybody|everyone|every\s+player|all|all\s+players|players)\s+loses?\b", write("nobody wins")),
    (r"^\s*(?:everyone|every\s+player|all|all\s+players|players)\s+wins?\b", write("everybody wins")),
    (rf"^\s*{_DRAWN}\s*$", write("nobody wins", "Write `nobody wins`: when nobody wins, the game is drawn.")),
    (r"^\s*(?:for\s*each|for\s+every|for\s+all|for|foreach|every|all)\b", write("each", "Write `each x in ...`.")),
    (
        r"^\s*each\s+\w+\s+(?:of|from)\b|^\s*each\s+\w+\s*$|^\s*each\s+\w+\s+\w+\s+in\b",
        "Write `each x in ...`, for example `each q in Player`.",
    ),
    (r"^\s*(?:add|append|push|insert)\s+[^\d\s].*\bto\b", "Add to a list or a set with `set NAME to NAME + [VALUE]`."),
    (r"^\s*(?:record|save|store|memori[sz]e)\b", "Write `remember NAME`, where NAME is a history."),
    (r"\b(?:occurs|repeats|occurred|repeated|happened)\b", "Write `occurrences(NAME) >= 3`, where NAME is a history."),
    (r"^\s*(?:add|give\s+\d+\s+points?)\b", "Write `increase NAME by VALUE`; for points, `p scores VALUE`."),
    (r"^\s*(?:subtract|reduce)\b", "Write `decrease NAME by VALUE`; for points, `p loses VALUE`."),
    (r"^\s*remove\s+\d", _MOVE),
    (_FIRST + r"show\b.*\bto\s+all\s+(?:but|except|other|players?)\b", _SHOW_SOME),
    (_FIRST + r"show\b.*\bto\s+[^,]+,", _SHOW_SOME),
    (_FIRST + r"show\s+(?:the\s+)?top\b", "Write `show 1 from STACK to PLAYER` for the top piece."),
    (_FIRST + r"(?:reveal|display|disclose|expose|present|uncover)\b", _SHOW),
    (_WHO + r"(?:looks?\s+at|peeks?|sees|shows|reveals|inspects|examines|may\s+look)\b", _SHOW),
    (
        r"^\s*(?:hide|conceal|cover)\b",
        "Who sees a place is said where it is declared, for example `seen by owner`; what is not shown stays hidden.",
    ),
    (
        _FIRST + r"(?:take(?!\s+turns)|draw|deal|give|put|place|pick|discard|return\s+\S|transfer|place|get|gain)\b",
        _MOVE,
    ),
    (_WHO + r"(?:gains?|gets?|receives?|earns?|wins?|has)\s+\S+\s+points?\b", "Write `p scores VALUE`."),
    (
        _WHO + r"(?:takes?|draws?|gets?|gains?|receives?|discards?|gives?|puts?|places?|moves?|picks?|returns?)\b",
        f"{_MOVE} For points, `p scores VALUE`.",
    ),
    (
        _WHO + r"(?:must|has\s+to|should|shall|can|could)\s+(?:choose|pick|select)\b",
        "Write `p chooses x in ...`; where the player need not, `p may choose x in ...`.",
    ),
    (_WHO + r"(?P<wrong>selects?|decides?|picks?)\b", write("chooses", "Write `p chooses x in ...`.")),
    (_WHO + r"(?P<wrong>may\s+chooses)\b", write("may choose", "Write `p may choose x in ...`.")),
    (_WHO + r"(?P<wrong>choose)\b", write("chooses", "Write `p chooses x in ...`.")),
    (
        _WHO + r"chooses\s+(?:between|from|among)\b",
        "Write `p chooses one of`, with lines that start with `option` below it.",
    ),
    (
        _WHO + r"chooses\s+(?:two|three|four|five|some|several|many|both|\d+\s+(?!of\b)\w|all\b)",
        "Write `p chooses 2 of x in ...`, `p chooses up to 3 of x in ...` or `p chooses any of x in ...`.",
    ),
    (
        _WHO + r"chooses\s+(?:any|up\s+to\s+\w+|at\s+most\b|at\s+least\b|as\s+many)",
        "Write `p chooses up to 3 of x in ...`, `p chooses 1..3 of x in ...` or `p chooses any of x in ...`.",
    ),
    (
        _WHO + r"may\s+choose\s+(?:any|up\s+to|\d)",
        "Whoever chooses `up to 3 of` or `any of` may choose none: write `p chooses up to 3 of x in ...`.",
    ),
    (
        r"^\s*option\s+[\w.]+\s*\(\s*(?:\d+|any|up\s+to\s+\w+|\w+)\s+of\b",
        "Choose several below the option: `p chooses 2 of x in ...`.",
    ),
    (r"^\s*surely\s+\S+\s+orders\b", "Leave out `surely`: something can always be put in order."),
    (_WHO + r"(?:sorts?|arranges?|orders?|rearranges?|puts\s+.*\border)\b", "Write `p orders x in ...`."),
    (_WHO + r"chooses\s+one\s*$", "Write `p chooses one of`, with lines that start with `option` below it."),
    (_WHO + r"chooses\s+(?!one\b)\w+\s+(?:from|of|out)\b", "Write `p chooses x in ...`."),
    (_WHO + r"(?:scores|loses)\s+\S+(?P<wrong>\s+points?)\b", leave_out("points", "Leave out `points`.")),
    (r"^\s*(?P<wrong>team\s+)\w+\s+wins\b", leave_out("team", "Leave out `team`: `NAME wins`.")),
    (r"^\s*team\s+\w+\s+win\b", "Leave out `team`: `NAME wins`."),
    (_WHO + r"wins\s+the\b", "Leave out what follows `wins`."),
    (
        _WHO + r"(?:is|are|goes|drops)\s+(?:out|eliminated)\b|" + _WHO + r"leaves?\s+the\s+game\b",
        "Say in the first column who is out: `out when CONDITION`, about the player `p`.",
    ),
    (
        r"^\s*(?:eliminate|knock\s+out|kick)\b",
        "Say in the first column who is out: `out when CONDITION`, about the player `p`.",
    ),
    (_WHO + r"pays\s+\w+\s+(?:of\s+)?\w+", "Write what is paid in braces: `p pays {KIND: 2} from PLACE to PLACE`."),
    (
        r"^\s*end\s+(?:the\s+)?(?:turn|round|phase)",
        "A turn ends with the last line of its rule; `stop` leaves a `repeat` or `take turns`.",
    ),
    (r"^\s*(?:end\s+game|game\s+(?:over|ends?)|finish|end)\b\s*\w*\s*$", write("end the game")),
    (r"^\s*(?:break|exit|leave)\b", "Write `stop`; it leaves the `repeat` or `take turns` around it."),
    (
        r"^\s*(?:return|continue|skip|next)\b",
        "To skip what follows, put it below an `if`; `stop` leaves a `repeat` or `take turns`.",
    ),
    (r"^\s*(?:pass|nothing|noop)\b", write("do nothing")),
    (r"^\s*(?:run|call|execute|perform|invoke)\s+\w", "To run a rule, write `do NAME` or `do NAME(VALUE)`."),
    (r"^\s*\w[\w.]*\(.*\)\s*$", "To run a rule, write `do` in front of it."),
    (
        r"^\s*do\s+\w+\s*[\[(].*[\])]\s*\.",
        "Give the row a name: `let x = ...`, and below that `do x.NAME(VALUE)`.",
    ),
    (r"^\s*do\s+(?!nothing\b)[\w.]+\s+\w", "Put the values in brackets: `do NAME(VALUE)`."),
    (r"^\s*announce\s+\w+\s+\w", "Put the values in brackets: `announce NAME(VALUE)`."),
    (
        r"^\s*(?:print|say|show|log|message|tell|write)\b",
        "Leave it out: whatever happens is told to the players by itself.",
    ),
    (r"^\s*(?P<wrong>[-*•]\s*)\w", leave_out("the sign", "Leave out the sign in front: each line starts with a word.")),
    (
        r"^\s*move\s+.*\bto\s+(?:the\s+)?(?:bottom|top|end|front)\b",
        "Pieces come to lie on top of a stack. Keep what goes below in a second one, for when the first is empty.",
    ),
    (r"^\s*move\s+.*\b(?P<wrong>into|onto)\b", write("to")),
    (r"^\s*move\s+.*\bto\b.*\bfrom\b", "Write `from PLACE` first, then `to PLACE`."),
    (r"^\s*roll\s+\w+\s+(?P<wrong>from|between|of)\b", write("in", "Write `roll x in 1..6`.")),
    (r"^\s*roll\s+(?:a\s+|an\s+|the\s+)?(?:d\d*|dice|die)\b", "Write `roll x in 1..6`."),
    (r"\bstarting\s+(?:from|with|at)\b", write("from")),
    (r"^\s*set\s+.*\b(?:is|be|as|equal)\b", "Write `set NAME to VALUE`."),
    (r"^\s*needs\b[^,]*,", "Join them with `and`, or write a second line that starts with `needs`."),
)
"""In steps of rules."""


def _kinds(word: str, *kinds: str) -> Help:
    """Help that says of which kind a thing is that is changed or removed."""
    fixes = tuple(Fix(f"Write `{word} {kind}`", (ReplaceText(f"{kind} "),)) for kind in kinds)
    return Help(f"Write {ITEMS[word]}.", fixes)


_ROW = "Write `change row NAME of TABLE to VALUE, VALUE`, or for one value `change row NAME.COLUMN of TABLE to VALUE`."

_DEEP = "`define NAME(x: TYPE): 0..99, at most 6 deep = VALUE`"
IN_ITEMS = _phrases(
    (r"^\s+-?\d+\s*:", "A name stands before `:`. For the cases of a number, write `when x is 1: VALUE`."),
    (r"^define\s+\w+\s*(?:\(.*?\))?\s*,.*", f"Say what it gives, and how deep it may use itself: {_DEEP}."),
    (
        r"^define\s+\w+\s*(?:\(.*?\))?\s*:(?!.*\bat\s+most\b.*\bdeep\b).*",
        f"Write `define NAME = VALUE`, or `define NAME: TYPE = VALUE`. One that uses itself says how deep: {_DEEP}.",
    ),
    (
        r"^\s*rule\b.*(?:\b(?:deep|at\s+most|times|recursi\w+|levels?)\b).*",
        "A rule that runs itself says how deep: `rule NAME(p: Player), at most 6 deep`.",
    ),
    (
        r"^\s+\w+\s*:\s*(?:rules?|do|run|runs|action|effect)\b(?!\s*\()",
        "A column that names rules is written `NAME: rule(p: Player)`, perhaps followed by `or none`.",
    ),
    (r"^(?:delete|drop|discard)\b", "Write `remove rule NAME` or `remove option NAME`."),
    (r"^(?:change|replace)\s+(?:the\s+)?(?:row|value|cell|column)\b.*", _ROW),
    (r"^(?:change|replace)\s+(?:table\b|\w+\.\w+|\w+\s+of\b|[\w.]+\s+in\b)", _ROW),
    (r"^remove\s+(?:the\s+)?row\b|^remove\s+\w+\s+(?:of|from)\b", "Write `remove row NAME of TABLE`."),
    (r"^(?:lower|reduce|decrease|raise|increase)\b", "Write `adjust NAME(x: TYPE) by -1, not below 0`."),
    (r"^adjust\b.*\bby\s+(?:less|fewer|more|minus|plus)\b", "Write `by 1`, or `by -1` for less."),
    (r"^adjust\b.*\bat\s+least\b", "Write `, not below 0`."),
    (r"^(?:override|redefine|overwrite|modify)\b", "Write `replace` and then the whole new item."),
    (r"^(?:add|append|insert)\b", "Write `extend rule NAME` with the new option below it, or the new item by itself."),
    (r"^set\s+(?:number|option|reading)\b", "Write `change number NAME to VALUE` or `change option NAME to VALUE`."),
    (r":\s*(?:the\s+)?last\s+\w+\s+(?:of\s+)?\w", "Write `NAME: list of KIND, last 8`."),
    (r"\blist\s+of\b[^#]*,\s*(?:up\s+to|max(?:imum)?|limit|size|no\s+more)\b", "Write `at most 50`."),
    (r"^history\s+\w+\s+of\b", "Write a bound and a colon: `history NAME, at most 200: VALUE, VALUE`."),
    (r"^(?!\s).*\(.*:\s*list\s+of\b", "A parameter cannot be a list. Name the list inside, or pass a `set of KIND`."),
    (r"\blist\s+of\s*\(.*", "Write `list of KIND and KIND`."),
    (
        r"^\s*edge\b.*,?\s(?:length|weight|cost|weighs|costs)\b",
        "Write the length after a comma: `edge x to y, length 3`.",
    ),
    (r"^\s*edge\b.*(?:->|-->|=>|<->)", "Write `edge x to y`; for one direction only, `edge x to y, one way`."),
    (r"^\s*edge\b.*\bone[-_]way\b|^\s*edge\b.*\b(?:directed|oneway)\b", "Write `edge x to y, one way`."),
    (r"^\s*(?P<wrong>[-*•]\s*)\w", leave_out("the sign", "Leave out the sign in front: each line starts with a word.")),
    (r"\bor\s+(?:nothing|nobody|null|empty)\b|\boptional\b", "Write `NAME or none`."),
    (r":\s*(?:an?|the|one)\s+\w", "Leave out the article."),
    (r"^example\s+of\b", write("examples of", "Write `examples of GAME`.")),
    (r'^\s*because\b[^"]*$', 'Put the reason in quotes: `because "..."`.'),
    (r"^\s*(?:import|include|use|using)\b", "Leave it out: all files of the folder belong to the game."),
    (r"^(?:def|function|func|fn|let|const|var)\b", "Write `define NAME(x: TYPE) = VALUE`, or `number NAME = VALUE`."),
    (
        r"^(?:ways?|paths?|routes?|walks?|chains?|trails?)\s+\w+",
        "Write `ways NAME(a: TYPE), at most 20 steps`, and below it, indented, `from a` and "
        "`step w to b for b in ...`.",
    ),
    (r"^\s*(?:start|begin|starts|begins|starting)\b", "Write `from VALUE`."),
    (
        r"^\s*(?:(?:\w+\s+)?(?:ends?|stops?|may\s+stop|can\s+(?:end|stop))|may\s+end)\b",
        "Write `w may end where CONDITION`; `w` is the way so far.",
    ),
    (r"^\s*(?:then|next|go|goes|move|jump)\b", "Write `step w to b for b in ...`; `w` is the way so far."),
    (r"^(?:class|struct|type)\b", "Write `enum NAME: one, two` or `table NAME`."),
    (r"^(?:players?|Player)\s+(?:has|have)\b", write("each Player has")),
    (r"^game\s+(?:has|have)\b", write("the game has")),
    (r"^(?:each\s+\w+|the\s+game)\s+(?P<wrong>have)\b", write("has")),
    (r"^\s*rule\s+[\w.]+\s+if\b", "Write `rule NAME when CONDITION`."),
    (
        r"^\s*rule\s+[\w.]*(?:\s+\w+)?-|^\s*rule\s+\w+\s+(?!on\b|when\b|unless\b|whenever\b)\w+",
        "A name is one word; join its parts with `_` or `.`.",
    ),
    (
        r"^\s*winner\s+(?:is\s+|the\s+)*(?:highest|max\w*|largest|greatest|best)\b",
        "Write `winner most ..., then shared`.",
    ),
    (r"^\s*winner\s+(?:is\s+|the\s+)*(?:lowest|min\w*|smallest|least)\b", "Write `winner fewest ..., then shared`."),
    (
        r"^(?:eliminat\w*|lost|losers?|(?:p|players?|Player)\s+(?:is|are)\s+out)\b|^out\s+(?!when\b)\w+",
        "Write `out when CONDITION`, a condition about the player `p`.",
    ),
    (r"^(?:ring\s+track\b|circular\b|track\b.*\d,?\s+ring\b)|^track\s.*\bto\b", f"Write {ITEMS['track']}."),
    (r"^\s+teams?\s+(?!\w+\s*:)\w*|^\s+teams\b", "Write a line for each team: `team NAME: 1, 3`."),
    (r"^(?:teams?|partners?)\b", "Teams stand below `game`, indented: `team NAME: 1, 3`."),
    (
        r"^\s+(?:coop\w*|co-op\w*|solo|solitaire|together)\b",
        "Leave it out; where the game is won or lost, write `everybody wins` or `nobody wins`.",
    ),
    (r"\d+\s+to\s+\d+|\bfrom\s+\d+\s+to\s+\d+|\d+\s*-\s*\d+", "For numbers from 0 to 9, write `0..9`."),
    (r"\d+\s*x\s*\d*", "Write `8 by 8`."),
    (r"=\s*\d+\s+(?:of\s+)?\w+", "Write pieces in braces: `{KIND: 3}`."),
    (r"^\s+\w+\s*:\s*yes\b.*\bno\b", "Write `flag`; its values are `yes` and `no`."),
    (r"\bat\s+least\b|\bminimum\b", "A place has only an upper limit, `at most 3`; a number has bounds, `0..9`."),
    (r"\b(?:max|maximum|limit|up\s+to)\s+\d+", "Write `at most 3`."),
    (
        r"\b(?:starts?|starting|initially|begins?)\s+(?:at|with|as)?",
        "Write the value at the start after the type: `coins: 0..9 = 3`.",
    ),
    (r"\b(?:hidden|secret|private)\b", "Write `seen by nobody` or `seen by owner`."),
    (
        r"\b(?:public|visible|open)\b",
        "Leave it out: everybody sees what does not say `seen by owner` or `seen by nobody`.",
    ),
    (
        r"\bseen\s+by\s+(?!owner\b|nobody\b|all\s+but\s+owner\b|\w+\s+where\b)\w+",
        "Write `seen by owner`, `seen by nobody`, `seen by all but owner`, or `seen by q where ...`.",
    ),
    (
        r"\b(?:list|stock|deck|pile|array|collection)\s+of\b",
        "Write `pool of`, `bag of` or `stack of` for pieces, `set of` for a set.",
    ),
    (r"\b(?:Pool|Bag|Stack|Slot|Grid)\s+of\b", "Write it in small letters: `pool`, `bag`, `stack`, `slot` or `grid`."),
    (r"^change\s+(?P<wrong>)(?!number\b|option\b|reading\b|row\b)(?=\w+\s+to\b)", _kinds("change", "number", "option")),
    (r"^remove\s+(?P<wrong>)(?!rule\b|option\b|row\b)(?=[\w.]+\s*$)", _kinds("remove", "rule", "option")),
    (
        r"^(?:replace\s+)?winner\s+(?:most|fewest)\b.*(?<!shared)$",
        Help(f"Write {ITEMS['winner']}.", (Fix("End it with `, then shared`", (AtEnd(", then shared"),)),)),
    ),
)
"""In items that are not rules or examples, and in the first lines of all."""

IN_EXAMPLES = _phrases(
    (r"\b(?:can't|can’t|can\s+not|may\s+not|must\s+not|cannot)\b", "Write `PLAYER cannot choose VALUE`."),
    (r"^\s*\w+\s+chooses\s+[\w.]+\s+\w", "Put the values in brackets: `PLAYER chooses NAME(VALUE)`."),
    (r"^\s*\w+\s+(?:choose|picks?|selects?|takes?|does|plays?)\b", "Write `PLAYER chooses VALUE`."),
    (r"^\s*\w+\s+(?:declined?|refuses?|passes|skips)\b", "Write `PLAYER declines`."),
    (rf"^\s*{_DRAWN}\s*$", "Write `winners nobody`: when nobody wins, the game is drawn."),
    (r"^\s*\w+\s+wins?\b|^\s*winner\b|^\s*winners\s+are\b", "Write `winners PLAYER`."),
    (r"^\s*\w+\s+pays?\s+\w+\s+(?:of\s+)?\w+", "Write what is paid in braces: `PLAYER pays {KIND: 2}`."),
    (r"^\s*(?:expect|assert|check|verify|ensure|test|so|now)\b", "Write `then CONDITION`."),
    (
        r"^\s*(?:set|let|assume|suppose|put)\b",
        "Write `given NAME is VALUE`; for a number or a setting, `with NAME = VALUE`.",
    ),
    (r"^\s*(?:do|call|execute|start)\b", "Write `run NAME`, or with values `run NAME(VALUE)`."),
    (r"^\s*(?:roll|draw|dice|random)\b", "Write `chance VALUE, VALUE`: what is rolled or drawn next, in order."),
    (r"^\s*(?:finish|done|end|over)\b", write("finished")),
    (r"^\s*player\b", "Write `players PLAYER, PLAYER`."),
    (r"^\s*(?!then|given|with|chance)\w[\w.\[\], ]*\s+is\b", "Write `then` in front of it."),
    (r"^\s*documented\b.*\bto\b", "Write the lines as `12-14`."),
)
"""In steps of examples."""

LAST = _phrases(
    (r"^\s*when\b.*\bthen\b", "Write `when CONDITION: VALUE`."),
    (r"\bthe\s+\w|\b(?:chooses?|roll|move|shuffle|to|from)\s+an?\s+\w", "Leave out the article."),
    (r"^winner\b.*[^,\s]\s+then\b", "A comma stands before each `then`: `winner most A, then fewest B, then shared`."),
    (
        r"\btake\s+turns\b.*\b(?:back(?:wards?)?|reversed?|(?:anti|counter-?)clockwise)\b",
        "Backwards round the table is `take turns p from FIRST, then prev(p)`.",
    ),
    (r"\btake\s+turns\b.*[^,\s]\s+then\b", "A comma stands before `then`: `take turns p from FIRST, then NEXT`."),
    (r"\bthen\b", "The line ends after the condition; what happens then goes below it, indented."),
    (r"\d+\.\d+(?!\.)", "Only whole numbers exist; count in smaller units."),
    (r"\{\s*\w+\s*(?:,\s*\w+\s*)*\}", "Pieces are written `{KIND: 2}`, lists and sets `[a, b]`."),
    (
        r"\b(?!(?:part|examples?|variant|one)\b)[A-Za-z_]\w*\s+of\b",
        "What belongs to something goes in brackets: `NAME[p]`.",
    ),
    (
        r"\b\d+\s+(?!(?:by|for|of|from|to|or|and|is|then|until|where|while|otherwise|times)\b)[A-Za-z_]\w*",
        "To multiply, write `2 * x`; pieces are written `{KIND: 2}`.",
    ),
)
"""Wherever nothing else is found."""


_RULES = ("rule", "before", "after", "replace rule", "replace option", "extend rule")


def _tables(text: str, item: str) -> tuple[tuple[Phrase, ...], dict[str, str]]:
    """The phrases and the forms for a line of an item that begins with the line ``item``."""
    if text[:1].isspace() and item.startswith("example"):
        return IN_EXAMPLES, EXAMPLE
    if text[:1].isspace() and item.startswith(_RULES):
        return IN_RULES, STEPS
    return IN_ITEMS, ITEMS


_LONGEST = 300  # characters of a line in which phrases are looked for; people's slips are shorter


def phrase(text: str, at: int, item: str) -> Found | None:
    """The phrase that stands at the place ``at`` (from 0) of a line, or right before it; ``item``: its first line."""
    if len(text) > _LONGEST:
        return None
    own, _ = _tables(text, item)
    for row in (*COMPARING, *own, *LAST):
        for match in row.found.finditer(text):
            if match.start() <= at and not text[match.end() : at].strip():
                return _found(row, match)
    return None


def _found(row: Phrase, match: re.Match[str]) -> Found:
    if match.groupdict().get("wrong") is not None:
        return Found(row, *match.span("wrong"))
    words = match.group()
    return Found(row, match.end() - len(words.lstrip()), match.start() + len(words.rstrip()))


def form(text: str, item: str, whole: bool = False) -> str | None:
    """How the line is written, as its own first word or verb says, or as the item's first line ``item`` does.

    ``whole``: the line as a whole is refused where it stands, so its own first word says nothing.
    """
    words = re.findall(r"[\w.]+", text)
    while len(words) > 1 and words[0] in ("openly", "surely"):
        words = words[1:]
    _, forms = _tables(text, item)
    inside = INSIDE.get(item.split(" ", 1)[0]) if text[:1].isspace() else None
    if not words or whole or (words[0] in ("otherwise", "when") and item.startswith(("number", "define"))):
        return inside
    if words[0] in forms:
        return forms[words[0]]
    for verb in words[1:]:
        if verb in DOING and forms is not ITEMS:
            return "`PLAYER pays {KIND: 2}`" if forms is EXAMPLE and verb == "pays" else _chosen(verb, forms is EXAMPLE)
    return inside


def _chosen(verb: str, example: bool) -> str:
    if example and verb == "chooses":
        return "`PLAYER chooses VALUE`, or an option `PLAYER chooses NAME(VALUE)`"
    return DOING[verb]


_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_MEANT: dict[str, str | Help] = {
    "true": write("yes"),
    **dict.fromkeys(("dice", "die", "d6"), "Write the numbers on it, such as `1..6`, or a table of its faces."),
    "false": write("no"),
    **dict.fromkeys(
        ("null", "nil", "nobody", "noone", "nothing", "empty", "unset"),
        write("none", "Write `none`; for a place, `count(...) is 0`."),
    ),
    **{word: write(str(number)) for number, word in enumerate(_NUMBERS)},
}
_COUNTED = ("number", "size", "length", "len", "amount", "total", "how_many")
_CALLED: dict[str, str | Help] = {
    **dict.fromkeys(_COUNTED, write("count", "Write `count(...)`.")),
    "any": write("some", "Write `some(...)`."),
    "all": write("every", "Write `every(...)`."),
    **dict.fromkeys(("random", "dice", "die"), "Chance comes from `roll x in 1..6`, on a line of its own."),
}
_PLAYERS = dict.fromkeys(
    ("everybody", "everyone", "all", "anybody"),
    "Go through them: `each q in Player`. Where all win, write `everybody wins`.",
)
_TYPES: dict[str, str | Help] = {
    **dict.fromkeys(
        ("number", "int", "integer", "numeric", "count", "counter"), "Write its bounds, for example `0..99`."
    ),
    **dict.fromkeys(("bool", "boolean", "yesno"), write("flag")),
    **dict.fromkeys(("string", "str", "text", "name"), "Rules keep no texts; make an enum of the possible values."),
    **dict.fromkeys(
        ("list", "array", "dict", "map"), "Write `pool of`, `bag of` or `stack of` for pieces, `set of` for a set."
    ),
}


def meant(name: str, what: str) -> str | Help | None:
    """Help for a word that means something elsewhere; ``what`` was looked for (``thing``, ``type``, ...)."""
    word = name.lower()
    table = {"type": _TYPES, "definition": _CALLED}.get(what, _MEANT)
    return _PLAYERS.get(word, table.get(word)) if what == "Player" else table.get(word)
