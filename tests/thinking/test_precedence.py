"""The precedence of rooms that wait: other searches pause, and none is held up for ever."""

import asyncio
import os
import sys
import threading

import pytest

from server.thinking.precedence import LOWEST, Precedence


def test_a_search_pauses_while_a_room_waits_and_runs_for_as_long_as_it_has_paused() -> None:
    now = [0.0]
    precedence = Precedence(longest_pause_s=0.01, monotonic=lambda: now[0])
    precedence.let_pass()
    assert precedence.runs_until == 0, "nobody waits"
    precedence.begin()
    for when, until in ((0.0, 0.01), (0.005, 0.01), (5.0, 5.01)):
        now[0] = when
        precedence.let_pass()
        assert precedence.runs_until == until
    precedence.end()
    now[0] = 9.0
    precedence.let_pass()
    assert precedence.runs_until == 5.01, "it has not paused"


def test_a_search_that_pauses_goes_on_when_no_room_waits() -> None:
    """Without an end of the wait this test would hang."""
    precedence = Precedence(longest_pause_s=1e6)
    precedence.begin()
    order: list[str] = []

    def search_on() -> None:
        precedence.let_pass()
        order.append("goes on")

    search = threading.Thread(target=search_on)
    search.start()
    order.append("end")
    precedence.end()
    search.join()
    assert order == ["end", "goes on"]


@pytest.mark.skipif(sys.platform != "linux", reason="threads have no priority of their own")
def test_other_searches_leave_the_processor_to_that_for_which_a_room_waits() -> None:
    """Regression: on a busy machine this search had the lowest priority of the system too."""

    def priority() -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    before = priority()
    assert asyncio.run(Precedence().run(priority)) == LOWEST
    assert priority() == before
