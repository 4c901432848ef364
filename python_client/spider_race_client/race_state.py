"""The state of a room and its race, from the server's messages, and their events; no I/O."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from protocol import to_client
from protocol.views import MatchView, RoomView, SeatView, Standing, TableSnapshot
from protocol.vocabulary import CloseCode, RoomState, SeatState
from spider_race_client.table import Table

PLAYING = {SeatState.RACING, SeatState.CHASING}


class RoomChanged(NamedTuple):
    """The room has changed: seats, settings, state."""

    room: RoomView


class TableChanged(NamedTuple):
    """Your own table has changed: by a deal, by an act, or after a failure."""

    table: Table


class BoardChanged(NamedTuple):
    """The table of another player, which the program watches, has changed."""

    table: Table


class StandingsChanged(NamedTuple):
    """The leaderboard has changed; its rows are in order, best first."""

    standings: tuple[Standing, ...]


class MatchChanged(NamedTuple):
    """The score cards of the match have arrived; the messages of large rooms omit them."""

    match: MatchView | None


class ConnectionLost(NamedTuple):
    """The connection was lost; the client connects again."""

    code: CloseCode | int  # 1006 if the server sent none; an int if `CloseCode` does not have it


@dataclass(frozen=True)
class ConnectionRestored:
    """The seat is taken again."""


_OfRoom = RoomChanged | MatchChanged | to_client.RoundOver | to_client.Said
_OfGame = TableChanged | BoardChanged | StandingsChanged
Event = _OfRoom | _OfGame | ConnectionLost | ConnectionRestored


class Leaderboard:
    """The leaderboard, kept up to date by messages with all its rows or with changes."""

    def __init__(self) -> None:
        self.rows: tuple[Standing, ...] = ()  # best first
        self.is_incomplete = False  # whether changes are missing, so that it must be requested
        self._number = 0  # of the latest message that was applied; 0 before the first

    def apply(self, message: to_client.StandingsMessage | to_client.StandingsChanges) -> bool:
        """Apply a whole leaderboard or the next changes; return whether the rows were replaced.

        Ignore older changes and, after a gap, all changes until the next whole leaderboard.
        """
        number = message.number
        if isinstance(message, to_client.StandingsMessage):
            self.rows, self._number, self.is_incomplete = message.standings, number, False
            return True
        if self.is_incomplete or number <= self._number:
            return False
        if not self._number or number > self._number + 1:  # no rows to change yet, or a gap
            self.is_incomplete = True
            return False
        self._number, rows = number, {row.seat: row for row in self.rows}
        for change in message.changed:
            before = rows.get(change["seat"])
            if before is None:
                rows[change["seat"]] = Standing.model_validate({"place": None, **change})
            else:
                rows[before.seat] = before.model_copy(update=dict(change))
        order = message.order  # empty if no place has changed
        self.rows = tuple(_placed(rows, order) if order else (rows[row.seat] for row in self.rows))
        return True


def _placed(rows: dict[int, Standing], order: Iterable[tuple[int, ...]]) -> Iterator[Standing]:
    """Yield the rows in the order of these seats; late starters and stand-ins get no place."""
    place = 1
    for together in order:
        for row in map(rows.__getitem__, together):
            shown = place if row.late_ms is None and row.stand_in is None else None
            yield row if row.place == shown else row.model_copy(update={"place": shown})
        place += len(together)


class RaceState:
    """A seat's room, table, leaderboard, boards and result."""

    def __init__(self, seat: int = -1, token: str = "") -> None:
        self.seat = seat  # -1 until the server has given one
        self.token = token
        """The secret for `Client.resume`, which takes the seat again in another process."""
        self.known_room: RoomView | None = None
        self.table: Table | None = None  # your own, confirmed by the server
        self.leaderboard = Leaderboard()
        self.watched: tuple[int, ...] = ()  # the seats whose boards the program watches
        self.boards: dict[int, Table] = {}  # the watched tables of others, by seat
        self.result: to_client.RoundOver | None = None  # the latest round's, once it is over
        self.said_v = 0  # the number of the latest chat event

    @property
    def room(self) -> RoomView:
        """The room: its state, settings, seats and round."""
        assert self.known_room is not None, "a program gets a race only once it has joined"
        return self.known_room

    @property
    def standings(self) -> tuple[Standing, ...]:
        """The leaderboard, best first."""
        return self.leaderboard.rows

    @property
    def own_seat(self) -> SeatView | None:
        """Your seat; None before it is taken, and while it waits for admission."""
        seats = () if self.known_room is None else self.known_room.seats
        return next((each for each in seats if each.seat == self.seat), None)

    @property
    def round_number(self) -> int:
        """The number of the room's round, 0 in the lobby."""
        return self.beginning[0]

    @property
    def beginning(self) -> tuple[int, int]:
        """The round's number and start; after a failover it may start again with other cards."""
        room = self.known_room
        return (0, 0) if room is None or room.round is None else (room.round.n, room.round.t0)

    @property
    def is_at_table(self) -> bool:
        """Whether the server sends the seat's table on each connection."""
        return self._seat_state in {*PLAYING, SeatState.FINISHED}

    @property
    def is_playing(self) -> bool:
        """Whether the seat has a game to play in the running round."""
        is_on = self.table is not None and self.table.outcome is None
        return is_on and self._seat_state in PLAYING

    def is_own(self, table: TableSnapshot) -> bool:
        """Return whether this is the seat's own table, and not one that the program watches."""
        return table.seat == self.seat and self.is_at_table

    @property
    def _seat_state(self) -> SeatState | None:
        """The state of your seat in a running race; None otherwise."""
        own, room = self.own_seat, self.known_room
        return own.state if own and room and room.state is RoomState.RUNNING else None

    def apply_message(self, message: to_client.ServerMessage) -> Iterator[Event]:  # noqa: C901  # one case per message type
        """Apply a message and yield its events; messages about acts and commands have none."""
        match message:
            case to_client.Joined():
                self.seat, self.token = message.seat, message.token or self.token
                self.leaderboard = Leaderboard()  # the server sends it again on each connection
                # A newcomer gets only the chat after `v`; after a failover `v` may be lower.
                v = message.room.v
                self.said_v = v if self.known_room is None else min(self.said_v, v)
                yield self._take_room(message.room)
            case to_client.RoomMessage():
                if self.known_room is None or message.room.v >= self.known_room.v:
                    yield self._take_room(message.room)
            case to_client.Changes() if self.known_room is not None:
                yield self._take_room(_changed(self.known_room, message))
            case to_client.MatchMessage() if self.known_room is not None:
                self.known_room = self.known_room.model_copy(update={"match": message.match})
                yield MatchChanged(message.match)
            case to_client.StandingsMessage() | to_client.StandingsChanges():
                if self.leaderboard.apply(message):
                    yield StandingsChanged(self.leaderboard.rows)
            case to_client.TableMessage() if not self.is_own(message.table):
                table = self.boards[message.table.seat] = Table.of(message.table)
                yield BoardChanged(table)
            case to_client.RoundOver():
                self.result = message
                yield message
            case to_client.Said() if message.v > self.said_v:  # not one that is sent again
                self.said_v = message.v
                yield message

    def keep_boards(self, seats: tuple[int, ...]) -> None:
        """Note that these seats are watched from now on, and forget the boards of all others."""
        self.watched = seats
        self.boards = {seat: board for seat, board in self.boards.items() if seat in seats}

    def _take_room(self, room: RoomView) -> RoomChanged:
        """Apply a version of the room; a new round starts with no boards, rows or result."""
        previous_beginning = self.beginning
        match = self.known_room.match if self.known_room is not None else None
        if room.match is None and match is not None and len(match.n) == room.played:
            room = room.model_copy(update={"match": match})  # large rooms omit an unchanged match
        self.known_room = room
        if self.beginning != previous_beginning or room.state is RoomState.LOBBY:
            self.keep_boards(())
            self.result, self.leaderboard = None, Leaderboard()
        return RoomChanged(room)


def _changed(room: RoomView, changes: to_client.Changes) -> RoomView:
    """Return a large room with the changes of a message applied."""
    seats = {each.seat: each for each in (*room.seats, *changes.seats)}
    kept = tuple(seats[number] for number in sorted({*seats} - {*changes.gone}))
    return room.model_copy(update={"v": changes.v, "host": changes.host, "seats": kept})
