"""What the doctor says of stores and machines, well and sick."""

import json
import os
import socket
from collections.abc import Iterator
from dataclasses import replace
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
import redis

from server.__main__ import main
from server.config import Config, DoctorOptions
from server.operators.doctor import (
    Finding,
    check_machine,
    check_master,
    examine,
    judge_descriptors,
    judge_disk,
)
from server.store.masters import MasterReport
from tests.players import running
from tests.servers import Cluster, RedisServer, opened, start_embedded

WELL = MasterReport(
    "127.0.0.1:6379",
    {
        "redis_version": "7.2.4",
        "role": "master",
        "aof_enabled": "1",
        "used_memory": "1000000",
        "maxmemory": "100000000",
        "maxmemory_policy": "noeviction",
    },
    {"appendonly": "yes", "appendfsync": "everysec", "save": ""},
)
FREE: dict[str, Any] = {"host": "127.0.0.1", "port": 0}


def changed(settings: dict[str, str] | None = None, **info: str) -> MasterReport:
    return replace(
        WELL, info={**WELL.info, **info}, settings={**WELL.settings, **(settings or {})}
    )


def clustered(**info: str) -> MasterReport:
    return replace(changed({}, **info), clustered=True)


def finding(findings: list[Finding], what: str) -> Finding:
    (found,) = [each for each in findings if each.what == what]
    return found


def test_a_store_that_is_well_needs_nothing() -> None:
    findings = list(check_master(WELL))
    assert {each.state for each in findings} == {"ok"}
    assert not any(each.mend for each in findings)


@pytest.mark.parametrize(
    ("report", "what", "state", "found"),
    [
        (changed(redis_version="6.2.14"), "store version", "bad", "6.2.14"),
        (changed(redis_version="unstable"), "store version", "bad", "unstable"),
        (MasterReport("x", {}), "store version", "warning", "unknown"),
        (MasterReport("x", {}), "persistence", "warning", "unknown"),
        (changed({"appendonly": "no"}), "persistence", "bad", "none"),
        (changed({"appendonly": "no", "save": "3600 1"}), "persistence", "warning", "snapshots o"),
        (changed({"appendfsync": "no"}), "persistence", "warning", "by the system"),
        (changed(aof_last_write_status="err"), "persistence", "bad", "failed"),
        (changed(aof_last_bgrewrite_status="err"), "persistence", "warning", "grows"),
        (changed(maxmemory_policy="allkeys-lru"), "eviction policy", "bad", "allkeys-lru"),
        (changed(used_memory="95000000"), "store memory", "bad", "95%"),
        (changed(used_memory="80000000"), "store memory", "warning", "80%"),
        (changed(maxmemory="0"), "store memory", "warning", "no limit"),
        (replace(WELL, refusal="READONLY You can't"), "writes", "bad", "replica"),
        (replace(WELL, refusal="OOM command not allowed"), "writes", "bad", "OOM"),
        (replace(WELL, refusal="NOPERM this user"), "writes", "bad", "NOPERM"),
        (replace(WELL, channel_refusal="NOPERM no"), "channels", "bad", "NOPERM"),
        (replace(WELL, ahead_ms=90_000), "clock", "warning", "90.0 s ahead of"),
        (replace(WELL, ahead_ms=-2_000), "clock", "warning", "2.0 s behind"),
        (replace(WELL, types={"deadlines": "string"}), "keys", "bad", "deadlines"),
        (clustered(cluster_state="fail"), "cluster", "bad", "fail"),
        (clustered(cluster_state="ok", connected_slaves="0"), "cluster", "warning", "no replica"),
    ],
)
def test_a_sick_store_is_named_with_its_mend(
    report: MasterReport, what: str, state: str, found: str
) -> None:
    one = finding(list(check_master(report)), what)
    assert one.state == state
    assert found in one.found
    assert one.mend.endswith(".")


def test_few_descriptors_and_a_full_disk_are_named() -> None:
    states = ["bad", "warning", "ok"]
    assert [judge_descriptors(limit)[0] for limit in (100, 1_024, 65_536)] == states
    assert [judge_disk(free)[0] for free in (1 << 20, 500 << 20, 9 << 30)] == states


def test_a_taken_port_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        config = Config(host="127.0.0.1", port=port, data_dir=tmp_path)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("server.operators.doctor.ANSWER_WITHIN_S", 0.2)
            one = finding(list(check_machine(config)), "port")
    assert (one.state, str(port) in one.found) == ("bad", True)


@pytest.mark.parametrize(
    ("options", "what", "state"),
    [
        ({"public_url": "http://127.0.0.1:1"}, "public URL", "warning"),
        ({"trusted_proxies": (ip_network("10.0.0.0/8"),)}, "public URL", "warning"),
        ({"public_url": "http://127.0.0.1:1"}, "proxy headers", "warning"),
        ({"trusted_proxies": (ip_network("0.0.0.0/0"),)}, "proxy headers", "bad"),
        ({"trusted_proxies": (ip_network("10.0.0.0/8"),)}, "proxy headers", "ok"),
        ({}, "proxy headers", "ok"),
        ({}, "operators' port", "ok"),
        ({"operations": "127.0.0.1:0"}, "operators' port", "ok"),
        ({"operations": "0.0.0.0:0"}, "operators' port", "warning"),
    ],
)
def test_options_that_do_not_fit_a_proxy_are_named(
    options: dict[str, object], what: str, state: str
) -> None:
    config = Config.model_validate({**FREE, **options})
    assert finding(list(check_machine(config)), what).state == state


def directory_finding(path: Path, what: str = "data directory") -> Finding:
    config = Config(host="127.0.0.1", port=0, data_dir=path)
    return finding(list(check_machine(config)), what)


def test_a_directory_that_others_can_open_is_named(tmp_path: Path) -> None:
    for mode, state in ((0o755, "warning"), (0o700, "ok")):
        tmp_path.chmod(mode)
        assert directory_finding(tmp_path).state == state
    assert directory_finding(tmp_path / "none" / "yet", "free disk").found
    assert not (tmp_path / "none").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can look at directories of others")
def test_root_may_examine_the_directory_of_a_service(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.chown(tmp_path, 10_001, -1)
    tmp_path.chmod(0o700)
    one = directory_finding(tmp_path)
    assert (one.state, "uid 10001" in one.found) == ("ok", True)
    monkeypatch.setattr(os, "geteuid", lambda: 1_000)
    one = directory_finding(tmp_path)
    assert (one.state, "belongs to another user" in one.found) == ("bad", True)


def names_in(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


async def examined(**options: Any) -> tuple[int, list[dict[str, str]]]:
    """Return the exit code of the doctor, and the rows."""
    answer = await examine(DoctorOptions(**{**FREE, **options}, as_json=True))
    return answer.code, json.loads(answer.text)


def by_what(rows: list[dict[str, str]]) -> dict[str, dict[str, str]]:
    return {row["what"]: row for row in rows}


async def test_a_running_embedded_store_is_examined_beside_its_server(tmp_path: Path) -> None:
    """Nothing is changed, and the lock of the directory is not needed."""
    absent = await examine(DoctorOptions(**FREE, data_dir=tmp_path / "new"))
    assert "does not run" in absent.text
    assert not (tmp_path / "new").exists()
    async with opened(None, tmp_path) as store:
        before = names_in(tmp_path)
        rows = by_what((await examined(data_dir=tmp_path))[1])
        assert names_in(tmp_path) == before
        await store.ping()
    assert "embedded, runs" in rows["store"]["found"]
    for what in ("store version", "writes", "persistence", "eviction policy", "store memory"):
        assert rows[what]["state"] == "ok", rows[what]


async def test_a_server_that_runs_holds_its_ports_rightly(tmp_path: Path) -> None:
    async with running(data_dir=tmp_path) as listener:
        _, found = await examined(
            port=listener.port,
            operations=str(listener.operations_port),
            public_url=f"http://localhost:{listener.port}",
            data_dir=tmp_path,
        )
    rows = by_what(found)
    assert "a Spider Race serves there" in rows["port"]["found"]
    assert {rows[what]["state"] for what in ("port", "operators' port", "public URL")} == {"ok"}


@pytest.fixture
def client(server: RedisServer) -> Iterator[redis.Redis]:
    with redis.Redis(unix_socket_path=str(server.socket)) as client:
        yield client


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisServer]:
    with start_embedded(tmp_path) as server:
        yield server


async def test_a_redis_is_not_changed(server: RedisServer, client: redis.Redis) -> None:
    client.set("clock", "not a hash")
    client.config_set("maxmemory-policy", "allkeys-lru")
    before = {key: client.dump(key) for key in client.keys("*")}
    code, rows = await examined(redis_url=server.url)
    assert {key: client.dump(key) for key in client.keys("*")} == before
    assert client.config_get("maxmemory-policy") == {"maxmemory-policy": "allkeys-lru"}
    states = {what: row["state"] for what, row in by_what(rows).items()}
    assert (code, states["keys"], states["eviction policy"]) == (2, "bad", "bad")
    assert "data directory" not in states
    table = await examine(DoctorOptions(**FREE, redis_url=server.url))
    assert (table.code, "allkeys-lru" in table.text) == (2, True)


async def test_each_master_of_a_cluster_is_examined(cluster: Cluster) -> None:
    _, rows = await examined(redis_url=cluster.url)
    assert len([row for row in rows if row["what"] == "cluster"]) == 3
    assert {row["state"] for row in rows if row["what"] == "writes"} == {"ok"}


async def test_a_store_that_asks_for_a_password_is_told_from_others(
    server: RedisServer, client: redis.Redis
) -> None:
    client.config_set("requirepass", "secret")
    for end, found in (("", "asks for a"), ("?password=wrong", "refuses the user or")):
        code, (first, *_) = await examined(redis_url=f"{server.url}{end}")
        assert code == 2
        assert f"{found} password" in first["found"]
        assert "wrong" not in first["found"]
        # Nobody is sent to start what runs.
        assert first["mend"].startswith("It runs: give the right user")


RIGHTS = [
    (("~*", "&*"), "", set()),
    (("~race1:*", "&race1:*"), "race1:", set()),
    (("~race1:*", "&race1:*"), "", {"writes", "channels"}),
    (("~race1:*", "&race1:*"), "race2:", {"writes", "channels"}),
    (("~*", "resetchannels"), "", {"channels"}),
    (("~*", "&*", "-ssubscribe"), "", {"channels"}),
]
"""The rights of a user of the store, the prefix of its keys, and what is bad then."""


async def test_a_user_without_the_rights_to_keys_or_channels_is_seen(
    server: RedisServer, client: redis.Redis
) -> None:
    url = server.url.replace("unix://", "unix://race:x@")
    for rights, prefix, found in RIGHTS:
        user = ("reset", "on", ">x", "+@all", *rights)
        client.execute_command("ACL", "SETUSER", "race", *user)  # type: ignore[no-untyped-call]  # redis-py's own
        _, rows = await examined(redis_url=url, redis_prefix=prefix)
        assert {row["what"] for row in rows if row["state"] == "bad"} == found, rights


def test_misspelled_variables_are_reported_with_the_nearest_name(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SPIDER_RACE_TRUSTED_PROXY", "10.0.0.1")
    monkeypatch.setenv("SPIDER_RACE_XYZZY", "1")
    monkeypatch.setenv("spider_race_bots", "5")
    monkeypatch.setenv("SPIDER_RACE_EMPTY", "")  # as compose passes those that are not set
    monkeypatch.setenv("SPIDER_RACE_HOME", "https://race.example")
    assert main(["doctor", "--json", "--port", "0", "--redis-url", "redis://127.0.0.1:1"]) == 2
    rows = json.loads(capsys.readouterr().out)
    assert [row["found"] for row in rows if "No Redis answers at 127.0.0.1:1" in row["found"]]
    assert {row["found"]: row["mend"] for row in rows if row["what"] == "variables"} == {
        "SPIDER_RACE_TRUSTED_PROXY: there is no such option": "Write SPIDER_RACE_TRUSTED_PROXIES.",
        "SPIDER_RACE_XYZZY: there is no such option": "Remove it; spider-race --help has all "
        "options.",
    }
