"""The state machine of a room.

Everything that changes a room stands in `TRANSITIONS`, one function for each (state, event)
that means something; a missing entry is a refusal. A transition is pure: it takes a record
and returns the next one, or the same one if nothing changes, or raises `Refusal`. Whoever
applies it writes the result back if the record is still the one that was read, and else
tries again; so a transition that time alone drives must change nothing the second time.
"""

from collections.abc import Callable
from typing import Any, assert_never

from protocol.errors import ErrorCode
from protocol.from_client import HIGHEST_SEAT
from protocol.settings import ABOUT_PEOPLE, Settings
from protocol.views import Connection, RoomState, SeatState
from server.rooms.admission import (
    admitted,
    check_place_for_player,
    first_state,
    let_in,
    waits,
    with_applicant,
    without_applicant,
)
from server.rooms.bans import with_ban
from server.rooms.card import next_game, numbers, open_games
from server.rooms.defaults import complete
from server.rooms.events import (
    Abort,
    Admit,
    Chase,
    Choose,
    Configure,
    Die,
    Done,
    Drop,
    End,
    Event,
    Forfeit,
    Kick,
    Leave,
    NextRound,
    Rematch,
    Return,
    SetReady,
    SitDown,
    Start,
    Tick,
)
from server.rooms.hosts import rehosted, reinstated, settled
from server.rooms.identity import Identity
from server.rooms.race import (
    chase,
    check_not_won,
    done,
    end,
    ends_at,
    forfeit,
    leave_race,
    round_of,
    time_passes,
)
from server.rooms.record import Room, Round, Seat, stored_settings
from server.rooms.refusal import Refusal
from server.rooms.rounds import clash_in, draw_deal
from server.rooms.seats import (
    attended,
    deserted_since,
    grace_ends,
    graced,
    holder_of,
    host_only,
    in_grace,
    in_state,
    noted,
    seat_of,
    with_seats,
    without,
)

COUNTDOWN_MS = 5_000
LOBBY_IDLE_MS = 30 * 60 * 1_000
FINISHED_IDLE_MS = 24 * 60 * 60 * 1_000


def open_room(
    code: str,
    name: str,
    settings: Settings,
    salt: str = "",
    identity: Identity | None = None,
    now: int | None = None,
) -> Room:
    """A new room, whose only seat and host is `name`, who is to come to it in a moment from `now`.

    `salt` is that of all identities in it.

    Raises:
        Refusal: the settings do not go together.
    """
    networks, browser = identity or Identity()
    host = Seat(
        number=0,
        name=name,
        role="player",
        state=SeatState.SEATED,
        left_at=now,
        networks=networks,
        browser=browser,
    )
    return Room(
        code=code,
        settings=_checked(settings),
        host=0,
        seats=(host,),
        seated=1,
        salt=salt,
    )


def open_rematch(before: Room, now: int) -> Room:
    """Return the empty room in which a finished one goes on; the first person to join is its host.

    It is open to everybody but people who were kept out of the room before.
    """
    assert before.rematch is not None, "somebody asked for it"
    return Room(
        code=before.rematch,
        settings=before.settings.model_copy(update={"locked": False}),
        host=None,
        seats=(),
        seated=0,
        idle_since=now,
        salt=before.salt,
        bans=before.bans,
        networks=before.networks,
    )


def apply(room: Room, event: Event) -> Room:
    """The room after the event; the same object when nothing has changed.

    Raises:
        Refusal: the event means nothing in this state, or is not allowed.
    """
    transition = TRANSITIONS.get((room.state, type(event)))
    if transition is None:
        raise Refusal(ErrorCode.NOT_IN_STATE)
    changed = transition(room, event)
    return room if changed is room else noted(room, changed, getattr(event, "now", None))


def deadline(room: Room) -> int | None:
    """When time alone will next change the room (milliseconds since the epoch), or None.

    None only while somebody is there, or after its end: a room that nobody attends closes itself.
    """
    everybody = (*room.seats, *room.waiting)
    due: list[int | None] = [grace_ends(seat) for seat in everybody if in_grace(seat)]
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
    """When a room between races closes; one that has raced and is attended is looked at then."""
    if room.state is RoomState.FINISHED and room.idle_since is not None:
        return room.idle_since + FINISHED_IDLE_MS
    since = deserted_since(room)
    limit = LOBBY_IDLE_MS if room.state is RoomState.LOBBY else FINISHED_IDLE_MS
    return None if since is None else since + limit


def _checked(chosen: Settings) -> Settings:
    """Return complete settings that go together."""
    settings = complete(chosen)
    clash = clash_in(settings)
    if clash is not None:
        raise Refusal(ErrorCode.BAD_SETTINGS, clash)
    return settings


def _sit_down(room: Room, event: SitDown) -> Room:
    room = admitted(room, event)
    if room.seated > HIGHEST_SEAT:
        raise Refusal(ErrorCode.ROOM_FULL)
    taken = {seat.name for seat in (*room.seats, *room.waiting)}
    name, again = event.name, 2
    while name in taken:  # two of one name could not be told apart, or could be meant to
        name, again = f"{event.name} {again}", again + 1
    seat = Seat(
        number=room.seated,
        name=name,
        role=event.role,
        state=first_state(room, event.role),
        left_at=event.now,
        networks=event.identity.networks,
        browser=event.identity.browser,
    )
    if waits(room):
        return with_applicant(room, seat).model_copy(update={"seated": room.seated + 1})
    update = {"seats": (*room.seats, seat), "seated": room.seated + 1}
    return rehosted(room.model_copy(update=update))


def _configure(room: Room, event: Configure) -> Room:
    host_only(room, event.seat)
    settings = stored_settings(_checked(event.settings), before=room.settings)
    if not _same_rules(room.settings, settings):
        room = _unready(room)
    return room.model_copy(update={"settings": settings})


def _unready(room: Room) -> Room:
    """Seat the ready players again: they agreed to another game than the one that comes now."""
    ready = [seat for seat in room.seats if seat.state is SeatState.READY]
    return with_seats(room, *in_state(ready, SeatState.SEATED))


def _choose(room: Room, event: Choose) -> Room:
    host_only(room, event.seat)
    if event.game in numbers(room.played()):
        raise Refusal(ErrorCode.GAME_PLAYED)
    if event.game not in open_games(room):
        raise Refusal(ErrorCode.NO_SUCH_GAME)
    if event.game == next_game(room):
        return room
    if room.state is RoomState.LOBBY:
        room = _unready(room)
    return room.model_copy(update={"chosen": event.game})


def _same_rules(before: Settings, after: Settings) -> bool:
    people = {name: getattr(before, name) for name in ABOUT_PEOPLE}
    return after.model_copy(update=people) == before


def _configure_people(room: Room, event: Configure) -> Room:
    """Once a round has begun, its rules stand; who may join can still be changed."""
    host_only(room, event.seat)
    settings = stored_settings(_checked(event.settings), before=room.settings)
    if not _same_rules(room.settings, settings):
        raise Refusal(ErrorCode.NOT_IN_STATE)
    return room.model_copy(update={"settings": settings})


def _set_ready(room: Room, event: SetReady) -> Room:
    seat = seat_of(room, event.seat)
    state = SeatState.READY if event.ready else SeatState.SEATED
    if seat.role == "spectator" and not event.ready:
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
        return _count_down(room, event.now, event)
    return room


def _start(room: Room, event: Start) -> Room:
    host = host_only(room, event.seat)
    if host.role == "player":  # starting is being ready
        room = with_seats(room, *in_state([host], SeatState.READY))
    if not any(seat.state is SeatState.READY for seat in room.seats):
        raise Refusal(ErrorCode.NOBODY_READY)
    return _count_down(room, event.now, event)


def _count_down(room: Room, now: int, event: Start | SetReady) -> Room:
    room = _with_open_card(room)
    t0 = now + COUNTDOWN_MS
    limit = room.settings.time_limit_s
    n = room.started + 1
    game = next_game(room)
    assert game is not None, "an open card has a game to play"
    new = Round(
        n=n,
        match=room.match,
        game=game,
        settings=room.settings,
        deal=draw_deal(room.settings, event.chance, game - 1),
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


def _abort(room: Room, event: Abort) -> Room:
    host_only(room, event.seat)
    check_not_won(room, event.figures)
    return _to_lobby(room)


def _to_lobby(room: Room) -> Room:
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


def _count_down_over(room: Room, event: Tick) -> Room:
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


def _too_late(room: Room, _event: Event) -> Room:
    """Something that was true once, told again by a process that does not know it is over."""
    return room


def _leave(room: Room, event: Leave) -> Room:
    if room.applicant(event.seat) is not None:
        return without_applicant(room, event.seat)
    seat_of(room, event.seat)
    room = without(room, event.seat)
    if room.state is RoomState.COUNTDOWN and not any(
        seat.state is SeatState.READY for seat in room.seats
    ):
        return _to_lobby(room)
    return room


def _kick(room: Room, event: Kick) -> Room:
    host_only(room, event.seat)
    seat = holder_of(room, event.target)
    if seat.number == event.seat:
        raise Refusal(ErrorCode.NO_SUCH_SEAT)
    if event.ban:
        room = with_ban(room, seat)
    room = apply(room, Leave(seat.number, event.now, event.figures))
    left = room.seat(seat.number)
    if left is None:
        return room
    return with_seats(room, left.model_copy(update={"kicked": True}))


def _admit(room: Room, event: Admit) -> Room:
    host_only(room, event.seat)
    return let_in(room, event.target)


def _rematch(room: Room, event: Rematch) -> Room:
    """The first who asks names the new room; the others are led there."""
    seat_of(room, event.seat)
    return room if room.rematch else room.model_copy(update={"rematch": event.code})


def _next_round(room: Room, event: NextRound) -> Room:
    """Once more: the next round of the match or, after its last, the first of another."""
    host_only(room, event.seat)
    room = _to_lobby(_with_open_card(room))
    # Those who left in the race, or were lost since, do not hold up the next one.
    there = tuple(seat for seat in room.seats if seat.connection is not Connection.GONE)
    return room.model_copy(update={"seats": there})


def _return(room: Room, event: Return) -> Room:
    seat = holder_of(room, event.seat)
    back = seat.model_copy(
        update={
            "connection": Connection.ON,
            "generation": event.generation,
            "process": event.process,
            "tab": event.tab,
            "left_at": None,
            "networks": event.networks or seat.networks,
        }
    )
    if back == seat:
        return room
    return rehosted(reinstated(with_seats(room, back), seat.number))


def _drop(room: Room, event: Drop) -> Room:
    seat = holder_of(room, event.seat)
    if seat.generation != event.generation or seat.connection is not Connection.ON:
        return room
    update = {"connection": Connection.GRACE, "left_at": event.now}
    return with_seats(room, seat.model_copy(update=update))


def _die(room: Room, event: Die) -> Room:
    """What the process would have told, had it not been killed."""
    for seat in (*room.seats, *room.waiting):
        if seat.process == event.process:
            room = apply(room, Drop(seat.number, seat.generation, event.now))
    return room


def _tick_idle(room: Room, event: Tick) -> Room:
    if (left := graced(room, event.now)) is not room:
        return left  # it closes so long after the last one has left
    closes_at = _closes_at(room)
    if closes_at is None or event.now < closes_at:
        return room
    if attended(room):
        return room.model_copy(update={"idle_since": event.now})
    return room.model_copy(update={"state": RoomState.CLOSED, "reason": "idle"})


TRANSITIONS: dict[tuple[RoomState, type[Event]], Callable[[Room, Any], Room]] = {
    (RoomState.LOBBY, SitDown): _sit_down,
    (RoomState.LOBBY, Configure): _configure,
    (RoomState.LOBBY, Choose): _choose,
    (RoomState.LOBBY, SetReady): _set_ready,
    (RoomState.LOBBY, Start): _start,
    (RoomState.LOBBY, Kick): _kick,
    (RoomState.LOBBY, Admit): _admit,
    (RoomState.LOBBY, Leave): _leave,
    (RoomState.LOBBY, Return): _return,
    (RoomState.LOBBY, Drop): _drop,
    (RoomState.LOBBY, Die): _die,
    (RoomState.LOBBY, Tick): _tick_idle,
    (RoomState.LOBBY, Done): _too_late,
    (RoomState.COUNTDOWN, SitDown): _sit_down,
    (RoomState.COUNTDOWN, Configure): _configure_people,
    (RoomState.COUNTDOWN, Done): _too_late,
    (RoomState.COUNTDOWN, Abort): _abort,
    (RoomState.COUNTDOWN, Kick): _kick,
    (RoomState.COUNTDOWN, Admit): _admit,
    (RoomState.COUNTDOWN, Leave): _leave,
    (RoomState.COUNTDOWN, Return): _return,
    (RoomState.COUNTDOWN, Drop): _drop,
    (RoomState.COUNTDOWN, Die): _die,
    (RoomState.COUNTDOWN, Tick): _count_down_over,
    (RoomState.RUNNING, SitDown): _sit_down,
    (RoomState.RUNNING, Configure): _configure_people,
    (RoomState.RUNNING, Abort): _abort,
    (RoomState.RUNNING, Chase): chase,
    (RoomState.RUNNING, Done): done,
    (RoomState.RUNNING, Forfeit): forfeit,
    (RoomState.RUNNING, End): end,
    (RoomState.RUNNING, Kick): _kick,
    (RoomState.RUNNING, Admit): _admit,
    (RoomState.RUNNING, Leave): leave_race,
    (RoomState.RUNNING, Return): _return,
    (RoomState.RUNNING, Drop): _drop,
    (RoomState.RUNNING, Die): _die,
    (RoomState.RUNNING, Tick): time_passes,
    (RoomState.FINISHED, SitDown): _sit_down,
    (RoomState.FINISHED, Configure): _configure_people,
    (RoomState.FINISHED, Done): _too_late,
    (RoomState.FINISHED, Kick): _kick,
    (RoomState.FINISHED, Admit): _admit,
    (RoomState.FINISHED, Leave): _leave,
    (RoomState.FINISHED, Choose): _choose,
    (RoomState.FINISHED, NextRound): _next_round,
    (RoomState.FINISHED, Rematch): _rematch,
    (RoomState.FINISHED, Return): _return,
    (RoomState.FINISHED, Drop): _drop,
    (RoomState.FINISHED, Die): _die,
    (RoomState.FINISHED, Tick): _tick_idle,
    (RoomState.CLOSED, Tick): _too_late,
}
