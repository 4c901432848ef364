"""The stats of a game, as the leaderboard shows them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.games import GAMES, GameId
from protocol.settings import Settings
from protocol.vocabulary import Score
from server.games.game import Game
from server.games.rules import Rules
from server.rooms.default_settings import complete
from server.rooms.record import DealRecord, PlayerStats, Round
from server.rooms.rounds import commitment_of, dealt_game, opening_stats, rules_of, stats_of
from server.rooms.stats_texts import write_stats
from tests.games.positions import act, position

WON = "t0: KS-2S; t1: AS; f0: KS-AS"
"""Spider with one suit left."""
EXCEPTED = "t0: [9C] 7S 6H; t1: 8C; t2: KS-AS"


def games() -> list[Game]:
    """Return a game that is won, and one with a bit of everything."""
    won = position(WON)
    act(won, "t1x1-t0", "remove t0")
    other = position(EXCEPTED, undo="any", exceptions="easy", score="moves")
    act(other, "remove t2", "t0x2-t1", "undo", "redo")
    return [won, other]


def test_rules_are_settings_with_the_same_defaults_but_one() -> None:
    """Both models state them, and a game needs the default of an option that it does not have.

    New rooms remove suits automatically, which the old texts do not.
    """
    assert rules_of(complete(Settings())) == Rules("spider-1", auto_remove=True)
    assert rules_of(complete(Settings(game="little-spider"))) == Rules(
        "little-spider", score="cards"
    )


@pytest.mark.parametrize(
    ("game", "score"), [(game, score) for game, spec in GAMES.items() for score in spec.scores]
)
@given(seed=st.binary(min_size=16, max_size=16))
def test_all_deals_begin_with_the_same_stats(game: GameId, score: Score, seed: bytes) -> None:
    played = Round(
        n=1, game=1, settings=complete(Settings(game=game, score=score)), names={},
        deal=DealRecord(seed=seed.hex()), t0=0, t_end=None,
    )  # fmt: skip
    assert opening_stats(played) == stats_of(dealt_game(played))


def test_the_stats_of_a_game_are_its_score_and_its_counts() -> None:
    won, other = map(stats_of, games())
    assert won == PlayerStats(score=990, moves=1, suits=1 + 1, home=26, won=True)
    assert other == PlayerStats(
        score=500 - 3 + 100, moves=1, suits=1, home=13, cheats=1, exceptions=1
    )


@pytest.mark.parametrize("number", range(2))
@pytest.mark.parametrize("restored", [0, 3])
def test_the_text_of_stats_is_that_of_their_model(number: int, restored: int) -> None:
    game = games()[number]
    text = write_stats(game, restored, game.counts)
    assert PlayerStats.model_validate_json(text) == stats_of(game, restored)


def test_only_a_secret_deal_has_a_commitment() -> None:
    seed, salt = "ab" * 16, "cd" * 16
    assert commitment_of(DealRecord(seed=seed, salt=salt)) is not None
    for open_deal in (DealRecord(seed=seed), DealRecord(number=24)):
        assert commitment_of(open_deal) is None
