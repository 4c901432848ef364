"""Commands to Redis in pipelines, one at a time.

What waits while one is under way goes out together in the next. This is the group commit, and
it is what makes an act cheap: redis-py spends more on one call than Redis does.

Law: every command is answered exactly once, in the order of sending, by Redis or by StoreAway.
Nobody who waits for an answer can put the connection out of step by being cancelled.
"""

import asyncio
import math
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, cast

import hiredis
import structlog
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import (
    ClusterDownError,
    MasterDownError,
    NoScriptError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisError,
    ResponseError,
)

from server.store.address import BROKEN, PATIENCE, Address, hang_up
from server.store.errors import StoreAway, StoreError

Word = str | bytes | int
Reply = Any  # what hiredis makes of a reply, or a StoreError
Hear = Callable[[Reply], None]

log = structlog.get_logger(__name__)

# So many commands in a pipeline at most: the first of them waits for the last.
PIPELINE = 512
# So many may wait; more means that Redis is stuck, and they are refused.
WAITING = 65_536
# After a failure nobody tries again for this long, so that refusals are quick; doubled each time.
FIRST_PAUSE, LONGEST_PAUSE = 0.02, 0.5


def pack(*words: Word) -> bytes:
    """Return the command as bytes of the Redis protocol."""
    # It takes any number of words; its stub says one.
    return cast("bytes", hiredis.pack_command(words))  # type: ignore[arg-type]


class Line:
    """One connection to Redis, made anew whenever it breaks; `preamble` is sent on each."""

    def __init__(self, address: Address, preamble: Sequence[bytes] = ()) -> None:
        self._address = address
        self._preamble = preamble
        self._connection: AbstractConnection | None = None
        self._waiting: deque[tuple[bytes, Hear]] = deque()
        self._under_way: list[tuple[bytes, Hear]] = []
        self._wake = asyncio.Event()
        self._pause = FIRST_PAUSE
        self._not_before = 0.0
        self._closing = False
        self._task = asyncio.get_running_loop().create_task(self._run(), name="redis line")

    def send(self, command: bytes, hear: Hear) -> None:
        """Queue a packed command; `hear` gets the reply, or a StoreError, from the line's task.

        When too many wait, or the line is closed, `hear` gets StoreAway soon, ahead of those.
        """
        over = self._closing or self._task.done()
        if over or len(self._waiting) >= WAITING:
            away = StoreAway("Closed." if over else "Redis has too much to do.")
            asyncio.get_running_loop().call_soon(_tell, hear, away)
            return
        self._waiting.append((command, hear))
        self._wake.set()

    async def ask(self, command: bytes) -> Reply:
        """Return the reply to a packed command; cancelling does not unsend it.

        Raises:
            StoreAway: Redis did not answer: unknown whether it was done.
        """
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self.send(command, partial(_settle, future))
        return await future

    async def call(self, *words: Word) -> Reply:
        """Pack and `ask`."""
        return await self.ask(pack(*words))

    async def ask_all(self, commands: Sequence[bytes]) -> list[Reply]:
        """Return the replies to commands that leave together; not a transaction.

        Raises:
            StoreAway: one of them was not answered.
        """
        loop = asyncio.get_running_loop()
        futures: list[asyncio.Future[Reply]] = [loop.create_future() for _ in commands]
        for command, future in zip(commands, futures, strict=True):
            self.send(command, partial(_settle, future))
        return await asyncio.gather(*futures)

    async def close(self) -> None:
        """Let what waits be answered, then hang up; cancelling hangs up at once."""
        self._closing = True
        self._wake.set()
        try:
            await self._task
        finally:
            self._task.cancel()

    async def _run(self) -> None:
        try:
            while self._waiting or not self._closing:
                if not self._waiting:
                    self._wake.clear()
                    await self._wake.wait()
                    continue
                size = min(len(self._waiting), PIPELINE)
                batch = self._under_way = [self._waiting.popleft() for _ in range(size)]
                replies = await self._exchange([command for command, _ in batch])
                self._under_way = []
                for (_, hear), reply in zip(batch, replies, strict=True):
                    _tell(hear, reply)
        finally:
            for _, hear in (*self._under_way, *self._waiting):
                _tell(hear, StoreAway("Closed."))
            await self._drop()

    async def _exchange(self, commands: list[bytes]) -> list[Reply]:
        replies: list[Reply] = []
        try:
            async with asyncio.timeout(PATIENCE):
                if self._connection is not None and await self._connection.can_read():
                    # Nobody asked: it was closed meanwhile. Nothing of this is lost yet.
                    await self._drop()
                connection = self._connection or await self._connect()
                await self._pipeline(connection, commands, replies)
                lost = [i for i, reply in enumerate(replies) if isinstance(reply, NoScriptError)]
                if lost:
                    # Someone has flushed the scripts. An act behind a lost one is then STALE,
                    # which is true when it was said.
                    await self._pipeline(connection, self._preamble, [])
                    again: list[Reply] = []
                    await self._pipeline(connection, [commands[i] for i in lost], again)
                    for i, reply in zip(lost, again, strict=True):
                        replies[i] = reply
            self._pause, self._not_before = FIRST_PAUSE, 0.0
        except (*BROKEN, StoreAway) as error:
            await self._drop()
            why = f"Redis does not answer: {str(error) or 'timed out'}"
            replies += [StoreAway(why) for _ in range(len(commands) - len(replies))]
        if any(isinstance(reply, RedisError) for reply in replies):
            replies = [await self._judge(reply) for reply in replies]
        return replies

    @staticmethod
    async def _pipeline(
        connection: AbstractConnection, commands: Sequence[bytes], replies: list[Reply]
    ) -> None:
        await connection.send_packed_command(commands, check_health=False)
        for _ in commands:
            try:
                # Without a limit of its own: one for the whole pipeline is cheaper.
                replies.append(await connection.read_response(timeout=math.inf))
            except ResponseError as error:
                replies.append(error)

    async def _judge(self, reply: Reply) -> Reply:
        """Return the store's error for one of Redis."""
        match reply:
            case ReadOnlyError() | MasterDownError() | ClusterDownError():
                # This server lost its rank; its name may lead to another by now.
                await self._drop()
                return StoreAway(f"Redis does not take it: {reply}")
            case NoScriptError() | OutOfMemoryError():
                return StoreAway(f"Redis does not take it: {reply}")
            case RedisError() if str(reply).startswith(("MISCONF", "NOREPLICAS", "BUSY", "OOM")):
                return StoreAway(f"Redis does not take it: {reply}")
            case RedisError():
                return StoreError(f"Redis refused a command of ours: {reply}")
            case _:
                return reply

    async def _connect(self) -> AbstractConnection:
        now = asyncio.get_running_loop().time()
        if now < self._not_before:
            raise StoreAway("the last attempt was just now")
        self._not_before = now + self._pause
        self._pause = min(2 * self._pause, LONGEST_PAUSE)
        connection = await self._address.connect()
        try:
            await self._pipeline(connection, self._preamble, [])
        except BaseException:
            await hang_up(connection)
            raise
        self._connection = connection
        return connection

    async def _drop(self) -> None:
        if self._connection is not None:
            connection, self._connection = self._connection, None
            await hang_up(connection)


def _tell(hear: Hear, reply: Reply) -> None:
    try:
        hear(reply)
    except Exception:
        # One listener's bug must not silence the others.
        log.exception("an answer of Redis was not taken")


def _settle(future: asyncio.Future[Reply], reply: Reply) -> None:
    if future.done():  # cancelled
        return
    if isinstance(reply, StoreError):
        future.set_exception(reply)
    else:
        future.set_result(reply)
