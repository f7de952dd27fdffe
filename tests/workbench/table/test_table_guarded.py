"""Nobody gets in: origins and hosts, what browsers are told, and bounds on what anybody can ask for."""

from __future__ import annotations

import json
import logging
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest
from paths import RULES
from websockets.exceptions import ConnectionClosed, InvalidStatus

from workbench.table.access import Bucket, TableLimits

House = Any
TIC = RULES / "classics" / "tic_tac_toe"


def fetched(address: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    try:
        with urllib.request.urlopen(urllib.request.Request(address, headers=headers), timeout=60) as found:
            return found.status, dict(found.headers), found.read()
    except urllib.error.HTTPError as refused:
        return refused.code, dict(refused.headers), refused.read()


def test_browsers_are_told_to_run_nothing_but_our_files(house: Callable[..., House]) -> None:
    home = house(TIC)
    for path in ("/", "/page/picture.css", "/nothing", "/../../etc/passwd", "/page/%2e%2e/__init__.py", "/rulebook/xx"):
        status, headers, content = fetched(home.address + path)
        policy = headers["Content-Security-Policy".lower()]
        assert "script-src 'self';" in policy and "unsafe" not in policy and "default-src 'none'" in policy
        assert headers["referrer-policy"] == "no-referrer" and headers["x-content-type-options"] == "nosniff"
        assert "server" not in {name.lower() for name in headers}
        assert status == (200 if path in ("/", "/page/picture.css") else 404), (path, content)


def test_a_page_of_another_server_gets_no_socket(house: Callable[..., House]) -> None:
    home = house(TIC)
    home.knock(origin=home.address)
    home.knock()  # a program
    for origin in ("http://elsewhere.example", "null", home.address + "1", "https" + home.address[4:] + ".example"):
        with pytest.raises(InvalidStatus) as refused:
            home.knock(origin=origin)
        assert refused.value.response.status_code == 403


def test_a_name_that_is_not_ours_is_not_answered(house: Callable[..., House]) -> None:
    home = house(TIC)
    assert fetched(home.address + "/", Host="rebound.example")[0] == 421
    port = home.address.rpartition(":")[2]
    assert fetched(home.address + "/", Host=f"localhost:{port}")[0] == 200


def test_too_many_messages_are_refused_and_then_heard_again(house: Callable[..., House]) -> None:
    home = house(TIC, limits=TableLimits(rate=50, burst=5))
    tab = home.tab(0)
    tab.position(1)
    for number in range(20):
        tab.send("note", text=str(number))
    assert "Too many messages" in tab.next("refused")["reason"]
    tab.send("choose", turn=1, option=0)
    deadline = time.monotonic() + 60
    while home.table.turn == 1:
        assert time.monotonic() < deadline
        message = tab.next()
        if message["kind"] == "refused":
            tab.send("choose", turn=1, option=0)


def test_a_bucket_fills_again() -> None:
    now = 0.0
    bucket = Bucket(rate=2, burst=3, clock=lambda: now)
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    now = 0.5
    assert [bucket.take(), bucket.take()] == [True, False]


def test_a_huge_message_closes_the_page_and_harms_nothing(house: Callable[..., House]) -> None:
    home = house(TIC)
    tab = home.tab(0)
    tab.position(1)
    tab.socket.send(json.dumps({"kind": "note", "text": "x" * 100_000}))
    with pytest.raises(ConnectionClosed):
        while True:
            tab.next()
    assert home.tab(0).position(1)["at"] == 0


def test_pages_are_counted(house: Callable[..., House]) -> None:
    home = house(TIC, limits=TableLimits(pages=2, connections=4))
    for _ in range(2):
        home.tab(0).position(1)
    crowded = home.tab(0)
    assert "too many pages" in crowded.next("refused")["reason"]
    home.tab(1).position(1)
    home.tab("watch").position(1)
    late = home.tab(1)
    assert "as many pages open as it can" in late.next("refused")["reason"]
    with pytest.raises(ConnectionClosed):
        late.next()


def test_who_does_not_say_who_it_is_has_to_go(house: Callable[..., House]) -> None:
    home = house(TIC, limits=TableLimits(greeting=0.2))
    with pytest.raises(ConnectionClosed):
        home.knock().next()


def test_no_link_reaches_a_log(house: Callable[..., House], caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "rulelang"), caplog.at_level(logging.INFO, "uvicorn"):
        home = house(TIC)
        tab = home.tab(0)
        tab.position(1)
        fetched(home.address + "/")
        tab.send("sing")
        tab.next("refused")
    assert not any(token in caplog.text for token in home.table.guests)
