"""What the server has sent of a room and its race, and the events of each message; no I/O."""

from collections.abc import Iterator

from protocol.to_client import (
    Changes,
    Joined,
    MatchMessage,
    RoomMessage,
    RoundOver,
    Said,
    ServerMessage,
    StandingsChanges,
    StandingsMessage,
)
from protocol.views import RoomView, SeatView
from protocol.vocabulary import RoomState, SeatState
from spider_race_client.events import (
    BoardChanged,
    Event,
    MatchChanged,
    RoomChanged,
    StandingsChanged,
)
from spider_race_client.leaderboard import Leaderboard
from spider_race_client.table import Table

PLAYING = {SeatState.RACING, SeatState.CHASING}
AT_TABLE = {*PLAYING, SeatState.FINISHED}
"""The states of a seat in a running race whose table the server sends on each connection."""


class RaceState:
    """The room of a seat, its leaderboard, its boards and its result."""

    def __init__(self, seat: int, token: str) -> None:
        self.seat = seat
        self.token = token
        self.room: RoomView | None = None
        self.leaderboard = Leaderboard()
        self.watched: tuple[int, ...] = ()
        """The seats whose boards the program watches in this round."""
        self.boards: dict[int, Table] = {}
        self.result: RoundOver | None = None
        self.said_v = 0
        """The event up to which the chat was received; the room's version says nothing of it."""

    @property
    def own_seat(self) -> SeatView | None:
        """The own seat; None before it is taken, and while it waits to be admitted."""
        seats = () if self.room is None else self.room.seats
        return next((each for each in seats if each.seat == self.seat), None)

    @property
    def round_number(self) -> int:
        """The number of the room's round, 0 in the lobby."""
        return 0 if self.room is None else round_number(self.room)

    @property
    def is_at_table(self) -> bool:
        """Whether the server sends the seat's table on each connection."""
        own = self.own_seat
        is_running = self.room is not None and self.room.state is RoomState.RUNNING
        return is_running and own is not None and own.state in AT_TABLE

    @property
    def is_playing(self) -> bool:
        """Whether the seat's game is on."""
        own = self.own_seat
        return self.is_at_table and own is not None and own.state in PLAYING

    @property
    def is_without_cards(self) -> bool:
        """Whether the score cards of the match have to be requested."""
        return self.room is not None and self.room.played > 0 and self.room.match is None

    def take(self, message: ServerMessage) -> Iterator[Event]:
        """Take a message and yield its events; messages about acts and commands yield none."""
        match message:
            case Joined():
                yield self._take_joined(message)
            case RoomMessage():
                if self.room is None or message.room.v >= self.room.v:
                    yield self._take_room(message.room)
            case Changes() if self.room is not None:
                yield self._take_room(_changed(self.room, message))
            case MatchMessage() if self.room is not None:
                self.room = self.room.model_copy(update={"match": message.match})
                yield MatchChanged(message.match)
            case StandingsMessage() | StandingsChanges():
                if self.leaderboard.take(message):
                    yield StandingsChanged(self.leaderboard.rows)
            case RoundOver():
                self.result = message
                yield message
            case Said():
                self.said_v = max(self.said_v, message.v)
                yield message
            case _:
                pass

    def watch(self, seats: tuple[int, ...]) -> None:
        """Watch the boards of these seats, and forget those of others."""
        self.watched = seats
        self.boards = {seat: board for seat, board in self.boards.items() if seat in seats}

    def take_board(self, table: Table) -> BoardChanged:
        """Take the table of another seat, which is watched."""
        self.boards[table.seat] = table
        return BoardChanged(table)

    def _take_joined(self, message: Joined) -> RoomChanged:
        self.seat, self.token = message.seat, message.token or self.token
        self.leaderboard.clear()
        if self.room is None:
            self.said_v = message.room.v  # a newcomer gets later lines only
        return self._take_room(message.room)

    def _take_room(self, room: RoomView) -> RoomChanged:
        """Take a version of the room; another round begins without boards, rows and result."""
        before, self.room = self.room, room
        if before is not None and room.match is None and _has_cards_of(before, room):
            self.room = room.model_copy(update={"match": before.match})
        is_new_round = before is not None and round_number(before) != round_number(room)
        if is_new_round or room.state is RoomState.LOBBY:
            self.watch(())
            self.result = None
            self.leaderboard.clear()
        return RoomChanged(self.room)


def round_number(room: RoomView) -> int:
    """Return the number of the room's round, 0 in the lobby."""
    return 0 if room.round is None else room.round.n


def _has_cards_of(known: RoomView, room: RoomView) -> bool:
    """Return whether the known score cards are those of the same rounds."""
    return known.match is not None and len(known.match.n) == room.played


def _changed(room: RoomView, changes: Changes) -> RoomView:
    """Return the room after the changes of a large room."""
    seats = {each.seat: each for each in (*room.seats, *changes.seats)}
    for gone in changes.gone:
        seats.pop(gone, None)
    kept = tuple(seats[number] for number in sorted(seats))
    return room.model_copy(update={"v": changes.v, "host": changes.host, "seats": kept})
