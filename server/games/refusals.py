"""Reasons why an action of Spider is not legal; they are computed only after the refusal.

The checks follow the order of a move on the table: the piles, the cards, then the target.
"""

from collections.abc import Sized
from itertools import pairwise

from protocol.vocabulary import ErrorCode, Exceptions
from server.games.actions import Action, count, is_exception, source, target
from server.games.cards import rank_of, suit_of
from server.games.errors import IllegalAction
from server.games.tableau import Tableau


def explain_move(tableau: Tableau, exceptions: Exceptions, action: Action) -> IllegalAction:
    """Return the reason why a move between columns is not legal; the move must be illegal."""
    here, to = source(action), target(action)
    refusal = _of_piles(tableau, here, to) or _of_count(tableau, here, count(action))
    if refusal:
        return refusal
    cards = tableau.cards[here][-count(action) :]
    if refusal := _of_run(cards, exceptions, (here, to), requested=is_exception(action)):
        return refusal
    # Every other check has passed, so the target has a card, and it has the wrong rank.
    onto = tableau.cards[to][-1]
    return IllegalAction(ErrorCode.WRONG_RANK, (cards[0], onto), (here, to))


def refuse_deal(tableau: Tableau, stock: Sized, *, relaxed: bool) -> ErrorCode | None:
    """Return the reason why the stock cannot be dealt, or None if it can."""
    if not stock:
        return ErrorCode.DEAL_STOCK_EMPTY
    # RULES 3: `relaxed_deal` lifts both conditions below.
    if relaxed or not tableau.spaces():
        return None
    # RULES 3: filling columns cannot help if there are too few cards, so this reason comes first.
    if sum(map(len, tableau.cards)) < len(tableau.cards):
        return ErrorCode.DEAL_TOO_FEW_CARDS
    return ErrorCode.DEAL_EMPTY_COLUMN


def _of_piles(tableau: Tableau, here: int, to: int) -> IllegalAction | None:
    """Return why there is no move between these piles, if there is a reason."""
    for pile in (here, to):
        if pile >= len(tableau.cards):
            return IllegalAction(ErrorCode.NO_SUCH_PILE, piles=(pile,))
    if here == to:
        return IllegalAction(ErrorCode.SAME_PILE, piles=(here,))
    return None


def _of_count(tableau: Tableau, here: int, n: int) -> IllegalAction | None:
    """Return why that many cards cannot be taken, if there is a reason."""
    size = len(tableau.cards[here])
    if not size:
        return IllegalAction(ErrorCode.PILE_EMPTY, piles=(here,))
    if not 0 < n <= size:
        return IllegalAction(ErrorCode.NOT_ENOUGH_CARDS, piles=(here,))
    if n > size - tableau.down[here]:
        return IllegalAction(ErrorCode.FACE_DOWN, piles=(here,))
    return None


def _of_run(
    cards: bytearray, exceptions: Exceptions, piles: tuple[int, int], *, requested: bool
) -> IllegalAction | None:
    """Return why these cards cannot be moved together, if there is a reason."""
    if requested and exceptions == "off":
        return IllegalAction(ErrorCode.EXCEPTIONS_ARE_OFF, piles=piles)
    mixed: tuple[int, ...] = ()
    for upper, lower in pairwise(cards):
        if rank_of(upper) != rank_of(lower) + 1:
            return IllegalAction(ErrorCode.NOT_A_RUN, (upper, lower), piles)
        if not mixed and suit_of(upper) != suit_of(lower):
            mixed = (upper, lower)
    if requested and not mixed:
        return IllegalAction(ErrorCode.EXCEPTION_NOT_NEEDED, piles=piles)
    if mixed and not requested and exceptions == "hard":
        return IllegalAction(ErrorCode.EXCEPTION_NOT_ASKED, mixed, piles)
    if mixed and exceptions == "off":
        return IllegalAction(ErrorCode.MIXED_SUITS, mixed, piles)
    return None
