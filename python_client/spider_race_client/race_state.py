"""What the server has sent of a room and its race, and the events of each message; no I/O."""

from collections.abc import Iterable, Iterator

from protocol import to_client
from protocol.from_client import Act
from protocol.views import RoomView, SeatView, Standing, TableSnapshot
from protocol.vocabulary import RoomState, SeatState
from spider_race_client import events
from spider_race_client.table import Table

PLAYING = {SeatState.RACING, SeatState.CHASING}
AT_TABLE = {*PLAYING, SeatState.FINISHED}
"""The states of a seat in a running race whose table the server sends on each connection."""

MAX_REMEMBERED = 256
"""Acknowledged acts that can be offered again: a server that loses acts loses seconds of them."""


class ActLog:
    """The confirmed table of a seat, and the log of its acknowledged acts.

    A table shorter than the log means that the store has lost acts, which can be offered again.
    """

    def __init__(self) -> None:
        self.table: Table | None = None
        """The latest confirmed table; None before the deal."""
        self._acknowledged: dict[int, str] = {}  # the latest acts, by their place in the log
        self._length = 0  # with all acknowledged acts

    @property
    def at(self) -> int:
        """The length of the log at the confirmed table."""
        return 0 if self.table is None else self.table.at

    def clear(self) -> None:
        """Forget the table: another round begins."""
        self.table, self._length = None, 0
        self._acknowledged.clear()

    def take_table(self, table: Table) -> tuple[list[str], bool] | None:
        """Take the whole table; return the actions that the store has lost, or None.

        They end at a gap in what is remembered; the boolean says whether there is none.
        """
        known, self.table = self.table, table
        if known is None or table.at >= self._length:
            self._length = table.at
            return None
        lost: list[str] = []
        while (at := table.at + len(lost)) in self._acknowledged:
            lost.append(self._acknowledged[at])
        is_whole, self._length = at >= self._length, at
        return lost, is_whole

    def take_acted(self, message: to_client.Acted, act: Act | None) -> None:
        """Take the reply to an act, and remember the act if it is one of this client."""
        if self.table is not None:
            self.table = self.table.after(message)
        self._length = max(self._length, message.at)
        if act is not None:
            self._acknowledged.pop(act.at, None)
            self._acknowledged[act.at] = act.action
            if len(self._acknowledged) > MAX_REMEMBERED:
                del self._acknowledged[next(iter(self._acknowledged))]

    def forget_from(self, at: int) -> None:
        """Forget the acts from a place on: another connection of the seat has acted instead."""
        self._length = min(self._length, at)
        for place in [each for each in self._acknowledged if each >= at]:
            del self._acknowledged[place]


class Leaderboard:
    """The leaderboard as the server sends it: whole, or as changes of what was sent before."""

    def __init__(self) -> None:
        self.rows: tuple[Standing, ...] = ()
        """The rows, best first."""
        self.is_incomplete = False
        """Whether changes are missing, so that the whole has to be requested."""
        self._number = 0

    def clear(self) -> None:
        """Forget all rows: another round or another connection begins."""
        self.rows, self.is_incomplete, self._number = (), False, 0

    def take(self, message: to_client.StandingsMessage | to_client.StandingsChanges) -> bool:
        """Take the whole leaderboard or its next changes; return whether the rows were replaced.

        Changes that are older than the rows are ignored. After a gap all are ignored until the
        whole has come.
        """
        if isinstance(message, to_client.StandingsMessage):
            self.rows, self.is_incomplete = message.standings, False
            self._number = message.number
            return True
        if self.is_incomplete or message.number <= self._number:
            return False
        if not self._number or message.number > self._number + 1:
            self.is_incomplete = True
            return False
        self._number = message.number
        rows = {row.seat: row for row in self.rows}
        for change in message.changed:
            known = rows.get(change["seat"])
            rows[change["seat"]] = (
                Standing.model_validate({"place": None, **change})
                if known is None
                else known.model_copy(update=dict(change))
            )
        if message.order:
            self.rows = tuple(_placed(rows, message.order))
        else:
            self.rows = tuple(rows[row.seat] for row in self.rows)
        return True


def _placed(rows: dict[int, Standing], order: Iterable[tuple[int, ...]]) -> Iterator[Standing]:
    """Yield the rows in an order; equal ones are together, and unranked ones have no place."""
    place = 1
    for together in order:
        for row in map(rows.__getitem__, together):
            shown = place if row.late_ms is None and row.stand_in is None else None
            yield row if row.place == shown else row.model_copy(update={"place": shown})
        place += len(together)


class RaceState:
    """The room of a seat, its leaderboard, its boards and its result."""

    def __init__(self, seat: int, token: str) -> None:
        self.seat = seat
        """The number of the own seat."""
        self.token = token
        """The secret with which `Client.resume` takes the seat again in another process."""
        self.known_room: RoomView | None = None
        self.log = ActLog()
        self.leaderboard = Leaderboard()
        self.watched: tuple[int, ...] = ()
        """The seats whose boards the program watches in this round."""
        self.boards: dict[int, Table] = {}
        """The watched tables of others, by seat."""
        self.result: to_client.RoundOver | None = None
        """The ranking and the revealed deal of the latest round, once it is over."""
        self.said_v = 0
        """The event up to which the chat was received; the room's version says nothing of it."""

    @property
    def room(self) -> RoomView:
        """The room: its state, settings, seats and round."""
        assert self.known_room is not None, "a race is handed out when it has joined"
        return self.known_room

    @property
    def table(self) -> Table | None:
        """The own table as the server has confirmed it; None before the deal."""
        return self.log.table

    @property
    def standings(self) -> tuple[Standing, ...]:
        """The leaderboard, best first."""
        return self.leaderboard.rows

    @property
    def own_seat(self) -> SeatView | None:
        """The own seat; None before it is taken, and while it waits to be admitted."""
        seats = () if self.known_room is None else self.known_room.seats
        return next((each for each in seats if each.seat == self.seat), None)

    @property
    def round_number(self) -> int:
        """The number of the room's round, 0 in the lobby."""
        return 0 if self.known_room is None else _round_number(self.known_room)

    @property
    def is_at_table(self) -> bool:
        """Whether the server sends the seat's table on each connection."""
        return self._has_own_seat_in(AT_TABLE)

    @property
    def is_playing(self) -> bool:
        """Whether the seat has a game of the running round to play, dealt and not ended."""
        is_on = self.table is not None and self.table.outcome is None
        return is_on and self._has_own_seat_in(PLAYING)

    @property
    def is_racing(self) -> bool:
        """Whether a countdown or a round runs."""
        states = {RoomState.COUNTDOWN, RoomState.RUNNING}
        return self.known_room is not None and self.known_room.state in states

    def is_own(self, table: TableSnapshot) -> bool:
        """Return whether a table is that of the own seat, and not one that is watched."""
        return table.seat == self.seat and self.is_at_table

    def _has_own_seat_in(self, states: set[SeatState]) -> bool:
        own, room = self.own_seat, self.known_room
        is_running = room is not None and room.state is RoomState.RUNNING
        return is_running and own is not None and own.state in states

    def take(  # noqa: C901  # a case a message
        self, message: to_client.ServerMessage
    ) -> Iterator[events.Event]:
        """Take a message and yield its events; messages about acts and commands yield none."""
        match message:
            case to_client.Joined():
                yield self._take_joined(message)
            case to_client.RoomMessage():
                if self.known_room is None or message.room.v >= self.known_room.v:
                    yield self._take_room(message.room)
            case to_client.Changes() if self.known_room is not None:
                yield self._take_room(_changed(self.known_room, message))
            case to_client.MatchMessage() if self.known_room is not None:
                self.known_room = self.known_room.model_copy(update={"match": message.match})
                yield events.MatchChanged(message.match)
            case to_client.StandingsMessage() | to_client.StandingsChanges():
                if self.leaderboard.take(message):
                    yield events.StandingsChanged(self.leaderboard.rows)
            case to_client.TableMessage() if not self.is_own(message.table):
                table = self.boards[message.table.seat] = Table.of(message.table)
                yield events.BoardChanged(table)
            case to_client.RoundOver():
                self.result = message
                yield message
            case to_client.Said():
                self.said_v = max(self.said_v, message.v)
                yield message
            case _:
                pass

    def keep_boards(self, seats: tuple[int, ...]) -> None:
        """Keep the boards of these seats, which are watched from now on, and forget others."""
        self.watched = seats
        self.boards = {seat: board for seat, board in self.boards.items() if seat in seats}

    def _take_joined(self, message: to_client.Joined) -> events.RoomChanged:
        self.seat, self.token = message.seat, message.token or self.token
        self.leaderboard.clear()
        if self.known_room is None:
            self.said_v = message.room.v  # a newcomer gets later lines only
        return self._take_room(message.room)

    def _take_room(self, room: RoomView) -> events.RoomChanged:
        """Take a version of the room; another round begins without boards, rows and result."""
        before, self.known_room = self.known_room, room
        if before is not None and room.match is None and _has_cards_of(before, room):
            self.known_room = room.model_copy(update={"match": before.match})
        is_new_round = before is not None and _round_number(before) != _round_number(room)
        if is_new_round or room.state is RoomState.LOBBY:
            self.keep_boards(())
            self.result = None
            self.leaderboard.clear()
        return events.RoomChanged(self.known_room)


def _round_number(room: RoomView) -> int:
    return 0 if room.round is None else room.round.n


def _has_cards_of(known: RoomView, room: RoomView) -> bool:
    """Return whether the known score cards are those of the same rounds."""
    return known.match is not None and len(known.match.n) == room.played


def _changed(room: RoomView, changes: to_client.Changes) -> RoomView:
    """Return the room after the changes of a large room."""
    seats = {each.seat: each for each in (*room.seats, *changes.seats)}
    for gone in changes.gone:
        seats.pop(gone, None)
    kept = tuple(seats[number] for number in sorted(seats))
    return room.model_copy(update={"v": changes.v, "host": changes.host, "seats": kept})
