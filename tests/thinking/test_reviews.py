"""The reviews of finished rounds, from the end of a race to the results page."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest
import structlog

from protocol.http import Replay, RoundReview
from server.games.actions import Action
from server.solver.reviews import Budgets
from server.solver.solve import Verdict
from server.store import LogRecord, StoreAway
from server.thinking import reviews as module
from server.thinking.guarded_jobs import GUARDED_S
from server.thinking.pool import GivenUp, Urgency
from tests.players import is_move
from tests.world.world import Choices, World, opened

EASY = {"game": "spider-1", "deal": "numbered", "number": 7, "undo": "any"}
QUICK = Budgets(passes=(40_000,), acts=40_000)
ACTS = 12
GAME_S = 10.0
LOST, UNKNOWN = Verdict("unwinnable", (), 0), Verdict("unknown", (), 7)
Let = Callable[[Callable[..., Verdict]], None]


@dataclass
class Served:
    """Open a world of two processes whose reviews take some seconds per game."""

    world: World

    async def raced(self, *names: str, acts: int = ACTS) -> str:
        """Play some acts of a round and give up; return the room's code."""
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

    async def review(self, code: str, at: str = "here") -> RoundReview:
        file = await self.world.processes[at].routes._rounds.review(code, 1)
        assert file is not None
        await asyncio.sleep(0.01)
        return RoundReview.model_validate_json(file.body)

    async def done(self, code: str, seconds: float = 100) -> RoundReview:
        """Request a review, and return it some seconds later."""
        await self.review(code)
        await asyncio.sleep(seconds)
        review = await self.review(code)
        assert (review.state, self.world.store.guards) == ("done", {})
        return review

    @property
    def games(self) -> int:
        """The games whose review was started, at all processes."""
        return sum(each.pool.count("review_game") for each in self.world.processes.values())

    def kept(self) -> list[int]:
        """Return the seat of each review that was made, in order."""
        made = [each for one in self.world.store.connections for each in one.faults.given]
        return [given[3] for call, given in made if call == "reviews.keep"]


@asynccontextmanager
async def serving(thinkers: int = 1) -> AsyncIterator[Served]:
    chosen = Choices(processes=("here", "there"), thinkers=thinkers)
    async with opened(chosen=chosen) as world:
        for each in world.processes.values():
            each.pool.work_s = GAME_S
        yield Served(world)


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BUDGETS", QUICK)


@pytest.fixture
def let_find(monkeypatch: pytest.MonkeyPatch) -> Let:
    """Return a function that replaces the search for lines."""
    return lambda search: monkeypatch.setattr(module, "solve", search)


@pytest.fixture
def nothing_found(let_find: Let) -> None:
    """Let all searches return at once that a position cannot be won."""
    let_find(lambda *_, **__: LOST)


async def test_a_finished_race_is_reviewed_when_somebody_asks_and_its_wins_can_be_played() -> None:
    async with serving() as served:
        code, world = await served.raced("Ada", "Bob"), served.world
        await asyncio.sleep(100)
        assert served.games == 0
        before = await served.review(code)
        assert (before.state, before.games) == ("waiting", ())
        path = f"/api/rooms/{code}/rounds/1/seats"
        assert (await world.get(f"{path}/0/win")).status_code == 404
        await asyncio.sleep(1.5 * GAME_S)
        between = await served.review(code)
        assert (between.state, [game.name for game in between.games]) == ("running", ["Ada"])
        review = await served.done(code)
        assert [game.name for game in review.games] == ["Ada", "Bob"]
        assert (review.missing, served.games) == ((), 2)
        assert {urgency for _, urgency, _ in world.first.pool.calls} == {Urgency.REVIEW}
        for game in review.games:
            assert game.known_ms is not None
            win = Replay.model_validate_json((await world.get(f"{path}/{game.seat}/win")).body)
            assert (win.seat, win.name, win.steps[-1].suits) == (game.seat, game.name, 8)
            assert win.acts <= ACTS + game.acts
            times = [step.ms for step in win.steps]
            assert times == sorted(times)
        assert (await world.get(f"{path}/7/win")).status_code == 404


async def test_a_server_that_computes_nothing_says_that_there_is_no_review() -> None:
    async with serving(thinkers=0) as served:
        review = await served.review(await served.raced("Ada", acts=2))
        assert (review.state, review.games, review.missing) == ("done", (), (0,))


async def test_a_line_too_long_or_a_search_out_of_memory_counts_as_unknown(let_find: Let) -> None:
    async with serving() as served:
        too_long = tuple([Action(0)] * (module.MAX_LINE + 1))
        let_find(lambda *_, **__: Verdict("won", too_long, 1))
        review = await served.done(await served.raced("Ada", acts=2))
        assert [game.known_ms for game in review.games] == [None]

        def fails(*_: object, **__: object) -> Verdict:
            raise MemoryError

        let_find(fails)
        review = await served.done(await served.raced("Bob", "Cy", acts=2))
        assert [game.known_ms for game in review.games] == [None, None]


@pytest.mark.usefixtures("nothing_found")
async def test_rounds_that_are_running_gone_or_without_acts_are_not_reviewed() -> None:
    """A program that polls until the review is done would never end."""
    async with serving() as served:
        review = await served.review(await served.raced("Ada", acts=0))
        assert (review.state, review.games, review.missing) == ("done", (), ())
        served.world.sit("Bob")
        await served.world.say("Bob", "create", name="Bob", settings=EASY)
        await served.world.say("Bob", "start")
        await served.world.wait(6)
        for way in ("review", "seats/0/win"):
            for code in (served.world.people["Bob"].room, "0000000"):
                answer = await served.world.get(f"/api/rooms/{code}/rounds/1/{way}")
                assert answer.status_code == 404
        await asyncio.sleep(100)
        assert (served.games, served.world.store.reviews) == (0, {})


@pytest.mark.usefixtures("nothing_found")
async def test_a_log_that_cannot_be_replayed_is_skipped() -> None:
    async with serving() as served:
        code = await served.raced("Ada", acts=2)
        served.world.store.logs[code, 1, 0].insert(0, LogRecord(0x8003, 0))
        with structlog.testing.capture_logs() as logged:
            await served.review(code)
            await asyncio.sleep(100)
        assert [entry["event"] for entry in logged] == ["a room's work has failed"]
        assert (await served.review(code)).games == ()


@pytest.mark.usefixtures("nothing_found")
async def test_no_game_is_reviewed_twice_and_a_review_goes_on_after_its_process_died() -> None:
    async with serving() as served:
        code = await served.raced("Ada", "Bob", acts=2)
        for at in ("here", "there"):
            await served.review(code, at)
        await asyncio.sleep(1.5 * GAME_S)
        assert served.kept() == [0]
        began = await served.review(code)
        await served.world.processes["here"].end()
        await asyncio.sleep(GUARDED_S / 2)
        assert (await served.review(code, "there")).state == "running"
        await asyncio.sleep(GUARDED_S)
        await served.review(code, "there")
        await asyncio.sleep(2 * GAME_S)
        review = await served.review(code, "there")
        assert (review.state, served.kept()) == ("done", [0, 1])
        assert review.games[0] == began.games[0]


@pytest.mark.usefixtures("nothing_found")
async def test_a_round_beyond_its_budget_names_the_games_that_are_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "MAX_JUDGED", 0)
    async with serving() as served:
        review = await served.done(await served.raced("Ada", "Bob", acts=2))
        assert (review.games, review.missing) == ((), (0, 1))


@pytest.mark.usefixtures("nothing_found")
async def test_a_game_that_kills_every_process_is_given_up() -> None:
    async with serving() as served:
        served.world.first.pool.failing["review_game"] = GivenUp()
        code = await served.raced("Cy", acts=2)
        with structlog.testing.capture_logs() as logged:
            review = await served.done(code)
        assert (review.games, review.missing) == ((), (0,))
        assert [entry["event"] for entry in logged] == ["a review is given up"]


async def test_a_budget_counts_all_positions_judged_for_the_round(
    let_find: Let, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_find(lambda *_, **__: UNKNOWN)
    monkeypatch.setattr(module, "MAX_JUDGED", 1)
    async with serving() as served:
        review = await served.done(await served.raced("Ada", "Bob", acts=2))
        assert ([game.seat for game in review.games], review.missing) == ([0], (1,))


@pytest.mark.usefixtures("nothing_found")
@pytest.mark.parametrize("call", ["guards.claim", "logs.read", "reviews.keep", "reviews.finish"])
async def test_a_review_goes_on_when_the_store_is_back(call: str) -> None:
    async with serving() as served:
        code = await served.raced("Ada", acts=2)
        served.world.faults.failing[call] = StoreAway()
        if call == "guards.claim":
            answer = await served.world.get(f"/api/rooms/{code}/rounds/1/review")
            assert answer.status_code == 503
        else:
            await served.review(code)
        await asyncio.sleep(100)
        served.world.faults.failing.clear()
        assert (await served.review(code)).state != "done"
        assert len((await served.done(code)).games) == 1
