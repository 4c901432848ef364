"""The embedded server that a killed owner leaves behind."""

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.present import present
from tests.servers import embedded, ended, opened
from tests.store.rooms_and_acts import CODE, change


@asynccontextmanager
async def left_by_a_killed_owner(data_dir: Path) -> AsyncIterator[int]:
    """Let an owner create a room and forget its server, whose process is given: it still runs."""
    async with opened(None, data_dir) as store:
        await store.rooms.create(CODE, change(doc="kept"))
        owned = embedded(store)
        process = present(owned.process)
        owned.pid, owned._ours = 0, False  # closing releases the lock and does nothing else
    # The server is a child of this process, which must learn of its end.
    threading.Thread(target=process.wait).start()
    with ended(process.pid):
        yield process.pid
