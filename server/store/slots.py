"""The slots of a cluster: which one a key is in, and which node owns it."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot

SLOTS = REDIS_CLUSTER_HASH_SLOTS
# What has no key, or goes to one node whoever owns what.
NO_SLOT = -1


class Node(NamedTuple):
    """Where a node listens, as another says; without a host, it is that of the other."""

    host: str
    port: int


class Range(NamedTuple):
    """The slots from `first` to `last`, both included, and who serves them: the master first."""

    first: int
    last: int
    nodes: tuple[Node, ...]


@lru_cache(maxsize=16_384)
def slot_of(key: str) -> int:
    """Return the slot of a key, or of a sharded channel."""
    return int(key_slot(key.encode()))


def ranges(reply: Sequence[Any]) -> Iterator[Range]:
    """Parse the answer to `CLUSTER SLOTS`."""
    for first, last, *nodes in reply:
        yield Range(first, last, tuple(_node(*node[:2]) for node in nodes))


def _node(host: bytes | None, port: int) -> Node:
    # A question mark is a node that shall announce a name and has none.
    return Node("" if host is None or host == b"?" else host.decode(), port)
