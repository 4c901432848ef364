"""Bytes, time and frames of the page, in a headless Chromium as slow as a phone.

Only the bytes are the same on every machine; a test checks them against `MOST_BYTES`.
"""

import asyncio
from functools import partial
from typing import Any

from playwright.async_api import Browser, CDPSession, Page, async_playwright

from bench.figures import Figure, LeftOut
from bench.subject import started
from tests.chromium import chromium_path

SLOWER = 6
LINE = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_600_000 / 8,
    "uploadThroughput": 750_000 / 8,
}
PROCESSOR = {"timeDomain": "threadTicks"}
"""Count CPU time of the main thread; other programs on the machine hardly change it."""

MOST_BYTES = 50 * 1024
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 3}
CARD = '[data-in="t4"]'

KNOWS_HOW_TO_PLAY = "try { localStorage.setItem('spider-race.lesson', 'true'); } catch {}"
"""Otherwise the lesson covers the cards, and the mouse cannot drag them."""

WHEN_READY = """
window.ready = new Promise((resolve) => {
  new MutationObserver((_, watcher) => {
    if (!document.querySelector('#create')) return;
    watcher.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
  }).observe(document, {childList: true, subtree: true});
});
"""

# Count the frames of a drag, and measure the median time between two.
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

# The cheapest possible drag: one box on an empty page.
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


async def metrics(devtools: CDPSession) -> dict[str, float]:
    """Return the browser's performance metrics; times are in seconds."""
    reply = await devtools.send("Performance.getMetrics")
    return {metric["name"]: metric["value"] for metric in reply["metrics"]}


async def cold_page(browser: Browser, address: str) -> tuple[list[Figure], float]:
    """Measure the files that the front page loads, and how soon it is ready.

    Files that it loads once it is ready count too: the session, and the race behind the title.
    Return the figures and the compressed bytes.
    """
    context = await browser.new_context(**PHONE)
    page = await context.new_page()
    devtools = await context.new_cdp_session(page)
    bodies: dict[str, float] = {}
    heads: dict[str, float] = {}
    plain = 0.0

    def responded(event: dict[str, Any]) -> None:
        # The card pictures are data URLs inside their stylesheet.
        if not event["response"]["url"].startswith("data:"):
            heads[event["requestId"]] = event["response"]["encodedDataLength"]

    def received(event: dict[str, Any]) -> None:
        nonlocal plain
        plain += event["dataLength"]

    def finished(event: dict[str, Any]) -> None:
        name = event["requestId"]
        if name in heads:
            bodies[name] = event["encodedDataLength"] - heads[name]

    devtools.on("Network.responseReceived", responded)
    devtools.on("Network.dataReceived", received)
    devtools.on("Network.loadingFinished", finished)
    ready_s = await _visit(page, devtools, address)
    gzipped, files, whole = sum(bodies.values()), len(bodies), plain
    await page.close()
    page = await context.new_page()
    again_s = await _visit(page, await context.new_cdp_session(page), address)
    await context.close()
    row = partial(Figure, "page")
    size = gzipped / 1024, "KiB", "before compression", whole / 1024
    ready = ready_s, "s", "on the second visit", again_s
    figures = [row(f"first visit, {files} files", *size), row("ready on a slow phone", *ready)]
    return figures, gzipped


async def _visit(page: Page, devtools: CDPSession, address: str) -> float:
    """Load the front page on a slow phone; return the seconds until it is ready."""
    await devtools.send("Network.enable")
    await devtools.send("Network.emulateNetworkConditions", LINE)
    await devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    await page.add_init_script(WHEN_READY)
    await page.goto(address)
    ready_ms: float = await page.evaluate("() => window.ready")
    await page.wait_for_selector("[data-living]")
    await page.wait_for_load_state("networkidle")
    return ready_ms / 1_000


async def drag(page: Page, seconds: float, what: str = CARD) -> tuple[float, float]:
    """Measure a drag: milliseconds of the main thread for a frame, and frames a second.

    All tasks of the main thread count, even the code that counts the frames.
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
    return cost, 1_000 / frames["median"]


async def dragging(browser: Browser, address: str, seconds: float) -> list[Figure]:
    """Measure drags on a desk and on a slow phone, and compare a box on an empty page."""
    empty = await (await browser.new_context(**DESKTOP)).new_page()
    await empty.set_content(BOX)
    await empty.evaluate(DRAG_BOX)
    box_ms, box_fps = await drag(empty, seconds, "div")
    measured = []
    for slower in (1, SLOWER):
        page = await (await browser.new_context(**DESKTOP)).new_page()
        await page.add_init_script(KNOWS_HOW_TO_PLAY)
        await page.goto(address)
        await page.check("[name=game][value=spider-1]", force=True)
        await page.click("#practice")
        await page.locator(CARD).last.wait_for()
        await page.wait_for_timeout(1_500)  # for the cards to be dealt
        devtools = await page.context.new_cdp_session(page)
        await devtools.send("Emulation.setCPUThrottlingRate", {"rate": slower})
        measured.append(await drag(page, seconds))
        await page.context.close()
    (desk_ms, _), (_, slow_fps) = measured
    row, beside = partial(Figure, "page"), "a box on an empty page"
    return [
        row("main thread for a frame of a drag", desk_ms, "ms", beside, box_ms),
        row("frames of a drag on a slow phone", slow_fps, "/s", beside, box_fps),
    ]


async def _measure(seconds: float) -> list[Figure]:
    async with started() as subject, async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium_path())
        address = f"http://127.0.0.1:{subject.port}/"
        cold, _ = await cold_page(browser, address)
        return [*cold, *await dragging(browser, address, seconds)]


def measure(*, short: bool) -> list[Figure]:
    """Start a server and measure its page, for some seconds or tens of seconds.

    Raises:
        LeftOut: There is no Chromium.
    """
    if chromium_path() is None:
        raise LeftOut("no Chromium is here")
    return asyncio.run(_measure(1.5 if short else 5.0))
