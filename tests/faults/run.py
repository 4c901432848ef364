"""One run: players race, faults happen as scheduled, and the checker judges the result.

Nothing here gives up: the caller limits the time.
"""

import asyncio
import random
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

from protocol.games import GameId
from protocol.http import FinishedRound
from protocol.settings import Settings
from protocol.vocabulary import Score, UndoPolicy
from server.rooms.settings import clash_in
from server.store import Store
from tests.faults.checker import BOARD, HISTORY, ODDITIES, RoundKey, Verdict, check
from tests.faults.days import DayPlayer, check_board, check_tables, choose_deals
from tests.faults.players import Guest, Racer
from tests.faults.processes import FENCED, Fleet, Server, fleet
from tests.faults.schedule import OF_PLAYERS, Fault, FaultKind, draw
from tests.faults.witness import Notes
from tests.server.http import get

MOST_IMPATIENT = 6
READ_EVERY_S = 1.0
TRIES = 10
WINDOWS = 0.25  # rooms whose players begin when they like


@dataclass(frozen=True)
class Plan:
    seed: int
    seconds: float = 60.0
    players: int = 50
    rooms: int = 10
    day_players: int = 6
    servers: int = 3
    acts_per_s: float = 3.0
    round_s: tuple[int, int] = (15, 40)
    module: str = FENCED
    clustered: bool = False
    keep: Path | None = None


@dataclass
class Outcome:
    plan: Plan
    verdict: Verdict = field(default_factory=Verdict)
    notes: list[Notes] = field(default_factory=list)
    inflicted: Counter[FaultKind] = field(default_factory=Counter)
    games_of_day: int = 0
    tables: int = 0


class Rounds:
    """Every round that a player took part in, read from any server."""

    def __init__(self, servers: Fleet, notes: Iterable[Notes]) -> None:
        self.read: dict[RoundKey, FinishedRound] = {}
        self.missing: list[str] = []
        self._servers = servers
        self._notes = list(notes)

    async def keep_reading(self) -> None:
        """Read each round soon after a player has seen its end, until cancelled."""
        while True:
            await asyncio.sleep(READ_EVERY_S)
            await self._read_ended()

    async def read_rest(self) -> None:
        """Read the remaining rounds at the end; those that cannot be read are missing."""
        await self._read_ended()
        rest = {(player.room, n) for player in self._notes for n in player.rounds()}
        for key in sorted(rest - self.read.keys()):
            for _ in range(TRIES):
                if (problem := await self._read(key)) is None:
                    break
                await asyncio.sleep(READ_EVERY_S)
            else:
                self.missing.append(f"{key[0]} round {key[1]}: {problem}")

    async def _read_ended(self) -> None:
        """Read the rounds that players have seen end, again if a failover has changed the end."""
        for player in self._notes:
            for n, known in list(player.rankings.items()):  # others end meanwhile
                found = self.read.get((player.room, n))
                if found is None or found.ranking != known[-1]:
                    await self._read((player.room, n))

    async def _read(self, key: RoundKey) -> str | None:
        """Read a round; return the reason if it could not be read."""
        problem = "no server"
        for port in self._servers.ports():
            try:
                answer = await get(port, f"/api/rooms/{key[0]}/rounds/{key[1]}")
            except (OSError, TimeoutError, ValueError, IndexError) as error:  # it has ended
                problem = repr(error)
                continue
            if answer.status == 200:
                self.read[key] = FinishedRound.model_validate_json(answer.body)
                return None
            problem = str(answer.status)
        return problem


async def suffer(fault: Fault, servers: Fleet, racers: list[Racer]) -> None:
    victim = fault.victims[0] if fault.victims else 0
    match fault.kind:
        case FaultKind.KILL_SERVER | FaultKind.TERMINATE_SERVER:
            killed = fault.kind is FaultKind.KILL_SERVER
            await servers.servers[victim].replace(fault.seconds, killed=killed)
        case FaultKind.STALL_SERVER:
            await _stall(servers.servers[victim], fault.seconds, racers)
        case kind if kind in OF_PLAYERS:
            for racer in (racers[number] for number in fault.victims):
                if kind is FaultKind.ABANDON:
                    racer.abandon()
                elif kind is FaultKind.SECOND_TAB:
                    racer.open_tab()
                else:
                    racer.cut(mid_frame=kind is FaultKind.CUT_MID_FRAME)
        case FaultKind.REFUSE_WRITES:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(servers.store.suffer(fault))
                await asyncio.sleep(fault.seconds / 2)
                for racer in racers[:: len(racers) // MOST_IMPATIENT or 1]:
                    racer.open_tab()
        case _:
            await servers.store.suffer(fault)


async def _stall(server: Server, seconds: float, racers: list[Racer]) -> None:
    """Suspend a server, and let some of its players reconnect with acts on their way."""
    sitting = [racer for racer in racers if racer.port == server.port]
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(server.stall(seconds))
        await asyncio.sleep(seconds / 2)
        for number, racer in enumerate(sitting[:MOST_IMPATIENT]):
            if number % 2:
                racer.abandon()
            else:
                racer.open_tab()


async def run(plan: Plan) -> Outcome:
    """Run the plan in a directory of its own, which is kept if `keep` names it."""
    with tempfile.TemporaryDirectory(prefix="faults-") as made:
        directory = plan.keep or Path(made)
        directory.mkdir(parents=True, exist_ok=True)
        async with fleet(
            directory, plan.servers, plan.module, clustered=plan.clustered
        ) as servers:
            await choose_deals(servers.store.url, directory / "deals")
            outcome, rounds, oddities, days = await _race(plan, servers)
            await rounds.read_rest()
            await servers.store.settle()
            on_board = await check_board(servers.ports(), days, servers.store.may_forget)
            store = await Store.open(servers.store.url, directory / "tables")
            codes, may_forget = {each.room for each in outcome.notes}, servers.store.may_forget
            outcome.tables, at_tables = await check_tables(store, codes, rounds.read, may_forget)
            await store.close()
        troubles = [*servers.troubles(), *rounds.missing]
        outcome.verdict = check(outcome.notes, rounds.read, troubles, servers.store.may_forget)
        outcome.verdict.wrong[ODDITIES] += oddities
        outcome.verdict.wrong[BOARD] += on_board
        outcome.verdict.wrong[HISTORY] += at_tables
        outcome.games_of_day = sum(len(each.played) for each in days)
        if not plan.clustered:
            outcome.verdict.wrong[ODDITIES] += [
                f"{player}: the room was older than it had been"
                for player in outcome.notes
                if player.rooms_back
            ]
        return outcome


def settings(rng: random.Random, plan: Plan) -> dict[str, Any]:
    while True:
        chosen: dict[str, Any] = {
            "game": rng.choice(get_args(GameId)),
            "undo": rng.choice(get_args(UndoPolicy)),
            "score": rng.choice(get_args(Score)),
            "exceptions": rng.choice(("off", "easy", "hard")),
            "auto_remove": rng.random() < 0.5,
            "ranking": rng.choice(("first_home", "best_score")),
            "deal": rng.choice(("secret", "secret", "numbered")),
            "time_limit_s": rng.randint(*plan.round_s),
            "window_s": 3_600 if rng.random() < WINDOWS else None,
        }
        if clash_in(Settings(**chosen)) is None:
            return chosen


async def _race(plan: Plan, servers: Fleet) -> tuple[Outcome, Rounds, list[str], list[DayPlayer]]:
    """Race until all faults are over; also return oddities and the players of the day."""
    outcome = Outcome(plan)
    async with asyncio.TaskGroup() as tasks:
        racers = await _seat_all(plan, servers, tasks)
        rng = random.Random(f"guests of {plan.seed}")
        codes = sorted({racer.notes.room for racer in racers})
        guests = [Guest(code, racers[0].locate, rng) for code in codes]
        rng = random.Random(f"day of {plan.seed}")
        days = [DayPlayer(racers[0].locate, rng) for _ in range(plan.day_players)]
        of_day = [tasks.create_task(each.live()) for each in days]
        outcome.notes = [racer.notes for racer in racers]
        rounds = Rounds(servers, outcome.notes)
        beside = [tasks.create_task(guest.live()) for guest in guests]
        beside.append(tasks.create_task(rounds.keep_reading()))
        await _inflict_all(plan, servers, racers, outcome)
        for racer in racers:
            racer.ending = True
        oddities = doubled_seats(racers)
        for each in days:
            each.ending = True
        await asyncio.gather(*of_day)
        while not all(racer.is_through() for racer in racers):
            await asyncio.sleep(0.1)
        for racer in racers:
            racer.leave()
        for task in beside:
            task.cancel()
    oddities += [text for guest in guests for text in guest.oddities]
    return outcome, rounds, oddities, days


def doubled_seats(racers: list[Racer]) -> list[str]:
    names = {(racer.notes.room, racer.notes.name) for racer in racers}
    rooms = [room for racer in racers if (room := racer.tab.state.known_room) is not None]
    seats = {
        (room.code, each.name) for room in rooms for each in room.seats if each.role == "player"
    }
    return [f"{code}: {name} has a second seat" for code, name in sorted(seats - names)]


async def _seat_all(plan: Plan, servers: Fleet, tasks: asyncio.TaskGroup) -> list[Racer]:
    racers = []
    for number in range(plan.players):
        rng = random.Random(f"player {number} of {plan.seed}")
        racers.append(Racer(f"Player {number}", servers.ports, rng, tasks, plan.acts_per_s))
    rng = random.Random(f"rooms of {plan.seed}")
    for number, racer in enumerate(racers):
        if number < plan.rooms:
            racer.keeps = number % 2 == 0
            await racer.create(settings(rng, plan))
        else:
            await racer.join(racers[number % plan.rooms].notes.room)
    return racers


async def _inflict_all(plan: Plan, servers: Fleet, racers: list[Racer], outcome: Outcome) -> None:
    began = time.monotonic()
    async with asyncio.TaskGroup() as faults:
        stores = servers.store.kinds
        for fault in draw(plan.seed, plan.seconds, plan.servers, plan.players, stores):
            await asyncio.sleep(max(0.0, began + fault.at - time.monotonic()))
            outcome.inflicted[fault.kind] += 1
            faults.create_task(suffer(fault, servers, racers))
