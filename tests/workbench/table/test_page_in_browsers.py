"""The page in real browsers: games by clicking or typing only, phones, accessibility, languages, a server that dies."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from browsing import PATIENCE, eventually, faults, links, logged, play, play_until
from paths import RULES
from small_games import corpus, write_game

import interpreter
from workbench.table.playing import Tempo

House = Any
TIC = RULES / "classics" / "tic_tac_toe"
PHONE = {"width": 390, "height": 844}


def test_two_windows_play_to_the_end_by_clicking(house: Callable[..., House], people: Any) -> None:
    home = house(TIC)
    pair = people(*links(home, 0, 1))
    stopped = pair[0].page
    stopped.clock.install(time=0)
    stopped.clock.pause_at(60_000)
    play(pair)
    for one in pair:
        assert one.page.locator("#results .ranking li").count() == 2
    again = stopped.locator("#results [data-key=again]")
    assert again.is_disabled(), "a click that was meant for the last choice must not begin another game"
    stopped.get_by_label("Language").select_option("nl")
    stopped.get_by_role("heading", name="Uitslag").wait_for()
    assert again.is_disabled(), "nor when the end is shown again soon"
    stopped.clock.run_for(2_000)
    assert again.is_enabled()
    for one in reversed(pair):
        one.page.locator("#results [data-key=again]").click()
    pair[0].page.wait_for_selector("#results", state="hidden")
    play(pair, 2)
    pair[0].page.wait_for_function("() => document.querySelectorAll('.log .choice').length > 0")


MARK = "() => document.querySelectorAll('#picture svg *').forEach((one) => { one.isOld = true; })"

REDRAWN = """() => {
  const svg = document.querySelector('#picture svg');
  const old = [...svg.querySelectorAll('*')].filter((one) => one.isOld).length;
  const copy = svg.cloneNode(true);
  for (const layer of copy.querySelectorAll('.layer')) layer.remove();
  for (const one of [copy, ...copy.querySelectorAll('*')]) {
    one.classList.remove('lit');
    for (const name of ['tabindex', 'role', 'aria-label', 'aria-hidden']) one.removeAttribute(name);
    if (one.getAttribute('class') === '') one.removeAttribute('class');
    const sorted = [...one.attributes].map(({ name, value }) => [name, value]).sort();
    for (const [name] of sorted) one.removeAttribute(name);
    for (const [name, value] of sorted) one.setAttribute(name, value);
  }
  return [copy.outerHTML, old];
}"""
"""The picture without what the page adds to it, and how much of it was there when it was marked."""

GAMES = [
    pytest.param("skye", ("druids",), 8, id="skye"),
    pytest.param("meduris", (), 10, id="meduris"),
    pytest.param("babel", (), 8, id="babel"),
]

BEGUN = [GAMES[0], *(pytest.param(*one.values, marks=pytest.mark.slow, id=one.id) for one in GAMES[1:])]


def fewest_and_bots(name: str) -> tuple[int, dict[int, str]]:
    """Two people, and two bots where as many can play."""
    return (2, {}) if name == "babel" else (4, {2: "random", 3: "random"})


@pytest.mark.parametrize(("name", "variants", "clicks"), BEGUN)
def test_people_and_bots_begin(
    name: str, variants: tuple[str, ...], clicks: int, house: Callable[..., House], people: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(Tempo, "after", lambda tempo, seat, thought: 0.0)  # of which other tests are
    players, bots = fewest_and_bots(name)
    home = house(RULES / name, players=players, variants=variants, bots=bots)
    pair = people(*links(home, 0, 1))
    before = len(home.table.line.choices)
    pair[0].page.evaluate(MARK)
    assert play(pair, clicks) >= clicks
    eventually(pair[0].page, lambda: len(home.table.line.choices) > before + clicks / 5)
    assert pair[0].page.evaluate(REDRAWN)[1] > 20, "what stays as it was is not drawn again"
    new = pair[0].page.context.new_page()

    def alike() -> bool:
        new.goto(pair[0].page.url)
        new.reload()
        new.wait_for_selector("#picture svg")
        return bool(pair[0].page.evaluate(REDRAWN)[0] == new.evaluate(REDRAWN)[0])

    eventually(pair[0].page, alike)  # as soon as the bots wait


@pytest.mark.slow
@pytest.mark.parametrize(("name", "variants", "clicks"), GAMES)
@pytest.mark.parametrize("size", [{"width": 1200, "height": 800}, PHONE], ids=["desk", "phone"])
@pytest.mark.timeout(900)
def test_people_and_bots_play_a_whole_game(
    name: str, variants: tuple[str, ...], clicks: int, size: Any, house: Callable[..., House], people: Any
) -> None:
    players, bots = fewest_and_bots(name)
    home = house(RULES / name, players=players, variants=variants, bots=bots)
    pair = people(*links(home, 0, 1), viewport=size)
    play(pair)
    assert pair[0].over and home.table.line.state.over


def test_a_game_with_the_keyboard_alone(house: Callable[..., House], people: Any) -> None:
    home = house(TIC, bots={1: "random"})
    (one,) = people(*links(home, 0))
    page = one.page
    for _ in range(9):
        page.wait_for_selector("#dock.mine, #results:visible")
        if one.over:
            break
        for _ in range(40):
            if page.evaluate("document.activeElement.classList.contains('lit')"):
                break
            page.keyboard.press("Tab")
        told = page.locator(".log .choice").count()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowLeft")
        assert page.locator(".ring-focus").count() == 1
        page.keyboard.press("Enter")
        page.wait_for_function("told => document.querySelectorAll('.log .choice').length > told", arg=told)
    assert one.over


def test_a_piece_is_turned_and_laid_with_the_keyboard_and_escape_takes_back(
    house: Callable[..., House], people: Any
) -> None:
    home = house(RULES / "skye", bots={1: "random"})
    (one,) = people(*links(home, 0))
    page = one.page
    play_until(home, one, "build")
    page.wait_for_selector("#picture .lit")
    page.evaluate("document.querySelector('#picture .rl-slot').parentElement.focus()")
    page.keyboard.press("Enter")
    page.wait_for_selector("#popup")
    if page.locator(".ghost").count() == 0:  # which tile has to be said as well
        page.keyboard.press("Enter")
    page.wait_for_selector(".ghost")
    page.keyboard.press("Escape")
    page.wait_for_selector(".ghost", state="detached")
    page.keyboard.press("Escape")
    page.wait_for_selector("#popup", state="detached")


@pytest.mark.parametrize(
    ("scheme", "size"), [("light", PHONE), pytest.param("dark", {"width": 1200, "height": 800}, marks=pytest.mark.slow)]
)
def test_everybody_can_use_it(scheme: str, size: Any, house: Callable[..., House], people: Any) -> None:
    home = house(RULES / "meduris", bots={1: "random"})
    (one,) = people(*links(home, 0), color_scheme=scheme, viewport=size)
    play([one], 6)
    one.page.wait_for_selector("#dock.mine")
    assert faults(one.page) == []
    assert one.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_end_shows_how_it_went(house: Callable[..., House], people: Any) -> None:
    game = interpreter.load(RULES / "meduris", players=2, engine="wasm")
    save = game.save(interpreter.simulated(game, seed=1, number=0))
    home = house(RULES / "meduris", players=2, start={"save": save})
    (one,) = people(*links(home, 0), viewport=PHONE)
    assert one.page.locator(".curves .curve").count() == 2
    one.page.get_by_text("Points by round").click()
    assert one.page.locator("#results .sheet").count() == 2 and one.page.get_by_text("Rounds: ").is_visible()
    for sums in one.page.locator("#results tfoot").all_inner_texts():
        assert sorted(map(int, sums.split()[1:])) == sorted(game.resume(save).scores), "what one began with counts"
    assert faults(one.page) == []
    assert one.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_fault_would_be_found(house: Callable[..., House], people: Any) -> None:
    (one,) = people(*links(house(TIC), 0))
    one.page.evaluate("document.querySelector('#lang').parentElement.replaceWith(document.querySelector('#lang'))")
    assert any("name" in fault for fault in faults(one.page))


def test_the_language_changes_at_any_moment(house: Callable[..., House], people: Any) -> None:
    home = house(RULES / "meduris")
    (one,) = people(*links(home, 0), locale="nl-NL")
    page = one.page
    page.get_by_role("heading", name=re.compile("aan zet|Wachten")).wait_for()
    page.get_by_label("Taal").select_option("de")
    page.get_by_role("heading", name=re.compile("Du bist dran|Warten")).wait_for()
    page.get_by_role("tab", name="Regeln").click()
    page.wait_for_selector("#panel-rulebook[lang=de] p")
    page.reload()
    page.get_by_role("heading", name=re.compile("Du bist dran|Warten")).wait_for()


AUCTION = corpus("auction")


@pytest.mark.parametrize(
    "size", [PHONE, pytest.param({"width": 1200, "height": 800}, marks=pytest.mark.slow)], ids=["phone", "desk"]
)
def test_a_number_is_typed_or_drawn(size: Any, house: Callable[..., House], people: Any, tmp_path: Path) -> None:
    home = house(write_game(tmp_path / "auction", AUCTION))
    first, second = people(*links(home, 0, 1), viewport=size)
    field = first.page.locator("#controls input[type=number]")
    confirm = first.page.locator("#controls [data-key=confirm]")
    field.fill("201")
    assert confirm.is_disabled(), "what cannot be bid cannot be confirmed"
    field.fill("40")
    assert first.page.locator("#controls input[type=range]").input_value() == "39"
    field.press("Enter")
    second.page.wait_for_selector("#dock.mine")
    field = second.page.locator("#controls input[type=number]")
    assert field.get_attribute("min") == "41" and field.get_attribute("max") == "200"
    second.page.locator("#controls input[type=range]").fill("9")
    assert field.input_value() == "50"
    second.page.locator("#controls [data-key=confirm]").click()
    first.page.wait_for_selector("#dock.mine")
    first.page.locator("#controls").get_by_role("button", name="no", exact=True).first.click()
    first.page.wait_for_selector("#results .ranking")
    assert not faults(first.page) and not first.complaints


TRICK = """\
game trick
  players 2
  seats ann, ben

enum Card: oak, elm, yew, fir, ash, may

each Player has
  hand: pool of Card
  played: pool of Card
  won: pool of Card
  score: 0..9

winner most score[p], then shared

rule play
  each c in Card
    if index(c) < 3
      surely move 1 of c from stock to hand[first(Player)]
    otherwise
      surely move 1 of c from stock to hand[next(first(Player))]
  repeat at most 2
    each p in Player
      p chooses c in hand[p]
        surely move 1 of c from hand[p] to played[p]
    each p in Player
      surely move all from played[p] to won[first(Player)]

the game has
  stock: pool of Card = {c: 1 for c in Card}
"""


AWAY = """() => {
  Object.defineProperty(document, "hidden", { get: () => true });
  const asked = () => Promise.resolve("granted");
  window.Notification = class {
    static permission = "granted";
    static requestPermission = asked;
    constructor(title) { window.called = title; }
  };
}"""


def test_a_finished_trick_waits_to_be_read_and_the_table_is_seen_as_one_likes(
    house: Callable[..., House], people: Any, tmp_path: Path
) -> None:
    first, second = people(*links(house(write_game(tmp_path / "trick", TRICK)), 0, 1))
    page = first.page
    page.locator("#comfort summary").click()
    page.get_by_label("Ask before a choice counts").check()
    page.get_by_label("Larger").click()
    assert page.evaluate(
        "document.querySelector('#picture').offsetWidth > 1.2 * document.querySelector('#table').offsetWidth"
    )
    page.get_by_label("Smaller").click()
    page.locator("#comfort summary").click()
    page.locator('#picture [data-at="hand[ann]:oak"]').click()
    page.locator("#controls [data-key=leave]").click()
    page.locator('#picture [data-at="hand[ann]:elm"]').click()
    page.locator("#controls [data-key=confirm]").click()
    for one in (first, second):  # so that nothing goes on by itself
        one.page.clock.install(time=0)
        one.page.clock.pause_at(60_000)
    second.page.locator('#picture [data-at="hand[ben]:fir"]').click()
    for one in (first, second):
        one.page.wait_for_selector(".layer-resting title:text-is('fir')", state="attached")
        assert one.page.locator('#picture [data-at="played[ann]:elm"]').count() == 1
    second.page.get_by_role("button", name="Go on").click()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Enter")
    for one in (first, second):
        one.page.wait_for_selector('#picture [data-at="won[ann]:elm"]')
        one.page.clock.resume()
    assert not faults(page) and page.title().startswith("● Your turn")
    second.page.evaluate(AWAY)
    second.page.locator("#comfort summary").click()
    second.page.get_by_label("Call me when it is my turn").check()
    page.locator('#picture [data-at="hand[ann]:oak"]').click()
    page.locator("#controls [data-key=confirm]").click()
    second.page.wait_for_function("() => window.called === 'trick'")


def test_a_page_that_was_away_for_long_does_not_read_it_all(house: Callable[..., House], people: Any) -> None:
    home = house(RULES / "whist", players=4)
    (one,) = people(*links(home, "watch"), viewport={"width": 320, "height": 568})
    one.page.clock.install(time=0)
    one.page.clock.pause_at(60_000)  # as if it slept
    tabs, table = [home.tab(seat) for seat in range(4)], home.table
    while len(table.line.choices) < 40:
        turn = table.turn
        tabs[table.line.state.player].send("choose", turn=turn, option=0)
        eventually(one.page, lambda turn=turn: one.turn > turn)
    eventually(one.page, lambda: one.page.locator(".log .choice").count() >= 28)
    go_on = one.page.locator("[data-key='go on']")
    assert go_on.is_visible() and one.page.evaluate(
        "document.querySelector('[data-key=\"go on\"]').getBoundingClientRect().bottom <= innerHeight"
    ), "the last of it waits"


def test_what_can_be_chosen_is_drawn_to_where_it_goes(house: Callable[..., House], people: Any) -> None:
    home = house(RULES / "skye", bots={1: "random"})
    (one,) = people(*links(home, 0), has_touch=True)
    page = one.page
    play_until(home, one, "build")
    tile, square = (page.locator(f'#picture [data-at^="{at}"]').first for at in ("screen[red]:", "land[red]@-1,0"))
    tile.drag_to(square)
    page.wait_for_selector(".ghost")
    assert page.locator(".ring-picked").count() == 2
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")

    devtools = page.context.new_cdp_session(page)

    def touch(kind: str, *at: float) -> None:
        points = [{"x": at[0], "y": at[1]}] if at else []
        devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def middle(of: Any) -> tuple[float, float]:
        box = of.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def drag(rests: bool) -> None:
        tile.scroll_into_view_if_needed()
        (x, y), (to_x, to_y) = middle(tile), middle(square)
        touch("touchStart", x, y)
        if rests:
            page.wait_for_selector(".layer-drawn > *", state="attached")
        for step in range(1, 9):
            touch("touchMove", x + (to_x - x) * step / 8, y + (to_y - y) * step / 8)
        if rests:  # at the edge, since the question covers where it goes
            page.wait_for_function("() => scrollY > 99")
            touch("touchMove", *middle(square))
        touch("touchEnd")

    page.set_viewport_size(PHONE)
    page.wait_for_function("() => document.querySelector('#picture svg').viewBox.baseVal.width < 400")
    page.evaluate("scrollTo(0, 40)")  # so that it can scroll either way
    drag(rests=False)
    page.wait_for_function("() => scrollY !== 40")
    assert page.locator(".ring-picked, .layer-drawn > *").count() == 0, "a finger that moves at once scrolls"
    drag(rests=True)
    page.wait_for_selector(".ghost")
    assert page.locator(".layer-drawn > *").count() == 0


def test_what_is_not_lit_says_why_not(house: Callable[..., House], people: Any) -> None:
    home = house(TIC)
    first, second = people(*links(home, 0, 1))
    square = first.page.locator("#picture .lit").first
    at = square.get_attribute("data-at")
    square.click()
    second.page.wait_for_selector("#dock.mine")
    second.page.locator(f'#picture [data-at="{at}"]').click()
    dialog = second.page.get_by_role("dialog")
    dialog.get_by_text("Cannot be chosen now").wait_for()
    assert dialog.locator(".conditions .fails").count() == 1
    dialog.get_by_role("button", name="Close").click()
    lit = second.page.locator("#picture .lit")
    lit.first.click(button="right")
    dialog.get_by_text("Can be chosen").wait_for()
    dialog.get_by_role("button", name="Close").click()
    assert lit.count() == 8, "who asks has not chosen"


def test_a_server_that_is_killed_comes_back_with_everything(tmp_path: Path, people: Any) -> None:
    def serve(port: int) -> tuple[subprocess.Popen[str], list[str]]:
        file = tmp_path / "evening.table"
        what = [] if file.exists() else [str(TIC), "--players", "2", "--seed", "3"]
        start = [sys.executable, "-c", "from workbench.entry import main; main()"]
        command = [*start, "serve", *what, "--db", str(file), "--port", str(port), "--pace", "0"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert server.stdout is not None
        return server, [server.stdout.readline().split()[-1] for _ in range(2)]

    server, seats = serve(0)
    try:
        pair = people(*seats)
        play(pair, 3)
        for one in pair:
            logged(one.page, 3)
        os.kill(server.pid, signal.SIGKILL)
        server.wait()
        for one in pair:
            one.page.wait_for_function("() => !document.querySelector('#notice').hidden")
        port = int(seats[0].partition("#")[0].rstrip("/").rpartition(":")[2])
        server, again = serve(port)
        assert again == seats
        for one in pair:
            one.page.wait_for_function("() => document.querySelector('#notice').hidden", timeout=PATIENCE * 1000)
            logged(one.page, 3)
        play(pair)
        assert all(one.over for one in pair)
    finally:
        server.kill()
        server.wait()
