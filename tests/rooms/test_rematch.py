"""Rematches: all players ask for the next race, and it starts in the same room."""

from protocol.from_client import Rematch, Start
from protocol.vocabulary import HIGHEST_ROUND, ErrorCode
from tests.rooms.rooms import ADA, BOB, finished, happen, lobby, refused_code, sends
from tests.rooms.stories import story_test

test_players_ask_for_a_rematch = story_test("""
A rematch begins in the same room when all players want it
  finished; Bob Rematch -> FINISHED, Ada TIMED_OUT, Bob READY, Cy WATCHING
  Ada Rematch @+1h -> COUNTDOWN, n=2, t0=+COUNTDOWN, kept=1
  tick @+COUNTDOWN -> Ada RACING, Bob RACING, Cy WATCHING
A player may want no rematch after all
  finished; Bob Rematch wanted=False -> same
  Bob Rematch; Bob Rematch -> same
  Bob Rematch wanted=False -> Ada TIMED_OUT, Bob TIMED_OUT
The host alone starts nothing
  finished; Ada Rematch -> FINISHED
Choosing another game asks everybody again, choosing the next one does not
  finished rounds=3; Bob Rematch; Ada Choose game=2 -> same
  Ada Choose game=3 -> Ada TIMED_OUT, Bob TIMED_OUT
Spectators stay and may play the next race
  finished; Cy Rematch wanted=False -> !NOT_A_PLAYER
  Cy Rematch; Ada Rematch -> FINISHED
  Bob Rematch; tick @+COUNTDOWN -> Ada RACING, Bob RACING, Cy RACING
  finished max_players=2; Cy Rematch -> !ROOM_FULL
The rematch waits for players who came during the race
  finished; Dee joins; Ada Rematch; Bob Rematch -> FINISHED
  Dee Rematch -> COUNTDOWN
A command of another seat changes nothing
  finished; 9 Rematch -> !NO_SUCH_SEAT
The host can still change the rules first
  finished; Bob Rematch; Ada NextRound -> Ada SEATED, Bob SEATED, Cy WATCHING
  Ada Configure undo=off -> LOBBY
The next round and the next match are started in the same way
  finished rounds=2; Bob Rematch; Ada Rematch -> match=1, game=2
  tick @+COUNTDOWN; Ada Forfeit; Bob Forfeit; Bob Rematch; Ada Rematch -> match=2, game=1
A countdown of a rematch can be stopped
  finished; Bob Rematch; Ada Rematch; Ada Leave -> COUNTDOWN
  Bob Leave -> LOBBY
""")


test_absent_players = story_test("""
Absent players do not hold it up and keep their seats
  finished; Bob is gone; Dee joins; Dee Rematch; Ada Rematch -> COUNTDOWN, Ada READY, Bob SEATED
  Bob returns; tick @+COUNTDOWN -> Ada RACING, Bob WATCHING, Cy WATCHING, Dee RACING
A player who wanted it but is gone does not race
  finished; Dee joins; Bob Rematch; Bob is gone; Ada Rematch; Dee Rematch; tick @+COUNTDOWN \
-> Ada RACING, Bob WATCHING, Cy WATCHING, Dee RACING
It starts when the last missing player is gone, if there are cards to deal
  finished; Dee joins; Ada Rematch; Bob Rematch; Dee drops
  ? tick @+GRACE -> FINISHED
  ? tick with cards @+GRACE -> COUNTDOWN
  ? Dee Leave -> COUNTDOWN
  ? Ada Kick Dee -> COUNTDOWN
A player waits for an absent rival, but not if there is none
  finished; Bob is gone; Ada Rematch -> FINISHED
  Bob returns; Bob Rematch -> COUNTDOWN
  finished; Bob Leave; Ada Rematch -> COUNTDOWN
  finished; Ada Rematch; Bob Leave -> FINISHED
A player who counts as gone cannot start a race
  finished; Bob Leave; Cy Leave; Ada is gone; Ada Rematch @+HOST_WAIT -> !NOBODY_READY
  Ada Start -> !NOBODY_READY
  Ada returns; Ada Rematch -> COUNTDOWN
Players who left or were removed lose their seats with the next race
  running; Dee joins; Bob Leave; Ada Forfeit; Ada Rematch; Dee Rematch \
-> Ada READY, Bob absent, Cy WATCHING, Dee READY
  running; Ada Kick Bob; Ada Forfeit; Dee joins; Ada Rematch; Dee Rematch -> Bob absent, Dee READY
The host can start without players who do not react in time
  finished; Dee joins; Bob Rematch; Ada Start @+HOST_WAIT-1 -> !NOT_IN_STATE
  Bob Start @+1 -> !NOT_HOST
  Ada Start; tick @+COUNTDOWN -> Ada RACING, Bob RACING, Cy WATCHING, Dee WATCHING
The host can start at once if nobody present would be left out
  finished; Bob is gone; Ada Start -> COUNTDOWN
""")


def test_the_number_of_rounds_of_a_room_is_limited() -> None:
    room = finished().replace(rounds_started=HIGHEST_ROUND)
    room = happen(room, sends(BOB, Rematch()))
    assert refused_code(room, sends(ADA, Rematch())) is ErrorCode.NOT_IN_STATE
    full = lobby().replace(rounds_started=HIGHEST_ROUND)
    assert refused_code(full, sends(ADA, Start())) is ErrorCode.NOT_IN_STATE


test_wins_are_counted = story_test("""
The room counts everybody's wins; a tie counts for both
  finished -> wins=1 0 0
  Bob Rematch; Ada Rematch; tick @+COUNTDOWN
  tick @+1h {Ada score=9 finished_ms=9, Bob score=7 finished_ms=9} -> wins=2 0 0
  Bob Rematch; Ada Rematch; tick @+COUNTDOWN
  tick @+1h {Ada score=8 finished_ms=9, Bob score=8 finished_ms=9} -> wins=3 1 0
  Ada NextRound -> wins=3 1 0
Nobody wins a race that all give up
  running; Ada Forfeit @+1 {Ada score=50}; Bob Forfeit @+1 {Bob score=40} -> FINISHED, wins=0 0 0
Players who stay win against players who give up with more points
  running; Ada Forfeit @+1 {Ada score=50}; tick @T0+15m {Bob score=40} -> wins=0 1 0
Players without an act win nothing, even against players who gave up
  running; tick @T0+15m -> wins=0 0 0
  running; Ada Forfeit @+1; tick @T0+15m -> FINISHED, wins=0 0 0
  running; Ada Forfeit @+1 {Ada score=732 moves=80}; tick @T0+15m -> wins=0 0 0
A race without rivals does not count as a win
  practice time_limit_s=10; tick @T0+10s {Ada score=9} -> FINISHED, wins=0 0 0
""")
