"""Connections that end, fall silent or lose messages, and a store that is away or loses acts."""

import asyncio
from collections.abc import Callable

import pytest
from spider_race_client import (
    Client,
    ConnectionLost,
    ConnectionRestored,
    StandingsChanged,
    connect,
)
from spider_race_client.errors import Refused, SeatLost

from protocol.to_client import Said
from protocol.vocabulary import FIRST_FINAL_CODE, CloseCode
from tests.python_client.conftest import FAR, Stage
from tests.python_client.lines import Network, Script
from tests.python_client.races import Sockets, event, first_move, race_of_two


@pytest.mark.parametrize("code", [code for code in CloseCode if code < FIRST_FINAL_CODE])
async def test_a_server_that_closes_for_a_while_gets_the_act_again(
    between: Network, far: Client, code: CloseCode
) -> None:
    host, _ = await race_of_two(far)
    between.lost["act"] = code
    assert (await host.act(first_move(host))).at == 1
    assert repr((await event(host, ConnectionLost)).code) == repr(code)  # for logs, with its name
    assert repr(await event(host, ConnectionRestored)) == "ConnectionRestored()"


async def test_a_server_that_closes_for_good_ends_the_race(between: Network, far: Client) -> None:
    host, _ = await race_of_two(far)
    between.lost["act"] = CloseCode.KICKED
    with pytest.raises(SeatLost) as caught:
        await host.act(first_move(host))
    assert caught.value.code is CloseCode.KICKED
    with pytest.raises(SeatLost):
        await host.ready()
    with pytest.raises(SeatLost):
        await event(host, ConnectionRestored)


async def test_a_join_that_is_cancelled_before_its_answer_holds_no_seat(
    between: Network, far: Client, client: Client
) -> None:
    host = await client.create("Ada")
    between.lost["joined"] = 0
    joining = asyncio.create_task(far.join(host.code, "Bob"))
    await host.wait_until(lambda race: [seat.connection for seat in race.room.seats] == ["on"] * 2)
    joining.cancel()
    await host.wait_until(lambda race: [seat.connection for seat in race.room.seats] != ["on"] * 2)
    assert "seat of 'join'" not in {task.get_name() for task in asyncio.all_tasks()}
    assert (await far.join(host.code, "Cy")).code == host.code


async def test_a_chat_line_arrives_once_even_if_connections_are_lost(
    client: Client, sockets: Sockets
) -> None:
    host = await client.create("Ada")
    await host.say("before Bob came")
    guest = await client.join(host.code, "Bob")
    received: list[str] = []
    for line in ("one", "two"):
        sockets.cut()
        await event(guest, ConnectionRestored)
        await host.say(line)
        received.append((await event(guest, Said)).text or "")
    assert received == ["one", "two"]


async def test_a_program_gets_its_own_line_once_although_it_was_sent_twice(
    between: Network, far: Client
) -> None:
    host = await far.create("Ada")
    between.cut["say"] = "before the answer"
    await host.say("hello")
    await host.leave()
    assert [each.text async for each in host if isinstance(each, Said)] == ["hello"]


def refusing(command: str, code: str) -> Script:
    """Return a server that refuses each message with this code."""
    text = f'{{"type":"refused","command":"{command}","code":"{code}","details":{{}}}}'
    return lambda line, _: line.deliver(text)


async def test_a_limit_of_new_seats_is_for_the_program_and_one_of_returns_for_the_client(
    between: Network, far: Client
) -> None:
    host = await far.create("Ada")
    between.script = refusing("join", "too_many_joins")
    with pytest.raises(Refused):
        await far.join(host.code, "Bob")
    between.script = refusing("resume", "too_many_joins")
    returning = asyncio.create_task(far.resume(host.code, host.seat, host.token))
    await asyncio.sleep(5)
    between.script = None
    assert (await returning).seat == host.seat


@pytest.mark.parametrize("code", ["too_many_joins", "try_again"])
async def test_a_seat_that_may_not_return_yet_waits_and_returns(
    between: Network, far: Client, code: str
) -> None:
    host = await far.create("Ada")
    between.script = refusing("resume", code)
    between.opened[-1].abort()
    await asyncio.sleep(5)
    between.script = None
    await event(host, ConnectionRestored)
    assert 2 < len(between.opened) < 7


WAITS = [(max, [1, 2, 4, 8, 16, 30, 30]), (min, [0.5, 0.5, 0.5])]


@pytest.mark.parametrize(("draw", "waits"), WAITS, ids=["longest", "shortest"])
async def test_the_waits_between_attempts_grow_and_are_short_after_a_steady_connection(
    between: Network,
    far: Client,
    monkeypatch: pytest.MonkeyPatch,
    draw: Callable[[float, float], float],
    waits: list[float],
) -> None:
    monkeypatch.setattr("spider_race_client.connection.random.uniform", draw)
    host, time = await far.create("Ada"), asyncio.get_running_loop().time
    for together in (waits, waits[:2]):
        await asyncio.sleep(6)
        between.is_passable, lost_at = False, time()
        between.opened[-1].abort()
        await asyncio.sleep(sum(together) - 0.1)
        between.is_passable = True
        await event(host, ConnectionRestored)
        assert time() - lost_at == pytest.approx(sum(together), abs=0.01)


async def test_a_server_is_found_again_after_a_thousand_attempts(between: Network) -> None:
    """The waits stop doubling: otherwise the number would be too large."""
    async with connect(FAR, longest_wait_s=0.001) as client:
        host = await client.create("Ada")
        between.is_passable = False
        between.opened[-1].abort()
        await asyncio.sleep(1.5)
        between.is_passable = True
        await event(host, ConnectionRestored)


async def test_a_command_given_between_two_connections_is_sent_on_the_next(
    between: Network, far: Client
) -> None:
    host = await far.create("Ada")
    between.lost["say"] = CloseCode.RESYNC
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(host.say("hello"))
        await event(host, ConnectionLost)
        tasks.create_task(host.ready())
    assert host.own_seat is not None
    assert host.own_seat.state == "READY"


async def test_the_leaderboard_is_requested_after_a_gap(between: Network, far: Client) -> None:
    host, guest = await race_of_two(far)
    await host.act(first_move(host))
    await event(guest, StandingsChanged)
    between.lost["standings_changes"] = 0
    await host.act(first_move(host))
    await asyncio.sleep(1)
    assert not between.lost
    await host.act(first_move(host))
    moves = (await host.act(first_move(host))).counts.moves
    for race in (host, guest):
        await race.wait_until(lambda race: [row.moves for row in race.standings] == [moves, 0])


async def test_a_room_is_read_again_after_two_pongs_in_a_row_that_are_ahead_of_it(
    networks: dict[str, Network], stage: Stage
) -> None:
    networks["http://one.example"] = between = Network(stage.world.services)
    async with connect("http://one.example", observer=(sockets := Sockets())) as far:
        host = await far.create("Ada")
        guest = await stage.near.join(host.code, "Bob")
        for _ in range(2):
            await host.wait_until(lambda race: race.room.v == guest.room.v)
            between.lost["room"] = 0
            await guest.ready()
            await host.watch()  # with a ping behind it
            assert not between.lost
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


async def test_a_connection_that_falls_silent_is_given_up(between: Network, far: Client) -> None:
    host, _ = await race_of_two(far)
    await asyncio.sleep(60)  # answered pings keep it
    between.is_silent, fell_silent = True, asyncio.get_running_loop().time()
    acting = asyncio.create_task(host.act(first_move(host)))
    asking = asyncio.create_task(host.watch())  # with a ping behind it
    assert (await event(host, ConnectionLost)).code == 1006
    assert asyncio.get_running_loop().time() - fell_silent == pytest.approx(12, abs=3)
    await asyncio.sleep(20)
    between.is_silent = False
    assert (await acting).at == 1
    await asking


async def test_calls_while_the_store_is_away_are_answered_when_it_is_back(
    stage: Stage, client: Client, sockets: Sockets
) -> None:
    host, guest = await race_of_two(client, hints=True)
    stage.world.faults.away = True
    async with asyncio.TaskGroup() as tasks:
        acting = tasks.create_task(guest.act(first_move(guest)))
        hinting = tasks.create_task(host.hint())
        configuring = tasks.create_task(host.configure(max_players=50))
        joining = tasks.create_task(client.join(host.code, "Cy"))
        await asyncio.sleep(5)
        assert {"act", "hint", "join"} <= set(sockets.refused)
        assert not any(call.done() for call in (acting, configuring, hinting, joining))
        stage.world.faults.away = False
    assert (acting.result().at, hinting.result().at) == (1, 0)
    assert (joining.result().seat, host.room.settings.max_players) == (2, 50)


async def test_acts_that_the_store_has_lost_are_offered_again(
    stage: Stage, between: Network, far: Client
) -> None:
    host, guest = await race_of_two(far)
    store, log, seat = stage.world.store, (host.code, 1, host.seat), (host.code, host.seat)
    await host.act(first_move(host))
    kept = store.seats[seat]
    for _ in range(3):
        table = await host.act(first_move(host))
    # A failover to a replica that had only the first of the four:
    store.logs[log] = store.logs[log][:1]
    store.seats[seat] = kept
    for process in stage.world.processes.values():
        process.connection.interrupted_ms = stage.world.now()
    between.opened[0].abort()
    await event(host, ConnectionRestored)
    after = await host.act("undo")
    assert after.at == table.at + 1
    await guest.wait_until(lambda race: any(row.restored == 3 for row in race.standings))
