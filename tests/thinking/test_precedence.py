"""The precedence of rooms that wait: other searches pause, and none is held up for ever."""

import os
import sys
import threading

import pytest

from server.thinking.precedence import LOWEST, Precedence


def test_a_search_pauses_while_a_room_waits() -> None:
    precedence = Precedence()
    precedence.let_pass()  # nobody waits
    precedence.begin()
    passed = threading.Event()

    def search_on() -> None:
        precedence.let_pass()
        passed.set()

    search = threading.Thread(target=search_on)
    search.start()
    assert not passed.wait(0.05)
    precedence.end()
    assert passed.wait(10)
    search.join()


def test_a_search_that_has_paused_for_long_runs_for_as_long() -> None:
    now = [0.0]
    precedence = Precedence(longest_pause_s=0.01, monotonic=lambda: now[0])
    precedence.begin()
    precedence.let_pass()
    assert precedence.runs_until == 0.01
    precedence.let_pass()
    assert precedence.runs_until == 0.01, "it ran meanwhile"
    now[0] = 5.0
    precedence.let_pass()
    assert precedence.runs_until == 5.01, "it has paused again"


@pytest.mark.skipif(sys.platform != "linux", reason="threads have no priority of their own")
async def test_other_searches_leave_the_processor_to_that_for_which_a_room_waits() -> None:
    """Regression: on a busy machine this search had the lowest priority of the system too."""

    def priority() -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    before = priority()
    assert await Precedence().run(priority) == LOWEST
    assert priority() == before
