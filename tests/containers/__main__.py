"""`make containers`: run the containers of docker-compose.yml while two players race.

The program builds the image and starts everything on a running Docker engine, or on a new one.
Two players race through Caddy while one fault after the other happens. Afterwards each
acknowledged act must be in the log of the round. If no engine can run, or nothing can be
installed, the program says so and does nothing.
"""

import asyncio
import sys
import time
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from protocol.http import FinishedRound
from tests.containers.engine import CommandFailed, Engine, Unavailable, started
from tests.containers.images import available
from tests.containers.race import Acknowledged, Racer, begun, longest_gap_s, lost_acts, trusting
from tests.containers.site import FAULTS, Fault, Site, running

SETTLE_S = 3.0
"""Time to wait after each fault, since its effects may appear late."""
AGAIN_S = 60.0
"""Time after a fault within which acts must be answered again."""
READ_S = 30.0


@dataclass
class Outcome:
    """The effect of a fault on the players; times are monotonic."""

    fault: Fault
    began: float
    ended: float
    longest_gap_s: float
    losses: int
    problem: str = ""
    lost: int = 0

    @property
    def passed(self) -> bool:
        return not self.problem and not self.lost


async def suffer(fault: Fault, site: Site, racers: Sequence[Racer]) -> Outcome:
    """Cause a fault, and wait until both players act again."""
    began, losses = time.monotonic(), sum(racer.losses for racer in racers)
    problem = ""
    try:
        await asyncio.to_thread(fault.inflict, site)
    except (CommandFailed, AssertionError, pytest.fail.Exception) as error:
        problem = str(error) or repr(error)
    done = time.monotonic()
    while any(racer.latest() < done + SETTLE_S for racer in racers):
        await asyncio.sleep(0.1)
        if time.monotonic() > done + AGAIN_S:
            problem = problem or "no act is answered any more"
            break
    ended = time.monotonic()
    gap = longest_gap_s(racers, began, ended)
    if gap > fault.longest_s:
        problem = problem or f"a player waited for {gap:.1f} s"
    lost = sum(racer.losses for racer in racers) - losses
    print(f"{fault.name}: longest gap {gap:.2f} s, {lost} connections lost", flush=True)
    return Outcome(fault, began, ended, gap, lost, problem)


async def race(site: Site) -> tuple[list[Outcome], list[Racer]]:
    """Race through all faults; return the effect of each."""
    async with begun(site.port) as racers:
        stop = asyncio.Event()
        async with asyncio.TaskGroup() as tasks:
            for racer in racers:
                tasks.create_task(racer.race(stop))
            outcomes = [await suffer(fault, site, racers) for fault in FAULTS]
            stop.set()
        for racer in racers:
            await racer.player.forfeit()
        finished = await read_round(site.port, racers[0].player.code)
    for act in lost_acts(racers, finished.players):
        struck(outcomes, act).lost += 1
    return outcomes, racers


def struck(outcomes: Sequence[Outcome], act: Acknowledged) -> Outcome:
    """Return the fault during or before which an act was acknowledged."""
    return next((each for each in outcomes if act.when < each.ended), outcomes[-1])


async def read_round(port: int, code: str) -> FinishedRound:
    url = f"https://localhost:{port}/api/rooms/{code}/rounds/1"

    def read() -> bytes:
        with urllib.request.urlopen(url, context=trusting(), timeout=READ_S) as answer:
            body: bytes = answer.read()
            return body

    async with asyncio.timeout(READ_S):
        while True:
            try:
                return FinishedRound.model_validate_json(await asyncio.to_thread(read))
            except OSError:  # it appears a moment after its end
                await asyncio.sleep(0.2)


def try_on(engine: Engine) -> bool:
    """Run everything on an engine; return whether it went well."""
    began = time.monotonic()
    with available(engine) as stand_ins:
        for image in stand_ins:
            print(f"{image} is a stand-in made of Debian's packages.", flush=True)
        try:
            with running(engine) as site:
                print(f"Up and healthy after {time.monotonic() - began:.0f} s.", flush=True)
                outcomes, racers = asyncio.run(race(site))
        except CommandFailed as failed:
            print(failed, "\n0 passed, 1 failed", sep="\n", flush=True)
            return False
    bad = [each for each in outcomes if not each.passed]
    for each in bad:
        print(f"{each.fault.name}: {each.problem}; {each.lost} acts lost")
    acts = sum(len(racer.acknowledged) for racer in racers)
    print(f"{acts} acts were acknowledged, in {time.monotonic() - began:.0f} s.")
    print(f"{len(outcomes) - len(bad)} passed, {len(bad)} failed", flush=True)
    return not bad


def main() -> int:
    try:
        with started() as engine:
            return 0 if try_on(engine) else 1
    except Unavailable as reason:
        print(f"Skipped: the containers are not tried, because {reason}.", flush=True)
        return 0


if __name__ == "__main__":
    sys.exit(main())
