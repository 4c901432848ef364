"""The health of the masters, which every process checks once a second.

A master that uses at least `FULL_FROM` of its memory limit gets no new rooms until it is below
`SPACE_BELOW` again: the rest of its memory is for the rooms that exist. A Redis that cannot write
its file refuses every change anyway; the log says so.
"""

import asyncio
from collections.abc import Mapping

import structlog

from server import metrics
from server.store.address import Address, parse_info
from server.store.cluster import ClusterClient, slot_of
from server.store.connection import pack
from server.store.errors import StoreAway, StoreError
from server.store.keys import DamagedKeys
from server.store.pipeline import Pipeline

FULL_FROM, SPACE_BELOW = 0.90, 0.85  # shares of the memory limit
INFO = pack("INFO", "memory", "persistence")

log = structlog.get_logger(__name__)


def memory(fields: Mapping[str, str]) -> tuple[int, int]:
    """Return the bytes that a master uses and its limit (0: none), from the fields of `INFO`."""
    # The buffers for replicas and for the append-only file do not count against the limit.
    uncounted = int(fields.get("mem_not_counted_for_evict", 0))
    return int(fields.get("used_memory", 0)) - uncounted, int(fields.get("maxmemory", 0))


# What the log says when a master enters a state, and when it leaves it.
ENTERED = {
    "full": "the store is nearly full: it gets no new rooms",
    "failing": "the store cannot write to its disk: it refuses every change",
    "growing": "the store cannot rewrite its file, which grows",
    "evicting": "the store removes running rooms when it is full: its policy is not noeviction",
}
EXITED = {
    "full": "the store has space again: it gets new rooms",
    "failing": "the store writes to its disk again",
    "growing": "the store has rewritten its file",
    "evicting": "",
}


class Health:
    """The masters in each state of `ENTERED`, up to date while `watch` runs."""

    def __init__(self, client: ClusterClient, interval_s: float, damage: DamagedKeys) -> None:
        self._damage, self._client, self._interval_s = damage, client, interval_s
        self._masters_in: dict[str, set[Address]] = {state: set() for state in ENTERED}

    @property
    def is_full(self) -> bool:
        """Whether any master is too full for new rooms."""
        return bool(self._masters_in["full"])

    def has_space(self, key: str) -> bool:
        """Return whether the master of this key has space for a new room."""
        full = self._masters_in["full"]
        return not full or self._client.pipelines[slot_of(key)].address not in full

    async def watch(self) -> None:
        """Call `refresh` every `interval_s`, until cancelled."""
        while True:
            try:
                await self.refresh()
            except Exception:
                log.exception("the check of the store failed")
            await asyncio.sleep(self._interval_s)

    async def refresh(self) -> None:
        """Ask every master for its state, log changes, and set the metrics.

        A master that does not answer keeps its last known state.
        """
        await self.refresh_keys()
        masters = dict.fromkeys(self._client.pipelines)
        for known in self._masters_in.values():  # forget former masters
            known.intersection_update(master.address for master in masters)
        fills = await asyncio.gather(*map(self._refresh_master, masters))
        if known_fills := [fill for fill in fills if fill is not None]:
            metrics.store_fill.set(max(known_fills))
        metrics.store_full.set(len(self._masters_in["full"]))
        metrics.store_failing.set(len(self._masters_in["failing"]))

    async def refresh_keys(self) -> None:
        """Check the types of the keys that belong to no room, and record wrong ones."""
        keys = self._damage.to_check()
        asked = (self._client.call("TYPE", key) for key in keys)
        replies = zip(keys, await asyncio.gather(*asked, return_exceptions=True), strict=True)
        types = {key: reply.decode() for key, reply in replies if isinstance(reply, bytes)}
        self._damage.update(types)

    async def _refresh_master(self, pipeline: Pipeline) -> float | None:
        """Log changes of a master's state. Return its fill, or None if it does not answer."""
        try:
            fields = parse_info(await pipeline.ask(INFO))
            used, limit = memory(fields)
        except StoreAway:
            return None
        except (StoreError, ValueError, AttributeError):
            return 0.0  # a hosted Redis may refuse INFO or answer in another format
        fill, master = used / limit if limit else 0.0, pipeline.address
        was_full = master in self._masters_in["full"]
        evicts = fields.get("maxmemory_policy", "noeviction") != "noeviction"
        is_in = {
            "full": fill >= (SPACE_BELOW if was_full else FULL_FROM),
            "failing": fields.get("aof_last_write_status", "ok") != "ok",
            "growing": fields.get("aof_last_bgrewrite_status", "ok") != "ok",
            "evicting": evicts and limit > 0,
        }
        for state, masters in self._masters_in.items():
            if (master in masters) is is_in[state]:
                continue
            if is_in[state]:
                masters.add(master)
                event, write = ENTERED[state], log.error if state == "failing" else log.warning
            else:
                masters.remove(master)
                event, write = EXITED[state], log.info
            if event:  # "" is not logged
                write(event, store=str(master), used_mb=used >> 20, limit_mb=limit >> 20)
        return fill
