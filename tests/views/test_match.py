"""Matches of several rounds and their cards."""

from typing import Any

import pytest

from protocol.from_client import Chase, Forfeit, NextRound, Ready, Start
from protocol.views import MatchView
from protocol.vocabulary import RoomState
from server.rooms.events import GameEnded, Tick
from server.rooms.race import ROUNDS_KEPT
from server.rooms.record import PlayerStats, Room
from server.views.match import match_view
from tests.present import present
from tests.rooms.rooms import ADA, BOB, CY, T0, happen, joins, lobby, sends


def play(room: Room, *scores: int) -> Room:
    """Play a round of all seated players; each finishes after one second per point."""
    players = [seat.number for seat in room.seats if seat.role == "player"]
    room = happen(room, *(sends(seat, Ready()) for seat in players))
    room = happen(room, Tick(T0))
    assert room.round is not None
    n = room.round.n
    for seat, score in zip(players, scores, strict=True):
        stats = PlayerStats(
            score=score, moves=score, exceptions=1, hints=2, cheats=3, finished_ms=score * 1_000
        )
        room = happen(room, GameEnded(seat, n, T0 + 1, {seat: stats}))
    return room


def card(match: MatchView | None) -> str:
    """Return a match as text: `1 Ada 52 - | 1 win, 52`; without a place `- Cy - | 0 wins, 0`."""
    assert match is not None
    lines = []
    for row in match.cards:
        rounds = " ".join("-" if line is None else str(line.score) for line in row.lines)
        lines.append(f"{row.place or '-'} {row.name} {rounds} | {row.wins} wins, {row.score}")
    return "\n".join(lines)


def match(**settings: Any) -> Room:
    return lobby(ranking="best_score", **settings)


def test_a_match_has_no_card_before_its_first_round() -> None:
    assert match_view(match(rounds=6)) is None


def test_a_card_has_a_line_a_round_and_totals() -> None:
    room = play(match(rounds=3), 50, 40)
    room = play(happen(room, sends(ADA, NextRound())), 10, 30)
    assert card(match_view(room)) == "1 Bob 40 30 | 1 wins, 70\n2 Ada 50 10 | 1 wins, 60"
    view = present(match_view(room))
    assert (view.rounds, view.n, view.over) == (3, (1, 2), False)
    bob = view.cards[0]
    assert (bob.moves, bob.exceptions, bob.hints, bob.cheats) == (70, 2, 4, 6)
    assert (bob.time_ms, [line.cheats for line in bob.lines if line]) == (70_000, [3, 3])


def test_a_match_is_ranked_by_wins_or_by_score() -> None:
    for ranking, first in (("wins", "1 Ada"), ("score", "1 Bob")):
        room = play(match(rounds=3, match_ranking=ranking), 20, 10)
        room = play(happen(room, sends(ADA, NextRound())), 20, 10)
        room = play(happen(room, sends(ADA, NextRound())), 0, 90)
        assert card(match_view(room)).startswith(first)
        view = present(match_view(room))
        assert view.over


def test_of_two_equal_totals_the_player_with_more_wins_is_first() -> None:
    room = play(match(rounds=3, match_ranking="score"), 50, 40)
    room = play(happen(room, sends(ADA, NextRound())), 50, 40)
    room = play(happen(room, sends(ADA, NextRound())), 20, 40)
    assert card(match_view(room)) == "1 Ada 50 50 20 | 2 wins, 120\n2 Bob 40 40 40 | 1 wins, 120"


def test_equal_cards_share_a_place() -> None:
    assert [row.place for row in _cards(play(match(), 20, 20))] == [1, 1]


def _cards(room: Room) -> list[Any]:
    view = present(match_view(room))
    return list(view.cards)


def test_players_who_join_between_rounds_have_a_blank() -> None:
    room = play(match(rounds=2), 20, 10)
    room = happen(room, joins("Dee"))
    assert card(match_view(room)).endswith("- Dee - | 0 wins, 0")
    room = play(happen(room, sends(ADA, NextRound())), 20, 10, 90)
    assert "Dee - 90" in card(match_view(room))


def test_players_who_watched_a_round_have_a_blank_in_it() -> None:
    room = play(match(rounds=2), 20, 10)
    room = happen(room, sends(ADA, NextRound()), sends(ADA, Start()), Tick(T0))
    room = happen(room, sends(ADA, Forfeit(), T0 + 2_000, {ADA: PlayerStats(score=5)}))
    assert card(match_view(room)) == "1 Ada 20 5 | 1 wins, 25\n2 Bob 10 - | 0 wins, 10"
    assert _cards(room)[0].lines[1].time_ms == 2_000


@pytest.mark.parametrize("match_ranking", ["wins", "score"])
def test_players_without_a_ranked_line_have_no_place_and_come_last(match_ranking: str) -> None:
    """Chasers once shared a place with players who had scored zero."""
    room = match(rounds=2, chasers=True, match_ranking=match_ranking)
    room = happen(room, sends(ADA, Ready()), sends(BOB, Ready()))
    room = happen(room, Tick(T0), sends(CY, Chase(), T0 + 9))
    won = PlayerStats(score=990, won=True, finished_ms=50)
    stats = {ADA: PlayerStats(score=20, finished_ms=50), BOB: PlayerStats(finished_ms=50), CY: won}
    room = happen(room, *(GameEnded(seat, 1, T0 + 60, stats) for seat in (CY, ADA, BOB)))
    assert card(match_view(room)) == (
        "1 Ada 20 | 1 wins, 20\n2 Bob 0 | 0 wins, 0\n- Cy - | 0 wins, 0"
    )
    # A later ranked line gives a place, even with a score of zero.
    room = play(happen(room, sends(ADA, NextRound())), 1, 0, 0)
    assert card(match_view(room)) == (
        "1 Ada 20 1 | 2 wins, 21\n2 Bob 0 0 | 0 wins, 0\n2 Cy - 0 | 0 wins, 0"
    )


def give_up(room: Room, seat: int, score: int) -> Room:
    """Return the room after a player has given up the running game."""
    return happen(room, sends(seat, Forfeit(), T0 + 2_000, {seat: PlayerStats(score=score)}))


def begin(room: Room) -> Room:
    """Return the room in the next race of Ada and Bob."""
    if room.state is RoomState.FINISHED:
        room = happen(room, sends(ADA, NextRound()))
    return happen(room, sends(ADA, Ready()), sends(BOB, Ready()), Tick(T0))


def winners(room: Room) -> tuple[int, ...]:
    view = present(match_view(room))
    return view.winners


def test_a_round_that_all_give_up_has_no_win() -> None:
    room = give_up(give_up(begin(match(rounds=2)), ADA, 50), BOB, 40)
    assert card(match_view(room)) == "1 Ada 50 | 0 wins, 50\n2 Bob 40 | 0 wins, 40"
    assert [line.is_win for each in _cards(room) for line in each.lines] == [False, False]


def test_a_game_given_up_alone_is_no_win() -> None:
    room = happen(match(rounds=2), sends(ADA, Start()), Tick(T0))
    room = happen(room, sends(ADA, Forfeit(), T0 + 1))
    assert card(match_view(room)) == "1 Ada 0 | 0 wins, 0\n- Bob - | 0 wins, 0"


def test_a_round_without_an_act_has_no_win() -> None:
    room = happen(begin(match(rounds=2)), Tick(T0 + 900_000))
    assert card(match_view(room)) == "1 Ada 0 | 0 wins, 0\n1 Bob 0 | 0 wins, 0"


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        ("moves", "1 Bob 300 300 | 2 wins, 600\n2 Ada 0 0 | 0 wins, 0"),
        ("woods", "1 Ada 500 500 | 0 wins, 1000\n2 Bob 300 300 | 2 wins, 600"),
    ],
)
def test_a_game_given_up_counts_nothing_in_totals_under_the_moves_score(
    score: str, expected: str
) -> None:
    """Two games given up at once once led a match with 1,000 points, over a winner."""
    room = match(rounds=2, match_ranking="score", score=score)
    won = PlayerStats(score=300, won=True, finished_ms=9_000)
    for n in (1, 2):
        room = give_up(begin(room), ADA, 500)
        room = happen(room, GameEnded(BOB, n, T0 + 9_000, {BOB: won}))
    assert card(match_view(room)) == expected
    assert [line.given_up for line in _card_of(room, ADA).lines] == [True, True]
    # The place follows the totals, but nobody wins a match by giving up.
    assert winners(room) == ((BOB,) if score == "moves" else ())


def _card_of(room: Room, seat: int) -> Any:
    return next(each for each in _cards(room) if each.seat == seat)


def test_a_match_has_winners_once_it_is_over() -> None:
    room = play(match(rounds=2), 20, 10)
    assert winners(room) == ()
    assert winners(play(happen(room, sends(ADA, NextRound())), 20, 10)) == (ADA,)
    assert winners(play(happen(room, sends(ADA, NextRound())), 10, 20)) == (ADA, BOB)


def test_a_match_of_games_that_all_give_up_has_no_winner() -> None:
    room = match(rounds=2)
    for _ in range(2):
        room = give_up(give_up(begin(room), ADA, 50), BOB, 40)
    assert winners(room) == ()
    idle = match(rounds=1)
    assert winners(happen(begin(idle), Tick(T0 + 900_000))) == ()


@pytest.mark.parametrize("score", ["moves", "woods"])
def test_nobody_wins_a_match_without_an_act(score: str) -> None:
    """A player who never moved once led a match by 500 points a game, and won it."""
    room = match(rounds=2, match_ranking="score", score=score)
    for n in (1, 2):
        room = begin(room)
        for seat, score_then in ((ADA, 500), (BOB, 90)):
            acted = PlayerStats(score=score_then, has_acted=seat == BOB, finished_ms=9_000)
            room = happen(room, GameEnded(seat, n, T0 + 9_000, {seat: acted}))
    ada, bob = _card_of(room, ADA), _card_of(room, BOB)
    assert [line.has_acted for line in (*ada.lines, *bob.lines)] == [False, False, True, True]
    assert (ada.wins, ada.score) == (0, 0 if score == "moves" else 1_000)
    assert winners(room) == ()  # no round had a winner


def test_only_a_game_with_an_act_that_was_not_given_up_can_win_a_match() -> None:
    """The first gave up ahead in one round, and sat out the other without an act."""
    room = give_up(begin(match(rounds=2, match_ranking="score")), ADA, 900)
    won = PlayerStats(score=300, won=True, finished_ms=9_000)
    room = begin(happen(room, GameEnded(BOB, 1, T0 + 9_000, {BOB: won})))
    lost = PlayerStats(score=200, finished_ms=9_000)
    room = happen(room, GameEnded(BOB, 2, T0 + 9_000, {BOB: lost}), Tick(T0 + 900_000))
    assert card(match_view(room)).startswith("1 Ada 900 0 | 0 wins, 900")
    assert winners(room) == ()


def test_another_match_begins_after_the_last_round() -> None:
    room = play(match(rounds=1), 20, 10)
    assert room.match == 1
    room = happen(room, sends(ADA, NextRound()))
    assert room.match == 2
    assert match_view(room) is None
    assert len(room.rounds) == 1
    assert card(match_view(play(room, 5, 9))) == "1 Bob 9 | 1 wins, 9\n2 Ada 5 | 0 wins, 5"


def test_players_who_time_out_have_the_time_of_the_whole_round() -> None:
    room = match(time_limit_s=600)
    room = happen(room, sends(ADA, Start()), Tick(T0), Tick(T0 + 600_000))
    assert _cards(room)[0].lines[0].time_ms == 600_000


def test_numbered_deals_continue_within_a_match() -> None:
    room = match(deal="numbered", number=24, rounds=2)
    numbers = []
    for _ in range(3):
        room = play(room, 1, 2)
        assert room.round is not None
        numbers.append(room.round.deal.number)
        room = happen(room, sends(ADA, NextRound()))
    assert numbers == [24, 25, 24]


def test_a_room_keeps_its_latest_rounds_only() -> None:
    room = match()
    for _ in range(ROUNDS_KEPT + 3):
        room = happen(play(room, 1, 2), sends(ADA, NextRound()))
    assert [played.n for played in room.rounds] == list(range(4, ROUNDS_KEPT + 4))
    assert room.seat(BOB) is not None
