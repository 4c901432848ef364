"""The repository of rooms: read a record, apply an event, write the record if it is unchanged."""

import asyncio
import contextlib
import json
import secrets
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import structlog

from protocol.from_client import Forget, Say
from protocol.settings import Settings
from protocol.vocabulary import HISTORY_LENGTH, ErrorCode, RoomState, SeatKind
from server.games.actions import Action, TimedAction
from server.live.quotas import ROOM_LIMITS, Quotas, RoomLimits, draw_code
from server.live.replays import ProgressReader, Replays
from server.live.room import LiveRooms
from server.live.unreadable import Quarantine, parse_room
from server.live.work import KeyedLocks, LongWork
from server.rooms.admission import ClientOrigin, identify, seat_of_attempt
from server.rooms.computer_players import FIRST_GENERATION
from server.rooms.deals import SALT_BYTES
from server.rooms.events import (
    ROOM_TIMINGS,
    WRITTEN_ALONE,
    Command,
    Event,
    Refusal,
    RoomTimings,
    SitDown,
    TakenOver,
    needs_stats,
    type_of,
)
from server.rooms.kept import parts_of, removed_parts, with_acts
from server.rooms.lobby import open_room
from server.rooms.record import (
    Identity,
    InvalidRecord,
    PlayerStats,
    Room,
    Round,
    Seat,
    VersionedRoom,
    parse_shelved,
)
from server.rooms.room import apply, deadline
from server.rooms.seats import is_attended, latest_number
from server.rooms.table_history import (
    HistoryEntry,
    new_entries,
    newly_shelved,
    parse_entries,
    without_name,
)
from server.store import (
    TTL_SECONDS,
    NewSeat,
    RoomChange,
    SeatRecord,
    Store,
    StoreAway,
    StoredRoom,
    StoreFull,
    TableChange,
    Unreadable,
)
from server.views.front_page import row_text
from server.views.replies import said_text

CHANGED = "room"  # the text of an event that says that the record has changed; others are chat

log = structlog.get_logger()


def change_to(
    room: Room,
    before: Room | None,
    timings: RoomTimings,
    *,
    seat: NewSeat | None = None,
    ends: Mapping[int, SeatRecord] | None = None,
    process: str = "",
) -> RoomChange:
    """Return the change that replaces `before` with `room`; None stands for a new room."""
    # The front page lists no locked rooms and none without people.
    is_open = room.state is not RoomState.CLOSED and not room.settings.locked
    public = room.settings.public and is_open and is_attended(room)
    due = deadline(room, timings.grace_ms)
    was_due = None if before is None else deadline(before, timings.grace_ms)
    was_public = before is not None and before.settings.public
    row_may_change = was_public or room.settings.public
    new_games = _running_games(room) - _running_games(before)
    return RoomChange(
        doc=room.model_dump_json(),
        n=room.rounds_started,
        event=CHANGED,
        deadline=due,
        public=public,
        seat=seat,
        begins=sorted(number for _, number in new_games),
        ends=ends or {},
        listed=row_may_change or was_due != due,
        process=process,
        row=row_text(room) if public else "",
        gone=() if before is None else sorted(removed_parts(before, room).seats),
        table=None if before is None else _table_change(before, room),
        ttl_s=ttl_of(room),
    )


def ttl_of(room: Room) -> int:
    """Return how many seconds a room's keys last; a kept table closes before they expire."""
    days = 0 if room.kept is None else room.kept.days
    return TTL_SECONDS + days * 24 * 3_600


def _table_change(before: Room, room: Room) -> TableChange | None:
    """Return the change of a kept table's history and shelf, if there is one."""
    if room.kept is None:  # if it was kept before, delete the history and the shelf
        return None if before.kept is None else TableChange(is_over=True)
    entries = [entry.model_dump_json() for entry in new_entries(before, room)]
    shelved = newly_shelved(before, room)
    return TableChange(entries, HISTORY_LENGTH, shelved) if entries or shelved else None


def _running_games(room: Room | None) -> frozenset[tuple[int, int]]:
    """Return the round and the seat of each game that is running in a room."""
    if room is None or room.state is not RoomState.RUNNING:
        return frozenset()
    return frozenset((room.rounds_started, seat.number) for seat in room.playing())


def _seat_with_token(room: Room, event: Event, token_hash: str) -> NewSeat:
    """Return the seat of the changed `room` that gets the token: a moved one, or the newest."""
    if isinstance(event, TakenOver):
        return NewSeat(event.seat, token_hash, generation=None)  # it keeps its generation
    # Apart from `SitDown`, such an event has added a computer player.
    generation = event.generation if isinstance(event, SitDown) else FIRST_GENERATION
    return NewSeat(latest_number(room), token_hash, generation)


@dataclass(frozen=True, slots=True)
class Host:
    """The person or program that opens a room."""

    name: str
    token_hash: str
    generation: int = 1  # of the seat's connection
    process: str = ""  # the process that has this connection
    attempt: str = ""  # the hash of the attempt to open a room (see `Repository.opened_by`)
    kind: SeatKind = "person"
    origin: ClientOrigin | None = None
    networks: Mapping[str, int] = field(default_factory=dict)
    """The host's networks by hash, for the quotas; the values are their `share`."""


@dataclass(eq=False, slots=True)
class WaitingEvent:
    """An event that waits for the room's lock, or to be written together with another event."""

    event: Event | Callable[[Room], Event]
    token_hash: str | None  # of the seat that the event adds or moves, if any
    process: str  # add the room to the list of this process, unless it is empty
    withholds: Callable[[Room, Room], bool]  # (before, after): whether to drop the change
    holds_lock: bool = False  # then others are written together with it
    written: VersionedRoom | None = None  # the new version, once another event has written both

    def make_event(self, room: Room) -> Event:
        """Return the event for this version of the room."""
        return self.event(room) if callable(self.event) else self.event

    def apply_to(self, room: Room, stats: Mapping[int, PlayerStats] | None) -> Room | None:
        """Return the room after this event; None if it cannot be written together with others.

        Either all events of a change need the stats of all games, or none does (`stats` is None).
        """
        needs_token = self.token_hash is not None  # a change can store the token of one seat only
        if self.holds_lock or self.written is not None or needs_token:
            return None
        try:
            event = self.make_event(room)
            if needs_stats(event) != (stats is not None) or type_of(event) in WRITTEN_ALONE:
                return None
            if needs_stats(event) and stats is not None:
                event = replace(event, stats=stats)
            changed = apply(room, event)
        except Exception:  # noqa: BLE001  # it is raised again when the event is written alone
            return None
        return None if changed is room or self.withholds(room, changed) else changed


@dataclass(eq=False)
class Withheld(Exception):  # noqa: N818  # the caller's wish
    """The `withholds` of a `Repository.apply` returned True, so nothing was stored."""

    room: Room  # before the change


class ChangeUnconfirmed(StoreAway):
    """The store did not confirm a change of the room `code`: it may be stored or not."""

    def __init__(self, code: str) -> None:
        super().__init__("The store does not answer whether it has stored a change of a room.")
        self.code = code


@contextlib.contextmanager
def unconfirmed_on_failure(code: str) -> Iterator[None]:
    """Raise ChangeUnconfirmed instead of StoreAway if the block's change of this room fails."""
    try:
        yield
    except StoreFull:  # the store has refused the change, so there is no doubt about it
        raise
    except StoreAway as error:
        raise ChangeUnconfirmed(code) from error


class Repository:
    """All rooms in the store. No process owns a room: any may change any room.

    All methods raise `StoreAway` if the store does not answer; the change may then be stored or
    not. Methods that read a room raise `Unreadable` if this release cannot read it, and leave it
    unchanged. Cancelling a method leaves the room unchanged, or with the whole change.
    """

    def __init__(
        self,
        store: Store,
        limits: RoomLimits = ROOM_LIMITS,
        timings: RoomTimings = ROOM_TIMINGS,
        draw_code: Callable[[], str] = draw_code,
        rooms: LiveRooms | None = None,
        long_work: LongWork | None = None,
    ) -> None:
        """Serve the rooms of a store. `rooms` holds the versions that this process knows."""
        rooms = LiveRooms(lambda _code: False) if rooms is None else rooms
        self.store, self.timings = store, timings
        self._max_kept_acts = limits.max_kept_acts
        self.quotas = Quotas(store, limits, draw_code)
        self.quarantine = Quarantine(store.lists)
        self.replays = Replays(store.logs, long_work, limits.max_log_entries)
        self.progress = ProgressReader(
            store.seats, self.replays, self.quarantine, rooms.known_progress
        )
        self._locks = KeyedLocks()  # by the code of the room
        self._waiting: dict[str, list[WaitingEvent]] = {}  # by the code of the room
        self._latest_known = rooms.latest_known
        self.on_outbox: Callable[[Room], object] = lambda _room: None
        """Called when a room has a result to report; otherwise a sweep reports it later."""

    async def open(
        self,
        host: Host,
        settings: Settings,
        start: Callable[[Room, int], Room] | None = None,
        claimed_code: str = "",
    ) -> VersionedRoom:
        """Open a room under a new code, or return the one that this message opened before.

        `start` turns the new room into its first version; it gets the time in ms since the epoch.
        With `claimed_code`, for a game of today's race, the room gets that code or is refused.

        Raises:
            Refusal: the settings clash, there are too many rooms, the store has no
                space for new ones, or another attempt has opened the claimed room.
            ChangeUnconfirmed: the store did not confirm the room.
        """
        code = claimed_code or await self.quotas.code_for(host.attempt)
        opened = await self.opened_by(host.attempt, code)
        while opened is None:
            opened = await self._create(code, host, settings, start)
            if opened is None:  # the same message may have opened it a moment ago
                opened = await self.opened_by(host.attempt, code)
            if claimed_code and opened is None:
                raise Refusal(ErrorCode.DAY_PLAYED)
            if opened is None:  # another room has this code: try a new one
                code = await self.quotas.code_for()
        return opened

    async def _create(
        self, code: str, host: Host, settings: Settings, start: Callable[[Room, int], Room] | None
    ) -> VersionedRoom | None:
        """Create a room, and apply `start` to it, if given; return None if the code is taken."""
        salt, now_ms = secrets.token_hex(SALT_BYTES), self.store.clock.now_ms()
        identity = Identity() if host.origin is None else identify(salt, host.origin)
        of_seat = {"kind": host.kind, "generation": host.generation, "process": host.process}
        if host.attempt:  # for a while `opened_by` finds the room by it
            of_seat |= {"attempt": host.attempt, "joined_at": now_ms}
        room = open_room(code, host.name, settings, salt, **identity._asdict(), **of_seat)
        if start is not None:
            room = start(room, now_ms)
        room = room.replace(networks=dict(host.networks))
        await self.quotas.count_room(room)
        seat = NewSeat(0, host.token_hash, host.generation)
        change = change_to(room, None, self.timings, seat=seat, process=host.process)
        try:
            with unconfirmed_on_failure(code):
                is_new = await self.store.rooms.create(code, change)
        except StoreFull as error:
            raise Refusal(ErrorCode.STORE_FULL) from error
        if not is_new:
            return None
        log.info("room opened", room=code)
        return VersionedRoom(room, 1, change.doc, written_here=True)

    async def opened_by(self, attempt_hash: str, code: str = "") -> VersionedRoom | None:
        """Return the room that an attempt has opened, if any.

        An attempt is one press of a button, however often its message is sent. An empty `code`
        means the code that was drawn for the attempt.
        """
        code = code or await self.quotas.code_of(attempt_hash)
        if not (attempt_hash and code):
            return None
        try:
            latest = await self.read(code)
        except Refusal:
            return None
        host = seat_of_attempt(latest.room, attempt_hash, self.store.clock.now_ms())
        return None if host is None else latest

    async def _with_acts(self, room: Room, ends: Mapping[int, SeatRecord]) -> Room:
        """Return the room with the number of acts in the round that has ended.

        `ends` are the seats whose games this change ends, so their logs are not closed yet. If all
        logs of the room have too many acts together, the oldest logs are dropped.
        """
        assert room.round is not None, "a round has ended"
        closed = [seat for seat in room.round.names if seat not in ends]
        async with self.quarantine.reading(room.code):
            acts = await self.store.rooms.count_acts(room.code, room.round.n, closed)
        acts += sum(record.acts for record in ends.values())
        return with_acts(room, acts, self._max_kept_acts)

    async def read(self, code: str, known: VersionedRoom | None = None) -> VersionedRoom:
        """Return an open room, or raise a Refusal; if `known` is still current, return that."""
        async with self.quarantine.reading(code, is_record=True):
            stored = await self.store.rooms.read(code)
            if known is not None and stored == StoredRoom(known.v, known.doc):
                return known
            if stored is not None:
                room = parse_room(code, stored.doc)
                if room.state is not RoomState.CLOSED:
                    return VersionedRoom(room, stored.v, stored.doc)
        self.quarantine.forget(code)
        raise Refusal(ErrorCode.NO_SUCH_ROOM)

    async def apply(
        self,
        code: str,
        event: Event | Callable[[Room], Event],
        token_hash: str | None = None,
        *,
        known: VersionedRoom | None = None,
        process: str = "",
        withholds: Callable[[Room, Room], bool] | None = None,
    ) -> VersionedRoom:
        """Apply an event; try again whenever another change of the room came first.

        If `event` is a function, it is called for each version that is tried. `known` is what the
        caller has read. With `token_hash`, the seat that the event adds or moves gets this
        token. With `process`, the room is first added to the list of this process. `withholds`
        gets the room before and after, and returns whether to drop the change. A seat whose
        game the event ends cannot store an act afterwards; the result counts all acts before.

        Raises:
            Refusal: there is no such room, or it does not allow the event.
            Withheld: `withholds` returned True.
            ChangeUnconfirmed: the store did not confirm the change.
        """
        withholds = withholds or (lambda _before, _after: False)
        waiting = WaitingEvent(event, token_hash, process, withholds)
        queue = self._waiting.setdefault(code, [])
        queue.append(waiting)
        try:
            async with self._locks.of(code):
                if waiting.written is None:
                    # Let other events of this turn of the event loop join this change.
                    await asyncio.sleep(0)
                return waiting.written or await self._apply(code, waiting, known)
        finally:
            queue.remove(waiting)
            if not queue:
                del self._waiting[code]

    async def read_log(self, code: str, n: int, seat: int) -> list[TimedAction]:
        """Return the log of a seat's game in round `n`."""
        log = await self.store.logs.read(code, n, seat)
        return [TimedAction(Action(entry.action), entry.ms) for entry in log]

    async def finished_round(self, room: Room, n: int) -> Round | None:
        """Return round `n` if it is over and its games can be shown.

        The record contains the latest rounds, and a kept table's shelf contains older ones.
        Returns None if the shelf has lost the round or it cannot be read.
        """
        played = room.finished_round(n)
        if played is None and any(each.n == n for each in room.shelf):
            try:
                text = await self.store.rooms.shelved(room.code, n)
                played = None if text is None else parse_shelved(n, text)
            except (Unreadable, InvalidRecord) as error:
                log.warning("a round of a table cannot be read", room=room.code, why=str(error))
        return played

    async def history(self, code: str) -> list[HistoryEntry]:
        """Return the history of a kept table, oldest round first, without damaged lines."""
        try:
            lines = await self.store.rooms.history(code)
            entries, damaged = await asyncio.to_thread(parse_entries, lines)
        except Unreadable:
            entries, damaged = [], 1
        if damaged:
            log.warning("a part of a history cannot be read", room=code, lines=damaged)
        return entries

    async def _without_name(self, room: Room, seat: int) -> TableChange:
        """Return the change that removes a player's name from a table's history and shelf.

        Both are replaced as a whole. This overwrites nothing newer: they only change together with
        the room, and the store refuses the change if the room's version is no longer this one.
        """
        lines: list[str] = []
        texts: dict[int, str] = {}
        with contextlib.suppress(Unreadable):  # a damaged history is replaced by an empty one
            lines = await self.store.rooms.history(room.code)
        with contextlib.suppress(Unreadable):
            texts = await self.store.rooms.shelf(room.code)
        entries = await asyncio.to_thread(lambda: [without_name(line, seat) for line in lines])
        shelved = {}
        for n, text in texts.items():
            with contextlib.suppress(InvalidRecord):
                shelved[n] = parse_shelved(n, text).without_name(seat).model_dump_json()
        return TableChange(entries, HISTORY_LENGTH, shelved, replaces_all=True)

    async def settle(self, code: str) -> None:
        """If this process is changing the room, wait until the change is stored or refused."""
        if code in self._waiting:
            async with self._locks.of(code):
                pass

    async def _apply(
        self, code: str, waiting: WaitingEvent, known: VersionedRoom | None
    ) -> VersionedRoom:
        """Apply an event to the known version and then to stored ones, until one is written."""
        waiting.holds_lock = True  # later events may be written together with this one
        known = self._latest_known(code) or known
        if known is not None:
            # This version may be out of date; then the store rejects the change. So a refusal, or
            # an event that changes nothing, is not final: try again with the stored version.
            with contextlib.suppress(Refusal):
                changed = await self._apply_to(known, waiting)
                if changed is not None and changed is not known:
                    return changed
        while True:
            changed = await self._apply_to(await self.read(code, known), waiting)
            if changed is not None:
                return changed

    async def _apply_to(
        self, latest: VersionedRoom, waiting: WaitingEvent
    ) -> VersionedRoom | None:
        """Apply an event to this version of the room; return None if the store has a newer one.

        Waiting events are written together with it if they need the same reads: the stats of all
        seats, or none. So if a hundred players give up at once, the room is written a few times.
        """
        before = latest.room
        event = waiting.make_event(before)
        records: Mapping[int, SeatRecord] = {}
        if needs_stats(event):
            event, records = await self.progress.with_stats(before, event)
        changed = apply(before, event)
        if changed is before:  # the event changes nothing
            return latest
        if waiting.withholds(before, changed):
            raise Withheld(before)
        stats = event.stats if needs_stats(event) else None
        changed, others = self._apply_waiting(changed, before.state, stats)
        seat = None
        if waiting.token_hash is not None:
            seat = _seat_with_token(changed, event, waiting.token_hash)
        playing = {seat.number for seat in changed.playing()}
        ends = {number: each for number, each in records.items() if number not in playing}
        if before.state is RoomState.RUNNING and changed.state is RoomState.FINISHED:
            changed = await self._with_acts(changed, ends)
        # All these events come from this process, but only some put the room into its list.
        process = next((each.process for each in (waiting, *others) if each.process), "")
        change = change_to(changed, before, self.timings, seat=seat, ends=ends, process=process)
        if isinstance(event, Command) and isinstance(event.message, Forget) and not change.table:
            # `table` is set if another event ends the table, which deletes the history anyway.
            change = replace(change, table=await self._without_name(changed, event.message.seat))
        v = await self._write(latest, changed, change)
        if v is None:
            return None
        await self._tidy(before, changed)
        if changed.outbox and not before.outbox:
            self.on_outbox(changed)
        written = VersionedRoom(changed, v, change.doc, written_here=True)
        for other in others:
            other.written = written
        return written

    def _apply_waiting(
        self, room: Room, state: RoomState, stats: Mapping[int, PlayerStats] | None
    ) -> tuple[Room, list[WaitingEvent]]:
        """Apply the waiting events that can be written with an event; return room and events.

        `room` is the room after that event, and `state` its state before. `stats` are those that
        the event needed, if any: they are valid only while the room is in that state.
        """
        applied: list[WaitingEvent] = []
        for other in self._waiting[room.code]:
            if stats is not None and room.state is not state:
                break
            if (changed := other.apply_to(room, stats)) is not None:
                room = changed
                applied.append(other)
        return room, applied

    async def _write(self, latest: VersionedRoom, changed: Room, change: RoomChange) -> int | None:
        """Write a changed room or delete a closed one; return its `v`, None if `latest` is old."""
        if changed.state is RoomState.CLOSED:
            # Nobody reads the record of a closed room, and a full store would refuse to write it.
            code, parts, by_host = changed.code, parts_of(latest.room), changed.is_deleted
            is_gone = await self.store.rooms.delete(code, parts, latest.v, by_host=by_host)
            return latest.v + 1 if is_gone else None
        if changed.kept is not None and latest.room.kept is None:  # its keys would expire too soon
            await self.store.rooms.renew(changed.code, parts_of(changed), ttl_of(changed))
        with unconfirmed_on_failure(changed.code):
            return await self.store.rooms.change(changed.code, latest.v, change)

    async def _tidy(self, before: Room, room: Room) -> None:
        """Update a room's other keys and its counts after a change of its record."""
        # The change itself has deleted the seats, and their numbers may be in use again.
        removed = removed_parts(before, room)._replace(seats=frozenset())
        if any(removed):
            with contextlib.suppress(StoreAway):  # keys that remain will expire
                await self.store.rooms.drop(room.code, removed)
        has_window_closed = before.has_open_window and not room.has_open_window
        is_over = before.state is RoomState.RUNNING and room.state is RoomState.FINISHED
        if has_window_closed or (is_over and room.kept is not None):
            with contextlib.suppress(StoreAway):  # its first logs would expire soon
                await self.store.rooms.renew(room.code, parts_of(room), ttl_of(room))
        await self.quotas.recount(before, room)
        if room.state is not before.state:
            state, n = room.state.value, room.rounds_started
            log.info("room changed", room=room.code, state=state, round=n)

    async def say(self, code: str, seat: Seat, said: Say) -> str | None:
        """Append a chat message to the room's events, or raise a Refusal if the room is gone.

        Returns None, or the `said` message if the same attempt has appended it before.
        """
        fields = {"seat": seat.number, "name": seat.name, "text": said.text, "emote": said.emote}
        event = json.dumps(fields | ({"attempt": said.attempt} if said.attempt else {}))
        if said.attempt:
            for v, known in await self.store.rooms.events(code, 0):
                if known == event:
                    return said_text(v, known)
        if await self.store.rooms.append(code, event) is None:
            raise Refusal(ErrorCode.NO_SUCH_ROOM)
        return None

    async def said(self, code: str, after: int) -> list[tuple[int, str]]:
        """Return the `said` messages after event `after`, as far as the stream still has them."""
        events = await self.store.rooms.events(code, after)
        said = ((v, said_text(v, event)) for v, event in events if event != CHANGED)
        return [(v, text) for v, text in said if text is not None]
