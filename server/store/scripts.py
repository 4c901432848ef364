"""The Lua scripts and the commands that call them.

Rule: a script uses the keys of one room, so of one slot. Keys in other slots are written by
separate commands.

A Redis whose memory is full refuses commands that may need more of it. Scripts that are marked
`ALWAYS` are executed even then: they end rooms, free space or overwrite existing values. Scripts
that store new rooms, seats, acts or events are not marked.
"""

from hashlib import sha1
from pathlib import Path

from server.store.words import Word, pack

ALWAYS = b"#!lua flags=allow-oom\n"
IF_THERE_IS_SPACE = b"#!lua\n"
FOLDER = Path(__file__).parent


class Script:
    """A script that Redis executes by its hash once `load` was sent on the connection.

    `mark` declares whether Redis executes the script when its memory is full. A script without a
    mark is always started, and fails at its first command that needs more memory.
    """

    def __init__(self, *names: str, mark: bytes = b"") -> None:
        """Join one or more files to a script."""
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
COPY_ROOM = Script("copy_room")
COMMAND = Script("always", mark=ALWAYS)
DELETE = Script("delete", mark=ALWAYS)
GUESS = Script("guess", mark=ALWAYS)
GROW = Script("change", mark=IF_THERE_IS_SPACE)  # a change that creates a room or a seat
RESTORE_ROOM = Script("restore_room", mark=ALWAYS)
TAKE_SEAT = Script("take_seat", mark=ALWAYS)

SCRIPTS = (
    *(COUNT_HINT, APPEND, CHANGE, CLAIM, CLOCK, COMMAND, COMMIT, DELETE, GROW, GUESS),
    *(TAKE_SEAT, COPY_ROOM, RESTORE_ROOM),
)
LOADS = tuple(script.load for script in SCRIPTS)
