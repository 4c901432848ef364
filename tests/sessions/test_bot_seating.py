"""Computer players that a host adds: their seats, places and jobs."""

import asyncio
import contextlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import pytest

from protocol.vocabulary import CloseCode
from server.live.repository import Repository
from server.live.room_limits import RoomLimits
from server.rooms.computer_players import LEAVES_AFTER_MS
from server.rooms.events import Tick
from server.rooms.seats import BOT_GRACE_MS
from server.rooms.timings import COUNTDOWN_MS, GRACE_MS
from server.sessions.tokens import opens
from server.store import Queued, StoreAway
from server.store.bot_places import COUNTED_S
from tests.hooked import Hook
from tests.sessions.clients import Processes, RecordingSocket, process_over
from tests.waiting import until, until_answer

ADD = {"level": "club", "attempt": "first-press-of-add-it"}


@dataclass
class Jobs:
    """A queue of jobs that takes `most`, or is away."""

    most: int = 100
    is_away: bool = False
    taken: dict[str, dict[str, Any]] = field(default_factory=dict)

    async def add(
        self,
        kind: str,
        key: str,
        body: str,
        *,
        deadline_ms: int,
        shares: Mapping[str, int] = MappingProxyType({}),
    ) -> Queued:
        assert not shares
        if self.is_away:
            raise StoreAway
        assert kind == "bot"
        assert deadline_ms > 0
        if key in self.taken:
            return Queued.KNOWN
        if len(self.taken) >= self.most:
            return Queued.FULL
        self.taken[key] = json.loads(body)
        return Queued.ADDED


@pytest.fixture
def jobs(processes: Processes) -> Jobs:
    queue = Jobs()
    processes.here.bot_jobs = processes.elsewhere.bot_jobs = queue
    return queue


def refusal(socket: RecordingSocket) -> str | None:
    """Return the code with which the latest message was refused, if it was."""
    latest = socket.received[-1]
    return latest["code"] if latest["type"] == "refused" else None


async def test_a_bot_has_a_seat_whose_token_lies_with_its_job_alone(
    processes: Processes, jobs: Jobs
) -> None:
    host, code = await processes.open()
    await host.say("add_bot", **ADD)
    shown = host.received[-1]["room"]["seats"][1]
    assert (shown["kind"], shown["level"], shown["state"]) == ("program", "club", "READY")
    (job,) = jobs.taken.values()
    assert (job["room"], job["seat"], job["level"]) == (code, 1, "club")
    record = await processes.store.seats.read(code, 1)
    assert record is not None
    assert opens(job["token"], record.token_hash)
    stored = await processes.store.rooms.read(code)
    assert stored is not None
    assert job["token"] not in stored.doc + json.dumps(host.received)
    bot = await processes.ask("resume", room=code, seat=1, token=job["token"])
    assert bot.received[0]["type"] == "joined"
    assert bot.received[0]["token"] is None


async def test_a_command_whose_answer_was_lost_adds_one_bot(
    processes: Processes, jobs: Jobs
) -> None:
    host, code = await processes.open()
    await host.say("add_bot", **ADD)
    await host.say("add_bot", **ADD)
    assert host.received[-1]["type"] == "room"
    assert await processes.names(code) == ["Ada", "Bot Webster"]
    assert len(jobs.taken) == 1
    await host.say("add_bot", level="club")
    await host.say("add_bot", level="club")
    assert await processes.names(code) == ["Ada", "Bot Webster", "Bot Juno", "Bot Otis"]
    assert len(jobs.taken) == 3


@pytest.mark.parametrize("failing", [{"most": 0}, {"is_away": True}])
async def test_a_bot_without_a_job_gives_its_seat_and_its_place_back(
    processes: Processes, jobs: Jobs, failing: dict[str, Any]
) -> None:
    host, code = await processes.open()
    for name, value in failing.items():
        setattr(jobs, name, value)
    await host.say("add_bot", **ADD)
    assert refusal(host) == "bots_busy"
    assert await processes.names(code) == ["Ada"]
    assert await processes.store.bots.count() == 0


@pytest.mark.parametrize("lost", ["the answer", "the change"])
async def test_a_bot_whose_seat_was_not_confirmed_plays_once_the_command_is_repeated(
    processes: Processes, jobs: Jobs, lost: str
) -> None:
    """Regression: the repeated command found the seat and queued nothing."""
    host, code = await processes.open()
    if lost == "the answer":
        processes.lose_next_answer()
    else:
        processes.store.hooks["change"] = away_once(processes)
    await host.say("add_bot", **ADD)
    assert refusal(host) == "try_again"
    assert not jobs.taken
    await host.say("add_bot", **ADD)
    await host.say("add_bot", **ADD)
    assert host.received[-1]["type"] == "room"
    (job,) = jobs.taken.values()
    bot = await processes.ask("resume", room=code, seat=1, token=job["token"])
    assert bot.received[0]["type"] == "joined"
    assert await processes.store.bots.count() == 1


def away_once(processes: Processes) -> Hook:
    """Return a hook by which the next change of a room is not stored."""

    async def away(_change: Hook, *_given: Any) -> None:
        processes.store.hooks.clear()
        raise StoreAway

    return away


@pytest.mark.parametrize("level", ["club", "expert"])
async def test_a_host_whose_seat_another_socket_takes_meanwhile_takes_no_place(
    processes: Processes, jobs: Jobs, level: str
) -> None:
    """Regression: each such command took a place for six hours."""
    host, code = await processes.open()
    token = host.received[0]["token"]
    for _ in range(3):
        again = await processes.ask("resume", at="elsewhere", room=code, seat=0, token=token)
        await host.say("add_bot", level=level)
        host = again
    assert await processes.names(code) == ["Ada"]
    assert await processes.store.bots.count() == 0
    assert await processes.store.bots.count("expert") == 0
    assert not jobs.taken


@pytest.mark.parametrize("error", [StoreAway(), RuntimeError("a bug")])
async def test_whatever_goes_wrong_a_bot_without_a_seat_takes_no_place(
    processes: Processes, jobs: Jobs, error: Exception
) -> None:
    host, _ = await processes.open()

    async def fail(*_given: Any) -> None:
        raise error

    processes.store.hooks["change"] = fail
    with contextlib.suppress(RuntimeError):
        await host.say("add_bot", **ADD)
    assert await processes.store.bots.count() == 0
    assert not jobs.taken


async def test_places_that_no_room_has_are_free_after_half_a_minute(
    processes: Processes, jobs: Jobs
) -> None:
    """Regression: a place that was lost in any way was counted for six hours."""
    host, code = await processes.open()
    await host.say("add_bot", level="expert")
    store = processes.store
    assert await store.bots.claim("7K3QZ0A lost", {"": 100, "expert": 10})
    assert await store.bots.count() == 2
    clock, now = store.clock, store.clock.now()
    processes.here.hub.rooms.update(await processes.here.repository.read(code))
    keeping = asyncio.create_task(
        processes.here.repository.bots.keep(processes.here.hub.rooms, interval_s=0)
    )
    vars(clock)["now"] = lambda: now + COUNTED_S * 1_000
    try:
        await until_answer(store.bots.count, lambda count: count == 1)
        await until_answer(lambda: store.bots.count("expert"), lambda count: count == 1)
    finally:
        del vars(clock)["now"]
        keeping.cancel()
    assert len(jobs.taken) == 1


async def test_a_server_without_a_queue_has_no_bots(processes: Processes) -> None:
    host, code = await processes.open()
    await host.say("add_bot", **ADD)
    assert refusal(host) == "no_bots"
    assert await processes.names(code) == ["Ada"]


async def test_a_server_that_is_to_have_no_bots_says_so(processes: Processes, jobs: Jobs) -> None:
    processes.here.repository.bots = Repository(processes.store, RoomLimits(bots=0)).bots
    host, _ = await processes.open()
    await host.say("add_bot", **ADD)
    assert refusal(host) == "no_bots"
    assert not jobs.taken


async def test_a_refused_bot_takes_no_place(processes: Processes, jobs: Jobs) -> None:
    _, code = await processes.open()
    bob = await processes.ask("join", room=code, name="Bob")
    await bob.say("add_bot", **ADD)
    assert refusal(bob) == "not_host"
    assert await processes.store.bots.count() == 0
    assert jobs.taken == {}


async def test_removed_bots_and_closed_rooms_give_their_places_back(
    processes: Processes, jobs: Jobs
) -> None:
    host, _ = await processes.open()
    await host.say("add_bot", level="expert")
    await host.say("add_bot", level="beginner")
    bots = processes.store.bots
    assert (await bots.count(), await bots.count("expert")) == (2, 1)
    await host.say("kick", seat=1)
    assert (await bots.count(), await bots.count("expert")) == (1, 0)
    await host.say("kick", seat=2)
    assert await bots.count() == 0
    assert len(jobs.taken) == 2


async def test_a_race_renews_the_counts_that_a_failover_has_lost(
    processes: Processes, jobs: Jobs
) -> None:
    host, _ = await processes.open()
    await host.say("add_bot", level="expert")
    bots = processes.store.bots
    await processes.store.client.call("bots", "DEL", "bots")
    await processes.store.client.call("bots:expert", "DEL", "bots:expert")
    await host.say("ready")
    assert (await bots.count(), await bots.count("expert")) == (1, 1)
    assert len(jobs.taken) == 1


async def test_a_hundred_rooms_that_want_five_experts_each_are_bounded(
    processes: Processes,
) -> None:
    """Regression of none: issue 24 names it. The hosts see `bots_busy`; other rooms go on."""
    async with process_over(processes.store) as services:
        services.bot_jobs = Jobs(most=1_000)
        limits = RoomLimits(bots=40)
        services.repository.bots = Repository(processes.store, limits).bots
        answers = []
        for _ in range(100):
            host = RecordingSocket(services)
            await host.say("create", name="Ada", settings={})
            for _ in range(5):
                await host.say("add_bot", level="expert")
                answers.append(refusal(host))
        assert answers.count(None) == limits.experts == 4
        assert answers.count("bots_busy") == 496
        await host.say("add_bot", level="beginner")
        assert refusal(host) is None
        await host.say("start")
        await until(lambda: host.received[-1]["type"] in {"room", "standings"})
        assert host.handler.is_seated


async def test_one_address_takes_half_of_the_places_and_others_the_rest(
    processes: Processes,
) -> None:
    """Regression: one stranger could take the places of all Experts in seconds, for hours."""
    async with process_over(processes.store) as services:
        services.bot_jobs = Jobs()
        limits = RoomLimits(bots=40)
        services.repository.bots = Repository(processes.store, limits).bots
        for address in ("203.0.113.5", "203.0.113.6"):
            answers = []
            for _ in range(3):
                host = RecordingSocket(services, address)
                await host.say("create", name="Ada", settings={})
                await host.say("add_bot", level="expert")
                answers.append(refusal(host))
            assert answers == [None, None, "bots_busy"]
            await host.say("add_bot", level="club")
            assert refusal(host) is None
        await host.say("add_bot", level="club")
        await host.say("leave")
        assert (await processes.store.bots.count(), limits.experts) == (5, 4)


@pytest.mark.parametrize(
    ("limits", "bots", "experts"),
    [
        (RoomLimits(bots=100), {"": 100, "a": 50, "b": 200}, {"": 10, "a": 5, "b": 20}),
        (RoomLimits(bots=3), {"": 3, "a": 8, "b": 32}, {"": 1, "a": 1, "b": 4}),
    ],
)
def test_an_address_has_places_for_a_room_at_least(
    limits: RoomLimits, bots: dict[str, int], experts: dict[str, int]
) -> None:
    networks = {"a": 1, "b": 4}
    assert limits.of_bots(networks) == bots
    assert limits.of_experts(networks) == experts


async def test_a_bot_whose_room_nobody_attends_is_closed_and_gives_its_place_back(
    processes: Processes, jobs: Jobs
) -> None:
    """Regression: a host who had left kept the place for half an hour, or for hours."""
    host, code = await processes.open()
    await host.say("add_bot", level="expert")
    (job,) = jobs.taken.values()
    bot = await processes.ask("resume", room=code, seat=1, token=job["token"])
    await host.say("leave")
    await until(lambda: bot.close_code == CloseCode.KICKED)
    bots = processes.store.bots
    assert (await bots.count(), await bots.count("expert")) == (0, 0)
    assert await processes.names(code) == []


async def test_a_bot_leaves_a_race_that_nobody_attends_once_its_game_is_over(
    processes: Processes, jobs: Jobs
) -> None:
    host, code = await processes.open(time_limit_s=None)
    await host.say("add_bot", level="expert")
    (job,) = jobs.taken.values()
    bot = await processes.ask("resume", at="elsewhere", room=code, seat=1, token=job["token"])
    await host.say("ready")
    hub, store = processes.here.hub, processes.store
    latest = await processes.here.repository.read(code)
    assert latest.room.round is not None
    await hub.apply(code, Tick(latest.room.round.t0))
    await host.disconnect()
    await hub.apply(code, Tick(store.clock.now() + COUNTDOWN_MS + GRACE_MS))
    await until(lambda: bot.received[-1]["type"] != "joined")
    await bot.say("forfeit")
    assert await store.bots.count() == 1
    await hub.apply(code, Tick(store.clock.now() + COUNTDOWN_MS + GRACE_MS + LEAVES_AFTER_MS))
    await until(lambda: bot.close_code == CloseCode.KICKED)
    await bot.disconnect()
    assert await store.bots.count() == 0
    late = await processes.ask("resume", room=code, seat=1, token=job["token"])
    assert late.close_code == CloseCode.KICKED


# Stand-ins.

STAND_IN = {"seat": 1, "level": "club"}


async def abandoned(processes: Processes) -> tuple[RecordingSocket, str, str]:
    """Return the host of a race whose Bob is gone, its code and Bob's token."""
    host, code = await processes.open()
    bob = await processes.ask("join", room=code, name="Bob")
    await bob.say("ready")
    await host.say("ready")
    await bob.disconnect()
    store, hub = processes.store, processes.here.hub
    latest = await processes.here.repository.read(code)
    assert latest.room.round is not None
    await hub.apply(code, Tick(latest.room.round.t0))
    await hub.apply(code, Tick(store.clock.now() + COUNTDOWN_MS + GRACE_MS))
    return host, code, bob.received[0]["token"]


def seat_of_bob(socket: RecordingSocket) -> dict[str, Any]:
    """Return Bob's seat in the latest room that a socket has received."""
    rooms = [each["room"] for each in socket.received if each["type"] in {"room", "joined"}]
    seat: dict[str, Any] = rooms[-1]["seats"][1]
    return seat


async def test_a_stand_in_has_a_token_of_its_own_until_the_owner_returns(
    processes: Processes, jobs: Jobs
) -> None:
    host, code, token = await abandoned(processes)
    await host.say("add_stand_in", **STAND_IN)
    assert (seat_of_bob(host)["stand_in"], seat_of_bob(host)["connection"]) == ("club", "grace")
    (job,) = jobs.taken.values()
    assert (job["room"], job["seat"], job["level"], job["stand_in"]) == (code, 1, "club", True)
    assert job["token"] != token
    stored = await processes.store.rooms.read(code)
    assert stored is not None
    assert job["token"] not in stored.doc + json.dumps(host.received)
    # The other process has not read the room since.
    bot = await processes.ask("resume", at="elsewhere", room=code, seat=1, token=job["token"])
    assert bot.received[0]["type"] == "joined"
    assert bot.received[0]["token"] is None
    assert await processes.store.bots.count() == 1
    bob = await processes.ask("resume", room=code, seat=1, token=token)
    assert bob.received[0]["type"] == "joined"
    assert "stand_in" not in seat_of_bob(bob)
    await until(lambda: bot.close_code == CloseCode.REPLACED)
    assert await processes.store.bots.count() == 0
    again = await processes.ask("resume", room=code, seat=1, token=job["token"])
    assert (refusal(again), again.close_code) == ("bad_token", CloseCode.BAD_TOKEN)


async def test_the_token_of_a_stand_in_opens_nothing_after_the_race(
    processes: Processes, jobs: Jobs
) -> None:
    host, code, _ = await abandoned(processes)
    await host.say("add_stand_in", **STAND_IN)
    (job,) = jobs.taken.values()
    await host.say("abort")
    for at in ("here", "elsewhere"):
        late = await processes.ask("resume", at=at, room=code, seat=1, token=job["token"])
        assert refusal(late) == "bad_token"
    assert await processes.store.bots.count() == 0


async def test_a_stand_in_that_is_asked_for_twice_is_one(processes: Processes, jobs: Jobs) -> None:
    host, _, _ = await abandoned(processes)
    await host.say("add_stand_in", **STAND_IN)
    await host.say("add_stand_in", **STAND_IN)
    assert refusal(host) is None
    assert len(jobs.taken) == await processes.store.bots.count() == 1


@pytest.mark.parametrize("failing", [{"most": 0}, {"is_away": True}])
async def test_a_stand_in_without_a_job_is_withdrawn(
    processes: Processes, jobs: Jobs, failing: dict[str, Any]
) -> None:
    host, _, _ = await abandoned(processes)
    for name, value in failing.items():
        setattr(jobs, name, value)
    await host.say("add_stand_in", **STAND_IN)
    assert refusal(host) == "bots_busy"
    await until(lambda: "stand_in" not in seat_of_bob(host))
    assert seat_of_bob(host)["connection"] == "gone"
    assert await processes.store.bots.count() == 0


async def test_a_refused_stand_in_takes_no_place(processes: Processes, jobs: Jobs) -> None:
    host, code, token = await abandoned(processes)
    await processes.ask("resume", room=code, seat=1, token=token)
    await host.say("add_stand_in", **STAND_IN)
    assert refusal(host) == "player_is_back"
    assert await processes.store.bots.count() == 0
    assert jobs.taken == {}
    processes.here.bot_jobs = None
    await host.say("add_stand_in", **STAND_IN)
    assert refusal(host) == "no_bots"


async def test_a_stand_in_whose_answer_was_lost_plays_once_the_command_is_repeated(
    processes: Processes, jobs: Jobs
) -> None:
    """Regression: the repeated command found the stand-in and queued nothing."""
    host, code, _ = await abandoned(processes)
    processes.lose_next_answer()
    await host.say("add_stand_in", **STAND_IN)
    assert refusal(host) == "try_again"
    await host.say("add_stand_in", **STAND_IN)
    (job,) = jobs.taken.values()
    bot = await processes.ask("resume", room=code, seat=1, token=job["token"])
    assert bot.received[0]["type"] == "joined"
    assert await processes.store.bots.count() == 1


async def test_a_stand_in_that_nobody_plays_gives_its_place_back_and_may_be_asked_for_again(
    processes: Processes, jobs: Jobs
) -> None:
    host, code, _ = await abandoned(processes)
    await host.say("add_stand_in", **STAND_IN)
    later = processes.store.clock.now() + COUNTDOWN_MS + GRACE_MS + BOT_GRACE_MS
    await processes.here.hub.apply(code, Tick(later))
    assert seat_of_bob(host)["connection"] == "gone"
    assert await processes.store.bots.count() == 0
    await host.say("add_stand_in", **STAND_IN)
    assert len(jobs.taken) == 2
    assert await processes.store.bots.count() == 1


async def test_the_token_of_a_stand_in_opens_no_room_that_is_gone(
    processes: Processes, jobs: Jobs
) -> None:
    host, code, _ = await abandoned(processes)
    await host.say("add_stand_in", **STAND_IN)
    (job,) = jobs.taken.values()
    deleted = processes.store.hooks

    async def gone(read: Any, *given: Any) -> None:
        deleted.clear()
        await processes.store.rooms.delete(code, 1, 1)
        await read(*given)

    deleted["read"] = gone
    late = await processes.ask("resume", room=code, seat=1, token=job["token"])
    assert refusal(late) == "bad_token"
