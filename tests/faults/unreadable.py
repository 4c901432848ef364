"""A record that cannot be read for a while, as a fault.

1. Clients that connect to the room meanwhile are refused with `try_again` and closed with 4001, at
   every server.
2. No server writes the record, so it can be restored unchanged.

It is broken and restored directly in the store. Both writes increase the version, as a write of a
newer release would. So the store refuses a change that was decided on the earlier record.
"""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

from protocol.vocabulary import CloseCode
from server.store import keys
from tests.faults.schedule import Fault
from tests.faults.stores import Store
from tests.players import OFFERED

LOST = (OSError, TimeoutError, ConnectionClosed, InvalidHandshake, InvalidMessage, EOFError)
TURNED_AWAY = [("refused", "try_again")]
FIELDS = ("state", "n", "t0", "t_end", "deadline", "public", "doc")
"""The fields of a record that only its writers change."""

# KEYS: room. ARGV: the document to replace, and the state in which, or nothing for any state; the
# document to write; the channel, and the notification to publish or nothing; the fields to return.
# Returns the fields as they were before, and 1 if the document was replaced.
REPLACE = """
local found = redis.call('HMGET', KEYS[1], unpack(ARGV, 6))
local now = redis.call('HMGET', KEYS[1], 'doc', 'state')
if now[1] ~= ARGV[1] or (ARGV[2] ~= '' and now[2] ~= ARGV[2]) then
  return {found, 0}
end
redis.call('HSET', KEYS[1], 'doc', ARGV[3])
redis.call('HINCRBY', KEYS[1], 'v', 1)
if ARGV[5] ~= '' then
  redis.call('SPUBLISH', ARGV[4], ARGV[5])
end
return {found, 1}
"""


def half(doc: str) -> str:
    """Return the first half of a document."""
    return doc[: len(doc) // 2]


def unknown_value(doc: str) -> str:
    """Return a document with a state that only a newer release might know."""
    return json.dumps({**json.loads(doc), "state": "PAUSED"})


WAYS = ((half, True), (unknown_value, True), (half, False), (unknown_value, False))
"""The ways to break a record: the function that does it, and whether it publishes.

A release that writes a record notifies all servers. A manual change of the store does not, and
players continue to act.
"""


@dataclass(slots=True)
class Broken:
    """The record of a room while it is unreadable; `was` are its fields before."""

    room: str
    publishes: bool
    was: dict[str, str]
    doc: str


async def make_unreadable(store: Store, room: str, way: int) -> Broken | None:
    """Make the record of a running room unreadable; return None if no race is running there."""
    spoil, publishes = WAYS[way % len(WAYS)]
    while True:
        was, state = await store.ask(room, "HMGET", keys.room(room), "doc", "state")
        if state != "RUNNING":
            return None
        doc = spoil(was)
        found, done = await _replace(store, room, was, doc, state, publishes=publishes)
        if done:
            return Broken(room, publishes, found, doc)


async def put_back(store: Store, broken: Broken) -> list[str]:
    """Restore the record; return the fields that a server changed meanwhile.

    A document that a server has written in its place stays.
    """
    was = broken.was["doc"]
    found, _ = await _replace(store, broken.room, broken.doc, was, publishes=broken.publishes)
    left = {**broken.was, "doc": broken.doc}
    return [name for name in FIELDS if found[name] != left[name]]


async def _replace(
    store: Store, room: str, old: str, new: str, state: str = "", *, publishes: bool
) -> tuple[dict[str, str], bool]:
    """Replace a document, if it is the old one; return the fields before, and whether it was."""
    words = (old, state, new, keys.channel(room), "room" if publishes else "", *FIELDS)
    found, done = await store.ask(room, "EVAL", REPLACE, 1, keys.room(room), *words)
    return dict(zip(FIELDS, found, strict=True)), bool(done)


class Unreadable:
    """The rooms that were unreadable in a run; `oddities` must be empty in a correct run.

    A server that takes longer than `patience_s` for an answer is suspended and does not count.
    """

    def __init__(self, patience_s: float | None = 3.0) -> None:
        self._patience_s = patience_s
        self.rooms: list[str] = []
        self.oddities: list[str] = []

    async def suffer(
        self,
        fault: Fault,
        store: Store,
        ports: Sequence[int],
        rooms: Iterable[str],
        meanwhile: Callable[[], Awaitable[object]] | None = None,
    ) -> bool:
        """Break the record of one of these rooms; return whether a server has tried to read it."""
        async with store.undisturbed():
            broken = await self._break_one(fault, store, sorted(rooms))
            if broken is None:
                return False
            self.rooms.append(broken.room)
            began = time.monotonic()
            try:
                await asyncio.sleep(fault.seconds / 2)
                met = await asyncio.gather(*(self._knock(port, broken.room) for port in ports))
                if meanwhile is not None:
                    await meanwhile()
                await asyncio.sleep(fault.seconds / 2)
            finally:
                changed = await put_back(store, broken)
        if changed and not store.may_forget(broken.room, began):
            fields = ", ".join(changed)
            self.oddities.append(f"{broken.room} was written while unreadable: {fields}")
        return any(met)

    async def _break_one(self, fault: Fault, store: Store, rooms: list[str]) -> Broken | None:
        """Break the record of the first running room, starting with the one the fault names."""
        which, way = fault.victims
        first = which % max(1, len(rooms))
        for room in (*rooms[first:], *rooms[:first]):
            if (broken := await make_unreadable(store, room, way)) is not None:
                return broken
        return None

    async def _knock(self, port: int, room: str) -> bool:
        """Try to join the room at a server; return whether it refused and closed as it must."""
        address = f"ws://127.0.0.1:{port}/ws"
        join = {"type": "join", "room": room, "name": "Knock", "role": "spectator"}
        answers: list[tuple[str, str | None]] = []
        try:
            async with (
                asyncio.timeout(self._patience_s),
                connect(address, subprotocols=OFFERED, open_timeout=None, proxy=None) as socket,
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
