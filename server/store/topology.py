"""The map from slots to the nodes that own them, by which commands and subscriptions are routed.

A single Redis is treated as a cluster of one node that owns all slots; its map is never refreshed.
The map of a real cluster may be out of date at any time. Redirections and nodes that do not answer
cause a refresh.
"""

import asyncio
import random
from asyncio import Task
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Self

import structlog
from redis.exceptions import AskError

from server.store.address import Address, hang_up, nodes
from server.store.errors import StoreAway, StoreNotReady, StoreUnusable
from server.store.keys import UNPREFIXED
from server.store.redis_check import check_version
from server.store.slots import SLOTS, Node, Range, ranges
from server.store.timings import REPLY_TIMEOUT_S
from server.store.watched_tasks import WatchedTasks

OnMoved = Callable[[Collection[int]], None]

log = structlog.get_logger(__name__)

NODES_PER_REFRESH = 3
"""Nodes from which a refresh requests the map at once; the first answer counts."""
REFRESH_PAUSE_S = 0.1  # seconds between two refreshes


class Topology:
    """The map of a cluster: `owners` has the address of the master of each slot."""

    def __init__(
        self, seeds: list[Address], *, clustered: bool, probe: str = UNPREFIXED.probe
    ) -> None:
        self.owners: list[Address] = seeds[:1] * SLOTS
        self._seeds = seeds
        self._clustered = clustered
        self._probe = probe
        self._addresses: dict[Node, Address] = {}
        self._nodes: set[Address] = set()  # of the latest refresh, including replicas
        self._callbacks: list[OnMoved] = []
        self._refresh_requested = asyncio.Event()
        self._task: Task[None] | None = None
        self.tasks = WatchedTasks()
        """The tasks of this map, and of all connections to its nodes."""

    def __str__(self) -> str:
        return ", ".join(map(str, self._seeds))

    @classmethod
    async def open(
        cls, url: str, reply_s: float = REPLY_TIMEOUT_S, probe: str = UNPREFIXED.probe
    ) -> Self:
        """Check a Redis, or the first node of a cluster that answers, and fetch the map.

        The key `probe` is written for a moment.

        Raises:
            StoreTooOld: the Redis is older than 7.0.
            StoreNotReady: no node in the URL can be reached, or they are starting.
            StoreUnusable: no node in the URL can be written and is of the kind that the URL names.
        """
        seeds, clustered = nodes(url, reply_s)
        topology = cls(seeds, clustered=clustered, probe=probe)
        failures: list[StoreUnusable] = []
        for seed in seeds:
            try:
                await topology._enter(seed)
            except StoreUnusable as error:
                failures.append(error)
            else:
                return topology
        # Waiting mends those that are not ready, and no other.
        final = [error for error in failures if not isinstance(error, StoreNotReady)]
        raise (final or failures)[0]

    def on_moved(self, callback: OnMoved) -> None:
        """Call `callback` at once with the slots, whenever slots get another owner."""
        self._callbacks.append(callback)

    def request_refresh(self) -> None:
        """Request a new map of the slots; a refresh task fetches it soon."""
        if self._clustered:
            self._refresh_requested.set()
            if self._task is None:
                self._task = self.tasks.start(self._refresh(), "topology")

    def moved(self, by: Address, error: AskError) -> None:
        """Record the owner of a slot that a node has named, and refresh: more may have moved."""
        self.assign(range(error.slot_id, error.slot_id + 1), self.named(by, error))
        self.request_refresh()

    def named(self, by: Address, error: AskError) -> Address:
        """Return the address of the node that another node has named in a redirection."""
        return self._address_of(by, Node(error.host if error.host != "?" else "", error.port))

    async def close(self) -> None:
        """Stop refreshing the map."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _enter(self, seed: Address) -> None:
        """Check a seed, and take the map of the cluster from it."""
        await check_version(seed, clustered=self._clustered, probe=self._probe)
        if self._clustered:
            try:
                self._apply(*await fetch_slots(seed))
            except StoreAway as error:
                raise StoreUnusable(f"The Redis at {seed} does not return its slots.") from error

    async def _refresh(self) -> None:
        """Fetch the map of the slots from a few nodes, whenever that is requested."""
        while True:
            await self._refresh_requested.wait()
            self._refresh_requested.clear()
            try:
                await self._fetch()
            except Exception:
                log.exception("the map of the cluster was not fetched")
            await asyncio.sleep(REFRESH_PAUSE_S)

    async def _fetch(self) -> None:
        """Take the map from the first of a few nodes that returns one."""
        # A node that is cut off from the cluster may return an old map. The commands that are
        # then redirected request another refresh, from other nodes.
        candidates = [*self._nodes.union(self._seeds)]
        chosen = random.sample(candidates, min(NODES_PER_REFRESH, len(candidates)))
        fetches = [asyncio.create_task(fetch_slots(address)) for address in chosen]
        try:
            for fetched in asyncio.as_completed(fetches):
                with suppress(StoreAway):
                    self._apply(*await fetched)
                    break
        finally:
            for task in fetches:
                task.cancel()
            await asyncio.wait(fetches)

    def _apply(self, by: Address, found: list[Range]) -> None:
        """Assign the slots of a map that a node has reported."""
        self._nodes = {self._address_of(by, node) for one in found for node in one.nodes}
        moved = 0
        for first, last, (master, *_) in found:
            moved += self.assign(range(first, last + 1), self._address_of(by, master))
        if moved:
            log.info("the cluster is mapped", by=str(by), ranges=len(found), slots_moved=moved)

    def assign(self, slots: range, owner: Address) -> int:
        """Record the owner of these slots; return the number of those that had another one."""
        moved = [slot for slot in slots if self.owners[slot] is not owner]
        for slot in moved:
            self.owners[slot] = owner
        if moved:
            for callback in self._callbacks:
                callback(moved)
        return len(moved)

    def _address_of(self, by: Address, node: Node) -> Address:
        node = Node(node.host or by.host, node.port)
        return self._addresses.setdefault(node, by.at(*node))


async def fetch_slots(address: Address) -> tuple[Address, list[Range]]:
    """Return a node and the map of the cluster that it reports.

    Raises:
        StoreAway: the node does not answer, or reports no slots.
    """
    connection = await address.connect()
    try:
        async with asyncio.timeout(address.reply_s):
            await connection.send_command("CLUSTER", "SLOTS", check_health=False)
            found = list(ranges(await connection.read_response()))
    except Exception as error:
        raise StoreAway(f"The Redis at {address} does not return its slots: {error}") from error
    finally:
        await hang_up(connection)
    if not found:
        raise StoreAway(f"The Redis at {address} knows of no slots.")
    return address, found
