"""WebKit, driven through WebKitGTK's WebDriver, on a virtual screen."""

import asyncio
import base64
import contextlib
import http.client
import itertools
import json
import os
import shutil
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from tests.engines.window import key_press, mouse, process_of, with_arguments

DRIVER = "WebKitWebDriver"
SCREEN = "Xvfb"
PORT = 4444
COMMAND_S = 300.0
POLL_S = 0.05
# A virtual screen has no graphics processor; its shared buffers would leave windows black.
RENDERING = {"WEBKIT_DISABLE_DMABUF_RENDERER": "1"}


class WebKitWindow:
    """A window of WebKit and its driver."""

    def __init__(self, host: str) -> None:
        self._host = host
        self._session = ""

    async def start(self, browser: str) -> None:
        options = {"binary": browser, "args": ["--automation"]}
        always = {"webkitgtk:browserOptions": options, "timeouts": {"script": 300_000}}
        made = await self._send("POST", "/session", capabilities={"alwaysMatch": always})
        self._session = f"/session/{made['sessionId']}"

    async def close(self) -> None:
        """End the browser."""
        if self._session:
            await self._send("DELETE", self._session)

    async def open(self, url: str) -> None:
        await self._send("POST", f"{self._session}/url", url=url)

    async def call(self, function: str, *arguments: Any) -> Any:
        script = f"""const done = arguments[arguments.length - 1];
            Promise.resolve({with_arguments(function, arguments)})
              .then((value) => done(JSON.stringify(value)), (error) => done("!" + error));"""
        text = await self._send("POST", f"{self._session}/execute/async", script=script, args=[])
        assert not (text or "").startswith("!"), text
        return None if text is None else json.loads(text)

    async def point(self, *steps: tuple[str, float, float]) -> None:
        await self._send("POST", f"{self._session}/actions", actions=[mouse(steps)])

    async def press(self, key: str) -> None:
        await self._send("POST", f"{self._session}/actions", actions=[key_press(key)])

    async def resize(self, width: int, height: int) -> None:
        inner = await self.call("() => [outerWidth - innerWidth, outerHeight - innerHeight]")
        size = {"width": width + inner[0], "height": height + inner[1]}
        await self._send("POST", f"{self._session}/window/rect", x=0, y=0, **size)

    async def shoot(self, path: Path) -> None:
        taken = await self._send("GET", f"{self._session}/screenshot")
        await asyncio.to_thread(path.write_bytes, base64.b64decode(taken))

    async def _send(self, method: str, path: str, **body: Any) -> Any:
        """Return the driver's answer; an error fails the test."""
        return await asyncio.to_thread(self._request, method, path, body)

    def _request(self, method: str, path: str, body: dict[str, Any]) -> Any:
        connection = http.client.HTTPConnection(self._host, PORT, timeout=COMMAND_S)
        with contextlib.closing(connection):
            text = json.dumps(body) if method == "POST" else None
            connection.request(method, path, text, {"Content-Type": "application/json"})
            response = connection.getresponse()
            value = json.loads(response.read())["value"]
        assert response.status == http.HTTPStatus.OK, f"{path}: {value}"
        return value


def webkit_path() -> str | None:
    """Return the path of WebKitGTK's MiniBrowser, or None if it cannot be driven here."""
    found = sorted(map(str, Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser")))
    return found[-1] if found and shutil.which(DRIVER) and shutil.which(SCREEN) else None


@asynccontextmanager
async def running_webkit() -> AsyncIterator[Callable[[], Awaitable[WebKitWindow]]]:
    """Run a virtual screen; yield a function that opens windows; close them all at the end."""
    reading, writing = os.pipe()
    async with AsyncExitStack() as stack:
        screen = (SCREEN, "-displayfd", str(writing), "-screen", "0", "1600x1200x24")
        running = process_of(*screen, "-nolisten", "tcp", pass_fds=(writing,))
        await stack.enter_async_context(running)
        os.close(writing)
        with os.fdopen(reading) as display:
            number = (await asyncio.to_thread(display.readline)).strip()
        environment = {**os.environ, "DISPLAY": f":{number}", **RENDERING}
        count = itertools.count(101)

        async def window() -> WebKitWindow:
            """Open a window in a new browser with its own storage.

            Each driver has its own loopback address, so its port is free.
            """
            pid = os.getpid()
            host = f"127.{next(count)}.{pid >> 8 & 0xFF}.{pid & 0xFF}"
            command = (DRIVER, f"--port={PORT}", f"--host={host}")
            driver = await stack.enter_async_context(process_of(*command, env=environment))
            while not _listens(host):
                assert driver.returncode is None
                await asyncio.sleep(POLL_S)
            opened = WebKitWindow(host)
            stack.push_async_callback(opened.close)
            await opened.start(webkit_path() or "")
            return opened

        yield window


def _listens(host: str) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((host, PORT)) == 0
