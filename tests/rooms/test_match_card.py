"""The next game of a match's card: `1 2 (3) 4` is a card whose next game is 3."""

from protocol.from_client import Abort, Choose, Configure, NextRound, Ready, Start
from protocol.vocabulary import ErrorCode, RoomState
from server.rooms.events import Tick
from server.rooms.match_card import next_game, numbers, open_games
from server.rooms.race import ROUNDS_KEPT, round_of
from server.rooms.record import Room
from server.views.match import match_view
from server.views.rooms import room_view
from tests.rooms.rooms import ADA, BOB, CY, T0, happen, lobby, refused_code, sends, states
from tests.views.test_match import match, play


def games(room: Room) -> str:
    """Return the card as text: played games are `x`, the next one is in brackets."""
    played = numbers(room.played())
    return " ".join(
        "x" if game in played else f"({game})" if game == next_game(room) else str(game)
        for game in range(1, room.settings.rounds + 1)
    )


def test_the_lowest_open_game_comes_next_until_the_host_chooses() -> None:
    room = match(rounds=4)
    assert games(room) == "(1) 2 3 4"
    room = play(room, 1, 2)
    assert games(room) == "x (2) 3 4"
    room = happen(room, sends(ADA, Choose(game=4)), sends(ADA, NextRound()))
    assert games(room) == "x 2 3 (4)"
    room = play(room, 1, 2)
    assert games(room) == "x (2) 3 x"


def test_a_choice_can_be_made_before_the_first_game_and_changed() -> None:
    room = happen(match(rounds=6), sends(ADA, Choose(game=3)), sends(ADA, Choose(game=5)))
    assert games(room) == "1 2 3 4 (5) 6"
    room = play(room, 1, 2)
    assert round_of(room).game == 5
    assert games(room) == "(1) 2 3 4 x 6"


def test_a_game_that_is_over_is_refused_and_so_is_one_beyond_the_card() -> None:
    room = play(happen(match(rounds=3), sends(ADA, Choose(game=2))), 1, 2)
    for between in (room, happen(room, sends(ADA, NextRound()))):
        assert refused_code(between, sends(ADA, Choose(game=2))) is ErrorCode.GAME_PLAYED
        assert refused_code(between, sends(ADA, Choose(game=4))) is ErrorCode.NO_SUCH_GAME
        assert games(between) == "(1) x 3"


def test_only_the_host_chooses() -> None:
    for seat in (BOB, CY):
        assert refused_code(match(rounds=3), sends(seat, Choose(game=2))) is ErrorCode.NOT_HOST


def test_ready_players_confirm_another_game_but_not_the_same_one() -> None:
    room = happen(match(rounds=3), sends(BOB, Ready()))
    assert happen(room, sends(ADA, Choose(game=1))) is room
    assert "Bob READY" in states(room)
    room = happen(room, sends(ADA, Choose(game=2)))
    assert "Bob SEATED" in states(room)


def test_a_choice_outlives_a_countdown_that_was_stopped() -> None:
    room = happen(
        match(rounds=3), sends(ADA, Choose(game=3)), sends(ADA, Start()), sends(ADA, Abort())
    )
    assert games(room) == "1 2 (3)"


def test_the_match_is_over_when_all_games_are_played_in_any_order() -> None:
    room = match(rounds=3)
    for game in (3, 1, 2):
        view = match_view(room)
        assert view is None or not view.over
        room = play(happen(room, sends(ADA, Choose(game=game))), 1, 2)
        if game != 2:
            room = happen(room, sends(ADA, NextRound()))
    view = match_view(room)
    assert view is not None
    assert (view.numbers, view.over, next_game(room)) == ((3, 1, 2), True, None)
    assert refused_code(room, sends(ADA, Choose(game=1))) is ErrorCode.GAME_PLAYED
    room = happen(room, sends(ADA, NextRound()))
    assert (room.match, games(room)) == (2, "(1) 2 3")


def test_a_choice_is_not_carried_into_another_match() -> None:
    room = match(rounds=2)
    for game in (2, 1):
        room = happen(
            play(happen(room, sends(ADA, Choose(game=game))), 1, 2), sends(ADA, NextRound())
        )
    assert games(room) == "(1) 2"


def test_a_numbered_deal_is_that_of_its_game() -> None:
    room = match(deal="numbered", number=24, rounds=3)
    found = []
    for game in (3, 1, 2):
        room = play(happen(room, sends(ADA, Choose(game=game))), 1, 2)
        found.append(round_of(room).deal.number)
        room = happen(room, sends(ADA, NextRound()))
    assert found == [26, 24, 25]


def test_a_card_that_was_made_shorter_ends_and_the_next_start_opens_another() -> None:
    room = happen(play(match(rounds=6), 1, 2), sends(ADA, NextRound()))
    shorter = room.settings.model_copy(update={"rounds": 1})
    room = happen(room, sends(ADA, Configure(settings=shorter)))
    assert open_games(room) == ()
    assert next_game(room) is None
    room = happen(room, sends(ADA, Start()))
    assert (room.match, room.round and room.round.game) == (2, 1)


def test_a_chosen_game_that_is_no_more_on_the_card_is_not_played() -> None:
    room = happen(match(rounds=6), sends(ADA, Choose(game=5)))
    shorter = room.settings.model_copy(update={"rounds": 3})
    assert games(happen(room, sends(ADA, Configure(settings=shorter)))) == "(1) 2 3"


def test_everybody_sees_which_game_is_next_and_which_one_is_on() -> None:
    room = happen(match(rounds=3), sends(ADA, Choose(game=2)))
    assert room_view(room, 1).next_game == 2
    room = happen(room, sends(ADA, Start()), Tick(T0))
    view = room_view(room, 1)
    assert view.round is not None
    assert (view.state, view.round.game, view.next_game) == (RoomState.RUNNING, 2, None)


def test_a_room_of_one_round_has_a_card_of_one_game() -> None:
    assert games(lobby()) == "(1)"
    assert refused_code(lobby(), sends(ADA, Choose(game=2))) is ErrorCode.NO_SUCH_GAME


def dos_card(*played: int) -> Room:
    """Return a room between the games of a card of six, of which some are played."""
    room = match(rounds=6)
    for score, game in enumerate(played, 1):
        room = happen(room, sends(ADA, Choose(game=game)))
        room = happen(play(room, score, 0), sends(ADA, NextRound()))
    return room


def test_any_game_of_the_dos_card_may_be_played_again_and_the_last_time_counts() -> None:
    """Source: text 3, "Which game do you want to play?", which takes any of the six each time."""
    room = happen(dos_card(1, 2), sends(ADA, Choose(game=1)))
    assert next_game(room) == 1
    assert refused_code(room, sends(BOB, Choose(game=1))) is ErrorCode.NOT_HOST
    room = play(room, 30, 40)
    view = match_view(room)
    assert view is not None
    assert (view.numbers, view.n, view.over) == ((2, 1), (2, 3), False)
    assert [(card.name, card.score, card.wins) for card in view.cards] == [
        ("Bob", 40, 1),
        ("Ada", 32, 1),
    ]
    assert (next_game(room), room_view(room, 1).played) == (3, 2)


def test_a_repeated_game_comes_once_and_the_choice_can_be_changed() -> None:
    room = happen(dos_card(1, 2), sends(ADA, Choose(game=2)), sends(ADA, Choose(game=5)))
    assert games(room) == "x x 3 4 (5) 6"
    room = happen(dos_card(1), sends(BOB, Ready()), sends(ADA, Choose(game=1)))
    assert "Bob SEATED" in states(room)  # who was ready confirms another game
    room = happen(room, sends(ADA, Start()), sends(ADA, Abort()))
    assert next_game(room) == 1
    assert refused_code(room, sends(ADA, Choose(game=7))) is ErrorCode.NO_SUCH_GAME


def test_a_complete_card_stays_open_for_a_game_that_is_played_again() -> None:
    room = match(rounds=6)
    for game in range(1, 7):
        room = play(happen(room, sends(ADA, Choose(game=game))), 20, 10)
        room = room if game == 6 else happen(room, sends(ADA, NextRound()))
    assert next_game(room) is None
    room = happen(room, sends(ADA, Choose(game=4)), sends(ADA, NextRound()))
    room = play(room, 1, 500)
    view = match_view(room)
    assert view is not None
    assert (room.match, view.over, view.winners, next_game(room)) == (1, True, (ADA,), None)
    assert (view.cards[0].wins, view.cards[1].score) == (5, 550)
    assert happen(room, sends(ADA, NextRound())).match == 2


def test_the_games_of_a_card_outlive_any_number_of_repetitions() -> None:
    room = dos_card(1, 2)
    for _ in range(ROUNDS_KEPT + 2):
        room = happen(room, sends(ADA, Choose(game=2)))
        room = happen(play(room, 3, 4), sends(ADA, NextRound()))
    assert len(room.rounds) == ROUNDS_KEPT
    assert numbers(room.played()) == (1, 2)


def test_a_choice_in_a_record_of_an_older_release_repeats_no_game() -> None:
    room = dos_card(3).model_copy(update={"chosen_game": 3})
    assert games(room) == "(1) 2 x 4 5 6"
    assert "plays_again" not in room.model_dump_json()
