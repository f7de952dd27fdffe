"""Threads of the tables: what takes long holds up its own table, people come first, and nothing goes on for ever."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from browsing import PATIENCE
from paths import RULES
from serving import run_apart

from workbench.table.access import TableLimits
from workbench.table.line import Line
from workbench.table.work import BY_ITSELF, GivenUp, Work

House = Any
TIC = RULES / "classics" / "tic_tac_toe"
SOON = TableLimits(quick=0.01, searches=1)


def run(main: Callable[[Work], Coroutine[Any, Any, None]], limits: TableLimits = SOON) -> None:
    """Runs a test on threads of its own."""

    async def whole() -> None:
        work = Work(limits)
        try:
            await asyncio.wait_for(main(work), PATIENCE)
        finally:
            work.close()

    run_apart(whole())


def test_slow_tables_do_not_hold_up_another() -> None:
    async def main(work: Work) -> None:
        go = threading.Event()
        slow = [asyncio.create_task(work.of(number).quick(go.wait, PATIENCE)) for number in range(20)]
        assert await work.of(20).quick(lambda: "at once") == "at once"
        assert not any(task.done() for task in slow)
        go.set()
        assert all(await asyncio.gather(*slow))

    run(main)


def test_a_table_that_asks_for_much_waits_for_itself() -> None:
    async def main(work: Work) -> None:
        go, order = threading.Event(), list[str]()
        first = asyncio.create_task(work.of("a").search(go.wait, PATIENCE))
        rest = [asyncio.create_task(work.of(name[0]).search(order.append, name)) for name in ("a1", "a2", "a3", "b1")]
        await asyncio.sleep(0)
        go.set()
        await asyncio.gather(first, *rest)
        assert order == ["a1", "b1", "a2", "a3"]

    run(main)


def test_people_come_before_bots() -> None:
    async def main(work: Work) -> None:
        go, order = threading.Event(), list[str]()

        async def by_itself(name: str) -> None:
            BY_ITSELF.set(True)
            await work.of(name).search(order.append, name)

        first = asyncio.create_task(work.of("table").search(go.wait, PATIENCE))
        rest = [asyncio.create_task(by_itself(f"bot {number}")) for number in range(3)]
        await asyncio.sleep(0)
        rest.append(asyncio.create_task(work.of("person").search(order.append, "person")))
        await asyncio.sleep(0)
        go.set()
        await asyncio.gather(first, *rest)
        assert order[0] == "person" and len(order) == 4

    run(main)


def forever() -> None:
    while True:
        pass


def test_what_never_ends_is_given_up_and_leaves_the_threads_as_they_were() -> None:
    async def main(work: Work) -> None:
        for lane in ("quick", "search"):
            with pytest.raises(GivenUp, match="given up after 0 seconds"):
                await getattr(work.of(1), lane)(forever)
            assert await getattr(work.of(1), lane)(lambda: "next") == "next"

    run(main, TableLimits(quick=0.01, searches=1, thinking=0.05))


def test_what_cannot_be_done_is_said_to_whom_it_concerns() -> None:
    async def main(work: Work) -> None:
        def fails() -> None:
            raise ValueError("no")

        with pytest.raises(ValueError, match="no"):
            await work.of(1).quick(fails)
        assert await work.of(1).quick(lambda: 1) == 1

    run(main)


def test_who_no_longer_waits_is_held_until_its_work_is_not_touched_any_more() -> None:
    async def main(work: Work) -> None:
        begun, go, ended = threading.Event(), threading.Event(), list[str]()

        def slow() -> None:
            begun.set()
            go.wait(PATIENCE)
            ended.append("slow")

        running = asyncio.create_task(work.of(1).search(slow))
        waiting = asyncio.create_task(work.of(1).search(ended.append, "never"))
        await asyncio.to_thread(begun.wait, PATIENCE)
        for task in (running, waiting):
            task.cancel()
        await asyncio.wait({waiting})
        assert not running.done()
        go.set()
        await asyncio.wait({running})
        assert ended == ["slow"] and running.cancelled() and waiting.cancelled()

    run(main)


def test_closing_stops_what_runs() -> None:
    before = set(threading.enumerate())

    async def main(work: Work) -> None:
        begun = threading.Event()

        def never_ends() -> None:
            begun.set()
            forever()

        task = asyncio.create_task(work.of(1).quick(never_ends))
        await asyncio.to_thread(begun.wait, PATIENCE)
        work.close()
        with pytest.raises(GivenUp):
            await task

    run(main)
    for thread in set(threading.enumerate()) - before:
        if thread.name in ("table", "search"):
            thread.join(PATIENCE)
            assert not thread.is_alive()


# ---------------------------------------------------------------- at tables


def test_five_slow_choices_and_a_sixth_table(house: Callable[..., House], monkeypatch: pytest.MonkeyPatch) -> None:
    home = house(TIC, tables=6, limits=SOON)
    go, usual = threading.Event(), Line.course

    def after(line: Line, choice: Any) -> Any:
        if line.number != 6:
            go.wait(PATIENCE)
        return usual(line, choice)

    monkeypatch.setattr(Line, "course", after)
    tabs = [home.tab(0, table=number) for number in range(1, 7)]
    for tab in tabs:
        tab.position(1)
        tab.send("choose", turn=1, option=0)
    assert tabs[-1].position(2)["at"] == 1
    assert [table.turn for table in home.tables] == [1] * 5 + [2]
    go.set()
    for tab in tabs[:-1]:
        tab.position(2)


def test_a_choice_that_never_ends_is_refused_and_another_can_be_made(
    house: Callable[..., House], monkeypatch: pytest.MonkeyPatch
) -> None:
    home = house(TIC, limits=TableLimits(quick=0.01, thinking=0.05))
    usual = Line.course
    monkeypatch.setattr(Line, "course", lambda line, choice: usual(line, choice) if choice.option else forever())
    tab = home.tab(0)
    tab.position(1)
    tab.send("choose", turn=1, option=0)
    assert "given up" in tab.next("refused")["reason"]
    tab.send("choose", turn=1, option=1)
    assert tab.position(2)["at"] == 1


@pytest.mark.parametrize("fails", [forever, lambda: 1 / 0])
def test_a_bot_that_cannot_choose_holds_its_table_and_says_so(
    fails: Callable[[], None], house: Callable[..., House], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.table.work._PONDERING", 0.05)
    monkeypatch.setattr("workbench.table.playing.chosen", lambda *arguments: fails())
    home = house(TIC, bots={1: "random"}, tables=2, limits=TableLimits(searches=1))
    tab = home.tab(0)
    tab.position(1)
    tab.send("choose", turn=1, option=0)
    assert tab.next("fault")["text"]
    monkeypatch.setattr("workbench.table.playing.chosen", lambda *arguments: 0)
    tab.send("undo")
    tab.position(3)
    tab.send("choose", turn=3, option=1)
    assert tab.position(5)["at"] == 2


def test_a_slow_choice_is_not_taken_for_a_lost_connection(
    house: Callable[..., House], monkeypatch: pytest.MonkeyPatch
) -> None:
    home = house(TIC)
    go, usual = threading.Event(), Line.course
    monkeypatch.setattr(Line, "course", lambda line, choice: go.wait(PATIENCE) and usual(line, choice))
    tab = home.tab(0)
    tab.position(1)
    tab.send("choose", turn=1, option=0)
    tab.send("alive")
    tab.next("alive")
    assert home.table.turn == 1
    go.set()
    tab.position(2)
