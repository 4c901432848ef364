"""The times at which a computer player acts: about once a second, whatever its search takes."""

from server.solver.chance import Chance

FIRST_S = 2.0
"""The time for which it looks at a new deal, at least."""
SHORTEST_S = 0.5
LONGEST_S = 1.5


class Pace:
    """The thinking times of one game, from a seed alone."""

    def __init__(self, *seeds: int | str) -> None:
        self._chance = Chance("pace", *seeds)
        self._is_first = True

    def next_s(self) -> float:
        """Return the seconds from the latest act to the next one."""
        drawn = SHORTEST_S + (LONGEST_S - SHORTEST_S) * self._chance.below(1_000) / 1_000
        first_s = FIRST_S if self._is_first else 0.0
        self._is_first = False
        return first_s + drawn
