"""Commands that are repeated because their answer was lost: answered with the room, done once."""

from dataclasses import replace
from typing import Any, get_args

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
from protocol.vocabulary import ErrorCode
from server.rooms.events import Command, Disconnected, Tick
from server.rooms.new_rooms import open_room
from server.rooms.record import Room
from server.rooms.refusal import Refusal
from server.rooms.repeated_commands import IS_DONE
from server.rooms.room import TRANSITIONS, apply
from server.rooms.timings import GRACE_MS
from tests.rooms.rooms import (
    ADA,
    BOB,
    CODE,
    CY,
    NOW,
    T0,
    counting_down,
    finished,
    happen,
    joins,
    lobby,
    practice,
    refused_code,
    running,
    sends,
)
from tests.rooms.test_deadlines import GAMES, timed_events

DEE = 3
WAITING_DEE = happen(lobby(approve=True), joins("Dee"))
START = Start(attempt="first-press-of-the-button")
STARTED = happen(lobby(), sends(BOB, Ready()), sends(ADA, START))
GIVING_UP = happen(running(), sends(BOB, Forfeit(held=True), T0))
ABANDONED = happen(running(), Disconnected(BOB, 1, T0), Tick(T0 + GRACE_MS))
CHASING = apply(running(chasers=True), sends(CY, Chase(), T0))


def test_every_command_of_a_room_shows_whether_it_is_done() -> None:
    commands = {type_ for _, type_ in TRANSITIONS if type_ in get_args(ClientMessage)}
    assert set(IS_DONE) == commands


@pytest.mark.parametrize(
    ("room", "seat", "message"),
    [
        (lobby(), BOB, Ready()),
        (happen(lobby(), sends(BOB, Ready())), ADA, Ready()),  # it begins the countdown
        (lobby(), BOB, TakeColour(colour="gold")),
        (lobby(), ADA, Start()),
        (happen(finished(), sends(BOB, Rematch())), ADA, Start()),
        (counting_down(), ADA, Abort()),
        (running(), ADA, Abort()),
        (running(), ADA, End()),
        (lobby(rounds=3), ADA, Choose(game=2)),
        (lobby(), ADA, Kick(seat=BOB)),
        (lobby(), ADA, Kick(seat=BOB, ban=True)),
        (running(), ADA, Kick(seat=BOB, ban=True)),
        (lobby(), ADA, AddBot(level="club", attempt="one-press-of-the-button")),
        (ABANDONED, ADA, AddStandIn(seat=BOB, level="club")),
        (WAITING_DEE, ADA, Kick(seat=DEE)),
        (WAITING_DEE, ADA, Admit(seat=DEE)),
        (running(chasers=True), CY, Chase()),
        (running(), BOB, Forfeit()),
        (running(), BOB, Forfeit(held=True)),
        (GIVING_UP, BOB, Forfeit(taken_back=True)),
        (practice(), ADA, Forfeit()),  # it ends the round
        (lobby(), BOB, Leave()),
        (running(), BOB, Leave()),
        (practice(), ADA, Leave()),  # it ends the round
        (WAITING_DEE, DEE, Leave()),
        (finished(), ADA, NextRound()),
        (finished(), BOB, Rematch()),
        (happen(finished(), sends(BOB, Rematch())), ADA, Rematch()),  # it begins the countdown
    ],
)
def test_a_command_that_is_repeated_seconds_later_is_done_once(
    room: Room, seat: int, message: ClientMessage
) -> None:
    once = apply(room, sends(seat, message, T0 + 1))
    assert once != room
    assert apply(once, sends(seat, message, T0 + 9_001)) == once


@pytest.mark.parametrize(
    ("room", "seat", "message"),
    [
        (happen(lobby(), sends(BOB, Ready()), sends(ADA, Start())), BOB, Ready()),
        (happen(lobby(), sends(BOB, Ready()), sends(ADA, Start()), Tick(T0)), BOB, Ready()),
        (happen(lobby(), sends(ADA, Start())), BOB, Ready(ready=False)),
        (running(rounds=3), ADA, Choose(game=1)),
        (CHASING, CY, Chase()),
        (apply(CHASING, Tick(T0 + 900_000)), CY, Chase()),
        (finished(), ADA, End()),
        (happen(STARTED, Tick(T0), Tick(T0 + 900_000)), ADA, START),
        (happen(STARTED, sends(ADA, Abort())), ADA, START),
    ],
)
def test_a_command_whose_effect_is_there_is_answered_with_the_room(
    room: Room, seat: int, message: ClientMessage
) -> None:
    assert apply(room, sends(seat, message, T0 + 9_001)) is room


def test_another_press_starts_another_round() -> None:
    aborted = happen(STARTED, sends(ADA, Abort()))
    again = apply(aborted, sends(ADA, Start(attempt="second-press-of-the-button")))
    assert again.rounds_started == aborted.rounds_started + 1


KICKED = happen(lobby(), sends(ADA, Kick(seat=BOB)))


@pytest.mark.parametrize(
    ("room", "seat", "message", "code"),
    [
        (counting_down(), CY, Ready(), ErrorCode.NOT_IN_STATE),  # a spectator
        (counting_down(), CY, Ready(ready=False), ErrorCode.NOT_IN_STATE),
        (counting_down(), BOB, Ready(ready=False), ErrorCode.NOT_IN_STATE),  # who is ready
        (finished(), BOB, Ready(), ErrorCode.NOT_IN_STATE),
        (counting_down(), CY, Rematch(), ErrorCode.NOT_IN_STATE),
        (running(), BOB, Start(), ErrorCode.NOT_IN_STATE),  # not the host
        (lobby(), ADA, Abort(), ErrorCode.NOT_IN_STATE),  # no round was begun
        (happen(finished(), sends(ADA, NextRound())), ADA, Abort(), ErrorCode.NOT_IN_STATE),
        (happen(running(), sends(ADA, Abort())), ADA, NextRound(), ErrorCode.NOT_IN_STATE),
        (happen(running(), sends(ADA, Abort())), BOB, Abort(), ErrorCode.NOT_IN_STATE),
        (lobby(), ADA, End(), ErrorCode.NOT_IN_STATE),
        (running(rounds=3), ADA, Choose(game=2), ErrorCode.NOT_IN_STATE),
        (happen(lobby(), sends(BOB, Leave())), ADA, Kick(seat=BOB), ErrorCode.NO_SUCH_SEAT),
        (KICKED, ADA, Kick(seat=BOB, ban=True), ErrorCode.NO_SUCH_SEAT),
        (KICKED, CY, Kick(seat=BOB), ErrorCode.NOT_HOST),
        (lobby(), ADA, Admit(seat=BOB), ErrorCode.NO_SUCH_SEAT),  # who has never waited
        (happen(CHASING, sends(CY, Forfeit())), CY, Chase(), ErrorCode.NOT_IN_STATE),
        (CHASING, BOB, Chase(), ErrorCode.NOT_IN_STATE),
        (running(), CY, Forfeit(), ErrorCode.NOT_RACING),
        (lobby(), BOB, Forfeit(), ErrorCode.NOT_IN_STATE),
        (happen(GIVING_UP, Tick(T0 + 5_000)), BOB, Forfeit(taken_back=True), ErrorCode.NOT_RACING),
    ],
)
def test_a_command_that_was_never_done_is_refused(
    room: Room, seat: int, message: ClientMessage, code: ErrorCode
) -> None:
    assert refused_code(room, sends(seat, message, T0 + 9_001)) is code


@settings(max_examples=150)
@given(st.lists(timed_events(), max_size=25), GAMES)
def test_any_command_that_is_repeated_is_done_once(
    events: list[tuple[int, Any]], chosen: Settings
) -> None:
    now, room = NOW, open_room(CODE, "Ada", chosen)
    for later, make in events:
        now += later
        event = make(room, now)
        try:
            room = apply(room, event)
        except Refusal:
            continue
        if isinstance(event, Command):
            assert apply(room, replace(event, now=now + 9_000)) == room
