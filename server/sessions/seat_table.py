"""The table of a seat, from one round to the next."""

import asyncio
from functools import partial
from typing import Protocol

from protocol.from_client import Act, ClientMessage, Hint
from protocol.vocabulary import ErrorCode, RoomState, SeatState
from server.rooms.record import Round, VersionedRoom
from server.sessions.seat_context import SeatContext, TableObserver
from server.sessions.services import Services
from server.sessions.table import LiveTable
from server.store import SeatRecord

AT_TABLE = {SeatState.RACING, SeatState.CHASING, SeatState.FINISHED}


class SeatHolder(TableObserver, Protocol):
    """The holder of the seat, as its table needs it."""

    code: str | None
    seat: int
    generation: int

    def refuse(self, message: ClientMessage, code: ErrorCode) -> None:
        """Refuse a command with a code."""

    def may_send_table(self) -> bool:
        """Count a whole table that answers an act; close and return False above the limit."""


class SeatTable:
    """The table of a seat: live while its race is on, then closed until the next race begins.

    `before` holds the round and the id of the seat's latest act before this socket.
    """

    __slots__ = ("_holder", "_record", "_services", "before", "live")

    def __init__(self, services: Services, holder: SeatHolder) -> None:
        self.live: LiveTable | None = None
        self.before: tuple[int, int] = (0, 0)
        self._record: SeatRecord | None = None  # of the time of `taken`; only for the first table
        self._services = services
        self._holder = holder

    def taken(self, record: SeatRecord) -> None:
        """Store the seat's record at the moment when its holder took the seat."""
        self.before, self._record = (record.n, record.last_id), record

    def act(self, act: Act) -> None:
        """Pass an act to the table, or refuse it if there is none."""
        if self.live is None:
            self._holder.refuse(act, self._holder.refusal_when_closed())
        else:
            self.live.act(act)

    def hint(self, hint: Hint) -> None:
        """Pass a request for a hint to the table, or refuse it if no game is on."""
        if self.live is None or self.live.closed:
            self._holder.refuse(hint, self._holder.refusal_when_closed())
        else:
            self.live.hint(hint)

    @property
    def settled(self) -> asyncio.Event | None:
        """The event that no act of the game is in flight any more; None if none is."""
        return None if self.live is None else self.live.settled

    def follow(self, latest: VersionedRoom) -> None:
        """Open the table when the seat's race begins, and close it when the race is over."""
        seat = latest.room.seat(self._holder.seat)
        current = latest.room.round
        if (
            latest.room.state is not RoomState.RUNNING
            or seat is None
            or current is None
            or seat.state not in AT_TABLE
        ):
            self.close()
        elif self.live is None or self.live.closed or self.live.n != current.n:
            self.live = self._table_of(current)
            # Only for the first table: its acts make the record stale.
            record, self._record = self._record, None
            self.live.open(record)

    def close(self) -> None:
        """Close the table, if there is one: the race is over for this seat."""
        if self.live is not None:
            self.live.close()

    def closed_round(self, act: Act, latest: VersionedRoom | None) -> Round | None:
        """Return the seat's latest round, which has no table, if the act may belong to it."""
        n, last_id = self.before
        if latest is None or act.id > last_id:
            return None
        return latest.room.round_with(self._holder.seat, n)

    def reopen(self, played: Round) -> None:
        """Open the table of a finished round for repeated acts only; it refuses new ones."""
        self.live = self._table_of(played)
        self.live.close()  # first, so that opening does not send the table
        self.live.open()

    def _table_of(self, played: Round) -> LiveTable:
        holder = self._holder
        assert holder.code is not None, "the holder has a seat"
        context = SeatContext(holder.code, holder.seat, holder.generation, played)
        services, losses = self._services, self._services.losses
        return LiveTable(
            services.store,
            context,
            holder,
            services.positions,
            services.limits.retry_s,
            holder.may_send_table,
            partial(losses.take, holder.code, holder.seat, played.t0),
        )
