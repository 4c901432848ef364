"""The choices of computer players, which the pool's process makes one after the other."""

from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

from protocol.games import GameId
from protocol.vocabulary import BotLevel
from server.games.actions import Action
from server.solver.plans import VisibleTable
from server.solver.players import Player, player_of
from server.thinking.pool import Pool

MAX_WAITING: Final = 3  # while this many choices are pending, players search less
MAX_PLAYERS: Final = 64
"""How many players to keep, with up to 30 MB each; others start anew with each choice."""


class Choices:
    """The choices of all computer players of a server's process."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._waiting = 0  # choices that are not made yet

    async def choose(
        self,
        game: int,
        level: BotLevel,
        table: VisibleTable,
        legal: Sequence[Action],
        *,
        hurry: bool,
    ) -> Action | None:
        """Return the `legal` action that a computer player takes, or None to stop playing.

        `game` is a number that stays the same for all choices in one game. In a `hurry`, the
        player searches less, as all players do while many choices wait. May raise GivenUp.
        """
        hurry = hurry or self._waiting >= MAX_WAITING
        self._waiting += 1
        try:
            return await self._pool.run(choose, game, level, table, legal, hurry)
        finally:
            self._waiting -= 1


# The rest runs in the pool's process.

_players: OrderedDict[tuple[int, BotLevel, GameId], Player] = OrderedDict()
"""The players that were asked last, with their plans; the latest comes last."""


def choose(
    game: int,
    level: BotLevel,
    table: VisibleTable,
    legal: Sequence[Action],
    hurry: bool,  # noqa: FBT001  # of a call by position
) -> Action | None:
    """Do the work of `Choices.choose`; remember the player for the next choice in its game."""
    key = game, level, table.game
    player = _players.pop(key, None) or player_of(level, table.game)
    _players[key] = player
    if len(_players) > MAX_PLAYERS:
        _players.popitem(last=False)
    try:
        return player.choose(table, legal, hurry=hurry)
    except MemoryError:  # forget all players and their plans, and search less
        _players.clear()
        return player_of(level, table.game).choose(table, legal, hurry=True)
