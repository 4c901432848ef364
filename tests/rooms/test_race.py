"""The end of games in a race, and late joiners who chase it."""

from dataclasses import replace

import pytest

from protocol.from_client import Abort, Configure, Start
from protocol.games import GameId
from protocol.settings import Settings
from server.rooms.lobby import open_room
from server.rooms.record import round_of
from server.rooms.room import apply
from tests.rooms.rooms import ADA, CODE, ENTROPY, T0, happen, running, sends
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


@pytest.mark.parametrize(
    ("message", "game", "is_same"),
    [
        (Start(again=True), "spider-1", True),
        (Start(), "spider-1", False),
        (Start(again=True), "spider-4", False),
    ],
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
