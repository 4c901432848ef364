"""Faults, inflicted on the servers, stores and players that they name."""

import asyncio
from dataclasses import dataclass, field

from tests.faults.last_release import LastRelease
from tests.faults.players import Racer
from tests.faults.processes import Fleet
from tests.faults.schedule import OF_PLAYERS, Fault, FaultKind
from tests.faults.unreadable import Unreadable

MOST_IMPATIENT = 6


@dataclass
class Victims:
    """Everything in a run that a fault can befall."""

    servers: Fleet
    racers: list[Racer]
    last_release: LastRelease | None = None
    unreadable: Unreadable = field(default_factory=Unreadable)

    async def suffer(self, fault: Fault) -> bool:
        """Inflict a fault, from its beginning to its end; return whether it had an effect."""
        if fault.kind in OF_PLAYERS:
            for victim in fault.victims:
                _inflict_on(self.racers[victim], fault.kind)
            return True
        servers = self.servers.servers
        match fault.kind:
            case FaultKind.KILL_SERVER:
                await servers[fault.victims[0]].kill(fault.seconds)
            case FaultKind.TERMINATE_SERVER:
                await servers[fault.victims[0]].terminate(fault.seconds)
            case FaultKind.STALL_SERVER:
                await self._stall(fault)
            case FaultKind.ROLLBACK:
                assert self.last_release is not None, "else there is no such fault"
                return await self.last_release.serve(fault, self.servers, self.racers)
            case FaultKind.UNREADABLE_RECORD:
                rooms = {racer.notes.room for racer in self.racers}
                return await self.unreadable.suffer(fault, self.servers, rooms)
            case _:
                await self.servers.store.suffer(fault)
        return True

    async def _stall(self, fault: Fault) -> None:
        """Suspend a server, and let some of its players reconnect with acts on their way."""
        server = self.servers.servers[fault.victims[0]]
        port = server.port
        sitting = [racer for racer in self.racers if racer.port is not None and racer.port == port]
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(server.stall(fault.seconds))
            await asyncio.sleep(fault.seconds / 2)
            for number, racer in enumerate(sitting[:MOST_IMPATIENT]):
                if number % 2:
                    racer.abandon()
                else:
                    racer.open_tab()


def _inflict_on(racer: Racer, kind: FaultKind) -> None:
    match kind:
        case FaultKind.ABANDON:
            racer.abandon()
        case FaultKind.SECOND_TAB:
            racer.open_tab()
        case _:
            racer.cut(mid_frame=kind is FaultKind.CUT_MID_FRAME)
