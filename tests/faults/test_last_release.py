"""The fault of a server that is rolled back during a race, and forward again."""

import asyncio
import random
import subprocess
from pathlib import Path

import pytest

from tests.faults import __main__ as program
from tests.faults import last_release as releases
from tests.faults.checker import Verdict, check
from tests.faults.inflict import Victims
from tests.faults.last_release import LastRelease, NoRelease, export, tag_of_last_release
from tests.faults.players import Manners, Racer
from tests.faults.processes import fleet
from tests.faults.rounds import Rounds
from tests.faults.run import Outcome, Plan, settings
from tests.faults.run import _inflict as inflict
from tests.faults.schedule import Fault, FaultKind

ROLLED_BACK = Fault(0.0, FaultKind.ROLLBACK, (0,), 2.0)
MOST_ROLLBACKS = 6
"""Players choose their server by chance, so that a rollback may meet none of them."""
KNOWN = {"game": "spider-2", "undo": "any", "score": "woods"}


def test_rooms_are_opened_with_settings_that_the_last_release_knows(last_release: Path) -> None:
    release = LastRelease(last_release)
    assert release.can_serve(KNOWN)
    for unknown in ({"undo": "of_a_newer_release"}, {"of_a_newer_release": True}):
        assert not release.can_serve({**KNOWN, **unknown})
    rng, plan = random.Random(7), Plan(seed=7, last_release=release)
    assert all(release.can_serve(settings(rng, plan)) for _ in range(50))


def git(directory: Path, *words: str) -> None:
    named = ("-c", "user.name=x", "-c", "user.email=x", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *named, *words], cwd=directory, check=True, capture_output=True)


def test_the_last_release_is_the_highest_tagged_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(releases, "ROOT", tmp_path)
    git(tmp_path, "init")
    (tmp_path / "server").mkdir()
    for version in ("1.9.0", "1.10.0"):
        (tmp_path / "server" / "__init__.py").write_text(f'__version__ = "{version}"\n')
        git(tmp_path, "add", ".")
        git(tmp_path, "commit", "-m", version)
        git(tmp_path, "tag", f"v{version}")
    git(tmp_path, "tag", "voyage")
    assert tag_of_last_release() == "v1.10.0"
    exported = export("v1.9.0", tmp_path / "exported") / "server" / "__init__.py"
    assert "1.9.0" in exported.read_text()
    with pytest.raises(NoRelease):
        export("v2.0.0", tmp_path / "none")


@pytest.mark.parametrize("path", [None, ""], ids=["without releases", "without git"])
def test_a_clone_without_a_release_reports_that_no_server_is_rolled_back(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    path: str | None,
) -> None:
    git(tmp_path, "init")
    monkeypatch.setattr(releases, "ROOT", tmp_path)
    if path is not None:
        monkeypatch.setenv("PATH", path)
    assert program.last_release(tmp_path) is None
    assert capsys.readouterr().out.startswith("no server is rolled back: ")


@pytest.mark.faults
async def test_players_continue_on_the_last_release_and_back_again(
    tmp_path: Path, last_release: Path
) -> None:
    plan = Plan(seed=7, last_release=LastRelease(last_release))
    async with fleet(tmp_path, 2) as servers:
        async with asyncio.TaskGroup() as tasks:
            manners = Manners(acts_per_s=10.0, forfeit=0.0, ends=0.0)
            racers = [
                Racer(
                    name,
                    servers.ports,
                    random.Random(name),
                    tasks,
                    manners,
                    servers.is_last_release,
                )
                for name in ("Ada", "Bob", "Cy", "Dee")
            ]
            await racers[0].create({"game": "spider-1"})
            for racer in racers[1:]:
                await racer.join(racers[0].notes.room)
            async with asyncio.timeout(30):
                while not racers[0].tab.is_running:
                    await asyncio.sleep(0.05)
            outcome = Outcome(plan, Verdict(), [racer.notes for racer in racers])
            victims = Victims(servers, racers, plan.last_release)
            for _ in range(MOST_ROLLBACKS):
                await inflict(ROLLED_BACK, victims, outcome, print)
                if outcome.inflicted:
                    break
            assert outcome.inflicted == {FaultKind.ROLLBACK: 1}
            assert not any(server.is_last_release for server in servers.servers)
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
    assert verdict.acknowledged > sum(notes.acks_of_last_release for notes in outcome.notes) > 0


@pytest.mark.faults
async def test_a_rollback_without_players_is_not_counted(
    tmp_path: Path, last_release: Path
) -> None:
    plan = Plan(seed=7, last_release=LastRelease(last_release))
    async with fleet(tmp_path, 1) as servers:
        outcome, said = Outcome(plan, Verdict(), []), list[str]()
        await inflict(ROLLED_BACK, Victims(servers, [], plan.last_release), outcome, said.append)
        assert not servers.servers[0].is_last_release
    assert not outcome.inflicted
    assert said[-1].endswith("nothing came of it")
