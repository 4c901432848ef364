"""The logs of seats: every act that was stored."""

import struct
from collections.abc import Sequence

from server.store.cluster_client import ClusterClient
from server.store.errors import Unreadable
from server.store.keys import Keys
from server.store.packed_commands import pack
from server.store.records import LogRecord

ENTRY = struct.Struct("<HI")  # as commit.lua packs it
PART = 1_000  # entries that one command reads, at most: other commands wait for it


class RedisLogs:
    """The logs of seats by round; see `interfaces.Logs`.

    Every method raises StoreAway when Redis does not answer, and Unreadable when the stored value
    is no valid log.
    """

    def __init__(self, client: ClusterClient, keys: Keys) -> None:
        self._client = client
        self._keys = keys

    async def read(self, code: str, n: int, seat: int, start: int = 0) -> list[LogRecord]:
        """Return the seat's log of round `n`, in order, from entry `start` on."""
        key = self._keys.log(code, n, seat)
        log: list[LogRecord] = []
        while True:
            # A reply of many thousand entries would delay the replies to other commands.
            first = start + len(log)
            part = pack("LRANGE", key, first, first + PART - 1)
            entries = _entries(await self._client.ask(key, part))
            log += entries
            if len(entries) < PART:
                return log


def _entries(reply: Sequence[bytes]) -> list[LogRecord]:
    try:
        return [LogRecord._make(entry) for entry in ENTRY.iter_unpack(b"".join(reply))]
    except struct.error:
        raise Unreadable("a log of other entries") from None
