"""Connections that come and go leave nothing in the process."""

import asyncio
import gc
import random
import socket
from contextlib import suppress
from pathlib import Path

from websockets.exceptions import ConnectionClosed

from server.rooms.events import RoomTimings
from server.sessions.handler import Handler
from server.sessions.limits import Rate, SessionLimits
from server.sessions.seat_holder import SeatHolder
from server.sessions.table import LiveTable
from server.store import Store, keys
from server.store.connection import pack
from server.web.connection import HttpConnection
from server.web.websocket import WebsocketConnection
from tests.players import OPEN, Player
from tests.server.conftest import FAST, Serving
from tests.waiting import until, until_answer

CONNECTIONS = 120
KINDS = (HttpConnection, WebsocketConnection, Handler, SeatHolder, LiveTable)


def left_over() -> dict[str, int]:
    gc.collect()
    return {
        kind.__module__: sum(type(thing) is kind for thing in gc.get_objects()) for kind in KINDS
    }


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def task_names() -> set[str]:
    names = {task.get_name() for task in asyncio.all_tasks()}
    return {name for name in names if not name.startswith("Task-")}


async def visit(port: int, rng: random.Random, codes: list[str]) -> None:
    """Make one connection with a random course: its peer leaves, breaks off or sends nonsense."""
    player = await Player.connect(port)
    OPEN.remove(player.socket)
    kind = rng.choice(("silent", "nonsense", "create", "create", "join", "join", "watch"))
    with suppress(ConnectionClosed):
        if kind == "nonsense":
            await player.socket.send("nonsense")
            await player.next()
        elif kind == "create":
            await player.ask("create", name="Ada", settings={"game": "spider-1"})
            codes.append(player.room["code"])
            del codes[:-20]
            await player.say("start")
            await player.race()
            for _ in range(rng.randrange(4)):
                await player.act(player.table["legal"][0])
        elif kind != "silent":
            role = "player" if kind == "join" else "spectator"
            code = rng.choice(codes) if codes else "0000000"
            await player.ask("join", room=code, name="Bob", role=role)
            await player.say("ping", t=1)
        way = rng.choice(("leave", "close", "vanish"))
        if way == "leave":
            await player.say("leave")
            await asyncio.sleep(0)
        if way != "vanish":
            await player.leave()
    player.socket.transport.abort()


async def churn(port: int, connections: int, together: int, rng: random.Random) -> None:
    """Make connections, `together` of them at a time."""
    codes: list[str] = []
    left = iter(range(connections))

    async def come_and_go() -> None:
        for _ in left:
            await visit(port, rng, codes)

    async with asyncio.TaskGroup() as tasks:
        for _ in range(together):
            tasks.create_task(come_and_go())


async def test_hundreds_come_and_go_and_leave_nothing(serving: Serving) -> None:
    many = SessionLimits(guesses=Rate(10_000, 0.2), rooms=Rate(10_000, 0.2))
    rooms = RoomTimings(countdown_ms=0)
    async with serving(rooms=rooms, sessions=many, websocket=FAST) as listener:
        services, rng = listener.services, random.Random(7)

        async def come_and_go(connections: int) -> None:
            await churn(listener.port, connections, 20, rng)
            await until(lambda: not listener.connections and not services.hub.codes())

        await come_and_go(20)  # creates the objects that stay
        files, tasks = open_files(), task_names()
        channels = {*services.store.pubsub.channels}
        await come_and_go(CONNECTIONS)
        await until(lambda: open_files() <= files and task_names() <= tasks)
        assert {*services.store.pubsub.channels} == channels
        assert services.boards._boards == {}
        # A pipeline to the store holds its last batch, and so its callers.
        assert max(left_over().values()) < CONNECTIONS / 10
        # The keys of all rooms get their time to live with the next sweep.
        await until_answer(lambda: endless(services.store), lambda found: not found)


async def endless(store: Store) -> list[str]:
    """Return the keys that do not expire within the time of a room."""
    names = await store.client.ask_any_master(pack("KEYS", "*"))
    times = {key: await store.client.call("TTL", key.decode()) for key in names}
    gone = -2
    return [
        key.decode()
        for key, ttl in times.items()
        if ttl != gone and not 0 < ttl <= keys.TTL_SECONDS
    ]


async def test_hundreds_may_come_at_once(serving: Serving) -> None:
    """Regression: of two thousand reconnects after a kill, the last took seventeen seconds.

    The loop's default backlog is a hundred, and a client that finds it full retries after one,
    three and seven seconds. No connection is accepted while this test does not await.
    """
    async with serving() as server:
        peers = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(300)]
        for peer in peers:
            peer.close()
