"""Rounds whose deal has a known win, and their records."""

from typing import get_args

from protocol.games import GameId
from protocol.settings import Settings
from server.games.actions import DEAL, move
from server.rooms.deals import (
    POOLS,
    Entropy,
    WinnableDeal,
    draw_deal,
    is_winnable,
    pack_line,
    pool_of,
    proof_of,
    unpack_line,
)
from server.rooms.record import Round, stored_settings

LINE = (move(1, 2, 3), DEAL, move(9, 13, 0))
KNOWN = WinnableDeal("spider-1:left4:strict", bytes(16), LINE)
ENTROPY = Entropy(bytes(range(16)), bytes(16), KNOWN)


def round_with(settings: Settings) -> Round:
    deal = draw_deal(settings, ENTROPY, 0)
    return Round(n=1, game=1, settings=stored_settings(settings), deal=deal, t0=0, t_end=None)


def test_a_line_is_the_same_after_a_record_has_kept_it() -> None:
    assert unpack_line(pack_line(LINE)) == LINE


def test_each_pool_has_rules_of_its_own_and_every_room_finds_its_pool() -> None:
    assert len(set(POOLS.values())) == len(POOLS)
    settings = Settings(game="spider-4", layout="spread", relaxed_deal=True, auto_remove=False)
    assert pool_of(settings) == "spider-4:spread:relaxed"
    assert {pool_of(Settings(game=game)) for game in get_args(GameId)} <= {*POOLS}
    assert pool_of(Settings(winnable=False)) is None
    assert pool_of(Settings(deal="numbered", number=1)) is None


def test_a_round_plays_the_known_deal_and_has_its_proof() -> None:
    played = round_with(Settings(game="spider-1"))
    assert played.deal.seed == KNOWN.seed.hex()
    assert is_winnable(played) is True
    assert proof_of(played) == "t1x2-t3,deal,t9x13-t0"
    assert Round.model_validate_json(played.model_dump_json()) == played


def test_a_deal_of_another_pool_is_not_played() -> None:
    played = round_with(Settings(game="spider-2"))
    assert played.deal.seed == ENTROPY.seed.hex()
    assert is_winnable(played) is False
    assert proof_of(played) is None
    assert "line" not in played.deal.model_dump()


def test_an_open_deal_promises_nothing() -> None:
    assert is_winnable(round_with(Settings(deal="numbered", number=7))) is None
    assert is_winnable(round_with(Settings(winnable=False))) is None
