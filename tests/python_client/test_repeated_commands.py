"""Messages whose connection breaks, each at every point of its way: sent again, and done once."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import pytest
from spider_race_client import Client, Race

from protocol import from_client
from protocol.from_client import ClientMessage
from protocol.to_client import Said
from protocol.vocabulary import Outlook, Presence, RoomState, SeatState
from server.http.listener import Listener
from server.rooms.events import Tick
from server.rooms.timings import GRACE_MS
from tests.players import running
from tests.python_client.conftest import BEHIND_A_PROXY, SOON
from tests.python_client.races import CUTS, EASY, Between, Cut, begin, event, first_move, in_round
from tests.server.http import get


@pytest.fixture
async def listener(embedded_url: str, store: object, tmp_path: Path) -> AsyncIterator[Listener]:
    """A server with computer players."""
    assert store is not None
    settings = {"redis_url": embedded_url, "data_dir": tmp_path, "bots": 4, **BEHIND_A_PROXY}
    async with running(SOON, **settings) as listener:
        yield listener


@dataclass
class World:
    """Ada and Bob, who share a room: the connection of the `far` one can be cut."""

    far: Client
    near: Client
    listener: Listener

    async def rooms(self) -> int:
        """Return how many rooms are open to everybody."""
        return len(json.loads((await get(self.listener.port, "/api/rooms")).body)["rooms"])

    async def far_host(self, **settings: object) -> tuple[Race, Race]:
        """Return a host who is far, and a guest who is near."""
        host = await self.far.create("Ada", {**EASY, **settings})
        return host, await self.near.join(host.code, "Bob")

    async def far_guest(self, **settings: object) -> tuple[Race, Race]:
        """Return a guest who is far, and a host who is near."""
        host = await self.near.create("Ada", {**EASY, **settings})
        return await self.far.join(host.code, "Bob"), host

    async def let_go(self, race: Race, seat: int) -> None:
        """Let the time pass after which a lost player counts as gone."""
        await until(race, lambda: race.room.seats[seat].connection is Presence.GRACE)
        later = self.listener.services.store.clock.now() + GRACE_MS
        await self.listener.services.hub.apply(race.code, Tick(later))

    async def race(self, *races: Race) -> None:
        """Play a round to its end."""
        await begin(*races)
        await finish(*races)


async def finish(*races: Race) -> None:
    await asyncio.gather(*(race.forfeit() for race in races))
    await asyncio.gather(*(race.wait_for_result() for race in races))


Check = Callable[[], Awaitable[object]]
Scene = Callable[[World], Coroutine[Any, Any, tuple[Awaitable[object], Check]]]
SCENES: dict[type[ClientMessage], Scene] = {}


def scene(kind: type[ClientMessage]) -> Callable[[Scene], Scene]:
    """Add the scene of a message: it returns the call that sends it, and a check of its effect."""

    def add(function: Scene) -> Scene:
        SCENES[kind] = function
        return function

    return add


@scene(from_client.Create)
async def _create(world: World) -> tuple[Awaitable[object], Check]:
    async def one_room() -> None:
        assert await world.rooms() == 1

    return world.far.create("Ada", {"public": True}), one_room


@scene(from_client.Join)
async def _join(world: World) -> tuple[Awaitable[object], Check]:
    host = await world.near.create("Ada")
    return world.far.join(host.code, "Bob"), lambda: names(host, "Ada", "Bob")


@scene(from_client.Resume)
async def _resume(world: World) -> tuple[Awaitable[object], Check]:
    guest, host = await world.far_guest()
    guest.close()
    call = world.far.resume(host.code, guest.seat, guest.token)
    return call, lambda: names(host, "Ada", "Bob")


@scene(from_client.Configure)
async def _configure(world: World) -> tuple[Awaitable[object], Check]:
    host, guest = await world.far_host()
    return host.configure(hints=True), lambda: until(guest, lambda: guest.room.settings.hints)


@scene(from_client.Choose)
async def _choose(world: World) -> tuple[Awaitable[object], Check]:
    host, guest = await world.far_host(rounds=3)
    call = host.command(from_client.Choose(game=2))
    return call, lambda: until(guest, lambda: guest.room.next_game == 2)


@scene(from_client.Ready)
async def _ready(world: World) -> tuple[Awaitable[object], Check]:
    guest, host = await world.far_guest()
    await host.ready()
    return guest.ready(), lambda: round_runs(host, guest, 1)


@scene(from_client.TakeColour)
async def _take_colour(world: World) -> tuple[Awaitable[object], Check]:
    guest, host = await world.far_guest()
    call = guest.command(from_client.TakeColour(colour="copper"))
    return call, lambda: until(host, lambda: host.room.seats[1].colour == "copper")


@scene(from_client.Start)
async def _start(world: World) -> tuple[Awaitable[object], Check]:
    host, guest = await world.far_host()
    await guest.ready()
    return host.start(), lambda: round_runs(guest, host, 1)


@scene(from_client.Abort)
async def _abort(world: World) -> tuple[Awaitable[object], Check]:
    host, guest = await world.far_host()
    await begin(host, guest)
    call = host.command(from_client.Abort())
    return call, lambda: until(guest, lambda: guest.room.state is RoomState.LOBBY)


@scene(from_client.End)
async def _end(world: World) -> tuple[Awaitable[object], Check]:
    host, guest = await world.far_host()
    await begin(host, guest)
    assert guest.room.round is not None
    limit = guest.room.round.t_end
    call = host.command(from_client.End(grace_s=5))
    return call, lambda: until(guest, lambda: guest.room.round and guest.room.round.t_end != limit)


@scene(from_client.Kick)
async def _kick(world: World) -> tuple[Awaitable[object], Check]:
    host, _ = await world.far_host()
    other = await world.near.join(host.code, "Cy")
    return host.command(from_client.Kick(seat=1, ban=True)), lambda: names(other, "Ada", "Cy")


@scene(from_client.AddBot)
async def _add_bot(world: World) -> tuple[Awaitable[object], Check]:
    host, guest = await world.far_host()

    async def one_bot() -> None:
        await guest.say("Who is here?")  # the room is up to date then
        await until(guest, lambda: len(guest.room.seats) == 3)

    return host.command(from_client.AddBot(level="club")), one_bot


@scene(from_client.AddStandIn)
async def _add_stand_in(world: World) -> tuple[Awaitable[object], Check]:
    host, guest = await world.far_host()
    other = await world.near.join(host.code, "Cy")
    await begin(host, guest, other)
    guest.close()
    await world.let_go(other, guest.seat)
    call = host.command(from_client.AddStandIn(seat=guest.seat, level="club"))
    return call, lambda: until(other, lambda: other.room.seats[1].stand_in == "club")


@scene(from_client.Admit)
async def _admit(world: World) -> tuple[Awaitable[object], Check]:
    host, guest = await world.far_host(approve=True)
    await host.wait_until(lambda race: race.room.waiting)
    return host.command(from_client.Admit(seat=1)), lambda: names(guest, "Ada", "Bob")


@scene(from_client.Leave)
async def _leave(world: World) -> tuple[Awaitable[object], Check]:
    guest, host = await world.far_guest()
    return guest.leave(), lambda: names(host, "Ada")


@scene(from_client.NextRound)
async def _next_round(world: World) -> tuple[Awaitable[object], Check]:
    host, guest = await world.far_host()
    await world.race(host, guest)
    call = host.command(from_client.NextRound())
    return call, lambda: until(guest, lambda: guest.room.state is RoomState.LOBBY)


@scene(from_client.Rematch)
async def _rematch(world: World) -> tuple[Awaitable[object], Check]:
    guest, host = await world.far_guest()
    await world.race(host, guest)
    await host.rematch()
    return guest.rematch(), lambda: round_runs(host, guest, 2)


@scene(from_client.Say)
async def _say(world: World) -> tuple[Awaitable[object], Check]:
    guest, host = await world.far_guest()

    async def one_line() -> None:
        await host.say("bye")
        assert [(await event(host, Said)).text for _ in range(2)] == ["hello", "bye"]

    return guest.say("hello"), one_line


@scene(from_client.Act)
async def _act(world: World) -> tuple[Awaitable[object], Check]:
    guest, host = await world.far_guest()
    await begin(host, guest)

    async def one_act() -> None:
        assert guest.table is not None
        assert (guest.table.at, guest.table.counts.moves) == (1, 1)

    return guest.act(first_move(guest)), one_act


@scene(from_client.Assess)
async def _assess(world: World) -> tuple[Awaitable[object], Check]:
    guest, host = await world.far_guest()
    await begin(host, guest)

    async def nothing_is_known() -> None:
        assert (await guest.assess()).outlook is Outlook.OPEN

    return guest.assess(), nothing_is_known


@scene(from_client.Hint)
async def _hint(world: World) -> tuple[Awaitable[object], Check]:
    guest, host = await world.far_guest(hints=True)
    await begin(host, guest)
    await guest.hint()  # the same position once more
    return guest.hint(), lambda: until(
        host, lambda: [row.hints for row in host.standings] == [0, 1]
    )


@scene(from_client.Chase)
async def _chase(world: World) -> tuple[Awaitable[object], Check]:
    host = await world.near.create("Ada", {**EASY, "chasers": True, "max_players": 9})
    guest = await world.near.join(host.code, "Bob")
    await begin(host, guest)
    late = await world.far.join(host.code, "Cy")
    return late.chase(), late.wait_for_table


@scene(from_client.Forfeit)
async def _forfeit(world: World) -> tuple[Awaitable[object], Check]:
    guest, host = await world.far_guest()
    await begin(host, guest)
    return guest.forfeit(), lambda: until(host, lambda: state_of(host, 1) is SeatState.FORFEIT)


@scene(from_client.Watch)
async def _watch(world: World) -> tuple[Awaitable[object], Check]:
    guest, host = await world.far_guest(spectate="boards", board_delay_s=0)
    await begin(host, guest)
    await guest.forfeit()
    return guest.watch(0), lambda: until(guest, lambda: guest.boards)


@scene(from_client.Cards)
async def _cards(world: World) -> tuple[Awaitable[object], Check]:
    guest, host = await world.far_guest()
    await world.race(host, guest)
    return guest.command(from_client.Cards()), lambda: until(guest, lambda: guest.room.match)


async def until(race: Race, condition: Callable[[], object]) -> None:
    await race.wait_until(lambda _: condition())


async def names(race: Race, *expected: str) -> None:
    await until(race, lambda: [seat.name for seat in race.room.seats] == [*expected])


async def round_runs(near: Race, far: Race, n: int) -> None:
    """Wait until both play in a round."""
    for race in (near, far):
        await race.wait_until(in_round(n))
        await race.wait_for_table()


def state_of(race: Race, number: int) -> SeatState:
    return next(seat.state for seat in race.room.seats if seat.seat == number)


def test_every_message_has_its_scene() -> None:
    assert set(SCENES) == {*get_args(ClientMessage)} - {from_client.Ping}


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("kind", SCENES)
async def test_a_message_whose_connection_breaks_is_done_once(
    between: Between,
    far: Client,
    client: Client,
    listener: Listener,
    kind: type[ClientMessage],
    cut: Cut,
) -> None:
    call, check = await SCENES[kind](World(far, client, listener))
    between.cut[kind.model_fields["type"].default] = cut
    await call
    assert not between.cut, "the message was sent"
    await check()


@asynccontextmanager
async def away(between: Between, kind: str, call: Awaitable[object]) -> AsyncIterator[None]:
    """Send a message whose answer is lost with the connection, and stay away during the block."""
    between.cut[kind] = "before the answer"
    between.is_passable.clear()
    calling = asyncio.ensure_future(call)
    yield
    between.is_passable.set()
    await calling


async def end_round(listener: Listener, race: Race) -> None:
    """Let the time of a round run out."""
    assert race.room.round is not None
    assert race.room.round.t_end is not None
    await listener.services.hub.apply(race.code, Tick(race.room.round.t_end))
    await race.wait_for_result()


@pytest.mark.parametrize("n", [1, 2])
async def test_a_round_that_was_asked_for_may_be_over_when_the_program_is_back(
    between: Between, far: Client, client: Client, listener: Listener, n: int
) -> None:
    world = World(far, client, listener)
    guest, host = await world.far_guest()
    if n == 1:
        await host.ready()
    else:
        await world.race(host, guest)
        await host.rematch()
    kind, ask = [("ready", guest.ready), ("rematch", guest.rematch)][n - 1]
    async with away(between, kind, ask()):
        await host.wait_for_table()
        await end_round(listener, host)
    assert state_of(host, guest.seat) is not SeatState.READY


async def test_an_act_is_answered_although_its_round_is_over_when_the_program_is_back(
    between: Between, far: Client, client: Client, listener: Listener
) -> None:
    guest, host = await World(far, client, listener).far_guest()
    await begin(host, guest)
    async with away(between, "act", guest.act(first_move(guest))):
        await until(host, lambda: [row.moves for row in host.standings] == [1, 0])
        await end_round(listener, host)
    assert (await guest.wait_for_result()).ranking[0].moves == 1


@pytest.mark.parametrize("command", [from_client.End(), from_client.Abort()])
async def test_what_ends_a_round_does_not_end_the_next_one(
    between: Between,
    far: Client,
    client: Client,
    listener: Listener,
    command: from_client.End | from_client.Abort,
) -> None:
    world = World(far, client, listener)
    host, guest = await world.far_host()
    other = await client.join(host.code, "Cy")
    await begin(host, guest, other)
    async with away(between, command.type, host.command(command)):
        if command.type == "end":
            await end_round(listener, guest)
        await until(guest, lambda: guest.room.state is not RoomState.RUNNING)
        await world.let_go(guest, host.seat)
        for race in (guest, other):
            await (race.rematch() if command.type == "end" else race.ready())
        for race in (guest, other):
            await race.wait_for_table()
        assert guest.room.round is not None
        limit = guest.room.round.t_end
    await host.watch()
    assert (guest.room.state, guest.room.round.t_end) == (RoomState.RUNNING, limit)
