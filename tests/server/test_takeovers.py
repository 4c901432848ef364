"""Many tabs that resume one seat at the same moment: exactly one keeps it."""

import asyncio
from collections import Counter

import pytest

from protocol.vocabulary import CloseCode
from server.sessions.limits import SessionLimits
from server.sessions.rate_limit import Rate
from tests.players import Player, start_race
from tests.server.conftest import Serving

TABS = 6
TIMES = 20
UNLIMITED = SessionLimits(returns=Rate(1_000, 1_000))


async def resumed_at_once(owner: Player, ports: list[int], tabs: list[str]) -> list[Player]:
    """Return sockets that ask for the owner's seat in one turn of the loop."""
    sockets = [await Player.connect(port) for port in ports]
    for socket, tab in zip(sockets, tabs, strict=True):
        socket.code, socket.seat, socket.token = owner.code, owner.seat, owner.token
        await socket.say("resume", room=owner.code, seat=owner.seat, token=owner.token, tab=tab)
    return sockets


async def left_open(sockets: list[Player]) -> tuple[Player, Counter[int]]:
    """Return the socket that is open once all others are closed, and their close codes."""
    closing = {asyncio.create_task(each.closed()): each for each in sockets}
    waiting = set(closing)
    codes: Counter[int] = Counter()
    async with asyncio.timeout(30):
        while len(waiting) > 1:
            done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            codes.update(task.result() for task in done)
    (last,) = waiting
    last.cancel()
    await asyncio.wait(waiting)
    return closing[last], codes


@pytest.mark.parametrize("processes", [1, 2])
async def test_of_many_tabs_that_resume_a_seat_at_once_exactly_one_stays(
    serving: Serving, processes: int
) -> None:
    """Regression: two whose returns were written in one change of the room both stayed."""
    async with serving(sessions=UNLIMITED) as one, serving(sessions=UNLIMITED) as other:
        ports = [(one, other)[n % processes].port for n in range(TABS)]
        owner, rival = await start_race(one.port, game="spider-1")
        for n in range(TIMES):
            sockets = await resumed_at_once(owner, ports, [f"{n}-{port}" for port in range(TABS)])
            kept, codes = await left_open([owner, *sockets])
            assert codes == {CloseCode.REPLACED: TABS}
            assert (await kept.ask("ping", t=n))["t"] == n
            owner = kept
        await owner.race()
        assert (await owner.act(owner.table["legal"][0]))["type"] == "acted"
        assert (await rival.ask("ping", t=1))["t"] == 1


async def test_connections_of_one_tab_that_lose_their_seat_to_it_may_come_back(
    serving: Serving,
) -> None:
    async with serving(sessions=UNLIMITED) as listener:
        owner, _ = await start_race(listener.port, game="spider-1")
        sockets = await resumed_at_once(owner, [listener.port] * TABS, ["same"] * TABS)
        _, codes = await left_open([owner, *sockets])
        assert codes == {CloseCode.REPLACED: 1, CloseCode.RESYNC: TABS - 1}


async def test_of_many_tabs_of_an_applicant_exactly_one_stays(serving: Serving) -> None:
    async with serving(sessions=UNLIMITED) as one, serving(sessions=UNLIMITED) as other:
        host = await Player.create(one.port, approve=True)
        owner = await Player.join(other.port, host.code, "Bob")
        ports = [(one, other)[n % 2].port for n in range(TABS)]
        for n in range(TIMES):
            sockets = await resumed_at_once(owner, ports, [f"{n}-{port}" for port in range(TABS)])
            owner, codes = await left_open([owner, *sockets])
            assert codes == {CloseCode.REPLACED: TABS}
        await host.ask("admit", seat=owner.seat)
        assert (await owner.receive("room"))["room"]["waiting"] == []
