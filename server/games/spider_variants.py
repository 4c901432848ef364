from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from protocol.vocabulary import GameId, Layout
from server.games.cards import EMPTY, Card, PileState
from server.games.game import Game
from server.games.options import Rules
from server.games.spider import Spider, SpiderWithExceptions
from server.games.tableau import Shape
from server.games.variant import Variant


@dataclass(frozen=True)
class SpiderVariant(Variant):
    """A variant of Spider with its own number of columns.

    `face_down` lists for each layout the columns to which the face-down cards are dealt, in
    the order of dealing; a face-up row over all columns follows, and the rest is the stock.
    """

    columns: int
    face_down: Mapping[Layout, tuple[int, ...]]

    def deal(self, rules: Rules, deck: Sequence[Card]) -> tuple[PileState, ...]:
        """Return the piles after a deck is dealt; its first card is dealt first."""
        columns: list[list[Card]] = [[] for _ in range(self.columns)]
        order = (*self.face_down[rules.layout], *range(self.columns))
        for column, card in zip(order, deck, strict=False):
            columns[column].append(card)
        stock = tuple(reversed(deck[len(order) :]))
        return (
            *(PileState(len(cards) - 1, tuple(cards)) for cards in columns),
            PileState(len(stock), stock),
            *(EMPTY for _ in range(self.decks * 4)),
        )

    def set_up(self, rules: Rules, piles: Sequence[PileState]) -> Game:
        """Return a game that continues from a position, one state for each pile."""
        order = self.face_down[rules.layout]
        hidden = tuple(order.count(column) for column in range(self.columns))
        game = Spider if rules.exceptions == "off" else SpiderWithExceptions
        shape = Shape(self.columns, self.decks * 4, hidden)
        return game.from_piles(self, shape, rules, piles)


def _spider(game: GameId, suits: int) -> SpiderVariant:
    # RULES, Order of dealing: four rows of ten, then four cards on the layout's columns.
    rows = tuple(range(10)) * 4
    return SpiderVariant(
        id=game,
        family="spider",
        decks=2,
        suits=suits,
        scores=("woods", "dos", "cards", "moves"),
        layouts=("left4", "spread"),
        columns=10,
        face_down={"left4": (*rows, 0, 1, 2, 3), "spread": (*rows, 0, 3, 6, 9)},
    )


def _spiderette(game: GameId, suits: int) -> SpiderVariant:
    # RULES, Order of dealing: a row over columns 2-7, then 3-7, and so on to 7 alone.
    rows = tuple(chain.from_iterable(range(first, 7) for first in range(1, 7)))
    return SpiderVariant(
        id=game,
        family="spiderette",
        decks=1,
        suits=suits,
        scores=("woods", "cards", "moves"),
        layouts=("left4",),
        columns=7,
        face_down={"left4": rows},
    )


SPIDER_VARIANTS: tuple[Variant, ...] = (
    _spider("spider-4", 4),
    _spider("spider-2", 2),
    _spider("spider-1", 1),
    _spiderette("spiderette-4", 4),
    _spiderette("spiderette-2", 2),
    _spiderette("spiderette-1", 1),
)
