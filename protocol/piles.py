"""The piles of each game: their names, their order in messages, and where a client draws them."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from protocol.vocabulary import Direction, Fan, GameId, PileRole


@dataclass(frozen=True, slots=True)
class PileSpec:
    """One pile of a game, with everything that a client without rules needs to draw it.

    `x` and `y` are the place on a grid of cards, `fan` is the direction in which the cards are
    spread, and `direction` is set for foundations of games that build both up and down.
    """

    id: str
    role: PileRole
    x: float
    y: float
    fan: Fan = "none"
    direction: Direction | None = None


def _spider(columns: int, suits: int) -> tuple[PileSpec, ...]:
    return (
        *(PileSpec(f"t{i}", "tableau", i, 1, fan="down") for i in range(columns)),
        PileSpec("stock", "stock", 0, 0),
        *(PileSpec(f"f{i}", "foundation", columns - suits + i, 0) for i in range(suits)),
    )


_LEFT = 1.75
"""The first place of the rows, in cards; the stock at their left needs room for its fan."""


def _little_spider() -> tuple[PileSpec, ...]:
    row = range(4)
    return (
        *(PileSpec(f"u{i}", "tableau", _LEFT + i, 0) for i in row),
        *(PileSpec(f"l{i}", "tableau", _LEFT + i, 2) for i in row),
        *(PileSpec(f"f{i}", "foundation", _LEFT + i, 1, direction="up") for i in row[:2]),
        *(PileSpec(f"f{i}", "foundation", _LEFT + i, 1, direction="down") for i in row[2:]),
        PileSpec("stock", "stock", 0, 1),
    )


_SPIDER = _spider(10, 8)
_SPIDERETTE = _spider(7, 4)

PILES: Mapping[GameId, tuple[PileSpec, ...]] = MappingProxyType(
    {
        "spider-4": _SPIDER,
        "spider-2": _SPIDER,
        "spider-1": _SPIDER,
        "spiderette-4": _SPIDERETTE,
        "spiderette-2": _SPIDERETTE,
        "spiderette-1": _SPIDERETTE,
        "little-spider": _little_spider(),
    }
)
"""The piles of each game, in their order in messages."""
