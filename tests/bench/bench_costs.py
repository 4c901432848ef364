"""The most expensive request of each kind: its CPU time, and the latency of acts meanwhile.

`python -m tests.bench.bench_costs [--entries 20000] [--seconds 4] [--only text boards]` starts a
server with an embedded store, writes logs of so many entries into it, and makes the requests of
each kind while other players act. One line a kind: requests answered and refused, the time of
the server's thread for each (10 ms are one per cent of the loop's second), and the latency of
the players' acts. Last comes the table of `bench_frames`: the most expensive frame of each
message, which needs no server (`--only frames`). The program reports; it asserts nothing. It ends
after about two minutes.

CPU is the main thread's, from `/proc`, less what the players alone use in the same time. The load
runs in this process, so that on two cores the server and its store have one of them.
"""

import argparse
import asyncio
import random
import statistics
import struct
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass, field
from itertools import count, cycle
from pathlib import Path

import redis
import uvloop

from server.games.actions import FINISH
from server.games.catalogue import new_game
from server.games.deals import numbered_deck
from server.games.game import Game
from server.games.rules import Rules
from server.rooms.stats_texts import write_stats
from server.store import keys
from tests.bench import bench_frames
from tests.bench.lean import Lean
from tests.bench.racers import Racer
from tests.bench.racers import seat as seated
from tests.bench.subject import Subject, started
from tests.bench.unlimited import LOG_ENTRIES

DEAL = 24
RULES = Rules("spider-4", undo="any")
SEATS = 8
FINISHED_ROOMS = 4
PLAYERS, EVERY_S = 20, 0.2
CROWD = 60
PATIENCE_S = 3.0
FRAMES = "frames"
ENTRY = struct.Struct("<HI")


@dataclass
class Asked:
    """The replies to the requests of one kind."""

    answered: int = 0
    refused: int = 0
    latencies: list[float] = field(default_factory=list)

    async def get(self, port: int, path: str) -> None:
        """Make one request on a connection of its own, and read the whole answer."""
        began = time.perf_counter()
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
        status = (await reader.readline()).split()[1:2]
        while await reader.read(1 << 20):
            pass
        writer.close()
        if status == [b"200"]:
            self.answered += 1
            self.latencies.append(time.perf_counter() - began)
        else:
            self.refused += 1


@dataclass(frozen=True)
class World:
    """The rooms that the requests are about."""

    port: int
    running: Sequence[Racer]  # at the tables of long games
    crowd: str  # the code of a room with many in it
    finished: Sequence[str]  # codes of rooms whose first round is over
    watcher: Racer
    tables: Sequence[Racer]  # others at the tables of long games, who stay there


Requests = Callable[[World, Asked, float], Awaitable[None]]


def long_log(entries: int) -> tuple[Game, bytes]:
    """Return a game of so many random acts, and its log as the store keeps it."""
    game = new_game(RULES, numbered_deck("spider-4", DEAL))
    game.max_entries = LOG_ENTRIES
    chance = random.Random(7)
    packed = bytearray()
    for number in range(entries):
        action = chance.choice([one for one in game.legal_actions() if one != FINISH])
        game.apply(action)
        packed += ENTRY.pack(action, number // 50)
    return game, bytes(packed)


class Planting:
    """Writes long games directly into the store, for players would take minutes."""

    def __init__(self, subject: Subject, entries: int) -> None:
        socket = (subject.data_dir / "valkey.where").read_text(encoding="utf-8")
        self._store = redis.Redis(unix_socket_path=socket)
        self._game, self._log = long_log(entries)

    def plant(self, racer: Racer) -> None:
        """Give the seat of a player a long game in the first round."""
        key = keys.log(racer.code, 1, racer.seat)
        parts = [self._log[at : at + ENTRY.size] for at in range(0, len(self._log), ENTRY.size)]
        for start in range(0, len(parts), 5_000):
            self._store.rpush(key, *parts[start : start + 5_000])
        fields: dict[str | bytes, str | int] = {
            "n": 1,
            "id": self._game.at,
            "stats": write_stats(self._game, 0, self._game.counts),
            "gained_ms": 0,
        }
        self._store.hset(keys.seat(racer.code, racer.seat), mapping=fields)  # type: ignore[arg-type]  # a mapping's keys are invariant


async def room_of(port: int, players: int) -> list[Racer]:
    """Return the players of a race that has begun, which shows its boards at once."""
    return await seated(
        port,
        players,
        players,
        **asdict(RULES),
        deal="numbered",
        number=DEAL,
        spectate="boards",
        board_delay_s=0,
        hints=True,
    )


async def finished_room(port: int, planting: Planting) -> str:
    """Return the code of a room whose first round, of long games, is over."""
    racers = await room_of(port, SEATS)
    over = [racer.expect("round_over") for racer in racers]
    for racer in racers:
        planting.plant(racer)
        racer.socket.say("forfeit")
    await asyncio.gather(*over)
    for racer in racers:
        racer.socket.transport.abort()
    return racers[0].code


async def prepare(subject: Subject, entries: int) -> World:
    """Return all rooms, as they are before the first request."""
    planting = Planting(subject, entries)
    running = await room_of(subject.port, SEATS)
    for racer in running:
        planting.plant(racer)
    back, tables = running[: SEATS // 2], [await returned(one) for one in running[SEATS // 2 :]]
    watcher = Racer(random.Random(1))
    await look_on(watcher, subject.port, running[0].code)
    finished = [await finished_room(subject.port, planting) for _ in range(FINISHED_ROOMS)]
    host = Racer(random.Random(1))
    await host.enter(subject.port, game="spider-4")
    for _ in range(CROWD - 1):
        await Racer(random.Random(1)).enter(subject.port, host.code)
    return World(subject.port, back, host.code, finished, watcher, tables)


async def returned(gone: Racer) -> Racer:
    """Return the seat of a player on a new socket, with its table."""
    racer = Racer(random.Random(1))
    racer.port, racer.code, racer.seat, racer.token = gone.port, gone.code, gone.seat, gone.token
    try:
        async with asyncio.timeout(PATIENCE_S):
            await racer.resume()
    except TimeoutError:
        racer.socket.transport.abort()
        raise
    return racer


async def look_on(watcher: Racer, port: int, code: str) -> None:
    """Join a room as a spectator."""
    watcher.port = port
    watcher.socket = await Lean.connect(port, watcher._receive)
    await watcher.ask("joined", "join", room=code, name="Guest", role="spectator")


async def paced(seconds: float, every: float, one: Callable[[int], Awaitable[None]]) -> None:
    """Begin a request every so many seconds, whether the previous one is answered or not."""
    loop = asyncio.get_running_loop()
    start = loop.time()
    async with asyncio.TaskGroup() as tasks:
        for number in count():
            due = start + number * every
            if due >= start + seconds:
                break
            await asyncio.sleep(due - loop.time())
            tasks.create_task(_once(one, number))


async def _once(one: Callable[[int], Awaitable[None]], number: int) -> None:
    """Await a request: a task needs a coroutine, and `one` may return any awaitable."""
    await one(number)


async def in_turn(seconds: float, askers: int, one: Callable[[int], Awaitable[None]]) -> None:
    """Make requests one after the other, on each of some connections."""
    until = time.perf_counter() + seconds
    numbers = count()

    async def ask() -> None:
        while time.perf_counter() < until:
            await one(next(numbers))

    await asyncio.gather(*(ask() for _ in range(askers)))


def first(way: str, rooms: slice, *, seats: bool = False) -> Requests:
    """Return the first requests for something of finished rounds, one after the other."""

    async def ask(world: World, asked: Asked, _seconds: float) -> None:
        for code in world.finished[rooms]:
            for seat in range(SEATS if seats else 1):
                path = f"/api/rooms/{code}/rounds/1{way}"
                await asked.get(world.port, f"{path}{seat}" if seats else path)

    return ask


def again(path: str, askers: int) -> Requests:
    """Return requests for the same thing, as fast as the replies come."""

    async def ask(world: World, asked: Asked, seconds: float) -> None:
        whole = path.format(code=world.finished[0], crowd=world.crowd)
        await in_turn(seconds, askers, lambda _: asked.get(world.port, whole))

    return ask


async def boards(world: World, asked: Asked, seconds: float) -> None:
    """Have a spectator switch eight boards on and off."""
    wanted = cycle([list(range(SEATS)), []])

    async def switch(_: int) -> None:
        world.watcher.socket.say("watch", boards=next(wanted))
        asked.answered += 1

    await paced(seconds, 0.4, switch)


async def resumes(world: World, asked: Asked, seconds: float) -> None:
    """Resume the seats of long games, five a second."""

    async def back(number: int) -> None:
        try:
            racer = await returned(world.running[number % len(world.running)])
        except TimeoutError:  # the next one took the seat first
            asked.refused += 1
            return
        asked.answered += 1
        asked.latencies += racer.latencies
        racer.socket.transport.abort()

    await paced(seconds, 0.2, back)


def at_tables(kind: str, every: float) -> Requests:
    """Return the same command at some tables of long games; every reply counts."""

    async def ask(world: World, asked: Asked, seconds: float) -> None:
        def receive(text: bytes) -> None:
            asked.answered += text.startswith((b'{"type":"refused"', b'{"type":"hinted"'))

        async def table(racer: Racer) -> None:
            racer.socket.receive = receive
            numbers = count(racer.used + 1)

            async def send(_: int) -> None:
                if kind == "hint":
                    racer.socket.say("hint")
                else:
                    racer.socket.say("act", id=next(numbers), at=1, action="deal")

            await paced(seconds, every, send)

        await asyncio.gather(*map(table, world.tables))

    return ask


async def comers(world: World, asked: Asked, seconds: float) -> None:
    """Have players join and leave a large room, five a second; all in it are sent the changes."""

    async def come(_: int) -> None:
        racer = Racer(random.Random(1))
        await racer.enter(world.port, world.crowd)
        racer.socket.say("leave")
        asked.answered += 1
        await racer.socket.closed.wait()

    await paced(seconds, 0.2, come)


KINDS: dict[str, tuple[str, Requests]] = {
    "text": ("a round's text, two askers", again("/api/rooms/{code}/rounds/1.txt", 2)),
    "whole": ("a whole round, first asked for", first("", slice(1, 4))),
    "course": ("a round's course, first asked for", first("/course", slice(1, 4))),
    "replays": ("one game's replay, first asked for", first("/seats/", slice(1, 2), seats=True)),
    "kept": ("a replay that is kept, two askers", again("/api/rooms/{code}/rounds/1/seats/0", 2)),
    "boards": ("eight boards switched on and off", boards),
    "resumes": ("five resumes a second", resumes),
    "stale": ("stale acts, 20 a second at 4 tables", at_tables("act", 0.05)),
    "hints": ("hints, 3 a second at 4 tables", at_tables("hint", 0.33)),
    "comers": (f"joining and leaving {CROWD} people", comers),
    "qr": ("a QR code", again("/qr/{crowd}.svg", 1)),
    "list": ("the list of rooms, two askers", again("/api/rooms", 2)),
    "page": ("the page, two askers", again("/", 2)),
    "nothing": ("a round that is not there", again("/api/rooms/{crowd}/rounds/1", 2)),
}


async def act_on(players: Sequence[Racer], seconds: float) -> list[float]:
    """Have all players act every `EVERY_S`, but wait for each reply; return the latencies."""
    loop = asyncio.get_running_loop()
    start = loop.time()

    async def play(racer: Racer, due: float) -> None:
        answered = asyncio.Event()
        racer.latencies, racer.answered = [], answered.set
        while due < start + seconds:
            await asyncio.sleep(due - loop.time())
            answered.clear()
            racer.act()
            await answered.wait()
            due = max(due + EVERY_S, loop.time())

    starts = [start + EVERY_S * number / len(players) for number in range(len(players))]
    await asyncio.gather(*map(play, players, starts))
    return [latency for racer in players for latency in racer.latencies]


def thread_s(subject: Subject) -> float:
    """Return the CPU time of the server's main thread, which runs its event loop."""
    path = Path(f"/proc/{subject.process.pid}/schedstat")
    return int(path.read_text(encoding="ascii").split()[0]) / 1e9


async def measure(
    subject: Subject, world: World, players: Sequence[Racer], requests: Requests, seconds: float
) -> tuple[Asked, float, float, list[float]]:
    """Return the replies of one kind, the thread's and all seconds, and the latencies of acts."""
    asked = Asked()
    acting = asyncio.create_task(act_on(players, seconds + 1))
    await asyncio.sleep(0.5)
    cpu, began = thread_s(subject), time.perf_counter()
    await requests(world, asked, seconds)
    # Work that the server has begun may take longer than the requests.
    await asyncio.sleep(max(0.2, began + seconds - time.perf_counter()))
    cpu, took = thread_s(subject) - cpu, time.perf_counter() - began
    return asked, cpu, took, await acting


def row(name: str, asked: Asked, cpu: float, took: float, idle: float, acts: list[float]) -> str:
    """Return one line of the table."""
    own = max(0.0, cpu - idle * took)
    each = own / max(1, asked.answered + asked.refused) * 1e3
    cuts = statistics.quantiles(acts, n=100)
    longest = f"{max(asked.latencies) * 1e3:8.0f}" if asked.latencies else "       -"
    return (
        f"{name:36} {asked.answered:6} {asked.refused:6} {each:9.2f} {own / took:7.1%} {longest}"
        f"   {cuts[49] * 1e3:7.1f} {cuts[98] * 1e3:7.1f} {max(acts) * 1e3:7.1f}"
    )


async def run(entries: int, seconds: float, only: Sequence[str]) -> None:
    """Measure all kinds one after the other, and print a line for each."""
    async with started() as subject:
        players = await seated(subject.port, PLAYERS, 2, game="spider-4", undo="any")
        world = await prepare(subject, entries)
        await asyncio.sleep(entries // 50 / 1e3)  # the boards show what is past
        print(f"Games of {entries} entries; {PLAYERS} players act every {EVERY_S} s meanwhile.")
        print(
            f"{'':36} {'done':>6} {'not':>6} {'ms each':>9} {'of 1 s':>7} {'longest':>8}"
            f"   {'act p50':>7} {'p99':>7} {'max':>7}"
        )

        async def nothing(_world: World, _asked: Asked, seconds: float) -> None:
            await asyncio.sleep(seconds)

        asked, cpu, took, acts = await measure(subject, world, players, nothing, seconds)
        idle = cpu / took
        print(row("players alone", asked, cpu, took, 0, acts), flush=True)
        for key, (name, requests) in KINDS.items():
            if only and key not in only:
                continue
            asked, cpu, took, acts = await measure(subject, world, players, requests, seconds)
            print(row(name, asked, cpu, took, idle, acts), flush=True)
        for racer in (*players, *world.tables, world.watcher):
            racer.socket.transport.abort()


def main() -> None:
    """Read the options and run."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--entries", type=int, default=20_000, help="of each long game's log")
    options.add_argument("--seconds", type=float, default=4)
    options.add_argument("--only", nargs="*", choices=[*KINDS, FRAMES], default=[])
    given = options.parse_args()
    if given.only != [FRAMES]:
        uvloop.run(run(given.entries, given.seconds, given.only))
    if not given.only or FRAMES in given.only:
        print()
        for line in bench_frames.table(bench_frames.TRIES):
            print(line, flush=True)


if __name__ == "__main__":
    main()
