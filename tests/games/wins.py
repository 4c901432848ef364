"""A one-suit deal with a win, for tests that need the end of a game."""

from functools import cache

from protocol.games import GAMES, GameId
from server.games.actions import Action, ActionKind, kind, parse_action
from server.games.deals import new_game, secret_deck
from server.games.game import Game
from server.games.rules import Rules
from server.rooms.deals import Entropy

SEED = bytes([36]) * 16


def winnable() -> Entropy:
    """Return entropy that draws a deal with a known win."""
    return Entropy(SEED, bytes(16))


# Found by a search that takes seconds, too long for tests with a server in the same loop.
WIN = """
t2x1-t3, t3x2-t0, t7x1-t0, t1x1-t2, t0x4-t1, t9x1-t2, t0x1-t7, t3x1-t0, t0x2-t3, t2x3-t0,
t2x1-t3, t4x1-t6, t5x1-t8, t5x1-t4, t4x2-t5, t4x1-t1, t0x4-t1, t9x1-t0, t0x1-t9, t1x6-t3,
t5x2-t0, deal, t2x1-t3, t8x1-t3, t1x1-t8, t1x4-t8, t7x1-t1, t3x1-t8, t3x1-t9, t8x6-t7, deal,
t6x1-t5, t6x1-t8, t6x2-t9, t6x1-t8, t2x1-t9, t3x1-t2, t3x1-t8, t3x10-t2, t9x4-t3, t6x1-t9,
t2x12-t6, remove t6, t2x1-t1, t3x5-t2, t5x2-t3, t7x1-t5, t9x2-t8, t5x1-t4, t7x2-t3, deal,
t3x6-t2, t1x1-t2, t2x8-t0, t0x9-t3, t0x1-t7, t9x1-t7, t1x2-t7, t1x2-t7, remove t7, t2x6-t7,
t7x7-t4, t5x1-t9, t8x1-t7, t3x2-t4, t1x1-t2, deal, t9x1-t3, t7x1-t3, t1x1-t3, t6x1-t9, t2x1-t9,
t2x1-t9, t9x5-t8, t9x2-t8, t7x2-t9, t9x3-t0, t9x1-t4, t8x8-t0, t6x1-t4, t6x1-t0, remove t0,
t1x1-t2, t2x1-t1, t8x8-t2, t8x1-t3, remove t3, t0x1-t3, t0x3-t3, t0x1-t7, t8x1-t7, t8x1-t1,
t4x3-t0, t3x3-t4, remove t4, t5x1-t4, t5x1-t6, t5x1-t3, t5x1-t3, t5x1-t2, t4x3-t2, t4x1-t5,
t8x1-t4, t4x2-t5, t3x3-t4, t4x4-t1, t5x1-t3, t5x1-t4, t0x1-t8, t0x1-t9, deal, remove t2,
t7x1-t8, t0x1-t7, t9x1-t7, t8x3-t9, t9x4-t0, t4x1-t5, t3x2-t4, t5x2-t1, t5x1-t0, t4x3-t0,
t1x3-t2, t1x7-t7, t6x1-t7, remove t7, t6x1-t0, t2x3-t0, remove t0
"""

SPIDERETTE_WIN = """
t0x1-t3, t1x1-t3, t1x1-t2, t3x3-t6, t4x1-t2, t2x3-t4, t2x1-t0, t3x1-t1, deal, t2x1-t0, t2x1-t1,
t3x2-t2, t3x1-t2, t0x1-t5, t2x2-t6, t0x1-t3, deal, t2x2-t5, t4x1-t5, t1x1-t5, t1x3-t5, t0x1-t1,
t0x1-t6, t3x1-t6, t5x8-t0, t1x1-t5, t6x6-t1, t6x4-t1, t5x2-t1, t1x5-t0, remove t0, t5x1-t0,
t5x1-t1, t5x1-t2, t1x8-t5, t5x9-t1, t2x1-t5, t5x2-t2, deal, t5x1-t0, t5x1-t6, t5x1-t3, t0x2-t3,
t0x1-t1, t3x4-t6, t3x1-t6, t2x1-t0, t4x1-t2, t6x7-t4, t6x1-t3, t6x1-t5, deal, t3x1-t1, remove t1,
t2x1-t4, t6x1-t2, t5x1-t6, t4x9-t0, t0x10-t6, t0x1-t6, remove t6, t6x1-t2, t6x1-t2, t4x4-t0,
t4x1-t1, t1x1-t4, t4x2-t0, t2x6-t4, t4x7-t0, remove t0
"""
"""The same, of the deal of Spiderette with one suit."""


def one_suit_game() -> Game:
    """Return the game that `SEED` deals."""
    return new_game(Rules("spider-1"), secret_deck("spider-1", SEED))


@cache
def one_suit_win() -> tuple[Action, ...]:
    """Return actions that win the game that `SEED` deals."""
    return _read("spider-1", WIN)


@cache
def spiderette_win() -> tuple[Action, ...]:
    """Return actions that win the deal of `SEED` in Spiderette with one suit."""
    return _read("spiderette-1", SPIDERETTE_WIN)


def _read(game: GameId, texts: str) -> tuple[Action, ...]:
    names = GAMES[game].pile_names
    return tuple(parse_action(text.strip(), names) for text in texts.split(","))


def to_first_complete() -> tuple[Action, ...]:
    """Return the acts of the win until a complete suit can be removed."""
    win = one_suit_win()
    return win[: [kind(action) for action in win].index(ActionKind.REMOVE)]
