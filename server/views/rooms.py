"""Rooms as everybody in them may see them, and what has changed of them."""

from collections.abc import Iterable
from functools import lru_cache

from protocol.http import PublicRoom, PublicRooms
from protocol.settings import Settings
from protocol.to_client import Changes
from protocol.views import RoomView, RoundView, SeatView, WaitingView
from protocol.vocabulary import RoomState
from server.rooms.card import game_of, next_game
from server.rooms.record import Room, Round, Seat
from server.rooms.rounds import commitment_of
from server.views.match import match_view

SEATS_WHOLE = 12
"""Seats of the largest room that is sent whole on each change: it fits into a packet or two."""
LINES_ALONG = 32
"""Lines of match cards that come along with the room, at most; more are sent on their own."""
BETWEEN_GAMES = {RoomState.LOBBY, RoomState.FINISHED}
"""The states in which the next game of a match can be chosen."""


@lru_cache(maxsize=256)
def settings_view(settings: Settings) -> Settings:
    """Settings without what a newer release has stored with them: the wire knows only these."""
    return Settings.model_construct(**vars(settings))


def room_view(room: Room, v: int) -> RoomView:
    """The room as everybody in it may see it."""
    return RoomView(
        code=room.code,
        v=v,
        state=room.state,
        settings=settings_view(room.settings),
        host=room.host,
        seats=tuple(_seat_view(seat) for seat in room.seats),
        round=None if room.round is None else _round_view(room.round, game_of(room)),
        played=len(room.played()),
        match=match_view(room) if match_comes_along(room) else None,
        next_game=next_game(room) if room.state in BETWEEN_GAMES else None,
        rematch=room.rematch,
        waiting=tuple(
            WaitingView(seat=seat.number, name=seat.name, role=seat.role) for seat in room.waiting
        ),
    )


def _seat_view(seat: Seat) -> SeatView:
    return SeatView(
        seat=seat.number,
        name=seat.name,
        role=seat.role,
        state=seat.state,
        connection=seat.connection,
    )


def match_comes_along(room: Room) -> bool:
    """Whether the cards of the match are few enough to be sent with each change of the room."""
    return len(room.seats) * len(room.played()) <= LINES_ALONG


def changes_since(before: Room, room: Room, v: int) -> Changes | None:
    """What has changed since an earlier state of the room; None if more than seats and host has.

    Small rooms are sent whole: None as well.
    """
    if len(room.seats) <= SEATS_WHOLE or _frame_of(before) != _frame_of(room):
        return None
    was = {seat.number: seat for seat in before.seats}
    changed = (seat for seat in room.seats if was.get(seat.number) != seat)
    gone = was.keys() - {seat.number for seat in room.seats}
    return Changes(
        v=v,
        host=room.host,
        seats=tuple(_seat_view(seat) for seat in changed),
        gone=tuple(sorted(gone)),
    )


def _frame_of(room: Room) -> tuple[object, ...]:
    """Everything of the room's view but its seats and its host."""
    played = room.round and (room.round.n, room.round.t0, room.round.t_end)
    match = (len(room.rounds), room.match, room.chosen)
    return (room.state, room.settings, played, match, room.rematch, room.waiting)


def waiting_view(room: Room, v: int, number: int) -> RoomView:
    """The room as one who waits to be let in may see it: the host, the rules, and the queue."""
    seats = tuple(seat for seat in room.seats if seat.number == room.host)
    queue = tuple(seat for seat in room.waiting if seat.number == number)
    shown = room_view(room.model_copy(update={"seats": seats, "waiting": queue}), v)
    return shown.model_copy(update={"match": None, "rematch": None})


def _round_view(played: Round, game: int) -> RoundView:
    return RoundView(
        n=played.n,
        game=game,
        t0=played.t0,
        t_end=played.t_end,
        commitment=commitment_of(played.deal),
        number=played.deal.number,
    )


def public_room(room: Room) -> PublicRoom:
    """One line of the front page's list."""
    host = None if room.host is None else room.seat(room.host)
    return PublicRoom(
        code=room.code,
        state=room.state,
        game=room.settings.game,
        host=host.name if host else "",
        players=sum(seat.role == "player" for seat in room.seats),
    )


def public_rooms(rooms: Iterable[Room]) -> PublicRooms:
    """The front page's list."""
    return PublicRooms(rooms=tuple(map(public_room, rooms)))
