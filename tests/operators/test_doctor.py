"""The findings of `doctor` about good and bad stores and machines."""

import asyncio
import json
import os
import socket
import subprocess
import tempfile
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
from server.store import Store, StoreUnusable
from server.store.inspection import MasterReport
from server.web.addresses import bind, bind_operations
from tests.players import running
from tests.servers import (
    Cluster,
    RedisServer,
    free_ports,
    opened,
    start_embedded,
    start_embedded_on_port,
)
from tests.test_deployment import REDIS, SERVER

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
    both = {**WELL.settings, **(settings or {})}
    return replace(WELL, info={**WELL.info, **info}, settings=both)


def clustered(**info: str) -> MasterReport:
    return replace(changed({}, **info), clustered=True)


def finding(findings: list[Finding], what: str) -> Finding:
    (found,) = [each for each in findings if each.what == what]
    return found


def test_a_good_store_needs_no_remedy() -> None:
    findings = list(check_master(WELL))
    assert {each.state for each in findings} == {"ok"}
    assert not any(each.mend for each in findings)


@pytest.mark.parametrize(
    ("report", "what", "state", "found"),
    [
        (MasterReport("x", {}), "store version", "warning", "unknown"),
        (MasterReport("x", {}), "persistence", "warning", "unknown"),
        (changed({"appendonly": "no"}), "persistence", "bad", "none"),
        (changed({"appendonly": "no", "save": "3600 1"}), "persistence", "warning", "snapshots o"),
        (changed({"appendfsync": "no"}), "persistence", "warning", "by the system"),
        (changed(aof_last_write_status="err"), "persistence", "bad", "failed"),
        (changed(aof_last_bgrewrite_status="err"), "persistence", "warning", "grows"),
        (changed(maxmemory_policy="allkeys-lru"), "eviction policy", "bad", "allkeys-lru"),
        (changed(used_memory="95000000"), "store memory", "warning", "95%"),
        (changed(used_memory="80000000"), "store memory", "warning", "80%"),
        (changed(maxmemory="0"), "store memory", "warning", "no limit"),
        (replace(WELL, refusal="READONLY You can't"), "writes", "bad", "replica"),
        (replace(WELL, refusal="OOM command not allowed"), "writes", "bad", "OOM"),
        (replace(WELL, refusal="NOPERM this user"), "writes", "bad", "NOPERM"),
        (replace(WELL, channel_refusal="NOPERM no"), "channels", "bad", "NOPERM"),
        (replace(WELL, ahead_ms=90_000), "clock", "warning", "90.0 s ahead of"),
        (replace(WELL, ahead_ms=-2_000), "clock", "warning", "2.0 s behind"),
        (replace(WELL, wrong_types=("deadlines",)), "keys", "bad", "deadlines"),
        (clustered(cluster_state="fail"), "cluster", "bad", "fail"),
        (clustered(cluster_state="ok", connected_slaves="0"), "cluster", "warning", "no replica"),
    ],
)
def test_a_sick_store_gets_a_mend(report: MasterReport, what: str, state: str, found: str) -> None:
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
        # As shipped with Caddy, which passes the host on.
        ({"trusted_proxies": (ip_network("10.0.0.0/8"),)}, "public URL", "ok"),
        ({"public_url": "http://127.0.0.1:1"}, "proxy headers", "warning"),
        ({"trusted_proxies": (ip_network("0.0.0.0/0"),)}, "proxy headers", "warning"),
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


@pytest.mark.parametrize(
    "spoil",
    [
        "mv data/appendonlydir .",
        "rm data/appendonlydir/appendonly.aof.manifest",
        "rm data/appendonlydir/appendonly.aof.1.base.rdb",
        "rm data/lock && mkdir data/lock",
        "rm data/lock && touch data/theirs && chmod 755 data",
        "mv data away && ln -s data data",
        "mv data away && touch data",
    ],
    ids=["no files", "no manifest", "no base", "lock", "open", "loop", "file"],
)
async def test_a_directory_that_a_start_refuses_is_bad(tmp_path: Path, spoil: str) -> None:
    path = tmp_path / "data"
    async with opened(None, path):
        pass
    assert (await examined(data_dir=path))[0] == 0
    await asyncio.to_thread(subprocess.run, ["sh", "-ec", spoil], cwd=tmp_path, check=True)
    for each in [path] if path.is_dir() else [path, path / "below"]:
        code, rows = await examined(data_dir=each)
        found = by_what(rows)["data directory"]
        assert (code, found["state"]) == (1, "bad"), found
        with pytest.raises(StoreUnusable):
            await Store.open(None, each)


async def test_an_embedded_store_without_a_program_is_bad(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.store.embedded._programs", lambda: iter(()))
    code, (store, *_) = await examined(data_dir=tmp_path)
    assert (code, store["state"], "finds no program" in store["found"]) == (1, "bad", True)


async def test_port_and_store_must_be_of_one_server(tmp_path: Path, server: RedisServer) -> None:
    """Regression: the port or the directory of another installation passed."""
    other = tmp_path / "other"
    async with running(data_dir=other) as listener:
        theirs = {"port": listener.port, "data_dir": other}
        (free,) = free_ports(1)
        for options, bad in (
            (theirs, set()),
            ({**theirs, "data_dir": tmp_path / "mine"}, {"port"}),
            ({**theirs, "redis_url": server.url}, {"port"}),
            ({**theirs, "port": free}, {"data directory"}),
        ):
            code, rows = await examined(**options)
            assert {row["what"] for row in rows if row["state"] == "bad"} == bad, options
            assert code == len(bad)


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"host": "a..b"}, "port"),
        ({"host": "192.0.2.1"}, "port"),
        ({"operations": "a..b:8001"}, "operators' port"),
        ({"host": "0.0.0.0", "operations": "127.0.0.1:{port}"}, "operators' port"),  # noqa: S104
        ({"workers": 2, "operations": "127.0.0.1:{port}"}, "operators' port"),
    ],
)
def test_an_address_that_cannot_be_listened_on_is_bad(options: dict[str, Any], what: str) -> None:
    (port,) = free_ports(1)
    if where := options.get("operations"):
        options = {**options, "operations": where.format(port=port)}
    config = Config(**{**FREE, "port": port, **options})
    assert finding(list(check_machine(config)), what).state == "bad"
    with pytest.raises(OSError, match="port"), bind(config):
        bind_operations(config, port)


def test_several_workers_need_a_folder_for_temporary_files(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("server.__main__.run", asyncio.run)
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(tempfile, "_candidate_tempdir_list", lambda: ["/proc/none"])
    config = Config(**{**FREE, "workers": 2, "data_dir": tmp_path})
    assert finding(list(check_machine(config)), "temporary files").state == "bad"
    where = ("--host", "127.0.0.1", "--port", "0", "--data-dir", str(tmp_path))
    assert main([*where, "--workers", "2"]) == 2
    assert "Cannot start: No usable temporary directory" in capsys.readouterr().err


async def test_shipped_containers_pass(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """They have no public URL, since they have no name; limits of files depend on the machine."""
    for name, value in SERVER["environment"].items():
        monkeypatch.setenv(name, value)
    with start_embedded(tmp_path, *map(str, REDIS["command"][1:])) as store:
        monkeypatch.setenv("SPIDER_RACE_REDIS_URL", store.url)
        async with running(redis_url=store.url) as listener:
            options = DoctorOptions.model_validate({"port": listener.port, "json": True})
            answer = await examine(options)
    rows = [row for row in json.loads(answer.text) if row["what"] != "file descriptors"]
    assert [row for row in rows if row["state"] != "ok"] == []
    assert answer.code == 0


def names_in(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


async def examined(**options: Any) -> tuple[int, list[dict[str, str]]]:
    """Return the exit code of `doctor`, and its rows."""
    output = await examine(DoctorOptions(**{**FREE, **options, "json": True}))
    return output.code, json.loads(output.text)


def by_what(rows: list[dict[str, str]]) -> dict[str, dict[str, str]]:
    return {row["what"]: row for row in rows}


async def test_a_running_embedded_store_is_examined_beside_its_server(tmp_path: Path) -> None:
    """It changes nothing, and does not need the lock of the directory."""
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
    assert (code, states["keys"], states["eviction policy"]) == (1, "bad", "bad")
    assert "data directory" not in states
    table = await examine(DoctorOptions(**FREE, redis_url=server.url))
    assert (table.code, "allkeys-lru" in table.text) == (1, True)


async def test_only_bad_findings_fail(server: RedisServer) -> None:
    code, rows = await examined(redis_url=server.url)
    states = {what: row["state"] for what, row in by_what(rows).items()}
    assert (code, states["store memory"], "bad" in states.values()) == (0, "warning", False)


async def test_each_master_of_a_cluster_is_examined(cluster: Cluster) -> None:
    code, rows = await examined(redis_url=cluster.url)
    assert code == 0
    assert len([row for row in rows if row["what"] == "cluster"]) == 3
    assert {row["state"] for row in rows if row["what"] == "writes"} == {"ok"}


async def test_a_redis_of_the_other_kind_is_bad(cluster: Cluster, tmp_path: Path) -> None:
    """Regression: a node of a cluster by a plain address passed, and no server started."""
    node = cluster.url.replace("+cluster", "").partition(",")[0]
    single, port = start_embedded_on_port(tmp_path)
    with single:
        clustered_url = f"redis+cluster://127.0.0.1:{port}"
        for url, kind in ((node, "a cluster"), (clustered_url, "no cluster")):
            code, (store, *_) = await examined(redis_url=url)
            assert (code, store["state"], kind in store["found"]) == (1, "bad", True)
            with pytest.raises(StoreUnusable) as refused:
                await Store.open(url, tmp_path)
            assert str(refused.value) == store["found"]


async def test_a_wrong_password_gets_advice(server: RedisServer, client: redis.Redis) -> None:
    client.config_set("requirepass", "secret")
    for end, found in (("", "asks for a"), ("?password=wrong", "refuses the user or")):
        code, (first, *_) = await examined(redis_url=f"{server.url}{end}")
        assert code == 1
        assert f"{found} password" in first["found"]
        assert "wrong" not in first["found"]
        # Nobody is told to start a Redis that runs.
        assert first["mend"].startswith("It runs: give the right user")


@pytest.mark.parametrize(
    ("words", "found", "mend"),
    [
        (("CONFIG", "SET", "maxmemory", "1"), "OOM ", "Raise --store-memory, or maxmemory of"),
        (("REPLICAOF", "127.0.0.1", "1"), "this is a replica", "Give the address of the master."),
    ],
)
async def test_a_store_that_takes_no_writes_is_not_blamed_on_the_rights_of_its_user(
    server: RedisServer, client: redis.Redis, words: tuple[str, ...], found: str, mend: str
) -> None:
    """Regression: redis-py leaves out the code of an error, such as OOM."""
    client.execute_command(*words)  # type: ignore[no-untyped-call]  # redis-py's own
    row = by_what((await examined(redis_url=server.url))[1])["writes"]
    assert (row["state"], row["found"].startswith(found)) == ("bad", True)
    assert row["mend"].startswith(mend)


RIGHTS = [
    (("~*", "&*"), "", set()),
    (("~race1:*", "&race1:*"), "race1:", set()),
    (("~race1:*", "&race1:*"), "", {"writes", "channels"}),
    (("~race1:*", "&race1:*"), "race2:", {"writes", "channels"}),
    (("~*", "resetchannels"), "", {"channels"}),
    (("~*", "&*", "-ssubscribe"), "", {"channels"}),
    *((("~*", "&*", f"-{name}"), "", {"writes"}) for name in ("set", "time", "script", "ping")),
    (("%R~*", "&*"), "", {"writes"}),
    (("~*", "&*", "-config", "-client"), "", set()),
]
"""The rights of a user of the store, the prefix of its keys, and the bad findings."""


async def test_a_user_without_the_rights_to_keys_or_channels_is_seen(
    server: RedisServer, client: redis.Redis
) -> None:
    url = server.url.replace("unix://", "unix://race:x@")
    for rights, prefix, found in RIGHTS:
        user = ("reset", "on", ">x", "+@all", *rights)
        client.execute_command("ACL", "SETUSER", "race", *user)  # type: ignore[no-untyped-call]  # redis-py's own
        _, rows = await examined(redis_url=url, redis_prefix=prefix)
        assert {row["what"] for row in rows if row["state"] == "bad"} == found, rights
        assert not client.keys("*")


def test_misspelled_variables_are_reported_with_the_nearest_name(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SPIDER_RACE_TRUSTED_PROXY", "10.0.0.1")
    monkeypatch.setenv("SPIDER_RACE_XYZZY", "1")
    monkeypatch.setenv("spider_race_bots", "5")
    monkeypatch.setenv("SPIDER_RACE_EMPTY", "")  # as compose passes those that are not set
    monkeypatch.setenv("SPIDER_RACE_HOME", "https://race.example")
    assert main(["doctor", "--json", "--port", "0", "--redis-url", "redis://127.0.0.1:1"]) == 1
    rows = json.loads(capsys.readouterr().out)
    assert [row["found"] for row in rows if "No Redis answers at 127.0.0.1:1" in row["found"]]
    assert {row["found"]: row["mend"] for row in rows if row["what"] == "variables"} == {
        "SPIDER_RACE_TRUSTED_PROXY: there is no such option": "Write SPIDER_RACE_TRUSTED_PROXIES.",
        "SPIDER_RACE_XYZZY: there is no such option": "Remove it; spider-race --help has all "
        "options.",
    }
