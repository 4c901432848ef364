"""The embedded server that a killed owner leaves behind."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.servers import ended

OWNER = """
import asyncio, structlog, sys
from pathlib import Path
structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
from server.store import Store
from tests.store.rooms_and_acts import CODE, change

async def main():
    store = await Store.open(None, Path(sys.argv[1]))
    await store.rooms.create(CODE, change(doc="kept"))
    print(store.embedded.pid, flush=True)
    await asyncio.sleep(60)

asyncio.run(main())
"""


@asynccontextmanager
async def left_by_a_killed_owner(data_dir: Path) -> AsyncIterator[int]:
    """Let an owner create a room and kill it; its server, whose process is given, still runs."""
    with subprocess.Popen(  # noqa: ASYNC220  # started in a moment, and killed
        [sys.executable, "-c", OWNER, str(data_dir)], stdout=subprocess.PIPE, text=True
    ) as owner:
        assert owner.stdout is not None
        pid = int(await asyncio.to_thread(owner.stdout.readline))
        owner.kill()
    with ended(pid):
        yield pid
