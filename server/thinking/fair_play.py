"""Fair play: a computer player sees what a person would see, and thinks about as long."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from spider_race_client.table import Pile, Table

from protocol.games import GAMES, GameId
from protocol.vocabulary import SUITS, BotLevel, BotPace
from server.games import actions
from server.games.actions import DEAL, Action, ActionKind
from server.games.cards import ACE, KING, SUIT_RUNS, SUIT_SHIFT, make_card, parse_card
from server.solver.plans import VisibleColumn, VisibleTable

FEW_CHOICES: Final = 2  # choosing among so few moves and deals needs no thought
_CHOICES: Final = (ActionKind.MOVE, ActionKind.DEAL)
_AVERAGES_S: Final[Mapping[BotLevel, tuple[float, float]]] = {
    "beginner": (8.0, 2.9),
    "club": (4.8, 1.75),
    "expert": (3.1, 1.1),
}  # the average seconds before an act that needs thought, and before an obvious one
_FACTORS: Final[Mapping[BotPace, float]] = {"slower": 1.5, "usual": 1.0, "faster": 0.6}


class Pace:
    """The thinking times of a player in one game.

    1. An act is either obvious or needs thought (`is_obvious`), as it would for a person.
    2. As with people, most thoughts are short and a few are long.
    3. With these averages, a game of one suit takes a Beginner six to nine minutes, Club four to
       six, and an Expert two and a half to four. `bench/bots.py` measures them.
    """

    def __init__(self, level: BotLevel, pace: BotPace, name: str) -> None:
        """Prepare a game's times. Games with the same name get the same random numbers."""
        self._random = random.Random(f"pace {name}")  # noqa: S311  # the same in each process
        thought_s, obvious_s = _AVERAGES_S[level]
        self._thought_s, self._obvious_s = thought_s * _FACTORS[pace], obvious_s * _FACTORS[pace]
        self._sees_new_cards = True  # whether the latest act has dealt cards

    def next_s(self, table: VisibleTable, legal: Sequence[Action], action: Action | None) -> float:
        """Return the seconds from the previous act to this `action`, or to stopping (None)."""
        thinks = action is None or self._sees_new_cards or not is_obvious(table, legal, action)
        self._sees_new_cards = action == DEAL
        if thinks:  # 0.6 to 2.2 times the average
            return self._thought_s * (0.6 + 1.6 * self._random.random() * self._random.random())
        return self._obvious_s * (2 + 2 * self._random.random()) / 3  # 2/3 to 4/3 of the average


def is_obvious(table: VisibleTable, legal: Sequence[Action], action: Action) -> bool:
    """Return whether an action needs no thought.

    It extends a run in suit, removes a suit, goes to a foundation, or has hardly any alternative.
    """
    if sum(actions.kind(each) in _CHOICES for each in legal) <= FEW_CHOICES:
        return True
    if actions.kind(action) is not ActionKind.MOVE:
        return action != DEAL  # removing suits and ending the game are obvious
    if actions.target(action) >= len(table.columns):
        return True
    moved = table.columns[actions.source(action)].cards[-actions.count(action)]
    # Within a suit, a card's number is one more than the next lower rank's.
    return table.columns[actions.target(action)].cards[-1:] == bytes((moved + 1,))


def visible_table(table: Table, *, relaxed: bool, counts_pairs: bool = True) -> VisibleTable:
    """Return what a computer player sees of a table.

    `relaxed`: whether cards may be dealt onto empty columns. `counts_pairs`: whether pairs score.
    The unseen cards are those that do not lie face up now, since computer players never undo.
    """
    variant = GAMES[table.game]
    piles = list(table.piles.values())
    columns = tuple(
        VisibleColumn(each.face_down, _cards(each)) for each in piles[: variant.columns]
    )
    foundations = tuple(
        _cards(pile)
        for spec, pile in zip(variant.piles, piles, strict=True)
        if spec.role == "foundation"
    )
    unseen = _deck(table.game).copy()
    for column in columns:
        unseen.subtract(column.cards)
    for foundation in filter(None, foundations):
        # Of a suit that was removed, the table may show only one card.
        is_suit = variant.goal == "suits"
        unseen.subtract(SUIT_RUNS[foundation[-1] >> SUIT_SHIFT] if is_suit else foundation)
    hidden, stock = tuple(sorted(unseen.elements())), table.counts.stock
    return VisibleTable(table.game, columns, foundations, hidden, stock, relaxed, counts_pairs)


def _cards(pile: Pile) -> bytes:
    return bytes(map(parse_card, pile.cards))


@lru_cache
def _deck(game: GameId) -> Counter[int]:
    """Return how often each card is in the deck of a game."""
    variant = GAMES[game]
    copies = variant.decks * len(SUITS) // variant.suits
    ranks = range(ACE, KING + 1)
    return Counter(
        {int(make_card(rank, suit)): copies for suit in range(variant.suits) for rank in ranks}
    )
