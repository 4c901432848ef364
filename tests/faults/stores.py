"""The stores that faults befall: a Redis on its own, and a cluster whose masters have replicas."""

import asyncio
import time
from pathlib import Path
from typing import Protocol

from server.store import keys
from server.store.slots import SLOTS, slot_of
from tests.clocks import SteppingServer, can_step
from tests.faults.schedule import OF_CLOCKS, OF_CLUSTER, OF_REDIS, Fault, Kind
from tests.servers import MASTERS, Cluster, ClusterNode, RedisServer, start_embedded

AHEAD_S = 0.3
"""So long a master goes on alone before it dies: shorter than it takes to miss a node."""
HEIR_S = 20.0
LOOK_S = 0.05
MOMENT_S = 0.1
"""How much later a replica hears of an act, on a busy machine."""
ON_ITS_WAY_S = 1.0
"""How much later a player hears of an act than the store has it."""


class Store(Protocol):
    """What a fault of some kinds can befall."""

    @property
    def url(self) -> str: ...

    @property
    def kinds(self) -> tuple[Kind, ...]: ...

    async def suffer(self, fault: Fault) -> None:
        """Let a fault happen, from its beginning to its end."""

    async def settle(self) -> None:
        """Wait until it is whole again, when no more faults come."""

    def may_forget(self, room: str, when: float) -> bool:
        """Whether what a room acknowledged then may be lost; `when` is a monotonic time."""

    def stop(self) -> None:
        """End it."""


class Alone:
    """One Redis, which has on disk what it has acknowledged."""

    def __init__(self, data_dir: Path) -> None:
        self._redis: RedisServer
        self.kinds: tuple[Kind, ...]
        if can_step():
            self._redis, self.kinds = SteppingServer(data_dir, fsync="always"), OF_CLOCKS
        else:
            self._redis, self.kinds = start_embedded(data_dir, fsync="always"), OF_REDIS
        self.url = self._redis.url
        self._busy = asyncio.Lock()

    async def suffer(self, fault: Fault) -> None:
        async with self._busy:
            if fault.kind is Kind.KILL_REDIS:
                self._redis.kill()
                await asyncio.sleep(fault.seconds)
                await asyncio.to_thread(self._redis.start)
                return
            if fault.kind is Kind.STEP_CLOCK:
                assert isinstance(self._redis, SteppingServer)
                self._redis.step(fault.victims[0] * 1_000)
                await asyncio.sleep(fault.seconds)
                return
            self._redis.pause()
            try:
                await asyncio.sleep(fault.seconds)
            finally:
                self._redis.resume()

    async def settle(self) -> None:
        async with self._busy:
            pass

    def may_forget(self, room: str, when: float) -> bool:  # noqa: ARG002  # it never may
        return False

    def stop(self) -> None:
        self._redis.stop()


class Masters:
    """A cluster, of which one master at a time is in trouble, and its replica takes over.

    A replica hears of an act a moment after it was acknowledged. Two nodes of one shard are
    never away together: that would be the loss of a disk.
    """

    kinds = OF_CLUSTER

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self.url = cluster.url
        self._busy = asyncio.Lock()
        self._ahead: list[tuple[int, float, float]] = []  # third of the slots, from, until
        self._owners = self._masters()
        self._looked = time.monotonic()
        for node in cluster.nodes:
            # While a master is missed the rooms of the others go on.
            node.ask("CONFIG", "SET", "cluster-require-full-coverage", "no")

    async def suffer(self, fault: Fault) -> None:
        async with self._busy:
            await self._look()
            slot = fault.victims[0] * SLOTS // MASTERS
            master = self._cluster.owner(slot)
            match fault.kind:
                case Kind.HAND_OVER:
                    self._cluster.replica(master).ask("CLUSTER", "FAILOVER")
                    await self._heir(slot, master)
                case Kind.STALL_MASTER:
                    master.pause()
                    try:
                        await asyncio.sleep(fault.seconds)
                    finally:
                        master.resume()
                        # It answers what it finds in its sockets before it learns of its heir.
                        self._may_lose(fault, time.monotonic())
                case _:
                    began = time.monotonic()
                    if fault.kind is Kind.KILL_AHEAD:
                        await self._run_ahead(master)
                    else:
                        master.kill()
                    self._may_lose(fault, began)
                    await self._heir(slot, master)
                    await asyncio.sleep(fault.seconds)
                    await asyncio.to_thread(master.start)
            await asyncio.to_thread(self._cluster.whole)
            self._owners, self._looked = self._masters(), time.monotonic()

    async def settle(self) -> None:
        async with self._busy:
            await self._look()

    async def _look(self) -> None:
        """See whether a machine that is too busy has made the cluster miss a master by itself."""
        await asyncio.to_thread(self._cluster.whole)
        owners = self._masters()
        until = time.monotonic() + ON_ITS_WAY_S
        for third, (was, now) in enumerate(zip(self._owners, owners, strict=True)):
            if was is not now:
                self._ahead.append((third, self._looked, until))
        self._owners, self._looked = owners, until - ON_ITS_WAY_S

    def _masters(self) -> list[ClusterNode]:
        return [self._cluster.owner(third * SLOTS // MASTERS) for third in range(MASTERS)]

    def _may_lose(self, fault: Fault, since: float) -> None:
        """Note that what is acknowledged from then until now may be lost."""
        until = time.monotonic() + ON_ITS_WAY_S
        self._ahead.append((fault.victims[0], since - MOMENT_S, until))

    def may_forget(self, room: str, when: float) -> bool:
        third = slot_of(keys.room(room)) * MASTERS // SLOTS
        return any(third == of and since <= when <= until for of, since, until in self._ahead)

    async def _run_ahead(self, master: ClusterNode) -> None:
        """Kill it when it has acknowledged what its replica has not heard of."""
        replica = self._cluster.replica(master)
        replica.pause()
        try:
            # What was sent already, the replica would still read from its socket.
            master.ask("CLIENT", "KILL", "TYPE", "replica")
            await asyncio.sleep(AHEAD_S)
            master.kill()
        finally:
            replica.resume()

    async def _heir(self, slot: int, master: ClusterNode) -> None:
        """Wait until another node has the slot."""
        async with asyncio.timeout(HEIR_S):
            while await asyncio.to_thread(self._cluster.owner, slot) is master:
                await asyncio.sleep(LOOK_S)

    def stop(self) -> None:
        self._cluster.stop()
