"""A computer player in its seat: round after round, until the room has no place for it.

It is a client like any other. It sees the messages that a person in its seat would see.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

import structlog
from spider_race_client import ActLost, Race, Refused, SeatLost, ServerError, Table

from protocol.vocabulary import RoomState, SeatState
from server.bot_job import BotJob
from server.bots.pace import Pace
from server.bots.thinking_thread import ThinkingThread
from server.bots.visible_tables import visible_table
from server.games.action_texts import ACTION_TEXTS
from server.games.scores import value_of_pair
from server.solver.players import Player, player_of
from server.solver.visible_table import VisibleTable

PLAYING = {SeatState.RACING, SeatState.CHASING}

log = structlog.get_logger()


class BotPlayer:
    """The player of one seat."""

    def __init__(
        self,
        job: BotJob,
        race: Race,
        thread: ThinkingThread,
        does_well: Callable[[], Awaitable[None]],
        tempo: float = 1.0,
    ) -> None:
        """Sit down; a second of the player's pace takes `tempo` seconds.

        `does_well` is called if the player waits for a race first, and after each choice.
        """
        self._tempo = tempo
        self._does_well = does_well
        self._job = job
        self._race = race
        self._thread = thread
        self._played = 0  # the number of the latest round that is played

    async def play(self) -> None:
        """Play each round of the room, for ever; a stand-in plays the game that is on.

        Raises:
            RaceError: the room has no place for the player any more, or the server is gone.
        """
        if not _races(self._race):
            await self._does_well()
        if self._job.stand_in:
            await self._race.wait_until(lambda race: self._is_to_play(race) or not _races(race))
            if self._is_to_play(self._race):
                await self._play_round()
            return
        while True:
            await self._race.wait_until(self._is_to_play)
            await self._play_round()

    def _is_to_play(self, race: Race) -> bool:
        """Return whether this player has a game in a round that it has not played yet."""
        played = race.room.round
        return (
            _races(race)
            and played is not None
            and played.n > self._played
            and race.table is not None
            and race.table.outcome is None
        )

    async def _play_round(self) -> None:
        """Play the present round. A player with an unexpected error stops, with its score."""
        race = self._race
        assert race.room.round is not None, "a race runs"
        n = race.room.round.n
        try:
            await self._act_until_over(n)
        except Refused:
            pass  # the round has ended before the act
        except ActLost:
            return  # the table shows what the store has
        except (SeatLost, ServerError):
            raise  # the seat is lost, or the server is gone
        except Exception:
            log.exception("a computer player errs", room=self._job.room, seat=self._job.seat)
            self._played = n
            await self._stop(n)
        self._played = n

    async def _act_until_over(self, n: int) -> None:
        """Act at the pace of this player, until the game or the round is over."""
        race, job = self._race, self._job
        pace = Pace(job.level, job.pace, f"{job.room} {job.seat} {n}")
        player: Player | None = None
        loop = asyncio.get_running_loop()
        is_late = False
        while self._is_on(n):
            table = race.table
            assert table is not None, "a game is on"
            if player is None:
                player = player_of(job.level, table.game)
            texts, began = ACTION_TEXTS[table.game], loop.time()
            seen, legal = self._seen(table), [texts.parse(text) for text in table.legal]
            action = await self._thread.choose(player, seen, legal, hurry=is_late)
            due = began + pace.next_s(seen, legal, action) * self._tempo
            is_late = loop.time() > due
            await self._does_well()
            await asyncio.sleep(due - loop.time())
            if not self._is_on(n):
                return
            if action is None:
                await self._stop(n)
                return
            await race.act(texts.format(action), timeout_s=None)

    def _is_on(self, n: int) -> bool:
        """Return whether the player's game of a round is on."""
        room, table = self._race.room, self._race.table
        return (
            _races(self._race)
            and room.round is not None
            and room.round.n == n
            and table is not None
            and table.outcome is None
        )

    def _seen(self, table: Table) -> VisibleTable:
        settings = self._race.room.settings
        pairs = value_of_pair(settings.score) > 0
        return visible_table(table, relaxed=settings.relaxed_deal, counts_pairs=pairs)

    async def _stop(self, n: int) -> None:
        """End the game with its score: as a dead one if the server finds it so, else as it is."""
        for dead in (True, False):
            if self._is_on(n):
                with contextlib.suppress(Refused):  # not known to be dead, or ended meanwhile
                    await self._race.forfeit(dead=dead)


def _races(race: Race) -> bool:
    """Return whether the seat plays a game of the running round."""
    own = race.own_seat
    return race.room.state is RoomState.RUNNING and own is not None and own.state in PLAYING
