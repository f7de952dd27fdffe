"""Messages from pages: read by one schema, refused when wrong, done once however often they come; bounds of notes."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

import pytest
from browsing import PATIENCE
from hypothesis import given, settings
from hypothesis import strategies as st
from paths import RULES

from workbench.table import messages
from workbench.table.access import Refused, TableLimits
from workbench.table.line import Line

House = Any
TIC = RULES / "classics" / "tic_tac_toe"

names = st.sampled_from(sorted({name for fields in messages.FIELDS.values() for name in fields}))
kinds = st.sampled_from(sorted(messages.FIELDS)) | st.text(max_size=8)
plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.just("\ud800")
    | st.just("x" * 999),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=8,
)
said = st.dictionaries(
    names | st.sampled_from(["id", "again since", "sent at"]) | st.text(max_size=5), plain, max_size=6
)


@settings(max_examples=200, deadline=None)
@given(kinds | plain, said)
def test_whatever_is_sent_is_read_or_refused_in_words(kind: Any, data: dict[str, Any]) -> None:
    try:
        found = messages.read(json.dumps({**data, "kind": kind}))
    except Refused as refused:
        assert refused.told("en") and refused.told("nl")
    else:
        assert found["kind"] == kind and found.keys() == {"kind", *messages.FIELDS[kind], *messages._ALL}


WRONG: list[Any] = [
    None, True, -1, 1.5, 10**30, float("nan"), float("inf"), "", "\0", "x" * 3000, [], [[]] * 200, {}, {"a": 1},
]  # fmt: skip


@pytest.mark.timeout(300)
def test_no_message_closes_the_page(house: Callable[..., House]) -> None:
    home = house(TIC, designer=True, limits=TableLimits(rate=1e6, burst=10**6, notes=10**6, notes_rate=1e6))
    tab = home.tab("open")
    tab.position(1)
    good = {"turn": 99, "option": 0, "token": "x", "text": "x", "at": 99, "line": 99, "seat": 0, "about": "x"}
    good |= {"address": "x", "agree": True, "seconds": 1}
    for kind, fields in messages.FIELDS.items():
        for name in (*fields, *messages._ALL):
            for value in WRONG:
                tab.send(**{"kind": kind, **{field: good[field] for field in fields if field in good}, name: value})
                tab.send("alive")
                tab.next("alive")
        tab.socket.send(b"\xff\x00binary")
    assert home.table.pages
    tab.send("alive")
    tab.next("alive")


def test_a_mistake_of_ours_is_told_and_the_page_stays(
    house: Callable[..., House], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    home = house(TIC)
    tab = home.tab(0)
    tab.position(1)
    with monkeypatch.context() as patch:
        patch.setattr("workbench.table.sights.position", lambda *arguments: 1 / 0)
        tab.send("look", lang="nl", width=700)
        assert "fout in het programma" in tab.next("refused")["reason"]
        patch.setattr(Line, "course", lambda line, choice: 1 / 0)
        tab.send("choose", turn=1, option=0)
        assert "fout in het programma" in tab.next("refused")["reason"]
    assert "ZeroDivisionError" in caplog.text
    tab.send("choose", turn=1, option=0)
    assert tab.position(2)["at"] == 1


# ---------------------------------------------------------------- sent again


def test_what_is_sent_again_is_done_once(house: Callable[..., House]) -> None:
    home = house(TIC)
    for _ in range(2):
        tab = home.tab(0)
        tab.next("position")
        tab.send("note", text="once", id="a-1")
        assert tab.next("done")["id"] == "a-1"
        tab.send("choose", turn=1, option=4, id="a-2")
        assert tab.next("done")["id"] == "a-2"
        tab.socket.close()
    assert len(home.table.line.choices) == len(home.tables.store.notes(home.table.line.number)) == 1


def test_what_is_sent_again_while_it_is_being_done_waits_for_it(
    house: Callable[..., House], monkeypatch: pytest.MonkeyPatch
) -> None:
    home = house(TIC)
    begun, go, usual = threading.Event(), threading.Event(), Line.course

    def after(line: Line, choice: Any) -> Any:
        begun.set()
        go.wait(PATIENCE)
        return usual(line, choice)

    monkeypatch.setattr(Line, "course", after)
    first, second = home.tab(0), home.tab(0)
    for tab in (first, second):
        tab.position(1)
    first.send("choose", turn=1, option=4, id="a-1")
    assert begun.wait(PATIENCE)
    first.socket.close()
    second.send("choose", turn=1, option=4, id="a-1")
    second.send("alive")
    second.next("alive")
    go.set()
    assert second.next("done")["id"] == "a-1"
    assert [choice.option for choice in home.table.line.choices] == [4]


def test_the_same_name_over_another_link_is_another_message(house: Callable[..., House]) -> None:
    home = house(TIC)
    x, o = home.tab(0), home.tab(1)
    x.position(1)
    x.send("choose", turn=1, option=0, id="same")
    x.next("done")
    o.position(2)
    o.send("choose", turn=2, option=0, id="same")
    o.next("done")
    assert len(home.table.line.choices) == 2


def test_what_comes_again_too_late_does_not_count(house: Callable[..., House]) -> None:
    home = house(TIC)
    x, o = home.tab(0), home.tab(1)
    o.position(1)
    o.send("alive")
    run = o.next("alive")["run"]
    x.position(1)
    x.send("choose", turn=1, option=0)
    o.position(2)
    for since, words in ((run, "did not count"), ("an earlier run", "whether it counted")):
        again = {"again since": since, "sent at": 1, "id": f"late {since}"}
        for kind, more in (("choose", {"turn": 1, "option": 3}), ("note", {"text": "late"}), ("undo", {})):
            o.send(kind, **more, **{**again, "id": f"{kind} {since}"})
            refused = o.next("refused")
            assert words in refused["reason"] and refused["id"] == f"{kind} {since}"
    assert len(home.table.line.choices) == 1 and not home.tables.store.notes(home.table.line.number)
    o.send("note", text="in time", **{"again since": run, "sent at": 2, "id": "note in time"})
    assert o.next("done")["id"] == "note in time"


def test_every_refusal_names_what_it_refuses(house: Callable[..., House]) -> None:
    home = house(TIC, limits=TableLimits(burst=3, rate=0.5))
    tab = home.tab(0)
    tab.position(1)
    tab.send("choose", turn="one", option=0, id="unread")
    tab.send("history", at=9, id="dear")
    tab.send("choose", turn=9, option=0, id="stale")
    tab.send("undo", id="fast")
    assert {tab.next("refused")["id"] for _ in range(4)} == {"unread", "dear", "stale", "fast"}


# ---------------------------------------------------------------- notes


def test_who_watches_takes_no_room_for_notes_from_those_who_play(house: Callable[..., House]) -> None:
    home = house(TIC, limits=TableLimits(notes=5, notes_rate=1e6, notes_burst=100))
    watch = home.tab("watch")
    watch.position(1)
    for number in range(5):
        watch.send("note", text=f"{number}", id=f"{number}")
        watch.next("done")
    watch.send("note", text="one more")
    assert "Those who watch have 5 notes" in watch.next("refused")["reason"]
    for seat in (0, 1):
        tab = home.tab(seat)
        tab.position(1)
        for number in range(5):
            tab.send("note", text=f"{number}", id=f"{number}")
            tab.next("done")
        tab.send("note", text="one more")
        assert "You have 5 notes" in tab.next("refused")["reason"]


def test_who_watches_writes_slower_and_all_windows_of_a_link_together(house: Callable[..., House]) -> None:
    home = house(TIC, limits=TableLimits(notes_rate=0.001, notes_burst=4))
    for role, most in (("watch", 3), (0, 4)):
        tabs = [home.tab(role), home.tab(role)]
        for tab in tabs:
            tab.position(1)
        for number in range(most):
            tabs[number % 2].send("note", text="x", id=f"{number}")
            tabs[number % 2].next("done")
        for tab in tabs:
            tab.send("note", text="x")
            assert "One note after another" in tab.next("refused")["reason"]
