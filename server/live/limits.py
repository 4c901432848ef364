"""Limits of rooms."""

from collections.abc import Mapping
from dataclasses import dataclass

from server.config import MAX_ROOMS, ROOMS_PER_ADDRESS
from server.rooms.keeping import KEPT_ACTS
from server.store import Quota


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of open rooms, in all and of one address, and of acts that a room keeps."""

    rooms: int = MAX_ROOMS
    rooms_per_address: int = ROOMS_PER_ADDRESS
    kept_acts: int = KEPT_ACTS

    def quotas(self, networks: Mapping[str, int]) -> list[Quota]:
        """Return the quotas that a new room counts for; `networks` are shares, smallest first."""
        of_networks = [
            Quota(name, self.rooms_per_address * share) for name, share in networks.items()
        ]
        return [Quota("", self.rooms), *reversed(of_networks)]
