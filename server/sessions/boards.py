"""The boards that people watch: replays of the logs in the store.

1. Boards are delayed for spectators, but not for players who have finished their own game.
2. Each process replays the logs for its own watchers, with one replay for all that have the same
   delay. The replay is kept for a while without watchers, so that a returning spectator sees the
   current position at once.
3. If a log cannot be read, it is tried again after `UNREADABLE_S`; the rest of the room goes on.
"""

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from protocol.vocabulary import CloseCode, RoomState
from server import metrics
from server.live.hub import Hub
from server.live.replays import ReplayedGame
from server.live.repository import Repository
from server.live.room import SharedText, Subscriber
from server.live.work import LongWork
from server.rooms.deals import deal_game
from server.rooms.race import check_watching, horizon_ms, is_undelayed
from server.rooms.record import Room, Round, VersionedRoom
from server.sessions.limits import Monotonic, SessionLimits
from server.store import StoreAway, Unreadable
from server.views.tables import board_text

UNREADABLE_S = 10.0  # wait this long before reading an unreadable log again
NOT_SHOWN = -1  # in `Board.watchers`: nothing has been sent yet


class BoardKey(NamedTuple):
    """The game that a board shows."""

    room_code: str
    n: int  # the number of the round
    seat: int
    is_delayed: bool  # by the room's delay for spectators


@dataclass(eq=False)
class Board:
    """One board, for all watchers with the same delay."""

    key: BoardKey
    played: Round
    replayed: ReplayedGame  # the game as the watchers see it
    watchers: dict[Subscriber, int] = field(default_factory=dict)
    """Each watcher, with the length of the game that was last sent to it, or `NOT_SHOWN`."""
    wake: asyncio.Event = field(default_factory=asyncio.Event)  # set when somebody starts to watch
    left_at_s: float = 0.0  # when the last watcher left, by the clock of `Boards`
    is_complete: bool = False  # whether it shows the end of its round

    def unsent(self) -> list[Subscriber]:
        """Return the watchers that lack the latest position and can receive it now."""
        latest, watchers = self.replayed.game.at, self.watchers.items()
        return [each for each, shown in watchers if shown != latest and each.can_receive()]

    def close(self, code: CloseCode) -> None:
        """Close the sockets of all watchers, after an error: this board sends nothing more."""
        for watcher in list(self.watchers):
            watcher.close(code)

    def restart(self) -> None:
        """Start the replay afresh, and send the board to all watchers again."""
        self.replayed = ReplayedGame(deal_game(self.played))
        self.watchers = dict.fromkeys(self.watchers, NOT_SHOWN)


class Boards:
    """All boards that are watched in this process."""

    def __init__(
        self,
        repository: Repository,
        hub: Hub,
        work: LongWork,
        limits: SessionLimits,
        monotonic_s: Monotonic,
    ) -> None:
        self._logs, self._quarantine = repository.store.logs, repository.quarantine
        self._hub, self._long_work = hub, work
        self._limits, self._monotonic_s = limits, monotonic_s
        self._boards: dict[BoardKey, Board] = {}  # those watched now or until recently

    def watch(self, latest: VersionedRoom, watcher: Subscriber, seats: Sequence[int]) -> None:
        """Show a watcher the boards of exactly these seats from now on, or raise Refusal."""
        room, played = latest.room, latest.room.round
        check_watching(room, watcher.seat_number, seats)
        self.leave(watcher)
        if played is None:
            return
        # After the round a delayed board shows everything too, so all watchers share that one.
        is_over = room.state is RoomState.FINISHED
        is_delayed = is_over or not is_undelayed(room, watcher.seat_number)
        for seat in seats:
            key = BoardKey(room.code, played.n, seat, is_delayed)
            if (board := self._boards.get(key)) is None:
                board = self._boards[key] = Board(key, played, ReplayedGame(deal_game(played)))
                self._hub.spawn(self._run(board), "board", on_failure=board.close)
            board.watchers[watcher] = NOT_SHOWN
            board.wake.set()

    def leave(self, watcher: Subscriber) -> None:
        """Remove the watcher from all boards."""
        for board in self._boards.values():
            if board.watchers.pop(watcher, None) is not None:
                board.left_at_s = self._monotonic_s()

    async def _run(self, board: Board) -> None:
        """Send a board's updates while the board is kept and its round is the room's latest."""
        try:
            while self._is_kept(board):
                latest = self._hub.latest(board.key.room_code)
                played = None if latest is None else latest.room.round
                if latest is None or played is None or played.n != board.key.n:
                    return
                board.wake.clear()
                can_grow = not board.is_complete and any(w.can_receive() for w in board.watchers)
                if can_grow or board.unsent():
                    try:
                        await self._update(board, latest.room)
                    except Unreadable as error:
                        await self._quarantine.add(board.key.room_code, error)
                        board.restart()
                        await asyncio.sleep(UNREADABLE_S)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(self._limits.board_interval_s):
                        await board.wake.wait()
        finally:
            del self._boards[board.key]

    def _is_kept(self, board: Board) -> bool:
        """Return whether somebody watches a board, or did so recently.

        Of the boards without watchers, only the most recently watched ones are kept.
        """
        if board.watchers:
            return True
        if self._monotonic_s() - board.left_at_s >= self._limits.boards_kept_s:
            return False
        others = self._boards.values()
        left_later = sum(not each.watchers and each.left_at_s > board.left_at_s for each in others)
        return left_later < self._limits.boards

    async def _update(self, board: Board, room: Room) -> None:
        """Replay what a board's watchers may see by now, and send them the new position."""
        code, n, seat, is_delayed = board.key
        if not is_delayed:
            for watcher in list(board.watchers):
                if not is_undelayed(room, watcher.seat_number):
                    self.leave(watcher)  # a failover lost the end of its game, which goes on
        until_ms = horizon_ms(room, self._hub.clock.now_ms(), delayed=is_delayed)
        try:
            continues, entries = await board.replayed.read_on(self._logs, code, n, seat)
        except StoreAway:
            return
        if not continues:  # a failover has lost entries that the board has replayed
            board.restart()
        replayed = board.replayed
        spent = await self._long_work.in_background(replayed.advance(entries, until_ms))
        metrics.replay_seconds.labels("board").inc(spent)
        board.is_complete = room.state is RoomState.FINISHED
        if not (unsent := board.unsent()):
            return
        # The time is shown from the player's own start. Before the first act it is simply 0.
        late_ms = board.played.late_ms.get(seat, 0) if replayed.game.at else 0
        message = SharedText(board_text(replayed.game, seat, replayed.ms - late_ms))
        for watcher in unsent:
            if watcher.send_skippable(message):
                board.watchers[watcher] = replayed.game.at
