"""Feeds of watched boards: what is read and played again for them, and for how long they stay."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from protocol.vocabulary import RoomState, SeatState
from server.games.actions import DEAL, REDO, UNDO
from server.games.game import Game
from server.live.shared_text import SharedText
from server.rooms.record import PlayerStats, Room, Round, VersionedRoom
from server.sessions.boards import Boards
from server.sessions.limits import SESSION_LIMITS, SessionLimits
from server.store import LogRecord, StoreAway
from tests.rooms.rooms import T0, running
from tests.waiting import until


class Logs:
    """The log of each seat, the same for all; it can be away."""

    def __init__(self, acts: int) -> None:
        pair = [LogRecord(UNDO, 20), LogRecord(REDO, 30)]
        self.log = [LogRecord(DEAL, 10), *pair * acts][:acts]
        self.reads: list[int] = []
        self.away = False

    async def read(self, code: str, n: int, seat: int, start: int = 0) -> list[LogRecord]:
        assert (code, n, seat in {0, 1}) == (HUB_CODE, 1, True)
        if self.away:
            raise StoreAway
        self.reads.append(start)
        return self.log[start:]


class Hub:
    """A hub with one room, whose clock is an hour later."""

    def __init__(self) -> None:
        self.room: Room | None = running(undo="any", spectate="boards", board_delay_s=0)
        self.clock = self.rooms = self
        self.tasks: list[asyncio.Task[None]] = []

    def now(self) -> int:
        return T0 + 3_600_000

    def latest(self, _code: str) -> VersionedRoom | None:
        return None if self.room is None else VersionedRoom(self.room, 1)

    def spawn(self, work: Any, _name: str) -> None:
        self.tasks.append(asyncio.create_task(work))

    def play(self, played: Round) -> None:
        assert self.room is not None
        self.room = self.room.model_copy(update={"round": played})

    def delay(self, seconds: int) -> Round:
        """Show boards so much later; return the round."""
        assert self.room is not None
        assert self.room.round is not None
        late = self.room.settings.model_copy(update={"board_delay_s": seconds})
        self.play(self.room.round.model_copy(update={"settings": late}))
        return self.room.round

    def finish(self) -> None:
        assert self.room is not None
        self.room = self.room.model_copy(update={"state": RoomState.FINISHED})


HUB_CODE = running().code


class Watcher:
    """A spectator that records the progress of each board."""

    seat_number = 2

    def __init__(self) -> None:
        self.seen: list[tuple[int, int]] = []
        self.slow = False

    def send_standings(self, message: SharedText) -> bool:
        if self.slow:
            return False
        table = json.loads(message.text)["table"]
        self.seen.append((table["seat"], table["at"]))
        return True


class Scene:
    """Boards of one room, and what was played again for them."""

    def __init__(self, acts: int, monkeypatch: pytest.MonkeyPatch) -> None:
        self.store, self.hub = Logs(acts), Hub()
        self.boards = self.boards_with(SESSION_LIMITS)
        self.replayed = 0
        replay = Game.replay

        def counted(game: Game, action: Any) -> Any:
            self.replayed += 1
            return replay(game, action)

        monkeypatch.setattr(Game, "replay", counted)

    def boards_with(self, limits: SessionLimits) -> Boards:
        clock = asyncio.get_running_loop().time
        return Boards(self.store, self.hub, limits=limits, clock=clock)  # type: ignore[arg-type]  # as much of a hub as it needs

    def watch(self, watcher: Watcher, *seats: int) -> None:
        latest = self.hub.rooms.latest("")
        assert latest is not None
        self.boards.watch(latest, watcher, seats)

    def feeds(self) -> int:
        return sum(not task.done() for task in self.hub.tasks)

    async def while_nothing_happens(self) -> None:
        """Let each feed look at its board several times."""
        await asyncio.sleep(5)


@pytest.fixture
async def scene(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Scene]:
    found = Scene(300, monkeypatch)
    yield found
    for task in found.hub.tasks:
        task.cancel()
    await asyncio.gather(*found.hub.tasks, return_exceptions=True)


async def test_a_board_that_is_switched_on_again_is_not_played_again(scene: Scene) -> None:
    """Regression: a spectator's switching of eight boards blocked all players for 1.65 s."""
    don = Watcher()
    for _ in range(3):
        scene.watch(don, 0, 1)
        await until(lambda: set(don.seen) >= {(0, 300), (1, 300)})
        don.seen.clear()
        scene.watch(don)
        await asyncio.sleep(SESSION_LIMITS.boards_kept_s / 2)
    assert scene.replayed == 600


async def test_a_player_whose_game_is_over_sees_boards_at_once_and_spectators_late(
    scene: Scene,
) -> None:
    played = scene.hub.delay(7_200)
    ada, don = Watcher(), Watcher()
    ada.seat_number = 0
    over = {"results": {0: PlayerStats(finished_ms=9)}, "states": {0: SeatState.FINISHED}}
    scene.hub.play(played.model_copy(update=over))
    scene.watch(don, 1)
    scene.watch(ada, 1)
    await until(lambda: (1, 300) in ada.seen)
    await scene.while_nothing_happens()
    assert don.seen == [(1, 0)]


async def test_a_player_whose_end_a_failover_has_lost_sees_no_board_any_more(scene: Scene) -> None:
    """The game goes on, on the same deal."""
    played = scene.hub.delay(7_200)
    ada = Watcher()
    ada.seat_number = 0
    over = {"results": {0: PlayerStats(finished_ms=9)}, "states": {0: SeatState.FINISHED}}
    scene.hub.play(played.model_copy(update=over))
    scene.watch(ada, 1)
    await until(lambda: ada.seen)
    scene.hub.play(played)
    seen = len(ada.seen)
    scene.store.log.append(LogRecord(REDO if scene.store.log[-1].action == UNDO else UNDO, 40))
    await scene.while_nothing_happens()
    assert len(ada.seen) == seen


async def test_nobodys_board_is_not_read_and_goes_after_a_while(scene: Scene) -> None:
    don = Watcher()
    scene.watch(don, 0)
    await until(lambda: don.seen)
    scene.watch(don)
    await scene.while_nothing_happens()
    reads = len(scene.store.reads)
    await scene.while_nothing_happens()
    assert (len(scene.store.reads), scene.feeds()) == (reads, 1)
    await asyncio.sleep(SESSION_LIMITS.boards_kept_s - 11)
    assert scene.feeds() == 1
    await asyncio.sleep(2)
    assert scene.feeds() == 0


async def test_boards_without_watchers_have_a_limit_and_the_oldest_is_dropped(
    scene: Scene,
) -> None:
    scene.boards = scene.boards_with(SessionLimits(boards=1))
    don = Watcher()
    for seat in (0, 1):
        scene.watch(don, seat)
        await until(lambda: (seat, 300) in don.seen)  # noqa: B023  # awaited at once
    scene.watch(don)
    await until(lambda: scene.feeds() == 1)
    replayed = scene.replayed
    don.seen.clear()
    scene.watch(don, 1)
    await until(lambda: don.seen == [(1, 300)])
    assert scene.replayed == replayed


async def test_only_new_entries_are_read(scene: Scene) -> None:
    don = Watcher()
    scene.watch(don, 0)
    await until(lambda: (0, 300) in don.seen)
    scene.store.log.append(LogRecord(REDO if scene.store.log[-1].action == UNDO else UNDO, 40))
    await until(lambda: (0, 301) in don.seen)
    assert scene.replayed == 301
    assert set(scene.store.reads) <= {0, 300 - 64, 301 - 64}


async def test_a_failover_that_took_entries_back_shows_the_board_as_it_is(scene: Scene) -> None:
    don = Watcher()
    scene.watch(don, 0)
    await until(lambda: (0, 300) in don.seen)
    del scene.store.log[-10:]
    await until(lambda: (0, 290) in don.seen)


async def test_while_the_store_is_away_the_board_waits(scene: Scene) -> None:
    don = Watcher()
    scene.store.away = True
    scene.watch(don, 0)
    await scene.while_nothing_happens()
    assert not don.seen
    scene.store.away = False
    await until(lambda: don.seen)


async def test_slow_watchers_get_the_board_later(scene: Scene) -> None:
    don = Watcher()
    don.slow = True
    scene.watch(don, 0)
    await until(lambda: scene.replayed == 300)
    don.slow = False
    await until(lambda: don.seen)


async def test_the_end_of_a_round_is_shown_and_then_read_no_more(scene: Scene) -> None:
    don, eva = Watcher(), Watcher()
    scene.watch(don, 0)
    await until(lambda: don.seen)
    # Later than the clock of the room: it is shown only when the round is over.
    scene.store.log.append(LogRecord(REDO if scene.store.log[-1].action == UNDO else UNDO, 10**8))
    await scene.while_nothing_happens()
    assert don.seen[-1] == (0, 300)
    scene.hub.finish()
    await until(lambda: don.seen[-1] == (0, 301))
    await scene.while_nothing_happens()
    reads = len(scene.store.reads)
    await scene.while_nothing_happens()
    assert len(scene.store.reads) == reads
    scene.watch(eva, 0)
    await until(lambda: eva.seen == [(0, 301)])
    assert scene.replayed == 301


async def test_when_the_room_goes_on_the_boards_of_its_last_round_go(scene: Scene) -> None:
    don = Watcher()
    scene.watch(don, 0, 1)
    await until(lambda: len(don.seen) == 2)
    scene.hub.room = None
    await until(lambda: scene.feeds() == 0)
