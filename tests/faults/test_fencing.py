"""A server that hung while another server took its player's seat must store nothing more.

A second test breaks the fence on purpose: the checker must notice that.
"""

from pathlib import Path

import pytest

from tests.faults.checker import FENCE, Verdict, check
from tests.faults.notes import Notes, Sent, Shown
from tests.faults.processes import FENCED, UNFENCED, fleet
from tests.faults.rounds import Rounds
from tests.players import Player

pytestmark = pytest.mark.faults


async def hang_and_take_over(directory: Path, module: str) -> Verdict:
    """Play one seat in two tabs: one at a hanging server with an act on its way, then one more."""
    notes = Notes("Ada")
    async with fleet(directory, 2, module) as servers:
        one, other = servers.servers
        assert one.port is not None
        assert other.port is not None
        old = await Player.create(one.port, game="spider-1")
        notes.room, notes.seat = old.code, old.seat
        await old.say("start")
        action = (await old.race())["legal"][0]
        one.pause()
        try:
            notes.acts.append(Sent(1, 0, 1, 0, action, tries=1))
            await old.say("act", id=1, at=0, action=action)
            new = await old.resume(other.port)
            notes.shown.append(Shown.of(1, 1, await new.race()))
        finally:
            one.resume()
        assert await old.closed() == 4503
        await new.ask("forfeit")
        await new.receive("round_over")
        await new.leave()
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
