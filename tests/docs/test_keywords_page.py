"""The keywords: each has its forms, which fit where the language page writes them and lead to what explains them."""

from __future__ import annotations

import re

import page
from paths import ROOT

from rulelang.codes import CODES
from rulelang.syntax.forms import forms, forms_at
from rulelang.syntax.layout import without_comment
from rulelang.syntax.mistakes import keywords
from tests.tools import keywords_page
from tests.tools.codes_pages import anchor

NAMES = {"may", "pay", "part", "spot", "set", "step", "seen", "row", "turned", "last", "one", "out", "a"}
"""Keywords that the page of the language also uses as names."""


def test_there_are_forms_for_every_keyword_and_for_nothing_else() -> None:
    assert {word for form in forms() for word in form.keywords} == keywords()


def test_every_form_leads_to_a_passage() -> None:
    assert {form.section for form in forms()} <= {anchor(heading) for heading in page.headings()}


def test_every_code_leads_to_a_passage() -> None:
    led = {tuple(code.see.split(": ", 1)) for code in CODES.values()}
    assert {(file, heading) for file, heading in led if heading not in page.headings(ROOT / file)} == set()


def test_the_page_is_up_to_date() -> None:
    assert keywords_page.PAGE.read_text(encoding="utf-8") == keywords_page.page(), (
        "run: python -m tests.tools.keywords_page"
    )


def test_every_keyword_on_the_page_of_the_language_is_in_one_of_its_forms() -> None:
    lost = {}
    for block in page.blocks():
        if block.language != "rules" or "wrong" in block.words:
            continue
        for line in block.text.splitlines():
            code = re.sub('"[^"]*"', lambda text: "_" * len(text[0]), without_comment(line))
            for found in re.finditer(r"(?<![.\w])\w+\b(?!\.)", code):
                if found[0] in keywords() - NAMES:
                    told = forms_at(line, *found.span())
                    if not any(form.fits(code[: found.start()], found[0], code[found.end() :]) for form in told):
                        lost[found[0]] = line
    assert lost == {}


def test_the_fullest_form_that_fits_is_told_and_nothing_in_a_comment_or_a_text() -> None:
    line = "  set seen to set(h in Hill where free(h))  # set"
    told = [[form.text for form in forms_at(line, *found.span())] for found in re.finditer(r"\bset", line)]
    assert told == [["set NAME to VALUE"], ["set(VALUES)"], []]
    assert forms_at('  because "set"', 11, 14) == []
