"""Style of a printed rulebook: one style sheet for light and dark screens and for paper."""

STYLE = """\
:root {
  --paper: #fdfcf9; --ink: #22201c; --soft: #6b655b; --line: #ddd6c9; --accent: #7a3e1d;
  --value: #fbe6a6; --added: #dcf0d9; --removed: #8f2f25; --aside: #f3efe6;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #1b1a18; --ink: #e8e3da; --soft: #a29a8c; --line: #3d3933; --accent: #e0a070;
    --value: #5d4b12; --added: #24452a; --removed: #e08a7d; --aside: #26241f;
  }
}
* { box-sizing: border-box; }
html { color-scheme: light dark; scroll-behavior: smooth; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 1.0625rem/1.6 "Iowan Old Style", "Palatino Linotype", Palatino, "Book Antiqua", Georgia, serif;
}
a { color: inherit; }
.page { max-width: 68rem; margin: 0 auto; padding: 2.5rem 1.25rem 5rem; }
header { border-bottom: 1px solid var(--line); margin-bottom: 2rem; padding-bottom: 1.25rem; }
h1 { font-size: 2.75rem; line-height: 1.1; margin: 0 0 .5rem; letter-spacing: -.01em; }
header p { margin: .15rem 0; color: var(--soft); }
h2 { font-size: 1.45rem; line-height: 1.25; margin: 2.5rem 0 .6rem; color: var(--accent); }
h2 a { text-decoration: none; }
nav, .changes, .unworded {
  font: .875rem/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
}
nav ol, .changes ol { margin: 0; padding: 0; list-style: none; }
nav strong, summary, .unworded strong {
  display: block; margin-bottom: .5rem; color: var(--soft); font-size: .75rem;
  letter-spacing: .08em; text-transform: uppercase;
}
nav a { display: block; padding: .2rem 0; text-decoration: none; color: var(--soft); }
nav a:hover, nav a:focus { color: var(--accent); text-decoration: underline; }
main { max-width: 42rem; }
main p { margin: 0 0 .7rem; hyphens: auto; }
.symbols { position: absolute; }
.symbol { width: 1.15em; height: 1.15em; vertical-align: -.22em; margin-right: .2em; }
.doubt { text-decoration: underline dotted; text-underline-offset: .2em; }
.doubt-note { padding-left: .8rem; border-left: 3px solid #b8860b; font-size: .9rem; }
.section { position: relative; }
.section > .id {
  position: absolute; right: 100%; margin-right: .4rem; padding: 0 .25rem; color: var(--soft); text-decoration: none;
  font: .9rem/1.9 system-ui, sans-serif; opacity: 0;
}
.section:hover > .id, .section > .id:focus { opacity: 1; }
.aside {
  margin: .1rem 0 .9rem; padding: .35rem .8rem; border-left: 3px solid var(--line); background: var(--aside);
  font-size: .95rem;
}
.borrowed { color: var(--soft); font-style: italic; }
.borrowed small { font-style: normal; }
:target { outline: 2px solid var(--accent); outline-offset: 3px; border-radius: 2px; }
mark { background: var(--value); color: inherit; padding: 0 .15em; border-radius: 2px; }
ins { background: var(--added); text-decoration: none; padding: 0 .1em; border-radius: 2px; }
del { color: var(--removed); text-decoration: line-through; }
sup { line-height: 0; font-size: .7em; }
sup a { text-decoration: none; color: var(--accent); padding: 0 .1em; }
.changes, .unworded {
  max-width: 42rem; margin: 0 0 2rem; padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: 6px;
}
summary { display: list-item; cursor: pointer; font-weight: bold; }
details:not([open]) summary { margin: 0; }
.changes li { padding: .3rem 0 .3rem 2rem; position: relative; }
.changes li + li { border-top: 1px solid var(--line); }
.changes .number { position: absolute; left: 0; color: var(--accent); text-decoration: none; }
figure { margin: 1.2rem 0 1.8rem; }
.pictures.several { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; align-items: start; }
figure img { display: block; max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: 6px; }
figcaption, figure ol, figure .steps {
  font: .875rem/1.45 system-ui, sans-serif; color: var(--soft); margin-top: .5rem;
}
figure ol { columns: 12rem; padding-left: 1.8rem; }
figure .steps { columns: auto; color: var(--ink); font-size: .9rem; margin: .5rem 0 0; }
figure.example { padding: .8rem 1rem; background: var(--aside); border-left: 3px solid var(--line); }
figure .lead { font: bold .95rem/1.4 system-ui, sans-serif; margin: 0 0 .5rem; }
.matter h3 { font-size: 1.1rem; margin: 1.4rem 0 .4rem; }
.matter ol, .matter ul { padding-left: 1.4rem; margin: .3rem 0 .8rem; }
.matter li { margin: .25rem 0; }
.matter li > .aside { margin: .2rem 0 .4rem; }
.matter li a, .matter th a, .index a, figure ol a { text-decoration: none; }
.matter li a:hover, .matter th a:hover, .index a:hover, figure ol a:hover { text-decoration: underline; }
.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font: .875rem/1.4 system-ui, sans-serif; margin: .4rem 0 1.2rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid var(--line); }
thead th { color: var(--soft); }
tbody th { font-weight: normal; }
tbody th.group { font-weight: bold; padding-top: .7rem; }
.index { columns: 14rem; font-size: .9rem; }
.index dt { font-weight: bold; break-after: avoid; }
.index dd { margin: 0 0 .4rem 0; color: var(--soft); break-inside: avoid; }
@media screen and (max-width: 44rem) { .pictures.several { grid-template-columns: 1fr; } }
code { font: .82em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; color: var(--soft); }
.kind { color: var(--soft); }
.unworded code { margin-right: .6em; }
@media (min-width: 62rem) {
  .columns { display: grid; grid-template-columns: 15rem minmax(0, 42rem); gap: 3.5rem; }
  nav { position: sticky; top: 1.5rem; align-self: start; max-height: calc(100vh - 3rem); overflow-y: auto; }
  main > h2:first-child { margin-top: 0; }
}
@media print {
  :root {
    --paper: #fff; --ink: #000; --soft: #555; --line: #bbb; --accent: #000;
    --value: #eee; --added: #eee; --removed: #555; --aside: #fff;
  }
  @page { margin: 18mm 16mm; }
  html { color-scheme: light; }
  body { font-size: 10.5pt; line-height: 1.42; }
  .page { max-width: none; padding: 0; }
  .columns { display: block; }
  main, .changes, .unworded { max-width: none; }
  nav ol { columns: 3; }
  nav { margin-bottom: 1.5rem; }
  .section > .id { display: none; }
  details::details-content { content-visibility: visible; block-size: auto; }
  h1, h2 { break-after: avoid; }
  main p, .changes li { orphans: 3; widows: 3; break-inside: avoid; }
  figure, tr, .matter li { break-inside: avoid; }
  figure img { max-height: 150mm; width: auto; }
  .pictures.several img { max-height: 118mm; }
  .matter.whole { break-inside: avoid; }
  mark, ins { border-bottom: 1px solid #000; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
"""
