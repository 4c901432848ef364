"""A player that races at random and reconnects after every fault, as the protocol demands.

A `Tab` is one tab of a browser: its counter of acts and its pending acts outlive its sockets, but
not the tab. A `Visit` is one socket. A `Racer` is the person, who may open another tab.
"""

import asyncio
import random
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

from protocol.vocabulary import MAX_IN_FLIGHT
from tests.faults.notes import Ack, Message, Notes, Sent, Shown
from tests.faults.wire_before import BOTH, read, write
from tests.players import with_changes

PING_S = 2.5
NO_PONG_S = 9.0
PATIENCE_S = 15.0  # for an answer or a table on a socket that lives
JOIN_PATIENCE_S = 10.0
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.1, 2.0
RETRY_S = 0.3
NEVER_BACK = 4500
REPLACED = 4503
GHOST_S = 30.0
"""Time for which a resume that was abandoned before its answer may still take the seat."""
EXPECTED = {1000, 1001, 1006, 4001, 4003, 4004}
LOST = (OSError, TimeoutError, ConnectionClosed, InvalidHandshake, InvalidMessage, EOFError)


@dataclass(frozen=True, slots=True)
class Manners:
    """The behaviour of a player: acts a second, and the probabilities of other actions instead.

    These are a burst, giving up, a chat message, removing a guest, ending the race with a grace.
    """

    acts_per_s: float = 3.0
    burst: float = 0.15
    forfeit: float = 0.003
    says: float = 0.01
    kicks: float = 0.05
    ends: float = 0.002


@dataclass(slots=True)
class Visit:
    """One socket; `ours` is true once the player has left it by itself, in any way.

    `before` is whether the release before this one serves it.
    """

    socket: ClientConnection
    port: int
    before: bool = False
    waiting: deque[Sent] = field(default_factory=deque)
    pings: deque[float] = field(default_factory=deque)
    last_sent: float = 0.0
    received: float = field(default_factory=time.monotonic)
    ours: bool = False
    joined: bool = False
    said: int = 0  # the version of the latest chat message

    def cut(self, *, mid_frame: bool) -> None:
        """Abort the socket, with `mid_frame` in the middle of a frame."""
        self.ours = True
        transport = self.socket.transport
        if mid_frame and not transport.is_closing():
            # The header of a masked text frame of 90 bytes, and ten bytes of its payload.
            transport.write(b"\x81\xda\x01\x02\x03\x04" + bytes(10))
        transport.abort()


class Leaving(Exception):  # no error: it ends a visit
    """The player has left this socket."""


class Tab:
    """One tab of the seat's owner: it has the token, and its own acts."""

    def __init__(self, racer: "Racer", number: int) -> None:
        self.racer = racer
        self.notes = racer.notes
        self.number = number
        self.visit: Visit | None = None
        self.superseded = False
        self.room: Message = {}
        self._rng = racer.rng
        self._last_id = 0
        self._n = 0
        self._table: Message | None = None
        self._pending: dict[int, Sent] = {}
        self._first_sent: dict[int, float] = {}
        self._again_at: float | None = None
        self._command_sent: tuple[str, float] | None = None
        self._state_since = time.monotonic()
        # A new tab waits before its first act; meanwhile an old tab may still act.
        self._idle_until = time.monotonic() + (racer.rng.uniform(0, 3) if number else 0)
        self._table_due: float | None = None
        self._too_late_since: float | None = None
        self._lost_at: float | None = None

    # Coming and going

    async def live(self, hello: Message | None = None) -> None:
        """Connect to one server after the other, until the race is done."""
        pause = FIRST_PAUSE_S
        while not self.racer.done and not self.superseded:
            ports = self.racer.ports()
            if not ports:
                await asyncio.sleep(FIRST_PAUSE_S)
                continue
            joined = False
            try:
                joined = await self._visit(self._rng.choice(ports), hello)
            except LOST:
                joined = False
            if self.racer.gave_up:
                return
            if joined:
                hello, pause = None, FIRST_PAUSE_S
            await asyncio.sleep(self._rng.uniform(0, pause))
            pause = min(2 * pause, LONGEST_PAUSE_S)

    async def _visit(self, port: int, hello: Message | None) -> bool:
        """Use one socket from its opening to its end; return whether it joined the room."""
        before = self.racer.is_before(port)
        socket = await connect(
            f"ws://127.0.0.1:{port}/ws",
            subprotocols=BOTH,
            compression=None,
            ping_interval=None,
            open_timeout=5,
            close_timeout=1,
            max_queue=None,
            proxy=None,
        )
        visit = self.visit = Visit(socket, port, before)
        if self.superseded:
            visit.cut(mid_frame=False)
        self.notes.write(f"tab {self.number} connected to {port}")
        try:
            async with asyncio.TaskGroup() as tasks:
                receiving = tasks.create_task(self._handle_all(visit))
                await self._sit_down(visit, hello)
                for work in (self._play(visit), self._ping(visit), self._watch_for_left(visit)):
                    tasks.create_task(work)
                await receiving
        except* (*LOST, Leaving):
            pass
        finally:
            self._ended(visit)
        return visit.joined

    async def _sit_down(self, visit: Visit, hello: Message | None) -> None:
        notes = self.notes
        resume = {"type": "resume", "room": notes.room, "seat": notes.seat}
        resume |= {"token": self.racer.token, "have": self.room.get("v", 0)}
        await self._send_message(visit, hello or resume)
        try:
            async with asyncio.timeout(JOIN_PATIENCE_S):
                while not visit.joined:
                    await asyncio.sleep(0.01)
        except TimeoutError:
            visit.cut(mid_frame=False)
            raise

    def _ended(self, visit: Visit) -> None:
        """Check how the visit ended."""
        code = None if visit.ours else visit.socket.close_code
        self.notes.write(f"tab {self.number} left {visit.port}: {code or 'by itself'}")
        if not visit.joined:
            self.racer.unfinished_at = time.monotonic()
        if not visit.ours:
            visit.socket.transport.abort()
        self._command_sent = None
        self._table = None
        self._table_due = None
        if self._lost_at is None:
            self._lost_at = time.monotonic()
        if code is None:
            return
        self.notes.closes[code] += 1
        if code not in EXPECTED and code < NEVER_BACK:
            self.notes.oddities.append(f"closed {code} at {visit.port}")
        if code < NEVER_BACK or self.superseded or self.racer.done:
            return
        if code == REPLACED and time.monotonic() - self.racer.unfinished_at < GHOST_S:
            self.notes.own_ghosts += 1
            return
        self.notes.stranded.append(f"closed {code} at {visit.port}")
        if code != REPLACED:
            self.racer.gave_up = True

    async def _watch_for_left(self, visit: Visit) -> None:
        """End the visit when the player has left its socket open and connected elsewhere."""
        while not visit.ours:
            await asyncio.sleep(0.02)
        raise Leaving

    # Messages from the server

    async def _handle_all(self, visit: Visit) -> None:
        while True:
            text = await visit.socket.recv()
            if visit.ours:
                raise Leaving
            visit.received = time.monotonic()
            self.handle(visit, read(visit.socket, text))

    def handle(self, visit: Visit, message: Message) -> None:  # noqa: C901  # a case a message
        """Handle a message from the server."""
        match message["type"]:
            case "joined":
                self._handle_joined(visit, message)
            case "room":
                self._handle_room(message["room"])
                self._command_sent = None
            case "changes":
                self._handle_room(with_changes(self.room, message))
                self._command_sent = None
            case "table":
                if self.room["state"] != "RUNNING":
                    self.notes.oddities.append(f"a table in {self.room['state']}")
                    return
                self._take(message["table"], self._n)
                # Acts that were sent before and not answered on this socket are sent again.
                self._again_at = time.monotonic()
            case "acted":
                self._handle_acted(visit, message)
            case "refused":
                self._handle_refused(visit, message)
            case "round_over":
                self._handle_over(visit, message)
            case "said":
                self._handle_said(visit, message)
            case "pong":
                self._handle_pong(visit, message)
            case "error":
                self.notes.oddities.append(f"error {message['code']} in {message['where']}")
            case _:
                pass  # standings, and types of later releases

    def _handle_joined(self, visit: Visit, message: Message) -> None:
        visit.joined = True
        self.notes.write(f"tab {self.number} joined at {visit.port}")
        self.racer.token = message["token"] or self.racer.token
        self.notes.room, self.notes.seat = message["room"]["code"], message["seat"]
        if self._lost_at is not None:
            self.notes.resumes += 1
            away = (time.monotonic() - self._lost_at) * 1_000
            self.notes.longest_away_ms = max(self.notes.longest_away_ms, away)
            self._lost_at = None
        self._handle_room(message["room"])
        self._state_since = time.monotonic()
        self._table_due = self._state_since
        self.racer.seated.set()

    def _handle_room(self, room: Message) -> None:
        if room["v"] < self.room.get("v", 0):
            self.notes.rooms_back += 1
            self.notes.write(f"room v {room['v']} after {self.room['v']}")
        n = room["round"]["n"] if room["round"] else 0
        if room["state"] != self.room.get("state") or n != self._n:
            self._state_since = time.monotonic()
            self._table_due = self._state_since if room["state"] == "RUNNING" else None
            self._table = None
        if room["state"] != "RUNNING" or n != self._n:
            self._forget()
        self._n = n
        self.room = room

    def _forget(self) -> None:
        """Forget unanswered acts, because the round is over."""
        for sent in self._pending.values():
            self._done_waiting(sent)
        self._pending.clear()
        self._again_at = None
        self._too_late_since = None

    def _done_waiting(self, sent: Sent) -> None:
        self.notes.waits.append((self._first_sent.pop(sent.id), time.monotonic()))

    def _take(self, table: Message, n: int) -> None:
        self._give_back(table, n)
        self.notes.shown.append(Shown.of(n, self.number, table))
        if n == self._n and self.room["state"] == "RUNNING":
            self._table = table
            self._table_due = None
            self._last_id = max(self._last_id, table["last_id"])

    def _give_back(self, table: Message, n: int) -> None:
        """Send acts again that were acknowledged in this round and are missing in this table."""
        acknowledged = self.racer.acknowledged.setdefault(n, {})
        at = table["at"]
        lost = [acknowledged.pop(place) for place in sorted(acknowledged) if place >= at]
        if not lost:
            return
        self.notes.write(f"tab {self.number} misses {len(lost)} acts from {at} on")
        # Tables with the lost acts are no longer true: other acts may take their places.
        self.notes.shown = [s for s in self.notes.shown if s.n != n or s.at <= at]
        self.notes.taken_back += lost
        offers = [Sent(n, self.number, sent.id, sent.at, sent.action, again=True) for sent in lost]
        self.notes.acts = [sent for sent in self.notes.acts if sent not in lost] + offers
        if n != self._n or self.room["state"] != "RUNNING":
            return
        self._last_id = max(self._last_id, *(offer.id for offer in offers))
        for offer in offers:
            self._first_sent.setdefault(offer.id, time.monotonic())
        self._pending = {sent.id: sent for sent in (*offers, *self._pending.values())}
        self._again_at = time.monotonic()

    def _answered(self, visit: Visit, message: Message) -> Sent | None:
        """Return the act to which a reply belongs: the oldest unanswered one on this socket."""
        act_id = message["id"]
        found = next((sent for sent in visit.waiting if sent.id == act_id), None)
        if found is None:
            self.notes.oddities.append(f"{message['type']} for id {act_id}, which did not wait")
            return None
        if found is not visit.waiting[0]:
            self.notes.disorder.append(
                f"{message['type']} {message.get('code', '')} for id {act_id} "
                f"before the answer to id {visit.waiting[0].id}"
            )
        visit.waiting.remove(found)
        return found

    def _handle_acted(self, visit: Visit, message: Message) -> None:
        sent = self._answered(visit, message)
        if sent is None:
            return
        now = time.monotonic()
        sent.acks.append(Ack(message["at"], message["score"], message["elapsed_ms"], now))
        self.notes.acks_before += visit.before
        self.racer.acknowledged.setdefault(sent.n, {})[sent.at] = sent
        if self._pending.pop(sent.id, None) is not None:
            self._done_waiting(sent)
        self._too_late_since = None
        if self._table is not None and message["at"] >= self._table["at"]:
            changed = {key: message.get(key) for key in ("at", "legal", "outcome")}
            self._table = {**self._table, **changed}

    def _handle_refused(self, visit: Visit, message: Message) -> None:
        code = message["code"]
        self.notes.refusals[f"{message['command']} {code}"] += 1
        self.notes.write(f"tab {self.number} refused {message['command']} {code}")
        if message["command"] == "act":
            sent = self._answered(visit, message)
            if sent is None:
                return
            if message["table"] is not None:
                self._take(message["table"], sent.n)
            if code == "try_again":
                self._again_at = time.monotonic() + RETRY_S
                return
            sent.refused = code
            if self._pending.pop(sent.id, None) is not None:
                self._done_waiting(sent)
            # An act of an earlier round may be answered only in this one.
            if code in {"too_late", "not_racing"} and sent.n == self._n:
                self._too_late_since = self._too_late_since or time.monotonic()
        elif message["command"] in {"resume", "join", "create"}:
            if code == "try_again":
                visit.cut(mid_frame=False)
            elif not visit.joined:
                self.notes.stranded.append(f"{message['command']} refused: {code}")
        else:
            self._command_sent = None

    def _handle_over(self, visit: Visit, message: Message) -> None:
        if visit.before:  # the release before ranks by other rules
            self.notes.over_before.add(message["n"])
            return
        before = self.notes.rankings.setdefault(message["n"], message["ranking"])
        if before != message["ranking"]:
            self.notes.oddities.append(f"two rankings of round {message['n']}")

    def _handle_said(self, visit: Visit, message: Message) -> None:
        if message["v"] <= visit.said:
            self.notes.oddities.append(f"said {message['v']} after {visit.said}")
        visit.said = message["v"]
        self.notes.lines += 1
        if (
            message["seat"] == self.notes.seat
            and self._command_sent
            and self._command_sent[0] == "say"
        ):
            self._command_sent = None

    def _handle_pong(self, visit: Visit, message: Message) -> None:
        if not visit.pings or message["t"] != visit.pings.popleft():
            self.notes.oddities.append(f"a pong that answers no ping: {message['t']}")
        now = time.monotonic()
        for problem in self.problems(visit, now):
            self.notes.silence.append(f"{problem} at {visit.port}")
            self.notes.write(f"tab {self.number}: {problem}")
            visit.cut(mid_frame=False)
            return

    def problems(self, visit: Visit, now: float) -> list[str]:
        """Return the answers and messages that this working socket has not delivered in time."""
        found = []
        state, limit = self.room["state"], self.room["settings"]["time_limit_s"]
        most = {"COUNTDOWN": 5 + PATIENCE_S, "RUNNING": (limit or 1e9) + PATIENCE_S}
        if visit.waiting and now - visit.last_sent > PATIENCE_S:
            found.append(f"no answer to the act {visit.waiting[0]}")
        if self._command_sent is not None and now - self._command_sent[1] > PATIENCE_S:
            found.append(f"no answer to {self._command_sent[0]}")
        if now - self._state_since > most.get(state, 1e9):
            found.append(f"the room is still {state}")
        if self._table_due is not None and self._racing() and now - self._table_due > PATIENCE_S:
            found.append("no table")
        # A player that has given up waits for the others.
        refused = self._too_late_since if self._racing() else None
        if refused is not None and now - refused > PATIENCE_S:
            found.append("acts are too late, but the round is not over")
        return found

    # Messages to the server

    async def _send_message(self, visit: Visit, message: Message) -> None:
        await visit.socket.send(write(visit.socket, message))

    async def _ping(self, visit: Visit) -> None:
        while True:
            t = max(0.0, time.time() * 1_000 + self.racer.clock_error_ms)
            visit.pings.append(t)
            await self._send_message(visit, {"type": "ping", "t": t})
            await asyncio.sleep(PING_S)
            if time.monotonic() - visit.received > NO_PONG_S:
                visit.cut(mid_frame=False)
                raise Leaving

    async def _play(self, visit: Visit) -> None:
        while True:
            pace = self._rng.uniform(0.5, 1.5) / self.racer.manners.acts_per_s
            await asyncio.sleep(pace)
            if self._command_sent is None:
                await self._turn(visit)

    async def _turn(self, visit: Visit) -> None:
        mine = self.my_state()
        is_host = self.room["host"] == self.notes.seat
        since = time.monotonic() - self._state_since
        if self._rng.random() < self.racer.manners.says:
            await self._command(visit, "say", emote="wow")
            return
        guest = self._guest()
        if is_host and guest is not None and self._rng.random() < self.racer.manners.kicks:
            await self._command(visit, "kick", seat=guest)
            return
        match self.room["state"]:
            case "LOBBY" if not self.racer.ending:
                if is_host and (self._all_ready() or since > 2):
                    await self._command(visit, "start")
                elif mine == "SEATED" and not is_host:
                    await self._command(visit, "ready")
            case "RUNNING" if mine == "RACING":
                await self._race(visit)
            case "FINISHED" if (
                mine != "READY" and not self.racer.ending and self._rng.random() < 0.5
            ):
                await self._command(visit, "rematch")  # several players may do so at once
            case "FINISHED" if is_host and not self.racer.ending and since > 1:
                await self._command(visit, "next_round")
            case _:
                pass

    def my_state(self) -> str | None:
        """Return the state of this seat in the room."""
        seats = self.room.get("seats", ())
        return next((s["state"] for s in seats if s["seat"] == self.notes.seat), None)

    def _racing(self) -> bool:
        return self.my_state() == "RACING" and self.room["state"] == "RUNNING"

    def _all_ready(self) -> bool:
        others = (
            seat
            for seat in self.room["seats"]
            if seat["seat"] != self.notes.seat and seat["role"] == "player"
        )
        return all(s["state"] == "READY" or s["connection"] == "gone" for s in others)

    def _guest(self) -> int | None:
        """Return the seat of a spectator whom the host may remove."""
        seats = (seat["seat"] for seat in self.room["seats"] if seat["role"] == "spectator")
        return next(seats, None)

    async def _command(self, visit: Visit, command: str, **fields: Any) -> None:
        self._command_sent = (command, time.monotonic())
        await self._send_message(visit, {"type": command, **fields})

    async def _race(self, visit: Visit) -> None:
        if self._table is None or visit.waiting or time.monotonic() < self._idle_until:
            return
        if self._pending:
            if self._again_at is not None and time.monotonic() >= self._again_at:
                first = list(self._pending.values())[:MAX_IN_FLIGHT]
                self._again_at = time.monotonic() if len(self._pending) > len(first) else None
                for sent in first:
                    await self._send(visit, sent)
            return
        if self.racer.ending or self._rng.random() < self.racer.manners.forfeit:
            await self._command(visit, "forfeit")
            return
        is_host = self.room["host"] == self.notes.seat
        if is_host and self._rng.random() < self.racer.manners.ends:
            await self._command(visit, "end", grace_s=5)
            return
        legal = self._table["legal"]
        if legal:
            actions = [self._rng.choice(legal)]
            if self._rng.random() < self.racer.manners.burst:
                # A quick player does not wait for answers and may send an illegal act.
                actions += ["undo", "redo"][: self._rng.randint(1, 2)]
            await self.act(visit, actions)

    async def act(self, visit: Visit, actions: list[str]) -> None:
        """Send these acts, one after the other, without waiting for answers."""
        assert self._table is not None
        at = self._table["at"]
        fresh = []
        for number, action in enumerate(actions):
            self._last_id += 1
            sent = Sent(self._n, self.number, self._last_id, at + number, action)
            self._pending[sent.id] = sent
            self._first_sent[sent.id] = time.monotonic()
            self.notes.acts.append(sent)
            fresh.append(sent)
        for sent in fresh:
            await self._send(visit, sent)

    async def _send(self, visit: Visit, sent: Sent) -> None:
        sent.tries += 1
        visit.waiting.append(sent)
        visit.last_sent = time.monotonic()
        act = {"type": "act", "id": sent.id, "at": sent.at, "action": sent.action}
        await self._send_message(visit, act | ({"again": True} if sent.again else {}))


class Racer:
    """The owner of one seat, whose tabs run in the given task group.

    `ports` returns the ports of the running servers; `is_before` returns whether a port is that of
    the release before.
    """

    def __init__(
        self,
        name: str,
        ports: Callable[[], list[int]],
        rng: random.Random,
        tasks: asyncio.TaskGroup,
        manners: Manners | None = None,
        is_before: Callable[[int], bool] = lambda _: False,
    ) -> None:
        self.notes = Notes(name)
        self.ports = ports
        self.is_before = is_before
        self.rng = rng
        self.manners = manners or Manners()
        self.token = ""
        # A client's clock may be wrong by minutes, which must have no effect.
        self.clock_error_ms = rng.choice((0, 0, -1, 1)) * rng.uniform(1, 30) * 60_000
        # The acknowledged acts by round and place; the tabs of one browser share them.
        self.acknowledged: dict[int, dict[int, Sent]] = {}
        self.unfinished_at = float("-inf")
        self.left_open: list[ClientConnection] = []
        self.seated = asyncio.Event()
        self.ending = False
        self.done = False
        self.gave_up = False
        self.tab = Tab(self, 0)
        self._tasks = tasks
        self._lives: set[asyncio.Task[None]] = set()

    async def sit_down(self, hello: Message) -> None:
        """Create or join the room, and begin to play."""
        self._live(self.tab, hello)
        await self.seated.wait()

    @property
    def port(self) -> int | None:
        """The port of the player's server."""
        return None if self.tab.visit is None else self.tab.visit.port

    def cut(self, *, mid_frame: bool = False) -> None:
        """Break the socket."""
        if self.tab.visit is not None and not self.tab.visit.ours:
            self.tab.visit.cut(mid_frame=mid_frame)

    def abandon(self) -> None:
        """Leave the socket open and reconnect, like a phone that changes its network."""
        visit = self.tab.visit
        if visit is not None and not visit.ours:
            visit.ours = True
            self.left_open.append(visit.socket)

    def open_tab(self) -> None:
        """Open a new tab that takes the seat, while the old one still plays."""
        if not self.gave_up and not self.done:
            old = self.tab
            old.superseded = True
            if old.visit is not None and not old.visit.joined:
                old.visit.cut(mid_frame=False)  # it would take the seat from the new one
            self.tab = Tab(self, old.number + 1)
            self.notes.write(f"tab {self.tab.number} is opened")
            self._live(self.tab)

    def is_through(self) -> bool:
        """Return whether this player is in no race, by the messages that it has received."""
        return self.gave_up or self.tab.room.get("state") in {"FINISHED", "LOBBY"}

    def leave(self) -> None:
        """Close the tab."""
        self.done = True
        self.cut()
        for socket in self.left_open:
            socket.transport.abort()
        for life in self._lives:
            life.cancel()

    def _live(self, tab: Tab, hello: Message | None = None) -> None:
        life = self._tasks.create_task(tab.live(hello), name=f"{self.notes.name}/{tab.number}")
        self._lives.add(life)
        life.add_done_callback(self._lives.discard)
