"""The witness of a scripted player: it notes what one client sends and receives.

The client connects again, resumes its seat, and sends its acts again. The witness checks the order
of all answers, and writes the notes that the checker compares with the logs after the run.
"""

import time
from collections import deque
from dataclasses import dataclass, field
from socket import socket as Socket  # noqa: N812  # a visit has a socket of its own
from typing import NamedTuple

from spider_race_client import Table
from spider_race_client.race_state import RaceState
from websockets.asyncio.client import ClientConnection

from protocol import from_client, to_client
from protocol.views import Standing, TableSnapshot
from protocol.vocabulary import FIRST_FINAL_CODE, CloseCode, ErrorCode, RoomState
from tests.observer import Observer

EXPECTED = {1000, 1001, 1006, CloseCode.DRAINING, CloseCode.RESYNC, CloseCode.NO_PONG}
TAKE_A_SEAT = {"create", "join", "resume", "take_over"}
PASSING = {ErrorCode.TRY_AGAIN, ErrorCode.TOO_MANY_JOINS}


Pile = tuple[str, int, tuple[str, ...]]


class Ack(NamedTuple):
    """An `acted` message: the length of the log, and the score and time after these entries."""

    at: int
    score: int
    elapsed_ms: int


@dataclass(slots=True)
class Sent:
    """One act in round `n`: its sender, its content, and every answer to it.

    `tab` is the number of the sending tab of this seat; tabs share no state, so an id is unique
    only within a tab. `refused` is the code of a final refusal. `again` marks an act that was
    acknowledged before and is sent again to a store that has lost it.
    """

    n: int
    tab: int
    id: int
    at: int
    action: str
    tries: int = 0
    acks: list[Ack] = field(default_factory=list)
    acked_s: float = 0.0  # the time of the last of them, by this machine's monotonic clock
    refused: str | None = None
    again: bool = False

    @property
    def may_stand(self) -> bool:
        """Whether the act may be in the log; an act that was refused at its first try is not."""
        return self.refused is None or self.tries > 1 or bool(self.acks)

    def __str__(self) -> str:
        return f"round {self.n}, tab {self.tab}, id {self.id}, at {self.at}: {self.action}"


class Shown(NamedTuple):
    """A whole table that a tab had in round `n`."""

    n: int
    tab: int
    at: int
    score: int
    piles: tuple[Pile, ...]

    @classmethod
    def of(cls, n: int, tab: int, table: Table) -> "Shown":
        piles = ((name, pile.face_down, pile.cards) for name, pile in table.piles.items())
        return cls(n, tab, table.at, table.score, tuple(piles))


@dataclass(slots=True)
class Notes:
    """Everything about one seat; the lists of texts must be empty in a correct run."""

    name: str
    room: str = ""
    seat: int = -1
    acts: list[Sent] = field(default_factory=list)
    shown: list[Shown] = field(default_factory=list)
    rankings: dict[int, list[tuple[Standing, ...]]] = field(default_factory=dict)
    """The rankings of each round; a failover may take back its end, and it ends otherwise."""
    stranded: list[str] = field(default_factory=list)  # it could not come back
    disorder: list[str] = field(default_factory=list)  # answers in another order than the acts
    oddities: list[str] = field(default_factory=list)  # violations of the protocol
    acknowledged: dict[int, dict[int, Sent]] = field(default_factory=dict)
    """The latest acknowledged acts, by round and place in the log."""
    taken_back: list[Sent] = field(default_factory=list)  # acknowledged, and then missing
    begins: dict[int, list[int]] = field(default_factory=dict)
    """When each round began: a failover may take that back, and it begins with other cards."""
    rooms_back: int = 0  # times that a room was older than it had been
    unfinished: int = 0
    """The connections that ended before they had the seat, and may still take it."""
    diary: deque[str] = field(default_factory=lambda: deque(maxlen=40))

    def take_back(self, n: int, at: int) -> list[Sent]:
        """Return the acknowledged acts of a round that a table with `at` entries does not have."""
        acknowledged = self.acknowledged.setdefault(n, {})
        lost = [acknowledged.pop(place) for place in sorted(acknowledged) if place >= at]
        if lost:
            # Tables with the lost acts are no longer true: other acts may take their places.
            self.shown = [each for each in self.shown if each.n != n or each.at <= at]
            self.taken_back += lost
            self.acts = [sent for sent in self.acts if sent not in lost]
        return lost

    def begin(self, n: int, t0: int) -> None:
        """Note when a round with a table began; tables of an earlier beginning are not true."""
        begins = self.begins.setdefault(n, [t0])
        if t0 != begins[-1]:
            begins.append(t0)
            self.take_back(n, 0)
            self.shown = [each for each in self.shown if each.n != n]

    def rounds(self) -> set[int]:
        """Return the rounds that the player has acted in or seen."""
        seen = {sent.n for sent in self.acts} | {table.n for table in self.shown}
        return seen | self.rankings.keys()

    def write(self, text: str) -> None:
        """Record an event for the report of a failed run."""
        self.diary.append(f"{time.monotonic() % 10_000:.3f} {text}")

    def __str__(self) -> str:
        return f"{self.room} seat {self.seat} ({self.name})"


@dataclass(slots=True)
class Visit:
    socket: ClientConnection
    port: int
    waiting: deque[Sent] = field(default_factory=deque)
    """The acts without a reply yet, in the order of sending."""
    is_joined: bool = False
    is_broken: bool = False  # whether the player has broken it
    said: int = 0  # the event of the latest line of chat

    def cut(self, *, mid_frame: bool = False) -> None:
        """Abort the socket, with `mid_frame` in the middle of a frame."""
        self.is_broken = True
        transport = self.socket.transport
        if mid_frame and not transport.is_closing():
            # The header of a masked text frame of 90 bytes, and ten bytes of its payload.
            transport.write(b"\x81\xda\x01\x02\x03\x04" + bytes(10))
        transport.abort()

    def leave_open(self) -> Socket | None:
        """Abort only the client's side; return a socket that keeps the server's side open.

        Return None if the server has lost the connection too.
        """
        transport = self.socket.transport
        kept = None if transport.is_closing() else transport.get_extra_info("socket").dup()
        self.cut()
        return kept


class Witness(Observer):
    """Notes the traffic of one client, which is one tab of the seat's owner."""

    def __init__(self, notes: Notes, number: int) -> None:
        self.notes = notes
        self.number = number
        self.state = RaceState(-1, "")
        self.visit: Visit | None = None
        self.is_done = False  # whether another tab takes the seat, or the player leaves
        self._acts: dict[int, Sent] = {}
        self._heard: set[int] = set()
        self._owed: set[int] = set()  # the places of lost acts that have to be offered again
        self._state_since = time.monotonic()

    @property
    def is_running(self) -> bool:
        """Whether the round is running, by the messages received."""
        return (
            self.state.known_room is not None and self.state.known_room.state is RoomState.RUNNING
        )

    @property
    def seconds_in_state(self) -> float:
        return time.monotonic() - self._state_since

    def connection_opened(self, socket: ClientConnection) -> None:
        port = socket.remote_address[1]
        self.visit = Visit(socket, port)
        self.notes.write(f"tab {self.number} connected to {port}")

    def connection_closed(self, code: int) -> None:
        """Check how a connection ended."""
        visit, self.visit = self.visit, None
        if visit is None:
            return
        self.notes.write(f"tab {self.number} left {visit.port}: {code}")
        self.notes.unfinished += not visit.is_joined
        if visit.is_broken:
            return
        if code < FIRST_FINAL_CODE:
            if code not in EXPECTED:
                self.notes.oddities.append(f"closed {code} at {visit.port}")
        elif not self.is_done:
            if code == CloseCode.REPLACED and self.notes.unfinished:
                self.notes.unfinished -= 1  # by its own resume, which had no answer
            else:
                self.notes.stranded.append(f"closed {code} at {visit.port}")

    def message_sent(self, message: from_client.ClientMessage) -> None:
        assert self.visit is not None, "messages are sent on open connections"
        if isinstance(message, from_client.Act):
            self._note_act(self.visit, message)

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
                if message.ranking not in known[-1:]:
                    known.append(message.ranking)
            case to_client.Said():
                # The reply to a repeated line is the line that has come before.
                if message.v <= visit.said and message.v not in self._heard:
                    self.notes.oddities.append(f"said {message.v} after {visit.said}")
                self._heard.add(message.v)
                visit.said = max(visit.said, message.v)
            case to_client.Error():
                self.notes.oddities.append(f"error {message.code} in {message.where}")
            case _:
                pass  # standings

    def _handle_joined(self, visit: Visit, message: to_client.Joined) -> None:
        visit.is_joined = True
        self.notes.write(f"tab {self.number} joined at {visit.port}")
        if self.notes.seat not in {-1, message.seat}:
            self.notes.oddities.append(f"seat {message.seat} instead of {self.notes.seat}")
        self.notes.room, self.notes.seat = message.room.code, message.seat
        self._handle_room(message)
        self._state_since = time.monotonic()

    def _handle_room(
        self, message: to_client.Joined | to_client.RoomMessage | to_client.Changes
    ) -> None:
        v = message.v if isinstance(message, to_client.Changes) else message.room.v
        known = self.state.known_room
        if known is not None and v < known.v:
            self.notes.rooms_back += 1
            self.notes.write(f"room v {v} after {known.v}")
        before = (known and known.state, self.state.round_number)
        list(self.state.apply_message(message))
        if self.state.known_room and before != (
            self.state.known_room.state,
            self.state.round_number,
        ):
            self._state_since = time.monotonic()
            self._owed.clear()

    def _handle_table(self, table: TableSnapshot, n: int) -> None:
        self.notes.begin(*self.state.beginning)
        lost = self.notes.take_back(n, table.at)
        if lost:
            self.notes.write(f"tab {self.number} misses {len(lost)} acts from {table.at} on")
        if self.is_running and n == self.state.round_number:
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
            sent.acks.append(Ack(message.at, message.score, message.elapsed_ms))
            sent.acked_s = time.monotonic()
            self.notes.acknowledged.setdefault(sent.n, {})[sent.at] = sent

    def _handle_refused(self, visit: Visit, message: to_client.Refused) -> None:
        code, command = message.code, message.command
        self.notes.write(f"tab {self.number} refused {command} {code}")
        if command == "act":
            sent = self._answered(visit, message.id, f"refused {code}")
            if sent is not None:
                self._handle_refused_act(sent, message)
        elif command in TAKE_A_SEAT and code not in PASSING and not visit.is_joined:
            self.notes.stranded.append(f"{command} refused: {code}")

    def _handle_refused_act(self, sent: Sent, message: to_client.Refused) -> None:
        if message.table is not None:
            self._handle_table(message.table, sent.n)
        if message.code is ErrorCode.TRY_AGAIN:
            return
        sent.refused = message.code
        if sent.again:  # the client offers none of the others
            self._owed.clear()
