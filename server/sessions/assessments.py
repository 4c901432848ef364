"""What is known about the rest of games: the searches of one process, for players who ask.

1. A search is charged to the seat, which has few, and to the process, which spends a small share
   of its time on all of them. An address has a part of that share. Beyond it nothing is searched.
2. A game that is to end as a dead one is always searched. Beyond the address's part it waits.
3. Searches run one after the other, in slices between the acts of all players; addresses take
   turns. They are small: `docs/decisions/small_searches_beside_the_acts.md`.
4. A search looks only at what the player sees (`solver/endings.py`).
"""

import asyncio
from collections import Counter
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
    """What is known about the rest of a game."""

    outlook: Outlook
    line: tuple[Action, ...] = ()  # the actions that win, if the outlook is `WON`
    gain: int = 0  # the points that moves can still add, if it is `DEAD`


OPEN: Final = Assessment(Outlook.OPEN)
UNSEARCHED: Final = Assessment(Outlook.OPEN)
"""Nothing was searched, so the next question may be. `is` tells it from the equal `OPEN`."""


class Assessments:
    """The searches of one process. `monotonic_s` never runs backwards."""

    def __init__(self, long_work: LongWork, limits: SessionLimits, monotonic_s: Monotonic) -> None:
        self._long_work = long_work
        self._of_seats = RateLimits(*limits.searches, monotonic_s, named_network)
        self._search_ms = RateLimit(*limits.search_ms, monotonic_s)
        ms_of_address = limits.search_ms_of_address
        self._ms_of_addresses = RateLimits(*ms_of_address, monotonic_s, remote_networks)
        self._most_waiting = limits.waiting_searches
        self._waiting: Counter[str] = Counter()
        self._turn = asyncio.Lock()
        # One search of an address waits for its turn at a time.
        self._turns_of_addresses = KeyedLocks(patience_s=None)

    async def find(
        self, seat_name: str, game: Game, address: str, *, autoplay: bool, always: bool
    ) -> Assessment:
        """Return what is known about a game, which nobody else may change meanwhile.

        Without `autoplay` no line is searched. Beyond the limits of the seat and the `address` the
        result is `UNSEARCHED`, unless the game is `always` to be searched. Cancelling ends it.
        """
        if DEAL in game.legal_actions():
            return OPEN
        address = networks_of(address)[0].name
        is_full = self._waiting[address] >= self._most_waiting
        if not always and (is_full or not self._of_seats.take(seat_name)):
            return UNSEARCHED
        self._waiting[address] += 1
        try:
            async with self._turns_of_addresses.of(address):
                if always:
                    await asyncio.sleep(self._ms_of_addresses.wait_s(address))
                async with self._turn:
                    return await self._search(game, address, autoplay=autoplay, always=always)
        finally:
            self._waiting[address] -= 1
            if not self._waiting[address]:
                del self._waiting[address]

    async def _search(
        self, game: Game, address: str, *, autoplay: bool, always: bool
    ) -> Assessment:
        """Search for a win with all cards in view, and then whether the game is dead."""
        ending, dead_end = EndingSearch(game), DeadEndSearch(game)
        if autoplay and not await self._run(ending.steps(), address, always=always):
            return UNSEARCHED
        if ending.line:
            return Assessment(Outlook.WON, ending.line)
        if not await self._run(dead_end.steps(), address, always=always):
            return UNSEARCHED
        return Assessment(Outlook.DEAD, gain=dead_end.gain) if dead_end.is_dead else OPEN

    async def _run(self, steps: Iterator[None], address: str, *, always: bool) -> bool:
        """Take the steps of a search and charge their time; return False if none is left."""
        if not always and not (
            self._ms_of_addresses.has_token(address) and self._search_ms.has_token()
        ):
            return False
        spent_ms = 1_000 * await self._long_work.in_background(steps)
        self._search_ms.owe(spent_ms)
        self._ms_of_addresses.owe(address, spent_ms)
        return True


class SeatQuestions:
    """What a player asks about the rest of the games at one seat; a position is searched once."""

    __slots__ = ("_answered", "_assessments", "_hub", "_known", "_seat", "_socket", "behind")

    def __init__(self, searches: Assessments, hub: Hub, socket: Socket, seat: TakenSeat) -> None:
        self._assessments, self._hub = searches, hub
        self._socket, self._seat = socket, seat
        # The round, log length and cards of the latest search, and what it has found.
        self._known: tuple[tuple[int, int, bytes], Assessment] | None = None
        self._answered: asyncio.Event | None = None  # set when the answer under way is sent
        self.behind: list[Callable[[], None]] = []  # what answers later messages, after that one

    @property
    def is_asking(self) -> bool:
        """Whether an answer is under way."""
        return self._answered is not None

    async def wait(self) -> None:
        """Return when no answer is under way."""
        while self._answered is not None:
            await self._answered.wait()

    def ask(self, n: int, game: Game) -> None:
        """Answer with what is known about the rest of the game of round `n`, one at a time."""
        self._answered = asyncio.Event()
        answer = self._answer(n, game.copy(), self._answered)
        self._hub.spawn(answer, "assess", self._socket.close)

    async def is_dead(self, n: int, game: Game) -> bool:
        """Return whether it is known, or found, that nothing can change in a game any more."""
        return (await self._find(n, game.copy(), always=True)).outlook is Outlook.DEAD

    async def _answer(self, n: int, game: Game, answered: asyncio.Event) -> None:
        try:
            self._socket.send(assessed_text(game.variant, game.at, *await self._find(n, game)))
        finally:
            self._answered = None
            answered.set()
            behind, self.behind = self.behind, []
            for answer in behind:
                answer()

    async def _find(self, n: int, game: Game, *, always: bool = False) -> Assessment:
        """Return what is known about a position, searched unless the latest search was of it."""
        position = n, game.at, game.key()  # a failover may lose acts, and others follow
        if self._known is not None and self._known[0] == position:
            return self._known[1]
        seat, find = self._seat, self._assessments.find
        latest = self._hub.latest(seat.room_code)
        autoplay = latest is not None and latest.room.settings.autoplay
        found = await find(seat.name, game, seat.address, autoplay=autoplay, always=always)
        if found is not UNSEARCHED:
            self._known = position, found
        return found
