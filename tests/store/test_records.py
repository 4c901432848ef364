"""The notifications of progress."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.store import ProgressNotification, SeatProgress

COUNTS = st.integers(min_value=0, max_value=2**53)
PROGRESS = st.builds(
    SeatProgress,
    seat=COUNTS,
    n=COUNTS,
    last_id=COUNTS,
    stats_json=st.none() | st.text(min_size=1),
    gained_ms=COUNTS,
    over_ms=st.none() | COUNTS,
    hint_count=COUNTS,
    hint_round=COUNTS,
)


@given(PROGRESS)
def test_progress_is_read_as_it_was_written(progress: SeatProgress) -> None:
    text = ProgressNotification(ProgressNotification.write(progress))
    assert text.read() == progress
    assert text.head == (str(progress.seat).encode(), progress.last_id)


def test_progress_is_published_as_one_short_text() -> None:
    stats = '{"score": 500, "moves": 7}'
    playing = SeatProgress(3, 1, 7, stats, 4_000, None, 0, 0)
    assert (
        ProgressNotification.write(playing) == b'seat 3 1 7 4000  0 0 {"score": 500, "moves": 7}'
    )
    ended = playing._replace(over_ms=5_000, hint_count=2, hint_round=1)
    assert (
        ProgressNotification.write(ended) == b'seat 3 1 7 4000 5000 2 1 {"score": 500, "moves": 7}'
    )
    assert ProgressNotification(b'seat 3 1 7 4000    {"score": 500, "moves": 7}').read() == playing
    nothing = SeatProgress(3, 0, 0, None, 0, None, 1, 1)
    assert ProgressNotification.write(nothing) == b"seat 3 0 0 0  1 1 "
    assert ProgressNotification(b"seat 3 0 0 0  1 1 ").read() == nothing


@pytest.mark.parametrize(
    "text", [b"seat ", b"seat 1 2", b"seat one 1 1 1   1 {}", b"seat 1 1 one 1   1 {}"]
)
def test_a_text_of_another_release_is_not_read(text: bytes) -> None:
    assert ProgressNotification(text).read() is None
    assert ProgressNotification(text).head in {None, (b"one", 1)}
