"""Hubs over a store in memory, and rooms that are watched there."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from protocol.settings import Settings
from server.live.deadline_sweep import sweep
from server.live.hub import Hub
from server.live.local_room import LocalRoom
from server.live.local_rooms import LocalRooms
from server.live.repository import Repository
from server.live.room_throttle import RoomThrottle
from server.live.timings import LiveTimings
from server.rooms.record import Room, VersionedRoom
from server.store import Notification, ProgressNotification, SeatProgress, SeatRecord, StoredRoom
from tests.live.memory import MemoryStore, RecordingSubscriber
from tests.rooms.rooms import ADA, running
from tests.waiting import until

QUICK = LiveTimings(retry_s=0.01, standings_interval_s=0.01, progress_retry_s=0.01, sweep_s=0.01)


class Stop(Exception):
    """The test is done."""


@asynccontextmanager
async def hub_over(store: MemoryStore, timings: LiveTimings = QUICK) -> AsyncIterator[Hub]:
    rooms = LocalRooms(store.pubsub.passes_on)
    repository = Repository(store, latest_known=rooms.latest_known)
    try:
        async with asyncio.TaskGroup() as tasks:
            yield Hub(repository, rooms, store.clock, tasks, timings)
            raise Stop
    except* Stop:
        pass


async def quiet(hub: Hub) -> None:
    """Wait until nothing is read, and no pass over rooms is to come."""
    shared = hub._room_services
    throttles = shared.throttle, shared.publisher.throttle
    await until(
        lambda: (
            not any(each._scheduled for each in throttles)
            and not any(
                part.requests.has_reader
                for local in hub.rooms
                for part in (local.reading, local.standings)
            )
        )
    )


async def opened(store: MemoryStore) -> VersionedRoom:
    return await Repository(store).open("Ada", Settings(), "hash")


def put(store: MemoryStore, room: Room, v: int) -> VersionedRoom:
    """Put a room into the store as it is."""
    store.rooms[room.code] = StoredRoom(v, room.model_dump_json())
    return VersionedRoom(room, v)


@dataclass
class Watched:
    """A room, and a subscriber to it at a hub."""

    store: MemoryStore
    hub: Hub
    latest: VersionedRoom
    subscriber: RecordingSubscriber = field(default_factory=RecordingSubscriber)

    @property
    def code(self) -> str:
        return self.latest.room.code

    @property
    def local(self) -> LocalRoom:
        local = self.hub.rooms.get(self.code)
        assert local is not None
        return local

    @property
    def v(self) -> int:
        """The version that the hub has."""
        return (self.hub.rooms.latest(self.code) or self.latest).v

    async def enter(self, *, slow: int = 0) -> RecordingSubscriber:
        """Another subscriber that has entered the room."""
        subscriber = RecordingSubscriber(slow=slow)
        await self.hub.enter(self.latest, subscriber)
        return subscriber

    def notify(self, *of: Notification | SeatProgress) -> None:
        for each in of:
            self.store.pubsub.callbacks[self.code](
                ProgressNotification(ProgressNotification.write(each))
                if isinstance(each, SeatProgress)
                else each
            )

    def act(self, *of: SeatProgress) -> None:
        for each in of:
            self.hub.rooms.handle_progress(self.code, each)

    def load(self, progress: SeatProgress) -> None:
        self.hub.handle_loaded_progress(self.code, progress)

    async def rows(self) -> dict[int, dict[str, Any]]:
        """The rows of the standings as they are now, by seat."""
        text = await self.hub.standings_text(self.latest)
        return {row["seat"]: row for row in json.loads(text)["standings"]}


@asynccontextmanager
async def lobby(timings: LiveTimings = QUICK) -> AsyncIterator[Watched]:
    """A new room that was read once."""
    store = MemoryStore()
    async with hub_over(store, timings) as hub:
        watched = Watched(store, hub, await opened(store))
        await hub.enter(watched.latest, watched.subscriber)
        await until(lambda: store.rooms.reads == 1)
        await quiet(hub)
        yield watched


@asynccontextmanager
async def race(
    timings: LiveTimings = QUICK,
    room: Callable[[Hub], Room] = lambda _hub: running(),
    stored: Sequence[SeatProgress] = (),
) -> AsyncIterator[Watched]:
    """A running race whose standings were sent."""
    store = MemoryStore()
    store.seats.update({each.seat: record(each) for each in stored})
    async with hub_over(store, timings) as hub:
        watched = Watched(store, hub, put(store, room(hub), 5))
        await hub.enter(watched.latest, watched.subscriber)
        await until(lambda: bool(watched.subscriber.standings))
        await quiet(hub)
        yield watched


@asynccontextmanager
async def sweeping(hub: Hub) -> AsyncIterator[None]:
    task = asyncio.create_task(sweep(hub._repository, hub))
    yield
    task.cancel()


def progress(id_: int, score: int = 500, seat: int = ADA, **changed: Any) -> SeatProgress:
    """The progress of a seat in round 1 after its act `id_`."""
    stats = json.dumps({"score": score, "moves": id_})
    return SeatProgress(seat, 1, id_, stats, 0, None, 0, 0)._replace(**changed)


def record(of: SeatProgress) -> SeatRecord:
    """A stored seat with this progress."""
    return SeatRecord(1, "", of.last_id, of.n, of.stats_json, of.gained_ms, of.over_ms)


def count_reads(store: MemoryStore) -> list[int]:
    """Return a list that grows with each reading of seats, by the number of seats."""
    read: list[int] = []
    read_all = store.seats.read_all

    async def counted(code: str, seats: Sequence[int]) -> list[SeatRecord | None]:
        read.append(len(seats))
        return await read_all(code, seats)

    store.seats.read_all = counted  # type: ignore[method-assign]
    return read


def meanwhile(store: MemoryStore, happen: Callable[[], None]) -> None:
    """Let something happen whenever the store has read seats and not answered yet."""
    read_all = store.seats.read_all

    async def slow(code: str, seats: Sequence[int]) -> list[SeatRecord | None]:
        records = await read_all(code, seats)
        happen()
        return records

    store.seats.read_all = slow  # type: ignore[method-assign]


def shown(subscriber: RecordingSubscriber, seat: int = ADA) -> int | None:
    """Return the score of a seat in the latest standings or changes, if it is there."""
    latest = subscriber.standings[-1]
    rows = latest.get("changed") or latest.get("standings", ())
    return next((row.get("score") for row in rows if row["seat"] == seat), None)


async def one_pass_later(throttle: RoomThrottle) -> None:
    """Wait until the next change starts a pass at once; later changes then wait for `_begin`."""
    await until(lambda: not throttle._scheduled)
    throttle._began_at, throttle._interval_s = float("-inf"), 60.0
