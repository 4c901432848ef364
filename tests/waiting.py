"""Polling, for changes that no event announces.

It does not give up: pytest ends a test that waits for ever.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

Found = TypeVar("Found")
LOOK_EVERY_S = 0.002
ASK_EVERY_S = 0.01


async def until(find: Callable[[], Found], seconds: float | None = None) -> Found:
    """Wait until a function returns something true, and return that.

    Raises:
        TimeoutError: after these seconds, if they are given.
    """
    async with asyncio.timeout(seconds):
        while not (found := find()):
            await asyncio.sleep(LOOK_EVERY_S)
    return found


async def until_answer(
    ask: Callable[[], Awaitable[Found]],
    fits: Callable[[Found], object],
    seconds: float | None = None,
) -> Found:
    """Ask until the answer is right, and return it.

    Raises:
        TimeoutError: after these seconds, if they are given.
    """
    async with asyncio.timeout(seconds):
        while not fits(answer := await ask()):
            await asyncio.sleep(ASK_EVERY_S)
    return answer
