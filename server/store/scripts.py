"""The Lua scripts, and what calls them.

Rule: a script is one room's, so one slot's; what is not in that slot is written beside it.
"""

from hashlib import sha1
from pathlib import Path

from server.store.records import CommitFailure
from server.store.wire import Word, pack


class Script:
    """A script that Redis knows by its hash once `load` was sent on the connection."""

    def __init__(self, name: str) -> None:
        text = (Path(__file__).parent / f"{name}.lua").read_bytes()
        self.sha = sha1(text, usedforsecurity=False).hexdigest().encode()
        self.load = pack("SCRIPT", "LOAD", text)

    def command(self, keys: tuple[str, ...], *arguments: Word) -> bytes:
        """Return the packed call of this script."""
        return pack("EVALSHA", self.sha, len(keys), *keys, *arguments)


ADVISE = Script("advise")
APPEND = Script("append")
CHANGE = Script("change")
CLOCK = Script("clock")
COMMIT = Script("commit")
TAKE_SEAT = Script("take_seat")

LOADS = tuple(script.load for script in (ADVISE, APPEND, CHANGE, CLOCK, COMMIT, TAKE_SEAT))

# What commit.lua returns instead of a time, and advise.lua instead of a count.
FAILURES = {
    -1: CommitFailure.REPEATED,
    -2: CommitFailure.STALE,
    -3: CommitFailure.REPLACED,
    -4: CommitFailure.EARLY,
    -5: CommitFailure.TOO_LATE,
    -6: CommitFailure.NOT_RUNNING,
    -7: CommitFailure.TAKEN_BACK,
}
