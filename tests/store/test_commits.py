import asyncio
from dataclasses import replace

import pytest

from server.store import CommitAnswer, CommitFailure, LogRecord, SeatRecord, Store, keys
from server.store.packed_commands import pack
from tests.present import present
from tests.store.rooms_and_acts import (
    CODE,
    SEAT,
    TOKEN,
    act,
    ask_every_master,
    change,
    committed,
    start_race,
)


async def test_an_act_is_in_the_log_when_it_is_answered(store: Store) -> None:
    before = store.clock.now()
    await start_race(store, since=1000)
    (ms,) = await committed(store, act(action=0xFFFF))
    assert isinstance(ms, int)
    assert 1000 <= ms <= 1000 + store.clock.now() - before
    assert await store.logs.read(CODE, 1, SEAT) == [LogRecord(0xFFFF, ms)]


async def test_an_act_updates_its_seat(store: Store) -> None:
    await start_race(store)
    (ms,) = await committed(store, act(id=7, stats_json="é", has_gained=True))
    assert isinstance(ms, int)
    seat = await store.seats.read(CODE, SEAT)
    assert seat == SeatRecord(
        1, TOKEN, last_id=7, n=1, stats_json="é", gained_ms=ms, over_ms=None, first_id=7
    )


async def test_the_first_id_is_that_of_the_rounds_first_act(store: Store) -> None:
    await start_race(store)
    await committed(store, act(id=7), act(id=9, at=1))
    seat = present(await store.seats.read(CODE, SEAT))
    assert (seat.n, seat.first_id, seat.last_id) == (1, 7, 9)
    await store.rooms.change(CODE, 1, change(state="RUNNING", n=2, t0=store.clock.now()))
    await committed(store, act(id=12, n=2))
    seat = present(await store.seats.read(CODE, SEAT))
    assert (seat.n, seat.first_id, seat.last_id) == (2, 12, 12)


async def test_an_act_without_gain_keeps_the_time_of_the_last_gain(store: Store) -> None:
    await start_race(store)
    first, *_ = await committed(store, act(has_gained=True))
    await asyncio.sleep(0.003)  # times are in ms: the second act has a later one
    await committed(store, act(id=2, at=1, stats_json="later"))
    seat = present(await store.seats.read(CODE, SEAT))
    assert (seat.gained_ms, seat.stats_json) == (first, "later")


async def test_the_last_act_ends_the_seats_game(store: Store) -> None:
    await start_race(store)
    (ms,) = await committed(store, act(is_over=True))
    seat = present(await store.seats.read(CODE, SEAT))
    assert seat.over_ms == ms


async def test_a_new_round_starts_the_stats_over(store: Store) -> None:
    await start_race(store)
    await committed(store, act(has_gained=True, is_over=True))
    now = store.clock.now()
    await store.rooms.change(CODE, 1, change(state="RUNNING", n=2, t0=now))
    await committed(store, act(n=2, id=2))
    seat = present(await store.seats.read(CODE, SEAT))
    assert (seat.n, seat.gained_ms, seat.over_ms) == (2, 0, None)
    assert len(await store.logs.read(CODE, 1, SEAT)) == 1
    assert len(await store.logs.read(CODE, 2, SEAT)) == 1


@pytest.mark.parametrize("id_", [1, 2, 3])
async def test_an_id_counts_once(store: Store, id_: int) -> None:
    await start_race(store)
    await committed(store, act(id=3))
    assert await committed(store, act(id=id_, at=1)) == [CommitFailure.REPEATED]
    assert len(await store.logs.read(CODE, 1, SEAT)) == 1


@pytest.mark.parametrize("at", [0, 2])
async def test_an_act_on_another_position_is_stale(store: Store, at: int) -> None:
    await start_race(store)
    await committed(store, act())
    assert await committed(store, act(id=2, at=at)) == [CommitFailure.STALE]
    seat = present(await store.seats.read(CODE, SEAT))
    assert seat.last_id == 1


async def test_taking_a_seat_replaces_its_holder(store: Store) -> None:
    await start_race(store)
    seat = present(await store.seats.take(CODE, SEAT))
    assert await committed(store, act(generation=1)) == [CommitFailure.REPLACED]
    (ms,) = await committed(store, act(generation=seat.generation))
    assert isinstance(ms, int)


async def test_a_generation_that_a_failover_loses_is_not_given_again(store: Store) -> None:
    await start_race(store)
    before = await store.seats.take(CODE, SEAT)
    # The failover restores the generation before the seat was taken.
    await store.client.ask(keys.room(CODE), pack("HSET", keys.seat(CODE, SEAT), "gen", 1))
    assert before is not None
    held = act(generation=before.generation)
    assert await committed(store, held) == [CommitFailure.TAKEN_BACK]
    await asyncio.sleep(0.002)
    again = present(await store.seats.take(CODE, SEAT))
    assert again.generation > before.generation
    assert await committed(store, held) == [CommitFailure.REPLACED]


async def test_a_seat_is_taken_twice_in_one_millisecond(store: Store) -> None:
    await start_race(store)
    taken = await asyncio.gather(*(store.seats.take(CODE, SEAT) for _ in range(5)))
    assert len({seat.generation for seat in taken if seat is not None}) == 5


async def test_a_seat_that_is_out_of_the_round_can_store_nothing_in_it(store: Store) -> None:
    await start_race(store)
    await committed(store, act(id=3))
    now = store.clock.now()
    running = change(state="RUNNING", t0=now - 1000)
    assert await store.rooms.change(CODE, 1, replace(running, out={SEAT: "3"}))
    assert await committed(store, act(id=4, at=1)) == [CommitFailure.NOT_RUNNING]
    assert await store.rooms.change(CODE, 2, replace(running, n=2))
    (ms,) = await committed(store, act(n=2, id=5))
    assert isinstance(ms, int)


async def test_a_seat_with_acts_that_were_not_counted_cannot_be_put_out(store: Store) -> None:
    await start_race(store)
    await committed(store, act(id=3), act(id=4, at=1))
    out = change(state="RUNNING", t0=store.clock.now() - 1000, out={SEAT: "3"})
    assert await store.rooms.change(CODE, 1, out) is None
    (ms,) = await committed(store, act(id=5, at=2))
    assert isinstance(ms, int)


async def test_a_seat_without_a_record_can_be_removed_from_a_race(store: Store) -> None:
    await start_race(store)
    assert await store.rooms.change(CODE, 1, change(out={7: None}))
    assert await store.seats.read(CODE, 7) is None


async def test_a_missing_seat_cannot_be_taken_or_played(store: Store) -> None:
    await start_race(store)
    assert await store.seats.take(CODE, 2) is None
    assert await committed(store, act(seat=2)) == [CommitFailure.TAKEN_BACK]


async def test_an_act_before_the_start_is_early(store: Store) -> None:
    await start_race(store, since=-60_000)
    assert await committed(store, act()) == [CommitFailure.EARLY]


async def test_an_act_at_the_end_is_too_late(store: Store) -> None:
    await start_race(store, since=1000, left=0)
    assert await committed(store, act()) == [CommitFailure.TOO_LATE]


async def test_an_act_before_the_end_is_in_time(store: Store) -> None:
    await start_race(store, since=1000, left=60_000)
    (ms,) = await committed(store, act())
    assert isinstance(ms, int)


async def test_only_a_running_round_accepts_acts(store: Store) -> None:
    assert await committed(store, act()) == [CommitFailure.NOT_RUNNING]
    await start_race(store, n=2)
    assert await committed(store, act(n=1)) == [CommitFailure.NOT_RUNNING]
    await store.rooms.change(CODE, 1, change(state="FINISHED", n=2, t0=1))
    assert await committed(store, act(n=2)) == [CommitFailure.NOT_RUNNING]


async def test_acts_are_answered_in_order(store: Store) -> None:
    await start_race(store)
    answers: list[tuple[int, CommitAnswer]] = []
    done = asyncio.Event()
    for number in range(2000):
        # Every third act is a repetition, so that failures come between successes.
        repeated = number % 3 == 2
        commit = act(id=number if repeated else number + 1, at=number - number // 3)

        def on_answer(answer: CommitAnswer, number: int = number) -> None:
            answers.append((number, answer))
            if number == 1999:
                done.set()

        store.commits.commit(commit, on_answer)
        if number % 100 == 0:
            await asyncio.sleep(0)
    await done.wait()
    assert [number for number, _ in answers] == list(range(2000))
    failed = [number for number, answer in answers if answer is CommitFailure.REPEATED]
    assert failed == list(range(2, 2000, 3))
    assert len(await store.logs.read(CODE, 1, SEAT)) == 2000 - len(failed)


async def test_a_failing_callback_does_not_stop_the_next_answer(store: Store) -> None:
    await start_race(store)

    def fail(answer: CommitAnswer) -> None:
        raise ValueError(answer)

    store.commits.commit(act(), fail)
    (ms,) = await committed(store, act(id=2, at=1))
    assert isinstance(ms, int)


async def test_acts_survive_scripts_that_were_flushed(store: Store) -> None:
    await start_race(store)
    await committed(store, act())
    await ask_every_master(store, "SCRIPT", "FLUSH")
    answers = await committed(store, act(id=2, at=1), act(seat=2, id=2, at=1))
    assert isinstance(answers[0], int)
    assert answers[1] is CommitFailure.TAKEN_BACK


async def test_an_act_on_a_broken_log_is_answered(store: Store) -> None:
    await start_race(store)
    key = keys.log(CODE, 1, SEAT)
    await store.client.call(key, "SET", key, "not a list")
    assert await committed(store, act()) == [CommitFailure.AWAY]


async def test_many_seats_are_read_at_once(store: Store) -> None:
    await start_race(store)
    await committed(store, act(action=1), act(action=2, id=2, at=1))
    seat, nobody = await store.seats.read_all(CODE, [SEAT, 2])
    assert seat is not None
    assert (seat.last_id, nobody) == (2, None)


async def test_an_act_takes_few_bytes(store: Store) -> None:
    await start_race(store)
    await committed(store, *(act(id=at + 1, at=at) for at in range(300)))
    key = keys.log(CODE, 1, SEAT)
    size = await store.client.call(key, "MEMORY", "USAGE", key)
    assert size < 300 * 10


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
