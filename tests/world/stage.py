"""Whole processes without sockets: people send and receive messages in the deterministic world.

The socket of a `Person` leads to such a process, so tests look as if they used real sockets. The
event loop's time jumps, so a timeout of a test passes at once.
"""

import asyncio
import inspect
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import fields, replace
from functools import wraps
from pathlib import Path
from typing import Any, Self

import pytest
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request

from server.config import Config
from server.live.quotas import RoomLimits
from server.live.room import SharedText
from server.rooms.events import RoomTimings
from server.sessions.handler import Handler
from server.sessions.services import Services
from server.web.requests import HttpRequest
from tests.players import Player, is_move
from tests.server.http import Answer
from tests.world import world
from tests.world.world import Choices, World, play

LOOPBACK = "127.0.0.1"
SOON = RoomTimings(countdown_ms=100)
USUAL = Choices(processes=(), rooms=SOON, has_sweeps=True)
CHOICES = {field.name for field in fields(Choices)}


class Socket:
    """Both ends of one websocket. The client's methods are coroutines, as in the library."""

    def __init__(self, services: Services, address: str) -> None:
        self.close_code: int | None = None
        self._to_client: asyncio.Queue[str | None] = asyncio.Queue()
        self._to_server: asyncio.Queue[str | bytes | None] = asyncio.Queue()
        self._handler = Handler(services, ServerEnd(self), address)

    async def serve(self) -> None:
        """Handle the client's messages one by one, as a connection does."""
        while (text := await self._to_server.get()) is not None and self.close_code is None:
            waiting = self._handler.receive(text)
            if waiting is not None:
                await waiting
        self.end(1006)
        await self._handler.handle_disconnect()

    def deliver(self, text: str) -> None:
        if self.close_code is None:
            self._to_client.put_nowait(text)

    def end(self, code: int) -> None:
        """Close both ends; messages that were sent before can still be received."""
        if self.close_code is None:
            self.close_code = code
            self._to_client.put_nowait(None)
            self._to_server.put_nowait(None)

    async def send(self, text: str | bytes) -> None:
        self._to_server.put_nowait(text)

    async def recv(self) -> str:
        text = await self._to_client.get()
        if text is None:
            raise ConnectionClosed(None, None)
        return text

    async def close(self) -> None:
        self.end(1000)


class ServerEnd:
    def __init__(self, socket: Socket) -> None:
        self._socket = socket

    def send(self, text: str) -> None:
        self._socket.deliver(text)

    def send_skippable(self, message: SharedText) -> bool:
        self._socket.deliver(message.text)
        return True

    def close(self, code: int) -> None:
        self._socket.end(int(code))

    def is_behind(self) -> bool:
        return False

    @property
    def is_open(self) -> bool:
        return self._socket.close_code is None


class Process(world.Process):
    """One process of the server. `port` stands for its address."""

    def __init__(self, stage: "Stage", port: int, settings: dict[str, Any]) -> None:
        chosen = {name: settings.pop(name) for name in CHOICES & settings.keys()}
        config = Config(data_dir=Path("unused"), **settings)
        rooms = RoomLimits(
            *(config.max_rooms, config.rooms_per_address),
            bots=config.bots,
            kept_tables=config.kept_tables,
            kept_per_address=config.kept_per_address,
        )
        choices = replace(USUAL, **{"room_limits": rooms, **chosen})
        super().__init__(stage.world, f"process-{port}", choices, **settings)
        self.port = port
        self.trusted_proxies = config.trusted_proxies
        self.store = self.connection
        """The connection to the store, with its faults."""
        self.serve(stage.tasks)


class Stage:
    """Processes over one store in memory, each with its own sweep."""

    def __init__(self, world: World, tasks: asyncio.TaskGroup) -> None:
        self.world = world
        self.tasks = tasks
        self.store = world.store
        self.processes: list[Process] = []
        PROCESSES.clear()

    def process(self, **settings: Any) -> Process:
        """Start a process. Arguments are fields of `Choices` or settings of the server."""
        made = Process(self, len(PROCESSES) + 1, settings)
        PROCESSES[made.port] = made, self.tasks
        self.processes.append(made)
        return made

    @property
    def one(self) -> Process:
        """The only process, with the default settings."""
        return self.processes[0] if self.processes else self.process()

    @property
    def port(self) -> int:
        return self.one.port


PROCESSES: dict[int, tuple[Process, asyncio.TaskGroup]] = {}
"""The processes of the running test by port."""


class Person(Player):
    """A player at a process of the stage."""

    @classmethod
    async def connect(cls, port: int, origin: str | None = None, address: str = "") -> Self:
        assert origin is None
        process, tasks = PROCESSES[port]
        socket: Any = Socket(process.services, address or LOOPBACK)
        tasks.create_task(socket.serve())
        return cls(socket)


async def start_race(port: int, players: int = 2, **settings: Any) -> list[Person]:
    """Return the players of one room, each at the table of a race that has just started."""
    host = await Person.create(port, "Player 0", **settings)
    names = [f"Player {number}" for number in range(1, players)]
    seated = [host, *[await Person.join(port, host.code, name) for name in names]]
    await begin(seated)
    return seated


async def begin(seated: Sequence[Player]) -> None:
    """Start the next race of a room; its host comes first."""
    for player in seated:
        player.table = {}
    for player in seated[1:]:
        await player.say("ready")
    await seated[0].say("ready" if len(seated) > 1 else "start")
    for player in seated:
        await player.race()


async def play_acts(player: Person, actions: list[str]) -> dict[str, Any]:
    for action in actions:
        answer = await player.act(action)
        assert answer["type"] == "acted", answer
    return answer


def a_move(player: Person) -> str:
    moves: list[str] = [action for action in player.table["legal"] if is_move(action)]
    return moves[0]


async def finish(*seated: Person) -> list[dict[str, Any]]:
    """Let everybody give up; return the results that they receive."""
    for player in seated:
        await player.say("forfeit")
    return [await player.receive("round_over") for player in seated]


async def line_of(watcher: Person, name: str, **stats: int) -> dict[str, Any]:
    """Wait until a row of the leaderboard shows these stats; return it."""

    def found(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [row for row in rows if row["name"] == name and stats.items() <= row.items()]

    await watcher.say("watch")
    return found(await watcher.standings_with(lambda rows: bool(found(rows))))[0]


async def get(port: int, path: str, peer: str = LOOPBACK, **headers: str) -> Answer:
    """Return the answer to a request; header names are written with underscores."""
    process, _ = PROCESSES[port]
    given = {"Host": "race.example", **{k.replace("_", "-"): v for k, v in headers.items()}}
    request = HttpRequest(Request(path, Headers(given)), peer, process.trusted_proxies)
    answer = await process.routes.respond(request)
    fields = {name.lower(): value for name, value in answer.headers.raw_items()}
    return Answer(answer.status_code, fields, bytes(answer.body))


class _Over(Exception):  # the way to end a task group
    pass


async def _run(script: Coroutine[Any, Any, None], failures: list[Exception]) -> None:
    """Run a script; note its failure, so that it can be raised outside of all groups."""
    try:
        await script
    except Exception as error:  # noqa: BLE001  # the caller raises it
        failures.append(error)


def staged(script: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Make a test of a script whose first argument is a `Stage`."""

    @wraps(script)
    def test(**given: Any) -> None:
        failures: list[Exception] = []

        async def act(world: World) -> None:
            with pytest.MonkeyPatch.context() as patch:
                # Rooms measure their intervals with this clock.
                patch.setattr(time, "monotonic", asyncio.get_running_loop().time)
                try:
                    async with asyncio.TaskGroup() as tasks:
                        await _run(script(Stage(world, tasks), **given), failures)
                        raise _Over
                except* _Over:
                    pass

        play(act, chosen=USUAL)
        for failure in failures:
            raise failure

    _, *rest = inspect.signature(script).parameters.values()
    vars(test)["__signature__"] = inspect.Signature(rest)
    del vars(test)["__wrapped__"]
    return test
