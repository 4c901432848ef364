"""The next game of a match's card: `x 2 (3) 4` is a card whose next game is 3."""

from protocol.vocabulary import RoomState
from server.rooms.race import ROUNDS_KEPT
from server.rooms.record import open_games, played_games
from server.views.finished_rounds import match_view
from server.views.rooms import room_view
from tests.present import present
from tests.rooms.stories import card_of, play, story_test

test_the_next_game_of_a_card = story_test("""
The first open game is next until the host chooses
  lobby rounds=4 -> card=(1) 2 3 4
  race 1 2 -> card=x (2) 3 4
  Ada Choose game=4; Ada NextRound -> card=x 2 3 (4)
  race 1 2 -> card=x (2) 3 x
A choice can be made before the first game, and changed
  lobby rounds=6; Ada Choose game=3; Ada Choose game=5 -> card=1 2 3 4 (5) 6
  race 1 2 -> game=5, card=(1) 2 3 4 x 6
Games that were played or are not on the card are refused
  lobby rounds=3; Ada Choose game=2; race 1 2; Ada Choose game=2 -> !GAME_PLAYED
  Ada Choose game=4 -> !NO_SUCH_GAME
  Ada NextRound; Ada Choose game=2 -> !GAME_PLAYED
  Ada Choose game=4 -> !NO_SUCH_GAME
Only the host chooses
  lobby rounds=3; Bob Choose game=2 -> !NOT_HOST
  Cy Choose game=2 -> !NOT_HOST
Ready players have to confirm a change of the game
  lobby rounds=3; Bob Ready; Ada Choose game=1 -> same
  Ada Choose game=2 -> Bob SEATED
A choice survives a stopped countdown
  lobby rounds=3; Ada Choose game=3; Ada Start; Ada Abort -> card=1 2 (3)
The match is over when all games are played in any order
  lobby rounds=3; Ada Choose game=3; race 1 2; Ada Choose game=1; race 1 2 -> over=False
  Ada Choose game=2; race 1 2 -> over=True, card=x x x
  Ada Choose game=1 -> !GAME_PLAYED
  Ada NextRound -> match=2, card=(1) 2 3
A choice does not affect the next match
  lobby rounds=2; Ada Choose game=2; race 1 2; Ada Choose game=1; race 1 2; Ada NextRound \
-> card=(1) 2
A shortened card is over, and the next start opens another
  lobby rounds=6; race 1 2; Ada NextRound; Ada Changes rounds=1 -> card=x
  Ada Start -> match=2, game=1
A chosen game is not played if it is no longer on the card
  lobby rounds=6; Ada Choose game=5; Ada Changes rounds=3 -> card=(1) 2 3
A room of one round has a card of one game
  lobby -> card=(1)
  Ada Choose game=2 -> !NO_SUCH_GAME
""")


# Source: text 3, "Which game do you want to play?", which takes any of the six each time.
test_games_of_the_dos_card_can_be_repeated = story_test("""
Any game of the DOS card may be repeated, and the last time counts
  lobby rounds=6; race 1 0; race 2 0; Ada Choose game=1; Ada NextRound -> card=(1) x 3 4 5 6
  Bob Choose game=1 -> !NOT_HOST
  race 30 40 -> totals=1 Bob 0 40 = 1 40 / 2 Ada 2 30 = 1 32, over=False, card=x x (3) 4 5 6
A game is repeated once, and the choice can be changed
  lobby rounds=6; race 1 0; race 2 0; Ada Choose game=2; Ada Choose game=5 -> card=x x 3 4 (5) 6
  lobby rounds=6; race 1 0; Ada NextRound; Bob Ready; Ada Choose game=1 -> Bob SEATED
  Ada Start; Ada Abort -> card=(1) 2 3 4 5 6
  Ada Choose game=7 -> !NO_SUCH_GAME
A complete card stays open if a game is to be repeated
  lobby rounds=6 ranking=best_score; race 20 10; race 20 10; race 20 10; race 20 10; race 20 10
  race 20 10; Ada Choose game=4; race 1 500 -> match=1, over=True, winners=Ada, card=x x x x x x, \
totals=1 Ada 20 20 20 20 20 1 = 5 101 / 2 Bob 10 10 10 10 10 500 = 1 550
  Ada NextRound -> match=2
""")


def test_each_game_of_a_card_has_its_own_numbered_deal() -> None:
    room = play("""lobby deal=numbered number=24 rounds=3; Ada Choose game=3; race 1 2; race 1 2
        race 1 2; race 1 2""")
    assert [played.deal.number for played in room.rounds] == [26, 24, 25, 24]


def test_everybody_sees_the_current_and_the_next_game() -> None:
    room = play("lobby rounds=3; Ada Choose game=2")
    assert room_view(room, 1).next_game == 2
    assert open_games(room) == (1, 2, 3)
    view = room_view(play("lobby rounds=3; Ada Choose game=2; Ada Start; tick @T0"), 1)
    assert present(view.round).game == 2
    assert (view.state, view.next_game) == (RoomState.RUNNING, None)


def test_the_games_of_a_card_survive_any_number_of_repetitions() -> None:
    again = "; Ada Choose game=2; race 3 4" * (ROUNDS_KEPT + 2)
    room = play(f"lobby rounds=6; race 1 0; race 2 0{again}")
    assert len(room.rounds) == ROUNDS_KEPT
    assert played_games(room) == (1, 2)
    view = present(match_view(room))
    assert (view.numbers, room_view(room, 1).played) == ((1, 2), 2)


def test_a_choice_stored_by_an_older_release_repeats_no_game() -> None:
    room = play("lobby rounds=6; Ada Choose game=3; race 1 0; Ada NextRound")
    room = room.replace(chosen_game=3)
    assert "plays_again" not in room.model_dump_json()
    assert card_of(room) == "(1) 2 x 4 5 6"
