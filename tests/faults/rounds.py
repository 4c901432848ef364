"""The published rounds, which are read during the run: a room keeps only its latest ones."""

import asyncio
import urllib.request
from collections.abc import Iterable

from protocol.http import FinishedRound
from tests.faults.notes import Notes
from tests.faults.processes import Fleet

RoundKey = tuple[str, int]
READ_EVERY_S = 1.0
TRIES = 3


class Rounds:
    """Every round in which a player took part, read from any server of this release."""

    def __init__(self, servers: Fleet, notes: Iterable[Notes]) -> None:
        self.read: dict[RoundKey, FinishedRound] = {}
        self.missing: list[str] = []
        self._known: dict[RoundKey, int] = {}  # how many rankings of a round that was read
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
            problem = None
            for _ in range(TRIES):
                if (problem := await self._read(key)) is None:
                    break
                await asyncio.sleep(READ_EVERY_S)
            else:
                self.missing.append(f"{key[0]} round {key[1]}: {problem}")

    async def _read_ended(self) -> None:
        """Read the rounds whose end was received; again if a failover made it another one."""
        rankings: dict[RoundKey, int] = {}
        for player in self._notes:
            for n, known in player.rankings.items():
                key = player.room, n
                rankings[key] = max(rankings.get(key, 0), len(known))
        for key in sorted(rankings):
            if rankings[key] > self._known.get(key, 0) and await self._read(key) is None:
                self._known[key] = rankings[key]

    async def _read(self, key: RoundKey) -> str | None:
        """Read a round; return the reason if it could not be read."""
        room, n = key
        problem = "no server"
        for port in self._servers.ports(of_last_release=False):
            address = f"http://127.0.0.1:{port}/api/rooms/{room}/rounds/{n}"
            try:
                found = await asyncio.to_thread(_get, address)
            except OSError as error:
                problem = str(error)
            else:
                self.read[key] = FinishedRound.model_validate_json(found)
                return None
        return problem


def _get(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=5) as response:  # noqa: S310  # our own server
        body: bytes = response.read()
        return body
