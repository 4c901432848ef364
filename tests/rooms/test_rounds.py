"""The stats of a game, as the leaderboard shows them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.games import GAMES, GameId
from protocol.settings import Settings
from protocol.vocabulary import Score
from server.games.actions import TimedAction
from server.games.rules import Rules
from server.rooms.days import continued, settings_again
from server.rooms.deals import commitment_of, dealt_game
from server.rooms.ranking import opening_stats, stats_of
from server.rooms.record import DealRecord, PlayerStats, Round, stored_settings
from server.rooms.settings import complete, rules_of
from server.solver.solve import solve
from tests.games.positions import act, position


def test_rules_and_settings_have_the_same_defaults_except_one() -> None:
    """Both models state them, and a game needs the default of an option that it does not have.

    New rooms remove suits automatically, which the old texts do not.
    """
    assert rules_of(complete(Settings())) == Rules("spider-1", auto_remove=True)
    little = Rules("little-spider", score="cards")
    assert rules_of(complete(Settings(game="little-spider"))) == little


@pytest.mark.parametrize(
    ("game", "score"), [(game, score) for game, spec in GAMES.items() for score in spec.scores]
)
@given(seed=st.binary(min_size=16, max_size=16))
def test_all_deals_start_with_the_same_stats(game: GameId, score: Score, seed: bytes) -> None:
    settings = stored_settings(complete(Settings(game=game, score=score)))
    played = Round(
        n=1, game=1, settings=settings, names={},
        deal=DealRecord(seed=seed.hex()), t0=0, t_end=None,
    )  # fmt: skip
    assert opening_stats(played) == stats_of(dealt_game(played))


def test_the_stats_of_a_game_have_its_score_and_its_counts() -> None:
    won = position("t0: KS-2S; t1: AS; f0: KS-AS")
    act(won, "t1x1-t0", "remove t0")
    assert stats_of(won) == PlayerStats(score=990, moves=1, suits=1 + 1, home=26, won=True)
    excepted = "t0: [9C] 7S 6H; t1: 8C; t2: KS-AS"
    other = position(excepted, undo="any", exceptions="easy", score="moves")
    act(other, "remove t2", "t0x2-t1", "undo", "redo")
    counts = {"moves": 1, "suits": 1, "home": 13, "cheats": 1, "exceptions": 1}
    assert stats_of(other) == PlayerStats(score=500 - 3 + 100, **counts)


def test_only_a_secret_deal_has_a_commitment() -> None:
    seed, salt = "ab" * 16, "cd" * 16
    assert commitment_of(DealRecord(seed=seed, salt=salt)) is not None
    for open_deal in (DealRecord(seed=seed), DealRecord(number=24)):
        assert commitment_of(open_deal) is None


def test_a_finished_game_is_dealt_again_and_goes_on_before_the_act_that_ended_it() -> None:
    settings = complete(Settings(deal="numbered", layout="spread"))
    played = Round(
        n=1, game=3, settings=stored_settings(settings),
        deal=DealRecord(number=24), t0=0, t_end=None,
    )  # fmt: skip
    assert settings_again(played).number == 24
    game = dealt_game(played)
    log = [TimedAction(action, 0) for action in solve(game, budget=100_000).line]
    assert continued(played, log, 0) == played.deal
    deal = continued(played, log, len(log))
    assert deal == continued(played, log, len(log) - 1)
    assert opening_stats(played.replace(deal=deal)).face_down < game.counts.face_down
