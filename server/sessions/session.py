import structlog

from protocol.from_client import ClientMessage
from protocol.vocabulary import ErrorCode
from server import metrics
from server.rooms.record import VersionedRoom
from server.rooms.settings import Clash
from server.sessions.seat_holder import SeatHolder
from server.sessions.services import Services
from server.sessions.socket import Socket
from server.sessions.taken_seat import TakenSeat
from server.store import SeatRecord
from server.views.replies import clash_details, refused_text

log = structlog.get_logger()


class Session:
    """One socket, and the holder of its seat once it has taken one.

    A session holds no state that the store does not have, and is independent of the websocket
    library.
    """

    __slots__ = ("address", "holder", "services", "socket")

    def __init__(self, services: Services, socket: Socket, address: str) -> None:
        self.services = services
        self.socket = socket
        self.address = address
        self.holder: SeatHolder | None = None

    @property
    def is_seated(self) -> bool:
        """Return whether this socket holds a seat."""
        return self.holder is not None and not self.holder.has_left

    @property
    def log_context(self) -> dict[str, str | int | None]:
        """Return the room and the seat, for log events."""
        if self.holder is None:
            return {"room": None, "seat": None}
        seat = self.holder.seat
        return {"room": seat.room_code, "seat": seat.number}

    def hold(
        self, seat: TakenSeat, record: SeatRecord, latest: VersionedRoom, *, misses_chat: bool
    ) -> SeatHolder:
        """Return the holder of a seat that this socket has just taken; see `SeatHolder`."""
        assert self.holder is None, "a socket takes one seat"
        log.info("seat taken", room=seat.room_code, seat=seat.number)
        self.holder = SeatHolder(
            self.services, self.socket, seat, record, latest, misses_chat=misses_chat
        )
        return self.holder

    def refuse(
        self, message: ClientMessage, error_code: ErrorCode, clash: Clash | None = None
    ) -> None:
        """Refuse a command."""
        metrics.refusals.labels(error_code.value).inc()
        self.socket.send(refused_text(message, error_code, clash_details(clash)))

    def may_command(self) -> bool:
        """Count a command of the seat, if any, and of the address; return False above a limit."""
        seat = self.holder.seat if self.holder is not None and self.is_seated else None
        return self.services.may_command(self.address, seat)

    async def leave_seat(self) -> None:
        """Leave the seat of a lost socket and report it to the room, which keeps the seat."""
        if self.holder is not None and self.is_seated:
            await self.holder.handle_disconnect()
