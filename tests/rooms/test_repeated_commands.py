"""Commands that are repeated because their answer was lost: answered with the room, done once."""

from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.from_client import ClientMessage
from protocol.settings import Settings
from server.rooms.events import Command
from server.rooms.repeated_commands import IS_DONE
from server.rooms.room import TRANSITIONS, apply
from tests.rooms.stories import Story, story_test
from tests.rooms.test_deadlines import GAMES, TimedEvent, played, timed_events


def test_every_command_of_a_room_shows_whether_it_is_done() -> None:
    commands = {type_ for _, type_ in TRANSITIONS if type_ in get_args(ClientMessage)}
    assert set(IS_DONE) == commands


# Each last command is done; several begin the countdown or end the round.
DONE = """
lobby; Bob Ready
lobby; Bob Ready; Ada Ready
lobby; Bob TakeColour colour=gold
lobby; Ada Start
finished; Bob Rematch; Ada Start @+2m
counting_down; Ada Abort
running; Ada Abort
running; Ada End
lobby rounds=3; Ada Choose game=2
lobby; Ada Kick 1
lobby; Ada Kick 1 ban=True
running; Ada Kick 1 ban=True
lobby; Ada AddBot level=club attempt=one-press-of-the-button
abandoned; Ada AddStandIn 1 level=club
lobby approve=True; Dee joins; Ada Kick 3
lobby approve=True; Dee joins; Ada Admit 3
running chasers=True; Cy Chase
running; Bob Forfeit
running; Bob Forfeit held=True
running; Bob Forfeit held=True; Bob Forfeit taken_back=True
practice; Ada Forfeit
lobby; 1 Leave
running; 1 Leave
practice; 0 Leave
lobby approve=True; Dee joins; 3 Leave
finished; Ada NextRound
finished; Bob Rematch
finished; Bob Rematch; Ada Rematch
"""


@pytest.mark.parametrize("events", DONE.strip().splitlines())
def test_a_command_that_is_repeated_seconds_later_is_done_once(events: str) -> None:
    story = Story()
    for event in events.split("; "):
        before = story.room
        story.tell(event)
    once = story.room
    assert once != before
    story.now += 9_000
    story.tell(event.partition(" @")[0])
    assert story.room == once


test_a_command_whose_effect_is_there_is_answered_with_the_room = story_test("""
A start or another settlement that came meanwhile answers a ready player
  lobby; Bob Ready; Ada Start; Bob Ready @+9s -> same
  tick @T0; Bob Ready -> same
  lobby; Ada Start; Bob Ready ready=False -> same
A choice that is played, a chase that is over and an end that has come are done
  running rounds=3; Ada Choose game=1 -> same
  running chasers=True; Cy Chase; Cy Chase @+9s -> same
  tick @T0+15m; Cy Chase -> same
  finished; Ada End -> same
A press of start is done for good, and another one starts another round
  lobby; Bob Ready; Ada Start attempt=first-press-of-the-button; tick @T0; tick @T0+15m
  Ada Start attempt=first-press-of-the-button -> same
  lobby; Bob Ready; Ada Start attempt=first-press-of-the-button; Ada Abort
  Ada Start attempt=first-press-of-the-button -> same
  Ada Start attempt=second-press-of-the-button -> rounds_started=2
""")


test_a_command_that_was_never_done_is_refused = story_test("""
In a countdown
  counting_down; Cy Ready -> !NOT_IN_STATE
  Cy Ready ready=False -> !NOT_IN_STATE
  Bob Ready ready=False -> !NOT_IN_STATE
  Cy Rematch -> !NOT_IN_STATE
In a race
  running rounds=3; Bob Start -> !NOT_IN_STATE
  Ada Choose game=2 -> !NOT_IN_STATE
  Cy Forfeit -> !NOT_RACING
  Bob Forfeit held=True; tick @+5s; Bob Forfeit taken_back=True -> !NOT_RACING
  running chasers=True; Cy Chase; Bob Chase -> !NOT_IN_STATE
  Cy Forfeit; Cy Chase -> !NOT_IN_STATE
In a lobby in which no round was begun
  lobby; Ada Abort -> !NOT_IN_STATE
  Ada End -> !NOT_IN_STATE
  Bob Forfeit -> !NOT_IN_STATE
  Ada Admit Bob -> !NO_SUCH_SEAT
After a round
  finished; Bob Ready -> !NOT_IN_STATE
  Ada NextRound; Ada Abort -> !NOT_IN_STATE
  running; Ada Abort; Ada NextRound -> !NOT_IN_STATE
  Bob Abort -> !NOT_IN_STATE
Of a seat that left, or was kicked without a ban
  lobby; Bob Leave; Ada Kick 1 -> !NO_SUCH_SEAT
  lobby; Ada Kick Bob; Ada Kick 1 ban=True -> !NO_SUCH_SEAT
  Cy Kick 1 -> !NOT_HOST
""")


@settings(max_examples=150)
@given(st.lists(timed_events(), max_size=25), GAMES)
def test_any_command_that_is_repeated_is_done_once(
    events: list[TimedEvent], chosen: Settings
) -> None:
    for _, event, room in played(events, chosen):
        if isinstance(event, Command):
            assert apply(room, replace(event, now=event.now + 9_000)) == room
