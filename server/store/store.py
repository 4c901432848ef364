"""The store as the rest of the server sees it, and how it comes and goes."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Self

from server.store.address import Address
from server.store.commits import Answer, Commits
from server.store.errors import StoreAway, StoreUnusable
from server.store.greeting import greet
from server.store.hints import Hints
from server.store.line import Line
from server.store.races import Races
from server.store.records import Commit
from server.store.rooms import Rooms
from server.store.scripts import LOADS

if TYPE_CHECKING:
    from server.store.embedded import Embedded


class Store(Rooms, Races):
    """Everything that outlives a process, in Redis.

    `url` is for the processes that share this store; `hints` tells of what they change. Made by
    `open`, and to be closed.
    """

    def __init__(self, address: Address, url: str, embedded: "Embedded | None") -> None:
        self.url = url
        self._embedded = embedded
        self._line = Line(address, LOADS)
        self._fast_line = Line(address, LOADS)
        self._commits = Commits(self._fast_line)
        self.hints = Hints(address, self._line)

    @classmethod
    async def open(cls, url: str | None, data_dir: Path) -> Self:
        """Connect to the Redis at this URL, or to one of our own in `data_dir`.

        Only the process that opened its own stops it, in `close`; its workers open its `url`.
        Cancelling closes all again.

        Raises:
            StoreTooOld: it is older than 7.0.
            StoreUnusable: it cannot be reached or written, or is none, or `data_dir` is not ours.
        """
        embedded = None
        if url is None:
            if sys.platform == "win32":
                raise StoreUnusable("There is no embedded store for Windows; give --redis-url.")
            from server.store.embedded import Embedded  # noqa: PLC0415  # not on Windows

            embedded = await Embedded.start(data_dir)
            url = embedded.url
        store = None
        try:
            address = Address(url)
            await greet(address)
            store = cls(address, url, embedded)
            try:
                await store.hints.opened()
                await store.probe()
            except StoreAway as error:
                raise StoreUnusable(f"The Redis at {address} is of no use: {error}") from error
        except BaseException:
            if store is not None:
                await store.close()
            elif embedded is not None:
                await embedded.stop()
            raise
        return store

    async def close(self) -> None:
        """Let what is queued be answered, hang up, and stop our own Redis.

        Cancelling leaves the rest of that undone.
        """
        await self._fast_line.close()
        await self.hints.close()
        await self._line.close()
        if self._embedded is not None:
            await self._embedded.stop()

    def commit(self, commit: Commit, answer: Answer) -> None:
        """Queue an act for the next group commit; see `Commits.commit`."""
        self._commits.commit(commit, answer)

    async def ping(self) -> None:
        """Return if Redis answers.

        Raises:
            StoreAway: it does not.
        """
        await self._line.call("PING")

    async def probe(self) -> None:
        """Return if a message through Redis comes back to this process.

        Raises:
            StoreAway: it does not, within two seconds.
        """
        await self.hints.probe()
