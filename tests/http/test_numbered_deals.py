"""Questions about numbered deals: each may add a search, and all of them few."""

from typing import Any

from protocol.http import NumberedDeal
from server.live.repository import Repository
from server.rooms.deal_labels import JOB, MOST_OF_ADDRESS
from server.sessions.rate_limit import Rate
from server.web.limits import HttpLimits
from server.web.rooms import NumberedDeals
from tests.rooms.rooms import lobby
from tests.world.store import MemoryStore, QueuedJob

ADDRESS = "198.51.100.7"


class Asked:
    """Numbered deals over a store in which a thinking process runs."""

    def __init__(self, **limits: Rate) -> None:
        self.store = MemoryStore()
        self.store.deal_pools.alive_ms = self.store.clock.now()
        repository = Repository(self.store.connect())
        self._deals = NumberedDeals(repository, HttpLimits(**limits))  # type: ignore[arg-type]

    @property
    def searches(self) -> list[QueuedJob]:
        return self.store.jobs.get(JOB, [])

    async def shown(
        self, number: int, address: str | None = ADDRESS, **of_room: Any
    ) -> NumberedDeal:
        """Return what is shown to an address of the deal that a room has chosen."""
        room = lobby(deal="numbered", number=number).model_copy(update=of_room)
        file = await self._deals.find(room, address)
        assert file is not None
        return NumberedDeal.model_validate_json(file.body)


async def test_an_address_and_all_together_add_few_searches() -> None:
    deals = Asked(searches_of_address=Rate(2, 0.001), searches=Rate(4, 0.001))
    added = []
    for number, address in enumerate([*[ADDRESS] * 3, "198.51.100.8", None, "198.51.100.9"]):
        before = len(deals.searches)
        await deals.shown(number + 1, address)
        added.append(len(deals.searches) - before)
    assert added == [1, 1, 0, 1, 1, 0]


async def test_the_rooms_of_one_address_leave_the_searches_to_others() -> None:
    """Regression: an honest label waited behind those of a few people's rooms."""
    deals = Asked()

    async def searching(number: int, network: str) -> bool:
        code = f"7K3QZ{number:02}"
        return (await deals.shown(number, code=code, networks={network: 1})).searching

    answers = [await searching(number, "one") for number in range(1, MOST_OF_ADDRESS + 3)]
    assert answers == [True] * MOST_OF_ADDRESS + [False] * 2
    assert await searching(50, "another")
    assert await searching(1, "one")  # it is queued already
    del deals.searches[:2]
    assert await searching(MOST_OF_ADDRESS + 1, "one")


async def test_a_label_needs_no_search() -> None:
    deals = Asked(searches=Rate(1, 0.001))
    await deals.shown(24)
    (queued,) = deals.searches
    deals.store.deal_labels[queued.job.key.partition("@")[0]] = "unwinnable"
    for _ in range(3):
        found = await deals.shown(24)
        assert (found.label, found.searching) == ("unwinnable", False)


async def test_a_room_asks_for_its_newest_deal_and_is_charged_for_each_once() -> None:
    """One room that changed its number forty times had forty deals searched."""
    deals = Asked(searches_of_address=Rate(3, 0.001))
    for number in (1, 1, 1, 2, 2, 1):
        assert (await deals.shown(number)).searching
    ((about, *_),) = deals.store.deal_labels.asked.values()
    assert about.endswith(":1")
    assert not (await deals.shown(3)).searching


async def test_a_deal_that_a_room_asks_for_again_later_is_queued_again() -> None:
    deals = Asked()
    for number in (1, 2, 1):
        deals.store.clock.shift_ms += 1_000
        await deals.shown(number)
    assert len(deals.searches) == 3
