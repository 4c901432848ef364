"""The session of one socket: first without a seat, then the holder of a seat.

A session holds no state that the store does not have, and is independent of the websocket
library. The hub sends it the room's updates, its table the game's, and commands act through it.
"""

import contextlib
from collections.abc import AsyncIterator, Coroutine, Iterator
from typing import Any

import structlog

from protocol.from_client import ClientMessage
from protocol.views import RoomView
from protocol.vocabulary import CloseCode, ErrorCode, Presence, Role, RoomState
from server import metrics
from server.live.shared_text import SharedText
from server.networks import is_loopback
from server.rooms.record import VersionedRoom
from server.rooms.refusal import Refusal
from server.rooms.rounds import Clash
from server.sessions.feed import Feed
from server.sessions.holding import Holding, Replaced
from server.sessions.reports import report_disconnected, report_game_ended
from server.sessions.seat_table import SeatTable
from server.sessions.services import Services
from server.sessions.socket import Socket
from server.store import SeatFigures, SeatRecord, StoreAway, Unreadable
from server.views.replies import clash_details, refused_text
from server.views.room_messages import RoomMessages

CHAT_MESSAGES = 5
CHAT_INTERVAL_S = 10.0
NO_ACTS = {RoomState.COUNTDOWN: ErrorCode.EARLY, RoomState.FINISHED: ErrorCode.TOO_LATE}
"""Refusals of acts by the state of the room; in all other states they are `not_racing`."""

log = structlog.get_logger()


class Session:
    """The seat of one socket, from `take` until `leave_seat`."""

    def __init__(self, services: Services, socket: Socket, address: str) -> None:
        self.services = services
        self.address = address
        self.code: str | None = None
        self.seat = -1
        self.generation = 0
        self.tab = ""
        self.table = SeatTable(services, self)
        self._socket = socket
        self.send = socket.send
        """Send one message, if the socket is still there."""
        self.figures_changed = services.hub.figures_changed
        """Send the figures of a seat to its room."""
        self._feed = Feed(socket, self.send)
        self._closed = False
        self._holding = False
        self._room_code: str | None = None  # the room, also after the socket is lost

    @property
    def log_context(self) -> dict[str, str | int | None]:
        """Return the room and the seat, for log events."""
        return {"room": self._room_code, "seat": self.seat}

    @property
    def v(self) -> int:
        """Return the latest event of the room that was sent to this socket."""
        return self._feed.v

    @property
    def closed(self) -> bool:
        """Return whether the socket is closed or lost."""
        return self._closed

    def latest(self) -> VersionedRoom | None:
        """Return the latest version of the room that this process has read or written."""
        return None if self.code is None else self.services.hub.latest(self.code)

    def close(self, code: CloseCode | int, reason: str = "") -> None:
        """Close the socket; nothing is sent any more."""
        if not self._closed:
            self._closed = True
            self._socket.close(code, reason)

    def end(self) -> None:
        """Stop sending: the socket is lost."""
        self._closed = True

    async def leave_seat(self) -> None:
        """Leave the seat of a lost socket and report it to the room, which keeps the seat."""
        code, self.code = self.code, None
        if code is None:
            return
        log.info("seat left", room=code, seat=self.seat)
        self.services.boards.leave(self)
        self.services.losses.keep(code, self.seat)
        await self.services.hub.leave(code, self, reported=False)
        await report_disconnected(self.services, code, self.seat, self.generation)

    def resume_sending(self) -> None:
        """Send the latest state that was skipped while the peer was slow to read."""
        self._feed.resume_sending()

    def send_room(self, messages: RoomMessages) -> None:
        """Send a new version of the room and open or close the table with it."""
        latest = messages.latest
        if latest.v <= self.v or self._closed or self._holding:
            return
        waited = self._feed.update(latest)
        seat = latest.room.seat(self.seat) or latest.room.applicant(self.seat)
        if seat is None or seat.kicked:
            self.close(CloseCode.NOT_ADMITTED if waited else CloseCode.KICKED)
        elif seat.generation > self.generation:
            self.close_replaced_by(seat.tab)
        else:
            self._follow(messages)
            if waited and not self._feed.waits and self.code is not None:
                self.services.hub.send_standings(self.code, self)
            if not self._feed.waits and self._feed.round_just_ended(latest):
                self.send(messages.over_text)
                if not messages.includes_match:
                    self.send(messages.match_text)
            if seat.connection is not Presence.ON:
                # Other processes have reported this one dead, because it hung for a while.
                self.spawn(self._report_connected(), "still here")

    def send_standings(self, message: SharedText) -> bool:
        """Send standings or a watched board; return False if the peer is too slow."""
        # Seats that wait to be admitted see no race.
        return self._closed or self._feed.waits or self._socket.send_passing(message)

    def send_said(self, v: int, text: str) -> None:
        """Send a chat message, which is event `v`."""
        self._feed.send_said(v, text)

    @contextlib.asynccontextmanager
    async def missed_chat(self, have: int) -> AsyncIterator[None]:
        """Enter the room in the block, and then send the chat after event `have`.

        The chat is read when the room is entered already, so none of it falls between. What comes
        meanwhile is held back: the client takes later messages as proof that it has the earlier.
        """
        self._feed.hold_said()
        yield
        assert self.code is not None, "the session has a seat"
        try:
            missed = await self.services.repository.said(self.code, have)
        except StoreAway:
            self.close(CloseCode.RESYNC)
            raise
        self._feed.send_missed(missed)

    def handle_rollback(self) -> None:
        """Make the client reconnect: the store has lost versions that were sent."""
        self.close(CloseCode.RESYNC)

    def handle_unreadable(self) -> None:
        """Make the client reconnect: another process may be able to read the room."""
        self.close(CloseCode.DRAINING)

    def handle_closed(self) -> None:
        """Close the socket: the room does not exist any more."""
        self.close(CloseCode.NO_SUCH_ROOM)

    def handle_replaced(self) -> None:
        """Close the socket for a newer connection of the seat, by the tab in the room's record."""
        if not self._closed:
            self.spawn(self._close_replaced(), "replaced")

    def handle_seat_lost(self) -> None:
        """Make the client reconnect: the store has lost that this connection took the seat."""
        self.close(CloseCode.RESYNC)

    def handle_unreadable_log(self, error: Unreadable) -> None:
        """Set the room aside and close: another process may be able to replay the seat's log."""
        if self._room_code is not None:
            self.spawn(
                self.services.repository.quarantine.add(self._room_code, error), "unreadable"
            )
        self.handle_unreadable()

    def handle_figures_read(self, figures: SeatFigures) -> None:
        """Compare the figures of this seat in the store with those of the room."""
        if self.code is not None:
            self.services.losses.loaded(self.code, figures)
            self.services.hub.figures_read(self.code, figures)

    def handle_too_late(self) -> None:
        """Read the room again, which has moved on: its notification may be lost."""
        if self.code is not None:
            self.services.hub.reread(self.code)

    def handle_game_ended(self, n: int) -> None:
        """Report that this seat's game has ended."""
        assert self._room_code is not None, "a table stands in a room"
        self.spawn(report_game_ended(self.services, self._room_code, self.seat, n), "done")

    def refusal_when_closed(self) -> ErrorCode:
        """Return the code that refuses acts in the room's present state."""
        latest = self.latest()
        state = RoomState.LOBBY if latest is None else latest.room.state
        return NO_ACTS.get(state, ErrorCode.NOT_RACING)

    def spawn(self, work: Coroutine[Any, Any, None], name: str) -> None:
        """Run `work` in a task of its own, which may outlive the socket."""
        self.services.hub.spawn(work, name)

    async def take(self, latest: VersionedRoom, seat: int, tab: str, token_hash: str) -> None:
        """Take a seat of the room for this socket; `token_hash` is that of its token.

        Raises:
            StoreAway: the store does not answer, or does not have this seat any more.
        """
        record = await self.services.store.take_seat(latest.room.code, seat)
        # A failover has lost the seat, or its number belongs to another person by now.
        if record is None or record.token_hash != token_hash:
            raise StoreAway("The seat is lost.")
        self.hold(seat, record, tab)

    def hold(self, seat: int, record: SeatRecord, tab: str = "") -> None:
        """Hold a seat from now on; the store has its record since this socket took it."""
        self.seat, self.generation, self.tab = seat, record.generation, tab
        self.table.taken(record)

    def attach(self, latest: VersionedRoom) -> None:
        """Attach this session to the room; `joined` carries this version of it."""
        self.code = self._room_code = latest.room.code
        self._feed.begin(latest, self.seat)
        log.info("seat taken", room=self.code, seat=self.seat)

    async def subscribe(self, latest: VersionedRoom) -> None:
        """Send the state of the race and subscribe to the room; call it after `joined` is sent."""
        self.table.follow(latest)
        if not self._feed.waits and self._feed.round_just_ended(latest):
            self.send(RoomMessages(latest).over_text)
        await self.services.hub.enter(latest, self)

    def answer(self, latest: VersionedRoom, before: int) -> None:
        """Answer a command with the room after it, and send the room to the other sessions.

        `before` is `v` when the command was received: if the hub has sent this change to the
        socket meanwhile, that was the answer.
        """
        self.services.hub.update(latest)
        if self.v == before:  # the hub has not sent this version in this call
            self._follow(RoomMessages(latest))

    def refuse(self, message: ClientMessage, code: ErrorCode, clash: Clash | None = None) -> None:
        """Refuse a command with a code."""
        metrics.refusals.labels(code.value).inc()
        self.send(refused_text(message, code, clash_details(clash)))

    def waits(self, latest: VersionedRoom) -> bool:
        """Return whether this seat waits for the host to admit it."""
        return latest.room.applicant(self.seat) is not None

    def view(self, latest: VersionedRoom) -> RoomView:
        """Return the view of the room that this seat may see."""
        return self._feed.view(latest)

    def view_json(self, messages: RoomMessages) -> str:
        """Return the view of the room that this seat may see, as JSON."""
        return self._feed.view_json(messages)

    def role(self, latest: VersionedRoom) -> Role:
        """Return the role of this seat."""
        seat = latest.room.seat(self.seat) or latest.room.applicant(self.seat)
        assert seat is not None, "the seat is this session's"
        return seat.role

    @contextlib.contextmanager
    def hold_updates(self) -> Iterator[None]:
        """Hold back updates of the room; send the latest one if the block fails."""
        self._holding = True
        try:
            yield
        except BaseException:
            self._holding = False
            latest = self.latest()
            if latest is not None:
                self.send_room(RoomMessages(latest))
            raise

    @property
    def holding(self) -> Holding:
        """Return under what this session holds its seat."""
        return Holding(self.seat, self.generation, self.tab, self.address)

    def may_say(self) -> bool:
        """Return whether the seat and the address may send one more chat message; count it."""
        services = self.services
        return services.chat.take(self._seat_name, CHAT_MESSAGES, CHAT_INTERVAL_S) and (
            is_loopback(self.address) or services.chat_of_address.take(self.address)
        )

    def may_command(self) -> bool:
        """Return whether the seat, if any, and the address may send one more command; count it."""
        services = self.services
        return (self.code is None or services.commands.take(self._seat_name)) and (
            is_loopback(self.address) or services.commands_of_address.take(self.address)
        )

    def may_send_table(self) -> bool:
        """Count a whole table that answers an act as a command; close if there are too many."""
        may = self.may_command()
        if not may:
            self.close(CloseCode.TOO_FAST)
        return may

    @property
    def _seat_name(self) -> str:
        """The seat as limits know it: they hold for all its sockets, one after another."""
        return f"{self.code} {self.seat}"

    def _follow(self, messages: RoomMessages) -> None:
        """Send the room's changes, and open or close the table with them."""
        self._feed.send_room(messages)
        self.table.follow(messages.latest)

    async def _report_connected(self) -> None:
        if self.code is not None and not self._closed:
            with contextlib.suppress(Replaced):
                await self.services.hub.apply(self.code, self.holding.reconnection(self.services))

    async def _close_replaced(self) -> None:
        code = self._room_code
        try:
            latest = None if code is None else await self.services.repository.read(code)
        except (Refusal, StoreAway, Unreadable):
            latest = None
        seat = None if latest is None else latest.room.seat(self.seat)
        self.close_replaced_by("" if seat is None else seat.tab)

    def close_replaced_by(self, tab: str) -> None:
        """Close the socket; the client reconnects if its own tab holds the seat now."""
        same = self.tab != "" and tab == self.tab
        self.close(CloseCode.RESYNC if same else CloseCode.REPLACED)
