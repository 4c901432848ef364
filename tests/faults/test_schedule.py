from collections import Counter

from tests.faults.schedule import OF_CLUSTER, OF_PLAYERS, OF_REDIS, OF_SERVERS, draw


def test_a_seed_is_a_schedule() -> None:
    assert draw(7, 60, 3, 50) == draw(7, 60, 3, 50)
    assert draw(7, 60, 3, 50) != draw(8, 60, 3, 50)


def test_every_kind_comes_before_any_comes_again() -> None:
    faults = draw(7, 60, 3, 50)
    for kinds in (OF_PLAYERS, OF_SERVERS + OF_REDIS):
        times = Counter(fault.kind for fault in faults if fault.kind in kinds)
        assert set(times) == set(kinds)
        assert max(times.values()) - min(times.values()) <= 1


def test_a_cluster_suffers_in_place_of_a_single_redis() -> None:
    kinds = {fault.kind for fault in draw(7, 60, 3, 50, OF_CLUSTER)}
    assert kinds == {*OF_PLAYERS, *OF_SERVERS, *OF_CLUSTER}


def test_faults_come_in_the_order_of_time_and_name_who_is_there() -> None:
    faults = draw(3, 60, 3, 10)
    assert [fault.at for fault in faults] == sorted(fault.at for fault in faults)
    assert all(0 < fault.at < 60 for fault in faults)
    for fault in faults:
        assert max(fault.victims, default=0) < (10 if fault.kind in OF_PLAYERS else 3)
