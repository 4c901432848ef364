"""The slots of a cluster: the slot of a key, and the nodes that own ranges of slots."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot

SLOTS = REDIS_CLUSTER_HASH_SLOTS
NO_SLOT = -1  # the slot of a command without a key, or for one certain node


class Node(NamedTuple):
    """The address of a node as another node reports it; an empty host means the reporter's."""

    host: str
    port: int


class Range(NamedTuple):
    """The slots from `first` to `last`, both included, and their nodes, the master first."""

    first: int
    last: int
    nodes: tuple[Node, ...]


@lru_cache(maxsize=16_384)
def slot_of(key: str) -> int:
    """Return the slot of a key, or of a sharded channel."""
    return int(key_slot(key.encode()))


def ranges(reply: Sequence[Any]) -> Iterator[Range]:
    """Parse the reply to `CLUSTER SLOTS`."""
    for first, last, *nodes in reply:
        yield Range(first, last, tuple(_node(*node[:2]) for node in nodes))


def _node(host: bytes | None, port: int) -> Node:
    # Redis returns "?" for a node that is configured to announce a host name but has none.
    return Node("" if host is None or host == b"?" else host.decode(), port)
