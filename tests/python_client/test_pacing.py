"""The waits before a connection is opened again: each is drawn between two bounds."""

import pytest
from spider_race_client.pacing import wait_before_attempt

Drawn = list[tuple[float, float]]


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Drawn:
    """The bounds between which waits were drawn."""
    drawn: Drawn = []

    def draw(least: float, most: float) -> float:
        drawn.append((least, most))
        return least

    monkeypatch.setattr("spider_race_client.pacing.random.uniform", draw)
    return drawn


def test_the_longest_wait_doubles_with_each_failure_up_to_a_limit(drawn: Drawn) -> None:
    for failures in (0, 1, 2, 5, 10_000):
        wait_before_attempt(failures)
    wait_before_attempt(9, longest_s=0.1)
    assert drawn == [(0.5, 1), (0.5, 2), (0.5, 4), (0.5, 30), (0.5, 30), (0.1, 0.1)]


def test_the_successor_of_a_server_is_asked_at_once_and_then_like_any_other(drawn: Drawn) -> None:
    for failures in (0, 1):
        wait_before_attempt(failures, is_moved=True)
    assert drawn == [(0, 0.25), (0.5, 2)]
