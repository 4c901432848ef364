"""Acts and hints: a state machine compares the scripts with a model, scenarios show the rest."""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule

from server.store import (
    Commit,
    CommitAnswer,
    CommitFailure,
    HintCount,
    LogRecord,
    NewSeat,
    SeatRecord,
    Store,
    keys,
)
from server.store.packed_commands import pack
from tests.present import present
from tests.store.machines import StoreMachine, walk
from tests.store.rooms_and_acts import (
    CODE,
    SEAT,
    TOKEN,
    act,
    ask_every_master,
    change,
    committed,
    everywhere,
    hint,
    on_redis,
    start_race,
)

HOUR = 3_600_000


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


@dataclass
class Model:
    """A room with one seat, and what the store should answer."""

    t0: int
    t_end: int | None = None
    state: str = "RUNNING"
    n: int = 1
    out: int = 0  # the round of which the seat is out
    seat: SeatRecord = field(default_factory=lambda: NewSeat(SEAT, TOKEN, 1).record)
    hint_at: tuple[int, int] = (0, 0)  # the round and the place of the last hint
    logs: dict[int, list[LogRecord]] = field(default_factory=lambda: {1: [], 2: [], 3: []})

    def answer(  # noqa: PLR0911  # one return for each answer
        self, one: Asked, now: int, number: int
    ) -> CommitAnswer:
        n, generation = self.n + one.n, self.seat.generation + one.generation
        if self.state != "RUNNING" or one.n:
            return CommitFailure.NOT_RUNNING
        if now < self.t0:
            return CommitFailure.EARLY
        if self.t_end is not None and now >= self.t_end:
            return CommitFailure.TOO_LATE
        if one.generation:
            behind = generation > self.seat.generation
            return CommitFailure.TAKEN_BACK if behind else CommitFailure.REPLACED
        if n == self.out:
            return CommitFailure.NOT_RUNNING
        if not one.is_hint and number <= self.seat.last_id:
            return CommitFailure.REPEATED
        if one.at:
            return CommitFailure.STALE
        return self.hint(n) if one.is_hint else self.act(one, now - self.t0, number)

    def hint(self, n: int) -> int:
        if self.seat.hint_round != n:
            self.seat = replace(self.seat, hint_count=0, hint_round=n)
        place = n, len(self.logs[n])
        if self.seat.hint_count == 0 or self.hint_at != place:
            self.seat = replace(self.seat, hint_count=self.seat.hint_count + 1)
            self.hint_at = place
        return self.seat.hint_count

    def act(self, one: Asked, ms: int, number: int) -> int:
        log, seat = self.logs[self.n], self.seat
        if log:
            ms = max(ms, log[-1].ms)
        log.append(LogRecord(one.action, ms))
        if seat.n != self.n:
            seat = replace(seat, n=self.n, first_id=number, gained_ms=0, over_ms=None)
        self.seat = replace(
            seat,
            last_id=number,
            stats_json=f"[{number}]",
            gained_ms=ms if one.has_gained else seat.gained_ms,
            over_ms=ms if one.is_over else seat.over_ms,
        )
        return ms


class Commits(StoreMachine):
    def __init__(self, url: str, folder: Path) -> None:
        super().__init__(url, folder)
        self.v = 1
        self.model = Model(t0=self.now - HOUR)
        created = change(state="RUNNING", t0=self.model.t0, seat=NewSeat(SEAT, TOKEN, 1))
        assert self.run(self.store.rooms.create(CODE, created))

    @rule(batch=st.lists(asked, min_size=1, max_size=6))
    def ask(self, batch: list[Asked]) -> None:
        """Queue acts and hints at once; each is answered as if it came alone, in this order."""
        sent: list[Commit | HintCount] = []
        wanted = []
        for one in batch:
            model, seat = self.model, self.model.seat
            number, n = seat.last_id + 1 + one.id, model.n + one.n
            at = len(model.logs.get(n, [])) + one.at
            held = {"n": n, "generation": seat.generation + one.generation, "at": at}
            if one.is_hint:
                sent.append(hint(**held))
            else:
                flags = {"has_gained": one.has_gained, "is_over": one.is_over}
                stats = f"[{number}]"
                sent.append(act(id=number, action=one.action, stats_json=stats, **held, **flags))
            wanted.append(model.answer(one, self.now + len(sent), number))
        assert self.run(committed(self.store, *sent)) == wanted

    @rule()
    def take(self) -> None:
        seat = present(self.run(self.store.seats.take(CODE, SEAT)))
        assert seat.generation > self.model.seat.generation
        self.model.seat = replace(self.model.seat, generation=seat.generation)

    @rule()
    def lose_generation(self) -> None:
        """A failover gives the seat back to its holder before."""
        seat = keys.seat(CODE, SEAT)
        self.run(self.store.client.ask(seat, pack("HSET", seat, "gen", 2)))
        self.model.seat = replace(self.model.seat, generation=2)

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
            moved = replace(moved, out={SEAT: self.model.seat.mark if mark == "right" else mark})
        done = self.run(self.store.rooms.change(CODE, self.v, moved))
        assert done == (None if mark == "9 9" else self.v + 1)
        if done:
            self.v = done
            self.model.state, self.model.n = state, n
            self.model.t0, self.model.t_end = t0, t_end
            self.model.out = n if mark else self.model.out

    @invariant()
    def everything_is_as_in_the_model(self) -> None:
        assert self.run(self.store.seats.read(CODE, SEAT)) == self.model.seat
        for n, log in self.model.logs.items():
            assert self.run(self.store.logs.read(CODE, n, SEAT)) == log


def test_acts_and_hints_agree_with_a_model(embedded_url: str, tmp_path: Path) -> None:
    walk(Commits, embedded_url, tmp_path, steps=25)


async def test_a_round_begins_with_its_first_and_ends_before_its_last_moment(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    t0, seat = store.clock.now(), NewSeat(SEAT, TOKEN)
    running = change(state="RUNNING", t0=t0, t_end=t0 + 10, seat=seat)
    assert await store.rooms.create(CODE, running)
    answers: list[CommitAnswer] = []
    for ms, at in ((-1, 0), (0, 0), (9, 1), (10, 2)):
        monkeypatch.setattr(store.commits, "_now", lambda ms=ms: t0 + ms)
        answers += await committed(store, act(id=at + 1, at=at), hint(at=at))
    assert answers == [
        *(CommitFailure.EARLY, CommitFailure.EARLY),
        *(0, CommitFailure.STALE),
        *(9, CommitFailure.STALE),
        *(CommitFailure.TOO_LATE, CommitFailure.TOO_LATE),
    ]


async def test_a_failing_callback_does_not_stop_the_next_answer(store: Store) -> None:
    await start_race(store)

    def fail(answer: CommitAnswer) -> None:
        raise ValueError(answer)

    store.commits.commit(act(), fail)
    (ms,) = await committed(store, act(id=2, at=1))
    assert isinstance(ms, int)


@everywhere
async def test_acts_survive_scripts_that_were_flushed(store: Store) -> None:
    await start_race(store)
    await committed(store, act())
    await ask_every_master(store, "SCRIPT", "FLUSH")
    answers = await committed(store, act(id=2, at=1), act(seat=2, id=2, at=1))
    assert isinstance(answers[0], int)
    assert answers[1] is CommitFailure.TAKEN_BACK


@on_redis
async def test_an_act_takes_few_bytes(store: Store) -> None:
    await start_race(store)
    await committed(store, *(act(id=at + 1, at=at) for at in range(300)))
    key = keys.log(CODE, 1, SEAT)
    assert await store.client.call(key, "MEMORY", "USAGE", key) < 300 * 10


async def test_a_log_is_read_from_a_given_entry_and_in_parts(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Regression: the reply with a log of 20,000 entries delayed all other replies."""
    monkeypatch.setattr("server.store.logs.PART", 3)
    await start_race(store)
    await committed(store, *(act(at=at, id=at + 1) for at in range(7)))
    whole = await store.logs.read(CODE, 1, SEAT)
    assert len(whole) == 7
    assert [await store.logs.read(CODE, 1, SEAT, start) for start in (0, 3, 4, 7, 9)] == [
        whole, whole[3:], whole[4:], [], [],
    ]  # fmt: skip
