"""A player that races at random and comes back after whatever happens, as the protocol demands.

A `Tab` is one page of a browser: its counter of acts and what it waits for outlive its sockets,
but not the tab. A `Visit` is one socket. A `Racer` is the person, who may open another tab.
"""

import asyncio
import json
import random
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage
from websockets.typing import Subprotocol

from protocol.vocabulary import MAX_IN_FLIGHT, SUBPROTOCOL
from tests.faults.notes import Ack, Message, Notes, Sent, Shown, notation
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
"""A resume that was left before its answer may still take the seat for so long."""
EXPECTED = {1000, 1001, 1006, 4001, 4003, 4004}
LOST = (OSError, TimeoutError, ConnectionClosed, InvalidHandshake, InvalidMessage, EOFError)


@dataclass(frozen=True, slots=True)
class Manners:
    """How a player plays: acts a second, and what chance there is of anything else in their place.

    A burst, giving up, saying something, showing a guest out, ending the race with a grace.
    """

    acts_per_s: float = 3.0
    burst: float = 0.15
    forfeit: float = 0.003
    says: float = 0.01
    kicks: float = 0.05
    ends: float = 0.002


@dataclass(slots=True)
class Visit:
    """One socket; `ours` says that we left it ourselves, in whatever way.

    `before` says that the release before this one serves it.
    """

    socket: ClientConnection
    port: int
    before: bool = False
    waiting: deque[Sent] = field(default_factory=deque)
    pings: deque[float] = field(default_factory=deque)
    last_sent: float = 0.0
    heard: float = field(default_factory=time.monotonic)
    ours: bool = False
    joined: bool = False
    said: int = 0  # the latest event that was a line of somebody's

    def cut(self, *, mid_frame: bool) -> None:
        """Ends it without goodbye, perhaps with half a frame on its way."""
        self.ours = True
        transport = self.socket.transport
        if mid_frame and not transport.is_closing():
            # Text, masked, 90 bytes long, of which ten come.
            transport.write(b"\x81\xda\x01\x02\x03\x04" + bytes(10))
        transport.abort()


class Leaving(Exception):  # no error: it ends a visit
    """This socket is done with."""


class Tab:
    """One page of the seat's owner: knows the token, and what it has sent itself."""

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
        self._asked: tuple[str, float] | None = None
        self._state_since = time.monotonic()
        # A new page is looked at before it is played on: meanwhile an old one may still write.
        self._looks_until = time.monotonic() + (racer.rng.uniform(0, 3) if number else 0)
        self._table_due: float | None = None
        self._too_late_since: float | None = None
        self._lost_at: float | None = None

    # Coming and going

    async def live(self, hello: Message | None = None) -> None:
        """Visits one server after the other, until the race is done."""
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
        """One socket from its opening to its end; whether it came to sit down."""
        before = self.racer.is_before(port)
        socket = await connect(
            f"ws://127.0.0.1:{port}/ws",
            subprotocols=[Subprotocol(SUBPROTOCOL)],
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
                hearing = tasks.create_task(self._hear_all(visit))
                await self._sit_down(visit, hello)
                for work in (self._play(visit), self._ping(visit), self._watch_for_left(visit)):
                    tasks.create_task(work)
                await hearing
        except* (*LOST, Leaving):
            pass
        finally:
            self._ended(visit)
        return visit.joined

    async def _sit_down(self, visit: Visit, hello: Message | None) -> None:
        notes = self.notes
        resume = {"type": "resume", "room": notes.room, "seat": notes.seat}
        resume |= {"token": self.racer.token, "have": self.room.get("v", 0)}
        await self._say(visit, hello or resume)
        try:
            async with asyncio.timeout(JOIN_PATIENCE_S):
                while not visit.joined:
                    await asyncio.sleep(0.01)
        except TimeoutError:
            visit.cut(mid_frame=False)
            raise

    def _ended(self, visit: Visit) -> None:
        """Judges how the visit ended."""
        code = None if visit.ours else visit.socket.close_code
        self.notes.write(f"tab {self.number} left {visit.port}: {code or 'by itself'}")
        if not visit.joined:
            self.racer.unfinished_at = time.monotonic()
        if not visit.ours:
            visit.socket.transport.abort()
        self._asked = None
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
        """Ends the visit when we have left its socket open and gone elsewhere."""
        while not visit.ours:
            await asyncio.sleep(0.02)
        raise Leaving

    # Hearing

    async def _hear_all(self, visit: Visit) -> None:
        while True:
            text = await visit.socket.recv()
            if visit.ours:
                raise Leaving
            visit.heard = time.monotonic()
            self._hear(visit, json.loads(text))

    def _hear(self, visit: Visit, message: Message) -> None:  # noqa: C901  # a case a message
        match message["type"]:
            case "joined":
                self._hear_joined(visit, message)
            case "room":
                self._hear_room(message["room"])
                self._asked = None
            case "changes":
                self._hear_room(with_changes(self.room, message))
                self._asked = None
            case "table":
                if self.room["state"] != "RUNNING":
                    self.notes.oddities.append(f"a table in {self.room['state']}")
                    return
                self._take(message["table"], self._n)
                # Whatever was asked before and not answered on this socket is asked again.
                self._again_at = time.monotonic()
            case "acted":
                self._hear_acted(visit, message)
            case "refused":
                self._hear_refused(visit, message)
            case "round_over":
                self._hear_over(visit, message)
            case "said":
                self._hear_said(visit, message)
            case "pong":
                self._hear_pong(visit, message)
            case "error":
                self.notes.oddities.append(f"error {message['code']} in {message['where']}")
            case _:
                pass  # standings, and types that are yet to be thought of

    def _hear_joined(self, visit: Visit, message: Message) -> None:
        visit.joined = True
        self.notes.write(f"tab {self.number} joined at {visit.port}")
        self.racer.token = message["token"] or self.racer.token
        self.notes.room, self.notes.seat = message["room"]["code"], message["seat"]
        if self._lost_at is not None:
            self.notes.resumes += 1
            away = (time.monotonic() - self._lost_at) * 1_000
            self.notes.longest_away_ms = max(self.notes.longest_away_ms, away)
            self._lost_at = None
        self._hear_room(message["room"])
        self._state_since = time.monotonic()
        self._table_due = self._state_since
        self.racer.seated.set()

    def _hear_room(self, room: Message) -> None:
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
        if room["rematch"]:
            self.notes.rematches.add(room["rematch"])

    def _forget(self) -> None:
        """The round is over: what was not answered will never be."""
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
        """Offers again what was acknowledged in this round, and is not in this table."""
        told = self.racer.told.setdefault(n, {})
        at = table["at"]
        lost = [told.pop(place) for place in sorted(told) if place >= at]
        if not lost:
            return
        self.notes.write(f"tab {self.number} misses {len(lost)} acts from {at} on")
        # What was shown of them is not so any more, and may come differently.
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
        """The act that a reply belongs to: the oldest on this socket without one."""
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

    def _hear_acted(self, visit: Visit, message: Message) -> None:
        sent = self._answered(visit, message)
        if sent is None:
            return
        now = time.monotonic()
        sent.acks.append(Ack(message["at"], message["score"], message["elapsed_ms"], now))
        self.notes.acks_before += visit.before
        self.racer.told.setdefault(sent.n, {})[sent.at] = sent
        if self._pending.pop(sent.id, None) is not None:
            self._done_waiting(sent)
        self._too_late_since = None
        if self._table is not None and message["at"] >= self._table["at"]:
            news = {key: message[key] for key in ("at", "legal", "outcome")}
            self._table = {**self._table, **news}

    def _hear_refused(self, visit: Visit, message: Message) -> None:
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
            if code in {"too_late", "not_racing"}:
                self._too_late_since = self._too_late_since or time.monotonic()
        elif message["command"] in {"resume", "join", "create"}:
            if code == "try_again":
                visit.cut(mid_frame=False)
            elif not visit.joined:
                self.notes.stranded.append(f"{message['command']} refused: {code}")
        else:
            self._asked = None

    def _hear_over(self, visit: Visit, message: Message) -> None:
        if visit.before:  # it ranks by other rules
            self.notes.over_before.add(message["n"])
            return
        before = self.notes.rankings.setdefault(message["n"], message["ranking"])
        if before != message["ranking"]:
            self.notes.oddities.append(f"two rankings of round {message['n']}")

    def _hear_said(self, visit: Visit, message: Message) -> None:
        if message["v"] <= visit.said:
            self.notes.oddities.append(f"said {message['v']} after {visit.said}")
        visit.said = message["v"]
        self.notes.lines += 1
        if message["seat"] == self.notes.seat and self._asked and self._asked[0] == "say":
            self._asked = None

    def _hear_pong(self, visit: Visit, message: Message) -> None:
        if not visit.pings or message["t"] != visit.pings.popleft():
            self.notes.oddities.append(f"a pong that answers no ping: {message['t']}")
        now = time.monotonic()
        for problem in self._problems(visit, now):
            self.notes.silence.append(f"{problem} at {visit.port}")
            visit.cut(mid_frame=False)
            return

    def _problems(self, visit: Visit, now: float) -> list[str]:
        """What this socket, which lives, has failed to say in time."""
        found = []
        state, limit = self.room["state"], self.room["settings"]["time_limit_s"]
        most = {"COUNTDOWN": 5 + PATIENCE_S, "RUNNING": (limit or 1e9) + PATIENCE_S}
        if visit.waiting and now - visit.last_sent > PATIENCE_S:
            found.append(f"no answer to the act {visit.waiting[0]}")
        if self._asked is not None and now - self._asked[1] > PATIENCE_S:
            found.append(f"no answer to {self._asked[0]}")
        if now - self._state_since > most.get(state, 1e9):
            found.append(f"the room is still {state}")
        if self._table_due is not None and self._racing() and now - self._table_due > PATIENCE_S:
            found.append("no table")
        if self._too_late_since is not None and now - self._too_late_since > PATIENCE_S:
            found.append("acts are too late, but the round is not over")
        return found

    # Speaking

    async def _say(self, visit: Visit, message: Message) -> None:
        await visit.socket.send(json.dumps(message))

    async def _ping(self, visit: Visit) -> None:
        while True:
            t = max(0.0, time.time() * 1_000 + self.racer.clock_error_ms)
            visit.pings.append(t)
            await self._say(visit, {"type": "ping", "t": t})
            await asyncio.sleep(PING_S)
            if time.monotonic() - visit.heard > NO_PONG_S:
                visit.cut(mid_frame=False)
                raise Leaving

    async def _play(self, visit: Visit) -> None:
        while True:
            pace = self._rng.uniform(0.5, 1.5) / self.racer.manners.acts_per_s
            await asyncio.sleep(pace)
            if self._asked is None:
                await self._turn(visit)

    async def _turn(self, visit: Visit) -> None:
        mine = self.my_state()
        is_host = self.room["host"] == self.notes.seat
        since = time.monotonic() - self._state_since
        if self._rng.random() < self.racer.manners.says:
            await self._ask(visit, "say", emote="wow")
            return
        guest = self._guest()
        if is_host and guest is not None and self._rng.random() < self.racer.manners.kicks:
            await self._ask(visit, "kick", seat=guest)
            return
        match self.room["state"]:
            case "LOBBY" if not self.racer.ending:
                if is_host and (self._all_ready() or since > 2):
                    await self._ask(visit, "start")
                elif mine == "SEATED" and not is_host:
                    await self._ask(visit, "ready")
            case "RUNNING" if mine == "RACING":
                await self._race(visit)
            case "FINISHED" if self.room["rematch"] is None and self._rng.random() < 0.5:
                await self._ask(visit, "rematch")  # which all may do at once
            case "FINISHED" if is_host and not self.racer.ending and since > 1:
                await self._ask(visit, "next_round")
            case _:
                pass

    def my_state(self) -> str | None:
        """What the room says of this seat."""
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
        """Somebody who looks on and may be shown out."""
        seats = (seat["seat"] for seat in self.room["seats"] if seat["role"] == "spectator")
        return next(seats, None)

    async def _ask(self, visit: Visit, kind: str, **fields: Any) -> None:
        self._asked = (kind, time.monotonic())
        await self._say(visit, {"type": kind, **fields})

    async def _race(self, visit: Visit) -> None:
        if self._table is None or visit.waiting or time.monotonic() < self._looks_until:
            return
        if self._pending:
            if self._again_at is not None and time.monotonic() >= self._again_at:
                first = list(self._pending.values())[:MAX_IN_FLIGHT]
                self._again_at = time.monotonic() if len(self._pending) > len(first) else None
                for sent in first:
                    await self._send(visit, sent)
            return
        if self.racer.ending or self._rng.random() < self.racer.manners.forfeit:
            await self._ask(visit, "forfeit")
            return
        is_host = self.room["host"] == self.notes.seat
        if is_host and self._rng.random() < self.racer.manners.ends:
            await self._ask(visit, "end", grace_s=5)
            return
        legal = self._table["legal"]
        if legal:
            actions = [self._rng.choice(legal)]
            if self._rng.random() < self.racer.manners.burst:
                # A quick hand does not wait; it may guess wrong.
                actions += [{"type": "undo"}, {"type": "redo"}][: self._rng.randint(1, 2)]
            await self.act(visit, actions)

    async def act(self, visit: Visit, actions: list[Message]) -> None:
        """Sends these acts, one behind the other, without waiting for answers."""
        assert self._table is not None
        at = self._table["at"]
        fresh = []
        for number, action in enumerate(actions):
            self._last_id += 1
            text = notation(action)
            sent = Sent(self._n, self.number, self._last_id, at + number, text)
            self.racer.actions[text] = action
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
        action = self.racer.actions[sent.action]
        act = {"type": "act", "id": sent.id, "at": sent.at, "action": action}
        await self._say(visit, act | ({"again": True} if sent.again else {}))


class Racer:
    """The owner of one seat. Its lives run in the task group that it is given.

    `ports` are the servers' just now; `is_before` tells that of a server of the release before.
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
        # A clock may be wrong by minutes: nothing may come of it.
        self.clock_error_ms = rng.choice((0, 0, -1, 1)) * rng.uniform(1, 30) * 60_000
        self.actions: dict[str, Message] = {}
        # What was acknowledged, by round and place: pages of one browser share what they keep.
        self.told: dict[int, dict[int, Sent]] = {}
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
        """Creates or joins the room, and begins to play."""
        self._live(self.tab, hello)
        await self.seated.wait()

    @property
    def port(self) -> int | None:
        """The server that the player sits at."""
        return None if self.tab.visit is None else self.tab.visit.port

    def cut(self, *, mid_frame: bool = False) -> None:
        """The socket breaks."""
        if self.tab.visit is not None and not self.tab.visit.ours:
            self.tab.visit.cut(mid_frame=mid_frame)

    def abandon(self) -> None:
        """The socket is left open, as by a telephone that changes its network."""
        visit = self.tab.visit
        if visit is not None and not visit.ours:
            visit.ours = True
            self.left_open.append(visit.socket)

    def open_tab(self) -> None:
        """A new page takes the seat, while the old one still plays."""
        if not self.gave_up and not self.done:
            old = self.tab
            old.superseded = True
            if old.visit is not None and not old.visit.joined:
                old.visit.cut(mid_frame=False)  # it would take the seat from the new one
            self.tab = Tab(self, old.number + 1)
            self.notes.write(f"tab {self.tab.number} is opened")
            self._live(self.tab)

    def is_through(self) -> bool:
        """Whether no race of this player is on, as far as the player was told."""
        return self.gave_up or self.tab.room.get("state") in {"FINISHED", "LOBBY"}

    def leave(self) -> None:
        """Shuts the page."""
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
