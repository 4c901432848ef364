"""The stores that suffer faults: a single Redis, and a cluster whose masters have replicas."""

import asyncio
import os
import resource
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Self
from unittest.mock import patch

from redis.asyncio import Redis
from redis.exceptions import RedisError

from server.store import embedded, keys
from server.store.embedded import Embedded
from server.store.slots import SLOTS, slot_of
from tests.clocks import Stepper, can_step
from tests.faults.schedule import OF_CLOCKS, OF_CLUSTER, OF_REDIS, Fault, FaultKind
from tests.servers import MASTERS, Cluster, ClusterNode

AHEAD_S = 0.3
"""Time that a master runs alone before it dies; the cluster does not miss it so early."""
MOMENT_S = 0.1
"""Time until a replica receives an act, on a busy machine."""
ON_ITS_WAY_S = 1.0
"""Time from storing an act until its player receives the answer."""
POLL_S = 0.05


class Alone:
    """The embedded store in this process, which syncs every acknowledged write to disk.

    It is kept running as by a server, except while a fault keeps it away.
    """

    def __init__(self, store: Embedded, stepper: Stepper | None) -> None:
        self._embedded = store
        self._stepper = stepper
        self.kinds = tuple(OF_REDIS if stepper is None else OF_CLOCKS)
        self.url = store.url
        self._busy = asyncio.Lock()
        self._keeping = asyncio.create_task(store.keep())

    @classmethod
    async def open(cls, data_dir: Path) -> Self:
        if not can_step():
            return cls(await Embedded.start(data_dir, fsync="always"), None)
        stepper = Stepper(data_dir.parent)
        with patch.object(embedded, "find_program", lambda: stepper.binary):
            return cls(await Embedded.start(data_dir, fsync="always"), stepper)

    async def suffer(self, fault: Fault) -> None:
        """Suffer a fault, from its beginning to its end."""
        if fault.kind is FaultKind.KILL_REDIS:
            async with self.away():
                await asyncio.sleep(fault.seconds)
            return
        async with self._busy:
            pid = self._embedded.pid
            match fault.kind:
                case FaultKind.KILL_EMBEDDED:
                    os.kill(pid, signal.SIGKILL)
                case FaultKind.STALL_REDIS:
                    os.kill(pid, signal.SIGSTOP)
                    try:
                        await asyncio.sleep(fault.seconds)
                    finally:
                        os.kill(pid, signal.SIGCONT)
                case FaultKind.FILL_REDIS:
                    await self._ask("CONFIG", "SET", "maxmemory", "1")
                    await asyncio.sleep(fault.seconds)
                    await self._ask("CONFIG", "SET", "maxmemory", "0")
                case FaultKind.STEP_CLOCK:
                    assert self._stepper is not None, "else there is no such fault"
                    self._stepper.step(fault.victims[0] * 1_000)
                    await asyncio.sleep(fault.seconds)
                case _:
                    # The limit ends with this server's process: the next one has space again.
                    self._fill_disk(pid)
                    await asyncio.sleep(fault.seconds)
            await self._wait_until_up()

    @asynccontextmanager
    async def away(self) -> AsyncIterator[None]:
        """Kill the server, and start it again when the block ends."""
        async with self._busy:
            await self._let_go()
            os.kill(self._embedded.pid, signal.SIGKILL)
            try:
                yield
            finally:
                await self._wait_until_up()

    async def ask(self, room: str, *words: str | int) -> Any:  # noqa: ARG002  # it has all rooms
        """Return the reply to a command from the node that owns a room, as text."""
        return await self._ask(*words)

    def may_forget(self, room: str, when: float | None) -> bool:  # noqa: ARG002  # it never may
        """Return whether what was acknowledged at `when` (monotonic), or ever, may be lost."""
        return False

    async def settle(self) -> None:
        """Notice failovers after the last fault."""

    async def stop(self) -> None:
        await self._let_go()
        await self._embedded.stop()

    async def _ask(self, *words: str | int) -> Any:
        path = str(self._embedded.socket)
        async with Redis(unix_socket_path=path, decode_responses=True) as client:
            return await client.execute_command(*words)  # type: ignore[no-untyped-call]  # redis-py's own

    async def _let_go(self) -> None:
        self._keeping.cancel()
        await asyncio.wait([self._keeping])

    async def _wait_until_up(self) -> None:
        """Supervise the server from now on, without earlier ends, and wait until it answers."""
        await self._let_go()
        self._keeping = asyncio.create_task(self._embedded.keep())
        while True:
            with suppress(RedisError, OSError):
                await self._ask("PING")
                return
            await asyncio.sleep(POLL_S)

    def _fill_disk(self, pid: int) -> None:
        """Limit the size of the server's files; kill it on systems without such a limit."""
        if not hasattr(resource, "prlimit"):
            os.kill(pid, signal.SIGKILL)
            return
        parts = (self._embedded.data.path / "appendonlydir").iterdir()
        most = max(part.stat().st_size for part in parts) + 1
        _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (most, hard))


class Masters:
    """A cluster in which one master at a time fails, and its replica takes over.

    A replica receives an act a moment after it was acknowledged: what was acknowledged shortly
    before a failover may be lost. Two nodes of one shard are never away together, which would
    equal the loss of a disk.
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
            await self._notice_failovers()  # also those of a master that was slow
            slot = fault.victims[0] * SLOTS // MASTERS
            master = self._cluster.owner(slot)
            if fault.kind is FaultKind.STALL_MASTER:
                master.pause()
                try:
                    await asyncio.sleep(fault.seconds)
                finally:
                    master.resume()
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
        at = slot_of(keys.room(room)) * MASTERS // SLOTS
        return any(
            third == at and (when is None or since <= when <= until)
            for third, since, until in self._failovers
        )

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
        node = self._cluster.owner(slot_of(keys.room(room)))
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
        """Wait until another node owns the slot."""
        while await asyncio.to_thread(self._cluster.owner, slot) is master:
            await asyncio.sleep(POLL_S)

    async def stop(self) -> None:
        await asyncio.to_thread(self._cluster.stop)


Store = Alone | Masters
"""A store that can suffer faults of its kinds, and says what it may have forgotten."""
