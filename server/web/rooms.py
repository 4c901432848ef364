"""The list of rooms, rooms by their codes, their numbered deals, and the files of kept tables."""

import asyncio
import time
from collections.abc import Awaitable, Callable

from server.live.public_list import PublicList
from server.live.repository import Repository
from server.rooms.deals import numbered_deal, shown_label
from server.rooms.events import Refusal
from server.rooms.record import Room
from server.sessions.guesses import Guesses, TooManyGuesses
from server.sessions.limits import RateLimit, RateLimits
from server.sessions.services import Services
from server.store import DealLabels
from server.thinking.labels import Labeller
from server.views.front_page import public_rooms
from server.views.rooms import numbered_deal_view
from server.views.table_history import table_csv, table_history
from server.web.files import File, FileCache, FileKey, make_json, make_timed
from server.web.limits import HttpLimits
from server.web.requests import HttpRequest

TABLE_TYPES = {"table": "application/json", "table.csv": "text/csv; charset=utf-8"}
KINDS = {"table": "history", "table.csv": "csv"}  # as metrics and the cache call them


class RoomLookups:
    """Finds rooms for requests. A wrong code counts as a guess, as it does when joining.

    All methods may raise StoreAway, Unreadable, and TooManyGuesses for an address at its limit.
    """

    def __init__(self, repository: Repository, guesses: Guesses) -> None:
        self._repository, self._guesses = repository, guesses
        self.finished_round = repository.finished_round

    async def find(self, request: HttpRequest, code: str) -> Room | None:
        """Return the open room with this code, or None."""
        try:
            async with self._guesses.look_up(request.client_network):
                return (await self._repository.read(code)).room
        except TooManyGuesses:  # a Refusal too, but it does not mean that there is no such room
            raise
        except Refusal:
            return None

    async def file(
        self, request: HttpRequest, code: str, make: Callable[[], Awaitable[File | None]]
    ) -> File | None:
        """Return the file that `make` makes about a room, or None; a wrong code counts as a guess.

        A wrong round number does not: players on one network may look for the result of a race
        that is still running, and must not use up each other's guesses.
        """
        self._guesses.check(request.client_network)
        # Other look-ups of the address would have to wait while the file is made. So the guess
        # is counted afterwards, before the file or the 404 is sent.
        file = await make()
        if file is None:
            await self.find(request, code)  # counts a guess if there is no such room
        else:
            async with self._guesses.look_up(request.client_network):
                pass  # a right guess is free; at the limit it is refused like a wrong one
        return file


class RoomList:
    """The list of public rooms as a file, which is rebuilt once it is `max_age_s` old."""

    def __init__(self, services: Services, max_age_s: float) -> None:
        self.lock = asyncio.Lock()  # so that one request reads the list for all that are waiting
        self._public = PublicList(services.repository)
        self._services, self._max_age_s = services, max_age_s
        self._file: File | None = None
        self._read_at_s = 0.0

    async def file(self) -> File:
        """Return the list, or raise StoreAway."""
        async with self.lock:
            now_s = asyncio.get_running_loop().time()
            if self._file is None or now_s - self._read_at_s >= self._max_age_s:
                rows = await self._public.read()
                now_ms = self._services.clock.now_ms()
                has_bots = self._services.adopt_bots is not None
                self._file = make_json(public_rooms(rows, now_ms, computers=has_bots))
                self._read_at_s = now_s
            return self._file


class NumberedDeals:
    """The numbered deals of rooms, and the searches for their labels.

    1. A label says whether a deal can be won. It is as public as the deal, which anybody could
       search. The line that wins it is never sent.
    2. A room asks for one deal at a time. Once it plays another one, the earlier search is
       dropped.
    3. Searches are limited for each address and in total. Only a few deals of an address's rooms
       wait at a time; for its other deals, no search is shown.
    """

    def __init__(self, labels: DealLabels, labeller: Labeller | None, limits: HttpLimits) -> None:
        """Without a labeller only labels that are already stored are shown."""
        self._labels, self._labeller = labels, labeller
        self._searches_of_address = RateLimits(limits.searches_of_address)
        self._searches = RateLimit(limits.searches)

    async def find(self, room: Room, address: str | None) -> File | None:
        """Return the numbered deal that a room plays next, as a file; None for other deals.

        It says whether the deal can be won: its label. A search for the label is charged to
        `address`; None is not limited.
        """
        deal = numbered_deal(room)
        if deal is None:
            return None
        stored = await self._labels.read(deal.key)
        is_searching = False
        if stored is None and self._labeller is not None:
            is_searching = await self._labeller.request(
                deal, room.code, room.networks, lambda: self._take_search(address)
            )
        label = shown_label(stored, room)
        return make_json(numbered_deal_view(deal.number, label, searching=is_searching))

    def _take_search(self, address: str | None) -> bool:
        """Charge a search to an address and to the total; return False at a limit."""
        is_allowed = address is None or self._searches_of_address.take(address)
        return is_allowed and self._searches.take()


async def table_file(
    repository: Repository, files: FileCache, name: str, code: str, address: str | None
) -> File | None:
    """Return the file `table` or `table.csv` (`name`) of a kept table, or None for other rooms.

    It is cached until the room changes. The work is charged to `address`, if any.
    Raise TooMuchWork if the address or the room has exceeded its limit.
    """
    try:
        latest = await repository.read(code)
    except Refusal:
        return None
    if latest.room.kept is None:
        return None

    async def make() -> tuple[File, float]:
        entries = await repository.history(code)

        def body() -> bytes:
            if name == "table":
                return table_history(latest.room, entries).model_dump_json().encode()
            return table_csv(entries, _format_date).encode()

        return await asyncio.to_thread(make_timed, body, TABLE_TYPES[name])

    version = f"{latest.room.kept.since} {latest.v}"
    key = FileKey(KINDS[name], code, n=0, version=version)
    return await files.get(key, address, make)


def _format_date(ms: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(ms / 1_000))
