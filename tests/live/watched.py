"""Rooms of a world, and subscribers that watch them at the first process."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from protocol.settings import Settings
from protocol.vocabulary import CloseCode, Presence
from server.live.repository import Host
from server.live.room import SharedText
from server.rooms.record import Room, VersionedRoom
from server.store import Notification, ProgressNotification, SeatProgress
from server.views.rooms import RoomMessages
from tests.rooms.rooms import ADA, CODE, T0, running
from tests.world.world import Choices, World, opened

PASS_S = 1.0
"""Long enough for all due reads, publications and messages, too short for a repeated read."""
HERE, ELSEWHERE = "here", "elsewhere"
TWO = Choices((HERE, ELSEWHERE))
ADA_HOST = Host("Ada", "hash")


@dataclass(eq=False)
class Ear:
    """A subscriber that records each call as one line."""

    received: list[str] = field(default_factory=list)
    is_slow: bool = False
    is_applicant: bool = False
    seat_number: int = -1
    standings: list[dict[str, Any]] = field(default_factory=list)

    def send_room(self, messages: RoomMessages) -> None:
        self.received.append(f"room {messages.latest.v} {messages.latest.room.state.value}")

    def send_said(self, v: int, text: str) -> None:
        self.received.append(f"said {v} {json.loads(text)['text']}")

    def close(self, code: CloseCode) -> None:
        reasons = {
            CloseCode.RESYNC: "taken back",
            CloseCode.DRAINING: "unreadable",
            CloseCode.NO_SUCH_ROOM: "closed",
            CloseCode.INTERNAL_ERROR: "failed",
        }
        self.received.append(reasons[code])

    def send_skippable(self, message: SharedText) -> bool:
        if self.is_slow:
            return False
        self.standings.append(json.loads(message.text))
        self.received.append(self.standings[-1]["type"])
        return True

    def can_receive(self) -> bool:
        return not self.is_slow

    def shown(self, seat: int = ADA) -> int | None:
        """Return the score of a seat in the latest standings or changes, if they contain it."""
        latest = self.standings[-1]
        rows = latest.get("changed") or latest.get("standings", ())
        return next((row.get("score") for row in rows if row["seat"] == seat), None)


@dataclass
class Watched:
    """A room with a subscriber at the first process."""

    world: World
    latest: VersionedRoom
    ear: Ear = field(default_factory=Ear)

    def __post_init__(self) -> None:
        self.here, self.hub, self.faults = self.world.first, self.world.hub, self.world.faults

    @property
    def code(self) -> str:
        return self.latest.room.code

    @property
    def known(self) -> VersionedRoom:
        """The latest version of the room at the hub, or else the first one."""
        return self.hub.latest(self.code) or self.latest

    @property
    def v(self) -> int:
        return self.known.v

    @property
    def published(self) -> list[list[SeatProgress]]:
        published: list[list[SeatProgress]] = self.here.connection.pubsub.published
        return published

    async def enter(self, *, is_slow: bool = False) -> Ear:
        """Let another subscriber enter the room."""
        ear = Ear(is_slow=is_slow)
        await self.hub.enter(self.latest, ear)
        return ear

    def notify(self, *of: int | Notification | SeatProgress) -> None:
        for each in of:
            self.here.connection.pubsub.receive(
                self.code,
                ProgressNotification(ProgressNotification.write(each))
                if isinstance(each, SeatProgress)
                else each,
            )

    def act(self, *of: SeatProgress) -> None:
        """Report the progress of acts as if a table of this process had stored them."""
        for each in of:
            self.hub.handle_progress(self.code, each)

    def load(self, progress: SeatProgress) -> None:
        """Report progress as if a table of this process had read it."""
        self.hub.handle_loaded_progress(self.code, progress)

    def update(self, v: int, room: Room) -> None:
        self.hub.update(VersionedRoom(room, v))

    async def receives(self, *of: int | Notification | SeatProgress) -> None:
        """Notify, and wait until everything due has happened."""
        self.notify(*of)
        await asyncio.sleep(PASS_S)

    async def acts(self, *of: SeatProgress) -> None:
        self.act(*of)
        await asyncio.sleep(PASS_S)

    async def reads_again(self, ear: Ear) -> None:
        """Let a slow subscriber read, so that it can receive again."""
        ear.is_slow = False
        self.hub.send_skipped(self.code)
        await asyncio.sleep(PASS_S)

    async def loads(self, progress: SeatProgress) -> None:
        self.load(progress)
        await asyncio.sleep(PASS_S)

    async def becomes(self, v: int, room: Room) -> None:
        self.update(v, room)
        await asyncio.sleep(PASS_S)

    async def rows(self) -> dict[int, dict[str, Any]]:
        """Return the present rows of the standings by seat."""
        text = await self.hub.standings_now(self.latest, 0)
        return {row["seat"]: row for row in json.loads(text)["standings"]}

    def reads(self, call: str = "rooms.read") -> int:
        """Return how often the process has read rooms or made another call."""
        return self.faults.calls[call]


@asynccontextmanager
async def lobby(chosen: Choices = TWO, **settings: Any) -> AsyncIterator[Watched]:
    """Open a new room that was read once."""
    async with opened(chosen=chosen) as world:
        latest = await world.first.repository.open(ADA_HOST, Settings(**settings))
        watched = Watched(world, latest)
        await world.hub.enter(latest, watched.ear)
        await asyncio.sleep(PASS_S)
        world.faults.calls.clear()
        yield watched


@asynccontextmanager
async def race(
    chosen: Choices = TWO, room: Callable[[], Room] = running, stored: Sequence[SeatProgress] = ()
) -> AsyncIterator[Watched]:
    """Open a running race whose standings were sent."""
    async with opened(chosen=chosen) as world:
        world.store.clock.shift_ms = T0 - world.now()
        watched = Watched(world, world.store.put(room(), 5, *stored))
        await world.hub.enter(watched.latest, watched.ear)
        await asyncio.sleep(PASS_S)
        watched.published.clear()
        world.faults.calls.clear()
        yield watched


def progress(id_: int, score: int = 500, seat: int = ADA, **changed: Any) -> SeatProgress:
    """Return the progress of a seat in round 1 after a number of acts."""
    stats = json.dumps({"score": score, "moves": id_})
    return SeatProgress(seat, 1, id_, 10 * id_, stats, 0, None, 0, 0)._replace(**changed)


def served(
    *here: int, connection: Presence = Presence.ON, process: str = ELSEWHERE, name: str = HERE
) -> Room:
    """Return a race: this process serves the given seats, another process the others."""
    room = running()
    away = {"process": process, "connection": connection, "left_at": T0}
    seats = tuple(
        seat.model_copy(update={"process": name} if seat.number in here else away)
        for seat in room.seats
    )
    return room.model_copy(update={"seats": seats})


def renamed(room: Room, code: str = CODE, **changed: Any) -> Room:
    return room.model_copy(update={"code": code, **changed})
