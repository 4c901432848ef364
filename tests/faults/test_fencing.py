"""A server that hung while another server took its player's seat must store nothing more.

A second test breaks the fence on purpose: the checker must notice that.
"""

import asyncio
from pathlib import Path

import pytest
from spider_race_client import SeatLost, connect

from protocol.vocabulary import CloseCode
from tests.faults.checker import FENCE, Verdict, check
from tests.faults.notes import Notes
from tests.faults.processes import FENCED, UNFENCED, fleet
from tests.faults.rounds import Rounds
from tests.faults.witness import Witness

pytestmark = pytest.mark.faults


async def hang_and_take_over(directory: Path, module: str) -> Verdict:
    """Play one seat in two tabs: one at a hanging server with an act on its way, then one more."""
    notes = Notes("Ada")
    async with fleet(directory, 2, module) as servers:
        one, other = servers.servers
        tabs = Witness(notes, 0), Witness(notes, 1)
        tabs[0].is_done = True  # its seat is lost on purpose
        async with (
            connect(f"http://127.0.0.1:{one.port}", observer=tabs[0]) as here,
            connect(f"http://127.0.0.1:{other.port}", observer=tabs[1]) as elsewhere,
        ):
            old = await here.create("Ada", {"game": "spider-1"})
            await old.start()
            table = await old.wait_for_table()
            one.pause()
            try:
                acting = asyncio.create_task(old.act(table.legal[0]))
                new = await elsewhere.resume(old.code, old.seat, old.token)
                await new.wait_for_table()
            finally:
                one.resume()
            with pytest.raises(SeatLost):
                async for _ in old:
                    pass
            with pytest.raises(SeatLost):
                await acting
            assert notes.closes == {CloseCode.REPLACED: 1}
            await new.forfeit()
            await new.wait_for_result()
        rounds = Rounds(servers, [notes])
        await rounds.read_rest()
    return check([notes], rounds.read, rounds.missing)


async def test_a_replaced_process_that_hung_can_store_nothing_more(tmp_path: Path) -> None:
    verdict = await hang_and_take_over(tmp_path, FENCED)
    assert verdict.clean, verdict.wrong
    assert verdict.entries == 0


async def test_the_checker_notices_a_missing_fence(tmp_path: Path) -> None:
    verdict = await hang_and_take_over(tmp_path, UNFENCED)
    assert len(verdict.wrong[FENCE]) == 1
    assert verdict.entries == 1
