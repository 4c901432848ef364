"""The waits before a connection is opened again: each is drawn between two bounds."""

import pytest
from spider_race_client.pacing import wait_before_attempt


def test_the_longest_wait_doubles_with_each_failure_up_to_a_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn: list[tuple[float, float]] = []

    def draw(least: float, most: float) -> float:
        drawn.append((least, most))
        return least

    monkeypatch.setattr("spider_race_client.pacing.random.uniform", draw)
    for failures in (0, 1, 2, 5, 10_000):
        wait_before_attempt(failures)
    wait_before_attempt(9, longest_s=0.1)
    assert drawn == [(0.5, 1), (0.5, 2), (0.5, 4), (0.5, 30), (0.5, 30), (0.1, 0.1)]
    drawn.clear()
    for failures in (0, 1):  # the successor of a server is asked at once
        wait_before_attempt(failures, is_moved=True)
    assert drawn == [(0, 0.25), (0.5, 2)]
