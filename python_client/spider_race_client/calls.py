"""What a program has asked for and the server has not answered yet; no I/O.

1. One queue has all calls: the one that takes the seat, acts, questions and commands. They are
   sent in their order, each once a connection, and again on the next one until they are answered.
2. Of each kind one call is with the server at a time, and of acts `MAX_IN_FLIGHT`. A call that
   was cancelled before it was sent is withdrawn.
3. The server handles the messages of a connection in their order. So a ping behind a command is
   answered once the command is done, and the pong ends it, whatever else has come meanwhile.
4. An act keeps its id on all connections, under which the server applies it once. Acts that the
   store has lost are offered again before all others, under new ids, and marked `again`.
5. A command about a round that is over when it could be sent again counts as done: otherwise it
   would be refused, or end the next round. Before a line of chat is sent again, a ping alone
   brings the chat that was missed, and shows whether the line is among it.
"""

import asyncio
import secrets
import time
from dataclasses import dataclass, field
from typing import Any, Literal

from protocol import from_client, to_client
from protocol.from_client import Act, ClientMessage, Ping, Say
from protocol.vocabulary import MAX_IN_FLIGHT, ErrorCode, RoomState
from spider_race_client.errors import ActLost, BadRequest, RaceError, Refused
from spider_race_client.race_state import RaceState
from spider_race_client.table import Table

RETRY_S = 1.0
"""The wait before a call is sent again that the store could not answer."""
Kind = Literal["seat", "act", "hint", "assess", "command"]
_KINDS: dict[str, Kind] = {
    **dict.fromkeys(("create", "join", "resume"), "seat"),
    "act": "act",
    "hint": "hint",
    "assess": "assess",
}
_ABOUT_THE_NEXT_ROUND = {"choose", "next_round", "ready", "rematch", "start"}
_ABOUT_THIS_ROUND = {"abort", "add_stand_in", "chase", "end", "forfeit"}


def _new_answer() -> asyncio.Future[Any]:
    answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    # An error for which nobody waits is none to report.
    answer.add_done_callback(lambda done: done.cancelled() or done.exception())
    return answer


@dataclass(eq=False, slots=True)
class _Call:
    """A message that the server has not answered."""

    message: ClientMessage  # an act gets its id and its place when it is sent first
    answer: asyncio.Future[Any] = field(default_factory=_new_answer)  # a table, a hint or None
    is_sent: bool = False  # on the present connection
    was_sent: bool = False  # ever
    is_postponed: bool = False  # the store could not answer it
    is_void: bool = False  # its reply no longer matters, and it is not sent again
    round: int = 0  # the number of the round when it was sent first, 0 in the lobby
    sent_after: float = 0.0  # the `t` of the latest ping before it
    is_said: bool | None = None  # whether a line whose answer was lost has come back

    @property
    def kind(self) -> Kind:
        return _KINDS.get(self.message.type, "command")

    def lose_answer(self) -> None:
        """Be sent again."""
        self.is_sent = False
        if self.was_sent and isinstance(self.message, Say):
            self.is_said = self.is_said or False

    def end(self, result: object) -> None:
        """Let the program go on with a result or an error, unless it has given up."""
        if self.answer.done():
            return
        if isinstance(result, RaceError):
            self.answer.set_exception(result)
        else:
            self.answer.set_result(result)


class Calls:
    """The calls of a seat that are not answered, in their order."""

    def __init__(self, state: RaceState) -> None:
        self.changed = asyncio.Event()
        """Set when there may be another message to send."""
        self.is_seated = False
        """Whether the present connection has the seat."""
        self.state = state
        self._calls: list[_Call] = []
        self._owes_ping = False
        self._ping_t = 0.0  # of the latest ping
        self._is_synced = False  # whether the table is that of the present connection
        self._next_id = 1
        self._doomed_up_to = 0  # acts in flight up to this id follow a refused one

    def add(self, message: ClientMessage) -> asyncio.Future[Any]:
        """Add a call and return its answer; cancelling that withdraws a call that is not sent.

        A message gets an id of the client's if it can have one, so that it is done once.
        """
        if getattr(message, "attempt", None) == "":
            message = message.model_copy(update={"attempt": secrets.token_urlsafe(24)})
        self._calls.append(_Call(message))
        self.changed.set()
        return self._calls[-1].answer

    def ping(self) -> None:
        """Send a ping before all others."""
        self._owes_ping = True
        self.changed.set()

    def begin_connection(self) -> None:
        """Send on a new connection what is unanswered, but for what was given up."""
        self.is_seated = self._is_synced = self._owes_ping = False
        self._calls = [
            each
            for each in self._calls
            if not each.is_void and (each.kind == "act" or not each.answer.done())
        ]
        for each in self._calls:
            each.lose_answer()
            each.is_postponed = False
        state = self.state
        if state.known_room is not None and state.token:
            code, seat, token = state.known_room.code, state.seat, state.token
            self.add(from_client.Resume(room=code, seat=seat, token=token, have=state.said_v))

    def next_message(self) -> ClientMessage | None:
        """Return the message that is to be sent now, and take it as sent; None if none is."""
        if self._owes_ping:
            self._owes_ping = False
            self._ping_t = max(time.monotonic() * 1_000, self._ping_t + 0.001)
            return Ping(t=self._ping_t)
        for each in [each for each in self._calls if not each.is_sent and self._is_past(each)]:
            each.end(None)
            self._calls.remove(each)
        blocked: set[Kind] = {each.kind for each in self._calls if each.is_sent} - {"act"}
        for each in self._calls:
            if not each.is_sent and not each.is_void and each.kind not in blocked:
                if self._can_send(each):
                    return self._send(each)
                blocked.add(each.kind)
        return None

    def _is_past(self, call: _Call) -> bool:
        """Return whether a call is withdrawn, or its round is over, so that it is not sent."""
        room, command = self.state.known_room, call.message.type
        if not call.was_sent:
            return call.answer.done() or call.is_void
        if room is None or self.state.round_number == call.round:
            return False
        is_for_next = command in _ABOUT_THE_NEXT_ROUND and room.state is RoomState.FINISHED
        return is_for_next or command in _ABOUT_THIS_ROUND

    def _can_send(self, call: _Call) -> bool:
        if call.kind != "act":
            return not call.is_postponed and self.is_seated == (call.kind != "seat")
        if not self._is_synced or call.was_sent:
            return self._is_synced
        ids = [act.id for each, act in self._acts() if each.was_sent]
        unanswered = sum(each.is_sent for each in self._calls if each.kind == "act")
        return unanswered < MAX_IN_FLIGHT and (not ids or ids[0] > self._doomed_up_to)

    def _send(self, call: _Call) -> ClientMessage | None:
        """Take a call as sent, and return what is to be sent for it."""
        call.is_sent, call.sent_after = True, self._ping_t
        if not call.was_sent:
            call.round = self.state.round_number
            if isinstance(call.message, Act):
                self._number(call, call.message)
        call.was_sent = True
        self._owes_ping = call.kind == "command"
        if call.is_said is not None:
            return self.next_message()  # the ping alone
        return call.message

    def take(  # noqa: C901  # a case a message
        self, message: to_client.ServerMessage
    ) -> None:
        """Take a message that may be the reply to a call."""
        match message:
            case to_client.Joined():
                self.is_seated = True
                self._end("seat", None)
            case to_client.TableMessage() if self.state.is_own(message.table):
                self.take_table(Table.of(message.table))
            case to_client.Acted():
                self._take_acted(message)
            case to_client.Hinted():
                self._end("hint", message)
            case to_client.Assessed():
                self._end("assess", message)
            case to_client.Refused() if message.command == "act":
                self._take_refused_act(message)
            case to_client.Refused():
                self._take_refused(_KINDS.get(message.command, "command"), message)
            case to_client.Error() if self.is_seated:
                call = self._sent("command")
                self._end("command", call and BadRequest(call.message.type, message.where))
            case to_client.Said():
                self._take_said(message)
            case to_client.Pong():
                self._take_pong(message.t)
            case _:
                pass
        self.changed.set()

    @property
    def is_leaving(self) -> bool:
        """Whether the seat may be given up: that was sent, and not answered."""
        return any(each.was_sent and each.message.type == "leave" for each in self._calls)

    def end_leaving(self) -> None:
        """End well what gives the seat up."""
        for each in self._calls:
            if each.message.type == "leave":
                each.end(None)

    def fail(self, error: RaceError) -> None:
        """Fail all calls."""
        for each in self._calls:
            each.end(error)
        self._calls.clear()

    def _sent(self, kind: Kind) -> _Call | None:
        """Return the call of a kind that is with the server."""
        return next((each for each in self._calls if each.is_sent and each.kind == kind), None)

    def _end(self, kind: Kind, result: object) -> None:
        call = self._sent(kind)
        if call is not None:
            self._calls.remove(call)
            call.end(result)

    def _take_refused(self, kind: Kind, message: to_client.Refused) -> None:
        """End a call with its refusal, or send it again a little later if the store is away."""
        call = self._sent(kind)
        if call is None or message.code is not ErrorCode.TRY_AGAIN or call.answer.done():
            self._end(kind, Refused(message.command, message.code, message.details))
            return
        call.lose_answer()
        call.is_postponed = True
        asyncio.get_running_loop().call_later(RETRY_S, self._send_again, call)

    def _send_again(self, call: _Call) -> None:
        call.is_postponed = False
        self.changed.set()

    def _take_said(self, said: to_client.Said) -> None:
        for each in self._calls:
            if each.is_said is False and isinstance(line := each.message, Say):
                is_same = (line.text, line.emote) == (said.text, said.emote)
                each.is_said = is_same and said.seat == self.state.seat

    def _take_pong(self, ping_t: float) -> None:
        """End the command that was sent before this ping."""
        command = self._sent("command")
        if command is None or ping_t <= command.sent_after:
            return
        if command.is_said is False:
            command.is_sent = command.was_sent = False
            command.is_said = None
        else:
            self._end("command", None)

    # Acts

    def begin_round(self) -> None:
        """Forget the table: another round begins, and its table will come."""
        self._is_synced = False
        self.state.log.clear()
        for each, _ in self._acts():
            each.end(ActLost("Its round has ended without a reply."))
            each.is_void = True

    def expect_no_table(self) -> None:
        """Send the unanswered acts again: the round is over and repeats its replies only."""
        self._is_synced = True

    def _acts(self) -> list[tuple[_Call, Act]]:
        """Return the acts whose replies matter."""
        return [
            (each, each.message)
            for each in self._calls
            if isinstance(each.message, Act) and not each.is_void
        ]

    def _number(self, call: _Call, act: Act) -> None:
        """Give an act its id and its place in the log, behind those in flight."""
        ends = (act.at + 1 for each, act in self._acts() if each.was_sent)
        at = max((self.state.log.at, *ends))
        call.message = act.model_copy(update={"id": self._next_id, "at": at})
        self._next_id += 1

    def take_table(self, table: Table) -> None:
        """Take the seat's whole table, which comes at the deal and after failures."""
        self._next_id = max(self._next_id, table.last_id + 1)
        self._is_synced = True
        lost = self.state.log.take_table(table)
        if lost is not None:
            self._offer_again(*lost)

    def _offer_again(self, actions: list[str], is_whole: bool) -> None:  # noqa: FBT001
        """Offer lost acts again; without some of them, acts made for a later position are lost."""
        calls = [_Call(Act(id=1, at=0, action=each, again=True)) for each in actions]
        for each, act in self._acts():
            if not is_whole:
                each.end(ActLost("The store has lost the position before it."))
            elif not act.again:
                calls.append(_Call(act, each.answer))
            each.is_void = True
        self._calls = calls + [each for each in self._calls if each.is_sent or not each.is_void]

    def _take_acted(self, message: to_client.Acted) -> None:
        call = self._act(message.id)
        act = call.message if call is not None and not call.is_void else None
        self.state.log.take_acted(message, act if isinstance(act, Act) else None)
        if call is not None:
            self._calls.remove(call)
            if act is not None:
                call.end(self.state.log.table)

    def _take_refused_act(self, message: to_client.Refused) -> None:
        """Drop a refused act; those that follow it are refused too, before others are sent."""
        call = self._act(message.id)
        if call is not None and message.code is ErrorCode.TRY_AGAIN and not call.is_void:
            # The store is away, and the act may be stored. A table follows when it is back.
            call.is_sent = self._is_synced = False
        elif call is not None:
            self._calls.remove(call)
            if not call.is_void:
                self._refuse_act(call, message)
        if message.table is not None:
            self.take_table(Table.of(message.table))

    def _refuse_act(self, call: _Call, message: to_client.Refused) -> None:
        acts = self._acts()
        self._doomed_up_to = max((other.id for each, other in acts if each.was_sent), default=0)
        call.end(Refused("act", message.code, message.details))
        act, table = call.message, message.table
        if isinstance(act, Act) and act.again and (table is None or table.at > act.at):
            # Another connection of the seat has acted instead. A shorter table means that the
            # store has lost more: then all of it is offered.
            self.state.log.forget_from(act.at)
            for each, other in acts:
                each.is_void = other.again and not each.was_sent

    def _act(self, act_id: int | None) -> _Call | None:
        """Return the act of this id that is not answered."""
        for each in self._calls:
            if isinstance(each.message, Act) and each.was_sent and each.message.id == act_id:
                return each
        return None
