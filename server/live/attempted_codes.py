"""The codes of rooms that are opened by attempts, of which each opens one room."""

from collections.abc import Awaitable, Callable

from server.rooms.record import VersionedRoom
from server.rooms.refusal import Refusal
from server.rooms.seat_attempts import check_attempt
from server.store import Attempts, Clock, StoreDamaged, StoreFull, StoreRefused


class AttemptedCodes:
    """The code of each attempt; the store keeps it for as long as the attempt may be repeated."""

    def __init__(
        self, attempts: Attempts, clock: Clock, read: Callable[[str], Awaitable[VersionedRoom]]
    ) -> None:
        """Keep codes in `attempts`; `read` returns the room of a code, or raises `Refusal`."""
        self._attempts = attempts
        self._clock = clock
        self._read = read

    async def code(self, attempt: str, drawn: str, taken: str) -> str:
        """Return the code under which the attempt with this hash opens its room.

        It is the one `drawn` by the first of its messages. If that is the code of another room, or
        the code `taken` under which no room could be opened, it is the one drawn now.

        Raises:
            AlreadySeated: the attempt has opened its room.
            StoreAway: the store does not answer.
            Unreadable: this release cannot read the room of the attempt.
        """
        try:
            code = await self._attempts.code(attempt, drawn)
            if code != drawn and (await self._is_open(code, attempt) or code == taken):
                await self._attempts.replace(attempt, drawn)
                return drawn
        except (StoreFull, StoreDamaged, StoreRefused):
            return drawn  # a repeated message then opens a second room, which is better than none
        return code

    async def _is_open(self, code: str, attempt: str) -> bool:
        """Return whether there is a room of this code, which another attempt has opened.

        Raises:
            AlreadySeated: this attempt has opened it.
        """
        try:
            latest = await self._read(code)
        except Refusal:
            return False
        check_attempt(latest.room, attempt, self._clock.now())
        return True
