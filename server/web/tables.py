"""Kept tables as files: their history and standings, as JSON and as CSV."""

import asyncio
import time
from collections.abc import Sequence

from server.live.repository import Repository
from server.rooms.events import Refusal
from server.rooms.record import Room
from server.rooms.table_history import HistoryEntry
from server.views.table_history import table_csv, table_history
from server.web.files import File, FileCache, FileKey, make_file

EFFORT = 6
PURPOSES = {"table": "history", "table.csv": "csv"}  # of the files, in the metrics


class TableFiles:
    """The files of kept tables, kept for as long as their rooms do not change."""

    def __init__(self, repository: Repository, files: FileCache) -> None:
        self._repository, self._files = repository, files

    async def file(self, what: str, code: str, address: str | None) -> File | None:
        """Return the file `table` or `table.csv` of a room, or None if it is not a kept table.

        Raises:
            StoreAway, Unreadable: the room cannot be read.
            TooMuchWork: the address or the room has exceeded its limit.
        """
        try:
            latest = await self._repository.read(code)
        except Refusal:
            return None
        if latest.room.kept is None:
            return None

        async def make() -> tuple[File, float]:
            entries = await self._repository.history(code)
            return await asyncio.to_thread(_made, what, latest.room, entries)

        version = f"{latest.room.kept.since} {latest.v}"
        key = FileKey(PURPOSES[what], code, 0, version=version)
        return await self._files.get(key, address, make)


def _made(what: str, room: Room, entries: Sequence[HistoryEntry]) -> tuple[File, float]:
    began = time.thread_time()
    if what == "table":
        body, content_type = table_history(room, entries).model_dump_json(), "application/json"
    else:
        body, content_type = table_csv(entries, _dated), "text/csv; charset=utf-8"
    return make_file(body.encode(), content_type, EFFORT), time.thread_time() - began


def _dated(ms: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(ms / 1_000))
