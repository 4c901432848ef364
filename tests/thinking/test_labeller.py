"""The labels of numbered deals, from a room to its answer."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from protocol.http import NumberedDeal
from protocol.vocabulary import DealLabel
from server.rooms.deal_labels import JOB, LabelJob
from server.solver.verdicts import ShouldStop, Verdict, VerdictKind
from server.store import StoreAway
from server.thinking import labeller as module
from server.thinking.labeller import LABELLING, MOST_TRIES, Labeller, Labelling
from tests.thinking.processes import NotedPrecedence, at_work
from tests.waiting import until
from tests.world.store import Connection, MemoryStore
from tests.world.world import opened

ROOM = "7K3QZ0A"
DEAL = LabelJob(
    game="spider-1",
    number=24,
    layout="spread",
    auto_remove=True,
    relaxed_deal=False,
    room=ROOM,
    asked_since=1,
)
FOUND = Verdict("won", (), 0)


class Searches:
    """A store, and what the searches of its thinking processes have done."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.store = MemoryStore()
        self.find: Callable[[ShouldStop], Verdict] = lambda _: FOUND
        self.budgets: list[int] = []
        self.precedence = NotedPrecedence()
        monkeypatch.setattr(module, "solve", self._solve)

    def _solve(self, *_: object, budget: int, should_stop: ShouldStop) -> Verdict:
        self.budgets.append(budget)
        assert not should_stop()
        return self.find(should_stop)

    def labeller(self) -> tuple[Labeller, Connection]:
        connection = self.store.connect()
        jobs, labels = connection.jobs, connection.deal_labels
        return Labeller(jobs, labels, LABELLING, self.precedence), connection

    async def queue(self, deal: LabelJob = DEAL, body: str | None = None) -> None:
        await self.store.deal_labels.ask(deal.key, deal.room, deal.asked_since)
        text, until = body or deal.model_dump_json(), self.store.clock.now() + 60_000
        assert await self.store.jobs.add(JOB, deal.job_key, text, deadline_ms=until)

    async def labels(self, seconds: float = 2) -> dict[str, str]:
        """Return all labels after a process has thought for some seconds; no job is left."""
        async with at_work(self.labeller()[0]):
            await asyncio.sleep(seconds)
        assert await self.store.jobs.count(JOB) == 0
        return dict(self.store.deal_labels)


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> Searches:
    return Searches(monkeypatch)


def numbered(number: int) -> LabelJob:
    return DEAL.model_copy(update={"number": number, "asked_since": number})


async def test_a_room_knows_its_deal_once_a_process_has_searched_it() -> None:
    async with opened() as world:

        async def deal_of(code: str) -> NumberedDeal:
            answer = await world.get(f"/api/rooms/{code}/deal")
            assert answer.status_code == 200, answer.body
            assert b"t0" not in answer.body, "a label comes without the line"
            return NumberedDeal.model_validate_json(answer.body)

        world.sit("Ada")
        easy = {"game": "spider-1", "deal": "numbered", "number": 24}
        await world.say("Ada", "create", name="Ada", settings=easy)
        code, store = world.people["Ada"].room, world.store
        nobody = await deal_of(code)
        assert nobody == NumberedDeal(number=24, label="unknown", searching=False)
        assert await store.jobs.count(JOB) == 0
        await store.deal_pools.show_filler()
        for _ in range(2):
            sought = await deal_of(code)
            assert sought == NumberedDeal(number=24, label="unknown", searching=True)
            assert await store.jobs.count(JOB) == 1
        async with at_work(Labeller(store.jobs, store.deal_labels, Labelling(budget=30_000))):
            await asyncio.sleep(1)
        found = await deal_of(code)
        assert found == NumberedDeal(number=24, label="winnable", searching=False)
        world.sit("Bob")
        await world.say("Bob", "create", name="Bob", settings={"game": "spider-1"})
        for other in (world.people["Bob"].room, "0000000"):
            assert (await world.get(f"/api/rooms/{other}/deal")).status_code == 404


@pytest.mark.parametrize(
    ("kind", "label"), [("won", "winnable"), ("unwinnable", "unwinnable"), ("unknown", "unknown")]
)
async def test_the_label_is_that_of_the_verdict(
    searches: Searches, kind: VerdictKind, label: DealLabel
) -> None:
    """Rooms that wait for a deal pass as often as the search asks whether it is to stop."""
    searches.find = lambda _: Verdict(kind, (), 0)
    await searches.queue()
    assert await searches.labels() == {DEAL.key: label}
    assert searches.budgets == [LABELLING.budget]
    assert searches.precedence.asked == ["pass"]


async def test_a_deal_that_fails_stays_unknown(searches: Searches) -> None:
    await searches.queue(body="{}")  # one that cannot be read is dropped
    assert await searches.labels() == {}
    await searches.queue(numbered(2))
    for number in range(MOST_TRIES):
        assert await searches.store.jobs.take(JOB, f"dead {number}", idle_ms=0)
    silent_s = LABELLING.silent_s + LABELLING.poll_s
    assert await searches.labels(silent_s) == {numbered(2).key: "unknown"}
    assert searches.budgets == []

    def fail(_: object) -> Verdict:
        raise MemoryError

    searches.find = fail
    await searches.queue(numbered(3))
    assert (await searches.labels())[numbered(3).key] == "unknown"


async def test_of_many_deals_of_a_room_the_newest_alone_is_searched(searches: Searches) -> None:
    """One host could keep the process busy for minutes by changing the number."""
    for number in range(1, 41):
        await searches.queue(numbered(number))
    await searches.queue(numbered(40).model_copy(update={"room": "another"}))
    assert await searches.labels() == {numbered(40).key: "winnable"}
    assert len(searches.budgets) == 1


async def test_a_job_is_kept_through_a_long_search_and_an_outage(searches: Searches) -> None:
    loop: Any = asyncio.get_running_loop()
    loop.work_s = 2 * LABELLING.silent_s
    (first, connection), (second, _) = searches.labeller(), searches.labeller()
    await searches.queue()
    connection.faults.failing["jobs.keep"] = StoreAway()
    async with at_work(first):
        await asyncio.sleep(LABELLING.keep_s + 0.1)
        assert first.is_busy
        connection.faults.failing.clear()
        async with at_work(second):
            await asyncio.sleep(loop.work_s)
        assert searches.store.deal_labels == {DEAL.key: "winnable"}
        assert not first.is_busy
        connection.faults.away = True
        await searches.queue(numbered(2))
        await asyncio.sleep(5)
        connection.faults.away = False
        loop.work_s = 0.01
        await asyncio.sleep(5)
        assert numbered(2).key in searches.store.deal_labels
    assert len(searches.budgets) == 2


async def test_a_search_ends_with_its_process_or_its_question(searches: Searches) -> None:
    """What is given back or dropped has no label."""
    stops: list[ShouldStop] = []

    def search(should_stop: ShouldStop) -> Verdict:
        stops.append(should_stop)
        return FOUND

    searches.find = search
    loop: Any = asyncio.get_running_loop()
    loop.work_s = 5
    await searches.queue(numbered(1))
    async with at_work(searches.labeller()[0]):
        await until(lambda: stops)
        assert not stops[0]()
    assert stops[0]()
    assert searches.store.deal_labels == {}
    async with at_work(searches.labeller()[0]):  # it gets the job at once
        await until(lambda: len(stops) == 2)
        await searches.queue(numbered(2))
        await asyncio.sleep(LABELLING.look_s)
        assert stops[1]()
        await asyncio.sleep(3 * loop.work_s)
    assert searches.store.deal_labels == {numbered(2).key: "winnable"}
