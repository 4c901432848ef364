"""Which node owns which slot: the map by which commands and subscriptions find their way.

A single Redis is a cluster of one node that owns all slots, and is never asked. The map of a
real one may be out of date at any time; nodes that say so, or say nothing, have it drawn again.
"""

import asyncio
import random
from asyncio import Task
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Self

import structlog
from redis.exceptions import AskError

from server.store.address import BROKEN, PATIENCE, Address, hang_up, nodes
from server.store.errors import StoreAway, StoreUnusable
from server.store.slots import SLOTS, Node, Range, ranges
from server.store.version_check import check_version

Watch = Callable[[Collection[int]], None]

log = structlog.get_logger(__name__)

# So many nodes are asked at once, and the first answer counts.
ASKED = 3
# Between two surveys.
PAUSE = 0.1


class Topology:
    """The map of a cluster: `owners` has the address of the master of each slot."""

    def __init__(self, seeds: list[Address], *, clustered: bool) -> None:
        self.owners: list[Address] = seeds[:1] * SLOTS
        self._seeds = seeds
        self._clustered = clustered
        self._addresses: dict[Node, Address] = {}
        self._nodes: set[Address] = set()  # of the latest survey, replicas too
        self._watchers: list[Watch] = []
        self._doubted = asyncio.Event()
        self._task: Task[None] | None = None

    def __str__(self) -> str:
        return ", ".join(map(str, self._seeds))

    @classmethod
    async def open(cls, url: str) -> Self:
        """Greet a Redis, or the first node of a cluster that answers, and draw the map.

        Raises:
            StoreTooOld: it is older than 7.0.
            StoreUnusable: no node that the URL names can be reached or written, or is one.
        """
        seeds, clustered = nodes(url)
        topology = cls(seeds, clustered=clustered)
        failures: list[StoreUnusable] = []
        for seed in seeds:
            try:
                await topology._enter(seed)
            except StoreUnusable as error:
                failures.append(error)
            else:
                return topology
        raise failures[0]

    def watch(self, watcher: Watch) -> None:
        """Let `watcher` hear, at once, which slots have got another owner."""
        self._watchers.append(watcher)

    def request_refresh(self) -> None:
        """Have the map drawn again soon."""
        if self._clustered:
            self._doubted.set()
            if self._task is None:
                self._task = asyncio.get_running_loop().create_task(self._keep(), name="topology")

    def moved(self, by: Address, error: AskError) -> None:
        """Believe a node that says who owns a slot; where one has moved, more may have."""
        self._assign(range(error.slot_id, error.slot_id + 1), self.named(by, error))
        self.request_refresh()

    def named(self, by: Address, error: AskError) -> Address:
        """Return the address of the node that another one names."""
        return self._at(by, Node(error.host if error.host != "?" else "", error.port))

    async def close(self) -> None:
        """Draw no more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _enter(self, seed: Address) -> None:
        await check_version(seed, clustered=self._clustered)
        if self._clustered:
            try:
                self._draw(*await _fetch_slots(seed))
            except StoreAway as error:
                raise StoreUnusable(f"The Redis at {seed} does not tell its slots.") from error

    async def _keep(self) -> None:
        while True:
            await self._doubted.wait()
            self._doubted.clear()
            # The survey of one that has lost touch may be wrong; then the next asks others.
            candidates = [*self._nodes.union(self._seeds)]
            asked = random.sample(candidates, min(ASKED, len(candidates)))
            surveys = [asyncio.create_task(_fetch_slots(address)) for address in asked]
            try:
                for fetch_slots in asyncio.as_completed(surveys):
                    with suppress(StoreAway):
                        self._draw(*await fetch_slots)
                        break
            finally:
                for task in surveys:
                    task.cancel()
                await asyncio.wait(surveys)
            await asyncio.sleep(PAUSE)

    def _draw(self, by: Address, found: list[Range]) -> None:
        self._nodes = {self._at(by, node) for one in found for node in one.nodes}
        moved = 0
        for first, last, (master, *_) in found:
            moved += self._assign(range(first, last + 1), self._at(by, master))
        if moved:
            log.info("the cluster is mapped", by=str(by), ranges=len(found), slots_moved=moved)

    def _assign(self, slots: range, owner: Address) -> int:
        moved = [slot for slot in slots if self.owners[slot] is not owner]
        for slot in moved:
            self.owners[slot] = owner
        if moved:
            for watcher in self._watchers:
                watcher(moved)
        return len(moved)

    def _at(self, by: Address, node: Node) -> Address:
        node = Node(node.host or by.host, node.port)
        return self._addresses.setdefault(node, by.at(*node))


async def _fetch_slots(address: Address) -> tuple[Address, list[Range]]:
    """Return what a node knows of its cluster, and the node.

    Raises:
        StoreAway: it does not answer, or knows nothing.
    """
    connection = await address.connect()
    try:
        async with asyncio.timeout(PATIENCE):
            await connection.send_command("CLUSTER", "SLOTS", check_health=False)
            found = list(ranges(await connection.read_response()))
    except BROKEN as error:
        raise StoreAway(f"The Redis at {address} does not tell its slots: {error}") from error
    finally:
        await hang_up(connection)
    if not found:
        raise StoreAway(f"The Redis at {address} knows of no slots.")
    return address, found
