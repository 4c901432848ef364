"""Locks by key within one process: changes of a room are tried one at a time, in order.

The store takes a change only if no other change came between, and refuses all but one of those
that are written at the same time: a hundred joins at once would make five thousand attempts, and
the last one would wait for ten seconds. The locks save time only; correctness never depends on
them.
"""

import asyncio
from asyncio import Future
from collections import deque
from types import TracebackType

LOCK_PATIENCE_S = 2.0
"""Longest wait for a lock; the change is then tried without it, as when the store is away."""


class KeyedLocks:
    """A lock for each room that is being changed now.

    A caller waits for the lock for `patience_s`, or with `patient` without a limit: for work that
    is worse done twice at the same time than late.
    """

    def __init__(self, *, patience_s: float = LOCK_PATIENCE_S, patient: bool = False) -> None:
        self._waiting: dict[str, deque[Future[bool]]] = {}  # by room whose lock is held
        self._patience_s = None if patient else patience_s

    def of(self, code: str) -> "_Turn":
        """Hold the lock of a room in a block; go on without it after a long wait."""
        return _Turn(self, code)

    async def acquire(self, code: str) -> bool:
        """Wait for the lock of a room; return False after a long wait."""
        waiting = self._waiting.get(code)
        if waiting is None:
            self._waiting[code] = deque()
            return True
        loop = asyncio.get_running_loop()
        held: Future[bool] = loop.create_future()
        waiting.append(held)
        patience_s = self._patience_s
        timer = None if patience_s is None else loop.call_later(patience_s, _give_up, held)
        try:
            return await held
        except asyncio.CancelledError:
            if held.done() and not held.cancelled() and held.result():
                self.release(code)
            raise
        finally:
            if timer is not None:
                timer.cancel()

    def release(self, code: str) -> None:
        """Pass the lock of a room on to the caller that has waited longest, if any."""
        waiting = self._waiting[code]
        while waiting:
            held = waiting.popleft()
            if not held.done():  # it has neither been cancelled nor given up
                held.set_result(True)
                return
        del self._waiting[code]

    def __len__(self) -> int:
        """Return the number of rooms with a lock."""
        return len(self._waiting)


# A class and no generator: a lock is taken for each change and each table.
class _Turn:
    """One caller's turn with the lock of a room."""

    __slots__ = ("_code", "_held", "_locks")

    def __init__(self, locks: KeyedLocks, code: str) -> None:
        self._locks, self._code, self._held = locks, code, False

    async def __aenter__(self) -> None:
        self._held = await self._locks.acquire(self._code)

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._held:
            self._locks.release(self._code)


def _give_up(held: Future[bool]) -> None:
    if not held.done():
        held.set_result(False)
