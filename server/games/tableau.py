"""The columns of Spider and Spiderette, and the legal moves between them.

Moves are listed in the order of source, number of cards and target.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from protocol.vocabulary import SUIT_SIZE, ErrorCode, Exceptions
from server.games.actions import (
    COUNT_MASK,
    EXCEPTION,
    MOVES,
    PILE_MASK,
    SOURCE_SHIFT,
    TARGET_SHIFT,
    Action,
    count,
    is_exception,
    source,
    target,
)
from server.games.cards import KING, RANK_MASK, SUIT_RUNS, SUIT_SHIFT, PileState, rank_of, suit_of
from server.games.errors import IllegalAction, first_refusal

SPACE: Final = KING + 1  # the `last` of an empty column: a king goes there as to a next rank


class Tableau:
    """The columns of Spider, with measurements that every change keeps up to date.

    Only the columns that a change concerns are measured, from what is known of them: a game is
    replayed act by act, so this is the most frequent work of the server.
    """

    __slots__ = ("cards", "down", "face_down", "last", "open", "pairs", "run", "takers")

    def __init__(self, piles: Sequence[PileState]) -> None:
        size = len(piles)
        # By column, each of which is empty until its cards are measured below:
        self.cards = [bytearray(pile.cards) for pile in piles]  # bottom to top
        self.down = bytearray(pile.down for pile in piles)  # the number of its face-down cards
        self.last = [SPACE] * size  # the rank of its last card
        self.run = [0] * size  # the length of the one-suit run at its end
        # By rank, as bits: the columns that end with the next higher one; by `KING`, empty ones.
        self.takers = [0] * (SPACE + 1)
        self.takers[KING] = (1 << size) - 1
        self.face_down = sum(self.down)
        self.open = self.down.count(0)  # columns without face-down cards
        self.pairs = 0  # face-up cards on the next higher card of their suit
        for place, (down, cards) in enumerate(piles):
            self._uncover(place)
            up = cards[down:]
            self.pairs += sum(upper == card + 1 for upper, card in pairwise(up))

    def copy(self) -> "Tableau":
        """Return an independent copy."""
        twin = Tableau(())
        twin.cards = [column[:] for column in self.cards]
        twin.down, twin.last, twin.run = self.down[:], self.last[:], self.run[:]
        twin.takers = self.takers[:]
        twin.face_down, twin.open, twin.pairs = self.face_down, self.open, self.pairs
        return twin

    def move(self, here: int, n: int, to: int) -> bool:
        """Move the last cards, a descending run, to a column; return whether a card turned up."""
        source, target = self.cards[here], self.cards[to]
        run, last, takers = self.run, self.last, self.takers
        length, tail, onto = run[here], last[here], last[to]
        head = source[-n]
        joined = run[to] if run[to] and target[-1] == head + 1 else 0
        if n == 1:
            target.append(source.pop())
        else:
            target += source[-n:]
            del source[-n:]
        if joined:
            self.pairs += 1
        run[to] = n + joined if n <= length else length
        last[to] = tail
        bit = 1 << to
        takers[onto - 1] ^= bit
        takers[tail - 1] ^= bit
        if n < length:
            self.pairs -= 1
            run[here], last[here] = length - n, tail + n
            bit = 1 << here
            takers[tail - 1] ^= bit
            takers[tail + n - 1] ^= bit
            return False
        if n > length and len(source) > self.down[here] and source[-1] == head + 1:
            self.pairs -= 1
        return self._uncover(here)

    def deal(self, place: int, card: int) -> None:
        """Put a card face up on a column."""
        column = self.cards[place]
        bit = 1 << place
        self.takers[self.last[place] - 1] ^= bit
        if self.run[place] and column[-1] == card + 1:
            self.run[place] += 1
            self.pairs += 1
        else:
            self.run[place] = 1
        column.append(card)
        self.last[place] = rank = card & RANK_MASK
        self.takers[rank - 1] ^= bit

    def take_back(self, place: int) -> int:
        """Take the last card of a column, which was dealt there, and return it."""
        if self.run[place] > 1:
            self.pairs -= 1
        card = self.cards[place].pop()
        self._uncover(place)
        return card

    def remove_suit(self, place: int) -> tuple[int, bool]:
        """Remove the suit at the end of a column; return it, and whether a card turned up."""
        column = self.cards[place]
        suit = column[-1] >> SUIT_SHIFT
        del column[-SUIT_SIZE:]
        self.pairs -= SUIT_SIZE - 1
        return suit, self._uncover(place)

    def put_back(self, place: int, suit: int) -> None:
        """Put a complete suit on a column from which it was removed."""
        self.cards[place] += SUIT_RUNS[suit]
        self.pairs += SUIT_SIZE - 1
        self._uncover(place)

    def turn_down(self, place: int) -> None:
        """Turn down the only face-up card of a column, so that cards can be put back on it."""
        self.down[place] += 1
        self.face_down += 1
        if self.down[place] == 1:
            self.open -= 1
        self.run[place] = 0

    def _uncover(self, place: int) -> bool:
        """Measure the end of a column, turned up if need be; return whether it lay face down."""
        column = self.cards[place]
        takers, bit = self.takers, 1 << place
        takers[self.last[place] - 1] ^= bit
        if not column:
            self.last[place], self.run[place] = SPACE, 0
            takers[KING] ^= bit
            return False
        card = column[-1]
        self.last[place] = rank = card & RANK_MASK
        takers[rank - 1] ^= bit
        down = self.down[place]
        up = len(column) - down
        length = 1
        while length < up and column[-length - 1] == card + length:
            length += 1
        self.run[place] = length
        if up:
            return False
        # RULES 2: a face-down card that becomes the last turns up, after a removal too.
        self.down[place] = down - 1
        self.face_down -= 1
        if down == 1:
            self.open += 1
        return True

    def mixed_run(self, place: int) -> int:
        """Return the length of the run of any suits at the end of a column."""
        column = self.cards[place]
        up = len(column) - self.down[place]
        length = self.run[place]
        while 0 < length < up and (column[-length - 1] - column[-length]) & RANK_MASK == 1:
            length += 1
        return length

    def is_complete(self) -> bool:
        """Return whether every column is empty or holds one complete suit and nothing else."""
        # RULES 6: the comparison of lengths comes first, since it is cheap and usually false.
        run = self.run
        return run.count(0) + run.count(SUIT_SIZE) == len(run) and all(
            len(column) in {0, SUIT_SIZE} for column in self.cards
        )

    def complete_suits(self) -> int:
        """Return the number of complete suits that lie face up anywhere in the columns."""
        if self.pairs < SUIT_SIZE - 1:  # most of the time, and the search is long
            return 0
        found = 0
        for place, column in enumerate(self.cards):
            down = self.down[place]
            if len(column) - down >= SUIT_SIZE:
                for run in SUIT_RUNS:
                    found += column.count(run, down)
        return found

    def spaces(self) -> tuple[int, ...]:
        """Return the empty columns."""
        return tuple(place for place, rank in enumerate(self.last) if rank == SPACE)


def list_moves(tableau: Tableau) -> list[Action]:
    """Return the moves of runs of one suit."""
    takers = tableau.takers
    if spaces := takers[KING]:
        takers = [targets | spaces for targets in takers]
    moves: list[Action] = []
    for rank, run, moves_of in zip(tableau.last, tableau.run, MOVES):  # noqa: B905  # MOVES may be longer
        # RULES 1: any part of a run, on the next higher rank or on a space.
        if run == 1:
            if targets := takers[rank]:
                moves += moves_of[1][targets]
        else:
            for n in range(run):
                if targets := takers[rank + n]:
                    moves += moves_of[n + 1][targets]
    return moves


def list_exceptions(tableau: Tableau, *, easy: bool) -> list[Action]:
    """Return the moves of runs of mixed suits."""
    takers = tableau.takers
    moves: list[Action] = []
    for place, rank in enumerate(tableau.last):
        for n in range(tableau.run[place] + 1, tableau.mixed_run(place) + 1):
            for move in MOVES[place][n][takers[rank + n - 1] | takers[KING]]:
                # RULES 5: at the easy level a move is legal with the flag and without it.
                moves += (move, Action(move | EXCEPTION)) if easy else (Action(move | EXCEPTION),)
    return moves


def is_listed(tableau: Tableau, action: Action) -> bool:
    """Return whether a move is one of `list_moves`, judged without the list."""
    here = action >> SOURCE_SHIFT & PILE_MASK
    to = action >> TARGET_SHIFT
    n = action & COUNT_MASK
    last = tableau.last
    size = len(last)
    # The target of an action with the exception flag is too large here.
    if here >= size or to >= size or not 0 < n <= tableau.run[here]:
        return False
    target_rank = last[to]
    return here != to and (target_rank == last[here] + n or target_rank == SPACE)


def explain_move(tableau: Tableau, exceptions: Exceptions, action: Action) -> IllegalAction:
    """Return the reason why a move between columns is not legal; the move must be illegal."""
    here, to, n = source(action), target(action), count(action)
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
    if refusal := _explain_run(cards, exceptions, (here, to), requested=is_exception(action)):
        return refusal
    # Every other check has passed, so the target has a card, and it has the wrong rank.
    return IllegalAction(ErrorCode.WRONG_RANK, (cards[0], columns[to][-1]), (here, to))


def _explain_run(
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
