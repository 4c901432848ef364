"""A room that this release cannot read, and the rooms beside it."""

import asyncio
import json
from typing import Any

from structlog.testing import capture_logs

from protocol.vocabulary import CloseCode
from server.store import LogRecord, StoredRoom
from tests.world.stage import Person, Stage, get, staged, start_race


def rewrite(stage: Stage, code: str, **fields: Any) -> None:
    """Change fields of a stored record, as another release does, and wait until it is read."""
    stored = stage.store.rooms[code]
    doc = json.dumps({**json.loads(stored.doc), **fields})
    stage.store.rooms[code] = StoredRoom(stored.v, doc)
    stage.store.notify(code, stored.v + 1)


async def sent_elsewhere(port: int, kind: str, **fields: Any) -> None:
    """The command is refused for now, and the socket may come back, here or elsewhere."""
    player = await Person.connect(port)
    assert (await player.ask(kind, **fields))["code"] == "try_again"
    assert await player.closed() == CloseCode.DRAINING


def lines_of(logs: list[Any], code: str) -> list[str]:
    return [line["event"] for line in logs if line["log_level"] == "error" and code in str(line)]


@staged
async def test_an_unreadable_room_harms_no_other_room(stage: Stage) -> None:
    port = stage.port
    with capture_logs() as logs:
        (good,) = await start_race(port, players=1, public=True)
        (bad,) = await start_race(port, players=1, public=True, game="spider-1")
        rewrite(stage, bad.code, state="PAUSED")
        assert await bad.closed() == CloseCode.DRAINING
        stage.store.lists.deadlines[bad.code] = 1
        for _ in range(2):
            await sent_elsewhere(port, "resume", room=bad.code, seat=0, token=bad.token)
        await sent_elsewhere(port, "join", room=bad.code, name="Bob")
        assert (await get(port, f"/api/rooms/{bad.code}/rounds/1")).status == 503

        # Other rooms are ticked, and the unreadable room is not read every second.
        await start_race(port, players=1)
        assert (await good.ask("ping", t=1))["type"] == "pong"
        await asyncio.sleep(2)
        assert await stage.store.lists.due(stage.one.store.clock.now_ms()) == []
        assert [*stage.store.lists.unreadable] == [bad.code]
    assert lines_of(logs, bad.code) == ["room cannot be read"]
    listed = json.loads((await get(port, "/api/rooms")).body)
    assert [room["code"] for room in listed["rooms"]] == [good.code]

    # It stays unchanged, and is served again once it can be read.
    assert json.loads(stage.store.rooms[bad.code].doc)["state"] == "PAUSED"
    rewrite(stage, bad.code, state="RUNNING")
    back = await bad.resume(port)
    assert (await back.race())["at"] == 0
    stage.store.lists.deadlines[bad.code] = 1
    await asyncio.sleep(5)
    assert not stage.store.lists.unreadable


@staged
async def test_a_log_that_cannot_be_played_sends_its_player_elsewhere(stage: Stage) -> None:
    ada, bob = await start_race(stage.port, spectate="boards", board_delay_s=0)
    stage.store.logs[ada.code, 1, 0] = [LogRecord(0xFFFF, 9)]  # no action of this release
    with capture_logs() as logs:
        cy = await Person.join(stage.port, ada.code, "Cy", "spectator")
        await cy.say("watch", boards=[0])
        back = await ada.resume(stage.port)
        assert await back.closed() == CloseCode.DRAINING
        assert (await bob.act(bob.table["legal"][0]))["type"] == "acted"
        await cy.ask("watch", boards=[1])
    assert lines_of(logs, ada.code) == ["room cannot be read"]
