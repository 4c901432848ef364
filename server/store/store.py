"""The store as the rest of the server sees it, and how it comes and goes."""

import asyncio
import sys
from pathlib import Path
from secrets import token_hex
from typing import Literal, Protocol, Self

from server.store import keys
from server.store.clock import SYNC_S, Clock, Reading
from server.store.cluster_client import ClusterClient
from server.store.commits import Answer, Commits
from server.store.errors import StoreAway, StoreUnusable
from server.store.health import Health
from server.store.openings import Openings
from server.store.processes import Processes
from server.store.pubsub import PubSub
from server.store.quarantine import Quarantine
from server.store.records import Commit, HintCount
from server.store.redis_connection import Word, pack
from server.store.scripts import CLOCK, LOADS
from server.store.seat_store import SeatStore
from server.store.topology import Topology

# A script that may write, though it does not: a Redis that is full, or a replica, takes none.
READY = pack("EVAL", "#!lua\nreturn 1", 0)

CONFIRMED_MS = int(3_000 * SYNC_S)
"""A comparison by another process that is older than this says nothing of the clock of now."""


class OwnServer(Protocol):
    """A Redis of our own, which is started and stopped with the store."""

    @property
    def adopted(self) -> bool:
        """Whether it ran already."""

    async def keep(self) -> None:
        """Start it again whenever it ends, for ever."""

    async def stop(self) -> None:
        """Stop it."""


class Store(Quarantine, Openings, SeatStore, Processes):
    """Everything that outlives a process, in a Redis or a Redis Cluster.

    A Redis that is alone keeps what it has acknowledged. A master of a cluster tells its replica
    a moment later, so when it dies, the acts of that moment may be lost, always the latest of a
    room and never one from among them; the seats' players have them and offer them again.

    `url` is for the processes that share this store; `hints` tells of what they change; `clock` is
    the time that they share; `health` is how full it is, as long as it is watched. Made by `open`,
    and to be closed.
    """

    def __init__(self, topology: Topology, url: str, embedded: OwnServer | None) -> None:
        self.url = url
        self._embedded = embedded
        self._name = token_hex(8)
        self._topology = topology
        self._client = ClusterClient(topology, LOADS)
        self._fast_lines = ClusterClient(topology, LOADS)
        self.clock = Clock(self._ask_clock)
        self._commits = Commits(self._fast_lines, self.clock)
        self.pubsub = PubSub(topology, self._client)
        self.health = Health(topology, self._client)

    @classmethod
    async def open(
        cls,
        url: str | None,
        data_dir: Path,
        *,
        memory: int | None = None,
        fsync: Literal["always", "everysec"] = "everysec",
    ) -> Self:
        """Connect to the Redis at this URL, or to one of our own in `data_dir`.

        Our own uses `memory` bytes at most (None: a share of the machine's) and has acts on disk
        as `fsync` says. Only the process that opened it keeps it running, by `keep`, and stops
        it, in `close`; its workers open its `url`. Cancelling closes all again.

        Raises:
            StoreTooOld: it is older than 7.0.
            StoreUnusable: it cannot be reached or written, or is none, or `data_dir` is not ours.
        """
        embedded = None
        if url is None:
            if sys.platform == "win32":
                raise StoreUnusable("There is no embedded store for Windows; give --redis-url.")
            from server.store.embedded import Embedded  # noqa: PLC0415  # not on Windows

            embedded = await Embedded.start(data_dir, memory=memory, fsync=fsync)
            url = embedded.url
        store = None
        try:
            topology = await Topology.open(url)
            store = cls(topology, url, embedded)
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

    async def close(self) -> None:
        """Let what is queued be answered, hang up, and stop our own Redis.

        Cancelling leaves the rest of that undone.
        """
        await self._fast_lines.close()
        await self.pubsub.close()
        await self._client.close()
        await self._topology.close()
        if self._embedded is not None:
            await self._embedded.stop()

    async def keep(self) -> None:
        """Start our own Redis again whenever it ends, for ever; one that was given is its owner's.

        Raises:
            StoreUnusable: it ends again and again, or its files are gone.
        """
        if self._embedded is None:
            await asyncio.Event().wait()
        else:
            await self._embedded.keep()

    def has_space(self, code: str) -> bool:
        """Return whether there is space for a new room of this code; see `health`."""
        return self.health.has_space(keys.room(code))

    def commit(self, commit: Commit, answer: Answer) -> None:
        """Queue an act for the next group commit; see `Commits.commit`."""
        self._commits.commit(commit, answer)

    def count_hint(self, advice: HintCount, answer: Answer) -> None:
        """Queue advice to be counted before it is given; see `Commits.count_hint`."""
        self._commits.count_hint(advice, answer)

    async def _ask_clock(self, what: str, *words: Word) -> Reading:
        command = CLOCK.command(
            (keys.CLOCK,), what, self._name, CONFIRMED_MS, keys.TTL_SECONDS, *words
        )
        return Reading(*await self._client.ask(keys.CLOCK, command))

    async def ping(self) -> None:
        """Return if Redis answers and can be written; of a cluster, any master.

        Raises:
            StoreAway: it does not.
        """
        await self._client.ask_anyone(READY)

    async def probe(self) -> None:
        """Return if a message through Redis comes back to this process.

        Raises:
            StoreAway: it does not, within two seconds.
        """
        await self.pubsub.probe()
