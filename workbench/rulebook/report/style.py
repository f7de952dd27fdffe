"""Style of the report: one style sheet for light and dark screens and for paper."""

from __future__ import annotations

from collections.abc import Iterable

STYLE = """\
:root {
  --paper: #fbfbfa; --card: #fff; --ink: #1e2227; --soft: #5c6570; --line: #d9dde2; --accent: #1f5f8b;
  --value: #fdf0c4; --error: #a8201a; --error-bg: #fdeceb; --warning: #7a4b00; --warning-bg: #fff3dc;
  --note: #2b5876; --note-bg: #eaf2f8; --good: #1d6b3a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15181c; --card: #1c2025; --ink: #e4e7ea; --soft: #9aa4af; --line: #353c44; --accent: #7cbbe6;
    --value: #4c4012; --error: #ff9a92; --error-bg: #3d1a18; --warning: #f0c070; --warning-bg: #3a2a0c;
    --note: #9ccbea; --note-bg: #182b3a; --good: #7fd3a0;
  }
}
* { box-sizing: border-box; }
html { color-scheme: light dark; scroll-padding-top: 1rem; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: .95rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
}
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: 2px; }
a:focus-visible, input:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--card); padding: .5rem; z-index: 2; }
.layout { display: grid; grid-template-columns: 17rem minmax(0, 1fr); }
.side {
  position: sticky; top: 0; align-self: start; height: 100vh; overflow-y: auto; padding: 1.25rem;
  border-right: 1px solid var(--line); font-size: .85rem;
}
.side fieldset { border: 0; margin: 0 0 1rem; padding: 0; }
.side legend, .side h2 {
  margin: 0 0 .3rem; padding: 0; font-size: .75rem; font-weight: 600; letter-spacing: .06em; color: var(--soft);
  text-transform: uppercase;
}
.side label { display: flex; gap: .4rem; align-items: baseline; padding: .08rem 0; }
.side label .n { margin-left: auto; color: var(--soft); font-variant-numeric: tabular-nums; }
.side ol { list-style: none; margin: 0; padding: 0; }
.side li a { display: block; padding: .12rem 0; text-decoration: none; color: var(--ink); }
.side li a:hover { text-decoration: underline; }
main { padding: 1.75rem 2rem 6rem; max-width: 110rem; }
h1 { font-size: 2rem; line-height: 1.15; margin: 0 0 .25rem; }
.lead { color: var(--soft); margin: 0 0 1.5rem; max-width: 60rem; }
h2.chapter { font-size: 1.3rem; margin: 2.75rem 0 .5rem; padding-bottom: .3rem; border-bottom: 2px solid var(--line); }
h2.chapter span + span::before { content: "\\00b7"; color: var(--soft); font-weight: 400; margin: 0 .4em; }
h2.chapter span + span { font-weight: 400; font-size: .8em; color: var(--soft); }
h3 { font-size: 1rem; margin: 1.6rem 0 .35rem; }
h3 a, th a { color: inherit; text-decoration: none; }
h3 a:hover, th a:hover { text-decoration: underline; }
code, pre, .id {
  font-family: ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; font-size: .86em;
}
table { border-collapse: collapse; width: 100%; background: var(--card); }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; border: 1px solid var(--line); }
thead th { font-size: .78rem; color: var(--soft); font-weight: 600; }
table.statements { table-layout: fixed; }
table.statements .id { width: 3.2rem; color: var(--soft); font-weight: 400; }
table.statements .sources { width: 10rem; font-size: .8rem; color: var(--soft); }
table.statements td, table.statements th { overflow-wrap: break-word; }
table.numbers { width: auto; margin-bottom: .75rem; }
table.numbers td, table.numbers thead th + th { text-align: right; font-variant-numeric: tabular-nums; }
table.numbers tbody th { font-weight: 400; }
table.numbers .zero { color: var(--soft); }
table.numbers tr.rule > * { border-top: 2px solid var(--line); }
table.passages .lines { width: 6rem; white-space: nowrap; font-weight: 400; }
table.passages .kind { width: 7rem; }
.scroll { overflow-x: auto; }
.v { background: var(--value); border-radius: 3px; padding: 0 .2em; }
.badge { display: inline-block; font-size: .75rem; margin-right: .9rem; color: var(--soft); }
.badge b { font-weight: 600; }
.badge.stale b { color: var(--error); }
.badge.new b { color: var(--warning); }
.badge.reviewed b { color: var(--good); }
.comment { margin: .3rem 0 0; font-size: .85rem; font-style: italic; color: var(--soft); }
.about { margin: 0 0 .4rem; font-size: .85rem; color: var(--soft); }
.about code { color: var(--ink); }
details { margin: 0 0 .5rem; }
td details { margin: .4rem 0 0; }
summary { cursor: pointer; font-size: .85rem; color: var(--soft); }
pre {
  margin: .35rem 0 .6rem; padding: .6rem .8rem; background: var(--card); border: 1px solid var(--line);
  border-radius: 4px; overflow-x: auto; line-height: 1.4;
}
.missing { color: var(--error); font-style: italic; }
.finding {
  margin: .4rem 0 0; padding: .3rem .5rem; border-left: 3px solid; border-radius: 0 3px 3px 0; font-size: .84rem;
}
.finding b { font-weight: 600; }
.finding .help { display: block; color: var(--ink); }
.finding.error { color: var(--error); background: var(--error-bg); }
.finding.warning { color: var(--warning); background: var(--warning-bg); }
.finding.note { color: var(--note); background: var(--note-bg); }
.silenced { margin: .4rem 0 0; font-size: .8rem; color: var(--soft); }
.quote { margin: .3rem 0 0; white-space: pre-wrap; font: .9rem/1.45 Georgia, serif; color: var(--ink); }
.plain { list-style: none; margin: 0; padding: 0; }
.all li { padding: .3rem 0; border-bottom: 1px solid var(--line); }
:target { outline: 2px solid var(--accent); outline-offset: -2px; }
h2:target, h3:target, section:target { outline-offset: 3px; }
.nothing { display: none; color: var(--soft); margin: 2rem 0; }
.unfit { display: none; }
@supports not selector(:has(a)) { .side form { display: none; } .unfit { display: block; } }
@media (max-width: 70rem) {
  .layout { display: block; }
  .side { position: static; height: auto; border-right: 0; border-bottom: 1px solid var(--line); }
  .side .contents { columns: 2; }
  main { padding: 1.25rem 1rem 4rem; }
  table.statements { min-width: 60rem; }
}
@media print {
  @page { size: A4 landscape; margin: 12mm; }
  :root {
    --paper: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #999; --accent: #000; --value: #eee;
    --error: #000; --warning: #000; --note: #000; --error-bg: #fff; --warning-bg: #fff; --note-bg: #fff; --good: #000;
  }
  body { font-size: 9pt; }
  .side, .skip, details:not([open]) { display: none; }
  .layout { display: block; }
  main { padding: 0; max-width: none; }
  tr, .finding { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
  thead { display: table-header-group; }
  a { text-decoration: none; color: inherit; }
  .v { border-bottom: 1px solid; border-radius: 0; }
}
"""


SERIOUS = "serious"
"""The name of the filter for errors and warnings."""

_MARKS = {"any": ".finding", SERIOUS: ":is(.error, .warning)"}


def filters(checks: Iterable[str], languages: Iterable[str]) -> str:
    """Rules by which the page's own inputs hide what does not fit, without a script.

    ``finding-NAME`` chooses a check, ``in-LANGUAGE`` where it must have been found, ``show-LANGUAGE`` the columns.
    """
    languages = tuple(languages)
    rules = [f"body:has(#show-{x}:not(:checked)) .col-{x} {{ display: none; }}" for x in languages]
    for check in (*_MARKS, *checks):
        mark = _MARKS.get(check, f".check-{check}")
        for where in ("any", *languages):
            wanted = mark if where == "any" else f".at-{where} {mark}"
            when = f"body:has(#finding-{check}:checked):has(#in-{where}:checked)"
            hidden = [f"{when} {box}:not(:has({wanted}))" for box in (".row", ".section", ".group")]
            rules.append(f"{', '.join(hidden)} {{ display: none; }}")
            rules.append(f"{when} main:not(:has(.row {wanted})) .nothing {{ display: block; }}")
    return "\n".join(rules) + "\n"
