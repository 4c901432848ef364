"""The Lua scripts and the commands that call them.

Law: a script uses keys of one slot only. Separate commands write the keys of other slots.

A Redis whose memory is full refuses commands that may need more. Scripts marked `ALWAYS` run
even then: they end rooms, free space or overwrite existing values. Those that store new rooms,
seats, acts or events are not marked.
"""

from collections.abc import Sequence
from hashlib import sha1
from pathlib import Path

from server.store.connection import Command, Word, pack

ALWAYS = b"#!lua flags=allow-oom\n"
IF_THERE_IS_SPACE = b"#!lua\n"
FOLDER = Path(__file__).parent


class Script:
    """A script that Redis executes by its hash, once `load` was sent on the connection.

    If its first line is neither `ALWAYS` nor `IF_THERE_IS_SPACE`, a full Redis still starts it,
    and the first command that needs more memory fails.
    """

    def __init__(self, text: bytes) -> None:
        self.sha = sha1(text, usedforsecurity=False).hexdigest().encode()
        self.load = pack("SCRIPT", "LOAD", text)

    def command(self, keys: Sequence[str], *arguments: Word) -> Command:
        """Return the command that runs this script."""
        return Command(keys[0], pack("EVALSHA", self.sha, len(keys), *keys, *arguments))


def _script(name: str, shebang: bytes = b"") -> Script:
    return Script(shebang + (FOLDER / f"{name}.lua").read_bytes())


COUNT_HINT = _script("count_hint")
APPEND_EVENT = _script("append_event")
CHANGE_ROOM = _script("change_room", ALWAYS)
CLAIM_PLACE = _script("claim_place")
CLAIM_GAME = _script("claim_game", IF_THERE_IS_SPACE)
SETTLE_CLAIM = _script("claim_game", ALWAYS)
COMPARE_CLOCKS = _script("compare_clocks", ALWAYS)
COMMAND_WHEN_FULL = Script(ALWAYS + b"return redis.call(ARGV[1], KEYS[1], unpack(ARGV, 2))\n")
DELETE_ROOM = _script("delete_room", ALWAYS)
COUNT_GUESS = _script("count_guess", ALWAYS)
GROW_ROOM = _script("change_room", IF_THERE_IS_SPACE)  # a change that creates a room or a seat
KEEP_REVIEW = _script("keep_review", IF_THERE_IS_SPACE)
REPORT_RESULT = _script("report_result", IF_THERE_IS_SPACE)
TAKE_SEAT = _script("take_seat", ALWAYS)

LOADS = tuple(script.load for script in [*vars().values()] if isinstance(script, Script))


def even_if_full(name: str, key: str, *words: Word) -> Command:
    """Return a command on a key that runs even if the memory of Redis is full.

    Use it only for commands that end a room or need no more space than before.
    """
    return COMMAND_WHEN_FULL.command((key,), name, *words)
