"""A whole server whose embedded store cannot write to its disk, and what its players get.

The disk is full for the store's process alone: no file of it may grow. No privilege is needed
for that, but Linux.
"""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
import redis
from structlog.testing import capture_logs

from server.app import Tuning
from server.http.listener import Listener
from server.store import Store
from server.store.embedded import Embedded
from tests.players import Message, Player, running, start_race
from tests.server.conftest import SOON
from tests.server.http import get, until_status
from tests.servers import AT_ONCE
from tests.waiting import until

resource = pytest.importorskip("resource")
if not hasattr(resource, "prlimit"):
    pytest.skip(
        "this system lets nobody limit the files of another process", allow_module_level=True
    )

PATIENCE_S = 30
FAILS = "the store cannot write to its disk: it refuses every change"
OVER = "the store writes to its disk again"


QUICK = Tuning(rooms=SOON, store=replace(AT_ONCE, health_s=0.02))


def limit_files(store: Embedded, most: int) -> None:
    """Let no file of the store's process grow beyond this."""
    _, hard = resource.prlimit(store.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(store.pid, resource.RLIMIT_FSIZE, (most, hard))


async def fill_disk(store: Embedded) -> None:
    """Let nothing more be written, once all is on the disk that was before."""

    def written(fields: dict[str, int]) -> bool:
        return not fields["aof_buffer_length"] and not fields["aof_pending_bio_fsync"]

    with redis.Redis(unix_socket_path=str(store.socket)) as client:
        await until(lambda: written(client.info("persistence")))
    parts = (store.data.path / "appendonlydir").iterdir()
    limit_files(store, max(part.stat().st_size for part in parts) + 1)


def free_disk(store: Embedded) -> None:
    limit_files(store, resource.RLIM_INFINITY)


@asynccontextmanager
async def serving(data_dir: Path, **settings: str) -> AsyncIterator[tuple[Listener, Embedded]]:
    async with running(QUICK, data_dir=data_dir, **settings) as listener:
        store = listener.services.store
        assert isinstance(store, Store)
        assert isinstance(store.embedded, Embedded)
        yield listener, store.embedded


async def act_until(player: Player, kind: str) -> list[Message]:
    """Act until the answer is of this kind; return all answers."""
    answers: list[Message] = []
    async with asyncio.timeout(PATIENCE_S):
        while not answers or answers[-1]["type"] != kind:
            undo = "undo" if player.table["at"] % 2 else player.table["legal"][0]
            answers.append(await player.act(undo))
            await asyncio.sleep(0.05)  # as fast as a hand, or it would be shown out
    return answers


async def test_acts_are_refused_while_the_disk_is_full_and_none_is_lost(tmp_path: Path) -> None:
    with capture_logs() as logs:
        async with serving(tmp_path) as (listener, store):
            port = listener.port
            (ada,) = await start_race(port, players=1, game="spider-1", undo="any")
            await act_until(ada, "acted")
            await fill_disk(store)
            *acknowledged, refused = await act_until(ada, "refused")
            assert refused["code"] == "try_again"
            # Redis sees it with the first write that fails, which it has acknowledged already.
            assert len(acknowledged) <= 2
            await until_status(listener.operations_port, 503)
            await until(lambda: FAILS in {line["event"] for line in logs})
            page = (await get(listener.operations_port, "/metrics")).body.decode()
            assert "spider_race_store_failing 1.0" in page.splitlines()
            eve = await Player.connect(port)
            answer = await eve.ask("create", name="Eve", settings={})
            assert (answer["type"], answer["code"]) == ("refused", "try_again")
            free_disk(store)
            await until_status(listener.operations_port, 200)
            await act_until(ada, "acted")
            again = await ada.resume(port)
            assert (await again.race())["at"] == 1 + len(acknowledged) + 1
            await until(lambda: OVER in {line["event"] for line in logs})
    told = [line["event"] for line in logs if line["event"] in {FAILS, OVER}]
    assert told == [FAILS, OVER]


async def test_acts_lost_by_a_second_fault_are_sent_again_by_the_client(tmp_path: Path) -> None:
    """The disk is full, and then the store dies with what it had no space for."""
    async with serving(tmp_path) as (listener, store):
        port = listener.port
        (ada,) = await start_race(port, players=1, game="spider-1")
        first = ada.table["legal"][0]
        assert (await ada.act(first))["type"] == "acted"
        await fill_disk(store)
        second = ada.table["legal"][0]
        answer = await ada.act(second)
        while ada.table["at"] < 2 and answer["type"] == "acted":
            answer = await ada.act(second)
        at, before = ada.table["at"], store.pid
        os.kill(before, signal.SIGKILL)
        await until(lambda: store.pid not in {0, before})
        await until_status(listener.operations_port, 200)
        again = await ada.resume(port)
        await again.race()
        lost = at - again.table["at"]
        assert lost in {0, 1, 2}
        for action in [first, second][again.table["at"] : at]:
            given = {"id": again.used + 1, "at": again.table["at"], "action": action}
            again.used += 1
            assert (await again.ask("act", **given, again=True))["type"] == "acted"
        assert again.table["at"] == at
        await again.say("forfeit")
        over = await again.receive("round_over")
        assert over["ranking"][0]["restored"] == lost


async def test_with_always_nothing_is_acknowledged_that_has_no_space(tmp_path: Path) -> None:
    async with serving(tmp_path, store_fsync="always") as (listener, store):
        port = listener.port
        (ada,) = await start_race(port, players=1, game="spider-1", undo="any")
        acted = await act_until(ada, "acted")
        before = store.pid
        await fill_disk(store)
        # It ends itself rather than acknowledge, and the next one finds space.
        *acknowledged, refused = await act_until(ada, "refused")
        assert (acknowledged, refused["code"]) == ([], "try_again")
        await until(lambda: store.pid not in {0, before})
        await act_until(ada, "acted")
        again = await ada.resume(port)
        assert (await again.race())["at"] == len(acted) + 1
