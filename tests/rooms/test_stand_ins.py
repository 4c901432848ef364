"""Stand-ins: Bob (1) is gone in a race against Ada (host, 0), and a computer player finishes."""

from server.rooms.computer_players import counted_bots, name_of
from tests.rooms.stories import play, story_test

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
    assert counted_bots(asked) == {name_of("A"): "expert"}
    assert counted_bots(play("abandoned")) == {}
