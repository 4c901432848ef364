"""Deadlines: a room that nobody attends closes, whatever happened in it before."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.from_client import (
    Abort,
    AddBot,
    AddStandIn,
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
    TakeColour,
)
from protocol.settings import Settings
from protocol.vocabulary import SEAT_COLOURS, Presence, RoomState, SeatState
from server.rooms.computer_players import LEAVES_AFTER_MS
from server.rooms.events import (
    Disconnected,
    GameEnded,
    ProcessDied,
    Reconnected,
    StandInWithdrawn,
    Tick,
)
from server.rooms.new_rooms import open_room
from server.rooms.race import DESERTED_MS, round_of
from server.rooms.record import PlayerStats, Room
from server.rooms.refusal import Refusal
from server.rooms.room import FINISHED_IDLE_MS, LOBBY_IDLE_MS, apply, deadline
from server.rooms.seats import attended
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
    assert round_of(over).ended == gone + DESERTED_MS  # not when the tick comes
    assert round_of(over).results[ADA].score == 7
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
    left = left_by_all(room, T0)
    changed = apply(left, sends(ADA, message, T0 + LOBBY_IDLE_MS))
    assert changed is not left
    assert changed.idle_since == T0 + GRACE_MS


def test_a_finished_room_stays_for_a_day_after_the_last_one_left() -> None:
    room = left_by_all(finished(), T0 * 2)
    assert deadline(room) == T0 * 2 + GRACE_MS + FINISHED_IDLE_MS
    left = happen(finished(), *(sends(seat, Leave(), T0 * 2) for seat in (ADA, BOB, CY)))
    assert deadline(left) == T0 * 2 + FINISHED_IDLE_MS


SEATS = st.integers(0, 5)
COLOURS = st.sampled_from(SEAT_COLOURS)
WHEN = st.sampled_from(
    [0, 1, 4_000, GRACE_MS, LEAVES_AFTER_MS, LOBBY_IDLE_MS, DESERTED_MS, FINISHED_IDLE_MS]
)
GAMES = st.builds(
    Settings,
    time_limit_s=st.sampled_from([None, 10, LONGEST_LIMIT_S]),
    chasers=st.booleans(),
    rounds=st.integers(1, 3),
    approve=st.booleans(),
    max_players=st.sampled_from([2, 100]),
)


def generation_of(room: Room, number: int) -> int:
    """Return the generation of a seat's newest connection."""
    seat = room.seat(number) or room.applicant(number)
    return 1 if seat is None else seat.generation


@st.composite
def timed_events(draw: st.DrawFn) -> tuple[int, Any]:
    """Draw the time since the previous event (ms), and the maker of an event of a room, then."""
    seat, other = draw(SEATS), draw(SEATS)
    stats = {seat: PlayerStats(score=7, finished_ms=draw(st.sampled_from([None, 9])))}
    makers: list[Any] = [
        lambda _, __: joins("Dee"),
        lambda _, __: joins("Dee", "spectator"),
        lambda _, now: sends(seat, Ready(), now),
        lambda _, now: sends(seat, Start(), now),
        lambda _, now: sends(seat, Chase(), now),
        lambda room, now: GameEnded(seat, room.rounds_started, now, stats),
        lambda _, now: sends(seat, Forfeit(), now, stats),
        lambda _, now: sends(seat, Forfeit(held=True), now),
        lambda _, now: sends(seat, Forfeit(taken_back=True), now),
        lambda _, now: sends(seat, Leave(), now, stats),
        lambda _, now: sends(seat, Kick(seat=other, ban=draw(st.booleans())), now),
        lambda _, now: sends(seat, End(grace_s=60), now),
        lambda _, now: ProcessDied("here", now),
        lambda _, now: Tick(now, stats),
        lambda _, now: Tick(now),
        lambda room, now: Disconnected(seat, generation_of(room, seat), now),
        lambda room, _: Reconnected(seat, generation_of(room, seat) + 1, "here"),
        lambda _, now: sends(seat, Abort(), now),
        lambda _, now: sends(seat, NextRound(), now),
        lambda _, now: sends(seat, Rematch(wanted=draw(st.booleans())), now),
        lambda _, now: Tick(now, entropy=ENTROPY),
        lambda _, now: sends(seat, Admit(seat=other), now),
        lambda _, now: sends(seat, AddBot(level="club", attempt="a" * 16), now),
        lambda _, now: sends(seat, TakeColour(colour=draw(COLOURS)), now),
        lambda _, now: replace(
            sends(seat, AddStandIn(seat=other, level="club"), now), token_hash="hash"
        ),
        lambda room, _: Reconnected(seat, generation_of(room, seat) + 1, "bots", stand_in="hash"),
        lambda _, now: StandInWithdrawn(seat, "hash", now),
        lambda _, now: sends(seat, Choose(game=draw(st.integers(1, 3))), now),
        lambda _, now: sends(seat, Configure(settings=draw(GAMES)), now),
    ]
    return draw(WHEN), draw(st.sampled_from(makers))


def check(room: Room) -> None:
    """Check that a room without connections closes in a few ticks."""
    connected = any(
        seat.connection is Presence.ON and not seat.is_held_by_bot for seat in room.seats
    )
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


def check_bots(room: Room) -> None:
    """Check that no computer player waits for long in a room that no person attends."""
    if attended(room) or room.state not in {RoomState.LOBBY, RoomState.FINISHED}:
        return
    assert room.idle_since is not None
    later = apply(room, Tick(room.idle_since + LEAVES_AFTER_MS))
    assert later.state is RoomState.CLOSED or not any(seat.is_bot for seat in later.seats)


@settings(max_examples=150)
@given(st.lists(timed_events(), max_size=25), GAMES)
def test_every_room_that_nobody_attends_closes_by_itself(
    events: list[tuple[int, Any]], chosen: Settings
) -> None:
    now = NOW
    room = open_room(CODE, "Ada", chosen)
    for later, make in events:
        check(room)
        check_bots(room)
        now += later
        try:
            room = apply(room, make(room, now))
        except Refusal:
            continue
    check(room)


def test_a_seat_in_grace_has_a_deadline() -> None:
    room = apply(lobby(), Disconnected(ADA, 1, NOW))
    assert deadline(room) == NOW + GRACE_MS
    assert room.seats[0].state is SeatState.SEATED
