"""Which search of a thinking process goes first: that of a deal for which a room waits.

1. Meanwhile all other searches of the process pause, in the threads in which they run. They lose
   nothing, and go on afterwards.
2. A search that has paused for long runs for as long before it pauses again. So rooms without end
   hold up no review and no label for ever.
"""

import threading
import time
from collections.abc import Callable
from typing import Final

LONGEST_PAUSE_S: Final = 10.0


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
        self.runs_until = 0.0
        """The time until which searches that have paused for long run."""

    def begin(self) -> None:
        """Let other searches pause: a room waits."""
        self._is_free.clear()

    def end(self) -> None:
        """Let other searches go on: no room waits."""
        self._is_free.set()

    def let_pass(self) -> None:
        """Pause while a room waits; another search calls it again and again in its thread."""
        if self._is_free.is_set() or self._monotonic() < self.runs_until:
            return
        if not self._is_free.wait(self._longest_pause_s):
            self.runs_until = self._monotonic() + self._longest_pause_s
