"""Acts a second of one server process, by a closed loop of scripted players.

`python -m tests.bench.bench_server [--players 40] [--seconds 10] [--rooms-of 4]` starts a server
and an embedded store of its own, and prints acts/s, latency and the server's CPU an act. The
load runs in this process, so that on two cores the server has about one of them.
"""

import argparse
import asyncio
import json
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.players import Player


class Bench:
    """What all players of a run have seen."""

    def __init__(self) -> None:
        self.latencies: list[float] = []

    async def play(self, player: Player, until: float) -> None:
        """Acts as fast as the answers come."""
        chance = random.Random(player.seat)
        legal = [a for a in player.table["legal"] if a["type"] == "move"]
        at, number = player.table["at"], player.used
        while time.perf_counter() < until:
            moves = [a for a in legal if a["type"] in {"move", "deal", "undo"}]
            if not moves:
                return
            number += 1
            act = {"type": "act", "id": number, "at": at, "action": chance.choice(moves)}
            asked = time.perf_counter()
            await player.socket.send(json.dumps(act))
            while True:
                answer: dict[str, Any] = json.loads(await player.socket.recv())
                if answer["type"] == "acted":
                    break
                assert answer["type"] != "refused", answer
            self.latencies.append(time.perf_counter() - asked)
            at, legal = answer["at"], answer["legal"]


def cpu_seconds(pid: int) -> float:
    """The CPU time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


async def run(players: int, rooms_of: int, seconds: float) -> None:
    """One run, printed."""
    with tempfile.TemporaryDirectory() as data_dir:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.bench.unlimited",
            "--host", "127.0.0.1", "--port", "0", "--data-dir", data_dir,
            stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        try:
            assert process.stdout is not None
            line = (await process.stdout.readline()).decode()
            port = int(line.rstrip("/\n").rpartition(":")[2])
            seated: list[Player] = []
            for _ in range(players // rooms_of):
                host = await Player.create(port, game="spider-4", undo="any")
                guests = [await Player.join(port, host.code, f"P{n}") for n in range(1, rooms_of)]
                for guest in guests:
                    await guest.say("ready")
                await host.say("ready" if guests else "start")
                seated += [host, *guests]
            await asyncio.gather(*(player.race() for player in seated))
            bench = Bench()
            before, started = cpu_seconds(process.pid), time.perf_counter()
            await asyncio.gather(*(bench.play(p, started + seconds) for p in seated))
            took, cpu = time.perf_counter() - started, cpu_seconds(process.pid) - before
            acts = len(bench.latencies)
            p99 = statistics.quantiles(bench.latencies, n=100)[98]
            print(
                f"{players} players in rooms of {rooms_of}: {acts / took:,.0f} acts/s, "
                f"{cpu / acts * 1e6:.0f} µs CPU of the server an act, "
                f"median {statistics.median(bench.latencies) * 1e3:.1f} ms, "
                f"p99 {p99 * 1e3:.1f} ms"
            )
            for player in seated:
                await player.leave()
        finally:
            process.terminate()
            await process.wait()


def main() -> None:
    """Reads the options and runs."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--players", type=int, default=40)
    options.add_argument("--rooms-of", type=int, default=4)
    options.add_argument("--seconds", type=float, default=10)
    given = options.parse_args()
    asyncio.run(run(given.players, given.rooms_of, given.seconds))


if __name__ == "__main__":
    main()
