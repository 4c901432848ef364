"""The fault of a server that is rolled back during a race, and forward again."""

import asyncio
import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.faults import __main__ as program
from tests.faults.checker import Verdict, check
from tests.faults.inflict import Victims
from tests.faults.notes import Notes
from tests.faults.players import Manners, Racer, Tab, Visit
from tests.faults.processes import WITH_BEFORE, fleet
from tests.faults.release_before import Before
from tests.faults.rounds import Rounds
from tests.faults.run import Outcome, Plan, settings
from tests.faults.run import _inflict as inflict
from tests.faults.schedule import Fault, FaultKind

ROLLED_BACK = Fault(0.0, FaultKind.ROLLBACK, (0,), 2.0)
MOST_ROLLBACKS = 6
"""Players choose their server by chance, so that a rollback may meet none of them."""
KNOWN = {"game": "spider-2", "undo": "any", "score": "woods"}


def test_the_release_before_serves_no_room_with_unknown_settings(before: Path) -> None:
    release = Before(before)
    assert release.can_serve(KNOWN)
    for unknown in (
        {"undo": "counted"},
        {"undo": "free"},
        {"cheats": "out"},
        {"score": "moves"},
    ):
        assert not release.can_serve({**KNOWN, **unknown})


def test_the_release_before_can_read_the_drawn_settings(before: Path) -> None:
    rng, plan = random.Random(7), Plan(seed=7, before=Before(before))
    drawn = [settings(rng, plan) for _ in range(300)]
    read = "import json, sys; from protocol.settings import Settings; print(len([Settings(**one) "
    read += "for one in json.load(sys.stdin)]))"
    done = subprocess.run(
        [sys.executable, "-c", read],
        input=json.dumps(drawn),
        cwd=before,
        check=True,
        capture_output=True,
        text=True,
    )
    assert int(done.stdout) == 300
    without = [settings(rng, Plan(seed=7)) for _ in range(300)]
    assert {one["undo"] for one in without} - {one["undo"] for one in drawn} == {"free", "counted"}


def test_a_clone_without_history_reports_that_no_server_is_rolled_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert program.release_before(tmp_path, "0" * 40) is None
    assert capsys.readouterr().out.startswith("no server is rolled back: ")


def test_a_clone_without_git_reports_that_no_server_is_rolled_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    assert program.release_before(tmp_path) is None
    assert "git" in capsys.readouterr().out


@pytest.mark.parametrize("before", [False, True])
def test_results_sent_by_the_release_before_are_not_compared(before: bool) -> None:
    tab: Tab = object.__new__(Tab)
    tab.notes = Notes("Ada")
    tab._handle_over(Visit(None, 1, before), {"n": 1, "ranking": [{}]})  # type: ignore[arg-type]  # no socket is used
    assert tab.notes.rankings == ({} if before else {1: [{}]})
    assert tab.notes.rounds() == {1}


@pytest.mark.faults
async def test_players_continue_on_the_release_before_and_back_again(
    tmp_path: Path, before: Path
) -> None:
    plan = Plan(seed=7, before=Before(before))
    async with fleet(tmp_path, 2, WITH_BEFORE) as servers:
        async with asyncio.TaskGroup() as tasks:
            manners = Manners(acts_per_s=10.0, forfeit=0.0, ends=0.0)
            racers = [
                Racer(name, servers.ports, random.Random(name), tasks, manners, servers.is_before)
                for name in ("Ada", "Bob", "Cy", "Dee")
            ]
            hello: dict[str, Any] = {"type": "create", "settings": {"game": "spider-1"}}
            for racer in racers:
                await racer.sit_down({**hello, "name": racer.notes.name})
                hello = {"type": "join", "room": racers[0].notes.room}
            async with asyncio.timeout(30):
                while racers[0].tab.room["state"] != "RUNNING":
                    await asyncio.sleep(0.05)
            outcome = Outcome(plan, Verdict(), [racer.notes for racer in racers])
            for _ in range(MOST_ROLLBACKS):
                await inflict(ROLLED_BACK, Victims(servers, racers, plan.before), outcome, print)
                if outcome.inflicted:
                    break
            assert outcome.inflicted == {FaultKind.ROLLBACK: 1}
            assert not any(server.is_before for server in servers.servers)
            for racer in racers:
                racer.ending = True
            async with asyncio.timeout(30):
                while not all(racer.is_through() for racer in racers):
                    await asyncio.sleep(0.05)
            for racer in racers:
                racer.leave()
        rounds = Rounds(servers, outcome.notes)
        await rounds.read_rest()
    verdict = check(outcome.notes, rounds.read, [*servers.troubles(), *rounds.missing])
    assert verdict.clean, verdict.wrong
    assert verdict.acknowledged > sum(notes.acks_before for notes in outcome.notes) > 0


@pytest.mark.faults
async def test_a_rollback_without_players_is_not_counted(tmp_path: Path, before: Path) -> None:
    plan = Plan(seed=7, before=Before(before))
    async with fleet(tmp_path, 1) as servers:
        outcome, said = Outcome(plan, Verdict(), []), list[str]()
        await inflict(ROLLED_BACK, Victims(servers, [], plan.before), outcome, said.append)
        assert len(servers.ports(before=False)) == 1
    assert not outcome.inflicted
    assert said[-1].endswith("nothing came of it")
