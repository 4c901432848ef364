"""The process that computes for a server. It is started when needed, and ends when idle.

1. There is one process, with limited memory. The choices of computer players, and deals that a
   room waits for, run with nearly the priority of the server. Other searches have less, but still
   get a tenth of a processor on a busy machine, so that no label or review takes minutes.
2. It computes one thing at a time. Each long search has a thread there and pauses after each
   slice, so a choice or an awaited deal never waits for the end of a review.
3. The order of calls depends on their urgency and on how long they have waited. Urgencies differ
   only by a few slices, so each kind of search gets about a tenth of the process or more.
4. If the process dies, the next call starts another one, where searches start again. A search
   that has killed several processes is given up; the other searches go on.
"""

import asyncio
import contextlib
import itertools
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from enum import Enum
from typing import Any, Final, TypeVar

import structlog

T = TypeVar("T")

HAS_PRIORITIES: Final = sys.platform == "linux"  # whether threads have their own priorities
LOW_NICENESS: Final = 5  # of the rest: 1/4 of a processor beside 1 busy process, 1/10 beside 3
NICENESS: Final = 1 if HAS_PRIORITIES else LOW_NICENESS  # of choices and awaited deals
MAX_MEMORY: Final = 2 << 30  # bytes; a search that needs more ends with a `MemoryError`
SLICE_S: Final = 0.05  # how long a search runs before it pauses
MAX_TRIES: Final = 3  # give up a call that has killed this many processes
HANGS_S: Final = 60.0  # kill a process that is silent for this long: no call takes a second
STARTS_S: Final = 20.0  # kill a process that needs longer for its first result
STOP_S: Final = 2.0  # kill a process that needs longer to end
IDLE_S: Final = 60.0  # end the process after this time without calls

log = structlog.get_logger()


class Urgency(Enum):
    """The kinds of calls: how long each can be put off, and how many such searches may run."""

    CHOICE = 0.0, 1
    AWAITED_DEAL = 0.1, 4
    LABEL = 0.3, 2
    REVIEW = 0.4, 2
    DEAL = 0.5, 2

    def __init__(self, patience_s: float, max_searches: int) -> None:
        self.patience_s, self.max_searches = patience_s, max_searches


class GivenUp(Exception):  # noqa: N818  # a state of the work
    """A call has killed several processes and is not tried again."""


_Call = tuple[float, int, asyncio.Future[Any], Callable[..., Any], tuple[object, ...]]
"""A queued call: when it is due, its number, the future of its result, function and arguments."""


class Pool:
    """The computing process of this server. Calls are computed only while `keep` runs."""

    def __init__(self) -> None:
        self._calls: asyncio.PriorityQueue[_Call] = asyncio.PriorityQueue()
        self._numbers = itertools.count(1)  # of calls and searches
        self._slots = {each: asyncio.Semaphore(each.max_searches) for each in Urgency}
        self._to_drop: list[int] = []  # searches for the process to stop, unless they are over
        self._executor: ProcessPoolExecutor | None = None  # owns the process, if there is one
        self._starting: asyncio.Task[Future[int]] | None = None  # starts the process
        self._is_closed = False  # whether `keep` has ended
        self.pid: int | None = None  # the process's id, while there is one

    async def run(self, work: Callable[..., T], *args: object) -> T:
        """Let the process do a short job, `work(*args)`; return the result or raise GivenUp."""
        for _ in range(MAX_TRIES):
            with contextlib.suppress(BrokenProcessPool):
                return await self._call(Urgency.CHOICE, work, *args)
        raise GivenUp

    async def search(self, work: Callable[..., T], *args: object, urgency: Urgency) -> T:
        """Let the process do a long job, `work(*args)`; return the result or raise GivenUp.

        `work` also gets a `should_stop`, as in the solver. Cancelling stops the search.
        """
        number, tries = next(self._numbers), 0
        search = number, work, args, urgency is Urgency.AWAITED_DEAL  # what `advance` gets
        async with self._slots[urgency]:
            try:
                while tries < MAX_TRIES:
                    try:
                        is_over, result = await self._call(urgency, advance, *search)
                    except BrokenProcessPool:
                        tries += 1  # it starts again in the next process
                        continue
                    if is_over:
                        found: T = result
                        return found
            finally:
                self._to_drop.append(number)
        raise GivenUp

    async def _call(self, urgency: Urgency, work: Callable[..., T], *args: object) -> T:
        """Queue a call by its urgency; return its result, raise its error or BrokenProcessPool."""
        if self._is_closed:
            raise asyncio.CancelledError  # as for the calls that were queued when `keep` ended
        loop = asyncio.get_running_loop()
        due, future = loop.time() + urgency.patience_s, loop.create_future()
        self._calls.put_nowait((due, next(self._numbers), future, work, args))
        result: T = await future
        return result

    async def keep(self) -> None:
        """Compute the queued calls until cancelled. End the process when it is idle."""
        try:
            while True:
                try:
                    async with asyncio.timeout(IDLE_S):
                        _, _, future, work, args = await self._calls.get()
                except TimeoutError:
                    await self._end()
                    continue
                try:
                    if not future.done():
                        await self._compute_call(future, work, args)
                finally:
                    future.cancel()  # has no effect on a future with a result
        finally:
            self._is_closed = True
            while not self._calls.empty():
                self._calls.get_nowait()[2].cancel()
            await self._end()

    async def _compute_call(
        self, future: asyncio.Future[Any], work: Callable[..., Any], args: tuple[object, ...]
    ) -> None:
        """Let the process call `work(*args)`, and set the result or error of the `future`."""
        result: object = None
        failure: Exception | None = None
        try:
            executor = self._executor or await self._start()
            if self._to_drop:
                executor.submit(drop, self._to_drop)
                self._to_drop = []
            async with asyncio.timeout(HANGS_S):
                result = await asyncio.wrap_future(executor.submit(work, *args))
        except (BrokenProcessPool, TimeoutError) as error:
            log.warning("the process that computes has died", pid=self.pid, why=str(error))
            await self._end(kill=True)
            failure = BrokenProcessPool(str(error))
        except Exception as error:  # noqa: BLE001  # it is raised for the caller
            failure = error
        if not future.done():
            future.set_exception(failure) if failure else future.set_result(result)

    async def _start(self) -> ProcessPoolExecutor:
        """Start the process in a thread, since that takes some time."""
        context = multiprocessing.get_context("spawn")
        self._executor = executor = ProcessPoolExecutor(1, context, prepare)

        def first_call() -> Future[int]:
            """Start the process by a first call, and note its pid; return the call's future."""
            before = multiprocessing.active_children()
            with uninterrupted():
                first_result = executor.submit(os.getpid)
            # Find its pid before the first result, so that it can be killed if it hangs.
            started = (each for each in multiprocessing.active_children() if each not in before)
            self.pid = next((each.pid for each in started), None)
            return first_result

        self._starting = asyncio.create_task(asyncio.to_thread(first_call))
        first_result = await asyncio.shield(self._starting)
        async with asyncio.timeout(STARTS_S):
            await asyncio.wrap_future(first_result)
        log.info("process started", name="computing", pid=self.pid)
        return executor

    async def _end(self, *, kill: bool = False) -> None:
        """End the process and its searches; with `kill`, do not wait before killing it."""
        executor, starting = self._executor, self._starting
        if executor is None:
            return
        if starting is not None:
            await asyncio.wait([starting])  # until the pid is known
        pid = self.pid
        self._executor = self._starting = self.pid = None
        ending = asyncio.create_task(asyncio.to_thread(executor.shutdown, cancel_futures=True))
        has_ended, _ = await asyncio.wait([ending], timeout=0 if kill else STOP_S)
        if not has_ended and pid is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, getattr(signal, "SIGKILL", signal.SIGTERM))
        await ending


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Block SIGINT (Ctrl-C) in processes that the `with` block starts, to avoid tracebacks."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


# The rest runs in the process.


def prepare() -> None:
    """Set up this process: its signals, priority and memory, and that it ends with the server."""
    for each in ("SIGINT", "SIGTERM", "SIGHUP"):  # ignored, since the server ends this process
        if hasattr(signal, each):
            signal.signal(getattr(signal, each), signal.SIG_IGN)
    if hasattr(os, "nice"):  # not on Windows
        os.nice(NICENESS)
    with contextlib.suppress(ImportError):  # on Windows
        import resource  # noqa: PLC0415

        resource.setrlimit(resource.RLIMIT_DATA, (MAX_MEMORY, MAX_MEMORY))
    threading.Thread(target=_end_with_server, daemon=True).start()


def _end_with_server() -> None:
    """Wait in a thread until the server's process ends, and then end this one."""
    server = multiprocessing.parent_process()
    assert server is not None, "a server has started this process"
    server.join()
    os._exit(0)


class _Search:
    """A search in a thread, which runs only while a slice is computed."""

    def __init__(
        self, work: Callable[..., object], args: tuple[object, ...], *, is_awaited: bool
    ) -> None:
        # `_resumed` is released to let the thread run, and `_paused` when it has paused or ended.
        self._resumed, self._paused = threading.Semaphore(0), threading.Semaphore(0)
        self._until_s = 0.0  # when the thread pauses next
        self._is_dropped, self._is_awaited = False, is_awaited
        self._result: Future[object] = Future()  # done once the search is over
        self._thread = threading.Thread(target=self._run, args=(work, args), daemon=True)

    def advance(self) -> tuple[bool, Any]:
        """Run the search for a slice; return whether it is over, and its result."""
        self._until_s = time.monotonic() + SLICE_S
        if self._thread.ident is None:
            self._thread.start()
        else:
            self._resumed.release()
        self._paused.acquire()
        is_over = self._result.done()
        return is_over, self._result.result() if is_over else None

    def drop(self) -> None:
        """Stop the search, which must have run for at least one slice."""
        self._is_dropped = True
        self._resumed.release()
        self._thread.join()

    def _run(self, work: Callable[..., object], args: tuple[object, ...]) -> None:
        """Run the search in its thread, with a lower priority unless a room waits for it."""
        if HAS_PRIORITIES and not self._is_awaited:
            niceness = os.nice(0) + LOW_NICENESS - NICENESS  # `prepare` has added NICENESS already
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), niceness)
        try:
            self._result.set_result(work(*args, should_stop=self._should_stop))
        except Exception as error:  # noqa: BLE001  # `advance` raises it
            self._result.set_exception(error)
        self._paused.release()

    def _should_stop(self) -> bool:
        """Pause once the slice is used up; then return whether the search has been dropped."""
        if not self._is_dropped and time.monotonic() >= self._until_s:
            self._paused.release()
            self._resumed.acquire()
        return self._is_dropped


_searches: dict[int, _Search] = {}  # the searches in this process that are not over, by number


def advance(
    number: int,
    work: Callable[..., object],
    args: tuple[object, ...],
    is_awaited: bool,  # noqa: FBT001  # of a call by position
) -> tuple[bool, Any]:
    """Run a search, `work(*args)`, for a slice; return whether it is over, and its result."""
    search = _searches.pop(number, None) or _Search(work, args, is_awaited=is_awaited)
    is_over, result = search.advance()
    if not is_over:
        _searches[number] = search
    return is_over, result


def drop(numbers: list[int]) -> None:
    """Stop the searches with these numbers, unless they are over."""
    for each in numbers:
        if search := _searches.pop(each, None):
            search.drop()
