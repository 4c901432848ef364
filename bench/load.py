"""Scripted players that put load on a server and use little CPU time themselves.

Their sockets understand only the frames that the server sends: unfragmented text, pings, a close.
They check nothing.
"""

import asyncio
import json
import random
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol, Self, TypeVar, cast

from bench.subject import HERE, Code, Meter, Received, Subject, Usage, launch, started, stop
from protocol.vocabulary import SUBPROTOCOL

Message = dict[str, Any]
KEY = bytes.fromhex("37fa213d")
"""Any key will do for masking; a constant one is the cheapest."""
_KEYS = KEY * 1_024
_PONG = b"\x8a\x80" + KEY

Receive = Callable[[bytes], None]
TOGETHER = 25
ACTED = b'{"type":"acted"'
LEGAL, LEGAL_END = b'"legal":"', b'"'
ECHOED = b'{"type":"act","id":100,"at":100,"action":"t3x1-t7"}'


def masked(text: bytes) -> bytes:
    """Return a text frame as a client sends it."""
    size = len(text)
    word = int.from_bytes(text) ^ int.from_bytes(_KEYS[:size])
    head = bytes((0x81, 0x80 | size)) if size < 126 else b"\x81\xfe" + size.to_bytes(2)
    return head + KEY + word.to_bytes(size)


class Lean(asyncio.Protocol):
    """A socket that calls `receive` with the text of each message as it arrives."""

    def __init__(self, request: bytes, receive: Receive) -> None:
        self.receive = receive
        self.opened = asyncio.get_running_loop().create_future()
        self.closed = asyncio.Event()
        self._request = request
        self._buffer = b""
        self._open = False
        self.transport: asyncio.Transport

    @classmethod
    async def connect(cls, port: int, receive: Receive) -> Self:
        """Open a websocket."""
        request = (
            f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: {SUBPROTOCOL}\r\n\r\n"
        )
        loop = asyncio.get_running_loop()
        _, made = await loop.create_connection(
            lambda: cls(request.encode(), receive), "127.0.0.1", port
        )
        await made.opened
        return made

    def say(self, kind: str, **fields: Any) -> None:
        """Send one message."""
        self.send(json.dumps({"type": kind, **fields}).encode())

    def send(self, text: bytes) -> None:
        """Send the text of one message."""
        self.transport.write(masked(text))

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self.transport.write(self._request)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  # asyncio's signature
        if not self.opened.done():
            self.opened.set_exception(ConnectionError("refused"))
        self.closed.set()

    def data_received(self, data: bytes) -> None:
        Received.bytes += len(data)
        data = self._buffer + data
        if not self._open:
            answer, found, data = data.partition(b"\r\n\r\n")
            if not found:
                self._buffer = answer
                return
            assert answer.startswith(b"HTTP/1.1 101"), answer
            self._open = True
            self.opened.set_result(None)
        self._buffer = data[self._receive_frames(data) :]

    def _receive_frames(self, data: bytes) -> int:
        """Handle all complete frames; return the position after them."""
        start, size = 0, len(data)
        while size - start >= 2:
            kind, length, body = data[start], data[start + 1], start + 2
            if length == 126:
                length, body = int.from_bytes(data[start + 2 : start + 4]), start + 4
            elif length == 127:
                length, body = int.from_bytes(data[start + 2 : start + 10]), start + 10
            if size < body + length:
                break
            start = body + length
            if kind == 0x81:
                self.receive(data[body:start])
            elif kind == 0x89:
                self.transport.write(_PONG)
            elif kind == 0x88:
                raise ConnectionError(f"closed: {int.from_bytes(data[body : body + 2])}")
        return start


class Player(Protocol):
    """A client that sends one thing at a time and waits for the reply."""

    latencies: list[float]
    answered: Callable[[], None]

    def act(self) -> None:
        """Send something. When the reply arrives, note the latency and call `answered`."""


P = TypeVar("P", bound=Player)


class Echoer:
    """A client of the bare echo, which sends the text of an act."""

    def __init__(self) -> None:
        self.socket: Lean
        self.latencies: list[float] = []
        self.answered: Callable[[], None] = _ignore
        self._sent_at = 0.0

    async def enter(self, port: int) -> None:
        self.socket = await Lean.connect(port, self._receive)

    def act(self) -> None:
        self._sent_at = time.perf_counter()
        self.socket.send(ECHOED)

    def _receive(self, _text: bytes) -> None:
        self.latencies.append(time.perf_counter() - self._sent_at)
        self.answered()


class Racer:
    """A seat: its socket, and the legal actions at its table."""

    def __init__(self, chance: random.Random) -> None:
        self.socket: Lean
        self.port = self.seat = -1
        self.code = self.token = ""
        self.at = self.used = 0
        self.v = 0  # the latest version of the room; a resume asks for the chat since then
        self.latencies: list[float] = []
        self.answered: Callable[[], None] = _ignore
        self._chance = chance
        self._legal: list[bytes] = []
        self._sent_at = 0.0
        self._wanted: dict[str, asyncio.Future[Message]] = {}

    async def enter(self, port: int, code: str = "", **settings: Any) -> None:
        """Create a room, or join the one with this code."""
        self.port = port
        self.socket = await Lean.connect(port, self._receive)
        if code:
            joined = await self.ask("joined", "join", room=code, name=f"P{id(self)}")
        else:
            joined = await self.ask("joined", "create", name="Host", settings=settings)
        self.code, self.seat, self.token = joined["room"]["code"], joined["seat"], joined["token"]

    async def resume(self) -> None:
        """Resume the seat on a new socket, and note the seconds until the table arrives."""
        began = time.perf_counter()
        self.socket = await Lean.connect(self.port, self._receive)
        await self.ask(
            "table", "resume", room=self.code, seat=self.seat, token=self.token, have=self.v
        )
        self.latencies.append(time.perf_counter() - began)

    async def come_back(self) -> None:
        """Reconnect like the page: at once, and then with full jitter."""
        await self.socket.closed.wait()
        ceiling = 0.5
        while True:
            try:
                return await self.resume()
            except OSError:
                await asyncio.sleep(self._chance.uniform(0, ceiling))
                ceiling = min(30.0, 2 * ceiling)

    async def ask(self, reply: str, kind: str, **fields: Any) -> Message:
        """Send a message, and return the next one of type `reply`."""
        waiting = self.expect(reply)
        self.socket.say(kind, **fields)
        return await waiting

    def expect(self, kind: str) -> asyncio.Future[Message]:
        """Return a future of the next message of a type."""
        return self._wanted.setdefault(kind, asyncio.get_running_loop().create_future())

    def act(self) -> None:
        """Send a random legal action, but never finish the game."""
        action = b"finish"
        while b"finish" in action:
            action = self._chance.choice(self._legal)
        self.used += 1
        text = b'{"type":"act","id":%d,"at":%d,"action":"%b"}' % (self.used, self.at, action)
        self._sent_at = time.perf_counter()
        self.socket.send(text)

    def _receive(self, text: bytes) -> None:
        if text.startswith(ACTED):
            self.latencies.append(time.perf_counter() - self._sent_at)
            self.at += 1
            start = text.index(LEGAL) + len(LEGAL)
            self._legal = text[start : text.index(LEGAL_END, start)].split(b",")
            self.answered()
        elif self._wanted or b'"type":"refused"' in text[:20]:
            self._receive_rest(json.loads(text))

    def _receive_rest(self, message: Message) -> None:
        assert message["type"] not in {"refused", "error"}, message
        if message["type"] in {"joined", "room"}:
            self.v = message["room"]["v"]
        if message["type"] == "table":
            table = message["table"]
            self.at, self.used = table["at"], table["last_id"]
            self._legal = table["legal"].encode().split(b",")
        wanted = self._wanted.pop(message["type"], None)
        if wanted is not None and not wanted.done():  # it may have been cancelled
            wanted.set_result(message)


def _ignore() -> None:
    """Ignore a reply."""


async def seat(port: int, players: int, rooms_of: int, **settings: Any) -> list[Racer]:
    """Seat players in new rooms and start their races."""
    chance = random.Random(7)
    rooms = [[Racer(chance) for _ in range(rooms_of)] for _ in range(players // rooms_of)]
    few = asyncio.Semaphore(TOGETHER)

    async def race(room: Sequence[Racer]) -> None:
        tables = [racer.expect("table") for racer in room]
        async with few:
            await room[0].enter(port, **settings)
            for racer in room[1:]:
                await racer.enter(port, room[0].code)
            for racer in reversed(room):
                racer.socket.say("ready" if rooms_of > 1 else "start")
        await asyncio.gather(*tables)

    await asyncio.gather(*map(race, rooms))
    return [racer for room in rooms for racer in room]


async def play(players: Sequence[Player], seconds: float) -> list[float]:
    """Let all players act as fast as replies arrive; return the latency of each act."""
    until = time.perf_counter() + seconds
    return await _play(players, lambda _: time.perf_counter() < until)


async def play_to(racers: Sequence[Racer], at: int) -> list[float]:
    """Let all racers act until each log has `at` entries; return the latency of each act."""
    return await _play([one for one in racers if one.at < at], lambda racer: racer.at < at)


async def _play(players: Sequence[P], more: Callable[[P], bool]) -> list[float]:
    left = len(players)
    done = asyncio.Event()

    def answered(player: P) -> None:
        nonlocal left
        if more(player):
            player.act()
        else:
            left -= 1
            if not left:
                done.set()

    for player in players:
        player.latencies = []
        player.answered = partial(answered, player)
        player.act()
    await done.wait()
    return [latency for player in players for latency in player.latencies]


async def stroll(players: Sequence[Player], seconds: float, every: float = 1.0) -> list[float]:
    """Let all players act once every `every` seconds; return the latency of each act.

    A player sends a late act as soon as the reply to the last one arrives. Its latency counts from
    the time when it was due.
    """
    loop = asyncio.get_running_loop()
    start = loop.time()
    chance = random.Random(7)

    async def walk(player: Player) -> None:
        player.latencies = []
        replied = asyncio.Event()
        player.answered = replied.set
        due = start + chance.random() * every
        while due < start + seconds:
            late_s = max(0.0, loop.time() - due)
            if not late_s:
                await asyncio.sleep(due - loop.time())
            replied.clear()
            player.act()
            await replied.wait()
            player.latencies[-1] += late_s
            due += every

    await asyncio.gather(*map(walk, players))
    return [latency for player in players for latency in player.latencies]


def hang_up(players: Sequence[Echoer] | Sequence[Racer]) -> None:
    """Cut the sockets of players."""
    for player in players:
        player.socket.transport.abort()


@dataclass(frozen=True, slots=True)
class Load:
    """The latencies of acts or echoes, and their cost for the server."""

    usage: Usage
    latencies: Sequence[float]


async def echoes(players: int, seconds: float, every: float = 0) -> Load:
    """Measure echoes of an act, as fast as replies arrive or once every `every` seconds."""
    subject = await launch("bench.echo", Path())
    try:
        echoers = [Echoer() for _ in range(players)]
        for echoer in echoers:
            await echoer.enter(subject.port)
        measured = await _measure(subject, echoers, seconds, every)
        hang_up(echoers)
        return measured
    finally:
        await stop(subject)


async def acts(
    players: int, seconds: float, every: float = 0, options: Sequence[str] = (), code: Code = HERE
) -> Load:
    """Measure acts in rooms of four, as fast as replies arrive or once every `every` seconds.

    The server runs `code` with these options.
    """
    async with started(*options, code=code) as subject:
        racers = await seat(subject.port, players, 4, game="spider-4", undo="any")
        measured = await _measure(subject, racers, seconds, every)
        hang_up(racers)
        return measured


async def _measure(
    subject: Subject, players: Sequence[Player], seconds: float, every: float
) -> Load:
    meter = Meter(subject)
    latencies = await (stroll(players, seconds, every) if every else play(players, seconds))
    return Load(meter.read(len(latencies)), latencies)


def median_ms(latencies: Sequence[float]) -> float:
    """Return the median of seconds, in milliseconds."""
    return statistics.median(latencies) * 1e3


def p99_ms(latencies: Sequence[float]) -> float:
    """Return the 99th percentile of seconds, in milliseconds."""
    return statistics.quantiles(latencies, n=100)[98] * 1e3
