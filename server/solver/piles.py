"""One attempt to win a game of Little Spider, for one choice of the colour that builds up.

1. A card is *home* on its foundation. The choice decides whether a suit goes home from the ace up
   or from the king down. The *turn* of a card is its number in this order, from 1 to 13.
2. Two piles with the same cards are the same object.
3. While the stock has cards, a card can only go home or stay. A beam makes the deals one by one,
   and judges a position by the piles that the rest of the stock would turn it into.
4. Once the stock is empty, a beam makes one move at each level and ignores the order of piles.
5. From then on empty piles stay empty. So the card that goes home last of all was at the bottom of
   its pile. A position is lost if no pile has the last card of a suit at the bottom.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from server.games.actions import DEAL, PILE_MASK, SOURCE_SHIFT, TARGET_SHIFT, move
from server.games.cards import ACE, KING, RANK_MASK, SUIT_RUNS, SUIT_SHIFT, is_red
from server.solver.beam import COST_SHIFT, LOWEST_COST, MOVE_MASK, Budget, Levels
from server.solver.columns import START, Reached, draw_key


@dataclass(frozen=True, slots=True)
class PileWeights:
    """The costs of the features of Little Spider's piles."""

    card: int = 131  # each card on a pile
    empty: int = 48  # each empty pile, which stays empty
    blocking: int = 93  # each card above one of its suit with an earlier turn
    covering: int = 22  # each card above any other one with an earlier turn
    deep: int = 2  # for each pair of cards in a pile: the turns from the lower card's to the last
    adjacent: int = 8  # subtracted for a card on an adjacent rank
    ordered: int = 36  # also subtracted if both have one suit, and the upper card goes home first
    next: int = 22  # each card above the next card of a suit to go home
    second: int = 8  # each card above the one after that


PILE_WEIGHTS: Final = PileWeights()

_CARDS: Final = 4 << SUIT_SHIFT  # the length of a list with an entry for each card
_NO_TURN: Final = KING + 1  # later than any turn


class Pile:
    """The cards of a pile, with all that a search needs to know about them."""

    __slots__ = ("above", "cards", "cost", "ends_suit", "grown",
                 "key", "last_card", "rest", "size")  # fmt: skip

    def __init__(self, cards: bytes, cost: int, key: int, *, ends_suit: bool) -> None:
        self.cards = cards  # bottom to top
        self.size = len(cards)
        self.last_card = cards[-1] if cards else 0
        self.ends_suit = ends_suit  # whether the bottom card is the last of its suit to go home
        self.cost = cost
        self.key = key
        self.above = [0] * _CARDS  # by card: how many cards lie above it in this pile
        for index, card in enumerate(cards):
            self.above[card] = self.size - 1 - index
        self.rest: Pile | None = None  # the cache of `Piles.without`
        self.grown: list[Pile | None] = [None] * _CARDS  # the cache of `Piles.with_card`


class Piles:
    """All piles of one search. `red_up`: red suits build up from the ace, black ones down."""

    def __init__(self, weights: PileWeights, *, red_up: bool, noise: int, seed: int) -> None:
        """Vary the cost of each pile by up to `noise`, depending on `seed` and `red_up`."""
        self.weights, self.red_up = weights, red_up
        self.turns = turns(red_up=red_up)
        # By suit: its cards, in the order that they go home.
        self.in_order = [sorted(run, key=lambda card: self.turns[card]) for run in SUIT_RUNS]
        self._noise = noise
        self._salt = ((2 * seed + red_up) & (1 << 64) - 1).to_bytes(8, "big")
        self._known: dict[bytes, Pile] = {}

    def pile(self, cards: bytes) -> Pile:
        """Return the pile with these cards."""
        if (found := self._known.get(cards)) is None:
            key, noise = draw_key(cards, self._salt, self._noise)
            cost = cost_of_pile(cards, self.turns, self.weights) + noise
            ends_suit = bool(cards) and self.turns[cards[0]] == KING
            found = self._known[cards] = Pile(cards, cost, key, ends_suit=ends_suit)
        return found

    def without(self, pile: Pile) -> Pile:
        """Return a pile without its last card."""
        if (rest := pile.rest) is None:
            rest = pile.rest = self.pile(pile.cards[:-1])
        return rest

    def with_card(self, pile: Pile, card: int) -> Pile:
        """Return a pile with one more card at its end."""
        if (grown := pile.grown[card]) is None:
            grown = pile.grown[card] = self.pile(pile.cards + bytes((card,)))
        return grown


def turns(*, red_up: bool) -> list[int]:
    """Return the turn of each card: 1 for those that go home first, 13 for the last ones.

    With `red_up`, red suits build up from the ace and black ones down from the king, otherwise the
    other way round.
    """
    turn_of = [0] * _CARDS
    for suit in range(4):
        for rank in range(ACE, KING + 1):
            card = suit << SUIT_SHIFT | rank
            turn_of[card] = rank if is_red(card) is red_up else KING + 1 - rank
    return turn_of


def choices_of_red_up(foundations: Sequence[bytes]) -> list[bool]:
    """Return whether red suits may build up from the ace, and black ones down from the king.

    The first card home decides; until then both answers are possible.
    """
    for foundation, cards in enumerate(foundations):
        if cards:
            builds_up = foundation < _UP_FOUNDATIONS
            return [is_red(cards[0]) is builds_up]
    return [False, True]


def next_home(foundations: Sequence[bytes]) -> list[int]:
    """Return the cards that can go home next, given the cards on each foundation."""
    home = {cards[0] >> SUIT_SHIFT: len(cards) for cards in foundations if cards}
    return [
        card
        for red_up in choices_of_red_up(foundations)
        for card, turn in enumerate(turns(red_up=red_up))
        if turn == home.get(card >> SUIT_SHIFT, 0) + 1
    ]


def cost_of_pile(cards: bytes, turn_of: list[int], weights: PileWeights) -> int:
    """Return the cost of a pile. Cards of earlier turns go home first, so others block them."""
    size = len(cards)
    if not size:
        return weights.empty
    cost = size * weights.card
    # The earliest turn among the cards below the current one: of all suits, and of each suit.
    earliest, earliest_by_suit = _NO_TURN, [_NO_TURN] * 4
    for index, card in enumerate(cards):
        turn, suit = turn_of[card], card >> SUIT_SHIFT
        if earliest_by_suit[suit] < turn:
            cost += weights.blocking
        elif earliest < turn:
            cost += weights.covering
        # Each card above this one costs more, the earlier this one must go home.
        cost += (size - 1 - index) * (_NO_TURN - turn) * weights.deep
        if index:
            under = cards[index - 1]
            apart = abs((under & RANK_MASK) - (card & RANK_MASK))
            if apart in {1, KING - ACE}:  # ace and king are adjacent too
                cost -= weights.adjacent
                if under >> SUIT_SHIFT == suit and turn_of[under] > turn:
                    cost -= weights.ordered
        earliest, earliest_by_suit[suit] = min(earliest, turn), min(earliest_by_suit[suit], turn)
    return cost


_ROW: Final = 4  # the number of piles in a row; the upper row comes first
PILES: Final = 2 * _ROW
FOUNDATIONS: Final = 4
_UP_FOUNDATIONS: Final = 2  # this many foundations, the first ones, build up from the ace
PATIENCE: Final = 40  # a search ends after this many levels without a lower cost

_HOME: Final = PILES << TARGET_SHIFT  # stands for all foundations; `solve.py` finds the right one


class PilePosition(Reached):
    """A position of the eight piles and the foundations."""

    __slots__ = ("home", "piles", "suits")

    def __init__(
        self,
        piles: list[Pile],
        home: list[int],
        suits: list[int],
        parent: Reached | None,
        action: int,
    ) -> None:
        super().__init__(parent, action, cost=0, key=0)  # the caller sets them if they are needed
        self.piles = piles
        self.home = home  # by suit: how many cards are on its foundation
        self.suits = suits  # by foundation: its suit, or -1

    def size(self) -> int:
        """Return the number of cards on the piles."""
        return sum([pile.size for pile in self.piles])


class PileSearch(Levels[PilePosition]):
    """One attempt to win from a position, for one choice of the colour that builds up."""

    def __init__(self, all_piles: Piles, width: int, budget: Budget) -> None:
        super().__init__(width, budget)
        self._all_piles = all_piles
        self._turns = all_piles.turns
        self._has_dropped = False  # whether `starts` has left out positions that it reached
        self.is_lost = False  # whether it is proved that the position cannot be won

    def starts(
        self, piles: Sequence[bytes], foundations: Sequence[bytes], deals: Sequence[bytes]
    ) -> list[PilePosition]:
        """Return the best positions after all `deals`, best first, without any that are lost."""
        self._has_dropped = False
        home, suits = [0] * 4, [-1] * FOUNDATIONS
        for foundation, cards in enumerate(foundations):
            if cards:
                suits[foundation] = cards[0] >> SUIT_SHIFT
                home[suits[foundation]] = len(cards)
        start = [self._all_piles.pile(cards) for cards in piles]
        positions = [PilePosition(start, home, suits, None, START)]
        for done, cards in enumerate(deals):
            played = self._play_home(positions, deals[done:])
            positions = [self._deal(position, cards) for position in played]
        positions = [position for position in positions if may_be_won(position.piles)]
        self.is_lost = not positions and not self._has_dropped  # a dropped one might be won
        for position in positions:
            position.cost = self._cost(position.piles, position.home)
            position.key = _key(position.piles)
        return positions

    def _deal(self, position: PilePosition, cards: bytes) -> PilePosition:
        piles = position.piles.copy()
        for index, card in enumerate(cards):
            piles[index] = self._all_piles.with_card(piles[index], card)
        return PilePosition(piles, position.home, position.suits, position, DEAL)

    def _play_home(self, starts: list[PilePosition], deals: Sequence[bytes]) -> list[PilePosition]:
        """Return the best positions reached by any number of moves home, before `deals` come."""
        reached = list(starts)
        seen: set[bytes] = {_full_key_with_stock(position) for position in starts}
        max_continued = 8 * self._width + len(starts)  # the rest would take too long
        for at, position in enumerate(reached):  # `reached` grows during the loop
            if at == max_continued:
                break
            for here, pile in enumerate(position.piles):
                card = pile.last_card
                suit = card >> SUIT_SHIFT
                if not card or self._turns[card] != position.home[suit] + 1:
                    continue  # the card is not the next of its suit to go home
                for foundation in self._foundations_for(position, here, card):
                    piles, home = position.piles.copy(), position.home.copy()
                    suits = position.suits.copy()
                    piles[here] = self._all_piles.without(pile)
                    home[suit] += 1
                    suits[foundation] = suit
                    action = move(here, 1, PILES + foundation)
                    after = PilePosition(piles, home, suits, position, action)
                    self._budget.spent += 1
                    key = _full_key_with_stock(after)
                    if key not in seen:
                        seen.add(key)
                        reached.append(after)
        if len(reached) > self._width:
            self._has_dropped = True
        for position in reached:
            position.cost = self._cost_dealt(position, deals)
        reached.sort(key=lambda position: position.cost)
        return reached[: self._width]

    def _foundations_for(self, position: PilePosition, here: int, card: int) -> list[int]:
        """Return the foundations that can take `card`, the last card of pile `here`."""
        suit = card >> SUIT_SHIFT
        builds_up = is_red(card) is self._all_piles.red_up
        foundations = range(_UP_FOUNDATIONS) if builds_up else range(_UP_FOUNDATIONS, FOUNDATIONS)
        wanted = suit if suit in position.suits else -1  # the suit's foundation, or an empty one
        found = [each for each in foundations if position.suits[each] == wanted]
        # RULES, Little Spider 2: a lower pile plays only on the foundation above it.
        return found if here < _ROW else [each for each in found if each == here - _ROW]

    def _cost_dealt(self, position: PilePosition, deals: Sequence[bytes]) -> int:
        """Return the cost that the position will have after all remaining deals."""
        cards = [pile.cards for pile in position.piles]
        for deal in deals:
            for index, card in enumerate(deal):
                cards[index] += bytes((card,))
        return self._cost([self._all_piles.pile(each) for each in cards], position.home)

    def _cost(self, piles: list[Pile], home: list[int]) -> int:
        return sum([pile.cost for pile in piles]) + self._cost_of_next(piles, home)

    def _cost_of_next(self, piles: list[Pile], home: list[int]) -> int:
        """Return the cost of the cards above the next two cards of each suit to go home."""
        above_next = above_second = 0
        for suit in range(4):
            cards, done = self._all_piles.in_order[suit], home[suit]
            if done < KING:
                for pile in piles:
                    above_next += pile.above[cards[done]]
            if done + 1 < KING:
                for pile in piles:
                    above_second += pile.above[cards[done + 1]]
        weights = self._all_piles.weights
        return above_next * weights.next + above_second * weights.second

    def win_from(self, starts: list[PilePosition]) -> list[int] | None:
        """Return actions that win from one of these positions, with an empty stock, or None."""
        won = self._explore(starts, PATIENCE)
        return None if won is None else won.actions()

    def exhaust(self, starts: list[PilePosition], max_positions: int) -> list[int] | None:
        """Return actions that win from one of these positions, with an empty stock, or None.

        This looks at every position that can be reached, up to `max_positions`. If none is won,
        set `is_lost`, unless `starts` had to leave out some positions.
        """
        known = {_full_key(position.piles) for position in starts}
        unvisited = starts.copy()
        while unvisited:
            position = unvisited.pop()
            if not position.size():
                return position.actions()
            if not self._budget.is_left() or len(known) > max_positions:
                return None
            for action in self._list_moves(position):
                self._budget.spent += 1
                after = self._position_after(position, action)  # a child whose cost is unused
                key = _full_key(after.piles)
                if key not in known and may_be_won(after.piles):
                    known.add(key)
                    unvisited.append(after)
        self.is_lost = not self._has_dropped
        return None

    def _list_moves(self, position: PilePosition) -> list[int]:
        """Return all moves, home or between piles, once the stock is empty."""
        moves: list[int] = []
        for here, source in enumerate(position.piles):
            card = source.last_card
            if not card:
                continue
            one_card = here << SOURCE_SHIFT | 1  # a move of one card, without its target
            is_next_home = self._turns[card] == position.home[card >> SUIT_SHIFT] + 1
            if is_next_home:
                moves.append(_HOME | one_card)
            rank = card & RANK_MASK
            for to, target in enumerate(position.piles):
                last = target.last_card
                if last and (last & RANK_MASK) - rank in {1, -1, KING - ACE, ACE - KING}:
                    moves.append(to << TARGET_SHIFT | one_card)
        return moves

    def _append_children(
        self, position: PilePosition, parent_bits: int, children: list[int]
    ) -> None:
        # To avoid copies, make each move on the position's own lists and undo it afterwards.
        all_piles, seen = self._all_piles, self._seen
        piles, home = position.piles, position.home
        piles_cost = sum([pile.cost for pile in piles]) - LOWEST_COST
        moves = self._list_moves(position)
        self._budget.spent += len(moves)
        for action in moves:
            here, to = action >> SOURCE_SHIFT & PILE_MASK, action >> TARGET_SHIFT
            source = piles[here]
            suit = source.last_card >> SUIT_SHIFT
            rest = all_piles.without(source)
            target = source  # replaced below, unless the card goes home
            cost, key = piles_cost + rest.cost - source.cost, position.key + rest.key - source.key
            piles[here] = rest
            if to >= PILES:
                home[suit] += 1
            else:
                target = piles[to]
                grown = piles[to] = all_piles.with_card(target, source.last_card)
                cost += grown.cost - target.cost
                key += grown.key - target.key
            if key not in seen:
                seen.add(key)
                if may_be_won(piles):
                    cost += self._cost_of_next(piles, home)
                    children.append(cost << COST_SHIFT | parent_bits | action)
            if to >= PILES:
                home[suit] -= 1
            else:
                piles[to] = target
            piles[here] = source

    def _position_after(self, position: PilePosition, child: int) -> PilePosition:
        action = child & MOVE_MASK
        here, to = action >> SOURCE_SHIFT & PILE_MASK, action >> TARGET_SHIFT
        piles, home = position.piles.copy(), position.home
        source = piles[here]
        piles[here] = self._all_piles.without(source)
        if to >= PILES:
            home = home.copy()
            home[source.last_card >> SUIT_SHIFT] += 1
        else:
            piles[to] = self._all_piles.with_card(piles[to], source.last_card)
        after = PilePosition(piles, home, position.suits, position, action)
        after.cost = (child >> COST_SHIFT) + LOWEST_COST
        after.key = _key(piles)
        return after


def _key(piles: list[Pile]) -> int:
    """Return a short key that ignores the order of piles. Different positions may share it."""
    return sum([pile.key for pile in piles])


def _full_key(piles: list[Pile]) -> bytes:
    """Return the exact key of a position with an empty stock, where the order is irrelevant."""
    cards = [pile.cards for pile in piles]
    cards.sort()
    return b"\0".join(cards)


def may_be_won(piles: list[Pile]) -> bool:
    """Return False if cards are left, but no pile has the last card of a suit at the bottom.

    Such a position is lost: the last card to go home does so from the bottom of a pile. As empty
    piles take no card, it must be there already.
    """
    has_cards = False
    for pile in piles:
        if pile.ends_suit:
            return True
        if pile.size:
            has_cards = True
    return not has_cards


def _full_key_with_stock(position: PilePosition) -> bytes:
    """Return the exact key of a position with a stock, where the order of piles matters."""
    # The suits always take four bytes, and no card is 0. So no two positions share a key.
    suits = bytes([0x80 + suit for suit in position.suits])
    return suits + b"\0".join([pile.cards for pile in position.piles])
