"""The socket that holds a seat: its feeds of the room and the chat, and the table of its race."""

from collections.abc import Iterable

from protocol.from_client import Act, ClientMessage, Ping
from protocol.views import RoomView
from protocol.vocabulary import CloseCode, ErrorCode, Presence, RoomState, SeatState
from server import metrics
from server.live.room import SharedText
from server.rooms.record import Room, Round, VersionedRoom
from server.rooms.settings import Clash
from server.sessions.assessments import SeatAssessments
from server.sessions.services import Services
from server.sessions.table import LiveTable
from server.sessions.taken_seat import Socket, TakenSeat
from server.store import LogWriter, SeatRecord
from server.views.replies import clash_details, pong_text, refused_text, room_text
from server.views.rooms import RoomMessages, includes_match, room_view, waiting_view

NORMAL_CLOSURE = 1_000  # the close code of RFC 6455 after a client has left its seat
AT_TABLE = {SeatState.RACING, SeatState.CHASING, SeatState.FINISHED}


class RoomFeed:
    """Send a socket each version of its room once, and each result of a round once.

    A slow peer gets only the latest version, once it can receive again.
    """

    __slots__ = ("_is_over", "_seat_number", "_sent", "_skipped", "_socket", "is_applicant", "v")

    def __init__(self, socket: Socket, seat_number: int, latest: VersionedRoom) -> None:
        """Continue after the `joined` message, which contains the version `latest`."""
        self._socket, self._seat_number = socket, seat_number
        self.v = latest.v  # the latest version that was sent or skipped
        self.update_applicant(latest)
        # The version that the peer has. None: an applicant has seen no room, so send it whole.
        self._sent = None if self.is_applicant else latest
        self._skipped: RoomMessages | None = None  # the latest version, if it was skipped
        self._is_over = False  # whether the latest round is over and the peer has its result

    def update_applicant(self, latest: VersionedRoom) -> None:
        """Update `is_applicant`: whether the player waits for the host to let them in."""
        self.is_applicant = latest.room.applicant(self._seat_number) is not None

    def view(self, latest: VersionedRoom) -> RoomView:
        """Return what this player may see of the room."""
        if self.is_applicant:
            return waiting_view(latest.room, latest.v, self._seat_number)
        return room_view(latest.room, latest.v)

    def view_json(self, messages: RoomMessages) -> str:
        """Return `view` as JSON, made only once for all players that the host has let in."""
        if self.is_applicant:
            return self.view(messages.latest).model_dump_json()
        return messages.view_json

    def send(self, messages: RoomMessages) -> None:
        """Send what this version of the room changes, or skip it while the peer is behind."""
        self.v = max(self.v, messages.latest.v)
        if self._socket.is_behind():
            self._skipped = messages
        elif self.is_applicant:
            self._socket.send(room_text(self.view(messages.latest)))
            self._sent = None  # once let in, this player needs the whole room
        else:
            self._socket.send(messages.since(self._sent))
            self._sent = messages.latest

    def send_skipped(self) -> None:
        """Send the latest version if it was skipped, now that the peer can receive again."""
        skipped, self._skipped = self._skipped, None
        if skipped is not None:
            self.send(skipped)

    def send_result(self, messages: RoomMessages, *, with_match: bool) -> None:
        """Send a round's result when it is over; `with_match`: also the cards of the match."""
        if self.is_applicant:
            return
        was_over, self._is_over = self._is_over, messages.latest.room.state is RoomState.FINISHED
        if self._is_over and not was_over:
            self._socket.send(messages.over_text)
            if with_match:
                self._socket.send(messages.match_text)


class ChatFeed:
    """Send a socket each chat message of its room once and in order, from the first one missed."""

    __slots__ = ("_backlog", "_room", "_socket", "_v")

    def __init__(self, socket: Socket, room: RoomFeed) -> None:
        """Start with nothing sent; while `room.is_applicant`, messages are dropped."""
        self._socket, self._room = socket, room
        self._v = 0  # the event number of the latest message sent
        # New messages, kept until those that the peer has missed are sent; None from then on.
        self._backlog: list[tuple[int, str]] | None = []

    def send(self, v: int, text: str) -> None:
        """Send the chat message that is event `v`, or keep it until `send_missed` is called."""
        if self._backlog is not None:
            self._backlog.append((v, text))
        elif v > self._v and not self._room.is_applicant:
            self._v = v
            self._socket.send(text)

    def send_missed(self, missed: Iterable[tuple[int, str]]) -> None:
        """Send the messages that the peer has `missed`, and those kept since."""
        backlog, self._backlog = self._backlog or [], None
        for v, text in sorted({*missed, *backlog}):
            self.send(v, text)


class SeatHolder:
    """A socket that holds a seat, from taking it to leaving it: a `Subscriber` of the room.

    When a race is over, its table is closed but stays until the next race.
    """

    __slots__ = (
        *("_record", "assessments", "base", "chat", "feed", "has_left", "is_leaving", "seat"),
        *("seat_number", "services", "socket", "table"),
    )

    def __init__(
        self, session: "Session", seat: TakenSeat, record: SeatRecord, latest: VersionedRoom
    ) -> None:
        """Hold a seat whose stored `record` was read when it was taken.

        The caller sends `joined` with the version `latest` of the room, and then calls `start`
        and `chat.send_missed`. Until then no chat is sent.
        """
        self.services, self.socket, self.base = session.services, session.socket, session.base
        self.seat, self.seat_number = seat, seat.number
        self.feed = RoomFeed(self.socket, seat.number, latest)
        self.chat = ChatFeed(self.socket, self.feed)
        self.table: LiveTable | None = None  # of the latest race that the seat plays here
        self._record = record  # as it was when the seat was taken
        searches, hub = self.services.assessments, self.services.hub
        self.assessments = SeatAssessments(searches, hub, self.socket, seat)
        self.has_left = False  # whether the socket no longer holds the seat
        self.is_leaving = False  # whether the player has asked to leave the room

    @property
    def latest(self) -> VersionedRoom | None:
        """The latest version of the room that this process knows, if any."""
        return self.services.hub.latest(self.seat.room_code)

    @property
    def is_applicant(self) -> bool:
        """Whether the player waits to be admitted by the host."""
        return self.feed.is_applicant

    def start(self, latest: VersionedRoom) -> None:
        """Open the table of a running race, or send the result; called after `joined` is sent."""
        self._follow(latest)
        # `joined` has the cards of the match; in a large room the client asks for them instead.
        self.feed.send_result(RoomMessages(latest), with_match=False)

    def reply(self, latest: VersionedRoom, v_before: int) -> None:
        """Reply to a command with the room, unless a version later than `v_before` was sent."""
        self.services.hub.update(latest)  # sends it here too, but perhaps only later
        if self.feed.v == v_before:
            self.feed.send(RoomMessages(latest))
            self._follow(latest)

    def send_room(self, messages: RoomMessages) -> None:
        """Send a new version of the room, and open or close the table to match it."""
        latest = messages.latest
        if latest.v <= self.feed.v or not self.socket.is_open:
            return
        was_applicant = self.feed.is_applicant
        self.feed.update_applicant(latest)
        seat = self.seat.find(latest.room)
        if self.is_leaving and (seat is None or seat.has_left):
            self.end(latest)
        elif seat is None or seat.was_kicked:
            self.socket.close(CloseCode.NOT_ADMITTED if was_applicant else CloseCode.KICKED)
        elif self.seat.has_lost(seat):
            self.socket.close(self.seat.close_code(seat))
        elif seat.connection is not Presence.ON:
            # This process hung for a while, so others have reported its connections as lost.
            self.socket.close(CloseCode.RESYNC)
        else:
            self.feed.send(messages)
            self._follow(latest)
            if was_applicant and not self.feed.is_applicant:
                self.services.hub.send_standings(self.seat.room_code, self)
            # In a large room the `room` message omits the cards of the match.
            self.feed.send_result(messages, with_match=not includes_match(latest.room))

    def end(self, latest: VersionedRoom) -> None:
        """Send the room that the player has left, and close the socket."""
        self.socket.send(room_text(self.feed.view(latest)))
        self.socket.close(NORMAL_CLOSURE)

    def resume_sending(self) -> None:
        """Send the latest version and standings if they were skipped while the peer was slow."""
        self.feed.send_skipped()
        self.services.hub.send_skipped(self.seat.room_code)

    def send_said(self, v: int, text: str) -> None:
        """Send a chat message, which is event `v`."""
        self.chat.send(v, text)

    def can_receive(self) -> bool:
        """Return whether the socket can take standings or a board now."""
        return self.socket.is_open and not (self.feed.is_applicant or self.socket.is_behind())

    def send_skippable(self, message: SharedText) -> bool:
        """Send standings or a watched board; return False if the peer is too slow."""
        # Applicants see no race, so they miss nothing.
        return self.feed.is_applicant or self.socket.send_skippable(message)

    def close(self, code: CloseCode) -> None:
        """Close the socket: its room is gone, or this process cannot read or follow it."""
        self.socket.close(code)

    def reply_to_ping(self, ping: Ping) -> None:
        """Reply to a ping, once all earlier messages have their replies, even an `assess`."""
        if self.assessments.is_running:
            self.assessments.postponed.append(lambda: self.reply_to_ping(ping))
        else:
            latest, now_ms = self.latest, self.services.clock.now_ms()
            self.socket.send(pong_text(ping.t, now_ms, 0 if latest is None else latest.v))

    def _follow(self, latest: VersionedRoom) -> None:
        """Open or close the table to match the room.

        For the host's seat, also find a deal for the next round, and play the computer players.
        """
        room, services, address = latest.room, self.services, self.seat.address
        self._update_table(room)
        if room.host != self.seat_number:
            return
        if services.thinking is not None:
            services.thinking.deals.expect(room, lambda: services.deal_search_limits.take(address))
        if services.adopt_bots is not None:
            services.adopt_bots(room)

    def _update_table(self, room: Room) -> None:
        """Open the table of the seat's race, or close it when the race is over."""
        seat, current = room.seat(self.seat_number), room.round
        is_at_table = seat is not None and seat.state in AT_TABLE
        if current is None or not is_at_table or room.state is not RoomState.RUNNING:
            self.close_table()
        elif self.table is None or self.table.is_closed or self.table.played.n != current.n:
            # An earlier table may have stored acts, which the record lacks.
            self._open_table(current, self._record if self.table is None else None)
        else:
            self.table.played = current

    def close_table(self) -> None:
        """Close the table, if there is one: its game is over."""
        if self.table is not None:
            self.table.is_closed = True

    def earlier_round(self, act: Act) -> Round | None:
        """Return the last round played before this socket took the seat, if `act` may be in it."""
        latest = self.latest
        if latest is None or act.id > self._record.last_id:
            return None
        return latest.room.round_with(self.seat_number, self._record.n)

    def reopen(self, played: Round) -> LiveTable:
        """Open and return the table of a finished round, which only replies to repeated acts."""
        table = self._open_table(played, None)
        table.is_closed = True
        return table

    def _open_table(self, played: Round, record: SeatRecord | None) -> LiveTable:
        """Replace the current table, if any, with a new one for a round, and load its game.

        Its writer starts with the previous table's generation. Loading the game raises this, so
        the store takes no more acts from the previous table.
        """
        generation = self._record.generation
        if self.table is not None:
            generation = self.table.writer.generation
            self.table.retire()
        writer = LogWriter(self.seat.room_code, self.seat_number, generation)
        self.table = LiveTable(self.services, self.socket, self.seat, writer, played)
        self.table.load(record)
        return self.table


class Session:
    """One socket, and its `SeatHolder` once it has taken a seat."""

    __slots__ = ("address", "base", "holder", "is_busy", "is_disconnected", "services", "socket")

    def __init__(self, services: Services, socket: Socket, address: str, base: str) -> None:
        self.services, self.socket, self.address = services, socket, address
        self.base = base  # how links to this server start, for other devices; "" if unknown
        self.holder: SeatHolder | None = None  # once it has taken a seat
        self.is_busy = False  # whether a command is running
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
        """Refuse a command. If its settings clash with others, `clash` names them."""
        metrics.refusals.labels(code.value).inc()
        self.socket.send(refused_text(message, code, clash_details(clash)))
