import asyncio

import structlog

from server.rooms.book import Book
from server.rooms.hub import Hub
from server.rooms.refusal import Refusal
from server.store import StoreAway

SWEEP_S = 1.0

log = structlog.get_logger()


async def sweep(book: Book, hub: Hub) -> None:
    """Lets time change the rooms whose deadline has come, for ever.

    Every process does this: what time changes is the same whoever does it, and how often.
    """
    while True:
        try:
            for code in await book.store.due(await book.store.now()):
                try:
                    await hub.tick(code)
                except Refusal:  # closed, or gone with its time to live
                    await book.store.forget_deadline(code)
        except StoreAway:
            log.warning("the store is away")
        except Exception:
            log.exception("sweep failed")
        await asyncio.sleep(SWEEP_S)
