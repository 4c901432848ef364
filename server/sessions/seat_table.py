"""The table of a seat, from one round to the next."""

from typing import Protocol

from protocol.from_client import Act, ClientMessage, Hint
from protocol.vocabulary import ErrorCode, RoomState, SeatState
from server.rooms.record import Round, VersionedRoom
from server.sessions.seat_context import SeatContext, TableObserver
from server.sessions.services import Services
from server.sessions.table import LiveTable
from server.store import SeatRecord

AT_TABLE = {SeatState.RACING, SeatState.CHASING, SeatState.FINISHED}


class Holder(TableObserver, Protocol):
    """What holds the seat."""

    code: str | None
    seat: int
    generation: int

    def refuse(self, message: ClientMessage, code: ErrorCode) -> None:
        """Say why a command is not done."""


class SeatTable:
    """Where a seat plays: a live table while its race is on, and a closed one until the next.

    `before` are the round and the id of the latest act that the seat did before this socket.
    """

    __slots__ = ("_holder", "_record", "_services", "before", "live")

    def __init__(self, services: Services, holder: Holder) -> None:
        self.live: LiveTable | None = None
        self.before: tuple[int, int] = (0, 0)
        self._record: SeatRecord | None = None  # as it was taken, for the first table
        self._services = services
        self._holder = holder

    def taken(self, record: SeatRecord) -> None:
        """Note the seat as its holder has taken it."""
        self.before, self._record = (record.n, record.last_id), record

    def act(self, act: Act) -> None:
        """Have an act judged, or say why nothing can judge it."""
        if self.live is None:
            self._holder.refuse(act, self._holder.why_closed())
        else:
            self.live.act(act)

    def hint(self, hint: Hint) -> None:
        """Have a hint found, or say why there is none now."""
        if self.live is None or self.live.closed:
            self._holder.refuse(hint, self._holder.why_closed())
        else:
            self.live.hint(hint)

    async def settle(self) -> None:
        """Return when nothing of the game is on its way to the store."""
        if self.live is not None:
            await self.live.settle()

    def follow(self, latest: VersionedRoom) -> None:
        """Open the table when the seat's race begins, and close it when the race is over."""
        seat = latest.room.seat(self._holder.seat)
        played = latest.room.round
        if (
            latest.room.state is not RoomState.RUNNING
            or seat is None
            or played is None
            or seat.state not in AT_TABLE
        ):
            self.close()
        elif self.live is None or self.live.closed or self.live.n != played.n:
            self.live = self._table_of(played)
            record, self._record = self._record, None
            self.live.open(record)

    def close(self) -> None:
        """Close the table: the race is over for this seat, and nothing new is to be judged."""
        if self.live is not None:
            self.live.close()

    def closed_round(self, act: Act, latest: VersionedRoom | None) -> Round | None:
        """Return the seat's latest round, which has no table now, if the act may be of it."""
        n, last_id = self.before
        if latest is None or act.id > last_id:
            return None
        return latest.room.round_with(self._holder.seat, n)

    def reopen(self, played: Round) -> None:
        """Read the table of a round again, closed: it answers acts that are repeated."""
        self.live = self._table_of(played)
        self.live.close()
        self.live.open()

    def _table_of(self, played: Round) -> LiveTable:
        holder = self._holder
        assert holder.code is not None, "the holder has a seat"
        context = SeatContext(holder.code, holder.seat, holder.generation, played)
        return LiveTable(self._services.store, context, holder, self._services.positions)
