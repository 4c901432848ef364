"""The pace of computer players: they need time where a person needs it."""

from statistics import mean
from typing import get_args

import pytest

from protocol.vocabulary import BotLevel, BotPace
from server.games.actions import DEAL, Action, move, remove
from server.thinking.fair_play import Pace, is_obvious
from tests.games.positions import parsed, position
from tests.solver.visible_games import dealt, rules_of, visible

GAME = dealt(rules_of("spider-1"), 1)
SEEN, LEGAL = visible(GAME), GAME.legal_actions()
OBVIOUS = remove(0)


def times(
    level: BotLevel, action: Action = DEAL, pace: BotPace = "usual", seed: str = "ROOM 1 1"
) -> list[float]:
    """Return how many seconds pass before each of many equal acts."""
    played = Pace(level, pace, seed)
    return [played.next_s(SEEN, LEGAL, action) for _ in range(400)]


def test_thinking_times_depend_only_on_the_seat_and_the_round() -> None:
    assert times("club") == times("club") != times("club", seed="ROOM 2 1")


def test_a_beginner_thinks_for_seven_to_ten_seconds_and_two_to_four_if_it_is_obvious() -> None:
    thought, obvious = times("beginner"), times("beginner", OBVIOUS)[1:]
    assert 7 < mean(thought) < 10
    assert 2 < mean(obvious) < 4
    for seconds in (thought, obvious):
        assert max(seconds) > 1.8 * min(seconds)


@pytest.mark.parametrize("action", [DEAL, OBVIOUS])
def test_stronger_players_are_faster_and_a_host_may_choose_another_pace(action: Action) -> None:
    beginner, club, expert = (mean(times(level, action)) for level in get_args(BotLevel))
    slower, usual, faster = (mean(times("club", action, pace)) for pace in get_args(BotPace))
    assert beginner > 1.4 * club > 1.4 * 1.4 * expert
    assert slower > 1.3 * usual > 1.3 * 1.3 * faster


@pytest.mark.parametrize("action", [OBVIOUS, None])
def test_a_player_looks_at_new_cards_and_again_before_it_stops(action: Action | None) -> None:
    pace = Pace("beginner", "usual", "a seat")
    seconds = [pace.next_s(SEEN, LEGAL, act) for act in (OBVIOUS, OBVIOUS, DEAL, action, OBVIOUS)]
    looks = [each > 4 for each in seconds]
    assert looks == [True, False, True, True, False]


@pytest.mark.parametrize(
    ("game", "text", "action", "obvious"),
    [
        # The move extends a run in suit, or does not.
        ("spider-4", "t0: 9S; t1: TS; t2: TH; t3: JH", "t0x1-t1", True),
        ("spider-4", "t0: 9S; t1: TS; t2: TH; t3: JH", "t0x1-t2", False),
        ("spider-4", "t0: 9S; t1: TS; t2: TH; t3: JH", "t0x1-t4", False),  # into a space
        ("spider-4", "t0: KS-AS; t1: TS; t2: TH; t3: JH", "remove t0", True),
        ("spider-4", "{full}; stock: [KH QH JH TH 9H 8H 7H 6H 5H 4H]", "deal", True),
        ("little-spider", "u0: 2H; u1: 2S; u2: 3S; u3: 4S; f0: AH", "u0x1-f0", True),
        ("little-spider", "u0: 7S; u1: 8S; u2: 8H; u3: 6S; f0: AH", "u0x1-u2", False),
    ],
)
def test_obvious_actions(game: str, text: str, action: str, *, obvious: bool) -> None:
    """A deal is obvious if there is nothing else to do."""
    full = "; ".join(f"t{place}: KS" for place in range(10))
    played = position(text.format(full=full), game, auto_remove=False, undo="off")
    legal = played.legal_actions()
    assert parsed(played, action) in legal
    assert is_obvious(visible(played), legal, parsed(played, action)) is obvious


def test_nearly_every_choice_needs_a_thought() -> None:
    played = position("t0: 9S; t1: TH; t2: 2C; " + "; ".join(f"t{n}: KS" for n in range(3, 10)))
    assert is_obvious(visible(played), played.legal_actions(), move(0, 1, 1))
