"""Races over days: each player begins once, when they like, until the window ends."""

import pytest

from protocol.settings import Settings
from protocol.vocabulary import ErrorCode
from server.rooms.days import settings_again
from server.rooms.events import Refusal
from server.rooms.lobby import checked, open_room
from server.rooms.record import round_of
from tests.rooms.rooms import ADA, BOB, CODE, CY
from tests.rooms.stories import play, story_test

test_players_begin_when_they_like = story_test("""
The host opens the window, and nobody plays yet
  lobby window_s=86_400; Bob Ready -> LOBBY
  Ada Ready -> LOBBY
  Bob Start -> !NOT_HOST
  Ada Start @T0 -> RUNNING, Ada WATCHING, Bob WATCHING, Cy WATCHING, t0=T0, t_end=T0+24h
A host who watches may open it for others
  lobby window_s=86_400; Ada Leave; Bob is gone; Cy Start -> RUNNING
Computer players begin at once, people later
  bot_lobby window_s=86_400; Ada Ready; Ada Start @T0 -> Ada WATCHING, Web RACING
Everybody begins once, also newcomers and spectators, and is ranked
  window time_limit_s=None; Ada Chase @+1h -> Ada RACING late_ms=3_600_000
  Ada Chase -> !NOT_IN_STATE
  Bob Chase @+1h; Cy Chase @+1h -> Cy RACING player
  Dee joins; Dee Chase @+1h -> Dee RACING
  Bob ends {Bob won finished_ms=9} -> Bob FINISHED, RUNNING
  Ada ends {Ada won finished_ms=5} -> RUNNING
  Cy Forfeit -> Cy FORFEIT finished_ms=3_600_000, RUNNING
  Dee Forfeit; Dee Chase -> !NOT_IN_STATE
  tick @T0+24h -> FINISHED, board=1 Ada 2 Bob 3 Cy 3 Dee, ended=T0+24h, Ada wins=1
Nobody begins at its end
  window; Bob Chase @T0+24h -> !NOT_IN_STATE
A room has room for its players
  window max_players=2; Cy Chase -> !ROOM_FULL
A browser has one game, whichever of its seats begins, and also after leaving
  window; Dee joins at=AWAY browser=laptop; Eve joins at=AWAY browser=laptop; Dee Chase
  ? Eve Chase -> !ONE_SEAT
  Dee Leave; Eve Chase -> !ONE_SEAT
  window; Dee joins at=AWAY browser=laptop; Eve joins at=AWAY browser=phone; Dee Chase
  Eve Chase -> Eve RACING
Without an id of the browser each seat has one, also after another one was left
  window; Dee joins at=AWAY; Eve joins at=AWAY; Dee Chase; Dee Leave; Eve Chase -> Eve RACING
  Eve Forfeit; Eve Chase -> !NOT_IN_STATE
One seat for each person means one game
  house window_s=86_400 one_seat=True; Ada Start; Bob Chase; Bob Leave
  Eve joins at=AWAY; Eve Chase -> !ONE_SEAT
""")


test_games_end_by_their_own_clocks = story_test("""
A game ends when its own limit is over, and not before
  window time_limit_s=600; Ada Chase @+1h -> deadline=+10m
  Bob Chase @+5m -> deadline=+5m
  tick @+5m-1 -> same
  tick @+1 {Ada score=7, Bob score=3} -> Ada TIMED_OUT score=7, Bob RACING, deadline=+5m
  tick @+5m -> Bob TIMED_OUT, RUNNING, deadline=T0+24h
A clock goes on without a connection, and a player returns to it
  window time_limit_s=600; Ada Chase @+1h; Ada is gone -> Ada RACING, deadline=T0+1h+10m
  Ada returns @+5m -> Ada RACING
  Ada drops; tick @T0+1h+10m -> Ada TIMED_OUT
Without a limit only the window ends a game
  window time_limit_s=None; Ada Chase @+1h; all are gone -> deadline=T0+24h
  tick @T0+24h {Ada score=7} -> FINISHED, Ada TIMED_OUT score=7
The end of the window is that of a game that begins late
  window time_limit_s=600; Ada Chase @T0+24h-5m -> deadline=+5m
  tick @+5m -> FINISHED, Ada TIMED_OUT, ended=T0+24h
A game that was won in time is won, though its process has died
  window time_limit_s=600; Ada Chase; tick @+1h {Ada won finished_ms=9} -> Ada FINISHED
Out of time is who gives up or leaves after the limit, before the next tick
  window time_limit_s=600; Ada Chase @+1h; Bob Chase
  ? Ada Forfeit @+10m-1 -> Ada FORFEIT finished_ms=599_999
  ? Ada Forfeit @+10m {Ada score=7} -> Ada TIMED_OUT score=7 finished_ms=None, RUNNING
  ? Ada Leave @+10m {Ada score=7} -> Ada TIMED_OUT
  Bob Kick Ada -> !NOT_HOST
  Ada Kick Bob @+10m -> Bob TIMED_OUT
  Ada Forfeit {Ada won finished_ms=9} -> Ada FINISHED
A game that is given up is over at once, as a win is
  window; Ada Chase @+1h; Ada Forfeit held=True @+5s -> Ada FORFEIT finished_ms=5_000
""")


test_the_window_stays_open = story_test("""
It ends neither with the games nor with the people, who keep their seats and results
  window; Ada Chase; Ada Forfeit; Bob Chase; Bob Forfeit -> RUNNING
  all are gone -> RUNNING, deadline=T0+24h, seats=3
  tick @T0+24h-1 -> same
  tick @+1 -> FINISHED, Ada FORFEIT gone, seats=3
Nobody comes, and it ends without a winner
  window; all are gone; tick @T0+24h -> FINISHED, board=
The host is gone for hours and still the host, unless the host leaves for good
  window; Ada is gone -> host=Ada
  Ada Leave -> host=Bob
The host ends it sooner
  window; Bob Chase; Bob End grace_s=60 -> !NOT_HOST
  Ada End grace_s=60 @+1h; Cy Chase -> t_end=+60s
  tick @+60s -> FINISHED, Bob TIMED_OUT, Cy TIMED_OUT
It is stopped only before a person has begun: later that would tell of a win
  window; ? Ada Abort -> LOBBY
  Bob Chase; Ada Abort -> !NOT_IN_STATE
  Bob Forfeit; Ada Abort -> !NOT_IN_STATE
  bot_lobby window_s=3_600; Ada Start; Ada Abort -> LOBBY
Nobody stands in for players who are away
  window; Bob Chase; Bob is gone; Ada AddStandIn Bob level=club -> !NOT_IN_STATE
A player who is kicked or leaves has given up; one who has not begun is gone
  window; Bob Chase; Ada Kick Bob -> Bob FORFEIT
  Cy Leave -> seats=2
Results stay for a week
  window; all are gone; tick @T0+24h -> deadline=+WINDOW_IDLE
  tick @+WINDOW_IDLE-1 -> same
  tick @+1 -> CLOSED
""")


test_it_ends_once_everybody_has_played = story_test("""
Somebody new can come as long as the room is open and has a place
  window; Ada Chase; Ada Forfeit; Bob Chase; Bob Forfeit; Cy Chase; Cy Forfeit -> RUNNING
  ? Ada Changes locked=True @+1h -> FINISHED, Bob FORFEIT, ended=+0
  ? Ada Changes max_players=3 @+1h -> FINISHED
  Ada Changes max_players=4 @+1h -> RUNNING
In a locked room it ends with the last game, however that ends
  shut time_limit_s=600; Cy Leave; Ada Chase; Ada ends {Ada won finished_ms=9}
  Bob Chase -> RUNNING
  ? Bob ends @+9s {Bob won finished_ms=9_000} -> FINISHED, board=1 Ada 2 Bob, ended=+0, Ada wins=1
  ? Bob Forfeit @+9s -> FINISHED, Bob FORFEIT
  ? Ada Kick Bob @+9s -> FINISHED, Bob FORFEIT
  tick @+10m {Bob score=7} -> FINISHED, Bob TIMED_OUT score=7
It does not wait for those who give up their seats
  shut; Cy Leave; Ada Chase; Ada Forfeit -> RUNNING
  ? Bob is gone -> RUNNING
  ? Ada Kick Bob -> FINISHED
  Bob Leave @+1h -> FINISHED, Ada FORFEIT, ended=+0
A spectator who may still play is waited for, but not in a room that has all its players
  shut; Ada Chase; Ada Forfeit; Bob Chase; Bob Forfeit -> RUNNING
  Cy Leave -> FINISHED
  window max_players=2; Ada Chase; Ada Forfeit; Bob Chase; Bob Forfeit -> FINISHED, Cy WATCHING
So is a person whom the host may still let in
  shut approve=True -> waiting=2, seats=1
  Ada Chase; Ada Forfeit; Bob Leave -> RUNNING
  Cy Leave -> FINISHED
Who is away and has not begun gives way to others, so it stays open
  window max_players=2; Cy Leave; Bob is gone; Ada Chase; Ada Forfeit -> RUNNING
  Dee joins; Dee Chase; Dee Forfeit -> FINISHED, Bob absent
A room that everybody has left for good is over
  shut; Cy Leave; Ada Chase; Ada Leave; Bob Leave -> FINISHED, seats=1
""")


test_windows_of_a_match = story_test("""
Each opens when the one before has ended, until all are played
  window rounds=3; Bob Chase; Bob is gone; tick @T0+24h -> FINISHED, deadline=+0
  tick -> same
  tick with cards @+7s -> RUNNING, seats=3, Bob WATCHING gone, host=Ada, t0=+0, deadline=+24h
  ? tick with cards -> same
  Bob returns; Bob Chase @+1h -> Bob RACING late_ms=3_600_000
  tick @T0+48h+7s {Bob score=9} -> FINISHED, card=x x (3)
  tick with cards -> RUNNING, n=3, match=1
  tick @+24h -> FINISHED, over=True, deadline=+WINDOW_IDLE
  tick with cards @+1h -> same
Nobody has to be there, and everybody who holds a seat can come back
  window rounds=2; all are gone; tick @T0+24h; tick with cards -> RUNNING, host=Ada, seats=3
  Cy returns; Cy Chase -> Cy RACING player
It opens for those who still have a seat
  window rounds=2; Cy Leave; Bob Leave; Ada Chase; Ada Leave; tick @T0+24h -> deadline=+WINDOW_IDLE
  tick with cards -> same
Computer players that are still there start at once in each
  bot_lobby window_s=86_400 rounds=2; Ada Start; Web ends {Web won finished_ms=9}; tick @+24h
  tick with cards -> RUNNING, Web RACING, Ada WATCHING
The next one opens sooner if the host ends one, or all have played
  window rounds=2; Ada Chase; Ada End grace_s=60; tick @+60s -> FINISHED
  tick with cards @+1s -> RUNNING, t_end=+24h
  shut rounds=2; Cy Leave; Bob Leave; Ada Chase; Ada Forfeit @+1h -> FINISHED
  tick with cards @+1s -> RUNNING, t_end=+24h
The host stops the match before anybody has begun, or between two windows
  window rounds=3; Bob Chase; tick @T0+24h; ? Ada NextRound -> LOBBY
  ? Bob NextRound -> !NOT_HOST
  tick with cards; Bob Abort -> !NOT_HOST
  Ada Abort -> LOBBY, seats=3, card=x (2) 3
  tick with cards -> same
  all are gone -> deadline=+WINDOW_IDLE
  Ada returns; Ada Start -> RUNNING, n=3, game=2
The host may open one without waiting for the sweep
  window rounds=2; Bob Chase; Bob ends {Bob won finished_ms=9}; Bob is gone
  tick @T0+24h -> FINISHED, Bob FINISHED
  Ada Start -> RUNNING, seats=3, Bob WATCHING gone, deadline=+24h
  Bob returns; Bob Chase @+1h -> Bob RACING late_ms=3_600_000
  tick @T0+48h {Bob score=9} -> FINISHED, totals=1 Bob 990 9 = 2 999 / - Ada - - = 0 0
In the lobby those who are away keep their seats
  window rounds=2; Bob Chase; Bob is gone; tick @T0+24h; Ada NextRound -> LOBBY, seats=3
  Ada Start -> RUNNING
No rematch opens a window
  window; Cy Leave; Bob Leave; tick @T0+24h; Ada Rematch -> FINISHED, Ada READY
""")


@pytest.mark.parametrize("beside", [{"after_win_s": 60}, {"chasers": True}, {"max_players": 1}])
def test_a_window_is_for_several_players_of_whom_nobody_is_late(beside: dict[str, int]) -> None:
    with pytest.raises(Refusal) as refused:
        open_room(CODE, "Ada", Settings(window_s=3_600, **beside))  # type: ignore[arg-type]
    assert refused.value.code is ErrorCode.BAD_SETTINGS


def test_a_game_of_a_window_is_charted_by_its_own_clock() -> None:
    played = round_of(play("window; Ada Chase @+1h; Bob Chase @+1h"))
    assert [played.began_ms(seat) for seat in (ADA, BOB, CY)] == [3_600_000, 7_200_000, 0]
    assert [played.is_ranked(seat) for seat in (ADA, BOB)] == [True, True]


def test_the_cards_of_a_window_can_be_played_alone() -> None:
    played = round_of(play("window; tick @T0+24h"))
    assert checked(settings_again(played)).is_practice
