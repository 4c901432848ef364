"""Messages whose connection breaks, each at every point of its way: sent again, and done once."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import pytest
from spider_race_client import Race

from protocol import from_client
from protocol.from_client import ClientMessage
from protocol.vocabulary import RoomState, SeatState
from tests.python_client.conftest import Networks, Stage, a_stage
from tests.python_client.lines import CUTS, Cut
from tests.python_client.races import EASY, begin, first_move

GONE_S = 20.0
"""How long a player may be disconnected before being gone."""
Call = Callable[[Race], Awaitable[object]]


@dataclass
class Scene:
    """What a far person does in a room, whose other people are near."""

    call: Call
    is_host: bool = False
    phase: Literal["lobby", "others ready", "running", "one gone", "finished", "kept"] = "lobby"
    settings: dict[str, object] = field(default_factory=dict)
    is_seen: bool = True
    """Whether others see its effect."""


def send(message: ClientMessage) -> Call:
    return lambda race: race.command(message)


async def forfeit_and_watch(race: Race) -> None:
    await race.forfeit()
    await race.watch(0)
    await race.wait_until(lambda race: race.boards)


BOARDS: Any = {"settings": {"spectate": "boards", "board_delay_s": 0}}
HOST: Any = {"is_host": True}
RUNNING: Any = {"phase": "running"}
FINISHED: Any = {"phase": "finished"}
MESSAGES: list[tuple[ClientMessage, dict[str, Any]]] = [
    (from_client.Choose(game=2), {**HOST, "settings": {"rounds": 3}}),
    (from_client.TakeColour(colour="copper"), {}),
    (from_client.Abort(), {**HOST, **RUNNING}),
    (from_client.End(grace_s=5), {**HOST, **RUNNING}),
    (from_client.Kick(seat=2, ban=True), HOST),
    (from_client.AddBot(level="club"), HOST),
    (from_client.AddStandIn(seat=2, level="club"), {**HOST, "phase": "one gone"}),
    (from_client.HandOver(seat=2), HOST),
    (from_client.Keep(name="Friday"), HOST),
    (from_client.Forget(seat=0), {**HOST, "phase": "kept", "is_seen": False}),
    (from_client.DeleteTable(), {**HOST, "phase": "kept"}),
    (from_client.Admit(seat=1), {**HOST, "settings": {"approve": True}}),
    (from_client.NextRound(), {**HOST, **FINISHED}),
    (from_client.Cards(), {"is_seen": False, **FINISHED}),
]
SCENES: dict[type[ClientMessage], Scene] = {
    **{type(message): Scene(send(message), **about) for message, about in MESSAGES},
    from_client.Configure: Scene(lambda race: race.configure(hints=True), **HOST),
    from_client.Ready: Scene(lambda race: race.ready(), phase="others ready"),
    from_client.Start: Scene(lambda race: race.start(), **HOST, phase="others ready"),
    from_client.Leave: Scene(lambda race: race.leave()),
    from_client.Rematch: Scene(lambda race: race.rematch(), **FINISHED),
    from_client.Say: Scene(lambda race: race.say("hello")),
    from_client.Act: Scene(lambda race: race.act(first_move(race)), **RUNNING),
    from_client.Carry: Scene(lambda race: race.carry(), is_seen=False),
    from_client.Assess: Scene(lambda race: race.assess(), is_seen=False, **RUNNING),
    from_client.Hint: Scene(lambda race: race.hint(), settings={"hints": True}, **RUNNING),
    from_client.Forfeit: Scene(lambda race: race.forfeit(), **RUNNING),
    from_client.Watch: Scene(forfeit_and_watch, **BOARDS, **RUNNING),
}


async def finish(*races: Race) -> None:
    """Give a round up."""
    await asyncio.gather(*(race.forfeit() for race in races))
    await asyncio.gather(*(race.wait_for_result() for race in races))


async def people_of(stage: Stage, *, is_far_host: bool, **settings: object) -> list[Race]:
    """Return the one who is far, and two who are near: a host or a guest, and another guest."""
    host = await (stage.far if is_far_host else stage.near).create("Ada", {**EASY, **settings})
    guest = await (stage.near if is_far_host else stage.far).join(host.code, "Bob")
    people = [host, guest] if is_far_host else [guest, host]
    return [*people, await stage.near.join(host.code, "Cy")]


async def set_scene(stage: Stage, scene: Scene) -> tuple[Awaitable[object], Race]:
    """Return the call of a scene, and one who sees its effect."""
    people = await people_of(stage, is_far_host=scene.is_host, **scene.settings)
    far, witness, other = people
    if scene.phase == "others ready":
        await asyncio.gather(witness.ready(), other.ready())
    elif scene.phase == "kept":
        await far.command(from_client.Keep())
    elif scene.phase != "lobby":
        await begin(*people)
    if scene.phase == "one gone":
        other.close()
        await asyncio.sleep(GONE_S)
    if scene.phase == "finished":
        await finish(*people)
        await asyncio.gather(witness.rematch(), other.rematch())
    return scene.call(far), witness


async def set_first(
    stage: Stage, kind: type[ClientMessage]
) -> tuple[Awaitable[object], Race | None]:
    """Return a call that sends a message which takes a seat, or chases, and one who sees it."""
    if kind is from_client.Create:
        return stage.far.create("Ada", {"public": True}), None
    host = await stage.near.create("Ada", {**EASY, "chasers": True})
    if kind is from_client.Join:
        return stage.far.join(host.code, "Bob"), host
    guest = await stage.far.join(host.code, "Bob")
    if kind is from_client.Chase:
        await begin(host, guest)
        return (await stage.far.join(host.code, "Cy")).chase(), host
    code = (await guest.carry()).code
    guest.close()
    await asyncio.sleep(1)
    if kind is from_client.TakeOver:
        return stage.far.take_over(host.code, code), host
    return stage.far.resume(host.code, guest.seat, guest.token), host


SEATING = (from_client.Create, from_client.Join, from_client.Resume, from_client.TakeOver)
FIRST = (*SEATING, from_client.Chase)


BESIDE: Any = {**dict.fromkeys(("v", "code", "round", "match"), True), "kept": {"since", "until"}}
"""The fields of a room that differ from play to play."""


def seen(stage: Stage, race: Race | None) -> dict[str, object]:
    """Return what a person sees, apart from times, and what the store has."""
    store = stage.world.store
    found: dict[str, object] = {
        "rooms": len(store.rooms),
        "acts": {place: [entry.action for entry in log] for place, log in store.logs.items()},
        "lines": str(store.rooms.events_of).count("hello"),
    }
    if race is None:
        return found
    return {
        **found,
        "room": race.room.model_dump(exclude=BESIDE),
        "n": race.room.round and race.room.round.n,
        "rows": {row.seat: (row.moves, row.hints, row.state) for row in race.standings},
    }


async def outcome(
    networks: Networks, kind: type[ClientMessage], cut: Cut | None
) -> tuple[object, object]:
    """Play the scene of a message; return the state before and after it."""
    async with a_stage(networks) as stage:
        scene = SCENES.get(kind)
        call, witness = await (set_scene(stage, scene) if scene else set_first(stage, kind))
        await asyncio.sleep(1)
        before = seen(stage, witness)
        if cut is not None:
            stage.between.cut[kind.model_fields["type"].default] = cut
        await call
        assert not stage.between.cut, "the message was sent"
        await asyncio.sleep(7)  # countdowns and a grace of 5 s end
        return before, seen(stage, witness)


def test_every_message_has_its_scene() -> None:
    # A game of today's race is signed in `tests/server/test_day_computers.py`.
    elsewhere = {from_client.Ping, from_client.Sign}
    assert {*SCENES, *FIRST} | elsewhere == {*get_args(ClientMessage)}


@pytest.mark.parametrize("kind", [*FIRST, *SCENES])
async def test_a_message_whose_connection_breaks_is_done_once(
    networks: Networks, kind: type[ClientMessage]
) -> None:
    before, after = await outcome(networks, kind, None)
    assert (after != before) == (kind in FIRST or SCENES[kind].is_seen)
    for cut in CUTS:
        assert await outcome(networks, kind, cut) == (before, after), cut


@asynccontextmanager
async def away(stage: Stage, kind: str, call: Awaitable[object]) -> AsyncIterator[None]:
    """Send a message whose answer is lost with the connection, and stay away during the block."""
    stage.between.cut[kind] = "before the answer"
    stage.between.is_passable = False
    calling = asyncio.ensure_future(call)
    yield
    stage.between.is_passable = True
    await calling


@pytest.mark.parametrize("n", [1, 2])
async def test_a_round_that_was_asked_for_may_be_over_when_the_program_is_back(
    stage: Stage, n: int
) -> None:
    guest, host, other = await people_of(stage, is_far_host=False, time_limit_s=60)
    if n == 2:
        await begin(host, guest, other)
        await finish(host, guest, other)
    for race in (host, other):
        await (race.ready() if n == 1 else race.rematch())
    kind, ask = [("ready", guest.ready), ("rematch", guest.rematch)][n - 1]
    async with away(stage, kind, ask()):
        await host.wait_for_table()
        await host.wait_for_result()
    assert host.room.seats[guest.seat].state is not SeatState.READY


async def test_an_act_is_answered_although_its_round_is_over_when_the_program_is_back(
    stage: Stage,
) -> None:
    guest, host, other = await people_of(stage, is_far_host=False, time_limit_s=60)
    await begin(host, guest, other)
    async with away(stage, "act", guest.act(first_move(guest), timeout_s=None)):
        await host.wait_for_result()
    assert (await guest.wait_for_result()).ranking[0].moves == 1


@pytest.mark.parametrize("command", [from_client.End(), from_client.Abort()])
async def test_a_command_that_ends_a_round_does_not_end_the_next_one(
    stage: Stage, command: from_client.End | from_client.Abort
) -> None:
    host, guest, other = await people_of(stage, is_far_host=True, time_limit_s=600)
    await begin(host, guest, other)
    async with away(stage, command.type, host.command(command)):
        await guest.wait_until(lambda race: race.room.state is not RoomState.RUNNING)
        await asyncio.sleep(GONE_S)
        for race in (guest, other):
            await (race.rematch() if command.type == "end" else race.ready())
        for race in (guest, other):
            await race.wait_for_table()
        assert guest.room.round is not None
        limit = guest.room.round.t_end
    await host.watch()
    assert (guest.room.state, guest.room.round.t_end) == (RoomState.RUNNING, limit)
