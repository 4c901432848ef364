"""The computer players of this process: each holds a seat of a room that it serves.

1. A seat of a computer player without a connection is taken by the process that serves the host.
   So a new one begins to play at once, and one whose process ends goes on elsewhere.
2. When a process dies, the one that reports its death to a room takes the computer players of the
   room over. Of two that do, the later one has the seat, as with any connection.
3. A process that is told to end reports the seats as lost. It takes none any more.
"""

import asyncio
from typing import Final

import structlog

from protocol.from_client import ClientMessage
from protocol.vocabulary import CloseCode, Presence
from server.bots.bot_player import BotPlayer, SeatClosed
from server.rooms.events import Refusal
from server.rooms.record import Room
from server.sessions.handler import Handler
from server.sessions.seating import take_bot_seat
from server.sessions.services import Services, report_disconnected
from server.store import StoreAway, Unreadable
from server.thinking.choices import Choices

ADDRESS: Final = "127.0.0.1"  # of computer players, for the limits of addresses
AGAIN: Final = {CloseCode.RESYNC, CloseCode.DRAINING, CloseCode.INTERNAL_ERROR}
"""The codes after which the seat is taken again, as a person's page does."""
RETRY_S: Final = 1.0  # the first pause before the seat is taken again
LONGEST_RETRY_S: Final = 30.0
HAND_OVER_S: Final = 2.0  # the time in which an ending process reports its seats as lost

log = structlog.get_logger()


class SeatedBots:
    """The computer players of one process, `most` at a time."""

    def __init__(
        self, services: Services, choices: Choices, tasks: asyncio.TaskGroup, most: int
    ) -> None:
        self._services, self._choices, self._tasks = services, choices, tasks
        self._most = most
        self._tempo = 1.0  # the seconds that a second of a player's pace takes
        # The sessions of the seats, by room and number; None before they begin.
        self._sessions: dict[tuple[str, int], Handler | None] = {}
        self._is_closed = False

    def adopt(self, room: Room) -> None:
        """Take the seats of computer players of a room that have no connection."""
        if self._is_closed:
            return
        for seat in room.seats:
            place = room.code, seat.number
            is_lost = seat.is_played_by_bot and seat.connection is Presence.GRACE
            if is_lost and place not in self._sessions and len(self._sessions) < self._most:
                self._sessions[place] = None
                self._tasks.create_task(self._hold(place), name=f"computer player {place}")

    async def hand_over(self) -> None:
        """Report all seats as lost and take none any more: this process ends."""
        self._is_closed = True
        reports = []
        for session in filter(None, self._sessions.values()):
            session.socket.close(CloseCode.DRAINING)
            if session.holder is not None and not session.holder.has_left:
                report = report_disconnected(self._services, session.holder.seat)
                reports.append(asyncio.create_task(report))
        if reports:
            await asyncio.wait(reports, timeout=HAND_OVER_S)

    async def _hold(self, place: tuple[str, int]) -> None:
        """Hold a seat until the room has no place for the player."""
        pause_s = RETRY_S
        try:
            while await self._play(*place):
                await asyncio.sleep(pause_s)
                pause_s = min(2 * pause_s, LONGEST_RETRY_S)
        finally:
            del self._sessions[place]

    async def _play(self, code: str, number: int) -> bool:
        """Take a seat and play; return whether it is to be taken again."""

        async def say(message: ClientMessage) -> None:
            waiting = session.receive(message.model_dump_json(exclude_defaults=False))
            if waiting is not None:
                await waiting

        player = BotPlayer(code, say, self._choices, self._tempo)
        session = self._sessions[code, number] = Handler(self._services, player, ADDRESS)
        try:
            try:
                seat = await take_bot_seat(session, code, number)
                level = seat.level if seat.stand_in is None else seat.stand_in.level
                assert level is not None, "a computer player has the seat"
                play = player.play if seat.stand_in is None else player.stand_in
                await play(level, seat.pace)
            finally:
                if not self._is_closed:
                    player.close(CloseCode.DRAINING)
                    await session.handle_disconnect()
        except SeatClosed as closed:
            return closed.code in AGAIN and not self._is_closed
        except Refusal:  # the seat is gone, or another process has it
            return False
        except (StoreAway, Unreadable):
            return True
        except Exception:  # an error of this player alone
            log.exception("a computer player failed", room=code, seat=number)
            return True
        return False
