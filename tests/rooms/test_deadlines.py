"""Deadlines: a room that nobody attends closes, whatever happened in it before."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.from_client import (
    Abort,
    Admit,
    Chase,
    Choose,
    ClientMessage,
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
from protocol.settings import Settings
from protocol.vocabulary import Presence, RoomState, SeatState
from server.rooms.events import (
    Disconnected,
    Event,
    GameEnded,
    ProcessDied,
    Reconnected,
    Tick,
)
from server.rooms.opening import open_room
from server.rooms.race import DESERTED_MS
from server.rooms.record import PlayerStats, Room
from server.rooms.refusal import Refusal
from server.rooms.room import FINISHED_IDLE_MS, LOBBY_IDLE_MS, apply, deadline
from server.rooms.timings import COUNTDOWN_MS, GRACE_MS
from tests.rooms.rooms import (
    ADA,
    BOB,
    CODE,
    CY,
    ENTROPY,
    NOW,
    T0,
    connections,
    finished,
    happen,
    joins,
    lobby,
    practice,
    running,
    sends,
    states,
)

LONGEST_LIMIT_S = 86_400
NO_LIMIT: dict[str, Any] = {"time_limit_s": None}


def left_by_all(room: Room, now: int) -> Room:
    """Return the room after all seats have disconnected and their grace has ended."""
    drops = [Disconnected(seat.number, seat.generation, now) for seat in room.seats]
    return happen(room, *drops, Tick(now + GRACE_MS))


def ticked(room: Room) -> Room:
    """Return the room after its deadline."""
    due = deadline(room)
    assert due is not None
    return apply(room, Tick(due))


def test_a_race_without_a_limit_that_everybody_left_ends_after_a_night() -> None:
    """Regression: 200 of 200 such rooms stayed until their keys expired, after seven days."""
    room = left_by_all(running(**NO_LIMIT), T0 + 60_000)
    gone = T0 + 60_000 + GRACE_MS
    assert deadline(room) == gone + DESERTED_MS
    assert apply(room, Tick(gone + DESERTED_MS - 1)) is room
    over = apply(room, Tick(gone + DESERTED_MS + 3_600_000, {ADA: PlayerStats(score=7)}))
    assert over.state is RoomState.FINISHED
    assert states(over) == "Ada TIMED_OUT, Bob TIMED_OUT, Cy WATCHING"
    assert over.round is not None
    assert over.round.ended == gone + DESERTED_MS  # not when the tick comes
    assert over.round.results[ADA].score == 7
    assert deadline(over) == gone + DESERTED_MS + FINISHED_IDLE_MS
    assert ticked(over).state is RoomState.CLOSED


def test_disconnected_players_can_go_on_in_the_morning() -> None:
    room = left_by_all(running(**NO_LIMIT), T0)
    back = apply(room, Reconnected(BOB, 2))
    assert states(back) == "Ada RACING, Bob RACING, Cy WATCHING"
    assert deadline(back) is None
    assert apply(back, Tick(T0 + 30 * DESERTED_MS)) is back
    again = left_by_all(back, T0 + DESERTED_MS)
    assert deadline(again) == T0 + DESERTED_MS + GRACE_MS + DESERTED_MS


def test_idle_connected_people_attend_the_room() -> None:
    for room in (lobby(), running(**NO_LIMIT), practice(**NO_LIMIT)):
        assert deadline(room) is None
        only_cy = happen(
            room, Disconnected(ADA, 1, T0), Disconnected(BOB, 1, T0), Tick(T0 + GRACE_MS)
        )
        assert connections(only_cy) == "Ada gone, Bob gone, Cy on"
        assert deadline(only_cy) is None


def test_a_deserted_race_with_a_limit_runs_to_its_limit() -> None:
    room = left_by_all(running(time_limit_s=LONGEST_LIMIT_S), T0)
    assert deadline(room) == T0 + LONGEST_LIMIT_S * 1_000


def test_a_race_goes_on_for_its_chasers_until_they_are_gone_too() -> None:
    room = apply(running(chasers=True, **NO_LIMIT), sends(CY, Chase(), T0 + 9))
    alone = happen(room, Disconnected(ADA, 1, T0), Disconnected(BOB, 1, T0), Tick(T0 + GRACE_MS))
    assert deadline(alone) is None
    left = happen(alone, Disconnected(CY, 1, T0 + 60_000), Tick(T0 + 60_000 + GRACE_MS))
    assert deadline(left) == T0 + 60_000 + GRACE_MS + DESERTED_MS
    assert "Cy TIMED_OUT" in states(ticked(left))


def test_a_race_that_begins_deserted_has_a_deadline() -> None:
    room = happen(lobby(**NO_LIMIT), *(Disconnected(seat, 1, NOW) for seat in (BOB, CY)))
    room = happen(room, Tick(NOW + GRACE_MS), sends(ADA, Start(), NOW + GRACE_MS))
    room = happen(room, Disconnected(ADA, 1, NOW + GRACE_MS))
    t0 = NOW + GRACE_MS + COUNTDOWN_MS
    assert deadline(room) == t0
    room = happen(room, Tick(t0))
    assert deadline(room) == NOW + 2 * GRACE_MS
    room = happen(room, Tick(NOW + 2 * GRACE_MS))
    assert deadline(room) == NOW + 2 * GRACE_MS + DESERTED_MS


def test_a_deserted_race_stored_by_the_release_before_has_a_deadline() -> None:
    room = left_by_all(running(**NO_LIMIT), T0).model_copy(update={"idle_since": None})
    assert deadline(room) == T0 + DESERTED_MS
    assert ticked(room).state is RoomState.FINISHED


def test_commands_of_a_host_who_counts_as_gone_leave_a_deadline() -> None:
    """Regression: the next round is without gone seats, so no seat was left that could leave."""
    room = apply(left_by_all(finished(), T0), sends(ADA, NextRound()))
    assert room.seats == ()
    assert deadline(room) == T0 + GRACE_MS + LOBBY_IDLE_MS
    aborted = apply(left_by_all(running(**NO_LIMIT), T0), sends(ADA, Abort()))
    assert deadline(aborted) == T0 + GRACE_MS + LOBBY_IDLE_MS


@pytest.mark.parametrize(
    ("room", "message"),
    [
        (running(**NO_LIMIT), Abort()),
        (
            running(rounds=3, **NO_LIMIT),
            Configure(settings=Settings(rounds=3, locked=True, time_limit_s=None)),
        ),
        (lobby(rounds=3), Configure(settings=Settings(rounds=2))),
        (lobby(rounds=3), Choose(game=2)),
        (finished(rounds=3), NextRound()),
    ],
)
def test_commands_of_a_host_who_counts_as_gone_keep_the_time_of_desertion(
    room: Room, message: ClientMessage
) -> None:
    """The release before did not store since when a room is deserted."""
    left = left_by_all(room, T0).model_copy(update={"idle_since": None})
    changed = apply(left, sends(ADA, message, T0 + LOBBY_IDLE_MS))
    assert changed is not left
    assert changed.idle_since == T0


def test_a_seat_without_a_connection_is_gone_after_the_grace() -> None:
    """Regression: a process killed before the host connected left the room open for a week."""
    room = open_room(CODE, "Ada", Settings(), now=NOW)
    assert connections(room) == "Ada on"
    assert deadline(room) == NOW + GRACE_MS
    assert deadline(apply(room, Reconnected(ADA, 2))) is None
    gone = ticked(room)
    assert connections(gone) == "Ada gone"
    assert deadline(gone) == NOW + GRACE_MS + LOBBY_IDLE_MS
    joined = apply(lobby(), joins("Dee", now=NOW))
    assert deadline(joined) == NOW + GRACE_MS
    assert connections(ticked(joined)) == "Ada on, Bob on, Cy on, Dee gone"
    assert connections(apply(ticked(joined), Reconnected(3, 2))) == "Ada on, Bob on, Cy on, Dee on"


def test_a_finished_room_stays_for_a_day_after_the_last_one_left() -> None:
    room = left_by_all(finished(), T0 * 2)
    assert deadline(room) == T0 * 2 + GRACE_MS + FINISHED_IDLE_MS
    left = happen(finished(), *(sends(seat, Leave(), T0 * 2) for seat in (ADA, BOB, CY)))
    assert deadline(left) == T0 * 2 + FINISHED_IDLE_MS
    unknown = left.model_copy(update={"idle_since": None})
    assert deadline(unknown) == FINISHED_IDLE_MS  # a time that is not stored counts as long ago


SEATS = st.integers(0, 5)
WHEN = st.sampled_from([0, 1, 4_000, GRACE_MS, LOBBY_IDLE_MS, DESERTED_MS, FINISHED_IDLE_MS])
GAMES = st.builds(
    Settings,
    time_limit_s=st.sampled_from([None, 10, LONGEST_LIMIT_S]),
    chasers=st.booleans(),
    rounds=st.integers(1, 3),
    approve=st.booleans(),
    max_players=st.sampled_from([2, 100]),
)


@st.composite
def timed_events(draw: st.DrawFn) -> tuple[int, Any]:
    """Draw the time since the previous event (ms), and the event."""
    seat, other = draw(SEATS), draw(SEATS)
    stats = {seat: PlayerStats(score=7, finished_ms=draw(st.sampled_from([None, 9])))}
    makers: list[Any] = [
        lambda now, _: joins("Dee", now=draw(st.sampled_from([None, now]))),
        lambda now, _: joins("Dee", "spectator", now=now),
        lambda now, _: sends(seat, Ready(), now),
        lambda now, _: sends(seat, Start(), now),
        lambda now, _: sends(seat, Chase(), now),
        lambda now, n: GameEnded(seat, n, now, stats),
        lambda now, _: sends(seat, Forfeit(), now, stats),
        lambda now, _: sends(seat, Leave(), now, stats),
        lambda now, _: sends(seat, Kick(seat=other), now),
        lambda now, _: sends(seat, End(grace_s=60), now),
        lambda now, _: ProcessDied("here", now),
        lambda now, _: Tick(now, stats),
        lambda now, _: Tick(now),
        lambda now, generation: Disconnected(seat, generation, now),
        lambda _, generation: Reconnected(seat, generation + 1, "here"),
        lambda now, _: sends(seat, Abort(), now),
        lambda now, _: sends(seat, NextRound(), now),
        lambda now, _: sends(seat, Rematch(wanted=draw(st.booleans())), now),
        lambda now, _: Tick(now, entropy=ENTROPY),
        lambda now, _: sends(seat, Admit(seat=other), now),
        lambda now, _: sends(seat, Choose(game=draw(st.integers(1, 3))), now),
        lambda now, _: sends(seat, Configure(settings=draw(GAMES)), now),
    ]
    return draw(WHEN), draw(st.sampled_from(makers))


def at(room: Room, made: Any, now: int) -> Event:
    """Make the event for the current round and the newest connection of its seat."""
    n = room.started
    event: Event = made(now, n)
    if isinstance(event, Disconnected | Reconnected):
        seat = room.seat(event.seat) or room.applicant(event.seat)
        event = made(now, 1 if seat is None else seat.generation)
    return event


def check(room: Room) -> None:
    """Check that a room without connections closes in a few ticks."""
    connected = [
        seat for seat in room.seats if seat.connection is Presence.ON and seat.left_at is None
    ]
    if room.state is RoomState.CLOSED or connected:
        return
    for _ in range(40):
        due = deadline(room)
        if due is None:
            break
        changed = apply(room, Tick(due))
        assert changed is not room, "a deadline at which nothing happens comes again and again"
        room = changed
    assert room.state is RoomState.CLOSED


@settings(max_examples=150)
@given(st.lists(timed_events(), max_size=25), GAMES)
def test_every_room_that_nobody_attends_closes_by_itself(
    events: list[tuple[int, Any]], chosen: Settings
) -> None:
    now = NOW
    room = open_room(CODE, "Ada", chosen, now=now)
    for later, made in events:
        check(room)
        now += later
        try:
            room = apply(room, at(room, made, now))
        except Refusal:
            continue
    check(room)


@pytest.mark.parametrize("connection", [Presence.ON, Presence.GRACE])
def test_a_seat_in_grace_has_a_deadline(connection: Presence) -> None:
    seat = lobby().seats[0].model_copy(update={"connection": connection, "left_at": NOW})
    room = lobby().model_copy(update={"seats": (seat,)})
    assert deadline(room) == NOW + GRACE_MS
    assert seat.state is SeatState.SEATED
