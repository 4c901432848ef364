"""Firefox, driven through its websocket for WebDriver BiDi."""

import asyncio
import base64
import itertools
import json
import re
import shutil
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from tests.engines.window import key_press, mouse, process_of, with_arguments

PREFERENCES = """
user_pref("app.update.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("browser.startup.homepage_override.mstone", "ignore");
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("remote.active-protocols", 1);
user_pref("services.settings.server", "data:,#");
user_pref("toolkit.telemetry.enabled", false);
"""
"""No request leaves this machine."""
LIGHT = [f'user_pref("layout.css.prefers-color-scheme.content-override", {n});' for n in (1, 0)]
"""Preferences for a light and a dark system; the index is `is_dark`."""
LISTENS = re.compile(rb"WebDriver BiDi listening on (ws://\S+)")


class Bidi:
    """A session of WebDriver BiDi, with one command at a time."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._ids = itertools.count(1)

    async def send(self, method: str, **params: Any) -> Any:
        """Run a command; an error of the browser fails the test."""
        number = next(self._ids)
        await self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while (message := json.loads(await self._socket.recv())).get("id") != number:
            pass  # an event
        assert message["type"] == "success", f"{method}: {message}"
        return message["result"]


class FirefoxWindow:
    def __init__(self, bidi: Bidi, context: str) -> None:
        self._bidi = bidi
        self._context = context

    async def open(self, url: str) -> None:
        await self._bidi.send(
            "browsingContext.navigate", context=self._context, url=url, wait="complete"
        )

    async def call(self, function: str, *arguments: Any) -> Any:
        expression = f"Promise.resolve({with_arguments(function, arguments)}).then(JSON.stringify)"
        body = {"expression": expression, "target": {"context": self._context}}
        result = await self._bidi.send("script.evaluate", **body, awaitPromise=True)
        assert result["type"] == "success", result
        text = result["result"].get("value")
        return None if text is None else json.loads(text)

    async def point(self, *steps: tuple[str, float, float]) -> None:
        await self._perform(mouse(steps))

    async def press(self, key: str) -> None:
        await self._perform(key_press(key))

    async def _perform(self, action: dict[str, Any]) -> None:
        await self._bidi.send("input.performActions", context=self._context, actions=[action])

    async def resize(self, width: int, height: int) -> None:
        size = {"width": width, "height": height}
        context = self._context
        await self._bidi.send("browsingContext.setViewport", context=context, viewport=size)

    async def shoot(self, path: Path) -> None:
        taken = await self._bidi.send("browsingContext.captureScreenshot", context=self._context)
        await asyncio.to_thread(path.write_bytes, base64.b64decode(taken["data"]))


def firefox_path() -> str | None:
    """Return the path of the system's Firefox, or None."""
    return shutil.which("firefox-esr") or shutil.which("firefox")


@asynccontextmanager
async def running_firefox(
    *, is_dark: bool = False
) -> AsyncIterator[Callable[[], Awaitable[FirefoxWindow]]]:
    """Run a Firefox with a fresh profile; yield a function that opens windows."""
    path = firefox_path()
    assert path is not None
    with tempfile.TemporaryDirectory(prefix="firefox-", ignore_cleanup_errors=True) as profile:
        await asyncio.to_thread(Path(profile, "user.js").write_text, PREFERENCES + LIGHT[is_dark])
        command = (path, "--headless", "--no-remote", "--profile", profile)
        piped = asyncio.subprocess.PIPE
        async with process_of(*command, "--remote-debugging-port=0", stderr=piped) as process:
            assert process.stderr is not None
            while not (found := LISTENS.search(await process.stderr.readline())):
                assert process.returncode is None
            drain = asyncio.create_task(process.stderr.read())
            address = f"{found[1].decode()}/session"
            # Firefox answers no pings.
            async with connect(
                address, max_size=None, proxy=None, compression=None, ping_interval=None
            ) as socket:
                bidi = Bidi(socket)
                await bidi.send("session.new", capabilities={})

                async def window() -> FirefoxWindow:
                    """Open a window with its own storage and cookies."""
                    user = await bidi.send("browser.createUserContext")
                    made = await bidi.send("browsingContext.create", type="window", **user)
                    return FirefoxWindow(bidi, made["context"])

                yield window
            drain.cancel()
