"""The acts of a seat, with tables and replies as the server sends them."""

import asyncio

import pytest
from spider_race_client import ActLost, Refused
from spider_race_client.acts import Acts
from spider_race_client.table import Table

from protocol.to_client import Acted, RefusalDetails
from protocol.to_client import Refused as RefusedMessage
from protocol.views import CountsView, TableSnapshot
from protocol.vocabulary import MAX_IN_FLIGHT, ErrorCode

COUNTS = dict.fromkeys(CountsView.model_fields, 0)


def shown(at: int, last_id: int = 0) -> TableSnapshot:
    return TableSnapshot(
        seat=0,
        game="spider-1",
        at=at,
        last_id=last_id,
        piles=("KS",) * 10 + ("[50]",) + ("",) * 8,
        legal="deal,undo",
        score=0,
        counts=CountsView(**COUNTS),
        elapsed_ms=0,
        outcome=None,
        stuck=None,
    )


def acted(act_id: int, at: int) -> Acted:
    return Acted(
        id=act_id, at=at, piles={"t0": "QS"}, score=at, counts={}, legal="undo", elapsed_ms=at
    )


def refused(act_id: int, code: ErrorCode, table: TableSnapshot | None = None) -> RefusedMessage:
    return RefusedMessage(
        command="act", code=code, details=RefusalDetails(), id=act_id, table=table
    )


def at_table(at: int = 0, last_id: int = 0) -> Acts:
    acts = Acts()
    acts.take_table(Table.of(shown(at, last_id)))
    return acts


def add(acts: Acts, *actions: str) -> list[asyncio.Future[Table]]:
    futures = [asyncio.get_running_loop().create_future() for _ in actions]
    for action, future in zip(actions, futures, strict=True):
        acts.add(action, future)
    return futures


def due(acts: Acts) -> list[tuple[int, int, str, bool]]:
    """Return the acts that are sent now: id, place in the log, action, again."""
    return taken(acts, acts.due())


def taken(acts: Acts, places: int) -> list[tuple[int, int, str, bool]]:
    """Return the acts that are sent in so many places of the queue."""
    found = [acts.take_next() for _ in range(places)]
    return [(act.id, act.at, act.action, act.again) for act in found if act is not None]


async def test_acts_are_numbered_on_from_the_table_and_sent_once() -> None:
    acts = at_table(at=3, last_id=7)
    add(acts, "deal", "undo")
    assert due(acts) == [(8, 3, "deal", False), (9, 4, "undo", False)]
    assert due(acts) == []


async def test_a_reply_gives_the_table_after_the_act() -> None:
    acts = at_table()
    (answer,) = add(acts, "deal")
    due(acts)
    assert acts.take_acted(acted(1, 1))
    table = await answer
    assert (table.at, table.score, table.piles["t0"].cards, table.legal) == (
        1,
        1,
        ("QS",),
        ("undo",),
    )


async def test_no_more_acts_are_in_flight_than_the_server_allows() -> None:
    acts = at_table()
    add(acts, *["deal"] * (MAX_IN_FLIGHT + 2))
    assert len(due(acts)) == MAX_IN_FLIGHT
    acts.take_acted(acted(1, 1))
    assert due(acts) == [(MAX_IN_FLIGHT + 1, MAX_IN_FLIGHT, "deal", False)]


async def test_acts_behind_a_refused_one_are_answered_before_others_are_sent() -> None:
    acts = at_table()
    first, second = add(acts, "deal", "undo")
    due(acts)
    acts.take_refused(refused(1, ErrorCode.DEAL_EMPTY_COLUMN))
    add(acts, "deal")
    assert due(acts) == []
    acts.take_refused(refused(2, ErrorCode.STALE, shown(0, 0)))
    assert due(acts) == [(3, 0, "deal", False)]
    for answer, code in ((first, ErrorCode.DEAL_EMPTY_COLUMN), (second, ErrorCode.STALE)):
        with pytest.raises(Refused) as caught:
            await answer
        assert caught.value.code is code


async def test_unanswered_acts_keep_their_ids_on_the_next_connection() -> None:
    acts = at_table()
    first, _ = add(acts, "deal", "undo")
    sent = due(acts)
    acts.lose_connection()
    assert due(acts) == []
    acts.take_table(Table.of(shown(1, 1)))  # the first one was stored
    assert due(acts) == sent
    acts.take_acted(acted(1, 1))
    assert (await first).at == 1


async def test_lost_acts_are_offered_again_before_those_in_flight() -> None:
    acts = at_table()
    add(acts, "deal", "undo")
    due(acts)
    acts.take_acted(acted(1, 1))
    acts.take_acted(acted(2, 2))
    (later,) = add(acts, "deal")
    assert due(acts) == [(3, 2, "deal", False)]
    acts.lose_connection()
    acts.take_table(Table.of(shown(1, 1)))
    assert due(acts) == [(4, 1, "undo", True), (5, 2, "deal", False)]
    acts.take_acted(acted(4, 2))
    acts.take_acted(acted(5, 3))
    assert (await later).at == 3
    assert due(acts) == []


async def test_an_act_that_is_acknowledged_only_at_the_second_time_is_offered_again() -> None:
    acts = at_table()
    add(acts, "deal")
    due(acts)
    acts.lose_connection()
    acts.take_table(Table.of(shown(1, 1)))
    due(acts)
    acts.take_acted(acted(1, 1))
    acts.take_table(Table.of(shown(0)))
    assert due(acts) == [(2, 0, "deal", True)]


async def test_what_another_connection_did_instead_is_not_offered_again() -> None:
    acts = at_table()
    add(acts, "deal", "undo")
    due(acts)
    acts.take_acted(acted(1, 1))
    acts.take_acted(acted(2, 2))
    acts.take_table(Table.of(shown(1, 1)))
    assert due(acts) == [(3, 1, "undo", True)]
    acts.take_refused(refused(3, ErrorCode.STALE, shown(2, 2)))
    add(acts, "redo")
    assert due(acts) == [(4, 2, "redo", False)]
    acts.take_acted(acted(4, 3))
    acts.take_table(Table.of(shown(2, 2)))
    assert due(acts) == [(5, 2, "redo", True)]


async def test_acts_are_lost_whose_position_cannot_be_offered_again() -> None:
    acts = at_table(at=5, last_id=5)  # another process has made the first five
    (later,) = add(acts, "deal")
    due(acts)
    acts.lose_connection()
    acts.take_table(Table.of(shown(2, 2)))
    assert due(acts) == []
    with pytest.raises(ActLost):
        await later


async def test_an_act_that_the_store_cannot_take_is_sent_again_with_the_next_table() -> None:
    acts = at_table()
    add(acts, "deal")
    due(acts)
    acts.take_refused(refused(1, ErrorCode.TRY_AGAIN))
    assert due(acts) == []
    acts.take_table(Table.of(shown(0)))
    assert due(acts) == [(1, 0, "deal", False)]


async def test_a_cancelled_act_that_was_not_sent_is_not_sent() -> None:
    acts = at_table()
    first, second = add(acts, "deal", "undo")
    first.cancel()
    assert due(acts) == [(1, 0, "undo", False)]
    acts.take_acted(acted(1, 1))
    assert (await second).at == 1


async def test_an_act_that_waits_for_its_turn_is_withdrawn_by_cancelling() -> None:
    """It counted as sent while it waited for the limit of messages, and was applied later."""
    acts = at_table()
    first, second, _ = add(acts, "deal", "undo", "redo")
    places = acts.due()
    assert (places, acts.due()) == (3, 0)
    first.cancel()
    second.cancel()
    assert taken(acts, places) == [(1, 0, "redo", False)]
    add(acts, "deal")
    assert due(acts) == [(2, 1, "deal", False)]


async def test_a_place_whose_round_has_ended_sends_nothing() -> None:
    acts = at_table()
    add(acts, "deal")
    places = acts.due()
    acts.begin_round()
    assert taken(acts, places) == []
    acts.take_table(Table.of(shown(0)))
    add(acts, "deal")
    assert due(acts) == [(1, 0, "deal", False)]


async def test_an_act_that_was_cancelled_after_it_was_sent_ends_with_its_round() -> None:
    acts = at_table()
    given_up, other = add(acts, "deal", "undo")
    due(acts)
    given_up.cancel()
    acts.begin_round()
    with pytest.raises(ActLost):
        await other


async def test_a_new_round_ends_the_acts_of_the_old_one() -> None:
    acts = at_table()
    (answer,) = add(acts, "deal")
    due(acts)
    acts.begin_round()
    assert acts.table is None
    with pytest.raises(ActLost):
        await answer
