"""Little Spider: eight piles around four foundations, two built up and two built down.

The piles are, by index: the upper row, the lower row, the foundations, the stock. Which colour
builds up follows from the foundations and is not stored (RULES, Little Spider 1).

Source: RULES, text 5, "Little Spider".
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, Self, cast

from protocol.vocabulary import SUIT_SIZE, ErrorCode
from server.games import actions
from server.games.actions import Action
from server.games.cards import ACE, KING, RANK_MASK, SUIT_RUNS, Card, PileState, is_red, suit_of
from server.games.errors import IllegalAction, NotationError, first_refusal
from server.games.game import Game
from server.games.rules import Rules

_ROW: Final = 4  # piles in each row, and foundations
_PILES: Final = 2 * _ROW
_STOCK: Final = 3 * _ROW  # the stock's index
_FIRST_SLOT: Final = _PILES  # the first foundation's index
_UP_SLOTS: Final = 2  # the foundations that are built up come first


class LittleSpider(Game):
    """A game of Little Spider."""

    __slots__ = ("_piles", "_stock")

    def __init__(self, rules: Rules, piles: list[bytearray], stock: bytearray) -> None:
        super().__init__(rules)
        self._piles = piles  # the upper row, the lower row, then the foundations
        self._stock = stock  # the last card is dealt next

    @classmethod
    def from_piles(cls, rules: Rules, piles: Sequence[PileState]) -> Self:
        """Return a game that continues from the state of each pile, or raise NotationError."""
        if any(pile.down for pile in piles[:_STOCK]):
            raise NotationError("every card of Little Spider lies face up")
        cards = [bytearray(pile.cards) for pile in piles[:_STOCK]]
        for slot, foundation in enumerate(cards[_FIRST_SLOT:]):
            for last, card in pairwise((0, *foundation)):  # 0: no card lies there yet
                if card not in (_NEXT_CARDS[slot][last] if last else _ANY_FIRST_CARDS[slot]):
                    wrong = f"foundation {slot + 1} is not built from its first card on"
                    raise NotationError(wrong)
        game = cls(rules, cards, bytearray(piles[_STOCK].cards))
        game._start()
        return game

    def _copy_position(self) -> Self:
        return type(self)(self.rules, [pile[:] for pile in self._piles], self._stock[:])

    def pile(self, index: int) -> PileState:
        """Return the cards of a pile; only the stock lies face down."""
        if index == _STOCK:
            return PileState(len(self._stock), cast("tuple[Card, ...]", tuple(self._stock)))
        return PileState(0, cast("tuple[Card, ...]", tuple(self._piles[index])))

    def key(self) -> bytes:
        """Return the position as bytes, without the log; only equal positions have equal keys."""
        return b"\0".join((self._stock, *self._piles))

    def _generate_moves(self) -> list[Action]:
        tops = bytes([pile[-1] if pile else 0 for pile in self._piles[:_PILES]])
        moves: list[int] = []
        for slot, cards in enumerate(accepted_cards(self._piles[_FIRST_SLOT:])):
            for card in cards:
                if card in tops:
                    to = _FIRST_SLOT + slot
                    sources = self._piles_for(slot)
                    moves += [actions.move(here, 1, to) for here in sources if tops[here] == card]
        if self._stock:
            moves.append(actions.DEAL)
        else:  # only now may cards move between piles
            _add_moves_between_piles(moves, tops)
        return cast("list[Action]", moves)

    def _is_plainly_legal(self, action: Action) -> bool:
        # Only deals and moves between piles: what a foundation takes needs a longer check.
        if self._stock:
            return action == actions.DEAL
        here = actions.source(action)
        to = action >> actions.TARGET_SHIFT  # out of range unless the action is a plain move
        if here >= _PILES or to >= _PILES or actions.count(action) != 1:
            return False
        pile, onto = self._piles[here], self._piles[to]
        if not pile or not onto:
            return False
        # RULES, Little Spider 4: ace and king are adjacent.
        return abs((pile[-1] & RANK_MASK) - (onto[-1] & RANK_MASK)) in {1, KING - ACE}

    def _piles_for(self, slot: int) -> Sequence[int]:
        """Return the piles that may play on foundation `slot` now."""
        # RULES, Little Spider 2: until the last deal a lower pile plays only on the slot above it.
        return (*range(_ROW), _ROW + slot) if self._stock else range(_PILES)

    def _play(self, action: Action) -> int:
        if action == actions.DEAL:
            # RULES, Little Spider 3: upper row, then lower row; the last four on the upper row.
            size = min(_PILES, len(self._stock))
            for pile in self._piles[:size]:
                pile.append(self._stock.pop())
            return size << actions.DEALT_SHIFT
        to = actions.target(action)
        self._piles[to].append(self._piles[actions.source(action)].pop())
        filled = to >= _FIRST_SLOT and len(self._piles[to]) == SUIT_SIZE
        return 1 << to << actions.REMOVED_SHIFT if filled else 0

    def _unplay(self, action: Action, undo_record: int) -> None:
        if action == actions.DEAL:
            for pile in reversed(self._piles[: actions.dealt(undo_record)]):
                self._stock.append(pile.pop())
        else:
            self._piles[actions.source(action)].append(self._piles[actions.target(action)].pop())

    def _changed_piles(self, action: Action, undo_record: int) -> tuple[int, ...]:
        if action == actions.DEAL:
            return (*range(actions.dealt(undo_record)), _STOCK)
        return (actions.source(action), actions.target(action))

    def _is_cleared(self) -> bool:
        return not self._stock and not any(self._piles[:_PILES])

    def _compute_score(self) -> int:
        # RULES, `cards`: one point for each card on a foundation.
        return sum(map(len, self._piles[_FIRST_SLOT:]))

    def _count_cards(self) -> tuple[int, int, int, int]:
        sizes = [len(foundation) for foundation in self._piles[_FIRST_SLOT:]]
        suits, face_down = sizes.count(SUIT_SIZE), 0
        return suits, sum(sizes), face_down, len(self._stock)

    def _explain(self, action: Action) -> IllegalAction:
        if action >= actions.NOT_A_MOVE:
            unknown = ErrorCode.ACTION_UNKNOWN_TO_GAME  # the game has no removals
            return IllegalAction(ErrorCode.DEAL_STOCK_EMPTY if action == actions.DEAL else unknown)
        here, to = actions.source(action), actions.target(action)
        size = 0 if here >= _STOCK else len(self._piles[here])
        n = actions.count(action)
        if refusal := first_refusal(
            (here >= _STOCK, ErrorCode.NO_SUCH_PILE, here),
            (to >= _STOCK, ErrorCode.NO_SUCH_PILE, to),
            (here == to, ErrorCode.SAME_PILE, here),
            (here >= _FIRST_SLOT, ErrorCode.FOUNDATION_IS_FINAL, here),
            (actions.is_exception(action), ErrorCode.EXCEPTIONS_ARE_OFF, here),
            (not size, ErrorCode.PILE_EMPTY, here),
            (not 0 < n <= size, ErrorCode.NOT_ENOUGH_CARDS, here),
            (n > 1, ErrorCode.ONE_CARD_AT_A_TIME, here),
        ):
            return refusal
        card = self._piles[here][-1]
        if to >= _FIRST_SLOT:
            return self._explain_foundation(here, to, card)
        if self._stock:
            return IllegalAction(ErrorCode.NO_MOVES_BETWEEN_PILES_YET, (card,), (here, to))
        if not self._piles[to]:
            return IllegalAction(ErrorCode.PILE_STAYS_EMPTY, (card,), (to,))
        pair = (card, self._piles[to][-1])
        return IllegalAction(ErrorCode.NOT_RANK_ADJACENT, pair, (here, to))

    def _explain_foundation(self, here: int, to: int, card: int) -> IllegalAction:
        """Return why the last card of pile `here` cannot go onto the foundation `to`."""
        slot = to - _FIRST_SLOT
        foundation = self._piles[to]
        cards = (card, foundation[-1]) if foundation else (card,)
        code = ErrorCode.WRONG_FOUNDATION_RANK
        if here not in self._piles_for(slot):
            code, cards = ErrorCode.LOWER_PILE_WRONG_SLOT, (card,)
        elif foundation and suit_of(card) != suit_of(foundation[-1]):
            code = ErrorCode.WRONG_FOUNDATION_SUIT
        elif not foundation and card in _ANY_FIRST_CARDS[slot]:  # of the other colour
            code = ErrorCode.WRONG_FOUNDATION_COLOUR
        return IllegalAction(code, cards, (here, to))


def _add_moves_between_piles(moves: list[int], tops: bytes) -> None:
    """Add the moves between piles that have these top cards (0 for an empty pile)."""
    # RULES, Little Spider 4: one rank up or down, ace and king adjacent; empty piles stay empty.
    piles_at = [0] * (KING + 2)  # by rank: the bits of the piles whose top card has it
    for pile, card in enumerate(tops):
        piles_at[card & RANK_MASK] |= 1 << pile
    piles_at[0], piles_at[KING + 1] = piles_at[KING], piles_at[ACE]
    for here, card in enumerate(tops):
        if card:
            rank = card & RANK_MASK
            moves += actions.MOVES[here][1][piles_at[rank - 1] | piles_at[rank + 1]]


def accepted_cards(foundations: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    """Return which cards each foundation accepts next (RULES, Little Spider 1)."""
    red_up = None  # whether red suits build up; None while all foundations are empty
    for slot, foundation in enumerate(foundations):
        if foundation:
            red_up = is_red(foundation[-1]) is (slot < _UP_SLOTS)
            break
    return [
        _NEXT_CARDS[slot][foundation[-1]] if foundation else _FIRST_CARDS[red_up][slot]
        for slot, foundation in enumerate(foundations)
    ]


def _next_cards(*, up: bool) -> dict[int, tuple[int, ...]]:
    """Return, by card, the cards that follow it on a foundation: one, or none at the end."""
    last, step = (KING, 1) if up else (ACE, -1)
    cards = [card for run in SUIT_RUNS for card in run]
    return {card: () if card & RANK_MASK == last else (card + step,) for card in cards}


def _first_cards(slot: int, *, red_up: bool | None) -> tuple[int, ...]:
    """Return the cards that can start this foundation if red builds up, down or either (None)."""
    up = slot < _UP_SLOTS
    cards = [Card(run[-1 if up else 0]) for run in SUIT_RUNS]  # the aces, or the kings
    return tuple(card for card in cards if red_up is None or is_red(card) is (red_up is up))


_NEXT_CARDS = [_next_cards(up=slot < _UP_SLOTS) for slot in range(_ROW)]
_FIRST_CARDS = {
    red_up: [_first_cards(slot, red_up=red_up) for slot in range(_ROW)]
    for red_up in (None, False, True)
}  # by `red_up` and slot
_ANY_FIRST_CARDS = _FIRST_CARDS[None]  # while either colour may build up
