"""The state machine of a room.

Every change of a room is an entry of `TRANSITIONS`: one function for each state and each class
of message or event that is allowed in it; a missing entry is a refusal. A transition is pure: it
returns the next record, or the same object if nothing changes, or raises `Refusal`. The caller
writes the result back if the stored record is still the one that was read, and else tries again.
So a transition that only time drives must change nothing when it is applied twice.
"""

from collections.abc import Callable
from typing import Any, assert_never

from protocol.from_client import (
    Abort,
    Admit,
    Chase,
    Choose,
    Configure,
    End,
    Forfeit,
    Kick,
    Leave,
    NextRound,
    Ready,
    Rematch,
    Start,
)
from protocol.vocabulary import ErrorCode, Presence, RoomState, SeatState
from server.rooms.admission import (
    admitted,
    first_state,
    let_in,
    waits,
    with_applicant,
    with_newcomer,
    without_applicant,
)
from server.rooms.bans import with_ban
from server.rooms.countdown import (
    abort,
    begin_if_all_ready,
    count_down_over,
    next_round,
    rematch,
    set_ready,
    start,
    to_lobby,
)
from server.rooms.events import (
    Command,
    Disconnected,
    Event,
    EventType,
    GameEnded,
    ProcessDied,
    Reconnected,
    SitDown,
    Tick,
    type_of,
)
from server.rooms.hosts import with_host, with_returned_host
from server.rooms.race import (
    chase,
    end,
    ends_at,
    forfeit,
    game_ended,
    leave_race,
    round_of,
    time_passes,
)
from server.rooms.record import Room, Seat
from server.rooms.refusal import Refusal
from server.rooms.seat_numbers import arrival_of, free_number, with_number_given
from server.rooms.seats import (
    after_grace,
    attended,
    deserted_since,
    grace_ends,
    holder_of,
    host_only,
    in_grace,
    seat_of,
    with_idle_since,
    with_seats,
    without,
)
from server.rooms.settings import choose, configure, configure_people
from server.rooms.timings import GRACE_MS

LOBBY_IDLE_MS = 30 * 60 * 1_000
FINISHED_IDLE_MS = 24 * 60 * 60 * 1_000
"""Time from the loss of the last connection to the close of a lobby, or of a finished room."""

TIMELESS: frozenset[EventType] = frozenset({Abort, Choose, Configure, NextRound})
"""Commands of hosts by which no person leaves the room.

If the host counts as gone, the room stays deserted since its last person left.
"""


def apply(room: Room, event: Event) -> Room:
    """Return the room after the event; the same object if nothing has changed.

    Raises:
        Refusal: the event is not allowed, or not in this state.
    """
    transition = TRANSITIONS.get((room.state, type_of(event)))
    if transition is None:
        raise Refusal(ErrorCode.NOT_IN_STATE)
    changed = transition(room, event)
    return room if changed is room else with_idle_since(room, changed, _time_of(event))


def _time_of(event: Event) -> int | None:
    """Return the time at which a room may have become deserted by the event, if it may."""
    return None if type_of(event) in TIMELESS else getattr(event, "now", None)


def deadline(room: Room, grace_ms: int = GRACE_MS) -> int | None:
    """Return when time alone changes the room next (milliseconds since the epoch), or None.

    None means that a person is connected, or that the room is closed: every room that nobody
    attends closes at some deadline.
    """
    everybody = (*room.seats, *room.waiting)
    due: list[int | None] = [grace_ends(seat, grace_ms) for seat in everybody if in_grace(seat)]
    match room.state:
        case RoomState.COUNTDOWN:
            due.append(round_of(room).t0)
        case RoomState.RUNNING:
            due.append(ends_at(room))
        case RoomState.LOBBY | RoomState.FINISHED:
            due.append(_closes_at(room))
        case RoomState.CLOSED:
            return None
        case other:
            assert_never(other)
    return min((time for time in due if time is not None), default=None)


def _closes_at(room: Room) -> int | None:
    """Return when a lobby or a finished room closes, or an attended one is checked again."""
    if room.state is RoomState.FINISHED and room.idle_since is not None:
        return room.idle_since + FINISHED_IDLE_MS
    since = deserted_since(room)
    limit = LOBBY_IDLE_MS if room.state is RoomState.LOBBY else FINISHED_IDLE_MS
    return None if since is None else since + limit


def _sit_down(room: Room, event: SitDown) -> Room:
    before, room = room, admitted(room, event)
    number = free_number(before)  # not that of a seat which gives way to this one
    taken = {seat.name for seat in (*room.seats, *room.waiting)}
    joined = event.message
    name, again = joined.name, 2
    while name in taken:  # a seat with the name of another one could pass for it
        name, again = f"{joined.name} {again}", again + 1
    seat = Seat(
        number=number,
        name=name,
        role=joined.role,
        state=first_state(room, joined.role),
        generation=event.generation,
        process=event.process,
        left_at=event.now,
        networks=event.identity.networks,
        browser=event.identity.browser,
        arrival=arrival_of(before, number),
    )
    room = with_number_given(room, number)
    if waits(room):
        return with_applicant(room, seat)
    return with_host(with_newcomer(room, seat))


def _too_late(room: Room, _event: Event) -> Room:
    """Ignore an event that a process reports after the state in which it counts."""
    return room


def _leave(room: Room, command: Command[Leave]) -> Room:
    if room.applicant(command.seat) is not None:
        return without_applicant(room, command.seat)
    seat_of(room, command.seat)
    room = without(room, command.seat)
    if room.state is RoomState.COUNTDOWN and not any(
        seat.state is SeatState.READY for seat in room.seats
    ):
        return to_lobby(room)
    if room.state is RoomState.FINISHED:
        return begin_if_all_ready(room, command.now, command.entropy, command.timings)
    return room


def _kick(room: Room, command: Command[Kick]) -> Room:
    host_only(room, command.seat)
    seat = holder_of(room, command.message.seat)
    if seat.number == command.seat:
        raise Refusal(ErrorCode.NO_SUCH_SEAT)
    if command.message.ban:
        room = with_ban(room, seat)
    now, entropy, stats = command.now, command.entropy, command.stats
    leave = Command(seat.number, now, entropy, Leave(), stats, command.timings)
    room = apply(room, leave)
    left = room.seat(seat.number)
    if left is None:
        return room
    return with_seats(room, left.model_copy(update={"kicked": True}))


def _admit(room: Room, command: Command[Admit]) -> Room:
    host_only(room, command.seat)
    return let_in(room, command.message.seat)


def _reconnected(room: Room, event: Reconnected) -> Room:
    seat = holder_of(room, event.seat)
    back = seat.model_copy(
        update={
            "connection": Presence.ON,
            "generation": event.generation,
            "process": event.process,
            "tab": event.tab,
            "left_at": None,
            "networks": event.networks or seat.networks,
        }
    )
    if back == seat:
        return room
    return with_host(with_returned_host(with_seats(room, back), seat.number))


def _disconnected(room: Room, event: Disconnected) -> Room:
    seat = holder_of(room, event.seat)
    if seat.generation != event.generation or seat.connection is not Presence.ON:
        return room
    update = {"connection": Presence.GRACE, "left_at": event.now}
    return with_seats(room, seat.model_copy(update=update))


def _process_died(room: Room, event: ProcessDied) -> Room:
    """Disconnect every seat that was connected to the process."""
    for seat in (*room.seats, *room.waiting):
        if seat.process == event.process:
            room = apply(room, Disconnected(seat.number, seat.generation, event.now))
    return room


def _tick_idle(room: Room, event: Tick) -> Room:
    if (left := after_grace(room, event.now, event.timings.grace_ms)) is not room:
        if room.state is RoomState.FINISHED and event.entropy is not None:
            return begin_if_all_ready(left, event.now, event.entropy, event.timings)
        return left  # the time to closing begins now
    closes_at = _closes_at(room)
    if closes_at is None or event.now < closes_at:
        return room
    if attended(room):
        return room.model_copy(update={"idle_since": event.now})
    return room.model_copy(update={"state": RoomState.CLOSED, "reason": "idle"})


TRANSITIONS: dict[tuple[RoomState, EventType], Callable[[Room, Any], Room]] = {
    (RoomState.LOBBY, SitDown): _sit_down,
    (RoomState.LOBBY, Configure): configure,
    (RoomState.LOBBY, Choose): choose,
    (RoomState.LOBBY, Ready): set_ready,
    (RoomState.LOBBY, Start): start,
    (RoomState.LOBBY, Kick): _kick,
    (RoomState.LOBBY, Admit): _admit,
    (RoomState.LOBBY, Leave): _leave,
    (RoomState.LOBBY, Reconnected): _reconnected,
    (RoomState.LOBBY, Disconnected): _disconnected,
    (RoomState.LOBBY, ProcessDied): _process_died,
    (RoomState.LOBBY, Tick): _tick_idle,
    (RoomState.LOBBY, GameEnded): _too_late,
    (RoomState.COUNTDOWN, SitDown): _sit_down,
    (RoomState.COUNTDOWN, Configure): configure_people,
    (RoomState.COUNTDOWN, GameEnded): _too_late,
    (RoomState.COUNTDOWN, Abort): abort,
    (RoomState.COUNTDOWN, Kick): _kick,
    (RoomState.COUNTDOWN, Admit): _admit,
    (RoomState.COUNTDOWN, Leave): _leave,
    (RoomState.COUNTDOWN, Reconnected): _reconnected,
    (RoomState.COUNTDOWN, Disconnected): _disconnected,
    (RoomState.COUNTDOWN, ProcessDied): _process_died,
    (RoomState.COUNTDOWN, Tick): count_down_over,
    (RoomState.RUNNING, SitDown): _sit_down,
    (RoomState.RUNNING, Configure): configure_people,
    (RoomState.RUNNING, Abort): abort,
    (RoomState.RUNNING, Chase): chase,
    (RoomState.RUNNING, GameEnded): game_ended,
    (RoomState.RUNNING, Forfeit): forfeit,
    (RoomState.RUNNING, End): end,
    (RoomState.RUNNING, Kick): _kick,
    (RoomState.RUNNING, Admit): _admit,
    (RoomState.RUNNING, Leave): leave_race,
    (RoomState.RUNNING, Reconnected): _reconnected,
    (RoomState.RUNNING, Disconnected): _disconnected,
    (RoomState.RUNNING, ProcessDied): _process_died,
    (RoomState.RUNNING, Tick): time_passes,
    (RoomState.FINISHED, SitDown): _sit_down,
    (RoomState.FINISHED, Configure): configure_people,
    (RoomState.FINISHED, GameEnded): _too_late,
    (RoomState.FINISHED, Kick): _kick,
    (RoomState.FINISHED, Admit): _admit,
    (RoomState.FINISHED, Leave): _leave,
    (RoomState.FINISHED, Choose): choose,
    (RoomState.FINISHED, NextRound): next_round,
    (RoomState.FINISHED, Rematch): rematch,
    (RoomState.FINISHED, Start): start,
    (RoomState.FINISHED, Reconnected): _reconnected,
    (RoomState.FINISHED, Disconnected): _disconnected,
    (RoomState.FINISHED, ProcessDied): _process_died,
    (RoomState.FINISHED, Tick): _tick_idle,
    (RoomState.CLOSED, Tick): _too_late,
}
