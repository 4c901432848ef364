"""The boards that people watch: replays of logs, read from the store.

They are delayed for spectators, and not for players whose own game is over. Nothing is published
for a board. One replay serves all watchers of a board at this process who have the same delay, and
is kept for a while without watchers: a returning spectator sees the board where it stands.
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
from server.live.shared_text import SharedText
from server.live.slices import Slices
from server.rooms.record import Room, Round, VersionedRoom
from server.rooms.rounds import deal_game
from server.rooms.spectate import check_watching, horizon_ms, is_undelayed
from server.sessions.limits import SESSION_LIMITS, SessionLimits
from server.sessions.positions import Position
from server.store import Store, StoreAway
from server.views.tables import board_text


class Watcher(Protocol):
    """A socket that watches boards."""

    seat: int

    def send_standings(self, message: SharedText) -> bool:
        """Send a board; return False if the socket is too far behind."""


Key = tuple[str, int, int, bool]
"""The room of a board, its round and seat, and whether it is delayed."""


@dataclass(eq=False)
class Board:
    """One board. `sent_to` are the watchers that have its latest state.

    `delayed` means that it is shown as late as the room says.
    `left_at` is the time when the last watcher left. `complete` is set when the board shows the
    end of its round and will not change any more.
    """

    code: str
    seat: int
    played: Round
    delayed: bool
    position: Position
    watchers: set[Watcher] = field(default_factory=set)
    sent_to: set[Watcher] = field(default_factory=set)
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    left_at: float = 0.0
    complete: bool = False

    @property
    def elapsed_ms(self) -> int:
        """Return the player's own time at the latest act that is shown."""
        if not self.position.game.at:
            return 0
        return self.position.ms - self.played.late.get(self.seat, 0)


class Boards:
    """All boards that are watched at this process. `clock` counts seconds."""

    def __init__(
        self,
        store: Store,
        hub: Hub,
        slices: Slices | None = None,
        limits: SessionLimits = SESSION_LIMITS,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._store = store
        self._hub = hub
        self._slices = slices or Slices()
        self._limits = limits
        self._clock = clock
        self._boards: dict[Key, Board] = {}

    def watch(self, latest: VersionedRoom, watcher: Watcher, seats: Sequence[int]) -> None:
        """Let the watcher watch these boards, and no other ones.

        Raises:
            Refusal: the watcher may not see these boards.
        """
        check_watching(latest.room, watcher.seat, seats)
        self.leave(watcher)
        played = latest.room.round
        if played is None:
            return
        over = latest.room.state is RoomState.FINISHED  # then all boards are the same
        delayed = over or not is_undelayed(latest.room, watcher.seat)
        for seat in seats:
            key = (latest.room.code, played.n, seat, delayed)
            board = self._boards.get(key)
            if board is None:
                position = Position(deal_game(played))
                board = Board(latest.room.code, seat, played, delayed, position)
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
                latest = self._hub.latest(board.code)
                if (
                    latest is None
                    or latest.room.round is None
                    or latest.room.round.n != board.played.n
                ):
                    return
                board.wake.clear()
                if board.watchers and not (board.complete and board.sent_to >= board.watchers):
                    await self._show(board, latest)
                await _wait(board.wake, self._limits.board_interval_s)
        finally:
            del self._boards[key]

    def _keeps(self, board: Board) -> bool:
        if board.watchers:
            return True
        if self._clock() - board.left_at >= self._limits.boards_kept_s:
            return False
        later = sum(
            not other.watchers and other.left_at > board.left_at for other in self._boards.values()
        )
        return later < self._limits.boards

    async def _show(self, board: Board, latest: VersionedRoom) -> None:
        if not board.delayed:
            self._check_undelayed(board, latest.room)
        horizon = horizon_ms(latest.room, self._hub.clock.now(), delayed=board.delayed)
        try:
            leads_here, entries = await board.position.read_on(
                self._store, board.code, board.played.n, board.seat
            )
        except StoreAway:
            return
        if not leads_here:  # a failover has lost entries
            board.position = Position(deal_game(board.played))
            board.sent_to.clear()
        at = board.position.game.at
        spent = await self._slices.in_background(board.position.advance(entries, horizon))
        metrics.replay_seconds.labels("board").inc(spent)
        board.complete = latest.room.state is RoomState.FINISHED
        if board.position.game.at > at:
            board.sent_to.clear()
        if board.sent_to >= board.watchers:
            return
        message = SharedText(board_text(board.position.game, board.seat, board.elapsed_ms))
        for watcher in board.watchers - board.sent_to:
            if watcher.send_standings(message):
                board.sent_to.add(watcher)

    def _check_undelayed(self, board: Board, room: Room) -> None:
        """Drop watchers who can act again: a failover has lost the end of their game."""
        for watcher in [each for each in board.watchers if not is_undelayed(room, each.seat)]:
            self.leave(watcher)


async def _wait(wake: asyncio.Event, interval_s: float) -> None:
    """Wait for the next interval, or less if a watcher comes."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(interval_s):
            await wake.wait()
