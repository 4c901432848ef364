"""The counts of computer players, and the places for new ones.

All of them are counted, and all Experts. Both are counted by the networks that have opened their
rooms too, so that one address cannot take all places.

The records of rooms decide. A place is claimed before the seat is made, and each process renews
the places of the rooms that it serves. One that no room has is not counted after half a minute.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable
from typing import Final

from protocol.vocabulary import BotLevel, ErrorCode, RoomState
from server.live.room import LiveRooms
from server.live.room_limits import RoomLimits
from server.rooms.computer_players import counted_bots
from server.rooms.events import Refusal
from server.rooms.record import Room
from server.store import BotPlaces, StoreAway

EXPERT: BotLevel = "expert"
RENEW_S: Final = 10.0
"""The time between two renewals of the places of all rooms here."""
AT_ONCE: Final = 100
"""The rooms that are looked at in one turn of the event loop."""


class BotCounts:
    """The counts of computer players in the store, for all rooms of all processes together."""

    def __init__(self, places: BotPlaces, limits: RoomLimits) -> None:
        self._places = places
        self._limits = limits

    @contextlib.asynccontextmanager
    async def place(self, room: Room, name: str, level: BotLevel) -> AsyncIterator[None]:
        """Count the computer player that the block adds to a room; release it if that fails.

        Raises:
            Refusal: there are as many as the server can take, or it has none.
            StoreAway: the store does not answer.
        """
        await self._claim(room, name, level)
        try:
            yield
        except BaseException:
            await self.release(room, name)
            raise

    async def _claim(self, room: Room, name: str, level: BotLevel) -> None:
        if self._limits.bots == 0:
            raise Refusal(ErrorCode.NO_BOTS)
        limits = self._limits.of_bots(room.networks)
        if level == EXPERT:
            limits |= {
                _of_experts(each): most
                for each, most in self._limits.of_experts(room.networks).items()
            }
        if not await self._places.claim(_name(room.code, name), limits):
            raise Refusal(ErrorCode.BOTS_BUSY)

    async def release(self, room: Room, name: str) -> None:
        """Release the count of a computer player that was not added."""
        await self._release(room, [name])

    async def recount(self, before: Room, room: Room) -> None:
        """Release the counts of removed ones; renew the others when the room's state changes."""
        now = {} if room.state is RoomState.CLOSED else counted_bots(room)
        gone = counted_bots(before).keys() - now.keys()
        if gone:
            await self._release(room, gone)
        if now and room.state is not before.state:
            await self._renew(room)

    async def keep(self, rooms: LiveRooms, interval_s: float = RENEW_S) -> None:
        """Renew the places of the rooms of this process again and again, for ever."""
        while True:
            await asyncio.sleep(interval_s)
            for i, local in enumerate(rooms):
                if i % AT_ONCE == 0:
                    await asyncio.sleep(0)
                if local.latest is not None:
                    await self._renew(local.latest.room)

    async def _renew(self, room: Room) -> None:
        """Count the computer players of a room, even if a list is full."""
        counted = counted_bots(room)
        if counted:
            with contextlib.suppress(StoreAway):  # renewed when it is back
                lists = _lists(room)
                await self._places.renew([_name(room.code, each) for each in counted], lists)
                experts = [_name(room.code, each) for each in counted if counted[each] == EXPERT]
                await self._places.renew(experts, map(_of_experts, lists))

    async def _release(self, room: Room, names: Iterable[str]) -> None:
        lists = _lists(room)
        with contextlib.suppress(StoreAway):  # counts expire
            bots = [_name(room.code, each) for each in names]
            await self._places.release(bots, [*lists, *map(_of_experts, lists)])


def _lists(room: Room) -> list[str]:
    """Return the lists in which all computer players of a room are counted."""
    return ["", *room.networks]


def _of_experts(name: str) -> str:
    """Return the list of those in a list that are Experts."""
    return f"{EXPERT}:{name}" if name else EXPERT


def _name(code: str, name: str) -> str:
    return f"{code} {name}"
