"""How each line is written, for editors, from ``advice.toml``. The forms name no game: NAME, KIND and VALUE stand for
what it has."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

ADVICE: dict[str, Any] = tomllib.loads(Path(__file__).with_name("advice.toml").read_text(encoding="utf-8"))

ITEMS: dict[str, str] = ADVICE["items"]
STEPS: dict[str, str] = ADVICE["steps"]
EXAMPLE: dict[str, str] = ADVICE["example"]
DOING: dict[str, str] = ADVICE["doing"]
INSIDE: dict[str, str] = ADVICE["inside"]

STARTS = frozenset({*ITEMS, *STEPS, *EXAMPLE})
"""The words that lines start with."""

STEP = "A step starts with a word like `set`, `move`, `if`, `each` or `do`, or with a player: `p chooses ...`."
EXAMPLE_STEP = "A step of an example starts with `given`, `run`, `chance`, `then`, ... or a player: `red chooses ...`."
ITEM = "In the first column stands an item: `enum`, `table`, `define`, `rule`, ... Steps are indented below a rule."
