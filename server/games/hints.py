"""Hints: a suggested next action, and the reason for it.

1. A hint depends only on what the player sees: the face-up cards, how many cards lie face down and
   in the stock, and the legal actions. Deals that look the same give the same hint.
2. A player who follows hints never repeats a position. Progress that no move can reverse comes
   first: removing a suit, turning a card up, taking a card off one that it does not follow.
   Between two such steps each hint improves the order of the cards, or empties a column if such a
   step comes next, or fills a column if only a deal is left.
3. A hint is never an exception, an undo or a redo. It looks one move ahead and guarantees no win.
"""

from collections.abc import Iterable, Sequence
from enum import Enum, auto
from typing import NamedTuple

from protocol.vocabulary import SUIT_SIZE, HintReason
from server.games.actions import DEAL, FINISH, Action, ActionKind, count, kind, source, target
from server.games.cards import Card, PileState, rank_of, suit_of
from server.games.game import Game
from server.games.little_spider import accepted_cards


def find_hint(game: Game) -> Action | None:
    """Return a legal action that improves the position, or None if none is found."""
    legal = game.legal_actions()
    # FINISH wins unless the game is stuck. RULES, `cards`: suits left on the table earn nothing.
    if FINISH in legal and game.stuck is None and game.rules.score != "cards":
        return FINISH
    find = _find_on_columns if game.variant.goal == "suits" else _find_on_foundations
    # A game that is stuck or too long can only be finished, which improves nothing.
    return None if legal == (FINISH,) else find(game, legal)


class Beneath(Enum):
    """What lies beneath the cards to be moved."""

    NOTHING = auto()
    DOWN = auto()  # a face-down card, which would turn up
    BREAK = auto()  # a card that they do not follow in rank
    RANK = auto()  # the next higher card of another suit
    SUIT = auto()  # the next higher card of their own suit


class Onto(Enum):
    """What the cards would be moved onto."""

    SPACE = auto()
    RANK = auto()  # the next higher card of another suit
    SUIT = auto()  # the next higher card of their own suit
    REST_OF_SUIT = auto()  # from the king on, which makes the suit complete


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
    **{(beneath, Onto.REST_OF_SUIT): 10 for beneath in Beneath},
}  # how good a move is; moves that are not listed improve nothing


class SeenColumn(NamedTuple):
    """A column as its player sees it; the last `run` cards can move."""

    down: int
    up: tuple[Card, ...]
    run: int

    def beneath(self, n: int) -> Beneath:
        """Return what lies beneath the last `n` cards."""
        if n == len(self.up):
            return Beneath.DOWN if self.down else Beneath.NOTHING
        head, card = self.up[-n], self.up[-n - 1]
        if rank_of(card) != rank_of(head) + 1:
            return Beneath.BREAK
        return Beneath.SUIT if card == head + 1 else Beneath.RANK

    def as_target(self, head: Card, n: int) -> Onto:
        """Return what `n` cards, `head` the highest, would lie on here after a legal move."""
        if not self.up:
            return Onto.SPACE
        if suit_of(self.up[-1]) != suit_of(head):
            return Onto.RANK
        return Onto.REST_OF_SUIT if self.run + n == SUIT_SIZE else Onto.SUIT

    def needs_space(self) -> bool:
        """Return whether moving the last run into a space would be progress."""
        return bool(self.up) and self.beneath(self.run) in {Beneath.DOWN, Beneath.BREAK}


def column_of(pile: PileState) -> SeenColumn:
    """Return a column of Spider or Spiderette as its player sees it."""
    down, up = pile.down, pile.cards[pile.down :]
    run = 1 if up else 0
    while run and run < len(up) and up[-run - 1] == up[-run] + 1:
        run += 1
    return SeenColumn(down, up, run)


def _find_on_columns(game: Game, legal: Sequence[Action]) -> Action | None:
    """Return Spider's hint: a removal, else the best move, else a deal, else a move to a space."""
    for action in legal:
        if kind(action) is ActionKind.REMOVE:
            return action
    columns = [column_of(game.pile(index)) for index in range(game.variant.columns)]
    cards = sum(column.down + len(column.up) for column in columns)
    # RULES 3: a deal needs every column filled, if there are enough cards for that.
    must_fill = game.counts.stock > 0 and not game.rules.relaxed_deal and cards >= len(columns)
    moves = [action for action in legal if kind(action) is ActionKind.MOVE]
    # Leave out exceptions, which move more than the one-suit run at the end of the column.
    moves = [move for move in moves if count(move) <= columns[source(move)].run]
    best = max((_rate(columns, move, must_fill=must_fill) for move in moves), default=(0,))
    if best[0]:  # the move is worth making; it is at the end of its key, negated
        return Action(-best[-1])
    if DEAL in legal:
        return DEAL
    return _find_filling(columns, moves) if must_fill else None


def _rate(columns: Sequence[SeenColumn], move: Action, *, must_fill: bool) -> tuple[int, ...]:
    """Return a sort key, highest for the best move; it starts with 0 if the move is useless."""
    column, target_column, n = columns[source(move)], columns[target(move)], count(move)
    head = column.up[-n]
    beneath, onto = column.beneath(n), target_column.as_target(head, n)
    worth = WORTH.get((beneath, onto), 0)
    empties_column = beneath is Beneath.NOTHING
    if must_fill and empties_column and onto is not Onto.REST_OF_SUIT:
        # If no column needs the space, it would just have to be filled again before the next deal.
        # The target's own cards need the space only together with the moved ones, as one run.
        needy = (each for each in columns if each is not target_column or onto is Onto.SUIT)
        worth = worth if any(each.needs_space() for each in needy) else 0
    # The move is at the end, negated, so that the first of equally good moves has the highest key.
    return worth, -column.down, target_column.run, rank_of(head), -move


def _find_filling(columns: Sequence[SeenColumn], moves: Iterable[Action]) -> Action:
    """Return the least harmful of the moves that fill an empty column, to allow a deal."""
    filling = []  # best first: no suit is broken, the run is short, few cards move
    for move in moves:
        column, n = columns[source(move)], count(move)
        beneath = column.beneath(n)
        if beneath is not Beneath.NOTHING and not columns[target(move)].up:
            filling.append((beneath is Beneath.SUIT, column.run, n, move))
    return min(filling)[-1]


def _find_on_foundations(game: Game, legal: Sequence[Action]) -> Action | None:
    """Return Little Spider's hint: a card to a foundation, else a deal, else the best move."""
    specs = game.variant.piles
    moves = [action for action in legal if kind(action) is ActionKind.MOVE]
    for move in moves:
        if specs[target(move)].role == "foundation":
            return move
    if DEAL in legal:
        return DEAL
    # The stock is empty, so the player sees all cards: uncover what the foundations accept next.
    foundations = [game.pile(i).cards for i, spec in enumerate(specs) if spec.role == "foundation"]
    next_cards = {card for cards in accepted_cards(foundations) for card in cards}
    found = [  # for each of `next_cards`: its pile, and how many cards lie on it
        (pile, depth)
        for pile in range(game.variant.columns)
        for depth, card in enumerate(reversed(game.pile(pile).cards))
        if card in next_cards
    ]
    best, shallowest = None, sorted(depth for _, depth in found)
    for move in moves:
        here, to = source(move), target(move)  # one card leaves `here` for `to`
        after = sorted(depth - (pile == here) + (pile == to) for pile, depth in found)
        if after < shallowest:
            best, shallowest = move, after
    return best


_REASONS = {
    ActionKind.DEAL: HintReason.DEALS,
    ActionKind.REMOVE: HintReason.REMOVES_SUIT,
    ActionKind.FINISH: HintReason.WINS,
}


def reason_of(game: Game, action: Action) -> HintReason:
    """Return why the action is a good hint in this position: the best reason of several."""
    if kind(action) is not ActionKind.MOVE:
        return _REASONS[kind(action)]
    if game.variant.piles[target(action)].role == "foundation":
        return HintReason.PLAYS_TO_FOUNDATION
    if game.variant.goal == "cards":
        return HintReason.UNCOVERS_NEXT
    column = column_of(game.pile(source(action)))
    target_column = column_of(game.pile(target(action)))
    return _reason_of_move(column, target_column, count(action))


def _reason_of_move(column: SeenColumn, target_column: SeenColumn, n: int) -> HintReason:
    """Return why moving the last `n` cards of a column onto another one is good."""
    beneath, onto = column.beneath(n), target_column.as_target(column.up[-n], n)
    if onto is Onto.REST_OF_SUIT:
        return HintReason.COMPLETES_SUIT
    if beneath is Beneath.DOWN:
        return HintReason.TURNS_CARD
    if beneath is Beneath.NOTHING and onto is not Onto.SPACE:
        return HintReason.EMPTIES_COLUMN
    if onto is Onto.SUIT:
        return HintReason.JOINS_SUIT
    return HintReason.FREES_CARD if beneath is Beneath.BREAK else HintReason.FILLS_COLUMN
