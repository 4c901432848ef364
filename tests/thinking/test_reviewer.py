"""The reviews of finished rounds, over a real server and its store."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
import structlog
from spider_race_client import Race, connect

from protocol.http import Replay, RoundReview
from server.app import Tuning
from server.http.listener import Listener
from server.rooms.reviews import JOB, ReviewJob
from server.rooms.timings import RoomTimings
from server.solver.reviews import Budgets
from server.store import Job, Store, StoreAway
from server.thinking import reviewer as module
from server.thinking.precedence import Precedence
from server.thinking.reviewer import MOST_TRIES, Reviewer, Reviewing
from tests.players import running
from tests.python_client.races import EASY, begin, first_move, result_of
from tests.server.http import get
from tests.servers import AT_ONCE
from tests.waiting import until_answer

SOON = Tuning(rooms=RoomTimings(countdown_ms=10), store=AT_ONCE)
QUICK = Reviewing(
    budgets=Budgets(passes=(40_000,), acts=40_000), poll_s=0.01, keep_s=0.02, silent_s=0.2
)
ACTS = 12


@dataclass
class Served:
    """A server without thinking processes, and its store."""

    listener: Listener
    store: Store

    def reviewer(
        self, reviewing: Reviewing = QUICK, precedence: Precedence | None = None
    ) -> Reviewer:
        store = self.store
        parts = store.jobs, store.rooms, store.logs, store.reviews
        return Reviewer(*parts, reviewing, precedence)

    async def review(self, code: str, n: int = 1) -> RoundReview:
        answer = await get(self.listener.port, f"/api/rooms/{code}/rounds/{n}/review")
        assert answer.status == HTTPStatus.OK
        return RoundReview.model_validate_json(answer.body)

    async def until_done(self, code: str, n: int = 1) -> RoundReview:
        await self.store.deal_pools.show_filler()  # as a thinking process does all the time
        return await until_answer(
            lambda: self.review(code, n), lambda review: review.state == "done"
        )

    async def jobs(self) -> int:
        return await self.store.jobs.count(JOB)


@pytest.fixture
async def served(store: Store, embedded_url: str, tmp_path: Path) -> AsyncIterator[Served]:
    async with running(SOON, redis_url=embedded_url, data_dir=tmp_path, thinkers=0) as listener:
        yield Served(listener, store)


@asynccontextmanager
async def reviewing(*reviewers: Reviewer) -> AsyncIterator[None]:
    tasks = [asyncio.create_task(each.run()) for each in reviewers]
    try:
        yield
        assert not any(task.done() for task in tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)


async def raced(served: Served, *names: str) -> str:
    """Play some acts of a round, and give up; return the room's code."""
    async with connect(f"http://127.0.0.1:{served.listener.port}") as client:
        host = await client.create(names[0], EASY)
        players = [host, *[await client.join(host.code, name) for name in names[1:]]]
        await began(*players)
        for player in players:
            await play(player, ACTS)
            await player.forfeit()
        await result_of(host, 1)
    return host.code


async def began(host: Race, *others: Race) -> None:
    """Begin a round of these players, or of one alone."""
    if others:
        await begin(host, *others)
    else:
        await host.start()
        await host.wait_for_table()


async def play(player: Race, acts: int) -> None:
    for _ in range(acts):
        await player.act(first_move(player))


async def test_a_finished_race_is_reviewed_and_its_wins_can_be_played(served: Served) -> None:
    code = await raced(served, "Ada", "Bob")
    without = await served.review(code)
    assert (without.state, without.games, without.missing) == ("done", (), (0, 1))
    await served.store.deal_pools.show_filler()
    before = await served.review(code)
    assert (before.state, before.games) == ("waiting", ())
    path = f"/api/rooms/{code}/rounds/1/seats"
    assert (await get(served.listener.port, f"{path}/0/win")).status == HTTPStatus.NOT_FOUND
    async with reviewing(served.reviewer()):
        review = await served.until_done(code)
    assert [game.name for game in review.games] == ["Ada", "Bob"]
    assert review.missing == ()
    assert await served.jobs() == 0
    for game in review.games:
        assert game.known_ms is not None
        answer = await get(served.listener.port, f"{path}/{game.seat}/win")
        win = Replay.model_validate_json(answer.body)
        assert (win.seat, win.name, win.steps[-1].suits) == (game.seat, game.name, 8)
        assert win.acts <= ACTS + game.acts
        times = [step.ms for step in win.steps]
        assert times == sorted(times)
    assert (await get(served.listener.port, f"{path}/7/win")).status == HTTPStatus.NOT_FOUND


async def test_a_review_lets_rooms_pass_that_wait_for_a_deal(served: Served) -> None:
    code = await raced(served, "Ada")
    precedence = Precedence()
    precedence.begin()
    await served.store.deal_pools.show_filler()
    async with reviewing(served.reviewer(precedence=precedence)):
        await until_answer(lambda: served.review(code), lambda review: review.state == "running")
        await asyncio.sleep(0.2)
        assert (await served.review(code)).games == ()
        precedence.end()
        assert len((await served.until_done(code)).games) == 1


async def test_a_round_with_nothing_to_review_is_done_at_once(served: Served) -> None:
    """Programs that ask until it is done would ask for ever."""
    await served.store.deal_pools.show_filler()
    async with connect(f"http://127.0.0.1:{served.listener.port}") as client:
        ada = await client.create("Ada", EASY)
        await began(ada)
        await ada.forfeit()
        await result_of(ada, 1)
    review = await served.review(ada.code)
    assert (review.state, review.games, review.missing) == ("done", (), ())
    assert await served.jobs() == 0


async def test_a_review_is_expected_of_processes_that_are_about_to_start(
    store: Store, embedded_url: str, tmp_path: Path
) -> None:
    """A page asked no more, whose race was over before the process of its server was there."""
    async with running(SOON, redis_url=embedded_url, data_dir=tmp_path, thinkers=1) as listener:
        served = Served(listener, store)
        assert (await served.review(await raced(served, "Ada"))).state == "waiting"


async def test_a_round_that_is_on_is_not_reviewed(served: Served) -> None:
    async with connect(f"http://127.0.0.1:{served.listener.port}") as client:
        ada = await client.create("Ada", EASY)
        await began(ada)
        await play(ada, 3)
        job = ReviewJob(room=ada.code, n=1)
        deadline_ms = served.store.clock.now() + 9_000
        for each in (job, ReviewJob(room="0000000", n=1)):
            body = each.model_dump_json()
            await served.store.jobs.add(JOB, each.key, body, deadline_ms=deadline_ms)
        async with reviewing(served.reviewer()):
            await until_answer(served.jobs, lambda count: count == 0)
        path = f"/api/rooms/{ada.code}/rounds/1"
        for way in ("review", "seats/0/win"):
            answer = await get(served.listener.port, f"{path}/{way}")
            assert answer.status == HTTPStatus.NOT_FOUND
        keys = served.store.keys
        assert not await served.store.client.call("", "EXISTS", keys.review(ada.code, 1))


async def test_a_job_goes_on_with_another_process_and_nothing_is_made_twice(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = await raced(served, "Ada", "Bob")
    made: list[tuple[int, str]] = []
    first_kept = asyncio.Event()
    keep = served.store.reviews.keep

    async def noted(code: str, n: int, t0: int, seat: int, text: str) -> bool:
        is_kept = await keep(code, n, t0, seat, text)
        made.append((seat, text))
        first_kept.set()
        return is_kept

    async def lost(_job: Job) -> bool:
        raise StoreAway  # as if the process had been killed

    monkeypatch.setattr(served.store.reviews, "keep", noted)
    with monkeypatch.context() as killed:
        killed.setattr(served.store.jobs, "release", lost)
        async with reviewing(served.reviewer()):
            await first_kept.wait()
    began = await served.review(code)
    async with reviewing(served.reviewer(), served.reviewer()):
        review = await served.until_done(code)
        await until_answer(served.jobs, lambda count: count == 0)
    assert [seat for seat, _ in made] == [0, 1]
    assert review.games[: len(began.games)] == began.games


async def test_a_review_that_was_made_twice_is_the_same(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = await raced(served, "Ada")
    texts: list[str] = []

    async def lost(_code: str, _n: int, _t0: int, _seat: int, text: str) -> bool:
        texts.append(text)
        raise StoreAway

    with monkeypatch.context() as away:
        away.setattr(served.store.reviews, "keep", lost)
        async with reviewing(served.reviewer()):
            await until_answer(lambda: asyncio.sleep(0, texts), lambda texts: len(texts) > 1)
    assert len(set(texts)) == 1
    async with reviewing(served.reviewer()):
        await served.until_done(code)


async def test_rounds_take_turns(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    large, small = await raced(served, "Ada", "Bob", "Cy"), await raced(served, "Dee")
    order: list[str] = []
    keep = served.store.reviews.keep

    async def noted(code: str, n: int, t0: int, seat: int, text: str) -> bool:
        order.append(code)
        return await keep(code, n, t0, seat, text)

    monkeypatch.setattr(served.store.reviews, "keep", noted)
    async with reviewing(served.reviewer()):
        await served.until_done(small)
        await served.until_done(large)
    assert order.index(small) < len(order) - 1
    assert sorted(order) == sorted([large] * 3 + [small])


async def test_a_round_beyond_its_budget_names_the_games_that_are_missing(served: Served) -> None:
    code = await raced(served, "Ada", "Bob")
    async with reviewing(served.reviewer(replace(QUICK, most=1))):
        review = await served.until_done(code)
    assert [game.seat for game in review.games] == [0]
    assert review.missing == (1,)


async def test_a_job_that_fails_with_many_processes_is_given_up(served: Served) -> None:
    code = await raced(served, "Ada")
    for number in range(MOST_TRIES):
        assert await served.store.jobs.take(JOB, f"dead {number}", idle_ms=0) is not None
    with structlog.testing.capture_logs() as logged:
        async with reviewing(served.reviewer()):
            review = await served.until_done(code)
    assert (review.games, review.missing) == ((), (0,))
    assert "a review is given up" in [entry["event"] for entry in logged]


async def test_a_process_that_was_suspended_holds_no_round_twice(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Regression: it took its own job again, as that of another process."""
    code = await raced(served, "Ada", "Bob")
    suspended = served.reviewer(replace(QUICK, keep_s=60.0, silent_s=0.02))
    again, held = asyncio.Event(), []
    keep, take = served.store.reviews.keep, served.store.jobs.take

    async def late(code: str, n: int, t0: int, seat: int, text: str) -> bool:
        again.clear()
        await again.wait()  # until the process has got its own job
        await asyncio.sleep(0)
        held.append(len(suspended._held))
        return await keep(code, n, t0, seat, text)

    async def noted(*given: Any, **named: Any) -> Job | None:
        job = await take(*given, **named)
        if job is not None:
            asyncio.get_running_loop().call_soon(again.set)
        return job

    monkeypatch.setattr(served.store.reviews, "keep", late)
    monkeypatch.setattr(served.store.jobs, "take", noted)
    async with reviewing(suspended):
        await served.until_done(code)
        await until_answer(served.jobs, lambda count: count == 0)
    assert held == [1, 1]


async def test_reviews_that_were_made_are_no_failure_of_their_job(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = await raced(served, "Ada")
    for number in range(MOST_TRIES - 1):
        assert await served.store.jobs.take(JOB, f"dead {number}", idle_ms=0) is not None

    async def unfinished(*_: object) -> None:
        raise StoreAway

    monkeypatch.setattr(served.store.reviews, "finish", unfinished)
    async with reviewing(served.reviewer()):
        await until_answer(lambda: served.review(code), lambda review: bool(review.games))
        queue, _ = served.store.keys.jobs(JOB)
        pending = ("XPENDING", queue, "takers", "-", "+", 1)
        await until_answer(
            lambda: served.store.client.call(queue, *pending), lambda held: held[0][3] == 0
        )


async def test_a_log_that_cannot_be_replayed_is_left(served: Served) -> None:
    code = await raced(served, "Ada")
    log = served.store.keys.log(code, 1, 0)
    await served.store.client.call(log, "LPUSH", log, b"\x03\x80\x00\x00\x00\x00")
    with structlog.testing.capture_logs() as logged:
        async with reviewing(served.reviewer()):
            await until_answer(served.jobs, lambda count: count == 0)
    assert "a round cannot be reviewed" in [entry["event"] for entry in logged]
    assert (await served.review(code)).games == ()


async def test_a_search_without_memory_ends_alone_and_finds_nothing(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = await raced(served, "Ada", "Bob")

    def fails(*_given: object, **_named: object) -> object:
        raise MemoryError

    monkeypatch.setattr(module, "solve_from", fails)
    with structlog.testing.capture_logs() as logged:
        async with reviewing(served.reviewer()):
            review = await served.until_done(code)
    assert [game.known_ms for game in review.games] == [None, None]
    assert {entry["event"] for entry in logged} >= {"a search has used up the memory"}


async def test_a_line_that_is_too_long_is_not_kept(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = await raced(served, "Ada")
    monkeypatch.setattr(module, "LONGEST_LINE", 3)
    async with reviewing(served.reviewer()):
        review = await served.until_done(code)
    assert review.games[0].known_ms is None


async def test_a_store_that_is_away_is_waited_for(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = await raced(served, "Ada")
    away = dict.fromkeys(("take", "keep", "finish"), 3)

    def sometimes(name: str) -> None:
        change = getattr(served.store.jobs, name)

        async def tried(*given: object, **named: object) -> object:
            if away[name]:
                away[name] -= 1
                raise StoreAway
            return await change(*given, **named)

        monkeypatch.setattr(served.store.jobs, name, tried)

    for name in away:
        sometimes(name)
    read = served.store.rooms.read
    reads = [StoreAway(), StoreAway()]

    async def read_later(code: str) -> object:
        if reads:
            raise reads.pop()
        return await read(code)

    monkeypatch.setattr(served.store.rooms, "read", read_later)
    async with reviewing(served.reviewer()):
        await served.until_done(code)


async def test_a_process_that_has_lost_its_job_leaves_it(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    await raced(served, "Ada")
    reviewer = served.reviewer()

    async def lost(_job: Job) -> bool:
        return False

    monkeypatch.setattr(served.store.jobs, "keep", lost)
    hang = asyncio.Event()

    async def read_never(_code: str) -> object:
        await hang.wait()
        raise StoreAway

    monkeypatch.setattr(served.store.rooms, "read", read_never)
    async with reviewing(reviewer):
        await until_answer(lambda: asyncio.sleep(0, reviewer.is_busy), bool)
        await until_answer(lambda: asyncio.sleep(0, reviewer.is_busy), lambda busy: not busy)
