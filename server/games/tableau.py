"""The columns of Spider and Spiderette, and the legal moves between them.

Moves are sorted by source, then by number of cards, then by target.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from protocol.vocabulary import SUIT_SIZE, ErrorCode, Exceptions
from server.games import actions
from server.games.actions import (
    COUNT_MASK,
    EXCEPTION,
    PILE_MASK,
    SOURCE_SHIFT,
    TARGET_SHIFT,
    Action,
)
from server.games.cards import KING, RANK_MASK, SUIT_RUNS, SUIT_SHIFT, PileState, rank_of, suit_of
from server.games.errors import IllegalAction, first_refusal

SPACE: Final = KING + 1  # in `last`, an empty column: as if it ended one rank above a king


class Tableau:
    """The columns, with measurements that every change keeps up to date.

    A change measures only the columns that it touches, and uses their old measurements. Games are
    replayed act by act, so the server does this more often than anything else.
    """

    __slots__ = ("cards", "down", "face_down", "last", "open_columns", "pairs", "run", "takers")

    def __init__(self, piles: Sequence[PileState]) -> None:
        size = len(piles)
        # By column; each counts as empty until it is measured below.
        self.cards = [bytearray(pile.cards) for pile in piles]  # bottom to top
        self.down = bytearray(pile.down for pile in piles)  # the number of face-down cards
        self.last = [SPACE] * size  # the rank of the last card
        self.run = [0] * size  # the length of the one-suit run at the end
        # By rank: the bits of the columns that end one rank higher. Empty columns take any card,
        # but are listed only for kings.
        self.takers = [0] * (SPACE + 1)
        self.takers[KING] = (1 << size) - 1
        self.face_down = sum(self.down)
        self.open_columns = self.down.count(0)  # columns without face-down cards
        self.pairs = 0  # face-up cards on the next higher card of their suit
        for index, (down, cards) in enumerate(piles):
            self._measure_end(index)
            self.pairs += sum(upper == card + 1 for upper, card in pairwise(cards[down:]))

    def copy(self) -> "Tableau":
        """Return an independent copy."""
        twin = Tableau(())
        twin.cards = [column[:] for column in self.cards]
        twin.down, twin.last, twin.run = self.down[:], self.last[:], self.run[:]
        twin.takers, twin.open_columns = self.takers[:], self.open_columns
        twin.face_down, twin.pairs = self.face_down, self.pairs
        return twin

    def move(self, here: int, n: int, to: int) -> bool:
        """Move a run of `n` cards from column `here` to `to`; return whether a card turned up."""
        source, target = self.cards[here], self.cards[to]
        run, last, takers = self.run, self.last, self.takers
        length, rank, target_rank = run[here], last[here], last[to]
        head = source[-n]
        joined = run[to] if run[to] and target[-1] == head + 1 else 0  # the run that they join
        if n == 1:
            target.append(source.pop())
        else:
            target += source[-n:]
            del source[-n:]
        if joined:
            self.pairs += 1
        run[to] = n + joined if n <= length else length  # a mixed run is in suit only at its end
        last[to] = rank
        # A column takes the rank below its last card's: move its bit there in `takers`.
        bit = 1 << to
        takers[target_rank - 1] ^= bit
        takers[rank - 1] ^= bit
        if n < length:
            self.pairs -= 1  # the run is cut in two
            run[here], last[here] = length - n, rank + n
            bit = 1 << here
            takers[rank - 1] ^= bit
            takers[rank + n - 1] ^= bit
            return False
        # The head of a mixed run may have lain on the next card of its suit: that pair is gone.
        if n > length and len(source) > self.down[here] and source[-1] == head + 1:
            self.pairs -= 1
        return self._measure_end(here)

    def deal(self, index: int, card: int) -> None:
        """Put a card face up on a column."""
        column = self.cards[index]
        bit = 1 << index
        self.takers[self.last[index] - 1] ^= bit  # from now on it takes another rank
        if self.run[index] and column[-1] == card + 1:
            self.run[index] += 1
            self.pairs += 1
        else:
            self.run[index] = 1
        column.append(card)
        self.last[index] = rank = card & RANK_MASK
        self.takers[rank - 1] ^= bit

    def take_back(self, index: int) -> int:
        """Take a dealt card off a column and return it."""
        if self.run[index] > 1:
            self.pairs -= 1
        card = self.cards[index].pop()
        self._measure_end(index)
        return card

    def remove_suit(self, index: int) -> tuple[int, bool]:
        """Remove the suit at the end of a column; return it and whether a card turned up."""
        column = self.cards[index]
        suit = column[-1] >> SUIT_SHIFT
        del column[-SUIT_SIZE:]
        self.pairs -= SUIT_SIZE - 1
        return suit, self._measure_end(index)

    def put_back(self, index: int, suit: int) -> None:
        """Put a removed suit back on its column."""
        self.cards[index] += SUIT_RUNS[suit]
        self.pairs += SUIT_SIZE - 1
        self._measure_end(index)

    def turn_down(self, index: int) -> None:
        """Turn the only face-up card of a column down, before cards are put back on it."""
        self.down[index] += 1
        self.face_down += 1
        if self.down[index] == 1:
            self.open_columns -= 1
        self.run[index] = 0

    def _measure_end(self, index: int) -> bool:
        """Measure the end of a column; return whether its last card had to be turned up."""
        column = self.cards[index]
        takers, bit = self.takers, 1 << index
        takers[self.last[index] - 1] ^= bit  # from now on the column takes another rank, set below
        if not column:
            self.last[index], self.run[index] = SPACE, 0
            takers[KING] ^= bit
            return False
        card = column[-1]
        self.last[index] = rank = card & RANK_MASK
        takers[rank - 1] ^= bit
        down = self.down[index]
        up = len(column) - down
        length = 1
        while length < up and column[-length - 1] == card + length:
            length += 1
        self.run[index] = length
        if up:
            return False
        # RULES 2: a face-down card at the end of a column turns up, even after a removal.
        self.down[index] = down - 1
        self.face_down -= 1
        if down == 1:
            self.open_columns += 1
        return True

    def mixed_run(self, index: int) -> int:
        """Return the length of the descending run at a column's end, of any suits."""
        column = self.cards[index]
        up = len(column) - self.down[index]
        length = self.run[index]
        while 0 < length < up and (column[-length - 1] - column[-length]) & RANK_MASK == 1:
            length += 1
        return length

    def is_complete(self) -> bool:
        """Return whether every column is empty or holds just one complete suit (RULES 6)."""
        # The lengths come first: this comparison is cheap and usually false.
        run = self.run
        return run.count(0) + run.count(SUIT_SIZE) == len(run) and all(
            len(column) in {0, SUIT_SIZE} for column in self.cards
        )

    def complete_suits(self) -> int:
        """Return the number of complete face-up suits anywhere in the columns."""
        if self.pairs < SUIT_SIZE - 1:  # usually true, which saves the long search below
            return 0
        found = 0
        for index, column in enumerate(self.cards):
            down = self.down[index]
            if len(column) - down >= SUIT_SIZE:
                for run in SUIT_RUNS:
                    found += column.count(run, down)
        return found

    def spaces(self) -> tuple[int, ...]:
        """Return the indexes of the empty columns."""
        return tuple(index for index, rank in enumerate(self.last) if rank == SPACE)


def list_moves(tableau: Tableau) -> list[Action]:
    """Return all legal moves of runs of one suit."""
    takers = tableau.takers  # by rank: the columns that can take it, one bit each
    if spaces := takers[KING]:  # only a space takes a king, and it takes every rank
        takers = [targets | spaces for targets in takers]
    moves: list[Action] = []
    for rank, run, moves_of in zip(tableau.last, tableau.run, actions.MOVES):  # noqa: B905  # MOVES may be longer
        # RULES 1: any part of a run, onto the next higher rank or a space.
        if run == 1:
            if targets := takers[rank]:
                moves += moves_of[1][targets]
        else:
            for n in range(run):
                if targets := takers[rank + n]:
                    moves += moves_of[n + 1][targets]
    return moves


def list_exceptions(tableau: Tableau, *, easy: bool) -> list[Action]:
    """Return the moves of mixed suits, flagged as exceptions; at level `easy` unflagged, too."""
    takers, spaces = tableau.takers, tableau.takers[KING]
    moves: list[Action] = []
    for index, rank in enumerate(tableau.last):
        for n in range(tableau.run[index] + 1, tableau.mixed_run(index) + 1):
            for move in actions.MOVES[index][n][takers[rank + n - 1] | spaces]:
                # RULES 5: at the easy level a move is legal with the flag and without it.
                moves += (move, Action(move | EXCEPTION)) if easy else (Action(move | EXCEPTION),)
    return moves


def is_listed(tableau: Tableau, action: Action) -> bool:
    """Return whether `list_moves` would list this move, without making the list."""
    here = action >> SOURCE_SHIFT & PILE_MASK
    to = action >> TARGET_SHIFT
    n = action & COUNT_MASK
    last = tableau.last
    size = len(last)
    # `to` is out of range if the action has the exception flag.
    if here >= size or to >= size or not 0 < n <= tableau.run[here]:
        return False
    target_rank = last[to]  # it must be one above the highest moved card, or a space
    return here != to and (target_rank == last[here] + n or target_rank == SPACE)


def explain_move(tableau: Tableau, exceptions: Exceptions, action: Action) -> IllegalAction:
    """Return why a move between columns is illegal."""
    here, to, n = actions.source(action), actions.target(action), actions.count(action)
    columns = tableau.cards
    size = len(columns[here]) if here < len(columns) else 0
    if refusal := first_refusal(
        (here >= len(columns), ErrorCode.NO_SUCH_PILE, here),
        (to >= len(columns), ErrorCode.NO_SUCH_PILE, to),
        (here == to, ErrorCode.SAME_PILE, here),
        (not size, ErrorCode.PILE_EMPTY, here),
        (not 0 < n <= size, ErrorCode.NOT_ENOUGH_CARDS, here),
        (size > 0 and n > size - tableau.down[here], ErrorCode.FACE_DOWN, here),
    ):
        return refusal
    cards = columns[here][-n:]
    is_exception = actions.is_exception(action)
    if refusal := _explain_run(cards, exceptions, (here, to), is_exception=is_exception):
        return refusal
    # Every other check has passed, so the last card of the target has the wrong rank.
    return IllegalAction(ErrorCode.WRONG_RANK, (cards[0], columns[to][-1]), (here, to))


def _explain_run(
    cards: bytearray, exceptions: Exceptions, piles: tuple[int, int], *, is_exception: bool
) -> IllegalAction | None:
    """Return why these cards cannot move together, or None if they can."""
    if is_exception and exceptions == "off":
        return IllegalAction(ErrorCode.EXCEPTIONS_ARE_OFF, piles=piles)
    mixed: tuple[int, ...] = ()  # the first two neighbours of different suits
    for upper, lower in pairwise(cards):
        if rank_of(upper) != rank_of(lower) + 1:
            return IllegalAction(ErrorCode.NOT_A_RUN, (upper, lower), piles)
        if not mixed and suit_of(upper) != suit_of(lower):
            mixed = (upper, lower)
    if is_exception and not mixed:
        return IllegalAction(ErrorCode.EXCEPTION_NOT_NEEDED, piles=piles)
    if mixed and not is_exception and exceptions == "hard":
        return IllegalAction(ErrorCode.EXCEPTION_NOT_ASKED, mixed, piles)
    if mixed and exceptions == "off":
        return IllegalAction(ErrorCode.MIXED_SUITS, mixed, piles)
    return None
