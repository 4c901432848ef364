"""Watched boards: how much is read and replayed for them, and how long they are kept."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pytest

from protocol.vocabulary import CloseCode, SeatState
from server.games.actions import DEAL, REDO, UNDO
from server.rooms.events import RoomTimings
from server.rooms.record import VersionedRoom
from server.sessions.limits import SESSION_LIMITS, SessionLimits
from server.store import LogRecord, StoreAway
from tests.present import present
from tests.waiting import until
from tests.world.world import Choices, Person, World, opened

ACTS, COMPARED = 300, 64
KEPT_S = SESSION_LIMITS.boards_kept_s


@dataclass
class Race:
    """A race with spectators; Ada and Bob have acted 300 times each."""

    world: World
    code: str

    @property
    def log(self) -> list[LogRecord]:
        """Ada's log."""
        return self.world.store.logs[self.code, 1, 0]

    @property
    def reads(self) -> list[int]:
        """The first entry that each read of a log has returned."""
        given = [given for call, given in self.world.faults.given if call == "logs.read"]
        return [(*each, 0)[3] for each in given]

    async def spectator(self, name: str) -> Person:
        person = self.world.sit(name)
        await person.say("join", room=self.code, name=name, role="spectator")
        return person

    def grow(self, ms: int = 1) -> None:
        """Let Ada act once more."""
        self.log.append(LogRecord(REDO if self.log[-1].action == UNDO else UNDO, ms))

    def feeds(self) -> int:
        return sum(task.get_name() == "board" for task in asyncio.all_tasks())

    async def while_nothing_happens(self) -> None:
        """Let each feed look at its board several times."""
        await asyncio.sleep(5)


def seen(person: Person, seat: int) -> list[int]:
    """Return the number of acts on each board of a seat that somebody has received."""
    tables = [message["table"] for message in person.of("table")]
    return [table["at"] for table in tables if table["seat"] == seat]


@asynccontextmanager
async def race(limits: SessionLimits = SESSION_LIMITS, delay_s: int = 0) -> AsyncIterator[Race]:
    chosen = Choices(limits=limits, rooms=RoomTimings(countdown_ms=10))
    async with opened(chosen=chosen) as world:
        settings = {"undo": "any", "spectate": "boards", "board_delay_s": delay_s}
        host, bob = world.sit("Ada"), world.sit("Bob")
        await host.say("create", name="Ada", settings={"game": "spider-4", **settings})
        await bob.say("join", room=host.room, name="Bob")
        for person in (bob, host):
            await person.say("ready")
        await asyncio.sleep(1)
        pair = [LogRecord(UNDO, 1), LogRecord(REDO, 1)]
        for seat in (0, 1):
            log = [LogRecord(DEAL, 1), *pair * ACTS][:ACTS]
            world.store.logs[host.room, 1, seat] = log
        yield Race(world, host.room)


async def test_a_board_that_is_switched_on_again_is_not_replayed(replayed: list[Any]) -> None:
    """Regression: a spectator who switched eight boards blocked all players for 1.65 s."""
    async with race() as here:
        don = await here.spectator("Don")
        for number in range(1, 4):
            await don.say("watch", boards=[0, 1])
            await until(lambda: seen(don, 0) == seen(don, 1) == [ACTS] * number)  # noqa: B023
            await don.say("watch", boards=[])
            await asyncio.sleep(KEPT_S / 2)
        assert len(replayed) == 2 * ACTS


async def test_a_player_whose_game_is_over_sees_boards_at_once_and_spectators_late() -> None:
    """If a failover has lost the end, the player's game goes on and no board is shown."""
    async with race(delay_s=600) as here:
        don, people = await here.spectator("Don"), here.world.people
        ada, bob = people["Ada"], people["Bob"]
        rooms = here.world.hub
        before = present(rooms.latest(here.code))
        await bob.say("watch", boards=[0])
        assert bob.refusal == "boards_are_hidden"
        await ada.say("forfeit")
        for person in (don, ada):
            await person.say("watch", boards=[1])
        await here.while_nothing_happens()
        assert (seen(don, 1), seen(ada, 1)) == ([0], [ACTS])
        later = present(rooms.latest(here.code))
        rooms.update(VersionedRoom(before.room, later.v + 1))
        here.world.store.logs[here.code, 1, 1].append(LogRecord(REDO, 1))
        await here.while_nothing_happens()
        assert seen(ada, 1) == [ACTS]
        assert before.room.seats[0].state is SeatState.RACING


@pytest.mark.parametrize(
    "leaves", [Person.disconnect, partial(Person.say, kind="watch", boards=[])]
)
async def test_a_board_without_watchers_is_not_read_and_goes_after_a_while(
    leaves: Callable[[Person], Awaitable[None]],
) -> None:
    async with race() as here:
        don = await here.spectator("Don")
        await don.say("watch", boards=[0])
        await until(lambda: seen(don, 0))
        await leaves(don)
        await here.while_nothing_happens()
        reads = len(here.reads)
        await here.while_nothing_happens()
        assert (len(here.reads), here.feeds()) == (reads, 1)
        await asyncio.sleep(KEPT_S - 11)
        assert here.feeds() == 1
        await asyncio.sleep(3)
        assert here.feeds() == 0


async def test_boards_without_watchers_have_a_limit(replayed: list[Any]) -> None:
    async with race(replace(SESSION_LIMITS, boards=1)) as here:
        don = await here.spectator("Don")
        for seat in (0, 1):
            await don.say("watch", boards=[seat])
            await until(lambda: seen(don, seat) == [ACTS])  # noqa: B023  # awaited at once
        await don.say("watch", boards=[])
        await until(lambda: here.feeds() == 1)
        await don.say("watch", boards=[1])
        await until(lambda: seen(don, 1) == [ACTS] * 2)
        assert len(replayed) == 2 * ACTS


async def test_only_new_entries_are_read_even_after_a_failover(replayed: list[Any]) -> None:
    async with race() as here:
        don = await here.spectator("Don")
        await don.say("watch", boards=[0])
        await until(lambda: seen(don, 0) == [ACTS])
        here.grow()
        await until(lambda: seen(don, 0) == [ACTS, ACTS + 1])
        assert len(replayed) == ACTS + 1
        assert set(here.reads) <= {0, ACTS - COMPARED, ACTS + 1 - COMPARED}
        del here.log[-10:]
        await until(lambda: seen(don, 0)[-1] == ACTS - 9)


async def test_boards_wait_for_the_store_and_for_slow_watchers() -> None:
    async with race() as here:
        don = await here.spectator("Don")
        here.world.faults.failing["logs.read"] = StoreAway()
        await don.say("watch", boards=[0])
        await here.while_nothing_happens()
        assert not seen(don, 0)
        don.socket.is_slow = True
        here.world.faults.failing.clear()
        reads = len(here.reads)
        await here.while_nothing_happens()
        assert (seen(don, 0), len(here.reads)) == ([], reads), "nobody can take it"
        don.socket.is_slow = False
        await until(lambda: seen(don, 0) == [ACTS])


async def test_a_board_that_was_unreadable_once_goes_on() -> None:
    """Regression: its watchers got no more messages."""
    async with race() as here:
        don = await here.spectator("Don")
        await don.say("watch", boards=[0])
        await until(lambda: seen(don, 0) == [ACTS])
        here.log.insert(0, LogRecord(REDO, 1))  # an illegal act
        await here.while_nothing_happens()
        del here.log[0]
        here.grow()
        await until(lambda: seen(don, 0) == [ACTS, ACTS + 1])
        assert don.close_code is None


async def test_a_board_that_fails_closes_only_its_watchers() -> None:
    async with race() as here:
        don, eva = [await here.spectator(name) for name in ("Don", "Eva")]
        await don.say("watch", boards=[0])
        here.world.faults.failing["logs.read"] = ZeroDivisionError()
        await here.while_nothing_happens()
        assert (don.close_code, eva.close_code) == (CloseCode.INTERNAL_ERROR, None)
        assert here.feeds() == 0


async def test_the_end_of_a_round_is_shown_and_its_log_read_no_more(replayed: list[Any]) -> None:
    async with race() as here:
        don, eva = [await here.spectator(name) for name in ("Don", "Eva")]
        await don.say("watch", boards=[0])
        await until(lambda: seen(don, 0))
        # A time in the future: it is shown only when the round is over.
        here.grow(10**8)
        await here.while_nothing_happens()
        assert seen(don, 0) == [ACTS]
        ada, bob = here.world.people["Ada"], here.world.people["Bob"]
        for person in (ada, bob):
            await person.say("forfeit")
        await until(lambda: seen(don, 0) == [ACTS, ACTS + 1])
        await here.while_nothing_happens()
        reads = len(here.reads)
        await here.while_nothing_happens()
        assert len(here.reads) == reads
        acts = len(replayed)
        await eva.say("watch", boards=[0])
        await until(lambda: seen(eva, 0) == [ACTS + 1])
        assert len(replayed) == acts
        assert here.feeds() > 0
        await ada.say("next_round")
        await until(lambda: here.feeds() == 0)
