"""The messages of one socket: each command gets exactly one reply."""

from collections.abc import Coroutine
from typing import Any

from protocol import codec
from protocol.from_client import Act, Assess, Hint, Ping
from protocol.vocabulary import CloseCode, ErrorCode
from server.sessions.commands import handle_disconnect, run
from server.sessions.limits import RateLimit
from server.sessions.seat_holder import SeatHolder, Session
from server.sessions.services import Services
from server.sessions.taken_seat import Socket
from server.views.replies import error_text

STRIKES = 3  # a socket is closed after this many bad messages


class Handler(Session):
    """Handle the messages of a socket from its first frame to its end."""

    __slots__ = ("_command_limit", "_strikes")

    def __init__(self, services: Services, socket: Socket, address: str, base: str = "") -> None:
        super().__init__(services, socket, address, base)
        self._command_limit = RateLimit(services.limits.commands)
        self._strikes = 0

    def receive(self, text: str | bytes) -> Coroutine[Any, Any, None] | None:
        """Handle a message. The caller awaits the coroutine, if any, before the next message."""
        message = codec.parse(text)
        if isinstance(message, codec.BadMessage):
            self._strike(message.where)
            return None
        holder = self.holder
        if holder is not None and isinstance(message, Act):
            if holder.table is None:
                self._act_without_table(message, holder)
            else:
                holder.table.act(message)
        elif holder is not None and isinstance(message, Ping):
            holder.reply_to_ping(message)
        elif not self._charge_command():
            self.socket.close(CloseCode.TOO_FAST)
        elif holder is not None and isinstance(message, Hint | Assess):
            self._advise(message, holder)
        else:
            return run(self, message)
        return None

    def receive_binary(self) -> None:
        """Count a binary message as a bad message."""
        self._strike("binary")

    def resume_sending(self) -> None:
        """Send the latest state if it was skipped while the peer was slow."""
        if self.holder is not None:
            self.holder.resume_sending()

    def handle_disconnect(self) -> Coroutine[Any, Any, None]:
        """Return a coroutine that leaves the seat, which the room keeps for its owner."""
        return handle_disconnect(self)

    def _charge_command(self) -> bool:
        """Charge a command to the socket, seat and address; return False beyond a limit."""
        holder = self.holder
        seat = None if holder is None or holder.has_left else holder.seat
        return self._command_limit.take() and self.services.charge_command(self.address, seat)

    def _strike(self, where: str) -> None:
        """Tell the client `where` its message is bad; close the socket after `STRIKES` of them."""
        self._strikes += 1
        self.socket.send(error_text(where))
        if self._strikes >= STRIKES:
            self.socket.close(CloseCode.BAD_MESSAGES)

    def _act_without_table(self, act: Act, holder: SeatHolder) -> None:
        """Refuse an act of a seat without a table, unless it may repeat one from the latest round.

        An act from that round has an id that was already used. To reply to it, the round's log is
        replayed. That may take long, so it happens once per socket and counts as a command.
        """
        if (played := holder.earlier_round(act)) is None:
            self.refuse(act, self.services.refusal_of_acts(holder.seat))
        elif self._charge_command():
            holder.reopen(played).act(act)
        else:
            self.socket.close(CloseCode.TOO_FAST)

    def _advise(self, message: Hint | Assess, holder: SeatHolder) -> None:
        """Send a hint or an assessment, or refuse the request."""
        table = holder.table
        if table is None or table.is_closed:
            self.refuse(message, self.services.refusal_of_acts(holder.seat))
        elif isinstance(message, Hint):
            table.hint(message)
        elif (game := table.settled_game()) is None or holder.assessments.is_running:
            self.refuse(message, ErrorCode.TRY_AGAIN)
        elif game.outcome is not None:
            self.refuse(message, ErrorCode.GAME_OVER)
        else:
            holder.assessments.start(table.played.n, game)
