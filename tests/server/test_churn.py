"""Connections that come and go leave nothing in the process."""

import asyncio
import gc
import random
import socket
from pathlib import Path

from server.http.connection import HttpConnection
from server.rooms.timings import RoomTimings
from server.sessions.handler import Handler
from server.sessions.limits import SessionLimits
from server.sessions.rate_limit import Rate
from server.sessions.seat_holder import SeatHolder
from server.sessions.session import Session
from server.sessions.table import LiveTable
from server.store import keys
from server.websocket.connection import WebsocketConnection
from tests.server.conftest import FAST, Serving
from tests.server.visitors import churn
from tests.waiting import until

CONNECTIONS = 300
KINDS = (HttpConnection, WebsocketConnection, Handler, Session, SeatHolder, LiveTable)


def left_over() -> dict[str, int]:
    gc.collect()
    return {
        kind.__module__: sum(type(thing) is kind for thing in gc.get_objects()) for kind in KINDS
    }


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def task_names() -> set[str]:
    """Return the names of all tasks that have one of their own."""
    names = {task.get_name() for task in asyncio.all_tasks()}
    return {name for name in names if not name.startswith("Task-")}


async def test_hundreds_come_and_go_and_leave_nothing(serving: Serving) -> None:
    many = SessionLimits(guesses=Rate(10_000, 0.2), rooms=Rate(10_000, 0.2))
    rooms = RoomTimings(countdown_ms=0)
    async with serving(rooms=rooms, sessions=many, websocket=FAST) as listener:
        hub, boards = listener.services.hub, listener.services.boards
        rng = random.Random(7)

        async def until_idle() -> None:
            async with asyncio.timeout(60):
                while listener.connections or hub.rooms.codes():
                    await asyncio.sleep(0.02)
                await asyncio.sleep(0.3)  # for tasks that report lost sockets

        await churn(listener.port, 30, 10, rng)  # creates the objects that stay
        await until_idle()
        files, tasks = open_files(), task_names()
        await churn(listener.port, CONNECTIONS, 20, rng)
        await until_idle()
        await until(
            lambda: not (open_files() > files or not task_names() <= tasks)
        )  # sweeps and heartbeats come and go
        assert listener.services.store.pubsub._callbacks == {}
        assert boards._boards == {}
        # A pipeline to the store holds its last batch, and so its callers.
        assert max(left_over().values()) < CONNECTIONS / 10
        store = listener.services.store
        for key in await store.client.pipelines[0].call("KEYS", "*"):
            ttl = await store.client.pipelines[0].call("TTL", key)
            assert 0 < ttl <= keys.TTL_SECONDS, key


async def test_hundreds_may_come_at_once(serving: Serving) -> None:
    """Regression: of two thousand reconnects after a kill, the last took seventeen seconds.

    The loop's default backlog is a hundred, and a client that finds it full retries after one,
    three and seven seconds. No connection is accepted while this test does not await.
    """
    async with serving() as server:
        listening_socket = ("127.0.0.1", server.port)
        peers = [socket.create_connection(listening_socket, timeout=5) for _ in range(300)]
        for peer in peers:
            peer.close()
