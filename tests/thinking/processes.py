"""Thinking processes beside a store in memory, on a loop whose time jumps or in real threads."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Protocol

from server.solver.verdicts import ShouldStop
from server.thinking.precedence import Precedence


class Runs(Protocol):
    async def run(self) -> None: ...


@asynccontextmanager
async def at_work(*thinkers: Runs) -> AsyncIterator[None]:
    """Let processes think until the block ends; they must not end before."""
    tasks = [asyncio.create_task(each.run()) for each in thinkers]
    try:
        yield
        assert not any(task.done() for task in tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)


class NotedPrecedence(Precedence):
    """A precedence that notes what is asked of it, and lets nobody wait."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def begin(self) -> None:
        self.asked.append("begin")

    def end(self) -> None:
        self.asked.append("end")

    def let_pass(self) -> None:
        self.asked.append("pass")


class EndlessSearch:
    """A search in a real thread that runs until it is to stop."""

    def __init__(self) -> None:
        self._began = threading.Event()
        self._ended = threading.Event()

    def __call__(self, should_stop: ShouldStop) -> None:
        self._began.set()
        while not should_stop():
            pass
        self._ended.set()

    async def began(self) -> None:
        await asyncio.to_thread(self._began.wait)

    async def ended(self) -> None:
        await asyncio.to_thread(self._ended.wait)
