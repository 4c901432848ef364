"""The masters of a cluster: the slots of each, as far as is known, and the pipelines to them.

A single Redis is treated as a cluster of one node that owns all slots; its map is never refreshed.
The map of a real cluster may be out of date at any time. Redirections and nodes that do not answer
cause a refresh.

Law: a slot goes from one pipeline to another only while the first is idle, and together with all
its queued commands.
"""

import asyncio
import random
from asyncio import Task
from collections.abc import Awaitable, Callable, Collection, Sequence
from functools import lru_cache, partial
from itertools import groupby
from typing import Any, Self

import structlog
from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot
from redis.exceptions import AskError, ClusterDownError, MovedError, ReadOnlyError

from server.store.address import Address, addresses, check_version
from server.store.connection import OnReply, Reply, Word, pack
from server.store.damaged_keys import DamagedKeys
from server.store.errors import StoreAway, StoreNotReady, StoreUnusable
from server.store.keys import UNPREFIXED
from server.store.pipeline import (
    FIRST_BACKOFF_S,
    NO_SLOT,
    REDIRECTIONS,
    Entry,
    Pipeline,
    ignore,
    resolve,
)
from server.store.timings import REPLY_TIMEOUT_S

OnMoved = Callable[[Collection[int]], None]

log = structlog.get_logger(__name__)

SLOTS = REDIS_CLUSTER_HASH_SLOTS
REFRESH_PAUSE_S = 0.1  # seconds between two refreshes
REDIRECTION_SECONDS = 1.0
"""Time for which a command is sent again that the cluster has certainly not executed."""
# Replies of a node that may no longer be a master.
FAILOVER_SIGNS = (StoreAway, ClusterDownError, ReadOnlyError)
ASKING = pack("ASKING")


Slots = list[tuple[range, list[Address]]]
"""Ranges of slots, and the nodes of each, its master first."""


@lru_cache(maxsize=16_384)
def slot_of(key: str) -> int:
    """Return the slot of a key, or of a sharded channel."""
    return int(key_slot(key.encode()))


def parsed_slots(by: Address, reply: Sequence[Any]) -> Slots:
    """Return what a node has replied to `CLUSTER SLOTS`."""
    found = []
    for first, last, *nodes in reply:
        named = [by.at(host.decode() if host else None, port) for host, port, *_ in nodes]
        found.append((range(first, last + 1), named))
    return found


class Topology:
    """The map of a cluster: `owners` has the address of the master of each slot."""

    def __init__(
        self, seeds: list[Address], *, clustered: bool, probe: str = UNPREFIXED.probe
    ) -> None:
        self.owners: list[Address] = seeds[:1] * SLOTS
        self._seeds = seeds
        self._clustered = clustered
        self._probe = probe
        self._nodes: dict[str, Address] = {}  # all that were ever named, one for each text
        self._present: set[Address] = set()  # of the latest refresh, including replicas
        self._callbacks: list[OnMoved] = []
        self._refresh_requested = False
        self._task: Task[None] | None = None

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
        seeds, clustered = addresses(url, reply_s)
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
            self._refresh_requested = True
            if self._task is None or self._task.done():
                self._task = asyncio.create_task(self._refresh(), name="topology")

    def moved(self, by: Address, error: AskError) -> None:
        """Record the owner of a slot that a node has named, and refresh: more may have moved."""
        self.assign(range(error.slot_id, error.slot_id + 1), self.named(by, error))
        self.request_refresh()

    def named(self, by: Address, error: AskError) -> Address:
        """Return the address of the node that another node has named in a redirection."""
        return self._known(by.at(error.host, error.port))

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
        """Fetch the map of the slots from any node that answers, as long as that is requested.

        A node that is cut off may return an old map. The commands that are then redirected request
        another refresh.
        """
        while self._refresh_requested:
            self._refresh_requested = False
            try:
                node = random.choice([*self._present.union(self._seeds)])  # noqa: S311  # no secret
                self._apply(*await fetch_slots(node))
            except StoreAway:
                self._refresh_requested = True  # from another one, perhaps
            except Exception:
                log.exception("the map of the cluster was not read")
            await asyncio.sleep(REFRESH_PAUSE_S)

    def _apply(self, by: Address, found: Slots) -> None:
        """Assign the slots of a map that a node has reported."""
        self._present = {self._known(node) for _, nodes in found for node in nodes}
        moved = sum(self.assign(slots, self._known(master)) for slots, (master, *_) in found)
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

    def _known(self, node: Address) -> Address:
        """Return the one address of a node: those of slots are compared by identity."""
        return self._nodes.setdefault(str(node), node)


async def fetch_slots(address: Address) -> tuple[Address, Slots]:
    """Return a node and the map of the cluster that it reports.

    Raises:
        StoreAway: the node does not answer, or reports no slots.
    """
    try:
        found = parsed_slots(address, await address.ask("CLUSTER", "SLOTS"))
    except Exception as error:
        raise StoreAway(f"The Redis at {address} does not return its slots: {error}") from error
    if not found:
        raise StoreAway(f"The Redis at {address} knows of no slots.")
    return address, found


class ClusterClient:
    """One pipeline to each master of a topology; `preamble` is sent on each connection.

    Where a method takes a `key`, it may be any key of the room; the command must use only keys in
    the slot of this key. Errors of keys that belong to no room are recorded in `damage`.
    """

    def __init__(
        self, topology: Topology, preamble: Sequence[bytes], damage: DamagedKeys | None = None
    ) -> None:
        self._topology = topology
        self._damage = damage or DamagedKeys(UNPREFIXED)
        self._preamble = preamble
        self._by_master: dict[Address, Pipeline] = {}
        # By slot. The list is never replaced, so that the hot path may keep a reference to it.
        pipelines = {owner: self._pipeline_to(owner) for owner in dict.fromkeys(topology.owners)}
        self.pipelines = [pipelines[owner] for owner in topology.owners]
        topology.on_moved(self._moved)

    def ask(self, key: str, command: bytes) -> Awaitable[Reply]:
        """Return the reply to a packed command; see `Pipeline.ask`."""
        answered: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self.send(key, command, partial(resolve, answered))
        return answered

    async def call(self, key: str, *words: Word) -> Reply:
        """Pack a command, send it, and return the reply; see `ask`."""
        return await self.ask(key, pack(*words))

    async def ask_all(self, *commands: tuple[str, bytes]) -> list[Reply]:
        """Return the replies to commands, each given with a key.

        Commands to the same node are sent together.

        Raises:
            StoreAway: Redis did not answer one of the commands.
        """
        return await asyncio.gather(*(self.ask(*each) for each in commands))

    async def ask_in_order(self, *commands: tuple[str, bytes]) -> list[Reply]:
        """Return the replies to commands, each given with a key and executed after the one before.

        Raises:
            StoreAway: Redis did not answer one of the commands; later ones may not have been sent.
        """
        # One of two slots may move at any time, even if both are on the same node now.
        alone = len(self._by_master) == 1
        replies: list[Reply] = []
        for _, together in groupby(commands, lambda each: alone or slot_of(each[0])):
            replies += await self.ask_all(*together)
        return replies

    async def ask_any_master(self, command: bytes) -> Reply:
        """Return the reply of any master.

        Raises:
            StoreAway: no master answers.
        """
        failure = StoreAway("There is no Redis.")
        for pipeline in list(self._by_master.values()):
            try:
                return await pipeline.ask(command)
            except StoreAway as error:
                failure = error
        raise failure

    def send(self, key: str, command: bytes, on_reply: OnReply) -> None:
        """Queue a packed command with this key; see `Pipeline.send`.

        A refusal reaches `on_reply` as StoreRefused.
        """
        slot = slot_of(key)
        self.pipelines[slot].send(command, self._damage.judged(key, on_reply), slot)

    async def close(self) -> None:
        """Wait until queued commands are answered, then disconnect; cancelling does so at once."""
        await asyncio.gather(*(pipeline.close() for pipeline in self._by_master.values()))

    def redirect(self, by: Pipeline, batch: list[Entry], replies: list[Reply]) -> Collection[int]:
        """Send commands again that a node has redirected; see `pipeline.Redirect`.

        An ASK redirection goes to the node that it names. Behind a command of its slot that the
        same node gets again it stays: it would overtake that command. Slots that have moved, and
        signs of a failover, are passed on to the topology.
        """
        now = asyncio.get_running_loop().time()
        asked: set[int] = set()
        held_up = {NO_SLOT}
        for place, (command, on_reply, slot, before) in enumerate(batch):
            reply, until = replies[place], before or now + REDIRECTION_SECONDS
            if slot in held_up or not isinstance(reply, REDIRECTIONS):
                continue
            if type(reply) is AskError and now < until:
                node = self._pipeline_to(self._topology.named(by.address, reply))
                node.send(ASKING, ignore)
                node.enqueue((command, on_reply, slot, until))
                asked.add(place)
                replies[place] = None
            else:
                held_up.add(slot)
        again = to_resend(batch, replies)
        # There is no pause if all of them were redirected for the first time.
        pauses = any(batch[at][3] or not isinstance(replies[at], MovedError) for at in again)
        by.enqueue_first(list(again.values()), FIRST_BACKOFF_S if pauses else 0.0)
        moved = {reply.slot_id: reply for reply in replies if isinstance(reply, MovedError)}
        for reply in moved.values():
            self._topology.moved(by.address, reply)
        if any(isinstance(reply, FAILOVER_SIGNS) for reply in replies):
            self._topology.request_refresh()
        # A node may have got them by ASK, and not own their slots.
        slots = {slot for *_, slot, _ in again.values() if self.pipelines[slot] is not by}
        for entry in by.extract(slots):
            self.pipelines[entry[2]].enqueue(entry)
        return asked.union(again)

    def _pipeline_to(self, address: Address) -> Pipeline:
        if address not in self._by_master:
            self._by_master[address] = Pipeline(address, self._preamble, self.redirect)
        return self._by_master[address]

    def _moved(self, slots: Collection[int]) -> None:
        """Hand slots with new owners over, once the pipelines that had them are idle."""
        losing: dict[Pipeline, set[int]] = {}
        for slot in slots:
            losing.setdefault(self.pipelines[slot], set()).add(slot)
        for pipeline, lost in losing.items():
            pipeline.when_idle(partial(self._hand_over, pipeline, lost))

    def _hand_over(self, pipeline: Pipeline, slots: Collection[int]) -> None:
        """Give slots and their queued commands to the pipelines of their owners."""
        for slot in slots:
            # A slot that another pipeline has got meanwhile is handed over by that pipeline.
            if self.pipelines[slot] is pipeline:
                self.pipelines[slot] = self._pipeline_to(self._topology.owners[slot])
        for entry in pipeline.extract(slots):
            self.pipelines[entry[2]].enqueue(entry)
        if pipeline not in self.pipelines and self._by_master.get(pipeline.address) is pipeline:
            del self._by_master[pipeline.address]
            pipeline.close()


def to_resend(batch: list[Entry], replies: list[Reply]) -> dict[int, Entry]:
    """Return by place, in order, the commands that were certainly not executed and go again."""
    now = asyncio.get_running_loop().time()
    again: dict[int, Entry] = {}
    settled = {NO_SLOT}
    for i, (command, on_reply, slot, until) in reversed(list(enumerate(batch))):
        # A command before a settled one would be answered after it, so it is not sent again.
        if (
            slot not in settled
            and isinstance(replies[i], REDIRECTIONS)
            and now < (until or now + 1)
        ):
            again[i] = (command, on_reply, slot, until or now + REDIRECTION_SECONDS)
        else:
            settled.add(slot)
    return dict(reversed(again.items()))
