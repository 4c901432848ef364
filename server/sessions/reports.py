"""What a room has to know of a seat, whatever it takes: it would wait for the seat for ever.

While this process lives no other one reports it. So reports are repeated while the store is
away, and less and less often while the room cannot be read.
"""

import asyncio
import contextlib
from collections.abc import Callable

from server.rooms.events import Disconnected, Event, GameEnded
from server.rooms.refusal import Refusal
from server.sessions.services import Services
from server.store import StoreAway, Unreadable

RETRY_S = 0.5
UNREADABLE_S = 5.0
LONGEST_UNREADABLE_S = 5 * 60.0
"""Rooms that cannot be read are tried again after the first, then at intervals up to this."""


async def report_disconnected(services: Services, code: str, seat: int, generation: int) -> None:
    """Report that the connection of a seat was lost."""
    with contextlib.suppress(Refusal):  # there is no such room any more, or no such seat
        await _report(services, code, lambda now: Disconnected(seat, generation, now))
    await services.hub.forget(code)


async def report_game_ended(services: Services, code: str, seat: int, n: int) -> None:
    """Report that the game of a seat in round `n` has ended.

    Raises:
        Refusal: there is no such room any more, or it does not allow the event.
    """
    await _report(services, code, lambda now: GameEnded(seat, n, now))


async def _report(services: Services, code: str, event: Callable[[int], Event]) -> None:
    """Apply an event, made for the time at which it is applied."""
    pause = UNREADABLE_S
    while True:
        try:
            await services.hub.apply(code, event(await services.store.now()))
        except StoreAway:
            await asyncio.sleep(RETRY_S)
        except Unreadable:
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_UNREADABLE_S)
        else:
            return
