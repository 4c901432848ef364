"""A plain HTTP/1.1 request, just enough to see the whole response."""

import asyncio
import contextlib
from dataclasses import dataclass

from tests.waiting import until_answer


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes


async def raw(port: int, request: bytes, trickle: bytes = b"") -> bytes:
    """Return the server's output for some bytes until it closes; repeat `trickle` meanwhile."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request)
    if not trickle:
        writer.write_eof()
    reading = asyncio.ensure_future(asyncio.wait_for(reader.read(), 10))
    while trickle and not reading.done():
        writer.write(trickle)
        await asyncio.wait({reading}, timeout=0.05)
    try:
        return await reading
    except ConnectionError:
        return b""
    finally:
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()


async def get(port: int, path: str, method: str = "GET", **headers: str) -> Answer:
    """One request; header names are written with underscores."""
    lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", "Connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    answer = await raw(port, "\r\n".join([*lines, "", ""]).encode())
    return parsed(answer)


async def until_status(port: int, status: int, path: str = "/readyz") -> Answer:
    return await until_answer(lambda: get(port, path), lambda answer: answer.status == status)


def parsed(answer: bytes) -> Answer:
    head, _, body = answer.partition(b"\r\n\r\n")
    status, *fields = head.decode().split("\r\n")
    pairs = [field.partition(": ") for field in fields]
    return Answer(int(status.split()[1]), {k.lower(): v for k, _, v in pairs}, body)
