"""The progress that a process keeps of its own games is that which the store has."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from server.live.shared_text import SharedText
from server.rooms.record import Room
from server.sessions.services import Services
from server.sessions.taken_seat import TakenSeat
from server.store import SeatProgress, Store
from tests.players import live, read_message, with_standings_changes
from tests.servers import opened
from tests.sessions.clients import RecordingSocket, process_over
from tests.waiting import until


@pytest.fixture
async def services(store: Store) -> AsyncIterator[Services]:
    async with process_over(store) as services:
        yield services


@pytest.fixture
async def others(store: Store, tmp_path: Path) -> AsyncIterator[Services]:
    """The services of a second process."""
    async with opened(store.url, tmp_path) as other, process_over(other) as others:
        yield others


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
    def seat(self) -> TakenSeat:
        """The seat that this socket holds."""
        return self.holder.seat

    def shows_own_moves(self) -> bool:
        """Return whether the standings have every move of this player."""
        moves = self.latest["table"]["table"]["counts"]["moves"]
        return bool(self.standings) and self.standings[self.holder.seat_number]["moves"] == moves

    async def act(self) -> None:
        table = self.latest["table"]["table"]
        self.used += 1
        await self.say("act", id=self.used, at=table["at"], action=table["legal"][0])
        await until(lambda: self.latest.get("acted", {}).get("id") == self.used)

    async def hint(self, hints: int) -> None:
        await self.say("hint")
        await until(lambda: self.latest.get("hinted", {}).get("hints") == hints)


async def race(
    services: Services, others: Services | None = None, **settings: Any
) -> list[Client]:
    """Two players at the tables of a race that has begun; Bob's process may be another one."""
    ada, bob = Client(services), Client(others or services)
    await ada.say("create", name="Ada", settings={"game": "spider-1", **settings})
    await bob.say("join", room=ada.seat.room_code, name="Bob")
    await bob.say("ready")
    await ada.say("ready")
    await until(lambda: "table" in ada.latest and "table" in bob.latest)
    return [ada, bob]


def count_reads(services: Services) -> list[int]:
    """Return a list that grows with each reading of progress, by the round."""
    read: list[int] = []
    progress = services.repository.read_progress

    async def counted(room: Room) -> list[SeatProgress]:
        read.append(room.rounds_started)
        return await progress(room)

    services.repository.read_progress = counted  # type: ignore[method-assign]
    return read


async def compare(services: Services, player: Client) -> None:
    """Compare the progress of a seat with the store's."""
    code, number = player.seat.room_code, player.seat.number
    record = await services.store.seats.read(code, number)
    assert record is not None
    assert services.hub.rooms.known_progress(code, number) == record.progress(number)


async def test_progress_of_acts_and_hints_is_that_of_the_store(services: Services) -> None:
    ada, bob = await race(services, hints=True)
    await until(lambda: bool(ada.standings))
    for number in range(6):
        await ada.act()
        await compare(services, ada)
        if number % 3 == 0:
            await ada.say("hint")
            await ada.hint(1 + number // 3)
            await compare(services, ada)
    moves = ada.latest["table"]["table"]["counts"]["moves"]
    await until(lambda: {row["seat"]: row["moves"] for row in bob.standings} == {0: moves, 1: 0})
    await until(lambda: {row["seat"]: row["hints"] for row in bob.standings} == {0: 2, 1: 0})
    assert bob.types().count("standings") == 1


async def test_progress_of_the_next_round_begins_anew(services: Services) -> None:
    ada, bob = await race(services, hints=True)
    await ada.act()
    await ada.hint(1)
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
    await compare(services, ada)
    await until(lambda: any(row["seat"] == 0 and row["moves"] for row in bob.standings))


async def test_a_peer_that_is_slow_to_read_gets_the_whole_later(services: Services) -> None:
    ada, bob = await race(services)
    await until(lambda: bool(bob.standings))
    bob.slow = True
    for _ in range(3):
        await ada.act()
    await until(ada.shows_own_moves)  # so Bob has been left out
    assert bob.types().count("standings") == 1
    bob.slow = False
    await until(lambda: bob.types().count("standings") == 2)
    await until(lambda: live(bob.standings) == live(ada.standings))
    await ada.act()
    await until(lambda: "standings_changes" in bob.types())


async def test_newcomers_get_the_whole_standings_when_they_are_admitted(
    services: Services,
) -> None:
    ada, _ = await race(services)
    await ada.say("configure", settings={"game": "spider-1", "approve": True})
    eve = Client(services)
    await eve.say("join", room=ada.seat.room_code, name="Eve", role="spectator")
    await ada.act()
    await until(ada.shows_own_moves)  # so Eve has been left out
    assert eve.standings == []
    await ada.say("admit", seat=eve.seat.number)
    await until(lambda: bool(eve.standings))
    await ada.act()
    await until(
        lambda: live(eve.standings) == live(ada.standings) and "standings_changes" in eve.types()
    )


async def test_standings_that_are_requested_fit_the_changes_and_leave_the_boards(
    services: Services,
) -> None:
    ada, _ = await race(services, spectate="boards", board_delay_s=0)
    don = Client(services)
    await don.say("join", room=ada.seat.room_code, name="Don", role="spectator")
    await don.say("watch", boards=[0])
    await until(lambda: "table" in don.latest)
    for _ in range(3):
        await ada.act()
        await don.say("watch")
        assert don.standings[0]["moves"] == ada.latest["table"]["table"]["counts"]["moves"]
    at = ada.latest["acted"]["at"]
    await until(lambda: don.latest["table"]["table"]["at"] == at)


async def test_acts_and_hints_are_shown_by_other_processes_without_a_read(
    services: Services, others: Services
) -> None:
    ada, bob = await race(services, others, hints=True)
    await until(lambda: bool(ada.standings) and bool(bob.standings))
    read = [count_reads(each) for each in (services, others)]
    for number in range(5):
        await ada.act()
        await bob.act()
        if number == 2:
            await ada.hint(1)
    await bob.hint(1)
    await until(lambda: live(ada.standings) == live(bob.standings))
    await until(lambda: [row["hints"] for row in bob.standings] == [1, 1])
    moves = [each.latest["table"]["table"]["counts"]["moves"] for each in (ada, bob)]
    await until(lambda: [row["moves"] for row in ada.standings] == moves)
    await until(lambda: [row["moves"] for row in bob.standings] == moves)
    assert read == [[], []]
    assert bob.types().count("standings") == 1


async def test_a_spectator_at_another_process_gets_acts_from_before_and_after_it_came(
    services: Services, others: Services
) -> None:
    ada, bob = await race(services)
    await ada.act()
    cy = Client(others)
    joining = asyncio.create_task(
        cy.say("join", room=ada.seat.room_code, name="Cy", role="spectator")
    )
    while not joining.done():
        await ada.act()
        await bob.act()
    await joining
    await until(lambda: live(cy.standings) == live(ada.standings) != [])
    await bob.act()
    moves = bob.latest["table"]["table"]["counts"]["moves"]
    await until(lambda: cy.standings[1]["moves"] == moves)


async def test_a_seat_that_moves_to_another_process_keeps_its_progress(
    services: Services, others: Services
) -> None:
    ada, bob = await race(services, others)
    for _ in range(3):
        await ada.act()
    back = Client(others)
    joined = ada.latest["joined"]
    await back.say("resume", room=ada.seat.room_code, seat=joined["seat"], token=joined["token"])
    await until(lambda: "table" in back.latest)
    back.used = ada.used
    await back.act()
    moves = back.latest["table"]["table"]["counts"]["moves"]
    await until(lambda: bool(back.standings) and back.standings[0]["moves"] == moves)
    await until(lambda: bob.standings[0]["moves"] == moves)
    eve = Client(services)
    await eve.say("join", room=bob.seat.room_code, name="Eve", role="spectator")
    await back.act()
    moves = back.latest["table"]["table"]["counts"]["moves"]
    await until(lambda: bool(eve.standings) and eve.standings[0]["moves"] == moves)
    await compare(services, back)
    await compare(others, back)


async def test_an_act_on_its_way_when_the_socket_is_lost_is_shown_by_all_processes(
    services: Services, others: Services
) -> None:
    ada, bob = await race(services, others)
    eve = Client(services)
    await eve.say("join", room=ada.seat.room_code, name="Eve", role="spectator")
    await until(lambda: bool(eve.standings) and bool(bob.standings))
    table = ada.latest["table"]["table"]
    await ada.say("act", id=1, at=table["at"], action=table["legal"][0])
    assert "acted" not in ada.latest
    await ada.disconnect()
    await until(lambda: eve.standings[0]["moves"] == 1)
    await until(lambda: bob.standings[0]["moves"] == 1)
