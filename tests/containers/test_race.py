"""What is counted of a race that was disturbed."""

from protocol.http import SeatLog, SeatLogEntry
from tests.containers.images import named
from tests.containers.race import Acknowledged, Racer, longest_gap_s, lost_acts


def racer(seat: int, *acts: tuple[str, float]) -> Racer:
    """Return a racer whose acts were acknowledged at these times, from place 0 on."""
    return Racer(seat, {at: Acknowledged(*act) for at, act in enumerate(acts)})


def test_the_longest_gap_is_that_of_the_player_who_waited_longest() -> None:
    steady = racer(0, ("a", 1.0), ("b", 2.0), ("c", 3.0), ("d", 4.0), ("e", 5.0))
    cut = racer(1, ("a", 1.0), ("b", 1.5), ("c", 4.5))
    assert longest_gap_s([steady], 2.0, 4.0) == 1.0
    assert longest_gap_s([steady, cut], 2.0, 4.0) == 3.0


def test_a_gap_counts_as_a_whole_and_only_where_the_fault_was() -> None:
    early = racer(0, ("a", 0.0), ("b", 9.0), ("c", 10.0), ("d", 11.0))
    assert longest_gap_s([early], 9.5, 10.5) == 1.0
    assert longest_gap_s([early], 8.0, 10.5) == 9.0


def test_silence_to_the_end_is_a_gap() -> None:
    assert longest_gap_s([racer(0, ("a", 1.0))], 0.5, 20.0) == 19.0


def test_acts_that_the_log_does_not_have_at_their_place_are_lost() -> None:
    entries = tuple(SeatLogEntry(action=action, ms=0) for action in ("deal", "undo", "deal"))
    log = SeatLog(seat=0, name="Ada", late_ms=None, log=entries)
    kept = racer(0, ("deal", 1.0), ("undo", 2.0))
    assert lost_acts([kept], [log]) == []
    other = racer(0, ("deal", 1.0), ("deal", 2.0), ("deal", 3.0), ("undo", 4.0))
    assert lost_acts([other], [log]) == [Acknowledged("deal", 2.0), Acknowledged("undo", 4.0)]


def test_every_image_of_the_files_is_provided() -> None:
    assert [image.partition(":")[0] for image in named()] == ["caddy", "python", "redis"]
