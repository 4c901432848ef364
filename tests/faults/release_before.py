"""A server that is replaced by the release before this one, and then by this one again.

The code of that release comes from git: `tests/store/releases/BEFORE` names its commit. In a clone
without this commit (a shallow one, or an archive of the files) the fault is left out, and the
program reports that.

The release before does not support everything, so it is protected: rooms are opened with settings
that it knows (see `test_rollback.py`), the store has no other fault meanwhile, and the store's
clock is right. It ranks by its own rules while it serves, so its results are not compared with the
rules of this release.
"""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jsonschema

from tests.faults.players import Racer
from tests.faults.processes import Fleet
from tests.faults.schedule import Fault

CONTRACT = Path("protocol/generated/from_client.schema.json")
EVERY_OTHER = 2
"""Share of the players that reconnect to any server: every second one."""


class Before:
    """The release before this one, whose code is in a directory."""

    def __init__(self, code: Path) -> None:
        self._code = code
        schema = json.loads((code / CONTRACT).read_text())
        self._contract = jsonschema.Draft202012Validator(schema)

    def can_serve(self, settings: dict[str, Any]) -> bool:
        """Return whether that release can serve a room with these settings."""
        if settings["score"] == "moves":
            return False  # it does not store the complete suits on the tableau, which rank here
        create = {"type": "create", "name": "Ada", "settings": settings}
        return bool(self._contract.is_valid(create))

    async def serve(self, fault: Fault, servers: Fleet, racers: Sequence[Racer]) -> bool:
        """Run the release before for a while; return whether it has acknowledged an act.

        Players reconnect to it, and to this release afterwards.
        """
        store, server = servers.store, servers.servers[fault.victims[0]]
        acks = _acks(racers)
        async with store.undisturbed():
            await store.set_clock_right()
            async with server.replaced(self._code):
                for racer in racers[::EVERY_OTHER]:
                    racer.cut()
                await asyncio.sleep(fault.seconds)
        return _acks(racers) > acks


def _acks(racers: Sequence[Racer]) -> int:
    return sum(racer.notes.acks_before for racer in racers)
