import contextlib
from collections.abc import Callable, Iterator

import structlog

from protocol.vocabulary import CloseCode, Presence
from server.live.room import SharedText
from server.rooms.events import Event
from server.rooms.record import Room, VersionedRoom
from server.sessions.room_feed import RoomFeed
from server.sessions.seat_reports import report_disconnected
from server.sessions.seat_table import SeatTable
from server.sessions.services import Services
from server.sessions.socket import Socket
from server.sessions.taken_seat import Replaced, TakenSeat
from server.store import SeatRecord, StoreAway
from server.views.rooms import RoomMessages

NORMAL_CLOSURE = 1_000
"""The close code, of the RFC, after a client has left its seat."""

log = structlog.get_logger()


class SeatHolder:
    """A socket as the holder of a seat, until it leaves the seat: a subscriber of the room.

    It sends the room's versions by its feed, and its table follows them.
    """

    __slots__ = (
        "_holds_back",
        "_leaves",
        "feed",
        "has_left",
        "seat",
        "seat_number",
        "send_said",
        "services",
        "socket",
        "table",
    )

    def __init__(
        self,
        services: Services,
        socket: Socket,
        seat: TakenSeat,
        record: SeatRecord,
        latest: VersionedRoom,
        *,
        misses_chat: bool,
    ) -> None:
        """Hold a seat, whose record in the store is `record` since it was taken.

        `joined` carries the version `latest` of the room; call `subscribe` once it is sent. A peer
        that misses chat gets none before `send_missed_chat` is called.
        """
        self.services = services
        self.socket = socket
        self.seat = seat
        self.seat_number = seat.number
        self.table = SeatTable(services, socket, seat, record)
        self.feed = RoomFeed(socket, latest, seat.number, misses_chat=misses_chat)
        # An attribute, since the method would do nothing but call another one.
        self.send_said: Callable[[int, str], None] = self.feed.send_said
        """Send a chat message, which is event `v`."""
        self.has_left = False
        self._holds_back = False  # while its own leaving is written
        self._leaves = False  # once it has begun to leave: the store may have that unanswered

    async def subscribe(self, latest: VersionedRoom) -> None:
        """Send the state of the race and subscribe to the room; call it after `joined` is sent."""
        self.table.follow(latest)
        self._lead(latest.room)
        if not self.feed.waits and self.feed.round_just_ended(latest):
            self.socket.send(RoomMessages(latest).over_text)
        await self.services.hub.enter(latest, self)

    async def send_missed_chat(self, have: int) -> None:
        """Send the chat after event `have`, and what was held back meanwhile.

        Call it after `subscribe`: the chat is read when the room is entered already, so none of it
        falls between. The client takes later messages as proof that it has the earlier ones.
        """
        try:
            missed = await self.services.repository.said(self.seat.room_code, have)
        except StoreAway:
            self.socket.close(CloseCode.RESYNC)
            raise
        self.feed.send_missed(missed)

    async def apply(self, event: Event | Callable[[Room], Event]) -> None:
        """Apply an event of this seat, and answer the command with the room after it.

        If the hub sends the new version meanwhile, that is the answer. Raises as
        `Repository.apply`, and `Replaced` if a newer connection has the seat.
        """
        before = self.feed.v
        services, seat = self.services, self.seat
        self.answer(await services.repository.apply(seat.room_code, seat.fenced(event)), before)

    def answer(self, latest: VersionedRoom, before: int) -> None:
        """Answer a command with the room, unless the hub sends it.

        `before` is the version that the client had before the command.
        """
        self.services.hub.rooms.update(latest)
        if self.feed.v == before:  # the hub has sent nothing since
            self._follow(RoomMessages(latest))

    async def leave(self) -> None:
        """Leave the seat, which the room does not keep."""
        self.table.close()
        await self._unsubscribe(reported=True)

    async def handle_disconnect(self) -> None:
        """Leave the seat of a lost socket and report it to the room, which keeps the seat."""
        seat = self.seat
        log.info("seat left", room=seat.room_code, seat=seat.number)
        self.services.lost_acts.keep(seat.room_code, seat.number)
        await self._unsubscribe(reported=False)
        await report_disconnected(self.services, seat)

    async def _unsubscribe(self, *, reported: bool) -> None:
        self.has_left = True
        self.services.boards.leave(self)
        await self.services.hub.leave(self.seat.room_code, self, reported=reported)

    @contextlib.contextmanager
    def hold_back_room(self) -> Iterator[None]:
        """Hold back versions of the room while it leaves; send the latest one if that fails."""
        self._holds_back = self._leaves = True
        try:
            yield
        except BaseException:
            self._holds_back = False
            latest = self.services.hub.rooms.latest(self.seat.room_code)
            if latest is not None:
                self.send_room(RoomMessages(latest))
            raise

    def send_room(self, messages: RoomMessages) -> None:
        """Send a new version of the room and open or close the table with it."""
        latest = messages.latest
        if latest.v <= self.feed.v or self._holds_back or not self.socket.is_open:
            return
        waited = self.feed.update(latest)
        seat = self.seat.find(latest.room)
        if self._leaves and (seat is None or seat.has_left):
            self.socket.close(NORMAL_CLOSURE)
        elif seat is None or seat.was_kicked:
            self.socket.close(CloseCode.NOT_ADMITTED if waited else CloseCode.KICKED)
        elif seat.generation > self.seat.generation:
            self.socket.close(self.seat.close_code(seat.tab))
        else:
            self._follow(messages)
            if waited and not self.feed.waits:
                self.services.hub.send_standings(self.seat.room_code, self)
            if not self.feed.waits and self.feed.round_just_ended(latest):
                self.socket.send(messages.over_text)
                if not messages.includes_match:
                    self.socket.send(messages.match_text)
            if seat.connection is not Presence.ON:
                # Other processes have reported this one dead, because it hung for a while.
                self.services.hub.spawn(self._report_connected(), "still here")

    def send_standings(self, message: SharedText) -> bool:
        """Send standings or a watched board; return False if the peer is too slow."""
        # Seats that wait to be admitted see no race.
        return self.feed.waits or self.socket.send_passing(message)

    def handle_rollback(self) -> None:
        """Make the client reconnect: the store has lost versions that were sent."""
        self.socket.close(CloseCode.RESYNC)

    def handle_unreadable(self) -> None:
        """Make the client reconnect: another process may be able to read the room."""
        self.socket.close(CloseCode.DRAINING)

    def handle_closed(self) -> None:
        """Close the socket: the room does not exist any more."""
        self.socket.close(CloseCode.NO_SUCH_ROOM)

    def _follow(self, messages: RoomMessages) -> None:
        """Send the room's changes, and open or close the table with them."""
        self.feed.send_room(messages)
        self.table.follow(messages.latest)
        self._lead(messages.latest.room)

    def _lead(self, room: Room) -> None:
        """Do what the process of the host does, if this is the host's seat."""
        if room.host == self.seat_number:
            self.services.lead(room, self.seat.address)

    async def _report_connected(self) -> None:
        if self.socket.is_open:
            hub, seat = self.services.hub, self.seat
            with contextlib.suppress(Replaced):
                await hub.apply(seat.room_code, seat.reconnection(hub.process))
