"""What the doctor says of stores and machines, well and sick."""

import json
import os
import socket
from dataclasses import replace
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
import redis

from server.__main__ import main
from server.config import Config, DoctorOptions
from server.operators.doctor import examine
from server.operators.findings import Finding, State, bad, exit_code, ok, warning
from server.operators.machine_checks import check_machine, judge_descriptors, judge_disk
from server.operators.store_checks import check_master
from server.store.master_reports import MasterReport
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


def changed(
    info: dict[str, str] | None = None, settings: dict[str, str] | None = None, **fields: Any
) -> MasterReport:
    now_info = {**WELL.info, **(info or {})}
    now_settings = {**WELL.settings, **(settings or {})}
    return replace(WELL, info=now_info, settings=now_settings, **fields)


def finding(findings: list[Finding], what: str) -> Finding:
    (found,) = [each for each in findings if each.what == what]
    return found


def test_a_store_that_is_well_needs_nothing() -> None:
    findings = list(check_master(WELL))
    assert {each.state for each in findings} == {State.OK}
    assert not any(each.mend for each in findings)


@pytest.mark.parametrize(
    ("report", "what", "state", "found"),
    [
        (changed({"redis_version": "6.2.14"}), "store version", "bad", "6.2.14"),
        (changed({"redis_version": "unstable"}), "store version", "bad", "unstable"),
        (MasterReport("x", {}), "store version", "warning", "unknown"),
        (MasterReport("x", {}), "persistence", "warning", "unknown"),
        (changed(settings={"appendonly": "no"}), "persistence", "bad", "none"),
        (
            changed(settings={"appendonly": "no", "save": "3600 1"}),
            "persistence",
            "warning",
            "snapshots only",
        ),
        (changed(settings={"appendfsync": "no"}), "persistence", "warning", "by the system"),
        (changed({"aof_last_write_status": "err"}), "persistence", "bad", "failed"),
        (changed({"aof_last_bgrewrite_status": "err"}), "persistence", "warning", "grows"),
        (changed({"maxmemory_policy": "allkeys-lru"}), "eviction policy", "bad", "allkeys-lru"),
        (changed({"used_memory": "95000000"}), "store memory", "bad", "95%"),
        (changed({"used_memory": "80000000"}), "store memory", "warning", "80%"),
        (changed({"maxmemory": "0"}), "store memory", "warning", "no limit"),
        (changed(refusal="READONLY You can't"), "writes", "bad", "replica"),
        (changed(refusal="OOM command not allowed"), "writes", "bad", "OOM"),
        (changed(refusal="NOPERM this user"), "writes", "bad", "NOPERM"),
        (replace(WELL, channel_refusal="NOPERM no"), "channels", "bad", "NOPERM"),
        (changed(ahead_ms=90_000), "clock", "warning", "90.0 s ahead of"),
        (changed(ahead_ms=-2_000), "clock", "warning", "2.0 s behind"),
        (changed(types={"deadlines": "string"}), "keys", "bad", "deadlines"),
        (changed({"cluster_state": "fail"}, clustered=True), "cluster", "bad", "fail"),
        (
            changed({"cluster_state": "ok", "connected_slaves": "0"}, clustered=True),
            "cluster",
            "warning",
            "no replica",
        ),
    ],
)
def test_a_sick_store_is_named_with_its_mend(
    report: MasterReport, what: str, state: str, found: str
) -> None:
    one = finding(list(check_master(report)), what)
    assert one.state == state
    assert found in one.found
    assert one.mend.endswith(".")


def test_the_exit_code_is_that_of_the_worst() -> None:
    assert exit_code([]) == 0
    assert exit_code([ok("a", "")]) == 0
    assert exit_code([ok("a", ""), warning("b", "", "Do.")]) == 1
    assert exit_code([bad("c", "", "Do."), warning("b", "", "Do."), ok("a", "")]) == 2


def test_few_descriptors_and_a_full_disk_are_named() -> None:
    states = ["bad", "warning", "ok"]
    assert [judge_descriptors(limit).state for limit in (100, 1_024, 65_536)] == states
    assert [judge_disk(free).state for free in (1 << 20, 500 << 20, 9 << 30)] == states


def test_a_taken_port_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        config = Config(host="127.0.0.1", port=port, data_dir=tmp_path)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("server.operators.machine_checks.ANSWER_WITHIN_S", 0.2)
            one = finding(list(check_machine(config, embedded=True)), "port")
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
    assert finding(list(check_machine(config, embedded=False)), what).state == state


def test_a_directory_that_others_can_open_is_named(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    config = Config(host="127.0.0.1", port=0, data_dir=tmp_path)
    assert finding(list(check_machine(config, embedded=True)), "data directory").state == "warning"
    tmp_path.chmod(0o700)
    assert finding(list(check_machine(config, embedded=True)), "data directory").state == "ok"
    missing = config.model_copy(update={"data_dir": tmp_path / "none" / "yet"})
    assert finding(list(check_machine(missing, embedded=True)), "free disk").found
    assert not (tmp_path / "none").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can look at directories of others")
def test_root_may_examine_the_directory_of_a_service(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.chown(tmp_path, 10_001, -1)
    tmp_path.chmod(0o700)
    config = Config(host="127.0.0.1", port=0, data_dir=tmp_path)
    one = finding(list(check_machine(config, embedded=True)), "data directory")
    assert (one.state, "uid 10001" in one.found) == ("ok", True)
    monkeypatch.setattr(os, "geteuid", lambda: 1_000)
    one = finding(list(check_machine(config, embedded=True)), "data directory")
    assert (one.state, "belongs to another user" in one.found) == ("bad", True)


def everything(server: RedisServer) -> dict[bytes, bytes]:
    with redis.Redis(unix_socket_path=str(server.socket)) as client:
        return {key: client.dump(key) for key in client.keys("*")}


def names_in(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


async def test_a_running_embedded_store_is_examined_beside_its_server(tmp_path: Path) -> None:
    """Nothing is changed, and the lock of the directory is not needed."""
    absent = await examine(DoctorOptions(**FREE, data_dir=tmp_path / "new"))
    assert "does not run" in absent.text
    assert not (tmp_path / "new").exists()
    async with opened(None, tmp_path) as store:
        before = names_in(tmp_path)
        answer = await examine(DoctorOptions(**FREE, data_dir=tmp_path, as_json=True))
        assert names_in(tmp_path) == before
        await store.ping()
    rows = {row["what"]: row for row in json.loads(answer.text)}
    assert "embedded, runs" in rows["store"]["found"]
    for what in ("store version", "writes", "persistence", "eviction policy", "store memory"):
        assert rows[what]["state"] == "ok", rows[what]


async def test_a_server_that_runs_holds_its_ports_rightly(tmp_path: Path) -> None:
    async with running(data_dir=tmp_path) as listener:
        options = DoctorOptions(
            host="127.0.0.1",
            port=listener.port,
            operations=str(listener.operations_port),
            public_url=f"http://localhost:{listener.port}",
            data_dir=tmp_path,
            as_json=True,
        )
        rows = {row["what"]: row for row in json.loads((await examine(options)).text)}
    assert "a Spider Race serves there" in rows["port"]["found"]
    assert {rows[what]["state"] for what in ("port", "operators' port", "public URL")} == {"ok"}


async def test_a_redis_is_not_changed(tmp_path: Path) -> None:
    with (
        start_embedded(tmp_path) as server,
        redis.Redis(unix_socket_path=str(server.socket)) as client,
    ):
        client.set("clock", "not a hash")
        client.config_set("maxmemory-policy", "allkeys-lru")
        before = everything(server)
        answer = await examine(DoctorOptions(**FREE, redis_url=server.url, as_json=True))
        assert everything(server) == before
        assert client.config_get("maxmemory-policy") == {"maxmemory-policy": "allkeys-lru"}
    assert answer.code == 2
    states = {row["what"]: row["state"] for row in json.loads(answer.text)}
    assert (states["keys"], states["eviction policy"]) == ("bad", "bad")


async def test_each_master_of_a_cluster_is_examined(cluster: Cluster) -> None:
    answer = await examine(DoctorOptions(**FREE, redis_url=cluster.url, as_json=True))
    rows = json.loads(answer.text)
    assert len([row for row in rows if row["what"] == "cluster"]) == 3
    assert {row["state"] for row in rows if row["what"] == "writes"} == {"ok"}


async def test_a_store_that_asks_for_a_password_is_told_from_others(tmp_path: Path) -> None:
    with start_embedded(tmp_path, "--requirepass", "secret") as server:
        answer = await examine(DoctorOptions(**FREE, redis_url=server.url, as_json=True))
        wrong = f"{server.url}?password=wrong"
        refused = await examine(DoctorOptions(**FREE, redis_url=wrong, as_json=True))
    assert "asks for a password" in json.loads(answer.text)[0]["found"]
    assert "refuses the user or password" in json.loads(refused.text)[0]["found"]
    assert "wrong" not in refused.text
    assert (answer.code, refused.code) == (2, 2)
    for told in (answer, refused):  # nobody is sent to start what runs
        assert json.loads(told.text)[0]["mend"].startswith("It runs: give the right user")


RIGHTS = [
    (("~*", "&*"), "", set()),
    (("~race1:*", "&race1:*"), "race1:", set()),
    (("~race1:*", "&race1:*"), "", {"writes", "channels"}),
    (("~race1:*", "&race1:*"), "race2:", {"writes", "channels"}),
    (("~*", "resetchannels"), "", {"channels"}),
    (("~*", "&*", "-ssubscribe"), "", {"channels"}),
]
"""The rights of a user of the store, the prefix of its keys, and what is bad then."""


async def test_a_user_without_the_rights_to_keys_or_channels_is_seen(tmp_path: Path) -> None:
    with (
        start_embedded(tmp_path) as server,
        redis.Redis(unix_socket_path=str(server.socket)) as client,
    ):
        url = server.url.replace("unix://", "unix://race:x@")
        for rights, prefix, found in RIGHTS:
            user = ("reset", "on", ">x", "+@all", *rights)
            client.execute_command("ACL", "SETUSER", "race", *user)
            options = DoctorOptions(**FREE, redis_url=url, redis_prefix=prefix, as_json=True)
            rows = json.loads((await examine(options)).text)
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
