"""Races over days: each player starts once, when they like, until the window ends."""

import pytest

from protocol.settings import Settings
from protocol.vocabulary import ErrorCode
from server.rooms.days import settings_again
from server.rooms.events import Refusal
from server.rooms.lobby import open_room, valid_settings
from server.rooms.record import round_of
from tests.rooms.rooms import ADA, BOB, CODE, CY
from tests.rooms.stories import play, story_test

test_players_start_when_they_like = story_test("""
The host opens the window, and nobody plays yet
  lobby window_s=86_400; Bob Ready -> LOBBY
  Ada Ready -> LOBBY
  Bob Start -> !NOT_HOST
  Ada Start @T0 -> RUNNING, Ada WATCHING, Bob WATCHING, Cy WATCHING, t0=T0, t_end=T0+24h
A host who watches may open it for others
  lobby window_s=86_400; Ada Leave; Bob is gone; Cy Start -> RUNNING
Computer players start at once, people later
  bot_lobby window_s=86_400; Ada Ready; Ada Start @T0 -> Ada WATCHING, Web RACING
Everybody can start once and is ranked, even newcomers and spectators
  window time_limit_s=None; Ada Chase @+1h -> Ada RACING late_ms=3_600_000
  Ada Chase -> !NOT_IN_STATE
  Bob Chase @+1h; Cy Chase @+1h -> Cy RACING player
  Dee joins; Dee Chase @+1h -> Dee RACING
  Bob ends {Bob won finished_ms=9} -> Bob FINISHED, RUNNING
  Ada ends {Ada won finished_ms=5} -> RUNNING
  Cy Forfeit -> Cy FORFEIT finished_ms=3_600_000, RUNNING
  Dee Forfeit; Dee Chase -> !NOT_IN_STATE
  tick @T0+24h -> FINISHED, board=1 Ada 2 Bob 3 Cy 3 Dee, ended=T0+24h, Ada wins=1
Nobody can start at its end
  window; Bob Chase @T0+24h -> !NOT_IN_STATE
The limit of players holds
  window max_players=2; Cy Chase -> !ROOM_FULL
A browser has one game, with any of its seats and even after leaving
  window; Dee joins at=AWAY browser=laptop; Eve joins at=AWAY browser=laptop; Dee Chase
  ? Eve Chase -> !ONE_SEAT
  Dee Leave; Eve Chase -> !ONE_SEAT
  window; Dee joins at=AWAY browser=laptop; Eve joins at=AWAY browser=phone; Dee Chase
  Eve Chase -> Eve RACING
Without browser ids each seat has one game, even after another seat has left
  window; Dee joins at=AWAY; Eve joins at=AWAY; Dee Chase; Dee Leave; Eve Chase -> Eve RACING
  Eve Forfeit; Eve Chase -> !NOT_IN_STATE
One seat for each person means one game
  house window_s=86_400 one_seat=True; Ada Start; Bob Chase; Bob Leave
  Eve joins at=AWAY; Eve Chase -> !ONE_SEAT
""")


test_games_end_by_their_own_clocks = story_test("""
A game ends when its time is over, and not before
  window time_limit_s=600; Ada Chase @+1h -> deadline=+10m
  Bob Chase @+5m -> deadline=+5m
  tick @+5m-1 -> same
  tick @+1 {Ada score=7, Bob score=3} -> Ada TIMED_OUT score=7, Bob RACING, deadline=+5m
  tick @+5m -> Bob TIMED_OUT, RUNNING, deadline=T0+24h
The clock runs without a connection, and the player can return
  window time_limit_s=600; Ada Chase @+1h; Ada is gone -> Ada RACING, deadline=T0+1h+10m
  Ada returns @+5m -> Ada RACING
  Ada drops; tick @T0+1h+10m -> Ada TIMED_OUT
Without a limit only the window ends a game
  window time_limit_s=None; Ada Chase @+1h; all are gone -> deadline=T0+24h
  tick @T0+24h {Ada score=7} -> FINISHED, Ada TIMED_OUT score=7
A game that starts late ends with the window
  window time_limit_s=600; Ada Chase @T0+24h-5m -> deadline=+5m
  tick @+5m -> FINISHED, Ada TIMED_OUT, ended=T0+24h
A game that was won in time stays won, even if its process has died
  window time_limit_s=600; Ada Chase; tick @+1h {Ada won finished_ms=9} -> Ada FINISHED
Players who give up or leave after the limit are out of time, even before the tick
  window time_limit_s=600; Ada Chase @+1h; Bob Chase
  ? Ada Forfeit @+10m-1 -> Ada FORFEIT finished_ms=599_999
  ? Ada Forfeit @+10m {Ada score=7} -> Ada TIMED_OUT score=7 finished_ms=None, RUNNING
  ? Ada Leave @+10m {Ada score=7} -> Ada TIMED_OUT
  Bob Kick Ada -> !NOT_HOST
  Ada Kick Bob @+10m -> Bob TIMED_OUT
  Ada Forfeit {Ada won finished_ms=9} -> Ada FINISHED
Giving up ends a game at once, just as winning does
  window; Ada Chase @+1h; Ada Forfeit held=True @+5s -> Ada FORFEIT finished_ms=5_000
""")


test_the_window_stays_open = story_test("""
It does not end with the games or when people leave, and they keep seats and results
  window; Ada Chase; Ada Forfeit; Bob Chase; Bob Forfeit -> RUNNING
  all are gone -> RUNNING, deadline=T0+24h, seats=3
  tick @T0+24h-1 -> same
  tick @+1 -> FINISHED, Ada FORFEIT gone, seats=3
If nobody plays, it ends without a winner
  window; all are gone; tick @T0+24h -> FINISHED, board=
The host stays host while away, unless they leave for good
  window; Ada is gone -> host=Ada
  Ada Leave -> host=Bob
The host can end it sooner
  window; Bob Chase; Bob End grace_s=60 -> !NOT_HOST
  Ada End grace_s=60 @+1h; Cy Chase -> t_end=+60s
  tick @+60s -> FINISHED, Bob TIMED_OUT, Cy TIMED_OUT
It can be aborted only before a person has started, or it would give a win away
  window; ? Ada Abort -> LOBBY
  Bob Chase; Ada Abort -> !NOT_IN_STATE
  Bob Forfeit; Ada Abort -> !NOT_IN_STATE
  bot_lobby window_s=3_600; Ada Start; Ada Abort -> LOBBY
There are no stand-ins for absent players
  window; Bob Chase; Bob is gone; Ada AddStandIn Bob level=club -> !NOT_IN_STATE
Players who are kicked or leave have given up, or are gone if they had not started
  window; Bob Chase; Ada Kick Bob -> Bob FORFEIT
  Cy Leave -> seats=2
Results stay for a week
  window; all are gone; tick @T0+24h -> deadline=+WINDOW_IDLE
  tick @+WINDOW_IDLE-1 -> same
  tick @+1 -> CLOSED
""")


test_it_ends_once_everybody_has_played = story_test("""
It stays open while newcomers can still join
  window; Ada Chase; Ada Forfeit; Bob Chase; Bob Forfeit; Cy Chase; Cy Forfeit -> RUNNING
  ? Ada Changes locked=True @+1h -> FINISHED, Bob FORFEIT, ended=+0
  ? Ada Changes max_players=3 @+1h -> FINISHED
  Ada Changes max_players=4 @+1h -> RUNNING
In a locked room it ends with the last game, won or not
  shut time_limit_s=600; Cy Leave; Ada Chase; Ada ends {Ada won finished_ms=9}
  Bob Chase -> RUNNING
  ? Bob ends @+9s {Bob won finished_ms=9_000} -> FINISHED, board=1 Ada 2 Bob, ended=+0, Ada wins=1
  ? Bob Forfeit @+9s -> FINISHED, Bob FORFEIT
  ? Ada Kick Bob @+9s -> FINISHED, Bob FORFEIT
  tick @+10m {Bob score=7} -> FINISHED, Bob TIMED_OUT score=7
It does not wait for players who give up their seats
  shut; Cy Leave; Ada Chase; Ada Forfeit -> RUNNING
  ? Bob is gone -> RUNNING
  ? Ada Kick Bob -> FINISHED
  Bob Leave @+1h -> FINISHED, Ada FORFEIT, ended=+0
It waits for a spectator if the room allows another player
  shut; Ada Chase; Ada Forfeit; Bob Chase; Bob Forfeit -> RUNNING
  Cy Leave -> FINISHED
  window max_players=2; Ada Chase; Ada Forfeit; Bob Chase; Bob Forfeit -> FINISHED, Cy WATCHING
It waits for an applicant
  shut approve=True -> waiting=2, seats=1
  Ada Chase; Ada Forfeit; Bob Leave -> RUNNING
  Cy Leave -> FINISHED
It stays open while absent players who have not started can give way
  window max_players=2; Cy Leave; Bob is gone; Ada Chase; Ada Forfeit -> RUNNING
  Dee joins; Dee Chase; Dee Forfeit -> FINISHED, Bob absent
A room that everybody has left for good is over
  shut; Cy Leave; Ada Chase; Ada Leave; Bob Leave -> FINISHED, seats=1
""")


test_windows_of_a_match = story_test("""
Each opens when the one before has ended, until all games are played
  window rounds=3; Bob Chase; Bob is gone; tick @T0+24h -> FINISHED, deadline=+0
  tick -> same
  tick with cards @+7s -> RUNNING, seats=3, Bob WATCHING gone, host=Ada, t0=+0, deadline=+24h
  ? tick with cards -> same
  Bob returns; Bob Chase @+1h -> Bob RACING late_ms=3_600_000
  tick @T0+48h+7s {Bob score=9} -> FINISHED, card=x x (3)
  tick with cards -> RUNNING, n=3, match=1
  tick @+24h -> FINISHED, over=True, deadline=+WINDOW_IDLE
  tick with cards @+1h -> same
Nobody has to be there, and everybody with a seat can come back
  window rounds=2; all are gone; tick @T0+24h; tick with cards -> RUNNING, host=Ada, seats=3
  Cy returns; Cy Chase -> Cy RACING player
It opens if somebody still has a seat
  window rounds=2; Cy Leave; Bob Leave; Ada Chase; Ada Leave; tick @T0+24h -> deadline=+WINDOW_IDLE
  tick with cards -> same
Computer players start at once in each window, while they stay
  bot_lobby window_s=86_400 rounds=2; Ada Start; Web ends {Web won finished_ms=9}; tick @+24h
  tick with cards -> RUNNING, Web RACING, Ada WATCHING
The next one opens sooner if the host ends one, or if all have played
  window rounds=2; Ada Chase; Ada End grace_s=60; tick @+60s -> FINISHED
  tick with cards @+1s -> RUNNING, t_end=+24h
  shut rounds=2; Cy Leave; Bob Leave; Ada Chase; Ada Forfeit @+1h -> FINISHED
  tick with cards @+1s -> RUNNING, t_end=+24h
The host can stop the match between windows, or before anybody has started
  window rounds=3; Bob Chase; tick @T0+24h; ? Ada NextRound -> LOBBY
  ? Bob NextRound -> !NOT_HOST
  tick with cards; Bob Abort -> !NOT_HOST
  Ada Abort -> LOBBY, seats=3, card=x (2) 3
  tick with cards -> same
  all are gone -> deadline=+WINDOW_IDLE
  Ada returns; Ada Start -> RUNNING, n=3, game=2
The host can open one without waiting for the tick
  window rounds=2; Bob Chase; Bob ends {Bob won finished_ms=9}; Bob is gone
  tick @T0+24h -> FINISHED, Bob FINISHED
  Ada Start -> RUNNING, seats=3, Bob WATCHING gone, deadline=+24h
  Bob returns; Bob Chase @+1h -> Bob RACING late_ms=3_600_000
  tick @T0+48h {Bob score=9} -> FINISHED, totals=1 Bob 990 9 = 2 999 / - Ada - - = 0 0
Absent players keep their seats in the lobby
  window rounds=2; Bob Chase; Bob is gone; tick @T0+24h; Ada NextRound -> LOBBY, seats=3
  Ada Start -> RUNNING
No rematch opens a window
  window; Cy Leave; Bob Leave; tick @T0+24h; Ada Rematch -> FINISHED, Ada READY
""")


@pytest.mark.parametrize("beside", [{"after_win_s": 60}, {"chasers": True}, {"max_players": 1}])
def test_settings_that_clash_with_a_window(beside: dict[str, int]) -> None:
    with pytest.raises(Refusal) as refused:
        open_room(CODE, "Ada", Settings(window_s=3_600, **beside))  # type: ignore[arg-type]
    assert refused.value.code is ErrorCode.BAD_SETTINGS


def test_charts_of_a_window_use_the_players_own_clocks() -> None:
    played = round_of(play("window; Ada Chase @+1h; Bob Chase @+1h"))
    assert [played.began_ms(seat) for seat in (ADA, BOB, CY)] == [3_600_000, 7_200_000, 0]
    assert [played.is_ranked(seat) for seat in (ADA, BOB)] == [True, True]


def test_the_cards_of_a_window_can_be_played_alone() -> None:
    played = round_of(play("window; tick @T0+24h"))
    assert valid_settings(settings_again(played)).is_practice
