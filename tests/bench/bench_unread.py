"""Memory of a server whose clients ask and do not read: for an answer, and at their tables.

`python -m tests.bench.bench_unread [--connections 500] [--sockets 300] [--entries 5000]` starts a
server with an embedded store. Then 500 connections ask for one finished round of about a megabyte,
and 300 sockets of a server without a limit of messages send pings; none of them reads. The program
prints the resident memory of the server before and in between, and asserts nothing. It runs once
with all clients from the loopback, which has no limits of its own, and once from one address.
"""

import argparse
import asyncio
import socket

import uvloop

from server.websocket.descriptor_limit import raise_descriptor_limit
from tests.bench.bench_costs import Planting, finished_room
from tests.bench.lean import masked
from tests.bench.subject import Subject, started
from tests.security.raw import RawSocket

ADDRESS = "203.0.113.5"
RECEIVE_BUFFER = 4_096
WATCHED_S, SAID_S = 4.0, 60.0
PINGS = 8_000


async def unread(port: int) -> socket.socket:
    """Return a connection with a small buffer, of which nobody reads."""
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER)
    made.setblocking(False)
    await asyncio.get_running_loop().sock_connect(made, ("127.0.0.1", port))
    return made


async def most_memory(subject: Subject, seconds: float) -> int:
    """Return the largest resident memory within some seconds, in KiB."""
    most = 0
    until = asyncio.get_running_loop().time() + seconds
    while asyncio.get_running_loop().time() < until:
        most = max(most, subject.memory_kib())
        await asyncio.sleep(0.1)
    return most


async def ask_and_wait(subject: Subject, path: str, connections: int, headers: str) -> int:
    """Return the largest memory while connections ask for a path and do not read."""
    request = f"GET {path} HTTP/1.1\r\nHost: x\r\n{headers}\r\n".encode()
    asked = [await unread(subject.port) for _ in range(connections)]
    loop = asyncio.get_running_loop()
    for one in asked:
        await loop.sock_sendall(one, request)
    most = await most_memory(subject, WATCHED_S)
    for one in asked:
        one.close()
    return most


async def say_and_wait(subject: Subject, sockets: int, headers: dict[str, str]) -> tuple[int, int]:
    """Return the largest memory while sockets ping and do not read, and how many stay open."""
    seated: list[RawSocket] = []
    for _ in range(sockets):
        here = await RawSocket.open(subject.port, **headers)
        own = here.writer.get_extra_info("socket")
        own.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER)
        here.say("create", name="Ada")
        await here.receive("joined")
        seated.append(here)
    for here in seated:
        here.reader._transport.pause_reading()  # type: ignore[attr-defined]  # of this end
    pings = masked(b'{"type":"ping","t":1}') * PINGS
    for here in seated:
        here.write(pings)
    most = await most_memory(subject, SAID_S)
    for here in seated:
        here.reader._transport.resume_reading()  # type: ignore[attr-defined]
    await asyncio.sleep(1)
    left = sum(not here.reader.at_eof() and not here.reader.exception() for here in seated)
    for here in seated:
        here.writer.transport.abort()
    return most, left


async def run(connections: int, sockets: int, entries: int) -> None:
    """Measure all, first from the loopback and then from one address."""
    for name, options, headers in (
        ("loopback", (), {}),
        ("one address", ("--trusted-proxies", "127.0.0.1"), {"X_Forwarded_For": ADDRESS}),
    ):
        lines = "".join(f"{key.replace('_', '-')}: {one}\r\n" for key, one in headers.items())
        async with started(*options) as subject:
            code = await finished_room(subject.port, Planting(subject, entries))
            path = f"/api/rooms/{code}/rounds/1"
            await ask_and_wait(subject, path, 1, lines)
            idle = subject.memory_kib() >> 10
            asked = await ask_and_wait(subject, path, connections, lines) >> 10
            print(f"{name}: {idle} MB, with {connections} unread answers {asked} MB", flush=True)
        async with started(*options) as subject:
            idle = subject.memory_kib() >> 10
            most, left = await say_and_wait(subject, sockets, headers)
            print(
                f"{name}: {idle} MB, with {sockets} unread websockets {most >> 10} MB, "
                f"of which {left} stay open",
                flush=True,
            )


def main() -> None:
    """Read the options and run."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--connections", type=int, default=500)
    options.add_argument("--sockets", type=int, default=300)
    options.add_argument("--entries", type=int, default=5_000, help="of each of the round's games")
    given = options.parse_args()
    raise_descriptor_limit()
    uvloop.run(run(given.connections, given.sockets, given.entries))


if __name__ == "__main__":
    main()
