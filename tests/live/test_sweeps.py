"""Sweeps and heartbeats: rooms go on without subscribers and beside unreadable rooms."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from structlog.testing import capture_logs

from protocol.from_client import Configure, Leave, Say, Start
from protocol.settings import Settings
from protocol.vocabulary import RoomState
from server import metrics
from server.games.actions import DEAL
from server.live.hub import LIVE_TIMINGS
from server.live.timers import leave
from server.live.unreadable import Quarantine
from server.rooms.deals import WinnableDeal, is_winnable
from server.rooms.events import COUNTDOWN_MS, GRACE_MS, Disconnected, Reconnected, Refusal
from server.rooms.record import VersionedRoom, round_of
from server.rooms.room import LOBBY_IDLE_MS
from server.store import Notification, StoreAway, StoredRoom, Unreadable
from tests.live.watched import ADA_HOST, HERE, TWO, Ear, lobby, progress, race, renamed
from tests.present import present
from tests.rooms.rooms import ADA, BOB, CODE, joins, sends
from tests.rooms.rooms import lobby as new_lobby
from tests.world.world import UNCUT, Choices, World, opened

BAD, ODD = "BADBADBAD0", "1BADBADBAD"
SWEEPING = replace(TWO, processes=(HERE,), has_sweeps=True)
SILENT_S = LIVE_TIMINGS.silent_ms / 1_000
MINUTE_S = 60


@asynccontextmanager
async def sweeping(
    chosen: Choices = SWEEPING,
) -> AsyncIterator[tuple[World, VersionedRoom, list[Any]]]:
    """Open a world whose process sweeps and sends heartbeats; yield it with a room and the log."""
    with capture_logs() as logs:
        async with opened(chosen=chosen) as world:
            yield world, await add_room(world), logs


async def add_room(world: World) -> VersionedRoom:
    return await world.first.repository.open(ADA_HOST, new_lobby().settings)


def break_room(world: World, code: str = BAD, doc: str = "{}") -> str:
    """Put a room into the store that is due and cannot be read."""
    world.store.rooms[code] = StoredRoom(1, doc)
    world.store.lists.deadlines[code] = world.now() - 1_000
    return code


def events_of(logs: list[Any], code: str) -> list[str]:
    return [line["event"] for line in logs if line.get("room") == code]


async def test_the_sweep_moves_rooms_on_and_goes_on_after_an_outage() -> None:
    async with sweeping() as (world, latest, logs):
        code, lists = latest.room.code, world.store.lists
        await world.first.repository.apply(code, sends(ADA, Start(), world.now()))
        lists.deadlines["0000000"] = world.now()
        world.faults.away = True
        await asyncio.sleep(COUNTDOWN_MS / 1_000 + 1)
        # Once by the sweep, once by the heartbeats.
        assert [line["event"] for line in logs].count("the store is away") == 2
        assert world.store.rooms[code].v == 2
        world.faults.away = False
        await asyncio.sleep(4)
        assert world.store.rooms[code].v == 3
        assert "0000000" not in lists.deadlines
        # A deadline that is too early is corrected after two ticks of the room.
        lists.deadlines[code] = world.now()
        await asyncio.sleep(3)
        assert lists.deadlines[code] == world.store.rooms.changes[code].deadline


async def test_a_deadline_that_the_store_has_lost_is_kept_by_processes_with_subscribers() -> None:
    """Regression: a failover of a cluster may lose changes of the list of deadlines."""
    async with lobby(SWEEPING) as here:
        await here.hub.apply(here.code, Disconnected(ADA, 1, here.world.now()))
        here.world.store.lists.deadlines.clear()
        await asyncio.sleep(GRACE_MS / 1_000 + 1)
        assert here.v == 2
        await asyncio.sleep(3)
        assert here.v == 3
        latest = here.known
        assert latest.room.seats[ADA].connection == "gone"
        assert here.hub.overdue(here.world.now()) == []


async def test_a_closed_room_is_deleted_with_all_its_keys() -> None:
    async with sweeping() as (world, latest, _):
        for event in (joins("Bob"), sends(ADA, Leave(), world.now()), sends(BOB, Leave())):
            await world.first.repository.apply(latest.room.code, event, "hash")
        assert world.store.keys_of(latest.room.code) >= {"room"}
        await asyncio.sleep(LOBBY_IDLE_MS / 1_000 + 2)
        assert world.store.keys_of(latest.room.code) == set()
        assert world.store.lists.deadlines == {}


async def test_the_next_window_opens_once_and_no_sweep_waits_for_its_deal() -> None:
    known, asked = WinnableDeal("spider-1:left4:strict", bytes(16), (DEAL,)), []

    async def take(code: str, settings: Settings) -> WinnableDeal:
        asked.append((code, settings.rounds))
        await asyncio.sleep(5)
        return known

    async with sweeping(replace(SWEEPING, processes=TWO.processes)) as (world, latest, logs):
        code = latest.room.code
        for process in world.processes.values():
            process.hub._take_deal = take
        settings = Settings(window_s=3_600, rounds=2)
        configure = sends(ADA, Configure(settings=settings), world.now())
        for event in (configure, sends(ADA, Start(), world.now())):
            await world.first.repository.apply(code, event)
        await asyncio.sleep(3_600 + 2)
        swept = world.faults.calls["lists.due"]
        await asyncio.sleep(2)
        assert world.faults.calls["lists.due"] > swept
        room = (await world.first.repository.read(code)).room
        assert (room.state, len(room.rounds)) == (RoomState.FINISHED, 1)
        await asyncio.sleep(3)
        room = (await world.first.repository.read(code)).room
        assert (room.state, round_of(room).n, len(room.rounds)) == (RoomState.RUNNING, 2, 1)
        assert is_winnable(round_of(room)) is True
        assert asked == [(code, 2)] * len(world.processes)
        await asyncio.sleep(3_600 + 30)
        room = (await world.first.repository.read(code)).room
        assert (room.state, len(room.rounds)) == (RoomState.FINISHED, 2)
        assert [line for line in logs if line["log_level"] == "error"] == []


async def test_an_unreadable_room_delays_no_other_and_is_logged_once() -> None:
    """Regression: the most overdue room came first, and its error ended every sweep."""

    def counted() -> float | None:
        return metrics.REGISTRY.get_sample_value("spider_race_rooms_unreadable")

    async with sweeping() as (world, latest, logs):
        break_room(world)
        await world.first.repository.apply(latest.room.code, Disconnected(ADA, 1, world.now()))
        await asyncio.sleep(GRACE_MS / 1_000 + 2)
        assert world.store.rooms[latest.room.code].v == 3
        await asyncio.sleep(10 * MINUTE_S)
        assert 5 < world.faults.calls["lists.set_aside"] < 20  # once a minute
        assert events_of(logs, BAD) == ["room cannot be read"]
        assert (world.store.rooms[BAD], counted()) == (StoredRoom(1, "{}"), 1)
        world.store.put(renamed(new_lobby(), BAD), 2)
        world.store.lists.deadlines[BAD] = world.now()
        await asyncio.sleep(3)
        assert counted() == 0
        assert BAD not in world.store.lists.deadlines


async def test_a_sweep_survives_any_error_and_a_part_of_the_store_that_is_away() -> None:
    async with sweeping() as (world, latest, logs):
        code, failing = latest.room.code, world.faults.failing
        failing[code] = ZeroDivisionError()
        world.store.lists.deadlines[code] = world.now()
        await asyncio.sleep(3 * MINUTE_S)
        assert events_of(logs, code) == ["room opened", "room cannot be moved on"]
        failing.clear()
        break_room(world, ODD)
        other = await add_room(world)
        failing[ODD] = StoreAway("one master")  # as in a cluster with one master away
        await world.first.repository.apply(other.room.code, Disconnected(ADA, 1, world.now()))
        await asyncio.sleep(GRACE_MS / 1_000 + 2)
        assert world.store.rooms[other.room.code].v == 3
        assert {"event": "the store is away", "why": "one master", "log_level": "warning"} in logs
        failing["lists.set_aside"] = ZeroDivisionError()
        break_room(world)
        await asyncio.sleep(2)
        assert "sweep failed" in events_of(logs, BAD)
        failing["lists.due"] = ZeroDivisionError()
        await asyncio.sleep(2)
        assert {"event": "sweep failed"}.items() <= logs[-1].items()
        assert "room" not in logs[-1]


async def test_subscribers_of_a_room_whose_progress_becomes_unreadable_are_closed() -> None:
    with capture_logs() as logs:
        async with race() as here:
            store = here.world.store
            store.progress(here.code, progress(9, score="high"))  # type: ignore[arg-type]
            for _ in range(3):
                await here.receives(Notification.LOST)
            assert "unreadable" in here.ear.received
            with pytest.raises(Unreadable):
                await here.hub.tick(here.code)
            assert here.code in store.lists.unreadable
    assert events_of(logs, here.code) == ["room cannot be read"]


@pytest.mark.parametrize("event", ["[]", "7", "half a", '{"seat":0,"name":"A","emote":"new"}'])
async def test_an_event_that_this_release_does_not_know_is_skipped(event: str) -> None:
    async with opened() as world:
        latest, repository = await add_room(world), world.first.repository
        code = latest.room.code
        await world.store.rooms.append(code, event)
        await repository.say(code, latest.room.seats[0], Say(text="hello"))
        newer = '{"seat":0,"name":"Ada","text":"hi","emote":null,"colour":"red"}'
        await world.store.rooms.append(code, newer)
        said = [json.loads(text) for _, text in await repository.said(code, 0)]
        assert [line["text"] for line in said] == ["hello", "hi"]
        assert all("colour" not in line for line in said)


async def test_each_time_a_room_becomes_unreadable_is_logged_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Regression: the first time was remembered for ever, so the second was never logged."""
    async with opened() as world:
        repository = world.first.repository
        whole = renamed(new_lobby(), BAD).model_dump_json()
        with capture_logs() as logs:
            for doc in ("{}", "{}", whole, "{}", "{}", whole, "{}"):
                break_room(world, BAD, doc)
                with contextlib.suppress(Unreadable):
                    await repository.read(BAD)
            del world.store.rooms[BAD]
            with pytest.raises(Refusal):
                await repository.read(BAD)
            assert events_of(logs, BAD) == ["room cannot be read"] * 3
            break_room(world, BAD)
            with pytest.raises(Unreadable):
                await repository.read(BAD)
            assert len(logs) == 4
            # An unreadable log is reported once, although the record can be read.
            world.store.put(new_lobby(), 1)
            for _ in range(3):
                await repository.read(CODE)
                await repository.quarantine.add(CODE, Unreadable("a log"))
            assert events_of(logs, CODE) == ["room cannot be read"]
            logs.clear()
            monkeypatch.setattr("server.live.unreadable.MOST_REMEMBERED", 2)
            met = Quarantine(world.first.connection.lists)
            for code in ("A", "B", "A", "C", "A", "B"):
                await met.add(code, Unreadable("why"))
            met.forget("A")
            world.faults.away = True
            await met.add("A", Unreadable("why"))  # logged, although it cannot be set aside
        assert [line["room"] for line in logs] == ["A", "B", "C", "A", "B", "A"]


# The death of a process


async def test_the_death_of_a_silent_process_is_reported_to_all_readable_rooms() -> None:
    """Unreadable rooms stay in the dead process's list, for a process that can read them."""
    async with sweeping() as (world, latest, logs):
        code, processes = latest.room.code, world.store.processes
        await world.hub.enter(latest, Ear())
        there = await world.first.repository.apply(code, Reconnected(ADA, 2, "dead"))
        bad = "0BADBADBAD"
        world.store.rooms[bad] = StoredRoom(1, "{}")
        world.store.put(renamed(there.room, ODD))
        world.faults.failing[ODD] = ZeroDivisionError()
        await processes.beat("dead", world.now(), [bad, ODD, code, "0000000"])
        await asyncio.sleep(SILENT_S - 0.5)
        assert processes.hosted["dead"] == {bad, ODD, code, "0000000"}
        await asyncio.sleep(LIVE_TIMINGS.beat_s + 1)
        assert processes.hosted["dead"] == {bad, ODD}
        assert processes.hosted[HERE] == {code}
        known = present(world.hub.latest(code))
        assert known.room.seats[ADA].connection == "grace"
        world.faults.failing["processes.silent"] = ZeroDivisionError()
        await asyncio.sleep(2 * LIVE_TIMINGS.beat_s)
        assert "presence failed" in [line["event"] for line in logs if "room" not in line]
        world.faults.failing.clear()
        world.store.put(renamed(there.room, bad))
        del world.store.rooms[ODD]
        await asyncio.sleep(LIVE_TIMINGS.unreported_s + LIVE_TIMINGS.beat_s)
        assert "dead" not in processes.beats
        assert "dead" not in processes.hosted
    assert events_of(logs, ODD) == ["presence failed"]
    assert events_of(logs, bad).count("room cannot be read") == 1
    silent = {"event": "a process is silent", "log_level": "warning", "process": "dead"}
    assert logs.count(silent) == 1


async def test_a_process_that_leaves_in_order_is_reported_at_once_and_not_called_silent() -> None:
    """Regression: after each reload the others logged that the previous processes were silent."""
    async with sweeping() as (world, latest, logs):
        code, processes = latest.room.code, world.store.processes
        await world.hub.enter(latest, Ear())
        await world.first.repository.apply(code, Reconnected(ADA, 2, "left"))
        await processes.beat("left", world.now(), [code])
        await leave(processes, SimpleNamespace(process="left"))  # type: ignore[arg-type]  # its name alone
        await asyncio.sleep(LIVE_TIMINGS.beat_s + 0.5)
        known = present(world.hub.latest(code))
        assert known.room.seats[ADA].connection == "grace"
        assert "left" not in {**processes.beats, **processes.hosted}
    assert [line for line in logs if line["log_level"] == "warning"] == []
    assert {"event": "a process has left", "log_level": "info", "process": "left"} in logs


async def test_heartbeats_continue_while_the_death_of_a_large_process_is_reported() -> None:
    """Regression: a report to thousands of rooms took so long that the reporter seemed dead."""
    async with sweeping() as (world, _, _):
        processes, codes = world.store.processes, [f"{number:07}" for number in range(50)]
        await processes.beat("dead", world.now(), codes)
        world.faults.slow("rooms.read", LIVE_TIMINGS.beat_s)
        for _ in range(15):
            await asyncio.sleep(LIVE_TIMINGS.silent_ms / 1_000)
            assert world.now() - processes.beats[HERE] <= 1_000 * LIVE_TIMINGS.beat_s
        assert 0 < len(processes.hosted["dead"]) < 50
        await asyncio.sleep(50 * LIVE_TIMINGS.beat_s)
        assert "dead" not in processes.beats


@pytest.mark.parametrize("way", ["away", "away for two beats", "slow"])
async def test_a_process_that_was_silent_reports_no_silent_ones_for_a_while(way: str) -> None:
    """Regression: after a pause of the store the fastest process declared all others dead."""
    timings = replace(UNCUT, beat_s=1.0)
    async with sweeping(replace(SWEEPING, live=timings)) as (world, _, _):
        processes, faults = world.store.processes, world.faults
        await asyncio.sleep(2 * SILENT_S)
        if way == "slow":
            # More than half of the limit counts as silence.
            faults.slow("processes.beat", SILENT_S / 2)
            await asyncio.sleep(4 * SILENT_S)
            del faults.hooks["processes.beat"]
        else:
            faults.away = True
            await asyncio.sleep(2 * SILENT_S if way == "away" else 2 * timings.beat_s)
            faults.away = False
        processes.beats["slow"] = 1
        looks = faults.calls["processes.silent"]
        await asyncio.sleep(SILENT_S - timings.beat_s - 0.5)
        assert (faults.calls["processes.silent"], "slow" in processes.beats) == (looks, True)
        await asyncio.sleep(SILENT_S)
        assert "slow" not in processes.beats
