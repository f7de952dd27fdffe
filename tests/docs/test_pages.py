"""Pages of the documentation tell the truth: about games, keywords, limits, recipes and the tour of the code."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections import Counter
from pathlib import Path

import attrs
import page
import pytest
from paths import DOCS, ROOT, RULES

import interpreter
import rulelang
from interpreter.evaluation.meter import PASS, too_long, too_many_members, too_many_options
from interpreter.examples import run_examples
from interpreter.simulate import batch, tally
from interpreter.simulate.games import play_many
from interpreter.wasm.layout.addresses import ARENA_ROOM
from rulelang import limits
from rulelang.codes import CODES
from rulelang.limits import Limits
from rulelang.syntax.forms import forms, forms_at
from rulelang.syntax.layout import without_comment
from rulelang.syntax.mistakes import keywords
from tests.tools import keywords_page
from tests.tools.codes_pages import anchor
from workbench.checking import check_game
from workbench.cli import run

# docs/games.md tells the truth about lines.


GAMES_PAGE = (DOCS / "games.md").read_text(encoding="utf-8")
GAMES_ROWS = re.findall(r"^\| `([\w/]+)` \| ([0-9]+) \| ([0-9]+) \|", GAMES_PAGE, flags=re.M)


GAMES_VARIANTS = re.findall(r"^\| `([\w/]+\.rules)` \| ([0-9]+) \|", GAMES_PAGE, flags=re.M)


def lines(game: Path) -> Counter[str]:
    """Lines that say something, by what they belong to: an example is what stands below the word."""
    found: Counter[str] = Counter()
    for path in game.rglob("*.rules"):
        text = [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        text = [line for line in text if not line.lstrip().startswith("#")]
        kind = "variants" if text[0].startswith("variant ") else "rules"
        of_example = text[0].startswith("examples ")
        for line in text:
            if not line.startswith(" "):
                of_example = line.startswith(("example ", "examples "))
            found["examples" if of_example and kind == "rules" else kind] += 1
    return found


@pytest.mark.parametrize(("game", "rules", "examples"), GAMES_ROWS, ids=[row[0] for row in GAMES_ROWS])
def test_lines(game: str, rules: str, examples: str) -> None:
    found = lines(RULES / game)
    assert (found["rules"], found["examples"]) == (int(rules), int(examples))


@pytest.mark.parametrize(("file", "count"), GAMES_VARIANTS, ids=[row[0] for row in GAMES_VARIANTS])
def test_lines_of_variants(file: str, count: str) -> None:
    text = (RULES / file).read_text(encoding="utf-8").splitlines()
    assert sum(bool(line.strip()) and not line.lstrip().startswith("#") for line in text) == int(count)


def test_every_game_is_listed() -> None:
    games = {
        path.parent.relative_to(RULES).as_posix()
        for path in RULES.rglob("*.rules")
        if re.search(r"^game ", path.read_text(encoding="utf-8"), flags=re.M)
    }
    assert {row[0] for row in GAMES_ROWS} == games


# The keywords: each has its forms, which fit where the language page writes them and lead to what explains them.


NAMES = {"may", "pay", "part", "spot", "set", "step", "seen", "row", "turned", "last", "one", "out", "a"}
"""Keywords that the page of the language also uses as names."""


def test_there_are_forms_for_every_keyword_and_for_nothing_else() -> None:
    assert {word for form in forms() for word in form.keywords} == keywords()


def test_every_form_leads_to_a_passage() -> None:
    assert {form.section for form in forms()} <= {anchor(heading) for heading in page.headings()}


def test_every_code_leads_to_a_passage() -> None:
    led = {tuple(code.see.split(": ", 1)) for code in CODES.values()}
    assert {(file, heading) for file, heading in led if heading not in page.headings(ROOT / file)} == set()


def test_the_page_is_up_to_date() -> None:
    assert keywords_page.PAGE.read_text(encoding="utf-8") == keywords_page.page(), (
        "run: python -m tests.tools.keywords_page"
    )


def test_every_keyword_on_the_page_of_the_language_is_in_one_of_its_forms() -> None:
    lost = {}
    for block in page.blocks():
        if block.language != "rules" or "wrong" in block.words:
            continue
        for line in block.text.splitlines():
            code = re.sub('"[^"]*"', lambda text: "_" * len(text[0]), without_comment(line))
            for found in re.finditer(r"(?<![.\w])\w+\b(?!\.)", code):
                if found[0] in keywords() - NAMES:
                    told = forms_at(line, *found.span())
                    if not any(form.fits(code[: found.start()], found[0], code[found.end() :]) for form in told):
                        lost[found[0]] = line
    assert lost == {}


def test_the_fullest_form_that_fits_is_told_and_nothing_in_a_comment_or_a_text() -> None:
    line = "  set seen to set(h in Hill where free(h))  # set"
    told = [[form.text for form in forms_at(line, *found.span())] for found in re.finditer(r"\bset", line)]
    assert told == [["set NAME to VALUE"], ["set(VALUES)"], []]
    assert forms_at('  because "set"', 11, 14) == []


# The page about limits says what the code does.


LIMITS = (ROOT / "docs" / "limits.md").read_text(encoding="utf-8")
LIMITS_ROWS = re.findall(r"^\| `(\w+)` \| ([\d,]+) \| (.*) \| (.*) \|$", LIMITS, re.MULTILINE)


def test_the_table_lists_every_limit_with_its_default() -> None:
    fields = attrs.fields(Limits)
    assert [(name, number, words) for name, number, words, _ in LIMITS_ROWS] == [
        (field.name, f"{field.default:,}", field.metadata["words"]) for field in fields
    ]


def test_the_messages_are_those_of_the_page() -> None:
    told = {name: beyond.strip('"') for name, *_, beyond in LIMITS_ROWS if beyond.startswith('"')}
    default = Limits()
    assert too_many_options(default.options).startswith(told["options"])
    assert too_many_members(default.members).startswith(told["members"])
    assert too_long(default.work).startswith(told["work"])


def test_the_other_numbers_are_those_of_the_code() -> None:
    assert f"one for {PASS:,} steps" in LIMITS
    assert f"after {batch.LIMIT:,} decisions" in LIMITS
    assert ARENA_ROOM == 32 << 20 and "share 32 MB" in LIMITS
    assert f"after {tally.HOPELESS_GAMES} games or {tally.HOPELESS_SECONDS:.0f} seconds" in LIMITS


def test_limits_are_read_as_people_write_them() -> None:
    assert Limits.read("") == Limits()
    assert Limits.read(" options = 5_00, seconds=2,") == Limits(options=500, seconds=2)
    assert Limits.read("work=9", Limits(options=7)) == Limits(options=7, work=9)
    for wrong in (
        "options",
        "options=",
        "options=0",
        "options=-1",
        "members=99",
        "options=many",
        "seconds=1e9",
        "work=9" * 40,
    ):
        with pytest.raises(ValueError, match=r"must be a number from \d+ to [\d,]+; write, say, \w+=500"):
            Limits.read(wrong)
    with pytest.raises(ValueError, match="there is no limit `optoins`; the limits are text, state"):
        Limits.read("optoins=3")


def test_the_environment_and_the_process_set_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(limits.VARIABLE, "options=7")
    limits.use(None)
    try:
        assert limits.standard() == Limits(options=7)
        limits.use(Limits(options=8))
        assert limits.standard().options == 8
        monkeypatch.setenv(limits.VARIABLE, "nonsense")
        limits.use(None)
        assert limits.standard() == Limits(), "what cannot be read is left out"
        with pytest.raises(ValueError, match="RULELANG_LIMITS: there is no limit `nonsense`"):
            limits.of_environment({limits.VARIABLE: "nonsense"})
    finally:
        monkeypatch.undo()
        limits.use(None)


def test_the_command_line_sets_them(capsys: pytest.CaptureFixture[str]) -> None:
    try:
        game = str(ROOT / "rules" / "classics" / "breakthrough")
        assert run(["--limits", "options=3", "simulate", game, "--games", "2"]) == 1
        assert "there are more than 3 possibilities" in capsys.readouterr().err
        assert run(["--limits", "optoins=3", "check", game]) == 2
        assert "there is no limit `optoins`" in capsys.readouterr().err
    finally:
        limits.use(None)


@pytest.mark.parametrize("engine", ["reference", "wasm"])
def test_a_game_has_limits_of_its_own(engine: str) -> None:
    game = ROOT / "rules" / "classics" / "breakthrough"
    with pytest.raises(interpreter.RuleFault, match="there are more than 3 possibilities"):
        interpreter.load(game, engine=engine, limits=Limits(options=3)).start(1)
    assert interpreter.load(game, engine=engine).start(1).option_count == 22


# Everything on the page of recipes is run: the game and each variant are checked, tested and played.


RECIPES = DOCS / "recipes.md"
RECIPE_BLOCKS = page.blocks(RECIPES)
FILES = {block.name: block.text for block in RECIPE_BLOCKS if block.target == "file"}
GAME = FILES["stall/stall.rules"]
GAMES = sorted({name.split("/")[0] for name in FILES})
HOUSE_RULES = [Path(name).stem for name in FILES if "/variants/" in name]


def test_no_block_is_left_unrun() -> None:
    assert page.fences(RECIPES) == 2 * len(RECIPE_BLOCKS)
    assert [str(b) for b in RECIPE_BLOCKS if b.language != "rules" or b.target not in ("file", "edit")] == []
    assert [str(b) for b in RECIPE_BLOCKS if b.target == "edit" and b.name not in FILES] == []


def is_sound(folder: Path, *variants: str) -> None:
    """There are no findings, the examples pass, and games come to their end for every number of players."""
    found = check_game(folder, variants=variants).diagnostics
    assert [d for d in found if d.severity != "note"] == []
    results = run_examples(folder, variants=list(variants)).results if variants else run_examples(folder).results
    assert [(r.name, r.failures) for r in results if r.status != "passed"] == []
    program = rulelang.load(folder, variants=list(variants))
    for players in range(program.min_players, program.max_players + 1):
        game = interpreter.load(folder, players=players, variants=list(variants))
        for result in play_many(game, seed=1, games=3, limit=5_000):
            assert result.finished, result.fault or "no end"


@pytest.mark.parametrize("variant", HOUSE_RULES)
def test_each_recipe_works(variant: str, tmp_path: Path) -> None:
    is_sound(page.write(FILES, tmp_path) / "stall", variant)


@pytest.mark.parametrize("game", GAMES)
def test_each_game_works(game: str, tmp_path: Path) -> None:
    is_sound(page.write(FILES, tmp_path) / game)


def test_the_edited_game_works(tmp_path: Path) -> None:
    (edit,) = [block for block in RECIPE_BLOCKS if block.target == "edit"]
    is_sound(page.write({edit.name: page.edited(GAME, edit.text)}, tmp_path) / "stall")


def test_the_recipes_have_the_canonical_layout(tmp_path: Path) -> None:
    folder = page.write(FILES, tmp_path)
    assert [rulelang.format_path(folder / game, write=False).changed for game in GAMES] == [()] * len(GAMES)


# The tour of the code shows code that is there, and its commands print what it says.


TOUR = (DOCS / "tour-of-the-code.md").read_text(encoding="utf-8")
_FENCE = re.compile(r"^```(\w+) ?([^\n]*)\n(.*?)^```$", re.M | re.S)
TOUR_BLOCKS = [(m[1], m[2], m[3]) for m in _FENCE.finditer(TOUR)]
LISTINGS = [(words.removeprefix("from="), text) for _, words, text in TOUR_BLOCKS if words.startswith("from=")]


def missing(listing: str, text: str) -> str | None:
    """The first stretch of a listing that does not follow in the text; ``...`` stands for any lines."""
    at = 0
    for stretch in re.split(r"^\.\.\.\n", listing, flags=re.M):
        found = text.find(stretch, at)
        if found < 0:
            return stretch
        at = found + len(stretch)
    return None


@pytest.mark.parametrize(("file", "listing"), LISTINGS, ids=[file for file, _ in LISTINGS])
def test_a_listing_is_taken_from_the_code(file: str, listing: str) -> None:
    gone = missing(listing, (ROOT / file).read_text(encoding="utf-8"))
    assert gone is None, f"{file} no longer has:\n{gone}"


def test_commands_print_what_the_page_says(tmp_path: Path) -> None:
    shown = 0
    for language, words, text in TOUR_BLOCKS:
        if words.startswith("file="):
            file = tmp_path / words.removeprefix("file=")
            file.parent.mkdir(exist_ok=True)
            file.write_text(text, encoding="utf-8")
        if language == "console":
            command, _, output = text.partition("\n")
            assert command.startswith("$ ")
            verb, *rest = shlex.split(command[2:])
            run = [sys.executable, *(["-m", "workbench.entry"] if verb == "rulelang" else []), *rest]
            paths = {**os.environ, "PYTHONPATH": str(ROOT)}
            done = subprocess.run(run, cwd=tmp_path, env=paths, capture_output=True, text=True, timeout=120)
            assert done.returncode == 0, done.stderr
            pattern = ".*".join(map(re.escape, re.split(r"\.\.\.\n", output)))
            assert re.fullmatch(pattern, done.stdout, flags=re.S), f"{command}\n{done.stdout}"
            shown += 1
    assert shown == 5


def test_the_page_names_every_floor() -> None:
    assert {file.partition("/")[0] for file, _ in LISTINGS} == {"rulelang", "interpreter", "workbench"}
