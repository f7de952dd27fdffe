"""An explained game as one HTML page that needs nothing else, not even a script. Links lead from step to step."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from ..pictures.paint.svg import sheet
from ..rulebook.languages.catalogue import say
from ..web import page
from ..wording import Told
from .leaves import Basis, Leaf, Point

STYLE = """\
body { margin: 0 auto; max-width: 68rem; padding: 1.25rem; line-height: 1.55; }
h1 { font-size: 1.6rem; margin: 0 0 1rem; }
h2 { font-size: 1.2rem; line-height: 1.35; margin: .6rem 0; }
.symbols { position: absolute; }
.pager { display: flex; justify-content: space-between; gap: 1rem; margin: 0; color: var(--soft); }
.pager span { min-width: 6rem; text-align: center; }
.pager span:first-child { text-align: left; }
.pager span:last-child { text-align: right; }
.pager a { display: inline-block; padding: .6rem 0; }
.picture svg { display: block; max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: 6px; }
.points { list-style: "★ "; padding-left: 1.4rem; }
.leaf details { margin: 1rem 0; color: var(--soft); }
.end { font-weight: bold; border-top: 1px solid var(--line); padding-top: .6rem; }
summary { padding: .3rem 0; }
nav { font-size: .875rem; }
nav ol { max-height: 70vh; overflow-y: auto; padding-left: 2.4rem; }
nav a { text-decoration: none; color: inherit; }
nav a:hover, nav a:focus { text-decoration: underline; }
.star { color: var(--accent); }
.columns { display: flex; flex-direction: column-reverse; gap: 1.5rem; }
@media (min-width: 62rem) { .columns { display: grid; grid-template-columns: 18rem minmax(0, 1fr); gap: 2.5rem; } }
@supports selector(:has(*)) {
  @media screen {
    .leaf { display: none; }
    .leaf:target, main:not(:has(.leaf:target)) .leaf:first-of-type { display: block; }
  }
}
@media print {
  nav, .pager a { display: none; }
  .leaf { break-inside: avoid; margin-bottom: 1.5rem; }
}
"""


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
    whole = f"""{shared(symbols)}
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
</div>"""
    return page(title, lang or "en", whole, STYLE, sheet())


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
