"""The searches of a process: each is charged before it runs, and they are few."""

import asyncio
from typing import Any

import pytest

from protocol.vocabulary import Outlook
from server.games.game import Game
from server.live.work import LongWork
from server.sessions.assessments import Assessments
from server.sessions.limits import Rate, SessionLimits
from tests.games.positions import dealt, position
from tests.solver.test_dead_ends import DEAD, NEARLY

ADA, BOB = "CODE:0", "CODE:1"


def won() -> Game:
    """Return a game with a win in view."""
    return position(NEARLY, "spider-1", undo="off")


def dead() -> Game:
    """Return a game where only a pair can still change."""
    return position(DEAD, undo="off")


class Searching:
    """A process whose time the test controls; each look at the clock takes 1 ms."""

    def __init__(self, **limits: Rate | int) -> None:
        self.now = 0.0
        self._worked = 0.0
        work = LongWork(monotonic_s=self._look, sleep=self._sleep)
        given = {"searches": Rate(100, 0.001), **limits}
        self.assessments = Assessments(work, SessionLimits(**given), lambda: self.now)  # type: ignore[arg-type]

    def _look(self) -> float:
        self._worked += 0.001
        return self._worked

    @staticmethod
    async def _sleep(_seconds: float) -> None:
        await asyncio.sleep(0)

    async def outlook(
        self, game: Game, seat: str = ADA, *, address: str = "", **given: bool
    ) -> Outlook:
        asked = {"autoplay": True, "must_run": False, **given}
        return (await self.assessments.find(seat, game, address, **asked)).outlook


async def test_without_autoplay_no_line_is_searched() -> None:
    searching = Searching()
    assert await searching.outlook(won(), autoplay=False) is Outlook.OPEN
    assert await searching.outlook(dead(), autoplay=False) is Outlook.DEAD


async def test_while_cards_can_be_dealt_nothing_is_searched_or_charged() -> None:
    searching = Searching(searches=Rate(1, 0.001))
    for _ in range(5):
        assert await searching.outlook(dealt()) is Outlook.OPEN
    assert await searching.outlook(dead()) is Outlook.DEAD


async def test_a_seat_has_few_searches() -> None:
    searching = Searching(searches=Rate(2, 0.5))
    outlooks = [await searching.outlook(dead()) for _ in range(3)]
    assert outlooks == [Outlook.DEAD, Outlook.DEAD, Outlook.OPEN]
    assert await searching.outlook(dead(), BOB) is Outlook.DEAD
    searching.now += 2
    assert await searching.outlook(dead()) is Outlook.DEAD


async def test_all_searches_take_a_small_share_of_the_time() -> None:
    searching = Searching(search_ms=Rate(20, 10))
    outlooks = [await searching.outlook(dead()) for _ in range(30)]
    searched = outlooks.count(Outlook.DEAD)
    assert 0 < searched < 20
    assert outlooks == [Outlook.DEAD] * searched + [Outlook.OPEN] * (30 - searched)
    assert await searching.outlook(won()) is Outlook.OPEN
    searching.now += 60
    assert await searching.outlook(won()) is Outlook.WON


async def test_a_search_beyond_the_waiting_ones_does_not_run() -> None:
    searching = Searching(waiting_searches=2)
    outlooks = await asyncio.gather(*(searching.outlook(dead()) for _ in range(4)))
    assert sorted(outlooks) == [Outlook.DEAD, Outlook.DEAD, Outlook.OPEN, Outlook.OPEN]
    assert await searching.outlook(dead()) is Outlook.DEAD


async def test_an_address_has_a_part_of_the_searches_and_leaves_the_rest() -> None:
    """Regression: the seats of three addresses used up the searches of everybody."""
    searching = Searching(search_ms=Rate(100, 10), search_ms_of_address=Rate(20, 2))
    outlooks = [await searching.outlook(dead(), address="203.0.113.5") for _ in range(60)]
    assert 0 < outlooks.count(Outlook.DEAD) < 20
    assert outlooks[-1] is Outlook.OPEN
    assert await searching.outlook(dead(), BOB, address="203.0.113.6") is Outlook.DEAD
    assert await searching.outlook(dead(), BOB, address="127.0.0.1") is Outlook.DEAD


async def test_addresses_take_turns() -> None:
    searching, order = Searching(), []

    async def ask(number: int, address: str) -> None:
        await searching.outlook(dead(), f"CODE:{number}", address=address)
        order.append(address)

    many, one = ["203.0.113.5"] * 20, "203.0.113.6"
    async with asyncio.TaskGroup() as tasks:
        for number, address in enumerate([*many, one]):
            tasks.create_task(ask(number, address))
    assert order.index(one) <= 2


async def test_a_forfeit_as_dead_is_always_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    few = Rate(1, 0.001)
    limits = {"searches": few, "search_ms": few, "search_ms_of_address": Rate(20, 2)}
    searching = Searching(**limits, waiting_searches=0)
    assert await searching.outlook(dead()) is Outlook.OPEN
    slept: list[float] = []

    async def sleep(seconds: float, wait: Any = asyncio.sleep) -> None:
        slept.append(seconds)
        searching.now += seconds
        await wait(0)

    monkeypatch.setattr("server.sessions.assessments.asyncio.sleep", sleep)
    for _ in range(30):
        found = await searching.outlook(dead(), must_run=True, address="203.0.113.5")
        assert found is Outlook.DEAD
    assert any(seconds > 0 for seconds in slept)  # beyond its share the address waits
    assert await searching.outlook(dead(), must_run=True, address="127.0.0.1") is Outlook.DEAD


async def test_a_search_that_is_cancelled_leaves_its_place() -> None:
    searching = Searching(waiting_searches=1)
    task = asyncio.create_task(searching.outlook(dead()))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await searching.outlook(dead()) is Outlook.DEAD
