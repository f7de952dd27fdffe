"""The tables of the automaton, beside the grammar or made from Lark's.

This is all that a text without mistakes needs, so Lark itself is imported only for one with mistakes, or when the
tables beside the grammar are not those of the grammar.
"""

from __future__ import annotations

import hashlib
import json
import re
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, cast

from .automaton import NAME, AutomatonTables, Production

if TYPE_CHECKING:
    from lark import Lark
    from lark.grammar import Rule

GRAMMAR = Path(__file__).with_name("grammar.lark")
ROWS = Path(__file__).with_name("grammar.rows")
_MARK = b"rulelang automaton 1 "


def read() -> AutomatonTables | None:
    """The tables beside the grammar; None if there are none, or not those of the grammar as it is now."""
    try:
        head, _, packed = ROWS.read_bytes().partition(b"\n")
        if head != _head():
            return None
        return cast(AutomatonTables, json.loads(zlib.decompress(packed)))
    except (OSError, zlib.error, ValueError):
        return None


def write(parser: Lark) -> None:
    """Writes the tables beside the grammar."""
    ROWS.write_bytes(_head() + b"\n" + zlib.compress(json.dumps(tables(parser)).encode(), 9))


def _head() -> bytes:
    return _MARK + hashlib.sha256(GRAMMAR.read_bytes()).hexdigest().encode()


def tables(parser: Lark) -> AutomatonTables:
    """What the automaton needs of a parser that Lark made. Raises ValueError for grammars that it cannot follow."""
    from lark.parsers.lalr_analysis import Shift

    made = parser.parser.parser._parse_table
    (start,), (end,) = made.start_states.values(), made.end_states.values()
    numbers = {rule: number for number, rule in enumerate(parser.rules)}
    rows = [
        {symbol: to if action is Shift else -1 - numbers[to] for symbol, (action, to) in made.states[state].items()}
        for state in range(len(made.states))
    ]
    order = sorted(parser.terminals, key=lambda t: (-t.priority, -t.pattern.max_width, -len(t.pattern.value), t.name))
    written = {t.pattern.value: t.name for t in order if t.pattern.type == "str"}
    terminals = [(t.name, t.pattern.to_regexp()) for t in order if t.pattern.type == "re"]
    name = re.compile(dict(terminals)[NAME])
    words = {text: terminal for text, terminal in written.items() if name.fullmatch(text)}
    signs = {text: terminal for text, terminal in written.items() if text not in words}
    for sign in signs:
        if any(re.match(pattern, sign) for _, pattern in terminals):
            raise ValueError(f"the sign {sign!r} looks like another terminal")
    return AutomatonTables(
        rows=rows,
        start=start,
        end=end,
        productions=[_production(rule) for rule in parser.rules],
        terminals=terminals,
        words=words,
        signs=signs,
        ignored=list(parser.parser.lexer_conf.ignore),
    )


def _production(rule: Rule) -> Production:
    """A production as Lark's options want it: terminals without a name left out, placeholders for what is optional."""
    options, symbols = rule.options, rule.expansion
    if not symbols:
        raise ValueError(f"{rule.origin.name} may be empty")
    marks = options.empty_indices or (False,) * len(symbols)
    parts: list[int | None] = []
    place = 0
    for missing in marks:
        if missing:
            parts.append(None)
            continue
        symbol = symbols[place]
        if not symbol.is_term:
            parts.append(-1 - place if symbol.name.startswith("_") else place)
        elif not symbol.filter_out:  # type: ignore[attr-defined]
            parts.append(place)
        place += 1
    name = rule.origin.name
    lone = bool(options.expand1) and not rule.alias
    terminals = [at for at in parts if at is not None and at >= 0 and symbols[at].is_term]
    if lone and terminals and len(symbols) > 1:
        raise ValueError(f"a terminal in {name} would stand for the whole of it")
    alone = lone and len(parts) == 1
    return Production(
        to=name,
        size=len(symbols),
        parts=parts,
        made=None if alone or name.startswith("_") else str(rule.alias or name),
        lone=lone,
    )
