"""The version of a release, or of a commit between two releases."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from server import __version__, version, version_of
from tests.faults.processes import serving
from tests.server.http import get
from tests.servers import start_embedded

ROOT = Path(__file__).parents[1]
UNKNOWN = f"{__version__}+unknown"


def git(folder: Path, *words: str) -> str:
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    unsigned = ("-c", "commit.gpgSign=false", "-c", "tag.gpgSign=false")
    place = (f"--git-dir={folder}/.git", f"--work-tree={folder}")
    command = ["git", *place, *who, *unsigned, *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def commit(folder: Path) -> str:
    """Make a commit, and return its version without a tag."""
    git(folder, "commit", "--quiet", "--allow-empty", "--no-verify", "--message", "A change")
    return f"{__version__}+g{git(folder, 'rev-parse', 'HEAD')[:8]}"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository with two commits; the first has the tag of another release."""
    folder = tmp_path / "checkout"
    folder.mkdir()
    subprocess.run(["git", "init", "--quiet", folder], check=True)
    commit(folder)
    git(folder, "tag", "v0.9.0")
    commit(folder)
    return folder


def test_between_releases_the_version_has_the_commit(checkout: Path) -> None:
    now = commit(checkout)
    assert re.fullmatch(rf"{re.escape(__version__)}\+g[0-9a-f]{{8}}", now)
    assert version_of(checkout) == now
    git(checkout, "pack-refs", "--all")
    assert version_of(checkout) == now
    git(checkout, "checkout", "--quiet", "--detach")
    assert version_of(checkout) == now


@pytest.mark.parametrize("kind", [(), ("--annotate", "--message", "A release")])
def test_a_tagged_commit_has_the_version_of_the_tag(checkout: Path, kind: tuple[str, ...]) -> None:
    git(checkout, "tag", *kind, f"v{__version__}")
    assert version_of(checkout) == __version__
    git(checkout, "pack-refs", "--all")
    assert version_of(checkout) == __version__
    later = commit(checkout)
    assert version_of(checkout) == later


@pytest.mark.parametrize("packed", [False, True])
def test_an_image_built_without_git_has_the_version(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, packed: bool
) -> None:
    now = version_of(checkout)
    git(checkout, "tag", "--annotate", "--message", "A release", f"v{__version__}")
    if packed:
        git(checkout, "pack-refs")
    for line in (ROOT / ".dockerignore").read_text().split():
        if line.startswith("!.git/") and (source := checkout / line[1:]).exists():
            target = tmp_path / "context" / line[1:]
            target.parent.mkdir(parents=True, exist_ok=True)
            (shutil.copytree if source.is_dir() else shutil.copy)(source, target)
    monkeypatch.setenv("PATH", "")
    # The commit of an annotated tag is in its object, which is not sent, or in packed-refs.
    assert version_of(tmp_path / "context") == (__version__ if packed else now)


def test_a_worktree_has_its_own_commit(checkout: Path) -> None:
    tree = checkout.parent / "tree"
    git(checkout, "worktree", "add", "--quiet", "--detach", str(tree))
    before = version_of(checkout)
    assert commit(checkout) != before
    assert version_of(tree) == before


def test_without_git_the_commit_is_unknown(checkout: Path, tmp_path: Path) -> None:
    assert version_of(tmp_path) == UNKNOWN
    below = checkout / "vendored"  # the repository around it belongs to another project
    below.mkdir()
    assert version_of(below) == UNKNOWN
    for broken in ("", "ref: refs/heads/none"):
        (tmp_path / ".git").mkdir(exist_ok=True)
        (tmp_path / ".git/HEAD").write_text(broken)
        assert version_of(tmp_path) == UNKNOWN


def test_a_client_does_not_look_for_the_commit() -> None:
    code = "import server, spider_race_client; print(server.version.cache_info().currsize)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True)
    assert done.stdout == b"0\n"
    assert version() == version_of(ROOT)


@pytest.mark.faults
async def test_two_versions_side_by_side_can_be_distinguished_everywhere(tmp_path: Path) -> None:
    ignore = shutil.ignore_patterns("__pycache__", "node_modules")
    with start_embedded(tmp_path) as store:
        for commit in ("1" * 40, "2" * 40):
            code = tmp_path / commit
            for name in ("server", "protocol", "web_client"):
                shutil.copytree(ROOT / name, code / name, ignore=ignore)
            (code / ".git").mkdir()
            (code / ".git/HEAD").write_text(f"{commit}\n")
            expected = f"{__version__}+g{commit[:8]}"
            log = tmp_path / f"{commit}.log"
            async with serving(log, "--redis-url", store.url, code=code) as process:
                first = process.entries()[0]
                assert (first["event"], first["version"]) == ("starting", expected)
                health = await get(process.operations, "/healthz")
                assert health.body.decode() == f"ok\nSpider Race {expected}\n"
                page = (await get(process.port, "/")).body.decode()
                assert f'name="generator" content="Spider Race {expected}"' in page
                metrics = (await get(process.operations, "/metrics")).body.decode()
                (info,) = re.findall(r"^spider_race_build_info{.*", metrics, re.MULTILINE)
                assert f'version="{expected}"' in info
    alerts = (ROOT / "deploy/prometheus/alerts.yml").read_text()
    assert "expr: count(count by (version) (spider_race_build_info)) > 1\n" in alerts
