"""The rooms' records in the store: read, apply, write back if nothing has changed, or again."""

import contextlib
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from types import MappingProxyType

import structlog

from protocol.from_client import Say
from protocol.settings import Settings
from protocol.vocabulary import ErrorCode, RoomState
from server.live.attempts import Attempt
from server.live.entropy import draw_code, draw_salt
from server.live.limits import Limits
from server.live.locks import Locks
from server.live.quarantine import Quarantine, read_room
from server.live.stats import stats_of_seats
from server.rooms.events import Event, RematchNamed, needs_stats
from server.rooms.identity import Identity, Origin, identify
from server.rooms.keeping import Gone, extent, gone, left, weighed
from server.rooms.opening import open_rematch, open_room
from server.rooms.record import PlayerStats, Room, Seat, VersionedRoom
from server.rooms.refusal import Refusal
from server.rooms.room import apply, deadline
from server.store import (
    NewSeat,
    RoomChange,
    SeatRecord,
    Store,
    StoreAway,
    StoredRoom,
    StoreFull,
    Unreadable,
)
from server.views.replies import said_text

log = structlog.get_logger()

DEFAULT = Limits()
NOWHERE: Mapping[str, int] = MappingProxyType({})

CHANGED = "room"
"""The text of an event that says no more than: read the room again."""


DRAWS = 32
"""Codes that are drawn for a room, at most, to find one whose master of a cluster has space."""


class Repository:
    """Every room of the store. Holds nothing of them: any process may change any room.

    All methods raise `StoreAway` when the store does not answer; what was asked for may
    then have happened or not. Those that read a room raise `Unreadable` if this release cannot,
    and leave it as it is. Cancelling one leaves the room as it was, or changed whole.
    """

    def __init__(self, store: Store, limits: Limits = DEFAULT) -> None:
        self.store = store
        self._limits = limits
        self.quarantine = Quarantine(store)
        self._locks = Locks()
        self._attempts: dict[str, list[Attempt]] = {}
        self.recall: Callable[[str], VersionedRoom | None] = _nothing
        """Returns the latest that this process knows of a room, which saves readings."""

    async def open(
        self,
        name: str,
        settings: Settings,
        token_hash: str,
        now: int | None = None,
        networks: Mapping[str, int] = NOWHERE,
        origin: Origin | None = None,
    ) -> VersionedRoom:
        """Opens a new room under a fresh code, for a host who comes from there in a moment.

        It counts for these `networks`, which have shares of the limit.

        Raises:
            Refusal: the settings do not go together, there are too many rooms, or the store has
                no space for new ones.
        """
        while True:
            salt = draw_salt()
            identity = Identity() if origin is None else identify(salt, origin)
            room = open_room(self._free_code(), name, settings, salt, identity, now)
            room = room.model_copy(update={"networks": dict(networks)})
            await self._claim(room.code, networks)
            if await self._create(room, NewSeat(0, token_hash)):
                log.info("room opened", room=room.code)
                return VersionedRoom(room, 1)

    def _free_code(self) -> str:
        """A fresh code of a room for which the store has space."""
        for _ in range(DRAWS):
            code = draw_code()
            if self.store.has_space(code):
                return code
        raise Refusal(ErrorCode.STORE_FULL)

    async def _create(self, room: Room, seat: NewSeat | None) -> bool:
        try:
            return await self.store.create(room.code, _change(room, seat))
        except StoreFull as error:
            raise Refusal(ErrorCode.STORE_FULL) from error

    async def rematch(self, code: str, event: RematchNamed) -> VersionedRoom:
        """Names the room in which one goes on, and sees to it that it is there.

        Raises:
            Refusal: this cannot be now, there are too many rooms, or the store has no space.
            StoreAway: the store does not answer.
        """
        before = (await self.read(code)).room
        named = apply(before, event).rematch
        assert named is not None, "the event names it"
        if not self.store.has_space(named) and await self.store.read(named) is None:
            raise Refusal(ErrorCode.STORE_FULL)
        await self._claim(named, before.networks)
        latest = await self.apply(code, event)
        await self._create(open_rematch(latest.room, await self.store.now()), None)
        return latest

    async def _claim(self, code: str, networks: Mapping[str, int]) -> None:
        try:
            full = await self.store.claim(code, self._limits.quotas(networks))
        except StoreFull as error:
            raise Refusal(ErrorCode.STORE_FULL) from error
        if full is not None:
            whose = ErrorCode.TOO_MANY_ROOMS if full.network else ErrorCode.SERVER_FULL
            raise Refusal(whose)

    async def _delete(self, room: Room, v: int) -> bool:
        """Removes all that the store has of a closed room, if it is still at this version."""
        seats, rounds = extent(room)
        if not await self.store.delete(room.code, seats, rounds, v=v):
            return False
        if not seats:
            await self._clear(room.code, left(room))
        return True

    async def _weighed(self, room: Room) -> Room:
        """A room whose round has just ended, with the logs that it keeps."""
        assert room.round is not None, "a round has ended"
        async with self._noticed(room.code):
            acts = await self.store.count_acts(room.code, room.round.n, list(room.round.names))
        return weighed(room, acts)

    async def _clear(self, code: str, behind: Gone) -> None:
        """Removes what a room has left behind."""
        if behind.seats or behind.logs:
            with contextlib.suppress(StoreAway):  # then it goes by itself
                await self.store.drop(code, behind.seats, behind.logs)

    async def _recount(self, room: Room) -> None:
        """Counts a room no more that is closed; counts one that is open again, if it was lost."""
        lists = ("", *room.networks)
        with contextlib.suppress(StoreAway):  # a count puts itself right in the end
            if room.state is RoomState.CLOSED:
                await self.store.release(room.code, lists)
            else:
                await self.store.renew(room.code, lists)

    async def read(self, code: str, known: VersionedRoom | None = None) -> VersionedRoom:
        """Return a room that is open; the `known` page itself if the room is still as there.

        Raises:
            Refusal: there is none of that code, or it is closed: the same answer for both.
        """
        async with self._noticed(code):
            stored = await self.store.read(code)
            if known is not None and stored == StoredRoom(known.v, known.doc):
                return known
            room = None if stored is None else read_room(code, stored.doc)
        if stored is None or room is None or room.state is RoomState.CLOSED:
            self.quarantine.forget(code)
            raise Refusal(ErrorCode.NO_SUCH_ROOM)
        return VersionedRoom(room, stored.v, stored.doc)

    async def apply(
        self,
        code: str,
        event: Event | Callable[[Room], Event],
        token_hash: str | None = None,
        *,
        known: VersionedRoom | None = None,
    ) -> VersionedRoom:
        """Apply an event, again and again until nothing else came between.

        `event` may be made from the room as it is. `known` is the room as the caller has read
        it. With `token_hash` the event adds a seat, which is opened by that token. Seats that
        are out of the race with this event can store nothing more, and have stored nothing that
        the result does not count.

        Raises:
            Refusal: there is no such room, or it does not allow the event.
        """
        attempt = Attempt(event, token_hash)
        attempts = self._attempts.setdefault(code, [])
        attempts.append(attempt)
        try:
            async with self._locks.of(code):
                return attempt.latest or await self._apply(code, attempt, known)
        finally:
            attempts.remove(attempt)
            if not attempts:
                del self._attempts[code]

    async def _apply(
        self, code: str, attempt: Attempt, known: VersionedRoom | None
    ) -> VersionedRoom:
        attempt.alone = True
        known = self.recall(code) or known
        if known is not None:
            # It may be old. Its version says so on writing; nothing else is decided by it.
            with contextlib.suppress(Refusal):
                changed = await self._attempt(known, attempt)
                if changed is not None and changed is not known:
                    return changed
        while True:
            changed = await self._attempt(await self.read(code, known), attempt)
            if changed is not None:
                return changed

    async def _attempt(self, latest: VersionedRoom, attempt: Attempt) -> VersionedRoom | None:
        """Apply an event to the room as it is on this page; None if it is not so any more.

        Events that wait for their turn are written with it, if they need no more than that.
        """
        code = latest.room.code
        happens = attempt.happens(latest.room)
        records: Mapping[int, SeatRecord | None] = {}
        if needs_stats(happens):
            async with self._noticed(code):
                happens, records = await self._with_stats(latest.room, happens)
        changed = apply(latest.room, happens)
        if changed is latest.room:
            return latest
        along: list[Attempt] = []
        if not needs_stats(happens):
            for other in self._attempts[code]:
                together = other.applied_along(changed)
                if together is not None:
                    changed = together
                    along.append(other)
        if latest.room.state is RoomState.RUNNING and changed.state is RoomState.FINISHED:
            changed = await self._weighed(changed)
        seat = None
        if attempt.token_hash is not None:
            seat = NewSeat(changed.seated - 1, attempt.token_hash)
        still = {one.number for one in changed.players()}
        out = {
            number: None if record is None else record.mark
            for number, record in records.items()
            if number not in still
        }
        change = _change(changed, seat, out)
        v = await self._write(latest, changed, change)
        if v is None:
            return None
        await self._tidy(latest.room, changed)
        written = VersionedRoom(changed, v, change.doc, written_here=True)
        for other in along:
            other.latest = written
        return written

    async def _write(self, read: VersionedRoom, changed: Room, change: RoomChange) -> int | None:
        """Writes a changed room, or removes one that is closed; None if it was not as read."""
        if changed.state is RoomState.CLOSED:
            # Nobody reads the record of a closed room, and a full store takes none.
            return read.v + 1 if await self._delete(changed, read.v) else None
        if not _is_listed(read.room, changed):
            change = replace(change, listed=False)
        return await self.store.change(changed.code, read.v, change)

    async def _tidy(self, before: Room, room: Room) -> None:
        """Does what a change brings with it outside of the room's record."""
        await self._clear(room.code, gone(before, room))
        if room.state is not before.state:
            state, n = room.state.value, room.started
            log.info("room changed", room=room.code, state=state, round=n)
            await self._recount(room)

    async def say(self, code: str, seat: Seat, said: Say) -> None:
        """Adds what somebody says to the room's events.

        Raises:
            Refusal: there is no such room any more.
        """
        fields = {"seat": seat.number, "name": seat.name, "text": said.text, "emote": said.emote}
        if await self.store.append(code, json.dumps(fields)) is None:
            raise Refusal(ErrorCode.NO_SUCH_ROOM)

    async def said(self, code: str, after: int) -> list[tuple[int, str]]:
        """The `said` messages after event `after`, as far back as the stream reaches."""
        return [
            (v, text)
            for v, event in await self.store.events(code, after)
            if event != CHANGED and (text := said_text(v, event)) is not None
        ]

    async def stats(self, room: Room) -> dict[int, PlayerStats]:
        """What everybody still at a table has come to."""
        async with self._noticed(room.code):
            return stats_of_seats(room, await self._records(room))

    async def _with_stats(
        self, room: Room, event: Event
    ) -> tuple[Event, Mapping[int, SeatRecord | None]]:
        """Return an event with the stats of all seats whose games are on, and their records."""
        records = await self._records(room)
        if records and needs_stats(event):
            event = replace(event, stats=stats_of_seats(room, records))
        return event, records

    async def _records(self, room: Room) -> dict[int, SeatRecord | None]:
        seats = [seat.number for seat in room.players()]
        if not seats:
            return {}
        records = await self.store.read_seats(room.code, seats)
        return dict(zip(seats, records, strict=True))

    @asynccontextmanager
    async def _noticed(self, code: str) -> AsyncIterator[None]:
        """Has it noticed if what is done here cannot be, because the room is unreadable."""
        try:
            yield
        except Unreadable as error:
            await self.quarantine.meet(code, error)
            raise


def _nothing(_code: str) -> None:
    """Return what is known of a room where nobody keeps any."""


def _is_public(room: Room) -> bool:
    """Whether the room is on the front page: not if nobody new may join."""
    return room.settings.public and not room.settings.locked and room.state is not RoomState.CLOSED


def _is_listed(before: Room, after: Room) -> bool:
    """Whether a change concerns the store's lists of deadlines and of public rooms."""
    public = before.settings.public or after.settings.public
    return public or deadline(before) != deadline(after)


def _change(
    room: Room, seat: NewSeat | None, out: Mapping[int, str | None] | None = None
) -> RoomChange:
    played = room.round
    return RoomChange(
        doc=room.model_dump_json(),
        state=room.state.value,
        n=room.started,
        t0=None if played is None else played.t0,
        t_end=None if played is None else played.t_end,
        event=CHANGED,
        deadline=deadline(room),
        public=_is_public(room),
        seat=seat,
        out=out or {},
    )
