"""The style sheet of the pictures: light, dark and print."""

from __future__ import annotations

_LIGHT = {
    "bg": "fill:#faf8f2", "ink": "fill:#1d1d1f", "dim": "fill:#5c5a55", "accent": "fill:#b04a10",
    "zone": "fill:#f1ece0;stroke:#dcd4c2", "panel": "fill:#fffefa", "field": "fill:#f6efdc;stroke:#bfb393",
    "paper": "fill:#fffefa", "back": "fill:#5b6b8f;stroke:#fffefa", "slot": "fill:none;stroke:#8d8778",
    "sq": "fill:#f3ead4;stroke:#bfb393", "sd": "fill:#ecdfc3;stroke:#bfb393", "cq": "fill:#f0dfba;stroke:#a88f60",
    "cd": "fill:#b98d5b;stroke:#a88f60", "edge": "stroke:#0009", "link": "stroke:#9b927e", "halo": "stroke:#fff",
    "ring": "stroke:#0a8f6a", "own": "stroke:#bfb393", "number": "fill:#9c3410",
}  # fmt: skip
_DARK = {
    "bg": "fill:#1f2124", "ink": "fill:#f0eee8", "dim": "fill:#b3b0a8", "accent": "fill:#ff9d5c",
    "zone": "fill:#2d3035;stroke:#484c53", "panel": "fill:#282b30", "field": "fill:#3b382f;stroke:#6d6750",
    "paper": "fill:#34373d", "back": "fill:#6c7ea6;stroke:#1f2124", "slot": "fill:none;stroke:#8d8f94",
    "sq": "fill:#4a4638;stroke:#6d6750", "sd": "fill:#413d31;stroke:#6d6750", "cq": "fill:#c9b48a;stroke:#5c4a30",
    "cd": "fill:#7d5c38;stroke:#5c4a30", "edge": "stroke:#fffb", "link": "stroke:#8b8674", "halo": "stroke:#000",
    "ring": "stroke:#3fd6a8", "own": "stroke:#6d6750", "number": "fill:#b8481c",
}  # fmt: skip


def sheet() -> str:
    """The rules, each class prefixed so that pages can hold pictures beside anything else."""
    base = 'text.rl{font-family:"DejaVu Sans","Rulelang Sans",Verdana,sans-serif}.rl-b{font-weight:700}'
    light = _rules(_LIGHT)
    dark = f"@media (prefers-color-scheme:dark){{{_rules(_DARK)}}}"
    return f"{base}{light}{dark}@media print{{{_rules(_LIGHT)}.rl-bg{{fill:#fff}}}}"


def ground(name: str) -> tuple[str, str]:
    """The colour that fills what has a class, as ``#rrggbb``: in light pictures and on paper, and in dark mode."""
    light, dark = (colours[name].partition("fill:")[2].partition(";")[0] for colours in (_LIGHT, _DARK))
    return light, dark


def _rules(colours: dict[str, str]) -> str:
    return "".join(f".rl-{name}{{{rule}}}" for name, rule in colours.items())
