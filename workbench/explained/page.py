"""An explained game as one HTML page that needs nothing else, not even a script. Links lead from step to step."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from ..pictures.paint.svg import sheet
from ..rulebook.languages.catalogue import say
from ..wording import Told
from .leaves import Basis, Leaf, Point
from .style import STYLE

_SYMBOL = re.compile(r'<symbol id="([^"]*)".*?</symbol>', re.DOTALL)
_FIRST = 90
"""Of the text of a step so many characters stand in the list of steps."""


def as_html(title: str, leaves: Sequence[Leaf], lang: str | None, end: str = "") -> str:
    """The page. ``title``: of the game; ``end``: how it ended, or that it goes on, as a sentence."""
    pictures, symbols = apart([leaf.picture or "" for leaf in leaves])
    pages = zip(leaves, pictures, strict=True)
    body = "\n".join(_leaf(leaf, n, len(leaves), svg, lang, end) for n, (leaf, svg) in enumerate(pages, 1))
    links = "\n".join(_link(leaf, number, lang) for number, leaf in enumerate(leaves, 1))
    steps = escape(say("explained_steps", lang))
    return f"""<!DOCTYPE html>
<html lang="{escape(lang or "en")}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="rulelang">
<title>{escape(title)}</title>
<style>
{STYLE}{sheet()}</style>
</head>
<body>
{shared(symbols)}
<h1>{escape(title)}</h1>
<div class="columns">
<nav aria-label="{steps}">
<details open>
<summary>{steps} ({len(leaves)})</summary>
<ol>
{links}
</ol>
</details>
</nav>
<main>
{body}
</main>
</div>
</body>
</html>
"""


def shared(symbols: str) -> str:
    """The element of a page that holds the symbols of its pictures; its class is ``symbols``."""
    return f'<svg width="0" height="0" class="symbols" aria-hidden="true"><defs>{symbols}</defs></svg>'


def apart(pictures: Sequence[str]) -> tuple[list[str], str]:
    """The pictures without the symbols they have in common, and these, each once."""
    found: dict[str, str] = {}

    def taken(match: re.Match[str]) -> str:
        found.setdefault(match[1], match[0])
        return ""

    return [_SYMBOL.sub(taken, picture) for picture in pictures], "".join(found.values())


def _heading(leaf: Leaf, number: int, lang: str | None) -> str:
    if number == 1 and leaf.player is None:
        return say("setup", lang)
    first = leaf.told[0] if leaf.told else Told(say("explained_nothing", lang))
    return first.chosen or first.news


def _link(leaf: Leaf, number: int, lang: str | None) -> str:
    text = _heading(leaf, number, lang).rstrip(".")
    short = text if len(text) <= _FIRST else text[: text.rfind(" ", 0, _FIRST)] + " ..."
    star = ' <span class="star">★</span>' if leaf.points else ""
    return f'<li><a href="#step-{number}">{escape(short)}</a>{star}</li>'


def _leaf(leaf: Leaf, number: int, all_: int, svg: str, lang: str | None, end: str) -> str:
    heading = _heading(leaf, number, lang)
    said = [text for told in leaf.told for text in (told.chosen, told.news) if text and text != heading]
    told = "".join(f"<p>{escape(text)}</p>" for text in said)
    points = "".join(map(_point, leaf.points))
    rules = "".join(_rule(rule) for rule in leaf.rules)
    parts = [
        _pager(number, all_, lang),
        f"<h2>{escape(heading)}</h2>",
        told,
        f'<ul class="points">{points}</ul>' if points else "",
        f'<div class="picture">{svg}</div>' if svg else "",
        f"<details><summary>{escape(say('explained_rules', lang))}</summary>{rules}</details>" if rules else "",
        f'<p class="end">{escape(end)}</p>' if end and number == all_ else "",
    ]
    return f'<section class="leaf" id="step-{number}">\n' + "\n".join(filter(None, parts)) + "\n</section>"


def _pager(number: int, all_: int, lang: str | None) -> str:
    before = _to(number - 1, "prev", f"← {say('explained_back', lang)}") if number > 1 else ""
    after = _to(number + 1, "next", f"{say('explained_on', lang)} →") if number < all_ else ""
    here = escape(say("explained_step", lang, n=number, all=all_))
    return f'<p class="pager"><span>{before}</span><span>{here}</span><span>{after}</span></p>'


def _to(number: int, rel: str, text: str) -> str:
    return f'<a rel="{rel}" href="#step-{number}">{escape(text)}</a>'


def _point(point: Point) -> str:
    reasons = ", ".join(f"<code>{escape(what)}</code> = {escape(value)}" for what, value in point.because)
    return f"<li>{escape(point.text)}{f' ({reasons})' if reasons else ''}</li>"


def _rule(rule: Basis) -> str:
    said = " ".join(rule.sentences)
    places = [rule.place, *(f"{language} {lines}" for language, lines in rule.passages)]
    where = escape(" · ".join(filter(None, places)))
    return f"<p><strong>{escape(rule.id)}</strong> {escape(said)} <small>{where}</small></p>"
