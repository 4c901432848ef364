"""Quotas of open rooms, kept tables and computer players.

1. Each is counted in total, and for the host's networks, so that one address cannot use up
   everything. Experts among the computer players have a quota of their own too.
2. The counts follow the records of rooms. A room or seat is counted before it is created, and each
   process renews the counts of the rooms that it serves. A computer player that is in no room
   is no longer counted after half a minute.
"""

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Final

from protocol.vocabulary import (
    CODE_ALPHABET,
    CODE_LENGTH,
    MAX_BOTS,
    BotLevel,
    ErrorCode,
    RoomState,
)
from server.config import BOTS, KEPT_PER_ADDRESS, KEPT_TABLES, MAX_ROOMS, ROOMS_PER_ADDRESS
from server.games.game import MAX_LOG_ENTRIES
from server.live.room import LiveRooms
from server.rooms.computer_players import counted_bots
from server.rooms.events import Refusal
from server.rooms.kept import KEPT_ACTS
from server.rooms.record import Room
from server.store import OpenRooms, Store, StoreAway, StoreDamaged, StoreFull, StoreRefused

EXPERT: Final[BotLevel] = "expert"
ALL: Final = ""  # in a list's name: all networks, or computer players of all levels
EXPERTS_SHARE: Final = 10  # at most one in ten computer players is an Expert


@dataclass(frozen=True, slots=True)
class RoomLimits:
    """The quotas of the whole server and of one address, and limits on stored acts."""

    rooms: int = MAX_ROOMS  # of all servers on this store
    rooms_per_address: int = ROOMS_PER_ADDRESS
    max_kept_acts: int = KEPT_ACTS  # a room with more acts in its logs drops the oldest logs
    bots: int = BOTS
    kept_tables: int = KEPT_TABLES
    kept_per_address: int = KEPT_PER_ADDRESS
    max_log_entries: int = MAX_LOG_ENTRIES  # a longer game can only be finished

    @property
    def experts(self) -> int:
        """The quota of Experts: each takes a good part of a processor."""
        return (self.bots + EXPERTS_SHARE - 1) // EXPERTS_SHARE

    def of_bot(self, networks: Mapping[str, int], level: BotLevel) -> dict[str, int]:
        """Return the quotas that a computer player counts towards, by the name of their list.

        An Expert also counts towards the quotas of Experts. One address may have half of the
        computer players, but always enough for one room; the values of `networks` say how many
        times as many each network may have.
        """
        quotas = {ALL: (self.bots, max(MAX_BOTS, (self.bots + 1) // 2))}  # in total, per address
        if level == EXPERT:
            quotas[EXPERT] = self.experts, (self.experts + 1) // 2
        limits: dict[str, int] = {}
        for group, (in_total, per_address) in quotas.items():
            limits[_list_name(ALL, group)] = in_total
            limits |= {_list_name(each, group): per_address * n for each, n in networks.items()}
        return limits


ROOM_LIMITS = RoomLimits()
MAX_DRAWS = 32  # codes that are drawn for a room until the master that would store it has space


def draw_code() -> str:
    """Return a room code of 35 random bits."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))


RENEW_S: Final = 10.0  # the computer players in this process's rooms are counted again this often
ROOMS_PER_TURN: Final = 100  # look at this many rooms before other tasks get a turn


class Quotas:
    """The open rooms, kept tables and computer players that the store counts for all processes.

    Methods that count something new raise a Refusal at a limit, and may raise StoreAway.
    """

    def __init__(self, store: Store, limits: RoomLimits, draw_code: Callable[[], str]) -> None:
        self._open_rooms, self._tables, self._bots = store.open_rooms, store.kept, store.bots
        self._limits, self._draw_code = limits, draw_code

    async def code_of(self, attempt_hash: str) -> str:
        """Return the code drawn for an attempt (see `opened_by`), or an empty string."""
        with contextlib.suppress(StoreDamaged, StoreRefused):
            return await self._open_rooms.code_of(attempt_hash) if attempt_hash else ""
        return ""

    async def code_for(self, attempt_hash: str = "") -> str:
        """Return the code drawn for an attempt, or draw one unless the store is full."""
        if drawn_before := await self.code_of(attempt_hash):
            return drawn_before  # even if the store is full: its room may exist already
        drawn = (self._draw_code() for _ in range(MAX_DRAWS))
        if (code := next(filter(self._open_rooms.has_space, drawn), None)) is None:
            raise Refusal(ErrorCode.STORE_FULL)
        if attempt_hash:
            # If this fails, a repeated message opens a second room, which is better than none.
            with contextlib.suppress(StoreFull, StoreDamaged, StoreRefused):
                code = await self._open_rooms.keep_code(attempt_hash, code)
        return code

    async def count_room(self, room: Room) -> None:
        """Count or refuse a new room."""
        quotas = self._limits.rooms, self._limits.rooms_per_address
        refusals = ErrorCode.SERVER_FULL, ErrorCode.TOO_MANY_ROOMS
        await _claim(self._open_rooms, room, quotas, refusals)

    @contextlib.asynccontextmanager
    async def counted_table(self, room: Room) -> AsyncIterator[None]:
        """Count a table that the block will keep, or refuse; undo this if the block refuses."""
        if room.kept is None:  # otherwise it is counted already
            if not self._tables.has_space(room.code):
                raise Refusal(ErrorCode.STORE_FULL)
            quotas = self._limits.kept_tables, self._limits.kept_per_address
            refusals = ErrorCode.KEPT_FULL, ErrorCode.TOO_MANY_KEPT
            await _claim(self._tables, room, quotas, refusals)
        try:
            yield
        except Refusal:  # any other error may come after the table was kept
            if room.kept is None:
                await _recount(self._tables.release, room)
            raise

    @contextlib.asynccontextmanager
    async def counted_bot(self, room: Room, name: str, level: BotLevel) -> AsyncIterator[None]:
        """Count or refuse a computer player; stop counting it if the block that adds it fails."""
        if self._limits.bots == 0:
            raise Refusal(ErrorCode.NO_BOTS)
        limits = self._limits.of_bot(room.networks, level)
        if await self._bots.claim(f"{room.code} {name}", limits) is not None:
            raise Refusal(ErrorCode.BOTS_BUSY)
        try:
            yield
        except BaseException:
            await self.release_bots(room, name)
            raise

    async def release_bots(self, room: Room, *names: str) -> None:
        """Stop counting computer players that a room has removed, or could not add."""
        lists = [*_lists_of(room), *_lists_of(room, EXPERT)]  # whichever their levels were
        with contextlib.suppress(StoreAway):  # counts that remain will expire
            await self._bots.release([f"{room.code} {name}" for name in names], lists)

    async def recount(self, before: Room, room: Room) -> None:
        """Stop counting what a change has ended; if the room has a new state, renew the rest."""
        is_closed, has_new_state = room.state is RoomState.CLOSED, room.state is not before.state
        bots = {} if is_closed else counted_bots(room)
        if gone := counted_bots(before).keys() - bots.keys():
            await self.release_bots(room, *gone)
        if bots and has_new_state:
            await self._renew_bots(room)
        is_kept = room.kept is not None and not is_closed
        if before.kept is not None and not is_kept:
            await _recount(self._tables.release, room)
        if is_kept and has_new_state:
            await _recount(self._tables.renew, room)
        if has_new_state:  # a failover may have lost its count
            await _recount(self._open_rooms.release if is_closed else self._open_rooms.renew, room)

    async def keep_bots(self, rooms: LiveRooms, interval_s: float = RENEW_S) -> None:
        """Keep counting the computer players in this process's rooms, before the counts expire."""
        while True:
            await asyncio.sleep(interval_s)
            for i, room in enumerate(rooms):
                if i % ROOMS_PER_TURN == 0:
                    await asyncio.sleep(0)
                if room.latest is not None:
                    await self._renew_bots(room.latest.room)

    async def _renew_bots(self, room: Room) -> None:
        """Count the computer players of a room, even beyond a quota."""
        levels = {f"{room.code} {name}": level for name, level in counted_bots(room).items()}
        experts = [bot for bot, level in levels.items() if level == EXPERT]
        with contextlib.suppress(StoreAway):  # `keep_bots` tries again
            await self._bots.renew(levels, _lists_of(room))
            await self._bots.renew(experts, _lists_of(room, EXPERT))


async def _claim(
    rooms: OpenRooms, room: Room, quotas: tuple[int, int], refusals: tuple[ErrorCode, ErrorCode]
) -> None:
    """Count a room in total and for each of its networks, or raise a Refusal.

    `quotas` and `refusals` are pairs: for all rooms, and for one address. The quota of a
    network is an address's limit times its `share`.
    """
    limits = {ALL: quotas[0]}
    for network, share in reversed([*room.networks.items()]):
        # The largest network comes first: if its list is full, the others are not tried.
        limits[network] = quotas[1] * share
    try:
        full_list = await rooms.claim(room.code, limits)
    except StoreFull as error:
        raise Refusal(ErrorCode.STORE_FULL) from error
    if full_list is not None:
        raise Refusal(refusals[0] if full_list == ALL else refusals[1])


async def _recount(change: Callable[..., Awaitable[None]], room: Room) -> None:
    """Call `change`, which releases or renews counts, for a room in all its lists."""
    with contextlib.suppress(StoreAway):  # counts that remain will expire
        await change([room.code], _lists_of(room))


def _lists_of(room: Room, group: str = ALL) -> list[str]:
    """Return the names of the lists that count a room: for all networks, and for its own."""
    return [_list_name(network, group) for network in (ALL, *room.networks)]


def _list_name(network: str, group: str) -> str:
    """Return a list's name for a network and a group (`EXPERT`); either may be `ALL`."""
    return f"{group}:{network}" if group and network else group or network
