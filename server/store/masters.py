"""What the masters of a store say of themselves: their health, and reports for the operator.

Every master is checked once a second. A master that uses at least `FULL_FROM` of its memory limit
gets no new rooms until it is below `SPACE_BELOW` again: the rest of its memory is for the rooms
that exist. A Redis that cannot write its file refuses every change by itself, which is logged.

A report asks each master for itself, over connections of its own, and changes nothing.
"""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha1
from typing import Any

import structlog
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import MovedError, ResponseError

from server import metrics
from server.store.address import Address, fields_of, usable
from server.store.cluster import ClusterClient, Topology, slot_of
from server.store.connection import pack
from server.store.damaged_keys import DamagedKeys
from server.store.errors import StoreAway, StoreError
from server.store.keys import Keys
from server.store.pipeline import Pipeline
from server.store.timings import REPLY_TIMEOUT_S

FULL_FROM, SPACE_BELOW = 0.90, 0.85  # shares of the memory limit
INFO = pack("INFO", "memory", "persistence")
BEATS_MS = 15_000  # the age of the latest heartbeat of a process that serves, at most
NOTHING = "return 1"  # a script
# What a server sends at its start; `XX` lets the script write nothing, as no such key exists.
WRITE = "#!lua\nreturn redis.call('SET', KEYS[1], 1, 'XX', 'PX', 1)"
ASKED = (
    ("PING",),
    ("TIME",),
    ("SCRIPT", "LOAD", NOTHING),
    ("EVALSHA", sha1(NOTHING.encode(), usedforsecurity=False).hexdigest(), "0"),
)
SETTINGS = ("appendonly", "appendfsync", "save", "maxmemory-policy")  # those in a report

log = structlog.get_logger(__name__)


def memory(fields: Mapping[str, str]) -> tuple[int, int]:
    """Return the bytes that a master uses, and their limit (0: none), by its `INFO`."""
    # Redis does not count the buffers of its replicas and of its file against its limit.
    uncounted = int(fields.get("mem_not_counted_for_evict", 0))
    return int(fields.get("used_memory", 0)) - uncounted, int(fields.get("maxmemory", 0))


BEGINS = {
    "full": "the store is nearly full: it gets no new rooms",
    "failing": "the store cannot write to its disk: it refuses every change",
    "growing": "the store cannot rewrite its file, which grows",
    "evicting": "the store removes running rooms when it is full: its policy is not noeviction",
}
ENDS = {
    "full": "the store has space again: it gets new rooms",
    "failing": "the store writes to its disk again",
    "growing": "the store has rewritten its file",
}
"""The events of the beginning and the end of a state of a master."""


class Health:
    """The masters in each state of `BEGINS`, and the keys that belong to no room."""

    def __init__(self, client: ClusterClient, interval_s: float, damage: DamagedKeys) -> None:
        self._damage = damage
        self._client = client
        self._interval_s = interval_s
        self._masters_in: dict[str, set[Address]] = {state: set() for state in BEGINS}

    @property
    def is_full(self) -> bool:
        """Whether a master gets no new rooms."""
        return bool(self._masters_in["full"])

    def has_space(self, key: str) -> bool:
        """Return whether the master of this key has space for a new room."""
        full = self._masters_in["full"]
        return not full or self._client.pipelines[slot_of(key)].address not in full

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
        masters = dict.fromkeys(self._client.pipelines)
        fills = await asyncio.gather(*(self._ask(master) for master in masters))
        known = [fill for fill in fills if fill is not None]
        if known:
            metrics.store_fill.set(max(known))
        for state in self._masters_in.values():
            state.intersection_update(master.address for master in masters)
        metrics.store_full.set(len(self._masters_in["full"]))
        metrics.store_failing.set(len(self._masters_in["failing"]))

    async def check_keys(self) -> None:
        """Check the types of the keys that belong to no room, as far as the store answers."""
        keys = self._damage.to_check()
        asked = (self._client.call(key, "TYPE", key) for key in keys)
        found = zip(keys, await asyncio.gather(*asked, return_exceptions=True), strict=True)
        self._damage.record({key: held.decode() for key, held in found if isinstance(held, bytes)})

    async def _ask(self, pipeline: Pipeline) -> float | None:
        """Record the states of a master; return the share of its memory limit that is in use."""
        try:
            fields = fields_of(await pipeline.ask(INFO))
            used, limit = memory(fields)
        except StoreAway:
            return None
        except (StoreError, ValueError, AttributeError):
            return 0.0  # a hosted Redis may refuse INFO or answer in another format
        fill, master = used / limit if limit else 0.0, pipeline.address
        evicts = fields.get("maxmemory_policy", "noeviction") != "noeviction"
        is_in = {
            "full": fill >= (SPACE_BELOW if master in self._masters_in["full"] else FULL_FROM),
            "failing": fields.get("aof_last_write_status", "ok") != "ok",
            "growing": fields.get("aof_last_bgrewrite_status", "ok") != "ok",
            "evicting": evicts and limit > 0,
        }
        for state, masters in self._masters_in.items():
            if (master in masters) is not is_in[state]:
                masters.symmetric_difference_update({master})
                event = BEGINS[state] if is_in[state] else ENDS.get(state)
                begun = log.error if state == "failing" else log.warning
                tell = begun if is_in[state] else log.info
                if event is not None:
                    tell(event, store=str(master), used_mb=used >> 20, limit_mb=limit >> 20)
        return fill


@dataclass(frozen=True, slots=True)
class MasterReport:
    """What one Redis says of itself, asked with names of this installation."""

    address: str
    info: Mapping[str, str]  # the fields of `INFO`
    settings: Mapping[str, str] = field(default_factory=dict)  # those of `SETTINGS`
    refusal: str | None = None  # why it cannot be written, or a script cannot be run
    ahead_ms: int = 0  # how far its clock is ahead, at least; 0 if less than the question took
    types: Mapping[str, str] = field(default_factory=dict)  # of the keys that belong to no room
    clustered: bool = False
    channel_refusal: str | None = None  # why messages cannot be published or received
    servers: int = 0  # the processes that serve over it; in a cluster one master knows them


async def inspect(url: str, prefix: str) -> list[MasterReport]:
    """Return the reports of a Redis, or of each master of a cluster; raise as `Topology.open`."""
    topology = await Topology.open(url, REPLY_TIMEOUT_S)
    masters, clustered = {str(each): each for each in topology.owners}, topology.clustered
    asked = (_report(masters[name], Keys(prefix), clustered) for name in sorted(masters))
    return list(await asyncio.gather(*asked))


def wrong_types(report: MasterReport, prefix: str = "") -> list[str]:
    """Return the keys that belong to no room and hold another type than they should."""
    keys = Keys(prefix)
    return [key for key, found in report.types.items() if found not in {"none", keys.type_of(key)}]


async def _report(address: Address, keys: Keys, clustered: bool) -> MasterReport:  # noqa: FBT001  # a fact
    async with usable(address) as connection:
        asked = time.time()
        reply = await _ask(connection, "TIME")
        answered = time.time()
        info = await _info(connection, "INFO", "all")
        if clustered:
            info |= await _info(connection, "CLUSTER", "INFO")
        # The rights to a room's keys too.
        refused = await _refusal(connection, "EVAL", WRITE, "1", keys.probe)
        for words in ASKED:
            refused = refused or await _refusal(connection, *words)
        settings = _pairs(await _ask(connection, "CONFIG", "GET", *SETTINGS))
        held = {key: await _ask(connection, "TYPE", key) for key in keys.shared()}
        # Another node of a cluster owns the slots of the others.
        types = {key: each.decode() for key, each in held.items() if isinstance(each, bytes)}
        since = str(round(1_000 * asked) - BEATS_MS)
        beating = await _ask(connection, "ZCOUNT", keys.processes, since, "+inf")
        channel = keys.channel("doctor")
        unpublished = await _refusal(connection, "SPUBLISH", channel, "")
        # The last question: a connection with a subscription takes no other commands.
        unheard = await _refusal(connection, "SSUBSCRIBE", channel)
        name, ahead_ms = str(address), _ahead_ms(reply, asked, answered)
        unheard = unpublished or unheard
        servers = beating if isinstance(beating, int) else 0
        return MasterReport(
            *(name, info, settings, refused, ahead_ms, types, clustered, unheard, servers)
        )


async def _refusal(connection: AbstractConnection, *words: str) -> str | None:
    """Return why Redis refuses a command, or None; another node of a cluster is no refusal."""
    reply = await _ask(connection, *words)
    if not isinstance(reply, ResponseError) or isinstance(reply, MovedError):
        return None
    return f"{reply.status_code or ''} {reply}".lstrip()  # without its code if redis-py knows it


async def _ask(connection: AbstractConnection, *words: str) -> Any:
    """Return a reply; an error of Redis, such as a missing right, is returned too."""
    await connection.send_command(*words, check_health=False)
    try:
        return await connection.read_response()
    except ResponseError as error:
        return error


async def _info(connection: AbstractConnection, *words: str) -> dict[str, str]:
    """Return the fields of a reply; none if Redis has refused the command."""
    reply = await _ask(connection, *words)
    return fields_of(reply) if isinstance(reply, bytes) else {}


def _pairs(reply: object) -> dict[str, str]:
    """Return the settings of a reply to `CONFIG GET`; none if Redis has refused it."""
    if not isinstance(reply, list):
        return {}
    texts = [bytes(each).decode(errors="replace") for each in reply]
    return dict(zip(texts[::2], texts[1::2], strict=True))


def _ahead_ms(reply: object, asked: float, answered: float) -> int:
    """Return how far the clock of Redis is ahead; its time was read between the two times."""
    if not isinstance(reply, list):
        return 0
    theirs = int(reply[0]) + int(reply[1]) / 1_000_000
    return round(1_000 * (theirs - min(max(theirs, asked), answered)))
