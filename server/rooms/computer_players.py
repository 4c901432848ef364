"""Computer players: those that the host adds to a room, and stand-ins. Pure, like the room.

1. A computer player has a seat like a person's, with a `level`. The process that serves the host
   takes it, and holds it as a socket does (`server/bots`).
2. It counts as nobody: it is no host, keeps no room open, and a race of computer players alone
   does not begin. It is ranked, but a win against it counts in no tally.
3. It is ready at any time, in the lobby and after a race.
4. One whose connection is lost goes on at another process. After `BOT_GRACE_MS` no process has it:
   in the lobby and after a race it loses its seat, in a race its game ends.
5. It plays its game to the end. But it does not wait in a room that no person attends: it leaves
   after `LEAVES_AFTER_MS`, or at once if no person is left who may come back. So its place is free
   for other rooms.
6. A stand-in finishes the game of a person who is gone, if the host asks for it. The seat stays
   its owner's, with its token: an owner who returns goes on with the game, and the stand-in ends.
7. The process of the host takes the seat for the stand-in, until the game is over. That is a
   connection of the seat like any other, fenced by its generation.
8. A seat that a stand-in holds counts as a computer player's: it is no host, keeps no room open.
9. While a window is open nobody stands in. There computer players begin when it opens.
10. A game in which a stand-in has taken part is not ranked in this round (`Round.stand_ins`).
"""

from collections.abc import Mapping

from protocol.from_client import AddBot, AddStandIn
from protocol.vocabulary import MAX_BOTS, BotLevel, ErrorCode, Presence, RoomState, SeatState
from server.rooms.admission import with_free_seat, with_newcomer
from server.rooms.events import Command, Refusal
from server.rooms.record import Room, Seat, StandIn, round_of
from server.rooms.seats import deserted_since, free_name, host_only, seat_of, with_new_number

NAMES: Mapping[BotLevel, tuple[str, ...]] = {
    "beginner": ("Pip", "Dot", "Bim", "Kit", "Tam", "Lou"),
    "club": ("Web", "Ivo", "Ned", "Mab", "Gus", "Wyn"),
    "expert": ("Ara", "Orb", "Ash", "Rex", "Zed", "Nyx"),
}  # short, as the list of events is narrow; the mark beside a name shows that it is a program's

LEAVES_AFTER_MS = 120_000  # after the last person is gone computer players stay this long

FIRST_GENERATION = 1  # the generation of a new seat, which no connection has yet


def add_bot(room: Room, command: Command[AddBot]) -> Room:
    """Add a computer player, whose connection comes in a moment."""
    host_only(room, command.seat)
    message = command.message
    _check_bots(room)
    room, number, arrival = with_new_number(with_free_seat(room, player=True), room)
    seat = Seat(
        number=number,
        name=free_name(room, *NAMES[message.level]),
        role="player",
        state=SeatState.READY,
        connection=Presence.GRACE,
        generation=FIRST_GENERATION,
        left_at=command.now_ms,
        arrival=arrival,
        attempt=name_of(command.token_hash),
        kind="program",
        level=message.level,
        pace=message.pace,
    )
    return with_newcomer(room, seat)


def _check_bots(room: Room, besides: int | None = None) -> None:
    bots = sum(seat.is_played_by_bot for seat in room.seats if seat.number != besides)
    if bots >= MAX_BOTS:
        raise Refusal(ErrorCode.TOO_MANY_BOTS)


def name_of(token_hash: str) -> str:
    """Return the name by which the computer player or stand-in with this token is counted."""
    return token_hash[:16]


def counted_bots(room: Room) -> dict[str, BotLevel]:
    """Return the names of the room's computer players and stand-ins, with their levels.

    Those that have left a race, or play for nobody any more, are none, though their seats stay.
    """
    counted: dict[str, BotLevel] = {}
    for seat in room.seats:
        if seat.level is not None and seat.attempt and not seat.has_left:
            counted[seat.attempt] = seat.level
        elif seat.stand_in is not None and not seat.is_gone:
            counted[name_of(seat.stand_in.token)] = seat.stand_in.level
    return counted


def bots_leave_at(room: Room) -> int | None:
    """Return when computer players leave a room that no person attends; None if none does."""
    since = deserted_since(room)
    return None if since is None or not _idle_bots(room) else since + LEAVES_AFTER_MS


def without_unattended_bots(room: Room, now_ms: int) -> Room:
    """Return the room without computer players that wait in it, though no person attends it."""
    due = bots_leave_at(room)
    may_return = any(not (seat.is_bot or seat.has_left) for seat in room.seats)
    if due is None or (now_ms < due and may_return):
        return room
    leaving = _idle_bots(room)
    if room.state is not RoomState.RUNNING:
        return room.replace(seats=tuple(seat for seat in room.seats if seat not in leaving))
    # Their seats stay for the standings. As removed ones they lose their connections.
    gone = (
        seat.replace(connection=Presence.GONE, left_at=now_ms, has_left=True, was_kicked=True)
        for seat in leaving
    )
    return room.with_seats(*gone)


def _idle_bots(room: Room) -> list[Seat]:
    """Return the computer players that have no game to play, now or in a moment."""
    bots = [seat for seat in room.seats if seat.is_bot]
    if room.state is RoomState.RUNNING:
        return [seat for seat in bots if not (seat.plays or seat.has_left)]
    return bots if room.state in {RoomState.LOBBY, RoomState.FINISHED} else []


def add_stand_in(room: Room, command: Command[AddStandIn]) -> Room:
    """Let a computer player take the seat of a player who is gone; its connection comes soon."""
    host_only(room, command.seat)
    message = command.message
    seat = seat_of(room, message.seat)
    if seat.stand_in is not None and not seat.is_gone:
        return room
    if seat.is_bot or not seat.plays:
        raise Refusal(ErrorCode.NOT_RACING)
    # Players of a window may be away, and come back; a game of the day is played by its player.
    if room.has_open_window or round_of(room).key:
        raise Refusal(ErrorCode.NOT_IN_STATE)
    if not seat.is_gone:
        raise Refusal(ErrorCode.PLAYER_IS_BACK)
    _check_bots(room, besides=seat.number)
    stand_in = StandIn(level=message.level, token=command.token_hash)
    taken = seat.replace(stand_in=stand_in, connection=Presence.GRACE, left_at=command.now_ms)
    return room.with_seats(taken)


def with_stand_in_noted(room: Room, seat: Seat) -> Room:
    """Return the room whose round shows that a stand-in plays at a seat."""
    assert seat.stand_in is not None, "it has just taken the seat"
    played = round_of(room)
    if played.stand_ins.get(seat.number) == seat.stand_in.level:
        return room
    stand_ins = played.stand_ins | {seat.number: seat.stand_in.level}
    return room.replace(round=played.replace(stand_ins=stand_ins))
