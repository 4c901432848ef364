"""A race of two through the proxy, and the times of its acknowledged acts.

The players are programs: their client reconnects after each fault, and repeats unanswered acts.
"""

import asyncio
import random
import ssl
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import pairwise

from spider_race_client import ActLost, Race, Refused, connect

from protocol.http import SeatLog

PACE_S = 0.05
ANSWER_S = 3.0
"""A player reconnects after this time without an answer."""
LONGEST_PAUSE_S = 0.2


def trusting() -> ssl.SSLContext:
    """Return a context that trusts Caddy's own certificate."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """An acknowledged act; the time is monotonic."""

    action: str
    when: float


@dataclass
class Racer:
    """A player and the acknowledged acts, by their place in the log."""

    seat: int
    player: Race = field(init=False)
    acknowledged: dict[int, Acknowledged] = field(default_factory=dict)
    losses: int = 0
    """Lost or refused connections."""

    def __post_init__(self) -> None:
        self._rng = random.Random(self.seat)

    def __call__(self, seen: object) -> None:
        """Watch the connections, and count the close codes."""
        self.losses += isinstance(seen, int)

    def latest(self) -> float:
        """Return the time of the latest acknowledged act."""
        return max((act.when for act in self.acknowledged.values()), default=0.0)

    async def race(self, stop: asyncio.Event) -> None:
        """Act until `stop` is set, through every fault."""
        while not stop.is_set():
            table = await self.player.wait_for_table()
            moves = [action for action in table.legal if "x" in action]
            action = self._rng.choice(moves or table.legal)
            try:
                after = await self.player.act(action)
            except (ActLost, Refused):  # the store lost acts before it
                continue
            self.acknowledged[after.at - 1] = Acknowledged(action, time.monotonic())
            await asyncio.sleep(PACE_S)


def longest_gap_s(racers: Iterable[Racer], began: float, ended: float) -> float:
    """Return the longest time that one of them waited for an answer, in seconds."""
    return max(
        after - before
        for racer in racers
        for before, after in pairwise(
            [began, *(act.when for act in racer.acknowledged.values()), ended]
        )
        if after > began and before < ended
    )


def lost_acts(racers: Iterable[Racer], players: Iterable[SeatLog]) -> list[Acknowledged]:
    """Return the acknowledged acts that are missing from their place in the log."""
    logs = {player.seat: player.log for player in players}
    return [
        act
        for racer in racers
        for at, act in racer.acknowledged.items()
        if [entry.action for entry in logs[racer.seat][at : at + 1]] != [act.action]
    ]


@asynccontextmanager
async def begun(port: int) -> AsyncIterator[list[Racer]]:
    """Start a race of two; close both connections at the end of the block."""
    racers = [Racer(seat) for seat in range(2)]
    address, tls = f"https://localhost:{port}", trusting()
    waits = {"longest_wait_s": LONGEST_PAUSE_S, "silence_s": ANSWER_S}
    async with (
        connect(address, observer=racers[0], tls=tls, **waits) as one,
        connect(address, observer=racers[1], tls=tls, **waits) as other,
    ):
        settings = {"game": "spider-4", "undo": "any", "time_limit_s": None}
        racers[0].player = await one.create("Ada", settings)
        racers[1].player = await other.join(racers[0].player.code, "Bob")
        for racer in racers:
            await racer.player.ready()
        for racer in racers:
            await racer.player.wait_for_table()  # after the countdown
        yield racers
