"""The Lua scripts and the commands that call them.

Rule: a script uses the keys of one slot. Keys in other slots are written by separate commands.

A Redis whose memory is full refuses commands that may need more of it. Scripts that are marked
`ALWAYS` are executed even then: they end rooms, free space or overwrite existing values. Scripts
that store new rooms, seats, acts or events are not marked.
"""

from hashlib import sha1
from pathlib import Path

from server.store.connection import Word, pack

ALWAYS = b"#!lua flags=allow-oom\n"
IF_THERE_IS_SPACE = b"#!lua\n"
FOLDER = Path(__file__).parent


class Script:
    """A script that Redis executes by its hash once `load` was sent on the connection.

    One without a mark is always started, and fails at its first command that needs more memory.
    """

    def __init__(self, name: str, mark: bytes = b"") -> None:
        """Read the file of this name, with `mark` as its first line."""
        text = mark + (FOLDER / f"{name}.lua").read_bytes()
        self.sha = sha1(text, usedforsecurity=False).hexdigest().encode()
        self.load = pack("SCRIPT", "LOAD", text)

    def command(self, keys: tuple[str, ...], *arguments: Word) -> bytes:
        """Return the packed call of this script."""
        return pack("EVALSHA", self.sha, len(keys), *keys, *arguments)


COUNT_HINT = Script("count_hint")
APPEND = Script("append_event")
CHANGE = Script("change_room", mark=ALWAYS)
CLAIM = Script("claim_place")
CLAIM_GAME = Script("claim_game", mark=IF_THERE_IS_SPACE)
SETTLE_CLAIM = Script("claim_game", mark=ALWAYS)
CLOCK = Script("compare_clocks", mark=ALWAYS)
OTHER_COMMAND = Script("allow_oom", mark=ALWAYS)
DELETE = Script("delete_room", mark=ALWAYS)
GUESS = Script("count_guess", mark=ALWAYS)
GROW = Script("change_room", mark=IF_THERE_IS_SPACE)  # a change that creates a room or a seat
KEEP_REVIEW = Script("keep_review", mark=IF_THERE_IS_SPACE)
REPORT = Script("report_result", mark=IF_THERE_IS_SPACE)
TAKE_SEAT = Script("take_seat", mark=ALWAYS)

LOADS = tuple(script.load for script in [*vars().values()] if isinstance(script, Script))


def always(command: str, key: str, *words: Word) -> bytes:
    """Pack a command with one key that is executed even if the memory of Redis is full."""
    return OTHER_COMMAND.command((key,), command, *words)
