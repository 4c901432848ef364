"""The boards that people watch: replays of logs, read from the store.

They are delayed for spectators, and not for players whose own game is over. Nothing is published
for a board. One replay serves all watchers of a board at this process who have the same delay. It
is kept for a while without watchers, so that a returning spectator sees the board where it stands.
"""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Protocol

from protocol.vocabulary import RoomState
from server import metrics
from server.live.hub import Hub
from server.live.replays import ReplayedGame
from server.live.room import SharedText, Subscriber
from server.live.work import LongWork
from server.rooms.deals import deal_game
from server.rooms.record import Room, Round, VersionedRoom
from server.rooms.visible_boards import check_watching, horizon_ms, is_undelayed
from server.sessions.limits import SESSION_LIMITS, SessionLimits
from server.store import Logs, StoreAway
from server.views.tables import board_text


class Watcher(Subscriber, Protocol):
    """A socket that watches boards."""

    seat_number: int  # the number of its own seat


Key = tuple[str, int, int, bool]
"""The room of a board, its round and seat, and whether it is delayed."""


@dataclass(eq=False)
class Board:
    """One board, for its watchers of one delay."""

    room_code: str
    seat: int  # the number of the seat whose game is shown
    played: Round
    is_delayed: bool  # whether it is shown as late as the room says
    replayed: ReplayedGame  # the game as the watchers see it
    watchers: set[Watcher] = field(default_factory=set)
    sent_to: set[Watcher] = field(default_factory=set)  # the watchers who have its latest state
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a watcher comes, so that it need not wait for the next interval."""
    left_at: float = 0.0
    """The time when the last watcher left, in seconds of the clock of `Boards`."""
    is_complete: bool = False
    """Whether it shows the end of its round, so that it will not change any more."""

    @property
    def elapsed_ms(self) -> int:
        """Return the player's own time at the latest act that is shown."""
        if not self.replayed.game.at:
            return 0
        return self.replayed.ms - self.played.late_ms.get(self.seat, 0)


class Boards:
    """All boards that are watched at this process. `clock` counts seconds."""

    def __init__(
        self,
        logs: Logs,
        hub: Hub,
        long_work: LongWork | None = None,
        limits: SessionLimits = SESSION_LIMITS,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._logs = logs
        self._hub = hub
        self._long_work = long_work or LongWork()
        self._limits = limits
        self._clock = clock
        self._boards: dict[Key, Board] = {}

    def watch(self, latest: VersionedRoom, watcher: Watcher, seats: Sequence[int]) -> None:
        """Let the watcher watch these boards, and no other ones.

        Raises:
            Refusal: the watcher may not see these boards.
        """
        check_watching(latest.room, watcher.seat_number, seats)
        self.leave(watcher)
        played = latest.room.round
        if played is None:
            return
        over = latest.room.state is RoomState.FINISHED  # then all boards are the same
        delayed = over or not is_undelayed(latest.room, watcher.seat_number)
        for seat in seats:
            key = (latest.room.code, played.n, seat, delayed)
            board = self._boards.get(key)
            if board is None:
                replayed = ReplayedGame(deal_game(played))
                board = Board(latest.room.code, seat, played, delayed, replayed)
                self._boards[key] = board
                self._hub.spawn(self._run(key, board), "board")
            board.watchers.add(watcher)
            board.wake.set()

    def leave(self, watcher: Watcher) -> None:
        """Let the watcher watch no boards any more."""
        for board in self._boards.values():
            if watcher in board.watchers:
                board.watchers.discard(watcher)
                board.sent_to.discard(watcher)
                board.left_at = self._clock()

    async def _run(self, key: Key, board: Board) -> None:
        """Send the board's updates while it is kept and its round is the latest."""
        try:
            while self._keeps(board):
                latest = self._hub.rooms.latest(board.room_code)
                if (
                    latest is None
                    or latest.room.round is None
                    or latest.room.round.n != board.played.n
                ):
                    return
                board.wake.clear()
                if board.watchers and not (board.is_complete and board.sent_to >= board.watchers):
                    await self._show(board, latest)
                await _wait(board.wake, self._limits.board_interval_s)
        finally:
            del self._boards[key]

    def _keeps(self, board: Board) -> bool:
        """Return whether a board is kept: it has watchers, or was left lately."""
        if board.watchers:
            return True
        if self._clock() - board.left_at >= self._limits.boards_kept_s:
            return False
        later = sum(
            not other.watchers and other.left_at > board.left_at for other in self._boards.values()
        )
        return later < self._limits.boards

    async def _show(self, board: Board, latest: VersionedRoom) -> None:
        """Replay a board up to what its watchers may see now, and send it to them."""
        if not board.is_delayed:
            self._check_undelayed(board, latest.room)
        horizon = horizon_ms(latest.room, self._hub.clock.now(), delayed=board.is_delayed)
        try:
            continues, entries = await board.replayed.read_on(
                self._logs, board.room_code, board.played.n, board.seat
            )
        except StoreAway:
            return
        if not continues:  # a failover has lost entries: replay the whole log
            board.replayed = ReplayedGame(deal_game(board.played))
            board.sent_to.clear()
        at = board.replayed.game.at
        spent = await self._long_work.in_background(board.replayed.advance(entries, horizon))
        metrics.replay_seconds.labels("board").inc(spent)
        board.is_complete = latest.room.state is RoomState.FINISHED
        if board.replayed.game.at > at:
            board.sent_to.clear()
        if board.sent_to >= board.watchers:
            return
        message = SharedText(board_text(board.replayed.game, board.seat, board.elapsed_ms))
        for watcher in board.watchers - board.sent_to:
            if watcher.send_standings(message):
                board.sent_to.add(watcher)

    def _check_undelayed(self, board: Board, room: Room) -> None:
        """Drop watchers who can act again: a failover has lost the end of their game."""
        for watcher in list(board.watchers):
            if not is_undelayed(room, watcher.seat_number):
                self.leave(watcher)


async def _wait(wake: asyncio.Event, interval_s: float) -> None:
    """Wait for the next interval, or less if a watcher comes."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(interval_s):
            await wake.wait()
