"""The containers of docker-compose.yml under other names, and their faults."""

import contextlib
import json
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from server import version_of
from tests.containers.engine import ROOT, CommandFailed, Engine
from tests.servers import free_ports

PROJECT = "spider-race-test"
FIRST = f"{PROJECT}-first"
"""The project's image; later releases are made from it."""
UPGRADE_S = 5.0
"""An upgrade takes half a second, more on a busy machine, and 16 s if done wrongly."""
RESTART_S = 10.0
ALONE_S = 20.0
"""The first server after a gap waits until it can trust the store's clock."""


@dataclass(frozen=True)
class Site:
    """The containers of one project of Compose."""

    engine: Engine
    port: int
    folder: Path

    def compose(self, *words: str) -> str:
        """Run Compose and return its output.

        Raises:
            CommandFailed: Compose failed.
        """
        return self.engine.run("docker", "compose", *words, **self._variables)

    def upgrade(self) -> str:
        """Upgrade like an operator, and return the output.

        Raises:
            CommandFailed: the upgrade failed.
        """
        return self.engine.run(ROOT / "deploy" / "upgrade", **self._variables)

    def release(self, *settings: str, others: str = "") -> None:
        """Make the next release: an image with these variables; `others` also changes the rest."""
        lines = [f"FROM {FIRST}", *(f"ENV {setting}" for setting in settings), ""]
        (self.folder / "Dockerfile").write_text("\n".join(lines))
        server = json.dumps({"image": PROJECT, "build": str(self.folder)})
        text = f"services:\n  server: {server}\n"
        text += f"  caddy:\n    ports: !override ['127.0.0.1:{self.port}:443']\n"
        if others:
            text += f"    environment: {{RELEASE: '{others}'}}\n"
            text += f"  redis:\n    environment: {{RELEASE: '{others}'}}\n"
        self._override.write_text(text)

    def servers(self) -> list[str]:
        """Return the running containers of the servers."""
        return self.compose("ps", "--quiet", "server").split()

    def images(self) -> set[str]:
        """Return the images of the running servers."""
        asked = ("docker", "inspect", "--format", "{{.Image}}", *self.servers())
        return set(self.engine.run(*asked).split())

    @property
    def _override(self) -> Path:
        return self.folder / "override.yml"

    @property
    def _variables(self) -> dict[str, str]:
        files = f"{ROOT / 'docker-compose.yml'}:{self._override}"
        return {
            "COMPOSE_FILE": files,
            "COMPOSE_PROJECT_NAME": PROJECT,
            "SITE_ADDRESS": "localhost",
        }


@contextlib.contextmanager
def running(engine: Engine) -> Iterator[Site]:
    """Build the image, start everything, and remove it at the end, with its volumes.

    Raises:
        CommandFailed: the build fails, or a service does not become healthy.
    """
    (port,) = free_ports(1)
    with tempfile.TemporaryDirectory(prefix="sr-") as made:
        site = Site(engine, port, Path(made))
        site.release()
        site.compose("down", "--volumes", "--remove-orphans")  # of a killed run
        engine.run("docker", "build", "--tag", FIRST, ".")
        printed = engine.run("docker", "run", "--rm", FIRST, "--version").strip()
        if (ROOT / ".git").is_dir() and printed != f"spider-race {version_of(ROOT)}":
            raise CommandFailed(f"The image is {printed}, and the code {version_of(ROOT)}.")
        try:
            site.compose("up", "--build", "--detach", "--wait")
            yield site
        except CommandFailed:
            print(site.compose("logs", "--tail", "40"), flush=True)
            raise
        finally:
            site.compose("down", "--volumes", "--timeout", "5")


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of a site; `longest_s` is the longest wait that it may cause."""

    name: str
    inflict: Callable[[Site], object]
    longest_s: float = RESTART_S


def scale(site: Site) -> None:
    """Run two more servers for a while."""
    site.compose("up", "--detach", "--wait", "--no-recreate", "--scale", "server=4", "server")
    assert len(site.servers()) == 4
    site.compose("up", "--detach", "--no-recreate", "--scale", "server=2", "server")
    assert len(site.servers()) == 2


def kill(site: Site) -> None:
    """Kill a server, and start it again."""
    killed = site.servers()[0]
    site.engine.run("docker", "kill", killed)
    site.engine.run("docker", "start", killed)


def restart(*services: str) -> Callable[[Site], object]:
    return lambda site: site.compose("restart", *services)


def recreate(service: str) -> Callable[[Site], object]:
    words = ("up", "--detach", "--no-deps", "--force-recreate", "--wait", service)
    return lambda site: site.compose(*words)


def upgrade(site: Site) -> None:
    """Upgrade to a release that changes only the servers."""
    before, old = site.servers(), site.images()
    site.release("RELEASE=next")
    site.upgrade()
    assert len(site.servers()) == len(before)
    assert not set(site.servers()) & set(before)
    assert not site.images() & old


def upgrade_everything(site: Site) -> None:
    """Upgrade to a release with another Redis and Caddy."""
    before = site.compose("ps", "--quiet").split()
    site.release("RELEASE=after", others="after")
    site.upgrade()
    assert not set(site.compose("ps", "--quiet").split()) & set(before)


def fail_to_upgrade(site: Site) -> None:
    """Upgrade to a release that does not start: the old servers stay, and nothing else."""
    before = site.servers()
    site.release("SPIDER_RACE_LOG_LEVEL=deafening")
    with pytest.raises(CommandFailed, match="the old ones serve"):
        site.upgrade()
    assert sorted(site.compose("ps", "--all", "--quiet", "server").split()) == sorted(before)


FAULTS = (
    Fault("four servers, and two again", scale),
    Fault("a server killed", kill),
    Fault("all servers restarted at once", restart("server"), ALONE_S),
    Fault("Redis restarted", restart("redis")),
    Fault("Redis recreated", recreate("redis")),
    Fault("Caddy restarted", restart("caddy")),
    Fault("Caddy recreated", recreate("caddy")),
    Fault("upgrade", upgrade, UPGRADE_S),
    Fault("upgrade to servers that do not start", fail_to_upgrade, UPGRADE_S),
    Fault("upgrade of Redis and Caddy too", upgrade_everything),
)
