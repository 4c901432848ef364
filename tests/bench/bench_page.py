"""What the page costs: `python -m tests.bench.bench_page [--short]`.

Prints a table of figures with their targets, measured in a headless Chromium whose processor
and line are slowed down as a phone's are. Only the bytes are the same on every machine; only
they can fail the run, as in `make test`, which calls the short form.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, CDPSession, Page

from tests.e2e.pages import DESKTOP, PHONE, Person, chromium, serving
from tests.players import Player, is_move

SLOWER = 6
LINE = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_600_000 / 8,
    "uploadThroughput": 750_000 / 8,
}
PROCESSOR = {"timeDomain": "threadTicks"}
"""Time of the main thread's processor, so that what else runs on the machine counts little."""

MOST_BYTES = 80 * 1024
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


@dataclass(frozen=True)
class Figure:
    """One line of the table."""

    what: str
    target: str
    value: str
    failed: bool = False


async def metrics(devtools: CDPSession) -> dict[str, float]:
    """The browser's own counts, in seconds."""
    told = await devtools.send("Performance.getMetrics")
    return {metric["name"]: metric["value"] for metric in told["metrics"]} | {
        "Now": time.monotonic()
    }


async def cold_page(browser: Browser, address: str) -> list[Figure]:
    """Bytes of all that the front page loads, and how soon it can be used."""
    context = await browser.new_context(**PHONE)
    page = await context.new_page()
    devtools = await context.new_cdp_session(page)
    bodies: dict[str, float] = {}
    heads: dict[str, float] = {}

    def responded(event: dict[str, Any]) -> None:
        heads[event["requestId"]] = event["response"]["encodedDataLength"]

    def finished(event: dict[str, Any]) -> None:
        name = event["requestId"]
        bodies[name] = event["encodedDataLength"] - heads.get(name, 0)

    devtools.on("Network.responseReceived", responded)
    devtools.on("Network.loadingFinished", finished)
    await devtools.send("Network.enable")
    await devtools.send("Network.emulateNetworkConditions", LINE)
    await devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    await page.add_init_script(WHEN_READY)
    await page.goto(address)
    ready = await page.evaluate("() => window.ready") / 1_000
    await page.wait_for_load_state("networkidle")
    await context.close()
    total = sum(bodies.values())
    return [
        Figure(
            "cold page, gzipped",
            f"≤ {MOST_BYTES // 1024} KB",
            f"{total / 1024:.1f} KB in {len(bodies)} files",
            failed=total > MOST_BYTES,
        ),
        Figure(
            f"ready at {SLOWER}x CPU slowdown, 1.6 Mbit/s, 150 ms",
            f"≤ {READY_S:.0f} s",
            f"{ready:.2f} s",
        ),
    ]


async def practise(browser: Browser, address: str, **how: Any) -> Person:
    """Somebody at the table of a new game."""
    person = await Person.at(browser, address, **how)
    await person.page.check("[name=game][value=spider-1]", force=True)
    await person.page.fill("#name", "Ada")
    await person.page.click("#practice")
    await person.on("race")
    await person.page.wait_for_timeout(1_500)
    return person


async def drag(page: Page, seconds: float, what: str = CARD) -> tuple[float, float, float]:
    """Milliseconds a frame in a drag and in one where nothing moves, and frames a second.

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
    return cost, empty, 1_000 / frames["median"]


async def dragging(browser: Browser, address: str, seconds: float) -> list[Figure]:
    """The cost of a drag on a desk, and its frames on a slow phone."""
    empty_page = await (await browser.new_context(**DESKTOP)).new_page()
    await empty_page.set_content(BOX)
    await empty_page.evaluate(DRAG_BOX)
    least, *_ = await drag(empty_page, seconds, "div")
    await empty_page.context.close()
    desk = await practise(browser, address, **DESKTOP)
    cost, empty, _ = await drag(desk.page, seconds)
    await desk.page.context.close()
    slow = await practise(browser, address, **DESKTOP)
    devtools = await slow.page.context.new_cdp_session(slow.page)
    await devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    *_, fps = await drag(slow.page, seconds)
    await slow.page.context.close()
    return [
        Figure(
            "main thread a frame of a drag",
            f"≤ {DRAG_MS:.1f} ms",
            f"{cost:.2f} ms; without a move {empty:.2f}; a bare box on an empty page {least:.2f}",
        ),
        Figure(f"frames of a drag at {SLOWER}x, median", f"≥ {DRAG_FPS} fps", f"{fps:.0f} fps"),
    ]


async def play_on(player: Player) -> None:
    """A move every so often, for ever."""
    while True:
        moves = [action for action in player.table["legal"] if is_move(action)]
        deals = [action for action in player.table["legal"] if action == "deal"]
        action = moves[player.used % len(moves)] if moves else (deals or [None])[0]
        if action is None:
            return
        await player.act(action)
        await asyncio.sleep(1 / UPDATES_S)


async def wall(browser: Browser, address: str, seconds: float) -> list[Figure]:
    """How much of a slow main thread the boards of eight players take."""
    port = int(address.rstrip("/").rpartition(":")[2])
    settings = {"game": "spider-4", "spectate": "boards", "board_delay_s": 0}
    host = await Player.create(port, "Player 0", **settings)
    players = [host] + [
        await Player.join(port, host.code, f"Player {n}") for n in range(1, BOARDS)
    ]
    don = await Person.at(browser, f"{address.rstrip('/')}/r/{host.code}", **DESKTOP)
    await don.on("join")
    await don.page.fill("#name", "Don")
    await don.page.click("#watch")
    await don.on("room")
    for player in players:
        await player.say("ready")
    await asyncio.gather(*(player.race() for player in players))
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
    for player in players:
        await player.leave()
    await don.page.context.close()
    share = (after["TaskDuration"] - before["TaskDuration"]) / (after["Now"] - before["Now"])
    what = f"wall of {boards} boards, {UPDATES_S} updates/s each, at {SLOWER}x"
    return [Figure(what, f"≤ {WALL_PERCENT} % of the main thread", f"{share * 100:.0f} %")]


async def measure(address: str, *, short: bool) -> list[Figure]:
    """All figures."""
    seconds = 1.5 if short else 5.0
    async with AsyncExitStack() as stack:
        browser = await stack.enter_async_context(chromium())
        return [
            *await cold_page(browser, address),
            *await dragging(browser, address, seconds),
            *await wall(browser, address, 2 * seconds),
        ]


def main(arguments: list[str]) -> int:
    """Measures and prints; 1 if the bytes are too many."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="seconds instead of tens of them")
    options = parser.parse_args(arguments)
    with (
        tempfile.TemporaryDirectory() as data_dir,
        serving(Path(data_dir)) as address,
    ):
        figures = asyncio.run(measure(address, short=options.short))
    print("| what | target | measured |\n|---|---|---|")
    for figure in figures:
        print(f"| {figure.what} | {figure.target} | {figure.value} |")
    return int(any(figure.failed for figure in figures))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
