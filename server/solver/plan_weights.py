"""The weights by which computer players compare plans, found by programs and never by hand.

- `tools/climb_weights.py` found those of Beginner and Club: with these a beam won most deals
  of four suits. They stay when the solver gets better ones for known cards, since the strengths of
  players are measured. With one suit Club's are three tenths of the way from there to an Expert's,
  so that it stays above a Beginner.
- `tools/fit_plan_weights.py` found those of an Expert, from games that it won and lost. The
  fit for two suits began with the weights for one. With four suits a fit won no more than Club.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from server.solver.weights import Weights


@dataclass(frozen=True, slots=True)
class PlanWeights:
    """What a position costs a player who does not see all cards."""

    columns: Weights
    """The weights of the columns."""
    turned: int
    """Saved by a card that turns up, since the player then sees it."""
    fits: int = 0
    """Saved if the next unseen card is certain to fit on a column; a smaller chance saves less."""
    bases: int = 0
    """Saved if a run with no face-up card beneath is certain to fit on the next unseen card."""
    ready: int = 0
    """Saved by each run on face-down cards that fits on a column now."""


_COLUMNS: Final = Weights(
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

BEGINNER_WEIGHTS: Final = PlanWeights(_COLUMNS, turned=30)
"""Weights that care little for cards face down."""
CLUB_WEIGHTS: Final = PlanWeights(_COLUMNS, turned=500)
"""Weights of a player who turns cards up wherever it can."""
CLUB_ONE_SUIT: Final = PlanWeights(
    Weights(
        card=74,
        down=90,
        closed=54,
        over_closed=6,
        deep=-3,
        joined=33,
        longer=7,
        mixed=78,
        broken=-2,
        inverted=23,
        above=-1,
        space=264,
        king=-47,
        end=0,
    ),
    turned=500,
)
"""Weights of such a player with one suit."""
_ONE_SUIT: Final = PlanWeights(
    Weights(
        card=52,
        down=136,
        closed=69,
        over_closed=-8,
        deep=-11,
        joined=26,
        longer=5,
        mixed=65,
        broken=-38,
        inverted=-19,
        above=5,
        space=401,
        king=-208,
        end=1,
    ),
    turned=1126,
    fits=315,
    bases=-257,
    ready=267,
)
_TWO_SUITS: Final = PlanWeights(
    Weights(
        card=58,
        down=138,
        closed=-26,
        over_closed=6,
        deep=-6,
        joined=32,
        longer=6,
        mixed=114,
        broken=-8,
        inverted=12,
        above=12,
        space=359,
        king=-149,
        end=-1,
    ),
    turned=1126,
    fits=277,
    bases=-76,
    ready=270,
)

EXPERT_WEIGHTS: Final[Mapping[int, PlanWeights]] = MappingProxyType(
    {1: _ONE_SUIT, 2: _TWO_SUITS, 4: CLUB_WEIGHTS}
)
"""Weights of a player who weighs what is still hidden, by the number of suits."""
