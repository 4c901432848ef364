"""Limits of open rooms."""

from collections.abc import Mapping
from dataclasses import dataclass

from server.config import MAX_ROOMS, ROOMS_PER_ADDRESS
from server.store import Quota


@dataclass(frozen=True, slots=True)
class Limits:
    """The operator's limits: open rooms in all, and open rooms of one address."""

    rooms: int = MAX_ROOMS
    rooms_per_address: int = ROOMS_PER_ADDRESS

    def quotas(self, networks: Mapping[str, int]) -> list[Quota]:
        """Return the quotas that a new room counts for; `networks` are shares, smallest first."""
        own = [Quota(name, self.rooms_per_address * share) for name, share in networks.items()]
        return [Quota("", self.rooms), *reversed(own)]
