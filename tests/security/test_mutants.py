"""Real traffic, spoilt, against a real server on which others race."""

import asyncio
import json
import random
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from protocol.codec import TO_CLIENT
from protocol.vocabulary import SUBPROTOCOL
from server.sessions.limits import SessionLimits
from server.sessions.rate_limit import Rate
from server.store import Store
from tests.http.test_request_reader import UPGRADE, ask
from tests.players import Player, start_race
from tests.security.effort import FUZZ
from tests.security.raw import frame, message
from tests.server.conftest import FAST, Serving
from tests.server.http import get

STRANGE: list[Any] = [
    None, True, -1, 0, 2**31, 2**63, 10**30, 0.5, "", "x" * 300, "\x00", "\u202e", [], {}, [[]],
    {"type": "deal"}, "../..", "{ABC}:room", "*", "\r\nFLUSHALL\r\n", "t0", "__proto__",
    "deal", "t0x1-t1", "t0x1-t1,deal", "remove u0", "t0x99-t1", "deal\n", "[5] KS",
]  # fmt: skip
WAYS = (
    *("drop", "swap", "swap", "add", "shift", "shift"),
    *("flip", "cut", "shuffle", "repeat", "none"),
)


def spoilt(rng: random.Random, frames: list[str]) -> list[str]:
    """Return the frames after one change, or as they are."""
    place = rng.randrange(len(frames))
    frame = frames[place]
    match way := rng.choice(WAYS):
        case "shuffle":
            return rng.sample(frames, len(frames))
        case "repeat":
            return [each for each in frames for _ in range(rng.choice([1, 1, 2, 3]))]
        case "flip":
            data = bytearray(frame.encode())
            for _ in range(rng.randint(1, 4)):
                data[rng.randrange(len(data))] ^= 1 << rng.randrange(7)
            frame = data.decode("latin-1")
        case "cut":
            frame = frame[: rng.randrange(len(frame))]
        case "none":
            pass
        case _:
            frame = with_a_spoilt_field(rng, way, frame)
    return [*frames[:place], frame, *frames[place + 1 :]]


def with_a_spoilt_field(rng: random.Random, way: str, frame: str) -> str:
    """Change a field of a message, or of an object within it."""
    message = json.loads(frame)
    inside = rng.choice([message, *(part for part in message.values() if isinstance(part, dict))])
    name = rng.choice([*inside, "god"])
    if way == "drop":
        inside.pop(name, None)
    elif way == "swap":
        inside[name] = rng.choice(STRANGE)
    elif way == "add":
        inside[rng.choice(["god", "seat", "token", "room", "__class__", "type "])] = 1
    else:
        for number in [each for each, value in inside.items() if type(value) is int]:
            inside[number] += rng.choice([-2, -1, 1, 2, 1_000])
    return json.dumps(message)


def mutants(rng: random.Random, recorded: list[list[str]]) -> list[str]:
    """Some frames for one socket: of one recorded socket, or spliced of two, and then spoilt."""
    one, other = rng.choice(recorded), rng.choice(recorded)
    at, start = rng.randint(0, len(one)), rng.randint(0, len(other))
    return spoilt(rng, (one[:at] + other[start:])[: rng.randint(1, 12)] or one[:1])


SOCKETS = 15
PINGS = 1_000_000
"""The number of the first ping, which no recorded frame has."""
FAREWELLS = {(code, "") for code in (1000, 1009, 4500, 4502, 4503, 4504, 4505, 4506)}


class Recorder(Player):
    """A player whose frames are written down."""

    sent: list[str]

    async def say(self, kind: str, /, **fields: Any) -> None:
        vars(self).setdefault("sent", []).append(json.dumps({"type": kind, **fields}))
        await super().say(kind, **fields)


async def record(port: int, code: str) -> list[list[str]]:
    """What three sockets say in a race of their own, and one that comes late to room `code`."""
    host = await Recorder.create(port, "Carl", game="spider-1", undo="any", spectate="boards")
    dora = await Recorder.join(port, host.code, "Dora")
    don = await Recorder.join(port, host.code, "Don", "spectator")
    await dora.say("ready")
    await host.say("ready")
    await asyncio.gather(host.race(), dora.race())
    for player in (host, dora):
        for number in range(8):
            await player.act(player.table["legal"][number % len(player.table["legal"])])
    await don.ask("watch", boards=[0, 1])
    await don.ask("say", text="hello")
    back = await dora.resume(port)
    await back.race()
    await back.act(back.table["legal"][0])
    for kind in ("abort", "next_round", "rematch", "forfeit"):
        await back.say(kind)
    await back.say("kick", seat=2)
    await back.say("end", grace_s=60)
    await back.say("configure", settings={})
    await back.say("choose", game=1)
    await host.ask("forfeit")
    late = await Recorder.join(port, code, "Late", "spectator")
    await late.ask("ping", t=1)
    await late.ask("watch")
    recorded = [vars(player)["sent"] for player in (host, dora, don, back, late)]
    # The same, but in the room of those who must not be harmed.
    return [*recorded, *([text.replace(host.code, code) for text in one] for one in recorded)]


def ends(answer: dict[str, Any], number: int) -> bool:
    """Return whether it is the answer to the ping after a frame, the last one of that frame."""
    if answer["type"] == "refused":
        return bool(answer["command"] == "ping")
    return bool(answer["type"] == "pong" and answer["t"] == PINGS + number)


async def converse(
    port: int, frames: list[str], state: Callable[[], Awaitable[Any]]
) -> list[dict[str, Any]]:
    """Say all frames on one socket; each answer is legal, and a refusal has changed nothing."""
    received: list[dict[str, Any]] = []
    eve = await Player.connect(port)
    try:
        for number, frame in enumerate(frames):
            before = await state()
            await eve.socket.send(frame)
            await eve.say("ping", t=PINGS + number)
            answers: list[dict[str, Any]] = []
            while not answers or not ends(answers[-1], number):
                text = await eve.socket.recv()
                TO_CLIENT.validate_json(text)
                answers.append(json.loads(text))
            received += answers
            said_no = {answer["type"] for answer in answers} <= {"error", "refused", "pong"}
            if said_no and not any(answer.get("table") for answer in answers):
                assert await state() == before, (frame, answers)
    except ConnectionClosed:
        assert (eve.socket.close_code, eve.socket.close_reason) in FAREWELLS, frames
    await eve.leave()
    return received


async def state_of(store: Store, code: str) -> Any:
    """Return what is stored of a race, except the connections of its seats."""
    stored = await store.rooms.read(code)
    assert stored is not None
    doc = json.loads(stored.doc)
    for seat in doc["seats"]:
        for name in ("connection", "left_at", "process", "generation"):
            seat.pop(name)
    return doc, [await store.logs.read(code, 1, seat) for seat in (0, 1)]


async def test_spoilt_traffic_harms_no_other_player(
    serving: Serving, store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    sessions = SessionLimits(guesses=Rate(20, 1_000))
    rng = random.Random(20_261_121)
    async with serving(websocket=FAST, sessions=sessions) as listener:
        ada, bob = await start_race(listener.port, game="spider-2")
        recorded = await record(listener.port, ada.code)
        state = partial(state_of, store, ada.code)
        received: list[dict[str, Any]] = []
        for number in range(SOCKETS * FUZZ):
            received += await converse(listener.port, mutants(rng, recorded), state)
            if number % 10 == 0:  # the race goes on
                for player in (ada, bob):
                    ways = player.table["legal"]
                    assert (await player.act(ways[number % len(ways)]))["type"] == "acted"
        told = json.dumps(received)
        for player in (ada, bob):
            assert player.token not in told
            log = await store.logs.read(ada.code, 1, player.seat)
            assert len(log) == player.table["at"]
            assert (await player.ask("ping", t=1))["type"] == "pong"
        kinds = {message["type"] for message in received}
        assert kinds >= {"error", "refused", "joined", "room", "pong"}
        assert (await get(listener.operations_port, "/healthz")).status == 200
        await ada.ask("forfeit")
        await bob.ask("forfeit")
        assert (await bob.receive("round_over"))["n"] == 1
    assert "Traceback" not in capsys.readouterr().out


async def test_spoilt_bytes_harm_no_other_player(
    serving: Serving, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is spoilt here are the bytes of the wire: heads, frames and all."""
    rng = random.Random(7)
    async with serving(websocket=FAST) as listener:
        ada, bob = await start_race(listener.port)
        head = ask("/ws", more=f"{UPGRADE}Sec-WebSocket-Protocol: {SUBPROTOCOL}\r\n")
        whole = head + frame(message("join", room=ada.code, name="Eve"))
        for _ in range(120 * FUZZ):
            data = bytearray(whole * rng.choice([1, 1, 2]))
            for _ in range(rng.choice([0, 1, 3, 30])):
                data[rng.randrange(len(data))] = rng.randrange(256)
            reader, writer = await asyncio.open_connection("127.0.0.1", listener.port)
            cut = rng.randrange(len(data))
            for part in (data[:cut], data[cut:]):
                writer.write(bytes(part))
                await asyncio.sleep(0)
            if rng.random() < 0.5:
                writer.write_eof()
            await asyncio.sleep(0.002)
            writer.close()
            assert not reader.exception()
        for player in (ada, bob):
            assert (await player.act(player.table["legal"][0]))["type"] == "acted"
    assert not caplog.records
    assert "Traceback" not in capsys.readouterr().out
