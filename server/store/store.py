"""The store's public class: it opens, closes and combines the parts of this package."""

import asyncio
import sys
import time
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Literal, Protocol, Self

from server.store.clock import Clock, Reading
from server.store.cluster_client import ClusterClient
from server.store.commits import Commits
from server.store.damage import Damage
from server.store.errors import StoreAway, StoreDamaged, StoreRefused, StoreUnusable
from server.store.guesses import Guesses
from server.store.health import Health
from server.store.keys import TTL_SECONDS, UNPREFIXED, Keys
from server.store.processes import Processes
from server.store.pubsub import PubSub
from server.store.quarantine import Quarantine
from server.store.room_copies import RoomCopies
from server.store.scripts import CLOCK, LOADS
from server.store.seat_store import SeatStore
from server.store.timings import STORE_TIMINGS, StoreTimings
from server.store.topology import Topology
from server.store.words import Word, pack

if TYPE_CHECKING:
    from server.store.embedded import Embedded

# A script that is declared as writing, though it writes nothing: a replica or a full Redis
# refuses it.
READY = pack("EVAL", "#!lua\nreturn 1", 0)


class OwnServer(Protocol):
    """An embedded server, which is started and stopped with the store."""

    @property
    def adopted(self) -> bool:
        """Whether the server was running before this process started."""

    async def keep(self) -> None:
        """Start the server again whenever it ends, until cancelled."""

    async def stop(self) -> None:
        """Stop the server."""


class Store(Quarantine, RoomCopies, SeatStore, Processes, Guesses):
    """Everything that outlives a process, in a Redis or a Redis Cluster.

    A single Redis keeps every act that it has acknowledged. A master of a cluster replicates
    asynchronously: when it dies, the latest acts of a room may be lost, but never an act before
    one that is kept. The players' clients still have these acts and send them again.

    `url` is the address for the processes that share this store. `pubsub` receives notifications
    of their changes. `clock` is the time that they share. `health` is current while its `watch`
    runs. Create a store with `open`; the caller must close it.
    """

    def __init__(
        self,
        topology: Topology,
        url: str,
        embedded: OwnServer | None,
        timings: StoreTimings = STORE_TIMINGS,
        keys: Keys = UNPREFIXED,
    ) -> None:
        self.url = url
        self._keys = keys
        self._embedded = embedded
        self._name = token_hex(8)
        self._topology = topology
        self._damage = Damage(keys)
        self._client = ClusterClient(topology, LOADS, self._damage)
        self._commit_client = ClusterClient(topology, LOADS)
        # The age up to which another process's comparison confirms the current time, in ms.
        self._confirmed_ms = int(3_000 * timings.sync_s)
        self.clock = Clock(self._ask_clock, timings=timings)
        commits = Commits(self._commit_client, self.clock, keys)
        # Attributes, so that no act passes a method that only calls another one.
        self.commit = commits.commit
        """Queue an act for the next group commit; see `Commits.commit`."""
        self.count_hint = commits.count_hint
        """Queue a hint to be counted before the player gets it; see `Commits.count_hint`."""
        self.pubsub = PubSub(topology, self._client, timings, keys)
        self.health = Health(topology, self._client, timings.health_s, self._damage)

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
        """Connect to the Redis at `url`, or without one to an embedded server in `data_dir`.

        The embedded server uses at most `memory` bytes (None: a share of the machine's memory) and
        writes acts to disk as `fsync` says. Only the process that opened it keeps it running, by
        `keep`, and stops it, in `close`; worker processes open its `url`. All keys and channels
        begin with `prefix`. Cancelling closes everything again.

        Raises:
            StoreTooOld: the Redis is older than 7.0.
            StoreUnusable: the Redis cannot be reached or written, the peer is no Redis, or the
                process may not use `data_dir`.
        """
        embedded = None
        keys = Keys(prefix)
        if url is None:
            Embedded = _embedded_store()  # noqa: N806  # a class
            embedded = await Embedded.start(data_dir, memory=memory, fsync=fsync, timings=timings)
            url = embedded.url
        store = None
        try:
            topology = await Topology.open(url, timings.reply_s, keys.probe)
            store = cls(topology, url, embedded, timings, keys)
            try:
                await store.pubsub.opened()
                await store.probe()
                await store.clock.start(alone=embedded is not None and not embedded.adopted)
            except StoreAway as error:
                raise StoreUnusable(f"The Redis at {topology} is of no use: {error}") from error
        except BaseException:
            if store is not None:
                await store.close()
            elif embedded is not None:
                await embedded.stop()
            raise
        return store

    @classmethod
    async def attach(
        cls,
        url: str | None,
        data_dir: Path,
        *,
        memory: int | None = None,
        fsync: Literal["always", "everysec"] = "everysec",
        timings: StoreTimings = STORE_TIMINGS,
        prefix: str = "",
        create: bool = True,
    ) -> Self:
        """Open a store like `open`, beside the servers that use it.

        An embedded server in `data_dir` that another process owns is used as it is. One that does
        not run is started, and stopped in `close`.

        Raises:
            StoreTooOld, StoreUnusable: as for `open`; or there is no store in `data_dir` and none
                is to be created.
        """
        if url is None:
            running = await _embedded_store().find(data_dir, timings, create=create)
            url = running or url
        return await cls.open(
            url, data_dir, memory=memory, fsync=fsync, timings=timings, prefix=prefix
        )

    async def close(self) -> None:
        """Wait for the replies to queued commands, disconnect, and stop the embedded server.

        Cancelling skips the remaining steps.
        """
        await self._commit_client.close()
        await self.pubsub.close()
        await self._client.close()
        await self._topology.close()
        if self._embedded is not None:
            await self._embedded.stop()

    async def keep(self) -> None:
        """Start the embedded server again whenever it ends; with a given `url`, do nothing.

        Does not return until cancelled.

        Raises:
            StoreUnusable: the server ends again and again, or its files are gone.
        """
        if self._embedded is None:
            await asyncio.Event().wait()
        else:
            await self._embedded.keep()

    def has_space(self, code: str) -> bool:
        """Return whether the store has space for a new room with this code; see `health`."""
        return self.health.has_space(self._keys.room(code))

    async def _ask_clock(self, action: str, *words: Word) -> Reading:
        command = CLOCK.command(
            (self._keys.clock,), action, self._name, self._confirmed_ms, TTL_SECONDS, *words
        )
        try:
            return Reading(*await self._client.ask(self._keys.clock, command))
        except (StoreDamaged, StoreRefused):
            # The processes keep the time that they have, and a new one takes the store's own.
            seconds, us = await self._client.call(self._keys.clock, "TIME")
            return Reading(int(seconds) * 1_000 + int(us) // 1_000, 0, 0, 0)

    def interrupted_at(self) -> int:
        """Return when this process last lost a connection, or began (ms since the epoch).

        Only then can acts that this process has acknowledged since have been lost.
        """
        return self.clock.now() - round(1_000 * (time.monotonic() - self.pubsub.interrupted_at))

    async def ping(self) -> None:
        """Return if Redis, or any master of a cluster, answers and can be written.

        Raises:
            StoreAway: Redis does not answer or refuses to write.
        """
        await self._client.ask_any_master(READY)

    async def ready(self) -> None:
        """Return if the store can be used for everything: see `ping`, and the keys of no room.

        Raises:
            StoreAway: Redis does not answer or refuses to write, or a key cannot be used.
        """
        await self.ping()
        await self.health.check_keys()
        error = self._damage.error()
        if error is not None:
            raise error

    async def probe(self) -> None:
        """Return if a message published through Redis comes back to this process.

        Raises:
            StoreAway: the message does not arrive within two seconds.
        """
        await self.pubsub.probe()


def _embedded_store() -> "type[Embedded]":
    """Return the class of the embedded server, which is not there on Windows.

    Raises:
        StoreUnusable: there is none for this system.
    """
    if sys.platform == "win32":
        raise StoreUnusable("There is no embedded store for Windows; give --redis-url.")
    from server.store.embedded import Embedded  # noqa: PLC0415  # not on Windows

    return Embedded
