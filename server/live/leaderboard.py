"""The standings of one room: the progress that this process knows, and the rows it sent last.

1. The progress of seats comes from acts and hints that were stored here, from notifications of
   other processes, and from reads of the store. The newer progress of a seat wins.
2. A read replaces all progress, except newer progress that arrived during the read. So if a
   failover has lost acts, the progress that they made disappears too.
3. Subscribers that have the standings `number` get the changes as `number + 1`; all others get
   the whole standings. The numbers let a client notice a gap.
4. In an open window (a round that each player starts when they like), only players who
   have finished see rows, and only of finished games. All others get standings without rows
   once: the time of a second message would reveal an act.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from protocol.vocabulary import RoomState
from server.rooms.ranking import LeaderboardRow, Ranking, opening_stats, read_stats
from server.rooms.record import PlayerStats, Room, Round
from server.store import SeatProgress, Unreadable
from server.views.standings import changes_text, standings_text


@dataclass(eq=False, slots=True)
class Leaderboard:
    """The progress of a room's seats, and the rows of its standings."""

    _number: int = 0  # of the latest standings; each change of them has the next number
    is_complete: bool = False  # whether all progress was read since the room was entered
    is_being_read: bool = False
    has_changed: bool = False  # whether progress may have changed since the latest read started
    read_at: float = 0.0  # the time of the event loop when the latest read started
    _progress: dict[int, SeatProgress] = field(default_factory=dict)  # the newest, by seat
    _arrived: dict[int, SeatProgress] = field(default_factory=dict)
    """The progress that has arrived since a read started, by seat."""
    _stats: dict[int, tuple[object, PlayerStats]] = field(default_factory=dict)
    """By seat: what the stats were computed from, and the stats."""
    _fresh: set[int] = field(default_factory=set)  # seats with new progress since the last ranking
    _ranked: Room | None = None  # the version last ranked; None if all rows may have changed
    _running: set[int] = field(default_factory=set)  # seats of `_ranked` whose games are running
    _ranking: Ranking | None = None
    _rows: list[LeaderboardRow] = field(default_factory=list)
    shown: tuple[RoomState, int] | None = None  # the state and the round that the rows show

    def take(self, progress: SeatProgress) -> bool:
        """Use the progress of a seat if it is newer than the known one; return whether it is."""
        seat = progress.seat
        if self.is_being_read:  # `end_read` compares later arrivals with the result of the read
            arrived = self._arrived.get(seat)
            if arrived is None or arrived.order < progress.order:
                self._arrived[seat] = progress
                self.has_changed = True
        known = self._progress.get(seat)
        if known is not None:
            # Usually the newer progress has more acts, which is cheaper to check than its order.
            has_more_acts = progress.n == known.n and progress.acts > known.acts
            if not has_more_acts and progress.order <= known.order:
                return False
        self._progress[seat] = progress
        self._fresh.add(seat)
        self.has_changed = True
        return True

    def replace(self, progress: SeatProgress) -> bool:
        """Use progress just read from the store, even if older; return whether acts were lost."""
        known = self._progress.get(progress.seat)
        self._progress[progress.seat] = self._arrived[progress.seat] = progress
        self._fresh.add(progress.seat)
        return known is not None and progress.order < known.order

    def progress_of(self, seat: int) -> SeatProgress | None:
        """Return the known progress of a seat, if there is any."""
        return self._progress.get(seat)

    def begin_read(self, now_s: float) -> None:
        """Note that a read of all progress starts now, at `now_s` by the event loop's clock."""
        self.is_being_read, self.has_changed = True, False
        self.read_at = now_s
        self._arrived.clear()

    def end_read(self, room: Room, read: Collection[SeatProgress]) -> None:
        """Use the progress that was `read`, unless newer progress has arrived meanwhile."""
        known = self._progress.items()
        # For seats that were not read, keep only progress in this round or a later one.
        progress = {seat: each for seat, each in known if each.n >= room.rounds_started}
        progress |= {each.seat: each for each in read}
        for seat, arrived in self._arrived.items():
            if seat not in progress or progress[seat].order < arrived.order:
                progress[seat] = arrived
        self._progress, self._ranked = progress, None  # None: rank all of them again
        self.is_complete, self.is_being_read = True, False
        self._stats = {seat: known for seat, known in self._stats.items() if seat in progress}

    def needs_read(self, room: Room) -> bool:
        """Return whether progress must be read for the standings; an open window shows none."""
        return not self.is_complete and bool(room.playing()) and not room.has_open_window

    def advance(self, room: Room) -> tuple[bool, str]:
        """Rank the players again; return whether all subscribers need the whole standings.

        The whole standings are needed after a change of state or round, and whenever a game ends
        in an open window. Otherwise the message with the changes is returned too, empty if there
        are none. Raises Unreadable like `stats_in`.
        """
        before = self._rows
        are_all_ranked = self._rank(room)
        shown = (room.state, room.rounds_started)
        # A message with changes can add and replace rows, but not remove any.
        must_start_anew = shown != self.shown or len(before) > len(self._rows)
        if are_all_ranked and (must_start_anew or (room.has_open_window and before != self._rows)):
            self.shown = shown
            self._number += 1
            return True, ""
        text = changes_text(before, self._rows, self._number + 1)
        if text:
            self._number += 1
        return False, text

    def whole(self, now_ms: int, *, with_rows: bool = True) -> str:
        """Return the whole `standings` message, with the latest rows or without any."""
        return standings_text(self._rows if with_rows else (), self._number, now_ms)

    def _rank(self, room: Room) -> bool:
        """Rank all players, or only those with new progress; return whether all were ranked."""
        played = room.round
        if played is None:
            self._ranking, self._rows = None, []
            return True
        ranking = self._ranking if room is self._ranked else None
        must_rank_all = ranking is None
        if ranking is None:
            running = dict[int, PlayerStats]()
            if room.has_open_window:  # only games that are over: a row would reveal how one goes
                names = {seat: played.names[seat] for seat in sorted(played.results)}
                played = played.replace(names=names)
            else:
                seats = (seat.number for seat in room.playing())
                running = {seat: self._stats_of(seat, played) for seat in seats}
            ranking = self._ranking = Ranking(played, running)
            self._ranked, self._running = room, set(running)
        elif changed := self._fresh & self._running:
            ranking.update({seat: self._stats_of(seat, played) for seat in changed})
        self._fresh.clear()
        self._rows = ranking.rows
        return must_rank_all

    def _stats_of(self, seat: int, played: Round) -> PlayerStats:
        """Return a seat's stats in a round; compute them only if its progress has changed."""
        if (progress := self._progress.get(seat)) is None:
            return opening_stats(played)
        source: object = (progress, played.n, played.late_ms.get(seat, 0))
        known = self._stats.get(seat)
        if known is None or known[0] != source:
            known = self._stats[seat] = source, stats_in(progress, played, seat)
        return known[1]


def stats_of_seats(room: Room, progress: Mapping[int, SeatProgress]) -> dict[int, PlayerStats]:
    """Return the stats of all seats whose games are running; empty before the first round."""
    if (played := room.round) is None:
        return {}
    seats = (seat.number for seat in room.playing())
    return {seat: stats_in(progress.get(seat), played, seat) for seat in seats}


def stats_in(progress: SeatProgress | None, played: Round, seat: int) -> PlayerStats:
    """Return a seat's stats in a round, given its progress if known, or raise Unreadable."""
    hints = progress.hint_count if progress is not None and progress.hint_round == played.n else 0
    if progress is None or progress.stats_json is None or progress.n != played.n:
        opening = opening_stats(played)
        return opening.model_copy(update={"hints": hints}) if hints else opening
    late_ms = played.late_ms.get(seat, 0)  # stats count from the player's own start, not from t0
    gained_ms = max(0, progress.gained_ms - late_ms)  # when the score last rose
    finished_ms = None if progress.over_ms is None else progress.over_ms - late_ms
    try:
        return read_stats(progress.stats_json, hints, gained_ms, finished_ms)
    except ValueError:
        raise Unreadable("a seat's stats") from None
