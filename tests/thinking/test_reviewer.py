"""The reviews of finished rounds, from the end of a race to what its players are shown."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
import structlog

from protocol.http import Replay, RoundReview
from server.games.actions import Action
from server.rooms.reviews import JOB, ReviewJob
from server.solver.reviews import Budgets
from server.solver.verdicts import ShouldStop, Verdict
from server.store import LogRecord, StoreAway
from server.thinking import reviewer as module
from server.thinking.precedence import Precedence
from server.thinking.reviewer import MOST_TRIES, REVIEWING, Reviewer, Reviewing
from tests.players import is_move
from tests.thinking.processes import NotedPrecedence, at_work
from tests.waiting import until
from tests.world.store import Connection
from tests.world.world import Choices, World, opened

EASY = {"game": "spider-1", "deal": "numbered", "number": 7, "undo": "any"}
QUICK = replace(REVIEWING, budgets=Budgets(passes=(40_000,), acts=40_000))
ACTS = 12
SILENT_S = REVIEWING.silent_s
LOST, UNKNOWN = Verdict("unwinnable", (), 0), Verdict("unknown", (), 7)
Let = Callable[[Callable[..., Verdict]], None]


@dataclass
class Served:
    """A world, its rooms, and the thinking processes beside it."""

    world: World
    connections: list[Connection] = field(default_factory=list)

    def reviewer(self, how: Reviewing = QUICK, precedence: Precedence | None = None) -> Reviewer:
        """Return another thinking process; `connections` has its connection."""
        connection = self.world.store.connect()
        self.connections.append(connection)
        parts = connection.jobs, connection.rooms, connection.logs, connection.reviews
        return Reviewer(*parts, how, precedence)

    async def raced(self, *names: str, acts: int = ACTS) -> str:
        """Play some acts of a round, and give up; return the room's code."""
        world = self.world
        for name in names:
            world.sit(name)
        await world.say(names[0], "create", name=names[0], settings=EASY)
        code = world.people[names[0]].room
        for name in names[1:]:
            await world.say(name, "join", room=code, name=name)
            await world.say(name, "ready")
        await world.say(names[0], "start")
        await world.wait(6)
        for name in names:
            for _ in range(acts):
                legal = world.people[name].table["legal"]
                await world.act(name, next(text for text in legal if is_move(text)))
            await world.say(name, "forfeit")
        return code

    async def review(self, code: str) -> RoundReview:
        answer = await self.world.get(f"/api/rooms/{code}/rounds/1/review")
        assert answer.status_code == 200
        return RoundReview.model_validate_json(answer.body)

    async def done(self, code: str, *reviewers: Reviewer, seconds: float = 5) -> RoundReview:
        """Return the review after these processes have thought for some seconds."""
        await self.world.store.deal_pools.show_filler()
        async with at_work(*reviewers):
            await asyncio.sleep(seconds)
        review = await self.review(code)
        assert (review.state, await self.world.store.jobs.count(JOB)) == ("done", 0)
        return review

    def kept(self) -> list[tuple[str, int, str]]:
        """Return the room, seat and text of each review that was made, in order."""
        made = [each for one in self.connections for each in one.faults.given]
        return [(code, seat, text) for call, given in made if call == "reviews.keep"
                for code, _, _, seat, text in [given]]  # fmt: skip


@asynccontextmanager
async def serving(thinkers: int = 0) -> AsyncIterator[Served]:
    async with opened(chosen=Choices(thinkers=thinkers)) as world:
        yield Served(world)


@pytest.fixture
def let_find(monkeypatch: pytest.MonkeyPatch) -> Let:
    """Return a function that replaces the search for lines."""
    return lambda search: monkeypatch.setattr(module, "solve_from", search)


@pytest.fixture
def nothing_found(let_find: Let) -> None:
    """Let searches find at once that no position can be won, in tests of other things."""
    let_find(lambda *_, **__: LOST)


async def test_a_finished_race_is_reviewed_and_its_wins_can_be_played() -> None:
    async with serving() as served:
        code, world = await served.raced("Ada", "Bob"), served.world
        without = await served.review(code)
        assert (without.state, without.games, without.missing) == ("done", (), (0, 1))
        await world.store.deal_pools.show_filler()
        before = await served.review(code)
        assert (before.state, before.games) == ("waiting", ())
        path = f"/api/rooms/{code}/rounds/1/seats"
        assert (await world.get(f"{path}/0/win")).status_code == 404
        review = await served.done(code, served.reviewer())
        assert [game.name for game in review.games] == ["Ada", "Bob"]
        assert review.missing == ()
        for game in review.games:
            assert game.known_ms is not None
            win = Replay.model_validate_json((await world.get(f"{path}/{game.seat}/win")).body)
            assert (win.seat, win.name, win.steps[-1].suits) == (game.seat, game.name, 8)
            assert win.acts <= ACTS + game.acts
            times = [step.ms for step in win.steps]
            assert times == sorted(times)
        assert (await world.get(f"{path}/7/win")).status_code == 404


async def test_a_review_is_expected_of_processes_that_are_about_to_start() -> None:
    """A page asked no more, whose race was over before the process of its server was there."""
    async with serving(thinkers=1) as served:
        assert (await served.review(await served.raced("Ada", acts=2))).state == "waiting"


async def test_a_line_that_is_too_long_or_a_search_without_memory_is_none(let_find: Let) -> None:
    async with serving() as served:
        too_long = tuple([Action(0)] * (module.LONGEST_LINE + 1))
        let_find(lambda *_, **__: Verdict("won", too_long, 1))
        review = await served.done(await served.raced("Ada", acts=2), served.reviewer())
        assert [game.known_ms for game in review.games] == [None]

        def fails(*_: object, **__: object) -> Verdict:
            raise MemoryError

        let_find(fails)
        code = await served.raced("Bob", "Cy", acts=2)
        with structlog.testing.capture_logs() as logged:
            review = await served.done(code, served.reviewer())
        assert [game.known_ms for game in review.games] == [None, None]
        assert {entry["event"] for entry in logged} == {"a search has used up the memory"}


@pytest.mark.usefixtures("nothing_found")
async def test_rounds_that_are_on_or_gone_or_without_acts_are_not_reviewed() -> None:
    """Programs that ask until it is done would ask for ever."""
    async with serving() as served:
        store = served.world.store
        await store.deal_pools.show_filler()
        review = await served.review(await served.raced("Ada", acts=0))
        assert (review.state, review.games, review.missing) == ("done", (), ())
        assert await store.jobs.count(JOB) == 0
        served.world.sit("Bob")
        await served.world.say("Bob", "create", name="Bob", settings=EASY)
        await served.world.say("Bob", "start")
        await served.world.wait(6)
        code = served.world.people["Bob"].room
        for room in (code, "0000000"):
            job = ReviewJob(room=room, n=1)
            until = store.clock.now() + 9_000
            await store.jobs.add(JOB, job.key, job.model_dump_json(), deadline_ms=until)
        async with at_work(served.reviewer()):
            await asyncio.sleep(5)
        assert (await store.jobs.count(JOB), store.reviews) == (0, {})
        for way in ("review", "seats/0/win"):
            answer = await served.world.get(f"/api/rooms/{code}/rounds/1/{way}")
            assert answer.status_code == 404


@pytest.mark.usefixtures("nothing_found")
async def test_a_log_that_cannot_be_replayed_is_left() -> None:
    async with serving() as served:
        code = await served.raced("Ada", acts=2)
        served.world.store.logs[code, 1, 0].insert(0, LogRecord(0x8003, 0))
        with structlog.testing.capture_logs() as logged:
            async with at_work(served.reviewer()):
                await asyncio.sleep(5)
        assert [entry["event"] for entry in logged] == ["a round cannot be reviewed"]
        assert await served.world.store.jobs.count(JOB) == 0
        assert (await served.review(code)).games == ()


@pytest.mark.usefixtures("nothing_found")
async def test_rounds_take_turns_and_nothing_is_made_twice() -> None:
    async with serving() as served:
        large = await served.raced("Ada", "Bob", "Cy", acts=2)
        small = await served.raced("Dee", acts=2)
        await served.done(large, served.reviewer(), served.reviewer())
        order = [code for code, _, _ in served.kept()]
        assert order.index(small) < len(order) - 1
        assert sorted(order) == sorted([large] * 3 + [small])


@pytest.mark.usefixtures("nothing_found")
async def test_a_job_goes_on_with_another_process_once_its_own_one_is_silent() -> None:
    async with serving() as served:
        code = await served.raced("Ada", "Bob", acts=2)
        dead = served.reviewer()
        faults = served.connections[0].faults

        async def last(keep: Any, *given: Any) -> bool:
            kept: bool = await keep(*given)
            faults.away = True  # as if the process had been killed
            return kept

        faults.hooks["reviews.keep"] = last
        async with at_work(dead):
            await asyncio.sleep(1)
        began = await served.review(code)
        assert [game.seat for game in began.games] == [0]
        early = served.reviewer()
        async with at_work(early):
            await asyncio.sleep(SILENT_S - 2)
            assert not early.is_busy
        review = await served.done(code, served.reviewer())
        assert [seat for _, seat, _ in served.kept()] == [0, 1]
        assert review.games[0] == began.games[0]
        # The same text would have been made, so that a second one does no harm.
        twice = await served.raced("Cy", acts=2)
        last_one = served.reviewer()
        served.connections[-1].faults.failing["reviews.keep"] = StoreAway()
        async with at_work(last_one):
            await asyncio.sleep(3)
        texts = [text for room, _, text in served.kept() if room == twice]
        assert len(texts) > 1
        assert len(set(texts)) == 1


@pytest.mark.usefixtures("nothing_found")
async def test_a_round_beyond_its_budget_or_its_tries_names_the_games_that_are_missing() -> None:
    async with serving() as served:
        code = await served.raced("Ada", "Bob", acts=2)
        review = await served.done(code, served.reviewer(replace(QUICK, most=0)))
        assert (review.games, review.missing) == ((), (0, 1))
        code = await served.raced("Cy", acts=2)
        jobs = served.world.store.jobs
        for number in range(MOST_TRIES):
            assert await jobs.take(JOB, f"dead {number}", idle_ms=0) is not None
        with structlog.testing.capture_logs() as logged:
            review = await served.done(code, served.reviewer(), seconds=SILENT_S + 5)
        assert (review.games, review.missing) == ((), (0,))
        assert [entry["event"] for entry in logged] == ["a review is given up"]


async def test_a_budget_counts_all_that_was_judged_for_the_round(let_find: Let) -> None:
    let_find(lambda *_, **__: UNKNOWN)
    async with serving() as served:
        code = await served.raced("Ada", "Bob", acts=2)
        review = await served.done(code, served.reviewer(replace(QUICK, most=1)))
        assert ([game.seat for game in review.games], review.missing) == ([0], (1,))


@pytest.mark.usefixtures("nothing_found")
async def test_reviews_that_were_made_are_no_failure_of_their_job() -> None:
    async with serving() as served:
        await served.raced("Ada", acts=2)
        jobs = served.world.store.jobs
        for number in range(MOST_TRIES - 1):
            assert await jobs.take(JOB, f"dead {number}", idle_ms=0) is not None
        reviewer = served.reviewer()
        served.connections[0].faults.failing["reviews.finish"] = StoreAway()
        async with at_work(reviewer):
            await asyncio.sleep(SILENT_S + 5)
            (queued,) = jobs[JOB]
            assert queued.tries == 0


async def test_a_process_that_was_suspended_holds_no_round_twice(let_find: Let) -> None:
    """Regression: it took its own job again, as that of another process."""
    let_find(lambda *_, **__: UNKNOWN)
    async with serving() as served:
        code = await served.raced("Ada", "Bob", acts=2)
        suspended = served.reviewer(replace(QUICK, keep_s=600.0, silent_s=0.1, poll_s=0.2))
        served.connections[0].faults.slow("reviews.keep", 1.0)  # it gets its own job meanwhile
        review = await served.done(code, suspended)
        assert served.connections[0].faults.calls["jobs.finish"] == 1
        assert [seat for _, seat, _ in served.kept()] == [0, 1]
        assert len(review.games) == 2


@pytest.mark.usefixtures("nothing_found")
async def test_a_process_waits_for_the_store_and_leaves_a_job_that_it_has_lost() -> None:
    async with serving() as served:
        code = await served.raced("Ada", acts=2)
        reviewer = served.reviewer()
        faults = served.connections[0].faults
        calls = ("jobs.take", "rooms.read", "logs.read", "reviews.finish", "jobs.keep")
        faults.failing = {call: StoreAway() for call in calls}
        await served.world.store.deal_pools.show_filler()
        async with at_work(reviewer):
            for call in calls:
                await asyncio.sleep(2)
                assert (await served.review(code)).state != "done"
                del faults.failing[call]
                if call == "reviews.finish":
                    break
            await asyncio.sleep(REVIEWING.keep_s)
            await served.world.store.deal_pools.show_filler()
            assert (await served.review(code)).state == "done"
            await served.raced("Bob", acts=2)
            with faults.held("rooms.read"):
                await asyncio.sleep(2)
                assert reviewer.is_busy
                faults.failing.clear()
                faults.refuse("jobs.keep", 1, answer=False)  # another process has it
                await asyncio.sleep(REVIEWING.keep_s)
                assert not reviewer.is_busy


async def test_a_search_ends_with_its_process_and_lets_rooms_pass(let_find: Let) -> None:
    """Its game is left to another process; rooms pass each time that it asks for its end."""
    stops: list[ShouldStop] = []

    def search(*_: object, should_stop: ShouldStop, **__: object) -> Verdict:
        assert not should_stop()
        stops.append(should_stop)
        return LOST

    let_find(search)
    async with serving() as served:
        await served.raced("Ada", acts=2)
        precedence = NotedPrecedence()
        async with at_work(served.reviewer(precedence=precedence)):
            await until(lambda: stops)
        assert stops[0]()
        assert set(precedence.asked) == {"pass"}
        assert served.kept() == []
        (queued,) = served.world.store.jobs[JOB]
        assert (queued.job.taker, queued.tries) == ("nobody", 0)
