"""The tasks behind the connections of a store, of which none may die unnoticed.

A process without one of them would refuse commands, or miss notifications, for ever. So it logs
the death and ends, and its supervisor starts another one.
"""

import asyncio
from asyncio import Task
from collections.abc import Coroutine
from typing import Any

import structlog

from server.store.errors import StoreError

log = structlog.get_logger(__name__)


class TaskDied(StoreError):  # noqa: N818  # an event, as its readers call it
    """A task of the store has died by an error, which is the cause."""


class WatchedTasks:
    """Tasks that run until they return or are cancelled; any error is logged."""

    def __init__(self) -> None:
        self._first: TaskDied | None = None
        self._died = asyncio.Event()

    def start(self, work: Coroutine[Any, Any, None], name: str) -> Task[None]:
        """Run `work` in a task."""
        task = asyncio.get_running_loop().create_task(work, name=name)
        task.add_done_callback(self._ended)
        return task

    async def watch(self) -> None:
        """Wait until a task dies, which may be never.

        Raises:
            TaskDied: a task has died.
        """
        await self._died.wait()
        assert self._first is not None, "a task has died"
        raise self._first

    def _ended(self, task: Task[None]) -> None:
        error = None if task.cancelled() else task.exception()
        if error is None:
            return
        log.critical("a task has died", task=task.get_name(), exc_info=error)
        if self._first is None:
            self._first = TaskDied(f"The task {task.get_name()!r} has died.")
            self._first.__cause__ = error
        self._died.set()
