"""Seats: the holder of each, and how far its game is."""

from collections.abc import Sequence
from typing import Any

from server.store.clock import RedisClock
from server.store.cluster_client import ClusterClient
from server.store.errors import Unreadable
from server.store.keys import TTL_SECONDS, Keys
from server.store.packed_commands import pack
from server.store.records import SeatRecord
from server.store.scripts import TAKE_SEAT

FIELDS = (
    *("gen", "token", "id", "n", "stats", "gained_ms", "over_ms"),
    *("hints", "hints_n", "first"),
)


class RedisSeats:
    """The records of seats; see `interfaces.Seats`.

    Every method raises StoreAway when Redis does not answer, and Unreadable when the stored value
    is no valid seat. Cancelling a method drops the reply but does not stop the write.
    """

    def __init__(self, client: ClusterClient, keys: Keys, clock: RedisClock) -> None:
        self._client = client
        self._keys = keys
        self._clock = clock

    async def take(self, code: str, seat: int) -> SeatRecord | None:
        """Make the caller the only holder of the seat.

        Return the seat with its new generation, or None if there is no such seat. From now on,
        commits with an older generation are answered with REPLACED.
        """
        key = self._keys.seat(code, seat)
        command = TAKE_SEAT.command((key,), TTL_SECONDS, self._clock.now(), *FIELDS)
        return parse_seat(await self._client.ask(key, command))

    async def read(self, code: str, seat: int) -> SeatRecord | None:
        """Return the seat, or None if there is no such seat."""
        return (await self.read_all(code, (seat,)))[0]

    async def read_all(self, code: str, seats: Sequence[int]) -> list[SeatRecord | None]:
        """Return these seats in this order, with None for each that does not exist."""
        queries = (seat_query(self._keys.seat(code, seat)) for seat in seats)
        replies = await self._client.ask_all(*queries)
        return [parse_seat(reply) for reply in replies]


def seat_query(key: str) -> tuple[str, bytes]:
    """Return the command that reads a seat, with its key, which is given."""
    return key, pack("HMGET", key, *FIELDS)


def parse_seat(reply: Any) -> SeatRecord | None:
    """Return the seat in a reply to `seat_query`, or None if there is no such seat.

    Raises:
        Unreadable: the seat's key holds no seat.
    """
    if reply is None or reply[0] is None:
        return None
    generation, token, last_id, n, stats, gained, over, hint_count, hint_round, first = reply
    try:
        return SeatRecord(
            generation=int(generation),
            token_hash=token.decode(),
            last_id=int(last_id),
            n=int(n),
            stats_json=None if stats is None else stats.decode(),
            gained_ms=int(gained),
            over_ms=None if over is None else int(over),
            hint_count=int(hint_count or 0),
            hint_round=int(hint_round or 0),
            first_id=int(first or 0),
        )
    except (TypeError, ValueError, AttributeError):  # a field is missing or has another type
        raise Unreadable("a seat of other fields") from None
