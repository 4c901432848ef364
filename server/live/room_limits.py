"""Limits of rooms."""

from collections.abc import Mapping
from dataclasses import dataclass

from protocol.vocabulary import MAX_BOTS
from server.config import BOTS, MAX_ROOMS, ROOMS_PER_ADDRESS
from server.live.replays import REPLAY_LIMITS, ReplayLimits
from server.rooms.retention import KEPT_ACTS
from server.store import Quota

EXPERTS_SHARE = 10
"""The share of Experts among all computer players, at most: one in so many."""


@dataclass(frozen=True, slots=True)
class RoomLimits:
    """The limits of open rooms, in all and of one address, and of acts that a room keeps."""

    rooms: int = MAX_ROOMS
    rooms_per_address: int = ROOMS_PER_ADDRESS
    kept_acts: int = KEPT_ACTS
    bots: int = BOTS
    replays: ReplayLimits = REPLAY_LIMITS

    @property
    def experts(self) -> int:
        """The most Experts: each takes a good part of a processor."""
        return (self.bots + EXPERTS_SHARE - 1) // EXPERTS_SHARE

    def of_bots(self, networks: Mapping[str, int]) -> dict[str, int]:
        """Return the most computer players, in all ("") and in rooms of each of these networks.

        One address has half of the places, and enough for one room. `networks` are shares.
        """
        half = max(MAX_BOTS, (self.bots + 1) // 2)
        return {"": self.bots, **{name: half * share for name, share in networks.items()}}

    def of_experts(self, networks: Mapping[str, int]) -> dict[str, int]:
        """Return the most Experts, in all and of each network; one address has half of them."""
        half = (self.experts + 1) // 2
        return {"": self.experts, **{name: half * share for name, share in networks.items()}}

    def quotas(self, networks: Mapping[str, int]) -> list[Quota]:
        """Return the quotas that a new room counts for; `networks` are shares, smallest first."""
        of_networks = [
            Quota(name, self.rooms_per_address * share) for name, share in networks.items()
        ]
        return [Quota("", self.rooms), *reversed(of_networks)]
