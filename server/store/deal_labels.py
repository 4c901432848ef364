"""Labels of numbered deals: what thinking processes have found out about them.

1. The number of labels is bounded. Beyond it a new one takes the place of any other, whose deal
   may then be searched again.
2. A room asks for one label at a time. That of its newest deal takes the place of the one before.
"""

from dataclasses import dataclass
from typing import Final

from server.store.clock import RedisClock
from server.store.cluster import ClusterClient
from server.store.connection import pack
from server.store.deal_pools import ALIVE_MS
from server.store.keys import TTL_SECONDS, Keys
from server.store.records import KnownLabel
from server.store.scripts import KEEP_LABEL

MOST_LABELS: Final = 10_000
"""The labels that are kept, of about a hundred bytes each."""
ASKED_MS: Final = 60_000
"""Time after its latest question for which a room counts as asking."""


@dataclass(eq=False)
class RedisDealLabels:
    """The labels; see `interfaces.DealLabels`. Every method may raise StoreAway."""

    _client: ClusterClient
    _keys: Keys
    _clock: RedisClock

    async def read(self, deal: str, room: str = "") -> KnownLabel:
        """Return the label of a deal, whether it can be found, and since when a room asks for it.

        A thinking process finds labels.
        """
        _, pools = self._keys.pool("")
        labels, asked = self._keys.labels(), self._keys.asked_labels()
        label, alive, question = await self._client.ask_all(
            (labels, pack("HGET", labels, deal)),
            (pools, pack("HGET", pools, "alive")),
            (asked, pack("HGET", asked, room)),
        )
        now = self._clock.now()
        is_sought = alive is not None and now - int(alive) < ALIVE_MS
        since, last = _asked(question, deal)
        return KnownLabel(
            None if label is None else label.decode(),
            is_sought,
            since if now - last < ASKED_MS else None,
        )

    async def ask(self, deal: str, room: str, since_ms: int) -> None:
        """Note that a room asks for the label of a deal now, and has done so since a time.

        It asks for no other one any more.
        """
        asked = self._keys.asked_labels()
        question = f"{since_ms} {self._clock.now()} {deal}"
        words = room, question, MOST_LABELS, TTL_SECONDS
        await self._client.ask(asked, KEEP_LABEL.command((asked,), *words))

    async def is_asked(self, deal: str, room: str, *, lately: bool) -> bool:
        """Return whether a room asks for the label of a deal and for no newer one.

        With `lately` it must have asked a short time ago.
        """
        asked = self._keys.asked_labels()
        since, last = _asked(await self._client.ask(asked, pack("HGET", asked, room)), deal)
        return since is not None and (not lately or self._clock.now() - last < ASKED_MS)

    async def keep(self, deal: str, label: str, *, most: int = MOST_LABELS) -> None:
        """Keep the label of a deal."""
        labels = self._keys.labels()
        await self._client.ask(
            labels, KEEP_LABEL.command((labels,), deal, label, most, TTL_SECONDS)
        )


def _asked(question: bytes | None, deal: str) -> tuple[int | None, int]:
    """Return since when a room asks for a deal, and when it last did.

    They are None and 0 if its question is about another deal, or if there is none.
    """
    since, last, about = (question or b"0 0 ").split(b" ", 2)
    return (int(since), int(last)) if about == deal.encode() else (None, 0)
