"""Background tasks beside the handling of messages, in one task group."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import structlog

from server.rooms.refusal import Refusal
from server.store import StoreAway, Unreadable

log = structlog.get_logger()


class BackgroundTasks:
    """The background tasks of a process; they end with the given task group."""

    def __init__(self, group: asyncio.TaskGroup) -> None:
        self._group = group

    def spawn(self, work: Coroutine[Any, Any, None], name: str) -> None:
        """Run `work` in a task of its own; errors are logged."""
        guarded = _guarded(work, name)
        try:
            task = self._group.create_task(guarded, name=name)
            # A task that is cancelled before it begins never awaits its work.
            task.add_done_callback(lambda _: work.close())
        except RuntimeError:  # the group is ending, and so is the process
            guarded.close()
            work.close()


async def _guarded(work: Coroutine[Any, Any, None], name: str) -> None:
    """Await work, and log its errors."""
    try:
        await work
    except (Refusal, StoreAway, Unreadable) as error:
        log.info("put off", task=name, why=str(error))
    except Exception:
        log.exception("task failed", task=name)
