"""Rounds with a known win, over a real server and its pool."""

from http import HTTPStatus
from pathlib import Path

from spider_race_client import connect, fetch_round

from protocol.http import Replay
from server.app import Tuning
from server.games.deals import secret_deck
from server.rooms.timings import RoomTimings
from server.rooms.winnable_deals import POOLS, WinnableDeal
from server.solver.solve import solve
from server.store import Store
from tests.players import running
from tests.python_client.races import result_of
from tests.server.http import get
from tests.servers import AT_ONCE

POOL = "spider-1:left4:strict"
SOON = Tuning(rooms=RoomTimings(countdown_ms=10), store=AT_ONCE)


async def test_a_round_has_its_win_before_it_and_shows_it_afterwards(
    store: Store, embedded_url: str, tmp_path: Path
) -> None:
    rules, seed = POOLS[POOL], (7).to_bytes(16, "big")
    line = solve(rules, secret_deck("spider-1", seed), budget=1_000_000).line
    await store.deal_pools.put(POOL, WinnableDeal(POOL, seed, line).as_text(), most=9)
    async with running(SOON, redis_url=embedded_url, data_dir=tmp_path) as listener:
        address = f"http://127.0.0.1:{listener.port}"
        async with connect(address) as client:
            ada = await client.create("Ada", {"game": "spider-1"})
            bob = await client.join(ada.code, "Bob")
            for is_known in (True, False):
                await (ada.ready() if is_known else ada.rematch())
                await (bob.ready() if is_known else bob.rematch())
                await ada.wait_for_table()
                played = ada.room.round
                assert played is not None
                assert played.winnable is is_known
                await ada.forfeit()
                await bob.forfeit()
                over = await result_of(ada, played.n)
                reveal = over.reveal
                assert (reveal.seed == seed.hex()) is is_known
                assert (reveal.proof is not None) is is_known
                fetched = await fetch_round(address, ada.code, played.n)
                assert fetched.document.reveal.proof == reveal.proof
                answer = await get(listener.port, f"/api/rooms/{ada.code}/rounds/{played.n}/proof")
                assert answer.status == (HTTPStatus.OK if is_known else HTTPStatus.NOT_FOUND)
                if is_known:
                    proof = Replay.model_validate_json(answer.body)
                    assert (proof.seat, proof.acts, proof.steps[-1].suits) == (-1, len(line), 8)
                    times = [step.ms for step in proof.steps]
                    assert times == sorted(times)
