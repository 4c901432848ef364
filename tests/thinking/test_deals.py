"""Winnable deals: found ahead, waited for, and each given to only one room."""

import asyncio
import itertools
from collections import Counter
from collections.abc import AsyncIterator
from functools import cache
from typing import Any

import pytest
import structlog

from protocol.settings import Settings
from protocol.vocabulary import DEGREES, Degree, Outcome, RoomState
from server.games.deals import new_game, replay, secret_deck
from server.live.work import LongWork
from server.rooms.deals import deal_kind_of
from server.rooms.record import Room
from server.rooms.settings import rules_of
from server.solver import deal_kinds
from server.solver.deal_kinds import DEAL_KINDS, Found, find_win, max_judged
from server.solver.solve import solve
from server.store import StoreAway
from server.thinking import deals as module
from server.thinking.deals import AHEAD, BUDGET, MAX_WAIT_S, WinnableDeals, Wish
from server.thinking.pool import GivenUp, Urgency
from tests.present import present
from tests.rooms.rooms import lobby
from tests.world.pool import InlinePool
from tests.world.world import Choices, World, opened, play

ROOM, OTHER = "7K3QZ0A", "8K3QZ0A"
SETTINGS = Settings(game="spider-1")
KIND = deal_kind_of(SETTINGS) or ""
ANOTHER = Settings(game="spider-1", layout="spread")
NEVER = 2 * BUDGET


@cache
def line_of(number: int, name: str = KIND) -> Any:
    """Return the winning line of the deal with a numbered seed."""
    rules = DEAL_KINDS[name]
    verdict = solve(new_game(rules, secret_deck(rules.game, seed_of(number))), budget=1_000_000)
    assert verdict.kind == "won"
    return verdict.line


def seed_of(number: int) -> bytes:
    return number.to_bytes(16, "big")


def room(code: str = ROOM, settings: Settings = SETTINGS, **of_room: Any) -> Room:
    known = lobby(**settings.model_dump())
    return known.model_copy(update={"code": code, **of_room})


class Searches:
    """The deals of a process; its searches find wins unless the test says otherwise."""

    def __init__(self, tasks: asyncio.TaskGroup, ahead: int = 0) -> None:
        self.pool = InlinePool()
        self.pool.works["find_win"] = self._find
        self.pool.work_s = 0.1
        self.wins_from = 0
        """A search with at least this budget finds a win."""
        self.is_open = True
        self.degrees: dict[int, Degree] = {1: "easy", 2: "middle", 4: "hard"}  # by seed
        self.searched: list[tuple[int, int]] = []  # each seed, and its budget
        numbers = itertools.cycle((1, 2, 4))
        work = LongWork(asyncio.get_running_loop().time)
        self.deals = WinnableDeals(
            self.pool, work, tasks, ahead, draw_seed=lambda: seed_of(next(numbers))
        )

    def _find(self, name: str, seed: bytes, budget: int, **_: Any) -> Found:
        number = int.from_bytes(seed, "big")
        self.searched.append((number, budget))
        is_won = budget >= self.wins_from
        if not is_won:
            return Found(seed, None, self.is_open)
        return Found(seed, line_of(number, name), degree=self.degrees.get(number))

    async def waited(self, code: str = ROOM) -> float:
        """Return the seconds that a room waits for a deal."""
        began = asyncio.get_running_loop().time()
        await self.deals.take(code, SETTINGS)
        return asyncio.get_running_loop().time() - began

    async def seed(self, code: str = ROOM, settings: Settings = SETTINGS) -> int | None:
        """Return the number of the seed that a room gets."""
        deal = await self.deals.take(code, settings)
        return None if deal is None else int.from_bytes(deal.seed, "big")

    async def found(self, *rooms: Room) -> None:
        """Let rooms expect deals, and wait until they are found."""
        for each in rooms:
            self.deals.expect(each)
            await asyncio.sleep(2 * self.pool.work_s)


@pytest.fixture
async def searches() -> AsyncIterator[Searches]:
    async with asyncio.TaskGroup() as tasks:
        yield Searches(tasks)


async def test_a_deal_is_found_ahead_and_taken_once(searches: Searches) -> None:
    await searches.found(room(), room(), room(OTHER))
    assert [urgency for _, urgency, _ in searches.pool.calls] == [Urgency.DEAL] * 2
    assert await searches.seed(OTHER) == 1
    assert await searches.waited() == 0
    assert await searches.seed() == 4


async def test_rooms_that_want_no_winnable_deal_get_none(searches: Searches) -> None:
    for settings in (Settings(deal="numbered", number=4), Settings(winnable=False)):
        await searches.found(room(settings=settings))
        assert await searches.seed(settings=settings) is None
    assert searches.searched == []


@pytest.mark.parametrize(
    ("state", "rounds", "is_expected"),
    [
        (RoomState.LOBBY, 1, True),
        (RoomState.RUNNING, 1, False),
        (RoomState.RUNNING, 2, True),
        (RoomState.FINISHED, 2, True),
        (RoomState.CLOSED, 1, False),
    ],
)
async def test_the_next_deal_of_a_match_is_found_while_a_round_is_played(
    searches: Searches, state: RoomState, rounds: int, *, is_expected: bool
) -> None:
    await searches.found(room(settings=Settings(game="spider-1", rounds=rounds), state=state))
    assert bool(searches.searched) is is_expected


async def test_a_search_is_charged_and_beyond_the_limit_a_room_waits_when_it_starts(
    searches: Searches, monkeypatch: pytest.MonkeyPatch
) -> None:
    searches.deals.expect(room(), lambda: False)
    await asyncio.sleep(1)
    assert searches.searched == []
    charged: list[str] = []

    def charge() -> bool:
        charged.append("a search")
        return True

    for _ in range(3):
        searches.deals.expect(room(), charge)
    assert len(charged) == 1
    monkeypatch.setattr(module, "MAX_ROOMS", 1)
    searches.deals.expect(room(OTHER), charge)
    assert len(charged) == 2
    assert list(searches.deals._expected) == [OTHER]
    assert await searches.seed() is not None


async def test_the_line_follows_the_rules_of_the_room(searches: Searches) -> None:
    by_hand = Settings(game="spider-1", auto_remove=False)
    deal = present(await searches.deals.take(ROOM, by_hand))
    assert len(deal.line) > len(line_of(1))
    deck = secret_deck("spider-1", deal.seed)
    assert replay(rules_of(by_hand), deck, deal.line).outcome is Outcome.WON


async def test_a_line_that_does_not_win_is_logged_and_not_played(searches: Searches) -> None:
    searches.pool.works["find_win"] = lambda _name, seed, *_, **__: Found(seed, line_of(1)[:5])
    with structlog.testing.capture_logs() as logged:
        assert await searches.seed() is None
    assert [entry["event"] for entry in logged] == ["a deal is not won by its line"]


async def test_a_room_waits_some_seconds_for_a_deal(searches: Searches) -> None:
    searches.wins_from = NEVER
    close = 2 * searches.pool.work_s
    assert await searches.waited() == pytest.approx(MAX_WAIT_S, abs=close)
    searches.wins_from = 0
    assert await searches.waited() <= close


async def test_while_a_room_waits_many_seeds_are_searched_and_hard_ones_come_later(
    searches: Searches,
) -> None:
    """Otherwise only easy deals would be played."""
    searches.wins_from = BUDGET
    searches.pool.work_s = 1.0
    await searches.waited()
    budgets = [budget for _, budget in searches.searched]
    assert budgets == [max_judged(KIND, "middle")] * len(budgets)
    assert len(budgets) > 3
    assert {urgency for _, urgency, _ in searches.pool.calls} == {Urgency.AWAITED_DEAL}
    assert len(searches.deals._hard_seeds[KIND]) == len(budgets) + 1, "the last seed too"
    searches.pool.work_s = 0.1
    hard = searches.deals._hard_seeds[KIND][0]
    searches.deals.expect(room())
    await asyncio.sleep(2)
    later = searches.searched[len(budgets) :]
    assert later == [(int.from_bytes(hard, "big"), BUDGET)]
    assert await searches.waited() == 0


async def test_a_room_that_waits_takes_a_deal_found_for_another(searches: Searches) -> None:
    searches.wins_from = BUDGET
    searches.pool.work_s = 2.0
    searches.deals.expect(room(OTHER))
    await asyncio.sleep(0)
    searches.pool.work_s = 0.1
    assert await searches.waited() == pytest.approx(2.0, abs=0.3)


async def test_the_next_rooms_need_not_wait() -> None:
    """Practice starts with its room, and used to wait for the search of its deal."""
    async with asyncio.TaskGroup() as tasks:
        searches = Searches(tasks, AHEAD)
        await searches.found(room())
        await asyncio.sleep(2)
        ready = Counter(each.degree for each in searches.deals._ready[KIND])
        assert set(ready.values()) == {AHEAD}
        for degree in ready:
            wishes = SETTINGS.model_copy(update={"degree": degree})
            deal = await searches.deals.take(OTHER, wishes)
            assert (deal and deal.degree) == degree
        assert await searches.waited() == 0


async def test_an_error_in_a_search_for_the_next_deals_ends_no_process() -> None:
    async with asyncio.TaskGroup() as tasks:
        searches = Searches(tasks, AHEAD)
        searches.deals.expect(room())
        await asyncio.sleep(0.05)
        with structlog.testing.capture_logs() as logged:
            await asyncio.sleep(0.06)  # the room has its deal
            searches.pool.failing["find_win"] = OSError()
            await asyncio.sleep(1)
        assert [entry["event"] for entry in logged] == ["a deal cannot be searched"]
        searches.pool.failing.clear()
        assert await searches.seed() is not None


async def test_no_deal_is_found_for_earlier_settings(searches: Searches) -> None:
    searches.deals.expect(room())
    searches.deals.expect(room(settings=ANOTHER))
    await asyncio.sleep(1)
    assert len(searches.searched) == 1
    assert await searches.seed(settings=ANOTHER) is not None


async def test_a_pool_that_fails_leaves_rooms_without_a_deal(searches: Searches) -> None:
    for error, events in ((GivenUp(), []), (OSError(), ["a deal cannot be searched"])):
        searches.pool.failing["find_win"] = error
        with structlog.testing.capture_logs() as logged:
            assert await searches.waited() <= 1
        assert [entry["event"] for entry in logged] == events
    searches.pool.failing.clear()
    searches.is_open = False
    unsearched = Found(seed_of(1), None, is_unsearched=True)
    searches.pool.works["find_win"] = lambda *_, **__: unsearched
    assert await searches.waited() <= 1


async def test_ready_deals_are_bounded(
    searches: Searches, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_READY", 2)
    await searches.found(*(room(code) for code in "ABC"))
    assert len(searches.deals._ready[KIND]) == 2


@pytest.mark.parametrize("failure", ["", "rooms.change"])
async def test_a_deal_that_a_round_may_have_begun_with_is_never_played_again(failure: str) -> None:
    async with opened(chosen=Choices(thinkers=1)) as world:
        world.sit("Ada")
        await world.say("Ada", "create", name="Ada", settings={"game": "spider-1"})
        code, seeds = world.people["Ada"].room, []
        for _ in range(2):
            await asyncio.sleep(1)
            if failure:
                world.faults.failing[failure] = StoreAway()
                await world.say("Ada", "start")
                assert world.people["Ada"].refusal == "try_again"
                world.faults.failing.clear()
            await world.say("Ada", "start")
            played = present((await world.services.repository.read(code)).room.round)
            assert played.deal.line
            seeds.append(played.deal.seed)
            await world.say("Ada", "abort")
        assert len({*seeds}) == 2
        assert world.first.pool.count("find_win") >= (4 if failure else 2)


HARD = Settings(game="spider-1", degree="hard")


async def test_a_room_gets_a_deal_of_its_degree_and_others_are_kept(searches: Searches) -> None:
    searches.degrees = {1: "easy", 2: "middle", 4: "hard"}
    by_hand = HARD.model_copy(update={"auto_remove": False})
    deal = present(await searches.deals.take(ROOM, by_hand))
    assert (deal.seed, deal.degree) == (seed_of(4), "hard")
    assert [await searches.seed(OTHER), await searches.seed(OTHER)] == [1, 2]


async def test_deals_of_a_degree_are_found_ahead_for_the_rooms_that_want_them() -> None:
    async with asyncio.TaskGroup() as tasks:
        searches = Searches(tasks, ahead=1)
        searches.degrees = {1: "easy", 2: "middle", 4: "hard"}
        searches.deals.expect(room(settings=HARD))
        await asyncio.sleep(2)
        degrees = [each.degree for each in searches.deals._ready[KIND]]
        assert degrees.count("hard") == 2, "one of them for the room after it"
        assert await searches.waited() == 0, "a room that wants any deal has one"
        assert [await searches.seed(settings=HARD) for _ in range(2)] == [4, 4]


async def test_a_room_that_waits_in_vain_for_its_degree_takes_another(searches: Searches) -> None:
    searches.degrees = {1: "easy", 2: "middle", 4: "middle"}
    searches.pool.work_s = 1.0
    began = asyncio.get_running_loop().time()
    deal = await searches.deals.take(ROOM, HARD)
    waited_s = asyncio.get_running_loop().time() - began
    assert waited_s == pytest.approx(MAX_WAIT_S, abs=0.1)
    assert deal is not None
    assert deal.degree == "easy"
    assert {budget for _, budget in searches.searched} == {BUDGET}


@pytest.mark.parametrize("kind", DEAL_KINDS)
async def test_a_waiting_room_has_each_seed_searched_as_far_as_its_degree_needs(kind: str) -> None:
    """Regression: seeds were not searched far enough for harder deals of four suits."""
    async with asyncio.TaskGroup() as tasks:
        deals = Searches(tasks).deals
        for degree in DEGREES:
            limit = max_judged(kind, degree) or BUDGET
            assert deals._budget(Wish(kind, degree), is_awaited=True) == limit
        assert deals._budget(Wish(kind, None), is_awaited=True) == max_judged(kind, "middle")


async def test_a_search_for_an_easier_degree_ends_at_a_harder_deal(searches: Searches) -> None:
    searches.degrees = {1: "hard", 2: "hard", 4: "easy"}
    easy = HARD.model_copy(update={"degree": "easy"})
    assert await searches.seed(settings=easy) == 4
    limit = max_judged(KIND, "easy")
    assert [budget for _, budget in searches.searched] == [limit] * 3


async def test_practice_which_has_no_countdown_plays_a_winnable_deal_too() -> None:
    """Regression: its rooms did not wait for a winnable deal and never had one."""
    async with opened(chosen=Choices(thinkers=1)) as world:
        world.sit("Ada")
        alone = {"game": "spider-1", "max_players": 1}
        await world.say("Ada", "create", name="Ada", settings=alone)
        await world.say("Ada", "start")
        played = (await world.services.repository.read(world.people["Ada"].room)).room.round
        assert played is not None
        assert played.deal.line
        assert played.deal.degree


async def test_a_round_that_only_the_latest_version_starts_waits_too() -> None:
    """Regression: when commands came together, the round started with any deal."""
    async with opened(chosen=Choices(thinkers=1)) as world:
        for name in ("Ada", "Bob"):
            world.sit(name)
        world.first.pool.work_s = 3.0
        await world.say("Ada", "create", name="Ada", settings={"game": "spider-1"})
        code = world.people["Ada"].room
        await world.say("Bob", "join", room=code, name="Bob")
        await asyncio.gather(
            *(world.say(name, "ready", ready=True) for name in ("Ada", "Bob")),
            world.say("Ada", "start"),
        )
        await asyncio.sleep(5.0)
        played = present((await world.services.repository.read(code)).room.round)
        assert played.deal.line


def test_a_search_finds_a_win_or_says_that_a_longer_one_may() -> None:
    def found(name: str, budget: int) -> Found:
        return find_win(name, seed_of(1), budget, should_stop=lambda: False)

    assert found(KIND, 200_000) == Found(seed_of(1), line_of(1), degree="easy")
    assert found("spider-4:left4:strict", 10) == Found(seed_of(1), None, is_open=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(deal_kinds, "solve", lambda *_, **__: (_ for _ in ()).throw(MemoryError))
        assert found(KIND, 10) == Found(seed_of(1), None)


def test_seeds_of_two_processes_differ() -> None:
    made = [WinnableDeals(None, None, None) for _ in range(2)]  # type: ignore[arg-type]
    seeds = {each._draw_seed() for each in made for _ in range(50)}
    assert len(seeds) == 100


@pytest.mark.parametrize("settings", [{"window_s": 3_600}, {"max_players": 1}])
def test_rounds_that_begin_at_once_have_a_deal_that_can_be_won(settings: dict[str, int]) -> None:
    async def run(world: World) -> None:
        world.sit("Ada")
        await world.say("Ada", "create", name="Ada", settings={"game": "spider-1", **settings})
        await world.say("Ada", "start")
        await world.wait(1)
        assert world.people["Ada"].of("room")[-1]["room"]["round"]["winnable"] is True

    play(run, chosen=Choices(thinkers=1))
