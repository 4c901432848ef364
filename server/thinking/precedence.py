"""Which search of a thinking process goes first: that of a deal for which a room waits.

1. Meanwhile all other searches of the process pause, in the threads in which they run. They lose
   nothing, and go on afterwards.
2. A search that has paused for long runs for as long before it pauses again. So rooms without end
   hold up no review and no label for ever.
3. They run in threads of the lowest priority of the system, where threads may have one of their
   own. The search for which a room waits has that of the process.
"""

import asyncio
import os
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

T = TypeVar("T")

LONGEST_PAUSE_S: Final = 10.0
HAS_PRIORITIES: Final = sys.platform == "linux"
"""Whether each thread has a priority of its own."""
LOWEST: Final = 19
OTHERS: Final = 3
"""The other searches of a process: for a label, for a review, and for a pool."""


class Precedence:
    """The precedence of rooms that wait, in one process."""

    def __init__(
        self,
        longest_pause_s: float = LONGEST_PAUSE_S,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._longest_pause_s = longest_pause_s
        self._monotonic = monotonic
        self._is_free = threading.Event()
        self._is_free.set()
        self._threads = ThreadPoolExecutor(OTHERS, "thinking", _lower_priority)
        self.runs_until = 0.0
        """The time until which searches that have paused for long run."""

    def begin(self) -> None:
        """Let other searches pause: a room waits."""
        self._is_free.clear()

    def end(self) -> None:
        """Let other searches go on: no room waits."""
        self._is_free.set()

    async def run(self, search: Callable[..., T], *given: object) -> T:
        """Run another search in a thread; cancelling leaves it there, until it is to stop."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, search, *given)

    def let_pass(self) -> None:
        """Pause while a room waits; another search calls it again and again in its thread."""
        if self._is_free.is_set() or self._monotonic() < self.runs_until:
            return
        if not self._is_free.wait(self._longest_pause_s):
            self.runs_until = self._monotonic() + self._longest_pause_s


def _lower_priority() -> None:
    """Give this thread the lowest priority."""
    if HAS_PRIORITIES:
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), LOWEST)
