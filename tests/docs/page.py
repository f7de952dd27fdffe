"""Reading the language page: its fenced blocks and what each of them is for.

The word after the opening fence is the language, the words after it say what to do; readers see neither.

- ``rules file=PATH``: a whole file of a game. ``rules edit=PATH``: items that replace those of the same name, or are
  added. After each of them the game must be sound. ``csv`` and ``markdown`` files come with ``file=`` as well.
- ``rules part=PATH``: adds to a file; the game is looked at when the page is read.
- ``rules body=GAME``: statements, run by a player ``p``. ``rules steps=GAME``: the steps of one example.
- ``rules items=GAME``, ``rules variant=GAME``: items of a part, items of a variant.
- ``wrong=CODE,CODE`` beside one of these: each paragraph has exactly one mistake, and shows the message in comments.
- ``console``: commands after ``$`` and what they print; ``...`` stands for anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import attrs
from paths import DOCS

PAGE = DOCS / "language.md"
TUTORIAL = DOCS / "tutorial.md"
TARGETS = ("file", "edit", "part", "body", "steps", "items", "variant")
_FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.M | re.S)
_MESSAGE = re.compile(r"# (?:error\[(R[0-9]{4})\]: (.+)|help: (.+))")
_NAMED = re.compile(
    r"(enum|range|grid|table|number|option|reading|define|graph|event|invariant|rule|example)\s+([\w.]+)"
    r"|(game|winner)\b|((?:the game|each .*) has)"
)


@attrs.frozen
class Block:
    """A fenced block; ``page`` is the name of its page, ``line`` that of its opening fence."""

    page: str
    line: int
    language: str
    words: dict[str, str]
    text: str

    @property
    def target(self) -> str | None:
        """What is done with it, one of TARGETS."""
        found = [t for t in TARGETS if t in self.words]
        return found[0] if len(found) == 1 else None

    @property
    def name(self) -> str:
        """The file or the game it is for."""
        return self.words[self.target or ""]

    def __str__(self) -> str:
        return (
            f"{self.page}:{self.line}: {self.language} {' '.join(f'{k}={v}' for k, v in self.words.items())}".rstrip()
        )


def headings(path: Path = PAGE) -> list[str]:
    """The headings of a page."""
    return re.findall(r"^#+ (.+)$", _FENCE.sub("", path.read_text(encoding="utf-8")), re.M)


def blocks(path: Path = PAGE) -> list[Block]:
    """The fenced blocks of a page in order."""
    page = path.read_text(encoding="utf-8")
    found = []
    for match in _FENCE.finditer(page):
        language, *words = match[1].split()
        pairs = dict(word.split("=", 1) for word in words)
        found.append(Block(path.stem, page.count("\n", 0, match.start()) + 1, language, pairs, match[2]))
    return found


def fences(path: Path = PAGE) -> int:
    """How many fences a page has, however they are written."""
    return sum(line.lstrip().startswith(("```", "~~~")) for line in path.read_text(encoding="utf-8").split("\n"))


# ---------------------------------------------------------------- games that grow


def items(text: str) -> list[tuple[str, str]]:
    """The items of a file with their names; what stands before the first item belongs to it."""
    starts = [m.start() for m in re.finditer(r"^(?=[^\s#])", text, re.M)]
    if not starts:
        return []
    cuts = [0, *starts[1:], len(text)]
    parts = [text[a:b] for a, b in pairwise(cuts)]
    return [(_name(part), part.strip("\n") + "\n") for part in parts]


def _name(item: str) -> str:
    first = next(line for line in item.split("\n") if line and not line.startswith("#"))
    match = _NAMED.match(first)
    return first if match is None else " ".join(g for g in match.groups() if g)


def edited(old: str, change: str) -> str:
    """The file with the items of ``change`` in place of those of the same name, new ones before the first rule."""
    have = items(old)
    for name, text in items(change):
        at = [i for i, (known, _) in enumerate(have) if known == name]
        if at:
            have[at[0]] = (name, text)
        else:
            rules = [i for i, (known, _) in enumerate(have) if known.startswith("rule ")]
            have.insert(len(have) if name.startswith("rule ") else rules[0], (name, text))
    return "\n".join(text for _, text in have)


Files = dict[str, str]


def stages(path: Path = PAGE) -> Iterator[tuple[Block, str, Files]]:
    """After each block that changes a game: the block, the game's folder, the files of the whole page so far."""
    files: Files = {}
    for block in blocks(path):
        if block.target not in ("file", "edit", "part") or "wrong" in block.words:
            continue
        before = files.get(block.name, "")
        if block.target == "file":
            files[block.name] = block.text
        elif block.target == "edit":
            files[block.name] = edited(before, block.text)
        else:
            files[block.name] = f"{before}\n{block.text}" if before else block.text
        yield block, block.name.split("/")[0], dict(files)


def final_files(path: Path = PAGE) -> Files:
    """All files as they are at the end of the page."""
    *_, (_, _, files) = stages(path)
    return files


def write(files: Files, folder: Path) -> Path:
    """Writes the files below the folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


# ---------------------------------------------------------------- snippets


def snippet_file(block: Block) -> str:
    """A rules file around a snippet: a part, a variant or examples of its game."""
    kind, text = block.target, block.text
    inside = "".join(f"  {line}\n" if line else "\n" for line in text.rstrip("\n").split("\n"))
    if kind == "body":
        return f"part of {block.name}\n\nrule snippet(p: Player)\n{inside}"
    if kind == "steps":
        return f"examples of {block.name}\n\nexample snippet\n{inside}"
    if kind == "variant":
        return f'variant snippet of {block.name}\n  "A snippet of the page."\n\n{text}'
    return f"part of {block.name}\n\n{text}"


@attrs.frozen
class Mistake:
    """A snippet that is wrong, and the message it shows. A help that ends with ``...`` is shown in part."""

    snippet: Block
    code: str
    message: str
    help: str | None

    def __str__(self) -> str:
        return f"{self.snippet.page}:{self.snippet.line}: {self.code}"


def mistakes(block: Block) -> list[Mistake]:
    """The mistakes of a wrong block. Raises ValueError when a paragraph shows no message, or another code."""
    found = []
    codes = block.words["wrong"].split(",")
    line = block.line
    for code, paragraph in zip(codes, block.text.split("\n\n"), strict=True):
        told = [m for text in paragraph.split("\n") if (m := _MESSAGE.fullmatch(text.strip()))]
        heads = [m for m in told if m[1]]
        if len(heads) != 1 or heads[0][1] != code:
            raise ValueError(f"{block}: the paragraph at line {line + 1} does not show the message of {code}")
        helps = [m[3] for m in told if m[3]]
        snippet = attrs.evolve(block, line=line, text=paragraph.rstrip("\n") + "\n")
        found.append(Mistake(snippet, code, heads[0][2], helps[0] if helps else None))
        line += paragraph.count("\n") + 2
    return found
