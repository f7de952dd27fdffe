"""Mentions in the files of a table's rows: columns in the first line, rows in the first column, names in the cells."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ..source import SourceFile, Span
from ..syntax.parse import WORD
from ..words import WORDS
from .marks import Mention

_CELL = re.compile(r'(?:"[^"]*"|[^,"])+')


def mentions_in_rows(table: str, source: SourceFile, domains: Mapping[str, str]) -> Iterator[Mention]:
    """The mentions in a csv file with rows of ``table``. ``domains``: of columns that hold members, by column."""
    header: list[str] = []
    for number, line in enumerate(source.lines, 1):
        for position, cell in enumerate(_CELL.finditer(line)):
            for word in WORD.finditer(line, cell.start(), cell.end()):
                span = Span(source.name, number, word.start() + 1, number, word.end() + 1)
                if number == 1:
                    header.append(word[0])
                if number == 1 and position == 0:
                    break
                if number == 1:
                    yield Mention("column", word[0], span, of=table)
                elif position == 0:
                    yield Mention("member", word[0], span, declares=True, of=table)
                    break
                elif word[0] not in WORDS:
                    domain = domains.get(header[position]) if position < len(header) else None
                    yield Mention("value" if domain is None else "member", word[0], span, of=domain)
