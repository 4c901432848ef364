"""The state of the store: its memory, its disk, and the keys that belong to no room.

Every master is checked once a second. A master that uses at least `FULL_FROM` of its memory limit
gets no new rooms until it is below `SPACE_BELOW` again: the rest of its memory is for the rooms
that exist. A Redis without a memory limit is never full. A Redis that cannot write its append-only
file refuses every change by itself; this module logs that for the operator.
"""

import asyncio
from dataclasses import dataclass

import structlog

from server import metrics
from server.store.address import Address
from server.store.cluster_client import ClusterClient
from server.store.damaged_keys import DamagedKeys
from server.store.errors import StoreAway, StoreError
from server.store.packed_commands import pack
from server.store.redis_check import fields_of
from server.store.slots import slot_of
from server.store.timings import STORE_TIMINGS
from server.store.topology import Topology

FULL_FROM, SPACE_BELOW = 0.90, 0.85
"""Shares of the memory limit at which a master stops and starts again to get new rooms."""
NO_EVICTION = "noeviction"

INFO = pack("INFO", "memory", "persistence")

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Vitals:
    """The state that a master reports."""

    used: int  # the memory in use, in bytes
    limit: int  # the limit of its memory, in bytes; 0: none
    writes: bool = True  # whether the last write to its append-only file succeeded
    rewrites: bool = True  # whether the last rewrite of that file succeeded
    evicts: bool = False  # whether it removes keys when its memory is full

    @property
    def fill(self) -> float:
        """The share of the memory limit that is in use; 0 without a limit."""
        return self.used / self.limit if self.limit else 0.0


def vitals(reply: bytes) -> Vitals:
    """Parse the reply to `INFO memory persistence`; fields that are missing count as healthy."""
    fields = fields_of(reply)
    # Redis does not count the buffers of its replicas and of its file against its limit.
    uncounted = int(fields.get("mem_not_counted_for_evict", 0))
    return Vitals(
        used=int(fields.get("used_memory", 0)) - uncounted,
        limit=int(fields.get("maxmemory", 0)),
        writes=fields.get("aof_last_write_status", "ok") == "ok",
        rewrites=fields.get("aof_last_bgrewrite_status", "ok") == "ok",
        evicts=fields.get("maxmemory_policy", NO_EVICTION) != NO_EVICTION,
    )


class Health:
    """The masters that are full, and those that cannot write to their disk."""

    def __init__(
        self,
        topology: Topology,
        client: ClusterClient,
        interval_s: float = STORE_TIMINGS.health_s,
        damage: DamagedKeys | None = None,
    ) -> None:
        self._damage = damage
        self._topology = topology
        self._client = client
        self._interval_s = interval_s
        self._full: set[Address] = set()
        self._failing: set[Address] = set()  # cannot write to their disk
        self._growing: set[Address] = set()  # cannot rewrite their append-only file
        self._evicting: set[Address] = set()  # remove keys of any room when they are full

    def has_space(self, key: str) -> bool:
        """Return whether the master of this key has space for a new room."""
        return not self._full or self._topology.owners[slot_of(key)] not in self._full

    async def watch(self) -> None:
        """Check all masters once a second, until cancelled."""
        while True:
            try:
                await self.check()
            except Exception:
                log.exception("the check of the store failed")
            await asyncio.sleep(self._interval_s)

    async def check(self) -> None:
        """Check all masters once; keep the last known state of a master that does not answer."""
        await self.check_keys()
        masters = dict.fromkeys(self._topology.owners)
        reports = await asyncio.gather(*(self._ask(master) for master in masters))
        fullest = max((each.fill for each in reports if each is not None), default=None)
        if fullest is not None:
            metrics.store_fill.set(fullest)
        for state in (self._full, self._failing, self._growing, self._evicting):
            state.intersection_update(masters)
        metrics.store_full.set(len(self._full))
        metrics.store_failing.set(len(self._failing))

    async def check_keys(self) -> None:
        """Check the types of the keys that belong to no room, as far as the store answers."""
        if self._damage is None:
            return
        keys = self._damage.to_check()
        replies = await asyncio.gather(
            *(self._client.call(key, "TYPE", key) for key in keys), return_exceptions=True
        )
        found = zip(keys, replies, strict=True)
        self._damage.record(
            {key: str(type_, "ascii") for key, type_ in found if isinstance(type_, bytes)}
        )

    async def _ask(self, master: Address) -> Vitals | None:
        """Return the vitals of a master; None if it is away."""
        try:
            report = vitals(await self._client.ask_master(master, INFO))
        except StoreAway:
            return None
        except (StoreError, ValueError, AttributeError):
            return Vitals(0, 0)  # a hosted Redis may refuse INFO or answer in another format
        self._record(str(master), master, report)
        return report

    def _record(self, at: str, master: Address, report: Vitals) -> None:
        """Record the states of a master, and log those that have changed."""
        memory = {"store": at, "used_mb": report.used >> 20, "limit_mb": report.limit >> 20}
        if _record_state(
            self._full, master, report.fill >= (SPACE_BELOW if master in self._full else FULL_FROM)
        ):
            if master in self._full:
                log.warning("the store is nearly full: it gets no new rooms", **memory)
            else:
                log.info("the store has space again: it gets new rooms", **memory)
        if _record_state(self._failing, master, not report.writes):
            if master in self._failing:
                log.error("the store cannot write to its disk: it refuses every change", store=at)
            else:
                log.info("the store writes to its disk again", store=at)
        if _record_state(self._growing, master, not report.rewrites):
            if master in self._growing:
                log.warning("the store cannot rewrite its file, which grows", store=at)
            else:
                log.info("the store has rewritten its file", store=at)
        evicts = report.evicts and report.limit > 0
        if _record_state(self._evicting, master, evicts) and evicts:
            why = f"its maxmemory-policy is not {NO_EVICTION}"
            log.warning("the store removes running rooms when it is full", store=at, why=why)


def _record_state(masters: set[Address], master: Address, now: bool) -> bool:  # noqa: FBT001  # a state
    """Record whether a master is in the state of `masters`; return whether that has changed."""
    if (master in masters) is now:
        return False
    (masters.add if now else masters.discard)(master)
    return True
