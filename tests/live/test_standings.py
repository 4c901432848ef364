"""When standings are sent to subscribers, and when progress is read and published."""

import asyncio
from collections import Counter
from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from protocol.from_client import Chase
from protocol.vocabulary import Presence
from server.live import leaderboard
from server.live.hub import LIVE_TIMINGS
from server.live.room import LiveRoom, Throttle
from server.store import Notification, ProgressNotification, StoreAway
from tests.live.watched import PASS_S, TWO, Ear, Watched, progress, race, renamed, served
from tests.rooms.rooms import ADA, BOB, CY, T0, finished, happen, running, sends
from tests.world.world import UNCUT, opened

INTERVAL_S, PUBLISH_S = LIVE_TIMINGS.standings_interval_s, LIVE_TIMINGS.publish_interval_s
RETRY_S, PROGRESS_S = LIVE_TIMINGS.retry_s, LIVE_TIMINGS.progress_interval_s
READ = "seats.read_all"


async def test_the_first_change_is_sent_at_once_and_those_that_follow_together() -> None:
    async with race() as here:
        standings = here.ear.standings
        here.act(progress(1))
        await asyncio.sleep(0)
        assert [each["changed"][0]["moves"] for each in standings[1:]] == [1]
        for id_ in range(2, 9):
            here.act(progress(id_))
            await asyncio.sleep(0)
        await asyncio.sleep(INTERVAL_S - 0.001)
        assert len(standings) == 2
        await asyncio.sleep(0.002)
        assert standings[2:] == [{**standings[2], "changed": [{"seat": ADA, "moves": 8}]}]
        numbers = [each["number"] for each in standings]
        assert numbers == list(range(numbers[0], numbers[0] + 3))


async def test_slow_subscribers_get_the_whole_standings_later() -> None:
    async with race() as here:
        slow = await here.enter(is_slow=True)
        await asyncio.sleep(PASS_S)
        assert "standings" not in slow.received
        await here.reads_again(slow)
        assert slow.received[-1] == "standings"
        slow.is_slow = True
        await here.acts(progress(1, score=510), progress(2, score=520))
        await here.reads_again(slow)
        assert here.ear.received[-2:] == ["standings", "standings_changes"]
        assert slow.received[-2:] == ["standings", "standings"]
        assert here.ear.shown() == slow.shown() == 520
        assert slow.standings[-1]["number"] == here.ear.standings[-1]["number"]
        # When somebody requests the standings, slow subscribers still get theirs.
        here.ear.is_slow = True
        here.notify(progress(3))
        await asyncio.sleep(0)
        rows = await here.rows()
        await here.reads_again(here.ear)
        assert here.ear.standings[-1]["standings"] == list(rows.values())


@pytest.mark.interpreted
@pytest.mark.parametrize("others", [0, 1])
async def test_no_standings_are_made_for_subscribers_that_cannot_receive_them(
    monkeypatch: pytest.MonkeyPatch, others: int
) -> None:
    """Regression: standings were made ten times a second for a subscriber that read nothing."""
    made: Counter[str] = Counter()

    def count(name: str) -> None:
        make = getattr(leaderboard, name)
        monkeypatch.setattr(leaderboard, name, lambda *of: (made.update([name]), make(*of))[1])

    async with race() as here:
        ears = [here.ear, *[await here.enter() for _ in range(others)]]
        await asyncio.sleep(PASS_S)
        for name in ("standings_text", "changes_text"):
            count(name)
        here.ear.is_slow = True
        await here.acts(progress(1))
        await asyncio.sleep(60)
        assert made == Counter(changes_text=others)
        await here.reads_again(here.ear)
        assert made["standings_text"] == others
        assert len({each.standings[-1]["number"] for each in ears}) == 1
        assert here.ear.received[-1] == ("standings" if others else "standings_changes")


async def test_a_pass_over_many_rooms_lets_other_work_go_on() -> None:
    quick = replace(UNCUT, pass_slice_s=0.0)
    async with opened(chosen=replace(TWO, live=quick)) as world:
        ears = [Ear() for _ in range(3)]
        for number, ear in enumerate(ears):
            room = renamed(running(), f"00000{number}")
            await world.hub.enter(world.store.put(room, 5), ear)
        await asyncio.sleep(PASS_S)
        for code in world.hub.codes():
            world.hub.handle_progress(code, progress(1))
        await asyncio.sleep(0)
        assert [len(each.standings) for each in ears].count(2) == 1
        await asyncio.sleep(PASS_S)
        assert [len(each.standings) for each in ears] == [2, 2, 2]


async def test_an_error_in_one_room_does_not_stop_the_others() -> None:
    served: list[str] = []

    def serve(room: LiveRoom) -> None:
        if room.code == "broken":
            raise ValueError("a bug")
        served.append(room.code)

    async with opened(chosen=TWO) as world:
        services = world.hub._room_services
        throttle = Throttle("standings failed", INTERVAL_S, 1.0, serve)
        broken, sound = [LiveRoom(code, 0, services) for code in ("broken", "sound")]
        with capture_logs() as logs:
            for each in (broken, sound):
                throttle.add(each)
            await asyncio.sleep(PASS_S)
    assert [(line["event"], line["room"]) for line in logs] == [("standings failed", "broken")]
    assert served == ["sound"]


async def test_progress_of_other_processes_is_sent_without_a_read() -> None:
    async with race() as here:
        await here.receives(progress(4, score=530))
        assert (here.ear.received[-1], here.ear.shown()) == ("standings_changes", 530)
        sent = len(here.ear.standings)
        # An older notification arrives late.
        await here.receives(progress(3, score=520), progress(4, score=530))
        assert (len(here.ear.standings), here.reads(READ)) == (sent, 0)
        for id_ in range(5, 9):
            here.notify(progress(id_, score=500 + id_), progress(id_, score=400 + id_, seat=BOB))
        await asyncio.sleep(PASS_S)
        rows = await here.rows()
        assert [rows[seat]["score"] for seat in (ADA, BOB)] == [508, 408]
        assert len(here.ear.standings) <= sent + 2


async def test_progress_of_another_release_causes_a_read() -> None:
    async with race() as here:
        other = ProgressNotification(b"seat 0 of another release")
        here.world.store.progress(here.code, progress(1, score=501))
        here.here.connection.pubsub.receive(here.code, other)
        await asyncio.sleep(PASS_S)
        assert here.ear.shown() == 501


async def test_standings_are_read_once_for_players_who_return_together() -> None:
    async with opened(chosen=TWO) as world:
        latest, ears = world.store.put(running(), 5), [Ear() for _ in range(3)]
        for ear in ears:
            await world.hub.enter(latest, ear)
        await asyncio.sleep(PASS_S)
        assert all("standings" in ear.received for ear in ears)
        assert world.faults.calls[READ] == 1


async def test_unchanged_standings_are_not_sent_again() -> None:
    """Regression: standings were sent twice, after an act and after its own notification."""
    async with race() as here:
        for number in (1, 2):
            await here.receives(Notification.LOST)
            assert here.reads(READ) == number
        assert len(here.ear.standings) == 1
        other = await here.enter()
        await asyncio.sleep(PASS_S)
        assert [each["standings"] for each in other.standings] == [
            each["standings"] for each in here.ear.standings
        ]
        assert other.standings[0]["number"] == here.ear.standings[0]["number"]
        left = Ear()
        await here.hub.leave(here.code, left)
        here.hub.send_standings(here.code, left)
        await here.becomes(6, finished())
        # After a change of state the whole standings are sent.
        assert here.ear.received[-1] == "standings"
        assert here.ear.standings[-1]["number"] == here.ear.standings[0]["number"] + 1
        assert left.received == []


async def test_progress_of_a_chaser_whom_the_room_does_not_name_yet_is_kept() -> None:
    async with race() as here:
        # The second is from an earlier round.
        await here.receives(progress(1, seat=CY), progress(1, seat=9, n=0))
        await here.receives(Notification.LOST)
        rooms = here.here.rooms
        assert rooms.known_progress(here.code, CY) == progress(1, seat=CY)
        assert rooms.known_progress(here.code, 9) is None
        chased = happen(running(chasers=True), sends(CY, Chase(), T0 + 60_000))
        await here.becomes(6, chased)
        row = here.ear.standings[-1]["changed"][-1]
        assert (row["seat"], row["moves"]) == (CY, 1)


async def test_standings_are_read_when_the_store_is_back() -> None:
    async with opened(chosen=TWO) as world:
        here = Watched(world, world.store.put(running(), 5))
        world.faults.away = True
        await world.hub.enter(here.latest, here.ear)
        await asyncio.sleep(PASS_S)
        with pytest.raises(StoreAway):
            await here.rows()
        assert here.ear.standings == []
        world.faults.away = False
        assert list(await here.rows()) == [ADA, BOB]
        await asyncio.sleep(LIVE_TIMINGS.retry_s + PASS_S)
        assert len(here.ear.standings) == 1


async def test_a_read_replaces_progress_that_a_failover_has_lost() -> None:
    async with race(stored=[progress(3, score=530)]) as here:
        await here.receives(progress(4, score=540))
        here.world.store.progress(here.code, progress(2, score=502))
        here.notify(progress(5, score=550))
        await asyncio.sleep(0.001)
        # These wait for the next pass, and are older than the following read.
        await here.receives(progress(6, score=560), progress(7, score=570), Notification.LOST)
        assert (await here.rows())[ADA]["score"] == here.ear.shown() == 502
        here.load(progress(1, score=501))  # a table has read this even later
        here.world.store.progress(here.code, progress(1, score=501))
        await asyncio.sleep(PASS_S)
        assert here.ear.standings[-1]["changed"] == [{"seat": ADA, "score": 501, "moves": 1}]
        await here.acts(progress(2, score=535))
        assert here.ear.shown() == 535


async def test_progress_that_arrives_during_a_read_is_kept_if_it_is_newer() -> None:
    async with race() as here:
        await here.acts(progress(3))
        here.world.store.progress(here.code, progress(1), progress(5, seat=BOB))
        with here.faults.held(READ, after=True):
            await here.receives(Notification.LOST)
            here.act(progress(3, score=515))  # repeated after a failover, with other stats
            await here.receives(progress(4, score=510, seat=BOB))
        await asyncio.sleep(PASS_S)
        rows = await here.rows()
        found = {seat: (row["moves"], row["score"]) for seat, row in rows.items()}
        assert found == {ADA: (3, 515), BOB: (5, 500)}


async def test_acts_that_are_sent_again_after_a_failover_count_by_their_own_stats() -> None:
    """They have the ids of the lost acts, but other stats."""
    async with race(stored=[progress(2)]) as here:
        here.act(progress(3, score=510))
        await here.receives(progress(3, score=510, seat=BOB))
        here.world.store.progress(here.code, progress(2), progress(1, seat=BOB))
        with here.faults.held(READ, after=True):
            await here.loads(progress(2))
            here.act(progress(3, score=515))
            await here.receives(progress(3, score=516, seat=BOB), progress(2, score=505, seat=BOB))
        await asyncio.sleep(PASS_S)
        rows = await here.rows()
        assert {seat: row["score"] for seat, row in rows.items()} == {ADA: 515, BOB: 516}


async def test_progress_that_was_read_before_the_subscription_is_read_again() -> None:
    async with opened(chosen=TWO) as world:
        latest, (first, second) = world.store.put(running(), 5), (Ear(), Ear())
        with world.faults.held("pubsub.subscribe"):
            entering = asyncio.create_task(world.hub.enter(latest, first))
            await asyncio.sleep(0)
            await world.hub.enter(latest, second)
            await asyncio.sleep(PASS_S)
            assert (len(first.standings), len(second.standings)) == (0, 1)
            # The notification of this act is not received.
            world.store.progress(latest.room.code, progress(1))
        await entering
        await asyncio.sleep(PASS_S)
        assert second.received[-1] == "standings_changes"
        assert first.standings[-1]["number"] == second.standings[-1]["number"]


@pytest.mark.parametrize(
    ("room", "after_s"),
    [(running, PROGRESS_S), (lambda: served(ADA, BOB, CY), LIVE_TIMINGS.reread_s)],
)
async def test_changing_progress_is_read_from_time_to_time(room: object, after_s: float) -> None:
    """If all players are here, only a failover can make the known progress wrong."""
    async with race(room=room) as here:  # type: ignore[arg-type]
        await here.hub.refresh()
        await asyncio.sleep(PASS_S)
        here.act(progress(2))
        here.world.store.progress(here.code, progress(3, score=530))
        await asyncio.sleep(after_s - 2 * PASS_S - 0.9)
        await here.hub.refresh()
        await asyncio.sleep(PASS_S)
        assert here.reads(READ) == 0
        await here.hub.refresh()
        await asyncio.sleep(PASS_S)
        assert (here.reads(READ), here.ear.shown()) == (1, 530)
        reads = here.reads()
        await asyncio.sleep(LIVE_TIMINGS.reread_s)
        await here.hub.refresh()
        await asyncio.sleep(PASS_S)
        is_shared = room is running
        assert (here.reads(READ), here.reads()) == (1 + is_shared, reads + 1)


# Publications


async def test_progress_is_published_at_once_and_then_the_latest_of_each_seat() -> None:
    async with race(room=lambda: served(ADA, BOB)) as here:
        here.act(progress(1))
        await asyncio.sleep(0)
        assert here.published == [[progress(1)]]
        for id_ in (2, 3, 4):
            here.act(progress(id_), progress(id_, seat=BOB, hint_count=id_, hint_round=1))
            await asyncio.sleep(0)
        await asyncio.sleep(PUBLISH_S - 0.001)
        assert len(here.published) == 1
        await asyncio.sleep(0.002)
        later = [progress(4), progress(4, seat=BOB, hint_count=4, hint_round=1)]
        assert sorted(here.published[1]) == later
        await asyncio.sleep(PASS_S)
        assert len(here.published) == 2
        # The process that stored this act may have died before it published it.
        await here.loads(progress(9))
        assert here.published[2:] == [[progress(9)]]


@pytest.mark.parametrize(
    "room",
    [
        lambda: served(ADA, BOB, CY),
        lambda: served(ADA, process=""),
        lambda: served(ADA, connection=Presence.GRACE),
        lambda: served(ADA, connection=Presence.GONE),
    ],
)
async def test_nothing_is_published_where_no_other_process_serves_a_seat(room: object) -> None:
    async with race(room=room) as here:  # type: ignore[arg-type]
        await here.acts(progress(1))
        assert here.published == []


async def test_another_process_that_joins_gets_the_progress_of_all_games_here() -> None:
    async with race(room=lambda: served(ADA, BOB, CY)) as here:
        of_hint = progress(3, seat=BOB, n=0, hint_count=1, hint_round=1)
        here.act(progress(7), of_hint)
        await here.becomes(6, served(ADA, BOB))
        assert sorted(here.published.pop()) == [progress(7), of_hint]
        await here.becomes(7, served(ADA, BOB))  # the same process
        assert here.published == []
        await here.becomes(8, served(ADA, process="further"))  # Bob is there now
        assert here.published == [[progress(7)]]
        await here.loads(progress(8, n=0))  # each table reads this when a round starts
        assert len(here.published) == 1


async def test_progress_that_a_failover_has_lost_is_not_published_any_more() -> None:
    async with race(room=lambda: served(ADA)) as here:
        here.act(progress(8))
        await asyncio.sleep(0)
        here.act(progress(9))
        here.world.store.progress(here.code, progress(7))
        await here.loads(progress(7))
        assert here.published == [[progress(8)], [progress(7)]]


async def test_progress_of_a_process_that_is_gone_is_read_again() -> None:
    """It may have died before it published acts that it had stored."""
    async with race(room=lambda: served(ADA)) as here:
        await asyncio.sleep(PROGRESS_S)
        await here.hub.refresh()
        await asyncio.sleep(PASS_S)
        assert here.reads(READ) == 0
        here.world.store.progress(here.code, progress(5, score=530, seat=BOB))
        gone = served(ADA, connection=Presence.GRACE)
        here.update(6, gone)
        await here.hub.refresh()
        await asyncio.sleep(PASS_S)
        assert here.reads(READ) == 1
        assert (await here.rows())[BOB]["score"] == 530


async def test_a_seat_that_moves_here_has_the_progress_of_the_store() -> None:
    async with race(room=lambda: served(ADA)) as here:
        # The previous process may publish later than this one.
        for id_ in (4, 6, 5):
            here.notify(progress(id_, score=500 + id_, seat=BOB))
        await asyncio.sleep(PASS_S)
        known = here.here.rooms.known_progress
        assert known(here.code, BOB) == progress(6, score=506, seat=BOB)
        here.update(6, served(ADA, BOB))
        here.load(progress(7, seat=BOB))
        here.notify(progress(5, seat=BOB))  # delayed
        await here.acts(progress(8, seat=BOB))
        assert known(here.code, BOB) == here.published[-1][-1] == progress(8, seat=BOB)
