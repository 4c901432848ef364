"""The table of a seat from one round to the next, and the events at the table."""

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from protocol.from_client import Act, Assess
from protocol.vocabulary import CloseCode, ErrorCode, Outlook, RoomState, SeatState
from server import metrics
from server.games.game import Game
from server.rooms.events import Refusal
from server.rooms.record import Round, VersionedRoom
from server.sessions.assessments import UNSEARCHED, Assessment
from server.sessions.seat_reports import report_game_ended
from server.sessions.services import Services
from server.sessions.socket import Socket
from server.sessions.table import LiveTable
from server.sessions.taken_seat import TakenSeat
from server.store import CommitFailure, LogWriter, SeatProgress, SeatRecord, StoreAway, Unreadable
from server.views.replies import refused_text
from server.views.tables import assessed_text

_Position = tuple[int, int, bytes]
"""A round, the number of log entries, and the cards."""
AT_TABLE = {SeatState.RACING, SeatState.CHASING, SeatState.FINISHED}
NO_ACTS = {RoomState.COUNTDOWN: ErrorCode.EARLY, RoomState.FINISHED: ErrorCode.TOO_LATE}
"""Refusals of acts by the state of the room; in all other states they are `not_racing`."""


class SeatTable:
    """The table of a seat: live while its race is on, then closed until the next race begins.

    It observes the live table for the socket that holds the seat.
    """

    __slots__ = (
        *("_assessed", "_assessing", "_before", "_behind", "_record", "_seat", "_services"),
        *("_socket", "_writer"),
        *("handle_progress", "live", "send"),
    )

    def __init__(
        self, services: Services, socket: Socket, seat: TakenSeat, record: SeatRecord
    ) -> None:
        """Begin without a live table; `record` is that of the seat when the socket took it."""
        self.live: LiveTable | None = None
        self._writer = LogWriter(seat.room_code, seat.number, record.generation)
        # Attributes, so that no act passes a method that only calls another one.
        self.send: Callable[[str], None] = socket.send
        """Send a reply, if the socket is still there."""
        self.handle_progress: Callable[[str, SeatProgress], None] = (
            services.hub.rooms.handle_progress
        )
        """Take the progress of the seat after an act or a hint, for its room."""
        self._services = services
        self._socket = socket
        self._seat = seat
        self._before = record.n, record.last_id  # the seat's latest act before this socket
        self._record: SeatRecord | None = record  # only for the first live table
        self._assessed: tuple[_Position, Assessment] | None = None
        """The latest assessment that was searched, and the position that it is about."""
        self._assessing: asyncio.Event | None = None  # set when the answer under way is sent
        self._behind: list[Callable[[], None]] = []  # the answers after that one

    def follow(self, latest: VersionedRoom) -> None:
        """Open the table when the seat's race begins, and close it when the race is over."""
        seat = latest.room.seat(self._seat.number)
        current = latest.room.round
        if (
            latest.room.state is not RoomState.RUNNING
            or seat is None
            or current is None
            or seat.state not in AT_TABLE
        ):
            self.close()
        elif self.live is None or self.live.closed or self.live.played.n != current.n:
            self.live = self._table_of(current)
            # Only for the first table: its acts make the record stale.
            record, self._record = self._record, None
            self.live.open(record)
        else:
            self.live.t_end = current.t_end

    def close(self) -> None:
        """Close the table, if there is one: the race is over for this seat."""
        if self.live is not None:
            self.live.close()

    def closed_round(self, act: Act) -> Round | None:
        """Return the seat's latest round, which has no table, if the act may belong to it."""
        n, last_id = self._before
        latest = self._latest()
        if latest is None or act.id > last_id:
            return None
        return latest.room.round_with(self._seat.number, n)

    def reopen(self, played: Round) -> LiveTable:
        """Open the table of a finished round for repeated acts only; it refuses new ones."""
        self.live = self._table_of(played)
        self.live.close()  # first, so that opening does not send the table
        self.live.open()
        return self.live

    def assess(self, message: Assess) -> None:
        """Answer with what is known about the rest of the game; a position is searched once."""
        live, game = self.live, self._settled_game()
        if live is None or live.closed:
            self._refuse(message, self.refusal_when_closed())
        elif game is None or self._assessing is not None:
            self._refuse(message, ErrorCode.TRY_AGAIN)
        elif game.outcome is not None:
            self._refuse(message, ErrorCode.GAME_OVER)
        else:
            self._assessing = asyncio.Event()
            self.spawn(self._answer(live.played.n, game.copy(), self._assessing), "assess")

    def answer_in_order(self, answer: Callable[[], None]) -> None:
        """Answer a ping now, or after the answer to an `assess` before it."""
        if self._assessing is None:
            answer()
        else:
            self._behind.append(answer)

    async def wait_for_assessment(self) -> None:
        """Return when no answer to an `assess` is under way; cancelling changes nothing."""
        while self._assessing is not None:
            await self._assessing.wait()

    async def is_dead(self) -> bool:
        """Return whether it is known, or found, that nothing can change in the game any more.

        Raises:
            Refusal: the game is being read from the store.
        """
        live, game = self.live, self._settled_game()
        if live is None or live.closed:
            return False
        if game is None:
            raise Refusal(ErrorCode.TRY_AGAIN)
        return (
            await self._assess(live.played.n, game.copy(), always=True)
        ).outlook is Outlook.DEAD

    async def wait_for_acts(self) -> None:
        """Return when no act is in flight to the store; cancelling changes nothing."""
        while self.live is not None and (answered := self.live.all_answered) is not None:
            await answered.wait()

    def refusal_when_closed(self) -> ErrorCode:
        """Return the code that refuses acts in the room's present state."""
        latest = self._latest()
        state = RoomState.LOBBY if latest is None else latest.room.state
        return NO_ACTS.get(state, ErrorCode.NOT_RACING)

    def spawn(self, work: Coroutine[Any, Any, None], name: str) -> None:
        """Run `work` in a task of its own, which may outlive the socket."""
        self._services.hub.spawn(work, name)

    def load(self, table: LiveTable, record: SeatRecord | None) -> None:
        """Read a game for its table; see `TableObserver.load`."""
        self.spawn(self._load(table, record), "load a game")

    def handle_loaded_progress(self, progress: SeatProgress) -> None:
        """Compare the progress of this seat in the store with that in the room."""
        if self._socket.is_open:
            self._services.hub.handle_loaded_progress(self._seat.room_code, progress)

    def handle_too_late(self) -> None:
        """Read the room again, which has moved on: its notification may be lost."""
        self._services.hub.reread(self._seat.room_code)

    def handle_game_ended(self, n: int) -> None:
        """Report that this seat's game has ended."""
        self.spawn(report_game_ended(self._services, self._seat, n), "done")

    def _settled_game(self) -> Game | None:
        return None if self.live is None or self.live.closed else self.live.settled_game()

    async def _answer(self, n: int, game: Game, answered: asyncio.Event) -> None:
        """Send what is known about a position."""
        try:
            self.send(assessed_text(game.variant, game.at, *await self._assess(n, game)))
        finally:
            self._assessing = None
            answered.set()
            behind, self._behind = self._behind, []
            for answer in behind:
                answer()

    async def _assess(self, n: int, game: Game, *, always: bool = False) -> Assessment:
        """Return what is known about a position, searched unless the latest search was of it."""
        position = n, game.at, game.key()  # a failover may lose acts, and others follow
        if self._assessed is not None and self._assessed[0] == position:
            return self._assessed[1]
        latest = self._latest()
        autoplay = latest is not None and latest.room.settings.autoplay
        found = await self._services.assessments.find(
            self._seat.name, game, autoplay=autoplay, address=self._seat.address, always=always
        )
        if found is not UNSEARCHED:
            self._assessed = position, found
        return found

    def _refuse(self, message: Assess, code: ErrorCode) -> None:
        metrics.refusals.labels(code.value).inc()
        self.send(refused_text(message, code))

    def _latest(self) -> VersionedRoom | None:
        return self._services.hub.rooms.latest(self._seat.room_code)

    def _table_of(self, played: Round) -> LiveTable:
        """Return the table of this seat's game in a round."""
        services, seat = self._services, self._seat
        return LiveTable(
            services.store.commits,
            self._writer,
            played,
            self,
            services.clock.now,
            self._may_send_table,
            partial(services.lost_acts.take, seat.room_code, seat.number, played.t0),
        )

    def _may_send_table(self) -> bool:
        """Count a whole table that answers an act as a command; close if there are too many."""
        may = self._services.may_command(self._seat.address, self._seat)
        if not may:
            self._socket.close(CloseCode.TOO_FAST)
        return may

    async def _load(self, table: LiveTable, record: SeatRecord | None) -> None:
        """Take the seat and read its game, until the store answers; the replay yields."""
        services, writer = self._services, self._writer
        while True:
            try:
                taken = await self._take(table.played.n, record)
                if isinstance(taken, CommitFailure):
                    table.handle_seat_lost()
                    await self._close(taken)
                    return
                replays = services.repository.replays
                replayed = await replays.read(writer.code, table.played, writer.seat)
            except Unreadable as error:
                # Another process may be able to replay the log.
                table.handle_seat_lost()
                self._socket.close(CloseCode.DRAINING)
                await services.repository.quarantine.add(writer.code, error)
                return
            except StoreAway:
                table.handle_store_away()
                record = None
                await asyncio.sleep(services.limits.retry_s)
            else:
                table.handle_loaded(taken, replayed)
                return

    async def _take(self, n: int, record: SeatRecord | None) -> SeatRecord | CommitFailure:
        """Take the seat once more: acts whose fate is unknown cannot be stored after that."""
        writer, seats = self._writer, self._services.store.seats
        if record is None or not record.races_in(n):
            taken = await seats.retake(writer.code, writer.seat, writer.generation, n)
            if isinstance(taken, CommitFailure):
                return taken
            record = taken
        writer.move_to(n, record.generation)
        return record

    async def _close(self, why: CommitFailure) -> None:
        """Close the socket, since it does not hold the seat any more."""
        if why is CommitFailure.TAKEN_BACK:
            # A failover has lost that this connection took the seat.
            self._socket.close(CloseCode.RESYNC)
        elif self._socket.is_open:
            # A newer connection has it, from the tab that the room's record names.
            try:
                latest = await self._services.repository.read(self._seat.room_code)
            except (Refusal, StoreAway, Unreadable):
                seat = None
            else:
                seat = latest.room.seat(self._seat.number)
            self._socket.close(self._seat.close_code("" if seat is None else seat.tab))
