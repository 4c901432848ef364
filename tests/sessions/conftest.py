from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from server.store import Store
from tests.hooked import HookedStore
from tests.servers import AT_ONCE
from tests.sessions.clients import FEW, Processes, process_over


@pytest.fixture
async def processes(store: Store, embedded_url: str, tmp_path: Path) -> AsyncIterator[Processes]:
    hooked = await HookedStore.open(embedded_url, tmp_path, timings=AT_ONCE)
    async with process_over(hooked, FEW) as here, process_over(store, FEW) as elsewhere:
        yield Processes(hooked, here, elsewhere)
    await hooked.close()
