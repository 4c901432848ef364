"""The sweep of rooms whose deadline has passed."""

from structlog.testing import capture_logs

from protocol.from_client import Leave, Start
from server.live.deadline_sweep import LATE_MS
from server.live.repository import Repository
from server.rooms import room as machine
from server.rooms.timings import COUNTDOWN_MS
from server.store import StoredRoom
from server.views.room_messages import RoomMessages
from tests.live.hubs import hub_over, lobby, opened, sweeping
from tests.live.memory import NOW, MemoryStore
from tests.rooms.rooms import ADA, BOB, joins, sends
from tests.waiting import until


async def test_the_sweep_ticks_due_rooms_and_goes_on_after_errors() -> None:
    store = MemoryStore()
    code = (await opened(store)).room.code
    await Repository(store).apply(code, sends(ADA, Start()))
    store.lists.deadlines["0000000"] = NOW
    store.away = True
    with capture_logs() as logs:
        async with hub_over(store) as hub, sweeping(hub):
            await until(lambda: bool(logs))
            assert logs[-1]["event"] == "the store is away"
            store.away = False
            store.time = NOW + COUNTDOWN_MS
            await until(lambda: store.lists.corrected == ["0000000"])
            await until(lambda: store.rooms[code].v == 3)
            store.rooms[code] = StoredRoom(4, "not a room")
            store.lists.deadlines[code] = NOW
            await until(lambda: logs[-1]["event"] == "room cannot be read")
            await until(lambda: (store.lists.deadlines[code] or 0) > store.time)


async def test_a_deadline_that_the_store_has_lost_is_kept_by_processes_with_subscribers() -> None:
    """Regression: the list of deadlines is one key of a cluster: a failover may take it back."""
    with capture_logs() as logs:
        async with lobby() as here:
            latest = await Repository(here.store).apply(here.code, sends(ADA, Start()))
            here.store.time = NOW + COUNTDOWN_MS + LATE_MS
            here.store.lists.deadlines.clear()
            # The room comes to the hub only now, so no task waits for t0.
            here.local._messages, here.local._due_ms = RoomMessages(latest), NOW + COUNTDOWN_MS
            async with sweeping(here.hub):
                await until(lambda: "room 3 RUNNING" in here.subscriber.received)
                assert here.hub.rooms.overdue(here.store.time) == []
                here.store.away = True
                await until(lambda: logs[-1]["event"] == "the store is away")


async def test_a_room_that_closes_is_swept_away_with_all_that_is_its() -> None:
    store = MemoryStore()
    repository, code = Repository(store), (await opened(store)).room.code
    for event in (joins("Bob"), sends(ADA, Leave()), sends(BOB, Leave())):
        await repository.apply(code, event)
    store.time = NOW + machine.LOBBY_IDLE_MS
    async with hub_over(store) as hub, sweeping(hub):
        await until(lambda: store.rooms == {})
    assert store.rooms.deleted == [(code, 2, 0)]
