"""The contract of the stores, which holds on the system's Redis and on a cluster as well."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.servers import opened
from tests.store.rooms_and_acts import ask_every_master
from tests.world.test_store_contract import *  # noqa: F403  # all scenarios
from tests.world.test_store_contract import Stores


@pytest.fixture(params=["redis", "cluster"])  # type: ignore[no-redef]  # instead of the contract's
async def stores(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Stores]:
    name = "redis_server" if request.param == "redis" else "cluster"
    url = request.getfixturevalue(name).url
    async with opened(url, tmp_path) as here, opened(url, tmp_path) as elsewhere:
        await ask_every_master(here, "FLUSHALL")
        yield OnServers(here, elsewhere, is_fake=False)


class OnServers(Stores):
    """The stores of two processes on one or more servers."""

    async def fill(self, *, full: bool) -> None:
        await ask_every_master(self.here, "CONFIG", "SET", "maxmemory", int(full))
