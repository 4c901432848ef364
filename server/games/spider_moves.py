"""The legal moves of a position of Spider, in the order of source, number of cards and target."""

from protocol.vocabulary import SUIT_SIZE
from server.games.actions import (
    COUNT_MASK,
    EXCEPTION,
    PILE_MASK,
    SOURCE_SHIFT,
    TARGET_SHIFT,
    Action,
    remove,
)
from server.games.cards import KING
from server.games.move_tables import MOVES
from server.games.tableau import SPACE, Tableau


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


def list_removals(tableau: Tableau) -> list[Action]:
    """Return the removals of complete suits."""
    return [remove(place) for place, run in enumerate(tableau.run) if run == SUIT_SIZE]


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


def is_move_of_one_suit(tableau: Tableau, action: Action) -> bool:
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
