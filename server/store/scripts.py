"""The Lua scripts, and what calls them.

Rule: a script is one room's, so one slot's; what is not in that slot is written beside it.

A Redis whose memory is full refuses commands that may need more. What ends a room, frees space or
writes over what is there is executed all the same, by scripts that are marked `ALWAYS`; new rooms
and seats, acts and messages are not.
"""

from hashlib import sha1
from pathlib import Path

from server.store.records import CommitFailure
from server.store.redis_connection import Word, pack

ALWAYS = b"#!lua flags=allow-oom\n"
IF_THERE_IS_SPACE = b"#!lua\n"
FOLDER = Path(__file__).parent


class Script:
    """A script that Redis knows by its hash once `load` was sent on the connection.

    `mark` says when Redis executes it; without one it is begun always, and ends at the first
    command that may need memory if there is none.
    """

    def __init__(self, *names: str, mark: bytes = b"") -> None:
        """Make a script of one or more files, one after the other."""
        text = mark + b"".join((FOLDER / f"{name}.lua").read_bytes() for name in names)
        self.sha = sha1(text, usedforsecurity=False).hexdigest().encode()
        self.load = pack("SCRIPT", "LOAD", text)

    def command(self, keys: tuple[str, ...], *arguments: Word) -> bytes:
        """Return the packed call of this script."""
        return pack("EVALSHA", self.sha, len(keys), *keys, *arguments)


COUNT_HINT = Script("fence", "count_hint")
APPEND = Script("append")
CHANGE = Script("change", mark=ALWAYS)
CLAIM = Script("claim")
CLOCK = Script("clock", mark=ALWAYS)
COMMIT = Script("fence", "commit")
COMMAND = Script("always", mark=ALWAYS)
DELETE = Script("delete", mark=ALWAYS)
GROW = Script("change", mark=IF_THERE_IS_SPACE)  # a change that makes a room or a seat
TAKE_SEAT = Script("take_seat", mark=ALWAYS)

SCRIPTS = (COUNT_HINT, APPEND, CHANGE, CLAIM, CLOCK, COMMAND, COMMIT, DELETE, GROW, TAKE_SEAT)
LOADS = tuple(script.load for script in SCRIPTS)

# What the two fenced scripts return instead of a time, or of a count.
FAILURES = {
    -1: CommitFailure.REPEATED,
    -2: CommitFailure.STALE,
    -3: CommitFailure.REPLACED,
    -4: CommitFailure.EARLY,
    -5: CommitFailure.TOO_LATE,
    -6: CommitFailure.NOT_RUNNING,
    -7: CommitFailure.TAKEN_BACK,
}
