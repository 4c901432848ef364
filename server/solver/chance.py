"""Chance that comes from a seed alone, and is the same on every machine."""

from collections.abc import Sequence
from hashlib import blake2b


class Chance:
    """A stream of random numbers."""

    def __init__(self, *seeds: int | str) -> None:
        self._name = repr(seeds).encode()
        self._drawn = 0

    def below(self, limit: int) -> int:
        """Return a number from 0 to `limit` - 1, all equally likely but for 2**-40."""
        self._drawn += 1
        words = self._name + self._drawn.to_bytes(8, "big")
        return int.from_bytes(blake2b(words, digest_size=8).digest(), "big") % limit

    def shuffled(self, values: Sequence[int]) -> list[int]:
        """Return the values in random order."""
        left = list(values)
        for last in range(len(left) - 1, 0, -1):
            other = self.below(last + 1)
            left[last], left[other] = left[other], left[last]
        return left
