"""The end of games in a race, late joiners who chase it, and rematches."""

from dataclasses import replace

import pytest

from protocol.from_client import Abort, Configure, Rematch, Start
from protocol.games import GameId
from protocol.settings import Settings
from protocol.vocabulary import HIGHEST_ROUND, ErrorCode
from server.rooms.lobby import open_room
from server.rooms.record import round_of
from server.rooms.room import apply
from tests.rooms.rooms import (
    ADA,
    BOB,
    CODE,
    ENTROPY,
    T0,
    finished,
    happen,
    lobby,
    refused_code,
    running,
    sends,
)
from tests.rooms.stories import story_test

test_latecomers = story_test("""
Late joiners may chase if the room allows it
  running; Cy Chase @+9 -> !NO_CHASERS
  chased -> Ada RACING, Bob RACING, Cy CHASING late_ms=60_000 player, Dee CHASING late_ms=90_000
Nobody plays a round twice
  lobby chasers=True; Cy Chase -> !NOT_IN_STATE
  chased; Ada Chase -> !NOT_IN_STATE
  Cy Forfeit; Cy Chase -> !NOT_IN_STATE
Chasers are below all racers and have no place
  chased; Cy ends @T0+200s {Cy won} -> RUNNING
  tick @T0+30m {Ada score=5, Bob score=9} -> board=1 Bob 2 Ada - Cy - Dee, \
Cy FINISHED late_ms=60_000, Ada late_ms=None
Chasers are shown as chasing
  chased; tick {Dee score=30} -> board=1 Ada 1 Bob - Dee - Cy, Dee CHASING
The round ends with its last racer and stores the results of chasers
  chased; Ada ends @T0+99s {Ada won, Bob score=5, Cy score=31, Dee score=12}
  Bob Forfeit @T0+100s {Bob score=5, Cy score=31, Dee score=12} -> FINISHED, Ada FINISHED, \
Bob FORFEIT, Cy TIMED_OUT score=31, Dee TIMED_OUT score=12, board=1 Ada 2 Bob - Cy - Dee
Chasers who won before the race ended are finished
  chased; tick @T0+99s {Ada won, Bob won, Cy won} -> Cy FINISHED, Dee TIMED_OUT
A chaser may forfeit, leave or be kicked
  chased
  ? Cy Forfeit -> Cy FORFEIT
  ? Cy Leave -> Cy FORFEIT
  ? Ada Kick Cy -> Cy FORFEIT
The time of a forfeit is by the player's clock
  chased; Cy Forfeit @T0+75s; Ada Forfeit -> Cy finished_ms=15_000, Ada finished_ms=75_000
""")


test_the_first_win = story_test("""
After the first win the others have the time that the room sets
  running after_win_s=120; Ada ends @T0+1m {Ada won} -> t_end=T0+3m, deadline=T0+3m
  tick @T0+3m-1 -> same
  tick @T0+3m {Bob score=7} -> Ada FINISHED, Bob TIMED_OUT, Cy WATCHING, ended=T0+3m
Later wins do not change the end
  lobby after_win_s=60 time_limit_s=None; Dee joins; Bob Ready; Dee Ready; Ada Ready; tick @T0
  Ada ends @T0+1m {Ada won} -> t_end=T0+2m
  ? Bob ends @T0+90s {Ada won, Bob won finished_ms=90_000} -> RUNNING, t_end=T0+2m
  ? Bob Leave @T0+90s {Ada won, Bob won finished_ms=90_000} -> RUNNING, t_end=T0+2m
  running after_win_s=60 time_limit_s=3_600; Ada ends @T0+1m {Ada won} -> t_end=T0+2m
Only a win of a racer shortens the race
  running; Ada ends @T0+1m {Ada won} -> t_end=T0+15m
  running after_win_s=60; Ada ends @T0+1m {Ada score=12 finished_ms=60_000} -> t_end=T0+15m
  running after_win_s=60; Ada Forfeit @T0+1m -> t_end=T0+15m
  chased after_win_s=60; Cy ends @T0+99s {Cy won} -> t_end=T0+15m
  running after_win_s=600 time_limit_s=70; Ada ends @T0+1m {Ada won} -> t_end=T0+70s
A win that only the store knows shortens the race from when it is reported
  running after_win_s=60; tick @T0+100s {Ada won} -> t_end=T0+160s
No host can abort a race with a winner
  running; Bob ends @T0+1m {Bob won}; Bob Abort -> !NOT_HOST
  Ada Abort -> !ROUND_WON
  Bob Leave; Ada Abort -> !ROUND_WON
  running; Bob ends @T0+1m {Bob won}; Ada Kick Bob; Ada Abort -> !ROUND_WON
  running; Ada ends @T0+1m {Ada won}; Ada is gone -> host=Bob
  Bob Abort -> !ROUND_WON
A win that only the store knows prevents an abort
  running; Ada Abort {Bob won} -> !ROUND_WON
A race with a winner can be ended and then counts
  running time_limit_s=None; Bob ends @T0+1m {Bob won}; Ada End grace_s=30 @T0+61s
  tick @T0+91s -> FINISHED, kept=1, board=1 Bob 2 Ada
A race that no racer has won can be aborted
  chased; Cy ends @T0+99s {Cy won}; Ada Abort -> LOBBY
  chased; Ada Abort {Dee won} -> LOBBY
  running; Bob ends @T0+1m {Bob score=300 finished_ms=50_000}; Ada Abort {Ada score=9} -> LOBBY
  running; Bob Forfeit; Ada Abort -> LOBBY
""")


test_giving_up = story_test("""
A dead game that is stopped counts as played to the end
  running; Ada Forfeit dead=True @T0+50s {Ada score=40, Bob score=70} -> Ada FINISHED \
finished_ms=50_000, Bob RACING
  Bob Forfeit @T0+60s {Ada score=40, Bob score=70} -> board=1 Ada 2 Bob
A pending forfeit ends the game five seconds later
  running; Bob Forfeit held=True @T0+60s {Bob score=7} -> Ada RACING, Bob RACING, deadline=T0+65s
  tick @T0+65s-1 -> same
  tick @T0+70s {Bob score=7} -> Bob FORFEIT finished_ms=65_000 forfeits_at=None, deadline=T0+15m
  tick -> same
A pending forfeit can be taken back without a trace
  running; Bob Forfeit held=True @T0+60s; Bob Forfeit taken_back=True @T0+65s-1 -> Bob RACING
  tick @T0+70s -> same
A race ends when its last pending forfeit becomes final, even if the tick is late
  running; Ada Forfeit @T0+9; Bob Forfeit held=True @T0+60s -> RUNNING
  tick @T0+65s+1 -> FINISHED, ended=T0+65s
  running; Bob Forfeit held=True @T0+9s; Ada Forfeit held=True @T0+8s
  tick @T0+99s -> FINISHED, ended=T0+14s
A pending forfeit survives a lost connection, and only one without `held` makes it final
  running; Bob Forfeit held=True @T0+60s; Bob Forfeit held=True @T0+63s; Bob drops @T0+61s
  Bob returns -> deadline=T0+65s
  Bob Forfeit @T0+64s -> Bob FORFEIT
If the game ends sooner, so does the pending forfeit
  running; Bob Forfeit held=True @T0+60s
  ? Bob Leave -> Bob FORFEIT forfeits_at=None
  ? Ada Kick Bob -> Bob FORFEIT forfeits_at=None
  ? Bob ends {Bob won} -> Bob FINISHED forfeits_at=None
  ? Ada Abort -> Bob SEATED forfeits_at=None
  Ada End grace_s=5 @T0+57s; tick @T0+62s -> Bob FORFEIT forfeits_at=None
The forfeit of a finished game is not delayed
  running; Bob Forfeit held=True {Bob won} -> Bob FINISHED
A chaser gives up by their own clock
  chased; Cy Forfeit held=True @T0+75s; tick @T0+80s -> Cy finished_ms=20_000
""")


test_practice = story_test("""
A room for one has no countdown
  lobby; Ada Start @T0 -> COUNTDOWN
  open max_players=1; Ada Start @T0 -> RUNNING, Ada RACING, t0=T0, board=1 Ada
  Ada Abort @+9; Ada Start @+1 -> RUNNING
""")


AGAIN = Start(again=True)


@pytest.mark.parametrize(
    ("message", "game", "is_same"),
    [(AGAIN, "spider-1", True), (Start(), "spider-1", False), (AGAIN, "spider-4", False)],
)
def test_practice_is_dealt_again_on_request_under_the_same_settings(
    message: Start, game: GameId, is_same: bool
) -> None:
    settings = Settings(max_players=1)
    room = apply(open_room(CODE, "Ada", settings), sends(ADA, Start(), T0))
    other = replace(ENTROPY, seed=b"\1" * 16)
    change = Configure(settings=Settings(max_players=1, game=game))
    aborted = happen(room, sends(ADA, Abort(), T0 + 9), sends(ADA, change))
    again = apply(aborted, replace(sends(ADA, message, T0 + 10), entropy=other))
    assert (round_of(again).deal == round_of(room).deal) is is_same
    assert (again.state, round_of(again).n, round_of(again).t0) == ("RUNNING", 2, T0 + 10)
    assert again.aborted is None
    assert happen(running(), sends(ADA, Abort(), T0 + 9)).aborted is None


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
