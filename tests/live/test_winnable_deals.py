"""Deals with a known win: taken for one room, replayed before they are used, and given once."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
import structlog

from protocol.settings import Settings
from protocol.vocabulary import Outcome
from server.games.catalogue import replay
from server.games.deals import secret_deck
from server.live.long_work import LongWork
from server.live.winnable_deals import PoolWait, WinnableDeals
from server.rooms.record import DealRecord, Round
from server.rooms.rounds import rules_of
from server.rooms.winnable_deals import POOLS, WinnableDeal, pool_of
from server.solver.solve import solve
from server.store import PoolLevel, StoreAway, TakenDeal
from tests.waiting import until

ROOM, OTHER = "7K3QZ0A", "8K3QZ0A"
SETTINGS = Settings(game="spider-1")
POOL = pool_of(SETTINGS) or ""
SOON = PoolWait(early_s=0.02, most_s=0.05, poll_s=0.01)


def known(number: int, pool: str = POOL) -> WinnableDeal:
    """Return the deal of a numbered seed, solved."""
    rules, seed = POOLS[pool], number.to_bytes(16, "big")
    verdict = solve(rules, secret_deck(rules.game, seed), budget=1_000_000)
    assert verdict.kind == "won"
    return WinnableDeal(pool, seed, verdict.line)


class Pools:
    """Pools of one list; a thinking process fills them if `is_filled`."""

    def __init__(self, *deals: str, is_filled: bool = False) -> None:
        self.deals = list(deals)
        self.is_filled = is_filled
        self.is_away = False
        self.looks = 0

    async def take(self, name: str) -> TakenDeal:
        assert name in POOLS
        self.looks += 1
        if self.is_away:
            raise StoreAway
        return TakenDeal(self.deals.pop(0) if self.deals else None, self.is_filled)

    async def put(self, name: str, deal: str, *, most: int) -> bool:
        raise NotImplementedError

    async def show_filler(self) -> None:
        raise NotImplementedError

    async def waited_for(self, names: Sequence[str]) -> Sequence[str]:
        raise NotImplementedError

    async def levels(self, names: Sequence[str]) -> Mapping[str, PoolLevel]:
        raise NotImplementedError


def deals_from(pools: Pools) -> WinnableDeals:
    return WinnableDeals(pools, LongWork(), SOON)


def played(deal: WinnableDeal, settings: Settings = SETTINGS) -> Round:
    return Round(n=1, game=1, settings=settings, t0=0, t_end=None,
                 deal=DealRecord(seed=deal.seed.hex(), salt="00"))  # fmt: skip


async def test_a_room_keeps_its_deal_until_a_round_is_played_with_it() -> None:
    first, second = known(1), known(2)
    pools = Pools(first.as_text(), second.as_text())
    deals = deals_from(pools)
    await deals.prepare(ROOM, SETTINGS)
    await deals.prepare(ROOM, SETTINGS)
    await deals.prepare(OTHER, SETTINGS)
    assert deals.ready_deal(ROOM, SETTINGS) == first
    assert deals.ready_deal(OTHER, SETTINGS) == second
    deals.forget(ROOM, None)
    deals.forget(ROOM, played(second))
    assert deals.ready_deal(ROOM, SETTINGS) == first
    deals.forget(ROOM, played(first))
    assert deals.ready_deal(ROOM, SETTINGS) is None
    deals.give_up(OTHER, SETTINGS)
    assert deals.ready_deal(OTHER, SETTINGS) is None


async def test_rooms_that_do_not_ask_take_none() -> None:
    pools = Pools(known(1).as_text())
    deals = deals_from(pools)
    for settings in (Settings(deal="numbered", number=4), Settings(winnable=False)):
        await deals.prepare(ROOM, settings)
        assert deals.ready_deal(ROOM, settings) is None
        deals.forget(ROOM, played(known(1), settings))
        deals.give_up(ROOM, settings)
    assert pools.looks == 0


async def test_the_line_is_that_of_the_rules_of_the_room() -> None:
    by_hand = Settings(game="spider-1", auto_remove=False)
    deals = deals_from(Pools(known(1).as_text()))
    await deals.prepare(ROOM, by_hand)
    deal = deals.ready_deal(ROOM, by_hand)
    assert deal is not None
    assert len(deal.line) > len(known(1).line)
    deck = secret_deck("spider-1", deal.seed)
    assert replay(rules_of(by_hand), deck, deal.line).outcome is Outcome.WON


@pytest.mark.parametrize(
    "text",
    ["", "{}", '{"seed":"00","line":""}', '{"seed":"' + "0" * 32 + '","line":"AA=="}'],
)
async def test_what_is_no_deal_is_logged_and_the_next_one_is_taken(text: str) -> None:
    other = WinnableDeal(POOL, known(2).seed, known(1).line)  # the line of another deal
    short = WinnableDeal(POOL, known(1).seed, known(1).line[:5])
    good = known(1)
    texts = [text, other.as_text(), short.as_text(), good.as_text()]
    deals = deals_from(Pools(*texts))
    with structlog.testing.capture_logs() as logged:
        await deals.prepare(ROOM, SETTINGS)
    assert deals.ready_deal(ROOM, SETTINGS) == good
    assert len(logged) == 3


async def test_a_room_waits_only_for_a_pool_that_somebody_fills() -> None:
    pools = Pools()
    deals = deals_from(pools)
    await deals.prepare(ROOM, SETTINGS)
    assert pools.looks == 1
    pools.is_filled = True
    await deals.prepare(OTHER, SETTINGS)
    assert pools.looks > 2
    pools.is_away = True
    await deals.prepare(ROOM, SETTINGS)
    assert deals.ready_deal(ROOM, SETTINGS) is None


async def test_a_room_waits_for_the_process_that_starts_with_its_server() -> None:
    """Regression: right after the start of a server no room got a deal that can be won."""
    pools = Pools()
    deals = WinnableDeals(pools, LongWork(), SOON, has_thinkers=True)
    waiting = asyncio.create_task(deals.prepare(ROOM, SETTINGS))
    await until(lambda: pools.looks > 1)
    pools.deals.append(known(1).as_text())
    await waiting
    assert deals.ready_deal(ROOM, SETTINGS) == known(1)
    late = WinnableDeals(pools, LongWork(), replace(SOON, starting_s=0.0), has_thinkers=True)
    looks = pools.looks
    await late.prepare(ROOM, SETTINGS)
    assert pools.looks == looks + 1


async def test_waits_before_the_round_could_begin_do_not_shorten_the_wait_before_it_begins() -> (
    None
):
    """Regression: a start within ten seconds after a guest's `ready` did not wait at all."""
    pools = Pools(is_filled=True)
    wait = PoolWait(early_s=0.0, most_s=0.05, poll_s=0.01)
    deals = WinnableDeals(pools, LongWork(), wait)
    await deals.prepare(ROOM, SETTINGS, begins=False)
    await asyncio.sleep(2 * wait.most_s)
    looks = pools.looks
    await deals.prepare(ROOM, SETTINGS)
    assert pools.looks > looks + 1


async def test_the_players_of_a_room_wait_together_and_longest_before_it_begins() -> None:
    """Each of them waited as long after the others, until their clients gave the server up."""
    pools = Pools(is_filled=True)
    deals = WinnableDeals(pools, LongWork(), PoolWait(early_s=0.0, most_s=0.05, poll_s=0.01))
    for looks in (1, 2, 3):
        await deals.prepare(ROOM, SETTINGS, begins=False)
        assert pools.looks == looks
    await deals.prepare(ROOM, SETTINGS)
    looks = pools.looks
    assert looks > 4
    await deals.prepare(ROOM, SETTINGS)
    assert pools.looks == looks + 1
    pools.deals.append(known(1).as_text())
    await deals.prepare(ROOM, SETTINGS)
    assert deals.ready_deal(ROOM, SETTINGS) == known(1)


async def test_a_room_waits_again_some_time_after_a_wait_that_was_in_vain() -> None:
    pools = Pools(is_filled=True)
    soon = PoolWait(early_s=0.0, most_s=0.03, poll_s=0.01, again_s=0.0)
    deals = WinnableDeals(pools, LongWork(), soon)
    await deals.prepare(ROOM, SETTINGS)
    looks = pools.looks
    await asyncio.sleep(0.01)
    await deals.prepare(ROOM, SETTINGS)
    assert pools.looks > looks + 1


async def test_waits_of_rooms_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.live.winnable_deals.MOST_READY", 1)
    pools = Pools(is_filled=True)
    deals = deals_from(pools)
    await deals.prepare(ROOM, SETTINGS)
    await deals.prepare(OTHER, SETTINGS)
    looks = pools.looks
    await deals.prepare(ROOM, SETTINGS)
    assert pools.looks > looks + 1, "its wait was forgotten, so it waits again"


async def test_deals_of_rooms_that_never_begin_are_bounded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("server.live.winnable_deals.MOST_READY", 2)
    deals = deals_from(Pools(*[known(number).as_text() for number in (1, 2, 4)]))
    for code in ("A", "B", "C"):
        await deals.prepare(code, SETTINGS)
    assert deals.ready_deal("A", SETTINGS) is None
    assert deals.ready_deal("C", SETTINGS) is not None
