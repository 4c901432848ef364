"""A one-suit deal that is won, for tests that need the end of a game."""

from functools import cache

from server.games.actions import Action
from server.games.catalogue import new_game
from server.games.deals import secret_deck
from server.games.game import Game
from server.games.options import Rules
from tests.games.search import find_win

SEED = bytes([36]) * 16


def one_suit_game() -> Game:
    """The game that `SEED` deals."""
    return new_game(Rules("spider-1"), secret_deck("spider-1", SEED))


@cache
def one_suit_win() -> tuple[Action, ...]:
    """Actions that win it, found by searching (a few seconds, once a process)."""
    found = find_win(one_suit_game())
    assert found is not None
    return tuple(found)
