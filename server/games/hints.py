"""The next action for a player who asks for a hint.

1. Advice is made of what its player sees: the cards that lie face up, how many lie face down,
   how many are in the stock, and what is legal. Two deals that agree in that get the same.
2. Whoever follows it never goes round in a circle. What no move can undo comes first: a suit
   home, a card turned up, a card off one that it does not follow. Between two of those each
   step mends the order of the cards; or empties a column, where one of those follows at once;
   or, when nothing is left to do but to deal, fills a column.
3. It asks for no exception, takes nothing back, and promises nothing: it looks no further.
"""

from collections.abc import Iterable, Sequence
from enum import Enum, auto
from typing import NamedTuple

from protocol.vocabulary import SUIT_SIZE
from server.games.actions import (
    DEAL,
    EXCEPTION,
    FINISH,
    NOT_A_MOVE,
    Action,
    Kind,
    count,
    kind,
    source,
    target,
)
from server.games.cards import Card, rank_of, suit_of
from server.games.foundations import wanted
from server.games.game import Game


def find_hint(game: Game) -> Action | None:
    """A legal action that brings the game on, or None if no better position is in sight."""
    legal = game.legal_actions()
    by_cards = game.rules.score == "cards"  # which counts no suit that is left on the table
    if FINISH in legal and game.stuck is None and not by_cards:
        return FINISH
    if legal == (FINISH,):  # the game is as long as one may be
        return None
    if game.variant.family == "little-spider":
        return _on_foundations(game, legal)
    return _on_columns(game, legal)


# Spider and its kin.


class Beneath(Enum):
    """What the cards that would be moved lie on."""

    NOTHING = auto()
    DOWN = auto()  # a card that would be turned up
    BREAK = auto()  # a card that they do not follow
    RANK = auto()  # the next higher one of another suit
    SUIT = auto()  # the next higher one of their own


class Onto(Enum):
    """Where they would go."""

    SPACE = auto()
    RANK = auto()
    SUIT = auto()
    KING = auto()  # the rest of their suit, from the king on


WORTH = {
    (Beneath.DOWN, Onto.SUIT): 9,
    (Beneath.BREAK, Onto.SUIT): 8,
    (Beneath.RANK, Onto.SUIT): 7,
    (Beneath.NOTHING, Onto.SUIT): 6,
    (Beneath.DOWN, Onto.RANK): 5,
    (Beneath.NOTHING, Onto.RANK): 4,
    (Beneath.BREAK, Onto.RANK): 3,
    (Beneath.DOWN, Onto.SPACE): 2,
    (Beneath.BREAK, Onto.SPACE): 1,
    **{(beneath, Onto.KING): 10 for beneath in Beneath},
}
"""Which moves are advised, and before which others; what is not here brings nothing on."""


class Column(NamedTuple):
    """A column as its player sees it; `run` is how many cards at its end can be moved."""

    down: int
    up: tuple[Card, ...]
    run: int

    def beneath(self, n: int) -> Beneath:
        """What the last `n` cards lie on."""
        if n == len(self.up):
            return Beneath.DOWN if self.down else Beneath.NOTHING
        head, card = self.up[-n], self.up[-n - 1]
        if rank_of(card) != rank_of(head) + 1:
            return Beneath.BREAK
        return Beneath.SUIT if suit_of(card) == suit_of(head) else Beneath.RANK

    def takes(self, head: Card, n: int) -> Onto:
        """What a run of `n` cards would be here; it may legally go here."""
        if not self.up:
            return Onto.SPACE
        if suit_of(self.up[-1]) != suit_of(head):
            return Onto.RANK
        return Onto.KING if self.run + n == SUIT_SIZE else Onto.SUIT

    def gives_way(self) -> bool:
        """Whether a space would be of use to what lies at the end of this column."""
        return bool(self.up) and self.beneath(self.run) in {Beneath.DOWN, Beneath.BREAK}


def _column(down: int, up: tuple[Card, ...]) -> Column:
    run = 1 if up else 0
    while run and run < len(up) and up[-run - 1] == up[-run] + 1:
        run += 1
    return Column(down, up, run)


def _on_columns(game: Game, legal: Sequence[Action]) -> Action | None:
    for action in legal:
        if kind(action) is Kind.REMOVE:
            return action
    places = [i for i, spec in enumerate(game.variant.piles) if spec.role == "tableau"]
    columns = [_column(down, cards[down:]) for down, cards in map(game.pile, places)]
    cards = sum(column.down + len(column.up) for column in columns)
    # RULES 3: a deal waits until every column is filled, where that can be.
    filled = game.counts.stock > 0 and not game.rules.relaxed_deal and cards >= len(columns)
    moves = [action for action in legal if _is_plain(columns, action)]
    best = max((_rate(columns, move, filled=filled) for move in moves), default=None)
    if best is not None and best.worth:
        return Action(-best.minus_action)
    if DEAL in legal:
        return DEAL
    return _filling(columns, moves) if filled else None


def _is_plain(columns: Sequence[Column], action: Action) -> bool:
    """Whether it is a move, and no exception, asked for or not."""
    asked = action & (NOT_A_MOVE | EXCEPTION)
    return not asked and count(action) <= columns[source(action)].run


class Rated(NamedTuple):
    """A move and what it is worth, in the order in which that is asked; the first one wins."""

    worth: int
    minus_down: int
    joined: int
    rank: int
    minus_action: int


def _rate(columns: Sequence[Column], move: Action, *, filled: bool) -> Rated:
    here, to, n = columns[source(move)], columns[target(move)], count(move)
    head = here.up[-n]
    beneath, onto = here.beneath(n), to.takes(head, n)
    worth = WORTH.get((beneath, onto), 0)
    if beneath is Beneath.NOTHING and onto is not Onto.KING and filled:
        # Else the column would only be filled again, by the same cards perhaps.
        others = (each for each in columns if each is not to or onto is Onto.SUIT)
        worth = worth if any(each.gives_way() for each in others) else 0
    return Rated(worth, -here.down, to.run, rank_of(head), -move)


def _filling(columns: Sequence[Column], moves: Iterable[Action]) -> Action:
    """The move into a space that costs the least order, so that the cards can be dealt."""

    def cost(move: Action) -> tuple[bool, int, int, int]:
        here, n = columns[source(move)], count(move)
        return here.beneath(n) is Beneath.SUIT, here.run, n, move

    into = [
        move
        for move in moves
        if not columns[target(move)].up
        and columns[source(move)].beneath(count(move)) is not Beneath.NOTHING
    ]
    return min(into, key=cost)


# Little Spider.


def _on_foundations(game: Game, legal: Sequence[Action]) -> Action | None:
    specs = game.variant.piles
    moves = [action for action in legal if kind(action) is Kind.MOVE]
    for move in moves:
        if specs[target(move)].role == "foundation":
            return move
    if DEAL in legal:
        return DEAL
    # Nothing lies face down any more. The cards that are wanted next are dug out.
    foundations = [
        bytearray(game.pile(i).cards) for i, spec in enumerate(specs) if spec.role == "foundation"
    ]
    next_cards = {card for cards in wanted(foundations) for card in cards}
    piles = {i: game.pile(i).cards for i, spec in enumerate(specs) if spec.role == "tableau"}
    depths = {
        i: [above for above, card in enumerate(reversed(cards)) if card in next_cards]
        for i, cards in piles.items()
    }
    best, least = None, sorted(depth for each in depths.values() for depth in each)
    for move in moves:
        here, to = source(move), target(move)
        after = sorted(
            depth - (i == here) + (i == to) for i, each in depths.items() for depth in each
        )
        if after < least:
            best, least = move, after
    return best
