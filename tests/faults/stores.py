"""The stores that suffer faults: a single Redis, and a cluster whose masters have replicas."""

import asyncio
import resource
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from server.store import keys
from server.store.cluster import SLOTS, slot_of
from tests.clocks import SteppingServer, can_step
from tests.faults.schedule import OF_CLOCKS, OF_CLUSTER, OF_REDIS, Fault, FaultKind
from tests.servers import MASTERS, Cluster, ClusterNode, RedisServer, start_embedded

AHEAD_S = 0.3  # a master runs alone for this long before it dies; the cluster does not notice yet
MOMENT_S = 0.1  # on a busy machine a replica receives an act within this time
ON_ITS_WAY_S = 1.0  # a player receives the reply within this time after the act is stored
POLL_S = 0.05


class Alone:
    """A store in one process, which syncs every acknowledged write to disk."""

    def __init__(self, data_dir: Path) -> None:
        start = SteppingServer if can_step() else start_embedded
        self._server: RedisServer = start(data_dir, fsync="always")
        self.kinds = tuple(OF_CLOCKS if can_step() else OF_REDIS)
        self.url = self._server.url
        self._busy = asyncio.Lock()

    async def suffer(self, fault: Fault) -> None:
        server, lasts = self._server, partial(asyncio.sleep, fault.seconds)
        async with self._busy:
            match fault.kind:
                case FaultKind.KILL_REDIS:
                    async with self.away():
                        await lasts()
                case FaultKind.STALL_REDIS:
                    server.pause()
                    try:
                        await lasts()
                    finally:
                        server.resume()
                case FaultKind.FILL_REDIS:
                    await self.ask("any", "CONFIG", "SET", "maxmemory", 1)
                    await lasts()
                    await self.ask("any", "CONFIG", "SET", "maxmemory", 0)
                case FaultKind.REFUSE_WRITES:
                    with server.refusing_writes():
                        await lasts()
                case FaultKind.STEP_CLOCK:
                    assert isinstance(server, SteppingServer), "else there is no such fault"
                    server.step(fault.victims[0] * 1_000)
                    await lasts()
                case _:
                    self._fill_disk()
                    await lasts()
                    async with self.away():
                        pass

    @asynccontextmanager
    async def away(self) -> AsyncIterator[None]:
        """Kill the server, and start it again when the block ends."""
        self._server.kill()
        try:
            yield
        finally:
            await asyncio.to_thread(self._server.start)

    async def ask(self, room: str, *words: str | int) -> Any:  # noqa: ARG002  # one server has all rooms
        """Return the reply to a command from the node that owns a room, as text."""
        return await asyncio.to_thread(self._server.ask, *words)

    def may_forget(self, room: str, when: float | None) -> bool:  # noqa: ARG002  # it never may
        """Return whether acts acknowledged at `when` (monotonic; None: ever) may be lost."""
        return False

    async def settle(self) -> None:
        """Notice failovers after the last fault."""

    async def stop(self) -> None:
        self._server.stop()

    def _fill_disk(self) -> None:
        """Let no file of the server grow, until it is killed; on systems with such a limit."""
        if hasattr(resource, "prlimit"):
            parts = (self._server.data_dir / "appendonlydir").iterdir()
            most = max(part.stat().st_size for part in parts) + 1
            pid = self._server.process.pid
            _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (most, hard))


class Masters:
    """A cluster where one master at a time fails, and its replica takes over.

    A replica receives an act a moment after it was acknowledged, so a failover may lose the latest
    acts. Two nodes of one shard are never away together, which would amount to a lost disk.
    """

    kinds = tuple(OF_CLUSTER)

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self.url = cluster.url
        self._busy = asyncio.Lock()
        for node in cluster.nodes:
            # While one master is missing, the rooms of the other masters continue.
            node.ask("CONFIG", "SET", "cluster-require-full-coverage", "no")
        self._failovers: list[tuple[int, float, float]] = []  # third of the slots, from, until
        self._owners, self._checked_at = self._masters(), time.monotonic()

    async def suffer(self, fault: Fault) -> None:
        async with self._busy:
            await self._notice_failovers()  # a slow master may have caused one too
            slot = fault.victims[0] * SLOTS // MASTERS
            master = self._cluster.owner(slot)
            if fault.kind is FaultKind.STALL_MASTER:
                master.pause()
                try:
                    await asyncio.sleep(fault.seconds)
                finally:
                    master.resume()
            elif fault.kind is FaultKind.REFUSE_WRITES:
                with master.refusing_writes():
                    await asyncio.sleep(fault.seconds)
            elif fault.kind is FaultKind.HAND_OVER:
                self._cluster.replica(master).ask("CLUSTER", "FAILOVER")
                await self._wait_for_new_owner(slot, master)
                self._owners = self._masters()  # it loses nothing
            else:
                if fault.kind is FaultKind.KILL_AHEAD:
                    await self._run_ahead(master)
                else:
                    master.kill()
                await self._wait_for_new_owner(slot, master)
                self._note_failovers()
                await asyncio.sleep(fault.seconds)
                await asyncio.to_thread(master.start)
            await self._notice_failovers()

    async def settle(self) -> None:
        await self._notice_failovers()

    def may_forget(self, room: str, when: float | None) -> bool:
        at = slot_of(keys.UNPREFIXED.room(room)) * MASTERS // SLOTS
        times = [(since, until) for third, since, until in self._failovers if third == at]
        return any(when is None or since <= when <= until for since, until in times)

    async def _notice_failovers(self) -> None:
        await asyncio.to_thread(self._cluster.whole)
        self._note_failovers()

    def _note_failovers(self) -> None:
        """Note the masters that were replaced since the last look."""
        owners, now = self._masters(), time.monotonic()
        for third, (was, found) in enumerate(zip(self._owners, owners, strict=True)):
            if was is not found:
                window = (self._checked_at - MOMENT_S, now + ON_ITS_WAY_S)
                self._failovers.append((third, *window))
        self._owners, self._checked_at = owners, now

    def _masters(self) -> list[ClusterNode]:
        return [self._cluster.owner(third * SLOTS // MASTERS) for third in range(MASTERS)]

    async def ask(self, room: str, *words: str | int) -> Any:
        node = self._cluster.owner(slot_of(keys.UNPREFIXED.room(room)))
        return await asyncio.to_thread(node.ask, *words)

    async def _run_ahead(self, master: ClusterNode) -> None:
        """Kill a master after it has acknowledged acts that its replica has not received."""
        replica = self._cluster.replica(master)
        replica.pause()
        try:
            # The replica would otherwise still read data that are in its socket.
            master.ask("CLIENT", "KILL", "TYPE", "replica")
            await asyncio.sleep(AHEAD_S)
            master.kill()
        finally:
            replica.resume()

    async def _wait_for_new_owner(self, slot: int, master: ClusterNode) -> None:
        while await asyncio.to_thread(self._cluster.owner, slot) is master:
            await asyncio.sleep(POLL_S)

    async def stop(self) -> None:
        await asyncio.to_thread(self._cluster.stop)


Store = Alone | Masters
"""A store that can suffer faults, and knows when it may have forgotten acts."""
