"""Memory and file descriptors of one server process while thousands of people come and go.

`python -m tests.bench.bench_churn [--connections 10000] [--together 50]` starts a server with an
embedded store of its own. Each client connects and creates a room, joins one or watches, plays a
little, and leaves or is cut off; some send nothing, or nonsense. Memory and descriptors of the
process are read when it is idle, after each tenth of the connections.
"""

import argparse
import asyncio
import json
import random
import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from websockets.exceptions import ConnectionClosed

from tests.players import OPEN, Player
from tests.server.http import get
from tests.servers import free_ports

STEPS = 10
REST_S = 30.0


@dataclass(frozen=True, slots=True)
class Held:
    """Memory, descriptors and rooms of a process."""

    rss_kib: int
    fds: int
    threads: int
    sockets: int
    rooms: int

    @classmethod
    async def of(cls, pid: int, operations: int) -> "Held":
        """Read them from the kernel and from the metrics of the process."""
        process = Path(f"/proc/{pid}")
        status = dict(
            line.split(":\t", 1) for line in (process / "status").read_text().splitlines()
        )
        page = (await get(operations, "/metrics")).body.decode()
        rooms = re.findall(r"^spider_race_rooms\{.*\} (\S+)", page, re.MULTILINE)
        sockets = re.findall(r"^spider_race_sockets (\S+)", page, re.MULTILINE)
        return cls(
            rss_kib=int(status["VmRSS"].split()[0]),
            fds=sum(1 for _ in (process / "fd").iterdir()),
            threads=int(status["Threads"]),
            sockets=int(float(sockets[0])),
            rooms=int(sum(map(float, rooms))),
        )

    @classmethod
    async def when_idle(cls, pid: int, operations: int) -> "Held":
        """Read them as soon as only the reader is connected."""
        async with asyncio.timeout(REST_S):
            while (held := await cls.of(pid, operations)).sockets > 1 or held.rooms:
                await asyncio.sleep(0.1)
        return held


async def visit(port: int, rng: random.Random, codes: list[str]) -> None:
    """Make one connection with a random course, from its beginning to its end."""
    player = await Player.connect(port)
    OPEN.remove(player.socket)
    try:
        match rng.choice(("silent", "nonsense", "create", "create", "join", "join", "watch")):
            case "silent":
                pass
            case "nonsense":
                await player.socket.send("nonsense")
                await player.next()
            case "create":
                await player.ask("create", name="Ada", settings={"game": "spider-1"})
                player.code = player.room["code"]
                codes.append(player.code)
                del codes[:-20]
                await player.say("start")
                await player.race()
                for _ in range(rng.randrange(4)):
                    await player.act(player.table["legal"][0])
            case kind:
                role = "player" if kind == "join" else "spectator"
                code = rng.choice(codes) if codes else "0000000"
                await player.say("join", room=code, name="Bob", role=role)
                await player.receive("joined", "refused")
                await player.say("ping", t=1)
        match rng.choice(("leave", "close", "vanish")):
            case "leave":
                await player.socket.send(json.dumps({"type": "leave"}))
                await asyncio.sleep(0)
                await player.socket.close()
            case "close":
                await player.socket.close()
            case _:
                player.socket.transport.abort()
    except ConnectionClosed:
        pass
    finally:
        player.socket.transport.abort()


async def churn(port: int, connections: int, together: int, rng: random.Random) -> None:
    """Make connections, `together` of them at a time."""
    codes: list[str] = []
    left = connections

    async def come_and_go() -> None:
        nonlocal left
        while left > 0:
            left -= 1
            await visit(port, rng, codes)

    async with asyncio.TaskGroup() as tasks:
        for _ in range(together):
            tasks.create_task(come_and_go())


async def run(connections: int, together: int) -> None:
    """Run, and print a line for each step."""
    with tempfile.TemporaryDirectory() as data_dir:
        (operations,) = free_ports(1)
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.bench.hasty", "--host", "127.0.0.1", "--port", "0"),
            *("--operations", str(operations)),
            *("--data-dir", data_dir, "--log-level", "error"),
            stdout=asyncio.subprocess.PIPE,
        )
        try:
            assert process.stdout is not None
            line = (await process.stdout.readline()).decode()
            port = int(line.rstrip("/\n").rpartition(":")[2])
            rng = random.Random(7)
            print("connections  memory KiB  file descriptors  threads", flush=True)
            for step in range(STEPS + 1):
                if step:
                    await churn(port, connections // STEPS, together, rng)
                held = await Held.when_idle(process.pid, operations)
                done = step * (connections // STEPS)
                print(
                    f"{done:11,}  {held.rss_kib:10,}  {held.fds:16}  {held.threads:7}", flush=True
                )
        finally:
            process.terminate()
            await process.wait()


def main() -> None:
    """Read the options and run."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--connections", type=int, default=10_000)
    options.add_argument("--together", type=int, default=50)
    given = options.parse_args()
    asyncio.run(run(given.connections, given.together))


if __name__ == "__main__":
    main()
