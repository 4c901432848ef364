"""Assessments: whether a game can still be won, for players who ask.

1. Each seat may ask for a few searches. A process spends a small share of its time on all
   searches, and an address may use a part of that share. Beyond these limits nothing is searched.
2. Before a game may end as dead, it is always searched: beyond the limits, only a bit later.
3. Searches run one after the other, in slices between the acts of all players; addresses take
   turns. They are small: `docs/decisions/small_searches_beside_the_acts.md`.
4. A search looks only at cards that the player sees (`solver/endings.py`).
"""

import asyncio
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from protocol.vocabulary import Outlook
from server.games.actions import DEAL, Action
from server.games.game import Game
from server.live.hub import Hub
from server.live.work import KeyedLocks, LongWork
from server.networks import named_network, networks_of
from server.sessions.limits import Monotonic, RateLimit, RateLimits, SessionLimits, remote_networks
from server.sessions.taken_seat import Socket, TakenSeat
from server.solver.endings import DeadEndSearch, EndingSearch
from server.views.tables import assessed_text


class Assessment(NamedTuple):
    """What a search has found out about one position of a game."""

    outlook: Outlook
    line: tuple[Action, ...] = ()  # the actions that win, if the outlook is `WON`
    gain: int = 0  # the points that moves can still add, if the outlook is `DEAD`


OPEN: Final = Assessment(Outlook.OPEN)
UNSEARCHED: Final = Assessment(Outlook.OPEN)
"""No search was made, because of a limit. Compare with `is`, since it equals `OPEN`."""


class Assessments:
    """Run the searches of one process within its limits."""

    def __init__(self, long_work: LongWork, limits: SessionLimits, monotonic_s: Monotonic) -> None:
        self._long_work = long_work
        self._seat_searches = RateLimits(limits.searches, monotonic_s, named_network)
        # Milliseconds of search that the process, and each address, may still use.
        self._process_ms = RateLimit(limits.search_ms, monotonic_s)
        self._address_ms = RateLimits(limits.search_ms_of_address, monotonic_s, remote_networks)
        self._max_waiting = limits.waiting_searches
        self._turn = asyncio.Lock()  # held by the one search that runs
        self._address_turns = KeyedLocks(patience_s=None)  # one search per address waits for it

    async def find(
        self, seat_name: str, game: Game, address: str, *, autoplay: bool, must_run: bool
    ) -> Assessment:
        """Assess a game, which nobody may change meanwhile; cancelling ends the search.

        With `autoplay`, also search for a winning line. Return `UNSEARCHED` if the seat or the
        `address` is over a limit, unless the search `must_run`.
        """
        if DEAL in game.legal_actions():
            return OPEN  # both searches stop as soon as cards can be dealt
        address = networks_of(address)[0].name  # the smallest network, which counts as one address
        is_full = self._address_turns.callers(address) >= self._max_waiting
        if not must_run and (is_full or not self._seat_searches.take(seat_name)):
            return UNSEARCHED
        async with self._address_turns.of(address):
            if must_run:
                await asyncio.sleep(self._address_ms.wait_s(address))
            async with self._turn:
                return await self._search(game, address, autoplay=autoplay, must_run=must_run)

    async def _search(
        self, game: Game, address: str, *, autoplay: bool, must_run: bool
    ) -> Assessment:
        """With `autoplay`, search for a winning line; if none is found, for a dead end."""
        ending, dead_end = EndingSearch(game), DeadEndSearch(game)
        if autoplay and not await self._run(ending.steps(), address, must_run=must_run):
            return UNSEARCHED
        if ending.line:
            return Assessment(Outlook.WON, ending.line)
        if not await self._run(dead_end.steps(), address, must_run=must_run):
            return UNSEARCHED
        return Assessment(Outlook.DEAD, gain=dead_end.gain) if dead_end.is_dead else OPEN

    async def _run(self, steps: Iterator[None], address: str, *, must_run: bool) -> bool:
        """Run a search and charge its time to the address and to this process.

        If either has no time left, return False without running it, unless it `must_run`.
        """
        has_time = self._address_ms.has_token(address) and self._process_ms.has_token()
        if not (has_time or must_run):
            return False
        spent_ms = 1_000 * await self._long_work.in_background(steps)
        self._process_ms.owe(spent_ms)
        self._address_ms.owe(address, spent_ms)
        return True


class SeatAssessments:
    """The assessments that one player asks for, one at a time; no position is searched twice."""

    __slots__ = (
        *("_hub", "_latest", "_position", "_replied", "_searches", "_seat", "_socket"),
        "postponed",
    )

    def __init__(self, searches: Assessments, hub: Hub, socket: Socket, seat: TakenSeat) -> None:
        self._searches, self._hub = searches, hub
        self._socket, self._seat = socket, seat
        # The latest search: the round, log length and cards of its position, and its result.
        self._position: tuple[int, int, bytes] | None = None
        self._latest = UNSEARCHED
        self._replied: asyncio.Event | None = None  # set once the running request has its reply
        self.postponed: list[Callable[[], None]] = []  # to call in order after that reply

    @property
    def is_running(self) -> bool:
        """Whether a request still waits for its reply."""
        return self._replied is not None

    async def wait(self) -> None:
        """Wait until no request is running."""
        while self._replied is not None:
            await self._replied.wait()

    def start(self, n: int, game: Game) -> None:
        """Start to assess the game of round `n`; no other request may be running."""
        self._replied = asyncio.Event()
        replying = self._reply(n, game.copy(), self._replied)
        self._hub.spawn(replying, "assess", on_failure=self._socket.close)

    async def is_dead(self, n: int, game: Game) -> bool:
        """Return whether the game of round `n` is proved to be lost; search it if needed."""
        return (await self._find(n, game.copy(), must_run=True)).outlook is Outlook.DEAD

    async def _reply(self, n: int, game: Game, replied: asyncio.Event) -> None:
        """Send the assessment of a game, set `replied`, and make the postponed calls."""
        try:
            self._socket.send(assessed_text(game.variant, game.at, *await self._find(n, game)))
        finally:
            self._replied = None
            replied.set()
            postponed, self.postponed = self.postponed, []
            for call in postponed:
                call()

    async def _find(self, n: int, game: Game, *, must_run: bool = False) -> Assessment:
        """Assess the game of round `n`, unless the latest search was for the same position."""
        # Compare the cards too: after a failover, a log of the same length may have other acts.
        position = n, game.at, game.key()
        if position == self._position:
            return self._latest
        seat, find = self._seat, self._searches.find
        latest = self._hub.latest(seat.room_code)
        autoplay = latest is not None and latest.room.settings.autoplay
        found = await find(seat.name, game, seat.address, autoplay=autoplay, must_run=must_run)
        if found is not UNSEARCHED:
            self._position, self._latest = position, found
        return found
