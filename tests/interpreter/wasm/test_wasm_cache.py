"""Machine code kept between runs: found again only for the same game, never trusted when it may not be one's own."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from paths import ROOT, RULES
from small_games import write_game

import interpreter
from interpreter.errors import GameError, RuleFault
from interpreter.simulate.games import play_many, play_range
from interpreter.simulate.tally import tally
from interpreter.wasm import compiled, host
from interpreter.wasm.write.module import Module

PEBBLES = """\
game pebbles
  title "Pebbles"
  players 2..3
  languages en

table Heap
  size: 0..9
  rows from "heaps.txt"

option hurry: slow, fast
  default slow

the game has
  left: 0..9 = big.size

each Player has
  score: 0..9

winner most score[p], then shared

rule play
  take turns p from first(Player) until left is 0
    surely p chooses one of
      option take(n in 1..2)
        needs n <= left and (hurry is slow or n is 2 or left is 1)
        decrease left by n
        p scores n
  end the game
"""

RARE = """\
variant rare of pebbles

replace rule play
  end the game
"""


@pytest.fixture
def pebbles(tmp_path: Path) -> Path:
    folder = write_game(tmp_path / "pebbles", PEBBLES)
    (folder / "heaps.txt").write_text("heap,size\nbig,7\nsmall,3\n")
    return folder


@pytest.fixture(autouse=True)
def cached(own_cache: Path) -> Path:
    return own_cache / "machine"


def load(path: Path, **wanted: Any) -> Any:
    return interpreter.load(path, engine="wasm", **wanted)


def entries(cached: Path) -> list[Path]:
    return sorted(cached.glob("*.code"))


def known(path: Path, **wanted: Any) -> bool:
    """Whether machine code is kept for a game."""
    origin = compiled.Origin(path, wanted.get("players"), wanted.get("options", {}), wanted.get("variants", ()))
    return origin.get(steps=False) is not None


def digest(game: Any) -> str:
    return tally(play_range(game, 4, 0, 25), game.players, game.rules).digest


def keep(path: Path, **wanted: Any) -> str:
    return digest(load(path, **wanted))


FRESH = """
import json, sys
import interpreter
from interpreter.simulate.games import play_range
game = interpreter.load(sys.argv[1], engine="wasm")
play_range(game, 4, 0, 5)
rooms = ("rulelang.program", "rulelang.syntax.tree", "rulelang.syntax.parse", "wasmtime")
print(json.dumps([name in sys.modules for name in rooms]))
"""


def test_a_second_process_needs_neither_rules_nor_compiler(pebbles: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "home"), "PYTHONPATH": str(ROOT)}
    loaded = []
    for _ in range(2):
        command = [sys.executable, "-c", FRESH, str(pebbles)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        loaded.append(json.loads(done.stdout))
    assert loaded == [[True, True, True, True], [False, False, False, False]]
    assert stat.S_IMODE((tmp_path / "home/rulelang/machine").stat().st_mode) == 0o700


def test_the_games_are_the_same_with_and_without_the_cache(pebbles: Path, cached: Path) -> None:
    first = keep(pebbles)
    assert len(entries(cached)) == 1
    game = load(pebbles)
    assert "program" not in vars(game)
    assert digest(game) == first
    assert "program" not in vars(game)
    assert (game.name, game.title, game.players, game.rules) == ("pebbles", "Pebbles", 2, ("play", "take"))
    reference = interpreter.load(pebbles)
    assert game.program == reference.program  # type: ignore[attr-defined]
    assert tally(play_many(reference, 4, 25), 2, reference.rules).digest == first


def test_code_that_stops_at_decisions_is_kept_as_well(pebbles: Path, cached: Path) -> None:
    keys = []
    for _ in range(2):
        game = load(pebbles)
        state = game.start(3)
        while state.decision:
            state.choose(state.option_count - 1)
        keys.append((state.key(), state.scores, game.steps.writer.fault_points))
        assert len(entries(cached)) == 1
    assert keys[0] == keys[1]


@pytest.mark.parametrize(
    "change",
    [
        lambda folder: (folder / "pebbles.rules").write_text(PEBBLES.replace("1..2", "1..3")),
        lambda folder: (folder / "pebbles.rules").rename(folder / "stones.rules"),
        lambda folder: (folder / "heaps.txt").write_text("heap,size\nbig,8\nsmall,3\n"),
        lambda folder: (folder / "rare.rules").write_text(RARE),
    ],
    ids=["text", "name", "rows", "file"],
)
def test_a_change_of_any_file_that_matters_is_seen(pebbles: Path, change: Callable[[Path], object]) -> None:
    keep(pebbles)
    assert known(pebbles)
    change(pebbles)
    assert not known(pebbles)
    keep(pebbles)
    assert known(pebbles)


def test_other_questions_have_other_entries(pebbles: Path, tmp_path: Path, cached: Path) -> None:
    rare = tmp_path / "rare.rules"
    rare.write_text(RARE)
    asked: list[dict[str, Any]] = [{}, {"players": 3}, {"options": {"hurry": "fast"}}, {"variants": [rare]}]
    assert len({keep(pebbles, **wanted) for wanted in asked}) > 1
    assert len(entries(cached)) == len(asked)
    rare.write_text(RARE.replace("  end the game", "  set left to 0\n  end the game"))
    assert [known(pebbles, **wanted) for wanted in asked] == [True, True, True, False]


def test_a_path_to_a_file_finds_the_game_around_it(pebbles: Path) -> None:
    (pebbles / "variants").mkdir()
    rare = pebbles / "variants/rare.rules"
    rare.write_text(RARE)
    keep(rare)
    assert known(rare)
    (pebbles / "heaps.txt").write_text("heap,size\nbig,6\nsmall,3\n")
    assert not known(rare)


def _cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def _flipped(data: bytes) -> bytes:
    return data[:-9] + bytes([data[-9] ^ 1]) + data[-8:]


@pytest.mark.parametrize("damage", [_cut, _flipped, lambda data: b"", lambda data: b"x" * 100])
def test_a_damaged_entry_is_made_again(pebbles: Path, cached: Path, damage: Callable[[bytes], bytes]) -> None:
    first = keep(pebbles)
    (entry,) = entries(cached)
    whole = entry.read_bytes()
    entry.write_bytes(damage(whole))
    assert not known(pebbles)
    assert keep(pebbles) == first
    assert known(pebbles)


def test_machine_code_that_wasmtime_does_not_know_is_made_again(pebbles: Path) -> None:
    first = keep(pebbles)
    origin = compiled.Origin(pebbles, None, {}, ())
    entry = origin.get(steps=False)
    assert entry is not None
    origin.put(entry._replace(code=b"of another version"), steps=False)
    with pytest.raises(host.NotRunnable):
        host.Module.of_code(b"of another version")
    assert keep(pebbles) == first
    found = compiled.Origin(pebbles, None, {}, ()).get(steps=False)
    assert found is not None and len(found.code) > 1000


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no owner and group here")
def test_what_others_can_change_is_not_run(pebbles: Path, cached: Path) -> None:
    keep(pebbles)
    (entry,) = entries(cached)
    entry.chmod(0o620)
    assert not known(pebbles)
    entry.chmod(0o600)
    assert known(pebbles)
    cached.chmod(0o777)
    assert not known(pebbles)
    cached.chmod(0o700)
    moved = cached.rename(cached.with_name("elsewhere"))
    cached.symlink_to(moved)
    assert not known(pebbles)


def test_an_entry_under_another_name_is_not_taken(pebbles: Path, cached: Path) -> None:
    keep(pebbles)
    (two,) = entries(cached)
    keep(pebbles, players=3)
    (three,) = set(entries(cached)) - {two}
    three.write_bytes(two.read_bytes())
    assert not known(pebbles, players=3)


def test_rules_that_change_under_a_game_are_told(pebbles: Path) -> None:
    keep(pebbles)
    game, other = load(pebbles), load(pebbles)
    (pebbles / "heaps.txt").write_text("heap,size\nbig,8\nsmall,3\n")
    with pytest.raises(GameError, match="the rules of pebbles have changed since the game was loaded; load it again"):
        _ = game.program
    (pebbles / "pebbles.rules").write_text("game pebbles\n  players lots\n")
    with pytest.raises(GameError, match="have changed"):
        other.start(1)


def test_nothing_is_kept_of_rules_that_change_while_they_are_read(pebbles: Path, cached: Path) -> None:
    game = load(pebbles)
    (pebbles / "heaps.txt").write_text("heap,size\nbig,8\nsmall,3\n")
    assert digest(game)
    assert entries(cached) == []


def test_nothing_is_kept_by_a_process_whose_code_has_changed(
    pebbles: Path, cached: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rulelang.IMPORTED", 0.0)
    keep(pebbles)
    assert entries(cached) == []


def test_a_fault_is_told_in_full_from_the_cache(pebbles: Path) -> None:
    text = PEBBLES.replace("rule play\n", "rule play\n  decrease left by left + 1\n")
    (pebbles / "pebbles.rules").write_text(text)
    told = []
    for _ in range(2):
        game = load(pebbles)
        with pytest.raises(RuleFault) as caught:
            game.start(1)
        told.append((str(caught.value), caught.value.rule, caught.value.span.line))
        with pytest.raises(host.Trap) as trap:
            game.playouts.ready().call("play", 1, 0, 1, 100)
        told.append(str(game.playouts.fault(game.playouts.instance, trap.value)))
    assert told[:2] == told[2:]
    assert told[0][1:] == ("play", 1 + text[: text.index("  decrease left")].count("\n"))


def test_the_cache_does_not_grow_without_end(pebbles: Path, cached: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "MOST_ENTRIES", 2)
    keep(pebbles)
    os.utime(entries(cached)[0], (1, 1))
    left_over = cached / "writing-abandoned"
    left_over.write_bytes(b"half")
    os.utime(left_over, (1, 1))
    keep(pebbles, players=3)
    assert known(pebbles)  # finding it makes it the newest
    os.utime(min(entries(cached), key=lambda entry: entry.stat().st_mtime), (2, 2))
    keep(pebbles, options={"hurry": "fast"})
    assert len(entries(cached)) == 2
    assert [known(pebbles), known(pebbles, players=3)] == [True, False]
    assert not left_over.exists()
    monkeypatch.setattr(compiled, "MOST_BYTES", 1)
    keep(pebbles, players=3)
    assert entries(cached) == []


def test_a_cache_that_cannot_be_written_keeps_nobody_from_playing(
    pebbles: Path, cached: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = keep(pebbles)
    cached.rename(cached.with_name("gone"))
    cached.write_text("no folder")
    assert keep(pebbles) == first
    monkeypatch.setattr(compiled.cache, "folder", lambda: None)
    assert keep(pebbles) == first


WRITE = """
import hashlib, sys
import interpreter
from interpreter.wasm.write.module import Module
game = interpreter.load(sys.argv[1], engine="wasm")
for steps in (False, True):
    writer = Module(game.blueprint, steps=steps)
    print(hashlib.sha256(writer.text().encode()).hexdigest(), len(writer.fault_points))
"""


@pytest.mark.parametrize("name", ["babel"])
def test_every_process_writes_the_same_module(name: str) -> None:
    """Addresses of faults are numbered, so a module from the cache must be the one that would be written now."""
    written = set()
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-c", WRITE, str(RULES / name)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        written.add(done.stdout)
    assert len(written) == 1


def test_a_game_without_files_is_compiled_each_time(pebbles: Path, cached: Path) -> None:
    program = interpreter.load(pebbles).program
    assert digest(interpreter.game_of(program, engine="wasm")) == keep(pebbles)
    assert isinstance(interpreter.game_of(program, engine="wasm").playouts, compiled.Compiled)  # type: ignore[attr-defined]
    assert len(entries(cached)) == 1


def test_threads_that_are_the_first_to_ask_for_the_text_get_the_same() -> None:
    """With machine code from the cache, the text is written only when a fault needs it, perhaps in several threads."""
    blueprint = interpreter.load(RULES / "chess", engine="wasm").blueprint
    alone = Module(blueprint, steps=False)
    expected = alone.text(), [(point.kind, point.rule) for point in alone.fault_points]
    shared, together = Module(blueprint, steps=False), threading.Barrier(4)

    def ask(_: int) -> object:
        together.wait()
        return shared.text(), [(point.kind, point.rule) for point in shared.fault_points]

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(ask, range(4))) == [expected] * 4
