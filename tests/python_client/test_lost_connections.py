"""Connections that end, hang or lose messages, between a program and a real server."""

import asyncio
import socket
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from spider_race_client import (
    Client,
    ConnectionLost,
    ConnectionRestored,
    RaceClosed,
    SeatLost,
    StandingsChanged,
    Unreachable,
    connect,
)
from websockets.asyncio.server import ServerConnection

from protocol.to_client import Said
from protocol.vocabulary import FIRST_FINAL_CODE, CloseCode
from server.http.listener import Listener
from server.sessions.limits import SessionLimits
from server.sessions.rate_limit import Rate
from tests.players import running
from tests.python_client.conftest import SOON
from tests.python_client.races import (
    QUICK,
    Between,
    Sockets,
    at,
    event,
    first_move,
    race_of_two,
)
from tests.server.relay import relayed

SILENT: dict[str, Any] = {**QUICK, "silence_s": 0.3}


@pytest.mark.parametrize("code", [code for code in CloseCode if code < FIRST_FINAL_CODE])
async def test_a_server_that_closes_for_a_while_gets_the_act_again(
    between: Between, far: Client, code: CloseCode
) -> None:
    host, _ = await race_of_two(far)
    between.lost["act"] = code
    assert (await host.act(first_move(host))).at == 1
    assert (await event(host, ConnectionLost)).code == code
    await event(host, ConnectionRestored)


async def test_a_server_that_closes_for_good_ends_the_race(between: Between, far: Client) -> None:
    host, _ = await race_of_two(far)
    between.lost["act"] = CloseCode.KICKED
    with pytest.raises(SeatLost) as caught:
        await host.act(first_move(host))
    assert caught.value.code is CloseCode.KICKED
    with pytest.raises(SeatLost):
        await host.ready()
    with pytest.raises(SeatLost):
        await event(host, ConnectionRestored)


async def test_an_answer_that_is_lost_with_its_connection_comes_again(
    between: Between, far: Client
) -> None:
    host = await far.create("Ada", {"undo": "any", "hints": True})
    between.lost["joined"] = CloseCode.RESYNC
    guest = await far.join(host.code, "Bob")
    assert [seat.name for seat in guest.room.seats] == ["Ada", "Bob"]
    between.lost["room"] = CloseCode.RESYNC
    await host.ready()
    await guest.ready()
    between.lost["table"] = CloseCode.RESYNC
    await asyncio.gather(host.wait_for_table(), guest.wait_for_table())
    between.lost["acted"] = CloseCode.RESYNC
    assert (await host.act(first_move(host))).at == 1
    between.lost["hinted"] = CloseCode.RESYNC
    assert (await host.hint()).at == 1
    between.lost["said"] = CloseCode.RESYNC
    await host.say("hello")
    await host.say("bye")
    assert [(await event(guest, Said)).text for _ in range(2)] == ["hello", "bye"]
    between.lost["pong"] = CloseCode.RESYNC
    await host.forfeit()
    between.lost["round_over"] = CloseCode.RESYNC
    await guest.forfeit()
    results = await asyncio.gather(host.wait_for_result(), guest.wait_for_result())
    assert results[0] == results[1]
    assert not between.lost


async def test_a_join_that_is_cancelled_before_its_answer_holds_no_seat(
    between: Between, far: Client, client: Client
) -> None:
    host = await client.create("Ada")
    between.lost["joined"] = 0
    joining = asyncio.create_task(far.join(host.code, "Bob"))
    await host.wait_until(lambda race: [seat.connection for seat in race.room.seats] == ["on"] * 2)
    joining.cancel()
    while "seat of 'join'" in {task.get_name() for task in asyncio.all_tasks()}:
        await asyncio.sleep(0)
    await host.wait_until(lambda race: [seat.connection for seat in race.room.seats] != ["on"] * 2)
    assert (await far.join(host.code, "Cy")).code == host.code


async def test_a_seat_is_left_although_the_answer_is_lost(between: Between, far: Client) -> None:
    host = await far.create("Ada")
    guest = await far.join(host.code, "Bob")
    await host.wait_until(lambda race: len(race.room.seats) == 2)
    between.lost["room"] = CloseCode.RESYNC
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(guest.leave())
        await host.wait_until(lambda race: len(race.room.seats) == 1)
    with pytest.raises(RaceClosed):
        await guest.ready()


async def test_a_line_is_heard_once_whatever_connections_are_lost(
    client: Client, sockets: Sockets
) -> None:
    host = await client.create("Ada")
    await host.say("before Bob came")
    guest = await client.join(host.code, "Bob")
    heard: list[str] = []
    for line in ("one", "two"):
        sockets.cut()
        await event(guest, ConnectionRestored)
        await host.say(line)
        heard.append((await event(guest, Said)).text or "")
    assert heard == ["one", "two"]


async def test_a_seat_that_returns_too_often_waits_and_returns(
    embedded_url: str, store: object, tmp_path: Path, sockets: Sockets
) -> None:
    assert store is not None
    strict = replace(SOON, sessions=SessionLimits(returns=Rate(1, 1)))
    async with (
        running(strict, redis_url=embedded_url, data_dir=tmp_path) as listener,
        connect(f"http://127.0.0.1:{listener.port}", observer=sockets, **QUICK) as client,
    ):
        host = await client.create("Ada")
        for _ in range(3):
            sockets.cut()
            await event(host, ConnectionRestored)
    assert "resume" in sockets.refused


async def test_a_command_given_between_two_connections_is_sent_on_the_next(
    between: Between, far: Client
) -> None:
    host = await far.create("Ada")
    between.lost["say"] = CloseCode.RESYNC
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(host.say("hello"))
        await event(host, ConnectionLost)
        tasks.create_task(host.ready())
    assert host.own_seat is not None
    assert host.own_seat.state == "READY"


async def test_the_leaderboard_is_requested_after_a_gap(between: Between, far: Client) -> None:
    host, guest = await race_of_two(far)
    await host.act(first_move(host))
    await event(guest, StandingsChanged)
    between.lost["standings_changes"] = 0
    await host.act(first_move(host))
    while "standings_changes" in between.lost:
        await asyncio.sleep(0)
    await host.act(first_move(host))
    moves = (await host.act(first_move(host))).counts.moves
    for race in (host, guest):
        await race.wait_until(lambda race: [row.moves for row in race.standings] == [moves, 0])


async def test_a_room_is_read_again_after_two_pongs_in_a_row_that_are_ahead_of_it(
    between: Between, sockets: Sockets, client: Client
) -> None:
    async with at(between.handle, observer=sockets, **QUICK) as far:
        host = await far.create("Ada")
        guest = await client.join(host.code, "Bob")
        for _ in range(2):
            await host.wait_until(lambda race: race.room.v == guest.room.v)
            between.lost["room"] = 0
            await guest.ready()
            while "room" in between.lost:
                await asyncio.sleep(0)
            await host.watch()  # with a ping behind it
            await guest.ready(ready=False)
            await host.wait_until(lambda race: race.room.v == guest.room.v)
            await host.watch()
        assert sockets.codes == []
        between.lost["room"] = 0
        await guest.ready()
        await host.watch()
        await host.watch()
        await event(host, ConnectionRestored)
        assert host.room == guest.room


async def test_a_connection_that_falls_silent_is_given_up(listener: Listener) -> None:
    async with (
        relayed(listener.port) as relay,
        connect(f"http://127.0.0.1:{relay.port}", **SILENT) as client,
    ):
        host, _ = await race_of_two(client)
        relay.swallow()
        acting = asyncio.create_task(host.act(first_move(host)))
        asking = asyncio.create_task(host.watch())  # with a ping behind it
        assert (await event(host, ConnectionLost)).code == 1006
        relay.restore()
        assert (await acting).at == 1
        await asking


async def test_a_port_that_never_answers_is_unreachable() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:  # connections wait to be accepted
        async with connect(f"http://127.0.0.1:{server.getsockname()[1]}", **SILENT) as client:
            with pytest.raises(Unreachable):
                await client.create("Ada")


async def test_a_server_that_takes_no_seat_is_unreachable() -> None:
    async def ignore(program: ServerConnection) -> None:
        await program.wait_closed()

    async with at(ignore, **SILENT) as client:
        with pytest.raises(Unreachable, match="silent"):
            await client.create("Ada")
