"""The progress that a process knows of its games equals the stored progress."""

import asyncio
from typing import Any

from server.live.repository import Repository
from tests.players import Message, live
from tests.world.stage import Person, Process, Stage, begin, finish, staged


def shows(*moves: int) -> Any:
    """Return a function that checks that the standings show these numbers of moves."""
    return lambda rows: [row["moves"] for row in by_seat(rows)] == [*moves]


def by_seat(rows: list[Message]) -> list[Message]:
    return sorted(rows, key=lambda row: int(row["seat"]))


async def act(player: Person) -> int:
    """Act; return the player's number of moves."""
    assert (await player.act(player.table["legal"][0]))["type"] == "acted"
    return int(player.table["counts"]["moves"])


async def all_here(player: Person) -> None:
    """Receive all messages that were sent to a player so far."""
    await asyncio.sleep(2)
    await player.ask("ping", t=1)


def whole_standings(player: Person) -> int:
    return [message["type"] for message in player.received].count("standings")


async def compare(process: Process, player: Person) -> None:
    """Check that the progress of a seat here equals the progress that another process replays."""
    known = process.rooms.known_progress(player.code, player.seat)
    other = Repository(process.store.shared.connect())
    latest = await other.read(player.code)
    assert known in await other.progress.read(latest.room)


async def race(stage: Stage, *, apart: bool = False, **settings: Any) -> list[Person]:
    """Return two players of a race with standings; Bob may be at another process."""
    here, elsewhere = stage.process(), stage.process()
    ada = await Person.create(here.port, "Ada", game="spider-1", **settings)
    bob = await Person.join((elsewhere if apart else here).port, ada.code, "Bob")
    await begin([ada, bob])
    for player in (ada, bob):
        await player.standings_with(shows(0, 0))
    return [ada, bob]


@staged
async def test_progress_of_acts_and_hints_equals_the_stored_one_in_each_round(
    stage: Stage,
) -> None:
    ada, bob = await race(stage, hints=True)
    for number in range(6):
        moves = await act(ada)
        await compare(stage.one, ada)
        if number % 3 == 0:
            assert (await ada.ask("hint"))["hints"] == 1 + number // 3
            await compare(stage.one, ada)
    await bob.standings_with(shows(moves, 0))
    await bob.standings_with(lambda rows: [row["hints"] for row in by_seat(rows)] == [2, 0])
    assert whole_standings(bob) == 1
    await finish(ada, bob)
    ada.table = bob.table = {}
    for player in (ada, bob):
        await player.say("rematch")
    await ada.race()
    await ada.standings_with(lambda rows: not any(row["moves"] or row["hints"] for row in rows))
    moves = await act(ada)
    await compare(stage.one, ada)
    await bob.standings_with(shows(moves, 0))


@staged
async def test_newcomers_get_the_whole_standings_when_they_are_admitted(stage: Stage) -> None:
    ada, _ = await race(stage)
    await ada.ask("configure", settings={"game": "spider-1", "approve": True})
    eve = await Person.join(stage.port, ada.code, "Eve", "spectator")
    moves = await act(ada)
    await ada.standings_with(shows(moves, 0))
    await all_here(eve)
    assert eve.standings == []  # the changes did not reach her
    await ada.ask("admit", seat=eve.seat)
    await act(ada)
    await eve.receive("standings_changes")
    await all_here(ada)
    await all_here(eve)
    assert live(eve.standings) == live(ada.standings)


@staged
async def test_progress_is_shown_by_all_processes_wherever_its_seat_moves(stage: Stage) -> None:
    """No process needs to read it."""
    ada, bob = await race(stage, apart=True, hints=True)
    await asyncio.sleep(1)
    calls = [process.faults.calls for process in stage.processes]
    before = [each["seats.read_all"] for each in calls]
    for _ in range(3):
        moves = await act(ada), await act(bob)
    for player in (ada, bob):
        await player.ask("hint")
    for player in (ada, bob):
        await all_here(player)
        assert shows(*moves)(player.standings)
        assert [row["hints"] for row in player.standings] == [1, 1]
    assert live(ada.standings) == live(bob.standings)
    assert [each["seats.read_all"] for each in calls] == before
    assert before != [0, 0]
    ada = await ada.resume(stage.processes[1].port)
    await ada.race()
    moves = await act(ada), moves[1]
    eve = await Person.join(stage.port, ada.code, "Eve", "spectator")
    for player in (bob, eve):
        await player.standings_with(shows(*moves))
    for process in stage.processes:
        await compare(process, ada)


@staged
async def test_an_act_on_its_way_when_the_socket_is_lost_is_shown_anywhere(stage: Stage) -> None:
    ada, bob = await race(stage, apart=True)
    eve = await Person.join(stage.port, ada.code, "Eve", "spectator")
    await eve.standings_with(shows(0, 0))
    commits = stage.one.connection.commits
    commits.is_held = True
    await ada.say("act", id=1, at=0, action=ada.table["legal"][0])
    await asyncio.sleep(0.01)
    await ada.leave()
    await asyncio.sleep(0.01)
    commits.let()
    for player in (eve, bob):
        await player.standings_with(shows(1, 0))
