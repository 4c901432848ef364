"""The command `spider-race`: its options, its sentences, and the end of a real process."""

import asyncio
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from pydantic_settings import CliApp
from structlog.testing import capture_logs

from server import __main__ as command
from server import version
from server.__main__ import COMMANDS, LONGEST_VALUE, _announce, _print, main, options_class, plain
from server.app import addresses
from server.config import Config
from server.operators import Failed
from server.store.embedded import usable_bytes
from tests.faults.processes import serving
from tests.players import UNCONFIRMED
from tests.server.http import get
from tests.servers import opened, processes_in

AWAY = ["--redis-url", "redis://127.0.0.1:1", "--store-wait", "0"]


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Run the command in this process, with only this test's data and unchanged logging."""
    monkeypatch.setenv("SPIDER_RACE_DATA_DIR", str(tmp_path))
    monkeypatch.setattr(command, "set_up_logs", lambda _config: None)
    monkeypatch.setattr(command, "run", asyncio.run)


def one_sentence(text: str, sentence: str) -> None:
    """Assert that the command's output ends with one sentence."""
    assert sentence in text
    assert "Traceback" not in text
    assert len(text.strip().splitlines()[-1]) < 300


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("options", "environment", "sentence"),
    [
        (AWAY, {}, "127.0.0.1"),
        (["--redis-url", "http://localhost"], {}, "redis"),
        (["--data-dir", "pyproject.toml"], {}, "pyproject.toml"),
        (["--port", "99999"], {}, "--port: 99999 is more than 65535."),
        ([], {"SPIDER_RACE_PORT": "many"}, "for SPIDER_RACE_PORT: many is not a whole number."),
        ([], {"spider_race_port": "many"}, "for spider_race_port: many is not a whole number."),
        (["--port", "x"], {"SPIDER_RACE_PORT": "1"}, "for --port: x is not a whole number."),
        (["--port=x"], {"SPIDER_RACE_PORT": "many"}, "for --port: x is not a whole number."),
        (["rooms"], {"SPIDER_RACE_JSON": "maybe"}, "for SPIDER_RACE_JSON: maybe is neither true"),
        (["rooms", "--json=x"], {}, "--json"),
        (["rooms", "clos", "X"], {}, "There is no command rooms clos; did you mean rooms close?"),
        (["rooms", "close"], {}, "required: CODE; see spider-race rooms close --help."),
        (["rooms", "close", "X"], {}, "spider-race: X is not the code of a room, or a link to"),
        (["day", "hide", "X"], {}, "spider-race: X is not a game of a day: give DATE/GAME/ENTRY"),
        (["day"], {}, "There is no command day; the commands are day hide, day show."),
        (["bans", "add", ""], {}, "ADDRESS is missing; see spider-race bans add --help."),
        (["bans", "add", "1.2.3"], {}, "Bad value for ADDRESS: 1.2.3 is not an address, or a net"),
        (["bans", "add", "192.0.2.7/24"], {}, " is an address inside the network 192.0.2.0/24."),
        (["--log-format", "json", "rooms"], {}, "a command comes first: spider-race rooms, then"),
        (["--thinkers", "2"], {}, "--thinkers: 2 is more than 1."),
        (["bans", "add", "x", "--for", "1h"], {"SPIDER_RACE_ADDRESS": "1.2.3.4"}, "ADDRESS: x is"),
        (["bans", "add", "1.2.3.4", "--for", "2w"], {}, "--for: 2w is not like 30m, 24h or 7d"),
        (["bans", "add", "1.2.3.4", "--for", "999d"], {}, "--for: 999d is not like"),
        (["--port", "\x1b[31m1"], {}, "--port: \\x1b[31m1 is not a whole number."),
        (["--workers", "0"], {}, "--workers: 0 is less than 1."),
        (["--log-level", "loud"], {}, "--log-level: loud is not debug, info, warning or error."),
        (["--redis-ulr", "x"], {}, "There is no option --redis-ulr; did you mean --redis-url?"),
        (["--nonsense"], {}, "There is no option --nonsense; see spider-race --help."),
        (["--port"], {}, "--port: expected one argument; see spider-race --help."),
        (["bakup", "x"], {}, "There is no command bakup; did you mean backup?"),
        (["dance"], {}, "There is no command dance; the commands are backup, restore"),
        (["--operations", "here"], {}, "--operations: here is not like 127.0.0.1:8001"),
        (["--operations", "127.0.0.1:99999"], {}, "--operations"),
        (["--store-memory", "much"], {}, "--store-memory: much is not like 512mb"),
        (["--store-memory", "2mb"], {}, "--store-memory: 2mb is too little"),
        ([], {"SPIDER_RACE_STORE_MEMORY": "-1"}, "SPIDER_RACE_STORE_MEMORY"),
        (["--store-fsync", "never"], {}, "--store-fsync"),
        (["verify", "x", "--hash", "xyz"], {}, "--hash: xyz is not a hash: it has 64 digits"),
        (["--redis-prefix", "{race}:"], {}, "--redis-prefix: {race}: is not like race1:"),
        ([], {"SPIDER_RACE_REDIS_PREFIX": "a*"}, "RACE_REDIS_PREFIX: a* is not like race1:"),
        (["--public-url", "https://x.example/a"], {}, "a path: Spider Race needs a host name of"),
        (["--allowed-origins", "https://x.example/race"], {}, "https://x.example/race is not"),
        (["--public-url", "https://:80"], {}, "--public-url: https://:80 is not like"),
        (["--public-url", "https://http://x"], {}, "--public-url: https://http://x is not like"),
        (["--public-url", "https://a,b"], {}, "--public-url: https://a,b is not like"),
        (["--public-url", "https://x:99999"], {}, "--public-url: https://x:99999 is not like"),
        (["--public-url", "x.example"], {}, "--public-url: x.example is not like"),
        ([], {"SPIDER_RACE_REDIS_URL": "", "SPIDER_RACE_PORT": "99999"}, "SPIDER_RACE_PORT"),
        ([], {"SPIDER_RACE_TRUSTED_PROXIES": "10.0.0.0/8,me"}, "TRUSTED_PROXIES: me is not an"),
    ],
)
def test_a_bad_start_is_one_sentence_and_exit_code_2(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    options: list[str],
    environment: dict[str, str],
    sentence: str,
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert main(options, UNCONFIRMED) == 2
    output, error = capsys.readouterr()
    assert "ready" not in output
    assert error.splitlines()[-1].startswith("spider-race: ")
    one_sentence(error, sentence)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("option", ["--port", "--operations"])
def test_a_taken_port_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        others = [] if option == "--port" else ["--port", "0"]
        options = ["--host", "127.0.0.1", option, str(port), *others, "--data-dir", str(tmp_path)]
        assert main(options, UNCONFIRMED) == 2
    text = capsys.readouterr().err
    one_sentence(text, f"127.0.0.1 port {port}")
    assert len(text.strip().splitlines()) == 1


@pytest.mark.usefixtures("here")
def test_a_misspelled_variable_is_reported_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Regression: it was ignored silently, and the server ran with other options."""
    monkeypatch.setenv("SPIDER_RACE_DATADIR", "x")
    with capture_logs() as logs:
        assert main(AWAY, UNCONFIRMED) == 2
    line = logs[1]
    assert (line["name"], line["did_you_mean"]) == ("SPIDER_RACE_DATADIR", "SPIDER_RACE_DATA_DIR")


@pytest.mark.usefixtures("here")
def test_a_server_that_trusts_everybody_as_a_proxy_says_so_at_its_start() -> None:
    with capture_logs() as logs:
        for networks in ("10.0.0.0/8", "10.0.0.0/8,0.0.0.0/0", "::/0"):
            assert main([*AWAY, "--trusted-proxies", networks], UNCONFIRMED) == 2
    assert sum("everybody is trusted" in line["event"] for line in logs) == 2


@pytest.mark.usefixtures("here")
def test_a_command_notes_a_misspelled_variable_under_its_prefix(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SPIDER_RACE_DATADIR", "x")
    monkeypatch.setenv("SPIDER_RACE_FILE", "an argument is no option")
    assert main(["verify", "/nowhere"]) == 2
    first, second, third = capsys.readouterr().err.splitlines()
    ignored = "so it is ignored; did you mean SPIDER_RACE_DATA_DIR?"
    assert first == f"spider-race: There is no variable SPIDER_RACE_DATADIR, {ignored}"
    assert second.startswith("spider-race: There is no variable SPIDER_RACE_FILE, so it is")
    assert third.startswith("spider-race: /nowhere cannot be read: ")


def printed(capsys: pytest.CaptureFixture[str], *options: str) -> str:
    """Return the output of a command that ends the process."""
    with pytest.raises(SystemExit) as ended:
        main([*options])
    assert ended.value.code == 0
    return capsys.readouterr().out


def test_help_shows_no_type_and_explains_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert all(f"\n  {name} " in printed(capsys, "--help") for name in COMMANDS)
    assert printed(capsys, "day", "--help") == "The commands are day hide, day show.\n"
    for name in ("serve", *COMMANDS):
        text = printed(capsys, name, "--help")
        assert not re.search("tuple|IPv4| str\n| int |Path|null|factory|positional: ", text), name
        flat = " ".join(text.split()).replace("%%", "%")
        for field, info in options_class(name).model_fields.items():
            assert info.description
            assert text.count(f"\n  {options_class(name).option(field)} ") == 1, field
            assert " ".join(info.description.split()) in flat
        assert max(map(len, text.splitlines())) <= 100


def test_the_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    for given in (["--version"], ["backup", "--version"]):
        assert printed(capsys, *given) == f"spider-race {version()}\n"


def test_a_bad_value_is_shown_short_and_without_control_characters() -> None:
    assert plain("a\nb\x07") == "a\\nb\\x07"
    assert plain(" ") == '" "'
    assert len(plain("x" * 1_000)) == LONGEST_VALUE


def test_a_size_is_written_as_redis_writes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = {"512mb": 512, "2GB": 2_048, "64 MiB": 64, "8192k": 8, "33554432": 32}
    for written, size in ((written, mib << 20) for written, mib in sizes.items()):
        monkeypatch.setenv("SPIDER_RACE_STORE_MEMORY", written)
        assert Config().store_memory == size
        assert CliApp.run(Config, cli_args=["--store-memory", written]).store_memory == size
        assert Config(store_memory=size).store_memory == size


def test_variables_are_read_as_people_write_them(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("REDIS_URL", "PUBLIC_URL", "WORKERS", "ALLOWED_ORIGINS"):
        monkeypatch.setenv(f"SPIDER_RACE_{name}", "")  # an empty variable is not set
    config = Config()
    assert (config.redis_url, config.public_url, config.workers) == (None, None, 1)
    assert config.allowed_origins == ()
    monkeypatch.setenv("SPIDER_RACE_PUBLIC_URL", "https://race.example/")
    monkeypatch.setenv("SPIDER_RACE_ALLOWED_ORIGINS", "https://a.example/, http://b.example:81")
    config = Config()
    assert config.public_url == "https://race.example"
    assert config.allowed_origins == ("https://a.example", "http://b.example:81")


def test_only_addresses_that_lead_here_are_printed() -> None:
    for host, shown in {
        "127.0.0.1": "http://localhost:8000/",
        "::1": "http://localhost:8000/",
        "192.0.2.7": "http://192.0.2.7:8000/",
        "2001:db8::7": "http://[2001:db8::7]:8000/",
    }.items():
        assert addresses(Config(host=host, public_url=None), 8000) == [shown]
    everywhere = Config(host="0.0.0.0", public_url="https://race.example")  # noqa: S104
    assert addresses(everywhere, 8000) == ["http://localhost:8000/", "https://race.example/"]


def test_an_address_in_a_container_is_none_for_friends(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("server.web.addresses.container_hides_network", lambda _root: True)
    monkeypatch.setattr(command, "container_hides_network", lambda: True)
    _announce(Config(), 8000)
    output = capsys.readouterr().out
    assert re.findall(r"http://\S+", output) == ["http://localhost:8000/"]
    assert "the address of the machine around it" in output
    _announce(Config(public_url="https://race.example"), 8000)
    assert "machine around" not in capsys.readouterr().out


STRANGER = "12345"  # a user id that the system does not know
RIGHTS = ("--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search")
IDS = (f"--reuid={STRANGER}", f"--regid={STRANGER}", "--clear-groups")
AS_A_STRANGER = ("setpriv", *IDS, *RIGHTS)


def as_a_user_without_a_home(*options: str) -> subprocess.Popen[str]:
    """Run the command like containers of OpenShift, with sources perhaps in a closed folder."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in {"HOME", "XDG_DATA_HOME"} and not name.startswith("SPIDER_RACE_")
    }
    command = (*AS_A_STRANGER, sys.executable, "-m", "server", *options)
    return subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


@pytest.mark.faults
@pytest.mark.skipif(
    os.geteuid() != 0 or shutil.which("setpriv") is None,
    reason="only root can run a command as a user without a home, by setpriv",
)
def test_a_user_without_a_home_names_a_directory_or_a_redis(tmp_path: Path) -> None:
    """Regression: even --help ended with a traceback."""
    if subprocess.run([*AS_A_STRANGER, "true"], check=False).returncode:
        pytest.skip("this root may not let another user read closed folders")
    for options, code, sentence in (
        (["--help"], 0, ""),
        ([], 2, "this user has no home directory; name a directory, or give --redis-url."),
        (AWAY, 2, "No Redis answers at 127.0.0.1:1"),
        (["doctor", *AWAY, "--port", "0"], 1, ""),
    ):
        ended = as_a_user_without_a_home(*options)
        _, text = ended.communicate()
        assert ended.returncode == code, text
        if sentence:
            one_sentence(text, sentence)
    os.chown(tmp_path, int(STRANGER), -1)
    where = ("--host", "127.0.0.1", "--port", "0", "--data-dir", str(tmp_path))
    with as_a_user_without_a_home(*where, "--thinkers", "0") as server:
        assert server.stdout is not None
        assert "is ready" in server.stdout.readline()
        server.terminate()
        assert server.wait() == 0


@pytest.fixture
def hears_sighup() -> Iterator[None]:
    """Let processes that a test starts receive SIGHUP, even if `nohup` started the tests."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.usefixtures("hears_sighup")
@pytest.mark.parametrize(
    ("number", "options", "memory", "fsync"),
    [
        (signal.SIGTERM, ("--store-memory=32mb", "--store-fsync=always"), 32 << 20, "always"),
        # A closed terminal; the store takes its share of the memory.
        (signal.SIGHUP, (), max(usable_bytes() // 4, 64 << 20), "everysec"),
    ],
)
@pytest.mark.faults
async def test_a_signal_ends_the_server_and_its_embedded_store_in_order(
    tmp_path: Path, number: signal.Signals, options: tuple[str, ...], memory: int, fsync: str
) -> None:
    data = tmp_path / "data"
    async with serving(tmp_path / "log", "--data-dir", str(data), *options) as process:
        assert (await get(process.operations, "/readyz")).status == 200
        with redis.Redis(unix_socket_path=str(data / "valkey.sock")) as store:
            found = store.config_get("maxmemory*", "appendfsync")
        process.send(number)
        assert await process.running.wait() == 0
        assert len(process.entries("stopped")) == 1
        reasons = process.entries("SIGHUP ends a server with one worker: start it again")
        assert len(reasons) == (number == signal.SIGHUP)
    assert (int(found["maxmemory"]), found["appendfsync"]) == (memory, fsync)
    assert found["maxmemory-policy"] == "noeviction"
    assert not processes_in(data)
    async with opened(None, data):  # the store's files are free again
        pass


def test_the_log_has_levels_of_libraries_that_are_not_its_own() -> None:
    """Regression: the call of the library raised an error."""
    log = "logging.getLogger('library').log"
    code = (
        "import logging; from server.config import Config, set_up_logs; "
        f"set_up_logs(Config(log_format='json')); {log}(35, 'odd'); {log}(55, 'worse')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    levels = [json.loads(line)["level"] for line in done.stderr.splitlines()]
    assert levels == ["warning", "critical"]


def test_an_unwritable_answer_fails_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """Regression: it ended with a traceback, and with the exit code for a bad finding, 1."""
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        monkeypatch.setattr(sys, "stdout", full)
        with pytest.raises(Failed, match="Cannot write to standard output: No space") as failed:
            _print("an answer")
    assert failed.value.code == 2
