"""The weights of a column's cost, found by `tools/climb_weights.py` and never by hand."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True, slots=True)
class Weights:
    """What the features of a column cost; a position costs the sum of its columns.

    Costs compare positions of one deal only. Lower ones are better.
    """

    card: int
    """A card on the table. Thirteen of them are saved when a suit leaves."""
    down: int
    """A card that lies face down."""
    closed: int
    """A column with cards face down."""
    over_closed: int
    """A run that lies above cards face down."""
    deep: int
    """A pair of cards face down in one column: the lower one takes longer to turn up."""
    joined: int
    """Saved by a card that lies on the next higher one of its suit."""
    longer: int
    """Saved besides by such a card for each card of the run below it."""
    mixed: int
    """A card on the next higher one of another suit."""
    broken: int
    """A card on any other card."""
    inverted: int
    """Costs besides where such a card is higher than the one that it covers."""
    above: int
    """A card above a card that has to be uncovered, once for each of these."""
    space: int
    """Saved by an empty column."""
    king: int
    """Saved by a king that is the first card of its column."""
    end: int
    """The last card, once for each rank that it is below a king: few cards go on a low one."""


@dataclass(frozen=True, slots=True)
class PileWeights:
    """What the features of the piles of Little Spider cost."""

    card: int
    """A card on a pile."""
    empty: int
    """An empty pile, which stays empty."""
    blocking: int
    """A card above one of its suit that goes home before it."""
    covering: int
    """A card above any other one whose turn comes before its own."""
    deep: int
    """A card above another one, once for each turn that is left from the latter on."""
    adjacent: int
    """Saved by a card on one of an adjacent rank."""
    ordered: int
    """Saved besides if both have one suit and go home in this order."""
    next: int
    """A card above one that goes home next."""
    second: int
    """A card above one that goes home after the next one."""


StageWeights = tuple[Weights, ...]
"""The weights of the stages: once the stock is empty, with one deal left and so on.

The last ones serve all earlier stages.
"""

_FOUR: Final = Weights(
    card=84,
    down=71,
    closed=48,
    over_closed=12,
    deep=0,
    joined=36,
    longer=8,
    mixed=83,
    broken=14,
    inverted=41,
    above=-4,
    space=205,
    king=22,
    end=-1,
)

WEIGHTS: Final[Mapping[str, StageWeights]] = MappingProxyType(
    {
        "spider-4": (_FOUR, _FOUR, _FOUR, _FOUR),
        "spider-2": (_FOUR, _FOUR, _FOUR, _FOUR),
        "spider-1": (_FOUR, _FOUR, _FOUR, _FOUR),
        "spiderette-4": (_FOUR, _FOUR, _FOUR, _FOUR),
        "spiderette-2": (_FOUR, _FOUR, _FOUR, _FOUR),
        "spiderette-1": (_FOUR, _FOUR, _FOUR, _FOUR),
    }
)
"""The weights by the id of the game; see `weights_of`."""


def weights_of(game: str) -> StageWeights:
    """Return the weights of a game with columns: those of `spider-4`, unless it has its own."""
    return WEIGHTS.get(game, WEIGHTS["spider-4"])


PILE_WEIGHTS: Final = PileWeights(
    card=131,
    empty=48,
    blocking=93,
    covering=22,
    deep=2,
    adjacent=8,
    ordered=36,
    next=22,
    second=8,
)
"""The weights of Little Spider."""
