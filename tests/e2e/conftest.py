from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from server.rooms.events import COUNTDOWN_MS
from tests.e2e.pages import DESKTOP, PEOPLE, SHORT_COUNTDOWN_MS, Person, chromium, serving
from tests.e2e.wire import on_the_wire

HERE = Path(__file__).parent
LONG_COUNTDOWN_MS = 300_000
HANGS_S = 300


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the tests of this folder in the event loop of the browser they share.

    On a busy machine a journey may take minutes.
    """
    for item in items:
        if HERE in item.path.parents and pytest_asyncio.is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)
            if item.get_closest_marker("timeout") is None:
                item.add_marker(pytest.mark.timeout(HANGS_S))


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def shared_browser() -> AsyncIterator[Browser]:
    """Start one browser for all tests of a process: a start takes half as long as a test."""
    async with chromium() as browser:
        yield browser


@pytest_asyncio.fixture(loop_scope="session", autouse=True)
async def browser(
    shared_browser: Browser, request: pytest.FixtureRequest
) -> AsyncIterator[Browser]:
    """The browser without open pages; close the pages of the test after it.

    Pages may only complain of the texts in the test's mark `complains`.
    """
    PEOPLE.clear()
    async with on_the_wire():
        yield shared_browser
    expected = [text for mark in request.node.iter_markers("complains") for text in mark.args]
    complaints = [
        complaint
        for person in PEOPLE
        for complaint in person.complaints
        if not any(text in complaint for text in expected)
    ]
    for context in shared_browser.contexts:
        await context.close()
    assert complaints == []


@pytest_asyncio.fixture(loop_scope="session")
async def ada(address: str) -> Person:
    """Ada at a desktop with the front page."""
    return await Person.at(address, **DESKTOP)


def served(name: str, *options: str, countdown_ms: int = SHORT_COUNTDOWN_MS) -> Any:
    """Make a fixture: a server with these options and this countdown."""

    @pytest.fixture(scope="session", name=name)
    def found(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
        data_dir = tmp_path_factory.mktemp(name)
        with serving(data_dir, *options, countdown_ms=countdown_ms) as address:
            yield address

    return found


address = served("address")
"""A server whose every deal comes from one seed, and can be won."""
computers = served("computers", "--bots", "4")
thinking = served("thinking", "--thinkers", "1")
"""A server that reviews races, and deals from other seeds."""
unhurried = served("unhurried", countdown_ms=COUNTDOWN_MS)
"""For tests that act during a countdown of the usual length."""
patient = served("patient", countdown_ms=LONG_COUNTDOWN_MS)
"""For tests of the countdown itself, which never ends."""
