"""The images named in Dockerfile and docker-compose.yml: official ones, or stand-ins.

Stand-ins are made from Debian's packages, for machines that reach no image registry. The engine
keeps them under other names, and they have the official names only during a run.
"""

import contextlib
import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.containers.engine import ROOT, CommandFailed, Engine, Unavailable, install

STAND_IN = "spider-race-stand-in"
FILES = Path(__file__).parent / "stand_ins"
SUITE = "trixie"  # the Debian of Python 3.13
PACKAGES = (
    *("ca-certificates", "python3", "python3-dev", "python3-venv", "python-is-python3"),
    *("redis-server", "busybox-static", "libcap2-bin"),
)
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
ADDRESSES = ("index-url", "extra-index-url", "trusted-host")
"""Settings that pip may need to reach a package index."""


def named() -> list[str]:
    """Return the images named in the project's files."""
    dockerfile = (ROOT / "Dockerfile").read_text()
    compose = (ROOT / "docker-compose.yml").read_text()
    found = re.findall(r"^FROM (\S+:\S+)", dockerfile, re.MULTILINE)
    found += re.findall(r"^ +image: (\S+:\S+)$", compose, re.MULTILINE)
    return sorted(set(found))


@contextlib.contextmanager
def available(engine: Engine) -> Iterator[list[str]]:
    """Provide all images named in the project's files; return the stand-ins.

    Raises:
        Unavailable: stand-ins cannot be made here.
    """
    missing = [image for image in named() if not engine.has(image) or is_left(engine, image)]
    try:
        if missing:
            made = _stand_ins(engine)
            for image in missing:
                engine.run("docker", "tag", f"{made}:{image.partition(':')[0]}", image)
        yield missing
    finally:
        for image in missing:
            with contextlib.suppress(CommandFailed):  # it was not made
                engine.run("docker", "rmi", "--no-prune", image)


def is_left(engine: Engine, image: str) -> bool:
    """Return whether a killed run has left an image's name on a stand-in."""
    tags = engine.run("docker", "image", "inspect", "--format", "{{.RepoTags}}", image)
    return f"{STAND_IN}-" in tags


def _stand_ins(engine: Engine) -> str:
    """Return the name of all stand-ins; the name of each image is its tag."""
    pip = _pip_settings()
    parts = [path.read_bytes() for path in sorted(FILES.iterdir())]
    parts += [CERTIFICATES.read_bytes(), pip.encode(), " ".join((SUITE, *PACKAGES)).encode()]
    parts.append(engine.tools.name.encode())
    name = f"{STAND_IN}-{hashlib.sha256(b'|'.join(parts)).hexdigest()[:12]}"
    if all(engine.has(f"{name}:{target}") for target in ("python", "redis", "caddy")):
        return name
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        for path in FILES.iterdir():
            shutil.copy(path, folder)
        shutil.copy(engine.tools / "bin" / "caddy", folder)
        (folder / "pip.conf").write_text(pip)
        archive = folder / "base.tar"
        _make_base(folder, archive)
        base = f"{name}:base"
        engine.run("docker", "import", archive, base)
        archive.unlink()
        _check_network(engine, base)
        for target in ("python", "redis", "caddy"):
            build = ["docker", "build", "--target", target, "--build-arg", f"BASE={base}"]
            engine.run(*build, "--tag", f"{name}:{target}", folder)
    return name


def _make_base(folder: Path, archive: Path) -> None:
    """Make a Debian with the packages of all stand-ins and this machine's settings."""
    install(
        [
            *("mmdebstrap", "--quiet", "--variant=apt", f"--include={','.join(PACKAGES)}"),
            '--aptopt=Acquire::Languages "none"',
            f"--customize-hook=copy-in {CERTIFICATES} {CERTIFICATES.parent}",
            f"--customize-hook=copy-in {folder / 'pip.conf'} /etc",
            *(SUITE, str(archive)),
        ]
    )


def _check_network(engine: Engine, image: str) -> None:
    try:
        engine.run("docker", "run", "--rm", image, "apt-get", "update", "-qq", "--error-on=any")
    except CommandFailed as error:
        raise Unavailable("containers do not reach Debian's packages") from error


def _pip_settings() -> str:
    """Return this machine's settings of pip, as a configuration for the build."""
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "config", "list"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    lines = ["[global]"]
    for line in listed.splitlines():
        key, _, value = line.partition("=")
        name = re.sub(r"^(global\.|:env:\.)", "", key)
        near = [word for word in value.strip("'\"").split() if not word.startswith("file:")]
        if name in ADDRESSES and near:
            lines.append(f"{name} = {' '.join(near)}")
    return "\n".join([*lines, ""])
