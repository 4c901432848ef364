"""The calls of a program that the server has not answered yet; no I/O.

1. All calls are in one queue. The first one is sent, and sent again on each new connection until
it is answered. A call that is cancelled before it is sent is withdrawn.
2. The server handles the messages of a connection in order. So a ping sent after a command is
answered once the command is done, and its pong ends the call.
3. A call that changes something has an id from the client, so that it is done once: an act its
`id`, anything else its `attempt`.
4. Acts that the store has lost are sent again before all others, as `again`, with new ids.
"""

import asyncio
import secrets
import time
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from protocol import from_client, to_client
from protocol.from_client import Act, Assess, ClientMessage, Hint
from protocol.to_client import RefusalDetails
from protocol.vocabulary import ErrorCode, SeatState
from spider_race_client.errors import ActLost, BadRequest, RaceError, Refused
from spider_race_client.race_state import RaceState
from spider_race_client.table import Table

_ENDS_THE_RACE = {"leave", "delete_table"}
_HAVE_REPLIES = Act | Hint | Assess  # any other call is done when the ping after it is answered
_ABOUT_A_ROUND = {"abort", "add_stand_in", "chase", "end", "forfeit"}


@dataclass(eq=False, slots=True)
class _Call:
    """A message that the server has not answered."""

    message: ClientMessage  # an act gets its id and `at` when it is first sent
    answer: asyncio.Future[Any] = field(default_factory=asyncio.Future)  # a table, a hint or None
    was_sent: bool = False
    answered_after: float = 0.0  # only a pong with a higher `t` ends it, or sends it again
    is_postponed: bool = False  # whether to send it again, since the store was unavailable

    def end(self, result: object) -> None:
        """Give the program a result or an error, if it is still waiting."""
        if self.answer.done():
            return
        if isinstance(result, RaceError):
            self.answer.set_exception(result)
            self.answer.exception()  # otherwise asyncio logs an error that the program ignores
        else:
            self.answer.set_result(result)


class Calls:
    """The unanswered calls of a seat, in order."""

    def __init__(self, state: RaceState, first: from_client.FirstMessage) -> None:
        """Take a seat with the message `first`, and take it again on later connections."""
        self.state = state
        self.changed = asyncio.Event()  # set when there may be another message to send
        self._seating = _Call(_with_attempt(first))
        self.seated = self._seating.answer
        self._calls: list[_Call] = []
        self._log: list[str] = []  # the actions of the game; "" if not made here
        self._next_id = 1  # of an act
        self._ping_t = 0.0  # the `t` of the latest ping
        self.begin_connection()

    def add(self, message: ClientMessage) -> asyncio.Future[Any]:
        """Add a call and return the future answer; cancel that to withdraw an unsent call."""
        self._calls.append(_Call(_with_attempt(message)))
        self.changed.set()
        return self._calls[-1].answer

    def ping(self) -> None:
        """Send a ping before any waiting message."""
        self._owes_ping = True
        self.changed.set()

    def begin_connection(self) -> None:
        """Prepare to send the unanswered calls on a new connection; drop those given up."""
        self.is_seated = False  # whether this connection has the seat
        self.may_act = False  # whether this connection has received the table
        self._awaits_reply = False  # to the first of `_calls`, or to `_seating` if not seated
        self._owes_ping = False  # whether the next message is a ping
        self._calls = [call for call in self._calls if not call.answer.done()]
        seat, token, room = self.state.seat, self.state.token, self.state.known_room
        if room is not None and token:  # not the first connection
            own = {"room": room.code, "seat": seat, "token": token, "have": self.state.said_v}
            self._seating.message = from_client.Resume.model_validate(own)

    def next_message(self) -> ClientMessage | None:
        """Return the next message and count it as sent, or None if no message waits."""
        if self._owes_ping:
            self._owes_ping = False
            # Always higher than before, even if the clock has not moved: no two pongs are equal.
            self._ping_t = max(time.monotonic() * 1_000, self._ping_t + 0.001)
            return from_client.Ping(t=self._ping_t)
        if self._awaits_reply:
            return None
        if not self.is_seated:
            self._awaits_reply = True
            return self._seating.message
        self._calls = [call for call in self._calls if call.was_sent or not call.answer.done()]
        if not self._calls or (isinstance(self._calls[0].message, Act) and not self.may_act):
            return None
        call = self._calls[0]
        if isinstance(call.message, Act) and not call.was_sent:
            position = {"id": self._next_id, "at": self.state.table.at if self.state.table else 0}
            call.message = call.message.model_copy(update=position)
            self._next_id += 1
        self._awaits_reply, call.was_sent, call.is_postponed = True, True, False
        call.answered_after = self._ping_t
        self._owes_ping = not isinstance(call.message, _HAVE_REPLIES)  # its pong ends the call
        return call.message

    def handle(self, message: to_client.ServerMessage) -> None:  # noqa: C901  # one case per message type
        """Handle a message, which may answer the call that was sent to the server.

        Raise BadRequest if the server cannot read the message that takes the seat.
        """
        call = self._calls[0] if self._awaits_reply and self.is_seated else None
        asked = None if call is None else call.message
        match message:
            case to_client.Joined():
                self.is_seated, self._awaits_reply = True, False
                self._seating.end(None)
            case to_client.TableMessage() if self.state.is_own(message.table):
                self.handle_table(Table.of(message.table))
            case to_client.Acted():
                self._handle_acted(message, asked)
            case to_client.Refused() if asked is not None:
                self._handle_refused(message, asked)
            case to_client.Hinted() | to_client.Assessed() | to_client.CarryCode():
                if isinstance(asked, Hint | Assess | from_client.Carry):
                    self._end(message)
            case to_client.Error() if not self.is_seated:
                raise BadRequest(self._seating.message.type, message.where)
            case to_client.Error() if asked is not None:
                self._end(BadRequest(asked.type, message.where))
            case to_client.StandingsMessage() if not self.may_act and self._has_ended(message):
                self._end_acts(ActLost("The game was over, and its table does not come again."))
            case to_client.Pong() if call is not None and message.t > call.answered_after:
                if call.is_postponed:
                    self._awaits_reply = False  # send it again
                elif not isinstance(asked, _HAVE_REPLIES):  # answers the ping sent after it
                    self._end(None)
        self.changed.set()

    def _has_ended(self, message: to_client.StandingsMessage) -> bool:
        """Return whether standings show that this seat has given up or run out of time."""
        ends = {SeatState.FORFEIT, SeatState.TIMED_OUT}
        return any(row.seat == self.state.seat and row.state in ends for row in message.standings)

    @property
    def is_leaving(self) -> bool:
        """Whether a message that gives up the seat was sent, but not answered."""
        return any(each.was_sent and each.message.type in _ENDS_THE_RACE for each in self._calls)

    def fail(self, error: RaceError, *, has_left: bool) -> None:
        """Fail all calls; but if the seat `has_left`, a call to leave has succeeded."""
        for each in (self._seating, *self._calls):
            each.end(None if has_left and each.message.type in _ENDS_THE_RACE else error)
        self._calls.clear()

    def _end(self, result: object) -> None:
        """End the call that was sent, with a result or an error."""
        self._awaits_reply = False
        self._calls.pop(0).end(result)

    def _handle_refused(self, message: to_client.Refused, asked: ClientMessage) -> None:
        """End the call of `asked` with its refusal; retry it if the store was unavailable."""
        call, act = self._calls[0], asked if isinstance(asked, Act) else None
        is_reply = message.command == asked.type and (act is None or message.id == act.id)
        is_away = is_reply and message.code is ErrorCode.TRY_AGAIN
        if is_away and act is not None:  # it may be stored: the table that comes later shows it
            self._awaits_reply = self.may_act = False
        elif is_away and not call.answer.done():
            # The ping right after it is answered at once. Retry only after the next regular ping.
            call.is_postponed, call.answered_after = True, time.monotonic() * 1_000
        elif is_reply:
            self._end(Refused(message.command, message.code, message.details))
            if act is not None:
                self._drop_acts_after(act, message)
        if message.table is not None:
            self.handle_table(Table.of(message.table))

    def begin_round(self) -> None:
        """Forget the table, since the new round has its own."""
        self.may_act, self.state.table, self._log = False, None, []
        self._end_acts(ActLost("Its round has ended without a reply."))
        # Don't resend a command left unanswered by the last connection: it was for another round.
        unanswered = self._calls[0] if self._calls and not self.is_seated else None
        if unanswered and unanswered.was_sent and unanswered.message.type in _ABOUT_A_ROUND:
            self._end(None)

    def handle_table(self, table: Table) -> None:
        """Handle the seat's whole table, which comes with the deal and after failures.

        If it has fewer acts than the log, the store has lost the others. They are sent again, up
        to the first one made by another connection. If there is one, all waiting acts are lost.
        """
        self._next_id = max(self._next_id, table.last_id + 1)
        self.may_act, self.state.table = True, table
        lost = self._log[table.at :]
        known = list(takewhile(bool, lost))
        self._log[table.at :] = known
        self._log += [""] * (table.at - len(self._log))
        if len(known) < len(lost):
            self._end_acts(ActLost("The store has lost the position before it."))
        if lost or any(map(_repeats_lost_act, self._calls)):
            if not self._calls or isinstance(self._calls[0].message, Act):
                self._awaits_reply = False  # an act that was sent will be sent again
            repeated = [_Call(Act(id=1, at=0, action=each, again=True)) for each in known]
            others = [call for call in self._calls if not _repeats_lost_act(call)]
            for call in others:
                if isinstance(call.message, Act):
                    call.was_sent = False  # it gets another id and `at`
            sent = others[:1] if self._awaits_reply else []  # a command, which stays first
            self._calls = sent + repeated + others[len(sent) :]

    def _handle_acted(self, message: to_client.Acted, asked: ClientMessage | None) -> None:
        """Apply an act to the table; end the program's call if it made this act (`asked`)."""
        if self.state.table is not None:
            self.state.table = self.state.table.after(message)
        self._log += [""] * (message.at - len(self._log))  # perhaps made by another connection
        if isinstance(asked, Act) and asked.id == message.id:
            self._log[asked.at] = asked.action
            self._end(self.state.table)

    def _drop_acts_after(self, act: Act, message: to_client.Refused) -> None:
        """End the acts made on top of `act`, which the server has refused by `message`."""
        has_lost_more = message.table is not None and message.table.at <= act.at
        if not act.again:
            self._end_acts(Refused("act", ErrorCode.STALE, RefusalDetails()))
        elif not has_lost_more:  # otherwise `handle_table` sends all lost acts again
            # Another connection of the seat has acted instead.
            del self._log[act.at :]
            self._calls = [call for call in self._calls if not _repeats_lost_act(call)]

    def _end_acts(self, error: RaceError) -> None:
        """Remove all acts from the queue and fail them with an error."""
        acts = [call for call in self._calls if isinstance(call.message, Act)]
        if acts and acts[0] is self._calls[0]:
            self._awaits_reply = False
        self._calls = [call for call in self._calls if call not in acts]
        for act in acts:
            act.end(error)


def _repeats_lost_act(call: _Call) -> bool:
    return isinstance(call.message, Act) and call.message.again


def _with_attempt(message: Any) -> Any:
    """Return a message, with a new `attempt` (3 above) if it can have one and has none."""
    drawn = {"attempt": secrets.token_urlsafe(24)}
    return message.model_copy(update=drawn) if getattr(message, "attempt", None) == "" else message
