"""The containers of docker-compose.yml, under names and at a port of their own."""

import contextlib
import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.containers.engine import ROOT, CommandFailed, Engine
from tests.servers import free_ports

PROJECT = "spider-race-test"
FIRST = f"{PROJECT}-first"
"""The image that the project's files make; later releases are made from it."""


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
        """Upgrade as an operator does, and return the output.

        Raises:
            CommandFailed: the upgrade failed.
        """
        return self.engine.run(ROOT / "deploy" / "upgrade", **self._variables)

    def release(self, *settings: str, others: str = "") -> None:
        """Make the next release: an image with these variables, and with `others` a new proxy."""
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
    """Build the image, start everything, and remove it in the end, its volumes included.

    Raises:
        CommandFailed: the image is not built, or a service does not become healthy.
    """
    (port,) = free_ports(1)
    with tempfile.TemporaryDirectory(prefix="sr-") as made:
        site = Site(engine, port, Path(made))
        site.release()
        site.compose(
            "down", "--volumes", "--remove-orphans"
        )  # left over from a run that was killed
        engine.run("docker", "build", "--tag", FIRST, ".")
        try:
            site.compose("up", "--build", "--detach", "--wait")
            yield site
        except CommandFailed:
            print(site.compose("logs", "--tail", "40"), flush=True)
            raise
        finally:
            site.compose("down", "--volumes", "--timeout", "5")
