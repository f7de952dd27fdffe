"""Scaffold of a new check, operation, statement or the like: ``python -m tests.tools.new KIND NAME``.

A kind is a text in ``tests/tools/kinds``: the files to write, the lines to change in others, what to run afterwards and
what is left to be thought about. What is written works and passes its tests before you touch it, so that you go from
green to green.
"""

from __future__ import annotations

import keyword
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import attrs

ROOT = Path(__file__).resolve().parents[2]
KINDS = Path(__file__).parent / "kinds"


class Refused(Exception):
    """Nothing has been written; the message says why."""


@attrs.frozen
class Kind:
    """``about``: what it is, in a line. ``new``: files by path; ``edits``: path, old lines and new ones, in order.
    ``code``: the family of a new code of findings. ``run``: commands that make generated files; ``test``: the tests of
    what is new; ``left``: what a person has to do. All of it with ``@name@`` and the like in it.
    """

    about: str
    new: Mapping[str, str]
    edits: Sequence[tuple[str, str, str]]
    code: str | None
    run: Sequence[str]
    test: str
    left: str


def names() -> list[str]:
    """The kinds that there are."""
    return sorted(path.stem for path in KINDS.glob("*.txt"))


def read(kind: str) -> Kind:
    """The kind of this name. Raises Refused."""
    if kind not in names():
        raise Refused(f"There is no kind {kind!r}; choose from {', '.join(names())}.")
    about, *parts = re.split(r"^=== ", (KINDS / f"{kind}.txt").read_text(encoding="utf-8"), flags=re.M)
    found: dict[str, list[tuple[str, str]]] = {word: [] for word in ("new", "edit", "code", "run", "test", "left")}
    for part in parts:
        head, _, text = part.partition("\n")
        word, _, argument = head.partition(" ")
        found[word].append((argument, text.strip("\n") + "\n"))
    edits = [(file, *_both(hunk)) for file, text in found["edit"] for hunk in text.strip("\n").split("\n\n")]
    code = found["code"][0][0] if found["code"] else None
    run = [command for command, _ in found["run"]]
    return Kind(about.strip(), dict(found["new"]), edits, code, run, found["test"][0][0], found["left"][0][1])


def _both(hunk: str) -> tuple[str, str]:
    """What a hunk takes away, and what it puts there."""
    lines = hunk.split("\n")
    old, new = ("\n".join(line[2:] for line in lines if line[0] == sign) for sign in "-+")
    return old, new


def written(kind: Kind, name: str, root: Path) -> dict[str, str]:
    """The files that come or change, by path, with what they will hold. Raises Refused; nothing is written yet."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name) or keyword.iskeyword(name):
        raise Refused(f"{name!r} is not a name: write small letters and digits, words joined by `_`.")
    filled = filling(kind, name, root)
    made: dict[str, str] = {}
    for path, text in kind.new.items():
        path = filled(path)
        if (root / path).exists():
            raise Refused(f"{path} is there already; choose another name.")
        made[path] = filled(text)
    for path, old, new in kind.edits:
        before = made.get(path) or (root / path).read_text(encoding="utf-8")
        if before.count(filled(old)) != 1:
            raise Refused(f"{path} no longer has exactly one {filled(old)!r}: correct tests/tools/kinds.")
        made[path] = before.replace(filled(old), filled(new))
    return made


def filling(kind: Kind, name: str, root: Path = ROOT) -> Callable[[str], str]:
    """What puts the name, in the forms that a kind asks for, and the code of a new finding into its texts."""
    words = name.replace("_", " ")
    forms = {
        "name": name,
        "Name": "".join(map(str.capitalize, name.split("_"))),
        "NAME": name.upper(),
        "words": words,
        "Words": words.capitalize(),
    }
    if kind.code is not None:
        codes = (root / "rulelang" / "codes" / "codes.toml").read_text(encoding="utf-8")
        taken = [int(number) for number in re.findall(rf"^\[{kind.code}(\d\d)\]$", codes, re.MULTILINE)]
        forms["code"] = f"{kind.code}{max(taken) + 1:02}"
    return lambda text: re.sub(r"@(\w+)@", lambda found: forms[found[1]], text)


def write(kind: Kind, name: str, root: Path = ROOT) -> None:
    """Writes what is new of a kind, but for generated files. Raises Refused."""
    made = written(kind, name, root)
    for path, text in made.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    python = [path for path in made if path.endswith(".py")]
    _run(["-m", "ruff", "check", "--quiet", "--select", "I", "--fix", *python], root)
    _run(["-m", "ruff", "format", "--quiet", *python], root)


def generate(kind: Kind, filled: Callable[[str], str], root: Path = ROOT) -> None:
    """Writes the files that are generated from what is new. Raises Refused."""
    for command in kind.run:
        _run(shlex.split(filled(command)), root)


def _run(command: Sequence[str], root: Path) -> None:
    done = subprocess.run([sys.executable, *command], cwd=root, capture_output=True, text=True)
    if done.returncode:
        raise Refused(f"`python {shlex.join(command)}` failed:\n{done.stdout}{done.stderr}")


def main(arguments: Sequence[str]) -> int:
    if len(arguments) != 2:
        kinds = "".join(f"\n  {kind:16} {read(kind).about}" for kind in names())
        print(f"python -m tests.tools.new KIND NAME\n{kinds}", file=sys.stderr)
        return 2
    try:
        kind = read(arguments[0])
        filled = filling(kind, arguments[1])
        write(kind, arguments[1])
        generate(kind, filled)
    except Refused as problem:
        print(problem, file=sys.stderr)
        return 1
    for path in sorted({*map(filled, kind.new), *(path for path, _, _ in kind.edits)}):
        print(path)
    print(f"\nIt works already. Now make it yours:\n\n{filled(kind.left)}\nTest it: python -m {filled(kind.test)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
