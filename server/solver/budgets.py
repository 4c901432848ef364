from typing import Final

from server.solver.verdicts import ShouldStop

ASKED_EVERY: Final = 4096
"""The number of children between two questions whether to stop."""


class Budget:
    """The children that a search may still price, of all its attempts together."""

    __slots__ = ("_ask_at", "_limit", "_should_stop", "_stopped", "spent")

    def __init__(self, limit: int, should_stop: ShouldStop) -> None:
        self.spent = 0
        self._limit = limit
        self._should_stop = should_stop
        self._stopped = False
        self._ask_at = 0

    def is_left(self) -> bool:
        """Return whether the search may go on."""
        if self.spent >= self._ask_at:
            self._ask_at = self.spent + ASKED_EVERY
            self._stopped = self._stopped or self._should_stop()
        return not self._stopped and self.spent < self._limit
