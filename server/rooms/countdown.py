"""The way from a lobby to a race, and back. Pure, like the room."""

from protocol.from_client import Abort, NextRound, Ready, Start
from protocol.vocabulary import ErrorCode, Presence, RoomState, SeatState
from server.rooms.admission import check_place_for_player
from server.rooms.card import next_game, open_games
from server.rooms.events import Command, Tick
from server.rooms.hosts import without_past_hosts
from server.rooms.race import check_not_won, round_of
from server.rooms.record import Room, Round
from server.rooms.refusal import Refusal
from server.rooms.rounds import draw_deal
from server.rooms.seats import after_grace, host_only, in_state, seat_of, with_seats

COUNTDOWN_MS = 5_000


def set_ready(room: Room, command: Command[Ready]) -> Room:
    """Make a player ready, or not; the last one to be ready starts the countdown."""
    seat = seat_of(room, command.seat)
    state = SeatState.READY if command.message.ready else SeatState.SEATED
    if seat.role == "spectator" and not command.message.ready:
        raise Refusal(ErrorCode.NOT_A_PLAYER)
    if seat.role == "spectator":
        check_place_for_player(room)
    # A spectator who is ready becomes a player.
    changed = seat.model_copy(update={"state": state, "role": "player"})
    room = room if changed == seat else with_seats(room, changed)
    waited_for = [
        seat
        for seat in room.seats
        if seat.role == "player" and seat.connection is not Presence.GONE
    ]
    all_ready = all(seat.state is SeatState.READY for seat in waited_for)
    if len(waited_for) > 1 and all_ready:
        return _count_down(room, command)
    return room


def start(room: Room, command: Command[Start]) -> Room:
    """Start the countdown for the host."""
    host = host_only(room, command.seat)
    if host.role == "player":  # a host who starts is ready
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
    return without_past_hosts(room).model_copy(
        update={"state": RoomState.COUNTDOWN, "round": new, "started": n, "idle_since": None}
    )


def _with_open_card(room: Room) -> Room:
    """Return the room, in a new match if all games of the current one are played."""
    if open_games(room):
        return room
    return room.model_copy(update={"match": room.match + 1, "chosen": None})


def abort(room: Room, command: Command[Abort]) -> Room:
    """Stop the countdown, or a race that no ranked player has won."""
    host_only(room, command.seat)
    check_not_won(room, command.stats)
    return to_lobby(room)


def to_lobby(room: Room) -> Room:
    """Return the room in its lobby, with all players seated."""
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
    """Start the race at t0: ready players race, all other seats watch."""
    room = after_grace(room, event.now)
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
    """Open the lobby for the next round of the match or, after its last, of a new match."""
    host_only(room, command.seat)
    room = to_lobby(_with_open_card(room))
    # Seats without a connection would hold up the next round.
    connected = tuple(seat for seat in room.seats if seat.connection is not Presence.GONE)
    return room.model_copy(update={"seats": connected})
