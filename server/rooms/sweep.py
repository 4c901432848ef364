import asyncio

import structlog

from server.rooms.book import Book
from server.rooms.hub import Hub
from server.rooms.refusal import Refusal
from server.store import StoreAway

SWEEP_S = 1.0
LATE_MS = 2_000
"""A deadline past for so long is missing from the store's list, or the list is away."""

log = structlog.get_logger()


async def sweep(book: Book, hub: Hub) -> None:
    """Lets time change the rooms whose deadline has come, for ever.

    Every process does this: what time changes is the same whoever does it, and how often.
    """
    while True:
        hub.refresh()
        await _sweep_once(book, hub)
        await asyncio.sleep(SWEEP_S)


async def _sweep_once(book: Book, hub: Hub) -> None:
    try:
        try:
            due = await book.store.due(await book.store.now())
        finally:
            # A failover of a cluster may take deadlines back; whoever sits there knows them.
            for code in hub.overdue(hub.clock.now() - LATE_MS):
                await _tick(book, hub, code)
        for code in due:
            await _tick(book, hub, code)
    except StoreAway as error:
        log.warning("the store is away", why=str(error))
    except Exception:
        log.exception("sweep failed")


async def _tick(book: Book, hub: Hub, code: str) -> None:
    try:
        await hub.tick(code)
    except Refusal:  # closed, or gone with its time to live
        await book.store.forget_deadline(code)
