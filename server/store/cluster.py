"""The masters of a cluster: the slots of each, and the pipelines to them.

A single Redis counts as a cluster of one node that owns all slots, with a map that never changes.
The map of a real cluster may be out of date at any time. Redirections and silent nodes cause a
refresh.

Law: a command is sent once. When a slot gets another master, all its unanswered commands fail with
StoreAway before the new master gets any.
"""

import asyncio
import random
from asyncio import Task
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import groupby
from typing import Any, Self

import structlog
from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot
from redis.exceptions import ClusterDownError, MovedError, ReadOnlyError

from server.store.address import Address, check_version, parse_addresses
from server.store.connection import Command, OnReply, Reply, Word, keyed, pack
from server.store.errors import StoreAway, StoreNotReady, StoreUnusable
from server.store.keys import UNPREFIXED, DamagedKeys, Keys
from server.store.pipeline import Pipeline, resolve

SlotMap = list[tuple[range, Address]]  # ranges of slots, each with its master

log = structlog.get_logger(__name__)

SLOTS = REDIS_CLUSTER_HASH_SLOTS
PING = pack("PING")
REFRESH_PAUSE_S = 0.1
# After these replies a node may no longer be a master.
FAILOVER_SIGNS = (StoreAway, ClusterDownError, ReadOnlyError)


@lru_cache(maxsize=16_384)
def slot_of(key: str) -> int:
    """Return the slot of a key, or of a sharded channel."""
    return int(key_slot(key.encode()))


def parse_slots(node: Address, reply: Sequence[Any]) -> SlotMap:
    """Parse the reply of a node to `CLUSTER SLOTS`, which names masters before replicas."""
    return [
        (range(first, last + 1), node.at(host.decode() if host else None, port))
        for first, last, (host, port, *_), *_ in reply
    ]


async def fetch_slots(address: Address) -> SlotMap:
    """Return the map of the cluster that a node reports, or raise StoreAway."""
    try:
        slot_map = parse_slots(address, await address.ask("CLUSTER", "SLOTS"))
    except Exception as error:
        raise StoreAway(f"The Redis at {address} does not return its slots: {error}") from error
    if not slot_map:
        raise StoreAway(f"The Redis at {address} knows of no slots.")
    return slot_map


class Topology:
    """The map of a cluster: `owners` lists the address of each slot's master."""

    def __init__(self, seeds: list[Address], *, clustered: bool) -> None:
        self.owners: list[Address] = seeds[:1] * SLOTS  # until a map is fetched
        self._seeds, self.clustered = seeds, clustered
        self._nodes: dict[str, Address] = {}  # all nodes that a map ever named
        self.on_moved: list[Callable[[Collection[int]], None]] = []  # called with moved slots
        self._is_refresh_requested = False
        self._redirected_by: Address | None = None  # the node that redirected us: its map is newer
        self._task: Task[None] | None = None
        self._is_closed = False

    def __str__(self) -> str:
        return ", ".join(map(str, self._seeds))

    @classmethod
    async def open(cls, url: str, reply_s: float, probe: str | None = None) -> Self:
        """Check a Redis, or the first node of a cluster that answers, and fetch the map.

        A node that is silent for `reply_s` seconds is unavailable. If the key `probe` is given,
        write it to test whether Redis takes writes; it expires at once.

        Raises:
            StoreTooOld: the Redis is older than 7.0.
            StoreNotReady: the nodes in the URL cannot be reached, or are starting.
            StoreUnusable: each node refuses writes, or is not what the URL says: a cluster or not.
        """
        seeds, clustered = parse_addresses(url, reply_s)
        topology = cls(seeds, clustered=clustered)
        failures: list[StoreUnusable] = []
        for seed in seeds:
            try:
                await check_version(seed, probe, clustered=clustered)
                if clustered:
                    topology._apply(seed, await fetch_slots(seed))
            except StoreUnusable as error:
                failures.append(error)
            except StoreAway as error:
                failures.append(StoreUnusable(f"The Redis at {seed} does not return its slots."))
                failures[-1].__cause__ = error
            else:
                return topology
        # Prefer an error that waiting will not fix.
        permanent = [error for error in failures if not isinstance(error, StoreNotReady)]
        raise (permanent or failures)[0]

    def request_refresh(self, by: Address | None = None) -> None:
        """Fetch a new map soon: from the node `by` that redirected a command, or from any node."""
        if self.clustered and not self._is_closed:
            self._is_refresh_requested = True
            self._redirected_by = by or self._redirected_by
            if self._task is None or self._task.done():
                self._task = asyncio.create_task(self._refresh(), name="topology")

    async def close(self) -> None:
        """Stop refreshing the map, so that nothing connects to new nodes."""
        self._is_closed = True
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _refresh(self) -> None:
        """Fetch maps until one has arrived and nobody has requested a newer one."""
        while self._is_refresh_requested:
            nodes = [self._redirected_by] if self._redirected_by else {*self.owners, *self._seeds}
            self._is_refresh_requested, self._redirected_by = False, None
            try:
                node = random.choice([*nodes])  # noqa: S311  # no secret
                self._apply(node, await fetch_slots(node))
            except StoreAway:
                self._is_refresh_requested = True  # another node may answer
            except Exception:  # try again only when another map is requested
                log.exception("the map of the cluster was not read")
            await asyncio.sleep(REFRESH_PAUSE_S)

    def _apply(self, by: Address, slot_map: SlotMap) -> None:
        """Use the map that the node `by` has sent."""
        moved = 0
        for slots, node in slot_map:
            # Each node has one Address object, since owners are compared by identity.
            moved += self.assign(slots, self._nodes.setdefault(str(node), node))
        if moved:
            log.info("the cluster is mapped", by=str(by), ranges=len(slot_map), slots_moved=moved)

    def assign(self, slots: range, owner: Address) -> int:
        """Record the owner of these slots; return how many had another one."""
        moved = [slot for slot in slots if self.owners[slot] is not owner]
        for slot in moved:
            self.owners[slot] = owner
        if moved:
            for callback in self.on_moved:
                callback(moved)
        return len(moved)


class ClusterClient:
    """One pipeline to each master of a topology; `preamble` is sent on each connection.

    All keys of a command must be in one slot. `damage` records the errors of keys that belong to
    no room.
    """

    def __init__(
        self, topology: Topology, preamble: Sequence[bytes], damage: DamagedKeys | None = None
    ) -> None:
        self._topology = topology
        self._damage = damage or DamagedKeys(UNPREFIXED)
        self._preamble = preamble
        self._by_master: dict[Address, Pipeline] = {}
        # By slot. The list is never replaced: the hot path keeps a reference to it.
        self.pipelines = [self._pipeline_to(owner) for owner in topology.owners]
        topology.on_moved.append(self._follow_owners)

    def ask(self, command: Command) -> Awaitable[Reply]:
        """Send a command; return its reply. After a StoreAway, it may have been executed."""
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self.send(command, partial(resolve, future))
        return future

    async def call(self, name: str, key: str, *words: Word) -> Reply:
        """Return the reply to a command with this key as its first argument."""
        return await self.ask(keyed(name, key, *words))

    async def ask_all(self, *commands: Command) -> list[Reply]:
        """Send commands at once and return their replies; raise the first error among them."""
        return await asyncio.gather(*map(self.ask, commands))

    async def ask_in_order(self, *commands: Command) -> list[Reply]:
        """Run the commands one after another, and return the replies.

        After a StoreAway, later commands may not have been sent.
        """
        if len(self._by_master) == 1:
            return await self.ask_all(*commands)  # a pipeline keeps the order
        # In a cluster, only commands of one slot go together. That two slots have the same master
        # is not enough: one of them may move at any time.
        replies: list[Reply] = []
        for _, group in groupby(commands, lambda command: slot_of(command.key)):
            replies += await self.ask_all(*group)
        return replies

    async def ask_any_master(self, command: bytes) -> Reply:
        """Return the reply of the first master that answers, or raise StoreAway."""
        failure = StoreAway("There is no Redis.")
        for pipeline in list(self._by_master.values()):
            try:
                return await pipeline.ask(command)
            except StoreAway as error:
                failure = error
        raise failure

    def send(self, command: Command, on_reply: OnReply) -> None:
        """Queue a command as `Pipeline.send` does. `on_reply` gets a refusal as StoreRefused."""
        key, packed = command
        slot = slot_of(key)
        self.pipelines[slot].send(packed, partial(self._damage.pass_on, key, on_reply), slot)

    async def close(self) -> None:
        """Disconnect once all queued commands are done, or at once when cancelled."""
        pipelines = [*self._by_master.values()]
        last = [pipeline.ask(PING) for pipeline in pipelines if pipeline.is_busy]
        try:
            await asyncio.gather(*last, return_exceptions=True)
        finally:
            for pipeline in pipelines:
                pipeline.close()

    def _note_errors(self, by: Address, replies: Sequence[Reply]) -> None:
        """Request a new map if errors from the node `by` show that slots have moved."""
        if any(isinstance(reply, MovedError) for reply in replies):
            self._topology.request_refresh(by)
        elif any(isinstance(reply, FAILOVER_SIGNS) for reply in replies):
            self._topology.request_refresh()

    def _pipeline_to(self, address: Address) -> Pipeline:
        if address not in self._by_master:
            self._by_master[address] = Pipeline(address, self._preamble, self._note_errors)
        return self._by_master[address]

    def _follow_owners(self, slots: Collection[int]) -> None:
        """Switch moved slots to their new owners' pipelines; fail their unanswered commands."""
        lost_slots: dict[Pipeline, set[int]] = {}  # by former pipeline
        for slot in slots:
            lost_slots.setdefault(self.pipelines[slot], set()).add(slot)
            self.pipelines[slot] = self._pipeline_to(self._topology.owners[slot])
        for pipeline, lost in lost_slots.items():
            pipeline.abandon(lost)
            if pipeline not in self.pipelines:
                del self._by_master[pipeline.address]
                pipeline.close()


@dataclass(eq=False)
class StorePart:
    """Base class for the parts of `Store`: holds their client and the names of their keys."""

    _client: ClusterClient
    _keys: Keys
