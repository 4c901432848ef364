"""State machines: after any steps, the real store behaves like the fake one."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from server.store import Commit, HintCount, NewSeat, RoomChange, SeatRecord, keys
from server.store.acts import ENTRY
from server.store.connection import pack
from tests.servers import open_at_once
from tests.store.rooms_and_acts import (
    CODE,
    SEAT,
    TOKEN,
    act,
    change,
    committed,
    hint,
    take_as,
    up_to,
)
from tests.world.store import MemoryStore

Found = TypeVar("Found")
CODES = [CODE, "0THER00M00"]
SEATS = [0, SEAT]
FAR = 10_000


class StoreMachine(RuleBasedStateMachine):
    """Steps on a store that is empty at first, with a clock that ticks at each call."""

    def __init__(self, url: str, folder: Path) -> None:
        super().__init__()
        self._loop = asyncio.new_event_loop()
        self.store = self.run(open_at_once(url, folder))
        self.run(self.store.client.ask_any_master(pack("FLUSHALL")))
        self.now = self.store.clock.now_ms()
        self.store.clock.now_ms = self.tick  # type: ignore[method-assign]

    def run(self, step: Awaitable[Found]) -> Found:
        return self._loop.run_until_complete(step)

    def tick(self) -> int:
        self.now += 1
        return self.now

    def teardown(self) -> None:
        self.run(self.store.close())
        self._loop.close()


class Both(StoreMachine):
    """The same steps on both stores."""

    def __init__(self, url: str, folder: Path) -> None:
        super().__init__(url, folder)
        self.shared = MemoryStore()
        self.fake = self.shared.connect()
        for store in (self.store, self.shared):
            store.clock.now_ms = lambda: self.now  # type: ignore[method-assign]

    def both(self, step: Callable[[Any], Coroutine[Any, Any, Any]]) -> tuple[Any, Any]:
        """Take a step on both stores at the same time; return both results."""
        self.now += 1
        return self.run(step(self.store)), self.run(step(self.fake))

    def agree(self, step: Callable[[Any], Coroutine[Any, Any, Any]]) -> Any:
        """Take a step on both stores, which must return the same; return that."""
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
"""Changes of rooms. If one both creates and removes a seat, the seat is gone afterwards."""


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
        """Delete a room at any version, at its present one or at another one."""
        wanted = None if v is None else self.version(code) + v
        self.agree(lambda store: store.rooms.delete(code, up_to(max(SEATS), 1), v=wanted))

    @rule(code=codes)
    def expire(self, code: str) -> None:
        """Delete only the record: the lists and the other keys still know the room."""
        self.run(self.store.client.call("DEL", keys.UNPREFIXED.room(code)))
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
    is_lost: bool  # on its way, while those after it arrive
    action: int
    is_restored: bool


near = st.sampled_from([0, 0, 0, 0, 0, 0, -1, 1])  # differences, mostly none
endings = st.sampled_from(["", "", "right", "before an act", "of another holder"])
flag, seldom = st.booleans(), st.sampled_from([False] * 7 + [True])
asked = st.builds(Asked, flag, near, near, seldom, st.integers(0, 0xFFFF), flag)


class Commits(Both):
    """Acts and hints of one seat in a room that goes from round to round."""

    def __init__(self, url: str, folder: Path) -> None:
        super().__init__(url, folder)
        created = change(seat=NewSeat(SEAT, TOKEN, 1), begins=[SEAT])
        assert self.agree(lambda store: store.rooms.create(CODE, created))

    @property
    def seat(self) -> SeatRecord:
        record = self.shared.seats.record(CODE, SEAT)
        assert record is not None
        return record

    @rule(batch=st.lists(asked, min_size=1, max_size=6))
    def ask(self, batch: list[Asked]) -> None:
        """Queue acts and hints at once; each has the result that it would have alone, in order."""
        seat, sent = self.seat, list[Commit | HintCount]()
        at = len(self.shared.logs.elements((CODE, seat.n, SEAT)))
        for one in batch:
            generation = max(1, seat.generation + one.generation)
            writer = {"n": seat.n + one.n, "generation": generation, "at": at}
            is_next = one.n == one.generation == 0
            if one.is_hint:
                sent.append(hint(**writer))
                continue
            if not one.is_lost:
                done = {"action": one.action, "is_restored": one.is_restored, **writer}
                sent.append(act(id=seat.last_id + 1 + at, ms=1_000 + at, **done))
            at += is_next or one.is_lost
        if sent:
            self.agree(lambda store: committed(store, *sent))
        if any(one.is_lost for one in batch):
            self.take()  # as every writer does after a failure

    @rule()
    def take(self) -> None:
        self.agree(lambda store: store.seats.take(CODE, SEAT))

    @rule(generation=near, n=near)
    def retake(self, generation: int, n: int) -> None:
        wanted = self.seat.generation + generation, self.seat.n + n
        self.agree(lambda store: store.seats.retake(CODE, SEAT, *wanted))

    @rule()
    def lose_generation(self) -> None:
        """Let a failover give the seat back to its previous holder."""
        if self.seat.writer is not None:
            self.both(lambda store: take_as(store, 2, n=self.seat.n))

    @rule(n=st.integers(1, 3), begins=flag, ends=endings)
    def change(self, n: int, ends: str, *, begins: bool) -> None:
        """Change the room; a race ends only if its seat is unchanged since it was read."""
        seat = self.seat
        moved = change(n=seat.n)
        if ends and seat.writer is not None:
            read = {
                "right": seat,
                "before an act": replace(seat, last_element=bytes(ENTRY.size)),
                "of another holder": replace(seat, writer=seat.writer + 1),
            }
            moved = replace(moved, ends={SEAT: read[ends]})
        elif begins and seat.writer is None:
            moved = replace(moved, n=n, begins=[SEAT])
        v = self.version(CODE)
        self.agree(lambda store: store.rooms.change(CODE, v, moved))

    @invariant()
    def everything_is_the_same(self) -> None:
        async def everything(store: Any) -> list[Any]:
            logs = [await store.logs.read(CODE, n, SEAT) for n in (1, 2, 3)]
            counts = [await store.rooms.count_acts(CODE, n, [SEAT]) for n in (1, 2, 3)]
            return [await store.seats.read(CODE, SEAT), logs, counts]

        self.agree(everything)


@pytest.mark.parametrize(("machine", "steps"), [(Rooms, 20), (Commits, 25)])
def test_the_store_and_its_fake_agree_after_any_steps(
    embedded_url: str, tmp_path: Path, machine: type[Both], steps: int
) -> None:
    """Each machine runs a quarter of the examples that the profile in use asks for."""
    few = max(1, settings().max_examples // 4)
    # No shrinking: that takes minutes with a real store.
    phases = (Phase.reuse, Phase.generate)
    chosen = settings(max_examples=few, stateful_step_count=steps, phases=phases)
    made = partial(machine, embedded_url, tmp_path)
    run_state_machine_as_test(made, settings=chosen)  # type: ignore[arg-type]  # only called
