"""One run: players race, faults happen as scheduled, and the checker judges the result."""

import asyncio
import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

from protocol.games import GameId
from protocol.settings import Settings
from protocol.vocabulary import Score, UndoPolicy
from server.rooms.rounds import clash_in
from tests.faults.beside import Beside, check_beside
from tests.faults.checker import HELD_UP, ODDITIES, STRANDED, Verdict, check
from tests.faults.guests import Guest
from tests.faults.inflict import Victims
from tests.faults.last_release import LastRelease
from tests.faults.notes import Notes
from tests.faults.players import Manners, Racer
from tests.faults.processes import FENCED, Fleet, fleet
from tests.faults.rounds import Rounds
from tests.faults.schedule import OF_RELEASES, Fault, FaultKind, draw
from tests.faults.unreadable import Unreadable

END_PATIENCE_S = 60.0


@dataclass(frozen=True)
class Plan:
    """The parameters of a run."""

    seed: int
    seconds: float = 60.0
    players: int = 50
    rooms: int = 10
    servers: int = 3
    acts_per_s: float = 3.0
    round_s: tuple[int, int] = (15, 40)
    module: str = FENCED
    clustered: bool = False
    last_release: LastRelease | None = None  # if it is to serve as well
    keep: Path | None = None


@dataclass
class Outcome:
    """The result of a run."""

    plan: Plan
    verdict: Verdict
    notes: list[Notes]
    guests: list[Guest] = field(default_factory=list)
    inflicted: Counter[FaultKind] = field(default_factory=Counter)
    beside: Beside = field(default_factory=Beside)
    seconds: float = 0.0


async def run(plan: Plan, say: Callable[[str], None] = lambda _: None) -> Outcome:
    """Run the plan in a directory of its own, which is kept if `keep` names it."""
    with tempfile.TemporaryDirectory(prefix="faults-") as made:
        directory = plan.keep or Path(made)
        directory.mkdir(parents=True, exist_ok=True)
        async with fleet(
            directory, plan.servers, plan.module, clustered=plan.clustered
        ) as servers:
            outcome, rounds, unreadable = await _race(plan, servers, say)
            await rounds.read_rest()
            await servers.store.settle()
        troubles = [*servers.troubles(unreadable.expects), *rounds.missing]
        forget = servers.store.may_forget
        outcome.verdict = check(outcome.notes, rounds.read, troubles, forget)
        for guest in outcome.guests:
            outcome.verdict.wrong[STRANDED] += guest.stranded
            outcome.verdict.wrong[ODDITIES] += guest.oddities
        outcome.verdict.wrong[ODDITIES] += _of_rooms(outcome.notes, clustered=plan.clustered)
        outcome.verdict.wrong[ODDITIES] += unreadable.oddities
        outcome.beside = check_beside(unreadable.records, outcome.notes)
        outcome.verdict.wrong[HELD_UP] += outcome.beside.held_up
        return outcome


def _of_rooms(notes: list[Notes], *, clustered: bool) -> list[str]:
    """Return contradictions between the messages that the players of a room received."""
    wrong = []
    for code in sorted({player.room for player in notes}):
        there = [player for player in notes if player.room == code]
        older = sum(player.rooms_back for player in there)
        if older and not clustered:
            wrong.append(f"{code} was older than it had been, {older} times")
    return wrong


def settings(rng: random.Random, plan: Plan) -> dict[str, Any]:
    """Draw the settings of a room; the last release knows them if it serves in this run."""
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
        }
        known = plan.last_release is None or plan.last_release.can_serve(chosen)
        if known and clash_in(Settings(**chosen)) is None:
            return chosen


async def _race(
    plan: Plan, servers: Fleet, say: Callable[[str], None]
) -> tuple[Outcome, Rounds, Unreadable]:
    began = time.monotonic()
    outcome = Outcome(plan, Verdict(), [])
    async with asyncio.TaskGroup() as tasks:
        racers = await _seat_all(plan, servers, tasks)
        rng = random.Random(f"guests of {plan.seed}")
        for code in sorted({racer.notes.room for racer in racers}):
            outcome.guests.append(Guest(code, racers[0].locate, rng))
        guests = [tasks.create_task(guest.live()) for guest in outcome.guests]
        outcome.notes = [racer.notes for racer in racers]
        rounds = Rounds(servers, outcome.notes)
        reading = tasks.create_task(rounds.keep_reading())
        say(f"{len(racers)} players are seated in {plan.rooms} rooms")
        victims = Victims(servers, racers, plan.last_release)
        await _inflict_all(plan, victims, outcome, say)
        say("no more faults; the last rounds end")
        for racer in racers:
            racer.ending = True
        give_up = time.monotonic() + END_PATIENCE_S
        while not all(racer.is_through() for racer in racers) and time.monotonic() < give_up:
            await asyncio.sleep(0.1)
        for racer in racers:
            if not racer.is_through():
                own = racer.tab.state.own_seat
                racer.notes.silence.append(f"the end never came, own seat: {own}")
        for racer in racers:
            racer.leave()
        for task in (reading, *guests):
            task.cancel()
    outcome.seconds = time.monotonic() - began
    return outcome, rounds, victims.unreadable


async def _seat_all(plan: Plan, servers: Fleet, tasks: asyncio.TaskGroup) -> list[Racer]:
    manners = Manners(acts_per_s=plan.acts_per_s)
    racers = []
    for number in range(plan.players):
        rng = random.Random(f"player {number} of {plan.seed}")
        racers.append(
            Racer(f"Player {number}", servers.ports, rng, tasks, manners, servers.is_last_release)
        )
    rng = random.Random(f"rooms of {plan.seed}")
    for number, racer in enumerate(racers):
        if number < plan.rooms:
            await racer.create(settings(rng, plan))
        else:
            await racer.join(racers[number % plan.rooms].notes.room)
    return racers


async def _inflict_all(
    plan: Plan, victims: Victims, outcome: Outcome, say: Callable[[str], None]
) -> None:
    began = time.monotonic()
    async with asyncio.TaskGroup() as faults:
        stores = victims.servers.store.kinds
        releases = () if plan.last_release is None else OF_RELEASES
        for fault in draw(plan.seed, plan.seconds, plan.servers, plan.players, stores, releases):
            await asyncio.sleep(max(0.0, began + fault.at - time.monotonic()))
            say(f"{fault.at:7.2f} s  {fault.kind} {fault.victims} {fault.seconds:.1f}")
            faults.create_task(_inflict(fault, victims, outcome, say))


async def _inflict(
    fault: Fault, victims: Victims, outcome: Outcome, say: Callable[[str], None]
) -> None:
    if await victims.suffer(fault):
        outcome.inflicted[fault.kind] += 1
    else:
        say(f"{fault.at:7.2f} s  {fault.kind}: nothing came of it")
