"""Replies to acts, and tables, are serialized by hand exactly as by their models."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import codec
from protocol.fast_json import timed
from protocol.to_client import Acted, TableMessage
from server.games.catalogue import GAMES
from server.games.game import Game
from server.rooms.record import PlayerStats
from server.rooms.rounds import stats_of, stats_text
from server.views.tables import (
    acted_text,
    board_text,
    board_view,
    counts_view,
    legal_view,
    pile_view,
    stuck_view,
    table_text,
    table_view,
)
from tests.games.positions import ALL_ON_TABLE, act, dealt, position


def check(game: Game, piles: range) -> None:
    written = timed(acted_text(3, game, piles), 4_567)
    message = Acted(
        id=3,
        at=game.at,
        piles=tuple(pile_view(game, pile) for pile in piles),
        score=game.score,
        counts=counts_view(game),
        legal=legal_view(game),
        outcome=game.outcome,
        stuck=stuck_view(game),
        elapsed_ms=4_567,
    )
    assert written == codec.dump(message)
    assert codec.TO_CLIENT.validate_json(written) == message
    table = TableMessage(table=table_view(game, 2, 8, 4_567))
    assert table_text(game, 2, 8, 4_567) == codec.dump(table)
    board = TableMessage(table=board_view(game, 2, 4_567))
    assert board_text(game, 2, 4_567) == codec.dump(board)
    stats = stats_text(game, 2)
    assert PlayerStats.model_validate_json(stats) == stats_of(game, 2)
    not_written = {"hints", "gained_ms", "finished_ms"}  # the store holds these
    if not stats_of(game, 2).on_table:
        not_written.add("on_table")
    assert stats == stats_of(game, 2).model_dump_json(exclude=not_written)


@pytest.mark.parametrize("variant", GAMES)
@given(data=st.data())
def test_a_reply_equals_the_json_of_its_model(variant: str, data: st.DataObject) -> None:
    game = dealt(variant, data.draw(st.integers(1, 50)), undo="any")
    for _ in range(data.draw(st.integers(0, 40))):
        if not game.legal_actions():
            break
        game.apply(data.draw(st.sampled_from(game.legal_actions())))
    check(game, range(data.draw(st.integers(0, len(game.variant.piles)))))


def test_a_reply_contains_the_outcome() -> None:
    game = position(ALL_ON_TABLE)
    assert '{"type":"remove","from":"t0"}' in acted_text(1, game, ())
    check(game, range(3))
    act(game, "finish")
    assert '"outcome":"won","stuck":null' in acted_text(1, game, ())
    check(game, range(3))


@pytest.mark.parametrize(("score", "on_table"), [("moves", 8), ("woods", 0)])
def test_complete_suits_on_the_table_are_stored_where_they_rank(score: str, on_table: int) -> None:
    game = position(ALL_ON_TABLE, score=score)
    check(game, range(3))
    assert PlayerStats.model_validate_json(stats_text(game, 0)).on_table == on_table
    act(game, "remove t0")
    check(game, range(3))
    assert PlayerStats.model_validate_json(stats_text(game, 0)).on_table == max(0, on_table - 1)


def test_a_reply_contains_the_reason_of_a_stuck_game() -> None:
    game = position("u0: 5H; u1: 9S", "little-spider")
    assert '"outcome":null,"stuck":"stock_empty"' in acted_text(1, game, ())
    check(game, range(3))
