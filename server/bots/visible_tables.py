"""From a table of the client to what a computer player sees."""

from collections import Counter
from functools import lru_cache

from spider_race_client import Table
from spider_race_client.table import Pile

from protocol.games import GAMES, GameId
from protocol.vocabulary import SUITS
from server.games.cards import ACE, KING, SUIT_RUNS, SUIT_SHIFT, make_card, parse_card
from server.solver.plans import VisibleColumn, VisibleTable


def visible_table(table: Table, *, relaxed: bool, counts_pairs: bool = True) -> VisibleTable:
    """Return what the player of a table sees; the others are rules of the room.

    Cards that lie face up stay so, since computer players take nothing back. So the unseen cards
    are those of the deck that are not on the table.
    """
    variant = GAMES[table.game]
    piles = list(table.piles.values())
    columns = tuple(
        VisibleColumn(pile.face_down, _cards(pile)) for pile in piles[: variant.columns]
    )
    named = list(zip(variant.piles, piles, strict=True))
    homes = [pile for spec, pile in named if spec.role == "foundation"]
    foundations = tuple(map(_cards, homes))
    unseen = _deck(table.game).copy()
    for column in columns:
        unseen.subtract(column.cards)
    for foundation in filter(None, foundations):
        # Of a suit that was removed, the table may show one card only.
        is_suit = variant.goal == "suits"
        unseen.subtract(SUIT_RUNS[foundation[-1] >> SUIT_SHIFT] if is_suit else foundation)
    return VisibleTable(
        game=table.game,
        columns=columns,
        foundations=foundations,
        unseen=tuple(sorted(unseen.elements())),
        stock=table.counts.stock,
        relaxed=relaxed,
        counts_pairs=counts_pairs,
    )


def _cards(pile: Pile) -> bytes:
    return bytes(parse_card(name) for name in pile.cards)


@lru_cache
def _deck(game: GameId) -> Counter[int]:
    """Return the number of each card in the deck of a game."""
    variant = GAMES[game]
    copies = variant.decks * len(SUITS) // variant.suits
    return Counter(
        {
            int(make_card(rank, suit)): copies
            for suit in range(variant.suits)
            for rank in range(ACE, KING + 1)
        }
    )
