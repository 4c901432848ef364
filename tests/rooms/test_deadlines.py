"""Deadlines: a deserted room closes, no matter what happened before."""

from collections.abc import Iterator, Mapping

from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.settings import Settings
from protocol.vocabulary import Presence, RoomState
from server.rooms.admission import has_free_seat
from server.rooms.computer_players import LEAVES_AFTER_MS
from server.rooms.events import GRACE_MS, Event, Refusal, Tick
from server.rooms.lobby import open_room
from server.rooms.race import DESERTED_MS
from server.rooms.record import PlayerStats, Room, round_of
from server.rooms.room import FINISHED_IDLE_MS, LOBBY_IDLE_MS, WINDOW_IDLE_MS, apply, deadline
from server.rooms.seats import is_attended
from tests.rooms.rooms import CODE, ENTROPY, NOW
from tests.rooms.stories import Story, story_test

test_a_room_that_nobody_attends_has_a_deadline = story_test("""
A deserted race without a limit ends after a night, at that time even if the tick is late
  running time_limit_s=None; all are gone @T0+1m -> deadline=+DESERTED
  tick @+DESERTED-1 -> same
  tick @T0+1m+GRACE+DESERTED+1h {Ada score=7} -> FINISHED, Ada TIMED_OUT score=7, Bob TIMED_OUT, \
ended=-1h, deadline=+FINISHED_IDLE-1h
  tick @+FINISHED_IDLE-1h -> CLOSED
Disconnected players can continue in the morning
  running time_limit_s=None; all are gone
  Bob returns -> Ada RACING, Bob RACING, deadline=None
  tick @+500h -> same
  Bob is gone @T0+DESERTED -> deadline=+DESERTED
People who are connected keep the room open, even if they do nothing
  lobby; Ada drops; Bob is gone -> Ada gone, Bob gone, Cy on, deadline=None
  running time_limit_s=None; Ada drops; Bob is gone -> deadline=None
  practice time_limit_s=None -> deadline=None
  Ada drops; Bob is gone -> deadline=None
A deserted race with a limit runs until its limit
  running time_limit_s=86_400; all are gone -> deadline=T0+24h
A race goes on for its chasers until they are gone too
  running chasers=True time_limit_s=None; Cy Chase @+9; Ada drops; Bob is gone -> deadline=None
  Cy is gone -> deadline=+DESERTED
  tick @+DESERTED -> Cy TIMED_OUT
A race that starts without people has a deadline
  lobby time_limit_s=None; Bob drops; Cy is gone; Ada Start; Ada drops -> deadline=+COUNTDOWN
  tick @+COUNTDOWN -> deadline=+GRACE-COUNTDOWN
  tick @+GRACE-COUNTDOWN -> deadline=+DESERTED
A host who is gone cannot leave a room without a deadline
  finished; all are gone; Ada NextRound @NOW -> seats=0, deadline=T0+15m+GRACE+LOBBY_IDLE
  running time_limit_s=None; all are gone; Ada Abort -> deadline=+LOBBY_IDLE
Commands of a host who counts as gone do not make the room attended
  running time_limit_s=None; all are gone; Ada Abort @+30m -> idle_since=T0+GRACE
  running time_limit_s=None; all are gone; Ada Changes locked=True @+30m -> idle_since=T0+GRACE
  lobby rounds=3; all are gone; Ada Changes rounds=2 @+30m -> idle_since=NOW+GRACE
  lobby rounds=3; all are gone; Ada Choose game=2 @+30m -> idle_since=NOW+GRACE
  finished rounds=3; all are gone; Ada NextRound @+30m -> idle_since=-30m
""")


IDLE = (LEAVES_AFTER_MS, LOBBY_IDLE_MS, DESERTED_MS, FINISHED_IDLE_MS, WINDOW_IDLE_MS)
WHEN = st.sampled_from([0, 1, 4_000, GRACE_MS, *IDLE])
GAMES = st.builds(
    Settings,
    time_limit_s=st.sampled_from([None, 10, 86_400]),
    chasers=st.booleans(),
    rounds=st.integers(1, 3),
    approve=st.booleans(),
    max_players=st.sampled_from([2, 100]),
) | st.builds(
    Settings,
    time_limit_s=st.sampled_from([None, 10, 86_400]),
    window_s=st.just(86_400),
    rounds=st.integers(1, 3),
    max_players=st.sampled_from([2, 100]),
)
EVENTS = """
Dee joins
Dee joins role=spectator
{seat} Ready
{seat} Start
{seat} Chase
{seat} ends
{seat} Forfeit
{seat} Forfeit held=True
{seat} Forfeit taken_back=True
{seat} Leave
{seat} Kick {other}
{seat} Kick {other} ban=True
{seat} End grace_s=60
process here dies
tick
tick with cards
{seat} drops
{seat} returns process=here
{seat} Abort
{seat} NextRound
{seat} Rematch
{seat} Rematch wanted=False
{seat} Admit {other}
{seat} AddBot level=club
{seat} TakeColour colour=gold
{seat} AddStandIn {other} level=club token=hash
{seat} returns process=bots stand_in=hash
{seat} Choose game=2
{seat} Configure time_limit_s=10 chasers=True rounds=2
{seat} Configure locked=True
{seat} Keep
{seat} Keep kept=False
{seat} HandOver {other}
{seat} Forget {other}
{seat} Carry token=code
{seat} moves browser=phone attempt=attempt-of-seat-{seat}
{seat} DeleteTable
{seat} Configure time_limit_s=None approve=True max_players=2
{seat} Changes locked=True
{seat} Changes max_players=3
"""
TimedEvent = tuple[int, str, Mapping[int, PlayerStats]]
"""The time since the previous event (ms), the event, and the stats of the store."""


@st.composite
def timed_events(draw: st.DrawFn) -> TimedEvent:
    seat, other = draw(st.integers(0, 5)), draw(st.integers(0, 5))
    text = draw(st.sampled_from(EVENTS.strip().splitlines())).format(seat=seat, other=other)
    ended = {seat: PlayerStats(score=7, finished_ms=draw(st.sampled_from([None, 9])))}
    return draw(WHEN), text, draw(st.sampled_from([{}, ended]))


def played(events: list[TimedEvent], chosen: Settings) -> Iterator[tuple[Room, Event, Room]]:
    """Yield each event that the room does not refuse, with the room before and after it."""
    story = Story()
    story.room, story.now = open_room(CODE, "Ada", chosen), NOW
    for later, text, stats in events:
        story.now, story.stats = story.now + later, stats
        event = story.event(text)
        try:
            after = apply(story.room, event)
        except Refusal:
            continue
        yield story.room, event, after
        story.room = after


def check(room: Room) -> None:
    """Check that a room without connections closes in a few ticks."""
    people = [seat for seat in room.seats if not seat.is_played_by_bot]
    connected = any(seat.connection is Presence.ON for seat in people)
    if room.state is RoomState.CLOSED or connected:
        return
    for _ in range(40):
        due = deadline(room)
        if due is None:
            break
        changed = apply(room, Tick(due, entropy=ENTROPY))
        assert changed is not room, "a deadline without effect comes again and again"
        room = changed
    assert room.state is RoomState.CLOSED


def check_bots(room: Room) -> None:
    """Check that no computer player waits for long in a room without people."""
    if is_attended(room) or room.state not in {RoomState.LOBBY, RoomState.FINISHED}:
        return
    assert room.idle_since is not None
    later = apply(room, Tick(room.idle_since + LEAVES_AFTER_MS))
    assert later.state is RoomState.CLOSED or not any(seat.is_bot for seat in later.seats)


def check_window(before: Room, event: Event, room: Room) -> None:
    """Check that a window ends in time, or as soon as nobody could still start."""
    played = round_of(room).names if room.round else {}
    unplayed = any(seat.role == "player" and seat.number not in played for seat in room.seats)
    is_shut = room.settings.locked and not room.waiting
    if room.has_open_window and is_shut and not room.playing():
        assert unplayed or has_free_seat(room, player=True), "the window is over"
    if before.has_open_window and room.state is RoomState.FINISHED and not isinstance(event, Tick):
        assert not unplayed
        assert is_shut or not has_free_seat(room, player=True)
    numbers = [over.n for over in room.rounds if over.match == room.match]
    assert len({*numbers}) == len(numbers) <= room.settings.rounds


@settings(max_examples=150)
@given(st.lists(timed_events(), max_size=25), GAMES)
def test_every_room_that_nobody_attends_closes(events: list[TimedEvent], chosen: Settings) -> None:
    for before, event, room in played(events, chosen):
        check(room)
        check_bots(room)
        if chosen.window_s:
            check_window(before, event, room)
