"""Files of the cache count only when nobody else can have written them, and when they are whole."""

from __future__ import annotations

import os
import pickle
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from rulelang.files import cache, guarded

MARK = b"a mark\n"


class Trap:
    """Unpickling it would show."""

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return pytest.fail, ("what anybody may have written was unpickled",)


def kept(folder: Path) -> Path:
    (found,) = folder.rglob("*.tree")
    return found


def test_what_was_put_is_found_again(own_cache: Path) -> None:
    cache.put("a.rules", "text", {"parsed": 1})
    assert cache.get("a.rules", "text") == {"parsed": 1}
    assert cache.get("a.rules", "other text") is None and cache.get("b.rules", "text") is None
    cache.put("a.rules", "other text", 2)
    assert cache.get("a.rules", "other text") == 2 and kept(own_cache).stat().st_mode & 0o777 == 0o600


DAMAGE: dict[str, Callable[[Path], object]] = {
    "cut short": lambda file: file.write_bytes(file.read_bytes()[:-3]),
    "emptied": lambda file: file.write_bytes(b""),
    "changed": lambda file: file.write_bytes(file.read_bytes()[:-1] + b"?"),
    "without a hash": lambda file: file.write_bytes(pickle.dumps(Trap())),
    "writable for others": lambda file: file.chmod(0o666),
    "a link": lambda file: (file.rename(file.with_name("other")), file.symlink_to(file.with_name("other"))),
    "a folder": lambda file: (file.unlink(), file.mkdir()),
    "a pipe": lambda file: (file.unlink(), os.mkfifo(file)),
    "in a folder for all": lambda file: file.parent.chmod(0o777),
}


@pytest.mark.skipif(os.name == "nt", reason="rights of another kind")
@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_what_cannot_be_trusted_is_no_entry(own_cache: Path, damage: Callable[[Path], object]) -> None:
    cache.put("a.rules", "text", 1)
    damage(kept(own_cache))
    assert cache.get("a.rules", "text") is None
    cache.put("a.rules", "text", 2)  # is no error, whether it can be replaced or not
    assert cache.get("a.rules", "text") in (2, None)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="no owners")
def test_files_of_others_are_no_entries(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.put("a.rules", "text", 1)
    me = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: me + 1)
    assert cache.get("a.rules", "text") is None


def test_where_nothing_can_be_kept_nothing_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for folder in (None, tmp_path / "file", tmp_path / "none"):
        monkeypatch.setattr(cache, "folder", lambda folder=folder: folder)
        cache.put("a.rules", "text", 1)
        assert cache.get("a.rules", "text") is None


def test_several_may_write_at_once(own_cache: Path) -> None:
    file = own_cache / "entry"
    bodies = [bytes([number]) * 10_000 for number in range(8)]
    threads = [threading.Thread(target=guarded.write, args=(file, MARK, body)) for body in bodies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = guarded.read(file, MARK)
    assert found is not None and bytes(found) in bodies and guarded.read(file, b"another mark\n") is None
    assert [entry.name for entry in own_cache.iterdir()] == ["entry"]
