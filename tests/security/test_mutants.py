"""Messages with errors, and corrupted bytes, during a race of other people."""

import asyncio
import json
import random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from protocol.from_client import Create, Start
from protocol.settings import Settings
from protocol.vocabulary import SUBPROTOCOL
from tests.players import start_race
from tests.protocol.messages import messages, nearly, written
from tests.security import scripts
from tests.security.effort import FUZZ, fuzzed
from tests.security.knowledge import check
from tests.security.raw import frame, message
from tests.server.conftest import FAST, Serving
from tests.web.test_requests import UPGRADE, ask
from tests.world.world import World, play


def state_of(world: World, code: str) -> Any:
    """Return the stored race, without the connections of its seats."""
    doc = json.loads(world.store.rooms[code].doc)
    for seat in doc["seats"]:
        for name in ("connection", "left_at", "process", "generation"):
            seat.pop(name)
    return doc, {place: [*log] for place, log in world.store.logs.items()}


def in_her_own_room(**settings: Any) -> list[str]:
    """Return the messages that start a race alone."""
    steps = (Create(name="Eve", settings=Settings(max_players=1, **settings)), Start())
    return [json.dumps(written(step)) for step in steps]


@example("Eve", in_her_own_room(deal="seed", seed="0" * 32))
@example("Eve", in_her_own_room(deal="numbered", layout="spread"))
@given(
    st.sampled_from(["Bob", "Don", "Eve"]),
    st.lists(nearly() | messages.map(written).map(json.dumps), min_size=1, max_size=12),
)
@fuzzed(15)
def test_messages_with_errors_harm_no_other_player(who: str, texts: list[str]) -> None:
    """The sender is an opponent, a spectator or somebody without a seat."""

    async def script(world: World) -> None:
        await scripts.script(Settings(), [])(world)
        world.sit("Eve")
        ada, sender = world.people["Ada"], world.people[who]
        for text in texts:
            before = state_of(world, ada.room)
            answers = len(sender.received)
            await world.send(who, text)
            if {answer["type"] for answer in sender.received[answers:]} <= {"error", "refused"}:
                assert state_of(world, ada.room) == before
        await world.act("Ada", ada.table["legal"][0])
        assert "acted" in ada.types()

    check(play(script))


async def test_corrupted_bytes_harm_no_other_player(
    serving: Serving, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
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
