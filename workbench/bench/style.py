"""Style of the page of a comparison, beside what all pages share."""

STYLE = """\
:root { --band: #ebe7de; --gold: #b98700;
  --changed: #b64a00; --same: #0065a3; --open: #6a6f78; --a: #6a6f78; --b: #b64a00; }
@media (prefers-color-scheme: dark) { :root {
  --band: #33302b; --gold: #e0b23c; --changed: #ff9d5c; --same: #6cb8ee; --open: #a2a9b2; --a: #a2a9b2;
  --b: #ff9d5c; } }
body { margin: 0 auto; padding: 1.5rem 1.25rem 4rem; max-width: 68rem; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .3rem; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .3rem; }
h3 { font-size: 1.05rem; margin: 2rem 0 .3rem; }
p { margin: .4rem 0 .8rem; max-width: 46rem; }
.soft, caption, figcaption { color: var(--soft); font-size: .9rem; text-align: left; }
.who { background: var(--aside); border-left: 4px solid var(--gold); padding: .6rem .9rem; }
.changed { color: var(--changed); font-weight: 600; }
.same, .small { color: var(--same); }
.unsettled { color: var(--open); }
.scroll { overflow-x: auto; }
table { width: 100%; font-size: .93rem; margin: .4rem 0; }
th, td { padding: .35rem .5rem; vertical-align: middle; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
thead th { color: var(--soft); font-weight: 500; font-size: .85rem; vertical-align: bottom; }
tbody th { font-weight: 600; }
tbody th small, thead small { font-weight: 400; color: var(--soft); }
td .strip { display: block; width: 8.1rem; }
td .value { white-space: nowrap; font-variant-numeric: tabular-nums; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); gap: 1rem 1.5rem;
  margin: .8rem 0; }
figure { margin: 0; }
svg { width: 100%; height: auto; display: block; overflow: visible; }
.verdicts { list-style: none; padding: 0; }
.sights { display: grid; grid-template-columns: repeat(auto-fit, minmax(18rem, 1fr)); gap: 1rem 1.5rem; }
.sights figure { display: grid; grid-row: span 2; grid-template-rows: subgrid; align-content: start; gap: .4rem; }
.sights svg { max-width: 34rem; border: 1px solid var(--line); border-radius: 6px; }
.symbols { position: absolute; }
.plots svg { max-width: 24rem; }
svg.plot text { fill: currentColor; font-size: 10px; }
svg.plot text.number { text-anchor: end; font-variant-numeric: tabular-nums; }
svg.plot .band { fill: var(--band); }
svg.plot .zero { stroke: var(--soft); stroke-width: 1; }
svg.plot .reach { stroke: currentColor; stroke-width: 2; }
svg.plot .changed { fill: var(--changed); stroke: var(--changed); }
svg.plot .small { fill: var(--paper); stroke: var(--same); stroke-width: 1.5; }
svg.plot .same { fill: var(--same); stroke: var(--same); }
svg.plot circle.unsettled { fill: var(--paper); stroke: var(--open); stroke-width: 1.5; }
svg.plot line.unsettled { stroke: var(--open); }
svg.plot .a { stroke: var(--a); } svg.plot .b { stroke: var(--b); }
svg.plot .area { fill: var(--band); }
svg.plot .line { fill: none; stroke-width: 2; }
svg.plot .dashed { stroke-dasharray: 5 3; }
svg.plot .hatch { fill: url(#h); stroke-width: 1; }
svg.plot .fill { fill: var(--b); stroke: none; }
.key { font-size: .85rem; color: var(--soft); }
.key b { display: inline-block; width: 1.4rem; height: .55rem; margin-right: .3rem; border: 2px solid var(--a); }
.key b.two { border-color: var(--b); background: var(--b); }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--aside); padding: .6rem .9rem; }
details { margin: .6rem 0; }
.changes details { display: inline-block; vertical-align: top; margin: 0 1.2rem 0 0; }
summary { color: var(--same); }
del { color: var(--changed); } ins { color: var(--same); text-decoration-thickness: 1px; }
@media (max-width: 40rem) { body { padding: 1rem .8rem 3rem; } h1 { font-size: 1.4rem; }
  td .strip { width: 5.5rem; } th, td { padding: .3rem .35rem; } }
@page { margin: 1.5cm; }
@media print { body { max-width: none; padding: 0; font-size: .9rem; } h2, h3, h4, caption { break-after: avoid; }
  figure, tr, li { break-inside: avoid; } .sights { grid-template-columns: repeat(3, 1fr); }
  details > * { display: block; } details::details-content { content-visibility: visible; block-size: auto; } }
"""
