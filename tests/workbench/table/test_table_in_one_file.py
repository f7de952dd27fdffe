"""The table in a file of its own: what a server's pages hear, its pages hear; a game comes back as a text."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import queue
import random
import shutil
import threading
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest
from browsing import Person, faults
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from paths import RULES
from typer.testing import CliRunner
from worlds import FREE, Pair, fence, settle, until

from workbench.cli import app
from workbench.share import third_party
from workbench.share.home import Home, Pipe
from workbench.share.home import given as put
from workbench.share.returned import UnusableText, laid_out, read
from workbench.table.access import Guest
from workbench.table.line import RuleSet
from workbench.table.store import Store

House = Any
TIC = RULES / "classics" / "tic_tac_toe"


@attrs.define
class Tab:
    """A page of a home, which is spoken to as one of a server."""

    house: Apart
    heard: queue.Queue[str] = attrs.field(factory=queue.Queue)
    pipe: Pipe = attrs.field(init=False)

    @property
    def socket(self) -> Tab:
        return self

    def recv(self, timeout: float) -> str:
        return self.heard.get(timeout=timeout)

    def send(self, kind: str, **data: Any) -> None:
        self.house.loop.call_soon_threadsafe(self.pipe.hear, json.dumps({"kind": kind, **data}))

    def now(self) -> dict[str, Any]:
        """The position when nothing happens any more."""
        settle(self.house)
        self.send("look", lang="en", width=300)
        found = [json.loads(said) for said in until(self, fence(self))]
        return next(each for each in reversed(found) if each["kind"] == "position")


@attrs.define
class Apart:
    """A home in a loop of its own, with what tests ask of a server."""

    loop: asyncio.AbstractEventLoop
    home: Home = attrs.field(init=False)

    def do(self, act: Callable[[], Any]) -> Any:
        async def done() -> Any:
            return act()

        return asyncio.run_coroutine_threadsafe(done(), self.loop).result(60)

    @property
    def table(self) -> Any:
        return self.home.table

    def tab(self, role: str | int, **hello: Any) -> Tab:
        wanted = Guest("seat", role) if isinstance(role, int) else Guest("watch")
        token = next(token for token, guest in self.table.guests.items() if guest == wanted)
        made = Tab(self)
        made.pipe = self.do(lambda: self.home.open(made.heard.put))
        made.send("hello", **{"token": token, "lang": "en", "width": 600, **hello})
        return made


def plan_of(path: Path, players: int, bots: dict[int, str]) -> dict[str, Any]:
    return {"rules": RuleSet(str(path), players).plain(), "bots": bots, "pace": 0.0, "lang": None}


@pytest.fixture
def homes(tmp_path: Path) -> Iterator[Callable[..., Apart]]:
    """Makes a home of a plan as a file holds it: ``homes(path, players, bots)``; the rest is for Home."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()

    def make(path: Path, players: int, bots: dict[int, str] | None = None, **more: Any) -> Apart:
        plan = plan_of(path, players, bots or {})
        apart = Apart(loop)
        file = tmp_path / f"home {random.random()}.table"
        apart.home = apart.do(lambda: Home(json.dumps(plan), file=file, limits=FREE, **more))
        return apart

    async def end() -> None:
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    yield make
    asyncio.run_coroutine_threadsafe(end(), loop).result(60)
    loop.call_soon_threadsafe(loop.stop)
    thread.join(60)
    loop.close()


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("path", "players"),
    [(TIC, 2), (RULES / "fog_harbour", 2), pytest.param(RULES / "babel", 2, marks=pytest.mark.slow)],
)
def test_both_homes_send_the_same(
    path: Path, players: int, house: Callable[..., House], homes: Callable[..., Apart], tmp_path: Path
) -> None:
    begun = homes(path, players)
    kept = begun.do(begun.home.kept)
    (tmp_path / "server.table").write_bytes(kept)
    both = (house(path, players, limits=FREE, file=tmp_path / "server.table"), homes(path, players, kept=kept))
    pair = Pair(both, 0, random.Random(5))
    pair.tabs, pair.heard = [{}, {}], [{}, {}]
    for guest in (*range(players), "watch"):  # one after the other: who hears first of whom is open
        for home, tabs, heard in zip(both, pair.tabs, pair.heard, strict=True):
            tabs[guest], heard[guest] = home.tab(guest, width=300), []
        pair._rest()
    first = [{guest: sorted(said) for guest, said in heard.items()} for heard in pair.heard]
    assert first[0] == first[1] and all(len(said) > 1 for said in first[0].values())
    pair.heard = [{guest: [] for guest in heard} for heard in first]
    pair.play(60)
    wanted = {"choose", "why", "undo", "history"}
    for _ in range(10):
        if not wanted <= pair.said:
            pair.play(10)
    assert pair.compared > 60 and wanted <= pair.said
    texts = [each.line.choices for each in pair.tables]
    assert texts[0] == texts[1]


# ---------------------------------------------------------------- a game as a text


@pytest.fixture
def sent(homes: Callable[..., Apart], monkeypatch: pytest.MonkeyPatch) -> tuple[str, Apart]:
    """The text of a game with luck, the same each time, a note, something taken back and a bot, and where it was
    played."""
    monkeypatch.setattr("secrets.randbits", random.Random(4).getrandbits)
    there = homes(RULES / "fog_harbour", 2, {1: "random"})
    tab = there.tab(0)
    for number in range(12):
        shown = tab.now()
        while not shown["over"] and not shown["options"]:  # the bot is about to choose
            shown = tab.now()
        if not shown["over"]:
            tab.send("choose", turn=shown["turn"], option=number % len(shown["options"]))
        if number == 3:
            tab.now()
            tab.send("undo")
    tab.now()
    tab.send("note", text="Is this right?")
    tab.now()
    told = json.loads(there.do(there.home.text))
    assert told["code"].startswith("<svg")
    return told["text"], there


def test_a_game_comes_back_as_it_was_played(sent: tuple[str, Apart], tmp_path: Path) -> None:
    text, there = sent
    assert len(text) < 900
    store = Store(tmp_path / "back.table")
    number, _ = laid_out(text, store, RuleSet(str(RULES / "fog_harbour"), 2))
    kept = next(table for table in store.tables() if table.number == number)
    (line,) = store.lines(number)
    game = line.rules.load()
    back, first = store.restored(line, game), there.table.line
    assert [(each.option, each.seat, each.luck) for each in back.choices] == [
        (each.option, each.seat, each.luck) for each in first.choices
    ]
    assert game.save(back.state) == first.game.save(first.state)
    assert [note.text for note in store.notes(line.number)] == ["Is this right?"]
    assert kept.bots == {1: "random"}
    store.close()


def test_a_letter_breaks_lines_and_quotes_them(sent: tuple[str, Apart]) -> None:
    text, _ = sent
    quoted = "Hello,\n" + "\n".join(f"> {text[at : at + 60]}" for at in range(0, len(text), 60)) + "\n"
    assert read(quoted)[1] == read(text)[1]


def test_what_is_no_game_is_refused_in_words(sent: tuple[str, Apart], tmp_path: Path) -> None:
    text, _ = sent

    @settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.integers(4, len(text) - 1), st.sampled_from("ABYZabyz059-_") | st.just(""))
    def damaged(at: int, letter: str) -> None:
        changed = text[:at] + letter + text[at + 1 :]
        if changed == text:
            return
        try:
            assert read(changed)[1] == read(text)[1]  # the last letter has bits that say nothing
        except UnusableText as problem:
            assert "copy all of it once more" in str(problem)

    damaged()
    for end in range(4, len(text) - 1, 7):
        with pytest.raises(UnusableText):
            read(text[:end])
    store = Store(tmp_path / "other.table")
    with pytest.raises(UnusableText, match="not of"):
        laid_out(text, store, RuleSet(str(RULES / "babel"), 2))
    assert not list(store.tables())
    store.close()


GAME = ("--game", str(RULES / "fog_harbour"))


def changed(text: str, last: int | None = None, **head: Any) -> str:
    """A text with something else in its head, and only the choices up to the ``last`` one."""
    code = text.removeprefix("RL1.")
    before, _, choices = zlib.decompress(base64.urlsafe_b64decode(code + "=" * (-len(code) % 4))).partition(b"\0")
    data = json.dumps({**json.loads(before), **head}).encode() + b"\0" + choices[:last]
    return "RL1." + base64.urlsafe_b64encode(zlib.compress(data)).decode().rstrip("=")


def test_a_text_is_filed_beside_the_evenings(sent: tuple[str, Apart], tmp_path: Path) -> None:
    text, _ = sent
    run = CliRunner().invoke
    file = tmp_path / "testers.table"
    refused = run(app, ["evening", str(file), "--add", text])
    assert refused.exit_code == 2 and "--game PATH" in refused.output and not file.exists()
    refused = run(app, ["evening", str(file), "--add", text[:40], *GAME])
    assert refused.exit_code == 2 and "copy all of it" in refused.output and not file.exists()
    letter = tmp_path / "letter.txt"
    letter.write_text(text)
    done = run(app, ["evening", str(file), "--add", text, "--add", str(letter), *GAME])
    assert done.exit_code == 0 and "1 game," in done.output and "table 1 has this game already" in done.output
    begun = run(app, ["evening", str(tmp_path / "short.table"), "--add", changed(text, last=-2), *GAME])
    assert begun.exit_code == 0
    longer = run(app, ["evening", str(tmp_path / "short.table"), "--add", text])
    assert longer.exit_code == 0 and "table 1: 2 choices added" in longer.output and "1 game," in longer.output
    explained = run(app, ["explain", str(tmp_path / "testers" / "t1-l1.save")])
    assert explained.exit_code == 0
    people = f"people:{tmp_path / 'testers'}"
    simulate = ["simulate", str(RULES / "fog_harbour"), "--games", "4", "--bots", f"1={people},2={people}"]
    for other in range(1, 40):
        run(app, ["evening", str(file), "--add", changed(text, luck=f"{other:x}")])
    done = run(app, simulate)
    assert done.exit_code == 0, done.output


def test_a_visit_goes_on_where_the_last_one_ended(sent: tuple[str, Apart], homes: Callable[..., Apart]) -> None:
    text, there = sent
    kept = there.do(there.home.kept)
    later = homes(RULES / "fog_harbour", 2, kept=kept)
    assert later.table.line.choices[: len(there.table.line.choices)] == there.table.line.choices
    assert later.table.luck == there.table.luck
    other = homes(RULES / "fog_harbour", 2, returned=text)
    assert other.table.line.choices[: len(there.table.line.choices)] == there.table.line.choices


# ---------------------------------------------------------------- rules that are edited


def test_the_table_follows_its_rules(homes: Callable[..., Apart], tmp_path: Path) -> None:
    folder = tmp_path / "tic"
    shutil.copytree(TIC, folder)
    (rules,) = folder.glob("*.rules")
    there = homes(folder, 2)

    def follow(text: str) -> dict[str, str]:
        rules.write_text(text)
        told = asyncio.run_coroutine_threadsafe(there.home.follow(), there.loop).result(60)
        return dict(json.loads(told))

    first = rules.read_text()
    first_seat, tab = there.tab(0), there.tab(1)
    first_seat.send("choose", turn=first_seat.now()["turn"], option=4)
    assert len(tab.now()["options"]) == 8
    assert follow(first.replace("in_a_row = 3", "in_a_row = 2")) == {}
    shown = tab.now()
    assert shown["line"] == 2 and len(shown["options"]) == 8, "the game goes on from where it was"
    told = follow(first.replace("3 by 3", "4 by 4"))
    assert told["anew"] and len(first_seat.now()["options"]) == 16
    told = follow(first.replace("players 2\n  seats x, o", "players 3"))
    assert told["cannot"].startswith("tic_tac_toe") and len(first_seat.now()["options"]) == 16
    assert "`" in follow("game tic_tac_toe\n  playrs 2\n")["cannot"]


def test_numbers_of_random_games(homes: Callable[..., Apart]) -> None:
    there = homes(TIC, 2)
    found = json.loads(there.do(lambda: there.home.numbers(50, 1)))
    assert found["games"] == found["finished"] == 50 and found["seats"] == ["x", "o"]
    assert 5 <= found["decisions"]["mean"] <= 9 and sum(found["wins"]) <= 50 and found["unused"] == []


def test_texts_of_an_earlier_visit_come_first(tmp_path: Path) -> None:
    shutil.copytree(TIC, tmp_path / "tic")
    (rules,) = (tmp_path / "tic").glob("*.rules")
    plan = json.dumps(plan_of(tmp_path / "tic", 2, {}))
    first = rules.read_text()
    kept = {rules.name: "game other", "variants/mine.rules": "variant mine", "gone.md": None}
    assert json.loads(put(plan, json.dumps(kept))) == {rules.name: first, "variants/mine.rules": None, "gone.md": None}
    assert rules.read_text() == "game other" and (tmp_path / "tic" / "variants" / "mine.rules").is_file()


# ---------------------------------------------------------------- the page


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--seats", "9"], "there is no such seat; choose one of 1 north, 2 south"),
        (["--seats", "1", "--bots", "1=greedy"], "a bot plays this seat already"),
        (["--lang", "xx"], "choose one of de, en, es, fr, nl"),
        (["--out", "a.html", "--folder", "b"], "give one of them"),
        (["--runtime", "nowhere"], "npm install --prefix nowhere pyodide@"),
    ],
)
def test_what_cannot_be_shared_is_said(given: list[str], said: str, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["share", str(RULES / "babel"), "--players", "2", *given])
    assert done.exit_code == 2 and said in " ".join(done.output.split())
    assert not list(tmp_path.iterdir())


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game with hidden things for two people at one screen."""
    runtime = os.environ.get("RULELANG_RUNTIME")
    if not runtime:
        pytest.skip("needs Pyodide: name the folder in which npm installed it in RULELANG_RUNTIME")
    file = tmp_path_factory.mktemp("shared") / "game.html"
    game = RULES / "fog_harbour"
    command = ["share", str(game), "--players", "2", "--seats", "1,2", "--out", str(file), "--runtime", runtime]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    return file


@pytest.fixture(scope="module")
def playground(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two games whose rules can be edited, made from a package of what pages need."""
    runtime = os.environ.get("RULELANG_RUNTIME")
    if not runtime:
        pytest.skip("needs Pyodide and CodeMirror: name the folder in which npm installed them in RULELANG_RUNTIME")
    folder = tmp_path_factory.mktemp("playground")
    try:
        third_party.pack(third_party.named(Path(runtime), editor=True), folder / "runtime.tar.xz")
    except third_party.NoRuntime as missing:
        pytest.skip(str(missing))
    game = folder / "tic_tac_toe"
    shutil.copytree(TIC, game)
    (game / "notes.txt").write_text("Played on Sunday.")
    (game / "tic_tac_toe.rules").write_bytes((TIC / "tic_tac_toe.rules").read_bytes().replace(b"\n", b"\r\n"))
    command = ["share", str(game), "--playground", "--out", str(folder / "play.html")]
    command += ["--with", str(RULES / "classics" / "connect_four"), "--runtime", str(folder / "runtime.tar.xz")]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    return folder / "play.html"


@pytest.mark.timeout(400)
def test_rules_are_edited_beside_their_table(playground: Path, people: Callable[..., list[Person]]) -> None:
    (one,) = people(playground.as_uri(), viewport={"width": 1200, "height": 800})
    page = one.page

    def until_told(where: str, words: str) -> None:
        page.wait_for_selector(f'{where}:has-text("{words}")', timeout=60_000)

    def write(old: str, new: str) -> None:
        page.locator("#text .cm-content").press("Control+Home")
        line = next(n for n, text in enumerate(page.locator("#text .cm-line").all_inner_texts()) if old in text)
        page.locator("#text .cm-line").nth(line).click(position={"x": 2, "y": 5})
        page.keyboard.press("Home")
        page.keyboard.press("Shift+End")
        page.keyboard.type(new)
        page.keyboard.press("Escape")

    until_told("#tabs-of-rules", "✓)")
    assert page.locator("#text .cm-word").count() > 5 and page.locator("#text .cm-property").count() > 0
    ready(one)
    assert "•" not in page.locator("#files select").inner_text(), "nothing was changed, however its lines end"
    one.click()
    write("players 2", "playrs 2")
    until_told("#found", "Did you mean `players`?")
    page.get_by_role("button", name="Change `playrs` to `players`").click()
    until_told("#found", "Nothing found.")
    write("in_a_row = 3", "number in_a_row = 4")
    until_told("#tabs-of-rules", "✗")
    page.locator("[data-key='tab examples']").click()
    until_told("#found", "line.diagonal")
    page.locator("[data-key='tab numbers']").click()
    page.locator("[data-key='play']").click()
    until_told("#found", "Choices in a game")
    page.locator("[data-key='link']").click()
    link = page.locator("#back textarea").input_value()
    page.locator("[data-key='shut']").click()
    assert "#game=0&rules=" in link and faults(page) == []
    page.wait_for_timeout(500)
    page.reload()
    until_told("#tabs-of-rules", "✗")
    page.locator("[data-key='undo all']").click()
    until_told("#tabs-of-rules", "✓)")
    page.goto(link)
    page.reload()
    until_told("#tabs-of-rules", "✗")
    page.locator("#choosing select").select_option("1")
    until_told("#title", "Connect Four")
    until_told("#tabs-of-rules", "✓)")


def ready(one: Person) -> None:
    one.page.wait_for_selector("body:not(.preparing) #dock.mine, #progress.final, #cover[open]", timeout=60_000)


@pytest.mark.timeout(400)
def test_a_page_plays_is_kept_and_comes_back(page_file: Path, people: Callable[..., list[Person]]) -> None:
    (one,) = people(page_file.as_uri(), viewport={"width": 390, "height": 800})
    asked: list[str] = []
    one.page.on("request", lambda request: asked.append(request.url))
    ready(one)
    covers = 0
    for _ in range(400):
        if one.page.locator("#cover[open] button").count():
            assert covers or faults(one.page) == []
            covers += 1
            one.page.locator("#cover button").click()
        if covers > 3:
            break
        one.click()
        one.page.wait_for_timeout(30)
    assert covers > 3
    one.page.locator("#sending").click()
    area = one.page.locator("#back textarea").first
    area.wait_for()
    text = area.input_value()
    made = len(read(text)[1])
    assert made > 3 and faults(one.page) == []
    one.page.wait_for_timeout(1000)
    one.page.reload()
    ready(one)
    if one.page.locator("#cover[open] button").count():
        one.page.locator("#cover button").click()
    one.page.locator("#sending").click()
    area.wait_for()
    assert read(area.input_value())[1][:made] == read(text)[1]
    assert all(url.startswith(("file:", "blob:", "data:")) for url in asked)


@pytest.mark.timeout(400)
def test_a_page_that_slept_for_an_hour_goes_on(page_file: Path, people: Callable[..., list[Person]]) -> None:
    (one,) = people(page_file.as_uri())
    page, devtools = one.page, one.page.context.new_cdp_session(one.page)
    page.clock.install()
    page.reload()
    ready(one)
    for _ in range(2):
        told = page.locator(".log .choice").count()
        while one.asked and page.locator("#cover[open]").count() == 0 and page.locator(".log .choice").count() == told:
            one.click()
            devtools.send("Page.setWebLifecycleState", {"state": "frozen"})
            devtools.send("Page.setWebLifecycleState", {"state": "active"})
            page.clock.fast_forward(3_600_000)
        page.wait_for_function("told => document.querySelectorAll('.log .choice').length > told", arg=told)
        page.wait_for_function("() => document.querySelector('#notice').hidden")
        ready(one)
        page.locator("#cover[open] button").click()
        page.wait_for_selector("#dock.mine")


def test_a_page_cut_short_says_so(page_file: Path, tmp_path: Path, people: Callable[..., list[Person]]) -> None:
    page = page_file.read_text()
    start = page.index('data-part="project.tar.xz">')
    file = tmp_path / "cut.html"
    file.write_text(page[:start] + 'data-part="gone">' + page[page.index("</script>", start) :])
    (one,) = people(file.as_uri())
    one.page.wait_for_selector("#progress.final")
    assert one.page.inner_text("#progress").startswith("A piece of this file is missing.")
