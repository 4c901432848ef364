import asyncio
import contextlib
import time

from server.store import Store, StoreAway

SYNC_S = 5.0


class Clock:
    """What Redis's clock says, as far as this process can tell without asking.

    Good enough to be shown; what decides anything asks the store itself.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._offset_ms = time.time() * 1_000 - time.monotonic() * 1_000

    def now(self) -> int:
        """Milliseconds since the epoch."""
        return round(time.monotonic() * 1_000 + self._offset_ms)

    async def sync(self) -> None:
        """Asks the store.

        Raises:
            StoreAway: the store does not answer.
        """
        asked = time.monotonic()
        now = await self._store.now()
        answered = time.monotonic()
        # The store looked at its clock about half-way between question and answer.
        self._offset_ms = now - (asked + answered) * 500

    async def keep(self) -> None:
        """Asks the store every few seconds, for ever."""
        while True:
            with contextlib.suppress(StoreAway):  # it goes on by itself meanwhile
                await self.sync()
            await asyncio.sleep(SYNC_S)
