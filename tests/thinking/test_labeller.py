"""The labels of numbered deals, from a room to its answer, over a real server and its store."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
from spider_race_client import connect

from protocol.http import NumberedDeal
from protocol.vocabulary import DealLabel
from server.rooms.deal_labels import JOB, LabelJob
from server.solver.verdicts import Verdict, VerdictKind
from server.store import Store
from server.thinking.labeller import MOST_TRIES, Labeller, Labelling
from server.thinking.precedence import Precedence
from tests.players import running
from tests.server.http import get
from tests.waiting import until_answer

QUICK = Labelling(budget=30_000, poll_s=0.01, look_s=0.01, keep_s=0.02, silent_s=0.2)
EASY = {"game": "spider-1", "deal": "numbered", "number": 24}
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


@asynccontextmanager
async def labelling(store: Store, how: Labelling = QUICK) -> AsyncIterator[Labeller]:
    """A thinking process that finds labels."""
    labeller = Labeller(store.jobs, store.deal_labels, how)
    task = asyncio.create_task(labeller.run())
    try:
        yield labeller
    finally:
        task.cancel()
        await asyncio.wait({task})


async def queue(store: Store, deal: LabelJob, body: str | None = None) -> None:
    text = deal.model_dump_json() if body is None else body
    await store.deal_labels.ask(deal.key, deal.room, deal.asked_since)
    assert await store.jobs.add(JOB, deal.job_key, text, deadline_ms=store.clock.now() + 60_000)


async def until_labelled(store: Store, deal: LabelJob) -> str | None:
    known = await until_answer(lambda: store.deal_labels.read(deal.key), lambda one: one.label)
    return known.label


async def test_a_room_knows_its_deal_once_a_process_has_searched_it(
    store: Store, embedded_url: str, tmp_path: Path
) -> None:
    async with running(redis_url=embedded_url, data_dir=tmp_path) as listener:

        async def deal_of(code: str) -> NumberedDeal:
            answer = await get(listener.port, f"/api/rooms/{code}/deal")
            assert answer.status == 200, answer.body
            assert b"t0" not in answer.body, "a label comes without the line"
            return NumberedDeal.model_validate_json(answer.body)

        async with connect(f"http://127.0.0.1:{listener.port}") as client:
            race = await client.create("Ada", EASY)
            nobody = await deal_of(race.code)
            assert nobody == NumberedDeal(number=24, label="unknown", searching=False)
            assert not await store.jobs.count(JOB)
            await store.deal_pools.show_filler()
            sought = await deal_of(race.code)
            assert sought == NumberedDeal(number=24, label="unknown", searching=True)
            await deal_of(race.code)
            assert await store.jobs.count(JOB) == 1
            async with labelling(store):
                found = await until_answer(
                    lambda: deal_of(race.code), lambda deal: not deal.searching
                )
            assert found == NumberedDeal(number=24, label="winnable", searching=False)
            other = await client.create("Bob", {"game": "spider-1"})
            assert (await get(listener.port, f"/api/rooms/{other.code}/deal")).status == 404
            assert (await get(listener.port, "/api/rooms/0000000/deal")).status == 404


@pytest.mark.parametrize(
    ("kind", "label"), [("won", "winnable"), ("unwinnable", "unwinnable"), ("unknown", "unknown")]
)
async def test_the_label_is_that_of_the_verdict(
    store: Store, monkeypatch: pytest.MonkeyPatch, kind: VerdictKind, label: DealLabel
) -> None:
    verdict = Verdict(kind, (), 0)
    monkeypatch.setattr("server.thinking.labeller.solve", lambda *_, **__: verdict)
    await queue(store, DEAL)
    async with labelling(store):
        assert await until_labelled(store, DEAL) == label
        await until_answer(lambda: store.jobs.count(JOB), lambda jobs: not jobs)


async def test_a_search_without_memory_leaves_the_deal_unknown(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("server.thinking.labeller.solve", fail)
    await queue(store, DEAL)
    async with labelling(store):
        assert await until_labelled(store, DEAL) == "unknown"


async def test_a_job_that_cannot_be_read_is_dropped(store: Store) -> None:
    await queue(store, DEAL, "{}")
    async with labelling(store):
        await until_answer(lambda: store.jobs.count(JOB), lambda jobs: not jobs)
    assert (await store.deal_labels.read(DEAL.key)).label is None


async def test_a_deal_that_failed_with_several_processes_stays_unknown(store: Store) -> None:
    await queue(store, DEAL)
    for number in range(MOST_TRIES):
        taker = f"dead {number}"
        assert await until_answer(partial(store.jobs.take, JOB, taker, idle_ms=1), bool)
        await asyncio.sleep(0.01)
    async with labelling(store):
        assert await until_labelled(store, DEAL) == "unknown"


def numbered(number: int) -> LabelJob:
    return DEAL.model_copy(update={"number": number, "asked_since": number})


async def test_of_many_deals_of_a_room_the_newest_one_alone_is_searched(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One host could keep the process busy for minutes by changing the number."""
    searched: list[int] = []

    def search(_labeller: Labeller, deal: LabelJob) -> DealLabel:
        searched.append(deal.number)
        return "winnable"

    monkeypatch.setattr(Labeller, "_search", search)
    for number in range(1, 41):
        await queue(store, numbered(number))
    async with labelling(store):
        assert await until_labelled(store, numbered(40)) == "winnable"
        await until_answer(lambda: store.jobs.count(JOB), lambda jobs: not jobs)
    assert searched == [40]


async def test_a_search_is_dropped_once_its_room_asks_for_another_deal(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    began: list[object] = []

    def search(*given: object, **how: object) -> object:
        began.append(given)
        should_stop = how["should_stop"]
        assert callable(should_stop)
        while len(began) == 1 and not should_stop():
            time.sleep(0.001)
        return Verdict("won", (), 0)

    monkeypatch.setattr("server.thinking.labeller.solve", search)
    await queue(store, numbered(1))
    async with labelling(store):
        await until_answer(lambda: asyncio.sleep(0, began), bool)
        await queue(store, numbered(2))
        assert await until_labelled(store, numbered(2)) == "winnable"
    assert (await store.deal_labels.read(numbered(1).key)).label is None


async def test_a_deal_that_two_rooms_ask_for_is_searched_once(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched: list[LabelJob] = []

    def search(_labeller: Labeller, deal: LabelJob) -> DealLabel:
        searched.append(deal)
        return "winnable"

    monkeypatch.setattr(Labeller, "_search", search)
    for room in ("7K3QZ0A", "7K3QZ0B"):
        await queue(store, DEAL.model_copy(update={"room": room}))
    async with labelling(store):
        await until_answer(lambda: store.jobs.count(JOB), lambda jobs: not jobs)
    assert len(searched) == 1


async def test_a_search_lets_rooms_pass_that_wait_for_a_deal(store: Store) -> None:
    precedence = Precedence()
    precedence.begin()
    await queue(store, DEAL)
    labeller = Labeller(store.jobs, store.deal_labels, QUICK, precedence)
    async with asyncio.TaskGroup() as tasks:
        labelling = tasks.create_task(labeller.run())
        await until_answer(lambda: asyncio.sleep(0, labeller.is_busy), bool)
        await asyncio.sleep(0.2)
        assert (await store.deal_labels.read(DEAL.key)).label is None
        precedence.end()
        assert await until_labelled(store, DEAL) == "winnable"
        labelling.cancel()


async def test_a_process_that_ends_gives_its_search_back(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    await queue(store, DEAL)

    def search(*_: object, **how: object) -> object:
        should_stop = how["should_stop"]
        assert callable(should_stop)
        while not should_stop():
            pass
        return Verdict("unknown", (), 0)

    with monkeypatch.context() as slow:
        slow.setattr("server.thinking.labeller.solve", search)
        async with labelling(store) as labeller:
            await until_answer(lambda: asyncio.sleep(0, labeller.is_busy), bool)
    assert (await store.deal_labels.read(DEAL.key)).label is None
    async with labelling(store):
        assert await until_labelled(store, DEAL) == "winnable"
