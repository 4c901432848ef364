"""Every event in every state of a room, and the corner cases of each transition."""

import pytest

from protocol.vocabulary import MAX_SEATS, ErrorCode, RoomState
from server.rooms import room as machine
from server.rooms.events import GRACE_MS, Disconnected, Tick, type_of
from server.rooms.record import Kept, round_of
from server.rooms.room import apply
from tests.rooms.rooms import (
    BOB,
    ENTROPY,
    NOW,
    ROOMS,
    counting_down,
    finished,
    happen,
    joins,
    lobby,
    refused_code,
    running,
)
from tests.rooms.stories import Story, story_test

# Each event, and the state after it in each state of a room that allows chasers and has three
# rounds; `=` is no change at all, `-` is a refusal because the table of transitions has no entry.
TABLE = """
                                       LOBBY      COUNTDOWN  RUNNING    FINISHED   CLOSED
Dee joins                            | LOBBY      COUNTDOWN  RUNNING    FINISHED   -
Ada Changes locked=True              | LOBBY      COUNTDOWN  RUNNING    FINISHED   -
Ada Choose game=3                    | LOBBY      -          -          FINISHED   -
Ada Ready                            | LOBBY      -          -          -          -
Ada Keep name=Friday                 | LOBBY      COUNTDOWN  RUNNING    FINISHED   -
Ada TakeColour colour=gold           | LOBBY      -          -          FINISHED   -
Ada Start @T0+1000h                  | COUNTDOWN  -          -          COUNTDOWN  -
Ada Abort                            | -          LOBBY      LOBBY      -          -
Cy Chase @T0+9                       | -          -          RUNNING    -          -
Ada ends n=1 @T0+9 {Ada won}         | =          =          RUNNING    =          -
Ada Forfeit @T0+9                    | -          -          RUNNING    -          -
Ada Leave @T0+9                      | LOBBY      COUNTDOWN  RUNNING    FINISHED   -
Ada Kick Bob @T0+9                   | LOBBY      COUNTDOWN  RUNNING    FINISHED   -
Ada AddBot level=club                | LOBBY      -          -          FINISHED   -
Ada AddStandIn Bob level=club @T0+9m | -          -          RUNNING    -          -
Ada Admit 3                          | LOBBY      COUNTDOWN  RUNNING    FINISHED   -
Ada Carry token=code                 | LOBBY      COUNTDOWN  RUNNING    FINISHED   -
Ada moves @T0+9                      | LOBBY      COUNTDOWN  RUNNING    FINISHED   -
Ada HandOver Bob                     | LOBBY      COUNTDOWN  RUNNING    FINISHED   -
Ada Forget Ada                       | LOBBY      -          -          FINISHED   -
Ada DeleteTable                      | CLOSED     CLOSED     CLOSED     CLOSED     -
Ada End grace_s=60 @T0+9             | -          -          RUNNING    -          -
Ada Rematch                          | -          -          -          FINISHED   -
Ada Sign name=Dee                    | -          -          -          -          -
Ada NextRound                        | -          -          -          LOBBY      -
Ada returns generation=2             | LOBBY      COUNTDOWN  RUNNING    FINISHED   -
Ada drops generation=1 @T0+9         | LOBBY      COUNTDOWN  RUNNING    FINISHED   -
process "" dies @T0+9                | LOBBY      COUNTDOWN  RUNNING    FINISHED   -
round 1 is reported                  | =          =          =          =          -
the operator closes it               | CLOSED     CLOSED     CLOSED     CLOSED     -
tick @T0                             | =          RUNNING    =          =          =
"""
HEADER, *ROWS = TABLE.strip().splitlines()
CASES = [
    (RoomState(state), event.strip(), after)
    for event, row in (line.split("|") for line in ROWS)
    for state, after in zip(HEADER.split(), row.split(), strict=True)
]


@pytest.mark.parametrize(("state", "event", "after"), CASES)
def test_every_event_in_every_state(state: RoomState, event: str, after: str) -> None:
    story = Story()
    story.room = ROOMS[state](chasers=True, rounds=3)
    if " Admit" in event and after != "-":
        story.tell("Ada Changes approve=True")
        story.tell("Dee joins")
    if " AddStandIn" in event and after != "-":
        story.tell("Bob is gone")
    if " moves" in event and after != "-":
        story.tell("Ada Carry token=code")
    if " DeleteTable" in event or " Forget" in event:
        story.room = story.room.replace(kept=Kept(since=NOW, raced=NOW))
    before = story.room
    story.tell(f"{event} -> {({'-': '!NOT_IN_STATE', '=': 'same'}).get(after, after)}")
    assert (story.room is before) is (after in {"-", "="})


def test_the_table_has_every_event_and_state() -> None:
    story = Story()
    types = {type_of(story.event(event.partition(" @")[0])) for _, event, _ in CASES}
    assert types == {type_ for row in machine.TRANSITIONS.values() for type_ in row}
    assert set(HEADER.split()) == {state.value for state in RoomState}


def test_names_that_differ_only_by_a_joiner_are_numbered() -> None:
    """Fonts without a joined form show both alike."""
    plain, joined = "\u0915\u094d\u0937", "\u0915\u094d\u200c\u0937"
    room = happen(lobby(), joins(plain), joins(joined), joins(plain))
    assert [seat.name for seat in room.seats[3:]] == [plain, f"{joined} 2", f"{plain} 3"]


def test_a_full_room_refuses_newcomers() -> None:
    room = lobby()
    for number in range(MAX_SEATS - 3):
        room = apply(room, joins(f"Guest {number}", "spectator"))
    assert refused_code(room, joins("Dee")) is ErrorCode.ROOM_FULL


def test_gone_seats_give_way_in_a_full_room() -> None:
    """Regression: anybody with the link could fill a room with seats that never reconnect."""
    for began in (lobby(), running(), finished()):
        room = began
        for number in range(MAX_SEATS - 3):
            room = apply(room, joins(f"Guest {number}", "spectator"))
        for seat in room.seats:
            if seat.number not in {BOB, 50}:
                room = happen(room, Disconnected(seat.number, 1, NOW))
        room = apply(room, Tick(NOW + GRACE_MS, {}))
        room = apply(room, joins("Dee"))
        kept = [seat.number for seat in room.seats]
        played = () if began.round is None else began.round.names
        assert set(kept) == {*played, BOB, 50, room.host, room.numbers_given - 1}


test_newcomers = story_test("""
A late joiner watches until the next round
  counting_down
  ? Dee joins -> Dee WATCHING player
  running
  ? Dee joins -> Dee WATCHING player
  finished; Dee joins -> Dee WATCHING player
  Ada NextRound -> Dee SEATED
Seats of the same name are numbered
  lobby; Ada joins -> Ada 2 SEATED
  Ada joins -> Ada 3 SEATED
A seat that drops is in grace, and gone at its end
  lobby; Ada drops -> Ada SEATED grace, deadline=+GRACE
The first person to join an empty room is its host
  lobby; Bob Leave; Cy Leave; Ada Leave -> seats=0, host=None, idle_since=NOW
  Dee joins -> host=Dee, idle_since=None
""")


test_settings_and_readiness = story_test("""
New settings make ready players confirm again
  lobby; Bob Ready; Ada Configure game=spider-2 -> Ada SEATED, Bob SEATED, Cy WATCHING
Changing settings about people leaves players ready, changing rules does not
  lobby; Bob Ready; Ada Configure locked=True -> Bob READY
  Ada Configure max_players=2 -> Bob READY
  Ada Configure one_seat=True -> Bob READY
  Ada Configure approve=True -> Bob READY
  Ada Configure programs=False -> Bob READY
  Ada Configure cheats=out -> Bob SEATED
Rules cannot change once a round has started
  running; Ada Configure locked=True undo=any -> !NOT_IN_STATE
  Bob Configure locked=True -> !NOT_HOST
  finished; Ada Configure locked=True undo=any -> !NOT_IN_STATE
  Bob Configure locked=True -> !NOT_HOST
Only the host changes the settings or starts
  lobby; Bob Configure -> !NOT_HOST
  99 Configure -> !NO_SUCH_SEAT
  Bob Start -> !NOT_HOST
  99 Start -> !NO_SUCH_SEAT
The race starts when all players are ready
  lobby; Bob Ready -> LOBBY
  Ada Ready -> COUNTDOWN, n=1, t0=T0
A single ready player starts no countdown
  open; Ada Ready -> LOBBY
Gone players do not hold up the countdown
  lobby; Dee joins; Dee is gone; Bob Ready; Ada Ready -> COUNTDOWN
A second ready changes nothing, and ready can be cancelled
  lobby; Bob Ready; Bob Ready -> same
  Bob Ready ready=False -> Ada SEATED, Bob SEATED
A spectator who is ready becomes a player
  lobby; Cy Ready ready=False -> !NOT_A_PLAYER
  Cy Ready -> Ada SEATED, Bob SEATED, Cy READY player
""")


test_the_countdown = story_test("""
Players who are not ready watch
  lobby; Ada Start -> Ada READY, Bob SEATED, Cy WATCHING
  tick @T0 -> Ada RACING, Bob WATCHING, Cy WATCHING
A spectating host needs a ready player
  lobby; Ada Leave; Bob Leave -> host=Cy
  Cy Start -> !NOBODY_READY
The race starts once, at t0
  counting_down; tick @T0-1 -> same
  tick @T0 -> Ada RACING, Bob RACING, Cy WATCHING
  tick -> same
If everybody leaves the countdown, the lobby opens and closes in time
  counting_down; Ada Leave -> COUNTDOWN, host=Bob
  Bob Leave -> LOBBY, round=None, host=Cy
  counting_down; Cy Leave; Bob Leave; Ada Leave @+9 -> LOBBY, idle_since=NOW+9
An aborted round does not count but uses up its number
  running; Bob Abort -> !NOT_HOST
  Ada Abort -> Ada SEATED, Bob SEATED, Cy WATCHING
  Ada Start -> n=2, kept=0
Seats that dropped before the countdown are gone at its end
  lobby; Bob drops @T0-GRACE; Ada Start @NOW; tick @T0 -> RUNNING, Ada on, Bob gone, Cy on
""")


def test_a_secret_deal_has_seed_and_salt_and_an_open_one_its_number() -> None:
    secret = round_of(counting_down())
    assert (secret.deal.seed, secret.deal.number) == (ENTROPY.seed.hex(), None)
    numbered = round_of(counting_down(deal="numbered", number=24))
    assert (numbered.deal.seed, numbered.deal.number) == (None, 24)
    drawn = round_of(counting_down(deal="numbered"))
    assert drawn.deal.number == int.from_bytes(ENTROPY.seed, "big") % 10**9 + 1
    seeded = round_of(counting_down(deal="seed", seed="ab" * 16))
    assert (seeded.deal.seed, seeded.deal.salt) == ("ab" * 16, None)


test_the_race_and_its_end = story_test("""
The round ends with its last racer
  running; Ada ends @T0+1m {Ada won} -> RUNNING, Ada FINISHED, Bob RACING, Cy WATCHING
  Bob Forfeit @T0+70s {Bob score=12} -> FINISHED, kept=1, ended=T0+70s, \
Ada score=990 won=True finished_ms=60_000, Bob score=12 finished_ms=70_000
The end of a game counts once, in its round, and only if the store has it
  running; Ada ends @T0+9 {Ada finished_ms=9}; Ada ends {Ada finished_ms=9} -> same
  running; Ada ends n=7 {Ada finished_ms=9} -> same
  Ada ends {Ada score=980} -> same
  Ada ends -> same
Only a racer can forfeit
  running; Cy Forfeit -> !NOT_RACING
The time limit ends the race with the stats so far
  running time_limit_s=600
  ? tick @T0+10m -> Ada face_down=44
  tick @T0+10m {Ada score=52, Bob score=40} -> FINISHED, Ada TIMED_OUT score=52, \
Bob TIMED_OUT score=40, Cy WATCHING, ended=T0+10m
A game that ended in time is finished even if no process has reported it
  running time_limit_s=600
  tick @T0+10m {Ada won, Bob score=3} -> Ada FINISHED won=True, Bob TIMED_OUT score=3
A race without a limit ends with its last game, even without a report
  running time_limit_s=None; tick @T0+1000h -> same
  tick @T0+1m {Ada finished_ms=9, Bob finished_ms=10} -> FINISHED, ended=T0+1m
Players who leave a race forfeit and stay in the standings
  running
  ? Cy Leave -> Ada RACING, Bob RACING, Cy absent
  Ada Leave @T0+9s {Ada score=5} -> Ada FORFEIT gone, Bob RACING on, host=Bob
Players who leave keep a win, even one that only the store knows
  running
  ? Bob Leave @T0+9 {Bob won} -> Bob FINISHED finished_ms=60_000 won=True
  ? Bob Forfeit @T0+9 {Bob won} -> Bob FINISHED finished_ms=60_000 won=True
  Ada ends @T0+9 {Ada finished_ms=9}; Ada Leave @T0+10 -> Ada FINISHED
Players who left are not in the next round
  running; Bob Leave @T0+9; Ada Forfeit @T0+10; Cy NextRound -> !NOT_HOST
  Ada NextRound -> Ada SEATED, Bob absent, Cy WATCHING, round=None, kept=1, idle_since=None
""")


test_commands_of_the_host = story_test("""
Kicked players lose the seat or, in a race, forfeit
  lobby; Ada Kick Bob -> Ada SEATED, Bob absent, Cy WATCHING
  running; Ada Kick Bob @T0+9 {Bob score=9} -> Ada RACING, Bob FORFEIT was_kicked=True score=9
Only the host kicks, and only other seats
  lobby; Bob Kick Ada -> !NOT_HOST
  Ada Kick Ada -> !NO_SUCH_SEAT
  Ada Kick 99 -> !NO_SUCH_SEAT
The grace of the host limits the race
  running; Bob End grace_s=60 -> !NOT_HOST
  Ada End grace_s=60 @T0+1s -> deadline=T0+61s
  running time_limit_s=None; Ada End grace_s=60 @T0+1s -> deadline=T0+61s
  running time_limit_s=30; Ada End grace_s=60 @T0+1s -> same
""")


test_connections = story_test("""
A lost connection is never a forfeit
  running; Bob is gone -> Ada RACING on, Bob RACING gone, Cy on
  Bob returns generation=2 -> Bob RACING on
Losing an older connection, or reporting a loss twice, changes nothing
  lobby; Bob returns generation=1 -> same
  Bob returns generation=2; Bob drops generation=1 -> same
  Bob drops generation=2; Bob drops generation=2 @+9 -> same
Seats of a dead process are disconnected
  lobby; Bob returns process=east; Cy returns process=west
  process east dies -> Ada on, Bob grace, Cy on
  process east dies -> same
A reconnected seat has its process and tab
  lobby; Bob drops
  Bob returns process=east tab=tab-7 -> Bob generation=2 process=east tab=tab-7 left_at=None
""")


test_hosts = story_test("""
The host is the earliest connected player
  open -> host=Ada
  running; Ada drops -> host=Ada
  tick @T0+GRACE-1 -> same
  tick @T0+GRACE -> host=Bob
  Cy returns -> host=Bob
A player is host before a spectator who came earlier
  lobby; Dee joins; Bob Leave; Ada Leave -> host=Dee
  Dee Leave -> host=Cy
  lobby; Bob Leave; Dee joins; Ada is gone -> host=Dee
  lobby; Bob drops; Ada Leave -> host=None
  Bob returns -> host=Bob
The first person who returns to a deserted lobby is its host
  lobby; Ada drops; Bob drops; Cy drops; tick @NOW+GRACE -> host=Ada, idle_since=NOW+GRACE
  Cy returns -> host=Cy, idle_since=None
A host who returns within the round is host again
  running; Ada is gone -> host=Bob
  ? Bob Abort -> LOBBY
  Ada returns -> host=Ada, past_hosts=
  Bob Abort -> !NOT_HOST
  running; Ada is gone; Bob Abort; Ada returns -> host=Ada
The new host stays host after the round
  running; Ada is gone; Bob Forfeit @+20s; tick @T0+30m -> FINISHED
  ? Ada returns -> host=Bob
  Bob NextRound; Bob returns -> host=Bob
A host can return in the lobby until the next countdown
  lobby; Ada is gone
  ? Ada returns -> host=Ada
  Bob Start; Ada returns -> host=Bob
Hosts who leave or are kicked are not host again
  running; Ada Leave @T0+9 -> host=Bob, past_hosts=
  Ada returns -> host=Bob
  lobby; Ada is gone -> past_hosts=Ada
  Bob Kick Ada -> host=Bob, past_hosts=
The earliest former host takes precedence
  running; Dee joins; Ada is gone; Bob is gone -> host=Dee, past_hosts=Ada Bob
  ? Bob returns -> host=Bob, past_hosts=Ada
  Ada returns -> host=Ada, past_hosts=
  Bob returns -> host=Ada
A spectator does not become host while a player is connected or in grace
  running; Ada drops; Bob drops @T0+1; tick @T0+GRACE -> host=Ada
  ? Bob returns -> host=Bob
  tick @T0+GRACE+1 -> host=Cy
A host who has returned is not a former host
  finished; Ada is gone; Ada returns -> host=Ada, past_hosts=
""")


test_rooms_close_in_time = story_test("""
A lobby closes half an hour after the last one left
  lobby -> deadline=None
  Ada Leave; Bob Leave; Cy Leave -> deadline=NOW+LOBBY_IDLE
  tick @NOW+LOBBY_IDLE-1 -> same
  tick @NOW+LOBBY_IDLE -> CLOSED, deadline=None
A finished room closes a day after the last one was there
  finished -> deadline=+FINISHED_IDLE
  ? tick @+FINISHED_IDLE -> FINISHED, deadline=+FINISHED_IDLE
  all are gone -> deadline=+FINISHED_IDLE
  tick @+FINISHED_IDLE -> CLOSED
  finished; Ada Leave; Bob Leave; Cy Leave -> deadline=+FINISHED_IDLE
The deadline is the time of the next change
  counting_down -> deadline=T0
  running time_limit_s=600 -> deadline=T0+10m
  running time_limit_s=None -> deadline=None
  practice; Bob drops -> deadline=T0+GRACE
""")
