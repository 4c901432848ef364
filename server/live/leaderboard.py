"""The standings of one room as this process knows them, and as they were sent last.

1. Figures come from three sources: acts and hints that were stored here, notifications of other
   processes, and reads of the store. The first ones are as new as they can be, the second ones
   hardly older, and of two figures of a seat the newer one counts.
2. A read is the truth: it replaces all figures except those that came while it was under way and
   are newer. So a failover that has lost acts takes their figures back.
3. Subscribers that have the standings `number` get the changes, as `number + 1`; all others get
   the whole. Every change has a number, so that a client notices a gap.
"""

import time
from collections.abc import Collection

from protocol.vocabulary import RoomState
from server.live.stats import stats_in
from server.rooms.ranking import LeaderboardRow, Ranking
from server.rooms.record import PlayerStats, Room, Round
from server.rooms.rounds import opening_stats
from server.store import SeatFigures
from server.views.standings import changes_text, standings_text

Known = tuple[SeatFigures, int, int, PlayerStats]
"""The figures of a seat, the round and the lateness for which they were read, and the stats."""


class Leaderboard:
    """The figures of a room's seats, and the rows of its standings."""

    __slots__ = (
        "_about",
        "_came",
        "_figures",
        "_fresh",
        "_opening",
        "_ranking",
        "_room",
        "_rows",
        "_running",
        "_stats",
        "changed",
        "complete",
        "doubted",
        "number",
        "read_at",
        "reading",
    )

    def __init__(self) -> None:
        self.number = 0  # of the latest change
        self.complete = False  # whether all figures were read since the process entered the room
        self.doubted = True  # whether they must be read again
        self.changed = False  # whether any have come since they were read
        self.reading = False
        self.read_at = 0.0
        self._figures: dict[int, SeatFigures] = {}
        self._came: dict[int, SeatFigures] = {}  # the newest since the latest read began
        self._stats: dict[int, Known] = {}
        self._opening: tuple[Round, PlayerStats] | None = None
        self._fresh: set[int] = set()  # seats with other figures since the latest `advance`
        self._room: Room | None = None  # of the latest `advance`; None if all may have changed
        self._running: set[int] = set()  # seats of that room whose games are on
        self._ranking: Ranking | None = None
        self._rows: list[LeaderboardRow] = []
        self._about: tuple[RoomState, int] | None = None  # the state and the round of the rows

    def learn(self, figures: SeatFigures) -> bool:
        """Take the figures of a seat, unless the known ones are as new; return whether it did."""
        seat = figures.seat
        if self.reading:
            came = self._came.get(seat)
            if came is None or came.order < figures.order:
                self._came[seat] = figures
                self.changed = True
        known = self._figures.get(seat)
        # Nearly all figures come with a newer act of the same round.
        if (
            known is not None
            and (figures.n != known.n or figures.last_id <= known.last_id)
            and figures.order <= known.order
        ):
            return False
        self._figures[seat] = figures
        self._fresh.add(seat)
        self.changed = True
        return True

    def replace(self, figures: SeatFigures) -> bool:
        """Take the figures of a seat as its table has read them; return whether they are older.

        Then the store has lost acts, and the next ones have ids that are known already.
        """
        known = self._figures.get(figures.seat)
        self._figures[figures.seat] = self._came[figures.seat] = figures
        self._fresh.add(figures.seat)
        return known is not None and figures.order < known.order

    def known(self, seat: int) -> SeatFigures | None:
        """Return the figures of a seat, or None if it has none."""
        return self._figures.get(seat)

    def begin_read(self) -> None:
        """Begin to read the figures of all players."""
        self.doubted = self.changed = False
        self.read_at = time.monotonic()
        self._came.clear()

    def taken_back(self, read: Collection[SeatFigures]) -> list[SeatFigures]:
        """Return those of the read figures that are older than what was known before the read."""
        return [
            each
            for each in read
            if each.seat not in self._came
            and (known := self._figures.get(each.seat)) is not None
            and each.order < known.order
        ]

    def end_read(self, room: Room, read: Collection[SeatFigures]) -> None:
        """Take the figures of the players of `room`; those that came meanwhile may be newer.

        Players who are not in this version of the room yet keep their figures.
        """
        known = self._figures.items()
        figures = {seat: each for seat, each in known if each.n >= room.started}
        figures |= {each.seat: each for each in read}
        for seat, came in self._came.items():
            if seat not in figures or figures[seat].order < came.order:
                figures[seat] = came
        self._figures, self.complete, self._room = figures, True, None
        self._stats = {seat: known for seat, known in self._stats.items() if seat in figures}

    def needs_read(self, room: Room) -> bool:
        """Return whether the figures must be read before anything is sent."""
        return not self.complete and bool(room.players())

    def advance(self, room: Room) -> str | None:
        """Rank the players again; return the changes, '' if there are none, None if they are many.

        In the last case the whole must be sent to all: it is about another state or round.

        Raises:
            Unreadable: this release cannot read the stored stats.
        """
        before = self._rows
        anew = self._rank(room)
        if anew:
            about = (room.state, room.started)
            if about != self._about or len(before) > len(self._rows):
                self._about = about
                self.number += 1
                return None
        text = changes_text(before, self._rows, self.number + 1)
        if text:
            self.number += 1
        return text

    def whole(self, now: int) -> str:
        """Return the `standings` message with the rows of the latest `advance`."""
        return standings_text(self._rows, self.number, now)

    def _rank(self, room: Room) -> bool:
        """Rank all players, or only those whose figures have changed in the same room.

        Return whether all were ranked.
        """
        played = room.round
        if played is None:
            self._ranking, self._rows = None, []
            return True
        ranking, fresh = self._ranking, self._fresh
        anew = ranking is None or room is not self._room
        if ranking is None or anew:
            live = {seat.number: self._stats_of(seat.number, played) for seat in room.players()}
            ranking = self._ranking = Ranking(played, live, played.states)
            self._room, self._running = room, set(live)
        elif fresh:
            changed = fresh & self._running
            ranking.update({seat: self._stats_of(seat, played) for seat in changed})
        fresh.clear()
        self._rows = ranking.rows
        return anew

    def _stats_of(self, seat: int, played: Round) -> PlayerStats:
        figures = self._figures.get(seat)
        if figures is None:
            if self._opening is None or self._opening[0] is not played:
                self._opening = (played, opening_stats(played))
            return self._opening[1]
        late = played.late.get(seat, 0)
        known = self._stats.get(seat)
        if known is not None and known[0] is figures and known[1:3] == (played.n, late):
            return known[3]
        stats = stats_in(figures, played, seat)
        self._stats[seat] = (figures, played.n, late, stats)
        return stats
