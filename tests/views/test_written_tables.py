"""Replies to acts, and tables, are serialized by hand exactly as by their models."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import codec
from protocol.fast_json import timed
from protocol.games import GAMES
from protocol.to_client import Acted, TableMessage
from server.games.counts import Counts
from server.games.game import Game
from server.games.pile_texts import format_pile
from server.rooms.record import PlayerStats
from server.rooms.rounds import stats_of
from server.rooms.stats_texts import write_stats
from server.views.tables import (
    acted_text,
    board_text,
    board_view,
    full_reply_text,
    legal_text,
    stuck_view,
    table_text,
    table_view,
)
from tests.games.positions import ALL_ON_TABLE, act, dealt, position


def reply(
    act_id: int, game: Game, changed: Iterable[int] | None, before: Counts | None, ms: int
) -> str:
    """Return a reply, with all piles and counts if `changed` or `before` is None."""
    if changed is None or before is None:
        return timed(full_reply_text(act_id, game), ms)
    return timed(acted_text(act_id, game, changed, game.counts, before), ms)


def check(game: Game, changed: range | None = None, before: Counts | None = None) -> None:
    """Check all texts of a game; `changed` and `before` are those of the reply."""
    written = reply(3, game, changed, before, 4_567)
    names = game.variant.pile_names
    counts = game.counts._asdict()
    shown = range(len(names)) if changed is None or before is None else changed
    known = {} if changed is None or before is None else before._asdict()
    message = Acted(
        id=3,
        at=game.at,
        piles={names[pile]: format_pile(game.pile(pile), hidden=True) for pile in shown},
        score=game.score,
        counts={name: n for name, n in counts.items() if known.get(name) != n},  # type: ignore[misc]  # names are those of counts
        legal=legal_text(game),
        outcome=game.outcome,
        stuck=stuck_view(game),
        elapsed_ms=4_567,
    )
    assert written == codec.dump(message)
    assert codec.TO_CLIENT.validate_json(written) == message
    table = TableMessage(table=table_view(game, 2, 8, 4_567))
    assert table_text(game, 2, 8, 4_567) == codec.dump(table)
    assert codec.TO_CLIENT.validate_json(codec.dump(table)) == table
    board = TableMessage(table=board_view(game, 2, 4_567))
    assert board_text(game, 2, 4_567) == codec.dump(board)
    stats = write_stats(game, 2, game.counts)
    assert PlayerStats.model_validate_json(stats) == stats_of(game, 2)
    not_written = {"hints", "gained_ms", "finished_ms"}  # the store holds these
    if not stats_of(game, 2).on_table:
        not_written.add("on_table")
    assert stats == stats_of(game, 2).model_dump_json(exclude=not_written)


@pytest.mark.parametrize("variant", GAMES)
@given(data=st.data())
def test_a_reply_equals_the_json_of_its_model(variant: str, data: st.DataObject) -> None:
    game = dealt(variant, data.draw(st.integers(1, 50)), undo="any")
    before = game.counts
    for _ in range(data.draw(st.integers(0, 40))):
        if not game.legal_actions():
            break
        before = game.counts
        game.apply(data.draw(st.sampled_from(game.legal_actions())))
    check(game, range(data.draw(st.integers(0, len(game.variant.piles)))), before)
    check(game)


@pytest.mark.parametrize("variant", GAMES)
@given(data=st.data())
def test_the_replies_of_a_game_lead_from_table_to_table(variant: str, data: st.DataObject) -> None:
    """A client that knows the table before an act knows it after the reply."""
    game = dealt(variant, data.draw(st.integers(1, 50)), undo="any")
    table = table_view(game, 0, 0, 0)
    names = game.variant.pile_names
    piles = dict(zip(names, table.piles, strict=True))
    counts: dict[str, int] = table.counts.model_dump()
    for _ in range(data.draw(st.integers(1, 40))):
        if not game.legal_actions():
            break
        before = game.counts
        effects = game.apply(data.draw(st.sampled_from(game.legal_actions())))
        acted = codec.TO_CLIENT.validate_json(reply(1, game, effects.changed, before, 0))
        assert isinstance(acted, Acted)
        piles |= acted.piles
        counts.update(acted.counts.items())
        table = table_view(game, 0, 0, 0)
        assert tuple(piles.values()) == table.piles
        assert counts == table.counts.model_dump()
        assert (acted.legal, acted.score, acted.stuck) == (table.legal, table.score, table.stuck)


def test_a_reply_contains_the_outcome() -> None:
    game = position(ALL_ON_TABLE)
    assert ",remove t0,remove t1," in full_reply_text(1, game)
    check(game)
    act(game, "finish")
    assert '"legal":"","outcome":"won","elapsed_ms":' in full_reply_text(1, game)
    check(game)


def test_a_reply_without_a_changed_count_has_none() -> None:
    game = position(ALL_ON_TABLE)
    before = game.counts
    act(game, "finish")
    assert '"counts":{}' in reply(1, game, (), before, 0)
    check(game, range(0), before)


@pytest.mark.parametrize(("score", "on_table"), [("moves", 8), ("woods", 0)])
def test_complete_suits_on_the_table_are_stored_where_they_rank(score: str, on_table: int) -> None:
    game = position(ALL_ON_TABLE, score=score)
    check(game)
    assert PlayerStats.model_validate_json(write_stats(game, 0, game.counts)).on_table == on_table
    act(game, "remove t0")
    check(game)
    assert PlayerStats.model_validate_json(write_stats(game, 0, game.counts)).on_table == max(
        0, on_table - 1
    )


def test_a_reply_contains_the_reason_of_a_stuck_game() -> None:
    game = position("u0: 5H; u1: 9S", "little-spider")
    assert '","stuck":"stock_empty","elapsed_ms":' in full_reply_text(1, game)
    check(game)
