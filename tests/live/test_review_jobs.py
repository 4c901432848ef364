"""The jobs of reviews: one for each round, when it has ended."""

from protocol.from_client import Forfeit, NextRound
from server.live.repository import Repository
from server.rooms.events import Tick
from server.rooms.race import round_of
from server.rooms.reviews import JOB, MOST_OF_ADDRESS, ReviewJob
from server.store import SeatRecord, StoreAway
from tests.live.hubs import put
from tests.live.memory import MemoryStore
from tests.rooms.rooms import ADA, BOB, CODE, T0, running, sends

TIME_IS_UP = Tick(round_of(running()).t_end or 0)


def raced() -> tuple[MemoryStore, Repository]:
    """A race in which Ada has acted, and Bob has not."""
    store = MemoryStore()
    put(store, running(), 5)
    store.seats[ADA] = SeatRecord(1, "", 9, 1, '{"score":7}', 400, None)
    return store, Repository(store)


async def test_a_round_that_ends_is_queued_once() -> None:
    store, repository = raced()
    await repository.apply(CODE, sends(BOB, Forfeit(), T0))
    assert store.jobs == {}
    await repository.apply(CODE, TIME_IS_UP)
    await repository.apply(CODE, sends(ADA, NextRound(), T0 + 9))
    ((name, body),) = store.jobs.items()
    job = ReviewJob.model_validate_json(body)
    assert (name, job) == (f"{JOB} {job.key}", ReviewJob(room=CODE, n=1))


async def test_a_round_without_acts_is_not_queued() -> None:
    store, repository = raced()
    store.seats.clear()
    latest = await repository.apply(CODE, TIME_IS_UP)
    assert latest.room.rounds
    assert store.jobs == {}


async def test_a_round_beyond_the_share_of_its_address_says_that_it_is_not_looked_at() -> None:
    """Regression: rounds of a few people filled the queue, and later ones waited in vain."""
    store = MemoryStore()
    repository = Repository(store)
    store.seats[ADA] = SeatRecord(1, "", 9, 1, '{"score":7}', 400, None)
    for number in range(MOST_OF_ADDRESS + 2):
        code, network = f"7K3QZ{number:02}", "one" if number <= MOST_OF_ADDRESS else "another"
        room = running().model_copy(update={"code": code, "networks": {network: 1}})
        put(store, room, 5)
        await repository.apply(code, TIME_IS_UP)
    codes = {ReviewJob.model_validate_json(body).room for body in store.jobs.values()}
    assert len(codes) == MOST_OF_ADDRESS + 1
    beyond, other = f"7K3QZ{MOST_OF_ADDRESS:02}", f"7K3QZ{MOST_OF_ADDRESS + 1:02}"
    assert other in codes
    assert list(store.reviews) == [(beyond, 1)]
    assert store.reviews[beyond, 1].is_done


async def test_a_round_ends_even_if_no_job_can_be_queued() -> None:
    store, repository = raced()
    store.failing["jobs"] = StoreAway()
    latest = await repository.apply(CODE, TIME_IS_UP)
    assert latest.room.rounds
    assert store.jobs == {}
