"""The last release, whose code replaces that of a server for a while, and is then replaced again.

Its code comes from git, by its tag (`v1.0.0`). While no release is tagged, or in a clone without
tags (a shallow one, or an archive of the files), no server is rolled back, and the program reports
that. Rooms are opened with settings that the last release knows: it keeps others and plays without
them.
"""

import asyncio
import io
import json
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jsonschema

from tests.faults.players import Racer
from tests.faults.processes import Fleet
from tests.faults.schedule import Fault

ROOT = Path(__file__).parents[2]
CONTRACT = Path("protocol/generated/from_client.schema.json")
EVERY_OTHER = 2
"""Share of the players that reconnect to any server: every second one."""


class NoRelease(Exception):
    """This clone has no tagged release."""


def tag_of_last_release() -> str:
    """Return the tag of the last release.

    Raises:
        NoRelease: no release is tagged here.
    """
    tags = _git("tag", "--list", "v[0-9]*", "--sort=-version:refname").decode().split()
    if not tags:
        raise NoRelease("no release is tagged")
    return tags[0]


def export(tag: str, directory: Path) -> Path:
    """Export the code of a release to a directory.

    Raises:
        NoRelease: git does not have this release here.
    """
    with zipfile.ZipFile(io.BytesIO(_git("archive", "--format=zip", tag))) as archive:
        archive.extractall(directory)
    printed = subprocess.run(
        [sys.executable, "-c", "import server; print(server.__file__)"],
        cwd=directory,
        capture_output=True,
        check=True,
        text=True,
    )
    assert Path(printed.stdout).is_relative_to(directory), "Python would run other code"
    return directory


def _git(*words: str) -> bytes:
    try:
        done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=False)
    except FileNotFoundError as error:
        raise NoRelease(str(error)) from None
    if done.returncode:
        raise NoRelease(done.stderr.decode().strip())
    return done.stdout


class LastRelease:
    """The last release, whose code is in a directory."""

    def __init__(self, code: Path) -> None:
        self._code = code
        schema = json.loads((code / CONTRACT).read_text())
        self._contract = jsonschema.Draft202012Validator(schema)

    def can_serve(self, settings: dict[str, Any]) -> bool:
        """Return whether that release knows these settings of a room."""
        create = {"type": "create", "name": "Ada", "settings": settings}
        return bool(self._contract.is_valid(create))

    async def serve(self, fault: Fault, servers: Fleet, racers: Sequence[Racer]) -> bool:
        """Run the last release for a while; return whether it has acknowledged an act.

        Players reconnect to it, and to this release afterwards.
        """
        acks = _acks(racers)
        async with servers.servers[fault.victims[0]].replaced(self._code):
            for racer in racers[::EVERY_OTHER]:
                racer.cut()
            await asyncio.sleep(fault.seconds)
        return _acks(racers) > acks


def _acks(racers: Sequence[Racer]) -> int:
    return sum(racer.notes.acks_of_last_release for racer in racers)
