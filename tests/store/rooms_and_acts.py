"""Rooms and acts for the store's tests, which give only the fields that matter to them."""

import asyncio
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from server.store import (
    Commit,
    CommitFailure,
    CommitResult,
    HintCount,
    LogWriter,
    NewSeat,
    Notification,
    ProgressNotification,
    RoomChange,
    Store,
    StoreAway,
    keys,
)
from server.store.cluster import SLOTS, slot_of
from server.store.connection import Word, keyed, pack
from server.store.rooms import Parts
from tests.servers import MASTERS
from tests.world.store import Connection

on_redis = pytest.mark.parametrize("shared_url", ["embedded", "redis"], indirect=True)
"""Marks tests which together use every script and every command."""
everywhere = pytest.mark.parametrize("shared_url", ["embedded", "redis", "cluster"], indirect=True)
"""Marks tests of scripts with several keys, which must be in one slot."""

CODE = "8QZK4M2XT7"
SEAT = 1
TOKEN = "5e884898da28047151d0e56f8dc62927"  # noqa: S105  # opens nothing


def up_to(seat: int, n: int) -> Parts:
    """Return everything beside a room with seats up to this one, and with `n` rounds."""
    seats, rounds = range(seat + 1), range(n + 1)
    return seats, [(n, number) for n in rounds for number in seats], rounds


CHANGE = RoomChange(
    doc='{"state":"LOBBY"}', n=1, event='{"type":"room"}', deadline=None, public=False, seat=None
)
Received = list[int | Notification | ProgressNotification]
HELD: dict[str, Any] = {"code": CODE, "seat": SEAT, "n": 1, "generation": 1}
COMMIT = Commit(writer=LogWriter(**HELD), id=1, at=0, action=4711, ms=1_500)


def change(**fields: Any) -> RoomChange:
    return replace(CHANGE, **fields)


def act(**fields: Any) -> Commit:
    return COMMIT._replace(**of_a_holder(fields))


def hint(**fields: Any) -> HintCount:
    return HintCount(LogWriter(**HELD), at=0)._replace(**of_a_holder(fields))


def of_a_holder(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of an act or a hint, with one field for the log's writer."""
    holder = {name: fields[name] for name in HELD if name in fields}
    others = {name: value for name, value in fields.items() if name not in HELD}
    return others | {"writer": LogWriter(**{**HELD, **holder})}


def code_in(third: int, salt: str = "") -> str:
    """Return a room code in this third of all slots, which one master owns at first."""
    return next(
        code
        for code in (f"ROOM{salt}{number}" for number in range(1000))
        if slot_of(keys.UNPREFIXED.room(code)) * MASTERS // SLOTS == third
    )


async def start_race(store: Store, *, code: str = CODE, n: int = 1) -> None:
    """Create a room with one taken seat that is racing."""
    running = change(n=n, seat=NewSeat(SEAT, TOKEN), begins=[SEAT])
    assert await store.rooms.create(code, running)
    await take_as(store, 1, code=code, n=n)


async def take_as(
    store: Any, generation: int, *, code: str = CODE, seat: int = SEAT, n: int = 1
) -> None:
    """Take a seat under a known generation instead of a time."""
    taken = await store.seats.take(code, seat)
    if isinstance(store, Connection):
        held = replace(taken, generation=generation, writer=generation, last_element=b"")
        store.shared.seats[code, seat] = held
        return
    key = store.keys.seat(code, seat)
    names = [store.keys.log(code, n, seat, each) for each in (taken.generation, generation)]
    await store.client.ask_in_order(
        keyed("HSET", key, "gen", generation, "writer", generation), keyed("RENAME", *names)
    )


async def subscribed(store: Store, code: str = CODE) -> Received:
    """Subscribe to a room, and return the list that gets its notifications."""
    received: Received = []
    await store.pubsub.subscribe(code, received.append)
    return received


async def committed(store: Store, *asked: Commit | HintCount) -> list[CommitResult]:
    """Queue acts and hints at once; return their results, after a check of each room's order."""
    answers: dict[int, CommitResult] = {}
    latest: dict[str, int] = {}
    done = asyncio.Event()

    def on_answer(i: int, answer: CommitResult) -> None:
        assert i not in answers
        code = asked[i].writer.code
        assert latest.get(code, -1) < i
        latest[code] = i
        answers[i] = answer
        if len(answers) == len(asked):
            done.set()

    for i, one in enumerate(asked):
        queue = store.commits.commit if isinstance(one, Commit) else store.commits.count_hint
        queue(one, partial(on_answer, i))  # type: ignore[arg-type]  # each takes its own kind
    await done.wait()
    return [answers[i] for i in range(len(asked))]


async def until_back(store: Store) -> None:
    """Wait until the store answers commands, probes and acts again."""
    while True:
        try:
            await store.ping()
            await store.pubsub.probe()
        except StoreAway:
            await asyncio.sleep(0.01)
            continue
        # Acts have a pipeline of their own.
        (answer,) = await committed(store, act(code="NOBODY"))
        if answer is CommitFailure.GONE:
            return


async def ask_every_master(store: Store, *words: Word) -> list[Any]:
    return [await each.ask(pack(*words)) for each in dict.fromkeys(store.client.pipelines)]
