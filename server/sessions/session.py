"""Who a socket is: nobody yet, or the holder of a seat.

A session hears frames, one after the other, and answers each command exactly once. It never
knows which websocket library is underneath, and holds nothing that the store does not have.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import structlog

from protocol import codec
from protocol.errors import CloseCode, ErrorCode
from protocol.from_client import Act, ClientMessage, Hint, Join, Ping, Resume, Role
from protocol.views import Connection, RoomState, RoomView, SeatState
from server import metrics
from server.rooms.events import Done, Drop, Event
from server.rooms.record import Page, Round
from server.rooms.refusal import Refusal
from server.rooms.rounds import Clash
from server.sessions.dispatch import Replaced, dispatch, is_here
from server.sessions.place import Place
from server.sessions.rate_limit import RateLimit
from server.sessions.services import Services
from server.sessions.table import LiveTable
from server.sessions.wire import Wire
from server.store import SeatRecord, StoreAway, Unreadable
from server.views.news import News
from server.views.replies import (
    clash_details,
    error_text,
    pong_text,
    refused_text,
    room_text,
)
from server.views.rooms import room_view, waiting_view

STRIKES = 3
COMMANDS = 50
COMMANDS_PER_S = 3
"""All but acts and pings: what changes a room is told to everybody in it."""
LINES = 5
LINES_S = 10.0
AT_TABLE = {SeatState.RACING, SeatState.CHASING, SeatState.FINISHED}
NO_ACTS = {RoomState.COUNTDOWN: ErrorCode.EARLY, RoomState.FINISHED: ErrorCode.TOO_LATE}
"""Refusals of acts by the state of the room; in all other states they are `not_racing`."""
RETRY_S = 0.5
UNREADABLE_S = 5.0
LONGEST_UNREADABLE_S = 5 * 60.0
"""Rooms that cannot be read are tried again after the first, then at intervals up to this."""

log = structlog.get_logger()


class Session:
    """One socket, from its first frame to its end."""

    def __init__(self, services: Services, wire: Wire, address: str) -> None:
        self.services = services
        self.address = address
        self.code: str | None = None
        self.seat = -1
        self.generation = 0
        self.tab = ""
        self.table: LiveTable | None = None  # closed after its round, until the next one begins
        self._wire = wire
        self._before: tuple[int, int] = (0, 0)  # round and id of the latest act before this socket
        self._taken: SeatRecord | None = None  # the seat as it was taken, for its first table
        self.v = 0
        self._told: Page | None = None  # the room as it was sent last
        self._late: News | None = None
        self._strikes = 0
        self._commands = RateLimit(COMMANDS, COMMANDS_PER_S)
        self._said_v = 0
        self._lines: list[float] = []
        self._over = False
        self._closed = False
        self._busy = False
        self._gone = False
        self._deaf = False
        self._waits = False  # until the host lets this seat in
        self._home: str | None = None  # the room, even when the socket has gone

    @property
    def seated(self) -> bool:
        """Whether this socket holds a seat."""
        return self.code is not None

    @property
    def who(self) -> dict[str, str | int | None]:
        """The room and the seat, for the log."""
        return {"room": self._home, "seat": self.seat}

    # What the wire tells

    def hear(self, text: str | bytes) -> Coroutine[Any, Any, None] | None:
        """One frame. What it returns is to be awaited before the next frame is given."""
        message = codec.parse(text)
        if isinstance(message, codec.BadMessage):
            self._strike(message.where)
            return None
        if self.code is not None:
            if isinstance(message, Act):
                self._act(message)
                return None
            if isinstance(message, Ping):
                self._pong(message)
                return None
        if not self._commands.take():
            self.close(CloseCode.TOO_FAST)
            return None
        if isinstance(message, Hint) and self.code is not None:
            self._hint(message)
            return None
        return self._answer(message)

    def hear_binary(self) -> None:
        """A binary frame: nothing that we speak."""
        self._strike("binary")

    async def gone(self) -> None:
        """The socket is closed: the seat is kept, and the others are told.

        A command that is under way is finished first: it may be taking the seat just now.
        """
        self._closed = self._gone = True
        if not self._busy:
            await self._drop()

    async def _drop(self) -> None:
        code, self.code = self.code, None
        if code is None:
            return
        log.info("seat left", room=code, seat=self.seat)
        self.services.boards.leave(self)
        await self.services.hub.leave(code, self, told=False)
        await self._tell_dropped(code)

    async def _tell_dropped(self, code: str) -> None:
        """Tells the room, which would wait for this seat for ever."""
        with contextlib.suppress(Refusal):  # there is no such room any more, or no such seat
            await self._report(code, lambda now: Drop(self.seat, self.generation, now))
        await self.services.hub.forget(code)

    async def _report(self, code: str, event: Callable[[int], Event]) -> None:
        """Apply an event, made for the time at which it is applied, whatever it takes.

        While this process lives no other one reports it. Rooms that cannot be read are tried
        less and less often.

        Raises:
            Refusal: there is no such room any more, or it does not allow the event.
        """
        pause = UNREADABLE_S
        while True:
            try:
                now = await self.services.store.now()
                await self.services.hub.apply(code, event(now))
            except StoreAway:
                await asyncio.sleep(RETRY_S)
            except Unreadable:
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_UNREADABLE_S)
            else:
                return

    # What the hub tells

    def hear_room(self, news: News) -> None:
        """The room is now as these news say."""
        page = news.page
        if page.v <= self.v or self._closed or self._deaf:
            return
        waited, self._waits = self._waits, self.waits(page)
        seat = page.room.seat(self.seat) or page.room.applicant(self.seat)
        if seat is None or seat.kicked:
            self.close(CloseCode.NOT_ADMITTED if waited else CloseCode.KICKED)
        elif seat.generation > self.generation:
            self._replaced_by(seat.tab)
        else:
            self.v = page.v
            self._tell(news)
            self._follow(page)
            if not self._waits and self._told_over(page):
                self.send(news.over_text)
                if not news.match_comes_along:
                    self.send(news.match_text)
            if seat.connection is not Connection.ON:
                # Others took this process for dead, when it hung for a while.
                self.spawn(self._still_here(), "still here")

    def caught_up(self) -> None:
        """The peer has read what was queued for it: the latest of the room is no burden now."""
        late, self._late = self._late, None
        if late is not None:
            self._tell(late)

    def hear_standings(self, text: str) -> bool:
        """Passing news: the leaderboard, or a board that is watched."""
        if self._waits:
            return True  # not for those who wait to be let in
        if self._wire.behind():
            return False
        self.send(text)
        return True

    def hear_said(self, v: int, text: str) -> None:
        """Somebody has said something."""
        if v > self._said_v and not self._waits:
            self._said_v = v
            self.send(text)

    def hear_taken_back(self) -> None:
        """The store has gone back to an older room: what this socket was told may not be so."""
        self.close(CloseCode.RESYNC)

    def hear_unreadable(self) -> None:
        """This process cannot read the room any more; another one may."""
        self.close(CloseCode.DRAINING)

    def hear_closed(self) -> None:
        """The room is there no more."""
        self.close(CloseCode.NO_SUCH_ROOM)

    # What the table tells

    def send(self, text: str) -> None:
        """Sends one message, if the socket is still there."""
        if not self._closed:
            self._wire.send(text)

    def replaced(self) -> None:
        """The seat has been taken by a newer connection: the room says from which tab."""
        if not self._closed:
            self.spawn(self._look_who_replaced(), "replaced")

    def taken_back(self) -> None:
        """The store has lost that the seat was taken; it can be taken again."""
        self.close(CloseCode.RESYNC)

    def unreadable(self, error: Unreadable) -> None:
        """This process cannot play the seat's game; another one may."""
        if self._home is not None:
            self.spawn(self.services.book.quarantine.meet(self._home, error), "unreadable")
        self.hear_unreadable()

    def gained(self) -> None:
        """The figures of this seat are others now."""
        if self.code is not None:
            self.services.hub.standings_changed(self.code)

    def over(self, n: int) -> None:
        """This seat's game has ended; the room has to know, whatever it takes."""
        assert self._home is not None, "a table stands in a room"
        self.spawn(self._report(self._home, lambda now: Done(self.seat, n, now)), "done")

    def why_closed(self) -> ErrorCode:
        """Why an act means nothing in the room as it is."""
        page = None if self.code is None else self.services.hub.page(self.code)
        state = RoomState.LOBBY if page is None else page.room.state
        return NO_ACTS.get(state, ErrorCode.NOT_RACING)

    def spawn(self, work: Coroutine[Any, Any, None], name: str) -> None:
        """Runs something beside the reading of the socket, even past its end."""
        self.services.hub.spawn(work, name)

    # What dispatch needs

    @property
    def closed(self) -> bool:
        """Whether nobody is there any more to be told anything."""
        return self._closed

    async def take(self, page: Page, seat: int, tab: str) -> None:
        """Takes a seat of the room for this socket.

        Raises:
            StoreAway: the store does not answer.
        """
        record = await self.services.store.take_seat(page.room.code, seat)
        if record is None:  # it was there a moment ago: a failover has taken it back
            raise StoreAway("The seat is lost.")
        self.seat, self.generation, self.tab = seat, record.generation, tab
        self._before, self._taken = (record.n, record.last_id), record

    def welcome(self, page: Page) -> None:
        """The seat is this session's; what it has not heard yet comes after this page."""
        self.code = self._home = page.room.code
        self.v = page.v
        self._waits = self.waits(page)
        self._told = None if self._waits else page  # `joined` holds the room
        log.info("seat taken", room=self.code, seat=self.seat)

    async def arrive(self, page: Page) -> None:
        """After `joined`: is told what is going on, and hears of the room from now on."""
        self._follow(page)
        if not self._waits and self._told_over(page):
            self.send(News(page).over_text)
        await self.services.hub.enter(page, self)

    def answer(self, page: Page, before: int) -> None:
        """Answers a command with the room as it is after it, and tells everybody else.

        `before` is `v` as it was when the command was given: if the hub has told this socket
        of the change meanwhile, that was the answer.
        """
        self.services.hub.learn(page)
        if self.v == before:  # nothing has changed, or the hub tells of it later, or has before
            self.v = max(self.v, page.v)
            self._tell(News(page))
            self._follow(page)

    def waits(self, page: Page) -> bool:
        """Whether this seat waits for the host to let it in."""
        return page.room.applicant(self.seat) is not None

    def view(self, page: Page) -> RoomView:
        """The room as this seat may see it."""
        if self._waits:
            return waiting_view(page.room, page.v, self.seat)
        return room_view(page.room, page.v)

    @contextlib.contextmanager
    def deaf(self) -> Iterator[None]:
        """What happens to the room meanwhile is heard afterwards, if what is done fails."""
        self._deaf = True
        try:
            yield
        except BaseException:
            self._deaf = False
            page = None if self.code is None else self.services.hub.page(self.code)
            if page is not None:
                self.hear_room(News(page))
            raise

    def close_table(self) -> None:
        """The race is over for this seat: its table takes no new act and is not shown again."""
        if self.table is not None:
            self.table.close()

    def may_say(self) -> bool:
        """Whether this socket may say one more line: five in ten seconds are enough."""
        now = time.monotonic()
        if len(self._lines) == LINES and now - self._lines[0] < LINES_S:
            return False
        self._lines = [*self._lines[1 - LINES :], now]
        return True

    def role(self, page: Page) -> Role:
        """What this seat's owner came for."""
        seat = page.room.seat(self.seat) or page.room.applicant(self.seat)
        assert seat is not None, "the seat is this session's"
        return seat.role

    def refuse(self, message: ClientMessage, code: ErrorCode, clash: Clash | None = None) -> None:
        """Says why a command is not done."""
        metrics.refusals.labels(code.value).inc()
        self.send(refused_text(message, code, clash_details(clash)))

    def close(self, code: CloseCode | int, reason: str = "") -> None:
        """Closes the socket; nothing is sent any more."""
        if not self._closed:
            self._closed = True
            self._wire.close(code, reason)

    # Its own

    def _tell(self, news: News) -> None:
        """Sends what is new of the room; a peer that is slow to read gets the latest, later."""
        if self._wire.behind():
            self._late = news
        elif self._waits:
            self.send(room_text(self.view(news.page)))
            self._told = None
        else:
            self.send(news.since(self._told))
            self._told = news.page

    def _follow(self, page: Page) -> None:
        """Opens this seat's table when its race begins, and closes it when the race is over."""
        seat = page.room.seat(self.seat)
        played = page.room.round
        if (
            page.room.state is not RoomState.RUNNING
            or seat is None
            or played is None
            or seat.state not in AT_TABLE
        ):
            self.close_table()
        elif self.table is None or self.table.closed or self.table.n != played.n:
            self.table = self._table_of(played)
            record, self._taken = self._taken, None
            self.table.open(record)

    def _table_of(self, played: Round) -> LiveTable:
        assert self.code is not None, "the session has a seat"
        place = Place(self.code, self.seat, self.generation, played)
        return LiveTable(self.services.store, place, self, self.services.positions)

    def _told_over(self, page: Page) -> bool:
        """Whether the end of the round is news; from now on it is none."""
        over = page.room.state is RoomState.FINISHED
        news, self._over = over and not self._over, over
        return news

    def _strike(self, where: str) -> None:
        self._strikes += 1
        self.send(error_text(where))
        if self._strikes >= STRIKES:
            self.close(CloseCode.BAD_MESSAGES)

    def _pong(self, ping: Ping) -> None:
        assert self.code is not None, "the session has a seat"
        page = self.services.hub.page(self.code)
        v = page.v if page else self.v
        self.send(pong_text(ping.t, self.services.clock.now(), v))

    def _act(self, message: Act) -> None:
        if self.table is None:
            self._reopen(message.id)
        if self.table is None:
            self.refuse(message, self.why_closed())
        else:
            self.table.act(message)

    def _hint(self, message: Hint) -> None:
        if self.table is None or self.table.closed:
            self.refuse(message, self.why_closed())
        else:
            self.table.hint(message)

    def _reopen(self, act_id: int) -> None:
        """Reads the table of this seat's latest round again, closed, if the act may be of it.

        Playing a log again may take long, so it is done once a socket, and is no free act.
        """
        n, last_id = self._before
        page = None if self.code is None else self.services.hub.page(self.code)
        played = None if page is None else page.room.round_with(self.seat, n)
        if played is None or act_id > last_id:
            return
        if not self._commands.take():
            self.close(CloseCode.TOO_FAST)
            return
        self.table = self._table_of(played)
        self.table.close()
        self.table.open()

    async def _answer(self, message: ClientMessage) -> None:
        self._busy = True
        try:
            await dispatch(self, message)
        except Refusal as refusal:
            self.refuse(message, refusal.code, refusal.clash)
        except Replaced:
            self.replaced()
        except StoreAway:
            self.refuse(message, ErrorCode.TRY_AGAIN)
        except Unreadable as error:
            code = message.room if isinstance(message, Join | Resume) else self.code
            assert code is not None, "a command is about a room"
            await self.services.book.quarantine.meet(code, error)
            self.refuse(message, ErrorCode.TRY_AGAIN)
            self.hear_unreadable()
        finally:
            self._busy = False
            if self._gone:
                await self._drop()

    async def _still_here(self) -> None:
        if self.code is not None and not self._closed:
            with contextlib.suppress(Replaced):
                await self.services.hub.apply(self.code, is_here(self))

    async def _look_who_replaced(self) -> None:
        code = self._home
        try:
            page = None if code is None else await self.services.book.read(code)
        except (Refusal, StoreAway, Unreadable):
            page = None
        seat = None if page is None else page.room.seat(self.seat)
        self._replaced_by("" if seat is None else seat.tab)

    def _replaced_by(self, tab: str) -> None:
        """A page whose own connections overtook each other comes back; two pages do not fight."""
        same = self.tab != "" and tab == self.tab
        self.close(CloseCode.RESYNC if same else CloseCode.REPLACED)
