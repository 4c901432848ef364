"""Acts and commands while the store is away, and after it has lost some."""

import asyncio
from pathlib import Path

import pytest
from spider_race_client import Client, ConnectionRestored, connect

from server.app import Tuning
from server.http.listener import Listener
from server.rooms.timings import RoomTimings
from server.store import Store, keys
from server.store.packed_commands import pack
from tests.players import running
from tests.python_client.races import QUICK, Sockets, event, first_move, race_of_two
from tests.servers import HANGS, start_embedded

PATIENT = Tuning(rooms=RoomTimings(countdown_ms=10), store=HANGS)


@pytest.mark.parametrize("is_killed", [False, True])
async def test_calls_while_the_store_is_away_are_answered_when_it_is_back(
    tmp_path: Path, sockets: Sockets, is_killed: bool
) -> None:
    with start_embedded(tmp_path, fsync="always") as store:
        async with (
            running(PATIENT, redis_url=store.url, data_dir=tmp_path) as listener,
            connect(f"http://127.0.0.1:{listener.port}", observer=sockets, **QUICK) as client,
        ):
            host, guest = await race_of_two(client, hints=True)
            host_plays = first_move(host)
            if is_killed:
                store.kill()
            else:
                store.pause()
            async with asyncio.TaskGroup() as tasks:
                acting = tasks.create_task(host.act(host_plays))
                tasks.create_task(host.configure(max_players=50))
                tasks.create_task(guest.hint())
                joining = tasks.create_task(client.join(host.code, "Cy"))
                while len(sockets.refused) < 3:
                    await asyncio.sleep(0.01)
                if is_killed:
                    store.start()
                else:
                    store.resume()
            assert acting.result().at == 1
            assert joining.result().seat == 2


async def test_acts_that_the_store_has_lost_are_offered_again(
    client: Client, listener: Listener, sockets: Sockets
) -> None:
    host, guest = await race_of_two(client)
    parts = listener.services.store
    assert isinstance(parts, Store)
    store = parts.client
    log, seat = keys.log(host.code, 1, host.seat), keys.seat(host.code, host.seat)
    await host.act(first_move(host))
    kept = await store.ask(seat, pack("HGETALL", seat))
    for _ in range(3):
        table = await host.act(first_move(host))
    # What a failover does whose replica had only the first of the four:
    await store.ask(log, pack("LTRIM", log, 0, 0))
    await store.ask(seat, pack("HSET", seat, *kept))
    sockets.opened[0].transport.abort()
    await event(host, ConnectionRestored)
    after = await host.act("undo")
    assert after.at == table.at + 1
    await guest.wait_until(lambda race: any(row.restored == 3 for row in race.standings))
