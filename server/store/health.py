"""How full the memory of the store is, and whether it can write to its disk.

Every master is asked once a second. From `FULL` of its limit on, a master gets no new rooms until
it is below `SPACE` again: what is between the mark and the limit belongs to the rooms that are
there. A Redis without a limit is never full. A Redis that cannot write its append-only file
refuses every change by itself; this module says so to the operator.
"""

import asyncio
from dataclasses import dataclass

import structlog

from server import metrics
from server.store.address import Address
from server.store.cluster_client import ClusterClient
from server.store.errors import StoreAway, StoreError
from server.store.redis_connection import pack
from server.store.slots import slot_of
from server.store.topology import Topology

FULL, SPACE = 0.90, 0.85
LOOK_S = 1.0
KEEPS = "noeviction"

INFO = pack("INFO", "memory", "persistence")

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Vitals:
    """What a master says of itself: bytes in use, their limit (0: none), and its files."""

    used: int
    limit: int
    writes: bool = True
    rewrites: bool = True
    evicts: bool = False

    @property
    def fill(self) -> float:
        """The share of the limit that is in use; 0 without a limit."""
        return self.used / self.limit if self.limit else 0.0


def vitals(reply: bytes) -> Vitals:
    """Parse the answer to `INFO memory persistence`; what a Redis keeps to itself is well."""
    pipelines = reply.decode(errors="replace").splitlines()
    fields = dict(line.split(":", 1) for line in pipelines if ":" in line)
    # As Redis counts against its limit: without the buffers of its replicas and of its file.
    uncounted = int(fields.get("mem_not_counted_for_evict", 0))
    return Vitals(
        used=int(fields.get("used_memory", 0)) - uncounted,
        limit=int(fields.get("maxmemory", 0)),
        writes=fields.get("aof_last_write_status", "ok") == "ok",
        rewrites=fields.get("aof_last_bgrewrite_status", "ok") == "ok",
        evicts=fields.get("maxmemory_policy", KEEPS) != KEEPS,
    )


class Health:
    """The masters that are full, and those that cannot write to their disk."""

    def __init__(self, topology: Topology, pipelines: ClusterClient) -> None:
        self._topology = topology
        self._client = pipelines
        self._full: set[Address] = set()
        self._failing: set[Address] = set()  # cannot write to their disk
        self._growing: set[Address] = set()  # cannot rewrite their file
        self._evicting: set[Address] = set()  # remove what they like when they are full

    def has_space(self, key: str) -> bool:
        """Return whether the master of this key has space for a new room."""
        return not self._full or self._topology.owners[slot_of(key)] not in self._full

    async def watch(self) -> None:
        """Look at all masters once a second, for ever."""
        while True:
            await self.look()
            await asyncio.sleep(LOOK_S)

    async def look(self) -> None:
        """Look at all masters; of one that does not answer, the last that was known holds."""
        masters = dict.fromkeys(self._topology.owners)
        found = await asyncio.gather(*(self._ask(master) for master in masters))
        fullest = max((each.fill for each in found if each is not None), default=None)
        if fullest is not None:
            metrics.store_fill.set(fullest)
        for known in (self._full, self._failing, self._growing, self._evicting):
            known.intersection_update(masters)
        metrics.store_full.set(len(self._full))
        metrics.store_failing.set(len(self._failing))

    async def _ask(self, master: Address) -> Vitals | None:
        try:
            seen = vitals(await self._client.ask_master(master, INFO))
        except StoreAway:
            return None
        except (StoreError, ValueError, AttributeError):
            return Vitals(0, 0)  # a hosted Redis may keep it to itself, or say it in its own way
        self._judge(str(master), master, seen)
        return seen

    def _judge(self, at: str, master: Address, seen: Vitals) -> None:
        memory = {"store": at, "used_mb": seen.used >> 20, "limit_mb": seen.limit >> 20}
        if _crosses(self._full, master, seen.fill >= (SPACE if master in self._full else FULL)):
            if master in self._full:
                log.warning("the store is nearly full: it gets no new rooms", **memory)
            else:
                log.info("the store has space again: it gets new rooms", **memory)
        if _crosses(self._failing, master, not seen.writes):
            if master in self._failing:
                log.error("the store cannot write to its disk: it refuses every change", store=at)
            else:
                log.info("the store writes to its disk again", store=at)
        if _crosses(self._growing, master, not seen.rewrites):
            if master in self._growing:
                log.warning("the store cannot rewrite its file, which grows", store=at)
            else:
                log.info("the store has rewritten its file", store=at)
        evicts = seen.evicts and seen.limit > 0
        if _crosses(self._evicting, master, evicts) and evicts:
            why = f"its maxmemory-policy is not {KEEPS}"
            log.warning("the store removes running rooms when it is full", store=at, why=why)


def _crosses(known: set[Address], master: Address, now: bool) -> bool:  # noqa: FBT001  # a state
    """Note whether a master is in a state; return whether that is news."""
    if (master in known) is now:
        return False
    (known.add if now else known.discard)(master)
    return True
