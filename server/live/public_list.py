"""The list of public rooms: the newest ones, with a share for each network.

It is made from rows that are stored beside the records. A network with very many rooms cannot keep
others out, even if its rooms change all the time or are deserted: at first only a few rows of each
network are read.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice

from server.live.repository import Repository
from server.rooms.events import Refusal
from server.store import Unreadable
from server.views.front_page import ROWS, SHARE, PublicRow, listed, read_row, row_of, within_shares

NEWEST = 10_000  # only this many public rooms are considered
READ_FIRST = 3 * SHARE  # at first, only this many rows of each network are read
BATCH = 50  # rows that are read together, and the most records that are read for a list
MOST_REMEMBERED = 20_000  # rooms whose networks are remembered; they never change


class PublicList:
    """The list of public rooms, as one process reads it."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._networks: dict[str, str] = {}  # the network of each room read so far, by code
        self._records_left = 0  # how many records may still be read for this list

    async def read(self) -> list[PublicRow]:
        """Return the rows of the list, or raise StoreAway; calls must not overlap."""
        self._records_left = BATCH  # `_row_of_record` counts down
        codes = await self._repository.store.lists.public(NEWEST)
        rows: list[PublicRow] = []
        rows_read: Counter[str] = Counter()  # how many so far, by network
        put_off: list[str] = []

        def first_rooms() -> Iterator[str]:
            """Yield the rooms to read first; put off the rest of a network with many rows read."""
            for code in codes:
                network = self._networks.get(code, "")
                if network and rows_read[network] >= READ_FIRST:
                    put_off.append(code)
                else:
                    yield code

        waiting = first_rooms()  # looks at `rows_read`, which grows with each batch
        # Read on until the list is full. It shows `ROWS` rooms, at first `SHARE` of each network.
        while within_shares(rows) < ROWS and (batch := list(islice(waiting, BATCH))):
            found = await self._read(batch)
            rows_read.update(row.network for row in found)
            rows += found
        if within_shares(rows) < ROWS and put_off:
            rows += await self._read(put_off[:ROWS])
        order = {code: place for place, code in enumerate(codes)}
        return listed(sorted(rows, key=lambda row: order[row.room.code]))

    async def _read(self, codes: Sequence[str]) -> list[PublicRow]:
        """Return the rows of these rooms, without rooms that cannot be read."""
        rows = []
        quarantine = self._repository.quarantine
        texts = await self._repository.store.lists.rows(codes)
        for code, text in zip(codes, texts, strict=True):
            row = None if text is None or code in quarantine else read_row(text)
            row = row or await self._row_of_record(code)
            if row is not None:
                self._networks[code] = row.network
                rows.append(row)
        surplus = max(0, len(self._networks) - MOST_REMEMBERED)
        for oldest in list(islice(self._networks, surplus)):
            del self._networks[oldest]
        return rows

    async def _row_of_record(self, code: str) -> PublicRow | None:
        """Make an open room's row from its record; None if too many records have been read."""
        if not self._records_left:
            return None
        self._records_left -= 1
        with suppress(Refusal, Unreadable):
            return row_of((await self._repository.read(code)).room)
        return None
