"""Bytes, time and frames of the page: `python -m tests.bench.bench_page [--short]`.

Prints a table of figures with their targets, measured in a headless Chromium whose processor
and line are slowed down as a phone's are. Only the bytes are the same on every machine; only
they can fail the run, as in `make test`, which calls the short form.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, CDPSession, Page
from spider_race_client import Race

from tests.bench.figures import markdown
from tests.e2e.pages import DESKTOP, PHONE, Person, chromium, serving
from tests.e2e.wire import create, join, on_the_wire

SLOWER = 6
LINE = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_600_000 / 8,
    "uploadThroughput": 750_000 / 8,
}
PROCESSOR = {"timeDomain": "threadTicks"}
"""CPU time of the main thread, which other programs on the machine change little."""

MOST_BYTES = 63 * 1024
READY_S = 2.0
DRAG_MS = 1.0
DRAG_FPS = 55
WALL_PERCENT = 30
BOARDS = 8
CARD = '[data-in="t4"]'
UPDATES_S = 2

WHEN_READY = """
window.ready = new Promise((resolve) => {
  new MutationObserver((_, watcher) => {
    if (!document.querySelector('#create')) return;
    watcher.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
  }).observe(document, {childList: true, subtree: true});
});
"""

# Frames while the cards in hand go round in a circle: how many, and the median time between two.
WATCH_FRAMES = """() => {
  const frames = (window.times = []);
  const tick = (now) => { frames.push(now); window.ticking = requestAnimationFrame(tick); };
  window.ticking = requestAnimationFrame(tick);
}"""
READ_FRAMES = """() => {
  cancelAnimationFrame(window.ticking);
  const gaps = window.times.slice(1).map((at, i) => at - window.times[i]);
  gaps.sort((a, b) => a - b);
  return {count: window.times.length, median: gaps[gaps.length >> 1]};
}"""

# The least that a drag costs: one box on an empty page.
BOX = """<div style="position: absolute; left: 400px; top: 300px; width: 92px; height: 129px;
  background: white; will-change: transform"></div>"""
DRAG_BOX = """() => {
  const box = document.querySelector('div');
  let from = null;
  box.onpointerdown = ({clientX: x, clientY: y, pointerId}) => {
    from = {x, y};
    box.setPointerCapture(pointerId);
  };
  box.onpointermove = ({clientX: x, clientY: y}) => {
    if (from) box.style.transform = `translate3d(${x - from.x}px,${y - from.y}px,0)`;
  };
}"""


@dataclass(frozen=True, slots=True)
class ColdPage:
    """The front page of a first visit, and of a second one, on a slow phone."""

    files: int
    gzipped: float
    plain: float
    """Bytes of the bodies before their compression."""
    ready_s: float
    again_s: float
    """Seconds until the page is ready on the second visit."""

    @property
    def is_too_large(self) -> bool:
        return self.gzipped > MOST_BYTES


@dataclass(frozen=True, slots=True)
class Drag:
    """A drag of cards: milliseconds of the main thread a frame, and frames per second."""

    moving_ms: float
    still_ms: float
    fps: float


@dataclass(frozen=True, slots=True)
class Drags:
    """Drags on a desk, on a slow phone, and of a box on an empty page."""

    desk: Drag
    slow: Drag
    box: Drag


@dataclass(frozen=True, slots=True)
class Wall:
    """The boards that a spectator sees, on a slow main thread."""

    boards: int
    share: float
    """The share of the main thread's time."""

    @property
    def update_ms(self) -> float:
        """Milliseconds of the main thread for one update of one board."""
        return self.share * 1e3 / (self.boards * UPDATES_S)


@dataclass(frozen=True, slots=True)
class PageCosts:
    """All figures of the page."""

    cold: ColdPage
    drags: Drags
    wall: Wall

    def __str__(self) -> str:
        cold, drags, wall = self.cold, self.drags, self.wall
        frame = (
            f"{drags.desk.moving_ms:.2f} ms; without a move {drags.desk.still_ms:.2f}; "
            f"a bare box on an empty page {drags.box.moving_ms:.2f}"
        )
        rows = [
            (
                "cold page, gzipped",
                f"≤ {MOST_BYTES // 1024} KB",
                f"{cold.gzipped / 1024:.1f} KB in {cold.files} files",
            ),
            (
                f"ready at {SLOWER}x CPU slowdown, 1.6 Mbit/s, 150 ms",
                f"≤ {READY_S:.0f} s",
                f"{cold.ready_s:.2f} s, on the second visit {cold.again_s:.2f}",
            ),
            (
                "main thread a frame of a drag",
                f"≤ {DRAG_MS:.1f} ms",
                frame,
            ),
            (
                f"frames of a drag at {SLOWER}x, median",
                f"≥ {DRAG_FPS} fps",
                f"{drags.slow.fps:.0f} fps",
            ),
            (
                f"wall of {wall.boards} boards, {UPDATES_S} updates/s each, at {SLOWER}x",
                f"≤ {WALL_PERCENT} % of the main thread",
                f"{wall.share * 100:.0f} %",
            ),
        ]
        return markdown(("what", "target", "measured"), rows)


async def metrics(devtools: CDPSession) -> dict[str, float]:
    """Return the browser's own counts, in seconds."""
    reply = await devtools.send("Performance.getMetrics")
    return {metric["name"]: metric["value"] for metric in reply["metrics"]} | {
        "Now": time.monotonic()
    }


async def cold_page(browser: Browser, address: str) -> ColdPage:
    """Measure the bytes of all that the front page loads by itself, and how soon it can be used.

    What comes after the page is ready counts too: the session, and the race behind the title.
    """
    context = await browser.new_context(**PHONE)
    page = await context.new_page()
    devtools = await context.new_cdp_session(page)
    bodies: dict[str, float] = {}
    heads: dict[str, float] = {}
    plain = 0.0

    def responded(event: dict[str, Any]) -> None:
        heads[event["requestId"]] = event["response"]["encodedDataLength"]

    def received(event: dict[str, Any]) -> None:
        nonlocal plain
        plain += event["dataLength"]

    def finished(event: dict[str, Any]) -> None:
        name = event["requestId"]
        bodies[name] = event["encodedDataLength"] - heads.get(name, 0)

    devtools.on("Network.responseReceived", responded)
    devtools.on("Network.dataReceived", received)
    devtools.on("Network.loadingFinished", finished)
    ready_s = await _visit(page, devtools, address)
    gzipped, files, whole = sum(bodies.values()), len(bodies), plain
    await page.close()
    page = await context.new_page()
    again_s = await _visit(page, await context.new_cdp_session(page), address)
    await context.close()
    return ColdPage(files, gzipped, whole, ready_s, again_s)


async def _visit(page: Page, devtools: CDPSession, address: str) -> float:
    """Load the front page on a slow phone; return the seconds until it can be used."""
    await devtools.send("Network.enable")
    await devtools.send("Network.emulateNetworkConditions", LINE)
    await devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    await page.add_init_script(WHEN_READY)
    await page.goto(address)
    ready_ms: float = await page.evaluate("() => window.ready")
    await page.wait_for_selector(".living")
    await page.wait_for_load_state("networkidle")
    return ready_ms / 1_000


async def practise(address: str, **how: Any) -> Person:
    """Return a person at the table of a new game."""
    person = await Person.at(address, **how)
    await person.page.check("[name=game][value=spider-1]", force=True)
    await person.page.fill("#name", "Ada")
    await person.page.click("#practice")
    await person.on("race")
    await person.page.wait_for_timeout(1_500)
    return person


async def drag(page: Page, seconds: float, what: str = CARD) -> Drag:
    """Measure a drag, first one in which nothing moves.

    All tasks of the main thread count: input, script, style, layout, paint and commit, and the
    counting of frames itself.
    """
    devtools = await page.context.new_cdp_session(page)
    await devtools.send("Performance.enable", PROCESSOR)
    box = await page.locator(what).last.bounding_box()
    assert box is not None
    x, y = box["x"] + 12, box["y"] + 12
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 20, y + 20)
    await page.wait_for_timeout(200)
    await page.evaluate(WATCH_FRAMES)
    before = await metrics(devtools)
    await page.wait_for_timeout(seconds * 1_000)
    middle = await metrics(devtools)
    still = await page.evaluate(READ_FRAMES)
    empty = (middle["TaskDuration"] - before["TaskDuration"]) * 1_000 / still["count"]
    before = await metrics(devtools)
    await page.evaluate(WATCH_FRAMES)
    for step in range(int(seconds * 120)):
        where = {"x": x + 150 - abs(step * 7 % 600 - 300), "y": y + step * 3 % 200}
        event = {"type": "mouseMoved", "button": "left", "buttons": 1, **where}
        sent = asyncio.ensure_future(devtools.send("Input.dispatchMouseEvent", event))
        await asyncio.sleep(1 / 120)
    await sent
    frames = await page.evaluate(READ_FRAMES)
    after = await metrics(devtools)
    await page.mouse.up()
    cost = (after["TaskDuration"] - before["TaskDuration"]) * 1_000 / frames["count"]
    return Drag(cost, empty, 1_000 / frames["median"])


async def dragging(browser: Browser, address: str, seconds: float) -> Drags:
    """Measure drags on a desk, on a slow phone, and on an empty page."""
    empty_page = await (await browser.new_context(**DESKTOP)).new_page()
    await empty_page.set_content(BOX)
    await empty_page.evaluate(DRAG_BOX)
    box = await drag(empty_page, seconds, "div")
    await empty_page.context.close()
    person = await practise(address, **DESKTOP)
    desk = await drag(person.page, seconds)
    await person.page.context.close()
    person = await practise(address, **DESKTOP)
    devtools = await person.page.context.new_cdp_session(person.page)
    await devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    slow = await drag(person.page, seconds)
    await person.page.context.close()
    return Drags(desk, slow, box)


async def play_on(player: Race) -> None:
    """Make `UPDATES_S` moves per second until the task is cancelled."""
    while table := player.table:
        moves = [action for action in table.legal if "x" in action]
        deals = [action for action in table.legal if action == "deal"]
        if not (moves or deals):
            return
        await player.act(moves[table.at % len(moves)] if moves else deals[0])
        await asyncio.sleep(1 / UPDATES_S)


async def wall(address: str, seconds: float) -> Wall:
    """Measure the share of a slow main thread that the boards of eight players take."""
    settings = {"game": "spider-4", "spectate": "boards", "board_delay_s": 0}
    host = await create(address, "Player 0", **settings)
    players = [host, *[await join(address, host.code, f"Player {n}") for n in range(1, BOARDS)]]
    don = await Person.at(host.link, **DESKTOP)
    await don.on("join")
    await don.page.fill("#name", "Don")
    await don.page.click("#watch")
    await don.on("room")
    for player in players:
        await player.ready()
    await asyncio.gather(*(player.wait_for_table() for player in players))
    playing = [asyncio.create_task(play_on(player)) for player in players]
    await don.on("race")
    await don.page.wait_for_timeout(2_000)
    devtools = await don.page.context.new_cdp_session(don.page)
    await devtools.send("Performance.enable", PROCESSOR)
    await devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    before = await metrics(devtools)
    await don.page.wait_for_timeout(seconds * 1_000)
    after = await metrics(devtools)
    boards = await don.page.locator("#board-grid [data-seat]").count()
    for task in playing:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
    await don.page.context.close()
    share = (after["TaskDuration"] - before["TaskDuration"]) / (after["Now"] - before["Now"])
    return Wall(boards, share)


async def _measure(address: str, seconds: float) -> PageCosts:
    async with chromium() as browser, on_the_wire():
        return PageCosts(
            await cold_page(browser, address),
            await dragging(browser, address, seconds),
            await wall(address, 2 * seconds),
        )


def measure(*, short: bool) -> PageCosts:
    """Measure the page of a server of its own, in seconds or in tens of them."""
    with tempfile.TemporaryDirectory() as data_dir, serving(Path(data_dir)) as address:
        return asyncio.run(_measure(address, 1.5 if short else 5.0))


def main(arguments: list[str]) -> int:
    """Measure and print; return 1 if the bytes are too many."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="seconds instead of tens of them")
    costs = measure(short=parser.parse_args(arguments).short)
    print(costs)
    return int(costs.cold.is_too_large)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
