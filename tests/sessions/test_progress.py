"""The progress that a process keeps of its own games is that which the store has."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from server.live.shared_text import SharedText
from server.sessions.services import Services
from tests.players import live, read_message, with_standings_changes
from tests.sessions.clients import Processes, RecordingSocket
from tests.waiting import until


@pytest.fixture
async def processes() -> AsyncIterator[Processes]:
    async with Processes.opened() as processes:
        yield processes


class Client(RecordingSocket):
    """A socket with the latest state that its peer would have."""

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self.slow = False
        self.latest: dict[str, Any] = {}
        self.standings: list[dict[str, Any]] = []
        self.used = 0

    def send(self, text: str) -> None:
        message = read_message(text)
        self.received.append(message)
        self.latest[message["type"]] = message
        if message["type"] == "acted":
            table = self.latest["table"]["table"]
            table.update(at=message["at"], legal=message["legal"])
            table["counts"].update(message["counts"])
        if message["type"] == "standings":
            self.standings = message["standings"]
        if message["type"] == "standings_changes":
            assert message["number"] == self.latest["standings"]["number"] + 1
            self.latest["standings"]["number"] += 1
            self.standings = with_standings_changes(self.standings, message)

    def send_passing(self, message: SharedText) -> bool:
        if not self.slow:
            self.send(message.text)
        return not self.slow

    def is_behind(self) -> bool:
        return self.slow

    @property
    def code(self) -> str:
        code: str = self.latest["joined"]["room"]["code"]
        return code

    @property
    def moves(self) -> int:
        moves: int = self.latest["table"]["table"]["counts"]["moves"]
        return moves

    def shows(self, *moves: int) -> bool:
        """Return whether the standings have so many moves of the players."""
        return [row["moves"] for row in sorted(self.standings, key=lambda row: row["seat"])] == [
            *moves
        ]

    async def act(self) -> None:
        table = self.latest["table"]["table"]
        self.used += 1
        await self.say("act", id=self.used, at=table["at"], action=table["legal"][0])
        await until(lambda: self.latest.get("acted", {}).get("id") == self.used)

    async def hint(self, hints: int) -> None:
        await self.say("hint")
        await until(lambda: self.latest.get("hinted", {}).get("hints") == hints)


async def race(processes: Processes, at: str = "here", **settings: Any) -> list[Client]:
    """Two players at the tables of a race that has begun; Bob's process may be another one."""
    ada, bob = Client(processes.here), Client(getattr(processes, at))
    await ada.say("create", name="Ada", settings={"game": "spider-1", **settings})
    await bob.say("join", room=ada.code, name="Bob")
    await bob.say("ready")
    await ada.say("ready")
    await until(lambda: "table" in ada.latest and "table" in bob.latest)
    return [ada, bob]


async def spectator(processes: Processes, of: Client, at: str = "here") -> Client:
    """Return a spectator of a race."""
    eve = Client(getattr(processes, at))
    await eve.say("join", room=of.code, name="Eve", role="spectator")
    return eve


def compare(processes: Processes, player: Client, at: str = "here") -> None:
    """Compare the progress of a seat with the store's."""
    services, number = getattr(processes, at), player.latest["joined"]["seat"]
    record = processes.store.seats[player.code, number]
    assert services.hub.rooms.known_progress(player.code, number) == record.progress(number)


async def test_progress_of_acts_and_hints_is_that_of_the_store_in_each_round(
    processes: Processes,
) -> None:
    ada, bob = await race(processes, hints=True)
    await until(lambda: bool(ada.standings))
    for number in range(6):
        await ada.act()
        compare(processes, ada)
        if number % 3 == 0:
            await ada.hint(1 + number // 3)
            compare(processes, ada)
    await until(lambda: bob.shows(ada.moves, 0))
    await until(lambda: {row["seat"]: row["hints"] for row in bob.standings} == {0: 2, 1: 0})
    assert bob.types().count("standings") == 1
    await ada.say("forfeit")
    await bob.say("forfeit")
    await until(lambda: "round_over" in ada.latest)
    ada.latest.pop("table")
    await ada.say("rematch")
    await bob.say("rematch")
    await until(lambda: "table" in ada.latest)
    await until(
        lambda: [(row["moves"], row["hints"]) for row in ada.standings] == [(0, 0), (0, 0)]
    )
    await ada.act()
    compare(processes, ada)
    await until(lambda: bob.shows(ada.moves, 0))


async def test_a_peer_that_is_slow_to_read_gets_the_whole_later(processes: Processes) -> None:
    ada, bob = await race(processes)
    await until(lambda: bool(bob.standings))
    bob.slow = True
    for _ in range(3):
        await ada.act()
    await until(lambda: ada.shows(ada.moves, 0))  # so Bob has been left out
    assert bob.types().count("standings") == 1
    bob.slow = False
    await until(lambda: bob.types().count("standings") == 2)
    await until(lambda: live(bob.standings) == live(ada.standings))
    await ada.act()
    await until(lambda: "standings_changes" in bob.types())


async def test_newcomers_get_the_whole_standings_when_they_are_admitted(
    processes: Processes,
) -> None:
    ada, _ = await race(processes)
    await ada.say("configure", settings={"game": "spider-1", "approve": True})
    eve = await spectator(processes, ada)
    await ada.act()
    await until(lambda: ada.shows(ada.moves, 0))  # so Eve has been left out
    assert eve.standings == []
    await ada.say("admit", seat=eve.latest["joined"]["seat"])
    await until(lambda: bool(eve.standings))
    await ada.act()
    await until(
        lambda: live(eve.standings) == live(ada.standings) and "standings_changes" in eve.types()
    )


async def test_standings_that_are_requested_fit_the_changes_and_leave_the_boards(
    processes: Processes,
) -> None:
    ada, _ = await race(processes, spectate="boards", board_delay_s=0)
    don = await spectator(processes, ada)
    await don.say("watch", boards=[0])
    await until(lambda: "table" in don.latest)
    for _ in range(3):
        await ada.act()
        await don.say("watch")
        assert don.shows(ada.moves, 0)
    at = ada.latest["acted"]["at"]
    await until(lambda: don.latest["table"]["table"]["at"] == at)


async def test_acts_and_hints_are_shown_by_other_processes_without_a_read(
    processes: Processes,
) -> None:
    ada, bob = await race(processes, "elsewhere", hints=True)
    await until(lambda: bool(ada.standings) and bool(bob.standings))
    await asyncio.sleep(1)
    calls = [process.faults.calls for process in processes.world.processes.values()]
    before = [each["seats.read_all"] for each in calls]
    for number in range(5):
        await ada.act()
        await bob.act()
        if number == 2:
            await ada.hint(1)
    await bob.hint(1)
    await until(lambda: live(ada.standings) == live(bob.standings))
    await until(lambda: [row["hints"] for row in bob.standings] == [1, 1])
    for each in (ada, bob):
        await until(lambda: each.shows(ada.moves, bob.moves))  # noqa: B023  # awaited at once
    assert [each["seats.read_all"] for each in calls] == before
    assert before != [0, 0]
    assert bob.types().count("standings") == 1


async def test_a_spectator_at_another_process_gets_acts_from_before_and_after_it_came(
    processes: Processes,
) -> None:
    ada, bob = await race(processes)
    await ada.act()
    joining = asyncio.create_task(spectator(processes, ada, "elsewhere"))
    while not joining.done():
        await ada.act()
        await bob.act()
    cy = await joining
    await until(lambda: live(cy.standings) == live(ada.standings) != [])
    await bob.act()
    await until(lambda: cy.shows(ada.moves, bob.moves))


async def test_a_seat_that_moves_to_another_process_keeps_its_progress(
    processes: Processes,
) -> None:
    ada, bob = await race(processes, "elsewhere")
    for _ in range(3):
        await ada.act()
    back, joined = Client(processes.elsewhere), ada.latest["joined"]
    await back.say("resume", room=ada.code, seat=joined["seat"], token=joined["token"])
    await until(lambda: "table" in back.latest)
    back.used = ada.used
    await back.act()
    for each in (back, bob):
        await until(lambda: each.shows(back.moves, 0))  # noqa: B023  # awaited at once
    eve = await spectator(processes, bob)
    await back.act()
    await until(lambda: eve.shows(back.moves, 0))
    compare(processes, back)
    compare(processes, back, "elsewhere")


async def test_an_act_on_its_way_when_the_socket_is_lost_is_shown_by_all_processes(
    processes: Processes,
) -> None:
    ada, bob = await race(processes, "elsewhere")
    eve = await spectator(processes, ada)
    await until(lambda: bool(eve.standings) and bool(bob.standings))
    table = ada.latest["table"]["table"]
    await ada.say("act", id=1, at=table["at"], action=table["legal"][0])
    assert "acted" not in ada.latest
    await ada.disconnect()
    for each in (eve, bob):
        await until(lambda: each.shows(1, 0))  # noqa: B023  # awaited at once
