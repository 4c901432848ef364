"""The reviews of rounds that are over, made by processes that serve no players.

1. A review is a hash beside the logs of its round, and is removed with them.
2. A text is kept once. A process that makes it a second time changes nothing.
3. A review has the t0 of its round. So one that an older release has left behind is not taken for
   that of another room with the same code.
"""

from dataclasses import dataclass
from typing import Final

from server.store.cluster import ClusterClient
from server.store.connection import Word, pack
from server.store.keys import TTL_SECONDS, Keys
from server.store.records import StoredReview
from server.store.scripts import KEEP_REVIEW

T0: Final = b"t0"
DONE: Final = b"done"
SEAT: Final = b"seat:"
"""The beginning of the name of a field with a text; its seat follows."""


@dataclass(eq=False)
class RedisReviews:
    """The reviews; see `interfaces.Reviews`. Every method may raise StoreAway."""

    _client: ClusterClient
    _keys: Keys

    async def begin(self, code: str, n: int, t0: int) -> bool:
        """Begin the review of a round; return False if there is no such room."""
        return await self._write(code, n, t0)

    async def keep(self, code: str, n: int, t0: int, seat: int, text: str) -> bool:
        """Keep the text of a seat, if there is none; return False if there is no such room."""
        return await self._write(code, n, t0, b"%b%d" % (SEAT, seat), text)

    async def finish(self, code: str, n: int, t0: int) -> bool:
        """Note that a review is done; return False if there is no such room."""
        return await self._write(code, n, t0, DONE, 1)

    async def read(self, code: str, n: int, t0: int) -> StoredReview:
        """Return the review of a round, as far as it is made."""
        key = self._keys.review(code, n)
        reply = await self._client.ask(key, pack("HGETALL", key))
        fields = dict(zip(reply[::2], reply[1::2], strict=True))
        if fields.get(T0) != b"%d" % t0:
            return StoredReview()
        texts = {
            int(name.removeprefix(SEAT)): text.decode()
            for name, text in fields.items()
            if name.startswith(SEAT)
        }
        return StoredReview(has_begun=True, is_done=DONE in fields, texts=texts)

    async def maker_seen_ms(self) -> int:
        """Return the time at which a thinking process was last there; 0 if none ever was."""
        _, pools = self._keys.pool("")
        return int(await self._client.ask(pools, pack("HGET", pools, "alive")) or 0)

    async def _write(self, code: str, n: int, t0: int, *field: Word) -> bool:
        key, room = self._keys.review(code, n), self._keys.room(code)
        command = KEEP_REVIEW.command((key, room), t0, TTL_SECONDS, *field)
        return bool(await self._client.ask(key, command))
