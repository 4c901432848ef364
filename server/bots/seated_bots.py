"""The computer players of this process: each holds a seat in a room that the process serves.

1. If a computer player's seat has no connection, the process that serves the host takes it. So a
   new player starts at once, and if its process ends, it continues in another one.
2. When a process dies, the process that reports this to a room takes over its computer players.
   If two processes do, the later one has the seat, as with any connection.
3. A process that is ending reports its seats as lost, and takes no more seats.
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

ADDRESS: Final = "127.0.0.1"  # loopback: no limits per address apply to computer players
RETRIED: Final = {CloseCode.RESYNC, CloseCode.DRAINING, CloseCode.INTERNAL_ERROR}
"""After these codes the player takes its seat again, as a person's page does."""
RETRY_S: Final = 1.0  # the first pause before a player takes its seat again
LONGEST_RETRY_S: Final = 30.0
HAND_OVER_S: Final = 2.0  # an ending process has this long to report its seats as lost

log = structlog.get_logger()


class SeatedBots:
    """The computer players of one process, at most `max_bots` at a time."""

    def __init__(
        self, services: Services, choices: Choices, tasks: asyncio.TaskGroup, max_bots: int
    ) -> None:
        self._services, self._choices, self._tasks = services, choices, tasks
        self._max_bots = max_bots
        self._tempo = 1.0  # multiplies the pauses between actions
        # The session of each seat, by room and number; None until it starts.
        self._sessions: dict[tuple[str, int], Handler | None] = {}
        self._is_closed = False

    def adopt(self, room: Room) -> None:
        """Take the seats whose computer player has no connection, as long as there is capacity."""
        if self._is_closed:
            return
        for seat in room.seats:
            key = room.code, seat.number
            is_lost = seat.is_played_by_bot and seat.connection is Presence.GRACE
            if is_lost and key not in self._sessions and len(self._sessions) < self._max_bots:
                self._sessions[key] = None
                self._tasks.create_task(self._hold(key), name=f"computer player {key}")

    async def hand_over(self) -> None:
        """Report all seats as lost and take no more, since this process is ending."""
        self._is_closed = True
        reports = []
        for session in filter(None, self._sessions.values()):  # those that have started
            session.socket.close(CloseCode.DRAINING)
            if session.holder is not None and not session.holder.has_left:
                report = report_disconnected(self._services, session.holder.seat)
                reports.append(asyncio.create_task(report))
        if reports:
            await asyncio.wait(reports, timeout=HAND_OVER_S)

    async def _hold(self, key: tuple[str, int]) -> None:
        """Let a computer player hold a seat until it loses the seat for good."""
        pause_s = RETRY_S
        try:
            while await self._play(*key):
                await asyncio.sleep(pause_s)
                pause_s = min(2 * pause_s, LONGEST_RETRY_S)
        finally:
            del self._sessions[key]

    async def _play(self, code: str, number: int) -> bool:
        """Take a seat and play until it is lost; return whether to take it again after a pause."""

        async def say(message: ClientMessage) -> None:
            """Send the player's message to its session, and wait until it is handled."""
            waiting = session.receive(message.model_dump_json())
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
                if not self._is_closed:  # else `hand_over` does this
                    player.close(CloseCode.DRAINING)
                    await session.handle_disconnect()
        except SeatClosed as closed:
            return closed.code in RETRIED and not self._is_closed
        except Refusal:  # the seat is gone, or another process holds it
            return False
        except (StoreAway, Unreadable):
            return True
        except Exception:  # an error of this player alone
            log.exception("a computer player failed", room=code, seat=number)
            return True
        return False
