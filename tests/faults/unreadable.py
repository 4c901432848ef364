"""A record that cannot be read for a while: it is broken and put back in the store itself.

Both writes increase the version, as a write of a newer release does. So the store refuses a change
that was decided on the earlier record.
"""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from server.store import keys
from tests.faults.stores import Store

FIELDS = ("doc", "state", "n", "t0", "t_end", "deadline", "public")
"""The fields of a record that only its writers change."""

# KEYS: room. ARGV: the document to replace, the document to write, the channel, the notification
# to publish or nothing, the fields to return. Returns the fields as they were before, or nothing
# if another document stands there.
REPLACE = """
local found = redis.call('HMGET', KEYS[1], unpack(ARGV, 5))
if found[1] ~= ARGV[1] then
  return false
end
redis.call('HSET', KEYS[1], 'doc', ARGV[2])
redis.call('HINCRBY', KEYS[1], 'v', 1)
if ARGV[4] ~= '' then
  redis.call('SPUBLISH', ARGV[3], ARGV[4])
end
return found
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


@asynccontextmanager
async def unreadable(
    store: Store, room: str, spoil: Callable[[str], str], *, publishes: bool
) -> AsyncIterator[None]:
    """Make the record of a room unreadable; no server may write it until the block ends."""

    async def replace(old: str, new: str) -> list[str] | None:
        words = (old, new, keys.channel(room), "room" if publishes else "", *FIELDS)
        found: list[str] | None = await store.ask(
            room, "EVAL", REPLACE, 1, keys.room(room), *words
        )
        return found

    before = None
    while before is None:  # a server may write the record meanwhile
        doc = await store.ask(room, "HGET", keys.room(room), "doc")
        broken = spoil(doc)
        before = await replace(doc, broken)
    yield
    assert await replace(broken, doc) == [broken, *before[1:]]
