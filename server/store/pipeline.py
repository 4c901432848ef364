"""Commands to one Redis in pipelines, one at a time.

What waits while one is under way goes out together in the next. This is the group commit, and
it is what makes an act cheap: redis-py spends more on one call than Redis does.

Law: every command is answered exactly once, by Redis or by StoreAway, and those of one slot in
the order of sending, wherever the slot goes meanwhile. So all that is open of a slot is on one
line, and leaves it only between two pipelines. Nobody who waits for an answer can put the
connection out of step by being cancelled.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Protocol

import structlog
from redis.exceptions import AskError, ClusterDownError, MovedError, ReadOnlyError, RedisError

from server import metrics
from server.store.address import Address
from server.store.errors import StoreAway, StoreError
from server.store.redis_connection import (
    FIRST_PAUSE,
    REDIRECTIONS,
    RedisConnection,
    Reply,
    Word,
    pack,
    verdict,
)
from server.store.slots import NO_SLOT

OnReply = Callable[[Reply], None]
# The packed command, who hears the reply, its slot, and until when it may go astray (0: it has
# not yet). A plain tuple: one is made for each act.
Entry = tuple[bytes, OnReply, int, float]

log = structlog.get_logger(__name__)

# So many commands in a pipeline at most: the first of them waits for the last.
PIPELINE = 512
# So many may wait; more means that Redis is stuck, and they are refused when their turn comes.
WAITING = 65_536
# What stands in the place of a command that is not sent.
REFUSED = b""
# What a node says, or does not, that may have lost its rank.
ALARMING = (StoreAway, ClusterDownError, ReadOnlyError)
# So long a command is sent again that a cluster has certainly not executed.
REDIRECTION_SECONDS = 1.0


class Redirects(Protocol):
    """Who knows the other nodes of a cluster."""

    def request_refresh(self) -> None:
        """Hear that a node is gone, or that the cluster is not what it was."""

    def moved(self, by: Address, error: MovedError) -> None:
        """Hear from a node that a slot is another's."""

    async def detour(self, by: Address, error: AskError, command: bytes) -> Reply:
        """Return the answer of the node to which the slot is on its way."""


class Pipeline:
    """A queue of commands to one Redis, and its connection; `preamble` is sent on each new one."""

    def __init__(
        self, address: Address, preamble: Sequence[bytes] = (), redirects: Redirects | None = None
    ) -> None:
        self.address = address
        self._redirects = redirects
        self._wire = RedisConnection(address, preamble)
        self._waiting: deque[Entry] = deque()
        self._under_way: list[Entry] = []
        self._then: list[Callable[[], None]] = []
        self._wake = asyncio.Event()
        self._closing = False
        self._crowded = False  # whether a refused one may be waiting
        self._task = asyncio.get_running_loop().create_task(self._run(), name="redis line")

    def send(self, command: bytes, on_reply: OnReply, slot: int = NO_SLOT) -> None:
        """Queue a packed command; `hear` gets the reply, or a StoreError, from the line's task.

        One with a slot follows its slot through the cluster. When too many wait, or the line is
        closed, `hear` gets StoreAway, but not before those are answered: how many there can be
        is for the callers to bound, who wait for answers themselves.
        """
        if self._task.done():
            asyncio.get_running_loop().call_soon(_tell, on_reply, StoreAway("Closed."))
            return
        if self._closing or len(self._waiting) >= WAITING:
            command = REFUSED
            self._crowded = True
        self._waiting.append((command, on_reply, slot, 0.0))
        self._wake.set()

    async def ask(self, command: bytes, slot: int = NO_SLOT) -> Reply:
        """Return the reply to a packed command; cancelling does not unsend it.

        Raises:
            StoreAway: Redis did not answer: unknown whether it was done.
        """
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self.send(command, partial(settle, future), slot)
        return await future

    async def call(self, *words: Word) -> Reply:
        """Pack and `ask`, of this Redis alone."""
        return await self.ask(pack(*words))

    def when_idle(self, then: Callable[[], None]) -> None:
        """Call `then` when nothing is under way: now, or between this pipeline and the next."""
        if self._under_way:
            self._then.append(then)
        else:
            then()

    def extract(self, slots: Collection[int]) -> list[Entry]:
        """Take what waits for these slots out of the queue; the caller has the line `at_rest`."""
        lifted = [entry for entry in self._waiting if entry[2] in slots]
        if lifted:
            self._waiting = deque(entry for entry in self._waiting if entry[2] not in slots)
        return lifted

    def enqueue(self, entry: Entry) -> None:
        """Queue what was lifted from another line."""
        if self._task.done():
            _tell(entry[1], StoreAway("Closed."))
            return
        self._crowded = self._crowded or entry[0] == REFUSED
        self._waiting.append(entry)
        self._wake.set()

    def shut_down(self) -> None:
        """Take nothing more, answer what waits, then hang up."""
        self._closing = True
        self._wake.set()

    async def close(self) -> None:
        """Let what waits be answered, then hang up; cancelling hangs up at once."""
        self.shut_down()
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
                size = self._refuse() if self._crowded else len(self._waiting)
                if not size:
                    continue
                size = min(size, PIPELINE)
                batch = self._under_way = [self._waiting.popleft() for _ in range(size)]
                replies, smooth = await self._wire.exchange([entry[0] for entry in batch])
                if not smooth:
                    await self._fail(batch, replies)
                    continue
                self._under_way = []
                for (_, on_reply, _, _), reply in zip(batch, replies, strict=True):
                    _tell(on_reply, reply)
                self._rest()
        finally:
            for _, on_reply, *_ in (*self._under_way, *self._waiting):
                _tell(on_reply, StoreAway("Closed."))
            await self._wire.drop()

    def _refuse(self) -> int:
        """Refuse those whose turn it is; return how many stand before the next of them."""
        while self._waiting and self._waiting[0][0] == REFUSED:
            why = "Closed." if self._closing else "Redis has too much to do."
            _tell(self._waiting.popleft()[1], StoreAway(why))
        for before, entry in enumerate(self._waiting):
            if entry[0] == REFUSED:
                return before
        self._crowded = False
        return len(self._waiting)

    async def _fail(self, batch: list[Entry], replies: list[Reply]) -> None:
        """Tell what is settled of a pipeline that met errors, and send the rest again."""
        if self._redirects is not None:
            await _detour(self._redirects, self.address, batch, replies)
        self._under_way = []
        again = _again(batch, replies)
        self._waiting.extendleft(reversed(again.values()))
        for i, (entry, reply) in enumerate(zip(batch, replies, strict=True)):
            if i not in again:
                if isinstance(reply, RedisError | StoreError):
                    metrics.store_errors.inc()
                _tell(entry[1], verdict(reply) if isinstance(reply, RedisError) else reply)
        if self._redirects is not None:
            _report(self._redirects, self.address, replies)
        self._rest()
        if any(batch[i][3] or not isinstance(replies[i], MovedError) for i in again):
            await asyncio.sleep(FIRST_PAUSE)

    def _rest(self) -> None:
        if self._then:
            then, self._then = self._then, []
            for call in then:
                call()


async def _detour(
    redirects: Redirects, by: Address, batch: list[Entry], replies: list[Reply]
) -> None:
    """Put in place of each ASK the answer of the node that is to be asked."""
    places = [
        i for i, reply in enumerate(replies) if type(reply) is AskError and batch[i][2] != NO_SLOT
    ]
    # Nothing else leaves the line meanwhile, or it might overtake them.
    answers = await asyncio.gather(
        *(redirects.detour(by, replies[i], batch[i][0]) for i in places)
    )
    for i, answer in zip(places, answers, strict=True):
        replies[i] = answer


def _report(redirects: Redirects, by: Address, replies: list[Reply]) -> None:
    moved = {reply.slot_id: reply for reply in replies if isinstance(reply, MovedError)}
    for reply in moved.values():
        redirects.moved(by, reply)
    if any(isinstance(reply, ALARMING) for reply in replies):
        redirects.request_refresh()


def _again(batch: list[Entry], replies: list[Reply]) -> dict[int, Entry]:
    """Return by place, in order, what was certainly not executed and may still be."""
    now = asyncio.get_running_loop().time()
    again: dict[int, Entry] = {}
    settled = {NO_SLOT}
    for i, (command, on_reply, slot, until) in reversed(list(enumerate(batch))):
        # What stands before a settled one would be answered after it.
        if (
            slot not in settled
            and isinstance(replies[i], REDIRECTIONS)
            and now < (until or now + 1)
        ):
            again[i] = (command, on_reply, slot, until or now + REDIRECTION_SECONDS)
        else:
            settled.add(slot)
    return dict(reversed(again.items()))


def _tell(on_reply: OnReply, reply: Reply) -> None:
    try:
        on_reply(reply)
    except Exception:
        # One listener's bug must not silence the others.
        log.exception("an answer of Redis was not taken")


def settle(future: asyncio.Future[Reply], reply: Reply) -> None:
    """Give a reply to a future that may have been cancelled."""
    if future.done():
        return
    if isinstance(reply, StoreError):
        future.set_exception(reply)
    else:
        future.set_result(reply)
