"""The state machine of a room.

`TRANSITIONS` has a function for each state and each message or event that is allowed in it; a
missing entry is a refusal. A transition is pure: it returns the next record, or the same object if
nothing changes, or raises `Refusal`. The caller stores the result if the record has not changed
since it was read, and otherwise tries again. So applying a tick twice must change nothing more.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from protocol import from_client as commands
from protocol.from_client import Change, ClientMessage, Kick, Leave
from protocol.vocabulary import ErrorCode, Presence, RoomState
from server.rooms import admission, computer_players, events, kept, lobby, race, seats
from server.rooms.events import GRACE_MS, Command, Event, EventType, Refusal, type_of
from server.rooms.record import Room, Seat, round_of

# A room closes this long after its last connection is lost.
LOBBY_IDLE_MS = 30 * 60 * 1_000
FINISHED_IDLE_MS = 24 * 60 * 60 * 1_000
DAY_IDLE_MS = 60 * 60 * 1_000  # after today's race: the board of the day has the result
WINDOW_IDLE_MS = 7 * FINISHED_IDLE_MS  # after a window: its players come back less often

LET_NOBODY_LEAVE: frozenset[EventType] = frozenset({
    commands.Abort, commands.AddBot, commands.AddStandIn, commands.Carry, commands.Choose,
    commands.Configure, commands.HandOver, commands.Keep, commands.NextRound, commands.Sign,
    commands.TakeColour,
})  # fmt: skip
"""Commands that never count as somebody leaving, even if their sender is already gone."""


def apply(room: Room, event: Event) -> Room:
    """Return the room after the event, or raise Refusal; if nothing changes, the same object."""
    if isinstance(event, Command) and is_repeated(room, event.seat, event.message):
        return room  # the reply to the first one was lost
    transition = TRANSITIONS[room.state].get(type_of(event))
    if transition is None:
        raise Refusal(ErrorCode.NOT_IN_STATE)
    changed = transition(room, event)
    now_ms: int | None = getattr(event, "now_ms", None)
    # When this event may have made people leave, or None if it cannot do that.
    left_ms = None if type_of(event) in LET_NOBODY_LEAVE else now_ms
    if changed is not room:
        if isinstance(event, Command):
            changed = _with_attempt(changed, event)
        if now_ms is not None:
            changed = race.with_window_ended(changed, now_ms)
        changed = seats.with_idle_since(room, changed, left_ms)
    if left_ms is not None:
        changed = computer_players.without_unattended_bots(changed, left_ms)
    return changed


def is_repeated(room: Room, seat: int, message: ClientMessage) -> bool:
    """Return whether the message repeats the attempt of this seat's latest change of the room."""
    attempt = admission.hash_attempt(message.attempt) if isinstance(message, Change) else ""
    owner = room.seat(seat) or room.applicant(seat)
    return attempt != "" and owner is not None and owner.last_attempt == attempt


def _with_attempt(room: Room, command: Command[Any]) -> Room:
    """Note the command's attempt in its sender's seat, so that `is_repeated` recognises it."""
    owner = room.seat(command.seat) or room.applicant(command.seat)
    attempt = admission.hash_attempt(command.message.attempt)
    return room.with_seats(owner.replace(last_attempt=attempt)) if owner and attempt else room


def deadline(room: Room, grace_ms: int = GRACE_MS) -> int | None:
    """Return when the room next changes without any message (ms since the epoch), or None.

    A deserted room always has a deadline, and so closes in the end.
    """
    if room.state is RoomState.CLOSED:
        return None
    due = [seats.grace_ends(seat, grace_ms) for seat in room.everybody]
    due += [outgoing.due for outgoing in room.outbox.values()]
    due.append(computer_players.bots_leave_at(room))
    if room.state is RoomState.COUNTDOWN:
        due.append(round_of(room).t0)
    elif room.state is RoomState.RUNNING:
        due += race.deadlines(room)
    else:
        due += [_closes_at(room), lobby.opens_at(room)]
    return min((time for time in due if time is not None), default=None)


def _closes_at(room: Room) -> int | None:
    """Return when a lobby or finished room closes if nobody comes by then (ms since the epoch)."""
    idle_until = _idle_until(room)
    kept_until = 0 if room.kept is None else room.kept.until
    return None if idle_until is None else max(idle_until, kept_until)


def _idle_until(room: Room) -> int | None:
    """Return when the room will have been idle too long (ms since the epoch); None if in use."""
    if room.outbox:
        return None  # the results in the outbox are stored nowhere else
    if room.rounds and room.rounds[-1].is_todays_race and room.idle_since is not None:
        return room.idle_since + DAY_IDLE_MS
    finished_idle_ms = WINDOW_IDLE_MS if room.settings.window_s else FINISHED_IDLE_MS
    if room.state is RoomState.FINISHED and room.idle_since is not None:
        return room.idle_since + finished_idle_ms
    since = seats.deserted_since(room)
    is_fresh_lobby = room.state is RoomState.LOBBY
    if room.settings.window_s and room.counted_rounds():
        is_fresh_lobby = False  # the host has stopped a match of windows: it still has results
    limit_ms = LOBBY_IDLE_MS if is_fresh_lobby else finished_idle_ms
    return None if since is None else since + limit_ms


def _sit_down(room: Room, event: events.SitDown) -> Room:
    """Give a newcomer a seat, or a place in the queue; an attempt gets only one seat."""
    if admission.seat_of_attempt(room, event.attempt, event.now_ms) is not None:
        return room
    with_free_seat = admission.with_seat_for(room, event)
    room, number, arrival = seats.with_new_number(with_free_seat, before=room)
    joined = event.message
    seat = Seat(
        number=number,
        name=seats.free_name(room, joined.name),
        role=joined.role,
        state=admission.first_state(room, joined.role),
        generation=event.generation,
        process=event.process,
        networks=event.identity.networks,
        browser=event.identity.browser,
        by_address=not joined.browser,
        arrival=arrival,
        attempt=event.attempt,
        joined_at=event.now_ms if event.attempt else 0,  # only used to recognise the attempt
        kind=joined.kind,
    )
    if admission.newcomers_wait(room):
        return admission.with_applicant(room, seat)
    return seats.with_host(admission.with_newcomer(room, seat))


def _too_late(room: Room, _event: Event) -> Room:
    """Ignore an event that comes too late to count."""
    return room


def _leave(room: Room, command: Command[Leave]) -> Room:
    if room.applicant(command.seat) is not None:
        return admission.without_applicant(room, command.seat)
    seat = room.seat(command.seat)
    if seat is None or (seat.has_left and room.state is RoomState.FINISHED):
        return room  # they left before; the seat stays for the standings
    room = seats.without_seat(room, command.seat)
    if room.state is RoomState.COUNTDOWN and not lobby.is_anybody_ready(room):
        return lobby.to_lobby(room)
    if room.state is RoomState.FINISHED:
        return lobby.start_if_all_ready(room, command)
    return room


def _kick(room: Room, command: Command[Any]) -> Room:
    """Let the host remove another seat, and ban its owner if the host wants that."""
    seats.require_host(room, command.seat)
    seat = seats.holder_of(room, command.message.seat)
    if seat.number == command.seat:
        raise Refusal(ErrorCode.NO_SUCH_SEAT)
    if room.kept is not None and seat.is_gone:
        # An acting host who removed the absent owner would own the table.
        seats.require_owner(room, command.seat)
    if command.message.ban:
        room = admission.with_ban(room, seat)
    room = apply(room, replace(command, seat=seat.number, message=Leave()))
    left = room.seat(seat.number)
    return room if left is None else room.with_seats(left.replace(was_kicked=True))


def _reconnected(room: Room, event: events.Reconnected) -> Room:
    """Give a seat to a new connection of its player, or to one of a stand-in."""
    seat = seats.holder_of(room, event.seat)
    if event.stand_in and (seat.stand_in is None or seat.stand_in.token != event.stand_in):
        raise Refusal(ErrorCode.BAD_TOKEN)
    is_bot = seat.is_bot or event.stand_in != ""
    back = seat.replace(
        connection=Presence.ON,
        generation=event.generation,
        process=event.process,
        tab=event.tab,
        left_at=None,
        # A computer player connects from the server, so its networks identify nobody.
        networks=seat.networks if is_bot else event.networks or seat.networks,
        stand_in=seat.stand_in if is_bot else None,
    )
    if back == seat:
        return room
    if event.stand_in:
        return computer_players.with_stand_in_noted(room.with_seats(back), back)
    return seats.with_host(seats.with_returned_host(room.with_seats(back), seat.number))


def _disconnected(room: Room, event: events.Disconnected) -> Room:
    seat = seats.holder_of(room, event.seat)
    if seat.generation != event.generation or seat.connection is not Presence.ON:
        return room  # a newer connection has the seat, or its loss is known
    return room.with_seats(seat.replace(connection=Presence.GRACE, left_at=event.now_ms))


def _reported(room: Room, event: events.Reported) -> Room:
    """Take a result that was reported to its day's board off the outbox, or make it due again."""
    if room.outbox.get(event.n) != event.was:
        return room  # another process has reported it
    outbox = {n: outgoing for n, outgoing in room.outbox.items() if n != event.n}
    if event.becomes is not None:
        outbox[event.n] = event.becomes
    return room.replace(outbox=outbox)


def _process_died(room: Room, event: events.ProcessDied) -> Room:
    for seat in room.everybody:
        if seat.process == event.process:
            room = apply(room, events.Disconnected(seat.number, seat.generation, event.now_ms))
    return room


def _delete(room: Room, command: Command[commands.DeleteTable]) -> Room:
    """Close a kept table for its owner, even in the middle of a race."""
    seats.require_owner(room, command.seat)
    if room.kept is None:
        raise Refusal(ErrorCode.NOT_IN_STATE)
    return room.replace(state=RoomState.CLOSED, is_deleted=True)


def _tick_idle(room: Room, event: events.Tick) -> Room:
    """Remove seats whose grace period is over, open a window that is due, or close the room."""
    # The next window is due as soon as the last one has ended.
    if event.entropy is not None and lobby.opens_at(room) is not None:
        return lobby.count_down(room, event)
    if (left := seats.after_grace(room, event)) is not room:
        left = seats.without_lost_bots(left)
        if room.state is RoomState.FINISHED and event.entropy is not None:
            return lobby.start_if_all_ready(left, event)
        return left  # a later tick closes the room, unless somebody comes back
    closes_at = _closes_at(room)
    if closes_at is None or event.now_ms < closes_at:
        return room
    if seats.is_attended(room):
        return room.replace(idle_since=event.now_ms)  # ask again later
    return room.replace(state=RoomState.CLOSED)


Transition = Callable[[Room, Any], Room]

WHILE_OPEN: Mapping[EventType, Transition] = {
    events.SitDown: _sit_down,
    commands.Configure: lobby.configure,
    commands.Keep: kept.keep,
    Kick: _kick,
    commands.Admit: admission.admit,
    commands.Carry: admission.carry,
    commands.HandOver: seats.hand_over,
    commands.DeleteTable: _delete,
    events.TakenOver: admission.take_over,
    Leave: _leave,
    events.Reported: _reported,
    events.Reconnected: _reconnected,
    events.Disconnected: _disconnected,
    events.ProcessDied: _process_died,
    events.Closed: lambda room, _event: room.replace(state=RoomState.CLOSED),
    events.GameEnded: _too_late,
}  # for all states except CLOSED; a state may have its own entry instead

BETWEEN_RACES: Mapping[EventType, Transition] = {
    **WHILE_OPEN,
    commands.Choose: lobby.choose,
    commands.TakeColour: seats.take_colour,
    commands.Start: lobby.start,
    commands.AddBot: computer_players.add_bot,
    commands.Forget: kept.forget,
    events.Tick: _tick_idle,
}

TRANSITIONS: Mapping[RoomState, Mapping[EventType, Transition]] = {
    RoomState.LOBBY: {**BETWEEN_RACES, commands.Ready: lobby.set_ready},
    RoomState.COUNTDOWN: {
        **WHILE_OPEN,
        commands.Abort: lobby.abort,
        events.Tick: lobby.count_down_over,
    },
    RoomState.RUNNING: {
        **WHILE_OPEN,
        commands.Abort: lobby.abort,
        commands.Chase: race.chase,
        commands.Forfeit: race.forfeit,
        commands.End: race.end_race,
        commands.Sign: race.sign,
        commands.AddStandIn: computer_players.add_stand_in,
        Leave: race.leave_race,
        events.Tick: race.time_passes,
        events.GameEnded: race.game_ended,
    },
    RoomState.FINISHED: {
        **BETWEEN_RACES,
        commands.NextRound: lobby.next_round,
        commands.Rematch: lobby.rematch,
        commands.Sign: race.sign,
    },
    RoomState.CLOSED: {events.Tick: _too_late},
}
