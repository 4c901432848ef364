"""The way from a lobby to a race, and back. Pure, like the room."""

from protocol.from_client import Abort, NextRound, Ready, Start
from protocol.vocabulary import Connection, ErrorCode, RoomState, SeatState
from server.rooms.admission import check_place_for_player
from server.rooms.card import next_game, open_games
from server.rooms.events import Command, Tick
from server.rooms.hosts import settled
from server.rooms.race import check_not_won, round_of
from server.rooms.record import Room, Round
from server.rooms.refusal import Refusal
from server.rooms.rounds import draw_deal
from server.rooms.seats import graced, host_only, in_state, seat_of, with_seats

COUNTDOWN_MS = 5_000


def set_ready(room: Room, command: Command[Ready]) -> Room:
    """A player is ready or not; the last one starts the countdown."""
    seat = seat_of(room, command.seat)
    state = SeatState.READY if command.message.ready else SeatState.SEATED
    if seat.role == "spectator" and not command.message.ready:
        raise Refusal(ErrorCode.NOT_A_PLAYER)
    if seat.role == "spectator":
        check_place_for_player(room)
    # A spectator who is ready has sat down to play.
    changed = seat.model_copy(update={"state": state, "role": "player"})
    room = room if changed == seat else with_seats(room, changed)
    waited_for = [
        seat
        for seat in room.seats
        if seat.role == "player" and seat.connection is not Connection.GONE
    ]
    all_ready = all(seat.state is SeatState.READY for seat in waited_for)
    if len(waited_for) > 1 and all_ready:
        return _count_down(room, command)
    return room


def start(room: Room, command: Command[Start]) -> Room:
    """The host starts the countdown."""
    host = host_only(room, command.seat)
    if host.role == "player":  # starting is being ready
        room = with_seats(room, *in_state([host], SeatState.READY))
    if not any(seat.state is SeatState.READY for seat in room.seats):
        raise Refusal(ErrorCode.NOBODY_READY)
    return _count_down(room, command)


def _count_down(room: Room, command: Command[Start | Ready]) -> Room:
    room = _with_open_card(room)
    t0 = command.now + COUNTDOWN_MS
    limit = room.settings.time_limit_s
    n = room.started + 1
    game = next_game(room)
    assert game is not None, "an open card has a game to play"
    new = Round(
        n=n,
        match=room.match,
        game=game,
        settings=room.settings,
        deal=draw_deal(room.settings, command.entropy, game - 1),
        t0=t0,
        t_end=None if limit is None else t0 + limit * 1_000,
    )
    return settled(room).model_copy(
        update={"state": RoomState.COUNTDOWN, "round": new, "started": n, "idle_since": None}
    )


def _with_open_card(room: Room) -> Room:
    """The room, in another match if all games of this one are played."""
    if open_games(room):
        return room
    return room.model_copy(update={"match": room.match + 1, "chosen": None})


def abort(room: Room, command: Command[Abort]) -> Room:
    """The host stops the countdown, or a race that nobody has won."""
    host_only(room, command.seat)
    check_not_won(room, command.stats)
    return to_lobby(room)


def to_lobby(room: Room) -> Room:
    """Back to the lobby; who came to play is seated again."""
    seats = tuple(
        seat.model_copy(
            update={"state": SeatState.SEATED if seat.role == "player" else SeatState.WATCHING}
        )
        for seat in room.seats
    )
    return room.model_copy(
        update={"state": RoomState.LOBBY, "round": None, "seats": seats, "idle_since": None}
    )


def count_down_over(room: Room, event: Tick) -> Room:
    """At t0 those who are ready race, and the others watch."""
    room = graced(room, event.now)
    if event.now < round_of(room).t0:
        return room
    seats = tuple(
        seat.model_copy(
            update={
                "state": SeatState.RACING if seat.state is SeatState.READY else SeatState.WATCHING
            }
        )
        for seat in room.seats
    )
    names = {seat.number: seat.name for seat in seats if seat.state is SeatState.RACING}
    started = round_of(room).model_copy(update={"names": names})
    return room.model_copy(update={"state": RoomState.RUNNING, "seats": seats, "round": started})


def next_round(room: Room, command: Command[NextRound]) -> Room:
    """Once more: the next round of the match or, after its last, the first of another."""
    host_only(room, command.seat)
    room = to_lobby(_with_open_card(room))
    # Those who left in the race, or were lost since, do not hold up the next one.
    there = tuple(seat for seat in room.seats if seat.connection is not Connection.GONE)
    return room.model_copy(update={"seats": there})
