"""The queue of commands to one Redis, sent in batches while all goes well; no coroutines.

`pipeline.py` has the law, and does what takes more than sending a batch.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable
from typing import Final

import structlog

from server.store.batch_exchange import Batch, BatchExchange, Reply
from server.store.errors import StoreAway
from server.store.redirections import Entry
from server.store.redis_protocol import OnReply
from server.store.slots import NO_SLOT

log = structlog.get_logger(__name__)

REFUSED: Final = b""  # the placeholder for a command that is not sent


class CommandQueue:
    """The waiting commands, and the batch under way.

    `wake` is called when something must be done that takes more than sending a batch.
    """

    def __init__(
        self, batches: BatchExchange, wake: Callable[[], None], max_batch: int, max_queued: int
    ) -> None:
        self._batches = batches
        self.under_way: list[Entry] = []
        # The replies to the batch under way, if it has failed, and the reason if some are missing.
        self.failed: tuple[list[Reply], Exception | None] | None = None
        self.max_batch, self.max_queued = max_batch, max_queued
        self.closing = False  # whether new commands are refused
        self.closed = False  # whether the queue is empty and stays so
        self._wake = wake
        self._waiting: list[Entry] = []
        self._idle_callbacks: list[Callable[[], None]] = []
        # Whether a batch is under way, or will be sent in the next turn of the loop.
        self._busy = False
        self._has_refused = False  # whether a refused command may wait
        self._loop = asyncio.get_running_loop()

    def __len__(self) -> int:
        return len(self._waiting)

    def send(self, command: bytes, on_reply: OnReply, slot: int = NO_SLOT) -> None:
        """Queue a packed command.

        `on_reply` is called with the reply, or with a StoreError, in a later turn of the loop. A
        command with a slot follows this slot through the cluster. When the queue is full or the
        pipeline is closed, `on_reply` gets StoreAway, but only after the earlier commands are
        answered. The queue itself is not bounded: callers must limit how many replies they wait
        for.
        """
        if self.closed:
            self._loop.call_soon(deliver, on_reply, StoreAway("Closed."))
            return
        if self.closing or len(self._waiting) >= self.max_queued:
            command = REFUSED
            self._has_refused = True
        self._waiting.append((command, on_reply, slot, 0.0))
        self.send_soon()

    def enqueue(self, entry: Entry) -> None:
        """Queue a command that was extracted from another pipeline."""
        if self.closed:
            deliver(entry[1], StoreAway("Closed."))
            return
        self._has_refused = self._has_refused or entry[0] == REFUSED
        self._waiting.append(entry)
        self.send_soon()

    def extract(self, slots: Collection[int]) -> list[Entry]:
        """Remove and return the queued commands of these slots; call it within `when_idle`."""
        extracted = [entry for entry in self._waiting if entry[2] in slots]
        if extracted:
            self._waiting = [entry for entry in self._waiting if entry[2] not in slots]
        return extracted

    def put_back(self, entries: Iterable[Entry]) -> None:
        """Queue commands of the batch that failed again, before all others."""
        self._waiting = [*entries, *self._waiting]

    def when_idle(self, callback: Callable[[], None]) -> None:
        """Call `callback` when no batch is under way: now, or after the current batch."""
        if self.under_way:
            self._idle_callbacks.append(callback)
        else:
            callback()

    def send_soon(self) -> None:
        """Send a batch in the next turn of the loop: commands of this turn go together."""
        if not self._busy:
            self._busy = True
            self._loop.call_soon(self._send)

    def send_next(self) -> None:
        """Send the next batch soon, after one that has ended."""
        if self._waiting or self.closing:
            self._loop.call_soon(self._send)
        else:
            self._busy = False

    @property
    def can_send(self) -> bool:
        """Whether the next batch takes no more than sending it."""
        return not self.closing and not self._has_refused and self._batches.ready

    def next_batch(self) -> list[Entry]:
        """Refuse the refused commands at the head of the queue; take a batch of the next ones."""
        size = self._refuse() if self._has_refused else len(self._waiting)
        self.under_way = self._take(min(size, self.max_batch))
        return self.under_way

    def answer(self, replies: list[Reply]) -> None:
        """Deliver clean replies to the batch under way."""
        batch, self.under_way = self.under_way, []
        for place, entry in enumerate(batch):
            deliver(entry[1], replies[place])
        self.run_idle_callbacks()

    def run_idle_callbacks(self) -> None:
        """Call the callbacks that wait until no batch is under way."""
        if self._idle_callbacks:
            callbacks, self._idle_callbacks = self._idle_callbacks, []
            for callback in callbacks:
                try:
                    callback()
                except Exception:
                    # The next batch is sent all the same.
                    log.exception("a slot was not handed over")

    def abandon(self, why: str) -> None:
        """Answer the batch under way with StoreAway."""
        batch, self.under_way, self.failed = self.under_way, [], None
        for entry in batch:
            deliver(entry[1], StoreAway(why))
        self.run_idle_callbacks()

    def close(self) -> None:
        """Answer all commands with StoreAway, from now on at once."""
        self.closed = True
        unanswered = [*self.under_way, *self._waiting]
        self.under_way = []
        self._waiting.clear()
        for entry in unanswered:
            deliver(entry[1], StoreAway("Closed."))

    def _send(self) -> None:
        """Send the next batch, or wake the pipeline if more than that is to be done."""
        if not self.can_send:
            self._wake()
        elif self._waiting:
            batch = self.next_batch()
            self._batches.start([entry[0] for entry in batch], self._replied)
        else:
            self._busy = False

    def _replied(self, batch: Batch, error: Exception | None) -> None:
        """Answer the commands of a batch, or wake the pipeline if the replies have errors."""
        if error is not None or not batch.clean:
            self.failed = (batch.replies, error)
            self._wake()
            return
        self.answer(batch.replies)
        self.send_next()

    def _refuse(self) -> int:
        """Answer the refused commands at the head of the queue with StoreAway.

        Return how many commands now stand before the next refused one, or before the end.
        """
        why = "Closed." if self.closing else "Redis has too much to do."
        for entry in self._take(self._count_refused()):
            deliver(entry[1], StoreAway(why))
        for before, entry in enumerate(self._waiting):
            if entry[0] == REFUSED:
                return before
        self._has_refused = False
        return len(self._waiting)

    def _count_refused(self) -> int:
        """Return the number of refused commands at the head of the queue."""
        for before, entry in enumerate(self._waiting):
            if entry[0] != REFUSED:
                return before
        return len(self._waiting)

    def _take(self, size: int) -> list[Entry]:
        """Remove commands at the head of the queue and return them."""
        taken = self._waiting[:size]
        del self._waiting[:size]
        return taken


def deliver(on_reply: OnReply, reply: Reply) -> None:
    """Answer a command; an exception is logged."""
    try:
        on_reply(reply)
    except Exception:
        # A bug in one callback must not keep replies from the next ones.
        log.exception("an answer of Redis was not taken")
