"""Rooms: records, events, seats and lists. A state machine walks all of them beside a model."""

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule

from protocol.vocabulary import ATTEMPT_S
from server.store import NewSeat, RoomChange, SeatRecord, Store, StoredRoom, keys
from server.store.packed_commands import pack
from tests.store.machines import StoreMachine, walk
from tests.store.rooms_and_acts import (
    CODE,
    SEAT,
    act,
    ask_every_master,
    change,
    committed,
    everywhere,
    start_race,
)

CODES = [CODE, "0THER00M00"]
SEATS = [0, SEAT]
FAR = 10_000

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


@dataclass
class Listed:
    v: int
    doc: str
    deadline: int | None
    public: bool
    row: str


@dataclass
class Model:
    rooms: dict[str, Listed] = field(default_factory=dict)
    events: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    seats: dict[tuple[str, int], SeatRecord] = field(default_factory=dict)
    due: dict[str, int] = field(default_factory=dict)
    public: list[str] = field(default_factory=list)  # the latest changed last

    def change(self, code: str, v: int, new: RoomChange) -> int | None:
        if new.deadline is not None and new.listed:
            # A deadline is listed early, never late, also if the change is refused afterwards.
            self.due[code] = min(new.deadline, self.due.get(code, FAR))
        room = self.rooms.get(code)
        if v != (room.v if room else 0):
            return None
        if room is None:
            self.events[code] = []
        self.events[code].append((v + 1, new.event))
        self.rooms[code] = Listed(v + 1, new.doc, new.deadline, new.public, new.row)
        if new.seat is not None:
            self.seats[code, new.seat.number] = new.seat.record
        for seat in new.gone:
            self.seats.pop((code, seat), None)
        if new.listed:
            self.correct(code)
        return v + 1

    def correct(self, code: str) -> None:
        """Write the lists as the record of the room says."""
        room = self.rooms.get(code)
        if code in self.public:
            self.public.remove(code)
        if room is not None and room.public:
            self.public.append(code)
        self.due.pop(code, None)
        if room is not None and room.deadline is not None:
            self.due[code] = room.deadline


class Rooms(StoreMachine):
    def __init__(self, url: str, folder: Path) -> None:
        super().__init__(url, folder)
        self.model = Model()

    def version(self, code: str) -> int:
        room = self.model.rooms.get(code)
        return room.v if room else 0

    @rule(code=codes, new=changes)
    def create(self, code: str, new: RoomChange) -> None:
        created = self.model.change(code, 0, new) is not None
        assert self.run(self.store.rooms.create(code, new)) is created

    @rule(code=codes, ahead=st.sampled_from([0, 0, 0, -1, 1]), new=changes)
    def change(self, code: str, ahead: int, new: RoomChange) -> None:
        v = max(0, self.version(code) + ahead)
        wanted = self.model.change(code, v, new)
        assert self.run(self.store.rooms.change(code, v, new)) == wanted

    @rule(code=codes, text=texts)
    def append(self, code: str, text: str) -> None:
        room = self.model.rooms.get(code)
        if room is not None:
            room.v += 1
            self.model.events[code].append((room.v, text))
        assert self.run(self.store.rooms.append(code, text)) == (room and room.v)

    @rule(code=codes, v=st.sampled_from([None, 0, 1]))
    def delete(self, code: str, v: int | None) -> None:
        """Delete a room, of any version, of the present one or of another one."""
        wanted = None if v is None else self.version(code) + v
        deleted = v is None or (v == 0 and code in self.model.rooms)
        done = self.run(self.store.rooms.delete(code, max(SEATS), 1, v=wanted))
        assert done is deleted
        if deleted:
            self.model.rooms.pop(code, None)
            self.model.events.pop(code, None)
            for seat in SEATS:
                self.model.seats.pop((code, seat), None)
            self.model.correct(code)

    @rule(code=codes)
    def expire(self, code: str) -> None:
        """Let the record go alone: the lists and the other keys still know the room."""
        self.run(self.store.client.call(keys.room(code), "DEL", keys.room(code)))
        self.model.rooms.pop(code, None)

    @rule(code=codes)
    def correct(self, code: str) -> None:
        self.run(self.store.lists.correct(code))
        self.model.correct(code)

    @invariant()
    def everything_is_as_in_the_model(self) -> None:
        self.run(self._compare())

    async def _compare(self) -> None:
        store, model = self.store, self.model
        for code in CODES:
            room = model.rooms.get(code)
            stored = room and StoredRoom(room.v, room.doc)
            seats = [model.seats.get((code, seat)) for seat in SEATS]
            events = model.events.get(code, [])
            found: list[Any] = await asyncio.gather(
                store.rooms.read(code),
                store.rooms.read_with_seat(code, SEAT),
                store.seats.read_all(code, SEATS),
                store.rooms.events(code, 0),
                store.rooms.events(code, len(events) - 1),
                store.rooms.events(code, 99),
                store.lists.rows([code]),
            )
            assert found == [
                stored, (stored, seats[-1]), seats, events, events[-1:], [],
                [room.row or None if room else None],
            ]  # fmt: skip
        due = sorted(model.due, key=lambda code: (model.due[code], code))
        assert await store.lists.due(FAR) == due
        assert await store.lists.due(FAR, limit=1) == due[:1]
        for moment in [each + more for each in model.due.values() for more in (-1, 0)]:
            passed = [code for code in due if model.due[code] <= moment]
            assert await store.lists.due(moment) == passed
        assert await store.lists.public() == model.public[::-1]
        assert await store.lists.public(limit=1) == model.public[:-2:-1]


def test_rooms_agree_with_a_model_whatever_happens(embedded_url: str, tmp_path: Path) -> None:
    walk(Rooms, embedded_url, tmp_path)


@everywhere
async def test_every_key_expires_and_a_deleted_room_leaves_none(store: Store) -> None:
    await start_race(store)
    listed = change(state="RUNNING", t0=1, public=True, deadline=5, process="east")
    await store.rooms.change(CODE, 1, listed)
    await committed(store, act())
    assert await store.reviews.begin(CODE, 1, 1)
    # Those of a process with very many rooms are written in parts.
    many = [f"{number:010}" for number in range(2_500)]
    await store.processes.beat("east", store.clock.now(), many)
    assert sorted(await store.processes.rooms_of("east")) == sorted([*many, CODE])
    await store.attempts.code("of Ada", CODE)
    await store.lists.due(store.clock.now())  # as every process does once a second
    for key in [key for found in await ask_every_master(store, "KEYS", "*") for key in found]:
        assert 0 < await store.client.call(key.decode(), "TTL", key) <= keys.TTL_SECONDS
    attempt = keys.attempt("of Ada")
    assert 0 < await store.client.call(attempt, "PTTL", attempt) <= ATTEMPT_S * 1_000
    await store.rooms.delete(CODE, seats=4, rounds=2)
    assert not any(await ask_every_master(store, "KEYS", "{*"))


async def test_the_latest_of_many_events_are_kept(store: Store) -> None:
    await store.rooms.create(CODE, change())
    await asyncio.gather(*(store.rooms.append(CODE, "said") for _ in range(400)))
    kept = [v for v, _ in await store.rooms.events(CODE, 0)]
    assert 128 <= len(kept) < 400
    assert kept == list(range(kept[0], 402))


async def test_a_slow_change_does_not_overwrite_the_lists_of_a_later_change(store: Store) -> None:
    """Two processes change a room in turn, and the first writes the lists after the second."""
    await store.rooms.create(CODE, change())
    await store.rooms.change(CODE, 1, change(deadline=1000, public=True))
    await store.lists.write(CODE, now=store.clock.now(), v=1, deadline=5000, public=False)
    assert await store.lists.due(1000) == [CODE]
    assert await store.lists.public() == [CODE]


async def test_rooms_that_did_not_change_for_a_week_are_not_public(store: Store) -> None:
    await store.client.call(keys.PUBLIC, "ZADD", keys.PUBLIC, 1, "OLD")
    assert await store.lists.public() == []
    await store.rooms.create(CODE, change(public=True))
    await store.lists.due(store.clock.now())
    assert await store.client.call(keys.PUBLIC, "ZCARD", keys.PUBLIC) == 1
    await store.client.call(keys.room(CODE), "SET", keys.room(CODE), "of another program")
    assert await store.lists.rows([CODE]) == [None]


async def test_logs_are_dropped_in_parts(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.store.rooms.PART", 2)
    await start_race(store)
    await committed(store, act())
    dropped = [(2, 1), (3, 1), (3, 2)]
    for n, seat in dropped:
        log = keys.log(CODE, n, seat)
        await store.client.ask(log, pack("RPUSH", log, "123456"))
    await store.rooms.drop(CODE, [], dropped)
    assert [await store.rooms.count_acts(CODE, n, [1, 2]) for n in (1, 2, 3)] == [1, 0, 0]
    await store.rooms.drop(CODE, [], [])
