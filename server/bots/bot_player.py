"""A computer player: the socket of its seat, and its acts there.

It is a `Socket` in the process that serves the seat, and gets the messages that a person in its
seat would get. Its pace does not depend on how long its search takes.
"""

import asyncio
import contextlib
import itertools
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

import structlog
from spider_race_client import Table
from spider_race_client.race_state import RaceState

from protocol.codec import TO_CLIENT
from protocol.from_client import Act, ClientMessage, Forfeit
from protocol.to_client import Acted, Refused, TableMessage
from protocol.vocabulary import BotLevel, BotPace, CloseCode, ErrorCode
from server.games.actions import ACTION_TEXTS
from server.games.scores import value_of_pair
from server.thinking.choices import Choices
from server.thinking.fair_play import Pace, visible_table

IGNORED_START = '{"type":"standings'  # messages that start like this are not needed
_game_numbers: Final = itertools.count(1)  # distinguish the games that this process plays

Say = Callable[[ClientMessage], Awaitable[None]]
log = structlog.get_logger()


@dataclass(eq=False)
class SeatClosed(Exception):  # noqa: N818  # the end of a seat, not an error
    """The server has closed the player's socket with this code."""

    code: int


class BotPlayer:
    """The player of one seat. It follows the room and the table by the server's messages."""

    def __init__(self, code: str, say: Say, choices: Choices, tempo: float) -> None:
        """Play in the room `code`; all pauses between actions are multiplied by `tempo`.

        `say` sends a message to the server, and returns once the server has handled it.
        """
        self._code, self._say, self._choices, self._tempo = code, say, choices, tempo
        self._state = RaceState()
        self._has_reply = True  # whether the latest act was answered, or a table was sent since
        self._last_played = 0  # the latest round that was played
        self._changed = asyncio.Event()  # set by each message that may matter, and by `close`
        self._close_code = 0
        self.is_open = True

    # The methods of `Socket`.

    def send(self, text: str) -> None:
        """Handle a message from the server. If that fails, close only this player's socket."""
        if not self.is_open or text.startswith(IGNORED_START):
            return
        try:
            self._handle(text)
        except Exception:
            log.exception("a computer player cannot read a message", seat=self._state.seat)
            self.close(CloseCode.INTERNAL_ERROR)
        self._changed.set()

    def send_skippable(self, message: object) -> bool:  # noqa: ARG002  # standings and boards
        """Ignore an update. Return True, since a computer player is never too slow for one."""
        return True

    def close(self, code: CloseCode | int) -> None:
        """Close the socket; the tasks of the player then raise SeatClosed."""
        if self.is_open:
            self.is_open, self._close_code = False, int(code)
            self._changed.set()

    def is_behind(self) -> bool:
        """Return False: a computer player reads each message at once."""
        return False

    def _handle(self, text: str) -> None:
        """Update the room and the table, and note whether the latest act was answered."""
        message, state = TO_CLIENT.validate_json(text), self._state
        round_before = state.round_number
        deque(state.apply_message(message), maxlen=0)  # running the generator applies the message
        if state.round_number != round_before:
            state.table = None
        if isinstance(message, TableMessage) and message.table.seat == state.seat:
            state.table, self._has_reply = Table.of(message.table), True
        elif isinstance(message, Acted) and state.table is not None:
            state.table, self._has_reply = state.table.after(message), True
        elif isinstance(message, Refused) and message.command == "act":
            if message.table is not None:
                state.table = Table.of(message.table)
            # TRY_AGAIN means that the store does not answer. Once it does, the server sends the
            # table, which shows whether the act was stored.
            self._has_reply = message.code is not ErrorCode.TRY_AGAIN

    async def wait_until(self, condition: Callable[[], bool]) -> None:
        """Wait until a condition holds, checked after each message, or raise SeatClosed."""
        while True:
            if not self.is_open:
                raise SeatClosed(self._close_code)
            if condition():
                return
            self._changed.clear()
            await self._changed.wait()

    async def pause(self, seconds: float) -> None:
        """Wait for some seconds; raise SeatClosed as soon as the socket is closed."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, seconds)):
                await self.wait_until(lambda: False)

    # The game.

    async def play(self, level: BotLevel, pace: BotPace) -> None:
        """Play each round; raise SeatClosed once the seat is lost or the server is ending."""
        while True:
            await self.wait_until(lambda: self._round_to_play > self._last_played)
            await self._play_round(level, pace)

    async def stand_in(self, level: BotLevel, pace: BotPace) -> None:
        """Play the rest of the running game, if there is one; raise SeatClosed like `play`."""
        await self.wait_until(lambda: self._state.table is not None)
        if self._round_to_play:
            await self._play_round(level, pace)

    async def _play_round(self, level: BotLevel, pace: BotPace) -> None:
        """Play a round. After an unexpected error, give up the game, which keeps its score."""
        n, seat = self._round_to_play, self._state.seat
        try:
            await self._act_until_over(level, Pace(level, pace, f"{self._code} {seat} {n}"))
        except SeatClosed:
            raise
        except Exception:
            log.exception("a computer player errs", room=self._code, seat=seat)
            await self._give_up(n)
        self._last_played = n

    async def _act_until_over(self, level: BotLevel, pace: Pace) -> None:
        """Play at this pace until the game or the round is over."""
        loop, n, game_number = asyncio.get_running_loop(), self._round_to_play, next(_game_numbers)
        is_late = False
        while self._is_running(n):
            table = self._state.table
            assert table is not None, "a game is running"
            texts, started_s = ACTION_TEXTS[table.game], loop.time()
            settings = self._state.room.settings
            counts_pairs = value_of_pair(settings.score) > 0
            seen = visible_table(table, relaxed=settings.relaxed_deal, counts_pairs=counts_pairs)
            legal = [texts.parse(text) for text in table.legal]
            action = await self._choices.choose(game_number, level, seen, legal, hurry=is_late)
            due_s = started_s + pace.next_s(seen, legal, action) * self._tempo
            is_late = loop.time() > due_s
            await self.pause(due_s - loop.time())
            if action is None:
                await self._give_up(n)
                return
            # If the store has lost acts, the server has sent another table: choose again.
            if self._is_running(n) and self._state.table is table:
                self._has_reply = False
                act = Act(id=table.last_id + 1, at=table.at, action=texts.format(action))
                await self._say(act)
                await self.wait_until(lambda: self._has_reply or not self._is_running(n))

    @property
    def _round_to_play(self) -> int:
        """The number of the round if the seat has a game to play in it; 0 otherwise."""
        return self._state.round_number if self._state.is_playing else 0

    def _is_running(self, n: int) -> bool:
        return self.is_open and self._round_to_play == n

    async def _give_up(self, n: int) -> None:
        """Give up the game: first as unwinnable, which keeps its place if the server agrees."""
        for dead in (True, False):
            if self._is_running(n):
                await self._say(Forfeit(dead=dead))
