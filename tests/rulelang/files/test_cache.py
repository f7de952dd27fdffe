"""Files of the cache count only where the user alone can have put them, and when they are whole."""

from __future__ import annotations

import os
import shutil
import stat
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rulelang.files import cache

MARK = b"a mark\n"


@pytest.fixture
def entry(own_cache: Path) -> Path:
    """An entry of a room, with a body of one letter."""
    room = cache.room("room")
    assert room is not None
    cache.write(room / "entry", MARK, b"x")
    return room / "entry"


def body(entry: Path) -> bytes | None:
    found = cache.read(entry, MARK)
    return None if found is None else bytes(found)


def test_what_was_written_is_read_again(entry: Path) -> None:
    assert body(entry) == b"x" and cache.read(entry, b"another mark\n") is None
    cache.write(entry, MARK, b"y")
    assert body(entry) == b"y" and stat.S_IMODE(entry.stat().st_mode) == 0o600
    assert cache.read(entry.with_name("other"), MARK) is None


def moved(entry: Path) -> None:
    """The whole room as it comes out of an archive: the same bytes, names, times and rights, owned by the user."""
    shutil.copytree(entry.parent, entry.parent.with_name("unpacked"))
    shutil.rmtree(entry.parent)
    entry.parent.with_name("unpacked").rename(entry.parent)


DAMAGE: dict[str, Callable[[Path], object]] = {
    "cut short": lambda file: file.write_bytes(file.read_bytes()[:-3]),
    "emptied": lambda file: file.write_bytes(b""),
    "changed": lambda file: file.write_bytes(file.read_bytes()[:-1] + b"?"),
    "without a seal": lambda file: file.write_bytes(MARK + b"x"),
    "writable for others": lambda file: file.chmod(0o666),
    "a link": lambda file: (file.rename(file.with_name("other")), file.symlink_to(file.with_name("other"))),
    "a folder": lambda file: (file.unlink(), file.mkdir()),
    "a pipe": lambda file: (file.unlink(), os.mkfifo(file)),
    "another secret": lambda file: file.with_name(cache.SECRET).write_bytes(bytes(32)),
    "a secret for all": lambda file: file.with_name(cache.SECRET).chmod(0o666),
    "no secret": lambda file: file.with_name(cache.SECRET).unlink(),
    "half a secret": lambda file: file.with_name(cache.SECRET).write_bytes(bytes(16)),
    "unpacked from an archive": moved,
}


@pytest.mark.skipif(os.name == "nt", reason="rights of another kind")
@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_what_cannot_be_trusted_is_no_entry(entry: Path, damage: Callable[[Path], object]) -> None:
    damage(entry)
    assert body(entry) is None
    cache.write(entry, MARK, b"y")
    assert body(entry) == (None if entry.is_dir() else b"y")


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="no owners")
def test_files_of_others_are_no_entries(entry: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    me = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: me + 1)
    assert body(entry) is None and cache.room("room") is None


def test_several_may_write_at_once(own_cache: Path) -> None:
    file = own_cache / "entry"
    cache.write(file, MARK, b"")
    bodies = [bytes([number]) * 10_000 for number in range(8)]
    threads = [threading.Thread(target=cache.write, args=(file, MARK, body)) for body in bodies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert body(file) in bodies
    assert {entry.name for entry in own_cache.iterdir()} == {"entry", cache.SECRET}


# ---------------------------------------------------------------- where it lies


@pytest.fixture
def anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[[dict[str, str | None]], Path | None]]:
    """The cache folder as a process with other variables finds it, in a working folder of its own."""
    monkeypatch.chdir(tmp_path)

    def found(environment: dict[str, str | None]) -> Path | None:
        for name, value in environment.items():
            if value is None:
                monkeypatch.delenv(name, raising=False)
            else:
                monkeypatch.setenv(name, value)
        cache.folder.cache_clear()
        return cache.folder()

    yield found
    cache.folder.cache_clear()


def test_only_absolute_folders_count(anew: Callable[[dict[str, str | None]], Path | None], tmp_path: Path) -> None:
    home = tmp_path / "home"
    for given in (".cache", "", "~/.cache", None):
        assert anew({"XDG_CACHE_HOME": given, "HOME": str(home)}) == home / ".cache/rulelang", given
    assert anew({"XDG_CACHE_HOME": str(tmp_path / "kept"), "HOME": "."}) == tmp_path / "kept/rulelang"
    assert anew({"XDG_CACHE_HOME": "kept", "HOME": "."}) is None
    assert sorted(path.name for path in tmp_path.iterdir()) == ["home", "kept"]


@pytest.mark.skipif(os.name == "nt", reason="rights of another kind")
def test_nobody_else_may_look_into_it(anew: Callable[[dict[str, str | None]], Path | None], tmp_path: Path) -> None:
    given: dict[str, str | None] = {"XDG_CACHE_HOME": str(tmp_path)}
    (tmp_path / "rulelang/machine").mkdir(parents=True)
    for path in (tmp_path / "rulelang", tmp_path / "rulelang/machine"):
        path.chmod(0o755)
    assert anew(given) == tmp_path / "rulelang" and cache.room("machine") is not None
    for path in (tmp_path / "rulelang", tmp_path / "rulelang/machine"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o700
    (tmp_path / "rulelang/machine").chmod(0o770)
    assert cache.room("machine") is None
    (tmp_path / "rulelang").chmod(0o757)
    assert anew(given) is None
    (tmp_path / "rulelang").rename(tmp_path / "elsewhere")
    (tmp_path / "rulelang").symlink_to(tmp_path / "elsewhere")
    assert anew(given) is None


def test_where_nothing_can_be_kept_nothing_is(
    anew: Callable[[dict[str, str | None]], Path | None], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    for folder in ("file", "file/below"):
        assert anew({"XDG_CACHE_HOME": str(tmp_path / folder)}) is None
        assert cache.room("machine") is None
    cache.write(tmp_path / "none/entry", MARK, b"x")
    assert cache.read(tmp_path / "none/entry", MARK) is None
