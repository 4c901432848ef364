"""The record of a room, made unreadable and restored directly in the store.

Both writes increase the version, as a write of a newer release would. So the store refuses a
change that was decided on the earlier record.
"""

import json
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from server.store import keys

Ask = Callable[..., Awaitable[Any]]
"""Return the reply to a command about a room: its code, and the words of the command."""

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


def missing_field(doc: str) -> str:
    """Return a document without a required field."""
    return json.dumps({name: each for name, each in json.loads(doc).items() if name != "seats"})


@dataclass(frozen=True, slots=True)
class Way:
    """One of the ways to break a record: the function that does it, and whether it publishes.

    A release that writes a record notifies all servers. A manual change of the store does not, and
    players continue to act.
    """

    spoils: Callable[[str], str]
    publishes: bool


WAYS = tuple(
    Way(spoils, publishes)
    for publishes in (True, False)
    for spoils in (half, unknown_value, missing_field)
)


@dataclass(slots=True)
class Broken:
    """The record of a room while it is unreadable, and afterwards.

    `since` and `until` are times of this machine's monotonic clock, `began` and `ended` the same
    times in seconds since the epoch.
    """

    room: str
    way: Way
    was: dict[str, str]
    doc: str
    since: float
    began: float
    until: float = float("inf")
    ended: float = float("inf")


async def make_unreadable(ask: Ask, room: str, way: Way) -> Broken | None:
    """Make the record of a running room unreadable; return None if no race is running there."""
    while True:
        since, began = time.monotonic(), time.time()
        was, state = await ask(room, "HMGET", keys.room(room), "doc", "state")
        if state != "RUNNING":
            return None
        doc = way.spoils(was)
        found, done = await _replace(ask, room, was, doc, state, publishes=way.publishes)
        if done:
            return Broken(room, way, found, doc, since, began)


async def put_back(ask: Ask, broken: Broken) -> list[str]:
    """Restore the record; return the fields that a server changed meanwhile.

    A document that a server has written in its place stays.
    """
    was = broken.was["doc"]
    publishes = broken.way.publishes
    found, _ = await _replace(ask, broken.room, broken.doc, was, publishes=publishes)
    broken.until, broken.ended = time.monotonic(), time.time()
    left = {**broken.was, "doc": broken.doc}
    return [name for name in FIELDS if found[name] != left[name]]


async def _replace(
    ask: Ask, room: str, old: str, new: str, state: str = "", *, publishes: bool
) -> tuple[dict[str, str], bool]:
    """Replace a document, if it is the old one; return the fields before, and whether it was."""
    words = (old, state, new, keys.channel(room), "room" if publishes else "", *FIELDS)
    found, done = await ask(room, "EVAL", REPLACE, 1, keys.room(room), *words)
    return dict(zip(FIELDS, found, strict=True)), bool(done)
