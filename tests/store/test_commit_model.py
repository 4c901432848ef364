"""The commit script, compared with a model of it in Python."""

import asyncio
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from server.store import CommitAnswer, CommitFailure, Store
from tests.servers import opened
from tests.store.rooms_and_acts import CODE, SEAT, act, change, committed, start_race

HOUR = 3_600_000


@dataclass
class Model:
    generation: int = 1
    last_id: int = 0
    state: str = "RUNNING"
    n: int = 1
    out: int = 0
    starts: int = -HOUR  # from now
    ends: int = HOUR
    logs: dict[int, list[int]] = field(default_factory=dict)

    def commit(  # noqa: PLR0911  # one return for each answer
        self, n: int, generation: int, id_: int, at: int, action: int
    ) -> CommitAnswer:
        log = self.logs.setdefault(n, [])
        if self.state != "RUNNING" or n != self.n:
            return CommitFailure.NOT_RUNNING
        if self.starts > 0:
            return CommitFailure.EARLY
        if self.ends <= 0:
            return CommitFailure.TOO_LATE
        if generation < self.generation:
            return CommitFailure.REPLACED
        if generation > self.generation:
            return CommitFailure.TAKEN_BACK
        if n == self.out:
            return CommitFailure.NOT_RUNNING
        if id_ <= self.last_id:
            return CommitFailure.REPEATED
        if at != len(log):
            return CommitFailure.STALE
        self.last_id = id_
        log.append(action)
        return len(log)


class Moved(NamedTuple):
    state: str
    n: int
    times: tuple[int, int]
    out: bool


Plan = list[list[tuple[int, ...]] | Moved | None]

near = st.sampled_from([0, 0, 0, 0, -1, 1])
# Differences from the correct round, generation, id and place; and the action.
commits = st.tuples(near, near, near, near, st.integers(0, 0xFFFF))
times = st.sampled_from([(-HOUR, HOUR), (-HOUR, HOUR), (HOUR, 2 * HOUR), (-2 * HOUR, -HOUR)])
changes = st.builds(
    Moved,
    st.sampled_from(["RUNNING", "RUNNING", "FINISHED"]),
    st.integers(1, 2),
    times,
    st.sampled_from([False, False, True]),
)
steps = st.lists(
    st.one_of(st.lists(commits, min_size=1, max_size=8), changes, st.none()), max_size=12
)


@settings(max_examples=60, deadline=None)
@given(steps)
def test_the_commit_script_agrees_with_its_model(embedded_url: str, plan: Plan) -> None:
    asyncio.run(follow(embedded_url, plan))


async def follow(url: str, plan: Plan) -> None:
    async with opened(url, Path(tempfile.gettempdir())) as store:
        await store.client.pipelines[0].call("FLUSHALL")
        await start_race(store, since=HOUR, left=HOUR)
        model, v = Model(), 1
        for step in plan:
            match step:
                case None:
                    seat = await store.seats.take(CODE, SEAT)
                    assert seat is not None
                    assert seat.generation > model.generation
                    model.generation = seat.generation
                case Moved(state, n, (starts, ends), out):
                    now = store.clock.now()
                    moved = change(state=state, n=n, t0=now + starts, t_end=now + ends)
                    if out:
                        moved = replace(moved, out={SEAT: str(model.last_id)})
                        model.out = n
                    assert await store.rooms.change(CODE, v, moved) == v + 1
                    v += 1
                    model.state, model.n, model.starts, model.ends = state, n, starts, ends
                case list():
                    await compare(store, model, step)
        for n in (1, 2):
            stored = await store.logs.read(CODE, n, SEAT)
            assert [record.action for record in stored] == model.logs.get(n, [])


async def compare(store: Store, model: Model, batch: list[tuple[int, ...]]) -> None:
    acts, expected = [], []
    for dn, dg, di, da, action in batch:
        n, generation, id_ = model.n + dn, model.generation + dg, model.last_id + 1 + di
        at = len(model.logs.get(n, [])) + da
        acts.append(act(n=n, generation=generation, id=id_, at=at, action=action))
        expected.append(model.commit(n, generation, id_, at, action))
    answers = await committed(store, *acts)
    for answer, wanted in zip(answers, expected, strict=True):
        assert (answer == wanted) if isinstance(wanted, CommitFailure) else isinstance(answer, int)
