"""Rooms by the codes of requests, and the numbered deals that they play next."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from server.live.repository import Repository
from server.rooms.deal_labels import (
    JOB,
    MOST_OF_ADDRESS,
    TAKEN_WITHIN_MS,
    LabelJob,
    numbered_deal,
    shown_label,
)
from server.rooms.record import Room
from server.rooms.refusal import Refusal
from server.sessions.guesses import Guesses, TooManyGuesses
from server.sessions.rate_limit import RateLimit, RateLimits
from server.store import Queued
from server.views.rooms import numbered_deal_view
from server.web.clients import IpNetwork, limited_as
from server.web.files import File, make_json
from server.web.limits import HttpLimits
from server.web.requests import HttpRequest


class RoomLookups:
    """Find rooms for clients that may not know whether there are any.

    A wrong code counts as a guess, as it does on a websocket.
    """

    def __init__(
        self, repository: Repository, guesses: Guesses, trusted: Sequence[IpNetwork]
    ) -> None:
        """Find rooms in `repository`; `guesses` are shared with the joins by websocket."""
        self._repository = repository
        self._guesses = guesses
        self._trusted = trusted

    async def find(self, request: HttpRequest, code: str) -> Room | None:
        """Return the open room of a code, or None.

        Raises:
            TooManyGuesses: the address has guessed too often.
            StoreAway, Unreadable: the room cannot be read.
        """
        try:
            async with self._guesses.look_up(self._guesser(request)):
                return (await self._repository.read(code)).room
        except TooManyGuesses:
            raise
        except Refusal:
            return None

    async def file(
        self, request: HttpRequest, code: str, made: Callable[[], Awaitable[File | None]]
    ) -> File | None:
        """Return the file of a finished round of a room, or None; a wrong code is a guess.

        A wrong number is no guess: players of one network may look for the result of a race that
        is still running, and must not keep each other out.

        Raises:
            TooManyGuesses: the address has guessed too often.
            StoreAway, Unreadable: the room cannot be read.
        """
        address = self._guesser(request)
        self._guesses.check(address)
        # Making a file takes long, and other look-ups of the address would wait for this one. So
        # the guess is taken afterwards: a file is as little shown without it as a wrong code.
        file = await made()
        if file is None:
            await self.find(request, code)
        else:
            async with self._guesses.look_up(address):
                pass
        return file

    def _guesser(self, request: HttpRequest) -> str:
        return limited_as(request.peer, request.headers, self._trusted)


class NumberedDeals:
    """The numbered deals of rooms, and the searches that are added for them.

    1. A label is as public as the deal: anybody could search it. The line never comes with it.
    2. A deal is queued only where a thinking process runs. Else nothing is known.
    3. A room asks for one deal at a time. Once it plays another one, the search of the earlier one
       is dropped.
    4. An address may add few searches, and so may all of them together. Few deals of the rooms of
       one address wait at a time; no search of a further one is shown.
    """

    def __init__(self, repository: Repository, limits: HttpLimits) -> None:
        self._store = repository.store
        self._of_address = RateLimits(*limits.searches_of_address)
        self._of_all = RateLimit(*limits.searches)

    async def find(self, room: Room, address: str | None) -> File | None:
        """Return the deal that a room plays next, as a file; None if it has no number.

        The search of a deal is charged to `address`; None is not limited.

        Raises:
            StoreAway: the store does not answer.
        """
        deal = numbered_deal(room)
        if deal is None:
            return None
        known = await self._store.deal_labels.read(deal.key, room.code)
        since, now = known.asked_since, self._store.clock.now()
        is_searched = known.label is None and known.is_sought
        if is_searched and since is None:
            since, is_searched = now, self._may_search(address)
        if is_searched:
            networks = tuple(room.networks)
            asked = deal.model_copy(
                update={"room": room.code, "asked_since": since, "networks": networks}
            )
            await self._store.deal_labels.ask(deal.key, room.code, asked.asked_since)
            is_searched = await self._queue(asked, room)
        label = shown_label(known.label, room)
        return make_json(numbered_deal_view(deal.number, label, searching=is_searched))

    async def _queue(self, asked: LabelJob, room: Room) -> bool:
        """Queue the search of a deal, once; return False if the queue or a share is full."""
        shares = {name: MOST_OF_ADDRESS * share for name, share in room.networks.items()}
        add = partial(self._store.jobs.add, shares=shares) if shares else self._store.jobs.add
        deadline_ms = self._store.clock.now() + TAKEN_WITHIN_MS
        queued = await add(JOB, asked.job_key, asked.model_dump_json(), deadline_ms=deadline_ms)
        return queued is not Queued.FULL

    def _may_search(self, address: str | None) -> bool:
        return (address is None or self._of_address.take(address)) and self._of_all.take()
