"""One attempt to win a game of Little Spider, for one choice of the colour that builds up.

1. This choice fixes the order of going home for each suit. The *turn* of a card is its number in
   that order, 1 to 13. Two piles with the same cards are the same object.
2. While the stock has cards, a card can only go home or stay. A beam makes the deals one by one,
   and judges a position by the piles that the rest of the stock would turn it into.
3. Once the stock is empty, a beam makes one move at each level and ignores the order of piles.
4. From then on empty piles stay empty. So the card that goes home last of all was at the bottom of
   its pile. A position is lost if no pile has the last card of a suit at the bottom.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from server.games.actions import DEAL, PILE_MASK, SOURCE_SHIFT, TARGET_SHIFT, move
from server.games.cards import ACE, KING, RANK_MASK, SUIT_SHIFT, is_red
from server.solver.beam import COST_SHIFT, LOWEST_COST, MOVE_MASK, Budget, Levels
from server.solver.columns import START, Reached, draw_key


@dataclass(frozen=True, slots=True)
class PileWeights:
    """The costs of the features of Little Spider's piles."""

    card: int = 131  # each card on a pile
    empty: int = 48  # each empty pile, which stays empty
    blocking: int = 93  # a card above one of its suit that goes home earlier
    covering: int = 22  # a card above any other one with an earlier turn
    deep: int = 2  # for each pair of cards in a pile: the turns left from the lower card on
    adjacent: int = 8  # saved by a card on an adjacent rank
    ordered: int = 36  # also saved if both have the same suit and go home in this order
    next: int = 22  # a card above one that goes home next
    second: int = 8  # a card above one that goes home after that


PILE_WEIGHTS: Final = PileWeights()

_CODES: Final = 4 << SUIT_SHIFT  # above the code of any card
_NO_TURN: Final = KING + 1  # later than any turn


class Pile:
    """The cards of a pile, with all that a search needs to know about them."""

    __slots__ = ("above", "can_be_last", "cards", "cost", "grown", "key", "last", "rest", "size")

    def __init__(self, cards: bytes, cost: int, key: int, *, can_be_last: bool) -> None:
        self.cards = cards  # bottom to top
        self.size = len(cards)
        self.last = cards[-1] if cards else 0
        self.can_be_last = can_be_last  # whether the bottom card is its suit's last to go home
        self.cost = cost
        self.key = key
        self.above = [0] * _CODES  # by card: how many cards lie above it
        for index, card in enumerate(cards):
            self.above[card] = self.size - 1 - index
        self.rest: Pile | None = None  # the cache of `Piles.without`
        self.grown: list[Pile | None] = [None] * _CODES  # the cache of `Piles.with_card`


class Piles:
    """All piles of one search, for one choice of the colour that builds up."""

    def __init__(self, weights: PileWeights, *, red_up: bool, noise: int, seed: int) -> None:
        """Vary the cost of each pile by up to `noise`, depending on `seed` and `red_up`."""
        self.weights = weights
        self.turns = turns(red_up=red_up)
        self._noise = noise
        self._salt = (2 * seed + red_up & (1 << 64) - 1).to_bytes(8, "big")
        self._known: dict[bytes, Pile] = {}

    def pile(self, cards: bytes) -> Pile:
        """Return the pile with these cards."""
        if (found := self._known.get(cards)) is None:
            key, noise = draw_key(cards, self._salt, self._noise)
            cost = cost_of_pile(cards, self.turns, self.weights) + noise
            can_be_last = bool(cards) and self.turns[cards[0]] == KING
            found = self._known[cards] = Pile(cards, cost, key, can_be_last=can_be_last)
        return found

    def without(self, pile: Pile) -> Pile:
        """Return a pile without its last card."""
        if (rest := pile.rest) is None:
            rest = pile.rest = self.pile(pile.cards[:-1])
        return rest

    def with_card(self, pile: Pile, card: int) -> Pile:
        """Return a pile with a card on it."""
        if (grown := pile.grown[card]) is None:
            grown = pile.grown[card] = self.pile(pile.cards + bytes((card,)))
        return grown


def turns(*, red_up: bool) -> list[int]:
    """Return, by card, its place in its suit's order of going home (1 to 13)."""
    order = [0] * _CODES
    for suit in range(4):
        for rank in range(ACE, KING + 1):
            card = suit << SUIT_SHIFT | rank
            order[card] = rank if is_red(card) is red_up else KING + 1 - rank
    return order


def directions_of(foundations: Sequence[bytes]) -> list[bool]:
    """Return whether red may build up from the ace: one answer, or both while nothing is home."""
    for slot, cards in enumerate(foundations):
        if cards:
            return [is_red(cards[0]) is (slot < _UP_SLOTS)]
    return [False, True]


def next_home(foundations: Sequence[bytes]) -> list[int]:
    """Return the cards that go home next, given the cards on each foundation."""
    home = {cards[0] >> SUIT_SHIFT: len(cards) for cards in foundations if cards}
    return [
        card
        for red_up in directions_of(foundations)
        for card, turn in enumerate(turns(red_up=red_up))
        if turn == home.get(card >> SUIT_SHIFT, 0) + 1
    ]


def cost_of_pile(cards: bytes, order: list[int], weights: PileWeights) -> int:
    """Return the cost of a pile; `order`: the turn of each card (see `turns`)."""
    size = len(cards)
    if not size:
        return weights.empty
    cost = size * weights.card
    # The earliest turn among the cards beneath: of any suit, and of each suit.
    earliest, earliest_of = _NO_TURN, [_NO_TURN] * 4
    for index, card in enumerate(cards):
        turn, suit = order[card], card >> SUIT_SHIFT
        if earliest_of[suit] < turn:
            cost += weights.blocking
        elif earliest < turn:
            cost += weights.covering
        cost += (size - 1 - index) * (_NO_TURN - turn) * weights.deep
        if index:
            under = cards[index - 1]
            apart = abs((under & RANK_MASK) - (card & RANK_MASK))
            if apart in {1, KING - ACE}:
                cost -= weights.adjacent
                if under >> SUIT_SHIFT == suit and order[under] > turn:
                    cost -= weights.ordered
        earliest, earliest_of[suit] = min(earliest, turn), min(earliest_of[suit], turn)
    return cost


_ROW: Final = 4  # the number of piles in a row; the upper row comes first
PILES: Final = 2 * _ROW
SLOTS: Final = 4  # the number of foundations
_UP_SLOTS: Final = 2  # of these, the first ones build up from the ace
PATIENCE: Final = 40  # a search ends after this many levels without gain

_HOME: Final = PILES << TARGET_SHIFT  # stands for all foundations; `solve.py` finds the right one


class PilePosition(Reached):
    """A position of eight piles and the cards that are home."""

    __slots__ = ("home", "piles", "slots")

    def __init__(
        self,
        piles: list[Pile],
        home: list[int],
        slots: list[int],
        parent: Reached | None,
        action: int,
    ) -> None:
        super().__init__(parent, action, cost=0, key=0)  # both are set later, where they matter
        self.piles = piles
        self.home = home  # by suit: how many cards are on its foundation
        self.slots = slots  # by foundation: its suit, or -1

    def size(self) -> int:
        """Return the number of cards on the piles."""
        return sum([pile.size for pile in self.piles])


class PileSearch(Levels[PilePosition]):
    """One attempt to win from a position, for one choice of the colour that builds up."""

    def __init__(self, all_piles: Piles, width: int, budget: Budget, *, red_up: bool) -> None:
        super().__init__(width, budget)
        self._all_piles = all_piles
        self._turns = all_piles.turns
        self._red_up = red_up
        self._has_dropped = False  # whether `starts` has dropped positions
        self.is_lost = False  # whether it is proved that the position cannot be won

    def starts(
        self, piles: Sequence[bytes], foundations: Sequence[bytes], deals: Sequence[bytes]
    ) -> list[PilePosition]:
        """Return the best positions that may be won once all `deals` are made, the best first."""
        self._has_dropped = False
        home, slots = [0] * 4, [-1] * SLOTS
        for slot, cards in enumerate(foundations):
            if cards:
                slots[slot] = cards[0] >> SUIT_SHIFT
                home[slots[slot]] = len(cards)
        start = [self._all_piles.pile(cards) for cards in piles]
        positions = [PilePosition(start, home, slots, None, START)]
        for done, cards in enumerate(deals):
            played = self._play_all(positions, deals[done:])
            positions = [self._deal(position, cards) for position in played]
        positions = [position for position in positions if can_be_won(position.piles)]
        self.is_lost = not positions and not self._has_dropped
        for position in positions:
            position.cost = self._cost(position.piles, position.home)
            position.key = _key(position.piles)
        return positions

    def _deal(self, position: PilePosition, cards: bytes) -> PilePosition:
        piles = position.piles.copy()
        for index, card in enumerate(cards):
            piles[index] = self._all_piles.with_card(piles[index], card)
        return PilePosition(piles, position.home, position.slots, position, DEAL)

    def _play_all(self, starts: list[PilePosition], deals: Sequence[bytes]) -> list[PilePosition]:
        """Return the best positions that plays on foundations lead to, before these `deals`."""
        reached = list(starts)
        seen: set[bytes] = {_full_key_with_stock(position) for position in starts}
        most = 8 * self._width + len(starts)  # positions that are played on from
        for at, position in enumerate(reached):  # `reached` grows meanwhile
            if at == most:
                break
            for here, pile in enumerate(position.piles):
                card = pile.last
                if not card or self._turns[card] != position.home[card >> SUIT_SHIFT] + 1:
                    continue
                for slot in self._foundations_for(position, here, card):
                    piles, home = position.piles.copy(), position.home.copy()
                    slots = position.slots.copy()
                    piles[here] = self._all_piles.without(pile)
                    home[card >> SUIT_SHIFT] += 1
                    slots[slot] = card >> SUIT_SHIFT
                    after = PilePosition(piles, home, slots, position, move(here, 1, PILES + slot))
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
        """Return the foundations that can take the last card of pile `here` now."""
        suit = card >> SUIT_SHIFT
        up = is_red(card) is self._red_up
        slots = range(_UP_SLOTS) if up else range(_UP_SLOTS, SLOTS)
        wanted = suit if suit in position.slots else -1  # the suit's foundation, or an empty one
        found = [slot for slot in slots if position.slots[slot] == wanted]
        # RULES, Little Spider 2: a lower pile plays only on the foundation above it.
        return found if here < _ROW else [slot for slot in found if slot == here - _ROW]

    def _cost_dealt(self, position: PilePosition, deals: Sequence[bytes]) -> int:
        """Return the cost of the position after all remaining deals."""
        cards = [pile.cards for pile in position.piles]
        for deal in deals:
            for index, card in enumerate(deal):
                cards[index] += bytes((card,))
        return self._cost([self._all_piles.pile(each) for each in cards], position.home)

    def _cost(self, piles: list[Pile], home: list[int]) -> int:
        return sum([pile.cost for pile in piles]) + self._cost_of_next(piles, home)

    def _cost_of_next(self, piles: list[Pile], home: list[int]) -> int:
        """Return the cost of the cards that lie above the next two to go home of each suit."""
        above = second = 0
        for suit in range(4):
            done = home[suit]
            if done == KING:
                continue
            base = suit << SUIT_SHIFT
            up = self._turns[base | ACE] == ACE  # whether this suit builds up from the ace
            card = base | (done + 1 if up else KING - done)
            for pile in piles:
                above += pile.above[card]
            if done + 1 < KING:
                card = card + 1 if up else card - 1
                for pile in piles:
                    second += pile.above[card]
        weights = self._all_piles.weights
        return above * weights.next + second * weights.second

    def win_from(self, starts: list[PilePosition]) -> list[int] | None:
        """Return actions that win from one of these positions without a stock, or None."""
        won = self._explore(starts, PATIENCE)
        return None if won is None else won.actions()

    def exhaust(self, starts: list[PilePosition], most_positions: int) -> list[int] | None:
        """Return actions that win from one of these positions without a stock, or None.

        Look at every position that can be reached, up to `most_positions`. If none wins, set
        `is_lost`, unless the method `starts` has dropped some.
        """
        known = {_full_key(position.piles) for position in starts}
        unvisited = starts.copy()
        while unvisited:
            position = unvisited.pop()
            if not position.size():
                return position.actions()
            if not self._budget.is_left() or len(known) > most_positions:
                return None
            for move_ in self._list_moves(position):
                self._budget.spent += 1
                after = self._position_after(position, move_)
                key = _full_key(after.piles)
                if key not in known and can_be_won(after.piles):
                    known.add(key)
                    unvisited.append(after)
        self.is_lost = not self._has_dropped
        return None

    def _list_moves(self, position: PilePosition) -> list[int]:
        """Return the moves home and between piles once the stock is empty."""
        moves: list[int] = []
        for here, source in enumerate(position.piles):
            card = source.last
            if not card:
                continue
            of_card = here << SOURCE_SHIFT | 1  # one card of this pile
            if self._turns[card] == position.home[card >> SUIT_SHIFT] + 1:
                moves.append(_HOME | of_card)
            rank = card & RANK_MASK
            for to, target in enumerate(position.piles):
                last = target.last
                if last and (last & RANK_MASK) - rank in {1, -1, KING - ACE, ACE - KING}:
                    moves.append(to << TARGET_SHIFT | of_card)
        return moves

    def _append_children(
        self, position: PilePosition, parent_bits: int, children: list[int]
    ) -> None:
        # To save copies, each move changes the position's own lists and then changes them back.
        all_piles, seen = self._all_piles, self._seen
        piles, home = position.piles, position.home
        piles_cost = sum([pile.cost for pile in piles]) - LOWEST_COST
        moves = self._list_moves(position)
        self._budget.spent += len(moves)
        for action in moves:
            here, to = action >> SOURCE_SHIFT & PILE_MASK, action >> TARGET_SHIFT
            source = piles[here]
            suit = source.last >> SUIT_SHIFT
            rest = target = all_piles.without(source)
            cost, key = piles_cost + rest.cost - source.cost, position.key + rest.key - source.key
            piles[here] = rest
            if to >= PILES:
                home[suit] += 1
            else:
                target = piles[to]
                grown = piles[to] = all_piles.with_card(target, source.last)
                cost += grown.cost - target.cost
                key += grown.key - target.key
            if key not in seen:
                seen.add(key)
                if can_be_won(piles):
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
            home[source.last >> SUIT_SHIFT] += 1
        else:
            piles[to] = self._all_piles.with_card(piles[to], source.last)
        after = PilePosition(piles, home, position.slots, position, action)
        after.cost = (child >> COST_SHIFT) + LOWEST_COST
        after.key = _key(piles)
        return after


def _key(piles: list[Pile]) -> int:
    """Return a key that ignores the order of piles. Two positions may share one."""
    return sum([pile.key for pile in piles])


def _full_key(piles: list[Pile]) -> bytes:
    """Return a key that no other position without a stock has, in any order of piles."""
    cards = [pile.cards for pile in piles]
    cards.sort()
    return b"\0".join(cards)


def can_be_won(piles: list[Pile]) -> bool:
    """Return whether a pile has the last card of a suit at the bottom, or all are empty."""
    has_cards = False
    for pile in piles:
        if pile.can_be_last:
            return True
        if pile.size:
            has_cards = True
    return not has_cards


def _full_key_with_stock(position: PilePosition) -> bytes:
    """Return the key of a position with a stock, where the order of piles matters."""
    # Cards are between 0 and 0x7F, so no two positions share a key.
    slots = bytes([0x80 + slot for slot in position.slots])
    return slots + b"\0".join([pile.cards for pile in position.piles])
