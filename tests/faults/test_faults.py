"""Real processes that are killed, suspended and cut off while people race.

Only the content of the store at the end counts, never the time. For longer and random runs, also
over a cluster whose masters die: `python -m tests.faults --minutes 60`.
"""

import asyncio
import signal
from collections.abc import AsyncIterator, Iterable
from itertools import pairwise
from pathlib import Path

import pytest
import pytest_asyncio
from spider_race_client import SeatLost, connect

from protocol.http import FinishedRound, TableHistory
from server.store import Store
from tests.faults.__main__ import result
from tests.faults.checker import FENCE, check
from tests.faults.processes import UNFENCED, Fleet, fleet
from tests.faults.run import Plan, Rounds, run
from tests.faults.schedule import OF_PLAYERS, OF_REDIS, OF_SERVERS, Fault, FaultKind
from tests.faults.stores import Alone
from tests.faults.witness import Notes, Witness
from tests.players import Player
from tests.server.http import get

IN_MODULE = pytest.mark.asyncio(loop_scope="module")
pytestmark = [pytest.mark.faults, pytest.mark.timeout(300), IN_MODULE]
Acts = dict[int, str]  # the acknowledged acts of a player, by their place in the log


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def started(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Fleet]:
    async with fleet(tmp_path_factory.mktemp("faults"), 2) as servers:
        yield servers


@pytest_asyncio.fixture(loop_scope="module")
async def two(started: Fleet) -> Fleet:
    """Two servers on one store that syncs every write; killed ones are started again."""
    for server in started.servers:
        if not server.is_up:
            await server.start()
    return started


async def race_of_two(two: Fleet, **settings: object) -> tuple[Player, Player]:
    """Return two players of a race, each at its own server."""
    one, other = two.ports()
    ada = await Player.create(one, "Ada", game="spider-1", time_limit_s=None, **settings)
    bob = await Player.join(other, ada.code, "Bob")
    await bob.say("ready")
    await ada.say("ready")
    await asyncio.gather(ada.race(), bob.race())
    return ada, bob


async def act(player: Player, acts: Acts) -> None:
    """Make an act, repeat it while the store is away, and note it."""
    at, action = player.table["at"], player.table["legal"][0]
    codes = []
    while (answer := await player.act(action))["type"] != "acted":
        codes.append(answer["code"])
        if codes[-1] == "stale" and "try_again" in codes:  # only the reply was lost
            assert player.table["at"] == at + 1
            break
        assert codes[-1] in {"try_again", "early"}, answer  # its clock is a little behind
        await asyncio.sleep(0.1)  # the rate that a server allows
    acts[at] = action


async def back(player: Player, port: int, acts: Acts) -> Player:
    """Return a player in the race at another server, where each acknowledged act is shown."""
    again = await player.resume(port)
    table = await again.race()
    assert table["at"] >= len(acts)
    return again


async def assert_whole(players: Iterable[tuple[Player, Acts]], *, unknown: int = 0) -> None:
    """End the race; each acknowledged act is in its log once, in order, with nothing unsent.

    `unknown` is the number of acts of each player that may be there too, at the end of its log.
    """
    (first, _), *_ = players = list(players)
    for player, _ in players:
        await player.say("forfeit")
    await first.receive("round_over")
    port = first.socket.remote_address[1]
    answer = await get(port, f"/api/rooms/{first.code}/rounds/1")
    logs = {log.seat: log.log for log in FinishedRound.model_validate_json(answer.body).players}
    for player, acts in players:
        log = logs[player.seat]
        assert {at: log[at].action for at in acts} == acts
        assert len(log) <= len(acts) + unknown
        assert all(one.ms <= other.ms for one, other in pairwise(log))
        await player.leave()


async def test_a_killed_server_loses_no_act_or_hint_and_players_go_on_elsewhere(
    two: Fleet,
) -> None:
    ada, bob = await race_of_two(two, hints=True)
    adas, bobs = Acts(), Acts()
    for _ in range(3):
        await act(ada, adas)
        await act(bob, bobs)
    hint = await ada.ask("hint")
    await two.servers[0].end()
    assert await ada.closed() == 1006
    # The killed process cannot report that its connections are lost; the other one does so.
    while bob.room["host"] != bob.seat:
        await bob.next()
    assert bob.room["seats"][0]["connection"] == "gone"
    (port,) = two.ports()
    ada = await back(ada, port, adas)
    assert await ada.ask("hint") == hint
    await act(ada, adas)
    assert (await ada.ask("hint"))["hints"] == hint["hints"] + 1 == 2
    await act(bob, bobs)
    await assert_whole([(ada, adas), (bob, bobs)])


async def test_a_server_killed_at_the_end_of_a_round_leaves_it_in_the_history_once(
    two: Fleet, tmp_path: Path
) -> None:
    """It is killed at another moment each time: before, during or after the write."""
    ada, bob = await race_of_two(two)
    await ada.ask("keep")
    for n, delay_s in enumerate((0.0, 0.003, 0.01), 1):
        await bob.ask("forfeit")
        await ada.say("forfeit")
        await asyncio.sleep(delay_s)
        await two.servers[0].replace(0.0, killed=True)
        ada = await ada.resume(two.servers[0].port)
        if ada.room["state"] == "RUNNING":
            await ada.ask("forfeit")
        await ada.in_state("FINISHED")
        await bob.in_state("FINISHED")
        assert (ada.room["round"]["n"], ada.room["kept"]["races"]) == (n, n)
        for player in (bob, ada):
            await player.say("rematch")
        await asyncio.gather(*(player.in_state("RUNNING") for player in (ada, bob)))
    answer = await get(two.servers[1].port, f"/api/rooms/{ada.code}/table")
    found = TableHistory.model_validate_json(answer.body)
    assert [each.n for each in found.rounds] == [3, 2, 1]
    store = await Store.open(two.store.url, tmp_path)
    assert len(await store.rooms.history(ada.code)) == 3
    await store.close()
    for player in (ada, bob):
        await player.leave()


async def test_a_power_cut_that_ends_everything_loses_no_acknowledged_act(two: Fleet) -> None:
    players = await race_of_two(two)
    acts = Acts(), Acts()
    for _ in range(4):
        for player, known in zip(players, acts, strict=True):
            await act(player, known)
    for player in players:  # on their way when the power goes
        player.used += 1
        await player.say("act", id=player.used, at=4, action=player.table["legal"][0])
    last = [player.table["legal"][0] for player in players]
    assert isinstance(two.store, Alone)
    async with two.store.away():
        for server in two.servers:
            await server.end()
    for player, known, action in zip(players, acts, last, strict=True):
        assert await player.closed() == 1006
        if any(each["type"] == "acted" and each["at"] == 5 for each in player.received):
            known[4] = action
    for server in two.servers:
        await server.start()
    seats = zip(players, two.ports(), acts, strict=True)
    again = [await back(player, port, known) for player, port, known in seats]
    await assert_whole(zip(again, acts, strict=True), unknown=1)


async def test_a_killed_and_a_suspended_store_keep_their_players_and_all_acts(two: Fleet) -> None:
    ada, bob = await race_of_two(two)
    adas, bobs = Acts(), Acts()
    for kind in (FaultKind.KILL_REDIS, FaultKind.STALL_REDIS):
        suffering = asyncio.create_task(two.store.suffer(Fault(0.0, kind, seconds=0.5)))
        for _ in range(3):
            await act(ada, adas)
            await act(bob, bobs)
        await suffering
    await assert_whole([(ada, adas), (bob, bobs)])


async def test_two_processes_of_one_room_agree_again_after_a_cut_between_them(two: Fleet) -> None:
    ada, bob = await race_of_two(two)
    adas, bobs = Acts(), Acts()
    for _ in range(2):
        await two.store.ask(ada.code, "CLIENT", "KILL", "TYPE", "pubsub")
        await act(bob, bobs)
        await act(ada, adas)
        moves = {ada.seat: len(adas), bob.seat: len(bobs)}
        for player in (ada, bob):
            await player.standings_with(
                lambda rows, moves=moves: {row["seat"]: row["moves"] for row in rows} == moves  # type: ignore[misc]
            )
    await assert_whole([(ada, adas), (bob, bobs)])


async def assert_fenced(servers: Fleet, *, entries: int = 0) -> None:
    """Take a seat from a tab whose server is suspended; the checker finds its late entries."""
    notes, (one, other) = Notes("Ada"), servers.servers
    tabs = Witness(notes, 0), Witness(notes, 1)
    tabs[0].is_done = True  # its seat is lost on purpose
    async with (
        connect(f"http://127.0.0.1:{one.port}", observer=tabs[0]) as here,
        connect(f"http://127.0.0.1:{other.port}", observer=tabs[1]) as elsewhere,
    ):
        old = await here.create("Ada", {"game": "spider-1"})
        await old.start()
        table = await old.wait_for_table()
        one.send(signal.SIGSTOP)
        try:
            acting = asyncio.create_task(old.act(table.legal[0]))
            new = await elsewhere.resume(old.code, old.seat, old.token)
            await new.wait_for_table()
        finally:
            one.send(signal.SIGCONT)
        with pytest.raises(SeatLost):
            async for _ in old:
                pass
        (answer,) = await asyncio.gather(acting, return_exceptions=True)
        assert entries or isinstance(answer, SeatLost)
        await new.forfeit()
        await new.wait_for_result()
    rounds = Rounds(servers, [notes])
    await rounds.read_rest()
    verdict = check([notes], rounds.read, rounds.missing)
    assert verdict.entries == len(verdict.wrong[FENCE]) == entries
    assert verdict.clean is (entries == 0), verdict.wrong


async def test_a_suspended_server_stores_nothing_for_a_seat_taken_meanwhile(two: Fleet) -> None:
    await assert_fenced(two)


@pytest.mark.night  # it says nothing about the server, but that the checker would notice
async def test_the_checker_notices_a_server_without_its_fence(tmp_path: Path) -> None:
    async with fleet(tmp_path, 2, UNFENCED) as servers:
        await assert_fenced(servers, entries=1)


async def test_twenty_seconds_of_faults_lose_nothing() -> None:
    outcome = await run(
        Plan(seed=13, seconds=20.0, players=12, rooms=4, servers=2, round_s=(10, 14))
    )
    assert outcome.verdict.clean, result(outcome)
    assert outcome.verdict.acknowledged > 0
    assert outcome.tables > 0
    assert outcome.inflicted.keys() >= {*OF_SERVERS, *OF_REDIS, *OF_PLAYERS}
