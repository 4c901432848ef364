"""A record that cannot be read for a while, as a fault.

1. Clients that come to the room meanwhile are told `try_again` and closed 4001, at every server.
2. No server writes the record: it is found as it was left, and is put back as it was.
3. No other room is held up: see `beside.py`.
"""

import asyncio
import json
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from protocol.vocabulary import SUBPROTOCOL, CloseCode
from tests.faults.players import LOST
from tests.faults.processes import Fleet
from tests.faults.records import WAYS, Broken, make_unreadable, put_back
from tests.faults.schedule import Fault
from tests.faults.stores import Store

TURNED_AWAY = [("refused", "try_again")]
KNOCK_S = 3.0
"""A server that answers later is stopped just now, and says nothing of the room."""
LATEST_LINE_S = 1.0
"""So much later a server may log that it has met the record."""


class Unreadable:
    """The records that were unreadable in a run; `oddities` must be empty in a sound one."""

    def __init__(self) -> None:
        self.records: list[Broken] = []
        self.oddities: list[str] = []

    async def suffer(self, fault: Fault, servers: Fleet, rooms: Iterable[str]) -> bool:
        """Let it happen to one of these rooms; return whether a server has met it."""
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
        """Break the record of the first running room, from the one on that the fault names."""
        which, way = fault.victims
        first = which % max(1, len(rooms))
        for room in (*rooms[first:], *rooms[:first]):
            broken = await make_unreadable(store.ask, room, WAYS[way % len(WAYS)])
            if broken is not None:
                return broken
        return None

    async def _knock(self, port: int, room: str) -> bool:
        """Ask a server for a seat in the room; return whether it turned us away as it should."""
        address, version = f"ws://127.0.0.1:{port}/ws", Subprotocol(SUBPROTOCOL)
        join = {"type": "join", "room": room, "name": "Knock", "role": "spectator"}
        told: list[tuple[str, str | None]] = []
        try:
            async with (
                asyncio.timeout(KNOCK_S),
                connect(address, subprotocols=[version], close_timeout=1, proxy=None) as socket,
            ):
                await socket.send(json.dumps(join))
                while not told or told == TURNED_AWAY:
                    answer = json.loads(await socket.recv())
                    told.append((answer["type"], answer.get("code")))
        except ConnectionClosed as closed:
            if closed.rcvd is None or (not told and closed.rcvd.code == CloseCode.DRAINING):
                return False  # the server has just ended, or is about to
            told.append(("closed", str(closed.rcvd.code)))
        except LOST:
            return False  # it is stopped, or away
        if told != [*TURNED_AWAY, ("closed", str(int(CloseCode.DRAINING)))]:
            self.oddities.append(f"{room} was unreadable, and a guest was told {told}")
            return False
        return True

    def expects(self, entry: dict[str, Any]) -> bool:
        """Return whether an entry in a server's log is that it has met one of the records."""
        if entry["event"] != "room cannot be read":
            return False
        at = datetime.fromisoformat(entry["timestamp"]).timestamp()
        return any(
            entry["room"] == each.room and each.began <= at <= each.ended + LATEST_LINE_S
            for each in self.records
        )
