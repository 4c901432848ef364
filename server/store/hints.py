"""What other processes did to the rooms that this one follows: sharded pub/sub.

Law: a hint may be missed only if LOST comes after it. Nobody learns from a hint what has
changed, only that it is worth reading.
"""

import asyncio
import math
from asyncio import Future
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from secrets import token_hex
from typing import Any

import structlog
from redis.asyncio.connection import AbstractConnection

from server.store import keys
from server.store.address import BROKEN, PATIENCE, Address, hang_up
from server.store.errors import StoreAway
from server.store.line import FIRST_PAUSE, LONGEST_PAUSE, Line, Word, pack
from server.store.records import Hint

Hear = Callable[[Hint], None]

log = structlog.get_logger(__name__)

HINTS = {b"room": Hint.ROOM, b"standings": Hint.STANDINGS}
# A subscription that is silent for so long is asked whether it lives.
SILENCE = 5.0
# Channels in one SSUBSCRIBE after a reconnection.
CHUNK = 500


class Hints:
    """The subscriptions of this process, on one connection that it makes anew by itself."""

    def __init__(self, address: Address, line: Line) -> None:
        self._address = address
        self._line = line
        self._connection: AbstractConnection | None = None
        self._followers: dict[bytes, Hear] = {}
        # Those who wait for a channel to be confirmed, in the order in which they asked: the
        # confirmation of one who has given up must not pass for that of the next.
        self._asked: dict[bytes, deque[Future[None]]] = {}
        self._probing: dict[bytes, Future[None]] = {}
        self._probes = f"{{{token_hex(8)}}}:probes"
        self._opened = asyncio.Event()
        self._task = asyncio.get_running_loop().create_task(self._run(), name="redis hints")

    async def opened(self) -> None:
        """Wait for the first connection.

        Raises:
            StoreAway: there is none after two seconds.
        """
        try:
            async with asyncio.timeout(PATIENCE):
                await self._opened.wait()
        except TimeoutError as error:
            raise StoreAway("Redis takes no subscription.") from error

    async def follow(self, code: str, hear: Hear) -> None:
        """Let `hear` get the room's hints, in place of whoever followed it before.

        When this returns, no change after it goes unheard; so read the room then. `hear` must
        not block; what it raises is logged. Cancelling leaves the room unfollowed.

        Raises:
            StoreAway: no subscription now; the room is not followed.
        """
        channel = keys.channel(code).encode()
        self._followers[channel] = hear
        try:
            connection = self._connected()
            asked: Future[None] = asyncio.get_running_loop().create_future()
            self._asked.setdefault(channel, deque()).append(asked)
            async with asyncio.timeout(PATIENCE):
                await _send(connection, "SSUBSCRIBE", channel)
                await asked
        except BaseException as error:
            if self._followers.get(channel) is hear:
                del self._followers[channel]
            if isinstance(error, TimeoutError):
                await hang_up(connection)  # the reader then makes it anew
                raise StoreAway("Redis confirms no subscription.") from error
            raise

    async def unfollow(self, code: str) -> None:
        """Hear no more of the room; nothing happens if it is not followed."""
        channel = keys.channel(code).encode()
        if self._followers.pop(channel, None) is None or self._connection is None:
            return
        # A connection that breaks here forgets the channel by itself.
        with suppress(StoreAway):
            await _send(self._connection, "SUNSUBSCRIBE", channel)

    async def probe(self) -> None:
        """Send a message to this process through Redis and hear it.

        Raises:
            StoreAway: it did not come back in time.
        """
        self._connected()
        token = token_hex(8)
        met: Future[None] = asyncio.get_running_loop().create_future()
        self._probing[token.encode()] = met
        try:
            async with asyncio.timeout(PATIENCE):
                await self._line.call("SPUBLISH", self._probes, token)
                await met
        except TimeoutError as error:
            raise StoreAway("Redis passes no messages on.") from error
        finally:
            del self._probing[token.encode()]

    async def close(self) -> None:
        """Hang up; nobody hears anything after this."""
        self._task.cancel()
        await asyncio.wait([self._task])

    def _connected(self) -> AbstractConnection:
        if self._connection is None:
            raise StoreAway("Redis passes no messages on now.")
        return self._connection

    async def _run(self) -> None:
        pause = FIRST_PAUSE
        while True:
            connection = None
            try:
                connection = await self._address.connect()
                async with asyncio.timeout(PATIENCE):
                    await self._subscribe(connection)
                pause = FIRST_PAUSE
                self._connection = connection
                self._opened.set()
                # Nobody at the first time.
                for hear in list(self._followers.values()):
                    _tell(hear, Hint.LOST)
                await self._read(connection)
            except (*BROKEN, StoreAway) as error:
                log.warning("hints interrupted", error=str(error))
            finally:
                self._connection = None
                if connection is not None:
                    await hang_up(connection)
                self._disappoint()
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _subscribe(self, connection: AbstractConnection) -> None:
        channels: list[Word] = [self._probes, *self._followers]
        for start in range(0, len(channels), CHUNK):
            await _send(connection, "SSUBSCRIBE", *channels[start : start + CHUNK])
        confirmed = 0
        while confirmed < len(channels):
            confirmed += await self._hear(connection, math.inf) == b"ssubscribe"

    async def _read(self, connection: AbstractConnection) -> None:
        patience = SILENCE
        while True:
            if await self._hear(connection, patience) is not None:
                patience = SILENCE
            elif patience == SILENCE:
                # Half a TCP connection says nothing for ever.
                await _send(connection, "PING")
                patience = PATIENCE
            else:
                raise StoreAway("the subscription is silent")

    async def _hear(self, connection: AbstractConnection, patience: float) -> bytes | None:
        """Take one message and return its kind; None after so many seconds without."""
        message: list[Any] | None = await connection.read_response(timeout=patience)
        match message:
            case [b"smessage", channel, payload]:
                hear = self._followers.get(channel)
                hint = HINTS.get(payload)
                probing = self._probing.get(payload)
                if hear is not None and hint is not None:
                    _tell(hear, hint)
                elif probing is not None and not probing.done():
                    probing.set_result(None)
            case [b"ssubscribe", channel, _]:
                queue = self._asked.get(channel)
                if queue:
                    asked = queue.popleft()
                    if not asked.done():
                        asked.set_result(None)
                    if not queue:
                        del self._asked[channel]
            case _:
                pass  # sunsubscribe, pong
        return None if message is None else message[0]

    def _disappoint(self) -> None:
        waiting = [asked for queue in self._asked.values() for asked in queue]
        self._asked.clear()
        for future in [*waiting, *self._probing.values()]:
            if not future.done():
                future.set_exception(StoreAway("Redis has stopped passing messages on."))


async def _send(connection: AbstractConnection, *words: Word) -> None:
    if not connection.is_connected:
        raise StoreAway("Redis takes no subscription now.")  # it would connect by itself
    try:
        await connection.send_packed_command([pack(*words)], check_health=False)
    except BROKEN as error:
        raise StoreAway(f"Redis takes no subscription: {error}") from error


def _tell(hear: Hear, hint: Hint) -> None:
    try:
        hear(hint)
    except Exception:
        # One room's bug must not silence the others.
        log.exception("a hint was not taken")
