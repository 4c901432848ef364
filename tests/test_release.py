"""The files of a release: the bill of materials, the licences, and checksums."""

import json
import re
import subprocess
from importlib.metadata import Distribution
from pathlib import Path
from typing import Any

import cyclonedx.schema
import pytest
from jsonschema import Draft7Validator
from packaging.utils import canonicalize_name
from referencing import Registry, Resource

from tests.containers import engine, images
from tests.tools import release
from tests.tools.release import Refused, base_of, bill, checksums, licence_texts, notices, packages

ROOT = Path(__file__).parents[1]
BASE = base_of(ROOT)
SCHEMAS = Path(cyclonedx.schema.__path__[0]) / "_res"


@pytest.fixture(scope="module")
def shipped() -> list[Distribution]:
    return packages((ROOT / "deploy/requirements.txt").read_text())


def validator() -> Draft7Validator:
    names = [f"{name}.SNAPSHOT.schema.json" for name in ("bom-1.6", "spdx", "jsf-0.82")]
    schemas = {name: json.loads((SCHEMAS / name).read_text()) for name in names}
    home = schemas[names[0]]["$id"].rpartition("/")[0]
    known = [(f"{home}/{name}", Resource.from_contents(each)) for name, each in schemas.items()]
    return Draft7Validator(schemas[names[0]], registry=Registry().with_resources(known))


def test_the_bill_of_materials_is_valid_and_complete(shipped: list[Distribution]) -> None:
    text = bill("1.0.0+g49daee5b", shipped, BASE, {"libc6": "2.36-9+deb12u1"})
    found: Any = json.loads(text)
    validator().validate(found)
    purls = {each["purl"] for each in found["components"]}
    assert {f"pkg:pypi/{canonicalize_name(each.name)}@{each.version}" for each in shipped} < purls
    assert {each.split("@")[0] for each in purls if "pypi" not in each} == {
        *("pkg:github/valkey-io/valkey", "pkg:docker/library/python", "pkg:generic/python"),
        "pkg:deb/debian/libc6",
    }
    assert all(each["licenses"] for each in found["components"] if "pypi" in each["purl"])
    skipped = bill("1.0.0", shipped, BASE, {})
    assert not re.search("pkg:(docker|generic|deb)/", skipped), "there is no image"
    ours = found["metadata"]["component"]
    assert ours["version"] == "1.0.0+g49daee5b"
    needed = {each["ref"]: each.get("dependsOn", []) for each in found["dependencies"]}
    reached, left = set(), [ours["bom-ref"]]
    while left:
        left += needed[ref := left.pop()]
        reached.add(ref)
    assert {each for each in purls if "pypi" in each or "valkey" in each} <= reached


def test_the_notices_have_all_licences(shipped: list[Distribution]) -> None:
    text = notices(shipped, BASE)
    for package in shipped:
        assert f"\n{package.name} {package.version}: " in text
        assert (texts := licence_texts(package)), package.name
        assert all(licence in text for licence in texts)
    assert "Copyright (c) 2024, Valkey contributors" in text
    assert f"\n{BASE}: the base of the image\n" in text


def test_a_version_that_differs_from_the_shipped_one_is_refused() -> None:
    with pytest.raises(Refused, match=r"redis==0\.1 is shipped"):
        packages("redis==0.1 \\\n")
    assert packages("async-timeout==5.0.1 ; python_full_version < '3.11.0' \\\n") == []


def test_checksums_can_be_checked(tmp_path: Path) -> None:
    for name in "ba":
        (tmp_path / name).write_text(name)
    sums = checksums(tmp_path)
    assert [line.split("  ")[1] for line in sums.splitlines()] == ["a", "b"]
    subprocess.run(["sha256sum", "--check", "-"], cwd=tmp_path, input=sums.encode(), check=True)


def test_uncommitted_changes_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    (tmp_path / "new.py").touch()
    monkeypatch.setattr(release, "ROOT", tmp_path)
    with pytest.raises(Refused, match=r"commit these changes first, or undo them:\n\?\? new\.py"):
        release.release()
    assert not (tmp_path / "dist").exists()


def test_the_reason_why_no_engine_starts_is_its_last_error_on_one_line(tmp_path: Path) -> None:
    """Regression: it had a thousand NUL bytes of another engine, or a later warning."""
    log = tmp_path / "dockerd.log"
    log.write_text("\0" * 1_000 + "failed to start daemon: no\x1b\nlevel=warning msg=later\n")
    assert engine.last_error(log) == "failed to start daemon: no"


class Docker(engine.Engine):
    """An engine with images left by a loader or a killed run."""

    def run(self, *command: str | Path, **_variables: str) -> str:
        if "rmi" in command:
            self.tools.joinpath("removed").write_text(str(command[-1]))
        return "[spider-race-stand-in-1:redis redis:8]" if "redis" in str(command[-1]) else "[]"


def test_a_stand_in_left_by_a_killed_run_is_no_official_image(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(images, "_stand_ins", lambda _engine: "made")
    (redis,) = [each for each in images.named() if each.startswith("redis:")]
    with images.available(Docker({}, tmp_path)) as stand_ins:
        assert stand_ins == [redis]
    assert (tmp_path / "removed").read_text() == redis
