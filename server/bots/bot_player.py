"""A computer player in its seat: round after round, until the room has no place for it.

It sees the messages that a person in its seat would see.
"""

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from typing import Final

import structlog
from spider_race_client import Table

from protocol.from_client import Act, ClientMessage, Forfeit
from protocol.vocabulary import BotLevel, BotPace
from server.bots.bot_socket import BotSocket, SeatClosed
from server.bots.pace import Pace
from server.bots.visible_tables import visible_table
from server.games.actions import ACTION_TEXTS
from server.games.scores import value_of_pair
from server.solver.plans import VisibleTable
from server.thinking.choices import Choices

_games: Final = itertools.count(1)
"""The numbers of the games of this process."""

log = structlog.get_logger()


class BotPlayer:
    """The player of one seat."""

    def __init__(
        self,
        code: str,
        level: BotLevel,
        pace: BotPace,
        socket: BotSocket,
        say: Callable[[ClientMessage], Awaitable[None]],
        choices: Choices,
        tempo: float = 1.0,
    ) -> None:
        """Play in the room of a code; a second of the player's pace takes `tempo` seconds.

        `say` sends a message to the server, and returns once it is handled.
        """
        self._code = code
        self._level: BotLevel = level
        self._pace: BotPace = pace
        self._socket = socket
        self._say = say
        self._choices = choices
        self._tempo = tempo
        self._played = 0  # the number of the latest round that is played

    async def play(self) -> None:
        """Play each round of the room, for ever.

        Raises:
            SeatClosed: the room has no place for the player any more, or the server is ending.
        """
        while True:
            await self._socket.wait_until(lambda: self._socket.round_number > self._played)
            await self._play_round(self._socket.round_number)

    async def stand_in(self) -> None:
        """Play the game that is on, if there is one; raise as `play`."""
        await self._socket.wait_until(lambda: self._socket.table is not None)
        if self._socket.round_number:
            await self._play_round(self._socket.round_number)

    async def _play_round(self, n: int) -> None:
        """Play a round. A player with an unexpected error stops, with its score."""
        try:
            await self._act_until_over(n)
        except SeatClosed:
            raise
        except Exception:
            log.exception("a computer player errs", room=self._code, seat=self._socket.seat)
            await self._stop(n)
        self._played = n

    async def _act_until_over(self, n: int) -> None:
        """Act at the pace of this player, until the game or the round is over."""
        loop, socket = asyncio.get_running_loop(), self._socket
        pace = Pace(self._level, self._pace, f"{self._code} {socket.seat} {n}")
        game = next(_games)
        is_late = False
        while self._is_on(n):
            table = socket.table
            assert table is not None, "a game is on"
            texts, began = ACTION_TEXTS[table.game], loop.time()
            seen, legal = self._seen(table), [texts.parse(text) for text in table.legal]
            action = await self._choices.choose(game, self._level, seen, legal, hurry=is_late)
            due = began + pace.next_s(seen, legal, action) * self._tempo
            is_late = loop.time() > due
            await socket.pause(due - loop.time())
            if not self._is_on(n):
                return
            if action is None:
                await self._stop(n)
                return
            if socket.table is table:  # else it is that of a store which has lost acts
                await self._act(table, texts.format(action), n)

    async def _act(self, table: Table, action: str, n: int) -> None:
        """Send an act, and wait for its answer."""
        socket = self._socket
        socket.is_answered = False
        await self._say(Act(id=table.last_id + 1, at=table.at, action=action))
        await socket.wait_until(lambda: socket.is_answered or not self._is_on(n))

    def _is_on(self, n: int) -> bool:
        """Return whether the player's game of a round is on."""
        return self._socket.is_open and self._socket.round_number == n

    def _seen(self, table: Table) -> VisibleTable:
        room = self._socket.room
        assert room is not None, "the seat is taken"
        pairs = value_of_pair(room.settings.score) > 0
        return visible_table(table, relaxed=room.settings.relaxed_deal, counts_pairs=pairs)

    async def _stop(self, n: int) -> None:
        """End the game with its score: as a dead one if the server finds it so, else as it is."""
        for dead in (True, False):
            if self._is_on(n):
                await self._say(Forfeit(dead=dead))
