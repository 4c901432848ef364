"""The Docker engine of `make containers`: a running one, or a temporary one.

A temporary engine keeps its data in the user's cache, so the next run finds the images, and its
sockets in a temporary folder. The program ends only the processes that it has started.
"""

import contextlib
import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_cache_path

ROOT = Path(__file__).parents[2]
CACHE = user_cache_path("spider-race", appauthor=False) / "containers"
KEPT = "168h"
"""Remove unnamed layers only at this age; the next build reuses younger ones."""
START_S = 60.0
STOP_S = 60.0
SYSTEM_FOLDERS = "/usr/sbin:/sbin"
"""Debian's folder for dockerd and mmdebstrap, which may be missing from a user's path."""


class Unavailable(Exception):
    """No engine can run here, or a package cannot be installed; the text says why."""


@dataclass(frozen=True)
class Engine:
    """A Docker engine, and the programs that use it."""

    environment: Mapping[str, str]
    tools: Path

    def run(self, *command: str | Path, **variables: str) -> str:
        """Run a command with the engine, log its output, and return it.

        Raises:
            CommandFailed: the command failed.
        """
        done = subprocess.run(
            command,
            cwd=ROOT,
            env={**self.environment, **variables},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if done.returncode:
            raise CommandFailed(f"{' '.join(map(str, command))}\n{done.stdout}")
        return done.stdout

    def has(self, image: str) -> bool:
        try:
            self.run("docker", "image", "inspect", image)
        except CommandFailed:
            return False
        return True


class CommandFailed(Exception):
    """A command failed; the text has the command and its output."""


def install(command: list[str | Path]) -> None:
    """Run a step that needs the network or special rights.

    Raises:
        Unavailable: the step failed.
    """
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=os.environ | {"PATH": f"{os.environ['PATH']}:{SYSTEM_FOLDERS}"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines()
        raise Unavailable(lines[-1] if lines else f"{command[0]} failed")


@contextlib.contextmanager
def started() -> Iterator[Engine]:
    """Use a running engine, or start one and stop it at the end.

    Raises:
        Unavailable: neither is possible here.
    """
    if sys.platform != "linux":
        raise Unavailable("it needs Linux")
    with _locked_cache(), tempfile.TemporaryDirectory(prefix="sr-") as made:
        folder = Path(made)
        environment = os.environ | {
            "PATH": f"{os.environ['PATH']}:{SYSTEM_FOLDERS}",
            "DOCKER_CONFIG": str(folder),
            "DOCKER_BUILDKIT": "0",  # a plugin that Debian's engine lacks
        }
        environment.setdefault("DOCKER_HOST", _chosen_host())
        if _answers(environment):
            yield Engine(environment, _tools(folder))
            return
        if os.geteuid() != 0:
            raise Unavailable("no engine runs, and only root may start one")
        install([ROOT / ".ci" / "docker"])
        tools = _tools(folder)
        environment["DOCKER_HOST"] = f"unix://{folder}/docker.sock"
        with _own(folder, environment):
            engine = Engine(environment, tools)
            yield engine
            engine.run("docker", "image", "prune", "--force", "--filter", f"until={KEPT}")


@contextlib.contextmanager
def _locked_cache() -> Iterator[None]:
    """Let other runs wait, since they would replace the images of this one."""
    try:
        CACHE.mkdir(parents=True, exist_ok=True)
        lock = (CACHE / "lock").open("w")
    except OSError as error:
        raise Unavailable(f"{CACHE} cannot be written") from error
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _chosen_host() -> str:
    """Return the address of the engine that this user's commands use."""
    asked = ["docker", "context", "inspect", "--format", "{{.Endpoints.docker.Host}}"]
    with contextlib.suppress(OSError):
        done = subprocess.run(asked, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return done.stdout.strip()
    return "unix:///var/run/docker.sock"


def _answers(environment: Mapping[str, str]) -> bool:
    if shutil.which("docker", path=environment["PATH"]) is None:
        return False
    asked = ["docker", "version", "--format", "{{.Server.Version}}"]
    done = subprocess.run(
        asked, env=environment, capture_output=True, timeout=START_S, check=False
    )
    return done.returncode == 0


@contextlib.contextmanager
def _own(folder: Path, environment: Mapping[str, str]) -> Iterator[None]:
    """Run an engine until the end of the block."""
    log = CACHE / "dockerd.log"
    log.unlink(missing_ok=True)  # an engine left by a killed run may still write to it
    command = ["dockerd", "--host", environment["DOCKER_HOST"], "--group", "root"]
    command += ["--data-root", str(CACHE / "docker"), "--exec-root", str(folder / "run")]
    command += ["--pidfile", str(folder / "pid"), "--log-level", "warn"]
    with log.open("w") as output:
        # Keep Ctrl-C from the engine, since this program must stop the containers first.
        engine = subprocess.Popen(
            command, env=environment, stdout=output, stderr=output, start_new_session=True
        )
    try:
        give_up = time.monotonic() + START_S
        while not _answers(environment):
            if engine.poll() is not None or time.monotonic() > give_up:
                raise Unavailable(f"dockerd does not start: {last_error(log)}")
            time.sleep(0.2)
        yield
    finally:
        engine.terminate()
        try:
            engine.wait(STOP_S)
        except subprocess.TimeoutExpired:
            engine.kill()
            engine.wait()


def last_error(log: Path) -> str:
    """Return the last line of dockerd's log except warnings, without control characters."""
    lines = log.read_text(errors="replace").splitlines()
    errors = [line for line in lines if "level=warning" not in line]
    last = (errors or lines or ["it logged nothing"])[-1]
    return "".join(filter(str.isprintable, last))


def _tools(folder: Path) -> Path:
    """Install Compose as a plugin, and Caddy's binary; return their folder."""
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"]
    pins = (ROOT / "deploy/constraints.txt").read_text().splitlines()
    wanted = [pin for pin in pins if pin.partition("==")[0] in groups["containers"]]
    tools = CACHE / f"tools-{'-'.join(wanted)}"
    if not tools.exists():
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        unfinished = tools.with_suffix(".part")
        shutil.rmtree(unfinished, ignore_errors=True)
        install([*pip, "--no-deps", "--target", str(unfinished), *wanted])
        unfinished.rename(tools)
    plugins = folder / "cli-plugins"
    plugins.mkdir()
    (plugins / "docker-compose").symlink_to(tools / "compose" / "docker-compose")
    return tools
