"""A numbered deal is marked in the room before the race."""

from collections.abc import Iterator

import pytest
from playwright.async_api import expect

from tests.e2e.pages import DESKTOP, PHONE, Person, serving
from tests.e2e.wire import create, join, port_of
from tests.server.http import get
from tests.waiting import until_answer

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]


@pytest.fixture(scope="module")
def thinking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server with a process that thinks."""
    with serving(tmp_path_factory.mktemp("thinking"), "--thinkers", "1") as found:
        yield found


async def test_a_room_says_whether_its_deal_can_be_won(thinking: str) -> None:
    host = await create(thinking, "Ada", game="spider-1", deal="numbered", number=24)
    path = f"/api/rooms/{host.code}/deal"
    # The process that thinks may still be on its way.
    await until_answer(lambda: get(port_of(thinking), path), lambda answer: b"true" in answer.body)
    bob = await Person.at(f"{thinking}r/{host.code}", **PHONE)
    await bob.join("Bob")
    label = bob.page.locator("#deal-label")
    await expect(label).to_have_text("Deal 24 can be won.", timeout=30_000)
    await host.configure(deal="secret", number=None)
    await expect(label).to_be_hidden()
    await host.configure(deal="numbered", number=25)
    await expect(label).to_contain_text("25")
    await join(thinking, host.code, "Cy")
    late = await Person.at(f"{thinking}r/{host.code}", **DESKTOP)
    await late.join("Don")
    await expect(late.page.locator("#deal-label")).to_have_text(
        "Deal 25 can be won.", timeout=30_000
    )


async def test_without_a_process_that_thinks_nothing_is_known(address: str) -> None:
    host = await create(address, "Ada", game="spider-1", deal="numbered", number=24)
    bob = await Person.at(f"{address}r/{host.code}", **PHONE)
    await bob.join("Bob")
    words = "We don’t know whether deal 24 can be won."
    await expect(bob.page.locator("#deal-label")).to_have_text(words)
