"""The witness of a scripted player: it notes what one client sends and receives.

The client connects again, resumes its seat, and sends its acts again. The witness checks the order
and the time of all answers, and notes what the checker compares with the logs.
"""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from socket import socket as Socket  # noqa: N812  # a visit has a socket of its own

from spider_race_client import Observer, Table
from spider_race_client.race_state import RaceState
from websockets.asyncio.client import ClientConnection

from protocol import from_client, to_client
from protocol.views import TableSnapshot
from protocol.vocabulary import FIRST_FINAL_CODE, CloseCode, ErrorCode, RoomState, SeatState
from tests.faults.notes import Ack, Notes, Ranking, Sent, Shown

PATIENCE_S = 15.0
"""The longest wait for an answer or a table on a connection that works."""
GHOST_S = 30.0
"""Time for which a resume that was abandoned before its answer may still take the seat."""
EXPECTED = {1000, 1001, 1006, CloseCode.DRAINING, CloseCode.RESYNC, CloseCode.NO_PONG}
PASSING = {ErrorCode.TRY_AGAIN, ErrorCode.TOO_MANY_JOINS}
ROUND_OVER = {ErrorCode.TOO_LATE, ErrorCode.NOT_RACING}
NO_COMMANDS = {"act", "cards", "create", "hint", "join", "ping", "resume", "watch"}
"""Messages that are answered with other messages than the room or a refusal."""


@dataclass(slots=True)
class Visit:
    """One connection of a client."""

    socket: ClientConnection
    port: int
    is_of_last_release: bool = False
    """Whether the last release serves it."""
    waiting: deque[Sent] = field(default_factory=deque)
    """The acts that are not answered, in the order in which they were sent."""
    pings: deque[float] = field(default_factory=deque)
    """The pings that are not answered."""
    last_sent: float = 0.0
    """The time of the latest act."""
    is_joined: bool = False
    is_broken: bool = False
    """Whether the player itself has broken it."""
    said: int = 0
    """The event of the latest line of chat."""

    def cut(self, *, mid_frame: bool = False) -> None:
        """Abort the socket, with `mid_frame` in the middle of a frame."""
        self.is_broken = True
        transport = self.socket.transport
        if mid_frame and not transport.is_closing():
            # The header of a masked text frame of 90 bytes, and ten bytes of its payload.
            transport.write(b"\x81\xda\x01\x02\x03\x04" + bytes(10))
        transport.abort()

    def leave_open(self) -> Socket | None:
        """Abort the client's side alone; return what keeps the connection open for the server.

        A connection that is lost already is none for the server either.
        """
        transport = self.socket.transport
        kept = None if transport.is_closing() else transport.get_extra_info("socket").dup()
        self.cut()
        return kept


class Witness(Observer):
    """Notes the traffic of one client, which is one tab of the seat's owner."""

    def __init__(
        self, notes: Notes, number: int, is_last_release: Callable[[int], bool] = lambda _: False
    ) -> None:
        self.notes = notes
        self.number = number
        self.state = RaceState(-1, "")
        self.visit: Visit | None = None
        self.is_done = False
        """Whether another tab takes the seat, or the player leaves."""
        self._is_last_release = is_last_release
        self._acts: dict[int, Sent] = {}
        self._owed: set[int] = set()  # the places of lost acts that have to be offered again
        self._command: tuple[str, float] | None = None
        self._state_since = time.monotonic()
        self._table_due: float | None = None
        self._too_late_since: float | None = None
        self._lost_at: float | None = None

    @property
    def is_running(self) -> bool:
        """Whether the round is running, by the messages received."""
        return self.state.room is not None and self.state.room.state is RoomState.RUNNING

    @property
    def seconds_in_state(self) -> float:
        """The time for which the room has been in its state."""
        return time.monotonic() - self._state_since

    def _is_racing(self) -> bool:
        own = self.state.own_seat
        return self.is_running and own is not None and own.state is SeatState.RACING

    def connection_opened(self, socket: ClientConnection) -> None:
        port = socket.remote_address[1]
        self.visit = Visit(socket, port, self._is_last_release(port))
        self.notes.write(f"tab {self.number} connected to {port}")

    def connection_closed(self, code: int) -> None:
        """Check how a connection ended."""
        visit, self.visit = self.visit, None
        if visit is None:
            return
        self.notes.write(f"tab {self.number} left {visit.port}: {code}")
        self._command = self._table_due = None
        self._lost_at = self._lost_at or time.monotonic()
        if not visit.is_joined:
            self.notes.unfinished_at = time.monotonic()
        if visit.is_broken:
            return
        self.notes.closes[code] += 1
        if code < FIRST_FINAL_CODE:
            if code not in EXPECTED:
                self.notes.oddities.append(f"closed {code} at {visit.port}")
        elif not self.is_done:
            is_recent = time.monotonic() - self.notes.unfinished_at < GHOST_S
            if code == CloseCode.REPLACED and is_recent:
                self.notes.own_ghosts += 1
            else:
                self.notes.stranded.append(f"closed {code} at {visit.port}")

    # Messages to the server

    def message_sent(self, message: from_client.ClientMessage) -> None:
        assert self.visit is not None, "messages are sent on open connections"
        if isinstance(message, from_client.Act):
            self._note_act(self.visit, message)
        elif isinstance(message, from_client.Ping):
            self.visit.pings.append(message.t)
        elif message.type not in NO_COMMANDS:
            self._command = (message.type, time.monotonic())

    def _note_act(self, visit: Visit, act: from_client.Act) -> None:
        sent = self._acts.get(act.id)
        if sent is None:
            n = self.state.round_number
            sent = Sent(n, self.number, act.id, act.at, act.action, again=act.again)
            self._acts[act.id] = sent
            self.notes.acts.append(sent)
        if act.again:
            self._owed.discard(act.at)
        elif self._owed:
            self.notes.disorder.append(f"{sent}, before lost acts were offered again")
            self._owed.clear()
        sent.tries += 1
        visit.waiting.append(sent)
        visit.last_sent = time.monotonic()

    # Messages from the server

    def message_received(  # noqa: C901  # a case a message
        self, message: to_client.ServerMessage
    ) -> None:
        visit = self.visit
        assert visit is not None, "messages are received on open connections"
        match message:
            case to_client.Joined():
                self._handle_joined(visit, message)
            case to_client.RoomMessage() | to_client.Changes():
                self._handle_room(message)
            case to_client.TableMessage() if not self.is_running:
                self.notes.oddities.append("a table outside a race")
            case to_client.TableMessage():
                self._handle_table(message.table, self.state.round_number)
            case to_client.Acted():
                self._handle_acted(visit, message)
            case to_client.Refused():
                self._handle_refused(visit, message)
            case to_client.RoundOver():
                known = self.notes.rankings.setdefault(message.n, [])
                if not known or known[-1].ranking != message.ranking:
                    known.append(Ranking(time.monotonic(), message.ranking))
            case to_client.Said():
                self._handle_said(visit, message)
            case to_client.Pong():
                self._handle_pong(visit, message)
            case to_client.Error():
                self.notes.oddities.append(f"error {message.code} in {message.where}")
            case _:
                pass  # standings

    def _handle_joined(self, visit: Visit, message: to_client.Joined) -> None:
        visit.is_joined = True
        self.notes.write(f"tab {self.number} joined at {visit.port}")
        self.notes.room, self.notes.seat = message.room.code, message.seat
        if self._lost_at is not None:
            self.notes.resumes += 1
            away_ms = (time.monotonic() - self._lost_at) * 1_000
            self.notes.longest_away_ms = max(self.notes.longest_away_ms, away_ms)
            self._lost_at = None
        self._handle_room(message)
        self._state_since = self._table_due = time.monotonic()

    def _handle_room(
        self, message: to_client.Joined | to_client.RoomMessage | to_client.Changes
    ) -> None:
        self._command = None
        v = message.v if isinstance(message, to_client.Changes) else message.room.v
        known = self.state.room
        if known is not None and v < known.v:
            self.notes.rooms_back += 1
            self.notes.write(f"room v {v} after {known.v}")
        before = (known and known.state, self.state.round_number)
        list(self.state.take(message))
        if self.state.room and before != (self.state.room.state, self.state.round_number):
            self._state_since = time.monotonic()
            self._table_due = self._state_since if self.is_running else None
            self._too_late_since = None
            self._owed.clear()

    def _handle_table(self, table: TableSnapshot, n: int) -> None:
        is_current = self.is_running and n == self.state.round_number
        lost = self.notes.take_back(n, table.at)
        if lost:
            self.notes.write(f"tab {self.number} misses {len(lost)} acts from {table.at} on")
        if is_current:
            self._table_due = None
            for sent in lost:  # those behind an act of another tab cannot be offered again
                if sent.tab != self.number:
                    break
                self._owed.add(sent.at)
        self.notes.shown.append(Shown.of(n, self.number, Table.of(table)))

    def _answered(self, visit: Visit, act_id: int | None, answer: str) -> Sent | None:
        """Return the act of a reply, which must be the oldest unanswered one."""
        found = next((sent for sent in visit.waiting if sent.id == act_id), None)
        if found is None:
            self.notes.oddities.append(f"{answer} for id {act_id}, which did not wait")
            return None
        if found is not visit.waiting[0]:
            self.notes.disorder.append(
                f"{answer} for id {act_id} before the answer to id {visit.waiting[0].id}"
            )
        visit.waiting.remove(found)
        return found

    def _handle_acted(self, visit: Visit, message: to_client.Acted) -> None:
        sent = self._answered(visit, message.id, "acted")
        if sent is not None:
            now = time.monotonic()
            sent.acks.append(Ack(message.at, message.score, message.elapsed_ms, now))
            self.notes.acks_of_last_release += visit.is_of_last_release
            self.notes.acknowledged.setdefault(sent.n, {})[sent.at] = sent
            self._too_late_since = None

    def _handle_refused(self, visit: Visit, message: to_client.Refused) -> None:
        code, command = message.code, message.command
        self.notes.refusals[f"{command} {code}"] += 1
        self.notes.write(f"tab {self.number} refused {command} {code}")
        if command == "act":
            sent = self._answered(visit, message.id, f"refused {code}")
            if sent is not None:
                self._handle_refused_act(sent, message)
        elif command not in {"create", "join", "resume"}:
            self._command = None
        elif code not in PASSING and not visit.is_joined:
            self.notes.stranded.append(f"{command} refused: {code}")

    def _handle_refused_act(self, sent: Sent, message: to_client.Refused) -> None:
        if message.table is not None:
            self._handle_table(message.table, sent.n)
        if message.code is ErrorCode.TRY_AGAIN:
            return
        sent.refused = message.code
        if sent.again:  # the client offers none of the others
            self._owed.clear()
        # An act of an earlier round may be answered only in this one.
        if message.code in ROUND_OVER and sent.n == self.state.round_number:
            self._too_late_since = self._too_late_since or time.monotonic()

    def _handle_said(self, visit: Visit, message: to_client.Said) -> None:
        if message.v <= visit.said:
            self.notes.oddities.append(f"said {message.v} after {visit.said}")
        visit.said = message.v
        self.notes.lines += 1
        if message.seat == self.notes.seat and self._command and self._command[0] == "say":
            self._command = None

    def _handle_pong(self, visit: Visit, message: to_client.Pong) -> None:
        if not visit.pings or message.t != visit.pings.popleft():
            self.notes.oddities.append(f"a pong that answers no ping: {message.t}")
        for problem in self.problems(visit, time.monotonic())[:1]:
            self.notes.silence.append(f"{problem} at {visit.port}")
            self.notes.write(f"tab {self.number}: {problem}")
            visit.cut()

    def problems(self, visit: Visit, now: float) -> list[str]:
        """Return what has not come in time, though the connection works."""
        room, found = self.state.room, []
        if room is None:
            return []
        limit = room.settings.time_limit_s
        most = {
            RoomState.COUNTDOWN: 5 + PATIENCE_S,
            RoomState.RUNNING: (limit or 1e9) + PATIENCE_S,
        }
        if visit.waiting and now - visit.last_sent > PATIENCE_S:
            found.append(f"no answer to the act {visit.waiting[0]}")
        if self._command is not None and now - self._command[1] > PATIENCE_S:
            found.append(f"no answer to {self._command[0]}")
        if now - self._state_since > most.get(room.state, 1e9):
            found.append(f"the room is still {room.state}")
        # A player that has given up waits for the others.
        racing = self._is_racing()
        if racing and self._table_due is not None and now - self._table_due > PATIENCE_S:
            found.append("no table")
        if racing and self._too_late_since and now - self._too_late_since > PATIENCE_S:
            found.append("acts are too late, but the round is not over")
        return found
