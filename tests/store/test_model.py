"""State machines: the real store answers as the fake one does, whatever happens before."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule

from server.store import Commit, HintCount, Job, NewSeat, RoomChange, keys
from server.store.packed_commands import pack
from tests.store.machines import StoreMachine, walk
from tests.store.rooms_and_acts import CODE, SEAT, TOKEN, act, change, committed, hint
from tests.world.store import MemoryStore

CODES = [CODE, "0THER00M00"]
SEATS = [0, SEAT]
FAR = 10_000
HOUR = 3_600_000
"""No taker of a job is silent for so long."""


class Both(StoreMachine):
    """The same steps on both stores."""

    def __init__(self, url: str, folder: Path) -> None:
        super().__init__(url, folder)
        self.shared = MemoryStore()
        self.fake = self.shared.connect()
        for store in (self.store, self.shared):
            store.clock.now = lambda: self.now  # type: ignore[method-assign]
        self.store.commits._now = self.shared.clock.now  # type: ignore[attr-defined]

    def both(self, step: Callable[[Any], Coroutine[Any, Any, Any]]) -> tuple[Any, Any]:
        """Take a step at one moment; return both answers."""
        self.now += 1
        return self.run(step(self.store)), self.run(step(self.fake))

    def agree(self, step: Callable[[Any], Coroutine[Any, Any, Any]]) -> Any:
        """Take a step to which both stores give the same answer; return it."""
        real, fake = self.both(step)
        assert real == fake
        return fake

    def version(self, code: str) -> int:
        room = self.shared.rooms.get(code)
        return room.v if room else 0


codes = st.sampled_from(CODES)
texts = st.text(max_size=5)
changes = st.builds(
    change,
    doc=texts,
    event=texts,
    deadline=st.none() | st.integers(1, FAR),
    public=st.booleans(),
    row=st.sampled_from(["", "row"]),
    listed=st.sampled_from([True, True, False]),
    seat=st.none() | st.builds(NewSeat, st.sampled_from(SEATS), texts.filter(bool), st.just(7)),
    gone=st.lists(st.sampled_from(SEATS), unique=True),
)
"""Changes of rooms; those that create a seat and remove it remove it."""


class Rooms(Both):
    """Records, events, seats and lists of two rooms."""

    @rule(code=codes, new=changes)
    def create(self, code: str, new: RoomChange) -> None:
        self.agree(lambda store: store.rooms.create(code, new))

    @rule(code=codes, ahead=st.sampled_from([0, 0, 0, -1, 1]), new=changes)
    def change(self, code: str, ahead: int, new: RoomChange) -> None:
        v = max(0, self.version(code) + ahead)
        self.agree(lambda store: store.rooms.change(code, v, new))

    @rule(code=codes, text=texts)
    def append(self, code: str, text: str) -> None:
        self.agree(lambda store: store.rooms.append(code, text))

    @rule(code=codes, v=st.sampled_from([None, 0, 1]))
    def delete(self, code: str, v: int | None) -> None:
        """Delete a room, of any version, of the present one or of another one."""
        wanted = None if v is None else self.version(code) + v
        self.agree(lambda store: store.rooms.delete(code, max(SEATS), 1, v=wanted))

    @rule(code=codes)
    def expire(self, code: str) -> None:
        """Let the record go alone: the lists and the other keys still know the room."""
        self.run(self.store.client.call(keys.room(code), "DEL", keys.room(code)))
        for part in (self.shared.rooms, self.shared.rooms.changes):
            part.pop(code, None)

    @rule(code=codes)
    def correct(self, code: str) -> None:
        self.agree(lambda store: store.lists.correct(code))

    @invariant()
    def everything_is_the_same(self) -> None:
        due = self.shared.lists.deadlines.values()
        moments = {FAR, *(each + more for each in due for more in (-1, 0))}

        async def everything(store: Any) -> list[Any]:
            of_rooms = [
                reading
                for code in CODES
                for reading in (
                    store.rooms.read(code),
                    store.rooms.read_with_seat(code, SEAT),
                    store.seats.read_all(code, SEATS),
                    *(store.rooms.events(code, after) for after in (0, 1, 99)),
                )
            ]
            return await asyncio.gather(
                *of_rooms,
                *(store.lists.due(moment) for moment in sorted(moments)),
                *(store.lists.due(FAR, limit=1), store.lists.rows(CODES)),
                *(store.lists.public(), store.lists.public(limit=1)),
            )

        self.agree(everything)


class Asked(NamedTuple):
    """An act or a hint, by its differences from one that would be stored."""

    is_hint: bool
    n: int
    generation: int
    id: int
    at: int
    action: int
    has_gained: bool
    is_over: bool


near = st.sampled_from([0, 0, 0, 0, 0, 0, -1, 1])
flag = st.booleans()
asked = st.builds(Asked, flag, near, near, near, near, st.integers(0, 0xFFFF), flag, flag)
times = st.sampled_from(
    [(-HOUR, None), (-HOUR, HOUR), (0, HOUR), (HOUR, None), (-2 * HOUR, -HOUR)]
)


class Commits(Both):
    """Acts and hints of one seat in a room that goes from round to round."""

    def __init__(self, url: str, folder: Path) -> None:
        super().__init__(url, folder)
        self.n = 1
        seat = NewSeat(SEAT, TOKEN, 1)
        created = change(state="RUNNING", t0=self.now - HOUR, seat=seat)
        assert self.agree(lambda store: store.rooms.create(CODE, created))

    @rule(batch=st.lists(asked, min_size=1, max_size=6))
    def ask(self, batch: list[Asked]) -> None:
        """Queue acts and hints at once; each is answered as if it came alone, in this order."""
        seat, sent = self.shared.seats[CODE, SEAT], list[Commit | HintCount]()
        numbers, places = seat.last_id, len(self.shared.logs.get((CODE, self.n, SEAT), []))
        for one in batch:
            number, at = numbers + 1 + one.id, places + one.at
            held = {"n": self.n + one.n, "generation": seat.generation + one.generation, "at": at}
            if one.is_hint:
                sent.append(hint(**held))
                continue
            flags = {"has_gained": one.has_gained, "is_over": one.is_over}
            stats = f"[{number}]"
            sent.append(act(id=number, action=one.action, stats_json=stats, **held, **flags))
            if one.n == one.generation == one.at == 0 <= one.id:
                numbers, places = number, places + 1
        self.agree(lambda store: committed(store, *sent))

    @rule()
    def take(self) -> None:
        self.agree(lambda store: store.seats.take(CODE, SEAT))

    @rule()
    def lose_generation(self) -> None:
        """A failover gives the seat back to its holder before."""
        seat, known = keys.seat(CODE, SEAT), self.shared.seats
        self.run(self.store.client.ask(seat, pack("HSET", seat, "gen", 2)))
        known[CODE, SEAT] = replace(known[CODE, SEAT], generation=2)

    @rule(
        state=st.sampled_from(["RUNNING", "RUNNING", "RUNNING", "FINISHED"]),
        n=st.integers(1, 3),
        time=times,
        mark=st.sampled_from(["", "", "right", "9 9"]),
    )
    def change(self, state: str, n: int, time: tuple[int, int | None], mark: str) -> None:
        """Change the room; a seat that has made further acts or hints is not put out."""
        t0, t_end = self.now + time[0], None if time[1] is None else self.now + time[1]
        moved = change(state=state, n=n, t0=t0, t_end=t_end)
        if mark:
            right = self.shared.seats[CODE, SEAT].mark
            moved = replace(moved, out={SEAT: right if mark == "right" else mark})
        v = self.version(CODE)
        if self.agree(lambda store: store.rooms.change(CODE, v, moved)):
            self.n = n

    @invariant()
    def everything_is_the_same(self) -> None:
        async def everything(store: Any) -> list[Any]:
            logs = [await store.logs.read(CODE, n, SEAT) for n in (1, 2, 3)]
            return [await store.seats.read(CODE, SEAT), *logs]

        self.agree(everything)


class Jobs(Both):
    """A queue and its takers."""

    def __init__(self, url: str, folder: Path) -> None:
        super().__init__(url, folder)
        self.held: list[tuple[Job, Job]] = []  # also those that were lost meanwhile

    @rule(place=st.sampled_from(["", "here", "there"]))
    def add(self, place: str) -> None:
        """Add a job, for a place with a share that is part of a larger one."""
        key, body, later = f"{self.now}", f"of anywhere, {place}", self.now + HOUR
        shares = {place: 2, "anywhere": 4} if place else {}
        self.agree(
            lambda store: store.jobs.add("bot", key, body, deadline_ms=later, shares=shares)
        )

    @rule(
        taker=st.sampled_from("ABC"),
        most=st.sampled_from([None, None, 0, 1]),
        idle_ms=st.sampled_from([HOUR, HOUR, 0]),
    )
    def take(self, taker: str, most: int | None, idle_ms: int) -> None:
        jobs = self.both(
            lambda store: store.jobs.take("bot", taker, idle_ms=idle_ms, most_tries=most)
        )
        real, fake = (job and replace(job, id="") for job in jobs)
        assert real == fake
        if fake:
            self.held.append(jobs)

    @rule(
        what=st.sampled_from(["keep", "reset", "release", "release", "finish"]),
        which=st.integers(0, 3),
    )
    def hold(self, what: str, which: int) -> None:
        if self.held:
            real, fake = self.held[which % len(self.held)]
            self.agree(
                lambda store: getattr(store.jobs, what)(real if store is self.store else fake)
            )
            self.agree(lambda store: store.jobs.count("bot"))


@pytest.mark.parametrize(("machine", "steps"), [(Rooms, 20), (Commits, 25), (Jobs, 30)])
def test_the_store_answers_as_its_fake_whatever_happens(
    embedded_url: str, tmp_path: Path, machine: type[Both], steps: int
) -> None:
    walk(machine, embedded_url, tmp_path, steps=steps)
