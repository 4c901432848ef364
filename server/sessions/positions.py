"""Games replayed from their logs, kept so that only the end of a log must be replayed again.

The log is the truth; a kept position only saves time. Before it is used, the last entries that
led to it are compared with the store's, action and time. An entry made after a failover is later
than any entry lost with it, so no other log can agree in these.
"""

from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from server import metrics
from server.games.actions import Action
from server.games.game import Game
from server.live.locks import Locks
from server.live.quarantine import replaying
from server.live.slices import Slices
from server.rooms.record import Round
from server.rooms.rounds import deal_game
from server.sessions.limits import SESSION_LIMITS, SessionLimits
from server.store import LogRecord, Store

COMPARED = 64
"""Entries before a kept position that are read again and compared."""
KEPT_FROM = 200
"""Length of the shortest log whose position is kept: its replay takes two milliseconds."""
POSITION_BYTES, ENTRY_BYTES = 4_096, 12


class Position:
    """A game, and the latest entries of the log that led to it."""

    __slots__ = ("_latest", "game")

    def __init__(self, game: Game, latest: Iterable[LogRecord] = ()) -> None:
        self.game = game
        self._latest = deque(latest, COMPARED)

    @property
    def ms(self) -> int:
        """Return the time of the latest entry in milliseconds since t0; 0 if there is none."""
        return self._latest[-1].ms if self._latest else 0

    def copy(self) -> "Position":
        """Return an independent copy."""
        return Position(self.game.copy(), self._latest)

    def advance(self, entries: Iterable[LogRecord], until: float = float("inf")) -> Iterator[None]:
        """Replay the entries made by `until` (ms since t0), one step each.

        Raises:
            Unreadable: the log does not belong to this deal or these rules.
        """
        with replaying():
            for entry in entries:
                if entry.ms > until:
                    return
                self.game.replay(Action(entry.action))
                self._latest.append(entry)
                yield

    async def read_on(
        self, store: Store, code: str, n: int, seat: int
    ) -> tuple[bool, list[LogRecord]]:
        """Return True and the log's later entries if it leads here, else False and the whole log.

        Raises:
            StoreAway: the store does not answer.
        """
        compared = len(self._latest)
        if compared:
            start = self.game.at - compared
            log = await store.read_log(code, n, seat, start)
            if log[:compared] == list(self._latest):
                return True, log[compared:]
        return not self.game.at, await store.read_log(code, n, seat)


class PositionKey(NamedTuple):
    """The game of a position. After a failover a round may begin again with another deal."""

    code: str
    n: int
    seat: int
    t0: int
    seed: str | None
    number: int | None


class Positions:
    """The stored games of seats; positions of long games are kept, the last read ones."""

    def __init__(
        self, store: Store, slices: Slices | None = None, limits: SessionLimits = SESSION_LIMITS
    ) -> None:
        self._store = store
        self._limits = limits
        self._slices = slices or Slices()
        self._locks = Locks(patient=True)
        self._kept: OrderedDict[PositionKey, Position] = OrderedDict()
        self.bytes = 0

    async def read(self, code: str, played: Round, seat: int) -> Position:
        """Return a seat's position in a round, as a copy for the caller.

        Of several calls for one seat at the same time, one replays the log. Cancelling leaves the
        kept positions unchanged.

        Raises:
            StoreAway: the store does not answer.
            Unreadable: the rules of this release cannot replay the log.
        """
        most = self._limits.log_entries
        deal = played.deal
        key = PositionKey(code, played.n, seat, played.t0, deal.seed, deal.number)
        async with self._locks.of(f"{code}:{played.n}:{seat}"):
            kept = self._kept.get(key)
            position = Position(deal_game(played, most)) if kept is None else kept.copy()
            leads_here, entries = await position.read_on(self._store, code, played.n, seat)
            if not leads_here:
                position = Position(deal_game(played, most))
            spent = await self._slices.run(position.advance(entries))
            metrics.replay_seconds.labels("table").inc(spent)
            self._keep(key, position)
        return position

    def _keep(self, key: PositionKey, position: Position) -> None:
        """Keep a copy and drop the least recently read ones; one too large is not kept."""
        old = self._kept.pop(key, None)
        if old is not None:
            self.bytes -= _size(old)
        if position.game.at >= KEPT_FROM and _size(position) <= self._limits.position_bytes:
            self._kept[key] = position.copy()
            self.bytes += _size(position)
        while self.bytes > self._limits.position_bytes:
            _, oldest = self._kept.popitem(last=False)
            self.bytes -= _size(oldest)


def _size(position: Position) -> int:
    return POSITION_BYTES + ENTRY_BYTES * position.game.at
