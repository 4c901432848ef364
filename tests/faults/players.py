"""Players that race at random during faults, with the client for programs.

A `Tab` is one client with its own acts, like a tab of a browser. A `Racer` is a person, and may
open another tab on the same seat. A `Guest` is a spectator, and joins and leaves.
"""

import asyncio
import contextlib
import random
import socket
import time
from collections.abc import Awaitable, Callable, Mapping

from spider_race_client import (
    ActLost,
    Client,
    Race,
    RaceError,
    Refused,
    SeatLost,
    Unreachable,
    connect,
)

from protocol.from_client import End, Keep, Kick, NextRound
from protocol.to_client import Acted, ServerMessage, TableMessage
from protocol.vocabulary import CloseCode, ErrorCode, RoomState, SeatState
from tests.faults.witness import EXPECTED, Notes, Shown, Witness
from tests.observer import Observer

LONGEST_WAIT_S = 2.0  # a client waits at most this long before it connects again
SHOWN_EVERY = 10  # compare every tenth table that the client makes from replies with the log
Enter = Callable[[Client], Awaitable[Race]]  # take a seat at a server


# The probabilities of what a player does instead of one act: several acts without waiting, giving
# up, a chat message, removing a guest, ending the race with a grace.
BURST, FORFEIT, SAYS, KICKS, ENDS = 0.15, 0.003, 0.01, 0.05, 0.002


class Tab(Witness):
    """One tab of the seat's owner: a client, its acts, and the notes about it."""

    def __init__(self, racer: "Racer", number: int) -> None:
        super().__init__(racer.notes, number)
        self._life: asyncio.Task[None] | None = None
        self._racer = racer
        self._rng = racer.rng
        # A new tab waits before its first act; meanwhile an old tab may still act.
        self._idle_until = time.monotonic() + (racer.rng.uniform(0, 3) if number else 0)

    def live(self, enter: Enter, tasks: asyncio.TaskGroup) -> None:
        """Take the seat and play, until another tab takes it or the player leaves."""
        self._life = tasks.create_task(self._live(enter), name=f"{self.notes.name}/{self.number}")

    async def _live(self, enter: Enter) -> None:
        try:
            async with connect(
                self._racer.locate, observer=self, longest_wait_s=LONGEST_WAIT_S
            ) as client:
                race = await enter(client)
                self._racer.be_seated(race)
                while True:
                    pace_s = self._rng.uniform(0.5, 1.5) / self._racer.acts_per_s
                    await asyncio.sleep(pace_s)
                    with contextlib.suppress(ActLost, Refused):
                        await self._take_turn(race)
        except RaceError as error:
            self.notes.write(f"tab {self.number} ended: {error!r}")
            if not self.is_done:
                self._racer.lose(error)

    def give_up(self) -> None:
        """Leave the seat to another tab, now or when the connection is lost."""
        self.is_done = True
        if self.visit is None or not self.visit.is_joined:
            self.stop()  # it would take the seat from the new tab

    def stop(self) -> None:
        """Close the client in the middle of everything."""
        self.is_done = True
        if self.visit is not None:
            self.notes.unfinished += not self.visit.is_joined
            self.visit.cut()
        if self._life is not None:
            self._life.cancel()

    def connection_closed(self, code: int) -> None:
        super().connection_closed(code)
        if self.is_done:
            self.stop()

    async def _take_turn(self, race: Race) -> None:
        room, own, is_host = race.room, race.own_seat, race.room.host == race.seat
        guest = next((each.seat for each in room.seats if each.role == "spectator"), None)
        if self._rng.random() < SAYS:
            await race.emote("wow")
        elif is_host and self._racer.keeps and room.kept is None:
            await race.command(Keep(name="Table"))
        elif is_host and guest is not None and self._rng.random() < KICKS:
            await race.command(Kick(seat=guest))
        elif own is None:
            return
        elif room.state is RoomState.RUNNING:
            is_window = room.settings.window_s is not None
            if own.state is SeatState.RACING and time.monotonic() >= self._idle_until:
                await self._race(race, is_host=is_host)
            elif is_window and own.state is SeatState.WATCHING and not self._racer.ending:
                await race.chase()
            elif is_window and is_host and own.state is not SeatState.RACING:
                await race.command(End(grace_s=5))
        elif not self._racer.ending:
            await self._begin_round(race, own.state, is_host=is_host)

    async def _begin_round(self, race: Race, own: SeatState, *, is_host: bool) -> None:
        if race.room.state is RoomState.LOBBY:
            if is_host and (_is_everyone_ready(race) or self.seconds_in_state > 2):
                await race.start()
            elif own is SeatState.SEATED and not is_host:
                await race.ready()
        elif race.room.state is RoomState.FINISHED:
            if is_host and race.room.settings.window_s is not None:
                await race.start()
            elif own is not SeatState.READY and self._rng.random() < 0.5:
                await race.rematch()  # several players may do so at once
            elif is_host and self.seconds_in_state > 1:
                await race.command(NextRound())

    async def _race(self, race: Race, *, is_host: bool) -> None:
        table = race.table
        if table is None:
            return
        if self._racer.ending or self._rng.random() < FORFEIT:
            await race.forfeit()
        elif is_host and self._rng.random() < ENDS:
            await race.command(End(grace_s=5))
        elif table.legal:
            actions = [self._rng.choice(table.legal)]
            if self._rng.random() < BURST:
                # A quick player does not wait for replies and may send an illegal act.
                actions += ["undo", "redo"][: self._rng.randint(1, 2)]
            await self._act(race, actions)

    async def _act(self, race: Race, actions: list[str]) -> None:
        """Act without waiting between the acts, and note the client's table afterwards."""
        n = self.state.round_number
        answers = await asyncio.gather(*map(race.act, actions), return_exceptions=True)
        for answer in answers:
            if isinstance(answer, BaseException):
                raise answer
        table = race.table
        if table is not None and table is answers[-1] and table.at % SHOWN_EVERY == 0:
            self.notes.shown.append(Shown.of(n, self.number, table))


def _is_everyone_ready(race: Race) -> bool:
    others = (each for each in race.room.seats if each.seat != race.seat and each.role == "player")
    return all(each.state is SeatState.READY or each.connection == "gone" for each in others)


class Racer:
    """The owner of one seat, whose tabs run in the given task group.

    `ports` returns the ports of the running servers, `acts_per_s` is the player's pace.
    """

    def __init__(
        self,
        name: str,
        ports: Callable[[], list[int]],
        rng: random.Random,
        tasks: asyncio.TaskGroup,
        acts_per_s: float,
    ) -> None:
        self.notes = Notes(name)
        self.rng = rng
        self.acts_per_s = acts_per_s
        self.ending = False  # whether the player gives up and starts no other game
        self.keeps = False  # whether the player keeps the room as a table, as its host
        self.gave_up = False  # whether the server has taken the seat away
        self.tab = Tab(self, 0)
        self._ports = ports
        self._token = ""
        self._left_open: list[socket.socket] = []
        self._seated = asyncio.Event()
        self._tasks = tasks
        self._tabs = [self.tab]

    async def create(self, settings: Mapping[str, object]) -> None:
        await self._enter(lambda client: client.create(self.notes.name, settings))

    async def join(self, room: str) -> None:
        await self._enter(lambda client: client.join(room, self.notes.name))

    async def _enter(self, enter: Enter) -> None:
        self.tab.live(enter, self._tasks)
        await self._seated.wait()

    def locate(self) -> str:
        """Return the address of any running server.

        Raises:
            OSError: none is running.
        """
        ports = self._ports()
        if not ports:
            raise ConnectionRefusedError("no server is running")
        return f"http://127.0.0.1:{self.rng.choice(ports)}"

    def be_seated(self, race: Race) -> None:
        """Keep the token for other tabs that take the seat."""
        self._token = race.token
        self._seated.set()

    def lose(self, error: RaceError) -> None:
        """Load the page again, unless the server has ended the race for good."""
        if isinstance(error, Unreachable) or (
            isinstance(error, SeatLost) and error.code is CloseCode.REPLACED
        ):
            self.open_tab()
        else:
            self.notes.oddities.append(f"the race ended: {error!r}")
            self.gave_up = True

    @property
    def port(self) -> int | None:
        return None if self.tab.visit is None else self.tab.visit.port

    def cut(self, *, mid_frame: bool = False) -> None:
        if self.tab.visit is not None:
            self.tab.visit.cut(mid_frame=mid_frame)

    def abandon(self) -> None:
        """Leave the connection open and open another, like a phone that changes its network."""
        kept = None if self.tab.visit is None else self.tab.visit.leave_open()
        if kept is not None:
            self._left_open.append(kept)

    def open_tab(self) -> None:
        """Open a new tab that takes the seat, while the old one still plays."""
        if self.gave_up:
            return
        self.tab.give_up()
        self.tab = Tab(self, self.tab.number + 1)
        self._tabs.append(self.tab)
        self.notes.write(f"tab {self.tab.number} is opened")
        room, seat = self.notes.room, self.notes.seat
        self.tab.live(lambda client: client.resume(room, seat, self._token), self._tasks)

    def is_through(self) -> bool:
        """Return whether this player is in no race, judging by the messages received."""
        room = self.tab.state.known_room
        return self.gave_up or (
            room is not None and room.state in {RoomState.FINISHED, RoomState.LOBBY}
        )

    def leave(self) -> None:
        for tab in self._tabs:
            tab.stop()
        for kept in self._left_open:
            kept.close()


class Guest(Observer):
    """A spectator of one room, over and over; `oddities` must be empty in a correct run."""

    def __init__(self, room: str, locate: Callable[[], str], rng: random.Random) -> None:
        self.oddities: list[str] = []
        self._room = room
        self._locate = locate
        self._rng = rng

    def connection_closed(self, code: int) -> None:
        # A failover may lose the guest, and somebody else has the seat then.
        if code not in {*EXPECTED, CloseCode.KICKED, CloseCode.BAD_TOKEN}:
            self.oddities.append(f"a guest of {self._room} was closed {code}")

    def message_received(self, message: ServerMessage) -> None:
        if isinstance(message, TableMessage | Acted):
            self.oddities.append(f"a guest of {self._room} was shown {message}")

    async def live(self) -> None:
        """Join and leave, or just disconnect, until cancelled."""
        while True:
            await asyncio.sleep(self._rng.uniform(0.2, 2.0))
            try:
                async with connect(
                    self._locate, observer=self, longest_wait_s=LONGEST_WAIT_S
                ) as client:
                    race = await client.join(self._room, "Guest", "spectator")
                    await race.watch()
                    await asyncio.sleep(self._rng.uniform(1.0, 8.0))
                    if self._rng.random() < 0.5:
                        await race.leave()
            except (SeatLost, Unreachable):
                pass
            except RaceError as error:
                # The guest was removed, or lost by a failover, before it was seated.
                if not isinstance(error, Refused) or error.code is not ErrorCode.NO_SUCH_SEAT:
                    self.oddities.append(f"a guest of {self._room}: {error!r}")
