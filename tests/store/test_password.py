"""A password that an operator changes while servers run."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import redis
from structlog.testing import capture_logs

from tests.players import Player, running
from tests.server.http import until_status
from tests.servers import RedisServer
from tests.waiting import until, until_answer


@pytest.fixture
def operator(server: RedisServer) -> Iterator[redis.Redis]:
    """Yield a connection with all rights that no change of a password touches."""
    with redis.Redis(unix_socket_path=str(server.socket)) as client:
        ask(client, "ACL", "SETUSER", "boss", "on", ">boss", "allkeys", "+@all", "&*")
        ask(client, "AUTH", "boss", "boss")
        yield client


def ask(client: redis.Redis, *words: str) -> Any:
    return client.execute_command(*words)  # type: ignore[no-untyped-call]  # redis-py's own


@pytest.mark.parametrize(
    ("given", "reason"),
    [("", "Redis asks for a password"), (":old@", "Redis refuses the user or password")],
    ids=["none is given", "another is given"],
)
@pytest.mark.faults
async def test_the_log_names_a_password_that_changed_and_the_server_goes_on(
    tmp_path: Path, server: RedisServer, operator: redis.Redis, given: str, reason: str
) -> None:
    old = "nopass" if not given else ">old"
    ask(operator, "ACL", "SETUSER", "default", "resetpass", old)
    url = f"unix://{given}{server.socket}"
    with capture_logs() as logs:
        async with running(redis_url=url, data_dir=tmp_path) as listener:
            ada = await Player.create(listener.port, "Ada")
            await until_status(listener.operations_port, 200)
            ask(operator, "ACL", "SETUSER", "default", "resetpass", ">new")
            _end_connections(operator)
            await until_status(listener.operations_port, 503)
            assert (await ada.ask("ready"))["code"] == "try_again"
            await until(lambda: _said(logs, reason))
            ask(operator, "ACL", "SETUSER", "default", "resetpass", old)
            await until_status(listener.operations_port, 200)
            await until_answer(
                lambda: ada.ask("ready"), lambda answer: answer["type"] in {"room", "changes"}
            )
    assert 1 <= len(_said(logs, reason)) <= 2  # of the sweep, and of the heartbeats
    assert not [line for line in logs if line.get("exc_info") or "old" in str(line.get("why"))]


def _said(logs: Sequence[Any], reason: str) -> list[Any]:
    away = [line for line in logs if line["event"] == "the store is away"]
    return [line for line in away if line["why"].startswith(reason)]


def _end_connections(operator: redis.Redis) -> None:
    own = ask(operator, "CLIENT", "ID")
    for client in operator.client_list():
        if int(client["id"]) != own:
            ask(operator, "CLIENT", "KILL", "ID", client["id"])
