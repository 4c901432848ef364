"""The store's public class, which opens, closes and combines the parts of this package."""

import asyncio
import sys
import time
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Literal, Self

from server.config import StoreOptions
from server.store.acts import Commits, RedisCommits
from server.store.address import STORE_TIMINGS, StoreTimings
from server.store.analysis import DealLabels, Guards, Reviews
from server.store.clock import Clock, Reading
from server.store.cluster import ClusterClient, Topology
from server.store.connection import Command, Word, pack
from server.store.counts import (
    BOT_COUNTED_S,
    KEPT_COUNTED_S,
    Bans,
    CountedNames,
    OpenRooms,
    SharedGuesses,
)
from server.store.days import Days
from server.store.errors import StoreAway, StoreDamaged, StoreNotReady, StoreRefused, StoreUnusable
from server.store.health import Health
from server.store.keys import TTL_SECONDS, DamagedKeys, Keys
from server.store.processes import Processes
from server.store.rooms import RoomLists, Rooms
from server.store.scripts import COMPARE_CLOCKS, LOADS
from server.store.seats import Logs, Seats
from server.store.subscription import PubSub

if TYPE_CHECKING:
    from server.store.embedded import Embedded

# This script claims to write, so a replica or a full Redis refuses it. It writes nothing.
READY = pack("EVAL", "#!lua\nreturn 1", 0)


class Store:
    """Everything that outlives a process, in a Redis or a Redis Cluster.

    A single Redis keeps every act that it has acknowledged. A master of a cluster replicates
    asynchronously: when it dies, a room may lose its latest acts, but never has a gap before
    later ones. The players' clients still have the lost acts and send them again.

    Its parts are attributes. Their coroutines raise StoreAway when the store does not answer; a
    write may then have been executed. Create a store with `open`, and close it.
    """

    def __init__(
        self,
        topology: Topology,
        url: str,
        embedded: "Embedded | None",
        timings: StoreTimings,
        keys: Keys,
    ) -> None:
        self.url = url  # where other processes can open this store
        self.keys = keys
        self.embedded = embedded  # None for a Redis of the operator's own
        self.topology = topology
        self._damage = DamagedKeys(keys)
        # Each connection first sends `LOADS`, the commands that load the scripts.
        self.client = client = ClusterClient(topology, LOADS, self._damage)
        # Acts and hints must not wait behind other commands.
        self._commit_client = ClusterClient(topology, LOADS)
        self._name = token_hex(8)  # of this process, when clocks are compared
        self._confirmed_ms = int(3_000 * timings.sync_s)  # how long a confirmed time stays valid
        self.clock = clock = Clock(self._ask_clock, timings=timings)
        self.pubsub = PubSub(topology, client, timings, keys)
        self.health = Health(client, timings.health_s, self._damage)
        self.commits: Commits = RedisCommits(self._commit_client, keys)
        self.seats = Seats(client, keys, clock)
        self.logs = Logs(client, keys)
        self.lists = lists = RoomLists(client, keys, clock)
        self.rooms = Rooms(client, keys, lists, self.seats)
        self.open_rooms = OpenRooms(client, clock, keys.opened, TTL_SECONDS, keys, self.health)
        self.kept = OpenRooms(client, clock, keys.kept, KEPT_COUNTED_S, keys, self.health)
        self.bots = CountedNames(client, clock, keys.bots, BOT_COUNTED_S)
        self.reviews = Reviews(client, keys)
        self.days = Days(client, keys)
        self.deal_labels = DealLabels(client, keys)
        self.guards = Guards(client, keys)
        self.processes = Processes(client, keys)
        self.guesses = SharedGuesses(client, keys, clock)
        self.bans = Bans(client, keys, clock)

    @classmethod
    async def open(
        cls,
        url: str | None,
        data_dir: Path,
        *,
        memory: int | None = None,
        fsync: Literal["always", "everysec"] = "everysec",
        timings: StoreTimings = STORE_TIMINGS,
        prefix: str = "",
    ) -> Self:
        """Connect to the Redis at `url`, or start an embedded server in `data_dir`.

        The embedded server uses at most `memory` bytes (None: a share of the machine's memory).
        This process must call `keep` to keep it running, and `close` to stop it; worker processes
        open its `url`. All names of keys start with `prefix`. Cancelling closes everything again.

        Raises:
            StoreTooOld: the Redis is older than 7.0.
            StoreNotReady: the Redis cannot be reached, or is starting.
            StoreUnusable: the Redis refuses writes or is no Redis, or `data_dir` cannot be used.
        """
        keys = Keys(prefix)
        async with AsyncExitStack() as opened:
            embedded = None
            if url is None:
                start = _embedded_store().start
                embedded = await start(data_dir, memory=memory, fsync=fsync, timings=timings)
                opened.push_async_callback(embedded.stop)
                url = embedded.url
            topology = await Topology.open(url, timings.reply_s, keys.probe)
            store = cls(topology, url, embedded, timings, keys)
            opened.pop_all()  # `close` stops the embedded server too
            opened.push_async_callback(store.close)
            try:
                await store.pubsub.wait_until_open()
                await store.pubsub.probe()
                is_alone = embedded is not None and embedded.process is not None  # just started
                await store.clock.start(alone=is_alone)
            except StoreAway as error:
                # A refusal would explain more than a timeout. If Redis refuses this command,
                # `_damage` records why.
                with suppress(StoreAway):
                    await store.client.call("SPUBLISH", keys.probe, "")
                refusal = store._damage.error() or error
                kind = StoreUnusable if isinstance(refusal, StoreRefused) else StoreNotReady
                raise kind(f"The Redis at {topology} is of no use: {refusal}") from error
            opened.pop_all()  # from now on, the caller closes the store
        return store

    @classmethod
    async def attach(cls, options: StoreOptions) -> Self:
        """Open the store beside the server, which may be running.

        If no process runs the embedded store, start it, and stop it in `close`. Raise as `open`
        does, and StoreUnusable if the directory has no store.
        """
        url, data_dir = options.redis_url, options.data_dir
        url = url or await _embedded_store().find(data_dir, must_exist=True)
        memory, fsync, prefix = options.store_memory, options.store_fsync, options.redis_prefix
        return await cls.open(url, data_dir, memory=memory, fsync=fsync, prefix=prefix)

    async def close(self) -> None:
        """Disconnect after the last reply; stop the embedded server, unless this is cancelled."""
        for part in (self.topology, self._commit_client, self.pubsub, self.client):
            await part.close()
        if self.embedded is not None:
            await self.embedded.stop()

    async def keep(self) -> None:
        """Keep the embedded server running, if there is one; see `Embedded.keep`. Never return."""
        if self.embedded is not None:
            await self.embedded.keep()
        await asyncio.Event().wait()

    async def _ask_clock(self, action: str, *words: Word) -> Reading:
        """Run compare_clocks.lua with an action and its arguments.

        If the store refuses the script, only read its time.
        """
        key, common = self.keys.clock, (self._name, self._confirmed_ms, TTL_SECONDS)
        command = COMPARE_CLOCKS.command((key,), action, *common, *words)
        try:
            return Reading(*await self.client.ask(command))
        except (StoreDamaged, StoreRefused):
            # This time is unconfirmed: a running process ignores its steps, a new one accepts it.
            seconds, us = await self.client.ask(Command(key, pack("TIME")))
            now_ms = int(seconds) * 1_000 + int(us) // 1_000
            return Reading(now_ms, shift_ms=0, is_confirmed=0, is_undone=0)

    def interrupted_at_ms(self) -> int:
        """Return when this process last lost a connection or started (ms since the epoch).

        The store still has all acts that it has acknowledged to this process since then.
        """
        ago_s = time.monotonic() - self.pubsub.interrupted_at_s
        return self.clock.now_ms() - round(1_000 * ago_s)

    async def ping(self) -> None:
        """Raise StoreAway unless Redis, or any master of a cluster, answers and takes writes."""
        await self.client.ask_any_master(READY)

    async def ready(self) -> None:
        """Raise StoreAway unless Redis, the keys that belong to no room and pub/sub all work."""
        await self.ping()
        await self.health.refresh_keys()
        if (error := self._damage.error()) is not None:
            raise error
        await self.pubsub.probe()


def _embedded_store() -> "type[Embedded]":
    """Return the class of the embedded server; raise StoreUnusable on Windows, which has none."""
    if sys.platform == "win32":
        raise StoreUnusable("There is no embedded store for Windows; give --redis-url.")
    from server.store.embedded import Embedded  # noqa: PLC0415  # not on Windows

    return Embedded
