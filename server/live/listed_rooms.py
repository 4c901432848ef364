import contextlib
from collections.abc import Callable

from server.live.background_tasks import BackgroundTasks
from server.store import Processes, StoreAway


class ListedRooms:
    """The list of this process's rooms in the store: if it dies, others report it to them."""

    def __init__(
        self, processes: Processes, now: Callable[[], int], process: str, tasks: BackgroundTasks
    ) -> None:
        self._processes = processes
        self._now = now
        self._process = process
        self._tasks = tasks
        self._unlisted: list[str] = []

    def add(self, code: str) -> None:
        """Add a room with a heartbeat, together with others that come meanwhile."""
        self._unlisted.append(code)
        if len(self._unlisted) == 1:
            self._tasks.spawn(self._send(), "beat")

    async def remove(self, code: str) -> None:
        """Remove a room."""
        with contextlib.suppress(StoreAway):  # a room too many in the list does no harm
            await self._processes.drop_room(self._process, code)

    async def _send(self) -> None:
        try:
            while self._unlisted:
                sent = len(self._unlisted)
                await self._processes.beat(self._process, self._now(), self._unlisted[:sent])
                del self._unlisted[:sent]
        finally:  # if the store is away, the next regular heartbeat has all rooms
            self._unlisted.clear()
