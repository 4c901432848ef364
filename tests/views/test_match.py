"""Matches of several rounds and their cards: place, name, scores, wins and sum of each player."""

from typing import Any

import pytest

from protocol.views import MatchView, PlayerCard
from server.rooms.race import ROUNDS_KEPT
from server.rooms.record import Room
from server.views.match import match_view
from tests.present import present
from tests.rooms.stories import play
from tests.stories import stories

TOTALS = """
A match has no card before its first round, and a line a round then
  lobby rounds=3 -> totals=None
  race 50 40; race 10 30 -> totals=1 Bob 40 30 = 1 70 / 2 Ada 50 10 = 1 60, over=False
A match is ranked by wins or by score
  lobby rounds=3 match_ranking=wins; race 20 10; race 20 10; race 0 90 -> over=True, \
totals=1 Ada 20 20 0 = 2 40 / 2 Bob 10 10 90 = 1 110
  lobby rounds=3 match_ranking=score; race 20 10; race 20 10; race 0 90 -> over=True, \
totals=1 Bob 10 10 90 = 1 110 / 2 Ada 20 20 0 = 2 40
Of two equal totals the player with more wins is first
  lobby rounds=3 match_ranking=score; race 50 40; race 50 40; race 20 40 \
-> totals=1 Ada 50 50 20 = 2 120 / 2 Bob 40 40 40 = 1 120
Equal cards share a place
  lobby; race 20 20 -> totals=1 Ada 20 = 1 20 / 1 Bob 20 = 1 20
Players who join between rounds have a blank
  lobby rounds=2; race 20 10; Dee joins \
-> totals=1 Ada 20 = 1 20 / 2 Bob 10 = 0 10 / - Dee - = 0 0
  race 20 10 90 -> totals=1 Dee - 90 = 1 90 / 2 Ada 20 20 = 1 40 / 3 Bob 10 10 = 0 20
Players who watched a round have a blank in it
  lobby rounds=2; race 20 10; Ada NextRound; Ada Start; tick @T0; Ada Forfeit @+2s {Ada score=5} \
-> totals=1 Ada 20 5 = 1 25 / 2 Bob 10 - = 0 10
Another match begins after the last round
  lobby rounds=1; race 20 10 -> match=1
  Ada NextRound -> match=2, totals=None, kept=1
  race 5 9 -> totals=1 Bob 9 = 1 9 / 2 Ada 5 = 0 5
"""


@stories(TOTALS)
def test_the_totals_of_a_match(story: str) -> None:
    play(story)


UNRANKED = """
Chasers have no place and come last, also below a score of zero
  lobby rounds=2 chasers=True; Bob Ready; Ada Ready; tick @T0; Cy Chase @+9; Cy ends @+60 {Cy won}
  Ada ends {Ada score=20 finished_ms=50}; Bob ends {Bob finished_ms=50} \
-> totals=1 Ada 20 = 1 20 / 2 Bob 0 = 0 0 / - Cy - = 0 0
  race 1 0 0 -> totals=1 Ada 20 1 = 2 21 / 2 Bob 0 0 = 0 0 / 2 Cy - 0 = 0 0
"""


@pytest.mark.parametrize("match_ranking", ["wins", "score"])
@stories(UNRANKED)
def test_players_without_a_ranked_line_have_no_place(match_ranking: str, story: str) -> None:
    play(story.replace("rounds=2", f"rounds=2 match_ranking={match_ranking}"))


NO_WIN = """
A round that all give up
  lobby; Bob Ready; Ada Ready; tick @T0; Ada Forfeit {Ada score=50}; Bob Forfeit {Bob score=40} \
-> totals=1 Ada 50 = 0 50 / 2 Bob 40 = 0 40, winners=
A game given up alone
  lobby; Ada Start; tick @T0; Ada Forfeit @+1 -> totals=1 Ada 0 = 0 0 / - Bob - = 0 0
A round without an act
  lobby; Bob Ready; Ada Ready; tick @T0; tick @+15m \
-> totals=1 Ada 0 = 0 0 / 1 Bob 0 = 0 0, over=True, winners=
A match has winners once it is over
  lobby rounds=2; race 20 10 -> winners=
  ? race 20 10 -> winners=Ada
  race 10 20 -> winners=Ada Bob
"""


@stories(NO_WIN)
def test_who_wins_rounds_and_matches(story: str) -> None:
    play(story)


def cards(room: Room) -> dict[str, PlayerCard]:
    return {card.name: card for card in present(match_view(room)).cards}


def two_rounds(settings: str, events: str) -> Room:
    """Return a match of two rounds of Ada and Bob, of which each has these events."""
    begin = "Bob Ready @+1m; Ada Ready; tick @+COUNTDOWN"
    return play(
        f"lobby rounds=2 match_ranking=score {settings}; {begin}; {events}; "
        f"Ada NextRound; {begin}; {events}"
    )


def test_a_card_counts_moves_cheats_and_time() -> None:
    room = play("lobby rounds=3; race 50 40; race 10 30")
    view: MatchView = present(match_view(room))
    assert (view.rounds, view.n) == (3, (1, 2))
    bob = cards(room)["Bob"]
    assert (bob.moves, bob.exceptions, bob.hints, bob.cheats) == (70, 2, 4, 6)
    assert (bob.time_ms, [line.cheats for line in bob.lines if line]) == (70_000, [3, 3])


def test_players_who_give_up_or_time_out_have_the_time_until_then() -> None:
    def time_ms(room: Room) -> Any:
        return present(cards(room)["Ada"].lines[0]).time_ms

    began = "lobby time_limit_s=600; Ada Start; tick @T0"
    assert time_ms(play(f"{began}; Ada Forfeit @+2s")) == 2_000
    assert time_ms(play(f"{began}; tick @+10m")) == 600_000


@pytest.mark.parametrize(
    ("score", "totals", "has_won"), [("moves", (0, 600), ["Bob"]), ("woods", (1_000, 600), [])]
)
def test_a_game_given_up_counts_nothing_in_totals_under_the_moves_score(
    score: str, totals: tuple[int, int], has_won: list[str]
) -> None:
    """Two games given up at once once led a match with 1,000 points, over a winner."""
    room = two_rounds(
        f"score={score}", "Ada Forfeit @+2s {Ada score=500}; Bob ends {Bob won score=300}"
    )
    ada, bob = cards(room)["Ada"], cards(room)["Bob"]
    assert (ada.score, bob.score) == totals
    assert ((ada.wins, ada.place), (bob.wins, bob.place)) == (
        ((0, 2), (2, 1)) if score == "moves" else ((0, 1), (2, 2))
    )
    assert [present(line).given_up for line in ada.lines] == [True, True]
    # The place follows the totals, but nobody wins a match by giving up.
    winners = present(match_view(room)).winners
    assert [card.name for card in (ada, bob) if card.seat in winners] == has_won


@pytest.mark.parametrize("score", ["moves", "woods"])
def test_nobody_wins_a_match_without_an_act(score: str) -> None:
    """A player who never moved once led a match by 500 points a game, and won it."""
    room = two_rounds(
        f"score={score}",
        "Ada ends @+9s {Ada score=500 has_acted=False finished_ms=9_000}; "
        "Bob ends {Bob score=90 finished_ms=9_000}",
    )
    ada, bob = cards(room)["Ada"], cards(room)["Bob"]
    acted = [present(line).has_acted for line in (*ada.lines, *bob.lines)]
    assert acted == [False, False, True, True]
    assert (ada.wins, ada.score) == (0, 0 if score == "moves" else 1_000)
    assert present(match_view(room)).winners == ()  # no round had a winner


def test_only_a_game_with_an_act_that_was_not_given_up_can_win_a_match() -> None:
    """The first gave up ahead in one round, and sat out the other without an act."""
    play("""lobby rounds=2 match_ranking=score; Bob Ready; Ada Ready; tick @T0
        Ada Forfeit @+2s {Ada score=900}; Bob ends {Bob won score=300}; Ada NextRound; Bob Ready
        Ada Ready; tick @+COUNTDOWN; Bob ends @+9s {Bob score=200 finished_ms=9_000}
        tick @+15m -> winners=, totals=1 Ada 900 0 = 0 900 / 2 Bob 300 200 = 2 500""")


def test_numbered_deals_continue_within_a_match() -> None:
    room = play("lobby deal=numbered number=24 rounds=2; race 1 2; race 1 2; race 1 2")
    assert [played.deal.number for played in room.rounds] == [24, 25, 24]


def test_a_room_keeps_its_latest_rounds_only() -> None:
    room = play("lobby; " + "race 1 2; " * (ROUNDS_KEPT + 3) + "tick")
    assert [played.n for played in room.rounds] == list(range(4, ROUNDS_KEPT + 4))
