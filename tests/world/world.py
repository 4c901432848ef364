"""A whole server without sockets, Redis and randomness.

Time is the event loop's time and jumps; tokens and codes are counted; the test chooses seeds,
salts and face-down cards. So two plays of one script differ only where the test differs, and all
their frames and responses can be compared byte by byte.
"""

import asyncio
import contextlib
import hashlib
import itertools
import json
import selectors
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import structlog
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from protocol.vocabulary import Presence, RoomState
from server.app import build_thinking, seat_bots
from server.bots.seated_bots import SeatedBots
from server.config import Config
from server.games.cards import Card, PileState
from server.games.deals import new_game, secret_deck, set_up
from server.games.game import Game
from server.games.rules import Rules
from server.live.days import DayRaces
from server.live.hub import Hub, LiveTimings
from server.live.quotas import ROOM_LIMITS, RoomLimits
from server.live.repository import Repository
from server.live.room import LiveRooms, SharedText
from server.live.timers import Heartbeats, sweep
from server.live.work import LongWork
from server.rooms import deals, ranking
from server.rooms.deals import Entropy
from server.rooms.events import ROOM_TIMINGS, Refusal, RoomTimings
from server.rooms.record import Round
from server.sessions.handler import Handler
from server.sessions.limits import SESSION_LIMITS, RateLimits, SessionLimits
from server.sessions.seating import take_bot_seat
from server.sessions.services import Services
from server.web import routes
from server.web.addresses import ServerAddress
from server.web.files import read_files
from server.web.limits import HTTP_LIMITS, HttpLimits
from server.web.requests import HttpRequest
from server.web.routes import ROOT, Routes
from tests.players import read_message
from tests.world.bots import SeatedBot
from tests.world.pool import InlinePool
from tests.world.store import Faults, MemoryStore

ADDRESS = "192.0.2.1"

Place = tuple[str, int]
"""The place of a face-down card after dealing: its pile, and the number of cards below it."""


Script = Callable[["World"], Coroutine[Any, Any, None]]

UNCUT = LiveTimings(pass_slice_s=3_600)
"""The usual timings, but no pass over rooms is cut short on a slow machine."""


class _Jumping(selectors.SelectSelector):
    """Never wait: when no event is ready, the loop's time jumps to the next timer."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[Any, int]]:
        ready = super().select(0)
        if not ready:
            assert timeout is not None, "everybody waits for somebody else"
            self.now += max(0.0, timeout)
        return ready


def _resolve(done: asyncio.Future[Any], result: object) -> None:
    if not done.done():
        done.set_result(result)


class JumpingLoop(asyncio.SelectorEventLoop):
    """An event loop whose time passes only while no callback is ready."""

    work_s = 0.0
    """How long work in another thread seems to take, while other tasks continue."""

    def __init__(self) -> None:
        self._jumping = _Jumping()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.now

    def run_in_executor(  # type: ignore[override]  # any future can be awaited
        self,
        executor: Any,  # noqa: ARG002  # no thread of any pool
        func: Callable[..., Any],
        *args: Any,
    ) -> Any:
        """Run the function at once: the end of a thread would not be reproducible."""
        done, result = self.create_future(), func(*args)
        if self.work_s:
            self.call_later(self.work_s, _resolve, done, result)
        else:
            done.set_result(result)
        return done


@dataclass(frozen=True)
class Entropies:
    """The secrets of each round of a play.

    Round `other` has another seed and salt than in the first play. Its cards are the same, but the
    hidden ones have moved: `twist` maps each place to the former place of its card.
    """

    other: int | None = None
    twist: dict[Place, Place] = field(default_factory=dict)

    def entropy(self, n: int) -> Entropy:
        digest = hashlib.sha256(f"{n} {n == self.other}".encode()).digest()
        return Entropy(digest[:16], digest[16:])

    def game(self, rules: Rules, deck: tuple[Card, ...]) -> Game:
        """Return the game of a round that deals `deck`."""
        n = self.other
        if n is None or deck != secret_deck(rules.game, self.entropy(n).seed):
            return new_game(rules, deck)
        real = secret_deck(rules.game, Entropies().entropy(n).seed)
        return twisted(new_game(rules, real), self.twist)


def twisted(game: Game, twist: dict[Place, Place]) -> Game:
    """Return the game with its hidden cards at other places; open cards stay where they are."""
    if not twist:
        return game
    piles = {spec.id: game.pile(index) for index, spec in enumerate(game.variant.piles)}
    changed = {
        name: PileState(
            pile.down,
            tuple(
                piles[twist[name, depth][0]].cards[twist[name, depth][1]]
                if (name, depth) in twist
                else card
                for depth, card in enumerate(pile.cards)
            ),
        )
        for name, pile in piles.items()
    }
    return set_up(game.rules, list(changed.values()))


@dataclass
class Sent:
    """One text that left the server, with its recipient and its time (ms since the epoch)."""

    who: str
    ms: int
    text: str

    def message(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.text) if self.text.startswith("{") else {}
        return message


@dataclass
class Wire:
    world: "World"
    who: str
    is_open: bool = True
    close_code: int | None = None
    is_slow: bool = False
    """Whether its peer reads nothing, so that updates are skipped."""

    def send(self, text: str) -> None:
        if self.is_open:
            self.world.note(self.who, text)

    def send_skippable(self, message: SharedText) -> bool:
        if not self.is_slow:
            self.send(message.text)
        return not self.is_slow

    def close(self, code: int) -> None:
        if self.is_open:
            self.world.note(self.who, f"closed {int(code)}")
            self.close_code = code
        self.is_open = False

    def is_behind(self) -> bool:
        return self.is_slow


@dataclass
class Person:
    """A person, perhaps with a seat, and the state that a client would have."""

    session: Handler
    socket: Wire
    process: "Process"
    address: str = ADDRESS
    room: str = ""
    seat: int = -1
    token: str = ""
    v: int = 0
    used: int = 0
    table: dict[str, Any] = field(default_factory=dict)
    received: list[dict[str, Any]] = field(default_factory=list)
    """The messages that this socket has received."""

    def of(self, *kinds: str) -> list[dict[str, Any]]:
        return [message for message in self.received if message["type"] in kinds]

    def types(self) -> list[str]:
        return [message["type"] for message in self.received]

    @property
    def last(self) -> dict[str, Any]:
        return self.received[-1]

    @property
    def refusal(self) -> str | None:
        """The code of the refusal, if the latest message is one."""
        return self.last["code"] if self.last["type"] == "refused" else None

    @property
    def close_code(self) -> int | None:
        return self.socket.close_code

    async def say(self, kind: str, **fields: Any) -> None:
        """Send a message; return when it was handled."""
        await self.send(json.dumps({"type": kind, **fields}))

    async def send(self, text: str) -> None:
        if self.socket.is_open:
            waiting = self.session.receive(text)
            if waiting is not None:
                await waiting

    async def disconnect(self) -> None:
        """Lose the connection, as a websocket does."""
        self.socket.is_open = False
        await self.session.handle_disconnect()


@dataclass(frozen=True)
class Choices:
    """The choices of a test for its world, as an operator or a release would make them."""

    processes: tuple[str, ...] = ("p",)
    limits: SessionLimits = SESSION_LIMITS
    room_limits: RoomLimits = ROOM_LIMITS
    live: LiveTimings = UNCUT
    rooms: RoomTimings = ROOM_TIMINGS
    http: HttpLimits = HTTP_LIMITS
    draw_entropy: Callable[[], Entropy] | None = None
    has_sweeps: bool = False
    """Whether processes sweep and send heartbeats in tasks, instead of in `World.wait`."""
    echoes: bool = False
    """Whether a process publishes under another name, and so to its own rooms too."""
    plays_bots: bool = False  # whether computer players take their seats and play on their own
    thinkers: int = 0  # whether deals, labels and reviews are computed


DEFAULT = Choices(echoes=True)


class Process:
    """One process of a world; `connection` has the faults between it and the store."""

    def __init__(self, world: "World", name: str, chosen: Choices, **settings: Any) -> None:
        self.name = name
        self.chosen = chosen
        self.connection = world.store.connect()
        self.rooms = LiveRooms(self.connection.pubsub.is_subscribed)
        self.pool = InlinePool()
        self.bots: SeatedBots
        self.services: Services
        self.repository: Repository
        self.hub: Hub
        self._world = world
        self._settings = {"thinkers": chosen.thinkers, **settings}
        self._started = asyncio.Event()
        self._task: asyncio.Task[None]

    @property
    def faults(self) -> Faults:
        """The faults between this process and the store."""
        return self.connection.faults

    async def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name=f"process {self.name}")
        started = asyncio.create_task(self._started.wait())
        await asyncio.wait({self._task, started}, return_when=asyncio.FIRST_COMPLETED)
        if self._task.done():
            self._task.result()

    async def end(self) -> None:
        """End like a process that is killed: send and store nothing more."""
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task
        self.connection.pubsub.callbacks.clear()
        self.faults.away = True
        for person in self._world.people.values():
            if person.process is self:
                person.socket.is_open = False

    async def _run(self) -> None:
        async with asyncio.TaskGroup() as tasks:
            self.serve(tasks)
            self._started.set()
            await asyncio.get_running_loop().create_future()

    def serve(self, tasks: asyncio.TaskGroup) -> None:
        """Serve until a group of tasks ends."""
        world, chosen, connection = self._world, self.chosen, self.connection
        time = asyncio.get_running_loop().time
        work = LongWork(time)  # the duration of work is random too
        self.repository = repository = Repository(
            connection,
            chosen.room_limits,
            chosen.rooms,
            draw_code=lambda: f"{world.draw_number():07}",
            rooms=self.rooms,
            long_work=work,
        )
        replay_invented(repository, connection.shared)
        thinking = None
        if chosen.thinkers:
            thinking = build_thinking(self.pool, connection, work, tasks)
        self.hub = Hub(
            repository,
            self.rooms,
            tasks,
            chosen.live,
            chosen.draw_entropy or world.draw_entropy,
            None if thinking is None else thinking.deals.take,
            self.name,
        )
        if chosen.echoes:
            connection.pubsub.echoes = True
            self.hub.process = f"{self.name} of rooms"
        take, play = (
            (thinking.deals.of_day, thinking.day_games.request) if thinking else (None, None)
        )
        days = DayRaces(repository, take, self.hub.spawn, play)
        repository.on_outbox = days.deliver_soon
        beside: dict[str, Any] = {"thinking": thinking, "days": days, "monotonic_s": time}
        self.services = Services(repository, self.hub, chosen.limits, work, **beside)
        self.services.draw_token = lambda: f"token-{world.draw_number():0>43}"
        self.services.adopt_bots = lambda _room: None  # `World.seat_bots` does
        if chosen.plays_bots:
            self.bots = seat_bots(self.services, self.pool, tasks, 100)
        if chosen.has_sweeps:
            tasks.create_task(sweep(repository, self.hub, days))
            beats = Heartbeats(connection.processes, self.hub, self.services.adopt_bots)
            tasks.create_task(beats.keep())

    @cached_property
    def routes(self) -> Routes:
        """The routes of this process, made by the first request: their files take a while."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(routes, "read_files", lambda _root: dict(_FILES))
            config, http = Config(data_dir=Path("unused"), **self._settings), self.chosen.http
            address = ServerAddress(config, lambda: 8000)
            return Routes(self.services, address, RateLimits(http.visits), http)


def replay_invented(repository: Repository, store: MemoryStore) -> None:
    """Let a process return the progress that a test has invented, instead of replaying a log."""
    read = repository.replays.read

    async def replayed(code: str, played: Round, seat: int) -> Any:
        invented = store.invented.get((code, seat))
        if invented is None or invented.n != played.n:
            return await read(code, played, seat)
        return SimpleNamespace(progress=lambda *_: invented)

    repository.replays.read = replayed  # type: ignore[assignment, method-assign]


class World:
    """One play: its processes, its people, and all texts that left the server.

    `services`, `routes`, `hub` and `faults` belong to the first process.
    """

    def __init__(self, entropies: Entropies | None = None, chosen: Choices = DEFAULT) -> None:
        self.entropies = entropies or Entropies()
        self.chosen = chosen
        self.store = MemoryStore()
        self.received: list[Sent] = []
        self.people: dict[str, Person] = {}
        self.bots: dict[str, SeatedBot] = {}
        self.processes: dict[str, Process] = {}
        self._numbers = itertools.count(1)

    @property
    def first(self) -> Process:
        return next(iter(self.processes.values()))

    @property
    def services(self) -> Services:
        return self.first.services

    @property
    def routes(self) -> Routes:
        return self.first.routes

    @property
    def hub(self) -> Hub:
        return self.first.hub

    @property
    def faults(self) -> Faults:
        return self.first.faults

    async def start(self, name: str) -> Process:
        process = self.processes[name] = Process(self, name, self.chosen)
        await process.start()
        return process

    async def end(self) -> None:
        for process in self.processes.values():
            await process.end()

    def draw_number(self) -> int:
        return next(self._numbers)

    def note(self, who: str, text: str) -> None:
        self.received.append(Sent(who, self.now(), text))
        person = self.people.get(who)
        if who in self.bots:
            self.bots[who].take(text)
        if person is None or not text.startswith("{"):
            return
        message = read_message(text)
        person.received.append(message)
        if message["type"] == "joined":
            person.room, person.seat = message["room"]["code"], message["seat"]
            person.token = message["token"] or person.token
        if message["type"] in {"joined", "room"}:
            person.v = message["room"]["v"]
        if message["type"] == "changes":
            person.v = message["v"]
        table = message.get("table")
        if table is not None and table["seat"] == person.seat:
            person.table = table
            person.used = max(person.used, table["last_id"])
        if message["type"] == "acted":
            person.table = {**person.table, "at": message["at"], "legal": message["legal"]}

    def now(self) -> int:
        return self.store.clock.now_ms()

    def draw_entropy(self) -> Entropy:
        return self.entropies.entropy(self.started() + 1)

    def started(self) -> int:
        """Return how many rounds have been counted down, in all rooms."""
        docs = [json.loads(room.doc) for room in self.store.rooms.values()]
        return sum(doc.get("rounds_started", 0) for doc in docs)

    def sit(self, who: str, at: str = "", address: str = "") -> Person:
        """Open a new socket of a person, at the process with this name or at the first one."""
        socket = Wire(self, who)
        before = self.people.get(who)
        process = self.processes[at] if at else self.first
        address = address or (ADDRESS if before is None else before.address)
        session = Handler(process.services, socket, address)
        person = self.people[who] = Person(session, socket, process, address)
        if before is not None:
            person.room, person.seat, person.token = before.room, before.seat, before.token
            person.used, person.v = before.used, before.v
        return person

    async def say(self, who: str, kind: str, **fields: Any) -> None:
        """Send a message of a person; return when its immediate effects have happened."""
        await self.send(who, json.dumps({"type": kind, **fields}))

    async def send(self, who: str, text: str) -> None:
        await self.people[who].send(text)
        await self.settle()

    async def act(self, who: str, action: str, ahead: int = 0) -> None:
        person = self.people[who]
        person.used += 1
        at = person.table.get("at", 0) + ahead
        await self.say(who, "act", id=person.used, at=at, action=action)

    async def cut(self, who: str) -> None:
        await self.people[who].disconnect()

    async def come_back(self, who: str, token: str | None = None, at: str = "") -> None:
        """Cut the socket of a person and resume on another one."""
        await self.cut(who)
        person = self.sit(who, at)
        message = person.token if token is None else token
        await self.say(
            who, "resume", room=person.room, seat=person.seat, token=message, have=person.v
        )

    async def seat_bots(self) -> None:
        for code in list(self.store.rooms):
            with contextlib.suppress(Refusal):  # closed
                await self._seat_bots(code)

    async def _seat_bots(self, code: str) -> None:
        for seat in (await self.services.repository.read(code)).room.seats:
            if seat.is_played_by_bot and seat.connection is Presence.GRACE:
                level = seat.level if seat.stand_in is None else seat.stand_in.level
                assert level is not None
                who = f"bot {len(self.bots)}"
                self.bots[who] = SeatedBot(seat.number, level)
                person = self.sit(who)
                person.room, person.seat = code, seat.number
                await take_bot_seat(person.session, code, seat.number)
                await self.settle()

    async def let_bots_act(self) -> None:
        """Let each computer player act or give up."""
        for who, bot in self.bots.items():
            if bot.table is not None and bot.table.outcome is None:
                action = bot.choose()
                await (self.say(who, "forfeit") if action is None else self.act(who, action))

    async def get(self, path: str) -> Response:
        asked = HttpRequest(Request(path, Headers()), ADDRESS)
        answer = await self.routes.respond(asked)
        del answer.headers["Date"]
        text = f"{answer.status_code} {answer.headers}{bytes(answer.body).decode()}"
        self.received.append(Sent(f"GET {path}", self.now(), text))
        return answer

    async def settle(self) -> None:
        """Run all callbacks that need almost no time."""
        await asyncio.sleep(0.003)

    async def wait(self, seconds: float) -> None:
        """Let time pass, and sweep the rooms that are due."""
        for _ in range(max(1, round(seconds / 0.5))):
            await asyncio.sleep(min(seconds, 0.5))
            due = [] if self.chosen.has_sweeps else await self.store.lists.due(self.now())
            for code in due:
                await self.services.hub.tick(code)

    def in_state(self, state: RoomState) -> bool:
        """Return whether the first person's room is in this state."""
        code = next(iter(self.people.values())).room
        room = self.store.rooms.get(code)
        return room is not None and json.loads(room.doc)["state"] == state.value


_FILES = read_files(ROOT / "web_client")


@asynccontextmanager
async def opened(
    entropies: Entropies | None = None, chosen: Choices = DEFAULT
) -> AsyncIterator[World]:
    """Open a world on the running loop, which must be a `JumpingLoop`."""
    world = World(entropies, chosen)
    for name in chosen.processes:
        await world.start(name)
    try:
        yield world
    finally:
        await world.end()


async def _play(script: Script, world: World) -> None:
    for name in world.chosen.processes:
        await world.start(name)
    await script(world)
    await world.wait(1)
    await world.end()


def forget_deals() -> None:
    """Clear the caches of deals: one seed deals different cards in different worlds."""
    for known in (deals._dealt, ranking._opening):
        known.cache_clear()


def play(script: Script, entropies: Entropies | None = None, chosen: Choices = DEFAULT) -> World:
    """Play a script; return the world with all sent texts and log events."""
    world = World(entropies, chosen)
    forget_deals()
    with pytest.MonkeyPatch.context() as patch, structlog.testing.capture_logs() as logged:
        patch.setattr(deals, "new_game", world.entropies.game)
        with asyncio.Runner(loop_factory=JumpingLoop) as runner:
            runner.run(_play(script, world))
    forget_deals()
    world.received.append(Sent("the log", 0, repr(logged)))
    return world
