"""A computer player in its seat, and its pace: round after round, until the room has no place.

It sees the messages that a person in its seat would see. It acts at times of its own, whatever its
search takes.
"""

import asyncio
import itertools
import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import structlog
from spider_race_client import Table

from protocol.from_client import Act, ClientMessage, Forfeit
from protocol.vocabulary import BotLevel, BotPace
from server.bots.bot_socket import BotSocket, SeatClosed, visible_table
from server.games.actions import (
    ACTION_TEXTS,
    DEAL,
    Action,
    ActionKind,
    count,
    kind,
    source,
    target,
)
from server.games.scores import value_of_pair
from server.solver.plans import VisibleTable
from server.thinking.choices import Choices

_games: Final = itertools.count(1)
"""The numbers of the games of this process."""

log = structlog.get_logger()


_CHOICES: Final = (ActionKind.MOVE, ActionKind.DEAL)
FEW: Final = 2
"""So few moves need no thought."""


@dataclass(frozen=True, slots=True)
class _Averages:
    """The seconds from one act to the next, on average."""

    thought_s: float
    obvious_s: float


_AVERAGES: Final[Mapping[BotLevel, _Averages]] = {
    "beginner": _Averages(8.0, 2.9),
    "club": _Averages(4.8, 1.75),
    "expert": _Averages(3.1, 1.1),
}
_FACTORS: Final[Mapping[BotPace, float]] = {"slower": 1.5, "usual": 1.0, "faster": 0.6}


class Pace:
    """The thinking times of one game, from its name alone.

    1. An act is either obvious, or its player has to think. A person would find the same acts so.
    2. Most thoughts are short and a few are long, as those of people are.
    3. With these averages one suit takes a Beginner six to nine minutes, Club four to six, and an
       Expert two and a half to four. `bench/bots.py` measures it.
    """

    def __init__(self, level: BotLevel, pace: BotPace, name: str) -> None:
        self._random = random.Random(f"pace {name}")  # noqa: S311  # the same in each process
        self._averages = _AVERAGES[level]
        self._factor = _FACTORS[pace]
        self._sees_new_cards = True  # a whole deal of them

    def next_s(self, table: VisibleTable, legal: Sequence[Action], action: Action | None) -> float:
        """Return the seconds from the latest act to this one; without one the player stops."""
        thinks = action is None or self._sees_new_cards or not is_obvious(table, legal, action)
        self._sees_new_cards = action == DEAL
        if thinks:  # 0.6 to 2.2 times the average
            share = 0.6 + 1.6 * self._random.random() * self._random.random()
            return self._factor * self._averages.thought_s * share
        share = (2 + 2 * self._random.random()) / 3
        return self._factor * self._averages.obvious_s * share


def is_obvious(table: VisibleTable, legal: Sequence[Action], action: Action) -> bool:
    """Return whether the player of a table need not think about an action.

    It joins cards of a suit, brings a card home or removes a suit, or there is hardly another one.
    """
    if sum(kind(each) in _CHOICES for each in legal) <= FEW:
        return True
    if kind(action) is not ActionKind.MOVE:
        return action != DEAL
    if target(action) >= len(table.columns):
        return True
    onto = table.columns[target(action)].cards
    return onto[-1:] == bytes((table.columns[source(action)].cards[-count(action)] + 1,))


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
            log.exception("a computer player errs", room=self._code, seat=self._socket.state.seat)
            await self._stop(n)
        self._played = n

    async def _act_until_over(self, n: int) -> None:
        """Act at the pace of this player, until the game or the round is over."""
        loop, socket = asyncio.get_running_loop(), self._socket
        pace = Pace(self._level, self._pace, f"{self._code} {socket.state.seat} {n}")
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
        settings = self._socket.state.room.settings
        pairs = value_of_pair(settings.score) > 0
        return visible_table(table, relaxed=settings.relaxed_deal, counts_pairs=pairs)

    async def _stop(self, n: int) -> None:
        """End the game with its score: as a dead one if the server finds it so, else as it is."""
        for dead in (True, False):
            if self._is_on(n):
                await self._say(Forfeit(dead=dead))
