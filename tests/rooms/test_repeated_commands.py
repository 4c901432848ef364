"""Commands that are repeated because their reply was lost take effect only once."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.settings import Settings
from server.rooms.events import Command, Event, Refusal
from server.rooms.lobby import open_room
from server.rooms.room import apply
from tests.rooms.rooms import CODE, NOW
from tests.rooms.stories import Story, story_test
from tests.rooms.test_deadlines import GAMES, TimedEvent, timed_events

# The last command of each line takes effect; some start the countdown or end the round.
DONE = """
lobby; Bob Ready
lobby; Bob Ready; Ada Ready
lobby; Bob TakeColour colour=gold
lobby; Ada Configure rounds=2
lobby; Ada Start
finished; Bob Rematch; Ada Start @+2m
counting_down; Ada Abort
running; Ada Abort
running; Ada End
lobby rounds=3; Ada Choose game=2
lobby; Ada Kick 1
lobby; Ada Kick 1 ban=True
running; Ada Kick 1 ban=True
lobby; Ada AddBot level=club
abandoned; Ada AddStandIn 1 level=club
lobby approve=True; Dee joins; Ada Kick 3
lobby approve=True; Dee joins; Ada Admit 3
lobby; Bob Carry token=code
running; Ada HandOver Bob
table; Bob Forget Bob
table; Bob is gone; Ada Forget Bob
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


def attempted(event: Event, n: int) -> Event:
    """Return the event; if it is a command, give it attempt `n`."""
    if not isinstance(event, Command):
        return event
    update = {"attempt": f"press-of-a-button-{n}"}
    return replace(event, message=event.message.model_copy(update=update))


@pytest.mark.parametrize("events", DONE.strip().splitlines())
def test_a_command_that_is_repeated_seconds_later_is_done_once(events: str) -> None:
    story = Story()
    *earlier, last = events.split("; ")
    for event in earlier:
        story.tell(event)
    before, (command, _, when) = story.room, last.partition(" @")
    story.now = story.time(when) if when else story.now
    once = apply(before, attempted(story.event(command), 1))
    assert once != before
    story.now += 9_000
    assert apply(once, attempted(story.event(command), 1)) is once


test_each_attempt_counts_once = story_test("""
An attempt to start counts only once, and another attempt starts another round
  lobby; Bob Ready; Ada Start attempt=first-press-of-the-button; tick @T0; tick @T0+15m
  Ada Start attempt=first-press-of-the-button -> same
  lobby; Bob Ready; Ada Start attempt=first-press-of-the-button; Ada Abort
  Ada Start attempt=first-press-of-the-button -> same
  Ada Start attempt=second-press-of-the-button -> rounds_started=2
Attempts of different seats are different
  lobby; Ada Ready attempt=first-press-of-the-button
  Cy Ready attempt=first-press-of-the-button -> Cy READY
An applicant leaves once
  lobby approve=True; Dee joins; 3 Leave attempt=first-press-of-the-button
  3 Leave attempt=first-press-of-the-button -> same
A command that is refused or changes nothing does not use up its attempt
  lobby; Bob Ready ready=False attempt=first-press-of-the-button -> same
  Bob Ready attempt=first-press-of-the-button -> Bob READY
  Ada Kick 7 attempt=first-press-of-the-button -> !NO_SUCH_SEAT
  Ada Choose game=1 attempt=first-press-of-the-button -> same
""")


test_commands_that_are_not_repetitions_are_refused = story_test("""
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
In a lobby before the first round
  lobby; Ada Abort -> !NOT_IN_STATE
  Ada End -> !NOT_IN_STATE
  Bob Forfeit -> !NOT_IN_STATE
  Ada Admit Bob -> !NO_SUCH_SEAT
After a round
  finished; Bob Ready -> !NOT_IN_STATE
  Ada NextRound; Ada Abort -> !NOT_IN_STATE
  running; Ada Abort; Ada NextRound -> !NOT_IN_STATE
  Bob Abort -> !NOT_IN_STATE
After the seat left or was kicked
  lobby; Bob Leave; Ada Kick 1 -> !NO_SUCH_SEAT
  lobby; Ada Kick Bob; Ada Kick 1 ban=True -> !NO_SUCH_SEAT
  Cy Kick 1 -> !NOT_HOST
""")


@settings(max_examples=150)
@given(st.lists(timed_events(), max_size=25), GAMES)
def test_repeating_the_latest_command_of_a_seat_never_changes_anything(
    events: list[TimedEvent], chosen: Settings
) -> None:
    story, done = Story(), dict[int, Command[Any]]()
    story.room, story.now = open_room(CODE, "Ada", chosen), NOW
    for n, (later, text, stats) in enumerate(events):
        story.now, story.stats = story.now + later, stats
        event = attempted(story.event(text), n)
        try:
            after = apply(story.room, event)
        except Refusal:
            continue
        if isinstance(event, Command) and after is not story.room:
            done[event.seat] = event
        story.room = after
        for seat, command in done.items():
            if after.seat(seat) or after.applicant(seat):
                assert apply(after, replace(command, now_ms=story.now + 9_000)) is after
