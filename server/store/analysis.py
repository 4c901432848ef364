"""What processes find out by computing: reviews of rounds that are over, and labels of deals.

A review is a hash beside the logs of its round, and is removed with them. It has the t0 of its
round, so that one that was left behind is not taken for that of another room with the same code.
A text of it is kept once. A label is a key with an expiry. While a process makes one of them, a
guard with an expiry keeps others from it; what is made twice nevertheless does no harm.
"""

from dataclasses import dataclass
from typing import Final

from server.store.cluster import ClusterClient
from server.store.connection import Word, pack
from server.store.keys import TTL_SECONDS, Keys
from server.store.records import StoredReview
from server.store.scripts import KEEP_REVIEW

LABEL_SECONDS: Final = 24 * 3600
DONE: Final = b"done"
SEAT: Final = b"seat:"  # the beginning of the name of a field with a text; its seat follows


@dataclass(eq=False)
class Reviews:
    """The reviews of rounds that are over; who writes to one learns whether the room exists."""

    _client: ClusterClient
    _keys: Keys

    async def begin(self, code: str, n: int, t0: int) -> bool:
        """Begin the review of a round."""
        return await self._write(code, n, t0)

    async def keep(self, code: str, n: int, t0: int, seat: int, text: str) -> bool:
        """Keep the text of a seat, if there is none."""
        return await self._write(code, n, t0, b"%b%d" % (SEAT, seat), text)

    async def finish(self, code: str, n: int, t0: int) -> bool:
        """Note that a review is done."""
        return await self._write(code, n, t0, DONE, 1)

    async def read(self, code: str, n: int, t0: int) -> StoredReview:
        """Return the review of a round, as far as it is made."""
        key = self._keys.review(code, n)
        reply = await self._client.ask(key, pack("HGETALL", key))
        fields = dict(zip(reply[::2], reply[1::2], strict=True))
        if fields.get(b"t0") != b"%d" % t0:
            return StoredReview()
        seats = (name for name in fields if name.startswith(SEAT))
        texts = {int(name.removeprefix(SEAT)): fields[name].decode() for name in seats}
        return StoredReview(has_begun=True, is_done=DONE in fields, texts=texts)

    async def _write(self, code: str, n: int, t0: int, *field: Word) -> bool:
        key, room = self._keys.review(code, n), self._keys.room(code)
        command = KEEP_REVIEW.command((key, room), t0, TTL_SECONDS, *field)
        return bool(await self._client.ask(key, command))


@dataclass(eq=False)
class DealLabels:
    """The labels of numbered deals."""

    _client: ClusterClient
    _keys: Keys

    async def read(self, deal: str) -> str | None:
        """Return the label of a deal; None if there is none."""
        key = self._keys.label(deal)
        label: bytes | None = await self._client.call(key, "GET", key)
        return None if label is None else label.decode()

    async def keep(self, deal: str, label: str) -> None:
        """Keep the label of a deal for `LABEL_SECONDS`."""
        key = self._keys.label(deal)
        await self._client.call(key, "SET", key, label, "EX", LABEL_SECONDS)


@dataclass(eq=False)
class Guards:
    """The guards of works that one process does at a time."""

    _client: ClusterClient
    _keys: Keys

    async def claim(self, work: str, maker: str, seconds: int) -> bool:
        """Take the guard of a work for some seconds; return False if a maker has it."""
        key = self._keys.guard(work)
        return await self._client.call(key, "SET", key, maker, "NX", "EX", seconds) is not None

    async def renew(self, work: str, maker: str, seconds: int) -> bool:
        """Hold a guard for some seconds more; return False if this maker does not have it."""
        key = self._keys.guard(work)
        own = await self._client.call(key, "GET", key) == maker.encode()
        return own and bool(await self._client.call(key, "EXPIRE", key, seconds))

    async def release(self, work: str, maker: str) -> None:
        """Give a guard back, if this maker has it."""
        key = self._keys.guard(work)
        if await self._client.call(key, "GET", key) == maker.encode():
            await self._client.call(key, "DEL", key)
