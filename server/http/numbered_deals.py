"""What is known about the numbered deals that rooms play next; a deal without a label is queued.

1. A label is as public as the deal: anybody could search it. The line never comes with it.
2. A deal is queued only where a thinking process runs. Else nothing is known.
3. A room asks for one deal at a time. Once it plays another one, the search of the earlier one is
   dropped.
4. An address may add few searches, and so may all of them together.
"""

from server.http.files import File, make_json
from server.http.limits import HttpLimits
from server.live.repository import Repository
from server.rooms.deal_labels import JOB, TAKEN_WITHIN_MS, numbered_deal, shown_label
from server.rooms.record import Room
from server.sessions.rate_limit import RateLimit, RateLimits
from server.views.rooms import numbered_deal_view


class NumberedDeals:
    """The numbered deals of rooms, and the searches that are added for them."""

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
            asked = deal.model_copy(update={"room": room.code, "asked_since": since})
            await self._store.deal_labels.ask(deal.key, room.code, asked.asked_since)
            body, deadline_ms = asked.model_dump_json(), now + TAKEN_WITHIN_MS
            await self._store.jobs.add(JOB, asked.job_key, body, deadline_ms=deadline_ms)
        label = shown_label(known.label, room)
        return make_json(numbered_deal_view(deal.number, label, searching=is_searched))

    def _may_search(self, address: str | None) -> bool:
        return (address is None or self._of_address.take(address)) and self._of_all.take()
