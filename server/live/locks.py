"""Whose turn it is to change a room, of those who want to at this process.

The store takes a change only if nobody else's came between, and says so to all but one of those
who come together: a hundred who join at once would make five thousand attempts, and the last of
them wait for ten seconds. So of each process one tries at a time, in the order of asking.
Nothing but time depends on it.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

PATIENCE_S = 2.0
"""Whoever has waited for so long tries without a turn: a store that is away holds up each once."""


@dataclass(slots=True)
class _Turn:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    wanted: int = 0


class Turns:
    """The turns of all rooms that are being changed now.

    With `patient` everybody waits for a turn, however long: where work that is done twice at the
    same time is worse than waiting.
    """

    def __init__(self, *, patient: bool = False) -> None:
        self._turns: dict[str, _Turn] = {}
        self._patient = patient

    @asynccontextmanager
    async def of(self, code: str) -> AsyncIterator[None]:
        """Waits for a turn at this room, for a while; cancelling gives it up."""
        turn = self._turns.setdefault(code, _Turn())
        turn.wanted += 1
        mine = False
        try:
            if turn.wanted == 1:  # nobody to wait for
                mine = await turn.lock.acquire()
            else:
                mine = await _acquired(turn.lock, None if self._patient else PATIENCE_S)
            yield
        finally:
            if mine:
                turn.lock.release()
            turn.wanted -= 1
            if not turn.wanted:
                del self._turns[code]

    def __len__(self) -> int:
        """The number of rooms."""
        return len(self._turns)


async def _acquired(lock: asyncio.Lock, patience_s: float | None) -> bool:
    try:
        async with asyncio.timeout(patience_s):
            return await lock.acquire()
    except TimeoutError:
        return False
