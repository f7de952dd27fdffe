"""Style of an explained game: one step at a time on a screen, all of them one after another on paper."""

STYLE = """\
:root { --paper: #fdfcf9; --ink: #22201c; --soft: #6b655b; --line: #ddd6c9; --accent: #7a3e1d; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #1b1a18; --ink: #e8e3da; --soft: #a29a8c; --line: #3d3933; --accent: #e0a070; }
}
* { box-sizing: border-box; }
html { color-scheme: light dark; }
body {
  margin: 0 auto; max-width: 68rem; padding: 1.25rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
}
h1 { font-size: 1.6rem; margin: 0 0 1rem; }
h2 { font-size: 1.2rem; line-height: 1.35; margin: .6rem 0; }
a { color: var(--accent); }
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
summary { cursor: pointer; padding: .3rem 0; }
code { font: .9em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
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
