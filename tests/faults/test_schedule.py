from collections import Counter

from server.live.timings import LIVE_TIMINGS
from server.store.unreadable_rooms import FIRST_MS
from tests.faults.beside import HELD_UP_S
from tests.faults.records import WAYS
from tests.faults.run import END_PATIENCE_S
from tests.faults.schedule import (
    LASTS,
    OF_CLUSTER,
    OF_PLAYERS,
    OF_RECORDS,
    OF_REDIS,
    OF_RELEASES,
    OF_SERVERS,
    FaultKind,
    draw,
)
from tests.faults.witness import PATIENCE_S

OF_ALL = (*OF_SERVERS, *OF_RECORDS, *OF_RELEASES)


def test_a_seed_determines_the_schedule() -> None:
    assert draw(7, 60, 3, 50) == draw(7, 60, 3, 50)
    assert draw(7, 60, 3, 50) != draw(8, 60, 3, 50)


def test_every_fault_occurs_before_any_occurs_again() -> None:
    faults = draw(7, 60, 3, 50)
    for kinds in (OF_PLAYERS, OF_ALL + OF_REDIS):
        times = Counter(fault.kind for fault in faults if fault.kind in kinds)
        assert set(times) == set(kinds)
        assert max(times.values()) - min(times.values()) <= 1


def test_a_cluster_gets_the_faults_of_masters_instead_of_a_single_redis() -> None:
    kinds = {fault.kind for fault in draw(7, 60, 3, 50, OF_CLUSTER)}
    assert kinds == {*OF_PLAYERS, *OF_ALL, *OF_CLUSTER}


def test_no_server_is_rolled_back_without_the_last_release() -> None:
    kinds = {fault.kind for fault in draw(7, 60, 3, 50, releases=())}
    assert kinds == {*OF_PLAYERS, *OF_ALL, *OF_REDIS} - {FaultKind.ROLLBACK}


def test_faults_are_sorted_by_time_and_name_existing_targets() -> None:
    faults = draw(3, 60, 3, 10)
    assert [fault.at for fault in faults] == sorted(fault.at for fault in faults)
    assert all(0 < fault.at < 60 for fault in faults)
    for fault in faults:
        if fault.kind in OF_RECORDS:
            assert len(fault.victims) == 2
        else:
            assert max(fault.victims, default=0) < (10 if fault.kind in OF_PLAYERS else 3)


def test_records_become_unreadable_in_every_way() -> None:
    faults = draw(5, 3_600, 3, 50)
    ways = {fault.victims[1] % len(WAYS) for fault in faults if fault.kind in OF_RECORDS}
    assert ways == set(range(len(WAYS)))


def test_players_wait_longer_than_an_unreadable_room_needs_to_be_served_again() -> None:
    """Servers read such a room again after up to one and a half times its unreadable time."""
    shortest, longest = LASTS[FaultKind.UNREADABLE_RECORD]
    assert (
        1.5 * max(longest, FIRST_MS / 1_000) + LIVE_TIMINGS.sweep_s < PATIENCE_S < END_PATIENCE_S
    )
    assert LASTS[FaultKind.STALL_SERVER][1] < HELD_UP_S < shortest
