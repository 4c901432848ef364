"""Scripted players who cost next to nothing, so that what is measured is the server."""

import asyncio
import json
import random
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from tests.bench.lean import Lean

TOGETHER = 25
ACTED = b'{"type":"acted"'
LEGAL, LEGAL_END = b'"legal":"', b'","outcome"'
Message = dict[str, Any]


class Racer:
    """One seat: its socket, and what is legal at its table."""

    def __init__(self, chance: random.Random) -> None:
        self.socket: Lean
        self.port = self.seat = -1
        self.code = self.token = ""
        self.at = self.used = 0
        self.received = 0  # bytes of text
        self.latencies: list[float] = []
        self.answered: Callable[[], None] = self._nothing
        self._chance = chance
        self._legal: list[bytes] = []
        self._asked = 0.0
        self._wanted: dict[str, asyncio.Future[Message]] = {}

    async def enter(self, port: int, code: str = "", **settings: Any) -> None:
        """Creates a room, or joins this one."""
        self.port = port
        self.socket = await Lean.connect(port, self._hear)
        if code:
            joined = await self.ask("joined", "join", room=code, name=f"P{id(self)}")
        else:
            joined = await self.ask("joined", "create", name="Host", settings=settings)
        self.code, self.seat, self.token = joined["room"]["code"], joined["seat"], joined["token"]

    async def resume(self) -> None:
        """Takes the seat again on a new socket, and waits for the table, which is timed."""
        began = time.perf_counter()
        self.socket = await Lean.connect(self.port, self._hear)
        await self.ask("table", "resume", room=self.code, seat=self.seat, token=self.token)
        self.latencies.append(time.perf_counter() - began)

    async def ask(self, answer: str, kind: str, **fields: Any) -> Message:
        """Says something, and waits for a message of a type."""
        waiting = self.expect(answer)
        self.socket.say(kind, **fields)
        return await waiting

    def expect(self, kind: str) -> asyncio.Future[Message]:
        """The next message of a type."""
        return self._wanted.setdefault(kind, asyncio.get_running_loop().create_future())

    def act(self) -> None:
        """One legal action by chance; `answered` is called when it is acknowledged."""
        # Without finish, which ends the game, and exceptions, which end what can be undone.
        action = self._chance.choice(self._legal)
        while b"finish" in action:
            action = self._chance.choice(self._legal)
        self.used += 1
        text = b'{"type":"act","id":%d,"at":%d,"action":"%b"}' % (self.used, self.at, action)
        self._asked = time.perf_counter()
        self.socket.send(text)

    def _hear(self, text: bytes) -> None:
        self.received += len(text)
        if text.startswith(ACTED):
            self.latencies.append(time.perf_counter() - self._asked)
            self.at += 1
            start = text.index(LEGAL) + len(LEGAL)
            self._legal = text[start : text.index(LEGAL_END, start)].split(b",")
            self.answered()
        elif self._wanted or b'"type":"refused"' in text[:20]:
            self._hear_rest(json.loads(text))

    def _hear_rest(self, message: Message) -> None:
        assert message["type"] not in {"refused", "error"}, message
        if message["type"] == "table":
            table = message["table"]
            self.at, self.used = table["at"], table["last_id"]
            self._legal = table["legal"].encode().split(b",")
        wanted = self._wanted.pop(message["type"], None)
        if wanted is not None:
            wanted.set_result(message)

    def _nothing(self) -> None:
        """Nobody waits for the answer."""


async def seat(port: int, players: int, rooms_of: int, **settings: Any) -> list[Racer]:
    """So many players at the tables of races that have begun."""
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


async def play(racers: Sequence[Racer], seconds: float) -> list[float]:
    """Everybody acts as fast as the answers come; returns what each act took."""
    until = time.perf_counter() + seconds
    return await _play(racers, lambda _: time.perf_counter() < until)


async def play_to(racers: Sequence[Racer], at: int) -> list[float]:
    """The same, until each has so many entries in the log."""
    return await _play([one for one in racers if one.at < at], lambda racer: racer.at < at)


async def _play(racers: Sequence[Racer], more: Callable[[Racer], bool]) -> list[float]:
    left = len(racers)
    done = asyncio.Event()

    def answered(racer: Racer) -> None:
        nonlocal left
        if more(racer):
            racer.act()
        else:
            left -= 1
            if not left:
                done.set()

    for racer in racers:
        racer.latencies = []
        racer.answered = partial(answered, racer)
        racer.act()
    await done.wait()
    return [latency for racer in racers for latency in racer.latencies]


async def stroll(racers: Sequence[Racer], seconds: float, every: float = 1.0) -> list[float]:
    """Everybody acts once in `every` seconds; returns what each act took."""
    loop = asyncio.get_running_loop()
    start = loop.time()
    chance = random.Random(7)

    async def walk(racer: Racer) -> None:
        racer.latencies = []
        racer.answered = lambda: None
        due = start + chance.random() * every
        while due < start + seconds:
            await asyncio.sleep(due - loop.time())
            racer.act()
            due += every

    await asyncio.gather(*map(walk, racers))
    await asyncio.sleep(every)
    return [latency for racer in racers for latency in racer.latencies]
