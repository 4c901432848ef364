"""Games that are replayed from their logs and cached, and the progress of seats.

Only the log counts; a cached game just saves time. Before it is used, the last entries of its log
are compared with the store. An entry that was made after a failover is later than all
entries that the failover has lost, so two different logs never agree in their last entries.
"""

from array import array
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import inf

from server import metrics
from server.games.actions import Action
from server.games.game import MAX_LOG_ENTRIES, Game
from server.live.leaderboard import stats_of_seats
from server.live.unreadable import Quarantine, raising_unreadable
from server.live.work import KeyedLocks, LongWork
from server.rooms.deals import deal_game
from server.rooms.events import Event, needs_stats
from server.rooms.ranking import write_stats
from server.rooms.record import Room, Round
from server.store import LogRecord, Logs, SeatProgress, SeatRecord, Seats

MAX_CACHED_BYTES = 4 * 1024 * 1024  # approximate memory for cached games
COMPARED = 64  # how many last entries of a cached game are read again and compared
CACHED_FROM = 200  # the shortest log whose game is cached: its replay takes two milliseconds
GAME_BYTES, ENTRY_BYTES = 4_096, 16  # approximate memory of a game, and of each entry of its log


class ReplayedGame:
    """A game that is replayed from its log, and what the log records besides the actions."""

    __slots__ = ("_gained_ms", "_latest", "game", "ids", "restored")

    def __init__(self, game: Game) -> None:
        self.game = game
        self.ids = array("I")  # of all acts
        self.restored = 0  # how many acts the store had lost and the client has sent again
        self._gained_ms = 0  # the time of the latest act that gained anything
        self._latest: deque[LogRecord] = deque(maxlen=COMPARED)  # the last entries of the log

    @property
    def ms(self) -> int:
        """The time of the latest entry in milliseconds since t0, or 0 without entries."""
        return self._latest[-1].ms if self._latest else 0

    def copy(self) -> "ReplayedGame":
        """Return an independent copy."""
        copy = ReplayedGame(self.game.copy())
        copy.ids, copy.restored, copy._gained_ms = self.ids[:], self.restored, self._gained_ms
        copy._latest.extend(self._latest)
        return copy

    def progress(self, seat: int, n: int) -> SeatProgress:
        """Return the progress of the seat that plays this game in round `n`, without its hints."""
        game, ms = self.game, self.ms
        stats = write_stats(game, self.restored, game.counts) if game.at else None
        over_ms = None if game.outcome is None else ms
        return SeatProgress(seat, n, game.at, ms, stats, self._gained_ms, over_ms)

    def advance(self, entries: Iterable[LogRecord], until_ms: float = inf) -> Iterator[None]:
        """Replay the entries made by `until_ms` (since t0), one per step, or raise Unreadable."""
        with raising_unreadable():
            for entry in entries:
                if entry.ms > until_ms:
                    return
                effects = self.game.replay(Action(entry.action))
                if effects.has_gained:  # the time of the latest gain breaks ties
                    self._gained_ms = entry.ms
                self.restored += entry.is_restored  # lost by the store, and made again
                self.ids.append(entry.id)
                self._latest.append(entry)
                yield

    async def read_on(
        self, logs: Logs, room_code: str, n: int, seat: int
    ) -> tuple[bool, list[LogRecord]]:
        """Return (True, new entries) if the log continues this game, otherwise (False, all)."""
        compared = len(self._latest)
        log = await logs.read(room_code, n, seat, self.game.at - compared)
        if log[:compared] == list(self._latest):
            return True, log[compared:]
        return False, await logs.read(room_code, n, seat)


class Replays:
    """The stored games of seats; long ones are cached if they were read recently.

    Once a log has `max_entries`, only actions that finish its game are legal.
    """

    def __init__(
        self,
        logs: Logs,
        long_work: LongWork | None = None,
        max_entries: int = MAX_LOG_ENTRIES,
        max_cached_bytes: int = MAX_CACHED_BYTES,
    ) -> None:
        self._logs, self._long_work = logs, long_work or LongWork()
        self._max_entries, self._max_cached_bytes = max_entries, max_cached_bytes
        self._locks = KeyedLocks(patience_s=None)
        self._cached: OrderedDict[Hashable, ReplayedGame] = OrderedDict()  # the latest read last
        self.cached_bytes = 0

    async def read(self, room_code: str, played: Round, seat: int) -> ReplayedGame:
        """Return a copy of a seat's game in a round.

        If there are several calls for a seat at the same time, one of them replays the log.
        Cancelling leaves the cache unchanged. Raises Unreadable if the rules forbid the log.
        """
        deal = played.deal
        # After a failover a round may start again with another deal.
        key = room_code, played.n, seat, played.t0, deal.seed, deal.number
        async with self._locks.of(f"{room_code}:{played.n}:{seat}"):
            new, cached = ReplayedGame(deal_game(played, self._max_entries)), self._cached.get(key)
            replayed = new if cached is None else cached.copy()
            continues, entries = await replayed.read_on(self._logs, room_code, played.n, seat)
            if not continues:
                replayed = new
            spent_s = await self._long_work.run(replayed.advance(entries))
            metrics.replay_seconds.labels("table").inc(spent_s)
            self._cache(key, replayed)
        return replayed

    def _cache(self, key: Hashable, replayed: ReplayedGame) -> None:
        """Cache a copy, if it is neither too short nor too large; drop the least recently read."""
        if old := self._cached.pop(key, None):
            self.cached_bytes -= _size(old)
        if replayed.game.at >= CACHED_FROM and _size(replayed) <= self._max_cached_bytes:
            self._cached[key] = replayed.copy()
            self.cached_bytes += _size(replayed)
        while self.cached_bytes > self._max_cached_bytes:
            _, oldest = self._cached.popitem(last=False)
            self.cached_bytes -= _size(oldest)


def _size(replayed: ReplayedGame) -> int:
    return GAME_BYTES + ENTRY_BYTES * replayed.game.at


@dataclass(frozen=True, slots=True)
class ProgressReader:
    """Finds out the progress of seats from their logs: the store has nothing else.

    It uses the progress that this process knows, if that includes the latest act of the log.
    Otherwise it replays the log. Unreadable rooms go into quarantine. All methods raise StoreAway
    if the store does not answer, and Unreadable if this release cannot read a seat or its log.
    """

    _seats: Seats
    _replays: Replays
    _quarantine: Quarantine
    _known: Callable[[str, int], SeatProgress | None]  # (code, seat): what this process knows

    async def read(self, room: Room) -> list[SeatProgress]:
        """Return the progress of all seats whose games are running."""
        _, progress = await self._read(room)
        return list(progress.values())

    async def with_stats(self, room: Room, event: Event) -> tuple[Event, Mapping[int, SeatRecord]]:
        """Add the stats of running games to an event; return it and the records of their seats."""
        records, progress = await self._read(room)
        if room.playing() and needs_stats(event):
            event = replace(event, stats=stats_of_seats(room, progress))
        return event, records

    async def _read(self, room: Room) -> tuple[dict[int, SeatRecord], dict[int, SeatProgress]]:
        """Return, by seat, the records and the progress of all running games."""
        seats, played = [seat.number for seat in room.playing()], room.round
        if not seats or played is None:
            return {}, {}
        async with self._quarantine.reading(room.code):
            found = zip(seats, await self._seats.read_all(room.code, seats), strict=True)
            records = {seat: record for seat, record in found if record is not None}
            progress = {
                seat: await self._progress(room.code, played, seat, record)
                for seat, record in records.items()
            }
            stats_of_seats(room, progress)  # raises if the stats are unreadable
        return records, progress

    async def _progress(
        self, code: str, played: Round, seat: int, record: SeatRecord
    ) -> SeatProgress:
        """Return the known progress of a seat if it fits the record; otherwise replay the log."""
        progress = self._known(code, seat)
        if progress is None or not progress.fits(record):
            # Without a writer the log is closed, and the record does not count its acts.
            may_have_acts = record.acts > 0 or record.writer is None
            if record.n == played.n and may_have_acts:
                progress = (await self._replays.read(code, played, seat)).progress(seat, played.n)
            else:
                progress = SeatProgress(seat, record.n)
        return progress._replace(hint_count=record.hint_count, hint_round=record.hint_round)
