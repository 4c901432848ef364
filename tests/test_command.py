"""The command `spider-race`, as a real process."""

import ast
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis
from pydantic_settings import CliApp

from server.__main__ import COMMANDS, _announce, main
from server.app import addresses
from server.config import CommandOptions, Config
from server.http import server_address
from server.store import machine_memory
from tests.servers import free_ports

ROOT = Path(__file__).parents[1]
COMMAND = [sys.executable, "-m", "server"]
start_again = pytest.mark.unmeasured
"""For tests that start and end a server by the same lines as the measured ones."""


def run(*options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *options],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
        env={**os.environ, **environment},
    )


@contextmanager
def serving(*options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A process that is ready, and its address."""
    process = subprocess.Popen(
        [*COMMAND, "--host", "127.0.0.1", "--port", "0", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        yield process, process.stdout.readline().split()[-1]
    finally:
        process.terminate()  # so that the embedded store ends with it
        process.communicate(timeout=20)


def status(address: str) -> int:
    with urllib.request.urlopen(address, timeout=10) as page:  # noqa: S310  # our own server
        return int(page.status)


@start_again
@pytest.mark.parametrize(
    ("options", "environment", "sentence"),
    [
        (["--port", "many"], {}, "--port"),
        ([], {"SPIDER_RACE_PORT": "many"}, "--port"),
        (["--redis-url", "redis://127.0.0.1:1", "--store-wait", "0"], {}, "127.0.0.1"),
        (["--redis-url", "http://localhost"], {}, "redis"),
        (["--data-dir", "pyproject.toml"], {}, "pyproject.toml"),
    ],
)
def test_a_bad_start_is_one_sentence_and_exit_code_2(
    options: list[str], environment: dict[str, str], sentence: str
) -> None:
    done = run("--host", "127.0.0.1", *options, **environment)
    assert done.returncode == 2
    one_sentence(done.stderr, sentence)


def one_sentence(text: str, sentence: str) -> None:
    """Assert that what the command printed ends with one sentence."""
    assert sentence in text
    assert "Traceback" not in text
    assert len(text.strip().splitlines()[-1]) < 300


@pytest.mark.parametrize(
    ("options", "environment", "sentence"),
    [
        (["--port", "99999"], {}, "--port: 99999 is more than 65535."),
        (["--port", "many"], {}, "--port: many is no whole number."),
        (["--port", "\x1b[31m1"], {}, "--port: \\x1b[31m1 is no whole number."),
        (["--workers", "0"], {}, "--workers: 0 is less than 1."),
        (["--log-level", "loud"], {}, "--log-level: loud is not debug, info, warning or error."),
        (["--redis-ulr", "x"], {}, "There is no option --redis-ulr; did you mean --redis-url?"),
        (["--port"], {}, "--port: expected one argument; see spider-race --help."),
        (["bakup", "x"], {}, "There is no command bakup; did you mean backup?"),
        (["dance"], {}, "There is no command dance; the commands are serve, backup"),
        (["--operations", "here"], {}, "--operations: here is not like 127.0.0.1:8001"),
        (["--operations", "127.0.0.1:99999"], {}, "--operations"),
        (["--nonsense"], {}, "--nonsense"),
        (["--store-memory", "much"], {}, "--store-memory: much is not like 512mb"),
        (["--store-memory", "2mb"], {}, "--store-memory: 2mb is too little"),
        ([], {"SPIDER_RACE_STORE_MEMORY": "-1"}, "--store-memory"),
        (["--store-fsync", "never"], {}, "--store-fsync"),
        (["--redis-prefix", "{race}:"], {}, "--redis-prefix: {race}: is not like race1:"),
        ([], {"SPIDER_RACE_REDIS_PREFIX": "a*"}, "--redis-prefix: a* is not like race1:"),
        (
            ["--public-url", "https://x.example/race"],
            {},
            "--public-url: https://x.example/race is",
        ),
        (["--public-url", "https://:80"], {}, "--public-url: https://:80 is not like"),
        (["--public-url", "https://http://x"], {}, "--public-url: https://http://x is not like"),
        (["--public-url", "https://a,b"], {}, "--public-url: https://a,b is not like"),
        (["--public-url", "https://x:99999"], {}, "--public-url: https://x:99999 is not like"),
        (["--public-url", "x.example"], {}, "--public-url: x.example is not like"),
        ([], {"SPIDER_RACE_REDIS_URL": "", "SPIDER_RACE_PORT": "99999"}, "--port"),
        (
            [],
            {"SPIDER_RACE_TRUSTED_PROXIES": "10.0.0.0/8,me"},
            "--trusted-proxies: me is no network",
        ),
    ],
)
def test_a_bad_value_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    options: list[str],
    environment: dict[str, str],
    sentence: str,
) -> None:
    """The same without a process of its own: no log is set up when values are read."""
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert main(options) == 2
    one_sentence(capsys.readouterr().err, sentence)


@start_again
def test_a_misspelled_variable_is_reported_at_the_start(tmp_path: Path) -> None:
    """Regression: it was ignored in silence, and the server ran with other options."""
    options = ("--redis-url", "redis://127.0.0.1:1", "--store-wait", "0")
    done = run(*options, "--log-format", "json", SPIDER_RACE_DATADIR=str(tmp_path))
    line = json.loads(done.stderr.splitlines()[0])
    assert (line["name"], line["did_you_mean"]) == (
        "SPIDER_RACE_DATADIR",
        "SPIDER_RACE_DATA_DIR",
    )


@start_again
def test_a_taken_port_is_reported(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = run("--host", "127.0.0.1", "--port", str(port), "--data-dir", str(tmp_path))
    assert done.returncode == 2
    assert f"port {port}" in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


@start_again
def test_a_taken_port_for_operators_is_reported_too(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        where = ("--host", "127.0.0.1", "--port", "0", "--operations", str(port))
        done = run(*where, "--data-dir", str(tmp_path))
    assert done.returncode == 2
    assert f"127.0.0.1 port {port}" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


@start_again
def test_help_names_every_option() -> None:
    done = run("--help")
    assert done.returncode == 0
    for field in Config.model_fields:
        assert f"--{field.replace('_', '-')}" in done.stdout
    for command in COMMANDS:
        assert f"\n  {command} " in done.stdout


def test_an_address_in_a_container_is_none_for_friends(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(server_address, "container_hides_network", lambda _root: True)
    monkeypatch.setattr("server.__main__.container_hides_network", lambda: True)
    _announce(Config(), 8000)
    output = capsys.readouterr().out
    assert re.findall(r"http://\S+", output) == ["http://localhost:8000/"]
    assert "the address of the machine around it" in output
    _announce(Config(public_url="https://race.example"), 8000)
    assert "machine around" not in capsys.readouterr().out


def test_every_option_that_a_sentence_advises_is_there() -> None:
    kinds: list[type[CommandOptions]] = [Config, *(each.options for each in COMMANDS.values())]
    fields = {field for kind in kinds for field in kind.model_fields}
    options = {"--help", "--version", *(f"--{field.replace('_', '-')}" for field in fields)}
    advised = set[str]()
    for path in (ROOT / "server").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            # A word by itself is one of those that start the store.
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and " " in node.value
            ):
                advised |= set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", node.value))
    assert advised >= {"--data-dir", "--redis-url"}
    assert advised <= options


@pytest.mark.parametrize(
    ("written", "size"),
    [
        ("512mb", 512 << 20),
        ("2GB", 2 << 30),
        ("64 MiB", 64 << 20),
        ("8192k", 8 << 20),
        ("33554432", 32 << 20),
    ],
)
def test_a_size_is_written_as_redis_writes_it(
    monkeypatch: pytest.MonkeyPatch, written: str, size: int
) -> None:
    monkeypatch.setenv("SPIDER_RACE_STORE_MEMORY", written)
    assert Config().store_memory == size
    assert CliApp.run(Config, cli_args=["--store-memory", written]).store_memory == size
    assert Config(store_memory=size).store_memory == size


@start_again
def test_the_embedded_store_gets_the_values_of_the_options(tmp_path: Path) -> None:
    options = ("--data-dir", str(tmp_path), "--store-memory", "32mb", "--store-fsync", "always")
    with serving(*options), redis.Redis(unix_socket_path=str(tmp_path / "valkey.sock")) as store:
        found = store.config_get("maxmemory*", "appendfsync")
    assert found["maxmemory"] == str(32 << 20)
    assert found["maxmemory-policy"] == "noeviction"
    assert found["appendfsync"] == "always"


@start_again
def test_the_embedded_store_gets_a_share_of_the_memory_by_itself(tmp_path: Path) -> None:
    with (
        serving("--data-dir", str(tmp_path)),
        redis.Redis(unix_socket_path=str(tmp_path / "valkey.sock")) as store,
    ):
        found = store.config_get("maxmemory*", "appendfsync")
    assert int(found["maxmemory"]) == max(machine_memory.usable_bytes() // 4, 64 << 20)
    assert found["maxmemory-policy"] == "noeviction"
    assert found["appendfsync"] == "everysec"


def test_sigterm_ends_the_server_and_its_embedded_store_in_order(tmp_path: Path) -> None:
    (operations,) = free_ports(1)
    options = (
        "--data-dir",
        str(tmp_path),
        "--log-format",
        "json",
        "--operations",
        str(operations),
    )
    with serving(*options) as (process, _):
        assert status(f"http://127.0.0.1:{operations}/readyz") == 200
        process.send_signal(signal.SIGTERM)
        _, log = process.communicate(timeout=20)
        assert process.returncode == 0
        assert '"event": "stopped"' in log
    with serving("--data-dir", str(tmp_path)) as (_, address):  # the store's files are free again
        assert address.startswith("http://")


@pytest.fixture
def hears_sighup() -> Iterator[None]:
    """Let processes that a test starts receive SIGHUP, even if `nohup` started the tests."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@start_again
@pytest.mark.usefixtures("hears_sighup")
def test_a_closed_terminal_ends_the_server_in_order_too(tmp_path: Path) -> None:
    with serving("--data-dir", str(tmp_path), "--log-format", "json") as (process, _):
        process.send_signal(signal.SIGHUP)
        _, log = process.communicate(timeout=20)
        assert process.returncode == 0
        assert '"event": "stopped"' in log


def test_an_empty_variable_is_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("REDIS_URL", "PUBLIC_URL", "WORKERS", "ALLOWED_ORIGINS"):
        monkeypatch.setenv(f"SPIDER_RACE_{name}", "")
    config = Config()
    assert config.redis_url is None
    assert config.public_url is None
    assert config.workers == 1
    assert config.allowed_origins == ()


def test_a_slash_behind_an_origin_is_none_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPIDER_RACE_PUBLIC_URL", "https://race.example/")
    monkeypatch.setenv("SPIDER_RACE_ALLOWED_ORIGINS", "https://a.example/, http://b.example:81")
    config = Config()
    assert config.public_url == "https://race.example"
    assert config.allowed_origins == ("https://a.example", "http://b.example:81")


@pytest.mark.parametrize(
    ("host", "public_url", "output"),
    [
        ("127.0.0.1", None, ["http://localhost:8000/"]),
        ("::1", None, ["http://localhost:8000/"]),
        ("192.0.2.7", None, ["http://192.0.2.7:8000/"]),
        ("2001:db8::7", None, ["http://[2001:db8::7]:8000/"]),
        ("0.0.0.0", "https://race.example", ["http://localhost:8000/", "https://race.example/"]),  # noqa: S104
    ],
)
def test_only_addresses_that_lead_here_are_printed(
    host: str, public_url: str | None, output: list[str]
) -> None:
    assert addresses(Config(host=host, public_url=public_url), 8000) == output


def test_workers_share_a_port_and_one_that_is_killed_is_replaced(tmp_path: Path) -> None:
    (operations,) = free_ports(1)
    options = ("--workers", "2", "--data-dir", str(tmp_path), "--log-format", "json")
    ready = f"http://127.0.0.1:{operations}/readyz"
    with serving(*options, "--operations", str(operations)) as (process, _):
        assert process.stderr is not None
        pids: list[int] = []
        while len(pids) < 2:  # the first may serve before the second is started
            line = json.loads(process.stderr.readline())
            pids += [line["pid"]] * (line["event"] == "worker started")
        wait_for(ready)
        os.kill(pids[0], signal.SIGKILL)
        while (line := json.loads(process.stderr.readline()))["event"] != "worker died":
            assert line["event"] == "serving"
        assert line["pid"] == pids[0]
        wait_for(ready)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=20)
        assert process.returncode == 0


def wait_for(address: str) -> None:
    give_up = time.monotonic() + 20
    while True:
        try:
            assert status(address) == 200
        except OSError:
            assert time.monotonic() < give_up
            time.sleep(0.1)
        else:
            return
