"""A record that cannot be read for a while, as a fault.

1. Clients that connect to the room meanwhile are refused with `try_again` and closed with 4001, at
   every server.
2. No server writes the record, so it can be restored unchanged.
3. No other room is held up: see `beside.py`.
"""

import asyncio
import json
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

from protocol.vocabulary import CloseCode
from tests.faults.processes import Fleet
from tests.faults.records import WAYS, Broken, make_unreadable, put_back
from tests.faults.schedule import Fault
from tests.faults.stores import Store
from tests.players import OFFERED

LOST = (OSError, TimeoutError, ConnectionClosed, InvalidHandshake, InvalidMessage, EOFError)
TURNED_AWAY = [("refused", "try_again")]
KNOCK_S = 3.0
"""Time for an answer to a join; a server that takes longer is suspended and does not count."""
LATEST_LINE_S = 1.0
"""Time after the restoring of a record in which a server may still log that it was unreadable."""


class Unreadable:
    """The records that were unreadable in a run; `oddities` must be empty in a correct run."""

    def __init__(self) -> None:
        self.records: list[Broken] = []
        self.oddities: list[str] = []

    async def suffer(self, fault: Fault, servers: Fleet, rooms: Iterable[str]) -> bool:
        """Break the record of one of these rooms; return whether a server has tried to read it."""
        store = servers.store
        async with store.undisturbed():
            broken = await self._break_one(fault, store, sorted(rooms))
            if broken is None:
                return False
            self.records.append(broken)
            try:
                await asyncio.sleep(fault.seconds / 2)
                rest = asyncio.create_task(asyncio.sleep(fault.seconds / 2))
                knocks = (self._knock(port, broken.room) for port in servers.ports())
                met = any(await asyncio.gather(*knocks))
                await rest
            finally:
                changed = await put_back(store.ask, broken)
        if changed and not store.may_forget(broken.room, broken.since):
            fields = ", ".join(changed)
            self.oddities.append(f"{broken.room} was written while unreadable: {fields}")
        return met

    async def _break_one(self, fault: Fault, store: Store, rooms: list[str]) -> Broken | None:
        """Break the record of the first running room, starting with the one the fault names."""
        which, way = fault.victims
        first = which % max(1, len(rooms))
        for room in (*rooms[first:], *rooms[:first]):
            broken = await make_unreadable(store.ask, room, WAYS[way % len(WAYS)])
            if broken is not None:
                return broken
        return None

    async def _knock(self, port: int, room: str) -> bool:
        """Try to join the room at a server; return whether it refused and closed as it must."""
        address = f"ws://127.0.0.1:{port}/ws"
        join = {"type": "join", "room": room, "name": "Knock", "role": "spectator"}
        answers: list[tuple[str, str | None]] = []
        try:
            async with (
                asyncio.timeout(KNOCK_S),
                connect(address, subprotocols=OFFERED, close_timeout=1, proxy=None) as socket,
            ):
                await socket.send(json.dumps(join))
                while not answers or answers == TURNED_AWAY:
                    answer = json.loads(await socket.recv())
                    answers.append((answer["type"], answer.get("code")))
        except ConnectionClosed as closed:
            if closed.rcvd is None or (not answers and closed.rcvd.code == CloseCode.DRAINING):
                return False  # the server has just ended, or is about to
            answers.append(("closed", str(closed.rcvd.code)))
        except LOST:
            return False  # the server is suspended, or away
        if answers != [*TURNED_AWAY, ("closed", str(int(CloseCode.DRAINING)))]:
            self.oddities.append(f"{room} was unreadable, and a guest received {answers}")
            return False
        return True

    def expects(self, entry: dict[str, Any]) -> bool:
        """Return whether a log entry reports one of these records while it was unreadable."""
        if entry["event"] != "room cannot be read":
            return False
        at = datetime.fromisoformat(entry["timestamp"]).timestamp()
        return any(
            entry["room"] == each.room and each.began <= at <= each.ended + LATEST_LINE_S
            for each in self.records
        )
