from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.e2e.pages import SHARED, SHORT_COUNTDOWN_MS, launched, serving

HERE = Path(__file__).parent
LONG_COUNTDOWN_MS = 300_000


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the tests of this folder in one event loop, that of the browser they share."""
    for item in items:
        if HERE in item.path.parents and pytest_asyncio.is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(scope="session", loop_scope="session", autouse=True)
async def browser() -> AsyncIterator[None]:
    """Start the browser once; each test opens contexts of its own in it, and closes them."""
    async with launched() as started:
        SHARED.append(started)
        yield
        SHARED.clear()


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server whose every deal comes from one seed, and so is one that can be won."""
    data_dir = tmp_path_factory.mktemp("server")
    with serving(data_dir, countdown_ms=SHORT_COUNTDOWN_MS) as found:
        yield found


@pytest.fixture(scope="session")
def unhurried(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Another, with the countdown of every day: for those who do something while it runs."""
    with serving(tmp_path_factory.mktemp("unhurried")) as found:
        yield found


@pytest.fixture(scope="session")
def patient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Another, whose countdown ends in no test: for those that are about the countdown alone."""
    with serving(tmp_path_factory.mktemp("patient"), countdown_ms=LONG_COUNTDOWN_MS) as found:
        yield found
