"""Who a socket is: nobody yet, or the holder of a seat.

A session holds nothing that the store does not have, and does not know which websocket library
is underneath. The hub tells it of its room, its table of its game, and commands act through it.
"""

import contextlib
import time
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import structlog

from protocol.from_client import ClientMessage
from protocol.views import RoomView
from protocol.vocabulary import CloseCode, Connection, ErrorCode, Role, RoomState
from server import metrics
from server.rooms.events import Event, Reconnected
from server.rooms.identity import Origin, identify
from server.rooms.record import Room, VersionedRoom
from server.rooms.refusal import Refusal
from server.rooms.rounds import Clash
from server.sessions.feed import Feed
from server.sessions.reports import report_disconnected, report_game_ended
from server.sessions.seat_table import SeatTable
from server.sessions.services import Services
from server.sessions.socket import Socket
from server.store import StoreAway, Unreadable
from server.views.replies import clash_details, refused_text
from server.views.room_messages import RoomMessages

LINES = 5
LINES_S = 10.0
NO_ACTS = {RoomState.COUNTDOWN: ErrorCode.EARLY, RoomState.FINISHED: ErrorCode.TOO_LATE}
"""Refusals of acts by the state of the room; in all other states they are `not_racing`."""

log = structlog.get_logger()


class Replaced(Exception):  # noqa: N818  # nobody's error
    """A newer connection has the seat: nothing is done in its name any more."""


class Session:
    """The seat of one socket, from `take` until the socket leaves it."""

    def __init__(self, services: Services, wire: Socket, address: str) -> None:
        self.services = services
        self.address = address
        self.code: str | None = None
        self.seat = -1
        self.generation = 0
        self.tab = ""
        self.table = SeatTable(services, self)
        self._socket = wire
        self._feed = Feed(wire, self.send)
        self._lines: list[float] = []
        self._closed = False
        self._deaf = False
        self._home: str | None = None  # the room, even when the socket has gone

    @property
    def who(self) -> dict[str, str | int | None]:
        """The room and the seat, for the log."""
        return {"room": self._home, "seat": self.seat}

    @property
    def v(self) -> int:
        """The latest event of the room that this socket was sent."""
        return self._feed.v

    @property
    def closed(self) -> bool:
        """Whether nobody is there any more to be told anything."""
        return self._closed

    def latest(self) -> VersionedRoom | None:
        """Return the room as this process knows it."""
        return None if self.code is None else self.services.hub.latest(self.code)

    def send(self, text: str) -> None:
        """Send one message, if the socket is still there."""
        if not self._closed:
            self._socket.send(text)

    def close(self, code: CloseCode | int, reason: str = "") -> None:
        """Close the socket; nothing is sent any more."""
        if not self._closed:
            self._closed = True
            self._socket.close(code, reason)

    def end(self) -> None:
        """Send nothing any more: the socket is lost."""
        self._closed = True

    async def drop(self) -> None:
        """Leave the seat of a lost socket, which is kept for its owner; tell the others."""
        code, self.code = self.code, None
        if code is None:
            return
        log.info("seat left", room=code, seat=self.seat)
        self.services.boards.leave(self)
        await self.services.hub.leave(code, self, reported=False)
        await report_disconnected(self.services, code, self.seat, self.generation)

    def caught_up(self) -> None:
        """Send what a peer was spared that has read what was queued for it."""
        self._feed.caught_up()

    def send_room(self, messages: RoomMessages) -> None:
        """Follow the room into the state that these news tell of."""
        latest = messages.latest
        if latest.v <= self.v or self._closed or self._deaf:
            return
        waited = self._feed.update(latest)
        seat = latest.room.seat(self.seat) or latest.room.applicant(self.seat)
        if seat is None or seat.kicked:
            self.close(CloseCode.NOT_ADMITTED if waited else CloseCode.KICKED)
        elif seat.generation > self.generation:
            self._replaced_by(seat.tab)
        else:
            self._follow(messages)
            if not self._feed.waits and self._feed.over(latest):
                self.send(messages.over_text)
                if not messages.includes_match:
                    self.send(messages.match_text)
            if seat.connection is not Connection.ON:
                # Other processes took this one for dead, when it hung for a while.
                self.spawn(self._still_here(), "still here")

    def send_standings(self, text: str) -> bool:
        """Pass on a leaderboard, or a board that is watched; False if the peer is too slow."""
        return self._feed.passing(text)

    def send_said(self, v: int, text: str) -> None:
        """Pass on what somebody has said."""
        self._feed.said(v, text)

    def handle_rollback(self) -> None:
        """Begin again: the store has gone back to an older room than this socket was sent."""
        self.close(CloseCode.RESYNC)

    def handle_unreadable(self) -> None:
        """Go elsewhere: this process cannot read the room any more, and another one may."""
        self.close(CloseCode.DRAINING)

    def handle_closed(self) -> None:
        """End with the room, which is there no more."""
        self.close(CloseCode.NO_SUCH_ROOM)

    def replaced(self) -> None:
        """Give way to a newer connection of the seat: the room says from which tab."""
        if not self._closed:
            self.spawn(self._look_who_replaced(), "replaced")

    def taken_back(self) -> None:
        """Take the seat again: the store has lost that it was taken."""
        self.close(CloseCode.RESYNC)

    def unreadable(self, error: Unreadable) -> None:
        """Go elsewhere: this process cannot play the seat's game, and another one may."""
        if self._home is not None:
            self.spawn(self.services.repository.quarantine.meet(self._home, error), "unreadable")
        self.handle_unreadable()

    def gained(self) -> None:
        """Have the leaderboard sent: the figures of this seat are others now."""
        if self.code is not None:
            self.services.hub.standings_changed(self.code)

    def too_late(self) -> None:
        """Have the room read again, which has moved on: its notification may have been lost."""
        if self.code is not None:
            self.services.hub.reread(self.code)

    def over(self, n: int) -> None:
        """Report that this seat's game has ended."""
        assert self._home is not None, "a table stands in a room"
        self.spawn(report_game_ended(self.services, self._home, self.seat, n), "done")

    def why_closed(self) -> ErrorCode:
        """Return why an act means nothing in the room as it is."""
        latest = self.latest()
        state = RoomState.LOBBY if latest is None else latest.room.state
        return NO_ACTS.get(state, ErrorCode.NOT_RACING)

    def spawn(self, work: Coroutine[Any, Any, None], name: str) -> None:
        """Run something beside the reading of the socket, even past its end."""
        self.services.hub.spawn(work, name)

    async def take(self, latest: VersionedRoom, seat: int, tab: str) -> None:
        """Take a seat of the room for this socket.

        Raises:
            StoreAway: the store does not answer.
        """
        record = await self.services.store.take_seat(latest.room.code, seat)
        if record is None:  # it was there a moment ago: a failover has taken it back
            raise StoreAway("The seat is lost.")
        self.seat, self.generation, self.tab = seat, record.generation, tab
        self.table.taken(record)

    def welcome(self, latest: VersionedRoom) -> None:
        """Sit down; what the peer does not know yet comes after this page."""
        self.code = self._home = latest.room.code
        self._feed.begin(latest, self.seat)
        log.info("seat taken", room=self.code, seat=self.seat)

    async def arrive(self, latest: VersionedRoom) -> None:
        """After `joined`: send what is going on, and follow the room from now on."""
        self.table.follow(latest)
        if not self._feed.waits and self._feed.over(latest):
            self.send(RoomMessages(latest).over_text)
        await self.services.hub.enter(latest, self)

    def answer(self, latest: VersionedRoom, before: int) -> None:
        """Answer a command with the room as it is after it, and tell everybody else.

        `before` is `v` as it was when the command was given: if the hub has told this socket
        of the change meanwhile, that was the answer.
        """
        self.services.hub.update(latest)
        if self.v == before:  # nothing has changed, or the hub tells of it later, or has before
            self._follow(RoomMessages(latest))

    def refuse(self, message: ClientMessage, code: ErrorCode, clash: Clash | None = None) -> None:
        """Say why a command is not done."""
        metrics.refusals.labels(code.value).inc()
        self.send(refused_text(message, code, clash_details(clash)))

    def waits(self, latest: VersionedRoom) -> bool:
        """Return whether this seat waits for the host to let it in."""
        return latest.room.applicant(self.seat) is not None

    def view(self, latest: VersionedRoom) -> RoomView:
        """Return the room as this seat may see it."""
        return self._feed.view(latest)

    def role(self, latest: VersionedRoom) -> Role:
        """Return what this seat's owner came for."""
        seat = latest.room.seat(self.seat) or latest.room.applicant(self.seat)
        assert seat is not None, "the seat is this session's"
        return seat.role

    @contextlib.contextmanager
    def deaf(self) -> Iterator[None]:
        """What happens to the room meanwhile is heard afterwards, if what is done fails."""
        self._deaf = True
        try:
            yield
        except BaseException:
            self._deaf = False
            latest = self.latest()
            if latest is not None:
                self.send_room(RoomMessages(latest))
            raise

    def may_say(self) -> bool:
        """Whether this socket may say one more line: five in ten seconds are enough."""
        now = time.monotonic()
        if len(self._lines) == LINES and now - self._lines[0] < LINES_S:
            return False
        self._lines = [*self._lines[1 - LINES :], now]
        return True

    def as_holder(self, event: Event | Callable[[Room], Event]) -> Callable[[Room], Event]:
        """Return the event, made only while no newer connection has come back to the seat.

        What a replaced one knows of its game is out of date, and its return is none.
        """

        def make(room: Room) -> Event:
            seat = room.seat(self.seat) or room.applicant(self.seat)
            if seat is not None and seat.generation > self.generation:
                raise Replaced
            return event(room) if callable(event) else event

        return make

    def is_here(self) -> Callable[[Room], Event]:
        """Return the event that this session's seat is taken, here."""
        process = self.services.hub.process

        def back(room: Room) -> Event:
            networks, _ = identify(room.salt, Origin(self.address))
            return Reconnected(self.seat, self.generation, process, self.tab, networks)

        return self.as_holder(back)

    def _follow(self, messages: RoomMessages) -> None:
        """Send what is new of the room, and go to the table with it."""
        self._feed.room(messages)
        self.table.follow(messages.latest)

    async def _still_here(self) -> None:
        if self.code is not None and not self._closed:
            with contextlib.suppress(Replaced):
                await self.services.hub.apply(self.code, self.is_here())

    async def _look_who_replaced(self) -> None:
        code = self._home
        try:
            latest = None if code is None else await self.services.repository.read(code)
        except (Refusal, StoreAway, Unreadable):
            latest = None
        seat = None if latest is None else latest.room.seat(self.seat)
        self._replaced_by("" if seat is None else seat.tab)

    def _replaced_by(self, tab: str) -> None:
        """A page whose own connections overtook each other comes back; two pages do not fight."""
        same = self.tab != "" and tab == self.tab
        self.close(CloseCode.RESYNC if same else CloseCode.REPLACED)
