"""Deals with a known win: taken for one room, replayed before they are used, and given once."""

import asyncio
from dataclasses import replace
from functools import cache

import pytest
import structlog

from protocol.settings import Settings
from protocol.vocabulary import Outcome
from server.games.catalogue import replay
from server.games.deals import secret_deck
from server.live.long_work import LongWork
from server.live.winnable_deals import POOL_WAIT, WinnableDeals
from server.rooms.record import DealRecord, Round
from server.rooms.rounds import rules_of
from server.rooms.winnable_deals import POOLS, WinnableDeal, pool_of
from server.solver.solve import solve
from server.store import StoreAway
from server.store.deal_pools import ALIVE_MS
from tests.world.store import MemoryStore

ROOM, OTHER = "7K3QZ0A", "8K3QZ0A"
SETTINGS = Settings(game="spider-1")
POOL = pool_of(SETTINGS) or ""
TAKE = "deal_pools.take"
LONG = replace(POOL_WAIT, most_s=5.0)
"""A wait in which the thinking process stays alive."""


@cache
def known(number: int, pool: str = POOL) -> WinnableDeal:
    """Return the deal of a numbered seed, solved."""
    rules, seed = POOLS[pool], number.to_bytes(16, "big")
    verdict = solve(rules, secret_deck(rules.game, seed), budget=1_000_000)
    assert verdict.kind == "won"
    return WinnableDeal(pool, seed, verdict.line)


class Pools:
    """A pool with deals, and the winnable deals of a process that takes from it."""

    def __init__(self, *deals: str, has_thinkers: bool = False) -> None:
        self.store = MemoryStore()
        self.store.deal_pools[POOL] = list(deals)
        self.connection = self.store.connect()
        work = LongWork(asyncio.get_running_loop().time)
        pools = self.connection.deal_pools
        self.deals = WinnableDeals(pools, work, LONG, has_thinkers=has_thinkers)

    @property
    def looks(self) -> int:
        return self.connection.faults.calls[TAKE]

    async def waited(self, code: str = ROOM, *, begins: bool = True) -> float:
        """Return the seconds that a room waits for a deal."""
        now = asyncio.get_running_loop().time
        began = now()
        await self.deals.prepare(code, SETTINGS, begins=begins)
        return now() - began


def played(deal: WinnableDeal, settings: Settings = SETTINGS) -> Round:
    record = DealRecord(seed=deal.seed.hex(), salt="00")
    return Round(n=1, game=1, settings=settings, t0=0, t_end=None, deal=record)


async def test_a_room_keeps_its_deal_until_a_round_is_played_with_it() -> None:
    first, second = known(1), known(2)
    deals = Pools(first.as_text(), second.as_text()).deals
    for code in (ROOM, ROOM, OTHER):
        await deals.prepare(code, SETTINGS)
    assert deals.ready_deal(ROOM, SETTINGS) == first
    assert deals.ready_deal(OTHER, SETTINGS) == second
    for other in (None, played(second)):
        deals.forget(ROOM, other)
        assert deals.ready_deal(ROOM, SETTINGS) == first
    deals.forget(ROOM, played(first))
    assert deals.ready_deal(ROOM, SETTINGS) is None
    deals.give_up(OTHER, SETTINGS)
    assert deals.ready_deal(OTHER, SETTINGS) is None


async def test_rooms_that_do_not_ask_take_none() -> None:
    pools = Pools(known(1).as_text())
    for settings in (Settings(deal="numbered", number=4), Settings(winnable=False)):
        await pools.deals.prepare(ROOM, settings)
        assert pools.deals.ready_deal(ROOM, settings) is None
        pools.deals.forget(ROOM, played(known(1), settings))
        pools.deals.give_up(ROOM, settings)
    assert pools.looks == 0


async def test_the_line_is_that_of_the_rules_of_the_room() -> None:
    by_hand = Settings(game="spider-1", auto_remove=False)
    deals = Pools(known(1).as_text()).deals
    await deals.prepare(ROOM, by_hand)
    deal = deals.ready_deal(ROOM, by_hand)
    assert deal is not None
    assert len(deal.line) > len(known(1).line)
    deck = secret_deck("spider-1", deal.seed)
    assert replay(rules_of(by_hand), deck, deal.line).outcome is Outcome.WON


async def test_what_is_no_deal_is_logged_and_the_next_one_is_taken() -> None:
    bad = ["", "{}", '{"seed":"00","line":""}', '{"seed":"' + "0" * 32 + '","line":"AA=="}']
    other = WinnableDeal(POOL, known(2).seed, known(1).line)  # the line of another deal
    short = WinnableDeal(POOL, known(1).seed, known(1).line[:5])
    good = known(1)
    deals = Pools(*bad, other.as_text(), short.as_text(), good.as_text()).deals
    with structlog.testing.capture_logs() as logged:
        await deals.prepare(ROOM, SETTINGS)
    assert deals.ready_deal(ROOM, SETTINGS) == good
    assert len(logged) == 6


async def test_a_room_waits_only_for_a_pool_that_somebody_fills() -> None:
    pools = Pools()
    assert (await pools.waited(), pools.looks) == (0, 1)
    await pools.store.deal_pools.show_filler()
    assert await pools.waited(OTHER) == pytest.approx(LONG.most_s, abs=2 * LONG.poll_s)
    pools.connection.faults.away = True
    with pytest.raises(StoreAway):
        await pools.connection.ready()
    assert await pools.waited("another") == 0
    assert pools.deals.ready_deal("another", SETTINGS) is None
    pools.connection.faults.away = False
    await asyncio.sleep(ALIVE_MS / 1_000)
    assert await pools.waited("fourth") == 0  # the thinking process is gone


async def test_a_room_waits_for_the_process_that_starts_with_its_server() -> None:
    """Regression: right after the start of a server no room got a deal that can be won."""
    pools = Pools(has_thinkers=True)
    waiting = asyncio.create_task(pools.waited())
    await asyncio.sleep(1)
    pools.store.deal_pools[POOL].append(known(1).as_text())
    assert await waiting == pytest.approx(1, abs=2 * LONG.poll_s)
    assert pools.deals.ready_deal(ROOM, SETTINGS) == known(1)
    await asyncio.sleep(LONG.starting_s)
    assert await pools.waited(OTHER) == 0


async def test_the_players_of_a_room_wait_together_and_longest_before_it_begins() -> None:
    """Each of them waited as long after the others, until their clients gave the server up.

    Regression: a start within ten seconds after a guest's `ready` did not wait at all.
    """
    pools, close = Pools(), 2 * LONG.poll_s
    await pools.store.deal_pools.show_filler()
    early = [await pools.waited(begins=False) for _ in range(3)]
    assert early == pytest.approx([LONG.early_s, 0, 0], abs=close)
    pools.store.deal_pools.alive_ms = pools.store.clock.now()
    assert [await pools.waited() for _ in range(2)] == pytest.approx([LONG.most_s, 0], abs=close)
    # Some time after a wait that was in vain it waits again.
    await asyncio.sleep(LONG.again_s + 0.1)
    await pools.store.deal_pools.show_filler()
    assert await pools.waited() == pytest.approx(LONG.most_s, abs=close)
    pools.store.deal_pools[POOL].append(known(1).as_text())
    assert await pools.waited() == 0
    assert pools.deals.ready_deal(ROOM, SETTINGS) == known(1)


async def test_the_deals_and_waits_of_rooms_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.live.winnable_deals.MOST_READY", 2)
    pools = Pools(*[known(number).as_text() for number in (1, 2, 4)])
    for code in ("A", "B", "C"):
        await pools.waited(code)
    ready = [pools.deals.ready_deal(code, SETTINGS) for code in ("A", "B", "C")]
    assert ready == [None, known(2), known(4)]
    for code in ("D", "E", "F", "D"):
        await pools.store.deal_pools.show_filler()
        waited = await pools.waited(code)
        assert waited == pytest.approx(LONG.most_s, abs=2 * LONG.poll_s), "one was forgotten"
    assert await pools.waited("D") == 0
