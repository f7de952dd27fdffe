"""What the language page and the tutorial show is run: games checked and played, snippets checked, mistakes made."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections import Counter
from html import escape
from pathlib import Path
from urllib.parse import parse_qsl

import page
import playground
import pytest
from paths import DOCS

import interpreter
import rulelang
from interpreter.examples import run_examples
from interpreter.simulate.games import play_many
from rulelang.diagnostics import Diagnostic, Sink
from rulelang.syntax.layout import decode
from rulelang.version import LANGUAGE
from workbench.checking import check_game
from workbench.cli import run

PAGES = (page.PAGE, page.TUTORIAL)
BLOCKS = [block for path in PAGES for block in page.blocks(path)]
ALL_STAGES = [stage for path in PAGES for stage in page.stages(path)]
STAGES = [(str(block), game, files) for block, game, files in ALL_STAGES if block.target != "part"]
FINAL = {name: text for path in PAGES for name, text in page.final_files(path).items()}
GAMES = sorted({name.split("/")[0] for name in FINAL})
GROWING = sorted({name.split("/")[0] for block, name, _ in ALL_STAGES if block.target != "part"})
SNIPPETS = [b for b in BLOCKS if b.target in ("body", "steps", "items", "variant") and "wrong" not in b.words]
WRONG = [b for b in BLOCKS if "wrong" in b.words]
MISTAKES = [mistake for block in WRONG for mistake in page.mistakes(block)]
CONSOLE = [b for b in BLOCKS if b.language == "console"]
RANDOM_GAMES = 5


def findings(folder: Path, *variants: str) -> list[Diagnostic]:
    """What ``check`` finds, notes aside (a note says that rows are guesses)."""
    return [d for d in check_game(folder, variants=variants).diagnostics if d.severity != "note"]


def is_sound(folder: Path) -> None:
    """The game has no mistakes, its examples pass, random games come to their end for every number of players."""
    assert findings(folder) == []
    assert [(r.name, r.failures) for r in run_examples(folder).results if r.status != "passed"] == []
    program = rulelang.load(folder)
    for players in range(program.min_players, program.max_players + 1):
        plays_to_the_end(folder, players)


def plays_to_the_end(folder: Path, players: int | None = None, **more: object) -> None:
    game = interpreter.load(folder, players=players, invariants=True, **more)  # type: ignore[arg-type]
    for result in play_many(game, seed=1, games=RANDOM_GAMES, limit=20_000):
        assert result.finished, f"{players} players, {more}: {result.fault or 'no end'}"


# ---------------------------------------------------------------- the page


def test_the_page_is_of_this_version_of_the_language() -> None:
    assert f"version {LANGUAGE} of the language" in page.PAGE.read_text(encoding="utf-8")


def test_no_block_is_left_unrun() -> None:
    assert sum(page.fences(path) for path in PAGES) == 2 * len(BLOCKS), "a fence is not written as ```language ... ```"
    run_by_a_test = Counter[str]()
    for block in BLOCKS:
        run_by_a_test[str(block)] += block in SNIPPETS
        run_by_a_test[str(block)] += block in WRONG
        run_by_a_test[str(block)] += block in CONSOLE
        run_by_a_test[str(block)] += block.target in ("file", "edit", "part") and block not in WRONG
    assert {str(b): run_by_a_test[str(b)] for b in BLOCKS if run_by_a_test[str(b)] != 1} == {}


def test_words_after_the_fence_are_known() -> None:
    wrong = [str(b) for b in BLOCKS if b.words.keys() - {*page.TARGETS, "wrong"} or (b.words and b.target is None)]
    assert wrong == []
    assert {b.language for b in BLOCKS} <= {"rules", "csv", "markdown", "look", "console"}
    assert [str(b) for b in BLOCKS if b.language in ("csv", "markdown", "look") and b.target != "file"] == []


# ---------------------------------------------------------------- games


@pytest.mark.parametrize(("name", "game", "files"), STAGES, ids=[s[0] for s in STAGES])
def test_each_stage_of_a_game_is_sound(name: str, game: str, files: page.Files, tmp_path: Path) -> None:
    page.write({n: text for n, text in files.items() if n.startswith(f"{game}/")}, tmp_path)
    if any(n.endswith(".rules") for n in files if n.startswith(f"{game}/")):
        is_sound(tmp_path / game)
    else:
        assert name.split()[1] in ("csv", "markdown"), "a file that waits for the rules"


@pytest.mark.parametrize("game", GAMES)
def test_the_games_are_sound_with_every_setting_and_variant(game: str, tmp_path: Path) -> None:
    folder = page.write(FINAL, tmp_path) / game
    is_sound(folder)
    for name, setting in rulelang.load(folder).settings.items():
        for value in setting.domain.members:
            plays_to_the_end(folder, options={name: value})
    for path in sorted((folder / "variants").glob("*.rules")):
        plays_to_the_end(folder, variants=[path.stem])


@pytest.mark.parametrize("game", GROWING)
def test_the_page_shows_the_canonical_layout(game: str, tmp_path: Path) -> None:
    folder = page.write(FINAL, tmp_path) / game
    assert rulelang.format_path(folder, write=False).changed == ()


# ---------------------------------------------------------------- snippets


def with_snippet(block: page.Block, folder: Path) -> Path:
    host = page.write(FINAL, folder) / block.name
    (host / "snippet.rules").write_text(page.snippet_file(block), encoding="utf-8")
    return host


def of_the_snippet(found: list[Diagnostic]) -> list[Diagnostic]:
    """Without the remark that nothing runs a rule which is only there to be looked at."""
    return [d for d in found if not (d.code == "R0509" and "`snippet`" in d.message)]


@pytest.mark.parametrize("block", SNIPPETS, ids=str)
def test_snippets_have_no_mistakes(block: page.Block, tmp_path: Path) -> None:
    host = with_snippet(block, tmp_path)
    variants = ["snippet"] if block.target == "variant" else []
    assert of_the_snippet(findings(host, *variants)) == []
    if block.target == "steps":
        found = [r for r in run_examples(host).results if r.example == "snippet"]
        assert found and [r.failures for r in found if r.failures] == []
    if block.target == "variant":
        plays_to_the_end(host, variants=variants)


@pytest.mark.parametrize("mistake", MISTAKES, ids=str)
def test_mistakes_get_the_message_that_is_shown(mistake: page.Mistake, tmp_path: Path) -> None:
    host = with_snippet(mistake.snippet, tmp_path)
    (found,) = of_the_snippet(findings(host))
    assert (found.code, found.message) == (mistake.code, mistake.message)
    assert found.span.file.endswith("snippet.rules")
    if mistake.help is None or not mistake.help.endswith("..."):
        assert found.help == mistake.help
    else:
        assert found.help is not None and found.help.startswith(mistake.help.removesuffix("...").rstrip())


# ---------------------------------------------------------------- commands


def session(text: str) -> list[tuple[list[str], str]]:
    """The commands of a console block with what they print."""
    parts = re.split(r"^\$ ", text, flags=re.M)
    assert parts[0] == "", "a console block starts with a command"
    return [(part.split("\n", 1)[0].split(), part.split("\n", 1)[1]) for part in parts[1:]]


@pytest.mark.parametrize("block", CONSOLE, ids=str)
def test_commands_print_what_is_shown(
    block: page.Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    *_, files = [files for b, _, files in ALL_STAGES if b.page == block.page and b.line < block.line]
    monkeypatch.chdir(page.write(files, tmp_path))
    for (program, *arguments), printed in session(block.text):
        assert program == "rulelang"
        assert run(arguments) == 0
        pattern = r"[\s\S]*".join(re.escape(piece) for piece in printed.strip().split("..."))
        assert re.fullmatch(pattern, "\n".join(line.rstrip() for line in capsys.readouterr().out.strip().split("\n")))


def test_the_pictures_of_the_tutorial_are_those_of_its_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(page.write(FINAL, tmp_path))
    for line in re.findall(r"`rulelang (draw .* --out (.*\.svg))`", page.TUTORIAL.read_text(encoding="utf-8")):
        assert run(line[0].split()) == 0
        kept = DOCS / "tutorial" / line[1]
        assert not kept.exists() or Path(line[1]).read_bytes() == kept.read_bytes(), f"renew {kept}"


# ---------------------------------------------------------------- this test itself


def test_an_edit_replaces_items_of_the_same_name_and_adds_the_others() -> None:
    old = "game g\n  players 2\n\nnumber a = 1\n\nrule play\n  do nothing\n"
    new = page.edited(old, "number a = 2\n\nnumber b = 3\n\nrule play\n  end the game\n\nrule more\n  do nothing\n")
    assert [name for name, _ in page.items(new)] == ["game", "number a", "number b", "rule play", "rule more"]
    assert "number a = 2" in new and "number a = 1" not in new and "end the game" in new


def test_the_page_is_plain_utf8_without_tabs() -> None:
    sink = Sink()
    source = decode(page.PAGE.read_bytes(), "language.md", sink)
    assert source is not None and len(sink) == 0 and "\t" not in source.text


def test_each_example_leads_to_its_place_in_the_playground(tmp_path: Path) -> None:
    final = page.final_files()
    order = [*playground.GAMES, *playground.own_games(final)]
    written = playground.with_links("play.html")
    led = 0
    for number, (block, address) in enumerate(playground.addresses()):
        asked = dict(parse_qsl(address))
        game = order[int(asked["game"])]
        texts = {name: text for name, text in final.items() if name.startswith(f"{game}/")}
        packed = zlib.decompress(base64.urlsafe_b64decode(asked["rules"] + "==="), wbits=-15)
        texts |= {f"{game}/{name}": text for name, text in json.loads(packed).items()}
        shown = texts[f"{game}/{asked['file']}"]
        assert block.text.strip("\n").split("\n")[0].strip() in shown, str(block)
        assert f"play.html#{escape(address)}" in written
        if block.target in ("file", "edit") and "wrong" not in block.words:
            folder = page.write({name: text for name, text in texts.items() if text}, tmp_path / str(number)) / game
            assert findings(folder) == [], str(block)
        led += 1
    assert led == len([block for block in page.blocks() if block.target and block.language != "console"])
