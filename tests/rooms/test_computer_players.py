"""Computer players: Ada hosts; `bot_lobby` and `bot_race` have her and Web (1) alone."""

import re
from dataclasses import replace
from pathlib import Path

from protocol.from_client import AddBot, Leave, Start
from protocol.settings import Settings
from protocol.vocabulary import MAX_BOTS, ErrorCode
from server.rooms.computer_players import FIRST_GENERATION, NAMES, counted_bots, counted_name
from server.rooms.events import Tick
from server.rooms.lobby import open_room
from server.rooms.room import apply
from tests.rooms.rooms import ADA, BOB, CODE, NOW, T0, happen, lobby, refused_code, running, sends
from tests.rooms.stories import bot_lobby, play, story_test

ADD = AddBot(level="club", attempt="first-press-of-add-it")
ADD_ANOTHER = AddBot(level="club")


def test_a_bot_is_a_program_without_networks() -> None:
    bot = happen(open_room(CODE, "Ada", Settings()), sends(ADA, ADD)).seats[1]
    assert (bot.kind, bot.level, bot.generation) == ("program", "club", FIRST_GENERATION)
    assert bot.identity == ((), "")
    assert bot_lobby(one_seat=True).seats[1].networks == ()


def test_a_repeated_command_adds_one_bot_and_another_press_another_one() -> None:
    once = apply(lobby(), sends(ADA, ADD))
    assert apply(once, sends(ADA, ADD, NOW + 9_000)) is once
    twice = happen(once, sends(ADA, AddBot(level="club", attempt="second-press-of-add-it")))
    assert [seat.name for seat in twice.seats[3:]] == ["Web", "Ivo"]
    racing = happen(once, sends(ADA, Start()), Tick(T0))
    assert apply(racing, sends(ADA, ADD)) is racing


def test_commands_without_an_attempt_add_one_bot_each() -> None:
    room = happen(lobby(), *[sends(ADA, AddBot(level="expert"))] * 2)
    assert [seat.name for seat in room.seats[3:]] == ["Ara", "Orb"]


def test_names_of_bots_fit_into_the_list_of_events() -> None:
    names = [name for some in NAMES.values() for name in some]
    assert {len(name) for name in names} == {3}
    assert len({*names}) == len(names)


def test_the_race_on_the_front_page_has_the_names_of_real_bots() -> None:
    script = Path("web_client/src/landing/hero.js").read_text(encoding="utf-8")
    racers = re.findall(r"name: '(\w+)', level: '(\w+)'", script)
    assert len(racers) == 2
    assert {*racers} <= {(names[0], level) for level, names in NAMES.items()}


def test_the_number_of_bots_is_limited_and_their_names_are_unique() -> None:
    full = happen(lobby(), *[sends(ADA, AddBot(level="beginner"))] * MAX_BOTS)
    assert refused_code(full, sends(ADA, ADD)) is ErrorCode.TOO_MANY_BOTS
    names = [seat.name for seat in full.seats]
    assert len(set(names)) == len(names)
    assert names[-1] == "Pip 3"


def test_no_bot_has_the_name_of_a_person() -> None:
    room = lobby()
    names = zip(room.seats, ("Web", "Ned", "Bot Ivo"), strict=True)
    people = tuple(seat.replace(name=name) for seat, name in names)
    full = happen(room.replace(seats=people), *[sends(ADA, ADD_ANOTHER)] * 3)
    assert [seat.name for seat in full.seats[3:]] == ["Ivo", "Mab", "Gus"]


def test_bots_alone_do_not_race() -> None:
    room = happen(lobby(), sends(ADA, ADD), sends(BOB, Leave()))
    host = room.seats[0].replace(role="spectator")
    room = room.replace(seats=(host, *room.seats[1:]))
    assert refused_code(room, sends(ADA, Start())) is ErrorCode.NOBODY_READY


test_bots_in_the_room = story_test("""
A bot is ready at once and connects a moment later
  open; Ada AddBot level=club -> Ada SEATED on, Web READY grace, deadline=+BOT_GRACE
  tick @+GRACE -> same
  tick @NOW+BOT_GRACE -> Ada SEATED, Web absent
Only the host adds bots, before a race and within the room's limit
  lobby; Bob AddBot level=club -> !NOT_HOST
  lobby max_players=2; Ada AddBot level=club -> !ROOM_FULL
  lobby programs=False; Ada AddBot level=club -> Web READY
  bot_race; Ada AddBot level=club -> !NOT_IN_STATE
A host and a bot are two players, so they get a countdown
  bot_lobby; Ada Ready -> COUNTDOWN, t0=+COUNTDOWN, Ada READY, Web READY
  tick @T0 -> Ada RACING, Web RACING, programs=(1,)
Bots wait for the people
  lobby; Ada AddBot level=club; Bob Ready -> LOBBY
  Ada Ready -> COUNTDOWN
Bots stay ready when the settings change
  bot_lobby; Ada Configure game=spider-4 -> Ada SEATED, Web READY
The host can remove a bot, which bans nobody
  bot_lobby; Ada Kick 1 -> Ada SEATED, Web absent
  bot_race; Ada Kick 1 ban=True -> Ada RACING, Web FORFEIT, bans=()
A room without people has no queue and admits newcomers
  bot_lobby approve=True; Bob joins -> Bob waiting
  Ada Leave -> waiting=0
  Cy joins -> host=Cy
""")


test_bots_in_races = story_test("""
A bot accepts every rematch
  bot_race; tick @T0+15m -> Ada TIMED_OUT, Web READY
  ? Ada NextRound -> Ada SEATED, Web READY
  Ada Rematch -> COUNTDOWN, Ada READY, Web READY
A bot may be added between two races
  finished; Ada AddBot level=club; Bob Leave; Ada Rematch -> Ada READY, Web READY
A race against bots is ranked but counts in no tally
  bot_race; tick @T0+15m {Ada won} -> board=1 Ada 2 Web, wins=0 0
  bot_race; tick @T0+15m {Ada score=1, Web won} -> board=1 Web 2 Ada, wins=0 0
A win over a person counts even with bots in the race
  lobby; Ada AddBot level=club; Ada Ready; Bob Ready; tick @T0
  ? tick @T0+15m {Ada won} -> wins=1 0 0 0
  tick @T0+15m {Web won} -> wins=0 0 0 0
A bot never gives up: it stops and keeps its place
  bot_race
  ? Ada Forfeit @T0+90s -> Ada FORFEIT, Web RACING
  Web Forfeit @T0+90s {Web score=301 moves=90 gained_ms=60_000} -> Ada RACING, \
Web FINISHED finished_ms=90_000
  tick @T0+15m -> board=1 Web 2 Ada
After their person has left, bots finish the race and go
  bot_race; Ada Leave -> Ada FORFEIT, Web RACING
  Web ends @+1 {Web finished_ms=1} -> FINISHED, Ada FORFEIT, Web absent
A bot that is lost in a race may return until the next race
  bot_race; Web drops; tick @+BOT_GRACE -> Web gone
  Web returns -> Web on
  bot_race; Web drops; tick @+BOT_GRACE; tick @T0+15m -> Ada TIMED_OUT, Web READY
  Bob joins; Bob Rematch; Ada Rematch -> Ada READY, Bob READY, Web absent
A bot that is lost in a race keeps its score
  bot_race time_limit_s=None; Web drops
  tick @+BOT_GRACE {Web score=610} -> Ada RACING, Web TIMED_OUT score=610
A bot that is lost between races holds nobody up
  bot_race; tick @T0+15m; Bob joins; Bob Rematch; Web drops
  tick with cards @+BOT_GRACE -> Ada TIMED_OUT, Bob READY, Web absent
""")


test_bots_leave_rooms_that_no_person_attends = story_test("""
A bot never becomes host, and leaves a lobby without people
  bot_lobby; Ada is gone -> host=Ada, idle_since=NOW+GRACE, deadline=+LEAVES_AFTER
  tick @+LEAVES_AFTER-1 -> same
  tick @+1 -> Ada SEATED, Web absent, deadline=NOW+GRACE+LOBBY_IDLE
  ? tick @NOW+GRACE+LOBBY_IDLE -> CLOSED
  Ada returns; Ada AddBot level=club -> Ada SEATED, Web READY, host=Ada
A person who returns in time finds the bot
  bot_lobby; Ada is gone; Ada returns; tick @+LEAVES_AFTER -> same
  Ada is gone -> deadline=+LEAVES_AFTER
Bots stay for a spectator
  bot_lobby; Cy joins role=spectator; Ada Leave -> Web READY, Cy WATCHING, deadline=None
Bots leave at once when the last person leaves for good
  bot_lobby; Ada Leave -> seats=0, host=None
  Bob joins -> host=Bob
  bot_lobby; Bob joins; Ada Ready; Bob Ready -> COUNTDOWN
  Bob Leave; Ada Leave -> LOBBY, seats=0
  bot_race; tick @T0+15m; Ada Leave -> FINISHED, seats=0
  tick @+FINISHED_IDLE -> CLOSED
  finished; Ada AddBot level=club; Bob Leave; Cy Leave; Ada Leave -> FINISHED
A bot leaves a finished room without people
  bot_race; tick @T0+15m; Ada is gone -> deadline=+LEAVES_AFTER
  tick @+LEAVES_AFTER -> Ada TIMED_OUT, Web absent, kept=1, \
deadline=T0+15m+GRACE+FINISHED_IDLE
  Ada returns; Ada AddBot level=club; Ada Rematch -> COUNTDOWN
Bots finish a deserted race and then leave
  bot_race time_limit_s=None; Ada is gone -> deadline=+DESERTED
  tick @+LEAVES_AFTER -> same
  ? Web ends {Web finished_ms=90_000 score=400} -> Ada gone, \
Web gone was_kicked=True score=400, deadline=T0+GRACE+DESERTED
  Web ends @T0+GRACE+1 {Web finished_ms=90_000} -> deadline=T0+GRACE+LEAVES_AFTER
  tick @T0+GRACE+LEAVES_AFTER -> Ada gone, Web gone was_kicked=True
  Ada returns; Ada Forfeit -> Ada FORFEIT, Web READY
  Ada Rematch -> COUNTDOWN, Ada READY, Web absent
A bot without a process does not keep an unlimited race open
  open time_limit_s=None; Ada AddBot level=club; Ada Ready; tick @T0; Ada Forfeit \
-> Ada FORFEIT, Web RACING, deadline=NOW+BOT_GRACE
  tick @NOW+BOT_GRACE-1 -> same
  tick @NOW+BOT_GRACE -> FINISHED, Ada FORFEIT, Web READY
""")


def test_bots_are_counted_until_they_leave() -> None:
    assert counted_bots(running()) == {}
    command = replace(sends(ADA, ADD), token_hash="the hash of a token")
    assert counted_bots(apply(lobby(), command)) == {counted_name(command.token_hash): "club"}
    room = play("bot_race time_limit_s=None; Ada is gone; tick @+LEAVES_AFTER")
    assert len(counted_bots(room)) == 1
    story = "bot_race time_limit_s=None; Ada is gone; Web ends @+LEAVES_AFTER"
    assert counted_bots(play(f"{story} {{Web finished_ms=9}}")) == {}


test_which_seats_get_a_stand_in = story_test("""
A stand-in takes the seat, and the round notes it
  abandoned; Ada AddStandIn Bob level=club token=A -> Bob grace, stand_ins={}
  Bob returns networks=('server',) stand_in=A -> Bob RACING on kind=person level=None \
networks=(), stand_ins={1: 'club'}
A repeated command adds one
  abandoned; Ada AddStandIn Bob level=club token=A; Ada AddStandIn Bob level=club token=B -> same
  taken; tick @T0+15m -> FINISHED
  Ada AddStandIn Bob level=club token=B -> !NOT_IN_STATE
The host can ask for one if a player is gone
  abandoned; Cy AddStandIn Bob level=club -> !NOT_HOST
  Ada AddStandIn 7 level=club -> !NO_SUCH_SEAT
  Ada AddStandIn Cy level=club -> !NOT_RACING
  Ada AddStandIn Ada level=club -> !PLAYER_IS_BACK
A player who has left gets none, having given up
  running; Bob Leave; Ada AddStandIn Bob level=club -> !NOT_RACING
A stand-in counts as a bot of the room; bots get none
  lobby; Ada AddBot level=club; Ada AddBot level=club; Ada AddBot level=club; Ada AddBot level=club
  Ada AddBot level=club; Ada AddBot level=club; Ada AddBot level=club; Ada AddBot level=club
  Bob Ready; Ada Ready; tick @T0; Bob is gone; Ada AddStandIn Bob level=club -> !TOO_MANY_BOTS
  Ada AddStandIn 3 level=club -> !NOT_RACING
If it is gone, another process can take over, or the host can ask for another one
  taken; Bob is gone -> Bob grace
  tick @T0+GRACE+BOT_GRACE -> Bob gone
  ? Bob returns stand_in=A -> Bob on
  Ada AddStandIn Bob level=expert token=B; Bob returns stand_in=A -> !BAD_TOKEN
  Bob returns stand_in=B -> stand_ins={1: 'expert'}
Kicking the seat or aborting the race also ends the stand-in
  taken
  ? Ada Abort -> Bob gone stand_in=None
  Ada Kick Bob -> Bob FORFEIT stand_in=None
A latecomer may have one too
  running chasers=True; Dee joins; Dee Chase @+5s; Dee is gone
  Ada AddStandIn Dee level=club token=A
  Dee returns stand_in=A -> board=1 Ada 1 Bob - Dee, Dee late_ms=5_000
""")


test_the_games_of_stand_ins = story_test("""
It stops without giving up; an owner who returns can forfeit
  taken
  ? Bob Forfeit -> Bob FINISHED
  Bob returns; Bob Forfeit -> Bob FORFEIT
Its game is not ranked, wins nothing and shortens nobody's time
  taken after_win_s=60; tick {Ada score=5, Bob score=100} -> board=1 Ada - Bob
  Bob ends @T0+1m {Bob won} -> t_end=T0+15m
  ? Ada Abort -> LOBBY
  Ada Forfeit @T0+70s {Ada score=5} -> FINISHED, wins=0 0 0, board=1 Ada - Bob
The race waits for it and goes on after its end
  taken; Ada Forfeit @T0+20s -> RUNNING
  Bob ends @T0+1m {Bob won} -> FINISHED, Ada on, Bob gone stand_in=None, Cy on
  Bob returns stand_in=A -> !BAD_TOKEN
  Cy Rematch; Ada Rematch -> COUNTDOWN
An owner who returns continues unranked
  taken; Bob returns process=b networks=('bob',) -> Bob on stand_in=None networks=('bob',), \
stand_ins={1: 'club'}
  Bob returns stand_in=A -> !BAD_TOKEN
  Ada AddStandIn Bob level=expert token=B -> !PLAYER_IS_BACK
An owner who returns before it has started stays ranked
  abandoned; Ada AddStandIn Bob level=club token=A; Bob returns -> stand_ins={}, board=1 Ada 1 Bob
A reconnection does not change the stand-in
  taken; Bob returns generation=5 process=bots stand_in=A -> same
  Bob returns generation=6 stand_in=A -> stand_ins={1: 'club'}
It never counts as a person: it is not host, and a race with nobody else is deserted
  taken time_limit_s=None; Cy drops; Ada is gone -> Ada gone, Bob on, Cy gone, host=Ada, \
deadline=+DESERTED
A former host must return in person to be host again
  running; Ada is gone -> host=Bob
  Bob AddStandIn Ada level=club token=A; Ada returns stand_in=A -> host=Bob
  Ada returns -> host=Ada
""")


def test_a_stand_in_has_the_name_of_its_token() -> None:
    asked = play("abandoned; Ada AddStandIn Bob level=expert token=A")
    assert counted_bots(asked) == {counted_name("A"): "expert"}
    assert counted_bots(play("abandoned")) == {}
