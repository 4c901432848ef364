"""Stored analysis: reviews of finished rounds, labels of deals, and guards for this work.

A review is a hash beside the logs of its round, and is deleted with them. It holds the t0 of its
round, so a leftover is not taken for the review of a later room with the same code. A seat keeps
its first text. A guard is a lock that keeps other processes from doing the same work; doing it
twice is harmless.
"""

from typing import Final

from server.store.cluster import StorePart
from server.store.connection import Word
from server.store.keys import TTL_SECONDS
from server.store.records import StoredReview
from server.store.scripts import KEEP_REVIEW

LABEL_SECONDS: Final = 24 * 3600
DONE: Final = b"done"
SEAT: Final = b"seat:"  # with a seat's number after it, the field for that seat's text


class Reviews(StorePart):
    """The reviews of finished rounds. A method that writes returns False if the room is gone."""

    async def begin(self, code: str, n: int, t0: int) -> bool:
        """Record that a process is reviewing round `n`, which started at `t0` (ms)."""
        return await self._add(code, n, t0)

    async def keep(self, code: str, n: int, t0: int, seat: int, text: str) -> bool:
        """Store the review of a seat's game in round `n`, unless it has one."""
        return await self._add(code, n, t0, b"%b%d" % (SEAT, seat), text)

    async def finish(self, code: str, n: int, t0: int) -> bool:
        """Record that the review of round `n`, which started at `t0`, is complete."""
        return await self._add(code, n, t0, DONE, 1)

    async def read(self, code: str, n: int, t0: int) -> StoredReview:
        """Return the finished part of the review of round `n`, which started at `t0`."""
        reply = await self._client.call("HGETALL", self._keys.review(code, n))
        fields = dict(zip(reply[::2], reply[1::2], strict=True))
        if fields.get(b"t0") != b"%d" % t0:  # a leftover of an earlier room with this code
            return StoredReview()
        seats = (name for name in fields if name.startswith(SEAT))
        texts = {int(name.removeprefix(SEAT)): fields[name].decode() for name in seats}
        return StoredReview(has_begun=True, is_done=DONE in fields, texts=texts)

    async def _add(self, code: str, n: int, t0: int, *field: Word) -> bool:
        """Create the review if needed, and add the given field, if any: a name and a value."""
        key, room = self._keys.review(code, n), self._keys.room(code)
        command = KEEP_REVIEW.command((key, room), t0, TTL_SECONDS, *field)
        return bool(await self._client.ask(command))


class DealLabels(StorePart):
    """The labels of numbered deals, each stored for `LABEL_SECONDS`."""

    async def read(self, deal: str) -> str | None:
        """Return the stored label of a deal, or None."""
        label: bytes | None = await self._client.call("GET", self._keys.label(deal))
        return None if label is None else label.decode()

    async def keep(self, deal: str, label: str) -> None:
        """Store the label of a deal for `LABEL_SECONDS`."""
        await self._client.call("SET", self._keys.label(deal), label, "EX", LABEL_SECONDS)


class Guards(StorePart):
    """Locks that expire, so that one process at a time does some work."""

    async def claim(self, work: str, process: str, seconds: int) -> bool:
        """Take the guard for some work for `seconds`; return False if a process holds it."""
        key = self._keys.guard(work)
        return await self._client.call("SET", key, process, "NX", "EX", seconds) is not None

    async def renew(self, work: str, process: str, seconds: int) -> bool:
        """Hold a guard for `seconds` from now; return False if `process` no longer holds it."""
        key = self._keys.guard(work)
        is_held = await self._client.call("GET", key) == process.encode()
        return is_held and bool(await self._client.call("EXPIRE", key, seconds))

    async def release(self, work: str, process: str) -> None:
        """Release a guard, if `process` holds it."""
        key = self._keys.guard(work)
        if await self._client.call("GET", key) == process.encode():
            await self._client.call("DEL", key)
