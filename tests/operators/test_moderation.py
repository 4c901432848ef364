"""Rooms that an operator closes, and addresses that are banned, while servers run."""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial
from typing import Any

import pytest
from structlog.testing import capture_logs

import server.__main__ as program
from server.__main__ import main
from server.live.days import day_of
from server.store import Store
from server.store.keys import UNPREFIXED
from server.web.limits import BannedNetworks, HttpLimits
from server.web.listener import Listener
from tests.players import Player
from tests.server.conftest import Serving
from tests.server.http import get
from tests.store.rooms_and_acts import change
from tests.waiting import until, until_answer

Run = Callable[..., Any]
PROXY = ("127.0.0.0/8",)
EVE, BOB, ADA = "203.0.113.7", "198.51.100.4", "2001:db8::5"


@pytest.fixture(autouse=True)
def logs(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    monkeypatch.setattr(program, "set_up_logs", lambda _options: None)
    with capture_logs() as logs:
        yield logs


@pytest.fixture
def run(embedded_url: str, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return the exit code, the output and the errors of a command on the store of the tests."""

    async def run(*words: str) -> tuple[int, str, str]:
        code = await asyncio.to_thread(main, [*words, "--redis-url", embedded_url])
        return (code, *capsys.readouterr())

    return run


@pytest.fixture
async def servers(serving: Serving) -> AsyncIterator[tuple[Listener, Listener]]:
    """Two servers of one store, behind a proxy that names the addresses of clients."""
    soon: dict[str, Any] = {"http": HttpLimits(check_s=0.1), "trusted_proxies": PROXY}
    async with serving(**soon) as one, serving(**soon) as other:
        yield one, other


async def seated(listener: Listener, address: str, kind: str = "create", **fields: Any) -> Player:
    return await Player.seated(listener.port, kind, address=address, name=address, **fields)


@pytest.mark.parametrize("is_race", [False, True])
async def test_everybody_is_sent_out_of_a_closed_room_at_every_server(
    servers: tuple[Listener, Listener], store: Store, run: Run, logs: list[Any], is_race: bool
) -> None:
    one, other = servers
    host, other_host = await seated(one, EVE), await seated(one, BOB)
    guest = await seated(other, BOB, "join", room=host.code)
    if is_race:
        await host.say("ready")
        await guest.say("ready")
        await guest.race()
    typed = f"{host.code[:3]}-{host.code[3:]}".lower()
    code, text, _ = await run("rooms", "close", f"https://race.example/r/{typed}/1?lang=de")
    assert (code, text) == (0, f"The room {host.code} is closed.\n")
    assert [await each.closed() for each in (host, guest)] == [4504, 4504]
    closed = [line for line in logs if line["event"] == "room closed elsewhere"]
    assert [(line["room"], line["seats"]) for line in closed] == [(host.code, 1)] * 2
    assert await store.rooms.read(host.code) is None
    assert await store.open_rooms.names() == [other_host.code]
    assert await store.lists.due(store.clock.now_ms() + 10**9) == []
    assert (await other_host.ask("ping", t=1))["type"] == "pong"
    for name, answer in {host.code: 1, "7K3QZ0A0": 2}.items():
        code, text, error = await run("rooms", "close", name)
        assert (code, text) == (answer, "")
        assert error.startswith("spider-race: ")


async def test_rooms_that_cannot_be_read_are_removed(store: Store, run: Run) -> None:
    codes = ["STRANG0", "STRANG1", "STRANG2"]
    await store.rooms.create(codes[0], change(doc="no JSON"))
    for code, (command, *words) in zip(codes[1:], (("SET", "x"), ("HSET", "v", "x")), strict=True):
        await store.client.call(command, UNPREFIXED.room(code), *words)
    await store.open_rooms.renew(codes, [""])
    await store.lists.set_aside("STRANG0")
    assert (await run("rooms"))[1].count("UNREADABLE") == 3
    for each in codes:
        code, text, _ = await run("rooms", "close", each)
        assert code == 0
        assert "could not be read, and is removed" in text
        assert not await store.client.call("EXISTS", UNPREFIXED.room(each))
    assert (await run("rooms"))[1] == "No open rooms.\n"
    assert await store.lists.count_set_aside() == 0


async def test_a_result_that_cannot_be_read_is_no_outage(store: Store, run: Run) -> None:
    """Regression: the command said that the store did not answer."""
    day, entry = day_of(store.clock.now_ms()), "0" * 16
    due = store.clock.now_ms() + 60_000
    await store.days.report(day, "spider-1", entry, 1, "no JSON", b"", due)
    code, _, error = await run("day", "hide", f"{day}/spider-1/{entry}")
    sentence = "This release cannot read it: the result of an entry."
    assert (code, error) == (2, f"spider-race: {sentence}\n")


async def until_status(port: int, status: int, address: str) -> None:
    visits = partial(get, port, "/", X_Forwarded_For=address)
    await until_answer(visits, lambda answer: answer.status == status)


async def test_a_ban_holds_at_every_server_until_it_is_over(
    servers: tuple[Listener, Listener], run: Run, logs: list[Any]
) -> None:
    one, other = servers
    eve, ada, bob = await seated(one, EVE), await seated(other, ADA), await seated(other, BOB)
    code, text, _ = await run("bans", "add", "203.0.113.0/24", "--for", "7d")
    assert code == 0
    assert text.startswith("203.0.113.0/24 is banned until ")
    assert (await run("bans", "add", "2001:db8::ffff"))[1].startswith("2001:db8::/64 is banned")
    assert [await each.closed() for each in (eve, ada)] == [1008, 1008]
    for server in servers:
        for address, status in {"203.0.113.99": 403, "2001:db8::6": 403, BOB: 200}.items():
            await until_status(server.port, status, address)
        refused = await get(server.port, "/ws", X_Forwarded_For=EVE)
        assert refused.body == b"The operator of this server has banned your address for a time.\n"
        assert (await get(server.port, "/")).status == 200  # the proxy's own
    assert (await bob.ask("ping", t=1))["type"] == "pong"
    listed = json.loads((await run("bans", "--json"))[1])
    assert [each["address"] for each in listed] == ["2001:db8::/64", "203.0.113.0/24"]
    assert 86_000 < listed[0]["left_s"] <= 86_400
    assert "6 days" in (await run("bans"))[1]

    await run("bans", "add", "203.0.113.0/24", "--for", "1s")
    assert (await run("bans", "remove", ADA))[0] == 0
    assert (await run("bans", "remove", ADA))[0] == 1

    for address in (EVE, ADA):
        await until_status(one.port, 200, address)
    assert (await run("bans"))[1] == "No address is banned.\n"

    def logged(name: str) -> Counter[str]:
        return Counter(each for line in logs for each in line.get(name, ()))

    twice = {"2001:db8::/64": 2, "203.0.113.0/24": 2}  # by each server
    await until(lambda: logged("new") == logged("over") == twice)
    assert (await eve.resume(one.port)).seat == eve.seat  # it was kept


async def test_a_lifted_ban_names_the_wider_one_that_still_holds(store: Store, run: Run) -> None:
    for network in (EVE, "203.0.113.0/24", "203.0.113.0/29", "198.51.0.0/16", ADA):
        assert (await run("bans", "add", network))[0] == 0
    await store.bans.add("no network", store.clock.now_ms() + 60_000)
    code, text, _ = await run("bans", "remove", EVE)
    still = f"{EVE} is still banned by 203.0.113.0/24, 203.0.113.0/29."
    assert (code, text) == (0, f"The ban of {EVE} is lifted, but {still}\n")
    code, _, error = await run("bans", "remove", EVE)
    assert (code, error) == (1, f"spider-race: There is no ban of {EVE}; {still}\n")
    assert (await run("bans", "remove", ADA))[1] == "The ban of 2001:db8::/64 is lifted.\n"
    assert (await run("bans", "add", "2001:db8::/32"))[1].startswith("2001:db8::/32 is banned")


async def test_addresses_of_all_players_are_not_banned(store: Store, run: Run) -> None:
    for address in ("127.0.0.1", "::1", "0.0.0.0/0", "::ffff:127.0.0.1"):
        code, text, error = await run("bans", "add", address)
        assert (code, text) == (2, "")
        assert "cannot be banned: players come through proxies of" in error
    for address in ("10.0.0.9", "10.0.0.0/8"):
        words = ("bans", "add", address, "--trusted-proxies", "10.0.0.0/24,fd00::1")
        assert "players come through proxies of 10.0.0.0/24" in (await run(*words))[2]
    assert await store.bans.read() == {}


async def test_a_network_of_ipv4_mapped_to_ipv6_is_banned_whole(store: Store, run: Run) -> None:
    """Regression: the ban covered only its first address."""
    for given in ("::ffff:203.0.113.0/120", "::ffff:198.51.100.4"):
        assert (await run("bans", "add", given))[0] == 0
    assert [*await store.bans.read()] == ["203.0.113.0/24", "198.51.100.4/32"]


async def test_a_list_of_bans_that_another_program_has_written_bans_nobody(
    servers: tuple[Listener, Listener], store: Store
) -> None:
    key, soon = UNPREFIXED.bans, store.clock.now_ms() + 60_000
    for command, *words in (("ZADD", "+inf", EVE, soon, "x"), ("SET", "x")):
        await store.client.call(command, key, *words)
        await asyncio.sleep(0.3)
        host = await seated(servers[0], EVE)
        assert (await host.ask("ping", t=1))["type"] == "pong"
        assert (await get(servers[0].operations_port, "/readyz")).status == 200


def test_an_address_is_banned_by_each_network_around_it() -> None:
    banned = BannedNetworks()
    assert banned.update(["203.0.113.0/24", "2001:db8::/32", "no network"])
    assert not banned.update(["203.0.113.0/24"])
    assert banned.update(["203.0.113.0/24", "2001:db8::/32"])
    for address in ("203.0.113.255", "2001:db8:7::/64", "::ffff:203.0.113.1"):
        assert banned.has(address)
    for other in ("203.0.114.0", "2001:db9::/64", "unknown clients of 10.0.0.1", "", None):
        assert not banned.has(other)
