"""The games, each described once for the rules, the server, the page and the tests.

`generate.py` writes them as JavaScript for the page.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import Literal

from protocol.vocabulary import SUIT_SIZE, SUITS, Direction, Fan, Language, Layout, PileRole, Score

_Spiderette = Literal["spiderette-4", "spiderette-2", "spiderette-1"]
# Rooms are stored with these ids.
GameId = Literal["spider-4", "spider-2", "spider-1", _Spiderette, "little-spider"]
# A player brings home suits that are complete in a column, or single cards.
Goal = Literal["suits", "cards"]


@dataclass(frozen=True, slots=True)
class PileSpec:
    """One pile of a game, with everything needed to draw it without knowing the rules."""

    id: str  # its name in messages
    role: PileRole
    x: float  # the place on a grid of cards, from the left
    y: float  # the same from the top
    fan: Fan = "none"
    direction: Direction | None = None  # of a foundation, in games that build both up and down


@dataclass(frozen=True)
class Variant:
    """A game: everything that its rounds have in common."""

    id: GameId  # its name in messages and in the store
    family: str  # the same for games that differ only in suits: a seed deals them the same ranks
    names: Mapping[Language, str]  # for players
    goal: Goal  # it also selects the engine in `server/games`
    decks: int  # of 52 cards
    suits: int  # how many different suits: 4, or fewer if some are relabelled
    dealt_down: Mapping[Layout, tuple[int, ...]]
    """The number of cards dealt face down to each column, by layout, the usual layout first.

    Then each column gets a face-up card, and all other cards form the stock.
    """
    scores: tuple[Score, ...]  # the scores that it supports, the usual one first
    options: tuple[str, ...]  # the optional settings that it supports; other games may not
    piles: tuple[PileSpec, ...]  # in the order of indexes and messages; ten columns at most

    @cached_property
    def pile_names(self) -> tuple[str, ...]:
        """The names of the piles, in the order of their indexes."""
        return tuple(pile.id for pile in self.piles)

    @cached_property
    def pile_index(self) -> Mapping[str, int]:
        """The index of each pile, by name."""
        return {name: index for index, name in enumerate(self.pile_names)}

    @property
    def layouts(self) -> tuple[Layout, ...]:
        """The layouts that it supports, the usual one first."""
        return tuple(self.dealt_down)

    @property
    def cards(self) -> int:
        """The number of cards in all decks."""
        return self.foundations * SUIT_SIZE

    @property
    def foundations(self) -> int:
        """The number of suits to bring home, each on a foundation of its own."""
        return self.decks * len(SUITS)

    @property
    def columns(self) -> int:
        """The number of piles that cards are dealt to."""
        return len(self.dealt_down[self.layouts[0]])

    @property
    def covered_columns(self) -> int:
        """The number of columns that start with face-down cards."""
        return sum(size > 0 for size in self.dealt_down[self.layouts[0]])

    @property
    def face_down(self) -> int:
        """The number of cards that lie face down on the table at the start."""
        return sum(self.dealt_down[self.layouts[0]])

    @property
    def stock(self) -> int:
        """The number of cards in the stock at the start."""
        return self.cards - self.face_down - self.columns


_SUITS: Mapping[int, Mapping[Language, str]] = {
    1: {"en": "one suit", "de": "eine Farbe"},
    2: {"en": "two suits", "de": "zwei Farben"},
    4: {"en": "four suits", "de": "vier Farben"},
}


def _names(name: str, suits: int) -> Mapping[Language, str]:
    return {language: f"{name}, {words}" for language, words in _SUITS[suits].items()}


def _piles(columns: int, suits: int) -> tuple[PileSpec, ...]:
    """Return columns, with the stock and the removed suits at the two ends of a row above them."""
    return (
        *(PileSpec(f"t{i}", "tableau", x=i, y=1, fan="down") for i in range(columns)),
        PileSpec("stock", "stock", x=0, y=0),
        *(PileSpec(f"f{i}", "foundation", x=columns - suits + i, y=0) for i in range(suits)),
    )


_SPIDER = Variant(
    id="spider-4",
    family="spider",
    names=_names("Spider", 4),
    goal="suits",
    decks=2,
    suits=4,
    dealt_down={"left4": (5, 5, 5, 5, 4, 4, 4, 4, 4, 4), "spread": (5, 4, 4, 5, 4, 4, 5, 4, 4, 5)},
    scores=("woods", "dos", "cards", "moves"),
    options=("auto_remove", "relaxed_deal", "exceptions"),
    piles=_piles(10, 8),
)
_SPIDERETTE = replace(
    _SPIDER,
    id="spiderette-4",
    family="spiderette",
    names=_names("Spiderette", 4),
    decks=1,
    dealt_down={"left4": (0, 1, 2, 3, 4, 5, 6)},
    scores=("woods", "cards", "moves"),
    piles=_piles(7, 4),
)

_LEFT = 1.75  # where Little Spider's rows start: the fan of the stock needs the space before them
_ROW = range(4)
_LITTLE_SPIDER = Variant(
    id="little-spider",
    family="little-spider",
    names={"en": "Little Spider", "de": "Little Spider"},
    goal="cards",
    decks=1,
    suits=4,
    dealt_down={"left4": (0,) * 8},
    scores=("cards",),
    options=(),
    piles=(
        *(PileSpec(f"u{i}", "tableau", x=_LEFT + i, y=0) for i in _ROW),
        *(PileSpec(f"l{i}", "tableau", x=_LEFT + i, y=2) for i in _ROW),
        *(PileSpec(f"f{i}", "foundation", x=_LEFT + i, y=1, direction="up") for i in _ROW[:2]),
        *(PileSpec(f"f{i}", "foundation", x=_LEFT + i, y=1, direction="down") for i in _ROW[2:]),
        PileSpec("stock", "stock", x=0, y=1),
    ),
)

_VARIANTS = (
    _SPIDER,
    replace(_SPIDER, id="spider-2", names=_names("Spider", 2), suits=2),
    replace(_SPIDER, id="spider-1", names=_names("Spider", 1), suits=1),
    _SPIDERETTE,
    replace(_SPIDERETTE, id="spiderette-2", names=_names("Spiderette", 2), suits=2),
    replace(_SPIDERETTE, id="spiderette-1", names=_names("Spiderette", 1), suits=1),
    _LITTLE_SPIDER,
)
GAMES: Mapping[str, Variant] = MappingProxyType({game.id: game for game in _VARIANTS})
"""The games by id, in menu order."""

OPTIONS: Mapping[str, tuple[GameId, ...]] = {
    option: tuple(game.id for game in _VARIANTS if option in game.options)
    for option in _SPIDER.options
}
"""The settings that not every game supports, and their games; in others they keep the default."""
