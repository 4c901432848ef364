"""A whole server but for its sockets and its Redis, in which nothing is left to chance.

Time is the event loop's own and jumps; tokens and codes are counted; seeds, salts and what
lies face down are the test's. So two plays of one script differ only in what the test changes,
and every frame and every answer of both can be compared byte by byte.
"""

import asyncio
import hashlib
import itertools
import json
import selectors
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import structlog
from websockets.datastructures import Headers
from websockets.http11 import Request

from protocol.vocabulary import RoomState
from server.config import Config
from server.games.cards import Card, PileState
from server.games.catalogue import new_game, variant_of
from server.games.deals import secret_deck
from server.games.game import Game
from server.games.options import Rules
from server.http import routes
from server.http.files import read_files
from server.http.request import HttpRequest
from server.http.routes import ROOT, Routes
from server.http.visitors import Visitors
from server.live import repository as books
from server.live.hub import Hub
from server.live.repository import Repository
from server.rooms import rounds
from server.rooms.events import Entropy
from server.sessions import dispatch
from server.sessions import session as sessions
from server.sessions.handler import Handler
from server.sessions.services import Services
from server.store import Store
from tests.security.whole_store import EPOCH_MS, WholeStore

Place = tuple[str, int]
"""Where a card lies face down at the deal: its pile, and how many lie below it."""


Script = Callable[["World"], Coroutine[Any, Any, None]]


class _Jumping(selectors.SelectSelector):
    """Waits for nothing: who would have waited finds that the time is over."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[Any, int]]:
        ready = super().select(0)
        if not ready:
            assert timeout is not None, "everybody waits for somebody else"
            self.now += max(0.0, timeout)
        return ready


class JumpingLoop(asyncio.SelectorEventLoop):
    """An event loop whose time passes when there is nothing to do, and only then."""

    def __init__(self) -> None:
        self._jumping = _Jumping()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.now

    def run_in_executor(  # type: ignore[override]  # a future is awaited, whatever it is
        self, executor: Any, func: Callable[..., Any], *args: Any
    ) -> Any:
        """Here and now: nobody knows when a thread would be done."""
        done = self.create_future()
        assert executor is None
        done.set_result(func(*args))
        return done


@dataclass(frozen=True)
class Chances:
    """What of a play is chance: everything secret of each of its rounds.

    Round `other` has another seed and salt than it would have had, but the same cards, only
    with the hidden ones elsewhere, as `twist` says: which place's card lies in which place.
    """

    other: int | None = None
    twist: dict[Place, Place] = field(default_factory=dict)

    def chance(self, n: int) -> Entropy:
        digest = hashlib.sha256(f"{n} {n == self.other}".encode()).digest()
        return Entropy(digest[:16], digest[16:])

    def game(self, rules: Rules, deck: tuple[Card, ...]) -> Game:
        """The game that is played where `deck` is dealt."""
        n = self.other
        if n is None or deck != secret_deck(rules.game, self.chance(n).seed):
            return new_game(rules, deck)
        real = secret_deck(rules.game, Chances().chance(n).seed)
        return twisted(new_game(rules, real), self.twist)


def twisted(game: Game, twist: dict[Place, Place]) -> Game:
    """The game with its hidden cards elsewhere; nobody can tell by looking at it."""
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
    return variant_of(game.variant.id).set_up(game.rules, list(changed.values()))


@dataclass
class Heard:
    """One thing that left the server: whom it went to, when (since the epoch), and what."""

    who: str
    ms: int
    text: str

    def told(self) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(self.text) if self.text.startswith("{") else {}
        return told


@dataclass
class Wire:
    """One socket."""

    world: "World"
    who: str
    open: bool = True

    def send(self, text: str) -> None:
        if self.open:
            self.world.note(self.who, text)

    def close(self, code: int, reason: str = "") -> None:
        if self.open:
            self.world.note(self.who, f"closed {int(code)} {reason}")
        self.open = False

    def behind(self) -> bool:
        return False


@dataclass
class Person:
    """Somebody with a seat, or on the way to one, and what a page would know of it."""

    session: Handler
    wire: Wire
    room: str = ""
    seat: int = -1
    token: str = ""
    v: int = 0
    used: int = 0
    table: dict[str, Any] = field(default_factory=dict)


class World:
    """One play: everybody in it, and all that was heard."""

    def __init__(self, chances: Chances) -> None:
        self.chances = chances
        self.store = WholeStore()
        self.heard: list[Heard] = []
        self.people: dict[str, Person] = {}
        self.services: Services
        self.pages: Routes

    def note(self, who: str, text: str) -> None:
        self.heard.append(Heard(who, self.now(), text))
        person = self.people.get(who)
        if person is None or not text.startswith("{"):
            return
        told = json.loads(text)
        if told["type"] == "joined":
            person.room, person.seat = told["room"]["code"], told["seat"]
            person.token = told["token"] or person.token
        if told["type"] in {"joined", "room"}:
            person.v = told["room"]["v"]
        if told["type"] == "changes":
            person.v = told["v"]
        table = told.get("table")
        if table is not None and table["seat"] == person.seat:
            person.table = table
        if told["type"] == "acted":
            person.table = {**person.table, "at": told["at"], "legal": told["legal"]}

    def now(self) -> int:
        return EPOCH_MS + round(asyncio.get_running_loop().time() * 1_000)

    def draw_entropy(self) -> Entropy:
        return self.chances.chance(self.started() + 1)

    def started(self) -> int:
        """How many rounds have been counted down, in whatever room."""
        docs = [json.loads(room.doc) for room in self.store.rooms.values()]
        return sum(doc["started"] for doc in docs)

    def sit(self, who: str) -> Person:
        """A new socket of somebody's."""
        wire = Wire(self, who)
        before = self.people.get(who)
        person = self.people[who] = Person(Handler(self.services, wire, "192.0.2.1"), wire)
        if before is not None:
            person.room, person.seat, person.token = before.room, before.seat, before.token
            person.used, person.v = before.used, before.v
        return person

    async def say(self, who: str, kind: str, **fields: Any) -> None:
        """Somebody says something; returns when all that follows at once has happened."""
        await self.send(who, json.dumps({"type": kind, **fields}))

    async def send(self, who: str, text: str) -> None:
        person = self.people[who]
        if person.wire.open:
            waiting = person.session.receive(text)
            if waiting is not None:
                await waiting
        await self.settle()

    async def act(self, who: str, action: dict[str, Any], ahead: int = 0) -> None:
        person = self.people[who]
        person.used += 1
        at = person.table.get("at", 0) + ahead
        await self.say(who, "act", id=person.used, at=at, action=action)

    async def come_back(self, who: str, token: str | None = None) -> None:
        """Cuts the socket of somebody and resumes on another."""
        await self.people[who].session.gone()
        person = self.sit(who)
        told = person.token if token is None else token
        await self.say(
            who, "resume", room=person.room, seat=person.seat, token=told, have=person.v
        )

    async def get(self, path: str) -> None:
        """Somebody reads a page."""
        asked = HttpRequest(Request(path, Headers()), "192.0.2.1")
        answer = await self.pages.answer(asked)
        del answer.headers["Date"]
        text = f"{answer.status_code} {answer.headers}{bytes(answer.body).decode()}"
        self.heard.append(Heard(f"GET {path}", self.now(), text))

    async def settle(self) -> None:
        """Lets everything happen that needs no time to speak of."""
        await asyncio.sleep(0.003)

    async def wait(self, seconds: float) -> None:
        """Lets time pass, and do to rooms what it does."""
        for _ in range(max(1, round(seconds / 0.5))):
            await asyncio.sleep(min(seconds, 0.5))
            for code in await self.store.due():
                await self.services.hub.tick(code)

    def in_state(self, state: RoomState) -> bool:
        """Whether the room of whoever came first is in this state."""
        code = next(iter(self.people.values())).room
        room = self.store.changes.get(code)
        return room is not None and room.state == state.value


_FILES = read_files(ROOT / "web_client")


async def _play(script: Script, world: World) -> None:
    class GameEnded(Exception):  # it is how a task group is told to end
        pass

    try:
        async with asyncio.TaskGroup() as tasks:
            repository = Repository(cast("Store", world.store))
            hub = Hub(repository, repository.store.clock, tasks)
            hub.process = "p"
            world.services = Services(repository, hub)
            # How long work takes is chance too.
            world.services.slices._clock = asyncio.get_running_loop().time
            world.pages = Routes(
                Config(data_dir=Path("unused")),
                repository,
                world.services.slices,
                Visitors(1_000, lambda: 0).rate,
            )
            await script(world)
            await world.wait(1)
            raise GameEnded
    except* GameEnded:
        pass


def forget_deals() -> None:
    """What is dealt from a seed is not the same in every world."""
    for known in (rounds._deck, rounds._dealt, rounds._opening):
        known.cache_clear()


def play(
    script: Script,
    chances: Chances | None = None,
) -> World:
    """Plays a script; the world afterwards, with all that was heard and logged in it."""
    world = World(chances or Chances())
    numbers = itertools.count(1)

    def time() -> float:
        return asyncio.get_running_loop().time()

    forget_deals()
    with pytest.MonkeyPatch.context() as patch, structlog.testing.capture_logs() as logged:
        patch.setattr(routes, "read_files", lambda _root: dict(_FILES))
        patch.setattr(sessions, "time", SimpleNamespace(monotonic=time))
        patch.setattr(dispatch, "draw_token", lambda: f"token-{next(numbers)}")
        patch.setattr(books, "draw_code", lambda: f"{next(numbers):010}")
        patch.setattr(dispatch, "draw_entropy", world.draw_entropy)
        patch.setattr(rounds, "new_game", world.chances.game)
        with asyncio.Runner(loop_factory=JumpingLoop) as runner:
            runner.run(_play(script, world))
    forget_deals()
    world.heard.append(Heard("the log", 0, repr(logged)))
    return world
