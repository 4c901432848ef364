"""`docs/operating.md` and the units of systemd, followed word by word."""

import asyncio
import json
import os
import re
import shlex
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import redis

import server.__main__ as program
from protocol.vocabulary import DAYS_KEPT
from server.__main__ import main
from server.app import Tuning
from server.config import RestoreOptions
from server.operators.backup import restore
from server.rooms import room
from server.rooms.race import DESERTED_MS
from server.store import StoreUnusable
from server.store.keys import TTL_SECONDS
from tests.players import Player, running
from tests.present import present
from tests.scripts import install_script
from tests.server.conftest import SOON
from tests.server.http import get
from tests.servers import (
    AT_ONCE,
    SLOTS,
    RedisServer,
    find_redis,
    on_own_ports,
    open_at_once,
    opened,
    start_embedded,
)
from tests.store.rooms_and_acts import CODE, change
from tests.test_deployment import UNITS, check_unit
from tests.tools.recordings import all_rooms
from tests.waiting import until, until_answer

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/operating.md").read_text("utf-8")
PROGRAM = "/opt/spider-race/bin/spider-race"
TUNING = Tuning(rooms=SOON, store=AT_ONCE)


def block(word: str) -> str:
    (found,) = [each for each in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL) if word in each]
    return str(found)


def sh(commands: str, folder: Path, **variables: str) -> None:
    """Run commands in a folder; a failure shows their output."""
    done = subprocess.run(
        ["sh", "-euc", commands],
        cwd=folder,
        env=os.environ | variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


async def store_a_room(data_dir: Path) -> None:
    async with opened(None, data_dir) as store:
        await store.rooms.create(CODE, change(doc="kept"))


async def read_a_room(url: str | None, data_dir: Path) -> str:
    async with opened(url, data_dir) as store:
        return present(await store.rooms.read(CODE)).doc


def test_the_documented_times_of_rooms_are_those_of_the_rules() -> None:
    """Half an hour, an hour, a day, a week, twelve hours, fifteen days, and 60 days."""
    hour_ms = 3_600_000
    idle = (room.LOBBY_IDLE_MS, room.DAY_IDLE_MS, room.FINISHED_IDLE_MS, room.WINDOW_IDLE_MS)
    assert idle == (hour_ms / 2, hour_ms, 24 * hour_ms, 7 * 24 * hour_ms)
    assert 12 * hour_ms == DESERTED_MS
    assert TTL_SECONDS == 15 * 24 * 3_600
    assert DAYS_KEPT == 60


# A Redis with the documented user


_, _, _, USER, *RIGHTS = shlex.split(block("ACL SETUSER").replace("\\\n", ""))
PREFIX = present(re.search(r"~(\S+)\*", " ".join(RIGHTS)))[1]
GRANTED = {right[1:] for right in RIGHTS if right.startswith("+")}


async def entry_of(port: int, player: Player) -> str:
    """Wait until a finished game of today is on its board; return its entry."""
    cards, key = player.room["round"]["cards"], player.room["round"]["key"]

    async def read_own() -> Any:
        board = (await get(port, f"/api/days/{cards}?key={key}")).body
        return json.loads(board).get("own")

    return f"{cards}/{await until_answer(read_own, bool)}"


@pytest.mark.faults
async def test_the_documented_user_of_a_redis_can_do_all_that_server_and_commands_ask_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program, "set_up_logs", lambda _options: None)
    with start_embedded(tmp_path) as server:
        server.ask("ACL", "SETUSER", USER, *RIGHTS)
        url = server.url.replace("unix://", f"unix://{USER}:PASSWORD@")
        store = {"redis_url": url, "redis_prefix": PREFIX}
        async with running(TUNING, **store, data_dir=tmp_path, bots=8, thinkers=1) as listener:
            rooms = await all_rooms(listener.port)
            (host,) = rooms["preset classic"]
            assert (await host.ask("add_bot", level="beginner"))["type"] == "room"
            entry = await entry_of(listener.port, *rooms["day over"])
            named = {"ENTRY": entry, "ADDRESS": "203.0.113.7", "CODE": rooms["race"][0].code}
            for line in block("spider-race doctor").splitlines():
                command = line.partition(" #")[0].removesuffix(" --data-dir DIR")
                command = command.replace("[OPTIONS OF THE SERVER]", "--port 0")
                words = [named.get(word, word) for word in command.split()]
                words += ["--redis-url", url, "--redis-prefix", PREFIX]
                assert await asyncio.to_thread(main, words[1:]) == 0, line
        denied = {(entry["reason"], entry["object"]) for entry in server.ask("ACL", "LOG")}
        assert denied == {("command", "config|get")}, "doctor alone asks for it"


FAMILIES = {"cluster", "config", "script"}  # commands that need their second word


def commands_in_the_code(known: set[str]) -> set[str]:
    """Return the commands of Redis that the store's modules and scripts name."""
    found = {"ssubscribe", "sunsubscribe"}  # in confirmations
    for path in (ROOT / "server/store").glob("*.*"):
        if path.name == "embedded.py":  # it asks its own server
            continue
        text = path.read_text("utf-8")
        words = re.findall(r"""["']([A-Z]{3,})["'](?:, ["']([A-Z]+)["'])?""", text)
        found |= {f"{one}|{two}".lower() for one, two in words}
        found |= {one.lower() for pair in words for one in pair}
    return found & known


def test_the_documented_rights_are_those_of_the_commands_in_the_code(tmp_path: Path) -> None:
    with (
        start_embedded(tmp_path) as server,
        redis.Redis(unix_socket_path=str(server.socket)) as client,
    ):
        client.response_callbacks.clear()
        known = {name.decode() for name in client.execute_command("COMMAND", "LIST")}
        for name in FAMILIES:
            asked = ("COMMAND", "LIST", "FILTERBY", "PATTERN", f"{name}|*")
            known |= {each.decode() for each in client.execute_command(*asked)}
    assert commands_in_the_code(known) - FAMILIES - {"config|get"} == GRANTED


# TLS with a private CA


@pytest.mark.skipif(find_redis() is None, reason="no redis-server, and the Valkey has no TLS")
@pytest.mark.parametrize("kind", ["redis", "cluster"])
async def test_a_redis_with_a_certificate_of_a_private_ca_is_trusted_by_its_url(
    certificate: Path, tmp_path: Path, kind: str
) -> None:
    (url,) = re.findall(r"`(rediss://HOST:6379/0\?ssl_ca_certs=\S+)`", PAGE)
    options = ["--bind", "127.0.0.1", "--tls-auth-clients", "no"]
    own = {"cert": certificate, "key": f"{certificate}.key", "ca-cert": certificate}
    for name, path in own.items():
        options += [f"--tls-{name}-file", str(path)]
    if kind == "cluster":
        assert "`rediss+cluster://…`" in PAGE
        url = url.replace("rediss:", "rediss+cluster:").replace("/0?", "?")
        options += ["--cluster-enabled", "yes", "--tls-cluster", "yes"]
        options += ["--cluster-announce-hostname", "localhost"]
        options += ["--cluster-preferred-endpoint-type", "hostname"]
    ports: list[int] = []

    def start(port: int, bus: int) -> RedisServer:
        ports[:] = [port]
        where = ["--tls-port", str(port), "--cluster-port", str(bus)]
        return RedisServer(present(find_redis()), tmp_path, *where, *options)

    with on_own_ports(start, 2) as server:
        if kind == "cluster":
            server.ask("CLUSTER", "ADDSLOTSRANGE", 0, SLOTS - 1)
            await until(lambda: "cluster_state:ok" in str(server.ask("CLUSTER", "INFO")))
        url = url.replace("HOST:6379", f"localhost:{ports[0]}")
        with pytest.raises(StoreUnusable, match="not trusted"):
            await open_at_once(url.partition("?")[0], tmp_path)
        async with opened(
            url.replace("/etc/ssl/race-ca.pem", str(certificate)), tmp_path
        ) as store:
            assert await store.rooms.create(CODE, change())


# The units of systemd


def as_systemd_runs(unit: str, word: str, state: Path) -> str:
    """Return a command of a unit as the shell gets it, with the state directory elsewhere."""
    (line,) = re.findall(rf"^{word}=/bin/sh -c '(.*)'$", unit, re.MULTILINE)
    program = f"{sys.executable} -m server"
    text = str(line).replace("$$", "$").replace("%%", "%").replace("%S", str(state))
    return text.replace(PROGRAM, program)


@pytest.mark.faults
def test_a_backup_of_the_night_is_named_by_its_day_and_the_oldest_ones_go(tmp_path: Path) -> None:
    unit = (UNITS / "spider-race-backup.service").read_text()
    data, backups = tmp_path / "spider-race", tmp_path / "spider-race-backups"
    backups.mkdir()
    asyncio.run(store_a_room(data))
    days = [f"spider-race-2026-{month}-{day:02}.rdb" for month in (10, 11) for day in range(8, 22)]
    others = ["spider-race-before-upgrade.rdb", f"{days[0]}.part", "2026-09-08.rdb"]
    for name in (*days, *others):
        (backups / name).write_text("kept")
    *_, today = days  # an earlier backup of the day is replaced
    install_script(tmp_path / "bin/date", f"expr {today} : 'spider-race-\\(.*\\)[.]rdb'")
    path = f"{tmp_path}/bin:{os.environ['PATH']}"
    (keeps,) = re.findall(r"^Environment=DAYS=(\d+)$", unit, re.MULTILINE)
    assert "all but the fourteen newest" in PAGE
    sh(as_systemd_runs(unit, "ExecStart", tmp_path), backups, PATH=path, PYTHONPATH=str(ROOT))
    sh(as_systemd_runs(unit, "ExecStartPost", tmp_path), backups, DAYS=keeps)
    assert {each.name for each in backups.iterdir()} == {*days[-14:], *others}
    assert stat.S_IMODE((backups / today).stat().st_mode) == 0o600
    new = tmp_path / "new"
    asyncio.run(restore(RestoreOptions(file=backups / today, data_dir=new)))
    assert asyncio.run(read_a_room(None, new)) == "kept"


def test_systemd_takes_the_unit_of_a_second_server(tmp_path: Path) -> None:
    second = present(re.search(r"^sed (.*?) > \S+$", block("race2.env"), re.MULTILINE | re.DOTALL))
    sh(f"sed {second[1]} > {tmp_path}/race2.service", ROOT)
    unit = (tmp_path / "race2.service").read_text()
    named = re.findall(r"^(?:\w*Directory|EnvironmentFile)=(.*)$", unit, re.MULTILINE)
    assert named == ["-/etc/race2.env", "race2"]
    assert " --data-dir %S/race2\n" in unit
    check_unit(unit, tmp_path / "race2.service")


# The Redis of the containers

DOCKER = """
# Runs the container's commands in this machine's Redis.
case "$2" in
  stop) redis-cli shutdown ;;
  exec | run) while [ "$1" != sh ]; do shift; done; exec "$@" ;;
esac
"""


@pytest.mark.faults
@pytest.mark.skipif(shutil.which("redis-cli") is None, reason="no redis-cli on the PATH")
async def test_the_backup_of_the_containers_comes_back_as_documented(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    with RedisServer(present(find_redis()), data) as server:
        install_script(tmp_path / "bin/docker", DOCKER)
        client = f'exec {shutil.which("redis-cli")} -s {server.socket} "$@"'
        install_script(tmp_path / "bin/redis-cli", client)
        path = f"{tmp_path}/bin:{os.environ['PATH']}"
        saves, restores = (
            block(word).replace("/data", str(data)) for word in ("--rdb /data", "compose start")
        )
        async with opened(server.url, tmp_path) as store:
            await store.rooms.create(CODE, change(doc="kept"))
            await asyncio.to_thread(sh, saves, tmp_path, PATH=path)
            assert await store.rooms.change(CODE, 1, change(doc="later")) == 2
        assert {each.name for each in data.iterdir()} == {"appendonlydir", "server.log"}
        assert stat.S_IMODE((tmp_path / "race.rdb").stat().st_mode) == 0o600
        await asyncio.to_thread(sh, restores, tmp_path, PATH=path)
        server.process.wait()
        server.start()
        assert await read_a_room(server.url, tmp_path) == "kept"
        assert list(data.glob("before-*/appendonly.aof.manifest"))
