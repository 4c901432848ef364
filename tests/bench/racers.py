"""Scripted players that use little CPU time, so that the server is what is measured."""

import asyncio
import json
import random
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Protocol, TypeVar

from tests.bench.lean import Lean

TOGETHER = 25
ACTED = b'{"type":"acted"'
LEGAL, LEGAL_END = b'"legal":"', b'"'
ECHOED = b'{"type":"act","id":100,"at":100,"action":"t3x1-t7"}'
Message = dict[str, Any]


class Player(Protocol):
    """A client that does one thing at a time."""

    latencies: list[float]
    answered: Callable[[], None]

    def act(self) -> None:
        """Send something; call `answered` and note the latency when the reply is here."""


P = TypeVar("P", bound=Player)


class Echoer:
    """A socket of the bare echo, which sends the text of an act."""

    def __init__(self) -> None:
        self.socket: Lean
        self.latencies: list[float] = []
        self.answered: Callable[[], None] = _ignore
        self._sent_at = 0.0

    async def enter(self, port: int) -> None:
        """Connect."""
        self.socket = await Lean.connect(port, self._receive)

    def act(self) -> None:
        """Send the text; `answered` is called when it is here again."""
        self._sent_at = time.perf_counter()
        self.socket.send(ECHOED)

    def _receive(self, _text: bytes) -> None:
        self.latencies.append(time.perf_counter() - self._sent_at)
        self.answered()


class Racer:
    """One seat: its socket, and the legal actions at its table."""

    def __init__(self, chance: random.Random) -> None:
        self.socket: Lean
        self.port = self.seat = -1
        self.code = self.token = ""
        self.at = self.used = 0
        self.v = 0  # the latest version of the room, from which on a return asks for chat
        self.latencies: list[float] = []
        self.answered: Callable[[], None] = _ignore
        self._chance = chance
        self._legal: list[bytes] = []
        self._sent_at = 0.0
        self._wanted: dict[str, asyncio.Future[Message]] = {}

    async def enter(self, port: int, code: str = "", **settings: Any) -> None:
        """Create a room, or join this one."""
        self.port = port
        self.socket = await Lean.connect(port, self._receive)
        if code:
            joined = await self.ask("joined", "join", room=code, name=f"P{id(self)}")
        else:
            joined = await self.ask("joined", "create", name="Host", settings=settings)
        self.code, self.seat, self.token = joined["room"]["code"], joined["seat"], joined["token"]

    async def resume(self) -> None:
        """Resume the seat on a new socket, and note how long it takes until the table is here."""
        began = time.perf_counter()
        self.socket = await Lean.connect(self.port, self._receive)
        await self.ask(
            "table", "resume", room=self.code, seat=self.seat, token=self.token, have=self.v
        )
        self.latencies.append(time.perf_counter() - began)

    async def ask(self, reply: str, kind: str, **fields: Any) -> Message:
        """Send a message, and return the next one of a type."""
        waiting = self.expect(reply)
        self.socket.say(kind, **fields)
        return await waiting

    def expect(self, kind: str) -> asyncio.Future[Message]:
        """Return the next message of a type."""
        return self._wanted.setdefault(kind, asyncio.get_running_loop().create_future())

    def act(self) -> None:
        """Send a random legal action; `answered` is called when it is acknowledged."""
        # A game that is finished has no further act.
        action = self._chance.choice(self._legal)
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
    """Do nothing about a reply."""


async def seat(
    port: int,
    players: int,
    rooms_of: int,
    *,
    when_seated: Callable[[], None] = _ignore,
    **settings: Any,
) -> list[Racer]:
    """Return players at the tables of races that have begun.

    `when_seated` is called when all have sat down and are ready, a countdown earlier.
    """
    chance = random.Random(7)
    rooms = [[Racer(chance) for _ in range(rooms_of)] for _ in range(players // rooms_of)]
    few = asyncio.Semaphore(TOGETHER)
    waiting = len(rooms)

    async def race(room: Sequence[Racer]) -> None:
        nonlocal waiting
        tables = [racer.expect("table") for racer in room]
        async with few:
            await room[0].enter(port, **settings)
            for racer in room[1:]:
                await racer.enter(port, room[0].code)
            for racer in reversed(room):
                racer.socket.say("ready" if rooms_of > 1 else "start")
        waiting -= 1
        if not waiting:
            when_seated()
        await asyncio.gather(*tables)

    await asyncio.gather(*map(race, rooms))
    return [racer for room in rooms for racer in room]


async def play(players: Sequence[Player], seconds: float) -> list[float]:
    """Have all players act as fast as the replies come; return the latency of each act."""
    until = time.perf_counter() + seconds
    return await _play(players, lambda _: time.perf_counter() < until)


async def play_to(racers: Sequence[Racer], at: int) -> list[float]:
    """Have all racers act until each has so many entries in the log; return the latencies."""
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
    """Have all players act once in `every` seconds; return the latency of each act.

    An act that is due before the reply to the last one is sent with that reply, and its latency
    counts from when it was due.
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
