"""What players notice of a deploy: `python -m tests.bench.bench_deploy`.

A server with several workers and a store of its own serves players who each act once a second,
while `kill -HUP` replaces all workers. Players come back as the page does: at once after a 4001,
with a little jitter. An act counts from the moment at which its player wanted it until it is
acknowledged, however often the socket was lost meanwhile.
"""

import argparse
import asyncio
import random
import signal
import statistics
import time
from collections import Counter
from collections.abc import Sequence

import uvloop

from tests.bench.racers import Racer, seat
from tests.bench.subject import started

COME_BACK_S = 0.25
"""The page's jitter after a 4001, at most."""
RETRY_S = 0.5
PATIENCE_S = 9.0
"""After so long without an answer the page tries again."""
LATE_S = 1.0
SETTLE_S = 3.0


class Walker:
    """One player who acts once a second, and comes back when the server says so."""

    def __init__(self, racer: Racer, chance: random.Random) -> None:
        self.waits: list[float] = []
        self.sent_away = 0
        self._racer = racer
        self._chance = chance

    async def walk(self, until: float) -> None:
        """Act once a second until then."""
        due = time.perf_counter() + self._chance.random()
        while due < until:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            await self._act(due)
            due = max(due + 1.0, time.perf_counter())

    async def _act(self, wanted: float) -> None:
        at = self._racer.at
        while self._racer.at == at:
            acknowledged = asyncio.Event()
            self._racer.answered = acknowledged.set
            if not self._racer.socket.closed.is_set():
                self._racer.act()
                lost = asyncio.create_task(self._racer.socket.closed.wait())
                told = asyncio.create_task(acknowledged.wait())
                await asyncio.wait({lost, told}, return_when=asyncio.FIRST_COMPLETED)
                lost.cancel()
                told.cancel()
            if not acknowledged.is_set():
                await self._come_back()  # the table says whether the act was stored
        self.waits.append(time.perf_counter() - wanted)

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


async def deploy(players: int, workers: int, seconds: float) -> str:
    """Replace all workers in the middle of races; return what the players saw of it."""
    async with started("--workers", str(workers)) as subject:
        racers = await seat(subject.port, players, 4, game="spider-4", undo="any")
        chance = random.Random(7)
        walkers = [Walker(racer, chance) for racer in racers]
        until = time.perf_counter() + seconds
        walking = asyncio.gather(*(walker.walk(until) for walker in walkers))
        await asyncio.sleep(SETTLE_S)
        subject.process.send_signal(signal.SIGHUP)
        await walking
        for racer in racers:
            racer.socket.transport.abort()
    return told([wait for walker in walkers for wait in walker.waits], walkers)


def told(waits: Sequence[float], walkers: Sequence[Walker]) -> str:
    """Return the lines that the run prints."""
    late = sum(wait > LATE_S for wait in waits)
    times = Counter(walker.sent_away for walker in walkers)
    p99 = statistics.quantiles(waits, n=100)[98]
    return (
        f"{len(waits):,} acts, {late:,} of them ({100 * late / len(waits):.2f} %) waited for more "
        f"than {LATE_S:.0f} s; median {statistics.median(waits) * 1e3:.1f} ms, "
        f"p99 {p99 * 1e3:.0f} ms, longest {max(waits):.1f} s\n"
        + ", ".join(
            f"{count} players were sent away {n} times" for n, count in sorted(times.items())
        )
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
