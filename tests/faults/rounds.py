"""The published rounds, which are read during the run: a room keeps only its latest ones."""

import asyncio
from collections.abc import Iterable

from protocol.http import FinishedRound
from tests.faults.notes import Notes
from tests.faults.processes import Fleet
from tests.server.http import get

RoundKey = tuple[str, int]
READ_EVERY_S = 1.0
TRIES = 10


class Rounds:
    """Every round in which a player took part, read from any server."""

    def __init__(self, servers: Fleet, notes: Iterable[Notes]) -> None:
        self.read: dict[RoundKey, FinishedRound] = {}
        self.missing: list[str] = []
        self._servers = servers
        self._notes = list(notes)

    async def keep_reading(self) -> None:
        """Read each round soon after a player has received its end, until cancelled."""
        while True:
            await asyncio.sleep(READ_EVERY_S)
            await self._read_ended()

    async def read_rest(self) -> None:
        """Read the remaining rounds at the end; those that cannot be read are missing."""
        await self._read_ended()
        rest = {(player.room, n) for player in self._notes for n in player.rounds()}
        for key in sorted(rest - self.read.keys()):
            for _ in range(TRIES):
                if (problem := await self._read(key)) is None:
                    break
                await asyncio.sleep(READ_EVERY_S)
            else:
                self.missing.append(f"{key[0]} round {key[1]}: {problem}")

    async def _read_ended(self) -> None:
        """Read the rounds whose end was received; again if a failover made it another one."""
        for player in self._notes:
            for n, known in player.rankings.items():
                found = self.read.get((player.room, n))
                if found is None or found.ranking != known[-1]:
                    await self._read((player.room, n))

    async def _read(self, key: RoundKey) -> str | None:
        """Read a round; return the reason if it could not be read."""
        problem = "no server"
        for port in self._servers.ports():
            try:
                answer = await get(port, f"/api/rooms/{key[0]}/rounds/{key[1]}")
            except (OSError, TimeoutError, ValueError, IndexError) as error:  # it has ended
                problem = repr(error)
                continue
            if answer.status == 200:
                self.read[key] = FinishedRound.model_validate_json(answer.body)
                return None
            problem = str(answer.status)
        return problem
