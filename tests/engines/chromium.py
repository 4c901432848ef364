"""The oldest Chromium that plays, through Playwright."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, Page, async_playwright

from tests.e2e.pages import FLAGS
from tests.engines.window import with_arguments

OLDEST = Path("~/.cache/spider-race/chromium-111.0.0").expanduser()
"""Where `.ci/engines` puts the binary."""
MIXED_COLOURS = "--enable-blink-features=CSSColor4"
"""Released versions of 111 have `color-mix()`; this build is some weeks older."""
KEYS = {"\ue007": "Enter", "\ue00c": "Escape"}


class ChromiumWindow:
    """A window of Chromium; one of the shapes of `Engine`."""

    def __init__(self, page: Page) -> None:
        self._page = page

    async def open(self, url: str) -> None:
        await self._page.goto(url)

    async def call(self, function: str, *arguments: Any) -> Any:
        return await self._page.evaluate(f"async () => {with_arguments(function, arguments)}")

    async def point(self, *steps: tuple[str, float, float]) -> None:
        for kind, x, y in steps:
            match kind:
                case "move":
                    await self._page.mouse.move(x, y)
                case "down":
                    await self._page.mouse.down()
                case _:
                    await self._page.mouse.up()

    async def press(self, key: str) -> None:
        await self._page.keyboard.press(KEYS.get(key, key))

    async def resize(self, width: int, height: int) -> None:
        await self._page.set_viewport_size({"width": width, "height": height})

    async def picture(self) -> bytes:
        return await self._page.screenshot()


class OldestChromium:
    """A running Chromium 111."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser

    async def window(self) -> ChromiumWindow:
        """Open a window of another person: storage and cookies are its own."""
        context = await self._browser.new_context(service_workers="block")
        return ChromiumWindow(await context.new_page())


def oldest_chromium_path() -> str | None:
    """Return the path of the oldest Chromium; None if it is not on this machine."""
    return str(OLDEST) if OLDEST.exists() else None


@asynccontextmanager
async def running_oldest_chromium() -> AsyncIterator[OldestChromium]:
    """Run the oldest Chromium, and end it."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=oldest_chromium_path(), args=[*FLAGS, "--headless", MIXED_COLOURS]
        )
        try:
            yield OldestChromium(browser)
        finally:
            await browser.close()
