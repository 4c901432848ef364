"""How many rooms may be open."""

from collections.abc import Mapping
from dataclasses import dataclass

from server.config import MAX_ROOMS, ROOMS_PER_ADDRESS
from server.store import Quota


@dataclass(frozen=True, slots=True)
class Limits:
    """What the operator allows."""

    rooms: int = MAX_ROOMS
    rooms_per_address: int = ROOMS_PER_ADDRESS

    def quotas(self, networks: Mapping[str, int]) -> list[Quota]:
        """The lists in which a room is counted; `networks` are shares by name, smallest first."""
        own = [Quota(name, self.rooms_per_address * share) for name, share in networks.items()]
        return [Quota("", self.rooms), *reversed(own)]
