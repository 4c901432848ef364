"""Computer players of a server in memory: how they play and move between processes."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, get_args

import pytest
import structlog
from spider_race_client import Table

from protocol.games import GameId
from protocol.vocabulary import BotLevel, CloseCode, Outcome, Presence, RoomState, SeatState
from server.bots.bot_player import BotPlayer, SeatClosed
from server.bots.seated_bots import RETRY_S
from server.games.actions import Action
from server.games.deals import new_game, numbered_deck
from server.live.hub import LIVE_TIMINGS
from server.live.timers import leave
from server.rooms.events import GRACE_MS, Refusal
from server.rooms.record import Room, Seat
from server.rooms.seats import BOT_GRACE_MS
from server.sessions.limits import Rate, SessionLimits
from server.solver.players import player_of
from server.store import StoreAway
from server.thinking import choices
from server.thinking.fair_play import Pace, visible_table
from server.thinking.pool import GivenUp, Pool
from server.views.tables import table_view
from tests.games.wins import winnable
from tests.solver.visible_games import dealt, rules_of, visible
from tests.waiting import until_answer
from tests.world.world import Choices, Person, World, opened

SOON_S = 1.0
DEATH_S = 2 * LIVE_TIMINGS.silent_ms / 1_000 + 2 * LIVE_TIMINGS.beat_s
"""How long it takes until the death of a process is reported."""
CHOICES = Choices(
    processes=("here", "there"),
    # Some limits use the real clock, which hardly moves in such a test.
    limits=SessionLimits(commands=Rate(10_000, 1_000), returns=Rate(10_000, 1_000)),
    draw_entropy=winnable,
    has_sweeps=True,
    plays_bots=True,
)
DEAL = {"game": "spiderette-2", "deal": "numbered", "number": 2}
"""A deal with many moves; one deal in hundreds has hardly any."""


@dataclass
class Race:
    """Ada's room with computer players, in a world of two processes."""

    world: World
    ada: Person

    @classmethod
    async def opened(cls, world: World, *levels: BotLevel, **settings: Any) -> "Race":
        ada = world.sit("Ada")
        await ada.say("create", name="Ada", settings=settings)
        for level in levels:
            await ada.say("add_bot", level=level, attempt=f"first-press-of-add-{level}")
        await asyncio.sleep(SOON_S)
        return cls(world, ada)

    @property
    def code(self) -> str:
        return self.ada.room

    async def room(self) -> Room:
        """Return the stored room, as any process that has a store reads it."""
        for process in self.world.processes.values():
            if not process.faults.away:
                try:
                    return (await process.repository.read(self.code)).room
                except Refusal:
                    break
        raise AssertionError("the room is gone")

    async def seat(self, number: int = 1) -> Seat:
        seat = (await self.room()).seat(number)
        assert seat is not None
        return seat

    async def until(self, condition: Callable[[Seat], bool], number: int = 1) -> Seat:
        """Return a seat once it meets a condition."""
        return await until_answer(lambda: self.seat(number), condition)

    async def start(self) -> None:
        await self.ada.say("ready")
        await until_answer(self.room, lambda room: room.state is RoomState.RUNNING)

    def log(self, seat: int = 1, n: int = 1) -> list[Any]:
        return self.world.store.logs.get((self.code, n, seat), [])

    async def wait_for_acts(self, at_least: int, seat: int = 1, n: int = 1) -> None:
        """Wait until a seat has made a number of acts."""
        for _ in range(600):
            if len(self.log(seat, n)) >= at_least:
                return
            await asyncio.sleep(SOON_S)
        raise AssertionError(f"there are only {len(self.log(seat, n))}")


@pytest.fixture
async def world() -> AsyncIterator[World]:
    async with opened(chosen=CHOICES) as world:
        yield world


def is_on(seat: Seat) -> bool:
    return seat.connection is Presence.ON


def is_finished(seat: Seat) -> bool:
    return seat.state is SeatState.FINISHED


async def test_a_computer_player_finishes_its_game_and_plays_the_next_one(world: World) -> None:
    race = await Race.opened(world, "beginner", **DEAL)
    assert is_on(await race.seat())
    for n in (1, 2):
        await race.ada.say("ready" if n == 1 else "rematch")
        await race.wait_for_acts(1, n=n)
        await race.ada.say("forfeit")
        while len(rounds := (await race.room()).rounds) < n:
            await asyncio.sleep(SOON_S)
        assert rounds[-1].results[1].moves > 5
    assert [seat.wins for seat in (await race.room()).seats] == [0, 0]


async def test_a_whole_game_takes_as_long_as_a_person_needs(world: World) -> None:
    deal = {"game": "spider-1", "deal": "numbered", "number": 2, "layout": "left4"}
    race = await Race.opened(world, "beginner", **deal, auto_remove=True, undo="off")
    await race.start()
    await race.until(is_finished)
    pace = Pace("beginner", "usual", f"{race.code} 1 1")
    game, now = new_game(rules_of("spider-1"), numbered_deck("spider-1", 2)), 0.0
    for entry in race.log():
        action = Action(entry.action)
        now += pace.next_s(visible(game), game.legal_actions(), action)
        assert entry.ms / 1_000 == pytest.approx(now, abs=0.01)
        game.apply(action)
    assert 180 < now < 900  # three to fifteen minutes


async def test_after_a_late_choice_a_player_only_follows_its_plan(world: World) -> None:
    world.first.pool.work_s = 60
    race = await Race.opened(world, "beginner", **DEAL)
    await race.start()
    await race.wait_for_acts(3)
    # The last argument of `choose` is whether the player must hurry.
    hurried = [given[-1] for name, _, given in world.first.pool.calls if name == "choose"]
    times = [entry.ms for entry in race.log()][:3]
    assert (hurried[:3], times) == ([False, True, True], [60_000, 120_000, 180_000])


async def test_a_computer_player_that_can_gain_no_more_stops_with_its_score(world: World) -> None:
    """Regression: it gave up, and so lost to a person who had made no act."""
    settings = {"game": "spider-4", "deal": "numbered", "number": 12, "layout": "spread"}
    race = await Race.opened(world, "club", **settings)
    await race.start()
    await race.until(is_finished)
    await race.ada.say("forfeit")
    (played,) = (await until_answer(race.room, lambda room: bool(room.rounds))).rounds
    assert played.results[1].score > 200
    assert played.states[1] is SeatState.FINISHED


async def test_a_computer_player_keeps_the_pace_that_the_host_has_chosen(world: World) -> None:
    race = await Race.opened(world, **DEAL)
    await race.ada.say("add_bot", level="beginner", pace="slower")
    await race.start()
    await race.wait_for_acts(1)
    (first, *_) = race.log()
    game = new_game(rules_of("spiderette-2"), numbered_deck("spiderette-2", 2))
    pace = Pace("beginner", "slower", f"{race.code} 1 1")
    due = pace.next_s(visible(game), game.legal_actions(), Action(first.action))
    assert first.ms / 1_000 == pytest.approx(due, abs=0.01)


async def test_the_process_of_the_host_takes_a_seat_that_another_has_lost(world: World) -> None:
    race = await Race.opened(world, "club", **DEAL)
    await race.start()
    await race.wait_for_acts(2)
    before = await race.seat()
    await world.come_back("Ada", at="there")
    await world.processes["here"].bots.hand_over()
    after = await race.until(lambda seat: seat.process == "there")
    assert after.generation > before.generation
    await race.wait_for_acts(len(race.log()) + 2)


@pytest.mark.parametrize("attended", [True, False])
@pytest.mark.parametrize("in_order", [True, False])
async def test_the_process_that_reports_a_death_takes_over_the_computer_players(
    world: World, *, attended: bool, in_order: bool
) -> None:
    """They finish their game even if nobody is in the room any more.

    A process that ends `in_order` has reported its seats as lost before.
    """
    if not in_order:
        await asyncio.sleep(DEATH_S)  # only a process that has run for a while reports deaths
    race = await Race.opened(world, "club", **DEAL)
    await race.start()
    await race.wait_for_acts(2)
    here, there = (world.processes[name] for name in ("here", "there"))
    if in_order:
        await here.bots.hand_over()
    await here.end()
    if in_order:
        await leave(there.connection.processes, here.hub)
    if attended:
        ada = world.sit("Ada", at="there")
        await ada.say("resume", room=race.code, seat=0, token=ada.token)
    count = len(race.log())
    await race.until(lambda seat: seat.process == "there" and is_on(seat))
    await race.wait_for_acts(count + 2)
    if not attended:
        await race.until(is_finished)


async def test_a_seat_that_no_process_takes_ends_its_game(world: World) -> None:
    race = await Race.opened(world, "club", **DEAL)
    await race.start()
    await race.wait_for_acts(2)
    for process in world.processes.values():
        await process.bots.hand_over()
    await asyncio.sleep((GRACE_MS + BOT_GRACE_MS) / 1_000 + 1)
    assert (await race.seat()).state is SeatState.TIMED_OUT or not (await race.seat()).plays


async def test_a_computer_player_waits_while_the_store_is_away(world: World) -> None:
    race = await Race.opened(world, "club", **DEAL)
    await race.start()
    await race.wait_for_acts(2)
    world.faults.away = True
    await asyncio.sleep(20)
    world.faults.away = False
    await race.wait_for_acts(len(race.log()) + 3)


async def test_a_seat_that_cannot_be_taken_now_is_taken_later(world: World) -> None:
    world.faults.failing["seats.take"] = StoreAway()
    race = await Race.opened(world, "club", **DEAL)
    assert not is_on(await race.seat())
    world.faults.failing.clear()
    await asyncio.sleep(4 * RETRY_S)
    assert is_on(await race.seat())


async def test_a_computer_player_reconnects_as_a_page_does(world: World) -> None:
    """As after a failover: the store has lost changes that its process had sent to it."""
    race = await Race.opened(world, "club", **DEAL)
    (session,) = world.first.bots._sessions.values()
    before = await race.seat()
    assert session is not None
    session.socket.close(CloseCode.RESYNC)
    await asyncio.sleep(4 * RETRY_S)
    after = await race.seat()
    assert is_on(after)
    assert after.generation > before.generation


async def test_a_computer_player_with_an_error_stops_and_the_log_says_why(world: World) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    world.first.pool.works["choose"] = fail
    race = await Race.opened(world, "beginner", **DEAL)
    with structlog.testing.capture_logs() as logged:
        await race.start()
        await race.until(is_finished)
    (entry,) = [each for each in logged if each["event"] == "a computer player errs"]
    assert (entry["room"], entry["seat"]) == (race.code, 1)


async def test_a_choice_that_kills_every_process_stops_only_its_player(world: World) -> None:
    def choose(game: int, level: BotLevel, *given: Any) -> Any:
        if level == "expert":
            raise GivenUp
        return choices.choose(game, level, *given)

    world.first.pool.works["choose"] = choose
    race = await Race.opened(world, "club", "expert", **DEAL)
    await race.start()
    await race.until(is_finished, 2)
    await race.wait_for_acts(3)


async def test_computer_players_leave_with_their_room_or_the_host(world: World) -> None:
    race = await Race.opened(world, "club", "beginner", **DEAL)
    assert len(world.first.bots._sessions) == 2
    await race.ada.say("kick", seat=1)
    await asyncio.sleep(SOON_S)
    assert len(world.first.bots._sessions) == 1
    await race.ada.say("leave")
    await asyncio.sleep(SOON_S)
    assert world.first.bots._sessions == {}


async def test_a_computer_player_does_not_stay_in_a_room_while_it_pauses(world: World) -> None:
    world.first.bots._tempo = 1_000
    race = await Race.opened(world, "club", **DEAL)
    await race.start()
    await asyncio.sleep(SOON_S)
    await race.ada.say("kick", seat=1)
    await asyncio.sleep(SOON_S)
    assert world.first.bots._sessions == {}


async def say_nothing(_message: object) -> None:
    pass


async def test_a_message_that_cannot_be_read_closes_only_one_socket() -> None:
    socket = BotPlayer("CODE", say_nothing, choices.Choices(Pool()), 1.0)
    with structlog.testing.capture_logs() as logged:
        socket.send('{"type":"acted"}')
    assert [entry["event"] for entry in logged] == ["a computer player cannot read a message"]
    with pytest.raises(SeatClosed):
        await socket.pause(1)
    with pytest.raises(SeatClosed):
        await socket.wait_until(lambda: True)


def test_a_choice_that_runs_out_of_memory_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    class Large:
        def choose(self, *_: object, **__: object) -> None:
            raise MemoryError

    game = new_game(rules_of("spider-1"), numbered_deck("spider-1", 2))
    table, legal = visible(game), game.legal_actions()
    monkeypatch.setitem(choices._players, (0, "club", "spider-1"), Large())
    assert choices.choose(0, "club", table, legal, False) in legal
    assert choices._players == {}


async def test_a_process_plays_a_limited_number_of_computer_players(world: World) -> None:
    world.first.bots._max_bots = 1
    race = await Race.opened(world, "club", "beginner", **DEAL)
    assert [is_on(await race.seat(number)) for number in (1, 2)] == [True, False]


# Stand-ins.


@asynccontextmanager
async def race_without_bob(world: World) -> AsyncIterator[tuple[Race, Person]]:
    """A race of Ada against Bob, who leaves after his first act, with a stand-in for him."""
    race = await Race.opened(world, game="spider-1", chasers=True)
    bob = world.sit("Bob")
    await bob.say("join", room=race.code, name="Bob")
    await bob.say("ready")
    await race.start()
    await asyncio.sleep(SOON_S)
    await world.act("Bob", bob.table["legal"][0])
    await bob.disconnect()
    await race.until(lambda seat: seat.connection is Presence.GONE)
    await race.ada.say("add_stand_in", seat=1, level="club")
    await asyncio.sleep(SOON_S)
    yield race, bob


async def test_a_stand_in_finishes_the_game_of_a_player_who_is_gone(world: World) -> None:
    async with race_without_bob(world) as (race, _):
        await race.ada.say("forfeit")
        (played,) = (await until_answer(race.room, lambda room: bool(room.rounds))).rounds
        assert (played.stand_ins, played.results[1].moves > 5) == ({1: "club"}, True)
        await race.until(lambda seat: seat.connection is Presence.GONE)
        assert (await race.seat()).stand_in is None
        assert world.first.bots._sessions == {}


async def test_a_player_who_returns_continues_the_game_of_the_stand_in(world: World) -> None:
    with structlog.testing.capture_logs() as logged:
        async with race_without_bob(world) as (race, _):
            await race.wait_for_acts(3)
            await world.come_back("Bob", at="there")
            bob = world.people["Bob"]
            await asyncio.sleep(SOON_S)
            seat = await race.seat()
            assert (seat.stand_in, seat.connection) == (None, Presence.ON)
            await world.act("Bob", bob.table["legal"][0])
            await asyncio.sleep(30)  # longer than a thought
            assert world.first.bots._sessions == {}
            assert is_on(await race.seat())
    assert not [each for each in logged if each["log_level"] == "error"]


@pytest.mark.parametrize("game", get_args(GameId))
def test_a_player_sees_the_table_and_counts_the_cards_that_nobody_has_seen(game: GameId) -> None:
    for number in range(3):
        played = dealt(rules_of(game), number)
        player = player_of("club", game)
        while played.outcome is None:
            truth = visible(played)
            seen = visible_table(Table.of(table_view(played, 0, 0, 0)), relaxed=False)
            assert seen.columns == truth.columns
            assert (seen.unseen, seen.stock) == (truth.unseen, truth.stock)
            action = player.choose(seen, played.legal_actions())
            if action is None:
                break
            played.apply(action)
        assert played.outcome in {None, Outcome.WON, Outcome.FINISHED_STUCK}
