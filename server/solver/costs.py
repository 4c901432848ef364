"""The cost of a column: the sum of its features, each with its weight."""

from server.games.cards import KING, RANK_MASK
from server.solver.weights import Weights


def cost_of(cards: bytes, down: int, weights: Weights) -> int:
    """Return the cost of a column whose first `down` cards lie face down."""
    size = len(cards)
    if not size:
        return -weights.space
    cost = size * weights.card + (KING - (cards[-1] & RANK_MASK)) * weights.end
    if down:
        cost += weights.closed + weights.over_closed
        cost += down * weights.down + down * (down - 1) // 2 * weights.deep
    elif cards[0] & RANK_MASK == KING:
        cost -= weights.king
    run = 1
    for place in range(down + 1, size):
        under, card = cards[place - 1], cards[place]
        if under == card + 1:
            cost -= weights.joined + run * weights.longer
            run += 1
            continue
        run = 1
        if down:
            cost += weights.over_closed
        if (under - card) & RANK_MASK == 1:
            cost += weights.mixed
        else:
            cost += weights.broken + (size - place) * weights.above
            if card & RANK_MASK > under & RANK_MASK:
                cost += weights.inverted
    return cost
