"""The texts of figures in notifications."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.store import FiguresText, SeatFigures

COUNTS = st.integers(min_value=0, max_value=2**53)
FIGURES = st.builds(
    SeatFigures,
    seat=COUNTS,
    n=COUNTS,
    last_id=COUNTS,
    standing=st.none() | st.text(min_size=1),
    gained=COUNTS,
    over=st.none() | COUNTS,
    hint_count=COUNTS,
    hint_round=COUNTS,
)


@given(FIGURES)
def test_figures_are_read_as_they_were_written(figures: SeatFigures) -> None:
    text = FiguresText(FiguresText.write(figures))
    assert text.read() == figures
    assert text.head == (str(figures.seat).encode(), figures.last_id)


def test_the_text_of_figures_is_that_of_earlier_releases() -> None:
    """They published it from a script, and serve rooms together with this one."""
    stats = '{"score": 500, "moves": 7}'
    playing = SeatFigures(3, 1, 7, stats, 4_000, None, 0, 0)
    assert FiguresText.write(playing) == b'seat 3 1 7 4000  0 0 {"score": 500, "moves": 7}'
    ended = playing._replace(over=5_000, hint_count=2, hint_round=1)
    assert FiguresText.write(ended) == b'seat 3 1 7 4000 5000 2 1 {"score": 500, "moves": 7}'
    assert FiguresText(b'seat 3 1 7 4000    {"score": 500, "moves": 7}').read() == playing
    nothing = SeatFigures(3, 0, 0, None, 0, None, 1, 1)
    assert FiguresText.write(nothing) == b"seat 3 0 0 0  1 1 "
    assert FiguresText(b"seat 3 0 0 0  1 1 ").read() == nothing


@pytest.mark.parametrize(
    "text", [b"seat ", b"seat 1 2", b"seat one 1 1 1   1 {}", b"seat 1 1 one 1   1 {}"]
)
def test_a_text_of_another_release_is_not_read(text: bytes) -> None:
    assert FiguresText(text).read() is None
    assert FiguresText(text).head in {None, (b"one", 1)}
