"""A person who uses a window of a browser engine.

Playwright drives Chromium, but not the Firefox and the WebKit of a Linux distribution. We drive
those through the standards that they support: WebDriver BiDi and WebDriver.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

POLL_S = 0.05

AT_REST = """async (selector) => {
  const pause = () => new Promise((done) => setTimeout(done, 40));
  const ends = (animation) => animation.effect.getComputedTiming().endTime !== Infinity;
  let last = '';
  for (;;) {
    const element = document.querySelector(selector);
    const gliding = element?.getAnimations().filter(ends) ?? [];
    await Promise.allSettled(gliding.map((animation) => animation.finished));
    element?.scrollIntoView({block: 'nearest', inline: 'nearest'});
    const box = element?.getBoundingClientRect();
    if (box?.width) {
      const x = box.x + Math.min(box.width / 2, 10), y = box.y + Math.min(box.height / 2, 8);
      const now = `${x} ${y}`;
      const hit = document.elementFromPoint(x, y);
      if (now === last && !element.disabled && hit && element.contains(hit)) return [x, y];
      last = now;
    }
    await pause();
  }
}"""
"""A point near the top left corner of an element, once it rests and nothing covers it."""


class Window:
    """A person at a window.

    Its engine offers `open`, `call`, `point`, `press` and `resize` through the browser's protocol.
    """

    def __init__(self, engine: Any) -> None:
        self.engine = engine

    async def open(self, url: str) -> None:
        """Load an address for somebody who knows how to play."""
        await self.engine.open(url)
        await self.engine.call(
            "() => { localStorage.setItem('spider-race.lesson', 'true'); window.faults = [];"
            " addEventListener('error', ({message}) =>"
            "   message.startsWith('ResizeObserver loop') || window.faults.push(message)) }"
        )

    async def until(self, condition: str, *arguments: Any) -> Any:
        """Wait until a JavaScript function returns something true, and return that."""
        while not (found := await self.engine.call(condition, *arguments)):
            await asyncio.sleep(POLL_S)
        return found

    async def on(self, screen: str) -> None:
        """Wait for a screen."""
        await self.until("(screen) => document.body.dataset.screen === screen", screen)

    async def sees(self, selector: str, text: str) -> None:
        """Wait until an element contains a text."""
        contains = (
            "(selector, text) => document.querySelector(selector)?.textContent.includes(text)"
        )
        await self.until(contains, selector, text)

    async def place(self, selector: str) -> tuple[float, float]:
        """Return a point of an element that a mouse can hit, once it rests."""
        x, y = await self.engine.call(AT_REST, selector)
        return x, y

    async def click(self, selector: str) -> None:
        x, y = await self.place(selector)
        await self.engine.point(("move", x, y), ("down", x, y), ("up", x, y))

    async def drag(self, first: str, target: str) -> None:
        """Drag one element onto another."""
        (x, y), (to_x, to_y) = await self.place(first), await self.place(target)
        way = [
            ("move", x + (to_x - x) * step / 6, y + (to_y + 12 - y) * step / 6)
            for step in range(1, 7)
        ]
        await self.engine.point(("move", x, y), ("down", x, y), *way, ("up", to_x, to_y + 12))

    async def write(self, selector: str, text: str) -> None:
        """Type a text into a field."""
        await self.click(selector)
        await self.engine.call("(s) => document.querySelector(s).select()", selector)
        for character in text:
            await self.engine.press(character)


def with_arguments(function: str, arguments: tuple[Any, ...]) -> str:
    """Return a function call as a JavaScript expression."""
    return f"({function})({', '.join(map(json.dumps, arguments))})"


def mouse(steps: tuple[tuple[str, float, float], ...]) -> dict[str, Any]:
    """Return a WebDriver action: `move`, `down` or `up`, with x and y in CSS pixels."""
    actions = [
        {"type": "pointerMove", "x": round(x), "y": round(y), "duration": 10}
        if kind == "move"
        else {"type": f"pointer{kind.capitalize()}", "button": 0}
        for kind, x, y in steps
    ]
    return {"type": "pointer", "id": "mouse", "actions": actions}


def key_press(key: str) -> dict[str, Any]:
    """Return WebDriver actions that press and release a key, by its character or code."""
    actions = [{"type": kind, "value": key} for kind in ("keyDown", "keyUp")]
    return {"type": "key", "id": "keys", "actions": actions}


@asynccontextmanager
async def process_of(*command: str, **how: Any) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run a process, and end it."""
    silent = {"stdout": asyncio.subprocess.DEVNULL, "stderr": asyncio.subprocess.DEVNULL}
    process = await asyncio.create_subprocess_exec(*command, **{**silent, **how})
    try:
        yield process
    finally:
        if process.returncode is None:
            process.terminate()
            await process.wait()
