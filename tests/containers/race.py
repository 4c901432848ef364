"""A race of two through the proxy, and the times at which its acts were answered.

The players come back as the page does: at once after a socket was closed, and a little later after
each try that failed. An act that was not answered is sent again; the table says whether it was
stored.
"""

import asyncio
import random
import ssl
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Self

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

from protocol.http import SeatLog
from tests.players import OPEN, Message, Player, is_move

PACE_S = 0.05
ANSWER_S = 3.0
"""After so long without an answer a player connects anew."""
LOST = (OSError, TimeoutError, ConnectionClosed, InvalidHandshake, InvalidMessage, EOFError)
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.05, 0.5
NEVER_BACK = 4500
"""Close codes from this one on mean that the seat is lost."""


def trusting() -> ssl.SSLContext:
    """Return a context for the certificate that Caddy makes for itself."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


@dataclass
class Guest(Player):
    """A player who comes through the proxy, over TLS."""

    @classmethod
    async def connect(cls, port: int, origin: str | None = None, address: str = "") -> Self:
        """Return a connected socket, as a page of https://localhost opens it."""
        del origin, address
        socket = await connect(
            f"wss://localhost:{port}/ws",
            host="127.0.0.1",
            subprotocols=cls.OFFERED,
            ssl=trusting(),
            compression=None,
            open_timeout=ANSWER_S,
            close_timeout=0.1,
            max_queue=None,
            proxy=None,
        )
        OPEN.append(socket)
        return cls(socket)


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """An act that was answered, and when, by the monotonic clock."""

    action: str
    when: float


@dataclass
class Racer:
    """The owner of a seat, with its acknowledged acts by their place in the log."""

    port: int
    player: Guest
    rng: random.Random
    acknowledged: dict[int, Acknowledged] = field(default_factory=dict)
    returns: int = 0

    def latest(self) -> float:
        """Return when the latest act was acknowledged."""
        return max((act.when for act in self.acknowledged.values()), default=0.0)

    async def race(self, stop: asyncio.Event) -> None:
        """Act until `stop` is set, through every fault."""
        while not stop.is_set():
            try:
                await self._act()
            except LOST as error:
                await self._come_back(error)
            else:
                await asyncio.sleep(PACE_S)

    async def _act(self) -> None:
        player, at = self.player, self.player.table["at"]
        legal = player.table["legal"]
        moves = [action for action in legal if is_move(action)]
        action = self.rng.choice(moves or legal)
        async with asyncio.timeout(ANSWER_S):
            reply = await player.act(action)
        if reply["type"] == "acted":
            self.acknowledged[at] = Acknowledged(action, time.monotonic())
        elif reply.get("table"):
            player.table = reply["table"]

    async def _come_back(self, error: Exception) -> None:
        code = error.rcvd.code if isinstance(error, ConnectionClosed) and error.rcvd else 0
        if code >= NEVER_BACK:
            raise AssertionError(f"seat {self.player.seat} was closed with {code}") from error
        self.returns += 1
        pause = FIRST_PAUSE_S
        while True:
            self.player.socket.transport.abort()
            try:
                async with asyncio.timeout(ANSWER_S):
                    self.player = await self._resumed()
            except LOST:
                await asyncio.sleep(self.rng.uniform(0, pause))
                pause = min(2 * pause, LONGEST_PAUSE_S)
            else:
                return

    async def _resumed(self) -> Guest:
        player = await self.player.resume(self.port)
        await player.race()
        return player

    async def give_up(self) -> None:
        """Give up, through every fault."""
        while True:
            try:
                async with asyncio.timeout(ANSWER_S):
                    await self.player.ask("forfeit")
            except LOST as error:
                await self._come_back(error)
            else:
                return


def longest_gap_s(racers: Iterable[Racer], began: float, ended: float) -> float:
    """Return the longest time in which one of them had no act answered, in seconds."""
    return max(
        after - before
        for racer in racers
        for before, after in pairwise(
            [began, *(act.when for act in racer.acknowledged.values()), ended]
        )
        if after > began and before < ended
    )


def lost_acts(racers: Iterable[Racer], players: Iterable[SeatLog]) -> list[Acknowledged]:
    """Return the acknowledged acts that are not in their player's log at their place."""
    logs = {player.seat: player.log for player in players}
    return [
        act
        for racer in racers
        for at, act in racer.acknowledged.items()
        if [entry.action for entry in logs[racer.player.seat][at : at + 1]] != [act.action]
    ]


async def begin(port: int) -> list[Racer]:
    """Return two players at the tables of a race that has just begun."""
    settings: Message = {"game": "spider-4", "undo": "any", "time_limit_s": None}
    host = await Guest.create(port, "Ada", **settings)
    friend = await Guest.join(port, host.code, "Bob")
    await friend.say("ready")
    await host.say("ready")
    await asyncio.gather(host.race(), friend.race())
    return [Racer(port, guest, random.Random(guest.seat)) for guest in (host, friend)]
