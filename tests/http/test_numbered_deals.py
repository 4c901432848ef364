"""Questions about numbered deals: each may add a search, and all of them few."""

from protocol.http import NumberedDeal
from server.http.limits import HttpLimits
from server.http.numbered_deals import NumberedDeals
from server.live.repository import Repository
from server.rooms.deal_labels import JOB, MOST_OF_ADDRESS
from server.rooms.record import Room
from server.sessions.rate_limit import Rate
from tests.rooms.rooms import lobby
from tests.world.store import MemoryStore, QueuedJob

ADDRESS = "198.51.100.7"


def asked(store: MemoryStore, **limits: Rate) -> NumberedDeals:
    """Return the deals over a store in which a thinking process runs."""
    store.deal_pools.alive_ms = store.clock.now()
    repository = Repository(store.connect())
    return NumberedDeals(repository, HttpLimits(**limits))  # type: ignore[arg-type]


def searches(store: MemoryStore) -> list[QueuedJob]:
    return store.jobs.get(JOB, [])


async def shown(deals: NumberedDeals, room: Room) -> NumberedDeal:
    """Return what is shown to an address."""
    file = await deals.find(room, ADDRESS)
    assert file is not None
    return NumberedDeal.model_validate_json(file.body)


async def test_an_address_and_all_together_add_few_searches() -> None:
    store = MemoryStore()
    deals = asked(store, searches_of_address=Rate(2, 0.001), searches=Rate(4, 0.001))

    async def is_searched(number: int, address: str | None) -> bool:
        before = len(searches(store))
        await deals.find(lobby(deal="numbered", number=number), address)
        return len(searches(store)) > before

    assert [await is_searched(number, ADDRESS) for number in (1, 2, 3)] == [True, True, False]
    others = ["198.51.100.8", None, "198.51.100.9"]
    assert [await is_searched(4 + n, other) for n, other in enumerate(others)] == [
        True,
        True,
        False,
    ]


async def test_the_rooms_of_one_address_leave_the_searches_to_others() -> None:
    """Regression: an honest label waited behind those of a few people's rooms."""
    store = MemoryStore()
    deals = asked(store)

    async def searching(number: int, network: str) -> bool:
        code = f"7K3QZ{number:02}"
        room = lobby(deal="numbered", number=number)
        room = room.model_copy(update={"code": code, "networks": {network: 1}})
        return (await shown(deals, room)).searching

    answers = [await searching(number, "one") for number in range(1, MOST_OF_ADDRESS + 3)]
    assert answers == [True] * MOST_OF_ADDRESS + [False] * 2
    assert await searching(50, "another")
    assert await searching(1, "one")  # it is queued already
    del searches(store)[:2]
    assert await searching(MOST_OF_ADDRESS + 1, "one")


async def test_a_label_needs_no_search() -> None:
    store = MemoryStore()
    deals = asked(store, searches=Rate(1, 0.001))
    room = lobby(deal="numbered", number=24)
    await deals.find(room, ADDRESS)
    (queued,) = searches(store)
    store.deal_labels[queued.job.key.partition("@")[0]] = "unwinnable"
    for _ in range(3):
        found = await shown(deals, room)
        assert (found.label, found.searching) == ("unwinnable", False)


async def test_a_room_asks_for_its_newest_deal_and_is_charged_for_each_once() -> None:
    """One room that changed its number forty times had forty deals searched."""
    store = MemoryStore()
    deals = asked(store, searches_of_address=Rate(3, 0.001))
    for number in (1, 1, 1, 2, 2, 1):
        room = lobby(deal="numbered", number=number)
        assert (await shown(deals, room)).searching
    assert len(store.deal_labels.asked) == 1
    (about, *_) = store.deal_labels.asked[room.code]
    assert about.endswith(":1")
    assert not (await shown(deals, lobby(deal="numbered", number=3))).searching


async def test_a_deal_that_a_room_asks_for_again_later_is_queued_again() -> None:
    store = MemoryStore()
    deals = asked(store)
    for number in (1, 2, 1):
        store.clock.shift_ms += 1_000
        await deals.find(lobby(deal="numbered", number=number), ADDRESS)
    assert len(searches(store)) == 3
