"""A pool that computes in the process of the test, at once or as slowly as the test wants."""

import asyncio
from collections.abc import Callable
from typing import Any

from server.thinking.pool import Pool, Urgency


class InlinePool(Pool):
    """A pool without a process of its own; it needs no `keep`."""

    def __init__(self) -> None:
        super().__init__()
        self.work_s = 0.0
        """The time of each call."""
        self.calls: list[tuple[str, Urgency | None, tuple[Any, ...]]] = []
        """Each call: the function's name, the urgency and the arguments."""
        self.stopped: list[str] = []
        """The functions whose searches were stopped."""
        self.failing: dict[str, Exception] = {}
        """Errors that functions raise, by name."""
        self.works: dict[str, Callable[..., Any]] = {}
        """Replacements of functions, by name."""

    async def run(self, work: Callable[..., Any], *given: object) -> Any:
        return await self._compute(work, None, given)

    async def search(self, work: Callable[..., Any], *given: object, urgency: Urgency) -> Any:
        try:
            return await self._compute(work, urgency, given, should_stop=lambda: False)
        except asyncio.CancelledError:
            self.stopped.append(work.__name__)
            raise

    async def _compute(
        self, work: Callable[..., Any], urgency: Urgency | None, given: Any, **named: Any
    ) -> Any:
        name = work.__name__
        self.calls.append((name, urgency, given))
        await asyncio.sleep(self.work_s)
        if name in self.failing:
            raise self.failing[name]
        return self.works.get(name, work)(*given, **named)

    def count(self, work: str) -> int:
        """Return how often a function was called."""
        return sum(name == work for name, _, _ in self.calls)
