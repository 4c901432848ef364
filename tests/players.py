"""Players who send raw frames, for tests in which the Python client would be in the way.

1. Tests of the server check each message, and also send bad ones. The client hides the order of
   messages, and sends no bad ones.
2. Tests of failing stores, processes and backups look for lost connections and acts. The client
   would reconnect and repeat lost acts.
3. Recordings of a release and benchmarks count and compare bytes and sockets.

All other tests play through `spider_race_client`.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin, Subprotocol

from protocol.games import GAMES
from protocol.vocabulary import SUBPROTOCOL
from server.app import Tuning, serve
from server.config import Config
from server.web.listener import Listener
from tests.servers import AT_ONCE

Message = dict[str, Any]
REPLIES = {
    "create": "joined",
    "join": "joined",
    "resume": "joined",
    "act": "acted",
    "hint": "hinted",
    "assess": "assessed",
    "say": "said",
    "watch": "standings",
    "ping": "pong",
    "cards": "match",
}
"""The replies to commands with another reply than `room`."""
ROOM_UPDATES = ("room", "changes")
RETRY_S = 0.2
UNCONFIRMED = Tuning(store=AT_ONCE)
OPEN: list[Any] = []
"""The sockets of this test, closed with its server."""


@asynccontextmanager
async def running(tuning: Tuning = UNCONFIRMED, **settings: Any) -> AsyncIterator[Listener]:
    """Run a server in this process, on a free port of the loopback."""
    config = Config(host="127.0.0.1", port=0, **settings)
    tuning = replace(tuning, http=replace(tuning.http, takeover_s=0.0))  # used by no other process
    stop, ready = asyncio.Event(), asyncio.get_running_loop().create_future()
    task = asyncio.create_task(serve(config, stop, ready.set_result, tuning=tuning))
    await asyncio.wait({task, ready}, return_when=asyncio.FIRST_COMPLETED)
    if task.done():
        await task
    listener = await ready
    try:
        yield listener
    finally:
        while OPEN:
            await OPEN.pop().close()
        stop.set()
        await task


def with_changes(room: Message, changes: Message) -> Message:
    """Return the room after a `changes` message."""
    seats = {seat["seat"]: seat for seat in (*room["seats"], *changes["seats"])}
    for seat in changes["gone"]:
        del seats[seat]
    kept = [seats[number] for number in sorted(seats)]
    return {**room, "v": changes["v"], "host": changes["host"], "seats": kept}


def read_table(table: Message) -> Message:
    """Parse a table: piles by name, legal actions as a list."""
    names = GAMES[table["game"]].pile_names
    piles = dict(zip(names, table["piles"], strict=True))
    return {**table, "piles": piles, "legal": actions_in(table["legal"])}


def actions_in(legal: str) -> list[str]:
    """Parse a text of legal actions."""
    return legal.split(",") if legal else []


def is_move(action: str) -> bool:
    """Return whether an action takes cards from one pile to another."""
    return "x" in action


def read_message(text: str | bytes) -> Message:
    """Parse a message of the server, with its tables and legal actions."""
    message: Message = json.loads(text)
    if message.get("table"):
        message["table"] = read_table(message["table"])
    if message["type"] == "acted":
        message["legal"] = actions_in(message["legal"])
    return message


def with_standings_changes(standings: list[Message], changes: Message) -> list[Message]:
    """Return the rows of the leaderboard after a `standings_changes` message."""
    rows = {row["seat"]: row for row in standings}
    for changed in changes["changed"]:
        rows[changed["seat"]] = {**rows.get(changed["seat"], {}), **changed}
    if "order" not in changes:
        return [rows[row["seat"]] for row in standings]
    ordered: list[Message] = []
    for together in changes["order"]:
        place = len(ordered) + 1
        for seat in together:
            row = rows[seat]
            unranked = row["late_ms"] is not None or row.get("stand_in") is not None
            ordered += [{**row, "place": None if unranked else place}]
    return ordered


def live(standings: Iterable[Message]) -> list[Message]:
    """Return the rows of a leaderboard without `gained_ms`, which changes leave out."""
    return [{**row, "gained_ms": None, "stand_in": row.get("stand_in")} for row in standings]


@dataclass
class Player:
    """One socket with the latest state of its seat and its table."""

    socket: ClientConnection
    code: str = ""
    seat: int = -1
    token: str = ""
    room: Message = field(default_factory=dict)
    table: Message = field(default_factory=dict)
    standings: list[Message] = field(default_factory=list)
    standings_number: int = 0
    received: list[Message] = field(default_factory=list)
    used: int = 0

    @classmethod
    async def connect(cls, port: int, origin: str | None = None, address: str = "") -> Self:
        """Connect a socket; `address` is the one that a proxy forwards."""
        socket = await connect(
            f"ws://127.0.0.1:{port}/ws",
            subprotocols=[Subprotocol(SUBPROTOCOL)],
            origin=None if origin is None else Origin(origin),
            additional_headers={"X-Forwarded-For": address} if address else None,
            compression=None,
            open_timeout=None,
            max_queue=None,
            proxy=None,
        )
        OPEN.append(socket)
        return cls(socket)

    @classmethod
    async def create(cls, port: int, name: str = "Ada", **settings: Any) -> Self:
        """Open a room; return its host."""
        return await cls.seated(port, "create", name=name, settings=settings)

    @classmethod
    async def join(cls, port: int, code: str, name: str, role: str = "player") -> Self:
        """Join a room; return the player."""
        return await cls.seated(port, "join", room=code, name=name, role=role)

    async def resume(self, port: int) -> Self:
        """Resume the seat on a new socket; return it with the state from that socket only."""
        seat: Message = {"room": self.code, "seat": self.seat, "token": self.token}
        player = await self.seated(port, "resume", **seat)
        player.token = self.token
        return player

    @classmethod
    async def seated(cls, port: int, kind: str, address: str = "", **fields: Any) -> Self:
        """Take a seat; return the player. While the store is away, retry like clients."""
        while True:
            player = await cls.connect(port, address=address)
            await player.say(kind, **fields)
            answer = await player.receive("joined", "refused")
            if answer["type"] == "joined":
                player.code, player.seat = answer["room"]["code"], answer["seat"]
                player.token = answer["token"] or ""
                return player
            assert answer["code"] == "try_again", answer
            await asyncio.sleep(RETRY_S)

    async def say(self, kind: str, /, **fields: Any) -> None:
        """Send one message."""
        await self.socket.send(json.dumps({"type": kind, **fields}))

    async def next(self) -> Message:
        """Return the next message of any type."""
        message = read_message(await self.socket.recv())
        self.received.append(message)
        if message["type"] in {"joined", "room"}:
            self.room = message["room"]
        if message["type"] == "changes":
            self.room = with_changes(self.room, message)
        if message["type"] == "standings":
            self.standings = message["standings"]
            self.standings_number = message["number"]
        if message["type"] == "standings_changes":
            assert message["number"] == self.standings_number + 1, "no change is missing"
            self.standings = with_standings_changes(self.standings, message)
            self.standings_number += 1
        if message["type"] == "table" or message.get("table"):
            self.table = message["table"]
            self.used = max(self.used, self.table["last_id"])
        if message["type"] == "acted" and self.table:  # a finished round has none
            parts = {name: {**self.table[name], **message[name]} for name in ("piles", "counts")}
            on = {"outcome": None, "stuck": None}
            self.table = {**self.table, **on, **message, **parts}
        return message

    async def receive(self, *kinds: str) -> Message:
        """Return the next message of one of these types; skip other messages."""
        while True:
            message = await self.next()
            if message["type"] in kinds:
                return message

    async def standings_with(self, so: Callable[[list[Message]], bool]) -> list[Message]:
        """Wait until the standings fulfil a condition; return them."""
        while not self.standings or not so(self.standings):
            await self.receive("standings", "standings_changes")
        return self.standings

    async def ask(self, kind: str, /, **fields: Any) -> Message:
        """Send a command and return the reply."""
        await self.say(kind, **fields)
        replies = (REPLIES[kind],) if kind in REPLIES else ROOM_UPDATES
        return await self.receive(*replies, "refused", "error")

    async def in_state(self, state: str) -> Message:
        """Wait until the room is in a state; return the room."""
        while self.room.get("state") != state:
            await self.next()
        return self.room

    async def with_settings(self, **settings: Any) -> Message:
        """Wait until the room has these settings; a change makes ready players unready."""
        while not settings.items() <= self.room["settings"].items():
            await self.next()
        return self.room

    async def race(self) -> Message:
        """Wait until the race has a table; return the table."""
        while not self.table:
            await self.next()
        return self.table

    async def act(self, action: str) -> Message:
        """Send one action and return the reply."""
        self.used += 1
        return await self.ask("act", id=self.used, at=self.table["at"], action=action)

    async def closed(self) -> int:
        """Wait until the socket is closed; return the close code."""
        try:
            while True:
                await self.next()
        except ConnectionClosed:
            code = self.socket.close_code
            assert code is not None
            return code

    async def leave(self) -> None:
        """Close the socket, like a closed page."""
        await self.socket.close()


async def start_race(port: int, players: int = 2, **settings: Any) -> list[Player]:
    """Start a race in a new room; return its players, each with a table."""
    host = await Player.create(port, "Player 0", **settings)
    names = [f"Player {number}" for number in range(1, players)]
    seated = [host, *[await Player.join(port, host.code, name) for name in names]]
    for player in seated[1:]:
        await player.say("ready")
    await host.say("ready" if players > 1 else "start")
    await asyncio.gather(*(player.race() for player in seated))
    return seated
