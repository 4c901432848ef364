"""The counts of computer players, and the places for new ones.

All of them are counted, and all Experts. Both are counted by the networks that have opened their
rooms too, so that one address cannot take all places.
"""

import contextlib
from collections.abc import Iterable

from protocol.vocabulary import BotLevel, ErrorCode, RoomState
from server.live.room_limits import RoomLimits
from server.rooms.computer_players import attempts_of_bots
from server.rooms.record import Room
from server.rooms.refusal import Refusal
from server.rooms.stand_ins import names_of_stand_ins
from server.store import BotPlaces, StoreAway

EXPERT: BotLevel = "expert"


class BotCounts:
    """The counts of computer players in the store, for all rooms of all processes together."""

    def __init__(self, places: BotPlaces, limits: RoomLimits) -> None:
        self._places = places
        self._limits = limits

    async def claim(self, room: Room, attempt: str, level: BotLevel) -> None:
        """Count the computer player that an attempt is to add to a room.

        Raises:
            Refusal: there are as many as the server can take, or it has none.
            StoreAway: the store does not answer.
        """
        if self._limits.bots == 0:
            raise Refusal(ErrorCode.NO_BOTS)
        limits = self._limits.of_bots(room.networks)
        if level == EXPERT:
            limits |= {
                _of_experts(name): most
                for name, most in self._limits.of_experts(room.networks).items()
            }
        if not await self._places.claim(_name(room.code, attempt), limits):
            raise Refusal(ErrorCode.BOTS_BUSY)

    async def release(self, room: Room, attempt: str) -> None:
        """Release the count of a computer player that was not added."""
        await self._release(room, [attempt])

    async def recount(self, before: Room, room: Room) -> None:
        """Release the counts of removed ones; renew the others when the room's state changes."""
        now = {} if room.state is RoomState.CLOSED else _counted(room)
        gone = _counted(before).keys() - now.keys()
        if gone:
            await self._release(room, gone)
        if now and room.state is not before.state:
            with contextlib.suppress(StoreAway):  # counts last for hours
                lists = _lists(room)
                await self._places.renew([_name(room.code, each) for each in now], lists)
                experts = [_name(room.code, each) for each in now if now[each] == EXPERT]
                await self._places.renew(experts, map(_of_experts, lists))

    async def _release(self, room: Room, attempts: Iterable[str]) -> None:
        lists = _lists(room)
        with contextlib.suppress(StoreAway):  # counts expire
            bots = [_name(room.code, each) for each in attempts]
            await self._places.release(bots, [*lists, *map(_of_experts, lists)])


def _counted(room: Room) -> dict[str, BotLevel]:
    """Return the names by which the room's computer players and stand-ins are counted."""
    return attempts_of_bots(room) | names_of_stand_ins(room)


def _lists(room: Room) -> list[str]:
    """Return the lists in which all computer players of a room are counted."""
    return ["", *room.networks]


def _of_experts(name: str) -> str:
    """Return the list of those in a list that are Experts."""
    return f"{EXPERT}:{name}" if name else EXPERT


def _name(code: str, attempt: str) -> str:
    return f"{code} {attempt}"
