"""Frames of a drag in Firefox and WebKit, which have no graphics processor here.

`.venv/bin/python -m tests.bench.bench_engines`, or as the part `engines` of `make bench`. A card
is dragged in circles over a table of 1280 by 800, and beside it a box on an empty page.
"""

import asyncio
import math
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.bench.figures import LeftOut
from tests.e2e.pages import SHORT_COUNTDOWN_MS, serving
from tests.engines.firefox import firefox_path, running_firefox
from tests.engines.test_engines import Running
from tests.engines.webkit import running_webkit, webkit_path
from tests.engines.window import Window

MEASURED: dict[str, tuple[Callable[[], str | None], Running]] = {
    "firefox": (firefox_path, running_firefox),
    "webkit": (webkit_path, running_webkit),
}
SIZE = (1280, 800)
MOVES = 120
RADIUS = 120
COUNT_FRAMES = """() => {
  const counted = (window.counted = {frames: 0, began: performance.now()});
  const count = () => { counted.frames++; counted.next = requestAnimationFrame(count); };
  counted.next = requestAnimationFrame(count);
}"""
FRAMES_PER_S = """() => {
  cancelAnimationFrame(window.counted.next);
  return window.counted.frames * 1000 / (performance.now() - window.counted.began);
}"""
EMPTY_PAGE = """data:text/html,<div id="box" style="position:absolute;left:300px;top:300px;
  width:90px;height:130px;background:green;will-change:transform"></div>"""
CARRY_THE_BOX = """() => {
  const box = document.querySelector('#box');
  addEventListener('pointermove', ({clientX: x, clientY: y}) => {
    box.style.transform = `translate3d(${x - 300}px,${y - 300}px,0)`;
  });
}"""


@dataclass(frozen=True, slots=True)
class Drag:
    """Frames a second of one engine: in a drag of a card, and of a box on an empty page."""

    engine: str
    card: float
    box: float


async def measure() -> list[Drag]:
    """Return what each engine of this machine draws.

    Raises:
        LeftOut: none of them is here.
    """
    drags = []
    for name, (path, running) in MEASURED.items():
        if path() is None:
            continue
        with (
            tempfile.TemporaryDirectory() as data,
            serving(Path(data), countdown_ms=SHORT_COUNTDOWN_MS) as address,
        ):
            async with running() as browser:
                window = Window(await browser.window())
                await window.engine.resize(*SIZE)
                drags.append(Drag(name, await of_card(window, address), await of_box(window)))
    if not drags:
        raise LeftOut("neither Firefox nor WebKit is here")
    return drags


async def of_card(window: Window, address: str) -> float:
    """Return the frames a second while a card of a practice game is dragged."""
    await window.open(address)
    await window.write("#name", "Ada")
    await window.click("#practice")
    await window.on("race")
    x, y = await window.place('[data-in="t4"][data-index="4"]')
    await window.engine.point(("move", x, y), ("down", x, y))
    drawn = await circles(window, x, y)
    await window.engine.point(("up", x, y))
    return drawn


async def of_box(window: Window) -> float:
    """Return the frames a second while a box follows the pointer."""
    await window.engine.open(EMPTY_PAGE)
    await window.read(CARRY_THE_BOX)
    return await circles(window, 300, 300)


async def circles(window: Window, x: float, y: float) -> float:
    """Move the pointer in circles; return the frames a second meanwhile."""
    await window.read(COUNT_FRAMES)
    for step in range(MOVES):
        angle = step * 2 * math.pi / 60
        away = RADIUS * (1 - math.cos(angle)), RADIUS * math.sin(angle)
        await window.engine.point(("move", x + away[0], y + 60 + away[1]))
    found: float = await window.read(FRAMES_PER_S)
    return found


if __name__ == "__main__":
    try:
        for drag in asyncio.run(measure()):
            print(f"{drag.engine}: {drag.card:.0f} frames a second, a box {drag.box:.0f}")
    except LeftOut as error:
        sys.exit(str(error))
