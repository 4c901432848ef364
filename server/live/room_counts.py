"""The counts of open rooms, of all and of each network, and the space for new ones."""

import contextlib
from collections.abc import Callable, Mapping

from protocol.vocabulary import ErrorCode, RoomState
from server.live.random_values import draw_code
from server.live.room_limits import RoomLimits
from server.rooms.events import Refusal
from server.rooms.record import Room
from server.store import OpenRooms, StoreAway, StoreDamaged, StoreFull, StoreRefused

DRAWS = 32  # codes that are drawn for a room, at most, until a cluster's master has space for one


class RoomCounts:
    """The counts of open rooms in the store; all methods but `recount` may raise `StoreAway`."""

    def __init__(
        self, open_rooms: OpenRooms, limits: RoomLimits, draw_code: Callable[[], str] = draw_code
    ) -> None:
        self._open_rooms = open_rooms
        self._limits = limits
        self._draw_code = draw_code

    def free_code(self) -> str:
        """Return a new code for which the store has space.

        Raises:
            Refusal: the store has no space for a new room.
        """
        for _ in range(DRAWS):
            code = self._draw_code()
            if self._open_rooms.has_space(code):
                return code
        raise Refusal(ErrorCode.STORE_FULL)

    async def code_of(self, attempt: str) -> str:
        """Return the code under which the attempt with this hash opens its room.

        Raises:
            Refusal: the store has no space for a new room.
        """
        drawn = self.free_code()
        try:
            return await self._open_rooms.code_of(attempt, drawn)
        except (StoreFull, StoreDamaged, StoreRefused):
            return drawn  # a repeated message then opens a second room, which is better than none

    async def claim(self, code: str, networks: Mapping[str, int]) -> None:
        """Count a room that is to be opened for these `networks`, which have shares of the limit.

        Raises:
            Refusal: there are too many rooms, or the store has no space for a new one.
        """
        try:
            full = await self._open_rooms.claim(code, self._limits.quotas(networks))
        except StoreFull as error:
            raise Refusal(ErrorCode.STORE_FULL) from error
        if full is not None:
            whose = ErrorCode.TOO_MANY_ROOMS if full.network else ErrorCode.SERVER_FULL
            raise Refusal(whose)

    async def recount(self, room: Room) -> None:
        """Release the count of a closed room; renew that of an open one, which may be lost."""
        lists = ("", *room.networks)
        with contextlib.suppress(StoreAway):  # counts expire
            if room.state is RoomState.CLOSED:
                await self._open_rooms.release(room.code, lists)
            else:
                await self._open_rooms.renew(room.code, lists)
