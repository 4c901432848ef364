"""Matches of several rounds and their cards: place, name, scores, wins and sum of each player."""

import pytest

from protocol.views import MatchView, PlayerCard
from server.rooms.record import Room
from server.views.finished_rounds import match_view
from tests.present import present
from tests.rooms.stories import play, story_test
from tests.stories import stories

test_the_totals_of_a_match = story_test("""
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
""")


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


test_who_wins_rounds_and_matches = story_test("""
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
""")


def cards(room: Room) -> dict[str, PlayerCard]:
    return {card.name: card for card in present(match_view(room)).cards}


def test_a_card_counts_moves_cheats_and_time() -> None:
    room = play("lobby rounds=3; race 50 40; race 10 30")
    view: MatchView = present(match_view(room))
    assert (view.rounds, view.n) == (3, (1, 2))
    bob = cards(room)["Bob"]
    assert (bob.moves, bob.exceptions, bob.hints, bob.cheats) == (70, 2, 4, 6)
    assert (bob.time_ms, [line.cheats for line in bob.lines if line]) == (70_000, [3, 3])


def test_a_line_has_the_time_until_a_player_gave_up_or_timed_out_and_says_who_acted() -> None:
    def line(events: str) -> tuple[int | None, bool, bool]:
        ada = cards(play(f"lobby time_limit_s=600; Ada Start; tick @T0; {events}"))["Ada"].lines[0]
        return present(ada).time_ms, present(ada).given_up, present(ada).has_acted

    assert line("Ada Forfeit @+2s {Ada score=5}") == (2_000, True, True)
    assert line("tick @+10m {Ada score=5}") == (600_000, False, True)
    assert line("tick @+10m {Ada has_acted=False}") == (600_000, False, False)


TWICE = "; Ada NextRound; Bob Ready @+1m; Ada Ready; tick @+COUNTDOWN; "
GIVEN_UP = "Ada Forfeit @+2s {Ada score=500}; Bob ends {Bob won score=300}"
IDLE = (
    "Ada ends @+9s {Ada score=500 has_acted=False finished_ms=9_000}; "
    "Bob ends {Bob score=90 finished_ms=9_000}"
)
ONE_OF_EACH = "Bob ends @+9s {Bob score=200 finished_ms=9_000}; tick @+15m"


# A score of moves begins at 500 points, so a game without an act or given up counts nothing; two
# of them once led a match with 1,000 points, over a winner. Elsewhere the place follows the
# totals, but nobody wins a match by giving up or without an act.
@pytest.mark.parametrize(
    ("score", "game", "then", "winners", "totals"),
    [
        ("moves", GIVEN_UP, GIVEN_UP, "Bob", "1 Bob 300 300 = 2 600 / 2 Ada 0 0 = 0 0"),
        ("woods", GIVEN_UP, GIVEN_UP, "", "1 Ada 500 500 = 0 1000 / 2 Bob 300 300 = 2 600"),
        ("moves", IDLE, IDLE, "Bob", "1 Bob 90 90 = 2 180 / 2 Ada 0 0 = 0 0"),
        ("woods", IDLE, IDLE, "", "1 Ada 500 500 = 0 1000 / 2 Bob 90 90 = 2 180"),
        ("woods", "Ada Forfeit @+2s {Ada score=900}; Bob ends {Bob won score=300}", ONE_OF_EACH,
         "", "1 Ada 900 0 = 0 900 / 2 Bob 300 200 = 2 500"),
    ],
)  # fmt: skip
def test_only_a_game_with_an_act_that_was_not_given_up_can_win_a_match(
    score: str, game: str, then: str, winners: str, totals: str
) -> None:
    settings = f"rounds=2 match_ranking=score score={score}"
    play(
        f"lobby {settings}; Bob Ready; Ada Ready; tick @T0; {game}{TWICE}{then} "
        f"-> winners={winners}, totals={totals}"
    )
