"""The lists of a release: what its wheel and its image contain, the licences, and checksums."""

import hashlib
import json
import subprocess
from pathlib import Path
from typing import Any

import cyclonedx.schema
import pytest
from jsonschema import Draft7Validator
from referencing import Registry, Resource

from tests.tools import release
from tests.tools.release import Base, Refused, bill, checksums, licence_texts, notices, packages

ROOT = Path(__file__).parents[1]
BASE = Base.of((ROOT / "Dockerfile").read_text())
REQUIREMENTS = (ROOT / "deploy/requirements.txt").read_text()
SHIPPED = packages(REQUIREMENTS, BASE)
SCHEMAS = Path(cyclonedx.schema.__path__[0]) / "_res"


def validator() -> Draft7Validator:
    names = [f"{name}.SNAPSHOT.schema.json" for name in ("bom-1.6", "spdx", "jsf-0.82")]
    schemas = {name: json.loads((SCHEMAS / name).read_text()) for name in names}
    home = schemas[names[0]]["$id"].rpartition("/")[0]
    known = [(f"{home}/{name}", Resource.from_contents(each)) for name, each in schemas.items()]
    return Draft7Validator(schemas[names[0]], registry=Registry().with_resources(known))


def test_the_bill_of_materials_is_valid_and_names_all_that_is_shipped() -> None:
    text = bill("1.0.0+g75c338f3", SHIPPED, BASE, {"libc6": "2.36-9+deb12u1"})
    found: Any = json.loads(text)
    validator().validate(found)
    purls = {each["purl"] for each in found["components"]}
    assert {
        f"pkg:pypi/{each.name.lower().replace('_', '-')}@{each.version}" for each in SHIPPED
    } < purls
    assert {each.split("@")[0] for each in purls if "pypi" not in each} == {
        *("pkg:github/valkey-io/valkey", "pkg:docker/library/python", "pkg:generic/python"),
        "pkg:deb/debian/libc6",
    }
    assert all(each["licenses"] for each in found["components"] if "pypi" in each["purl"])
    ours = found["metadata"]["component"]
    assert ours["version"] == "1.0.0+g75c338f3"
    needed = {each["ref"]: each.get("dependsOn", []) for each in found["dependencies"]}
    reached, left = set(), [ours["bom-ref"]]
    while left:
        left += needed[ref := left.pop()]
        reached.add(ref)
    assert {each for each in purls if "pypi" in each or "valkey" in each} <= reached


def test_the_notices_have_the_licence_of_all_that_is_shipped() -> None:
    text = notices(SHIPPED, BASE)
    for package in SHIPPED:
        assert f"\n{package.name} {package.version}: " in text
        assert licence_texts(package), package.name
        assert all(licence.strip() in text for licence in licence_texts(package))
    assert "Copyright (c) 2024, Valkey contributors" in text
    assert f"\n{BASE.image}: the base of the image\n" in text


def test_another_version_than_the_shipped_one_is_refused() -> None:
    with pytest.raises(Refused, match=r"redis==0\.1 is shipped"):
        packages("redis==0.1 \\\n", BASE)
    assert packages("async-timeout==5.0.1 ; python_full_version < '3.11.3' \\\n", BASE) == []


def test_checksums_can_be_checked(tmp_path: Path) -> None:
    (tmp_path / "b").write_bytes(b"2")
    (tmp_path / "a").write_bytes(b"1")
    one, two = (hashlib.sha256(each).hexdigest() for each in (b"1", b"2"))
    assert checksums(tmp_path) == f"{one}  a\n{two}  b\n"


def test_what_is_not_committed_is_not_released(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    (tmp_path / "new.py").touch()
    monkeypatch.setattr(release, "ROOT", tmp_path)
    assert release.main() == 1
    assert "commit these changes first, or undo them:\n?? new.py" in capsys.readouterr().err
    assert not (tmp_path / "dist").exists()
