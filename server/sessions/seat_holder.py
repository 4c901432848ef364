"""The holder of a seat: what its socket is sent about the room, and the table of its race."""

from collections.abc import Iterable

from protocol.from_client import Act, ClientMessage, Ping
from protocol.views import RoomView
from protocol.vocabulary import CloseCode, ErrorCode, Presence, RoomState, SeatState
from server import metrics
from server.live.room import SharedText
from server.rooms.record import Round, VersionedRoom
from server.rooms.settings import Clash
from server.sessions.assessments import SeatQuestions
from server.sessions.services import Services
from server.sessions.table import LiveTable
from server.sessions.taken_seat import Socket, TakenSeat
from server.store import LogWriter, SeatRecord
from server.views.replies import clash_details, pong_text, refused_text, room_text
from server.views.rooms import RoomMessages, room_view, waiting_view

NORMAL_CLOSURE = 1_000  # the close code, of the RFC, after a client has left its seat
AT_TABLE = {SeatState.RACING, SeatState.CHASING, SeatState.FINISHED}


class SeatHolder:
    """A socket as the holder of a seat, until it leaves the seat: a subscriber of the room.

    It sends each version of the room once, and to a peer that reads slowly the latest one. The
    table of the seat's race is closed after it until the next race begins.
    """

    __slots__ = (
        *("_before_id", "_before_n", "_is_over", "_last_sent", "_missed", "_questions", "_record"),
        *("_said_v", "_skipped", "_writer", "base", "has_left", "is_leaving", "seat"),
        *("seat_number", "services", "socket", "table", "v", "waits"),
    )

    def __init__(
        self, session: "Session", seat: TakenSeat, record: SeatRecord, latest: VersionedRoom
    ) -> None:
        """Hold a seat, whose record in the store is `record` since it was taken.

        `joined` carries the version `latest` of the room; call `begin` once it is sent. Chat waits
        for `send_missed`.
        """
        self.services, self.socket, self.base = session.services, session.socket, session.base
        self.seat, self.seat_number = seat, seat.number
        self._writer = LogWriter(seat.room_code, seat.number, record.generation)
        self.table: LiveTable | None = None
        self._before_n, self._before_id = record.n, record.last_id  # the latest act until now
        self._record: SeatRecord | None = record  # only for the first table
        self._questions: SeatQuestions | None = None
        self.v = latest.v  # of the latest version that was sent
        self.waits = latest.room.applicant(seat.number) is not None  # for the host to admit it
        self._last_sent = None if self.waits else latest
        self._skipped: RoomMessages | None = None
        self._is_over = False  # whether the peer knows the end of the latest round
        self._said_v = 0
        self._missed: list[tuple[int, str]] | None = []
        self.has_left = False
        self.is_leaving = False  # once it has begun to leave: the store may have that unanswered

    @property
    def latest(self) -> VersionedRoom | None:
        """The latest version of the room that this process knows."""
        return self.services.hub.latest(self.seat.room_code)

    @property
    def questions(self) -> SeatQuestions:
        """What the player asks about the rest of the game; most ask nothing."""
        if self._questions is None:
            searches, hub = self.services.assessments, self.services.hub
            self._questions = SeatQuestions(searches, hub, self.socket, self.seat)
        return self._questions

    @property
    def is_asking(self) -> bool:
        """Whether an answer to such a question is under way."""
        return self._questions is not None and self._questions.is_asking

    # The room.

    def begin(self, latest: VersionedRoom) -> None:
        """Send the state of the race, after `joined`."""
        self._follow(latest)
        self._send_end(RoomMessages(latest), with_match=False)

    def view(self, latest: VersionedRoom) -> RoomView:
        """Return the view of the room that this seat may see."""
        if self.waits:
            return waiting_view(latest.room, latest.v, self.seat_number)
        return room_view(latest.room, latest.v)

    def view_json(self, messages: RoomMessages) -> str:
        """Return the view of the room that this seat may see, as JSON."""
        return self.view(messages.latest).model_dump_json() if self.waits else messages.view_json

    def answer(self, latest: VersionedRoom, before: int) -> None:
        """Answer a command with the room, unless the hub has sent one since version `before`."""
        self.services.hub.update(latest)
        if self.v == before:
            self._send_version(RoomMessages(latest))
            self._follow(latest)

    def send_room(self, messages: RoomMessages) -> None:
        """Send a new version of the room and open or close the table with it."""
        latest = messages.latest
        if latest.v <= self.v or not self.socket.is_open:
            return
        waited, self.waits = self.waits, latest.room.applicant(self.seat_number) is not None
        seat = self.seat.find(latest.room)
        if self.is_leaving and (seat is None or seat.has_left):
            self.end(latest)
        elif seat is None or seat.was_kicked:
            self.socket.close(CloseCode.NOT_ADMITTED if waited else CloseCode.KICKED)
        elif self.seat.has_lost(seat):
            self.socket.close(self.seat.close_code(seat))
        elif seat.connection is not Presence.ON:
            # Other processes have reported this one dead, because it hung for a while.
            self.socket.close(CloseCode.RESYNC)
        else:
            self._send_version(messages)
            self._follow(latest)
            if waited and not self.waits:
                self.services.hub.send_standings(self.seat.room_code, self)
            self._send_end(messages, with_match=not messages.includes_match)

    def end(self, latest: VersionedRoom) -> None:
        """Send the room that the player has left, and close the socket."""
        self.socket.send(room_text(self.view(latest)))
        self.socket.close(NORMAL_CLOSURE)

    def resume_sending(self) -> None:
        """Send the latest version and standings if they were skipped: the peer has read."""
        skipped, self._skipped = self._skipped, None
        if skipped is not None:
            self._send_version(skipped)
        self.services.hub.resume(self.seat.room_code)

    def send_said(self, v: int, text: str) -> None:
        """Send a chat message, which is event `v`."""
        if self._missed is not None:
            self._missed.append((v, text))
        elif v > self._said_v and not self.waits:
            self._said_v = v
            self.socket.send(text)

    def send_missed(self, missed: Iterable[tuple[int, str]]) -> None:
        """Send the chat that the peer has missed, and what came meanwhile, in its order."""
        held, self._missed = self._missed or [], None
        for v, text in sorted({*missed, *held}):
            self.send_said(v, text)

    def can_receive(self) -> bool:
        """Return whether the socket can take standings or a board now."""
        return self.socket.is_open and not (self.waits or self.socket.is_behind())

    def send_standings(self, message: SharedText) -> bool:
        """Send standings or a watched board; return False if the peer is too slow."""
        # Seats that wait to be admitted see no race.
        return self.waits or self.socket.send_passing(message)

    def close(self, code: CloseCode) -> None:
        """Close the socket: its room cannot be read or followed here, or does not exist."""
        self.socket.close(code)

    def answer_ping(self, ping: Ping) -> None:
        """Answer a ping now, or after the answer to an `assess` before it."""
        if self.is_asking:
            self.questions.behind.append(lambda: self.answer_ping(ping))
        else:
            latest, now = self.latest, self.services.clock.now_ms()
            self.socket.send(pong_text(ping.t, now, 0 if latest is None else latest.v))

    def _send_version(self, messages: RoomMessages) -> None:
        """Send the room's changes; a peer that is slow to read gets the latest version later."""
        self.v = max(self.v, messages.latest.v)
        if self.socket.is_behind():
            self._skipped = messages
        elif self.waits:
            self.socket.send(room_text(self.view(messages.latest)))
            self._last_sent = None
        else:
            self.socket.send(messages.since(self._last_sent))
            self._last_sent = messages.latest

    def _send_end(self, messages: RoomMessages, *, with_match: bool) -> None:
        """Send the result of a round once, if it is over."""
        if self.waits:
            return
        was_over, self._is_over = self._is_over, messages.latest.room.state is RoomState.FINISHED
        if self._is_over and not was_over:
            self.socket.send(messages.over_text)
            if with_match:
                self.socket.send(messages.match_text)

    # The table.

    def _follow(self, latest: VersionedRoom) -> None:
        """Open or close the table with a version of the room; as the host's process, lead it."""
        room = latest.room
        seat, current = room.seat(self.seat_number), room.round
        is_at_table = seat is not None and seat.state in AT_TABLE
        if current is None or not is_at_table or room.state is not RoomState.RUNNING:
            self.close_table()
        elif self.table is None or self.table.closed or self.table.played.n != current.n:
            self.table = self._table_of(current)
            # Only for the first table: its acts make the record stale.
            record, self._record = self._record, None
            self.table.load(record)
        else:
            self.table.played = current
        if room.host == self.seat_number:
            services, address = self.services, self.seat.address
            if services.thinking is not None:
                services.thinking.deals.expect(room, lambda: services.deal_searches.take(address))
            if services.adopt_bots is not None:
                services.adopt_bots(room)

    def close_table(self) -> None:
        """Close the table, if there is one: the race is over for this seat."""
        if self.table is not None:
            self.table.closed = True

    def closed_round(self, act: Act) -> Round | None:
        """Return the seat's latest round, which has no table, if the act may belong to it."""
        latest = self.latest
        if latest is None or act.id > self._before_id:
            return None
        return latest.room.round_with(self.seat_number, self._before_n)

    def reopen(self, played: Round) -> LiveTable:
        """Open the table of a finished round for repeated acts only; it refuses new ones."""
        self.table = table = self._table_of(played)
        table.closed = True
        table.load(None)
        return table

    def _table_of(self, played: Round) -> LiveTable:
        if self.table is not None:
            self.table.retire()
        self._writer = LogWriter(self.seat.room_code, self.seat_number, self._writer.generation)
        return LiveTable(self.services, self.socket, self.seat, self._writer, played)


class Session:
    """One socket, and the holder of its seat once it has taken one; the store has all state."""

    __slots__ = ("address", "base", "holder", "is_busy", "is_disconnected", "services", "socket")

    def __init__(self, services: Services, socket: Socket, address: str, base: str) -> None:
        self.services, self.socket, self.address = services, socket, address
        self.base = base  # the start of links for other devices; empty if it is not known
        self.holder: SeatHolder | None = None
        self.is_busy = False  # whether a command is under way
        self.is_disconnected = False

    @property
    def is_seated(self) -> bool:
        """Whether this socket holds a seat."""
        return self.holder is not None and not self.holder.has_left

    @property
    def log_context(self) -> dict[str, str | int | None]:
        """The room and the seat, for log events."""
        seat = None if self.holder is None else self.holder.seat
        return {"room": seat and seat.room_code, "seat": seat and seat.number}

    def refuse(self, message: ClientMessage, code: ErrorCode, clash: Clash | None = None) -> None:
        """Refuse a command."""
        metrics.refusals.labels(code.value).inc()
        self.socket.send(refused_text(message, code, clash_details(clash)))
