"""Waits of players during a deploy: `python -m tests.bench.bench_deploy`.

A server with several workers and a store of its own serves players who each act once a second,
while `kill -HUP` replaces all workers. Players reconnect as the page does, after a 4001 at once
with a little jitter. The wait for an act begins when it is due and ends when it is acknowledged,
however often the socket was lost meanwhile.
"""

import argparse
import asyncio
import random
import signal
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import uvloop

from tests.bench.meter import median_ms, p99_ms
from tests.bench.racers import Racer, hang_up, seat
from tests.bench.subject import started

COME_BACK_S = 0.25
"""The page's jitter after a 4001, at most."""
RETRY_S = 0.5
PATIENCE_S = 9.0
"""After so long without an answer the page tries again."""
LATE_S = 1.0
SETTLE_S = 3.0


@dataclass(frozen=True, slots=True)
class Act:
    """One act: when it was due, and the seconds until it was acknowledged."""

    due: float
    wait_s: float


class Walker:
    """One player, who acts once a second and reconnects when the server closes the socket."""

    def __init__(self, racer: Racer, chance: random.Random) -> None:
        self.acts: list[Act] = []
        self.sent_away = 0
        self._racer = racer
        self._chance = chance

    async def walk(self, until: float) -> None:
        """Act once a second until then, by the performance counter."""
        due = time.perf_counter() + self._chance.random()
        while due < until:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            await self._act(due)
            due = max(due + 1.0, time.perf_counter())

    async def _act(self, due: float) -> None:
        at = self._racer.at
        while self._racer.at == at:
            acknowledged = asyncio.Event()
            self._racer.answered = acknowledged.set
            if not self._racer.socket.closed.is_set():
                self._racer.act()
                lost = asyncio.create_task(self._racer.socket.closed.wait())
                replied = asyncio.create_task(acknowledged.wait())
                await asyncio.wait({lost, replied}, return_when=asyncio.FIRST_COMPLETED)
                lost.cancel()
                replied.cancel()
            if not acknowledged.is_set():
                await self._come_back()  # the table says whether the act was stored
        self.acts.append(Act(due, time.perf_counter() - due))

    async def _come_back(self) -> None:
        self.sent_away += 1
        await asyncio.sleep(self._chance.random() * COME_BACK_S)
        while True:
            try:
                async with asyncio.timeout(PATIENCE_S):
                    await self._racer.resume()
            except OSError:  # of which a timeout is one
                await asyncio.sleep(self._chance.random() * RETRY_S)
            else:
                return


@dataclass(frozen=True, slots=True)
class Deploy:
    """The seconds that players waited for acts, and the players by how often they were cut."""

    before: Sequence[float]
    after: Sequence[float]
    sent_away: Mapping[int, int]

    def __str__(self) -> str:
        waits = [*self.before, *self.after]
        count, late = len(waits), sum(wait > LATE_S for wait in waits)
        times = (f"{self.sent_away[n]} players were sent away {n} times" for n in self.sent_away)
        return (
            f"{count:,} acts, {late:,} of them ({late / count:.2%}) waited for more than "
            f"{LATE_S:.0f} s; median {median_ms(waits):.1f} ms, p99 {p99_ms(waits):.0f} ms, "
            f"longest {max(waits):.1f} s\n{', '.join(times)}"
        )


async def deploy(players: int, workers: int, seconds: float) -> Deploy:
    """Replace all workers in the middle of races; return the waits of the players."""
    async with started("--workers", str(workers)) as subject:
        racers = await seat(subject.port, players, 4, game="spider-4", undo="any")
        chance = random.Random(7)
        walkers = [Walker(racer, chance) for racer in racers]
        until = time.perf_counter() + seconds
        walking = asyncio.gather(*(walker.walk(until) for walker in walkers))
        await asyncio.sleep(SETTLE_S)
        subject.process.send_signal(signal.SIGHUP)
        began = time.perf_counter()
        await walking
        hang_up(racers)
    acts = [act for walker in walkers for act in walker.acts]
    sent_away = Counter(walker.sent_away for walker in walkers)
    return Deploy(
        before=[act.wait_s for act in acts if act.due < began],
        after=[act.wait_s for act in acts if act.due >= began],
        sent_away=dict(sorted(sent_away.items())),
    )


def main() -> None:
    """Read the options and run."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--players", type=int, default=1_000)
    options.add_argument("--workers", type=int, default=2)
    options.add_argument("--seconds", type=float, default=25)
    given = options.parse_args()
    print(uvloop.run(deploy(given.players, given.workers, given.seconds)), flush=True)


if __name__ == "__main__":
    main()
