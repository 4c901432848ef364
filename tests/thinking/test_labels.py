"""The labels of numbered deals, from the request of a room to the reply."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from protocol.http import NumberedDeal
from server.games.rules import Rules
from server.rooms.deals import LabelledDeal
from server.solver.solve import Verdict, VerdictKind
from server.thinking import labels as module
from server.thinking.labels import LABELS_PER_ADDRESS, Labeller, find_label
from server.thinking.pool import GivenUp, Urgency
from tests.world.pool import InlinePool
from tests.world.store import MemoryStore
from tests.world.world import Choices, opened

ROOM = "7K3QZ0A"
DEAL = LabelledDeal(24, Rules("spider-1", layout="spread", undo="off"))
MINUTE_S = 60.0


def numbered(number: int) -> LabelledDeal:
    return DEAL._replace(number=number)


class Searches:
    """A labeller whose searches take a minute each, one at a time."""

    def __init__(self, tasks: asyncio.TaskGroup) -> None:
        self.store = MemoryStore()
        self.pool = InlinePool()
        self.pool.work_s = MINUTE_S
        self.pool.works["find_label"] = lambda *_, **__: "winnable"
        here = self.store.connect()
        self.labeller = Labeller(self.pool, here.deal_labels, here.guards, tasks)

    async def ask(self, deal: LabelledDeal = DEAL, room: str = ROOM, **networks: int) -> bool:
        asked = await self.labeller.request(deal, room, networks)
        await asyncio.sleep(0.01)
        return asked

    @property
    def searched(self) -> list[int]:
        return [given[0].number for _, _, given in self.pool.calls]


@pytest.fixture
async def searches() -> AsyncIterator[Searches]:
    async with asyncio.TaskGroup() as tasks:
        yield Searches(tasks)


async def test_a_room_knows_its_deal_once_it_is_searched() -> None:
    async with opened(chosen=Choices(processes=("p", "off"), thinkers=1)) as world:

        async def deal_of(code: str) -> NumberedDeal:
            answer = await world.get(f"/api/rooms/{code}/deal")
            assert answer.status_code == 200, answer.body
            assert b"t0" not in answer.body, "a label comes without the line"
            return NumberedDeal.model_validate_json(answer.body)

        world.first.pool.work_s = 1.0
        world.sit("Ada")
        easy = {"game": "spider-1", "deal": "numbered", "number": 24}
        await world.say("Ada", "create", name="Ada", settings=easy)
        code = world.people["Ada"].room
        for _ in range(2):
            sought = await deal_of(code)
            assert sought == NumberedDeal(number=24, label="unknown", searching=True)
        await asyncio.sleep(2)
        found = await deal_of(code)
        assert found == NumberedDeal(number=24, label="winnable", searching=False)
        assert world.first.pool.count("find_label") == 1
        world.sit("Bob")
        await world.say("Bob", "create", name="Bob", settings={"game": "spider-1"})
        for other in (world.people["Bob"].room, "0000000"):
            assert (await world.get(f"/api/rooms/{other}/deal")).status_code == 404


async def test_a_server_that_computes_nothing_knows_nothing_of_a_deal() -> None:
    async with opened() as world:
        world.sit("Ada")
        easy = {"game": "spider-1", "deal": "numbered", "number": 24}
        await world.say("Ada", "create", name="Ada", settings=easy)
        answer = await world.get(f"/api/rooms/{world.people['Ada'].room}/deal")
        found = NumberedDeal.model_validate_json(answer.body)
        assert found == NumberedDeal(number=24, label="unknown", searching=False)


@pytest.mark.parametrize(
    ("kind", "label"), [("won", "winnable"), ("unwinnable", "unwinnable"), ("unknown", "unknown")]
)
def test_each_verdict_has_a_label(
    monkeypatch: pytest.MonkeyPatch, kind: VerdictKind, label: str
) -> None:
    budgets: list[int] = []

    def solve(*_: object, budget: int, should_stop: Any) -> Verdict:
        assert not should_stop()
        budgets.append(budget)
        return Verdict(kind, (), 0)

    monkeypatch.setattr(module, "solve", solve)
    assert find_label(DEAL, 17, should_stop=lambda: False) == label
    assert budgets == [17]


def test_a_deal_that_fails_stays_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    def solve(*_: object, **__: object) -> Verdict:
        raise MemoryError

    monkeypatch.setattr(module, "solve", solve)
    assert find_label(DEAL, 17, should_stop=lambda: False) == "unknown"


async def test_a_deal_that_kills_every_process_stays_unknown(searches: Searches) -> None:
    searches.pool.failing["find_label"] = GivenUp()
    await searches.ask()
    await asyncio.sleep(2 * MINUTE_S)
    assert searches.store.deal_labels == {DEAL.key: "unknown"}


async def test_only_the_latest_deal_of_a_room_is_searched(searches: Searches) -> None:
    """A host could otherwise keep the process busy for minutes by changing the number."""
    for number in range(1, 41):
        assert await searches.ask(numbered(number), one=1)
    assert await searches.ask(numbered(40), "another", one=1)
    await asyncio.sleep(2 * MINUTE_S)
    assert searches.store.deal_labels == {numbered(40).key: "winnable"}
    assert len(searches.pool.stopped) == 39
    assert {urgency for _, urgency, _ in searches.pool.calls} == {Urgency.LABEL}


async def test_a_search_goes_on_if_another_room_wants_the_deal(searches: Searches) -> None:
    for room in (ROOM, "another"):
        await searches.ask(numbered(1), room)
    await searches.ask(numbered(2))
    await asyncio.sleep(2 * MINUTE_S)
    assert searches.store.deal_labels.keys() == {numbered(1).key, numbered(2).key}


async def test_few_deals_of_the_rooms_of_one_address_wait(searches: Searches) -> None:
    """Regression: the rooms of a few people made the labels of all others wait."""
    rooms = range(1, LABELS_PER_ADDRESS + 3)
    asked = [await searches.ask(numbered(each), f"room {each}", one=1) for each in rooms]
    assert asked == [True] * LABELS_PER_ADDRESS + [False] * 2
    assert await searches.ask(numbered(50), "other", another=1)
    assert await searches.ask(numbered(1), "room 1", one=1)  # it is being searched already
    await asyncio.sleep(2 * MINUTE_S)
    last = numbered(LABELS_PER_ADDRESS + 1)
    assert await searches.ask(last, f"room {last.number}", one=1)


async def test_the_number_of_remembered_rooms_is_bounded(
    searches: Searches, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_ROOMS", 2)
    for number in range(1, 4):
        await searches.ask(numbered(number), f"room {number}")
    assert len(searches.labeller._requested) == 2


async def test_a_deal_with_a_label_is_not_searched(searches: Searches) -> None:
    searches.store.deal_labels[DEAL.key] = "winnable"
    await searches.ask()
    await asyncio.sleep(2 * MINUTE_S)
    assert searches.searched == []
